from __future__ import annotations

import shutil

import click

from scorecard.cli import messages
from scorecard.cli.options import (
    GivenPolicy,
    GroupedCommand,
    language_option,
    limit_options,
    model_argument,
)


@click.command(cls=GroupedCommand)
@model_argument
@limit_options
@language_option
def show(model: str, policy: GivenPolicy, language: str) -> None:
    """Print a list as a staircase of questions, totals and risks.

    Rows are questions in order, columns the totals one can have by then. Boxes show the risk and
    the cases behind it; ▼ and ▲ mark where one stops.

    \b
    Example:
      scorecard show model.json --rule-out 2% --rule-in 90%
    """
    from scorecard.documents.json_document import short_hash
    from scorecard.terminal import staircase_text
    from scorecard.words.wording import Wording

    staircase = policy.staircase(model)
    text = staircase_text(
        staircase,
        Wording.of(staircase, language),
        identity=short_hash(staircase.scoring_list),
        width=shutil.get_terminal_size().columns,
        colour=messages.wants_colour(),
    )
    click.echo(text)

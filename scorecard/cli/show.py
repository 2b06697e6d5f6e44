from __future__ import annotations

import shutil

import click

from scorecard.cli import messages
from scorecard.cli.options import (
    GivenPolicy,
    GroupedCommand,
    labels_option,
    language_option,
    model_argument,
    policy_options,
)


@click.command(cls=GroupedCommand)
@model_argument
@policy_options
@labels_option
@language_option
def show(model: str, policy: GivenPolicy, labels: str | None, language: str) -> None:
    """Print a list as a staircase of questions, totals and risks.

    Rows are questions in order, columns the totals one can have by then. Boxes show the risk and
    the cases behind it; ▼ and ▲ mark where one stops.

    \b
    Example:
      scorecard show model.json --rule-out 2% --rule-in 90%
    """
    from scorecard.cli.label import read_labelled
    from scorecard.cli.terminal import staircase_text
    from scorecard.core.build_staircase import build_staircase
    from scorecard.documents.json_document import short_hash
    from scorecard.words.wording import Wording

    scoring_list = read_labelled(model, labels)
    staircase = build_staircase(scoring_list, policy.of(scoring_list))
    text = staircase_text(
        staircase,
        Wording.of(staircase, language),
        identity=short_hash(scoring_list),
        width=shutil.get_terminal_size().columns,
        colour=messages.wants_colour(),
    )
    click.echo(text)

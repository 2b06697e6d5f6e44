from __future__ import annotations

import shutil

import click

from scorecard.cli import voice
from scorecard.cli.options import language_option, model_argument, policy_options, turning_option
from scorecard.core.policy import StoppingPolicy


@click.command()
@model_argument
@policy_options
@turning_option
@language_option
def show(model: str, policy: StoppingPolicy, positive_points: bool, language: str) -> None:
    """Print a list as a staircase of questions, totals and risks.

    Rows are questions in order, columns the totals one can have by then. Boxes show the risk and
    the cases behind it; ▼ and ▲ mark where one stops.

    \b
    Example:
      scorecard show model.json --rule-out 2% --rule-in 90%
    """
    from scorecard.cli.terminal import staircase_text
    from scorecard.core.climbing import build_staircase
    from scorecard.core.model import with_positive_points
    from scorecard.documents.json_document import read_list, short_hash
    from scorecard.words.wording import Wording

    learned = read_list(model)
    shown = with_positive_points(learned) if positive_points else learned
    text = staircase_text(
        build_staircase(shown, policy),
        Wording.of(shown, language),
        identity=short_hash(learned),
        width=shutil.get_terminal_size().columns,
        colour=voice.wants_colour(),
    )
    click.echo(text)

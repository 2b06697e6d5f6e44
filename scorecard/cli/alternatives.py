from __future__ import annotations

from typing import TYPE_CHECKING

import click

from scorecard.cli import messages
from scorecard.cli.options import model_argument
from scorecard.cli.output import claim, output_option, wrote

if TYPE_CHECKING:
    from scorecard.alternatives import Alternative


@click.command()
@model_argument
@click.option(
    "--take",
    type=click.IntRange(min=1),
    help="Write the list with this number; it says that a person chose it, and among how many.",
)
@output_option("With --take, the model file", "chosen.json")
def alternatives(model: str, take: int | None, output: str | None, force: bool) -> None:
    """Compare lists that ask other questions and are nearly as good; take one.

    “scorecard fit --alternatives 10” keeps them beside the list. All figures are cross-validated:
    share decided, questions asked and cost on average, log loss, and how many lists of
    cross-validation ask for the same inputs. Number 1 is the list itself.

    \b
    Examples:
      scorecard alternatives model.json
      scorecard alternatives model.json --take 3 -o model-3.json
    """
    from scorecard.alternatives import alternative, chosen, read_alternatives
    from scorecard.documents.json_document import check_name, write_list

    if take is None and output is not None:
        raise click.UsageError("-o needs --take NUMBER: which of the lists?")
    target = output or "chosen.json"
    if take is not None:
        check_name(target)
        claim([target], sources=[model], force=force)
    lists = read_alternatives(model)
    if take is None:
        click.echo(_table([alternative(one) for one in lists]))
        return
    write_list(chosen(lists, take), target)
    wrote(target, f": number {take} of {len(lists)}.")
    messages.detail(_table([alternative(lists[take - 1])]))


def _table(lists: list[Alternative]) -> str:
    from scorecard.core.given_question import given_as

    rows = [("", "decided", "questions", "log loss", "steady", "cost", "asks for")]
    for number, one in enumerate(lists, 1):
        shown, asked = one.showing, one.scoring_list.questions
        rows.append(
            (
                str(number),
                _told(shown.decided, ".0%"),
                _told(shown.questions, ".1f"),
                _told(shown.log_loss, ".3f"),
                _told(one.steadiness, ".0%"),
                _told(shown.cost, ".3g"),
                "; ".join(str(given_as(question)) for question in asked),
            )
        )
    return "\n".join(messages.aligned(rows, right=6))


def _told(value: float | None, how: str) -> str:
    return "–" if value is None else format(value, how)

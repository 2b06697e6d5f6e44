"""A list looked at, checked, compared with others like it, and given other words or questions."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import click

from scorecard.cli import messages
from scorecard.cli.options import (
    GivenPolicy,
    GroupedCommand,
    language_option,
    limit_options,
    model_argument,
    policy_options,
)
from scorecard.cli.output import claim, output_option, typed, wrote
from scorecard.documents.json_document import (
    check_name,
    content_hash,
    faults,
    read_list,
    short_hash,
    write_list,
)
from scorecard.errors import ScorecardError
from scorecard.files import is_kept, write_text
from scorecard.project.build import HIDDEN, with_limits

if TYPE_CHECKING:
    from scorecard.alternatives import Alternative
    from scorecard.core.model import ScoringList


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
    from scorecard.core.build_staircase import build_staircase
    from scorecard.terminal import staircase_text
    from scorecard.words.wording import Wording

    scoring_list = read_list(model)
    staircase = build_staircase(scoring_list, policy.of(scoring_list))
    text = staircase_text(
        staircase,
        Wording.of(staircase, language),
        identity=short_hash(scoring_list),
        width=shutil.get_terminal_size().columns,
        colour=messages.wants_colour(),
    )
    click.echo(text)


@click.command()
@model_argument
def validate(model: str) -> int:
    """Check a model file: ok with its hash, or every fault in it.

    Faults come one per line, each with its place in the file, and the exit code is 1. A file that
    is neither JSON nor TOML is refused.

    \b
    Example:
      scorecard validate model.json
    """
    from scorecard.words.wording import printable

    found = faults(model)
    for fault in found:
        click.echo(fault)
    if found:
        return 1
    scoring_list = read_list(model)
    title = printable(scoring_list.about.title) or "untitled"
    count = len(scoring_list.questions)
    plural = "question" if count == 1 else "questions"
    messages.say(f"ok: {title}, {count} {plural}, sha256 {content_hash(scoring_list)}")
    return 0


@click.command(cls=GroupedCommand)
@model_argument
@click.argument("labels", required=False, type=click.Path())
@output_option("The same list with these words and limits", "labelled.json")
@policy_options
def label(
    model: str,
    labels: str | None,
    output: str | None,
    force: bool,
    policy: GivenPolicy,
) -> None:
    """Write words and limits into a list, without learning it again.

    LABELS is a TOML file with title, words of the decisions and next steps, and for inputs label,
    unit and note; of a card.toml its [words] are taken. Words of the list stay where it says
    nothing, and so do risks, questions and points. Limits that are given are those that all
    commands use from then on.

    \b
    Examples:
      scorecard label model.json labels.toml -o model.json
      scorecard label model.json --rule-out 2% --rule-in 90% -o ward-3.json
    """

    if labels is None and not policy.changes:
        raise click.UsageError("Say what to write in: a LABELS file, or limits like --rule-out 2%.")
    target = output or "labelled.json"
    check_name(target)
    # Writing a list over itself is what this is for; what a person wrote is asked for --force.
    sources = [labels] if Path(target) == Path(model) else [model, labels]
    claim([target], sources=sources, force=force)
    scoring_list = read_list(model)
    if labels is not None:
        from scorecard.tables.labels import read_labels  # it loads what tables need

        words = read_labels(labels)
        for doubt in words.doubts_about(scoring_list):
            messages.warn(f"Warning: {Path(labels).name}: {doubt}")
        scoring_list = words.put_on(scoring_list)
    write_list(with_limits(scoring_list, policy.changes), target)
    wrote(target, f"; see it with: {typed('scorecard', 'show', target)}")


@click.command()
@model_argument
@output_option("The list to edit: .toml", "list.toml")
def edit(model: str, output: str | None, force: bool) -> None:
    """Write a learned list so that a person can change its questions.

    The file has the questions with comments that explain them: change a cut-off, points or the
    order, remove a question, add one. “scorecard fit TABLE --start” then counts the risks of what
    stands there, learns what is left out, and tells what the edit has cost.

    \b
    Example:
      scorecard edit model.json -o list.toml
    """
    from scorecard.documents.edit_text import start_text

    target = output or "list.toml"
    if is_kept(target) and Path(target).suffix.lower() != ".toml":
        raise ScorecardError(f"{target!r}: lists are edited as TOML; end the name in .toml.")
    claim([target], sources=[model], force=force)
    scoring_list = read_list(model)
    write_text(target, start_text(scoring_list, Path(model).name, Path(target).name))
    wrote(target, f"; change it, then count its risks with: {_next(scoring_list, model, target)}")


def _next(scoring_list: ScoringList, model: str, target: str) -> str:
    """What counts the risks anew: for a list that was built, its card.toml does."""
    from scorecard.documents.edit_text import counting_again, toml

    if (Path(model).parent / HIDDEN).is_dir():
        return (
            f"scorecard build, with start = {toml(target)} and max_questions = 0 below [learning]"
            " in your card.toml"
        )
    return typed(*counting_again(scoring_list, target))


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

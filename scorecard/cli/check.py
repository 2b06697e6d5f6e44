from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from scorecard.cli import voice
from scorecard.cli.options import (
    GivenPolicy,
    GroupedCommand,
    model_argument,
    policy_options,
    reading_options,
)

if TYPE_CHECKING:
    from scorecard.checking import Verdict


@click.command(cls=GroupedCommand)
@model_argument
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@click.option("--table", type=click.Path(), metavar="FILE", help="Try every row of this table too.")
@reading_options
@policy_options
def check(
    model: str,
    files: tuple[Path, ...],
    table: str | None,
    policy: GivenPolicy,
    **reading: Any,
) -> int:
    """Show that files made from a list say what the list says.

    Programs, queries, workbooks and cards are run or read, each on the same cases: around every
    cut-off, at every total, with unknown answers, and on every row of --table. Give the limits the
    files were made with. Files are executed: check only files you made yourself. Exit code 1 if one
    of them disagrees or, like a picture or a report, has nothing in it that can be compared; a form
    whose tool is missing is named as not run.

    \b
    Example:
      scorecard check model.json evaluator.py card.pdf --table cases.csv
    """
    from scorecard import verbs
    from scorecard.documents.json_document import read_list

    scoring_list = read_list(model)
    limits = policy.of(scoring_list)
    verdicts = verbs.check(scoring_list, files or [model], policy=limits, table=table, **reading)
    _tell(verdicts)
    return 1 if any(verdict.disagrees or verdict.not_read for verdict in verdicts) else 0


def _tell(verdicts: Sequence[Verdict]) -> None:
    rows = [("file", "form", "tried", "disagree", "same list"), *map(_row, verdicts)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (text.ljust(width) for text, width in zip(row, widths, strict=True))
        voice.say("  ".join(cells).rstrip())
    for one in verdicts:
        if one.not_run:
            voice.say(f"{one.path.name}, {one.form}: not run, {one.not_run}.")
        elif not one.agrees:
            click.echo(f"{one.path.name}{_complaint(one)}")


def _row(one: Verdict) -> tuple[str, ...]:
    if one.not_run or one.not_read:
        return one.path.name, one.form, "not run" if one.not_run else "not read", "", ""
    same = "yes" if one.same_list else "NO"
    return one.path.name, one.form, str(one.tried), str(one.disagreements), same


def _complaint(one: Verdict) -> str:
    if one.not_read:
        return f": not read, {one.not_read}."
    if not one.first:
        return f", {one.form}: it does not name this list by its hash."
    hint = "; it names this list, so were its limits others? See --rule-out, --rule-in, --by."
    return f", {one.form}: {one.first.removesuffix('.')}{hint if one.same_list else '.'}"

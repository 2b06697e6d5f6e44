from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from scorecard.cli.options import encoding_option, model_argument, policy_options, turning_option
from scorecard.policy import StoppingPolicy

if TYPE_CHECKING:
    from scorecard.checking import Verdict
    from scorecard.staircase import Staircase


@click.command()
@model_argument
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@click.option("--table", type=click.Path(), help="Try every row of this table too.")
@encoding_option
@policy_options
@turning_option
def check(
    model: str,
    files: tuple[Path, ...],
    table: str | None,
    encoding: str,
    policy: StoppingPolicy,
    positive_points: bool,
) -> int:
    """Show that files made from a list say what the list says.

    Programs, queries, workbooks and cards are run or read, each on the same cases: around every
    cut-off, at every total, with unknown answers, and on every row of --table. Give the limits the
    files were made with. Files are executed: check only files you made yourself. Exit code 1 if one
    of them disagrees; a form whose tool is missing is named as not run.

    \b
    Example:
      scorecard check model.json evaluator.py card.pdf --table cases.csv
    """
    from scorecard.checking import check as checked
    from scorecard.climbing import build_staircase
    from scorecard.exporting.json_document import content_hash, read_list
    from scorecard.model import with_positive_points

    learned = read_list(model)
    shown = with_positive_points(learned) if positive_points else learned
    staircase = build_staircase(shown, policy)
    rows = [] if table is None else _rows(table, encoding, staircase)
    verdicts = checked(staircase, files or (Path(model),), rows, content_hash(learned))
    _tell(verdicts)
    return 1 if any(verdict.disagrees for verdict in verdicts) else 0


def _rows(table: str, encoding: str, staircase: Staircase) -> list[dict[str, str]]:
    """The inputs of every row as text; what is nothing in a typed table is left out."""
    from scorecard.table.reading import open_table

    source = open_table(table, encoding)
    inputs = [question.input for question in staircase.questions]
    for name in inputs:
        if name not in source.names:
            raise source.error(f"there is no column {name!r}.")
    return [
        {name: str(value) for name, value in row.items() if value is not None}
        for piece in source.pieces()
        for row in piece.frame.select(inputs).iter_rows(named=True)
    ]


def _tell(verdicts: Sequence[Verdict]) -> None:
    rows = [("file", "form", "tried", "disagree", "same list")]
    for one in verdicts:
        if one.not_run:
            rows.append((one.path.name, one.form, "not run", "", ""))
        else:
            same = "yes" if one.same_list else "NO"
            rows.append((one.path.name, one.form, str(one.tried), str(one.disagreements), same))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (text.ljust(width) for text, width in zip(row, widths, strict=True))
        click.echo("  ".join(cells).rstrip())
    for one in verdicts:
        if one.not_run:
            click.echo(f"{one.path.name}, {one.form}: not run, {one.not_run}.")
        elif one.first:
            click.echo(f"{one.path.name}, {one.form}: {one.first}")
        elif one.same_list is False:
            click.echo(f"{one.path.name}, {one.form}: it does not name this list by its hash.")

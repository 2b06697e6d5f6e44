from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from scorecard.cli import messages
from scorecard.cli.options import (
    GivenPolicy,
    GroupedCommand,
    limit_options,
    model_argument,
    reading_options,
)
from scorecard.cli.output import claim, output_option, wrote

if TYPE_CHECKING:
    from scorecard.core.staircase import Staircase
    from scorecard.tables.apply import Decided
    from scorecard.tables.source import Source

ENDS = ("rule out", "rule in", "undecided")


@click.command(cls=GroupedCommand)
@model_argument
@click.argument("tables", metavar="TABLE...", nargs=-1, required=True, type=click.Path())
@output_option("The table: .csv, .tsv or .parquet", "decided, in the kind of TABLE")
@click.option(
    "--prefix",
    default="",
    help="Put before the names of the added columns.  [default: none, and scorecard_ where the"
    " table has one of the names]",
)
@click.option("--from", "from_table", metavar="TABLE", help="The table of a DuckDB database.")
@click.option(
    "--into", metavar="NAME", help="The new table of the database, made there.  [default: decided]"
)
@reading_options
@limit_options
def apply(
    model: str,
    tables: tuple[str, ...],
    output: str | None,
    force: bool,
    prefix: str,
    from_table: str | None,
    into: str | None,
    encoding: str,
    decimal: str | None,
    sheet: str | None,
    policy: GivenPolicy,
) -> None:
    """Apply a list to every row of a table.

    Adds decision, stage (how many questions were asked), total, probability, lower, upper, cases,
    positives, the inputs that were unknown among the questions asked, and what the answers cost if
    the list says what its questions do. All other columns are kept as they are, also cells that a
    spreadsheet would take for a formula. Empty cells, NaN and words like "unknown" or "NA" are
    unknown answers, never "no": such a row is decided only if every possible answer gives the same
    decision. A row with a category the list has never seen is a "problem". A workbook becomes CSV.
    In a DuckDB database the rows stay where they are: a new table is made of them, by the query
    that “scorecard export” writes.

    \b
    Examples:
      scorecard apply model.json patients.csv
      scorecard apply model.json warehouse.duckdb --from visits --into scored
    """
    from scorecard.tables.apply import default_suffix
    from scorecard.tables.read_table import open_table
    from scorecard.tables.warehouse import is_database

    in_database = is_database(tables[0])
    if not in_database and (from_table or into):
        raise click.UsageError(f"--from and --into are for databases; {tables[0]} is a file.")
    target = output or f"decided{default_suffix(Path(tables[0]))}"
    if not in_database:
        claim([target], sources=[model, *tables], force=force)
    staircase = policy.staircase(model)
    if in_database:
        _apply_there(staircase, tables[0], from_table, into or "decided", prefix)
    else:
        _apply(staircase, open_table(tables, encoding, decimal or ".", sheet), target, prefix)


def _apply(staircase: Staircase, source: Source, target: str, prefix: str) -> None:
    """Write the table with what is decided about each row."""
    from scorecard.tables.apply import added_prefix, applied, write_table
    from scorecard.tables.suspicions import codes_in, outsiders_of

    codes, outsiders = codes_in(staircase.questions), outsiders_of(staircase)
    counts: Counter[str] = Counter()
    if not prefix and (prefix := added_prefix(staircase, source)):
        messages.say(f"The added columns begin with {prefix!r}: a name of theirs is taken already.")

    def look(columns: Any) -> None:
        codes.look_at(columns)
        outsiders.look_at(columns)

    decided = applied(staircase, source, prefix=prefix, look=look)
    rows = write_table((one.frame for one in _counted(decided, counts)), target, source)
    for doubt in codes.doubts():
        messages.warn(f"Warning: {doubt.message}")
    _tell_outsiders(staircase, outsiders.counts)
    wrote(target, f": {_ends(counts, rows, staircase)}.")


def _apply_there(
    staircase: Staircase, database: str, table: str | None, into: str, prefix: str
) -> None:
    """Make a table of the database from another, by the exported query."""
    from scorecard.core.question import inputs_of
    from scorecard.forms.found import inputs_in
    from scorecard.forms.sql.make import make, own_names
    from scorecard.tables.warehouse import write_scored

    query, added = make(staircase).decode(), own_names(staircase)
    ends, outside = write_scored(database, table, into, query, added, prefix)
    inputs, outsiders = inputs_of(staircase.questions), Counter[str]()
    for names, count in outside:
        outsiders.update(dict.fromkeys(inputs_in(names, inputs), count))
    _tell_outsiders(staircase, outsiders)
    called = staircase.policy.names
    counts = Counter({called.get(one, one) or "problem": count for one, count in ends})
    told = _ends(counts, sum(counts.values()), staircase)
    messages.say(f"Made the table {into!r} in {Path(database).name}: {told}.")


def _tell_outsiders(staircase: Staircase, counts: Counter[str]) -> None:
    """Say of each column how many of its numbers are outside what the list has seen."""
    from scorecard.words.wording import Wording

    for name, remark in Wording.of(staircase).remarks(staircase).items():
        if count := counts[name]:
            numbers = "1 number is" if count == 1 else f"{count:,} numbers are"
            messages.warn(f"Warning: Column {name!r}: {numbers} {remark}")


def _counted(decided: Iterable[Decided], counts: Counter[str]) -> Iterator[Decided]:
    for one in decided:
        counts.update(one.decisions)
        yield one


def _ends(counts: Counter[str], rows: int, staircase: Staircase) -> str:
    """How many rows there are, and end in which way, in the order in which one asks."""
    names = staircase.policy.names
    words = {"rule out": "ruled out", "rule in": "ruled in", "go on": "without a decision"}
    usual = [*(names.get(one, one) for one in ENDS), "unknown"]
    shown = [one for one in dict.fromkeys([*usual, *sorted(counts)]) if one in usual or counts[one]]
    ends = ", ".join(f"{counts[one]} {words.get(one, one)}" for one in shown)
    told = f"{rows} {'row' if rows == 1 else 'rows'}; {ends}"
    if not counts["problem"]:
        return told
    return f"{told} (a category that the list has never seen; the column “unknown” names its input)"

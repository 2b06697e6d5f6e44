from __future__ import annotations

from pathlib import Path

import click

from scorecard.cli.options import GivenPolicy, model_argument, policy_options, reading_options
from scorecard.cli.output import claim, output_option, wrote


@click.command()
@model_argument
@click.argument("table", type=click.Path())
@output_option("The table: .csv, .tsv or .parquet", "decided, in the kind of TABLE")
@click.option("--prefix", default="", help="Put before the names of the added columns.")
@reading_options
@policy_options
def apply(
    model: str,
    table: str,
    output: str | None,
    force: bool,
    prefix: str,
    encoding: str,
    decimal: str,
    policy: GivenPolicy,
) -> None:
    """Apply a list to every row of a table.

    Adds decision, stage (how many questions were asked), total, probability, lower, upper, and the
    inputs that were unknown among the questions asked. All other columns are kept as they are.
    Empty cells, NaN and words like "unknown" or "NA" are unknown answers, never "no": such a row is
    decided only if every possible answer gives the same decision.

    \b
    Example:
      scorecard apply model.json patients.csv
    """
    from scorecard.core.climbing import build_staircase
    from scorecard.documents.json_document import read_list
    from scorecard.tables.apply import applied
    from scorecard.tables.read_table import open_table
    from scorecard.tables.write_table import write_decided

    target = output or f"decided{Path(table).suffix}"
    claim([target], sources=[model, table], force=force)
    scoring_list = read_list(model)
    staircase = build_staircase(scoring_list, policy.of(scoring_list))
    source = open_table(table, encoding, decimal)
    rows = write_decided(applied(staircase, source, prefix=prefix), target, source)
    wrote(target, f": {rows} rows.")

from __future__ import annotations

import click

from scorecard.cli.options import encoding_option, model_argument, policy_options, turning_option
from scorecard.policy import StoppingPolicy


@click.command()
@model_argument
@click.argument("table", type=click.Path())
@click.option("-o", "--output", required=True, type=click.Path(), help="CSV, TSV or Parquet file.")
@click.option("--prefix", default="", help="Put before the names of the added columns.")
@encoding_option
@policy_options
@turning_option
def apply(
    model: str,
    table: str,
    output: str,
    prefix: str,
    encoding: str,
    policy: StoppingPolicy,
    positive_points: bool,
) -> None:
    """Apply a list to every row of a table.

    Adds decision, stage (how many questions were asked), total, probability, lower, upper, and the
    inputs that were unknown among the questions asked. All other columns are kept as they are.
    Empty cells, NaN and words like "unknown" or "NA" are unknown answers, never "no": such a row is
    decided only if every possible answer gives the same decision.

    \b
    Example:
      scorecard apply model.json patients.csv -o decided.csv
    """
    from scorecard.climbing import build_staircase
    from scorecard.exporting.json_document import read_list
    from scorecard.model import with_positive_points
    from scorecard.table.applying import applied
    from scorecard.table.reading import open_table
    from scorecard.table.writing import write_table

    learned = read_list(model)
    staircase = build_staircase(
        with_positive_points(learned) if positive_points else learned, policy
    )
    source = open_table(table, encoding)
    rows = write_table(applied(staircase, source, prefix=prefix, learned=learned), output, source)
    click.echo(f"Wrote {rows} rows to {output}.", err=True)

from __future__ import annotations

from typing import Any

import click

from scorecard.cli.fit import fit, whole
from scorecard.cli.options import SHARE, policy_options
from scorecard.policy import StoppingPolicy

NOT_HERE = {"table", "output", "outcome", "labels", "evidence", "jobs"}


@click.command()
@click.argument("files", metavar="[MODEL] TABLE", nargs=-1, type=click.Path())
@click.option(
    "-o",
    "--output",
    type=click.Path(),
    default="report.html",
    show_default=True,
    help="Report: .html, .pdf or .json.",
)
@click.option("--outcome", metavar="COLUMN", help="The column to predict.")
@whole("--splits", 100, help="Random splits, or with --folds repeats.")
@click.option(
    "--test-share",
    type=SHARE,
    default="1/3",
    show_default=True,
    help="Share of the cases that judges, in random splits.",
)
@click.option("--folds", type=click.IntRange(min=2), help="k-fold instead of random splits.")
@click.option(
    "--recalibrated",
    type=click.Path(),
    help="With a MODEL: write it with the risks of these cases to this file.",
)
@click.option("--jobs", type=click.IntRange(min=1), help="Processes  [default: all cores]")
@policy_options
def evaluate(files: tuple[str, ...], output: str, policy: StoppingPolicy, **options: Any) -> None:
    """Judge a list, or how one is learned, on cases that did not choose it.

    With a TABLE a list is learned again and again from a part of the cases and judged on the rest,
    beside logistic regression, a decision tree and gradient boosting on the same splits. The
    options of “fit” say how it is learned. With a MODEL and a TABLE the finished list is judged on
    new cases as it is.

    \b
    Examples:
      scorecard evaluate patients.csv --outcome disease -o report.html
      scorecard evaluate model.json other-hospital.csv --outcome disease -o report.pdf
    """
    from scorecard.cli.evaluating import evaluate_files
    from scorecard.files import refuse_overwriting

    for target in filter(None, [output, options["recalibrated"]]):
        refuse_overwriting(target, *files)
    summary = evaluate_files(files, output, policy, options)
    click.echo(summary)
    click.echo(f"Wrote {output}.")


# How a list is learned is said in one place.
evaluate.params += [one for one in fit.params if one.name not in NOT_HERE]

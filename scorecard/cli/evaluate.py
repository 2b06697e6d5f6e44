from __future__ import annotations

from typing import Any

import click

from scorecard.cli import voice
from scorecard.cli.fit import fit, outcome_option, whole
from scorecard.cli.options import POLICY_NAMES, SHARE, GivenPolicy, GroupedCommand, policy_options
from scorecard.cli.output import claim, format_option, named, output_option, wrote

KINDS = ("html", "pdf", "json")
# Options of “fit” that have no place or another meaning here; every command gets its own voice.
NOT_HERE = {
    "tables",
    "output",
    "force",
    "outcome",
    "no_evidence",
    "folds",
    "validate",
    "jobs",
    "quiet",
    "verbose",
}


@click.command(cls=GroupedCommand)
@click.argument("files", metavar="[MODEL] TABLE...", nargs=-1, type=click.Path())
@output_option("The report: .html, .pdf or .json", "report.html")
@format_option(*KINDS)
@outcome_option
@whole("--splits", 100, about="Random splits, or with --folds repeats.")
@click.option(
    "--test-share",
    type=SHARE,
    default="1/3",
    show_default=True,
    help="Share of the cases that judges, in random splits.",
)
@click.option(
    "--folds",
    type=click.IntRange(min=2),
    help="Parts of a cross-validation, instead of random splits.",
)
@click.option(
    "--by-group",
    metavar="COLUMN",
    help="Judge the groups of this column apart, too: decided, missed, right, calibration.",
)
@click.option(
    "--recalibrated",
    type=click.Path(),
    metavar="FILE",
    help="With a MODEL: write it with the risks of these cases to this file.",
)
@click.option(
    "--validated",
    type=click.Path(),
    metavar="FILE",
    help="With a MODEL: write it with this test of its limits to this file; cards and handouts"
    " then say what it has shown.",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    help="Processes that work side by side.  [default: all cores]",
)
@policy_options
def evaluate(
    files: tuple[str, ...],
    output: str | None,
    kind: str,
    force: bool,
    policy: GivenPolicy,
    **options: Any,
) -> None:
    """Judge a list, or how one is learned, on cases that did not choose it.

    With a TABLE a list is learned again and again from a part of the cases and judged on the rest,
    beside logistic regression, a decision tree and gradient boosting on the same splits. The
    options of “fit” say how it is learned. With a MODEL and a TABLE the finished list is judged on
    new cases as it is, with its points shown as on the card.

    \b
    Examples:
      scorecard evaluate patients.csv --outcome disease
      scorecard evaluate model.json other-hospital.csv --outcome disease -o report.pdf
    """
    from scorecard.cli.evaluating import Report, evaluate_files

    if not files:
        raise click.UsageError("no file came; expected TABLE, or MODEL and TABLE.")
    target, kind = named(output, "report", kind, KINDS)
    lists = [name for name in (options["recalibrated"], options["validated"]) if name]
    if len({target, *lists}) <= len(lists):
        raise click.UsageError(
            f"{lists[-1]!r} cannot be both: the report, --recalibrated and --validated are files of"
            " their own."
        )
    claim([target, *lists], sources=files, force=force)
    voice.say(evaluate_files(files, Report(target, kind), policy, options))
    wrote(target)


# How a list is learned is said in one place.
evaluate.params += [
    one for one in fit.params if one.name not in NOT_HERE and one.name not in POLICY_NAMES
]

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from scorecard.cli import messages
from scorecard.cli.fit import (
    as_published,
    cases_of,
    check_table,
    fit,
    kept_columns,
    labels_of,
    settings_of,
    start_of,
    whole,
    with_positive,
    without_doubted,
)
from scorecard.cli.options import (
    POLICY_NAMES,
    SHARE,
    GivenPolicy,
    GroupedCommand,
    outcome_option,
    policy_options,
)
from scorecard.cli.output import claim, format_option, named, output_option, wrote

if TYPE_CHECKING:
    from scorecard.evaluation.external import External
    from scorecard.evaluation.result import Evaluation

KINDS = ("html", "pdf", "json")
Report = tuple[str, str]
"""The file to write and its kind."""
# Options of “fit” that have no place or another meaning here; every command gets its own voice.
NOT_HERE = {
    "from_table",
    "sql",
    "key",
    "held_out",
    "tables",
    "output",
    "force",
    "outcome",
    "no_evidence",
    "folds",
    "validate",
    "alternatives",
    "quiet",
    "verbose",
}
NOT_LEARNING = {"splits", "test_share", "folds", "jobs", "recalibrated", "validated", "by_group"}
ONLY_OF_A_MODEL = {"recalibrated", "validated"}
ABOUT_READING = {"outcome", "positive", "encoding", "decimal", "sheet"}
OF_A_MODEL = {*ONLY_OF_A_MODEL, *ABOUT_READING, "seed", "jobs", "by_group", "group"}


MISS_COST = 10.0  # of the paper, for who has no opinion about costs


OFTEN = {"outcome", "positive", "drop", "keep", "group", "splits", "by_group", "validated"}
OFTEN |= {"recalibrated", "rule_out", "rule_in", "output"}


@click.command(cls=GroupedCommand, often=OFTEN)
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
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Divides the cases.",
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
    messages.say(_judged(files, (target, kind), policy, options))
    wrote(target)


# How a list is learned is said in one place.
evaluate.params += [
    one for one in fit.params if one.name not in NOT_HERE and one.name not in POLICY_NAMES
]


def _judged(
    files: Sequence[str], report: Report, policy: GivenPolicy, options: Mapping[str, Any]
) -> str:
    """Write the report of a table, or of a model on a table; what it found in a few lines."""
    if len(files) > 1 and _is_model(files[0]):
        _refuse_without_use(options, OF_A_MODEL, "is about learning; a MODEL is judged as it is.")
        return _external(files[0], files[1:], report, policy, options)
    of_a_table = options.keys() - ONLY_OF_A_MODEL
    _refuse_without_use(options, of_a_table, "needs a MODEL before the TABLE.")
    return _resampled(files, report, policy, options)


def _is_model(file: str) -> bool:
    """Whether a file is a list rather than the first of several tables."""
    from scorecard.tables.read_table import is_table

    return not is_table(file)


def _resampled(
    tables: Sequence[str],
    report: Report,
    policy: GivenPolicy,
    options: Mapping[str, Any],
) -> str:
    from scorecard.evaluation.external import group_labels
    from scorecard.evaluation.resampling import Task
    from scorecard.evaluation.result import evaluate_table
    from scorecard.evaluation.splits import Splitting

    outcome = options["outcome"]
    check_table(tables, options)
    options, policy = as_published(options, policy)
    labels, start = labels_of(tables, options), start_of(tables, options)
    cases = cases_of(tables, with_positive(options, labels), labels)
    cases, _ = without_doubted(cases, kept_columns(tables, options, start))
    by_group, reading = options["by_group"] or "", ("encoding", "decimal", "sheet")
    groups = (
        group_labels(tables, by_group, outcome, **{name: options[name] for name in reading})
        if by_group
        else ()
    )
    miss_cost = policy.changes.get("miss_cost") or MISS_COST
    learning = {name: options[name] for name in options.keys() - NOT_LEARNING}
    changes = {**start.limits, **policy.changes}
    task = Task(settings_of(learning, start), changes=changes, miss_cost=miss_cost)
    splitting = Splitting(
        options["splits"], options["test_share"], options["folds"], options["seed"]
    )
    with messages.progress_bar("Judging") as progress:
        evaluation = evaluate_table(
            cases, outcome, task, splitting, options["jobs"], progress, labels, by_group, groups
        )
    return _written(evaluation, report)


def _external(
    model: str,
    tables: Sequence[str],
    report: Report,
    policy: GivenPolicy,
    options: Mapping[str, Any],
) -> str:
    from scorecard.documents.json_document import read_list, write_list
    from scorecard.evaluation.external import evaluate_list, read_new_cases, recalibrated

    scoring_list = read_list(model)
    learned_with = dict(scoring_list.provenance)
    outcome = options["outcome"] or learned_with.get("option outcome")
    if not outcome:
        raise click.UsageError("--outcome COLUMN is needed: the list does not name the column.")
    positive = options["positive"] or learned_with.get("option positive")
    reading = options["encoding"], options["decimal"], options["sheet"]
    cases = read_new_cases(
        tables,
        scoring_list,
        outcome,
        positive,
        *reading,
        by_group=options["by_group"],
        group=options["group"],
    )
    _warn_of_another_outcome(outcome, learned_with.get("option outcome"))
    in_force = policy.of(scoring_list)
    miss_cost = in_force.miss_cost or MISS_COST
    external = evaluate_list(scoring_list, cases, in_force, miss_cost, options["seed"])
    lines = [_written(external, report)]
    if options["recalibrated"]:
        write_list(recalibrated(scoring_list, cases), options["recalibrated"])
        lines.append(f"Wrote {options['recalibrated']} with the risks of these cases.")
    if options["validated"]:
        write_list(external.validated_list(), options["validated"])
        lines.append(f"Wrote {options['validated']} with this test of its limits.")
    return "\n".join(lines)


def _warn_of_another_outcome(outcome: str, learned: str | None) -> None:
    if learned and outcome != learned:
        messages.warn(
            f"Warning: the list was learned to predict {learned!r} and is judged by {outcome!r};"
            " its figures mean something only if both columns tell the same."
        )


def _refuse_without_use(options: Mapping[str, Any], usable: Set[str], reason: str) -> None:
    """Refuse options that were given and would change nothing."""
    context = click.get_current_context()
    for option in context.command.params:
        name = option.name or ""
        if name not in options or name in usable:
            continue
        if context.get_parameter_source(name) is not ParameterSource.DEFAULT:
            names = option.opts if options[name] is not False else option.secondary_opts
            raise click.UsageError(f"{names[0]} {reason}")


def _written(found: External | Evaluation, report: Report) -> str:
    """Write the report; what it found in a few lines."""
    from scorecard.api import make_report, report_of
    from scorecard.files import write_bytes

    target, kind = report
    write_bytes(target, make_report(found, kind))
    view = report_of(found)
    return "\n".join([view.subtitle, *view.findings, *(f"Note: {one}" for one in view.warnings)])

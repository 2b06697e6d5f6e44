from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from scorecard.cli import messages
from scorecard.cli.options import (
    GivenPolicy,
    GroupedCommand,
    all_of,
    as_published_option,
    column_names,
    drop_option,
    group_option,
    keep_option,
    labels_option,
    limit_options,
    max_questions_option,
    outcome_option,
    positive_option,
    recipe_of,
    settings_option,
)
from scorecard.cli.output import claim, named, output_option, wrote

if TYPE_CHECKING:
    from scorecard.evaluation.external import External
    from scorecard.evaluation.result import Evaluation

KINDS = ("html", "pdf", "json")
Report = tuple[str, str]
"""The file to write and its kind."""
OF_A_TABLE = ("drop", "keep", "max_questions", "as_published", "labels", "splits")
OF_A_MODEL = ("recalibrated", "validated")
FOR_A_MODEL = ("encoding", "decimal", "sheet", "seed", "by", "confidence", "min_cases", "miss_cost")
OFTEN = {"outcome", "positive", "drop", "keep", "group", "splits", "by_group", "validated"}
OFTEN |= {"recalibrated", "rule_out", "rule_in", "output"}


@click.command(cls=GroupedCommand, often=OFTEN)
@click.argument("files", metavar="[MODEL] TABLE...", nargs=-1, type=click.Path())
@output_option("The report: .html, .pdf or .json", "report.html")
@all_of([outcome_option, positive_option, drop_option, keep_option, group_option])
@click.option(
    "--splits",
    type=click.IntRange(min=1),
    help="Random splits; with --set folds=5, repeats of a cross-validation.  [default: 100]",
)
@click.option(
    "--by-group",
    metavar="COLUMN",
    shell_complete=column_names,
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
@all_of([max_questions_option, as_published_option, labels_option, settings_option])
@limit_options
def evaluate(
    files: tuple[str, ...], output: str | None, force: bool, policy: GivenPolicy, **options: Any
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
    target, kind = named(output, "report", KINDS)
    lists = [name for name in (options["recalibrated"], options["validated"]) if name]
    if len({target, *lists}) <= len(lists):
        raise click.UsageError(
            f"{lists[-1]!r} cannot be both: the report, --recalibrated and --validated are files of"
            " their own."
        )
    claim([target, *lists], sources=files, force=force)
    if len(files) > 1 and _is_model(files[0]):
        of_learning = [f"set {one}" for one in options["settings"] if one not in FOR_A_MODEL]
        told = {**options, **dict.fromkeys(of_learning, True)}
        names = (*OF_A_TABLE, *of_learning)
        _refuse_without_use(told, names, "is about learning; a MODEL is judged as it is.")
        messages.say(_external(files[0], files[1:], (target, kind), policy, options))
    else:
        _refuse_without_use(options, OF_A_MODEL, "needs a MODEL before the TABLE.")
        messages.say(_resampled(files, (target, kind), policy, options))
    wrote(target)


def _is_model(file: str) -> bool:
    """Whether a file is a list rather than the first of several tables."""
    from scorecard.tables.read_table import is_table

    return not is_table(file)


def _refuse_without_use(options: Mapping[str, Any], names: Sequence[str], reason: str) -> None:
    """Refuse options that were given and would change nothing."""
    for name in names:
        if options[name]:
            option = name if name.startswith("set ") else name.replace("_", "-")
            raise click.UsageError(f"--{option} {reason}")


def _resampled(
    tables: Sequence[str], report: Report, policy: GivenPolicy, options: Mapping[str, Any]
) -> str:
    from scorecard.project.learn import judged
    from scorecard.project.recipe import opened

    learning = {name: value for name, value in options.items() if name not in OF_A_MODEL}
    recipe, judging = recipe_of(tables, policy, learning)
    with messages.progress_bar("Judging") as progress:
        found = judged(
            opened(recipe.only_learning),
            judging,
            progress=progress,
            doubt=lambda doubt: messages.warn(f"Warning: {doubt.message}"),
        )
    return _written(found, report)


def _external(
    model: str,
    tables: Sequence[str],
    report: Report,
    policy: GivenPolicy,
    options: Mapping[str, Any],
) -> str:
    from scorecard.documents.json_document import read_list, write_list
    from scorecard.evaluation.external import evaluate_list, read_new_cases, recalibrated
    from scorecard.project.learn import MISS_COST

    scoring_list = read_list(model)
    learned_with = dict(scoring_list.provenance)
    outcome = options["outcome"] or learned_with.get("option outcome")
    if not outcome:
        raise click.UsageError("--outcome COLUMN is needed: the list does not name the column.")
    positive = options["positive"] or learned_with.get("option positive")
    told = {name: options[name] for name in ("group", "by_group", "settings")}
    recipe, judging = recipe_of(tables, policy, {**told, "splits": None})
    cases = read_new_cases(
        tables,
        scoring_list,
        outcome,
        positive,
        **recipe.reading,
        by_group=judging.by_group or None,
        group=recipe.group,
    )
    _warn_of_another_outcome(outcome, learned_with.get("option outcome"))
    in_force = GivenPolicy(recipe.limits.told).of(scoring_list)
    miss_cost = in_force.miss_cost or MISS_COST
    external = evaluate_list(scoring_list, cases, in_force, miss_cost, judging.seed)
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


def _written(found: External | Evaluation, report: Report) -> str:
    """Write the report; what it found in a few lines."""
    from scorecard.api import make_report
    from scorecard.files import write_bytes

    target, kind = report
    write_bytes(target, make_report(found, kind))
    return str(found)

"""What `scorecard evaluate` does: read, judge with a progress bar, and write the report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

import click
from click.core import ParameterSource

from scorecard.cli import voice
from scorecard.cli.fit import check_table
from scorecard.cli.fitting import cases_of, labels_of, settings_of, warned
from scorecard.cli.options import GivenPolicy
from scorecard.evaluation.view import ReportView

NOT_LEARNING = {"splits", "test_share", "folds", "jobs", "recalibrated", "validated", "by_group"}
ONLY_OF_A_MODEL = {"recalibrated", "validated"}
ABOUT_READING = {"outcome", "positive", "encoding", "decimal", "sheet"}
OF_A_MODEL = {*ONLY_OF_A_MODEL, *ABOUT_READING, "seed", "jobs", "by_group"}


MISS_COST = 10.0  # of the paper, for who has no opinion about costs


@dataclass(frozen=True)
class Report:
    """The file to write and its kind."""

    name: str
    kind: str


def evaluate_files(
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
    from scorecard.evaluation.report import report_view
    from scorecard.evaluation.resampling import Task
    from scorecard.evaluation.result import evaluate_table
    from scorecard.evaluation.splits import Splitting
    from scorecard.evaluation.write import evaluation_json

    outcome = options["outcome"]
    check_table(tables, options)
    labels = labels_of(tables, options)
    cases = cases_of(tables, options, labels)
    warned(cases)
    by_group, reading = options["by_group"] or "", ("encoding", "decimal", "sheet")
    groups = (
        group_labels(tables, by_group, outcome, **{name: options[name] for name in reading})
        if by_group
        else ()
    )
    miss_cost = policy.changes.get("miss_cost") or MISS_COST
    task = Task(_settings(options), changes=policy.changes, miss_cost=miss_cost)
    splitting = Splitting(
        options["splits"], options["test_share"], options["folds"], options["seed"]
    )
    with voice.progress_bar("Judging") as progress:
        evaluation = evaluate_table(
            cases, outcome, task, splitting, options["jobs"], progress, labels, by_group, groups
        )
    view = report_view(evaluation)
    _write(report, view, lambda: evaluation_json(evaluation))
    return _lines(view)


def _external(
    model: str,
    tables: Sequence[str],
    report: Report,
    policy: GivenPolicy,
    options: Mapping[str, Any],
) -> str:
    from scorecard.documents.json_document import read_list, write_list
    from scorecard.evaluation.external import evaluate_list, read_new_cases, recalibrated
    from scorecard.evaluation.external_report import external_view
    from scorecard.evaluation.write import external_json

    scoring_list = read_list(model)
    learned_with = dict(scoring_list.provenance)
    outcome = options["outcome"] or learned_with.get("option outcome")
    if not outcome:
        raise click.UsageError("--outcome COLUMN is needed: the list does not name the column.")
    positive = options["positive"] or learned_with.get("option positive")
    reading = options["encoding"], options["decimal"], options["sheet"]
    cases = read_new_cases(
        tables, scoring_list, outcome, positive, *reading, by_group=options["by_group"]
    )
    _warn_of_another_outcome(outcome, learned_with.get("option outcome"))
    in_force = policy.of(scoring_list)
    miss_cost = in_force.miss_cost or MISS_COST
    external = evaluate_list(scoring_list, cases, in_force, miss_cost, options["seed"])
    view = external_view(external)
    _write(report, view, lambda: external_json(external))
    lines = [_lines(view)]
    if options["recalibrated"]:
        write_list(recalibrated(scoring_list, cases), options["recalibrated"])
        lines.append(f"Wrote {options['recalibrated']} with the risks of these cases.")
    if options["validated"]:
        write_list(external.validated_list(), options["validated"])
        lines.append(f"Wrote {options['validated']} with this test of its limits.")
    return "\n".join(lines)


def _warn_of_another_outcome(outcome: str, learned: str | None) -> None:
    if learned and outcome != learned:
        voice.warn(
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


def _settings(options: Mapping[str, Any]) -> dict[str, Any]:
    """The classifier's parameters; every split runs in a process of its own, one thread each."""
    learning = {name: options[name] for name in options.keys() - NOT_LEARNING}
    return settings_of(learning)


def _write(report: Report, view: ReportView, as_json: Any) -> None:
    from scorecard.evaluation.write import report_html, report_pdf
    from scorecard.files import write_bytes, write_text

    if report.kind == "json":
        write_text(report.name, as_json())
    elif report.kind == "pdf":
        write_bytes(report.name, report_pdf(view))
    else:
        write_text(report.name, report_html(view))


def _lines(view: ReportView) -> str:
    return "\n".join([view.subtitle, *view.findings, *(f"Note: {one}" for one in view.warnings)])

"""What `scorecard evaluate` does: read, judge with a progress bar, and write the report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import click

from scorecard.cli import voice
from scorecard.cli.fit import check_table
from scorecard.cli.fitting import MOST_AUTOMATIC, cases_of, settings_of
from scorecard.evaluation.view import ReportView
from scorecard.policy import StoppingPolicy

SPLITTING = ("splits", "test_share", "folds", "recalibrated")


@dataclass(frozen=True)
class Report:
    """The file to write and its kind."""

    name: str
    kind: str


def evaluate_files(
    files: Sequence[str], report: Report, policy: StoppingPolicy, options: Mapping[str, Any]
) -> str:
    """Write the report of a table, or of a model on a table; what it found in a few lines."""
    # The default of a policy is no opinion about costs; the paper's M is then used.
    miss_cost = policy.miss_cost or 10.0
    if len(files) == 2:
        return _external(files[0], files[1], report, policy, miss_cost, options)
    if options["recalibrated"]:
        raise click.UsageError("--recalibrated needs a MODEL before the TABLE.")
    return _resampled(files[0], report, policy, miss_cost, options)


def _resampled(
    table: str,
    report: Report,
    policy: StoppingPolicy,
    miss_cost: float,
    options: Mapping[str, Any],
) -> str:
    from scorecard.evaluation.evaluation import evaluate_table
    from scorecard.evaluation.record import evaluation_json
    from scorecard.evaluation.report import report_view
    from scorecard.evaluation.resampling import Task
    from scorecard.evaluation.splits import Splitting

    outcome = options["outcome"]
    check_table(table, outcome, options["encoding"])
    cases = cases_of(table, options)
    task = Task(_settings(options), policy, miss_cost)
    splitting = Splitting(
        options["splits"], options["test_share"], options["folds"], options["seed"]
    )
    with voice.progress_bar("Judging") as progress:
        evaluation = evaluate_table(cases, outcome, task, splitting, options["jobs"], progress)
    view = report_view(evaluation)
    _write(report, view, lambda: evaluation_json(evaluation))
    return _lines(view)


def _external(
    model: str,
    table: str,
    report: Report,
    policy: StoppingPolicy,
    miss_cost: float,
    options: Mapping[str, Any],
) -> str:
    from scorecard.evaluation.external import evaluate_list, read_new_cases, recalibrated
    from scorecard.evaluation.external_report import external_view
    from scorecard.evaluation.record import external_json
    from scorecard.exporting.json_document import read_list, write_list

    scoring_list = read_list(model)
    learned_with = dict(scoring_list.provenance)
    outcome = options["outcome"] or learned_with.get("option outcome")
    if not outcome:
        raise click.UsageError("--outcome COLUMN is needed: the list does not name the column.")
    positive = options["positive"] or learned_with.get("option positive")
    reading = options["encoding"], options["decimal"]
    cases = read_new_cases(table, scoring_list, outcome, positive, *reading)
    external = evaluate_list(scoring_list, cases, policy, miss_cost, options["seed"])
    view = external_view(external)
    _write(report, view, lambda: external_json(external))
    if options["recalibrated"]:
        write_list(recalibrated(scoring_list, cases), options["recalibrated"])
        return f"{_lines(view)}\nWrote {options['recalibrated']} with the risks of these cases."
    return _lines(view)


def _settings(options: Mapping[str, Any]) -> dict[str, Any]:
    """The classifier's parameters; every split runs in a process of its own, one thread each."""
    learning = {name: options[name] for name in options.keys() - {*SPLITTING, "jobs"}}
    settings = settings_of(learning)
    if settings["max_questions"] == "auto":
        settings["max_questions"] = MOST_AUTOMATIC
    return settings


def _write(report: Report, view: ReportView, as_json: Any) -> None:
    from scorecard.cli.reporting import report_html, report_pdf
    from scorecard.files import write_bytes, write_text

    if report.kind == "json":
        write_text(report.name, as_json())
    elif report.kind == "pdf":
        write_bytes(report.name, report_pdf(view))
    else:
        write_text(report.name, report_html(view))


def _lines(view: ReportView) -> str:
    return "\n".join([view.subtitle, *view.findings, *(f"Note: {one}" for one in view.warnings)])

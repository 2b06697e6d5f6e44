"""What `scorecard evaluate` does: read, judge with a progress bar, and write the report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from scorecard.cli.fitting import (
    MOST_AUTOMATIC,
    READING,
    SMALLEST_TABLE,
    progress_bar,
    settings_of,
)
from scorecard.errors import LearningError
from scorecard.evaluation.view import ReportView
from scorecard.policy import StoppingPolicy

KINDS = (".html", ".pdf", ".json")
SPLITTING = ("splits", "test_share", "folds", "recalibrated")


def evaluate_files(
    files: Sequence[str], output: str, policy: StoppingPolicy, options: Mapping[str, Any]
) -> str:
    """Write the report of a table, or of a model on a table; what it found in a few lines."""
    kind = Path(output).suffix.lower()
    if kind not in KINDS:
        raise click.UsageError(f"{output!r}: the report ends in {', '.join(KINDS)}.")
    if len(files) not in (1, 2):
        raise click.UsageError(f"{len(files)} files came; expected TABLE, or MODEL and TABLE.")
    # The default of a policy is no opinion about costs; the paper's M is then used.
    miss_cost = policy.miss_cost or 10.0
    if len(files) == 2:
        return _external(files[0], files[1], output, policy, miss_cost, options)
    if options["recalibrated"]:
        raise click.UsageError("--recalibrated needs a MODEL before the TABLE.")
    return _resampled(files[0], output, policy, miss_cost, options)


def _resampled(
    table: str, output: str, policy: StoppingPolicy, miss_cost: float, options: Mapping[str, Any]
) -> str:
    from scorecard.evaluation.evaluation import evaluate_table
    from scorecard.evaluation.record import evaluation_json
    from scorecard.evaluation.report import report_view
    from scorecard.evaluation.resampling import Task
    from scorecard.evaluation.splits import Splitting
    from scorecard.table.cases import read_cases

    outcome = options["outcome"]
    if not outcome:
        raise click.UsageError("--outcome COLUMN is needed: the column to predict.")
    cases = read_cases(
        table, missing=options["missing"], **{name: options[name] for name in READING}
    )
    if cases.inputs.height < SMALLEST_TABLE:
        raise LearningError(
            f"{cases.file}: {cases.inputs.height} cases are too few to learn from; at least"
            f" {SMALLEST_TABLE} are needed."
        )
    task = Task(_settings(options), policy, miss_cost)
    splitting = Splitting(
        options["splits"], options["test_share"], options["folds"], options["seed"]
    )
    with progress_bar("Judging") as report:
        evaluation = evaluate_table(cases, outcome, task, splitting, options["jobs"], report)
    view = report_view(evaluation)
    _write(output, view, lambda: evaluation_json(evaluation))
    return _lines(view)


def _external(
    model: str,
    table: str,
    output: str,
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
    cases = read_new_cases(table, scoring_list, outcome, positive, options["encoding"])
    external = evaluate_list(scoring_list, cases, policy, miss_cost, options["seed"])
    view = external_view(external)
    _write(output, view, lambda: external_json(external))
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


def _write(output: str, view: ReportView, as_json: Any) -> None:
    from scorecard.cli.reporting import report_html, report_pdf
    from scorecard.files import write_bytes, write_text

    kind = Path(output).suffix.lower()
    if kind == ".json":
        write_text(output, as_json())
    elif kind == ".pdf":
        write_bytes(output, report_pdf(view))
    else:
        write_text(output, report_html(view))


def _lines(view: ReportView) -> str:
    return "\n".join([view.subtitle, *view.findings, *(f"Note: {one}" for one in view.warnings)])

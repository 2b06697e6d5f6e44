"""A report as a file: HTML in one file, PDF, or the same figures as JSON for other programs."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from markupsafe import Markup

from scorecard.core.performance import Ends, Rate
from scorecard.evaluation.external import External
from scorecard.evaluation.measures import KEYS, MISS_COSTS, THRESHOLDS, Bin
from scorecard.evaluation.pictures import with_unique_ids
from scorecard.evaluation.report import report_of
from scorecard.evaluation.resampling import LIST, METHODS
from scorecard.evaluation.result import Chosen, Curve, ErrorRates, Evaluation, stability
from scorecard.evaluation.view import JudgedReport, Report, versions
from scorecard.printing.jinja import embedded_font_faces, rendered

FORMAT = "scorecard-evaluation/1"

_WIDTH = re.compile(r'<svg[^>]* width="([0-9.]+)pt"')
_BEFORE_PERCENT = re.compile("(?<=[0-9]) (?=%)")
WIDEST_SINGLE = 360  # points; smaller pictures stay legible on a telephone


@dataclass(frozen=True)
class Drawn:
    """A picture in two parts: its words go between them."""

    start: Markup
    rest: Markup
    is_wide: bool


def report_html(report: Report, template_dir: Path | None = None) -> str:
    """One file that needs nothing else; templates of `template_dir` come first."""
    page = _page(report, template_dir)
    return page(embedded_font_faces(page("")) + _css())


def report_for_notebook(report: JudgedReport) -> str:
    """The verdict and the findings, without style: the notebook has its own."""
    return rendered("report/notebook.html.j2", None, report=report)


def report_pdf(report: Report) -> bytes:
    from scorecard.printing.html_to_pdf import pdf_from_html

    return pdf_from_html(_page(report)(""), _css())


def _page(report: Report, template_dir: Path | None = None) -> Callable[[str], str]:
    """The page with a style; its pictures are drawn once."""
    drawn = {name: _drawn(svg, place) for place, (name, svg) in enumerate(report.drawn(), 1)}
    values = {**report.facts, "report": report, "drawn": drawn}
    # A line may not end between a number and its "%".
    return lambda style: _BEFORE_PERCENT.sub(
        "\N{NO-BREAK SPACE}",
        rendered(report.template, template_dir, **values, style=Markup(style)),
    )


def _drawn(svg: str, place: int) -> Drawn:
    # The pictures come from the plotting library, which escapes every text in them.
    unique = with_unique_ids(svg, f"picture{place}")
    inside = unique.index(">", unique.index("<svg")) + 1
    width = _WIDTH.search(svg)
    is_wide = width is not None and float(width[1]) > WIDEST_SINGLE
    return Drawn(Markup(unique[:inside]), Markup(unique[inside:]), is_wide)


def _css() -> str:
    return rendered("report/report.css.j2", None)


def evaluation_json(evaluation: Evaluation) -> str:
    """The figures of a resampled evaluation; what is not defined is null."""
    cases, size = evaluation.cases, evaluation.size
    settings = evaluation.task.settings
    return _text(
        {
            "format": FORMAT,
            "kind": "resampled",
            "verdict": _verdict(report_of(evaluation)),
            "table": {"file": cases.file, "sha256": cases.sha256, "cases": cases.inputs.height},
            "outcome": {"column": evaluation.outcome, "positives": cases.positives},
            "splits": evaluation.splitting.words(),
            "failed": evaluation.failed,
            "settings": {name: _setting(settings[name]) for name in sorted(settings)},
            "limits": evaluation.policy.limits,
            "miss_cost": evaluation.task.miss_cost,
            "methods": {
                name: {
                    "name": METHODS[name],
                    "stages": {key: evaluation.curve(name, key) for key in KEYS},
                    "losses": evaluation.losses(name),
                    "benefits": evaluation.benefits(name),
                }
                for name in evaluation.methods
            },
            "loss_by_miss_cost": MISS_COSTS,
            "benefit_by_threshold": THRESHOLDS,
            "upper_bound_losses": evaluation.upper_losses(),
            "calibration": evaluation.calibration(LIST),
            "stopping": {by: evaluation.error_rates(by) for by in evaluation.task.rules},
            "size": {"questions": size.questions, "best": size.best, "reason": size.reason},
            "stability": stability(evaluation.results),
            "versions": dict(versions()),
        }
    )


def external_json(external: External) -> str:
    """The figures of a finished list on new cases; what is not defined is null."""
    line = external.line
    return _text(
        {
            "format": FORMAT,
            "kind": "external",
            "verdict": _verdict(report_of(external)),
            "table": {"file": external.file, "cases": external.cases},
            "outcome": {"column": external.new.outcome, "positives": external.positives},
            "limits": external.policy.limits,
            "miss_cost": external.miss_cost,
            "stages": external.stages,
            "calibration_by_total": external.by_total,
            "observed_to_expected": external.observed_to_expected,
            "calibration_intercept": line and line.intercept,
            "calibration_slope": line and line.slope,
            "benefit_by_threshold": THRESHOLDS,
            "net_benefit": external.benefits,
            "subgroups": {
                one.name: {
                    "observed_to_expected": one.observed_to_expected,
                    "calibration_slope": one.line and one.line.slope,
                    **(_ends(one.ends) if one.ends.cases else {}),
                }
                for one in external.subgroups
            },
            "stopping": external.ends,
            "refused": external.refused,
            "versions": dict(versions()),
        }
    )


def _verdict(report: JudgedReport) -> dict[str, Any]:
    advice = report.advice
    return {"use": advice.use, "reason": advice.reason, "figures": advice.figures}


def _error_rates(rates: ErrorRates) -> dict[str, Any]:
    found = {
        "splits_refused": rates.refused,
        "reason": rates.reason,
        "splits_kept_out": rates.kept_out,
        "splits_kept_in": rates.kept_in,
        "limits": {"rule_out": rates.out, "rule_in": rates.into},
    }
    return found | (_ends(rates.ends) if rates.ends else {})


def _ends(ends: Ends) -> dict[str, Any]:
    return {
        "shares": ends.shares(),
        "by_stage": [
            {"stage": stage, "decision": what, "cases": cases, "positives": positives}
            for (stage, what), (cases, positives) in sorted(ends.counts.items())
        ],
        "mean_questions": ends.mean_questions,
        "mean_cost": ends.mean_cost,
        "cost_per_decision": ends.cost_per_decision,
        "missed": _rate(ends.missed),
        "right_to_treat": _rate(ends.right_to_treat),
        "sensitivity": {
            "strict": _rate(ends.sensitivity(lenient=False)),
            "lenient": _rate(ends.sensitivity(lenient=True)),
        },
        "specificity": {
            "strict": _rate(ends.specificity(lenient=False)),
            "lenient": _rate(ends.specificity(lenient=True)),
        },
    }


def _rate(one: Rate | None) -> dict[str, Any]:
    if one is None:
        return {"value": None, "positives": 0, "cases": 0, "interval": None}
    return {
        "value": one.value, "positives": one.hits, "cases": one.cases, "interval": one.interval,
    }  # fmt: skip


def _setting(value: Any) -> Any:
    return value if isinstance(value, (bool, int, float, str, type(None))) else str(value)


def _plain(value: Any) -> Any:
    """As JSON has it: an interval is a list, NaN is null."""
    if isinstance(value, Curve):
        value = {
            "mean": value.means.tolist(),
            "half_width": value.halves.tolist(),
            "splits": value.defined.astype(int).tolist(),
        }
    elif isinstance(value, Chosen):
        names = "input", "share", "places", "points", "cutoffs"
        value = {name: getattr(value, name) for name in names}
    elif isinstance(value, Bin):
        value = {"predicted": value.predicted, "observed": _rate(value.observed)}
    elif isinstance(value, ErrorRates):
        value = _error_rates(value)
    elif isinstance(value, Ends):
        value = _ends(value)
    if isinstance(value, Mapping):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    if isinstance(value, float):
        return None if value != value else float(value)
    return value


def _text(content: dict[str, Any]) -> str:
    return json.dumps(_plain(content), indent=2, ensure_ascii=False, allow_nan=False) + "\n"

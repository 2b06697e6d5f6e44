"""A report as a file: HTML in one file, PDF, or the same figures as JSON for other programs."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from markupsafe import Markup

from scorecard.core.performance import Ends, Rate
from scorecard.evaluation.external import External
from scorecard.evaluation.measures import KEYS, MISS_COSTS, THRESHOLDS, Bin, Estimate
from scorecard.evaluation.pictures import with_unique_ids
from scorecard.evaluation.resampling import LIST, METHODS
from scorecard.evaluation.result import Curve, Evaluation, stability
from scorecard.evaluation.view import Report, versions
from scorecard.printing.fonts import embedded_font_faces
from scorecard.printing.jinja import rendered

FORMAT = "scorecard-evaluation/1"

_WIDTH = re.compile(r'<svg[^>]* width="([0-9.]+)pt"')
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


def report_pdf(report: Report) -> bytes:
    from scorecard.printing.html_to_pdf import pdf_from_html

    return pdf_from_html(_page(report)(""), _css())


def _page(report: Report, template_dir: Path | None = None) -> Callable[[str], str]:
    """The page with a style; its pictures are drawn once."""
    drawn = {name: _drawn(svg, place) for place, (name, svg) in enumerate(report.drawn(), 1)}
    values = {**report.facts, "report": report, "drawn": drawn}
    return lambda style: rendered(report.template, template_dir, **values, style=Markup(style))


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
    cases, policy = evaluation.cases, evaluation.policy
    return _text(
        {
            "format": FORMAT,
            "kind": "resampled",
            "table": {"file": cases.file, "sha256": cases.sha256, "cases": cases.inputs.height},
            "outcome": {"column": evaluation.outcome, "positives": cases.positives},
            "splits": evaluation.splitting.words(),
            "failed": list(evaluation.failed),
            "settings": {k: _plain(v) for k, v in sorted(evaluation.task.settings.items())},
            "limits": list(policy.limits),
            "miss_cost": evaluation.task.miss_cost,
            "methods": {name: _method(evaluation, name) for name in evaluation.methods},
            "loss_by_miss_cost": list(MISS_COSTS),
            "benefit_by_threshold": list(THRESHOLDS),
            "upper_bound_losses": _curve(evaluation.upper_losses()),
            "calibration": [_bin(one) for one in evaluation.calibration(LIST)],
            "stopping": {by: _error_rates(evaluation, by) for by in evaluation.task.rules},
            "size": {
                "questions": evaluation.size.questions,
                "best": evaluation.size.best,
                "reason": evaluation.size.reason,
            },
            "stability": [
                {
                    "input": one.input,
                    "share": one.share,
                    "places": {str(k): v for k, v in one.places.items()},
                    "points": {str(k): v for k, v in one.points.items()},
                    "cutoffs": None if one.cutoffs is None else list(one.cutoffs),
                }
                for one in stability(evaluation.results)
            ],
            "versions": dict(versions()),
        }
    )


def external_json(external: External) -> str:
    """The figures of a finished list on new cases; what is not defined is null."""
    return _text(
        {
            "format": FORMAT,
            "kind": "external",
            "table": {"file": external.file, "cases": external.cases},
            "outcome": {"column": external.outcome, "positives": external.positives},
            "limits": list(external.policy.limits),
            "miss_cost": external.miss_cost,
            "stages": {
                str(k): {key: _estimate(stage[key]) for key in KEYS}
                for k, stage in external.stages.items()
            },
            "calibration_by_total": {
                str(total): _bin(one) for total, one in external.by_total.items()
            },
            "observed_to_expected": _estimate(external.observed_to_expected),
            "calibration_intercept": _estimate(external.line.intercept if external.line else None),
            "calibration_slope": _estimate(external.line.slope if external.line else None),
            "benefit_by_threshold": list(THRESHOLDS),
            "net_benefit": [_estimate(one) for one in external.benefits],
            "subgroups": {
                one.name: {
                    "observed_to_expected": _estimate(one.observed_to_expected),
                    "calibration_slope": _estimate(one.line.slope if one.line else None),
                    **(_ends(one.ends) if one.ends.cases else {}),
                }
                for one in external.subgroups
            },
            "stopping": {by: _ends(ends) for by, ends in external.ends.items()},
            "refused": dict(external.refused),
            "versions": dict(versions()),
        }
    )


def _method(evaluation: Evaluation, name: str) -> dict[str, Any]:
    stages = {key: _curve(evaluation.curve(name, key)) for key in KEYS}
    return {
        "name": METHODS[name],
        "stages": stages,
        "losses": _curve(evaluation.losses(name)),
        "benefits": _curve(evaluation.benefits(name)),
    }


def _error_rates(evaluation: Evaluation, by: Any) -> dict[str, Any]:
    rates = evaluation.error_rates(by)
    found = {
        "splits_refused": rates.refused,
        "reason": rates.reason,
        "splits_kept_out": rates.kept_out,
        "splits_kept_in": rates.kept_in,
        "limits": {"rule_out": list(rates.out), "rule_in": list(rates.into)},
    }
    return found | (_ends(rates.ends) if rates.ends else {})


def _ends(ends: Ends) -> dict[str, Any]:
    return {
        "shares": dict(ends.shares()),
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
        "value": one.value, "positives": one.hits, "cases": one.cases,
        "interval": list(one.interval),
    }  # fmt: skip


def _bin(one: Bin) -> dict[str, Any]:
    return {"predicted": _number(one.predicted), "observed": _rate(one.observed)}


def _curve(curve: Curve) -> dict[str, Any]:
    return {
        "mean": [_number(value) for value in curve.means],
        "half_width": [_number(value) for value in curve.halves],
        "splits": [int(value) for value in curve.defined],
    }


def _estimate(one: Estimate | None) -> list[float | None] | None:
    """The figure and the ends of its 95 % interval."""
    return None if one is None else [_number(value) for value in one]


def _number(value: float | None) -> float | None:
    return None if value is None or value != value else float(value)


def _plain(value: Any) -> Any:
    return value if isinstance(value, (bool, int, float, str, type(None))) else str(value)


def _text(content: dict[str, Any]) -> str:
    return json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n"

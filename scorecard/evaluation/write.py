"""A report as a file: HTML in one file, PDF, or the same figures as JSON for other programs."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from markupsafe import Markup, escape

from scorecard.core.performance import Ends, Rate
from scorecard.evaluation.external import External
from scorecard.evaluation.measures import KEYS, MISS_COSTS, THRESHOLDS, Bin, Estimate
from scorecard.evaluation.pictures import with_unique_ids
from scorecard.evaluation.resampling import LIST, METHODS
from scorecard.evaluation.result import Curve, Evaluation, stability
from scorecard.evaluation.view import Picture, ReportView, versions
from scorecard.printing.fonts import embedded_font_faces
from scorecard.printing.jinja import environment

FORMAT = "scorecard-evaluation/1"


def report_html(view: ReportView) -> str:
    """One file that needs nothing else."""
    return _html(view, embedded_font_faces(_html(view, "")) + _css())


def report_pdf(view: ReportView) -> bytes:
    from scorecard.printing.html_to_pdf import pdf_from_html

    return pdf_from_html(_html(view, ""), _css())


def _html(view: ReportView, style: str) -> str:
    # The pictures come from the plotting library, which escapes every text in them.
    pictures = tuple(
        replace(one, svg=_titled(with_unique_ids(one.svg, f"picture{number}"), one))
        for number, one in enumerate(view.pictures, 1)
    )
    template = environment().get_template("report/report.html.j2")
    return template.render(report=replace(view, pictures=pictures), style=Markup(style))


def _titled(svg: str, one: Picture) -> Markup:
    """The picture with its words inside: on paper nobody reads the attributes around it."""
    start = svg.index(">", svg.index("<svg")) + 1
    words = escape(f"{one.heading}. {one.alternative}")
    return Markup(f"{svg[:start]}<title>{words}</title>{svg[start:]}")


def _css() -> str:
    return environment().get_template("report/report.css.j2").render()


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

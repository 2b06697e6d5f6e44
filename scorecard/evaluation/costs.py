"""What deciding cost, in words and as a curve; nothing where a list names no costs."""

from __future__ import annotations

from collections.abc import Iterator

from scorecard.core.performance import Ends
from scorecard.evaluation.pictures import cost_curve_plot
from scorecard.evaluation.view import Picture, number, percent


def cost_words(ends: Ends, unit: str) -> Iterator[str]:
    """The mean cost of a case, and of a decision."""
    if ends.mean_cost is None:
        return
    text = f"A case costs {_cost(ends.mean_cost, unit)} on average"
    per = ends.cost_per_decision
    yield f"{text}, each decision {_cost(per, unit)}." if per is not None else f"{text}."


def cost_picture(ends: Ends, unit: str, who: str) -> Iterator[Picture]:
    """The share decided against the cost."""
    if ends.mean_cost is None or len(ends.cost_curve) < 2:
        return
    told = (
        f"{place} questions {_cost(cost, unit)}, {percent(share)}"
        for place, (cost, share) in enumerate(ends.cost_curve)
    )
    yield Picture(
        "What does a decision cost?",
        cost_curve_plot(ends, unit),
        f"{who}: the share that is decided over what their answers cost so far, a point for each"
        " number of questions. What is asked again, or belongs to a panel that was paid for, costs"
        " nothing more; nor does an answer that could not be had.",
        f"Mean cost and share decided after {'; '.join(told)}.",
    )


def _cost(cost: float, unit: str) -> str:
    return f"{number(cost, 2)} {unit}".strip()

"""The pictures of a finished list on new cases."""

from __future__ import annotations

import numpy as np

from scorecard.evaluation.external import External
from scorecard.evaluation.measures import MEASURES, MISS_COSTS, SHOWN, THRESHOLDS
from scorecard.evaluation.plots import (
    IN,
    INK,
    OUT,
    QUIET,
    as_svg,
    legend_below,
    percent_axis,
    picture,
)


def total_plot(external: External) -> str:
    """Predicted and observed risk at every total after the last question."""
    with picture(1, height=3.2, width=4.8) as (figure, axes):
        totals = list(external.by_total)
        predicted = [one.predicted for one in external.by_total.values()]
        axes[0].plot(totals, predicted, color=QUIET, lw=1.2, label="predicted")
        for total, one in external.by_total.items():
            if one.observed.interval is not None:
                axes[0].plot((total, total), one.observed.interval, color=OUT, lw=1.5)
                axes[0].plot(total, one.observed.value, "o", color=OUT, ms=5)
        axes[0].plot([], [], "-o", color=OUT, label="observed")
        axes[0].set(xlabel="total", ylim=(0, 1))
        axes[0].xaxis.get_major_locator().set_params(integer=True)
        axes[0].yaxis.set_major_formatter(percent_axis())
        legend_below(figure, axes[0])
        return as_svg(figure)


def estimate_curves(external: External) -> str:
    """Measures by number of questions with their intervals."""
    names = {one.key: one.name for one in MEASURES}
    stages = np.array(list(external.stages))
    with picture(len(SHOWN), height=2.8) as (figure, axes):
        for one, key in zip(axes, SHOWN, strict=True):
            values = np.array([stage[key] for stage in external.stages.values()])
            one.vlines(stages, values[:, 1], values[:, 2], color=OUT, lw=1.5)
            one.plot(stages, values[:, 0], "-o", color=OUT, ms=4, lw=1)
            one.set(title=names[key], xlabel="questions asked")
            one.xaxis.get_major_locator().set_params(integer=True)
        return as_svg(figure)


def cost_plots(external: External) -> str:
    """Expected loss over what a miss costs, and the decision curve."""
    rate = external.positives / external.cases
    odds = np.array(THRESHOLDS) / (1 - np.array(THRESHOLDS))
    with picture(2, height=3.0) as (figure, (left, right)):
        left.plot(MISS_COSTS, external.losses, color=OUT, lw=1.4, label="scoring list")
        left.set(title="Expected loss", xlabel="a miss costs so many false alarms", xscale="log")
        left.set_xticks((1, 2, 5, 10, 20, 50, 100), ("1", "2", "5", "10", "20", "50", "100"))
        left.minorticks_off()
        right.plot(THRESHOLDS, external.benefits, color=OUT, lw=1.4)
        right.plot(THRESHOLDS, rate - (1 - rate) * odds, color=IN, lw=0.8, label="treat all")
        right.axhline(0, color=INK, lw=0.8, label="treat nobody")
        right.set(title="Decision curve: net benefit", xlabel="treat from this risk on")
        right.set_ylim(-0.05, max(rate * 1.05, 0.05))
        right.xaxis.set_major_formatter(percent_axis())
        legend_below(figure, left, right)
        return as_svg(figure)

"""The pictures of a finished list on new cases."""

from __future__ import annotations

import numpy as np

from scorecard.evaluation.external import External
from scorecard.evaluation.measures import MEASURES, MISS_COSTS, SHOWN, THRESHOLDS
from scorecard.evaluation.pictures import (
    IN,
    OUT,
    QUIET,
    as_svg,
    legend_below,
    percent_axis,
    picture,
    set_cost_axes,
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
    with picture(2, height=3.0) as (figure, (left, right)):
        left.plot(MISS_COSTS, external.losses, color=OUT, lw=1.4, label="scoring list")
        right.plot(THRESHOLDS, external.benefits, color=OUT, lw=1.4)
        set_cost_axes(left, right, external.positives / external.cases, treat_all=IN)
        legend_below(figure, left, right)
        return as_svg(figure)

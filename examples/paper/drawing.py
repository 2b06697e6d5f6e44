"""The figures of the paper, drawn again."""

from dataclasses import dataclass

import numpy as np

from examples.paper.stagewise import MEASURES, summary
from scorecard.evaluation.pictures import (
    IN,
    INK,
    OUT,
    QUIET,
    as_svg,
    legend_below,
    percent_axis,
    picture,
)


@dataclass(frozen=True)
class Picture:
    """A heading, the picture as SVG, how to read it, and what who cannot see it is told."""

    heading: str
    svg: str
    text: str
    alternative: str


LOOKS = ((OUT, "-", "o"), (IN, "--", "s"), ("#4d7c3a", "-.", "D"), (QUIET, ":", "^"))


def search_space(space, title):
    """All systems as bands, with the greedy and the best list."""
    with picture(1, height=3.6) as (figure, axes):
        stages = np.arange(len(space.greedy))
        low, lower, middle, upper, high = space.quantiles.T
        axes[0].fill_between(stages, low, high, color=OUT, alpha=0.12, lw=0, label="all systems")
        axes[0].fill_between(
            stages, lower, upper, color=OUT, alpha=0.15, lw=0, label="90 % of them"
        )
        axes[0].plot(stages, middle, color=OUT, alpha=0.5, lw=0.8, label="median")
        axes[0].plot(stages, low, color=INK, lw=0.8, ls=":", label="best system of each stage")
        axes[0].plot(stages, space.optimal, "-D", color="#4d7c3a", ms=6, label="best list")
        axes[0].plot(stages, space.greedy, "-o", color=OUT, ms=3.5, label="greedy list")
        axes[0].set(ylabel="expected entropy (bits)", title=title)
        names = ["", *(name.replace("_", " ") for name in space.questions)]
        axes[0].set_xticks(stages, names, rotation=30, ha="right", fontsize=8)
        legend_below(figure, axes[0])
        return as_svg(figure)


def curves(panels, measure, label):
    """A measure by stage: one panel per table, one line per configuration."""
    with picture(len(panels), height=3.1) as (figure, axes):
        for one, (title, results) in zip(axes, panels.items(), strict=True):
            for (name, values), look in zip(results.items(), LOOKS, strict=False):
                _line(one, name, values, look, measure)
            one.set(title=title, xlabel="stage")
            one.xaxis.get_major_locator().set_params(integer=True)
        axes[0].set_ylabel(label)
        legend_below(figure, *axes)
        return as_svg(figure)


def stage_risks(stages, miss_cost, title=""):
    """Risks with their ranges per total for some stages, and the boundary of a cost ratio."""
    with picture(len(stages), height=2.7, share=True) as (figure, axes):
        for one, (number, stage) in zip(axes, stages, strict=True):
            totals, risks = np.array(stage.totals), stage.risks
            p = np.array([risk.probability for risk in risks])
            if all(risk.lower is not None for risk in risks):
                spans = np.array([(risk.lower, risk.upper) for risk in risks], np.float64)
                one.vlines(totals, spans[:, 0], spans[:, 1], color=OUT, lw=1.5)
            one.plot(totals, p, "o", color=OUT, ms=4)
            one.axhline(1 / (miss_cost + 1), color=IN, lw=1, ls="--")
            one.set(title=f"stage {number}", xlabel="total", ylim=(-0.02, 1.02))
            one.xaxis.get_major_locator().set_params(integer=True)
        axes[0].yaxis.set_major_formatter(percent_axis())
        if title:
            figure.suptitle(title, fontsize=11, fontweight="bold")
        return as_svg(figure)


def _line(axis, name, values, look, measure):
    means, halves = summary(values)
    place = MEASURES.index(measure) if means.shape[1] == len(MEASURES) else 0
    if measure == "loss_upper" and means.shape[1] == 2:
        place = 1
    colour, line, marker = look
    stages = np.arange(len(means))
    mean, half = means[:, place], halves[:, place]
    axis.plot(stages, mean, ls=line, color=colour, marker=marker, ms=3.5, lw=1.3, label=name)
    axis.fill_between(stages, mean - half, mean + half, color=colour, alpha=0.13, lw=0)

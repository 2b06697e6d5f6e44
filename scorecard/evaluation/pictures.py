"""The pictures of a report: one function per picture, each gives an SVG with its text as text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import StringIO
from textwrap import fill
from types import MappingProxyType
from typing import Any

import numpy as np

from scorecard.core.performance import Ends, Rate
from scorecard.core.staircase import Box, Decision, Staircase
from scorecard.evaluation.external import External
from scorecard.evaluation.measures import (
    MEASURES,
    MISS_COSTS,
    SHOWN,
    THRESHOLDS,
    Bin,
    net_benefit,
)
from scorecard.evaluation.resampling import LIST, METHODS
from scorecard.evaluation.result import Chosen, Evaluation
from scorecard.evaluation.view import ended
from scorecard.learning.counts import Floats
from scorecard.words.wording import NEVER, SYMBOLS, Wording

INK, QUIET, OUT, IN, OPEN = "#111111", "#454d55", "#0b4f8a", "#c2571a", "#b8c0c8"

# Colour, line and marker: told apart in grey as well.
LOOKS: dict[str, tuple[str, Any, str]] = {
    LIST: (OUT, "-", "o"),
    "logistic": (IN, "--", "s"),
    "logistic-free": (IN, ":", "^"),
    "tree": ("#4d7c3a", "-.", "D"),
    "boosting": (QUIET, (0, (5, 1, 1, 1)), ""),
}

STYLE: dict[Any, Any] = {
    "font.family": "sans-serif",
    "font.sans-serif": ["Source Sans Pro", "DejaVu Sans"],
    "font.size": 10,
    "axes.edgecolor": QUIET,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "legend.frameon": False,
    "svg.fonttype": "none",
    "svg.hashsalt": "scorecard",
    "text.color": INK,
    "text.parse_math": False,  # a column may be named "$x$"
    "xtick.color": QUIET,
    "ytick.color": QUIET,
}

WIDTH = 7.2  # inches: the text width of an A4 page


def stage_curves(evaluation: Evaluation, keys: Sequence[tuple[str, str]]) -> str:
    """Measures by number of questions, with bands, against the baselines."""
    with picture(len(keys), height=3.1) as (figure, axes):
        for one, (key, name) in zip(axes, keys, strict=True):
            for method in evaluation.methods:
                curve = evaluation.curve(method, key)
                _line(one, method, np.arange(float(curve.means.size)), curve.means, curve.halves)
            one.set(title=name, xlabel="questions asked")
            one.xaxis.get_major_locator().set_params(integer=True)
        legend_below(figure, axes[0])
        return as_svg(figure)


def error_control_plot(evaluation: Evaluation) -> str:
    """Observed rates among those who stop, with intervals, against the limits, for each rule."""
    judged = evaluation.error_rates(evaluation.policy.by)
    low, high = judged.out[0], judged.into[0]
    rules = evaluation.task.rules
    ends = [evaluation.error_rates(by).ends for by in rules]
    with picture(2, height=0.42 * len(rules) + 1.2) as (figure, (left, right)):
        figure.get_layout_engine().set(wspace=0.08)
        missed = [one.missed if one else None for one in ends]
        reach = _rates(left, missed, low, OUT)
        names = ended(evaluation.policy)
        title = "With the outcome among those "
        left.set(title=f"{title}{names['rule out']}", xlim=(0, min(max(reach, 2 * low, 0.05), 1)))
        treated = [one.right_to_treat if one else None for one in ends]
        reach = _rates(right, treated, high, IN)
        least = max(1 - max(reach, 2 - 2 * high, 0.05), 0)
        right.set(title=f"… {names['rule in']}", xlim=(least, 1))
        left.set_yticks(range(len(rules)), rules)
        right.set_yticks(range(len(rules)), [""] * len(rules))
        return as_svg(figure)


def _rates(axis: Any, rates: Sequence[Rate | None], limit: float, colour: str) -> float:
    """Draw the rates of one side; tell how far from that side's end they and the limit reach.

    So far goes the axis and no further: between 0 and 100 % a limit of 5 % is lost.
    """
    is_limit = 0 < limit < 1
    if is_limit:
        axis.axvline(limit, color=INK, lw=1)
    ends = [limit]
    for place, rate in enumerate(rates):
        if rate is None:
            # On the side away from the limit's line.
            x, side = (0.98, "right") if colour == OUT else (0.02, "left")
            axis.annotate(
                "– nobody stops", (x, place), xycoords=("axes fraction", "data"),
                va="center", ha=side, color=QUIET,
            )  # fmt: skip
            continue
        axis.plot(rate.interval, (place, place), color=colour, lw=2)
        axis.plot(rate.value, place, "o", color=colour, ms=6, clip_on=False)
        ends += rate.interval
    told = f"the line is the limit, {100 * limit:.3g} %" if is_limit else "no limit on this side"
    axis.set(ylim=(len(rates) - 0.4, -0.6), xlabel=told)
    axis.xaxis.set_major_locator(_few_ticks())
    axis.xaxis.set_major_formatter(percent_axis())
    return 1.1 * (max(ends) if colour == OUT else 1 - min(ends))


def stops_plot(evaluation: Evaluation) -> str:
    """Share of the cases that has stopped by each stage, with the rule of the policy."""
    ends = evaluation.error_rates(evaluation.policy.by).ends
    with picture(1, height=2.8, width=WIDTH * 0.62) as (figure, axes):
        if ends is None:
            axes[0].annotate("–", (0.5, 0.5), xycoords="axes fraction")
        else:
            stages = np.arange(evaluation.stages + 1)
            names = ended(evaluation.policy)
            out = np.cumsum([ends.share(int(k), "rule out") for k in stages])
            into = np.cumsum([ends.share(int(k), "rule in") for k in stages])
            axes[0].bar(stages, out, color=OUT, width=0.7, label=names["rule out"])
            axes[0].bar(
                stages, into, bottom=1 - into, color="#f7ab63", width=0.7, label=names["rule in"]
            )
            rest = 1 - into - out
            axes[0].bar(stages, rest, bottom=out, color="#eef1f3", width=0.7, label="still open")
        axes[0].set(xlabel="questions asked", ylim=(0, 1), title="Who has stopped by then")
        axes[0].xaxis.get_major_locator().set_params(integer=True)
        axes[0].yaxis.set_major_formatter(percent_axis())
        legend_below(figure, axes[0])
        return as_svg(figure)


def calibration_plot(bins: dict[str, list[Bin]]) -> str:
    """Observed against predicted risk; the size of a point tells the cases behind it."""
    with picture(1, height=3.6, width=WIDTH * 0.55) as (figure, axes):
        for method, found in bins.items():
            draw_calibration(axes[0], found, method)
        legend_below(figure, axes[0])
        return as_svg(figure)


def draw_calibration(axis: Any, bins: Sequence[Bin], method: str = LIST, name: str = "") -> None:
    """Observed against predicted risk; those of a list have their exact intervals."""
    colour, line, marker = LOOKS[method]
    axis.plot((0, 1), (0, 1), color=OPEN, lw=1)
    x = [one.predicted for one in bins]
    y = [one.observed.value if one.observed else None for one in bins]
    look = {"color": colour, "lw": 1, "marker": marker, "clip_on": False}
    axis.plot(x, y, line, label=name or METHODS[method], **look)
    if method == LIST:
        for one in bins:
            if one.observed:
                axis.plot((one.predicted,) * 2, one.observed.interval, color=colour)
    axis.set(xlabel="predicted risk", ylabel="observed", xlim=(0, 1), ylim=(0, 1))
    for side in (axis.xaxis, axis.yaxis):
        side.set_major_formatter(percent_axis())


def cost_plots(evaluation: Evaluation) -> str:
    """Expected loss over what a miss costs, and the decision curve."""
    with picture(2, height=3.1) as (figure, (left, right)):
        for method in evaluation.methods:
            losses, benefits = evaluation.losses(method), evaluation.benefits(method)
            _line(left, method, np.array(MISS_COSTS), losses.means, losses.halves, marked=False)
            _line(
                right, method, np.array(THRESHOLDS), benefits.means, benefits.halves, marked=False
            )
        upper = evaluation.upper_losses().means
        left.plot(MISS_COSTS, upper, color=OUT, lw=1, ls=(0, (1, 1)), label="list, upper bound")
        set_cost_axes(left, right, evaluation.cases.positives / evaluation.cases.inputs.height)
        legend_below(figure, left, right)
        return as_svg(figure)


def set_cost_axes(left: Any, right: Any, rate: float, treat_all: str = QUIET) -> None:
    """Axes of expected loss and of net benefit, with treating everybody and nobody."""
    left.set(title="Expected loss", xlabel="a miss costs so many false alarms", xscale="log")
    left.set_xticks((1, 2, 5, 10, 20, 50, 100), ("1", "2", "5", "10", "20", "50", "100"))
    left.minorticks_off()
    set_benefit_axis(right, rate, treat_all)


def set_benefit_axis(right: Any, rate: float, treat_all: str = QUIET) -> None:
    """An axis of net benefit with treating everybody and nobody."""
    everybody = net_benefit(rate, 1 - rate, np.array(THRESHOLDS))
    right.plot(THRESHOLDS, everybody, color=treat_all, lw=0.8, label="treat all")
    right.axhline(0, color=INK, lw=0.8, label="treat nobody")
    right.set(title="Decision curve: net benefit", xlabel="treat from this risk on")
    right.set_ylim(-0.05, max(rate * 1.05, 0.05))
    right.xaxis.set_major_formatter(percent_axis())


def parsimony_plot(evaluation: Evaluation) -> str:
    """Size against quality, with the one-standard-error choice marked."""
    size = evaluation.size
    with picture(1, height=2.8, width=WIDTH * 0.62) as (figure, axes):
        stages, means = np.arange(len(size.means)), np.array(size.means)
        axes[0].plot(stages, means, "-o", color=OUT, ms=5, label="scoring list")
        axes[0].errorbar(
            stages, means, np.array(size.errors), fmt="none", ecolor=OUT, lw=1, capsize=3
        )
        axes[0].axhline(means[size.best], color=QUIET, lw=0.8, ls="--", label="best")
        axes[0].plot(
            size.questions, means[size.questions], "o", ms=13, mfc="none", mec=IN, mew=2,
            ls="none", label="fewest within one standard error",
        )  # fmt: skip
        axes[0].set(xlabel="questions asked", title="Brier score by size")
        axes[0].xaxis.get_major_locator().set_params(integer=True)
        legend_below(figure, axes[0])
        return as_svg(figure)


def stability_plot(chosen: Sequence[Chosen], label: Callable[[str], str]) -> str:
    """How often each input was chosen over the resamples, by its place in the list."""
    shown = chosen[:12]
    with picture(1, height=0.32 * len(shown) + 1.3) as (figure, axes):
        most = max((max(one.places, default=1) for one in shown), default=1)
        for row, one in enumerate(shown):
            left = 0.0
            for place in range(1, most + 1):
                share = one.places.get(place, 0.0)
                shade = 1 - 0.8 * (place - 1) / max(most, 2)
                axes[0].barh(row, share, left=left, height=0.7, color=OUT, alpha=shade)
                left += share
        axes[0].set_yticks(range(len(shown)), [_short(label(one.input)) for one in shown])
        axes[0].set(xlim=(0, 1), ylim=(len(shown) - 0.4, -0.6), title="Chosen in so many resamples")
        axes[0].xaxis.set_major_formatter(percent_axis())
        return as_svg(figure)


def exits_plot(staircase: Staircase, ends: Ends) -> str:
    """The list with its exits: who leaves it where, and how many of them have the outcome."""
    wording, about = Wording.of(staircase), staircase.scoring_list.about
    out, into, rest = (wording.decision(w, about) for w in ("rule out", "rule in", "undecided"))
    steps = staircase.steps[1:]
    with picture(1, height=0.85 * len(steps) + 0.8) as (figure, axes):
        axis = axes[0]
        axis.set_axis_off()
        axis.set(xlim=(0, 10), ylim=(-len(steps) - 0.75, 0.1))
        before: Any = None
        for row, step in enumerate(steps):
            assert step.question is not None
            asked = f"{step.number}. {wording.question(step.question)}"
            points = wording.points(step.question.points)
            box = _box(axis, 5, -row - 0.4, f"{fill(asked, 30)}  ({points})", "#eef1f3", INK)
            if before is not None:
                _arrow(axis, before, box)
            before = box
            _exit(axis, box, step.rule_out_at, "≤", f"▼ {out}", ends.at(step.number, "rule out"))
            _exit(axis, box, step.rule_in_at, "≥", f"▲ {into}", ends.at(step.number, "rule in"))
        cases, positives = ends.ending("undecided", "unknown")
        text = f"◆ {rest}\n{cases:.0f} ({positives:.0f} with the outcome)"
        _arrow(axis, before, _box(axis, 5, -len(steps) - 0.4, text, "#ffffff", INK))
        return as_svg(figure)


FILLS: dict[Decision, tuple[str, str]] = {
    "rule out": (OUT, "#ffffff"),
    "rule in": ("#f7ab63", INK),
    "go on": ("#eef1f3", INK),
}
"""The colours of a box and its text; white and ink where one neither stops nor goes on."""


def draw_staircase(axis: Any, staircase: Staircase) -> None:
    """A row for each number of answers: in its boxes the risk, a mark, and the counts behind it.

    Totals that share a figure share a box.
    """
    wording, about = Wording.of(staircase), staircase.scoring_list.about
    totals = [box.total for step in staircase.steps for box in step.boxes]
    for step in staircase.steps:
        for box in {one.totals: one for one in step.boxes}.values():
            _staircase_box(axis, step.number, box, wording)
    asked = [step.question for step in staircase.steps[1:] if step.question]
    rows = [
        f"{number}. {fill(wording.whole_question(one), 32)} ({wording.points(one.points)})"
        for number, one in enumerate(asked, 1)
    ]
    axis.set_yticks(range(len(rows) + 1), [wording.word("start"), *rows])
    axis.set_xticks(sorted({*totals}), [wording.total(total) for total in sorted({*totals})])
    axis.set(xlim=(min(totals) - 0.6, max(totals) + 0.6), ylim=(len(rows) + 0.5, -0.5))
    marks = [
        f"{SYMBOLS[one]} {wording.decision(one, about)}"
        for one in ("rule out", "rule in", "undecided")
        if any(box.decision == one for step in staircase.steps for box in step.boxes)
    ]
    legend = [wording.word("total"), fill(wording.legend(staircase), 90), "   ".join(marks)]
    axis.set_xlabel("\n".join(legend))
    axis.tick_params(length=0)
    for side in axis.spines.values():
        side.set_visible(False)


def _staircase_box(axis: Any, row: int, box: Box, wording: Wording) -> None:
    from matplotlib.patches import Rectangle

    low, high = box.totals
    fill_colour, ink = FILLS.get(box.decision, ("#ffffff", INK))
    corner, width = (low - 0.45, row - 0.36), high - low + 0.9
    axis.add_patch(Rectangle(corner, width, 0.72, fc=fill_colour, ec=QUIET, lw=0.8))
    risk = NEVER if box.risk is None else wording.risk(box.risk.probability)
    counts = wording.seen(box.counts, figure=box.risk is not None)
    middle, symbol = (low + high) / 2, wording.box_symbol(box)
    axis.text(
        middle, row - (0.13 if counts else 0), f"{symbol} {risk}".strip(),
        ha="center", va="center", color=ink, weight="bold",
    )  # fmt: skip
    if counts:
        axis.text(middle, row + 0.2, counts, ha="center", va="center", color=ink, fontsize=7)


def cost_curve_plot(ends: Ends, unit: str) -> str:
    """The share decided over what was spent, a point for every question."""
    costs, shares = zip(*ends.cost_curve, strict=True)
    with picture(1, height=2.6) as (figure, axes):
        axis = axes[0]
        axis.plot(costs, [100 * share for share in shares], color=OUT, marker="o")
        for number, (cost, share) in enumerate(ends.cost_curve):
            axis.annotate(str(number), (cost, 100 * share), (4, -11), textcoords="offset points")
        axis.set(xlabel=f"mean cost{f' ({unit})' if unit else ''}", ylabel="% decided")
        axis.set(xlim=(0, None), ylim=(0, 100))
        return as_svg(figure)


def _exit(
    axis: Any, asked: Any, total: int | None, sign: str, name: str, left: tuple[float, float]
) -> None:
    """A box to the left (out) or right (in) of a question, where one leaves the list by it."""
    if total is None and not left[0]:
        return
    side, colour, ink = (1.5, OUT, "#ffffff") if sign == "≤" else (8.5, "#f7ab63", INK)
    when = "" if total is None else f", total {sign} {total}".replace("-", "−")
    text = f"{fill(name, 22)}{when}\n{left[0]:.0f} ({left[1]:.0f} with the outcome)"
    _arrow(axis, asked, _box(axis, side, asked.get_position()[1], text, colour, ink))


def _arrow(axis: Any, start: Any, end: Any) -> None:
    """From the edge of one box to the edge of another."""
    patches = {"patchA": start.get_bbox_patch(), "patchB": end.get_bbox_patch()}
    look = {"arrowstyle": "->", "color": QUIET, "shrinkA": 1, "shrinkB": 1, **patches}
    axis.annotate("", end.get_position(), start.get_position(), arrowprops=look)


def _box(axis: Any, x: float, y: float, text: str, colour: str, ink: str) -> Any:
    return axis.text(
        x, y, text, ha="center", va="center", color=ink, fontsize=11,
        bbox={"boxstyle": "round,pad=0.35", "facecolor": colour, "edgecolor": QUIET, "lw": 0.8},
    )  # fmt: skip


def total_plot(external: External) -> str:
    """Predicted and observed risk at every total after the last question."""
    with picture(1, height=3.2, width=4.8) as (figure, axes):
        totals = list(external.by_total)
        predicted = [one.predicted for one in external.by_total.values()]
        axes[0].plot(totals, predicted, color=QUIET, lw=1.2, label="predicted")
        for total, one in external.by_total.items():
            if one.observed is not None:
                axes[0].plot((total, total), one.observed.interval, color=OUT, lw=1.5)
                axes[0].plot(total, one.observed.value, "o", color=OUT, ms=5, clip_on=False)
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


def external_cost_plots(external: External) -> str:
    """Expected loss over what a miss costs, and the decision curve."""
    with picture(2, height=3.0) as (figure, (left, right)):
        left.plot(MISS_COSTS, external.losses, color=OUT, lw=1.4, label="scoring list")
        value, lower, upper = np.array(external.benefits).T
        right.plot(THRESHOLDS, value, color=OUT, lw=1.4)
        right.fill_between(THRESHOLDS, lower, upper, color=OUT, alpha=0.13, lw=0)
        set_cost_axes(left, right, external.positives / external.cases, treat_all=IN)
        legend_below(figure, left, right)
        return as_svg(figure)


def with_unique_ids(svg: str, prefix: str) -> str:
    """The same picture with ids of its own: several stand in one page."""
    svg = re.sub(r'\bid="', f'id="{prefix}-', svg)
    return re.sub(r'(href="#|url\(#)', rf"\1{prefix}-", svg)


@contextmanager
def picture(
    columns: int, height: float, width: float = WIDTH, share: bool = False
) -> Iterator[tuple[Any, Any]]:
    """A figure with axes side by side, in the style and type of the report."""
    from matplotlib.figure import Figure

    with in_style():
        figure = Figure(figsize=(width, height), layout="constrained")
        axes = figure.subplots(1, columns, squeeze=False, sharey=share)[0]
        yield figure, axes


@contextmanager
def in_style(changes: Mapping[Any, Any] = MappingProxyType({})) -> Iterator[None]:
    """Colours and type of the report, with changes, for whatever is drawn inside."""
    import font_source_sans_pro
    import matplotlib
    from matplotlib import font_manager

    _add_fonts(font_manager, font_source_sans_pro.font_directory)
    with matplotlib.rc_context({**STYLE, **changes}):
        yield


def _add_fonts(manager: Any, folder: str) -> None:
    from pathlib import Path

    known = {font.fname for font in manager.fontManager.ttflist}
    for name in ("SourceSansPro-Regular.ttf", "SourceSansPro-Bold.ttf"):
        path = str(Path(folder) / name)
        if path not in known:
            manager.fontManager.addfont(path)


def _line(
    axis: Any, method: str, x: Floats, means: Floats, halves: Floats | None, marked: bool = True
) -> None:
    colour, line, marker = LOOKS[method]
    if np.isnan(means).all():
        return
    axis.plot(
        x, means, ls=line, color=colour, lw=1.4, ms=4, marker=marker if marked else "",
        label=METHODS[method],
    )  # fmt: skip
    if halves is not None and not np.isnan(halves).all():
        axis.fill_between(x, means - halves, means + halves, color=colour, alpha=0.13, lw=0)


def legend_below(figure: Any, *axes: Any) -> None:
    found: dict[str, Any] = {}
    for axis in axes:
        handles, labels = axis.get_legend_handles_labels()
        found |= dict(zip(labels, handles, strict=True))
    for columns in range(min(len(found), 4), 0, -1):
        legend = figure.legend(
            list(found.values()), list(found), loc="outside lower center", ncols=columns
        )
        # A browser sets type a little wider than matplotlib measures it.
        if columns == 1 or legend.get_window_extent().width <= 0.94 * figure.bbox.width:
            return
        legend.remove()


def percent_axis() -> Any:
    from matplotlib.ticker import FuncFormatter

    return FuncFormatter(lambda share, _: f"{100 * share:.3g} %")


def _few_ticks() -> Any:
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(nbins=5, steps=(1, 2, 2.5, 5, 10))


def _short(name: str) -> str:
    return name if len(name) <= 32 else name[:31] + "…"


def as_svg(figure: Any) -> str:
    stream = StringIO()
    figure.savefig(stream, format="svg", metadata={"Date": None, "Creator": None}, transparent=True)
    text = stream.getvalue()
    text = re.sub(r"<metadata>.*?</metadata>", "", text[text.index("<svg") :], flags=re.DOTALL)
    # On paper the left edge of a text that is set flush right would be cut off by a hair.
    return re.sub(r"(<text style=\"[^\"]*text-anchor: end[^>]*>)", "\\1\N{NO-BREAK SPACE}", text)

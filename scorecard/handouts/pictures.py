"""Pictures of a list as plain shapes: a template draws them as SVG, nothing here knows about it.

Everything that differs by colour also differs by shape, filling or dashes, so that a photocopy and
every kind of colour vision tell it apart. Drawings are 360 units wide with type of 15 units: at
85 mm on paper that is 10 pt, on a phone of 320 px it is 12 px.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from scorecard.core.accuracy import End, net_benefit, net_benefit_of, rate
from scorecard.core.model import Risk
from scorecard.core.staircase import Box, Decision, Staircase
from scorecard.words.wording import Wording

WIDTH = 360
HEIGHT = 262
LEFT, RIGHT, TOP, BOTTOM = 46, 16, 12, 48
TYPE = 15
KINDS: dict[Decision, str] = {
    "rule out": "out",
    "rule in": "in",
    "undecided": "undecided",
    "go on": "on",
}
CURVES = {
    "list": "handout curve list",
    "everybody": "handout curve everybody",
    "nobody": "handout curve nobody",
}
AXIS_ENDS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
TICKS = 4
MARK = 5.5


@dataclass(frozen=True, slots=True)
class Line:
    """A polyline; `kind` is axis, grid, limit, range, list, everybody or nobody."""

    points: str
    kind: str


@dataclass(frozen=True, slots=True)
class Mark:
    """A symbol: ▼ out, ▲ in, ◆ undecided (hollow), ○ on."""

    path: str
    kind: str


@dataclass(frozen=True, slots=True)
class Bar:
    """A rectangle in the look of a decision."""

    x: str
    y: str
    width: str
    height: str
    kind: str


@dataclass(frozen=True, slots=True)
class Label:
    """Text; `anchor` is start, middle or end, `kind` plain or on a filled bar."""

    x: str
    y: str
    text: str
    anchor: str = "start"
    kind: str = "plain"


@dataclass(frozen=True)
class Chart:
    """A drawing with the words that stand for it; `key` names it within a page."""

    key: str
    heading: str
    caption: str
    alternative: str
    height: int
    width: int = WIDTH
    bars: list[Bar] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class IconArray:
    """Of 100 (or 1000) squares so many are full; `part` is the one that stands for less than 1."""

    label: str
    risk: str
    note: str
    kind: str
    width: int
    height: int
    full: str
    part: str
    empty: str


def icon_counts(probability: float, per: int) -> tuple[int, int]:
    """How many squares are full, and whether one is part-filled because "<1" or ">99" is said."""
    if probability < 1 / per:
        return 0, 1
    if probability > (per - 1) / per:
        return per - 1, 1
    return int(probability * per + 0.5), 0


def icon_array(probability: float, wording: Wording, label: str, note: str, kind: str) -> IconArray:
    """The icon array of a risk."""
    full, part = icon_counts(probability, wording.per)
    columns = 10 if wording.per == 100 else 40
    squares = [
        f"M{10 * (n % columns) + 1} {10 * (n // columns) + 1}h8v8h-8z" for n in range(wording.per)
    ]
    return IconArray(
        label,
        wording.risk_of(probability),
        note,
        kind,
        10 * columns,
        10 * (wording.per // columns),
        "".join(squares[:full]),
        "".join(squares[full : full + part]),
        "".join(squares[full + part :]),
    )


@dataclass(frozen=True, slots=True)
class _Scale:
    """A share from 0 to `end` along an axis from one place to another."""

    end: float
    start: float
    stop: float

    def at(self, share: float) -> float:
        return self.start + (self.stop - self.start) * min(max(share / self.end, 0.0), 1.0)

    def ticks(self) -> list[float]:
        return [self.end * step / TICKS for step in range(TICKS + 1)]


def _axis_end(shares: Sequence[float]) -> float:
    return next(end for end in AXIS_ENDS if end >= max(shares, default=1.0) or end == 1.0)


def stage_chart(staircase: Staircase, wording: Wording) -> Chart | None:
    """The risk at every total that can be reached, stage by stage, with its range."""
    steps = [step for step in staircase.steps if any(box.risk for box in step.boxes)]
    risks = [box.risk for step in steps for box in step.boxes if box.risk]
    if not risks:
        return None
    scale = _Scale(_axis_end([r.upper or r.probability for r in risks]), HEIGHT - BOTTOM, TOP)
    chart = _framed("stages", HEIGHT, scale, wording, wording.word("handout axis question"))
    chart.lines.extend(_limits_across(staircase, scale))
    width = (WIDTH - LEFT - RIGHT) / len(steps)
    for place, step in enumerate(steps):
        left = LEFT + place * width
        chart.labels.append(
            _label(left + width / 2, HEIGHT - BOTTOM + 19, wording.number(step.number), "middle")
        )
        gap = width / (len(step.boxes) + 1)
        for number, box in enumerate(step.boxes, 1):
            if box.risk:
                x = left + gap * number
                _draw_risk(chart, x, scale, box, box.risk, (box.risk.lower, box.risk.upper))
    return chart


def calibration_chart(staircase: Staircase, wording: Wording) -> Chart | None:
    """Where one can end: the risk told against the rate observed, with its interval."""
    found = [
        (box, box.risk, seen)
        for step in staircase.steps
        for box in step.boxes
        if box.stops and box.risk and (seen := rate(box.risk.positives or 0, box.risk.cases or 0))
    ]
    if not found:
        return None
    end = _axis_end([max(risk.probability, seen.upper) for _, risk, seen in found])
    down, along = _Scale(end, HEIGHT - BOTTOM, TOP), _Scale(end, LEFT, WIDTH - RIGHT)
    chart = _framed("calibration", HEIGHT, down, wording, wording.word("handout axis told"))
    for tick in along.ticks():
        chart.labels.append(
            _label(along.at(tick), HEIGHT - BOTTOM + 19, _tick(tick, wording), "middle")
        )
    chart.lines.append(_line([(LEFT, HEIGHT - BOTTOM), (WIDTH - RIGHT, TOP)], "limit"))
    for box, risk, seen in found:
        told = Risk(seen.value)
        _draw_risk(chart, along.at(risk.probability), down, box, told, (seen.lower, seen.upper))
    return chart


def share_chart(staircase: Staircase, wording: Wording) -> Chart | None:
    """After each question: the share ruled out, still open, and ruled in."""
    everybody, _ = staircase.stopping()
    if not everybody:
        return None
    row, last = 34, len(staircase.steps) - 1
    chart = Chart("shares", "", "", "", row * last + 26)
    along = _Scale(1.0, LEFT - 14, WIDTH - RIGHT)
    for number in range(1, last + 1):
        top = row * (number - 1) + 6
        chart.labels.append(_label(LEFT - 22, top + 19, wording.number(number), "end"))
        for start, share, kind in _shares_after(staircase, number, everybody):
            x, width = along.at(start), along.at(start + share) - along.at(start)
            chart.bars.append(Bar(_n(x), _n(top), _n(width), _n(row - 8), kind))
            if width > 34:
                # A share may well be everybody; only a risk is never 100.
                text = wording.number(wording.per) if share >= 1 else wording.risk(share)
                chart.labels.append(_label(x + width / 2, top + 18.5, text, "middle", kind))
    of = wording.word("handout axis share", per=wording.number(wording.per))
    chart.labels.append(_label(LEFT - 14, row * last + 20, of))
    return chart


def _shares_after(
    staircase: Staircase, number: int, everybody: int | float
) -> Iterator[tuple[float, float, str]]:
    def so_far(decision: Decision) -> float:
        return staircase.ends.until(number, decision)[0] / everybody

    out, into = so_far("rule out"), so_far("rule in")
    last = number == len(staircase.steps) - 1
    yield 0.0, out, "out"
    yield out, 1 - out - into, "undecided" if last else "on"
    yield 1 - into, into, "in"


def decision_curve(staircase: Staircase, ends: Sequence[End], wording: Wording) -> Chart | None:
    """Net benefit of acting by the list, on everybody, and on nobody, per threshold."""
    told = [end for end in ends if end.probability is not None and end.cases]
    if not told:
        return None
    thresholds = [number / 100 for number in range(100)]
    cases, positives = sum(e.cases for e in told), sum(e.positives for e in told)
    share = positives / cases
    by_list = [net_benefit_of(told, threshold) for threshold in thresholds]
    everybody = [net_benefit(share, 1 - share, 1, t) for t in thresholds]
    scale = _Scale(_axis_end([share]), HEIGHT - BOTTOM, TOP)
    along = _Scale(1.0, LEFT, WIDTH - RIGHT)
    legend = 3 * 20
    chart = _framed(
        "benefit", HEIGHT + legend, scale, wording, wording.word("handout axis threshold")
    )
    for tick in along.ticks():
        chart.labels.append(
            _label(along.at(tick), HEIGHT - BOTTOM + 19, _tick(tick, wording), "middle")
        )
    for limit in staircase.policy.limits:
        x = along.at(limit)
        chart.lines.append(_line([(x, TOP), (x, HEIGHT - BOTTOM)], "limit"))
    for kind, values in (("everybody", everybody), ("list", by_list)):
        chart.lines.append(_curve(thresholds, values, along, scale, kind))
    zero = scale.at(0)
    chart.lines.append(_line([(LEFT, zero), (WIDTH - RIGHT, zero)], "nobody"))
    for number, (kind, key) in enumerate(CURVES.items()):
        y = HEIGHT + 12 + 20 * number
        chart.lines.append(_line([(LEFT, y - 5), (LEFT + 34, y - 5)], kind))
        chart.labels.append(_label(LEFT + 42, y, wording.word(key)))
    return chart


def _curve(
    thresholds: Sequence[float],
    values: Sequence[float],
    along: _Scale,
    scale: _Scale,
    kind: str,
) -> Line:
    """The part of a curve that is not below zero: worse than doing nothing is shown as zero."""
    return _line(
        [(along.at(t), scale.at(v)) for t, v in zip(thresholds, values, strict=True)], kind
    )


def _framed(key: str, height: int, scale: _Scale, wording: Wording, below: str) -> Chart:
    """An empty chart with its vertical axis and what stands below it."""
    chart = Chart(key, "", "", "", height)
    for tick in scale.ticks():
        y = scale.at(tick)
        chart.lines.append(_line([(LEFT, y), (WIDTH - RIGHT, y)], "grid"))
        chart.labels.append(_label(LEFT - 6, y + 5, _tick(tick, wording), "end"))
    chart.lines.append(_line([(LEFT, TOP), (LEFT, HEIGHT - BOTTOM)], "axis"))
    chart.labels.append(_label((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 7, below, "middle"))
    return chart


def _tick(share: float, wording: Wording) -> str:
    exact = round(share * wording.per, 6)  # 0.2 × 1000 is 200, not 200.00000000000003
    return wording.number(int(exact) if exact == int(exact) else exact)


def _limits_across(staircase: Staircase, scale: _Scale) -> Iterator[Line]:
    for limit in staircase.policy.limits:
        if limit <= scale.end:
            y = scale.at(limit)
            yield _line([(LEFT, y), (WIDTH - RIGHT, y)], "limit")


def _draw_risk(
    chart: Chart,
    x: float,
    scale: _Scale,
    box: Box,
    risk: Risk,
    interval: tuple[float | None, float | None],
) -> None:
    lower, upper = interval
    if lower is not None and upper is not None:
        chart.lines.append(_line([(x, scale.at(lower)), (x, scale.at(upper))], "range"))
    kind = KINDS[box.decision]
    chart.marks.append(Mark(_symbol(x, scale.at(risk.probability), kind), kind))


def _symbol(x: float, y: float, kind: str) -> str:
    r = MARK
    if kind == "out":
        return f"M{_n(x - r)} {_n(y - r * 0.8)}h{_n(2 * r)}l{_n(-r)} {_n(1.8 * r)}z"
    if kind == "in":
        return f"M{_n(x - r)} {_n(y + r * 0.8)}h{_n(2 * r)}l{_n(-r)} {_n(-1.8 * r)}z"
    if kind == "undecided":
        return f"M{_n(x)} {_n(y - r)}l{_n(r)} {_n(r)}l{_n(-r)} {_n(r)}l{_n(-r)} {_n(-r)}z"
    r *= 0.8
    arc = f"a{_n(r)} {_n(r)} 0 1 0"
    return f"M{_n(x - r)} {_n(y)}{arc} {_n(2 * r)} 0{arc} {_n(-2 * r)} 0z"


def _line(points: Sequence[tuple[float, float]], kind: str) -> Line:
    return Line(" ".join(f"{_n(x)},{_n(y)}" for x, y in points), kind)


def _label(x: float, y: float, text: str, anchor: str = "start", kind: str = "plain") -> Label:
    return Label(_n(x), _n(y), text, anchor, kind)


def _n(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")

"""Pictures of a list as plain shapes: a template draws them as SVG, nothing here knows about it.

Everything that differs by colour also differs by shape, filling or dashes, so that a photocopy and
every kind of colour vision tell it apart. Drawings are 360 units wide with type of 15 units: at
85 mm on paper that is 10 pt, on a phone of 320 px it is 12 px.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from scorecard.core.staircase import Staircase
from scorecard.words.wording import Wording

WIDTH, LEFT, RIGHT = 360, 32, 16
ROW = 34


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
    """A drawing with the words that stand for it."""

    heading: str
    caption: str
    alternative: str
    height: int
    width: int = WIDTH
    bars: list[Bar] = field(default_factory=list)
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


def share_chart(staircase: Staircase, wording: Wording) -> Chart | None:
    """After each question: the share ruled out, still open, and ruled in; `None` if not known."""
    if not staircase.ends.cases:
        return None
    last = len(staircase.steps) - 1
    about = staircase.scoring_list.about
    per = wording.number(wording.per)
    chart = Chart(
        heading=wording.word("handout shares heading"),
        caption=wording.word(
            "handout shares caption",
            out=wording.decision("rule out", about),
            into=wording.decision("rule in", about),
        ),
        alternative=wording.word(
            "handout shares alternative", per=per, rows=" ".join(_rows(staircase, wording))
        ),
        height=ROW * last + 26,
    )
    for number in range(1, last + 1):
        _draw_row(chart, staircase, number, wording)
    of = wording.word("handout axis share", per=per)
    chart.labels.append(_label(LEFT, ROW * last + 20, of))
    return chart


def _draw_row(chart: Chart, staircase: Staircase, number: int, wording: Wording) -> None:
    top, whole = ROW * (number - 1) + 6, WIDTH - RIGHT - LEFT
    chart.labels.append(_label(LEFT - 8, top + 19, wording.number(number), "end"))
    for start, share, kind in _shares_after(staircase, number):
        x, width = LEFT + start * whole, share * whole
        chart.bars.append(Bar(_n(x), _n(top), _n(width), _n(ROW - 8), kind))
        if width > 34:
            # A share may well be everybody; only a risk is never 100.
            text = wording.number(wording.per) if share >= 1 else wording.risk(share)
            chart.labels.append(_label(x + width / 2, top + 18.5, text, "middle", kind))


def _rows(staircase: Staircase, wording: Wording) -> Iterator[str]:
    for step in staircase.steps[1:]:
        (_, out, _), _, (_, into, _) = _shares_after(staircase, step.number)
        yield wording.word(
            "handout shares one",
            after=wording.after(step.number),
            out=wording.risk(out) if out else "0",
            into=wording.risk(into) if into else "0",
        )


def _shares_after(staircase: Staircase, number: int) -> Iterator[tuple[float, float, str]]:
    """Where each part of the bar begins, its share, and its kind."""
    out, into = (
        staircase.ends.until(number, what)[0] / staircase.ends.cases
        for what in ("rule out", "rule in")
    )
    last = number == len(staircase.steps) - 1
    yield 0.0, out, "out"
    yield out, max(1 - out - into, 0.0), "undecided" if last else "on"
    yield 1 - into, into, "in"


def _label(x: float, y: float, text: str, anchor: str = "start", kind: str = "plain") -> Label:
    return Label(_n(x), _n(y), text, anchor, kind)


def _n(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")

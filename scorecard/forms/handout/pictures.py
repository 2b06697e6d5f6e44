"""Pictures of a list as plain shapes: a template draws them as SVG, nothing here knows about it.

Everything that differs by colour also differs by shape, filling or dashes, so that a photocopy and
every kind of colour vision tell it apart. Drawings are 360 units wide with type of 15 units: at
85 mm on paper that is 10 pt, on a phone of 320 px it is 12 px.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from scorecard.core.staircase import Staircase
from scorecard.forms.card.contents import CardView
from scorecard.forms.card.measure import MM_PER_POINT, text_width
from scorecard.forms.card.path_layout import (
    ENTRY,
    MOST_CROSSINGS,
    NO,
    YES,
    aside_in,
    in_words,
    lanes_of,
    most_crossed,
)
from scorecard.forms.card.view import PathBox, Way
from scorecard.words.hyphens import SOFT_HYPHEN
from scorecard.words.wording import Wording

WIDTH, LEFT, RIGHT = 360, 32, 16
ROW = 34
TYPE, LINE = 15, 18
SPACE, LANE, HEAD = 4, 8, 9  # of a path: between boxes and text, between arrows, of an arrow


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
    weight: int = 400


@dataclass(frozen=True, slots=True)
class ArrowLine:
    """An arrow as two SVG paths: its course, and its head."""

    course: str
    head: str


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
    lines: list[ArrowLine] = field(default_factory=list)


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


def path_chart(card: CardView, wording: Wording) -> Chart | None:
    """The list as arrows to follow, each question above those of its answers.

    `None` where the boxes do not fit side by side, or arrows could not be followed at a glance.
    """
    path = _Path(card)
    if not path.is_legible():
        return None
    return path.drawn(wording.word("handout path heading"), f"{card.path.how} {card.path.note}")


@dataclass(frozen=True)
class _Path:
    card: CardView

    @property
    def pitch(self) -> float:
        return WIDTH / self.card.path.columns

    @property
    def box_width(self) -> float:
        return self.pitch - 2 * SPACE

    def is_legible(self) -> bool:
        rows = self.card.path.rows
        texts = [
            (line, weight, box) for row in rows for box in row for line, weight in self._lines(box)
        ]
        fits = all(_width(line, weight) <= self._across(box) - SPACE for line, weight, box in texts)
        return fits and all(most_crossed(row) <= MOST_CROSSINGS for row in rows)

    def drawn(self, heading: str, caption: str) -> Chart:
        drawing, top = Chart(heading, caption, in_words(self.card), 0), 1.0
        for number, row in enumerate(self.card.path.rows):
            height = LINE * max(len(self._lines(box)) for box in row) + 2 * SPACE
            for box in row:
                self._draw_box(drawing, box, top, height)
            top += height
            if number + 1 < len(self.card.path.rows):
                top = self._draw_answers(drawing, number, row, top)
        return replace(drawing, height=int(top + 2))

    def _lines(self, box: PathBox) -> list[tuple[str, int]]:
        """The text of a box line by line, with its weight."""
        inside = self._across(box) - SPACE
        whole = box.heading.replace(SOFT_HYPHEN, "")  # a drawing has no hyphenation
        heading = [(line, 600) for line in _broken(whole, inside, 600)]
        return heading + [(line, 400) for line in box.below]

    def _across(self, box: PathBox) -> float:
        return (box.columns[1] - box.columns[0]) * self.pitch + self.box_width

    def _draw_box(self, drawing: Chart, box: PathBox, top: float, height: float) -> None:
        left, width, lines = (
            box.columns[0] * self.pitch + SPACE,
            self._across(box),
            self._lines(box),
        )
        drawing.bars.append(Bar(_n(left), _n(top), _n(width), _n(height), box.kind))
        first = top + (height - LINE * len(lines)) / 2 + 14
        for place, (text, weight) in enumerate(lines):
            x, y = left + width / 2, first + LINE * place
            drawing.labels.append(Label(_n(x), _n(y), text, "middle", box.kind, weight))

    def _draw_answers(
        self, drawing: Chart, number: int, row: Sequence[PathBox], top: float
    ) -> float:
        """A question and the arrows of its answers; returns where the next boxes begin."""
        asked = _broken(f"{number + 1}  {self.card.rows[number].question}", WIDTH - SPACE, 600)
        lanes, start = lanes_of(row), top + 6 + LINE * len(asked) + 5
        for place, text in enumerate(asked):
            y = top + 6 + 14 + LINE * place
            drawing.labels.append(Label(_n(SPACE), _n(y), text, weight=600))
        bottom = start + LINE + LANE * (1 + max(lanes.values(), default=0)) + HEAD
        leftwards = any(end < begin for begin, end in aside_in(row))
        for box in row:
            middle = (box.columns[0] + 0.5) * self.pitch
            side = -1 if leftwards else 1
            if box.no:
                x = middle + NO * self.box_width
                self._draw_arrow(drawing, [(x, start), (x, bottom)], self.card.words["no"], -side)
            if box.yes:
                lane = lanes.get(box.columns[0])
                corners = self._course(middle, side, box.yes, lane, (start, bottom))
                self._draw_arrow(drawing, corners, self.card.words["yes"], side)
        return bottom

    def _course(
        self, middle: float, side: int, way: Way, lane: int | None, ends: tuple[float, float]
    ) -> list[tuple[float, float]]:
        x, (start, bottom) = middle + side * YES * self.box_width, ends
        if lane is None:
            return [(x, start), (x, bottom)]
        down = start + LINE + LANE * lane
        end = (way.column + 0.5) * self.pitch + side * (ENTRY + 0.06 * lane) * self.box_width
        return [(x, start), (x, down), (end, down), (end, bottom)]

    def _draw_arrow(
        self, drawing: Chart, corners: list[tuple[float, float]], word: str, side: int
    ) -> None:
        (x, start), (end, bottom) = corners[0], corners[-1]
        course = "L".join(f"{_n(a)} {_n(b)}" for a, b in [*corners[:-1], (end, bottom - HEAD + 1)])
        tip = f"M{_n(end - HEAD / 2)} {_n(bottom - HEAD)}h{HEAD}L{_n(end)} {_n(bottom - 1)}z"
        drawing.lines.append(ArrowLine(f"M{course}", tip))
        anchor = "start" if side > 0 else "end"
        drawing.labels.append(Label(_n(x + SPACE * side), _n(start + 12), word, anchor, weight=600))


def _width(text: str, weight: int) -> float:
    return text_width(text, TYPE, bold=weight > 400) / MM_PER_POINT


def _broken(text: str, width: float, weight: int) -> list[str]:
    """A text in lines no wider than this, if its words are not."""
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}".strip()
        if _width(longer, weight) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return [line for line in lines if line]


def _label(x: float, y: float, text: str, anchor: str = "start", kind: str = "plain") -> Label:
    return Label(_n(x), _n(y), text, anchor, kind)


def _n(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")

"""Where the boxes, arrows and questions of a path lie on their paper, in millimetres.

"no" goes straight down, "yes" aside; arrows that meet in one total meet in one box. Each arrow
that goes aside has a height of its own between two rows, so that no two of them share a line.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from scorecard.forms.card.contents import CardView
from scorecard.forms.card.measure import (
    MM_PER_POINT,
    lines_of,
    number_width,
    text_width,
    width_in_lines,
)
from scorecard.forms.card.paper import mm
from scorecard.forms.card.path import NO_BREAK_SPACE
from scorecard.forms.card.sizes import Type
from scorecard.forms.card.view import PathBox, PathView, Way
from scorecard.printing.refusals import NoRoomError
from scorecard.words.hyphens import SOFT_HYPHEN

STAIRCASE = "use the staircase (leave out the layout)"
NARROWEST_QUESTION = 9.0  # em
WIDEST_BOX = 1.7  # times what it needs
TALLEST_GAP = 2.6  # times what it needs
MOST_CROSSINGS = 2  # of one arrow: more cannot be followed at a glance
NO, YES, ENTRY = -0.12, 0.25, -0.40  # where arrows leave and meet a box, in widths from its middle
WIDEST_RIBBON = 0.62  # of a box


@dataclass(frozen=True, slots=True)
class Asked:
    """A question in its place; its number is beside its first line or, of many, its middle."""

    top: str
    width: str
    align: str
    place: int


@dataclass(frozen=True, slots=True)
class PlacedBox:
    left: str
    top: str
    width: str
    height: str
    kind: str
    heading: str
    below: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Arrow:
    """A line and its head as SVG paths; along its `course` a ribbon as wide as who takes it."""

    line: str
    head: str
    course: str
    ribbon: str


@dataclass(frozen=True, slots=True)
class ArrowWord:
    """ "yes" or "no" beside an arrow, to the right of `left` or to the left of `right`."""

    text: str
    style: str


@dataclass(frozen=True, slots=True)
class PathPage:
    """The drawing of a path, ready to be placed."""

    width: str
    height: str
    view_box: str
    stroke: str
    boxes: tuple[PlacedBox, ...]
    questions: tuple[Asked, ...]
    arrows: tuple[Arrow, ...]
    labels: tuple[ArrowWord, ...]
    description: str


def path_page(
    view: CardView, face: Type, room: tuple[float, float], full: bool, tight: bool
) -> PathPage:
    """The path in this room (width and height); refused where it cannot be legible there."""
    return _Drawing(view, face, *room, full, tight).page()


@dataclass(frozen=True)
class _Drawing:
    view: CardView
    face: Type
    width: float
    height: float
    full: bool
    tight: bool

    @property
    def path(self) -> PathView:
        return self.view.path

    @property
    def em(self) -> float:
        return self.face.body * MM_PER_POINT

    def page(self) -> PathPage:
        tops = self._tops
        boxes = [
            [self._place(box, *tops[number]) for box in row]
            for number, row in enumerate(self.path.rows)
        ]
        drawn = [
            one
            for number, row in enumerate(self.path.rows[:-1])
            for one in self._arrows(number, row)
        ]
        return PathPage(
            width=mm(self.width),
            height=mm(tops[-1][0] + tops[-1][1]),
            view_box=f"0 0 {self.width:.2f} {tops[-1][0] + tops[-1][1]:.2f}",
            stroke=f"{0.13 * self.em:.2f}",
            boxes=tuple(box for row in boxes for box in row),
            questions=tuple(self._questions()),
            arrows=tuple(arrow for arrow, _ in drawn),
            labels=tuple(label for _, label in drawn),
            description=in_words(self.view),
        )

    # Across -------------------------------------------------------------------------------------

    @cached_property
    def _columns(self) -> tuple[float, float, float]:
        """Where the first column begins, how far they are apart, and how wide a box is."""
        count, gap = self.path.columns, 0.9 * self.em
        least = max(self._least_width(box) for row in self.path.rows for box in row)
        question = min(0.36 * self.width, self.width - count * (least + gap))
        needed = NARROWEST_QUESTION * self.face.label * MM_PER_POINT
        if question < needed:
            raise NoRoomError(
                f"{count} boxes side by side are {needed - question:.0f} mm too wide",
                needed - question,
            )
        pitch = (self.width - question) / count
        return question, pitch, min(pitch - gap, WIDEST_BOX * least)

    def _least_width(self, box: PathBox) -> float:
        heading = width_in_lines(self._heading(box), self.face.label)
        lines = max((text_width(line, self.face.body) for line in box.below), default=0.0)
        # Arrows and their words need room at the bottom of a box, too.
        yes_no = (text_width(self.view.words[word], self.face.body) for word in ("yes", "no"))
        words = 2.2 * max(yes_no) + self.em if box.yes or box.no else 0.0
        across = box.columns[1] - box.columns[0] + 1
        return max(heading, lines, words) / across + 0.9 * self.em

    def _heading(self, box: PathBox) -> str:
        """A sign stays beside its word, unless there is too little room."""
        return box.heading.replace(NO_BREAK_SPACE, " ") if self.tight else box.heading

    def _middle(self, column: int) -> float:
        first, pitch, _ = self._columns
        return first + (column + 0.5) * pitch

    # Down ---------------------------------------------------------------------------------------

    @cached_property
    def _tops(self) -> list[tuple[float, float]]:
        """Top and height of each row of boxes."""
        heights = [max(self._height(box) for box in row) for row in self.path.rows]
        gaps = [self._least_gap(number, heights) for number in range(len(heights) - 1)]
        spare = self.height - sum(heights) - sum(gaps)
        if spare < 0:
            raise NoRoomError(f"it is about {max(1.0, -spare):.0f} mm too short", -spare)
        more = [min(spare / len(gaps), (TALLEST_GAP - 1) * gap) for gap in gaps]
        tops, top = [], 0.0
        for number, height in enumerate(heights):
            tops.append((top, height))
            top += height + (gaps[number] + more[number] if number < len(gaps) else 0.0)
        return tops

    def _between(self, number: int) -> tuple[float, float]:
        """From where to where the arrows of a row lead."""
        return sum(self._tops[number]), self._tops[number + 1][0]

    def _height(self, box: PathBox) -> float:
        width = self._box_width(box) - 0.6 * self.em
        heading = lines_of(self._heading(box), self.face.label, width, bold=True) * self.face.label
        below = len(box.below) * self.face.body
        return (1.12 * heading + 1.1 * below) * MM_PER_POINT + 0.55 * self.em

    def _box_width(self, box: PathBox) -> float:
        _, pitch, width = self._columns
        return (box.columns[1] - box.columns[0]) * pitch + width

    def _least_gap(self, number: int, heights: Sequence[float]) -> float:
        lanes = 1 + max(lanes_of(self.path.rows[number]).values(), default=-1)
        arrows = 1.95 * self.em + max(0.0, lanes - 0.7) * self._lane
        asked = self._question_height(number) + 0.4 * self.em
        # A question is read beside its arrows: a long one with a substitute needs them as long.
        beside = 0.0 if self.view.rows[number].instead else 0.5
        return max(arrows, asked - (heights[number] + heights[number + 1]) * beside)

    @property
    def _lane(self) -> float:
        return 0.5 * self.em

    def _question_height(self, number: int) -> float:
        row = self.view.rows[number]
        width = self._columns[0] - number_width(self.face) - self.em
        lines = lines_of(row.label, self.face.label, width, bold=True)
        lines += lines_of(row.condition, self.face.label, width)
        lines += lines_of(row.instead, self.face.label, width) if row.instead else 0
        return lines * 1.12 * self.face.label * MM_PER_POINT

    def _questions(self) -> list[Asked]:
        """Each question beside the arrows of its answers."""
        placed = []
        for number in range(len(self._tops) - 1):
            top, bottom = self._between(number)
            height = self._question_height(number)
            first = 1.12 * self.face.label * MM_PER_POINT
            align = "flex-start" if height - first < bottom - top else "center"
            width = mm(self._columns[0] - 0.5 * self.em)
            placed.append(Asked(mm((top + bottom - height) / 2), width, align, number))
        return placed

    # Boxes and arrows ---------------------------------------------------------------------------

    def _place(self, box: PathBox, top: float, height: float) -> PlacedBox:
        left = self._middle(box.columns[0]) - self._columns[2] / 2
        return PlacedBox(
            mm(left),
            mm(top),
            mm(self._box_width(box)),
            mm(height),
            box.kind,
            self._heading(box),
            box.below,
        )

    def _arrows(self, number: int, row: Sequence[PathBox]) -> list[tuple[Arrow, ArrowWord]]:
        top, bottom = self._between(number)
        lanes, width = lanes_of(row), self._columns[2]
        if (crossed := most_crossed(row)) > MOST_CROSSINGS:
            raise NoRoomError(f"an arrow would cross {crossed} others")
        drawn = []
        for box in row:
            middle = self._middle(box.columns[0])
            leftwards = any(end < start for start, end in aside_in(row))
            if box.no:
                x = middle + NO * width
                corners = [(x, top), (x, bottom)]
                drawn.append(self._arrow(corners, box.no, self.view.words["no"], leftwards))
            if box.yes:
                side = -1 if leftwards else 1
                x, lane = middle + side * YES * width, lanes.get(box.columns[0])
                corners = [(x, top), (x, bottom)]
                if lane is not None:
                    down = top + 1.2 * self.em + (lane + 0.3) * self._lane
                    # Of arrows that end in one column, who turns lowest ends outermost.
                    inward = 0.06 * (max(lanes.values()) - lane)
                    inward = max(inward, self._ribbon(box.yes) / 2 - 0.06)
                    end = self._middle(box.yes.column) + side * (ENTRY + inward) * width
                    corners = [(x, top), (x, down), (end, down), (end, bottom)]
                drawn.append(self._arrow(corners, box.yes, self.view.words["yes"], not leftwards))
        return drawn

    def _ribbon(self, way: Way) -> float:
        """How wide a ribbon is, in widths of a box."""
        return (way.share or 0.0) * WIDEST_RIBBON if self.full else 0.0

    def _arrow(
        self, corners: list[tuple[float, float]], way: Way, word: str, on_right: bool
    ) -> tuple[Arrow, ArrowWord]:
        head, (x, top), (end, bottom) = 0.62 * self.em, corners[0], corners[-1]
        line = [*corners[:-1], (end, bottom - 0.8 * head)]
        tip = (
            f"M{end - 0.5 * head:.2f} {bottom - head:.2f}h{head:.2f}L{end:.2f} {bottom - 0.1:.2f}z"
        )
        ribbon = self._ribbon(way) * self._columns[2]
        aside, down = 0.3 * self.em, mm(top + 0.12 * self.em)
        place = f"left: {mm(x + aside)}" if on_right else f"right: {mm(self.width - x + aside)}"
        return (
            Arrow(_line(line), tip, _line(corners), f"{ribbon:.2f}" if ribbon else ""),
            ArrowWord(word, f"{place}; top: {down}"),
        )


def lanes_of(row: Sequence[PathBox]) -> dict[int, int]:
    """For each column whose "yes" goes aside, how far down it turns: 0 is the highest.

    The farther back an arrow begins, the lower it turns: so it passes below the others.
    """
    spans = {start: _ends(start, end) for start, end in aside_in(row)}
    rightwards = all(end > start for start, end in aside_in(row))
    lanes: dict[int, int] = {}
    for start in sorted(spans, reverse=rightwards):
        low, high = spans[start]
        below = [lanes[one] for one in lanes if spans[one][0] < high and low < spans[one][1]]
        below += [
            lanes[one]
            for one in lanes
            if spans[one][1 if rightwards else 0] == (high if rightwards else low)
        ]
        lanes[start] = 1 + max(below, default=-1)
    return lanes


def aside_in(row: Sequence[PathBox]) -> list[tuple[int, int]]:
    """The columns from and to which a "yes" goes aside."""
    return [
        (box.columns[0], box.yes.column)
        for box in row
        if box.yes and box.yes.column != box.columns[0]
    ]


def most_crossed(row: Sequence[PathBox]) -> int:
    """How many others an arrow crosses at most."""
    starts = [box.columns[0] for box in row if box.no]
    spans = [_ends(*way) for way in aside_in(row)]
    return max((sum(low < one < high for one in starts) for low, high in spans), default=0)


def _ends(one: int, other: int) -> tuple[int, int]:
    return min(one, other), max(one, other)


def _line(corners: Sequence[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.2f} {y:.2f}" for x, y in corners)


def in_words(view: CardView) -> str:
    """The arrows in words, for who hears the page."""
    told = []
    for row, question in zip(view.path.rows, view.rows, strict=False):
        for box in row:
            ways = [
                f"{word} → {_said(view.path.rows[int(question.number)][way.to])}"
                for word, way in zip(
                    (view.words["yes"], view.words["no"]), (box.yes, box.no), strict=True
                )
                if way
            ]
            if ways:
                told.append(f"{_said(box)}: {question.question}? {', '.join(ways)}.")
    return " ".join(told)


def _said(box: PathBox) -> str:
    heading = box.heading.replace(SOFT_HYPHEN, "")
    return f"{heading} ({', '.join(box.below)})" if box.below else heading

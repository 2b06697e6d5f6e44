"""Read a printed path back: boxes, arrows and their words from the places on the paper alone.

A box is what a line ends at; a word belongs to the line it stands beside; a question is asked where
its number stands between the two ends of an arrow. Nothing of the list or the layout is known here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from scorecard.core.staircase import Decision
from scorecard.forms.card.read_back import MEANINGS
from scorecard.printing.finished import Bounds, Line, PrintedPage, PrintedText
from scorecard.printing.refusals import CardError
from scorecard.words.language import language_named, languages

TOUCHES = 1.2  # points between the end of a line and its box
LONGEST_HEAD = 0.9  # of the height of a word: so far the line ends above the tip of its head
CENTRES = 4.0  # points by which the numbers of questions may differ in place


@dataclass(frozen=True, slots=True)
class PathEnd:
    """A box as it is printed: all its text, what its sign says, and how far to the right it is."""

    text: str
    decision: Decision
    left: float


@dataclass(frozen=True, slots=True)
class PrintedPath:
    """Boxes with arrows for yes and no, each for the question with this number."""

    start: int
    boxes: tuple[PathEnd, ...]
    arrows: Mapping[tuple[int, bool], tuple[int, int]]
    """From a box and an answer to the number of the question and the next box."""
    questions: Mapping[int, str]

    def follow(self, answers: Sequence[bool]) -> tuple[PathEnd, int]:
        """The box where these answers end, and how many were needed."""
        way = self.way(answers)
        return way[-1], len(way) - 1

    def way(self, answers: Sequence[bool]) -> list[PathEnd]:
        """The boxes from the start to where these answers end."""
        place, way = self.start, [self.boxes[self.start]]
        for taken, yes in enumerate(answers, 1):
            if way[-1].decision != "go on":
                break
            if (place, yes) not in self.arrows:
                raise CardError(f"No arrow leaves {way[-1].text!r} for this answer.")
            question, place = self.arrows[place, yes]
            if question != taken:
                raise CardError(f"Question {question} is asked where {taken} was expected.")
            way.append(self.boxes[place])
        return way


def path_in_pages(pages: Iterable[PrintedPage]) -> PrintedPath | None:
    """The path on these pages, or `None` where there are no arrows."""
    for page in pages:
        lines = [line for line in page.lines if line.is_dark and len(line.corners) > 1]
        if lines:
            return _Reader(page, lines).path()
    return None


class _Reader:
    def __init__(self, page: PrintedPage, lines: Sequence[Line]) -> None:
        self.page = page
        self.lines = lines
        self.boxes: list[Bounds] = []

    def path(self) -> PrintedPath:
        labels = self._labels()
        questions = {}
        found = {}
        ends = [self._ends(line, labels[place][0]) for place, line in enumerate(self.lines)]
        numbers = self._numbers()
        for (start, end), (piece, yes), line in zip(ends, labels, self.lines, strict=True):
            number, text = self._question(line, numbers)
            questions[number] = text
            if (start, yes) in found:
                raise CardError(f"Two arrows {piece.text!r} leave one box.")
            found[start, yes] = (number, end)
        begins = {start for start, _ in ends} - {end for _, end in ends}
        if len(begins) != 1:
            raise CardError(f"{len(begins)} boxes have no arrow that leads to them; expected one.")
        boxes = tuple(self._box(bounds) for bounds in self.boxes)
        return PrintedPath(begins.pop(), boxes, found, questions)

    # Boxes --------------------------------------------------------------------------------------

    def _ends(self, line: Line, label: PrintedText) -> tuple[int, int]:
        """The boxes at both ends of a line: from a bottom edge to above a top edge."""
        (x, y), (to, down) = line.corners[0], line.corners[-1]
        head = LONGEST_HEAD * label.points
        starts = [s for s in self._shapes() if s[0] < x < s[2] and abs(s[1] - y) < TOUCHES]
        stops = [
            s for s in self._shapes() if s[0] < to < s[2] and 0 <= down - s[3] + TOUCHES < head
        ]
        if not starts or not stops:
            raise CardError(f"The arrow {label.text!r} does not lead from a box to a box.")
        return self._known(starts[0]), self._known(stops[0])

    def _shapes(self) -> list[Bounds]:
        return [
            shape
            for shape in self.page.shapes
            if any(_inside(piece.bounds, shape) for piece in self.page.pieces)
        ]

    def _known(self, bounds: Bounds) -> int:
        for place, one in enumerate(self.boxes):
            if all(abs(a - b) < 2 * TOUCHES for a, b in zip(one, bounds, strict=True)):
                return place
        self.boxes.append(bounds)
        return len(self.boxes) - 1

    def _box(self, bounds: Bounds) -> PathEnd:
        pieces = [piece for piece in self.page.pieces if _inside(piece.bounds, bounds)]
        text = " ".join(" ".join(piece.text.split()) for piece in pieces)
        return PathEnd(text, MEANINGS.get(text[:1], "go on"), bounds[0])

    # Words and questions ------------------------------------------------------------------------

    def _labels(self) -> list[tuple[PrintedText, bool]]:
        """For each line the word beside its beginning; no word is beside two."""
        words = [p for p in self.page.pieces if p.text.strip().casefold() in yes_and_no()]
        chosen = []
        for line in self.lines:
            near = sorted(words, key=lambda word: _distance(word.bounds, line))
            if not near or _distance(near[0].bounds, line) > near[0].points:
                raise CardError("An arrow has no word beside it.")
            chosen.append(near[0])
        if len({id(word) for word in chosen}) < len(chosen):
            raise CardError("One word stands beside two arrows.")
        return [(word, yes_and_no()[word.text.strip().casefold()]) for word in chosen]

    def _numbers(self) -> list[tuple[PrintedText, str]]:
        """The number of each question with its text, from left of the boxes."""
        left = min(box[0] for box in self.boxes)
        top, bottom = max(box[3] for box in self.boxes), min(box[1] for box in self.boxes)
        beside = [
            piece
            for piece in self.page.pieces
            if piece.bounds[2] < left + TOUCHES
            and bottom < piece.bounds[1]
            and piece.bounds[3] < top
        ]
        edge = min((piece.bounds[0] for piece in beside), default=0.0)
        found: list[tuple[PrintedText, str]] = []
        for piece in beside:
            if piece.text.strip().isdecimal() and piece.bounds[0] < edge + CENTRES:
                found.append((piece, ""))
            elif found:
                found[-1] = found[-1][0], f"{found[-1][1]} {piece.text}"
        return found

    def _question(self, line: Line, numbers: Sequence[tuple[PrintedText, str]]) -> tuple[int, str]:
        top, bottom = line.corners[0][1], line.corners[-1][1]
        asked = [
            (int(piece.text), text)
            for piece, text in numbers
            if bottom < (piece.bounds[1] + piece.bounds[3]) / 2 < top
        ]
        if len(asked) != 1:
            raise CardError(f"{len(asked)} questions stand beside one arrow; expected one.")
        return asked[0][0], " ".join(asked[0][1].split())


@lru_cache(maxsize=1)
def yes_and_no() -> dict[str, bool]:
    """The words for yes and no in every language."""
    spoken = [language_named(code).words for code in languages()]
    return {words["yes"]: True for words in spoken} | {words["no"]: False for words in spoken}


def _inside(inner: Bounds, outer: Bounds) -> bool:
    x, y = (inner[0] + inner[2]) / 2, (inner[1] + inner[3]) / 2
    return outer[0] < x < outer[2] and outer[1] < y < outer[3]


def _distance(bounds: Bounds, line: Line) -> float:
    """From a word to the first stretch of a line, which goes down; far if not beside it."""
    (x, top), (_, bottom) = line.corners[:2]
    beside = bounds[1] < top and bottom < bounds[3]
    aside = max(bounds[0] - x, x - bounds[2], 0.0)
    return aside if beside else aside + 1000.0

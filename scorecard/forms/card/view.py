"""The parts of a card as its template sees them: texts, ready to print."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class BoxView:
    """A total that can be reached: `kind` is out, in, undecided or on (go on)."""

    total: str
    kind: str
    symbol: str
    risk: str
    counts: str
    range: str


@dataclass(frozen=True, slots=True)
class Shown:
    """What the boxes of a card have room for beside their figure, the one number of a box.

    `usual` are the kinds of box with the usual word, because what the list calls its decision is
    too wide for one of them, `silent` those with their sign alone; `lines` is how many a word may
    take; `stops`: the totals at which one stops, where they have no column of their own.
    """

    usual: frozenset[str] = frozenset()
    silent: frozenset[str] = frozenset()
    lines: int = 2
    stops: Literal["", "limit", "at"] = ""


@dataclass(frozen=True, slots=True)
class Lines:
    """A box line by line: the figure with its symbol, what to do, and what stands below."""

    figure: str
    word: str
    below: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Chip:
    """A box on a back: sign and total, the risk, and what is behind it in parentheses."""

    lead: str
    figure: str
    behind: str

    @property
    def text(self) -> str:
        return " ".join(filter(None, (self.lead, self.figure, self.behind and f"({self.behind})")))


@dataclass(frozen=True, slots=True)
class GroupView:
    """A box on a card: one total or several, and what to do there.

    `mark` is a star at a risk within a limit where one does not stop. `word` is what the list calls
    what to do, with soft hyphens where it may be broken, `usual_word` what everybody does; `behind`
    is how many were seen ("5 of 105", "few seen"), `possible` with what one can still end ("final
    risk: 17–57 %"), `bound` what these show of a stop ("90 % sure:", "at most 4"), `limit` the stop
    this box is the limit of ("≤ 0"), and `at` the same with a word ("total ≤ 0").
    """

    totals: str
    lowest: int
    highest: int
    kind: str
    symbol: str
    risk: str
    mark: str
    word: str
    usual_word: str
    behind: str
    possible: str
    bound: tuple[str, ...]
    range: str
    limit: str
    at: str

    def chip(self, counts: bool, ranges: bool, totals: bool = True) -> Chip:
        """The box on a back, where boxes are in a row; on a path nobody knows a total."""
        seen = self.behind if counts or not self.risk else ""
        bound = " ".join(self.bound) if counts else ""
        behind = (seen, self.possible, bound or (self.range if ranges else ""))
        lead = f"{self.symbol} {self.totals}:" if totals else self.symbol
        return Chip(lead.strip(), self.figure + self.mark, "; ".join(filter(None, behind)))

    @property
    def figure(self) -> str:
        """The risk; a box with nothing to tell says what to do."""
        return self.risk or ("" if self.behind or self.possible else self.usual_word)

    def lines(self, shown: Shown) -> Lines:
        """What the box says on a card with this much room; to go on has its sign at its word."""
        goes_on = self.kind == "on" and self.kind not in shown.silent
        word = self.usual_word if self.kind in shown.usual else self.word
        word = "" if self.kind in shown.silent else word
        below = (
            "" if self.risk else self.behind,
            *self.possible.split(" ", 1),
            self._stop(shown),
        )
        # "→ 74" was read as "go to question 74".
        risk = self.risk + self.mark
        after = f"{risk} {self.symbol}" if self.kind == "on" else f"{self.symbol} {risk}"
        return Lines(
            risk if goes_on else after.strip(),
            f"{self.symbol} {word}".strip() if goes_on else word,
            tuple(filter(None, below)),
        )

    def _stop(self, shown: Shown) -> str:
        with_word = shown.stops == "at" and self.kind not in shown.silent
        return self.at if with_word else self.limit * bool(shown.stops)


@dataclass(frozen=True, slots=True)
class Cell:
    """A place in the grid: a box that spans so many columns, or nothing."""

    box: GroupView | None
    span: int = 1


@dataclass(frozen=True, slots=True)
class BoxGrid:
    """Boxes below their totals. Totals that no row keeps apart have one column, "7–9"."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class RowView:
    """A question, where to stop after it, and its boxes.

    `instead` is what is asked where it is unknown: "if unknown: Feels hot"; `note` is what is meant
    by it. `cells` has one per column or `None`, `boxes` has them in a row, `groups` has neighbours
    with few cases as one. `stops` are the totals at which one stops, each with its symbol.
    """

    number: str
    label: str
    condition: str
    points: str
    rule_out: str
    rule_in: str
    undecided: str
    stops: tuple[StopView, ...]
    cells: tuple[BoxView | None, ...]
    boxes: tuple[BoxView, ...]
    groups: tuple[GroupView, ...]
    instead: str = ""
    note: str = ""

    @property
    def question(self) -> str:
        """The question as it is read: label, condition, and what is asked instead."""
        return " ".join(filter(None, (self.label, self.condition, self.instead)))

    @property
    def has_figures(self) -> bool:
        return any(group.risk for group in self.groups)


@dataclass(frozen=True, slots=True)
class PathBox:
    """A box of the path: what it says, what is behind it, and where its arrows lead.

    `yes` and `no` are `None` where no arrow leaves.
    """

    kind: str
    heading: str
    below: tuple[str, ...]
    group: GroupView
    totals: tuple[int, ...]
    columns: tuple[int, int]
    yes: Way | None = None
    no: Way | None = None


@dataclass(frozen=True, slots=True)
class Way:
    """An arrow to a box of the next row: its place there, the column it goes to, and who takes it.

    `share` is how many of all cases take it, `None` where nobody was counted.
    """

    to: int
    column: int
    share: float | None


@dataclass(frozen=True, slots=True)
class PathView:
    """A list as a path to follow: rows of boxes, the first one before any question."""

    rows: tuple[tuple[PathBox, ...], ...]
    columns: int
    how: str
    note: str
    width_note: str

    @property
    def behind(self) -> tuple[tuple[str, tuple[GroupView, ...]], ...]:
        """The boxes after each question from left to right, where one of them has a risk."""
        rows = enumerate((tuple(box.group for box in row) for row in self.rows[1:]), 1)
        return tuple((str(number), row) for number, row in rows if any(box.risk for box in row))


@dataclass(frozen=True, slots=True)
class StopView:
    """Where one stops after a question: "▼ ≤ 0" is out, "▲ ≥ 6" is in, "◆ 2–4" is undecided."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class LegendView:
    """One entry of the legend: the look of a box and what it means."""

    kind: str
    symbol: str
    text: str

"""The sizes a card can be printed in: millimetres, sides, and the smallest type allowed.

Type sizes are in points. Nothing here is a default that gives way: a card whose text does not fit
at these sizes is refused, and the refusal names the next size.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from scorecard.printing.refusals import CardError

LayoutKind = Literal["staircase", "two-sided", "tally", "path"]
"""Boxes beside their questions; questions in front and boxes behind; a row per case; arrows."""
LAYOUTS = ("staircase", "path")
"""What can be asked for."""
BESIDE = ("staircase", "path")
"""Layouts that have their boxes in front."""
PATH_SIZES = ("a6", "a5", "a4", "letter")
POSTERS = ("a4", "letter")
Density = Literal["airy", "roomy", "easy", "snug", "close", "compact"]
"""From large type to the smallest; "airy" is for a small card with few questions."""
SHARES: dict[Density, float] = {
    "roomy": 1.0,
    "easy": 0.75,
    "snug": 0.5,
    "close": 0.25,
    "compact": 0.0,
}
AIRY = 1.2
"""Times the type of a roomy card."""
Detail = Literal["ranges", "counts", "figures"]
"""What stands behind each figure of a back: counts and range, counts alone, or nothing."""

STAIRCASE: tuple[LayoutKind, ...] = ("staircase", "two-sided")
FROM_A_METRE = 18.0
"""Points: type in the boxes of a poster that can be read from there."""
TALLY: tuple[LayoutKind, ...] = ("tally",)


@dataclass(frozen=True, slots=True)
class Type:
    """Type sizes in points: `small` is the smallest anywhere, `least` the smallest in tables."""

    body: float
    small: float
    label: float
    figure: float
    title: float
    least: float
    least_title: float = 0.0

    def at(self, density: Density) -> Type:
        """The same type with less difference between large and small; the smallest stays."""
        if density == "airy":
            names = ("body", "small", "label", "figure", "title")
            return replace(self, **{name: AIRY * getattr(self, name) for name in names})
        share = SHARES[density]

        def between(least: float, most: float) -> float:
            return least + share * max(0.0, most - least)

        return replace(
            self,
            body=between(self.least, self.body),
            label=between(self.least, self.label),
            figure=between(max(self.least, 9.0), self.figure),
            title=between(self.least_title or 0.75 * self.title, self.title),
        )


@dataclass(frozen=True, slots=True)
class CardSize:
    """A sheet of paper for one card; `layouts` are tried in this order."""

    name: str
    width: float
    height: float
    margin: float
    type: Type
    layouts: tuple[LayoutKind, ...] = STAIRCASE
    turns: bool = False
    max_questions: int = 100
    small: bool = False
    """Whether questions that only sharpen the risk are left out, and stops stand in their boxes."""
    full: bool = False
    """Whether there is room for what the list says about its use."""

    @property
    def densities(self) -> tuple[Density, ...]:
        """Which settings are worth trying: with small type there is nothing between the two."""
        if self.full:
            return tuple(SHARES)
        return ("airy", "roomy", *(() if self.small else ("snug",)), "compact")

    def turned(self) -> CardSize:
        return replace(self, width=self.height, height=self.width)


_CREDIT_TYPE = Type(body=7, small=7, label=8, figure=9.5, title=10.5, least=7)
_HAND_TYPE = Type(body=8, small=7, label=9, figure=10.5, title=12, least=8)
_A6_TYPE = Type(body=8, small=7, label=9.5, figure=11.5, title=15, least=8)
_A5_TYPE = Type(body=11, small=8, label=14, figure=18, title=26, least=9)
_A4_TYPE = Type(body=18, small=10, label=22, figure=30, title=44, least=10, least_title=40)
_TALLY_TYPE = Type(body=10, small=10, label=13, figure=17, title=26, least=10)

SIZES: dict[str, CardSize] = {
    size.name: size
    for size in (
        CardSize("credit-card", 85.6, 54, 3.5, _CREDIT_TYPE, max_questions=6, small=True),
        CardSize("badge", 101.6, 76.2, 5, _HAND_TYPE, max_questions=8, small=True),
        CardSize("a7", 105, 74, 5, _HAND_TYPE, turns=True, max_questions=8, small=True),
        CardSize("index", 127, 76.2, 5, _HAND_TYPE, max_questions=8, small=True),
        CardSize("a6", 148, 105, 5, _A6_TYPE, turns=True, max_questions=10),
        CardSize("a5", 210, 148, 9, _A5_TYPE, turns=True, max_questions=14, full=True),
        CardSize("a4", 297, 210, 12, _A4_TYPE, turns=True, max_questions=20, full=True),
        CardSize("letter", 279.4, 215.9, 12, _A4_TYPE, turns=True, max_questions=20, full=True),
        CardSize("tally", 297, 210, 12, _TALLY_TYPE, TALLY, max_questions=10, full=True),
        CardSize("tally-letter", 279.4, 215.9, 12, _TALLY_TYPE, TALLY, max_questions=10, full=True),
    )
}
LARGER = tuple(size.name for size in SIZES.values() if size.layouts != TALLY)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet of paper with several credit cards on it, to print on both sides and cut."""

    name: str
    width: float
    height: float
    columns: int
    rows: int

    @property
    def count(self) -> int:
        return self.columns * self.rows

    def places(self, card: CardSize, back: bool = False) -> tuple[tuple[float, float], ...]:
        """Left and top of each card; backs are mirrored, to be flipped on the long edge."""
        left = (self.width - self.columns * card.width) / 2
        top = (self.height - self.rows * card.height) / 2
        columns = range(self.columns)
        return tuple(
            (left + column * card.width, top + row * card.height)
            for row in range(self.rows)
            for column in (reversed(columns) if back else columns)
        )


SHEETS: dict[str, Sheet] = {
    "a4": Sheet("a4", 210, 297, 2, 4),
    "letter": Sheet("letter", 215.9, 279.4, 2, 5),
}


def size_named(name: str, orientation: str | None = None) -> CardSize:
    """The size with this name, lying or upright."""
    if name not in SIZES:
        raise CardError(f"{name!r} is not a card size; expected one of {', '.join(SIZES)}.")
    size = SIZES[name]
    if orientation not in (None, "landscape", "portrait"):
        raise CardError(f"{orientation!r} is not an orientation; say landscape or portrait.")
    if orientation != "portrait":
        return size
    if not size.turns:
        turning = ", ".join(one.name for one in SIZES.values() if one.turns)
        raise CardError(f"A {name} card is landscape only; portrait can be had for {turning}.")
    return size.turned()


def sheet_named(name: str) -> Sheet:
    """The sheet with this name, `a4` or `letter`."""
    if name not in SHEETS:
        raise CardError(f"{name!r} is not a sheet; expected one of {', '.join(SHEETS)}.")
    return SHEETS[name]


def larger_than(size: CardSize) -> tuple[str, ...]:
    """Names of the sizes after this one, smallest first."""
    if size.name not in LARGER:
        return ()
    return LARGER[LARGER.index(size.name) + 1 :]

"""The page of a card as its template sees it: measures, colours, and a sheet of several cards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from scorecard.forms.card.sizes import CardSize, Density, LayoutKind, Sheet
from scorecard.forms.card.view import BoxGrid, LegendView, Shown

if TYPE_CHECKING:
    from scorecard.forms.card.path_layout import PathPage

COLOURS = {
    "ink": "#111111",
    "quiet": "#343b42",
    "line": "#9aa3ac",
    "out": "#0b4f8a",
    "out_ink": "#ffffff",
    "out_text": "#0b4f8a",
    "out_tint": "#e7f0f8",
    "in": "#f7ab63",
    "in_ink": "#111111",
    "in_line": "#8f3d00",
    "in_text": "#8f3d00",
    "in_tint": "#fdf0e3",
    "on": "#eef1f3",
    "box_line": "#9aa3ac",
    "end": "#e6e7e3",
    "ribbon": "#d4dbe1",
    "warning": "#111111",
}


@dataclass(frozen=True, slots=True)
class Page:
    """The paper of a card as a template sees it: all measures are CSS lengths."""

    name: str
    layout: LayoutKind
    density: Density
    tight: bool
    sides: int
    full: bool
    pocket: bool
    shown: Shown
    further: bool
    about_behind: bool
    counts_behind: bool
    ranges_behind: bool
    behind: tuple[str, ...]
    names: tuple[LegendView, ...]
    width: str
    height: str
    margin: str
    inner_width: str
    inner_height: str
    body: str
    small: str
    label: str
    figure: str
    title: str
    how: str
    rules: str
    number_width: str
    points_width: str
    stop_width: str
    row_height: str
    columns: tuple[TotalColumn, ...]
    grid: BoxGrid | None
    across: int
    colours: dict[str, str]
    tally_rows: tuple[str, ...] = ()
    tally_row: str = ""
    sheet: SheetView | None = None
    path: PathPage | None = None
    limits_in_front: bool = False
    """Whether the limits are told in full in front, and not on the back."""
    counted_where: bool = False
    """Whether the back says in full of whom the counts are."""
    beside: bool = False
    """Whether the boxes are in front."""
    back: Density | None = None
    back_body: str = ""
    back_label: str = ""
    back_small: str = ""


@dataclass(frozen=True, slots=True)
class TotalColumn:
    """A total at the head of its column of boxes."""

    total: str
    width: str


@dataclass(frozen=True, slots=True)
class SheetView:
    """A sheet of cards: places of the fronts and the backs, and crop marks."""

    name: str
    width: str
    height: str
    fronts: tuple[Place, ...]
    backs: tuple[Place, ...]
    marks: tuple[Mark, ...]
    ruler_left: str
    ruler_top: str
    text_left: str


@dataclass(frozen=True, slots=True)
class Place:
    left: str
    top: str


@dataclass(frozen=True, slots=True)
class Mark:
    left: str
    top: str
    width: str
    height: str


def on_sheet(page: Page, size: CardSize, sheet: Sheet) -> Page:
    """The same page, several times on a sheet with crop marks and a ruler line."""
    left, top = sheet.places(size)[0]
    return replace(
        page,
        sheet=SheetView(
            name=sheet.name,
            width=mm(sheet.width),
            height=mm(sheet.height),
            fronts=tuple(Place(mm(x), mm(y)) for x, y in sheet.places(size)),
            backs=tuple(Place(mm(x), mm(y)) for x, y in sheet.places(size, back=True)),
            marks=tuple(_crop_marks(size, sheet)),
            ruler_left=mm(left - 5.8),
            text_left=mm(left - 16.8),
            ruler_top=mm(top + (sheet.rows * size.height - 50) / 2),
        ),
    )


def _crop_marks(size: CardSize, sheet: Sheet) -> Iterator[Mark]:
    """Short lines outside the block of cards; the cards themselves stay clean."""
    left, top = sheet.places(size)[0]
    right, bottom = left + sheet.columns * size.width, top + sheet.rows * size.height
    for column in range(sheet.columns + 1):
        x = left + column * size.width
        yield from (Mark(mm(x), mm(y), "0.2mm", "3mm") for y in (top - 4, bottom + 1))
    for row in range(sheet.rows + 1):
        y = top + row * size.height
        yield from (Mark(mm(x), mm(y), "3mm", "0.2mm") for x in (left - 4, right + 1))


def greys(colours: dict[str, str]) -> dict[str, str]:
    """Each colour as a photocopier sees it."""
    return {name: _grey(colour) for name, colour in colours.items()}


def _grey(colour: str) -> str:
    red, green, blue = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    level = round(0.299 * red + 0.587 * green + 0.114 * blue)
    return f"#{level:02x}{level:02x}{level:02x}"


def mm(length: float) -> str:
    return f"{length:.2f}mm"


def pt(length: float) -> str:
    return f"{length:.2f}pt"

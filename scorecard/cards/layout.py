"""How a card lies on its paper: measures and colours as text for the templates.

Only the measures of the table are worked out; everything else is left to the page layout, and
`checks` looks at the result.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from scorecard.cards.heights import height_of_the_rest, natural_row, row_height
from scorecard.cards.sizes import Density, Detail, LayoutKind, Sheet, Size
from scorecard.cards.view import CardView
from scorecard.cards.widths import (
    box_widths,
    names_below,
    number_width,
    points_width,
    stop_width,
)
from scorecard.printing.refusals import NoRoomError

TALLY_ROW = 7.0  # millimetres: enough for a pen

COLOURS = {
    "ink": "#111111",
    "quiet": "#454d55",
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
    counts: bool
    ranges: bool
    limits_in_front: bool
    names_below: bool
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
    number_width: str
    points_width: str
    stop_width: str
    row_height: str
    columns: tuple[Column, ...]
    colours: dict[str, str]
    tally_rows: tuple[str, ...] = ()
    tally_row: str = ""
    sheet: SheetView | None = None


@dataclass(frozen=True, slots=True)
class Column:
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


def page_for(
    view: CardView,
    size: Size,
    layout: LayoutKind,
    density: Density = "roomy",
    detail: Detail | None = None,
    limits_in_front: bool = False,
    grey: bool = False,
) -> Page:
    """The page of a card in one layout; refused where it is plain that it cannot fit.

    `detail` is what stands behind each figure, the most this size may have unless said;
    `limits_in_front` puts the limits on the side of the questions, where the back is full.
    """
    detail = detail or size.details[0]
    face = size.type.at(density)
    widths = (
        box_widths(view, size, face, layout) if layout in ("staircase", "staircase-behind") else []
    )
    return Page(
        name=size.name,
        layout=layout,
        density=density,
        tight=density == "compact",
        sides=1 if layout == "staircase" else 2,
        full=size.full,
        counts=detail != "figures",
        ranges=detail == "ranges",
        limits_in_front=limits_in_front,
        names_below=names_below(view, size),
        width=_mm(size.width),
        height=_mm(size.height),
        margin=_mm(size.margin),
        inner_width=_mm(size.width - 2 * size.margin),
        inner_height=_mm(size.height - 2 * size.margin - 0.1),
        body=_pt(face.body),
        small=_pt(face.small),
        label=_pt(face.label),
        figure=_pt(face.figure),
        title=_pt(face.title),
        number_width=_mm(number_width(size)),
        points_width=_mm(points_width(view, size)),
        stop_width=_mm(stop_width(view, size, layout)),
        row_height=_mm(_row_height(view, size, layout, density, limits_in_front)),
        columns=tuple(map(Column, view.columns, map(_mm, widths))),
        colours=_greys(COLOURS) if grey else dict(COLOURS),
        tally_rows=_tally_rows(view, size, density) if layout == "tally" else (),
        tally_row=_mm(TALLY_ROW),
    )


def _row_height(
    view: CardView, size: Size, layout: LayoutKind, density: Density, limits_in_front: bool
) -> float:
    # The front of a card may have room where its back has none; a staircase has one side only.
    if layout == "tally" or (layout == "staircase" and density != "roomy"):
        return 0.0
    return row_height(view, size, density, layout, limits_in_front)


def _tally_rows(view: CardView, size: Size, density: Density) -> tuple[str, ...]:
    """As many rows for cases as there is room for below the questions; fewer on each new try."""
    face, fewer = size.type.at(density), {"roomy": 0, "snug": 3, "compact": 6}[density]
    room = size.height - 2 * size.margin - height_of_the_rest(view, size, density, "tally")
    rows = (
        int((room - len(view.rows) * natural_row(density, face, "tally") - 14) / TALLY_ROW) - fewer
    )
    if rows < 5:
        raise NoRoomError("less than five rows are left for cases")
    return tuple(str(number) for number in range(1, rows + 1))


def on_sheet(page: Page, size: Size, sheet: Sheet) -> Page:
    """The same page, several times on a sheet with crop marks and a ruler line."""
    left, top = sheet.places(size)[0]
    return replace(
        page,
        sheet=SheetView(
            name=sheet.name,
            width=_mm(sheet.width),
            height=_mm(sheet.height),
            fronts=tuple(Place(_mm(x), _mm(y)) for x, y in sheet.places(size)),
            backs=tuple(Place(_mm(x), _mm(y)) for x, y in sheet.places(size, back=True)),
            marks=tuple(_crop_marks(size, sheet)),
            ruler_left=_mm(left - 5.8),
            text_left=_mm(left - 16.8),
            ruler_top=_mm(top + (sheet.rows * size.height - 50) / 2),
        ),
    )


def _crop_marks(size: Size, sheet: Sheet) -> Iterator[Mark]:
    """Short lines outside the block of cards; the cards themselves stay clean."""
    left, top = sheet.places(size)[0]
    right, bottom = left + sheet.columns * size.width, top + sheet.rows * size.height
    for column in range(sheet.columns + 1):
        x = left + column * size.width
        yield from (Mark(_mm(x), _mm(y), "0.2mm", "3mm") for y in (top - 4, bottom + 1))
    for row in range(sheet.rows + 1):
        y = top + row * size.height
        yield from (Mark(_mm(x), _mm(y), "3mm", "0.2mm") for x in (left - 4, right + 1))


def _greys(colours: dict[str, str]) -> dict[str, str]:
    """Each colour as a photocopier sees it."""
    return {name: _grey(colour) for name, colour in colours.items()}


def _grey(colour: str) -> str:
    red, green, blue = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    level = round(0.299 * red + 0.587 * green + 0.114 * blue)
    return f"#{level:02x}{level:02x}{level:02x}"


def _mm(length: float) -> str:
    return f"{length:.2f}mm"


def _pt(length: float) -> str:
    return f"{length:.2f}pt"

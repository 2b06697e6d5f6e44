"""Does everything on a printed side lie in its place: on the paper, in its box, over nothing else?

What does not is told as a person would: the side is so many millimetres too short, or a word is too
wide.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import ceil

from scorecard.printing.pdf_to_text import POINTS_PER_MM, Bounds, Piece, PrintedPage
from scorecard.printing.refusals import NoRoomError

SLACK = 0.6  # points: strokes are centred on their path, glyphs reach a little over their line
OVERHANG = 0.06  # em: a "j" begins to the left of its place
EDGE = 2.0  # millimetres of paper that stay free of text
LONGEST_QUOTE = 30


def check_places(printed: PrintedPage, side: str) -> None:
    """Refuse a page on which text overlaps, runs out of its box or over the edge.

    Raises
    ------
    NoRoomError
        With what is too short or too wide; `side` is how the page is called there.
    """
    _check_edges(printed, side)
    _check_overlaps(printed, side)


def _check_edges(printed: PrintedPage, side: str) -> None:
    edge = EDGE * POINTS_PER_MM
    right, top = printed.width * POINTS_PER_MM - edge, printed.height * POINTS_PER_MM - edge
    if printed.lowest < edge:
        raise _too_short(printed, side)
    for piece in printed.pieces:
        if not _is_inside(piece.bounds, (edge, edge, right, top)):
            raise _too_wide(piece)


def _check_overlaps(printed: PrintedPage, side: str) -> None:
    shrunk = [(piece, _shrunk(piece)) for piece in printed.pieces]
    for (one, first), (other, second) in _neighbours(shrunk):
        if _meet(first, second):
            wide = _on_one_line(one, other) and _both_in_tables_or_not(one, other, printed)
            raise _too_wide(one) if wide else _too_short(printed, side)
    for piece, bounds in shrunk:
        if any(_meet(bounds, picture) for picture in printed.pictures):
            raise NoRoomError(f"{in_quotes(piece.text)} runs into a picture")
    shapes = sorted(set(printed.shapes), key=lambda bounds: bounds[1])
    for piece, bounds in shrunk:
        for shape in shapes:
            if shape[1] > bounds[3]:
                break
            if _meet(bounds, shape) and not _is_inside(bounds, shape):
                inside = shape[1] <= bounds[1] and bounds[3] <= shape[3]
                raise _too_wide(piece) if inside else _too_short(printed, side)


def _too_wide(piece: Piece) -> NoRoomError:
    return NoRoomError(f"{in_quotes(piece.text)} is too wide for its place")


def _too_short(printed: PrintedPage, side: str) -> NoRoomError:
    missing = _missing_height(printed)
    if missing <= 0:
        return NoRoomError(f"{side} is too short")
    return NoRoomError(f"{side} is about {missing} mm too short", missing)


def _missing_height(printed: PrintedPage) -> int:
    """Millimetres by which the last row reaches below the start of the sentences at the bottom."""
    last = max(
        (place for place, one in enumerate(printed.pieces) if one.mark in printed.table_marks),
        default=len(printed.pieces),
    )
    below = [piece.bounds[3] for piece in printed.pieces[last + 1 :]]
    table = [piece.bounds[1] for piece in printed.pieces[: last + 1]]
    if not below or not table:
        return 0
    off_paper = printed.lowest < 0
    return ceil((max(below) - (printed.lowest if off_paper else min(table))) / POINTS_PER_MM)


Placed = tuple[Piece, Bounds]


def _neighbours(pieces: Iterable[Placed]) -> Iterator[tuple[Placed, Placed]]:
    """Pairs whose heights meet; the others cannot overlap."""
    ordered = sorted(pieces, key=lambda placed: placed[1][1])
    for place, one in enumerate(ordered):
        for other in ordered[place + 1 :]:
            if other[1][1] >= one[1][3]:
                break
            yield one, other


def _on_one_line(one: Piece, other: Piece) -> bool:
    return abs(one.bounds[1] - other.bounds[1]) < SLACK


def _both_in_tables_or_not(one: Piece, other: Piece, printed: PrintedPage) -> bool:
    # A row and a sentence below the table that meet on a line do so because the side is too short.
    return (one.mark in printed.table_marks) == (other.mark in printed.table_marks)


def _shrunk(piece: Piece) -> Bounds:
    left, bottom, right, top = piece.bounds
    aside = max(SLACK, OVERHANG * piece.points)
    return left + aside, bottom + SLACK, right - aside, top - SLACK


def _meet(one: Bounds, other: Bounds) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _is_inside(inner: Bounds, outer: Bounds) -> bool:
    return (
        inner[0] >= outer[0]
        and inner[1] >= outer[1]
        and inner[2] <= outer[2]
        and inner[3] <= outer[3]
    )


def in_quotes(text: str) -> str:
    """The beginning of a text for a message, on one line and with plain spaces."""
    plain = " ".join(text.split())
    return repr(plain if len(plain) <= LONGEST_QUOTE else f"{plain[: LONGEST_QUOTE - 1]}…")

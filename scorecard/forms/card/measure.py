"""How wide and how high text is, roughly: the widths of columns, the height of rows.

The page layout has the last word, and `verify` looks at what it made; these figures choose what to
try, and leave out what is plainly too much.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import ceil

from scorecard.forms.card.contents import CardView
from scorecard.forms.card.sizes import CardSize, Density, Detail, Type
from scorecard.forms.card.view import BoxGrid, Cell, GroupView, RowView, Shown
from scorecard.printing.refusals import NoRoomError
from scorecard.words.hyphens import SOFT_HYPHEN

MM_PER_POINT = 25.4 / 72
LINE = 1.18  # of the type, in sentences
NARROWEST_QUESTION = 8.5  # em
USUAL_QUESTION = 15.0  # em
FAIR_QUESTION = 11.0  # em: as long as questions have it, no word in a box is broken into lines
BESIDE_WORDS = 1.7  # millimetres of frame and margin on both sides of a box
HEAVY_FRAME = 0.6  # so much more of ▲
MANY = 9  # lines: more than any box may have
PLAINLY = 1.05  # so much over the estimate is not worth a try

# Advance widths of Source Sans in hundredths of an em; other letters are taken as wide as an "m".
_REGULAR = {
    0: "\u00ad\u200b",
    20: " \xa0", 25: "',.:;ij·í’|", 26: "Il", 29: "!f", 30: "()[]{}-", 34: "t°", 35: "/\\r",
    42: '"*?sz“”„', 46: "cçx", 47: "vy", 49: "FLkJY–", 50: "#$+0123456789<=>^_aeg~≥≤−×äéèêàá",
    53: "ESXV", 54: "ATZ`houöüÄó", 56: "bnñdpq", 58: "CPRKß", 61: "B&DG→", 66: "HNUÜOQÖ", 73: "wM",
    79: "W", 83: "%m@", 90: "▼▲◆", 95: "…",
}  # fmt: skip
_BOLD = {
    0: "\u00ad\u200b",
    20: " \xa0", 28: "ijí|", 30: "l',.:;I·’", 34: "!()/[\\]f{}-", 38: "t°", 40: "r", 44: "s",
    47: "*?zcç", 50: "_–", 53: "#$+0123456789<=>Y^ag~≥≤−×äàáFLevyéèêJx", 55: 'EkZ"“”„',
    57: "STV`oöóAXbdhnpquüÄñ", 60: "CBPKR", 64: "ßDG→", 68: "&HNUÜOQÖ", 77: "Mw", 81: "W",
    87: "%m", 89: "▼▲◆@", 98: "…",
}  # fmt: skip
_WIDTHS, _BOLD_WIDTHS = (
    {letter: width / 100 for width, letters in table.items() for letter in letters}
    for table in (_REGULAR, _BOLD)
)


@lru_cache(maxsize=8192)  # a card is measured many times over until it fits
def text_width(text: str, points: float, bold: bool = False) -> float:
    """The width of a line in millimetres."""
    widths = _BOLD_WIDTHS if bold else _WIDTHS
    return sum(widths.get(letter, 0.83) for letter in text) * points * MM_PER_POINT


def text_height(texts: Iterable[str], points: float, width: float) -> float:
    """The height of paragraphs in millimetres."""
    return sum(lines_of(text, points, width) for text in texts) * points * LINE * MM_PER_POINT


def lines_of(text: str, points: float, width: float, bold: bool = False) -> int:
    # A line is not filled to its end: the next word is too long for it.
    return ceil(text_width(text, points, bold) * 1.04 / width) if text else 0


def inner_width(size: CardSize) -> float:
    return size.width - 2 * size.margin


def inner_height(size: CardSize) -> float:
    return size.height - 2 * size.margin


# Columns ------------------------------------------------------------------------------------------


def number_width(face: Type) -> float:
    return 1.7 * face.body * MM_PER_POINT


def points_width(view: CardView, face: Type) -> float:
    widest = max(
        text_width(row.points, face.figure, bold=True) for row in (*view.rows, *view.further)
    )
    return max(text_width(view.words["points"], face.body), widest) + 1.0


def stop_width(view: CardView, face: Type, beside: bool) -> float:
    """The column of stops, below each other or `beside`; 0 where nobody ever stops."""
    rows = [
        [text_width(stop.text, face.body, bold=True) + 1.2 for stop in row.stops]
        for row in view.rows
    ]
    if not any(rows):
        return 0.0
    widest = max(sum(row) if beside else max(row) for row in rows if row)
    return max(widest, text_width(view.words["stop"], face.body) + 1.2)


def fixed_width(view: CardView, face: Type) -> float:
    """The columns beside questions and boxes: number and points."""
    return number_width(face) + points_width(view, face)


def box_widths(
    view: CardView, size: CardSize, face: Type, grid: BoxGrid, shown: Shown
) -> list[float]:
    """The widths of the columns of boxes; questions beside them need their share of room."""
    em = face.body * MM_PER_POINT
    stops = 0.0 if shown.stops else stop_width(view, face, beside=False)
    room = inner_width(size) - fixed_width(view, face) - stops
    widths = _fair_widths(grid, face, shown, room - FAIR_QUESTION * em)
    least = sum(widths)
    if least > room - NARROWEST_QUESTION * em:
        raise NoRoomError(
            f"the {len(widths)} totals side by side need {least:.0f} mm and there are"
            f" {max(0.0, room - NARROWEST_QUESTION * em):.0f} mm"
        )
    even = min(1.25 * max(widths), max(0.0, room - USUAL_QUESTION * em) / len(widths))
    return [max(width, even) for width in widths] if even * len(widths) >= least else widths


def _fair_widths(grid: BoxGrid, face: Type, shown: Shown, room: float) -> list[float]:
    """Words on one line in as many columns as the room allows, else on as many as they may take."""
    whole, widths = (_least_widths(grid, face, shown, lines) for lines in (1, shown.lines))
    gains = [one - two for one, two in zip(whole, widths, strict=True)]
    for place in sorted(range(len(gains)), key=gains.__getitem__):
        if sum(widths) + gains[place] <= room:
            widths[place] = whole[place]
    return widths


def _least_widths(grid: BoxGrid, face: Type, shown: Shown, lines: int) -> list[float]:
    widths = [text_width(total, face.label, bold=True) + 1.0 for total in grid.columns]
    placed = [place for row in grid.rows for place in _placed(row)]
    for first, cell in sorted(placed, key=lambda place: place[1].span):
        assert cell.box is not None
        across = slice(first, first + cell.span)
        missing = box_width(cell.box, face, shown, lines) - sum(widths[across])
        if missing > 0:
            widths[across] = [width + missing / cell.span for width in widths[across]]
    return widths


def _placed(row: Sequence[Cell]) -> Iterable[tuple[int, Cell]]:
    place = 0
    for cell in row:
        if cell.box is not None:
            yield place, cell
        place += cell.span


def box_width(box: GroupView, face: Type, shown: Shown, lines: int) -> float:
    """The least width of a box whose word may take so many lines."""
    said = box.lines(shown)
    wide = text_width(said.figure, face.figure, bold=True)
    if box.kind == "on":
        word = text_width(said.word, face.body)
    else:
        word = width_in_lines(said.word, face.body, lines)
    below = (text_width(line, face.body) for line in said.below)
    frame = HEAVY_FRAME if box.kind == "in" else 0.0
    return max(wide, word, *below, 0.0) + beside_words(face) + frame


def beside_words(face: Type) -> float:
    """Frame and margin on both sides of a box: more around larger type."""
    return BESIDE_WORDS + 0.25 * (face.figure - 8) * MM_PER_POINT


def width_in_lines(text: str, points: float, lines: int = 2) -> float:
    """The least width at which a text takes no more lines than this."""
    parts = _parts(text)
    widths = sorted(
        {
            text_width(_line(parts[start:end]), points, bold=True)
            for start in range(len(parts))
            for end in range(start + 1, len(parts) + 1)
        }
    )
    # Rounding must not break a line that is as wide as its box.
    fitting = (one for one in widths if len(lines_in(text, points, one + 0.01)) <= lines)
    return next(fitting, widths[-1] if widths else 0.0)


def lines_in(text: str, points: float, width: float) -> list[str]:
    """The lines of a bold text in this width: broken at spaces and soft hyphens alone."""
    lines: list[str] = []
    left = _parts(text)
    while left:
        count = len(left)
        while count > 1 and text_width(_line(left[:count]), points, bold=True) > width:
            count -= 1
        if text_width(_line(left[:count]), points, bold=True) > width:
            return [text] * MANY  # a part wider than this breaks wherever it can
        lines.append(_line(left[:count]))
        left = left[count:]
    return lines


def _parts(text: str) -> list[str]:
    """What is never broken, each with the space or soft hyphen behind it."""
    return re.findall(rf"[^ {SOFT_HYPHEN}]+[ {SOFT_HYPHEN}]?", text)


def _line(parts: Sequence[str]) -> str:
    """Parts as they are printed on a line: with a hyphen at its end if a word goes on."""
    text = "".join(parts)
    return f"{text.replace(SOFT_HYPHEN, '')}{'-' * text.endswith(SOFT_HYPHEN)}".rstrip()


# Heights ------------------------------------------------------------------------------------------


def row_height(
    row: RowView,
    face: Type,
    question_width: float,
    shown: Shown,
    cells: Sequence[Cell] = (),
    widths: Sequence[float] = (),
) -> float:
    """A row is as high as its question or its highest box; `widths` are those of its columns."""
    boxes = [
        box_height(cell.box, face, shown, sum(widths[first : first + cell.span]))
        for first, cell in _placed(cells)
        if cell.box
    ]
    lines = sum(
        lines_of(text, face.label, question_width, bold=True)
        for text in (f"{row.label} {row.condition}".strip(), row.instead)
        if text
    )
    asked = lines * face.label * 1.1
    stops = len(row.stops) * face.body * 1.05 if cells and not shown.stops else 0.0
    return max(max(asked, stops) * MM_PER_POINT + 0.8, *boxes, 0.0)


def box_height(box: GroupView, face: Type, shown: Shown, width: float) -> float:
    lines = box.lines(shown)
    height = face.figure * bool(lines.figure) + face.body * len(lines.below)
    if lines.word:
        frame = HEAVY_FRAME if box.kind == "in" else 0.0
        inside = width - beside_words(face) - frame + 0.02
        count = 1 if box.kind == "on" else len(lines_in(lines.word, face.body, inside))
        height += face.body * min(count, shown.lines)
    return height * MM_PER_POINT + 1.5


def chips_height(
    view: CardView, size: CardSize, density: Density, further: bool, detail: Detail
) -> float:
    """The rows of boxes on a back."""
    face, tight = size.type.at(density), density == "compact"
    room = inner_width(size) - number_width(face) - 0.6
    line = face.body * 1.08 * MM_PER_POINT + (0.45 if tight else 0.8)
    rows = (*view.rows, *view.further) if further else view.rows
    lines = sum(_lines_of_chips(row.groups, face, room, tight, detail) for row in rows)
    # The frame of ▲ is heavier.
    with_in = sum(any(box.kind == "in" for box in row.groups) for row in rows)
    framed = with_in * (0.2 if tight else 0.6)
    return lines * line + len(rows) * (0.3 if tight else 0.8) + framed


def _lines_of_chips(
    boxes: Sequence[GroupView], face: Type, room: float, tight: bool, detail: Detail
) -> int:
    lines, left = 1, room
    for box in boxes:
        chip = box.chip(detail != "figures", detail == "ranges")
        width = text_width(f"{chip.lead} ({chip.behind})", face.body)
        width += text_width(chip.figure, face.body, bold=True)
        width += 1.4 if tight else 2.7
        if width > left:
            lines, left = lines + 1, room
        left -= width
    return lines

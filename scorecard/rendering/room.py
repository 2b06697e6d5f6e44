"""How much room text takes, roughly: column widths, and the room that is left for the rows.

The page layout has the last word, and `checks` looks at what it made; these figures choose what to
try first.
"""

from __future__ import annotations

from math import ceil

from scorecard.rendering.card import BoxView, CardView
from scorecard.rendering.refusals import NoRoomError
from scorecard.rendering.sizes import LayoutKind, Size, Type

MM_PER_POINT = 25.4 / 72
NARROWEST_QUESTION = 9  # em


def box_widths(view: CardView, size: Size, face: Type) -> list[float]:
    """The widths of the columns of boxes; the column of the questions needs its share of room."""
    room = size.width - 2 * size.margin - fixed_width(view, size)
    widths = [
        max(_box_width(row.cells[place], face) for row in view.rows)
        for place in range(len(view.columns))
    ]
    least = sum(widths)
    spare = room - NARROWEST_QUESTION * em(size) - least
    if spare < 0:
        raise NoRoomError(
            f"the {len(widths)} totals side by side need {least:.0f} mm beside the questions and"
            f" there are {max(0, least + spare):.0f} mm"
        )
    even = min(max(widths), max(0.0, room - 17 * em(size)) / len(widths))
    return [max(width, even) for width in widths] if even * len(widths) >= least else widths


def _box_width(box: BoxView | None, face: Type) -> float:
    if box is None:
        return 2.2 * face.body * MM_PER_POINT
    symbol = text_width(f"{box.symbol} ", face.body, bold=True) if box.symbol else 0.0
    lines = (
        symbol + text_width(box.risk, face.figure, bold=True),
        text_width(f"{box.counts}{box.few}", face.body),
        text_width(box.range, face.body),
    )
    return max(lines) + 1.5


def fixed_width(view: CardView, size: Size) -> float:
    """The columns beside questions and boxes: number, points, stops."""
    stops = 3 if view.has_undecided_stops else 2
    return number_width(size) + points_width(view, size) + stops * stop_width(view, size)


def number_width(size: Size) -> float:
    return 1.7 * em(size)


def points_width(view: CardView, size: Size) -> float:
    return max(text_width(view.words.points, size.type.body), 2.4 * em(size)) + 0.8


def stop_width(view: CardView, size: Size) -> float:
    heads = [f"▼ {view.words.stop}", *view.words.rule_out.split(), *view.words.rule_in.split()]
    cells = [text for row in view.rows for text in (row.rule_out, row.rule_in)]
    if view.has_undecided_stops:
        heads += view.words.undecided.split()
        cells += [row.undecided for row in view.rows]
    needed = max(text_width(text, size.type.body) for text in heads)
    bold = max(text_width(text, size.type.label, bold=True) for text in cells)
    # Long decision words are broken rather than allowed to push the questions aside.
    return max(min(needed, 5.6 * em(size)), bold) + 0.8


def row_height(view: CardView, size: Size, face: Type, layout: LayoutKind) -> float:
    """How high a row of questions may be without pushing anything off the page; 0 for as it is."""
    room = size.height - 2 * size.margin - height_of_the_rest(view, size, face, layout)
    natural = natural_row(face, layout)
    height = min(0.92 * room / len(view.rows) - 0.4, 1.5 * natural)
    return height if height > natural else 0.0


def natural_row(face: Type, layout: LayoutKind) -> float:
    if layout != "staircase":
        return face.figure * 1.05 * MM_PER_POINT + 1.2
    lines = face.figure + 2 * face.body
    return max(lines * 0.94, 2.4 * face.label) * MM_PER_POINT + 1.3


def height_of_the_rest(view: CardView, size: Size, face: Type, layout: LayoutKind) -> float:
    width = size.width - 2 * size.margin
    head = text_height((view.title,), face.title * 1.1, width * 0.7)
    head += text_height((view.subtitle, f"{view.outcome} · {view.audience}"), face.body, width)
    head += text_height(view.warnings, face.body, width) + len(view.warnings)
    table_head = 2.2 * face.body * MM_PER_POINT + 2.5
    if layout != "staircase":
        rules = (f"{view.undecided} {view.unknown}",)
        return head + table_head + text_height(rules, face.body, width) + 2
    rules = (f"{view.how} {view.unknown} {view.undecided}",)
    legend = (
        " " * 12 + "".join(entry.text + " " * 12 for entry in view.legend) + " ".join(view.marks),
    )
    source = (
        f"{view.source} {view.figures_short} {view.validation} {view.judgement}"
        f" {view.remark} {view.identity}"
    )
    foot = (
        (view.box_note, *view.notes, view.performance, view.limits, source)
        if size.full
        else (f"{view.box_note} {view.limits_short} {' '.join(view.notes)}", source)
    )
    below = text_height(rules + legend, face.body, width) + text_height(foot, face.small, width)
    return head + table_head + below + 4


def text_height(texts: tuple[str, ...], points: float, width: float) -> float:
    """The height of paragraphs in millimetres."""
    lines = sum(ceil(text_width(text, points) * 1.03 / width) for text in texts if text)
    return lines * points * 1.18 * MM_PER_POINT


def em(size: Size) -> float:
    return size.type.body * MM_PER_POINT


# Advance widths of Source Sans in em; other letters are taken a little wider than they are.
_WIDTHS = {"/": 0.35, " ": 0.2, "–": 0.48, "*": 0.46, "°": 0.37, "▼": 0.89, "▲": 0.89, "◆": 0.89}
_WIDTHS |= {"→": 0.62, "i": 0.28, "l": 0.29, "t": 0.38, "m": 0.86, ".": 0.3, ",": 0.3}


def text_width(text: str, points: float, bold: bool = False) -> float:
    other = 0.53 if bold else 0.5
    return sum(_WIDTHS.get(letter, other) for letter in text) * points * MM_PER_POINT

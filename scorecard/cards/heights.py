"""How high text is, roughly: the room for rows, and what is plainly too much for a side.

As with widths, these figures choose what to try; `checks` looks at what came of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from scorecard.cards.sizes import Density, Detail, LayoutKind, Size, Type
from scorecard.cards.view import BoxView, CardView
from scorecard.cards.widths import (
    MM_PER_POINT,
    fixed_width,
    names_below,
    number_width,
    text_width,
)

PLAINLY = 1.04  # so much over the estimate is not worth a try


def row_height(
    view: CardView, size: Size, density: Density, layout: LayoutKind, limits_in_front: bool = False
) -> float:
    """How high a row of questions may be without pushing anything off the page; 0 for as it is."""
    face = size.type.at(density)
    room = _inner_height(size) - height_of_the_rest(view, size, density, layout)
    room -= _second_lines(view, size, face, layout)
    room -= _height_of_limits(view, size, face) if limits_in_front else 0.0
    natural = natural_row(density, face, layout)
    height = min(0.92 * room / len(view.rows) - 0.4, 1.5 * natural)
    return height if height > natural else 0.0


def _height_of_limits(view: CardView, size: Size, face: Type) -> float:
    text = " ".join((view.limits_short, *view.notes_short))
    return text_height((text,), face.body, _inner_width(size))


def is_plainly_too_high(
    view: CardView,
    size: Size,
    layout: LayoutKind,
    density: Density,
    detail: Detail,
    limits_in_front: bool = False,
) -> bool:
    """Whether the risks and the sentences below them are too much for the back of a card."""
    needed = _height_of_back(view, size, layout, density, detail, limits_in_front)
    return needed > PLAINLY * _inner_height(size)


def _height_of_back(
    view: CardView,
    size: Size,
    layout: LayoutKind,
    density: Density,
    detail: Detail,
    limits_in_front: bool,
) -> float:
    face, width, tight = size.type.at(density), _inner_width(size), density == "compact"
    line = face.body * 1.08 * MM_PER_POINT
    table = (
        len(view.rows) * natural_row(density, face, "staircase") + 2 * line
        if layout == "staircase-behind"
        else _height_of_chips(view, size, density, detail)
    )
    head = text_height(("x",), face.label if tight else face.title, width) + (0 if tight else line)
    marks = " ".join((*view.marks, "" if tight else " " * 60))
    limits = (
        "" if limits_in_front or size.full else " ".join((view.limits_short, *view.notes_short))
    )
    below = (f"{marks} {limits}",) if tight else (marks, limits)
    return head + table + text_height((*below, _source(view)), face.small, width) + 1.5


def _height_of_chips(view: CardView, size: Size, density: Density, detail: Detail) -> float:
    face, tight = size.type.at(density), density == "compact"
    room = _inner_width(size) - number_width(size) - 0.6
    line = face.body * 1.08 * MM_PER_POINT
    rows = [row.groups if detail == "ranges" else row.short_groups for row in view.rows]
    lines = sum(_lines_of_boxes(row, face, room, density, detail) for row in rows)
    return lines * (line + (0.3 if tight else 0.6)) + len(rows) * (0.3 if tight else 1.0)


def _lines_of_boxes(
    boxes: Sequence[BoxView], face: Type, room: float, density: Density, detail: Detail
) -> int:
    around = 1.5 if density == "compact" else 2.9
    lines, left = 1, room
    for box in boxes:
        width = _box_in_a_row(box, face, detail) + around
        if width > left:
            lines, left = lines + 1, room
        left -= width
    return lines


def _box_in_a_row(box: BoxView, face: Type, detail: Detail) -> float:
    behind = {"ranges": f" ({box.counts}; {box.range})", "counts": f" ({box.counts})"}
    plain = f"{box.symbol} {box.total}: {behind.get(detail, f' {box.unseen}')}{box.few}"
    return text_width(plain, face.body) + text_width(box.risk, face.body, bold=True)


def _second_lines(view: CardView, size: Size, face: Type, layout: LayoutKind) -> float:
    """The height of questions beyond their first line; the boxes of a staircase are as high."""
    if layout == "staircase":
        return 0.0
    width = _inner_width(size) - fixed_width(view, size, layout) - 0.6
    one = text_height(("x",), face.label, width)
    lines = (text_height((row.question,), face.label, width / 1.06) for row in view.rows)
    return sum(max(0.0, height - one) for height in lines)


def natural_row(density: Density, face: Type, layout: LayoutKind) -> float:
    if layout != "staircase":
        around = 0.4 if density == "compact" else 1.2
        return face.figure * 1.05 * MM_PER_POINT + around
    lines = face.figure + 2 * face.body
    return max(lines * 0.94, 2.4 * face.label) * MM_PER_POINT + 1.3


def height_of_the_rest(view: CardView, size: Size, density: Density, layout: LayoutKind) -> float:
    """All but the rows: heading, head of the table, sentences."""
    face, width = size.type.at(density), _inner_width(size)
    head = text_height((view.title,), face.title * 1.1, width * 0.7)
    head += text_height((view.subtitle, f"{view.outcome} · {view.audience}"), face.body, width)
    head += text_height(view.warnings, face.body, width) + len(view.warnings)
    table_head = 2.2 * face.body * MM_PER_POINT
    if layout != "staircase":
        rules = (f"{view.undecided} {view.unknown}", *_names(view, size))
        around = 1.2 if density == "compact" else 4.5
        return head + table_head + text_height(rules, face.body, width) + around
    rules = (f"{view.how} {view.unknown} {view.undecided}",)
    legend = (
        " " * 12 + "".join(entry.text + " " * 12 for entry in view.legend) + " ".join(view.marks),
    )
    foot = (
        (view.box_note, *view.notes, view.performance, view.limits, _source(view))
        if size.full
        else (f"{view.box_note} {view.limits_short} {' '.join(view.notes)}", _source(view))
    )
    below = text_height(rules + legend, face.body, width) + text_height(foot, face.small, width)
    return head + table_head + below + 6.5


def _names(view: CardView, size: Size) -> tuple[str, ...]:
    below = names_below(view, size)
    return (f"▼ {view.words.rule_out} · ▲ {view.words.rule_in}",) if below else ()


def _source(view: CardView) -> str:
    return (
        f"{view.source} {view.figures_short} {view.validation} {view.judgement}"
        f" {view.remark} {view.identity}"
    )


def text_height(texts: tuple[str, ...], points: float, width: float) -> float:
    """The height of paragraphs in millimetres."""
    lines = sum(ceil(text_width(text, points) * 1.03 / width) for text in texts if text)
    return lines * points * 1.18 * MM_PER_POINT


def _inner_width(size: Size) -> float:
    return size.width - 2 * size.margin


def _inner_height(size: Size) -> float:
    return size.height - 2 * size.margin

"""How wide text is, roughly: the widths of the columns.

The page layout has the last word, and `checks` looks at what it made; these figures choose what to
try first.
"""

from __future__ import annotations

from scorecard.cards.sizes import LayoutKind, Size, Type
from scorecard.cards.view import BoxView, CardView
from scorecard.printing.refusals import NoRoomError

MM_PER_POINT = 25.4 / 72
NARROWEST_QUESTION = 9  # em
WIDEST_STOP = 5.6  # em
MOST_LINES = 2.5  # of a decision's name above its column


def box_widths(view: CardView, size: Size, face: Type, layout: LayoutKind) -> list[float]:
    """The widths of the columns of boxes; questions beside them need their share of room."""
    room = size.width - 2 * size.margin
    room -= number_width(size) if layout == "staircase-behind" else fixed_width(view, size, layout)
    narrowest, usual = (0.0, 0.0) if layout == "staircase-behind" else (NARROWEST_QUESTION, 17)
    widths = [
        max(_box_width(row.cells[place], face) for row in view.rows)
        for place in range(len(view.columns))
    ]
    least = sum(widths)
    spare = room - narrowest * em(size) - least
    if spare < 0:
        raise NoRoomError(
            f"the {len(widths)} totals side by side need {least:.0f} mm and there are"
            f" {max(0, least + spare):.0f} mm"
        )
    even = min(max(widths), max(0.0, room - usual * em(size)) / len(widths))
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


def fixed_width(view: CardView, size: Size, layout: LayoutKind) -> float:
    """The columns beside questions and boxes: number, points, stops."""
    stops = 3 if view.has_undecided_stops else 2
    return number_width(size) + points_width(view, size) + stops * stop_width(view, size, layout)


def number_width(size: Size) -> float:
    return 1.7 * em(size)


def points_width(view: CardView, size: Size) -> float:
    return max(text_width(view.words.points, size.type.body), 2.4 * em(size)) + 0.8


def names_below(view: CardView, size: Size) -> bool:
    """Whether what the list calls its decisions is too long to stand above the stops."""
    names, widest = (view.words.rule_out, view.words.rule_in), WIDEST_STOP * em(size)
    words = [word for name in names for word in name.split()]
    return any(text_width(name, size.type.body) > MOST_LINES * widest for name in names) or any(
        text_width(word, size.type.body) > widest for word in words
    )


def stop_width(view: CardView, size: Size, layout: LayoutKind) -> float:
    words, below = view.words, names_below(view, size)
    decisions = [words.rule_out_short, words.rule_in_short]
    decisions = decisions if below else [words.rule_out, words.rule_in]
    cells = [text for row in view.rows for text in (row.rule_out, row.rule_in)]
    if view.has_undecided_stops:
        decisions.append(words.undecided)
        cells += [row.undecided for row in view.rows]
    # Long decision words are broken rather than allowed to push the questions aside.
    widest = WIDEST_STOP * em(size)
    heads = [_width_of_decision(text, size, widest, layout) for text in decisions]
    needed = max(*heads, text_width(f"▼ {words.stop}", size.type.body))
    bold = max(text_width(text, size.type.label, bold=True) for text in cells)
    return max(min(needed, widest), bold) + 0.8


def _width_of_decision(text: str, size: Size, widest: float, layout: LayoutKind) -> float:
    """On one line where there are no boxes to make room for, else word by word."""
    whole = text_width(text, size.type.body)
    if layout != "staircase" and whole <= widest:
        return whole
    return max(text_width(word, size.type.body) for word in text.split())


def em(size: Size) -> float:
    return size.type.body * MM_PER_POINT


# Advance widths of Source Sans in em; other letters are taken a little wider than they are.
_WIDTHS = {"/": 0.35, " ": 0.2, "–": 0.48, "*": 0.46, "°": 0.37, "▼": 0.89, "▲": 0.89, "◆": 0.89}
_WIDTHS |= {"→": 0.62, "i": 0.28, "l": 0.29, "t": 0.38, "m": 0.86, ".": 0.3, ",": 0.3}


def text_width(text: str, points: float, bold: bool = False) -> float:
    other = 0.53 if bold else 0.5
    return sum(_WIDTHS.get(letter, other) for letter in text) * points * MM_PER_POINT

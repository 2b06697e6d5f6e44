"""Read a printed card back: questions, points and stops from the paper alone.

This is what a person does with the card in hand, and what shows that a card says what its list
says. It knows nothing of the list or of how the card was made.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from html.parser import HTMLParser

from scorecard.core.staircase import Decision
from scorecard.printing.finished import PrintedPage, Table, spread
from scorecard.printing.refusals import CardError
from scorecard.words.numbers import PERCENT

MEANINGS: dict[str, Decision] = {"▼": "rule out", "▲": "rule in", "◆": "undecided", "→": "go on"}

_TOTAL = r"[−-]?[0-9]+"
_TOTALS = re.compile(rf"({_TOTAL})(?:(?:–|\s[^\W\d]+\s)({_TOTAL}))?")
_LIMIT = re.compile(rf"[≤≥] {_TOTAL}$")
_POINTS = re.compile(r"(?:[^\W\d]+ )?([+−-][0-9]+)")  # "+1", or "also +1" where asked again
_RISK = r"[<>]?[0-9]+(?:[.,][0-9])?\s?%\*?"
_CELL = re.compile(rf"(?:([▼▲◆→])°?\s*)?({_RISK})?")
_CHIP = re.compile(rf"(?<!\S)(?:([▼▲◆→])\s*)?({_TOTALS.pattern}):(?:\s*({_RISK})(?!\S))?")
_STOPS = re.compile(rf"▼ ≤ ({_TOTAL})|▲ ≥ ({_TOTAL})|◆ ({_TOTALS.pattern})")


@dataclass(frozen=True, slots=True)
class PrintedBox:
    """A total, or several from lowest to highest, what to do there, and the figure as printed.

    `text` is all that stands in the box.
    """

    lowest: int
    highest: int
    decision: Decision
    risk: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class PrintedQuestion:
    """A question with its points, where to stop after it, and the boxes of its row."""

    number: int
    text: str
    points: int
    rule_out_at: int | None
    rule_in_at: int | None
    undecided_between: tuple[int, int] | None
    boxes: tuple[PrintedBox, ...] = ()


@dataclass(frozen=True, slots=True)
class PrintedCard:
    """What can be read off a card; `further` questions only sharpen the risk."""

    questions: tuple[PrintedQuestion, ...]
    further: tuple[PrintedQuestion, ...] = ()


def cards_in_pdf(pages: Iterable[PrintedPage]) -> tuple[PrintedCard, ...]:
    """All cards on these pages: one, or as many as a sheet has."""
    return cards_in_tables([table for page in pages for table in page.tables])


def cards_in_html(html: str) -> tuple[PrintedCard, ...]:
    """All cards in an HTML file."""
    return cards_in_tables(tables_in_html(html))


def tables_in_html(html: str) -> list[Table]:
    """The cells of all tables of an HTML file, as text."""
    reader = _TableReader()
    reader.feed(html)
    reader.close()
    return reader.tables


def cards_in_tables(tables: Iterable[Table]) -> tuple[PrintedCard, ...]:
    """Cards from tables: those with questions, and boxes from those without if kept apart."""
    fronts: list[PrintedCard] = []
    backs: list[dict[int, tuple[PrintedBox, ...]]] = []
    for table in tables:
        if has_questions(table):
            fronts.append(_card(table))
        elif _has_chips(table):
            backs.append({int(row[0]): _chips(row[1]) for row in table[1:]})
    if not fronts:
        raise CardError("No table of questions with points and stops is on this card.")
    if backs and len(backs) != len(fronts):
        raise CardError(f"{len(fronts)} fronts but {len(backs)} backs are on these pages.")
    return tuple(
        _with_back(front, backs[place]) if backs else front for place, front in enumerate(fronts)
    )


def _with_back(front: PrintedCard, back: dict[int, tuple[PrintedBox, ...]]) -> PrintedCard:
    """A front with the boxes of its back; where it has boxes itself, both must say the same."""
    for question in (*front.questions, *front.further):
        for box in back.get(question.number, ()):
            for here in question.boxes:
                if (
                    here.lowest <= box.highest
                    and box.lowest <= here.highest
                    and ((here.decision, here.risk) != (box.decision, box.risk))
                ):
                    raise CardError(
                        f"Question {question.number}: the back says {box.text!r}, the front"
                        f" {here.text!r}."
                    )
    questions = tuple(
        question if question.boxes else replace(question, boxes=back.get(question.number, ()))
        for question in front.questions
    )
    return replace(front, questions=questions)


def has_questions(table: Table) -> bool:
    """Whether this is a table of questions with their points."""
    rows = [row for row in table[1:] if row and row[0].isdecimal()]
    return bool(rows) and all(len(row) > 2 and _POINTS.fullmatch(row[2]) for row in rows)


def _has_chips(table: Table) -> bool:
    return len(table) > 1 and all(
        len(row) == 2 and row[0].isdecimal() and _CHIP.match(row[1]) for row in table[1:]
    )


def _card(table: Table) -> PrintedCard:
    first = next(place for place, row in enumerate(table) if row[0].isdecimal())
    *above, head = table[:first]
    _check_heading(above, head)
    rows = table[first:]
    # A row without a number is the line after which questions only sharpen the risk.
    numbered = [row[0].isdecimal() for row in rows]
    end = numbered.index(False) if False in numbered else len(rows)
    return PrintedCard(
        tuple(_question(head, row) for row in rows[:end]),
        tuple(_question(head, row, further=True) for row in rows[end + 1 :]),
    )


def _check_heading(above: Sequence[Sequence[str]], head: Sequence[str]) -> None:
    """Refuse a heading that stands over anything but the totals, or not over all of them."""
    for row in above:
        for text, below in zip(row, head, strict=True):
            if (text != below) != bool(_TOTALS.fullmatch(below)):
                raise CardError(f"{text!r} is printed over the column {below!r}.")


def _question(head: Sequence[str], row: Sequence[str], further: bool = False) -> PrintedQuestion:
    if len(row) != len(head):
        raise CardError(f"Row {row[0]} has {len(row)} cells below {len(head)} headings.")
    cells = list(zip(head[3:], row[3:], strict=True))
    totals = [(title, text) for title, text in cells if _TOTALS.fullmatch(title)]
    stops = " ".join(_stops_in(title, text) for title, text in cells if (title, text) not in totals)
    boxes = tuple(_box(title, text, further) for title, text in totals if text)
    out, into, between = _thresholds(stops or _stops_in_boxes(boxes))
    return PrintedQuestion(_whole(row[0]), row[1], _points(row[2]), out, into, between, boxes)


def _stops_in(title: str, text: str) -> str:
    """The stops of a cell; a column for one kind of stop has its symbol in its heading."""
    symbol = title[:1]
    return f"{symbol} {text}" if symbol in MEANINGS and text and text[:1] not in MEANINGS else text


def _stops_in_boxes(boxes: Sequence[PrintedBox]) -> str:
    """The stops of a row without a cell for them: each is in the box it is the limit of."""
    found = {
        f"{box.text[0]} {limit[0]}"
        for box in boxes
        if box.decision in ("rule out", "rule in") and (limit := _LIMIT.search(box.text))
    }
    return " ".join(sorted(found))


def _thresholds(text: str) -> tuple[int | None, int | None, tuple[int, int] | None]:
    out = into = between = None
    for found in _STOPS.finditer(text):
        if found[1]:
            out = _whole(found[1])
        elif found[2]:
            into = _whole(found[2])
        else:
            between = _ends(found[3])
    rest = _STOPS.sub("", text).replace("–", "").translate(str.maketrans("", "", "▼▲◆")).strip()
    if rest:
        raise CardError(f"{text!r} is printed where stops like '▼ ≤ 0' were expected.")
    return out, into, between


def _box(title: str, text: str, further: bool) -> PrintedBox:
    found = _CELL.match(text)
    assert found, "every part of a cell may be missing"
    symbol, risk = found.groups()
    arrow = text[len(f"{symbol or ''} {risk or ''}".strip()) :].strip()[:1]
    decision: Decision = "undecided" if further else MEANINGS.get(symbol or arrow, "go on")
    return PrintedBox(*_ends(title), decision, _risk(risk), text)


def _chips(text: str) -> tuple[PrintedBox, ...]:
    return tuple(
        PrintedBox(*_ends(found[2]), MEANINGS.get(found[1], "undecided"), _risk(found[5]), found[0])
        for found in _CHIP.finditer(text)
    )


def _risk(text: str | None) -> str:
    """ "8 %" or "8 %*" as it is printed, whichever space a page has before the sign."""
    return re.sub(r"\s?%", PERCENT, text) if text else ""


def _ends(text: str) -> tuple[int, int]:
    found = _TOTALS.fullmatch(text)
    if not found:
        raise CardError(f"{text!r} is printed where totals were expected.")
    return _whole(found[1]), _whole(found[2] or found[1])


def _whole(text: str) -> int:
    if not re.fullmatch(_TOTAL, text):
        raise CardError(f"{text!r} is printed where a whole number was expected.")
    return int(text.replace("−", "-"))


def _points(text: str) -> int:
    found = _POINTS.fullmatch(text)
    if not found:
        raise CardError(f"{text!r} is printed where points were expected.")
    return int(found[1].replace("−", "-"))


class _TableReader(HTMLParser):
    """The cells of all tables of an HTML file, as text."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tables: list[Table] = []
        self._rows: list[list[tuple[str, int, int]]] = []
        self._inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "table":
            self._rows = []
        elif tag == "tr":
            self._rows.append([])
        elif tag in ("td", "th"):
            said = dict(attrs)
            across, down = (int(said.get(name) or 1) for name in ("colspan", "rowspan"))
            self._rows[-1].append(("", across, down))
            self._inside = True
        elif tag in ("span", "br", "b"):
            self.handle_data(" ")

    def handle_data(self, data: str) -> None:
        if self._inside:
            text, across, down = self._rows[-1][-1]
            self._rows[-1][-1] = text + data, across, down

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th"):
            self._inside = False
        elif tag == "table":
            self.tables.append(
                tuple(tuple(" ".join(cell.split()) for cell in row) for row in spread(self._rows))
            )

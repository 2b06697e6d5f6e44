"""Read a printed card back: questions, points and stops from the paper alone.

This is what a person does with the card in hand, and what shows that a card says what its list
says. It knows nothing of the list or of how the card was made.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html.parser import HTMLParser

from scorecard.core.staircase import Decision
from scorecard.printing.pdf_to_text import PrintedPage, Table
from scorecard.printing.refusals import CardError

MEANINGS: dict[str, Decision] = {"▼": "rule out", "▲": "rule in", "◆": "undecided", "→": "go on"}

_TOTAL = re.compile(r"[−-]?[0-9]+")
_POINTS = re.compile(r"[+−-][0-9]+")
_RISK = r"([<>]?[0-9]+)?"
_CELL = re.compile(rf"[▼▲◆→]?°?\s*{_RISK}")
_CHIP = re.compile(
    rf"(?:([▼▲◆→])°?\s*)?([−-]?[0-9]+)(?:(?:–|\s[^\W\d]+\s)([−-]?[0-9]+))?:\s*{_RISK}"
)


@dataclass(frozen=True, slots=True)
class PrintedBox:
    """A total, or several from lowest to highest, what to do there, and the figure as printed."""

    lowest: int
    highest: int
    decision: Decision
    risk: str


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
    """What can be read off a card."""

    questions: tuple[PrintedQuestion, ...]

    def decide(self, answers: Sequence[bool | None]) -> tuple[Decision, int]:
        """The decision and after how many answers, following the card as it is printed.

        An unknown answer is scored both ways; one stops where both have stopped and agree.
        """
        ends = {self._follow(way) for way in _completions(answers)}
        stage = max(stage for _, stage in ends)
        stopped = {decision for decision, _ in ends} - {"go on"}
        if len(stopped) > 1:  # for good, as soon as the two extreme ways have ended
            return "unknown", max(self._follow(way)[1] for way in self._extremes(answers))
        going_on = any(decision == "go on" for decision, _ in ends)
        return ("go on" if going_on else stopped.pop()), stage

    def _extremes(self, answers: Sequence[bool | None]) -> Iterable[tuple[bool, ...]]:
        """The completions with the lowest and with the highest total."""
        asked = list(zip(self.questions, answers, strict=False))
        for highest in (False, True):
            yield tuple(
                (question.points > 0) == highest if yes is None else yes for question, yes in asked
            )

    def _follow(self, answers: Sequence[bool]) -> tuple[Decision, int]:
        total = 0
        for question, yes in zip(self.questions, answers, strict=False):
            total += question.points if yes else 0
            decision = _decision_at(question, total)
            if decision != "go on":
                return decision, question.number
        asked = min(len(answers), len(self.questions))
        return ("undecided" if asked == len(self.questions) else "go on"), asked


def _completions(answers: Sequence[bool | None]) -> Iterable[tuple[bool, ...]]:
    ways: list[tuple[bool, ...]] = [()]
    for answer in answers:
        both = (True, False) if answer is None else (answer,)
        ways = [(*way, one) for way in ways for one in both]
    return ways


def _decision_at(question: PrintedQuestion, total: int) -> Decision:
    if question.rule_out_at is not None and total <= question.rule_out_at:
        return "rule out"
    if question.rule_in_at is not None and total >= question.rule_in_at:
        return "rule in"
    between = question.undecided_between
    return "undecided" if between and between[0] <= total <= between[1] else "go on"


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
    """Cards from tables: those with questions, and risks from those without if kept apart."""
    fronts: list[tuple[PrintedQuestion, ...]] = []
    backs: list[dict[int, tuple[PrintedBox, ...]]] = []
    for table in tables:
        if _has_stops(table):
            fronts.append(_questions(table))
        elif _has_risks(table):
            backs.append({int(row[0]): _chips(row[1]) for row in _below_head(table)})
        elif _has_totals(table):
            totals = [_whole(text) for text in table[0][1:]]
            backs.append({int(row[0]): tuple(_boxes(totals, row[1:])) for row in table[1:]})
    if not fronts:
        raise CardError("No table of questions with points and stops is on this card.")
    if backs and len(backs) != len(fronts):
        raise CardError(f"{len(fronts)} fronts but {len(backs)} backs are on these pages.")
    for place, back in enumerate(backs):
        fronts[place] = tuple(
            PrintedQuestion(*_but_boxes(question), back.get(question.number, ()))
            for question in fronts[place]
        )
    return tuple(PrintedCard(front) for front in fronts)


def _but_boxes(
    question: PrintedQuestion,
) -> tuple[int, str, int, int | None, int | None, tuple[int, int] | None]:
    return (
        question.number,
        question.text,
        question.points,
        question.rule_out_at,
        question.rule_in_at,
        question.undecided_between,
    )


def _has_stops(table: Table) -> bool:
    return bool(table) and _column(table[0], "▼") is not None and _column(table[0], "▲") is not None


def _has_risks(table: Table) -> bool:
    rows = _below_head(table)
    return bool(rows) and all(
        len(row) == 2 and row[0].isdecimal() and _CHIP.match(row[1]) for row in rows
    )


def _has_totals(table: Table) -> bool:
    """Whether a table is a staircase without questions: totals across, a question's number down."""
    if len(table) < 2 or table[0][0]:
        return False
    totals, numbers = table[0][1:], [row[0] for row in table[1:]]
    return all(map(_TOTAL.fullmatch, totals)) and all(number.isdecimal() for number in numbers)


def _below_head(table: Table) -> Table:
    """The rows of a table of risks, which may have a head without a number."""
    return table[1:] if table and not table[0][0] else table


def _column(head: Sequence[str], symbol: str) -> int | None:
    # The stops are the last columns; a title of another column may well begin with the symbol.
    found = [place for place, text in enumerate(head) if text.startswith(symbol)]
    return found[-1] if found else None


def _questions(table: Table) -> tuple[PrintedQuestion, ...]:
    head, *rows = table
    out, into, open_end = (_column(head, symbol) for symbol in "▼▲◆")
    assert out is not None
    assert into is not None
    totals = [_whole(text) for text in head[3:out]]
    return tuple(
        PrintedQuestion(
            number=_whole(row[0]),
            text=row[1],
            points=_points(row[2]),
            rule_out_at=_stop(row[out], "≤"),
            rule_in_at=_stop(row[into], "≥"),
            undecided_between=_between(row[open_end]) if open_end is not None else None,
            boxes=tuple(_boxes(totals, row[3:out])),
        )
        for row in rows
    )


def _boxes(totals: Sequence[int], cells: Sequence[str]) -> Iterable[PrintedBox]:
    for total, text in zip(totals, cells, strict=True):
        if text:
            risk = _CELL.match(text)
            yield PrintedBox(
                total, total, MEANINGS.get(text[0], "go on"), risk[1] or "" if risk else ""
            )


def _chips(text: str) -> tuple[PrintedBox, ...]:
    return tuple(
        PrintedBox(_whole(low), _whole(high or low), MEANINGS.get(symbol, "go on"), risk)
        for symbol, low, high, risk in _CHIP.findall(text)
    )


def _whole(text: str) -> int:
    if not _TOTAL.fullmatch(text):
        raise CardError(f"{text!r} is printed where a whole number was expected.")
    return int(text.replace("−", "-"))


def _points(text: str) -> int:
    if not _POINTS.fullmatch(text):
        raise CardError(f"{text!r} is printed where points were expected.")
    return int(text.replace("−", "-"))


def _stop(text: str, sign: str) -> int | None:
    if text == "–":
        return None
    if not text.startswith(sign):
        raise CardError(f"{text!r} is printed where '{sign} …' or '–' was expected.")
    return _whole(text[1:].strip())


def _between(text: str) -> tuple[int, int] | None:
    if text == "–":
        return None
    totals = [_whole(total) for total in _TOTAL.findall(text)]
    return totals[0], totals[-1]


class _TableReader(HTMLParser):
    """The cells of all tables of an HTML file, as text."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tables: list[Table] = []
        self._rows: list[list[str]] = []
        self._inside = False

    def handle_starttag(self, tag: str, _attrs: object) -> None:
        if tag == "table":
            self._rows = []
        elif tag == "tr":
            self._rows.append([])
        elif tag in ("td", "th"):
            self._rows[-1].append("")
            self._inside = True
        elif self._inside and tag in ("span", "br", "b"):
            self._rows[-1][-1] += " "

    def handle_data(self, data: str) -> None:
        if self._inside:
            self._rows[-1][-1] += data

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th"):
            self._inside = False
        elif tag == "table":
            self.tables.append(
                tuple(tuple(" ".join(cell.split()) for cell in row) for row in self._rows)
            )

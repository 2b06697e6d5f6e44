"""Read printed cards: follow the paper as a person does, and compare with the list."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from scorecard.cards.contents import CardOptions, view_of
from scorecard.cards.read_back import (
    PrintedCard,
    cards_in_tables,
    tables_in_html,
)
from scorecard.cards.read_path import PrintedPath, path_in_pages
from scorecard.cards.verify import check_content, check_path, squeezed
from scorecard.cards.view import CardView
from scorecard.checking.forms import AbsentError, Found, NotReadError, UnusableError, Work
from scorecard.checking.programs import module_found
from scorecard.core.model import Answer
from scorecard.core.staircase import Staircase
from scorecard.exporting.test_cases import Result, answers_of
from scorecard.printing.pdf_to_text import Table, printed_pages
from scorecard.printing.refusals import CardError
from scorecard.words.language import language_named, languages

MOST_UNKNOWN = 10  # each is scored both ways, by hand

REPORT = '<section class="findings">'
_NAME = re.compile(r"\b[0-9a-f]{8}\b")


def pdf_form(path: Path, work: Work) -> Found:
    """A card on paper: the text of the PDF, by its tags."""
    try:
        pages = printed_pages(path.read_bytes())
    except CardError as error:
        raise UnusableError(str(error)) from None
    text = " ".join(page.text for page in pages)
    drawn = path_in_pages(pages)
    if drawn is not None:
        return _found_path(drawn, text, work)
    return _found([table for page in pages for table in page.tables], text, work)


def html_form(path: Path, work: Work) -> Found:
    """A card as a web page."""
    html = path.read_text(encoding="utf-8")
    if REPORT in html:
        raise NotReadError("a report has no card in it; check the list, the card or the handout")
    text = re.sub(r"<[^>]*>", " ", re.sub(r"(?s)<(style|script)\b.*?</\1>", " ", html))
    return _found(tables_in_html(html), text, work)


def calculator_form(path: Path, work: Work) -> Found:
    """The calculator of a web page: its table and its evaluator, run in Node."""
    html = path.read_text(encoding="utf-8")
    calculator = _CALCULATOR.search(html)
    if calculator is None:
        raise AbsentError("the page has no calculator")
    found = module_found(calculator[1] + _EXPORTS, work)
    return replace(found, names=frozenset(_NAME.findall(html)))


_CALCULATOR = re.compile(r"(?s)\(\(\) => \{\n(.*?^const TABLE = [^\n]*;\n)", re.MULTILINE)
_EXPORTS = """
export const table = TABLE;
export const evaluate = (answers) => evaluateCase(TABLE, answers);
export const decide = (answers, sharpen) => decideAnswers(TABLE, answers, sharpen);
"""


def _found(tables: Sequence[Table], text: str, work: Work) -> Found:
    try:
        cards = cards_in_tables(tables)
    except CardError as error:
        raise UnusableError(str(error)) from None
    views = [view_of(work.staircase, CardOptions(language=code)) for code in languages()]
    view = max(views, key=lambda one: _questions_in_common(cards, one))
    faults = _faults(cards, view, text, work.staircase)
    walks = {place: _said(cards, way) for place, way in enumerate(work.walks) if _short(way)}
    cases = {place: _said(cards, way) for place, way in _answered(work) if _short(way)}
    return Found(cases, walks, faults, frozenset(_NAME.findall(text)), precision="decisions")


def _found_path(path: PrintedPath, text: str, work: Work) -> Found:
    """A path: every answer is followed along its arrows."""
    views = [view_of(work.staircase, CardOptions(language=code)) for code in languages()]
    printed = {squeezed(question) for question in path.questions.values()}
    view = max(views, key=lambda one: sum(squeezed(row.question) in printed for row in one.rows))
    try:
        check_path(path, view, work.staircase)
        faults = []
    except CardError as error:
        faults = [f"{str(error).removesuffix('.')}{_other_limits(text, view)}"]
    cards = (path,)
    walks = {place: _said(cards, way) for place, way in enumerate(work.walks) if _short(way)}
    cases = {place: _said(cards, way) for place, way in _answered(work) if _short(way)}
    return Found(cases, walks, faults, frozenset(_NAME.findall(text)), precision="decisions")


def _questions_in_common(cards: Sequence[PrintedCard], view: CardView) -> int:
    """In the language of the card most questions are the same, whatever else differs."""
    printed = {squeezed(question.text) for card in cards for question in card.questions}
    return sum(squeezed(row.question) in printed for row in view.rows)


def _faults(
    cards: Sequence[PrintedCard], view: CardView, text: str, staircase: Staircase
) -> list[str]:
    try:
        check_content(cards, view, staircase, len(cards))
    except CardError as error:
        return [f"{str(error).removesuffix('.')}{_other_limits(text, view)}"]
    return []


def _other_limits(text: str, view: CardView) -> str:
    """The limits on the card, if they can be read and are not those of the list; else empty."""
    printed, right = (_limits_in(one) for one in (text, f"{view.limits} {view.limits_short}"))
    if not printed or not right or printed == right:
        return ""
    return f" (printed limits {' and '.join(printed)}, here {' and '.join(right)})"


def _limits_in(text: str) -> tuple[str, ...]:
    """Two limits, each "5 of 100", from the sentence that tells them in one of the languages."""
    for language in map(language_named, languages()):
        for key in ("limits", "card short limits"):
            sentence = re.escape(squeezed(language.words[key])).replace(r"\{", "{")
            pattern = sentence.replace(r"\}", "}").format(
                out="(?P<out>[0-9.,]+)", into="(?P<into>[0-9.,]+)", per="(?P<per>[0-9]+)"
            )
            if found := re.search(pattern, squeezed(text)):
                per = found["per"]
                return f"{found['out']} of {per}", f"{found['into']} of {per}"
    return ()


def _answered(work: Work) -> Iterator[tuple[int, Sequence[Answer]]]:
    """The answers of every case; what is no answer, a person does not ask the card about."""
    for place, one in enumerate(work.cases):
        if one.result is not None:
            yield place, answers_of(work.staircase, one.case)


def _short(answers: Sequence[Answer]) -> bool:
    return sum(answer is None for answer in answers) <= MOST_UNKNOWN


def _said(cards: Sequence[PrintedCard | PrintedPath], answers: Sequence[Answer]) -> Result:
    """What the cards say; where a sheet has several, the one that differs from the first."""
    ends = [card.decide(answers) for card in cards]
    decision, stage = next((end for end in ends if end != ends[0]), ends[0])
    return Result(decision, stage, None, None, None, None)

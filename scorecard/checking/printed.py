"""Say where a printed card or handout that differs does, and follow it as a person does.

A file of this version is compared with the one made again: texts, places and pictures. Of one that
another version made, or templates of somebody's own drew, the questions, points and boxes are read
and followed. Such a file is not said to agree: anything may have been added.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from scorecard import __version__
from scorecard.cards.contents import CardOptions, view_of
from scorecard.cards.read_back import (
    PrintedCard,
    cards_in_tables,
    tables_in_html,
)
from scorecard.cards.read_path import PrintedPath, path_in_pages
from scorecard.cards.verify import check_content, check_path, squeezed
from scorecard.cards.view import CardView
from scorecard.checking.forms import (
    Found,
    NotMadeAgainError,
    UnusableError,
    Work,
    language_of,
)
from scorecard.checking.same_page import markup_faults, pdf_faults
from scorecard.core.model import Answer, Question
from scorecard.core.question import contradicts, settled_answers
from scorecard.core.staircase import FIGURES, Staircase
from scorecard.documents.values import tree_of
from scorecard.errors import ScorecardError
from scorecard.exporting.test_cases import Result, answers_of
from scorecard.printing.html_to_pdf import made_with
from scorecard.printing.pdf_to_text import Table, printed_pages
from scorecard.printing.record import Record, record_in
from scorecard.printing.refusals import CardError
from scorecard.words.language import Language, language_named, languages

MOST_UNKNOWN = 10  # each is scored both ways, by hand

NO_RECORD = (
    "it does not say how it was made: a version before 0.2 wrote it, or that was taken out. Not all"
    " of its text can be compared; make it again with scorecard card or scorecard handout"
)
_NAME = re.compile(r"\b[0-9a-f]{8}\b")


def pdf_form(path: Path, work: Work) -> Found:
    """A card or handout on paper: all of its text and places, and its tables by their tags."""
    content = path.read_bytes()
    try:
        pages = printed_pages(content)
        # Charts on a handout have lines too, but its questions are in a table.
        is_path = not any(len(table) > 1 for page in pages for table in page.tables)
        drawn = path_in_pages(pages) if is_path else None
    except CardError as error:
        raise UnusableError(str(error)) from None
    text = " ".join(page.text for page in pages)
    tables = [table for page in pages for table in page.tables]
    page = _Page(text, tables, "pdf", _pdf_faults, drawn)
    return _compared(content, page, work)


def html_form(path: Path, work: Work) -> Found:
    """A card or handout as a web page."""
    content = path.read_bytes()
    html = content.decode()
    text = re.sub(r"<[^>]*>", " ", re.sub(r"(?s)<(style|script)\b.*?</\1>", " ", html))
    return _compared(content, _Page(text, tables_in_html(html), "html", _markup_faults), work)


# The whole file -----------------------------------------------------------------------------------

Compare = Callable[[bytes, bytes, Record], list[str]]


@dataclass(frozen=True)
class _Page:
    """A page as far as it was read: its text, its tables or path; how to compare it as a whole."""

    text: str
    tables: Sequence[Table]
    kind: str
    compare: Compare
    path: PrintedPath | None = None


def _compared(content: bytes, page: _Page, work: Work) -> Found:
    record = record_in(content)
    if work.decisions_only:
        found = _followed(page, work, [])
        return replace(found, names=found.names | {record.list} if record else found.names)
    if record is None:
        any_language = [language_named(code) for code in languages()]
        found = _followed(page, work, _texts_differ(page, work, any_language))
        return replace(found, faults=["; ".join([NO_RECORD, *found.faults])])
    faults, in_part = _made_and_compared(content, record, page.kind, page.compare, work)
    names = frozenset({record.list, *_NAME.findall(page.text)})
    if faults:
        return Found(faults=faults, names=names)
    spoken = language_of(record, work)
    texts = _texts_differ(page, work, [spoken]) if spoken else []
    return replace(_followed(page, work, texts), names=names, in_part=in_part)


def _made_and_compared(
    content: bytes, record: Record, kind: str, compare: Compare, work: Work
) -> tuple[list[str], str]:
    """How a file differs from the one made again; if that is not possible, why not."""
    try:
        return _faults(content, record, kind, compare, work), ""
    except NotMadeAgainError as reason:
        return [], f"{reason}: what it decides was compared, not all that it says"


def _faults(content: bytes, record: Record, kind: str, compare: Compare, work: Work) -> list[str]:
    if record.version != __version__:
        raise NotMadeAgainError(f"scorecard {record.version} made it, and this is {__version__}")
    if limits := _other_policy(record, work.staircase):
        return [limits]
    try:
        right = work.make(record, kind)
    except (ScorecardError, TypeError, ValueError, KeyError) as error:
        return [f"it says that it was made in a way that is refused: {error}"]
    return compare(content, right, record)


def _other_policy(record: Record, staircase: Staircase) -> str:
    due = tree_of(staircase.policy)
    wrong = [
        f"{name} {record.policy.get(name)}, here {due.get(name)}"
        for name in dict.fromkeys([*due, *record.policy])
        if record.policy.get(name) != due.get(name)
    ]
    return f"it was made with other limits: {'; '.join(wrong)}" if wrong else ""


def _markup_faults(content: bytes, right: bytes, _record: Record) -> list[str]:
    return markup_faults(content.decode(), right.decode())


def _pdf_faults(content: bytes, right: bytes, record: Record) -> list[str]:
    return pdf_faults(content, right, places=record.made_with == made_with())


# Followed as a person does ------------------------------------------------------------------------


def _followed(page: _Page, work: Work, faults: list[str]) -> Found:
    with _readable():
        cards = [page.path] if page.path else cards_in_tables(page.tables)
        walks = {place: _said(cards, way) for place, way in _walked(work)}
        cases = {place: _said(cards, way) for place, way in _answered(work)}
    return Found(cases, walks, faults, frozenset(_NAME.findall(page.text)), precision="decisions")


@contextmanager
def _readable() -> Iterator[None]:
    try:
        yield
    except CardError as error:
        raise UnusableError(str(error)) from None


def _texts_differ(page: _Page, work: Work, spoken: Sequence[Language]) -> list[str]:
    """Where questions, points and boxes are not those of the list in any of these languages."""
    staircase, path = work.staircase, page.path
    if path:
        view = _view_with({squeezed(one) for one in path.questions.values()}, staircase, spoken)
        return _told(lambda: check_path(path, view, staircase))
    with _readable():
        cards = cards_in_tables(page.tables)
    asked = (question for card in cards for question in (*card.questions, *card.further))
    view = _view_with({squeezed(question.text) for question in asked}, staircase, spoken)
    return _told(lambda: check_content(cards, view, staircase, len(cards)))


def _view_with(printed: set[str], staircase: Staircase, spoken: Sequence[Language]) -> CardView:
    """In the language of the card most questions are the same, whatever else differs."""
    views = [view_of(staircase, CardOptions(language=one)) for one in spoken]

    def alike(view: CardView) -> int:
        return sum(squeezed(row.question) in printed for row in (*view.rows, *view.further))

    return max(views, key=alike)


def _told(comparison: Callable[[], None]) -> list[str]:
    try:
        comparison()
    except CardError as error:
        return [str(error).removesuffix(".")]
    return []


def _answered(work: Work) -> Iterator[tuple[int, Sequence[Answer]]]:
    """The answers of every case; what is no answer, a person does not ask the card about."""
    for place, one in enumerate(work.cases):
        if one.result is not None:
            answers = answers_of(work.staircase, one.case)
            if _short(answers):
                yield place, answers


def _walked(work: Work) -> Iterator[tuple[int, Sequence[Answer]]]:
    """The ways through the questions that a person can take."""
    questions = work.staircase.questions
    for place, way in enumerate(work.walks):
        if _short(way) and not contradicts(questions, way) and not _is_known(questions, way):
            yield place, way


def _is_known(questions: Sequence[Question], way: Sequence[Answer]) -> bool:
    """Whether something is unknown that a later answer tells: who is below 50 is below 65."""
    settled = settled_answers(questions)
    return any(
        later < len(way) and way[later] is not None and way[later] is not follows
        for place, answer in enumerate(way)
        if answer is None
        for yes in (True, False)
        for later, follows in settled.get((place, yes), {}).items()
    )


def _short(answers: Sequence[Answer]) -> bool:
    return sum(answer is None for answer in answers) <= MOST_UNKNOWN


def _said(cards: Sequence[PrintedCard | PrintedPath], answers: Sequence[Answer]) -> Result:
    """What the cards say; where a sheet has several, the one that differs from the first."""
    ends = [card.decide(answers) for card in cards]
    decision, stage = next((end for end in ends if end != ends[0]), ends[0])
    unsaid: list[Any] = [None] * len(FIGURES)
    return Result(decision, stage, None, *unsaid)

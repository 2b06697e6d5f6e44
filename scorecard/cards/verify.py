"""Look at the finished PDF before it is written: is it whole, legible, and does it say the list?

Everything is measured on the PDF itself, not on the style sheet: overflow is silent in print
layout, and a row that is lost or clipped would be a question nobody asks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from scorecard.cards.contents import LEFT_TO_RIGHT
from scorecard.cards.layout import Page
from scorecard.cards.places import check_places, in_quotes
from scorecard.cards.read_back import PrintedCard, PrintedQuestion, cards_in_tables
from scorecard.cards.sizes import Size
from scorecard.cards.view import CardView, RowView
from scorecard.core.staircase import Decision, Staircase, Step
from scorecard.printing.pdf_to_text import MIRRORED, PrintedPage, is_right_to_left
from scorecard.printing.refusals import CardError, NoRoomError

SIDES = {1: ("it",), 2: ("its front", "its back")}
TYPE_SLACK = 0.02


def check_pages(
    pages: Sequence[PrintedPage], view: CardView, page: Page, size: Size, staircase: Staircase
) -> None:
    """Refuse a PDF that is not the whole card.

    Raises
    ------
    NoRoomError
        Where something does not fit: too many pages, text over the edge or over other text.
    CardError
        Where the card says something else than the list, or less, which only a template can cause.
    """
    _check_paper(pages, page)
    for printed, side in zip(pages, SIDES[len(pages)], strict=True):
        _check_type(printed, size)
        check_places(printed, side)
    _check_texts(pages, view, page)
    check_content(
        cards_in_tables([table for printed in pages for table in printed.tables]),
        view,
        staircase,
        copies_of(page),
    )


def check_content(
    cards: Sequence[PrintedCard], view: CardView, staircase: Staircase, copies: int = 1
) -> None:
    """Refuse a card that, read back, is not the staircase."""
    if len(cards) != copies:
        raise CardError(f"{len(cards)} cards are printed where {copies} were expected.")
    for card in cards:
        if len(card.questions) != len(view.rows):
            raise CardError(
                f"{len(card.questions)} of {len(view.rows)} questions are on the printed card."
            )
        for printed, step, row in zip(card.questions, staircase.steps[1:], view.rows, strict=True):
            for what, found, expected in _differences(printed, step, row):
                raise CardError(
                    f"Question {step.number}: the printed card has {what} {found!r} and the list"
                    f" {expected!r}."
                )


def copies_of(page: Page) -> int:
    return len(page.sheet.fronts) if page.sheet else 1


def _differences(
    printed: PrintedQuestion, step: Step, row: RowView
) -> Iterator[tuple[str, object, object]]:
    question = step.question
    assert question is not None
    boxes = [
        (box.total, box.decision, text.risk)
        for box, text in zip(step.boxes, row.boxes, strict=True)
    ]
    found = list(_by_total(printed, [box.total for box in step.boxes]))
    pairs = (
        ("the number", printed.number, step.number),
        ("the question", squeezed(printed.text), squeezed(row.question)),
        ("the points", printed.points, question.points),
        ("the rule-out stop", printed.rule_out_at, step.rule_out_at),
        ("the rule-in stop", printed.rule_in_at, step.rule_in_at),
        ("the boxes", found, boxes),
    )
    return (pair for pair in pairs if pair[1] != pair[2])


def _by_total(
    printed: PrintedQuestion, totals: Sequence[int]
) -> Iterator[tuple[int, Decision, str]]:
    """What the printed boxes say about each total; a box about no total at all is told as well."""
    for box in printed.boxes:
        inside = [total for total in totals if box.lowest <= total <= box.highest]
        for total in inside or (box.lowest,):
            yield total, box.decision, box.risk


def squeezed(text: str) -> str:
    """Text without what a line break may change: spaces, hyphens, and the order in Hebrew."""
    kept = _without_breaks(text)
    if not is_right_to_left(kept):
        return kept
    # Brackets and signs are mirrored there, by the font or by the reader.
    return "".join(sorted(min(letter, letter.translate(MIRRORED)) for letter in kept))


def _without_breaks(text: str) -> str:
    return "".join(letter for letter in text if letter not in _HYPHENS and not letter.isspace())


_HYPHENS = f"-\N{HYPHEN}\N{SOFT HYPHEN}\x02\ufffe{LEFT_TO_RIGHT}"


def _check_paper(pages: Sequence[PrintedPage], page: Page) -> None:
    width, height = (
        (page.sheet.width, page.sheet.height) if page.sheet else (page.width, page.height)
    )
    expected = float(width.removesuffix("mm")), float(height.removesuffix("mm"))
    for printed in pages:
        if max(abs(printed.width - expected[0]), abs(printed.height - expected[1])) > 0.1:
            raise CardError(
                f"The page is {printed.width:.1f}×{printed.height:.1f} mm instead of"
                f" {expected[0]:.1f}×{expected[1]:.1f} mm."
            )
    if len(pages) > page.sides:
        raise NoRoomError("it runs over onto another page")
    if len(pages) < page.sides:
        raise CardError(f"The card has {len(pages)} pages instead of {page.sides}.")


def _check_type(printed: PrintedPage, size: Size) -> None:
    for piece in printed.pieces:
        smallest = size.type.body if piece.mark in printed.table_marks else size.type.small
        if piece.points < smallest - TYPE_SLACK:
            raise CardError(
                f"{in_quotes(piece.text)} is set in {piece.points:.1f} pt; the smallest type here"
                f" is {smallest:g} pt."
            )


def _check_texts(pages: Sequence[PrintedPage], view: CardView, page: Page) -> None:
    whole = _without_breaks("".join(printed.text for printed in pages))
    backwards = whole[::-1].translate(MIRRORED) if is_right_to_left(whole) else ""
    for text in required_texts(view, page):
        found = whole.count(_without_breaks(text)) >= copies_of(page)
        if not found and backwards:
            # A line with a word from right to left is extracted word by word, in either order.
            words = re.findall(r"\w+", text)
            found = all(word in whole or word in backwards for word in words)
        if not found:
            raise CardError(f"{in_quotes(text)} is not on the printed card; its template drops it.")


def required_texts(view: CardView, page: Page) -> tuple[str, ...]:
    """What has to be on every card beside the staircase itself."""
    return (
        view.title,
        view.outcome,
        view.audience,
        *view.warnings,
        view.words.rule_out,
        view.words.rule_in,
        view.undecided,
        view.unknown,
        view.limits if page.full else view.limits_short,
        *(view.notes if page.full or page.layout == "staircase" else view.notes_short),
        *view.marks,
        view.figures_short,
        view.source,
        *filter(None, [view.remark]),
        view.validation,
        view.judgement,
        view.identity,
    )

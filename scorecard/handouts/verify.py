"""Read a printed handout back: nothing runs over an edge, is too small to read, or is missing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scorecard.handouts.view import HandoutView
from scorecard.printing.pdf_to_text import POINTS_PER_MM, PrintedPage, printed_pages
from scorecard.printing.refusals import CardError

SMALLEST_TYPE = 10  # points
SLACK = 0.05
EDGE = 5  # millimetres that most printers leave white


def check_handout(pdf: bytes, view: HandoutView) -> None:
    """Refuse a PDF from which a reader could not take what the view says."""
    pages = printed_pages(pdf)
    for number, page in enumerate(pages, 1):
        _check_page(page, number)
    whole = _letters("".join(page.text for page in pages))
    # A line from right to left is extracted word by word, in either order.
    backwards = whole[::-1]
    for text in required_texts(view):
        for word in re.findall(r"\w+", text):
            if word not in whole and word not in backwards:
                raise CardError(f"{text!r} is not on the printed handout; write it as .html.")


def required_texts(view: HandoutView) -> Iterator[str]:
    """What has to be on paper: the staircase with its figures, the rules, where it comes from."""
    card = view.card
    yield from (card.title, card.subtitle, view.outcome, card.audience, view.note, *card.warnings)
    for row in card.rows:
        yield from (row.label, row.condition, row.points)
        for box in row.boxes:
            yield from (box.total, box.risk, box.counts, box.range)
    yield from (*view.how, view.undecided, *view.promise, card.judgement, *view.notes)
    told = (view.facts, view.next_steps, view.checked, view.provenance)
    for fact in (fact for facts in told for fact in facts):
        yield from (fact.term, fact.text)
    for merit in view.merit:
        yield from (merit.name, merit.value, merit.interval, merit.counts)


def _check_page(page: PrintedPage, number: int) -> None:
    edge = EDGE * POINTS_PER_MM
    for piece in page.pieces:
        left, _, right, _ = piece.bounds
        if not piece.text.strip():
            continue
        shown = repr(piece.text.strip()[:30])
        if left < edge or right > page.width * POINTS_PER_MM - edge:
            raise CardError(
                f"{shown} runs over the edge of page {number}: shorten it, or write the handout as"
                " .html."
            )
        if piece.points < SMALLEST_TYPE - SLACK:
            raise CardError(
                f"{shown} on page {number} is set in {piece.points:.1f} pt; a handout has at least"
                f" {SMALLEST_TYPE} pt."
            )


def _letters(text: str) -> str:
    """Text without what a line break may change."""
    return "".join(letter for letter in text if letter.isalnum() or letter == "_")

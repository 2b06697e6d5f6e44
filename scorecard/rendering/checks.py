"""Look at the finished PDF before it is written: is it whole, legible, and does it say the list?

Everything is measured on the PDF itself, not on the style sheet: overflow is silent in print
layout, and a row that is lost or clipped would be a question nobody asks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from scorecard.rendering.card import LEFT_TO_RIGHT, CardView
from scorecard.rendering.pages import Page
from scorecard.rendering.printed import (
    MIRRORED,
    POINTS_PER_MM,
    Bounds,
    Piece,
    PrintedPage,
    is_right_to_left,
)
from scorecard.rendering.reading import PrintedCard, PrintedQuestion, cards_in_tables
from scorecard.rendering.refusals import CardError, NoRoomError
from scorecard.rendering.sizes import Size
from scorecard.staircase import Staircase, Step

SLACK = 0.6  # points: strokes are centred on their path, glyphs reach a little over their line
EDGE = 2.0  # millimetres of paper that stay free of text
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
        Where the card says something else than the list, which only a template can cause.
    """
    _check_paper(pages, page)
    for number, printed in enumerate(pages, 1):
        _check_type(printed, size)
        _check_edges(printed, number)
        _check_overlaps(printed, number)
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
            for what, found, expected in _differences(printed, step, row.question):
                raise CardError(
                    f"Question {step.number}: the printed card has {what} {found!r} and the list"
                    f" {expected!r}."
                )


def copies_of(page: Page) -> int:
    return len(page.sheet.fronts) if page.sheet else 1


def _differences(
    printed: PrintedQuestion, step: Step, text: str
) -> Iterator[tuple[str, object, object]]:
    question = step.question
    assert question is not None
    boxes = [(box.total, box.decision) for box in step.boxes]
    found = [(box.total, box.decision) for box in printed.boxes]
    pairs = (
        ("the number", printed.number, step.number),
        ("the question", squeezed(printed.text), squeezed(text)),
        ("the points", printed.points, question.points),
        ("the rule-out stop", printed.rule_out_at, step.rule_out_at),
        ("the rule-in stop", printed.rule_in_at, step.rule_in_at),
        ("the boxes", found, boxes),
    )
    return (pair for pair in pairs if pair[1] != pair[2])


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
        raise NoRoomError("the text runs over onto another page")
    if len(pages) < page.sides:
        raise CardError(f"The card has {len(pages)} pages instead of {page.sides}.")


def _check_type(printed: PrintedPage, size: Size) -> None:
    for piece in printed.pieces:
        smallest = size.type.body if piece.mark in printed.table_marks else size.type.small
        if piece.points < smallest - TYPE_SLACK:
            raise CardError(
                f"{piece.text.strip()!r} is set in {piece.points:.1f} pt; the smallest type here is"
                f" {smallest:g} pt."
            )


def _check_edges(printed: PrintedPage, number: int) -> None:
    edge = EDGE * POINTS_PER_MM
    right, top = printed.width * POINTS_PER_MM - edge, printed.height * POINTS_PER_MM - edge
    for piece in printed.pieces:
        if not _is_inside(piece.bounds, (edge, edge, right, top)):
            raise NoRoomError(f"{_quoted(piece)} runs over the edge of page {number}")


def _check_overlaps(printed: PrintedPage, number: int) -> None:
    shrunk = [(piece, _shrunk(piece.bounds)) for piece in printed.pieces]
    for (one, first), (other, second) in _neighbours(shrunk):
        if _meet(first, second):
            raise NoRoomError(f"{_quoted(one)} and {_quoted(other)} overlap on page {number}")
    shapes = sorted(set(printed.shapes), key=lambda bounds: bounds[1])
    for piece, bounds in shrunk:
        for shape in shapes:
            if shape[1] > bounds[3]:
                break
            if _meet(bounds, shape) and not _is_inside(bounds, shape):
                raise NoRoomError(f"{_quoted(piece)} runs out of its box on page {number}")


Placed = tuple[Piece, Bounds]


def _neighbours(pieces: Iterable[Placed]) -> Iterator[tuple[Placed, Placed]]:
    """Pairs whose heights meet; the others cannot overlap."""
    ordered = sorted(pieces, key=lambda placed: placed[1][1])
    for place, one in enumerate(ordered):
        for other in ordered[place + 1 :]:
            if other[1][1] >= one[1][3]:
                break
            yield one, other


def _shrunk(bounds: Bounds) -> Bounds:
    left, bottom, right, top = bounds
    return left + SLACK, bottom + SLACK, right - SLACK, top - SLACK


def _meet(one: Bounds, other: Bounds) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _is_inside(inner: Bounds, outer: Bounds) -> bool:
    return (
        inner[0] >= outer[0]
        and inner[1] >= outer[1]
        and inner[2] <= outer[2]
        and inner[3] <= outer[3]
    )


def _quoted(piece: Piece) -> str:
    text = piece.text.strip()
    return repr(text if len(text) <= 30 else f"{text[:29]}…")


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
            # What runs off the paper is simply not printed.
            raise NoRoomError(f"{text!r} is not on the printed card")


def required_texts(view: CardView, page: Page) -> tuple[str, ...]:
    """What has to be on every card beside the staircase itself."""
    return (
        view.title,
        view.outcome,
        view.audience,
        *view.warnings,
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

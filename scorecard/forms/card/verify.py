"""Look at the finished PDF before it is written: is it whole, legible, and does it say the list?

Everything is measured on the PDF itself, not on the style sheet: overflow is silent in print
layout, and a row that is lost or clipped would be a question nobody asks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from math import ceil
from typing import TYPE_CHECKING
from unicodedata import normalize

from scorecard.core.staircase import Decision, Staircase, Step
from scorecard.forms.card.contents import CardView
from scorecard.forms.card.paper import Page
from scorecard.forms.card.path import every_way
from scorecard.forms.card.read_back import PrintedBox, PrintedCard, PrintedQuestion, cards_in_tables
from scorecard.forms.card.rows import LEFT_TO_RIGHT, further_steps, shown_steps
from scorecard.forms.card.sizes import CardSize
from scorecard.forms.card.view import GroupView, RowView
from scorecard.printing.finished import (
    MIRRORED,
    POINTS_PER_MM,
    Bounds,
    PrintedPage,
    PrintedText,
    Table,
    is_right_to_left,
)
from scorecard.printing.refusals import CardError, NoRoomError

if TYPE_CHECKING:
    from scorecard.forms.card.read_path import PrintedPath

SIDES = {1: ("it",), 2: ("its front", "its back")}
TYPE_SLACK = 0.02
SLACK = 0.6  # points: strokes are centred on their path, glyphs reach a little over their line
OVERHANG = 0.06  # em: a "j" begins to the left of its place
EDGE = 3.0  # millimetres of paper that stay free of text and boxes: cutters and printers miss
SHEET_EDGE = 2.0  # of a sheet, whose crop marks and ruler are outside the cards
LONGEST_QUOTE = 30


def check_pages(
    pages: Sequence[PrintedPage], view: CardView, page: Page, size: CardSize, staircase: Staircase
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
        check_places(printed, side, SHEET_EDGE if page.sheet else EDGE)
    _check_texts(pages, view, page)
    tables = [table for printed in pages for table in printed.tables]
    if page.path is not None:
        from scorecard.forms.card.read_path import path_in_pages  # few cards are paths

        check_path(path_in_pages(pages), view, staircase)
        check_behind_path(tables, view)
        if page.sides == 2 and not tables:
            raise CardError("The path has no table of its risks on its back.")
        return
    cards = cards_in_tables(tables)
    check_content(cards, view, staircase, copies_of(page))
    if page.layout == "staircase":
        for card in cards:
            _check_boxes(card, view, page)


def check_content(
    cards: Sequence[PrintedCard],
    view: CardView,
    staircase: Staircase,
    copies: int = 1,
    decisions_only: bool = False,
) -> None:
    """Refuse a card that, read back, is not the staircase; or in what it decides, whatever else."""
    if len(cards) != copies:
        raise CardError(f"{len(cards)} cards are printed where {copies} were expected.")
    steps, further = shown_steps(staircase), further_steps(staircase)
    for card in cards:
        if len(card.questions) != len(view.rows):
            raise CardError(
                f"{len(card.questions)} of {len(view.rows)} questions are on the printed card."
            )
        asked = list(zip(card.questions, steps, view.rows, strict=True))
        if card.further:
            asked += zip(card.further, further, view.further, strict=True)
        for printed, step, row in asked:
            for what, found, expected in _differences(
                printed, step, row, step in further, decisions_only
            ):
                raise CardError(
                    f"Question {step.number}: the printed card has {what} {found!r} and the list"
                    f" {expected!r}."
                )


def check_path(
    path: PrintedPath | None, view: CardView, staircase: Staircase, decisions_only: bool = False
) -> None:
    """Refuse a path that, followed on paper, does not end like the staircase on every answer.

    With `decisions_only` it may have other words and figures.
    """
    if path is None:
        raise CardError("No arrows are on the printed card.")
    for row in view.rows:
        found = path.questions.get(int(row.number), "")
        if not decisions_only and squeezed(found) != squeezed(row.question):
            raise CardError(f"Question {row.number}: the printed path asks {in_quotes(found)}.")
    for way in every_way(staircase):
        end, taken = path.follow(way)
        outcome = staircase.decide(way)
        same = (end.decision, taken) == (outcome.decision, outcome.stage)
        if same and not decisions_only:
            same = squeezed(end.text) == _text_of_end(view, taken, outcome.lowest.total)
        if not same:
            raise CardError(
                f"Answers {way}: the printed path ends after {taken} at {in_quotes(end.text)}, the"
                f" list after {outcome.stage} with {outcome.decision!r}."
            )


def _text_of_end(view: CardView, stage: int, total: int) -> str:
    """What the box of a total says."""
    (box,) = [box for box in view.path.rows[stage] if total in box.totals]
    return squeezed(" ".join((box.heading, *box.below)))


def check_behind_path(tables: Sequence[Table], view: CardView) -> None:
    """Each row of a path's back has the boxes after its question from left to right, no others."""
    found = {row[0]: squeezed(row[1]) for table in tables for row in table[1:]}
    details = ((True, True), (True, False), (False, False))
    due = [_behind_path(view, *detail) for detail in details]
    if tables and found not in due:
        raise CardError(f"The back of the path has {found!r} and the list {due[0]!r}.")


def _behind_path(view: CardView, counts: bool, ranges: bool) -> dict[str, str]:
    return {
        number: squeezed("".join(box.chip(counts, ranges, totals=False).text for box in boxes))
        for number, boxes in view.path.behind
    }


def copies_of(page: Page) -> int:
    return len(page.sheet.fronts) if page.sheet else 1


def _differences(
    printed: PrintedQuestion, step: Step, row: RowView, further: bool, decisions_only: bool
) -> Iterator[tuple[str, object, object]]:
    question = step.question
    assert question is not None
    stops = (None, None) if further else (step.rule_out_at, step.rule_in_at)
    pairs: list[tuple[str, object, object]] = [
        ("the number", printed.number, step.number),
        ("the points", printed.points, question.points),
        ("the rule-out stop", printed.rule_out_at, stops[0]),
        ("the rule-in stop", printed.rule_in_at, stops[1]),
    ]
    if not decisions_only:
        pairs.insert(1, ("the question", squeezed(printed.text), squeezed(row.question)))
    found = list(_by_total(printed, step))
    # A page with room, as a handout, has a box for each total.
    single = [
        (box.total, "undecided" if further else box.decision, text.risk)
        for box, text in zip(step.boxes, row.boxes, strict=True)
    ]
    expected = list(_expected(step, row, further))
    if decisions_only:  # whatever figures stand beside them
        found, single, expected = (
            [(total, decision, "") for total, decision, _ in one]
            for one in (found, single, expected)
        )
    if found != single:
        pairs.append(("the boxes", found, expected))
    return (pair for pair in pairs if pair[1] != pair[2])


def _expected(step: Step, row: RowView, further: bool) -> Iterator[tuple[int, Decision, str]]:
    for box in step.boxes:
        if further and box.risk is None:
            continue  # a box that only sharpens a risk nobody knows has nothing to say
        (group,) = [one for one in row.groups if one.lowest <= box.total <= one.highest]
        yield box.total, "undecided" if further else box.decision, group.risk + group.mark


def _by_total(printed: PrintedQuestion, step: Step) -> Iterator[tuple[int, Decision, str]]:
    """What the printed boxes say about each total; a box about no total at all is told as well."""
    totals = {box.total for box in step.boxes}
    for box in printed.boxes:
        inside = sorted(total for total in totals if box.lowest <= total <= box.highest)
        # Beside a total one can have, a box may also stand below one that one cannot.
        stray = () if _is_continued(box, printed.boxes, totals) else (box.lowest,)
        for total in inside or stray:
            yield total, box.decision, box.risk


def _is_continued(box: PrintedBox, boxes: Sequence[PrintedBox], totals: Iterable[int]) -> bool:
    return any(
        other.text == box.text and other.lowest <= total <= other.highest
        for other in boxes
        for total in totals
    )


def _check_boxes(card: PrintedCard, view: CardView, page: Page) -> None:
    """Each box has its symbol, risk, word, counts and range, and nothing else."""
    rows = zip((*card.questions, *card.further), (*view.rows, *view.further), strict=False)
    for printed, row in rows:
        texts = {squeezed(text_in_box(group, page)) for group in row.groups}
        for box in printed.boxes:
            if squeezed(box.text) not in texts:
                raise CardError(
                    f"Question {row.number}: a printed box says {in_quotes(box.text)}, which no"
                    " box of the list does."
                )


def text_in_box(box: GroupView, page: Page) -> str:
    """All that a box of a staircase has to say on this page, in its order."""
    lines = box.lines(page.shown)
    return " ".join((lines.figure, lines.word, *lines.below))


def squeezed(text: str) -> str:
    """Text without what a line break may change: spaces, hyphens, and the order in Hebrew."""
    kept = _without_breaks(text)
    if not is_right_to_left(kept):
        return kept
    # Brackets and signs are mirrored there, by the font or by the reader.
    return "".join(sorted(min(letter, letter.translate(MIRRORED)) for letter in kept))


def _without_breaks(text: str) -> str:
    # A letter and its accent are one glyph in a font, and may be read back as one character.
    text = normalize("NFC", text)
    return "".join(letter for letter in text if letter not in _HYPHENS and not letter.isspace())


_HYPHENS = f"-\N{HYPHEN}\N{SOFT HYPHEN}\N{ZERO WIDTH SPACE}\x02\ufffe{LEFT_TO_RIGHT}"


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


def _check_type(printed: PrintedPage, size: CardSize) -> None:
    for piece in printed.pieces:
        smallest = size.type.least if piece.mark in printed.table_marks else size.type.small
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
        view.how,
        view.outcome,
        view.audience,
        *view.warnings,
        *(name.text for name in page.names),
        view.undecided,
        view.group_note_short if page.pocket else view.group_note,
        *filter(None, [view.end if page.further else view.left_out]),
        view.unknown,
        *filter(None, [view.marked]),
        view.limits if page.full else view.limits_short,
        view.shown_short if page.pocket else view.shown,
        *(view.notes if page.full else view.notes_short),
        *(view.use if page.full else ()),
        view.figures_short,
        *([view.figures] if page.counted_where and page.sides == 2 else ()),
        view.source,
        *filter(None, [view.remark]),
        *(text for one in view.definitions for text in one if not page.pocket),
        view.validation,
        view.judgement,
        view.identity,
    )


# Places -------------------------------------------------------------------------------------------


def check_places(printed: PrintedPage, side: str, edge: float = EDGE) -> None:
    """Refuse a page on which text overlaps, runs out of its box or over the edge.

    Raises
    ------
    NoRoomError
        With what is too short or too wide; `side` is how the page is called there.
    """
    _check_edges(printed, side, edge * POINTS_PER_MM)
    _check_overlaps(printed, side)


def _check_edges(printed: PrintedPage, side: str, edge: float) -> None:
    right, top = printed.width * POINTS_PER_MM - edge, printed.height * POINTS_PER_MM - edge
    if printed.lowest < edge:
        raise _too_short(printed, side)
    for piece in printed.pieces:
        if not _is_inside(piece.bounds, (edge, edge, right, top)):
            raise _too_wide(piece)
    on_card = edge >= EDGE * POINTS_PER_MM
    if on_card and any(not _is_inside(shape, (edge, edge, right, top)) for shape in printed.shapes):
        raise NoRoomError(
            f"a box on {side.removeprefix('its ')} is less than {EDGE:g} mm from the edge"
        )


def _check_overlaps(printed: PrintedPage, side: str) -> None:
    shrunk = [(piece, _shrunk(piece)) for piece in printed.pieces]
    for (one, first), (other, second) in _neighbours(shrunk):
        if _meet(first, second):
            wide = _on_one_line(one, other) and _both_in_tables_or_not(one, other, printed)
            raise _too_wide(one) if wide else _too_short(printed, side)
    for piece, bounds in shrunk:
        if any(_meet(bounds, picture) for picture in printed.pictures):
            raise NoRoomError(f"{in_quotes(piece.text)} runs into a picture")
    shapes = sorted(set(printed.shapes), key=lambda bounds: bounds[1])
    for piece, bounds in shrunk:
        for shape in shapes:
            if shape[1] > bounds[3]:
                break
            if _meet(bounds, shape) and not _is_inside(bounds, shape):
                inside = shape[1] <= bounds[1] and bounds[3] <= shape[3]
                raise _too_wide(piece) if inside else _too_short(printed, side)


def _too_wide(piece: PrintedText) -> NoRoomError:
    return NoRoomError(f"{in_quotes(piece.text)} is too wide for its place")


def _too_short(printed: PrintedPage, side: str) -> NoRoomError:
    missing = _missing_height(printed)
    if missing <= 0:
        return NoRoomError(f"{side} is too short")
    return NoRoomError(f"{side} is about {missing} mm too short", missing)


def _missing_height(printed: PrintedPage) -> int:
    """Millimetres by which the last row reaches below the start of the sentences at the bottom."""
    last = max(
        (place for place, one in enumerate(printed.pieces) if one.mark in printed.table_marks),
        default=len(printed.pieces),
    )
    below = [piece.bounds[3] for piece in printed.pieces[last + 1 :]]
    table = [piece.bounds[1] for piece in printed.pieces[: last + 1]]
    if not below or not table:
        return 0
    off_paper = printed.lowest < 0
    return ceil((max(below) - (printed.lowest if off_paper else min(table))) / POINTS_PER_MM)


Placed = tuple[PrintedText, Bounds]


def _neighbours(pieces: Iterable[Placed]) -> Iterator[tuple[Placed, Placed]]:
    """Pairs whose heights meet; the others cannot overlap."""
    ordered = sorted(pieces, key=lambda placed: placed[1][1])
    for place, one in enumerate(ordered):
        for other in ordered[place + 1 :]:
            if other[1][1] >= one[1][3]:
                break
            yield one, other


def _on_one_line(one: PrintedText, other: PrintedText) -> bool:
    return abs(one.bounds[1] - other.bounds[1]) < SLACK


def _both_in_tables_or_not(one: PrintedText, other: PrintedText, printed: PrintedPage) -> bool:
    # A row and a sentence below the table that meet on a line do so because the side is too short.
    return (one.mark in printed.table_marks) == (other.mark in printed.table_marks)


def _shrunk(piece: PrintedText) -> Bounds:
    left, bottom, right, top = piece.bounds
    aside = max(SLACK, OVERHANG * piece.points)
    return left + aside, bottom + SLACK, right - aside, top - SLACK


def _meet(one: Bounds, other: Bounds) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _is_inside(inner: Bounds, outer: Bounds) -> bool:
    return (
        inner[0] >= outer[0]
        and inner[1] >= outer[1]
        and inner[2] <= outer[2]
        and inner[3] <= outer[3]
    )


def in_quotes(text: str) -> str:
    """The beginning of a text for a message, on one line and with plain spaces."""
    plain = " ".join(text.split())
    return repr(plain if len(plain) <= LONGEST_QUOTE else f"{plain[: LONGEST_QUOTE - 1]}…")

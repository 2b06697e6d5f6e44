"""From a list to a finished card: try the layouts of a size, check the result, or say why not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from scorecard.cards.contents import CardOptions, card_staircase, view_of
from scorecard.cards.heights import is_plainly_too_high
from scorecard.cards.html import card_css, card_html
from scorecard.cards.layout import Page, on_sheet, page_for
from scorecard.cards.read_back import cards_in_html
from scorecard.cards.sizes import (
    Density,
    Detail,
    LayoutKind,
    Sheet,
    Size,
    larger_than,
    sheet_named,
    size_named,
)
from scorecard.cards.verify import check_content, check_pages
from scorecard.cards.view import CardView
from scorecard.core.model import ScoringList
from scorecard.core.policy import StoppingPolicy
from scorecard.core.staircase import Staircase
from scorecard.locations import templates_folder
from scorecard.printing.fonts import embedded_font_faces
from scorecard.printing.html_to_pdf import pdf_from_html
from scorecard.printing.pdf_to_text import printed_pages
from scorecard.printing.refusals import CardError, NoRoomError


@dataclass(frozen=True, slots=True)
class Paper:
    """Which paper a card is for, and whose templates draw it."""

    size: str = "a6"
    orientation: str | None = None
    sheet: str | None = None
    greyscale: bool = False
    template_dir: Path | None = None

    def measures(self) -> Size:
        if self.sheet is not None and self.size != "credit-card":
            raise CardError(
                f"A sheet holds credit cards, not {self.size!r}: use --size credit-card."
            )
        return size_named(self.size, self.orientation)

    def sheet_measures(self) -> Sheet | None:
        return None if self.sheet is None else sheet_named(self.sheet)


@dataclass(frozen=True, slots=True)
class PrintedFile:
    """A finished card with what it was made from."""

    content: bytes
    page: Page
    view: CardView
    staircase: Staircase

    @property
    def left_out(self) -> str:
        """What a small card has no room for, as a sentence, or nothing."""
        words, page = self.view.words, self.page
        shown = {
            "counts": page.counts or not words.counts,
            "ranges": page.ranges or not words.range,
        }
        missing = " and ".join(name for name, is_shown in shown.items() if not is_shown)
        if not missing:
            return ""
        return f"There is no room for the {missing} behind each figure; a6 and larger have them."


def card_pdf(
    scoring_list: ScoringList,
    policy: StoppingPolicy | None = None,
    options: CardOptions | None = None,
    paper: Paper | None = None,
) -> PrintedFile:
    """The card of a list as PDF, checked.

    Raises
    ------
    NoRoomError
        Where the list does not fit; the message names the sizes that would do.
    """
    paper = paper or Paper()
    staircase = card_staircase(scoring_list, policy)
    view = view_of(staircase, options)
    size = paper.measures()
    try:
        return _first_that_fits(staircase, view, size, paper)
    except NoRoomError as error:
        raise NoRoomError(_refusal(staircase, view, size, paper, str(error))) from error


def card_page(
    scoring_list: ScoringList,
    policy: StoppingPolicy | None = None,
    options: CardOptions | None = None,
    paper: Paper | None = None,
) -> PrintedFile:
    """The card of a list as one HTML file that needs nothing else; no PDF library is used.

    On a screen a card has all the room it needs, so only its content is checked.
    """
    paper = paper or Paper()
    staircase = card_staircase(scoring_list, policy)
    view = view_of(staircase, options)
    page = _page_for_screen(view, paper)
    css = card_css(page, paper.template_dir)
    bare = card_html(view, page, paper.template_dir)
    html = card_html(view, page, paper.template_dir, style=embedded_font_faces(bare) + css)
    check_content(cards_in_html(html), view, staircase, len(page.sheet.fronts) if page.sheet else 1)
    return PrintedFile(html.encode(), page, view, staircase)


def _page_for_screen(view: CardView, paper: Paper) -> Page:
    size = paper.measures()
    reason: NoRoomError | None = None
    for layout in size.layouts:
        try:
            return _placed(page_for(view, size, layout, grey=paper.greyscale), size, paper)
        except NoRoomError as error:
            reason = error
    raise NoRoomError(f"{reason}: use a larger size.")


def _placed(page: Page, size: Size, paper: Paper) -> Page:
    sheet = paper.sheet_measures()
    return page if sheet is None else on_sheet(page, size, sheet)


def _first_that_fits(staircase: Staircase, view: CardView, size: Size, paper: Paper) -> PrintedFile:
    if len(view.rows) > size.max_questions:
        raise NoRoomError(f"{size.name} takes at most {size.max_questions}")
    if paper.sheet is not None:
        # A card that fits alone fits on a sheet: only one is tried, the sheet is made once.
        page = _first_that_fits(staircase, view, size, replace(paper, sheet=None)).page
        return _checked(staircase, view, size, _placed(page, size, paper), paper.template_dir)
    reasons: list[NoRoomError] = []
    for attempt in _attempts(view, size):
        try:
            page = page_for(view, size, *attempt, grey=paper.greyscale)
            return _checked(staircase, view, size, page, paper.template_dir)
        except NoRoomError as error:
            reasons.append(error)
    # Of the two that need the least room, the one that came nearer.
    raise min(reasons[-2:], key=lambda reason: reason.missing)


class _Attempt(NamedTuple):
    layout: LayoutKind
    density: Density
    detail: Detail
    limits_in_front: bool = False


def _attempts(view: CardView, size: Size) -> Iterator[_Attempt]:
    """From the most to the least that a card may show; the last one is always tried."""
    every = [
        attempt
        for layout in size.layouts
        for detail in _details(view, size)
        for attempt in _densities(size, layout, detail)
    ]
    yield from (attempt for attempt in every[:-1] if not _is_hopeless(view, size, attempt))
    yield every[-1]


def _details(view: CardView, size: Size) -> Iterator[Detail]:
    there = {"ranges": bool(view.words.range), "counts": bool(view.words.counts)}
    # Without ranges a card with ranges is the same as one with counts: one of them is enough.
    yield from (detail for detail in size.details[:-1] if there.get(detail))
    yield size.details[-1]


def _densities(size: Size, layout: LayoutKind, detail: Detail) -> Iterator[_Attempt]:
    for density in size.densities:
        yield _Attempt(layout, density, detail)
    if layout == "two-sided" and not size.full:
        yield _Attempt(layout, size.densities[-1], detail, limits_in_front=True)


def _is_hopeless(view: CardView, size: Size, attempt: _Attempt) -> bool:
    return attempt.layout in ("staircase-behind", "two-sided") and is_plainly_too_high(
        view, size, *attempt
    )


def _checked(
    staircase: Staircase, view: CardView, size: Size, page: Page, folder: Path | None
) -> PrintedFile:
    folders = (templates_folder(), *(() if folder is None else (folder,)))
    pdf = pdf_from_html(card_html(view, page, folder), card_css(page, folder), folders)
    check_pages(printed_pages(pdf), view, page, size, staircase)
    return PrintedFile(pdf, page, view, staircase)


def _refusal(staircase: Staircase, view: CardView, size: Size, paper: Paper, reason: str) -> str:
    count = len(view.rows)
    fitting = (n for n in larger_than(size) if _would_fit(staircase, view, n, paper))
    advice = [name for name in [next(fitting, "")] if name]
    if count > size.max_questions:
        advice.append(f"--max-questions {size.max_questions}")
    elif not advice:
        advice = ["shorter labels or fewer questions"]
    return (
        f"{count} question{'s' * (count != 1)} do{'es' * (count == 1)} not fit on {size.name} at"
        f" {size.type.body:g} pt ({reason}): use {' or '.join(advice)}."
    )


def _would_fit(staircase: Staircase, view: CardView, name: str, paper: Paper) -> bool:
    try:
        _first_that_fits(staircase, view, size_named(name), Paper(template_dir=paper.template_dir))
    except NoRoomError:
        return False
    return True

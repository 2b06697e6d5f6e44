"""From a list to a finished card: try the layouts of a size, check the result, or say why not."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from markupsafe import Markup

from scorecard.core.build_staircase import usual_policy
from scorecard.core.model import ScoringList
from scorecard.core.policy import StoppingPolicy
from scorecard.core.staircase import Staircase
from scorecard.documents.json_document import content_hash, short_hash
from scorecard.documents.values import tree_of
from scorecard.files import templates_folder
from scorecard.forms.card.contents import CardOptions, CardView, card_staircase, view_of
from scorecard.forms.card.layout import CardPlan, page_for, plans
from scorecard.forms.card.paper import Page, on_sheet
from scorecard.forms.card.read_back import cards_in_html
from scorecard.forms.card.sizes import (
    FROM_A_METRE,
    LAYOUTS,
    PATH_SIZES,
    POSTERS,
    CardSize,
    Sheet,
    larger_than,
    sheet_named,
    size_named,
)
from scorecard.forms.card.verify import check_content, check_pages
from scorecard.printing.finished import PrintRecord, printed_pages
from scorecard.printing.html_to_pdf import made_with as pdf_with
from scorecard.printing.html_to_pdf import pdf_from_html
from scorecard.printing.jinja import embedded_font_faces, rendered
from scorecard.printing.jinja import made_with as fonts_with
from scorecard.printing.logos import logo_from, qr_code
from scorecard.printing.refusals import CardError, NoRoomError
from scorecard.words.language import language_named

Place = str | os.PathLike[str]
"""The path of a file or folder."""

LEAST_ROOM = -2  # from where on the ways to lay out a card need the least room


@dataclass(frozen=True, slots=True)
class Paper:
    """Which paper a card is for, and whose templates draw it."""

    size: str = "a6"
    orientation: str | None = None
    sheet: str | None = None
    greyscale: bool = False
    template_dir: Path | None = None
    layout: str = "staircase"

    def measures(self) -> CardSize:
        if self.layout not in LAYOUTS:
            raise CardError(
                f"{self.layout!r} is not a layout; expected one of {', '.join(LAYOUTS)}."
            )
        if self.layout == "path" and self.size not in PATH_SIZES:
            raise CardError(
                f"A path is for {', '.join(PATH_SIZES)}, not for {self.size!r}: use another size or"
                " the layout staircase."
            )
        if self.sheet is not None and self.size != "credit-card":
            raise CardError(
                f"A sheet holds credit cards, not {self.size!r}: use `size='credit-card'`."
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
        """What a card has no room for, as a sentence, or nothing."""
        told = (
            self._missing_figures(),
            self._missing_questions(),
            self._missing_definitions(),
            self._small_type(),
        )
        return " ".join(filter(None, told))

    def _missing_figures(self) -> str:
        page, groups = self.page, [group for row in self.view.rows for group in row.groups]
        shown = {
            "counts": page.counts_behind,
            "ranges": page.ranges_behind,
        }
        there = {
            "counts": any(group.risk and group.behind for group in groups),
            "ranges": any(group.range for group in groups),
        }
        missing = " and ".join(name for name in shown if there[name] and not shown[name])
        return (
            f"There is no room for the {missing} behind each figure; larger sizes have them."
            if missing
            else ""
        )

    def _small_type(self) -> str:
        """A poster is read from a metre; one with many questions is not."""
        points = float(self.page.body.removesuffix("pt"))
        if self.page.name not in POSTERS or points >= FROM_A_METRE:
            return ""
        return (
            f"Its boxes are set in {points:.0f} pt: for the desk; from a metre one reads"
            f" {FROM_A_METRE:.0f} pt."
        )

    def _missing_questions(self) -> str:
        if self.page.further or not self.view.further:
            return ""
        labels = ", ".join(row.label for row in self.view.further)
        return f"Not on this card, because they only sharpen the risk: {labels}."

    def _missing_definitions(self) -> str:
        labels = ", ".join(row.label for row in self.view.rows if row.note)
        if not labels or not self.page.pocket:
            return ""
        return f"What is meant by these questions is on a6 and larger and on handouts: {labels}."


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
    if paper.layout == "path":
        raise CardError("A path is checked on paper: write it as .pdf or .png.")
    staircase = card_staircase(scoring_list, policy)
    view = view_of(staircase, options)
    view, page = _page_for_screen(view, paper)
    css = card_css(page, paper.template_dir)
    bare = card_html(view, page, paper.template_dir)
    html = card_html(view, page, paper.template_dir, style=embedded_font_faces(bare) + css)
    check_content(cards_in_html(html), view, staircase, len(page.sheet.fronts) if page.sheet else 1)
    return PrintedFile(html.encode(), page, view, staircase)


def _page_for_screen(view: CardView, paper: Paper) -> tuple[CardView, Page]:
    size = paper.measures()
    reasons = []
    for plan in plans(view, size):
        try:
            shown = view.on(plan.layout)
            return shown, _placed(page_for(shown, size, plan, grey=paper.greyscale), size, paper)
        except NoRoomError as error:
            reasons.append(error)
    raise NoRoomError(f"{reasons[-1]}: use a larger size.")


def _placed(page: Page, size: CardSize, paper: Paper) -> Page:
    sheet = paper.sheet_measures()
    return page if sheet is None else on_sheet(page, size, sheet)


def _first_that_fits(
    staircase: Staircase, view: CardView, size: CardSize, paper: Paper, from_plan: int = 0
) -> PrintedFile:
    if len(view.rows) > size.max_questions:
        raise NoRoomError(f"{size.name} takes at most {size.max_questions}")
    if paper.sheet is not None:
        # A card that fits alone fits on a sheet: only one is tried, the sheet is made once.
        alone = _first_that_fits(staircase, view, size, replace(paper, sheet=None))
        page = _placed(alone.page, size, paper)
        return _checked(staircase, alone.view, size, page, paper.template_dir)
    reasons: list[NoRoomError] = []
    for plan, turned in list(_ways(view, size, paper))[from_plan:]:
        try:
            shown = view.on(plan.layout)
            page = page_for(shown, turned, plan, grey=paper.greyscale)
            return _checked(staircase, shown, turned, page, paper.template_dir)
        except NoRoomError as error:
            reasons.append(error)
    # Of those that need the least room, the one that came nearer.
    raise min(reasons[LEAST_ROOM:], key=lambda reason: reason.missing)


def _ways(view: CardView, size: CardSize, paper: Paper) -> Iterator[tuple[CardPlan, CardSize]]:
    """Each plan on its paper; a path is tall, so it may have an upright one for larger type."""
    may_turn = paper.layout == "path" and paper.orientation is None
    sizes = (size, size.turned()) if may_turn else (size,)
    return ((plan, one) for plan in plans(view, size, paper.layout) for one in sizes)


def card_css(page: Page, template_dir: Path | None = None) -> str:
    """The style sheet of a page: measures and colours only, no text of the list."""
    return rendered("card/card.css.j2", template_dir, page=page)


def card_html(view: CardView, page: Page, template_dir: Path | None = None, style: str = "") -> str:
    """The card as HTML; with `style` inside, the file needs nothing else."""
    name = "sheet" if page.sheet else page.layout
    # The style is ours: measures, colours and fonts. No text of the list gets into it.
    return rendered(f"card/{name}.html.j2", template_dir, card=view, page=page, style=Markup(style))


def _checked(
    staircase: Staircase, view: CardView, size: CardSize, page: Page, folder: Path | None
) -> PrintedFile:
    folders = (templates_folder(), *(() if folder is None else (folder,)))
    pdf = pdf_from_html(card_html(view, page, folder), card_css(page, folder), folders)
    check_pages(printed_pages(pdf), view, page, size, staircase)
    return PrintedFile(pdf, page, view, staircase)


def _refusal(
    staircase: Staircase, view: CardView, size: CardSize, paper: Paper, reason: str
) -> str:
    count = len(view.rows)
    fitting = (n for n in larger_than(size) if _would_fit(staircase, view, n, paper))
    advice = [name for name in [next(fitting, "")] if name]
    if paper.layout == "path":
        advice.append("the layout staircase")
    if count > size.max_questions:
        advice.append(f"`max_questions={size.max_questions}`")
    elif not advice:
        advice = ["shorter labels or fewer questions"]
    return (
        f"{count} question{'s' * (count != 1)} do{'es' * (count == 1)} not fit on {size.name} at"
        f" {size.type.body:g} pt ({reason}): use {' or '.join(advice)}."
    )


def _would_fit(staircase: Staircase, view: CardView, name: str, paper: Paper) -> bool:
    """Whether it fits with the least room: to try every way on every size takes too long."""
    try:
        plain = Paper(template_dir=paper.template_dir, layout=paper.layout)
        _first_that_fits(staircase, view, size_named(name), plain, LEAST_ROOM)
    except NoRoomError:
        return False
    return True


# From a list and its look ------------------------------------------------------------------------


def make(scoring_list: ScoringList, file_format: str = "pdf", **look: Any) -> bytes:
    """The card of a list as a file of this format."""
    return printed_card(scoring_list, file_format, **look).content


def printed_card(
    scoring_list: ScoringList,
    file_format: str = "pdf",
    *,
    policy: StoppingPolicy | None = None,
    size: str | None = None,
    orientation: str | None = None,
    sheet: str | None = None,
    greyscale: bool = False,
    template_dir: Place | None = None,
    layout: str | None = None,
    **look: Any,
) -> PrintedFile:
    """`make` with what is to be told about the card: its page, and what had no room."""
    folder = None if template_dir is None else Path(template_dir)
    size = size or ("credit-card" if sheet else "a6")
    paper = Paper(size, orientation, sheet, greyscale, folder, layout or "staircase")
    options = card_options(scoring_list, template_dir=folder, **look)
    given = look | asdict(replace(paper, template_dir=None))
    record = record_text("card", scoring_list, policy, options, file_format, folder, given)
    return format_of(file_format)(scoring_list, policy, replace(options, record=record), paper)


def card_options(
    scoring_list: ScoringList,
    *,
    language: str = "en",
    template_dir: Path | None = None,
    logo: Place | None = None,
    qr: str | None = None,
    warnings: Iterable[str] = (),
    **texts: Any,
) -> CardOptions:
    """What is added to a card or a handout; the logo is read, the language looked up."""
    spoken = language_named(language, template_dir)
    return CardOptions(
        language=spoken,
        identity=short_hash(scoring_list),
        logo=None if logo is None else logo_from(Path(logo)),
        qr=None if qr is None else qr_code(qr, spoken),
        warnings=tuple(warnings),
        **texts,
    )


def record_text(
    form: str,
    scoring_list: ScoringList,
    policy: StoppingPolicy | None,
    options: CardOptions,
    file_format: str,
    folder: Path | None,
    given: Mapping[str, Any],
) -> str:
    """What is told in a printed file about its making; the logo is in it as it was read."""
    said = {name: value for name, value in given.items() if value not in (None, "", False, ())}
    said |= {"warnings": options.warnings} if options.warnings else {}
    said |= {"logo": options.logo.address} if options.logo else {}
    said |= {"template_dir": True} if folder else {}  # wherever it lies
    in_force = tree_of(policy or usual_policy(scoring_list))
    made = made_with(file_format.lower())
    return PrintRecord(form, content_hash(scoring_list), in_force, said, made).text()


def made_with(file_format: str) -> str:
    """The libraries that decide the bytes of a printed file."""
    return fonts_with() if file_format.endswith("html") else pdf_with()


Maker = Callable[
    [ScoringList, StoppingPolicy | None, CardOptions | None, Paper | None], PrintedFile
]


def card_picture(
    scoring_list: ScoringList,
    policy: StoppingPolicy | None = None,
    options: CardOptions | None = None,
    paper: Paper | None = None,
) -> PrintedFile:
    """The checked PDF as a PNG at 300 dots per inch, the sides of the card below each other."""
    from scorecard.printing.finished import png_of_pdf

    printed = card_pdf(scoring_list, policy, options, paper)
    return replace(printed, content=png_of_pdf(printed.content))


FORMATS: dict[str, Maker] = {"pdf": card_pdf, "html": card_page, "png": card_picture}


def format_of(name: str) -> Maker:
    """The maker for a format or for a file name that ends in one."""
    ending = name.rpartition(".")[2].lower()
    if ending not in FORMATS:
        endings = ", ".join(f".{one}" for one in FORMATS)
        raise CardError(f"{name!r} is no kind of card; the name should end in one of {endings}.")
    return FORMATS[ending]

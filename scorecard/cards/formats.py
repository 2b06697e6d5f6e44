"""The kinds of file a card can be: one function per format, one line to add it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from scorecard.cards.contents import CardOptions
from scorecard.cards.make import Paper, PrintedFile, card_page, card_pdf
from scorecard.core.model import ScoringList
from scorecard.core.policy import StoppingPolicy
from scorecard.printing.refusals import CardError

Maker = Callable[
    [ScoringList, StoppingPolicy | None, CardOptions | None, Paper | None], PrintedFile
]


def card_png(
    scoring_list: ScoringList,
    policy: StoppingPolicy | None = None,
    options: CardOptions | None = None,
    paper: Paper | None = None,
) -> PrintedFile:
    """The card as a picture at 300 dots per inch, its sides below each other."""
    from scorecard.printing.pdf_to_png import png_of_pdf

    printed = card_pdf(scoring_list, policy, options, paper)
    return replace(printed, content=png_of_pdf(printed.content))


def card_svg(
    scoring_list: ScoringList,
    policy: StoppingPolicy | None = None,
    options: CardOptions | None = None,
    paper: Paper | None = None,
) -> PrintedFile:
    """The card as a drawing: the shapes and the text of the checked PDF, sides below each other."""
    from scorecard.printing.pdf_to_svg import svg_of_pdf

    printed = card_pdf(scoring_list, policy, options, paper)
    svg = svg_of_pdf(printed.content, printed.view.title, printed.view.language)
    return replace(printed, content=svg.encode())


FORMATS: dict[str, Maker] = {
    "pdf": card_pdf,
    "html": card_page,
    "png": card_png,
    "svg": card_svg,
}


def format_of(name: str) -> Maker:
    """The maker for a format or for a file name that ends in one."""
    ending = name.rpartition(".")[2].lower()
    if ending not in FORMATS:
        endings = ", ".join(f".{one}" for one in FORMATS)
        raise CardError(f"{name!r} is no kind of card; the name should end in one of {endings}.")
    return FORMATS[ending]

"""A card as HTML, and its style sheet."""

from __future__ import annotations

from pathlib import Path

from markupsafe import Markup

from scorecard.cards.layout import Page
from scorecard.cards.view import CardView
from scorecard.printing.jinja import rendered


def card_css(page: Page, template_dir: Path | None = None) -> str:
    """The style sheet of a page: measures and colours only, no text of the list."""
    return rendered("card/card.css.j2", template_dir, page=page)


def card_html(view: CardView, page: Page, template_dir: Path | None = None, style: str = "") -> str:
    """The card as HTML; with `style` inside, the file needs nothing else."""
    name = "sheet" if page.sheet else page.layout
    # The style is ours: measures, colours and fonts. No text of the list gets into it.
    return rendered(f"card/{name}.html.j2", template_dir, card=view, page=page, style=Markup(style))

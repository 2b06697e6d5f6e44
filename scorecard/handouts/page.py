"""A handout as one file: HTML that needs nothing else, or a PDF.

The page carries a policy that forbids every request and every script and style but its own two,
named by their hashes; so a changed script does not run, and the page says so.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

from markupsafe import Markup

from scorecard.cards.layout import COLOURS
from scorecard.files import templates_folder
from scorecard.handouts.view import HandoutView
from scorecard.printing.fonts import embedded_font_faces
from scorecard.printing.jinja import rendered

Paper = Literal["a4", "letter"]
PAPERS: dict[Paper, str] = {"a4": "210mm 297mm", "letter": "215.9mm 279.4mm"}

# The same roles as on paper, for light text on a dark screen.
DARK = {
    "ink": "#eceff2",
    "quiet": "#b3bcc5",
    "line": "#69737d",
    "paper": "#14181c",
    "panel": "#1d2329",
    "out": "#8fc1ee",
    "out_ink": "#0a1420",
    "out_text": "#9fcbf2",
    "out_tint": "#1b2c3d",
    "in": "#f7ab63",
    "in_ink": "#160d04",
    "in_line": "#ffd0a1",
    "in_text": "#ffc48c",
    "in_tint": "#3a2814",
    "on": "#28303a",
    "alarm": "#ff9d9d",
    "alarm_tint": "#4a1717",
}
LIGHT = COLOURS | {
    "paper": "#ffffff",
    "panel": "#f5f7f8",
    "alarm": "#8a0f0f",
    "alarm_tint": "#ffe3e3",
}


@dataclass(frozen=True, slots=True)
class Sources:
    """What the page needs from outside the view: the decision table and what it must get right."""

    table: Mapping[str, Any]
    checks: Mapping[str, Any]


def handout_html(
    view: HandoutView,
    sources: Sources,
    *,
    paper: Paper = "a4",
    template_dir: Path | None = None,
    embed_fonts: bool = True,
) -> str:
    """The handout as one HTML file that asks for nothing."""
    script = rendered(
        "handout/handout.js.j2",
        template_dir,
        table=sources.table,
        checks=sources.checks,
        texts=view.calculator,
    )
    style = handout_css(paper, template_dir)
    if embed_fonts:
        text = rendered("handout/handout.html.j2", template_dir, **_page(view))
        style = embedded_font_faces(text + "".join(_texts(view.calculator))) + style
    return rendered(
        "handout/handout.html.j2", template_dir, **_page(view, style=style, script=script)
    )


def handout_pdf(
    view: HandoutView, *, paper: Paper = "a4", template_dir: Path | None = None
) -> bytes:
    """The handout as a PDF to print; the staircase takes the place of the calculator.

    It is read back before it is given away: what is cut off or missing is refused.
    """
    from scorecard.handouts.verify import check_handout
    from scorecard.printing.html_to_pdf import pdf_from_html

    html = rendered("handout/handout.html.j2", template_dir, **_page(view))
    folders = [templates_folder()] + ([template_dir] if template_dir else [])
    pdf = pdf_from_html(html, handout_css(paper, template_dir), tuple(folders))
    check_handout(pdf, view)
    return pdf


def staircase_html(view: HandoutView) -> str:
    """The staircase alone, for notebooks: style inside, no script."""
    return rendered("handout/notebook.html.j2", None, view=view, card=view.card, light=LIGHT)


def handout_css(paper: Paper = "a4", template_dir: Path | None = None) -> str:
    """The style sheet for screen and paper: measures and colours only, no text of the list."""
    return rendered(
        "handout/handout.css.j2", template_dir, paper=PAPERS[paper], light=LIGHT, dark=DARK
    )


def _page(view: HandoutView, style: str = "", script: str = "") -> dict[str, object]:
    # Both are ours: the style has no text of the list, the script has it as escaped JSON only.
    return {
        "view": view,
        "card": view.card,
        "colours": LIGHT,
        "style": Markup(style),
        "style_hash": _hash(style),
        "script": Markup(script),
        "script_hash": _hash(script),
    }


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _texts(value: object) -> list[str]:
    """All texts inside a plain value: the page may show any of them later."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping):
        return [text for one in value.values() for text in _texts(one)]
    if isinstance(value, list | tuple):
        return [text for one in value for text in _texts(one)]
    return []

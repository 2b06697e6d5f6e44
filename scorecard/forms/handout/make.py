"""A handout as one file: HTML that needs nothing else, or a PDF that is read back.

The page carries a policy that forbids every request and every script and style but its own two,
named by their hashes; so a changed script does not run, and the page says so.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from html import unescape
from pathlib import Path
from typing import Any, Literal, get_args

from markupsafe import Markup

from scorecard import __version__
from scorecard.core.model import ScoringList
from scorecard.core.policy import StoppingPolicy
from scorecard.core.staircase import Staircase
from scorecard.documents.json_document import content_hash
from scorecard.files import templates_folder
from scorecard.forms.card.contents import card_staircase
from scorecard.forms.card.make import Place, card_options, record_text
from scorecard.forms.card.paper import COLOURS
from scorecard.forms.decision_table import decision_table
from scorecard.forms.handout.calculator import self_checks
from scorecard.forms.handout.patient import PatientView, check_arrays, patient_view
from scorecard.forms.handout.view import HandoutOptions, HandoutView, handout_view
from scorecard.forms.test_cases import asked_in_all, patterns, probes, sharpened, words
from scorecard.printing.finished import POINTS_PER_MM, PrintedPage, printed_pages
from scorecard.printing.html_to_pdf import pdf_from_html
from scorecard.printing.jinja import embedded_font_faces, rendered
from scorecard.printing.refusals import CardError

FORMATS = ("html", "pdf")
Reader = Literal["clinician", "patient"]
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


SMALLEST_TYPE = 10  # points
SLACK = 0.05
EDGE = 5  # millimetres that most printers leave white


@dataclass(frozen=True, slots=True)
class Sources:
    """What the page needs from outside the view: the decision table and what it must get right."""

    table: Mapping[str, Any]
    checks: Mapping[str, Any]


def make(
    scoring_list: ScoringList,
    file_format: str = "html",
    *,
    policy: StoppingPolicy | None = None,
    paper: Any = "a4",
    not_for: str = "",
    reader: Any = "clinician",
    template_dir: Place | None = None,
    **look: Any,
) -> bytes:
    """The handout of a list as a file of this format."""
    for what, said, known in (
        ("kind of handout", file_format, FORMATS),
        ("reader of a handout", reader, get_args(Reader)),
    ):
        if said not in known:
            raise CardError(f"{said!r} is no {what}; expected one of {', '.join(known)}.")
    folder = None if template_dir is None else Path(template_dir)
    card = card_options(scoring_list, template_dir=folder, **look)
    given = look | {"paper": paper, "not_for": not_for}
    given |= {"reader": reader} if reader == "patient" else {}
    record = record_text("handout", scoring_list, policy, card, file_format, folder, given)
    staircase, card = card_staircase(scoring_list, policy), replace(card, record=record)
    if reader == "patient":
        told = patient_view(staircase, card)
        return patient_page(told, file_format, paper=paper, template_dir=folder)
    fingerprint, generator = content_hash(scoring_list), f"scorecard {__version__}"
    view = handout_view(staircase, HandoutOptions(card, not_for, fingerprint, generator))
    if file_format == "pdf":
        return handout_pdf(view, paper=paper, template_dir=folder)
    return handout_html(view, sources_of(staircase), paper=paper, template_dir=folder).encode()


def sources_of(staircase: Staircase) -> Sources:
    """What the page computes with: the same table and test cases as the exports."""
    table: dict[str, Any] = dict(decision_table(staircase))
    needed = ("questions", "steps", "sharpening", "names", "answers", "not_asked")
    readings = [
        (place, said)
        for place, question in enumerate(asked_in_all(staircase))
        for said in [*probes(question), *words(question)]
    ]
    checks = self_checks(staircase, patterns(staircase), readings, sharpened(staircase))
    return Sources({name: table[name] for name in needed}, checks)


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
    html = rendered("handout/handout.html.j2", template_dir, **_page(view))
    folders = [templates_folder()] + ([template_dir] if template_dir else [])
    pdf = pdf_from_html(html, handout_css(paper, template_dir), tuple(folders))
    check_handout(pdf, view)
    return pdf


def patient_page(
    view: PatientView,
    file_format: str,
    *,
    paper: Paper = "a4",
    template_dir: Path | None = None,
) -> bytes:
    """The page for a patient; its squares and its text are read back."""

    def html(style: str = "") -> str:
        said = _said(style) | {"view": view, "card": view.card}
        return rendered("handout/patient.html.j2", template_dir, **said)

    css = handout_css(paper, template_dir)
    bare = html()
    check_arrays(bare, view)
    if file_format == "html":
        _check_words(_letters(unescape(re.sub(r"<[^>]*>", " ", bare))), view.texts)
        return html(embedded_font_faces(bare) + css).encode()
    folders = [templates_folder()] + ([template_dir] if template_dir else [])
    pdf = pdf_from_html(bare, css, tuple(folders))
    check_printed(pdf, view.texts)
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
    return _said(style) | {
        "view": view,
        "card": view.card,
        "script": Markup(script),
        "script_hash": _hash(script),
    }


def _said(style: str) -> dict[str, object]:
    return {"colours": LIGHT, "style": Markup(style), "style_hash": _hash(style)}


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


def check_handout(pdf: bytes, view: HandoutView) -> None:
    """Refuse a PDF from which a reader could not take what the view says."""
    check_printed(pdf, required_texts(view))


def check_printed(pdf: bytes, texts: Iterable[str]) -> None:
    """Refuse a PDF that is cut off, set too small, or lacks one of these texts."""
    pages = printed_pages(pdf)
    for number, page in enumerate(pages, 1):
        _check_page(page, number)
    _check_words(_letters("".join(page.text for page in pages)), texts)


def _check_words(whole: str, texts: Iterable[str]) -> None:
    # A line from right to left is extracted word by word, in either order.
    backwards = whole[::-1]
    for text in texts:
        for word in re.findall(r"\w+", text):
            if word not in whole and word not in backwards:
                raise CardError(f"{text!r} is not on the printed handout; write it as .html.")


def required_texts(view: HandoutView) -> Iterator[str]:
    """What has to be on paper: the staircase with its figures, the rules, where it comes from."""
    card = view.card
    yield from (card.title, card.subtitle, view.outcome, card.audience, view.note, *card.warnings)
    for row in card.rows:
        yield from (row.label, row.condition, row.instead, row.points)
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

"""Cards can be heard and copied: PDF/UA-1, and in black and white the boxes differ in ink alone."""

from __future__ import annotations

from io import BytesIO
from itertools import cycle
from pathlib import Path

import page
import pypdfium2
import pytest
from PIL import Image

from scorecard.forms.card.contents import CardOptions
from scorecard.forms.card.layout import CardPlan, page_for
from scorecard.forms.card.make import Paper, card_css, card_html, card_pdf
from scorecard.forms.card.sizes import PATH_SIZES, SHEETS, SIZES
from scorecard.printing.finished import (
    POINTS_PER_MM,
    Bounds,
    PrintedPage,
    png_of_pdf,
    printed_pages,
)
from scorecard.printing.html_to_pdf import pdf_from_html
from scorecard.printing.logos import qr_code
from tests.forms.card.printed_cards import POINT, ward_list
from tests.lists import MARBURG

PAPERS = [Paper(size) for size in SIZES] + [Paper("credit-card", sheet=sheet) for sheet in SHEETS]
PAPERS += [Paper(size, layout="path") for size in PATH_SIZES]
LANGUAGES = cycle(["en", "de"])


def violations(pdf: bytes) -> list[str]:
    report = page.validate_pdf_bytes(pdf, profile=page.ValidationProfile.PDF_UA_1)
    return [str(failure) for failure in report.failures]


@pytest.mark.parametrize(("paper", "language"), list(zip(PAPERS, LANGUAGES, strict=False)), ids=str)
def test_every_size_keeps_to_pdf_ua(paper: Paper, language: str) -> None:
    options = CardOptions(language=language, warnings=("A warning",), ticks=True)
    assert violations(card_pdf(ward_list(2), POINT, options, paper).content) == []


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_layout_keeps_to_pdf_ua(language: str) -> None:
    code = qr_code("https://example.org/list")
    view = card_pdf(MARBURG, POINT, CardOptions(language=language, qr=code), Paper("a5")).view
    for plan in (CardPlan("staircase"), CardPlan("two-sided")):
        paper = page_for(view, SIZES["a5"], plan)
        assert violations(pdf_from_html(card_html(view, paper), card_css(paper))) == []


def test_a_page_that_does_not_is_noticed() -> None:
    html = '<html lang="en"><title>x</title><ul><span>no item</span></ul><h4>deep</h4>'
    assert violations(pdf_from_html(html, ""))


# A code to be read by a phone ---------------------------------------------------------------------

HANDOUT = "https://www.example.org/handouts/breast-mass.html"
AT_THE_BEDSIDE = [
    Paper("credit-card"),
    Paper("a7"),
    Paper("a6"),
    Paper("a5"),
    Paper("a4"),
    Paper("a5", layout="path"),
    Paper("credit-card", sheet="a4"),
]


@pytest.mark.parametrize("paper", AT_THE_BEDSIDE, ids=str)
def test_the_code_leads_to_the_handout_in_colour_and_as_a_copy(paper: Paper) -> None:
    reader = pytest.importorskip("zxingcpp", reason="pip install zxing-cpp reads QR codes")
    options = CardOptions(qr=qr_code(HANDOUT))
    file = card_pdf(ward_list(3), POINT, options, paper)
    picture = Image.open(BytesIO(png_of_pdf(file.content)))
    copies = SHEETS[paper.sheet].count if paper.sheet else 1
    for seen in (picture, picture.convert("L").point(lambda level: 255 * (level > 127))):
        found = reader.read_barcodes(seen)
        assert [one.text for one in found] == [HANDOUT] * copies


def test_the_longest_address_can_still_be_read() -> None:
    reader = pytest.importorskip("zxingcpp", reason="pip install zxing-cpp reads QR codes")
    longest = f"https://example.org/{'x' * 280}"
    file = card_pdf(ward_list(2), POINT, CardOptions(qr=qr_code(longest)), Paper("a6"))
    picture = Image.open(BytesIO(png_of_pdf(file.content)))
    assert [one.text for one in reader.read_barcodes(picture)] == [longest]


# Black and white ----------------------------------------------------------------------------------

DOTS = 20  # per millimetre
SIGNS = {"▼": "out", "▲": "in", "◆": "undecided", "→": "on"}


def in_black_and_white(pdf: bytes) -> Image.Image:
    with pypdfium2.PdfDocument(pdf) as document:
        picture = document[0].render(scale=DOTS / POINTS_PER_MM).to_pil().convert("L")
    return picture.point(lambda level: 255 * (level > 127))


def boxes_by_sign(printed: PrintedPage) -> dict[str, list[Bounds]]:
    """The box around each sign, by its kind."""
    found: dict[str, list[Bounds]] = {kind: [] for kind in SIGNS.values()}
    for piece in printed.pieces:
        kind = SIGNS.get(piece.text.strip()[:1])
        around = [shape for shape in printed.shapes if _holds(shape, piece.bounds)]
        in_a_box = not set(piece.text) & {"≤", "≥"}  # not in the column of stops
        if kind and around and in_a_box:
            found[kind].append(min(around, key=lambda s: (s[2] - s[0]) * (s[3] - s[1])))
    return found


def _holds(outer: Bounds, inner: Bounds) -> bool:
    is_box = outer[2] - outer[0] < 60 * POINTS_PER_MM and outer[3] - outer[1] > 2 * POINTS_PER_MM
    across = outer[0] <= inner[0] and inner[2] <= outer[2]
    return is_box and across and outer[1] <= inner[1] and inner[3] <= outer[3]


def dark_at_the_edge(picture: Image.Image, box: Bounds) -> list[float]:
    """How many of the first millimetres from the left are black, at several heights."""
    left, bottom, _, top = (place * DOTS / POINTS_PER_MM for place in box)
    heights = [bottom + share * (top - bottom) for share in (0.3, 0.4, 0.5, 0.6, 0.7)]
    rows = [
        [picture.getpixel((int(left) + step, picture.height - int(y))) for step in range(DOTS)]
        for y in heights
    ]
    return [row.count(0) / DOTS for row in rows]


@pytest.mark.parametrize("size", ["a6", "a7", "a4"])
def test_a_black_and_white_copy_keeps_the_boxes_apart(size: str) -> None:
    pdf = card_pdf(ward_list(3), POINT, None, Paper(size)).content
    picture, boxes = in_black_and_white(pdf), boxes_by_sign(printed_pages(pdf)[0])
    edges = {
        kind: [dark_at_the_edge(picture, box) for box in found] for kind, found in boxes.items()
    }
    assert all(edges.values()), edges
    assert min(max(edge) for edge in edges["out"]) > 0.9  # filled
    # Letters may reach into the first millimetre: the frame is what is dark at every height.
    thick = {kind: [min(edge) for edge in found] for kind, found in edges.items()}
    assert all(0.5 < one < 0.9 for one in thick["in"]), thick
    assert all(0.1 < one < 0.5 for one in thick["undecided"]), thick
    assert max(thick["on"]) == 0


def test_a_layout_with_a_box_near_the_edge_is_not_taken(tmp_path: Path) -> None:
    (tmp_path / "card").mkdir()
    style = '{% include "default:card/_boxes.css.j2" %}\n.box { margin-right: -3mm; }\n'
    (tmp_path / "card" / "_boxes.css.j2").write_text(style, encoding="utf-8")
    layouts = [
        card_pdf(ward_list(2), POINT, None, Paper(template_dir=folder)).page.layout
        for folder in (None, tmp_path)
    ]
    assert layouts == ["staircase", "two-sided"]

"""Nothing in a list, an option, a logo or a template makes the renderer read, fetch or run."""

import ctypes
import re
import socket
import sys
from collections.abc import Iterator
from dataclasses import fields, replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pypdfium2
import pypdfium2.raw as raw
import pytest

from scorecard.core.model import About, Condition, ScoringList
from scorecard.core.policy import StoppingPolicy
from scorecard.files import templates_folder
from scorecard.forms.card.contents import CardOptions, card_view
from scorecard.forms.card.layout import CardPlan, page_for
from scorecard.forms.card.make import Paper, card_css, card_html, card_page, card_pdf
from scorecard.forms.card.measure import text_width
from scorecard.forms.card.paper import on_sheet
from scorecard.forms.card.sizes import sheet_named, size_named
from scorecard.printing import jinja
from scorecard.printing.finished import printed_pages
from scorecard.printing.html_to_pdf import pdf_from_html
from scorecard.printing.jinja import FONT_FOLDER
from scorecard.printing.logos import Picture, logo_from, qr_code
from scorecard.printing.refusals import CardError
from scorecard.words.wording import printable
from tests.forms.card.printed_cards import POINT, uncompressed, ward_list

HOSTILE = (
    "<script>alert(1)</script>",
    "</td></tr></table><script>x</script>",
    '"><img src=x onerror=alert(1)>',
    "' onload='alert(1)",
    "<svg onload=alert(1)>",
    "<a href='javascript:alert(1)'>x</a>",
    "<link rel=attachment href='file:///etc/passwd'>",
    "<link rel=stylesheet href='http://example.org/x.css'>",
    "<iframe src='http://example.org'></iframe>",
    "<object data='file:///etc/passwd'>",
    "<style>*{display:none}</style>",
    "</style><style>@import 'http://example.org'",
    "url(http://example.org/x.png)",
    "{{ 7 * 7 }}",
    "{% include '/etc/passwd' %}",
    "{{ ''.__class__.__mro__ }}",
    "{# comment",
    "&lt;b&gt;",
    "&#x3c;script&#x3e;",
    "&nbsp;&copy;",
    "<!-- hidden",
    "]]><![CDATA[",
    "<?xml version='1.0'?>",
    "\x1b]0;title\x07",
    "\u202e\u2066reversed",
    "a\u0000b".replace("\u0000", "\u0001"),
    "javascript:alert(1)",
    "%s %(x)s {0} $x `x`",
    "\\u003cscript\\u003e",
    "</title><body onload=x>",
)

DOT = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgAB"
    "SK+kcQAAAABJRU5ErkJggg=="
)
FONTS = FONT_FOLDER.as_uri()


def poisoned(text: str) -> tuple[ScoringList, CardOptions]:
    """A text in every place a user controls; a word in a box begins with a letter."""
    text, bare = f"A{text}", ward_list(3)
    conditions = (Condition(">=", 10), Condition("in", categories=(text,)), Condition("yes"))
    questions = tuple(
        replace(question, input=f"{text} {number}", label=text, condition=condition, note=text)
        for number, (question, condition) in enumerate(zip(bare.questions, conditions, strict=True))
    )
    questions = (replace(questions[0], unit=text), *questions[1:])
    about = About(*[text] * len(fields(About)))
    options = CardOptions(
        title=text,
        subtitle=text,
        audience=text,
        warnings=(text,),
        identity=text,
        logo=Picture(DOT, text),
    )
    hostile = replace(
        bare,
        questions=questions,
        about=about,
        risk_source=replace(bare.risk_source, band=text),
        provenance=((text, text),),
    )
    return hostile, options


# Each layout has its own templates, and so has a sheet.
LAYOUTS = [
    ("a4", CardPlan("staircase", "compact", further=True)),
    ("a5", CardPlan("two-sided", "compact")),
    ("tally", CardPlan("tally")),
]


def pages_of(text: str) -> list[str]:
    view = card_view(*swapped(poisoned(text)))
    pages = [page_for(view, size_named(size), plan) for size, plan in LAYOUTS]
    # How many rows there is room for depends on how wide a text is.
    pages[2] = replace(pages[2], tally_rows=pages[2].tally_rows[:1])
    pages.append(on_sheet(pages[1], size_named("credit-card"), sheet_named("a4")))
    return [card_html(view, page, style="*{}") for page in pages]


def swapped(
    poison: tuple[ScoringList, CardOptions],
) -> tuple[ScoringList, StoppingPolicy, CardOptions]:
    return poison[0], POINT, poison[1]


class Elements(HTMLParser):
    """Every start and end of an element, with the names of its attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, ...]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, *(name for name, _ in attrs)))

    def handle_endtag(self, tag: str) -> None:
        self.found.append((f"/{tag}",))

    def handle_comment(self, data: str) -> None:
        self.found.append(("comment", data))

    def handle_decl(self, decl: str) -> None:
        self.found.append(("declaration", decl))

    def handle_pi(self, data: str) -> None:
        self.found.append(("instruction", data))


def html_shape(html: str) -> list[tuple[str, ...]]:
    parser = Elements()
    parser.feed(html)
    parser.close()
    return parser.found


Shape = tuple[str, tuple[Any, ...]]
WITHIN_LINES = ("Span", "NonStruct")


def pdf_shape(pdf: bytes) -> list[list[Shape]]:
    """The tags of each page as a tree; what only groups words of a line is left out."""
    with pypdfium2.PdfDocument(pdf) as document:
        return [_tagged(page) for page in document]


def _tagged(page: Any) -> list[Shape]:
    tree = raw.FPDF_StructTree_GetForPage(page.raw)
    count = raw.FPDF_StructTree_CountChildren(tree)
    roots = [raw.FPDF_StructTree_GetChildAtIndex(tree, place) for place in range(count)]
    shapes = [shape for root in roots for shape in _elements(root)]
    raw.FPDF_StructTree_Close(tree)
    return shapes


def _elements(element: Any) -> Iterator[Shape]:
    if not element:
        return
    buffer = ctypes.create_string_buffer(200)
    length = raw.FPDF_StructElement_GetType(element, buffer, len(buffer))
    kind = buffer.raw[: length - 2].decode("utf-16-le")
    count = raw.FPDF_StructElement_CountChildren(element)
    children = [raw.FPDF_StructElement_GetChildAtIndex(element, place) for place in range(count)]
    inside = tuple(shape for child in children for shape in _elements(child))
    yield from inside if kind in WITHIN_LINES else [(kind, inside)]


def harmless(text: str) -> str:
    """Words as wide as this text, without anything that could mean something."""
    letters = sorted("ijltsceahnmw", key=lambda letter: text_width(letter, 1))

    def alike(sign: re.Match[str]) -> str:
        return min(letters, key=lambda one: abs(text_width(one, 1) - text_width(sign[0], 1)))

    return re.sub(r"[^\w ]", alike, printable(text))


FORBIDDEN = ("/JavaScript", "/JS", "/URI", "/Launch", "/EmbeddedFile", "/Annots", "/AA", "/GoTo")


@pytest.fixture
def fetched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """All addresses that are asked for while cards are made."""
    from weasyprint.urls import URLFetcher

    asked: list[str] = []
    fetch = URLFetcher.fetch

    def noted(self: Any, url: str, headers: Any = None) -> Any:
        asked.append(url)
        return fetch(self, url, headers)

    def refuse(*_: object) -> None:
        raise AssertionError("a card reached for the network")

    monkeypatch.setattr(URLFetcher, "fetch", noted)
    monkeypatch.setattr(socket.socket, "connect", refuse)
    return asked


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_text_in_html(text: str) -> None:
    for page, same in zip(pages_of(text), pages_of(harmless(text)), strict=True):
        assert html_shape(page) == html_shape(same)


def on_paper(text: str) -> bytes:
    """In one layout, whether or not all of the text has room there."""
    view = card_view(*swapped(poisoned(text)))
    page = page_for(view, size_named("a4"), LAYOUTS[0][1])
    return pdf_from_html(card_html(view, page), card_css(page), (templates_folder(),))


@pytest.mark.parametrize("text", HOSTILE[::3])
def test_hostile_text_stays_text_on_paper(text: str, fetched: list[str]) -> None:
    pdf, same = on_paper(text), on_paper(harmless(text))
    assert pdf_shape(pdf) == pdf_shape(same)
    inside = uncompressed(pdf)
    assert [word for word in FORBIDDEN if re.search(rf"{word}\b".encode(), inside)] == []
    assert [url for url in fetched if url != DOT and not url.startswith(FONTS)] == []


def test_there_are_thirty_of_them() -> None:
    assert len(set(HOSTILE)) == 30


def test_a_shape_that_differs_is_noticed() -> None:
    plain, other = (
        card_pdf(ward_list(3), POINT, CardOptions(warnings=warnings)).content
        for warnings in ((), ("one more",))
    )
    assert pdf_shape(plain) != pdf_shape(other)
    page = pages_of("words")[0]
    assert html_shape(page.replace("words", "<i>x</i>", 1)) != html_shape(page)


@pytest.mark.parametrize(
    "address",
    [
        "file:///etc/passwd",
        "http://127.0.0.1:9/x.png",
        "https://example.org/x",
        "ftp://example.org/x",
    ],
)
def test_the_page_reads_nothing(address: str) -> None:
    for html in (
        f'<html lang="en"><title>x</title><img src="{address}" alt="x">',
        f'<html lang="en"><title>x</title><link rel="attachment" href="{address}">y',
        f'<html lang="en"><title>x</title><style>@import url({address});</style>y',
    ):
        with pytest.raises(CardError, match="may use 'data:' addresses"):
            pdf_from_html(html, "")


def test_a_link_out_of_the_template_folder_is_followed_first(tmp_path: Path) -> None:
    secret = tmp_path / "secret.svg"
    secret.write_text('<svg xmlns="http://www.w3.org/2000/svg"/>')
    folder = tmp_path / "templates"
    folder.mkdir()
    (folder / "link.svg").symlink_to(secret)
    html = f'<html lang="en"><title>x</title><img src="{(folder / "link.svg").as_uri()}" alt="x">'
    with pytest.raises(CardError, match="may use"):
        pdf_from_html(html, "", (folder,))


@pytest.mark.parametrize(
    ("inside", "complaint"),
    [
        ("<script>alert(1)</script>", "element 'script'"),
        ("<image href='http://example.org/x.png'/>", "element 'image'"),
        ("<foreignObject/>", "element 'foreignObject'"),
        ("<text>hello</text>", "element 'text'"),
        ("<style>*{}</style>", "element 'style'"),
        ("<rect onclick='x()'/>", "attribute 'onclick'"),
        ("<use href='http://example.org/x.svg#a'/>", "attribute 'href'"),
        ("<rect fill='url(http://example.org/x)'/>", "attribute 'fill'"),
    ],
)
def test_a_logo_is_plain_shapes(tmp_path: Path, inside: str, complaint: str) -> None:
    file = tmp_path / "logo.svg"
    file.write_text(f'<svg xmlns="http://www.w3.org/2000/svg">{inside}</svg>')
    with pytest.raises(CardError, match=complaint):
        logo_from(file)


def test_other_files_are_no_logos(tmp_path: Path) -> None:
    for name, content in (
        ("entities.svg", b"<!DOCTYPE x [<!ENTITY a 'b'>]><svg/>"),
        ("text.txt", b"hello"),
        ("broken.png", b"\x89PNG\r\n\x1a\nrubbish"),
        ("broken.svg", b"<svg"),
        ("page.svg", b"<html/>"),
    ):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(CardError) as caught:
            logo_from(tmp_path / name)
        assert "\n" not in str(caught.value)
    with pytest.raises(CardError, match="cannot be read"):
        logo_from(tmp_path / "missing.png")


def test_a_logo_and_a_qr_code_are_on_the_card(tmp_path: Path) -> None:
    file = tmp_path / "logo.svg"
    file.write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9z"/></svg>'
    )
    options = CardOptions(logo=logo_from(file), qr=qr_code("https://example.org/list"))
    plain, decorated = (
        uncompressed(card_pdf(ward_list(3), POINT, one, Paper("a5")).content)
        for one in (None, options)
    )
    assert b"/Figure" not in plain
    assert decorated.count(b"/Figure") >= 2
    html = card_page(ward_list(3), POINT, options).content.decode()
    assert html.count('src="data:image/svg+xml') == 2
    assert 'alt="QR code: https://example.org/list"' in html


@pytest.mark.parametrize("size", ["a4", "credit-card"])
def test_a_logo_covers_no_text(size: str) -> None:
    options = CardOptions(logo=Picture(DOT, "Logo"))
    for page in printed_pages(card_pdf(ward_list(3), POINT, options, Paper(size)).content)[:1]:
        (picture,) = page.pictures
        for piece in page.pieces:
            left, bottom, right, top = piece.bounds
            assert (
                right <= picture[0]
                or left >= picture[2]
                or top <= picture[1]
                or (bottom >= picture[3])
            ), piece.text


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "example.org", "file:///etc/passwd", "http://a\nb"]
)
def test_a_qr_code_is_an_address(url: str) -> None:
    with pytest.raises(CardError, match="http or https"):
        qr_code(url)


def test_templates_cannot_reach_python(tmp_path: Path) -> None:
    (tmp_path / "card").mkdir()
    (tmp_path / "card" / "staircase.html.j2").write_text("{{ card.__class__.__mro__ }}")
    with pytest.raises(CardError, match=r"staircase\.html\.j2"):
        card_pdf(ward_list(2), POINT, None, Paper(template_dir=tmp_path))


def test_own_templates_extend_the_built_in_ones(tmp_path: Path) -> None:
    (tmp_path / "card").mkdir()
    (tmp_path / "card" / "staircase.html.j2").write_text(
        '{% extends "default:card/staircase.html.j2" %}'
        "{% block rules %}{{ super() }}<p>Ward 3 only</p>{% endblock %}"
    )
    file = card_pdf(ward_list(3), POINT, None, Paper(template_dir=tmp_path))
    assert "Ward 3 only" in printed_pages(file.content)[0].text


def test_an_own_template_that_drops_the_stops_is_refused(tmp_path: Path) -> None:
    (tmp_path / "card").mkdir()
    (tmp_path / "card" / "staircase.html.j2").write_text(
        '{% extends "default:card/staircase.html.j2" %}{% block staircase %}{% endblock %}'
    )
    with pytest.raises(CardError, match=r"No table of questions|drops it"):
        card_pdf(ward_list(3), POINT, None, Paper(template_dir=tmp_path))


def test_a_misspelt_name_in_a_template_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "card").mkdir()
    (tmp_path / "card" / "staircase.html.j2").write_text("{{ card.titel }}")
    with pytest.raises(CardError, match="titel"):
        card_pdf(ward_list(2), POINT, None, Paper(template_dir=tmp_path))


def test_without_pango_html_works_and_pdf_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Missing:
        def find_spec(self, name: str, *_: object) -> None:
            if name == "weasyprint":
                print("a banner")  # noqa: T201
                raise OSError("cannot load library 'pango'")

    from scorecard.printing import html_to_pdf as pdf

    pdf._forget_fonts()
    for name in [name for name in sys.modules if name.partition(".")[0] == "weasyprint"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "meta_path", [Missing(), *sys.meta_path])
    assert card_page(ward_list(2), POINT).content
    with pytest.raises(CardError, match=r"needs the library Pango.*run '.+'") as caught:
        card_pdf(ward_list(2), POINT)
    assert "\n" not in str(caught.value)


SVG = '<svg xmlns="http://www.w3.org/2000/svg">{}</svg>'
LAUGHS = "".join(f'<g id="a{n}">' + f'<use href="#a{n - 1}"/>' * 10 + "</g>" for n in range(1, 9))


@pytest.mark.parametrize(
    ("drawing", "reason"),
    [
        ("<g>" * 5_000 + "</g>" * 5_000, "nested too deeply"),
        ('<g id="a"><use href="#a"/></g>', "draws something inside itself"),
        ('<mask id="m"><rect mask="url(#m)"/></mask>', "draws something inside itself"),
        (f'<g id="a0"><rect/></g>{LAUGHS}<use href="#a8"/>', "too many parts to draw"),
    ],
)
def test_drawings_that_take_for_ever_are_refused(tmp_path: Path, drawing: str, reason: str) -> None:
    path = tmp_path / "logo.svg"
    path.write_text(SVG.format(drawing))
    with pytest.raises(CardError, match=reason):
        logo_from(path)


def test_a_few_bytes_that_unpack_to_gigabytes_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "logo.png"
    size = (60_000).to_bytes(4) * 2
    path.write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + size + b"\x08\x02\0\0\0")
    with pytest.raises(CardError, match="has 60000×60000 pixels; make it smaller"):
        logo_from(path)


def test_an_address_with_half_a_bracket_is_refused() -> None:
    with pytest.raises(CardError, match="cannot be a QR code; expected an http or https address"):
        qr_code("http://[")


@pytest.mark.parametrize(
    ("template", "reason"),
    [
        ("{{ 1/0 }}", "staircase.html.j2, line 1 is wrong: division by zero"),
        ("{{ 'a' * 9999999999 }}", "is for small numbers only"),
        ("{{ 9 ** 9 ** 9 }}", "is for small numbers only"),
        ("{{ nothing }}", "'nothing' is undefined"),
        (
            "{% for a in range(5000) %}{% for b in range(5000) %}{% endfor %}{% endfor %}",
            "take longer than 0 seconds; look for a loop that does not end",
        ),
    ],
)
def test_a_broken_template_of_ones_own_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, template: str, reason: str
) -> None:
    monkeypatch.setattr(jinja, "LONGEST", 0.1)
    (tmp_path / "card").mkdir()
    (tmp_path / "card" / "staircase.html.j2").write_text(template)
    with pytest.raises(CardError, match=re.escape(reason)):
        jinja.rendered("card/staircase.html.j2", tmp_path)


def test_links_out_of_the_template_folder_are_not_followed(tmp_path: Path) -> None:
    folder, outside = tmp_path / "own", tmp_path / "outside.j2"
    (folder / "card").mkdir(parents=True)
    outside.write_text("elsewhere")
    link = folder / "card" / "staircase.html.j2"
    for target in (outside, tmp_path / "nowhere"):
        link.symlink_to(target)
        with pytest.raises(CardError, match="is no file inside its folder; copy it there"):
            jinja.rendered("card/staircase.html.j2", folder)
        link.unlink()

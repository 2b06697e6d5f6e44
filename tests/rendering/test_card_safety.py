"""Nothing in a list, an option, a logo or a template makes the renderer read, fetch or run."""

import sys
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from scorecard.model import ScoringList
from scorecard.rendering.card import CardOptions, card_view
from scorecard.rendering.drawing import svg_of_pdf
from scorecard.rendering.environment import card_html
from scorecard.rendering.pages import page_for
from scorecard.rendering.pdf import pdf_from_html
from scorecard.rendering.pictures import logo_from, qr_code
from scorecard.rendering.printed import printed_pages
from scorecard.rendering.printing import Paper, card_page, card_pdf
from scorecard.rendering.refusals import CardError, NoRoomError
from scorecard.rendering.sizes import size_named
from tests.rendering.cards import POINT, uncompressed, ward_list

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


def poisoned(text: str) -> tuple[ScoringList, CardOptions]:
    """A text in every place a user controls."""
    bare = ward_list(2)
    questions = tuple(
        replace(question, label=text, unit=text, note=text) for question in bare.questions
    )
    places = ("title", "outcome", "population", "horizon", "rule_out", "rule_in", "undecided")
    places += ("source", "validation", "licence", "version", "date", "note")  # type: ignore[assignment]
    about = replace(bare.about, **dict.fromkeys(places, text))
    options = CardOptions(title=text, subtitle=text, audience=text, warnings=(text,), identity=text)
    return replace(bare, questions=questions, about=about), options


def markup(scoring_list: ScoringList, options: CardOptions) -> str:
    view = card_view(scoring_list, POINT, options)
    return card_html(view, page_for(view, size_named("a4"), "staircase", "roomy"), style="*{}")


class Elements(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, tuple[str, ...]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, tuple(name for name, _ in attrs)))


def elements(html: str) -> list[tuple[str, tuple[str, ...]]]:
    parser = Elements()
    parser.feed(html)
    return parser.found


@pytest.fixture(scope="module")
def harmless() -> list[tuple[str, tuple[str, ...]]]:
    scoring_list, options = poisoned("word")
    return elements(markup(scoring_list, options))


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_text(text: str, harmless: list[tuple[str, tuple[str, ...]]]) -> None:
    scoring_list, options = poisoned(text)
    assert elements(markup(scoring_list, options)) == harmless
    try:
        pdf = card_pdf(scoring_list, POINT, options, Paper("a4")).content
    except NoRoomError:
        # One long word as the name of a decision is too wide for its column.
        assert text == "javascript:alert(1)"
        return
    for forbidden in (b"/JavaScript", b"/URI", b"/Launch", b"/EmbeddedFile", b"/Annots"):
        assert forbidden not in pdf
    assert len(printed_pages(pdf)[0].tables) == 1
    tree = ElementTree.fromstring(svg_of_pdf(pdf, text))
    names = {element.tag.rpartition("}")[2] for element in tree.iter()}
    assert names <= {"svg", "title", "style", "g", "path", "clipPath", "text"}
    assert not any(
        name.startswith("on") or "href" in name for e in tree.iter() for name in e.attrib
    )


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
        "{% block legend %}{{ super() }}<p>Ward 3 only</p>{% endblock %}"
    )
    file = card_pdf(ward_list(3), POINT, None, Paper(template_dir=tmp_path))
    assert "Ward 3 only" in printed_pages(file.content)[0].text


def test_an_own_template_that_drops_the_stops_is_refused(tmp_path: Path) -> None:
    (tmp_path / "card").mkdir()
    (tmp_path / "card" / "staircase.html.j2").write_text(
        '{% extends "default:card/staircase.html.j2" %}{% block staircase %}{% endblock %}'
    )
    with pytest.raises(CardError, match="No table of questions"):
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

    from scorecard.rendering import pdf

    pdf._forget_fonts()
    for name in [name for name in sys.modules if name.partition(".")[0] == "weasyprint"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "meta_path", [Missing(), *sys.meta_path])
    assert card_page(ward_list(2), POINT).content
    with pytest.raises(CardError, match=r"needs the library Pango.*run '.+'") as caught:
        card_pdf(ward_list(2), POINT)
    assert "\n" not in str(caught.value)

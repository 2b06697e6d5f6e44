"""Printed files are compared whole: all of `python -m tests.benchmarks.falsifications` in part."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from scorecard.api import make_card, make_handout, printed_card
from scorecard.core.build_staircase import build_staircase
from scorecard.core.model import ScoringList
from scorecard.core.policy import StoppingPolicy
from scorecard.files import templates_folder
from scorecard.forms.card.make import card_css, card_html
from scorecard.forms.check import Verdict, check
from scorecard.forms.found import Work
from scorecard.forms.origin import first_line_that_differs
from scorecard.forms.printed import found
from scorecard.printing.finished import record_in
from scorecard.printing.html_to_pdf import pdf_from_html
from tests.benchmarks import falsifications as corpus
from tests.lists import MARBURG, SHARPENED, TABLE_1

PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 6"><path d="M0 0h9v6z"/></svg>'


def verdicts_on(path: Path, content: bytes, **more: Any) -> dict[str, Verdict]:
    path.write_bytes(content)
    return {one.form: one for one in check(corpus.STAIRCASE, [path], **more)}


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ("<p>one</p>", "line 2 is missing, '<p>two</p>'"),
        ("<p>one</p>\n<p>two</p>\nthree", "line 3 is added, 'three'"),
        ("<p>one</p>\n<p>too</p>", "line 2 is '<p>too</p>' instead of '<p>two</p>'"),
    ],
)
def test_what_is_missing_added_or_changed_is_told_with_its_line(changed: str, says: str) -> None:
    assert first_line_that_differs(changed.encode(), b"<p>one</p>\n<p>two</p>") == says


FALSIFIED = {
    "pages": partial(corpus.pages, step=60, every=7),
    "sheets": partial(corpus.sheets, step=20, every=6),
    "handouts": partial(corpus.handout_sheets, every=11),
}


@pytest.mark.parametrize("some", FALSIFIED)
def test_whatever_is_falsified_is_named_with_its_place(tmp_path: Path, some: str) -> None:
    tried = 0
    for file in FALSIFIED[some]():
        assert corpus.slipped(file, tmp_path) == "", (file.name, file.change)
        tried += 1
    assert tried >= 3


def test_what_the_corpus_starts_from_is_untouched(tmp_path: Path) -> None:
    """Else it would find its own way of printing, and not what it falsified."""
    printed = printed_card(corpus.LIST, "pdf", **corpus.LOOK)
    html, css = card_html(printed.view, printed.page), card_css(printed.page)
    pdf = pdf_from_html(html, css, (templates_folder(),))
    assert verdicts_on(tmp_path / "card.pdf", pdf)["printed card"].agrees
    for name, content in (
        ("card.html", make_card(corpus.LIST, "html", **corpus.LOOK)),
        ("handout.html", make_handout(corpus.LIST, "html", **corpus.LOOK)),
        ("handout.pdf", make_handout(corpus.LIST, "pdf", **corpus.LOOK)),
    ):
        for verdict in verdicts_on(tmp_path / name, content).values():
            assert verdict.agrees, verdict


def test_an_untouched_handout_of_a_published_score_is_not_accused(tmp_path: Path) -> None:
    """There an unknown answer may lead to one total after different numbers of questions."""
    marburg = replace(MARBURG, policy=StoppingPolicy(0.05, 0.2, by="point"))
    path = tmp_path / "handout.html"
    path.write_bytes(make_handout(marburg, language="fr"))
    for verdict in check(build_staircase(marburg), [path]):
        assert verdict.agrees, verdict


def agrees_as_path(listed: ScoringList) -> None:
    card = make_card(listed, "pdf", language="es", layout="path")
    assert found(card, None, Work(build_staircase(listed))).faults == []


def test_a_path_is_compared_in_the_language_it_says() -> None:
    """Questions that are named in no language do not tell which one the card is in."""
    listed = replace(TABLE_1, policy=StoppingPolicy(0.1, 0.9, by="point"))
    agrees_as_path(listed)


def test_nobody_follows_a_path_with_an_answer_that_is_known() -> None:
    """Who is below 50 knows to be below 65: for the other way there is no arrow."""
    listed = replace(SHARPENED, policy=StoppingPolicy(0.1, 0.7, by="point"))
    agrees_as_path(listed)


@pytest.mark.parametrize("language", ["en", "it"])
def test_words_of_ones_own_are_not_accused(tmp_path: Path, language: str) -> None:
    own, path = tmp_path / "own", tmp_path / "handout.html"
    (own / "words").mkdir(parents=True)
    words = """name = "Own"\n[words]\n"of" = "{number} in {per}"\n"yes" = "sì"\n"""
    (own / "words" / f"{language}.toml").write_text(words, encoding="utf-8")
    path.write_bytes(make_handout(TABLE_1, template_dir=own, language=language))
    for verdict in check(build_staircase(TABLE_1), [path], template_dir=own):
        assert verdict.agrees, verdict
    (verdict,) = check(build_staircase(TABLE_1), [path])
    assert not verdict.agrees
    assert not verdict.disagrees


TITLED = {"title": "Another “title” & more", "subtitle": "S", "audience": "all"}
WARNED = {"warnings": ["One", "Two"], "greyscale": True, "ticks": True}
TURNED = {"qr": "https://example.org/x?y=1&z=2", "orientation": "portrait"}


@pytest.mark.parametrize(
    ("kind", "options"),
    [("pdf", {}), ("html", TITLED), ("pdf", WARNED), ("html", TURNED)],
)
def test_options_are_told_from_falsifications(
    tmp_path: Path, kind: str, options: dict[str, Any]
) -> None:
    logo = tmp_path / "logo.svg"
    logo.write_text(PICTURE)
    look = options | {"language": "de", "size": "a5", "logo": logo}
    content = make_card(corpus.LIST, kind, policy=corpus.POLICY, **look)
    for verdict in verdicts_on(tmp_path / f"card.{kind}", content).values():
        assert verdict.agrees, verdict


def test_another_logo_is_found(tmp_path: Path) -> None:
    logo, other = tmp_path / "logo.svg", tmp_path / "other.svg"
    logo.write_text(PICTURE)
    other.write_text(PICTURE.replace("M0 0h9v6z", "M9 6h-9v-6z"))
    right, wrong = (
        make_card(corpus.LIST, "html", policy=corpus.POLICY, logo=one).decode()
        for one in (logo, other)
    )
    swapped = re.sub(r'<img src="[^"]*"', re.search(r'<img src="[^"]*"', wrong)[0], right, count=1)  # type: ignore[index]
    verdict = verdicts_on(tmp_path / "card.html", swapped.encode())["web page"]
    assert 'alt="Logo"' in verdict.first


def test_what_cannot_be_made_again_is_said(tmp_path: Path) -> None:
    page = make_card(corpus.LIST, "html", policy=corpus.POLICY).decode()
    record = record_in(page.encode())
    assert record is not None
    older = page.replace("&#34;version&#34;: &#34;", "&#34;version&#34;: &#34;0.0.")
    verdict = verdicts_on(tmp_path / "card.html", older.encode())["web page"]
    assert (verdict.agrees, verdict.disagrees, verdict.fails) == (False, False, True)
    assert verdict.in_part.startswith("scorecard 0.0.")
    without = re.sub(r'<meta name="scorecard"[^>]*>', "", page)
    verdict = verdicts_on(tmp_path / "card.html", without.encode())["web page"]
    assert verdict.disagrees
    assert "does not say how it was made" in verdict.first
    own = tmp_path / "own"
    own.mkdir()
    content = make_card(corpus.LIST, "html", policy=corpus.POLICY, template_dir=own)
    verdict = verdicts_on(tmp_path / "card.html", content)["web page"]
    assert "templates of somebody's own" in verdict.in_part
    (verdict,) = check(corpus.STAIRCASE, [tmp_path / "card.html"], template_dir=own)
    assert verdict.agrees


def test_who_claims_that_a_file_cannot_be_made_again_gains_nothing(tmp_path: Path) -> None:
    for file in corpus.claims():
        path = tmp_path / file.name
        found = verdicts_on(path, file.content)
        assert not any(one.agrees for one in found.values()), file.change
        assert any(one.fails for one in found.values()), file.change
        # A page that may be another's is not run: its script could do anything.
        assert not {"calculator in a browser", "its script in Node"} & set(found), file.change


def test_a_record_that_makes_no_sense_is_refused_in_a_line(tmp_path: Path) -> None:
    page = make_card(corpus.LIST, "html", policy=corpus.POLICY).decode()
    for old, new in (
        ("size&#34;", "sise&#34;"),
        ("&#34;a6", "&#34;a0"),
        (": &#34;card", ": &#34;x"),
    ):
        verdict = verdicts_on(tmp_path / "card.html", page.replace(old, new, 1).encode())
        assert verdict["web page"].first.startswith("it says that it was made in a way that is")
    for old, new in (
        ("{&#34;form", "{form"),
        ("&#34;policy&#34;: {", "&#34;policy&#34;: 1, &#34;more&#34;: {"),
        ("&#34;list&#34;: ", "&#34;list&#34;: [], &#34;more&#34;: "),
    ):
        verdict = verdicts_on(tmp_path / "card.html", page.replace(old, new, 1).encode())
        assert "does not say how it was made" in verdict["web page"].first


def test_a_record_can_be_read_by_other_programs() -> None:
    content = make_card(corpus.LIST, "pdf", **corpus.LOOK)
    record = record_in(content)
    assert record is not None
    told = json.loads(record.text())
    assert (told["form"], told["options"]["warnings"]) == ("card", ["Not for children"])
    assert record_in(b"%PDF-nothing") is None

"""What a handout says, without a browser: its words, figures, pictures and its one safe file."""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import fields, replace
from hashlib import sha256
from html.parser import HTMLParser
from itertools import pairwise, product
from pathlib import Path

import pytest
from hypothesis import given, settings

from scorecard.cards.contents import CardOptions
from scorecard.core.climbing import build_staircase
from scorecard.core.model import Answer
from scorecard.core.staircase import Staircase
from scorecard.errors import ScorecardError
from scorecard.handouts.calculator import what_can_come
from scorecard.handouts.example import Example, ExampleStep
from scorecard.handouts.page import Paper, handout_html, handout_pdf
from scorecard.handouts.pictures import Chart, IconArray, icon_array, icon_counts
from scorecard.handouts.tables import MeritRow, ShareRow, merit_notes, merit_rows
from scorecard.handouts.verify import check_handout
from scorecard.handouts.view import HandoutOptions, HandoutView, handout_view
from scorecard.locations import templates_folder
from scorecard.verbs import sources_of
from scorecard.words.language import language_named, languages
from scorecard.words.wording import Wording
from tests.cards.printed_cards import POINT
from tests.cross_checks import cross_checked_list
from tests.lists import MARBURG, counted
from tests.printed_handouts import THROAT, page_of, staircases, throat

VOID = {"meta", "img", "br"}


class Reader(HTMLParser):
    """The elements of a page, and whether all of them are closed."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


# What it says -----------------------------------------------------------------------------------


def test_the_stops_are_told_in_plain_words() -> None:
    view = handout_view(throat())
    assert [fact.text for fact in view.stopping] == [
        "nobody stops here, ask question 2.",
        "nobody stops here, ask question 3.",
        "at a total of 1 or less stop: no antibiotic; at a total of 5 or more stop: treat; from 2"
        " to 4 it stays undecided.",
    ]


def test_the_example_is_the_most_frequent_pattern_that_is_decided() -> None:
    example = handout_view(throat()).example
    assert "60 cases answer like this, 0 of them with the outcome" in example.origin
    # Coughing is no to "Cough: no": the input itself is asked for.
    assert [(s.question, s.answer) for s in example.steps] == [
        ("Temperature ≥ 38.5 °C", "no"),
        ("Cough", "yes"),
        ("Swollen nodes", "no"),
    ]
    assert example.steps[-1].result.endswith("▼ no antibiotic.")


def test_the_example_counts_all_who_stop_by_the_answers_it_shows() -> None:
    patterns = {"00": (35, 0), "01": (15, 1), "0?": (4, 0), "10": (30, 12), "11": (30, 18)}
    example = handout_view(build_staircase(counted((2, 1), patterns), POINT)).example
    assert len(example.steps) == 1
    assert "54 cases answer like this, 1 of them" in example.origin


def test_the_calculator_says_where_nobody_got_to() -> None:
    patterns = {"00": (30, 0), "10": (40, 20), "01": (40, 20)}
    staircase = build_staircase(counted((1, 1), patterns), POINT)
    both = handout_view(staircase).calculator["boxes"][2]["2"]
    assert (both["counts"], both["few"]) == (
        "0/0: nobody seen, risk of neighbouring totals",
        False,
    )


def test_joint_ranges_and_single_intervals_are_told_apart() -> None:
    view = handout_view(throat())
    assert "hold together" in view.ranges
    assert "each for its figure alone" in view.merit_notes[-1]
    assert view.ranges in " ".join(Reader(page_of(throat())).text)
    assert handout_view(build_staircase(MARBURG)).ranges == ""


def test_without_evidence_the_reasons_are_told() -> None:
    view = handout_view(build_staircase(MARBURG))
    assert view.merit == ()
    assert view.shares == ()
    assert "answer patterns" in view.merit_notes[0]
    assert "answer patterns" in view.shares_note
    assert view.example.origin.startswith("Made up")
    assert set(view.charts) == {"stages"}
    assert len(view.icons) == 4  # one for each total that can be reached at the end


@pytest.mark.parametrize("origin", ["held-out", "training"])
def test_every_figure_of_merit_is_labelled(origin: str) -> None:
    scoring_list = replace(THROAT, figures=replace(THROAT.figures, origin=origin))
    view = handout_view(build_staircase(scoring_list, throat().policy))
    assert len(view.merit) == 8
    assert {row.origin for row in view.merit} == {origin}
    assert [row.name for row in view.merit][:2] == ["Rule-in rate (PPV)", "Miss rate"]
    assert view.merit[0].value == "95 of 100"
    assert view.merit[0].counts == "62/65"
    assert all(row.interval for row in view.merit)


def test_the_shares_add_up_to_all_cases() -> None:
    view = handout_view(throat())
    stopped = [(row.out, row.into, row.undecided, row.unknown) for row in view.shares]
    assert sum(int(count) for row in stopped for count in row) == 245
    assert view.has_unknown_ends
    assert [row[3] for row in stopped] == ["0", "0", "3"]
    assert "3 cannot be decided (answers unknown)" in view.card.performance
    assert view.shares[-1].going_on == "0"
    assert set(view.charts) == {"stages", "shares", "calibration", "benefit"}


def test_german_has_a_decimal_comma() -> None:
    view = handout_view(throat(), HandoutOptions(CardOptions(language="de")))
    brier = next(row for row in view.merit if row.name == "Brier-Wert")
    assert re.fullmatch(r"0,\d{3}", brier.value)
    assert view.language == "de"
    assert view.calculator["comma"] is True


@pytest.mark.parametrize(
    ("probability", "per", "squares"),
    [
        (0, 100, (0, 1)),
        (0.004, 100, (0, 1)),
        (0.01, 100, (1, 0)),
        (0.245, 100, (25, 0)),
        (0.99, 100, (99, 0)),
        (0.995, 100, (99, 1)),
        (1, 100, (99, 1)),
        (0.0042, 1000, (4, 0)),
    ],
)
def test_an_icon_array_shows_what_is_said(
    probability: float, per: int, squares: tuple[int, int]
) -> None:
    assert icon_counts(probability, per) == squares
    wording = replace(Wording.of(THROAT), per=per)
    array = icon_array(probability, wording, "", "", "on")
    drawn = [array.full, array.part, array.empty]
    assert [path.count("M") for path in drawn] == [*squares, per - sum(squares)]
    said = wording.risk(probability).lstrip("<>")
    assert int(said) == (squares[0] or 1)


@given(staircases())
def test_what_can_come_is_what_some_answers_lead_to(staircase: Staircase) -> None:
    ahead = what_can_come(staircase)
    count = len(staircase.questions)
    ends: dict[tuple[int, int], set[tuple[str, int]]] = {}
    for answers in product((False, True), repeat=count):
        last = staircase.decide(answers)
        for place in places_on_the_way(staircase, answers):
            ends.setdefault(place, set()).add((last.decision, last.stage - place[0]))
    assert set(ahead) == set(ends)
    for place, found in ends.items():
        assert {what for what, _ in found} == ahead[place].decisions
        assert min(more for _, more in found) == ahead[place].fewest
        assert max(more for _, more in found) == ahead[place].most


def places_on_the_way(staircase: Staircase, answers: tuple[Answer, ...]) -> set[tuple[int, int]]:
    outcomes = [staircase.decide(answers[:count]) for count in range(len(answers) + 1)]
    return {(outcome.stage, outcome.lowest.total) for outcome in outcomes}


# The file ---------------------------------------------------------------------------------------


def test_the_file_is_complete_small_and_closed() -> None:
    html = page_of(throat(), embed_fonts=True)
    assert len(html.encode()) < 300_000
    reader = Reader(html)
    assert reader.open == []
    for tag, attributes in reader.elements:
        assert not [name for name in attributes if name.startswith("on") or name == "style"]
        for name in ("src", "href", "action"):
            assert (attributes.get(name) or "#").startswith(("#", "data:")), (tag, attributes)
    assert "http:" not in html.replace("http://www.w3.org/2000/svg", "")
    assert "https:" not in html


def test_script_and_style_are_named_by_their_hashes() -> None:
    html = page_of(throat())
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', html)
    assert policy is not None
    told = policy[1].replace("&#39;", "'")
    assert told.startswith("default-src 'none'; ")
    assert "unsafe" not in told
    for tag in ("script", "style"):
        (content,) = re.findall(rf"<{tag}>(.*?)</{tag}>", html, re.S)
        hashed = b64encode(sha256(content.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{hashed}'" in told


def test_the_same_list_gives_the_same_bytes() -> None:
    assert page_of(throat(), embed_fonts=True) == page_of(throat(), embed_fonts=True)


@settings(max_examples=60)
@given(staircases())
def test_any_list_becomes_a_well_formed_page_with_one_script(staircase: Staircase) -> None:
    reader = Reader(page_of(staircase))
    assert reader.open == []
    tags = [tag for tag, _ in reader.elements]
    assert (tags.count("script"), tags.count("style"), tags.count("h1")) == (1, 1, 1)
    assert not [a for _, attributes in reader.elements for a in attributes if a.startswith("on")]


def test_no_heading_is_skipped_and_every_picture_has_words() -> None:
    reader = Reader(page_of(throat()))
    levels = [int(tag[1]) for tag, _ in reader.elements if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    pictures = [attributes for tag, attributes in reader.elements if tag == "svg"]
    assert len(pictures) == 9
    assert all(attributes["role"] == "img" for attributes in pictures)
    assert all(len(attributes["aria-label"] or "") > 20 for attributes in pictures)


def test_what_a_reader_must_know_is_on_the_page() -> None:
    text = " ".join(Reader(page_of(throat())).text)
    for words in (
        "adults with a sore throat",
        "anybody outside this group",
        "Supports, does not replace, clinical judgement.",
        "Not externally validated.",
        "An unknown answer never counts as no.",
        "Rule out at a risk of at most 5",
        "CC0",
        "f" * 64,
        "1234abcd",
    ):
        assert words in text


def test_a_template_of_ones_own_comes_first(tmp_path: Path) -> None:
    own = tmp_path / "handout" / "handout.html.j2"
    own.parent.mkdir()
    own.write_text(
        '{% extends "default:handout/handout.html.j2" %}{% block footer %}Our ward{% endblock %}',
        encoding="utf-8",
    )
    staircase = throat()
    html = handout_html(
        handout_view(staircase), sources_of(staircase), template_dir=tmp_path, embed_fonts=False
    )
    assert "Our ward" in html


def test_what_a_template_may_use_is_written_down() -> None:
    told = (templates_folder() / "README.md").read_text(encoding="utf-8")
    for view in (HandoutView, MeritRow, ShareRow, Chart, IconArray, Example, ExampleStep):
        for one in fields(view):
            assert f"`{one.name}`" in told, one.name


def test_the_fixed_words_need_no_other_font() -> None:
    from font_source_sans_pro import font_directory
    from fontTools.ttLib import TTFont

    with TTFont(Path(font_directory) / "SourceSansPro-Regular.ttf") as font:
        known = font.getBestCmap()
    texts = "".join(text for code in languages() for text in language_named(code).words.values())
    assert {letter for letter in texts if ord(letter) not in known} == set()


# On paper ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("paper", "size"), [("a4", (595, 842)), ("letter", (612, 792))])
@pytest.mark.parametrize("language", ["en", "de"])
def test_the_pdf_has_every_question_total_and_count(
    paper: Paper, size: tuple[int, int], language: str
) -> None:
    pdfium = pytest.importorskip("pypdfium2")
    view = handout_view(throat(), HandoutOptions(CardOptions(language=language)))
    document = pdfium.PdfDocument(handout_pdf(view, paper=paper))
    assert {tuple(map(round, page.get_size())) for page in document} == {size}
    pages = [page.get_textpage().get_text_bounded() for page in document]
    text = " ".join(" ".join(pages).split())
    for row in view.card.rows:
        assert row.label in text
        for box in row.boxes:
            assert box.counts in text
    for fact in view.provenance:
        assert fact.term in text
    assert 2 <= len(pages) <= 5


def test_a_text_that_is_not_printed_is_refused() -> None:
    view = handout_view(throat())
    pdf = handout_pdf(view)
    other = replace(view, card=replace(view.card, title="Another title"))
    with pytest.raises(ScorecardError, match="'Another title' is not on the printed handout"):
        check_handout(pdf, other)


def test_the_pdf_is_the_same_twice() -> None:
    view = handout_view(throat())
    assert handout_pdf(view) == handout_pdf(view)


def test_what_is_counted_on_the_cases_that_chose_the_questions_is_called_training() -> None:
    staircase = build_staircase(cross_checked_list(cases=400, signal=3.0))
    wording = Wording(language_named("en"))
    assert {row.origin for row in merit_rows(staircase, wording)} == {"training"}
    assert next(merit_notes(staircase, wording)).startswith("Training:")

"""Finished cards: every size, read back from the paper."""

from dataclasses import replace
from itertools import product
from pathlib import Path

import pypdfium2
import pytest
from hypothesis import HealthCheck, Phase, given, settings

from scorecard.core.model import Question, Risk, ScoringList, Stage, with_positive_points
from scorecard.core.policy import StoppingPolicy
from scorecard.errors import PolicyError
from scorecard.files import templates_folder
from scorecard.forms.card.contents import CardOptions, card_staircase, view_of
from scorecard.forms.card.layout import CardPlan, page_for
from scorecard.forms.card.make import FORMATS, Paper, card_html, card_page, card_pdf, format_of
from scorecard.forms.card.measure import lines_in, width_in_lines
from scorecard.forms.card.read_back import cards_in_html, cards_in_pdf
from scorecard.forms.card.sizes import SHEETS, SIZES, size_named
from scorecard.forms.card.verify import squeezed
from scorecard.printing.finished import printed_pages
from scorecard.printing.jinja import environment
from scorecard.printing.refusals import CardError, NoRoomError
from scorecard.words.hyphens import hyphenated
from tests.forms.card.printed_cards import (
    POINT,
    assert_decides_like,
    printed,
    relabelled,
    uncompressed,
    ward_list,
)
from tests.forms.card.sweep import HOSTILE
from tests.lists import MARBURG, counted
from tests.strategies import scoring_lists


@pytest.mark.parametrize("size", SIZES)
def test_every_size_decides_like_the_list(size: str) -> None:
    file = printed(ward_list(6 if SIZES[size].width > 130 else 3), size)
    (card,) = cards_in_pdf(printed_pages(file.content))
    assert_decides_like(card, file)


@settings(max_examples=12, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
@given(scoring_lists(1, 5, text=HOSTILE))
def test_any_list_is_read_back_from_html(scoring_list: ScoringList) -> None:
    try:
        file = card_page(scoring_list, POINT, None, Paper("a4"))
    except PolicyError:
        return
    (card,) = cards_in_html(file.content.decode())
    assert_decides_like(card, file)


@pytest.mark.parametrize("size", SIZES)
def test_type_is_as_large_as_promised(size: str) -> None:
    smallest = SIZES[size].type
    for page in printed_pages(printed(ward_list(3), size).content):
        for piece in page.pieces:
            least = smallest.least if piece.mark in page.table_marks else smallest.small
            assert piece.points >= least - 0.02, piece.text


def test_a_published_score_with_last_risks_only() -> None:
    file = card_pdf(MARBURG, StoppingPolicy(0.1, 0.2, by="point"))
    (card,) = cards_in_pdf(printed_pages(file.content))
    assert [(q.rule_out_at, q.rule_in_at) for q in card.questions[2:4]] == [(0, 3), (1, 3)]
    assert_decides_like(card, file)


def test_totals_too_many_beside_the_questions_go_behind_them() -> None:
    file = printed(ward_list(9), "a6")
    assert file.page.layout == "two-sided"
    (card,) = cards_in_pdf(printed_pages(file.content))
    assert_decides_like(card, file)


def test_six_questions_stay_on_one_side() -> None:
    """Before a card has to be turned at every question, counts go to its back, words stay."""
    points = (2, 2, 2, 1, 1, 1)
    answers = ["".join(one) for one in product("01", repeat=len(points))]
    totals = [sum(p for p, a in zip(points, one, strict=True) if a == "1") for one in answers]
    patterns = {one: (200, round(200 * t / 9)) for one, t in zip(answers, totals, strict=True)}
    limits = StoppingPolicy(0.25, 0.75, by="point", estimate="all", chosen_by="data")
    file = card_pdf(counted(points, patterns), limits)
    assert file.page.layout == "staircase"
    front, back = printed_pages(file.content)
    (card,) = cards_in_pdf([front])
    assert_decides_like(card, file)
    stops = [box for question in card.questions for box in question.boxes if "risk" in box.text]
    assert {box.decision for box in stops} == {"rule out", "rule in"}
    assert not any(" of " in box.text for box in stops)
    counts = {group.behind for row in file.view.rows for group in row.groups}
    assert counts
    assert all(one in back.text for one in counts)


def test_a_sign_in_place_of_its_word_is_explained_below() -> None:
    plan = CardPlan(
        "staircase", "compact", about_behind=True, silent=frozenset({"on", "out", "in"})
    )
    view = view_of(card_staircase(ward_list(3), POINT), CardOptions()).on("staircase")
    page = page_for(view, size_named("a6"), plan)
    assert [sign.symbol for sign in page.names] == ["▼", "▲", "→"]
    boxes = [box.lines(page.shown) for row in view.rows for box in row.groups]
    # "→ 74" was read as "go to question 74": a stop has its sign before its risk, others behind it.
    assert all(
        not lines.word and (lines.figure[0] in "▼▲" or lines.figure[-1] == "→")
        for lines in boxes
        if lines.figure[0] != "◆"
    )
    (card,) = cards_in_html(card_html(view, page))
    assert {box.decision for question in card.questions for box in question.boxes} >= {"go on"}


def test_stops_that_stay_undecided_are_printed() -> None:
    policy = StoppingPolicy(0.02, 0.5, by="point", curtail="all")
    file = card_pdf(MARBURG, policy)
    (card,) = cards_in_pdf(printed_pages(file.content))
    assert any(question.undecided_between for question in card.questions[:-1])
    assert_decides_like(card, file)


def test_everything_decided_after_the_first_question() -> None:
    file = printed(counted((1, 1), {"00": (50, 0), "01": (50, 0), "10": (50, 50), "11": (50, 50)}))
    (card,) = cards_in_pdf(printed_pages(file.content))
    assert len(card.questions) == 1
    assert "After question 1 every total has a decision." in printed_pages(file.content)[0].text


@pytest.mark.parametrize("sheet", SHEETS)
def test_a_sheet_has_all_cards_and_mirrored_backs(sheet: str) -> None:
    file = card_pdf(ward_list(3), POINT, None, Paper("credit-card", sheet=sheet))
    cards = cards_in_pdf(printed_pages(file.content))
    assert len(cards) == SHEETS[sheet].count
    assert len(set(cards)) == 1
    fronts, backs = file.page.sheet.fronts, file.page.sheet.backs  # type: ignore[union-attr]
    assert [place.top for place in fronts] == [place.top for place in backs]
    assert [place.left for place in fronts[:2]] == [place.left for place in backs[1::-1]]


def test_long_german_words_are_broken_not_clipped() -> None:
    label = "Schilddrüsenfunktionsuntersuchungsergebnis und Herzkranzgefäßverengungen links"
    file = printed(relabelled(ward_list(5), label=label), "a6", language="de")
    (card,) = cards_in_pdf(printed_pages(file.content))
    assert_decides_like(card, file)


def test_what_does_not_fit_names_what_would() -> None:
    with pytest.raises(NoRoomError) as caught:
        printed(ward_list(9), "credit-card")
    assert str(caught.value) == (
        "9 questions do not fit on credit-card at 7 pt (credit-card takes at most 6):"
        " use a6 or `max_questions=6`."
    )


def test_a_side_that_is_too_short_says_by_how_much() -> None:
    long = relabelled(ward_list(6), label="word " * 20)
    with pytest.raises(
        NoRoomError,
        match=r"^6 questions do not fit on credit-card at 7 pt"
        r" \(its (front|back) is about [0-9]+ mm too short\): use index\.$",
    ):
        printed(long, "credit-card", language="de")


def test_a_word_that_is_too_wide_is_named() -> None:
    long = replace(ward_list(2), about=replace(ward_list(2).about, version="x" * 65))
    with pytest.raises(NoRoomError, match=r"\('x{29}…' is too wide for its place\): use"):
        printed(long, "credit-card")


def test_a_small_card_says_what_it_leaves_out() -> None:
    small = printed(ward_list(6), "credit-card")
    assert small.left_out.startswith(
        "There is no room for the counts and ranges behind each figure"
    )
    assert printed(ward_list(6), "a5").left_out == ""


def test_a_full_front_leaves_the_sources_to_the_back() -> None:
    view = printed(ward_list(2), "a7").view
    plan = CardPlan("staircase", "compact", about_behind=True)
    page = page_for(view, SIZES["a7"], plan)
    front, _, back = card_html(view, page).partition('class="side back')
    assert view.limits_short in front
    assert view.figures_short not in front
    assert view.figures_short in back


def named(rule_in: str, undecided: str = "refer", count: int = 3) -> ScoringList:
    about = replace(ward_list(count).about, rule_in=rule_in, undecided=undecided)
    return replace(ward_list(count), about=about)


@pytest.mark.parametrize("size", ["a6", "a5", "a4"])
def test_a_long_word_of_the_list_is_broken_and_stays_in_its_box(size: str) -> None:
    asked = named("Spezialambulanz", "Ultraschalluntersuchung")
    file = printed(asked, size, language="de")
    assert (file.page.shown.usual, file.page.shown.silent) == (frozenset(), frozenset())
    (card,) = cards_in_pdf(printed_pages(file.content))
    boxes = {box.decision: squeezed(box.text) for one in card.questions for box in one.boxes}
    assert "Spezialambulanz" in boxes["rule in"]
    assert "Ultraschalluntersuchung" in boxes["undecided"]


def test_a_word_too_long_for_its_box_stands_below_the_table() -> None:
    name = "Herzkranzgefäßverengungsabklärungsuntersuchung" * 3
    file = printed(named(name), "a6")
    assert file.page.shown.usual == {"in"}
    assert squeezed(f"▲ {name}") in squeezed(printed_pages(file.content)[0].text)
    (card,) = cards_in_pdf(printed_pages(file.content))
    assert any("rule in" in box.text for question in card.questions for box in question.boxes)


def test_lines_are_broken_at_spaces_and_soft_hyphens_alone() -> None:
    word = hyphenated("Spezialambulanz", "de")
    width = width_in_lines(word, 8)
    assert lines_in(word, 8, width + 0.01) == ["Spezial-", "ambulanz"]
    assert lines_in(word, 8, 1000) == ["Spezialambulanz"]
    assert width_in_lines("take a swab", 8, 3) < width_in_lines("take a swab", 8)


def test_a_box_that_says_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "card").mkdir()
    parts = (templates_folder() / "card" / "_parts.html.j2").read_text(encoding="utf-8")
    for old, new in (
        ("{{ line }}", "7 of 9"),
        ("{{ lines.word }}", "stop"),
        ("<b>{{ lines.figure }}</b>", "<b>42</b>"),
        ("{{ stop.text }}", "▼ ≤ 1"),
    ):
        assert old in parts
        (tmp_path / "card" / "_parts.html.j2").write_text(parts.replace(old, new))
        with pytest.raises(CardError, match=r"^Question [1-3]: "):
            card_pdf(ward_list(3), POINT, None, Paper("a6", template_dir=tmp_path))
        environment.cache_clear()


def test_a_title_that_begins_with_j_is_not_too_wide() -> None:
    assert printed(ward_list(3), "a4", title="just a title").page.name == "a4"


def test_a_label_that_is_a_novel_is_refused() -> None:
    with pytest.raises(NoRoomError, match="shorter labels"):
        printed(relabelled(ward_list(6), label="word " * 400), "letter")


def test_a_glyph_no_font_has_is_refused() -> None:
    with pytest.raises(CardError, match="No font has a glyph") as caught:
        printed(relabelled(ward_list(1), label="\U000e891f"))
    assert "\n" not in str(caught.value)


def test_the_same_list_gives_the_same_bytes() -> None:
    for make in FORMATS.values():
        assert (
            make(ward_list(3), POINT, None, None).content
            == make(ward_list(3), POINT, None, None).content
        )


def test_the_pdf_declares_ua_title_and_language() -> None:
    pdf = printed(ward_list(3), title="A title", language="de").content
    with pypdfium2.PdfDocument(pdf) as document:
        assert document.get_metadata_dict()["Title"] == "A title"
        assert document.is_tagged()
    inside = uncompressed(pdf)
    assert b"pdfuaid:part" in inside
    assert b"/Lang (de)" in inside


def test_only_our_fonts_are_in_the_pdf() -> None:
    names = {
        part.split()[0]
        for part in uncompressed(printed(ward_list(4)).content).split(b"/BaseFont")[1:]
    }
    assert names
    assert all(b"Source-Sans-Pro" in name for name in names)


def test_greyscale_has_no_colour_and_three_greys() -> None:
    html = card_page(ward_list(4), POINT, None, Paper(greyscale=True)).content.decode()
    css = html.partition("<style>")[2].partition("</style>")[0].partition("html {")[2]
    colours = {
        part[:6] for part in css.split("#")[1:] if all(c in "0123456789abcdef" for c in part[:6])
    }
    greys = {colour for colour in colours if colour != "dfe3e7"}  # the desk behind the card
    assert all(colour[:2] == colour[2:4] == colour[4:] for colour in greys)
    assert len({colour for colour in greys if 0x30 < int(colour[:2], 16) < 0xF8}) >= 3


def test_sizes_that_do_not_turn_say_so() -> None:
    with pytest.raises(CardError, match="landscape only"):
        card_pdf(ward_list(2), POINT, None, Paper("credit-card", "portrait"))


@pytest.mark.parametrize("size", ["a7", "a6", "a5", "a4", "letter"])
def test_portrait(size: str) -> None:
    file = card_pdf(ward_list(5), POINT, None, Paper(size, "portrait"))
    pages = printed_pages(file.content)
    assert all(page.height > page.width for page in pages)
    assert_decides_like(cards_in_pdf(pages)[0], file)


def test_a_picture() -> None:
    png = format_of("card.PNG")(ward_list(3), POINT, None, None).content
    assert png.startswith(b"\x89PNG")


@pytest.mark.parametrize("name", ["card.docx", "card.svg"])
def test_an_unknown_kind_of_file_is_refused(name: str) -> None:
    with pytest.raises(CardError, match=r"should end in one of \.pdf, \.html, \.png\.$"):
        format_of(name)


def test_ticks_add_boxes_and_change_no_word() -> None:
    plain, ticked = (printed(ward_list(4), ticks=ticks) for ticks in (False, True))
    assert cards_in_pdf(printed_pages(plain.content)) == cards_in_pdf(printed_pages(ticked.content))
    assert plain.content != ticked.content


def test_two_digit_totals_and_negative_points() -> None:
    wide = ward_list(4, points=(9, -8, 7, 6))
    for one in (wide, with_positive_points(wide)):
        file = printed(one, "a5")
        (card,) = cards_in_pdf(printed_pages(file.content))
        assert_decides_like(card, file)


def test_html_needs_no_other_file() -> None:
    html = card_page(replace(ward_list(3)), POINT).content.decode()
    assert "http" not in html.replace("http-equiv", "")
    assert "url(" in html
    assert "file:" not in html


@pytest.mark.parametrize("size", ["credit-card", "a6"])
def test_an_input_asked_again_says_that_its_points_come_on_top(size: str) -> None:
    bare = ward_list(2, points=(1, 2))
    young, old = (replace(one, input="age", label="Age") for one in bare.questions)
    file = printed(replace(bare, questions=(young, old)), size)
    assert [row.points for row in file.view.rows] == ["+1", "also +2"]
    (card,) = cards_in_pdf(printed_pages(file.content))
    assert [question.points for question in card.questions] == [1, 2]
    assert_decides_like(card, file)


def test_questions_that_sharpen_a_risk_nobody_knows_have_no_boxes() -> None:
    # Decided after the first question, no risks after the second, some after the third.
    first, last = Stage((0, 1), (Risk(0.05), Risk(0.9))), Stage((0, 1, 2, 3), (Risk(0.5),) * 4)
    questions = tuple(Question(name, 1) for name in "abc")
    listed = ScoringList(questions, (None, first, None, last))
    file = card_page(listed, POINT, None, Paper("a4"))
    (card,) = cards_in_html(file.content.decode())
    assert [len(question.boxes) > 0 for question in (*card.questions, *card.further)] == [
        True,
        False,
        True,
    ]

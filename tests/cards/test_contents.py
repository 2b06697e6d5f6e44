"""What is on a card, as text, before any paper."""

import re
from dataclasses import fields, replace
from pathlib import Path

import pytest

from scorecard.cards.contents import CardOptions, card_view
from scorecard.cards.html import card_html
from scorecard.cards.layout import Page, page_for
from scorecard.cards.sizes import size_named
from scorecard.cards.view import BoxView, CardView, RowView, Words
from scorecard.core.model import (
    About,
    Figures,
    Question,
    Risk,
    ScoringList,
    Stage,
    with_positive_points,
)
from scorecard.core.policy import StoppingPolicy
from scorecard.printing.refusals import CardError
from tests.cards.printed_cards import POINT, ward_list
from tests.lists import MARBURG, TABLE_1, counted, stage

PAPER_LIMITS = StoppingPolicy(rule_out=0.1, rule_in=0.9, by="point", min_cases=0, curtail="never")


def test_the_papers_table_is_printed_as_filed() -> None:
    view = card_view(TABLE_1, PAPER_LIMITS)
    assert [(row.points, row.rule_out, row.rule_in) for row in view.rows] == [
        ("+1", "–", "–"),
        ("−2", "≤ −2", "–"),
        ("+1", "–", "≥ 2"),
        ("+2", "≤ −1", "≥ 3"),
    ]


def test_the_papers_table_turned_to_positive_points() -> None:
    view = card_view(with_positive_points(TABLE_1), PAPER_LIMITS)
    assert [(row.condition, row.points) for row in view.rows][1] == ("no", "+2")
    assert [row.rule_out for row in view.rows] == ["–", "≤ 0", "–", "≤ 1"]


def test_boxes_stand_below_their_totals() -> None:
    view = card_view(TABLE_1, PAPER_LIMITS)
    assert view.columns == ("−2", "−1", "0", "1", "2", "3")
    second = view.rows[1].cells
    assert [box and (box.symbol, box.risk, box.kind) for box in second] == [
        ("▼", "10", "out"),
        ("", "20", "on"),
        ("", "50", "on"),
        ("", "60", "on"),
        None,
        None,
    ]


def test_a_box_without_a_figure_shows_what_to_do_and_no_number() -> None:
    view = card_view(MARBURG, StoppingPolicy(rule_out=0.1, rule_in=0.2, by="point"))
    third = {box.total: (box.symbol, box.risk) for box in view.rows[2].boxes}
    assert third["0"] == ("▼°", "")
    assert third["1"] == ("→", "")
    assert "° no later answer can change the decision" in view.marks


def test_where_nobody_can_stop_the_card_says_what_it_would_take() -> None:
    view = card_view(counted((1,), {"0": (10, 3), "1": (10, 7)}), StoppingPolicy())
    assert view.how == "Start at 0. Add the points for every yes. Ask all questions."
    takes = "Nobody can stop with ▼: that takes 45 cases or more in one group."
    assert takes in view.notes_short
    assert any(note.startswith("Nobody can stop with “rule out”") for note in view.notes)


def test_how_many_cases_it_would_take_in_all_is_said_where_it_is_known() -> None:
    view = card_view(counted((1,), {"0": (40, 1), "1": (60, 30)}), StoppingPolicy())
    (takes,) = [note for note in view.notes_short if "▼" in note]
    assert re.fullmatch(r"Nobody can stop with ▼: that takes about \d+ cases .* in all\.", takes)


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_ends_add_up_to_the_cases_and_unknown_answers_are_not_called_undecided(
    language: str,
) -> None:
    patterns = {"0": (50, 2), "1": (30, 15), "?": (7, 3)}
    view = card_view(counted((1,), patterns), POINT, CardOptions(language=language))
    everybody, out, _, into, _, undecided, unknown, *_ = map(
        int, re.findall(r"\d+", view.performance)
    )
    assert (everybody, out, into, undecided, unknown) == (87, 50, 0, 30, 7)
    assert re.search(r"\(30 \w+ 87\)", view.undecided)


def test_without_unknown_ends_nothing_is_said_of_them() -> None:
    view = card_view(counted((1,), {"0": (50, 2), "1": (30, 15)}), POINT)
    assert "30 end undecided; 1 questions" in view.performance


def test_a_range_for_the_whole_row_is_said_to_be_one() -> None:
    view = card_view(counted((1,), {"0": (50, 2), "1": (30, 15)}), POINT)
    assert view.box_note.endswith("range for the whole row.")
    assert view.words.range.endswith("range for the whole row")
    risks = (Risk(0.1, 0.05, 0.2), Risk(0.6, 0.5, 0.7))
    stages = (Stage((0,), (Risk(0.3, 0.2, 0.4),)), Stage((0, 1), risks))
    published = ScoringList((Question("q", 1),), stages, figures=Figures("published"))
    assert card_view(published, POINT).words.range.endswith("range")


def test_a_box_nobody_got_to_says_so_and_its_risk_is_not_bold() -> None:
    patterns = {"00": (30, 0), "10": (40, 20), "01": (40, 20)}
    view = card_view(counted((1, 1), patterns), StoppingPolicy(0.0, 1.0, by="point"))
    assert [(box.counts, box.unseen) for box in view.rows[1].boxes][-1] == ("0/0", "0/0")
    assert "0/0: nobody seen, risk of neighbouring totals" in view.marks
    for layout in ("staircase", "two-sided"):
        page = page_for(view, size_named("a6"), layout, "roomy")
        assert re.search('<b class="uncounted">(<span[^<]*</span>)?50</b>', card_html(view, page))
    seen = card_view(counted((1,), {"0": (50, 2), "1": (30, 15)}), POINT)
    assert not any(mark.startswith("0/0") for mark in seen.marks)


def test_a_card_without_counts_still_says_where_nobody_got_to() -> None:
    patterns = {"00": (30, 0), "10": (40, 20), "01": (40, 20)}
    view = card_view(counted((1, 1), patterns), StoppingPolicy(0.0, 1.0, by="point"))
    page = page_for(view, size_named("a6"), "two-sided", "roomy", "figures")
    assert '<b class="uncounted">50</b> 0/0*' in card_html(view, page)


def test_fewer_than_ten_cases_are_marked() -> None:
    view = card_view(counted((1,), {"0": (50, 1), "1": (9, 9)}), POINT)
    assert [(box.counts, box.few) for box in view.rows[0].boxes] == [("1/50", ""), ("9/9", "*")]
    assert "* fewer than 10 cases" in view.marks


def test_a_rare_outcome_is_told_of_1000_on_the_whole_card() -> None:
    rare = counted((1,), {"0": (9000, 18), "1": (1000, 82)})
    view = card_view(rare, StoppingPolicy(rule_out=0.005, rule_in=0.5, by="point"))
    assert (view.base.risk, view.words.of) == ("10", "of 1000")
    assert [box.risk for box in view.rows[0].boxes] == ["2", "82"]
    assert view.limits_short.startswith("▼ at most 5, ▲ at least 500 of 1000")


def test_what_the_list_does_not_say_is_said_to_be_missing() -> None:
    bare = replace(ward_list(2), about=About())
    view = card_view(bare, POINT)
    assert view.title == "Scoring list"
    assert view.outcome == "Risk of: not stated"
    assert view.audience == "For: not stated"
    assert view.source == "Source: not stated"
    assert view.identity == "no version · undated"
    assert view.validation == "Not externally validated."


def test_options_replace_what_the_list_says() -> None:
    options = CardOptions(
        title="T", audience="A", subtitle="S", warnings=("W", " "), identity="3f9"
    )
    view = card_view(ward_list(2), POINT, options)
    assert (view.title, view.subtitle, view.audience) == ("T", "S", "For: A")
    assert view.warnings == ("W",)
    assert view.identity == "v1 · 2026-11-15 · 3f9"


def test_german_has_its_words_and_its_comma() -> None:
    asked = ScoringList(
        (Question("x", 1, condition=ward_list(1).questions[0].condition, unit="mm"),),
        (stage(p0=0.3), stage(p0=0.05, p1=0.9)),
    )
    view = card_view(
        asked, StoppingPolicy(rule_out=0.055, rule_in=0.9, by="point"), CardOptions(language="de")
    )
    assert view.how.startswith("Bei 0 beginnen.")
    assert view.limits_short == "▼ bis 5,5, ▲ ab 90 von 100; nur nach der Schätzung."


def test_the_undecided_are_counted_and_told_what_to_do() -> None:
    view = card_view(ward_list(3), POINT)
    assert view.undecided.startswith("◆ Undecided after question 3 (")
    assert view.undecided.endswith("of 64): refer.")


def test_a_unit_from_right_to_left_does_not_turn_the_sign_round() -> None:
    asked = replace(ward_list(1).questions[0], unit="שלום")
    view = card_view(replace(ward_list(1), questions=(asked,)), POINT)
    assert view.rows[0].condition == "\N{LEFT-TO-RIGHT MARK}≥\xa010\xa0שלום"


def test_a_list_without_questions_is_refused() -> None:
    with pytest.raises(CardError, match="no questions"):
        card_view(ScoringList((), (stage(p0=0.3),)))


def test_all_a_template_may_use_is_written_down(root: Path) -> None:
    told = (root / "templates" / "README.md").read_text(encoding="utf-8")
    for kind in (CardView, RowView, BoxView, Words, Page):
        for one in fields(kind):
            assert f"`{one.name}`" in told, f"{kind.__name__}.{one.name}"

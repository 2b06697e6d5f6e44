"""What is on a card, as text, before any paper."""

import re
from dataclasses import fields, replace
from pathlib import Path

import pytest

from scorecard import make_card
from scorecard.core.build_staircase import build_staircase
from scorecard.core.model import (
    About,
    Condition,
    Question,
    Risk,
    RiskSource,
    ScoringList,
    Stage,
    with_positive_points,
)
from scorecard.core.policy import StoppingPolicy
from scorecard.forms.card.contents import CardOptions, CardView, card_staircase, card_view
from scorecard.forms.card.layout import CardPlan, page_for
from scorecard.forms.card.make import card_html
from scorecard.forms.card.paper import Page
from scorecard.forms.card.read_back import cards_in_tables, tables_in_html
from scorecard.forms.card.sizes import size_named
from scorecard.forms.card.view import BoxView, Chip, GroupView, Lines, RowView, Shown
from scorecard.forms.json.make import make as json_table
from scorecard.printing.refusals import CardError
from tests.cross_validated import cross_validated_list
from tests.forms.card.printed_cards import POINT, ward_list
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


@pytest.mark.parametrize(
    ("label", "language", "told"),
    [
        ("cough", "en", "no cough"),
        ("Known heart disease", "en", "No known heart disease"),
        ("HIV", "en", "No HIV"),
        ("Husten", "de", "Ohne Husten"),
        ("toux", "fr", "sans toux"),
        ("Tos", "es", "Sin tos"),
    ],
)
def test_a_question_turned_round_says_no_before_its_label(
    label: str, language: str, told: str
) -> None:
    listed = counted((1,), {"0": (50, 5), "1": (50, 40)})
    turned = replace(listed.questions[0], label=label, condition=Condition("no"))
    view = card_view(
        replace(listed, questions=(turned,)), PAPER_LIMITS, CardOptions(language=language)
    )
    assert view.rows[0].label.replace("\N{NO-BREAK SPACE}", " ") == told


def test_the_papers_table_turned_to_positive_points() -> None:
    view = card_view(with_positive_points(TABLE_1), PAPER_LIMITS)
    assert view.rows[1].label.startswith(("no ", "No "))
    assert (view.rows[1].condition, view.rows[1].points) == ("", "+2")
    assert [row.rule_out for row in view.rows] == ["–", "≤ 0", "–", "≤ 1"]


def test_boxes_stand_below_their_totals() -> None:
    view = card_view(TABLE_1, PAPER_LIMITS)
    assert view.columns == ("−2", "−1", "0", "1", "2", "3", "4")
    second = view.rows[1].cells
    assert [box and (box.symbol, box.risk, box.kind) for box in second] == [
        ("▼", "10\N{NO-BREAK SPACE}%", "out"),
        ("", "20\N{NO-BREAK SPACE}%", "on"),
        ("", "50\N{NO-BREAK SPACE}%", "on"),
        ("", "60\N{NO-BREAK SPACE}%", "on"),
        None,
        None,
        None,
    ]


@pytest.mark.parametrize(
    ("listed", "limits"),
    [(TABLE_1, PAPER_LIMITS), (MARBURG, StoppingPolicy(0.05, 0.2, by="point"))],
    ids=["table 1", "marburg"],
)
def test_every_box_of_a_row_stands_below_a_total(
    listed: ScoringList, limits: StoppingPolicy
) -> None:
    """Also those of the last row that only who has stopped before could have had."""
    view = card_view(listed, limits)
    for row in view.rows:
        assert tuple(filter(None, row.cells)) == row.boxes


def test_a_box_without_a_figure_shows_what_to_do_and_no_number() -> None:
    view = card_view(MARBURG, StoppingPolicy(rule_out=0.1, rule_in=0.2, by="point"))
    third = {box.total: (box.symbol, box.risk) for box in view.rows[2].boxes}
    assert third["0"] == ("▼°", "")
    assert third["1"] == ("→", "")
    assert "° no later answer can change the decision" in view.marks


def test_where_nobody_can_stop_the_card_says_what_it_would_take() -> None:
    view = card_view(counted((1,), {"0": (10, 3), "1": (10, 7)}), StoppingPolicy())
    assert (
        view.how
        == "Start at 0. Yes adds points. Ask all questions, then read the risk of your total."
    )
    assert view.on("two-sided").how == view.how
    assert (view.decided, view.performance) == ("", "")  # the limits say it
    # The risk is too high, not the cases few.
    assert view.limits_short == (
        "▼ at most 5\N{NO-BREAK SPACE}%, ▲ at least 95\N{NO-BREAK SPACE}%: no total is shown to"
        " reach a limit, so the card decides nobody."
    )
    assert any(note.startswith("Nobody can stop with “rule out”") for note in view.notes)


def test_that_patients_are_too_few_is_said_where_more_of_them_would_do() -> None:
    view = card_view(counted((1,), {"0": (40, 1), "1": (60, 30)}), StoppingPolicy())
    assert view.limits_short.endswith(": too few patients to show that a total reaches a limit.")
    rules_in = replace(StoppingPolicy(), rule_in=0.4, confidence=0.8)
    view = card_view(counted((1,), {"0": (40, 1), "1": (60, 30)}), rules_in)
    assert view.notes_short == ("Too few patients to show ▼.",)


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
    assert re.search(r"57 \w+ 100", view.decided)


def test_without_unknown_ends_nothing_is_said_of_them() -> None:
    view = card_view(counted((1,), {"0": (50, 2), "1": (30, 15)}), POINT)
    assert "30 end undecided; 1 question on" in view.performance


def test_a_range_for_the_whole_row_is_said_to_be_one() -> None:
    view = card_view(counted((1,), {"0": (50, 2), "1": (30, 15)}), POINT)
    assert view.box_note.endswith("range for the whole row.")
    assert view.words["range"].endswith("range for the whole row")
    risks = (Risk(0.1, 0.05, 0.2), Risk(0.6, 0.5, 0.7))
    stages = (Stage((0,), (Risk(0.3, 0.2, 0.4),)), Stage((0, 1), risks))
    published = ScoringList((Question("q", 1),), stages, risk_source=RiskSource("published"))
    assert card_view(published, POINT).words["range"].endswith("range")


def test_the_boxes_of_a_card_have_their_word_and_the_stop_they_limit() -> None:
    view = card_view(
        counted((3, 2), {"00": (50, 1), "10": (30, 15), "01": (40, 9), "11": (20, 20)}), POINT
    )
    first, last = view.rows[1].groups[0], view.rows[1].groups[-1]
    assert (first.symbol, first.risk, first.word, first.behind, first.at) == (
        ("▼", "2\N{NO-BREAK SPACE}%", "rule out", "1 of 50", "total ≤ 0")
    )
    assert last.lines(Shown(stops="at")) == Lines(
        "▲ >99\N{NO-BREAK SPACE}%", "rule in", ("total ≥ 5",)
    )
    going_on = view.rows[0].groups[-1]
    assert going_on.lines(Shown()) == Lines("70\N{NO-BREAK SPACE}%", "→ next", ())
    range_ = f"{going_on.behind}; {going_on.range}"
    assert going_on.chip(True, True) == Chip("→ 3:", "70\N{NO-BREAK SPACE}%", range_)
    assert going_on.chip(False, False, totals=False).text == "→ 70\N{NO-BREAK SPACE}%"
    assert [stop.text for stop in view.rows[1].stops] == ["▼ ≤ 0", "▲ ≥ 5"]
    patterns = {"00": (45, 2), "01": (50, 20), "10": (400, 0), "11": (400, 400)}
    rows = card_view(counted((1, 1), patterns), POINT).rows
    assert [(one.totals, one.limit) for one in rows[1].groups] == [("0–1", "≤ 1"), ("2", "≥ 2")]


def test_totals_that_are_always_one_box_share_a_column() -> None:
    view = card_view(
        counted((1, 2), {"00": (90, 9), "10": (9, 4), "01": (5, 2), "11": (4, 2)}), POINT
    )
    assert view.grid.columns == ("0", "1–3")
    assert [[cell.box and cell.box.totals for cell in row] for row in view.grid.rows] == [
        ["0", "1"],
        ["0", "1–3"],
    ]


def test_a_published_score_keeps_its_last_row_and_says_what_is_still_possible() -> None:
    view = card_view(MARBURG, StoppingPolicy(rule_out=0.1, rule_in=0.2, by="point"))
    assert [group.risk for group in view.rows[-1].groups] == [
        f"{risk}\N{NO-BREAK SPACE}%" for risk in (1, 5, 25, 60)
    ]
    assert [group.possible for group in view.rows[2].groups] == [
        "final\N{NO-BREAK SPACE}risk: 1–5\N{NO-BREAK SPACE}%",
        "",
        "final\N{NO-BREAK SPACE}risk: 25–60\N{NO-BREAK SPACE}%",
    ]
    assert {group.risk for group in view.rows[2].groups} == {""}


def test_labels_break_only_where_they_can_be_read() -> None:
    def label(text: str) -> str:
        scores = ScoringList((Question(text, 1),), (stage(p0=0.3), stage(p0=0.05, p1=0.5)))
        return card_view(scores, POINT).rows[0].label

    assert label("Fever (over 38 °C)") == "Fever (over 38\N{NO-BREAK SPACE}°C)"
    assert label("Urea over 7 mmol/L") == "Urea over 7\N{NO-BREAK SPACE}mmol/L"
    assert label("Finding number 1") == "Finding number\N{NO-BREAK SPACE}1"
    assert label("currentSmoker") == "current\N{ZERO WIDTH SPACE}Smoker"
    assert (
        label("mean_concave_points")
        == "mean_\N{ZERO WIDTH SPACE}concave_\N{ZERO WIDTH SPACE}points"
    )
    assert label("60 mmHg, McBurney") == "60\N{NO-BREAK SPACE}mmHg, McBurney"


def test_a_card_says_what_is_meant_by_a_question() -> None:
    asked = Question("confusion", 1, label="New confusion", note="Mental Test Score 8 or less")
    scores = ScoringList((asked,), (stage(p0=0.3), stage(p0=0.05, p1=0.5)))
    view = card_view(scores, POINT, CardOptions(language="fr"))
    term, meaning = "New confusion\N{NO-BREAK SPACE}:", "Mental Test Score 8 or less."
    assert view.definitions == ((term, meaning),)


def test_questions_that_only_sharpen_the_risk_stand_below_a_line() -> None:
    view = card_view(sharpened(), POINT)
    assert [row.number for row in view.rows] == ["1"]
    assert [row.number for row in view.further] == ["2"]
    assert view.end == "Question 2 only sharpens the risk."
    assert view.left_out.startswith("One more question, not on this card")
    assert {group.kind for group in view.further[0].groups} == {"further"}


def test_the_questions_on_average_are_those_of_the_list_on_the_card() -> None:
    """Lists of the cross-validation may ask more; the card would contradict itself."""
    limits = StoppingPolicy(rule_out=0.2, rule_in=0.8)
    for seed in range(40):
        model = cross_validated_list(seed, questions=3)
        view, staircase = card_view(model, limits), build_staircase(model, limits)
        if view.decided:
            said = re.search(r"asks (.+) question", view.decided)
            assert said
            mean = float(said[1].replace("one", "1"))
            assert mean == pytest.approx(staircase.mean_questions, abs=0.051)
            assert mean <= len(view.rows)


def sharpened() -> ScoringList:
    return counted((2, 1), {"00": (60, 1), "01": (60, 1), "10": (40, 15), "11": (40, 20)})


def test_fewer_than_ten_cases_have_no_figure() -> None:
    view = card_view(counted((1,), {"0": (50, 1), "1": (9, 9)}), POINT)
    boxes = [(box.risk, box.counts) for box in view.rows[0].boxes]
    assert boxes == [("2\N{NO-BREAK SPACE}%", "1/50"), ("", "few seen")]


def test_a_rare_outcome_is_told_of_1000_on_the_whole_card() -> None:
    rare = counted((1,), {"0": (9000, 18), "1": (1000, 82)})
    view = card_view(rare, StoppingPolicy(rule_out=0.005, rule_in=0.5, by="point"))
    told = [view.base.risk, *(box.risk for box in view.rows[0].boxes)]
    assert told == [f"{risk}\N{NO-BREAK SPACE}%" for risk in ("1.0", "0.2", "8.2")]
    assert view.limits_short.startswith("▼ at most 0.5\N{NO-BREAK SPACE}%, ▲ at least 50")
    assert view.group_note == (
        "0.2\N{NO-BREAK SPACE}% means: of 1000 patients with this total after this question, 2 have"
        " the outcome."
    )


def test_what_percent_means_is_told_with_a_box_of_the_card() -> None:
    view = card_view(counted((1,), {"0": (400, 1), "1": (60, 30)}), replace(POINT, rule_out=0.02))
    assert view.rows[0].groups[0].risk == "<1\N{NO-BREAK SPACE}%"  # no figure to explain one with
    assert view.group_note_short.startswith("50\N{NO-BREAK SPACE}%: 50 of 100 with this total")


def test_what_the_list_does_not_say_is_said_to_be_missing() -> None:
    bare = replace(ward_list(2), about=About())
    view = card_view(bare, POINT)
    assert view.title == "Scoring list"
    assert view.outcome == "Risk of: not stated"
    assert view.audience == "For: not stated"
    assert view.source == "Source: not stated"
    assert view.identity == "no version · undated"
    assert view.validation == "Not validated elsewhere."


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
    assert view.limits_short == (
        "▼ bis 5,5\N{NO-BREAK SPACE}%, ▲ ab 90\N{NO-BREAK SPACE}%; nur nach dem Risiko beurteilt."
    )


def test_the_undecided_are_told_what_to_do_and_how_many_they_are_where_they_are_most() -> None:
    assert card_view(ward_list(2), POINT).undecided == "◆ Not decided: refer."
    wide = card_view(ward_list(3), POINT)  # 24 of 64 cases are decided: both sentences agree
    assert wide.decided.startswith("38 of 100 are decided")
    assert wide.undecided == "◆ Not decided: refer. 62 of 100 remain undecided."
    nobody = card_view(ward_list(3), replace(POINT, rule_out=0.001, rule_in=0.999, by="group"))
    assert nobody.undecided.endswith(" 100 of 100 remain undecided.")
    assert "remain" not in card_view(cross_validated_list(signal=0.0)).undecided  # no limits
    published = card_view(MARBURG, StoppingPolicy(0.02, 0.5, by="point"))
    assert "remain" not in published.undecided  # nobody was counted


def test_a_risk_within_a_limit_without_a_stop_is_marked() -> None:
    few = counted((1,), {"0": (60, 30), "1": (12, 12)})
    view = card_view(few, StoppingPolicy(0.05, 0.9, by="group", min_cases=0))
    low, high = view.rows[0].groups
    assert (low.mark, high.mark, high.kind) == ("", "*", "undecided")
    assert high.lines(Shown()).figure == "◆ >99\N{NO-BREAK SPACE}%*"
    assert view.marked == "* Within a limit, but not sure enough to stop there."
    assert card_view(few, POINT).marked == ""


def test_the_outcome_is_a_sentence_where_the_list_has_one() -> None:
    about = replace(ward_list(2).about, outcome_sentence="Risk that the heart is ill")
    assert card_view(replace(ward_list(2), about=about), POINT).outcome == about.outcome_sentence


def test_a_unit_from_right_to_left_does_not_turn_the_sign_round() -> None:
    asked = replace(ward_list(1).questions[0], unit="שלום")
    view = card_view(replace(ward_list(1), questions=(asked,)), POINT)
    assert view.rows[0].condition == "\N{LEFT-TO-RIGHT MARK}≥\xa010\xa0שלום"


def test_a_list_without_questions_is_refused() -> None:
    with pytest.raises(CardError, match="no questions"):
        card_view(ScoringList((), (stage(p0=0.3),)))


def test_all_a_template_may_use_is_written_down(root: Path) -> None:
    told = (root / "templates" / "README.md").read_text(encoding="utf-8")
    for kind in (RowView, BoxView, GroupView, Lines, Shown, Page):
        for one in fields(kind):
            assert f"`{one.name}`" in told, f"{kind.__name__}.{one.name}"
    view = card_view(TABLE_1)
    for name in (*vars(CardView), *view.words):
        assert name.startswith("_") or f"`{name}`" in told, name


def test_what_a_list_says_about_its_use_is_on_a_full_page_and_nowhere_made_up() -> None:
    said = {"next_steps_rule_in": "send to the ward.", "not_for": "children"}
    about = replace(ward_list(2).about, **said)
    spoken = replace(ward_list(2), about=about)
    assert card_view(spoken, POINT).use == (
        f"▲ {about.rule_in or 'rule in'}: send to the ward.",
        "Not for: children.",
    )
    assert card_view(ward_list(2), POINT).use == ()
    page = make_card(spoken, "html", policy=POINT, size="a4").decode()
    assert "send to the ward. Not for: children." in page
    assert "Not for" not in make_card(spoken, "html", policy=POINT, size="a6").decode()


def test_totals_that_only_a_contradiction_gives_have_no_box() -> None:
    ages = tuple(
        Question("age", points, Condition(">=", cutoff)) for points, cutoff in ((2, 65), (1, 50))
    )
    stages = (None, None, Stage((0, 1, 2, 3), tuple(map(Risk, (0.2, 0.4, 0.6, 0.7)))))
    view = card_view(ScoringList(ages, stages))
    assert [group.totals for group in view.rows[1].groups] == ["0", "1", "3"]


def test_what_justifies_the_stops_is_told() -> None:
    group = StoppingPolicy(0.05, 0.95, by="group", min_cases=0)
    sure = counted((1,), {"0": (60, 0), "1": (40, 40)})
    # Clopper–Pearson by hand: 1 − 0.1^(1/60) = 0.0377 and 0.1^(1/40) = 0.9441, rounded outward.
    low, high = card_view(sure, replace(group, rule_in=0.9)).rows[0].groups
    assert low.bound == ("90\N{NO-BREAK SPACE}% sure:", "at most 4")
    assert high.chip(True, True).behind == "40 of 40; 90\N{NO-BREAK SPACE}% sure: at least 94"
    assert [one.bound for one in card_view(sure, POINT).rows[0].groups] == [(), ()]


def test_a_bound_of_several_boxes_together_is_in_none_of_them() -> None:
    group = StoppingPolicy(0.2, 0.95, by="group", min_cases=0)
    two = counted((1, 2), {"00": (60, 1), "10": (60, 8), "01": (60, 58), "11": (60, 60)})
    boxes = card_view(two, replace(group, rule_in=0.9)).rows[1].groups
    assert [box.kind for box in boxes] == ["out", "out", "in", "in"]
    assert not any(box.bound for box in boxes)


def test_a_card_from_few_patients_says_so() -> None:
    few = cross_validated_list(cases=250, questions=3, signal=3.0)
    told = card_view(few, StoppingPolicy(0.2, 0.8)).shown
    assert told.endswith("had the outcome. Few patients (250): limits are less sure.")


def test_a_corrected_risk_is_told_apart_from_the_cases_counted_below_it() -> None:
    assert "new patients" in card_view(cross_validated_list()).group_note
    assert "new patients" not in card_view(sharpened(), POINT).group_note


def test_a_card_without_limits_tells_plain_risks_and_calls_nobody_undecided() -> None:
    view = card_view(cross_validated_list(signal=0.0))
    assert {group.word for group in view.rows[-1].groups} == {"final risk"}
    assert view.undecided == "◆ Go by the risk in the last row."
    assert view.unknown == (
        "Answer not known? Go on twice: once with yes, once with no. The risk lies between the two."
    )
    assert view.notes == ("These data cannot show groups of low or high risk.",)
    assert "final risk" in json_table(card_staircase(cross_validated_list(signal=0.0))).decode()
    own = replace(cross_validated_list(signal=0.0), about=About(undecided="ask a colleague"))
    assert card_view(own).undecided == "◆ Not decided: ask a colleague."


def test_where_limits_decide_nobody_an_unknown_answer_is_no_matter_of_stopping() -> None:
    strict = replace(POINT, rule_out=0.001, rule_in=0.999, by="group")
    view = card_view(ward_list(3), strict)
    assert view.how.endswith("then read the risk of your total.")
    assert view.unknown.endswith("The risk lies between the two.")


@pytest.mark.parametrize("size", ["badge", "a6", "a5", "a4"])
def test_the_totals_have_their_heading_above_them(size: str) -> None:
    view = card_view(ward_list(3), POINT)
    page = page_for(view, size_named(size), CardPlan("staircase", "compact", about_behind=True))
    above, head = tables_in_html(card_html(view, page))[0][:2]
    totals = len(page.columns)
    assert above == (*head[:-totals], *("Total",) * totals)
    assert head[-totals:] == view.narrow_grid.columns if page.pocket else view.grid.columns
    assert ("Stop" in head) == (not page.pocket)
    shifted = [(*head[: -totals - 1], *("Total",) * (totals + 1)), head]
    with pytest.raises(CardError, match="'Total' is printed over the column"):
        cards_in_tables([(*shifted, *tables_in_html(card_html(view, page))[0][2:])])

"""Neighbouring totals that say the same are one box on a card of two sides."""

from hypothesis import given

from scorecard.cards.contents import CardOptions, card_view
from scorecard.cards.read_back import PrintedBox, cards_in_tables
from scorecard.core.climbing import build_staircase
from scorecard.core.model import ScoringList
from scorecard.core.policy import StoppingPolicy
from scorecard.errors import PolicyError
from scorecard.words.folding import folded
from scorecard.words.wording import Wording
from tests.cards.printed_cards import POINT
from tests.lists import counted
from tests.strategies import plain_texts, scoring_lists

FLAT = counted((1, 2), {"00": (30, 9), "10": (20, 6), "01": (50, 15), "11": (5, 2)})


def test_the_same_risk_and_decision_are_one_box_with_all_their_cases() -> None:
    view = card_view(FLAT, POINT)
    assert [(box.total, box.risk, box.counts) for box in view.rows[1].boxes] == [
        ("0", "30", "9/30"),
        ("1", "30", "6/20"),
        ("2", "30", "15/50"),
        ("3", "40", "2/5"),
    ]
    assert [(box.total, box.risk, box.counts, box.few) for box in view.rows[1].short_groups] == [
        ("0–2", "30", "30/100", ""),
        ("3", "40", "2/5", "*"),
    ]


def test_totals_with_few_cases_stay_apart_from_those_with_many() -> None:
    view = card_view(
        counted((1, 2), {"00": (30, 9), "10": (0, 0), "01": (50, 15), "11": (5, 2)}), POINT
    )
    assert [(box.total, box.few) for box in view.rows[1].short_groups] == [
        ("0", ""),
        ("1", "*"),
        ("2", ""),
        ("3", "*"),
    ]


def test_totals_with_few_cases_keep_their_mark_where_the_sum_has_many() -> None:
    patterns = {"00": (30, 3), "10": (7, 7), "01": (6, 6), "11": (0, 0)}
    view = card_view(counted((1, 2), patterns), StoppingPolicy(0.0, 1.0, by="point"))
    assert [(box.total, box.counts, box.few) for box in view.rows[1].short_groups][:2] == [
        ("0", "3/30", ""),
        ("1–2", "13/13", "*"),
    ]
    assert "* fewer than 10 cases at a total" in view.marks


def test_a_total_nobody_had_is_not_folded_into_one_somebody_had() -> None:
    patterns = {"00": (30, 3), "10": (7, 3), "01": (8, 4), "11": (0, 0)}
    view = card_view(counted((1, 2), patterns), StoppingPolicy(0.0, 1.0, by="point"))
    *_, seen, unseen = view.rows[1].short_groups
    assert (seen.risk, seen.unseen) == ("50", "")
    assert (unseen.risk, unseen.counts, unseen.unseen) == ("50", "0/0", "0/0")


def test_with_ranges_only_totals_with_the_same_range_are_one_box() -> None:
    view = card_view(FLAT, POINT)
    ranges = [box.range for box in view.rows[1].boxes]
    assert len(set(ranges)) > 1
    assert len(view.rows[1].groups) > len(view.rows[1].short_groups)
    assert all(box.range == "" for box in view.rows[1].short_groups)


def test_negative_totals_are_joined_by_a_word() -> None:
    english, german = (Wording.of(FLAT, language) for language in ("en", "de"))
    assert (english.totals(2, 5), english.totals(3, 3)) == ("2–5", "3")
    assert (english.totals(-2, 1), german.totals(-2, -1)) == ("−2 to 1", "−2 bis −1")


@given(scoring_lists(1, 5, text=plain_texts()))
def test_every_total_is_in_one_group_that_says_what_its_box_says(
    scoring_list: ScoringList,
) -> None:
    try:
        staircase = build_staircase(scoring_list, POINT)
    except PolicyError:
        return
    wording = Wording.of(scoring_list)
    for step in staircase.steps:
        groups = folded(step.boxes, wording, with_ranges=False)
        for box in step.boxes:
            (group,) = [one for one in groups if one.box.total <= box.total <= one.highest]
            assert group.box.decision == box.decision
            assert (group.box.risk is None) == (box.risk is None)
            if box.risk is not None and group.box.risk is not None:
                same = wording.risk(group.box.risk.probability)
                assert same == wording.risk(box.risk.probability)


def test_groups_are_read_back() -> None:
    front = (("", "", "Points", "▼ stop", "▲ stop"), ("1", "Smoker", "+1", "≤ 0", "–"))
    back = (("", "Total: …"), ("1", "▼ 0–2: <1 (0/50; <1–7) 3: 30 (3/10) ◆° −2 to 1: → 7:"))
    ((question,),) = (card.questions for card in cards_in_tables([front, back]))
    assert question.boxes == (
        PrintedBox(0, 2, "rule out", "<1"),
        PrintedBox(3, 3, "go on", "30"),
        PrintedBox(-2, 1, "undecided", ""),
        PrintedBox(7, 7, "go on", ""),
    )


def test_a_rare_outcome_has_its_denominator_in_view() -> None:
    rare = counted((1,), {"0": (9000, 18), "1": (1000, 82)})
    view = card_view(rare, StoppingPolicy(0.005, 0.5, by="point"), CardOptions(language="de"))
    assert view.rare
    assert view.words.every == "Jede Zahl: von 1000"
    assert not card_view(FLAT, POINT).rare

"""Neighbouring totals are one box until it has enough cases, and never says what it did not see."""

import pytest
from hypothesis import given

from scorecard.core.build_staircase import build_staircase
from scorecard.core.model import Risk, ScoringList
from scorecard.core.policy import StoppingPolicy
from scorecard.core.staircase import FEW_CASES, Box, joined
from scorecard.errors import PolicyError
from scorecard.forms.card.contents import card_view
from scorecard.forms.card.read_back import PrintedBox, cards_in_tables
from scorecard.forms.card.rows import merged
from scorecard.words.wording import Wording
from tests.cross_validated import cross_validated_lists
from tests.forms.card.printed_cards import POINT
from tests.lists import counted
from tests.strategies import plain_texts, scoring_lists

FLAT = counted((1, 2), {"00": (30, 9), "10": (20, 6), "01": (50, 15), "11": (5, 2)})
NOBODY_STOPS = StoppingPolicy(0.0, 1.0, by="point")


def boxes(scoring_list: ScoringList, policy: StoppingPolicy = POINT) -> list[tuple[str, str, str]]:
    """Totals, risk and counts of the last row."""
    groups = card_view(scoring_list, policy).rows[-1].groups
    return [(group.totals, group.risk, group.behind) for group in groups]


def test_few_cases_are_merged_with_the_nearest_neighbour() -> None:
    assert boxes(FLAT) == [("0–3", "30\N{NO-BREAK SPACE}%", "32 of 105")]
    steep = counted((1, 2), {"00": (30, 3), "10": (6, 1), "01": (50, 25), "11": (5, 4)})
    assert boxes(steep, NOBODY_STOPS) == [
        ("0–1", "11\N{NO-BREAK SPACE}%", "4 of 36"),
        ("2–3", "53\N{NO-BREAK SPACE}%", "29 of 55"),
    ]


def test_neighbours_with_one_estimate_are_one_box_with_its_fraction() -> None:
    # 3 of 20 and 2 of 20 contradict a rising risk: both are estimated by 5 of 40.
    pooled = counted((1, 2), {"00": (20, 1), "10": (20, 3), "01": (20, 2), "11": (20, 9)})
    assert boxes(pooled, NOBODY_STOPS)[1] == ("1–2", "13\N{NO-BREAK SPACE}%", "5 of 40")


def test_a_total_nobody_had_belongs_to_its_neighbour() -> None:
    patterns = {"00": (30, 3), "10": (17, 7), "01": (18, 9), "11": (0, 0)}
    assert boxes(counted((1, 2), patterns), NOBODY_STOPS)[-1] == (
        "2–3",
        "50\N{NO-BREAK SPACE}%",
        "9 of 18",
    )


def test_few_cases_that_cannot_be_merged_have_no_figure() -> None:
    few = counted((1,), {"0": (40, 0), "1": (9, 9)})
    assert boxes(few) == [("0", "<1\N{NO-BREAK SPACE}%", "0 of 40"), ("1", "", "few seen")]
    (nobody,) = joined([Box(1, "rule in", Risk(0.9, None, None, 0, 0))])
    assert (nobody.risk, nobody.counts) == (None, (0, 0))


def test_a_risk_that_contradicts_its_counts_is_not_printed() -> None:
    far, near = (Box(1, "rule in", Risk(p, None, None, 50, 45)) for p in (0.5, 0.85))
    (contradicted,), (agreeing,) = joined([far]), joined([near])
    assert (contradicted.risk, contradicted.counts) == (None, (50, 45))
    assert agreeing == near


@given(scoring_lists(1, 5, text=plain_texts()) | cross_validated_lists(3))
def test_every_total_is_in_one_box_with_its_decision(scoring_list: ScoringList) -> None:
    try:
        staircase = build_staircase(scoring_list, POINT)
    except PolicyError:
        return
    for step in staircase.steps:
        groups = merged(step.boxes, Wording.of(scoring_list))
        for box in step.boxes:
            ((group, *_),) = [one for one in groups if box in one]
            assert group.decision == box.decision
            assert (group.risk is None) == (box.risk is None)
        firsts = [group[0] for group in groups]
        for group in firsts:
            if group.risk is not None and group.counts is not None:
                assert group.counts[0] >= FEW_CASES
        # Every case is counted once, in the box that its total shares.
        shared = {box.totals: box.counts[0] for box in step.boxes if box.counts}
        counted_in_groups = sum(group.counts[0] for group in firsts if group.counts)
        assert counted_in_groups == pytest.approx(sum(shared.values()))


def test_negative_totals_are_joined_by_a_word() -> None:
    english, german = (Wording.of(FLAT, language) for language in ("en", "de"))
    assert (english.totals(2, 5), english.totals(3, 3)) == ("2–5", "3")
    assert (english.totals(-2, 1), german.totals(-2, -1)) == ("−2 to 1", "−2 bis −1")


def test_boxes_in_a_row_are_read_back() -> None:
    front = (("", "", "Points", "Stop"), ("1", "Smoker", "+1", "▼ ≤ 0 ▲ ≥ 9"))
    back = (
        ("", "Total: …"),
        (
            "1",
            "▼ 0–2: <1 % (0 of 50; up to 7 %) → 3: 30 % (3 of 10) ◆ −2 to 1: → 7:"
            " ▲ 9: (final: 42–60 %)",
        ),
    )
    ((question,),) = (card.questions for card in cards_in_tables([front, back]))
    assert (question.rule_out_at, question.rule_in_at) == (0, 9)
    assert [PrintedBox(b.lowest, b.highest, b.decision, b.risk) for b in question.boxes] == [
        PrintedBox(0, 2, "rule out", "<1\N{NO-BREAK SPACE}%"),
        PrintedBox(3, 3, "go on", "30\N{NO-BREAK SPACE}%"),
        PrintedBox(-2, 1, "undecided", ""),
        PrintedBox(7, 7, "go on", ""),
        PrintedBox(9, 9, "rule in", ""),
    ]


def test_a_stop_for_certain_shares_no_figure_with_one_that_was_shown() -> None:
    shown, certain = (
        Box(total, "rule out", Risk(0.01, None, None, 6, 0), curtailed)
        for total, curtailed in ((0, False), (1, True))
    )
    assert [box.totals for box in joined([shown, certain])] == [(0, 0), (1, 1)]

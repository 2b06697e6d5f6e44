"""What is told about unknown answers: who is decided despite one, where they tell something."""

from dataclasses import replace

import pytest
from scipy.stats import chi2_contingency

from scorecard.core.binomial import chance_of_two_rates
from scorecard.core.build_staircase import build_staircase
from scorecard.core.model import Condition
from scorecard.core.policy import StoppingPolicy
from scorecard.words.wording import Wording
from tests.lists import TABLE_1, counted

POLICY = StoppingPolicy(0.05, 0.9, by="point")
KNOWN = {"00": (300, 1), "10": (300, 2), "01": (100, 95), "11": (100, 99)}


def notes(patterns):
    staircase = build_staircase(counted((1, 3), KNOWN | patterns), POLICY)
    return {note.kind: dict(note.facts) for note in staircase.notes}, staircase


def test_who_is_decided_despite_an_unknown_answer_is_counted_with_the_stop():
    found, staircase = notes({"?0": (40, 10), "?1": (20, 19), "0?": (7, 3)})
    assert found["decided-despite-unknown"] == {"out": (40, 10), "into": (20, 19)}
    boxes = [box.risk for box in staircase.steps[-1].boxes]
    in_boxes = sum(risk.cases for risk in boxes[:2]), sum(risk.positives for risk in boxes[:2])
    assert in_boxes == (600, 3)
    assert staircase.stopping("rule out") == (640, 13)
    assert staircase.stopping("unknown") == (7, 3)
    assert (
        "Decided although an answer was unknown, so in no box: ▼ 40 (10 with the outcome), ▲ 20"
        " (19 with it)." in Wording.of(staircase).notes(staircase)
    )


def test_being_unknown_goes_with_the_outcome():
    found, staircase = notes({"?0": (40, 38)})
    assert found["unknown-with-outcome"] == {
        "question": 0,
        "missing": (40, 38),
        "known": (800, 197),
    }
    sentence = "q1 unknown: 38 of 40 had the outcome; known: 197 of 800."
    assert sentence in Wording.of(staircase).notes(staircase)
    again = replace(staircase.scoring_list.questions[1], input="q1", condition=Condition(">=", 5))
    first = replace(staircase.scoring_list.questions[0], condition=Condition(">=", 2))
    twice = build_staircase(replace(staircase.scoring_list, questions=(first, again)), POLICY)
    assert [note.kind for note in twice.notes].count("unknown-with-outcome") == 1
    bare = replace(staircase.scoring_list, evidence=None)
    kinds = {note.kind for note in build_staircase(bare, POLICY).notes}
    assert not kinds & {"unknown-with-outcome", "decided-despite-unknown"}


@pytest.mark.parametrize("patterns", [{}, {"?0": (4, 4)}, {"?0": (40, 10)}])
def test_nothing_is_said_where_chance_explains_it(patterns):
    assert "unknown-with-outcome" not in notes(patterns)[0]


@pytest.mark.parametrize(
    ("one", "other"), [((40, 38), (800, 197)), ((9, 2), (11, 4)), ((3, 0), (5, 0))]
)
def test_the_chance_is_that_of_a_chi_square_test(one, other):
    rows = [[cases - positives, positives] for cases, positives in (one, other)]
    expected = 1.0 if one[1] + other[1] == 0 else chi2_contingency(rows).pvalue
    assert chance_of_two_rates(one, other) == pytest.approx(expected)


def test_an_unknown_answer_goes_to_both_ends_by_the_sign_of_its_points():
    """Yes to f1 takes two points away: unknown, it may lead to the lowest total by a yes."""
    staircase = build_staircase(TABLE_1, StoppingPolicy(0.01, 0.99, by="point"))
    outcome = staircase.decide([True, None, False, False])
    assert (outcome.lowest.total, outcome.highest.total) == (-1, 1)
    assert outcome.probability is None
    same = staircase.decide([True, True, None, False])
    assert (same.lowest.total, same.highest.total, same.probability) == (-1, 0, None)

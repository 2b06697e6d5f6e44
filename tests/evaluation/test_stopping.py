"""Where cases stop: shares, rates, and the strict and lenient view of the undecided."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorecard.core.climbing import build_staircase
from scorecard.core.policy import StoppingPolicy
from scorecard.evaluation.accuracy import Rate
from scorecard.evaluation.stopping import ends_of, pooled
from tests.lists import TABLE_1

STAIRCASE = build_staircase(TABLE_1, StoppingPolicy(0.1, 0.9, by="point"))


def ends(*cases):
    """Cases as ("1001", outcome)."""
    codes = {"1": 1, "0": 0, "?": -1}
    answers = np.array([[codes[a] for a in text] for text, _ in cases], np.int8)
    return ends_of(STAIRCASE, answers, np.array([outcome for _, outcome in cases], bool))


# f3 +1, f1 −2, f2 +1, f4 +2: −2 after two is out, 2 after three is in, 0 … 2 at the end undecided
OUT, IN, OPEN = "0100", "1010", "1000"


def test_counts_by_stage_and_decision():
    found = ends((OUT, False), (OUT, True), (IN, True), (OPEN, False))
    assert found.counts == {
        (2, "rule out"): (2, 1),
        (3, "rule in"): (1, 1),
        (4, "undecided"): (1, 0),
    }
    assert found.share(2, "rule out") == 0.5
    assert found.share(1, "rule out") == 0
    assert found.rate(2, "rule out") == Rate(1, 2)
    assert found.rate(1, "rule out").value is None
    assert found.mean_questions == (2 + 2 + 3 + 4) / 4
    assert found.missed == Rate(1, 2)
    assert found.right_to_treat == Rate(1, 1)


def test_the_undecided_count_against_a_strict_and_for_a_lenient_judge():
    found = ends((OUT, False), (IN, True), (OPEN, True), (OPEN, False))
    assert found.sensitivity(lenient=False) == Rate(1, 2)
    assert found.sensitivity(lenient=True) == Rate(2, 2)
    assert found.specificity(lenient=False) == Rate(1, 2)
    assert found.specificity(lenient=True) == Rate(2, 2)


@given(
    st.lists(
        st.tuples(st.text("01?", min_size=4, max_size=4), st.booleans()), min_size=1, max_size=30
    )
)
def test_shares_and_undecided_add_up_to_one(cases):
    assert sum(ends(*cases).shares().values()) == pytest.approx(1)


def test_nobody_ruled_out_has_no_miss_rate():
    assert ends((OPEN, True)).missed.value is None


def test_two_splits_together_count_every_case_once():
    both = pooled([ends((OUT, True), (OUT, False)), ends((OUT, False), (OUT, False))], rounds=2)
    assert both.missed == Rate(0.5, 2)
    assert both.shares()["rule out"] == 1

"""RiskSource of merit: counted by hand, and against sums over all pairs of cases."""

from __future__ import annotations

from dataclasses import replace
from math import exp, isclose, log, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorecard.core.binomial import lower_bound, upper_bound
from scorecard.core.build_staircase import build_staircase
from scorecard.core.evidence import CrossValidation, Evidence, Fold, Pattern
from scorecard.core.model import Condition, Question
from scorecard.core.performance import (
    Ends,
    area_under_curve,
    brier_score,
    ends_of,
    figures_of_merit,
    pooled,
    rate,
    risks_told,
    times_asked,
    validated,
)
from scorecard.core.policy import StoppingPolicy
from scorecard.core.staircase import Staircase
from scorecard.errors import ListError
from tests.lists import MARBURG, TABLE_1, counted
from tests.printed_handouts import staircases, throat

COUNTS = st.dictionaries(
    st.integers(-3, 5),
    st.tuples(st.integers(0, 6), st.integers(0, 6)).map(lambda two: (sum(two), two[0])),
    max_size=6,
)


def test_rates_are_those_of_the_cases_that_stop() -> None:
    staircase = throat()
    out, missed = staircase.stopping("rule out")
    into, found = staircase.stopping("rule in")
    merit = figures_of_merit(staircase)
    assert merit is not None
    # 245 cases, 91 with the outcome; "000" and "010" stop out, "101" and "111" in.
    assert (out, missed, into, found) == (100, 1, 65, 62)
    assert merit.ends.right_to_treat is not None
    assert (merit.ends.right_to_treat.hits, merit.ends.right_to_treat.cases) == (62, 65)
    assert merit.ends.missed is not None
    assert (merit.ends.missed.hits, merit.ends.missed.cases) == (1, 100)
    assert merit.ends.sensitivity(lenient=False) is not None
    assert merit.ends.sensitivity(lenient=False).value == 62 / 91
    assert merit.ends.sensitivity(lenient=True) is not None
    assert merit.ends.sensitivity(lenient=True).value == 90 / 91
    assert merit.ends.specificity(lenient=False) is not None
    assert merit.ends.specificity(lenient=False).value == 99 / 154
    assert merit.ends.specificity(lenient=True) is not None
    assert merit.ends.specificity(lenient=True).value == 151 / 154


def test_a_list_without_evidence_has_no_figures_of_merit() -> None:
    assert figures_of_merit(build_staircase(MARBURG)) is None


def test_a_rate_has_its_exact_interval() -> None:
    found = rate(3, 20)
    assert found is not None
    assert found.lower == lower_bound(3, 20, 0.975)
    assert found.upper == upper_bound(3, 20, 0.975)
    assert found.lower == pytest.approx(0.03207094)
    assert found.upper == pytest.approx(0.37892683)
    assert rate(0, 0) is None


@given(COUNTS)
def test_the_area_is_the_share_of_pairs_in_the_right_order(
    counts: dict[int, tuple[int, int]],
) -> None:
    pairs = [
        (positives * (others - other_positives), (total > other) + (total == other) / 2)
        for total, (_, positives) in counts.items()
        for other, (others, other_positives) in counts.items()
    ]
    whole = sum(weight for weight, _ in pairs)
    score = area_under_curve(counts)
    if not whole:
        assert score is None
        return
    assert score is not None
    assert isclose(score.value, sum(w * right for w, right in pairs) / whole, abs_tol=1e-12)
    if score.interval:
        assert 0 <= score.interval[0] <= score.value <= score.interval[1] <= 1


def test_delongs_interval_on_a_hand_worked_example() -> None:
    # Positive totals 3, 2, 1 and negative ones 2, 1, 0: area 7/9. The components are 1, 5/6, 1/2
    # on both sides, so both variances are 7/108 and the standard error is sqrt(7/162).
    score = area_under_curve({0: (1, 0), 1: (2, 1), 2: (2, 1), 3: (1, 1)})
    assert score is not None
    assert score.value == pytest.approx(7 / 9)
    assert score.interval is not None
    half = 1.959964 * sqrt(7 / 162) / (7 / 9 * 2 / 9)
    ends = [1 / (1 + exp(-(log(3.5) + sign * half))) for sign in (-1, 1)]
    assert score.interval == pytest.approx(ends, abs=1e-6)


def test_certainty_has_no_interval() -> None:
    score = area_under_curve({0: (9, 0), 1: (9, 9)})
    assert score is not None
    assert (score.value, score.interval) == (1.0, None)


def test_the_brier_score_is_the_mean_squared_error() -> None:
    score = brier_score({0.1: (10, 1), 0.8: (5, 4), None: (7, 2)})
    assert score is not None
    assert score.value == pytest.approx((0.81 + 9 * 0.01 + 4 * 0.04 + 0.64) / 15)
    assert brier_score({None: (7, 2)}) is None


@given(staircases(with_evidence=True))
def test_every_case_ends_somewhere(staircase: Staircase) -> None:
    told = risks_told(staircase).values()
    cases, positives = staircase.stopping()
    assert isclose(sum(counts[0] for counts in told), cases, abs_tol=1e-9)
    assert isclose(sum(counts[1] for counts in told), positives, abs_tol=1e-9)
    merit = figures_of_merit(staircase)
    for figure in (merit.ends.sensitivity, merit.ends.specificity) if merit else ():
        strict, lenient = figure(lenient=False), figure(lenient=True)
        if strict and lenient:
            assert strict.value <= lenient.value + 1e-9


STAIRCASE = build_staircase(TABLE_1, StoppingPolicy(0.1, 0.9, by="point"))


def ends(*cases: tuple[str, bool]) -> Ends:
    """Cases as ("1001", outcome)."""
    return ends_of(STAIRCASE, [Pattern(text, 1, int(outcome)) for text, outcome in cases])


# f3 +1, f1 −2, f2 +1, f4 +2: −2 after two is out, 2 after three is in, 0 … 2 at the end undecided
OUT, IN, OPEN = "0100", "1010", "1000"


def test_counts_by_stage_and_decision() -> None:
    found = ends((OUT, False), (OUT, True), (IN, True), (OPEN, False))
    assert found.counts == {
        (2, "rule out"): (2, 1),
        (3, "rule in"): (1, 1),
        (4, "undecided"): (1, 0),
    }
    assert found.share(2, "rule out") == 0.5
    assert found.share(1, "rule out") == 0
    assert found.rate(2, "rule out") == rate(1, 2)
    assert found.rate(1, "rule out") is None
    assert [found.until(stage, "rule out") for stage in (1, 2, 4)] == [(0, 0), (2, 1), (2, 1)]
    assert found.mean_questions == (2 + 2 + 3 + 4) / 4
    assert found.missed == rate(1, 2)
    assert found.right_to_treat == rate(1, 1)


def test_the_undecided_count_against_a_strict_and_for_a_lenient_judge() -> None:
    found = ends((OUT, False), (IN, True), (OPEN, True), (OPEN, False))
    assert found.sensitivity(lenient=False) == rate(1, 2)
    assert found.sensitivity(lenient=True) == rate(2, 2)
    assert found.specificity(lenient=False) == rate(1, 2)
    assert found.specificity(lenient=True) == rate(2, 2)


@given(
    st.lists(
        st.tuples(st.text("01?", min_size=4, max_size=4), st.booleans()), min_size=1, max_size=30
    )
)
def test_shares_and_undecided_add_up_to_one(cases: list[tuple[str, bool]]) -> None:
    assert sum(ends(*cases).shares().values()) == pytest.approx(1)


def test_nobody_ruled_out_has_no_miss_rate() -> None:
    assert ends((OPEN, True)).missed is None


def test_two_splits_together_count_every_case_once() -> None:
    both = pooled([ends((OUT, True), (OUT, False)), ends((OUT, False), (OUT, False))], rounds=2)
    assert both.missed == rate(0.5, 2)
    assert both.shares()["rule out"] == 1


def test_a_question_counts_as_often_as_the_fold_lists_ask_for_its_input() -> None:
    def fold(*inputs: str) -> Fold:
        # The same input again has another cut-off.
        questions = [Question(name, 1, Condition(">=", place)) for place, name in enumerate(inputs)]
        nobody = Evidence((Pattern("0" * len(inputs), 1, 0),))
        return Fold(tuple(questions), nobody, nobody)

    asked = ("age", "smoker")
    whole = replace(counted((1, 1), {"00": (5, 1)}), questions=tuple(Question(q, 1) for q in asked))
    assert times_asked(whole) == ()
    check = CrossValidation((fold("age", "smoker"), fold("age", "weight"), fold("weight", "age")))
    checked = replace(whole, cross_validation=check)
    assert [times for _, times in times_asked(checked)] == [3, 1]
    given = replace(checked, provenance=(("questions given", "1"),))
    assert times_asked(given) == ((whole.questions[1], 1),)  # every list had to ask for the age
    older = replace(checked, provenance=(("option given", "age; smoker: 1"),))
    assert times_asked(older) == ()


# --- validation -----------------------------------------------------------------------------------


def test_a_validation_counts_new_cases_and_says_what_is_exact() -> None:
    staircase = throat()
    # "000" and "010" stop out after one answer or two, "111" in; "0?0" and "?00" stay open.
    new = {"000": (30, 1), "010": (30, 0), "111": (40, 39), "?00": (6, 2)}
    evidence = Evidence(tuple(Pattern(answers, *counts) for answers, counts in new.items()))
    validation = validated(staircase, evidence, "another ward", "other table")
    ends = ends_of(staircase, evidence.patterns)
    assert validation.policy == staircase.policy
    assert validation.tally.cases == 106
    assert validation.tally.ruled_out == ends.ending("rule out") == (60, 1)
    assert validation.tally.ruled_in == (40, 39)
    assert validation.tally.undecided == (6, 2)
    assert validation.tally.mean_questions == ends.mean_questions
    # scipy.stats.beta.ppf(.9, 2, 59) and .ppf(.1, 39, 2)
    assert validation.missed_at_most == pytest.approx(0.06328738, abs=1e-7)
    assert validation.found_at_least == pytest.approx(0.90620290, abs=1e-7)


def test_rows_of_one_patient_widen_what_is_said() -> None:
    evidence = Evidence((Pattern("000", 60, 0),))
    alone = validated(throat(), evidence, "x", "held-out")
    twice = validated(throat(), evidence, "x", "held-out", design_effect=2)
    assert alone.missed_at_most == pytest.approx(1 - 0.1 ** (1 / 60))
    assert twice.missed_at_most == pytest.approx(1 - 0.1 ** (1 / 30))
    assert alone.found_at_least is None


def test_a_validation_needs_cases() -> None:
    with pytest.raises(ListError, match="has no cases"):
        validated(throat(), Evidence(()), "empty.csv", "other table")

"""The figures of a report on cases one can count, and the identities that tie them together."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorecard.core.model import Condition, Question
from scorecard.core.performance import rate
from scorecard.evaluation import measures as figures
from scorecard.evaluation.measures import (
    StagePrediction,
    known_answers,
    list_measures,
    stage_predictions,
)
from scorecard.learning.inputs import Input
from tests.lists import MARBURG, TABLE_1, counted

RISKS = st.sampled_from([0.0, 0.05, 0.1, 0.25, 1 / 3, 0.5, 0.75, 0.9, 1.0])
CASES = st.lists(st.tuples(RISKS, st.booleans()), min_size=1, max_size=40)


def arrays(cases):
    risks, outcome = zip(*cases, strict=True)
    return np.array(risks), np.array(outcome, bool)


def both(cases):
    return {outcome for _, outcome in cases} == {True, False}


@given(CASES, st.sampled_from([0.5, 1.0, 3.0, 10.0, 99.0]))
def test_loss_is_the_miss_cost_times_prevalence_less_net_benefit(cases, cost):
    risks, outcome = arrays(cases)
    benefit = figures.gains(risks, outcome, 1 / (cost + 1)).mean()
    assert figures.losses(risks, outcome, cost).mean() == pytest.approx(
        cost * (outcome.mean() - benefit)
    )


@given(CASES.filter(both))
def test_auc_is_the_share_of_pairs_in_the_right_order(cases):
    risks, outcome = arrays(cases)
    pairs = [(p > n) + (p == n) / 2 for p in risks[outcome] for n in risks[~outcome]]
    assert figures.auc(risks, outcome) == pytest.approx(np.mean(pairs))


def test_figures_of_four_cases():
    risks, outcome = np.array([0.0, 0.25, 0.5, 1.0]), np.array([False, True, False, True])
    found = figures.risk_measures(risks, outcome, 1)
    assert found["brier"] == (0 + 0.5625 + 0.25 + 0) / 4
    assert found["auc"] == 0.75
    assert found["entropy"] == pytest.approx((0 + 0.8112781 + 1 + 0) / 4)
    # limits of 1/2, 1/3 and 1/11: one miss; a miss and a false alarm; a false alarm
    assert found["loss_point"] == 1 / 4
    assert figures.losses(risks, outcome, 2).mean() == 3 / 4
    assert figures.losses(risks, outcome, 10).mean() == 1 / 4


def test_net_benefit_weighs_false_alarms_by_the_threshold():
    assert figures.net_benefit(30, 20, 0.2) == pytest.approx(30 - 20 / 4)
    risks, outcome = np.array([0.1, 0.3, 0.9]), np.array([True, False, True])
    assert figures.gains(risks, outcome, 0.2) == pytest.approx([0, -1 / 4, 1])


def test_a_certain_error_has_a_finite_log_loss_and_is_counted():
    found = figures.risk_measures(np.array([0.0, 0.5]), np.array([True, True]), 10)
    assert found["log_loss"] == pytest.approx((np.log2(1000) + 1) / 2)
    assert found["clipped"] == 1


def test_auc_of_one_class_is_not_defined():
    assert np.isnan(figures.auc(np.array([0.1, 0.2]), np.array([True, True])))


def test_nothing_to_judge_is_not_defined():
    nobody = np.zeros(0), np.zeros(0, bool)
    found = figures.risk_measures(*nobody, 10)
    assert np.isnan([found[key] for key in ("brier", "auc", "loss_point")]).all()


def test_calibration_bins_count_every_case_once():
    risks, outcome = np.array([0.05, 0.06, 0.95, 1.0]), np.array([False, True, True, True])
    low, high = figures.calibration(risks, outcome, [0, 0.5, 1], rounds=2)
    assert (low.predicted, low.observed) == (pytest.approx(0.055), rate(0.5, 1))
    assert high.observed == rate(1, 1)


ANSWERS = np.array([[1, 0, 1, 1], [0, 1, 0, 0], [1, -1, 1, 1]], np.int8)


def test_risk_and_total_after_each_stage():
    found = stage_predictions(TABLE_1, ANSWERS)
    assert [one.risks.tolist() for one in found] == [
        [0.3, 0.3, 0.3],
        [0.4, 0.2, 0.4],
        [0.6, 0.1, 0.4],  # the third stays where its answers end
        [0.9, 0.1, 0.4],
        [0.9, 0.1, 0.4],
    ]
    assert found[4].totals.tolist()[:2] == [4, -2]
    assert found[2].known.tolist() == [True, True, False]


def test_stages_without_risks_are_none():
    answers = np.ones((2, 5), np.int8)
    answers[1, 0] = -1
    *first, last = stage_predictions(MARBURG, answers)
    assert first == [None] * 5
    assert last.risks[0] == 0.6
    assert np.isnan(last.risks[1])


def test_without_counts_nobody_is_ruled_out_by_the_upper_bound():
    assert stage_predictions(TABLE_1, ANSWERS)[4].uppers.tolist()[:2] == [1, 1]


def test_with_counts_the_upper_bound_is_that_of_the_50_percent_band():
    one = counted((1,), {"0": (50, 1), "1": (50, 40)})
    uppers = stage_predictions(one, np.array([[0], [1]], np.int8))[1].uppers
    assert 0.02 < uppers[0] < 0.08
    assert 0.8 < uppers[1] < 0.95


def test_totals_rank_within_equal_risks_and_unknown_answers_among_their_risk():
    prediction = StagePrediction(
        np.array([0.2, 0.2, 0.2, 0.5, 0.2]),
        np.ones(5),
        np.array([0, 2, 2, 3, 9]),
        np.array([True, True, True, True, False]),
    )
    ranks = prediction.ranks()
    assert ranks[0] < ranks[4] < ranks[1] == ranks[2] < ranks[3]
    outcome = np.array([False, True, True, True, False])
    assert list_measures(prediction, outcome, 10)["auc"] == 1


def test_a_value_the_list_does_not_know_is_an_unknown_answer():
    questions = (
        Question("kind", 1, Condition("in", categories=("a",), choices=("a", "b"))),
        Question("smoker", 1),
        Question("age", 1, Condition(">=", 50)),
    )
    inputs = [
        Input("kind", "category", np.array(["a", "b", "c", None], object)),
        Input("smoker", "number", np.array([1.0, 0.0, 2.0, np.nan])),
        Input("age", "number", np.array([50.0, 49.0, np.nan, 80.0])),
    ]
    assert known_answers(questions, inputs).T.tolist() == [
        [1, 0, -1, -1],
        [1, 0, -1, -1],
        [1, 0, -1, 1],
    ]


def test_a_list_without_questions_has_its_base_rate():
    one = counted((), {"": (10, 3)})
    (only,) = stage_predictions(one, np.zeros((2, 0), np.int8))
    assert only.risks == pytest.approx([0.3, 0.3])

"""The figures of a report on cases one can count, and the identities that tie them together."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorecard.evaluation import accuracy as figures
from scorecard.evaluation.accuracy import Rate
from scorecard.learning.losses import soft_rank_loss

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
    benefit = figures.net_benefit(risks, outcome, 1 / (cost + 1))
    assert figures.expected_loss(risks, outcome, cost) == pytest.approx(
        cost * (outcome.mean() - benefit)
    )


@given(CASES.filter(both))
def test_auc_is_one_less_the_soft_rank_loss_on_all_pairs(cases):
    risks, outcome = arrays(cases)
    values, places = np.unique(risks, return_inverse=True)
    count = np.bincount(places, minlength=values.size)
    positives = np.bincount(places, outcome, values.size)
    assert figures.auc(risks, outcome) == pytest.approx(1 - soft_rank_loss(count, positives))


@given(CASES)
def test_the_parts_of_the_brier_score_add_up(cases):
    risks, outcome = arrays(cases)
    assert figures.decomposition(risks, outcome).brier == pytest.approx(
        figures.brier(risks, outcome)
    )


def test_figures_of_four_cases():
    risks, outcome = np.array([0.0, 0.25, 0.5, 1.0]), np.array([False, True, False, True])
    assert figures.brier(risks, outcome) == (0 + 0.5625 + 0.25 + 0) / 4
    assert figures.auc(risks, outcome) == 0.75
    assert figures.expected_entropy(risks) == pytest.approx((0 + 0.8112781 + 1 + 0) / 4)
    # limits of 1/2, 1/3 and 1/11: one miss; a miss and a false alarm; a false alarm
    assert figures.expected_loss(risks, outcome, 1) == 1 / 4
    assert figures.expected_loss(risks, outcome, 2) == 3 / 4
    assert figures.expected_loss(risks, outcome, 10) == 1 / 4


def test_a_certain_error_has_a_finite_log_loss_and_is_counted():
    loss, clipped = figures.log_loss(np.array([0.0, 0.5]), np.array([True, True]))
    assert loss == pytest.approx((np.log2(1000) + 1) / 2)
    assert clipped == 1


def test_auc_of_one_class_is_not_defined():
    assert np.isnan(figures.auc(np.array([0.1, 0.2]), np.array([True, True])))


def test_nothing_to_judge_is_not_defined():
    nobody = np.zeros(0), np.zeros(0, bool)
    assert np.isnan(figures.brier(*nobody))
    assert np.isnan(figures.auc(*nobody))


def test_a_rate_without_cases_has_no_value():
    assert Rate(0, 0).value is None
    assert Rate(0, 0).interval is None
    assert Rate(3, 20).interval == pytest.approx((0.0321, 0.3789), abs=1e-4)


def test_calibration_bins_count_every_case_once():
    risks, outcome = np.array([0.05, 0.06, 0.95, 1.0]), np.array([False, True, True, True])
    low, high = figures.calibration(risks, outcome, [0, 0.5, 1], rounds=2)
    assert (low.predicted, low.observed) == (pytest.approx(0.055), Rate(0.5, 1))
    assert high.observed == Rate(1, 1)

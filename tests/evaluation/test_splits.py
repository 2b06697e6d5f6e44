"""The fewest questions within one standard error of the best."""

import numpy as np
import pytest

from scorecard.evaluation.resampling import smallest_good_size


def test_a_gain_within_the_noise_is_not_worth_a_question():
    briers = np.array([[0.25, 0.20, 0.199], [0.25, 0.20, 0.203], [0.25, 0.20, 0.195]])
    size = smallest_good_size(briers, rounds=1)
    assert (size.questions, size.best) == (1, 2)
    assert size.means == pytest.approx((0.25, 0.2, 0.199))
    assert size.errors[1] == pytest.approx(0.004 / np.sqrt(3))
    assert size.reason == (
        "1 question: the Brier score 0.2000 is within one standard error (0.0023) of the best,"
        " 0.1990 with 2 questions."
    )


def test_a_steady_gain_is():
    briers = np.array([[0.25, 0.20, 0.19], [0.25, 0.20, 0.191], [0.25, 0.20, 0.19]])
    size = smallest_good_size(briers, rounds=1)
    assert (size.questions, size.best) == (2, 2)
    assert "every shorter list is worse" in size.reason


def test_repeats_of_the_same_cases_do_not_narrow_the_error():
    briers = np.array([[0.25, 0.20, 0.199], [0.25, 0.20, 0.203], [0.25, 0.20, 0.195]])
    once, thrice = smallest_good_size(briers, 1), smallest_good_size(np.tile(briers, (9, 1)), 9)
    assert thrice.errors[1] == pytest.approx(once.errors[1], rel=0.2)


def test_a_split_without_figure_is_left_out():
    briers = np.array([[0.25, 0.2], [np.nan, np.nan], [0.25, 0.2]])
    assert smallest_good_size(briers, 1).questions == 1


def test_nothing_to_ask_is_said():
    worse = smallest_good_size(np.array([[0.25, 0.26], [0.25, 0.27]]), 1)
    assert worse.reason == "no list is better than guessing the base rate, Brier score 0.2500."
    same = smallest_good_size(np.array([[0.25, 0.24], [0.25, 0.259]]), 1, least=1)
    assert same.questions == 1
    assert "guessing the base rate, Brier score 0.2500, is within one standard error" in same.reason

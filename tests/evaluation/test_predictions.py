"""What a list says about cases at each stage, with known and unknown answers."""

import numpy as np
import pytest

from scorecard.core.model import Condition, Question
from scorecard.evaluation.measures import list_measures
from scorecard.evaluation.predictions import StagePrediction, known_answers, stage_predictions
from scorecard.learning.inputs import Input
from tests.lists import MARBURG, TABLE_1, counted

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

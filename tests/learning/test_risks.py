import numpy as np
import pytest

from scorecard.core.evidence import Evidence, Pattern
from scorecard.core.model import Condition, Question
from scorecard.learning.inputs import Input
from scorecard.learning.risks import (
    evidence,
    figures_by_stage,
    patterns_of,
)
from scorecard.learning.sample import Sample


@pytest.mark.parametrize("questions", [0, 1, 18, 19, 45])
def test_patterns_count_the_cases_that_answer_alike(questions):
    rng = np.random.default_rng(questions)
    kinds = rng.integers(-1, 2, (30, questions)).astype(np.int8)
    answers = kinds[rng.integers(0, 30, 500)]
    outcome, weights = rng.random(500) < 0.3, rng.random(500)
    patterns = patterns_of(answers, outcome, weights)
    rows = [tuple(row) for row in answers.tolist()]
    assert len(patterns.answers) == len(set(rows))
    for row, cases, positives in zip(
        patterns.answers.tolist(), patterns.cases, patterns.positives, strict=True
    ):
        here = np.array([one == tuple(row) for one in rows])
        assert cases == pytest.approx(weights[here].sum())
        assert positives == pytest.approx(weights[here & outcome].sum())


def test_answers_whose_codes_differ_by_two_to_the_64th_are_told_apart():
    digits, rest = [], 2**64
    while rest:
        rest, digit = divmod(rest, 3)
        digits.insert(0, digit)
    pairs = {0: (0, 0), 1: (1, 0), 2: (1, -1)}
    answers = np.array(list(zip(*map(pairs.__getitem__, digits), strict=True)), np.int8)
    assert len(patterns_of(answers, np.array([True, False]), np.ones(2)).answers) == 2


def test_evidence_writes_yes_no_and_unknown():
    answers = np.array([[1, 0, -1], [1, 0, -1], [0, 1, 1]], np.int8)
    found = evidence(patterns_of(answers, np.array([True, False, True]), np.ones(3)))
    assert [(one.answers, one.cases, one.positives) for one in found.patterns] == [
        ("011", 1, 1),
        ("10?", 2, 1),
    ]


def weighed(*weights):
    """All cases answer no."""
    inputs = [Input("a", "number", np.zeros(len(weights)))]
    sample = Sample(inputs, np.arange(len(weights)) == 0, np.array(weights))
    return sample.patterns([Question("a", 1, Condition(">=", 9.0))]), sample.weight_scale


def test_unequal_weights_sum_to_the_number_of_cases_they_are_worth():
    found, scale = weighed(1.0, 1.0, 2.0)
    assert found.cases.tolist() == pytest.approx([4**2 / 6])
    assert scale == pytest.approx(4 / 6)


def test_equal_weights_are_plain_counts():
    found, scale = weighed(2.0, 2.0, 2.0)
    assert (found.cases.tolist(), found.positives.tolist(), scale) == ([3], [1], 0.5)


def test_with_an_unknown_answer_figures_are_the_mean_of_both_ways():
    """By hand: 3 of 10 answer the first question with yes, and 1 of these 3 also the second."""
    stages = [
        (np.array(totals), np.array(risks)[:, None])
        for totals, risks in (
            ([0], [0.4]),
            ([0, 1], [0.2, 0.6]),
            ([0, 1, 2, 3], [0.1, 0.3, 0.5, 0.9]),
        )
    ]
    answers = np.array([[-1, 1], [1, -1], [1, 1]], np.int8)
    known = Evidence(
        (Pattern("00", 6, 1), Pattern("01", 1, 0), Pattern("10", 2, 1), Pattern("11", 1, 1))
    )
    found = [one[:, 0] for one, _, _ in figures_by_stage(stages, answers, [1, 2], known)]
    assert found[0] == pytest.approx([0.4, 0.4, 0.4])
    assert found[1] == pytest.approx([0.7 * 0.2 + 0.3 * 0.6, 0.6, 0.6])
    assert found[2] == pytest.approx([0.7 * 0.5 + 0.3 * 0.9, 2 / 3 * 0.3 + 1 / 3 * 0.9, 0.9])
    without = [one[:, 0] for one, _, _ in figures_by_stage(stages, answers, [1, 2])]
    assert without[2] == pytest.approx([0.4, 0.6, 0.9])

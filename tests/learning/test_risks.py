import numpy as np
import pytest

from scorecard.learning.risks import evidence, patterns_of


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


def test_evidence_writes_yes_no_and_unknown():
    answers = np.array([[1, 0, -1], [1, 0, -1], [0, 1, 1]], np.int8)
    found = evidence(patterns_of(answers, np.array([True, False, True]), np.ones(3)))
    assert [(one.answers, one.cases, one.positives) for one in found.patterns] == [
        ("011", 1, 1),
        ("10?", 2, 1),
    ]

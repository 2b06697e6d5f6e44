"""Tables with more columns than are searched: which are tried, and what is told about it."""

import warnings

import numpy as np
import pytest
from sklearn.metrics import mutual_info_score

from scorecard import ScoringListClassifier
from scorecard.learning.counts import CaseCounts
from scorecard.learning.learn import MOST_SEARCHED

CASES, COLUMNS = 60, 40


def table(columns: int = COLUMNS) -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(4)
    numbers = generator.normal(size=(CASES, columns)).round(1)  # with ties
    outcome = numbers[:, 3] + generator.normal(scale=0.5, size=CASES) > 0
    return numbers, outcome


def best_gain(numbers: np.ndarray, outcome: np.ndarray, fewest: int) -> float:
    """Cases times the mutual information of the outcome and the best cut-off, by scikit-learn."""
    known = ~np.isnan(numbers)
    values, known_outcome = numbers[known], outcome[known]
    gains = [
        known.sum() * mutual_info_score(known_outcome, values >= cutoff)
        for cutoff in np.unique(values)[1:]
        if fewest <= (values >= cutoff).sum() <= values.size - fewest
    ]
    return max(gains, default=0.0)


@pytest.mark.parametrize("part", [False, True])
def test_those_are_tried_whose_best_cut_off_tells_most(part: bool) -> None:
    numbers, outcome = table()
    numbers[::7, 5] = np.nan
    numbers[:, 6] = 1.0
    source, inside = CaseCounts(list(numbers.T), outcome), np.ones(CASES, bool)
    if part:
        inside = np.arange(CASES) % 3 > 0
        source = source.part(inside)
    gains = [best_gain(one[inside], outcome[inside], 4) for one in numbers.T]
    expected = sorted(np.argsort(-np.array(gains), kind="stable")[:12].tolist())
    assert source.most_telling(range(COLUMNS), 12, 4) == expected


def test_weights_count_as_cases() -> None:
    numbers, outcome = table()
    times = np.arange(CASES) % 3 + 1
    weighted = CaseCounts(list(numbers.T), outcome, times.astype(float))
    repeated = CaseCounts(list(np.repeat(numbers, times, axis=0).T), np.repeat(outcome, times))
    assert weighted.most_telling(range(COLUMNS), 9, 5) == repeated.most_telling(
        range(COLUMNS), 9, 5
    )


def test_it_is_told_and_the_question_is_that_of_all_columns() -> None:
    numbers, outcome = table(MOST_SEARCHED + 300)
    learn = ScoringListClassifier(max_questions=1, evidence="training", cutoffs="exact")
    with pytest.warns(UserWarning, match="800 columns could be asked for; the 500 of which"):
        found = learn.fit(numbers, outcome).questions_
    strong = [3, *range(200)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        alone = learn.fit(numbers[:, strong], outcome).questions_
    assert found[0].condition == alone[0].condition
    assert found[0].points == alone[0].points
    assert found[0].input == "x3"

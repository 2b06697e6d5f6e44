"""The best of all lists, against trying every one of them by hand."""

from itertools import permutations, product

import numpy as np
import pytest

from scorecard.errors import LearningError
from tests.learning.tables import by_counts

from .tables import expected_entropy


def table(seed, cases=60, inputs=3):
    generator = np.random.default_rng(seed)
    X = generator.integers(0, 2, (cases, inputs))
    chance = 1 / (1 + np.exp(1 - X @ np.linspace(2, -1, inputs)))
    return X, (generator.random(cases) < chance).astype(int)


def stage_losses(X, y, questions):
    """Entropies after 0, 1, … of the questions (input, points)."""
    losses = []
    for stage in range(len(questions) + 1):
        totals = np.zeros(len(y), int)
        for column, points in questions[:stage]:
            totals = totals + points * X[:, column]
        values, places = np.unique(totals, return_inverse=True)
        positives = np.bincount(places, y, values.size)
        losses.append(expected_entropy(np.bincount(places), positives))
    return losses


@pytest.mark.parametrize("seed", range(4))
def test_no_list_has_a_smaller_sum_of_losses(seed):
    X, y = table(seed)
    points = (-1, 1, 2)
    everything = [
        sum(stage_losses(X, y, list(zip(order, given, strict=True))))
        for order in permutations(range(3))
        for given in product(points, repeat=3)
    ]
    options = {"search": "optimal", "min_gain": None, "positive_points": False}
    model = by_counts(points=points, **options).fit(X, y)
    assert sum(model.losses_) == pytest.approx(min(everything), abs=1e-9)
    questions = [(int(q.input[1:]), q.points) for q in model.questions_]
    assert stage_losses(X, y, questions) == pytest.approx(model.losses_)


@pytest.mark.parametrize("loss", ["entropy", "ranking"])
def test_is_never_worse_than_greedy_or_a_beam(loss):
    for seed in range(5):
        X, y = table(seed, cases=120, inputs=6)
        sums = [
            sum(by_counts(points=(1, 2), min_gain=None, loss=loss, **options).fit(X, y).losses_)
            for options in ({"search": "optimal"}, {"beam_width": 5}, {})
        ]
        assert sums[0] <= min(sums) + 1e-9


def test_a_question_that_gains_nothing_is_not_asked():
    X, y = table(1)
    X = np.column_stack((X, np.tile([0, 1], len(X) // 2)))
    y[:] = X[:, 0]
    model = by_counts(search="optimal", points=(1,)).fit(X, y)
    assert [question.input for question in model.questions_] == ["x0"]
    assert model.losses_[-1] == 0


def test_asks_at_most_so_many():
    X, y = table(2, inputs=5)
    model = by_counts(search="optimal", points=(1, 2), max_questions=2).fit(X, y)
    assert len(model.questions_) == 2


def test_numbers_need_one_cutoff_each():
    X, y = table(3)
    X = X + np.random.default_rng(0).random(X.shape)
    with pytest.raises(LearningError, match=r"one cut-off each, and 3 have more.*beforehand"):
        by_counts(search="optimal").fit(X, y)
    model = by_counts(search="optimal", binarize="beforehand").fit(X, y)
    assert len(model.questions_) >= 1


def test_refuses_what_it_cannot_enumerate():
    X, y = table(0, inputs=12)
    with pytest.raises(LearningError, match=r"13,841,287,201 assignments of points to 12 inputs"):
        by_counts(search="optimal").fit(X, y)
    X = X[:, :3].astype(float)
    with pytest.raises(LearningError, match="leave out fixed"):
        by_counts(search="optimal", fixed=["x0"]).fit(X[1:], y[1:])
    with pytest.raises(LearningError, match="search: 'best' came, expected one of"):
        by_counts(search="best").fit(X[1:], y[1:])

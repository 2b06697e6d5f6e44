"""The learner without scikit-learn gives what the classifier gives."""

from inspect import signature

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import StratifiedKFold

from scorecard import ScoringListClassifier
from scorecard.learning.learner import ListLearner
from scorecard.learning.options import DEFAULTS
from scorecard.learning.sample import stratified_folds

RNG = np.random.default_rng(3)
FRAME = pl.DataFrame({"age": RNG.integers(20, 90, 120), "crp": RNG.normal(5, 2, 120).round(1)})
ILL = FRAME["age"].to_numpy() + 8 * FRAME["crp"].to_numpy() + RNG.normal(0, 15, 120) > 95


def test_the_classifier_has_the_defaults_of_the_options() -> None:
    parameters = signature(ScoringListClassifier).parameters
    assert {name: one.default for name, one in parameters.items()} == DEFAULTS
    assert len(parameters) <= 20  # more cannot be held in the head; see `published`


@pytest.mark.parametrize("options", [{}, {"held_out": 0.3}, {"evidence": "training"}])
def test_both_learn_the_same(options: dict[str, object]) -> None:
    found = ListLearner(options).fit(FRAME, ILL)
    model = ScoringListClassifier(**options).fit(FRAME, ILL)
    assert found.scoring_list == model.scoring_list_
    assert found.scoring_list.questions


def test_a_parameter_that_there_is_not_is_refused() -> None:
    with pytest.raises(TypeError, match="'question' is no parameter; expected one of points,"):
        ListLearner({"question": 3})


@given(st.lists(st.booleans(), min_size=4, max_size=60), st.integers(2, 10), st.integers(0, 99))
def test_folds_are_those_of_scikit_learn(ill: list[bool], folds: int, seed: int) -> None:
    outcome = np.array([*ill, *[True, False] * folds])
    found = stratified_folds(outcome, folds, seed)
    splitter = StratifiedKFold(folds, shuffle=True, random_state=seed)
    for number, (_, left_out) in enumerate(splitter.split(outcome, outcome)):
        assert np.flatnonzero(found == number).tolist() == left_out.tolist()


def test_folds_follow_the_random_state_that_came() -> None:
    outcome = np.arange(40) % 3 == 0
    again, other = np.random.RandomState(5), np.random.RandomState(5)
    two = [stratified_folds(outcome, 4, again).tolist() for _ in range(2)]
    splitter = StratifiedKFold(4, shuffle=True, random_state=other)
    for found in two:
        parts = [left_out.tolist() for _, left_out in splitter.split(outcome, outcome)]
        assert [np.flatnonzero(np.array(found) == one).tolist() for one in range(4)] == parts
    np.random.seed(8)
    chance = stratified_folds(outcome, 4, None)
    assert chance.tolist() == stratified_folds(outcome, 4, 8).tolist()

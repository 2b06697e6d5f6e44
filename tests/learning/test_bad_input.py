"""Each of these is refused in one line that says what came and what to do."""

import time
from datetime import date

import numpy as np
import pandas as pd
import polars as pl
import pytest

from scorecard.core.model import Condition, Question
from scorecard.errors import LearningError
from scorecard.tables.cases import read_cases
from tests.learning.tables import by_counts

X = np.arange(40.0).reshape(20, 2)
Y = np.arange(20) % 2


def refusal(X=X, y=Y, weights=None, **options):
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the message is checked by the caller
        by_counts(**options).fit(X, y, sample_weight=weights)
    assert "\n" not in str(caught.value)
    assert isinstance(caught.value, LearningError)
    return str(caught.value)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"points": (0, 1)}, "points: 0 is not a whole number other than 0"),
        ({"points": (1, 2.5)}, "points: 2.5 is not"),
        ({"points": (True,)}, "points: True is not"),
        ({"points": ()}, "points is empty"),
        ({"points": 3}, "points: 3 came"),
        ({"points": (1000,)}, "beyond ±100"),
        (
            {"max_questions": 0},
            "max_questions: 0 came, expected 'auto' or a whole number from 1 to 100",
        ),
        ({"max_questions": 101}, "from 1 to 100"),
        ({"published": {"min_gain": -0.1}}, "min_gain: -0.1 came"),
        ({"published": {"min_gain": float("nan")}}, "min_gain: nan came"),
        (
            {"cutoffs": "all"},
            "cutoffs: 'all' came, expected 'auto', 'exact', 'bisect' or a whole number",
        ),
        ({"published": {"binarize": "never"}}, "expected one of 'in-search', 'beforehand'"),
        (
            {"published": {"calibration": "platt"}},
            "calibration: 'platt' came, expected one of 'isotonic'",
        ),
        ({"published": {"loss": "auc"}}, "loss: 'auc' came"),
        ({"published": {"lookahead": 0}}, "lookahead: 0 came"),
        ({"held_out": 1}, "held_out: 1 came"),
        ({"held_out": 0.2}, "held_out: 0.2 came, but evidence='training' uses no other cases"),
        (
            {"held_out": 0.01, "evidence": "held-out"},
            "held_out: 0.01 of 20 cases cannot be kept out",
        ),
        ({"signs": {"age": "+"}}, "signs: 'age' is not an input; the inputs are 'x0', 'x1'"),
        ({"signs": {"x0": 1}}, "signs: 1 for 'x0' is neither"),
        ({"signs": "+"}, "signs: '+' came"),
        ({"fixed": "x0"}, "fixed: 'x0' came, expected a list"),
        ({"fixed": ["age"]}, "fixed: 'age' is not an input"),
        ({"fixed": [("x0", 0)]}, "fixed: ('x0', 0) came"),
        ({"fixed": ["x0", "x0"]}, "fixed: questions[0].input: 'x0' is asked twice"),
        (
            {"fixed": ["x0", "x1"], "max_questions": 99},
            "max_questions: 99 came, expected 'auto' or a whole number from 0 to 98",
        ),
        ({"fixed": [Question("x0", 1, Condition("in", categories=("a",)))]}, "'x0' has numbers"),
        ({"fixed": [Question("x0", 1)]}, "'x0', row 2: 2.0 is neither 1 (yes) nor 0 (no)"),
        ({"round_cutoffs": "coarse"}, "round_cutoffs: 'coarse' came"),
        ({"missing": "drop"}, "missing: 'drop' came"),
        (
            {"positive_label": "yes"},
            "positive_label: 'yes' is not an outcome; the outcomes are [0, 1]",
        ),
        ({"published": {"beam": 2}}, "published: 'beam' is no part of the method"),
        ({"published": "isotonic"}, "published: 'isotonic' came, expected None, or a mapping"),
        ({"y": np.zeros(20)}, "one class only"),
        ({"y": np.arange(20) % 3}, "3 classes came (0, 1, 2), expected 2"),
        ({"X": np.ones((20, 2))}, "all inputs are constant"),
        ({"weights": -np.ones(20)}, "sample_weight, row 1: -1.0 is negative"),
        ({"weights": np.zeros(20)}, "all weights are zero"),
        (
            {"weights": np.ones(3)},
            "sample_weight has shape (3,), expected one weight for each of 20",
        ),
        ({"weights": np.full(20, np.nan)}, "sample_weight, row 1: nan"),
    ],
)
def test_what_cannot_be_learned_is_refused(options, said):
    assert said in refusal(**options)


def test_columns_of_a_data_frame_are_refused_by_name():
    frame = pd.DataFrame({"age": np.arange(20.0), "seen": [date(2024, 1, 1)] * 20})
    assert "'seen'" in refusal(frame.assign(seen=pd.to_datetime(frame["seen"])))
    infinite = pd.DataFrame({"age": [np.inf, *range(19)]})
    assert "'age', row 1: inf is not a finite number" in refusal(infinite, Y)


def test_a_million_categories_are_refused_by_the_learner_and_left_out_of_a_table():
    many = 1_000_000
    frame = pl.DataFrame({"kind": [f"k{i}" for i in range(many)], "age": np.arange(many) % 90})
    start = time.process_time()
    said = refusal(frame, np.arange(many) % 2)
    assert "'kind' has 1000000 different texts, at most 100 can be asked for; leave it out" in said
    # one text occurs twice, or it would be an identifier
    more = pl.concat([frame, frame.head(1)]).with_columns(ill=pl.Series(np.arange(many + 1) % 2))
    cases = read_cases(more, "ill")
    assert cases.inputs.columns == ["age"]
    assert cases.dropped == (("kind", "it has 1000000 different texts, for instance 'k0'"),)
    assert time.process_time() - start < 15


def test_infinite_and_refused_missing_numbers_in_arrays():
    with pytest.raises(ValueError, match="infinity"):
        by_counts().fit(np.where(X > 30, np.inf, X), Y)
    with pytest.raises(ValueError, match="NaN"):
        by_counts(missing="refuse").fit(np.where(X > 30, np.nan, X), Y)


def test_a_value_that_was_never_seen_is_refused_where_a_no_would_be_a_guess():
    frame = pd.DataFrame({"group": np.where(Y == 1, "a", "b"), "smoker": Y == 1})
    model = by_counts(fixed=["group"]).fit(frame, Y)
    with pytest.raises(LearningError, match="'group', row 1: 'z' is not one of the known values"):
        model.predict(pd.DataFrame({"group": ["z"], "smoker": [True]}))
    numbers = by_counts().fit(frame[["smoker"]].astype(int), Y)
    with pytest.raises(LearningError, match=r"'smoker', row 1: 2\.0 is neither"):
        numbers.predict(pd.DataFrame({"smoker": [2]}))


def test_a_stage_that_does_not_exist():
    model = by_counts(max_questions=1, min_gain=None).fit(X, Y)
    for stage in (2, -1, 1.0, True):
        with pytest.raises(LearningError, match="expected a whole number from 0 to 1"):
            model.predict(X, stage=stage)


def test_five_thousand_columns_are_searched():
    rng = np.random.default_rng(0)
    wide = rng.normal(size=(60, 5000))
    wide[:, 4321] += 6 * Y.repeat(3)
    with pytest.warns(UserWarning, match="5,000 columns could be asked for"):
        model = by_counts(max_questions=1).fit(wide, Y.repeat(3))
    assert model.questions_[0].input == "x4321"


def test_an_input_without_any_value_is_not_asked():
    model = by_counts().fit(np.column_stack([X[:, 0], np.full(20, np.nan)]), Y)
    assert {q.input for q in model.questions_} <= {"x0"}

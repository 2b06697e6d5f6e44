"""Questions that a person gives in part: what is given stays, what is left open is learned."""

import re
from itertools import product

import numpy as np
import pandas as pd
import pytest

from scorecard import Condition, Question, ScoringListClassifier
from scorecard.core.given_question import GivenQuestion, given_question
from scorecard.errors import LearningError, ListError
from tests.learning.tables import by_counts

RNG = np.random.default_rng(5)
FRAME = pd.DataFrame(
    {
        "age": RNG.integers(20, 90, 400),
        "crp": RNG.gamma(2, 10, 400).round(1),
        "sex": RNG.choice(["female", "male"], 400),
        "smoker": RNG.random(400) < 0.3,
    }
)
ODDS = -2 + 1.5 * (FRAME["age"] >= 60) + (FRAME["crp"] > 30) + FRAME["smoker"]
ILL = (RNG.random(400) < 1 / (1 + np.exp(-ODDS))).to_numpy()


def learned(*given, **options):
    return by_counts(fixed=list(given), **options).fit(FRAME, ILL)


@pytest.mark.parametrize(
    ("parts"), [one for one in product([True, False], repeat=3) if one[0] or not one[1]]
)
def test_every_part_may_be_left_open(parts):
    with_input, with_condition, with_points = parts
    given = GivenQuestion(
        "age" if with_input else "",
        Condition(">=", 65) if with_condition else None,
        3 if with_points else None,
    )
    first, *further = learned(given, max_questions=1).questions_
    assert first.input == "age" or not with_input
    assert str(first.condition) == ">= 65" or not with_condition
    assert first.points == 3 or not with_points
    assert len(further) <= 1
    if not (with_input or with_points):
        (alone,) = by_counts(max_questions=1).fit(FRAME, ILL).questions_
        assert (first.input, first.condition) == (alone.input, alone.condition)


def test_no_further_question_is_asked_and_folds_keep_what_is_given_and_learn_the_rest():
    given = [GivenQuestion("age", Condition(">=", 65), 2), GivenQuestion("crp")]
    model = ScoringListClassifier(fixed=given, max_questions=0).fit(FRAME, ILL)
    check = model.scoring_list_.cross_validation
    assert [len(fold.questions) for fold in check.folds] == [2] * 10
    assert {fold.questions[0] for fold in check.folds} == {model.questions_[0]}
    assert {fold.questions[1].input for fold in check.folds} == {"crp"}
    assert len({fold.questions[1].condition for fold in check.folds}) > 1


def test_the_risks_of_a_given_list_are_counted_as_if_it_had_been_found():
    found = ScoringListClassifier(max_questions=3).fit(FRAME, ILL).questions_
    model = ScoringListClassifier(fixed=found, max_questions=0).fit(FRAME, ILL)
    assert model.questions_ == found
    yes = FRAME[found[0].input] >= found[0].condition.cutoff
    counts = model.scoring_list_.stages[1].risks[-1]
    assert (counts.cases, counts.positives) == (yes.sum(), (yes & ILL).sum())


def test_an_order_that_is_left_open_puts_the_best_first():
    given = [Question("smoker", 1), Question("sex", 1, Condition("in", categories=("male",)))]
    given.append(Question("age", 2, Condition(">=", 60)))
    model = by_counts(fixed=frozenset(given), max_questions=0).fit(FRAME, ILL)
    assert {one.input for one in model.questions_} == {"smoker", "sex", "age"}
    assert model.questions_[0].input == "age"
    assert model.losses_[1] == min(learned(one, max_questions=0).losses_[1] for one in given)


def test_points_that_are_given_go_to_the_side_with_the_higher_risk():
    young = FRAME.assign(youth=-FRAME["age"])
    (question,) = by_counts(fixed=[("youth", 2)], max_questions=0).fit(young, ILL).questions_
    assert (question.condition.kind, question.points) == ("<", 2)


def test_a_whole_question_with_negative_points_is_asked_as_it_was_given():
    given = Question("age", -2, Condition("<", 65))
    assert learned(given, max_questions=0).questions_ == (given,)


def test_an_input_may_be_given_twice_and_categories_get_the_choices_of_the_table():
    twice = [Question("age", 1, Condition(">=", cut)) for cut in (50, 70)]
    male = Question("sex", 1, Condition("in", categories=("male",)))
    asked = learned(*twice, male, max_questions=0).questions_
    assert asked[:2] == tuple(twice)
    assert asked[2].condition.choices == ("female", "male")


def test_other_cut_offs_of_a_given_question_may_follow():
    given = Question("age", 1, Condition(">=", 25))
    model = learned(given, max_questions=3, repeat_inputs=2)
    asked = [one.condition.cutoff for one in model.questions_ if one.input == "age"]
    assert asked[0] == 25
    assert len(asked) == 2, "another cut-off tells far more"
    assert asked[1] > 30, "ten cases at least lie between"
    once = learned(given, max_questions=3, repeat_inputs=1)
    assert [one.input for one in once.questions_].count("age") == 1
    whole = learned(Question("sex", 1, Condition("in", categories=("male",))), max_questions=3)
    assert [one.input for one in whole.questions_].count("sex") == 1


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([Question("age", 1, Condition(">=", 50))] * 2, "fixed: questions[1].input: 'age' is ask"),
        (
            ["age", Question("age", 1, Condition(">=", 50))],
            "fixed: questions[0].input: 'age' is asked twice",
        ),
        ([Question("sex", 1, Condition("in", categories=("mal",)))], "did you mean 'male'?"),
        ([GivenQuestion("agee")], "fixed: 'agee' is not an input"),
        ([3], "fixed: 3 came, expected a Question"),
    ],
)
def test_what_cannot_be_asked_is_refused(given, said):
    with pytest.raises(LearningError, match=re.escape(said)):
        learned(*given)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("age", "age"),
        (" age : 2 ", "age: 2"),
        ("age>=65:+2", "age >= 65: 2"),
        ("age ≥ 65", "age >= 65"),
        ("age group < -1.50: −3", "age group < -1.5: -3"),
        ("sex is female: 1", "sex in female: 1"),
        ("sex=2:1", "sex in 2: 1"),
        ("sex is not 'a b'", "sex not in a b"),
        ("sex in a, b c", "sex in a, b c"),
        ("sex not in a: 1", "sex not in a: 1"),
        ("smoker no", "smoker no"),
        ("age missing: 1", "age missing: 1"),
    ],
)
def test_the_short_form_is_read(text, same):
    given = given_question(text, ["age", "age group", "sex", "smoker"])
    assert str(given) == same
    assert given_question(same, ["age", "age group", "sex", "smoker"]) == given


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("agee >= 3", "'agee >= 3' begins with no column; did you mean 'age'?"),
        ("age > 3", "'age > 3' is not understood from '> 3' on"),
        ("age >= many", "is not understood from '>= many' on"),
        ("age: 0", "points: 0 is not a whole number other than 0"),
        ("", "begins with no column; the columns are age, sex."),
    ],
)
def test_a_wrong_short_form_is_refused(text, said):
    with pytest.raises(ListError, match=re.escape(said)):
        given_question(text, ["age", "sex"])

"""What counts as yes, no, unknown or a refusal."""

import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorecard.core.model import Condition, Question
from scorecard.core.question import float_not_below, inputs_asked_again, settled_answers
from scorecard.errors import AnswerError, ListError
from tests.strategies import plain_texts, questions

AGE = Question("age", 2, Condition(">=", 65))
BELOW = Question("gfr", 1, Condition("<", 3.2))
SMOKER = Question("smoker", 1)
NOT_SMOKER = Question("smoker", 1, Condition("no"))
STAGE = Question("stage", 1, Condition("in", categories=("II", "III")))
KNOWN = Question("site", 1, Condition("in", categories=("left",), choices=("left", "right", "na")))
UNMEASURED = Question("bmi", 1, Condition("missing"))


@pytest.mark.parametrize(
    ("question", "value", "answer"),
    [
        (AGE, 65, True),
        (AGE, math.nextafter(65, 0), False),
        (AGE, "65", True),
        (AGE, " 6.5e1 ", True),
        (AGE, "64.9999", False),
        (AGE, "unknown", None),
        (AGE, "", None),
        (AGE, None, None),
        (AGE, math.nan, None),
        (AGE, "NaN", None),
        (AGE, True, True),
        (AGE, "yes", True),
        (AGE, "nein", False),
        (BELOW, 3.2, False),
        (BELOW, "3.19", True),
        (BELOW, True, True),
        (SMOKER, "Yes", True),
        (SMOKER, 0, False),
        (SMOKER, 1.0, True),
        (SMOKER, "1.0", True),
        (SMOKER, " 1.0000 ", True),
        (SMOKER, "1.", True),
        (SMOKER, "0.00", False),
        (NOT_SMOKER, "1.00", False),
        (SMOKER, "n/a", None),
        (NOT_SMOKER, "yes", False),
        (NOT_SMOKER, True, False),
        (NOT_SMOKER, 0, True),
        (NOT_SMOKER, None, None),
        (STAGE, "II", True),
        (STAGE, "I", False),
        (STAGE, "?", None),
        (KNOWN, " left ", True),
        (KNOWN, "right", False),
        (KNOWN, "na", False),  # a category of this input, although elsewhere a word for unknown
        (KNOWN, "unknown", None),
        (KNOWN, "yes", True),
        (UNMEASURED, None, True),
        (UNMEASURED, "", True),
        (UNMEASURED, 27.5, False),
        (UNMEASURED, "27.5", False),
    ],
)
def test_answers(question, value, answer):
    assert question.answer(value) is answer
    opposite = None if answer is None else not answer
    if not (isinstance(value, bool) or value in ("yes", "nein") or not question.takes_answers):
        assert question.turned().answer(value) is opposite


@pytest.mark.parametrize(
    ("question", "value", "says"),
    [
        (AGE, "6,5", "decimal point"),
        (AGE, "1,000", "decimal point"),
        (AGE, "sixty", "'sixty' is not a number"),
        (AGE, "1_000", "not a number"),
        (AGE, "٣", "not a number"),
        (AGE, math.inf, "finite"),
        (AGE, "1e999", "finite"),
        (AGE, "inf", "not a number"),
        (AGE, [65], "neither"),
        (SMOKER, 2, "neither 1"),
        (SMOKER, "maybe", "yes, no or unknown"),
        (SMOKER, "10", "yes, no or unknown"),
        (SMOKER, "1.01", "yes, no or unknown"),
        (SMOKER, "1,0", "yes, no or unknown"),
        (KNOWN, "middle", "'left', 'right'"),
        (STAGE, "yes", "known values"),
    ],
)
def test_refusals_name_the_input_and_the_value(question, value, says):
    with pytest.raises(AnswerError, match=says) as refusal:
        question.answer(value)
    assert repr(question.input) in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("question", "value", "answer"),
    [
        (AGE, np.float64(65.5), True),
        (AGE, np.float32(64.5), False),
        (AGE, np.int64(64), False),
        (AGE, np.bool_(True), True),
        (AGE, np.float32("nan"), None),
        (AGE, pd.NA, None),
        (AGE, pd.NaT, None),
        (SMOKER, np.bool_(False), False),
        (SMOKER, np.int8(1), True),
        (STAGE, np.str_("II"), True),
        (UNMEASURED, pd.NA, True),
    ],
)
def test_scalars_of_numpy_and_pandas(question, value, answer):
    assert question.answer(value) is answer


@given(st.floats(allow_nan=False, allow_infinity=False), st.floats(-1e300, 1e300))
def test_text_is_compared_like_the_number_it_stands_for(value, cutoff):
    question = Question("x", 1, Condition(">=", cutoff))
    assert question.answer(repr(value)) is question.answer(value) is (value >= cutoff)
    assert question.turned().answer(value) is (value < cutoff)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: Question("x", 0), "points: 0"),
        (lambda: Question("x", 2.5), "points: 2.5"),
        (lambda: Question("x", True), "points: True"),
        (lambda: Question("x", 101), "beyond ±100"),
        (lambda: Question(" ", 1), "name of its input"),
        (lambda: Question("x", 1, Condition(">=")), "cut-off: None"),
        (lambda: Condition(">=", math.inf), "finite"),
        (lambda: Condition("yes", 3), "needs '>=' or '<'"),
        (lambda: Condition("=>", 3), "unknown kind '=>'"),
        (lambda: Condition("in"), "at least one value"),
        (lambda: Condition("in", categories="abc"), "list of texts"),
        (lambda: Condition("in", categories=("a", "a")), "twice"),
        (lambda: Condition("in", categories=("a",), choices=("b",)), "not among the choices"),
        (lambda: Question("\ud800", 1), "surrogate"),
        (lambda: Question("x", 1, cost=-1), "negative"),
    ],
)
def test_what_is_not_a_question_is_refused(make, says):
    with pytest.raises(ListError, match=says):
        make()


def test_whole_cut_offs_are_plain_integers():
    assert repr(Condition(">=", 50.0).cutoff) == "50"
    assert repr(Condition("<", 0.1).cutoff) == "0.1"


def test_none_is_a_finding_and_not_a_missing_answer():
    oedema = Question("oedema", 1, Condition("in", categories=("severe",)))
    assert oedema.answer("none") is False
    with pytest.raises(AnswerError, match="yes, no or unknown"):
        SMOKER.answer("none")


# Several questions about one input ----------------------------------------------------------------

OLD = Question("age", 1, Condition(">=", 50))
YOUNG = Question("age", 1, Condition("<", 18))
LEFT = Question("side", 2, Condition("not in", categories=("right",), choices=("left", "right")))


def test_what_an_answer_says_about_later_questions():
    assert settled_answers([AGE, OLD]) == {(0, True): {1: True}}
    assert settled_answers([OLD, AGE]) == {(0, False): {1: False}}
    assert settled_answers([OLD, YOUNG]) == {(0, True): {1: False}}
    assert settled_answers([AGE, SMOKER]) == {}
    missing = Question("age", 1, Condition("missing"))
    assert settled_answers([missing, AGE]) == {(0, True): {1: None}}
    assert settled_answers([AGE, missing]) == {(0, True): {1: False}, (0, False): {1: False}}


@given(questions(2, 6, text=plain_texts(), asked_again=True), st.data())
def test_an_answer_is_settled_only_if_every_value_gives_it(asked, data):
    """And whatever the value is, it gives the answers that are said to follow."""
    settled = settled_answers(asked)
    words = st.sampled_from(["", *"ab", *(c for q in asked for c in q.condition.categories)])
    numbers = [q.condition.cutoff for q in asked if q.condition.cutoff is not None]
    near = [n + d for n in numbers for d in (-1, 0, 1)]
    for name in {question.input for question in asked}:
        value = data.draw(words | (st.sampled_from(near) if near else st.nothing()))
        for (place, answer), later in settled.items():
            for other, then in later.items():
                if asked[place].input == name and told(asked[place], value) is answer:
                    assert told(asked[other], value) in (then, "refused")


def told(question, value):
    try:
        return question.answer(value)
    except AnswerError:
        return "refused"


def test_yes_does_not_say_which_question_it_answers():
    assert inputs_asked_again([AGE, OLD, SMOKER]) == {"age"}
    assert inputs_asked_again([AGE, Question("age", 1, Condition("missing")), SMOKER]) == set()
    for value in (True, "yes", " No "):
        with pytest.raises(AnswerError, match="several questions ask for it"):
            AGE.answer(value, value_only=True)
    with pytest.raises(AnswerError, match="several questions"):
        LEFT.answer("ja", value_only=True)
    assert LEFT.answer("left", value_only=True) is True
    assert AGE.answer("70", value_only=True) is True
    assert AGE.answer("unknown", value_only=True) is None


def test_a_whole_number_that_a_float_holds_stays_itself_and_another_is_not_lowered():
    assert float_not_below(2**60) == 2**60
    assert float_not_below(2**60 + 1) == 2**60 + 256

"""Every kind of question is known wherever a question is read, worded, exported or counted.

To add a kind, give an example of it here and follow what fails.
"""

from contextlib import suppress
from typing import get_args

import polars as pl
import pytest

from scorecard import Condition, Question, Risk, ScoringList, Stage, make_card
from scorecard.core.build_staircase import build_staircase
from scorecard.core.question import OPPOSITE, ConditionKind
from scorecard.forms.found import NotRunError
from scorecard.learning.inputs import answers, from_frame
from scorecard.tables.apply import column_answers
from scorecard.words.language import languages
from scorecard.words.wording import Wording
from tests.forms.compared import differences
from tests.forms.test_agreement import RUNS

KINDS = get_args(ConditionKind)
CATEGORIES = {"categories": ("red",), "choices": ("blue", "red")}

# By kind: the rest of the condition, and values of the input with the answer to each.
EXAMPLES = {
    ">=": ({"cutoff": 5}, {"5": True, "4.9": False, None: None}),
    "<": ({"cutoff": 5}, {"5": False, "4.9": True, None: None}),
    "in": (CATEGORIES, {"red": True, "blue": False, None: None}),
    "not in": (CATEGORIES, {"red": False, "blue": True, None: None}),
    "yes": ({}, {"1": True, "0": False, None: None}),
    "no": ({}, {"1": False, "0": True, None: None}),
    "missing": ({}, {"3": False, None: True}),
    "present": ({}, {"3": True, None: False}),
}


def question(kind: str) -> Question:
    assert kind in EXAMPLES, f"{kind!r} is new: give an example of it in {__file__}"
    return Question("x", 1, Condition(kind, **EXAMPLES[kind][0]))


def scoring_list(kind: str) -> ScoringList:
    stages = Stage((0,), (Risk(0.3),)), Stage((0, 1), (Risk(0.02), Risk(0.96)))
    return ScoringList((question(kind),), stages)


@pytest.mark.parametrize("kind", KINDS)
def test_answers_and_their_opposites(kind: str) -> None:
    asked, turned = question(kind), question(kind).turned()
    assert OPPOSITE[OPPOSITE[kind]] == kind
    for value, expected in EXAMPLES[kind][1].items():
        assert asked.answer(value) is expected
        assert turned.answer(value) is (None if expected is None else not expected)


@pytest.mark.parametrize("kind", KINDS)
def test_whole_columns_are_answered_like_single_values(kind: str) -> None:
    asked, values = question(kind), EXAMPLES[kind][1]
    expected = [-1 if answer is None else int(answer) for answer in values.values()]
    column = pl.Series("x", list(values))

    def refuse(row: int, message: str) -> Exception:
        raise AssertionError(f"row {row}: {message}")

    assert column_answers(asked, column, refuse).tolist() == expected
    numbers = column if asked.condition.is_categorical else column.cast(pl.Float64)
    (one,) = from_frame(pl.DataFrame({"x": numbers}))
    learned = [-1 if answer != answer else int(answer) for answer in answers(one, asked.condition)]
    assert learned == expected


@pytest.mark.parametrize("kind", KINDS)
def test_words_and_card(kind: str) -> None:
    for language in languages():
        shown = Wording.of(scoring_list(kind), language).question(question(kind))
        turned = Wording.of(scoring_list(kind), language).question(question(OPPOSITE[kind]))
        assert "x" in shown
        assert shown != turned
    assert make_card(scoring_list(kind), "html")


@pytest.mark.parametrize("kind", KINDS)
def test_every_program_agrees(kind: str) -> None:
    staircase, told = build_staircase(scoring_list(kind)), {}
    for form, run in RUNS.items():
        with suppress(NotRunError):  # the program of others that runs it is not there
            told[form] = differences(staircase, *run)
    assert told == {form: [] for form in told}
    assert {"python", "json", "sqlite", "duckdb"} <= {*told}

"""The scoring list as a value: what it is, what it refuses, where a case stands."""

from dataclasses import FrozenInstanceError, replace

import pytest

from scorecard.core.model import (
    MAX_QUESTIONS,
    Condition,
    Evidence,
    Pattern,
    Question,
    Risk,
    ScoringList,
    Stage,
    possible_totals,
    with_positive_points,
)
from scorecard.errors import AnswerError, ListError
from tests.lists import TABLE_1, counted, stage


def test_possible_totals():
    assert possible_totals((1, -2, 1, 2)) == (
        (0,),
        (0, 1),
        (-2, -1, 0, 1),
        (-2, -1, 0, 1, 2),
        (-2, -1, 0, 1, 2, 3, 4),
    )


def test_answers_of_a_case_by_input_name():
    assert TABLE_1.answers({"f1": "yes", "f3": 0}) == (False, True, None, None)
    with pytest.raises(AnswerError, match="'f5' is not an input of this list: f3, f1, f2, f4"):
        TABLE_1.answers({"f5": 1})


def test_a_label_names_an_input_where_it_is_unique():
    first, second, *others = TABLE_1.questions
    one = replace(TABLE_1, questions=(replace(first, label="Pain"), second, *others))
    assert one.answers({"Pain": "yes"}) == one.answers({"f3": "yes"})
    with pytest.raises(AnswerError, match="'f3' is given twice: by its name and by its label"):
        one.answers({"Pain": "yes", "f3": "no"})
    both = replace(one, questions=(one.questions[0], replace(second, label="Pain"), *others))
    with pytest.raises(AnswerError, match="'Pain' is the label of several inputs of this list"):
        both.answers({"Pain": "yes"})


def test_a_list_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        TABLE_1.questions = ()


def test_turned_round_to_positive_points():
    turned = with_positive_points(TABLE_1)
    assert [question.points for question in turned.questions] == [1, 2, 1, 2]
    assert turned.questions[1].condition.kind == "no"
    assert turned.stages[2].totals == (0, 1, 2, 3)
    assert turned.stages[4].risks[turned.stages[4].totals.index(4)].probability == 0.7
    assert with_positive_points(turned) == turned


TWO = counted((1, 2), {"00": (5, 1), "01": (5, 2), "10": (5, 3), "11": (5, 4)})


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: replace(TABLE_1, stages=TABLE_1.stages[:-1]), "stages: 4 given, expected 5"),
        (lambda: replace(TABLE_1, stages=(*TABLE_1.stages[:-1], None)), "last question"),
        (
            lambda: replace(TABLE_1, questions=(*TABLE_1.questions[:3], Question("f3", 2))),
            r"questions\[3\].input: 'f3' is asked already by questions\[0\]",
        ),
        (
            lambda: replace(TABLE_1, stages=(*TABLE_1.stages[:4], TABLE_1.stages[3])),
            r"stages\[4\]: no risk for total 3",
        ),
        (
            lambda: ScoringList((Question("x", 1),), (None, stage(p0=0.1, p1=0.2, p2=0.3))),
            "total 2 cannot occur",
        ),
        (lambda: stage(p0=0.5, p1=0.4), "total 1: probability 0.4 is below 0.5"),
        (
            lambda: ScoringList((Question("x", 2),), (None, stage(p0=0.1, p1=0.2))),
            r"stages\[1\]: no risk for total 2",
        ),
        (
            lambda: ScoringList((Question("x", 1),), (None, None, None)),
            "stages: 3 given, expected 2",
        ),
        (lambda: Stage((1, 0), (Risk(0.1), Risk(0.2))), "must ascend"),
        (lambda: Stage((0, 0), (Risk(0.1), Risk(0.2))), "must ascend, but 0 follows 0"),
        (lambda: Stage((0, 1), (Risk(0.1),)), "2 totals but 1 risks"),
        (lambda: Stage((0.0, 1), (Risk(0.1), Risk(0.2))), r"totals\[0\]: 0.0 does not belong"),
        (lambda: Stage((0,), (0.5,)), r"risks\[0\]: 0.5"),
        (lambda: Evidence((1, 2)), r"patterns\[0\]: 1"),
        (lambda: ScoringList((1,), (None, None)), r"questions\[0\]: 1"),
        (lambda: Risk(10**400), "too large"),
        (lambda: Stage((0, 1), (Risk(0.1, 0, 0.5), Risk(0.2))), "range"),
        (lambda: Stage((0, 1), (Risk(0.1, None, None, 5, 1), Risk(0.2))), "counts"),
        (lambda: Stage((0, 1), (Risk(0.3, 0.2, 0.5), Risk(0.4, 0.1, 0.5))), "lower 0.1 is below"),
        (lambda: Risk(1.2), "not between 0 and 1"),
        (lambda: Risk(float("nan")), "finite"),
        (lambda: Risk("0.2"), "not a number"),
        (lambda: Risk(0.2, 0.3, 0.4), "outside its own range"),
        (lambda: Risk(0.2, lower=0.1), "both or neither"),
        (lambda: Risk(0.2, cases=3), "both or neither"),
        (lambda: Risk(0.2, cases=3, positives=4), "positives: 4"),
        (lambda: Pattern("012", 1, 0), "must consist"),
        (lambda: Evidence((Pattern("01", 1, 0), Pattern("01", 2, 0))), "twice"),
        (lambda: replace(TWO, evidence=Evidence((Pattern("0", 1, 0),))), "1 answers for 2"),
        (
            lambda: replace(TWO, evidence=Evidence((*TWO.evidence.patterns[1:],))),
            r"stages\[0\], total 0: 10 of 20 contradicts the evidence, which has 9 of 15",
        ),
        (
            lambda: ScoringList(
                tuple(Question(f"q{n}", 1) for n in range(MAX_QUESTIONS + 1)),
                (None,) * (MAX_QUESTIONS + 2),
            ),
            "too many",
        ),
    ],
)
def test_what_is_not_a_scoring_list_is_refused(make, says):
    with pytest.raises(ListError, match=says) as refusal:
        make()
    assert "\n" not in str(refusal.value)


def test_every_fault_is_kept():
    questions = (Question("a", 1), Question("a", 1), Question("a", 1))
    with pytest.raises(ListError) as refusal:
        ScoringList(questions, (None, None))
    assert len(refusal.value.faults) == 3


def test_an_input_may_be_asked_for_its_value_and_for_being_missing():
    questions = (Question("bmi", 1, Condition(">=", 30)), Question("bmi", 1, Condition("missing")))
    listed = ScoringList(questions, (None, None, None))
    assert not listed.has_risks
    assert listed.answers({"bmi": None}) == (None, True)
    assert listed.answers({"bmi": 31}) == (True, False)


def test_effective_counts_of_weighted_cases_may_be_fractions():
    evidence = Evidence((Pattern("0", 0.1 + 0.2, 0.1), Pattern("1", 2.5, 2)))
    zero, one = Risk(1 / 3, None, None, 0.3, 0.1), Risk(0.8, None, None, 2.5, 2)
    base = Risk(0.75, None, None, 2.8, 2.1)
    listed = ScoringList(
        (Question("a", 1),), (Stage((0,), (base,)), Stage((0, 1), (zero, one))), evidence=evidence
    )
    assert listed.stages[1].risks[1].positives == 2


def ages(*others: Question) -> ScoringList:
    asked = (Question("age", 2, Condition(">=", 65), unit="years"), *others)
    return ScoringList(asked, (None,) * (len(asked) + 1))


def test_an_input_may_be_asked_again_with_another_cut_off():
    twice = ages(Question("age", 1, Condition(">=", 50), unit="years"))
    assert twice.answers({"age": 57}) == (False, True)
    assert twice.answers({"age": "70"}) == (True, True)
    assert twice.answers({}) == (None, None)
    with pytest.raises(AnswerError, match="'age': several questions ask for it, so True"):
        twice.answers({"age": True})


@pytest.mark.parametrize(
    ("other", "says"),
    [
        (Question("age", 1, Condition(">=", 65), unit="years"), "answers this one too"),
        (Question("age", 1, Condition("<", 65), unit="years"), "answers this one too"),
        (Question("age", 1, Condition(">=", 600), unit="months"), "'years' instead of 'months'"),
        (Question("age", 1), "one value cannot answer yes as well"),
        (Question("age", 1, Condition("in", categories=("old",))), "one value cannot answer"),
    ],
)
def test_what_one_value_cannot_answer_is_refused(other, says):
    with pytest.raises(ListError, match=rf"^questions\[1\]\.input: 'age' is asked already.*{says}"):
        ages(other)


def test_choices_belong_to_the_input():
    first = Question("side", 1, Condition("in", categories=("l",), choices=("l", "r", "both")))
    other = replace(first, condition=Condition("in", categories=("r",), choices=("l", "r")))
    with pytest.raises(ListError, match="all its questions need the same"):
        ScoringList((first, other), (None, None, None))

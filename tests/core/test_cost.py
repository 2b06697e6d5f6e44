"""What is paid for, once; and what the promise makes of it."""

from dataclasses import replace

import pytest

from scorecard import Question, StoppingPolicy, build_staircase
from scorecard.core.error_control import controlled_errors, usual_cost
from scorecard.core.evidence import Pattern
from scorecard.core.model import Condition
from scorecard.core.performance import ends_of, pooled
from scorecard.core.question import Substitute
from scorecard.core.walk import case_cost, costs_so_far
from tests.cross_validated import cross_validated_list
from tests.lists import TABLE_1

AGE = [Question("age", 1, Condition(">=", cutoff), cost=3) for cutoff in (50, 65)]
CRP, HB = (Question(name, 1, cost=12, panel="blood") for name in ("crp", "hb"))
FREE = Question("fever", 1)


@pytest.mark.parametrize(
    ("questions", "answers", "paid"),
    [
        (AGE, [True, False], (0, 3, 3)),  # asked again: known already
        ([CRP, FREE, HB], [False, True, True], (0, 12, 12, 12)),  # one panel
        ([CRP, HB], [None, True], (0, 0, 12)),  # what cannot be had is not paid for
        ([CRP, replace(HB, cost=None)], [None, True], (0, 0, 12)),  # its cost is said once
        ([CRP, HB], [True], (0, 12)),
    ],
)
def test_what_is_bought_is_paid_for_once(questions, answers, paid) -> None:
    assert costs_so_far(questions, answers) == paid
    assert case_cost(questions, answers, 99) == paid[-1]


def test_a_substitute_is_paid_for_where_it_gave_the_answer() -> None:
    asked = [replace(CRP, if_unknown=Substitute("strip", Condition(">=", 5), cost=1)), HB]
    assert costs_so_far(asked, [True, True], [False, False]) == (0, 12, 12)
    assert costs_so_far(asked, [True, True], [True, False]) == (0, 1, 13)
    assert costs_so_far(asked, [True, None]) == (0, 12, 12)  # nobody knows which: the dearer


def test_the_mean_cost_counts_who_stops_and_what_is_unknown() -> None:
    """Table 1 at 10 % and 90 %: two no stop nowhere, and an unknown answer costs nothing."""
    priced = tuple(replace(one, cost=2) for one in TABLE_1.questions)
    staircase = build_staircase(replace(TABLE_1, questions=priced), StoppingPolicy(0.1, 0.9))
    patterns = (Pattern("1?11", 3, 1), Pattern("0000", 1, 0))
    ends = ends_of(staircase, patterns)
    stages = [
        staircase.decide(answers).stage for answers in ([True, None, True, True], [False] * 4)
    ]
    spent = 3 * 2 * (stages[0] - 1) + 2 * stages[1]
    assert ends.paid[:3] == (0, 2 * 4, 2 * 4 + 2)
    assert (ends.mean_cost, ends.paid[-1]) == (spent / 4, spent)
    decided = sum(ends.shares()[end] for end in ("rule out", "rule in"))
    assert ends.cost_curve[0] == (0, 0)
    assert ends.cost_curve[-1] == (spent / 4, decided)
    both = pooled([ends, ends], 2)
    assert (both.mean_cost, both.cost_curve) == (ends.mean_cost, ends.cost_curve)
    assert ends_of(build_staircase(TABLE_1, StoppingPolicy(0.1, 0.9)), patterns).mean_cost is None


def priced(check, *costs):
    folds = tuple(
        replace(
            fold,
            questions=tuple(
                replace(question, cost=cost)
                for question, cost in zip(fold.questions, costs, strict=False)
            ),
        )
        for fold in check.folds
    )
    return replace(check, folds=folds)


def test_equal_costs_are_as_none_and_others_are_what_the_promise_weighs() -> None:
    plain = cross_validated_list(seed=3, cases=600, questions=3, missing=0.1).cross_validation
    policy = StoppingPolicy(0.25, 0.75)
    without, same = (
        controlled_errors(plain, policy),
        controlled_errors(priced(plain, 7, 7, 7), policy),
    )
    assert usual_cost(plain) is usual_cost(priced(plain, 7, 7, 7)) is None
    assert without.limits == same.limits
    assert without.tally == replace(same.tally, mean_cost=None)
    assert without.tally.mean_cost is None
    dear = controlled_errors(priced(plain, 1, 1, 500), policy).tally
    questions = len(plain.folds[0].questions)
    assert usual_cost(priced(plain, 1, 1, 500)) > 1
    assert dear.mean_cost <= 500 + questions - 1


def test_the_mean_cost_of_a_tally_is_that_of_each_case() -> None:
    """A question costs 1, so who is asked all of them pays what they are asked, less unknowns."""
    plain = cross_validated_list(seed=5, cases=300, questions=3, signal=0.0).cross_validation
    tally = controlled_errors(priced(plain, 1, 1, 1), StoppingPolicy(0.01, 0.99)).tally
    assert tally.mean_cost == pytest.approx(tally.mean_questions)
    unknown = cross_validated_list(seed=5, cases=300, questions=3, signal=0.0, missing=0.3)
    with_unknowns = controlled_errors(
        priced(unknown.cross_validation, 1, 1, 1), StoppingPolicy(0.01, 0.99)
    )
    assert with_unknowns.tally.mean_cost < with_unknowns.tally.mean_questions

"""Which numbers are outside what a list has seen."""

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorecard.core.build_staircase import build_staircase
from scorecard.core.evidence import Seen
from scorecard.core.model import Condition, Question, ScoringList
from scorecard.core.policy import StoppingPolicy
from scorecard.core.question import Substitute
from scorecard.errors import ListError
from tests.lists import stage

CREATININE = Question("crea", 1, Condition(">=", 1.3), label="Creatinine", unit="mg/dl")
FEVER = Question(
    "temp", 1, Condition(">=", 38), if_unknown=Substitute("skin", Condition(">=", 33.5))
)
SEEN = (
    Seen("crea", 0.6, 5.4, 0.4, 20.4),
    Seen("temp", 35.5, 40, 34, 42),
    Seen("skin", 30, 36, 28, 37),
)
LIST = ScoringList(
    (CREATININE, FEVER),
    (None, stage(p0=0.05, p1=0.4), stage(p0=0.01, p1=0.3, p2=0.95)),
    seen=SEEN,
)


def test_the_centiles_are_widened_by_half_their_distance_and_a_third_below() -> None:
    assert Seen("crea", 0.6, 5.4, 0.4, 20.4).within == (0.4, 7.8)  # 0.6 × 2/3, 5.4 + 2.4
    assert Seen("temp", 35.5, 40, 34, 42).within == (33.2, 42.2)  # 33.25 and 42.25, shortened
    assert Seen("balance", -4, 6, -9, 9).within == (-9, 11)
    assert Seen("count", 0, 8, 0, 30).within == (-4, 12)


def test_where_the_centiles_are_one_number_the_lowest_and_highest_count() -> None:
    assert Seen("metastases", 0, 0, 0, 7).within == (0, 7)
    assert Seen("huge", -1e308, 1e308, -1.5e308, 1.5e308).within == (-1.5e308, 1.5e308)


@pytest.mark.parametrize(
    ("value", "is_outside"),
    [
        (7.8, False),
        (math.nextafter(7.8, 8), True),
        (0.4, False),
        (math.nextafter(0.4, 0), True),
        (106, True),  # µmol/l
        ("106", True),
        ("106 mg/dl", True),
        (" 1.2 ", False),
        (True, False),
        ("yes", False),
        ("unknown", False),
        (None, False),
        (math.nan, False),
    ],
)
def test_a_number_beyond_is_outside_and_an_answer_never(value: object, is_outside: bool) -> None:
    assert LIST.outside({"crea": value}) == (("crea",) if is_outside else ())


def test_it_is_told_of_every_number_and_changes_no_decision() -> None:
    staircase = build_staircase(LIST, StoppingPolicy(0.1, 0.9, by="point"))
    case = {"Creatinine": 106, "temp": 101, "skin": 90}
    outcome = staircase.decide(case)
    assert outcome.outside == ("crea", "temp", "skin")
    without = build_staircase(replace(LIST, seen=()), StoppingPolicy(0.1, 0.9, by="point"))
    assert replace(outcome, outside=()) == without.decide(case)
    assert staircase.decide([True, True]).outside == ()


@given(st.lists(st.floats(-1e300, 1e300), min_size=4, max_size=4, unique=True).map(sorted))
def test_the_margin_never_cuts_off_what_was_seen(four: list[float]) -> None:
    lowest, low, high, highest = four
    seen = Seen("x", low, high, lowest, highest)
    assert seen.includes(low)
    assert seen.includes(high)


@pytest.mark.parametrize("wrong", [(2, 1, 0, 3), (1, 2, 1.5, 3), (1, 1, 1, 1), (1, 4, 0, 3)])
def test_numbers_that_do_not_ascend_are_refused(wrong: tuple[float, ...]) -> None:
    with pytest.raises(ListError, match="must ascend"):
        Seen("x", *wrong)
    with pytest.raises(ListError, match="'crea' is there twice"):
        replace(LIST, seen=(*SEEN, SEEN[0]))

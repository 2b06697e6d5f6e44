import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorecard.learning.rounding import (
    NEARBY,
    beyond,
    human_cutoff,
    midpoint,
    nice_step,
    rounder_cuts,
)


@pytest.mark.parametrize(
    ("below", "above", "cutoff"),
    [
        (49, 52, 50),
        (1.2, 1.3, 1.3),  # never finer than the data
        (38.7, 41.2, 40),
        (183, 184, 184),
        (-3, 4, 0),
        (-52, -49, -50),
        (0.15, 1.2, 0.7),  # one digit, nearest the middle
        (0, 1, 1),
        (95, 105, 100),
        (43, 48, 45),  # 5 is the best last of several digits
        (0.42, 0.48, 0.45),
        (44, 48.7, 45),
        (-48, -43, -45),
        (2, 8, 5),
        (2, 7, 5),
        (1, 4, 3),  # of one digit the middle is best
        (1203, 1256, 1250),
        (5.3, 5.3000001, 5.3000001),
        (1e-9, 2e-9, 2e-9),
    ],
)
def test_the_roundest_value_that_separates_the_same_cases(below, above, cutoff):
    assert human_cutoff(below, above) == cutoff
    assert type(human_cutoff(below, above)) is type(cutoff)


numbers = st.one_of(
    st.integers(-(10**6), 10**6).map(float),
    st.decimals(-1000, 1000, places=2).map(float),
    st.floats(-1e12, 1e12),
)


@given(numbers, numbers)
def test_every_cutoff_separates_the_two_values_and_is_no_longer_than_the_upper(one, other):
    below, above = sorted((one, other))
    if below == above:
        return
    cutoff = human_cutoff(below, above)
    assert below < cutoff <= above
    assert below < midpoint(below, above) <= above
    assert len(_digits(cutoff)) <= len(_digits(above)) or not _digits(above)
    if below.is_integer() and above.is_integer():
        assert isinstance(cutoff, int)


def _digits(number):
    mantissa = repr(float(number)).lower().split("e")[0]
    return mantissa.replace("-", "").replace(".", "").strip("0")


def test_nobody_reaches_what_is_beyond():
    assert beyond(np.array([4.0, 90.0])) == 100


def rounder(cuts, values):
    values = np.sort(values)
    reached = np.arange(values.size + 1) / values.size
    found = rounder_cuts(np.array(cuts), reached, (values, values))
    return [human_cutoff(values[cut - 1], values[cut]) for cut in found.tolist()]


def test_a_rounder_number_takes_the_place_of_a_quantile_that_few_cases_separate_from_it():
    ages = np.linspace(20, 80, 601)  # 2 % of the cases are 1.2 years
    assert rounder([264, 330], ages) == [46, 53]  # 46.4 and 53.0: no rounder one is near
    assert rounder([241, 288], ages) == [45, 50]  # 44.1 and 48.8
    assert rounder([240, 241, 242], ages) == [45]  # each of them once


@given(st.lists(numbers, min_size=3, max_size=40, unique=True), st.data())
def test_a_rounder_cut_is_near_and_never_less_round(values, data):
    values = np.sort(np.array(values, float))
    reached = np.arange(values.size + 1) / values.size / 10  # most cases have no value
    cut = data.draw(st.integers(1, values.size - 1))
    (found,) = rounder_cuts(np.array([cut]), reached, (values, values)).tolist()
    assert abs(reached[found] - reached[cut]) <= NEARBY + 1e-12
    before, after = (human_cutoff(values[one - 1], values[one]) for one in (cut, found))
    assert len(_digits(after)) <= len(_digits(before))


def test_a_nice_step_is_1_2_or_5():
    assert nice_step(np.linspace(4, 90, 100)) == 5
    assert nice_step(np.linspace(0, 1, 101)) == pytest.approx(0.05)
    assert nice_step(np.array([3.0])) == 1


def test_halfway_between_neighbours_is_the_upper_one_and_never_beyond_a_float():
    above = float(np.nextafter(1.0, 2.0))
    assert midpoint(1.0, above) == above
    assert midpoint(1e308, 1.7e308) == pytest.approx(1.35e308)

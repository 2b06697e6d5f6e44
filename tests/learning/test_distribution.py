"""Bars have every case once, and cut-offs are round numbers that divide the cases."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorecard.learning.distribution import MOST_STEPS, distribution
from scorecard.learning.inputs import Input

NUMBERS = st.lists(
    st.one_of(st.just(float("nan")), st.floats(-1e6, 1e6), st.integers(-50, 50).map(float)),
    min_size=1,
    max_size=80,
)


@given(NUMBERS, st.randoms(use_true_random=False))
def test_each_case_is_in_one_bar(values: list[float], chance: object) -> None:
    positive = np.array([chance.random() < 0.4 for _ in values])  # type: ignore[attr-defined]
    found = distribution(Input("x", "number", np.array(values)), positive)
    everybody = (*found.bars, found.unknown)
    assert sum(bar.cases for bar in everybody) == len(values)
    assert sum(bar.positives for bar in everybody) == positive.sum()
    known = [value for value in values if value == value]
    assert all(min(known) < cutoff <= max(known) for cutoff in found.cutoffs)
    assert len(found.cutoffs) <= MOST_STEPS + 1
    assert [*found.cutoffs] == sorted({*found.cutoffs})


def test_bars_begin_at_round_numbers_and_ages_are_cut_at_whole_years() -> None:
    ages = np.arange(20.0, 90.0)
    found = distribution(Input("age", "number", ages), ages > 60)
    assert [(bar.low, bar.high) for bar in found.bars][:3] == [(20, 25), (25, 30), (30, 35)]
    assert found.cutoffs[:3] == (21, 22, 23)
    assert all(isinstance(cutoff, int) for cutoff in found.cutoffs)
    assert [bar.positives for bar in found.bars][-2:] == [5, 5]


def test_one_wrong_value_does_not_squeeze_all_others_into_one_bar() -> None:
    values = np.append(np.linspace(0, 1, 1000), 99_999.0)
    found = distribution(Input("x", "number", values), values > 0.5)
    assert len(found.bars) > 15
    assert found.bars[-1].high < 2  # type: ignore[operator]


@pytest.mark.parametrize(
    ("kind", "values", "bars"),
    [
        ("yes", [1.0, 0.0, float("nan"), 1.0], [("yes", 2, 1), ("no", 1, 1)]),
        ("category", ["b", "a", None, "b"], [("a", 1, 1), ("b", 2, 1)]),
    ],
)
def test_what_is_no_number_has_a_bar_for_each_value(
    kind: str, values: list[object], bars: list[tuple[str, int, int]]
) -> None:
    column = np.array(values, object if kind == "category" else float)
    found = distribution(Input("x", kind, column), np.array([True, True, False, False]))
    assert [(bar.name, bar.cases, bar.positives) for bar in found.bars] == bars
    assert (found.unknown.cases, found.unknown.positives) == (1, 0)

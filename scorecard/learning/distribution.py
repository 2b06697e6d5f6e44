"""How the values of a column are distributed among cases with and without the outcome."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil, floor

import numpy as np
from numpy.typing import NDArray

from scorecard.learning.inputs import Input, Kind
from scorecard.learning.rounding import Number, nice_step

MOST_STEPS = 400  # of the cut-offs that are offered: as many as a slider can be set to
FINER = 10  # they are on a grid so much finer than the bars
WITHIN = (0.005, 0.995)  # centiles: single wrong values would leave one bar for all others
FEW_VALUES = 12  # different ones have a bar each


@dataclass(frozen=True)
class ValueBar:
    """Cases and positives with a value from `low` to below `high`, or that are called `name`."""

    cases: int
    positives: int
    name: str = ""
    low: Number | None = None
    high: Number | None = None


@dataclass(frozen=True)
class Distribution:
    """The bars of a column, those whose value is unknown, and cut-offs that one may choose from.

    The first and the last bar of numbers have also what lies beyond them.
    """

    name: str
    kind: Kind
    bars: tuple[ValueBar, ...]
    unknown: ValueBar
    cutoffs: tuple[Number, ...] = ()


def distribution(one: Input, is_positive: NDArray[np.bool_]) -> Distribution:
    """How cases with and without the outcome have the values of this input.

    Examples
    --------
    >>> ages = Input("age", "number", np.array([20.0, 20, 30, 40, np.nan]))
    >>> found = distribution(ages, np.array([False, True, True, True, False]))
    >>> [(bar.low, bar.cases, bar.positives) for bar in found.bars], found.unknown.cases
    ([(20, 2, 1), (30, 1, 1), (40, 1, 1)], 1)
    """
    missing = one.missing
    unknown = _counted(missing, is_positive)
    if one.kind == "number":
        bars, cutoffs = _of_numbers(one.values[~missing], is_positive[~missing])
        return Distribution(one.name, one.kind, bars, unknown, cutoffs)
    names: Sequence[tuple[str, object]] = (
        [(name, name) for name in one.categories()]
        if one.kind == "category"
        else [("yes", 1), ("no", 0)]
    )
    bars = tuple(
        replace(_counted(one.values == value, is_positive), name=name) for name, value in names
    )
    return Distribution(one.name, one.kind, bars, unknown)


def _counted(rows: NDArray[np.bool_], is_positive: NDArray[np.bool_]) -> ValueBar:
    return ValueBar(int(np.count_nonzero(rows)), int(np.count_nonzero(rows & is_positive)))


def _of_numbers(
    values: NDArray[np.float64], is_positive: NDArray[np.bool_]
) -> tuple[tuple[ValueBar, ...], tuple[Number, ...]]:
    different = np.unique(values)
    if different.size <= FEW_VALUES:
        edges = [_number(value) for value in different]
        bars = (replace(_counted(values == edge, is_positive), low=edge) for edge in edges)
        return tuple(bars), tuple(edges[1:])
    step = nice_step(values)
    first, last = (float(one) for one in np.quantile(values, WITHIN))
    start, stop = floor(first / step), max(ceil(last / step), floor(first / step) + 1)
    edges = [_on_grid(place, step) for place in range(start, stop + 1)]
    places = np.clip(np.searchsorted(edges, values, "right") - 1, 0, len(edges) - 2)
    bars = (
        replace(_counted(places == place, is_positive), low=edges[place], high=edges[place + 1])
        for place in range(len(edges) - 1)
    )
    return tuple(bars), _offered(different, start, stop, step)


def _offered(
    different: NDArray[np.float64], start: int, stop: int, step: float
) -> tuple[Number, ...]:
    """Round numbers across the bars, as fine as the values are and a slider can be set to."""
    finer = FINER if (stop - start) * FINER <= MOST_STEPS else 1
    if not (different % 1).any() and step / finer < 1:
        finer = max(1, int(step))
    grid = [_on_grid(place, step / finer) for place in range(start * finer, stop * finer + 1)]
    return tuple(one for one in grid if different[0] < one <= different[-1])


def _on_grid(place: int, step: float) -> Number:
    return _number(float(f"{place * step:.12g}"))


def _number(value: float) -> Number:
    return int(value) if float(value).is_integer() else float(value)

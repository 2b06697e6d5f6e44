"""Counts of comparisons "this case before that one", for learning to rank from pairs alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scorecard.learning.counts import Column, Floats, Integers, State, exact_weights, sort_column


@dataclass(frozen=True)
class _Events:
    """What happens to each comparison as a cut-off rises past the values of its two cases.

    While only the preferred case is below the cut-off the comparison is in side 0 (it loses the
    points), while only the other one is, in side 1 (it gains them). `change` is +1 on entering a
    side and −1 on leaving it.
    """

    column: Column
    comparison: Integers
    side: Integers
    change: Floats


class ComparisonCounts:
    """Counts of comparisons by difference of totals; a `CountSource`.

    A state's `totals` are the differences "preferred minus other". A comparison in which the value
    of either case is missing is not moved by a question about that input.
    """

    def __init__(
        self,
        preferred: Sequence[NDArray[Any]],
        other: Sequence[NDArray[Any]],
        weights: NDArray[Any] | None = None,
    ) -> None:
        self.n_inputs = len(preferred)
        self._size = len(preferred[0])
        exact = exact_weights(weights)
        self._weights = np.ones(self._size) if exact.size == 1 else exact
        self.total_weight = float(self._weights.sum())
        self._events = [self._sorted(*pair) for pair in zip(preferred, other, strict=True)]

    def n_values(self, column: int) -> int:
        return self._events[column].column.n_values

    def values(self, column: int) -> Floats:
        """The distinct values of an input, ascending."""
        return self._events[column].column.values

    def weight_below(self, column: int) -> Floats:
        return self._events[column].column.starts / 2

    def quantiles(self, column: int, count: int) -> Integers:
        starts = self._events[column].column.starts
        if starts.size < 3:
            return np.zeros(0, np.int64)
        wanted = starts[-1] * np.arange(1, count + 1) / (count + 1)
        nearest = np.abs(starts[1:-1, None] - wanted).argmin(axis=0) + 1
        return np.unique(nearest).astype(np.int64)

    def start(self) -> State:
        return self._state(np.zeros(self._size, np.int64))

    def ask(self, state: State, column: int, cutoff: int, points: int) -> State:
        events = self._events[column]
        passed = slice(0, int(events.column.starts[cutoff]))
        moved = np.zeros(self._size)
        sign = np.where(events.side[passed] == 0, -1.0, 1.0) * events.change[passed]
        np.add.at(moved, events.comparison[passed], sign)
        return self._state(state.totals[state.handle] + points * moved.astype(np.int64))

    def between(self, state: State, column: int, cutoffs: Integers) -> Floats:
        events = self._events[column]
        starts = events.column.starts[cutoffs]
        rows = slice(int(starts[0]), int(starts[-1]))
        gap = np.repeat(np.arange(cutoffs.size - 1), np.diff(starts))
        groups = state.totals.size
        cell = (gap * groups + state.handle[events.comparison[rows]]) * 2 + events.side[rows]
        weight = events.change[rows] * self._weights[events.comparison[rows]]
        sums = np.bincount(cell, weights=weight, minlength=(cutoffs.size - 1) * groups * 2)
        return np.asarray(sums.reshape(cutoffs.size - 1, groups, 2), np.float64)

    def _sorted(self, preferred: NDArray[Any], other: NDArray[Any]) -> _Events:
        one, two = np.asarray(preferred, np.float64), np.asarray(other, np.float64)
        unknown = np.isnan(one) | np.isnan(two)
        column = sort_column(
            np.concatenate((np.where(unknown, np.nan, one), np.where(unknown, np.nan, two)))
        )
        comparison = column.order.astype(np.int64) % self._size
        is_preferred = column.order < self._size
        first = np.where(
            is_preferred, one[comparison] < two[comparison], two[comparison] < one[comparison]
        )
        differs = one[comparison] != two[comparison]
        # the case with the smaller value opens its own side, the other one closes that same side
        side = np.where(first, ~is_preferred, is_preferred).astype(np.int64)
        change = np.where(differs, np.where(first, 1.0, -1.0), 0.0)
        return _Events(column, comparison, side, change)

    def _state(self, differences: Integers) -> State:
        totals, groups = np.unique(differences, return_inverse=True)
        pairs = np.bincount(groups, weights=self._weights, minlength=totals.size)
        return State(totals.astype(np.int64), np.column_stack((pairs, pairs)), groups.ravel())

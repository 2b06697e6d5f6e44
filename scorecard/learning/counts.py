"""Count tables: the only thing the search knows about the cases.

A `CountSource` counts cases by input, cut-off, total and outcome. The search never sees a case, so
a database that can answer ``GROUP BY bucket, total, outcome`` can take the place of the arrays
here.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

# Weights are rounded to multiples of one power of two so that every sum of weights is exact: counts
# then do not depend on the order of cases, and removing cases leaves no residue.
MANTISSA_BITS = 52


@dataclass(frozen=True)
class State:
    """The cases after some questions: which totals occur, how often, and with which outcome.

    `counts[g]` is (cases, positives) at `totals[g]`; cases without a total are in none of them.
    `handle` belongs to the source.
    """

    totals: Integers
    counts: Floats
    handle: Any


class CountSource(Protocol):
    """Counts by input, cut-off, total and outcome.

    A cut-off is a number from 0 to ``n_values(column)``: cut-off c separates the c smallest
    distinct values (answer no) from the others (yes). 0 is below all values, ``n_values`` above
    all.
    """

    n_inputs: int
    total_weight: float

    def n_values(self, column: int) -> int:
        """How many distinct values the column has."""
        ...

    def weight_below(self, column: int) -> Floats:
        """The weight of the cases below each cut-off, from 0 to all of them."""
        ...

    def quantiles(self, column: int, count: int) -> Integers:
        """At most `count` cut-offs that split the cases into parts as equal as ties allow.

        Both outcomes count the same, so that a rare one has its say in where the cut-offs are.
        """
        ...

    def start(self) -> State:
        """Everybody at total 0."""
        ...

    def ask(self, state: State, column: int, cutoff: int, points: int) -> State:
        """The state after one more question; cases with a missing value lose their total."""
        ...

    def between(self, state: State, column: int, cutoffs: Integers) -> Floats:
        """(gap, total, outcome): cases and positives between neighbouring cut-offs."""
        ...


@dataclass(frozen=True)
class Column:
    """A column, sorted once: the cases with a value in `order`, a new value at each of `starts`.

    With `missing`, these cases without a value stand behind those that have the median: whatever
    the cut-off, they answer like the majority.
    """

    order: NDArray[np.int32]
    starts: NDArray[np.int32]
    numbers: Floats  # as they came, so that a long column is not held twice
    missing: NDArray[np.int32]

    @property
    def n_values(self) -> int:
        return self.starts.size - 1

    @property
    def values(self) -> Floats:
        """The distinct values, ascending."""
        return self.numbers[self.order[self.starts[:-1]]]

    def part(self, inside: NDArray[np.bool_]) -> Column:
        """The same column of some of the cases, without sorting again."""
        order = self.order
        if self.missing.size:
            order = order[~np.isnan(self.numbers[order])]
        return _column(self.numbers, order[inside[order]], self.missing[inside[self.missing]])


def sort_column(values: NDArray[Any], with_missing: bool = False) -> Column:
    """Sort one column; missing values (NaN) are left out, or answer like the majority."""
    numbers = np.asarray(values, dtype=np.float64)
    # NaN sorts last, and a stable sort keeps the order of equal values reproducible
    order = np.argsort(numbers, kind="stable").astype(np.int32)
    known = order.size - int(np.isnan(numbers).sum())
    return _column(numbers, order[:known], order[known:] if with_missing else order[:0])


def _column(numbers: Floats, order: NDArray[np.int32], missing: NDArray[np.int32]) -> Column:
    """From the cases with a value in order, and those without one that are to stand among them."""
    ordered = numbers[order]
    new = np.flatnonzero(ordered[1:] != ordered[:-1])
    starts = np.zeros(new.size + 1 + (order.size > 0), np.int32)
    starts[1 : new.size + 1] = new + 1
    starts[-1] = order.size
    if missing.size and order.size:
        behind = int(np.searchsorted(starts, (order.size - 1) // 2, "right"))
        place = int(starts[behind])
        order = np.concatenate((order[:place], missing, order[place:]))
        starts[behind:] += missing.size
    return Column(order, starts, numbers, missing)


def exact_weights(weights: NDArray[Any] | None) -> Floats:
    """Weights whose sums are exact in any order; a single 1 if every case counts once."""
    if weights is None or np.all(weights == 1):
        return np.ones(1)
    total = float(np.sum(weights))
    step = 2.0 ** (np.ceil(np.log2(total)) - MANTISSA_BITS)
    rounded: Floats = np.round(np.asarray(weights, dtype=np.float64) / step) * step
    return rounded


class CaseCounts:
    """Counts of cases held in memory, with a binary outcome and optional weights.

    With `with_missing` a case without a value answers like the majority; else it loses its total.
    """

    _balance: Floats | None = None

    def __init__(
        self,
        columns: Sequence[NDArray[Any]],
        outcome: NDArray[Any],
        weights: NDArray[Any] | None = None,
        with_missing: bool = False,
    ) -> None:
        self._columns = [sort_column(column, with_missing) for column in columns]
        self._codes = np.asarray(outcome, dtype=np.int32)
        self._weights = exact_weights(weights)
        self.n_inputs = len(self._columns)
        self.total_weight = float(self.start().counts[0, 0])

    def part(self, inside: NDArray[np.bool_]) -> CaseCounts:
        """Counts of some of the cases; nothing is sorted again."""
        part = copy(self)
        part._columns = [column.part(inside) for column in self._columns]
        part._codes = np.where(inside, self._codes, -1).astype(np.int32)
        part._balance = None
        part.total_weight = float(part.start().counts[0, 0])
        return part

    def n_values(self, column: int) -> int:
        return self._columns[column].n_values

    def values(self, column: int) -> Floats:
        """The distinct values of a column, ascending."""
        return self._columns[column].values

    def weight_below(self, column: int) -> Floats:
        starts = self._columns[column].starts
        if self._weights.size == 1:
            return starts.astype(np.float64)
        return self._cumulated(column, self._weights)

    def _cumulated(self, column: int, weights: Floats) -> Floats:
        sorted_column = self._columns[column]
        below = np.concatenate(([0.0], np.cumsum(weights[sorted_column.order])))
        return np.asarray(below[sorted_column.starts])

    def _balanced(self) -> Floats:
        """Weights with which both outcomes count the same."""
        counts = self.start().counts[0]
        shares = 0.5 / np.maximum([counts[0] - counts[1], counts[1]], 1e-300)
        return np.asarray(shares[np.maximum(self._codes, 0)] * self._weights)

    def quantiles(self, column: int, count: int) -> Integers:
        sorted_column = self._columns[column]
        if sorted_column.n_values < 2:
            return np.zeros(0, np.int64)
        if self._balance is None:
            self._balance = self._balanced()
        reached = self._cumulated(column, self._balance)
        wanted = reached[-1] * np.arange(1, count + 1) / (count + 1)
        above = np.clip(np.searchsorted(reached, wanted), 1, sorted_column.n_values - 1)
        below = np.maximum(above - 1, 1)
        nearer = np.where(wanted - reached[below] <= reached[above] - wanted, below, above)
        return np.unique(nearer).astype(np.int64)

    def start(self) -> State:
        return self._state(np.zeros(1, np.int64), self._codes.copy())

    def ask(self, state: State, column: int, cutoff: int, points: int) -> State:
        from scorecard.learning import kernels

        sorted_column = self._columns[column]
        codes = np.empty_like(state.handle)
        totals = np.empty(2 * state.totals.size, np.int64)
        found = kernels.answer(
            sorted_column.order, int(sorted_column.starts[cutoff]), state.handle,
            state.totals, points, codes, totals,
        )  # fmt: skip
        return self._state(totals[:found].copy(), codes)

    def between(self, state: State, column: int, cutoffs: Integers) -> Floats:
        from scorecard.learning import kernels

        sorted_column = self._columns[column]
        gaps = np.zeros((cutoffs.size - 1, state.totals.size, 2))
        edges = sorted_column.starts[cutoffs].astype(np.int64)
        kernels.tabulate(sorted_column.order, edges, state.handle, self._weights, gaps)
        return gaps

    def _state(self, totals: Integers, codes: NDArray[np.int32]) -> State:
        weights = None if self._weights.size == 1 else self._weights
        known = codes >= 0
        if weights is not None:
            weights = weights[known]
        sums = np.bincount(codes[known], weights=weights, minlength=2 * totals.size)
        negatives, positives = sums[0::2].astype(np.float64), sums[1::2].astype(np.float64)
        return State(totals, np.column_stack((negatives + positives, positives)), codes)

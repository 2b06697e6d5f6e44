"""Count tables: the only thing the search knows about the cases.

A `CountSource` counts cases by input, cut-off, total and outcome. The search never sees a case, so
a database that can answer ``GROUP BY bucket, total, outcome`` can take the place of the arrays
here. `ComparisonCounts` counts comparisons "this case before that one" instead, for learning to
rank from pairs alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from scorecard.learning.rounding import coarse_grid, finer_grid, rounder_cuts

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

Spans = tuple[Floats, Floats]
"""The lowest and the highest number of each value, or of each bin of values, ascending."""

# Weights are rounded to multiples of one power of two so that every sum of weights is exact: counts
# then do not depend on the order of cases, and removing cases leaves no residue.
MANTISSA_BITS = 52
NUMBERS_AT_ONCE = 1 << 22  # of columns that are compared with each other


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

    def quantiles(self, column: int, count: int, rounded: bool) -> Integers:
        """At most `count` cut-offs that split the cases into parts as equal as ties allow.

        Both outcomes count the same, so that a rare one has its say in where the cut-offs are. With
        `rounded` each gives way to the one with the roundest number nearby.
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


class Source(CountSource, Protocol):
    """Counts whose values are at hand, as they must be to name cut-offs."""

    def spans(self, column: int) -> Spans: ...


class DivisibleSource(Source, Protocol):
    """Counts that can also be had of some of the cases, and know who lacks a value."""

    def part(self, inside: Any, /) -> Source: ...
    def missing(self, state: State, column: int) -> tuple[int, Floats]:
        """Which value stands for a missing one, −1 if none does; and who lacks one, by total."""
        ...

    def finely(self, state: State, column: int) -> Floats:
        """The counts between all neighbouring values; an engine counts them anew each time."""
        ...


@dataclass(frozen=True)
class Column:
    """A column, sorted once: the cases with a value in `order`, a new value at each of `starts`.

    With `missing`, these cases without a value stand behind those that have the median: whatever
    the cut-off, they answer like the majority. On a grid the numbers of one bin are one value.
    """

    order: NDArray[np.int32]
    starts: NDArray[np.int32]
    numbers: Floats  # as they came, so that a long column is not held twice
    missing: NDArray[np.int32]

    @property
    def n_values(self) -> int:
        return self.starts.size - 1

    @property
    def spans(self) -> Spans:
        """The lowest and the highest number of each value, ascending."""
        ends = self.starts[1:] - 1
        highest = self.numbers[self.order[ends]]
        if self.missing.size:
            behind = np.isnan(highest)
            highest[behind] = self.numbers[self.order[ends[behind] - self.missing.size]]
        return self.numbers[self.order[self.starts[:-1]]], highest

    def part(self, inside: NDArray[np.bool_]) -> Column:
        """The same column of some of the cases, without sorting again."""
        stays = inside[self.order]
        if self.missing.size:
            stays &= ~np.isnan(self.numbers[self.order])
        starts = np.concatenate(([0], np.cumsum(stays)))[self.starts]
        missing = self.missing[inside[self.missing]]
        return _column(self.numbers, self.order[stays], starts, missing)


def sort_column(values: NDArray[Any], with_missing: bool = False) -> Column:
    """Sort one column; missing values (NaN) are left out, or answer like the majority."""
    numbers = np.asarray(values, dtype=np.float64)
    # NaN sorts last, and a stable sort keeps the order of equal values reproducible
    order = np.argsort(numbers, kind="stable").astype(np.int32)
    known = order.size - int(np.isnan(numbers).sum())
    missing = order[known:] if with_missing else order[:0]
    ordered = _on_a_grid(numbers[order[:known]], order.size)
    starts = np.concatenate(([0], np.flatnonzero(ordered[1:] != ordered[:-1]) + 1, [known]))
    return _column(numbers, order[:known], starts, missing)


def _on_a_grid(ordered: Floats, cases: int) -> Floats:
    """The numbers, or the numbers of the bins that so many are put into."""
    grid = coarse_grid(cases, float(ordered[0]), float(ordered[-1])) if ordered.size else None
    if grid is None:
        return ordered
    labels = grid.label(ordered)
    different, rows = np.unique(labels, return_counts=True)
    if different.size == np.count_nonzero(np.diff(ordered)) + 1:
        return ordered
    finer = finer_grid(grid, different, rows)
    return labels if finer == grid else np.asarray(finer.label(ordered))


def _column(
    numbers: Floats, order: NDArray[np.int32], starts: NDArray[Any], missing: NDArray[np.int32]
) -> Column:
    """From the cases with a value in order, and those without one that are to stand among them."""
    starts = np.unique(starts).astype(np.int32)
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
    numbers = np.asarray(weights, dtype=np.float64)
    unit = weight_unit(float(numbers.max()), numbers.size)
    return np.asarray(np.floor(numbers / unit + 0.5) * unit)


def weight_unit(most: float, cases: int) -> float:
    """What so many weights up to the largest are multiples of."""
    return float(2.0 ** (np.ceil(np.log2(most * cases)) - MANTISSA_BITS))


SQUARED_STEPS = (
    2.0**16
)  # of the largest weight; squares of so many can be added up as whole numbers


def effective_scale(most: float, total: float, squares: float) -> float:
    """What weights are multiplied by to sum to Kish's effective number of cases, (Σw)² / Σw².

    `squares` is the sum of the squares of the weights in steps of the largest.
    """
    return total / (most / SQUARED_STEPS) ** 2 / squares


def weights_in_steps(weights: Any, most: float, floor: Callable[[Any], Any]) -> Any:
    """Weights as whole numbers that can be squared, of arrays or expressions of an engine."""
    return floor(weights * (SQUARED_STEPS / most) + 0.5)  # a product is the same everywhere


def _entropy(cases: Floats, positives: Floats) -> Floats:
    """The entropy of the outcome, times the cases."""
    from scipy.special import xlogy

    negatives = cases - positives
    return np.asarray(
        xlogy(cases, cases) - xlogy(positives, positives) - xlogy(negatives, negatives)
    )


def balanced_quantiles(
    below: Floats, everybody: Floats, count: int, rounded: Spans | None
) -> Integers:
    """At most `count` of the cut-offs with these cases and positives below them, ends included.

    From sums of weights, which are exact: the order of cases does not decide between neighbours.
    With the numbers of the values in `rounded`, a rounder one nearby takes the place of each.
    """
    shares = 0.5 / np.maximum([everybody[0] - everybody[1], everybody[1]], 1e-300)
    reached = shares[0] * (below[:, 0] - below[:, 1]) + shares[1] * below[:, 1]
    wanted = reached[-1] * np.arange(1, count + 1) / (count + 1)
    above = np.clip(np.searchsorted(reached, wanted), 1, reached.size - 2)
    before = np.maximum(above - 1, 1)
    nearer = np.where(wanted - reached[before] <= reached[above] - wanted, before, above)
    cuts = np.unique(nearer).astype(np.int64)
    return cuts if rounded is None else rounder_cuts(cuts, reached, rounded)


class CaseCounts:
    """Counts of cases held in memory, with a binary outcome and optional weights.

    With `with_missing` a case without a value answers like the majority; else it loses its total.
    """

    _positive_weights: Floats | None = None
    _inside: NDArray[np.bool_] | None = None

    def __init__(
        self,
        columns: Sequence[NDArray[Any]],
        outcome: NDArray[Any],
        weights: NDArray[Any] | None = None,
        with_missing: bool = False,
    ) -> None:
        self._columns = [sort_column(column, with_missing) for column in columns]
        self._parts: dict[int, Column] = {}
        self._codes = np.asarray(outcome, dtype=np.int32)
        self._weights = exact_weights(weights)
        self.n_inputs = len(self._columns)
        self.total_weight = float(self.start().counts[0, 0])

    def part(self, inside: NDArray[np.bool_]) -> CaseCounts:
        """Counts of some of the cases; nothing is sorted again."""
        part = copy(self)
        part._inside = inside if self._inside is None else inside & self._inside
        part._parts = {}
        part._codes = np.where(inside, self._codes, -1).astype(np.int32)
        part._positive_weights = None
        part.total_weight = float(part.start().counts[0, 0])
        return part

    def _column(self, place: int) -> Column:
        """A column; of some of the cases when it is first looked at."""
        if self._inside is None:
            return self._columns[place]
        if place not in self._parts:
            self._parts[place] = self._columns[place].part(self._inside)
        return self._parts[place]

    def n_values(self, column: int) -> int:
        return self._column(column).n_values

    def spans(self, column: int) -> Spans:
        """The distinct values of a column, or the ends of bins, ascending."""
        return self._column(column).spans

    def missing(self, state: State, column: int) -> tuple[int, Floats]:
        found, counts = self._column(column), np.zeros((1, state.totals.size, 2))
        if not (found.missing.size and found.n_values):
            return -1, counts[0]
        from scorecard.learning import kernels

        everybody = np.array([0, found.missing.size], np.int64)
        kernels.tabulate(found.missing, everybody, state.handle, self._weights, counts)
        last = found.numbers[found.order[found.starts[1:] - 1]]
        return int(np.flatnonzero(np.isnan(last))[0]), counts[0]

    def weight_below(self, column: int) -> Floats:
        starts = self._column(column).starts
        if self._weights.size == 1:
            return starts.astype(np.float64)
        return self._cumulated(column, self._weights)

    def _cumulated(self, column: int, weights: Floats) -> Floats:
        sorted_column = self._column(column)
        below = np.concatenate(([0.0], np.cumsum(weights[sorted_column.order])))
        return np.asarray(below[sorted_column.starts])

    def quantiles(self, column: int, count: int, rounded: bool) -> Integers:
        if self._column(column).n_values < 2:
            return np.zeros(0, np.int64)
        if self._positive_weights is None:
            self._positive_weights = np.where(self._codes == 1, self._weights, 0.0)
        below = np.column_stack(
            (self.weight_below(column), self._cumulated(column, self._positive_weights))
        )
        spans = self.spans(column) if rounded else None
        return balanced_quantiles(below, self.start().counts[0], count, spans)

    def most_telling(self, columns: Sequence[int], count: int, fewest: float) -> list[int]:
        """The columns of which one cut-off by itself tells most about the outcome, in their order.

        `fewest` cases at least have to be on either side of the cut-off.
        """
        at_once = max(1, NUMBERS_AT_ONCE // self._codes.size)
        blocks = (columns[at : at + at_once] for at in range(0, len(columns), at_once))
        gains = np.concatenate([self._gains(block, fewest) for block in blocks])
        best = np.argsort(-gains, kind="stable")[:count]
        return [columns[place] for place in np.sort(best).tolist()]

    def _gains(self, columns: Sequence[int], fewest: float) -> Floats:
        """How much entropy the best cut-off of each column takes away, times the cases."""
        inside = self._codes >= 0
        numbers = np.column_stack([self._columns[one].numbers[inside] for one in columns])
        order = np.argsort(numbers, axis=0, kind="stable")  # NaN last
        numbers = np.take_along_axis(numbers, order, axis=0)
        weights = np.broadcast_to(self._weights, self._codes.shape)[inside]
        counted = np.where(np.isnan(numbers), 0.0, weights[order])
        cases = np.cumsum(counted, axis=0)
        is_positive = self._codes[inside].astype(np.float64)
        positives = np.cumsum(counted * is_positive[order], axis=0)
        rest = cases[-1] - cases
        gain = (
            _entropy(cases[-1], positives[-1])
            - _entropy(cases, positives)
            - _entropy(rest, positives[-1] - positives)
        )[:-1]
        is_cut = (numbers[1:] > numbers[:-1]) & (cases[:-1] >= fewest) & (rest[:-1] >= fewest)
        return np.asarray(np.where(is_cut, gain, 0.0).max(axis=0, initial=0.0))

    def start(self) -> State:
        return self._state(np.zeros(1, np.int64), self._codes.copy())

    def ask(self, state: State, column: int, cutoff: int, points: int) -> State:
        from scorecard.learning import kernels

        sorted_column = self._column(column)
        codes = np.empty_like(state.handle)
        totals = np.empty(2 * state.totals.size, np.int64)
        found = kernels.answer(
            sorted_column.order, int(sorted_column.starts[cutoff]), state.handle,
            state.totals, points, codes, totals,
        )  # fmt: skip
        return self._state(totals[:found].copy(), codes)

    def between(self, state: State, column: int, cutoffs: Integers) -> Floats:
        from scorecard.learning import kernels

        sorted_column = self._column(column)
        gaps = np.zeros((cutoffs.size - 1, state.totals.size, 2))
        edges = sorted_column.starts[cutoffs].astype(np.int64)
        kernels.tabulate(sorted_column.order, edges, state.handle, self._weights, gaps)
        return gaps

    def finely(self, state: State, column: int) -> Floats:
        return self.between(state, column, np.arange(self.n_values(column) + 1))

    def _state(self, totals: Integers, codes: NDArray[np.int32]) -> State:
        weights = None if self._weights.size == 1 else self._weights
        known = codes >= 0
        if weights is not None:
            weights = weights[known]
        sums = np.bincount(codes[known], weights=weights, minlength=2 * totals.size)
        negatives, positives = sums[0::2].astype(np.float64), sums[1::2].astype(np.float64)
        return State(totals, np.column_stack((negatives + positives, positives)), codes)


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

    def spans(self, column: int) -> Spans:
        """The distinct values of an input, or the ends of bins, ascending."""
        return self._events[column].column.spans

    def weight_below(self, column: int) -> Floats:
        return self._events[column].column.starts / 2

    def quantiles(self, column: int, count: int, rounded: bool) -> Integers:
        starts = self._events[column].column.starts
        if starts.size < 3:
            return np.zeros(0, np.int64)
        wanted = starts[-1] * np.arange(1, count + 1) / (count + 1)
        nearest = np.abs(starts[1:-1, None] - wanted).argmin(axis=0) + 1
        cuts = np.unique(nearest).astype(np.int64)
        return rounder_cuts(cuts, starts / starts[-1], self.spans(column)) if rounded else cuts

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

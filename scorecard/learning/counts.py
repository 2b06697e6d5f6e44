"""Count tables: the only thing the search knows about the cases.

`Counts` are counts of cases by column, cut-off, total and outcome. The search never sees a case, so
an engine that can answer ``GROUP BY bin, total, outcome`` can take the place of the arrays here
(`lazy_counts.LazyCounts`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scorecard.learning.losses import separate_entropy
from scorecard.learning.rounding import coarse_grid, finer_grid, rounder_cuts

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

Spans = tuple[Floats, Floats]
"""The lowest and the highest number of each value, or of each bin of values, ascending."""

# Weights are rounded to multiples of one power of two so that every sum of weights is exact: counts
# then do not depend on the order of cases, and removing cases leaves no residue.
MANTISSA_BITS = 52
MOST_STEPS = 1 << 22  # between the first and the last bin of a grid that are numbered by counting


@dataclass(frozen=True)
class State:
    """The cases after some questions: which totals occur, how often, and with which outcome.

    `counts[g]` is (cases, positives) at `totals[g]`. `handle` belongs to the counts.
    """

    totals: Integers
    counts: Floats
    handle: Any

    def places(self, points: int) -> tuple[Integers, Integers, Integers]:
        """The totals after a question with these points, and where those who say no and yes go."""
        after = self.totals + points
        both = np.sort(np.concatenate((self.totals, after)))
        # `np.unique` takes ten times longer
        totals = both[np.concatenate(([True], both[1:] != both[:-1]))]
        no, yes = np.searchsorted(totals, self.totals), np.searchsorted(totals, after)
        return totals, no, yes


class Values:
    """The values of a column, or bins of them, that some cases have, with their counts.

    Made from what all values of the column have: rows, (cases, positives), the lowest and the
    highest number; and (cases, positives) without a value. These answer like the majority: they
    are counted with the median, whatever the cut-off.
    """

    def __init__(
        self, rows: Floats, counts: Floats, missing: Floats, lowest: Floats, highest: Floats
    ) -> None:
        self.bins = np.flatnonzero(rows > 0)
        self.spans: Spans = lowest[self.bins], highest[self.bins]
        self.known, self.missing = counts[self.bins], missing
        self.with_missing = -1  # the place of the value that stands for a missing one
        counts = self.known.copy()
        if self.bins.size:
            below = np.cumsum(rows[self.bins])
            self.with_missing = int(np.searchsorted(below, (below[-1] - 1) // 2, "right"))
            counts[self.with_missing] += missing
        self.below = np.concatenate((np.zeros((1, 2)), np.cumsum(counts, axis=0)))

    def quantiles(self, count: int, rounded: bool) -> Integers:
        if self.bins.size < 2:
            return np.zeros(0, np.int64)
        everybody = self.known.sum(axis=0) + self.missing
        return balanced_quantiles(self.below, everybody, count, self.spans if rounded else None)

    def best_gain(self, fewest: float) -> float:
        """How much entropy the best cut-off takes from the cases with a value, times the cases.

        `fewest` cases at least have to be on either side of the cut-off.
        """
        below = np.cumsum(self.known, axis=0)
        above = below[-1:] - below
        enough = (below[:, 0] >= fewest) & (above[:, 0] >= fewest)
        if not enough.any():
            return 0.0
        parts = np.array([below[enough], above[enough]])
        left = separate_entropy(parts[..., 0], parts[..., 1])
        return float(separate_entropy(below[-1:, :1], below[-1:, 1:])[0] - left.min())


class Counts(ABC):
    """Counts by column, cut-off, total and outcome, of all cases or of a part of them.

    A cut-off is a number from 0 to ``n_values(column)``: cut-off c separates the c smallest
    distinct values (answer no) from the others (yes). 0 is below all values, ``n_values`` above
    all.
    """

    @abstractmethod
    def part(self, inside: Any) -> Counts:
        """Counts of some of the cases."""

    @abstractmethod
    def values(self, column: int) -> Values:
        """The values of a column that these cases have."""

    @abstractmethod
    def start(self) -> State:
        """Everybody at total 0."""

    @abstractmethod
    def ask(self, state: State, column: int, cutoff: int, points: int) -> State:
        """The state after one more question."""

    @abstractmethod
    def between(self, state: State, column: int, cutoffs: Integers) -> Floats:
        """(gap, total, outcome): cases and positives between neighbouring cut-offs."""

    @cached_property
    def total_weight(self) -> float:
        return float(self.start().counts[0, 0])

    def n_values(self, column: int) -> int:
        """How many distinct values the column has."""
        return int(self.values(column).bins.size)

    def spans(self, column: int) -> Spans:
        """The distinct values of a column, or the ends of bins, ascending."""
        return self.values(column).spans

    def weight_below(self, column: int) -> Floats:
        """The weight of the cases below each cut-off, from 0 to all of them."""
        return np.asarray(self.values(column).below[:, 0])

    def quantiles(self, column: int, count: int, rounded: bool) -> Integers:
        """At most `count` cut-offs that split the cases into parts as equal as ties allow.

        Both outcomes count the same, so that a rare one has its say in where the cut-offs are. With
        `rounded` each gives way to the one with the roundest number nearby.
        """
        return self.values(column).quantiles(count, rounded)

    def most_telling(self, columns: Sequence[int], count: int, fewest: float) -> Sequence[int]:
        """The columns of which one cut-off by itself tells most about the outcome, in their order.

        `fewest` cases at least have to be on either side of the cut-off.
        """
        if len(columns) <= count:
            return columns
        gains = np.array([self.values(column).best_gain(fewest) for column in columns])
        best = np.argsort(-gains, kind="stable")[:count]
        return [columns[place] for place in np.sort(best).tolist()]


@dataclass(frozen=True)
class CodedColumn:
    """A column as numbers of its values: `codes` has the place of each case's value.

    Who has none has the place behind the last. On a grid the numbers of one bin are one value.
    """

    numbers: Floats  # as they came, so that a long column is not held twice
    codes: NDArray[Any]
    n_values: int
    on_grid: bool

    @classmethod
    def of(cls, values: NDArray[Any]) -> CodedColumn:
        numbers = np.asarray(values, dtype=np.float64)
        known = ~np.isnan(numbers)
        complete = bool(known.all())
        own = numbers if complete else numbers[known]
        labels, on_grid = _labels(own, numbers.size)
        places, count = _numbered(labels) if on_grid else _sorted_places(own)
        kind = np.uint16 if count < 2**16 else np.uint32
        if complete:
            return cls(numbers, places.astype(kind), count, on_grid)
        codes = np.full(numbers.size, count, kind)
        codes[known] = places
        return cls(numbers, codes, count, on_grid)

    def ends(self, rows: NDArray[Any] | slice) -> Spans:
        """The lowest and the highest number of each value among these cases."""
        codes, numbers = self.codes[rows], self.numbers[rows]
        if not self.on_grid:
            lowest = np.full(self.n_values + 1, np.inf)
            lowest[codes] = numbers
            return lowest[:-1], lowest[:-1]
        lowest, highest = np.full(self.n_values + 1, np.inf), np.full(self.n_values + 1, -np.inf)
        with np.errstate(invalid="ignore"):  # who has no value is counted behind the last
            np.minimum.at(lowest, codes, numbers)
            np.maximum.at(highest, codes, numbers)
        return lowest[:-1], highest[:-1]


def _labels(numbers: Floats, cases: int) -> tuple[Floats, bool]:
    """The numbers of the bins that so many numbers are put into, and whether there are bins."""
    grid = coarse_grid(cases, float(numbers.min()), float(numbers.max())) if numbers.size else None
    if grid is None:
        return numbers, False
    labels = np.asarray(grid.label(numbers))
    places, count = _numbered(labels)
    lowest, highest = np.full(count, np.inf), np.full(count, -np.inf)
    np.minimum.at(lowest, places, numbers)
    np.maximum.at(highest, places, numbers)
    if (lowest == highest).all():
        return labels, True  # each bin is one value
    different = np.empty(count)
    different[places] = labels
    finer = finer_grid(grid, different, np.bincount(places))
    return (labels if finer == grid else np.asarray(finer.label(numbers))), True


def _numbered(labels: Floats) -> tuple[Integers, int]:
    """For each label its place among those that occur, and how many there are; by counting."""
    first = labels.min()
    if labels.max() - first > MOST_STEPS:
        return _sorted_places(labels)
    steps = (labels - first).astype(np.int64)
    occurs = np.bincount(steps) > 0
    return (np.cumsum(occurs) - 1)[steps], int(np.count_nonzero(occurs))


def _sorted_places(numbers: Floats) -> tuple[Integers, int]:
    different, places = np.unique(numbers, return_inverse=True)
    return places.ravel(), different.size


def exact_weights(weights: NDArray[Any] | None) -> Floats:
    """Weights whose sums are exact in any order; a single 1 if every case counts once."""
    if weights is None or np.all(weights == 1):
        return np.ones(1)
    numbers = np.asarray(weights, dtype=np.float64)
    unit = 2.0 ** (np.ceil(np.log2(numbers.max() * numbers.size)) - MANTISSA_BITS)
    return np.asarray(np.floor(numbers / unit + 0.5) * unit)


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


class CaseCounts(Counts):
    """Counts of cases held in memory, with a binary outcome and optional weights.

    The handle of a state is 2 · total + outcome of each case, the total by its place.
    """

    def __init__(
        self,
        columns: Sequence[NDArray[Any]],
        outcome: NDArray[Any],
        weights: NDArray[Any] | None = None,
    ) -> None:
        exact = exact_weights(weights)
        self._set(
            [CodedColumn.of(column) for column in columns],
            slice(None),
            np.asarray(outcome, np.int64),
            None if exact.size == 1 else exact,
        )

    def _set(
        self, columns: list[CodedColumn], rows: Any, outcome: Integers, weights: Floats | None
    ) -> None:
        self._columns, self._rows, self._outcome, self._weights = columns, rows, outcome, weights
        self._values: dict[int, Values] = {}
        self._gaps: dict[int, tuple[Integers, NDArray[Any]]] = {}

    def part(self, inside: NDArray[np.bool_]) -> CaseCounts:
        """Counts of some of the cases; their values are not numbered again."""
        part = object.__new__(CaseCounts)
        weights = None if self._weights is None else self._weights[inside]
        rows = np.arange(inside.size)[self._rows][inside]
        part._set(self._columns, rows, self._outcome[inside], weights)
        return part

    def values(self, column: int) -> Values:
        if column not in self._values:
            one = self._columns[column]
            codes, size = one.codes[self._rows], one.n_values + 1
            rows = np.bincount(codes, minlength=size).astype(np.float64)
            counts = self._cases_and_positives(2 * codes.astype(np.int64) + self._outcome, size)
            lowest, highest = one.ends(self._rows)
            self._values[column] = Values(rows[:-1], counts[:-1], counts[-1], lowest, highest)
        return self._values[column]

    def start(self) -> State:
        return self._state(np.zeros(1, np.int64), self._outcome)

    def ask(self, state: State, column: int, cutoff: int, points: int) -> State:
        edges, gaps = self._counted_between(column, np.array([cutoff]))
        is_yes = gaps >= np.searchsorted(edges, cutoff)
        totals, no, yes = state.places(points)
        after = [np.array([2 * places, 2 * places + 1]).T.ravel() for places in (no, yes)]
        codes = np.where(is_yes, after[1][state.handle], after[0][state.handle])
        occurs = np.bincount(codes >> 1, minlength=totals.size) > 0
        if not occurs.all():
            places = 2 * (np.cumsum(occurs) - 1)
            codes = np.array([places, places + 1]).T.ravel()[codes]
        return self._state(totals[occurs], codes)

    def between(self, state: State, column: int, cutoffs: Integers) -> Floats:
        edges, places = self._counted_between(column, cutoffs)
        groups, count = state.totals.size, edges.size - 1
        cells = np.multiply(places, 2 * groups, dtype=np.int64)
        cells += state.handle
        gaps = self._cases_and_positives(cells, count * groups).reshape(count, groups, 2)
        if edges.size == cutoffs.size:
            return gaps
        below = np.concatenate((np.zeros((1, groups, 2)), np.cumsum(gaps, axis=0)))
        return np.diff(below[np.searchsorted(edges, cutoffs)], axis=0)

    def _counted_between(self, column: int, cutoffs: Integers) -> tuple[Integers, NDArray[Any]]:
        """The cut-offs that are counted between, with these, and in which gap each case is."""
        edges, gaps = self._gaps.get(column, (np.array([0, max(self.n_values(column), 1)]), None))
        if gaps is None or (edges[np.searchsorted(edges, cutoffs)] != cutoffs).any():
            edges = np.union1d(edges, cutoffs)
            self._gaps[column] = edges, self._gap_of_each(column, edges)
        return self._gaps[column]

    def _gap_of_each(self, column: int, edges: Integers) -> NDArray[Any]:
        one, found = self._columns[column], self.values(column)
        value = np.zeros(one.n_values + 1, np.int64)
        value[found.bins] = np.arange(found.bins.size)
        value[-1] = max(found.with_missing, 0)
        kind = np.uint8 if edges.size <= 2**8 else np.uint32
        gaps = (np.searchsorted(edges, value, "right") - 1).astype(kind)
        return np.asarray(gaps[one.codes[self._rows]])

    def _cases_and_positives(self, codes: Integers, size: int) -> Floats:
        """Counts of 2 · place + outcome."""
        sums = np.bincount(codes, self._weights, 2 * size).astype(np.float64).reshape(size, 2)
        sums[:, 0] += sums[:, 1]
        return sums

    def _state(self, totals: Integers, codes: Integers) -> State:
        return State(totals, self._cases_and_positives(codes, totals.size), codes)

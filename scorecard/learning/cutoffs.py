"""The best cut-offs of some columns for every points value, given the questions asked so far.

Candidates are looked at in the order of a lower bound of their loss, many at once, until no other
one can be the best: first by the entropy of totals that stay apart, then by that of the totals
after the question, then by that of isotonic estimates, and at last by the loss itself.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scorecard.learning.counts import Counts, Floats, Integers, State
from scorecard.learning.losses import (
    FITTED,
    Loss,
    fitted_entropy,
    isotonic_entropy,
    misranked_pairs,
    separate_entropy,
)

# Two losses this close (relative to the weight of all cases) are equal: far above rounding, far
# below any difference one case can make in a table of a million.
EQUAL = 1e-12

# The same where estimates are found by iteration, which is not exact to the last digit.
EQUAL_IF_FITTED = 1e-9

# Counts of totals that are held at once.
TABLE_CELLS = 1 << 20

# Candidates that are looked at first, and that are fitted first: the others are compared with the
# best of them.
FIRST_LOOKED_AT, FIRST_FITTED = 36, 24

# Cut-offs to try, ascending; a range where all neighbours are tried, which would be long as an
# array.
Cutoffs = range | Integers


@dataclass(frozen=True)
class Criterion:
    """What is minimised: which loss, in which unit, and how near counts as equal.

    `penalty` is that of the estimates whose entropy is the loss, where they have one.
    """

    loss: Loss
    unit: float
    bisect: bool = False
    penalty: float = 0.0

    @property
    def equal(self) -> float:
        return EQUAL_IF_FITTED if self.loss in FITTED else EQUAL

    @property
    def tolerance(self) -> float:
        return self.equal * self.unit


@dataclass(frozen=True)
class Candidates:
    """What may be asked of one column: cut-offs ascending, points in the order ties are resolved.

    Columns of the same `group` are about the same thing, the categories of one input.
    """

    input: int
    cutoffs: Cutoffs
    points: Integers
    group: int

    def listed(self) -> Integers:
        cuts = self.cutoffs
        return np.arange(cuts.start, cuts.stop) if isinstance(cuts, range) else cuts

    def edges(self, counts: Counts) -> Integers:
        """All cut-offs with both ends of the column."""
        cuts, last = self.listed(), counts.n_values(self.input)
        return np.concatenate(([0], cuts[(cuts > 0) & (cuts < last)], [last]))

    def apart_from(self, asked: Sequence[int], counts: Counts, cases: float) -> Candidates:
        """Without the cut-offs asked already, and those that fewer cases separate from them."""
        if not asked:
            return self
        below, cutoffs = counts.weight_below(self.input), self.listed()
        between = np.abs(below[cutoffs][:, None] - below[list(asked)])
        far = ((between >= cases) & (cutoffs[:, None] != list(asked))).all(axis=1)
        return replace(self, cutoffs=cutoffs[far])


class Candidate(NamedTuple):
    """A question that may be the best, with its loss (not divided by the unit)."""

    loss: float
    input: int
    cutoff: int
    points: int


class _Best:
    """What has been found so far: of all candidates, or of each column and points value.

    What a candidate takes from the loss `before` counts divided by the weight of its column, and
    has to be at least `least`.
    """

    def __init__(
        self, criterion: Criterion, weights: Floats, points: int, before: float, least: float,
        each: bool,
    ) -> None:  # fmt: skip
        self.tolerance, self.weights, self.each = criterion.tolerance, weights, each
        self.before, self.least = before, least
        self.gains = np.full((weights.size, points), -np.inf)

    def at_most(self, column: Integers, s: Integers | int) -> Floats:
        """Which losses of these columns and points values may be the best."""
        gains = np.maximum(self.gains[column, s] * self.weights[column], self.least)
        return np.asarray(self.before - gains + self.tolerance)

    def note(self, column: Integers, s: Integers, losses: Floats) -> None:
        np.maximum.at(self.gains, (column, s), (self.before - losses) / self.weights[column])
        if not self.each:
            self.gains[:] = self.gains.max()


def best_cutoffs(
    counts: Counts,
    state: State,
    span: tuple[int, int],
    inputs: Sequence[Candidates],
    criterion: Criterion,
    *,
    before: float = 0.0,
    least: float = -np.inf,
    weights: Mapping[int, float] | None = None,
    each: bool = False,
    told: Callable[[int], object] = int,
) -> list[Candidate]:
    """The best candidate, the first of equal ones in the order of input, points and cut-off.

    `span` is the lowest and the highest total that the questions so far can give. What a candidate
    takes from the loss `before` is divided by the weight of its column, and has to be `least` at
    least; with `each` the best of every column and points value is found, not only the best of
    all, in this order. `told` is how many columns have been counted.
    """
    weight = np.array([1.0 if weights is None else weights[one.input] for one in inputs])
    most_points = max((one.points.size for one in inputs), default=0)
    best = _Best(criterion, weight, most_points, before, least, each)
    found = []
    for table in _tables(counts, state, span, inputs, criterion, told):
        losses = table.bisected(best) if criterion.bisect else table.narrowed(best)
        if each or criterion.bisect:
            losses = table.first_of_each(losses)
        s, place = np.nonzero(np.isfinite(losses))
        column, cutoff = table.column[place], table.cutoff[place]
        # Points are in the order of ties, so their numbers stand for them.
        found.append(np.array([losses[s, place], column, s, cutoff, table.points[s]]))
    if not found:
        return []
    every = np.concatenate(found, axis=1)
    every = every[:, np.lexsort((every[3], every[2], every[1]))]
    if not each:
        may_win = every[0] <= best.at_most(every[1].astype(np.int64), 0)
        every = every[:, np.flatnonzero(may_win)[:1]]
    return [
        Candidate(loss, inputs[int(column)].input, int(cutoff), int(points))
        for loss, column, _, cutoff, points in every.T.tolist()
    ]


def loss_of(state: State, span: tuple[int, int], criterion: Criterion) -> float:
    """The loss of a state as it is; not divided by the unit."""
    totals = state.totals[:, None].astype(np.float64)
    ends = np.array(span, np.float64)[:, None]
    return float(_losses(criterion, totals, ends, *state.counts.T[:, :, None])[0])


def _losses(
    criterion: Criterion, totals: Floats, span: Floats, cases: Floats, positives: Floats
) -> Floats:
    if criterion.loss == "ranking":
        return misranked_pairs(cases, positives)
    if criterion.loss == "isotonic":
        return isotonic_entropy(cases, positives)
    ends = span[0], span[1]
    return fitted_entropy(criterion.loss, totals, ends, cases, positives, criterion.penalty)


def _planes(below: Floats) -> Floats:
    """Counts below cut-offs as (cases or positives, total, cut-off)."""
    return np.ascontiguousarray(below.transpose(2, 1, 0))


def _tables(
    counts: Counts,
    state: State,
    span: tuple[int, int],
    inputs: Sequence[Candidates],
    criterion: Criterion,
    told: Callable[[int], object],
) -> Iterator[_Table]:
    """The counts of as many columns at once as memory allows, with the same points each."""
    kept: list[Floats] = []
    first = cells = 0
    for number, one in enumerate(inputs):
        edges, cuts = one.edges(counts), one.listed()
        gaps = counts.between(state, one.input, edges)
        told(number + 1)
        same = np.array_equal(one.points, inputs[first].points)
        if kept and (cells + gaps.size > TABLE_CELLS or not same):
            yield _Table.of(state, span, criterion, first, inputs, kept)
            kept, first, cells = [], number, 0
        below = np.zeros((edges.size, *gaps.shape[1:]))
        # in two dimensions, which is three times as fast
        np.cumsum(gaps.reshape(len(gaps), -1), axis=0, out=below.reshape(edges.size, -1)[1:])
        start = int(np.searchsorted(edges, cuts[0])) if cuts.size else 0
        kept.append(below[start : start + cuts.size])
        cells += gaps.size
    if kept:
        yield _Table.of(state, span, criterion, first, inputs, kept)


@dataclass(frozen=True)
class _Table:
    """Cases below the cut-offs of some columns: (cut-off, total, cases or positives).

    `column` says of each cut-off which of the inputs it is of.
    """

    state: State
    span: tuple[int, int]
    criterion: Criterion
    number: int  # of the first of the inputs
    inputs: Sequence[Candidates]
    column: Integers
    cutoff: Integers
    below: Floats

    @classmethod
    def of(
        cls, state: State, span: tuple[int, int], criterion: Criterion, number: int,
        inputs: Sequence[Candidates], kept: Sequence[Floats],
    ) -> _Table:  # fmt: skip
        sizes = [len(below) for below in kept]
        below = np.concatenate(kept)
        column = np.repeat(np.arange(number, number + len(kept)), sizes)
        cutoff = np.concatenate([one.listed() for one in inputs[number : number + len(kept)]])
        return cls(state, span, criterion, number, inputs, column, cutoff, below)

    @property
    def points(self) -> Integers:
        return self.inputs[self.number].points

    @cached_property
    def _places(self) -> list[tuple[Integers, Integers, Integers]]:
        return [self.state.places(int(points)) for points in self.points]

    def first_of_each(self, losses: Floats) -> Floats:
        """Only the smallest loss of each column and points value, the first of equal ones."""
        found = np.full(losses.shape, np.inf)
        for of in self._by_column():
            own = losses[:, of]
            near = own <= own.min(axis=1, keepdims=True) + self.criterion.tolerance
            rows, places = np.arange(len(losses)), of[near.argmax(axis=1)]
            found[rows, places] = losses[rows, places]
        return found

    def _by_column(self) -> Iterator[Integers]:
        starts = np.flatnonzero(np.diff(self.column)) + 1
        return (one for one in np.split(np.arange(self.column.size), starts) if one.size)

    def narrowed(self, best: _Best) -> Floats:
        """The losses (points, cut-off), infinite where they cannot be the best."""
        losses = np.full((self.points.size, self.column.size), np.inf)
        if not losses.size:
            return losses
        least = self._least_of_runs()
        of_run = least == np.arange(self.column.size)
        s, cut = np.nonzero(of_run)
        self._look(s, cut, self._bounds(of_run.any(axis=0))[cut], best, losses)
        s, cut = np.nonzero(~of_run)
        if not best.each:  # others of a run are at most equal, and of equal ones the first wins
            won_s, won = np.nonzero(losses <= best.at_most(self.column, 0))
            rank = self.column[cut] * self.points.size + s
            last = (self.column[won] * self.points.size + won_s).min(initial=rank.max(initial=0))
            s, cut = s[rank <= last], cut[rank <= last]
        self._look(s, cut, losses[s, least[s, cut]], best, losses)
        return losses

    def _least_of_runs(self) -> Integers:
        """For points and cut-off the cut-off nearby whose loss is at most as large.

        Isotonic and ranking losses cannot rise where positives get more points, or negatives fewer:
        with positive points they fall from cut-off to cut-off while only negatives are between, and
        rise while only positives are; with negative points it is the other way round.
        """
        places = np.arange(self.column.size)
        if self.criterion.loss in FITTED:
            return np.broadcast_to(places, (self.points.size, places.size))
        cases, positives = np.diff(np.einsum("ctk->kc", self.below))
        same = self.column[1:] == self.column[:-1]
        found = []
        for gained in (positives, cases - positives):
            falls = np.append(same & (gained == 0), False)
            rises = np.append(False, same & (gained == cases) & (gained > 0))
            ahead = np.minimum.accumulate(np.where(falls, places.size, places)[::-1])[::-1]
            found.append(np.where(falls, ahead, np.maximum.accumulate(np.where(rises, 0, places))))
        return np.stack(found)[(self.points < 0).astype(np.int64)]

    def _bounds(self, wanted: NDArray[np.bool_]) -> Floats:
        """Of these cut-offs a lower bound of all losses: the entropy if no totals fell together."""
        found = np.full(wanted.size, -np.inf)
        if self.criterion.loss != "ranking":
            no = _planes(self.below[wanted])
            yes = self.state.counts.T[:, :, None] - no
            found[wanted] = separate_entropy(*no) + separate_entropy(*yes)
        return found

    def _look(
        self, s: Integers, cut: Integers, bounds: Floats, best: _Best, losses: Floats
    ) -> None:
        """Note the losses of those of these candidates that may be the best."""
        column, size = self.column[cut], FIRST_LOOKED_AT
        promise = (best.before - bounds) / best.weights[column]
        left = np.arange(s.size)
        while True:
            limits = best.at_most(column[left], s[left]) + self._slack
            left = left[bounds[left] <= limits]
            if not left.size:
                return
            if size < left.size:
                left = left[np.argpartition(-promise[left], size)]
            some, left = np.sort(left[:size]), left[size:]
            losses[s[some], cut[some]] = self._best_losses(s[some], cut[some], best)
            size = max(1, TABLE_CELLS // (4 * self.state.totals.size))

    @property
    def _slack(self) -> float:
        return 1e3 * self.criterion.tolerance  # sums are exact up to rounding

    def _best_losses(self, s: Integers, cut: Integers, best: _Best) -> Floats:
        """The losses of these candidates, infinite where they cannot be the best."""
        cases, positives = self._after(s, cut)
        column, found = self.column[cut], np.full(s.size, np.inf)
        if self.criterion.loss == "ranking":
            found = misranked_pairs(cases, positives)
            best.note(column, s, found)
            return found
        limits = best.at_most(column, s) + self._slack
        left = np.flatnonzero(separate_entropy(cases, positives) <= limits)
        bounds = isotonic_entropy(cases[:, left], positives[:, left])
        if self.criterion.loss == "isotonic":
            found[left] = bounds
            best.note(column, s, found)
            return found
        order = np.argsort(bounds, kind="stable")
        for now in (order[:FIRST_FITTED], order[FIRST_FITTED:]):
            which = left[now]
            which = which[bounds[now] <= best.at_most(column[which], s[which])]
            if which.size:
                scale = self._scale(s[which], len(cases))
                found[which] = _losses(self.criterion, *scale, cases[:, which], positives[:, which])
                best.note(column[which], s[which], found[which])
        return found

    def _after(self, s: Integers, cut: Integers) -> Floats:
        """Cases and positives after these questions, which ascend in s: a column for each."""
        no = _planes(self.below[cut])
        yes = self.state.counts.T[:, :, None] - no
        found = np.zeros((2, max(totals.size for totals, _, _ in self._places), s.size))
        ends = np.searchsorted(s, np.arange(self.points.size + 1)).tolist()
        for (_, places_no, places_yes), start, end in zip(
            self._places, ends, ends[1:], strict=False
        ):
            found[:, places_no, start:end] = no[..., start:end]
            found[:, places_yes, start:end] += yes[..., start:end]
        return found

    def _scale(self, s: Integers, size: int) -> tuple[Floats, Floats]:
        """The totals after questions with these points, as many rows, and the span of them."""
        totals, points = np.zeros((size, self.points.size)), self.points
        for number, (merged, _, _) in enumerate(self._places):
            totals[: merged.size, number] = merged
        lowest, highest = self.span
        span = np.stack((lowest + np.minimum(points, 0), highest + np.maximum(points, 0)))
        return totals[:, s], span[:, s].astype(np.float64)

    def bisected(self, best: _Best) -> Floats:
        """The paper's heuristic: halve the gaps beside every minimum, until all are fenced in.

        Losses that are not a minimum of those tried stay infinite.
        """
        numbers, columns = range(self.points.size), list(self._by_column())
        losses = np.full((self.points.size, self.column.size), np.nan)
        known: dict[tuple[int, int], dict[int, float]] = {}
        wanted = {
            (s, column): {0, of.size - 1} for s in numbers for column, of in enumerate(columns)
        }
        while wanted:
            asked = {columns[column][at] for (_, column), places in wanted.items() for at in places}
            new = np.array([place for place in sorted(asked) if np.isnan(losses[0, place])], int)
            if new.size:
                every = np.repeat(numbers, new.size), np.tile(new, self.points.size)
                counted = self._after(*every)
                scale = self._scale(every[0], counted.shape[1])
                losses[every] = _losses(self.criterion, *scale, *counted)
            still = {}
            for (s, column), places in wanted.items():
                tried = known.setdefault((s, column), {})
                tried.update((at, float(losses[s, columns[column][at]])) for at in sorted(places))
                if more := _fenced(tried, self.criterion.tolerance)[1]:
                    still[s, column] = more
            wanted = still
        found = np.full(losses.shape, np.inf)
        for (s, column), tried in known.items():
            minima, _ = _fenced(tried, self.criterion.tolerance)
            place = next(at for at in tried if at in minima)  # in the order they were tried
            found[s, columns[column][place]] = tried[place]
            best.note(self.column[columns[column][:1]], np.array([s]), np.array([tried[place]]))
        return found


def _fenced(known: Mapping[int, float], tolerance: float) -> tuple[list[int], set[int]]:
    """The minima among the places known, and the middles of the gaps beside them."""
    least = min(known.values())
    order = sorted(known)
    minima = [place for place in order if known[place] <= least + tolerance]
    middles = set()
    for place in minima:
        here = bisect_left(order, place)
        for neighbour in order[max(here - 1, 0) : here + 2]:
            middles.add(place + (neighbour - place) // 2)
    return minima, middles - known.keys()

"""The best cut-off of one input for every points value, given the questions asked so far."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import isqrt

import numpy as np

from scorecard.learning import kernels
from scorecard.learning.counts import CountSource, DivisibleSource, Floats, Integers, State

# Two losses this close (relative to the weight of all cases) are equal: far above rounding, far
# below any difference one case can make in a table of a million.
EQUAL = 1e-12

# The same where estimates are found by iteration, which is not exact to the last digit.
EQUAL_IF_FITTED = 1e-9

# Largest table of counts read at once; longer columns are read coarsely, then only where they may
# win.
TABLE_CELLS = 1 << 19

# Gaps between cut-offs that sigmoids are fitted to before it is asked whether more are needed.
SIGMOIDS_AT_ONCE = 32


# Whole counts up to this are looked up; above, a logarithm is cheap beside what it is part of.
LOOKED_UP = 1 << 16

# Cut-offs to try, ascending; a range where all neighbours are tried, which would be long as an
# array.
Cutoffs = range | Integers


@dataclass(frozen=True)
class Criterion:
    """What is minimised: which loss, in which unit, and how near counts as equal.

    `penalty` is that of the estimates whose entropy is the loss, where they have one.
    """

    loss: int
    unit: float
    bisect: bool = False
    penalty: float = 0.0

    @property
    def fitted(self) -> bool:
        """Whether the estimates are found by iteration, which costs more than reading counts."""
        return self.loss in (kernels.SIGMOID, kernels.BETA)

    @property
    def equal(self) -> float:
        return EQUAL_IF_FITTED if self.fitted else EQUAL

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
    _edges: Integers | None = None

    def edges(self, source: CountSource) -> Integers:
        """All cut-offs with both ends of the column, listed once."""
        if self._edges is None:
            ends = [0], self.listed(0, len(self.cutoffs)), [source.n_values(self.input)]
            object.__setattr__(self, "_edges", np.concatenate(ends))
        return self._edges  # type: ignore[return-value]

    def apart_from(self, asked: Sequence[int], source: CountSource, cases: float) -> Candidates:
        """Without the cut-offs asked already, and those that fewer cases separate from them."""
        if not asked:
            return self
        below, cutoffs = source.weight_below(self.input), self.listed(0, len(self.cutoffs))
        between = np.abs(below[cutoffs][:, None] - below[list(asked)])
        far = ((between >= cases) & (cutoffs[:, None] != list(asked))).all(axis=1)
        return replace(self, cutoffs=cutoffs[far], _edges=None)

    def listed(self, first: int, stop: int) -> Integers:
        part = self.cutoffs[first:stop]
        return np.arange(part.start, part.stop) if isinstance(part, range) else part


@dataclass
class Found:
    """Per points value the best loss and the place of its cut-off, −1 if none may win."""

    losses: Floats
    places: Integers


@lru_cache(maxsize=1)
def xlog2x_table() -> Floats:
    """x · log2 x for whole x."""
    x = np.arange(LOOKED_UP, dtype=np.float64)
    table = np.zeros(LOOKED_UP)
    table[1:] = x[1:] * np.log2(x[1:])
    return table


def first_loss(state: State, criterion: Criterion) -> float:
    """The loss of a state before a further question; not divided by the unit."""
    if criterion.loss == kernels.PAIRS:
        return float(state.counts[:, 0].sum() / 2)
    return kernels.loss_without(
        state.counts, state.totals, criterion.loss, criterion.penalty, 0, 0, xlog2x_table()
    )


def best_cutoffs(
    source: CountSource,
    state: State,
    span: tuple[int, int],
    candidates: Candidates,
    criterion: Criterion,
    loss_before: float,
    limit: float,
    each: bool,
) -> list[tuple[float, int, int]]:
    """Loss, cut-off and points of the candidates that may win: at most one per points value.

    `span` is the lowest and the highest total that the questions so far can give.

    Cases that cannot answer keep the loss they had: the loss of a candidate is the loss before,
    less what the question gains among those who can answer it. Both sides of that gain are
    estimated on the same cases, so that a question gains nothing from *who* can answer it, and
    questions with different numbers of missing answers are comparable. Without missing answers this
    is the loss of the paper.
    """
    cutoffs, points = candidates.cutoffs, candidates.points
    rows = max(64, TABLE_CELLS // (2 * state.totals.size))
    whole = len(cutoffs) <= rows
    coarse = None if whole else _thinned(candidates, rows)
    edges = candidates.edges(source) if coarse is None else coarse.edges(source)
    gaps = source.between(state, candidates.input, edges)
    known, base = state.counts, 0.0
    if criterion.loss != kernels.PAIRS:
        known = np.empty_like(known)
        kernels.add_up(gaps, known)
        base = loss_before - kernels.loss_without(
            known, state.totals, criterion.loss, criterion.penalty, *span, xlog2x_table()
        )
    table = _Table(gaps[:-1], known, state.totals, span, points, criterion)
    if criterion.bisect:
        found = _bisected(source, state, candidates, table, whole)
    elif coarse is None:
        found = table.best(limit - base, each)
    else:
        found = _refined(source, state, candidates, coarse, table, limit - base, each)
    losses, places = found.losses.tolist(), found.places.tolist()
    return [
        (losses[s] + base, cutoffs[place], int(points[s]))
        for s, place in enumerate(places)
        if place >= 0
    ]


def untried_bound(
    source: DivisibleSource,
    state: State,
    span: tuple[int, int],
    candidates: Candidates,
    criterion: Criterion,
    finely: bool,
) -> float:
    """A lower bound of the loss of every cut-off, tried or not, that a column may have.

    From the counts between the cut-offs tried, or `finely` from those between all its values. Who
    lacks a value is on one side of a cut-off as a whole.
    """
    column, edges = candidates.input, candidates.edges(source)
    if finely:
        edges, gaps = np.arange(source.n_values(column) + 1), source.finely(state, column)
    else:
        gaps = source.between(state, column, edges)
    below = np.concatenate((np.zeros((1, *gaps.shape[1:])), np.cumsum(gaps, axis=0)))
    first, last = below[:-1].copy(), below[1:]
    value, missing = source.missing(state, column)
    if value >= 0:
        gap = int(np.searchsorted(edges, value, "right")) - 1
        first, last = (np.concatenate((one, one[gap : gap + 1])) for one in (first, last))
        first[gap] += missing
        last[-1] -= missing
    table = _Table(gaps, below[-1], state.totals, span, candidates.points, criterion)
    return table.least_between(first, last)


@dataclass
class _Table:
    """Counts of one input: row c of `gaps` are the cases between cut-off c − 1 and c."""

    gaps: Floats
    known: Floats
    totals: Integers
    span: tuple[int, int]
    points: Integers
    criterion: Criterion

    def best(self, limit: float, each: bool) -> Found:
        if self.criterion.loss in (kernels.RANKING, kernels.PAIRS):
            return _smallest(self.losses(), self.criterion.tolerance)
        losses = np.empty(self.points.size)
        places = np.empty(self.points.size, np.int64)
        kernels.search_entropy(
            self.gaps, self.known, self.totals, self.points, self.criterion.loss,
            self.criterion.penalty, *self.span, xlog2x_table(), limit, self.criterion.tolerance,
            each, losses, places,
        )  # fmt: skip
        return Found(losses, places)

    def losses(self) -> Floats:
        """The loss of every points value at every cut-off."""
        below = self.below()
        return self._evaluated(below, below, self.criterion.loss)

    def below(self) -> Floats:
        below = self.gaps.copy()
        kernels.accumulate(below)
        return below

    def gap_bounds(self) -> Floats:
        """For every points value a lower bound of the loss between neighbouring cut-offs."""
        loss = self.criterion.loss
        if loss == kernels.PAIRS:
            return np.full((self.points.size, self.gaps.shape[0] - 1), -np.inf)
        below = self.below()
        # of all rising estimates the isotonic ones have the smallest entropy
        return self._evaluated(
            below[:-1], below[1:], kernels.ENTROPY if self.criterion.fitted else loss
        )

    def least_between(self, below_first: Floats, below_last: Floats) -> float:
        """The smallest loss that a cut-off in any of these gaps could have, for any points."""
        loss = self.criterion.loss
        entropies = self._evaluated(
            below_first, below_last, kernels.ENTROPY if self.criterion.fitted else loss
        ).min(axis=0)
        if loss != kernels.SIGMOID:
            return float(entropies.min())
        # A sigmoid without its penalty bounds those with it, and nearer than isotonic estimates do;
        # but it costs more, and few gaps decide.
        free = replace(self, criterion=replace(self.criterion, penalty=0.0))
        order, least = np.argsort(entropies, kind="stable"), np.inf
        for start in range(0, order.size, SIGMOIDS_AT_ONCE):
            some = order[start : start + SIGMOIDS_AT_ONCE]
            if entropies[some[0]] >= least:
                break
            fitted = free._evaluated(below_first[some], below_last[some], loss)
            least = min(least, float(fitted.min()))
        return least

    def _evaluated(self, below_first: Floats, below_last: Floats, loss: int) -> Floats:
        out = np.empty((self.points.size, below_first.shape[0]))
        kernels.evaluate(
            below_first, below_last, self.known, self.totals, self.points, loss,
            self.criterion.penalty, *self.span, xlog2x_table(), out,
        )  # fmt: skip
        return out


def _smallest(losses: Floats, tolerance: float) -> Found:
    """Per row the smallest loss; equal losses go to the smaller cut-off."""
    if losses.shape[1] == 0:
        rows = losses.shape[0]
        return Found(np.full(rows, np.inf), np.full(rows, -1, np.int64))
    least = losses.min(axis=1, keepdims=True)
    places = (losses <= least + tolerance).argmax(axis=1).astype(np.int64)
    return Found(losses[np.arange(losses.shape[0]), places], places)


def _places(count: int, coarse: int) -> list[int]:
    return [i * (count - 1) // (coarse - 1) for i in range(coarse)]


def _thinned(candidates: Candidates, rows: int) -> Candidates:
    """A coarse selection with both ends; its gaps are about as long as it has members."""
    cutoffs = candidates.cutoffs
    places = _places(len(cutoffs), min(rows, isqrt(len(cutoffs)) + 1))
    return replace(
        candidates, cutoffs=np.array([cutoffs[i] for i in places], np.int64), _edges=None
    )


def _refined(
    source: CountSource,
    state: State,
    candidates: Candidates,
    coarse: Candidates,
    table: _Table,
    limit: float,
    each: bool,
) -> Found:
    """Look closely into those gaps of the coarse table that may hold the best cut-off."""
    tolerance = table.criterion.tolerance
    best = _smallest(table.losses(), tolerance)
    places = _places(len(candidates.cutoffs), len(coarse.cutoffs))
    best.places[:] = [places[place] for place in best.places]
    bounds, below = table.gap_bounds(), table.below()
    for gap in np.argsort(bounds.min(axis=0), kind="stable"):
        at_most = np.minimum(limit, best.losses if each else best.losses.min()) + tolerance
        may_win = np.flatnonzero(bounds[:, gap] <= at_most)
        if not may_win.size:
            if each:
                continue
            break
        first, last = places[gap], places[gap + 1]
        inside = source.between(state, candidates.input, candidates.listed(first, last + 1))
        gaps = np.concatenate((below[gap : gap + 1], inside))
        fine = replace(table, gaps=gaps, points=table.points[may_win])
        found = fine.best(float(np.max(at_most)), each)
        for s, loss, place in zip(may_win, found.losses, found.places, strict=True):
            closer = loss < best.losses[s] - tolerance
            earlier = loss <= best.losses[s] + tolerance and first + place < best.places[s]
            if place >= 0 and (closer or earlier):
                best.losses[s], best.places[s] = loss, first + place
    return best


def _bisected(
    source: CountSource, state: State, candidates: Candidates, table: _Table, whole: bool
) -> Found:
    """The paper's heuristic: halve the gaps beside every minimum, until all are fenced in."""
    cutoffs = candidates.cutoffs
    all_losses = table.losses() if whole and not table.criterion.fitted else None
    below = table.below() if whole else None
    found = Found(np.full(table.points.size, np.inf), np.full(table.points.size, -1, np.int64))
    for s in range(table.points.size):
        known: dict[int, float] = {}
        wanted = {0, len(cutoffs) - 1} if len(cutoffs) else set()
        while wanted:
            places = sorted(wanted)
            if all_losses is not None:
                values = all_losses[s, places]
            else:
                if below is not None:
                    gaps = np.diff(below[places], axis=0, prepend=0.0)
                else:
                    asked = np.array([0, *(cutoffs[place] for place in places)], np.int64)
                    gaps = source.between(state, candidates.input, asked)
                values = replace(table, gaps=gaps, points=table.points[s : s + 1]).losses()[0]
            known.update(zip(places, values.tolist(), strict=True))
            minima, wanted = _fence(known, table.criterion.tolerance)
            first = next(
                place for place in known if place in minima
            )  # in the order they were tried
            found.losses[s], found.places[s] = known[first], first
    return found


def _fence(known: dict[int, float], tolerance: float) -> tuple[list[int], set[int]]:
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

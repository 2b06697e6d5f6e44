"""A greedy search by the entropy of beta estimates, as the authors' program does it.

`scorecard` always searches by the entropy of isotonic estimates, whatever the calibration; the
published figures for beta calibration come from lists that were chosen by the beta estimates
themselves. This module chooses them in that way, so that the figures can be compared.
"""

from bisect import bisect_left

import numba
import numpy as np

TINY = np.finfo(np.float64).eps
EQUAL = 1e-9
RIDGE = 1e-6


@numba.njit(cache=True)
def _solve(h, g, size):
    """Solve h x = g for a small positive matrix, by elimination."""
    a, b = h[:size, :size].copy(), g[:size].copy()
    for i in range(size):
        for j in range(i + 1, size):
            f = a[j, i] / a[i, i]
            for k in range(i, size):
                a[j, k] -= f * a[i, k]
            b[j] -= f * b[i]
    for i in range(size - 1, -1, -1):
        for j in range(i + 1, size):
            b[i] -= a[i, j] * b[j]
        b[i] /= a[i, i]
    return b


@numba.njit(cache=True)
def _softplus(z):
    return z + np.log1p(np.exp(-z)) if z > 0 else np.log1p(np.exp(z))


@numba.njit(cache=True)
def _objective(design, cases, positives, w):
    loss = 0.0
    for t in range(cases.size):
        z = 0.0
        for i in range(w.size):
            z += design[t, i] * w[i]
        loss += cases[t] * _softplus(z) - positives[t] * z
    for i in range(w.size - 1):
        loss += RIDGE * w[i] ** 2 / 2
    return loss


@numba.njit(cache=True)
def _fit(design, cases, positives):
    """Newton's method with halved steps; the last column of the design is the constant."""
    size = design.shape[1]
    w = np.zeros(size)
    rate = positives.sum() / cases.sum()
    w[size - 1] = np.log(rate / (1 - rate))
    current = _objective(design, cases, positives, w)
    for _ in range(60):
        g, h = np.zeros(size), np.zeros((size, size))
        for t in range(cases.size):
            z = 0.0
            for i in range(size):
                z += design[t, i] * w[i]
            q = 1 / (1 + np.exp(-z))
            for i in range(size):
                g[i] += design[t, i] * (cases[t] * q - positives[t])
                for j in range(size):
                    h[i, j] += cases[t] * q * (1 - q) * design[t, i] * design[t, j]
        for i in range(size):
            h[i, i] += 1e-12
            if i < size - 1:
                g[i] += RIDGE * w[i]
                h[i, i] += RIDGE
        step = _solve(h, g, size)
        length, proposed, value = 1.0, w - step, np.inf
        while length > 1e-8:
            proposed = w - length * step
            value = _objective(design, cases, positives, proposed)
            if value <= current:
                break
            length /= 2
        if not value < current:
            break
        w = proposed
        if current - value < 1e-11 * (1 + abs(current)):
            break
        current = value
    return w


@numba.njit(cache=True)
def beta_entropy(cases, positives):
    """Expected entropy in bits of the beta estimates; totals are dense from lowest to highest."""
    seen = np.flatnonzero(cases > 0)
    n, p = cases[seen], positives[seen]
    base = p.sum() / n.sum()
    design = np.ones((seen.size, 3))
    last = max(cases.size - 1, 1)
    for row in range(seen.size):
        x = min(max(seen[row] / last, TINY), 1 - TINY)
        design[row, 0], design[row, 1] = np.log(x), -np.log1p(-x)
    for i in range(2):
        design[:, i] -= (n * design[:, i]).sum() / n.sum()
    q = np.full(seen.size, base)
    if seen.size > 1:
        kept = design
        w = _fit(kept, n, p)
        for dropped in range(2):
            if w[dropped] < 0:
                kept = np.ones((seen.size, 2))
                kept[:, 0] = design[:, 1 - dropped]
                w = _fit(kept, n, p)
                break
        if not (w.size == 2 and w[0] < 0):
            for t in range(seen.size):
                z = 0.0
                for i in range(w.size):
                    z += kept[t, i] * w[i]
                q[t] = 1 / (1 + np.exp(-z))
    total = 0.0
    for t in range(seen.size):
        for share in (q[t], 1 - q[t]):
            if share > 0:
                total -= n[t] * share * np.log2(share)
    return total / n.sum()


@numba.njit(cache=True)
def _after(below, known, points):
    """Counts by total once the cases above a cut-off have got their points."""
    size = known.shape[0]
    counts = np.zeros((size + abs(points), 2))
    shift_no, shift_yes = max(-points, 0), max(points, 0)
    for t in range(size):
        for c in range(2):
            counts[t + shift_no, c] += below[t, c]
            counts[t + shift_yes, c] += known[t, c] - below[t, c]
    return counts


@numba.njit(cache=True)
def _loss(below, known, points):
    counts = _after(below, known, points)
    return beta_entropy(counts[:, 0].copy(), counts[:, 1].copy())


class BetaList:
    """Questions as (column, value, points): yes where x > value, in the order they were chosen."""

    def __init__(self, X, y, points=(-3, -2, -1, 1, 2, 3), beforehand=False):
        # Among equal losses the first question has the larger points.
        self.points = sorted(points, key=lambda s: (-abs(s), s))
        self.y = np.asarray(y, np.int64)
        self.columns = [np.asarray(column, np.float64) for column in X.T]
        self.values = [np.unique(column) for column in self.columns]
        self.codes = [
            np.searchsorted(values, column)
            for values, column in zip(self.values, self.columns, strict=True)
        ]
        self.questions = []
        cuts = [self._alone(j) for j in range(X.shape[1])] if beforehand else None
        totals = np.zeros(len(y), np.int64)
        left = list(range(X.shape[1]))
        while left:
            best = min(
                (found for j in left for found in self._candidates(j, totals, cuts)),
                key=lambda found: found[0],
            )
            _, j, cut, s = best
            left.remove(j)
            self.questions.append((j, self._threshold(j, cut), s))
            totals = totals + s * (self.codes[j] >= cut)
            totals += max(-s, 0)  # dense from 0: only differences matter

    def totals(self, X):
        """Totals after each stage, stage 0 first."""
        gained = [s * (X[:, j] > value) for j, value, s in self.questions]
        return np.cumsum([np.zeros(len(X), np.int64), *gained], axis=0)

    def _threshold(self, j, cut):
        values = self.values[j]
        if cut == 0:
            return -np.inf
        return np.inf if cut == values.size else (values[cut - 1] + values[cut]) / 2

    def _alone(self, j):
        below, known = self._below(j, np.zeros(len(self.y), np.int64))
        return min(_bisected(below, known, s) for s in (-1, 1))[1]

    def _candidates(self, j, totals, cuts):
        below, known = self._below(j, totals)
        for s in self.points:
            fixed = 1 if self.values[j].size == 2 else cuts[j] if cuts else None
            if fixed is None:
                loss, cut = _bisected(below, known, s)
            else:
                loss, cut = _loss(below[fixed], known, s), fixed
            yield round(loss / EQUAL) * EQUAL, j, cut, s

    def _below(self, j, totals):
        """Counts by total of the cases below each cut-off, and of all cases."""
        size = sum(abs(s) for _, _, s in self.questions) + 1
        gaps = np.zeros((self.values[j].size + 1, size, 2))
        np.add.at(gaps, (self.codes[j] + 1, totals, 0), 1)
        np.add.at(gaps, (self.codes[j] + 1, totals, 1), self.y)
        below = gaps.cumsum(axis=0)
        return below, below[-1]


def _bisected(below, known, points):
    """The paper's heuristic: halve the gaps beside every minimum until all are fenced in."""
    losses = {}
    wanted = [0, len(below) - 1]
    while wanted:
        for place in wanted:
            losses[place] = _loss(below[place], known, points)
        order, least = sorted(losses), min(losses.values())
        minima = [place for place in order if losses[place] <= least + EQUAL]
        middles = set()
        for place in minima:
            here = bisect_left(order, place)
            for neighbour in order[max(here - 1, 0) : here + 2]:
                middles.add(place + (neighbour - place) // 2)
        wanted = sorted(middles - losses.keys())
    first = next(place for place in losses if losses[place] <= least + EQUAL)
    return losses[first], first

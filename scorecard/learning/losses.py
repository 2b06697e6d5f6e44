"""What lists are judged by: losses of counts of cases per total, of many candidates at once.

`cases` and `positives` have a row per total, ascending, and a column per candidate. Losses are not
divided by the number of cases or pairs. Counts are float64 holding exact multiples of one power of
two (see `counts.exact_weights`), so sums of them do not depend on the order of cases.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Loss = Literal["isotonic", "sigmoid", "beta", "ranking"]
"""The entropy of estimates of a kind, or the pairs that are ranked wrongly."""

# Keeps an estimate finite where a total separates the outcomes perfectly.
LEAST_PENALTY = 1e-6
# Totals at the ends of the scale are 0 and 1, where beta calibration has no logarithm.
TINY = float(np.finfo(np.float64).eps)
# The constant of a logistic regression has no penalty, and nobody may be uncertain.
LEAST_CURVATURE = 1e-12
BIT = float(np.log(2.0))


def separate_entropy(cases: Floats, positives: Floats) -> Floats:
    """Cases times entropy (bits) of the rates of totals: a lower bound of all other entropies."""
    return np.asarray(_entropy(cases, positives).sum(axis=0))


def isotonic_entropy(cases: Floats, positives: Floats) -> Floats:
    """Cases times entropy (bits) of isotonic estimates: of all rising ones they have the smallest.

    Neighbours whose rates do not rise belong to one block of the estimates, whichever are joined
    first; so all of them are joined at once, until the rates of the blocks rise.
    """
    n, p = cases.T.ravel(), positives.T.ravel()
    of = np.repeat(np.arange(cases.shape[1]), cases.shape[0])
    there = n > 0
    n, p, of = n[there], p[there], of[there]
    while n.size:
        begins = (of[1:] != of[:-1]) | (p[:-1] * n[1:] < p[1:] * n[:-1])
        if begins.all():
            break
        starts = np.flatnonzero(np.concatenate(([True], begins)))
        n, p, of = np.add.reduceat(n, starts), np.add.reduceat(p, starts), of[starts]
    return np.bincount(of, _entropy(n, p), cases.shape[1]).astype(np.float64)


def misranked_pairs(cases: Floats, positives: Floats) -> Floats:
    """Pairs of a positive and a negative that the totals rank wrongly, ties counting half."""
    negatives = cases - positives
    above = np.cumsum(negatives[::-1], axis=0)[::-1] - 0.5 * negatives
    return np.asarray((positives * above).sum(axis=0))


def fitted_entropy(
    kind: Loss, totals: Floats, span: tuple[Floats, Floats], cases: Floats, positives: Floats,
    penalty: float,
) -> Floats:  # fmt: skip
    """Cases times entropy (bits) of a logistic regression on the totals, or on their logarithms.

    "sigmoid": on the total, with an L2 penalty per standard deviation of it: asking the same
    question twice doubles all totals, which would look like a gain with a penalty per point.
    "beta" (Kull, Silva Filho and Flach 2017): on log τ and −log(1 − τ) of the total scaled from
    `span`, the lowest and the highest possible one, to τ in [0, 1]. Estimates never fall: a term
    with a negative slope is dropped, and without terms they are the base rate.
    """
    found = np.zeros(cases.shape[1])
    everybody, positive = cases.sum(axis=0), positives.sum(axis=0)
    mixed = (positive > 0) & (positive < everybody)
    n, p, low, high = cases[:, mixed], positives[:, mixed], span[0][mixed], span[1][mixed]
    nats, falls = FITTED[kind](totals[:, mixed], (low, high), n, p, penalty)
    base = _entropy(everybody[mixed], positive[mixed])
    found[mixed] = np.where(falls, base, nats / BIT)
    return found


def _of_sigmoid(
    totals: Floats, _: tuple[Floats, Floats], cases: Floats, positives: Floats, penalty: float
) -> tuple[Floats, Flags]:
    nats, (slope,) = _logistic([totals], cases, positives, penalty, standard=True)
    return nats, slope < 0


def _of_beta(
    totals: Floats, span: tuple[Floats, Floats], cases: Floats, positives: Floats, penalty: float
) -> tuple[Floats, Flags]:
    low, high = span
    scaled = np.clip((totals - low) / np.maximum(high - low, 1), TINY, 1.0 - TINY)
    terms = [np.log(scaled), -np.log1p(-scaled)]
    nats, (slope, slope_2) = _logistic(terms, cases, positives, penalty)
    falls = np.zeros(slope.size, bool)
    for drop, kept in ((slope < 0, terms[1]), ((slope >= 0) & (slope_2 < 0), terms[0])):
        told = cases[:, drop], positives[:, drop]
        nats[drop], (only,) = _logistic([kept[:, drop]], *told, penalty)
        falls[drop] = only < 0
    return nats, falls


FITTED = {"sigmoid": _of_sigmoid, "beta": _of_beta}
"""By kind, the entropy (nats) of fitted estimates, and where these would fall with the total."""


def _entropy(cases: Floats, positives: Floats) -> Floats:
    # positives and negatives are added first so that mirrored outcomes give the same number
    parts = _times_log(positives) + _times_log(cases - positives)
    return np.asarray((_times_log(cases) - parts) / BIT)


def _times_log(x: Floats) -> Floats:
    return np.asarray(x * np.log(np.maximum(x, TINY)))


def _logistic(
    terms: Sequence[Floats], cases: Floats, positives: Floats, penalty: float,
    standard: bool = False,
) -> tuple[Floats, list[Floats]]:  # fmt: skip
    """Logistic regressions on counts by Newton's method: cases times entropy in nats, and slopes.

    The entropy is the negative log-likelihood plus penalty · slope², as it is where the gradient is
    zero: an error of the slopes changes that least.
    """
    ridge = max(penalty, LEAST_PENALTY)
    everybody, positive = cases.sum(axis=0), positives.sum(axis=0)
    x = [one - (cases * one).sum(axis=0) / everybody for one in terms]
    if standard:
        spread = [(cases * one**2).sum(axis=0) for one in x]
        with np.errstate(divide="ignore"):
            scales = [np.where(one > 0, np.sqrt(everybody / one), 0.0) for one in spread]
        x = [one * scale for one, scale in zip(x, scales, strict=True)]
    line = np.array(
        [*(np.zeros(everybody.size) for _ in x), np.log(positive / (everybody - positive))]
    )
    best, lines = np.empty(everybody.size), np.empty_like(line)
    moving = np.arange(everybody.size)
    value, step = _newton(x, cases, positives, line, ridge)
    for _ in range(100):
        tried, length = line - step, 1.0
        found, next_step = _newton(x, cases, positives, tried, ridge)
        # At the end only rounding decides which value is smaller; the last step is made anyway.
        at_most = value + 1e-14 * (1 + value)
        while (far := ~(found <= at_most)).any() and length > 1e-10:
            length /= 2
            tried[:, far] = line[:, far] - length * step[:, far]
            found, next_step = _newton(x, cases, positives, tried, ridge)
        closer = found <= at_most
        near = ~closer | (value - found < 1e-12 * (1 + value))
        line, step = np.where(closer, tried, line), next_step
        value = np.where(closer, found, value)
        best[moving], lines[:, moving] = value, line
        if near.all():
            break
        if near.any():
            far = ~near
            moving, value, line, step = moving[far], value[far], line[:, far], step[:, far]
            x, cases, positives = [one[:, far] for one in x], cases[:, far], positives[:, far]
    return best + 0.5 * ridge * (lines[:-1] ** 2).sum(axis=0), list(lines[:-1])


def _newton(
    x: Sequence[Floats], cases: Floats, positives: Floats, line: Floats, ridge: float
) -> tuple[Floats, Floats]:
    """The penalised negative log-likelihood, and the step that its derivatives propose."""
    slopes, odds = line[:-1], line[-1] + sum(one * term for one, term in zip(line, x, strict=False))
    small = np.exp(-np.abs(odds))
    value = (cases * (np.maximum(odds, 0.0) + np.log1p(small)) - positives * odds).sum(axis=0)
    value = value + 0.5 * ridge * (slopes**2).sum(axis=0)
    risk = np.where(odds > 0, 1.0, small) / (1.0 + small)
    excess, curve = cases * risk - positives, cases * small / (1.0 + small) ** 2
    g_c, h_c = excess.sum(axis=0), LEAST_CURVATURE + curve.sum(axis=0)
    g = [ridge * one + (excess * term).sum(axis=0) for one, term in zip(slopes, x, strict=True)]
    # The constant is eliminated first, then the second slope where there is one.
    mixed = [(curve * term).sum(axis=0) for term in x]
    g_free = [one - h * g_c / h_c for one, h in zip(g, mixed, strict=True)]
    h = [
        ridge + (curve * term**2).sum(axis=0) - m**2 / h_c for term, m in zip(x, mixed, strict=True)
    ]
    if len(x) == 1:
        steps = [g_free[0] / h[0]]
    else:
        both = (curve * x[0] * x[1]).sum(axis=0) - mixed[0] * mixed[1] / h_c
        first = (g_free[0] - both * g_free[1] / h[1]) / (h[0] - both**2 / h[1])
        steps = [first, (g_free[1] - both * first) / h[1]]
    constant = (g_c - sum(m * one for m, one in zip(mixed, steps, strict=True))) / h_c
    return value, np.array([*steps, constant])

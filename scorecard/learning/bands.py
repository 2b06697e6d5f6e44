"""Simultaneous confidence bands for the risks of one stage (Clopper–Pearson, made monotone).

With sample weights the counts are effective numbers (weights scaled to sum to Kish's (Σw)²/Σw²),
and the same formulas hold approximately.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.special import betaincinv

from scorecard.learning.counts import Floats

Bounds = tuple[Floats, Floats]


def band(
    kind: str, cases: Floats, positives: Floats, probabilities: Floats, level: float
) -> Bounds | None:
    """Lower and upper bound per total, both rising with it, that hold together at this level.

    `cases` has an entry for every total the stage can have. `None` if the bounds cross once they
    are made to rise: the data then contradict a rising risk at this level, and no interval is
    honest.
    """
    lower, upper = BANDS[kind](cases, positives, 1 - level)
    lower = np.maximum.accumulate(lower)
    upper = np.minimum.accumulate(upper[::-1])[::-1]
    if np.any(lower > upper):
        return None
    return np.minimum(lower, probabilities), np.maximum(upper, probabilities)


def clopper_pearson(positives: Floats, negatives: Floats, alpha: Floats | float) -> Bounds:
    """Exact two-sided interval of a rate at confidence 1 − alpha.

    Examples
    --------
    >>> lower, upper = clopper_pearson(np.array([3.0]), np.array([17.0]), 0.05)
    >>> f"{lower[0]:.4f} {upper[0]:.4f}"
    '0.0321 0.3789'
    """
    half = np.asarray(alpha) / 2
    return _lower(positives, negatives, half), _upper(positives, negatives, half)


def _lower(positives: Floats, negatives: Floats, alpha: Floats | float) -> Floats:
    some = positives > 0
    bound = betaincinv(np.where(some, positives, 1.0), negatives + 1.0, alpha)
    return np.where(some, bound, 0.0)


def _upper(positives: Floats, negatives: Floats, alpha: Floats | float) -> Floats:
    return 1.0 - _lower(negatives, positives, alpha)


def _paper(cases: Floats, positives: Floats, alpha: float) -> Bounds:
    """Bonferroni over all totals the stage can have."""
    return clopper_pearson(positives, cases - positives, alpha / cases.size)


def _sidak(cases: Floats, positives: Floats, alpha: float) -> Bounds:
    """Šidák over the totals with cases: given the totals, their outcomes are independent."""
    seen = max(int(np.count_nonzero(cases)), 1)
    return clopper_pearson(positives, cases - positives, 1 - (1 - alpha) ** (1 / seen))


def _pooled(cases: Floats, positives: Floats, alpha: float) -> Bounds:
    """Lower bounds from blocks of totals ending at T, upper bounds from blocks beginning at T.

    If risks rise, the pooled rate of totals up to T is at most the risk at T, so the bound of a
    block is a bound for T. The error of each total with cases (Šidák) is divided among its blocks,
    half as much for each further total.
    """
    seen = cases > 0
    p, n = positives[seen], (cases - positives)[seen]
    each = 1 - (1 - alpha / 2) ** (1 / max(p.size, 1))
    lower, upper = np.zeros(cases.size), np.ones(cases.size)
    lower[seen] = _pooled_lower(p, n, each)
    upper[seen] = 1.0 - _pooled_lower(n[::-1], p[::-1], each)[::-1]
    return lower, upper


def _pooled_lower(positives: Floats, negatives: Floats, alpha: float) -> Floats:
    p = np.concatenate(([0.0], np.cumsum(positives)))
    n = np.concatenate(([0.0], np.cumsum(negatives)))
    lower = np.zeros(positives.size)
    for last in range(positives.size):
        first = np.arange(last, -1, -1)
        shares = 0.5 ** np.arange(1, first.size + 1)
        pooled_p, pooled_n = p[last + 1] - p[first], n[last + 1] - n[first]
        lower[last] = _lower(pooled_p, pooled_n, alpha * shares / shares.sum()).max()
    return lower


BANDS: dict[str, Callable[[Floats, Floats, float], Bounds]] = {
    "paper": _paper,
    "sidak": _sidak,
    "pooled": _pooled,
}

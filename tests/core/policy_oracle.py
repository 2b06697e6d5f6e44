"""A policy applied case by case with scikit-learn and scipy: slow, short, independent."""

from math import ceil, log

import numpy as np
from scipy.stats import beta, binom
from sklearn.isotonic import IsotonicRegression


def stop_totals(by, low, high, p, lo, up, n, x, confidence, min_cases):
    """Places (out, in) of the innermost totals that may stop, straight from the definitions."""
    out = [i for i in range(len(n)) if may_stop(by, low, i, p, up, n, x, confidence, min_cases)]
    flip = [None if a is None else 1 - np.array(a, float)[::-1] for a in (p, lo)]
    y = [b - a for a, b in zip(x, n, strict=True)][::-1]
    into = [
        i
        for i in range(len(n))
        if may_stop(by, 1 - high, i, *flip, n[::-1], y, confidence, min_cases)
    ]
    if by == "certified":  # a chain: everything further out has to pass as well
        out = [i for i in out if set(range(i)) <= set(out)]
        into = [i for i in into if set(range(i)) <= set(into)]
        out, into = (
            [] if sum(m[: max(s, default=0) + 1]) < min_cases else s
            for s, m in ((out, n), (into, n[::-1]))
        )
    return max(out, default=None), None if not into else len(n) - 1 - max(into)


def may_stop(by, limit, i, p, bound, n, x, confidence, min_cases):
    cases, positives = sum(n[: i + 1]), sum(x[: i + 1])
    if by == "certified":
        if limit <= 0:
            return False
        enough = 2 * ceil(log(1 - confidence) / log(1 - limit))
        stops = [v for v in range(i, len(n)) if sum(n[i : v + 1]) >= enough]
        end = stops[0] if stops else len(n) - 1
        m, z = sum(n[i : end + 1]), sum(x[i : end + 1])
        return m > 0 and binom.cdf(z, m, limit) <= 1 - confidence
    if p is None or cases < min_cases:
        return False
    if by == "bounds":
        return bound is not None and bound[i] <= limit
    if by == "point":
        return p[i] <= limit
    if cases == 0:
        return False
    upper = beta.ppf(confidence, positives + 1, cases - positives) if positives < cases else 1
    return p[i] <= limit and upper <= limit


def figures(totals, size, n, x, level=0.95):
    """Isotonic estimates and the paper's band from counts; `None` without any case."""
    seen = [i for i in range(len(n)) if n[i]]
    if not seen:
        return None, None, None
    rates, weights = [x[i] / n[i] for i in seen], [n[i] for i in seen]
    p = IsotonicRegression().fit_transform([totals[i] for i in seen], rates, sample_weight=weights)
    p = np.interp(totals, [totals[i] for i in seen], p)
    a = (1 - level) / size / 2
    lo = np.array([beta.ppf(a, v, m - v + 1) if v else 0 for m, v in zip(n, x, strict=True)])
    up = np.array(
        [beta.ppf(1 - a, v + 1, m - v) if v < m else 1 for m, v in zip(n, x, strict=True)]
    )
    lo, up = np.maximum.accumulate(lo), np.minimum.accumulate(up[::-1])[::-1]
    if (lo > up).any():
        return p, None, None
    return p, np.minimum(lo, p), np.maximum(up, p)

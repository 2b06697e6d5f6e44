"""Exact binomial bounds with nothing but `math`.

Cases and positives may be effective numbers of weighted cases, so the bounds are written through
the regularised incomplete beta function, which for whole numbers is the binomial tail.
"""

from __future__ import annotations

from functools import lru_cache
from math import ceil, erfc, exp, inf, lgamma, log, log1p, sqrt


def at_most(positives: float, cases: float, rate: float) -> float:
    """P(X ≤ positives) for X ~ Binomial(cases, rate)."""
    if positives >= cases:
        return 1.0
    return incomplete_beta(1.0 - rate, cases - positives, positives + 1.0)


def at_least(positives: float, cases: float, rate: float) -> float:
    """P(X ≥ positives) for X ~ Binomial(cases, rate)."""
    if positives <= 0:
        return 1.0
    return incomplete_beta(rate, positives, cases - positives + 1.0)


def chance_of_two_rates(one: tuple[float, float], other: tuple[float, float]) -> float:
    """How often two rates differ so much by chance: χ² with Yates's correction.

    Each is given as cases and positives.
    """
    a, c = one[1], other[1]
    b, d = one[0] - a, other[0] - c
    sums = (a + b) * (c + d) * (a + c) * (b + d)
    if not sums:
        return 1.0
    distance = max(abs(a * d - b * c) - (a + b + c + d) / 2, 0.0)
    return erfc(sqrt((a + b + c + d) * distance**2 / sums / 2))


def upper_bound(positives: float, cases: float, confidence: float) -> float:
    """One-sided Clopper–Pearson upper bound of the rate; 1 without a negative case."""
    if positives >= cases:
        return 1.0
    return _quantile(confidence, positives + 1.0, cases - positives)


def lower_bound(positives: float, cases: float, confidence: float) -> float:
    """One-sided Clopper–Pearson lower bound of the rate; 0 without a positive case."""
    if positives <= 0:
        return 0.0
    return _quantile(1.0 - confidence, positives, cases - positives + 1.0)


def cases_for_zero(limit: float, confidence: float) -> int:
    """How many cases without a single positive it takes to claim a rate of at most `limit`."""
    needed = min(log(1.0 - confidence) / log1p(-limit), 1e15)  # beyond any table, and still whole
    return ceil(needed - 1e-9)  # a whole quotient must not become one more by a rounding error


def incomplete_beta(x: float, a: float, b: float) -> float:
    """The regularised incomplete beta function I_x(a, b) by its continued fraction."""
    if x <= 0.0:
        return 0.0
    if x >= 1.0:
        return 1.0
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x))
    if x < (a + 1.0) / (a + b + 2.0):  # the fraction converges fast on this side only
        return front * _fraction(x, a, b) / a
    return 1.0 - front * _fraction(1.0 - x, b, a) / b


def _fraction(x: float, a: float, b: float) -> float:
    """Lentz's evaluation of the continued fraction of the incomplete beta function."""
    tiny = 1e-300
    c, d = 1.0, 1.0 / _away_from_zero(1.0 - (a + b) * x / (a + 1.0), tiny)
    value = d
    for m in range(1, 100_000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            d = 1.0 / _away_from_zero(1.0 + term * d, tiny)
            c = _away_from_zero(1.0 + term / c, tiny)
            value *= c * d
        if abs(c * d - 1.0) < 1e-16:
            break
    return value


def _away_from_zero(value: float, tiny: float) -> float:
    return tiny if abs(value) < tiny else value


@lru_cache(maxsize=4096)
def _quantile(share: float, a: float, b: float) -> float:
    """Where I_x(a, b) is `share`: Newton's steps, kept between bounds that close in."""
    low, high, x = 0.0, 1.0, a / (a + b)
    constant = lgamma(a + b) - lgamma(a) - lgamma(b)
    for _ in range(200):
        if not 0.0 < x < 1.0:  # effective numbers of cases may be so small that nothing is left
            return x
        too_much = incomplete_beta(x, a, b) - share
        low, high = (low, x) if too_much > 0 else (x, high)
        slope = exp(min(700.0, constant + (a - 1) * log(x) + (b - 1) * log1p(-x)))
        step = too_much / slope if slope > 0 else inf
        following = x - step
        if not low < following < high:
            following = (low + high) / 2
        if abs(following - x) <= 1e-15 * x or following in (low, high):
            return following
        x = following
    return x

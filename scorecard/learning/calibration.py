"""From counts per total to probabilities that never fall as the total rises.

Every method gets the counts of one stage: all totals the stage can have, ascending, with the cases
and positives at each.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from scorecard.estimates import isotonic
from scorecard.learning.counts import Floats, Integers

# What `calibration_strength=None` means: cases of the base rate added to every total, or the L2
# penalty.
DEFAULT_STRENGTH = {
    "isotonic": 0.0,
    "isotonic-prior": 10.0,
    "sigmoid": 1.0,
    "beta": 0.0,
    "beta-l2": 1.0,
}

# Keeps the estimate finite where a total separates the outcomes perfectly.
LEAST_PENALTY = 1e-6

TINY = float(np.finfo(np.float64).eps)


def calibrate(
    method: str,
    totals: Integers,
    cases: Floats,
    positives: Floats,
    strength: float | None = None,
    scale: float = 1.0,
) -> Floats:
    """The probability at every total.

    `scale` is what the counts were multiplied with; the strength is set against the counts as they
    were before.
    """
    strength = scale * (DEFAULT_STRENGTH[method] if strength is None else strength)
    if totals.size == 1:
        return positives / cases
    probabilities = CALIBRATIONS[method](totals, cases, positives, strength)
    return np.clip(np.maximum.accumulate(probabilities), 0.0, 1.0)


def _isotonic(totals: Integers, cases: Floats, positives: Floats, strength: float) -> Floats:
    del strength
    counts = list(zip(cases.tolist(), positives.tolist(), strict=True))
    return np.array(isotonic(totals.tolist(), counts))


def _isotonic_prior(totals: Integers, cases: Floats, positives: Floats, strength: float) -> Floats:
    base_rate = positives.sum() / cases.sum()
    seen = cases > 0
    prior = np.where(seen, strength, 0.0)
    return _isotonic(totals, cases + prior, positives + prior * base_rate, 0.0)


def _sigmoid(totals: Integers, cases: Floats, positives: Floats, strength: float) -> Floats:
    slopes, chances = _logistic(totals[:, None].astype(np.float64), cases, positives, strength)
    if slopes[0] < 0:
        return np.full(totals.size, positives.sum() / cases.sum())
    return chances


def _beta(totals: Integers, cases: Floats, positives: Floats, strength: float) -> Floats:
    """Beta calibration (Kull, Silva Filho and Flach 2017) of totals scaled to [0, 1]."""
    scaled = (totals - totals[0]) / (totals[-1] - totals[0])
    scaled = np.clip(scaled, TINY, 1 - TINY)
    terms = np.column_stack((np.log(scaled), -np.log1p(-scaled)))
    slopes, chances = _logistic(terms, cases, positives, strength)
    for dropped in (0, 1):
        if slopes[dropped] < 0:
            kept = terms[:, [1 - dropped]]
            slopes, chances = _logistic(kept, cases, positives, strength)
            if slopes[0] < 0:
                return np.full(totals.size, positives.sum() / cases.sum())
            break
    return chances


CALIBRATIONS: dict[str, Callable[[Integers, Floats, Floats, float], Floats]] = {
    "isotonic": _isotonic,
    "isotonic-prior": _isotonic_prior,
    "sigmoid": _sigmoid,
    "beta": _beta,
    "beta-l2": _beta,
}


def _logistic(
    terms: Floats, cases: Floats, positives: Floats, penalty: float
) -> tuple[Floats, Floats]:
    """Slopes and probabilities of a logistic regression on counts; the slopes are penalised."""
    centre = (cases @ terms) / cases.sum()
    design = np.column_stack((terms - centre, np.ones(len(terms))))
    ridge = np.append(np.full(terms.shape[1], max(penalty, LEAST_PENALTY)), 0.0)
    rate = positives.sum() / cases.sum()
    weights = np.zeros(design.shape[1])
    if 0 < rate < 1:
        weights[-1] = np.log(rate / (1 - rate))
    else:
        return weights[:-1], np.full(len(terms), rate)

    def loss(at: Floats) -> float:
        z = design @ at
        return float(cases @ np.logaddexp(0, z) - positives @ z + ridge @ at**2 / 2)

    current = loss(weights)
    for _ in range(100):
        chances = _expit(design @ weights)
        gradient = design.T @ (cases * chances - positives) + ridge * weights
        spread = design.T * (cases * chances * (1 - chances))
        step = np.linalg.solve(spread @ design + np.diag(ridge + 1e-12), gradient)
        size = 1.0
        while size > 1e-10 and not loss(weights - size * step) <= current:
            size /= 2
        proposed = loss(weights - size * step)
        if not proposed < current:
            break
        weights = weights - size * step
        if current - proposed < 1e-12 * (1 + abs(current)):
            break
        current = proposed
    return weights[:-1], _expit(design @ weights)


def _expit(z: Floats) -> Floats:
    return np.exp(-np.logaddexp(0, -z))

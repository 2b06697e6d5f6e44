"""From counts per total to probabilities that never fall as the total rises.

Every method gets the counts of one stage: all totals the stage can have, ascending, with the cases
and positives at each.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.special import expit

from scorecard.core.isotonic import isotonic
from scorecard.learning.counts import Floats, Integers

# What `calibration_strength=None` means: cases of the base rate added to every total, or the L2
# penalty.
DEFAULT_STRENGTH = {
    "isotonic": 0.0,
    "isotonic-prior": 10.0,
    "sigmoid": 5.0,
    "beta": 0.0,
    "beta-l2": 1.0,
}


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
    if totals.size == 1:
        return positives / cases
    probabilities = CALIBRATIONS[method](
        totals, cases, positives, scale * strength_of(method, strength)
    )
    return np.clip(np.maximum.accumulate(probabilities), 0.0, 1.0)


def strength_of(method: str, strength: float | None) -> float:
    """The strength as given, or what is usual for the method."""
    return DEFAULT_STRENGTH[method] if strength is None else strength


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
    from scorecard.learning import kernels

    return _fitted(kernels.SIGMOID, totals, cases, positives, strength)


def _beta(totals: Integers, cases: Floats, positives: Floats, strength: float) -> Floats:
    """Beta calibration (Kull, Silva Filho and Flach 2017) of totals scaled to [0, 1]."""
    from scorecard.learning import kernels

    return _fitted(kernels.BETA, totals, cases, positives, strength)


def _fitted(
    kind: int, totals: Integers, cases: Floats, positives: Floats, penalty: float
) -> Floats:
    """The estimates whose entropy the search minimises, fitted by the same loop."""
    from scorecard.learning import kernels

    terms, line = np.empty((totals.size, 2)), np.empty(3)
    kernels.set_terms(kind, totals, totals.size, totals[0], totals[-1], terms)
    kernels.fit_rising(kind, terms, cases, positives, totals.size, penalty, line)
    return np.asarray(expit(terms @ line[:2] + line[2]))


CALIBRATIONS: dict[str, Callable[[Integers, Floats, Floats, float], Floats]] = {
    "isotonic": _isotonic,
    "isotonic-prior": _isotonic_prior,
    "sigmoid": _sigmoid,
    "beta": _beta,
    "beta-l2": _beta,
}

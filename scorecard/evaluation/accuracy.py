"""How good are these risks? Figures on plain arrays; NaN where a figure is not defined.

`risks` are predicted probabilities of the positive outcome, `outcome` is true where it came true.
The caller says why a figure is not defined: a function on arrays cannot know.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scorecard.learning.bands import clopper_pearson
from scorecard.learning.counts import Floats

Outcomes = NDArray[np.bool_]

# A risk of exactly 0 or 1 that turns out wrong has an infinite log loss; it is charged as this.
CLIP = 1e-3


def brier(risks: Floats, outcome: Outcomes) -> float:
    """Mean squared distance between risk and outcome.

    Examples
    --------
    >>> brier(np.array([0.0, 0.5]), np.array([False, True]))
    0.125
    """
    return _mean((risks - outcome) ** 2)


def log_loss(risks: Floats, outcome: Outcomes) -> tuple[float, int]:
    """Mean negative log-likelihood in bits, and how many risks had to be clipped for it."""
    clipped = np.clip(risks, CLIP, 1 - CLIP)
    return _mean(-np.log2(np.where(outcome, clipped, 1 - clipped))), int((clipped != risks).sum())


def expected_entropy(risks: Floats) -> float:
    """Mean entropy in bits of the predicted risks: how open the cases are left."""
    return _mean(_bits(risks) + _bits(1 - risks))


def auc(scores: NDArray[Any], outcome: Outcomes) -> float:
    """Chance that a positive case has the higher score than a negative one, ties counting half."""
    from scipy.stats import rankdata

    positives = int(outcome.sum())
    negatives = outcome.size - positives
    if not positives or not negatives:
        return float("nan")
    above = rankdata(scores)[outcome].sum() - positives * (positives + 1) / 2
    return float(above / (positives * negatives))


def treated(risks: Floats, miss_cost: float) -> NDArray[np.bool_]:
    """Who is treated as positive when a miss costs so many times a false alarm."""
    return np.asarray(1 - risks < miss_cost * risks)


def expected_loss(risks: Floats, outcome: Outcomes, miss_cost: float) -> float:
    """(false alarms + miss_cost · misses) / cases, deciding by these risks."""
    positive = treated(risks, miss_cost)
    return _mean(np.where(positive, ~outcome, miss_cost * outcome))


def net_benefit(risks: Floats, outcome: Outcomes, threshold: float) -> float:
    """Share of true positives less that of false ones weighed by the odds of the threshold."""
    positive = treated(risks, (1 - threshold) / threshold)
    return _mean(positive * (outcome - ~outcome * (threshold / (1 - threshold))))


@dataclass(frozen=True)
class Decomposition:
    """The Brier score taken apart: uncertainty − resolution + reliability."""

    reliability: float
    resolution: float
    uncertainty: float

    @property
    def brier(self) -> float:
        return self.uncertainty - self.resolution + self.reliability


def decomposition(risks: Floats, outcome: Outcomes) -> Decomposition:
    """Murphy's decomposition over the distinct risks."""
    values, places = np.unique(risks, return_inverse=True)
    cases = np.bincount(places)
    rates = np.bincount(places, outcome) / cases
    shares, base = cases / outcome.size, outcome.mean()
    return Decomposition(
        float(shares @ (values - rates) ** 2),
        float(shares @ (rates - base) ** 2),
        float(base * (1 - base)),
    )


@dataclass(frozen=True)
class Rate:
    """So many of so many, with an exact 95 % interval; `value` is `None` without any case.

    Over resamples each case is tested several times; the counts are then those of one round.
    """

    positives: float
    cases: float

    @property
    def value(self) -> float | None:
        return self.positives / self.cases if self.cases else None

    @property
    def interval(self) -> tuple[float, float] | None:
        if not self.cases:
            return None
        lower, upper = clopper_pearson(
            np.array([self.positives]), np.array([self.cases - self.positives]), 0.05
        )
        return float(lower[0]), float(upper[0])


@dataclass(frozen=True)
class Bin:
    """Cases of about the same predicted risk: what was predicted, and what came true."""

    predicted: float
    observed: Rate


def calibration(
    risks: Floats, outcome: Outcomes, edges: Sequence[float], rounds: float = 1.0
) -> list[Bin]:
    """Predicted and observed risk per bin; bins without cases are left out."""
    places = np.digitize(risks, np.asarray(edges)[1:-1])
    found = []
    for place in np.unique(places):
        here = places == place
        rate = Rate(float(outcome[here].sum()) / rounds, float(here.sum()) / rounds)
        found.append(Bin(float(risks[here].mean()), rate))
    return found


def _mean(values: NDArray[Any]) -> float:
    return float(values.mean()) if values.size else float("nan")


def _bits(share: Floats) -> Floats:
    return -share * np.log2(np.where(share > 0, share, 1.0))

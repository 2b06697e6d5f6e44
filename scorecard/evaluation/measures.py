"""The measures of a report: their names, how each is computed, and which way is better."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scorecard.evaluation import accuracy as figures
from scorecard.evaluation.accuracy import Outcomes
from scorecard.evaluation.predictions import StagePrediction
from scorecard.learning.counts import Floats


@dataclass(frozen=True)
class Measure:
    """A figure with its name in a table and what it means in words."""

    key: str
    name: str
    meaning: str


MEASURES = (
    Measure("brier", "Brier score", "mean squared distance of risk and outcome; 0 is perfect"),
    Measure("auc", "AUC", "chance that a positive case has more points than a negative one"),
    Measure("entropy", "Entropy (bits)", "how open a case still is; 1 is a coin toss, 0 certainty"),
    Measure("log_loss", "Log loss (bits)", "surprise at the outcome; risks cut at 0.1 and 99.9 %"),
    Measure("loss_point", "Loss by risk", "false alarms + M × misses per case, decided by risk"),
    Measure(
        "loss_upper",
        "Loss by upper bound",
        "the same, decided by the upper end of the 50 % range: more cautious",
    ),
    Measure("auc_risk", "AUC by risk", "AUC of the estimated risks, whose ties lower it"),
    Measure("clipped", "Risks clipped", "risks of exactly 0 or 1, cut for the log loss"),
)

SHOWN = ("brier", "auc", "entropy")
"""The measures that are drawn."""

KEYS = tuple(one.key for one in MEASURES)

MISS_COSTS = (1.0, 2.0, 3.0, 5.0, 7.0, 10.0, 15.0, 20.0, 30.0, 50.0, 100.0)
THRESHOLDS = tuple(round(0.01 * step, 2) for step in range(1, 100, 2))


def list_measures(
    prediction: StagePrediction, outcome: Outcomes, miss_cost: float
) -> dict[str, float]:
    """All measures of a list at one stage; cases without a risk are left out."""
    there = ~np.isnan(prediction.risks)
    upper = prediction.uppers[there]
    return risk_measures(prediction.risks[there], outcome[there], miss_cost) | {
        "auc": figures.auc(prediction.ranks()[there], outcome[there]),
        "loss_upper": figures.expected_loss(upper, outcome[there], miss_cost),
    }


def risk_measures(risks: Floats, outcome: Outcomes, miss_cost: float) -> dict[str, float]:
    """All measures that need nothing but risks; the others are NaN."""
    log_loss, clipped = figures.log_loss(risks, outcome)
    area = figures.auc(risks, outcome)
    return {
        "brier": figures.brier(risks, outcome),
        "auc": area,
        "entropy": figures.expected_entropy(risks),
        "log_loss": log_loss,
        "loss_point": figures.expected_loss(risks, outcome, miss_cost),
        "loss_upper": float("nan"),
        "auc_risk": area,
        "clipped": float(clipped),
    }


def as_row(values: dict[str, float]) -> list[float]:
    return [values[key] for key in KEYS]


def loss_curve(risks: Floats, outcome: Outcomes, costs: Sequence[float] = MISS_COSTS) -> Floats:
    """Expected loss over what a miss costs."""
    return np.array([figures.expected_loss(risks, outcome, cost) for cost in costs])


def benefit_curve(
    risks: Floats, outcome: Outcomes, thresholds: Sequence[float] = THRESHOLDS
) -> Floats:
    """Net benefit over the threshold of risk: the decision curve."""
    return np.array([figures.net_benefit(risks, outcome, one) for one in thresholds])

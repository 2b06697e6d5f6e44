"""What a list says about cases, and how good that is: figures on plain arrays.

`risks` are predicted probabilities of the positive outcome, `outcome` is true where it came true. A
figure that is not defined is NaN; the caller says why, a function on arrays cannot know.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scorecard.core.calibration import KEPT_SLOPE, constant_error, fitted_line, slope_error
from scorecard.core.evidence import Pattern
from scorecard.core.model import Condition, Question, ScoringList, Stage
from scorecard.core.performance import NORMAL_QUANTILE, Rate, rate
from scorecard.core.question import with_substitutes
from scorecard.learning.counts import Floats, Integers
from scorecard.learning.inputs import Input
from scorecard.learning.risks import (
    Answers,
    answers_of,
    figures_by_stage,
    patterns_of,
    quick_band,
)

Outcomes = NDArray[np.bool_]

Estimate = tuple[float, float, float]
"""A figure and its 95 % interval."""

# A risk of exactly 0 or 1 that turns out wrong has an infinite log loss; it is charged as this.
CLIP = 1e-3

# The paper decides by the upper end of the 50 % band; at 95 % hardly anybody is left to rule out.
LOSS_LEVEL = 0.5


@dataclass(frozen=True)
class StagePrediction:
    """Risk, upper bound of the risk, and total of every case after one number of questions.

    With an unknown answer the risk is the mean of both ways, or without evidence that of the last
    stage reached; `known` says who has all answers, and only their totals are comparable.
    """

    risks: Floats
    uppers: Floats
    totals: Integers
    known: NDArray[np.bool_]

    def ranks(self) -> Floats:
        """Cases with all answers in the order of their totals, the others where their risk is.

        Risks rise with the total, so ordering by risk and then by total keeps the order of totals,
        and puts a case with an unknown answer among those with the same risk.
        """
        values, places = np.unique(self.risks, return_inverse=True)
        there = np.maximum(np.bincount(places[self.known], minlength=values.size), 1)
        middles = np.bincount(places[self.known], self.totals[self.known], values.size) / there
        within = np.where(self.known, self.totals, middles[places])
        order = np.lexsort((within, places))
        new = np.diff(places[order], prepend=-1).astype(bool) | (
            np.diff(within[order], prepend=np.inf) != 0
        )
        ranks = np.empty(places.size)
        ranks[order] = np.cumsum(new)
        return ranks


def stage_predictions(scoring_list: ScoringList, answers: Answers) -> list[StagePrediction | None]:
    """One entry per stage 0 … K, `None` where the list has no risks for a stage.

    Where the list has risks for its last stage only, a case with an unknown answer has none, and
    its risk is NaN.
    """
    points = [question.points for question in scoring_list.questions]
    stages = [None if stage is None else _figures(stage) for stage in scoring_list.stages]
    if not any(stages):
        return [None] * len(stages)
    return [
        None if stage is None else StagePrediction(found[:, 0], found[:, 1], totals, known)
        for stage, (found, totals, known) in zip(
            stages, figures_by_stage(stages, answers, points, scoring_list.evidence), strict=True
        )
    ]


def _figures(stage: Stage) -> tuple[Integers, Floats]:
    """Per total the risk and its upper bound."""
    risks = [risk.probability for risk in stage.risks]
    return np.array(stage.totals), np.column_stack((risks, _uppers(stage)))


def known_answers(questions: Sequence[Question], inputs: Sequence[Input]) -> Answers:
    """The cases' answers; a value that the list does not know is an unknown answer.

    A list learned from a part of the cases may meet a category, or a number beside 0 and 1, that
    its part did not have.
    """
    by_name = {one.name: one for one in inputs}
    columns = [
        answers_of(
            (question,),
            [
                _understood(by_name[one.input], one.condition)
                for one in with_substitutes([question])
            ],
        )
        for question in questions
    ]
    return np.hstack(columns) if columns else np.zeros((len(inputs[0].values), 0), np.int8)


def patterns(answers: Answers, outcome: Outcomes) -> Iterator[Pattern]:
    """The answers of these cases as a list's evidence has them."""
    return patterns_of(answers, outcome, np.ones(outcome.size)).values()


def _understood(one: Input, condition: Condition) -> Input:
    if condition.is_categorical and condition.choices:
        values = one.values.copy()
        values[~np.isin(values.astype(str), condition.choices)] = None
        return replace(one, values=values)
    if condition.kind in ("yes", "no"):
        return replace(one, values=np.where(np.isin(one.values, (0, 1)), one.values, np.nan))
    return one


def _uppers(stage: Stage) -> Floats:
    """The upper end of the band per total; 1 where there is none, which rules nobody out."""
    counts = [(risk.cases, risk.positives or 0) for risk in stage.risks if risk.cases is not None]
    found = quick_band(counts, LOSS_LEVEL) if counts else None
    if found is None:
        return np.ones(len(stage.risks))
    return np.array([max(u, r.probability) for (_, u), r in zip(found, stage.risks, strict=True)])


def case_measures(
    risks: Floats, outcome: Outcomes, miss_cost: float, uppers: Floats | None = None
) -> dict[str, Floats]:
    """What each case adds to the measures that are means, and to the risks clipped.

    Without `uppers`, the upper ends of the ranges, nobody can be decided by them.

    Examples
    --------
    >>> case_measures(np.array([0.0, 0.5]), np.array([False, True]), 10)["brier"].mean()
    np.float64(0.125)
    """
    clipped = np.clip(risks, CLIP, 1 - CLIP)
    return {
        "brier": (risks - outcome) ** 2,
        "entropy": _bits(risks) + _bits(1 - risks),
        "log_loss": -np.log2(np.where(outcome, clipped, 1 - clipped)),
        "loss_point": losses(risks, outcome, miss_cost),
        "loss_upper": losses(uppers, outcome, miss_cost) if uppers is not None else risks * np.nan,
        "clipped": (clipped != risks).astype(np.float64),
    }


def risk_measures(
    risks: Floats,
    outcome: Outcomes,
    miss_cost: float,
    uppers: Floats | None = None,
    ranks: Floats | None = None,
) -> dict[str, float]:
    """All measures; without `ranks` the cases are in the order of their risks."""
    each = case_measures(risks, outcome, miss_cost, uppers)
    area = auc(risks, outcome)
    return {key: mean(values) for key, values in each.items()} | {
        "clipped": float(each["clipped"].sum()),
        "auc": area if ranks is None else auc(ranks, outcome),
        "auc_risk": area,
    }


def list_measures(
    prediction: StagePrediction, outcome: Outcomes, miss_cost: float
) -> dict[str, float]:
    """All measures of a list at one stage; cases without a risk are left out."""
    there = ~np.isnan(prediction.risks)
    return risk_measures(
        prediction.risks[there],
        outcome[there],
        miss_cost,
        prediction.uppers[there],
        prediction.ranks()[there],
    )


def auc(scores: NDArray[Any], outcome: Outcomes) -> float:
    """Chance that a positive case has the higher score than a negative one, ties counting half."""
    if outcome.all() or not outcome.any():
        return float("nan")
    return float(areas(scores, outcome, np.ones((1, outcome.size), np.int64))[0])


def areas(scores: NDArray[Any], outcome: Outcomes, weights: Integers) -> Floats:
    """The same for many draws of the cases: `weights` has a row for each."""
    order = np.argsort(scores, kind="stable")
    starts = np.flatnonzero(np.diff(scores[order], prepend=np.nan) != 0)
    positive = np.add.reduceat(weights[:, order] * outcome[order], starts, axis=1)
    negative = np.add.reduceat(weights[:, order] * ~outcome[order], starts, axis=1)
    below = np.cumsum(negative, axis=1) - negative / 2
    pairs = positive.sum(axis=1) * negative.sum(axis=1)
    found: Floats = (positive * below).sum(axis=1) / pairs
    return found


def treated(risks: Floats, miss_cost: float) -> NDArray[np.bool_]:
    """Who is treated as positive when a miss costs so many times a false alarm."""
    return np.asarray(1 - risks < miss_cost * risks)


def losses(risks: Floats, outcome: Outcomes, miss_cost: float) -> Floats:
    """What each case costs where these risks decide: 1 a false alarm, `miss_cost` a miss."""
    lost: Floats = np.where(treated(risks, miss_cost), ~outcome, miss_cost * outcome)
    return lost


def net_benefit(true: Any, false: Any, threshold: Any) -> Any:
    """True positives minus false alarms at the exchange rate of the threshold.

    Treating above a risk of `threshold` means that one true positive is worth
    (1 − threshold)/threshold false alarms (Vickers, Elkin, Med Decis Making 2006;26:565-574). All
    of them may be counts, shares, or arrays.

    Examples
    --------
    >>> net_benefit(0.5, 0.25, 0.5)
    0.25
    """
    return true - false * threshold / (1 - threshold)


def gains(risks: Floats, outcome: Outcomes, threshold: float) -> Floats:
    """The net benefit of each case, treated from this risk on."""
    positive = treated(risks, (1 - threshold) / threshold)
    found: Floats = net_benefit(1.0 * (positive & outcome), positive & ~outcome, threshold)
    return found


@dataclass(frozen=True)
class Bin:
    """Cases of about the same predicted risk: what was predicted, and what came true."""

    predicted: float
    observed: Rate | None


def calibration(
    risks: Floats, outcome: Outcomes, edges: Sequence[float], rounds: float = 1.0
) -> list[Bin]:
    """Predicted and observed risk per bin; bins without cases are left out."""
    places = np.digitize(risks, np.asarray(edges)[1:-1])
    found = []
    for place in np.unique(places):
        here = places == place
        seen = rate(float(outcome[here].sum()) / rounds, float(here.sum()) / rounds)
        found.append(Bin(float(risks[here].mean()), seen))
    return found


@dataclass(frozen=True)
class CalibrationLine:
    """Intercept with the slope held at 1 (0 is right), and slope (1 is right) of the log-odds."""

    intercept: Estimate
    slope: Estimate


def calibration_line(
    risks: Floats, outcome: Outcomes, rounds: float = 1.0
) -> CalibrationLine | None:
    """Logistic recalibration with Wald intervals; `None` where it has no finite answer.

    `rounds` is how many rows count as one case.
    """
    clipped = np.clip(risks, CLIP, 1 - CLIP)
    odds = np.log(clipped / (1 - clipped))
    if outcome.all() or not outcome.any() or _are_separated(odds[outcome], odds[~outcome]):
        return None
    values, places = np.unique(odds, return_inverse=True)
    counts = np.bincount(places), np.bincount(places, outcome)
    rows = list(zip(values.tolist(), *(one.tolist() for one in counts), strict=True))
    line, level = fitted_line(rows), fitted_line(rows, KEPT_SLOPE, towards=1.0)
    errors = NORMAL_QUANTILE * sqrt(rounds)
    half, level_half = errors * slope_error(rows, line), errors * constant_error(rows, level)
    return CalibrationLine(
        (level[1], level[1] - level_half, level[1] + level_half),
        (line[0], line[0] - half, line[0] + half),
    )


def _are_separated(one: Floats, other: Floats) -> bool:
    """Whether a cut tells them apart, or nothing does: then no slope fits best."""
    return bool(one.max() <= other.min() or other.max() <= one.min())


def observed_to_expected(risks: Floats, outcome: Outcomes, rounds: float = 1.0) -> Estimate | None:
    """Positives seen per positive expected; the interval is the exact one of the rate seen."""
    seen = rate(float(outcome.sum()) / rounds, outcome.size / rounds)
    expected = float(risks.mean()) if risks.size else 0.0
    if seen is None or not expected:
        return None
    return seen.value / expected, seen.lower / expected, seen.upper / expected


def benefit_estimates(
    risks: Floats, outcome: Outcomes, thresholds: Sequence[float], rounds: float = 1.0
) -> list[Estimate]:
    """Net benefit at each threshold with a normal interval: it is a mean over the cases."""
    found = []
    for threshold in thresholds:
        each = gains(risks, outcome, threshold)
        error = each.std(ddof=1) * np.sqrt(rounds / each.size) if each.size > 1 else np.nan
        value, half = mean(each), NORMAL_QUANTILE * float(error)
        found.append((value, value - half, value + half))
    return found


def mean(values: NDArray[Any]) -> float:
    return float(values.mean()) if values.size else float("nan")


def _bits(share: Floats) -> Floats:
    return -share * np.log2(np.where(share > 0, share, 1.0))


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


def as_row(values: dict[str, float]) -> list[float]:
    return [values[key] for key in KEYS]


def loss_curve(risks: Floats, outcome: Outcomes, costs: Sequence[float] = MISS_COSTS) -> Floats:
    """Expected loss over what a miss costs."""
    return np.array([mean(losses(risks, outcome, cost)) for cost in costs])


def benefit_curve(
    risks: Floats, outcome: Outcomes, thresholds: Sequence[float] = THRESHOLDS
) -> Floats:
    """Net benefit over the threshold of risk: the decision curve."""
    return np.array([mean(gains(risks, outcome, one)) for one in thresholds])

"""How good a list is under its limits, worked out from the answer patterns it carries.

Rates have Clopper–Pearson intervals. The area under the curve has DeLong's variance (DeLong,
DeLong, Clarke-Pearson, Biometrics 1988;44:837-845) on the logit scale, so that its interval stays
between 0 and 1. The Brier score has a normal interval from the spread of the squared errors.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import exp, log, sqrt

from scorecard.core.binomial import lower_bound, upper_bound
from scorecard.core.model import Answer, counts_by_total
from scorecard.core.staircase import Decision, Staircase

LEVEL = 0.95
NORMAL_QUANTILE = 1.959963984540054  # of the level, two-sided
_ANSWERS: dict[str, Answer] = {"1": True, "0": False, "?": None}


@dataclass(frozen=True, slots=True)
class Rate:
    """So many of so many, as a share with its interval."""

    hits: int | float
    cases: int | float
    value: float
    lower: float
    upper: float


@dataclass(frozen=True, slots=True)
class Score:
    """A figure that is no share of cases; the interval is `None` where it cannot be had."""

    value: float
    interval: tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class End:
    """Cases that end alike: the decision, the risk they are told (`None` if not one), how many."""

    decision: Decision
    probability: float | None
    cases: int | float
    positives: int | float


@dataclass(frozen=True, slots=True)
class Merit:
    """The figures of merit of a list under a policy.

    `strict` counts everybody without a decision as wrong, `lenient` as right. `left_out` are the
    cases whose unknown answers leave more than one risk: they are in the rates, but not in the
    Brier score; `total_unknown` those without a total, which are not in the area under the curve.
    """

    ppv: Rate | None
    miss_rate: Rate | None
    sensitivity_strict: Rate | None
    sensitivity_lenient: Rate | None
    specificity_strict: Rate | None
    specificity_lenient: Rate | None
    brier: Score | None
    brier_of_base_rate: float
    auc: Score | None
    left_out: int | float
    total_unknown: int | float


def figures_of_merit(staircase: Staircase) -> Merit | None:
    """The figures of merit from the list's own evidence; `None` if it has none."""
    ends = all_ends(staircase)
    cases, positives = staircase.stopping()
    if not cases:
        return None
    out, missed = staircase.stopping("rule out")
    into, found = staircase.stopping("rule in")
    negatives, false_alarms = cases - positives, into - found
    totals = counts_by_total(staircase.scoring_list, len(staircase.questions))
    return Merit(
        ppv=rate(found, into),
        miss_rate=rate(missed, out),
        sensitivity_strict=rate(found, positives),
        sensitivity_lenient=rate(positives - missed, positives),
        specificity_strict=rate(out - missed, negatives),
        specificity_lenient=rate(negatives - false_alarms, negatives),
        brier=brier_score(ends),
        brier_of_base_rate=positives / cases * (1 - positives / cases),
        auc=area_under_curve(totals),
        left_out=sum(end.cases for end in ends if end.probability is None),
        total_unknown=cases - sum(counts[0] for counts in totals.values()),
    )


def all_ends(staircase: Staircase) -> tuple[End, ...]:
    """Where the cases behind the list end, and which risk they are told."""
    evidence = staircase.scoring_list.evidence
    ends: dict[tuple[Decision, float | None], tuple[int | float, int | float]] = {}
    for pattern in evidence.patterns if evidence else ():
        outcome = staircase.decide([_ANSWERS[letter] for letter in pattern.answers])
        key = outcome.decision, outcome.probability
        cases, positives = ends.get(key, (0, 0))
        ends[key] = cases + pattern.cases, positives + pattern.positives
    return tuple(End(*key, *counts) for key, counts in ends.items())


def rate(hits: int | float, cases: int | float) -> Rate | None:
    """The share with its Clopper–Pearson interval; `None` of no cases."""
    if not cases:
        return None
    confidence = 1 - (1 - LEVEL) / 2
    lower, upper = lower_bound(hits, cases, confidence), upper_bound(hits, cases, confidence)
    value = hits / cases
    return Rate(hits, cases, value, min(lower, value), max(upper, value))


def brier_score(ends: Iterable[End]) -> Score | None:
    """The mean squared distance of the risk told from what happened (1 or 0)."""
    errors: list[tuple[float, int | float]] = []
    for end in ends:
        if end.probability is not None:
            errors.append(((1 - end.probability) ** 2, end.positives))
            errors.append((end.probability**2, end.cases - end.positives))
    cases = sum(count for _, count in errors)
    if not cases:
        return None
    mean = sum(error * count for error, count in errors) / cases
    if cases <= 1:
        return Score(mean, None)
    spread = sum((error - mean) ** 2 * count for error, count in errors) / (cases - 1)
    half = NORMAL_QUANTILE * sqrt(spread / cases)
    return Score(mean, (max(0.0, mean - half), min(1.0, mean + half)))


def area_under_curve(
    counts: Mapping[int, tuple[int | float, int | float]],
) -> Score | None:
    """How often a positive case has the higher total than a negative one; ties count half."""
    ordered = [counts[total] for total in sorted(counts)]
    positive = [positives for _, positives in ordered]
    negative = [cases - positives for cases, positives in ordered]
    if not sum(positive) or not sum(negative):
        return None
    above = _shares_below(negative)  # per total: the share of negative cases below it
    below = [1 - share for share in _shares_below(positive)]
    area = _mean(above, positive)
    return Score(area, _logit_interval(area, above, positive, below, negative))


def _shares_below(counts: Sequence[int | float]) -> list[float]:
    whole = sum(counts)
    return [
        (so_far - count / 2) / whole
        for so_far, count in zip(accumulate(counts), counts, strict=True)
    ]


def _mean(values: Sequence[float], counts: Sequence[int | float]) -> float:
    return sum(v * n for v, n in zip(values, counts, strict=True)) / sum(counts)


def _logit_interval(
    area: float,
    above: Sequence[float],
    positive: Sequence[int | float],
    below: Sequence[float],
    negative: Sequence[int | float],
) -> tuple[float, float] | None:
    # At 0 or 1 the variance is estimated as 0, which would look like certainty.
    if not 1e-12 < area < 1 - 1e-12 or sum(positive) <= 1 or sum(negative) <= 1:
        return None
    variance = _variance_of_mean(above, positive) + _variance_of_mean(below, negative)
    half = NORMAL_QUANTILE * sqrt(variance) / (area * (1 - area))
    centre = log(area / (1 - area))
    return _share(centre - half), _share(centre + half)


def _share(logit: float) -> float:
    # Written for each sign, so that no exponential can overflow.
    if logit >= 0:
        return 1 / (1 + exp(-logit))
    return exp(logit) / (1 + exp(logit))


def _variance_of_mean(values: Sequence[float], counts: Sequence[int | float]) -> float:
    mean, whole = _mean(values, counts), sum(counts)
    squares = sum((v - mean) ** 2 * n for v, n in zip(values, counts, strict=True))
    return squares / (whole - 1) / whole


def net_benefit(ends: Iterable[End], threshold: float) -> float:
    """True positives minus false alarms at the exchange rate of the threshold, per case.

    Acting from a risk of `threshold` on means that one true positive is worth
    (1 − threshold)/threshold false alarms (Vickers, Elkin, Med Decis Making 2006;26:565-574).
    """
    told = [end for end in ends if end.probability is not None]
    cases = sum(end.cases for end in told)
    acted = [end for end in told if end.probability is not None and end.probability >= threshold]
    true = sum(end.positives for end in acted)
    false = sum(end.cases for end in acted) - true
    return (true - false * threshold / (1 - threshold)) / cases

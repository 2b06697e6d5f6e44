"""The risks expected in new patients: a sigmoid of the total, corrected by cross-validation.

Rates of the cases a list was learned from are too extreme. Each fold's list predicts the cases it
was learned without; how these predictions have to be bent to fit them (a logistic recalibration per
stage) is what the list's own sigmoid is bent by. All of it works from stored counts alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import inf, log, sqrt

from scorecard.core.calibration import (
    KEPT_SLOPE,
    Line,
    band,
    calibration_line,
    constant_error,
    isotonic,
    log_odds,
    probability,
    sigmoid,
    slope_error,
)
from scorecard.core.evidence import Counts, CrossValidation, Evidence, Pattern
from scorecard.core.model import Risk, Stage, possible_totals
from scorecard.core.question import Question
from scorecard.core.walk import Spread, spread_counts, stage_counts

RECALIBRATION_PENALTY = 10.0
"""Of the slope of log-odds for its distance from 1: who has little to say changes little."""

PSEUDO_CASES = 100
"""How many cases the curve counts for beside those who get to a box."""

_MOST = 30.0  # log-odds beyond which a probability is as good as 0 or 1


def recalibrated_stages(
    questions: Sequence[Question],
    evidence: Evidence,
    cross_validation: CrossValidation,
    level: float = 0.95,
) -> tuple[Stage, ...]:
    """Per stage the corrected risk at every total with its range, and the counts of the cases seen.

    Parameters
    ----------
    questions, evidence : the list, and the answers of all cases it was learned from.
    cross_validation : the lists learned without a part of the cases each.
    level : of the ranges.
    """
    points = [question.points for question in questions]
    seen = stage_counts(points, evidence)
    stages = []
    expected = recalibrated_risks(points, evidence, cross_validation)
    for number, (risks, found) in enumerate(zip(expected, seen, strict=True)):
        counts = [found.get(total, (0, 0)) for total in risks]
        ranges = recalibrated_band(cross_validation, number, counts, level)
        stages.append(Stage(tuple(risks), ranged(list(risks.values()), ranges, counts)))
    return tuple(stages)


def ranged(
    risks: Sequence[float],
    ranges: Sequence[tuple[float, float]] | None,
    counts: Sequence[Counts],
) -> tuple[Risk, ...]:
    """Risks with their counts and ranges, each of which covers its own risk."""
    if ranges is None:
        return tuple(Risk(risk, None, None, *n) for risk, n in zip(risks, counts, strict=True))
    return tuple(
        Risk(risk, min(low, risk), max(high, risk), *n)
        for risk, (low, high), n in zip(risks, ranges, counts, strict=True)
    )


def recalibrated_risks(
    points: Sequence[int], evidence: Evidence, cross_validation: CrossValidation
) -> list[dict[int, float]]:
    """Per stage the risk expected at every possible total in who answers all questions so far."""
    curves = recalibrated_curves(tuple(points), evidence, cross_validation)
    return [
        blended({t: seen.get(t, (0, 0)) for t in curve}, curve, cross_validation.design_effect)
        for curve, seen in zip(curves, stage_counts(points, evidence), strict=True)
    ]


@lru_cache(maxsize=64)
def recalibrated_curves(
    points: tuple[int, ...], evidence: Evidence, cross_validation: CrossValidation
) -> list[dict[int, float]]:
    """Per stage the risk at every possible total: the sigmoid of these cases, bent as needed."""
    own = _own_lines(points, evidence, cross_validation.strength)
    lines = corrections(cross_validation)
    curves = []
    for number, totals in enumerate(possible_totals(points)):
        slope, constant = own[number]
        bend, shift = lines[min(number, len(lines) - 1)] if number else (1.0, 0.0)
        curves.append(
            {t: probability(shift + bend * _clipped(slope * t + constant)) for t in totals}
        )
    return curves


def blended(
    here: Mapping[int, Counts], curve: Mapping[int, float], design_effect: float = 1.0
) -> dict[int, float]:
    """The risk of those who get to each total: the curve where few were seen, else themselves.

    (positives + m · curve) / (cases + m), made to rise; m grows with what one case is worth.
    """
    added_cases = PSEUDO_CASES * design_effect
    added = [
        (cases + added_cases, positives + added_cases * curve[total])
        for total, (cases, positives) in here.items()
    ]
    return dict(zip(here, isotonic(list(here), added) or [], strict=True))


@lru_cache(maxsize=64)
def corrections(cross_validation: CrossValidation) -> tuple[Line, ...]:
    """Per stage slope and constant of y ~ a + b · logit q over all left-out cases, b ≥ 0.

    q is what the list that did not see a case predicts for it; a fold list that has fewer
    questions than others predicts with its last stage.
    """
    return tuple(map(_recalibration, _left_out_rows(cross_validation, cross_validation.strength)))


def _left_out_rows(
    cross_validation: CrossValidation, strength: float
) -> list[list[tuple[float, float, float]]]:
    """Per stage the log-odds that were predicted for left-out cases, their number and positives."""
    stages = max(len(fold.questions) for fold in cross_validation.folds) + 1
    rows: list[list[tuple[float, float, float]]] = [[] for _ in range(stages)]
    for fold in cross_validation.folds:
        points = [question.points for question in fold.questions]
        shares = _spread(tuple(points), fold.inside).shares
        left_out = spread_counts(points, fold.left_out.patterns, shares)
        lines = _own_lines(tuple(points), fold.inside, strength)
        own = [_predictions(line, left) for line, left in zip(lines, left_out.counts, strict=True)]
        for number, row in enumerate(rows):
            row += own[min(number, len(own) - 1)]
    return rows


@lru_cache(maxsize=64)
def _spread(points: tuple[int, ...], evidence: Evidence) -> Spread:
    """Of a fold's list, which is read to correct others, to be judged, and for its ranges."""
    return spread_counts(points, evidence.patterns)


@lru_cache(maxsize=128)
def _own_lines(points: tuple[int, ...], evidence: Evidence, strength: float) -> tuple[Line, ...]:
    """Per stage the sigmoid of these cases."""
    return tuple(sigmoid(counts, strength) for counts in _spread(points, evidence).counts)


BARELY = 1e-3  # the penalty of fold curves that are as extreme as the rates they come from
WIDER = 1.25  # as much as the errors alone would say; found by simulation
WIDEST = 8.0  # log-odds beyond which a fold's prediction says no more


def recalibrated_band(
    check: CrossValidation, stage: int, counts: Sequence[Counts], level: float
) -> list[tuple[float, float]] | None:
    """Ranges of the risk in new patients for all totals of a stage together, both ends rising.

    The band of the cases seen is too narrow where they chose the questions, and in the wrong place:
    left-out cases tell how much their risks differ less than those of the cases that a list was
    learned from. So each range is widened until it also covers where the left-out cases say that it
    belongs, once with the slope that fits them best and once with the smallest that is likely.
    There is no proof; simulation says how often it covers (`tests/benchmarks/ranges.py`). `None`
    where the data contradict a rising risk.
    """
    effective = [(cases / check.design_effect, p / check.design_effect) for cases, p in counts]
    found = band(effective, level)
    if found is None or stage == 0:
        return found
    lines = _likely_lines(check, level)
    each = lines[min(stage, len(lines)) - 1]
    return [
        (
            min(low, *(probability(down + slope * _held(low)) for slope, down, _ in each)),
            max(high, *(probability(up + slope * _held(high)) for slope, _, up in each)),
        )
        for low, high in found
    ]


@lru_cache(maxsize=16)
def _likely_lines(
    check: CrossValidation, level: float
) -> tuple[tuple[tuple[float, ...], ...], ...]:
    """Per stage from 1 on: slopes of log-odds, each with the lowest and highest likely constant."""
    from statistics import NormalDist

    errors = WIDER * NormalDist().inv_cdf((1 + level) / 2) * sqrt(check.design_effect)
    found: list[tuple[tuple[float, ...], ...]] = []
    for rows in _left_out_rows(check, BARELY)[1:]:
        short = [(min(max(x, -WIDEST), WIDEST), n, p) for x, n, p in rows]
        best = calibration_line(short, 0.5, towards=1.0)
        if abs(best[1]) == inf:  # outcomes that are all alike can widen nothing
            found.append(((1.0, 0.0, 0.0),))
            continue
        least = max(best[0] - errors * slope_error(short, best, 0.5), 0.0)
        likely = []
        for slope in (best[0], least):
            line = calibration_line(short, KEPT_SLOPE, towards=slope)
            away = errors * constant_error(short, line)
            likely.append((line[0], line[1] - away, line[1] + away))
        found.append(tuple(likely))
    return tuple(found)


def _held(risk: float) -> float:
    return _clipped(log_odds(risk))


def left_out_losses(check: CrossValidation, most: int) -> Iterator[tuple[list[float], float]]:
    """Per kind of left-out case its log loss after 0, 1, … questions, and how many there are."""
    for fold in check.folds:
        points = [question.points for question in fold.questions]
        curves = recalibrated_risks(points, fold.inside, check)
        shares = _spread(tuple(points), fold.inside).shares
        for pattern in fold.left_out.patterns:
            spread = spread_counts(points, [Pattern(pattern.answers, 1, 0)], shares).counts
            stages = [min(number, len(points)) for number in range(most + 1)]
            for positive, weight in (
                (True, pattern.positives),
                (False, pattern.cases - pattern.positives),
            ):
                if weight > 0:
                    losses = [_loss(spread[k], curves[k], positive) for k in stages]
                    yield losses, float(weight)


def _loss(spread: Mapping[int, Counts], curve: dict[int, float], positive: bool) -> float:
    return -sum(
        share * log(max(curve[total] if positive else 1 - curve[total], 1e-15))
        for total, (share, _) in spread.items()
    )


def _predictions(line: Line, left_out: Mapping[int, Counts]) -> list[tuple[float, float, float]]:
    slope, constant = line
    return [(_clipped(slope * total + constant), n, p) for total, (n, p) in left_out.items()]


def _recalibration(rows: Sequence[tuple[float, float, float]]) -> Line:
    slope, constant = calibration_line(rows, RECALIBRATION_PENALTY, towards=1.0)
    # Outcomes that are all alike can correct nothing.
    return (slope, constant) if abs(constant) < inf else (1.0, 0.0)


def _clipped(odds: float) -> float:
    return min(max(odds, -_MOST), _MOST)

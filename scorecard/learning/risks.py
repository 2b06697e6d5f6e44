"""The figures of a list: answer patterns, counts per stage and total, probabilities, bands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scorecard.core.evidence import MAX_PATTERNS, Evidence, Pattern
from scorecard.core.model import Risk, Stage, possible_totals
from scorecard.learning.bands import Bounds, band
from scorecard.learning.calibration import calibrate
from scorecard.learning.counts import Floats, Integers

Answers = NDArray[np.int8]
"""One row per case, one column per question: 1 yes, 0 no, −1 unknown."""


# A code of so many answers, three kinds each, of which cases can be told apart before it.
MOST_DIGITS = 18


@dataclass(frozen=True)
class Patterns:
    """The different rows of answers, with how many cases and positives gave each."""

    answers: Answers
    cases: Floats
    positives: Floats

    @property
    def few(self) -> bool:
        """Whether they can be kept; beyond that many they are hardly more than single cases."""
        return len(self.answers) <= MAX_PATTERNS


@dataclass(frozen=True)
class StageFigures:
    """One stage: all totals it can have, ascending, with counts, probabilities and band."""

    totals: Integers
    cases: Floats
    positives: Floats
    probabilities: Floats
    bounds: Bounds | None

    def tipping_total(self, inclusive: bool) -> float:
        """Between the totals at most (`inclusive`: less) as probable as one half and the others."""
        place = int(np.searchsorted(self.probabilities, 0.5, "left" if inclusive else "right"))
        if place == 0:
            return float(self.totals[0]) - 0.5
        if place == self.totals.size:
            return float(self.totals[-1]) + 0.5
        return float(self.totals[place - 1] + self.totals[place]) / 2

    @classmethod
    def of(cls, stage: Stage) -> StageFigures:
        """The figures of a stage that is a value already and has no band."""
        found = [(risk.cases, risk.positives, risk.probability) for risk in stage.risks]
        cases, positives, chances = np.array(found, np.float64).T
        return cls(np.array(stage.totals, np.int64), cases, positives, chances, None)

    def stage(self) -> Stage:
        """The same as a value of the model, in plain Python numbers."""
        none = [None] * self.totals.size
        lower, upper = (b.tolist() for b in self.bounds) if self.bounds else (none, none)
        risks = map(
            Risk, self.probabilities.tolist(), lower, upper,
            self.cases.tolist(), self.positives.tolist(),
        )  # fmt: skip
        return Stage(tuple(self.totals.tolist()), tuple(risks))


def effective_weights(weights: NDArray[Any] | None, cases: int) -> tuple[Floats, float]:
    """Weights scaled to sum to Kish's effective number of cases, (Σw)² / Σw², and the scale.

    Equal weights become exactly 1, so that plain counts stay whole.
    """
    if weights is None:
        return np.ones(cases), 1.0
    if np.all(weights == weights[0]):
        return np.ones(cases), 1.0 / float(weights[0])
    scale = float(weights.sum() / (weights @ weights))
    return weights * scale, scale


def standings(answers: Answers, points: list[int]) -> Iterator[tuple[Integers, Integers]]:
    """After each stage from 0 on: every case's total and how many questions it answered so far.

    A case stands still at its first unknown answer. The arrays change from stage to stage.
    """
    totals = np.zeros(answers.shape[0], np.int64)
    reached = np.zeros(answers.shape[0], np.int64)
    yield totals, reached
    for number, value in enumerate(points):
        goes_on = (reached == number) & (answers[:, number] >= 0)
        reached += goes_on
        totals += value * (goes_on & (answers[:, number] > 0))
        yield totals, reached


def figures_by_stage(
    stages: Sequence[tuple[Integers, Floats] | None], answers: Answers, points: list[int]
) -> Iterator[tuple[Floats, Integers, NDArray[np.bool_]]]:
    """After each stage from 0 on: every case's figures, its total, and who gave all answers.

    A stage is its totals, ascending, with a row of figures for each; `None` has none. A case with
    an unknown answer keeps the figures of the last stage it reached; before any they are NaN.
    """
    width = next(figures.shape[1] for figures in (one[1] for one in stages if one))
    found = np.full((len(answers), width), np.nan)
    for number, (totals, reached) in enumerate(standings(answers, points)):
        known, stage = reached == number, stages[number]
        if stage is not None:
            found[known] = stage[1][np.searchsorted(stage[0], totals[known])]
        yield found.copy(), totals.copy(), known


def possible_range(answers: Answers, points: list[int]) -> tuple[Integers, Integers]:
    """The lowest and the highest total that the answers allow."""
    values = np.array(points, np.int64)
    sure = np.where(answers > 0, values, 0).sum(axis=1)
    lowest = sure + np.where(answers < 0, np.minimum(values, 0), 0).sum(axis=1)
    highest = sure + np.where(answers < 0, np.maximum(values, 0), 0).sum(axis=1)
    return lowest, highest


def patterns_of(answers: Answers, outcome: NDArray[np.bool_], weights: Floats) -> Patterns:
    """Count the cases that answer alike: all figures of a list depend on nothing else."""
    codes = np.zeros(len(answers), np.int64)
    for number in range(answers.shape[1]):
        codes = 3 * codes + answers[:, number]
        if number % MOST_DIGITS == MOST_DIGITS - 1:
            codes = np.unique(codes, return_inverse=True)[1].ravel()
    _, first, places = np.unique(codes, return_index=True, return_inverse=True)
    places = places.ravel()
    cases = np.bincount(places, weights).astype(np.float64)
    positives = np.bincount(places, weights * outcome).astype(np.float64)
    return Patterns(answers[first], cases, positives)


def stage_figures(
    patterns: Patterns,
    scale: float,
    points: list[int],
    calibration: str,
    strength: float | None,
    kind: str,
    level: float,
) -> list[StageFigures]:
    """Figures for stages 0 … K, each from the cases that answered all of its questions.

    Ends before the first stage that no case has fully answered. `scale` is what the weights were
    multiplied with to be effective numbers; penalties and pseudo-cases are set against the weights
    as they came.
    """
    figures: list[StageFigures] = []
    stages = zip(possible_totals(points), standings(patterns.answers, points), strict=True)
    for number, (possible, (totals, reached)) in enumerate(stages):
        stage_totals = np.array(possible, np.int64)
        there = reached == number
        if not there.any():
            break
        places = np.searchsorted(stage_totals, totals[there])
        size = stage_totals.size
        cases = np.bincount(places, patterns.cases[there], size).astype(np.float64)
        positives = np.bincount(places, patterns.positives[there], size).astype(np.float64)
        chances = calibrate(calibration, stage_totals, cases, positives, strength, scale)
        bounds = band(kind, cases, positives, chances, level)
        figures.append(StageFigures(stage_totals, cases, positives, chances, bounds))
    return figures


def evidence(patterns: Patterns) -> Evidence:
    """The answer patterns with their counts as a value."""
    texts = ("".join("01?"[answer] for answer in row) for row in patterns.answers.tolist())
    return Evidence(
        tuple(map(Pattern, texts, patterns.cases.tolist(), patterns.positives.tolist()))
    )

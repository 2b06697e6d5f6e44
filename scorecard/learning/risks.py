"""The figures of a list: answer patterns, counts per stage and total, probabilities, bands."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scorecard.core.calibration import band, calibrated
from scorecard.core.evidence import MAX_PATTERNS, CrossValidation, Evidence, Pattern
from scorecard.core.model import Question, RiskSource, ScoringList, Stage, possible_totals
from scorecard.core.recalibration import ranged
from scorecard.core.walk import Shares, spread_counts
from scorecard.errors import LearningError
from scorecard.learning.counts import Floats, Integers
from scorecard.learning.inputs import Input, answers

logger = logging.getLogger("scorecard.learning")

Answers = NDArray[np.int8]
"""One row per case and one column per question: 1 yes, 0 no, −1 unknown."""

# A code of so many answers, three kinds each, of which cases can be told apart before it.
MOST_DIGITS = 18


@dataclass(frozen=True)
class Patterns:
    """The different rows of answers, with how many cases and positives gave each."""

    answers: Answers
    cases: Floats
    positives: Floats

    def scaled(self, factor: float) -> Patterns:
        """The same, each case so many times as heavy."""
        return replace(self, cases=self.cases * factor, positives=self.positives * factor)

    def values(self) -> Iterator[Pattern]:
        """Each as a list's evidence has it."""
        texts = ("".join("01?"[answer] for answer in row) for row in self.answers.tolist())
        return map(Pattern, texts, self.cases.tolist(), self.positives.tolist())

    @property
    def few(self) -> bool:
        """Whether they can be kept; beyond that many they are hardly more than single cases."""
        return len(self.answers) <= MAX_PATTERNS


def figures_by_stage(
    stages: Sequence[tuple[Integers, Floats] | None],
    answers: Answers,
    points: list[int],
    evidence: Evidence | None = None,
) -> Iterator[tuple[Floats, Integers, NDArray[np.bool_]]]:
    """After each stage from 0 on: every case's figures, its total, and who gave all answers.

    A stage is its totals, ascending, with a row of figures for each; `None` has none. A case with
    an unknown answer has the mean of both ways, each as likely as in the cases of the evidence that
    answer; without evidence it keeps the figures of the last stage it reached, before any NaN.
    """
    width = next(figures.shape[1] for figures in (one[1] for one in stages if one))
    found = np.full((len(answers), width), np.nan)
    gaps = (answers[:, : len(points)] < 0).any(axis=1)
    first, places = alike(answers[gaps, : len(points)])
    kinds = answers[gaps][first, : len(points)]
    ways = _spread(kinds, points, evidence) if first.size and evidence else None
    for number, (totals, reached) in enumerate(standings(answers, points)):
        known, stage, parts = reached == number, stages[number], next(ways) if ways else None
        if stage is not None:
            found[known] = stage[1][np.searchsorted(stage[0], totals[known])]
            if parts is not None:
                found[~known] = (parts @ stage[1])[places[~known[gaps]]]
        yield found.copy(), totals.copy(), known


def _spread(kinds: Answers, points: list[int], evidence: Evidence) -> Iterator[Floats]:
    """After each stage from 0 on: for these answers how likely each total is, ascending."""
    shares = spread_counts(points, evidence.patterns).shares
    return spread(kinds, points, possible_totals(points), shares)


def alike(answers: Answers) -> tuple[Integers, Integers]:
    """The first case of every kind of answers, and of which kind each case is."""
    codes = np.zeros(len(answers), np.int64)
    for number in range(answers.shape[1]):
        codes = 3 * codes + answers[:, number]
        if number % MOST_DIGITS == MOST_DIGITS - 1:
            codes = np.unique(codes, return_inverse=True)[1].ravel()
    _, first, places = np.unique(codes, return_index=True, return_inverse=True)
    return first, places.ravel()


def patterns_of(answers: Answers, outcome: NDArray[np.bool_], weights: Floats) -> Patterns:
    """Count the cases that answer alike: all figures of a list depend on nothing else."""
    first, places = alike(answers)
    cases = np.bincount(places, weights).astype(np.float64)
    positives = np.bincount(places, weights * outcome).astype(np.float64)
    return Patterns(answers[first], cases, positives)


def stages_of(
    patterns: Patterns, points: list[int], calibration: str, strength: float, level: float
) -> list[Stage]:
    """Stages 0 … K with risks, each from the cases that answered all of its questions.

    Ends before the first stage that no case has fully answered. Weights are effective numbers; the
    strength is set against them. A stage has no ranges where the data contradict a rising risk.
    """
    stages: list[Stage] = []
    walking = zip(possible_totals(points), standings(patterns.answers, points), strict=True)
    for number, (possible, (totals, reached)) in enumerate(walking):
        there = reached == number
        if not there.any():
            break
        places = np.searchsorted(possible, totals[there])
        cases, positives = (
            np.bincount(places, some[there], len(possible)).tolist()
            for some in (patterns.cases, patterns.positives)
        )
        counts = list(zip(cases, positives, strict=True))
        risks = calibrated(calibration, possible, counts, strength) or []
        stages.append(Stage(possible, ranged(risks, quick_band(counts, level), counts)))
    return stages


def quick_band(
    counts: Sequence[tuple[float, float]], level: float
) -> list[tuple[float, float]] | None:
    """`calibration.band` by scipy."""
    return band(counts, level, _lower_bound)


def _lower_bound(positives: float, cases: float, confidence: float) -> float:
    """As in `core.binomial`, many times faster: a report has hundreds of thousands."""
    if positives <= 0:
        return 0.0
    from scipy.special import betaincinv

    return float(betaincinv(positives, cases - positives + 1.0, 1.0 - confidence))


def evidence(patterns: Patterns) -> Evidence:
    """The answer patterns with their counts as a value."""
    return Evidence(tuple(patterns.values()))


def answers_of(questions: Sequence[Question], table: Sequence[Input]) -> Answers:
    """One row per case, one column per question: 1 yes, 0 no, −1 unknown."""
    by_name = {one.name: one for one in table}
    found = np.empty((len(table[0].values), len(questions)), np.int8)
    for place, question in enumerate(questions):
        yes = answers(by_name[question.input], question.condition)
        if other := question.if_unknown:
            yes = np.where(np.isnan(yes), answers(by_name[other.input], other.condition), yes)
        found[:, place] = np.where(np.isnan(yes), -1, yes)
    return found


@dataclass(frozen=True)
class FittedList:
    """Questions in order with the risks of every stage, for many cases at once.

    `patterns` are those of the cases behind them, `None` if there are too many to keep. `strength`
    is that of the calibration, set against the weights that the patterns have.
    """

    questions: tuple[Question, ...]
    stages: tuple[Stage, ...]
    patterns: Patterns | None = None
    check: CrossValidation | None = None
    strength: float = 0.0

    def stage(self, stage: Any) -> int:
        """A number of questions, by default all of them."""
        last = len(self.questions)
        if stage is None:
            return last
        whole = isinstance(stage, (int, np.integer)) and not isinstance(stage, bool)
        if not whole or not 0 <= stage <= last:
            raise LearningError(f"stage: {stage!r} came, expected a whole number from 0 to {last}.")
        return int(stage)

    def standings(self, given: Answers, stage: int) -> tuple[Integers, Integers]:
        """Totals where the known answers end, at `stage` at the latest, and the stage that is."""
        *_, last = standings(given, self._points[:stage])
        return last

    def chances(self, given: Answers, stage: int) -> Floats:
        """The probability of the positive class, with unknown answers the mean of both ways."""
        curves = [_curve(one) for one in self.stages]
        stages = [(totals, risks[:, None]) for totals, risks in curves]
        *_, (found, _, _) = figures_by_stage(
            stages, given, self._points[:stage], self._evidence(given)
        )
        return found[:, 0]

    def leanings(self, given: Answers, stage: int, inclusive: bool) -> Floats:
        """Totals, less the one at which the more probable class changes.

        With unknown answers the total is the one, between two where need be, whose probability is
        that of the case.
        """
        totals, reached = self.standings(given, stage)
        shifts = np.array([_tipping_total(one, inclusive) for one in self.stages])
        found = np.asarray(totals - shifts[reached])
        if (unknown := reached < stage).any() and self.patterns:
            chances = self.chances(given[unknown], stage)
            found[unknown] = _total_at(self.stages[stage], chances, shifts[stage]) - shifts[stage]
        return found

    def intervals(self, given: Answers, stage: int) -> Floats:
        """Lower and upper bound of the probability over all totals that the answers allow."""
        one = self.stages[stage]
        if one.risks[0].lower is None:
            raise LearningError(
                f"stage {stage} has no band: the data contradict a risk that rises with the total."
            )
        lowest, highest = possible_range(given[:, :stage], self._points[:stage])
        lower, upper = np.array([(risk.lower, risk.upper) for risk in one.risks], np.float64).T
        return np.column_stack(
            (
                lower[np.searchsorted(one.totals, lowest)],
                upper[np.searchsorted(one.totals, highest)],
            )
        )

    def scoring_list(self, source: RiskSource) -> ScoringList:
        """The list as a value, in plain Python numbers."""
        found = evidence(self.patterns) if self.patterns else None
        if found is None:
            logger.warning("more answer patterns than can be kept: the list has no evidence")
        return ScoringList(
            self.questions,
            self.stages,
            risk_source=source,
            evidence=found,
            cross_validation=self.check,
        )

    def _evidence(self, given: Answers) -> Evidence | None:
        """What unknown answers are weighed by, where there are any."""
        return evidence(self.patterns) if self.patterns and (given < 0).any() else None

    @property
    def _points(self) -> list[int]:
        return [question.points for question in self.questions]


def _curve(stage: Stage) -> tuple[Integers, Floats]:
    """The totals, ascending, and their risks."""
    return np.array(stage.totals), np.array([risk.probability for risk in stage.risks])


def _tipping_total(stage: Stage, inclusive: bool) -> float:
    """Between the totals at most (`inclusive`: less) as probable as one half and the others."""
    totals, risks = _curve(stage)
    place = int(np.searchsorted(risks, 0.5, "left" if inclusive else "right"))
    if place == 0:
        return float(totals[0]) - 0.5
    if place == totals.size:
        return float(totals[-1]) + 0.5
    return float(totals[place - 1] + totals[place]) / 2


def _total_at(stage: Stage, chances: Floats, tipping: float) -> Floats:
    """Where these probabilities lie among the totals, one half at the tipping total."""
    totals, risks = _curve(stage)
    place = int(np.searchsorted(totals, tipping))
    return np.interp(chances, np.insert(risks, place, 0.5), np.insert(totals + 0.0, place, tipping))


# The walk of `core/walk`, for many cases at once --------------------------------------------------


def standings(answers: Answers, points: Sequence[int]) -> Iterator[tuple[Integers, Integers]]:
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


def possible_range(answers: Answers, points: Sequence[int]) -> tuple[Integers, Integers]:
    """The lowest and the highest total that the answers allow."""
    values = np.array(points, np.int64)
    sure = np.where(answers > 0, values, 0).sum(axis=1)
    lowest = sure + np.where(answers < 0, np.minimum(values, 0), 0).sum(axis=1)
    highest = sure + np.where(answers < 0, np.maximum(values, 0), 0).sum(axis=1)
    return lowest, highest


def spread(
    answers: Answers,
    points: Sequence[int],
    totals: Sequence[Sequence[int]],
    shares: Sequence[Shares],
) -> Iterator[Floats]:
    """After each stage from 0 on: how likely each total is, with unknown answers both ways.

    `totals` are those that each stage can have, ascending; `shares` as in `walk.spread_counts`.
    """
    parts = np.ones((len(answers), 1))
    yield parts
    for number, yes in enumerate(shares):
        here, after = (np.array(totals[stage]) for stage in (number, number + 1))
        given = answers[:, number, None]
        share = np.array([yes.get(total, yes[None]) for total in here.tolist()])
        chance = np.where(given < 0, share, given)
        both = np.zeros((len(answers), after.size))
        both[:, np.searchsorted(after, here + points[number])] += parts * chance
        both[:, np.searchsorted(after, here)] += parts * (1 - chance)
        parts = both
        yield parts

"""What a learned list says of cases: totals, probabilities, intervals, and the list as a value."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from scorecard.core.model import CrossCheck, Figures, Question, ScoringList
from scorecard.errors import LearningError
from scorecard.learning.counts import Floats, Integers
from scorecard.learning.inputs import Input, answers
from scorecard.learning.risks import (
    Answers,
    Patterns,
    StageFigures,
    evidence,
    figures_by_stage,
    possible_range,
    standings,
)

logger = logging.getLogger("scorecard.learning")


def answers_of(questions: Sequence[Question], table: Sequence[Input]) -> Answers:
    """One row per case, one column per question: 1 yes, 0 no, −1 unknown."""
    by_name = {one.name: one for one in table}
    found = np.empty((len(table[0].values), len(questions)), np.int8)
    for place, question in enumerate(questions):
        yes = answers(by_name[question.input], question.condition)
        found[:, place] = np.where(np.isnan(yes), -1, yes)
    return found


@dataclass(frozen=True)
class FittedList:
    """Questions in order with the figures of every stage.

    A list learned from comparisons has no figures. `patterns` are those of the cases behind the
    figures, `None` if there are too many to keep.
    """

    questions: tuple[Question, ...]
    figures: tuple[StageFigures, ...] = ()
    patterns: Patterns | None = None
    check: CrossCheck | None = None

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
        """The probability of the positive class at the last stage reached."""
        stages = [(one.totals, one.probabilities[:, None]) for one in self._needed_figures()]
        *_, (found, _, _) = figures_by_stage(stages, given, self._points[:stage])
        return found[:, 0]

    def leanings(self, given: Answers, stage: int, inclusive: bool) -> Floats:
        """Totals, less the one at which the more probable class changes."""
        totals, reached = self.standings(given, stage)
        if not self.figures:
            return totals.astype(np.float64)
        shifts = np.array([one.tipping_total(inclusive) for one in self.figures])
        return np.asarray(totals - shifts[reached])

    def intervals(self, given: Answers, stage: int) -> Floats:
        """Lower and upper bound of the probability over all totals that the answers allow."""
        one = self._needed_figures()[stage]
        if one.bounds is None:
            raise LearningError(
                f"stage {stage} has no band: "
                + (
                    "no range is known that would cover the risk of a cross-checked list."
                    if self.check
                    else "the data contradict a risk that rises with the total."
                )
            )
        lowest, highest = possible_range(given[:, :stage], self._points[:stage])
        lower, upper = one.bounds
        return np.column_stack(
            (
                lower[np.searchsorted(one.totals, lowest)],
                upper[np.searchsorted(one.totals, highest)],
            )
        )

    def scoring_list(self, about_figures: Figures) -> ScoringList:
        """The list as a value, in plain Python numbers."""
        if not self.figures:
            return ScoringList(self.questions, (None,) * (len(self.questions) + 1))
        found = evidence(self.patterns) if self.patterns else None
        if found is None:
            logger.warning("more answer patterns than can be kept: the list has no evidence")
        stages = tuple(one.stage() for one in self.figures)
        return ScoringList(
            self.questions, stages, figures=about_figures, evidence=found, cross_check=self.check
        )

    def _needed_figures(self) -> tuple[StageFigures, ...]:
        if not self.figures:
            raise LearningError(
                "this list was learned from comparisons and has no probabilities;"
                " use totals or decision_function."
            )
        return self.figures

    @property
    def _points(self) -> list[int]:
        return [question.points for question in self.questions]

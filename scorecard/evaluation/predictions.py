"""What a list says about cases, stage by stage, from their answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scorecard.core.model import Condition, Question, ScoringList, Stage
from scorecard.learning import inputs as reading
from scorecard.learning.bands import band
from scorecard.learning.counts import Floats, Integers
from scorecard.learning.inputs import Input
from scorecard.learning.risks import Answers, standings

# The paper decides by the upper end of the 50 % band; at 95 % hardly anybody is left to rule out.
LOSS_LEVEL = 0.5


@dataclass(frozen=True)
class StagePrediction:
    """Risk, upper bound of the risk, and total of every case after one number of questions.

    A case with an unknown answer keeps the risk of the last stage it reached with all answers
    known; `known` says who has all answers, and only their totals are comparable.
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
    risks, uppers = np.full((2, len(answers)), np.nan)
    found: list[StagePrediction | None] = []
    for number, (totals, reached) in enumerate(standings(answers, points)):
        stage, known = scoring_list.stages[number], reached == number
        if stage is None:
            found.append(None)
            continue
        places = np.searchsorted(np.array(stage.totals), totals[known])
        risks[known] = np.array([risk.probability for risk in stage.risks])[places]
        uppers[known] = _uppers(stage)[places]
        found.append(StagePrediction(risks.copy(), uppers.copy(), totals.copy(), known))
    return found


def known_answers(questions: Sequence[Question], inputs: Sequence[Input]) -> Answers:
    """The cases' answers; a value that the list does not know is an unknown answer.

    A list learned from a part of the cases may meet a category, or a number beside 0 and 1, that
    its part did not have.
    """
    by_name = {one.name: one for one in inputs}
    answers = np.empty((len(inputs[0].values), len(questions)), np.int8)
    for place, question in enumerate(questions):
        one = _understood(by_name[question.input], question.condition)
        yes = reading.answers(one, question.condition)
        answers[:, place] = np.where(np.isnan(yes), -1, yes)
    return answers


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
    if any(risk.cases is None for risk in stage.risks):
        return np.ones(len(stage.risks))
    probabilities, cases, positives = np.array(
        [(risk.probability, risk.cases, risk.positives) for risk in stage.risks], np.float64
    ).T
    bounds = band("paper", cases, positives, probabilities, LOSS_LEVEL)
    return np.ones(len(stage.risks)) if bounds is None else bounds[1]

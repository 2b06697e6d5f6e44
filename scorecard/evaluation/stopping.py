"""A stopping policy on new cases: who stops where, who is missed, who is undecided."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from scorecard.core.staircase import Decision, Staircase
from scorecard.evaluation.accuracy import Outcomes, Rate
from scorecard.learning.risks import Answers

_ANSWER = {1: True, 0: False, -1: None}

End = tuple[int, Decision]
"""After how many answers, with which decision."""

Counts = tuple[float, float]
"""Cases and positives."""


@dataclass(frozen=True)
class Ends:
    """Where the cases end: cases and positives by stage and decision.

    `costs[k]` is what the first k questions cost, if the list says so. `rounds` is how often each
    case was tested on average; rates and their intervals count every case once.
    """

    counts: Mapping[End, Counts]
    rounds: float = 1.0
    costs: tuple[float, ...] = field(default=())

    @property
    def cases(self) -> float:
        return self._sum(())[0]

    def share(self, stage: int, decision: Decision) -> float:
        return self.counts.get((stage, decision), (0.0, 0.0))[0] / self.cases

    def rate(self, stage: int, decision: Decision) -> Rate:
        """Positives among those who end here."""
        cases, positives = self.counts.get((stage, decision), (0.0, 0.0))
        return self._rate(positives, cases)

    def shares(self) -> dict[Decision, float]:
        """Share of the cases that ends with each decision; they add up to 1."""
        decisions: tuple[Decision, ...] = ("rule out", "rule in", "undecided", "unknown")
        return {one: self._sum((one,))[0] / self.cases for one in decisions}

    @property
    def mean_questions(self) -> float:
        return sum(stage * cases for (stage, _), (cases, _) in self.counts.items()) / self.cases

    @property
    def mean_cost(self) -> float | None:
        if not self.costs:
            return None
        spent = sum(self.costs[stage] * cases for (stage, _), (cases, _) in self.counts.items())
        return spent / self.cases

    @property
    def missed(self) -> Rate:
        """Positives among the ruled out."""
        cases, positives = self._sum(("rule out",))
        return self._rate(positives, cases)

    @property
    def right_to_treat(self) -> Rate:
        """Positives among the ruled in (positive predictive value)."""
        cases, positives = self._sum(("rule in",))
        return self._rate(positives, cases)

    def sensitivity(self, lenient: bool) -> Rate:
        """Positives that are ruled in; leniently also those that are not ruled out."""
        _, positives = self._sum(())
        _, hit = self._sum(("rule in", *(OPEN if lenient else ())))
        return self._rate(hit, positives)

    def specificity(self, lenient: bool) -> Rate:
        """Negatives that are ruled out; leniently also those that are not ruled in."""
        cases, positives = self._sum(())
        some, wrong = self._sum(("rule out", *(OPEN if lenient else ())))
        return self._rate(some - wrong, cases - positives)

    def _sum(self, decisions: tuple[Decision, ...]) -> Counts:
        chosen = [
            count for (_, what), count in self.counts.items() if not decisions or what in decisions
        ]
        return sum(cases for cases, _ in chosen), sum(positives for _, positives in chosen)

    def _rate(self, positives: float, cases: float) -> Rate:
        return Rate(positives / self.rounds, cases / self.rounds)


OPEN: tuple[Decision, ...] = ("undecided", "unknown")


def ends_of(staircase: Staircase, answers: Answers, outcome: Outcomes) -> Ends:
    """Walk every case through the staircase; each pattern of answers is walked once."""
    asked = np.ascontiguousarray(answers[:, : len(staircase.questions)])
    patterns, places = (
        np.unique(asked, axis=0, return_inverse=True)
        if asked.shape[1]
        else (asked[:1], np.zeros(len(asked), np.int64))
    )
    cases = np.bincount(places.ravel(), minlength=len(patterns)).tolist()
    positives = np.bincount(places.ravel(), outcome, len(patterns)).tolist()
    counts: dict[End, Counts] = {}
    for pattern, some, hit in zip(patterns.tolist(), cases, positives, strict=True):
        found = staircase.decide([_ANSWER[answer] for answer in pattern])
        _add(counts, (found.stage, found.decision), (some, hit))
    return Ends(counts, costs=_costs(staircase))


def pooled(several: Iterable[Ends], rounds: float) -> Ends:
    """The ends of several splits together."""
    counts: dict[End, Counts] = {}
    for one in several:
        for end, count in one.counts.items():
            _add(counts, end, count)
    return Ends(counts, rounds)


def _add(counts: dict[End, Counts], end: End, more: Counts) -> None:
    cases, positives = counts.get(end, (0.0, 0.0))
    counts[end] = cases + more[0], positives + more[1]


def _costs(staircase: Staircase) -> tuple[float, ...]:
    costs = [question.cost for question in staircase.questions]
    if not any(cost is not None for cost in costs):
        return ()
    return tuple(float(sum(cost or 0 for cost in costs[:k])) for k in range(len(costs) + 1))

"""What to ask where the answer to a question is unknown: an input that answers nearly the same.

A substitute is chosen on the cases that have both values, by how far its answers agree with those
of the question beyond chance (Cohen's kappa): with the cut-off or category that agrees best, if
that is at least `AGREEMENT` and as many as `FEWEST_BOTH` cases tell. It stands for one input, and
no question of the list asks for it: it would count twice. So a list with substitutes is searched
again without the inputs that are to be some.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from scorecard.core.model import Condition, Question, Substitute
from scorecard.core.question import inputs_of
from scorecard.learning.counts import Floats, Integers, Spans
from scorecard.learning.inputs import AskedColumn, Described, asked_columns
from scorecard.learning.options import OFTEN_UNKNOWN, Spending

AGREEMENT = 0.5
FEWEST_BOTH = 50


@dataclass(frozen=True)
class Together:
    """How cases answer questions about one input, by the value that they have of another one.

    Of each value, or bin of values, its ends (a category is its number), the cases that have it and
    know the answers, and how many of these say yes to each question. `helped` is the share that has
    the value of those who know no answer.
    """

    spans: Spans
    cases: Floats
    yes: Sequence[Floats]
    helped: float

    @classmethod
    def of(cls, own: Sequence[Floats], codes: Integers, ends: Spans, counts: Floats) -> Together:
        """From rows with their answers (NaN if unknown), the number of their value (−1 if none),
        its ends, and for how many cases each row stands.
        """
        unknown, has = np.isnan(own[0]), codes >= 0
        # Who has neither value is not helped; where all have the first, as many have the second.
        asked = counts * unknown if unknown.any() else counts
        both = ~unknown & has
        places, weights, size = codes[both], counts[both], int(codes.max(initial=-1)) + 1
        cases, *yes = (
            np.bincount(places, weights * one, size).astype(np.float64)
            for one in (np.ones(weights.size), *(one[both] for one in own))
        )
        lowest, highest = np.full(size, np.inf), np.full(size, -np.inf)
        np.minimum.at(lowest, places, ends[0][both])
        np.maximum.at(highest, places, ends[1][both])
        spans = lowest[cases > 0], highest[cases > 0]
        said = [one[cases > 0] for one in yes]
        return cls(spans, cases[cases > 0], said, float(1 - asked[~has].sum() / asked.sum()))


Pairs = Callable[[Sequence[Question], Described], Together]
"""Counts the cases that a substitute is chosen on."""


@dataclass(frozen=True)
class _Found:
    """A condition of another input, and how far it agrees with a question."""

    kappa: float
    condition: Condition


@dataclass(frozen=True)
class Substitutes:
    """What may stand in for inputs that are often unknown, and the cases it is chosen on."""

    inputs: Sequence[Described]
    pairs: Pairs
    spending: Spending
    rounded: bool

    def put_on(self, questions: Sequence[Question]) -> tuple[Question, ...]:
        """The questions; those that are often unknown with substitutes where there are some."""
        chosen = self._chosen(questions, set(inputs_of(questions)))
        return tuple(
            replace(one, if_unknown=chosen[one]) if one in chosen else one for one in questions
        )

    def wanted(self, questions: Sequence[Question]) -> frozenset[str]:
        """Inputs that would be good substitutes if no question of the list asked for them."""
        return frozenset(one.input for one in self._chosen(questions, set()).values())

    def _chosen(self, questions: Sequence[Question], taken: set[str]) -> dict[Question, Substitute]:
        """By question the substitute that agrees best, of the inputs that are not taken."""
        chosen: dict[Question, Substitute] = {}
        used: set[str] = set()
        for name in _often_unknown(questions, self.spending):
            asked = [
                one for one in questions if one.input == name and not one.condition.is_presence
            ]
            if name in used or not asked or any(one.if_unknown for one in asked):
                continue
            used.add(name)
            others = [one for one in self.inputs if one.name not in taken | used]
            best = max(
                self._candidates(asked, others),
                key=lambda found: sum(one.kappa for one in found[1]),
                default=None,
            )
            if best is not None:
                used.add(best[0])
                for question, found in zip(asked, best[1], strict=True):
                    chosen[question] = _substitute(best[0], found.condition, self.spending)
        return chosen

    def _candidates(
        self, asked: Sequence[Question], others: Sequence[Described]
    ) -> Iterator[tuple[str, list[_Found]]]:
        """Inputs that agree well enough with every question about an input, with conditions."""
        for other in others:
            if self.spending.available.get(other.name, 1.0) == 0:
                continue
            both = self.pairs(asked, other)
            if both.helped < 0.5 or both.cases.sum() < FEWEST_BOTH:
                continue
            found = [_best(both, yes, other, self.rounded) for yes in both.yes]
            if all(one.kappa >= AGREEMENT for one in found):
                yield other.name, found


def _often_unknown(questions: Sequence[Question], spending: Spending) -> list[str]:
    shares: Mapping[str, float] = spending.available
    names = dict.fromkeys(one.input for one in questions)
    return [name for name in names if 1 - shares.get(name, 1.0) > OFTEN_UNKNOWN]


def _best(both: Together, yes: Floats, other: Described, rounded: bool) -> _Found:
    """The condition of the other input that agrees best with these answers."""
    found = (
        _agreement(column, both, yes, other, rounded) for column in asked_columns([other], False)
    )
    return max(found, key=lambda one: one.kappa)


def _agreement(
    column: AskedColumn, both: Together, positive: Floats, other: Described, rounded: bool
) -> _Found:
    cases, spans = both.cases, both.spans
    if column.condition is not None:
        says_yes = _says_yes(column.condition, spans[0], other)
        cases, positive = (
            np.array([one[~says_yes].sum(), one[says_yes].sum()]) for one in (cases, positive)
        )
        cases, positive = cases[cases > 0], positive[cases > 0]
    # Cut k takes the values from the k-th on for yes; a fixed condition has one cut.
    above, above_yes = (np.cumsum(one[::-1])[::-1][1:] for one in (cases, positive))
    if not above.size:
        return _Found(0.0, column.condition or Condition(">=", float(spans[0][0])))
    total, total_yes = cases.sum(), positive.sum()
    same = (above_yes + (total - above) - (total_yes - above_yes)) / total
    share, share_yes = above / total, total_yes / total
    chance = share * share_yes + (1 - share) * (1 - share_yes)
    kappa = np.divide(same - chance, 1 - chance, out=np.zeros(same.size), where=chance < 1)
    turned = np.divide((1 - same) - (1 - chance), chance, out=np.zeros(same.size), where=chance > 0)
    best = int(np.maximum(kappa, turned).argmax())
    condition = column.condition_at(best + 1, spans, rounded)
    is_turned = turned[best] > kappa[best]
    return _Found(
        float(max(kappa[best], turned[best])), condition.opposite() if is_turned else condition
    )


def _says_yes(condition: Condition, values: Floats, other: Described) -> NDArray[np.bool_]:
    if not condition.is_categorical:
        return np.asarray(values == 1)
    known = other.categories()
    return np.array([known[int(one)] in condition.categories for one in values], bool)


def _substitute(name: str, condition: Condition, spending: Spending) -> Substitute:
    cost, panel = spending.costs.get(name), spending.panels.get(name, "")
    return Substitute(name, condition, cost=cost, panel=panel)

"""What to ask where the answer to a question is unknown: an input that answers nearly the same.

A substitute is chosen on the cases that have both values, by how far its answers agree with those
of the question beyond chance (Cohen's kappa): with the cut-off or category that agrees best, if
that is at least `AGREEMENT` and as many as `FEWEST_BOTH` cases tell. It stands for one input, and
no question of the list asks for it: it would count twice. So a list with substitutes is searched
again without the inputs that are to be some.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from scorecard.core.model import Condition, Question, Substitute
from scorecard.core.question import inputs_of
from scorecard.learning.counts import Floats
from scorecard.learning.inputs import AskedColumn, Input, answers, asked_columns
from scorecard.learning.weighing import OFTEN_UNKNOWN, Spending

AGREEMENT = 0.5
FEWEST_BOTH = 50


@dataclass(frozen=True)
class _Found:
    """A condition of another input, and how far it agrees with a question."""

    kappa: float
    condition: Condition


def with_substitutes(
    questions: Sequence[Question], inputs: Sequence[Input], spending: Spending, rounded: bool
) -> tuple[Question, ...]:
    """The questions, those about inputs that are often unknown with a substitute if there is one.

    `inputs` have the cases that it is chosen on.
    """
    chosen = _chosen(questions, inputs, spending, rounded, set(inputs_of(questions)))
    return tuple(
        replace(one, if_unknown=chosen[one]) if one in chosen else one for one in questions
    )


def substitutable(
    questions: Sequence[Question], inputs: Sequence[Input], spending: Spending, rounded: bool
) -> frozenset[str]:
    """Inputs that would be good substitutes if no question of the list asked for them."""
    chosen = _chosen(questions, inputs, spending, rounded, set())
    return frozenset(one.input for one in chosen.values())


def _chosen(
    questions: Sequence[Question],
    inputs: Sequence[Input],
    spending: Spending,
    rounded: bool,
    taken: set[str],
) -> dict[Question, Substitute]:
    """By question the substitute that agrees best, of the inputs that are not taken."""
    by_name = {one.name: one for one in inputs}
    chosen: dict[Question, Substitute] = {}
    used: set[str] = set()
    for name in _often_unknown(questions, spending):
        asked = [one for one in questions if one.input == name and not one.condition.is_presence]
        if name in used or not asked or any(one.if_unknown for one in asked):
            continue
        used.add(name)
        best = max(
            _candidates(
                asked,
                by_name,
                [one for one in inputs if one.name not in taken | used],
                spending,
                rounded,
            ),
            key=lambda found: sum(one.kappa for one in found[1]),
            default=None,
        )
        if best is not None:
            used.add(best[0])
            for question, found in zip(asked, best[1], strict=True):
                chosen[question] = _substitute(best[0], found.condition, spending)
    return chosen


def _often_unknown(questions: Sequence[Question], spending: Spending) -> list[str]:
    shares: Mapping[str, float] = spending.available
    names = dict.fromkeys(one.input for one in questions)
    return [name for name in names if 1 - shares.get(name, 1.0) > OFTEN_UNKNOWN]


def _candidates(
    asked: Sequence[Question],
    by_name: Mapping[str, Input],
    others: Sequence[Input],
    spending: Spending,
    rounded: bool,
) -> Iterator[tuple[str, list[_Found]]]:
    """Inputs that agree well enough with every question about an input, each with conditions."""
    own = [answers(by_name[one.input], one.condition) for one in asked]
    open_ = np.isnan(own[0])
    for other in others:
        missing = other.missing
        # Who has neither value is not helped; where all have the first, as many have the second.
        helped = 1 - (missing[open_] if open_.any() else missing).mean()
        if spending.available.get(other.name, 1.0) == 0 or helped < 0.5:
            continue
        found = [_best(yes, other, rounded) for yes in own]
        if all(one is not None and one.kappa >= AGREEMENT for one in found):
            yield other.name, [one for one in found if one is not None]


def _best(yes: Floats, other: Input, rounded: bool) -> _Found | None:
    """The condition of the other input that agrees best with these answers."""
    both = ~np.isnan(yes) & ~other.missing
    if both.sum() < FEWEST_BOTH:
        return None
    rows = replace(other, values=other.values[both], known=other.categories())
    found = (
        _agreement(column, yes[both], rows, rounded) for column in asked_columns([rows], False)
    )
    return max(found, key=lambda one: one.kappa, default=None)


def _agreement(column: AskedColumn, yes: Floats, other: Input, rounded: bool) -> _Found:
    numbers = column.numbers(other)
    values, places = np.unique(numbers, return_inverse=True)
    positive = np.bincount(places.ravel(), yes, values.size)
    cases = np.bincount(places.ravel(), minlength=values.size)
    # Cut k takes the values from the k-th on for yes; a fixed condition has one cut.
    above, above_yes = (np.cumsum(one[::-1])[::-1][1:] for one in (cases, positive))
    if not above.size:
        return _Found(0.0, column.condition or Condition(">=", float(values[0])))
    total, total_yes = cases.sum(), positive.sum()
    same = (above_yes + (total - above) - (total_yes - above_yes)) / total
    share, share_yes = above / total, total_yes / total
    chance = share * share_yes + (1 - share) * (1 - share_yes)
    kappa = np.divide(same - chance, 1 - chance, out=np.zeros(same.size), where=chance < 1)
    turned = np.divide((1 - same) - (1 - chance), chance, out=np.zeros(same.size), where=chance > 0)
    best = max(range(same.size), key=lambda cut: max(kappa[cut], turned[cut]))
    condition = column.condition_at(best + 1, (values, values), rounded)
    is_turned = turned[best] > kappa[best]
    return _Found(
        float(max(kappa[best], turned[best])), condition.opposite() if is_turned else condition
    )


def _substitute(name: str, condition: Condition, spending: Spending) -> Substitute:
    cost, panel = spending.costs.get(name), spending.panels.get(name, "")
    return Substitute(name, condition, cost=cost, panel=panel)

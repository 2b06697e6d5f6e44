"""Neighbouring totals as one box, so that every printed figure stands on enough cases.

Totals with the same decision are merged until a box has at least ten cases and its risk does not
contradict the counts printed below it. Where no more can be merged the box says "few seen" and has
no figure. Without counts, as in a published score, totals are one box where they say the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from itertools import groupby

from scorecard.core.binomial import at_least, at_most
from scorecard.core.model import Risk
from scorecard.core.staircase import Box, Decision
from scorecard.words.numbers import FEW_CASES
from scorecard.words.wording import Wording

LEVEL = 0.975  # each end of a 95 % interval: a risk outside it contradicts its counts


@dataclass(frozen=True, slots=True)
class Group:
    """Totals from `lowest` to `highest`, what to do there, and their risk and counts together."""

    lowest: int
    highest: int
    decision: Decision
    curtailed: bool
    risk: Risk | None

    @property
    def is_unseen(self) -> bool:
        return self.risk is not None and self.risk.cases == 0

    @property
    def is_few(self) -> bool:
        """Whether cases were counted and are too few for a figure."""
        return self.risk is not None and self.risk.cases is not None and self.risk.cases < FEW_CASES

    @property
    def has_figure(self) -> bool:
        return self.risk is not None and not self.is_few and not _contradicts(self)


def merged(boxes: Sequence[Box], wording: Wording) -> list[Group]:
    """The boxes of a row in groups, from the lowest total to the highest."""
    groups: list[Group] = []
    for _, same in groupby(boxes, lambda box: (box.decision, box.curtailed, _kind(box))):
        run = [Group(box.total, box.total, box.decision, box.curtailed, box.risk) for box in same]
        if run[0].risk is None:
            groups += run if run[0].curtailed else [_joined(run[0], run[-1])]
        elif run[0].risk.cases is None:
            groups += _saying_the_same(run, wording)
        else:
            groups += _with_enough_cases(run)
    return groups


def _kind(box: Box) -> str:
    return "none" if box.risk is None else "uncounted" if box.risk.cases is None else "counted"


def _saying_the_same(run: Sequence[Group], wording: Wording) -> list[Group]:
    def said(group: Group) -> tuple[str, str]:
        assert group.risk is not None
        return wording.risk(group.risk.probability), wording.range(group.risk)

    return [_joined(same[0], same[-1]) for same in (list(g) for _, g in groupby(run, said))]


def _with_enough_cases(run: list[Group]) -> list[Group]:
    # One estimate stands for all the totals it was pooled from: their counts belong together.
    groups = [reduce(_joined, same) for _, same in groupby(run, _probability)]
    while len(groups) > 1:
        needy = [place for place, group in enumerate(groups) if not group.has_figure]
        if not needy:
            break
        weakest = min(needy, key=lambda place: _cases(groups[place]))
        left = weakest - 1 if weakest and _is_nearer_below(groups, weakest) else weakest
        groups = [*groups[:left], _joined(*groups[left : left + 2]), *groups[left + 2 :]]
    return groups


def _is_nearer_below(groups: Sequence[Group], place: int) -> bool:
    if place + 1 == len(groups):
        return True
    here = _probability(groups[place])
    return here - _probability(groups[place - 1]) <= _probability(groups[place + 1]) - here


def _joined(one: Group, other: Group) -> Group:
    first, second = one.risk, other.risk
    joined = replace(one, highest=other.highest)
    if one is other or first is None or second is None or first.cases is None:
        return joined
    cases = _cases(one) + _cases(other)
    share = _cases(other) / cases if cases else 0.0
    risk = Risk(
        first.probability + share * (second.probability - first.probability),
        # Risks rise with the total: the outer ends hold for all of them together.
        first.lower if second.lower is not None else None,
        second.upper if first.lower is not None else None,
        cases,
        (first.positives or 0) + (second.positives or 0),
    )
    return replace(joined, risk=risk)


def _contradicts(group: Group) -> bool:
    risk = group.risk
    if risk is None or risk.cases is None or risk.positives is None:
        return False
    return _is_outside(risk.probability, risk.positives, risk.cases)


@lru_cache(maxsize=4096)  # each box is asked for its figure several times
def _is_outside(rate: float, positives: float, cases: float) -> bool:
    return min(tail(positives, cases, rate) for tail in (at_least, at_most)) < 1 - LEVEL


def _cases(group: Group) -> int | float:
    assert group.risk is not None
    return group.risk.cases or 0


def _probability(group: Group) -> float:
    assert group.risk is not None
    return group.risk.probability

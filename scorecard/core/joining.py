"""One figure for one patient: neighbouring totals share a box until it has enough cases.

Totals with the same decision are joined until a box has at least ten cases and its risk does not
contradict the counts beside it. Where no more can be joined the box keeps its counts and has no
figure. Every form shows these boxes: what a card says of a total, a calculator says too. Risks
without counts, as in a published score, stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, reduce
from itertools import groupby

from scorecard.core.binomial import at_least, at_most
from scorecard.core.model import Risk
from scorecard.core.staircase import Box

FEW_CASES = 10
# A risk that so few samples would contradict like this contradicts its counts. At 97.5 % one box in
# twenty does so by chance, and joining went on until a whole row was one box.
LEVEL = 0.999


def joined(boxes: Iterable[Box]) -> tuple[Box, ...]:
    """The boxes of a stage, each with the risk, range and counts of all it is joined with."""
    return tuple(_all_joined(boxes))


def _all_joined(boxes: Iterable[Box]) -> Iterator[Box]:
    for counted, same in groupby(boxes, _what_is_joined):
        run = list(same)
        for group in _with_enough_cases(run) if counted else ():
            risk, seen = (group.risk, None) if _has_figure(group) else (None, group.counts)
            for box in run:
                if group.totals[0] <= box.total <= group.totals[1]:
                    yield replace(box, risk=risk, totals=group.totals, seen=seen)
        if not counted:
            yield from run


def _what_is_joined(box: Box) -> tuple[str, bool] | None:
    """Boxes are joined where this is the same; `None` for boxes without counts."""
    if box.risk is None or box.risk.cases is None:
        return None
    return box.decision, box.curtailed


def _has_figure(group: Box) -> bool:
    cases, positives = group.counts or (0, 0)
    return cases >= FEW_CASES and not _is_outside(_probability(group), positives, cases)


def _with_enough_cases(groups: list[Box]) -> list[Box]:
    """Boxes joined to groups of totals, each with the risk and counts of all of them."""
    # One estimate stands for all the totals it was pooled from: their counts belong together.
    groups = [reduce(_together, same) for _, same in groupby(groups, _probability)]
    while len(groups) > 1:
        needy = [place for place, group in enumerate(groups) if not _has_figure(group)]
        if not needy:
            break
        weakest = min(needy, key=lambda place: (groups[place].counts or (0, 0))[0])
        left = weakest - 1 if weakest and _is_nearer_below(groups, weakest) else weakest
        groups = [*groups[:left], _together(*groups[left : left + 2]), *groups[left + 2 :]]
    return groups


def _is_nearer_below(groups: Sequence[Box], place: int) -> bool:
    if place + 1 == len(groups):
        return True
    here = _probability(groups[place])
    return here - _probability(groups[place - 1]) <= _probability(groups[place + 1]) - here


def _together(one: Box, other: Box) -> Box:
    first, second = one.risk, other.risk
    (cases, positives), (more, more_positives) = one.counts or (0, 0), other.counts or (0, 0)
    assert first is not None
    assert second is not None
    share = more / (cases + more) if cases + more else 0.0
    has_range = first.lower is not None and second.lower is not None
    risk = Risk(
        first.probability + share * (second.probability - first.probability),
        # Risks rise with the total: the outer ends hold for all of them together.
        first.lower if has_range else None,
        second.upper if has_range else None,
        cases + more,
        positives + more_positives,
    )
    return replace(one, risk=risk, totals=(one.totals[0], other.totals[1]))


@lru_cache(maxsize=4096)  # each box is asked for its figure several times
def _is_outside(rate: float, positives: float, cases: float) -> bool:
    return min(tail(positives, cases, rate) for tail in (at_least, at_most)) < 1 - LEVEL


def _probability(group: Box) -> float:
    assert group.risk is not None
    return group.risk.probability

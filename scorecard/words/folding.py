"""Neighbouring totals that say the same thing, as one: "2–4: 56" for "2: 56, 3: 56, 4: 56".

Nothing is lost but the repetition: the decision, the printed risk and the mark of few cases are the
same for all totals of a group, and their counts are added up. The mark stays even where the sum
is large: it is about the totals. A total nobody had is never folded into one that somebody had.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from scorecard.core.model import Risk
from scorecard.core.staircase import Box
from scorecard.words.wording import Wording


@dataclass(frozen=True, slots=True)
class Group:
    """Totals from `box.total` to `highest`; the box has the counts of all of them.

    `few` is the mark of those totals, not of their sum.
    """

    box: Box
    highest: int
    few: str


def folded(boxes: Sequence[Box], wording: Wording, with_ranges: bool) -> list[Group]:
    """The boxes of a row in groups; with ranges, totals with another range stay apart."""

    def said(box: Box) -> tuple[object, ...]:
        risk = box.risk
        if risk is None:
            return box.decision, box.curtailed
        figures = wording.risk(risk.probability), wording.few_mark(risk), risk.cases is None
        behind = wording.is_unseen(risk), with_ranges and wording.range(risk)
        return box.decision, box.curtailed, figures, behind

    return [_group(list(same), wording, with_ranges) for _, same in groupby(boxes, said)]


def _group(boxes: Sequence[Box], wording: Wording, with_ranges: bool) -> Group:
    first, risks = boxes[0], [box.risk for box in boxes if box.risk]
    together = _together(risks, with_ranges) if risks else None
    few = wording.few_mark(first.risk)
    return Group(replace(first, risk=together), boxes[-1].total, few)


def _together(risks: Sequence[Risk], with_ranges: bool) -> Risk:
    first = risks[0] if with_ranges else replace(risks[0], lower=None, upper=None)
    if first.cases is None:
        return first
    cases, positives = (sum(getattr(r, name) for r in risks) for name in ("cases", "positives"))
    return replace(first, cases=cases, positives=positives)

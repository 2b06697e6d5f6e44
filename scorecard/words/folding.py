"""The boxes of a row as they are drawn: totals that share a figure, or say the same, are one."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import groupby

from scorecard.core.evidence import Counts
from scorecard.core.model import Risk
from scorecard.core.staircase import Box, Decision
from scorecard.words.wording import Wording


@dataclass(frozen=True, slots=True)
class Group:
    """Totals from `lowest` to `highest`, what to do there, and their risk and counts together."""

    lowest: int
    highest: int
    decision: Decision
    curtailed: bool
    risk: Risk | None
    counts: Counts | None


def merged(boxes: Sequence[Box], wording: Wording) -> list[Group]:
    """The boxes of a row in groups, from the lowest total to the highest."""

    def shared(box: Box) -> Hashable:
        if box.counts is not None:
            return box.totals
        if box.risk is not None:
            return wording.risk(box.risk.probability), wording.range(box.risk)
        # What one can still end with differs from total to total.
        return box.total if box.curtailed else None

    def told(box: Box) -> Hashable:
        return box.decision, box.curtailed, box.counts is None, shared(box)

    runs = (list(same) for _, same in groupby(boxes, told))
    return [
        Group(
            run[0].total,
            run[-1].total,
            run[0].decision,
            run[0].curtailed,
            run[0].risk,
            run[0].counts,
        )
        for run in runs
    ]

"""Rising risks and their ranges from plain counts, with nothing but the standard library.

The learner estimates risks from all its cases; a stopping policy has to do it again for those who
get to each box. Both use the isotonic estimate of this module.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from scorecard.core.binomial import lower_bound, upper_bound

Counts = Sequence[tuple[float, float]]
"""Cases and positives per total, totals ascending."""


def isotonic(totals: Sequence[int], counts: Counts) -> list[float] | None:
    """The rising risks closest to the observed rates (pool adjacent violators).

    Totals nobody has lie on the line between their neighbours, and beyond the last seen total the
    risk stays as it is. `None` if there are no cases at all.
    """
    blocks: list[list[float]] = []  # cases, positives, number of seen totals
    for cases, positives in counts:
        if cases > 0:
            blocks.append([cases, positives, 1])
            while (
                len(blocks) > 1 and blocks[-2][1] * blocks[-1][0] >= blocks[-1][1] * blocks[-2][0]
            ):
                last = blocks.pop()
                blocks[-1] = [a + b for a, b in zip(blocks[-1], last, strict=True)]
    rates = [positives / cases for cases, positives, size in blocks for _ in range(int(size))]
    seen = [total for total, (cases, _) in zip(totals, counts, strict=True) if cases > 0]
    return [_interpolated(total, seen, rates) for total in totals] if seen else None


def band(counts: Counts, level: float, totals_of_stage: int) -> list[tuple[float, float]] | None:
    """The paper's band: Clopper–Pearson at level α/|Σ|, made monotone.

    `None` where the monotone correction crosses: the data contradict a rising risk at this level,
    and any range shown would look like a certainty that is not there.
    """
    confidence = 1 - (1 - level) / totals_of_stage / 2
    raw_lower = [lower_bound(positives, cases, confidence) for cases, positives in counts]
    raw_upper = [upper_bound(positives, cases, confidence) for cases, positives in counts]
    lower = list(accumulate(raw_lower, max))
    upper = list(accumulate(reversed(raw_upper), min))[::-1]
    if any(low > high for low, high in zip(lower, upper, strict=True)):
        return None
    return list(zip(lower, upper, strict=True))


def _interpolated(total: int, seen: Sequence[int], rates: Sequence[float]) -> float:
    if total <= seen[0]:
        return rates[0]
    for place in range(1, len(seen)):
        if total <= seen[place]:
            left, right = seen[place - 1], seen[place]
            low, high = rates[place - 1], rates[place]
            if total == right:
                return high
            # Clamped: the products may leave the two neighbours by a rounding error.
            on_line = low + (high - low) * (total - left) / (right - left)
            return min(max(on_line, low), high)
    return rates[-1]

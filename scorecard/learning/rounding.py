"""Cut-offs a person can remember: the roundest value that separates the same cases.

A learned cut lies between two neighbouring values of the data, v1 < v2. Every c with v1 < c ≤ v2
gives the same answers to "is x ≥ c?" on these data, so the roundest one is stored, calibrated,
printed and applied. Where quantiles are tried as cut-offs, a few cases more on one side matter
little: of the cuts near each, the one with the roundest number is tried in its place.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from math import floor as _floor
from math import inf, log10
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from scorecard.learning.counts import Floats, Integers, Spans

Number = int | float
Floor = Callable[[Any], Any]
Choose = Callable[[Any, Any, Any], Any]

# How far from a quantile a rounder cut-off may lie, as a share of the cases.
NEARBY = 0.02


@lru_cache(maxsize=4096)
def human_cutoff(below: Number, above: Number) -> Number:
    """The roundest c with below < c ≤ above, never with more decimals than the two values have.

    Roundest means fewest significant digits; if there are two or more, the best last one is 5.
    Among equals it is the one nearest the middle.

    Examples
    --------
    >>> human_cutoff(49, 52), human_cutoff(1.2, 1.3), human_cutoff(38.7, 41.2)
    (50, 1.3, 40)
    """
    if below < 0 <= above:
        return 0
    low, high = _decimal(below), _decimal(above)
    decimals = max(_decimals(low), _decimals(high))
    roundest = _roundest(int(low.scaleb(decimals)), int(high.scaleb(decimals)))
    cutoff = roundest / 10**decimals if roundest % 10**decimals else roundest // 10**decimals
    return cutoff if below < cutoff <= above else _plain(high)


def rounder_cuts(cuts: Integers, reached: Floats, spans: Spans) -> Integers:
    """For each cut the one nearby that has the roundest number, each of them once.

    `reached` is the share of the cases below each cut, the ends included.
    """
    lowest, highest = spans
    first = np.maximum(np.searchsorted(reached, reached[cuts] - NEARBY), 1)
    last = np.searchsorted(reached[:-1], reached[cuts] + NEARBY, "right") - 1
    ends = zip(highest[first - 1].tolist(), lowest[last].tolist(), strict=True)
    numbers = [human_cutoff(below, above) for below, above in ends]
    return np.unique(np.clip(np.searchsorted(highest, numbers), first, last)).astype(np.int64)


# From so many cases on, numbers are put on a grid: in memory, and wherever an engine counts.
ON_A_GRID = 50_000
MOST_BINS = 10_000  # between the smallest and the largest number
ENOUGH_BINS = 1_000  # where nearly all cases are; with fewer the grid is made finer there
TAIL = 0.001  # of the cases on either side of where nearly all are
ROUNDING = 2.0**-50  # of a product, with its factors


@dataclass(frozen=True)
class NumberGrid:
    """Bins of round numbers: multiples of a power of ten, finer between `first` and `last`."""

    decimals: int
    finer: int = 0
    first: float = inf
    last: float = -inf

    def label(self, value: Any, floor: Floor = np.floor, choose: Choose = np.where) -> Any:
        """The number of the bin that a value is in, in steps of the finest bins.

        Of arrays, or of the expressions of an engine that has its own `floor` and `choose`.
        """
        coarse = _steps(value, self.decimals, floor, choose)
        if not self.finer:
            return coarse
        fine = _steps(value, self.finer, floor, choose)
        inside = (value >= self.first) & (value < self.last)
        return choose(inside, fine, coarse * 10.0 ** (self.finer - self.decimals))


def coarse_grid(cases: int, lowest: float, highest: float) -> NumberGrid | None:
    """The finest that has no more than `MOST_BINS`; `None` if every number stands for itself."""
    if cases < ON_A_GRID or not highest > lowest:
        return None
    return NumberGrid(_floor(log10(MOST_BINS / (highest - lowest))))


def finer_grid(grid: NumberGrid, labels: Floats, rows: Floats | Integers) -> NumberGrid:
    """A grid that is finer where nearly all cases are, if that takes up few of its bins."""
    below = np.cumsum(rows)
    first, last = np.searchsorted(below, [TAIL * below[-1], (1 - TAIL) * below[-1]])
    start, stop = int(labels[first]), int(labels[min(last, labels.size - 1)]) + 1
    more = _floor(log10(MOST_BINS / (stop - start)))
    if stop - start >= ENOUGH_BINS or more < 1:
        return grid
    begin, end = (float(Decimal(steps).scaleb(-grid.decimals)) for steps in (start, stop))
    return replace(grid, finer=grid.decimals + more, first=begin, last=end)


def _steps(value: Any, decimals: int, floor: Floor, choose: Choose) -> Any:
    """How many powers of ten are not above the value, as people count: 0.29 has 29 hundredths.

    Products of numbers are rounded in the same way everywhere; quotients are not in polars, which
    multiplies by the reciprocal. What misses a whole number by rounding alone is that number.
    """
    product = value * 10.0**decimals
    return floor(choose(product >= 0, product * (1 + ROUNDING), product * (1 - ROUNDING)))


def midpoint(below: Number, above: Number) -> Number:
    """The value halfway, or `above` where halfway is not a value of its own."""
    middle = below / 2 + above / 2
    return middle if below < middle <= above else above


def beyond(values: Floats) -> Number:
    """A round value that no case reaches."""
    last = float(values[-1])
    return human_cutoff(last, last + max(1.0, float(values[-1] - values[0])))


def nice_step(values: Floats) -> float:
    """1, 2 or 5 times a power of ten, about a twentieth of the range of most values."""
    first, last = np.quantile(values, [0.05, 0.95])
    if not last > first:
        return 1.0
    rough = float(last - first) / 20
    power = 10.0 ** _floor(log10(rough))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= rough * (1 - 1e-9))


def _roundest(low: int, high: int) -> int:
    """The whole number in (low, high] with the fewest digits before its last zeros."""
    unit, multiples = 1, []
    while low // unit < high // unit:
        multiples.append((unit, low // unit + 1, high // unit))
        unit *= 10
    digits = min(len(str(min(abs(first), abs(last)))) for _, first, last in multiples)
    most: int = 10**digits - 1
    found: list[tuple[bool, int, int]] = []
    for unit, *ends in multiples:
        for step in (1, 5) if digits > 1 else (1,):
            first, last = -(-max(ends[0], -most) // step), min(ends[1], most) // step
            if first <= last:
                size = step * unit
                nearest = size * min(max((low + high + size) // (2 * size), first), last)
                found.append((digits > 1 and step == 1, abs(2 * nearest - low - high), nearest))
    return min(found)[-1]


def _decimal(number: Number) -> Decimal:
    return Decimal(repr(float(number)))


def _decimals(number: Decimal) -> int:
    exponent = number.normalize().as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def _plain(number: Decimal) -> Number:
    return int(number) if number == number.to_integral_value() else float(number)

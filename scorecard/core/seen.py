"""Which numbers learning has seen of an input, and when another one is far from all of them.

A value in the wrong unit gets as confident a decision as any other: nothing in a number says what
it counts. What is far outside the seen range is told, and changes no decision.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from math import floor, log10

from scorecard.core.question import Question, clean_text, plain_number, with_substitutes
from scorecard.errors import ListError

# Of left-out numbers of 34 real tables 0.16 % are outside (`python -m tests.benchmarks.units`).
# Where the 99th centile is less than five times the first, so are all that are 10, 18 or 88 times
# too large or too small, and 99 % and 96 % of those that are 5 times.
MARGIN = 0.5  # of the distance between the centiles, on either side
LOWER = 2 / 3  # of the first centile, where that is above 0: nothing may be far below it otherwise
DIGITS = 3
FAR = 1e300  # too far apart to be widened


@dataclass(frozen=True, slots=True)
class Seen:
    """The 1st and 99th centile of an input's values, and the lowest and highest of them.

    Examples
    --------
    >>> Seen("sodium", 126, 150, 115, 162).within
    (114.0, 162.0)
    """

    input: str
    low: int | float
    high: int | float
    lowest: int | float
    highest: int | float

    def __post_init__(self) -> None:
        object.__setattr__(self, "input", clean_text(self.input, "input"))
        for one in fields(self)[1:]:
            number = plain_number(getattr(self, one.name), one.name)
            object.__setattr__(self, one.name, number)
        if not self.lowest <= self.low <= self.high <= self.highest or self.lowest == self.highest:
            raise ListError(
                f"seen: {self.lowest}, {self.low}, {self.high} and {self.highest} must ascend, and"
                " not be all the same."
            )

    @property
    def within(self) -> tuple[float, float]:
        """What lies below the first or above the second is outside what was seen.

        The centiles, widened by a margin; where they are one number, the lowest and the highest.
        """
        width = float(self.high) - self.low
        if not 0 < width < FAR:
            return float(self.lowest), float(self.highest)
        low, high = self.low - MARGIN * width, self.high + MARGIN * width
        low = max(low, LOWER * self.low) if self.low > 0 else low
        return _short(low, width), _short(high, width)

    def includes(self, number: float) -> bool:
        low, high = self.within
        return low <= number <= high


def range_of(seen: Sequence[Seen], question: Question) -> Seen | None:
    """The range of the numbers that a question asks for, where it is known."""
    is_numeric = question.condition.is_numeric
    return next((one for one in seen if is_numeric and one.input == question.input), None)


def outside(
    seen: Sequence[Seen], questions: Iterable[Question], values: Mapping[str, object]
) -> tuple[str, ...]:
    """The inputs whose number is outside what was seen, in the order in which one asks for them."""
    found = []
    for question in with_substitutes(questions) if seen else ():
        range_, number = range_of(seen, question), question.number(values.get(question.input))
        if range_ is not None and number is not None and not range_.includes(number):
            found.append(question.input)
    return tuple(dict.fromkeys(found))


def _short(edge: float, width: float) -> float:
    """Few digits, as many as tell the edge from the range: a cell or a line of code shows them."""
    if not edge:
        return 0.0
    digits = DIGITS + max(0, floor(log10(abs(edge) / width)))
    return float(f"{edge:.{digits}g}")

"""What was counted about a list: answer patterns of cases, cross-validation, and validation.

A pattern is the answers of some cases with how many of them had the outcome. From patterns every
risk, stop and share can be counted again for any limits, without the table they came from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import pairwise
from math import floor, log10
from typing import Any, Literal, get_args

from scorecard.core.binomial import lower_bound, upper_bound
from scorecard.core.policy import StoppingPolicy
from scorecard.core.question import Question, clean_text, plain_number, with_substitutes
from scorecard.errors import ListError

MAX_PATTERNS = 20_000

Counts = tuple[int | float, int | float]
"""Cases and positives."""

ValidationKind = Literal["held-out", "other table"]
"""A share of the list's own table that nothing was chosen with, or cases of another table."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """How many cases answered like this: `answers` has one of "1", "0", "?" per question."""

    answers: str
    cases: int | float
    positives: int | float

    def __post_init__(self) -> None:
        if not isinstance(self.answers, str) or self.answers.strip("01?"):
            raise ListError(f"answers: {self.answers!r} must consist of 1 (yes), 0 (no) and ?.")
        check_counts(self)


@dataclass(frozen=True, slots=True)
class Evidence:
    """The answer patterns of the cases behind the figures: enough to apply any stopping policy."""

    patterns: tuple[Pattern, ...]

    def __post_init__(self) -> None:
        patterns = all_of(Pattern, self.patterns, "patterns")
        ordered = tuple(sorted(patterns, key=lambda pattern: pattern.answers))
        object.__setattr__(self, "patterns", ordered)
        for one, other in pairwise(ordered):
            if one.answers == other.answers:
                raise ListError(f"the pattern {one.answers!r} occurs twice.")
            if len(one.answers) != len(other.answers):
                raise ListError(f"{one.answers!r} and {other.answers!r} differ in length.")
        if len(ordered) > MAX_PATTERNS:
            raise ListError(
                f"{len(ordered)} patterns; at most {MAX_PATTERNS} are kept: leave it out."
            )

    def with_answers(self, change: Callable[[str], str]) -> Evidence:
        """The same cases with other answers; who then answers alike counts together."""
        counts: dict[str, Counts] = {}
        for one in self.patterns:
            answers = change(one.answers)
            cases, positives = counts.get(answers, (0, 0))
            counts[answers] = cases + one.cases, positives + one.positives
        return Evidence(tuple(Pattern(answers, *pair) for answers, pair in counts.items()))


@dataclass(frozen=True, slots=True)
class Tally:
    """How cases end under a policy: cases and positives on each side, and questions asked.

    Who ends with unknown answers that would have made the difference is undecided. `mean_cost` is
    `None` where no question has a cost.
    """

    ruled_out: Counts
    ruled_in: Counts
    undecided: Counts
    mean_questions: float
    mean_cost: float | None = None

    def __post_init__(self) -> None:
        for name in ("ruled_out", "ruled_in", "undecided"):
            counts = tuple(plain_number(count, name) for count in getattr(self, name))
            if len(counts) != 2 or not 0 <= counts[1] <= counts[0]:
                raise ListError(f"{name}: {counts!r} must be cases and the positives among them.")
            object.__setattr__(self, name, counts)
        for name in ("mean_questions", "mean_cost"):
            if (given := getattr(self, name)) is not None:
                mean = float(plain_number(given, name))
                if mean < 0:
                    raise ListError(f"{name}: {mean!r} is negative.")
                object.__setattr__(self, name, mean)

    @property
    def cases(self) -> int | float:
        return self.ruled_out[0] + self.ruled_in[0] + self.undecided[0]

    @property
    def share_decided(self) -> float:
        return (self.ruled_out[0] + self.ruled_in[0]) / self.cases if self.cases else 0.0


@dataclass(frozen=True, slots=True)
class Fold:
    """A list learned without a part of the cases, and how both parts answer its questions."""

    questions: tuple[Question, ...]
    inside: Evidence
    left_out: Evidence

    def __post_init__(self) -> None:
        object.__setattr__(self, "questions", all_of(Question, self.questions, "questions"))
        for name in ("inside", "left_out"):
            all_of(Evidence, [getattr(self, name)], name)
            for pattern in getattr(self, name).patterns:
                if len(pattern.answers) != len(self.questions):
                    raise ListError(
                        f"{name}: the pattern {pattern.answers!r} has {len(pattern.answers)}"
                        f" answers for {len(self.questions)} questions."
                    )


@dataclass(frozen=True, slots=True)
class CrossValidation:
    """Lists learned without a part of the cases each, so that every case is judged by a list
    that did not see it.

    `design_effect` is how many cases count as one where several rows belong to one patient.
    `strength` is the L2 penalty of the sigmoid's slope, per standard deviation of the total, with
    which all these lists are read.
    """

    folds: tuple[Fold, ...]
    design_effect: float = 1.0
    strength: float = 5.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "folds", all_of(Fold, self.folds, "folds"))
        if len(self.folds) < 2:
            raise ListError(f"folds: {len(self.folds)} given; cross-validation needs at least 2.")
        object.__setattr__(self, "design_effect", not_below(self.design_effect, "design_effect", 1))
        object.__setattr__(self, "strength", not_below(self.strength, "strength", 0))

    def __hash__(self) -> int:
        """Of little that tells most apart: what was found is looked up by it a hundred times."""
        sizes = (len(fold.inside.patterns) for fold in self.folds)
        return hash((self.design_effect, self.strength, *sizes, self.folds[0].left_out))


@dataclass(frozen=True, slots=True)
class Validation:
    """How new cases ended under one fixed policy: a test of the finished list.

    No case had a part in learning, cross-validation or choosing limits, so what is said with
    confidence about them is exact (Clopper–Pearson).

    Parameters
    ----------
    source : where the cases come from, in words.
    kind : "held-out" for a share of the list's own table, "other table" for any other.
    policy : what the list was put under.
    tally : how they ended.
    design_effect : how many cases count as one where several rows belong to one patient.
    edits : how often the list was edited after somebody had looked at these cases.
    """

    source: str
    kind: ValidationKind
    policy: StoppingPolicy
    tally: Tally
    design_effect: float = 1.0
    edits: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "source", clean_text(self.source, "source"))
        if self.kind not in get_args(ValidationKind):
            kinds = ", ".join(get_args(ValidationKind))
            raise ListError(f"kind: {self.kind!r} is not one of {kinds}.")
        if not isinstance(self.policy, StoppingPolicy):
            raise ListError(f"policy: {self.policy!r} is not a StoppingPolicy.")
        if not isinstance(self.tally, Tally):
            raise ListError(f"tally: {self.tally!r} is not a Tally.")
        object.__setattr__(self, "design_effect", not_below(self.design_effect, "design_effect", 1))
        if isinstance(self.edits, bool) or not isinstance(self.edits, int) or self.edits < 0:
            raise ListError(f"edits: {self.edits!r} is not a whole number from 0 on.")

    @property
    def missed_at_most(self) -> float | None:
        """With the policy's confidence, the rate of positives among all like those ruled out."""
        cases, positives = self._counted(self.tally.ruled_out)
        return upper_bound(positives, cases, self.policy.confidence) if cases else None

    @property
    def found_at_least(self) -> float | None:
        """With the policy's confidence, the rate of positives among all like those ruled in."""
        cases, positives = self._counted(self.tally.ruled_in)
        return lower_bound(positives, cases, self.policy.confidence) if cases else None

    def _counted(self, counts: Counts) -> Counts:
        return counts[0] / self.design_effect, counts[1] / self.design_effect


def all_of(kind: type | tuple[type, ...], values: Iterable[Any], place: str) -> tuple[Any, ...]:
    """The values as a tuple, each of this kind; a bool is not a whole number here."""
    kept = tuple(values)
    for number, value in enumerate(kept):
        if not isinstance(value, kind) or isinstance(value, bool):
            raise ListError(f"{place}[{number}]: {value!r} does not belong here.")
    return kept


def not_below(value: object, place: str, least: float) -> float:
    """A finite number from `least` on."""
    number = float(plain_number(value, place))
    if number < least:
        raise ListError(f"{place}: {number!r} is below {least}.")
    return number


def check_counts(holder: Any) -> None:
    for name in ("cases", "positives"):
        object.__setattr__(holder, name, plain_number(getattr(holder, name), name))
    if not 0 <= holder.positives <= holder.cases:
        raise ListError(
            f"positives: {holder.positives!r} is not between 0 and cases {holder.cases!r}."
        )


# Which numbers learning has seen of an input ------------------------------------------------------
# A value in the wrong unit gets as confident a decision as any other: nothing in a number says what
# it counts. What is far outside the seen range is told, and changes no decision.

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

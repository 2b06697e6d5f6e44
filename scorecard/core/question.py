"""One yes/no question of a list: the condition it tests, its points, and how an answer is read.

This is the only place that knows what counts as yes, no, unknown or a number. Everything that
takes answers from people or files goes through `Question.answer`, and the vectorised reader of
tables uses the same words and the same number pattern.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Literal, cast, get_args

from scorecard.errors import AnswerError, ListError

ConditionKind = Literal[">=", "<", "in", "not in", "yes", "no", "missing", "present"]

OPPOSITE: dict[ConditionKind, ConditionKind] = {
    ">=": "<",
    "<": ">=",
    "in": "not in",
    "not in": "in",
    "yes": "no",
    "no": "yes",
    "missing": "present",
    "present": "missing",
}

YES_WORDS = frozenset({"yes", "true", "ja", "wahr"})
NO_WORDS = frozenset({"no", "false", "nein", "falsch"})
UNKNOWN_WORDS = frozenset(
    {"", "?", "-", "–", ".", "na", "n/a", "#n/a", "nan", "null", "unknown", "missing"}
    | {"unbekannt", "fehlt", "k.a."}
)
# Letters and digits are yes or no only where the question is a plain yes/no one: in a number
# column "1" is a value, and in a category column "t" may be a category. There 1 and 0 may also have
# a point and any number of zeros: programs that count in fractions write them like that.
SHORT_YES = YES_WORDS | {"y", "t", "j", "1", "1.0"}
SHORT_NO = NO_WORDS | {"n", "f", "0", "0.0"}

NUMBER_PATTERN = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_NUMBER = re.compile(NUMBER_PATTERN)
_DECIMAL_COMMA = re.compile(r"[+-]?[0-9]{1,3}(?:[.' ]?[0-9]{3})*,[0-9]+|[+-]?[0-9]*,[0-9]+")

MAX_POINTS = 100

Answer = bool | None
"""Yes, no, or unknown (`None`)."""
LETTERS: dict[Answer, str] = {True: "1", False: "0", None: "?"}
"""Answers in files: "10?" is yes, no, unknown."""
ANSWERS = {letter: answer for answer, letter in LETTERS.items()}


def float_not_below(number: int | float) -> int | float:
    """The smallest number a float can hold that is at least this one.

    A whole number beyond 2**53 may lie between two floats; compared with floats, the next one
    above it decides the same, and every language can write it.
    """
    if isinstance(number, float) or abs(number) <= 2**53:
        return number
    near = float(number)
    return near if near >= number else math.nextafter(near, math.inf)


def plain_number(value: object, place: str) -> int | float:
    """A finite number as plain `int` or `float`; whole values become `int`: 50.0 prints as 50."""
    if type(value) is float and math.isfinite(value):  # by far the most: quickly
        return int(value) if value.is_integer() and abs(value) < 2**53 else value
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ListError(f"{place}: {value!r} is not a number.")
    number = int(value) if isinstance(value, int) else float(value)
    if isinstance(number, int) and abs(number) > sys.float_info.max:
        raise ListError(f"{place}: a number is too large; expected one below 1e308.")
    if not math.isfinite(number):
        raise ListError(f"{place}: {value!r} is not a finite number.")
    if isinstance(number, float) and number.is_integer() and abs(number) < 2**53:
        return int(number)
    return number


def plain_value(value: object) -> object:
    """A scalar of numpy or pandas as Python has it; `None` for NaN, NA and NaT.

    Examples
    --------
    >>> import numpy as np
    >>> plain_value(np.int64(3)), plain_value(np.bool_(True)), plain_value(np.nan)
    (3, True, None)
    """
    if type(value).__name__ in ("NAType", "NaTType"):  # of pandas, which need not be there
        return None
    if getattr(value, "ndim", None) == 0:
        value = value.item()  # type: ignore[attr-defined]
    return None if isinstance(value, float) and math.isnan(value) else value


def clean_text(value: object, place: str) -> str:
    """Text that can be written as UTF-8; everything else about it is kept as it came."""
    if not isinstance(value, str):
        raise ListError(f"{place}: {value!r} is not text.")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise ListError(
            f"{place}: {value!r} contains half a character (a lone surrogate)."
        ) from None
    if "\0" in value:
        raise ListError(f"{place}: {value!r} contains a NUL character.")
    return str(value)


def number_in_digits(number: float) -> str:
    """A number without an exponent: some languages know none."""
    return f"{Decimal(repr(number)).normalize():f}"


def number_text(number: float) -> str:
    """A number as a category: 2.0 and 2 are the same code."""
    return str(int(number)) if float(number).is_integer() else repr(float(number))


def split_unit(word: str, unit: str) -> str:
    """The number of "45 mg" or "€5" where that is the unit; the word as it came otherwise."""
    rest = word.removesuffix(unit) if word.endswith(unit) else word.removeprefix(unit)
    return rest.strip() if unit and rest != word and _NUMBER.fullmatch(rest.strip()) else word


def said_yes(word: str) -> bool | None:
    """Whether a word says yes or no to a plain question; `None` if neither. 1.00 is 1."""
    short = word[0] if word.rstrip("0") in ("1.", "0.") else word.lower()
    return True if short in SHORT_YES else False if short in SHORT_NO else None


@dataclass(frozen=True, slots=True)
class Condition:
    """What has to hold for the answer to be yes.

    `cutoff` belongs to ``>=`` and ``<``; `categories` to ``in`` and ``not in``, where `choices` are
    all values the input is known to take: a value outside them is refused rather than taken for no.
    """

    kind: ConditionKind = "yes"
    cutoff: int | float | None = None
    categories: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.kind not in get_args(ConditionKind):
            kinds = ", ".join(get_args(ConditionKind))
            raise ListError(f"condition: unknown kind {self.kind!r}; expected one of {kinds}.")
        if self.is_numeric:
            object.__setattr__(self, "cutoff", plain_number(self.cutoff, "condition: cut-off"))
        elif self.cutoff is not None:
            raise ListError(f"condition: a cut-off ({self.cutoff!r}) needs '>=' or '<'.")
        self._check_categories()

    def _check_categories(self) -> None:
        for name in ("categories", "choices"):
            values = getattr(self, name)
            if isinstance(values, str):
                raise ListError(f"condition: {name} must be a list of texts, not {values!r}.")
            texts = tuple(clean_text(value, f"condition: {name}") for value in values)
            if len(set(texts)) < len(texts):
                raise ListError(f"condition: {name} has a value twice.")
            object.__setattr__(self, name, texts)
        if self.is_categorical != bool(self.categories) or (
            self.choices and not self.is_categorical
        ):
            raise ListError(
                "condition: categories belong to 'in' and 'not in', at least one value."
            )
        strangers = [
            value for value in self.categories if self.choices and value not in self.choices
        ]
        if strangers:
            raise ListError(
                f"condition: {strangers[0]!r} is not among the choices {self.choices!r}."
            )

    @property
    def is_numeric(self) -> bool:
        return self.kind in (">=", "<")

    @property
    def is_categorical(self) -> bool:
        return self.kind in ("in", "not in")

    @property
    def is_presence(self) -> bool:
        return self.kind in ("missing", "present")

    def opposite(self) -> Condition:
        """The condition that holds exactly when this one does not."""
        return replace(self, kind=OPPOSITE[self.kind])

    def __str__(self) -> str:
        if self.is_numeric:
            return f"{self.kind} {self.cutoff!r}"
        if self.is_categorical:
            return f"{self.kind} {{{', '.join(repr(value) for value in self.categories)}}}"
        return self.kind


@dataclass(frozen=True, slots=True)
class Substitute:
    """What is asked where the input of a question is unknown: another one, with its own condition.

    Its answer counts as the question's, for the question's points.
    """

    input: str
    condition: Condition = field(default_factory=Condition)
    label: str = ""
    unit: str = ""
    cost: int | float | None = None
    panel: str = ""

    def __post_init__(self) -> None:
        made = self.as_question(1)  # a question's own rules are kept
        for name in ("input", "label", "unit", "cost", "panel"):
            object.__setattr__(self, name, getattr(made, name))
        if self.condition.is_presence:
            raise ListError("condition: a substitute asks for a value, not whether there is one.")

    def as_question(self, points: int) -> Question:
        """The question that is asked instead."""
        words = (self.label, self.unit, self.cost, "", self.panel)
        return Question(self.input, points, self.condition, *words)


@dataclass(frozen=True, slots=True)
class Question:
    """A yes/no question: if `condition` holds for the value of `input`, `points` are added.

    `cost` is what it takes to have the value; inputs of one `panel` are bought together, for the
    cost of one. Where the value is unknown, `if_unknown` is asked instead, if there is one.

    Examples
    --------
    >>> age = Question("age", 2, Condition(">=", 65), label="Age", unit="years")
    >>> age.answer(64), age.answer("65"), age.answer("unknown")
    (False, True, None)
    >>> replace(age, if_unknown=Substitute("grey_hair")).answer("unknown", "yes")
    True
    """

    input: str
    points: int
    condition: Condition = field(default_factory=Condition)
    label: str = ""
    unit: str = ""
    cost: int | float | None = None
    note: str = ""
    panel: str = ""
    if_unknown: Substitute | None = None

    def __post_init__(self) -> None:
        for name in ("input", "label", "unit", "note", "panel"):
            object.__setattr__(self, name, clean_text(getattr(self, name), name))
        if not self.input.strip():
            raise ListError("input: a question needs the name of its input.")
        if not self.label:
            object.__setattr__(self, "label", self.input)
        if isinstance(self.points, bool) or not isinstance(self.points, int) or not self.points:
            raise ListError(f"points: {self.points!r} is not a whole number other than 0.")
        object.__setattr__(self, "points", int(self.points))
        if abs(self.points) > MAX_POINTS:
            raise ListError(f"points: {self.points} is beyond ±{MAX_POINTS}; use smaller points.")
        if not isinstance(self.condition, Condition):
            raise ListError(f"condition: {self.condition!r} is not a Condition.")
        if self.cost is not None:
            object.__setattr__(self, "cost", plain_number(self.cost, "cost"))
            if self.cost < 0:
                raise ListError(f"cost: {self.cost!r} is negative.")
        if self.if_unknown is not None:
            self._check_substitute(self.if_unknown)

    def _check_substitute(self, substitute: object) -> None:
        if not isinstance(substitute, Substitute):
            raise ListError(f"if_unknown: {substitute!r} is not a Substitute.")
        if substitute.input == self.input:
            raise ListError(
                f"if_unknown: {self.input!r} is the question's own input, and as unknown; name"
                " another one."
            )
        if self.condition.is_presence:
            raise ListError(
                "if_unknown: whether a value is there is never unknown; leave the substitute out."
            )

    @property
    def instead(self) -> Question | None:
        """The question that is asked where the answer to this one is unknown."""
        return None if self.if_unknown is None else self.if_unknown.as_question(self.points)

    @property
    def takes_answers(self) -> bool:
        """Whether yes and no answer the condition itself rather than tell the input's value."""
        return self.condition.is_numeric or self.condition.is_categorical

    def answer(self, value: object, instead: object = None, *, value_only: bool = False) -> Answer:
        """Yes, no or unknown for a value of the input, and one of the substitute's input.

        The second is looked at only where the first is unknown. `None`, NaN and NA are unknown, and
        scalars of numpy are what they are in Python. Text is read: numbers, categories, yes/no
        words, words for unknown. A bool is the value of a plain yes/no input, and where a number
        or a category is expected it is the answer itself; `value_only` refuses such an answer,
        because several questions share the input (`inputs_asked_again`) and it would not say to
        which it is.
        """
        answer = self._own_answer(value, value_only)
        if answer is None and (other := self.instead):
            return other.answer(instead, value_only=value_only)
        return answer

    def number(self, value: object) -> float | None:
        """The number that a value is, where one is expected; `None` if it is none."""
        value = plain_value(value)
        if isinstance(value, str):
            word = split_unit(value.strip(), self.unit)
            value = float(word) if _NUMBER.fullmatch(word) else None
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        return cast("float", value) if is_number and self.condition.is_numeric else None

    def answer_in(self, values: Mapping[str, object], *, value_only: bool = False) -> Answer:
        """The same for a case: an input that is not in it is unknown."""
        instead = None if self.if_unknown is None else values.get(self.if_unknown.input)
        return self.answer(values.get(self.input), instead, value_only=value_only)

    def _own_answer(self, value: object, value_only: bool) -> Answer:
        value = plain_value(value)
        if value_only and self._is_answer(value):
            raise AnswerError(
                f"{self.input!r}: several questions ask for it, so {value!r} does not say which it"
                " answers; give its value or unknown."
            )
        if value is None:
            return self._if_missing()
        if isinstance(value, bool):
            return value if self.takes_answers else self._compare(int(value))
        if isinstance(value, str):
            return self._read(value)
        if isinstance(value, (int, float)):
            return self._compare(value)
        raise AnswerError(
            f"{self.input!r}: {value!r} is neither a number, a text, yes/no nor unknown."
        )

    def turned(self) -> Question:
        """The same question asked the other way round, with the opposite points."""
        other = self.if_unknown and replace(
            self.if_unknown, condition=self.if_unknown.condition.opposite()
        )
        opposite = self.condition.opposite()
        return replace(self, points=-self.points, condition=opposite, if_unknown=other)

    def _is_answer(self, value: object) -> bool:
        """Whether this is yes or no where a number or a category is expected."""
        if isinstance(value, bool) or not isinstance(value, str):
            return isinstance(value, bool) and self.takes_answers
        known = (*self.condition.categories, *self.condition.choices)
        is_word = value.strip().lower() in YES_WORDS | NO_WORDS
        return self.takes_answers and is_word and not {value, value.strip()} & {*known}

    def _if_missing(self) -> Answer:
        return self.condition.kind == "missing" if self.condition.is_presence else None

    def _read(self, text: str) -> Answer:
        word = text.strip()
        if self.condition.is_categorical:
            return self._read_category(text)
        if word.lower() in UNKNOWN_WORDS:
            return self._if_missing()
        if self.condition.is_presence:
            return self.condition.kind == "present"
        if self.condition.is_numeric:
            return self._read_number(word)
        return self._read_yes_no(word)

    def _read_yes_no(self, word: str) -> Answer:
        said = said_yes(word)
        if said is not None:
            return said == (self.condition.kind == "yes")
        raise AnswerError(f"{self.input!r}: {word!r} is not understood; say yes, no or unknown.")

    def _read_number(self, word: str) -> Answer:
        if word.lower() in YES_WORDS | NO_WORDS:
            return word.lower() in YES_WORDS
        number = self.number(word)
        if number is not None:
            return self._compare(number)
        if _DECIMAL_COMMA.fullmatch(word):
            raise AnswerError(
                f"{self.input!r}: {word!r} has a comma; write numbers with a decimal point"
                " (in a table, `decimal=','` does it)."
            )
        raise AnswerError(f"{self.input!r}: {word!r} is not a number; give a number or unknown.")

    def _read_category(self, text: str) -> Answer:
        condition = self.condition
        value = _same_category(text, (*condition.categories, *condition.choices))
        if value is not None:
            return (value in condition.categories) == (condition.kind == "in")
        word = text.strip().lower()
        if word in UNKNOWN_WORDS:
            return None
        if condition.choices and word in YES_WORDS | NO_WORDS:
            return word in YES_WORDS
        if condition.choices or word in YES_WORDS | NO_WORDS:
            expected = ", ".join(map(repr, condition.choices or condition.categories))
            raise AnswerError(
                f"{self.input!r}: {text!r} is not one of the known values: {expected}."
            )
        return condition.kind == "not in"

    def _compare(self, number: int | float) -> Answer:
        kind, cutoff = self.condition.kind, self.condition.cutoff
        if not abs(number) <= sys.float_info.max:
            raise AnswerError(f"{self.input!r}: {number!r} is not a finite number.")
        if cutoff is not None:
            return bool((number >= cutoff) == (kind == ">="))
        if self.condition.is_presence:
            return kind == "present"
        if self.condition.is_categorical:
            return self._read_category(number_text(number))
        if number not in (0, 1):
            raise AnswerError(f"{self.input!r}: {number!r} is neither 1 (yes) nor 0 (no).")
        return (number == 1) == (kind == "yes")


def inputs_asked_again(questions: Sequence[Question]) -> frozenset[str]:
    """Inputs with several cut-offs or sets of categories: only a value answers all of them."""
    inputs = [one.input for one in with_substitutes(questions) if one.takes_answers]
    return frozenset(name for name in inputs if inputs.count(name) > 1)


def with_substitutes(questions: Iterable[Question]) -> tuple[Question, ...]:
    """All that may be asked: each question, and behind it the one that is asked instead."""
    both = ((question, question.instead) for question in questions)
    return tuple(one for pair in both for one in pair if one is not None)


def inputs_of(questions: Iterable[Question]) -> list[str]:
    """Every input that may be asked for, once, in the order in which they are."""
    return list(dict.fromkeys(one.input for one in with_substitutes(questions)))


Settled = dict[tuple[int, Answer], dict[int, Answer]]
"""By the place of a question and its answer: the places of later ones, and what they then are."""


def settled_answers(questions: Sequence[Question]) -> Settled:
    """What an answer says about later questions on the same input.

    Who is 65 or older is 50 or older; where a value is missing, every question on it is unknown.

    Examples
    --------
    >>> settled_answers([Question("age", 2, Condition(">=", c)) for c in (65, 50)])
    {(0, True): {1: True}}
    """
    found: Settled = {}
    for place, question in enumerate(questions):
        for later in range(place + 1, len(questions)):
            if questions[later].input == question.input:
                for answer in (True, False):
                    for follows in _follows(question, answer, questions[later]):
                        if _holds_instead(question, answer, questions[later], follows):
                            found.setdefault((place, answer), {})[later] = follows
    return found


def _holds_instead(question: Question, answer: bool, other: Question, follows: Answer) -> bool:
    """Whether the same follows where both answers are those of their substitutes."""
    first, second = question.instead, other.instead
    if first is None:
        return True  # answered, so the input is known to the other one too
    if second is None:
        return False
    same = first.condition == second.condition
    return follows in ([answer] if same else _follows(first, answer, second))


def contradicts(questions: Sequence[Question], answers: Sequence[Answer]) -> bool:
    """Whether an answer is not what an earlier one on the same input says it is.

    Examples
    --------
    >>> ages = [Question("age", 2, Condition(">=", cutoff)) for cutoff in (65, 50)]
    >>> contradicts(ages, [True, False]), contradicts(ages, [False, True])
    (True, False)
    """
    settled = settled_answers(questions)
    return any(
        later < len(answers) and answers[later] is not follows
        for place, answer in enumerate(answers)
        for later, follows in settled.get((place, answer), {}).items()
    )


def totals_without_contradiction(questions: Sequence[Question]) -> list[set[int]]:
    """Per number of answers the totals that answers can give which do not contradict each other."""
    settled = settled_answers(questions)
    ways: set[tuple[int, frozenset[tuple[int, Answer]]]] = {(0, frozenset())}
    totals = [{0}]
    for number, question in enumerate(questions):
        after = set()
        for total, known in ways:
            for yes in (True, False):
                if (number, not yes) not in known:
                    more = {*known, *settled.get((number, yes), {}).items()}
                    ahead = frozenset(one for one in more if one[0] > number)
                    after.add((total + question.points * yes, ahead))
        ways = after
        totals.append({total for total, _ in ways})
    return totals


def _follows(question: Question, answer: bool, other: Question) -> Iterator[Answer]:
    """The answer to the other question if this one's answer settles it; else nothing."""
    condition = question.condition if answer else question.condition.opposite()
    if condition.is_presence:
        if condition.kind == "missing":
            yield other.answer(None)
    elif other.condition.is_presence:
        yield other.condition.kind == "present"
    elif condition.cutoff is not None and other.condition.cutoff is not None:
        reached, bound = condition.kind == ">=", other.condition.cutoff
        if bound <= condition.cutoff if reached else bound >= condition.cutoff:
            yield reached == (other.condition.kind == ">=")
    else:
        yield from _follows_from_categories(condition, other)


def _follows_from_categories(condition: Condition, other: Question) -> Iterator[Answer]:
    values = set(condition.categories)
    if condition.kind == "not in":
        if set(other.condition.categories) <= values:
            yield other.condition.kind == "not in"
        values = set(condition.choices) - values
    answers = {other.answer(value) for value in values if _is_known(other, value)}
    if len(answers) == 1 and all(_is_known(other, value) for value in values):
        yield answers.pop()


def _is_known(question: Question, value: str) -> bool:
    try:
        question.answer(value)
    except AnswerError:
        return False
    return True


def _same_category(text: str, known: tuple[str, ...]) -> str | None:
    """The known category that a text names: by its letters, or as a code by its number."""
    word = text.strip()
    for value in (text, word):
        if value in known:
            return value
    if not _NUMBER.fullmatch(word):
        return None
    same = {value for value in known if _NUMBER.fullmatch(value) and float(value) == float(word)}
    return same.pop() if len(same) == 1 else None

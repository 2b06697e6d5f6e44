"""Cases on which every form of a list has to agree with the list itself.

They visit each cut-off at, just below and just above, every category and one nobody has seen,
every total that can be reached, and unknown answers at every place: a changed cut-off, points value
or risk changes the result of at least one of them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from itertools import zip_longest

from scorecard.core.evidence import outside, range_of
from scorecard.core.model import Answer, Question
from scorecard.core.question import (
    NO_WORDS,
    NUMBER_PATTERN,
    SHORT_NO,
    SHORT_YES,
    UNKNOWN_WORDS,
    YES_WORDS,
    inputs_asked_again,
    inputs_of,
    with_substitutes,
)
from scorecard.core.staircase import RESULT, Decision, Staircase
from scorecard.errors import AnswerError

UNKNOWN = "unknown"
UNSEEN = "something else"
ONES = ("1.", "1.00", "0.", "0.000", " 1.0000000 ")
NOT_ONES = ("1,0", "10", "00", "1.01", "1.0.0", "100.", "0.1", "1.e0", "-1.0")
_NUMBER = re.compile(NUMBER_PATTERN)


@dataclass(frozen=True, slots=True)
class CaseResult:
    """What a form has to say about a case: exactly what the list says."""

    decision: Decision
    stage: int
    total: int | None
    probability: float | None
    lower: float | None
    upper: float | None
    cases: float | None
    positives: float | None
    outside: tuple[str, ...] = field(default=(), kw_only=True)  # inputs, sorted


@dataclass(frozen=True, slots=True)
class Vector:
    """A case as text per input, and what has to come out; `None` if it has to be refused.

    `plain`: every value is one a typed table can hold, a number, a category or nothing, rather
    than a word about it.
    """

    case: Mapping[str, str]
    result: CaseResult | None
    plain: bool = True


def expected(staircase: Staircase, case: Mapping[str, object]) -> CaseResult | None:
    """What the list says about a case, `None` if it refuses it."""
    try:
        result = result_of(staircase, answers_of(staircase, case))
    except AnswerError:
        return None
    strange = outside(staircase.scoring_list.seen, staircase.questions, case)
    return replace(result, outside=tuple(sorted(strange)))


def asked_in_all(staircase: Staircase) -> tuple[Question, ...]:
    """All questions, and behind them what is asked where they are unknown."""
    asked = (*staircase.questions, *staircase.sharpening_questions)
    return (*asked, *(one.instead for one in asked if one.instead))


def answers_of(staircase: Staircase, case: Mapping[str, object]) -> list[Answer]:
    """The answers of a case to the questions that are asked."""
    again = inputs_asked_again(staircase.scoring_list.questions)
    return [
        question.answer_in(case, value_only=question.input in again)
        for question in staircase.questions
    ]


def result_of(
    staircase: Staircase, answers: Sequence[Answer], *, sharpen: bool = False
) -> CaseResult:
    outcome = staircase.decide(answers, sharpen=sharpen)
    return CaseResult(*(getattr(outcome, name) for name in RESULT))


def vectors(staircase: Staircase) -> tuple[Vector, ...]:
    """The cases for a list under its policy, in a fixed order, none twice."""
    found: dict[tuple[tuple[str, str], ...], Vector] = {}
    for case, plain in _cases(staircase):
        found.setdefault(tuple(case.items()), Vector(case, expected(staircase, case), plain))
    return tuple(found.values())


def value_cases(staircase: Staircase) -> tuple[tuple[dict[str, object], CaseResult | None], ...]:
    """Cases as a program has them, numbers, booleans and nothing, and what has to come out."""
    cases: list[dict[str, object]] = [
        dict(typed(staircase.questions, _case(staircase.questions, answers)))
        for answers in patterns(staircase)
    ]
    for answers in patterns(staircase):
        asked = zip_longest(staircase.questions, answers)
        cases.append({question.input: answer for question, answer in asked})
    return tuple((case, expected(staircase, case)) for case in cases)


def patterns(staircase: Staircase) -> tuple[tuple[Answer, ...], ...]:
    """Answers that lead to every total that can be reached, and unknown ones at every place.

    Those that lead to a total answer no more questions than it takes; "go on" ends there too.
    """
    ways = paths(staircase)
    count = len(staircase.questions)
    wanted = [*ways.values(), (None,) * count]
    for path in ways.values():
        rest = count - len(path) - 1
        if rest >= 0 and not staircase.steps[len(path)].box(_total(staircase, path)).stops:
            wanted += [(*path, None, *(yes,) * rest) for yes in (False, True)]
    return tuple(dict.fromkeys(wanted))


def sharpened(staircase: Staircase) -> tuple[tuple[Answer, ...], ...]:
    """Answers of who goes on for a sharper risk: to every total, and with unknown ones."""
    ways = [way for (stage, _), way in paths(staircase, sharpen=True).items() if stage]
    further = [way for way in ways if len(way) > len(staircase.questions)]
    return tuple(dict.fromkeys(one for way in further for one in (way, (*way[:-1], None))))


def probes(question: Question) -> list[str]:
    """Values around what the question tests; the nearest numbers a float can hold come last."""
    condition = question.condition
    if condition.cutoff is not None:
        return [repr(number) for number in _around(condition.cutoff)]
    if condition.is_categorical:
        return list(dict.fromkeys((*condition.categories, *condition.choices, UNSEEN)))
    return ["1", UNKNOWN] if condition.is_presence else ["yes", "no"]


def typed(questions: Sequence[Question], case: Mapping[str, str]) -> dict[str, float | str | None]:
    """The values of a plain case as a typed table holds them: numbers, texts, nothing."""
    asked = with_substitutes(questions)
    return {
        name: _typed([question for question in asked if question.input == name], case.get(name))
        for name in inputs_of(questions)
    }


def _typed(asked: Sequence[Question], value: str | None) -> float | str | None:
    if value is None or all(is_unknown(question, value) for question in asked):
        return None
    return float(value) if any(question.condition.is_numeric for question in asked) else value


def is_plain(questions: Sequence[Question], case: Mapping[str, str]) -> bool:
    """Whether a typed table can hold the case: where a number is compared, there is one."""
    return all(
        question.input not in case
        or not question.condition.is_numeric
        or is_unknown(question, case[question.input])
        or _NUMBER.fullmatch(case[question.input].strip()) is not None
        for question in with_substitutes(questions)
    )


def is_unknown(question: Question, value: str) -> bool:
    """Whether a word says that the value is not known, and is no category of the question."""
    condition = question.condition
    known = (*condition.categories, *condition.choices)
    return value.strip().lower() in UNKNOWN_WORDS and not {value, value.strip()} & {*known}


def words(question: Question) -> list[str]:
    """Words about a value, and values that have to be refused."""
    condition = question.condition
    if condition.is_presence:
        return sorted(UNKNOWN_WORDS)
    if condition.is_numeric:
        refused = ["1,5", "12 mg", "abc", "1e999", "inf", "0x10", "1_000", "٣", "--1"]
        units = [f"70 {question.unit}", f"{question.unit}70 ", f"5 {question.unit}s"]
        return [*sorted(YES_WORDS | NO_WORDS | UNKNOWN_WORDS), " 1e3 ", "+.5", *units, *refused]
    if condition.is_categorical:
        codes = [f"{one}.0" for one in condition.categories if one.isdecimal() and one.isascii()]
        return [
            *sorted(YES_WORDS | NO_WORDS | UNKNOWN_WORDS),
            f" {condition.categories[0]}\t",
            *(f" {code}" for code in codes),
        ]
    return [*sorted(SHORT_YES | SHORT_NO | UNKNOWN_WORDS), " YES ", *ONES, "maybe", "2", *NOT_ONES]


def _cases(staircase: Staircase) -> Iterator[tuple[dict[str, str], bool]]:
    for answers in patterns(staircase):
        yield _case(staircase.questions, answers), True
    tried = set()
    for place, question in enumerate(staircase.questions):
        # Someone who gets as far as this question, and says no to all later ones.
        path = next(path for path in paths(staircase).values() if len(path) == place + 1)
        others = _case(staircase.questions, _padded(path, len(staircase.questions)))
        for asked in with_substitutes([question]):
            if asked is not question:
                for value in probes(asked):  # the question's own answer comes first
                    yield {**others, asked.input: value}, True
                others = {**others, question.input: _unknown_word([question])}
            for value in (*probes(asked), *edges(staircase, asked)):
                yield {**others, asked.input: value}, True
            kind = asked.condition.kind, bool(asked.condition.choices)
            for value in words(asked) if kind not in tried else ():
                case = {**others, asked.input: value}
                yield case, not asked.condition.is_numeric and value == value.strip()
            tried.add(kind)  # words are read alike for all questions of a kind


def edges(staircase: Staircase, question: Question) -> Iterator[str]:
    """Numbers at the ends of what the list has seen, and around them."""
    if seen := range_of(staircase.scoring_list.seen, question):
        yield from (repr(number) for edge in seen.within for number in _around(edge))


def _padded(path: tuple[Answer, ...], count: int) -> tuple[Answer, ...]:
    return path + (False,) * (count - len(path))


def _case(questions: Sequence[Question], answers: Sequence[Answer]) -> dict[str, str]:
    """A case whose answers are these, as far as one value per input can give them."""
    wanted = list(zip_longest(questions, answers))
    wanted += [(one.instead, None) for one in questions if one.instead]
    return {
        name: _value([(asked, answer) for asked, answer in wanted if asked.input == name])
        for name in inputs_of(questions)
    }


def _value(wanted: Sequence[tuple[Question, Answer]]) -> str:
    """The value that gives most of the answers; a word for unknown if no value gives any."""
    asked = [question for question, _ in wanted]
    values = [_unknown_word(asked), *(value for question in asked for value in probes(question))]
    return max(values, key=lambda value: sum(_answers(one, value, yes) for one, yes in wanted))


def _answers(question: Question, value: str, wanted: Answer) -> float:
    try:
        return question.answer(value) is wanted
    except AnswerError:
        return -math.inf  # a category outside the known ones


def _unknown_word(questions: Sequence[Question]) -> str:
    """A word for unknown that is no category here."""
    return next(
        word
        for word in (UNKNOWN, *sorted(UNKNOWN_WORDS))
        if all(is_unknown(question, word) for question in questions)
    )


def _around(cutoff: int | float) -> Iterable[int | float]:
    """The cut-off, its neighbours among the floats, and those a person would write."""
    exact = Decimal(repr(cutoff))
    digit = Decimal((0, (1,), min(int(exact.as_tuple().exponent), 0)))
    people = [float(exact - digit), float(exact + digit)]
    floats = [math.nextafter(float(cutoff), side) for side in (-math.inf, math.inf)]
    numbers = [cutoff, *people, *floats]  # people's first: every form can hold those
    return dict.fromkeys(number for number in numbers if math.isfinite(number))


def paths(
    staircase: Staircase, *, sharpen: bool = False
) -> dict[tuple[int, int], tuple[Answer, ...]]:
    """For every stage and total that can be reached the first answers that lead there."""
    found: dict[tuple[int, int], tuple[Answer, ...]] = {(0, 0): ()}
    steps = (*staircase.steps, *staircase.sharpening) if sharpen else staircase.steps
    for step, question in zip(steps[:-1], staircase.scoring_list.questions, strict=False):
        is_last = step.number >= len(staircase.questions)
        for box in step.boxes:
            if box.decision == ("undecided" if is_last else "go on"):
                path = found[step.number, box.total]
                for yes in (False, True):
                    target = step.number + 1, box.total + question.points * yes
                    found.setdefault(target, (*path, yes))
    return found


def _total(staircase: Staircase, path: Sequence[Answer]) -> int:
    return sum(q.points for q, yes in zip(staircase.questions, path, strict=False) if yes)

"""What somebody enters into a form for a case, item by item, and for answers to some questions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal

from scorecard.core.model import Answer
from scorecard.core.question import Question, with_substitutes
from scorecard.errors import AnswerError
from scorecard.forms.found import Work
from scorecard.forms.items import NO, OTHER, UNKNOWN, YES, FormItem
from scorecard.forms.test_cases import is_unknown, probes

Entries = dict[str, str]
"""By input what is chosen, a number in digits, or `UNKNOWN`; what is left out is not answered."""


def entered(work: Work, items: Mapping[str, FormItem]) -> Iterator[tuple[int, Entries]]:
    """By its place each plain case that can be entered: nobody can choose what is refused."""
    for place, one in enumerate(work.cases):
        if one.plain and one.result is not None:
            entries = {name: _entry(item, one.case.get(name, "")) for name, item in items.items()}
            if all(entry is not None for entry in entries.values()):
                yield place, {name: entry or "" for name, entry in entries.items()}


def begun(work: Work, items: Mapping[str, FormItem]) -> Iterator[tuple[int, Entries]]:
    """By its place each walk: the first questions are answered like this, the others not at all."""
    for place, answers in enumerate(work.walks):
        entries = _of_answers(work, items, answers)
        if entries is not None:
            yield place, entries


def _of_answers(
    work: Work, items: Mapping[str, FormItem], answers: Sequence[Answer]
) -> Entries | None:
    """Nothing where no values give these answers; then a case of the table tries something near."""
    questions = work.staircase.questions[: len(answers)]
    entries: Entries = {}
    for question, answer in zip(questions, answers, strict=True):
        every = with_substitutes(work.staircase.questions)
        asked = [one for one in every if one.input == question.input]
        is_told = question.instead or question.condition.is_presence
        if len(asked) > 1 or (is_told and answer is None):
            return None
        value = UNKNOWN if answer is None else _value(items[question.input], question, answer)
        if value is None:
            return None
        entries[question.input] = value
    return entries


def _value(item: FormItem, question: Question, wanted: bool) -> str | None:
    for value in (*probes(question), UNKNOWN):
        entry = _entry(item, value)
        try:
            if entry is not None and question.answer(value) is wanted:
                return entry
        except AnswerError:
            continue
    return None


def _entry(item: FormItem, value: str) -> str | None:
    """What is entered for a value of the input."""
    if all(is_unknown(one, value) for one in item.questions):
        return UNKNOWN
    if item.is_number:
        return f"{Decimal(value.strip()):f}"
    for choice in item.choices:
        if choice.stands_for == value:
            return choice.value
    if any(choice.value == OTHER for choice in item.choices):
        return OTHER
    values = {choice.value for choice in item.choices}
    if all(one.condition.is_presence for one in item.questions):
        return YES
    try:
        chosen = YES if Question(item.input, 1).answer(value) else NO
    except AnswerError:
        return None
    return chosen if chosen in values else None

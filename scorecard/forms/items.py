"""What a form asks: an item for each input, its choices, and how a choice answers a question.

A form has to tell what is not yet answered from what is unknown, so every item can say that its
value is not known: a number by a tick of its own, everything else by a choice.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from scorecard.core.question import Question, with_substitutes
from scorecard.core.staircase import Staircase, Step, free_prefix
from scorecard.words.wording import Wording, printable

UNKNOWN, OTHER, YES, NO = "unknown", "other", "yes", "no"
PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,39}")
PLAIN_VALUE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,39}")
TAKEN = {"meta", "instanceid", "instancename", "name", "record_id", "constructor", "__proto__"}
TAKEN |= {"hasownproperty", "isprototypeof", "propertyisenumerable", "tostring", "valueof"}


@dataclass(frozen=True, slots=True)
class FormChoice:
    """`stands_for` is the category that it means; nothing for yes, no, unknown and others."""

    value: str
    label: str
    stands_for: str | None = None


@dataclass(frozen=True, slots=True)
class FormItem:
    """`choices` are empty for a number; `name` is the input's, if a form can have that."""

    input: str
    name: str
    label: str
    unit: str
    choices: tuple[FormChoice, ...]
    questions: tuple[Question, ...]

    @property
    def is_number(self) -> bool:
        return not self.choices

    def says_yes(self, question: Question) -> list[str]:
        """The values of the choices that answer a question with yes."""
        return [one.value for one in self.choices if self._answer(question, one) is True]

    def says_no(self, question: Question) -> list[str]:
        return [one.value for one in self.choices if self._answer(question, one) is False]

    def _answer(self, question: Question, choice: FormChoice) -> bool | None:
        condition = question.condition
        if condition.is_presence:
            return (choice.value == UNKNOWN) == (condition.kind == "missing")
        if choice.value == UNKNOWN and choice.stands_for is None:
            return None
        if condition.is_categorical:
            return (choice.stands_for in condition.categories) == (condition.kind == "in")
        return (choice.value == YES) == (condition.kind == "yes")


def items_of(staircase: Staircase, wording: Wording) -> dict[str, FormItem]:
    """By input its item, in the order in which they are asked."""
    asked = with_substitutes(staircase.questions)
    found: dict[str, FormItem] = {}
    for question in asked:
        if question.input not in found:
            same = tuple(one for one in asked if one.input == question.input)
            found[question.input] = FormItem(
                question.input,
                _name(question.input, [one.name for one in found.values()], len(found) + 1),
                printable(question.label) or "?",
                next((printable(one.unit) for one in same if one.unit), ""),
                tuple(_choices(same, wording)),
                same,
            )
    return found


def own_prefix(items: Iterable[FormItem]) -> str:
    """What the names of the form's own fields begin with."""
    return free_prefix([one.name for one in items])


def _name(wanted: str, taken: Sequence[str], number: int) -> str:
    used = {*TAKEN, *(name.lower() for name in taken)}
    if PLAIN_NAME.fullmatch(wanted) and wanted.lower() not in used:
        return wanted
    name = f"input_{number}"
    while name in used:
        name += "_"
    return name


def _choices(questions: Sequence[Question], wording: Wording) -> Iterator[FormChoice]:
    """Those of all questions about an input; none where one of them asks for a number."""
    conditions = [one.condition for one in questions]
    if any(one.is_numeric for one in conditions):
        return
    unknown = FormChoice(UNKNOWN, wording.word("calc unknown"))
    known = dict.fromkeys(one for each in conditions for one in (*each.choices, *each.categories))
    if known:
        used: set[str] = {UNKNOWN, OTHER}
        for number, category in enumerate(known, 1):
            plain = PLAIN_VALUE.fullmatch(category) and category.lower() not in used
            value = category if plain else f"category_{number}"
            used.add(value.lower())
            yield FormChoice(value, printable(category) or "“”", category)
        if all(not one.choices for one in conditions):
            yield FormChoice(OTHER, "…")
    elif all(one.is_presence for one in conditions):
        unknown = FormChoice(UNKNOWN, wording.word("missing"))
        yield FormChoice(YES, wording.word("present"))
    else:
        yield FormChoice(YES, wording.word("calc yes"))
        yield FormChoice(NO, wording.word("calc no"))
    yield unknown


def stops_at(step: Step, total: str) -> Iterator[str]:
    """When nobody goes on after a stage, as conditions of XPath and FHIRPath."""
    if step.rule_out_at is not None:
        yield f"{total} <= {step.rule_out_at}"
    if step.rule_in_at is not None:
        yield f"{total} >= {step.rule_in_at}"
    if step.undecided_between is not None:
        low, high = step.undecided_between
        yield f"({total} >= {low} and {total} <= {high})"

"""The questions that a person gives: checked against the inputs, and completed from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from scorecard.core.given_question import GivenQuestion, given_as, refuse_repetition
from scorecard.core.model import Condition, Question
from scorecard.errors import LearningError, ListError, did_you_mean, few
from scorecard.learning.inputs import Described


def given_questions(
    entries: Sequence[Any], inputs: Mapping[str, Described]
) -> tuple[GivenQuestion, ...]:
    """What `fixed` says, with the choices of categories that the inputs have."""
    given = tuple(_completed(_entry(one), inputs) for one in entries)
    try:
        refuse_repetition(given)
    except ListError as error:
        raise LearningError(f"fixed: {error}") from None
    return given


def _entry(entry: Any) -> GivenQuestion:
    match entry:
        case GivenQuestion():
            return entry
        case Question():
            return given_as(entry)
        case str():
            return GivenQuestion(entry)
        case (str(name), int(points)) if points and not isinstance(points, bool):
            return GivenQuestion(name, points=points)
    raise LearningError(
        f"fixed: {entry!r} came, expected a Question, a GivenQuestion, an input's name or (name,"
        " points)."
    )


def _completed(given: GivenQuestion, inputs: Mapping[str, Described]) -> GivenQuestion:
    if not given.input:
        return given
    if given.input not in inputs:
        raise unknown_input("fixed", given.input, inputs)
    other = given.if_unknown
    if other is not None:
        if other.input not in inputs:
            raise unknown_input("fixed", other.input, inputs)
        if other.condition.kind in ("yes", "no") and inputs[other.input].kind == "number":
            raise LearningError(
                f"fixed: the substitute {other.input!r} has numbers; give its cut-off (at_least or"
                " below)."
            )
        known = _with_choices(other.condition, inputs[other.input])
        given = replace(given, if_unknown=replace(other, condition=known))
    if given.condition is None:
        return given
    return replace(given, condition=_with_choices(given.condition, inputs[given.input]))


def _with_choices(condition: Condition, known: Described) -> Condition:
    """The condition with all categories that the input has."""
    if not condition.is_categorical or known.kind != "category":
        return condition  # what comes of it is refused where its answers are read
    choices = condition.choices or known.categories()
    for value in condition.categories:
        if value not in choices:
            hint = did_you_mean(value, choices, f"it has {few(choices)}.")
            raise LearningError(f"fixed: {known.name!r} is never {value!r}; {hint}")
    return replace(condition, choices=choices)


def unknown_input(option: str, name: str, inputs: Mapping[str, Described]) -> LearningError:
    known = ", ".join(map(repr, list(inputs)[:12]))
    return LearningError(f"{option}: {name!r} is not an input; the inputs are {known}.")

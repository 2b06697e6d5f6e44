"""The questions that a person gives: checked against the inputs, and completed from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from typing import Any

from scorecard.core.given_question import GivenQuestion, given_as, refuse_repetition
from scorecard.core.model import Question
from scorecard.errors import LearningError, ListError
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
    condition = given.condition
    if condition is None or not condition.is_categorical:
        return given
    known = inputs[given.input]
    if known.kind != "category":
        return given  # what comes of it is refused where its answers are read
    choices = condition.choices or known.categories()
    for value in condition.categories:
        if value not in choices:
            near = get_close_matches(value, choices, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"it has {', '.join(choices[:12])}."
            raise LearningError(f"fixed: {given.input!r} is never {value!r}; {hint}")
    return replace(given, condition=replace(condition, choices=choices))


def unknown_input(option: str, name: str, inputs: Mapping[str, Described]) -> LearningError:
    known = ", ".join(map(repr, list(inputs)[:12]))
    return LearningError(f"{option}: {name!r} is not an input; the inputs are {known}.")

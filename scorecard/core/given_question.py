"""Questions of which a person gives some parts; what is left open is learned from cases."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

from scorecard.core.model import ScoringList, faults_together
from scorecard.core.question import (
    NUMBER_PATTERN,
    Condition,
    ConditionKind,
    Question,
    Substitute,
    plain_number,
)
from scorecard.errors import ListError, did_you_mean, few

GIVEN = "questions given"  # how many, with where a list comes from

ALONE: dict[str, ConditionKind] = {
    "yes": "yes", "no": "no", "missing": "missing", "present": "present",
}  # fmt: skip
"""Conditions that are one word."""

EXAMPLES = '"age >= 65: 2", "age", "age: 2", "sex is female" or "site in a, b: 1"'


@dataclass(frozen=True, slots=True)
class GivenQuestion:
    """A question that is to be asked: without an input, a condition or points, these are learned.

    Examples
    --------
    >>> str(GivenQuestion("age", Condition(">=", 65), 2)), str(GivenQuestion("age"))
    ('age >= 65: 2', 'age')
    """

    input: str = ""
    condition: Condition | None = None
    points: int | None = None
    label: str = ""
    unit: str = ""
    cost: int | float | None = None
    note: str = ""
    panel: str = ""
    if_unknown: Substitute | None = None

    def __post_init__(self) -> None:
        if self.condition is not None and not self.input:
            raise ListError("input: what is asked has a condition, but no input it belongs to.")
        if self.if_unknown is not None and self.condition is None:
            raise ListError(
                "if_unknown: a substitute needs the question's own condition beside it; give both."
            )
        self.as_question()

    def as_question(self) -> Question:
        """The same with stand-ins for what is open, so that a question's own rules are kept."""
        name = self.input or self.label or "any"
        words = (self.label, self.unit, self.cost, self.note, self.panel, self.if_unknown)
        points = 1 if self.points is None else self.points
        return Question(name, points, self.condition or Condition(), *words)

    def put_on(self, question: Question) -> Question:
        """The question with these words, where there are some."""
        names = ("label", "unit", "cost", "note", "panel", "if_unknown")
        words = {name: getattr(self, name) for name in names}
        # A cost of 0 is one, too.
        given = {key: word for key, word in words.items() if word not in ("", None)}
        return replace(question, **given)

    @property
    def whole(self) -> Question | None:
        """The question, if nothing is left open."""
        is_open = self.condition is None or self.points is None
        return None if is_open else self.as_question()

    def __str__(self) -> str:
        name = self.input or "any question"
        points = "" if self.points is None else f": {self.points}"
        if self.condition is None:
            return name + points
        if self.condition.is_categorical:
            values = ", ".join(self.condition.categories)
            return f"{name} {self.condition.kind} {values}{points}"
        return f"{name} {self.condition}{points}"


def refuse_repetition(given: Sequence[GivenQuestion]) -> None:
    """Who gives several questions about an input has to give all their conditions, and others."""
    times = Counter(one.input for one in given if one.input and not _asks_presence(one))
    for number, one in enumerate(given):
        if one.condition is None and times[one.input] > 1:
            raise ListError(
                f"questions[{number}].input: {one.input!r} is asked twice, and what of it is left"
                " open; give every cut-off or category, or ask it once."
            )
    asked = [
        (number, replace(one, points=1).as_question())
        for number, one in enumerate(given)
        if one.condition is not None
    ]
    if fault := next(faults_together(asked), None):
        raise ListError(fault)


def _asks_presence(given: GivenQuestion) -> bool:
    return given.condition is not None and given.condition.is_presence


def given_as(question: Question) -> GivenQuestion:
    """A question with nothing left open."""
    return GivenQuestion(**{one.name: getattr(question, one.name) for one in fields(question)})


def given_question(text: str, columns: Sequence[str]) -> GivenQuestion:
    """A question in the short form that one types, about one of these columns.

    Examples
    --------
    >>> str(given_question("body weight < 50.5: -1", ["body", "body weight"]))
    'body weight < 50.5: -1'
    """
    name = _column(text, columns)
    rest = text.strip()[len(name) :]
    found = re.fullmatch(r"(.*?)(?::\s*([+−-]?[0-9]{1,6}))?", rest, re.DOTALL)
    condition, points = (found[1].strip(), found[2]) if found else (rest, None)
    return GivenQuestion(
        name,
        _condition(text, condition) if condition else None,
        None if points is None else int(points.replace("−", "-")),
    )


def _column(text: str, columns: Sequence[str]) -> str:
    """The longest column that the text begins with."""
    said = text.strip()
    fits = [
        name for name in columns if said.startswith(name) and not re.match(r"\w", said[len(name) :])
    ]
    if fits:
        return max(fits, key=len)
    named = re.split(r"\s*(?:[<>=≥≤:]|\s(?:is|in|not)\s)", said)[0]
    hint = did_you_mean(named, columns, f"the columns are {few(columns)}.")
    raise ListError(f"{text!r} begins with no column; {hint}")


def _condition(text: str, said: str) -> Condition:
    if number := re.fullmatch(rf"(>=|≥|<)\s*([−-]?{NUMBER_PATTERN})", said):
        cutoff = float(number[2].replace("−", "-"))
        return Condition("<" if number[1] == "<" else ">=", plain_number(cutoff, "cut-off"))
    if alone := ALONE.get(said):
        return Condition(alone)
    if values := re.fullmatch(r"((?:is not|not in|is|in)\s+|=\s*)(.+)", said, re.DOTALL):
        many = values[1].strip().endswith("in")
        texts = values[2].split(",") if many else [values[2]]
        categories = tuple(text.strip().strip("\"'") for text in texts)
        return Condition("not in" if "not" in values[1] else "in", categories=categories)
    raise ListError(
        f"{text!r} is not understood from {said!r} on; expected for instance {EXAMPLES}."
    )


def given_first(scoring_list: ScoringList) -> int:
    """How many of the first questions a person gave: the lists of all folds have kept them."""
    known = dict(scoring_list.provenance)
    said, listed = known.get(GIVEN, ""), known.get("option given", "")
    # Lists of older files do not count what was given.
    return int(said) if said.isdecimal() else len(listed and listed.split("; "))

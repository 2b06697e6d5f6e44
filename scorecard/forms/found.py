"""What a file that differs is asked, and what it says, whatever its form is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import eq
from pathlib import Path
from typing import Any

from scorecard.core.model import Answer
from scorecard.core.question import inputs_of
from scorecard.core.staircase import RESULT, Staircase
from scorecard.documents.json_document import content_hash, short_hash
from scorecard.forms.test_cases import (
    CaseResult,
    Vector,
    expected,
    is_plain,
    patterns,
    result_of,
    sharpened,
    value_cases,
    vectors,
)

NOT_THIS = "it was not written by scorecard for this list, or changed by hand"


class NotRunError(Exception):
    """A form that cannot be run here; the message says what is missing."""


class NotMadeAgainError(Exception):
    """A printed file that cannot be made again here; the message says why."""


class UnusableError(Exception):
    """A file that does not do what its form does; the message says what happened."""


@dataclass(frozen=True)
class Work:
    """The list that files are compared with, and what those that differ are asked.

    `rows` of a table are asked besides the cases chosen to find differences. `run_changed`: run
    also what this version would not have written. `decisions_only`: leave out all that is beside
    what a file decides. `template_dir` has templates and words of somebody's own.
    """

    staircase: Staircase
    rows: Sequence[Mapping[str, str]] = ()
    run_changed: bool = False
    decisions_only: bool = False
    template_dir: Path | None = None

    @cached_property
    def name(self) -> str:
        return content_hash(self.staircase.scoring_list)

    @cached_property
    def short(self) -> str:
        return short_hash(self.staircase.scoring_list)

    # Only a file that is run needs these; they take longer than making most files again.

    @cached_property
    def shared(self) -> Sequence[Vector]:
        """The cases chosen to find differences."""
        return list(vectors(self.staircase))

    @cached_property
    def cases(self) -> Sequence[Vector]:
        questions = self.staircase.questions
        inputs = inputs_of(questions)
        rows = [{name: row[name] for name in inputs if name in row} for row in self.rows]
        return [
            *self.shared,
            *(Vector(row, expected(self.staircase, row), is_plain(questions, row)) for row in rows),
        ]

    @cached_property
    def walks(self) -> Sequence[Sequence[Answer]]:
        """Answers to the first questions in their order."""
        return patterns(self.staircase)

    @cached_property
    def sharpened(self) -> Sequence[Sequence[Answer]]:
        """Answers of who goes on for a sharper risk."""
        return sharpened(self.staircase)

    @cached_property
    def values(self) -> Sequence[tuple[Mapping[str, object], CaseResult | None]]:
        """Cases of numbers, booleans and nothing, with their results."""
        return value_cases(self.staircase)


Said = CaseResult | None
"""What a form says about a case, `None` if it refuses it."""


@dataclass(frozen=True)
class Found:
    """Where a file differs; of one that was run what it said, by the place of the case in the work.

    `faults` are disagreements that show without a case, such as a figure in a table. `names` are
    the hashes of lists found on the file, whole or their first digits.
    """

    cases: Mapping[int, Said] = field(default_factory=dict)
    walks: Mapping[int, Said] = field(default_factory=dict)
    sharpened: Mapping[int, Said] = field(default_factory=dict, kw_only=True)
    values: Mapping[int, Said] = field(default_factory=dict, kw_only=True)
    faults: Sequence[str] = ()
    names: frozenset[str] = frozenset()

    @property
    def tried(self) -> int:
        return sum(map(len, (self.cases, self.walks, self.sharpened, self.values)))


def said(result: Mapping[str, Any] | None) -> Said:
    """A result as programs give it."""
    if result is None:
        return None
    outside = tuple(sorted(result.get("outside", ())))
    told: list[Any] = [result[name] for name in RESULT]
    return CaseResult(*told, outside=outside)


Same = Callable[[object, object], bool]


def differences(found: Found, work: Work, same: Same = eq) -> Iterator[str]:
    """Where what a form said differs from the list, as lines; `same`: whether two figures are."""
    yield from found.faults
    told: list[tuple[object, Said, Said]] = []
    for place, one in found.cases.items():
        told.append((dict(work.cases[place].case), one, work.cases[place].result))
    for place, one in found.values.items():
        values, right = work.values[place % len(work.values)]
        told.append((dict(values), one, right))
    walks = [(work.walks[place], one, "") for place, one in found.walks.items()]
    walks += [(work.sharpened[at], one, " to sharpen") for at, one in found.sharpened.items()]
    for answers, one, how in walks:
        right = result_of(work.staircase, answers, sharpen=bool(how))
        told.append((f"answers {list(answers)}{how}", one, right))
    for asked, one, right in told:
        if wrong := difference(one, right, same):
            yield f"{asked}: {wrong}"


def difference(result: Said, right: Said, same: Same = eq) -> str:
    """What a form says otherwise; empty if it says the same."""
    if result is None or right is None:
        return "" if result is right else f"{_told(result)} instead of {_told(right)}"
    wrong = [
        f"{name} {_shown(getattr(result, name))} instead of {_shown(getattr(right, name))}"
        for name in (*RESULT, "outside")
        if not same(getattr(result, name), getattr(right, name))
    ]
    return ", ".join(wrong)


def _told(result: Said) -> str:
    return "refused" if result is None else f"{result.decision} after {result.stage}"


def _shown(value: object) -> str:
    return "none" if value is None else str(value)


def inputs_in(outside: str | None, inputs: Iterable[str]) -> Iterator[str]:
    """The inputs that a column names, with semicolons between them; a name may have some."""
    text, known = outside or "", list(inputs)
    while text:
        fits = (one for one in known if f"{text}; ".startswith(f"{one}; "))
        name = max(fits, key=len, default=text)
        yield name
        text = text[len(name) + 2 :]

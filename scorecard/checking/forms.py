"""What a form of a list is asked and what it says, without any knowledge of a particular form."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from scorecard.core.model import Answer
from scorecard.core.staircase import RESULT, Staircase
from scorecard.exporting.test_cases import Result, Vector
from scorecard.printing.record import Record
from scorecard.words.language import Language, language_named, languages


class NotRunError(Exception):
    """A form that cannot be run here; the message says what is missing."""


class NotReadError(Exception):
    """A file in which nothing can be compared with a list; the message says why."""


class NotMadeAgainError(Exception):
    """A printed file that cannot be made again here; the message says why."""


class UnusableError(Exception):
    """A file that does not do what its form does; the message says what happened."""


@dataclass(frozen=True, slots=True)
class Work:
    """What every form is asked: cases, and answers to the first questions in their order.

    `sharpened` are answers of who goes on for a sharper risk. The first `shared` cases were chosen
    to find differences, the others are rows of a table. `values` are cases of numbers, booleans and
    nothing, with their results. `run_changed`: run also what this version would not have written.
    `decisions_only`: leave out all that is beside what a file decides.
    `make` makes a printed file again: it takes its record and the kind of file. `template_dir` has
    words of somebody's own.
    """

    staircase: Staircase
    cases: Sequence[Vector]
    walks: Sequence[Sequence[Answer]]
    shared: int
    sharpened: Sequence[Sequence[Answer]] = ()
    values: Sequence[tuple[Mapping[str, object], Result | None]] = ()
    run_changed: bool = False
    decisions_only: bool = False
    make: Callable[[Record, str], bytes] = field(kw_only=True)
    template_dir: Path | None = None


def language_of(record: Record | None, work: Work) -> Language | None:
    """The language of a printed file; `None` if its words are somebody's own, and not at hand."""
    options = record.options if record else {}
    if "template_dir" in options and work.template_dir is None:
        return None
    own = work.template_dir if "template_dir" in options else None
    said = str(options.get("language", "en"))
    return language_named(said, own) if said in languages(own) else None


Said = Result | None
"""What a form says about a case, `None` if it refuses it."""


@dataclass(frozen=True, slots=True)
class Trial:
    """Something that was done with a form, in words; what it said, and what was right."""

    done: str
    said: Said
    right: Said


Precision = Literal["exact", "15 digits", "decisions"]


@dataclass(frozen=True)
class Found:
    """What a form said, by the place of the case or walk in the work; the rest was not asked.

    `faults` are disagreements that show without a case, such as a figure in a table. `names` are
    the hashes of lists found on the file, whole or their first digits. `precision` is how exactly
    the form keeps figures: to the last bit, to 15 digits, or rounded so that only decision and
    stage can be compared. `in_part` says why not all of the file was compared, where that is so.
    """

    cases: Mapping[int, Said] = field(default_factory=dict)
    walks: Mapping[int, Said] = field(default_factory=dict)
    sharpened: Mapping[int, Said] = field(default_factory=dict, kw_only=True)
    values: Mapping[int, Said] = field(default_factory=dict, kw_only=True)
    trials: Sequence[Trial] = field(default=(), kw_only=True)
    in_part: str = field(default="", kw_only=True)
    faults: Sequence[str] = ()
    names: frozenset[str] = frozenset()
    precision: Precision = "exact"


Form = Callable[[Path, Work], Found]


def names_in(text: str) -> frozenset[str]:
    """The hashes a text mentions."""
    return frozenset(re.findall(r"sha256:([0-9a-f]{64})", text))


def said(result: Mapping[str, Any] | None) -> Said:
    """A result as programs give it."""
    if result is None:
        return None
    outside = tuple(sorted(result.get("outside", ())))
    told: list[Any] = [result[name] for name in RESULT]
    return Result(*told, outside=outside)

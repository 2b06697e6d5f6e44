"""Compare what each file says with what the list says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isclose
from pathlib import Path

from scorecard.checking.cards import calculator_form, html_form, pdf_form
from scorecard.checking.databases import duckdb_form, sqlite_form
from scorecard.checking.documents import json_form
from scorecard.checking.forms import (
    AbsentError,
    Form,
    Found,
    NotRunError,
    Precision,
    Said,
    UnusableError,
    Work,
)
from scorecard.checking.programs import javascript_form, python_form
from scorecard.checking.spreadsheets import excel_form
from scorecard.errors import ScorecardError
from scorecard.exporting.json_document import content_hash
from scorecard.exporting.vectors import Vector, expected, is_plain, patterns, result_of, vectors
from scorecard.staircase import Staircase

FIFTEEN_DIGITS, FIFTEEN_DECIMALS = 5e-15, 1e-15

FORMS: dict[str, dict[str, Form]] = {
    ".py": {"Python": python_form},
    ".js": {"JavaScript": javascript_form},
    ".mjs": {"JavaScript": javascript_form},
    ".json": {"JSON": json_form},
    ".sql": {"SQL in SQLite": sqlite_form, "SQL in DuckDB": duckdb_form},
    ".xlsx": {"Excel": excel_form},
    ".pdf": {"printed card": pdf_form},
    ".html": {"web page": html_form, "calculator": calculator_form},
}
"""By the ending of the file: the ways to run it, by name."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """How one file, run in one way, compares with the list.

    `not_run` says why it was not run; then nothing was tried, and it does not count as agreeing.
    `same_list` is whether the file names the list it was made from, `None` if it was not read.
    """

    path: Path
    form: str
    tried: int = 0
    disagreements: int = 0
    first: str = ""
    same_list: bool | None = None
    not_run: str = ""

    @property
    def agrees(self) -> bool:
        return not self.not_run and not self.disagreements and bool(self.same_list)

    @property
    def disagrees(self) -> bool:
        return not self.not_run and not self.agrees


def check(
    staircase: Staircase,
    paths: Sequence[Path],
    rows: Sequence[Mapping[str, str]] = (),
    identity: str = "",
) -> list[Verdict]:
    """Apply each file to the shared cases and to these rows, and compare with the list.

    `identity` is the hash of the list as it stands in its file, if the staircase is that of the
    list turned to positive points.
    """
    questions = staircase.questions
    inputs = [question.input for question in questions]
    cases = list(vectors(staircase))
    shared = len(cases)
    for row in rows:
        case = {name: row[name] for name in inputs if name in row}
        cases.append(Vector(case, expected(staircase, case), is_plain(questions, case)))
    work = Work(staircase, cases, patterns(staircase), shared)
    name = identity or content_hash(staircase.scoring_list)
    verdicts = [
        _verdict(path, form, run, work, name)
        for path in paths
        for form, run in _forms(path).items()
    ]
    return [verdict for verdict in verdicts if verdict is not None]


def _forms(path: Path) -> dict[str, Form]:
    if path.suffix.lower() not in FORMS:
        raise ScorecardError(
            f"{path.name}: {path.suffix!r} is no form that can be checked; expected one of"
            f" {', '.join(FORMS)}."
        )
    if not path.is_file():
        raise ScorecardError(f"{str(path)!r} is not there.")
    return FORMS[path.suffix.lower()]


def _verdict(path: Path, form: str, run: Form, work: Work, name: str) -> Verdict | None:
    try:
        found = run(path, work)
    except AbsentError:
        return None
    except NotRunError as reason:
        return Verdict(path, form, not_run=str(reason))
    except (UnusableError, UnicodeDecodeError) as fault:
        return Verdict(path, form, disagreements=1, first=str(fault))
    wrong = list(differences(found, work))
    return Verdict(
        path,
        form,
        len(found.cases) + len(found.walks),
        len(wrong),
        wrong[0] if wrong else "",
        any(name.startswith(one) for one in found.names),
    )


def differences(found: Found, work: Work) -> Iterator[str]:
    """Where what a form said differs from the list, as lines."""
    yield from found.faults
    for place, result in found.cases.items():
        case = work.cases[place]
        if not _same(result, case.result, found.precision):
            yield f"{dict(case.case)}: {_told(result)} instead of {_told(case.result)}"
    for place, result in found.walks.items():
        answers = work.walks[place]
        right = result_of(work.staircase, answers)
        if not _same(result, right, found.precision):
            yield f"answers {list(answers)}: {_told(result)} instead of {_told(right)}"


def _same(result: Said, right: Said, precision: Precision) -> bool:
    """Whether a form says the same, as far as it keeps figures."""
    if result is None or right is None or precision == "exact":
        return result == right
    if (result.decision, result.stage) != (right.decision, right.stage):
        return False
    return precision == "decisions" or (
        result.total == right.total
        and _close(result.probability, right.probability)
        and _close(result.lower, right.lower)
        and _close(result.upper, right.upper)
    )


def _close(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return one is other
    return isclose(one, other, rel_tol=FIFTEEN_DIGITS, abs_tol=FIFTEEN_DECIMALS)


def _told(result: Said) -> str:
    if result is None:
        return "refused"
    figures = result.probability, result.lower, result.upper
    risk = "" if figures == (None, None, None) else ", risk {!r} ({!r} to {!r})".format(*figures)
    return f"{result.decision} after {result.stage} with total {result.total}{risk}"

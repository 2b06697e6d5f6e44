"""Compare what each file says with what the list says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from math import isclose
from pathlib import Path

from scorecard.checking.cards import calculator_form, html_form, pdf_form
from scorecard.checking.databases import duckdb_form, sqlite_form
from scorecard.checking.documents import json_form
from scorecard.checking.forms import (
    AbsentError,
    Form,
    Found,
    NotReadError,
    NotRunError,
    Precision,
    Said,
    UnusableError,
    Work,
)
from scorecard.checking.programs import javascript_form, python_form
from scorecard.checking.spreadsheets import excel_form
from scorecard.core.staircase import Staircase
from scorecard.documents.json_document import content_hash
from scorecard.errors import ScorecardError
from scorecard.exporting.test_cases import (
    Result,
    Vector,
    expected,
    is_plain,
    patterns,
    result_of,
    sharpened,
    value_cases,
    vectors,
)

FIFTEEN_DIGITS, FIFTEEN_DECIMALS = 5e-15, 1e-15
FIELDS = tuple(field.name for field in fields(Result))
COARSE = ("decision", "stage")  # what a form that rounds its figures can be held to

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

UNREADABLE = dict.fromkeys((".png", ".svg"), "in a picture nothing can be read")
"""By the ending: why nothing in such a file can be compared."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """How one file, run in one way, compares with the list.

    `not_run` says what is missing to run it and `not_read` why nothing in it can be compared; then
    nothing was tried, and it does not count as agreeing.
    `same_list` is whether the file names the list it was made from, `None` if it was not read.
    """

    path: Path
    form: str
    tried: int = 0
    disagreements: int = 0
    first: str = ""
    same_list: bool | None = None
    not_run: str = ""
    not_read: str = ""

    @property
    def tried_out(self) -> bool:
        return not self.not_run and not self.not_read

    @property
    def agrees(self) -> bool:
        return self.tried_out and not self.disagreements and bool(self.same_list)

    @property
    def disagrees(self) -> bool:
        return self.tried_out and not self.agrees


def check(
    staircase: Staircase,
    paths: Sequence[Path],
    rows: Sequence[Mapping[str, str]] = (),
    *,
    run_changed: bool = False,
) -> list[Verdict]:
    """Compare each file with the list: all of its text, and what it says about cases.

    Generated code is compared with what this version writes, and run on the shared cases and on
    these rows if it is the same, or with `run_changed`.
    """
    questions = staircase.questions
    inputs = [question.input for question in questions]
    cases = list(vectors(staircase))
    shared = len(cases)
    for row in rows:
        case = {name: row[name] for name in inputs if name in row}
        cases.append(Vector(case, expected(staircase, case), is_plain(questions, case)))
    work = Work(
        staircase,
        cases,
        patterns(staircase),
        shared,
        sharpened(staircase),
        value_cases(staircase),
        run_changed,
    )
    name = content_hash(staircase.scoring_list)
    verdicts = [
        _verdict(path, form, run, work, name)
        for path in _all_there(paths)
        for form, run in _forms(path).items()
    ]
    return [verdict for verdict in verdicts if verdict is not None]


def _all_there(paths: Sequence[Path]) -> Sequence[Path]:
    for path in paths:
        if not path.is_file():
            raise ScorecardError(f"{str(path)!r} is not there; make it first, or leave it out.")
    return paths


def _forms(path: Path) -> dict[str, Form]:
    return FORMS.get(path.suffix.lower(), {"–": _unreadable})


def _unreadable(path: Path, _work: Work) -> Found:
    reason = UNREADABLE.get(path.suffix.lower(), f"{path.suffix or 'such a file'} is no form")
    raise NotReadError(f"{reason}; what can be checked is {', '.join(FORMS)}")


def _verdict(path: Path, form: str, run: Form, work: Work, name: str) -> Verdict | None:
    try:
        found = run(path, work)
    except AbsentError:
        return None
    except NotRunError as reason:
        return Verdict(path, form, not_run=str(reason))
    except NotReadError as reason:
        return Verdict(path, form, not_read=str(reason))
    except (UnusableError, UnicodeDecodeError) as fault:
        return Verdict(path, form, disagreements=1, first=str(fault))
    wrong = list(differences(found, work))
    return Verdict(
        path,
        form,
        sum(map(len, (found.cases, found.walks, found.sharpened, found.values))),
        len(wrong),
        wrong[0] if wrong else "",
        any(name.startswith(one) for one in found.names),
    )


def differences(found: Found, work: Work) -> Iterator[str]:
    """Where what a form said differs from the list, as lines."""
    yield from found.faults
    for place, result in found.cases.items():
        case = work.cases[place]
        if wrong := _difference(result, case.result, found.precision):
            yield f"{dict(case.case)}: {wrong}"
    for place, result in found.values.items():
        values, right = work.values[place % len(work.values)]
        if wrong := _difference(result, right, found.precision):
            yield f"{dict(values)}: {wrong}"
    walks = [(work.walks[place], said, False) for place, said in found.walks.items()]
    walks += [(work.sharpened[place], said, True) for place, said in found.sharpened.items()]
    for answers, result, sharpen in walks:
        due = result_of(work.staircase, answers, sharpen=sharpen)
        if wrong := _difference(result, due, found.precision):
            yield f"answers {list(answers)}{' to sharpen' if sharpen else ''}: {wrong}"


def _difference(result: Said, right: Said, precision: Precision) -> str:
    """What a form says otherwise, as far as it keeps figures; empty if it says the same."""
    if result is None or right is None:
        return "" if result is right else f"{_told(result)} instead of {_told(right)}"
    wrong = [
        f"{name} {_shown(getattr(result, name))} instead of {_shown(getattr(right, name))}"
        for name in (COARSE if precision == "decisions" else FIELDS)
        if not _same(getattr(result, name), getattr(right, name), precision)
    ]
    return ", ".join(wrong)


def _same(one: object, other: object, precision: Precision) -> bool:
    if precision == "15 digits" and isinstance(one, float) and isinstance(other, float):
        return isclose(one, other, rel_tol=FIFTEEN_DIGITS, abs_tol=FIFTEEN_DECIMALS)
    return one == other


def _told(result: Said) -> str:
    return "refused" if result is None else f"{result.decision} after {result.stage}"


def _shown(value: object) -> str:
    return "none" if value is None else str(value)

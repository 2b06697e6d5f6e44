"""Compare what each file says with what the list says."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isclose
from pathlib import Path

from scorecard import __version__
from scorecard.checking.databases import duckdb_form, sqlite_form
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
from scorecard.checking.json_files import json_form
from scorecard.checking.printed import calculator_form, html_form, pdf_form, script_form, svg_form
from scorecard.checking.programs import javascript_form, python_form
from scorecard.checking.spreadsheets import excel_form
from scorecard.core.climbing import build_staircase
from scorecard.core.edits import asked_digest
from scorecard.core.model import ScoringList
from scorecard.core.policy import StoppingPolicy
from scorecard.core.question import inputs_of
from scorecard.core.staircase import RESULT, Staircase
from scorecard.documents.json_document import content_hash, read_list
from scorecard.errors import ScorecardError
from scorecard.exporting.test_cases import (
    Vector,
    expected,
    is_plain,
    patterns,
    result_of,
    sharpened,
    value_cases,
    vectors,
)
from scorecard.printing.record import Record

FIFTEEN_DIGITS, FIFTEEN_DECIMALS = 5e-15, 1e-15
SHORT = 8  # digits of a hash are enough for people
COARSE = ("decision", "stage")  # what a form that rounds its figures can be held to

Make = Callable[[ScoringList, StoppingPolicy, Record, str, Path | None], bytes]

FORMS: dict[str, dict[str, Form]] = {
    ".py": {"Python": python_form},
    ".js": {"JavaScript": javascript_form},
    ".mjs": {"JavaScript": javascript_form},
    ".json": {"JSON": json_form},
    ".sql": {"SQL in SQLite": sqlite_form, "SQL in DuckDB": duckdb_form},
    ".xlsx": {"Excel": excel_form},
    ".pdf": {"printed card": pdf_form},
    ".html": {
        "web page": html_form,
        "calculator in a browser": calculator_form,
        "its script in Node": script_form,
    },
    ".svg": {"drawing": svg_form},
}
"""By the ending of the file: the ways to run it, by name."""

UNREADABLE = {".png": "a picture, not comparable"}
"""By the ending: why nothing in such a file can be compared."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """How one file, run in one way, compares with the list.

    `not_run` says what is missing to run it and `not_read` why nothing in it can be compared; then
    nothing was tried, and it does not count as agreeing.
    `same_list` is whether the file names the list it was compared with, `None` if it was not read;
    `names` are the hashes of lists, or their first digits, that it names, and `belongs_to` the
    first digits of the one it was made from. `in_part` says why only what it decides was compared,
    and not all of it: then it does not agree either, as anything may have been added to it.
    `in_folder`: nobody asked for this file, it was found in a folder. `other_list`: it was compared
    with a list in that folder which asks something else than the one that was named.
    """

    path: Path
    form: str
    tried: int = 0
    disagreements: int = 0
    first: str = ""
    same_list: bool | None = None
    not_run: str = ""
    not_read: str = ""
    names: frozenset[str] = frozenset()
    belongs_to: str = ""
    in_folder: bool = False
    in_part: str = ""
    other_list: bool = False

    @property
    def fails(self) -> bool:
        """Whether something is wrong: it disagrees, or not all that was asked for was compared."""
        return self.disagrees or bool(self.in_part or (self.not_read and not self.in_folder))

    @property
    def tried_out(self) -> bool:
        return not self.not_run and not self.not_read

    @property
    def agrees(self) -> bool:
        return self.tried_out and not self.disagrees and not self.in_part

    @property
    def disagrees(self) -> bool:
        return self.tried_out and (self.disagreements > 0 or not self.same_list)


def check(
    staircase: Staircase,
    paths: Sequence[Path],
    rows: Sequence[Mapping[str, str]] = (),
    *,
    make: Make,
    run_changed: bool = False,
    template_dir: Path | None = None,
) -> list[Verdict]:
    """Compare each file with the list: all of its text, and what it says about cases.

    Generated code is compared with what this version writes, and run on the shared cases and on
    these rows if it is the same, or with `run_changed`. Of a folder every file is compared, with
    the list it names if that is in the folder too. `make` makes a printed file again: it takes the
    list, its policy, the file's record, its kind, and the folder with templates of one's own.
    """
    work = _work(staircase, rows, make, run_changed, template_dir)
    others: dict[str, Work] = {}
    for folder in filter(Path.is_dir, paths):
        for one in _lists_in(folder):
            if one != staircase.scoring_list:
                other = _work(build_staircase(one), (), make, run_changed, template_dir)
                others[content_hash(one)] = other
    return [
        verdict
        for path, in_folder in _files(paths)
        for form, run in _forms(path).items()
        for verdict in _verdicts(path, form, run, work, others)
        for verdict in [_found_in_folder(verdict) if in_folder else verdict]
    ]


def _found_in_folder(verdict: Verdict) -> Verdict:
    """What names no list, and is none, is only listed: anything may lie in a folder."""
    if verdict.disagrees and not verdict.names:
        why = f"it names no list: {verdict.first}"
        verdict = replace(verdict, not_read=why, disagreements=0, first="")
    return replace(verdict, in_folder=True)


def _work(
    staircase: Staircase,
    rows: Sequence[Mapping[str, str]],
    make: Make,
    run_changed: bool,
    template_dir: Path | None,
) -> Work:
    questions = staircase.questions
    inputs = inputs_of(questions)
    cases = list(vectors(staircase))

    def made(record: Record, kind: str) -> bytes:
        return make(staircase.scoring_list, staircase.policy, record, kind, template_dir)

    shared = len(cases)
    for row in rows:
        case = {name: row[name] for name in inputs if name in row}
        cases.append(Vector(case, expected(staircase, case), is_plain(questions, case)))
    return Work(
        staircase,
        cases,
        patterns(staircase),
        shared,
        sharpened(staircase),
        value_cases(staircase),
        run_changed,
        make=made,
        template_dir=template_dir,
    )


def _lists_in(folder: Path) -> Iterator[ScoringList]:
    """The lists whose documents are in a folder; files may belong to any of them."""
    for path in sorted(folder.glob("*.json")):
        try:
            yield read_list(path)
        except ScorecardError:
            continue  # a decision table, or anything else; it is compared or listed by itself


def _files(paths: Sequence[Path]) -> Iterator[tuple[Path, bool]]:
    """All files, and whether they were only found in a folder."""
    for path in paths:
        if path.is_dir():
            yield from ((one, True) for one in sorted(path.iterdir()) if one.is_file())
        elif path.is_file():
            yield path, False
        else:
            raise ScorecardError(f"{str(path)!r} is not there; make it first, or leave it out.")


def _verdicts(
    path: Path, form: str, run: Form, work: Work, others: Mapping[str, Work]
) -> Iterator[Verdict]:
    """The verdict, by the list that the file names if that is in the folder too."""
    verdict = _verdict(path, form, run, work)
    if verdict is not None and not verdict.same_list:
        for name in others:
            if any(name.startswith(one) for one in verdict.names):
                verdict = _verdict(path, form, run, others[name])
                asked = {asked_digest(one.staircase.questions) for one in (work, others[name])}
                verdict = verdict and replace(verdict, other_list=len(asked) > 1)
                break
    if verdict is not None:
        yield verdict


def _forms(path: Path) -> dict[str, Form]:
    return FORMS.get(path.suffix.lower(), {"–": _unreadable})


def _unreadable(path: Path, _work: Work) -> Found:
    reason = UNREADABLE.get(path.suffix.lower(), f"{path.suffix or 'such a file'} is no form")
    raise NotReadError(f"{reason}; what can be checked is {', '.join(FORMS)}")


def _verdict(path: Path, form: str, run: Form, work: Work) -> Verdict | None:
    name = content_hash(work.staircase.scoring_list)
    try:
        found = run(path, work)
    except AbsentError:
        return None
    except NotRunError as reason:
        return Verdict(path, form, not_run=str(reason))
    except NotReadError as reason:
        return Verdict(path, form, not_read=str(reason))
    except (UnusableError, UnicodeDecodeError) as fault:
        return Verdict(path, form, disagreements=1, first=_made_by(path) + str(fault))
    wrong = list(differences(found, work))
    same = any(name.startswith(one) for one in found.names)
    return Verdict(
        path,
        form,
        sum(map(len, (found.cases, found.walks, found.sharpened, found.values, found.trials))),
        len(wrong),
        _made_by(path) + wrong[0] if wrong else "",
        same,
        names=found.names,
        belongs_to=name[:SHORT] if same else _other_list(found.names),
        in_part=found.in_part,
    )


def _made_by(path: Path) -> str:
    """Said before a fault where another version made the file: it wrote otherwise."""
    said = re.search(rb"\bscorecard (\d+\.\d[\w.]*)", _readable(path))
    version = said[1].decode().rstrip(".") if said else ""
    if version in ("", __version__):
        return ""
    return f"scorecard {version} made it, and this is {__version__}; make it again: "


def _readable(path: Path) -> bytes:
    """The bytes of a file, of a workbook those of its parts."""
    if not zipfile.is_zipfile(path):
        return path.read_bytes()
    with zipfile.ZipFile(path) as book:
        return b" ".join(map(book.read, book.namelist()))


def _other_list(names: frozenset[str]) -> str:
    """Which other list a file names; eight digits alone may be anything, a date for instance."""
    whole = sorted(name for name in names if len(name) > SHORT)
    return whole[0][:SHORT] if len(whole) == 1 else ""


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
    for trial in found.trials:
        if wrong := _difference(trial.said, trial.right, found.precision):
            yield f"{trial.done}: {wrong}"
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
        for name in (COARSE if precision == "decisions" else RESULT)
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

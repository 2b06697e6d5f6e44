"""Compare each file with the one that the list gives, to the last byte, and say where it differs.

What is equal needs no reading. What is not is read only to name the place, or, where other versions
made it, to compare what it decides.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import isclose
from pathlib import Path
from typing import Any

from scorecard import __version__, files
from scorecard.checking.databases import sqlite_form
from scorecard.checking.forms import (
    Form,
    Found,
    NotMadeAgainError,
    NotReadError,
    NotRunError,
    Precision,
    Said,
    UnusableError,
    Work,
)
from scorecard.checking.json_files import json_form
from scorecard.checking.origin import MOST_BYTES, Origin, first_difference, origin_of
from scorecard.checking.printed import html_form, pdf_form
from scorecard.checking.programs import javascript_form, python_form
from scorecard.checking.spreadsheets import excel_form
from scorecard.core.build_staircase import build_staircase
from scorecard.core.edits import asked_digest
from scorecard.core.model import ScoringList
from scorecard.core.policy import StoppingPolicy
from scorecard.core.question import inputs_of
from scorecard.core.staircase import RESULT, Staircase
from scorecard.documents.json_document import content_hash, read_list
from scorecard.documents.values import one_line
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

REPORT = b'<section class="findings">'
SAYS_SO = re.compile(rb'Written by scorecard |"scorecard(-decisions)?/\d|sha256:[0-9a-f]{64}')
"""What only a file that was made from a list says."""

Make = Callable[[ScoringList, StoppingPolicy, Record, str, Path | None], bytes]

FORMS: dict[str, tuple[str, Form]] = {
    ".py": ("Python", python_form),
    ".js": ("JavaScript", javascript_form),
    ".mjs": ("JavaScript", javascript_form),
    ".json": ("JSON", json_form),
    ".sql": ("SQL", sqlite_form),
    ".xlsx": ("Excel", excel_form),
    ".pdf": ("printed card", pdf_form),
    ".html": ("web page", html_form),
}
"""By the ending of the file: its name, and the way to read or run one that differs."""

UNREADABLE = {".png": "a picture, not comparable"}
"""By the ending: why nothing in such a file can be compared."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """How one file compares with the list; `whole`: it is what is written here, to the last byte.

    `not_read` says why nothing in a file can be compared; then it does not count as agreeing.
    `same_list` is whether the file names the list it was compared with, `None` if it was not read;
    `names` are the hashes of lists, or their first digits, that it names, and `belongs_to` the
    first digits of the one it was made from. `in_part` says why only what it decides was compared,
    and not all of it: then it does not agree either, as anything may have been added to it, unless
    nothing else was asked for (`decisions_only`). `again` is the command that makes it again.
    `in_folder`: nobody asked for this file, it was found in a folder. `other_list`: it was compared
    with a list in that folder which asks something else than the one that was named.
    """

    path: Path
    form: str
    tried: int = 0
    disagreements: int = 0
    first: str = ""
    same_list: bool | None = None
    not_read: str = ""
    names: frozenset[str] = frozenset()
    belongs_to: str = ""
    in_folder: bool = False
    in_part: str = ""
    other_list: bool = False
    whole: bool = False
    decisions_only: bool = False
    again: str = ""

    @property
    def fails(self) -> bool:
        """Whether something is wrong: it disagrees, or not all that was asked for was compared."""
        in_part = self.in_part and not self.decisions_only
        return self.disagrees or bool(in_part or (self.not_read and not self.in_folder))

    @property
    def tried_out(self) -> bool:
        return not self.not_read

    @property
    def agrees(self) -> bool:
        return self.tried_out and not self.disagrees and not self.in_part

    @property
    def disagrees(self) -> bool:
        return self.tried_out and (self.disagreements > 0 or not self.same_list)


@dataclass(frozen=True)
class _Due:
    """The list that files are compared with, and what those that differ are asked."""

    staircase: Staircase
    rows: Sequence[Mapping[str, str]]
    make: Make
    how: Mapping[str, Any]

    @cached_property
    def name(self) -> str:
        return content_hash(self.staircase.scoring_list)

    @cached_property
    def work(self) -> Work:
        """Only a file that differs needs it; it takes longer than making most files again."""
        return _work(self.staircase, self.rows, self.plain)

    @cached_property
    def plain(self) -> Work:
        """Enough to make a file again: no cases."""
        listed, policy = self.staircase.scoring_list, self.staircase.policy
        folder = self.how.get("template_dir")

        known: dict[tuple[str, str], bytes] = {}  # what differs is compared with it once more

        def made(record: Record, kind: str) -> bytes:
            key = record.text(), kind
            if key not in known:
                known[key] = self.make(listed, policy, record, kind, folder)
            return known[key]

        return Work(self.staircase, (), (), 0, make=made, **self.how)


def check(
    staircase: Staircase,
    paths: Sequence[Path],
    rows: Sequence[Mapping[str, str]] = (),
    *,
    make: Make,
    run_changed: bool = False,
    decisions_only: bool = False,
    template_dir: Path | None = None,
) -> list[Verdict]:
    """Compare each file with the one that the list gives, to the last byte.

    One that differs is read to say where. Where other versions made it, or with `decisions_only`,
    what it decides is compared, on the shared cases and on these rows; a program that differs is
    run with `run_changed` only. Of a folder every file is compared, with the list it names if that
    is in the folder too. `make` makes a printed file again: it takes the list, its policy, the
    file's record, its kind, and the folder with templates of one's own.
    """
    how = {
        "run_changed": run_changed,
        "decisions_only": decisions_only,
        "template_dir": template_dir,
    }
    due = _Due(staircase, rows, make, how)
    others = {
        content_hash(one): _Due(build_staircase(one), (), make, how)
        for folder in filter(Path.is_dir, paths)
        for one in _lists_in(folder)
        if one != staircase.scoring_list
    }
    return [
        replace(_verdict(path, in_folder, due, others), in_folder=in_folder)
        for path, in_folder in _files(paths)
    ]


def _work(staircase: Staircase, rows: Sequence[Mapping[str, str]], plain: Work) -> Work:
    questions = staircase.questions
    inputs = inputs_of(questions)
    cases = list(vectors(staircase))
    shared = len(cases)
    for row in rows:
        case = {name: row[name] for name in inputs if name in row}
        cases.append(Vector(case, expected(staircase, case), is_plain(questions, case)))
    return replace(
        plain,
        cases=cases,
        walks=patterns(staircase),
        shared=shared,
        sharpened=sharpened(staircase),
        values=value_cases(staircase),
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


def _verdict(path: Path, in_folder: bool, due: _Due, others: Mapping[str, _Due]) -> Verdict:
    """The verdict, by the list that the file names if that is in the folder too.

    What names no list, and is none, is only listed in a folder: anything may lie there.
    """
    suffix = path.suffix.lower()
    if suffix not in FORMS:
        reason = UNREADABLE.get(suffix, f"{path.suffix or 'such a file'} is no form")
        reason = f"{reason}; what can be checked is {', '.join(FORMS)}"
        return Verdict(path, "–", not_read=reason)
    try:
        content = files.read_bytes(path, MOST_BYTES)
    except ScorecardError as error:
        return Verdict(path, FORMS[suffix][0], not_read=str(error).removesuffix("."))
    origin, fault = _origin(path, content)
    if origin is None and REPORT in content:
        reason = "a report has no card in it; check the list, the card or the handout"
        return Verdict(path, FORMS[suffix][0], not_read=reason)
    named = due if origin is None else others.get(origin.list, due)
    if fault:
        verdict = Verdict(path, FORMS[suffix][0], disagreements=1, first=fault)
    else:
        verdict = _compared(path, content, origin, named)
    says_so = origin or verdict.names or SAYS_SO.search(content)
    if verdict.disagrees and in_folder and not says_so:
        return Verdict(path, verdict.form, not_read=f"it names no list: {verdict.first}")
    asked = {asked_digest(one.staircase.questions) for one in (due, named)}
    return replace(
        verdict,
        other_list=len(asked) > 1,
        again=origin.command if origin else "",
        decisions_only=named.plain.decisions_only,
    )


def _origin(path: Path, content: bytes) -> tuple[Origin | None, str]:
    """What a file says of its making; or why it is not even readable."""
    try:
        return origin_of(path.suffix.lower(), content), ""
    except Exception as error:  # whatever is in it: it is not what is written here
        return None, f"it cannot be read: {one_line(str(error)) or type(error).__name__}"


def _right(origin: Origin | None, due: _Due) -> tuple[bytes | None, str]:
    """The file as it is written here; if that cannot be known, why not."""
    if origin is None:
        return None, ""
    try:
        return origin.made_again(due.plain), ""
    except NotMadeAgainError as reason:
        return None, f"{reason}: what it decides was compared, not all that it says"
    except Exception as error:  # what a file says of its making may be anything
        return None, f"it says that it was made in a way that is refused: {one_line(str(error))}"


def _compared(path: Path, content: bytes, origin: Origin | None, due: _Due) -> Verdict:
    form, run = FORMS[path.suffix.lower()]
    right, reason = _right(origin, due)
    if content == right:
        name = due.name[:SHORT]
        return Verdict(path, form, same_list=True, belongs_to=name, whole=True)
    changed = f"it was changed: {first_difference(content, right)}" if right is not None else ""
    verdict = _read(path, form, run, due.work, changed)
    if not verdict.agrees:
        return verdict
    if due.plain.decisions_only or right is None:
        in_part = reason or (NOT_SAID if right is None else DECISIONS)
        return replace(verdict, in_part=in_part)
    return replace(verdict, disagreements=1, first=changed)


NOT_SAID = "it does not say how it was made"
DECISIONS = "it is not what is written here; what it decides was compared"


def _read(path: Path, form: str, run: Form, work: Work, changed: str) -> Verdict:
    name = content_hash(work.staircase.scoring_list)
    try:
        found = run(path, work)
    except NotReadError as reason:
        return Verdict(path, form, not_read=str(reason))
    except (UnusableError, NotRunError) as fault:
        first = f"{changed}; {fault}" if changed else f"{_made_by(path)}{fault}"
        return Verdict(path, form, disagreements=1, first=first)
    except Exception as error:  # it is not what is written here: any fault is one of the file
        senseless = f"its content makes no sense: {one_line(str(error)) or type(error).__name__}"
        return Verdict(path, form, disagreements=1, first=changed or senseless)
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
    said = re.search(rb"\bscorecard (\d+\.\d[\w.]*)", path.read_bytes())
    version = said[1].decode().rstrip(".") if said else ""
    if version in ("", __version__):
        return ""
    return f"scorecard {version} made it, and this is {__version__}; make it again: "


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

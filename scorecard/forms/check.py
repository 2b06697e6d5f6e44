"""Compare each file with the one that the list gives, to the last byte, and say where it differs.

What is equal needs no reading. What is not is read only to name the place, or, where other versions
made it, to compare what it decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from scorecard import __version__, files
from scorecard.core.build_staircase import build_staircase
from scorecard.core.edits import asked_digest
from scorecard.core.model import ScoringList
from scorecard.core.staircase import Staircase
from scorecard.documents.json_document import content_hash, read_list
from scorecard.documents.values import one_line
from scorecard.errors import ScorecardError
from scorecard.forms import FORMS, Form, forms_of
from scorecard.forms.found import (
    NotMadeAgainError,
    NotRunError,
    UnusableError,
    Work,
    differences,
)
from scorecard.forms.origin import Origin, first_difference

MOST_BYTES = 100_000_000
SHORT = 8  # digits of a hash are enough for people
NOT_SAID = "it does not say how it was made"
NOT_OURS = "nothing in it says that it was made from a list"
DECISIONS = "it is not what is written here; what it decides was compared"

REPORT = b'<section class="findings">'
SAYS_SO = re.compile(rb'Written by scorecard |"scorecard(-decisions)?/\d|sha256:[0-9a-f]{64}')
"""What only a file that was made from a list says."""

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


def check(
    staircase: Staircase,
    paths: Sequence[Path],
    rows: Sequence[Mapping[str, str]] = (),
    *,
    run_changed: bool = False,
    decisions_only: bool = False,
    template_dir: Path | None = None,
) -> list[Verdict]:
    """Compare each file with the one that the list gives, to the last byte.

    One that differs is read to say where. Where other versions made it, or with `decisions_only`,
    what it decides is compared; a program that differs is run on the shared cases and these rows
    with `run_changed` only. Of a folder every file is compared, with the list it names if that is
    in the folder too. `template_dir` is the folder with templates of one's own.
    """
    due = Work(staircase, rows, run_changed, decisions_only, template_dir)
    others = {
        content_hash(one): replace(due, staircase=build_staircase(one), rows=())
        for folder in filter(Path.is_dir, paths)
        for one in _lists_in(folder)
        if one != staircase.scoring_list
    }
    return [_verdict(path, in_folder, due, others) for path, in_folder in _files(paths)]


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


def _verdict(path: Path, in_folder: bool, due: Work, others: Mapping[str, Work]) -> Verdict:
    """The verdict, by the list that the file names if that is in the folder too.

    What names no list, and is none, is only listed in a folder: anything may lie there.
    """
    suffix = path.suffix.lower()
    forms = forms_of(suffix)
    if not forms:
        reason = UNREADABLE.get(suffix, f"{path.suffix or 'such a file'} is no form")
        known = dict.fromkeys(suffix for form in FORMS.values() for suffix in form.called)
        reason = f"{reason}; what can be checked is {', '.join(known)}"
        return Verdict(path, "–", not_read=reason, in_folder=in_folder)
    unread = Verdict(path, forms[0].called[suffix], in_folder=in_folder)
    try:
        content = files.read_bytes(path, MOST_BYTES)
    except ScorecardError as error:
        return replace(unread, not_read=str(error).removesuffix("."))
    try:
        form, origin = _origin(forms, content)
    except Exception as error:  # whatever is in it: it is not what is written here
        fault = f"it cannot be read: {one_line(str(error)) or type(error).__name__}"
        origin, named, verdict = None, due, replace(unread, disagreements=1, first=fault)
    else:
        if origin is None and REPORT in content:
            reason = "a report has no card in it; check the list, the card or the handout"
            return replace(unread, not_read=reason)
        unread = replace(unread, form=form.called[suffix])
        named = due if origin is None else others.get(origin.list, due)
        verdict = _compared(unread, content, form, origin, named)
    says_so = origin or verdict.names or SAYS_SO.search(content)
    if verdict.disagrees and in_folder and not says_so:
        return replace(unread, form="–", not_read=NOT_OURS)
    return replace(
        verdict,
        other_list=asked_digest(due.staircase.questions) != asked_digest(named.staircase.questions),
        again=origin.command if origin else "",
        decisions_only=due.decisions_only,
    )


def _origin(forms: Sequence[Form], content: bytes) -> tuple[Form, Origin | None]:
    """The form of a file by what it says of its making; of several that it may be, the first."""
    for form in forms:
        origin: Origin | None = form.reader.origin(content)
        if origin is not None:
            return form, origin
    return forms[0], None


def _compared(
    unread: Verdict, content: bytes, form: Form, origin: Origin | None, due: Work
) -> Verdict:
    right, reason = None, NOT_SAID
    if origin is not None:
        try:
            right, reason = _made_again(origin, due), DECISIONS
        except NotMadeAgainError as other:
            reason = f"{other}: what it decides was compared, not all that it says"
        except Exception as error:  # what a file says of its making may be anything
            refused = f"it says that it was made in a way that is refused: {one_line(str(error))}"
            same = origin.list == due.name
            return replace(unread, disagreements=1, first=refused, same_list=same)
    if content == right:
        return replace(unread, same_list=True, belongs_to=due.short, whole=True)
    changed = f"it was changed: {first_difference(content, right)}" if right is not None else ""
    verdict = _read(unread, content, right, form, due, changed)
    if not verdict.agrees:
        return verdict
    if due.decisions_only or right is None:
        return replace(verdict, in_part=reason)
    return replace(verdict, disagreements=1, first=changed)


def _made_again(origin: Origin, due: Work) -> bytes:
    if origin.elsewhere:
        raise NotMadeAgainError(origin.elsewhere)
    return origin.again(due)


def _read(
    unread: Verdict, content: bytes, right: bytes | None, form: Form, due: Work, changed: str
) -> Verdict:
    try:
        found = form.reader.found(content, right, due)
    except (UnusableError, NotRunError) as fault:
        first = f"{changed}; {fault}" if changed else f"{_made_by(content)}{fault}"
        return replace(unread, disagreements=1, first=first)
    except Exception as error:  # it is not what is written here: any fault is one of the file
        senseless = f"its content makes no sense: {one_line(str(error)) or type(error).__name__}"
        return replace(unread, disagreements=1, first=changed or senseless)
    wrong = list(differences(found, due))
    same = any(one == due.short or due.name.startswith(one) for one in found.names)
    return replace(
        unread,
        tried=found.tried,
        disagreements=len(wrong),
        first=_made_by(content) + wrong[0] if wrong else "",
        same_list=same,
        names=found.names,
        belongs_to=due.short if same else _other_list(found.names),
    )


def _made_by(content: bytes) -> str:
    """Said before a fault where another version made the file: it wrote otherwise."""
    said = re.search(rb"\bscorecard (\d+\.\d[\w.]*)", content)
    version = said[1].decode().rstrip(".") if said else ""
    if version in ("", __version__):
        return ""
    return f"scorecard {version} made it, and this is {__version__}; make it again: "


def _other_list(names: frozenset[str]) -> str:
    """Which other list a file names; eight digits alone may be anything, a date for instance."""
    whole = sorted(name for name in names if len(name) > SHORT)
    return whole[0][:SHORT] if len(whole) == 1 else ""

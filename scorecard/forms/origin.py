"""What a file says of its own making, and where it differs from the file that this version makes.

Every form is the same to the last byte for the same list, limits, options and libraries. So a file
is what would be written here, or it is not: nothing that a reader of its content overlooks can
stand in it.
"""

from __future__ import annotations

import io
import re
import shlex
import zipfile
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import zip_longest

from scorecard import __version__
from scorecard.forms import FORMS
from scorecard.forms.found import UnusableError, Work
from scorecard.forms.source_text import card_words, seal_of

MOST_UNPACKED = 50_000_000  # bytes of all parts of a workbook; one of ours has some thousand


@dataclass(frozen=True)
class Origin:
    """What a file says of its making.

    `list` is the hash of its list. `elsewhere` says which other versions made it, where that is so;
    `command` makes it again, and `again` gives its bytes for a list under its limits.
    """

    list: str
    command: str
    again: Callable[[Work], bytes]
    elsewhere: str = ""


def origin_of_source(
    form: str, content: bytes, chosen: Mapping[str, str] | None = None
) -> Origin | None:
    """What the first lines of generated code say; `chosen` are the form's own options."""
    seal = seal_of(content)
    if seal is None:
        return None
    names = sorted(names_in(seal.body))
    name = names[0] if names else ""
    return exported(form, name, seal.language, seal.version, chosen=chosen)


def exported(
    form: str,
    name: str,
    language: str,
    version: str,
    libraries: Mapping[str, str] | None = None,
    *,
    chosen: Mapping[str, str] | None = None,
) -> Origin:
    """The origin of an export in this language; `libraries` are those that made it, and ours."""

    def again(work: Work) -> bytes:
        words = card_words(work.staircase, language) if language else None
        return FORMS[form].make(work.staircase, words, **(chosen or {}))

    told = f" --language {shlex.quote(language)}" if language not in ("", "en") else ""
    told += "".join(f" --{name} {value}" for name, value in (chosen or {}).items())
    command = f"scorecard export MODEL --to {form}{told} --force"
    return Origin(name, command, again, made_elsewhere(version, libraries or {}))


def made_elsewhere(version: str, libraries: Mapping[str, str]) -> str:
    """Which other version made a file; empty if it is this one."""
    if version != __version__:
        return f"scorecard {version} made it, and this is {__version__}"
    for theirs, ours in libraries.items():
        if theirs != ours:
            return f"it was made with {theirs}, and here is {ours}"
    return ""


def names_in(content: bytes) -> frozenset[str]:
    """The hashes of lists that a text mentions."""
    return frozenset(one.decode() for one in re.findall(rb"sha256:([0-9a-f]{64})", content))


def first_line_that_differs(content: bytes, right: bytes) -> str:
    """The first line in which two texts differ, from shortly before its difference."""
    lines = (one.split(b"\n") for one in (content, right))
    pairs = list(enumerate(zip_longest(*lines), 1))
    # In generated code any change below changes the hash in the second line: named last.
    ordered = [*pairs[:1], *pairs[2:], *pairs[1:2]]
    number, (found, due) = next(one for one in ordered if one[1][0] != one[1][1])
    if found is None:
        return f"line {number} is missing, {_short(due)}"
    if due is None:
        return f"line {number} is added, {_short(found)}"
    start = max(0, _in_common(found, due) - 30)
    return f"line {number} is {_short(found[start:])} instead of {_short(due[start:])}"


def _in_common(one: bytes, other: bytes) -> int:
    """How many bytes at the beginning are the same."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _short(line: bytes) -> str:
    text = line.decode(errors="replace")
    return repr(text if len(text) <= 80 else f"{text[:79]}…")


def first_difference(content: bytes, right: bytes) -> str:
    """The first place where two files differ, as a person finds it."""
    if zipfile.is_zipfile(io.BytesIO(content)) and right.startswith(b"PK"):
        return _part_that_differs(content, right)
    if b"\0" not in right:
        return first_line_that_differs(content, right)
    at = _in_common(content, right)
    return f"byte {at} is another, of {len(content)} instead of {len(right)}"


def _part_that_differs(content: bytes, right: bytes) -> str:
    found, due = parts_of(content), parts_of(right)
    for name in {**due, **found}:
        if name not in found:
            return f"the part {name} is missing"
        if name not in due:
            return f"the part {name} is added"
        if found[name] != due[name]:
            return f"the part {name} differs: {first_difference(found[name], due[name])}"
    return "it is packed otherwise than it is written, though its parts are the same"


def said_in_properties(
    said: re.Pattern[bytes], content: bytes, what: str
) -> tuple[str, ...] | None:
    """What the properties of a packed document say of its making."""
    found = said.search(parts_of(content, what).get("docProps/core.xml", b""))
    return tuple(one.decode() for one in found.groups()) if found else None


def parts_of(content: bytes, what: str = "workbook") -> dict[str, bytes]:
    """The parts of a packed document, refused before they are unpacked if they are too large."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            size = sum(one.file_size for one in archive.infolist())
            if size > MOST_UNPACKED:
                raise UnusableError(f"it is not a {what}: its parts have {size} bytes")
            return {name: archive.read(name) for name in archive.namelist()}
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError) as error:
        raise UnusableError(f"it is not a {what}: {error}") from None

"""What a file says of its own making, and the file that this version makes of it.

Every form is the same to the last byte for the same list, limits, options and libraries. So a file
is what would be written here, or it is not: nothing that a reader of its content overlooks can
stand in it.
"""

from __future__ import annotations

import io
import re
import shlex
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from scorecard import __version__
from scorecard.checking.forms import NotMadeAgainError, Work, names_in
from scorecard.checking.spreadsheets import parts_of
from scorecard.documents.json_document import FIRST_FORMAT, dumps, strict_json
from scorecard.documents.json_document import FORMAT as LIST_FORMAT
from scorecard.exporting import exporter
from scorecard.exporting.decision_table import FORMAT as TABLE_FORMAT
from scorecard.exporting.source_text import card_words, seal_of
from scorecard.exporting.workbook import made_with as workbook_made_with
from scorecard.printing.record import Record, record_in

MOST_BYTES = 100_000_000
SAID_IN_A_WORKBOOK = re.compile(
    r"<dc:description>Written by scorecard (\S+) with ([^<]+), language (\S+), list ([0-9a-f]{64})<"
)


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

    def made_again(self, work: Work) -> bytes:
        if self.elsewhere:
            raise NotMadeAgainError(self.elsewhere)
        return self.again(work)


def origin_of(suffix: str, content: bytes) -> Origin | None:
    """What a file with this ending says of its making; `None` if it says nothing."""
    return READERS[suffix](content) if suffix in READERS else None


def _of_source(form: str) -> Callable[[bytes], Origin | None]:
    def read(content: bytes) -> Origin | None:
        seal = seal_of(content)
        if seal is None:
            return None
        names = sorted(names_in(seal.body.decode(errors="replace")))
        return _exported(form, names[0] if names else "", seal.language, seal.version)

    return read


def _of_json(content: bytes) -> Origin | None:
    tree = strict_json(content)
    if not isinstance(tree, dict):
        return None
    if tree.get("format") == TABLE_FORMAT:
        version = str(tree.get("generator", "")).removeprefix("scorecard ")
        model = str(tree.get("model", "")).removeprefix("sha256:")
        return _exported("json", model, str(tree.get("language", "")), version)
    if tree.get("format") not in (LIST_FORMAT, FIRST_FORMAT):
        return None
    older = "" if tree["format"] == LIST_FORMAT else f"it has the older format {FIRST_FORMAT!r}"
    return Origin(
        str(tree.get("sha256", "")),
        "scorecard label MODEL --force",
        lambda work: dumps(work.staircase.scoring_list),
        older,
    )


def _of_workbook(content: bytes) -> Origin | None:
    said = SAID_IN_A_WORKBOOK.search(parts_of(content).get("docProps/core.xml", b"").decode())
    if said is None:
        return None
    version, made_with, language, name = said.groups()
    libraries = {made_with: workbook_made_with()}
    return _exported("excel", name, "" if language == "-" else language, version, libraries)


def _exported(
    form: str,
    name: str,
    language: str,
    version: str,
    libraries: Mapping[str, str] | None = None,
) -> Origin:
    def again(work: Work) -> bytes:
        words = card_words(work.staircase, language) if language else None
        return exporter(form)(work.staircase, words)

    told = f" --language {shlex.quote(language)}" if language not in ("", "en") else ""
    command = f"scorecard export MODEL --to {form}{told} --force"
    return Origin(name, command, again, _elsewhere(version, libraries or {}))


def _of_printed(kind: str) -> Callable[[bytes], Origin | None]:
    def read(content: bytes) -> Origin | None:
        record = record_in(content)
        if record is None:
            return None
        return Origin(
            record.list,
            _command(record, kind),
            lambda work: work.make(record, kind),
            _elsewhere(record.version, _libraries(record, kind)),
        )

    return read


def _libraries(record: Record, kind: str) -> Mapping[str, str]:
    if kind == "html":
        from scorecard.printing.fonts import made_with
    else:
        from scorecard.printing.html_to_pdf import made_with
    return {record.made_with: made_with()}


def _elsewhere(version: str, libraries: Mapping[str, str]) -> str:
    if version != __version__:
        return f"scorecard {version} made it, and this is {__version__}"
    for theirs, ours in libraries.items():
        if theirs != ours:
            return f"it was made with {theirs}, and here is {ours}"
    return ""


def _command(record: Record, kind: str) -> str:
    """What makes a printed file again, as one types it."""
    words = ["scorecard", record.form, "MODEL", "-o", f"{record.form}.{kind}"]
    for name, value in record.options.items():
        words += _typed(name, value)
    return shlex.join(words) + " --force"


def _typed(name: str, value: Any) -> list[str]:
    if name == "orientation":
        return [f"--{value}"]
    if name == "layout" and value == "staircase":
        return []
    if name in ("logo", "template_dir"):
        return [f"--{name.replace('_', '-')}", "FILE" if name == "logo" else "FOLDER"]
    if name == "warnings":
        return [word for line in value for word in ("--warning", str(line))]
    option = f"--{name.replace('_', '-')}"
    return [option] if value is True else [option, str(value)]


READERS: dict[str, Callable[[bytes], Origin | None]] = {
    ".py": _of_source("python"),
    ".js": _of_source("javascript"),
    ".mjs": _of_source("javascript"),
    ".sql": _of_source("sql"),
    ".json": _of_json,
    ".xlsx": _of_workbook,
    ".pdf": _of_printed("pdf"),
    ".html": _of_printed("html"),
}


# Where two files differ that a reader finds the same ---------------------------------------------


def first_difference(content: bytes, right: bytes) -> str:
    """The first place where two files differ, as a person finds it."""
    if zipfile.is_zipfile(io.BytesIO(content)) and right.startswith(b"PK"):
        return _part_that_differs(content, right)
    pairs = enumerate(zip(content, right, strict=False))
    at = next((place for place, (a, b) in pairs if a != b), min(len(content), len(right)))
    if at == len(right):
        return f"{len(content) - at} bytes are added behind its end, from byte {at} on"
    if at == len(content):
        return f"its last {len(right) - at} bytes are missing, from byte {at} on"
    line = content.count(b"\n", 0, at) + 1
    return f"line {line} (byte {at}) is {_around(content, at)} instead of {_around(right, at)}"


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


def _around(content: bytes, at: int) -> str:
    start = max(content.rfind(b"\n", 0, at) + 1, at - 20)
    return repr(content[start : at + 40].split(b"\n")[0].decode("utf-8", "replace"))

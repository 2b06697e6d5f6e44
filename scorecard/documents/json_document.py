"""The document of a scoring list, both ways: what was written is read back as the equal value.

A document is UTF-8 JSON with its format first and a SHA-256 of its content, so that a file changed
by accident is told from the one that was written. `read_list` reads the short form that people
write by hand as well (see `hand_written`).
"""

from __future__ import annotations

import os
from pathlib import Path

from scorecard import files
from scorecard.core.model import ScoringList
from scorecard.documents import hand_written, json_reading
from scorecard.documents.faults import Examined, UnreadableError, decode, one_line
from scorecard.documents.json_writing import MAX_BYTES, content_hash, dumps, short_hash
from scorecard.errors import DocumentError, ScorecardError

__all__ = [
    "MAX_BYTES",
    "check_name",
    "content_hash",
    "dumps",
    "faults",
    "loads",
    "read_list",
    "short_hash",
    "write_list",
]


def read_list(path: str | os.PathLike[str]) -> ScoringList:
    """The scoring list in a file: a JSON document, or the short TOML form.

    Raises
    ------
    DocumentError
        Names the file, the place inside it and what was expected there.
    """
    return loads(_content(path), str(path))


def write_list(scoring_list: ScoringList, path: str | os.PathLike[str]) -> None:
    """Write the document of a list; an existing file is replaced in one step."""
    check_name(path)
    files.write_bytes(path, dumps(scoring_list))


def check_name(path: str | os.PathLike[str]) -> None:
    """Refuse a name that would make the document be read as the short form."""
    if Path(path).suffix.lower() == ".toml":
        raise DocumentError(f"{str(path)!r}: lists are written as JSON; choose a name in .json.")


def loads(content: bytes, name: str = "document") -> ScoringList:
    """The scoring list in the bytes of a file; `name` is for messages, and its ending counts."""
    scoring_list, found = _examine(content, name)
    if scoring_list is not None and not found:
        return scoring_list
    more = len(found) - 1
    rest = f" ({more} more: scorecard validate lists them)" if more else ""
    raise DocumentError(f"{one_line(name)}: {found[0]}{rest}")


def faults(source: bytes | str | os.PathLike[str], name: str = "document") -> list[str]:
    """Every fault that is found in a document, given as its bytes or the path of its file.

    Raises
    ------
    DocumentError
        Nothing can be found: the file cannot be read, or is neither JSON nor TOML.
    """
    if isinstance(source, bytes):
        return _examine(source, name)[1]
    return _examine(_content(source), str(source))[1]


def _content(path: str | os.PathLike[str]) -> bytes:
    try:
        return files.read_bytes(path, MAX_BYTES)
    except ScorecardError as error:
        raise DocumentError(one_line(str(error))) from error


def _examine(content: bytes, name: str) -> Examined:
    try:
        if len(content) > MAX_BYTES:
            raise UnreadableError(f"it is larger than {MAX_BYTES / 1e6:.0f} MB.")
        text = decode(content)
        if _is_short_form(text, name):
            return hand_written.examine(text)
        return json_reading.examine(text)
    except UnreadableError as error:
        raise DocumentError(f"{one_line(name)}: {one_line(str(error))}") from error
    except RecursionError:
        raise DocumentError(
            f"{one_line(name)}: it is nested too deeply to be a scoring list."
        ) from None


def _is_short_form(text: str, name: str) -> bool:
    suffix = Path(name).suffix.lower()
    return suffix == ".toml" or (suffix != ".json" and not text.lstrip().startswith("{"))

"""Whether a file was written by this program: only then may it be replaced without asking.

Every kind of file that is written says so itself, near its beginning or in its properties. A list
or a program that a person wrote or changed by hand does not, and is never taken for ours.
"""

from __future__ import annotations

import re
from pathlib import Path

from scorecard.files import PDF, PNG, ZIP

A_LITTLE = 65_536  # bytes: the longest comment on top of an evaluator is shorter

_LIST = re.compile(rb'\A\{\s*"format":\s*"scorecard/[0-9]+",\s*"sha256":')
_GENERATED = re.compile(
    rb"\A(?:(?:#|//|--) Written by scorecard \S+, language "
    rb'|\{\s*"format":\s*"scorecard-decisions/)'
)
_TEXTS = tuple(
    re.compile(pattern)
    for pattern in (
        rb'\A\{\s*"format":\s*"scorecard-(?!decisions/)[a-z]+/[0-9]+",',
        rb'\A<!doctype html>[^\0]*?<meta name="generator" content="scorecard">',
        rb'\A<svg [^>]*data-generator="scorecard"',
        rb"\A# Written by scorecard [^\n,]*\n",
    )
)


def is_ours(path: Path) -> bool:
    """Whether the content of a file says that this program wrote it; an empty file is nobody's."""
    try:
        with path.open("rb") as stream:
            start = stream.read(A_LITTLE)
    except OSError:  # what may not be read is not ours to replace
        return False
    if not start:
        return True
    if start.startswith(PNG):
        return b"tEXtSoftware\0scorecard" in start
    if start.startswith(PDF):
        return _is_our_pdf(path)
    if start.startswith(ZIP):
        return _is_our_workbook(path)
    if _LIST.match(start):
        return _is_unchanged(path)
    if _GENERATED.match(start):
        return _is_generated(path)
    return any(pattern.search(start) for pattern in _TEXTS) or _is_applied(path)


def _is_unchanged(path: Path) -> bool:
    """Whether a list is as it was written: its content has the hash that it says."""
    from scorecard.documents.json_document import read_list
    from scorecard.errors import ScorecardError

    try:
        read_list(path)
    except ScorecardError:
        return False
    return True


def _is_generated(path: Path) -> bool:
    """Whether generated code or a decision table is as it was written."""
    from scorecard.exporting.source_text import is_unchanged

    return is_unchanged(path.read_bytes())


def _is_our_pdf(path: Path) -> bool:
    import pypdfium2

    try:
        with pypdfium2.PdfDocument(path) as document:
            return bool(document.get_metadata_value("Creator") == "scorecard")
    except pypdfium2.PdfiumError:  # broken, or locked with a password
        return False


def _is_our_workbook(path: Path) -> bool:
    from zipfile import BadZipFile, ZipFile

    try:
        with ZipFile(path) as archive, archive.open("docProps/core.xml") as properties:
            return b"<dc:description>Written by scorecard<" in properties.read(A_LITTLE)
    # Broken; without that member; packed in a way or with a password that Python cannot open.
    except (BadZipFile, KeyError, NotImplementedError, RuntimeError):
        return False


def _is_applied(path: Path) -> bool:
    """Whether a table ends with the columns that “apply” adds."""
    from scorecard.errors import TableError
    from scorecard.tables.apply import ADDED
    from scorecard.tables.read_table import open_table

    try:
        last = open_table(path).names[-len(ADDED) :]
    except TableError:
        return False
    prefix = last[0].removesuffix(ADDED[0])
    return last == tuple(prefix + name for name in ADDED)

"""Compare the rows of an XLSForm with those that are written here."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from itertools import zip_longest
from zipfile import BadZipFile

from openpyxl import load_workbook
from openpyxl.utils.exceptions import InvalidFileException

from scorecard.core.staircase import Staircase
from scorecard.forms.found import NOT_THIS, Found, UnusableError, Work
from scorecard.forms.origin import Origin, exported, parts_of, said_in_properties
from scorecard.forms.source_text import card_words
from scorecard.forms.xlsform.make import SHEETS, made_with, make

SAID = re.compile(
    rb"Written by scorecard (\S+) as XLSForm with ([^<]+), language (\S+), list ([0-9a-f]{64})<"
)


def origin(content: bytes) -> Origin | None:
    said = said_in_properties(SAID, content, "workbook")
    if said is None:
        return None
    version, libraries, language, name = said
    return exported("xlsform", name, language.strip("-"), version, {libraries: made_with()})


def found(content: bytes, right: bytes | None, work: Work) -> Found:
    due = right if right is not None else _again(content, work.staircase)
    faults = [
        f"{NOT_THIS}: {place} is {told!r}, not {wanted!r}"
        for (place, told), (_, wanted) in zip_longest(
            cells(content), cells(due), fillvalue=("", "")
        )
        if told != wanted
    ]
    said = said_in_properties(SAID, content, "workbook")
    return Found(faults=faults, names=frozenset([said[3]] if said else []))


def cells(content: bytes) -> Iterator[tuple[str, str]]:
    """Each cell of a row with its place."""
    parts_of(content)  # refuses what unpacks to far too much
    try:
        book = load_workbook(io.BytesIO(content))
    except (BadZipFile, InvalidFileException, KeyError, ValueError) as error:
        raise UnusableError(f"it is not a workbook: {error}") from None
    yield "its sheets", str([name for name in book.sheetnames if name in SHEETS])
    for sheet in book.worksheets:
        for row in sheet.iter_rows():
            for cell in row:
                if cell.value not in (None, ""):
                    yield f"{sheet.title}!{cell.coordinate}", str(cell.value)


def _again(content: bytes, staircase: Staircase) -> bytes:
    """In the language that the file says it is in."""
    _, _, language, _ = said_in_properties(SAID, content, "workbook") or ("", "", "en", "")
    return make(staircase, card_words(staircase, language) if language != "-" else None)

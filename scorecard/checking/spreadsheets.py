"""Compare the cells of a workbook with those that the list gives."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from xml.etree import ElementTree

from scorecard.checking.forms import Found, UnusableError, Work, names_in
from scorecard.core.staircase import Staircase
from scorecard.exporting.source_text import card_words
from scorecard.exporting.workbook import workbook
from scorecard.words.language import languages

MOST_BYTES = 50_000_000  # of all parts together; a workbook of ours has some thousand
MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def excel_form(path: Path, work: Work) -> Found:
    """The workbook: its cells, which are all that its answers come from."""
    book = path.read_bytes()
    return Found(faults=changed_cells(book, work.staircase), names=_names(book))


def changed_cells(book: bytes, staircase: Staircase) -> list[str]:
    """Cells, rules for cells and sheets that are not those of the workbook of this list."""
    faults: list[str] = []
    found = contents(book)
    for language in ("", *languages()):
        words = card_words(staircase, language) if language else None
        right = contents(workbook(staircase, words))
        differing = [place for place in {**right, **found} if found.get(place) != right.get(place)]
        wrong = [
            f"{place} is {found.get(place, 'missing')} instead of {right.get(place, 'empty')}"
            for place in differing
        ]
        if not faults or len(wrong) < len(faults):
            faults = wrong
        if not wrong:
            return []
    return [f"it was changed by hand, or made for another list or limits: {faults[0]}", *faults[1:]]


def contents(book: bytes) -> dict[str, str]:
    """What the cells of a workbook hold, its sheets and the rules for what may be typed.

    Of a formula only the formula counts: its value is whatever was calculated last.
    """
    parts = parts_of(book)
    try:
        texts = [
            "".join(one.itertext()) for one in ElementTree.fromstring(parts["xl/sharedStrings.xml"])
        ]
        found = {
            f"sheet {one.get('name')}": str(one.get("state", "shown"))
            for one in _all(parts["xl/workbook.xml"], "sheet")
        }
        names = [one.removeprefix("sheet ") for one in found]
        for number, name in enumerate(names, 1):
            found |= _sheet(parts[f"xl/worksheets/sheet{number}.xml"], name, texts)
    except (KeyError, ElementTree.ParseError, IndexError, ValueError) as error:
        raise UnusableError(f"it is not a workbook: {error}") from None
    extra = [part for part in parts if re.search(r"vba|macro|externalLink|embeddings", part)]
    return found | dict.fromkeys(extra, "a part that was added")


def _sheet(content: bytes, name: str, texts: Sequence[str]) -> dict[str, str]:
    found = {}
    for cell in _all(content, "c"):
        formula, value = cell.find(f"{MAIN}f"), cell.find(f"{MAIN}v")
        if formula is not None:
            found[f"{name}!{cell.get('r')}"] = f"={formula.text}"
        elif value is not None and value.text is not None:
            text = texts[int(value.text)] if cell.get("t") == "s" else float(value.text)
            found[f"{name}!{cell.get('r')}"] = repr(text)
    for rule in _all(content, "dataValidation"):
        told = [*sorted(rule.attrib.items()), *(part.text for part in rule)]
        found[f"the rule for {name}!{rule.get('sqref')}"] = str(told)
    protected = [dict(sorted(one.attrib.items())) for one in _all(content, "sheetProtection")]
    return found | {f"the protection of {name}": str(protected)}


def _all(content: bytes, tag: str) -> Iterable[ElementTree.Element]:
    return ElementTree.fromstring(content).iter(f"{MAIN}{tag}")


def _names(book: bytes) -> frozenset[str]:
    return names_in(parts_of(book).get("xl/sharedStrings.xml", b"").decode())


def parts_of(book: bytes) -> dict[str, bytes]:
    """The parts of a workbook, refused before they are unpacked if they are far too large."""
    try:
        with zipfile.ZipFile(io.BytesIO(book)) as archive:
            size = sum(one.file_size for one in archive.infolist())
            if size > MOST_BYTES:
                raise UnusableError(f"it is not a workbook: its parts have {size} bytes")
            return {name: archive.read(name) for name in archive.namelist()}
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError) as error:
        raise UnusableError(f"it is not a workbook: {error}") from None

"""Compare the cells of a workbook, which are all that its answers come from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from xml.etree import ElementTree

from scorecard.forms.excel.make import made_with, make
from scorecard.forms.found import Found, UnusableError, Work
from scorecard.forms.origin import Origin, exported, names_in, parts_of
from scorecard.forms.source_text import card_words
from scorecard.words.language import languages

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
SAID = re.compile(
    r"<dc:description>Written by scorecard (\S+) with ([^<]+), language (\S+), list ([0-9a-f]{64})<"
)


def origin(content: bytes) -> Origin | None:
    said = SAID.search(parts_of(content).get("docProps/core.xml", b"").decode())
    if said is None:
        return None
    version, libraries, language, name = said.groups()
    language = "" if language == "-" else language
    return exported("excel", name, language, version, {libraries: made_with()})


def found(content: bytes, right: bytes | None, work: Work) -> Found:
    names = names_in(parts_of(content).get("xl/sharedStrings.xml", b""))
    return Found(faults=changed_cells(content, right, work), names=names)


def changed_cells(book: bytes, right: bytes | None, work: Work) -> list[str]:
    """Cells, rules for cells and sheets that are not those of the workbook of this list."""
    cells = contents(book)
    due = [right] if right is not None else _in_any_language(work)
    faults = min((_wrong(cells, contents(one)) for one in due), key=len)
    if not faults:
        return []
    return [f"it was changed by hand, or made for another list or limits: {faults[0]}", *faults[1:]]


def _in_any_language(work: Work) -> Iterable[bytes]:
    for language in ("", *languages()):
        yield make(work.staircase, card_words(work.staircase, language) if language else None)


def _wrong(cells: dict[str, str], due: dict[str, str]) -> list[str]:
    return [
        f"{place} is {cells.get(place, 'missing')} instead of {due.get(place, 'empty')}"
        for place in {**due, **cells}
        if cells.get(place) != due.get(place)
    ]


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

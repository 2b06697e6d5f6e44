"""The card as a Word document: two tables and the sentences around them, all of it editable."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from datetime import UTC, datetime
from hashlib import sha256
from importlib.metadata import version
from typing import Any

from scorecard.core.staircase import Staircase
from scorecard.errors import INSTALL_FORMS, ScorecardError
from scorecard.forms.decision_table import Words
from scorecard.forms.document import Document, Section, Table, document_of

TEXT_WIDTH = 17.0  # cm, of A4 with its margins
STOP_SHADE = "DDEBF7"
LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the present would give other bytes at each export


def make(staircase: Staircase, words: Words | None = None) -> bytes:
    """The document, as bytes of a .docx file."""
    try:
        import docx
    except ImportError:
        raise ScorecardError(f"Word needs python-docx; install it with: {INSTALL_FORMS}") from None
    document = document_of(staircase, words.language if words else "")
    word = docx.Document()
    facts = word.core_properties
    facts.title, facts.author, facts.language = _in_xml(document.title)[:255], "", document.language
    facts.created = facts.modified = datetime(*LONG_AGO, tzinfo=UTC)
    _write(word, document)
    # What somebody has edited is not replaced without asking.
    text = sha256(word.part.blob).hexdigest()[:16]
    facts.comments = f"{document.made}, with {made_with()}, text {text}"
    content = io.BytesIO()
    word.save(content)
    return _packed(content)


def made_with() -> str:
    """The libraries that decide the bytes of the file."""
    return f"python-docx {version('python-docx')}, zlib {zlib.ZLIB_RUNTIME_VERSION}"


def _in_xml(text: str) -> str:
    """A text without the few characters that no XML can hold."""
    return re.sub("[\ufffe\uffff]", "\ufffd", text)


def _write(word: Any, document: Document) -> None:
    from docx.shared import Cm, Pt

    section = word.sections[0]
    section.page_width, section.page_height = Cm(21), Cm(29.7)
    section.left_margin = section.right_margin = Cm(2)
    section.top_margin = section.bottom_margin = Cm(1.8)
    normal = word.styles["Normal"]
    normal.font.size, normal.paragraph_format.space_after = Pt(10), Pt(3)
    word.add_heading(_in_xml(document.title), 1)
    for one in document.sections:
        _write_section(word, one)
    word.add_paragraph(document.made).runs[0].font.size = Pt(7)


def _write_section(word: Any, section: Section) -> None:
    word.add_heading(section.heading, 2)
    for sentence in section.sentences:
        word.add_paragraph(_in_xml(sentence), style="List Bullet")
    if section.table:
        _write_table(word, section.table)
    for name, told in section.facts:
        paragraph = word.add_paragraph()
        paragraph.add_run(f"{name}: ").bold = True
        paragraph.add_run(_in_xml(told))


def _write_table(word: Any, table: Table) -> None:
    written = word.add_table(len(table.rows), len(table.rows[0]))
    written.style, written.autofit = "Table Grid", False
    widths = _widths(table)
    for column, width in zip(written.columns, widths, strict=True):
        column.width = width  # Word asks the cells, others the columns
    for number, row in enumerate(table.rows):
        cells = written.rows[number].cells
        for cell, text, width in zip(cells, row, widths, strict=True):
            cell.width = width
            run = cell.paragraphs[0].add_run(_in_xml(text))
            run.bold = number == 0
            if number in table.stops:
                _shade(cell)
    _repeat_heading(written.rows[0])
    word.add_paragraph()


def _widths(table: Table) -> list[Any]:
    """One column is wide, and the others share what is left, as far as they need it."""
    from docx.shared import Cm

    columns = list(zip(*table.rows, strict=True))
    needs = [min(max(map(len, column)) * 0.24 + 0.75, 3.2) for column in columns]
    needs[table.wide] = TEXT_WIDTH - sum(needs) + needs[table.wide]
    return [Cm(one) for one in needs]


def _shade(cell: Any) -> None:
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    shade = OxmlElement("w:shd")
    shade.set(qn("w:val"), "clear")
    shade.set(qn("w:fill"), STOP_SHADE)
    cell._tc.get_or_add_tcPr().append(shade)


def _repeat_heading(row: Any) -> None:
    """Word shows the heading again where a table goes on on the next page, and reads it out."""
    from docx.oxml import OxmlElement

    row._tr.get_or_add_trPr().append(OxmlElement("w:tblHeader"))


def _packed(content: io.BytesIO) -> bytes:
    """The same parts without the time of day."""
    packed = io.BytesIO()
    with zipfile.ZipFile(content) as parts, zipfile.ZipFile(packed, "w") as archive:
        for name in parts.namelist():
            info = zipfile.ZipInfo(name, LONG_AGO)
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, parts.read(name))
    return packed.getvalue()

"""What is really on a finished page: its tagged text with places, a picture, how it was made.

The text is taken by the tags, as a screen reader takes it, so the cells of a table are known even
where a label looks like points, and where the writing runs from right to left.
"""

from __future__ import annotations

import ctypes
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from html import unescape
from io import BytesIO
from typing import Any
from unicodedata import bidirectional

import msgspec
import pypdfium2
import pypdfium2.raw as pdfium

from scorecard import __version__
from scorecard.files import PDF
from scorecard.printing.refusals import CardError

Bounds = tuple[float, float, float, float]
"""Left, bottom, right, top in points."""

Table = tuple[tuple[str, ...], ...]
"""The cells of a table, row by row; one that spans others is there for each of them."""

POINTS_PER_MM = 72 / 25.4
DARK = 128  # of 255: what a photocopier in black and white makes black
_PICTURES = (pdfium.FPDF_PAGEOBJ_IMAGE, pdfium.FPDF_PAGEOBJ_FORM)


@dataclass(frozen=True, slots=True)
class PrintedText:
    """A run of text: what it says, where, how large, and the mark that ties it to the tags."""

    text: str
    bounds: Bounds
    points: float
    mark: int


@dataclass(frozen=True, slots=True)
class Line:
    """A line that was drawn and not filled: its corners, and whether it is dark."""

    corners: tuple[tuple[float, float], ...]
    is_dark: bool


@dataclass(frozen=True)
class PrintedPage:
    """One page: its size in millimetres, its text, its shapes and its lines.

    `lowest` is where the lowest text is, in points: below 0 it is off the paper and no piece.
    """

    width: float
    height: float
    pieces: tuple[PrintedText, ...]
    shapes: tuple[Bounds, ...]
    tables: tuple[Table, ...]
    table_marks: frozenset[int]
    lowest: float = 0.0
    pictures: tuple[Bounds, ...] = ()
    lines: tuple[Line, ...] = ()

    @cached_property
    def text(self) -> str:
        return " ".join(piece.text for piece in self.pieces)


def printed_pages(pdf: bytes) -> tuple[PrintedPage, ...]:
    """The pages of a PDF as they are printed."""
    try:
        document = pypdfium2.PdfDocument(pdf)
    except pypdfium2.PdfiumError as error:
        raise CardError("This is not a PDF that can be read.") from error
    try:
        return tuple(_page(document[number]) for number in range(len(document)))
    finally:
        document.close()


def _page(page: Any) -> PrintedPage:
    things = list(page.get_objects(max_depth=1))
    texts = [thing for thing in things if thing.type == pdfium.FPDF_PAGEOBJ_TEXT]
    paths = [thing for thing in things if thing.type == pdfium.FPDF_PAGEOBJ_PATH]
    drawn = [path for path in paths if _is_line(path)]
    shapes = tuple(path.get_bounds() for path in paths if path not in drawn)
    pictures = tuple(thing.get_bounds() for thing in things if thing.type in _PICTURES)
    lowest = min((text.get_bounds()[1] for text in texts), default=0.0)
    lines = tuple(map(_line, drawn))
    pieces = tuple(piece for piece in _pieces(page, texts) if piece.text.strip())
    tables, marks = _tables(page, pieces)
    width, height = (length / POINTS_PER_MM for length in page.get_size())
    page.close()
    return PrintedPage(width, height, pieces, shapes, tables, marks, lowest, pictures, lines)


def _is_line(path: Any) -> bool:
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    pdfium.FPDFPath_GetDrawMode(path, fill, stroke)
    return bool(stroke.value) and not fill.value


def _line(path: Any) -> Line:
    matrix, x, y = path.get_matrix(), ctypes.c_float(), ctypes.c_float()
    corners = []
    for number in range(pdfium.FPDFPath_CountSegments(path)):
        pdfium.FPDFPathSegment_GetPoint(pdfium.FPDFPath_GetPathSegment(path, number), x, y)
        corners.append(matrix.on_point(x.value, y.value))
    colour = [ctypes.c_uint() for _ in range(4)]
    pdfium.FPDFPageObj_GetStrokeColor(path, *colour)
    return Line(tuple(corners), max(one.value for one in colour[:3]) < DARK)


def _pieces(page: Any, texts: Sequence[Any]) -> list[PrintedText]:
    """All runs of text in the order of the page.

    Where one word of a line runs from right to left, PDFium turns parts of the line round, also
    the "≥ 3" at its end, which becomes "3 ≤". So such words are taken off the page once they are
    read, and the others are read again without them.
    """
    pieces = _extracted(page, texts)
    turned = [is_right_to_left(piece.text) for piece in pieces]
    if not any(turned):
        return pieces
    for thing, is_turned in zip(texts, turned, strict=True):
        if is_turned:
            page.remove_obj(thing)
    others = [thing for thing in texts if thing.page is page]
    again = iter(_extracted(page, others))
    return [
        piece if is_turned else next(again) for piece, is_turned in zip(pieces, turned, strict=True)
    ]


def _extracted(page: Any, texts: Sequence[Any]) -> list[PrintedText]:
    text_page = page.get_textpage()
    pieces = []
    for thing in texts:
        text = _text(pdfium.FPDFTextObj_GetText, thing, text_page)
        matrix, mark = thing.get_matrix(), pdfium.FPDFPageObj_GetMarkedContentID(thing)
        points = thing.get_font_size() * abs(matrix.d or matrix.b)
        pieces.append(PrintedText(text, thing.get_bounds(), points, mark))
    text_page.close()
    return pieces


MIRRORED = str.maketrans("<>≤≥()[]{}«»‹›“”", "><≥≤)(][}{»«›‹”“")


def is_right_to_left(text: str) -> bool:
    return any(bidirectional(letter) in ("R", "AL") for letter in text)


def _text(getter: Any, *arguments: Any) -> str:
    length = getter(*arguments, None, 0)
    if length <= 2:
        return ""
    buffer = ctypes.create_string_buffer(length)
    target = ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort))
    getter(*arguments, target if len(arguments) == 2 else buffer, length)
    return buffer.raw[:length].decode("utf-16-le").rstrip("\0")


def _tables(page: Any, pieces: Sequence[PrintedText]) -> tuple[tuple[Table, ...], frozenset[int]]:
    texts: dict[int, str] = {}
    for piece in pieces:
        texts[piece.mark] = texts.get(piece.mark, "") + piece.text
    tree = pdfium.FPDF_StructTree_GetForPage(page.raw)
    if not tree:
        return (), frozenset()
    try:
        roots = [
            pdfium.FPDF_StructTree_GetChildAtIndex(tree, number)
            for number in range(pdfium.FPDF_StructTree_CountChildren(tree))
        ]
        found = [table for root in roots for table in _elements(root, "Table")]
        marks = frozenset(mark for table in found for mark in _marks(table))
        return tuple(tuple(_rows(table, texts)) for table in found), marks
    finally:
        pdfium.FPDF_StructTree_Close(tree)


def _elements(element: Any, kind: str) -> Iterator[Any]:
    if element:
        if _text(pdfium.FPDF_StructElement_GetType, element) == kind:
            yield element
        else:
            for child in _children(element):
                yield from _elements(child, kind)


def _children(element: Any) -> Iterator[Any]:
    for number in range(pdfium.FPDF_StructElement_CountChildren(element)):
        yield pdfium.FPDF_StructElement_GetChildAtIndex(element, number)


def _marks(element: Any) -> Iterator[int]:
    if element:
        for number in range(pdfium.FPDF_StructElement_GetMarkedContentIdCount(element)):
            mark = pdfium.FPDF_StructElement_GetMarkedContentIdAtIndex(element, number)
            if mark >= 0:
                yield mark
        for child in _children(element):
            yield from _marks(child)


def _rows(table: Any, texts: dict[int, str]) -> Iterator[tuple[str, ...]]:
    """The cells of each row; a cell that spans columns or rows is there once for each of them."""
    rows = (
        # A cell without content is a child without an element: it keeps its place.
        [
            (
                " ".join(" ".join(texts.get(mark, "") for mark in _marks(cell)).split()),
                _span(cell, b"ColSpan"),
                _span(cell, b"RowSpan"),
            )
            for cell in _children(row)
        ]
        for row in _elements(table, "TR")
    )
    return spread(rows)


def spread(rows: Iterable[Iterable[tuple[str, int, int]]]) -> Iterator[tuple[str, ...]]:
    """Rows of cells, each a text with the columns and rows it spans, as rows of texts.

    Examples
    --------
    >>> list(spread([[("a", 1, 2), ("b", 2, 1)], [("c", 1, 1), ("d", 1, 1)]]))
    [('a', 'b', 'b'), ('a', 'c', 'd')]
    """
    from_above: dict[int, tuple[str, int]] = {}
    for row in rows:
        cells: list[str] = []
        further: dict[int, tuple[str, int]] = {}
        waiting = [(text, down) for text, across, down in row for _ in range(across)]
        while waiting or len(cells) in from_above:
            place = len(cells)
            text, down = from_above.pop(place) if place in from_above else waiting.pop(0)
            if down > 1:
                further[place] = text, down - 1
            cells.append(text)
        from_above = further
        yield tuple(cells)


def _span(cell: Any, kind: bytes) -> int:
    if not cell:
        return 1
    span = ctypes.c_float(1)
    for number in range(pdfium.FPDF_StructElement_GetAttributeCount(cell)):
        attributes = pdfium.FPDF_StructElement_GetAttributeAtIndex(cell, number)
        value = pdfium.FPDF_StructElement_Attr_GetValue(attributes, kind)
        if value:
            pdfium.FPDF_StructElement_Attr_GetNumberValue(value, span)
    return int(span.value)


# A finished PDF as a picture ----------------------------------------------------------------------

DOTS_PER_INCH = 300
GREY = (0xB4, 0xB4, 0xB4)


def png_of_pdf(pdf: bytes, dots_per_inch: int = DOTS_PER_INCH) -> bytes:
    """All pages below each other as one PNG."""
    from PIL import Image
    from PIL.PngImagePlugin import PngInfo

    with pypdfium2.PdfDocument(pdf) as document:
        sides = [page.render(scale=dots_per_inch / 72).to_pil().convert("RGB") for page in document]
    gap = dots_per_inch // 12
    height = sum(side.height for side in sides) + gap * (len(sides) - 1)
    picture = Image.new("RGB", (max(side.width for side in sides), height), GREY)
    top = 0
    for side in sides:
        picture.paste(side, (0, top))
        top += side.height + gap
    facts = PngInfo()
    facts.add_text("Software", "scorecard")
    stream = BytesIO()
    picture.save(stream, "PNG", dpi=(dots_per_inch, dots_per_inch), pnginfo=facts)
    return stream.getvalue()


# How a printed file was made ----------------------------------------------------------------------
# In HTML it is a `meta` element, in PDF an entry of the document's information.
# So what an option changed, a title or a warning, can be told from what somebody changed later.

NAME = "scorecard"
_IN_HTML = re.compile(rf'<meta name="{NAME}" content="([^"]*)">')


@dataclass(frozen=True, slots=True)
class PrintRecord:
    """What a printed file says about its making.

    `form` is "card" or "handout", `list` the hash of the list, `options` the keywords of the verb
    that made it. `made_with` names the libraries that decide its bytes: with others it may have
    its lines broken elsewhere.
    """

    form: str
    list: str
    policy: Mapping[str, Any]
    options: Mapping[str, Any]
    made_with: str = ""
    version: str = __version__

    def text(self) -> str:
        return json.dumps(asdict(self), sort_keys=True)


def record_in(content: bytes) -> PrintRecord | None:
    """The record of a printed file; `None` if it has none."""
    text = _in_pdf(content) if content.startswith(PDF) else _in_html(content)
    try:
        return msgspec.json.decode(text, type=PrintRecord)
    except (msgspec.DecodeError, RecursionError):
        return None


def _in_html(content: bytes) -> str:
    found = _IN_HTML.search(content.decode(errors="replace"))
    return "" if found is None else unescape(found[1])


def _in_pdf(content: bytes) -> str:
    import ctypes

    import pypdfium2
    import pypdfium2.raw as pdfium

    try:
        with pypdfium2.PdfDocument(content) as document:
            length = pdfium.FPDF_GetMetaText(document.raw, NAME.encode(), None, 0)
            buffer = ctypes.create_string_buffer(length)
            pdfium.FPDF_GetMetaText(document.raw, NAME.encode(), buffer, length)
    except pypdfium2.PdfiumError:
        return ""
    return buffer.raw[:length].decode("utf-16-le").rstrip("\0")

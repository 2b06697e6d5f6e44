"""Compare a printed file with the one that has to come out: every text, and where it stands.

What is missing, changed or added is named with its place. A file gets here only if its bytes
differ: the text is compared in its order, then places and shapes, and at last the page as a
picture. What none of these show is told by its place in the file.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from html.parser import HTMLParser
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from scorecard.printing.pdf_to_text import POINTS_PER_MM, Bounds, PrintedPage, printed_pages

MOST = 20  # differences that are told
SLACK = 1.0  # points that text may lie elsewhere
SCALE = 2.0  # of the picture: 144 dots per inch
LONGEST = 90


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a page, and where it is, for messages; `text` alone is compared."""

    text: str
    where: str


def differences(found: Sequence[Part], right: Sequence[Part]) -> Iterator[str]:
    """Where two sequences of parts differ: what is changed, missing or added, with its place."""
    start = _in_common(found, right)
    found, right = found[start:], right[start:]
    end = _in_common(found[::-1], right[::-1])  # what is left is short, and quickly compared
    texts, due = ([one.text for one in some[: len(some) - end]] for some in (found, right))
    matcher = SequenceMatcher(None, texts, due, autojunk=False)
    for what, a, b, c, d in matcher.get_opcodes():
        if what == "insert":
            place = right[c].where
            yield f"{_quoted(due[c:d])} is missing, {place}"
        elif what == "delete":
            yield f"{_quoted(texts[a:b])} is added, {found[a].where}"
        elif what == "replace":
            yield f"{_quoted(texts[a:b])} instead of {_quoted(due[c:d])}, {found[a].where}"


def _in_common(found: Sequence[Part], right: Sequence[Part]) -> int:
    """How many parts at the beginning are the same."""
    pairs = enumerate(zip(found, right, strict=False))
    return next(
        (place for place, (one, other) in pairs if one.text != other.text),
        min(len(found), len(right)),
    )


def _quoted(texts: Iterable[str]) -> str:
    text = " ".join(" ".join(texts).split())
    return repr(text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…")


# HTML ---------------------------------------------------------------------------------------------


def markup_faults(found: str, right: str) -> list[str]:
    """How a page differs from the right one: elements, attributes, texts, script and style."""
    return list(differences(_parts(found), _parts(right)))[:MOST]


class _Reader(HTMLParser):
    """Start tags, end tags and texts in their order, each with its line."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[Part] = []

    def add(self, text: str) -> None:
        self.parts.append(Part(text, f"line {self.getpos()[0]}"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.add(f"<{tag}{''.join(f' {name}={value!r}' for name, value in attrs)}>")

    def handle_endtag(self, tag: str) -> None:
        self.add(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        # A long script or style is compared line by line.
        first = self.getpos()[0]
        for number, line in enumerate(data.split("\n")):
            if line.strip():
                self.parts.append(Part(line.strip(), f"line {first + number}"))

    def handle_comment(self, data: str) -> None:
        self.add(f"<!--{data}-->")

    def handle_decl(self, decl: str) -> None:
        self.add(f"<!{decl}>")

    def unknown_decl(self, data: str) -> None:
        self.add(f"<![{data}]>")

    def handle_pi(self, data: str) -> None:
        self.add(f"<?{data}>")


def _parts(markup: str) -> list[Part]:
    reader = _Reader()
    reader.feed(markup)
    reader.close()
    return reader.parts


# PDF ----------------------------------------------------------------------------------------------


def pdf_faults(found: bytes, right: bytes, *, places: bool = True) -> list[str]:
    """How a PDF differs from the right one; `places`: also where things stand, and how it looks."""
    if found == right:
        return []
    pages, due = printed_pages(found), printed_pages(right)
    told = list(_text_faults(pages, due))
    if not told and places:
        told = list(_place_faults(pages, due)) or list(_look_faults(found, right))
    return (told or list(_hidden_faults(found, right)))[:MOST]


def _text_faults(pages: Sequence[PrintedPage], due: Sequence[PrintedPage]) -> Iterator[str]:
    if len(pages) != len(due):
        yield f"it has {len(pages)} pages instead of {len(due)}"
    yield from differences(_words(pages), _words(due))


def _words(pages: Sequence[PrintedPage]) -> list[Part]:
    return [
        Part(word, _where(piece.bounds, page, number))
        for number, page in enumerate(pages, 1)
        for piece in page.pieces
        for word in piece.text.split()
    ]


def _place_faults(pages: Sequence[PrintedPage], due: Sequence[PrintedPage]) -> Iterator[str]:
    for number, (page, right) in enumerate(zip(pages, due, strict=True), 1):
        size, wanted = ((round(one.width), round(one.height)) for one in (page, right))
        if size != wanted:
            yield f"page {number} is {size[0]} × {size[1]} mm instead of {wanted[0]} × {wanted[1]}"
        for piece, other in zip(page.pieces, right.pieces, strict=False):
            if piece.text != other.text or _is_elsewhere(piece.bounds, other.bounds):
                yield (
                    f"{_quoted([piece.text])} is {_where(piece.bounds, page, number)}, instead of"
                    f" {_where(other.bounds, right, number)}"
                )
        for name in ("shapes", "pictures"):
            yield from _shape_faults(name[:-1], getattr(page, name), getattr(right, name), page)


def _is_elsewhere(bounds: Bounds, right: Bounds) -> bool:
    return any(abs(one - other) > SLACK for one, other in zip(bounds, right, strict=True))


def _shape_faults(
    name: str, shapes: Sequence[Bounds], right: Sequence[Bounds], page: PrintedPage
) -> Iterator[str]:
    found, due = (Counter(tuple(map(round, one)) for one in some) for some in (shapes, right))
    for bounds in (found - due).elements():
        yield f"a {name} is added, {_where(bounds, page)}"
    for bounds in (due - found).elements():
        yield f"a {name} is missing, {_where(bounds, page)}"


def _where(bounds: Sequence[float], page: PrintedPage, number: int = 0) -> str:
    across, down = bounds[0] / POINTS_PER_MM, page.height - bounds[3] / POINTS_PER_MM
    place = f"{across:.0f} mm from the left and {down:.0f} mm from the top"
    return f"page {number}, {place}" if number else place


def _look_faults(found: bytes, right: bytes) -> Iterator[str]:
    """Pages that look otherwise though their text is the same: colours, covers, notes on top."""
    with pypdfium2.PdfDocument(found) as one, pypdfium2.PdfDocument(right) as other:
        for number, (page, due) in enumerate(zip(one, other, strict=True), 1):
            width, rows = _picture(page)
            wanted = _picture(due)[1]
            pairs = enumerate(zip(rows, wanted, strict=False))
            row = next((at for at, (a, b) in pairs if a != b), None)
            if row is None:
                continue
            column = next(at for at, (a, b) in enumerate(zip(rows[row], wanted[row])) if a != b)  # noqa: B905
            across = column / len(rows[row]) * width / POINTS_PER_MM
            down = row / SCALE / POINTS_PER_MM
            place = f"{across:.0f} mm from the left and {down:.0f} mm from the top"
            yield f"it looks otherwise, page {number}, {place}"


def _picture(page: Any) -> tuple[float, list[bytes]]:
    bitmap = page.render(scale=SCALE, may_draw_forms=True)
    content, stride = bytes(bitmap.buffer), bitmap.stride
    rows = [content[start : start + stride] for start in range(0, len(content), stride)]
    return page.get_size()[0], rows


def _hidden_faults(found: bytes, right: bytes) -> Iterator[str]:
    """What no page shows: scripts, attached files, notes and links, the title, the language."""
    told, due = _hidden(found), _hidden(right)
    for name, value in told.items():
        if value != due[name]:
            yield f"{name} is {value!r} instead of {due[name]!r}"


def _hidden(content: bytes) -> dict[str, object]:
    with pypdfium2.PdfDocument(content) as document:
        about = document.get_metadata_dict()
        notes = [pdfium.FPDFPage_GetAnnotCount(page.raw) for page in document]
        return {
            "the number of its scripts": pdfium.FPDFDoc_GetJavaScriptActionCount(document.raw),
            "the number of its attached files": document.count_attachments(),
            "the number of notes and links on its pages": notes,
            "its title": about["Title"],
            "its author": about["Author"],
            "its subject": about["Subject"],
        }

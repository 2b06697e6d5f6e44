"""How a printed file was made, written into the file: with it the same file can be made again.

In HTML it is a `meta` element, in PDF an entry of the document's information.
So what an option changed, a title or a warning, can be told from what somebody changed later.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from html import unescape
from typing import Any

import msgspec

from scorecard import __version__
from scorecard.files import PDF

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

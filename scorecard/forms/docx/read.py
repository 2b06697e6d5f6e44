"""Compare the words and figures of a Word document with those that are written here."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest
from xml.etree import ElementTree

from scorecard.core.staircase import Staircase
from scorecard.forms.docx.make import made_with, make
from scorecard.forms.found import NOT_THIS, Found, UnusableError, Work
from scorecard.forms.origin import Origin, exported, names_in, parts_of, said_in_properties
from scorecard.forms.source_text import card_words

MAIN = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
SAID = re.compile(
    rb"Written by scorecard (\S+), language (\S+), list sha256:([0-9a-f]{64}),"
    rb" with ([^<]+), text [0-9a-f]{16}<"
)
ADDED = re.compile(r"vba|macro|activeX|embeddings|externalLink")


def origin(content: bytes) -> Origin | None:
    said = said_in_properties(SAID, content, "Word document")
    if said is None:
        return None
    version, language, name, libraries = said
    return exported("docx", name, language.strip("-"), version, {libraries: made_with()})


def found(content: bytes, right: bytes | None, work: Work) -> Found:
    due = right if right is not None else _again(content, work.staircase)
    names = names_in(parts_of(content, "Word document").get("word/document.xml", b""))
    faults = [
        f"{NOT_THIS}: {told!r} instead of {wanted!r}"
        for told, wanted in zip_longest(texts_in(content), texts_in(due))
        if told != wanted
    ]
    faults += [
        f"the part {part} was added"
        for part in parts_of(content, "Word document")
        if ADDED.search(part)
    ]
    return Found(faults=faults, names=names)


def texts_in(content: bytes) -> Iterator[str]:
    """The text of each paragraph, also of those in cells, in the order of the document."""
    try:
        root = ElementTree.fromstring(parts_of(content, "Word document")["word/document.xml"])
    except (KeyError, ElementTree.ParseError) as error:
        raise UnusableError(f"it is not a Word document: {error}") from None
    for paragraph in root.iter(f"{MAIN}p"):
        yield "".join(one.text or "" for one in paragraph.iter(f"{MAIN}t"))


def _again(content: bytes, staircase: Staircase) -> bytes:
    """In the language that the file says it is in."""
    _, language, *_ = said_in_properties(SAID, content, "Word document") or ("", "en")
    return make(staircase, card_words(staircase, language) if language != "-" else None)

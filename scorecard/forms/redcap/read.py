"""Compare a data dictionary with the one that is written here, line by line."""

from __future__ import annotations

import re

from scorecard.core.staircase import Staircase
from scorecard.forms.found import NOT_THIS, Found, Work
from scorecard.forms.origin import Origin, exported, first_line_that_differs, names_in
from scorecard.forms.redcap.make import make
from scorecard.forms.source_text import card_words

SAID = re.compile(rb"Written by scorecard (\S+), language (\S+), list sha256:([0-9a-f]{64}),")


def origin(content: bytes) -> Origin | None:
    said = SAID.search(content)
    if said is None:
        return None
    version, language, name = (one.decode() for one in said.groups())
    return exported("redcap", name, language.strip("-"), version)


def found(content: bytes, right: bytes | None, work: Work) -> Found:
    due = right or _again(content, work.staircase)
    lists = re.findall(rb"list (sha256:[0-9a-f]{64})", content)
    names = names_in(b" ".join(lists))
    if content == due:
        return Found(names=names)
    differs = first_line_that_differs(content, due)
    why = f"{NOT_THIS}: {differs}"
    return Found(faults=[why], names=names)


def _again(content: bytes, staircase: Staircase) -> bytes:
    """In the language that the file says it is in."""
    said = SAID.search(content)
    language = said[2].decode() if said else "en"
    return make(staircase, card_words(staircase, language) if language != "-" else None)

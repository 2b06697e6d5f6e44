"""A model card in Markdown: purpose, questions, risks, evidence, limits and citation."""

from __future__ import annotations

import re

from scorecard.core.staircase import Staircase
from scorecard.forms.decision_table import Words
from scorecard.forms.document import Document, Section, Table, document_of
from scorecard.forms.source_text import sealed, unbroken


def make(staircase: Staircase, words: Words | None = None) -> bytes:
    """The text; what a list calls things is shown as it is, never as a heading, link or element."""
    language = words.language if words else ""
    return sealed(_text(document_of(staircase, language)), "<!--", language)


def _text(document: Document) -> str:
    parts = [f"# {plain(document.title)}"]
    for section in document.sections:
        parts += _section(section)
    return "\n\n".join([*parts, f"*{document.made}*"]) + "\n"


def _section(section: Section) -> list[str]:
    parts = [f"## {plain(section.heading)}"]
    if section.sentences:
        parts.append("\n".join(f"- {plain(one)}" for one in section.sentences))
    if section.table:
        parts.append(_table(section.table))
    if section.facts:
        parts.append(
            "\n".join(f"- **{plain(name)}:** {plain(told)}" for name, told in section.facts)
        )
    return parts


def _table(table: Table) -> str:
    heading, *rows = (f"| {' | '.join(map(plain, row))} |" for row in table.rows)
    return "\n".join([heading, "|" + " --- |" * len(table.rows[0]), *rows])


def plain(text: str) -> str:
    """A text that Markdown shows as it stands, on one line."""
    shown = re.sub(r"([\\`*_{}\[\]<>#|~$!&])", r"\\\1", unbroken(text))
    shown = re.sub(r"^([0-9]+)([.)])", r"\1\\\2", shown)
    # A program makes a link of what looks like an address.
    shown = re.sub(r"(://|@)", lambda found: f"\\{found[0][0]}{found[0][1:]}", shown)
    return re.sub(r"^([+=-])", r"\\\1", shown)

"""The decision table as JSON: for a program that applies the list in any language."""

from __future__ import annotations

from scorecard.core.staircase import Staircase
from scorecard.documents.json_document import laid_out
from scorecard.exporting.decision_table import DecisionTable, Words, decision_table

# How deep each member is broken into lines, so that a question or a box is one line each.
LEVELS = {"questions": 1, "steps": 3, "stops": 1, "notes": 1, "words": 1, "about": 1, "answers": 1}


def json_table(staircase: Staircase, words: Words | None = None) -> bytes:
    """The decision table, UTF-8, one box per line."""
    return (table_text(decision_table(staircase, words)) + "\n").encode()


def table_text(table: DecisionTable) -> str:
    return laid_out(table, LEVELS)

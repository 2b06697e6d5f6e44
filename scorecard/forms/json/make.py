"""The decision table of a list as JSON."""

from __future__ import annotations

from scorecard.core.staircase import Staircase
from scorecard.forms.decision_table import Words, decision_table, table_text


def make(staircase: Staircase, words: Words | None = None) -> bytes:
    """The decision table, UTF-8, one box per line."""
    return (table_text(decision_table(staircase, words)) + "\n").encode()

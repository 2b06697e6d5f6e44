"""A form for tests: the questions of a list with their points, a line each."""

from __future__ import annotations

from scorecard.core.staircase import Staircase
from scorecard.forms.decision_table import Words, decision_table


def make(staircase: Staircase, words: Words | None = None) -> bytes:
    table = decision_table(staircase, words)
    lines = [f"{one['points']:+d} {one['text']}" for one in table["questions"]]
    return "\n".join([f"toy {table['language'] or '-'} {table['model']}", *lines, ""]).encode()

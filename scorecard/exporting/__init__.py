"""The list in other forms, each a function from a staircase to the bytes of a file.

To add a form, write its function and add a line to `EXPORTERS`. Modules are loaded when a form is
asked for: writing Python needs no spreadsheet library.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scorecard.core.staircase import Staircase
    from scorecard.exporting.decision_table import Words

    Exporter = Callable[[Staircase, Words | None], bytes]

EXPORTERS = {
    "python": ("python_file", "python_file", "evaluator.py"),
    "json": ("decision_table", "json_table", "card.json"),
    "javascript": ("javascript", "javascript_module", "evaluator.mjs"),
    "sql": ("sql", "sql_query", "evaluator.sql"),
    "excel": ("workbook", "workbook", "evaluator.xlsx"),
}
"""Name of the form: its module in this folder, its function, and the usual name of its file."""


def usual_name(name: str) -> str:
    """What a file of this form is called where nobody says otherwise."""
    return EXPORTERS[name][2]


def exporter(name: str) -> Exporter:
    """The function that writes this form: it takes a staircase and the words of its card."""
    module, function, _ = EXPORTERS[name]
    found: Exporter = getattr(import_module(f"{__name__}.{module}"), function)
    return found

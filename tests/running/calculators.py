"""Run the calculator of a handout: through its buttons in a browser, and its script in Node."""

from __future__ import annotations

import re

from scorecard.forms.found import Found, Work
from scorecard.forms.javascript.read import run
from tests.running.browser import driven

__all__ = ["driven", "script_form"]

CALCULATOR = re.compile(r"(?s)\(\(\) => \{\n(.*?^const TABLE = [^\n]*;\n)", re.MULTILINE)
EXPORTS = """
export const table = TABLE;
export const evaluate = (answers) => evaluateCase(TABLE, answers);
export const decide = (answers, sharpen) => decideAnswers(TABLE, answers, sharpen);
"""


def script_form(content: bytes, work: Work) -> Found:
    """The script of a page alone, its table and its evaluator, run in Node."""
    calculator = CALCULATOR.search(content.decode())
    assert calculator is not None, "the page has no calculator"
    return run((calculator[1] + EXPORTS).encode(), work)

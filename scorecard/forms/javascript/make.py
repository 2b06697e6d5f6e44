"""An ES module that applies the list, for browsers and Node."""

from __future__ import annotations

import json
import re

from scorecard.core.staircase import Staircase
from scorecard.forms.decision_table import DecisionTable, Words, decision_table, table_text
from scorecard.forms.source_text import question_lines, render, sealed, unbroken, wrapped


def make(staircase: Staircase, words: Words | None = None) -> bytes:
    """The source of an ES module: `evaluate`, `nextQuestion`, `decide`, `read` and `table`."""
    table = decision_table(staircase, words)
    text = render(
        "javascript/evaluator.js.j2",
        title=_in_comment(unbroken(table["about"].get("title", "")) or "Scoring list"),
        list=[_in_comment(line) for whole in question_lines(table) for line in wrapped(whole)],
        example=_in_comment(_example(table)),
        table=javascript_literal(table_text(table)),
    )
    return sealed(text, "//", table["language"])


def javascript_literal(text: str) -> str:
    """JSON that is safe inside a script element and in JavaScript of any age.

    JSON is JavaScript but for two line separators; no `<` keeps `</script>` and `<!--` out.
    Characters that turn the reading order round are escaped too, for whoever reviews the code.
    """
    return re.sub(_UNSAFE, lambda found: f"\\u{ord(found[0]):04x}", text)


_UNSAFE = "[<\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]"


def _in_comment(line: str) -> str:
    """A line that can neither end its comment nor show something else than it says."""
    shown = "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in line)
    return shown.replace("*/", "*\\/").replace("</", "<\\/").replace("<!", "<\\!").rstrip()


def _example(table: DecisionTable) -> str:
    parts = []
    for question in table["questions"][:2]:
        condition = question["condition"]
        value: object = "yes"
        if condition["cutoff"] is not None:
            value = condition["cutoff"]
        elif condition["categories"]:
            value = condition["categories"][0]
        parts.append(f"{_json(question['input'])}: {_json(value)}")
    return ", ".join(parts)


def _json(value: object) -> str:
    return javascript_literal(json.dumps(value, ensure_ascii=False, allow_nan=False))

"""The decision table as JSON: for a program that applies the list in any language."""

from __future__ import annotations

import json
from collections.abc import Mapping

from scorecard.exporting.decision_table import DecisionTable, Words, decision_table
from scorecard.staircase import Staircase

# How deep each member is broken into lines, so that a question or a box is one line each.
LEVELS = {"questions": 1, "steps": 3, "stops": 1, "notes": 1, "words": 1, "about": 1, "answers": 1}


def json_table(staircase: Staircase, words: Words | None = None) -> bytes:
    """The decision table, UTF-8, one box per line."""
    return (table_text(decision_table(staircase, words)) + "\n").encode()


def table_text(table: DecisionTable) -> str:
    return _members(table, LEVELS)


def _members(table: Mapping[str, object], levels: Mapping[str, int]) -> str:
    lines = [f"  {_dump(key)}: {_broken(table[key], levels.get(key, 0), 4)}" for key in table]
    return "{\n" + ",\n".join(lines) + "\n}"


def _broken(value: object, levels: int, indent: int) -> str:
    if not levels or not value or not isinstance(value, (dict, list)):
        return _dump(value)
    space = " " * indent
    if isinstance(value, dict):
        items = [f"{_dump(k)}: {_broken(v, levels - 1, indent + 2)}" for k, v in value.items()]
    else:
        items = [_broken(item, levels - 1, indent + 2) for item in value]
    start, end = "{}" if isinstance(value, dict) else "[]"
    return f"{start}\n{space}" + f",\n{space}".join(items) + f"\n{space[2:]}{end}"


def _dump(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)

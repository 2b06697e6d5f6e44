"""JSON that people can read: what belongs together stays on one line."""

from __future__ import annotations

import json
from collections.abc import Mapping


def laid_out(members: Mapping[str, object], levels: Mapping[str, int]) -> str:
    """An object, one member after the other.

    `levels` says how deep a member is broken into lines; what lies deeper stays on one line, and so
    does a tuple.
    """
    lines = [
        f"  {one_line(key)}: {_broken(value, levels.get(key, 0), '  ')}"
        for key, value in members.items()
    ]
    return "{\n" + ",\n".join(lines) + "\n}"


def one_line(value: object) -> str:
    """Any value on one line."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _broken(value: object, levels: int, indent: str) -> str:
    if not levels or not value or not isinstance(value, (dict, list)):
        return one_line(value)
    deeper = indent + "  "
    if isinstance(value, dict):
        items = [f"{one_line(k)}: {_broken(v, levels - 1, deeper)}" for k, v in value.items()]
    else:
        items = [_broken(item, levels - 1, deeper) for item in value]
    start, end = "{}" if isinstance(value, dict) else "[]"
    return f"{start}\n" + ",\n".join(deeper + item for item in items) + f"\n{indent}{end}"

"""On which line of a TOML file something stands, so that a refusal can say where to look."""

from __future__ import annotations

import re
from collections.abc import Iterator

_PART = r"(?:\"[^\"\n]*\"|'[^'\n]*'|[\w-]+)"
_KEY = re.compile(rf"\s*({_PART}(?:\s*\.\s*{_PART})*)\s*=")
_TABLE = re.compile(rf"\s*(\[\[?)\s*({_PART}(?:\s*\.\s*{_PART})*)\s*\]")
_LONG = re.compile(r"\"\"\"|'''")


def lines_of(text: str) -> dict[str, int]:
    """The line of every table and key, by its place: `questions[0].points`, `words.inputs.age`."""
    found: dict[str, int] = {}
    counted: dict[str, int] = {}
    table, inside_text = "", False
    for number, line in enumerate(text.splitlines(), 1):
        is_text, inside_text = inside_text, inside_text ^ (len(_LONG.findall(line)) % 2 == 1)
        if is_text:
            continue
        if header := _TABLE.match(line):
            table = ".".join(_parts(header[2]))
            if header[1] == "[[":
                counted[table] = counted.get(table, -1) + 1
                table = f"{table}[{counted[table]}]"
            found.setdefault(table, number)
        elif key := _KEY.match(line):
            found.setdefault(".".join([*filter(None, [table]), *_parts(key[1])]), number)
    return found


def _parts(key: str) -> Iterator[str]:
    return (part.strip("\"'") for part in re.findall(_PART, key))


def line_of(lines: dict[str, int], place: str) -> int | None:
    """The line of a place, or of what it stands in."""
    while place:
        if place in lines:
            return lines[place]
        place = re.sub(r"(?:^|\.)[^.]*$|\[[0-9]+\]$", "", place)
    return None


def located(name: str, text: str, fault: str) -> str:
    """A fault that begins with its place, with the file and the line before it."""
    place = re.match(r"([\w.\[\]-]+)(?=[:,] )", fault)
    line = line_of(lines_of(text), place[1]) if place else None
    return f"{name}, line {line}: {fault}" if line else f"{name}: {fault}"

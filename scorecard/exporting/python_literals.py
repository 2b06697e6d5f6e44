"""Values as Python source: every text through `repr`, no line longer than a person wants to read.

Nothing a list contains can end a literal, hide in a comment or turn the reading order round: what
is not printable is escaped.
"""

from __future__ import annotations

from collections.abc import Iterable
from textwrap import wrap

WIDTH = 100


def literal(value: object, indent: int = 0, taken: int = 0) -> str:
    """The value as an expression, broken into lines where it would be too long.

    `taken` is the room that is used on the first line, before the expression and after it.
    """
    short = repr(value)
    if indent + taken + len(short) <= WIDTH:
        return short
    if isinstance(value, str):
        return bracketed("()", _pieces(value, WIDTH - indent - 4), indent, separator="")
    if isinstance(value, tuple):
        return packed("()", [literal(item, indent + 4, 1) for item in value], indent)
    assert isinstance(value, dict), value
    items = []
    for key, item in value.items():
        start = f"{literal(key, indent + 4)}: "
        items.append(start + literal(item, indent + 4, len(start) + 1))
    return bracketed("{}", items, indent)


def bracketed(brackets: str, items: Iterable[str], indent: int, separator: str = ",") -> str:
    """Items in brackets, one per line."""
    lines = "".join(f"{' ' * (indent + 4)}{item}{separator}\n" for item in items)
    return f"{brackets[0]}\n{lines}{' ' * indent}{brackets[1]}"


def packed(brackets: str, items: Iterable[str], indent: int = 0) -> str:
    """Items in brackets, as many in a line as fit."""
    return bracketed(brackets, _lines(items, WIDTH - indent - 4), indent, separator="")


def hanging(brackets: str, items: Iterable[str], indent: int) -> str:
    """Items in brackets that begin behind a name, as many in a line as fit below each other."""
    lines = _lines(items, WIDTH - indent - 1)
    space = "\n" + " " * (indent + 1)
    return f"{brackets[0]}{space.join(lines)}{brackets[1]}"


def _lines(items: Iterable[str], width: int) -> list[str]:
    lines: list[str] = []
    for item in items:
        if lines and len(lines[-1]) + len(item) + 2 <= width and "\n" not in item:
            lines[-1] += f" {item},"
        else:
            lines.append(f"{item},")
    return lines


def docstring(lines: Iterable[str]) -> str:
    """Lines of any text between triple quotes, with the same lines when read back."""
    short = [part for line in lines for part in _at_spaces(line)]
    body = "\n".join(piece for line in short for piece in _wrapped(line))
    return f'"""{body}\n"""'


def _pieces(text: str, width: int) -> list[str]:
    """The text as literals next to each other, which Python joins."""
    pieces, start = [], 0
    while start < len(text):
        end = start + 1
        while end < len(text) and len(repr(text[start : end + 1])) <= width:
            end += 1
        pieces.append(repr(text[start:end]))
        start = end
    return pieces


def _at_spaces(line: str) -> list[str]:
    if len(line) <= WIDTH - 3:
        return [line]
    return wrap(line, WIDTH - 3, subsequent_indent="  ", break_long_words=False) or [""]


def _wrapped(line: str) -> list[str]:
    lines = [""]
    for character in line.rstrip():
        escaped = _escaped(character)
        if len(lines[-1]) + len(escaped) > WIDTH - 3:  # the quotes stand before the first line
            lines.append("")
        lines[-1] += escaped
    return lines


def _escaped(character: str) -> str:
    if character == '"':
        return '\\"'
    return repr(character)[1:-1] if character != "'" else character

"""Values as people write them, in a card.toml or on a command line: text in, checked value out.

A reader takes what it has given back as it is, so that a value may be read twice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from typing import Any

from scorecard.errors import ListError

Pairs = tuple[tuple[str, Any], ...]
"""Columns, each with its value."""


def share(value: Any) -> float:
    """A share of one: 0.05, 5% or 1/20."""
    if isinstance(value, float) and 0 <= value <= 1:
        return value
    text = str(value).strip()
    try:
        number = Fraction(text.removesuffix("%").strip())
    except (ValueError, ZeroDivisionError):
        hint = " Write a decimal point." if "," in text else ""
        raise ListError(f"{text!r} is not a share: write 0.05, 5% or 1/20.{hint}") from None
    found = number / 100 if text.endswith("%") else number
    if not 0 <= found <= 1:
        percent = f" For {text} percent write {text}%." if 1 < number <= 100 else ""
        raise ListError(f"{text!r} is not between 0 and 1.{percent}")
    return float(found)


def points(value: Any) -> tuple[int, ...]:
    """Points a question may have: -3..3, or a list like -2,-1,1,2."""
    if isinstance(value, (tuple, list)):
        found = tuple(value)
    else:
        first, dots, last = str(value).partition("..")
        try:
            span = range(int(first), int(last) + 1) if dots else map(int, first.split(","))
            found = tuple(filter(None, span)) if dots else tuple(span)
        except ValueError:
            raise ListError(f"{value!r} are no points: write -3..3 or a list like 1,2,3.") from None
    if not found or not all(isinstance(one, int) and one for one in found):
        raise ListError(f"{value!r}: points are whole numbers other than 0.")
    return found


def number_or_auto(value: Any, whole: bool = False) -> Any:
    """A number from 0 on, or auto."""
    if value == "auto":
        return "auto"
    try:
        number = int(value) if whole else float(value)
    except (ValueError, TypeError):
        number = -1
    if not 0 <= number < float("inf"):
        what = "a whole number" if whole else "a number"
        raise ListError(f"{value!r} is neither auto nor {what} from 0 on.")
    return number


def names(value: Any) -> tuple[str, ...]:
    """Columns: one text, in which commas may divide several, or a list of such."""
    found = (value,) if isinstance(value, str) else value
    if not isinstance(found, (list, tuple)) or not all(isinstance(one, str) for one in found):
        raise ListError(f"{value!r} came, expected text in quotes, or a list of such.")
    return tuple(found)


def pairs(read: Callable[[str, str], Any], value: Any) -> Pairs:
    """COLUMN=VALUE, or several with commas between them; a table of a card.toml; pairs.

    A column may have = in its name, a value not; one with commas in its name has a table.
    """
    if isinstance(value, Mapping):
        return tuple((column, read(column, str(one))) for column, one in value.items())
    given = (value,) if isinstance(value, str) else value
    found: list[tuple[str, Any]] = []
    for one in given:
        if isinstance(one, tuple):
            found.append(one)
            continue
        for text in map(str.strip, str(one).split(",")):
            column, equals, right = text.rpartition("=")
            if not equals or not column:
                raise ListError(f"{text!r} is not of the form COLUMN=VALUE.")
            found.append((column, read(column, right)))
    return tuple(found)


def _sign(column: str, text: str) -> str:
    sign = text.replace("−", "-")
    if sign not in ("+", "-"):
        raise ListError(f"{f'{column}={text}'!r} is neither {column}=+ nor {column}=-.")
    return sign


def _number(most: float, expected: str, column: str, text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number <= most or number == float("inf"):
        raise ListError(f"{f'{column}={text}'!r}: {expected.format(column=column)}")
    return number


signs = partial(pairs, _sign)
costs = partial(
    pairs,
    partial(_number, float("inf"), "a cost is a number from 0 on, for instance {column}=12."),
)
available = partial(
    pairs,
    partial(_number, 1.0, "the share who can answer is from 0 to 1, for instance {column}=0.6."),
)

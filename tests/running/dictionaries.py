"""Fill in a REDCap data dictionary: an interpreter of the expressions that it uses.

Written from the published documentation of branching logic and calculated fields: a field in
brackets is its value, `[field(code)]` is "1" or "0" of a checkbox; a blank is "" and stays blank in
sums; `if` takes three; fields are read by small names. Fields whose branching does not hold are
blank. It proves the logic, and not that REDCap does the same: nobody has imported it yet.
"""

from __future__ import annotations

import csv
import io
import operator
import re
from collections.abc import Callable, Mapping
from typing import Any

from scorecard.forms.found import Found, Said, UnusableError, Work
from scorecard.forms.items import UNKNOWN, items_of, own_prefix
from scorecard.forms.redcap.make import (
    ANNOTATION,
    BRANCHING,
    CHOICES,
    COLUMNS,
    FIELD_NAME,
    NAME,
    TYPE,
    VALIDATION,
)
from scorecard.forms.test_cases import CaseResult
from scorecard.words.wording import Wording
from tests.running.entries import Entries, begun, entered
from tests.running.xforms import as_far_as_told

TOKEN = re.compile(
    r'\s*(?:(\[[a-z0-9_]+(?:\([A-Za-z0-9_]+\))?\])|"([^"]*)"|(-?[0-9.]+)'
    r"|(<>|>=|<=|[=<>+*(),])|(if|and|or)\b)"
)
COMPARED: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq, "<>": operator.ne, ">=": operator.ge,
    "<=": operator.le, ">": operator.gt, "<": operator.lt,
}  # fmt: skip


def dictionary_form(content: bytes, work: Work) -> Found:
    """The form for each case that can be entered, and for answers to the first questions alone."""
    items = items_of(work.staircase, Wording.of(work.staircase))
    rows = rows_of(content)
    prefix = own_prefix(items.values())
    entered_in = (row[NAME] for row in rows if row[TYPE] in ("radio", "text"))
    asked = [one for one in entered_in if one != "record_id" and not one.startswith(prefix)]

    def said(entries: Entries) -> Said:
        names = dict(zip(items, _names(asked), strict=False))
        told = filled(rows, {names[key]: value for key, value in entries.items()}, items, names)
        total, risk = told[f"{prefix}total"], told[f"{prefix}probability"]
        return CaseResult(
            told[f"{prefix}word"],
            int(told[f"{prefix}stage"]),
            None if total == "" else int(total),
            None if risk == "" else float(risk),
            *[None] * 4,
        )

    cases = {place: said(one) for place, one in entered(work, items)}
    walks = {place: said(one) for place, one in begun(work, items)}
    return as_far_as_told(Found(cases, walks), work)


def _names(asked: list[str]) -> list[str]:
    """One name for each input; a field that asks again has a name of its own."""
    return [name for name in asked if not re.search("_again[0-9]+$", name)]


def rows_of(content: bytes) -> list[dict[str, str]]:
    """The rows, by the published rules of the columns."""
    rows = list(csv.DictReader(io.StringIO(content.decode(), newline="")))
    names = [row[NAME] for row in rows]
    if tuple(rows[0]) != COLUMNS or len(names) != len(set(names)):
        raise UnusableError("its columns are others, or a name is there twice")
    for row in rows:
        if not FIELD_NAME.fullmatch(row[NAME]) or len(row[NAME]) > 100:
            raise UnusableError(f"{row[NAME]!r} is no name of a field")
        if row[TYPE] not in ("text", "radio", "checkbox", "calc", "descriptive"):
            raise UnusableError(f"{row[TYPE]!r} is no type of a field")
        if row[VALIDATION] and (row[TYPE], row[VALIDATION]) != ("text", "number"):
            raise UnusableError(f"{row[VALIDATION]!r} is no validation here")
        used = re.findall(r"\[([a-z0-9_]+)", row[BRANCHING] + row[CHOICES] * (row[TYPE] == "calc"))
        if set(used) - set(names):
            raise UnusableError(f"{row[NAME]} refers to a field that is not there")
    return rows


def filled(
    rows: list[dict[str, str]], entries: Mapping[str, str], items: Any, names: Mapping[str, str]
) -> dict[str, Any]:
    """The values of all fields, in the order of the dictionary."""
    by_name = {names[key]: item for key, item in items.items() if key in names}
    values: dict[str, Any] = {row[NAME]: "" for row in rows}
    for row in rows:
        name = row[NAME]
        bare = re.sub("(_again[0-9]+)?(_nk)?$", "", name)
        shown = not row[BRANCHING] or read(row[BRANCHING], values)
        if row[TYPE] == "calc":
            values[name] = read(row[CHOICES], values)
        elif found := re.search(r"@CALCTEXT\((.*)\) @HIDDEN", row[ANNOTATION]):
            values[name] = read(found[1], values)
        elif bare in by_name and bare in entries and shown:
            values[name] = _entry(row, by_name[bare], entries[bare])
    return values


def _entry(row: Mapping[str, str], item: Any, entry: str) -> Any:
    if row[TYPE] == "radio":
        codes = [one.split(",")[0] for one in row[CHOICES].split(" | ")]
        return codes[[one.value for one in item.choices].index(entry)]
    if row[TYPE] == "checkbox":
        return {"1": "1" if entry == UNKNOWN else "0"}
    return "" if entry == UNKNOWN else float(entry)


def read(text: str, values: Mapping[str, Any]) -> Any:
    """The value of an expression."""
    tokens, at = [], 0
    while text[at:].strip():
        found = TOKEN.match(text, at)
        if found is None:
            raise UnusableError(f"nothing that is known: {text[at : at + 30]!r}")
        tokens.append(found)
        at = found.end()
    reader = _Reader(tokens, values)
    value = reader.either()
    if reader.at != len(tokens):
        raise UnusableError(f"something is left over of {text[:60]!r}")
    return value


class _Reader:
    """One token after the other; all parts are read, whatever is decided."""

    def __init__(self, tokens: list[re.Match[str]], values: Mapping[str, Any]) -> None:
        self.tokens, self.values, self.at = tokens, values, 0

    def either(self) -> Any:
        value = self.both()
        while self._takes("or"):
            other = self.both()
            value = bool(value) or bool(other)
        return value

    def both(self) -> Any:
        value = self.compared()
        while self._takes("and"):
            other = self.compared()
            value = bool(value) and bool(other)
        return value

    def compared(self) -> Any:
        value = self.sum()
        for sign, holds in COMPARED.items():
            if self._takes(sign):
                other = self.sum()
                if sign not in ("=", "<>") and "" in (value, other):
                    return False
                return holds(value, other)
        return value

    def sum(self) -> Any:
        value = self.product()
        while self._takes("+"):
            other = self.product()
            value = "" if "" in (value, other) else value + other
        return value

    def product(self) -> Any:
        value = self.single()
        while self._takes("*"):
            other = self.single()
            value = "" if "" in (value, other) else value * other
        return value

    def single(self) -> Any:
        if self._takes("("):
            value = self.either()
            self._needs(")")
            return value
        if self._takes("if"):
            self._needs("(")
            parts = [self.either()]
            for _ in range(2):
                self._needs(",")
                parts.append(self.either())
            self._needs(")")
            return parts[1] if parts[0] else parts[2]
        field, quoted, number, *_ = self.tokens[self.at].groups()
        self.at += 1
        if field:
            name, _, code = field[1:-1].rstrip(")").partition("(")
            value = self.values[name]
            return (value.get(code, "0") if value else "0") if code else value
        return quoted if quoted is not None else float(number)

    def _takes(self, text: str) -> bool:
        if self.at < len(self.tokens) and self.tokens[self.at][0].strip() == text:
            self.at += 1
            return True
        return False

    def _needs(self, text: str) -> None:
        if not self._takes(text):
            raise UnusableError(f"{text!r} is missing")

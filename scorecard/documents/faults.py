"""What the readers of both forms share: text out of bytes, and faults with their place."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import msgspec

from scorecard.core.model import ScoringList
from scorecard.errors import ListError
from scorecard.files import OLD_EXCEL, PDF, PNG, ZIP

T = TypeVar("T")

LONGEST_FAULT = 400
MOST_FAULTS = 100
_AT = re.compile(r" - at `\$(.*)`$")
_UNKNOWN_KEY = re.compile(r"Object contains unknown field `(.*)`", re.DOTALL)
_MISSING_KEY = re.compile(r"Object missing required field `(.*)`")
_EXPECTED = re.compile(r"Expected `(.*?)`(.*?), got `(.*)`")
_LENGTH = re.compile(r"Expected `array` of length (.*), got (.*)")
_NOT_AMONG = re.compile(r"Invalid enum value (.*)", re.DOTALL)

TABLE_CAME = (
    "this is a table, not a scoring list; give a model file here, or make one of the table with"
    " scorecard fit TABLE --outcome COLUMN."
)
# What people take for the list: its card, its handout, its workbook.
OTHER_KINDS = {
    PDF: "a PDF",
    PNG: "a PNG picture",
    ZIP: "an Excel workbook or a zip file",
    OLD_EXCEL: "an Excel workbook",
    b"<": "a web page or an SVG picture",
}


class UnreadableError(Exception):
    """Nothing can be said about the content: not text, not JSON, not TOML."""


class EnoughFaultsError(Exception):
    """So many faults were found that nobody would read more."""


@dataclass
class Faults:
    """Collects what is wrong with a document, each fault with the place where it is."""

    found: list[str] = field(default_factory=list)

    def add(self, place: str, message: str) -> None:
        self.found.append(one_line(f"{place}: {message}" if place else message))
        if len(self.found) >= MOST_FAULTS:
            raise EnoughFaultsError

    def convert(self, value: object, kind: type[T] | Any, place: str) -> T | None:
        """The value as this kind of record, or `None` and a fault."""
        try:
            converted: T = msgspec.convert(value, kind)
        except msgspec.ValidationError as error:
            inside, message = _read_complaint(str(error))
            self.add(join(place, inside), message)
            return None
        except UnicodeEncodeError as error:  # msgspec meets the text before the model can refuse it
            self.add(place, f"{error.object!r} contains half a character (a lone surrogate).")
            return None
        return converted

    def build(self, place: str, make: Callable[..., T], *arguments: Any, **named: Any) -> T | None:
        """What `make` gives, or `None` and a fault for each thing the model refuses."""
        try:
            return make(*arguments, **named)
        except ListError as error:
            for fault in error.faults:
                self._add_model_fault(place, fault)
        return None

    def _add_model_fault(self, place: str, fault: str) -> None:
        # The model starts a fault with the name of the field, if it is about one.
        name, colon, rest = fault.partition(": ")
        if colon and re.fullmatch(r"[a-z_]+(, [a-z_]+)*", name):
            self.add(join(place, "." + name), rest)
        else:
            self.add(place, fault)


Examined = tuple[ScoringList | None, list[str]]
"""The list, or `None` and every fault that was found."""


def join(place: str, inside: str) -> str:
    return (place + inside).lstrip(".") if inside else place


def decode(content: bytes) -> str:
    """The text of a UTF-8 file; other encodings are told by name as far as they show."""
    if content.startswith(b"PAR1"):
        raise UnreadableError(TABLE_CAME)
    for beginning, kind in OTHER_KINDS.items():
        if content.startswith(beginning):
            raise UnreadableError(
                f"this is {kind}, not a scoring list; give the model file, for instance model.json,"
                " which scorecard fit or scorecard new writes."
            )
    if content.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in content[:4]:
        raise UnreadableError("this is UTF-16 or UTF-32; save it as UTF-8.")
    if content.startswith(b"\xef\xbb\xbf"):
        raise UnreadableError(
            "it starts with a byte order mark (BOM); save it as UTF-8 without BOM."
        )
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        byte = content[error.start]
        raise UnreadableError(
            f"line {line} has the byte 0x{byte:02x}, which is not UTF-8 (perhaps Latin-1 or"
            " Windows-1252); save it as UTF-8."
        ) from None


def one_line(text: str) -> str:
    """A fault on one line of bearable length; what cannot be printed is escaped."""
    printable = "".join(
        letter if letter.isprintable() else repr(letter)[1:-1] for letter in text[:LONGEST_FAULT]
    )
    return printable + ("…" if len(text) > LONGEST_FAULT else "")


KINDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "a text",
    "bool": "true or false",
    "object": "a table of keys and values",
    "array": "a list",
    "null": "nothing (null)",
}


def _read_complaint(complaint: str) -> tuple[str, str]:
    """Place and message of a msgspec error, in our words."""
    at = _AT.search(complaint)
    inside = at[1] if at else ""
    message = complaint[: at.start()] if at else complaint
    if unknown := _UNKNOWN_KEY.fullmatch(message):
        return inside, f"unknown key {unknown[1]!r}; misspelt?"
    if missing := _MISSING_KEY.fullmatch(message):
        return inside, f"the key {missing[1]!r} is missing."
    if expected := _EXPECTED.fullmatch(message):
        wanted, limits, came = expected.groups()
        return inside, f"expected {_in_words(wanted)}{limits}, but {_in_words(came)} came."
    if length := _LENGTH.fullmatch(message):
        return inside, f"expected a list of length {length[1]}, but one of {length[2]} came."
    if stranger := _NOT_AMONG.fullmatch(message):
        return inside, f"{stranger[1]} is not one of the values that are known here."
    return inside, message + "."


def _in_words(kinds: str) -> str:
    names = [KINDS.get(kind, kind) for kind in kinds.split(" | ")]
    if "a whole number" in names and "a number" in names:
        names.remove("a whole number")
    return " or ".join(names)

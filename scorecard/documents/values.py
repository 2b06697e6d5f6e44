"""Values of the model ⇄ plain trees of JSON or TOML, by nothing but the fields of the values.

A value is an object with its fields as keys. Every leaf is checked by msgspec against the type of
its field and every value by its own rules, so that one reading finds all faults with their places.
Two values have a shape that is easier to read: a stage is the list of its risks, each with its
total, and evidence is the list of its patterns.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields, is_dataclass
from functools import lru_cache
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec

from scorecard.core.evidence import MAX_PATTERNS, CrossValidation, Evidence, Pattern
from scorecard.core.model import Risk, RiskSource, ScoringList, Stage
from scorecard.core.policy import StoppingPolicy
from scorecard.core.question import Condition, Question, Substitute
from scorecard.errors import ListError, PolicyError, did_you_mean, few

T = TypeVar("T")

LONGEST_FAULT = 400
MOST_FAULTS = 100

# Where a document has another order of keys than the value has fields.
ORDER = {
    Question: (
        *("input", "label", "condition", "unit", "points", "cost", "panel", "note"),
        "if_unknown",
    ),
    Substitute: ("input", "label", "condition", "unit", "cost", "panel"),
    ScoringList: (
        *("about", "risk_source", "questions", "stages", "evidence", "provenance"),
        *("policy", "validations", "cross_validation", "seen"),
    ),
}
# Written also where they have their default value, so that a later default changes no document.
WRITTEN_ALWAYS: dict[type, tuple[str, ...]] = {
    Question: ("condition",),
    Substitute: ("condition",),
    Condition: ("kind",),
    RiskSource: ("origin", "level", "band"),
    StoppingPolicy: tuple(one.name for one in fields(StoppingPolicy)),
    CrossValidation: ("design_effect", "strength"),
}
NEEDED = {(Question, "condition"), (Substitute, "condition"), (Condition, "kind")}


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

    def convert(self, tree: object, kind: Any, place: str) -> Any:
        """A leaf of this type, or `None` and a fault."""
        try:
            return msgspec.convert(tree, kind)
        except msgspec.ValidationError as error:
            inside, message = _read_complaint(str(error), kind)
            self.add(join(place, inside), message)
        except UnicodeEncodeError as error:  # msgspec meets the text before the model can refuse it
            self.add(place, f"{error.object!r} contains half a character (a lone surrogate).")
        return None

    def build(
        self, place: str, make: Callable[..., T], /, *arguments: Any, **named: Any
    ) -> T | None:
        """What `make` gives, or `None` and a fault for each thing the model refuses."""
        try:
            return make(*arguments, **named)
        except ListError as error:
            for fault in error.faults:
                self._add_model_fault(place, fault)
        except PolicyError as error:
            self.add(place, str(error))
        return None

    def _add_model_fault(self, place: str, fault: str) -> None:
        # The model starts a fault with the name of the field, if it is about one.
        name, colon, rest = fault.partition(": ")
        if not colon or not re.fullmatch(r"[a-z_]+(, [a-z_]+)*", name):
            self.add(place, fault)
        elif place.rpartition(".")[2] == name:
            self.add(place, rest)
        else:
            self.add(join(place, "." + name), rest)


# Reading ------------------------------------------------------------------------------------------


def value_of(tree: Any, kind: Any, place: str, found: Faults) -> Any:
    """The value of this kind in a tree; `None` if there is a fault in it."""
    if not _has_values(kind):
        return found.convert(tree, kind, place)
    if NoneType in get_args(kind):
        inner = next(one for one in get_args(kind) if one is not NoneType)
        return None if tree is None else value_of(tree, inner, place, found)
    if get_origin(kind) is tuple:
        return _values(tree, get_args(kind)[0], place, found)
    if kind is Stage:
        return _stage(tree, place, found)
    if kind is Evidence:
        return _evidence(tree, place, found)
    return _object(tree, kind, place, found)


def _object(tree: Any, kind: Any, place: str, found: Faults) -> Any:
    before = len(found.found)
    members: dict[str, Any] = found.convert(tree, dict, place) or {}
    if len(found.found) > before:
        return None
    known = _fields(kind)
    for key in members:
        if key not in known:
            hint = did_you_mean(key, known, f"expected {few(known, 15)}.")
            found.add(join(place, f".{key}"), f"is not known; {hint}")
    given = {}
    for key, (name, hint, needed) in known.items():
        if key in members:
            given[name] = value_of(members[key], hint, join(place, f".{key}"), found)
        elif needed:
            found.add(place, f"the key {key!r} is missing.")
    return None if len(found.found) > before else found.build(place, kind, **given)


def _values(tree: Any, kind: Any, place: str, found: Faults) -> tuple[Any, ...]:
    items: list[Any] = found.convert(tree, list, place) or []
    if len(items) > MAX_PATTERNS:  # looking at each would take for ever
        found.add(place, f"{len(items)} are too many; there can be at most {MAX_PATTERNS}.")
        return ()
    return tuple(
        value_of(item, kind, f"{place}[{number}]", found) for number, item in enumerate(items)
    )


def _stage(tree: Any, place: str, found: Faults) -> Stage | None:
    before = len(found.found)
    rows = _values(tree, _RiskAtTotal, place, found)
    if len(found.found) > before:
        return None
    risks = [Risk(**{one.name: getattr(row, one.name) for one in fields(Risk)}) for row in rows]
    return found.build(place, Stage, [row.total for row in rows], risks)


def _evidence(tree: Any, place: str, found: Faults) -> Evidence | None:
    before = len(found.found)
    patterns = _values(tree, Pattern, place, found)
    return None if len(found.found) > before else found.build(place, Evidence, patterns)


@dataclass(frozen=True, slots=True)
class _RiskAtTotal(Risk):
    """A risk as it stands in a document, with its total."""

    total: int = field(kw_only=True)


@lru_cache(maxsize=32)
def _fields(kind: type) -> Mapping[str, tuple[str, Any, bool]]:
    """By key of the document: the field's name, its type, and whether it has to be there."""
    hints, by_name = get_type_hints(kind), {one.name: one for one in fields(kind)}
    return {
        # A key like "is" is a word of Python; its field is called is_.
        name.rstrip("_"): (
            name,
            hints[name],
            _default(by_name[name]) is MISSING or (kind, name) in NEEDED,
        )
        for name in ORDER.get(kind, by_name)
    }


@lru_cache(maxsize=128)
def _has_values(kind: Any) -> bool:
    """Whether a type is a value of the model, or has some inside; any other is a leaf."""
    if get_origin(kind) in (Union, UnionType):
        inner = [one for one in get_args(kind) if one is not NoneType]
        return len(inner) == 1 and _has_values(inner[0])
    if get_origin(kind) is tuple:
        return _has_values(get_args(kind)[0])
    return is_dataclass(kind)


def _default(one: Field[Any]) -> Any:
    return one.default_factory() if callable(one.default_factory) else one.default


# Writing ------------------------------------------------------------------------------------------


def tree_of(value: Any) -> Any:
    """A value as plain dicts, lists, texts and numbers; what has its default is left out."""
    if isinstance(value, Stage):
        rows = zip(value.totals, value.risks, strict=True)
        return [{"total": total, **tree_of(risk)} for total, risk in rows]
    if isinstance(value, Evidence):
        return tree_of(value.patterns)
    if isinstance(value, tuple):
        return [tree_of(item) for item in value]
    if is_dataclass(value):
        tree = {
            name: tree_of(getattr(value, name))
            for name, default in _written(value.__class__)
            if default is MISSING or getattr(value, name) != default
        }
        if isinstance(value, Question | Substitute) and value.label == value.input:
            del tree["label"]
        return tree
    return value


@lru_cache(maxsize=32)
def _written(kind: type) -> tuple[tuple[str, Any], ...]:
    """The fields in the order of the document, with the value at which they are left out."""
    by_name = {one.name: one for one in fields(kind)}
    always = WRITTEN_ALWAYS.get(kind, ())
    return tuple(
        (name, MISSING if name in always else by_name[name].default)
        for name in ORDER.get(kind, by_name)
    )


# Words of faults ----------------------------------------------------------------------------------

_AT = re.compile(r" - at `\$(.*)`$")
_EXPECTED = re.compile(r"Expected `(.*?)`(.*?), got `(.*)`")
_LENGTH = re.compile(r"Expected `array` of length (.*), got (.*)")
_NOT_AMONG = re.compile(r"Invalid enum value (.*)", re.DOTALL)

KINDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "a text",
    "bool": "true or false",
    "object": "a table of keys and values",
    "array": "a list",
    "null": "nothing (null)",
}


def join(place: str, inside: str) -> str:
    return (place + inside).lstrip(".") if inside else place


def one_line(text: str) -> str:
    """A fault on one line of bearable length; what cannot be printed is escaped."""
    printable = "".join(
        letter if letter.isprintable() else repr(letter)[1:-1] for letter in text[:LONGEST_FAULT]
    )
    return printable + ("…" if len(text) > LONGEST_FAULT else "")


def _read_complaint(complaint: str, kind: Any) -> tuple[str, str]:
    """Place and message of a msgspec error, in our words."""
    at = _AT.search(complaint)
    inside = at[1] if at else ""
    message = complaint[: at.start()] if at else complaint
    if expected := _EXPECTED.fullmatch(message):
        wanted, limits, came = expected.groups()
        return inside, f"expected {_in_words(wanted)}{limits}, but {_in_words(came)} came."
    if length := _LENGTH.fullmatch(message):
        return inside, f"expected a list of length {length[1]}, but one of {length[2]} came."
    if stranger := _NOT_AMONG.fullmatch(message):
        return inside, f"{stranger[1]} is not one of {', '.join(_choices(kind))}."
    return inside, message + "."


def _choices(kind: Any) -> list[str]:
    if get_origin(kind) is Literal:
        return [str(one) for one in get_args(kind)]
    return [choice for one in get_args(kind) for choice in _choices(one)]


def _in_words(kinds: str) -> str:
    names = [KINDS.get(kind, kind) for kind in kinds.split(" | ")]
    if "a whole number" in names and "a number" in names:
        names.remove("a whole number")
    return " or ".join(names)

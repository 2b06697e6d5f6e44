"""A JSON document read back: parsed, checked against the records, built with the model's own rules.

Each member is converted by itself, so that one reading finds as many faults as it can.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, NoReturn, Protocol, TypeVar

import msgspec

from scorecard.core.evidence import MAX_PATTERNS, Evidence
from scorecard.core.model import MAX_QUESTIONS, ScoringList, Stage
from scorecard.core.question import MAX_POINTS
from scorecard.documents.faults import EnoughFaultsError, Examined, Faults, UnreadableError
from scorecard.documents.json_writing import content_hash, short_hash
from scorecard.documents.records import (
    FORMAT,
    AboutRecord,
    Document,
    FiguresRecord,
    PatternRecord,
    QuestionRecord,
    RiskRecord,
)

MAX_TOTALS = MAX_QUESTIONS * MAX_POINTS + 1


def examine(text: str) -> Examined:
    """The list in a JSON document, or every fault in it."""
    found = Faults()
    try:
        return _read(_parse(text, found), found), found.found
    except EnoughFaultsError:
        return None, found.found


def _read(tree: Any, found: Faults) -> ScoringList | None:
    if not _has_our_format(tree, found) or found.found:
        return None
    scoring_list = _build(tree, found)
    if scoring_list is not None:
        _check_hash(tree.get("sha256"), scoring_list, found)
    return scoring_list


class _WithRepeatedKeys(dict[str, Any]):
    """A JSON object that had a key twice: Python would silently keep the last of them."""

    repeated: tuple[str, ...]


def _parse(text: str, found: Faults) -> Any:
    marked: list[_WithRepeatedKeys] = []

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        only = dict(pairs)
        if len(only) < len(pairs):
            seen = Counter(key for key, _ in pairs)
            marked.append(_WithRepeatedKeys(only))
            marked[-1].repeated = tuple(key for key, times in seen.items() if times > 1)
            return marked[-1]
        return only

    try:
        tree = json.loads(text, object_pairs_hook=members, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise UnreadableError(
            f"line {error.lineno}, column {error.colno}: this is not JSON ({error.msg})."
        ) from None
    except ValueError as error:  # a whole number of thousands of digits
        raise UnreadableError(f"it has a number that cannot be meant ({error}).") from None
    if marked:
        for place, key in _repeated_keys(tree):
            found.add(place, f"the key {key!r} occurs twice.")
    return tree


def _refuse_constant(constant: str) -> NoReturn:
    raise UnreadableError(f"{constant} is no number in JSON; a document has finite numbers only.")


def _repeated_keys(tree: Any, place: str = "") -> Iterator[tuple[str, str]]:
    if isinstance(tree, _WithRepeatedKeys):
        yield from ((place, key) for key in tree.repeated)
    if isinstance(tree, dict):
        for key, value in tree.items():
            yield from _repeated_keys(value, f"{place}.{key}".lstrip("."))
    elif isinstance(tree, list):
        for number, value in enumerate(tree):
            yield from _repeated_keys(value, f"{place}[{number}]")


def _has_our_format(tree: Any, found: Faults) -> bool:
    came = tree.get("format") if isinstance(tree, dict) else None
    if came == FORMAT:
        return True
    if isinstance(came, str) and re.fullmatch(r"scorecard/[0-9]{1,9}", came):
        found.add("format", f"{came!r} came, expected {FORMAT!r}: {_of_another_time(came)}")
    else:
        came_instead = "it is missing" if came is None else f"{came!r} came"
        found.add(
            "format",
            f"{came_instead}, expected {FORMAT!r}: this is no scoring list; give the file that"
            " scorecard fit or scorecard new has written.",
        )
    return False


def _of_another_time(came: str) -> str:
    if int(came.rpartition("/")[2]) > int(FORMAT.rpartition("/")[2]):
        return "a newer version wrote it; update with pip install --upgrade psl-scorecard."
    return "an older version wrote it; make the list again with scorecard fit."


def _build(tree: dict[str, Any], found: Faults) -> ScoringList | None:
    _check_keys(tree, found)
    found.convert(tree.get("sha256"), str | None, "sha256")
    about = _part(tree.get("about", {}), AboutRecord, "about", found)
    figures = _part(tree.get("figures", {}), FiguresRecord, "figures", found)
    questions = _parts(tree.get("questions", []), QuestionRecord, "questions", MAX_QUESTIONS, found)
    stages = _stages(tree.get("stages", []), found)
    evidence = _evidence(tree.get("evidence"), found)
    provenance = found.convert(
        tree.get("provenance", []), tuple[tuple[str, str], ...], "provenance"
    )
    if found.found:
        return None
    return found.build("", ScoringList, questions, stages, about, figures, evidence, provenance)


def _check_keys(tree: dict[str, Any], found: Faults) -> None:
    members = msgspec.structs.fields(Document)
    known = {"format", *(member.name for member in members)}
    for key in tree:
        if key not in known:
            found.add("", f"unknown key {key!r}; misspelt?")
    for member in members:
        if member.required and member.name not in tree:
            found.add("", f"the key {member.name!r} is missing.")


T_co = TypeVar("T_co", covariant=True)


class _HasValue(Protocol[T_co]):
    """A record that gives a value of the model."""

    def value(self) -> T_co: ...


def _part(tree: Any, kind: type[_HasValue[T_co]], place: str, found: Faults) -> T_co | None:
    record: _HasValue[T_co] | None = found.convert(tree, kind, place)
    return None if record is None else found.build(place, record.value)


def _parts(
    trees: Any, kind: type[_HasValue[T_co]], place: str, at_most: int, found: Faults
) -> list[T_co | None]:
    items = _items(trees, place, at_most, found)
    return [_part(tree, kind, f"{place}[{number}]", found) for number, tree in enumerate(items)]


def _items(trees: Any, place: str, at_most: int, found: Faults) -> list[Any]:
    """The items of a list, none if it is so long that looking at each would take for ever."""
    items: list[Any] = found.convert(trees, list, place) or []
    if len(items) > at_most:
        found.add(place, f"{len(items)} are too many; there can be at most {at_most}.")
        return []
    return items


def _stages(trees: Any, found: Faults) -> list[Stage | None]:
    items = _items(trees, "stages", MAX_QUESTIONS + 1, found)
    return [
        None if tree is None else _stage(tree, f"stages[{number}]", found)
        for number, tree in enumerate(items)
    ]


def _stage(trees: Any, place: str, found: Faults) -> Stage | None:
    before = len(found.found)
    risks = _parts(trees, RiskRecord, place, MAX_TOTALS, found)
    if len(found.found) > before:
        return None
    return found.build(place, Stage, [tree["total"] for tree in trees], risks)


def _evidence(trees: Any, found: Faults) -> Evidence | None:
    if trees is None:
        return None
    before = len(found.found)
    patterns = _parts(trees, PatternRecord, "evidence", MAX_PATTERNS, found)
    return None if len(found.found) > before else found.build("evidence", Evidence, patterns)


def _check_hash(came: str | None, scoring_list: ScoringList, found: Faults) -> None:
    if came is not None and came.lower() != content_hash(scoring_list):
        found.add(
            "sha256",
            "the document was changed after it was written: its content has the hash"
            f" {short_hash(scoring_list)}…, not {came[:8]}…; remove the sha256 member if the"
            " change is meant.",
        )

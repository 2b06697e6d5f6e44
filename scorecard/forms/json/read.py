"""Compare JSON member by member: a decision table, or the document of the list itself."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Set
from typing import Any

import msgspec

from scorecard.documents.json_document import (
    FIRST_FORMAT,
    FORMAT,
    content_hash,
    dumps,
    loads,
    strict_json,
)
from scorecard.errors import ScorecardError
from scorecard.forms.decision_table import FORMAT as TABLE_FORMAT
from scorecard.forms.decision_table import DecisionTable, decision_table, table_hash
from scorecard.forms.found import Found, UnusableError, Work
from scorecard.forms.origin import Origin, exported, names_in
from scorecard.forms.source_text import card_words

TABLES = "scorecard-decisions/"  # of whatever version: an older one is no list either
OF_ITSELF = frozenset({"sha256", "generator"})
# Beside what is decided: texts, how it was made, and what can be told from the rest.
WORDS = frozenset({"label", "note", "text", "remark", "words", "notes", "about", "names"})
WORDS |= {"language", "provenance", "model"}


def origin(content: bytes) -> Origin | None:
    tree = strict_json(content)
    if not isinstance(tree, dict):
        return None
    if tree.get("format") == TABLE_FORMAT:
        version = str(tree.get("generator", "")).removeprefix("scorecard ")
        model = str(tree.get("model", "")).removeprefix("sha256:")
        return exported("json", model, str(tree.get("language", "")), version)
    if tree.get("format") not in (FORMAT, FIRST_FORMAT):
        return None
    older = "" if tree["format"] == FORMAT else f"it has the older format {FIRST_FORMAT!r}"
    return Origin(
        str(tree.get("sha256", "")),
        "scorecard label MODEL --force",
        lambda work: dumps(work.staircase.scoring_list),
        older,
    )


def found(content: bytes, _right: bytes | None, work: Work) -> Found:
    tree = strict_json(content)
    if isinstance(tree, dict) and str(tree.get("format")).startswith(TABLES):
        try:
            table = msgspec.json.decode(content, type=DecisionTable)
        except msgspec.ValidationError as error:
            raise UnusableError(f"it is not a decision table: {error}") from None
        return Found(faults=table_faults(tree, work), names=names_in(table["model"].encode()))
    try:
        scoring_list = loads(content)
    except ScorecardError as error:
        raise UnusableError(str(error).removeprefix("document: ")) from None
    told, due = (json.loads(dumps(one)) for one in (scoring_list, work.staircase.scoring_list))
    first = next(_differences(told, due, _left_out(work)), "")
    faults = [f"it is another list: {first}"] if first else []
    return Found(faults=faults, names=frozenset({content_hash(scoring_list)}))


def table_faults(table: Mapping[str, Any], work: Work) -> list[str]:
    """Where a decision table, or part of one, differs from that of the staircase."""
    language = str(table.get("language", ""))
    try:
        words = card_words(work.staircase, language) if language else None
    except ScorecardError as error:
        return [f"language: {error}"]
    # All numbers as floats: another language may write a large one without its exponent.
    due = json.loads(json.dumps(decision_table(work.staircase, words)), parse_int=float)
    told = json.loads(json.dumps(table), parse_int=float)
    if "format" not in told:  # part of a table
        due = {key: value for key, value in due.items() if key in told}
    faults = list(_differences(told, due, _left_out(work)))
    if "sha256" in table and table["sha256"] != table_hash(table) and not work.decisions_only:
        faults = faults or ["sha256 is not that of the table"]
        faults[0] = f"it was changed by hand: {faults[0]}"
    return faults


def _left_out(work: Work) -> frozenset[str]:
    """What says something about the file itself; in what it decides, also what is beside that."""
    return OF_ITSELF | (WORDS if work.decisions_only else frozenset())


def _differences(found: Any, right: Any, left_out: Set[str], place: str = "") -> Iterator[str]:
    """Where two trees differ, as lines; members of these names do not count."""
    if isinstance(right, dict) and isinstance(found, dict):
        for key in dict.fromkeys([*right, *found]):
            if key not in left_out:
                inside = f"{place}.{key}".removeprefix(".")
                yield from _differences(found.get(key), right.get(key), left_out, inside)
    elif isinstance(right, list) and isinstance(found, list) and len(right) == len(found):
        for number, (one, other) in enumerate(zip(found, right, strict=True)):
            yield from _differences(one, other, left_out, f"{place}[{number}]")
    elif found != right:
        yield f"{place} is {found!r} instead of {right!r}"

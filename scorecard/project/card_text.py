"""A project as the text of a card.toml, which reads back as the same project."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from scorecard.documents.edit_text import toml
from scorecard.project.card import Project
from scorecard.project.recipe import ColumnChoice, Learning, Reading, Written

PAIRS = ("sign", "cost", "available")
PATHS = ("start", "validate", "logo", "template_dir")


def card_text(project: Project, here: Path) -> str:
    """What a file in the folder `here` says of it; what is as usual is left out."""
    recipe = project.recipe
    tables = [_seen_from(here, one) for one in recipe.tables]
    top = {
        "table": tables[0] if len(tables) == 1 else tables,
        "outcome": recipe.outcome,
        "positive": recipe.positive,
        **_said(recipe, Reading, here),
    }
    lines = [*_entries(top)]
    for name, values in (
        ("columns", _said(recipe, ColumnChoice, here)),
        ("learning", _said(recipe, Learning, here)),
        ("limits", _said(recipe.limits, type(recipe.limits), here)),
        ("make", _said(project.make, type(project.make), here)),
        ("look", _said(project.look, type(project.look), here)),
        ("report", _said(project.judging, type(project.judging), here)),
    ):
        lines += ["", f"[{name}]", *_entries(values)] if values else []
    return "\n".join([*lines, *_words(("words",), project.words)]) + "\n"


def _said(holder: Written, kind: type[Written], here: Path) -> dict[str, Any]:
    """The fields of this kind that somebody has said, as they are written."""
    told, usual, found = holder.told, kind(), {}
    for one in fields(kind):
        if one.name in told and told[one.name] != getattr(usual, one.name):
            value = told[one.name]
            if one.name in PAIRS:
                value = dict(value)
            elif one.name in PATHS:
                value = _seen_from(here, value)
            found[one.name] = value
    return found


def _seen_from(here: Path, path: str) -> str:
    """The path from a folder; on Windows none leads to another drive."""
    try:
        return Path(os.path.relpath(path, here)).as_posix()
    except ValueError:
        return Path(path).resolve().as_posix()


def _words(place: tuple[str, ...], words: Mapping[str, Any]) -> Iterator[str]:
    """A table and the tables in it; names may be anything, so they stand in quotes."""
    own = {key: one for key, one in words.items() if not isinstance(one, Mapping)}
    if own:
        yield from ("", f"[{'.'.join(map(_key, place))}]", *_entries(own))
    for key, one in words.items():
        if isinstance(one, Mapping):
            yield from _words((*place, key), one)


def _entries(values: Mapping[str, Any]) -> list[str]:
    return [f"{_key(key)} = {_value(one)}" for key, one in values.items() if one is not None]


def _value(one: Any) -> str:
    return "{ " + ", ".join(_entries(one)) + " }" if isinstance(one, dict) else toml(one)


def _key(name: str) -> str:
    is_bare = name.isascii() and name.replace("_", "").replace("-", "").isalnum()
    return name if is_bare else toml(name)

"""A language: how it writes numbers, and its words, from `templates/words/<code>.toml`.

A folder of templates of a user's own may have `words/` too: a file with the name of a built-in
language replaces single words of it, any other file is a new language, in English where it has no
word yet. Keys are looked up literally, so that a search for one finds where it is used.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from string import Formatter
from typing import Any

from scorecard.errors import ScorecardError
from scorecard.files import templates_folder, toml_values

FOLDER = "words"
FALLBACK = "en"
_PARTS = ("name", "decimal_mark", "words")


@dataclass(frozen=True, slots=True)
class Language:
    """How a language writes numbers, and its words."""

    code: str
    name: str
    decimal_mark: str
    words: Mapping[str, str]


def languages(template_dir: Path | None = None) -> tuple[str, ...]:
    """The codes of all languages there are, English first.

    Examples
    --------
    >>> languages()
    ('en', 'de', 'es', 'fr')
    """
    folders = [templates_folder()] + ([template_dir] if template_dir else [])
    codes = {file.stem for folder in folders for file in (folder / FOLDER).glob("*.toml")}
    return tuple(sorted(codes, key=lambda code: (code != FALLBACK, code)))


@lru_cache(maxsize=16)
def language_named(code: str, template_dir: Path | None = None) -> Language:
    """The language with this code, for instance `en` or `fr`.

    Examples
    --------
    >>> language_named("de").words["rule out"]
    'Ausschluss'
    """
    known = languages(template_dir)
    if code not in known:
        raise ScorecardError(
            f"{code!r} is not a language known here; expected one of {', '.join(known)}."
        )
    language = _built_in(code) if (_file(templates_folder(), code)).is_file() else None
    if template_dir is None or not _file(template_dir, code).is_file():
        assert language is not None  # it is known, so one of the two folders has it
        return language
    return _with_own(code, language or _built_in(FALLBACK), _file(template_dir, code))


def _file(folder: Path, code: str) -> Path:
    return folder / FOLDER / f"{code}.toml"


@lru_cache(maxsize=16)
def _built_in(code: str) -> Language:
    return Language(code, **tomllib.loads(_file(templates_folder(), code).read_text("utf-8")))


def _with_own(code: str, basis: Language, file: Path) -> Language:
    """The basis with the words of a user's own file in place of its own."""
    own = _read(file)
    words = own.get("words", {})
    for key, text in words.items():
        if key not in basis.words:
            raise ScorecardError(f"{str(file)!r} has the word {key!r}, which nothing asks for.")
        if not isinstance(text, str) or names_in(text) != names_in(basis.words[key]):
            expected = " and ".join(f"{{{name}}}" for name in sorted(names_in(basis.words[key])))
            raise ScorecardError(
                f"{str(file)!r} has {text!r} for {key!r}; expected a text with"
                f" {expected or 'nothing in braces'}."
            )
    return Language(
        code,
        str(own.get("name", basis.name)),
        str(own.get("decimal_mark", basis.decimal_mark)),
        {**basis.words, **words},
    )


def _read(file: Path) -> dict[str, Any]:
    try:
        own = toml_values(file.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ScorecardError(f"{str(file)!r} cannot be read as words: {error}.") from error
    if strange := sorted(own.keys() - set(_PARTS)):
        raise ScorecardError(
            f"{str(file)!r} has {strange[0]!r}; expected {', '.join(_PARTS)}, with the words below"
            " [words]."
        )
    return own


def names_in(text: str) -> set[str]:
    """The names a sentence has in braces."""
    try:
        return {name for _, name, _, _ in Formatter().parse(text) if name is not None}
    except ValueError:
        return {text}

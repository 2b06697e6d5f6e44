"""`card.toml`: one file that says from which table a list is learned, and what is made of it.

What it may say is what the commands can be told: a key is an option's name with _ for -, and its
value is checked by the option itself. So there is no second place that knows what may be said.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from scorecard.cli.card import card
from scorecard.cli.evaluate import evaluate
from scorecard.cli.fit import ABOUT_THE_TABLE, fit
from scorecard.cli.handout import handout
from scorecard.cli.label import READ_ALOUD
from scorecard.cli.options import POLICY_NAMES, SHARE
from scorecard.cli.output import typed
from scorecard.core.policy import StoppingPolicy
from scorecard.documents.toml_lines import line_of, lines_of
from scorecard.errors import ListError, PolicyError, ScorecardError, TableError, did_you_mean, few
from scorecard.files import read_bytes, toml_values
from scorecard.forms import exports
from scorecard.tables.labels import Labels, checked_labels
from scorecard.tables.read_table import is_table
from scorecard.words.language import language_named, languages

MAX_BYTES = 1_000_000
USUAL_FORMS = ("card-a6.pdf", "handout.html")

READING = ("outcome", "positive", "encoding", "decimal", "sheet")
NOT_SAID = {"output", "force", "labels", "tables", "models", "model", "out_dir", "kind", "quiet"}
NOT_SAID |= {"verbose", "language", "size", "alternatives"}


def _options(command: click.Command) -> dict[str, click.Option]:
    return {
        str(one.name): one
        for one in command.params
        if isinstance(one, click.Option) and one.name not in NOT_SAID
    }


def _table_options() -> set[str]:
    def nothing() -> None: ...

    for option in ABOUT_THE_TABLE:
        option(nothing)
    return {str(one.name) for one in nothing.__click_params__}  # type: ignore[attr-defined]


_FIT, _CARD, _HANDOUT = _options(fit), _options(card), _options(handout)
_EVALUATE = {
    name: one
    for name, one in _options(evaluate).items()
    if name not in {*_FIT, "validated", "recalibrated"}
}
_LIMITS = {name: _FIT[name] for name in POLICY_NAMES}
_TABLE = {name: one for name, one in _FIT.items() if name in _table_options()}
_LOOK = {
    name: one
    for name, one in {**_HANDOUT, **_CARD}.items()
    if name not in {*_LIMITS, "sheet", "title"}
}

SECTIONS: dict[str, dict[str, click.Option]] = {
    "": {name: one for name, one in _TABLE.items() if name in READING},
    "columns": {name: one for name, one in _TABLE.items() if name not in READING},
    "learning": {name: one for name, one in _FIT.items() if name not in {*_TABLE, *_LIMITS}},
    "limits": _LIMITS,
    "look": _LOOK,
    "report": {**_EVALUATE, "folds": _options(evaluate)["folds"]},
}
_SIDES, _KINDS = ("rule_out", "rule_in"), ("category", "number", "yes_no")
SWITCHES = {"orientation": ("landscape", "portrait")}  # options whose name is their value
MAKE = ("folder", "languages", "forms", "check_table")
TOP = ("table", *SECTIONS[""], *(name for name in SECTIONS if name), "words", "make")


@dataclass(frozen=True)
class Form:
    """One kind of file that can be made: the command, what tells it the kind, and how it ends."""

    command: str
    told: tuple[str, ...] = ()
    spoken: bool = True


def forms() -> dict[str, Form]:
    """What can be made, by the name of its file."""
    from scorecard.forms.card.sizes import PATH_SIZES, SIZES

    found = {}
    for ending in ("pdf", "html", "png"):
        for size in SIZES:
            name = f"card-{size.removesuffix('-card')}.{ending}"
            found[name] = Form("card", ("--size", size))
        for sheet in ("a4", "letter"):
            found[f"sheet-{sheet}.{ending}"] = Form("card", ("--sheet", sheet))
    for ending in ("pdf", "png"):
        for size in PATH_SIZES:
            found[f"path-{size}.{ending}"] = Form("card", ("--layout", "path", "--size", size))
    found |= {f"handout.{ending}": Form("handout") for ending in ("html", "pdf")}
    found |= {form.usual: Form("export", ("--to", form.name), spoken=False) for form in exports()}
    found |= {f"report.{ending}": Form("evaluate", (), False) for ending in ("html", "pdf", "json")}
    return found


@dataclass(frozen=True)
class CardFile:
    """What a card.toml says, all of it understood; `told` has the options of each section."""

    path: Path
    tables: tuple[str, ...]
    told: Mapping[str, Mapping[str, Any]]
    words: Mapping[str, Any]
    spoken: Mapping[str, Mapping[str, Any]]  # words of single languages
    folder: str
    languages: tuple[str, ...]
    forms: tuple[str, ...]
    check_table: bool = False

    def paths_in(self, section: str) -> dict[str, str]:
        """The files and folders that are named in a section, by their key."""
        given, options = self.told[section], SECTIONS[section]
        return {key: given[key] for key in given if isinstance(options[key].type, click.Path)}

    @property
    def labels(self) -> Labels:
        return checked_labels(self.words, "words.")

    def untranslated(self, asked: Sequence[str]) -> Iterator[str]:
        """For each language that shares words with one before it, a line that names them."""
        of_all = _read_aloud(self.words, asked)
        lacking: list[set[str]] = []
        for code in self.languages:
            lacks = {*of_all}.difference(_read_aloud(self.spoken.get(code, {}), asked))
            names = [one for one in of_all if any(one in others & lacks for others in lacking)]
            lacking.append(lacks)
            if names:
                yield (
                    f"files in {language_named(code).name} have the words of [words] for"
                    f" {few(names, 15)}; write them in this language below [words.{code}]."
                )


def _read_aloud(words: Mapping[str, Any], asked: Sequence[str]) -> list[str]:
    """Which words are there that a reader has to understand, and for which of these inputs."""
    inputs = {name: words.get("inputs", {}).get(name, {}) for name in asked}
    named = [repr(name) for name, one in inputs.items() if one.get("label") or one.get("note")]
    return [*(key for key in READ_ALOUD if words.get(key)), *named]


class _Reader:
    """Reads one file; whatever is wrong is one line with the file and the line in it."""

    def __init__(self, path: Path) -> None:
        self.name = path.name
        if is_table(path):
            raise ScorecardError(
                f"{self.name}: this is a table, not what is to be made of it; write a card.toml"
                f" with: {typed('scorecard', 'new', path)}"
            )
        try:
            self.text = read_bytes(path, MAX_BYTES).decode("utf-8-sig")
            is_list = self.text.lstrip().startswith("{")  # in JSON
            self.tree: dict[str, Any] = {} if is_list else toml_values(self.text)
        except UnicodeDecodeError:
            raise ScorecardError(f"{self.name}: the text is not UTF-8; save it as UTF-8.") from None
        except ValueError as error:
            raise ScorecardError(f"{self.name}: {error}") from None
        self._lines = lines_of(self.text)
        if is_list or "questions" in self.tree:
            raise ScorecardError(
                f'{self.name}: this is a list, not a card.toml; say start = "{self.name}" below'
                " [learning] in a card.toml, and build that. A finished list is printed with:"
                f" {typed('scorecard', 'card', path)}"
            )

    def fail(self, place: str, message: str) -> ScorecardError:
        line = line_of(self._lines, place)
        at = f", line {line}" if line else ""
        return ScorecardError(f"{self.name}{at}: {place} {message}")

    def known(self, place: str, given: Mapping[str, Any], names: Sequence[str]) -> None:
        for key in given:
            if key not in names:
                hint = did_you_mean(key, names, f"expected {few(names, 15)}.")
                raise self.fail(f"{place}{key}", f"is not known; {hint}")

    def table(self, name: str) -> dict[str, Any]:
        found = self.tree.get(name, {})
        if not isinstance(found, dict):
            raise self.fail(
                name, f"is {found!r}, expected a table: write [{name}] on its own line."
            )
        return found

    def texts(self, place: str, value: Any) -> tuple[str, ...]:
        values = [value] if isinstance(value, str) else value
        if not isinstance(values, list) or not all(isinstance(one, str) for one in values):
            raise self.fail(place, f"is {value!r}, expected text in quotes, or a list of such.")
        return tuple(values)

    def option(self, place: str, option: click.Option, value: Any) -> Any:
        """The value if the option takes it, as it is to be typed."""
        if option.is_flag and isinstance(option.flag_value, str):
            if value not in SWITCHES[str(option.name)]:
                expected = " or ".join(map(repr, SWITCHES[str(option.name)]))
                raise self.fail(place, f"is {value!r}, expected {expected}.")
            return value
        if option.is_flag:
            if not isinstance(value, bool):
                raise self.fail(place, f"is {value!r}, expected true or false.")
            return value
        values = value if option.multiple and isinstance(value, list) else [value]
        for one in values:
            if isinstance(one, bool) or not isinstance(one, (str, int, float)):
                expected = "a list of texts" if option.multiple else "one text or number"
                raise self.fail(place, f"is {value!r}, expected {expected}.")
            try:
                option.type.convert(str(one), option, None)
            except click.BadParameter as error:
                raise self.fail(place, f"is {one!r}: {error.message}") from None
        return tuple(map(str, values)) if option.multiple else str(value)


def read_card_file(path: Path) -> CardFile:
    """What a card.toml says; a mistake is refused with its line and what was expected there."""
    reader = _Reader(path)
    reader.known("", reader.tree, TOP)
    if "table" not in reader.tree:
        raise reader.fail(
            "table", 'is missing; write the file with the cases, table = "cases.csv".'
        )
    if "outcome" not in reader.tree:
        raise reader.fail("outcome", "is missing; write the column to predict.")
    tables = reader.texts("table", reader.tree["table"])
    told = {section: dict(_told(reader, section)) for section in SECTIONS}
    words, spoken = _words(reader)
    if "positive" in told[""]:
        labels, said = checked_labels(words, "words."), told[""]
        said["positive"] = labels.value_called(said["outcome"], said["positive"])
    make = reader.table("make")
    reader.known("make.", make, MAKE)
    made = CardFile(
        path,
        tables,
        told,
        words,
        spoken,
        *_make(reader, make),
    )
    _check_files(reader, made)
    return made


def _told(reader: _Reader, section: str) -> Iterator[tuple[str, Any]]:
    options = SECTIONS[section]
    if not section:
        given = {key: value for key, value in reader.tree.items() if key in options}
    else:
        given = reader.table(section)
        reader.known(f"{section}.", given, list(options))
    for key, value in given.items():
        place = f"{section}.{key}".lstrip(".")
        yield key, reader.option(place, options[key], value)


def _words(reader: _Reader) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """The words for all languages, and those of single ones."""
    words = dict(reader.table("words"))
    spoken = {key: words.pop(key) for key in languages() if isinstance(words.get(key), dict)}
    for place, part in (
        ("words.", words),
        *((f"words.{key}.", one) for key, one in spoken.items()),
    ):
        try:
            checked_labels(part, place)
        except TableError as error:
            where, _, message = str(error).partition(" ")
            raise reader.fail(where, message) from None
    return words, spoken


def _make(
    reader: _Reader, make: Mapping[str, Any]
) -> tuple[str, tuple[str, ...], tuple[str, ...], bool]:
    folder = make.get("folder", "output")
    if not isinstance(folder, str) or not folder.strip():
        raise reader.fail("make.folder", f"is {folder!r}, expected the name of a folder.")
    spoken = reader.texts("make.languages", make.get("languages", ["en"]))
    if not spoken:
        raise reader.fail("make.languages", f"is empty, expected some of {few(list(languages()))}.")
    wanted = reader.texts("make.forms", make.get("forms", list(USUAL_FORMS)))
    known = forms()
    for place, values, names in (
        ("make.languages", spoken, list(languages())),
        ("make.forms", wanted, list(known)),
    ):
        for number, one in enumerate(values):
            if one not in names:
                hint = did_you_mean(one, names, f"expected some of {few(names, 15)}")
                raise reader.fail(place, f"has {one!r}; {hint}")
            if one in values[:number]:
                raise reader.fail(place, f"has {one!r} twice.")
    check_table = make.get("check_table", False)
    if not isinstance(check_table, bool):
        raise reader.fail("make.check_table", f"is {check_table!r}, expected true or false.")
    return folder, spoken, wanted, check_table


def _check_files(reader: _Reader, made: CardFile) -> None:
    """Files that are named have to be there before anything is made."""
    for number, table in enumerate(made.tables):
        if not (made.path.parent / table).is_file():
            raise reader.fail("table", f"is {made.tables[number]!r}, but there is no such file.")
    _check_inputs(reader, made)
    _check_limits(reader, made)
    for section in made.told:
        for key, value in made.paths_in(section).items():
            if not (made.path.parent / value).exists():
                raise reader.fail(f"{section}.{key}", f"is {value!r}, but it is not there.")
    if made.check_table and len(made.tables) > 1:
        raise reader.fail("make.check_table", "works with one table only; leave it out.")
    if (made.path.parent / made.folder).is_file():
        raise reader.fail("make.folder", f"is {made.folder!r}, which is a file; name a folder.")


def _check_limits(reader: _Reader, made: CardFile) -> None:
    """Limits that do not fit are refused before anything is learned."""
    given = made.told["limits"]
    sides = [SHARE.convert(given[key], None, None) for key in _SIDES if key in given]
    if len(sides) == len(_SIDES):
        try:
            StoppingPolicy(rule_out=sides[0], rule_in=sides[1])
        except PolicyError as error:
            raise reader.fail("limits", f"cannot be kept: {error}") from None


def _check_inputs(reader: _Reader, made: CardFile) -> None:
    """Columns that are named are those of the table."""
    from scorecard.core.given_question import given_question
    from scorecard.tables.read_table import open_table

    reading = {name: made.told[""][name] for name in ("encoding", "sheet") if name in made.told[""]}
    names = open_table([str(made.path.parent / one) for one in made.tables], **reading).names
    if made.told[""]["outcome"] not in names:
        hint = did_you_mean(made.told[""]["outcome"], names)
        raise reader.fail("outcome", f"is {made.told['']['outcome']!r}, which is no column; {hint}")
    _check_columns(reader, made.told["columns"], names)
    for one in made.told["learning"].get("ask", ()):
        try:
            given_question(one, names)
        except ListError as error:
            raise reader.fail("learning.ask", f"is wrong: {error}") from None
    for place, words in (
        ("words", made.words),
        *((f"words.{k}", v) for k, v in made.spoken.items()),
    ):
        reader.known(f"{place}.inputs.", words.get("inputs", {}), names)


def _check_columns(reader: _Reader, told: Mapping[str, Any], names: Sequence[str]) -> None:
    kinds: dict[str, str] = {}
    for key in (*_KINDS, "drop", "only", "keep", "group"):
        given = told.get(key, ())
        for one in (given,) if isinstance(given, str) else given:
            several = one not in names and "," in one
            columns = [part.strip() for part in one.split(",")] if several else [one]
            for name in columns if not one.startswith("@") else ():
                if name not in names:
                    hint = did_you_mean(name, names)
                    raise reader.fail(f"columns.{key}", f"has {name!r}, which is no column; {hint}")
                if key in _KINDS and kinds.setdefault(name, key) != key:
                    raise reader.fail(
                        f"columns.{key}", f"has {name!r}, which is in {kinds[name]} as well."
                    )


def typed_options(section: str, given: Mapping[str, Any], base: Path) -> Iterator[str]:
    """The options of a section as one types them; paths are those seen from here."""
    for key, value in sorted(given.items()):
        option = SECTIONS[section][key]
        if key in SWITCHES:
            yield f"--{value}"
            continue
        if option.is_flag:
            names = option.opts if value else option.secondary_opts
            yield from names[:1]
            continue
        for one in value if isinstance(value, tuple) else (value,):
            path = isinstance(option.type, click.Path)
            yield option.opts[0]
            yield str(base / one) if path else one

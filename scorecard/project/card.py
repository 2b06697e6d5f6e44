"""A card.toml as a value: from which table a list is learned, and what is made of it.

A mistake is refused with its line and what was expected there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from scorecard.core.policy import StoppingPolicy
from scorecard.documents.toml_list import StartList, located
from scorecard.documents.values import Faults, value_of
from scorecard.errors import ListError, PolicyError, ScorecardError, TableError, did_you_mean, few
from scorecard.files import read_toml
from scorecard.forms import exports
from scorecard.forms.card.sizes import PATH_SIZES, SIZES
from scorecard.project import READ_ALOUD
from scorecard.project.recipe import (
    KINDS,
    ColumnChoice,
    Judging,
    Learning,
    Limits,
    Opened,
    Reading,
    Recipe,
    Written,
    asked,
)
from scorecard.tables.labels import Labels, checked_labels, words_of
from scorecard.words.language import language_named, languages

if TYPE_CHECKING:
    from scorecard.tables.source import Source

MAX_BYTES = 1_000_000
USUAL_FORMS = ("card-a6.pdf", "handout.html")


@dataclass(frozen=True, kw_only=True)
class Look(Written):
    """What cards and handouts have beside the list."""

    orientation: Literal["landscape", "portrait"] | None = None
    greyscale: bool = False
    template_dir: str | None = None
    subtitle: str = ""
    audience: str = ""
    warnings: Any = ()
    logo: str | None = None
    qr: str | None = None
    ticks: bool = False
    paper: Literal["a4", "letter"] = "a4"
    not_for: str = ""

    def of(self, command: str) -> dict[str, Any]:
        """What a card, or a handout, is told."""
        own = {"card": ("orientation", "greyscale", "qr", "ticks"), "handout": ("paper", "not_for")}
        others = {name for names in own.values() for name in names} - {*own[command]}
        return {name: value for name, value in self.told.items() if name not in others}


@dataclass(frozen=True, kw_only=True)
class Make(Written):
    """What is made, and where."""

    folder: str = "output"
    languages: Any = ("en",)
    forms: Any = USUAL_FORMS
    check_table: bool = False

    def __post_init__(self) -> None:
        Written.__post_init__(self)
        if not self.folder.strip():
            raise ListError(f"folder: {self.folder!r} came, expected the name of a folder.")
        for name, known in (("languages", languages()), ("forms", tuple(file_kinds()))):
            given = getattr(self, name)
            if not given and name == "languages":
                raise ListError(f"{name}: it is empty, expected some of {few(known)}.")
            for number, one in enumerate(given):
                if one not in known:
                    hint = did_you_mean(one, known, f"expected some of {few(known, 15)}")
                    raise ListError(f"{name}: it has {one!r}; {hint}")
                if one in given[:number]:
                    raise ListError(f"{name}: it has {one!r} twice.")


@dataclass(frozen=True, kw_only=True)
class CardFile(Reading):
    """The tables and keys of a card.toml."""

    table: str | list[str]
    outcome: str
    positive: str | None = None
    columns: ColumnChoice = field(default_factory=ColumnChoice)
    learning: Learning = field(default_factory=Learning)
    limits: Limits = field(default_factory=Limits)
    look: Look = field(default_factory=Look)
    report: Judging = field(default_factory=Judging)
    words: dict[str, Any] = field(default_factory=dict)
    make: Make = field(default_factory=Make)


@dataclass(frozen=True)
class FileKind:
    """One kind of file that can be made: by what, what tells it the kind, whether it has words."""

    command: Literal["card", "handout", "export", "report"]
    told: Mapping[str, str] = field(default_factory=dict)
    spoken: bool = True


def file_kinds() -> dict[str, FileKind]:
    """What can be made, by the name of its file."""
    found = {}
    for ending in ("pdf", "html", "png"):
        for size in SIZES:
            found[f"card-{size.removesuffix('-card')}.{ending}"] = FileKind("card", {"size": size})
        for sheet in ("a4", "letter"):
            found[f"sheet-{sheet}.{ending}"] = FileKind("card", {"sheet": sheet})
    for ending in ("pdf", "png"):
        for size in PATH_SIZES:
            found[f"path-{size}.{ending}"] = FileKind("card", {"layout": "path", "size": size})
    for ending in ("html", "pdf"):
        found[f"handout.{ending}"] = FileKind("handout")
        found[f"patient.{ending}"] = FileKind("handout", {"reader": "patient"})
    found |= {form.usual: FileKind("export", {"to": form.name}, spoken=False) for form in exports()}
    found |= {
        f"report.{ending}": FileKind("report", {}, False) for ending in ("html", "pdf", "json")
    }
    return found


@dataclass(frozen=True)
class Project:
    """What a card.toml says, all of it understood; its files are seen from its folder."""

    path: Path
    recipe: Recipe
    judging: Judging
    look: Look
    make: Make
    words: dict[str, Any]

    @property
    def folder(self) -> Path:
        return self.path.parent / self.make.folder

    @property
    def to_learn(self) -> Recipe:
        """How the list is learned that then gets its words and limits."""
        labels, recipe = self.labels(), self.recipe
        kinds: dict[str, Any] = {
            key: (
                *getattr(recipe, key),
                *sorted(n for n, one in labels.kinds.items() if one == kind),
            )
            for key, kind in KINDS.items()
        }
        return replace(
            recipe,
            **kinds,
            limits=recipe.learning_limits,
            labels=None,
        )

    @property
    def spoken(self) -> dict[str, Mapping[str, Any]]:
        """The words of single languages."""
        return {
            key: one for key, one in self.words.items() if key in languages() and _is_words(one)
        }

    def labels(self, language: str | None = None) -> Labels:
        """The words for all languages, and above them those of one."""
        return replace(checked_labels(words_of(self.words, language), "words."), of_a_table=True)

    def untranslated(self, asked: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
        """Each language that shares words with one before it, and these words."""
        of_all = _read_aloud(words_of(self.words, None), asked)
        lacking: list[set[str]] = []
        for code in self.make.languages:
            lacks = {*of_all}.difference(_read_aloud(self.spoken.get(code, {}), asked))
            names = [one for one in of_all if any(one in others & lacks for others in lacking)]
            lacking.append(lacks)
            if names:
                yield language_named(code).name, names


def _is_words(one: Any) -> bool:
    return isinstance(one, dict)


def _read_aloud(words: Mapping[str, Any], asked: Sequence[str]) -> list[str]:
    """Which words are there that a reader has to understand, and for which of these inputs."""
    inputs = {name: words.get("inputs", {}).get(name, {}) for name in asked}
    named = [repr(name) for name, one in inputs.items() if one.get("label") or one.get("note")]
    return [*(key for key in READ_ALOUD if words.get(key)), *named]


# Reading ------------------------------------------------------------------------------------------


def read_project(path: Path) -> Project:
    """What a card.toml says; its tables are not looked at yet (see `check_columns`)."""
    from scorecard.tables.read_table import is_table

    name = path.name
    if is_table(path):
        raise ScorecardError(
            f"{name}: this is a table, not what is to be made of it; write a card.toml with:"
            f" scorecard new {path}"
        )
    text, tree = read_toml(path, MAX_BYTES)
    if "questions" in tree or text.lstrip().startswith("{"):
        raise ScorecardError(
            f'{name}: this is a list, not a card.toml; say start = "{name}" below [learning] in a'
            f" card.toml, and build that. A finished list is printed with: scorecard card {path}"
        )
    found = Faults()
    card: CardFile | None = value_of(tree, CardFile, "", found)
    if card is None or found.found:
        raise ScorecardError(located(name, text, found.found[0]))
    made = _project(path, card)
    for fault in _faults(made, card):
        raise ScorecardError(located(name, text, fault))
    return made


def _project(path: Path, card: CardFile) -> Project:
    here = path.parent

    def seen(value: Any, *names: str) -> Any:
        """The same with paths as they are seen from where the program runs."""
        paths = {name: str(here / getattr(value, name)) for name in names if getattr(value, name)}
        return replace(value, **paths)

    tables = [card.table] if isinstance(card.table, str) else card.table
    learning = seen(card.learning, "start", "validate")
    parts = {
        one.name: getattr(part, one.name)
        for part in (card.columns, learning)
        for one in fields(part)
    }
    parts |= {one.name: getattr(card, one.name) for one in fields(Reading)}
    recipe = Recipe(
        tables=tuple(str(here / one) for one in tables),
        outcome=card.outcome,
        positive=card.positive,
        limits=card.limits,
        labels=str(path) if card.words else None,
        **parts,
    )
    look = seen(card.look, "logo", "template_dir")
    return Project(path, recipe, card.report, look, card.make, card.words)


def _faults(made: Project, card: CardFile) -> Iterator[str]:
    """What cannot be, each with its place: words, limits, and files that are not there."""
    try:
        _check_words(made)
    except TableError as error:
        yield str(error)
    try:
        StoppingPolicy(**card.limits.told)
    except PolicyError as error:
        yield f"limits cannot be kept: {error}"
    for table, given in zip(made.recipe.tables, _listed(card.table), strict=True):
        if not Path(table).is_file():
            yield f"table is {given!r}, but there is no such file."
    for section, value, names in (
        ("learning", card.learning, ("start", "validate")),
        ("look", card.look, ("logo", "template_dir")),
    ):
        for name in names:
            given = getattr(value, name)
            if given and not (made.path.parent / given).exists():
                yield f"{section}.{name} is {given!r}, but it is not there."
    if made.make.check_table and len(made.recipe.tables) > 1:
        yield "make.check_table works with one table only; leave it out."
    if made.folder.is_file():
        yield f"make.folder is {made.make.folder!r}, which is a file; name a folder."


def _listed(one: str | list[str]) -> list[str]:
    return [one] if isinstance(one, str) else one


def _check_words(made: Project, columns: Sequence[str] | None = None) -> None:
    checked_labels(words_of(made.words, None), "words.", columns)
    for key, own in made.spoken.items():
        checked_labels(own, f"words.{key}.", columns)


def check_columns(made: Project, source: Source) -> None:
    """Refuse columns that the table does not have, with the line that names them."""
    from scorecard.tables.cases import chosen_columns

    recipe = made.recipe
    told = Opened(recipe, source, Labels(), StartList(()))
    try:
        chosen_columns(source, told.outcome, recipe.drop, recipe.only, recipe.group)
        _ = told.kinds, told.kept
        asked(recipe, list(source.names))
        _check_words(made, source.names)
    except ScorecardError as error:
        text, _ = read_toml(made.path, MAX_BYTES)
        raise ScorecardError(located(made.path.name, text, str(error))) from None

"""What a card.toml asks for, made by parts: only what depends on a change is made again.

Whether anything has changed is seen from hashes alone, before anything else is loaded.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scorecard import __version__
from scorecard.files import toml_values

if TYPE_CHECKING:
    from scorecard.core.model import ScoringList
    from scorecard.forms.card.make import PrintedFile
    from scorecard.forms.check import Verdict
    from scorecard.project.card import FileKind, Project
    from scorecard.project.learn import Fitted
    from scorecard.project.recipe import Opened
    from scorecard.tables.suspicions import Doubt

HIDDEN = ".build"
LEARNED, RECORD = f"{HIDDEN}/learned.json", f"{HIDDEN}/record.json"
RECORD_FORMAT = "scorecard-build/2"


def digest(path: Path) -> str:
    """Of the content of a file, or of all files in a folder; empty if there is nothing."""
    if path.is_dir():
        inside = sorted(one for one in path.rglob("*") if one.is_file())
        return _hash(*(f"{one.relative_to(path)}\0{digest(one)}\n" for one in inside))
    if not path.is_file():
        return ""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _hash(*facts: Any) -> str:
    text = json.dumps([__version__, *facts], sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


# What was made last time --------------------------------------------------------------------------


@dataclass
class Record:
    """What was made last time, from what: kept beside it, so that it need not be made again.

    `read` has the hash of every file that the result depends on and nobody here makes, `made` for
    every file the hash of what it was made from and its own.
    """

    folder: Path
    read: dict[str, str] = field(default_factory=dict)
    made: dict[str, list[str]] = field(default_factory=dict)
    version: str = __version__

    @classmethod
    def of(cls, folder: Path) -> Record:
        try:
            found = json.loads((folder / RECORD).read_text(encoding="utf-8"))
            known = found.pop("format") == RECORD_FORMAT and found["version"] == __version__
            sound = all(isinstance(found[one], dict) for one in ("read", "made"))
            if known and sound and all(len(pair) == 2 for pair in found["made"].values()):
                return cls(folder, **found)
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            pass  # there is none, or somebody has changed it: all is made again
        return cls(folder)

    def knows(self, name: str) -> bool:
        """Whether a file is as it was made."""
        return self.made.get(name, ["", ""])[1] == digest(self.folder / name)

    def is_made(self, name: str, key: str) -> bool:
        return self.made.get(name) == [key, digest(self.folder / name)]

    def keep(self, name: str, key: str) -> None:
        self.made[name] = [key, digest(self.folder / name)]
        self.write()

    def write(self) -> None:
        from scorecard.files import write_text

        content = {"format": RECORD_FORMAT, **asdict(replace(self, folder=Path()))}
        del content["folder"]
        write_text(self.folder / RECORD, json.dumps(content, indent=2) + "\n")


def unchanged(card_toml: Path) -> Record | None:
    """The record of a build of which nothing has changed, seen from hashes alone."""
    try:
        said = toml_values(card_toml.read_text(encoding="utf-8-sig"))
        record = Record.of(card_toml.parent / said.get("make", {}).get("folder", "output"))
        same = all(digest(card_toml.parent / name) == one for name, one in record.read.items())
        made = same and all(record.knows(name) for name in record.made)
    except (OSError, ValueError, TypeError, AttributeError):  # whoever reads it will complain
        return None
    return record if made and card_toml.name in record.read else None


# Making it ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Part:
    """A file, what it is, and whether it was made anew; what has to be said about it.

    `missing`: why it could not be made, while everything else can.
    """

    file: Path
    about: str
    made: bool = False
    notes: tuple[str, ...] = ()
    fitted: Fitted | None = None
    missing: str = ""


@dataclass
class Building:
    """Makes what a project asks for; `doubt` and a `bar` for each long work are told of it."""

    project: Project
    record: Record
    force: bool = False
    doubt: Callable[[Doubt], None] | None = None
    bar: Callable[[str], AbstractContextManager[Any]] = lambda _: nullcontext()
    lists: dict[str, ScoringList] = field(default_factory=dict)
    missing: set[str] = field(default_factory=set)

    @cached_property
    def opened(self) -> Opened:
        """The table, looked at once; columns that it does not have are refused."""
        from scorecard.project.card import check_columns
        from scorecard.project.recipe import opened
        from scorecard.tables.labels import Labels
        from scorecard.tables.read_table import open_table

        recipe = self.project.to_learn
        source = open_table(recipe.tables, **recipe.reading)
        check_columns(self.project, source)
        return opened(recipe, Labels(), source)

    @property
    def read(self) -> list[Path]:
        """Every file that the result depends on and nobody here makes."""
        recipe, look = self.project.recipe, self.project.look
        named = (*recipe.tables, recipe.start, recipe.validate, look.logo, look.template_dir)
        return [self.project.path, *(Path(one) for one in named if one)]

    def names(self) -> list[str]:
        """The files that are made, those that are shown in the order in which they are."""
        return [LEARNED, *dict.fromkeys(self._models().values()), *(n for n, _, _ in self._files())]

    def parts(self) -> Iterator[Part]:
        """Make what is not up to date, one by one."""
        _ = self.opened
        self.record.read = {}
        self._remove_old_reports()
        yield self._learn()
        for language, name in self._models().items():
            if name not in self.lists:
                yield self._words(language, name)
        for name, form, language in self._files():
            yield (
                self._report(name) if form.command == "report" else self._form(name, form, language)
            )

    def _learning(self) -> str:
        """What the learned list depends on."""
        recipe = self.project.to_learn
        files = {
            name: [(Path(one).name, digest(Path(one))) for one in given]
            for name, given in (
                ("tables", recipe.tables),
                ("start", filter(None, [recipe.start])),
                ("validate", filter(None, [recipe.validate])),
            )
        }
        return _hash({**recipe.told, "limits": recipe.limits.told, **files})

    def _judging(self) -> str:
        """What a report depends on: how lists are learned and judged, their limits and words."""
        said = self.project
        return _hash(self._learning(), asdict(said.judging), said.recipe.limits.told, said.words)

    def _remove_old_reports(self) -> None:
        """Reports of another list, asked for or not, before anything of this one is beside them."""
        from scorecard.project.card import file_kinds

        for name in [one for one in self.record.made if one in file_kinds()]:
            is_old = self.record.made[name][0] != self._judging()
            if file_kinds()[name].command == "report" and is_old and self.record.knows(name):
                (self.record.folder / name).unlink(missing_ok=True)
                del self.record.made[name]

    def _learn(self) -> Part:
        from scorecard.documents.json_document import write_list
        from scorecard.project.learn import learn

        key, file = self._learning(), self.record.folder / LEARNED
        if self.record.is_made(LEARNED, key):
            return Part(file, "learned from the table")
        with self.bar("Searching") as progress:
            fitted = learn(self.opened, progress=progress, doubt=self.doubt)
        self._learned = fitted.scoring_list
        write_list(fitted.scoring_list, file)
        self.record.keep(LEARNED, key)
        return Part(file, "learned from the table", True, fitted=fitted)

    @cached_property
    def _learned(self) -> ScoringList:
        from scorecard.documents.json_document import read_list

        return read_list(self.record.folder / LEARNED)

    def _models(self) -> dict[str, str]:
        """The file of the list in each language; languages without words of their own share one."""
        spoken, (first, *others) = self.project.spoken, self.project.make.languages
        shared = not spoken.get(first)
        models = {first: "model.json"}
        for one in others:
            own = spoken.get(one) or not shared
            models[one] = f"model-{one}.json" if own else "model.json"
        return models

    def _words(self, language: str, name: str) -> Part:
        """The list with the words of a language and the limits."""
        from scorecard.documents.json_document import read_list, write_list

        file, limits = self.record.folder / name, self.project.recipe.limits.told
        labels = self.project.labels(language)
        key = _hash(digest(self.record.folder / LEARNED), limits, asdict(labels))
        about = "the list" if name == "model.json" else f"the list, {language}"
        if self.record.is_made(name, key):
            self.lists[name] = read_list(file)
            return Part(file, about)
        notes = tuple(labels.doubts_about(self._learned))
        self.lists[name] = with_limits(labels.put_on(self._learned), limits)
        write_list(self.lists[name], file)
        self.record.keep(name, key)
        return Part(file, about, True, notes)

    def _files(self) -> Iterator[tuple[str, FileKind, str]]:
        """Every file that is asked for, with its form and its language."""
        from scorecard.project.card import file_kinds

        known, languages = file_kinds(), self.project.make.languages
        for name in self.project.make.forms:
            stem, dot, ending = name.rpartition(".")
            for number, language in enumerate(languages if known[name].spoken else languages[:1]):
                own = f"{stem}-{language}{dot}{ending}" if number else name
                yield own, known[name], language

    def _form(self, name: str, form: FileKind, language: str) -> Part:
        from scorecard.files import write_bytes
        from scorecard.printing.refusals import NoPangoError

        model, look = self._models()[language], self.project.look
        about = f"{form.command}, {language}" if form.spoken else form.command
        told = {**form.told, **(look.of(form.command) if form.spoken else {}), "language": language}
        files = [digest(Path(one)) for one in (look.logo, look.template_dir) if one]
        key = _hash(digest(self.record.folder / model), form.command, told, files)
        file = self.record.folder / name
        if self.record.is_made(name, key):
            return Part(file, about)
        try:
            content, notes = made(self.lists[model], form.command, file.suffix[1:], told)
        except NoPangoError as lacking:
            self.missing.add(name)
            return Part(file, about, missing=str(lacking))
        write_bytes(file, content)
        self.record.keep(name, key)
        return Part(file, about, True, notes)

    def _report(self, name: str) -> Part:
        """How good lists are that are learned so, under the limits."""
        from scorecard.files import write_bytes

        key = self._judging()
        file = self.record.folder / name
        if self.record.is_made(name, key):
            return Part(file, "report")
        from scorecard.api import make_report
        from scorecard.project.learn import judged

        recipe, labels = self.opened.recipe, self.project.labels()
        recipe = replace(recipe.only_learning, limits=self.project.recipe.limits)
        # What words say about costs would weigh questions here, where the list was not weighed.
        weighs = any({"cost", "available", "panel"} & one.keys() for one in labels.inputs.values())
        task = replace(self.opened, recipe=recipe)
        task = task if weighs else replace(task, labels=labels)
        with self.bar("Judging") as progress:
            found = judged(task, self.project.judging, progress=progress)
        write_bytes(file, make_report(found, file.suffix[1:]))
        self.record.keep(name, key)
        return Part(file, "report", True)

    def checked(self) -> Iterator[tuple[str, list[Verdict]]]:
        """Compare all files made from a list with it."""
        from scorecard import api
        from scorecard.forms import forms_of

        agree, made_of = True, dict[str, list[Path]]()
        for name, form, language in self._files():
            file = self.record.folder / name
            is_there = name not in self.missing
            if is_there and form.command != "report" and forms_of(file.suffix):
                made_of.setdefault(self._models()[language], []).append(file)
        recipe = self.project.recipe
        for model, files in made_of.items():
            table = recipe.tables[0] if self.project.make.check_table else None
            verdicts = api.check(self.lists[model], files, table=table, **recipe.reading)
            agree = agree and not any(one.fails for one in verdicts)
            yield model, verdicts
        if agree and not self.missing:
            here = self.project.path.parent
            self.record.read = {os.path.relpath(one, here): digest(one) for one in self.read}
        self.record.write()

    def left_over(self) -> list[str]:
        """Files that were made once and are not asked for any more."""
        gone = self.record.made.keys() - {*self.names()}
        return sorted(name for name in gone if (self.record.folder / name).is_file())


def with_limits(scoring_list: ScoringList, limits: Mapping[str, Any]) -> ScoringList:
    """The list with these limits; those that leave nothing to ask are refused."""
    from scorecard.core.build_staircase import build_staircase, usual_policy

    if not limits:
        return scoring_list
    found = replace(scoring_list, policy=usual_policy(replace(scoring_list, policy=None), **limits))
    build_staircase(found)
    return found


def made(
    scoring_list: ScoringList, command: str, kind: str, told: dict[str, Any]
) -> tuple[bytes, tuple[str, ...]]:
    """A file in one of the forms, and what has to be said about it."""
    from scorecard import api

    if command == "card":
        printed, notes = printed_card(scoring_list, kind, **told)
        return printed.content, notes
    if command == "handout":
        return api.make_handout(scoring_list, kind, **told), ()
    return api.export(scoring_list, **told), ()


def printed_card(
    scoring_list: ScoringList, kind: str, *, language: str, **told: Any
) -> tuple[PrintedFile, tuple[str, ...]]:
    """A card, and what a reader of it has to know that does not stand there."""
    from scorecard import api
    from scorecard.words.language import language_named
    from scorecard.words.wording import Wording

    printed = api.printed_card(scoring_list, kind, language=language, **told)
    folder = told.get("template_dir")
    wording = Wording.of(printed.staircase, language_named(language, folder and Path(folder)))
    notes = filter(None, [printed.left_out, *wording.notes(printed.staircase)])
    return printed, tuple(notes)

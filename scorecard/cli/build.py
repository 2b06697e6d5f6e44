from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

import click

from scorecard import __version__
from scorecard.cli import messages
from scorecard.cli.output import claim, force_option, typed
from scorecard.errors import ScorecardError, few

if TYPE_CHECKING:
    from scorecard.cli.card_file import CardFile

HIDDEN = ".build"
LEARNED, RECORD = f"{HIDDEN}/learned.json", f"{HIDDEN}/steps.json"
RECORD_FORMAT = "scorecard-build/1"
READ_BACK = (".pdf", ".html", ".py", ".mjs", ".sql", ".xlsx", ".json")
OF_LEARNING = {"cost", "available", "panel"}  # of an input's words
NOT_JUDGED = ("validate", "folds", "no_evidence", "held_out")  # of learning, not of a report
PAUSE = 0.5  # seconds between two looks at the files that are watched


@click.command()
@click.argument("card_toml", default="card.toml", type=click.Path(), metavar="[CARD.TOML]")
@click.option("--watch", is_flag=True, help="Build again whenever a file it depends on changes.")
@force_option
def build(card_toml: str, watch: bool, force: bool) -> None:
    """Make everything that a card.toml asks for, and check all of it.

    The list is learned from the table, gets its words and limits, and is printed, explained and
    exported in every form and language that is asked for; then each file is read back and compared
    with the list. Only what depends on a change is made again: another word or another limit needs
    no learning. “scorecard new TABLE” writes a card.toml.

    \b
    Examples:
      scorecard build card.toml
      scorecard build wards/icu/card.toml --watch
    """
    if not watch:
        make_all(Path(card_toml), force)
        return
    try:
        while True:
            _build_and_wait(Path(card_toml), force)
    except KeyboardInterrupt:
        messages.say("Watching has ended.")


def _build_and_wait(card_toml: Path, force: bool) -> None:
    """Build, and come back when a file that the result depends on has another content."""
    try:
        seen = _state(make_all(card_toml, force))
    except ScorecardError as error:
        click.echo(f"Error: {error}", err=True)
        seen = _state([card_toml])
    messages.say("Watching; Ctrl-C ends.")
    while _state(list(seen)) == seen:
        time.sleep(PAUSE)


def _state(files: Sequence[Path]) -> dict[Path, str]:
    return {file: _digest(file) for file in files}


# What is to be done -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Step:
    """A command with the files it makes and all that its result depends on."""

    words: tuple[str, ...]
    makes: Path
    reads: tuple[Path, ...] = ()
    facts: str = ""  # what it reads of the card.toml
    about: str = ""

    @property
    def command(self) -> str:
        return typed("scorecard", *self.words)

    def key(self) -> str:
        parts = [__version__, self.facts, *self.words, *map(_digest, self.reads)]
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def _digest(path: Path) -> str:
    """Of the content of a file, or of all files in a folder; empty if there is nothing."""
    if path.is_dir():
        inside = sorted(one for one in path.rglob("*") if one.is_file())
        return hashlib.sha256(
            "".join(f"{one.relative_to(path)}\0{_digest(one)}\n" for one in inside).encode()
        ).hexdigest()
    if not path.is_file():
        return ""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


@dataclass(frozen=True)
class Plan:
    """The steps that a card.toml asks for, and the lists that finished files are compared with."""

    card: CardFile
    folder: Path
    steps: list[Step] = field(default_factory=list)
    made_of: dict[Path, list[Path]] = field(default_factory=dict)

    @classmethod
    def of(cls, card: CardFile) -> Plan:
        plan = cls(card, card.path.parent / card.folder)
        plan.steps.append(plan._learn())
        models = {language: plan._label(language) for language in card.languages}
        for name in card.forms:
            plan._make(name, models)
        return plan

    def _path(self, name: str) -> Path:
        return self.folder / name

    def _tables(self) -> list[str]:
        return [str(self.card.path.parent / table) for table in self.card.tables]

    def _told(self, *sections: str, without: Sequence[str] = ()) -> list[str]:
        from scorecard.cli.card_file import typed_options

        words: list[str] = []
        for section in sections:
            given = {k: v for k, v in self.card.told[section].items() if k not in without}
            words += typed_options(section, given, self.card.path.parent)
        return words

    def _files(self, section: str) -> list[Path]:
        """The files and folders that are named in a section."""
        return [self.card.path.parent / name for name in self.card.paths_in(section).values()]

    def _learning(self) -> list[str]:
        """How the list is learned: the table, its columns, and the options of the learner."""
        kinds = self.card.labels.kinds.items()
        said = [word for name, kind in sorted(kinds) for word in (f"--{kind}", name)]
        return [*self._tables(), *self._told("", "columns"), *said]

    def _learn(self) -> Step:
        words = [*self._learning(), *self._told("learning")]
        # Patients who test the list test its limits, and the price of an edit is told under them:
        # they then belong to learning.
        if self.card.told["learning"].keys() & {"validate", "held_out", "start"}:
            words += self._told("limits")
        target = self._path(LEARNED)
        reads = (*map(Path, self._tables()), *self._files("learning"))
        return Step(
            ("fit", *words, "-o", str(target)), target, reads, about="learned from the table"
        )

    def _label(self, language: str) -> Path:
        """The list with the words of a language and the limits; languages may share one."""
        card, first = self.card, self.card.languages[0]
        own = card.spoken.get(language, {})
        if language != first and not own and not card.spoken.get(first):
            return self._path("model.json")
        name = "model.json" if language == first else f"model-{language}.json"
        learned, target = self._path(LEARNED), self._path(name)
        words = ["label", str(learned), str(card.path)]
        words += ["--words", language] if own else []
        words += [*self._told("limits"), "-o", str(target)]
        facts = json.dumps([card.words, own], sort_keys=True, default=str)
        about = "the list" if language == first else f"the list, {language}"
        self.steps.append(Step(tuple(words), target, (learned,), facts, about))
        return target

    def _make(self, name: str, models: Mapping[str, Path]) -> None:
        from scorecard.cli.card_file import forms

        form = forms()[name]
        if form.command == "evaluate":
            self._report(name)
            return
        spoken = self.card.languages if form.spoken else self.card.languages[:1]
        for number, language in enumerate(spoken):
            stem, dot, ending = name.rpartition(".")
            target = self._path(f"{stem}-{language}{dot}{ending}" if number else name)
            words = [form.command, str(models[language]), *form.told]
            words += ["--language", language] if language != "en" else []
            words += [*self._look(form.command), "-o", str(target)]
            reads = (models[language], *self._files("look"))
            about = f"{form.command}, {language}" if form.spoken else form.command
            self.steps.append(Step(tuple(words), target, reads, about=about))
            if target.suffix in READ_BACK:
                self.made_of.setdefault(models[language], []).append(target)

    def _look(self, command: str) -> list[str]:
        """What is said about looks, as far as a command knows it."""
        from scorecard.cli.card import card
        from scorecard.cli.handout import handout

        known = {"card": card, "handout": handout}
        names = {one.name for one in known[command].params} if command in known else set()
        without = [name for name in self.card.told["look"] if name not in names]
        return self._told("look", without=without)

    def _report(self, name: str) -> None:
        words = [*self._learning(), *self._told("learning", without=NOT_JUDGED)]
        words += [*self._told("limits", "report"), *self._labels()]
        target = self._path(name)
        reads = (*map(Path, self._tables()), *self._files("learning"))
        facts = json.dumps(self.card.words, sort_keys=True, default=str)
        step = Step(("evaluate", *words, "-o", str(target)), target, reads, facts, "report")
        self.steps.append(step)

    def _labels(self) -> list[str]:
        """The words of the card.toml for the report, which judges what is learned without them.

        What they say about costs would weigh questions there.
        """
        weighs = any(OF_LEARNING & one.keys() for one in self.card.labels.inputs.values())
        return [] if weighs else ["--labels", str(self.card.path)]

    def table_to_check(self) -> list[str]:
        """The table whose every row is tried, if that is wanted."""
        if not self.card.check_table:
            return []
        reading = self._told("", without=["outcome", "positive"])
        return ["--table", *self._tables(), *reading]

    @property
    def reads(self) -> list[Path]:
        """Every file that the result depends on and nobody here makes."""
        made = {step.makes for step in self.steps}
        read = (file for step in self.steps for file in step.reads if file not in made)
        return [self.card.path, *dict.fromkeys(read)]


# Doing it -----------------------------------------------------------------------------------------


def make_all(path: Path, force: bool) -> list[Path]:
    """Make what is not up to date and check everything; the files that it depends on."""
    from scorecard.cli.card_file import read_card_file
    from scorecard.files import create_folder

    path = path / "card.toml" if path.is_dir() else path
    if not path.is_file():
        raise ScorecardError(
            f"there is no {str(path)!r}; write one with: scorecard new TABLE, for instance"
            " scorecard new cases.csv."
        )
    plan = Plan.of(read_card_file(path))
    record = _Record(plan.folder)
    create_folder(plan.folder)
    claim((step.makes for step in plan.steps if not record.knows(step.makes)), force=force)
    create_folder(plan.folder / HIDDEN)
    made: list[Path] = []
    try:
        for step in plan.steps:
            if _done(step, record, force):
                made.append(step.makes)  # one by one: it may be stopped between two
        failed = [model for model in plan.made_of if not _checked(plan, model, record)]
    except (KeyboardInterrupt, click.Abort):
        new = [one.name for one in made if HIDDEN not in one.parts]
        click.echo(
            f"Stopped; made anew: {', '.join(new) or 'nothing'}. Build again for the rest.",
            err=True,
        )
        raise click.exceptions.Exit(130) from None
    if made or not failed:
        _tell(plan, made, record)
    if failed:
        names = few([one.name for one in failed])
        click.echo(f"Files do not agree with {names}: see above; do not use them.", err=True)
        raise click.exceptions.Exit(1)
    return plan.reads


class _Record:
    """What was made last time, from what: kept beside it, so that it need not be made again."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / RECORD
        try:
            found = json.loads(self._file.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            found = {}
        known = isinstance(found, dict) and found.get("format") == RECORD_FORMAT
        self.steps: dict[str, list[str]] = found["steps"] if known else {}

    def knows(self, made: Path) -> bool:
        """Whether a file is as it was made; one in a folder that is only going to be made, too."""
        known = self.steps.get(made.name, ["", ""])[1] == _digest(made)
        return known or made.parent.name == HIDDEN

    def is_new(self, name: str, key: str, made: Path | None) -> bool:
        return self.steps.get(name) != [key, _digest(made) if made else ""]

    def keep(self, name: str, key: str, made: Path | None) -> None:
        from scorecard.files import write_text

        self.steps[name] = [key, _digest(made) if made else ""]
        content = {"format": RECORD_FORMAT, "steps": self.steps}
        write_text(self._file, json.dumps(content, indent=2) + "\n")


def _done(step: Step, record: _Record, force: bool) -> bool:
    """Run a step, if anything it depends on has changed; whether it was run."""
    name, key = step.makes.name, step.key()
    if not record.is_new(name, key, step.makes):
        return False
    messages.say(f"$ {step.command}")
    _, said = _run([*step.words, *(["--force"] if force else [])])
    if step.words[0] == "fit":
        _say_what_was_learned(said, step.makes)
    record.keep(name, key, step.makes)
    return True


def _run(words: Sequence[str]) -> tuple[int, str]:
    """The exit code of a command, and what it says on its standard output."""
    from scorecard.cli import cli

    with redirect_stdout(StringIO()) as said:
        code = cli.main([*words, *messages.flags()], prog_name="scorecard", standalone_mode=False)
    return code if isinstance(code, int) else 0, said.getvalue()


def _say_what_was_learned(said: str, learned: Path) -> None:
    """What “fit” says, but for the limits, which the list is only going to get."""
    from scorecard.documents.json_document import read_list
    from scorecard.fitting import limits_told

    others = limits_told(read_list(learned))
    for line in said.splitlines():
        if line not in others and not line.startswith("Wrote "):
            messages.say(line)


def _say_limits(model: Path) -> None:
    from scorecard.documents.json_document import read_list
    from scorecard.fitting import limits_told

    for line in limits_told(read_list(model)):
        messages.say(line)


def _asked(model: Path) -> list[str]:
    from scorecard.core.question import inputs_of
    from scorecard.documents.json_document import read_list

    return inputs_of(read_list(model).questions)


def _checked(plan: Plan, model: Path, record: _Record) -> bool:
    """Compare all files made from a list with it, unless nothing has changed since they agreed."""
    files = plan.made_of[model]
    words = ["check", str(model), *map(str, files), *plan.table_to_check()]
    name, key = f"check {model.name}", Step(tuple(words), model, (model, *files)).key()
    if not record.is_new(name, key, None):
        return True
    messages.say(f"$ {typed('scorecard', *words)}")
    code, said = _run(words)
    if code:
        click.echo(said)
        return False
    agree = "1 file agrees" if len(files) == 1 else f"{len(files)} files agree"
    messages.say(f"  {agree} with the list.")
    record.keep(name, key, None)
    return True


def _tell(plan: Plan, made: Sequence[Path], record: _Record) -> None:
    """A table of all files, and which of them are new."""
    if not made:
        messages.say(
            f"Nothing has changed; {len(plan.steps)} files in {plan.folder} are up to date."
        )
        return
    messages.say("")
    model = plan.folder / "model.json"
    _say_limits(model)
    for line in plan.card.untranslated(_asked(model)):
        messages.warn(f"Warning: {plan.card.path.name}: {line}")
    rows = [
        (str(step.makes), step.about, "made" if step.makes in made else "as before")
        for step in plan.steps
        if HIDDEN not in step.makes.parts
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (text.ljust(width) for text, width in zip(row, widths, strict=True))
        messages.say("  ".join(cells).rstrip())
    if plan.steps[0].makes not in made:
        messages.say("The list was not learned again: nothing that it depends on has changed.")
    for name in _left_over(plan, record):
        messages.say(f"Not asked for any more, and left there: {plan.folder / name}")


def _left_over(plan: Plan, record: _Record) -> Iterator[str]:
    wanted = {step.makes.name for step in plan.steps}
    for name in record.steps:
        if name not in wanted and (plan.folder / name).is_file():
            yield name

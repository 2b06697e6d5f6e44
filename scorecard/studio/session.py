"""One session: a project that somebody makes step by step, and what the library found for it.

There is one for all tabs, and every change has a number, by which a tab sees that another one has
changed something. A count that a later edit has made idle is ended.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from scorecard.core.edits import looked_at
from scorecard.core.given_question import given_as
from scorecard.core.model import ScoringList
from scorecard.documents.toml_list import StartList
from scorecard.errors import ScorecardError, TableError
from scorecard.evaluation.report import report_of
from scorecard.evaluation.view import Advice
from scorecard.project.build import with_limits
from scorecard.project.card import Look, Make, Project, check_columns, read_project
from scorecard.project.learn import Fitted, judged, learn
from scorecard.project.recipe import Judging, Limits, Reading, Recipe, opened
from scorecard.project.recount import START, Prepared, prepared, recipe_of, recount
from scorecard.studio.edits import Edit, History, Rows
from scorecard.tables.cases import Cases
from scorecard.tables.labels import Labels
from scorecard.tables.overview import Overview, overview
from scorecard.tables.read_table import is_table, open_table
from scorecard.tables.source import Source
from scorecard.tables.suspicions import Doubt, doubts

MOST_KEPT = 100  # counted lists, so that undo needs no count
LIMITS = tuple(one.name for one in fields(Limits))
MOST_VERSIONS, MOST_NAME = 6, 40
SPLITS = 20  # on which the list is judged while somebody waits; the report has a hundred


class LaterEditError(Exception):
    """A later edit has made a count idle."""


@dataclass(frozen=True)
class Preview:
    """How the card beside the list looks."""

    size: str = "a6"
    language: str = "en"


@dataclass(frozen=True)
class Looked:
    """A table with its outcome chosen: all cases, and what looks wrong in them."""

    cases: Cases
    doubts: tuple[Doubt, ...]
    pictures: dict[str, dict[str, Any]] = field(default_factory=dict)
    """By column what is shown of its values, drawn once."""


@dataclass
class Bench:
    """A learned list and what somebody makes of it."""

    prepared: Prepared
    learned: Fitted
    history: History
    counted: dict[Any, Fitted] = field(default_factory=dict)
    versions: dict[str, Edit] = field(default_factory=dict)
    verdicts: dict[Any, Advice] = field(default_factory=dict)
    looked: list[Any] = field(default_factory=list)
    """The lists whose kept-out patients somebody has looked at."""


class Session:
    """What all tabs show; methods are called one at a time, but for counts."""

    def __init__(self) -> None:
        self._folder = TemporaryDirectory(prefix="scorecard-studio-", ignore_cleanup_errors=True)
        self.changing, self._counting = threading.RLock(), threading.Lock()
        self.revision = 0
        self.preview = Preview()
        self.progress = 0.0
        self._forget_table()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.revision += 1  # ends what is still being counted
        self._folder.cleanup()

    def _forget_table(self) -> None:
        self.project: Project | None = None
        self.source: Source | None = None
        self.overview: Overview | None = None
        self.sheets: tuple[str, ...] = ()
        self.looked: Looked | None = None
        self.bench: Bench | None = None

    @cached_property
    def folder(self) -> Path:
        """Where the table is kept that somebody dropped; gone at the end."""
        return Path(self._folder.name).resolve()

    # From a table to its columns ------------------------------------------------------------------

    def open(self, file: str) -> None:
        """Begin with a table, or go on with a list or a card.toml."""
        path = Path(file)
        if is_table(path):
            self._look_at(self._project_of(Recipe(tables=(str(path.resolve()),))))
            return
        is_list = path.suffix.lower() == ".json"
        path = path.resolve()
        project = self._project_of(recipe_of(path)) if is_list else read_project(path)
        self._look_at(project)
        if not is_list and self.source is not None:
            check_columns(project, self.source)
        self.look_at_columns(project)
        self.learn()

    def _project_of(self, recipe: Recipe) -> Project:
        return Project(self.folder / "card.toml", recipe, Judging(), Look(), Make(), {})

    def read_as(self, **reading: Any) -> None:
        """The same table with another encoding, decimal sign or sheet."""
        project, sheets = self.asked_project, self.sheets
        self._look_at(replace(project, recipe=replace(project.recipe, **reading)))
        self.sheets = sheets

    def _look_at(self, project: Project) -> None:
        """Read a table; one that cannot be read as it is usual, in the first way that helps."""
        try:
            source = open_table(project.recipe.tables, **project.recipe.reading)
            found = overview(source)
        except TableError as error:
            if not error.reading or not self._is_read(project, error):
                raise
            return
        self._forget_table()
        self.project, self.source, self.overview = project, source, found
        self.revision += 1

    def _is_read(self, project: Project, error: TableError) -> bool:
        recipe, usual = project.recipe, Reading()
        for name, value in error.reading:
            if getattr(recipe, name) == getattr(usual, name):
                other: dict[str, Any] = {name: value}
                try:
                    if len(open_table(recipe.tables, **recipe.reading | other).names) < 2:
                        continue  # a picture, more likely than a table in other letters
                    self._look_at(replace(project, recipe=replace(recipe, **other)))
                except TableError:
                    continue
                self.sheets = tuple(one for said, one in error.reading if said == "sheet")
                return True
        return False

    @property
    def asked_project(self) -> Project:
        """The project, where there is one."""
        if self.project is None:
            raise ScorecardError("There is no table yet; drop one first.")
        return self.project

    def choose_outcome(self, outcome: str, positive: str | None) -> None:
        """Say what is to be predicted; the columns are looked at anew."""
        project = self.asked_project
        recipe = replace(project.recipe, outcome=outcome, positive=positive, drop=(), keep=())
        try:
            self.look_at_columns(replace(project, recipe=recipe))
        except TableError as error:
            if not self._has_commas(replace(project, recipe=recipe)):
                raise error from None

    def _has_commas(self, project: Project) -> bool:
        """Whether the columns of a text can be read if its numbers have a decimal comma."""
        before = self.asked_project
        if self.source is None or self.source.separator is None or project.recipe.decimal == ",":
            return False
        try:
            self._look_at(replace(before, recipe=replace(before.recipe, decimal=",")))
            self.look_at_columns(replace(project, recipe=replace(project.recipe, decimal=",")))
        except TableError:
            self._look_at(before)
            return False
        return True

    def look_at_columns(self, project: Project) -> None:
        """Read all columns, also those that are left out: somebody may want to see them."""
        everything: dict[str, Any] = {
            "drop": (),
            "only": (),
            "ask": (),
            "start": None,
            "max_questions": None,
        }
        recipe = replace(project.to_learn, **everything)
        every = opened(recipe, Labels(), self.source)
        cases = every.cases()
        found = tuple(doubts(cases, {*every.kept, *cases.kinds}))
        self.project, self.looked, self.bench = project, Looked(cases, found), None
        self.revision += 1

    def choose_columns(self, **choice: Any) -> None:
        """Say which columns are left out or used after all, and what some are."""
        project = self.asked_project
        before = project.recipe
        project = replace(project, recipe=replace(before, **choice))
        if project.recipe == before:
            return
        kinds = [name for name in choice if name not in ("drop", "keep")]
        if any(choice[name] != getattr(before, name) for name in kinds):
            self.look_at_columns(project)
        self.project, self.bench = project, None
        self.revision += 1

    # The list -------------------------------------------------------------------------------------

    def choose_learning(self, **choice: Any) -> None:
        """Say the limits and how many questions there are to be at most."""
        project = self.asked_project
        self.project = replace(project, recipe=replace(project.recipe, **choice))

    def learn(self) -> None:
        """Learn the list that is then edited."""
        project = self.asked_project
        if self.looked is None:
            raise ScorecardError("Choose the outcome first.")
        ready = prepared(opened(project.to_learn, Labels(), self.source))
        fitted = learn(ready, progress=self._progress_of(self._next()))
        limits = Limits(**{one: ready.limits[one] for one in LIMITS if one in ready.limits})
        first = Edit(limits=limits, words=project.words)
        bench = Bench(replace(ready, start=StartList(())), fitted, History([first]))
        self._count_as_edited(bench)
        self.bench = bench
        bench.counted[self._counted_by(first)] = fitted
        self.revision += 1

    def _count_as_edited(self, bench: Bench) -> None:
        """Count what every edit is compared with, so that the first one need not wait for it."""
        found = bench.learned.scoring_list
        if found.questions:
            asked = tuple(map(given_as, found.questions))
            limits = bench.history.now.limits
            recount(bench.prepared, asked, learned=found, limits=limits)

    @property
    def asked_bench(self) -> Bench:
        """The list on the bench, where there is one."""
        if self.bench is None:
            raise ScorecardError("There is no list yet; go through the steps before.")
        return self.bench

    @property
    def rows(self) -> Rows:
        """The questions that the bench shows."""
        bench = self.asked_bench
        now = bench.history.now
        if now.given and now.more is None and all(one.whole for one in now.given):
            return now.given
        return tuple(map(given_as, self.fitted().scoring_list.questions))

    def edit(self, change: Callable[[Edit, Rows], Edit]) -> None:
        """Make an edit and count it; one that cannot be counted is taken back."""
        with self.changing:
            history = self.asked_bench.history
            edit = change(history.now, self.rows)
            if edit == history.now:
                return
            history.add(edit)
            self.revision += 1
        try:
            self.shown_list()
        except ScorecardError:
            with self.changing:
                history.forget(edit)
                self.revision += 1
            raise

    def step(self, by: int) -> None:
        """Undo, or do again."""
        self.asked_bench.history.step(by)
        self.revision += 1

    def keep_version(self, name: str) -> None:
        """Keep the list as it stands under a name, to be compared with others."""
        bench, plain = self.asked_bench, " ".join(name.split())[:MOST_NAME]
        if len(bench.versions) >= MOST_VERSIONS and plain not in bench.versions:
            raise ScorecardError(f"At most {MOST_VERSIONS} versions are kept; use a name again.")
        bench.versions[plain or f"Version {len(bench.versions) + 1}"] = bench.history.now
        self.revision += 1

    def fitted(self, edit: Edit | None = None) -> Fitted:
        """The list as it stands, or in another version, counted; ended by a later edit."""
        bench, revision = self.asked_bench, self.revision
        now = edit or bench.history.now
        key = self._counted_by(now)
        with self._counting:
            if key not in bench.counted:
                if revision != self.revision:
                    raise LaterEditError
                found = recount(
                    bench.prepared,
                    now.given,
                    learned=self.former(now) if now.given else None,
                    more=now.more,
                    limits=key[2],
                    progress=self._progress_of(revision),
                )
                if len(bench.counted) >= MOST_KEPT:
                    bench.counted.pop(next(iter(bench.counted)))
                bench.counted[key] = found
            return bench.counted[key]

    def _counted_by(self, now: Edit) -> tuple[Any, ...]:
        """What the figures depend on; the limits only where they belong to learning."""
        recipe = replace(self.asked_project.recipe, limits=now.limits)
        if now.given:
            recipe = replace(recipe, start=START)
        return now.given, now.more, recipe.learning_limits, self._other_looks(now)

    # How good it is -------------------------------------------------------------------------------

    def judge(self) -> None:
        """Learn such lists from a part of the patients, and judge them on the others.

        That takes all patients: who were kept out are then looked at, too.
        """
        self.reveal()
        bench, now = self.asked_bench, self.asked_bench.history.now
        recipe = replace(self.edited_project.recipe.only_learning, labels=None)
        asked = replace(bench.prepared, recipe=recipe, start=StartList(now.given))
        judging = replace(self.asked_project.judging, splits=SPLITS, folds=None)
        found = judged(asked, judging, progress=self._progress_of(self.revision))
        bench.verdicts[_asked(now)] = report_of(found).advice
        self.revision += 1

    @property
    def verdict(self) -> Advice | None:
        """Whether the list as it stands can be used, once it was judged."""
        bench = self.asked_bench
        return bench.verdicts.get(_asked(bench.history.now))

    # Patients who were kept out -------------------------------------------------------------------

    def _other_looks(self, now: Edit) -> int:
        """With how many other lists somebody has looked at the patients who were kept out."""
        return len([one for one in self.asked_bench.looked if one != _asked(now)])

    def former(self, now: Edit) -> ScoringList:
        """The learned list, as it is known to who edits it."""
        found = self.asked_bench.learned.scoring_list
        is_hidden = self.asked_project.recipe.held_out  # else everybody has seen its validation
        return looked_at(found, self._other_looks(now)) if is_hidden else found

    @property
    def is_revealed(self) -> bool:
        """Whether somebody has looked at these patients with the list as it stands."""
        bench = self.asked_bench
        return _asked(bench.history.now) in bench.looked

    def reveal(self) -> None:
        """Show it; that somebody has looked is kept, and told of every later edit."""
        bench = self.asked_bench
        if self.asked_project.recipe.held_out and not self.is_revealed:
            bench.looked.append(_asked(bench.history.now))
            self.revision += 1

    def shown_list(self, language: str | None = None, edit: Edit | None = None) -> ScoringList:
        """The list with its words and limits, as files have it."""
        now = edit or self.asked_bench.history.now
        labels, found = self.edited_project.labels(language), self.fitted(now).scoring_list
        if self.asked_project.recipe.held_out and not self.is_revealed:
            found = replace(found, validations=())
        return with_limits(labels.put_on(found), now.limits.told)

    @property
    def edited_project(self) -> Project:
        """The project with what was edited."""
        project, now = self.asked_project, self.asked_bench.history.now
        recipe = replace(project.recipe, limits=now.limits)
        if now.given:
            file, more = str(self.folder / START), now.more or 0
            recipe = replace(recipe, start=file, max_questions=more, ask=())
        elif now.more is not None:
            recipe = replace(recipe, max_questions=now.more)
        return replace(project, recipe=recipe, words=now.words)

    def _next(self) -> int:
        self.revision += 1
        return self.revision

    def _progress_of(self, revision: int) -> Callable[[float, int], None]:
        """Tells how far a count is, and ends it when there is a later one."""
        self.progress = 0.0

        def tell(done: float, most: int) -> None:
            self.progress = done / most if most else 0.0
            if self.revision != revision:
                raise LaterEditError

        return tell


def _asked(now: Edit) -> tuple[Any, ...]:
    """What makes a list another one for who looks at its patients."""
    return now.given, now.more, now.limits

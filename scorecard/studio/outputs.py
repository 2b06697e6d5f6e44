"""Files of the list on the bench, made and checked as `build` makes and checks them."""

from __future__ import annotations

import io
import os
import shutil
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from scorecard.core.model import ScoringList
from scorecard.documents.edit_text import start_text
from scorecard.errors import ScorecardError
from scorecard.files import create_folder, write_text
from scorecard.project.build import HIDDEN, Building, Record
from scorecard.project.card import Make, Project, read_project
from scorecard.project.card_text import card_text
from scorecard.project.recount import START
from scorecard.studio.session import Session

CARD = "card.toml"
OUTPUT = "output"
COMMAND = f"scorecard build {CARD}"
"""What makes the same files, beside those of the zip and the table."""


RECIPE = {
    CARD: "builds all of it again, beside your table",
    START: "the questions as edited",
    "start.json": "the list it began with",
    "start.toml": "the list it began with",
}


@dataclass(frozen=True)
class MadeFile:
    """A file that agrees with the list, and what has to be said about it."""

    name: str
    content: bytes
    about: str
    notes: tuple[str, ...] = ()


def made_files(session: Session, forms: Sequence[str], languages: Sequence[str]) -> list[MadeFile]:
    """Every form that is asked for, built and checked, with what builds it again.

    The list is learned from the table once more on the way: what it gives has to be what the bench
    shows, or nothing is offered. The files tell how the patients who were kept out fare.
    """
    session.reveal()
    shown = session.shown_list()
    here = session.folder / f"build-{session.revision}"
    shutil.rmtree(here, ignore_errors=True)
    create_folder(here)
    try:
        project = _written(session, here, Make(folder=OUTPUT, languages=languages, forms=forms))
        building = Building(project, Record.of(project.folder))
        create_folder(project.folder / HIDDEN)
        parts = list(building.parts())
        _refuse_another_list(building, shown, session.shown_list(languages[0]))
        _refuse_what_differs(building)
        made = [
            MadeFile(one.file.name, one.file.read_bytes(), one.about, one.notes)
            for one in parts
            if HIDDEN not in one.file.parts and not one.missing
        ]
        return [*made, *_recipe_files(here)]
    finally:
        shutil.rmtree(here, ignore_errors=True)


def _written(session: Session, here: Path, make: Make) -> Project:
    """The project as files in a folder, with its tables beside them."""
    project = _with_tables_in(here, replace(session.edited_project, make=make))
    now = session.asked_bench.history.now
    if now.given:
        found = session.fitted().scoring_list
        text = start_text(found, "model.json", START, given=now.given, of=session.former(now))
        write_text(here / START, text)
        project = replace(project, recipe=replace(project.recipe, start=str(here / START)))
    elif project.recipe.start:
        start = here / f"start{Path(project.recipe.start).suffix}"
        shutil.copyfile(project.recipe.start, start)
        project = replace(project, recipe=replace(project.recipe, start=str(start)))
    write_text(here / CARD, card_text(project, here))
    return read_project(here / CARD)


def _with_tables_in(here: Path, project: Project) -> Project:
    tables = []
    for one in map(Path, project.recipe.tables):
        target = here / one.name
        try:
            os.link(one, target)
        except OSError:  # another disk, or a system without links
            shutil.copyfile(one, target)
        tables.append(str(target))
    return replace(project, recipe=replace(project.recipe, tables=tuple(tables)))


def _refuse_another_list(building: Building, shown: ScoringList, spoken: ScoringList) -> None:
    built = building.lists["model.json"]
    alike = ("questions", "stages", "evidence", "cross_validation", "policy", "validations")
    if any(getattr(built, one) != getattr(spoken, one) for one in alike):
        raise ScorecardError(
            "The files would not say what the page shows; nothing is offered. Begin again with the"
            " table: it may have changed."
        )
    assert built.stages == shown.stages


def _refuse_what_differs(building: Building) -> None:
    for _, verdicts in building.checked():
        for one in verdicts:
            if one.fails:
                raise ScorecardError(f"{one.path.name} does not agree with the list: {one.first}")


def _recipe_files(here: Path) -> list[MadeFile]:
    """What builds the same again, without the table."""
    found = []
    for name, text in RECIPE.items():
        with suppress(FileNotFoundError):
            found.append(MadeFile(name, (here / name).read_bytes(), text))
    return found


def zipped(files: Sequence[MadeFile]) -> bytes:
    """All of them in one file: what is made in its folder, as `build` leaves it."""
    content = io.BytesIO()
    with ZipFile(content, "w", ZIP_DEFLATED) as archive:
        for one in files:
            folder = "" if one.name in RECIPE else f"{OUTPUT}/"
            archive.writestr(folder + one.name, one.content)
    return content.getvalue()

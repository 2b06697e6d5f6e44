from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from scorecard.cli import messages
from scorecard.cli.output import claim, force_option
from scorecard.errors import ScorecardError, few
from scorecard.project.build import Building, Part, Record, digest, unchanged

if TYPE_CHECKING:
    from scorecard.project.learn import Fitted

PAUSE = 0.5  # seconds between two looks at the files that are watched


@click.command()
@click.argument("card_toml", default="card.toml", type=click.Path(), metavar="[CARD.TOML]")
@click.option("--watch", is_flag=True, help="Build again whenever a file it depends on changes.")
@force_option
def build(card_toml: str, watch: bool, force: bool) -> None:
    """Make everything that a card.toml asks for, and check all of it.

    The list is learned from the table, gets its words and limits, and is printed, explained and
    exported in every form and language that is asked for; then each file is compared with what the
    list gives, to the last byte. Only what depends on a change is made again: another word or
    another limit needs no learning. “scorecard new TABLE” writes a card.toml.

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
        files = make_all(card_toml, force)
    except ScorecardError as error:
        click.echo(f"Error: {error}", err=True)
        files = [card_toml]
    seen = {file: digest(file) for file in files}
    messages.say("Watching; Ctrl-C ends.")
    while {file: digest(file) for file in files} == seen:
        time.sleep(PAUSE)


def make_all(path: Path, force: bool) -> list[Path]:
    """Make what is not up to date and check everything; the files that it depends on."""
    path = path / "card.toml" if path.is_dir() else path
    if not path.is_file():
        raise ScorecardError(
            f"there is no {str(path)!r}; write one with: scorecard new TABLE, for instance"
            " scorecard new cases.csv."
        )
    if record := unchanged(path):
        files = len([name for name in record.made if "/" not in name])
        messages.say(f"Nothing has changed; {files} files in {record.folder} are up to date.")
        return [path.parent / name for name in record.read]
    return _made(path, force)


def _made(path: Path, force: bool) -> list[Path]:
    from scorecard.files import create_folder
    from scorecard.project.build import HIDDEN
    from scorecard.project.card import read_project

    project = read_project(path)
    record = Record.of(project.folder)
    building = Building(
        project,
        record,
        doubt=lambda doubt: messages.warn(f"Warning: {doubt.message}"),
        bar=messages.progress_bar,
    )
    _ = building.opened  # what is wrong with columns is refused before a folder is made
    create_folder(project.folder)
    shown = (name for name in building.names() if not name.startswith(HIDDEN))
    claim((project.folder / n for n in shown if not record.knows(n)), force=force)
    create_folder(project.folder / HIDDEN)
    parts = _parts(building)
    new = [part for part in parts if part.made]
    failed = _failed(building)
    if new:
        _tell(building, parts)
    elif not failed:
        messages.say(f"Nothing had to be made; {len(parts) - 1} files are up to date.")
    if failed:
        click.echo(f"Files do not agree with {few(failed)}: see above; do not use them.", err=True)
        raise click.exceptions.Exit(1)
    if building.missing:
        reason = next(part.missing for part in parts if part.missing)
        raise ScorecardError(f"not made: {few(sorted(building.missing))}. {reason}")
    return building.read


def _parts(building: Building) -> list[Part]:
    """All parts, each told when it is there."""
    parts: list[Part] = []
    told: set[str] = set()
    try:
        for part in building.parts():
            parts.append(part)
            if part.fitted:
                _tell_learned(part.fitted)
            state = "LACKS" if part.missing else "made" if part.made else "kept"
            messages.say(f"{state:6}{part.file}  {part.about}")
            for note in part.notes:
                if note not in told:
                    messages.warn(f"  {note}")
            told.update(part.notes)
    except (KeyboardInterrupt, click.Abort):
        new = ", ".join(one.file.name for one in parts if one.made and not one.fitted)
        click.echo(f"Stopped; made anew: {new or 'nothing'}. Build again for the rest.", err=True)
        raise click.exceptions.Exit(130) from None
    return parts


def _tell_learned(fitted: Fitted) -> None:
    """What “fit” says, but for the limits, which the list is only going to get."""
    for doubt in fitted.later:
        messages.warn(f"Warning: {doubt.message}")
    for remark in fitted.remarks:
        if remark.kind != "limits":
            messages.say(str(remark))


def _failed(building: Building) -> list[str]:
    """The lists with which a file does not agree."""
    from scorecard.cli.check import tell

    failed = []
    for model, verdicts in building.checked():
        if any(one.fails for one in verdicts):
            tell(verdicts)
            failed.append(model)
        else:
            agree = "1 file agrees" if len(verdicts) == 1 else f"{len(verdicts)} files agree"
            messages.say(f"{agree} with {model}.")
    return failed


def _tell(building: Building, parts: list[Part]) -> None:
    from scorecard.core.question import inputs_of
    from scorecard.project.learn import limits_told

    made, project = building.lists["model.json"], building.project
    for line in limits_told(made):
        messages.say(line)
    for language, names in project.untranslated(inputs_of(made.questions)):
        messages.warn(
            f"Warning: {project.path.name}: files in {language} have the words of [words] for"
            f" {few(names, 15)}; write them in this language below [words.CODE]."
        )
    if not parts[0].made:
        messages.say("The list was not learned again: nothing that it depends on has changed.")
    for name in building.left_over():
        messages.say(f"Not asked for any more, and left there: {project.folder / name}")

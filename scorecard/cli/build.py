from __future__ import annotations

import time
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

from scorecard.cli import messages
from scorecard.cli.output import claim, force_option
from scorecard.errors import ScorecardError, few
from scorecard.files import create_folder, examples_folder, read_bytes, write_bytes
from scorecard.project.build import HIDDEN, Building, Part, Record, digest, unchanged

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


# What a card.toml makes, shown with real cases ----------------------------------------------------

FILES = {
    "cases.csv": "569 real cases that come with scikit-learn",
    "card.toml": "what is made of them: outcome, limits, words, forms",
    "model.json": "the learned list: questions, points, risks, evidence",
    "card-a6.pdf": "the pocket card, also as card-a6.png",
    "card-credit.pdf": "the same on a credit card, also as card-credit.png",
    "path-a4.pdf": "the same as arrows to follow, also as path-a4.png",
    "handout.html": "one page that explains, calculates and prints",
    "report.html": "how good such lists are on cases that did not choose them",
    "evaluator.py": "a program that needs nothing but Python",
    "card.json": "the complete decision table for any other program",
    "evaluator.mjs": "the same as a JavaScript module",
    "evaluator.sql": "the same as one query",
    "evaluator.xlsx": "the same as a workbook",
}

MEASURED = (
    "radius", "texture", "perimeter", "area", "smoothness", "compactness", "concavity",
    "concave_points", "symmetry", "fractal_dimension",
)  # fmt: skip

PICTURES = ("card-a6.png", "card-credit.png", "path-a4.png")


@click.command()
@click.option(
    "--out-dir",
    type=click.Path(file_okay=False),
    metavar="FOLDER",
    default="output",
    show_default=True,
    help="Write the files into this folder; it is created.",
)
@force_option
def demo(out_dir: str, force: bool) -> None:
    """Learn a list from real cases and make every form of it.

    569 breast masses that come with scikit-learn, and a card.toml for them: “scorecard build” makes
    what it asks for. Every step is printed as the command one would type.

    \b
    Example:
      scorecard demo --out-dir output
    """
    folder = Path(out_dir)
    create_folder(folder)
    _write_sources(folder, force)
    make_all(folder / "card.toml", force)
    messages.say(f"\nIn {folder}:")
    width = max(map(len, FILES))
    for name, meaning in FILES.items():
        messages.say(f"  {name:<{width}}  {meaning}")


def breast_masses() -> bytes:
    """The Wisconsin Diagnostic Breast Cancer data as a table, from the files of scikit-learn.

    scikit-learn itself is not loaded: that takes longer than to learn from these cases.
    """
    found = find_spec("sklearn")
    assert found, "scikit-learn is a requirement of the package"
    file = Path(str(found.origin)).parent / "datasets" / "data" / "breast_cancer.csv"
    first, *lines = read_bytes(file, 1 << 20).decode().splitlines()
    columns = [
        each.format(name) for each in ("mean_{}", "{}_error", "worst_{}") for name in MEASURED
    ]
    rows = [",".join([*columns, "diagnosis"])]
    for line in lines:
        *values, outcome = line.split(",")
        rows.append(",".join([*map(repr, map(float, values)), first.split(",")[2 + int(outcome)]]))
    return ("\n".join(rows) + "\n").encode()


def _write_sources(folder: Path, force: bool) -> None:
    """The cases as a table one could have at home, and the card.toml a person would write."""
    sources = {
        "cases.csv": breast_masses(),
        "card.toml": read_bytes(examples_folder() / "demo" / "card.toml", 1 << 20),
    }
    for name, content in sources.items():
        # A table says nothing of who wrote it, but this one may be replaced by the same again.
        file = folder / name
        same = file.is_file() and read_bytes(file, 1 << 30) == content
        claim([file], force=force or same)
    claim((folder / name for name in [*FILES, *PICTURES] if name not in sources), force=force)
    for name, content in sources.items():
        write_bytes(folder / name, content)

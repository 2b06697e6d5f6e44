from __future__ import annotations

import shlex
import time
from contextlib import nullcontext, redirect_stdout
from io import StringIO
from pathlib import Path

import click

from scorecard.cli import voice
from scorecard.cli.output import claim, force_option

ABOUT = """\
# Written by scorecard demo.
title = "Breast mass: malignant?"
outcome = "malignant"
population = "a breast mass with a fine-needle aspirate"
rule_out = "benign"
rule_in = "malignant"
undecided = "refer"
source = "Wisconsin breast cancer (UCI)"
version = "1"
date = "2026-11-16"
note = "An illustration, not a clinical tool."
"""

# The last word of a column's name says which of three figures of the cell nuclei it is.
KINDS = {"mean": "Mean {}", "error": "Spread of {}", "worst": "Largest {}"}

STEPS = (
    "fit {0}/cases.csv --outcome diagnosis --positive malignant --rule-out 5% --rule-in 95%"
    " --labels {0}/labels.toml -o {0}/model.json",
    "show {0}/model.json",
    "card {0}/model.json -o {0}/card-a6.pdf",
    "card {0}/model.json -o {0}/card-a6.png",
    "card {0}/model.json --size credit-card -o {0}/card-credit.pdf",
    "card {0}/model.json --size credit-card -o {0}/card-credit.png",
    "handout {0}/model.json -o {0}/handout.html",
    "export {0}/model.json --to python -o {0}/evaluator.py",
    "export {0}/model.json --to json -o {0}/card.json",
    "export {0}/model.json --to javascript -o {0}/evaluator.mjs",
    "export {0}/model.json --to sql -o {0}/evaluator.sql",
    "export {0}/model.json --to excel -o {0}/evaluator.xlsx",
    "evaluate {0}/cases.csv --outcome diagnosis --positive malignant --splits 10"
    " --rule-out 5% --rule-in 95% -o {0}/report.html",
    "check {0}/model.json {0}/card-a6.pdf {0}/card-credit.pdf {0}/handout.html {0}/evaluator.py"
    " {0}/card.json {0}/evaluator.mjs {0}/evaluator.sql {0}/evaluator.xlsx --table {0}/cases.csv",
)

FILES = {
    "cases.csv": "569 real cases that come with scikit-learn",
    "labels.toml": "title, words and labels for the card",
    "model.json": "the learned list: questions, points, risks, evidence",
    "card-a6.pdf": "the pocket card, also as card-a6.png",
    "card-credit.pdf": "the same on a credit card, also as card-credit.png",
    "handout.html": "one page that explains, calculates and prints",
    "report.html": "how good such lists are on cases that did not choose them",
    "evaluator.py": "a program that needs nothing but Python",
    "card.json": "the complete decision table for any other program",
    "evaluator.mjs": "the same as a JavaScript module",
    "evaluator.sql": "the same as one query",
    "evaluator.xlsx": "the same as a workbook",
}

PICTURES = ("card-a6.png", "card-credit.png")


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

    569 breast masses that come with scikit-learn. Every step is printed as the command one would
    type, with the time it took.

    \b
    Example:
      scorecard demo --out-dir output
    """
    from scorecard.files import create_folder

    folder = Path(out_dir)
    create_folder(folder)
    _write_cases(folder, force)
    for step in STEPS:
        _run(step.format(shlex.quote(folder.as_posix())), force)
    voice.say(f"\nIn {folder}:")
    width = max(map(len, FILES))
    for name, meaning in FILES.items():
        voice.say(f"  {name:<{width}}  {meaning}")


def _write_cases(folder: Path, force: bool) -> None:
    """The cases as a table one could have at home, and labels a person would write.

    Before anything is written it is certain that every file may be.
    """
    from scorecard.files import read_bytes, write_text
    from scorecard.learning.sample import breast_masses

    columns, values, outcomes = breast_masses()
    rows = [",".join([*columns, "diagnosis"])]
    rows += [
        ",".join([*map(repr, row), outcome]) for row, outcome in zip(values, outcomes, strict=True)
    ]
    table, text = folder / "cases.csv", "\n".join(rows) + "\n"
    # A table says nothing of who wrote it, but this one may be replaced by the same again.
    same = table.is_file() and read_bytes(table, 1 << 30) == text.encode()
    claim([table], force=force or same)
    claim((folder / name for name in [*FILES, *PICTURES] if name != table.name), force=force)
    write_text(table, text)
    labels = [f'[inputs.{name}]\nlabel = "{_label(name)}"\n' for name in columns]
    write_text(folder / "labels.toml", "\n".join([ABOUT, *labels]))


def _label(column: str) -> str:
    words = column.split("_")
    kind = next(word for word in KINDS if word in words)
    words.remove(kind)
    return KINDS[kind].format(" ".join(words))


def _run(step: str, force: bool) -> None:
    from scorecard.cli import cli

    voice.say(f"\n$ scorecard {step}")
    started = time.perf_counter()
    words = [*shlex.split(step), *voice.flags()]
    if force and " -o " in step:
        words.append("--force")
    # Of a quiet demo not even the results of its steps are wanted.
    with redirect_stdout(StringIO()) if voice.is_quiet() else nullcontext():
        code = cli.main(words, prog_name="scorecard", standalone_mode=False)
    if code:
        raise click.exceptions.Exit(code)
    voice.say(f"({time.perf_counter() - started:.1f} s)")

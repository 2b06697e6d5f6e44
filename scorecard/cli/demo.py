from __future__ import annotations

import shlex
import time
from pathlib import Path

import click

ABOUT = """\
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
    "fit {0}/cases.csv --outcome diagnosis --positive malignant"
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
    " -o {0}/report.html",
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


@click.command()
@click.option(
    "--out-dir",
    type=click.Path(file_okay=False),
    default="output",
    show_default=True,
    help="Folder for the files; it is created.",
)
def demo(out_dir: str) -> None:
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
    _write_cases(folder)
    for step in STEPS:
        _run(step.format(shlex.quote(folder.as_posix())))
    click.echo(f"\nIn {folder}:")
    width = max(map(len, FILES))
    for name, meaning in FILES.items():
        click.echo(f"  {name:<{width}}  {meaning}")


def _write_cases(folder: Path) -> None:
    """The cases as a table one could have at home, and labels a person would write."""
    from scorecard.files import write_text
    from scorecard.learning.example import breast_masses

    columns, values, outcomes = breast_masses()
    rows = [",".join([*columns, "diagnosis"])]
    rows += [
        ",".join([*map(repr, row), outcome]) for row, outcome in zip(values, outcomes, strict=True)
    ]
    write_text(folder / "cases.csv", "\n".join(rows) + "\n")
    labels = [f'[inputs.{name}]\nlabel = "{_label(name)}"\n' for name in columns]
    write_text(folder / "labels.toml", "\n".join([ABOUT, *labels]))


def _label(column: str) -> str:
    words = column.split("_")
    kind = next(word for word in KINDS if word in words)
    words.remove(kind)
    return KINDS[kind].format(" ".join(words))


def _run(step: str) -> None:
    from scorecard.cli import cli

    click.echo(f"\n$ scorecard {step}")
    started = time.perf_counter()
    code = cli.main(shlex.split(step), prog_name="scorecard", standalone_mode=False)
    if code:
        raise click.exceptions.Exit(code)
    click.echo(f"({time.perf_counter() - started:.1f} s)")

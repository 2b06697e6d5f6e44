from __future__ import annotations

import shlex
from pathlib import Path

import click

LIST = """\
title = "Sore throat"
outcome = "bacterial infection"
population = "adults with a sore throat"
rule_out = "no antibiotic"
rule_in = "treat"
undecided = "take a swab"
source = "invented"
note = "An illustration with invented figures, not a clinical tool."

[[questions]]
ask = "Temperature"
input = "temperature"
at_least = 38
unit = "°C"
points = 2

[[questions]]
ask = "Cough"
input = "cough"
points = -1

[[questions]]
ask = "Swollen lymph nodes"
input = "nodes"
points = 2

[[questions]]
ask = "Age"
input = "age"
below = 15
unit = "years"
points = 1

[risks_after.0]
0 = 0.3

[risks_after.1]
0 = 0.15
2 = 0.5

[risks_after.2]
-1 = 0.04
0 = 0.2
1 = 0.4
2 = 0.55

[risks_after.3]
-1 = 0.03
0 = 0.1
1 = 0.3
2 = 0.45
3 = 0.8
4 = 0.96

[risks]
-1 = 0.02
0 = 0.05
1 = 0.2
2 = 0.4
3 = 0.7
4 = 0.95
5 = 0.98
"""

CASES = """\
patient,temperature,cough,nodes,age
A,38.6,no,yes,34
B,37.2,yes,no,51
C,38.1,unknown,yes,12
D,37.9,no,,40
"""


@click.command()
@click.option(
    "--out-dir",
    type=click.Path(file_okay=False),
    default="output",
    show_default=True,
    help="Folder for the files; it is created.",
)
def demo(out_dir: str) -> None:
    """Show what scorecard does, step by step.

    Writes a small list as a person would, then checks, prints and applies it. Every step is printed
    as the command one would type.

    \b
    Example:
      scorecard demo --out-dir output
    """
    from scorecard.exporting.json_document import read_list, write_list
    from scorecard.files import write_text

    folder = Path(out_dir)
    _create(folder)
    written, model, cases, decided = (
        folder / name for name in ("throat.toml", "throat.json", "patients.csv", "decided.csv")
    )
    click.echo(f"A list written by hand: {written}, its document: {model}, cases: {cases}.")
    write_text(written, LIST)
    write_text(cases, CASES)
    write_list(read_list(written), model)
    _step("validate", str(model))
    _step("show", str(model))
    _step("apply", str(model), str(cases), "-o", str(decided))
    click.echo(decided.read_text(encoding="utf-8"))


def _create(folder: Path) -> None:
    from scorecard.errors import ScorecardError

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ScorecardError(f"{str(folder)!r} cannot be created: {error.strerror}.") from error


def _step(*arguments: str) -> None:
    from scorecard.cli import cli

    click.echo(f"\n$ scorecard {shlex.join(arguments)}")
    cli.main(list(arguments), prog_name="scorecard", standalone_mode=False)

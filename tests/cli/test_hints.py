"""Advice is true: what a hint of `fit` recommends is tried on a table where it appears."""

import random
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.cli.conftest import Run

QUICK = ("--max-questions", 1, "--evidence", "training")
CASES = 120
Maker = Callable[[int, bool, random.Random], object]
"""A cell from the number of its row, its outcome, and chance."""


def written(path: Path, columns: dict[str, Maker], outcome: tuple[str, str]) -> Path:
    """A table with these columns, one of chance, and an outcome that goes with age."""
    chance = random.Random(7)
    lines = [";".join([*columns, "age", "weight", "end"])]
    for row in range(CASES):
        age = chance.randint(20, 90)
        ill = chance.random() < age / 110
        cells = [make(row, ill, chance) for make in columns.values()]
        lines.append(";".join(map(str, [*cells, age, chance.randint(450, 990) / 10, outcome[ill]])))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


# The column of each hint, what is said about it, and everything that is recommended.
HINTS: dict[str, tuple[Maker, str, Sequence[Sequence[object]]]] = {
    "pairs of numbers": (
        lambda row, _ill, _chance: f"{100 + row % 40}/{60 + row % 30}",
        "or say --set category=x or --drop x",
        [["--set", "category=x"], ["--drop", "x"]],
    ),
    "codes": (
        lambda row, _ill, _chance: row % 4,
        "--set category=x, and --set number=x where they are a scale",
        [["--set", "category=x"], ["--set", "number=x"]],
    ),
    "ids of patients": (
        lambda row, _ill, _chance: row // 3 + 1,
        "Say --group x, or --drop x if they are",
        [["--group", "x"], ["--drop", "x"]],
    ),
    "names of patients": (
        lambda row, _ill, _chance: f"name {row // 3 % 33}{row % 7}",
        "say --group x",
        [["--group", "x"]],
    ),
    "row numbers": (
        lambda row, _ill, _chance: row * 7 % CASES + 1,
        "looks like an id, which says nothing about new patients; it is left out unless you say"
        " --keep x",
        [["--drop", "x"], ["--keep", "x"]],
    ),
    "the outcome": (
        lambda _row, ill, chance: ill * 10 + chance.random(),
        "as one known only afterwards would; it is left out unless you say --keep x",
        [["--drop", "x"], ["--keep", "x"]],
    ),
    "nearly empty": (
        lambda row, _ill, chance: "" if row % 25 else chance.random(),
        "leave it out with --drop x, or ask whether it is there with --set missing=question",
        [["--drop", "x"], ["--set", "missing=question"]],
    ),
    "missing with the outcome": (
        lambda _row, ill, chance: "" if chance.random() < 0.1 + 0.6 * ill else chance.random(),
        "ask whether it is there with --set missing=question, or leave it out with --drop x",
        [["--drop", "x"], ["--set", "missing=question"]],
    ),
    "often unknown": (
        lambda _row, ill, chance: "" if chance.random() < 0.3 else ill + 2 * chance.random(),
        "--set missing=mode gives them the commonest value, --drop leaves the column out",
        [["--drop", "x"], ["--set", "missing=mode"]],
    ),
}


@pytest.mark.parametrize("name", HINTS)
def test_a_hint_about_a_column_can_be_followed(run: Run, tmp_path: Path, name: str) -> None:
    maker, said, ways = HINTS[name]
    table = written(tmp_path / "t.csv", {"x": maker}, ("no", "yes"))
    command = ("fit", table, "--outcome", "end", "-o", tmp_path / "m.json", *QUICK)
    assert said in run(*command).err
    for way in ways:
        done = run(*command, *way)
        assert done.code == 0, (way, done.err)
        assert said not in done.err, way


def test_hints_about_how_a_file_is_written_can_be_followed(run: Run, tmp_path: Path) -> None:
    table = written(tmp_path / "t.csv", {}, ("no", "yes"))
    command = ("fit", table, "--outcome", "end", "-o", tmp_path / "m.json", *QUICK)
    table.write_text(table.read_text("utf-8").replace(".", ","), encoding="utf-8")
    assert "has a decimal comma; add --decimal , or write" in run(*command).err
    assert run(*command, "--decimal", ",").code == 0
    table.write_text(table.read_text("utf-8").replace(",", ".").replace("no", "nö"), "latin-1")
    assert "for instance --set encoding=latin-1" in run(*command).err
    said = run(*command, "--set", "encoding=latin-1").err
    ways = re.findall(r"--positive '?(\w+)", said)
    assert ways == ["yes", "nö"]
    for value in ways:
        assert run(*command, "--set", "encoding=latin-1", "--positive", value).code == 0


@pytest.mark.parametrize(("cells", "said"), [("999", "999 in 5 cases, far from"), ("-9", "has -9")])
def test_cells_that_stand_for_unknown_are_emptied(
    run: Run, tmp_path: Path, cells: str, said: str
) -> None:
    column = {"x": lambda row, _ill, chance: "@" if row % 24 == 3 else chance.randint(10, 80)}
    table = written(tmp_path / "t.csv", column, ("no", "yes"))
    command = ("fit", table, "--outcome", "end", "-o", tmp_path / "m.json", *QUICK)
    text = table.read_text("utf-8")
    table.write_text(text.replace("@", cells), encoding="utf-8")
    assert said in run(*command).err
    table.write_text(text.replace("@", ""), encoding="utf-8")
    done = run(*command)
    assert done.code == 0
    assert said not in done.err


def test_rows_that_stand_there_twice_are_kept_once(run: Run, tmp_path: Path) -> None:
    column = {"x": lambda _row, _ill, chance: chance.random()}
    table = written(tmp_path / "t.csv", column, ("no", "yes"))
    command = ("fit", table, "--outcome", "end", "-o", tmp_path / "m.json", *QUICK)
    head, *rows = table.read_text("utf-8").splitlines()
    table.write_text("\n".join([head, *rows, *rows[:20]]) + "\n", encoding="utf-8")
    assert "20 of 140 rows are the same as another one" in run(*command).err
    with_name = [f"{row};p{number % len(rows)}" for number, row in enumerate([*rows, *rows[:20]])]
    table.write_text("\n".join([f"{head};patient", *with_name]) + "\n", encoding="utf-8")
    assert "rows are the same" not in run(*command, "--group", "patient").err
    table.write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
    assert "rows are the same" not in run(*command).err


def test_limits_that_few_cases_cannot_show_are_loosened(run: Run, tmp_path: Path) -> None:
    table, model = written(tmp_path / "t.csv", {}, ("no", "yes")), tmp_path / "m.json"
    command = ("fit", table, "--outcome", "end", "-o", model, "--max-questions", 1)
    strict = run(*command, "--set", "held_out=1/2", "--evidence", "held-out", "--rule-out", "2%")
    assert "so nobody will stop with “rule out”; use more cases" in strict.err
    assert "--evidence cross-validated, which counts them all, or a higher --rule-out" in strict.err
    loose = run(*command, "--set", "held_out=1/2", "--evidence", "held-out", "--rule-out", "20%")
    assert "so nobody will stop with “rule out”" not in loose.err


def test_limits_on_either_side_of_the_base_rate_leave_something_to_ask(
    run: Run, tmp_path: Path
) -> None:
    table, model = written(tmp_path / "t.csv", {}, ("no", "yes")), tmp_path / "m.json"
    assert run("fit", table, "--outcome", "end", "-o", model, *QUICK, "--by", "point").code == 0
    done = run("show", model, "--rule-out", "90%", "--rule-in", "95%")
    base = re.search(
        r"The base rate is ([0-9.]+)\. Choose --rule-out below, --rule-in above", done.err
    )
    assert base, done.err
    limits = f"{float(base[1]) / 2:.3f}", f"{(1 + float(base[1])) / 2:.3f}"
    shown = run("show", model, "--rule-out", limits[0], "--rule-in", limits[1])
    assert shown.code == 0, shown.err

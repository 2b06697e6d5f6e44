from pathlib import Path

import pytest

from scorecard.documents.json_document import read_list, short_hash
from tests.cli.conftest import Run

LIMITS = ("--rule-out", "10%", "--rule-in", "90%")


def test_the_staircase_as_filed_and_its_hash(run: Run, table_1: Path) -> None:
    done = run("show", table_1, *LIMITS)
    assert done.code == 0
    title, *_ = done.out.splitlines()
    assert title.startswith("Table 1  ")
    assert "f1: no" not in done.out
    assert "After question 4   ≤ −1         ≥ 3         0 to 2" in done.out
    assert title.split()[-1] == short_hash(read_list(table_1))


def test_in_german(run: Run, table_1: Path) -> None:
    assert "Nach Frage 4" in run("show", table_1, *LIMITS, "--language", "de").out


def test_no_escape_sequences_where_there_is_no_terminal(run: Run, table_1: Path) -> None:
    assert "\x1b" not in run("show", table_1, *LIMITS).out


def test_limits_that_leave_nothing_to_ask(run: Run, table_1: Path) -> None:
    done = run("show", table_1, "--rule-out", "35%", "--rule-in", "90%")
    assert done.code == 1
    assert "The base rate is 0.3" in done.err


@pytest.mark.parametrize("name", ["table-1", "centor", "curb-65", "marburg-heart-score"])
def test_the_examples_are_shown(run: Run, root: Path, name: str) -> None:
    done = run("show", root / "examples" / "published" / f"{name}.toml", "--rule-out", "9%")
    assert done.code == 0, done.err
    assert "illustration" in done.out
    assert max(map(len, done.out.splitlines())) <= 80

"""A few of the tables of `make fuzz`, and the second reading finds what is planted."""

from dataclasses import replace
from pathlib import Path

import pytest

from scorecard.tables.cases import read_cases
from tests.exhaustive import many
from tests.tables.fuzz import FINE, misread, tried


@pytest.mark.parametrize("seed", range(0, many(120), 2))
def test_tables_made_by_chance(tmp_path: Path, seed: int) -> None:
    assert tried(seed, tmp_path) in FINE


def test_a_wrong_cell_is_found(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("x,ill\n1.5,yes\n2.5,no\nNA,no\n")
    cases = read_cases(path, "ill")
    assert misread(path, cases) == []
    spoiled = replace(cases, inputs=cases.inputs.fill_null(0.0))
    assert misread(path, spoiled) == ["'x': 'NA' became 0.0, not None"]

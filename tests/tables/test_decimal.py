"""Tables with decimal commas: read as numbers where it is said, and never guessed."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorecard.core.build_staircase import build_staircase
from scorecard.core.model import Condition, Question, Risk, ScoringList, Stage
from scorecard.core.policy import StoppingPolicy
from scorecard.errors import TableError
from scorecard.tables.apply import applied
from scorecard.tables.cases import read_cases
from scorecard.tables.read_table import open_table


def table(folder: Path, *cells: str, name: str = "cases.csv") -> Path:
    path = folder / name
    rows = [f"{cell};{'yes' if number % 2 else 'no'}" for number, cell in enumerate(cells)]
    path.write_text("\n".join(["crp;ill", *rows]) + "\n", encoding="utf-8")
    return path


def test_commas_are_numbers_where_it_is_said(tmp_path: Path) -> None:
    path = table(tmp_path, "1,5", " 2 ", "", "-0,25", ",5", "3,", "1,5e2")
    cases = read_cases(path, "ill", decimal=",")
    assert cases.inputs["crp"].to_list() == [1.5, 2.0, None, -0.25, 0.5, 3.0, 150.0]


@given(st.lists(st.floats(-1e6, 1e6).filter(bool), min_size=2, max_size=20, unique=True))
def test_a_comma_is_read_like_a_point(
    tmp_path_factory: pytest.TempPathFactory, numbers: list[float]
) -> None:
    folder = tmp_path_factory.mktemp("decimal")
    points = [repr(number) for number in numbers]
    read = [
        read_cases(table(folder, *cells), "ill", decimal=decimal, missing="question")
        for cells, decimal in ((points, "."), ([p.replace(".", ",") for p in points], ","))
    ]
    assert read[0].dropped == read[1].dropped
    assert read[0].inputs.equals(read[1].inputs)


def test_a_point_among_commas_is_refused(tmp_path: Path) -> None:
    path = table(tmp_path, "1,5", "2.5")
    with pytest.raises(TableError, match=r"row 2 \(line 3\): '2\.5' has a decimal point, but"):
        read_cases(path, "ill", decimal=",")


@pytest.mark.parametrize("cells", [("1,5", "2,5"), ("1", "2", "3,5")])
def test_commas_that_nobody_told_are_refused_with_the_option(
    tmp_path: Path, cells: tuple[str, ...]
) -> None:
    with pytest.raises(TableError, match=r"has a decimal comma; add `decimal=','` or write"):
        read_cases(table(tmp_path, *cells), "ill")


def test_texts_keep_their_commas(tmp_path: Path) -> None:
    path = table(tmp_path, "left, right", "right", "left, right", "right")
    cases = read_cases(path, "ill", decimal=",")
    assert cases.inputs["crp"].to_list() == ["left, right", "right"] * 2


def test_a_list_is_applied_to_commas_and_the_texts_stay(tmp_path: Path) -> None:
    scoring_list = ScoringList(
        (Question("crp", 1, Condition(">=", 2.5)),),
        (Stage((0,), (Risk(0.5),)), Stage((0, 1), (Risk(0.1), Risk(0.9)))),
    )
    policy = StoppingPolicy(rule_out=0.2, rule_in=0.8, by="point")
    source = open_table(table(tmp_path, "2,4", "2,5", ""), decimal=",")
    (piece,) = applied(build_staircase(scoring_list, policy), source)
    assert piece.frame["decision"].to_list() == ["rule out", "rule in", "unknown"]
    assert piece.frame["crp"].to_list()[:2] == ["2,4", "2,5"]


def test_a_category_with_a_comma_is_learned_and_applied_alike(tmp_path: Path) -> None:
    path = table(tmp_path, *["1,5", "high", "low", "high", "low", "1,5"] * 4)
    cases = read_cases(path, "ill", decimal=",")
    assert set(cases.inputs["crp"]) == {"1.5", "high", "low"}
    condition = Condition("in", categories=("1.5",), choices=("1.5", "high", "low"))
    scoring_list = ScoringList(
        (Question("crp", 1, condition),),
        (Stage((0,), (Risk(0.5),)), Stage((0, 1), (Risk(0.1), Risk(0.9)))),
    )
    policy = StoppingPolicy(rule_out=0.2, rule_in=0.8, by="point")
    (piece,) = applied(build_staircase(scoring_list, policy), open_table(path, decimal=","))
    assert piece.frame["decision"].to_list()[:2] == ["rule in", "rule out"]


def test_thousands_are_named(tmp_path: Path) -> None:
    with pytest.raises(TableError, match=r"'1\.234,5' has a mark between thousands"):
        read_cases(table(tmp_path, "1", "2", "3", "1.234,5"), "ill", decimal=",")

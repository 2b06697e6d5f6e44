"""A table to learn from: what becomes an input, what is left out, what is refused."""

from datetime import date
from pathlib import Path

import pandas as pd
import polars as pl
import pytest

from scorecard.errors import TableError
from scorecard.tables.cases import read_cases

ROWS = 12


def table(**columns: list[object]) -> pl.DataFrame:
    """A table of 12 rows with an outcome; short columns are repeated."""
    repeated = {name: (values * ROWS)[:ROWS] for name, values in columns.items()}
    return pl.DataFrame({**repeated, "ill": ["yes", "no"] * (ROWS // 2)})


def written(frame: pl.DataFrame, folder: Path) -> Path:
    path = folder / "t.csv"
    frame.write_csv(path)
    return path


@pytest.mark.parametrize(
    ("values", "kind", "understood"),
    [
        (["1", "2.5", "-3e1", " .5 "], pl.Float64, [1.0, 2.5, -30.0, 0.5]),
        (["1", "NA", "", "3"], pl.Float64, [1.0, None, None, 3.0]),
        (["yes", "No", "unknown"], pl.Boolean, [True, False, None]),
        (["ja", "nein"], pl.Boolean, [True, False]),
        (["t", "f", "1"], pl.Boolean, [True, False, True]),
        (["yes", "no", "1.00"], pl.Boolean, [True, False, True]),
        (["a", " b ", "?"], pl.String, ["a", "b", None]),
        (["yes", "no", "maybe"], pl.String, ["yes", "no", "maybe"]),
        ([1, 2, None], pl.Float64, [1.0, 2.0, None]),
        ([0.5, float("nan"), 1.5], pl.Float64, [0.5, None, 1.5]),
        ([True, False, None], pl.Boolean, [True, False, None]),
    ],
)
def test_kinds_of_columns(
    values: list[object], kind: pl.DataType, understood: list[object]
) -> None:
    cases = read_cases(table(x=values, y=["p", "q", "r", "p", "q"]), "ill")
    column = cases.inputs["x"]
    assert column.dtype == kind
    assert column.head(len(understood)).to_list() == understood


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        (["same"], "it is always 'same'"),
        ([3.0, None], "it is always 3.0"),
        (["", "NA"], "it is empty"),
        (list(range(100, 100 + ROWS)), "it numbers the rows"),
        ([2.0, 1.0], "it is the same as 'first'"),
    ],
)
def test_useless_columns_are_dropped_with_the_reason(values: list[object], reason: str) -> None:
    cases = read_cases(table(first=[2.0, 1.0], x=values), "ill")
    assert cases.inputs.columns == ["first"]
    assert cases.dropped == (("x", reason),)


def test_names_and_free_text_are_dropped() -> None:
    names = pl.DataFrame(
        {
            "name": [f"patient {n}" for n in range(300)],
            "text": [f"remark {n // 2}" for n in range(300)],
            "age": [n % 7 for n in range(300)],
            "ill": [n % 2 for n in range(300)],
        }
    )
    assert read_cases(names, "ill").dropped == (
        ("name", "every row has another text, for instance 'patient 0'"),
        ("text", "it has 150 different texts, for instance 'remark 0'"),
    )


def test_a_constant_column_with_gaps_stays_if_gaps_are_asked_for() -> None:
    frame = table(x=[3.0, None])
    assert read_cases(frame, "ill", missing="question").inputs.columns == ["x"]


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        (["1", "2", "old"], "t.csv, column 'x', row 3 (line 4): 'old' is not a number, but most"),
        (["1", "2", "3,5"], "row 3 (line 4): '3,5' has a decimal comma"),
        (["1,5", "2,5"], "row 1 (line 2): '1,5' has a decimal comma"),
        (["1", "inf"], "row 2 (line 3): 'inf' is not a number"),
        (["1", "1e999"], "row 2 (line 3): inf is not a finite number"),
    ],
)
def test_unclear_columns_are_refused(tmp_path: Path, values: list[object], complaint: str) -> None:
    with pytest.raises(TableError) as refusal:
        read_cases(written(table(x=values), tmp_path), "ill")
    assert complaint in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ([date(2020, 1, 1), date(2020, 1, 2)], "it has dates or times; turn them into a number"),
        (["2020-01-31", "2020-02-01"], "it has dates or times"),
        (["31.1.2020", "1.2.2020"], "it has dates or times"),
        ([[1], [2]], "it is of the kind List"),
    ],
)
def test_what_cannot_be_asked_for_is_left_out_with_the_reason(
    values: list[object], reason: str
) -> None:
    found = read_cases(table(x=values, age=[30, 40, 50]), "ill")
    assert found.inputs.columns == ["age"]
    assert [name for name, why in found.dropped if why.startswith(reason)] == ["x"]
    assert not found.repeated


@pytest.mark.parametrize(
    ("values", "positive", "label", "positives"),
    [
        (["yes", "No", "no"], None, "yes", 4),
        (["1", "0"], None, "1", 6),
        (["1.0", "0.0"], None, "1.0", 6),
        ([True, False], None, "true", 6),
        ([1.0, 0.0], None, "1", 6),
        (["sick", "well"], "sick", "sick", 6),
        ([2, 1], "2", "2", 6),
        (["2.0", "1.0"], "2", "2.0", 6),
        (["a", "b", "c"], "b", "b", 4),
        (["+", "-"], None, "+", 6),
    ],
)
def test_outcomes(values: list[object], positive: str | None, label: str, positives: int) -> None:
    frame = table(x=[1, 2, 4], out=values)
    cases = read_cases(frame.drop("ill"), "out", positive=positive)
    assert (cases.positive, cases.positives) == (label, positives)


@pytest.mark.parametrize(
    ("values", "positive", "complaint"),
    [
        (["sick", "well"], None, "which value is the positive one? It has 'sick', 'well'"),
        (["sick", "well"], "ill", "the positive value 'ill' is not there"),
        (["a", "b", "c"], "d", "the positive value 'd' is not there; it has 'a', 'b', 'c'"),
        (["a", "b", "c"], None, "It has 3: 'a', 'b', 'c'; `positive='c'` would take that one"),
        (["yes"], None, "it is always 'yes'"),
        (["", "NA"], None, "every outcome is missing"),
    ],
)
def test_outcomes_that_cannot_be_used(
    values: list[object], positive: str | None, complaint: str
) -> None:
    with pytest.raises(TableError) as refusal:
        read_cases(table(x=[1, 2, 4], out=values).drop("ill"), "out", positive=positive)
    assert complaint in str(refusal.value)
    assert "column 'out'" in str(refusal.value)


def test_rows_without_an_outcome_are_left_out() -> None:
    frame = table(x=[1, 2, 4], out=["yes", "no", ""]).drop("ill")
    cases = read_cases(frame, "out")
    assert (cases.inputs.height, cases.without_outcome) == (8, 4)
    assert cases.inputs["x"].unique().sort().to_list() == [1.0, 2.0]


def test_columns_are_chosen_by_name() -> None:
    frame = table(a=[1, 2, 4], b=[1, 4, 2], c=[2, 4, 1])
    assert read_cases(frame, "ill", drop=["b"]).inputs.columns == ["a", "c"]
    assert read_cases(frame, "ill", only=["c", "a"]).inputs.columns == ["a", "c"]
    with pytest.raises(TableError, match="no column 'bb'; did you mean 'b'"):
        read_cases(frame, "ill", drop=["bb"])
    with pytest.raises(TableError, match="can be neither an input nor dropped"):
        read_cases(frame, "ill", drop=["ill"])
    with pytest.raises(TableError, match="no column is left"):
        read_cases(frame, "ill", drop=["a", "b", "c"])


def test_files_and_data_frames_are_alike(tmp_path: Path) -> None:
    frame = table(a=[1.5, None, 2.0], b=["x", "y"], c=["yes", "no", "no"])
    path = written(frame, tmp_path)
    frame.write_parquet(tmp_path / "t.parquet")
    from_csv = read_cases(path, "ill")
    for other in (frame, frame.to_pandas(), tmp_path / "t.parquet"):
        cases = read_cases(other, "ill")
        assert cases.inputs.equals(from_csv.inputs)
        assert cases.outcome.equals(from_csv.outcome)
    assert (from_csv.file, len(from_csv.sha256)) == ("t.csv", 64)
    assert read_cases(pd.DataFrame(frame.to_dict(as_series=False)), "ill").file == ""


def test_what_is_no_table_is_refused() -> None:
    with pytest.raises(TableError, match="int is neither the path of a table nor a data frame"):
        read_cases(7, "ill")
    with pytest.raises(TableError, match="the table has no rows"):
        read_cases(table(a=[1, 2]).clear(), "ill")


@pytest.mark.parametrize(("yes", "no"), [("1.00", "0.00"), ("1.0", "0.0"), ("Ja", "nein")])
def test_an_outcome_in_words_for_yes_and_no_needs_no_positive(
    tmp_path: Path, yes: str, no: str
) -> None:
    path = tmp_path / "t.csv"
    path.write_text(
        "age,ill\n" + "".join(f"{7 * n % 5},{yes if n % 3 else no}\n" for n in range(12)),
        encoding="utf-8",
    )
    cases = read_cases(path, "ill")
    assert (cases.positive, cases.positives) == (yes, 8)


def test_an_outcome_that_never_differs_is_named_as_such(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("age,ill\n1,2\n3,2\n", encoding="utf-8")
    with pytest.raises(TableError, match=r"it is always '2'; nothing can be learned"):
        read_cases(path, "ill")

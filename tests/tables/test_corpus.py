"""Tables as people have them, each as a small file, with the reading that is expected.

The files are made here. A case is the file, the options, and either what the columns become, what
is left out and doubted, or the line that refuses it.
"""

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import openpyxl
import pandas as pd
import polars as pl
import pytest

from scorecard.errors import TableError
from scorecard.tables.cases import Cases, read_cases
from scorecard.tables.suspicions import doubts

ROWS = 40
AGES = [30 + place * 7 % 50 + place % 3 / 4 for place in range(ROWS)]
ILL = ["yes" if place * 11 % 17 < 6 else "no" for place in range(ROWS)]


def repeated(values: Sequence[object]) -> list[object]:
    return [values[place % len(values)] for place in range(ROWS)]


def csv_of(*values: object, name: str = "x") -> bytes:
    """Age, a column with these values again and again, and the outcome."""
    rows = zip(AGES, repeated(values), ILL, strict=True)
    text = f'age,{name},ill\n{chr(10).join(f"""{age},"{x}",{ill}""" for age, x, ill in rows)}\n'
    return text.encode()


def frame_of(**columns: Sequence[object]) -> pd.DataFrame:
    made = {name: repeated(values) for name, values in columns.items()}
    return pd.DataFrame({"age": AGES, **made, "ill": ILL})


def parquet_of(frame: pd.DataFrame) -> bytes:
    buffer = io.BytesIO()
    frame.to_parquet(buffer)
    return buffer.getvalue()


def workbook(*sheets: Sequence[Sequence[object]]) -> bytes:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for number, rows in enumerate(sheets, 1):
        sheet = book.create_sheet(f"sheet {number}")
        for row in rows:
            sheet.append(list(row))
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def sheet_of(frame: pd.DataFrame) -> list[list[object]]:
    return [list(frame.columns), *frame.to_numpy().tolist()]


@dataclass(frozen=True)
class Case:
    """A file with its options and what is expected of it."""

    name: str
    file: str
    content: bytes
    expected: dict[str, list[object]] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)
    dropped: dict[str, str] = field(default_factory=dict)
    doubt: str = ""
    refused: str = ""
    check: Callable[[Cases], bool] = lambda _: True


R = "\n".join(
    [
        '"","age","ill"',
        *(f'"{n}",{age},"{ill}"' for n, (age, ill) in enumerate(zip(AGES, ILL, strict=True), 1)),
    ]
)
PANDAS = pd.DataFrame({"age": AGES, "ill": ILL})
SUBSET = PANDAS.iloc[::2].to_csv().encode()
NO_NAME = "it has no name and numbers the rows"

CORPUS = [
    # Ordinary files
    Case("R", "t.csv", R.encode(), {"age": [30]}, dropped={"column 1": NO_NAME}),
    Case("pandas", "t.csv", PANDAS.to_csv().encode(), {"age": [30]}, dropped={"column 1": NO_NAME}),
    Case("a part of it", "t.csv", SUBSET, {"age": [30]}, dropped={"column 1": NO_NAME}),
    Case(
        "written twice",
        "t.csv",
        pd.read_csv(io.BytesIO(PANDAS.to_csv().encode())).to_csv().encode(),
        {"age": [30]},
        dropped={"column 1": NO_NAME, "Unnamed: 0": NO_NAME},
    ),
    Case("no name, values", "t.csv", csv_of(2.5, 3.5, 4, name=""), {"column 2": [2.5, 3.5, 4]}),
    Case(
        "no name, Parquet",
        "t.parquet",
        parquet_of(frame_of(**{"": [2.5, 3.5, 4]})),
        {"column 2": [2.5, 3.5, 4]},
    ),
    Case(
        "row numbers, Parquet",
        "t.parquet",
        parquet_of(pd.DataFrame({"": range(ROWS), "age": AGES, "ill": ILL})),
        {"age": [30]},
        dropped={"column 1": NO_NAME},
    ),
    Case(
        "index, Parquet",
        "t.parquet",
        parquet_of(PANDAS.set_index(pd.Index([place * 7 % 41 for place in range(ROWS)]))),
        {"age": [30]},
        dropped={"__index_level_0__": NO_NAME},
    ),
    Case("Excel", "t.xlsx", workbook(sheet_of(frame_of(x=[1.5, None, 2]))), {"x": [1.5, None, 2]}),
    Case(
        "Excel with its index",
        "t.xlsx",
        workbook(
            [
                ["", "age", "ill"],
                *([n, a, i] for n, (a, i) in enumerate(zip(AGES, ILL, strict=True))),
            ]
        ),
        {"age": [30]},
        dropped={"column 1": NO_NAME},
    ),
    Case(
        "Excel, a sheet by name",
        "t.xlsx",
        workbook([["notes"]], sheet_of(frame_of(x=["1,5", 2.5]))),
        {"x": [1.5, 2.5]},
        {"sheet": "sheet 2", "decimal": ","},
    ),
    Case(
        "Excel, several sheets",
        "t.xlsx",
        workbook([["notes"]], sheet_of(PANDAS)),
        refused="t.xlsx has several sheets; add `sheet` with one of 'sheet 1', 'sheet 2'.",
    ),
    Case(
        "Excel, a formula nobody has calculated",
        "t.xlsx",
        workbook([["age", "ill"], [30, "yes"], ["=A2+1", "no"]]),
        refused="t.xlsx, cell A3: the formula '=A2+1' has no value; open the file in a spreadsheet",
    ),
    Case(
        "Excel, a date",
        "t.xlsx",
        workbook(sheet_of(frame_of(x=[pd.Timestamp(2020, 1, 1).to_pydatetime()]))),
        dropped={"x": "it has dates or times; turn them into a number, for instance an age"},
    ),
    Case(
        "several columns to drop",
        "t.csv",
        csv_of("a", "b"),
        {"age": [30]},
        {"drop": ["x, ill2"]},
        refused="there is no column 'ill2'; did you mean 'ill'?",
    ),
    # Columns are what they are
    Case(
        "codes",
        "t.csv",
        csv_of(1, 2, 3, name="race"),
        {"race": [1, 2, 3]},
        doubt="Column 'race': few whole numbers (1, 2, 3), taken for a scale",
    ),
    Case(
        "codes, said so",
        "t.csv",
        csv_of(1, 2, 3, name="race"),
        {"race": ["1", "2", "3"]},
        {"kinds": {"race": "category"}},
    ),
    Case(
        "codes, in two ways of writing",
        "t.csv",
        csv_of("1.0", "1", "2"),
        {"x": ["1", "1", "2"]},
        {"kinds": {"x": "category"}},
    ),
    Case(
        "codes, in Parquet",
        "t.parquet",
        parquet_of(frame_of(x=[1.0, None, 2.0])),
        {"x": ["1", None, "2"]},
        {"kinds": {"x": "category"}},
    ),
    Case("a scale", "t.csv", csv_of(1, 2, 3), {"x": [1, 2, 3]}, {"kinds": {"x": "number"}}),
    Case("yes-no", "t.csv", csv_of(1, 0), {"x": [True, False]}, {"kinds": {"x": "yes-no"}}),
    Case(
        "no yes-no",
        "t.csv",
        csv_of(1, 2),
        options={"kinds": {"x": "yes-no"}},
        refused="column 'x', row 2 (line 3): '2' says neither yes nor no, but `yes_no` was given",
    ),
    Case(
        "no number",
        "t.csv",
        csv_of("a", "b", "1"),
        options={"kinds": {"x": "number"}},
        refused="column 'x', row 1 (line 2): 'a' is not a number",
    ),
    *(
        Case(
            f"unit {unit}",
            "t.csv",
            csv_of(*texts),
            {"x": [45, 7.5, None]},
            check=lambda cases, unit=unit: cases.units == {"x": unit},
        )
        for unit, texts in {
            "mg": ("45 mg", "7.5 mg", "NA"),
            "mg/dl": ("45mg/dl", "7.5mg/dl", ""),
            "%": ("45%", "7.5 %", "?"),
            "€": ("€45", "€ 7.5", "-"),
            "$": ("45 $", "7.5$", "."),
            "°C": ("45 °C", "7.5 °C", "unknown"),
        }.items()
    ),
    Case(
        "a unit and a decimal comma",
        "t.csv",
        csv_of("4,5 mg", "7 mg").replace(b".", b""),
        {"x": [4.5, 7]},
        {"decimal": ","},
        check=lambda cases: cases.units == {"x": "mg"},
    ),
    Case(
        "two units",
        "t.csv",
        csv_of("45 mg", "0.5 g"),
        {"x": ["45 mg", "0.5 g"]},
        doubt="Column 'x' has texts like '45 mg' that are not all numbers with the same unit",
    ),
    Case(
        "two units, said so",
        "t.csv",
        csv_of("45 mg", "0.5 g"),
        {"x": ["45 mg", "0.5 g"]},
        {"kinds": {"x": "category"}},
    ),
    Case(
        "two numbers",
        "t.csv",
        csv_of("121/80", "140/95"),
        {"x": ["121/80"]},
        doubt="Column 'x' has texts like '121/80'",
    ),
    Case(
        "a unit among numbers",
        "t.csv",
        csv_of("45", "50", "45 mg"),
        refused="row 3 (line 4): '45 mg' is not a number, but most of the column are",
    ),
    Case(
        "thousands",
        "t.csv",
        csv_of("1,080,253", "999", "12,345"),
        refused="'1,080,253' has marks before three digits: write 1080253 if they mark thousands;",
    ),
    Case(
        "thousands or a decimal comma",
        "t.csv",
        csv_of("1,080", "2,500"),
        refused="write 1080 if they mark thousands and 1.080 if it is the decimal comma",
    ),
    Case(
        "a decimal comma for sure",
        "t.csv",
        csv_of("1,080", "2,5"),
        refused="'2,5' has a decimal comma; add `decimal=','` or write",
    ),
    Case(
        "bounds among numbers",
        "t.csv",
        csv_of("<0.01", "<0.01", "0.5"),
        refused="'<0.01' is no number but a bound; write a number in its place",
    ),
    Case("bands", "t.csv", csv_of("<18", "18-64", "65+"), {"x": ["<18", "18-64", "65+"]}),
    Case("stages", "t.csv", csv_of("1a", "1b", "2a"), {"x": ["1a", "1b", "2a"]}),
    Case("plus and minus", "t.csv", csv_of("+", "-", ""), {"x": ["+", "-", None]}),
    Case("minus among numbers", "t.csv", csv_of("1.5", "-", "2.5"), {"x": [1.5, None, 2.5]}),
    Case("minus among words", "t.csv", csv_of("a", "-", "b"), {"x": ["a", None, "b"]}),
    Case("blanks of all kinds", "t.csv", csv_of("a\x1f", "\xa0a", "b"), {"x": ["a", "a", "b"]}),
    Case("a NUL", "t.csv", csv_of("a\0", "b"), refused="contains a NUL character"),
    Case(
        "numbers beyond 2^53",
        "t.csv",
        csv_of(2**53 + 1, 2**53 + 3),
        {"age": [30]},
        dropped={
            "x": "9007199254740993 has more digits than can be compared; it is an id, or to be"
            " rounded"
        },
    ),
    Case(
        "numbers beyond 2^53 in Parquet",
        "t.parquet",
        parquet_of(frame_of(x=[2**53 + 1, 5])),
        {"age": [30]},
        dropped={
            "x": "9007199254740993 has more digits than can be compared; it is an id, or to be"
            " rounded"
        },
    ),
    Case("large numbers", "t.csv", csv_of("1e308", "-1e308", 1), {"x": [1e308, -1e308, 1]}),
    Case(
        "outcomes as bytes",
        "t.parquet",
        parquet_of(frame_of(x=[1.5, 2.5]).assign(ill=[word.encode() for word in ILL])),
        {"x": [1.5, 2.5]},
    ),
    Case(
        "one value against all others",
        "t.csv",
        csv_of(1.5, 2.5).replace(b",yes\n", b",2\n", 3).replace(b",yes\n", b",3\n"),
        {"x": [1.5, 2.5]},
        {"positive": "2"},
        check=lambda cases: cases.positives == 3 and cases.others == ("3", "no"),
    ),
]


@pytest.mark.parametrize("case", CORPUS, ids=lambda case: case.name)
def test_a_table_as_people_have_it(case: Case, tmp_path: Path) -> None:
    path = tmp_path / case.file
    path.write_bytes(case.content)
    if case.refused:
        with pytest.raises(TableError) as refusal:
            read_cases(path, "ill", **case.options)
        assert case.refused in str(refusal.value)
        assert "\n" not in str(refusal.value)
        return
    cases = read_cases(path, "ill", **case.options)
    for name, values in case.expected.items():
        assert cases.inputs[name].head(len(values)).to_list() == values
    assert dict(cases.dropped) == case.dropped
    messages = [one.message for one in doubts(cases)]
    assert bool(messages) == bool(case.doubt), messages
    assert not case.doubt or case.doubt in messages[0]
    assert case.check(cases)


def test_several_files_are_one_table(tmp_path: Path) -> None:
    half = ROWS // 2
    pl.DataFrame({"age": AGES[:half], "ill": ILL[:half]}).write_parquet(tmp_path / "part-1.parquet")
    pl.DataFrame({"ill": ILL[half:], "age": AGES[half:]}).write_parquet(tmp_path / "part-2.parquet")
    cases = read_cases(tmp_path / "part-*.parquet", "ill")
    assert cases.inputs["age"].to_list() == AGES
    assert cases.file == "part-1.parquet and 1 more file"
    with pytest.raises(TableError, match=r"part-1.parquet was given twice"):
        read_cases([tmp_path / "part-1.parquet", tmp_path / "part-1.parquet"], "ill")


def test_a_complaint_names_the_file_of_several(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("age,ill\n1,yes\n2,no\n3,no\n")
    (tmp_path / "b.csv").write_text("age,ill\n4,yes\nold,no\n")
    (tmp_path / "c.csv").write_text("agee,ill\n4,yes\n")
    with pytest.raises(TableError, match=r"^b.csv, column 'age', row 2 \(line 3\): 'old' is not"):
        read_cases([tmp_path / "a.csv", tmp_path / "b.csv"], "ill")
    with pytest.raises(TableError, match=r"c.csv: there is no column 'age' as in a.csv"):
        read_cases([tmp_path / "a.csv", tmp_path / "c.csv"], "ill")


def test_groups_are_kept_out_of_the_inputs() -> None:
    frame = frame_of(x=[1.5, 2.5]).assign(patient=[place // 2 for place in range(ROWS)])
    cases = read_cases(frame, "ill", group="patient")
    assert "patient" not in cases.inputs.columns
    assert cases.groups is not None
    assert cases.groups.to_list() == [str(place // 2) for place in range(ROWS)]
    with pytest.raises(TableError, match="row 1: every row needs its group"):
        read_cases(frame.assign(patient=[None, *range(1, ROWS)]), "ill", group="patient")

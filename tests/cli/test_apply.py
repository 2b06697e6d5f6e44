from pathlib import Path

import polars as pl
import pytest

from scorecard.core.model import Condition, Question, ScoringList, Seen
from scorecard.documents.json_document import write_list
from tests.cli.conftest import Run
from tests.lists import by_point, stage

CASES = "id,f3,f1,f2,f4\n007,no,yes,,\n 8 ,yes,no,yes,\n9,?,no,yes,\n"
LIMITS = ("--rule-out", "10%", "--rule-in", "90%")


ENDS = "1 ruled out, 1 ruled in, 0 undecided, 1 unknown"


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    path = tmp_path / "cases.csv"
    path.write_text(CASES)
    return path


def test_columns_are_added_and_texts_kept(
    run: Run, table_1: Path, cases: Path, tmp_path: Path
) -> None:
    done = run("apply", table_1, cases, "-o", tmp_path / "out.csv", *LIMITS)
    assert (done.code, done.err) == (0, "")
    assert done.out == f"Wrote {tmp_path / 'out.csv'}: 3 rows; {ENDS}.\n"
    assert (tmp_path / "out.csv").read_text() == (
        "id,f3,f1,f2,f4,decision,stage,total,probability,lower,upper,cases,positives,unknown\n"
        "007,no,yes,,,rule out,2,-2,0.1,,,,,\n"
        " 8 ,yes,no,yes,,rule in,3,2,0.9,,,,,\n"
        "9,?,no,yes,,unknown,4,,,,,,,f3; f4\n"
    )


@pytest.mark.parametrize(
    ("separator", "target", "number"),
    [
        (";", "out.csv", "0,1"),
        ("\t", "out.csv", "0,1"),  # a table of its own separator, written as it stood
        (",", "out.csv", '"0,1"'),
        (";", "out.tsv", "0,1"),
    ],
)
def test_numbers_are_written_as_the_table_writes_them(
    run: Run, table_1: Path, tmp_path: Path, separator: str, target: str, number: str
) -> None:
    table, out = tmp_path / "cases.csv", tmp_path / target
    weight = '"70,5"' if separator == "," else "70,5"
    rows = [["weight", "f3", "f1", "f2", "f4"], [weight, "no", "yes", "", ""]]
    table.write_text("\n".join(map(separator.join, rows)) + "\n")
    assert run("apply", table_1, table, "-o", out, *LIMITS, "--decimal", ",").code == 0
    between = "\t" if target.endswith("tsv") else separator
    assert out.read_text().splitlines()[1] == between.join(
        [weight, "no", "yes", "", "", "rule out", "2", "-2", number, *[""] * 5]
    )


def test_totals_as_filed(run: Run, table_1: Path, cases: Path, tmp_path: Path) -> None:
    run("apply", table_1, cases, "-o", tmp_path / "out.parquet", *LIMITS)
    out = pl.read_parquet(tmp_path / "out.parquet")
    assert out["total"].to_list() == [-2, 2, None]
    assert out["id"].to_list() == ["007", " 8 ", "9"]


def test_a_refusal_leaves_an_existing_file_alone(
    run: Run, table_1: Path, cases: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.csv"
    out.write_text("precious")
    cases.write_text(CASES + "10,maybe,,,\n")
    done = run("apply", table_1, cases, "-o", out, *LIMITS, "--force")
    assert done.code == 1
    assert "cases.csv, column 'f3', row 4 (line 5): 'maybe' is not understood" in done.err
    assert out.read_text() == "precious"
    assert not list(tmp_path.glob(".scorecard*"))


def test_a_clash_of_names_is_told_and_a_prefix_that_clashes_refused(
    run: Run, table_1: Path, cases: Path, tmp_path: Path
) -> None:
    cases.write_text(CASES.replace("id", "total"))
    out = tmp_path / "out.csv"
    done = run("apply", table_1, cases, "-o", out, *LIMITS)
    assert (done.code, "begin with 'scorecard_'" in done.out) == (0, True)
    assert out.read_text().startswith("total,f3,f1,f2,f4,scorecard_decision,scorecard_stage,")
    done = run("apply", table_1, cases, "-o", out, *LIMITS, "--prefix", "s_", "--force")
    assert (done.code, "s_decision" in out.read_text()) == (0, True)
    again = run("apply", table_1, out, "-o", tmp_path / "2.csv", *LIMITS, "--prefix", "s_")
    assert "--prefix" in again.err


def test_check_tries_the_rows_of_an_input_that_is_asked_twice(run: Run, tmp_path: Path) -> None:
    questions = (
        Question("bmi", 2, Condition(">=", 29.95)),
        Question("bmi", 1, Condition("missing")),
    )
    stages = (stage(p0=0.4), stage(p0=0.2, p2=0.9), stage(p0=0.1, p1=0.3, p2=0.8, p3=0.9))
    write_list(by_point(ScoringList(questions, stages)), tmp_path / "list.json")
    (tmp_path / "cases.csv").write_text("bmi,age\n31,5\n,6\n", encoding="utf-8")
    done = run("check", tmp_path / "list.json", "--table", tmp_path / "cases.csv")
    assert done.code == 0, done.err


@pytest.mark.parametrize("decimal", [".", ","])
def test_numbers_outside_what_the_list_has_seen_are_counted(
    run: Run, tmp_path: Path, decimal: str
) -> None:
    stages = (stage(p0=0.4), stage(p0=0.05, p1=0.95))
    question = Question("crea", 1, Condition(">=", 1.3), unit="mg/dl")
    seen = (Seen("crea", 0.6, 5.4, 0.4, 20.4),)
    write_list(ScoringList((question,), stages, seen=seen), tmp_path / "list.json")
    values = ["1.1", "7.8", "7.9", "106 mg/dl", "", "0.4", "unknown"]
    rows = "\n".join(["id;crea", *(f"7;{one}".replace(".", decimal) for one in values)])
    (tmp_path / "cases.csv").write_text(rows + "\n", encoding="utf-8")
    out = ["-o", tmp_path / "out.csv", "--decimal", decimal]
    done = run("apply", tmp_path / "list.json", tmp_path / "cases.csv", *out, *LIMITS)
    remark = "outside what the list has seen (0.6 to 5.4 mg/dl); unit?"
    assert done.err == f"Warning: Column 'crea': 2 numbers are {remark}\n"

from pathlib import Path

import polars as pl
import pytest

from tests.cli.conftest import Run

CASES = "id,f3,f1,f2,f4\n007,no,yes,,\n 8 ,yes,no,yes,\n9,?,no,yes,\n"
LIMITS = ("--rule-out", "10%", "--rule-in", "90%")


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
    assert done.out == f"Wrote {tmp_path / 'out.csv'}: 3 rows.\n"
    assert (tmp_path / "out.csv").read_text() == (
        "id,f3,f1,f2,f4,decision,stage,total,probability,lower,upper,unknown\n"
        "007,no,yes,,,rule out,2,0,0.1,,,\n"
        " 8 ,yes,no,yes,,rule in,3,4,0.9,,,\n"
        "9,?,no,yes,,unknown,4,,,,,f3; f4\n"
    )


def test_totals_as_learned(run: Run, table_1: Path, cases: Path, tmp_path: Path) -> None:
    run("apply", table_1, cases, "-o", tmp_path / "out.parquet", *LIMITS, "--as-learned")
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


def test_a_clash_of_names_offers_a_prefix(
    run: Run, table_1: Path, cases: Path, tmp_path: Path
) -> None:
    cases.write_text(CASES.replace("id", "total"))
    done = run("apply", table_1, cases, "-o", tmp_path / "out.csv", *LIMITS)
    assert "--prefix" in done.err
    done = run("apply", table_1, cases, "-o", tmp_path / "out.csv", *LIMITS, "--prefix", "s_")
    assert done.code == 0

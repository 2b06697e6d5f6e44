"""Cases that stay in a database: learned from there, and scored there."""

import sys
from pathlib import Path

import polars as pl
import pytest

from scorecard import ScoringListClassifier
from scorecard.documents.json_document import read_list
from scorecard.errors import TableError
from scorecard.tables import warehouse
from tests.cli.conftest import Run
from tests.learning.lazy_tables import random_cases

duckdb = pytest.importorskip("duckdb")

pytestmark = pytest.mark.usefixtures("folder")
SHORT = ["--outcome", "outcome", "--set", "folds=2", "--max-questions", "2"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A database and files with the same cases."""
    monkeypatch.chdir(tmp_path)
    table = random_cases(5, 200).drop("weight", "patient")
    said = pl.when(pl.col("flag") == 1).then(pl.lit("yes")).otherwise(pl.lit(" No "))
    table = table.with_columns(flag=said)
    connection = duckdb.connect("warehouse.duckdb")
    connection.register("given", table)
    connection.execute(
        "CREATE TABLE visits AS SELECT * REPLACE (CAST(lab AS DECIMAL(12, 2)) AS lab) FROM given"
    )
    connection.execute("CREATE TABLE other AS SELECT 1 AS a")
    connection.close()
    (tmp_path / "files").mkdir()
    table.write_parquet("files/part.parquet")
    table.write_csv("cases.csv")
    return tmp_path


def done(run: Run, *arguments: str) -> str:
    result = run(*arguments)
    assert result.code == 0, result.err
    return result.out


def refused(run: Run, *arguments: str) -> str:
    result = run(*arguments)
    assert result.code != 0
    assert len(result.err.strip().splitlines()) == 1, result.err
    return result.err


def test_the_same_list_from_a_database_a_query_a_folder_and_a_stream(run: Run) -> None:
    for number, given in enumerate(
        [
            ("warehouse.duckdb", "--sql", "FROM visits"),
            ("warehouse.duckdb", "--sql", "SELECT * FROM visits WHERE id >= 0;"),
            ("files",),
            ("files/*.parquet",),
            ("cases.csv", "--sql", "FROM cases"),
        ]
    ):
        done(run, "fit", *given, "--set", "key=id", *SHORT, "-o", f"{number}.json")
    lists = [read_list(f"{number}.json") for number in range(5)]
    for one in lists[1:]:
        assert (one.questions, one.stages) == (lists[0].questions, lists[0].stages)
        assert one.cross_validation == lists[0].cross_validation
    assert "id" not in {one.input for one in lists[0].questions}
    connection = duckdb.connect("warehouse.duckdb")
    tables = connection.execute("SELECT table_name FROM information_schema.tables").fetchall()
    assert sorted(tables) == [("other",), ("visits",)]


def test_what_is_larger_than_the_memory_is_counted_where_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert not warehouse.stays_where_it_is(["cases.csv", "files/part.parquet"])
    monkeypatch.setattr(warehouse, "_memory", lambda: 10_000)
    assert warehouse.stays_where_it_is(["cases.csv", "files/part.parquet"])
    assert not warehouse.stays_where_it_is(["cases.xlsx"])
    assert not warehouse.stays_where_it_is(["none.csv"])


def test_a_dropped_connection_is_one_line() -> None:
    found = warehouse.Warehouse.opened(["warehouse.duckdb"], "FROM visits")
    cases = warehouse.warehouse_cases(found, "outcome", key="id")
    found.connection.close()
    with pytest.raises(TableError) as caught:
        cases.teach(ScoringListClassifier(folds=2))
    assert str(caught.value).startswith("warehouse.duckdb: a query: ")
    assert "\n" not in str(caught.value)


def test_names_that_are_taken_in_a_database_get_the_prefix_of_files(run: Run) -> None:
    done(run, "fit", "cases.csv", *SHORT, "--by", "point", "--drop", "id", "-o", "model.json")
    with duckdb.connect("warehouse.duckdb") as connection:
        connection.execute("CREATE TABLE named AS SELECT *, 1 AS Stage FROM visits")
    limits = ["--rule-out", "40%", "--rule-in", "60%"]
    done(run, "apply", "model.json", "warehouse.duckdb", "--from", "named", *limits)
    with duckdb.connect("warehouse.duckdb") as connection:
        added = [one[0] for one in connection.execute("FROM decided").description]
    assert {"Stage", "scorecard_decision", "scorecard_stage"} < {*added}
    again = ["--into", "again", "--prefix", "scorecard_"]
    assert "scorecard_cases' already" in refused(
        run, "apply", "model.json", "warehouse.duckdb", "--from", "decided", *limits, *again
    )


def test_a_table_is_scored_where_it_is_like_a_file(run: Run) -> None:
    done(run, "fit", "cases.csv", *SHORT, "--by", "point", "--drop", "id", "-o", "model.json")
    limits = ["--rule-out", "40%", "--rule-in", "60%"]
    said = done(run, "apply", "model.json", "warehouse.duckdb", "--from", "visits", *limits)
    assert "'decided' in warehouse.duckdb: 200 rows" in said
    done(run, "apply", "model.json", "cases.csv", *limits, "-o", "decided.csv")
    by_file = pl.read_csv("decided.csv").sort("id")
    connection = duckdb.connect("warehouse.duckdb")
    by_database = connection.execute("FROM decided ORDER BY id").fetchall()
    columns = [one[0] for one in connection.execute("FROM decided").description]
    for name in ("decision", "stage", "total"):
        found = [row[columns.index(name)] for row in by_database]
        assert found == by_file[name].to_list()
    again = refused(run, "apply", "model.json", "warehouse.duckdb", "--from", "visits", *limits)
    assert "already exists" in again
    apply = ["apply", "model.json", "warehouse.duckdb"]
    assert "Name it with --from; there are: decided, other, visits." in refused(run, *apply)
    assert "no table 'visit'; there are" in refused(run, *apply, "--from", "visit")


def test_what_cannot_be_read_is_refused_in_one_line(run: Run) -> None:
    Path("wrong.duckdb").write_text("no database", encoding="utf-8")
    fit = ["fit", "warehouse.duckdb", *SHORT]
    assert "which cases? Say --sql 'FROM visits'; there are: other, visits." in refused(run, *fit)
    assert "no such database" in refused(run, "fit", "none.duckdb", *SHORT)
    assert "not a valid DuckDB" in refused(run, "fit", "wrong.duckdb", *SHORT, "--sql", "FROM a")
    assert "syntax error" in refused(run, *fit, "--sql", "selec 1")
    assert "--set key is for" in refused(run, "fit", "cases.csv", *SHORT, "--set", "key=id")
    late = "SELECT *, CAST(site AS INTEGER) AS wrong FROM visits"
    assert "Conversion Error" in refused(run, *fit, "--sql", late)
    dated = done(run, *fit, "--sql", "SELECT *, DATE '2020-01-01' AS d FROM visits", "-o", "d.json")
    assert "Column 'd' is not used: it has dates or times" in dated
    assert not Path("model.json").exists()


def test_a_database_in_use_is_told(run: Run) -> None:
    holder = duckdb.connect("warehouse.duckdb")
    try:
        said = refused(run, "fit", "warehouse.duckdb", *SHORT, "--sql", "FROM visits")
    finally:
        holder.close()
    assert "different configuration" in said


@pytest.mark.parametrize("module", ["duckdb", "pyarrow"])
def test_without_a_module_it_is_said_how_to_install_it(
    run: Run, monkeypatch: pytest.MonkeyPatch, module: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    said = refused(run, "fit", "warehouse.duckdb", *SHORT, "--sql", "FROM visits")
    assert 'pip install "psl-scorecard[warehouse]"' in said

"""What the database complains about."""

import pytest

from scorecard.errors import TableError
from scorecard.tables.warehouse import database_errors

duckdb = pytest.importorskip("duckdb")


@pytest.mark.parametrize(
    "interrupt", [duckdb.InterruptException("INTERRUPT Error"), RuntimeError("Query interrupted")]
)
def test_both_ways_the_database_tells_of_ctrl_c_stop_the_command(interrupt: Exception) -> None:
    with pytest.raises(KeyboardInterrupt), database_errors("cases.duckdb"):
        raise interrupt


def test_another_fault_is_not_taken_for_ctrl_c() -> None:
    with pytest.raises(RuntimeError, match="something else"), database_errors("cases.duckdb"):
        raise RuntimeError("something else")


def test_a_closed_connection_is_one_line() -> None:
    connection = duckdb.connect()
    cases = connection.sql("SELECT 1 AS x")
    connection.close()
    with pytest.raises(TableError) as told, database_errors("cases.duckdb"):
        cases.fetchall()
    assert str(told.value).startswith("cases.duckdb: ")
    assert "\n" not in str(told.value)

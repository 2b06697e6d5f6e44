"""Run the generated SQL in DuckDB, where it is there."""

from __future__ import annotations

from scorecard.forms.found import Found, NotRunError, Work
from scorecard.forms.sql.read import run_query


def duckdb_form(content: bytes, work: Work) -> Found:
    """The query in DuckDB."""
    try:
        import duckdb
    except ImportError:
        raise NotRunError("DuckDB for Python is not installed (pip install duckdb)") from None
    connection = duckdb.connect(":memory:", config={"enable_external_access": "false"})
    try:
        return run_query(connection, duckdb.Error, content, work)
    finally:
        connection.close()

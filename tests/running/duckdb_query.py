"""Run the generated SQL in DuckDB, where it is there."""

from __future__ import annotations

from pathlib import Path

from scorecard.checking.databases import run_query
from scorecard.checking.forms import Found, NotRunError, Work


def duckdb_form(path: Path, work: Work) -> Found:
    """The query in DuckDB."""
    try:
        import duckdb
    except ImportError:
        raise NotRunError("DuckDB for Python is not installed (pip install duckdb)") from None
    connection = duckdb.connect(":memory:", config={"enable_external_access": "false"})
    try:
        return run_query(connection, duckdb.Error, path, work)
    finally:
        connection.close()

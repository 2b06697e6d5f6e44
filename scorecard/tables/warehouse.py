"""Cases that stay in DuckDB: a table of a database, a query, or files that are never read whole.

Columns mean what they mean in a CSV file: the different texts of a column are understood here, and
the database is told what each of them says.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from math import inf
from pathlib import Path
from typing import Any

import polars as pl

from scorecard.core.staircase import prefix_beside
from scorecard.errors import INSTALL_WAREHOUSE, TableError
from scorecard.tables.cases import chosen_columns, outcome_of
from scorecard.tables.columns import Kind, understood
from scorecard.tables.source import PARQUET_SUFFIXES, Source, Whole, first_line

DATABASES = (".duckdb", ".ddb", ".db")
MEMORY = "1GB"  # for the engine; what needs more is put into temporary files
MOST_TEXTS = 1_000  # of a column that are looked at
OUTCOME = "outcome of the cases"


def is_database(path: str) -> bool:
    """Whether it is a DuckDB database by its name."""
    return Path(path).suffix.lower() in DATABASES


# How many bytes of memory a byte of a file takes while a list is learned from it.
GROWS = {".csv": 3, ".tsv": 3, ".txt": 3, **dict.fromkeys(PARQUET_SUFFIXES, 8)}


def stays_where_it_is(tables: Sequence[str]) -> bool:
    """Whether cases are counted where they are: in databases, folders, patterns, large files."""
    first = Path(tables[0])
    if is_database(tables[0]) or first.is_dir():
        return True
    if "*" in first.name and not first.exists():
        return True
    return sum(map(_in_memory, tables)) > _memory()


def _in_memory(file: str) -> int:
    """What a file would take, 0 if DuckDB cannot read it either."""
    path = Path(file)
    return GROWS.get(path.suffix.lower(), 0) * path.stat().st_size if path.is_file() else 0


def _memory() -> float:
    """The bytes of memory that this machine has; infinite where it does not say."""
    try:
        return float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, OSError, ValueError):  # Windows
        return inf


@dataclass(frozen=True)
class Missing:
    """How many rows have no value."""

    count: int

    def null_count(self) -> int:
        return self.count


@dataclass(frozen=True)
class Outline:
    """What is known of a table that stays where it is, under the names of a data frame."""

    height: int
    missing: Mapping[str, int]

    @property
    def columns(self) -> list[str]:
        return list(self.missing)

    @property
    def width(self) -> int:
        return len(self.missing)

    def __getitem__(self, name: str) -> Missing:
        return Missing(self.missing[name])


@dataclass(frozen=True)
class WarehouseCases:
    """Cases in a database; see `Cases`."""

    relation: Any
    inputs: Outline
    positives: int
    positive: str
    columns: tuple[str, ...]
    dropped: tuple[tuple[str, str], ...]
    without_outcome: int
    file: str
    others: tuple[str, ...]
    group: str | None
    key: str | None
    units: Mapping[str, str] = field(default_factory=dict)
    missing: str = "unknown"
    sha256: str = ""

    def teach(self, model: Any) -> Any:
        """What a model learns from the cases."""
        with database_errors(self.file):
            return model.fit(self.relation, OUTCOME, groups=self.group, keys=self.key)


@contextmanager
def database_errors(name: str) -> Iterator[None]:
    """What the database complains about, as one line."""
    import duckdb

    try:
        yield
    except (duckdb.InterruptException, RuntimeError) as error:
        # Ctrl-C is the one or the other, depending on what the database is doing.
        if isinstance(error, RuntimeError) and "interrupted" not in str(error):
            raise
        raise KeyboardInterrupt from None
    except duckdb.Error as error:
        raise TableError(f"{name}: {first_line(error)}") from error


def connect(path: str | None, *, read_only: bool = True) -> Any:
    """A connection to a database file, or to none."""
    try:
        import duckdb
    except ImportError:
        raise TableError(f"a database needs DuckDB; install it with: {INSTALL_WAREHOUSE}") from None
    if path is not None and not Path(path).is_file():
        raise TableError(f"{path!r} cannot be read: there is no such database.")
    with database_errors(Path(path).name if path else "DuckDB"):
        connection = duckdb.connect(path or ":memory:", read_only=read_only and path is not None)
        for one in (connection, duckdb):
            one.execute(f"SET memory_limit='{MEMORY}'")
    return connection


@dataclass(frozen=True)
class Warehouse:
    """A connection, and what to select from."""

    connection: Any
    file: str
    query: str

    @classmethod
    def opened(cls, tables: Sequence[str], sql: str | None) -> Warehouse:
        """A query of a database, or of files as one table; `sql` may call them cases."""
        first, name = tables[0], Path(tables[0]).name
        if is_database(first):
            if len(tables) > 1:
                raise TableError(f"{name}: give one database at a time.")
            connection = connect(first)
            if sql is None:
                raise _which_table(connection, name, "which cases? Say `sql='FROM visits'`")
            return cls(connection, f"{name}: a query", sql.rstrip().rstrip(";"))
        connection = connect(None)
        with database_errors(name):
            connection.sql(f"FROM {_scan(tables)}").create_view("cases")
        return cls(connection, name, (sql or "FROM cases").rstrip().rstrip(";"))

    @cached_property
    def source(self) -> Source:
        """The names of the columns, as of a file."""
        with database_errors(self.file):
            names = tuple(self.connection.sql(self.query).columns)
        return Source(Path(self.file), names, None, lambda: iter(()))

    def rows(self, select: str) -> pl.DataFrame:
        """A small result, made from the cases under the name `rows`."""
        with database_errors(self.file):
            found = self.connection.sql(f"WITH rows AS ({self.query}) {select}")
            return pl.DataFrame(
                dict(zip(found.columns, zip(*found.fetchall(), strict=True), strict=False))
                or {name: [] for name in found.columns},
                strict=False,
            )


def _which_table(connection: Any, name: str, what: str) -> TableError:
    shown = ", ".join(_tables(connection)[:12]) or "none"
    return TableError(f"{name}: {what}; there are: {shown}.")


def _tables(connection: Any) -> list[str]:
    found = connection.execute("SELECT table_name FROM information_schema.tables ORDER BY 1")
    return [row[0] for row in found.fetchall()]


def _scan(tables: Sequence[str]) -> str:
    files = [f"{one}/**/*.parquet" if Path(one).is_dir() else one for one in tables]
    listed = "[" + ", ".join(map(literal, files)) + "]"
    parquet = all(Path(one).suffix.lower() in PARQUET_SUFFIXES for one in files)
    return f"read_parquet({listed})" if parquet else f"read_csv({listed})"


def quoted(name: str) -> str:
    """A name as an identifier."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """A text as it is written in a query."""
    return "'" + text.replace("'", "''") + "'"


def warehouse_cases(
    warehouse: Warehouse,
    outcome: str,
    *,
    positive: str | None = None,
    drop: Sequence[str] = (),
    only: Sequence[str] = (),
    kinds: Mapping[str, Kind] | None = None,
    group: str | None = None,
    key: str | None = None,
    missing: str = "unknown",
) -> WarehouseCases:
    """Look at the columns of a database as `read_cases` does at those of a file."""
    source = warehouse.source
    if key is not None:
        source.check_column(key)
    names = [name for name in chosen_columns(source, outcome, drop, only, group) if name != key]
    yes, label, others = _outcome(warehouse, source, outcome, positive)
    found = {
        name: _column(warehouse, source, name, (kinds or {}).get(name), missing == "question")
        for name in names
    }
    used = {name: one.expression for name, one in found.items() if not one.useless}
    if not used:
        raise source.error("no column is left to ask for; see `drop` and `only`.")
    relation, counted = _kept_rows(warehouse, used, [group, key], outcome, yes)
    return WarehouseCases(
        relation,
        Outline(counted[1], dict(zip(used, counted[3:], strict=True))),
        counted[2],
        label,
        source.names,
        tuple((name, one.useless) for name, one in found.items() if one.useless),
        counted[0] - counted[1],
        warehouse.file,
        others,
        group,
        key,
        {name: one.unit for name, one in found.items() if one.unit},
        missing,
    )


def _kept_rows(
    warehouse: Warehouse,
    used: Mapping[str, str],
    told: Sequence[str | None],
    outcome: str,
    yes: str,
) -> tuple[Any, Sequence[int]]:
    """The rows with an outcome; how many there are, are kept, are positive, and lack each input."""
    kept = map(quoted, dict.fromkeys(filter(None, told)))
    select = [*(f"{one} AS {quoted(name)}" for name, one in used.items()), *kept]
    filled = f"{quoted(outcome)} IS NOT NULL AND ({yes}) IS NOT NULL"
    query = (
        f"WITH rows AS ({warehouse.query}) SELECT {', '.join(select)}, ({yes}) AS"
        f" {quoted(OUTCOME)} FROM rows WHERE {filled}"
    )
    counted = warehouse.rows(
        f"SELECT count(*) AS n, count(*) FILTER ({filled}) AS kept, count(*) FILTER ({yes}) AS yes,"
        + ", ".join(f"count(*) FILTER ({filled} AND {one} IS NULL)" for one in used.values())
        + " FROM rows"
    ).row(0)
    with database_errors(warehouse.file):
        return warehouse.connection.sql(query), counted


def _outcome(
    warehouse: Warehouse, source: Source, name: str, positive: str | None
) -> tuple[str, str, tuple[str, ...]]:
    """The condition for being positive, null where the outcome is missing."""
    texts = _texts(warehouse, name)
    if texts is None:
        raise source.error(f"it has more than {MOST_TEXTS} different values; expected two.", name)
    frame = pl.DataFrame({name: texts})
    answers, label, others = outcome_of(Whole(frame, ()), name, positive, source)
    return _case(name, texts, answers.to_list()), label, others


def _texts(warehouse: Warehouse, name: str) -> list[str] | None:
    """The different texts of a column; `None` if there are too many to look at."""
    text = f"CAST({quoted(name)} AS VARCHAR)"
    rows = warehouse.rows(
        f"SELECT DISTINCT {text} AS v FROM rows WHERE {quoted(name)} IS NOT NULL"
        f" ORDER BY 1 LIMIT {MOST_TEXTS + 1}"
    )
    return None if rows.height > MOST_TEXTS else rows["v"].to_list()


@dataclass(frozen=True)
class _Asked:
    """How a column is selected, or why it is useless."""

    expression: str
    useless: str = ""
    unit: str = ""


def _column(
    warehouse: Warehouse, source: Source, name: str, kind: Kind | None, keep_missing: bool
) -> _Asked:
    dtype = str(warehouse.connection.sql(warehouse.query).types[source.names.index(name)])
    if kind is None and dtype not in ("VARCHAR", "DATE") and "TIME" not in dtype:
        return _plain(warehouse, name, dtype, keep_missing)
    texts = _texts(warehouse, name)
    if texts is None:
        number = f"TRY_CAST(trim({quoted(name)}) AS DOUBLE)"
        others = warehouse.rows(
            f"SELECT count(*) FROM rows WHERE {number} IS NULL AND trim({quoted(name)}) != ''"
        ).item()
        useless = f"it has more than {MOST_TEXTS} different texts" if others else ""
        return _Asked(number, useless)
    # Each of them twice: in a table texts are repeated, and these stand for a table.
    column = pl.Series(name, texts * 2, pl.String)
    with source.placing(name):
        found = understood(column, kind, keep_missing=keep_missing)
    values = found.values[: len(texts)].to_list()
    return _Asked(_case(name, texts, values), found.useless, found.unit)


def _plain(warehouse: Warehouse, name: str, dtype: str, keep_missing: bool) -> _Asked:
    value = quoted(name)
    if dtype in ("FLOAT", "DOUBLE"):
        value = f"CASE WHEN NOT isnan({value}) THEN {value} END"
    least, most, known, rows = warehouse.rows(
        f"SELECT min({value}), max({value}), count({value}), count(*) FROM rows"
    ).row(0)
    if not known:
        return _Asked(value, "it is empty")
    if least == most and not (keep_missing and known < rows):
        return _Asked(value, f"it is always {least!r}")
    return _Asked(value)


def _case(name: str, texts: Sequence[str], values: Sequence[Any]) -> str:
    """What each text of a column says, as an expression."""
    text = f"CAST({quoted(name)} AS VARCHAR)"
    said: dict[Any, list[str]] = {}
    for one, value in zip(texts, values, strict=True):
        if value is not None:
            said.setdefault(value, []).append(literal(one))
    cases = " ".join(
        f"WHEN {text} IN ({', '.join(written)}) THEN {_written(value)}"
        for value, written in said.items()
    )
    return f"(CASE {cases} END)" if cases else "NULL"


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).upper()
    return literal(value) if isinstance(value, str) else f"CAST({literal(repr(value))} AS DOUBLE)"


# A list applied where the cases are ---------------------------------------------------------------


def write_scored(
    path: str, table: str | None, into: str, query: str, added: Mapping[str, str], prefix: str = ""
) -> list[list[tuple[str, int]]]:
    """Write a table of the database with what a query adds to each row.

    How many rows have each value of the first and of the last column that is added. The query reads
    `cases`; `added` has the new column by the name that the query gives it, without the prefix. The
    table is there whole or not at all.
    """
    name = Path(path).name
    connection = connect(path, read_only=False)
    if table is None:
        raise _which_table(connection, name, "which table? Name it with `from_table`")
    if table not in _tables(connection):
        raise _which_table(connection, name, f"there is no table {table!r}")
    rows = quoted(table)
    try:
        with database_errors(name):
            columns = connection.sql(f"FROM {rows}").columns
            new_names = {(prefix + new).lower() for new in added.values()}
            taken = new_names & {one.lower() for one in columns}
            if prefix and taken:
                raise TableError(
                    f"{name}: there is a column {min(taken)!r} already, and one of that name is"
                    " added; choose another `prefix`."
                )
            prefix = prefix or prefix_beside(added.values(), columns)
            own = ", ".join(map(quoted, columns))
            more = ", ".join(
                f"{quoted(old)} AS {quoted(prefix + new)}" for old, new in added.items()
            )
            connection.execute(f"CREATE TEMP VIEW cases AS SELECT * FROM {rows}")
            select = f"SELECT {own}, {more} FROM ({query.rstrip().rstrip(';')})"
            connection.execute(f"CREATE TABLE {quoted(into)} AS {select}")
            first, *_, last = (quoted(prefix + one) for one in added.values())
            return [
                connection.execute(
                    f"SELECT {one}, count(*) FROM {quoted(into)} GROUP BY 1 ORDER BY 1"
                ).fetchall()
                for one in (first, last)
            ]
    finally:
        connection.close()

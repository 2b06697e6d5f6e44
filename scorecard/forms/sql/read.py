"""Compare a generated query with what is written here, or run it in the database it is for."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from typing import Any

from scorecard.core.question import inputs_of, with_substitutes
from scorecard.core.staircase import RESULT, free_prefix
from scorecard.forms.found import Found, NotRunError, UnusableError, Work, differences, inputs_in
from scorecard.forms.origin import Origin, origin_of_source
from scorecard.forms.programs import found_in_code
from scorecard.forms.sql.dialects import DIALECTS, Dialect
from scorecard.forms.sql.make import TABLE
from scorecard.forms.test_cases import CaseResult, typed

ROWS_AT_A_TIME = 100
SAID = re.compile(rb"^-- Made with: scorecard export MODEL --to sql --dialect (\w+)$", re.MULTILINE)


def origin(content: bytes) -> Origin | None:
    return origin_of_source("sql", content, _chosen(content))


def found(content: bytes, right: bytes | None, work: Work) -> Found:
    run_here = partial(run, content, work)
    return found_in_code("sql", content, right, work, run_here, _chosen(content))


def _chosen(content: bytes) -> dict[str, str]:
    """The option that a file was made with, as far as it says one that is known."""
    said = SAID.search(content)
    name = said[1].decode() if said else ""
    return {"dialect": name} if name in DIALECTS else {}


def run(content: bytes, work: Work) -> Found:
    """What the query says in SQLite, which Python has, or in DuckDB where that is installed."""
    dialect = DIALECTS[_chosen(content).get("dialect", next(iter(DIALECTS)))]
    if dialect.name == "sqlite":
        with closing(sqlite3.connect(":memory:")) as connection:
            return run_query(connection, sqlite3.Error, dialect, content, work)
    if dialect.name != "duckdb":
        raise NotRunError(f"it is for {dialect.called}, which is not started from here")
    try:
        import duckdb
    except ImportError:
        raise NotRunError("DuckDB for Python is not installed (pip install duckdb)") from None
    with closing(duckdb.connect(config={"enable_external_access": "false"})) as connection:
        return run_query(connection, duckdb.Error, dialect, content, work)


def run_query(
    connection: Any,
    error: type[Exception],
    dialect: Dialect,
    content: bytes,
    work: Work,
    mark: str = "?",
) -> Found:
    """What the query says in a database without tables, of typed columns and then of texts."""
    questions = work.staircase.questions
    _refuse_alike(inputs_of(questions))
    asked = with_substitutes(questions)
    numeric = {one.input for one in asked if one.condition.is_numeric}
    plain = {at: typed(questions, one.case) for at, one in enumerate(work.cases) if one.plain}
    texts = {
        at: one.case
        for at, one in enumerate(work.cases)
        if all(map(dialect.reads, one.case.values()))
    }
    ask = partial(_asked, connection, dialect, content, work, mark)
    try:
        by_type, by_text = ask(plain, numeric), ask(texts, set())
    except error as failure:
        raise UnusableError(f"the database refuses it: {str(failure).splitlines()[0]}") from None
    wrong = [f"in a column of texts, {one}" for one in differences(by_text, work)]
    return replace(
        by_type, cases={**by_text.cases, **by_type.cases}, faults=[*by_type.faults, *wrong]
    )


def _refuse_alike(inputs: Sequence[str]) -> None:
    seen: dict[str, str] = {}
    for name in dict.fromkeys(inputs):
        if name.casefold() in seen:
            raise NotRunError(
                f"{seen[name.casefold()]!r} and {name!r} are the same column to this database"
            )
        seen[name.casefold()] = name


def _asked(
    connection: Any,
    dialect: Dialect,
    content: bytes,
    work: Work,
    mark: str,
    cases: Mapping[int, Mapping[str, object]],
    numeric: set[str],
) -> Found:
    """What the query says of these cases."""
    inputs = inputs_of(work.staircase.questions)
    prefix = free_prefix(inputs)
    # Their number is the first column, under a name that is free.
    number = max((name.casefold() for name in inputs), key=len, default="")[:40] + " number"
    kinds = [
        f"{dialect.column(name)} {dialect.double if name in numeric else 'TEXT'}" for name in inputs
    ]
    cursor = connection.cursor()
    cursor.execute(
        f"CREATE TABLE {TABLE} ({', '.join([f'{dialect.column(number)} INTEGER', *kinds])})"
    )
    rows = [[at, *(case.get(name) for name in inputs)] for at, case in cases.items()]
    marks = f"({', '.join([mark] * (len(inputs) + 1))})"
    for start in range(0, len(rows), ROWS_AT_A_TIME):
        some = rows[start : start + ROWS_AT_A_TIME]
        values = [value for row in some for value in row]
        cursor.execute(f"INSERT INTO {TABLE} VALUES {', '.join([marks] * len(some))}", values)
    cursor.execute(content.decode())
    names = [one[0] for one in cursor.description]
    places = [names.index(f"{prefix}{name}") for name in (*RESULT, "outside")]
    told = {row[0]: _result([row[place] for place in places], inputs) for row in cursor.fetchall()}
    cursor.execute(f"DROP TABLE {TABLE}")
    missing = len(cases) - len(told)
    return Found(told, faults=[f"{missing} rows are missing from its result"] if missing else [])


def _result(row: Sequence[Any], inputs: Sequence[str]) -> CaseResult | None:
    *result, outside = row
    names = tuple(sorted(inputs_in(outside, inputs)))
    return None if row[0] is None else replace(CaseResult(*result), outside=names)

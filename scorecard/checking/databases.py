"""Run the generated SQL in SQLite, which Python brings along."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from scorecard.checking.forms import Found, NotRunError, UnusableError, Work, names_in
from scorecard.checking.programs import source_faults
from scorecard.core.model import Question
from scorecard.core.question import inputs_of, with_substitutes
from scorecard.core.staircase import RESULT
from scorecard.exporting.sql import TABLE, inputs_in, quoted
from scorecard.exporting.test_cases import Result, Vector, typed

ROWS_AT_A_TIME = 100
ADDED = len(RESULT) + 1  # columns at the end of the result: decision … positives, outside


def sqlite_form(path: Path, work: Work) -> Found:
    """The query in SQLite."""
    connection = sqlite3.connect(":memory:")
    try:
        return run_query(connection, sqlite3.Error, path, work)
    finally:
        connection.close()


def run_query(connection: Any, error: type[Exception], path: Path, work: Work) -> Found:
    questions = work.staircase.questions
    query = path.read_bytes().decode()  # line ends inside names have to stay as they are
    changes = source_faults(query.encode(), "sql", work)
    if changes and not work.run_changed:
        return Found(faults=changes, names=names_in(query))
    inputs = inputs_of(questions)
    _refuse_alike(inputs)
    places = [place for place, one in enumerate(work.cases) if one.plain]
    try:
        _fill(connection, questions, [work.cases[place] for place in places])
        rows = connection.execute(query).fetchall()
    except error as failure:
        raise UnusableError(f"the database refuses it: {str(failure).splitlines()[0]}") from None
    found = {places[row[0]]: _result(row[-ADDED:], inputs) for row in rows}
    missing = len(places) - len(found)
    told = [] if work.decisions_only else changes
    faults = [*told, *([f"{missing} rows are missing from its result"] if missing else [])]
    return Found(found, {}, faults, names_in(query))


def _refuse_alike(inputs: Sequence[str]) -> None:
    seen: dict[str, str] = {}
    for name in dict.fromkeys(inputs):
        if name.casefold() in seen:
            raise NotRunError(
                f"{seen[name.casefold()]!r} and {name!r} are the same column to this database"
            )
        seen[name.casefold()] = name


def _fill(connection: Any, questions: Sequence[Question], cases: Sequence[Vector]) -> None:
    """The cases as a table whose first column is their number, under a name that is free."""
    inputs = inputs_of(questions)
    number = max((name.casefold() for name in inputs), key=len, default="") + " number"
    asked = with_substitutes(questions)
    numeric = {question.input for question in asked if question.condition.is_numeric}
    kinds = [f"{quoted(one)} {'DOUBLE PRECISION' if one in numeric else 'TEXT'}" for one in inputs]
    connection.execute(f"CREATE TABLE {TABLE} ({', '.join([f'{quoted(number)} INTEGER', *kinds])})")
    rows = [
        (place, *(values[name] for name in inputs))
        for place, values in enumerate(typed(questions, one.case) for one in cases)
    ]
    mark = f"({', '.join('?' * (len(inputs) + 1))})"
    for start in range(0, len(rows), ROWS_AT_A_TIME):
        some = rows[start : start + ROWS_AT_A_TIME]
        values = [value for row in some for value in row]
        connection.execute(f"INSERT INTO {TABLE} VALUES {', '.join([mark] * len(some))}", values)


def _result(row: Sequence[Any], inputs: Sequence[str]) -> Result | None:
    *result, outside = row
    names = tuple(sorted(inputs_in(outside, inputs)))
    return None if row[0] is None else replace(Result(*result), outside=names)

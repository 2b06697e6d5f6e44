"""Compare a generated query with what is written here, or run it in SQLite, which Python has."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from typing import Any

from scorecard.core.model import Question
from scorecard.core.question import inputs_of, with_substitutes
from scorecard.core.staircase import RESULT
from scorecard.forms.found import Found, NotRunError, UnusableError, Work
from scorecard.forms.origin import Origin, origin_of_source
from scorecard.forms.programs import found_in_code
from scorecard.forms.sql.make import TABLE, inputs_in, quoted
from scorecard.forms.test_cases import CaseResult, Vector, typed

ROWS_AT_A_TIME = 100
ADDED = len(RESULT) + 1  # columns at the end of the result: decision … positives, outside


def origin(content: bytes) -> Origin | None:
    return origin_of_source("sql", content)


def found(content: bytes, right: bytes | None, work: Work) -> Found:
    return found_in_code("sql", content, right, work, partial(run, content, work))


def run(content: bytes, work: Work) -> Found:
    """What the query says in SQLite."""
    with closing(sqlite3.connect(":memory:")) as connection:
        return run_query(connection, sqlite3.Error, content, work)


def run_query(connection: Any, error: type[Exception], content: bytes, work: Work) -> Found:
    """What the query says in a database without tables."""
    questions = work.staircase.questions
    inputs = inputs_of(questions)
    _refuse_alike(inputs)
    places = [place for place, one in enumerate(work.cases) if one.plain]
    try:
        _fill(connection, questions, [work.cases[place] for place in places])
        rows = connection.execute(content.decode()).fetchall()
    except error as failure:
        raise UnusableError(f"the database refuses it: {str(failure).splitlines()[0]}") from None
    told = {places[row[0]]: _result(row[-ADDED:], inputs) for row in rows}
    missing = len(places) - len(told)
    return Found(told, faults=[f"{missing} rows are missing from its result"] if missing else [])


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


def _result(row: Sequence[Any], inputs: Sequence[str]) -> CaseResult | None:
    *result, outside = row
    names = tuple(sorted(inputs_in(outside, inputs)))
    return None if row[0] is None else replace(CaseResult(*result), outside=names)

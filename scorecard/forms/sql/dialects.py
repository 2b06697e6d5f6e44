"""How each database writes what the query needs; only databases that the tests run it in are here.

They differ in silence: MariaDB compares texts without regard to capitals, SQLite has no patterns,
to DuckDB `1_000` is a number, PostgreSQL stops the whole query at a number beyond its range.
"""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Sequence
from decimal import Decimal
from difflib import get_close_matches
from functools import cached_property

from scorecard.core.model import Question
from scorecard.core.question import NUMBER_PATTERN, inputs_of
from scorecard.errors import ScorecardError

FIRST_GROUP = r"\1"
WHITE = " \t\n\r\u00a0"  # around a value; other white space there makes it another value
LARGEST = 1.7976931348623157e308
# So many digits times or divided by an exact power of ten are rounded once, and rightly.
SAFE_DIGITS, SAFE_EXPONENT = 15, 22


class Dialect:
    """PostgreSQL; the others say where they write otherwise."""

    name = "postgresql"
    called = "PostgreSQL"
    double = "DOUBLE PRECISION"
    most_of_a_name = 63  # bytes; what is longer would be cut off without a word
    # A larger or smaller one would stop the query; as a text it is refused.
    number = r"[+-]?(?:[0-9]{1,99}[.]?[0-9]{0,99}|[.][0-9]{1,99})(?:[eE][+-]?[0-9]{1,2})?"
    numbers_as_text = "numbers up to 1e99"
    joined = ("", " ||", "")  # what stands before, between and behind texts that are put together
    once = ""  # how a common table is asked for that is worked out once
    white = WHITE
    quick_as_it_stands = (
        False  # whether small letters take so long that words are tried as they are
    )

    def column(self, name: str) -> str:
        return '"' + name.replace('"', '""') + '"'

    def text(self, value: str) -> str:
        return "'" + value.replace("'", "''") + "'"

    def literal(self, value: int | float) -> str:
        """A number that is read as exactly this 64-bit float."""
        digits = repr(float(value)).removesuffix(".0")
        return digits if "e" in digits else f"{digits}e0"

    @cached_property
    def within(self) -> tuple[str, str]:
        """The smallest and the largest number: NaN and infinities are not between them."""
        return self.literal(-LARGEST), self.literal(LARGEST)

    def says(self, word: str, words: Sequence[str]) -> str:
        """Whether a word is one of these."""
        return f"{word} IN ({', '.join(map(self.text, words))})"

    def raw(self, column: str) -> str:
        """A value as text, as it stands."""
        return f"CAST({column} AS TEXT)"

    def said(self, column: str) -> str:
        """A value as text, without white space around it."""
        return f"btrim({self.raw(column)}, E' \\t\\n\\r' || chr(160))"

    def as_number(self, column: str, unit: str) -> str:
        """The number that a value is, NULL if it is none; a text may have its unit with it."""
        types = "'double precision', 'real', 'numeric', 'bigint', 'integer', 'smallint'"
        text = f"substring({self.said(column)} FROM {self.text(self.pattern(unit))})"
        is_number = f"CAST(pg_typeof({column}) AS TEXT) IN ({types})"
        return (
            f"CAST(CASE WHEN {is_number} THEN {self.raw(column)} ELSE {text} END AS {self.double})"
        )

    def pattern(self, unit: str) -> str:
        """Texts that are numbers, with their unit before or behind them or without."""
        found = _escaped(unit) if unit.strip() else ""
        before, behind = (f"(?:{found} *)?", f"(?: *{found})?") if found else ("", "")
        return f"^{before}({self.number}){behind}$"

    def without_zeros(self, word: str) -> str:
        return f"rtrim({word}, '0')"

    def reads(self, text: str) -> bool:
        """Whether a text is read here exactly as elsewhere.

        Numbers that are too large or have too many digits are not, nor is rare white space.
        """
        word = text.strip()
        return word == text.strip(self.white) and self.reads_number(word)

    def reads_number(self, word: str) -> bool:
        return re.fullmatch(NUMBER_PATTERN, word) is None or bool(re.fullmatch(self.number, word))

    def lacks(self, name: str) -> bool:
        """Whether no column can have this name."""
        return len(name.encode()) > self.most_of_a_name


class DuckDB(Dialect):
    name = "duckdb"
    called = "DuckDB"
    once = "MATERIALIZED "
    most_of_a_name = sys.maxsize
    double = "DOUBLE"
    number = NUMBER_PATTERN
    numbers_as_text = ""
    quick_as_it_stands = True

    def says(self, word: str, words: Sequence[str]) -> str:
        # Of five and more it makes a join, and reads the word of every row for it.
        if len(words) < 5:
            return super().says(word, words)
        return f"regexp_full_match({word}, {self.text('|'.join(map(_escaped, words)))})"

    def said(self, column: str) -> str:
        return f"trim({self.raw(column)}, E' \\t\\n\\r' || chr(160))"

    def as_number(self, column: str, unit: str) -> str:
        # The type is known before the query runs: numbers are not made into text and back.
        pattern = self.text(self.pattern(unit))
        text = f"TRY_CAST(regexp_extract({self.said(column)}, {pattern}, 1) AS DOUBLE)"
        return (
            f"CASE typeof({column}) WHEN 'VARCHAR' THEN {text}"
            f" WHEN 'BOOLEAN' THEN NULL ELSE TRY_CAST({column} AS DOUBLE) END"
        )


class SQLite(Dialect):
    name = "sqlite"
    called = "SQLite (3.8.3 or newer)"
    double = "REAL"
    most_of_a_name = sys.maxsize
    numbers_as_text = "numbers of up to 15 digits"

    def literal(self, value: int | float) -> str:
        """The same: one of more digits may be read with an error in the last place.

        It is written as a whole number times powers of two, which is exact.
        """
        if _is_safe(repr(value)):
            return super().literal(value)
        return f"/* {value!r} */ ({_by_powers_of_two(float(value))})"

    @cached_property
    def within(self) -> tuple[str, str]:
        return self.literal(-LARGEST), self.literal(LARGEST)

    def said(self, column: str) -> str:
        return f"trim({self.raw(column)}, char(32, 9, 10, 13, 160))"

    def as_number(self, column: str, unit: str) -> str:
        # A text equals its number only if all of it is one.
        text = self._without_unit(self.said(column), unit if unit.strip() else "")
        number = f"CAST({text} AS REAL)"
        return (
            f"CASE WHEN typeof({column}) <> 'text' THEN {column}"
            f" WHEN {text} = {number} THEN {number} END"
        )

    def _without_unit(self, text: str, unit: str) -> str:
        if not unit:
            return text
        count, literal = len(unit), self.text(unit)
        return (
            f"trim(CASE WHEN substr({text}, -{count}) = {literal}"
            f" THEN substr({text}, 1, length({text}) - {count})"
            f" WHEN substr({text}, 1, {count}) = {literal} THEN substr({text}, {count + 1})"
            f" ELSE {text} END)"
        )

    def reads_number(self, word: str) -> bool:
        return re.fullmatch(NUMBER_PATTERN, word) is None or _is_safe(word)


class MariaDB(Dialect):
    name = "mariadb"
    called = "MariaDB"
    double = "DOUBLE"
    most_of_a_name = 64  # characters
    joined = ("CONCAT(", ",", ")")
    white = WHITE[:-1]
    number = NUMBER_PATTERN.replace(r"\.", "[.]")  # a backslash may mean something in a text
    numbers_as_text = ""

    @cached_property
    def within(self) -> tuple[str, str]:
        # A text beyond the largest number is read as that one.
        largest = math.nextafter(LARGEST, 0)
        return self.literal(-largest), self.literal(largest)

    def column(self, name: str) -> str:
        return "`" + name.replace("`", "``") + "`"

    def text(self, value: str) -> str:
        """A literal; in digits where a backslash would mean this or that by a server's mode."""
        if "\\" in value:
            return f"_utf8mb4 x'{value.encode().hex()}'"
        return super().text(value)

    def raw(self, column: str) -> str:
        # Without a collation of its own, capitals and spaces at the end would make no difference.
        return f"CONVERT({column} USING utf8mb4) COLLATE utf8mb4_nopad_bin"

    def said(self, column: str) -> str:
        blank = "[[:space:]]+"
        return f"regexp_replace({self.raw(column)}, {self.text(f'^{blank}|{blank}$')}, '')"

    def as_number(self, column: str, unit: str) -> str:
        said = self.said(column)
        number = f"CASE WHEN {said} REGEXP {self.text(self.pattern(''))} THEN {column} + 0e0"
        if unit.strip():
            pattern = self.text(self.pattern(unit))
            found = f"CAST(regexp_replace({said}, {pattern}, {self.text(FIRST_GROUP)}) AS DOUBLE)"
            number += f" WHEN {said} REGEXP {pattern} THEN {found}"
        return f"{number} END"

    def without_zeros(self, word: str) -> str:
        return f"trim(TRAILING '0' FROM {word})"

    def lacks(self, name: str) -> bool:
        strange = name != name.rstrip() or max(name) > "\uffff"
        return strange or len(name) > self.most_of_a_name


DIALECTS = {one.name: one for one in (DuckDB(), SQLite(), Dialect(), MariaDB())}
"""The default is the first."""

NEAREST = {
    **dict.fromkeys(("mysql", "percona", "aurora", "tidb"), "mariadb"),
    **dict.fromkeys(
        ("postgres", "redshift", "greenplum", "cockroachdb", "timescale"), "postgresql"
    ),
    **dict.fromkeys(("snowflake", "bigquery", "databricks", "spark", "trino", "ansi"), "duckdb"),
    **dict.fromkeys(("oracle", "tsql", "mssql", "sqlserver", "db2", "teradata"), "postgresql"),
}


def dialect_named(name: str) -> Dialect:
    """The dialect with this name; others are refused with the nearest one."""
    if name in DIALECTS:
        return DIALECTS[name]
    known = ", ".join(DIALECTS)
    near = NEAREST.get(name.lower()) or next(iter(get_close_matches(name.lower(), DIALECTS)), "")
    hint = f"; the nearest is {near!r}, to be tried by you" if near else ""
    raise ScorecardError(
        f"`dialect={name!r}`: the query is written for databases it is tested in: {known}{hint}."
    )


def check_names(dialect: Dialect, questions: Sequence[Question]) -> None:
    """Refuse a list with an input that can be no column of this database."""
    for name in inputs_of(questions):
        if dialect.lacks(name):
            raise ScorecardError(
                f"{dialect.called} has no column called {name!r}: it is too long or strange to it."
                " Write the query for 'duckdb', or name the input otherwise."
            )


def _escaped(text: str) -> str:
    """A text as a pattern that only it has."""
    return re.sub(r"([.^$*+?{}\[\]\\|()])", r"\\\1", text)


def _is_safe(number: str) -> bool:
    """Whether every database reads a number of so few digits exactly."""
    _, digits, exponent = Decimal(number).normalize().as_tuple()
    return len(digits) <= SAFE_DIGITS and abs(int(exponent)) <= SAFE_EXPONENT


def _by_powers_of_two(value: float) -> str:
    fraction, exponent = math.frexp(value)
    whole, exponent = int(fraction * 2**53), exponent - 53
    sign, count = ("*", exponent) if exponent > 0 else ("/", -exponent)
    factors = [f" {sign} {2**60}e0"] * (count // 60) + [f" {sign} {2 ** (count % 60)}e0"]
    return f"CAST({whole}e0 AS REAL){''.join(factors)}"

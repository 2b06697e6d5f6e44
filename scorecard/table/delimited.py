"""Delimited text, read as text: what a cell means is decided where it is used.

Python's own csv reader is in charge: it knows the line of every row and refuses broken quotes. A
row with too few or too many fields is refused, never padded. Lines without any quote can only be
cut at their separators, and that is done many lines at a time.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain, islice
from pathlib import Path
from typing import TextIO

import polars as pl

from scorecard.errors import TableError
from scorecard.table.source import TEXT_SUFFIXES, Piece, Source

ROWS_AT_A_TIME = 50_000
SEPARATORS = (",", ";", "\t", "|")

Row = tuple[int, list[str]]
"""The line where a row starts, and its fields."""


def open_delimited(path: Path, encoding: str) -> Source:
    """Look at a text file; separators are recognised from its first rows."""
    with _text(path, encoding) as stream:
        tabs = TEXT_SUFFIXES[path.suffix.lower()] == "\t"
        separator = "\t" if tabs else _separator(list(islice(stream, 50)))
    with _text(path, encoding) as stream:
        _, names = next(_rows(stream, path, separator), (1, []))
    _check_names(path, names)

    def pieces() -> Iterator[Piece]:
        with _text(path, encoding) as stream:
            yield from _pieces(stream, path, separator, names)

    return Source(path, tuple(names), separator, pieces)


def _pieces(stream: TextIO, path: Path, separator: str, names: Sequence[str]) -> Iterator[Piece]:
    header = csv.reader(stream, delimiter=separator)
    next(header)
    row, line = 1, header.line_num + 1
    while lines := list(islice(stream, ROWS_AT_A_TIME)):
        frame = _cut(lines, separator, names)
        if frame is None:
            break
        yield Piece(frame, row, range(line, line + len(lines)))
        row, line = row + len(lines), line + len(lines)
    # From the first quote or odd line on, the csv reader has the word.
    rows = _checked(_rows(chain(lines, stream), path, separator, line), path, len(names))
    while block := list(islice(rows, ROWS_AT_A_TIME)):
        yield Piece(_frame(names, block), row, [line for line, _ in block])
        row += len(block)
    if row == 1:  # no rows are a table too
        yield Piece(pl.DataFrame(schema=dict.fromkeys(names, pl.String)), row)


def _cut(lines: Sequence[str], separator: str, names: Sequence[str]) -> pl.DataFrame | None:
    """Lines cut at every separator, or `None` if a quote or another number of fields is there."""
    text = pl.Series(lines, dtype=pl.String)
    if text.str.contains('"', literal=True).any() or len(names) < 2:
        return None
    if (text.str.count_matches(separator, literal=True) != len(names) - 1).any():
        return None
    cut = text.str.strip_chars_end("\r\n").str.split_exact(separator, len(names) - 1)
    return pl.DataFrame(
        [
            column.rename(name)
            for name, column in zip(names, cut.struct.unnest().get_columns(), strict=True)
        ]
    )


def _frame(names: Sequence[str], block: Sequence[Row]) -> pl.DataFrame:
    columns = zip(*(row for _, row in block), strict=True)
    return pl.DataFrame(
        [pl.Series(name, values, pl.String) for name, values in zip(names, columns, strict=True)]
    )


def _rows(lines: Iterable[str], path: Path, separator: str, first_line: int = 1) -> Iterator[Row]:
    reader = csv.reader(lines, delimiter=separator, strict=True)
    line = first_line
    try:
        for row in reader:
            yield line, row
            line = first_line + reader.line_num
    except csv.Error as error:
        raise TableError(f"{path.name}, line {line}: broken quotes or field: {error}.") from error


def _checked(rows: Iterable[Row], path: Path, width: int) -> Iterator[Row]:
    """Rows of the right width. Blank lines at the end are nothing; one between rows is refused."""
    blank: int | None = None
    for line, row in rows:
        if not row and width > 1:
            blank = blank or line
            continue
        if blank is not None:
            raise TableError(f"{path.name}, line {blank}: the line is blank; remove it.")
        fields = row or [""]  # a blank line in a table of one column is a row without a value
        if len(fields) != width:
            raise TableError(
                f"{path.name}, line {line}: {len(fields)} fields, but the header has {width}."
            )
        yield line, fields


def _check_names(path: Path, names: Sequence[str]) -> None:
    if not any(names):
        raise TableError(f"{path.name} is empty; expected a first line with the column names.")
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise TableError(f"{path.name}: two columns are called {name!r}; rename one.")
        seen.add(name)


def _separator(sample: Sequence[str]) -> str:
    """The separator that cuts the first rows into the most fields, all rows alike."""
    found = {separator: _fields(sample, separator) for separator in SEPARATORS}
    best = max(SEPARATORS, key=lambda separator: found[separator])  # the first of equals: comma
    if found[best] > 1:
        return best
    # Rows of different length: let the header decide, the rows will be complained about.
    return max(SEPARATORS, key=lambda separator: _fields(sample[:1], separator))


def _fields(sample: Sequence[str], separator: str) -> int:
    try:
        lengths = {len(row) for row in csv.reader(sample, delimiter=separator) if row}
    except csv.Error:
        return 0
    return lengths.pop() if len(lengths) == 1 else 0


@contextmanager
def _text(path: Path, encoding: str) -> Iterator[TextIO]:
    # utf-8-sig drops a byte-order mark; newline="" leaves line breaks in quotes alone.
    codec = "utf-8-sig" if encoding.lower() in ("utf-8", "utf8") else encoding
    try:
        with path.open(encoding=codec, newline="") as stream:
            yield stream
    except LookupError:
        raise TableError(f"{encoding!r} is not an encoding known here; try utf-8.") from None
    except UnicodeError as error:
        line = _first_bad_line(path, encoding)
        raise TableError(
            f"{path.name}{f', line {line}' if line else ''}: the text is not {encoding}; save the"
            " file as UTF-8 or name its encoding, for instance --encoding latin-1."
        ) from error


def _first_bad_line(path: Path, encoding: str) -> int | None:
    with path.open("rb") as stream:
        for number, line in enumerate(stream, 1):
            try:
                line.decode(encoding)
            except UnicodeError:
                return number
    return None

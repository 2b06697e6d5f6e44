"""Delimited text, read as text: what a cell means is decided where it is used.

Python's own csv reader is in charge: it knows the line of every row and refuses broken quotes. A
row with too few or too many fields is refused, never padded. Lines without any quote can only be
cut at their separators, and polars does that many lines at a time.
"""

from __future__ import annotations

import codecs
import csv
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from io import StringIO
from itertools import chain, islice
from pathlib import Path
from typing import BinaryIO, TextIO

import numpy as np
import polars as pl

from scorecard.errors import TableError
from scorecard.tables.source import TEXT_SUFFIXES, Source, TablePiece, named_columns

UTF_8 = "utf-8-sig"  # with or without a byte-order mark
WINDOWS = "cp1252"  # what spreadsheets of Western Europe write where they do not write UTF-8
BYTES_AT_A_TIME = 1 << 24
ROWS_AT_A_TIME = 50_000
SEPARATORS = (",", ";", "\t", "|")


@dataclass(frozen=True, slots=True)
class Row:
    """The line where a row starts and the one after it, its fields, and all its text."""

    line: int
    next_line: int
    fields: list[str]
    text: str


def open_delimited(path: Path, encoding: str) -> Source:
    """Look at a text file; separators are recognised from its first rows."""
    with _text(path, encoding) as stream:
        first = list(islice(stream, 50))
        tabs = TEXT_SUFFIXES[path.suffix.lower()] == "\t"
        separator = "\t" if tabs else _separator(first)
        header = next(_rows(chain(first, stream), path, separator), Row(1, 1, [], ""))
    names, unnamed = named_columns(path, header.fields)

    def pieces() -> Iterator[TablePiece]:
        blocks = _blocks(path, encoding, header.text)
        yield from _pieces(blocks, path, separator, names, header.next_line)

    return Source(path, names, separator, pieces, unnamed=unnamed)


def _pieces(
    blocks: Iterator[bytes], path: Path, separator: str, names: Sequence[str], line: int
) -> Iterator[TablePiece]:
    cutter = Cutter(names, separator)
    row, block = 1, b""
    for block in blocks:
        if not block.endswith(b"\n"):
            block += b"\n"  # of the last line of a file
        height = plain_lines(block, separator, len(names))
        if height is None:
            break
        lines = range(line, line + height)
        yield TablePiece(names, height, partial(cutter.columns, block), row, lines)
        row, line, block = row + height, lines.stop, b""
    # From the first quote or odd line on, the csv reader has the word.
    rows = _checked(_rows(_lines(chain([block], blocks)), path, separator, line), path, len(names))
    while some := list(islice(rows, ROWS_AT_A_TIME)):
        yield _piece(some, names, row)
        row += len(some)
    if row == 1:  # no rows are a table too
        yield _piece([], names, row)


def _piece(rows: Sequence[Row], names: Sequence[str], first_row: int) -> TablePiece:
    places = {name: place for place, name in enumerate(names)}

    def columns(names: Sequence[str], _numbers: Collection[str] = ()) -> pl.DataFrame:
        return pl.DataFrame(
            [
                pl.Series(name, [row.fields[places[name]] for row in rows], pl.String)
                for name in names
            ]
        )

    return TablePiece(names, len(rows), columns, first_row, [row.line for row in rows])


def _rows(lines: Iterable[str], path: Path, separator: str, line: int = 1) -> Iterator[Row]:
    taken: list[str] = []
    reader = csv.reader(_noted(lines, taken), delimiter=separator, strict=True)
    try:
        for fields in reader:
            next_line = line + len(taken)
            yield Row(line, next_line, fields, "".join(taken))
            line = next_line
            taken.clear()
    except csv.Error as error:
        raise TableError(f"{path.name}, line {line}: broken quotes or field: {error}.") from error


def _noted(lines: Iterable[str], taken: list[str]) -> Iterator[str]:
    for line in lines:
        taken.append(line)
        yield line


def _lines(blocks: Iterable[bytes]) -> Iterator[str]:
    for block in blocks:
        yield from StringIO(block.decode(), newline="")


def _blocks(path: Path, encoding: str, header: str) -> Iterator[bytes]:
    """What follows the header, in UTF-8, some whole lines at a time."""
    if _codec(encoding) != UTF_8:
        with _text(path, encoding) as text:
            text.read(len(header))
            while block := text.read(BYTES_AT_A_TIME):
                yield (block + text.readline()).encode()
        return
    with path.open("rb") as stream, _encoding_errors(path, encoding):
        mark = stream.read(len(codecs.BOM_UTF8))
        start = len(header.encode()) + (len(codecs.BOM_UTF8) if mark == codecs.BOM_UTF8 else 0)
        while data := _whole_lines(stream, start, path.stat().st_size):
            if not data.isascii():
                data.decode()  # refuses what is not UTF-8
            yield data
            start += len(data)


def _whole_lines(stream: BinaryIO, start: int, size: int) -> bytes:
    """The lines from here to the first line end after so many bytes, without copying them."""
    stream.seek(start + BYTES_AT_A_TIME)
    stream.readline()
    end = min(stream.tell(), size)  # memory that is not needed takes longer to get than to fill
    stream.seek(start)
    return stream.read(max(end - start, 0))


def _checked(rows: Iterable[Row], path: Path, width: int) -> Iterator[Row]:
    """Rows of the right width. Blank lines at the end are nothing; one between rows is refused."""
    blank: int | None = None
    for row in rows:
        if not row.fields and width > 1:
            blank = blank or row.line
            continue
        if blank is not None:
            raise TableError(f"{path.name}, line {blank}: the line is blank; remove it.")
        if not row.fields:  # a blank line in a table of one column is a row without a value
            row.fields.append("")
        if len(row.fields) != width:
            raise TableError(
                f"{path.name}, line {row.line}: {len(row.fields)} fields, but the header has"
                f" {width}."
            )
        yield row


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
    try:
        # newline="" leaves line breaks in quotes alone.
        stream = path.open(encoding=_codec(encoding), newline="")
    except LookupError:
        raise TableError(f"{encoding!r} is not an encoding known here; try utf-8.") from None
    with stream, _encoding_errors(path, encoding):
        yield stream


def _codec(encoding: str) -> str:
    return UTF_8 if codecs.lookup(encoding).name == "utf-8" else encoding


@contextmanager
def _encoding_errors(path: Path, encoding: str) -> Iterator[None]:
    try:
        yield
    except UnicodeError as error:
        line = _first_bad_line(path, encoding)
        raise TableError(
            f"{path.name}{f', line {line}' if line else ''}: the text is not {encoding}; save the"
            " file as UTF-8 or name its encoding, for instance `encoding='latin-1'`."
        ).with_reading("encoding", WINDOWS) from error


def _first_bad_line(path: Path, encoding: str) -> int | None:
    with path.open("rb") as stream:
        for number, line in enumerate(stream, 1):
            try:
                line.decode(encoding)
            except UnicodeError:
                return number
    return None


# Lines that can only be cut at their separators ---------------------------------------------------
# No quotes, the same number of fields in each: most tables have nothing else.


def plain_lines(block: bytes, separator: str, width: int) -> int | None:
    """How many lines there are if all have so many fields and no quotes, `None` otherwise."""
    # polars takes a byte-order mark at the start of every block for one, and swallows it
    if width < 2 or b'"' in block or b"\0" in block or block.startswith(codecs.BOM_UTF8):
        return None
    fences = block.translate(None, bytes(set(range(256)) - {*separator.encode(), *b"\n"}))
    count, row = len(fences) // width, separator.encode() * (width - 1) + b"\n"
    # A carriage return that is no part of a line end would end a line too.
    is_plain = fences == row * count and block.count(b"\r") == block.count(b"\r\n")
    return count if is_plain else None


@dataclass
class Cutter:
    """Cuts columns out of plain lines, and remembers which of them are not all numbers."""

    names: Sequence[str]
    separator: str
    with_words: set[str] = field(default_factory=set)

    def columns(
        self, block: bytes, names: Sequence[str], numbers: Collection[str] = ()
    ) -> pl.DataFrame:
        """See `ColumnsOf`."""
        tried = {name for name in names if name in numbers} - self.with_words
        frame = self._cut(block, names, tried)
        others = [name for name in tried if not _all_finite(frame[name])]
        if others:
            self.with_words.update(others)
            frame = frame.with_columns(self._cut(block, others, ()))
        return frame

    def _cut(self, block: bytes, names: Sequence[str], numbers: Collection[str]) -> pl.DataFrame:
        kinds = [pl.Float64 if name in numbers else pl.String for name in self.names]
        wanted = set(names)
        places = [place for place, name in enumerate(self.names) if name in wanted]
        columns = _read(block, self.separator, kinds, places)
        found = {self.names[place]: one for place, one in zip(places, columns, strict=True)}
        return pl.DataFrame([found[name].rename(name) for name in names])


def _read(
    block: bytes, separator: str, kinds: Sequence[type[pl.DataType]], places: Sequence[int]
) -> list[pl.Series]:
    """The columns at these places."""
    # Errors can only be cells that are no numbers: the fields have been counted. Such a cell is
    # null then, and its column is cut once more, as text.
    frame = pl.read_csv(
        block,
        has_header=False,
        separator=separator,
        quote_char=None,
        schema={f"column_{place}": kind for place, kind in enumerate(kinds)},
        columns=list(places),
        ignore_errors=True,
    )
    return [_texts(one) if one.dtype == pl.String else one for one in frame.get_columns()]


def _texts(column: pl.Series) -> pl.Series:
    """An empty cell is an empty text."""
    return column.fill_null("") if column.null_count() else column


def _all_finite(numbers: pl.Series) -> bool:
    return not numbers.null_count() and bool(np.isfinite(numbers.to_numpy()).all())

"""What every reader of a table gives: column names, pieces of rows, and errors with their place."""

from __future__ import annotations

import os
import re
import sys
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

import polars as pl

from scorecard.errors import TableError, did_you_mean, few
from scorecard.tables.columns import ColumnError, with_points

TEXT_SUFFIXES = {".csv": ",", ".tsv": "\t", ".tab": "\t", ".txt": ","}
PARQUET_SUFFIXES = (".parquet", ".pq")
# What R, pandas and Arrow call the column of their row names.
_WITHOUT_A_NAME = re.compile(r"\s*|Unnamed: [0-9]+|__index_level_[0-9]+__")


class ColumnsOf(Protocol):
    """Gives some columns of a piece.

    From a text file every column comes as text. One that is among `numbers` comes as Float64 if
    each of its cells is a finite number, which saves reading it twice.
    """

    def __call__(self, names: Sequence[str], numbers: Collection[str] = (), /) -> pl.DataFrame: ...


@dataclass(frozen=True)
class TablePiece:
    """Some rows of a table, whose columns are cut out when they are asked for.

    `first_row` counts data rows from 1. From a text file there is also the line where each row
    starts. `file` is its name where the table has several.
    """

    names: Sequence[str]
    height: int
    columns: ColumnsOf
    first_row: int = 1
    lines: Sequence[int] = ()
    file: str = ""

    @classmethod
    def of(cls, frame: pl.DataFrame, first_row: int = 1, lines: Sequence[int] = ()) -> TablePiece:
        """The rows of a frame."""

        def columns(names: Sequence[str], _numbers: Collection[str] = ()) -> pl.DataFrame:
            return frame.select(names)

        return cls(frame.columns, frame.height, columns, first_row, lines)

    @property
    def frame(self) -> pl.DataFrame:
        """All columns."""
        return self.columns(self.names)

    def place(self, offset: int) -> str:
        """ "row 17 (line 19)": the data row, and the line of the file where it starts."""
        row = f"{self.file}{self.file and ', '}row {self.first_row + offset}"
        return f"{row} (line {self.lines[offset]})" if self.lines else row


@dataclass(frozen=True)
class Whole:
    """All rows of a table with the columns that were asked for, and where each row stands."""

    frame: pl.DataFrame
    parts: tuple[TablePiece, ...]

    def place(self, offset: int) -> str:
        """See `TablePiece.place`."""
        starts = [0]
        for part in self.parts[:-1]:
            starts.append(starts[-1] + part.height)
        found = bisect_right(starts, offset) - 1
        return self.parts[found].place(offset - starts[found])


@dataclass(frozen=True)
class Source:
    """A table file that has been looked at: its column names, and how to read its rows.

    `pieces()` reads the file from the start each time it is called. `separator` is `None` where
    the file is not text; `decimal` is how its numbers are written, with a point or a comma.
    `unnamed` are the columns that have no name of their own: row names, most often. `more` are the
    other files of a table in several.
    """

    path: Path
    names: tuple[str, ...]
    separator: str | None
    pieces: Callable[[], Iterator[TablePiece]]
    decimal: str = "."
    unnamed: tuple[str, ...] = ()
    more: tuple[Path, ...] = ()

    @property
    def is_file(self) -> bool:
        """Whether it is a file rather than a data frame, whose name has no ending."""
        return bool(self.path.suffix)

    @property
    def files(self) -> tuple[Path, ...]:
        return (self.path, *self.more)

    @property
    def file(self) -> str:
        """The name of the file, or of the first of several."""
        count = len(self.more)
        more = f" and {count} more {'file' if count == 1 else 'files'}" if count else ""
        return f"{self.path.name}{more}"

    def error(self, message: str, column: str | None = None, place: str = "") -> TableError:
        """A refusal that names the file, and column and row where given."""
        file = self.path.name
        if self.more and place:
            file, _, place = place.partition(", ")
        parts = [file, f"column {column!r}" if column is not None else "", place]
        return TableError(f"{', '.join(part for part in parts if part)}: {message}")

    def whole(self, names: Sequence[str]) -> Whole:
        """All rows at once, with these columns; a table without rows is refused."""
        parts: list[TablePiece] = []
        frames: list[pl.DataFrame] = []
        for piece in self.pieces():
            frames.append(piece.columns(names))
            parts.append(replace(piece, columns=TablePiece.of(frames[-1]).columns))
        try:
            frame = pl.concat(frames, how="vertical_relaxed")
        except pl.exceptions.PolarsError as error:
            raise self.error(
                f"the files have columns of different kinds: {first_line(error)}"
            ) from error
        if frame.is_empty():
            raise self.error("the table has no rows.")
        return Whole(frame, tuple(parts))

    def with_points(self, column: pl.Series, piece: TablePiece | Whole) -> pl.Series:
        """The column of a piece with decimal points, whatever the file writes."""
        if self.decimal == ".":
            return column
        with self.placing(column.name, piece):
            return with_points(column)

    @contextmanager
    def placing(self, name: str, piece: TablePiece | Whole | None = None) -> Iterator[None]:
        """Make a refusal of a column one that names file, column and row."""
        try:
            yield
        except ColumnError as error:
            place = "" if piece is None or error.row is None else piece.place(error.row)
            raise self.error(str(error), name, place) from error

    def listed(self, given: Sequence[str]) -> list[str]:
        """The columns that are meant: each by its name, or several with commas between them."""
        names: list[str] = []
        for one in given:
            several = one not in self.names and "," in one
            names += [part.strip() for part in one.split(",")] if several else [one]
        for name in names:
            self.check_column(name)
        return names

    def check_column(self, name: str) -> None:
        """Refuse a table without this column; a name that looks like it is offered."""
        if name not in self.names:
            hint = did_you_mean(name, self.names, f"it has {few(map(repr, self.names))}.")
            raise self.error(f"there is no column {name!r}; {hint}")


def named_columns(path: Path, given: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of a table's columns, those without one by their place, and which these are."""
    names = [name if name.strip() else f"column {place}" for place, name in enumerate(given, 1)]
    if not any(name.strip() for name in given):
        raise TableError(f"{path.name} is empty; expected a first line with the column names.")
    if len(set(names)) < len(names):
        twice = next(name for place, name in enumerate(names) if name in names[:place])
        raise TableError(f"{path.name}: two columns are called {twice!r}; rename one.")
    unnamed = (
        name for name, own in zip(names, given, strict=True) if _WITHOUT_A_NAME.fullmatch(own)
    )
    return tuple(names), tuple(unnamed)


@contextmanager
def polars_errors(path: Path, verb: str) -> Iterator[None]:
    """What polars complains about, as one line that names the file."""
    try:
        with _without_backtraces():
            yield
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        raise TableError(f"{path.name} cannot be {verb}: {first_line(error)}") from error


@contextmanager
def _without_backtraces() -> Iterator[None]:
    """Keep the error stream free of what Rust writes there when a damaged file makes it panic."""
    try:
        sys.stderr.flush()
        stream, kept = sys.__stderr__.fileno(), os.dup(sys.__stderr__.fileno())  # type: ignore[union-attr]
    except (AttributeError, OSError, ValueError):  # no error stream, or none of the system's
        yield
        return
    with Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), stream)
    try:
        yield
    finally:
        os.dup2(kept, stream)
        os.close(kept)


def first_line(error: BaseException) -> str:
    """What another library says, without what it adds in further lines."""
    return (str(error).splitlines() or [type(error).__name__])[0]

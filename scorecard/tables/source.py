"""What every reader of a table gives: column names, pieces of rows, and errors with their place."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Protocol

import polars as pl

from scorecard.errors import TableError
from scorecard.tables.columns import ColumnError, with_points

TEXT_SUFFIXES = {".csv": ",", ".tsv": "\t", ".tab": "\t", ".txt": ","}
PARQUET_SUFFIXES = (".parquet", ".pq")


class Columns(Protocol):
    """Gives some columns of a piece.

    From a text file every column comes as text. One that is among `numbers` comes as Float64 if
    each of its cells is a finite number, which saves reading it twice.
    """

    def __call__(self, names: Sequence[str], numbers: Collection[str] = (), /) -> pl.DataFrame: ...


@dataclass(frozen=True)
class Piece:
    """Some rows of a table, whose columns are cut out when they are asked for.

    `first_row` counts data rows from 1. From a text file there are also the line where each row
    starts, and `texts`: each row as it stands in the file, without its line end.
    """

    names: Sequence[str]
    height: int
    columns: Columns
    first_row: int = 1
    lines: Sequence[int] = ()
    texts: pl.Series | None = None

    @classmethod
    def of(cls, frame: pl.DataFrame, first_row: int = 1, lines: Sequence[int] = ()) -> Piece:
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
        row = f"row {self.first_row + offset}"
        return f"{row} (line {self.lines[offset]})" if self.lines else row


@dataclass(frozen=True)
class Source:
    """A table file that has been looked at: its column names, and how to read its rows.

    `pieces()` reads the file from the start each time it is called. `separator` is `None` where
    the file is not text; `decimal` is how its numbers are written, with a point or a comma.
    """

    path: Path
    names: tuple[str, ...]
    separator: str | None
    pieces: Callable[[], Iterator[Piece]]
    decimal: str = "."

    def error(self, message: str, column: str | None = None, place: str = "") -> TableError:
        """A refusal that names the file, and column and row where given."""
        parts = [self.path.name, f"column {column!r}" if column is not None else "", place]
        return TableError(f"{', '.join(part for part in parts if part)}: {message}")

    def with_points(self, column: pl.Series, piece: Piece) -> pl.Series:
        """The column of a piece with decimal points, whatever the file writes."""
        if self.decimal == ".":
            return column
        try:
            return with_points(column)
        except ColumnError as error:
            place = "" if error.row is None else piece.place(error.row)
            raise self.error(str(error), column.name, place) from error

    def check_column(self, name: str) -> None:
        """Refuse a table without this column; a name that looks like it is offered."""
        if name not in self.names:
            near = _nearest(name, self.names)
            hint = f"did you mean {near!r}?" if near is not None else f"it has {_few(self.names)}."
            raise self.error(f"there is no column {name!r}; {hint}")


def _nearest(name: str, names: Sequence[str]) -> str | None:
    """The name that differs in capitals, spaces and signs only, or else the most similar one."""
    by_letters = {_letters(one): one for one in reversed(names)}
    close = get_close_matches(_letters(name), by_letters, n=1, cutoff=0.6)
    return by_letters[close[0]] if close else None


def _letters(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).casefold()


def _few(names: Sequence[str]) -> str:
    shown = ", ".join(map(repr, names[:8]))
    return f"{shown}, … ({len(names)} columns)" if len(names) > 8 else shown


@contextmanager
def polars_errors(path: Path, verb: str) -> Iterator[None]:
    """What polars complains about, as one line that names the file."""
    try:
        yield
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise TableError(f"{path.name} cannot be {verb}: {reason}") from error

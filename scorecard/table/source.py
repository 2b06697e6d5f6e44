"""What every reader of a table gives: column names, pieces of rows, and errors with their place."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from scorecard.errors import TableError

TEXT_SUFFIXES = {".csv": ",", ".tsv": "\t", ".tab": "\t", ".txt": ","}
PARQUET_SUFFIXES = (".parquet", ".pq")


@dataclass(frozen=True)
class Piece:
    """Some rows of a table; `first_row` counts data rows from 1, `lines` is empty for Parquet."""

    frame: pl.DataFrame
    first_row: int
    lines: Sequence[int] = ()

    def place(self, offset: int) -> str:
        """ "row 17 (line 19)": the data row, and the line of the file where it starts."""
        row = f"row {self.first_row + offset}"
        return f"{row} (line {self.lines[offset]})" if self.lines else row


@dataclass(frozen=True)
class Source:
    """A table file that has been looked at: its column names, and how to read its rows.

    `pieces()` reads the file from the start each time it is called. `separator` is `None` where
    the file is not text.
    """

    path: Path
    names: tuple[str, ...]
    separator: str | None
    pieces: Callable[[], Iterator[Piece]]

    def error(self, message: str, column: str | None = None, place: str = "") -> TableError:
        """A refusal that names the file, and column and row where given."""
        parts = [self.path.name, f"column {column!r}" if column is not None else "", place]
        return TableError(f"{', '.join(part for part in parts if part)}: {message}")


@contextmanager
def polars_errors(path: Path, verb: str) -> Iterator[None]:
    """What polars complains about, as one line that names the file."""
    try:
        yield
    except (pl.exceptions.PolarsError, pl.exceptions.PanicException) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise TableError(f"{path.name} cannot be {verb}: {reason}") from error

"""Open a table file: CSV, TSV or Parquet; everything else is refused by name."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import polars as pl

from scorecard.errors import TableError
from scorecard.files import OLD_EXCEL, ZIP
from scorecard.tables.delimited import open_delimited
from scorecard.tables.source import (
    PARQUET_SUFFIXES,
    TEXT_SUFFIXES,
    Piece,
    Source,
    polars_errors,
)

ROWS_AT_A_TIME = 200_000  # of a Parquet file
SPREADSHEETS = (".xlsx", ".xls", ".xlsm", ".xlsb", ".ods", ".numbers")
SPREADSHEET_STARTS = (ZIP, OLD_EXCEL)


def open_table(path: str | os.PathLike[str], encoding: str = "utf-8", decimal: str = ".") -> Source:
    """Look at a CSV, TSV or Parquet file; its rows come from `Source.pieces`.

    Separators (comma, semicolon, tab, bar) are recognised from the first rows. A byte-order mark is
    dropped. Text that is not in `encoding` is refused with its line. `decimal` is a point or a
    comma; see `Source.with_points`.
    """
    path = Path(path)
    suffix = path.suffix.lower()
    start = _first_bytes(path)
    _refuse_other_kinds(path, suffix, start, encoding)
    if suffix in PARQUET_SUFFIXES:
        return _open_parquet(path)
    return replace(open_delimited(path, encoding), decimal=decimal)


def _first_bytes(path: Path) -> bytes:
    try:
        with path.open("rb") as stream:
            return stream.read(4)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        reason = getattr(error, "strerror", None) or str(error)
        raise TableError(f"{str(path)!r} cannot be read: {reason}.") from error


def _refuse_other_kinds(path: Path, suffix: str, start: bytes, encoding: str) -> None:
    is_text = suffix in TEXT_SUFFIXES
    if suffix in SPREADSHEETS or (is_text and start.startswith(SPREADSHEET_STARTS)):
        raise TableError(f"{path.name}: this is a spreadsheet; save the sheet as CSV (UTF-8).")
    if not is_text and suffix not in PARQUET_SUFFIXES:
        if start.startswith(b"{") or suffix == ".toml":
            raise TableError(
                f"{path.name}: this looks like a model file, not a table of cases; give the table"
                " here (.csv, .tsv, .txt or .parquet)."
            )
        raise TableError(
            f"{path.name}: unknown kind of table {suffix!r}; expected .csv, .tsv, .txt or .parquet."
        )
    if is_text and start == b"PAR1":
        raise TableError(f"{path.name}: this is a Parquet file; name it .parquet.")
    if is_text and encoding == "utf-8" and start.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise TableError(
            f"{path.name}: this is UTF-16; save it as UTF-8 or give --encoding utf-16."
        )


def _open_parquet(path: Path) -> Source:
    with polars_errors(path, "read as Parquet"):
        names = tuple(pl.read_parquet_schema(path))

    def pieces() -> Iterator[Piece]:
        whole = pl.scan_parquet(path)
        with polars_errors(path, "read as Parquet"):
            height = whole.select(pl.len()).collect().item()
        for start in range(0, max(height, 1), ROWS_AT_A_TIME):  # no rows are a table too
            with polars_errors(path, "read as Parquet"):
                frame = whole.slice(start, ROWS_AT_A_TIME).collect()
            yield Piece.of(frame, start + 1)

    return Source(path, names, None, pieces)

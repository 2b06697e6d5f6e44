"""Open a table: a file (CSV, TSV, Excel, Parquet), several, or a data frame; nothing else."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import date, datetime, time
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import polars as pl

from scorecard.errors import TableError, few
from scorecard.files import OLD_EXCEL, ZIP
from scorecard.tables.delimited import open_delimited
from scorecard.tables.source import (
    PARQUET_SUFFIXES,
    TEXT_SUFFIXES,
    Source,
    TablePiece,
    first_line,
    named_columns,
    polars_errors,
)

ROWS_AT_A_TIME = 200_000  # of a Parquet file
OTHER_SPREADSHEETS = (".xls", ".xlsb", ".ods", ".numbers")
KINDS = ".csv, .tsv, .txt, .xlsx or .parquet"


def open_table(
    table: Any, encoding: str = "utf-8", decimal: str = ".", sheet: str | None = None
) -> Source:
    """Look at CSV, TSV, Excel or Parquet files, or a data frame; a source is one already.

    The rows come from `Source.pieces`. A path may be a pattern like part-*.parquet; several files
    with the same columns are one table, row after row. Separators (comma, semicolon, tab, bar) are
    recognised from the first rows. A byte-order mark is dropped. Text that is not in `encoding` is
    refused with its line. `decimal` is a point or a comma; see `Source.with_points`. `sheet` names
    the sheet of a workbook that has several.
    """
    if isinstance(table, Source):
        return table
    given = [table] if isinstance(table, (str, os.PathLike)) else table
    is_files = isinstance(given, (list, tuple))
    if not is_files or not all(isinstance(one, (str, os.PathLike)) for one in given):
        return _of_frame(table)
    files = [file for one in given for file in _matching(Path(one))]
    if not files:
        raise TableError("no table came; expected at least one file.")
    sources = [_open(file, encoding, decimal, sheet) for file in files]
    return sources[0] if len(sources) == 1 else _joined(sources)


def _of_frame(table: Any) -> Source:
    frame, path = _polars_frame(table), Path("table")
    names, unnamed = named_columns(path, frame.columns)
    frame = frame.rename(dict(zip(frame.columns, names, strict=True)))
    return Source(path, names, None, lambda: iter([TablePiece.of(frame)]), unnamed=unnamed)


def is_table(path: str | os.PathLike[str]) -> bool:
    """Whether a file is a table by its name."""
    kinds = (*TEXT_SUFFIXES, *PARQUET_SUFFIXES, *EXCEL_SUFFIXES, *OTHER_SPREADSHEETS)
    return Path(path).suffix.lower() in kinds


def _matching(path: Path) -> list[Path]:
    """The files of a pattern that the shell has left alone."""
    if not set("*?[") & set(path.name) or path.exists():
        return [path]
    return sorted(path.parent.glob(path.name)) or [path]


def _open(path: Path, encoding: str, decimal: str, sheet: str | None) -> Source:
    suffix = path.suffix.lower()
    start = _first_bytes(path)
    _refuse_other_kinds(path, suffix, start, encoding)
    if suffix in EXCEL_SUFFIXES:
        return open_excel(path, sheet, decimal)
    if sheet is not None:
        raise TableError(f"{path.name} has no sheets; leave `sheet` out.")
    if suffix in PARQUET_SUFFIXES:
        return _open_parquet(path)
    return replace(open_delimited(path, encoding), decimal=decimal)


def _first_bytes(path: Path) -> bytes:
    try:
        if path.exists() and not (path.is_file() or path.is_dir()):
            raise ValueError("it is no ordinary file, and a table is read more than once")
        with path.open("rb") as stream:
            return stream.read(4)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        reason = getattr(error, "strerror", None) or str(error)
        raise TableError(f"{str(path)!r} cannot be read: {reason}.") from error


def _refuse_other_kinds(path: Path, suffix: str, start: bytes, encoding: str) -> None:
    is_text = suffix in TEXT_SUFFIXES
    if is_text and start.startswith(ZIP):
        raise TableError(f"{path.name}: this is a spreadsheet; name it .xlsx or save it as CSV.")
    if suffix in OTHER_SPREADSHEETS or (
        start.startswith(OLD_EXCEL) and (is_text or suffix in EXCEL_SUFFIXES)
    ):
        raise TableError(f"{path.name}: this is a spreadsheet; save it as .xlsx or CSV (UTF-8).")
    if not is_text and suffix not in (*PARQUET_SUFFIXES, *EXCEL_SUFFIXES):
        if start.startswith(b"{") or suffix == ".toml":
            raise TableError(
                f"{path.name}: this looks like a model file, not a table of cases; give the table"
                f" here ({KINDS})."
            )
        raise TableError(f"{path.name}: unknown kind of table {suffix!r}; expected {KINDS}.")
    if is_text and start == b"PAR1":
        raise TableError(f"{path.name}: this is a Parquet file; name it .parquet.")
    if is_text and encoding == "utf-8" and start.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise TableError(
            f"{path.name}: this is UTF-16; save it as UTF-8 or give `encoding='utf-16'`."
        ).with_reading("encoding", "utf-16")


def _open_parquet(path: Path) -> Source:
    with polars_errors(path, "read as Parquet"):
        written = list(pl.read_parquet_schema(path))
    names, unnamed = named_columns(path, written)

    def pieces() -> Iterator[TablePiece]:
        whole = pl.scan_parquet(path)
        with polars_errors(path, "read as Parquet"):
            height = whole.select(pl.len()).collect().item()
        for start in range(0, max(height, 1), ROWS_AT_A_TIME):  # no rows are a table too
            with polars_errors(path, "read as Parquet"):
                frame = whole.slice(start, ROWS_AT_A_TIME).collect()
            frame.columns = list(names)
            yield TablePiece.of(_with_texts(frame), start + 1)

    return Source(path, names, None, pieces, unnamed=unnamed)


def _with_texts(frame: pl.DataFrame) -> pl.DataFrame:
    """Bytes that are UTF-8 as the texts they were before some program wrote them as bytes."""
    texts = []
    for column in frame.get_columns():
        if column.dtype == pl.Binary:
            try:
                texts.append(column.cast(pl.String))
            except pl.exceptions.PolarsError:
                continue  # bytes of another kind; whoever asks for them will complain
    return frame.with_columns(texts)


def _joined(sources: Sequence[Source]) -> Source:
    """Several files as one table; their columns may stand in another order."""
    first = sources[0]
    for one in sources[1:]:
        if one.path.resolve() in [other.path.resolve() for other in sources[: sources.index(one)]]:
            raise TableError(f"{one.path.name} was given twice; its cases would count twice.")
        for name in sorted({*first.names} ^ {*one.names}):
            less, more = (one, first) if name in first.names else (first, one)
            raise less.error(f"there is no column {name!r} as in {more.path.name}.")
    alike = all(one.separator == first.separator for one in sources)

    def pieces() -> Iterator[TablePiece]:
        for one in sources:
            for piece in one.pieces():
                yield replace(piece, names=first.names, file=one.path.name)

    return replace(
        first,
        pieces=pieces,
        separator=first.separator if alike else None,
        more=tuple(one.path for one in sources[1:]),
    )


def _polars_frame(frame: Any) -> pl.DataFrame:
    """The same table in polars, without pyarrow; what is missing is null."""
    import narwhals.stable.v1 as nw

    try:
        table = nw.from_native(frame, eager_only=True)
    except TypeError as error:
        raise TableError(
            f"{type(frame).__name__} is neither the path of a table nor a data frame."
        ) from error
    native = table.to_native()
    if isinstance(native, pl.DataFrame):
        return native
    return pl.DataFrame([_series(str(name), table[name]) for name in table.columns])


def _series(name: str, column: Any) -> pl.Series:
    import narwhals.stable.v1 as nw

    kind = column.dtype
    if (kind.is_numeric() or kind == nw.Boolean) and not column.is_null().any():
        return pl.Series(name, column.to_numpy())
    values = [None if value != value else value for value in column.to_list()]  # NaN, NaT
    return pl.Series(name, values, strict=False)


# A sheet of a workbook ----------------------------------------------------------------------------

EXCEL_SUFFIXES = (".xlsx", ".xlsm")
MOST_BYTES = 1_000_000_000  # of a workbook when unpacked

Rows = list[list[Any]]


def open_excel(path: Path, sheet: str | None, decimal: str) -> Source:
    """Read a sheet; if none is named, the only one that has cells.

    Numbers are written with the table's decimal mark, so that a text "1,5" and a number 1.5 may
    stand in one column. A formula counts with the value that is stored for it.
    """
    with _errors(path):
        _refuse_bombs(path)
        rows = _cells(path, sheet)
    header = [_text(cell, ".") for cell in rows[0]] if rows else []
    width = max((place for place, cell in enumerate(header, 1) if cell), default=0)
    _check(path, rows, width)
    names, unnamed = named_columns(path, header[:width])
    columns = [
        pl.Series(name, [_text(cell, decimal) for cell in _column(rows[1:], place)], pl.String)
        for place, name in enumerate(names)
    ]
    piece = TablePiece.of(pl.DataFrame(columns), 1, range(2, len(rows) + 1))
    return Source(path, names, None, lambda: iter([piece]), decimal, unnamed=unnamed)


def _column(rows: Rows, place: int) -> Iterator[Any]:
    return (row[place] if place < len(row) else None for row in rows)


def _check(path: Path, rows: Rows, width: int) -> None:
    for number, row in enumerate(rows, 1):
        if all(_is_blank(cell) for cell in row):
            raise TableError(f"{path.name}, line {number}: the line is blank; remove it.")
        if not all(_is_blank(cell) for cell in row[width:]):
            raise TableError(
                f"{path.name}, line {number}: there is a cell behind the last column that has a"
                " name; name its column or empty it."
            )


def _is_blank(cell: Any) -> bool:
    return cell is None or cell == ""


def _text(cell: Any, decimal: str) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float):
        whole = cell.is_integer() and abs(cell) < 2**53
        return str(int(cell)) if whole else repr(cell).replace(".", decimal)
    if isinstance(cell, (date, datetime, time)):
        return cell.isoformat()
    return str(cell)


def _cells(path: Path, sheet: str | None) -> Rows:
    values = _sheets(path, formulas=False)
    name = _chosen(path, values, sheet)
    if _has_formulas(path):
        _refuse_without_value(path, values[name], _sheets(path, formulas=True)[name])
    return values[name]


def _sheets(path: Path, formulas: bool) -> dict[str, Rows]:
    from openpyxl import load_workbook

    book = load_workbook(path, read_only=True, data_only=not formulas)
    try:
        return {sheet.title: _rows(sheet) for sheet in book.worksheets}
    finally:
        book.close()


def _rows(sheet: Any) -> Rows:
    """The rows to the last that has a cell."""
    sheet.reset_dimensions()  # what the file says about them is often wrong
    rows: Rows = []
    blank = 0
    for row in sheet.iter_rows(values_only=True):
        if all(_is_blank(cell) for cell in row):
            blank += 1
            continue
        rows += [[] for _ in range(blank)]
        rows.append(list(row))
        blank = 0
    return rows


def _chosen(path: Path, sheets: dict[str, Rows], wanted: str | None) -> str:
    if wanted is not None and wanted not in sheets:
        raise TableError(
            f"{path.name}: there is no sheet {wanted!r}; it has {few(map(repr, sheets))}."
        )
    full = [name for name, rows in sheets.items() if rows]
    if wanted is None and len(full) > 1:
        raise TableError(
            f"{path.name} has several sheets; add `sheet` with one of {few(map(repr, full))}."
        ).with_reading("sheet", *full)
    return wanted or (full or list(sheets))[0]


def _has_formulas(path: Path) -> bool:
    with ZipFile(path) as archive:
        parts = [name for name in archive.namelist() if name.startswith("xl/worksheets/")]
        return any(b"<f>" in part or b"<f " in part for part in map(archive.read, parts))


def _refuse_without_value(path: Path, values: Rows, formulas: Rows) -> None:
    """Refuse formulas that no spreadsheet has calculated: their cells look empty."""
    from openpyxl.utils import get_column_letter

    for number, row in enumerate(formulas):
        for place, formula in enumerate(row):
            if not (isinstance(formula, str) and formula.startswith("=")):
                continue
            known = values[number] if number < len(values) else []
            if place >= len(known) or known[place] is None:
                raise TableError(
                    f"{path.name}, cell {get_column_letter(place + 1)}{number + 1}: the formula"
                    f" {formula!r} has no value; open the file in a spreadsheet and save it."
                )


def _refuse_bombs(path: Path) -> None:
    with ZipFile(path) as archive:
        size = sum(part.file_size for part in archive.infolist())
    if size > MOST_BYTES:
        raise TableError(
            f"{path.name} has {size / 1e9:.0f} GB when unpacked; save the sheet as CSV or Parquet."
        )


@contextmanager
def _errors(path: Path) -> Iterator[None]:
    """What the reader of workbooks says about a damaged one, whatever it is, as one line."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about styles and extensions of Excel's own
            yield
    except TableError:
        raise
    except Exception as error:
        raise TableError(
            f"{path.name} cannot be read as an Excel workbook ({first_line(error)});"
            " save it anew, or as CSV."
        ) from error

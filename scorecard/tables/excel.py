"""A sheet of a workbook, read like the CSV file one would save it as: cell by cell, as text."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime, time
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import polars as pl

from scorecard.errors import TableError
from scorecard.tables.source import Source, TablePiece, first_line, named_columns

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
        raise TableError(f"{path.name}: there is no sheet {wanted!r}; it has {_list(sheets)}.")
    full = [name for name, rows in sheets.items() if rows]
    if wanted is None and len(full) > 1:
        raise TableError(f"{path.name} has several sheets; add `sheet` with one of {_list(full)}.")
    return wanted or (full or list(sheets))[0]


def _list(names: Sequence[str] | dict[str, Rows]) -> str:
    return ", ".join(map(repr, names))


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

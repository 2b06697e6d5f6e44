"""Data frames of any kind that narwhals knows: in as polars, out with columns added."""

from __future__ import annotations

from typing import Any

import narwhals.stable.v1 as nw
import polars as pl

from scorecard.errors import TableError


def polars_frame(frame: Any) -> pl.DataFrame:
    """The same table in polars, without pyarrow; what is missing is null."""
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
    kind = column.dtype
    if (kind.is_numeric() or kind == nw.Boolean) and not column.is_null().any():
        return pl.Series(name, column.to_numpy())
    values = [None if value != value else value for value in column.to_list()]  # NaN, NaT
    return pl.Series(name, values, strict=False)


def with_columns(frame: Any, added: pl.DataFrame) -> Any:
    """The data frame with these columns behind its own, of the same kind."""
    if isinstance(frame, pl.DataFrame):
        return frame.hstack(added.get_columns())
    table = nw.from_native(frame, eager_only=True)
    space = nw.get_native_namespace(table)
    columns = [
        nw.new_series(one.name, one.to_list(), native_namespace=space)
        for one in added.get_columns()
    ]
    return table.with_columns(columns).to_native()

"""A table as the list of a model takes it: with names, through the steps of a pipeline, with y."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from scorecard.core.fitted import Parts
from scorecard.core.model import ScoringList
from scorecard.errors import TableError
from scorecard.tables.read_table import open_table
from scorecard.tables.source import Source


def prepared(model: Any, table: Any, beside: Sequence[str] = ()) -> Any:
    """What the list of a model is applied to: the table, or what the steps of a pipeline give.

    An array gets the names that the classifier has for its columns. The columns `beside` do not go
    through the steps.
    """
    if isinstance(model, ScoringList):
        return table
    parts = Parts.of(model)
    if parts.before is None:
        return table if _has_names(table) else _named(table, _names_of(parts.classifier, table))
    if _is_file(table):
        raise TableError(
            f"{table!r} is a file, and a pipeline takes what its first step was fitted with: read"
            " it, and give the data frame."
        )
    return _through(parts, table, beside)


def with_outcome(
    table: Any, outcome: Any, values: Sequence[bool | None] | None = None
) -> tuple[pl.DataFrame, str]:
    """The table with these outcomes behind its columns, and what theirs is called.

    `values` stand for them where it is known which of them is the positive class.
    """
    if _is_file(table):
        raise TableError("the outcomes of a file are a column of it: give the column's name.")
    frame = _frame_of(table)
    if np.ndim(outcome) != 1 or len(outcome) != frame.height:
        raise TableError(
            f"outcomes of the shape {np.shape(outcome)} came to {frame.height} rows; expected one"
            " for each row."
        )
    name = str(getattr(outcome, "name", None) or "outcome")
    while name in frame.columns:
        name += "_"
    return frame.with_columns(
        pl.Series(name, np.asarray(outcome).tolist() if values is None else values, strict=False)
    ), name


def is_positive(outcome: Any, positive: Any = None) -> list[bool | None]:
    """Which outcomes are the positive class, by default the second of two; `None` if missing."""
    values = np.asarray(outcome).tolist()
    known = sorted({value for value in values if not _is_missing(value)}, key=_by_kind)
    if positive is None and len(known) == 2:
        positive = known[1]
    positive = positive.item() if isinstance(positive, np.generic) else positive
    if positive not in known:
        raise TableError(f"the outcomes are {known[:6]}; {positive!r} came as the positive one.")
    return [None if _is_missing(value) else value == positive for value in values]


def _by_kind(value: Any) -> tuple[bool, Any]:
    """Numbers before texts, so that both can be sorted."""
    return isinstance(value, str), value


def _through(parts: Parts, table: Any, beside: Sequence[str]) -> pl.DataFrame:
    """What the steps give for the columns that they were fitted with."""
    names = getattr(parts.before, "feature_names_in_", None)
    given = parts.before.transform(
        table[list(names)] if names is not None and _has_names(table) else table
    )
    if not _has_names(given):
        dense = given.toarray() if hasattr(given, "toarray") else given
        given = _named(dense, _names_after(parts, dense))
    frame = _frame_of(given)
    if not beside:
        return frame
    own = _frame_of(table).select(beside)
    return frame.drop(own.columns, strict=False).hstack(own.get_columns())


def _names_after(parts: Parts, values: Any) -> list[str]:
    """As `core.fitted` names the questions."""
    told = getattr(parts.before, "get_feature_names_out", None)
    if hasattr(parts.classifier, "feature_names_in_") or told is None:
        return _names_of(parts.classifier, values)
    return [str(name) for name in told()]


def _names_of(classifier: Any, values: Any) -> list[str]:
    names = getattr(classifier, "feature_names_in_", None)
    return [f"x{place}" for place in range(np.shape(values)[1])] if names is None else list(names)


def _named(values: Any, names: Sequence[str]) -> pl.DataFrame:
    array = np.asarray(values)
    if array.ndim != 2 or array.shape[1] != len(names):
        raise TableError(
            f"an array of the shape {array.shape} came; expected {len(names)} columns."
        )
    return pl.DataFrame(array, schema=list(names))


def _frame_of(table: Any) -> pl.DataFrame:
    if not _has_names(table):
        table = _named(table, [f"x{place}" for place in range(np.shape(table)[1])])
    source = open_table(table)
    return source.whole(source.names).frame


def _has_names(table: Any) -> bool:
    return _is_file(table) or hasattr(table, "columns") or not hasattr(table, "__len__")


def _is_file(table: Any) -> bool:
    first = table[0] if isinstance(table, (list, tuple)) and table else table
    return isinstance(first, (str, os.PathLike, Source))


def _is_missing(value: Any) -> bool:
    return value is None or value != value

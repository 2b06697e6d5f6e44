"""What a table looks like before anybody has said what is to be predicted."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from scorecard.tables.cases import outcome_words
from scorecard.tables.source import Source

MOST_VALUES = 12  # of a column that may be an outcome
FIRST_ROWS = 6


@dataclass(frozen=True)
class Overview:
    """How many rows there are, the first as texts, and the columns that may be an outcome.

    Of these how often each value occurs.
    """

    rows: int
    head: tuple[tuple[str, ...], ...]
    outcomes: dict[str, dict[str, int]]


def overview(source: Source) -> Overview:
    """Look at all columns of a table once."""
    frame = source.whole(source.names).frame
    counted = {name: _values(frame[name]) for name in source.names}
    texts = frame.head(FIRST_ROWS).cast(pl.String, strict=False).fill_null("")
    outcomes = {name: one for name, one in counted.items() if len(one) > 1}
    return Overview(frame.height, tuple(texts.iter_rows()), outcomes)


def _values(column: pl.Series) -> dict[str, int]:
    """How often each value occurs, in order; nothing where there are too many."""
    if column.dtype.is_temporal() or column.dtype.is_nested() or column.dtype == pl.Binary:
        return {}
    if column.n_unique() > MOST_VALUES + 1:  # and a gap
        return {}
    words = outcome_words(column).drop_nulls()
    if words.n_unique() > MOST_VALUES:
        return {}
    return dict(words.value_counts().sort(column.name).iter_rows())

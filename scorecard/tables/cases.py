"""A table of cases to learn from: inputs, outcome, and what was left out and why."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from scorecard.core.question import NUMBER_PATTERN, UNKNOWN_WORDS, said_yes
from scorecard.errors import TableError
from scorecard.tables.columns import Column, ColumnError, as_yes_no, understood
from scorecard.tables.read_table import open_table
from scorecard.tables.source import Piece, Source


@dataclass(frozen=True)
class Cases:
    """What can be learned from: one row of `inputs` per case, `outcome` true where positive.

    `columns` are all names of the table. `dropped` has the columns that were left out, each with
    the reason; `without_outcome` is the number of rows left out because theirs is missing.
    """

    inputs: pl.DataFrame
    outcome: pl.Series
    positive: str
    columns: tuple[str, ...]
    dropped: tuple[tuple[str, str], ...]
    without_outcome: int
    file: str = ""
    sha256: str = ""

    @property
    def positives(self) -> int:
        return int(self.outcome.sum())


def read_cases(
    table: Any,
    outcome: str,
    *,
    positive: str | None = None,
    drop: Sequence[str] = (),
    only: Sequence[str] = (),
    encoding: str = "utf-8",
    decimal: str = ".",
    missing: str = "unknown",
) -> Cases:
    """Read a CSV, TSV or Parquet file, or take a data frame, to learn from.

    Parameters
    ----------
    table : path of a file, or a data frame of any kind that narwhals knows.
    outcome : the column that is to be predicted; it has two values.
    positive : the value of it whose risk is learned; may be left out for yes/no and 1/0.
    drop, only : columns to leave out; the only ones to use.
    encoding, decimal : of a text file; its numbers have a point or a comma.
    missing : as in `ScoringListClassifier`; with "question" a constant column with gaps is kept.
    """
    is_file = isinstance(table, (str, os.PathLike))
    source = open_table(table, encoding, decimal) if is_file else _source_of_frame(table)
    names = _chosen(source, outcome, drop, only)
    whole = whole_table(source, [*names, outcome])
    answers, label = outcome_of(whole, outcome, positive, source)
    kept = answers.is_not_null()
    found = {
        name: _column(whole, name, source, keep_missing=missing == "question") for name in names
    }
    inputs, dropped = _useful(found)
    if not inputs:
        raise source.error("no column is left to ask for; see --drop and --only.")
    return Cases(
        pl.DataFrame(inputs).filter(kept),
        answers.filter(kept),
        label,
        source.names,
        tuple(dropped),
        answers.null_count(),
        source.path.name if is_file else "",
        sha256_of(source.path) if is_file else "",
    )


def _source_of_frame(frame: Any) -> Source:
    import narwhals.stable.v1 as nw

    try:
        polars_frame: pl.DataFrame = nw.from_native(frame, eager_only=True).to_polars()
    except TypeError as error:
        raise TableError(
            f"{type(frame).__name__} is neither the path of a table nor a data frame."
        ) from error
    names = tuple(polars_frame.columns)
    return Source(Path("table"), names, None, lambda: iter([Piece.of(polars_frame)]))


def _chosen(source: Source, outcome: str, drop: Sequence[str], only: Sequence[str]) -> list[str]:
    for name in (outcome, *drop, *only):
        source.check_column(name)
    if outcome in (*drop, *only):
        raise source.error(f"the outcome {outcome!r} can be neither an input nor dropped.")
    return [
        name
        for name in source.names
        if name != outcome and name not in drop and (name in only or not only)
    ]


def whole_table(source: Source, names: Sequence[str]) -> Piece:
    """All rows in one piece, with the columns that are needed."""
    frames: list[pl.DataFrame] = []
    lines: list[int] = []
    for piece in source.pieces():
        frames.append(piece.columns(names))
        lines.extend(piece.lines)
    frame = pl.concat(frames)
    if frame.is_empty():
        raise source.error("the table has no rows.")
    return Piece.of(frame, 1, lines)


def _column(whole: Piece, name: str, source: Source, keep_missing: bool) -> Column:
    column = source.with_points(whole.frame[name], whole)
    try:
        return understood(column, keep_missing=keep_missing)
    except ColumnError as error:
        place = "" if error.row is None else whole.place(error.row)
        raise source.error(str(error), name, place) from error


def _useful(found: dict[str, Column]) -> tuple[list[pl.Series], list[tuple[str, str]]]:
    inputs: list[pl.Series] = []
    dropped: list[tuple[str, str]] = []
    seen: dict[tuple[str, int], str] = {}
    for name, column in found.items():
        values = column.values.rename(name)
        key = str(values.dtype), int(values.hash().sum())
        if column.useless:
            dropped.append((name, column.useless))
        elif key in seen and values.equals(found[seen[key]].values):
            dropped.append((name, f"it is the same as {seen[key]!r}"))
        else:
            seen.setdefault(key, name)
            inputs.append(values)
    return inputs, dropped


def outcome_of(
    whole: Piece, name: str, positive: str | None, source: Source
) -> tuple[pl.Series, str]:
    """True where positive, null where the outcome is missing; and the positive value."""
    column = source.with_points(whole.frame[name], whole)
    if column.dtype.is_temporal() or column.dtype.is_nested():
        raise source.error(f"it is of the kind {column.dtype}; expected two values.", name)
    words = _words(column)
    values = words.drop_nulls().unique().sort().to_list()
    if not values:
        raise source.error("every outcome is missing.", name)
    shown = ", ".join(map(repr, values[:6])) + (" …" if len(values) > 6 else "")
    if positive is None and len(values) == 1:
        raise source.error(_always(shown), name)
    answers = as_yes_no(words) if positive is None else None
    if answers is not None:
        label = next(filter(said_yes, values), "yes")
    else:
        label = _positive_value(positive, values, shown, name, source)
        answers = (words == label).set(words.is_null(), None)
    if answers.drop_nulls().n_unique() < 2:
        raise source.error(_always(shown), name)
    return answers, label


def _always(shown: str) -> str:
    return f"it is always {shown}; nothing can be learned from one outcome."


def _positive_value(
    positive: str | None, values: Sequence[str], shown: str, name: str, source: Source
) -> str:
    """The positive value as the table writes it: 1 and 1.0 are the same."""
    if len(values) > 2:
        raise source.error(
            f"it has {len(values)} values, expected two: {shown}; add a column that says yes for"
            " what is to be predicted and no for the rest, and give it as --outcome.",
            name,
        )
    if positive is None:
        raise source.error(
            f"which value is the positive one? It has {shown}; add --positive {values[-1]!r} or"
            f" --positive {values[0]!r}.",
            name,
        )
    for value in values:
        number = _as_number(value)
        if value == positive or (number is not None and number == _as_number(positive)):
            return value
    raise source.error(f"the positive value {positive!r} is not there; it has {shown}.", name)


def _as_number(text: str) -> float | None:
    return float(text) if re.fullmatch(NUMBER_PATTERN, text) else None


def _words(column: pl.Series) -> pl.Series:
    if column.dtype.is_float():
        whole = column.fill_nan(None)
        if (whole.drop_nulls() == whole.drop_nulls().floor()).all():
            column = whole.cast(pl.Int64, strict=False)
    words = column.cast(pl.String).str.strip_chars()
    return words.set(words.str.to_lowercase().is_in(list(UNKNOWN_WORDS)).fill_null(True), None)


def sha256_of(path: Path) -> str:
    """The hash of a file, which names the table a list was learned from."""
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while block := stream.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()

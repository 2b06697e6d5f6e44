"""Write a table, whole or not at all; the kind of file follows from its name."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import polars as pl

from scorecard.errors import TableError
from scorecard.files import replacing
from scorecard.table.source import PARQUET_SUFFIXES, TEXT_SUFFIXES, Source, polars_errors


def check_target(path: str | os.PathLike[str], source: Source) -> None:
    """Refuse a target before any work is done: an unknown kind, or the table itself."""
    target = Path(path)
    if target.is_file() and target.samefile(source.path):
        raise TableError(f"{target.name} is the table itself; write to another file.")
    known = (*TEXT_SUFFIXES, *PARQUET_SUFFIXES)
    if target.suffix and target.suffix.lower() not in known:
        raise TableError(
            f"{target.name}: unknown kind of table {target.suffix!r}; expected {', '.join(known)}."
        )


def write_table(
    frames: Iterable[pl.DataFrame], path: str | os.PathLike[str], source: Source
) -> int:
    """Write the pieces of a table and give the number of rows.

    Without a suffix, as in `/dev/stdout`, the kind of file is that of the source. Text is written
    as UTF-8 with the source's separator.
    """
    check_target(path, source)
    target, origin = Path(path), source.path.suffix.lower()
    suffix = target.suffix.lower() or origin
    with replacing(path) as stream, polars_errors(target, "written"):
        if suffix in PARQUET_SUFFIXES:
            whole = pl.concat(list(frames))
            whole.write_parquet(stream)
            return whole.height
        same_kind = TEXT_SUFFIXES[suffix] == TEXT_SUFFIXES.get(origin)
        separator = (source.separator if same_kind else None) or TEXT_SUFFIXES[suffix]
        height = 0
        for number, frame in enumerate(frames):
            _without_empty_texts(frame).write_csv(
                stream, include_header=number == 0, separator=separator
            )
            height += frame.height
        return height


def _without_empty_texts(frame: pl.DataFrame) -> pl.DataFrame:
    # Polars writes an empty text as "" and nothing as nothing; in the file it was nothing.
    texts = pl.col(pl.String)
    return frame.with_columns(pl.when(texts != "").then(texts).name.keep())

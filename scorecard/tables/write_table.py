"""Write a table, whole or not at all; the kind of file follows from its name."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

import polars as pl

from scorecard.errors import TableError
from scorecard.files import replacing
from scorecard.tables.apply import Decided
from scorecard.tables.source import PARQUET_SUFFIXES, TEXT_SUFFIXES, Source, polars_errors


def check_target(path: str | os.PathLike[str], source: Source) -> None:
    """Refuse a target before any work is done: an unknown kind, or the table itself."""
    target = Path(path)
    if target.is_file() and any(target.samefile(one) for one in source.files):
        raise TableError(f"{target.name} is the table itself; write to another file.")
    known = (*TEXT_SUFFIXES, *PARQUET_SUFFIXES)
    if target.suffix and target.suffix.lower() not in known:
        raise TableError(
            f"{target.name}: unknown kind of table {target.suffix!r}; expected {', '.join(known)}."
        )


def write_decided(decided: Iterable[Decided], path: str | os.PathLike[str], source: Source) -> int:
    """Write a table with what was decided about its rows, and give the number of rows.

    In a text file with the separator of the source the rows stand as they stood there. Numbers
    that are added to a table with decimal commas have them too.
    """
    check_target(path, source)
    separator = _separator(Path(path), source)
    if separator is None or separator != source.separator:
        return write_table((one.frame for one in decided), path, source)
    height = 0
    with replacing(path) as stream, polars_errors(Path(path), "written"):
        for number, one in enumerate(decided):
            if number == 0:
                added = pl.DataFrame(schema=one.results.columns).write_csv(separator=separator)
                stream.write(f"{source.header}{separator}{added}".encode())
            _behind_their_rows(one, separator, source.decimal).write_csv(
                stream, include_header=False, separator=separator, quote_style="never"
            )
            height += one.piece.height
    return height


def _behind_their_rows(one: Decided, separator: str, decimal: str) -> pl.DataFrame:
    """Two columns of finished text: the row as it stands in its file, and its result."""
    end = "\0"  # in no name or text of a list
    results = _as_text(one.results, decimal)
    text = results.write_csv(include_header=False, separator=separator, line_terminator=end)
    written = pl.Series("results", text.split(end)[:-1])
    return pl.DataFrame([one.piece.texts, written.gather(one.places)])


def write_table(
    frames: Iterable[pl.DataFrame], path: str | os.PathLike[str], source: Source
) -> int:
    """Write the pieces of a table and give the number of rows.

    Without a suffix, as in `/dev/stdout`, the kind of file is that of the source. Text is written
    as UTF-8 with the source's separator.
    """
    check_target(path, source)
    target = Path(path)
    separator = _separator(target, source)
    with replacing(path) as stream, polars_errors(target, "written"):
        if separator is None:
            whole = pl.concat(list(frames), how="vertical_relaxed")
            whole.write_parquet(stream)
            return whole.height
        height = 0
        for number, frame in enumerate(frames):
            _as_text(frame, source.decimal).write_csv(
                stream, include_header=number == 0, separator=separator
            )
            height += frame.height
        return height


def _separator(target: Path, source: Source) -> str | None:
    """What separates the fields of the target: that of a source of its kind; `None` for Parquet."""
    origin = source.path.suffix.lower()
    suffix = target.suffix.lower() or default_suffix(source.path).lower()
    if suffix in PARQUET_SUFFIXES:
        return None
    same_kind = TEXT_SUFFIXES[suffix] == TEXT_SUFFIXES.get(origin)
    return (source.separator if same_kind else None) or TEXT_SUFFIXES[suffix]


def _as_text(frame: pl.DataFrame, decimal: str) -> pl.DataFrame:
    """The frame as it goes into a text file."""
    if decimal != ".":
        numbers = pl.col(pl.Float64)
        frame = frame.with_columns(numbers.cast(pl.String).str.replace(".", decimal, literal=True))
    # Polars writes an empty text as "" and nothing as nothing; in the file it was nothing.
    texts = pl.col(pl.String)
    return frame.with_columns(pl.when(texts != "").then(texts).name.keep())


def default_suffix(path: Path) -> str:
    """How the name of what is written ends where nobody says so: a workbook becomes CSV."""
    return path.suffix if path.suffix.lower() in (*TEXT_SUFFIXES, *PARQUET_SUFFIXES) else ".csv"

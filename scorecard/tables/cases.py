"""A table of cases to learn from: inputs, outcome, and what was left out and why."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from scorecard.core.question import NUMBER_PATTERN, said_yes
from scorecard.errors import few
from scorecard.tables.columns import (
    SIGNS,
    InputColumn,
    Kind,
    as_yes_no,
    known_words,
    plain_numbers,
    understood,
)
from scorecard.tables.read_table import open_table
from scorecard.tables.source import Source, Whole

MOST_COLUMNS = 50_000


@dataclass(frozen=True)
class Cases:
    """What can be learned from: one row of `inputs` per case, `outcome` true where positive.

    `columns` are all names of the table. `dropped` has the columns that were left out, each with
    the reason; `without_outcome` is the number of rows left out because theirs is missing. `others`
    are the values of the outcome that count as negative. `groups` tells which rows belong together,
    for instance to one patient. `units` has what stood beside each number of a column, `kinds` what
    a person said about a column, `measured` the texts that look like numbers and are none,
    `repeated` the columns with too many texts to ask for, each of them in several rows.
    """

    inputs: pl.DataFrame
    outcome: pl.Series
    positive: str
    columns: tuple[str, ...]
    dropped: tuple[tuple[str, str], ...]
    without_outcome: int
    file: str = ""
    sha256: str = ""
    others: tuple[str, ...] = ()
    groups: pl.Series | None = None
    units: Mapping[str, str] = field(default_factory=dict)
    kinds: Mapping[str, Kind] = field(default_factory=dict)
    measured: Mapping[str, str] = field(default_factory=dict)
    repeated: Mapping[str, int] = field(default_factory=dict)
    missing: str = "unknown"  # what an empty cell means, as in `ScoringListClassifier`

    @property
    def positives(self) -> int:
        return int(self.outcome.sum())

    def teach(self, model: Any) -> Any:
        """What a model learns from the cases."""
        return model.fit(self.inputs, self.outcome.to_numpy(), groups=self.groups)


def read_cases(
    table: Any,
    outcome: str,
    *,
    positive: str | None = None,
    drop: Sequence[str] = (),
    only: Sequence[str] = (),
    kinds: Mapping[str, Kind] | None = None,
    group: str | None = None,
    encoding: str = "utf-8",
    decimal: str = ".",
    sheet: str | None = None,
    missing: str = "unknown",
) -> Cases:
    """Read a table to learn from: CSV, TSV, Excel, Parquet, or a data frame.

    Parameters
    ----------
    table : path of a file, a list of paths, or a data frame of any kind that narwhals knows.
    outcome : the column that is to be predicted.
    positive : the value of it whose risk is learned, against all others; may be left out for yes/no
        and 1/0.
    drop, only : columns to leave out; the only ones to use. One text may name several, with commas.
    kinds : what a column is where its values do not tell: "category", "number" or "yes-no".
    group : the column that tells which rows belong together; it is not an input.
    encoding, decimal, sheet : of a text file, whose numbers have a point or a comma; of a workbook.
    missing : as in `ScoringListClassifier`; with "question" a constant column with gaps is kept.
    """
    source = open_table(table, encoding, decimal, sheet)
    names = chosen_columns(source, outcome, drop, only, group)
    kinds = {name: kind for name, kind in (kinds or {}).items() if source.listed([name])}
    whole = source.whole(list(dict.fromkeys([*names, outcome, *filter(None, [group])])))
    answers, label, others = outcome_of(whole, outcome, positive, source)
    kept = answers.is_not_null()
    found = _columns(whole, names, kinds, source, keep_missing=missing == "question")
    inputs, dropped = _useful(found, source)
    used = {values.name for values in inputs}
    return Cases(
        pl.DataFrame(inputs).filter(kept),
        answers.filter(kept),
        label,
        source.names,
        tuple(dropped),
        answers.null_count(),
        source.file if source.is_file else "",
        sha256_of(*source.files) if source.is_file else "",
        others,
        None if group is None else groups_of(whole, group, source).filter(kept),
        {name: one.unit for name, one in found.items() if one.unit and name in used},
        kinds,
        {name: one.measured for name, one in found.items() if one.measured},
        {name: one.values.drop_nulls().n_unique() for name, one in found.items() if _repeats(one)},
        missing,
    )


def chosen_columns(
    source: Source, outcome: str, drop: Sequence[str], only: Sequence[str], group: str | None
) -> list[str]:
    """The columns that may become inputs, in the order of the table."""
    source.check_column(outcome)
    drop, only = source.listed(drop), source.listed(only)
    if outcome in (*drop, *only):
        raise source.error(f"the outcome {outcome!r} can be neither an input nor dropped.")
    if group is not None:
        source.check_column(group)
    if group is not None and group in (outcome, *only):
        raise source.error(f"{group!r} tells the groups; it can be neither outcome nor input.")
    left_out, chosen = {outcome, group, *drop}, set(only or source.names)
    names = [name for name in source.names if name in chosen and name not in left_out]
    if len(names) > MOST_COLUMNS:
        raise source.error(
            f"{len(names)} columns came, at most {MOST_COLUMNS} are read; choose with `only`."
        )
    return names


def _columns(
    whole: Whole,
    names: Sequence[str],
    kinds: Mapping[str, Kind],
    source: Source,
    keep_missing: bool,
) -> dict[str, InputColumn]:
    free = [name for name in names if name not in kinds] if source.decimal == "." else []
    plain = {column.name: column for column in plain_numbers(whole.frame.select(free))}
    found = {}
    for name in names:
        with source.placing(name, whole):
            found[name] = understood(
                source.with_points(plain.get(name, whole.frame[name]), whole),
                kinds.get(name),
                keep_missing=keep_missing,
                unnamed=name in source.unnamed,
            )
    return found


def _useful(
    found: dict[str, InputColumn], source: Source
) -> tuple[list[pl.Series], list[tuple[str, str]]]:
    inputs: list[pl.Series] = []
    dropped: list[tuple[str, str]] = []
    seen: dict[tuple[str, int], str] = {}
    for name, column in found.items():
        if column.useless:
            dropped.append((name, column.useless))
            continue
        values = column.values.rename(name)
        key = str(values.dtype), _fingerprint(values)
        if key in seen and values.equals(found[seen[key]].values):
            dropped.append((name, f"it is the same as {seen[key]!r}"))
        else:
            seen.setdefault(key, name)
            inputs.append(values)
    if not inputs:
        raise source.error("no column is left to ask for; see `drop` and `only`.")
    return inputs, dropped


def _fingerprint(values: pl.Series) -> int:
    is_number = values.dtype == pl.Float64
    return hash(values.to_numpy().tobytes()) if is_number else int(values.hash().sum())


def groups_of(whole: Whole, name: str, source: Source) -> pl.Series:
    """Which rows belong together, as texts; a row that belongs nowhere is refused."""
    column = whole.frame[name]
    texts = known_words(column) if column.dtype == pl.String else column.cast(pl.String)
    if texts.null_count():
        place = whole.place(texts.is_null().arg_true()[0])
        raise source.error("every row needs its group, and this one has none.", name, place)
    return texts


def outcome_of(
    whole: Whole, name: str, positive: str | None, source: Source
) -> tuple[pl.Series, str, tuple[str, ...]]:
    """True where positive, null where the outcome is missing; the positive value; the others."""
    column = source.with_points(whole.frame[name], whole)
    if column.dtype.is_temporal() or column.dtype.is_nested() or column.dtype == pl.Binary:
        raise source.error(f"it is of the kind {column.dtype}; expected two values.", name)
    words = outcome_words(column)
    values = words.drop_nulls().unique().sort().to_list()
    if not values:
        raise source.error("every outcome is missing.", name)
    shown = few(map(repr, values), 6)
    if len(values) == 1:
        raise source.error(_always(shown), name)
    if positive is None and set(values) <= SIGNS:
        positive = "+"
    answers = as_yes_no(words) if positive is None else None
    if answers is not None:
        label = next(filter(said_yes, values), "yes")
    else:
        label = _positive_value(positive, values, shown, name, source)
        answers = (words == label).set(words.is_null(), None)
    if answers.drop_nulls().n_unique() < 2:
        raise source.error(_always(shown), name)
    return answers, label, tuple(value for value in values if value != label)


def _always(shown: str) -> str:
    return f"it is always {shown}; nothing can be learned from one outcome."


def _positive_value(
    positive: str | None, values: Sequence[str], shown: str, name: str, source: Source
) -> str:
    """The positive value as the table writes it: 1 and 1.0 are the same."""
    if positive is None and len(values) > 2:
        raise source.error(
            f"which value is the positive one? It has {len(values)}: {shown};"
            f" `positive={values[-1]!r}` would take that one against all others.",
            name,
        )
    if positive is None:
        raise source.error(
            f"which value is the positive one? It has {shown}; add `positive={values[-1]!r}` or"
            f" `positive={values[0]!r}`.",
            name,
        )
    for value in values:
        number = _as_number(value)
        if value == positive or (number is not None and number == _as_number(positive)):
            return value
    raise source.error(f"the positive value {positive!r} is not there; it has {shown}.", name)


def _as_number(text: str) -> float | None:
    return float(text) if re.fullmatch(NUMBER_PATTERN, text) else None


def outcome_words(column: pl.Series) -> pl.Series:
    """The values as texts, null where one is missing; 1 and 1.0 are the same."""
    if column.dtype.is_float():
        whole = column.fill_nan(None)
        if (whole.drop_nulls() == whole.drop_nulls().floor()).all():
            column = whole.cast(pl.Int64, strict=False)
    return known_words(column.cast(pl.String))


def sha256_of(*paths: Path) -> str:
    """The hash of a table's files, one after the other: it names what a list was learned from."""
    digest = hashlib.sha256()
    for path in paths:
        with path.open("rb") as stream:
            while block := stream.read(1 << 20):
                digest.update(block)
    return digest.hexdigest()


def _repeats(one: InputColumn) -> bool:
    """Whether a column that cannot be asked for names the same thing in several rows."""
    if not one.useless or one.values.dtype != pl.String:
        return False
    known = one.values.drop_nulls()
    return 20 <= known.n_unique() < known.len()

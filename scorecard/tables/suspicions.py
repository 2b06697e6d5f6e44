"""What looks wrong in a table although every cell can be read: a person has to decide.

A column, or one value of it, that tells the outcome by itself was probably filled in afterwards,
and a number like 999 far from all others probably stands for "unknown".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from scorecard.tables.cases import Cases

TELLING = 0.98  # of the pairs of a positive and a negative case put in order by one column
SURE = 0.98  # of the cases with one value that have the same outcome
MOST = 0.5  # of the cases with that outcome, more than which have the value
FEWEST = 5  # cases of either outcome; with fewer, order comes about by chance
MOST_ROWS = 20_000  # more are not needed to see it
# -9, 99, 999 and their like: what questionnaires and databases write for an answer they lack.
CODES = [
    sign * float(digit * length)
    for digit in "987"
    for sign, shortest in ((-1, 1), (1, 2))
    for length in range(shortest, 7)
]


@dataclass(frozen=True)
class Doubt:
    """Something a person should look at: in a few words, and in one line that says what to do."""

    short: str
    message: str


def doubts(cases: Cases) -> Iterator[Doubt]:
    """Columns that tell the outcome by themselves, and numbers that may stand for unknown."""
    every = cases.inputs.height // MOST_ROWS + 1
    outcome = cases.outcome.gather_every(every)
    for column in cases.inputs.get_columns():
        yield from _tells(column.gather_every(every), outcome)
        if column.dtype == pl.Float64:
            yield from _codes(column)


def _tells(column: pl.Series, outcome: pl.Series) -> Iterator[Doubt]:
    """A column that gives the outcome away, by its order or by one of its values."""
    order = _order(column, outcome)
    if order is None:
        return
    if order >= TELLING:
        how = f"alone tells the outcome (AUC {order:.3f})"
    elif (value := _telling_value(column, outcome)) is not None:
        how = f"tells the outcome where it is {value}"
    else:
        return
    yield Doubt(
        f"{column.name!r} may give the outcome away",
        f"Column {column.name!r} {how}; if it is known only afterwards, leave it out with --drop.",
    )


def _telling_value(column: pl.Series, outcome: pl.Series) -> str | None:
    """A value with hardly any but the rarer outcome, and with most of its cases; in words.

    The commoner outcome follows many a harmless value as often.
    """
    known = pl.DataFrame({"value": column, "rare": outcome}).drop_nulls()
    if known["value"].dtype == pl.Float64 and known["value"].n_unique() > 2:
        return None  # a measurement, which is judged by its order
    if known["rare"].mean() > 0.5:  # type: ignore[operator]
        known = known.with_columns(~pl.col("rare"))
    counts = known.group_by("value").agg(pl.len().alias("cases"), pl.col("rare").sum())
    found = counts.filter(
        (pl.col("rare") >= SURE * pl.col("cases"))
        & (pl.col("rare") > MOST * int(known["rare"].sum()))
        & (pl.col("cases") >= 2 * FEWEST)
    )
    if found.is_empty():
        return None
    value, cases, rare = found.row(0)
    shown = {True: "'yes'", False: "'no'"}[value] if isinstance(value, bool) else _plain(value)
    return f"{shown} ({rare} of {cases} cases have the same one)"


def _plain(value: str | float) -> str:
    return repr(value) if isinstance(value, str) else f"{value:g}"


def _order(column: pl.Series, outcome: pl.Series) -> float | None:
    """The area under the ROC curve of one column, either way round; `None` with too few cases."""
    known = pl.DataFrame({"value": column, "positive": outcome}).drop_nulls()
    positives = int(known["positive"].sum())
    if min(positives, known.height - positives) < FEWEST:
        return None
    if known["value"].dtype == pl.String:
        return _area(known.select(_rate_of_the_others().alias("value"), "positive"))
    area = _area(known)
    return max(area, 1 - area)


def _rate_of_the_others() -> pl.Expr:
    """The rate of the other cases with the same text: a rare text must not tell its own case."""
    positive = pl.col("positive").cast(pl.Float64)
    others = pl.len().over("value") - 1
    rate = (positive.sum().over("value") - positive) / others
    return pl.when(others > 0).then(rate).otherwise(positive.mean())


def _area(known: pl.DataFrame) -> float:
    ranks = known["value"].cast(pl.Float64).rank("average")
    positive = known["positive"]
    count = int(positive.sum())
    above = float(ranks.filter(positive).sum()) - count * (count + 1) / 2
    return above / (count * (known.height - count))


def _codes(column: pl.Series) -> Iterator[Doubt]:
    """Numbers like 999 or -9 outside the others by more than these differ, or alone below zero."""
    values = column.drop_nulls().unique().sort()
    looks = values.is_in(CODES)
    usual = values.filter(~looks)
    if usual.len() < 2:
        return
    low, high = float(usual[0]), float(usual[-1])
    for value in values.filter(looks).to_list():
        if value > high + (high - low) or value < low - (high - low) or value < 0 <= low:
            times = int((column == value).sum())
            plural = "case" if times == 1 else "cases"
            yield Doubt(
                f"{value:g} in {column.name!r} may stand for unknown",
                f"Column {column.name!r} has {value:g} in {times} {plural}, far from the others"
                f" ({low:g} to {high:g}); if it stands for unknown, empty these cells.",
            )

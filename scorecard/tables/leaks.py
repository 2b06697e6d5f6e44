"""Columns that are known only once the outcome is: the outcome in disguise, or what follows it.

A table of survival times has them beside each other: how long a patient was followed, and what
state that ended in. A list that asks for one of them is right about every old case and useless for
a new one.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from scorecard.core.binomial import chance_of_two_rates
from scorecard.tables.cases import Cases

TELLING = 0.98  # of the pairs of a positive and a negative case put in order by one column
SURE = 0.98  # of the cases with one value that have the same outcome
MOST = 0.5  # of the cases with that outcome, more than which have the value
DIFFERENT = 10  # values that a time has at least
MANY = 0.2  # of the cases are followed to the end of the study
TOGETHER = 0.1  # of the cases, in which two times have the same end
FEWEST = 5  # cases of either outcome; with fewer, order comes about by chance
MOST_ROWS = 20_000  # more are not needed to see it
LEVEL = 0.01  # at which known values go with the outcome, whatever the number of columns
# A side of a cut-off is pure where one outcome is so much rarer than the other. It tells the
# outcome if it holds so much of the other one, and so many times what such a side of the next input
# holds. Of the best measurement of scikit-learn's breast cancer it holds .81.
RARER, MUCH, MUCH_OF_A_MEASUREMENT, FAR = 0.02, 0.7, 0.85, 2
FEWEST_BESIDE = 20  # cases of either outcome, below which a side is pure by chance

AFTERWARDS = ", as one known only afterwards would"

_FOLLOW_UP = re.compile(
    # Whatever stands before them …
    r"(?:(?:.*_)?(?:fu_?time|lenfol|follow_?up|time_?to_?(?:event|death|relapse|recurrence)"
    r"|survival|surv_?t(?:ime)?|los|length_of_stay)"
    # … and names that mean something else behind another word: prothrombin_time, pressure_os.
    r"|(?:(?:event|death|study|observation|obs|relapse|rel|recurrence|censor(?:ing)?)_?)?time"
    r"|t_?stop|stop|fup?|[dfrs]_?time|os|pfs|dfs|rfs|efs)"
    r"(?:_?(?:in_?)?(?:time|days?|months?|mo|weeks?|years?|yrs?))?(?:_[a-z]|_?[0-9])?"
)
_STATE = re.compile(
    r"(?:(?:(?:vital|surv(?:ival)?|final|last|follow_?up|fu|os|pfs|dfs|rfs|efs|death|event|relapse"
    r"|discharge|exit|study)_?)?(?:status|stat|event|outcome)|[df]_?stat"
    r"|(?:is_|hosp(?:ital)?_?|in_?hospital_)?(?:dead|died|deceased|death|alive|survived|expired"
    r"|mortality|cens(?:or(?:ed|ing)?)?|relapsed?|recur(?:red|rence)?)"
    r"(?:_?(?:status|event|date|cause))?"
    r"|dod|date_of_death|cause_of_death)(?:_[a-z]|_?[0-9])?"
)

Numbers = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Leak:
    """A column with what it may do, and how that was seen: "'x' may …", "Column 'x' …"."""

    column: str
    suspicion: str
    seen: str


def leaks(cases: Cases, without: Collection[str] = ()) -> Iterator[Leak]:
    """The inputs that may be known only once the outcome is, but for those named."""
    columns = [one for one in cases.inputs.get_columns() if one.name not in without]
    times = _times(cases)
    found = {one.name: _leak(one, cases, times) for one in columns}
    ends = [one for one in columns if found[one.name] and _is_measured(one)]
    for column in columns:
        found[column.name] = found[column.name] or _ending_together(column, ends)
    yield from filter(None, found.values())
    yield from _far_beyond([one for one in columns if not found[one.name]], cases.outcome)


def _leak(column: pl.Series, cases: Cases, times: Sequence[str]) -> Leak | None:
    """What a column gives away by itself, or by its name."""
    if seen := _tells(column, cases.outcome):
        return Leak(column.name, "may give the outcome away", seen)
    if seen := _known_only_with(column, cases):
        return Leak(column.name, "may be filled in afterwards", seen)
    if column.name in times:
        seen = "looks like a time of follow-up, which ends where the outcome happens"
        return Leak(column.name, "may end where the outcome happens", seen)
    if _STATE.fullmatch(snake(column.name)) and (seen := _ends(column, cases, times)):
        seen = f"is called like the state at the end and {seen}"
        return Leak(column.name, "may be the state at the end", seen)
    return None


# One column by itself -----------------------------------------------------------------------------


def _tells(column: pl.Series, outcome: pl.Series) -> str | None:
    """How a column gives the outcome away: by its order, or by one of its values."""
    column, outcome = _thinned(column, outcome)
    order = _order(column, outcome)
    if order is None:
        return None
    if order >= TELLING:
        return f"alone tells the outcome (AUC {order:.3f}){AFTERWARDS}"
    value = _telling_value(column, outcome)
    return f"tells the outcome where it is {value}{AFTERWARDS}" if value else None


def _thinned(column: pl.Series, outcome: pl.Series) -> tuple[pl.Series, pl.Series]:
    every = column.len() // MOST_ROWS + 1
    if every == 1:
        return column, outcome
    return column.gather_every(every), outcome.gather_every(every)


def _telling_value(column: pl.Series, outcome: pl.Series) -> str | None:
    """A value with hardly any but the rarer outcome, and with most of its cases; in words.

    The commoner outcome follows many a harmless value as often.
    """
    if _is_measured(column):
        return None  # it is judged by its order
    known = pl.DataFrame({"value": column, "rare": outcome}).drop_nulls()
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
    if column.dtype == pl.String:
        known = pl.DataFrame({"value": column, "positive": outcome}).drop_nulls()
        values = known.select(_rate_of_the_others()).to_series().to_numpy()
        return _area(values, known["positive"].to_numpy())
    numbers = (column if column.dtype == pl.Float64 else column.cast(pl.Float64)).to_numpy()
    there = ~np.isnan(numbers)
    area = _area(numbers[there], outcome.to_numpy()[there])
    return None if area is None else max(area, 1 - area)


def _rate_of_the_others() -> pl.Expr:
    """The rate of the other cases with the same text: a rare text must not tell its own case."""
    positive = pl.col("positive").cast(pl.Float64)
    others = pl.len().over("value") - 1
    rate = (positive.sum().over("value") - positive) / others
    return pl.when(others > 0).then(rate).otherwise(positive.mean())


def _area(values: Numbers, positive: npt.NDArray[np.bool_]) -> float | None:
    count = int(positive.sum())
    if min(count, positive.size - count) < FEWEST:
        return None
    _, places, sizes = np.unique(values, return_inverse=True, return_counts=True)
    ranks = np.cumsum(sizes) - (sizes - 1) / 2
    above = float(ranks[places[positive]].sum()) - count * (count + 1) / 2
    return above / (count * (positive.size - count))


def _known_only_with(column: pl.Series, cases: Cases) -> str | None:
    """That a column has a value with one outcome only, and not by chance."""
    gaps = column.null_count()
    known = column.len() - gaps
    if gaps == 0 or known < 2 * FEWEST:
        return None
    ill = int((column.is_not_null() & cases.outcome).sum())
    if max(ill, known - ill) < SURE * known:
        return None
    chance = chance_of_two_rates((known, ill), (gaps, cases.positives - ill))
    if chance >= LEVEL / cases.inputs.width:
        return None
    return f"has a value in {known} cases only, of which {ill} are positive"


def _follows_up(column: pl.Series, outcome: pl.Series) -> bool:
    """Whether it is a time until the outcome or the end of the study, by its name or its end."""
    if column.dtype != pl.Float64:
        return False
    by_name = _FOLLOW_UP.fullmatch(snake(column.name)) is not None
    if not (by_name or _ends_with_the_study(column, outcome)):
        return False
    return np.unique(known_numbers(column)).size >= DIFFERENT


def _ends_with_the_study(column: pl.Series, outcome: pl.Series) -> bool:
    """Whether many of one outcome share the largest value, and hardly any of the other."""
    numbers = column.to_numpy()
    known = ~np.isnan(numbers)
    values, positive = numbers[known], outcome.to_numpy()[known]
    last = values == values.max() if values.size else known
    if last.sum() < max(DIFFERENT, MANY * values.size):
        return False
    negatives = (last & ~positive).sum()
    return bool(negatives >= SURE * last.sum() and np.unique(values[positive]).size >= DIFFERENT)


def _ends(column: pl.Series, cases: Cases, times: Sequence[str]) -> str | None:
    """What shows that a column with such a name is a state at the end."""
    if beside := [time for time in times if time != column.name]:
        return f"stands beside a time of follow-up, {beside[0]!r}"
    pure = _pure_side(column, cases.outcome) > 0
    return "tells some cases without fail" if pure else None


def _times(cases: Cases) -> list[str]:
    """The times of follow-up in the table, even those that may not be asked for."""
    inputs = {one.name: one for one in cases.inputs.get_columns()}
    found = [name for name, one in inputs.items() if _follows_up(one, cases.outcome)]
    others = (one for one in cases.columns if one not in inputs and one != cases.outcome.name)
    return [*found, *(name for name in others if _FOLLOW_UP.fullmatch(snake(name)))]


# One column beside the others ---------------------------------------------------------------------


def _ending_together(column: pl.Series, ends: Sequence[pl.Series]) -> Leak | None:
    """A time to something that comes before the end, if at all: else it ends with the others.

    Of two ages one may be the other, too; so only what is known to end is compared with.
    """
    for end in ends if _is_measured(column) else ():
        numbers, last = column.to_numpy(), end.to_numpy()
        same = numbers == last
        several = np.unique(numbers[same]).size >= DIFFERENT
        if several and same.mean() >= TOGETHER and (numbers > last).mean() <= TOGETHER:
            seen = f"often has the value of {end.name!r} and seldom a larger one"
            return Leak(column.name, "may end where the outcome happens", seen)
    return None


def _far_beyond(columns: Sequence[pl.Series], outcome: pl.Series) -> Iterator[Leak]:
    """The column with a pure side that holds far more than that of any other column.

    A strong sign has a pure side, too, but hardly one that leaves all other signs so far behind.
    """
    held = sorted(
        ((_pure_side(one, outcome), place) for place, one in enumerate(columns)), reverse=True
    )
    if len(held) < 2:
        return
    (share, place), (next_share, next_place) = held[:2]
    column = columns[place]
    if share < max(MUCH_OF_A_MEASUREMENT if _is_measured(column) else MUCH, FAR * next_share):
        return
    seen = (
        f"tells {share:.0%} of the cases of one outcome from nearly all of the other, and"
        f" {columns[next_place].name!r}, the next best, {next_share:.0%}{AFTERWARDS}"
    )
    yield Leak(column.name, "may give the outcome away", seen)


def _pure_side(column: pl.Series, outcome: pl.Series) -> float:
    """The largest share of one outcome on a side of a cut-off that hardly has the other one.

    Of a text each value is a side.
    """
    column, outcome = _thinned(column, outcome)
    ranked = column.rank("dense") if column.dtype == pl.String else column
    numbers = ranked.cast(pl.Float64).to_numpy()
    there = ~np.isnan(numbers)
    _, places = np.unique(numbers[there], return_inverse=True)
    positive = outcome.to_numpy()[there]
    count = int(positive.sum())
    if min(count, positive.size - count) < FEWEST_BESIDE:
        return 0.0
    sides = np.array([np.bincount(places, positive == one) for one in (True, False)])
    if column.dtype != pl.String:
        sides = sides.cumsum(axis=1)
    shares = sides / [[count], [positive.size - count]]
    shares = np.hstack([shares, 1 - shares])
    rarer, other = shares.min(axis=0), shares.max(axis=0)
    return float(other[rarer <= RARER * other].max(initial=0.0))


def _is_measured(column: pl.Series) -> bool:
    """Whether it is a number with more than two values."""
    return column.dtype == pl.Float64 and np.unique(known_numbers(column)).size > 2


def snake(name: str) -> str:
    """patientId, "Patient ID" and patient-id are patient_id."""
    parted = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name)
    return re.sub(r"[\W_]+", "_", parted).strip("_").lower()


def known_numbers(column: pl.Series) -> Numbers:
    """The numbers of a column that are there."""
    numbers: Numbers = column.to_numpy()
    return numbers[~np.isnan(numbers)]

"""What looks wrong in a table although every cell can be read: a person has to decide.

A column that is known only once the outcome is (see `leaks`) or that names patients is left out
unless somebody keeps it. A number like 999 far from all others probably stands for "unknown"; 1, 2
and 3 may be codes; rows may belong to the same patient.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import Literal

import numpy as np
import numpy.typing as npt
import polars as pl

from scorecard.core.binomial import chance_of_two_rates
from scorecard.core.evidence import Seen, range_of
from scorecard.core.question import Question, number_text, with_substitutes
from scorecard.core.staircase import Staircase
from scorecard.errors import TableError, few
from scorecard.tables.cases import Cases

NEARLY_EMPTY = 0.05  # of the cases have a value
MOST_CODES = 10  # different whole numbers that may be codes
LEVEL = 0.01  # at which gaps or known values go with the outcome, whatever the number of columns
SHOWN = 6  # columns of one kind in a message
# -9, 99, 999 and their like: what questionnaires and databases write for an answer they lack.
CODES = [
    sign * float(digit * length)
    for digit in "987"
    for sign, shortest in ((-1, 1), (1, 2))
    for length in range(shortest, 7)
]
_ID = re.compile(
    r"(?:.*_)?(?:id|ids|nr|mrn|pid|uid|uuid|guid|subject|subj|patient|patientid|case|caseid|record"
    r"|recordid|person|key|index|code|number|no)"
)


Remedy = Literal["drop", "group", "category", "number"]


@dataclass(frozen=True)
class Doubt:
    """Something a person should look at: in a few words, and in one line that says what to do.

    `columns` are those it is about, `remedies` what can be said of each: that it is to be dropped,
    tells patients apart (group), or is a category or a number; `leaves_out` says that they are left
    out unless somebody keeps them.
    """

    short: str
    message: str
    columns: tuple[str, ...] = ()
    remedies: tuple[Remedy, ...] = ()
    leaves_out: bool = False


def doubts(cases: Cases, kept: Collection[str] = ()) -> Iterator[Doubt]:
    """Everything that should be looked at before a list is learned from these cases.

    Columns that are `kept` are doubted, too, but not left out.
    """
    same = list(_same_patients(cases, kept))
    named = {name for doubt in same for name in doubt.columns}
    leaking = list(leaks(cases, kept, without=named))
    # Of what is left out nothing else has to be said.
    gone = [name for name, _ in _left_out([*same, *leaking])]
    rest = replace(cases, inputs=cases.inputs.drop(gone))
    yield from _measured(rest)
    yield from _codes_or_scales(rest)
    yield from same
    yield from leaking
    yield from _about_values(rest)


def without_doubted(cases: Cases, found: Sequence[Doubt]) -> Cases:
    """The cases without the columns that are doubted and that nobody keeps, with the reasons."""
    gone = _left_out(found)
    if len(gone) == cases.inputs.width:
        names = few((repr(name) for name, _ in gone), SHOWN)
        raise TableError(
            f"{cases.file}: no column is left to ask for: {names} may be no inputs; keep one with"
            f" `keep={gone[0][0]!r}`."
        )
    inputs = cases.inputs.drop([name for name, _ in gone])
    return replace(cases, inputs=inputs, dropped=(*cases.dropped, *gone))


def _left_out(found: Sequence[Doubt]) -> list[tuple[str, str]]:
    """The columns that are left out, each with the reason."""
    return [
        (name, doubt.short.replace(repr(name), "it"))
        for doubt in found
        if doubt.leaves_out
        for name in doubt.columns
    ]


def _left_out_unless(kept: Collection[str], name: str, suspicion: str, seen: str) -> Doubt:
    remedy = f"it is left out unless you say `keep={name!r}`"
    if name in kept:
        remedy = "it is used, because you name it"
    message = f"Column {name!r} {seen}; {remedy}."
    return Doubt(f"{name!r} {suspicion}", message, (name,), ("drop",), name not in kept)


# Columns that may be something else ---------------------------------------------------------------


def _measured(cases: Cases) -> Iterator[Doubt]:
    for name, example in cases.measured.items():
        used = "is read as text, so that a question may be “is " + f"{example}”"
        left_out = name in dict(cases.dropped)
        yield Doubt(
            f"{name!r} looks like numbers with something beside them",
            f"Column {name!r} has texts like {example!r} that are not all numbers with the same"
            f" unit; it {'is left out' if left_out else used}. Write plain numbers (two columns"
            f" where two stand in one), or say `category={name!r}` or"
            f" `drop={name!r}`.",
            (name,),
            ("drop", "category"),
        )


def _codes_or_scales(cases: Cases) -> Iterator[Doubt]:
    """One line for all columns of few whole numbers about which nobody has said what they are."""
    found = [
        column
        for column in cases.inputs.get_columns()
        if column.name not in cases.kinds and _may_be_codes(column)
    ]
    if not found:
        return
    names = [column.name for column in found]
    example = found[0].drop_nulls().unique().sort().to_list()
    values = ", ".join(map(number_text, example))
    if len(names) > 1:
        values = f"{names[0]!r}: {values}"
    shown = few(map(repr, names), SHOWN)
    yield Doubt(
        f"codes or scales: {shown}",
        f"{'Column' if len(names) == 1 else 'Columns'} {shown}: few whole numbers"
        f" ({values}), taken for a scale and cut at “≥”. Where they are codes, say"
        f" `category={names[0]!r}`, and `number={names[0]!r}` where they are a"
        " scale.",
        tuple(names),
        ("category", "number"),
    )


def _may_be_codes(column: pl.Series) -> bool:
    if column.dtype != pl.Float64:
        return False
    known = known_numbers(column)
    if not _all_whole(known) or (np.abs(known) >= 1000).any():
        return False
    return 3 <= np.unique(known).size <= min(MOST_CODES, known.size // 5)


def _all_whole(numbers: Numbers) -> bool:
    head = numbers[:64]  # most columns are ruled out by their first few values
    return bool((head == np.floor(head)).all() and (numbers == np.floor(numbers)).all())


# Rows of the same patient -------------------------------------------------------------------------


def _same_patients(cases: Cases, kept: Collection[str]) -> Iterator[Doubt]:
    """Columns that name patients, with what to do about them; rows that stand there twice."""
    ids = [column for column in cases.inputs.get_columns() if _names_rows(column)]
    for column in ids:
        known = column.drop_nulls()
        repeated = known.n_unique() < known.len()
        if repeated and cases.groups is None:
            yield Doubt(
                f"{column.name!r} may tell patients apart",
                f"Column {column.name!r} looks like an id, and {known.len()} rows have only"
                f" {known.n_unique()} different ones: rows of one patient are no independent cases."
                f" Say `group={column.name!r}`, or `drop={column.name!r}` if they"
                " are.",
                (column.name,),
                ("group", "drop"),
            )
        else:
            seen = "looks like an id, which says nothing about new patients"
            yield _left_out_unless(kept, column.name, "may be an id", seen)
    yield from _repeated_ids(cases)
    if not ids and cases.groups is None:
        yield from _twice(cases)


def _repeated_ids(cases: Cases) -> Iterator[Doubt]:
    """Texts that are too many to ask for and name rows, some of them more than once."""
    if cases.groups is not None:
        return
    for name, repeats in cases.repeated.items():
        yield Doubt(
            f"{name!r} may tell patients apart",
            f"Column {name!r} has {repeats} different texts, each in several rows: if it names"
            f" patients, their rows are no independent cases; say `group={name!r}`.",
            (name,),
            ("group",),
        )


def _names_rows(column: pl.Series) -> bool:
    """Whether a column names rows or patients: by its name, or by its numbers."""
    if column.dtype == pl.Boolean:
        return False
    by_name = _ID.fullmatch(snake(column.name)) is not None
    if column.dtype == pl.String:
        known = column.drop_nulls()
        return by_name and known.len() >= 20 and known.n_unique() >= max(10, known.len() / 50)
    numbers = known_numbers(column)
    if numbers.size < 20 or not _all_whole(numbers):
        return False
    different = np.unique(numbers).size
    many = different >= max(10, numbers.size / 50)
    return many and (by_name or _numbers_rows(numbers, different))


def _numbers_rows(known: Numbers, different: int) -> bool:
    """1, 2, 3 … in any order, or 1, 1, 2, 2, 2, 3 … in this order."""
    low, high = known.min(), known.max()
    dense = low in (0, 1) and high - low + 1 <= different * 1.02
    if not dense or different == known.size:
        return bool(dense)
    steps = np.diff(known)
    return bool(((steps == 0) | (steps == 1)).all())


def _twice(cases: Cases) -> Iterator[Doubt]:
    """Rows that are equal in everything, more of them than chance brings about."""
    table = cases.inputs.with_columns(cases.outcome.alias("\0outcome"))
    if table.width > 2_000:
        return
    extra = table.height - table.n_unique()
    if extra < 3 or extra < 0.005 * table.height or extra <= 10 * _expected_twins(table):
        return
    yield Doubt(
        f"{extra} rows stand there twice",
        f"{extra} of {table.height} rows are the same as another one in every column: if a patient"
        " stands there more than once, name the column that tells patients apart with `group`, or"
        " keep one row of each.",
        remedies=("group",),
    )


def _expected_twins(table: pl.DataFrame) -> float:
    """Rows that would have a twin if the columns had nothing to do with each other."""
    alike = 1.0
    for column in table.get_columns():
        shares = column.value_counts()["count"] / table.height
        alike *= float((shares**2).sum())
    return table.height * min(table.height * alike, 1.0)


# Values that are missing, or should be ------------------------------------------------------------


def _about_values(cases: Cases) -> Iterator[Doubt]:
    columns = cases.inputs.get_columns()
    for column in columns:
        if cases.missing != "question":  # else it is asked whether a value is there
            yield from _nearly_empty(column)
            yield from _missing_with_outcome(column, cases.outcome, LEVEL / len(columns))
    seen = Codes([column.name for column in columns if column.dtype == pl.Float64])
    seen.look_at(cases.inputs)
    yield from seen.doubts()


def _nearly_empty(column: pl.Series) -> Iterator[Doubt]:
    known = column.len() - column.null_count()
    if known < NEARLY_EMPTY * column.len():
        yield Doubt(
            f"{column.name!r} is nearly empty",
            f"Column {column.name!r} has a value in {known} of {column.len()} cases only; leave it"
            f" out with `drop={column.name!r}`, or ask whether it is there with"
            " `missing='question'`.",
        )


def _missing_with_outcome(column: pl.Series, outcome: pl.Series, level: float) -> Iterator[Doubt]:
    """A column whose gaps go with the outcome by more than chance."""
    gaps = column.null_count()
    if not 5 <= gaps <= column.len() - 5:
        return
    missing = column.is_null()
    ill = int((missing & outcome).sum())
    others = int(outcome.sum()) - ill
    rest = column.len() - gaps
    if chance_of_two_rates((gaps, ill), (rest, others)) >= level:
        return
    yield Doubt(
        f"{column.name!r} is missing more often with one outcome",
        f"Column {column.name!r} is missing in {gaps} cases, of which {ill / gaps:.0%} are"
        f" positive, against {others / rest:.0%} where it is known: who has no value is not like"
        " the others; ask whether it is there with `missing='question'`, or leave it out with"
        f" `drop={column.name!r}`.",
    )


@dataclass
class Codes:
    """Numbers like 999 or -9 outside the others by more than these differ, or alone below zero.

    A table is looked at piece by piece; what is kept of it is small.
    """

    names: list[str]
    counts: dict[str, Counter[float]] = field(default_factory=dict)
    usual: dict[str, tuple[float, float]] = field(default_factory=dict)

    def look_at(self, frame: pl.DataFrame) -> None:
        """Look at some rows; columns that have texts are read as numbers where they are."""
        for name in self.names:
            column = frame[name]
            is_number = column.dtype == pl.Float64
            numbers = (column if is_number else column.cast(pl.Float64, strict=False)).to_numpy()
            numbers = numbers[np.isfinite(numbers)]
            looks = np.isin(numbers, CODES) if (np.abs(numbers) >= 7).any() else numbers > inf
            self.counts.setdefault(name, Counter()).update(numbers[looks].tolist())
            others = numbers[~looks]
            if others.size:
                low, high = self.usual.get(name, (inf, -inf))
                self.usual[name] = min(low, float(others.min())), max(high, float(others.max()))

    def doubts(self) -> Iterator[Doubt]:
        for name in self.names:
            low, high = self.usual.get(name, (0.0, 0.0))
            if low < high:
                yield from self._far(name, low, high)

    def _far(self, name: str, low: float, high: float) -> Iterator[Doubt]:
        for value, times in sorted(self.counts[name].items()):
            if not (value > 2 * high - low or value < 2 * low - high or value < 0 <= low):
                continue
            yield Doubt(
                f"{value:g} in {name!r} may stand for unknown",
                f"Column {name!r} has {value:g} in {times} {'case' if times == 1 else 'cases'},"
                f" far from the others ({low:g} to {high:g}); if it stands for unknown, empty these"
                " cells.",
            )


@dataclass
class Outsiders:
    """How many numbers of a table are outside what a list has seen; looked at piece by piece."""

    asked: Sequence[tuple[Question, Seen]]
    counts: Counter[str] = field(default_factory=Counter)

    def look_at(self, frame: pl.DataFrame) -> None:
        """Look at some rows; texts are read as the list reads them."""
        for question, seen in self.asked:
            column = frame[question.input]
            if column.dtype == pl.String:
                said = column.map_elements(question.number, pl.Float64)
            else:
                said = column.cast(pl.Float64, strict=False)
            numbers, (low, high) = said.to_numpy(), seen.within  # NaN is neither below nor above
            self.counts[question.input] += int(((numbers < low) | (numbers > high)).sum())


def outsiders_of(staircase: Staircase) -> Outsiders:
    """What counts such numbers of the inputs that are asked for."""
    asked = with_substitutes(staircase.questions)
    found = {one.input: (one, range_of(staircase.scoring_list.seen, one)) for one in asked}
    return Outsiders([(one, seen) for one, seen in found.values() if seen])


def codes_in(questions: Sequence[Question]) -> Codes:
    """What looks for such numbers in the inputs of a list."""
    names = (question.input for question in questions if question.condition.is_numeric)
    return Codes(list(dict.fromkeys(names)))


# Columns that are known only once the outcome is --------------------------------------------------
# A table of survival times has them beside each other: how long a patient was followed, and what
# state that ended in. A list that asks for one of them is right about every old case and useless
# for a new one.

TELLING = 0.98  # of the pairs of a positive and a negative case put in order by one column
SURE = 0.98  # of the cases with one value that have the same outcome
MOST = 0.5  # of the cases with that outcome, more than which have the value
DIFFERENT = 10  # values that a time has at least
MANY = 0.2  # of the cases are followed to the end of the study
TOGETHER = 0.1  # of the cases, in which two times have the same end
FEWEST = 5  # cases of either outcome; with fewer, order comes about by chance
MOST_ROWS = 20_000  # more are not needed to see it
# A side of a cut-off is pure where one outcome is so much rarer than the other. It tells the
# outcome if it holds so much of the other one, and so many times what such a side of the next input
# holds. Of the best measurement of scikit-learn's breast cancer it holds .81.
RARER, MUCH, MUCH_OF_A_MEASUREMENT, FAR = 0.02, 0.7, 0.85, 2
FEWEST_BESIDE = 20  # cases of either outcome, below which a side is pure by chance

AFTERWARDS = ", as one known only afterwards would"
GIVES_AWAY, ENDS = "may give the outcome away", "may end where the outcome happens"

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
Leak = tuple[str, str]
"""What a column may do, and how that was seen."""


def leaks(
    cases: Cases, kept: Collection[str] = (), without: Collection[str] = ()
) -> Iterator[Doubt]:
    """The inputs that may be known only once the outcome is, but for those `without`."""
    columns = [one for one in cases.inputs.get_columns() if one.name not in without]
    times = _times(cases)
    found = {one.name: _leak(one, cases, times) for one in columns}
    ends = [one for one in columns if found[one.name] and _is_measured(one)]
    for column in columns:
        found[column.name] = found[column.name] or _ending_together(column, ends)
    open_ = [one for one in columns if not found[one.name]]
    for name, seen in [*found.items(), *_far_beyond(open_, cases.outcome)]:
        if seen:
            yield _left_out_unless(kept, name, *seen)


def _leak(column: pl.Series, cases: Cases, times: Sequence[str]) -> Leak | None:
    """What a column gives away by itself, or by its name."""
    if seen := _tells(column, cases.outcome):
        return GIVES_AWAY, seen
    if seen := _known_only_with(column, cases):
        return "may be filled in afterwards", seen
    if column.name in times:
        return ENDS, "looks like a time of follow-up, which ends where the outcome happens"
    if _STATE.fullmatch(snake(column.name)) and (seen := _ends(column, cases, times)):
        return (
            "may be the state at the end",
            f"is called like the state at the end and {seen}",
        )
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
            return ENDS, f"often has the value of {end.name!r} and seldom a larger one"
    return None


def _far_beyond(columns: Sequence[pl.Series], outcome: pl.Series) -> Iterator[tuple[str, Leak]]:
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
    yield column.name, (GIVES_AWAY, seen)


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

"""Cases that stay where they are: a lazy frame of any engine that narwhals knows, counted there.

Nothing but count tables comes here. One query per column counts its values by fold and outcome;
from these come cut-offs, quantiles and medians. Then one group-by per column and stage counts by
total, bin, fold and outcome. Which fold a row is in depends on its values or its key alone, by
arithmetic that is the same in every engine.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from math import floor, log10
from operator import add
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from threading import RLock
from typing import Any
from weakref import finalize

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from scorecard.core.model import Condition, Question
from scorecard.core.question import with_substitutes
from scorecard.errors import LearningError
from scorecard.learning.counts import (
    MANTISSA_BITS,
    Floats,
    Integers,
    Spans,
    State,
    balanced_quantiles,
)
from scorecard.learning.inputs import AskedColumn, Kind
from scorecard.learning.risks import Answers, Patterns
from scorecard.learning.sample import (
    Outcome,
    outcome_of,
    refuse_few_held_out,
    repeated_design_effect,
    scattered,
    usable_folds,
    usual_folds,
)

Frame = nw.LazyFrame[Any]

BY_VALUE_BELOW = 50_000  # cases; every value is a bin of its own, as all cut-offs may be tried
MOST_BINS = 10_000  # on the grid of round numbers that a column of more cases is counted on
ENOUGH_BINS = 1_000  # where nearly all cases are; with fewer the grid is made finer there
TAIL = 0.001  # of the cases on either side of where nearly all are
MOST_CODES = 2_000  # above, the engine groups by values, and these are put into bins here
MOST_TEXTS = 1_000  # looked at, to tell how many there are too many


@dataclass(frozen=True)
class LazyInput:
    """An input of which only a description is here; see `inputs.Described`."""

    name: str
    kind: Kind
    share_known: float
    known: tuple[str, ...] = ()
    lowest: float = np.nan
    highest: float = np.nan

    def categories(self) -> tuple[str, ...]:
        return self.known


@dataclass(frozen=True)
class Fold:
    """All cases but those of one fold, or with `None` all cases."""

    left_out: int | None = None

    def of(self, counts: NDArray[Any], axis: int) -> NDArray[Any]:
        if self.left_out is None:
            return counts
        return np.delete(counts, self.left_out, axis)


@dataclass(frozen=True)
class LazyTable:
    """The cases of a lazy frame; a `CaseTable`.

    The columns of `frame` are i0, i1, … for the inputs, y for the outcome (1 or 0), u for the place
    from 0 to 1 that decides about folds, w for the weight in whole numbers of `unit`, g for groups.
    """

    frame: Frame
    inputs: tuple[LazyInput, ...]
    outcome: Outcome
    folds: int
    wanted_folds: int | None = None
    grouped: bool = False
    unit: float | None = None
    weight_scale: float = 1.0

    @property
    def effective(self) -> float:
        """What counts are multiplied by; rows of equal weight count once."""
        return self.weight_scale if self.unit else 1.0

    def __len__(self) -> int:
        return int(self.sizes[..., 0].sum())

    @cached_property
    def sizes(self) -> Integers:
        """Rows and weights by fold and outcome."""
        found = np.zeros((self.folds, 2, 2), np.int64)
        rows = collected(self.frame.group_by("f", "y").agg(*self.counted))
        found[rows["f"], rows["y"], 0] = rows["n"]
        found[rows["f"], rows["y"], 1] = rows["w"] if self.unit else rows["n"]
        return found

    @property
    def counted(self) -> list[Any]:
        weight = [nw.col("w").sum().cast(nw.Int64).alias("w")] if self.unit else []
        return [nw.len().alias("n"), *weight]

    @property
    def design_effect(self) -> float:
        if not self.grouped:
            return 1.0
        sizes = self.frame.group_by("g").agg(
            nw.len().cast(nw.Int64).alias("n"), nw.col("y").sum().cast(nw.Int64).alias("y")
        )
        rows = collected(sizes.group_by("n", "y").agg(nw.len().alias("times")))
        return repeated_design_effect(rows["n"], rows["y"], rows["times"])

    def source(self, columns: Sequence[AskedColumn]) -> LazyCounts:
        return LazyCounts(_Shared(self, columns), Fold())

    def patterns(self, questions: Sequence[Question]) -> Patterns:
        return self._patterns(self._answered(questions))

    def parts(self, folds: int, random_state: Any) -> Sequence[Fold] | None:  # noqa: ARG002
        usable = usable_folds(self.sizes[..., 0])
        return None if usable is None else [Fold(number) for number in usable]

    def divided(self, questions: Sequence[Question], inside: Fold) -> tuple[Patterns, Patterns]:
        rows = self._answered(questions)
        others = {name: values[rows["f"] == inside.left_out] for name, values in rows.items()}
        rows = {name: values[rows["f"] != inside.left_out] for name, values in rows.items()}
        return self._patterns(rows), self._patterns(others)

    def substituted(
        self, questions: Sequence[Question], *_: Any, **__: Any
    ) -> tuple[Question, ...]:
        """The questions as they are: values of two columns are not compared in an engine."""
        return tuple(questions)

    def substitutable(self, *_: Any, **__: Any) -> frozenset[str]:
        return frozenset()

    def _answered(self, questions: Sequence[Question]) -> dict[str, NDArray[Any]]:
        named = [
            nw.coalesce(*(self.answer(one.input, one.condition) for one in both)).alias(f"a{place}")
            for place, both in enumerate(with_substitutes([one]) for one in questions)
        ]
        kept = ["f", "y", *(["w"] if self.unit else [])]
        frame = self.frame.select(*map(nw.col, kept), *named)
        keys = [f"a{place}" for place in range(len(questions))]
        return collected(frame.group_by("f", "y", *keys).agg(*self.counted))

    def _patterns(self, rows: Mapping[str, NDArray[Any]]) -> Patterns:
        names = sorted((name for name in rows if name[0] == "a"), key=lambda name: int(name[1:]))
        given = np.zeros((len(rows["y"]), len(names)), np.int8)
        for place, name in enumerate(names):
            given[:, place] = np.nan_to_num(rows[name].astype(np.float64), nan=-1).astype(np.int8)
        answers, places = np.unique(given, axis=0, return_inverse=True)
        counts = self.weighed(rows)
        sums = np.zeros((len(answers), 2))
        np.add.at(sums, places.ravel(), np.column_stack((counts, counts * rows["y"])))
        found: Answers = answers.reshape(len(answers), len(names))
        return Patterns(found, *(sums * self.effective).T)

    def weighed(self, rows: Mapping[str, NDArray[Any]]) -> Floats:
        """The weight of each row of counts."""
        counts = rows["w"] * self.unit if self.unit else rows["n"]
        return np.asarray(counts, np.float64)

    def held_out(self, share: float, random_state: Any) -> tuple[LazyTable, LazyTable]:  # noqa: ARG002
        edge = 1.0 - share
        learned = self.frame.filter(nw.col("u") < edge).with_columns(u=nw.col("u") / edge)
        kept_out = self.frame.filter(nw.col("u") >= edge)
        count, others = (
            int(collected(one.select(nw.len().alias("n")))["n"][0]) for one in (learned, kept_out)
        )
        refuse_few_held_out(share, count, others)
        folds = self.wanted_folds or usual_folds(count)
        return (
            replace(self, frame=in_folds(learned, folds), folds=folds),
            replace(self, frame=in_folds(kept_out, 1), folds=1),
        )

    def modes(self) -> dict[str, Any]:
        return {one.name: self._mode(place) for place, one in enumerate(self.inputs)}

    def _mode(self, place: int) -> Any:
        rows = collected(self.frame.group_by(nw.col(f"i{place}").alias("v")).agg(*self.counted))
        kept = [number for number, value in enumerate(rows["v"].tolist()) if is_known(value)]
        if not kept:
            return None
        counts = self.weighed(rows)
        most = max(counts[kept])
        return min(rows["v"].tolist()[number] for number in kept if counts[number] == most)

    def filled(self, values: Mapping[str, Any]) -> LazyTable:
        chosen = {place: values.get(one.name) for place, one in enumerate(self.inputs)}
        changed = [
            nw.col(f"i{place}").fill_null(value)
            for place, value in chosen.items()
            if value is not None
        ]
        inputs = tuple(
            one if chosen[place] is None else replace(one, share_known=1.0)
            for place, one in enumerate(self.inputs)
        )
        return replace(self, frame=self.frame.with_columns(*changed), inputs=inputs)

    def answer(self, name: str, condition: Condition) -> Any:
        """1 for yes, 0 for no, null for unknown."""
        place = [one.name for one in self.inputs].index(name)
        one, value = self.inputs[place], nw.col(f"i{place}")
        if condition.is_presence:
            yes = value.is_null() if condition.kind == "missing" else ~value.is_null()
            return yes.cast(nw.Int64)
        if condition.is_categorical != (one.kind == "category"):
            has = "texts" if one.kind == "category" else "numbers"
            raise LearningError(f"input {name!r} has {has}, but the question is {condition}.")
        if condition.is_categorical:
            yes = value.is_in(list(condition.categories))
            yes = yes if condition.kind == "in" else ~yes
        elif condition.is_numeric:
            yes = value >= condition.cutoff if condition.kind == ">=" else value < condition.cutoff
        else:
            if one.kind != "yes":
                raise LearningError(f"input {name!r} has other values than 1 (yes) and 0 (no).")
            yes = value == (1 if condition.kind == "yes" else 0)
        return nw.when(~value.is_null()).then(yes.cast(nw.Int64))


# Reading a frame ----------------------------------------------------------------------------------


def lazy_table(
    frame: Frame,
    outcome: str,
    *,
    weights: str | None,
    groups: str | None,
    keys: str | None,
    positive_label: Any,
    folds: int,
) -> LazyTable:
    """The cases of a lazy frame; weights, groups and keys are columns of it.

    `folds` is how many lists are learned for cross-checking, 0 for as many as usual.
    """
    schema = frame.collect_schema()
    for name in filter(None, (outcome, weights, groups, keys)):
        if name not in schema:
            known = ", ".join(map(repr, list(schema)[:12]))
            raise LearningError(f"the frame has no column {name!r}; it has {known}.")
    names = [name for name in schema if name not in (outcome, weights, groups, keys)]
    typed = [_typed(name, schema[name]).alias(f"i{place}") for place, name in enumerate(names)]
    labels = _labels(frame, outcome, weights)
    found = outcome_of(labels, positive_label)
    positive = found.classes[found.positive : found.positive + 1].tolist()[0]
    yes = (nw.col(outcome) == positive).cast(nw.Int64).alias("y")
    own = {"rw": weights, "g": groups, "k": keys}
    kept = [nw.col(name).alias(new) for new, name in own.items() if name is not None]
    typed_frame = frame.select(*typed, yes, *kept)
    unit, scale = None, 1.0
    if weights is not None:
        typed_frame = typed_frame.with_columns(rw=_number(nw.col("rw"), schema[weights]))
        typed_frame, unit, scale = _with_weights(typed_frame)
    texts = {place for place, name in enumerate(names) if not _is_number(schema[name])}
    inputs = _described(typed_frame, names, texts)
    typed_frame = _with_places(typed_frame, inputs, groups, keys, schema)
    count = collected(typed_frame.select(nw.len().alias("n")))["n"][0]
    number = folds or usual_folds(int(count))
    return LazyTable(
        in_folds(typed_frame, number), inputs, found, number, folds or None,
        groups is not None, unit, scale,
    )  # fmt: skip


def _is_number(kind: Any) -> bool:
    return bool(kind.is_numeric() or kind == nw.Boolean)


def _number(value: Any, kind: Any) -> Any:
    number = value.cast(nw.Float64)
    if kind.is_float():
        number = nw.when(~number.is_nan()).then(number)
    return number


def _typed(name: str, kind: Any) -> Any:
    if kind.is_temporal():
        raise LearningError(
            f"input {name!r} has dates or times; turn it into a number, for instance an age,"
            " or leave it out."
        )
    if _is_number(kind):
        return _number(nw.col(name), kind)
    if kind in (nw.String, nw.Categorical, nw.Enum):
        return nw.col(name).cast(nw.String)
    raise LearningError(f"input {name!r} is of the kind {kind}; turn it into a number or a text.")


def _labels(frame: Frame, outcome: str, weights: str | None) -> NDArray[Any]:
    counted = frame if weights is None else frame.filter(nw.col(weights) > 0)
    rows = collected(counted.group_by(nw.col(outcome).alias("v")).agg(nw.len().alias("n")))
    if not len(rows["v"]):
        raise LearningError("the frame has no rows.")
    labels = rows["v"].tolist()
    if not all(map(is_known, labels)):
        raise LearningError(f"outcome {outcome!r} is missing in some rows; leave these out.")
    return np.array(labels)


def _with_weights(frame: Frame) -> tuple[Frame, float | None, float]:
    """Whole numbers of a unit as weights; without the unit if all are the same."""
    weight = nw.col("rw")
    rows = collected(
        frame.select(
            weight.min().alias("least"),
            weight.max().alias("most"),
            weight.sum().alias("total"),
            (weight * weight).sum().alias("squares"),
            weight.is_null().cast(nw.Int64).sum().alias("missing"),
        )
    )
    least, most, total, squares = (
        float(rows[name][0]) for name in ("least", "most", "total", "squares")
    )
    if rows["missing"][0] or not (least >= 0 and most < np.inf):
        raise LearningError("sample_weight has values that are missing, negative or not finite.")
    if not total:
        raise LearningError("sample_weight: all weights are zero; at least one case must count.")
    frame = frame.filter(weight > 0)
    if least == most:
        return frame, None, 1.0 / least
    unit = float(2.0 ** (np.ceil(np.log2(total)) - MANTISSA_BITS))
    whole = (weight / unit + 0.5).floor().cast(nw.Int64)
    return frame.with_columns(w=whole), unit, total / squares


def _described(frame: Frame, names: Sequence[str], texts: set[int]) -> tuple[LazyInput, ...]:
    numbers = [place for place in range(len(names)) if place not in texts]
    asked = [nw.len().alias("n")]
    for place in numbers:
        value = nw.col(f"i{place}")
        asked += [
            value.min().alias(f"least{place}"),
            value.max().alias(f"most{place}"),
            value.count().alias(f"known{place}"),
            ((value != 0) & (value != 1)).cast(nw.Int64).sum().alias(f"other{place}"),
        ]
    rows = collected(frame.select(*asked))
    count = int(rows["n"][0])
    return tuple(
        _text_input(frame, place, name, count)
        if place in texts
        else _number_input(rows, place, name, count)
        for place, name in enumerate(names)
    )


def _number_input(rows: Mapping[str, NDArray[Any]], place: int, name: str, count: int) -> LazyInput:
    known = int(rows[f"known{place}"][0])
    if not known:
        return LazyInput(name, "number", 0.0)
    least, most = float(rows[f"least{place}"][0]), float(rows[f"most{place}"][0])
    if not np.isfinite([least, most]).all():
        raise LearningError(
            f"input {name!r}: {least if np.isinf(least) else most!r} is not a finite number;"
            " correct it or leave it empty."
        )
    kind: Kind = "number" if rows[f"other{place}"][0] else "yes"
    return LazyInput(name, kind, _share(known, count), (), least, most)


def _text_input(frame: Frame, place: int, name: str, count: int) -> LazyInput:
    texts = frame.group_by(nw.col(f"i{place}").alias("v")).agg(nw.len().alias("n"))
    rows = collected(texts.head(MOST_TEXTS))
    counts = dict(zip(rows["v"].tolist(), rows["n"].tolist(), strict=True))
    missing = sum(number for text, number in counts.items() if text is None)
    known = tuple(sorted(text for text in counts if text is not None))
    return LazyInput(name, "category", _share(count - missing, count), known)


def _share(known: int, count: int) -> float:
    return 1.0 - (count - known) / count


def _with_places(
    frame: Frame,
    inputs: Sequence[LazyInput],
    groups: str | None,
    keys: str | None,
    schema: Mapping[str, Any],
) -> Frame:
    """The frame with u, by which rows are divided: of their group, their key or their values."""
    if groups is not None and not schema[groups].is_integer():
        texts = frame.select(nw.col("g").cast(nw.String)).unique().sort("g")
        if None in collected(texts.filter(nw.col("g").is_null()).head(1))["g"].tolist():
            raise LearningError(f"groups: some rows have none in {groups!r}; every row needs one.")
        numbered = texts.with_row_index("number", order_by="g")
        frame = frame.with_columns(nw.col("g").cast(nw.String)).join(numbered, on="g")
        frame = frame.drop("g").rename({"number": "g"})
    key = "g" if groups is not None else "k"
    if groups is not None or keys is not None:
        numbers = [nw.col(key).cast(nw.Float64)]
    else:
        numbers = [_as_number(place, one) for place, one in enumerate(inputs)]
    return frame.with_columns(u=scattered(numbers, lambda value: value.floor()))


def _as_number(place: int, one: LazyInput) -> Any:
    value = nw.col(f"i{place}")
    if one.kind != "category":
        return value.fill_null(0.5)
    parts = [
        (value == text).cast(nw.Float64).fill_null(0.0) * float(number)
        for number, text in enumerate(one.known, 1)
    ]
    return reduce(add, parts) if parts else nw.lit(0.0)


def in_folds(frame: Frame, folds: int) -> Frame:
    """The frame with the number of the fold that each row is left out in."""
    number = (nw.col("u") * float(folds)).floor().cast(nw.Int64)
    return frame.with_columns(f=nw.when(number < folds).then(number).otherwise(folds - 1))


def collected(frame: Frame) -> dict[str, NDArray[Any]]:
    """The rows of a small result."""
    rows = frame.collect(backend="polars")
    return {name: rows[name].to_numpy() for name in rows.columns}


def is_known(value: object) -> bool:
    return value is not None and value == value


# Counting -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Grid:
    """Bins of round numbers: multiples of a power of ten, finer between `first` and `last`."""

    decimals: int
    finer: int = 0
    first: float = np.inf
    last: float = -np.inf

    def label(self, value: Any) -> Any:
        """The lower end of the bin that a value is in, to the last digit what would be printed."""
        coarse = _floored(value, self.decimals)
        if not self.finer:
            return coarse
        fine = _floored(value, self.finer)
        return nw.when((value >= self.first) & (value < self.last)).then(fine).otherwise(coarse)


def _floored(value: Any, decimals: int) -> Any:
    """The largest multiple of a power of ten that is not above the value.

    A whole number divided by a power of ten is rounded once, to the number that its digits mean.
    """
    scale = 10.0 ** abs(decimals)

    def multiple(number: Any) -> Any:
        return number / scale if decimals >= 0 else number * scale

    number = (value * scale if decimals >= 0 else value / scale).floor()
    above = (multiple(number + 1.0) <= value).cast(nw.Float64)
    below = (multiple(number) > value).cast(nw.Float64)
    return multiple(number + above - below)


@dataclass(frozen=True)
class _Histogram:
    """The values of a column, or bins of them, by fold and outcome.

    `counts[bin, fold]` are cases and positives, `missing[fold]` those without a value; `rows` and
    `missing_rows` count rows, whatever they weigh.
    """

    labels: Floats
    lowest: Floats
    highest: Floats
    rows: Floats
    counts: Floats
    missing_rows: Floats
    missing: Floats

    @property
    def exact(self) -> bool:
        """Whether each bin is one value."""
        known = self.rows > 0
        return bool((self.lowest[known] == self.highest[known]).all()) and bool(
            (self.lowest.min(axis=1) == np.where(known, self.highest, -np.inf).max(axis=1)).all()
        )


class _Shared:
    """What counts of all cases and of parts have in common: the engine, and what it has told."""

    def __init__(self, table: LazyTable, columns: Sequence[AskedColumn]) -> None:
        self.table = table
        engine = table.frame.implementation
        self._keeps = engine.is_polars() or engine.is_duckdb()
        self.values = [
            nw.col(f"i{[one.name for one in table.inputs].index(column.input)}")
            if column.condition is None
            else table.answer(column.input, column.condition).cast(nw.Float64)
            for column in columns
        ]
        self._grids: dict[int, _Grid | None] = {}
        self._columns = columns
        self._histograms: dict[int, _Histogram] = {}
        self._wanted: dict[int, int] = {}
        self._codes: dict[int, Integers] | None = None
        self._coded: Frame | None = None
        self._tables: OrderedDict[Any, tuple[Integers, Floats]] = OrderedDict()
        self._lock = RLock()

    # Values of one column

    def histogram(self, column: int) -> _Histogram:
        with self._lock:
            if column not in self._histograms:
                self._histograms[column] = self._counted_values(column)
            return self._histograms[column]

    def _counted_values(self, column: int) -> _Histogram:
        asked, table = self._columns[column], self.table
        if asked.condition is not None or len(table) < BY_VALUE_BELOW:
            self._grids[column] = None
            return self._by_label(column)
        one = next(one for one in table.inputs if one.name == asked.input)
        spread = one.highest - one.lowest
        if not spread > 0:
            self._grids[column] = None
            return self._by_label(column)
        self._grids[column] = _Grid(floor(log10(MOST_BINS / spread)))
        found = self._by_label(column)
        finer = _finer(self._grids[column], found)  # type: ignore[arg-type]
        if finer is None:
            return found
        self._grids[column] = finer
        return self._by_label(column)

    def label(self, column: int) -> Any:
        grid = self._grids[column]
        return self.values[column] if grid is None else grid.label(self.values[column])

    def _by_label(self, column: int) -> _Histogram:
        table, value = self.table, self.values[column]
        weight = [nw.col("w")] if table.unit else []
        frame = table.frame.select(
            nw.col("f"), nw.col("y"), value.alias("v"), self.label(column).alias("b"), *weight
        )
        rows = collected(
            frame.group_by("b", "f", "y").agg(
                *table.counted, nw.col("v").min().alias("low"), nw.col("v").max().alias("high")
            )
        )
        return _histogram(rows, table.weighed(rows), table.folds)

    # Codes of bins, and counts by total

    def want_quantiles(self, column: int, count: int) -> None:
        self._wanted[column] = count

    def edges(self, column: int) -> Integers:
        """The bins that a cut-off may stand before, 0 first."""
        found = self.histogram(column)
        size, wanted = found.labels.size, self._wanted.get(column)
        if wanted is None or size <= 2 * wanted:
            return np.arange(size)
        folds = self.table.folds
        parts = [Fold(), *(Fold(number) for number in range(folds if folds > 1 else 0))]
        cuts = [
            place.bins[place.quantiles(wanted)]
            for place in (_Values(found, part) for part in parts)
            if place.bins.size > 1
        ]
        return np.unique(np.concatenate([[0], *cuts])).astype(np.int64)

    def counts(self, asked: tuple[Any, ...], column: int) -> tuple[Integers, Floats]:
        """Totals, and by bin (missing last), total and fold the cases and positives."""
        if not asked:
            return np.zeros(1, np.int64), self._at_the_start(column)
        key = asked, column
        with self._lock:
            if key not in self._tables:
                self._tables[key] = self._grouped(asked, column)
                while len(self._tables) > 2 * len(self.values):
                    self._tables.popitem(last=False)
            self._tables.move_to_end(key)
            return self._tables[key]

    def _at_the_start(self, column: int) -> Floats:
        found, edges = self.histogram(column), self.coded_edges(column)
        counts = np.add.reduceat(found.counts, edges, axis=0)
        return np.concatenate((counts, found.missing[None]))[:, None]

    def coded_edges(self, column: int) -> Integers:
        if self._codes is None:
            self._codes = {place: self.edges(place) for place in range(len(self.values))}
        return self._codes[column]

    def need(self, column: int, bins: Integers) -> None:
        """See that cut-offs may stand before these bins."""
        if np.isin(bins, self.coded_edges(column)).all():
            return
        with self._lock:
            self._codes[column] = np.arange(self._histograms[column].labels.size)  # type: ignore[index]
            self._coded = None
            self._tables.clear()

    def _grouped(self, asked: tuple[Any, ...], column: int) -> tuple[Integers, Floats]:
        table, frame = self.table, self._coded_frame()
        points = [self._points(*question) for question in asked]
        weight = [nw.col("w")] if table.unit else []
        frame = frame.select(
            nw.col("f"), nw.col("y"), nw.col(f"c{column}").alias("c"),
            reduce(add, points).alias("t"), *weight,
        )  # fmt: skip
        rows = collected(frame.group_by("t", "c", "f", "y").agg(*table.counted))
        totals, groups = np.unique(rows["t"].astype(np.int64), return_inverse=True)
        edges = self.coded_edges(column)
        known = ~np.isnan(rows["c"].astype(np.float64))
        bins = np.full(known.size, edges.size)
        bins[known] = self._bins(column, rows["c"][known])
        found = np.zeros((edges.size + 1, totals.size, table.folds, 2))
        weights = table.weighed(rows)
        both = np.column_stack((weights, weights * rows["y"]))
        np.add.at(found, (bins, groups.ravel(), rows["f"].astype(np.int64)), both)
        return totals.astype(np.int64), found

    def _points(self, column: int, edge: int, points: int, missing_yes: bool) -> Any:
        code, edges = nw.col(f"c{column}"), self.coded_edges(column)
        if self._is_coded(column):
            yes = code >= int(np.searchsorted(edges, edge))
        else:
            yes = code >= float(np.append(self._histograms[column].labels, np.inf)[edge])
        return yes.cast(nw.Int64).fill_null(int(missing_yes)) * points

    def _is_coded(self, column: int) -> bool:
        return self._keeps and self.coded_edges(column).size <= MOST_CODES

    def _bins(self, column: int, codes: NDArray[Any]) -> NDArray[Any]:
        if self._is_coded(column):
            return codes.astype(np.int64)
        bins = np.searchsorted(self._histograms[column].labels, codes)
        return np.searchsorted(self.coded_edges(column), bins, "right") - 1

    def _coded_frame(self) -> Frame:
        """The cases as numbers of bins; kept in the engine where it can keep a table."""
        if self._coded is None:
            for place in range(len(self.values)):
                self.coded_edges(place)
            codes = [self._code(place).alias(f"c{place}") for place in range(len(self.values))]
            weight = [nw.col("w")] if self.table.unit else []
            narrow = [nw.col("f").cast(nw.Int8), nw.col("y").cast(nw.Int8)]
            self._coded = self._kept(self.table.frame.select(*narrow, *weight, *codes))
        return self._coded

    def _kept(self, frame: Frame) -> Frame:
        """The frame, in a temporary file if its engine runs on this machine.

        It is gone with the counts; the database is only read.
        """
        if not self._keeps:
            return frame
        folder = mkdtemp(prefix="scorecard-")
        finalize(self, rmtree, folder, ignore_errors=True)
        file = Path(folder, "bins.parquet")
        frame.sink_parquet(file)
        return nw.scan_parquet(file, backend=frame.implementation)

    def _code(self, column: int) -> Any:
        value = self.values[column]
        if not self._is_coded(column):
            return self.label(column)
        lowest = self._histograms[column].lowest.min(axis=1)
        edges = self.coded_edges(column)

        def within(first: int, stop: int) -> Any:
            if stop - first == 1:
                return nw.lit(first, dtype=nw.Int16)
            middle = (first + stop) // 2
            above = value >= float(lowest[edges[middle]])
            return nw.when(above).then(within(middle, stop)).otherwise(within(first, middle))

        return nw.when(~value.is_null()).then(within(0, edges.size))


def _finer(grid: _Grid, found: _Histogram) -> _Grid | None:
    """A grid that is finer where nearly all cases are; `None` if this one is fine enough."""
    if found.exact:
        return None
    rows = np.cumsum(found.rows.sum(axis=1))
    first, last = np.searchsorted(rows, [TAIL * rows[-1], (1 - TAIL) * rows[-1]])
    start, step = found.labels[first], 10.0**-grid.decimals
    stop = found.labels[min(last, found.labels.size - 1)] + step
    more = floor(log10(MOST_BINS / max(round((stop - start) / step), 1)))
    if (stop - start) / step >= ENOUGH_BINS or more < 1:
        return None
    return replace(grid, finer=grid.decimals + more, first=float(start), last=float(stop))


def _histogram(rows: Mapping[str, NDArray[Any]], weights: Floats, folds: int) -> _Histogram:
    known = ~np.isnan(rows["b"].astype(np.float64))
    labels, bins = np.unique(rows["b"][known].astype(np.float64), return_inverse=True)
    size = labels.size
    lowest, highest = np.full((size, folds), np.inf), np.full((size, folds), -np.inf)
    count, counts = np.zeros((size, folds)), np.zeros((size, folds, 2))
    place = bins.ravel(), rows["f"][known]
    np.minimum.at(lowest, place, rows["low"][known].astype(np.float64))
    np.maximum.at(highest, place, rows["high"][known].astype(np.float64))
    np.add.at(count, place, rows["n"][known])
    missing_rows, missing = np.zeros(folds), np.zeros((folds, 2))
    np.add.at(missing_rows, rows["f"][~known], rows["n"][~known])
    both = np.column_stack((weights, weights * rows["y"]))
    np.add.at(counts, place, both[known])
    np.add.at(missing, rows["f"][~known], both[~known])
    return _Histogram(labels, lowest, highest, count, counts, missing_rows, missing)


class _Values:
    """The values of a column that some of the cases have, as `counts.Column` has them."""

    def __init__(self, found: _Histogram, part: Fold) -> None:
        rows = part.of(found.rows, 1).sum(axis=1)
        self.bins = np.flatnonzero(rows > 0)
        self.spans: Spans = (
            part.of(found.lowest, 1).min(axis=1)[self.bins],
            part.of(found.highest, 1).max(axis=1)[self.bins],
        )
        counts = part.of(found.counts, 1).sum(axis=1)[self.bins]
        self.with_missing = -1  # the place of the value that stands for a missing one
        if self.bins.size:
            starts = np.concatenate(([0], np.cumsum(rows[self.bins])))
            self.with_missing = int(np.searchsorted(starts, (starts[-1] - 1) // 2, "right")) - 1
            counts[self.with_missing] += part.of(found.missing, 0).sum(axis=0)
        self.below = np.concatenate((np.zeros((1, 2)), np.cumsum(counts, axis=0)))
        # Everybody, also where nobody has a value.
        self.everybody = part.of(found.counts, 1).sum(axis=(0, 1)) + part.of(found.missing, 0).sum(
            axis=0
        )

    def quantiles(self, count: int) -> Integers:
        if self.bins.size < 2:
            return np.zeros(0, np.int64)
        return balanced_quantiles(self.below, self.everybody, count)


class LazyCounts:
    """Counts of cases that an engine makes; a `CountSource`.

    A missing value answers like the majority. The handle of a state is the questions asked: column,
    bin, points, and what a missing value says.
    """

    def __init__(self, shared: _Shared, fold: Fold) -> None:
        self._shared, self._fold = shared, fold
        self._values: dict[int, _Values] = {}
        self.n_inputs = len(shared.values)
        self.total_weight = float(self.start().counts[0, 0])

    def part(self, inside: Fold) -> LazyCounts:
        """Counts without the cases of a fold."""
        return LazyCounts(self._shared, inside)

    def _of(self, column: int) -> _Values:
        if column not in self._values:
            self._values[column] = _Values(self._shared.histogram(column), self._fold)
        return self._values[column]

    def n_values(self, column: int) -> int:
        return int(self._of(column).bins.size)

    def spans(self, column: int) -> Spans:
        """The values of a column, or the ends of bins, as these cases have them."""
        return self._of(column).spans

    def weight_below(self, column: int) -> Floats:
        return np.asarray(self._of(column).below[:, 0])

    def quantiles(self, column: int, count: int) -> Integers:
        self._shared.want_quantiles(column, count)
        return self._of(column).quantiles(count)

    def start(self) -> State:
        table = self._shared.table
        weights = self._fold.of(table.sizes[..., 1], 0).sum(axis=0) * (table.unit or 1.0)
        counts = np.array([[weights.sum(), weights[1]]], np.float64)
        return State(np.zeros(1, np.int64), counts, ())

    def ask(self, state: State, column: int, cutoff: int, points: int) -> State:
        values = self._of(column)
        no, yes = self.between(state, column, np.array([0, cutoff, values.bins.size], np.int64))
        totals = np.unique(np.concatenate((state.totals, state.totals + points)))
        counts = np.zeros((totals.size, 2))
        counts[np.searchsorted(totals, state.totals)] += no
        counts[np.searchsorted(totals, state.totals + points)] += yes
        occurs = counts[:, 0] > 0
        ends = {0: 0, values.bins.size: self._shared.histogram(column).labels.size}
        edge = ends[cutoff] if cutoff in ends else int(values.bins[cutoff])
        question = column, edge, points, values.with_missing >= cutoff
        return State(totals[occurs], counts[occurs], (*state.handle, question))

    def between(self, state: State, column: int, cutoffs: Integers) -> Floats:
        values, shared = self._of(column), self._shared
        inside = cutoffs[(cutoffs > 0) & (cutoffs < values.bins.size)]
        shared.need(column, values.bins[inside])
        totals, counts = shared.counts(state.handle, column)
        counts = self._fold.of(counts, 2).sum(axis=2)
        occurs = np.searchsorted(totals, state.totals)
        # Every edge belongs to the gap of the value at or before which it stands.
        edges = shared.coded_edges(column)
        ranks = np.searchsorted(values.bins, edges)
        gaps = np.zeros((cutoffs.size - 1, state.totals.size, 2))
        places = np.searchsorted(cutoffs, ranks, "right") - 1
        counted = (places >= 0) & (places < gaps.shape[0])
        np.add.at(gaps, places[counted], counts[:-1][counted][:, occurs])
        missing = int(np.searchsorted(cutoffs, values.with_missing, "right")) - 1
        if values.with_missing >= 0 and 0 <= missing < gaps.shape[0]:
            gaps[missing] += counts[-1][occurs]
        return gaps

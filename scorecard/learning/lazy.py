"""Cases that stay where they are: a lazy frame of any engine that narwhals knows, counted there.

Nothing but count tables comes here. One query per column counts its values by fold and outcome;
from these come cut-offs, quantiles and medians. Then one group-by per column and stage counts by
total, bin, fold and outcome. Which fold a row is in depends on its values or its key alone, by
arithmetic that is the same in every engine.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from operator import add
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from threading import RLock
from typing import Any, cast
from weakref import finalize

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from scorecard.core.model import Condition, Question
from scorecard.core.question import with_substitutes
from scorecard.errors import LearningError
from scorecard.learning.counts import (
    Floats,
    Integers,
    Spans,
    State,
    balanced_quantiles,
    effective_scale,
    weight_unit,
    weights_in_steps,
)
from scorecard.learning.inputs import AskedColumn, Kind
from scorecard.learning.risks import Answers, Patterns
from scorecard.learning.rounding import Grid, coarse_grid, finer_grid
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

MOST_CODES = 2_000  # above, the engine groups by values, and these are put into bins here
MOST_CELLS = 4_000  # that columns counted in one query may have together, of each total
SCRATCH_MEMORY = "400MB"  # for the numbers of bins, which are in a file
KEPT_TABLES = 4  # of counts for each column: lists of different folds often ask the same
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
        """The counts of the folds that stay."""
        return counts if self.left_out is None else np.delete(counts, self.left_out, axis)

    def total(self, counts: NDArray[Any], axis: int) -> NDArray[Any]:
        """The sum over the folds that stay."""
        whole = np.asarray(counts.sum(axis=axis))
        return whole if self.left_out is None else whole - counts.take(self.left_out, axis)


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
    weigh_the_same: bool = True
    _told: dict[Any, dict[str, NDArray[Any]]] = field(default_factory=dict, init=False)

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

    @property
    def all_parts(self) -> list[Fold]:
        """All cases, and all but those of each fold."""
        return [Fold(), *map(Fold, range(self.folds if self.folds > 1 else 0))]

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
        """How often each pattern of answers occurs, by fold; lists of many cases often agree."""
        asked = [
            tuple((one.input, one.condition) for one in with_substitutes([question]))
            for question in questions
        ]
        if tuple(asked) not in self._told:
            answers = [nw.coalesce(*(self.answer(*one) for one in both)) for both in asked]
            named = {f"a{place}": one for place, one in enumerate(answers)}
            kept = ["f", "y", *(["w"] if self.unit else [])]
            grouped = self.frame.select(*map(nw.col, kept), **named).group_by("f", "y", *named)
            self._told[tuple(asked)] = collected(grouped.agg(*self.counted))
        return self._told[tuple(asked)]

    def _patterns(self, rows: Mapping[str, NDArray[Any]]) -> Patterns:
        names = sorted((name for name in rows if name[0] == "a"), key=lambda name: int(name[1:]))
        given = np.zeros((len(rows["y"]), len(names)), np.int8)
        for place, name in enumerate(names):
            given[:, place] = np.nan_to_num(rows[name].astype(np.float64), nan=-1).astype(np.int8)
        answers, places = np.unique(given, axis=0, return_inverse=True)
        counts = rows["n"] if self.weigh_the_same else self.weighed(rows)
        sums = np.zeros((len(answers), 2))
        np.add.at(sums, places.ravel(), np.column_stack((counts, counts * rows["y"])))
        found: Answers = answers.reshape(len(answers), len(names))
        return Patterns(found, *sums.T).scaled(1.0 if self.weigh_the_same else self.weight_scale)

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
        texts = {place for place, one in enumerate(self.inputs) if one.kind == "category"}
        found = _described(learned, [one.name for one in self.inputs], texts)
        inputs = tuple(
            replace(one, share_known=of.share_known, lowest=of.lowest, highest=of.highest)
            for one, of in zip(self.inputs, found, strict=True)
        )
        return (
            replace(self, frame=in_folds(learned, folds), folds=folds, inputs=inputs),
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
    weighed: tuple[Any, ...] = None, 1.0, True
    if weights is not None:
        typed_frame = typed_frame.with_columns(rw=_number(nw.col("rw"), schema[weights]))
        typed_frame, weighed = _with_weights(typed_frame)
    texts = {place for place, name in enumerate(names) if not _is_number(schema[name])}
    inputs = _described(typed_frame, names, texts)
    typed_frame = _with_places(typed_frame, inputs, groups, keys, schema)
    count = collected(typed_frame.select(nw.len().alias("n")))["n"][0]
    number = folds or usual_folds(int(count))
    return LazyTable(
        in_folds(typed_frame, number), inputs, found, number, folds or None,
        groups is not None, *weighed,
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


def _with_weights(frame: Frame) -> tuple[Frame, tuple[float, float, bool]]:
    """Whole numbers of a unit as weights, their scale, and whether all are the same."""
    weight = nw.col("rw")
    rows = collected(
        frame.select(
            weight.min().alias("lowest"),
            nw.when(weight > 0).then(weight).min().alias("least"),
            weight.max().alias("most"),
            (weight > 0).cast(nw.Int64).sum().alias("n"),
            weight.is_null().cast(nw.Int64).sum().alias("missing"),
        )
    )
    most = float(rows["most"][0])
    if rows["missing"][0] or not (rows["lowest"][0] >= 0 and most < np.inf):
        raise LearningError("sample_weight has values that are missing, negative or not finite.")
    if not most:
        raise LearningError("sample_weight: all weights are zero; at least one case must count.")
    frame = frame.filter(weight > 0)
    if rows["least"][0] == most:
        return frame.with_columns(w=nw.lit(1)), (most, 1.0 / most, True)
    unit = weight_unit(most, int(rows["n"][0]))
    frame = frame.with_columns(w=_floor(weight / unit + 0.5).cast(nw.Int64))
    steps = weights_in_steps(weight, most, _floor).cast(nw.Int64)
    sums = collected(
        frame.select(
            nw.col("w").sum().cast(nw.Int64).alias("total"),
            (steps * steps).sum().cast(nw.Int64).alias("squares"),
        )
    )
    scale = effective_scale(most, float(sums["total"][0]) * unit, float(sums["squares"][0]))
    return frame, (unit, scale, False)


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
    columns = frame.collect_schema().names()

    def named(values: list[Any]) -> list[Any]:
        nonlocal frame
        names = [f"z{len(frame.collect_schema())}_{place}" for place in range(len(values))]
        frame = frame.with_columns(**dict(zip(names, values, strict=True)))
        return list(map(nw.col, names))

    place = scattered(numbers, _floor, named)
    return frame.select(*columns, u=place)


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
class _Histogram:
    """The values of a column, or bins of them, by fold and outcome.

    `counts[bin, fold]` are cases and positives, `missing[fold]` those without a value; `rows`
    are not weighed.
    """

    labels: Floats
    lowest: Floats
    highest: Floats
    rows: Floats
    counts: Floats
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
        self.table, self._columns = table, columns
        engine = table.frame.implementation
        self._keeps = engine.is_polars() or engine.is_duckdb() or engine.is_pyspark()
        places = {one.name: place for place, one in enumerate(table.inputs)}
        self.values = [
            nw.col(f"i{places[column.input]}")
            if column.condition is None
            else table.answer(column.input, column.condition).cast(nw.Float64)
            for column in columns
        ]
        self._labels = list(self.values)
        self._histograms: dict[int, _Histogram] = {}
        self._wanted: dict[int, tuple[int, bool]] = {}
        self._edges: dict[int, Integers] = {}
        self._coded: Frame | None = None
        self._together: list[list[int]] = []
        self._tables: OrderedDict[Any, _Counted] = OrderedDict()
        self._lock = RLock()

    # Values of one column

    def histogram(self, column: int) -> _Histogram:
        with self._lock:
            if column not in self._histograms:
                self._histograms[column] = self._counted_values(column)
            return self._histograms[column]

    def _counted_values(self, column: int) -> _Histogram:
        asked, table = self._columns[column], self.table
        one = next(one for one in table.inputs if one.name == asked.input)
        grid = coarse_grid(len(table), one.lowest, one.highest)
        if asked.condition is not None or grid is None:
            return self._by_label(column)
        found = self._by_label(column, grid)
        finer = grid if found.exact else finer_grid(grid, found.labels, found.rows.sum(axis=1))
        return found if finer == grid else self._by_label(column, finer)

    def _by_label(self, column: int, grid: Grid | None = None) -> _Histogram:
        table, value = self.table, self.values[column]
        self._labels[column] = value if grid is None else grid.label(value, _floor, _choose)
        weight = [nw.col("w")] if table.unit else []
        frame = table.frame.select(
            nw.col("f"), nw.col("y"), value.alias("v"), self._labels[column].alias("b"), *weight
        )
        rows = collected(
            frame.group_by("b", "f", "y").agg(
                *table.counted, nw.col("v").min().alias("low"), nw.col("v").max().alias("high")
            )
        )
        return _histogram(rows, table.weighed(rows), table.folds)

    # Where cut-offs may be, and counts by total

    def want_quantiles(self, column: int, count: int, rounded: bool) -> None:
        self._wanted[column] = count, rounded

    def edges(self, column: int) -> Integers:
        """The bins that a cut-off may stand before, 0 first."""
        if column not in self._edges:
            self._edges[column] = self._tried(column)
        return self._edges[column]

    def _tried(self, column: int) -> Integers:
        found, wanted = self.histogram(column), self._wanted.get(column)
        if wanted is None:
            return np.arange(found.labels.size)
        parts = (_Values(found, part) for part in self.table.all_parts)
        cuts = [part.bins[part.quantiles(*wanted)] for part in parts if part.bins.size > 1]
        return np.unique(np.concatenate([[0], *cuts])).astype(np.int64)

    def need(self, column: int, bins: Integers) -> None:
        """See that cut-offs may stand before these bins."""
        if np.isin(bins, self.edges(column)).all():
            return
        with self._lock:
            self._edges[column] = np.arange(self._histograms[column].labels.size)
            self._coded = None
            self._tables.clear()

    def counts(self, asked: tuple[Any, ...], column: int) -> _Counted:
        with self._lock:
            key = asked, column
            if key not in self._tables:
                found = self._grouped(asked, column) if asked else self._at_the_start(column)
                self._tables.update({(asked, one): table for one, table in found.items()})
                while len(self._tables) > KEPT_TABLES * len(self.values):
                    self._tables.popitem(last=False)
            self._tables.move_to_end(key)
            return self._tables[key]

    def _at_the_start(self, column: int) -> dict[int, _Counted]:
        found = self.histogram(column)
        counts = np.add.reduceat(found.counts, self.edges(column), axis=0)[:, None]
        return {column: _Counted.of(np.zeros(1, np.int64), counts, found.missing[None])}

    def _grouped(self, asked: tuple[Any, ...], column: int) -> dict[int, _Counted]:
        """The counts of a column, and of those that are counted in the same query."""
        frame = self._coded_frame()
        columns = next(one for one in self._together if column in one)
        kind = _small(asked)
        total = reduce(add, (self._points(kind, *question) for question in asked))
        named = [f"c{one}" for one in columns]
        kept = ["s", *named, *(["w"] if self.table.unit else [])]
        grouped = frame.select(*map(nw.col, kept), total.alias("t")).group_by("t", "s", *named)
        rows = collected(grouped.agg(*self.table.counted))
        return {one: self._of_column(one, rows) for one in columns}

    def _of_column(self, column: int, rows: Mapping[str, NDArray[Any]]) -> _Counted:
        totals, groups = np.unique(rows["t"].astype(np.int64), return_inverse=True)
        bins = self._bins(column, rows[f"c{column}"])
        shape = self.edges(column).size + 1, totals.size, self.table.folds, 2
        sides = divmod(rows["s"].astype(np.int64), 2)
        cells = np.ravel_multi_index((bins, groups.ravel(), *sides), shape)
        counts = np.bincount(cells, self.table.weighed(rows), int(np.prod(shape)))
        found = counts.astype(np.float64).reshape(shape)
        found[..., 0] += found[..., 1]
        return _Counted.of(totals, found[:-1], found[-1])

    def _points(self, kind: Any, column: int, edge: int, points: int, missing_yes: bool) -> Any:
        code = nw.col(f"c{column}")
        if self._is_coded(column):
            place = int(np.searchsorted(self.edges(column), edge))
            no = code.is_between(0, place - 1) if missing_yes else code < place
        else:
            no = code < float(np.append(self._histograms[column].labels, np.inf)[edge])
            no = no if missing_yes else no | code.is_null()
        return _choose(no, nw.lit(0, dtype=kind), nw.lit(points, dtype=kind))

    def _is_coded(self, column: int) -> bool:
        """Whether the engine knows the edges; else it groups by value, which is quicker to say."""
        size = self.edges(column).size
        return size <= MOST_CODES and (self._keeps or size < self._histograms[column].labels.size)

    def _bins(self, column: int, codes: NDArray[Any]) -> Integers:
        edges, codes = self.edges(column), codes.astype(np.float64)
        if self._is_coded(column):
            return np.where(codes < 0, edges.size, codes).astype(np.int64)
        places = np.searchsorted(self._histograms[column].labels, codes)
        bins = np.searchsorted(edges, places, "right") - 1
        return np.where(np.isnan(codes), edges.size, bins).astype(np.int64)

    def _coded_frame(self) -> Frame:
        """The cases as numbers of bins; kept in the engine where it can keep a table."""
        if self._coded is None:
            codes = [self._code(place).alias(f"c{place}") for place in range(len(self.values))]
            weight = [nw.col("w")] if self.table.unit else []
            side = (2 * nw.col("f") + nw.col("y")).cast(nw.Int8).alias("s")
            self._coded = self._kept(self.table.frame.select(side, *weight, *codes))
            sizes = [one.size + 1 for one in map(self.edges, range(len(self.values)))]
            self._together = packed(sizes, MOST_CELLS)
        return self._coded

    def _kept(self, frame: Frame) -> Frame:
        """The frame in a temporary file, or in the memory of its engine; gone with the counts."""
        engine = frame.implementation
        if engine.is_pyspark():
            kept = frame.to_native().persist()
            finalize(self, kept.unpersist)
            return cast("Frame", nw.from_native(kept))
        if not self._keeps:
            return frame
        folder = mkdtemp(prefix="scorecard-")
        finalize(self, rmtree, folder, ignore_errors=True)
        file = Path(folder, "bins.parquet")
        frame.sink_parquet(file)
        return _in_a_database(file) if engine.is_duckdb() else nw.scan_parquet(file, backend=engine)

    def _code(self, column: int) -> Any:
        """The number of the edge that a value is at or behind, −1 if it is missing."""
        if not self._is_coded(column):
            return self._labels[column]
        value, edges = self.values[column], self.edges(column)
        lowest = self._histograms[column].lowest.min(axis=1)
        kind = nw.Int8 if edges.size < 128 else nw.Int16

        def within(first: int, stop: int) -> Any:
            if stop - first == 1:
                return nw.lit(first, dtype=kind)
            middle = (first + stop) // 2
            above = value >= float(lowest[edges[middle]])
            return _choose(above, within(middle, stop), within(first, middle))

        return _choose(value.is_null(), nw.lit(-1, dtype=kind), within(0, edges.size))


def packed(sizes: Sequence[int], most: int) -> list[list[int]]:
    """Columns with so many different codes, put together as long as few combinations are possible.

    The engine reads the questions so far once for all of them.
    """
    found: list[tuple[int, list[int]]] = []
    for column in sorted(range(len(sizes)), key=sizes.__getitem__):
        cells, together = found[-1] if found else (most, [])
        if cells * sizes[column] <= most:
            found[-1] = cells * sizes[column], [*together, column]
        else:
            found.append((sizes[column], [column]))
    return [columns for _, columns in found]


def _in_a_database(file: Path) -> Frame:
    """A Parquet file as a table of DuckDB, of which small groups are found without hashing."""
    import duckdb

    scratch = duckdb.connect(str(file.with_suffix(".duckdb")))
    scratch.execute(f"SET memory_limit='{SCRATCH_MEMORY}'; SET perfect_ht_threshold=20")
    scratch.execute("CREATE TABLE bins AS FROM read_parquet(?)", [str(file)])
    file.unlink()
    return nw.from_native(scratch.table("bins"))


def _small(asked: Sequence[tuple[int, int, int, bool]]) -> Any:
    """The smallest whole numbers that hold every total."""
    return nw.Int8 if sum(abs(points) for _, _, points, _ in asked) < 128 else nw.Int64


def _floor(value: Any) -> Any:
    return value.floor()


def _choose(condition: Any, yes: Any, no: Any) -> Any:
    return nw.when(condition).then(yes).otherwise(no)


def _histogram(rows: Mapping[str, NDArray[Any]], weights: Floats, folds: int) -> _Histogram:
    known = ~np.isnan(rows["b"].astype(np.float64))
    labels, bins = np.unique(rows["b"][known].astype(np.float64), return_inverse=True)
    shape = labels.size + 1, folds  # those without a value are last
    places = np.full(known.size, labels.size)
    places[known] = bins.ravel()
    place = places, rows["f"]
    lowest, highest = np.full(shape, np.inf), np.full(shape, -np.inf)
    count, counts = np.zeros(shape), np.zeros((*shape, 2))
    np.minimum.at(lowest, place, rows["low"].astype(np.float64))
    np.maximum.at(highest, place, rows["high"].astype(np.float64))
    np.add.at(count, place, rows["n"])
    np.add.at(counts, place, np.column_stack((weights, weights * rows["y"])))
    return _Histogram(labels, lowest[:-1], highest[:-1], count[:-1], counts[:-1], counts[-1])


@dataclass(frozen=True)
class _Counted:
    """Cases and positives by total and fold: those below each edge, and those without a value."""

    totals: Integers
    below: Floats
    missing: Floats

    @classmethod
    def of(cls, totals: Integers, counts: Floats, missing: Floats) -> _Counted:
        """From counts between the edges."""
        below = np.concatenate((np.zeros((1, *counts.shape[1:])), np.cumsum(counts, axis=0)))
        return cls(totals, below, missing)


class _Values:
    """The values of a column that some of the cases have, as `counts.Column` has them."""

    def __init__(self, found: _Histogram, part: Fold) -> None:
        rows = part.total(found.rows, 1)
        self.bins = np.flatnonzero(rows > 0)
        self.spans: Spans = (
            part.of(found.lowest, 1).min(axis=1)[self.bins],
            part.of(found.highest, 1).max(axis=1)[self.bins],
        )
        counts, missing = part.total(found.counts, 1)[self.bins], part.total(found.missing, 0)
        self.everybody = counts.sum(axis=0) + missing
        self.with_missing = -1  # the place of the value that stands for a missing one
        if self.bins.size:
            starts = np.concatenate(([0], np.cumsum(rows[self.bins])))
            self.with_missing = int(np.searchsorted(starts, (starts[-1] - 1) // 2, "right")) - 1
            counts[self.with_missing] += missing
        self.below = np.concatenate((np.zeros((1, 2)), np.cumsum(counts, axis=0)))

    def quantiles(self, count: int, rounded: bool) -> Integers:
        if self.bins.size < 2:
            return np.zeros(0, np.int64)
        spans = self.spans if rounded else None
        return balanced_quantiles(self.below, self.everybody, count, spans)


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

    def quantiles(self, column: int, count: int, rounded: bool) -> Integers:
        self._shared.want_quantiles(column, count, rounded)
        return self._of(column).quantiles(count, rounded)

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
        starts = np.append(values.bins, shared.histogram(column).labels.size)
        starts[0] = 0  # below the smallest value of a part there is nobody of it
        bins = starts[cutoffs]
        shared.need(column, bins[(cutoffs > 0) & (cutoffs < values.bins.size)])
        found = shared.counts(state.handle, column)
        occurs = np.searchsorted(found.totals, state.totals)
        places = np.searchsorted(shared.edges(column), bins)
        below = self._fold.total(found.below[places][:, occurs], 2)
        gaps = np.ascontiguousarray(np.diff(below, axis=0))
        missing = int(np.searchsorted(cutoffs, values.with_missing, "right")) - 1
        if values.with_missing >= 0 and 0 <= missing < gaps.shape[0]:
            gaps[missing] += self._fold.total(found.missing[occurs], 1)
        return gaps

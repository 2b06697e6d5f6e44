"""Counts that an engine makes, of cases that stay where they are.

One query per column counts its values by fold and outcome; from these come cut-offs, quantiles and
medians. Then the numbers of bins are kept, and for each question one group-by for a few columns at
a time counts by total, bin, fold and outcome.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from threading import RLock
from typing import TYPE_CHECKING, Any, cast
from weakref import finalize

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from scorecard.errors import INSTALL_WAREHOUSE, LearningError
from scorecard.learning.counts import Counts, Floats, Integers, State, Values
from scorecard.learning.inputs import AskedColumn
from scorecard.learning.rounding import NumberGrid, coarse_grid, finer_grid

if TYPE_CHECKING:
    from scorecard.learning.lazy import LazyTable

Frame = nw.LazyFrame[Any]

MOST_CODES = 2_000  # above, the engine groups by values, and these are put into bins here
MOST_CELLS = 4_000  # that columns counted in one query may have together, of each total
SCRATCH_MEMORY = "400MB"  # for the numbers of bins, which are in a file
KEPT_BYTES = 200_000_000  # of counts: lists of different folds often ask the same


def collected(frame: Frame) -> dict[str, NDArray[Any]]:
    """The rows of a small result."""
    try:
        rows = frame.collect(backend="polars")
    except ModuleNotFoundError as error:  # DuckDB hands its results over in pyarrow's form
        if error.name != "pyarrow":
            raise
        raise LearningError(
            f"learning from a database needs pyarrow; install it with: {INSTALL_WAREHOUSE}"
        ) from None
    return {name: rows[name].to_numpy() for name in rows.columns}


COUNTED = nw.len().alias("n")


def floor_of(value: Any) -> Any:
    return value.floor()


def _choose(condition: Any, yes: Any, no: Any) -> Any:
    return nw.when(condition).then(yes).otherwise(no)


@dataclass(frozen=True)
class Without:
    """All cases but those of one fold, or with `None` all cases."""

    left_out: int | None = None

    def of(self, counts: NDArray[Any], axis: int) -> NDArray[Any]:
        """The counts of the folds that stay."""
        return counts if self.left_out is None else np.delete(counts, self.left_out, axis)

    def total(self, counts: NDArray[Any], axis: int) -> NDArray[Any]:
        """The sum over the folds that stay."""
        whole = np.asarray(counts.sum(axis=axis))
        return whole if self.left_out is None else whole - counts.take(self.left_out, axis)


class LazyCounts(Counts):
    """Counts of cases that an engine makes.

    The handle of a state is the questions asked: column,
    bin, points, and what a missing value says.
    """

    def __init__(self, shared: SharedCounts, fold: Without) -> None:
        self._shared, self._fold = shared, fold
        self._values: dict[int, Values] = {}

    def part(self, inside: Without) -> LazyCounts:
        """Counts without the cases of a fold."""
        return LazyCounts(self._shared, inside)

    def values(self, column: int) -> Values:
        if column not in self._values:
            self._values[column] = self._shared.histogram(column).of(self._fold)
        return self._values[column]

    def quantiles(self, column: int, count: int, rounded: bool) -> Integers:
        self._shared.want_quantiles(column, count, rounded)
        return super().quantiles(column, count, rounded)

    def start(self) -> State:
        table = self._shared.table
        sides = self._fold.total(table.sizes, 0)
        counts = np.array([[sides.sum(), sides[1]]], np.float64)
        return State(np.zeros(1, np.int64), counts, ())

    def ask(self, state: State, column: int, cutoff: int, points: int) -> State:
        values = self.values(column)
        no, yes = self.between(state, column, np.array([0, cutoff, values.bins.size], np.int64))
        totals, places_no, places_yes = state.places(points)
        counts = np.zeros((totals.size, 2))
        counts[places_no] += no
        counts[places_yes] += yes
        occurs = counts[:, 0] > 0
        ends = {0: 0, values.bins.size: self._shared.histogram(column).labels.size}
        edge = ends[cutoff] if cutoff in ends else int(values.bins[cutoff])
        question = column, edge, points, values.with_missing >= cutoff
        return State(totals[occurs], counts[occurs], (*state.handle, question))

    def between(self, state: State, column: int, cutoffs: Integers) -> Floats:
        bins, shared = self._bins(column, cutoffs), self._shared
        shared.need(column, bins[(cutoffs > 0) & (cutoffs < self.n_values(column))])
        found = shared.counts(state.handle, column)
        return self._gaps(
            state, column, cutoffs, found, np.searchsorted(shared.edges(column), bins)
        )

    def _bins(self, column: int, cutoffs: Integers) -> Integers:
        """The bins that these cut-offs stand before."""
        starts = np.append(self.values(column).bins, self._shared.histogram(column).labels.size)
        starts[0] = 0  # below the smallest value of a part there is nobody of it
        return np.asarray(starts[cutoffs])

    def _gaps(
        self, state: State, column: int, cutoffs: Integers, found: _Counted, places: Integers
    ) -> Floats:
        values, occurs = self.values(column), np.searchsorted(found.totals, state.totals)
        below = self._fold.total(found.below[places][:, occurs], 2)
        gaps = np.ascontiguousarray(np.diff(below, axis=0))
        missing = int(np.searchsorted(cutoffs, values.with_missing, "right")) - 1
        if values.with_missing >= 0 and 0 <= missing < gaps.shape[0]:
            gaps[missing] += self._fold.total(found.missing[occurs], 1)
        return gaps


@dataclass(frozen=True)
class _Histogram:
    """The values of a column, or bins of them, by fold and outcome.

    `counts[bin, fold]` are cases and positives, `missing[fold]` those without a value.
    """

    labels: Floats
    lowest: Floats
    highest: Floats
    counts: Floats
    missing: Floats

    @property
    def exact(self) -> bool:
        """Whether each bin is one value."""
        known = self.counts[..., 0] > 0
        return bool((self.lowest[known] == self.highest[known]).all()) and bool(
            (self.lowest.min(axis=1) == np.where(known, self.highest, -np.inf).max(axis=1)).all()
        )

    def of(self, part: Without) -> Values:
        """The values of a part of the cases."""
        return Values(
            part.total(self.counts[..., 0], 1),
            part.total(self.counts, 1),
            part.total(self.missing, 0),
            part.of(self.lowest, 1).min(axis=1),
            part.of(self.highest, 1).max(axis=1),
        )


class SharedCounts:
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
        finer = (
            grid
            if found.exact
            else finer_grid(grid, found.labels, found.counts[..., 0].sum(axis=1))
        )
        return found if finer == grid else self._by_label(column, finer)

    def _by_label(self, column: int, grid: NumberGrid | None = None) -> _Histogram:
        table, value = self.table, self.values[column]
        self._labels[column] = value if grid is None else grid.label(value, floor_of, _choose)
        frame = table.frame.select("f", "y", v=value, b=self._labels[column])
        rows = collected(
            frame.group_by("b", "f", "y").agg(
                COUNTED, nw.col("v").min().alias("low"), nw.col("v").max().alias("high")
            )
        )
        return _histogram(rows, table.folds)

    def label(self, name: str) -> Any:
        """What the numbers of an input are grouped by: they themselves, or their bins."""
        columns = enumerate(self._columns)
        column = next(at for at, one in columns if one.input == name and one.condition is None)
        self.histogram(column)
        return self._labels[column]

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
        parts = map(found.of, self.table.all_parts)
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
                size = sum(table.below.nbytes for table in self._tables.values())
                while size > KEPT_BYTES and len(self._tables) > len(found):
                    size -= self._tables.popitem(last=False)[1].below.nbytes
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
        grouped = frame.select("s", *named, t=total).group_by("t", "s", *named)
        rows = collected(grouped.agg(COUNTED))
        return {
            one: self._by_total(rows, self._bins(one, rows[f"c{one}"]), self.edges(one).size)
            for one in columns
        }

    @property
    def _side(self) -> Any:
        return (2 * nw.col("f") + nw.col("y")).cast(nw.Int8).alias("s")

    def _by_total(self, rows: Mapping[str, NDArray[Any]], bins: Integers, size: int) -> _Counted:
        """Rows of counts by total; those without a value are in the bin behind the last."""
        totals, groups = np.unique(rows["t"].astype(np.int64), return_inverse=True)
        shape = size + 1, totals.size, self.table.folds, 2
        sides = divmod(rows["s"].astype(np.int64), 2)
        cells = np.ravel_multi_index((bins, groups.ravel(), *sides), shape)
        counts = np.bincount(cells, rows["n"], int(np.prod(shape)))
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
            self._coded = self._kept(self.table.frame.select(self._side, *codes))
            sizes = [one.size + 1 for one in map(self.edges, range(len(self.values)))]
            self._together = _packed(sizes, MOST_CELLS)
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


def _packed(sizes: Sequence[int], most: int) -> list[list[int]]:
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


def _histogram(rows: Mapping[str, NDArray[Any]], folds: int) -> _Histogram:
    known = ~np.isnan(rows["b"].astype(np.float64))
    labels, bins = np.unique(rows["b"][known].astype(np.float64), return_inverse=True)
    shape = labels.size + 1, folds  # those without a value are last
    places = np.full(known.size, labels.size)
    places[known] = bins.ravel()
    place = places, rows["f"]
    lowest, highest = np.full(shape, np.inf), np.full(shape, -np.inf)
    counts = np.zeros((*shape, 2))
    np.minimum.at(lowest, place, rows["low"].astype(np.float64))
    np.maximum.at(highest, place, rows["high"].astype(np.float64))
    np.add.at(counts, place, np.column_stack((rows["n"], rows["n"] * rows["y"])))
    return _Histogram(labels, lowest[:-1], highest[:-1], counts[:-1], counts[-1])


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

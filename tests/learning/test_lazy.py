"""The same list from memory and from every engine: questions, risks, evidence, cross-validation."""

import os
from decimal import Decimal

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
import pytest

from scorecard import ScoringListClassifier
from scorecard.errors import LearningError
from scorecard.learning import lazy, lazy_counts, rounding
from scorecard.learning.sample import scattered
from tests.learning.lazy_tables import (
    ENGINES,
    OPTIONS,
    SHORT,
    by_engine,
    in_memory,
    random_cases,
)
from tests.learning.test_weighing import POLICY, often_missing

CHOSEN = [("polars", seed) for seed in range(len(OPTIONS))]
CHOSEN += [("duckdb", seed) for seed in (0, 1, 4)]
CHOSEN += [("sqlframe", 0)]
# Engines that take minutes are asked for by name, as `make spark` does.
CHOSEN += [(engine, seed) for engine in os.environ.get("ENGINES", "").split() for seed in (0, 1, 4)]


@pytest.mark.parametrize(("engine", "seed"), CHOSEN)
def test_the_list_is_that_of_memory(engine, seed):
    table, options = random_cases(seed), SHORT | OPTIONS[seed]
    if engine in ("sqlframe", "pyspark"):
        options["max_questions"] = 1  # each query is compiled for long
    here, there = in_memory(table, **options), by_engine(ENGINES[engine](table), **options)
    assert there.scoring_list_ == here.scoring_list_
    assert there.losses_ == here.losses_


@pytest.mark.parametrize("binned", [False, True])
def test_substitutes_are_those_of_memory(binned, monkeypatch):
    """A number and a category that answer nearly the same as what is often unknown."""
    if binned:
        for name, value in (("ON_A_GRID", 10), ("MOST_BINS", 100), ("ENOUGH_BINS", 10)):
            monkeypatch.setattr(rounding, name, value)
    X, y = often_missing()
    columns = {f"x{place}": np.round(X[:, place], 3) for place in range(3)}
    columns["kind"] = np.where(columns["x2"] > 0, "high", "low")
    table = pl.DataFrame(columns | {"outcome": y.astype(int)}, nan_to_null=True)
    table = table.with_columns(weight=1.0, patient=0, id=pl.Series(range(len(y))))
    table = table.with_columns(x2=pl.when(pl.col("id") % 3 > 0).then("x2"))
    options = {"policy": POLICY, "max_questions": 3, "folds": 3}
    here = in_memory(table, **options)
    assert any(one.if_unknown for one in here.questions_)
    for engine in ("polars", "duckdb"):
        there = by_engine(ENGINES[engine](table), **options)
        assert there.scoring_list_ == here.scoring_list_


def test_every_kind_of_column_counts_the_same_everywhere():
    cases = random_cases(2, 120)
    table = cases.select(
        pl.col("lab").cast(pl.Decimal(12, 2)).alias("lab"),
        pl.when(pl.col("age") > 80).then(float("nan")).otherwise(pl.col("age")).alias("age"),
        pl.col("flag").cast(pl.Boolean).alias("flag"),
        pl.col("age").cast(pl.Int16, strict=False).alias("whole"),
        pl.col("site"),
        pl.col("outcome") == 1,
        "weight", "patient", "id",
    )  # fmt: skip
    assert isinstance(table["lab"].drop_nulls()[0], Decimal)
    here = in_memory(table, **SHORT).scoring_list_
    assert by_engine(ENGINES["polars"](table), **SHORT).scoring_list_ == here
    assert by_engine(ENGINES["duckdb"](table), **SHORT).scoring_list_ == here


@pytest.fixture
def few_bins(monkeypatch):
    monkeypatch.setattr(rounding, "ON_A_GRID", 10)
    monkeypatch.setattr(rounding, "MOST_BINS", 30)
    monkeypatch.setattr(rounding, "ENOUGH_BINS", 10)


@pytest.mark.parametrize(
    ("engine", "cutoffs"), [("polars", "exact"), ("polars", 4), ("duckdb", "auto")]
)
@pytest.mark.usefixtures("few_bins")
def test_numbers_on_a_grid_are_those_of_memory(engine, cutoffs):
    table = random_cases(4, 300)
    options = SHORT | {"cutoffs": cutoffs}
    here, there = in_memory(table, **options), by_engine(ENGINES[engine](table), **options)
    assert there.scoring_list_ == here.scoring_list_
    assert there.bins_ == here.bins_ != {}


@pytest.mark.parametrize("decimals", [-2, 1, 2])
def test_bins_are_numbered_as_people_count_in_every_engine(decimals):
    """0.29 is 29 hundredths, although 0.29 · 100 is below 29, and 29 / 100 rounded otherwise."""
    steps = np.arange(-2000, 2000)
    values = [float(f"{step}e{-decimals}") for step in steps]
    grid = rounding.NumberGrid(decimals)
    assert (grid.label(np.array(values)) == steps).all()
    label = grid.label(nw.col("value"), lazy.floor_of, lazy_counts._choose)
    for engine in ("polars", "duckdb"):
        frame = ENGINES[engine](pl.DataFrame({"step": steps, "value": values}))
        found = frame.select("step", b=label).collect("polars")
        assert (found["b"] == found["step"]).all()


@pytest.mark.usefixtures("few_bins")
def test_values_in_bins_are_counted_exactly_as_asked():
    """With few bins the cut-offs are coarser, but what is printed is what was counted."""
    table = random_cases(4, 300)
    model = by_engine(ENGINES["polars"](table), **SHORT)
    inputs = table.drop("outcome", "weight", "patient", "id")
    texts = ["".join("01?"[one] for one in row) for row in model.answers(inputs).tolist()]
    patterns = model.scoring_list_.evidence.patterns
    counted = {one.answers: (one.cases, one.positives) for one in patterns}
    expected = {
        text: (
            texts.count(text),
            sum(y for y, other in zip(table["outcome"], texts, strict=True) if other == text),
        )
        for text in texts
    }
    assert counted == expected
    lowest, highest = lab_bins(table)
    assert (highest[:-1] < lowest[1:]).all()
    assert (highest > lowest).any()


def lab_bins(table):
    """The ends of the bins that the engine has put a column into."""
    frame = ENGINES["polars"](table.select("lab", "outcome"))
    cases = lazy.lazy_table(frame, "outcome", groups=None, keys=None, positive_label=None, folds=2)
    return cases.source([lazy.AskedColumn("lab", 0)]).spans(0)


def test_a_place_depends_on_nothing_but_the_numbers():
    numbers = [np.arange(10_000.0), np.linspace(0, 1e-6, 10_000)]
    places = scattered(numbers, np.floor)
    assert ((places >= 0) & (places < 1)).all()
    for one in (places, scattered(numbers[:1], np.floor), scattered(numbers[1:], np.floor)):
        counts = np.bincount((one * 10).astype(int), minlength=10)
        assert (abs(counts - 1000) < 150).all()


def test_bad_frames_are_refused_in_one_line():
    table = random_cases(0)

    def fit(frame, outcome="outcome", **more):
        with pytest.raises(LearningError) as caught:
            ScoringListClassifier().fit(frame.lazy(), outcome, **more)
        assert "\n" not in str(caught.value)
        return str(caught.value)

    assert "no column 'disease'" in fit(table, "disease")
    assert "dates or times" in fit(table.with_columns(day=pl.date(2020, 1, 1)))
    assert "missing in some rows" in fit(table.with_columns(pl.lit(None).alias("outcome")))
    assert "no rows" in fit(table.head(0))
    assert "all weigh the same" in fit(table, sample_weight="weight")
    assert "not a finite number" in fit(table.with_columns(age=pl.lit(float("inf"))))
    alike = pl.DataFrame({"a": [0, 1] * 1000, "outcome": ([0] * 3 + [1]) * 500})
    assert "too much alike" in fit(alike)


def test_narwhals_frames_themselves_are_taken():
    table = random_cases(0)
    frame = nw.from_native(table.drop("weight", "patient", "id").lazy())
    assert ScoringListClassifier(**SHORT).fit(frame, "outcome").questions_

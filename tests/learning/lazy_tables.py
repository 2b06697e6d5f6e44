"""The same cases in memory and in each engine, and what is learned from either."""

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
import pytest

from scorecard import ScoringListClassifier


def random_cases(seed, cases=None):
    """Numbers with ties and gaps, yes/no, categories; an outcome and groups."""
    rng = np.random.default_rng(seed)
    cases = cases or int(rng.integers(60, 200))
    steady = rng.normal(size=cases)
    columns = {
        "age": rng.integers(20, 90, cases).astype(float),
        "lab": np.round(np.exp(steady), 2),
        "flag": (rng.random(cases) < 0.4).astype(float),
        "site": rng.choice(["a", "b", "c c", "d'e"], cases).astype(object),
    }
    odds = 0.04 * (columns["age"] - 55) + steady + (columns["site"] == "b") + columns["flag"] - 0.5
    y = (rng.random(cases) < 1 / (1 + np.exp(-odds))).astype(int)
    y[:2] = 0, 1
    for name, values in columns.items():
        gone = rng.random(cases) < rng.choice([0.0, 0.1, 0.3])
        columns[name] = [None if out else value for value, out in zip(values, gone, strict=True)]
    columns["outcome"] = y
    columns["weight"] = rng.integers(1, 4, cases).astype(float)
    columns["patient"] = rng.integers(0, cases // 2, cases)
    columns["id"] = np.arange(cases) * 7 + 3
    return pl.DataFrame(columns, strict=False)


SHORT = {"max_questions": 3, "folds": 2}
OPTIONS = [
    {},
    {"groups": "patient"},
    {"keys": "id"},
    {"missing": "mode"},
    {"missing": "question"},
    {"held_out": 0.3},
    {"evidence": "training", "folds": None},
    {"cutoffs": 4},
    {"cutoffs": "exact"},
    {"fixed": [("age", 2), "site"]},
]

EXTRA = ("weight", "patient", "id")


def in_memory(table, *, groups=None, keys="values", **options):
    inputs = table.drop("outcome", *EXTRA)
    return ScoringListClassifier(**options).fit(
        inputs,
        table["outcome"].to_numpy(),
        groups=None if groups is None else table[groups].to_numpy(),
        keys=keys if keys == "values" else table[keys].to_numpy(),
    )


def by_engine(frame, *, groups=None, keys="values", **options):
    """`frame` is a narwhals frame, so that columns can be left out in any engine."""
    used = (groups, keys)
    frame = frame.drop([name for name in EXTRA if name not in used])
    return ScoringListClassifier(**options).fit(
        frame.to_native(),
        "outcome",
        groups=groups,
        keys=None if keys == "values" else keys,
    )


def polars_frame(table):
    return nw.from_native(table.lazy())


def duckdb_frame(table):
    connection = pytest.importorskip("duckdb").connect()
    connection.register("some_cases", table)
    return nw.from_native(connection.table("some_cases"))


def sqlframe_frame(table):
    connection = pytest.importorskip("duckdb").connect()
    connection.register("given", table)
    connection.execute("CREATE TABLE some_cases AS FROM given")
    kind = pytest.importorskip("sqlframe.duckdb").DuckDBSession
    kind().stop()  # else this is the session of the table before, with its connection
    session = kind(connection)
    return nw.from_native(session.table("some_cases"))


def spark_session():
    sql = pytest.importorskip("pyspark.sql")
    return (
        sql.SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.memory", "2g")
        .config("spark.sql.shuffle.partitions", "2")
        .getOrCreate()
    )


def pyspark_frame(table):
    session = spark_session()
    kinds = {pl.Float64: "double", pl.Int64: "bigint", pl.String: "string", pl.Boolean: "boolean"}
    schema = ", ".join(f"`{name}` {kinds[kind]}" for name, kind in table.schema.items())
    return nw.from_native(session.createDataFrame(table.rows(), schema))


ENGINES = {
    "polars": polars_frame,
    "duckdb": duckdb_frame,
    "sqlframe": sqlframe_frame,
    "pyspark": pyspark_frame,
}

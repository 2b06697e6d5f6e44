"""Learning where the data are: time and memory by rows, DuckDB on Parquet, 20 inputs.

`python -m tests.benchmarks.warehouse 1000000 10000000` measures these numbers of rows, each in a
process of its own. Up to a million, the same table is also learned from in memory. For the engine
it says where the time goes: queries of each kind, rows that they return, seconds of CPU.

`python -m tests.benchmarks.warehouse --equal 50 polars duckdb` learns from so many random tables
with ties, gaps, categories and groups, from breast cancer and ILPD, in memory and by the
engines; `--equal 10-20` are some of the random ones. SQLFrame and Spark, which take seconds to
write and plan a query, learn shorter lists.

With `--learn FILE spark` Spark learns from a Parquet file, and tells how many jobs it had.
"""

import resource
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

HELD_IN_MEMORY, THREADS = 1_000_000, 2
ILPD = Path(__file__).parents[3] / "shared" / "data" / "ilpd.csv"


def make(file: Path, rows: int) -> None:
    """Ten measured values (4 in 100 unknown), five whole numbers, three yes/no, two categories."""
    import duckdb

    connection = duckdb.connect()
    connection.execute("SET threads=2; SET memory_limit='1GB'; SELECT setseed(0.5)")
    numbers = [f"CASE WHEN hash(i, {j}) % 25 = 0 THEN NULL ELSE r{j} * {j + 1} END AS lab{j}"
               for j in range(10)]  # fmt: skip
    whole = [f"(hash(i, {20 + j}) % 80)::INTEGER AS whole{j}" for j in range(5)]
    flags = [f"hash(i, {40 + j}) % 10 < 3 AS flag{j}" for j in range(3)]
    texts = [f"'kind ' || (hash(i, {60 + j}) % 4) AS text{j}" for j in range(2)]
    draws = ", ".join(f"(hash(i, {80 + j}) % 1000003) / 1000003.0 AS r{j}" for j in range(10))
    odds = "3 * r0 + 2 * r1 + (hash(i, 20) % 80) / 40.0 + (hash(i, 40) % 10 < 3)::INTEGER - 5"
    outcome = f"(hash(i, 99) % 1000003) / 1000003.0 < 1 / (1 + exp(-({odds}))) AS outcome"
    connection.execute(
        f"COPY (SELECT i AS id, {', '.join([*numbers, *whole, *flags, *texts])}, {outcome} FROM"
        f" (SELECT i, {draws} FROM range({rows}) t(i))) TO '{file}' (FORMAT parquet)"
    )


def watched(jobs: Callable[[], int]) -> dict[str, list[float]]:
    """Queries, jobs, rows, bytes returned and seconds of CPU, by who asks, while learning."""
    from scorecard.learning import lazy, lazy_counts

    spent: dict[str, list[float]] = defaultdict(lambda: [0.0] * 5)
    collected, kept = lazy.collected, lazy_counts.SharedCounts._kept

    def timed(who, work, *given):
        cpu, before = time.process_time(), jobs()
        found = work(*given)
        arrays = list(found.values()) if isinstance(found, dict) else []
        rows, size = len(arrays[0]) if arrays else 0, sum(one.nbytes for one in arrays)
        now = 1, jobs() - before, rows, size, time.process_time() - cpu
        spent[who] = [one + more for one, more in zip(spent[who], now, strict=True)]
        return found

    for module in (lazy, lazy_counts):
        module.collected = lambda frame: timed(sys._getframe(1).f_code.co_name, collected, frame)
    lazy_counts.SharedCounts._kept = lambda self, frame: timed("_kept", kept, self, frame)
    return spent


def learn(file: Path, how: str) -> None:
    """Fit, and print CPU seconds, wall seconds and the peak of memory in MB."""
    import duckdb
    import polars as pl

    from scorecard import ScoringListClassifier
    from tests.learning.lazy_tables import spark_session

    duckdb.execute(f"SET memory_limit='700MB'; SET threads={THREADS}")
    session = spark_session() if how == "spark" else None
    tracker = session and session.sparkContext.statusTracker()
    spent = watched(lambda: len(tracker.getJobIdsForGroup()) if tracker else 0)
    model, cpu, wall = ScoringListClassifier(), time.process_time(), time.perf_counter()
    if how == "memory":
        table = pl.read_parquet(file)
        model.fit(table.drop("outcome", "id"), table["outcome"].to_numpy(), keys=table["id"])
    elif session:
        model.fit(session.read.parquet(str(file)), "outcome", keys="id")
    else:
        model.fit(duckdb.read_parquet(str(file)), "outcome", keys="id")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    asked = "; ".join(f"{one.input} {one.condition}: {one.points}" for one in model.questions_)
    print(f"{how:8} cpu {cpu:.1f} s  wall {wall:.1f} s  peak {peak} MB  {asked}", flush=True)
    evidence = sha256(repr((model.scoring_list_, model.losses_)).encode()).hexdigest()
    print(f"  the list with risks, evidence and losses: {evidence[:16]}", flush=True)
    for who, (queries, jobs, rows, size, seconds) in spent.items():
        told = f"{queries:4.0f} queries, {jobs:4.0f} jobs, {rows:11,.0f} rows, {size / 1e6:6.1f} MB"
        print(f"  {who:14} {told}, {seconds:.1f} s", flush=True)


def real_tables() -> Iterator[tuple[str, Any]]:
    import polars as pl
    from sklearn.datasets import load_breast_cancer

    tumours = load_breast_cancer()
    names = [str(name).replace(" ", "_") for name in tumours.feature_names]
    table = pl.DataFrame(tumours.data, names, orient="row")
    yield "breast cancer", table.with_columns(outcome=pl.Series(tumours.target == 0))
    if ILPD.exists():
        yield "ILPD", pl.read_csv(ILPD).rename({"liver_patient": "outcome"})
    else:
        print(f"ILPD skipped: there is no {ILPD}", flush=True)


SLOW = {"sqlframe": {"max_questions": 2, "folds": 2}, "pyspark": {"max_questions": 2, "folds": 2}}


def compare(first: int, stop: int, engines: list[str]) -> None:
    """Print which engines learn the list of memory, with its risks, evidence and losses."""
    import polars as pl

    from tests.learning import lazy_tables as tables

    ways = [*tables.OPTIONS, {"groups": "patient"}]
    given = [
        (f"table {seed}", tables.random_cases(seed), tables.SHORT | ways[seed % len(ways)])
        for seed in range(first, stop)
    ]
    for name, table in () if first else real_tables():
        extra = {one: pl.Series(range(table.height)) for one in tables.EXTRA}
        given.append((name, table.with_columns(**extra), {"keys": "id"}))
    for engine in engines:
        equal, cpu = 0, time.process_time()
        for name, table, usual in given:
            options = usual | SLOW.get(engine, {})
            if options.get("evidence") == "training":
                options["folds"] = None
            here = tables.in_memory(table, **options)
            there = tables.by_engine(tables.ENGINES[engine](table), **options)
            same = (there.scoring_list_, there.losses_) == (here.scoring_list_, here.losses_)
            equal += same
            if not same:
                print(f"{engine} differs in {name}, {options}", flush=True)
        cpu = time.process_time() - cpu
        print(f"{engine}: {equal} of {len(given)} equal to memory, {cpu:.0f} s of CPU", flush=True)


def main(sizes: list[int]) -> None:
    with TemporaryDirectory() as folder:
        for rows in sizes:
            file = Path(folder, "cases.parquet")
            make(file, rows)
            print(f"{rows:,} rows, {file.stat().st_size / 1e6:.0f} MB of Parquet", flush=True)
            for how in ("memory", "duckdb"):
                if how == "duckdb" or rows <= HELD_IN_MEMORY:
                    command = [sys.executable, "-m", __spec__.name, "--learn", str(file), how]
                    subprocess.run(command, check=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--learn"]:
        learn(Path(sys.argv[2]), sys.argv[3])
    elif sys.argv[1:2] == ["--equal"]:
        *first, stop = map(int, sys.argv[2].split("-"))
        compare(first[0] if first else 0, stop, sys.argv[3:])
    else:
        main([int(one) for one in sys.argv[1:]] or [100_000])

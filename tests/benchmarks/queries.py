"""The exported query in DuckDB beside a CASE that one would write by hand for the same list.

Both make a table of a million rows with numbers, or with numbers, words and booleans; they take
turns, and the least processor time of a few runs counts. What is written by hand knows no unknown
answer but NULL, gives a decision and a risk, and refuses nothing.

    python -m tests.benchmarks.queries [rows]
"""

from __future__ import annotations

import sys
import time

from scorecard.core.build_staircase import build_staircase
from scorecard.core.model import Condition, Question, Risk, ScoringList, Stage, possible_totals
from scorecard.core.policy import StoppingPolicy
from scorecard.forms.sql.make import make

RUNS = 7
NUMBERS = (Question("age", 2, Condition(">=", 65)), Question("crp", 1, Condition(">=", 50)))
MIXED = (*NUMBERS, Question("fever", 1), Question("diabetes", 1))
TABLE = """
CREATE TABLE cases AS SELECT i AS id, random() * 100 AS age,
  CASE WHEN random() < 0.9 THEN random() * 100 END AS crp,
  CASE WHEN random() < 0.5 THEN 'yes' ELSE 'no' END AS fever, random() < 0.3 AS diabetes
FROM range({rows}) t(i)
"""
ANSWERED = {
    "age": "CASE WHEN age >= 65 THEN 2 WHEN age < 65 THEN 0 END",
    "crp": "CASE WHEN crp >= 50 THEN 1 WHEN crp < 50 THEN 0 END",
    "fever": "CASE fever WHEN 'yes' THEN 1 WHEN 'no' THEN 0 END",
    "diabetes": "CASE WHEN diabetes THEN 1 WHEN NOT diabetes THEN 0 END",
}


def list_of(questions: tuple[Question, ...]) -> ScoringList:
    """A list whose risk rises evenly with the total."""
    points = [one.points for one in questions]
    stages = []
    for totals in possible_totals(points):
        risks = [Risk((total + 1) / (sum(points) + 2)) for total in totals]
        stages.append(Stage(totals, tuple(risks) if stages else (Risk(0.5),)))
    return ScoringList(questions, tuple(stages))


def by_hand(questions: tuple[Question, ...]) -> str:
    total = " + ".join(ANSWERED[one.input] for one in questions)
    last = list_of(questions).stages[-1]
    assert last is not None
    risks = " ".join(
        f"WHEN {value} THEN {risk.probability!r}e0"
        for value, risk in zip(last.totals, last.risks, strict=True)
    )
    return (
        "SELECT *, CASE WHEN total IS NULL THEN 'unknown' WHEN total <= 0 THEN 'rule out'"
        f" WHEN total >= {max(last.totals)} THEN 'rule in' ELSE 'undecided' END AS decision,"
        f" CASE total {risks} END AS risk FROM (SELECT *, {total} AS total FROM cases)"
    )


def main() -> None:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    try:
        import duckdb
    except ImportError:
        print("not run: DuckDB is not installed (pip install duckdb)")
        return
    connection = duckdb.connect()
    connection.execute("SET threads = 1")
    connection.execute(TABLE.format(rows=rows))
    for name, questions in (("two numbers", NUMBERS), ("numbers, words, booleans", MIXED)):
        policy = StoppingPolicy(0.2, 0.8, by="point")
        exported = make(build_staircase(list_of(questions), policy)).decode()
        found = {"by hand": by_hand(questions), "exported": exported}
        best = dict.fromkeys(found, float("inf"))
        for _ in range(RUNS):
            for kind, query in found.items():
                start = time.process_time()
                connection.execute(f"CREATE OR REPLACE TEMP TABLE result AS {query}")
                best[kind] = min(best[kind], time.process_time() - start)
        ratio = best["exported"] / best["by hand"]
        print(f"{name:<26} {rows:>9} rows  {best['exported']:.2f} s, {ratio:.1f} × by hand")


if __name__ == "__main__":
    main()

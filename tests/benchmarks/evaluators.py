"""Rows per second: the generated Python file, code by m2cgen, and `scorecard apply`.

m2cgen's code does the same arithmetic (compare, add points, look the risk up) inside the same loop
over a CSV file: read a row, take the six numbers, evaluate, write the row with the result. It knows
no stages, decisions, unknown answers or refusals.

    python -m tests.benchmarks.evaluators [rows]
"""

from __future__ import annotations

import csv
import math
import random
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from scorecard.core.build_staircase import build_staircase
from scorecard.core.model import Condition, Question, Risk, ScoringList, Stage, possible_totals
from scorecard.core.policy import StoppingPolicy
from scorecard.documents.json_document import write_list
from scorecard.forms.python.make import make

CUTOFFS = (65, 1.85, 35, 0.9, 120.5, 7)
POINTS = (2, 1, 3, 1, 2, 1)
RUNS = 7
YARDSTICK = "m2cgen 0.10 in the same loop"
LIMITS = ("--rule-out", "0.05", "--rule-in", "0.95")


def example() -> ScoringList:
    """Six numeric questions whose risk rises evenly with the total."""
    stages = []
    for number, totals in enumerate(possible_totals(POINTS)):
        risks = [Risk(0.3)] if not number else [Risk((t + 1) / (sum(POINTS) + 2)) for t in totals]
        stages.append(Stage(totals, tuple(risks)))
    questions = tuple(
        Question(f"x{number}", points, Condition(">=", cutoff))
        for number, (points, cutoff) in enumerate(zip(POINTS, CUTOFFS, strict=True))
    )
    return ScoringList(questions, tuple(stages))


def write_cases(path: Path, rows: int, digits: int) -> None:
    chance = random.Random(0)
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(["id", *(f"x{number}" for number in range(len(CUTOFFS)))])
        for row in range(rows):
            writer.writerow([row, *(round(chance.uniform(0, 2 * c), digits) for c in CUTOFFS)])


def m2cgen_function(scoring_list: ScoringList) -> Callable[[list[float]], float]:
    """The list as m2cgen writes it: the sum of the points, and a tree of totals."""
    from m2cgen import ast
    from m2cgen.interpreters import PythonInterpreter

    at_least, add = ast.CompOpType.GTE, ast.BinNumOpType.ADD
    total: Any = ast.NumVal(0)
    for place, question in enumerate(scoring_list.questions):
        reached = ast.CompExpr(
            ast.FeatureRef(place), ast.NumVal(question.condition.cutoff), at_least
        )
        gained = ast.IfExpr(reached, ast.NumVal(question.points), ast.NumVal(0))
        total = ast.BinNumExpr(total, gained, add)
    last = scoring_list.stages[-1]
    assert last is not None
    total = ast.IdExpr(total)  # worked out once
    risk: Any = ast.NumVal(last.risks[0].probability)
    for value, one in zip(last.totals[1:], last.risks[1:], strict=True):
        reached = ast.CompExpr(total, ast.NumVal(value), at_least)
        risk = ast.IfExpr(reached, ast.NumVal(one.probability), risk)
    names: dict[str, Any] = {}
    exec(PythonInterpreter().interpret(risk), names)
    score: Callable[[list[float]], float] = names["score"]
    return score


def run_m2cgen(score: Callable[[list[float]], float], table: Path, out: Path) -> None:
    with table.open(newline="", encoding="utf-8") as source, out.open("w", newline="") as target:
        rows, writer = csv.reader(source), csv.writer(target, lineterminator="\n")
        writer.writerow([*next(rows), "probability"])
        for row in rows:
            writer.writerow([*row, score([float(said) for said in row[1:]])])


@dataclass
class Pace:
    """The shortest time of a few runs, by the clock and on the processors."""

    wall: float = math.inf
    cpu: float = math.inf

    def note(self, run: Callable[[], object]) -> None:
        wall, cpu = time.perf_counter(), time.process_time()
        run()
        self.wall = min(self.wall, time.perf_counter() - wall)
        self.cpu = min(self.cpu, time.process_time() - cpu)


def paces(programs: dict[str, Callable[[], object]]) -> dict[str, Pace]:
    """They take turns, so that what else the machine does slows all of them alike."""
    found = {name: Pace() for name in programs}
    for _ in range(RUNS):
        for name, run in programs.items():
            found[name].note(run)
    return found


def measure(folder: Path, rows: int, digits: int) -> dict[str, Pace]:
    """How long the programs take, timed inside: without starting Python."""
    scoring_list = example()
    card, model, table = folder / "card.py", folder / "model.json", folder / "cases.csv"
    card.write_bytes(make(build_staircase(scoring_list, StoppingPolicy(0.05, 0.95, by="point"))))
    write_list(replace(scoring_list, policy=StoppingPolicy(by="point")), model)
    write_cases(table, rows, digits)
    names: dict[str, Any] = {"__name__": "card"}
    exec(compile(card.read_text(encoding="utf-8"), str(card), "exec"), names)

    def generated() -> None:
        text: Any = {"newline": "", "encoding": "utf-8"}
        with table.open(**text) as source, (folder / "out.csv").open("w", **text) as target:
            names["apply"](source, target)

    from scorecard.cli import run

    score = m2cgen_function(scoring_list)
    apply = ["apply", str(model), str(table), "-o", str(folder / "applied.csv"), *LIMITS]
    return paces(
        {
            YARDSTICK: lambda: run_m2cgen(score, table, folder / "m2cgen.csv"),
            "generated Python, CSV mode": generated,
            "scorecard apply": lambda: run(apply),
        }
    )


def main() -> None:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    try:
        import m2cgen  # noqa: F401
    except ImportError:
        print("not run: m2cgen is not installed (pip install m2cgen==0.10.0)")
        return
    for digits in (1, 12):
        with tempfile.TemporaryDirectory() as folder:
            found = measure(Path(folder), rows, digits)
        print(f"{rows} rows, six numbers of {digits} decimals")
        for name, pace in found.items():
            wall, cpu = found[YARDSTICK].wall / pace.wall, found[YARDSTICK].cpu / pace.cpu
            print(
                f"  {name:<30} {rows / pace.wall:>12,.0f} rows/s {wall:6.2f} ×,"
                f" {rows / pace.cpu:>12,.0f} rows per CPU second {cpu:6.2f} ×"
            )


if __name__ == "__main__":
    main()

"""How long an edit takes until its card is there, beside one plain fit of the same table.

    python -m tests.benchmarks.studio

What the page waits for is measured, without the browser: the list counted again, all that is shown
of it, and the card. An edit is to take no longer than a fit of 569 × 30, and 0.4 of it at 100,000.
"""

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import numpy as np
import polars as pl

from scorecard.cli.demo import breast_masses
from scorecard.project.learn import learn
from scorecard.project.recipe import Recipe, opened
from scorecard.studio.app import Asked, Shown, edit
from scorecard.studio.session import Session

TIMES = 7


def seconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def large(rows: int = 100_000, columns: int = 30) -> pl.DataFrame:
    chance = np.random.default_rng(0)
    values = chance.normal(size=(rows, columns)).round(4)
    risk = 1 / (1 + np.exp(1.5 - values[:, :5] @ np.array([1, 0.7, -0.5, 0.4, 0.3])))
    outcome = np.where(chance.random(rows) < risk, "yes", "no")
    return pl.DataFrame({f"x{j}": values[:, j] for j in range(columns)} | {"ill": outcome})


def measured(table: Path, outcome: str, positive: str) -> tuple[float, float]:
    """Seconds of a fit, and of an edit with its card."""
    recipe = Recipe(tables=(str(table),), outcome=outcome, positive=positive)
    fits = [seconds(lambda: learn(opened(recipe))) for _ in range(TIMES)]
    with Session() as session:
        session.open(str(table))
        session.choose_outcome(outcome, positive)
        session.learn()
        shown, edits = Shown(session), []
        row = next(at for at, one in enumerate(session.rows) if one.condition.cutoff is not None)
        for step in range(1, TIMES + 1):
            cutoff = session.rows[row].condition.cutoff * (1 + step / 1000)
            asked = Asked("cutoff", row, number=cutoff)
            edits.append(seconds(lambda asked=asked: (edit(shown, asked), shown.state())))
    return median(fits), median(edits)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        small, big = Path(folder, "small.csv"), Path(folder, "big.csv")
        small.write_bytes(breast_masses())
        large().write_csv(big)
        for table, outcome, positive in ((small, "diagnosis", "malignant"), (big, "ill", "yes")):
            fit, edited = measured(table, outcome, positive)
            print(f"{table.name}: fit {fit:.2f} s, edit {edited:.2f} s, ratio {edited / fit:.2f}")


if __name__ == "__main__":
    main()

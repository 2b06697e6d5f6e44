"""Invent the cases of the tutorial: sore throats that nobody ever had.

    python examples/tutorial/make_cases.py

writes `cases.csv` and `new-cases.csv` beside this file, the same on every machine. A formula says
who has strep, so that the page can show a clear example; nothing here says anything about patients.
"""

from __future__ import annotations

import csv
import math
import random
from pathlib import Path

COLUMNS = ("age", "temperature", "cough", "nodes", "exudate", "crp", "strep")
YES_NO = {True: "yes", False: "no"}


def cases(count: int, seed: int, shift: float = 0.0) -> list[list[str]]:
    """Invented rows; `shift` makes strep rarer or more frequent at the same signs."""
    chance = random.Random(seed)
    return [_case(chance, shift) for _ in range(count)]


def _case(chance: random.Random, shift: float) -> list[str]:
    age = 3 + int(60 * chance.random() ** 1.5)
    is_strep = chance.random() < _risk(-1.0 + shift + (0.8 if age < 15 else 0.0))
    temperature = chance.gauss(38.7 if is_strep else 37.4, 0.7)
    crp = math.exp(chance.gauss(4.1 if is_strep else 2.4, 0.8))
    cough = chance.random() < (0.12 if is_strep else 0.7)
    nodes = chance.random() < (0.85 if is_strep else 0.25)
    kinds = ("none", "patchy", "confluent")
    weights = (0.15, 0.4, 0.45) if is_strep else (0.72, 0.22, 0.06)
    exudate = chance.choices(kinds, weights)[0]
    return [
        str(age),
        "" if chance.random() < 0.04 else f"{temperature:.1f}",
        YES_NO[cough],
        YES_NO[nodes],
        exudate,
        "" if chance.random() < 0.15 else f"{crp:.0f}",
        YES_NO[is_strep],
    ]


def _risk(log_odds: float) -> float:
    return 1 / (1 + math.exp(-log_odds))


def write(path: Path, rows: list[list[str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerows([COLUMNS, *rows])


if __name__ == "__main__":
    folder = Path(__file__).parent
    write(folder / "cases.csv", cases(900, seed=1))
    write(folder / "new-cases.csv", cases(300, seed=2, shift=-0.5))

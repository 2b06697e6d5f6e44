"""How often a left-out number is outside what was seen, and how often one in a wrong unit is.

`python -m tests.benchmarks.units [ONLY]`: every numeric column of the real tables, each third left
out once; two thirds give the centiles. A factor can show in one number only where the numbers
differ by less than it, so what is caught is told of narrow columns as well, whose 99th centile is
less than five times the first.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np

from scorecard.core.evidence import Seen
from tests.benchmarks.real_tables import tables

FACTORS = (5, 10, 18, 88.4, 100)
FEWEST, FEWEST_LEFT_OUT, NARROW = 100, 30, 5


def columns(only: str) -> Iterator[np.ndarray]:
    for _, inputs, _ in tables(only):
        for column in inputs.T:
            if np.unique(column[~np.isnan(column)]).size > 2:
                yield column


def thirds(column: np.ndarray) -> Iterator[tuple[Seen, np.ndarray]]:
    place = np.arange(column.size) % 3
    for part in range(3):
        known, left_out = (
            one[~np.isnan(one)] for one in (column[place != part], column[place == part])
        )
        if known.size >= FEWEST and left_out.size >= FEWEST_LEFT_OUT and np.ptp(known) > 0:
            low, high = np.quantile(known, [0.01, 0.99], method="inverted_cdf")
            ends = map(float, (low, high, known.min(), known.max()))
            yield Seen("x", *ends), left_out


def outside(seen: Seen, numbers: np.ndarray) -> float:
    low, high = seen.within
    return float(((numbers < low) | (numbers > high)).mean())


def main(only: str = "") -> None:
    false, caught, narrow = [], [], []
    for column in columns(only):
        for seen, left_out in thirds(column):
            numbers = left_out[left_out != 0]  # nothing is nothing in any unit
            false.append(outside(seen, left_out))
            caught.append(
                [outside(seen, numbers * one) for factor in FACTORS for one in (factor, 1 / factor)]
            )
            narrow.append(seen.low > 0 and seen.high < NARROW * seen.low)
    shares, of = np.array(false), np.array(caught)
    print(f"{shares.size} thirds: {shares.mean():.2%} of the numbers are outside by mistake,")
    print(f"more than 1 % in {(shares > 0.01).mean():.1%}, at most {shares.max():.1%}")
    print("factor    all columns        narrow ones")
    for place, factor in enumerate(FACTORS):
        both = slice(2 * place, 2 * place + 2)
        told = [
            f"x {a:6.1%}  / {b:6.1%}" for a, b in (of[:, both].mean(0), of[narrow][:, both].mean(0))
        ]
        print(f"{factor:6g}    {'   '.join(told)}")


if __name__ == "__main__":
    main(*sys.argv[1:])

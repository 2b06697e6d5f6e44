"""Small tables for evaluations."""

import numpy as np
import polars as pl

from scorecard.tables.cases import read_cases


def cases(rows=150, seed=0, signal=2.0):
    """Two inputs that matter, one that does not, one category; outcome "ill"."""
    generator = np.random.default_rng(seed)
    age = generator.integers(20, 90, rows)
    smoker = generator.integers(0, 2, rows)
    kind = generator.choice(["a", "b", "c"], rows)
    score = signal * ((age > 55) + smoker - 1)
    ill = generator.random(rows) < 1 / (1 + np.exp(-score))
    frame = pl.DataFrame(
        {"age": age, "smoker": smoker, "kind": kind, "noise": generator.random(rows), "ill": ill}
    )
    return read_cases(frame, "ill")

"""The two losses of a stage, on the counts per total."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scorecard.learning import kernels
from scorecard.learning.counts import Floats

LOSSES = {"entropy": kernels.ENTROPY, "ranking": kernels.RANKING}

# Whole counts up to this are looked up; above, a logarithm is cheap beside what it is part of.
LOOKED_UP = 1 << 16


@lru_cache(maxsize=1)
def xlog2x_table() -> Floats:
    """x · log2 x for whole x."""
    x = np.arange(LOOKED_UP, dtype=np.float64)
    table = np.zeros(LOOKED_UP)
    table[1:] = x[1:] * np.log2(x[1:])
    return table


def expected_entropy(cases: NDArray[Any], positives: NDArray[Any]) -> float:
    """Expected entropy (base 2) of the isotonic estimates of these counts, totals ascending.

    Examples
    --------
    >>> round(expected_entropy([10, 10], [0, 5]), 9)
    0.5
    """
    n, p = _copy(cases), _copy(positives)
    total = float(n.sum())
    return float(kernels.entropy_bits(n, p, n.size, xlog2x_table())) / total


def soft_rank_loss(cases: NDArray[Any], positives: NDArray[Any]) -> float:
    """Share of positive-negative pairs ranked wrongly by their totals, ties counting half.

    Examples
    --------
    >>> soft_rank_loss([10, 10], [0, 5])
    0.16666666666666666
    """
    n, p = _copy(cases), _copy(positives)
    pairs = float(p.sum()) * float(n.sum() - p.sum())
    return float(kernels.misranked_pairs(n, p, n.size)) / pairs


def _copy(counts: NDArray[Any]) -> Floats:
    return np.array(counts, dtype=np.float64, order="C")

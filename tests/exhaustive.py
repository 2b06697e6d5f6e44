"""How many examples a test tries: a few in every run, the full count under `make exhaustive`."""

import os

import pytest

FEW = 20
EXHAUSTIVE = bool(os.environ.get("SCORECARD_EXHAUSTIVE"))


only_exhaustive = pytest.mark.skipif(not EXHAUSTIVE, reason="takes minutes: make exhaustive")


def many(count: int, few: int = FEW) -> int:
    """So many examples where there is time for all of them, else a few."""
    return count if EXHAUSTIVE else min(count, few)

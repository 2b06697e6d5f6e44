"""How many examples a test tries: a few in every run, the full count under `make exhaustive`."""

import os

FEW = 40
EXHAUSTIVE = bool(os.environ.get("SCORECARD_EXHAUSTIVE"))


def many(count: int, few: int = FEW) -> int:
    """So many examples where there is time for all of them, else a few."""
    return count if EXHAUSTIVE else min(count, few)

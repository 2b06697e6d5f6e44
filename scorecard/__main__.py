"""The command `scorecard`, and `python -m scorecard`."""

from __future__ import annotations

import gc
from collections.abc import Sequence

from scorecard.cli import run

SELDOM = 100_000  # new objects; while libraries load, looking for garbage more often finds none


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and leave with its exit code."""
    gc.set_threshold(SELDOM)
    raise SystemExit(run(arguments))


if __name__ == "__main__":
    main()

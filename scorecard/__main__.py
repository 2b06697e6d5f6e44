"""The command `scorecard`, and `python -m scorecard`."""

from __future__ import annotations

from collections.abc import Sequence

from scorecard.cli import run


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and leave with its exit code."""
    raise SystemExit(run(arguments))


if __name__ == "__main__":
    main()

"""CPU time of the paper's study: all configurations of the list, over its random splits.

    python -m tests.benchmarks.study [FOLDER]

FOLDER has the open tables of the paper (see examples/paper/README.md); without it the tables that
everybody has are used. Each table is printed with the seconds per configuration and together.
"""

import sys
import time

from examples.paper.datasets import available
from examples.paper.stagewise import CONFIGURATIONS, run


def main() -> None:
    for table in available(sys.argv[1] if len(sys.argv) > 1 else None):
        run(table.X[:80], table.y[:80], splits=1)  # compiled, imported
        seconds = {}
        for one in CONFIGURATIONS:
            start = time.process_time()
            run(table.X, table.y, (one,))
            seconds[one.name] = time.process_time() - start
        print(f"{table.name}: {table.X.shape[0]} cases, 100 splits")
        for name, spent in seconds.items():
            print(f"  {name:<32} {spent:6.1f} s")
        print(f"  {'together':<32} {sum(seconds.values()):6.1f} s")


if __name__ == "__main__":
    main()

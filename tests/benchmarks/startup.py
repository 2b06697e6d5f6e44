"""How long `scorecard --help` takes, as a multiple of `import click`, which every command needs.

python -m tests.benchmarks.startup
"""

import subprocess
import sys
import time

RUNS = 15
AT_MOST = 3.0


def main() -> None:
    click = [sys.executable, "-c", "import click"]
    command = [sys.executable, "-m", "scorecard", "--help"]
    # Taken in turn, so that a busy moment falls on both; the best of each is the program itself.
    pairs = [(seconds(click), seconds(command)) for _ in range(RUNS)]
    click_best, help_best = (min(times) for times in zip(*pairs, strict=True))
    ratio = help_best / click_best
    print(f"import click      {1000 * click_best:6.0f} ms")
    print(f"scorecard --help  {1000 * help_best:6.0f} ms")
    print(f"ratio             {ratio:6.2f}    (at most {AT_MOST})")
    sys.exit(ratio > AT_MOST)


def seconds(command: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


if __name__ == "__main__":
    main()

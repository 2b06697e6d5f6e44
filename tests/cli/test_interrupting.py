"""Ctrl-C while a list is being searched for."""

import signal
import subprocess
import sys
from pathlib import Path

import numpy as np

import scorecard.learning.kernels  # noqa: F401 - compiled here, so that nothing is said of it
from tests import processes

# Runs the command as it is, and leaves a mark once the second question is being searched for.
MARKED = """
import sys
from pathlib import Path
from scorecard.__main__ import main
from scorecard.learning.classifier import ScoringListClassifier

mark, *arguments = sys.argv[1:]
watch = ScoringListClassifier.watch

def marking(self, progress=None, announce=None):
    def told(stage, most):
        if stage == 1:
            Path(mark).touch()
        progress(stage, most)
    return watch(self, told, announce)

ScoringListClassifier.watch = marking
main(arguments)
"""


@processes.needs_interrupts
def test_interrupting_a_long_fit_is_one_line_and_leaves_no_file(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    values = np.column_stack([rng.random((2_000, 10)), rng.random(2_000) < 0.5])
    folder, table, mark = tmp_path / "out", tmp_path / "table.csv", tmp_path / "mark"
    folder.mkdir()
    header = ",".join([*(f"x{j}" for j in range(10)), "ill"])
    np.savetxt(table, values, delimiter=",", header=header, comments="", fmt=["%.6f"] * 10 + ["%d"])
    fit = ["fit", table, "--outcome", "ill", "--beam", "2000", "-o", folder / "model.json"]
    with processes.started(
        [sys.executable, "-c", MARKED, mark, *fit],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        processes.wait_until(mark.exists, process)
        process.send_signal(signal.SIGINT)
        said, complaint = processes.rest_of(process)
    assert mark.exists(), complaint
    assert (process.returncode, said) == (130, "")
    assert complaint.strip() == "Stopped; nothing was written."
    assert list(folder.iterdir()) == []

"""Ctrl-C while a list is being searched for."""

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from tests import processes

# Runs the command as it is, and leaves a mark once the second question is being searched for.
MARKED = """
import sys
from pathlib import Path
from scorecard.__main__ import main
from scorecard.learning.learner import ListLearner

mark, *arguments = sys.argv[1:]
start = ListLearner.__init__

def marking(self, settings, progress=None):
    def told(stage, most):
        if stage == 1:
            Path(mark).touch()
        progress(stage, most)
    start(self, settings, told)

ListLearner.__init__ = marking
main(arguments)
"""


@processes.needs_interrupts
def test_interrupting_a_long_fit_is_one_line_and_leaves_no_file(tmp_path: Path) -> None:
    _write_table(tmp_path / "table.csv")
    folder = tmp_path / "out"
    folder.mkdir()
    fit = ["fit", tmp_path / "table.csv", "--outcome", "ill"]
    _interrupted([*fit, "-o", folder / "model.json"], tmp_path)
    assert list(folder.iterdir()) == []


@processes.needs_interrupts
def test_interrupting_a_database_leaves_nothing_in_it_and_no_temporary_file(tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    _write_table(tmp_path / "table.csv")
    connection = duckdb.connect(str(tmp_path / "cases.duckdb"))
    connection.execute("CREATE TABLE cases AS FROM read_csv(?)", [str(tmp_path / "table.csv")])
    connection.close()
    before = (tmp_path / "cases.duckdb").read_bytes()
    folder = tmp_path / "out"
    folder.mkdir()
    fit = ["fit", tmp_path / "cases.duckdb", "--sql", "FROM cases", "--outcome", "ill"]
    _interrupted([*fit, "-o", folder / "model.json"], tmp_path, TMPDIR=folder)
    assert list(folder.iterdir()) == []
    assert (tmp_path / "cases.duckdb").read_bytes() == before


def _write_table(file: Path) -> None:
    rng = np.random.default_rng(0)
    values = np.column_stack([rng.random((20_000, 10)), rng.random(20_000) < 0.5])
    header = ",".join([*(f"x{j}" for j in range(10)), "ill"])
    np.savetxt(file, values, delimiter=",", header=header, comments="", fmt=["%.6f"] * 10 + ["%d"])


def _interrupted(fit: Sequence[str | Path], folder: Path, **environment: Path) -> None:
    """Ctrl-C while the second question is searched for; it is told in one line."""
    mark = folder / "mark"
    with processes.started(
        [sys.executable, "-c", MARKED, mark, *fit],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env={**os.environ, **{name: str(path) for name, path in environment.items()}},
    ) as process:
        processes.wait_until(mark.exists, process)
        process.send_signal(signal.SIGINT)
        said, complaint = processes.rest_of(process)
    assert mark.exists(), complaint
    assert (process.returncode, said) == (130, "")
    assert complaint.strip() == "Stopped; nothing was written."

"""Nothing ends in a traceback: streams that are gone, files that are damaged, faults of our own."""

import os
import sys
from pathlib import Path

import polars as pl
import pytest

from tests import processes
from tests.cli.conftest import Run

SHOW = (sys.executable, "-m", "scorecard", "show")


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (ZeroDivisionError("division by zero"), 3, "Error: a fault of scorecard itself (ZeroDivis"),
        (RecursionError("too\ndeep"), 3, "(RecursionError: too deep)"),
        (MemoryError(), 1, "Error: there is not enough memory for this; use a smaller file."),
        (OSError(28, "No space left on device"), 1, "Error: No space left on device; the output"),
    ],
)
def test_what_nobody_has_foreseen_is_one_line(
    run: Run,
    table_1: Path,
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
    code: int,
    line: str,
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("scorecard.documents.json_document.read_list", broken)
    monkeypatch.setattr("scorecard.cli._leave_the_pipe", lambda: 1)
    done = run("show", table_1)
    assert (done.code, done.err.count("\n")) == (code, 1)
    assert line in done.err
    if code == 3:
        assert "with --verbose and send what it says" in done.err
        assert "Traceback" in run("show", table_1, "--verbose").err


@pytest.mark.skipif(os.name == "nt", reason="streams are closed differently on Windows")
@pytest.mark.parametrize(
    ("closing", "code", "complaint"),
    [
        (">&-", 0, ""),
        (">/dev/null 2>&-", 0, ""),
        ("<&- >/dev/null", 0, ""),
        pytest.param(
            ">/dev/full",
            1,
            "Error: No space left on device; the output could not be written.\n",
            marks=pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here"),
        ),
    ],
)
def test_streams_that_are_gone(table_1: Path, closing: str, code: int, complaint: str) -> None:
    words = " ".join(f"'{word}'" for word in (*SHOW, table_1))
    shell = ["sh", "-c", f"{words} {closing}"]
    done = processes.run(shell, capture_output=True, encoding="utf-8")
    assert (done.returncode, done.stderr) == (code, complaint)


def test_damaged_parquet_is_one_line_without_a_backtrace(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    pl.DataFrame({"a": [1.5, 2.5] * 50, "ill": [0, 1] * 50}).write_parquet(path)
    content = bytearray(path.read_bytes())
    content[len(content) // 2 : len(content) // 2 + 20] = b"\xff" * 20
    path.write_bytes(content)
    fit = [sys.executable, "-m", "scorecard", "fit", path, "--outcome", "ill"]
    done = processes.run(fit, capture_output=True, encoding="utf-8", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith("Error: t.parquet cannot be read as Parquet: ")
    assert done.stderr.count("\n") == 1

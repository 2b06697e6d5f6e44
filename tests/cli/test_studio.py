"""`scorecard studio`: its address, what it begins with, and how it ends."""

import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from tests import processes
from tests.cli.conftest import Run

SERVED = "scorecard.studio.serve.serve"

pytest.importorskip("uvicorn", reason='python -m pip install "psl-scorecard[studio]"')


@pytest.fixture
def table(tmp_path: Path) -> Path:
    file = tmp_path / "cases.csv"
    file.write_text("age,ill\n" + "\n".join(f"{one},yes\n{one},no" for one in range(30)))
    return file


def test_the_address_is_told_and_the_table_is_there(
    run: Run, monkeypatch: pytest.MonkeyPatch, table: Path
) -> None:
    seen: list[Any] = []

    def serve(session: Any, tell: Any, *, browser: bool) -> None:
        tell("http://127.0.0.1:1/#key")
        seen.extend([session.project.recipe.tables, browser, session.folder])

    monkeypatch.setattr(SERVED, serve)
    done = run("studio", table, "--no-browser")
    assert (done.code, done.out.splitlines()[0]) == (0, "http://127.0.0.1:1/#key")
    assert seen[:2] == [(str(table),), False]
    assert not seen[2].exists()


def test_what_cannot_be_opened_is_refused(run: Run, tmp_path: Path) -> None:
    done = run("studio", tmp_path / "nothing.csv")
    assert (done.code, done.out) == (1, "")
    assert "cannot be read" in done.err
    (tmp_path / "list.toml").write_text("[[questions]]")
    assert "not a card.toml" in run("studio", tmp_path / "list.toml").err


def test_without_the_extra_it_says_what_to_install(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [one for one in sys.modules if one.startswith("scorecard.studio")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    done = run("studio")
    assert done.code == 1
    assert 'pip install "psl-scorecard[studio]"' in done.err


ENDS = """
import os, signal, sys, threading, time, urllib.request
from scorecard.__main__ import main
from scorecard.studio import serve
run = serve.Listening.run
def ended(self):
    def end():
        while not self.server.started:
            time.sleep(0.01)
        urllib.request.urlopen(self.address.partition("#")[0]).read()
        os.kill(os.getpid(), {signal})
    threading.Thread(target=end).start()
    run(self)
serve.Listening.run = ended
main(["studio", "--no-browser", {table!r}])
"""


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_it_ends_with_its_terminal_and_leaves_nothing(
    name: str, table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not hasattr(signal, name):
        pytest.skip(f"{name} is not known here")
    (tmp_path / "temporary").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    code = ENDS.format(signal=int(getattr(signal, name)), table=str(table))
    done = processes.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    assert "nothing of it is kept" in done.stdout + done.stderr
    assert list((tmp_path / "temporary").glob("scorecard-*")) == []

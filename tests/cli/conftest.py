"""Running the command line as a user does, in this process."""

from collections.abc import Callable
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

import pytest

from scorecard.__main__ import main
from scorecard.documents.json_document import write_list
from tests.lists import TABLE_1, by_point


@dataclass(frozen=True)
class Done:
    """What a command left behind."""

    code: int
    out: str
    err: str


Run = Callable[..., Done]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("COLUMNS", "80")

    def run(*arguments: object, stdin: str = "") -> Done:
        monkeypatch.setattr("sys.stdin", StringIO(stdin))
        with pytest.raises(SystemExit) as stop:
            main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        assert isinstance(stop.value.code, int)
        return Done(stop.value.code, captured.out, captured.err)

    return run


@pytest.fixture
def table_1(tmp_path: Path) -> Path:
    path = tmp_path / "table-1.json"
    write_list(by_point(TABLE_1), path)
    return path

import json
from pathlib import Path

import pytest

from scorecard.documents.json_document import content_hash
from tests.cli.conftest import Run
from tests.lists import TABLE_1, by_point


def test_a_good_file_is_ok_with_its_hash(run: Run, table_1: Path) -> None:
    done = run("validate", table_1)
    assert done.code == 0
    assert done.out == f"ok: Table 1, 4 questions, sha256 {content_hash(by_point(TABLE_1))}\n"


def test_every_fault_has_its_line(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(
        'title = "Bad"\n'
        '[[questions]]\nask = "a"\npoints = 0\n'
        '[[questions]]\nask = "b"\npoints = "two"\n'
        "[risks]\n0 = 0.5\n1 = 3\n"
    )
    done = run("validate", path)
    assert done.code == 1
    assert len(done.out.splitlines()) >= 3
    assert "Traceback" not in done.err


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("bad.json", '{"format": ', "line 1, column 12: this is not JSON"),
        ("bad.toml", "title = ", "this is not TOML"),
    ],
)
def test_what_cannot_be_parsed_is_refused_with_its_name(
    run: Run, tmp_path: Path, name: str, content: str, said: str
) -> None:
    path = tmp_path / name
    path.write_text(content)
    done = run("validate", path)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith(f"Error: {path}: {said}")
    assert run("validate", tmp_path / "none.json").err.startswith("Error: ")


def test_a_changed_file_is_told(run: Run, table_1: Path) -> None:
    document = json.loads(table_1.read_text())
    table_1.write_text(json.dumps(document).replace("0.3", "0.31"))
    done = run("validate", table_1)
    assert done.code == 1
    assert done.out.count("\n") == 1

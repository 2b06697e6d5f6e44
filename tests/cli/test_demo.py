from pathlib import Path

from tests.cli.conftest import Run


def test_the_demo_writes_its_files_and_says_each_step(run: Run, tmp_path: Path) -> None:
    done = run("demo", "--out-dir", tmp_path / "new" / "folder")
    assert done.code == 0, done.err
    steps = [line.split()[2] for line in done.out.splitlines() if line.startswith("$ scorecard ")]
    assert steps == ["validate", "show", "apply"]
    names = sorted(file.name for file in (tmp_path / "new" / "folder").iterdir())
    assert names == ["decided.csv", "patients.csv", "throat.json", "throat.toml"]


def test_a_folder_that_cannot_be_made_is_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = run("demo", "--out-dir", tmp_path / "file" / "below")
    assert done.code == 1
    assert "cannot be created" in done.err

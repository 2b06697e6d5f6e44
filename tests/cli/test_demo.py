from pathlib import Path

import pytest

import scorecard
from scorecard.cli.demo import FILES, PICTURES
from scorecard.core.build_staircase import build_staircase
from scorecard.documents.json_document import read_list
from tests.cli.conftest import Run


@pytest.mark.usefixtures("pango")
def test_the_demo_writes_its_files_and_says_each_step(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    done = run("demo", "--out-dir", folder)
    assert done.code == 0, done.err
    made = [line.split()[2:] for line in done.out.splitlines() if line.startswith("made  ")]
    assert [words[0].strip(",") for words in made] == (
        ["learned", "the", *["card"] * 6, "handout", *["export"] * 5, "report"]
    )
    names = {file.name for file in folder.iterdir() if file.is_file()}
    assert names == {*FILES, *PICTURES}
    assert all(name in done.out for name in FILES)
    staircase = build_staircase(read_list(folder / "model.json"))
    assert staircase.cross_validated is not None
    assert staircase.cross_validated.share_decided >= 2 / 3


def test_the_samples_are_of_this_version(root: Path) -> None:
    """Every file names the version that made it: renew them with the number (make demo)."""
    made_by = dict(read_list(root / "output" / "model.json").provenance)["psl-scorecard"]
    assert made_by == scorecard.__version__


def test_a_folder_that_cannot_be_made_is_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = run("demo", "--out-dir", tmp_path / "file" / "below")
    assert done.code == 1
    assert "cannot be created" in done.err

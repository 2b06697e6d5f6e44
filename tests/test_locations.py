from pathlib import Path

import pytest

from scorecard.errors import ScorecardError
from scorecard.locations import templates_folder


def with_readme(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "README.md").write_text("what a template may use", encoding="utf-8")
    return folder


def test_here_it_is_the_folder_at_the_top(root: Path) -> None:
    assert templates_folder() == root / "templates"


def test_inside_the_package_comes_first(tmp_path: Path) -> None:
    inside = with_readme(tmp_path / "scorecard" / "templates")
    with_readme(tmp_path / "templates")
    assert templates_folder(tmp_path / "scorecard") == inside


def test_beside_the_package_comes_second(tmp_path: Path) -> None:
    beside = with_readme(tmp_path / "templates")
    assert templates_folder(tmp_path / "scorecard") == beside


def test_a_strangers_folder_is_not_taken(tmp_path: Path) -> None:
    (tmp_path / "templates").mkdir()
    with pytest.raises(ScorecardError, match="in neither: install psl-scorecard again") as caught:
        templates_folder(tmp_path / "scorecard")
    assert "\n" not in str(caught.value)

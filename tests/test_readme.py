"""The README's blocks are run, in order, in a folder that holds a copy of the examples.

How they are run is in `tests/pages.py`. Of `make …` it is checked that there is such
a target.
"""

import re
import shutil
from pathlib import Path

import pytest

from scorecard import __version__
from scorecard.cli import COMMANDS
from tests.pages import SHELL, read_blocks, run_all


@pytest.fixture(scope="module")
def readme(root: Path) -> str:
    return (root / "README.md").read_text(encoding="utf-8")


def test_the_readme_does_what_it_says(root: Path, tmp_path: Path) -> None:
    shutil.copytree(root / "examples", tmp_path / "examples")
    blocks = read_blocks(root / "README.md")
    runnable = {block.language for block in blocks} & (SHELL | {"console"})
    assert runnable, "README.md has no sh or console block: nothing was tried"
    run_all(blocks, tmp_path)


def test_every_make_target_in_the_readme_exists(readme: str, root: Path) -> None:
    targets = set(re.findall(r"^([a-z]+):", (root / "Makefile").read_text(encoding="utf-8"), re.M))
    named = set(re.findall(r"(?:`|^(?:\$ )?)make ([a-z]+)", readme, re.M))
    assert named <= targets


def test_every_command_stands_in_the_table_of_commands(readme: str) -> None:
    table = readme[readme.index("| command |") :].split("\n\n")[0]
    assert set(re.findall(r"^\| `(\w+)` \|", table, re.M)) == set(COMMANDS)


def test_the_citation_names_this_version(readme: str) -> None:
    assert f"version = {{{__version__}}}," in readme

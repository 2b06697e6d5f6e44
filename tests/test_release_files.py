"""What others package and cite by: citation file, conda recipe, Dockerfile, article."""

import json
import re
import shutil
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

from scorecard import __version__
from tests import processes

yaml = pytest.importorskip("yaml", reason="the files are not read: pip install pyyaml")

# Of other names there, or packed along because there is no such package.
CONDA_NAMES = {"matplotlib": "matplotlib-base", "font-source-sans-pro": None}


@pytest.fixture(scope="module")
def project(root: Path) -> dict[str, Any]:
    found: dict[str, Any] = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    return found


def read_yaml(file: Path) -> Any:
    return yaml.safe_load(file.read_text(encoding="utf-8"))


def test_the_citation_file_is_of_this_version_and_says_what_the_readme_says(root: Path) -> None:
    cited = read_yaml(root / "CITATION.cff")
    readme = (root / "README.md").read_text(encoding="utf-8")
    deposited = json.loads((root / ".zenodo.json").read_text(encoding="utf-8"))
    assert cited["version"] == __version__
    assert cited["title"] == deposited["title"]
    assert cited["license"] == deposited["license"]
    assert [one["name"] for one in deposited["creators"]] == [cited["authors"][0]["name"]]
    (method,) = cited["references"]
    assert f"doi     = {{{method['doi']}}}" in readme
    assert all(one["family-names"][0] in readme for one in method["authors"])


def test_the_conda_recipe_asks_for_what_the_wheel_asks_for(
    root: Path, project: dict[str, Any]
) -> None:
    recipe = read_yaml(root / ".ci" / "conda" / "recipe.yaml")
    asked, about = recipe["requirements"], project["project"]
    python = asked["run"].pop(0).replace("${{ python_min }}", recipe["context"]["python_min"])
    assert python == f"python {about['requires-python']}"
    assert asked["run"] == in_conda(about["dependencies"])
    assert asked["run_constraints"] == in_conda(about["optional-dependencies"]["learn"])
    assert in_conda(project["build-system"]["requires"])[0] in asked["host"]
    assert recipe["context"]["version"] == __version__
    ((name, entry),) = about["scripts"].items()
    assert recipe["build"]["python"]["entry_points"] == [f"{name} = {entry}"]


def in_conda(requirements: list[str]) -> list[str]:
    parsed = [Requirement(one) for one in requirements]
    names = {one.name: CONDA_NAMES.get(one.name, one.name) for one in parsed}
    return [f"{names[one.name]} {one.specifier}" for one in parsed if names[one.name]]


def test_the_container_is_built_from_all_it_takes(root: Path, tmp_path: Path) -> None:
    """Its copied files alone make the wheel; Docker itself is not needed to see this."""
    steps = (root / ".ci" / "Dockerfile").read_text(encoding="utf-8")
    for line in re.findall(r"^COPY (?!--)(.*)$", steps, re.M):
        *sources, target = line.split()
        for source in sources:
            place = tmp_path / (source if target == "./" else target)
            place.parent.mkdir(parents=True, exist_ok=True)
            copy = shutil.copytree if (root / source).is_dir() else shutil.copy
            copy(root / source, place)
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", "made", "."]
    done = processes.run(build, cwd=tmp_path, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = (tmp_path / "made").glob("*.whl")
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    templates = {f"scorecard/templates/{one}" for one in files_below(root / "templates")}
    modules = {f"scorecard/{one}" for one in files_below(root / "scorecard")}
    assert names == templates | modules | {"scorecard/examples/demo/card.toml"}


def files_below(folder: Path) -> set[str]:
    files = (file for file in folder.rglob("*") if file.is_file())
    return {
        file.relative_to(folder).as_posix() for file in files if "__pycache__" not in file.parts
    }


def test_the_container_has_the_libraries_that_print(root: Path) -> None:
    steps = (root / ".ci" / "Dockerfile").read_text(encoding="utf-8")
    setup = (root / ".ci" / "bootstrap.py").read_text(encoding="utf-8")
    named = re.search(r"^DEBIAN_PACKAGES = \((.*)\)$", setup, re.M)
    assert named
    packages = re.findall(r'"([^"]+)"', named[1])
    assert packages
    assert set(packages) <= set(steps.split())


def test_the_article_cites_what_it_lists(root: Path) -> None:
    folder = root / "examples" / "joss"
    text = (folder / "paper.md").read_text(encoding="utf-8")
    listed = re.findall(r"^@\w+\{(\w+),", (folder / "paper.bib").read_text(encoding="utf-8"), re.M)
    assert set(re.findall(r"@(\w+)\]", text)) == set(listed)
    assert 250 <= len(text.split()) <= 1750

"""What people install: the wheel, in an environment that holds nothing but what it asks for.

Building goes the way a release goes (source archive first, wheel from the archive), so a file that
is missing from the archive is missed here.
"""

import os
import re
import shutil
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib.metadata import Distribution, distribution, distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from scorecard.errors import LEARNING
from tests import processes

DEVELOPMENT_ONLY = ("build", "hypothesis", "mypy", "pandas", "pyarrow", "pytest", "ruff")
FIND_TEMPLATES = "from scorecard.files import templates_folder as f; print(f())"


@dataclass(frozen=True)
class Installed:
    """The empty environment with the wheel in it."""

    wheel: Path
    archive: Path
    python: Path
    command: Path
    elsewhere: Path

    def run(self, *command: str | Path, cwd: Path | None = None, **variables: str) -> str:
        done = processes.run(
            [str(part) for part in command],
            cwd=cwd or self.elsewhere,
            env=plain_environment() | variables,
            capture_output=True,
            encoding="utf-8",
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


def plain_environment() -> dict[str, str]:
    """The environment of a user: nothing that could lead back to this checkout."""
    ours = ("PYTHON", "VIRTUAL_ENV", "PYTEST", "COV_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return {**kept, "PYTHONUTF8": "1"}


@pytest.fixture(scope="module")
def installed(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    folder = tmp_path_factory.mktemp("installed")
    dist, environment, elsewhere = (folder / name for name in ("dist", "environment", "elsewhere"))
    elsewhere.mkdir()
    checked(sys.executable, "-m", "build", "--no-isolation", "--outdir", dist, root)
    wheel, archive = next(dist.glob("*.whl")), next(dist.glob("*.tar.gz"))
    python, command = environment_with(wheel, environment, {"learn"})
    return Installed(wheel, archive, python, command, elsewhere)


@pytest.fixture(scope="module")
def printing_only(installed: Installed, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The wheel without any extra: for those who print lists that others have learned."""
    environment = tmp_path_factory.mktemp("printing") / "environment"
    python, command = environment_with(installed.wheel, environment, set())
    return replace(installed, python=python, command=command)


def environment_with(wheel: Path, environment: Path, extras: set[str]) -> tuple[Path, Path]:
    """Its Python and its `scorecard`."""
    checked(sys.executable, "-m", "venv", "--without-pip", environment)
    bin_folder = environment / ("Scripts" if os.name == "nt" else "bin")
    suffix = ".exe" if os.name == "nt" else ""
    python = bin_folder / f"python{suffix}"
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", python)
    checked(*pip, "install", "--quiet", "--no-compile", "--no-deps", "--no-index", wheel)
    packages = next(environment.rglob("site-packages"))
    link_what_is_needed(packages, extras)
    return python, bin_folder / f"scorecard{suffix}"


def link_what_is_needed(packages: Path, extras: set[str]) -> None:
    """What the wheel asks for, as it is installed here: `make setup` has tried the downloading."""
    (wheel,) = distributions(path=[str(packages)])
    asked, done = [*applying(wheel, {"", *extras})], set()
    while asked:
        requirement = asked.pop()
        found = distribution(requirement.name)
        assert requirement.specifier.contains(found.version, prereleases=True), requirement
        if str(requirement) not in done:
            asked += applying(found, requirement.extras or {""})
        done.add(str(requirement))
        for top in {file.parts[0] for file in found.files or ()} - {"..", "__pycache__"}:
            if not (packages / top).exists():
                (packages / top).symlink_to(Path(str(found.locate_file(top))))


def applying(asking: Distribution, extras: set[str]) -> Iterator[Requirement]:
    for requirement in map(Requirement, asking.requires or ()):
        marker = requirement.marker
        if marker is None or any(marker.evaluate({"extra": extra}) for extra in extras):
            yield requirement


def checked(*command: str | Path) -> None:
    done = processes.run(
        [str(part) for part in command],
        env=plain_environment(),
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_top_folder_stays_short(root: Path) -> None:
    kept = {"scorecard", "templates", "tests", "examples", "output"}
    files = {"pyproject.toml", "README.md", "Makefile", "LICENSE", "CHANGELOG.md", "CITATION.cff"}
    made_by_building = {"build", "dist", "PKG-INFO"}
    present = {path.name for path in root.iterdir() if not path.name.startswith(".")}
    assert present - made_by_building <= kept | files


def test_the_environment_is_without_development_tools(installed: Installed) -> None:
    code = f"import importlib.util as u; print([m for m in {DEVELOPMENT_ONLY} if u.find_spec(m)])"
    assert installed.run(installed.python, "-c", code).strip() == "[]"


def test_the_package_is_the_installed_one(installed: Installed) -> None:
    place = installed.run(installed.python, "-c", "import scorecard; print(scorecard.__file__)")
    assert Path(place.strip()).is_relative_to(installed.python.parent.parent)


def test_help_works_from_anywhere(installed: Installed) -> None:
    assert "Usage: scorecard" in installed.run(installed.command, "--help")


def test_every_module_can_be_imported(installed: Installed) -> None:
    """No module leans on a development tool, or on an extra that is not its own.

    WeasyPrint is loaded by functions, so needs no Pango here. The studio needs its extra.
    """
    code = (
        "import importlib, pkgutil, scorecard\n"
        "for m in pkgutil.walk_packages(scorecard.__path__, 'scorecard.'):\n"
        "    if m.name.endswith('__main__') or '.studio.' in m.name: continue\n"
        "    importlib.import_module(m.name); print(m.name)"
    )
    found = installed.run(installed.python, "-c", code).split()
    assert "scorecard.core.model" in found


def test_a_list_is_shown_from_anywhere(installed: Installed, root: Path) -> None:
    found = (f for f in (root / "examples").rglob("*") if f.suffix in {".toml", ".json"})
    lists = sorted(file for file in found if file.name not in ("labels.toml", "card.toml"))
    assert lists, "examples/ has no list to show"
    for file in lists:
        assert installed.run(installed.command, "show", file).strip()


def test_who_only_prints_installs_a_quarter_and_can_show_print_export_and_check(
    printing_only: Installed, root: Path, tmp_path: Path
) -> None:
    model = shutil.copy(root / "output" / "model.json", tmp_path)
    command = printing_only.command
    made = ["card.html", "handout.html", "evaluator.py", "card.json", "evaluator.xlsx"]
    for words in (
        ("show", model),
        ("card", model, "-o", "card.html"),
        ("handout", model, "-o", "handout.html"),
        ("export", model, "--to", "python"),
        ("export", model, "--to", "json"),
        ("export", model, "--to", "excel"),
        ("check", model, *made),
        ("label", model, "--rule-out", "3%", "-o", "stricter.json"),
    ):
        printing_only.run(command, *words, cwd=tmp_path)
    packages = next(printing_only.python.parent.parent.rglob("site-packages"))
    assert sum(sizes_below(packages)) < 250e6
    assert sum(sizes_below(packages)) > 50e6, "the packages it needs are not counted"


@pytest.mark.parametrize(
    "words",
    [
        ("fit", "cases.csv", "--outcome", "strep"),
        ("apply", "model.json", "cases.csv"),
        ("evaluate", "cases.csv", "--outcome", "strep"),
    ],
    ids=lambda words: words[0],
)
def test_what_needs_tables_says_in_one_line_what_to_install(
    words: tuple[str, ...], printing_only: Installed, root: Path, tmp_path: Path
) -> None:
    shutil.copy(root / "output" / "model.json", tmp_path)
    shutil.copy(root / "examples" / "tutorial" / "cases.csv", tmp_path)
    done = processes.run(
        [str(printing_only.command), *words],
        cwd=tmp_path,
        env=plain_environment(),
        capture_output=True,
        encoding="utf-8",
    )
    (line,) = done.stderr.strip().splitlines()
    assert done.returncode == 1
    assert re.fullmatch(
        r"Error: tables and learning need \w+, which is not installed: "
        r'python -m pip install "psl-scorecard\[learn\]"',
        line,
    )


def test_the_extra_for_learning_is_what_tables_need() -> None:
    names = {
        requirement.name
        for requirement in map(Requirement, distribution("psl-scorecard").requires or ())
        if requirement.marker and requirement.marker.evaluate({"extra": "learn"})
    }
    assert {name.replace("scikit-learn", "sklearn") for name in names} == LEARNING


def sizes_below(folder: Path) -> Iterator[int]:
    for place, _, files in os.walk(folder, followlinks=True):
        yield from (Path(place, name).stat().st_size for name in files)


def test_templates_are_in_the_wheel_and_found(installed: Installed, root: Path) -> None:
    ours = files_below(root / "templates")
    packed = zipfile.ZipFile(installed.wheel).namelist()
    start = "scorecard/templates/"
    assert {name.removeprefix(start) for name in packed if name.startswith(start)} == ours
    found = Path(installed.run(installed.python, "-c", FIND_TEMPLATES).strip())
    assert found.parts[-2:] == ("scorecard", "templates")
    assert files_below(found) == ours


def test_a_checkout_that_hides_the_wheel_finds_its_own_templates(
    installed: Installed, root: Path, tmp_path: Path
) -> None:
    ignore = shutil.ignore_patterns("__pycache__")
    for name in ("scorecard", "templates"):
        shutil.copytree(root / name, tmp_path / name, ignore=ignore)
    found = installed.run(installed.python, "-c", FIND_TEMPLATES, cwd=tmp_path)
    assert Path(found.strip()) == (tmp_path / "templates").resolve()


def test_the_wheel_holds_the_package_and_nothing_else(installed: Installed) -> None:
    names = zipfile.ZipFile(installed.wheel).namelist()
    tops = {name.split("/")[0] for name in names}
    assert {top.rpartition(".")[2] for top in tops} == {"scorecard", "dist-info"}
    assert "scorecard/py.typed" in names
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)


def test_the_source_archive_can_be_tested_by_whoever_gets_it(installed: Installed) -> None:
    with tarfile.open(installed.archive) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"Makefile", ".ci/bootstrap.py", "LICENSE", "tests/conftest.py"} <= names


def files_below(folder: Path) -> set[str]:
    return {f.relative_to(folder).as_posix() for f in folder.rglob("*") if f.is_file()}

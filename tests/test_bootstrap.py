"""`.ci/bootstrap.py`: what it says on machines that lack something, and that it works only once."""

import ast
import importlib.util
import shutil
import subprocess
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture
def checkout(root: Path, tmp_path: Path) -> Path:
    (tmp_path / ".ci").mkdir()
    shutil.copy(root / ".ci" / "bootstrap.py", tmp_path / ".ci")
    shutil.copy(root / "pyproject.toml", tmp_path)
    return tmp_path


@pytest.fixture
def bootstrap(checkout: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script as a module, in a checkout of its own where nothing is really installed."""
    spec = importlib.util.spec_from_file_location("bootstrap", checkout / ".ci" / "bootstrap.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "run", pretend_to_install(module))
    monkeypatch.setattr(module, "works", lambda python, _code: Path(python).exists())
    monkeypatch.setattr(module, "pango_is_there", lambda: True)
    on_path(module, monkeypatch, set())
    return module


def pretend_to_install(module: ModuleType):
    def run(*command: object) -> None:
        run.commands.append(" ".join(map(str, command)))
        if "venv" in command:
            module.VENV_PYTHON.parent.mkdir(parents=True, exist_ok=True)
            module.VENV_PYTHON.touch()

    run.commands = []
    return run


def on_path(module: ModuleType, monkeypatch: pytest.MonkeyPatch, programs: set[str]) -> None:
    def which(name: str) -> str | None:
        return f"/usr/bin/{name}" if name in programs else None

    monkeypatch.setattr(module.shutil, "which", which)


def test_the_second_time_nothing_is_installed(bootstrap: ModuleType) -> None:
    bootstrap.main()
    assert bootstrap.run.commands[-1].endswith("--editable .[learn]")
    bootstrap.run.commands.clear()
    bootstrap.main()
    assert bootstrap.run.commands == []


def test_development_tools_are_installed_when_tests_are_run(bootstrap: ModuleType) -> None:
    bootstrap.main()
    assert not any("dev" in command.split() for command in bootstrap.run.commands)
    bootstrap.main(development=True)
    assert bootstrap.run.commands[-1].endswith("--editable .[learn] --group dev")
    bootstrap.run.commands.clear()
    bootstrap.main()
    bootstrap.main(development=True)
    assert bootstrap.run.commands == []


def test_changed_requirements_are_installed_into_the_same_environment(
    bootstrap: ModuleType, checkout: Path
) -> None:
    bootstrap.main()
    bootstrap.run.commands.clear()
    with (checkout / "pyproject.toml").open("a", encoding="utf-8") as file:
        file.write("# another dependency\n")
    bootstrap.main()
    assert not [c for c in bootstrap.run.commands if "-m venv" in c]
    assert bootstrap.run.commands[-1].endswith("--editable .[learn]")


def test_an_interrupted_installation_is_done_again(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*command: str) -> None:
        raise subprocess.CalledProcessError(1, command)

    finish = bootstrap.run
    monkeypatch.setattr(bootstrap, "run", fail)
    with pytest.raises(SystemExit, match=r"this command failed: .* venv"):
        bootstrap.main()
    assert not bootstrap.is_installed(False)
    monkeypatch.setattr(bootstrap, "run", finish)
    bootstrap.main()
    assert bootstrap.is_installed(False)


def test_uv_is_used_where_it_is(bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    on_path(bootstrap, monkeypatch, {"uv"})
    bootstrap.main()
    assert all(command.startswith("/usr/bin/uv ") for command in bootstrap.run.commands)


def test_an_old_python_looks_for_a_newer_one(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bootstrap, "THIS_PYTHON", (3, 8))
    monkeypatch.setattr(bootstrap, "works", lambda python, _code: "3.12" in str(python))
    on_path(bootstrap, monkeypatch, {"python3.13", "python3.12", "python3.10"})
    # 3.13 is on the PATH and does not run: a version manager's shim.
    assert bootstrap.find_python() == "/usr/bin/python3.12"


def test_only_an_old_python_is_one_clear_line(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bootstrap, "THIS_PYTHON", (3, 8))
    with pytest.raises(
        SystemExit, match=r"python3 is 3\.8, scorecard needs 3\.11 or newer"
    ) as stop:
        bootstrap.main()
    assert "\n" not in str(stop.value)


@pytest.mark.parametrize(
    ("programs", "remedy"),
    [({"apt-get"}, r"apt-get install -y python3\.\d+-venv$"), (set(), "install it, or uv")],
)
def test_a_missing_venv_module_gets_a_remedy(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch, programs: set[str], remedy: str
) -> None:
    monkeypatch.setattr(bootstrap, "works", lambda _python, _code: False)
    on_path(bootstrap, monkeypatch, programs)
    with pytest.raises(SystemExit, match=remedy):
        bootstrap.main()


@pytest.mark.parametrize(
    ("manager", "command"),
    [
        ("apt-get", "sudo apt-get install -y libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0"),
        ("dnf", "sudo dnf install -y pango harfbuzz"),
        (
            "apk",
            "sudo apk add so:libpango-1.0.so.0 so:libpangoft2-1.0.so.0 so:libharfbuzz-subset.so.0",
        ),
        ("pacman", "sudo pacman -S --noconfirm pango harfbuzz"),
        ("brew", "brew install pango"),
    ],
)
def test_missing_pango_prints_the_one_command(
    bootstrap: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    manager: str,
    command: str,
) -> None:
    monkeypatch.setattr(bootstrap, "pango_is_there", lambda: False)
    monkeypatch.setattr(bootstrap, "is_root", lambda: False)
    on_path(bootstrap, monkeypatch, {manager})
    bootstrap.main()
    assert capsys.readouterr().out.splitlines()[-1].endswith(f"install it with: {command}")


def test_root_on_debian_installs_pango_once(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries: list[bool] = []
    monkeypatch.setattr(bootstrap, "pango_is_there", lambda: False)
    monkeypatch.setattr(bootstrap, "is_debian_root", lambda: True)
    monkeypatch.setattr(bootstrap, "install_pango_on_debian", lambda: tries.append(True))
    bootstrap.main()
    bootstrap.main()  # offline, say: it does not keep everybody waiting on every run
    assert len(tries) == 1


def test_a_library_that_is_not_there_does_not_open(bootstrap: ModuleType) -> None:
    assert not bootstrap.opens("libno-such-library.so.0")


def test_old_interpreters_can_read_the_script(root: Path) -> None:
    """Nothing newer than 3.7 in its grammar (the oldest `ast` checks), so that it can complain."""
    source = (root / ".ci" / "bootstrap.py").read_text(encoding="utf-8")
    ast.parse(source, feature_version=(3, 7))
    assert "from __future__ import annotations" not in source


@pytest.mark.parametrize(
    ("missing", "complete"), [("nothing", True), ("pangoft2", False), ("harfbuzz-subset", False)]
)
def test_all_three_libraries_are_needed(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch, missing: str, complete: bool
) -> None:
    monkeypatch.setattr(bootstrap, "opens", lambda name: ".so." in name and missing not in name)
    assert bootstrap.print_libraries_open() is complete


def test_root_on_debian_installs_a_browser_once(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries: list[tuple[str, ...]] = []
    bootstrap.main()
    monkeypatch.setattr(bootstrap, "is_debian_root", lambda: True)
    monkeypatch.setattr(bootstrap, "find_browser", lambda: None)
    monkeypatch.setattr(bootstrap, "install_on_debian", tries.append)
    bootstrap.look_for_a_browser()
    bootstrap.look_for_a_browser()
    assert tries == [("chromium",)]


def test_a_missing_browser_prints_the_one_command(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bootstrap, "is_root", lambda: False)
    monkeypatch.setattr(bootstrap, "BROWSER_PLACES", ())
    monkeypatch.delenv("SCORECARD_BROWSER", raising=False)
    on_path(bootstrap, monkeypatch, {"apt-get"})
    bootstrap.look_for_a_browser()
    assert capsys.readouterr().out.endswith("install it with: sudo apt-get install -y chromium\n")


def test_a_browser_that_is_there_is_found_quietly(
    bootstrap: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("SCORECARD_BROWSER", raising=False)
    on_path(bootstrap, monkeypatch, {"google-chrome"})
    bootstrap.look_for_a_browser()
    assert bootstrap.find_browser() == "/usr/bin/google-chrome"
    assert capsys.readouterr().out == ""

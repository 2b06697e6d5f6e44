"""What is here and what is missing, on machines that this one is made to look like."""

import importlib.util
import re
import sys
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from types import ModuleType

import pytest

from scorecard import __version__
from scorecard.errors import INSTALL_LEARNING, INSTALL_WAREHOUSE
from scorecard.printing.refusals import PANGO_COMMANDS
from tests import processes
from tests.cli.conftest import Done, Run

Programs = Callable[..., None]


@pytest.fixture
def programs(monkeypatch: pytest.MonkeyPatch) -> Programs:
    """Only these programs are on the PATH, and this user is not root."""

    def only(*names: str) -> None:
        monkeypatch.setattr(
            "shutil.which", lambda name, *_: f"/bin/{name}" if name in names else None
        )
        monkeypatch.setattr("os.geteuid", lambda: 1000, raising=False)
        monkeypatch.delenv("SCORECARD_BROWSER", raising=False)

    return only


@pytest.fixture
def weasyprint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """A WeasyPrint that does this when it is imported."""

    def behave(source: str) -> None:
        folder = tmp_path / "weasyprint-stand-in"
        folder.mkdir()
        (folder / "weasyprint.py").write_text(source)
        monkeypatch.setitem(sys.modules, "weasyprint", ModuleType("weasyprint"))
        monkeypatch.delitem(sys.modules, "weasyprint")
        monkeypatch.syspath_prepend(folder)

    return behave


def row(done: Done, name: str) -> tuple[str, str]:
    """State and detail of one line of the table."""
    lines = [line for line in done.out.splitlines() if line.startswith(f"  {name} ")]
    assert len(lines) == 1, done.out
    _, state, detail = re.split(r"  +", lines[0].strip(), maxsplit=2)
    return state, detail


def test_everything_needed_is_here(run: Run, weasyprint: Callable[[str], None]) -> None:
    weasyprint("__version__ = '70.0'")
    done = run("doctor")
    assert (done.code, done.err) == (0, "")
    assert done.out.endswith("\nEverything needed is here.\n")
    assert row(done, "Python") == ("ok", ".".join(map(str, sys.version_info[:3])))
    assert row(done, "scorecard") == ("ok", __version__)
    assert row(done, "Pango") == ("ok", "opened by WeasyPrint 70.0")
    assert row(done, "fonts") == ("ok", "Source Sans Pro")


def test_every_dependency_has_its_line_with_the_version(run: Run) -> None:
    done = run("doctor")
    requirements = metadata.requires("psl-scorecard")
    assert requirements
    for requirement in requirements:
        if ";" not in requirement:
            name = re.split("[<>=~! ]", requirement)[0]
            assert row(done, name) == ("ok", metadata.version(name))


def test_what_pyproject_needs_is_understood(root: Path) -> None:
    text = (root / "pyproject.toml").read_text(encoding="utf-8")
    section = text[text.index("\ndependencies = [") : text.index("[project.scripts]")]
    own_extra = r"psl-scorecard\["
    for requirement in re.findall(rf'^ +"(?!{own_extra})(.+)",$', section, re.MULTILINE):
        assert re.fullmatch(r"[a-z0-9-]+(\[[a-z,]+\])?>=[0-9.]+", requirement), requirement


def test_missing_packages_come_with_their_command(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = ["no-such-package>=1.2", "rich>=13.0.0", 'only-with-extra; extra == "more"']
    monkeypatch.setattr(metadata, "requires", lambda _: wanted)
    done = run("doctor")
    assert done.code == 1
    assert row(done, "no-such-package") == (
        "missing",
        'python -m pip install "no-such-package>=1.2"',
    )
    assert row(done, "rich") == ("ok", metadata.version("rich"))
    assert "only-with-extra" not in done.out
    assert "To be mended: no-such-package" in done.out


def test_a_checkout_that_was_never_installed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(_: str) -> list[str]:
        raise metadata.PackageNotFoundError

    monkeypatch.setattr(metadata, "requires", unknown)
    done = run("doctor")
    assert done.code == 1
    assert row(done, "psl-scorecard")[0] == "missing"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has one command of its own")
@pytest.mark.parametrize("manager", PANGO_COMMANDS)
def test_without_pango_the_command_of_the_package_manager_is_given(
    manager: str, run: Run, programs: Programs, weasyprint: Callable[[str], None]
) -> None:
    programs(manager)
    weasyprint("print('a banner'); raise OSError('cannot load library libpango')")
    done = run("doctor")
    sudo = "" if manager == "brew" else "sudo "
    assert done.code == 1
    assert row(done, "Pango") == ("missing", f"draws the PDFs: {sudo}{PANGO_COMMANDS[manager]}")
    assert "banner" not in done.out
    assert "To be mended: Pango;" in done.out


def test_without_weasyprint_that_comes_first(run: Run, weasyprint: Callable[[str], None]) -> None:
    weasyprint("raise ImportError('nothing here')")
    done = run("doctor")
    assert done.code == 1
    assert row(done, "Pango") == (
        "missing",
        "cannot be tried: nothing here; install weasyprint first",
    )


def test_lost_font_files_are_named(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("scorecard.printing.jinja.FONT_FOLDER", tmp_path)
    done = run("doctor")
    assert done.code == 1
    state, detail = row(done, "fonts")
    assert state == "missing"
    assert "SourceSansPro-Bold" in detail
    assert detail.endswith("python -m pip install --force-reinstall font-source-sans-pro")


def test_optional_tools_may_be_missing(
    run: Run,
    programs: Programs,
    weasyprint: Callable[[str], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    version = metadata.version

    def without_tools(name: str) -> str:
        if name == "duckdb":
            raise metadata.PackageNotFoundError
        return version(name)

    programs()
    weasyprint("__version__ = '70.0'")
    monkeypatch.setattr(metadata, "version", without_tools)
    done = run("doctor")
    assert done.code == 0
    assert {name: row(done, name) for name in ("node", "duckdb")} == {
        "node": ("missing", "check --run-changed of JavaScript: install it from nodejs.org"),
        "duckdb": ("missing", f"cases in a database: {INSTALL_WAREHOUSE}"),
    }


def test_optional_tools_are_found(run: Run, programs: Programs) -> None:
    programs("node", "soffice")
    done = run("doctor")
    assert row(done, "node") == ("ok", "/bin/node (check --run-changed of JavaScript)")
    assert row(done, "LibreOffice") == ("ok", "/bin/soffice (opens the workbook)")


def test_the_commands_are_those_of_the_setup(root: Path) -> None:
    spec = importlib.util.spec_from_file_location("bootstrap", root / ".ci" / "bootstrap.py")
    assert spec is not None
    assert spec.loader is not None
    bootstrap = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(bootstrap)
    assert tuple(PANGO_COMMANDS.items()) == bootstrap.PANGO_COMMANDS


@pytest.mark.parametrize("command", ["new", "doctor"])
def test_the_commands_start_without_heavy_modules(command: str) -> None:
    source = (
        f"import sys, scorecard.cli.{command};"
        "heavy = {'numpy', 'sklearn', 'weasyprint', 'polars', 'msgspec', 'rich'};"
        "sys.exit(', '.join(heavy & set(sys.modules)) or None)"
    )
    done = processes.run([sys.executable, "-c", source], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_where_only_cards_are_printed_it_says_what_tables_need(
    run: Run, weasyprint: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    version = metadata.version

    def without_polars(name: str) -> str:
        if name == "polars":
            raise metadata.PackageNotFoundError
        return version(name)

    weasyprint("__version__ = '70.0'")
    monkeypatch.setattr(metadata, "version", without_polars)
    done = run("doctor")
    assert done.code == 0
    assert row(done, "polars")[0] == "missing"
    assert done.out.endswith(f"; tables and learning need: {INSTALL_LEARNING}\n")

"""Style and types: what `make lint` says, as tests; and how tests start programs."""

import ast
import sys
from pathlib import Path

import pytest

from tests import processes
from tests.conftest import SLOW


@pytest.mark.parametrize(
    "command",
    [("ruff", "check", "."), ("ruff", "format", "--check", "."), ("mypy", "--strict")],
    ids=" ".join,
)
def test_nothing_to_complain_about(root: Path, command: tuple[str, ...]) -> None:
    done = processes.run(
        [sys.executable, "-m", *command], cwd=root, capture_output=True, encoding="utf-8"
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_slow_file_exists(root: Path) -> None:
    assert [name for name in SLOW if not (root / "tests" / name).exists()] == []


LONGEST, MOST_LONGER = 40, 6


def test_functions_are_short(root: Path) -> None:
    """Lines of a function without what documents it; a few are one straight story."""
    longer = [
        f"{file.relative_to(root)}:{node.lineno} {node.name}: {length}"
        for file in sorted((root / "scorecard").rglob("*.py"))
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef) and (length := lines_of(node)) > LONGEST
    ]
    assert len(longer) <= MOST_LONGER, longer


def lines_of(function: ast.FunctionDef) -> int:
    documented = ast.get_docstring(function, clean=False)
    return (function.end_lineno or 0) - function.lineno + 1 - len((documented or "").splitlines())


STARTING = ("run", "Popen", "call", "check_call", "check_output")
ALLOWED = ("processes.py", "warm.py")  # the others keep one program for many tests


def test_no_test_waits_for_another_program_without_a_limit(root: Path) -> None:
    for file in sorted((root / "tests").rglob("*.py")):
        if file.name in ALLOWED or file.parent.name == "benchmarks":
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and node.attr in STARTING:
                used = isinstance(node.value, ast.Name) and node.value.id == "subprocess"
                assert not used, f"{file.name}:{node.lineno}: use tests/processes.py"

"""Starting is quick because nothing heavy is loaded before it is needed."""

import sys

import pytest

from tests import processes

HEAVY = {"numba", "numpy", "pandas", "polars", "scipy", "sklearn", "weasyprint"}

IMPORT = "import scorecard"
HELP = """
from scorecard.__main__ import main
sys.argv = ["scorecard", "--help"]
try:
    main()
except SystemExit as stop:
    assert not stop.code, stop.code
"""


def loaded_by(code: str) -> set[str]:
    script = f"import sys\n{code}\nprint('loaded:', *sys.modules)"
    done = processes.run(
        [sys.executable, "-c", script], capture_output=True, encoding="utf-8", check=True
    )
    return set(done.stdout.rpartition("loaded:")[2].split())


@pytest.mark.parametrize("code", [IMPORT, HELP], ids=["import scorecard", "scorecard --help"])
def test_nothing_heavy_is_loaded(code: str) -> None:
    modules = loaded_by(code)
    assert "scorecard" in modules
    assert modules & HEAVY == set()


def test_a_heavy_import_would_be_seen() -> None:
    assert "numpy" in loaded_by("import numpy")

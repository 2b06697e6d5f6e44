"""The notebook in `examples/`: every cell runs, and prints what is kept beside it.

UPDATE_GOLDEN=1 keeps what it prints now, with its pictures.
"""

import json
import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests import processes

pytest.importorskip("nbclient", reason="the notebook is not run: pip install nbclient ipykernel")
pytest.importorskip("ipykernel", reason="the notebook is not run: pip install nbclient ipykernel")

RUN = "from nbclient.cli import main; main()"
LONG = 5_000  # characters of text beside something to look at


@pytest.fixture(scope="module")
def kept(root: Path) -> Path:
    return root / "examples" / "notebook.ipynb"


@pytest.fixture(scope="module")
def done(kept: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("notebook")
    shutil.copy(kept, folder)
    words = [kept.name, "--timeout=300", "--output=done.ipynb"]
    ran = processes.run(
        [sys.executable, "-c", RUN, *words], cwd=folder, capture_output=True, encoding="utf-8"
    )
    assert ran.returncode == 0, ran.stderr
    return read(folder / "done.ipynb")


def read(file: Path) -> dict[str, Any]:
    """A notebook without times, and without long texts beside something to look at."""
    notebook: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        cell["metadata"] = {}
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            if len(data) > 1 and len("".join(data.get("text/plain", ""))) > LONG:
                del data["text/plain"]
    return notebook


@pytest.mark.usefixtures("pango")
def test_the_notebook_prints_what_it_shows(kept: Path, done: dict[str, Any]) -> None:
    if os.environ.get("UPDATE_GOLDEN"):
        text = json.dumps(done, indent=1, ensure_ascii=False)
        kept.write_text(text + "\n", encoding="utf-8")
    assert list(outputs(done)) == list(outputs(read(kept)))


def outputs(notebook: dict[str, Any]) -> Iterator[tuple[int, list[str], str]]:
    """Of every output its cell, its kinds and its text; of a picture only that there is one."""
    for number, cell in enumerate(notebook["cells"]):
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            text = "".join(output.get("text") or data.get("text/plain", ""))
            yield number, sorted(data), "" if "image/png" in data else rounded(text)


def rounded(text: str) -> str:
    """Without spaces more than one, and without digits that another machine may compute."""
    digits = re.sub(r"\d\.\d{4,}", lambda number: f"{float(number[0]):.3f}", text)
    return re.sub(r"\s+", " ", digits)


def test_every_code_cell_was_run_in_order(kept: Path) -> None:
    cells = [cell for cell in read(kept)["cells"] if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))

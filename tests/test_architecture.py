"""Who may import whom, as an executable rule.

Every import statement counts, wherever it stands: at the top, inside a function, under
`if TYPE_CHECKING`, relative or absolute, and `import_module("…")` with a literal name. A saved
list must print on a machine without scikit-learn, and a card must not depend on how its list was
learned.
"""

import ast
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

# A room is a module or a folder of the package; the longest name that fits counts.
VALUES = {"errors", "binomial", "estimates", "question", "model"}
DECISIONS = {"policy", "staircase", "climbing"}
PRINTING = {"rendering.fonts", "rendering.refusals", "rendering.pdf"}
MAY_IMPORT: dict[str, set[str]] = {
    "errors": set(),
    "files": {"errors"},
    "locations": {"errors"},
    "remedies": set(),
    "binomial": {"errors"},
    "estimates": {"errors", "binomial"},
    "question": {"errors"},
    "model": {"errors", "binomial", "estimates", "question"},
    "policy": VALUES,
    "staircase": VALUES | {"policy"},
    "climbing": VALUES | {"policy", "staircase"},
    "table": VALUES | DECISIONS | {"files"},
    "learning": VALUES,
    # WeasyPrint is behind one module that knows fonts and refusals but no cards; only those
    # that finish a page on paper call it.
    "rendering.fonts": {"errors"},
    "rendering.refusals": {"errors"},
    "rendering.pdf": {"errors", "remedies", "rendering.fonts", "rendering.refusals"},
    "rendering": VALUES
    | DECISIONS
    | {"files", "locations", "rendering.fonts", "rendering.refusals"},
    "rendering.printing": VALUES | DECISIONS | PRINTING | {"files", "locations", "rendering"},
    "rendering.handout_page": VALUES | DECISIONS | PRINTING | {"files", "locations", "rendering"},
    "rendering.formats": VALUES
    | DECISIONS
    | PRINTING
    | {"files", "locations", "rendering", "rendering.printing"},
    "exporting": VALUES | DECISIONS | {"files", "locations"},
    "checking": VALUES | DECISIONS | PRINTING | {"files", "table", "rendering", "exporting"},
    "evaluation": VALUES | DECISIONS | {"files", "table", "learning"},
    "cli": VALUES
    | DECISIONS
    | PRINTING
    | {"files", "locations", "remedies", "table", "learning", "evaluation"}
    | {"rendering", "rendering.printing", "rendering.formats", "rendering.handout_page"}
    | {"exporting", "checking"},
    "__main__": {"cli", "errors"},
}

# The values and the policy have to be readable, and usable, with nothing but Python.
STANDARD_LIBRARY_ONLY = VALUES | DECISIONS | {"files"}

# Libraries that are slow to load, large or not always there, and the rooms that may use them.
ONLY_IN: dict[str, set[str]] = {
    "click": {"cli", "__main__"},
    "numba": {"learning"},
    "numpy": {"learning", "table", "evaluation"},
    "pandas": set(),  # whoever has data frames brings them; narwhals reads them
    "polars": {"table", "evaluation"},
    "scipy": {"learning", "evaluation"},
    "sklearn": {"learning", "evaluation"},
    "weasyprint": {"rendering.pdf"},
}


def test_nothing_imports_to_its_right(root: Path) -> None:
    assert list(violations(root / "scorecard")) == []


def test_the_table_has_no_circles() -> None:
    TopologicalSorter(MAY_IMPORT).prepare()


@pytest.mark.parametrize(
    ("place", "code"),
    [
        ("model.py", "from scorecard.policy import StoppingPolicy"),
        ("model.py", "import scorecard.policy"),
        ("model.py", "import scorecard.policy as p"),
        ("model.py", "from scorecard import policy"),
        ("model.py", "from . import policy"),
        ("model.py", "from .policy import StoppingPolicy"),
        ("model.py", "from scorecard import ScoringList"),
        ("model.py", "from scorecard import *"),
        ("model.py", "import scorecard"),
        ("model.py", "import attrs"),
        ("model.py", "from scorecard import files"),  # a value neither reads nor writes
        ("policy.py", "import numpy as np"),
        ("policy.py", "def bound():\n    from scipy.stats import beta"),
        ("rendering/card.py", "from ..learning.search import best"),
        ("rendering/card.py", "from .. import learning"),
        ("rendering/card.py", "def view():\n    import scorecard.learning"),
        ("rendering/card.py", "class View:\n    def f(self):\n        import sklearn.base"),
        (
            "rendering/card.py",
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import numpy",
        ),
        ("rendering/card.py", "try:\n    import polars\nexcept ImportError:\n    pass"),
        ("rendering/card.py", "import weasyprint"),
        ("rendering/card.py", "from .pdf import write"),
        ("rendering/__init__.py", "from ..exporting import EXPORTERS"),
        ("rendering/parts/box.py", "from ...learning import search"),
        ("exporting/sql.py", "import importlib\nimportlib.import_module('scorecard.learning')"),
        (
            "exporting/sql.py",
            "from importlib import import_module\nimport_module('..learning', __package__)",
        ),
        ("exporting/sql.py", "__import__('pandas')"),
        ("exporting/sql.py", "from scorecard.rendering.wording import percent"),
        ("learning/search.py", "from scorecard.rendering.card import CardView"),
        ("learning/search.py", "from scorecard.exporting import EXPORTERS"),
        ("learning/search.py", "import click"),
        ("evaluation/report.py", "from scorecard.cli import main"),
        ("table.py", "import scorecard.evaluation"),
        ("helpers.py", "import json"),
    ],
)
def test_a_planted_violation_is_found(tmp_path: Path, place: str, code: str) -> None:
    plant(tmp_path, place, code)
    assert len(list(violations(tmp_path))) == 1


@pytest.mark.parametrize(
    ("place", "code"),
    [
        ("model.py", "from .errors import ListError\nimport math, dataclasses"),
        ("rendering/card.py", "from ..model import ScoringList\nfrom .wording import percent"),
        ("rendering/card.py", "from . import wording\nimport jinja2"),
        (
            "rendering/pdf.py",
            "def write():\n    import weasyprint\n    from .fonts import FONT_FOLDER",
        ),
        ("exporting/sql.py", "from scorecard import __version__"),
        ("evaluation/report.py", "from scorecard.learning.search import best\nimport numpy"),
        ("cli/draw.py", "from scorecard import ScoringList\nimport click, scorecard.rendering.pdf"),
        ("__init__.py", "from scorecard.learning import classifier"),
    ],
)
def test_what_is_allowed_passes(tmp_path: Path, place: str, code: str) -> None:
    plant(tmp_path, place, code)
    assert list(violations(tmp_path)) == []


def plant(package: Path, place: str, code: str) -> None:
    file = package / place
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(code, encoding="utf-8")


def violations(package: Path) -> Iterator[str]:
    for file in sorted(package.rglob("*.py")):
        parts = file.relative_to(package).with_suffix("").parts
        if parts == ("__init__",):
            continue  # the public names: it offers every room, lazily (test_startup.py)
        is_package = parts[-1] == "__init__"
        module = ".".join(parts[:-1] if is_package else parts)
        home = module if is_package else ".".join(parts[:-1])
        tree = ast.parse(file.read_text(encoding="utf-8"), str(file))
        room = room_of(module)
        if room is None:
            yield f"{module}: give it a place in MAY_IMPORT"
            continue
        for line, name in imported(tree, ("scorecard." + home).rstrip(".")):
            complaint = complaint_about(room, name)
            if complaint:
                yield f"scorecard/{file.relative_to(package)}:{line}: {complaint}"


def complaint_about(room: str, name: str) -> str | None:
    top, _, inside = name.partition(".")
    if top == "scorecard":
        return complaint_about_room(room, name, inside)
    if room in STANDARD_LIBRARY_ONLY and top not in sys.stdlib_module_names:
        return f"{room} uses the standard library only, not {top}"
    if top in ONLY_IN and room not in ONLY_IN[top]:
        return f"{top} may not be used in {room}"
    return None


def complaint_about_room(room: str, name: str, inside: str) -> str | None:
    if inside == "__version__":
        return None
    target = room_of(inside)
    if target is None:
        # The public names lead everywhere: only the top of the house may go through them.
        return None if room in {"cli", "__main__"} else f"{room} may not import {name}"
    if target == room or target in MAY_IMPORT[room]:
        return None
    return f"{room} may not import {target}"


def room_of(module: str) -> str | None:
    parts = module.split(".")
    names = (".".join(parts[:length]) for length in range(len(parts), 0, -1))
    return next((name for name in names if name in MAY_IMPORT), None)


def imported(tree: ast.AST, home: str) -> Iterator[tuple[int, str]]:
    """Line and full dotted name of everything imported; `home` is the package of the module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = absolute("." * node.level + (node.module or ""), home)
            yield from ((node.lineno, f"{base}.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.Call) and is_import_call(node.func) and node.args:
            first = node.args[0]
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                yield node.lineno, absolute(first.value, home)


def is_import_call(function: ast.expr) -> bool:
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return name in {"import_module", "__import__"}


def absolute(name: str, home: str) -> str:
    bare = name.lstrip(".")
    level = len(name) - len(bare)
    if level == 0:
        return name
    parents = home.split(".")
    return ".".join([*parents[: len(parents) - level + 1], *([bare] if bare else [])])

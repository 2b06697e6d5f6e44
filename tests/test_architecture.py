"""Who may import whom, as an executable rule.

Every import statement counts, wherever it stands: at the top, inside a function, under
`if TYPE_CHECKING`, relative or absolute, and `import_module("…")` with a literal name. A card must
not depend on how its list was learned, and what shows, asks or prints a list starts at once because
nothing it needs loads numpy, scipy or scikit-learn (`test_startup.py` looks at what is loaded).
"""

import ast
import re
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

# A room is a folder of the package, or a module beside them; the longest name that fits counts.
MAY_IMPORT: dict[str, set[str]] = {
    "errors": set(),
    "files": {"errors"},
    "core": {"errors"},
    "documents": {"errors", "files", "core"},
    "words": {"errors", "files", "core"},
    "tables": {"errors", "files", "core"},
    "learning": {"errors", "core"},
    # Paper without cards. WeasyPrint is behind one module; only those that finish a page call it.
    "printing": {"errors", "files", "core", "words"},
    "printing.html_to_pdf": {"errors", "printing"},
    # The registry, what all exports are made from, and the check; forms know it, not each other.
    "forms": {"errors", "files", "core", "documents", "words"},
    "forms.card": {"errors", "files", "core", "words", "printing"},
    "forms.card.make": {"errors", "files", "core", "documents", "words", "printing"}
    | {"printing.html_to_pdf", "forms.card"},
    "forms.handout": {"errors", "files", "core", "words", "printing", "forms", "forms.card"},
    "forms.handout.make": {"errors", "files", "core", "documents", "words", "printing", "forms"}
    | {"printing.html_to_pdf", "forms.card", "forms.card.make", "forms.handout"},
    # How both kinds of page are read.
    "forms.printed": {"errors", "files", "core", "documents", "words", "printing", "forms"}
    | {"forms.card", "forms.card.make"},
    "forms.card.read": {"forms", "forms.printed"},
    "forms.handout.read": {"forms", "forms.printed"},
    "forms.python": {"errors", "core", "documents", "words", "forms"},
    "forms.json": {"errors", "core", "documents", "words", "forms"},
    "forms.javascript": {"errors", "core", "documents", "words", "forms", "forms.json"},
    "forms.r": {"errors", "core", "documents", "words", "forms"},
    "forms.markdown": {"errors", "core", "documents", "words", "forms"},
    "forms.docx": {"errors", "core", "documents", "words", "forms"},
    "forms.xlsform": {"errors", "core", "documents", "words", "forms"},
    "forms.fhir": {"errors", "core", "documents", "words", "forms"},
    "forms.redcap": {"errors", "core", "documents", "words", "forms"},
    "forms.sql": {"errors", "core", "documents", "words", "forms"},
    "forms.excel": {"errors", "core", "documents", "words", "forms"},
    "evaluation": {"errors", "files", "core", "words", "tables", "learning"},
    "evaluation.plots": {"errors", "core", "tables", "learning", "evaluation"},
    "evaluation.write": {"errors", "core", "printing", "printing.html_to_pdf", "evaluation"},
    # What one does with a list in Python: it may see everything but the command line.
    "api": {"errors", "files", "core", "documents", "words", "tables", "learning"}
    | {"printing", "forms", "forms.card", "forms.card.make", "evaluation", "evaluation.write"},
    # From a table to finished files: a recipe, a learned list, what a card.toml asks for.
    "project": {"errors", "files", "core", "documents", "words", "tables", "learning"}
    | {"printing", "forms", "forms.card", "forms.card.make", "evaluation", "api", "alternatives"},
    "alternatives": {"errors", "files", "core", "documents"},
    "terminal": {"core", "words"},
    "display": {"errors", "core", "documents", "words", "terminal", "evaluation"}
    | {"forms.card", "forms.handout", "forms.handout.make"},
    # A page to make a card on: it shows what the rooms above find.
    "studio": {"errors", "files", "core", "documents", "words", "tables", "learning"}
    | {"forms", "forms.card", "forms.card.make", "evaluation", "api", "project"},
    "cli": {"errors", "files", "core", "documents", "words", "tables", "learning"}
    | {"printing", "printing.html_to_pdf", "forms", "forms.card", "forms.card.make"}
    | {"forms.sql", "evaluation", "evaluation.write", "api", "project", "alternatives"}
    | {"terminal", "studio"},
    "__main__": {"cli", "errors"},
}

# The values and their rules load nothing but Python: that is what makes the commands feel instant.
STANDARD_LIBRARY_ONLY = {"errors", "core", "files"}

# A value shows itself in a notebook: the methods load who can do that when they are called.
SHOWN_BY = {
    "core": {"display"},
    "learning": {"display", "evaluation.plots"},
    "evaluation": {"display", "evaluation.write"},
}

# Libraries that are slow to load, large or not always there, and the rooms that may use them.
ONLY_IN: dict[str, set[str]] = {
    "click": {"cli", "__main__"},
    "numpy": {"learning", "tables", "evaluation", "evaluation.plots"},
    "pandas": set(),  # whoever has data frames brings them; narwhals reads them
    "polars": {"tables", "evaluation"},
    "scipy": {"learning", "evaluation", "tables"},
    "sklearn": {"learning", "evaluation"},
    "starlette": {"studio"},
    "uvicorn": {"studio"},
    "weasyprint": {"printing.html_to_pdf"},
}


def test_nothing_imports_to_its_right(root: Path) -> None:
    assert list(violations(root / "scorecard")) == []


def test_the_table_has_no_circles() -> None:
    TopologicalSorter(MAY_IMPORT).prepare()


@pytest.mark.parametrize(
    ("place", "code"),
    [
        ("core/model.py", "from scorecard.documents import json_document"),
        ("core/model.py", "import scorecard.words"),
        ("core/model.py", "import scorecard.words as w"),
        ("core/model.py", "from scorecard import words"),
        ("core/model.py", "from .. import words"),
        ("core/model.py", "from ..words import wording"),
        ("core/model.py", "from scorecard import ScoringList"),
        ("core/model.py", "from scorecard import *"),
        ("core/model.py", "import scorecard"),
        ("core/model.py", "import attrs"),
        ("core/model.py", "from scorecard import files"),  # a value neither reads nor writes
        ("core/policy.py", "import numpy as np"),
        ("core/policy.py", "def bound():\n    from scipy.stats import beta"),
        ("forms/card/contents.py", "from ...learning.search import best"),
        ("forms/card/contents.py", "from ... import learning"),
        ("forms/card/contents.py", "def view():\n    import scorecard.learning"),
        ("forms/card/contents.py", "class View:\n    def f(self):\n        import sklearn.base"),
        (
            "forms/card/contents.py",
            "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import numpy",
        ),
        ("forms/card/contents.py", "try:\n    import polars\nexcept ImportError:\n    pass"),
        ("forms/card/contents.py", "import weasyprint"),
        ("forms/card/contents.py", "from ...printing.html_to_pdf import write"),
        ("forms/card/__init__.py", "from ..sql import make"),
        ("forms/card/parts/box.py", "from ....learning import search"),
        ("forms/sql/make.py", "import importlib\nimportlib.import_module('scorecard.learning')"),
        (
            "forms/sql/make.py",
            "from importlib import import_module\nimport_module('...learning', __package__)",
        ),
        ("forms/sql/make.py", "__import__('pandas')"),
        ("forms/sql/make.py", "from scorecard.forms.card.layout import percent"),
        ("learning/search.py", "from scorecard.forms.card.view import CardView"),
        ("learning/search.py", "from scorecard.forms import FORMS"),
        ("learning/search.py", "import click"),
        ("evaluation/report.py", "from scorecard.cli import main"),
        ("tables/cases.py", "import scorecard.evaluation"),
        ("helpers.py", "import json"),
    ],
)
def test_a_planted_violation_is_found(tmp_path: Path, place: str, code: str) -> None:
    plant(tmp_path, place, code)
    assert len(list(violations(tmp_path))) == 1


@pytest.mark.parametrize(
    ("place", "code"),
    [
        ("core/model.py", "from ..errors import ListError\nimport math, dataclasses"),
        (
            "forms/card/contents.py",
            "from ...core.model import ScoringList\nfrom ...words.wording import percent",
        ),
        ("forms/card/contents.py", "from . import view\nimport jinja2"),
        (
            "printing/html_to_pdf.py",
            "def write():\n    import weasyprint\n    from .fonts import FONT_FOLDER",
        ),
        ("forms/sql/make.py", "from scorecard import __version__"),
        ("evaluation/report.py", "from scorecard.learning.search import best\nimport numpy"),
        (
            "cli/draw.py",
            "from scorecard import ScoringList\nimport click, scorecard.printing.html_to_pdf",
        ),
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
    if target == room or target in MAY_IMPORT[room] or target in SHOWN_BY.get(room, ()):
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


SHELL_OPTION = re.compile(r"(?:^|[\s(“])--[a-z]")
WHOLE_COMMAND = re.compile("scorecard |pip install ")  # a line to type
SPEAKS_TO_PROGRAMS = ("forms/python/read.py", "forms/r/read.py", "printing/refusals.py")
WRITES_COMMANDS = ("forms/origin.py", "forms/printed.py", "documents/edit_text.py")


def test_the_library_names_parameters_and_no_options_of_a_shell(root: Path) -> None:
    """`drop='age'` in a message; the command line makes --drop age of it (cli/messages.py)."""
    rooms = root / "scorecard"
    named = [
        f"{file.relative_to(root)}: {text!r}"
        for file in sorted(rooms.rglob("*.py"))
        if file.relative_to(rooms).parts[0] != "cli"
        and file.relative_to(rooms).as_posix() not in (*SPEAKS_TO_PROGRAMS, *WRITES_COMMANDS)
        for text in texts_in(ast.parse(file.read_text(encoding="utf-8")))
        if SHELL_OPTION.search(text) and not WHOLE_COMMAND.search(text)
    ]
    assert named == []


def texts_in(node: ast.AST) -> Iterator[str]:
    """Every literal text, an f-string as one."""
    if isinstance(node, ast.JoinedStr):
        yield "".join(str(one.value) for one in node.values if isinstance(one, ast.Constant))
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    else:
        for inner in ast.iter_child_nodes(node):
            yield from texts_in(inner)

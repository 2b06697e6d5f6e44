"""Starting is quick because nothing heavy is loaded before it is needed."""

import sys
from pathlib import Path

import polars as pl
import pytest

from scorecard.cli.demo import breast_masses
from scorecard.documents.json_document import write_list
from tests import processes
from tests.lists import TABLE_1

HEAVY = {
    "duckdb", "joblib", "matplotlib", "narwhals", "numpy", "pandas", "polars", "scipy",
    "sklearn", "weasyprint",
}  # fmt: skip
NOT_TO_LEARN = {"joblib", "matplotlib", "pandas", "scipy.special", "sklearn", "weasyprint"}

IMPORT = "import scorecard"
COMMAND = """
from scorecard.__main__ import main
try:
    main({arguments!r})
except SystemExit as stop:
    assert not stop.code, stop.code
"""


def loaded_by(code: str) -> set[str]:
    script = f"import sys\n{code}\nprint('loaded:', *sys.modules)"
    done = processes.run(
        [sys.executable, "-c", script], capture_output=True, encoding="utf-8", check=True
    )
    return set(done.stdout.rpartition("loaded:")[2].split())


def command(*arguments: object) -> str:
    return COMMAND.format(arguments=[str(one) for one in arguments])


HELP = [["--help"], *([name, "--help"] for name in ("fit", "evaluate", "new", "demo", "build"))]


@pytest.mark.parametrize("code", [IMPORT, *(command(*one) for one in HELP)])
def test_nothing_heavy_is_loaded_to_print_help(code: str) -> None:
    modules = loaded_by(code)
    assert "scorecard" in modules
    assert modules & HEAVY == set()


def test_learning_needs_no_scikit_learn(tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    ages = [20 + row % 50 for row in range(150)]
    rows = [f"{age},{'yes' if 3 * row % 100 < age else 'no'}" for row, age in enumerate(ages)]
    table.write_text("\n".join(["age,ill", *rows]))
    fit = command("fit", table, "--outcome", "ill", "-o", tmp_path / "model.json")
    modules = loaded_by(fit)
    assert "scorecard.learning.search" in modules
    assert modules & NOT_TO_LEARN == set()


@pytest.mark.parametrize(
    "arguments",
    [
        ("card", "MODEL", "-o", "card.html"),
        ("handout", "MODEL", "-o", "handout.html"),
        ("export", "MODEL", "--to", "json", "-o", "card.json"),
        ("check", "MODEL"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_what_is_no_pdf_needs_nothing_heavy(arguments: tuple[str, ...], tmp_path: Path) -> None:
    model = tmp_path / "model.json"
    write_list(TABLE_1, model)
    places = {"MODEL": model, "-o": "-o"}
    typed = [places.get(one, tmp_path / one if "." in one else one) for one in arguments]
    modules = loaded_by(command(*typed))
    assert modules & {*HEAVY, "xlsxwriter"} == set()


def test_a_card_toml_is_written_without_the_learner(tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    table.write_text("age,ill\n" + "30,no\n60,yes\n" * 20)
    new = command("new", table, "--outcome", "ill", "-o", tmp_path / "card.toml")
    modules = loaded_by(new)
    assert "polars" in modules
    assert modules & {*NOT_TO_LEARN, "scorecard.learning.search"} == set()


def test_the_cases_of_the_demo_are_those_of_scikit_learn() -> None:
    from sklearn.datasets import load_breast_cancer

    tumours = load_breast_cancer()
    table = pl.read_csv(breast_masses())
    names = [name.replace(" ", "_") for name in tumours.feature_names]
    assert table.columns == [*names, "diagnosis"]
    assert (table.drop("diagnosis").to_numpy() == tumours.data).all()
    assert table["diagnosis"].to_list() == tumours.target_names[tumours.target].tolist()
    modules = loaded_by("from scorecard.cli.demo import breast_masses; breast_masses()")
    assert modules & HEAVY == set()


def test_a_heavy_import_would_be_seen() -> None:
    assert "numpy" in loaded_by("import numpy")

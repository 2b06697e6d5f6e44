from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import click

from scorecard.cli import messages
from scorecard.cli.output import claim, force_option

FILES = {
    "cases.csv": "569 real cases that come with scikit-learn",
    "card.toml": "what is made of them: outcome, limits, words, forms",
    "model.json": "the learned list: questions, points, risks, evidence",
    "card-a6.pdf": "the pocket card, also as card-a6.png",
    "card-credit.pdf": "the same on a credit card, also as card-credit.png",
    "path-a4.pdf": "the same as arrows to follow, also as path-a4.png",
    "handout.html": "one page that explains, calculates and prints",
    "report.html": "how good such lists are on cases that did not choose them",
    "evaluator.py": "a program that needs nothing but Python",
    "card.json": "the complete decision table for any other program",
    "evaluator.mjs": "the same as a JavaScript module",
    "evaluator.sql": "the same as one query",
    "evaluator.xlsx": "the same as a workbook",
}

MEASURED = (
    "radius", "texture", "perimeter", "area", "smoothness", "compactness", "concavity",
    "concave_points", "symmetry", "fractal_dimension",
)  # fmt: skip

PICTURES = ("card-a6.png", "card-credit.png", "path-a4.png")


@click.command()
@click.option(
    "--out-dir",
    type=click.Path(file_okay=False),
    metavar="FOLDER",
    default="output",
    show_default=True,
    help="Write the files into this folder; it is created.",
)
@force_option
def demo(out_dir: str, force: bool) -> None:
    """Learn a list from real cases and make every form of it.

    569 breast masses that come with scikit-learn, and a card.toml for them: “scorecard build” makes
    what it asks for. Every step is printed as the command one would type.

    \b
    Example:
      scorecard demo --out-dir output
    """
    from scorecard.cli.build import make_all
    from scorecard.files import create_folder

    folder = Path(out_dir)
    create_folder(folder)
    _write_sources(folder, force)
    make_all(folder / "card.toml", force)
    messages.say(f"\nIn {folder}:")
    width = max(map(len, FILES))
    for name, meaning in FILES.items():
        messages.say(f"  {name:<{width}}  {meaning}")


def breast_masses() -> bytes:
    """The Wisconsin Diagnostic Breast Cancer data as a table, from the files of scikit-learn.

    scikit-learn itself is not loaded: that takes longer than to learn from these cases.
    """
    from scorecard.files import read_bytes

    found = find_spec("sklearn")
    assert found, "scikit-learn is a requirement of the package"
    file = Path(str(found.origin)).parent / "datasets" / "data" / "breast_cancer.csv"
    first, *lines = read_bytes(file, 1 << 20).decode().splitlines()
    columns = [
        each.format(name) for each in ("mean_{}", "{}_error", "worst_{}") for name in MEASURED
    ]
    rows = [",".join([*columns, "diagnosis"])]
    for line in lines:
        *values, outcome = line.split(",")
        rows.append(",".join([*map(repr, map(float, values)), first.split(",")[2 + int(outcome)]]))
    return ("\n".join(rows) + "\n").encode()


def _write_sources(folder: Path, force: bool) -> None:
    """The cases as a table one could have at home, and the card.toml a person would write."""
    from scorecard.files import examples_folder, read_bytes, write_bytes

    sources = {
        "cases.csv": breast_masses(),
        "card.toml": read_bytes(examples_folder() / "demo" / "card.toml", 1 << 20),
    }
    for name, content in sources.items():
        # A table says nothing of who wrote it, but this one may be replaced by the same again.
        file = folder / name
        same = file.is_file() and read_bytes(file, 1 << 30) == content
        claim([file], force=force or same)
    claim((folder / name for name in [*FILES, *PICTURES] if name not in sources), force=force)
    for name, content in sources.items():
        write_bytes(folder / name, content)

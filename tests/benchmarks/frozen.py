"""Every form of many lists, written to a folder, and two such folders compared.

`python -m tests.benchmarks.frozen write BEFORE` before a change of the code and `… write AFTER`
behind it; `… compare BEFORE AFTER` names what differs, with the first line that does. The lists are
learned from real and invented tables, published ones, and dealt by chance. A folder with more
tables may be named behind the first: `… write BEFORE ../data`.
"""

from __future__ import annotations

import random
import sys
import warnings
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

import polars as pl
from click.testing import CliRunner

from scorecard import (
    ScoringList,
    ScoringListClassifier,
    StoppingPolicy,
    apply,
    build_staircase,
    export,
    make_card,
    make_handout,
    read_list,
    write_list,
)
from scorecard.cli import cli
from scorecard.errors import ScorecardError
from tests.test_reader import random_list

ROOT = Path(__file__).parents[2]
BY_CHANCE = 20
CARDS = [
    ("card-a6.pdf", {"size": "a6"}),
    ("card-credit.pdf", {"size": "credit-card"}),
    ("card-a4.html", {"size": "a4"}),
    ("path-a4.html", {"size": "a4", "layout": "path"}),
    ("card-a5-de.html", {"size": "a5", "language": "de"}),
]
EXPORTS = {
    "evaluator.py": "python",
    "evaluator.mjs": "javascript",
    "evaluator.sql": "sql",
    "evaluator.xlsx": "excel",
    "card.json": "json",
}


def tables(folder: Path | None) -> Iterator[tuple[str, pl.DataFrame, str]]:
    """Name, table and outcome."""
    from sklearn.datasets import load_breast_cancer

    cancer = load_breast_cancer(as_frame=True)
    frame = pl.from_dict({name: cancer.data[name].to_list() for name in cancer.data})
    yield "breast-cancer", frame.with_columns(ill=pl.Series((cancer.target == 0).to_list())), "ill"
    tutorial = pl.read_csv(ROOT / "examples" / "tutorial" / "cases.csv", infer_schema_length=None)
    yield "tutorial", tutorial, "strep"
    if folder is not None:
        for path in sorted(folder.glob("*.csv")):
            with_values = pl.read_csv(path, infer_schema_length=None)
            yield path.stem, with_values, with_values.columns[-1]


def lists(folder: Path | None) -> Iterator[tuple[str, ScoringList]]:
    """Learned by the usual settings and by some others, published, and dealt by chance."""
    for name, frame, outcome in tables(folder):
        inputs, ill = frame.drop(outcome), frame[outcome]
        positive = sorted(set(ill.to_list()))[-1]
        for how, options in {
            "": {},
            "-held-out": {"evidence": "held-out"},
            "-repeated": {"max_questions": 9, "points": [1, 2, 3]},
        }.items():
            model = ScoringListClassifier(**options).fit(inputs, ill == positive)
            yield name + how, model.scoring_list_
    for path in sorted(ROOT.glob("examples/published/*.toml")):
        yield path.stem, read_list(path)
    for seed in range(BY_CHANCE):
        dealt = random_list(random.Random(seed))
        yield f"chance-{seed}", dealt


def policies(name: str) -> dict[str, StoppingPolicy | None]:
    if name.startswith("chance"):
        return {"point": StoppingPolicy(0.2, 0.6, by="point", min_cases=0)}
    return {"own": None, "5-95": StoppingPolicy(0.05, 0.95)}


def forms(scoring_list: ScoringList, policy: StoppingPolicy | None) -> Iterator[tuple[str, bytes]]:
    yield (
        "staircase.txt",
        str(build_staircase(scoring_list, policy).to_frame("polars").rows()).encode(),
    )
    for name, to in EXPORTS.items():
        yield name, export(scoring_list, to, policy=policy)
    for name, how in CARDS:
        yield name, make_card(scoring_list, name.rpartition(".")[2], policy=policy, **how)
    yield "handout.html", make_handout(scoring_list, policy=policy)


def attempted(steps: Iterator[tuple[str, bytes]]) -> Iterator[tuple[str, bytes]]:
    """The forms, up to the first refusal, which is kept in its place."""
    try:
        yield from steps
    except ScorecardError as error:
        yield "refused.txt", str(error).encode()


def one_by_one(
    scoring_list: ScoringList, policy: StoppingPolicy | None
) -> Iterator[tuple[str, bytes]]:
    yield from attempted(forms(scoring_list, policy))


def write(target: Path, more: Path | None) -> None:
    for name, scoring_list in lists(more):
        folder = target / name
        folder.mkdir(parents=True, exist_ok=True)
        write_list(scoring_list, folder / "model.json")
        shown = CliRunner().invoke(cli, ["show", str(folder / "model.json")])
        (folder / "show.txt").write_text(shown.output)
        for how, policy in policies(name).items():
            for form, content in one_by_one(scoring_list, policy):
                (folder / f"{how}-{form}").write_bytes(content)
    (_, frame, outcome), *_ = tables(more)
    model = read_list(target / "breast-cancer" / "model.json")
    apply(model, frame.drop(outcome)).write_csv(target / "breast-cancer" / "applied.csv")


def compare(before: Path, after: Path) -> int:
    names = {
        path.relative_to(folder)
        for folder in (before, after)
        for path in folder.rglob("*")
        if path.is_file()
    }
    differing = [
        name for name in sorted(names) if _content(before / name) != _content(after / name)
    ]
    for name in differing:
        print(f"{name}: {_first(_content(before / name), _content(after / name))}")
    print(f"{len(names)} files, {len(differing)} differ")
    return int(bool(differing))


def _content(path: Path) -> bytes:
    return path.read_bytes() if path.is_file() else b""


def _first(before: bytes, after: bytes) -> str:
    for one, other in zip_longest(before.splitlines(), after.splitlines(), fillvalue=b""):
        if one != other:
            return f"{one[:200]!r} → {other[:200]!r}"
    return "line ends"


def main() -> int:
    match sys.argv[1:]:
        case ["write", target, *more]:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                write(Path(target), Path(more[0]) if more else None)
            return 0
        case ["compare", before, after]:
            return compare(Path(before), Path(after))
    print(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(main())

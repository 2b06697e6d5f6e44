"""The published lists in `examples/`: their figures, their sources, and where they stop."""

import re
from pathlib import Path

import pytest

from scorecard.core.build_staircase import build_staircase
from scorecard.core.model import ScoringList
from scorecard.core.policy import StoppingPolicy
from scorecard.documents.json_document import dumps, faults, loads, read_list
from tests.lists import TABLE_1

NAMES = ("centor", "curb-65", "marburg-heart-score", "table-1")


@pytest.fixture(scope="module")
def folder(root: Path) -> Path:
    return root / "examples" / "published"


def example(folder: Path, name: str) -> ScoringList:
    return read_list(folder / f"{name}.toml")


def test_no_example_is_left_out(folder: Path) -> None:
    assert sorted(file.stem for file in folder.glob("*.toml")) == list(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_says_where_it_comes_from_and_that_it_is_an_illustration(folder: Path, name: str) -> None:
    about = example(folder, name).about
    assert all((about.title, about.outcome, about.source, about.validation))
    assert "An illustration, not a clinical tool." in about.note


@pytest.mark.parametrize("name", NAMES)
def test_the_document_of_an_example_is_the_same_list(folder: Path, name: str) -> None:
    scoring_list = example(folder, name)
    assert faults(folder / f"{name}.toml") == []
    assert loads(dumps(scoring_list)) == scoring_list


@pytest.mark.parametrize(
    ("name", "published"),
    [
        ("centor", [0.07, 0.12, 0.21, 0.38, 0.57]),
        ("curb-65", [0.007, 0.032, 0.13, 0.17, 0.415, 0.57]),
        ("marburg-heart-score", [0.01, 0.01, 0.05, 0.25, 0.65, 0.65]),
    ],
)
def test_final_risks_are_the_published_ones(
    folder: Path, name: str, published: list[float]
) -> None:
    scoring_list = example(folder, name)
    last = scoring_list.stages[-1]
    assert last is not None
    assert last.totals == tuple(range(len(published)))
    assert [risk.probability for risk in last.risks] == published
    assert all(question.points == 1 for question in scoring_list.questions)


def test_table_1_is_the_one_of_the_paper(folder: Path) -> None:
    scoring_list = example(folder, "table-1")
    assert (scoring_list.questions, scoring_list.stages) == (TABLE_1.questions, TABLE_1.stages)


def cut_offs(
    folder: Path, name: str, rule_out: float, rule_in: float
) -> dict[int, tuple[int | None, int | None]]:
    policy = StoppingPolicy(rule_out, rule_in, by="point")
    steps = build_staircase(example(folder, name), policy).steps
    return {step.number: (step.rule_out_at, step.rule_in_at) for step in steps}


@pytest.mark.parametrize(
    ("name", "limits", "expected"),
    [
        (
            "table-1",
            (0.1, 0.9),
            {0: (None, None), 1: (None, None), 2: (-2, None), 3: (None, 2), 4: (-1, 3)},
        ),
        (
            "marburg-heart-score",
            (0.05, 0.2),
            {0: (None, None), 1: (None, None), 2: (None, None), 3: (0, 3), 4: (1, 3), 5: (2, 3)},
        ),
        (
            "curb-65",
            (0.05, 0.15),
            {0: (None, None), 1: (None, None), 2: (None, None), 3: (None, 3), 4: (0, 3), 5: (1, 3)},
        ),
        (
            "centor",
            (0.12, 0.5),
            {0: (None, None), 1: (None, None), 2: (None, None), 3: (0, None), 4: (1, 4)},
        ),
    ],
)
def test_stops_where_the_readme_says(
    folder: Path,
    name: str,
    limits: tuple[float, float],
    expected: dict[int, tuple[int | None, int | None]],
) -> None:
    assert cut_offs(folder, name, *limits) == expected
    rows = (folder / "README.md").read_text(encoding="utf-8")
    row = next(line for line in rows.splitlines() if line.startswith(f"| `{name}.toml`"))
    assert f"--rule-out {limits[0]} --rule-in {limits[1]}" in row


def test_curb_65_asks_numbers_with_their_units(folder: Path) -> None:
    by_input = {question.input: question for question in example(folder, "curb-65").questions}
    rate, age = by_input["respiratory_rate"], by_input["age"]
    assert (rate.answer(29), rate.answer(30), rate.unit) == (False, True, "/min")
    assert (age.answer(64), age.answer(65), age.unit) == (False, True, "years")


def test_the_form_shown_in_the_readme_is_read(folder: Path) -> None:
    text = (folder / "README.md").read_text(encoding="utf-8")
    shown = re.findall(r"```toml\n(.*?)```", text, flags=re.DOTALL)
    assert len(shown) == 1
    scoring_list = loads(shown[0].encode(), "shown.toml")
    assert [question.input for question in scoring_list.questions] == [
        "cough_absent",
        "temperature",
    ]

"""The published lists in `examples/`: their figures in the file and on paper, and their stops."""

import re
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

import pytest

from scorecard.api import make_card
from scorecard.core.build_staircase import build_staircase
from scorecard.core.model import ScoringList
from scorecard.core.policy import StoppingPolicy
from scorecard.documents.json_document import dumps, faults, loads, read_list
from scorecard.forms.card.read_back import cards_in_pdf
from scorecard.printing.finished import printed_pages
from tests.lists import TABLE_1

# Percent of the cases with so many points, as the sources print it.
PUBLISHED = {
    "abcd2": "0..3: 1.0, 4..5: 4.1, 6..7: 8.1",
    "apfel": "0: 10, 1: 21, 2: 39, 3: 61, 4: 79",
    "centor": "0: 7, 1: 12, 2: 21, 3: 38, 4: 57",
    "crb-65": "0: 0.9, 1: 5.2, 2: 12.0, 3..4: 31.2",
    "curb-65": "0: 0.7, 1: 3.2, 2: 13, 3: 17, 4: 41.5, 5: 57",
    "heart": "0..3: 1.7, 4..6: 16.6, 7..10: 50.1",
    "ich": "0: 0, 1: 13, 2: 26, 3: 72, 4: 97, 5..6: 100",
    "khorana": "0: 0.3, 1..2: 2.0, 3..6: 6.7",
    "marburg-heart-score": "0..1: 1, 2: 5, 3: 25, 4..5: 65",
    "pdnv": "0: 7, 1: 20, 2: 28, 3: 53, 4: 60, 5: 89",
    "rcri": "0: 0.4, 1: 0.9, 2: 7, 3..6: 11",
    "revised-geneva": "0..3: 8, 4..10: 28, 11..22: 74",
    "rockall-pre-endoscopy": "0: 0.2, 1: 2.4, 2: 5.6, 3: 11.0, 4: 24.6, 5: 39.6, 6: 48.9, 7: 50.0",
    "spesi": "0: 1.0, 1..6: 10.9",
    "timi-ua-nstemi": "0..1: 4.7, 2: 8.3, 3: 13.2, 4: 19.9, 5: 26.2, 6..7: 40.9",
    "wells-dvt": "-2..0: 3, 1..2: 17, 3..8: 75",
}
NAMES = ("table-1", *PUBLISHED)


@pytest.fixture(scope="module")
def folder(root: Path) -> Path:
    return root / "examples" / "published"


def example(folder: Path, name: str) -> ScoringList:
    return read_list(folder / f"{name}.toml")


def test_no_example_is_left_out(folder: Path) -> None:
    assert sorted(file.stem for file in folder.glob("*.toml")) == sorted(NAMES)


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


def by_total(name: str) -> dict[int, Decimal]:
    """Percent of the cases at every total, as the source prints it."""
    found = {}
    for entry in PUBLISHED[name].split(", "):
        totals, percent = entry.split(": ")
        lowest, _, highest = totals.partition("..")
        for total in range(int(lowest), int(highest or lowest) + 1):
            found[total] = Decimal(percent)
    return found


@pytest.mark.parametrize("name", PUBLISHED)
def test_final_risks_are_the_published_ones(folder: Path, name: str) -> None:
    last = example(folder, name).stages[-1]
    assert last is not None
    found = zip(last.totals, last.risks, strict=True)
    assert {total: risk.probability for total, risk in found} == {
        total: float(percent / 100) for total, percent in by_total(name).items()
    }


@pytest.mark.usefixtures("pango")
@pytest.mark.parametrize("name", PUBLISHED)
def test_the_figures_on_the_card_are_the_published_ones(folder: Path, name: str) -> None:
    (card,) = cards_in_pdf(printed_pages(make_card(example(folder, name), size="a6")))
    found = {
        total: re.sub(r"[%\s]", "", box.risk)
        for box in card.questions[-1].boxes
        for total in range(box.lowest, box.highest + 1)
    }
    assert found == {total: whole(percent) for total, percent in by_total(name).items()}


def whole(percent: Decimal) -> str:
    """As a card prints it: no chance is none, and none is certain."""
    if percent < 1:
        return "<1"
    return ">99" if percent > 99 else str(percent.quantize(Decimal(1), ROUND_HALF_UP))


@pytest.mark.parametrize("name", PUBLISHED)
def test_every_figure_stands_in_the_readme(folder: Path, name: str) -> None:
    text = (folder / "README.md").read_text(encoding="utf-8")
    about = text[text.index("## What to know") : text.index("## What is not here")]
    figures = {entry.split(": ")[1] for entry in PUBLISHED[name].split(", ")}
    parts = (set(re.findall(r"[0-9.]*[0-9]", part)) for part in re.split(r"^- ", about, flags=re.M))
    assert any(figures <= part for part in parts)


def test_table_1_is_the_one_of_the_paper(folder: Path) -> None:
    scoring_list = example(folder, "table-1")
    assert (scoring_list.questions, scoring_list.stages) == (TABLE_1.questions, TABLE_1.stages)


def cut_offs(folder: Path, name: str, rule_out: float, rule_in: float) -> str:
    """Where one stops, after every question where one may: out at most, in at least."""
    policy = StoppingPolicy(rule_out, rule_in, by="point")
    steps = build_staircase(example(folder, name), policy).steps
    return ", ".join(
        f"{step.number}: {shown(step.rule_out_at)}/{shown(step.rule_in_at)}"
        for step in steps
        if (step.rule_out_at, step.rule_in_at) != (None, None)
    )


def shown(total: int | None) -> str:
    return "–" if total is None else str(total)


@pytest.mark.parametrize(
    ("name", "limits", "expected"),
    [
        ("table-1", (0.1, 0.9), "2: -2/–, 3: –/2, 4: -1/3"),
        ("marburg-heart-score", (0.05, 0.2), "3: 0/3, 4: 1/3, 5: 2/3"),
        ("curb-65", (0.05, 0.15), "3: –/3, 4: 0/3, 5: 1/3"),
        ("centor", (0.12, 0.5), "3: 0/–, 4: 1/4"),
        ("spesi", (0.02, 0.1), "1: –/1, 2: –/1, 3: –/1, 4: –/1, 5: –/1, 6: 0/1"),
        ("ich", (0.1, 0.5), "3: –/3, 4: –/3, 5: –/3, 6: 0/3"),
        ("wells-dvt", (0.05, 0.5), "4: –/3, 5: –/3, 6: –/3, 7: -2/3, 8: -1/3, 9: 0/3"),
        # Without a risk factor troponin can add 2; with one a second question adds 1 more.
        ("heart", (0.02, 0.5), "7: 0/7, 8: 1/7, 9: 2/7, 10: 3/7"),
    ],
)
def test_stops_where_the_readme_says(
    folder: Path,
    name: str,
    limits: tuple[float, float],
    expected: str,
) -> None:
    assert cut_offs(folder, name, *limits) == expected
    assert f"--rule-out {limits[0]} --rule-in {limits[1]}" in row_of(folder, name)


def row_of(folder: Path, name: str) -> str:
    rows = (folder / "README.md").read_text(encoding="utf-8")
    return next(line for line in rows.splitlines() if line.startswith(f"| `{name}.toml`"))


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_list_has_the_limits_of_its_row(folder: Path, name: str) -> None:
    policy = example(folder, name).policy
    assert policy is not None
    assert f"--rule-out {policy.rule_out} --rule-in {policy.rule_in}" in row_of(folder, name)


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

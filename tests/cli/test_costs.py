"""What answers cost is told wherever a list with costs is used, and nowhere else."""

from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from scorecard import apply, build_staircase, evaluate, make_handout
from scorecard.core.model import About, ScoringList
from scorecard.core.walk import case_cost
from scorecard.documents.json_document import read_list, write_list
from scorecard.evaluation.report import report_of
from scorecard.forms.card.contents import CardOptions, view_of
from scorecard.tables.labels import Labels
from tests.cli.conftest import Run
from tests.cross_validated import cross_validated_list
from tests.evaluation.pages import sections


@pytest.fixture(scope="module")
def priced() -> ScoringList:
    learned = cross_validated_list(seed=3, cases=600, questions=3, missing=0.1, signal=3.0)
    names = [question.input for question in learned.questions]
    costs = {name: {"cost": cost} for name, cost in zip(names, (2, 0, 40), strict=True)}
    return Labels(About(cost_unit="min"), costs).put_on(learned)


@pytest.fixture(scope="module")
def rows(priced: ScoringList) -> pl.DataFrame:
    names = [question.input for question in priced.questions]
    rows = [(a, b, c, a or c) for a in (0, 1, None) for b in (0, 1) for c in (0, 1, None)]
    return pl.DataFrame(rows, [*names, "ill"], orient="row").with_columns(
        pl.col("ill").fill_null(0)
    )


def test_every_row_has_the_cost_of_its_answers(priced: ScoringList, rows: pl.DataFrame) -> None:
    staircase = build_staircase(priced)
    names = [question.input for question in priced.questions]
    found = apply(priced, rows)
    for row in found.iter_rows(named=True):
        answers = [None if row[name] is None else bool(row[name]) for name in names]
        assert row["cost"] == case_cost(staircase.questions, answers, row["stage"])
    assert found["cost"].max() == 42
    free = replace(priced, questions=tuple(replace(one, cost=None) for one in priced.questions))
    assert "cost" not in apply(free, rows).columns


def test_card_and_handout_print_the_mean_cost(priced: ScoringList) -> None:
    staircase = build_staircase(priced)
    mean = staircase.mean_cost
    assert mean is not None
    sentence = f"On average the questions cost {float(f'{mean:.3g}'):g}\N{NO-BREAK SPACE}min."
    assert sentence in make_handout(priced).decode()
    card = view_of(staircase, CardOptions())
    assert sentence in card.performance
    assert sentence in card.decided


def test_the_report_has_the_cost_of_a_decision_and_the_curve(
    priced: ScoringList, rows: pl.DataFrame
) -> None:
    found = evaluate(priced, pl.concat([rows] * 5), "ill")
    report = report_of(found)
    ends = found.ends[found.policy.by]
    told = f"A case costs {ends.mean_cost:.2f} min on average"
    assert any(told in sentence for sentence in report.findings)
    (picture,) = [one for one in sections(found) if one.heading == "What does a decision cost?"]
    texts = [text for each in picture.texts.values() for text in each]
    assert "mean cost (min)" in texts
    assert any(f"{ends.cost_curve[1][0]:.2f} min" in text for text in texts)


def test_ask_and_limits_tell_it_too(run: Run, priced: ScoringList, tmp_path: Path) -> None:
    model = tmp_path / "m.json"
    write_list(priced, model)
    assert read_list(model) == priced
    done = run("ask", model, stdin="yes\nunknown\nunknown\n")
    assert done.out.endswith("Cost: 2\N{NO-BREAK SPACE}min.\n")
    assert "the mean cost." in " ".join(run("limits", model).out.split())
    assert '"cost": ' in run("limits", model, "--json").out

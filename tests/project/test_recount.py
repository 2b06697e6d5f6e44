"""What is counted while somebody edits a list is what `fit` counts from the edited file."""

import random
from dataclasses import replace
from pathlib import Path

import pytest

from scorecard.core.given_question import GivenQuestion, given_as
from scorecard.core.model import Condition, ScoringList
from scorecard.documents.edit_text import start_text
from scorecard.project.learn import learn
from scorecard.project.recipe import Limits, Recipe, opened
from scorecard.project.recount import Prepared, prepared, recount


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Numbers, categories, yes and no, gaps, and an input that stands for another one."""
    chance = random.Random(1)
    lines = ["age,crp,site,fever,temperature,ill"]
    for _ in range(400):
        age, heat = chance.gauss(55, 15), chance.gauss(37.5, 0.8)
        crp = "" if chance.random() < 0.45 else f"{chance.expovariate(1 / 20):.1f}"
        site = chance.choice("abc")
        risk = (age - 55) / 20 + 1.4 * (heat - 37.5) + (site == "a") + (float(crp or 10) - 20) / 15
        ill = "yes" if chance.gauss(0, 1) < risk else "no"
        fever = "" if chance.random() < 0.4 else "yes" if heat > 38 else "no"
        lines.append(f"{age:.0f},{crp},{site},{fever},{heat:.1f},{ill}")
    file = tmp_path_factory.mktemp("table") / "cases.csv"
    file.write_text("\n".join(lines), encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def cases(table: Path) -> Prepared:
    return prepared(opened(Recipe(tables=(str(table),), outcome="ill")))


@pytest.fixture(scope="module")
def learned(cases: Prepared) -> ScoringList:
    return recount(cases, ()).scoring_list


def changed(asked: tuple[GivenQuestion, ...], chance: random.Random) -> tuple[GivenQuestion, ...]:
    """Another order, other points, another cut-off, a question less."""
    found = chance.sample(asked, len(asked) - chance.randint(0, 1))
    place = chance.randrange(len(found))
    one = found[place]
    points = chance.choice([-3, -1, 2, 4])
    condition = one.condition
    if condition is not None and condition.cutoff is not None:
        condition = replace(
            condition, cutoff=round(condition.cutoff * chance.uniform(0.95, 1.05), 1)
        )
    found[place] = replace(one, points=points, condition=condition)
    return tuple(found)


def test_a_list_that_nobody_has_edited_is_the_learned_one(cases: Prepared, table: Path) -> None:
    plain = learn(opened(Recipe(tables=(str(table),), outcome="ill")))
    assert recount(cases, ()).scoring_list == plain.scoring_list


def test_what_is_left_open_stays_open_in_the_file(
    cases: Prepared, learned: ScoringList, table: Path, tmp_path: Path
) -> None:
    """Each list of cross-validation learns it without the cases that judge it."""
    asked = (*map(given_as, learned.questions[:2]), GivenQuestion("fever"))
    found = recount(cases, asked, learned=learned)
    file = tmp_path / "list.toml"
    text = start_text(found.scoring_list, "model.json", file.name, given=asked, of=learned)
    file.write_text(text, encoding="utf-8")
    recipe = Recipe(tables=(str(table),), outcome="ill", start=str(file), max_questions=0)
    by_fit = learn(opened(recipe))
    assert found.scoring_list == by_fit.scoring_list
    folds = by_fit.scoring_list.cross_validation
    assert folds is not None
    assert len({fold.questions[2] for fold in folds.folds}) > 1


@pytest.mark.parametrize("seed", range(4))
def test_an_edit_has_the_figures_of_fit(
    seed: int, cases: Prepared, learned: ScoringList, table: Path, tmp_path: Path
) -> None:
    chance = random.Random(seed)
    asked = changed(tuple(map(given_as, learned.questions)), chance)
    limits = chance.choice([Limits(), Limits(rule_out=0.2, rule_in=0.7)])
    more = chance.choice([0, 1])
    found = recount(cases, asked, learned=learned, more=more, limits=limits)
    assert [given_as(one) for one in found.scoring_list.questions[: len(asked)]] == [*asked]
    file = tmp_path / "list.toml"
    text = start_text(found.scoring_list, "model.json", file.name, given=asked, of=learned)
    file.write_text(text, encoding="utf-8")
    recipe = Recipe(
        tables=(str(table),), outcome="ill", start=str(file), max_questions=more, limits=limits
    )
    by_fit = learn(opened(recipe))
    assert found.scoring_list == by_fit.scoring_list
    assert [str(one) for one in found.remarks] == [str(one) for one in by_fit.remarks]


def test_substitutes_are_chosen_among_all_columns(tmp_path: Path) -> None:
    """Though only those that are asked for are counted."""
    chance, table = random.Random(2), tmp_path / "heat.csv"
    heats = [chance.gauss(37.5, 0.8) for _ in range(1000)]
    rows = (
        f"{'' if chance.random() < 0.5 else 'yes' if heat > 38 else 'no'},{heat:.1f},"
        f"{'yes' if chance.random() < (0.85 if heat > 38 else 0.03) else 'no'}"
        for heat in heats
    )
    table.write_text("\n".join(["fever,temperature,ill", *rows]), encoding="utf-8")
    cases = prepared(opened(Recipe(tables=(str(table),), outcome="ill")))
    limits = Limits(rule_out=0.1, rule_in=0.7)
    asked = (GivenQuestion("fever", Condition("yes"), 1),)
    found = recount(cases, asked, limits=limits).scoring_list
    assert found.questions[0].if_unknown is not None
    assert found.questions[0].if_unknown.input == "temperature"


def test_who_is_told_of_the_progress_may_end_the_count(cases: Prepared) -> None:
    class LaterEditError(Exception):
        """A newer edit makes the count idle."""

    def stop(_done: float, _all: int) -> None:
        raise LaterEditError

    asked = (GivenQuestion("age", Condition(">=", 60), 1),)
    with pytest.raises(LaterEditError):
        recount(cases, asked, progress=stop)

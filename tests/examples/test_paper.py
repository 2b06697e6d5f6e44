"""The study of the paper: its published means come out of this program."""

from dataclasses import replace
from itertools import permutations, product
from types import SimpleNamespace

import numpy as np
import pytest

from examples.paper.__main__ import main
from examples.paper.chest_pain import MARBURG, simulated_cohort
from examples.paper.datasets import chest_pain, local
from examples.paper.published import ALLOWED, beside, read_published
from examples.paper.search_space import explore
from examples.paper.stagewise import CONFIGURATIONS, logistic, run, summary
from scorecard.learning.classifier import ScoringListClassifier
from scorecard.learning.options import PUBLISHED
from tests.exhaustive import EXHAUSTIVE, only_exhaustive
from tests.learning.tables import expected_entropy


@pytest.fixture(scope="module")
def ilpd(shared):
    return local("ILPD", shared / "data")


@pytest.fixture(scope="module")
def found(ilpd):
    """All 100 splits; single splits are compared with the authors' in tests/learning."""
    if not EXHAUSTIVE:
        pytest.skip("takes minutes: make exhaustive")
    return run(ilpd.X, ilpd.y)


@pytest.fixture(scope="module")
def lines(reference, found):
    published = read_published(reference / "authors_stagewise.csv", "ILPD")
    return beside(found, published)


@pytest.mark.parametrize("configuration", [one.name for one in CONFIGURATIONS])
def test_brier_scores_are_the_published_ones(lines, configuration):
    check(lines, configuration, "brier", 11)


@pytest.mark.parametrize(
    "configuration", [one.name for one in CONFIGURATIONS if one.calibration == "isotonic"]
)
@pytest.mark.parametrize("measure", ["entropy", "auc_risk", "loss", "loss_upper"])
def test_other_figures_are_the_published_ones(lines, configuration, measure):
    check(lines, configuration, measure, 11)


def test_few_figures_of_beta_calibration_differ_and_all_to_the_better(lines):
    assert len(lines) == 385
    others = [one for one in lines if not one.agrees]
    assert len(others) <= 10
    for one in others:
        assert one.configuration.startswith("beta")
        assert one.measure in ("entropy", "loss")
        assert one.ours < one.theirs


def check(lines, configuration, measure, stages):
    chosen = [one for one in lines if (one.configuration, one.measure) == (configuration, measure)]
    assert len(chosen) == stages
    assert [one for one in chosen if not one.agrees] == []


@only_exhaustive
@pytest.mark.parametrize(
    ("variant", "penalised"), [("logreg", True), ("logreg_unregularized", False)]
)
def test_logistic_regression_is_the_published_one(reference, ilpd, variant, penalised):
    path = reference / "authors_stagewise.csv"
    published = read_published(path, "ILPD", variant)
    means, _ = summary(logistic(ilpd.X, ilpd.y, penalised=penalised))
    configuration = ("psl_prebin", "bisect", "isotonic", "expected_entropy")
    for column, measure in enumerate(("brier", "loss")):
        for stage in range(11):
            theirs, half = published[(*configuration, measure, stage)]
            assert means[stage, column] == pytest.approx(theirs, abs=half + ALLOWED)


def test_ranking_by_total_is_at_least_as_good_as_by_risk(found):
    for name, values in found.items():
        means, _ = summary(values)
        assert np.all(means[:, 2] >= means[:, 3] - 1e-9), name


def test_the_simulated_cohort_has_the_size_of_the_real_one():
    X, y = simulated_cohort()
    assert X.shape == (1199, 10)
    assert y.sum() == 135
    assert np.array_equal(X, simulated_cohort()[0])
    assert not np.array_equal(X, simulated_cohort(seed=1)[0])


def test_its_first_five_questions_are_those_of_the_marburg_heart_score():
    cohort = chest_pain()
    model = ScoringListClassifier(**PUBLISHED, points=(1, 2, 3)).fit(cohort.X, cohort.y)
    chosen = [cohort.inputs[int(question.input[1:])] for question in model.questions_[:5]]
    assert set(chosen) == set(MARBURG)
    assert "imulated" in cohort.name
    assert "imulated" in cohort.note


def test_one_command_writes_every_figure(tmp_path, capsys):
    main(["--out", str(tmp_path), "--splits", "2"])
    assert "study.html" in capsys.readouterr().out
    names = {path.name for path in tmp_path.glob("*.svg")}
    assert {name[:3] for name in names} == {"rq1", "rq2", "rq3", "rq4", "rq5"}
    assert len(names) == 7
    for path in tmp_path.iterdir():
        text = path.read_text(encoding="utf-8")
        if "chest pain" in text:
            assert "imulated" in text, path.name


def test_greedy_and_best_list_lie_inside_the_search_space():
    cohort = chest_pain()
    few = replace(cohort, X=cohort.X[:, :6], inputs=cohort.inputs[:6])
    space = explore(few, (1, 2))
    assert space.systems == 3**6
    best, *_, worst = space.quantiles.T
    for losses in (space.greedy, space.optimal):
        assert np.all(best - 1e-9 <= losses)
        assert np.all(losses <= worst + 1e-9)
    assert sum(space.optimal) <= sum(space.greedy) + 1e-9


@pytest.mark.parametrize("seed", range(4))
def test_no_list_has_a_smaller_sum_of_losses(seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, (60, 3))
    y = rng.random(60) < 1 / (1 + np.exp(1 - X @ [2, 0.5, -1]))
    space = explore(SimpleNamespace(X=X, y=y, inputs=("a", "b", "c")), (-1, 1, 2))
    everything = [
        sum(_stage_losses(X, y, zip(order, given, strict=True)))
        for order in permutations(range(3))
        for given in product((-1, 1, 2), repeat=3)
    ]
    assert sum(space.optimal) == pytest.approx(min(everything), abs=1e-9)


def _stage_losses(X, y, questions):
    """Entropies after 0, 1, … of the questions (input, points)."""
    totals = np.zeros(len(y), int)
    for column, points in [(0, 0), *questions]:
        totals = totals + points * X[:, column]
        _, places = np.unique(totals, return_inverse=True)
        yield expected_entropy(np.bincount(places), np.bincount(places, y))

"""The paper authors' results on the Indian Liver Patient Dataset, split by split."""

from functools import cache

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import ShuffleSplit

from tests.exhaustive import only_exhaustive
from tests.learning.tables import by_counts

SPLITS = 100
STAGES = 11
TOOK_LAST_INPUT_FOR_BINARY = {28, 33, 60, 83}
POINTS = "(-3, -2, -1, 1, 2, 3)"


@pytest.fixture(scope="module")
def splits(shared):
    data = np.loadtxt(shared / "data" / "ilpd.csv", delimiter=",", skiprows=1)
    X, y = data[:, :-1], data[:, -1].astype(int)

    def split(fold):
        train, test = next(ShuffleSplit(1, test_size=0.33, random_state=fold).split(X))
        return X[train], y[train], X[test], y[test]

    return [split(fold) for fold in range(SPLITS)]


@pytest.fixture(scope="module")
def models(splits):
    @cache
    def learned(cutoffs, **more):
        options = {"cutoffs": cutoffs, "min_gain": None, "round_cutoffs": False, **more}
        return [by_counts(**options).fit(X, y) for X, y, _, _ in splits]

    return learned


@pytest.fixture(scope="module")
def means(reference):
    table = pd.read_csv(reference / "authors_stagewise.csv")
    table = table[(table.dataset == "ILPD") & (table.clf == "psl") & (table.score_set == POINTS)]
    table = table[table.clf_variant.isna()]

    def column(name, method="bisect", calibration="isotonic", loss="expected_entropy"):
        rows = table[(table.method == method) & (table.calibration == calibration)]
        return rows[rows.stage_loss == loss].sort_values("stage")[name].to_numpy()

    return column


@pytest.fixture(scope="module")
def folds(shared):
    table = pd.read_csv(shared / "reference" / "ilpd_authors_folds.csv.gz")
    table = table[(table.clf == "psl") & (table.calibration == "isotonic")]
    table = table[table.stage_loss == "expected_entropy"]

    def losses(method):
        rows = table[table.method == method].pivot(
            index="fold", columns="stage", values="train_ent"
        )
        comparable = [fold for fold in range(SPLITS) if fold not in TOOK_LAST_INPUT_FOR_BINARY]
        return {fold: rows.loc[fold].to_numpy() for fold in comparable}

    return losses


def mean_brier(models, splits):
    """Per stage, on the test cases."""
    scores = [
        [np.mean((model.predict_proba(X, stage)[:, 1] - y) ** 2) for stage in range(STAGES)]
        for model, (_, _, X, y) in zip(models, splits, strict=True)
    ]
    return np.mean(scores, axis=0)


def test_bisect_finds_the_authors_lists(models, folds):
    expected = folds("bisect")
    found = models("bisect")
    equal = [np.allclose(found[f].losses_, expected[f], rtol=0, atol=1e-9) for f in expected]
    assert len(equal) == 96
    assert sum(equal) >= 85


def test_exact_is_never_above_the_authors_brute_force(models, folds, means):
    expected, found = folds("brute"), models("exact")
    assert all(found[f].losses_[1] <= expected[f][1] + 1e-9 for f in expected)
    mean = np.mean([model.losses_ for model in found], axis=0)
    assert np.all(mean <= means("train_ent_mean", "brute") + 0.001)


def test_isotonic_brier_of_the_test_cases(models, splits, means):
    for cutoffs, method in (("bisect", "bisect"), ("exact", "brute")):
        found = mean_brier(models(cutoffs), splits)
        assert found == pytest.approx(means("test_brier_mean", method), abs=0.001)


@only_exhaustive
@pytest.mark.parametrize(("method", "name"), [("beta", "beta"), ("sigmoid", "sigmoid")])
def test_other_calibrations(models, splits, means, method, name):
    found = mean_brier(models("bisect", calibration=method), splits)
    assert found == pytest.approx(means("test_brier_mean", calibration=name), abs=0.005)


def test_ranking(models, splits, means):
    found = [
        [roc_auc_score(y, model.decision_function(X, stage=stage)) for stage in range(STAGES)]
        for model, (_, _, X, y) in zip(models("bisect", loss="ranking"), splits, strict=True)
    ]
    expected = means("test_roc_mean", loss="soft_ranking_loss")
    assert np.mean(found, axis=0) == pytest.approx(expected, abs=0.005)

import json
from dataclasses import replace

import numpy as np
import pytest

from scorecard import ScoringListClassifier, StoppingPolicy, build_staircase
from scorecard.core.recalibration import ranged
from scorecard.learning.risks import quick_band
from tests.learning.oracle import calibrate
from tests.learning.tables import by_counts


def bounds_of(cases, positives, rates, level):
    """The ends of the ranges of a stage with these counts; `None` where it has none."""
    counts = list(zip(cases.tolist(), positives.tolist(), strict=True))
    risks = ranged(rates.tolist(), quick_band(counts, level), counts)
    if risks[0].lower is None:
        return None
    return np.array([(risk.lower, risk.upper) for risk in risks]).T


@pytest.fixture(scope="module")
def vectors(reference):
    return json.loads((reference / "clopper_pearson.json").read_text())


def test_bands_of_the_reference(vectors):
    one = vectors["band"]
    cases, positives = np.array(one["n"], float), np.array(one["pos"], float)
    rates = calibrate("isotonic", np.arange(cases.size), cases, positives)
    lower, upper = bounds_of(cases, positives, rates, 1 - one["alpha"])
    assert lower == pytest.approx(one["methods"]["paper"]["lower"], abs=1e-12)
    assert upper == pytest.approx(one["methods"]["paper"]["upper"], abs=1e-12)


def test_bounds_that_cross_are_no_band(vectors):
    one = vectors["crossing"]
    assert quick_band(list(zip(one["n"], one["pos"], strict=True)), 1 - one["alpha"]) is None


@pytest.mark.parametrize("seed", range(20))
def test_bands_rise_and_cover_the_estimate(seed):
    rng = np.random.default_rng(seed)
    cases = rng.integers(0, 20, 7).astype(float)
    positives = rng.binomial(cases.astype(int), np.linspace(0.1, 0.9, 7)).astype(float)
    rates = calibrate("isotonic", np.arange(7), cases, positives)
    lower, upper = bounds_of(cases, positives, rates, 0.95)
    assert np.all(np.diff(lower) >= 0)
    assert np.all(np.diff(upper) >= 0)
    assert np.all((lower <= rates) & (rates <= upper))


def test_bands_hold_at_their_level():
    rng = np.random.default_rng(0)
    truth, covered = np.linspace(0.05, 0.8, 6), 0
    for _ in range(400):
        cases = rng.multinomial(150, np.full(6, 1 / 6))
        positives = rng.binomial(cases, truth).astype(float)
        rates = calibrate("isotonic", np.arange(6), cases.astype(float), positives)
        bounds = bounds_of(cases.astype(float), positives, rates, 0.9)
        covered += bounds is not None and bool(np.all((bounds[0] <= truth) & (truth <= bounds[1])))
    assert covered / 400 >= 0.9 - 2 * np.sqrt(0.09 / 400)


def test_on_noise_held_out_bands_cover_and_training_bands_do_not():
    covered = {"training": 0, "held-out": 0}
    for seed in range(60):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(200, 10)), rng.random(200) < 0.3
        for origin, share in (("training", 0.0), ("held-out", 0.4)):
            model = by_counts(
                max_questions=3,
                held_out=share,
                evidence="held-out" if share else "training",
                random_state=seed,
            )
            stage = model.fit(X, y).scoring_list_.stages[-1]
            assert model.scoring_list_.risk_source.origin == origin
            covered[origin] += all(risk.lower <= 0.3 <= risk.upper for risk in stage.risks)
    assert covered["held-out"] >= 54  # 95 % of 60 is 57
    assert covered["training"] <= 45


@pytest.mark.parametrize("calibration", ["sigmoid", "beta"])
def test_the_calibration_reaches_the_boxes(calibration):
    """Where nobody stops everybody gets everywhere: the boxes show the risks of the stages."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(400, 4))
    y = rng.random(400) < 1 / (1 + np.exp(-X @ [1.5, 1, 0.5, 0]))
    model = by_counts(max_questions=3, calibration=calibration, evidence="held-out")
    found = model.fit(X, y).scoring_list_
    nobody = StoppingPolicy(0.0, 1.0, by="point", estimate="reached", min_cases=10**6)
    isotonic = replace(found, risk_source=replace(found.risk_source, calibration="isotonic"))
    compared = 0
    for stage, step in zip(found.stages, build_staircase(found, nobody).steps, strict=True):
        for box in step.boxes:
            if box.risk is None or box.totals != (box.total, box.total):
                continue  # too few cases for a figure of its own
            compared += 1
            for name in ("probability", "lower", "upper"):
                ours, theirs = getattr(box.risk, name), getattr(stage.risk(box.total), name)
                assert ours == pytest.approx(theirs, abs=1e-9)
    assert compared >= 5
    assert build_staircase(isotonic, nobody).steps[-1] != build_staircase(found, nobody).steps[-1]


def test_ranges_of_cross_validated_risks_cover_where_those_of_training_do_not():
    """On noise every total has the same risk; the larger simulation is a benchmark, ranges.py."""
    covered = {"cross-validated": 0, "training": 0}
    for seed in range(25):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(200, 10)), rng.random(200) < 0.3
        for evidence in covered:
            model = ScoringListClassifier(max_questions=2, evidence=evidence).fit(X, y)
            stage = model.scoring_list_.stages[-1]
            covered[evidence] += all(risk.lower <= 0.3 <= risk.upper for risk in stage.risks)
    assert covered["cross-validated"] >= 22  # 95 % of 25 is 23.75
    assert covered["training"] <= 18

import json

import numpy as np
import pytest

from scorecard.learning.bands import BANDS, band, clopper_pearson
from scorecard.learning.calibration import calibrate
from tests.learning.tables import by_counts


@pytest.fixture(scope="module")
def vectors(reference):
    return json.loads((reference / "clopper_pearson.json").read_text())


def test_intervals_of_the_reference(vectors):
    for one in vectors["cp"]:
        lower, upper = clopper_pearson(np.array([one["P"]]), np.array([one["N"]]), one["alpha"])
        assert lower[0] == pytest.approx(one["lower"], abs=1e-12)
        assert upper[0] == pytest.approx(one["upper"], abs=1e-12)


@pytest.mark.parametrize(
    ("kind", "name"), [("paper", "paper"), ("sidak", "sidak_nonempty"), ("pooled", "geometric_cp")]
)
def test_bands_of_the_reference(vectors, kind, name):
    one = vectors["band"]
    cases, positives = np.array(one["n"], float), np.array(one["pos"], float)
    rates = calibrate("isotonic", np.arange(cases.size), cases, positives)
    lower, upper = band(kind, cases, positives, rates, 1 - one["alpha"])
    assert lower == pytest.approx(one["methods"][name]["lower"], abs=1e-12)
    assert upper == pytest.approx(one["methods"][name]["upper"], abs=1e-12)


def test_bounds_that_cross_are_no_band(vectors):
    one = vectors["crossing"]
    cases, positives = np.array(one["n"], float), np.array(one["pos"], float)
    assert band("paper", cases, positives, np.array(one["isotonic"]), 1 - one["alpha"]) is None


@pytest.mark.parametrize("kind", BANDS)
@pytest.mark.parametrize("seed", range(20))
def test_bands_rise_and_cover_the_estimate(kind, seed):
    rng = np.random.default_rng(seed)
    cases = rng.integers(0, 20, 7).astype(float)
    positives = rng.binomial(cases.astype(int), np.linspace(0.1, 0.9, 7)).astype(float)
    rates = calibrate("isotonic", np.arange(7), cases, positives)
    lower, upper = band(kind, cases, positives, rates, 0.95)
    assert np.all(np.diff(lower) >= 0)
    assert np.all(np.diff(upper) >= 0)
    assert np.all((lower <= rates) & (rates <= upper))


@pytest.mark.parametrize("kind", BANDS)
def test_bands_hold_at_their_level(kind):
    rng = np.random.default_rng(0)
    truth, covered = np.linspace(0.05, 0.8, 6), 0
    for _ in range(400):
        cases = rng.multinomial(150, np.full(6, 1 / 6))
        positives = rng.binomial(cases, truth).astype(float)
        rates = calibrate("isotonic", np.arange(6), cases.astype(float), positives)
        bounds = band(kind, cases.astype(float), positives, rates, 0.9)
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
            assert model.scoring_list_.figures.origin == origin
            covered[origin] += all(risk.lower <= 0.3 <= risk.upper for risk in stage.risks)
    assert covered["held-out"] >= 54  # 95 % of 60 is 57
    assert covered["training"] <= 45

import numpy as np
import pytest
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from scorecard.learning.calibration import CALIBRATIONS, calibrate

TOTALS = np.array([-2, 0, 1, 3, 4, 7])
CASES = np.array([10.0, 8, 0, 12, 20, 5])
POSITIVES = np.array([1.0, 3, 0, 2, 15, 5])


def cases_of(totals, cases, positives):
    x = np.repeat(
        np.concatenate((totals, totals)), np.concatenate((positives, cases - positives)).astype(int)
    )
    y = np.repeat([1, 0], [int(positives.sum()), int((cases - positives).sum())])
    return x, y


@pytest.mark.parametrize("method", CALIBRATIONS)
@pytest.mark.parametrize("seed", range(20))
def test_probabilities_rise_with_the_total(method, seed):
    rng = np.random.default_rng(seed)
    cases = rng.integers(0, 6, 8).astype(float)
    cases[rng.integers(8)] += 1
    positives = np.floor(cases * rng.random(8))
    q = calibrate(method, np.arange(8), cases, positives)
    assert np.all(np.diff(q) >= 0)
    assert np.all((q >= 0) & (q <= 1))


def test_isotonic_is_scikit_learns_with_a_line_through_unseen_totals():
    x, y = cases_of(TOTALS, CASES, POSITIVES)
    expected = IsotonicRegression(out_of_bounds="clip").fit(x, y).predict(TOTALS)
    assert calibrate("isotonic", TOTALS, CASES, POSITIVES) == pytest.approx(expected)


def test_pseudo_cases_pull_towards_the_base_rate():
    plain = calibrate("isotonic", TOTALS, CASES, POSITIVES)
    weak = calibrate("isotonic-prior", TOTALS, CASES, POSITIVES, 1.0)
    strong = calibrate("isotonic-prior", TOTALS, CASES, POSITIVES, 1e9)
    base_rate = POSITIVES.sum() / CASES.sum()
    assert np.ptp(strong) < 1e-6
    assert strong == pytest.approx(base_rate)
    assert np.ptp(weak) < np.ptp(plain)
    assert calibrate("isotonic-prior", TOTALS, CASES, POSITIVES, 0.0) == pytest.approx(plain)


@pytest.mark.parametrize("strength", [0.1, 1.0, 5.0])
def test_sigmoid_is_l2_penalised_logistic_regression_on_standardised_totals(strength):
    x, y = cases_of(TOTALS, CASES, POSITIVES)
    regression = LogisticRegression(C=1 / strength, tol=1e-10, max_iter=1000)
    model = make_pipeline(StandardScaler(), regression).fit(x[:, None], y)
    expected = model.predict_proba(TOTALS[:, None])[:, 1]
    found = calibrate("sigmoid", TOTALS, CASES, POSITIVES, strength)
    assert found == pytest.approx(expected, abs=1e-6)
    assert calibrate("sigmoid", 3 * TOTALS, CASES, POSITIVES, strength) == pytest.approx(found)


@pytest.mark.parametrize("strength", [0.1, 1.0, 5.0])
def test_beta_is_logistic_regression_on_two_logarithms_of_the_scaled_total(strength):
    x, y = cases_of(TOTALS, CASES, POSITIVES)
    scaled = np.clip((np.column_stack([x]) + 2) / 9, 2.0**-52, 1 - 2.0**-52)
    terms = np.column_stack([np.log(scaled), -np.log1p(-scaled)])
    model = LogisticRegression(C=1 / strength, tol=1e-12, max_iter=10_000).fit(terms, y)
    assert np.all(model.coef_ >= 0)
    expected = [model.predict_proba(terms[x == total][:1])[0, 1] for total in TOTALS[CASES > 0]]
    found = calibrate("beta-l2", TOTALS, CASES, POSITIVES, strength)[CASES > 0]
    assert found == pytest.approx(expected, abs=1e-6)


def test_beta_drops_a_term_that_would_make_risks_fall():
    falling = calibrate("beta", np.array([0, 1, 2]), np.array([9.0, 9, 9]), np.array([8.0, 5, 1]))
    assert falling == pytest.approx(14 / 27)
    rising = calibrate("beta", np.array([0, 1, 2]), np.array([9.0, 9, 9]), np.array([1.0, 5, 8]))
    assert rising == pytest.approx([1 / 9, 5 / 9, 8 / 9], abs=0.02)


@pytest.mark.parametrize("method", CALIBRATIONS)
def test_stage_0_is_the_base_rate(method):
    assert calibrate(method, np.array([0]), np.array([8.0]), np.array([2.0])) == [0.25]


@pytest.mark.parametrize("method", CALIBRATIONS)
def test_perfect_separation_and_a_single_outcome_stay_finite(method):
    apart = calibrate(method, np.arange(3), np.array([5.0, 5, 5]), np.array([0.0, 0, 5]))
    alike = calibrate(method, np.arange(3), np.array([5.0, 5, 5]), np.array([5.0, 5, 5]))
    assert np.all(np.isfinite(apart))
    assert alike == pytest.approx(1.0)

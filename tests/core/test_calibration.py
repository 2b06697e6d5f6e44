"""Rising risks and their ranges against scikit-learn, scipy and hand-made counts."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from scorecard.core.calibration import CALIBRATIONS, DEFAULT_STRENGTH, band, isotonic
from tests.learning.oracle import calibrate

counts_per_total = st.lists(
    st.integers(0, 40).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))),
    min_size=1,
    max_size=9,
)


@given(counts_per_total, st.integers(1, 3))
def test_isotonic_is_that_of_scikit_learn(counts, gap):
    totals = [gap * place - 3 for place in range(len(counts))]
    seen = [(t, p / n, n) for t, (n, p) in zip(totals, counts, strict=True) if n]
    ours = isotonic(totals, counts)
    if not seen:
        assert ours is None
        return
    where, rates, weights = zip(*seen, strict=True)
    model = IsotonicRegression(out_of_bounds="clip").fit(where, rates, sample_weight=weights)
    assert ours == pytest.approx(list(model.predict(totals)), abs=1e-12)
    assert ours == sorted(ours)


def test_isotonic_of_pooled_and_unseen_totals():
    assert isotonic([0, 1, 2], [(10, 5), (10, 1), (10, 9)]) == [0.3, 0.3, 0.9]
    assert isotonic([0, 1, 3, 4], [(0, 0), (10, 2), (0, 0), (10, 8)]) == pytest.approx(
        [0.2, 0.2, 0.6, 0.8]
    )
    assert isotonic([0, 1], [(0, 0), (0, 0)]) is None


@given(counts_per_total)
def test_band_is_clopper_pearson_made_monotone(counts):
    alpha = 0.05 / len(counts)
    lower = [stats.beta.ppf(alpha / 2, p, n - p + 1) if p else 0 for n, p in counts]
    upper = [stats.beta.ppf(1 - alpha / 2, p + 1, n - p) if p < n else 1 for n, p in counts]
    lower = np.maximum.accumulate(lower)
    upper = np.minimum.accumulate(upper[::-1])[::-1]
    ours = band(counts, 0.95)
    if (lower > upper).any():
        assert ours is None
    else:
        assert np.allclose(ours, np.column_stack([lower, upper]), atol=1e-10)


def test_band_refuses_data_that_contradict_a_rising_risk():
    assert band([(50, 50), (50, 0)], 0.95) is None


def test_single_intervals_of_the_reference(reference):
    vectors = json.loads((reference / "clopper_pearson.json").read_text())["cp"]
    assert vectors
    for vector in vectors:
        counts = [(vector["P"] + vector["N"], vector["P"])]
        expected = (vector["lower"], vector["upper"])
        assert band(counts, 1 - vector["alpha"])[0] == pytest.approx(expected, abs=1e-9)


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
    found = calibrate("beta", TOTALS, CASES, POSITIVES, strength)[CASES > 0]
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


def test_the_slope_of_a_sigmoid_is_penalised_by_one():
    assert DEFAULT_STRENGTH == {"isotonic": 0, "sigmoid": 1, "beta": 0}


def test_beta_drops_also_the_second_term_where_it_would_make_risks_fall_a_little():
    cases, positives = np.array([34.0, 22, 38, 11]), np.array([0.0, 16, 37, 0])
    found = calibrate("beta", np.array([0, 1, 2, 3]), cases, positives, 0.5)
    # One term is left: the log-odds grow with the logarithm of the scaled total.
    slopes = np.diff(np.log(found / (1 - found))[1:]) / np.diff(np.log([1 / 3, 2 / 3, 1]))
    assert slopes[0] == pytest.approx(slopes[1], rel=1e-3)
    assert slopes[0] > 0

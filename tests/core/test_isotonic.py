"""Rising risks and their ranges against scikit-learn, scipy and hand-made counts."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn.isotonic import IsotonicRegression

from scorecard.core.isotonic import band, isotonic

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
    alpha = 0.05 / 11
    lower = [stats.beta.ppf(alpha / 2, p, n - p + 1) if p else 0 for n, p in counts]
    upper = [stats.beta.ppf(1 - alpha / 2, p + 1, n - p) if p < n else 1 for n, p in counts]
    lower = np.maximum.accumulate(lower)
    upper = np.minimum.accumulate(upper[::-1])[::-1]
    ours = band(counts, 0.95, 11)
    if (lower > upper).any():
        assert ours is None
    else:
        assert np.allclose(ours, np.column_stack([lower, upper]), atol=1e-10)


def test_band_refuses_data_that_contradict_a_rising_risk():
    assert band([(50, 50), (50, 0)], 0.95, 2) is None


def test_single_intervals_of_the_reference(reference):
    vectors = json.loads((reference / "clopper_pearson.json").read_text())["cp"]
    assert vectors
    for vector in vectors:
        counts = [(vector["P"] + vector["N"], vector["P"])]
        expected = (vector["lower"], vector["upper"])
        assert band(counts, 1 - vector["alpha"], 1)[0] == pytest.approx(expected, abs=1e-9)

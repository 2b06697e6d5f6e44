"""The bounds written with `math` against scipy and against closed forms."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from scorecard.core.binomial import (
    at_least,
    at_most,
    cases_for_zero,
    chance_of_two_rates,
    incomplete_beta,
    lower_bound,
    upper_bound,
)

counts = st.integers(0, 3000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
confidences = st.floats(0.5, 0.9999)


@given(counts, st.floats(0.001, 0.999))
def test_tails_are_those_of_the_binomial_distribution(count, rate):
    positives, cases = count
    assert at_most(positives, cases, rate) == pytest.approx(
        stats.binom.cdf(positives, cases, rate), rel=1e-9, abs=1e-200
    )
    assert at_least(positives, cases, rate) == pytest.approx(
        stats.binom.sf(positives - 1, cases, rate), rel=1e-9, abs=1e-200
    )


@given(counts, confidences)
def test_bounds_are_clopper_pearson(count, confidence):
    positives, cases = count
    upper = stats.beta.ppf(confidence, positives + 1, cases - positives) if positives < cases else 1
    lower = stats.beta.ppf(1 - confidence, positives, cases - positives + 1) if positives else 0
    assert upper_bound(positives, cases, confidence) == pytest.approx(upper, rel=1e-9)
    assert lower_bound(positives, cases, confidence) == pytest.approx(lower, rel=1e-9)


@given(st.floats(0.1, 500), st.floats(0.1, 500), st.floats(0, 1))
def test_incomplete_beta_takes_effective_numbers(a, b, x):
    assert incomplete_beta(x, a, b) == pytest.approx(stats.beta.cdf(x, a, b), rel=1e-9, abs=1e-15)


def test_bounds_at_the_ends():
    assert lower_bound(0, 20, 0.95) == 0
    assert upper_bound(20, 20, 0.95) == 1
    assert upper_bound(0, 0, 0.95) == 1
    assert upper_bound(0, 20, 0.975) == pytest.approx(1 - 0.025 ** (1 / 20))


@pytest.mark.parametrize(("limit", "confidence", "cases"), [(0.05, 0.9, 45), (0.5, 0.75, 2)])
def test_cases_for_zero_is_the_smallest_group_that_keeps_the_limit(limit, confidence, cases):
    assert cases_for_zero(limit, confidence) == cases
    assert upper_bound(0, cases, confidence) <= limit + 1e-12
    assert upper_bound(0, cases - 1, confidence) > limit


@given(st.floats(0, 1e6), st.floats(0, 1e6), confidences)
def test_bounds_of_effective_numbers_enclose_the_rate(positives, negatives, confidence):
    cases = positives + negatives
    lower = lower_bound(positives, cases, confidence)
    upper = upper_bound(positives, cases, confidence)
    assert 0 <= lower <= upper <= 1
    if cases > 0 and confidence >= 0.9:
        assert lower <= positives / cases * (1 + 1e-9)
        assert upper >= positives / cases * (1 - 1e-9)


def test_a_limit_next_to_nothing_needs_more_cases_than_there_are():
    assert cases_for_zero(5e-324, 0.9) == 10**15


@pytest.mark.parametrize("rates", [((40, 10), (60, 30)), ((9, 1), (7, 5)), ((500, 20), (80, 9))])
def test_two_rates_differ_by_chance_as_the_corrected_chi_square_says(rates):
    table = [[positives, cases - positives] for cases, positives in rates]
    assert chance_of_two_rates(*rates) == pytest.approx(stats.chi2_contingency(table).pvalue)

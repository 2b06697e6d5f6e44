"""Corrected risks against scikit-learn, the learner's own loop, and counts made by hand."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import entr
from sklearn.linear_model import LogisticRegression

from scorecard.core.calibration import calibrated, calibration_line
from scorecard.core.evidence import CrossValidation, Evidence, Fold, Pattern
from scorecard.core.question import Question
from scorecard.core.recalibration import (
    PSEUDO_CASES,
    blended,
    corrections,
    ranged,
    recalibrated_curves,
    recalibrated_stages,
)
from scorecard.core.walk import spread_counts, stage_counts
from scorecard.learning.losses import fitted_entropy
from tests.cross_validated import cross_validated_list, cross_validated_lists
from tests.exhaustive import many

counts_per_total = st.lists(
    st.integers(0, 40).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))),
    min_size=2,
    max_size=9,
)


@given(counts_per_total, st.sampled_from((1.0, 5.0)), st.sampled_from(("sigmoid", "beta")))
@settings(deadline=None)
def test_estimates_are_those_that_lists_are_searched_by(counts, strength, method):
    cases, positives = np.ascontiguousarray(np.array(counts, float).T)
    totals = np.arange(len(counts)) - 2.0
    if not 0 < positives.sum() < cases.sum():
        return
    span = np.array([totals[0]]), np.array([totals[-1]])
    columns = [one[:, None] for one in (totals, cases, positives)]
    (bits,) = fitted_entropy(method, columns[0], span, *columns[1:], strength)
    ours = np.array(calibrated(method, totals.tolist(), counts, strength))
    assert bits == pytest.approx(
        cases @ (entr(ours) + entr(1 - ours)) / np.log(2), rel=1e-6, abs=1e-6
    )


def test_the_line_is_that_of_penalised_logistic_regression():
    rows = [(-2.0, 50, 4), (-0.5, 40, 12), (0.3, 30, 15), (1.5, 60, 50)]
    x = np.repeat([[row[0]] for row in rows], [row[1] for row in rows], axis=0)
    y = np.concatenate([[1] * p + [0] * (n - p) for _, n, p in rows])
    model = LogisticRegression(C=10, tol=1e-10).fit(x, y)
    assert calibration_line(rows, 0.1) == pytest.approx(
        (model.coef_[0, 0], model.intercept_[0]), 1e-5
    )


def test_a_falling_line_is_level_at_the_rate():
    assert calibration_line([(0.0, 10, 8), (1.0, 10, 2)], 0.1) == (0.0, 0.0)
    assert calibration_line([(0.0, 10, 0), (1.0, 10, 0)], 0.1) == (0.0, -np.inf)


def test_an_unknown_answer_counts_with_both_totals_as_those_who_answered():
    evidence = Evidence((Pattern("1", 30, 20), Pattern("0", 10, 1), Pattern("?", 8, 4)))
    counts = spread_counts([2], evidence.patterns).counts
    assert counts == ({0: (48, 25)}, {2: (36, 23), 0: (12, 2)})


@pytest.mark.parametrize("rows", [1, 3])
def test_the_more_rows_a_patient_has_the_less_their_cases_move_the_curve(rows):
    added = PSEUDO_CASES * rows
    here, curve = {0: (100, 10), 1: (50, 40)}, {0: 0.2, 1: 0.6}
    low, high = blended(here, curve, rows).values()
    assert low == pytest.approx((10 + added * 0.2) / (100 + added))
    assert high == pytest.approx((40 + added * 0.6) / (50 + added))


def test_a_range_covers_its_own_risk():
    risks = ranged([0.1, 0.3, 0.6], [(0.2, 0.4), (0.2, 0.4), (0.2, 0.4)], [(10, 1)] * 3)
    assert [(one.lower, one.upper) for one in risks] == [(0.1, 0.4), (0.2, 0.4), (0.2, 0.6)]


@given(cross_validated_lists())
@settings(deadline=None, max_examples=many(50))
def test_every_case_counts_at_every_stage(scoring_list):
    evidence = scoring_list.evidence
    points = [question.points for question in scoring_list.questions]
    everybody = sum(p.cases for p in evidence.patterns), sum(p.positives for p in evidence.patterns)
    spread = spread_counts(points, evidence.patterns).counts
    for counts in spread:
        assert tuple(map(sum, zip(*counts.values(), strict=True))) == pytest.approx(everybody)
    if not any("?" in pattern.answers for pattern in evidence.patterns):
        assert list(spread) == stage_counts(points, evidence)


@given(cross_validated_lists())
@settings(deadline=None, max_examples=many(50))
def test_recalibrated_risks_rise_and_stand_beside_the_cases_seen(scoring_list):
    stages = recalibrated_stages(
        scoring_list.questions, scoring_list.evidence, scoring_list.cross_validation
    )
    points = [question.points for question in scoring_list.questions]
    for stage, counts in zip(stages, stage_counts(points, scoring_list.evidence), strict=True):
        seen = [(risk.cases, risk.positives) for risk in stage.risks]
        assert seen == [counts.get(total, (0, 0)) for total in stage.totals]
    assert len(corrections(scoring_list.cross_validation)) >= 1


def _folds(left_out_positives):
    """Two folds in which yes means 80 of 100 and no 20 of 100 inside."""
    inside = Evidence((Pattern("1", 100, 80), Pattern("0", 100, 20)))
    yes, no = left_out_positives
    left_out = Evidence((Pattern("1", 100, yes), Pattern("0", 100, no)))
    return CrossValidation(tuple(Fold((Question("q", 1),), inside, left_out) for _ in range(2)))


def test_left_out_cases_that_confirm_keep_the_curve_and_noise_makes_it_level():
    questions = (Question("q", 1),)
    evidence = Evidence((Pattern("1", 100, 80), Pattern("0", 100, 20)))
    confirmed = recalibrated_stages(questions, evidence, _folds((80, 20)))[1].risks
    assert [risk.probability for risk in confirmed] == pytest.approx([0.2, 0.8], abs=0.005)
    shrunk = recalibrated_curves((1,), evidence, _folds((65, 35)))[1]
    assert list(shrunk.values()) == pytest.approx([0.35, 0.65], abs=0.02)
    noise = recalibrated_curves((1,), evidence, _folds((40, 60)))[1]
    assert list(noise.values()) == pytest.approx([0.5, 0.5], abs=0.06)


def test_a_shorter_fold_list_predicts_with_its_last_stage():
    long = (Question("q", 1), Question("r", 1))
    patterns = Evidence((Pattern("11", 50, 45), Pattern("10", 50, 30), Pattern("00", 100, 20)))
    short = _folds((75, 20)).folds[0]
    check = CrossValidation((Fold(long, patterns, patterns), short))
    lines = corrections(check)
    assert len(lines) == 3
    # The short fold says the same at stage 2 as at stage 1; two short folds agree at both.
    assert corrections(_folds((75, 20))) != lines
    stages = recalibrated_stages(long, patterns, _folds((75, 20)))
    assert [len(stage.totals) for stage in stages] == [1, 2, 3]


def test_a_fold_with_fewer_questions_judges_later_stages_by_its_last_one():
    """As if it had asked further questions that everybody answers with no."""
    checks = (cross_validated_list(seed=seed, questions=3).cross_validation for seed in range(50))
    check = next(one for one in checks if len({len(fold.questions) for fold in one.folds}) > 1)
    most = max(len(fold.questions) for fold in check.folds)
    longer = replace(check, folds=tuple(asked_further(fold, most) for fold in check.folds))
    whole = next(fold for fold in check.folds if len(fold.questions) == most)
    points = tuple(question.points for question in whole.questions)
    short, padded = (recalibrated_curves(points, whole.inside, one) for one in (check, longer))
    for one, other in zip(short, padded, strict=True):
        assert one == pytest.approx(other, abs=1e-9)


def asked_further(fold, most):
    more = most - len(fold.questions)

    def padded(found):
        return Evidence(
            tuple(replace(one, answers=one.answers + "0" * more) for one in found.patterns)
        )

    questions = (*fold.questions, *(Question(f"more{n}", 1) for n in range(more)))
    return Fold(questions, padded(fold.inside), padded(fold.left_out))


def test_unknown_answers_are_spread_by_the_shares_of_those_who_are_given():
    evidence = Evidence((Pattern("1", 8, 4), Pattern("?", 10, 5)))
    patterns = evidence.patterns
    own, given = spread_counts((1,), patterns), spread_counts((1,), patterns, ({None: 0.2},))
    assert own.counts[1] == {1: (18.0, 9.0)}
    assert given.counts[1] == {1: pytest.approx((10.0, 5.0)), 0: pytest.approx((8.0, 4.0))}

"""The promise rule against an oracle that walks case by case, and on counts made by hand."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import beta

from scorecard.core.build_staircase import build_staircase, usual_policy
from scorecard.core.error_control import (
    CLOSED,
    STRICTNESS,
    controlled_errors,
    few_patients,
    limits_by_ratio,
    limits_from_data,
    limits_table,
)
from scorecard.core.evidence import CrossValidation, Evidence, Fold
from scorecard.core.policy import StoppingPolicy
from scorecard.core.recalibration import PSEUDO_CASES, recalibrated_curves
from scorecard.errors import PolicyError
from tests.core.policy_oracle import walk_fold
from tests.cross_validated import cross_validated_list, cross_validated_lists
from tests.exhaustive import many

# Not round, so that no estimate lies on a limit: there two ways of computing may differ.
LIMITS = st.tuples(st.floats(0.02, 0.38), st.floats(0.42, 0.97)).map(
    lambda pair: (pair[0] + 1.234567e-7, pair[1] + 2.345678e-7)
)


def tally_by_hand(check: CrossValidation, limits, min_cases):
    counts = np.zeros(6)
    for fold in check.folds:
        points = [question.points for question in fold.questions]
        curves = recalibrated_curves(tuple(points), fold.inside, check)
        counts += walk_fold(fold, curves, *limits, min_cases, PSEUDO_CASES * check.design_effect)
    return counts


def bound(positives, cases, confidence):
    return 1.0 if positives >= cases else beta.ppf(confidence, positives + 1, cases - positives)


@given(cross_validated_lists(), LIMITS, st.sampled_from((0.6, 0.9)), st.sampled_from((0, 10, 40)))
@settings(deadline=None, max_examples=30)
def test_equal_to_a_walk_case_by_case(listed, limits, confidence, min_cases):
    check = listed.cross_validation
    policy = StoppingPolicy(*limits, confidence=confidence, min_cases=min_cases)
    promise = controlled_errors(check, policy)
    tally = promise.tally
    by_hand = tally_by_hand(check, promise.limits, min_cases)
    assert (*tally.ruled_out, *tally.ruled_in) == pytest.approx(tuple(by_hand[:4]))
    assert tally.mean_questions * tally.cases == pytest.approx(by_hand[4])


def priced(check: CrossValidation, prices) -> CrossValidation:
    """The same lists whose questions cost so much each, by their place."""
    folds = [
        replace(
            fold,
            questions=tuple(
                replace(one, cost=price) for one, price in zip(fold.questions, prices, strict=False)
            ),
        )
        for fold in check.folds
    ]
    return replace(check, folds=tuple(folds))


@pytest.mark.parametrize("prices", [(), (1, 30, 200, 900)])
@given(listed=cross_validated_lists(), limits=LIMITS, confidence=st.sampled_from((0.6, 0.9)))
@settings(deadline=None, max_examples=4)
def test_no_passing_pair_of_strictnesses_does_better(prices, listed, limits, confidence):
    check = listed.cross_validation
    check = priced(check, [*prices, *[5] * 99]) if prices else check
    all_prices = [one.cost for fold in check.folds for one in fold.questions if prices]
    unit = sum(all_prices) / len(all_prices) if len({*all_prices}) > 1 else None
    policy = StoppingPolicy(*limits, confidence=confidence)
    low, high = limits
    best = -np.inf
    for out in (CLOSED[0], *(g * low for g in STRICTNESS)):
        for into in (CLOSED[1], *(1 - g * (1 - high) for g in STRICTNESS)):
            n_out, x_out, n_in, x_in, asked, paid = tally_by_hand(check, (out, into), 10)
            d = check.design_effect
            keeps_out = n_out == 0 or bound(x_out / d, n_out / d, confidence) <= low
            keeps_in = n_in == 0 or bound((n_in - x_in) / d, n_in / d, confidence) <= 1 - high
            if keeps_out and keeps_in:
                best = max(best, n_out + n_in - 0.02 * (paid / unit if unit else asked))
    tally = controlled_errors(check, policy).tally
    efforts = tally.mean_cost / unit if unit else tally.mean_questions
    gain = tally.ruled_out[0] + tally.ruled_in[0] - 0.02 * efforts * tally.cases
    assert gain == pytest.approx(best)


@given(cross_validated_lists(), LIMITS)
@settings(deadline=None, max_examples=many(60))
def test_every_stop_keeps_its_limit_with_its_own_risk_and_has_cases_behind_it(listed, limits):
    try:
        staircase = build_staircase(listed, StoppingPolicy(*limits))
    except PolicyError:
        assert not limits[0] < listed.base_rate < limits[1]
        return
    assert staircase.by == "error-control"
    for step in staircase.steps:
        for side, keeps in (
            ("rule out", lambda risk: risk <= limits[0]),
            ("rule in", lambda risk: risk >= limits[1]),
        ):
            boxes = [box for box in step.boxes if box.decision == side]
            assert all(keeps(box.risk.probability) for box in boxes)
            assert not boxes or sum(box.risk.cases for box in boxes) >= 10
    last = staircase.steps[-1].boxes
    if staircase.deciding_questions:
        assert any(box.decided for box in last)
        assert all(not box.decided for step in staircase.sharpening for box in step.boxes)
    assert all(box.stops for box in last)


def strong_list(**settings):
    return cross_validated_list(
        **{"seed": 3, "cases": 2000, "questions": 4, "folds": 4, "signal": 3.0} | settings
    )


def test_a_list_that_separates_well_decides_and_counts_both_sides():
    staircase = build_staircase(strong_list(), StoppingPolicy(0.1, 0.9))
    tally = staircase.cross_validated
    assert tally.cases == 2000
    assert tally.share_decided > 0.5
    for (cases, exceptions), limit in (
        (tally.ruled_out, 0.1),
        ((tally.ruled_in[0], tally.ruled_in[0] - tally.ruled_in[1]), 0.1),
    ):
        assert bound(exceptions, cases, 0.9) <= limit


def test_on_one_side_only_nobody_stops_on_the_other():
    staircase = build_staircase(strong_list(), StoppingPolicy(0.1, 1.0))
    decisions = {box.decision for step in staircase.steps for box in step.boxes}
    assert "rule out" in decisions
    assert "rule in" not in decisions
    assert not [note for note in staircase.notes if note.kind == "nobody"]


def test_several_rows_of_one_patient_count_less():
    plain, grouped = strong_list(cases=400), strong_list(cases=400, design_effect=8.0)
    policy = StoppingPolicy(0.1, 0.9)
    shares = [
        build_staircase(one, policy).cross_validated.share_decided for one in (plain, grouped)
    ]
    assert shares[1] < shares[0]


def test_noise_is_not_decided():
    staircase = build_staircase(strong_list(signal=0.0), StoppingPolicy(0.2, 0.8))
    assert staircase.cross_validated.share_decided == 0
    assert staircase.deciding_questions == 0
    assert len(staircase.steps) == 5  # every question is asked for the risk it gives


def strictest(limits, shares, none):
    return next((one for one, share in zip(limits, shares, strict=True) if share >= 0.2), none)


def test_the_data_say_which_limits_they_can_show():
    """On each side the strictest ratio at which that side by itself stops a fifth of all cases."""
    listed = strong_list(signal=2.0)
    policy = limits_from_data(listed.cross_validation)
    assert policy.chosen_by == "data"
    low, high = limits_by_ratio(listed.base_rate)

    def stopped_by(side, limits):
        tally = controlled_errors(listed.cross_validation, replace(policy, **limits)).tally
        return getattr(tally, side)[0] / tally.cases

    outs = [stopped_by("ruled_out", {"rule_out": one, "rule_in": 1.0}) for one in low]
    ins = [stopped_by("ruled_in", {"rule_out": 0.0, "rule_in": one}) for one in high]
    assert outs[0] < 0.2 <= outs[-1]  # else this says nothing
    assert policy.rule_out == strictest(low, outs, 0.0)
    assert policy.rule_in == strictest(high, ins, 1.0)
    assert build_staircase(listed).policy == usual_policy(listed) == policy


def test_limits_are_round_numbers_at_or_beyond_a_likelihood_ratio():
    assert limits_by_ratio(0.28) == ((0.01, 0.03, 0.05, 0.1), (0.9, 0.8, 0.7, 0.55))
    assert limits_by_ratio(0.5) == ((0.04, 0.05, 0.15, 0.25), (0.96, 0.95, 0.85, 0.75))
    assert limits_by_ratio(0.0) == limits_by_ratio(1.0) == ((), ())


@given(st.floats(0.001, 0.999))
def test_no_limit_of_the_data_moves_the_odds_by_less_than_three(base):
    odds = base / (1 - base)
    low, high = limits_by_ratio(base)
    assert list(low) == sorted(set(low))
    assert list(high) == sorted(set(high), reverse=True)
    for limit in low:
        assert odds / (limit / (1 - limit)) >= 3 * (1 - 1e-9)
    for limit in high:
        assert (limit / (1 - limit)) / odds >= 3 * (1 - 1e-9)


def test_a_side_that_stops_fewer_than_a_fifth_has_no_limit():
    listed = strong_list(signal=0.5)
    policy = limits_from_data(listed.cross_validation)
    low, _ = limits_by_ratio(listed.base_rate)
    tally = controlled_errors(
        listed.cross_validation, replace(policy, rule_out=low[-1], rule_in=1.0)
    ).tally
    assert tally.ruled_out[0] < 0.2 * tally.cases
    assert policy.rule_out == 0.0


def test_few_cases_have_to_show_limits_more_surely():
    assert limits_from_data(strong_list(cases=250).cross_validation).confidence == 0.95
    assert limits_from_data(strong_list(cases=600).cross_validation).confidence == 0.9
    grouped = strong_list(cases=600, design_effect=3.0)
    assert limits_from_data(grouped.cross_validation).confidence == 0.95


def test_where_nothing_can_be_shown_there_is_a_plain_risk():
    listed = strong_list(signal=0.0)
    policy = limits_from_data(listed.cross_validation)
    assert (policy.rule_out, policy.rule_in) == (0.0, 1.0)
    assert [note.kind for note in build_staircase(listed).notes] == ["plain-risk"]


def test_a_table_of_limits_has_the_promise_of_each_pair():
    check = strong_list(cases=500).cross_validation
    policy = StoppingPolicy()
    table = limits_table(check, policy, (0.05, 0.1, 0.3), (0.9, 0.7))
    assert len(table) == 6
    for (low, high), promise in table.items():
        alone = controlled_errors(check, replace(policy, rule_out=low, rule_in=high))
        assert (promise.limits, promise.tally) == (alone.limits, alone.tally)


def test_a_list_carries_its_policy():
    policy = StoppingPolicy(0.02, 0.9)
    listed = replace(strong_list(), policy=policy)
    assert build_staircase(listed).policy == policy
    assert build_staircase(listed, StoppingPolicy(0.1, 0.9)).policy.rule_out == 0.1


def test_questions_that_only_sharpen_are_marked_and_not_asked():
    for seed in range(40):
        staircase = build_staircase(strong_list(seed=seed, cases=500), StoppingPolicy(0.05, 0.9))
        if staircase.sharpening:
            break
    assert staircase.sharpening[-1].number == 4
    assert len(staircase.questions) == staircase.deciding_questions
    everything = build_staircase(staircase.scoring_list, replace(staircase.policy, curtail="never"))
    for answers in ([True] * 4, [False] * 4, [True, False, True, False], [None] * 4):
        short, full = staircase.decide(answers), everything.decide(answers)
        assert short.decision == full.decision
        assert short.stage <= full.stage
        sharp = staircase.decide(answers, sharpen=True)
        assert (sharp.decision, sharp.total) == (full.decision, full.total)
        assert sharp.probability == full.probability


@given(cross_validated_lists())
def test_a_risk_within_a_limit_where_nobody_stops_is_explained(listed):
    limits = StoppingPolicy(rule_out=0.3, rule_in=0.6)
    try:
        staircase = build_staircase(listed, limits)
    except PolicyError:
        return
    boxes = [b for s in (*staircase.steps[1:], *staircase.sharpening) for b in s.boxes if b.risk]
    puzzling = any(not b.decided and not 0.3 < b.risk.probability < 0.6 for b in boxes if b.risk)
    assert puzzling == any(note.kind == "within-limit" for note in staircase.notes)


def test_a_promise_of_few_patients_is_marked_where_somebody_stops() -> None:
    policy = StoppingPolicy(0.2, 0.8)
    few, many = (
        build_staircase(cross_validated_list(cases=cases, questions=3, signal=3.0), policy)
        for cases in (250, 900)
    )
    nobody = build_staircase(few.scoring_list, StoppingPolicy(0.001, 0.999))
    assert [few_patients(one) for one in (few, many, nobody)] == [True, False, False]


def turned(check):
    """The same folds where every outcome is the other one, and every point has the other sign."""

    def other(found):
        return Evidence(tuple(replace(p, positives=p.cases - p.positives) for p in found.patterns))

    def fold(one):
        questions = tuple(replace(q, points=-q.points) for q in one.questions)
        return Fold(questions, other(one.inside), other(one.left_out))

    return replace(check, folds=tuple(map(fold, check.folds)))


@pytest.mark.parametrize("seed", range(4))
def test_both_sides_are_judged_alike(seed):
    """Ruling out an outcome at 12 % is ruling in its absence at 88 %."""
    check = cross_validated_list(seed=seed, cases=600, signal=3.0).cross_validation
    found = controlled_errors(check, StoppingPolicy(0.12, 0.73))
    mirrored = controlled_errors(turned(check), StoppingPolicy(0.27, 0.88))
    assert found.tally.ruled_out[0] == mirrored.tally.ruled_in[0]
    assert found.tally.ruled_in[0] == mirrored.tally.ruled_out[0]
    if CLOSED[0] < mirrored.limits[0]:
        assert found.limits[1] == pytest.approx(1 - mirrored.limits[0])
        assert found.tally.ruled_in[0] > 0


def test_who_is_decided_answers_nothing_more_for_a_sharper_risk():
    listed = cross_validated_list(seed=3, cases=1500, questions=5, folds=3, signal=2.5)
    staircase = build_staircase(listed, StoppingPolicy(0.1, 0.9))
    assert staircase.sharpening
    assert any(box.decided for box in staircase.steps[-1].boxes)
    for answers in product((True, False, None), repeat=5):
        outcome, sharper = (staircase.decide(answers, sharpen=way) for way in (False, True))
        if outcome.lowest.decided and outcome.highest.decided:
            assert sharper == outcome


def test_decisions_that_only_a_dear_question_gives_have_to_be_worth_it():
    listed = cross_validated_list(seed=14, cases=400, questions=4, folds=3, signal=1.5)
    policy = StoppingPolicy(0.15, 0.6, confidence=0.6)
    alike, dear = (
        controlled_errors(priced(listed.cross_validation, prices), policy)
        for prices in ([1] * 9, [1, 1, 1, 200, *[1] * 5])
    )
    assert dear.limits[1] > alike.limits[1]
    assert 0.2 < dear.tally.share_decided < alike.tally.share_decided
    assert dear.tally.mean_cost < 3

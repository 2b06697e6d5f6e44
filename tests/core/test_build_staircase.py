"""Staircases: the worked vectors, and a brute-force policy on thousands of random lists."""

from dataclasses import replace
from itertools import product
from typing import get_args

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.stats import beta

from scorecard.core.build_staircase import build_staircase
from scorecard.core.calibration import calibrated
from scorecard.core.model import (
    Question,
    Risk,
    ScoringList,
    Stage,
    possible_totals,
    with_positive_points,
)
from scorecard.core.policy import RULES, By, StoppingPolicy, cut_offs
from scorecard.core.staircase import Box
from scorecard.documents.json_document import dumps, loads
from scorecard.errors import PolicyError
from tests.core.policy_oracle import figures, stop_totals
from tests.exhaustive import many
from tests.lists import MARBURG, SHARPENED, TABLE_1, counted

POINT = StoppingPolicy(0.1, 0.9, by="point")
AT_A_STAGE = [
    by for by in get_args(By) if by != "error-control"
]  # the others look at one stage each


def rows(staircase):
    return [(step.rule_out_at, step.rule_in_at, [b.total for b in step.boxes if not b.stops])
            for step in staircase.steps[1:]]  # fmt: skip


def test_table_1_of_the_paper():
    staircase = build_staircase(TABLE_1, POINT)
    assert rows(staircase) == [
        (None, None, [0, 1]),
        (-2, None, [-1, 0, 1]),
        (None, 2, [-1, 0, 1]),
        (-1, 3, []),
    ]
    assert staircase.steps[4].undecided_between == (0, 2)
    assert [[box.total for box in step.boxes] for step in staircase.steps[1:]] == [
        [0, 1],
        [-2, -1, 0, 1],
        [-1, 0, 1, 2],
        [-1, 0, 1, 2, 3],
    ]


def test_table_1_cut_offs_over_all_totals_of_a_stage():
    found = []
    for stage in TABLE_1.stages[1:]:
        boxes = [Box(t, "go on", r) for t, r in zip(stage.totals, stage.risks, strict=True)]
        found.append(cut_offs(boxes, POINT))
    assert found == [(None, None), (-2, None), (-2, 2), (-1, 3)]


def test_a_list_may_end_early_and_says_what_is_dropped():
    staircase = build_staircase(TABLE_1, StoppingPolicy(0.2, 0.6))
    assert rows(staircase) == [(0, None, [1]), (-1, 1, [])]
    assert [question.input for question in staircase.dropped] == ["f2", "f4"]
    assert ("ends-early", 2) in [(n.kind, dict(n.facts).get("dropped")) for n in staircase.notes]


def test_limits_that_decide_before_the_first_question_are_refused():
    with pytest.raises(PolicyError, match=r"'rule out'.*base rate is 0\.3"):
        build_staircase(TABLE_1, StoppingPolicy(0.35, 0.9))


def test_a_list_without_counts_is_decided_by_point_and_says_so():
    staircase = build_staircase(TABLE_1, StoppingPolicy(0.1, 0.9, by="group"))
    assert (staircase.by, staircase.estimate) == ("point", "all")
    assert {note.kind for note in staircase.notes} == {"rule-is-point", "estimate-is-all"}


def test_marburg_is_curtailed():
    staircase = build_staircase(MARBURG, StoppingPolicy(0.05, 0.2))
    assert [row[:2] for row in rows(staircase)] == [
        (None, None),
        (None, None),
        (0, 3),
        (1, 3),
        (2, 3),
    ]
    assert all(box.curtailed for box in staircase.steps[3].boxes if box.stops)
    assert not any(box.curtailed for box in staircase.steps[5].boxes)


def test_curtailing_can_be_left_out_or_include_the_undecided():
    never = build_staircase(MARBURG, StoppingPolicy(0.05, 0.2, curtail="never"))
    assert [row[:2] for row in rows(never)] == [(None, None)] * 4 + [(2, 3)]
    every = build_staircase(TABLE_1, replace(POINT, curtail="all"))
    assert every.steps[3].undecided_between == (0, 0)
    assert [box.total for box in every.steps[4].boxes] == [-1, 1, 3]


def test_a_box_with_counts_of_its_own_is_cut_short_only_if_asked_for():
    # Whoever answers both questions is ruled in, whatever the second answer is.
    counts = {"00": (100, 0), "10": (50, 48), "11": (50, 49), "1?": (30, 10)}
    for curtail, decision in (("decided", "go on"), ("never", "go on"), ("all", "rule in")):
        policy = StoppingPolicy(0.05, 0.9, by="point", curtail=curtail)
        first = build_staircase(counted((1, 1), counts), policy).steps[1]
        assert [box.decision for box in first.boxes] == ["rule out", decision]


def test_the_risk_of_those_who_get_there():
    # Total 1 after two questions: 20 of 100 in all, but 10 came there after the first question
    # had ruled out all others, and 8 of these have the outcome.
    listed = counted((1, 1), {"00": (100, 0), "01": (90, 12), "10": (10, 8), "11": (50, 45)})
    policy = StoppingPolicy(0.07, 0.99, by="point", curtail="never")
    reached = build_staircase(listed, policy).steps[2].box(1)
    everybody = build_staircase(listed, replace(policy, estimate="all")).steps[2].box(1)
    assert (reached.risk.probability, reached.counts) == (0.8, (10, 8))
    # 20 % contradicts 8 of the 10 who get there: the total shares the figure of its neighbour.
    assert (everybody.totals, everybody.counts) == ((1, 2), (60, 53))
    kinds = [note.kind for note in build_staircase(listed, policy).notes]
    assert "estimates-differ" not in kinds  # 0.2 and 0.8 both leave the case undecided
    differing = build_staircase(listed, replace(policy, rule_out=0.21))
    note = next(note for note in differing.notes if note.kind == "estimates-differ")
    assert (note["stage"], note["total"], note["other_decision"]) == (2, 1, "rule out")


def test_a_group_too_small_cannot_stop():
    listed = counted((1,), {"0": (200, 2), "1": (9, 9)})
    policy = StoppingPolicy(0.05, 0.9, by="point")
    assert build_staircase(listed, policy).steps[1].rule_in_at is None
    assert build_staircase(listed, replace(policy, min_cases=9)).steps[1].rule_in_at == 1


def test_where_nobody_can_stop_it_says_how_large_a_group_it_takes_and_if_cases_are_few():
    listed = counted((1,), {"0": (30, 0), "1": (30, 15)})
    staircase = build_staircase(listed, StoppingPolicy(0.05, 0.95))
    out, into = (note for note in staircase.notes if note.kind == "nobody")
    assert (out["decision"], out["group"]) == ("rule out", 45)  # 0.95**45 ≤ 0.1 < 0.95**44
    assert out["few"]  # half as many again would do
    assert (into["decision"], into["few"]) == ("rule in", False)
    assert [box.decision for box in staircase.steps[-1].boxes] == ["undecided", "undecided"]


def test_the_cost_of_a_miss_replaces_both_limits():
    listed = counted((1,), {"0": (300, 2), "1": (100, 60)})
    policy = StoppingPolicy(by="bounds", miss_cost=3, min_cases=0)
    assert policy.limits[0] == 0.25
    assert policy.limits[1] > 0.25
    with pytest.raises(PolicyError, match="everybody"):
        build_staircase(listed, replace(policy, miss_cost=20))
    staircase = build_staircase(counted((1,), {"0": (30, 2), "1": (30, 16)}), policy)
    assert (staircase.steps[1].rule_out_at, staircase.steps[1].rule_in_at) == (0, 1)


def test_bounds_need_ranges():
    with pytest.raises(PolicyError, match="has none: use by='point'"):
        build_staircase(TABLE_1, StoppingPolicy(0.1, 0.9, by="bounds"))


@pytest.mark.parametrize("level", [0.95, 0.8])
def test_a_range_shares_its_level_with_all_totals_that_a_stage_can_have(level):
    """Not only with those still reachable: how many these are was seen in the data."""
    counts = {"00": (100, 1), "01": (100, 30), "10": (50, 49), "11": (50, 49)}
    bare = counted((2, 1), counts)
    listed = replace(bare, risk_source=replace(bare.risk_source, level=level))
    staircase = build_staircase(listed, StoppingPolicy(0.05, 0.9, by="point"))
    assert [box.total for box in staircase.steps[2].boxes] == [0, 1]  # 2 and 3 have been stopped
    risk = staircase.steps[2].boxes[0].risk
    assert risk.upper == pytest.approx(beta.ppf(1 - (1 - level) / 4 / 2, 1 + 1, 100 - 1))


@pytest.mark.parametrize(("calibration", "strength"), [("beta", 5), ("sigmoid", 1)])
def test_those_who_get_there_have_risks_of_the_same_kind_and_strength(calibration, strength):
    counts = {"00": (100, 1), "01": (100, 30), "10": (50, 49), "11": (50, 49)}
    bare = counted((2, 1), counts)
    figures = replace(bare.risk_source, calibration=calibration, strength=strength)
    staircase = build_staircase(
        replace(bare, risk_source=figures), StoppingPolicy(0.05, 0.9, by="point")
    )
    there = [(100, 1), (100, 30), (0, 0), (0, 0)]
    due, plain, weak = (
        calibrated(kind, range(4), there, amount)[0]
        for kind, amount in ((calibration, strength), ("isotonic", 0), (calibration, 0))
    )
    assert due not in (pytest.approx(plain), pytest.approx(weak))
    assert staircase.steps[2].boxes[0].risk.probability == pytest.approx(due)


@pytest.mark.parametrize("former", ["isotonic-prior", "beta-l2"])
def test_risks_of_a_former_calibration_are_shown_as_stored(former):
    listed = counted((2, 1), {"00": (100, 1), "01": (100, 30), "10": (50, 49), "11": (50, 49)})
    old = loads(dumps(replace(listed, risk_source=replace(listed.risk_source, calibration=former))))
    step = build_staircase(old, StoppingPolicy(0.05, 0.9, by="point")).steps[2]
    assert [box.risk.probability for box in step.boxes] == [
        old.stages[2].risk(box.total).probability for box in step.boxes
    ]


def test_a_contradiction_to_a_rising_risk_gives_no_range():
    listed = counted((1,), {"0": (60, 50), "1": (60, 10)})
    staircase = build_staircase(listed, StoppingPolicy(0.4, 0.6, by="bounds"))
    assert [box.risk.lower for box in staircase.steps[1].boxes] == [None, None]
    assert "no-range" in {note.kind for note in staircase.notes}


POINTS = st.lists(st.sampled_from([-3, -2, -1, 1, 2, 3]), min_size=1, max_size=4)


@st.composite
def counted_lists(draw):
    points = tuple(draw(POINTS))
    letters = "01?" if draw(st.booleans()) else "01"
    every = ["".join(p) for p in product(letters, repeat=len(points))]
    chosen = draw(st.lists(st.sampled_from(every), min_size=1, max_size=20, unique=True))
    skew = draw(st.sampled_from([1.0, 0.25]))
    patterns = {}
    for answers in chosen:
        cases = draw(st.integers(1, 120))
        total = sum(p for p, a in zip(points, answers, strict=True) if a == "1")
        share = min(1.0, max(0.0, skew * (0.5 + total / 8) + draw(st.floats(-0.2, 0.2))))
        patterns[answers] = (cases, round(share * cases))
    if not any("?" not in answers for answers in patterns):
        patterns["0" * len(points)] = (10, 3)
    return counted(points, patterns)


# Not round, so that no estimate lies on a limit: there two ways of computing may differ.
LIMITS = st.tuples(st.floats(0.01, 0.45), st.floats(0.5, 0.99)).map(
    lambda pair: (pair[0] + 1.234567e-7, pair[1] + 2.345678e-7)
)


def brute_force(listed, policy):
    """Every case walked by itself; per stage {total: (decision, cases, positives)}."""
    points = [question.points for question in listed.questions]
    walkers = [
        (0, pattern.answers, pattern.cases, pattern.positives)
        for pattern in listed.evidence.patterns
    ]
    reachable, stages = [0], []
    for k, everything in enumerate(possible_totals(points)):
        n = [sum(c for t, _, c, _ in walkers if t == total) for total in reachable]
        x = [sum(v for t, _, _, v in walkers if t == total) for total in reachable]
        if policy.estimate == "reached":
            p, lo, up = figures(reachable, len(everything), n, x)
        else:
            risks = [listed.stages[k].risk(total) for total in reachable]
            p = [risk.probability for risk in risks]
            lo, up = [risk.lower for risk in risks], [risk.upper for risk in risks]
            lo, up = (None, None) if lo[0] is None else (lo, up)
        out, into = stop_totals(
            policy.by, policy.rule_out, policy.rule_in, p, lo, up, n, x,
            policy.confidence, policy.min_cases,
        )  # fmt: skip
        end = "undecided" if k == len(points) else "go on"
        what = ["rule out" if out is not None and i <= out
                else "rule in" if into is not None and i >= into else end
                for i in range(len(reachable))]  # fmt: skip
        stages.append({t: (w, c, v) for t, w, c, v in zip(reachable, what, n, x, strict=True)})
        on = {t for t, w in zip(reachable, what, strict=True) if w == "go on"}
        if not on:
            break
        walkers = [(t + points[k] * (a[0] == "1"), a[1:], c, v)
                   for t, a, c, v in walkers if t in on and a[0] != "?"]  # fmt: skip
        reachable = sorted(on | {t + points[k] for t in on})
    return stages


@settings(max_examples=many(2000))
@given(
    counted_lists(),
    LIMITS,
    st.sampled_from(AT_A_STAGE),
    st.sampled_from(["reached", "all"]),
    st.sampled_from([0.6, 0.9, 0.975]),
    st.sampled_from([0, 10, 60]),
)
def test_equal_to_brute_force(listed, limits, by, estimate, confidence, min_cases):
    no_ranges = all(stage.risks[0].lower is None for stage in listed.stages)
    assume(not (RULES[by].needs_ranges and estimate == "all" and no_ranges))
    policy = StoppingPolicy(*limits, by, estimate, confidence, min_cases, curtail="never")
    expected = brute_force(listed, policy)
    ends = {what for stage in expected for what, _, _ in stage.values()} - {"go on"}
    first = expected[0][0][0]
    if first != "go on" or ends in ({"rule out"}, {"rule in"}):
        with pytest.raises(PolicyError, match="everybody"):
            build_staircase(listed, policy)
        return
    staircase = build_staircase(listed, policy)
    found = [{box.total: box for box in step.boxes} for step in staircase.steps]
    assert [list(boxes) for boxes in found] == [list(stage) for stage in expected]
    for boxes, stage in zip(found, expected, strict=True):
        for total, (what, *_) in stage.items():
            low, high = boxes[total].totals
            shared = [stage[one] for one in range(low, high + 1) if one in stage]
            counts = tuple(sum(one[place] for one in shared) for place in (1, 2))
            assert {one[0] for one in shared} == {what} == {boxes[total].decision}
            assert boxes[total].counts == counts or (boxes[total].counts is None and not counts[0])


def staircases(curtail=("decided", "all", "never")):
    """Random staircases; limits that leave nothing to ask are passed over."""

    def build(listed, limits, by, how):
        try:
            return build_staircase(
                listed, StoppingPolicy(*limits, by=by, curtail=how, min_cases=0, confidence=0.6)
            )
        except PolicyError:
            return None

    return st.builds(
        build,
        counted_lists(),
        LIMITS,
        st.sampled_from(AT_A_STAGE),
        st.sampled_from(curtail),
    ).filter(lambda staircase: staircase is not None)


def completions(answers):
    return product(*[(True, False) if answer is None else (answer,) for answer in answers])


@settings(max_examples=many(300))
@given(staircases(), st.data())
def test_unknown_is_the_union_over_all_completions(staircase, data):
    count = len(staircase.scoring_list.questions)
    answers = data.draw(
        st.lists(st.sampled_from([True, False, None]), min_size=count, max_size=count)
    )
    outcome = staircase.decide(answers)
    every = [staircase.decide(list(full)) for full in completions(answers)]
    decisions = {one.decision for one in every}
    assert outcome.decision == (decisions.pop() if len(decisions) == 1 else "unknown")
    assert outcome.stage <= max(one.stage for one in every) or outcome.decision == "unknown"
    risks = [one.probability for one in every if one.probability is not None]
    if outcome.probability is not None:
        assert set(risks) == {outcome.probability} or None in {one.probability for one in every}


@settings(max_examples=many(200))
@given(staircases(curtail=("decided", "all")), st.data())
def test_curtailing_changes_no_decision_and_never_asks_more(staircase, data):
    count = len(staircase.scoring_list.questions)
    answers = data.draw(st.lists(st.booleans(), min_size=count, max_size=count))
    full = build_staircase(staircase.scoring_list, replace(staircase.policy, curtail="never"))
    assert staircase.decide(answers).decision == full.decide(answers).decision
    assert staircase.decide(answers).stage <= full.decide(answers).stage


@settings(max_examples=many(200))
@given(staircases())
def test_integers_are_all_one_needs(staircase):
    """Stops are single cut-offs: what is printed per stage decides every reachable total."""
    for step in staircase.steps:
        for box in step.boxes:
            out = step.rule_out_at is not None and box.total <= step.rule_out_at
            into = step.rule_in_at is not None and box.total >= step.rule_in_at
            span = step.undecided_between
            open_end = span is not None and span[0] <= box.total <= span[1]
            assert [out, into, open_end, not box.stops].count(True) == 1
            assert (out, into, open_end) == (
                box.decision == "rule out",
                box.decision == "rule in",
                box.decision == "undecided",
            )


@settings(max_examples=many(200))
@given(staircases())
def test_all_cases_end_somewhere(staircase):
    cases, positives = staircase.stopping()
    patterns = staircase.scoring_list.evidence.patterns
    assert cases == sum(pattern.cases for pattern in patterns)
    assert positives == sum(pattern.positives for pattern in patterns)
    assert staircase.mean_questions <= len(staircase.steps) - 1


@settings(max_examples=many(200))
@given(staircases(), st.data())
def test_turning_negative_points_round_changes_no_decision_and_no_risk(staircase, data):
    listed = staircase.scoring_list
    turned = build_staircase(with_positive_points(listed), staircase.policy)
    count = len(listed.questions)
    answers = data.draw(
        st.lists(st.sampled_from([True, False, None]), min_size=count, max_size=count)
    )
    turned_answers = [
        answer if answer is None or question.points > 0 else not answer
        for question, answer in zip(listed.questions, answers, strict=True)
    ]
    one, other = staircase.decide(answers), turned.decide(turned_answers)
    assert (one.decision, one.stage, one.probability, one.lower, one.upper) == (
        other.decision, other.stage, other.probability, other.lower, other.upper,
    )  # fmt: skip
    assert all(question.points > 0 for question in turned.scoring_list.questions)
    assert np.all([box.total >= 0 for step in turned.steps for box in step.boxes])


def test_where_cases_are_counted_a_stop_has_to_be_shown_by_them():
    """No box is cut short by later stops: its counts would go on into boxes nobody gets to."""
    patterns = {"00": (40, 0), "01": (40, 2), "10": (30, 15), "11": (30, 28)}
    listed = counted((1, 1), patterns)
    policy = StoppingPolicy(0.09, 0.99)
    default, everywhere = (
        build_staircase(listed, replace(policy, curtail=how)) for how in ("decided", "all")
    )
    assert not any(box.curtailed for step in default.steps for box in step.boxes)
    assert any(box.curtailed for step in everywhere.steps for box in step.boxes)
    for (stage, decision), (cases, _) in default.ends.counts.items():
        boxes = default.steps[stage].boxes
        assert cases == sum(box.risk.cases for box in boxes if box.decision == decision)


def test_who_has_an_unknown_answer_is_asked_until_both_ways_have_ended() -> None:
    def risks(**known: tuple[float, float, float]) -> Stage:
        return Stage(tuple(int(key[1:]) for key in known), tuple(Risk(*r) for r in known.values()))

    stages = (
        risks(t0=(0.3, 0.2, 0.4)),
        risks(t0=(0.1, 0.05, 0.2), t3=(0.95, 0.9, 0.97)),
        risks(t0=(0.02, 0.01, 0.03), t1=(0.3, 0.2, 0.5), t3=(0.96, 0.9, 0.98), t4=(1, 0.95, 1)),
    )
    scoring_list = ScoringList((Question("a", 3), Question("b", 1)), stages)
    staircase = build_staircase(scoring_list, StoppingPolicy(0.05, 0.9, by="point", min_cases=0))
    assert staircase.decide([True]).stage == 1
    outcome = staircase.decide([None, False])
    assert (outcome.decision, outcome.stage) == ("unknown", 2), "no to the first goes on"
    assert (outcome.lower, outcome.upper) == (0.01, 0.97), "from the lowest end to the highest"


def test_who_goes_on_for_a_sharper_risk_is_asked_the_rest() -> None:
    staircase = build_staircase(SHARPENED, POINT)
    assert staircase.decide([True, True, True]).stage == 1
    sharper = staircase.decide([True, True, True], sharpen=True)
    assert (sharper.decision, sharper.stage, sharper.probability) == ("undecided", 3, 0.8)
    assert staircase.decide([False], sharpen=True).stage == 1, "who is ruled out does not go on"
    assert staircase.decide([False, True, True], sharpen=True).stage == 1, "whatever is answered"


def test_a_group_that_could_stop_has_as_many_cases_as_the_policy_wants():
    listed = counted((1,), {"0": (40, 12), "1": (10, 6)})
    for min_cases, group in ((0, 7), (25, 25)):
        policy = StoppingPolicy(0.3, 0.9, by="group", min_cases=min_cases)
        (note,) = (
            one
            for one in build_staircase(listed, policy).notes
            if dict(one.facts).get("decision") == "rule out"
        )
        assert dict(note.facts)["group"] == group

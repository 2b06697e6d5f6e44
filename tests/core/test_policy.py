"""Limits that can be used, and the rules at one stage on counts one can check by hand."""

from typing import get_args

import pytest

from scorecard.core.model import Risk
from scorecard.core.policy import By, StoppingPolicy, cut_offs, too_few
from scorecard.core.staircase import Box
from scorecard.errors import PolicyError


def boxes(*counts):
    """Totals 0, 1, … with (positives, cases) and their plain rates as estimates."""
    return [
        Box(total, "go on", Risk(positives / cases, None, None, cases, positives))
        for total, (positives, cases) in enumerate(counts)
    ]


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"rule_out": 0.5, "rule_in": 0.5}, "0 ≤ rule_out < rule_in ≤ 1"),
        ({"rule_out": -0.1}, "do not fit"),
        ({"rule_in": 1.1}, "do not fit"),
        ({"rule_out": "5%"}, "rule_out='5%' is not a number"),
        ({"rule_out": float("nan")}, "not a number"),
        ({"by": "chance"}, f"by='chance' is not one of {', '.join(get_args(By))}"),
        ({"estimate": "some"}, "reached, all"),
        ({"curtail": True}, "decided, all, never"),
        ({"confidence": 1}, "below 1"),
        ({"confidence": 0.3}, "at least 0.5"),
        ({"min_cases": -1}, "negative"),
        ({"min_cases": 1.5}, "whole number"),
        ({"miss_cost": 0}, "above 0"),
    ],
)
def test_limits_that_cannot_be_used_are_refused(settings, says):
    with pytest.raises(PolicyError, match=says):
        StoppingPolicy(**settings)


def test_a_risk_on_the_limit_keeps_it():
    policy = StoppingPolicy(0.05, 0.95, by="point")
    assert cut_offs(boxes((1, 20), (19, 20)), policy) == (0, 1)


def test_a_group_has_to_show_its_rate_with_confidence():
    group = StoppingPolicy(0.05, 0.95, by="group")
    assert cut_offs(boxes((0, 44), (22, 44)), group) == (None, None)
    assert cut_offs(boxes((0, 45), (22, 44)), group) == (0, None)
    assert cut_offs(boxes((22, 44), (45, 45)), group) == (None, 1)


def test_more_confidence_takes_more_cases():
    group = StoppingPolicy(0.05, 0.95, by="group", confidence=0.95)
    assert cut_offs(boxes((0, 58), (58, 58)), group) == (None, None)
    assert cut_offs(boxes((0, 59), (59, 59)), group) == (0, 1)
    assert group.needed_cases == (59, 59)


@pytest.mark.parametrize("by", ["group", "point"])
def test_fewer_cases_than_asked_for_stop_nobody(by):
    assert cut_offs(boxes((0, 99), (99, 99)), StoppingPolicy(by=by, min_cases=100)) == (None, None)
    assert cut_offs(boxes((0, 99), (99, 99)), StoppingPolicy(by=by, min_cases=99)) == (0, 1)


def test_a_range_has_to_keep_the_limit_with_its_far_end():
    bounds = StoppingPolicy(0.05, 0.95, by="bounds")

    def ranges(upper, lower):
        return [
            Box(0, "go on", Risk(0.02, 0.01, upper, 99, 2)),
            Box(1, "go on", Risk(0.98, lower, 0.99, 99, 97)),
        ]

    assert cut_offs(ranges(0.05, 0.95), bounds) == (0, 1)
    assert cut_offs(ranges(0.06, 0.94), bounds) == (None, None)


def test_a_risky_total_cannot_hide_in_a_safe_crowd():
    group = StoppingPolicy(0.05, 0.95, by="group")
    assert cut_offs(boxes((0, 1000), (2, 20), (15, 20)), group) == (0, None)


def test_a_group_may_pass_where_its_outer_part_alone_is_too_small():
    group = StoppingPolicy(0.05, 0.95, by="group")
    assert cut_offs(boxes((0, 30), (0, 30), (15, 30)), group) == (1, None)


def test_limits_of_zero_and_one_never_stop_anybody_by_a_test():
    group = StoppingPolicy(0, 1, by="group")
    assert cut_offs(boxes((0, 10_000), (10_000, 10_000)), group) == (None, None)
    assert group.has_limit == (False, False)
    point = StoppingPolicy(0, 1, by="point")
    assert cut_offs(boxes((0, 10_000), (10_000, 10_000)), point) == (0, 1)


def test_either_side_has_too_few_cases_until_there_are_more_like_them():
    group = StoppingPolicy(0.05, 0.95, by="group", min_cases=0)
    seen = boxes((0, 15), (45, 60), (30, 30))
    # 45 without the outcome are needed, and 15 were seen; of 45 all with it 30.
    assert [too_few(seen, group, times) for times in (1, 1.5, 2.9, 3)] == [
        (False, False), (False, True), (False, True), (True, True)
    ]  # fmt: skip
    assert too_few(boxes((3, 15), (5, 10)), group, 10) == (False, False), "beyond the limits"
    many = StoppingPolicy(0.05, 0.95, by="group", min_cases=100)
    assert too_few(seen, many, 4) == (False, True), "of 15 cases come 60"
    assert too_few(seen, StoppingPolicy(0.05, 0.95, by="point"), 10) == (False, False)


def test_needed_cases():
    assert StoppingPolicy(0.05, 0.95).needed_cases == (45, 45)
    assert StoppingPolicy(0, 1).needed_cases == (None, None)

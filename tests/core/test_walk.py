"""The walk of patterns of answers against all ways to complete them, one by one."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorecard.core.evidence import Evidence, Pattern
from scorecard.core.model import possible_totals
from scorecard.core.walk import (
    answers_of,
    counts_at,
    spread_counts,
    stage_counts,
    still_there,
    totals_so_far,
    walkers,
)
from scorecard.learning.risks import possible_range, spread, standings


@st.composite
def walks(draw):
    """Points, and different patterns of answers with cases."""
    points = draw(st.lists(st.integers(-4, 4).filter(bool), min_size=1, max_size=5))
    answers = st.text("01?", min_size=len(points), max_size=len(points))
    texts = draw(st.lists(answers, min_size=1, max_size=12, unique=True))
    sizes = [(n := draw(st.integers(1, 40)), draw(st.integers(0, n))) for _ in texts]
    return points, tuple(Pattern(text, *pair) for text, pair in zip(texts, sizes, strict=True))


def completions(text):
    return ["".join(ways) for ways in product(*("01" if one == "?" else one for one in text))]


def total(points, text):
    return sum(value for value, answer in zip(points, text, strict=False) if answer == "1")


def as_array(patterns):
    return np.array([["01".find(one) for one in pattern.answers] for pattern in patterns], np.int8)


@given(walks())
def test_totals_lie_between_the_ends_of_all_ways_to_complete_the_answers(walk):
    points, patterns = walk
    for pattern in patterns:
        answers = answers_of(pattern)
        known = totals_so_far(points, answers)
        assert len(known) == len(pattern.answers.partition("?")[0]) + 1
        lowest, highest = (totals_so_far(points, answers, way) for way in ("lowest", "highest"))
        for stage in range(len(points) + 1):
            ways = [total(points, text[:stage]) for text in completions(pattern.answers)]
            assert (lowest[stage], highest[stage]) == (min(ways), max(ways))
            if stage < len(known):
                assert set(ways) == {known[stage]}


@given(walks(), st.sets(st.integers(-12, 12)))
def test_counts_are_of_those_who_answered_and_went_on(walk, going_on):
    points, patterns = walk
    stages = stage_counts(points, Evidence(patterns))
    for stage, counts in enumerate(stages):
        there = [one for one in patterns if "?" not in one.answers[:stage]]
        for reached in {*counts, 99}:
            here = [one for one in there if total(points, one.answers[:stage]) == reached]
            sums = sum(one.cases for one in here), sum(one.positives for one in here)
            assert counts.get(reached, (0, 0)) == sums
    going = still_there(walkers(points, patterns), 1, going_on)
    assert counts_at(going, 1) == {t: n for t, n in stages[1].items() if t in going_on}
    assert {*counts_at(going, 1, [7, 8])} == {*counts_at(going, 1)} | {7, 8}


def test_where_nobody_answered_half_count_with_either_total():
    found = spread_counts([2], [Pattern("?", 6, 2)])
    assert found.counts[1] == {0: (3.0, 1.0), 2: (3.0, 1.0)}
    assert found.shares == ({None: 0.5},)


def parts_by_hand(points, text, shares):
    """How likely each total is: every way to complete the answers, weighed on its way."""
    found = {}
    for way in completions(text):
        part = 1.0
        for stage, (said, yes) in enumerate(zip(text, shares, strict=True)):
            if said == "?":
                share = yes.get(total(points, way[:stage]), yes[None])
                part *= share if way[stage] == "1" else 1 - share
        reached = total(points, way)
        found[reached] = found.get(reached, 0.0) + part
    return found


@given(walks())
def test_an_unknown_answer_counts_both_ways_by_the_share_of_those_who_answered(walk):
    points, patterns = walk
    found = spread_counts(points, patterns)
    for stage in range(len(points) + 1):
        cases, positives = {}, {}
        for pattern in patterns:
            parts = parts_by_hand(points, pattern.answers[:stage], found.shares[:stage])
            for reached, part in parts.items():
                cases[reached] = cases.get(reached, 0.0) + part * pattern.cases
                positives[reached] = positives.get(reached, 0.0) + part * pattern.positives
        for reached in cases:
            counted = found.counts[stage].get(reached, (0, 0))
            assert counted == pytest.approx((cases[reached], positives[reached]))
    # The share of those who said yes with the same total, each unknown answer before in parts.
    for number, yes in enumerate(found.shares):
        sums = {}
        for pattern in patterns:
            said = pattern.answers[number]
            before = parts_by_hand(points, pattern.answers[:number], found.shares[:number])
            for reached, part in before.items() if said != "?" else ():
                for key in (reached, None):
                    whole, some = sums.get(key, (0.0, 0.0))
                    more = part * pattern.cases
                    sums[key] = whole + more, some + more * (said == "1")
        for key, (whole, some) in sums.items():
            if whole > 0:
                assert yes[key] == pytest.approx(some / whole)
        assert sums or yes == {None: 0.5}


def test_where_nobody_answered_half_of_them_would_say_yes():
    found = spread_counts([2], [Pattern("?", 8, 4)])
    assert found.counts == ({0: (8, 4)}, {2: (4, 2), 0: (4, 2)})


@given(walks())
def test_many_cases_at_once_walk_as_each_alone(walk):
    points, patterns = walk
    answers = as_array(patterns)
    ways = [
        [totals_so_far(points, answers_of(one), way) for one in patterns]
        for way in ("ends", "lowest", "highest")
    ]
    for stage, (totals, reached) in enumerate(standings(answers, points)):
        for place, known in enumerate(ways[0]):
            assert reached[place] == min(len(known) - 1, stage)
            assert totals[place] == known[reached[place]]
    lowest, highest = possible_range(answers, points)
    assert lowest.tolist() == [one[-1] for one in ways[1]]
    assert highest.tolist() == [one[-1] for one in ways[2]]
    possible, shares = possible_totals(points), spread_counts(points, patterns).shares
    for stage, parts in enumerate(spread(answers, points, possible, shares)):
        for row, pattern in zip(parts, patterns, strict=True):
            by_hand = parts_by_hand(points, pattern.answers[:stage], shares[:stage])
            expected = [by_hand.get(reached, 0.0) for reached in possible[stage]]
            assert row.tolist() == pytest.approx(expected)

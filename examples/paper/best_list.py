"""The best of all lists for inputs with one cut-off each, by looking at every one of them.

The loss of a stage depends on which inputs have which points, not on their order. So every
assignment of points to inputs is evaluated once, and a dynamic programme over the assignments finds
the order in which the sum of the stages' losses is smallest. It shows how far a greedy list is from
the best there is.
"""

from __future__ import annotations

from math import prod

import numpy as np

from scorecard.learning.counts import Counts, Floats, Integers
from scorecard.learning.cutoffs import Candidates
from scorecard.learning.losses import isotonic_entropy
from scorecard.learning.search import Choice, FoundList, SearchPlan

AT_ONCE = 1 << 14  # assignments


def best_list(source: Counts, plan: SearchPlan) -> FoundList:
    """The list of all inputs with the smallest sum of stage losses; no value may be missing."""
    losses = assignment_losses(source, plan)
    points = [one.points.tolist() for one in plan.inputs]
    sizes = np.array([len(one) + 1 for one in points], np.int64)
    removed, code = _best_order(losses, sizes, plan.criterion.equal)
    strides = np.concatenate(([1], np.cumprod(sizes[:-1]))).astype(np.int64)
    choices = []
    while code:
        place = int(removed[code])
        digit = code // strides[place] % sizes[place]
        one = plan.inputs[place]
        choices.append(
            Choice(one.input, int(one.cutoffs[0]), points[place][digit - 1], float(losses[code]))
        )
        code -= int(digit * strides[place])
    choices.reverse()
    return FoundList(tuple(choices), (float(losses[0]), *(choice.loss for choice in choices)))


def assignment_losses(source: Counts, plan: SearchPlan) -> Floats:
    """The loss of every assignment of points to inputs.

    The number of an assignment has one digit per input, the first input the smallest: 0 where it
    is not asked, else the place of its points among those it may have. Infinite where the
    assignment is not a list: more questions than allowed, or two of one group.
    """
    patterns, counts = _patterns(source, plan.inputs)
    asked = (patterns[:, None] >> np.arange(len(plan.inputs))) & 1
    sizes = [one.points.size + 1 for one in plan.inputs]
    groups = np.array([one.group for one in plan.inputs])
    same = np.triu(groups[:, None] == groups, 1)
    out = np.full(prod(sizes), np.inf)
    for start in range(0, out.size, AT_ONCE):
        codes = np.arange(start, min(start + AT_ONCE, out.size))
        points = np.zeros((codes.size, len(sizes)), np.int64)
        rest = codes
        for place, one in enumerate(plan.inputs):
            points[:, place] = np.append(0, one.points)[rest % sizes[place]]
            rest = rest // sizes[place]
        is_asked = (points != 0).astype(np.int64)
        clashes = ((is_asked @ same) * is_asked).any(axis=1)
        fits = (is_asked.sum(axis=1) <= plan.max_questions) & ~clashes
        out[codes[fits]] = _losses(points[fits] @ asked.T, counts)
    return out / plan.criterion.unit


def _losses(totals: Integers, counts: Floats) -> Floats:
    """The loss of each row of totals, one for each pattern of answers."""
    # only differences of totals matter, so they are counted from the lowest one
    places = totals - totals.min(axis=1, keepdims=True)
    size = int(places.max(initial=0)) + 1
    cells = (places + size * np.arange(len(places))[:, None]).ravel()
    cases, positives = (
        np.bincount(cells, np.tile(one, len(places)), size * len(places)).reshape(-1, size).T
        for one in counts.T
    )
    return isotonic_entropy(cases, positives)


def _patterns(source: Counts, inputs: tuple[Candidates, ...]) -> tuple[Integers, Floats]:
    """The patterns of answers that occur, as bits, with their cases and positives."""
    state = source.start()
    for place, one in enumerate(inputs):
        state = source.ask(state, one.input, int(one.cutoffs[0]), 1 << place)
    return state.totals, np.ascontiguousarray(state.counts)


def _best_order(losses: Floats, sizes: Integers, equal: float) -> tuple[Integers, int]:
    """The input that each assignment asks last, and the best assignment that asks everything.

    One question more after the other, the least sum of losses up to each assignment is found;
    among equal sums the last one in the order of the inputs.
    """
    strides = np.concatenate(([1], np.cumprod(sizes[:-1]))).astype(np.int64)
    digits = np.arange(losses.size)[:, None] // strides % sizes
    asks = (digits > 0).sum(axis=1)
    sums, removed = np.full(losses.size, np.inf), np.full(losses.size, -1)
    sums[0] = losses[0]
    for number in range(1, sizes.size + 1):
        codes = np.flatnonzero(asks == number)
        for place, stride in enumerate(strides):
            some = codes[digits[codes, place] > 0]
            found = sums[some - digits[some, place] * stride] + losses[some]
            better = found <= sums[some] + equal
            sums[some[better]], removed[some[better]] = found[better], place
    whole = np.flatnonzero(asks == sizes.size)
    return removed, int(whole[np.argmax(sums[whole] <= sums[whole].min() + equal)])

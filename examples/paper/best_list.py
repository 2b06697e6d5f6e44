"""The best of all lists for inputs with one cut-off each, by looking at every one of them.

The loss of a stage depends on which inputs have which points, not on their order. So every
assignment of points to inputs is evaluated once, and a dynamic programme over the assignments finds
the order in which the sum of the stages' losses is smallest. It shows how far a greedy list is from
the best there is.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from scorecard.learning import kernels
from scorecard.learning.compiled import compiled
from scorecard.learning.counts import CountSource, Floats, Integers
from scorecard.learning.cutoffs import Candidates, xlog2x_table
from scorecard.learning.search import Choice, Plan, Result

Array = Any


def best_list(source: CountSource, plan: Plan) -> Result:
    """The list of all inputs with the smallest sum of stage losses; no value may be missing."""
    losses = assignment_losses(source, plan)
    points = [one.points.tolist() for one in plan.inputs]
    sizes = np.array([len(one) + 1 for one in points], np.int64)
    removed = np.full(losses.size, -1, np.int8)
    code = int(_best_order(losses, sizes, plan.criterion.equal, removed))
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
    return Result(tuple(choices), (float(losses[0]), *(choice.loss for choice in choices)))


def assignment_losses(source: CountSource, plan: Plan) -> Floats:
    """The loss of every assignment of points to inputs.

    The number of an assignment has one digit per input, the first input the smallest: 0 where it
    is not asked, else the place of its points among those it may have. Infinite where the
    assignment is not a list: more questions than allowed, or two of one group.
    """
    patterns, counts = _patterns(source, plan.inputs)
    asked = (patterns[:, None] >> np.arange(len(plan.inputs))) & 1
    sizes = np.array([one.points.size + 1 for one in plan.inputs], np.int64)
    table = np.zeros((len(plan.inputs), int(sizes.max(initial=1))), np.int64)
    for place, one in enumerate(plan.inputs):
        table[place, 1 : sizes[place]] = one.points
    groups = np.array([one.group for one in plan.inputs], np.int64)
    out = np.empty(prod(sizes.tolist()))
    _evaluate_all(
        np.ascontiguousarray(asked.T), counts, table, sizes, groups,
        min(plan.max_questions, len(plan.inputs)), plan.criterion.loss, plan.criterion.penalty,
        xlog2x_table(), out,
    )  # fmt: skip
    return out / plan.criterion.unit


def _patterns(source: CountSource, inputs: tuple[Candidates, ...]) -> tuple[Integers, Floats]:
    """The patterns of answers that occur, as bits, with their cases and positives."""
    state = source.start()
    for place, one in enumerate(inputs):
        state = source.ask(state, one.input, int(one.cutoffs[0]), 1 << place)
    return state.totals, np.ascontiguousarray(state.counts)


@compiled(
    "void(i8[:, ::1], f8[:, ::1], i8[:, ::1], i8[::1], i8[::1], i8, i8, f8, f8[::1], f8[::1])"
)
def _evaluate_all(
    asked: Array, counts: Array, points: Array, sizes: Array, groups: Array,
    most: int, loss: int, penalty: float, table: Array, out: Array,
) -> None:  # fmt: skip
    """Count up through all assignments; the totals of the inputs that stay need no new sum."""
    inputs, patterns = asked.shape
    digits = np.zeros(inputs, np.int64)
    # totals[j]: those that inputs j, j + 1, … give
    totals = np.zeros((inputs + 1, patterns), np.int64)
    reach = 1
    for j in range(inputs):
        largest = 0
        for d in range(sizes[j]):
            largest = max(largest, abs(points[j, d]))
        reach += largest
    cases, positives = np.zeros(2 * reach + 1), np.zeros(2 * reach + 1)
    possible, terms = np.arange(2 * reach + 1), np.empty((2 * reach + 1, 2))
    for code in range(out.size):
        low, high, asks, clash = 0, 0, 0, False
        for j in range(inputs):
            if digits[j]:
                asks += 1
                s = points[j, digits[j]]
                low += min(s, 0)
                high += max(s, 0)
                for other in range(j):
                    clash = clash or (digits[other] > 0 and groups[other] == groups[j])
        if asks > most or clash:
            out[code] = np.inf
        else:
            size = high - low + 1
            cases[:size] = 0.0
            positives[:size] = 0.0
            for i in range(patterns):
                place = totals[0, i] - low
                cases[place] += counts[i, 0]
                positives[place] += counts[i, 1]
            # only differences of totals matter, so they are counted from the lowest one
            kernels.set_terms(loss, possible, size, 0, size - 1, terms)
            out[code] = kernels.loss_of_counts(loss, penalty, terms, cases, positives, size, table)
        j = 0
        while j < inputs and digits[j] + 1 == sizes[j]:
            digits[j] = 0
            j += 1
        if j < inputs:
            digits[j] += 1
            for back in range(j, -1, -1):
                s = points[back, digits[back]]
                for i in range(patterns):
                    totals[back, i] = totals[back + 1, i] + s * asked[back, i]


@compiled("i8(f8[::1], i8[::1], f8, i1[::1])")
def _best_order(losses: Array, sizes: Array, equal: float, removed: Array) -> int:
    """The best assignment that asks everything; `removed` is the input that each asks last.

    Taking an input away gives a smaller number, so one pass upwards finds the least sum of losses
    up to each assignment; among equal sums the last one in the order of the inputs.
    """
    sums = np.full(losses.size, np.inf)
    sums[0] = losses[0]
    best, best_sum = 0, np.inf
    for code in range(1, losses.size):
        rest, stride, asks = code, 1, 0
        for j in range(sizes.size):
            digit = rest % sizes[j]
            rest //= sizes[j]
            if digit:
                asks += 1
                found = sums[code - digit * stride] + losses[code]
                if found <= sums[code] + equal:
                    sums[code] = found
                    removed[code] = j
            stride *= sizes[j]
        if asks == sizes.size and sums[code] < best_sum - equal:
            best, best_sum = code, sums[code]
    return best

"""The best of all lists for inputs with one cut-off each, by looking at every one of them.

The loss of a stage depends on which inputs have which points, not on their order. So every
assignment of points to inputs is evaluated once, and a dynamic programme over the assignments finds
the order in which the sum of the stages' losses is smallest. It shows how far a greedy list or that
of a beam is from the best there is.

Where inputs differ in cost, each loss counts as long as it lasts: times the weight of the question
that ends it. The sum is the area below the loss over what was spent, and its greedy approximation
is gain per weight. With equal weights it is the sum of the losses.
"""

from __future__ import annotations

from math import prod
from typing import Any

import numpy as np

from scorecard.errors import LearningError
from scorecard.learning import kernels
from scorecard.learning.compiled import compiled
from scorecard.learning.counts import CountSource, Floats, Integers
from scorecard.learning.cutoffs import Candidates, xlog2x_table
from scorecard.learning.search import Choice, Plan, Result

Array = Any

# Evaluated at about a million per second and held in memory twice.
MOST_ASSIGNMENTS = 20_000_000


def optimal(source: CountSource, plan: Plan) -> Result:
    """The list with the smallest sum of stage losses; a list that ends early keeps its last loss.

    Raises
    ------
    LearningError
        Where an input has several cut-offs or missing values, or there are too many lists.
    """
    _refuse_what_cannot_be_enumerated(plan)
    losses = assignment_losses(source, plan)
    most = min(plan.max_questions, len(plan.inputs))
    points = [one.points.tolist() for one in plan.inputs]
    sizes = np.array([len(one) + 1 for one in points], np.int64)
    equal, all_asked = plan.criterion.equal, plan.min_gain is None
    gain = -np.inf if plan.min_gain is None else plan.min_gain + equal
    areas, removed = np.full(losses.size, np.inf), np.full(losses.size, -1, np.int8)
    weights, bought = _weights(plan)
    horizon = float(np.sort(weights)[::-1][:most].sum() + weights.mean()) if most else 1.0
    best = int(
        _best_order(
            losses, sizes, weights, bought, horizon, most, all_asked, gain, equal, areas, removed
        )
    )
    choices = []
    code = best
    strides = _strides(sizes)
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


def _refuse_what_cannot_be_enumerated(plan: Plan) -> None:
    if plan.fixed:
        raise LearningError("search='optimal' chooses every question; leave out fixed.")
    if plan.criterion.loss == kernels.PAIRS:
        raise LearningError("search='optimal' cannot learn from comparisons; use search='greedy'.")
    several = [one for one in plan.inputs if len(one.cutoffs) != 1]
    if several:
        raise LearningError(
            f"search='optimal' needs inputs with one cut-off each, and {len(several)} have more;"
            " give yes/no inputs, or use binarize='beforehand'."
        )
    count = prod(one.points.size + 1 for one in plan.inputs)
    if count > MOST_ASSIGNMENTS:
        raise LearningError(
            f"search='optimal' would have to look at {count:,} assignments of points to"
            f" {len(plan.inputs)} inputs, at most {MOST_ASSIGNMENTS:,} are possible: use fewer"
            " inputs or points, or a beam."
        )


def _patterns(source: CountSource, inputs: tuple[Candidates, ...]) -> tuple[Integers, Floats]:
    """The patterns of answers that occur, as bits, with their cases and positives."""
    state = source.start()
    for place, one in enumerate(inputs):
        state = source.ask(state, one.input, int(one.cutoffs[0]), 1 << place)
    if state.counts[:, 0].sum() < source.total_weight:
        raise LearningError(
            "search='optimal' needs inputs without missing values; use missing='mode', or leave"
            " out inputs or cases."
        )
    return state.totals, np.ascontiguousarray(state.counts)


def _weights(plan: Plan) -> tuple[Floats, Integers]:
    """What each input's question weighs, and the number of what has to be bought for it."""
    count = len(plan.inputs)
    if plan.weights is None:
        return np.ones(count), np.arange(count)
    columns = [one.input for one in plan.inputs]
    weights = [
        0.0 if plan.weights.is_free(column, set()) else plan.weights.weight(column, set())
        for column in columns
    ]
    names = [plan.weights.bought[column] for column in columns]
    numbers = [names.index(name) for name in names]
    return np.array(weights), np.array(numbers, np.int64)


def _strides(sizes: Integers) -> Integers:
    return np.concatenate(([1], np.cumprod(sizes[:-1]))).astype(np.int64)


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


@compiled("i8(f8[::1], i8[::1], f8[::1], i8[::1], f8, i8, b1, f8, f8, f8[::1], i1[::1])")
def _best_order(
    losses: Array, sizes: Array, weights: Array, bought: Array, horizon: float, most: int,
    all_asked: bool, gain: float, equal: float, areas: Array, removed: Array,
) -> int:  # fmt: skip
    """Least area below the losses up to each assignment; the best assignment to end with.

    Taking an input away gives a smaller number, so one pass upwards is enough. `removed` is the
    input that is asked last; among equal areas the last one in the order of the inputs. The last
    loss lasts until the horizon.
    """
    areas[0] = 0.0
    asked = np.zeros(sizes.size, np.int64)
    best, best_area = 0, np.inf if all_asked and most > 0 else losses[0] * horizon
    for code in range(1, losses.size):
        if losses[code] == np.inf:
            continue
        rest, asks, spent = code, 0, 0.0
        for j in range(sizes.size):
            asked[j] = rest % sizes[j]
            rest //= sizes[j]
            asks += asked[j] > 0
        stride = 1
        for j in range(sizes.size):
            if asked[j]:
                before = code - asked[j] * stride
                is_paid, is_later = False, False
                for other in range(sizes.size):
                    if other != j and asked[other] and bought[other] == bought[j]:
                        is_paid = True
                        is_later = is_later or other < j
                weight = 0.0 if is_paid else weights[j]
                if not is_later:
                    spent += weights[j]
                area = areas[before] + weight * losses[before]
                if area <= areas[code] + equal and losses[before] - losses[code] > gain:
                    areas[code] = area
                    removed[code] = j
            stride *= sizes[j]
        if all_asked and asks < most:
            continue
        area = areas[code] + (horizon - spent) * losses[code]
        if area < best_area - equal:
            best, best_area = code, area
    return best

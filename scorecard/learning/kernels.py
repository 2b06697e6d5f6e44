"""The compiled loops: pooling, losses, counting and the exact search over cut-offs.

All of them stand in one file because numba's cache only notices changes of the file a function is
in. Counts are float64 holding exact multiples of one power of two (see `counts.exact_weights`), so
sums do not depend on the order of cases.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from scorecard.learning.compiled import compiled

Array = Any

ENTROPY = 0
RANKING = 1
PAIRS = 2


@compiled("f8(f8, f8[::1])")
def xlog2x(x: float, table: Array) -> float:
    """x · log2 x, looked up for whole counts."""
    whole = int(x)
    if whole == x and whole < table.size:
        return float(table[whole])
    return float(x * np.log2(x))


@compiled("i8(f8[::1], f8[::1], i8)")
def pool(cases: Array, positives: Array, size: int) -> int:
    """Pool adjacent violators in place; return the number of blocks, whose rates rise strictly."""
    blocks = 0
    for v in range(size):
        n = cases[v]
        if n == 0.0:
            continue
        p = positives[v]
        while blocks > 0 and positives[blocks - 1] * n >= p * cases[blocks - 1]:
            blocks -= 1
            n += cases[blocks]
            p += positives[blocks]
        cases[blocks] = n
        positives[blocks] = p
        blocks += 1
    return blocks


@compiled("f8(f8[::1], f8[::1], i8, f8[::1])")
def entropy_bits(cases: Array, positives: Array, size: int, table: Array) -> float:
    """Cases times entropy (base 2) of their isotonic estimates; overwrites its arguments."""
    blocks = pool(cases, positives, size)
    bits = 0.0
    for i in range(blocks):
        n, p = cases[i], positives[i]
        # p and n − p are added first so that mirrored outcomes give the same float
        bits += xlog2x(n, table) - (xlog2x(p, table) + xlog2x(n - p, table))
    return bits


@compiled("f8(f8[::1], f8[::1], i8)")
def misranked_pairs(cases: Array, positives: Array, size: int) -> float:
    """Pairs of a positive and a negative that the totals rank wrongly, ties counting half."""
    negatives_below = 0.0
    negatives = 0.0
    for v in range(size):
        negatives += cases[v] - positives[v]
    lost = 0.0
    for v in range(size):
        here = cases[v] - positives[v]
        lost += positives[v] * (negatives - negatives_below - 0.5 * here)
        negatives_below += here
    return lost


@compiled("f8(f8[:, ::1], f8[:, ::1], f8[:, ::1], i8[::1], i8)")
def misordered_comparisons(
    below_first: Array, below_last: Array, known: Array, differences: Array, points: int
) -> float:
    """Comparisons whose preferred case gets the smaller total, ties counting half.

    `below_first` holds, per difference of totals, the comparisons in which only the preferred case
    (column 0) or only the other case (column 1) is below the cut-off: the former lose the points,
    the latter gain them. For comparisons one cut-off is evaluated at a time, so both arguments are
    the same.
    """
    lost = 0.0
    for g in range(differences.size):
        fall, rise = below_first[g, 0], below_last[g, 1]
        for moved, by in ((fall, -points), (rise, points), (known[g, 0] - fall - rise, 0)):
            after = differences[g] + by
            if after < 0:
                lost += moved
            elif after == 0:
                lost += 0.5 * moved
    return lost


@compiled("i8(i8[::1], i8, i8[::1], i8[::1])")
def merge_totals(totals: Array, points: int, place_no: Array, place_yes: Array) -> int:
    """Places of T and T + points in the sorted union of both; return the size of the union."""
    groups = totals.size
    i, j, size = 0, 0, 0
    while i < groups or j < groups:
        if j == groups or (i < groups and totals[i] < totals[j] + points):
            place_no[i] = size
            i += 1
        elif i == groups or totals[j] + points < totals[i]:
            place_yes[j] = size
            j += 1
        else:
            place_no[i] = size
            place_yes[j] = size
            i += 1
            j += 1
        size += 1
    return size


@compiled(
    "f8(f8[:, ::1], f8[:, ::1], f8[:, ::1], i8[::1], i8, i8[::1], i8[::1], i8, i8,"
    " f8[::1], f8[::1], f8[::1])"
)
def bound(
    below_first: Array,
    below_last: Array,
    known: Array,
    totals: Array,
    points: int,
    place_no: Array,
    place_yes: Array,
    size: int,
    loss: int,
    cases: Array,
    positives: Array,
    table: Array,
) -> float:
    """Lower bound of the loss of every cut-off from `first` to `last`; exact if they are the same.

    The cases between the two are left out. That never raises the best log-likelihood loss, nor the
    number of misranked pairs.
    """
    if loss == PAIRS:
        return misordered_comparisons(below_first, below_last, known, totals, points)
    for v in range(size):
        cases[v] = 0.0
        positives[v] = 0.0
    for g in range(totals.size):
        cases[place_no[g]] += below_first[g, 0]
        positives[place_no[g]] += below_first[g, 1]
        cases[place_yes[g]] += known[g, 0] - below_last[g, 0]
        positives[place_yes[g]] += known[g, 1] - below_last[g, 1]
    if loss == ENTROPY:
        return entropy_bits(cases, positives, size, table)
    return misranked_pairs(cases, positives, size)


@compiled("void(f8[:, :, ::1])")
def accumulate(gaps: Array) -> None:
    """Turn counts between neighbouring cut-offs into counts below each, in place."""
    for c in range(1, gaps.shape[0]):
        for g in range(gaps.shape[1]):
            gaps[c, g, 0] += gaps[c - 1, g, 0]
            gaps[c, g, 1] += gaps[c - 1, g, 1]


@compiled("void(f8[:, :, ::1], f8[:, ::1], i8[::1], i8[::1], i8, f8[::1], f8[:, ::1])")
def evaluate(
    below: Array,
    known: Array,
    totals: Array,
    points: Array,
    loss: int,
    table: Array,
    losses: Array,
) -> None:
    """The loss of every points value (rows of `losses`) at every cut-off (columns)."""
    groups = totals.size
    place_no, place_yes = np.empty(groups, np.int64), np.empty(groups, np.int64)
    cases, positives = np.empty(2 * groups), np.empty(2 * groups)
    for s in range(points.size):
        size = merge_totals(totals, points[s], place_no, place_yes)
        for c in range(below.shape[0]):
            losses[s, c] = bound(
                below[c], below[c], known, totals, points[s],
                place_no, place_yes, size, loss, cases, positives, table,
            )  # fmt: skip


@compiled("void(f8[:, :, ::1], f8[:, ::1], i8[::1], i8[::1], i8, f8[::1], f8[:, ::1])")
def gap_bounds(
    below: Array,
    known: Array,
    totals: Array,
    points: Array,
    loss: int,
    table: Array,
    bounds: Array,
) -> None:
    """For every points value a lower bound of the loss between neighbouring cut-offs."""
    groups = totals.size
    place_no, place_yes = np.empty(groups, np.int64), np.empty(groups, np.int64)
    cases, positives = np.empty(2 * groups), np.empty(2 * groups)
    for s in range(points.size):
        size = merge_totals(totals, points[s], place_no, place_yes)
        for c in range(below.shape[0] - 1):
            bounds[s, c] = bound(
                below[c], below[c + 1], known, totals, points[s],
                place_no, place_yes, size, loss, cases, positives, table,
            )  # fmt: skip


@compiled("f8(f8, f8, f8[::1])")
def cell_bits(n: float, p: float, table: Array) -> float:
    """Cases times entropy of their own rate."""
    return xlog2x(n, table) - (xlog2x(p, table) + xlog2x(n - p, table))


@compiled("f8(f8[:, :, ::1], i8[::1], i8, f8[::1], f8[:, ::1])")
def loss_of_known(gaps: Array, totals: Array, loss: int, table: Array, known: Array) -> float:
    """Sum all gaps into `known`; return the loss of these cases without a further question."""
    groups = totals.size
    known[:] = 0.0
    for c in range(gaps.shape[0]):
        for g in range(groups):
            known[g, 0] += gaps[c, g, 0]
            known[g, 1] += gaps[c, g, 1]
    place = np.arange(groups)
    # everybody is below the cut-off, so nobody gets points, whatever they are
    return bound(
        known, known, known, totals, 0,
        place, place, groups, loss, np.empty(groups), np.empty(groups), table,
    )  # fmt: skip


@compiled("b1(i8[:, ::1], i8[:, ::1], i8)")
def same_as_before(place_no: Array, place_yes: Array, s: int) -> bool:
    """Whether an earlier points value arranges the totals in the same way."""
    for earlier in range(s):
        same = True
        for g in range(place_no.shape[1]):
            if place_no[earlier, g] != place_no[s, g] or place_yes[earlier, g] != place_yes[s, g]:
                same = False
                break
        if same:
            return True
    return False


@compiled(
    "f8(f8[:, :, ::1], i8, f8[:, ::1], i8[::1], i8[::1], f8[::1], f8, f8, b1, f8[::1], i8[::1])"
)
def search_entropy(
    gaps: Array,
    n_cutoffs: int,
    known: Array,
    totals: Array,
    points: Array,
    table: Array,
    limit: float,
    tolerance: float,
    each: bool,
    best_loss: Array,
    best_cut: Array,
) -> float:
    """The cut-off with the smallest entropy for every points value.

    `gaps[c]` are the cases between cut-off c − 1 and c. Sweeping upwards, they move from yes to no,
    and the entropy without the condition that risks rise changes in two totals only. It is a lower
    bound, so the isotonic estimates are needed only where it does not exceed what has been found:
    `limit`, the best of all points values, or with `each` the best of the same points value. Equal
    losses go to the smaller cut-off. Returns the limit as lowered by what was found.
    """
    groups, choices = totals.size, points.size
    place_no = np.empty((choices, groups), np.int64)
    place_yes = np.empty((choices, groups), np.int64)
    size = np.empty(choices, np.int64)
    n, p = np.zeros((choices, 2 * groups)), np.zeros((choices, 2 * groups))
    bits = np.zeros((choices, 2 * groups))
    free = np.zeros(choices)
    pooled_n, pooled_p = np.empty(2 * groups), np.empty(2 * groups)
    # running sums are exact up to rounding of their terms; the exact value decides
    slack = 1e3 * tolerance
    for s in range(choices):
        best_loss[s] = np.inf
        best_cut[s] = -1
        size[s] = merge_totals(totals, points[s], place_no[s], place_yes[s])
        if not each and same_as_before(place_no, place_yes, s):
            size[s] = 0  # the same partition of cases in the same order: never better
        for g in range(groups):
            n[s, place_yes[s, g]] += known[g, 0]
            p[s, place_yes[s, g]] += known[g, 1]
        for v in range(size[s]):
            bits[s, v] = cell_bits(n[s, v], p[s, v], table)
            free[s] += bits[s, v]
    for c in range(n_cutoffs):
        for g in range(groups):
            moved, moved_p = gaps[c, g, 0], gaps[c, g, 1]
            if moved == 0.0:
                continue
            for s in range(choices):
                if size[s] == 0:
                    continue
                a, b = place_yes[s, g], place_no[s, g]
                n[s, a] -= moved
                p[s, a] -= moved_p
                n[s, b] += moved
                p[s, b] += moved_p
                bits_a = cell_bits(n[s, a], p[s, a], table)
                bits_b = cell_bits(n[s, b], p[s, b], table)
                free[s] += (bits_a - bits[s, a]) + (bits_b - bits[s, b])
                bits[s, a] = bits_a
                bits[s, b] = bits_b
        for s in range(choices):
            at_most = min(limit + tolerance, best_loss[s] - tolerance)
            if size[s] == 0 or free[s] > at_most + slack:
                continue
            for v in range(size[s]):
                pooled_n[v] = n[s, v]
                pooled_p[v] = p[s, v]
            value = entropy_bits(pooled_n, pooled_p, size[s], table)
            if value <= at_most:
                best_loss[s] = value
                best_cut[s] = c
                if not each:
                    limit = min(limit, value)
    return limit


@compiled("void(i4[::1], i8[::1], i4[::1], f8[::1], f8[:, :, ::1])")
def tabulate(order: Array, edges: Array, codes: Array, weights: Array, gaps: Array) -> None:
    """Count the cases between neighbouring edges by group and outcome.

    `codes` is 2 · group + outcome, negative for a case without a total; `weights` of size 1 means
    that every case counts once.
    """
    unit = weights.size == 1
    weight = 1.0
    for e in range(edges.size - 1):
        for i in range(edges[e], edges[e + 1]):
            case = order[i]
            code = codes[case]
            if code >= 0:
                if not unit:
                    weight = weights[case]
                gaps[e, code >> 1, 0] += weight
                if code & 1:
                    gaps[e, code >> 1, 1] += weight


@compiled("i8(i4[::1], i8, i4[::1], i8[::1], i8, i4[::1], i8[::1])")
def answer(
    order: Array,
    cut: int,
    codes: Array,
    totals: Array,
    points: int,
    new_codes: Array,
    new_totals: Array,
) -> int:
    """Give points to the cases from `cut` on in `order`; return the number of totals that occur.

    Cases that are not in `order` have no answer and lose their total.
    """
    groups = totals.size
    place_no, place_yes = np.empty(groups, np.int64), np.empty(groups, np.int64)
    size = merge_totals(totals, points, place_no, place_yes)
    occurs = np.zeros(size, np.int64)
    new_codes[:] = -1
    for i in range(order.size):
        code = codes[order[i]]
        if code >= 0:
            group = code >> 1
            place = place_yes[group] if i >= cut else place_no[group]
            occurs[place] = 1
            new_codes[order[i]] = 2 * place + (code & 1)
    count = 0
    for g in range(groups):
        new_totals[place_no[g]] = totals[g]
        new_totals[place_yes[g]] = totals[g] + points
    for v in range(size):
        if occurs[v]:
            occurs[v] = count
            new_totals[count] = new_totals[v]
            count += 1
    for i in range(order.size):
        code = new_codes[order[i]]
        if code >= 0:
            new_codes[order[i]] = 2 * occurs[code >> 1] + (code & 1)
    return count

"""The compiled loops: estimates, losses, counting and the exact search over cut-offs.

All of them stand in one file because numba's cache only notices changes of the file a function is
in. Counts are float64 holding exact multiples of one power of two (see `counts.exact_weights`), so
sums do not depend on the order of cases.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from scorecard.learning.compiled import compiled

Array = Any

# What is minimised. The last two are the entropy of estimates of that kind, as ENTROPY is that of
# the isotonic ones.
ENTROPY = 0
RANKING = 1
PAIRS = 2
SIGMOID = 3
BETA = 4

# Keeps an estimate finite where a total separates the outcomes perfectly.
LEAST_PENALTY = 1e-6

# Totals at the ends of the scale are 0 and 1, where beta calibration has no logarithm.
TINY = float(np.finfo(np.float64).eps)


@compiled("f8(f8, f8[::1])")
def xlog2x(x: float, table: Array) -> float:
    """x · log2 x, looked up for whole counts."""
    if x < table.size:
        whole = np.uint32(np.int32(x))  # unsigned: no place before the first is asked for
        if whole == x:
            return float(table[whole])
    return float(x * np.log2(x))


@compiled("f8(f8, f8, f8[::1])")
def cell_bits(n: float, p: float, table: Array) -> float:
    """Cases times entropy of their own rate."""
    # p and n − p are added first so that mirrored outcomes give the same float
    return xlog2x(n, table) - (xlog2x(p, table) + xlog2x(n - p, table))


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
        bits += cell_bits(cases[i], positives[i], table)
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


@compiled("f8(f8[:, ::1], f8[:, ::1], i8[::1], i8)")
def misordered_comparisons(below: Array, known: Array, differences: Array, points: int) -> float:
    """Comparisons whose preferred case gets the smaller total, ties counting half.

    `below` holds, per difference of totals, the comparisons in which only the preferred case
    (column 0) or only the other case (column 1) is below the cut-off: the former lose the points,
    the latter gain them.
    """
    lost = 0.0
    for g in range(differences.size):
        fall, rise = below[g, 0], below[g, 1]
        for moved, by in ((fall, -points), (rise, points), (known[g, 0] - fall - rise, 0)):
            after = differences[g] + by
            if after < 0:
                lost += moved
            elif after == 0:
                lost += 0.5 * moved
    return lost


@compiled("void(i8, i8[::1], i8, i8, i8, f8[:, ::1])")
def set_terms(loss: int, totals: Array, size: int, lowest: int, highest: int, terms: Array) -> None:
    """What the log-odds of each total are made of, given the range of totals a stage can have.

    SIGMOID: the total. BETA: log τ and −log(1 − τ) of the total scaled to τ in [0, 1] (Kull, Silva
    Filho and Flach 2017).
    """
    for v in range(size):
        if loss == SIGMOID:
            terms[v, 0] = totals[v]
            terms[v, 1] = 0.0
        elif loss == BETA:
            scaled = (totals[v] - lowest) / max(highest - lowest, 1)
            scaled = min(max(scaled, TINY), 1.0 - TINY)
            terms[v, 0] = np.log(scaled)
            terms[v, 1] = -np.log1p(-scaled)


@compiled("UniTuple(f8, 10)(f8[:, ::1], f8[::1], f8[::1], i8, f8, f8, f8, f8, f8, f8, f8, f8)")
def likelihood(
    terms: Array, cases: Array, positives: Array, size: int, use: float, use_2: float,
    mean: float, mean_2: float, slope: float, slope_2: float, constant: float,
    ridge: float,
) -> tuple[float, ...]:  # fmt: skip
    """Penalised negative log-likelihood (nats), with its gradient and second derivatives."""
    value = 0.5 * ridge * (slope * slope + slope_2 * slope_2)
    g, g_2, g_c = ridge * slope, ridge * slope_2, 0.0
    # 1e-12: the constant has no penalty, and nobody may be uncertain
    h, h_12, h_2, h_1c, h_2c, h_c = ridge, 0.0, ridge, 0.0, 0.0, 1e-12
    for v in range(size):
        n = cases[v]
        if n == 0.0:
            continue
        x, x_2 = use * (terms[v, 0] - mean), use_2 * (terms[v, 1] - mean_2)
        odds = slope * x + slope_2 * x_2 + constant
        small = np.exp(-abs(odds))
        value += n * (max(odds, 0.0) + np.log1p(small)) - positives[v] * odds
        risk = (1.0 if odds > 0 else small) / (1.0 + small)
        excess, spread = n * risk - positives[v], n * small / (1.0 + small) ** 2
        g += excess * x
        g_2 += excess * x_2
        g_c += excess
        h += spread * x * x
        h_12 += spread * x * x_2
        h_2 += spread * x_2 * x_2
        h_1c += spread * x
        h_2c += spread * x_2
        h_c += spread
    return value, g, g_2, g_c, h, h_12, h_2, h_1c, h_2c, h_c


@compiled("UniTuple(f8, 3)(UniTuple(f8, 10))")
def newton_step(now: Any) -> Any:
    """Of both slopes and the constant, which is eliminated first, then the second slope."""
    _, g, g_2, g_c, h, h_12, h_2, h_1c, h_2c, h_c = now
    h, h_12, g = h - h_1c * h_1c / h_c, h_12 - h_1c * h_2c / h_c, g - h_1c * g_c / h_c
    h_2, g_2 = h_2 - h_2c * h_2c / h_c, g_2 - h_2c * g_c / h_c
    step = (g - h_12 * g_2 / h_2) / (h - h_12 * h_12 / h_2)
    step_2 = (g_2 - h_12 * step) / h_2
    return step, step_2, (g_c - h_1c * step - h_2c * step_2) / h_c


@compiled("f8(f8[:, ::1], b1, b1, b1, f8[::1], f8[::1], i8, f8, f8[::1])")
def fit_line(
    terms: Array, first: bool, second: bool, standard: bool, cases: Array, positives: Array,
    size: int, penalty: float, line: Array,
) -> float:  # fmt: skip
    """Logistic regression on counts by Newton's method: two slopes and the constant into `line`.

    Only the terms that are asked for get a slope, and slopes are penalised (L2); if `standard`, per
    standard deviation of the first term, whatever its scale. Returns the cases
    times the entropy of the estimates in nats: where the gradient is zero that is the negative
    log-likelihood plus penalty · slope², which an error of the slopes changes least.
    """
    use, use_2 = 1.0 if first else 0.0, 1.0 if second else 0.0
    total, positive, mean, mean_2 = 0.0, 0.0, 0.0, 0.0
    for v in range(size):
        total += cases[v]
        positive += positives[v]
        mean += cases[v] * terms[v, 0]
        mean_2 += cases[v] * terms[v, 1]
    mean, mean_2 = mean / total, mean_2 / total
    if standard:
        spread = 0.0
        for v in range(size):
            spread += cases[v] * (terms[v, 0] - mean) ** 2
        use = np.sqrt(total / spread) if spread > 0.0 else 0.0
    ridge = max(penalty, LEAST_PENALTY)
    a, b, c = 0.0, 0.0, np.log(positive / (total - positive))
    now = likelihood(terms, cases, positives, size, use, use_2, mean, mean_2, a, b, c, ridge)
    for _ in range(100):
        step, step_2, step_c = newton_step(now)
        value, length, tried = now[0], 1.0, now
        while length > 1e-10:
            tried = likelihood(
                terms, cases, positives, size, use, use_2, mean, mean_2, a - length * step,
                b - length * step_2, c - length * step_c, ridge,
            )  # fmt: skip
            if tried[0] <= value:
                break
            length /= 2
        if not tried[0] < value:
            break
        a, b, c = a - length * step, b - length * step_2, c - length * step_c
        now = tried
        if value - tried[0] < 1e-12 * (1 + value):
            break
    line[0], line[1], line[2] = use * a, use_2 * b, c - use * a * mean - use_2 * b * mean_2
    return now[0] + 0.5 * ridge * (a * a + b * b)


@compiled("f8(i8, f8[:, ::1], f8[::1], f8[::1], i8, f8, f8[::1])")
def fit_calibration(
    loss: int, terms: Array, cases: Array, positives: Array, size: int, penalty: float,
    line: Array,
) -> float:  # fmt: skip
    """Fit log-odds that never fall into `line`; return cases times entropy of the estimates.

    A term whose slope would be negative is dropped; if the other's is negative too, the estimate
    is the base rate. In bits, like the entropy of isotonic estimates, which is a lower bound: no
    rising estimates have a smaller log-likelihood loss.
    """
    total, positive = 0.0, 0.0
    for v in range(size):
        total += cases[v]
        positive += positives[v]
    line[:] = 0.0
    if positive == 0.0 or positive == total:
        line[2] = np.inf if positive > 0.0 else -np.inf
        return 0.0
    # Asking the same question twice doubles all totals. With a penalty per point that would look
    # like a gain; the totals of BETA are scaled already.
    standard = loss == SIGMOID
    nats = fit_line(terms, True, loss == BETA, standard, cases, positives, size, penalty, line)
    if loss == BETA and line[0] < 0:
        nats = fit_line(terms, False, True, False, cases, positives, size, penalty, line)
    elif loss == BETA and line[1] < 0:
        nats = fit_line(terms, True, False, False, cases, positives, size, penalty, line)
    if min(line[0], line[1]) < 0:
        line[0], line[1], line[2] = 0.0, 0.0, np.log(positive / (total - positive))
        risk = positive / total
        nats = -positive * np.log(risk) - (total - positive) * np.log1p(-risk)
    return float(nats / np.log(2.0))


@compiled("f8(i8, f8, f8[:, ::1], f8[::1], f8[::1], i8, f8[::1])")
def loss_of_counts(
    loss: int, penalty: float, terms: Array, cases: Array, positives: Array, size: int, table: Array
) -> float:
    """The loss of the counts per total, ascending; overwrites the counts."""
    if loss == ENTROPY:
        return entropy_bits(cases, positives, size, table)
    if loss == RANKING:
        return misranked_pairs(cases, positives, size)
    return fit_calibration(loss, terms, cases, positives, size, penalty, np.empty(3))


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


@compiled("void(f8[:, :, ::1])")
def accumulate(gaps: Array) -> None:
    """Turn counts between neighbouring cut-offs into counts below each, in place."""
    for c in range(1, gaps.shape[0]):
        for g in range(gaps.shape[1]):
            gaps[c, g, 0] += gaps[c - 1, g, 0]
            gaps[c, g, 1] += gaps[c - 1, g, 1]


@compiled("void(i8[::1], i8, i8[::1], i8[::1], i8[::1])")
def set_merged(
    totals: Array, points: int, place_no: Array, place_yes: Array, merged: Array
) -> None:
    """The totals after a question, each at its place."""
    for g in range(totals.size):
        merged[place_no[g]] = totals[g]
        merged[place_yes[g]] = totals[g] + points


@compiled("void(f8[:, ::1], f8[:, ::1], f8[:, ::1], i8, i8[::1], i8[::1], i8, f8[::1], f8[::1])")
def count_after(
    below_first: Array, below_last: Array, known: Array, points: int, place_no: Array,
    place_yes: Array, size: int, cases: Array, positives: Array,
) -> None:  # fmt: skip
    """Counts per total after the question whose cut-off lies between `first` and `last`.

    If these are not the same, it is open where the cases between them belong: the positives are
    counted at the higher of their two totals, the negatives at the lower. No cut-off between gives
    a smaller loss, because estimates rise with the total.
    """
    for v in range(size):
        cases[v] = 0.0
        positives[v] = 0.0
    for g in range(known.shape[0]):
        no, yes = place_no[g], place_yes[g]
        high, low = (yes, no) if points > 0 else (no, yes)
        between_p = below_last[g, 1] - below_first[g, 1]
        between_n = below_last[g, 0] - below_first[g, 0] - between_p
        cases[no] += below_first[g, 0]
        positives[no] += below_first[g, 1]
        cases[yes] += known[g, 0] - below_last[g, 0]
        positives[yes] += known[g, 1] - below_last[g, 1]
        cases[high] += between_p
        positives[high] += between_p
        cases[low] += between_n


@compiled(
    "void(f8[:, :, ::1], f8[:, :, ::1], f8[:, ::1], i8[::1], i8[::1], i8, f8, i8, i8, f8[::1],"
    " f8[:, ::1])"
)
def evaluate(
    below_first: Array, below_last: Array, known: Array, totals: Array, points: Array, loss: int,
    penalty: float, lowest: int, highest: int, table: Array, losses: Array,
) -> None:  # fmt: skip
    """The loss of every points value (rows of `losses`) at every cut-off (columns).

    Where `below_first` and `below_last` differ: a lower bound for all cut-offs between them.
    `lowest` and `highest` are the totals that were possible before the question.
    """
    groups = totals.size
    place_no, place_yes = np.empty(groups, np.int64), np.empty(groups, np.int64)
    merged, terms = np.empty(2 * groups, np.int64), np.empty((2 * groups, 2))
    cases, positives = np.empty(2 * groups), np.empty(2 * groups)
    for s in range(points.size):
        size = merge_totals(totals, points[s], place_no, place_yes)
        set_merged(totals, points[s], place_no, place_yes, merged)
        low, high = lowest + min(points[s], 0), highest + max(points[s], 0)
        set_terms(loss, merged, size, low, high, terms)
        for c in range(below_first.shape[0]):
            if loss == PAIRS:
                losses[s, c] = misordered_comparisons(below_first[c], known, totals, points[s])
                continue
            count_after(
                below_first[c], below_last[c], known, points[s], place_no, place_yes, size,
                cases, positives,
            )  # fmt: skip
            losses[s, c] = loss_of_counts(loss, penalty, terms, cases, positives, size, table)


@compiled("f8(f8[:, ::1], i8[::1], i8, f8, i8, i8, f8[::1])")
def loss_without(
    known: Array, totals: Array, loss: int, penalty: float, lowest: int, highest: int, table: Array
) -> float:
    """The loss of these cases as they stand, without a further question."""
    groups = totals.size
    cases, positives, terms = np.empty(groups), np.empty(groups), np.empty((groups, 2))
    for g in range(groups):
        cases[g] = known[g, 0]
        positives[g] = known[g, 1]
    set_terms(loss, totals, groups, lowest, highest, terms)
    return loss_of_counts(loss, penalty, terms, cases, positives, groups, table)


@compiled("void(f8[:, :, ::1], f8[:, ::1])")
def add_up(gaps: Array, known: Array) -> None:
    """Sum all gaps into `known`."""
    known[:] = 0.0
    for c in range(gaps.shape[0]):
        for g in range(gaps.shape[1]):
            known[g, 0] += gaps[c, g, 0]
            known[g, 1] += gaps[c, g, 1]


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
    "f8(f8[:, :, ::1], f8[:, ::1], i8[::1], i8[::1], i8, f8, i8, i8, f8[::1], f8, f8, b1,"
    " f8[::1], i8[::1])"
)
def search_entropy(
    gaps: Array, known: Array, totals: Array, points: Array, loss: int, penalty: float,
    lowest: int, highest: int, table: Array, limit: float, tolerance: float, each: bool,
    best_loss: Array, best_cut: Array,
) -> float:  # fmt: skip
    """The cut-off with the smallest entropy for every points value.

    `gaps[c]` are the cases between cut-off c − 1 and c. Sweeping upwards, they move from yes to no,
    and the entropy without the condition that risks rise changes in two totals only. It is a lower
    bound of the isotonic one, and that of any other rising estimates; so each is needed only where
    the one before does not exceed what has been found: `limit`, the best of all points values, or
    with `each` the best of the same points value. Equal losses go to the smaller cut-off. Returns
    the limit as lowered by what was found.
    """
    groups, choices = totals.size, points.size
    merged, terms = np.empty(2 * groups, np.int64), np.empty((choices, 2 * groups, 2))
    place_no = np.empty((choices, groups), np.int64)
    place_yes = np.empty((choices, groups), np.int64)
    size = np.empty(choices, np.int64)
    n, p = np.zeros((choices, 2 * groups)), np.zeros((choices, 2 * groups))
    bits = np.zeros((choices, 2 * groups))
    free = np.zeros(choices)
    pooled_n, pooled_p, line = np.empty(2 * groups), np.empty(2 * groups), np.empty(3)
    # running sums are exact up to rounding of their terms; the exact value decides
    slack = 1e3 * tolerance
    for s in range(choices):
        best_loss[s] = np.inf
        best_cut[s] = -1
        size[s] = merge_totals(totals, points[s], place_no[s], place_yes[s])
        if loss != ENTROPY:
            set_merged(totals, points[s], place_no[s], place_yes[s], merged)
            low, high = lowest + min(points[s], 0), highest + max(points[s], 0)
            set_terms(loss, merged, size[s], low, high, terms[s])
        elif not each and same_as_before(place_no, place_yes, s):
            size[s] = 0  # the same partition of cases in the same order: never better
        for g in range(groups):
            n[s, place_yes[s, g]] += known[g, 0]
            p[s, place_yes[s, g]] += known[g, 1]
        for v in range(size[s]):
            bits[s, v] = cell_bits(n[s, v], p[s, v], table)
            free[s] += bits[s, v]
    for c in range(gaps.shape[0]):
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
            if loss != ENTROPY and value <= at_most:
                value = fit_calibration(loss, terms[s], n[s], p[s], size[s], penalty, line)
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
    set_merged(totals, points, place_no, place_yes, new_totals)
    count = 0
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

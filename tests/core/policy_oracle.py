"""A policy applied case by case with scikit-learn and scipy: slow, short, independent."""

import numpy as np
from scipy.stats import beta
from sklearn.isotonic import IsotonicRegression


def stop_totals(by, low, high, p, lo, up, n, x, confidence, min_cases):
    """Places (out, in) of the innermost totals that may stop, straight from the definitions."""
    out = [i for i in range(len(n)) if may_stop(by, low, i, p, up, n, x, confidence, min_cases)]
    flip = [None if a is None else 1 - np.array(a, float)[::-1] for a in (p, lo)]
    y = [b - a for a, b in zip(x, n, strict=True)][::-1]
    into = [
        i
        for i in range(len(n))
        if may_stop(by, 1 - high, i, *flip, n[::-1], y, confidence, min_cases)
    ]
    return max(out, default=None), None if not into else len(n) - 1 - max(into)


def may_stop(by, limit, i, p, bound, n, x, confidence, min_cases):
    cases, positives = sum(n[: i + 1]), sum(x[: i + 1])
    if p is None or cases < min_cases:
        return False
    if by == "bounds":
        return bound is not None and bound[i] <= limit
    if by == "point":
        return p[i] <= limit
    if by != "group":
        raise ValueError(f"no branch for by={by!r}; write one here")
    if cases == 0:
        return False
    upper = beta.ppf(confidence, positives + 1, cases - positives) if positives < cases else 1
    return p[i] <= limit and upper <= limit


def figures(totals, size, n, x, level=0.95):
    """Isotonic estimates and the paper's band from counts; `None` without any case."""
    seen = [i for i in range(len(n)) if n[i]]
    if not seen:
        return None, None, None
    rates, weights = [x[i] / n[i] for i in seen], [n[i] for i in seen]
    p = IsotonicRegression().fit_transform([totals[i] for i in seen], rates, sample_weight=weights)
    p = np.interp(totals, [totals[i] for i in seen], p)
    a = (1 - level) / size / 2
    lo = np.array([beta.ppf(a, v, m - v + 1) if v else 0 for m, v in zip(n, x, strict=True)])
    up = np.array(
        [beta.ppf(1 - a, v + 1, m - v) if v < m else 1 for m, v in zip(n, x, strict=True)]
    )
    lo, up = np.maximum.accumulate(lo), np.minimum.accumulate(up[::-1])[::-1]
    if (lo > up).any():
        return p, None, None
    return p, np.minimum(lo, p), np.maximum(up, p)


def walk_fold(fold, curves, out_limit, in_limit, min_cases, m=100):
    """The left-out cases of one fold, one at a time, through the list of the others.

    Returns cases and positives ruled out, ruled in, questions asked, and what their answers cost
    where no two share a panel or an input.
    """
    points = [question.points for question in fold.questions]
    stops = fold_stops(points, fold.inside.patterns, curves, out_limit, in_limit, min_cases, m)
    deciding = max([k for k, (out, into) in stops.items() if out or into], default=len(points))
    counts = np.zeros(6)
    for pattern in fold.left_out.patterns:
        ends = [
            one_way(points, pattern.answers, stops, deciding, highest) for highest in (False, True)
        ]
        asked = max(stage for _, stage in ends)
        counts[4] += asked * pattern.cases
        paid = zip(fold.questions[:asked], pattern.answers, strict=False)
        counts[5] += pattern.cases * sum(one.cost or 0 for one, said in paid if said != "?")
        if ends[0][0] == ends[1][0] == "out":
            counts[:2] += pattern.cases, pattern.positives
        if ends[0][0] == ends[1][0] == "in":
            counts[2:4] += pattern.cases, pattern.positives
    return counts


def one_way(points, answers, stops, deciding, highest):
    total = 0
    for k, (value, answer) in enumerate(zip(points, answers, strict=True), 1):
        yes = (value > 0) == highest if answer == "?" else answer == "1"
        total += value * yes
        if total in stops.get(k, ((), ()))[0]:
            return "out", k
        if total in stops.get(k, ((), ()))[1]:
            return "in", k
    return "open", deciding


def fold_stops(points, patterns, curves, out_limit, in_limit, min_cases, m):
    """Per stage the sets of totals that stop out and in, from the cases inside."""
    here = [(0, pattern) for pattern in patterns]
    open_totals, stops = {0}, {}
    for k, value in enumerate(points, 1):
        here = [
            (total + value * (pattern.answers[k - 1] == "1"), pattern)
            for total, pattern in here
            if total in open_totals and pattern.answers[k - 1] != "?"
        ]
        totals = sorted(open_totals | {total + value for total in open_totals})
        n = np.array([sum(p.cases for t, p in here if t == total) for total in totals], float)
        x = np.array([sum(p.positives for t, p in here if t == total) for total in totals], float)
        curve = np.array([curves[k][total] for total in totals])
        risks = IsotonicRegression().fit_transform(
            totals, (x + m * curve) / (n + m), sample_weight=n + m
        )
        out = {t for t, risk in zip(totals, risks, strict=True) if risk <= out_limit}
        into = {t for t, risk in zip(totals, risks, strict=True) if risk >= in_limit}
        out, into = (
            side
            if sum(c for t, c in zip(totals, n, strict=True) if t in side) >= min_cases
            else set()
            for side in (out, into)
        )
        stops[k] = out, into
        open_totals = set(totals) - out - into
        if not open_totals:
            break
    return stops

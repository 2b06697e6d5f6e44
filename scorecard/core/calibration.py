"""Risks that rise with the total, and their ranges, from nothing but counts per total.

The learner estimates the risks of all its cases; a stopping policy has to do it again for those who
get to each box. Both use the estimates and the bands of this module.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate
from math import exp, inf, log, log1p, sqrt

from scorecard.core.binomial import lower_bound

Counts = Sequence[tuple[float, float]]
"""Cases and positives per total, totals ascending."""

Line = tuple[float, float]
"""Slope and constant of log-odds."""

Bound = Callable[[float, float, float], float]
"""Lower Clopper–Pearson bound of (positives, cases) at a confidence."""

KEPT_SLOPE = 1e9  # the penalty that keeps a slope where it is
LEAST_PENALTY = 1e-6  # finite also where a total separates the outcomes perfectly
TINY = 2.0**-52  # totals at the ends of the scale are 0 and 1, which have no logarithm

DEFAULT_STRENGTH = {"isotonic": 0.0, "sigmoid": 1.0, "beta": 0.0}
"""The L2 penalty of an estimate."""

FORMER = ("isotonic-prior", "beta-l2")
"""Estimates that only documents of earlier versions have; their risks are shown as stored."""


def calibrated(
    method: str, totals: Sequence[int], counts: Counts, strength: float
) -> list[float] | None:
    """The risk at every total, never falling; `None` if there are no cases at all."""
    cases, positives = sum(n for n, _ in counts), sum(p for _, p in counts)
    if cases <= 0:
        return None
    if len(totals) == 1:
        return [positives / cases]
    risks = CALIBRATIONS[method](totals, counts, strength)
    return [min(max(risk, 0.0), 1.0) for risk in accumulate(risks, max)]


def isotonic(totals: Sequence[int], counts: Counts) -> list[float] | None:
    """The rising risks closest to the observed rates (pool adjacent violators).

    Totals nobody has lie on the line between their neighbours, and beyond the last seen total the
    risk stays as it is. `None` if there are no cases at all.
    """
    blocks: list[list[float]] = []  # cases, positives, number of seen totals
    for cases, positives in counts:
        if cases > 0:
            blocks.append([cases, positives, 1])
            while (
                len(blocks) > 1 and blocks[-2][1] * blocks[-1][0] >= blocks[-1][1] * blocks[-2][0]
            ):
                last = blocks.pop()
                blocks[-1] = [a + b for a, b in zip(blocks[-1], last, strict=True)]
    rates = [positives / cases for cases, positives, size in blocks for _ in range(int(size))]
    seen = [total for total, (cases, _) in zip(totals, counts, strict=True) if cases > 0]
    return [_interpolated(total, seen, rates) for total in totals] if seen else None


def sigmoid(counts: Mapping[int, tuple[float, float]], strength: float) -> Line:
    """Slope ≥ 0 and constant of the log-odds by total, the slope penalised per standard deviation.

    The estimate that the search of `calibration="sigmoid"` minimises the entropy of.
    """
    cases = sum(n for n, _ in counts.values())
    if cases <= 0:
        return 0.0, 0.0
    mean = sum(n * total for total, (n, _) in counts.items()) / cases
    spread = sum(n * (total - mean) ** 2 for total, (n, _) in counts.items()) / cases
    scale = 1 / sqrt(spread) if spread > 0 else 0.0
    rows = [((total - mean) * scale, n, p) for total, (n, p) in counts.items()]
    slope, constant = calibration_line(rows, strength)
    return slope * scale, constant - slope * scale * mean


def fitted_line(
    rows: Iterable[tuple[float, float, float]], penalty: float = 0.0, towards: float = 0.0
) -> Line:
    """Slope and constant of a logistic regression on (x, cases, positives).

    The slope is penalised for its distance from `towards`. Where all cases are alike the constant
    is infinite.
    """
    slope, _, constant = _fitted([(x, 0.0, n, p) for x, n, p in rows], penalty, towards)
    return slope, constant


def calibration_line(
    rows: Sequence[tuple[float, float, float]], penalty: float, towards: float = 0.0
) -> Line:
    """The same, but a slope that would fall becomes 0."""
    line = fitted_line(rows, penalty, towards)
    return line if line[0] >= 0 else (0.0, _level([(n, p) for _, n, p in rows]))


def slope_error(
    rows: Iterable[tuple[float, float, float]], line: Line, penalty: float = 0.0
) -> float:
    """The standard error of the slope of such a regression."""
    both = [(x, 0.0, n, p) for x, n, p in rows if n > 0]
    found = _likelihood(both, (line[0], 0.0, line[1]), penalty, 0.0)
    h, h_1c, h_c = found[4], found[7], found[9]
    return 1 / sqrt(h - h_1c * h_1c / h_c)


def constant_error(rows: Iterable[tuple[float, float, float]], line: Line) -> float:
    """The standard error of the constant, if the slope is known."""
    both = [(x, 0.0, n, p) for x, n, p in rows if n > 0]
    return 1 / sqrt(_likelihood(both, (line[0], 0.0, line[1]), 0.0, 0.0)[9])


def log_odds(risk: float) -> float:
    """The log-odds of a probability; infinite of 0 and 1."""
    if not 0 < risk < 1:
        return -inf if risk <= 0 else inf
    return log(risk / (1 - risk))


def probability(odds: float) -> float:
    """The probability with these log-odds."""
    if odds < 0:
        small = exp(odds)
        return small / (1 + small)
    return 1 / (1 + exp(-odds))


def band(
    counts: Counts, level: float, bound: Bound = lower_bound
) -> list[tuple[float, float]] | None:
    """Lower and upper bound per total, both rising, that hold together at this level.

    `counts` has an entry for every total the stage can have, and they share the error (Bonferroni).
    `None` where the bounds cross once they are made to rise: the data then contradict a rising risk
    at this level, and any range shown would look like a certainty that is not there.
    """
    each = 1 - (1 - level) / len(counts) / 2
    lower = list(accumulate((bound(p, n, each) for n, p in counts), max))
    upper = [1.0 - bound(n - p, n, each) for n, p in reversed(counts)]
    upper = list(accumulate(upper, min))[::-1]
    if any(low > high for low, high in zip(lower, upper, strict=True)):
        return None
    return list(zip(lower, upper, strict=True))


def _isotonic(totals: Sequence[int], counts: Counts, strength: float) -> list[float]:
    del strength
    return isotonic(totals, counts) or []


def _sigmoid(totals: Sequence[int], counts: Counts, strength: float) -> list[float]:
    slope, constant = sigmoid(dict(zip(totals, counts, strict=True)), strength)
    return [probability(slope * total + constant) for total in totals]


def _beta(totals: Sequence[int], counts: Counts, strength: float) -> list[float]:
    """Beta calibration (Kull, Silva Filho and Flach 2017) of totals scaled to [0, 1].

    A term whose slope would be negative is dropped.
    """
    span = max(totals[-1] - totals[0], 1)
    scaled = [min(max((total - totals[0]) / span, TINY), 1 - TINY) for total in totals]
    terms = [(log(x), -log1p(-x)) for x in scaled]
    rows = [(*pair, n, p) for pair, (n, p) in zip(terms, counts, strict=True)]
    line = _fitted(rows, strength)
    if line[0] < 0:
        line = _fitted([(0.0, b, n, p) for _, b, n, p in rows], strength)
    elif line[1] < 0:
        line = _fitted([(a, 0.0, n, p) for a, _, n, p in rows], strength)
    slope, other, constant = line if min(line[:2]) >= 0 else (0.0, 0.0, _level(counts))
    return [probability(slope * a + other * b + constant) for a, b in terms]


CALIBRATIONS: dict[str, Callable[[Sequence[int], Counts, float], list[float]]] = {
    "isotonic": _isotonic,
    "sigmoid": _sigmoid,
    "beta": _beta,
}


Row = tuple[float, float, float, float]
"""Two terms of the log-odds, cases and positives."""

Triple = tuple[float, float, float]
"""Of both terms and the constant."""


def _fitted(rows: Sequence[Row], penalty: float, towards: float = 0.0) -> Triple:
    """Both slopes and the constant of a penalised logistic regression, by Newton's steps."""
    rows = [row for row in rows if row[2] > 0]
    level = _level([(n, p) for _, _, n, p in rows])
    if abs(level) == inf:
        return 0.0, 0.0, level
    penalty = max(penalty, LEAST_PENALTY)
    line = (towards, 0.0, level)
    now = _likelihood(rows, line, penalty, towards)
    for _ in range(100):
        step = _newton_step(now)
        length, value = 1.0, now[0]
        while (tried := _likelihood(rows, trial := _moved(line, step, length), penalty, towards))[
            0
        ] > value and length > 1e-10:
            length /= 2
        if tried[0] >= value:
            break
        line, now = trial, tried
        if value - tried[0] < 1e-12 * (1 + value):
            break
    return line


def _moved(line: Triple, step: Triple, length: float) -> Triple:
    return line[0] - length * step[0], line[1] - length * step[1], line[2] - length * step[2]


def _likelihood(
    rows: Sequence[Row], line: Triple, penalty: float, towards: float
) -> tuple[float, ...]:
    """Penalised negative log-likelihood with its gradient and second derivatives."""
    slope, other, constant = line
    away = slope - towards
    value = 0.5 * penalty * (away * away + other * other)
    g, g_2, g_c = penalty * away, penalty * other, 0.0
    # 1e-12: the constant has no penalty, and nobody may be uncertain
    h, h_12, h_2, h_1c, h_2c, h_c = penalty, 0.0, penalty, 0.0, 0.0, 1e-12
    for x, x_2, n, p in rows:
        odds = slope * x + other * x_2 + constant
        small = exp(-abs(odds))
        value += n * (max(odds, 0.0) + log1p(small)) - p * odds
        excess = n * (1.0 if odds > 0 else small) / (1 + small) - p
        spread = n * small / (1 + small) ** 2
        at, at_2 = spread * x, spread * x_2
        g += excess * x
        g_2 += excess * x_2
        g_c += excess
        h += at * x
        h_12 += at * x_2
        h_2 += at_2 * x_2
        h_1c += at
        h_2c += at_2
        h_c += spread
    return value, g, g_2, g_c, h, h_12, h_2, h_1c, h_2c, h_c


def _newton_step(now: tuple[float, ...]) -> Triple:
    """The constant is eliminated first, then the second slope."""
    _, g, g_2, g_c, h, h_12, h_2, h_1c, h_2c, h_c = now
    h, h_12, g = h - h_1c * h_1c / h_c, h_12 - h_1c * h_2c / h_c, g - h_1c * g_c / h_c
    h_2, g_2 = h_2 - h_2c * h_2c / h_c, g_2 - h_2c * g_c / h_c
    step = (g - h_12 * g_2 / h_2) / (h - h_12 * h_12 / h_2)
    step_2 = (g_2 - h_12 * step) / h_2
    return step, step_2, (g_c - h_1c * step - h_2c * step_2) / h_c


def _level(counts: Counts) -> float:
    cases, positives = sum(n for n, _ in counts), sum(p for _, p in counts)
    if positives <= 0 or positives >= cases:
        return -inf if positives <= 0 else inf
    return log(positives / (cases - positives))


def _interpolated(total: int, seen: Sequence[int], rates: Sequence[float]) -> float:
    if total <= seen[0]:
        return rates[0]
    for place in range(1, len(seen)):
        if total <= seen[place]:
            left, right = seen[place - 1], seen[place]
            low, high = rates[place - 1], rates[place]
            if total == right:
                return high
            # Clamped: the products may leave the two neighbours by a rounding error.
            on_line = low + (high - low) * (total - left) / (right - left)
            return min(max(on_line, low), high)
    return rates[-1]

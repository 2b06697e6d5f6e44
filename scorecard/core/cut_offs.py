"""The cut-offs that a stopping policy gives at one stage.

A total at or below the rule-out cut-off stops with "rule out", one at or above the rule-in cut-off
with "rule in".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from scorecard.core.binomial import at_least, at_most
from scorecard.core.model import Risk
from scorecard.core.policy import By, StoppingPolicy


@dataclass(frozen=True, slots=True)
class BoxFigures:
    """What is known about the cases at one total; `risk` is `None` where nothing is known."""

    total: int
    risk: Risk | None


def cut_offs(
    figures: Sequence[BoxFigures],
    policy: StoppingPolicy,
    limits: tuple[float, float] | None = None,
) -> tuple[int | None, int | None]:
    """The largest total that may stop out and the smallest that may stop in, `None` for never.

    `figures` are the totals under consideration, ascending; their counts are pooled where a rule
    is about a group. Where they have no counts, "group" never lets anybody stop. `limits` are those
    of the policy, or the stricter ones that keep its promise.
    """
    low, high = limits or policy.limits
    rule = RULES[policy.by]
    out = rule(figures, _Side(low, rules_out=True), policy)
    into = rule(figures[::-1], _Side(high, rules_out=False), policy)
    return out, into


def growth_needed(
    figures: Sequence[BoxFigures], policy: StoppingPolicy
) -> tuple[float | None, float | None]:
    """By what factor the cases would have to grow, at the same rates, before someone may stop.

    For stopping out and for stopping in; `None` where more cases alone would not help, and for all
    rules but "group", which do not look at the cases of one stage.
    """
    if policy.by != "group":
        return None, None
    low, high = policy.limits
    return (
        _growth(figures, _Side(low, rules_out=True), policy),
        _growth(figures[::-1], _Side(high, rules_out=False), policy),
    )


@dataclass(frozen=True, slots=True)
class _Side:
    """One of the two ends; figures are looked at from the outermost total inwards."""

    limit: float
    rules_out: bool

    def keeps(self, figure: float | None) -> bool:
        if figure is None:
            return False
        return figure <= self.limit if self.rules_out else figure >= self.limit

    def bound(self, risk: Risk) -> float | None:
        return risk.upper if self.rules_out else risk.lower

    def shows(self, positives: float, cases: float, confidence: float) -> bool:
        """Whether the one-sided Clopper–Pearson bound of this rate keeps the limit."""
        tail = at_most if self.rules_out else at_least
        return tail(positives, cases, self.limit) <= 1 - confidence


Rule = Callable[[Sequence[BoxFigures], _Side, StoppingPolicy], int | None]


def _by_point(figures: Sequence[BoxFigures], side: _Side, policy: StoppingPolicy) -> int | None:
    return _innermost(figures, policy, lambda risk: side.keeps(risk.probability))


def _by_bounds(figures: Sequence[BoxFigures], side: _Side, policy: StoppingPolicy) -> int | None:
    return _innermost(figures, policy, lambda risk: side.keeps(side.bound(risk)))


def _by_group(figures: Sequence[BoxFigures], side: _Side, policy: StoppingPolicy) -> int | None:
    stop = None
    for figure, (cases, positives) in zip(figures, _pooled(figures), strict=True):
        if figure.risk is None or not side.keeps(figure.risk.probability):
            break
        if cases >= max(1, policy.min_cases) and side.shows(positives, cases, policy.confidence):
            stop = figure.total
    return stop


RULES: dict[By, Rule] = {
    "promise": _by_point,  # under limits as strict as the promise needs them to be
    "group": _by_group,
    "point": _by_point,
    "bounds": _by_bounds,
}


def _growth(figures: Sequence[BoxFigures], side: _Side, policy: StoppingPolicy) -> float | None:
    growths = []
    for figure, (cases, positives) in zip(figures, _pooled(figures), strict=True):
        if figure.risk is None or not side.keeps(figure.risk.probability):
            break
        if cases > 0:
            growth = max(1.0, policy.min_cases / cases)
            while growth < 1e6 and not side.shows(
                positives * growth, cases * growth, policy.confidence
            ):
                growth *= 1.05  # a rough answer is all that can be given
            growths += [growth] if growth < 1e6 else []
    return min(growths, default=None)


def _innermost(
    figures: Sequence[BoxFigures], policy: StoppingPolicy, keeps: Callable[[Risk], bool]
) -> int | None:
    """The innermost total up to which the limit is kept, if the group up to it is large enough."""
    stop = None
    for figure in figures:
        if figure.risk is None or not keeps(figure.risk):
            break
        stop = figure.total
    return _large_enough(figures, stop, policy)


def _large_enough(
    figures: Sequence[BoxFigures], stop: int | None, policy: StoppingPolicy
) -> int | None:
    if stop is None or any(figure.risk and figure.risk.cases is None for figure in figures):
        return stop
    for figure, (cases, _) in zip(figures, _pooled(figures), strict=True):
        if figure.total == stop:
            return stop if cases >= policy.min_cases else None
    return None


def _pooled(figures: Sequence[BoxFigures]) -> list[tuple[float, float]]:
    """Cases and positives of each total together with all before it."""
    counts = [
        (figure.risk.cases or 0, figure.risk.positives or 0) if figure.risk else (0, 0)
        for figure in figures
    ]
    return list(accumulate(counts, lambda one, other: (one[0] + other[0], one[1] + other[1])))

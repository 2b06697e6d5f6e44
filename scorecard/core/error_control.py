"""Stops that keep one promise for each side, judged by lists that did not see the case.

Every left-out case is walked through the list of its fold, whose boxes have the corrected risks of
the cases inside. A box stops where its risk keeps the limit tightened by a strictness: rule out at
a risk of at most g · limit, rule in where what is missing to certainty is at most g times what the
limit leaves. Which two strictnesses are right is asked of all left-out cases together: the rate of
those who stop on a side has to keep the limit with confidence. Among the pairs that do, the one
that decides most cases, a question more counting like 0.02 cases less, is taken. Where questions
differ in cost, what counts like that is the mean cost of a question.

There is no finite-sample proof for this: the counts belong to several lists, and the best of a
grid is taken. Simulation says how often a limit is broken (`tests/benchmarks/error_control.py`):
among lists that let anybody stop on a side, with 90 % confidence inside 63 of 559 sides in 1,152
draws, half of them from populations that had no say in it, by .005 to .02 of risk. With 80 % it is
a fifth of them, with 95 % a twentieth, for a seventh fewer cases decided.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate, chain, groupby, product
from math import inf
from typing import TYPE_CHECKING

from scorecard.core.binomial import at_least, at_most
from scorecard.core.evidence import CrossValidation, Fold, Tally
from scorecard.core.policy import StoppingPolicy
from scorecard.core.recalibration import blended, recalibrated_curves
from scorecard.core.walk import (
    Walker,
    answers_of,
    costs_so_far,
    counts_at,
    have_costs,
    prices,
    still_there,
    totals_so_far,
    walkers,
)

if TYPE_CHECKING:
    from scorecard.core.staircase import Staircase

STRICTNESS = (0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
CLOSED = (-1.0, 2.0)
"""Limits that no risk keeps: nobody stops on that side."""

PRICE_OF_A_QUESTION = 0.02

LOW_RUNGS = (0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4)
HIGH_RUNGS = (0.99, 0.98, 0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.6, 0.5, 0.4, 0.3)
"""Limits that people ask for, side by side in `limits_table`."""

RATIOS = (20, 10, 5, 3)
"""Likelihood ratios of the limits that the data choose: above 10 evidence-based medicine calls a
change of the odds large, from 5 on moderate, and below 3 hardly worth a word."""

_SMALL = tuple(round(digit * unit, 4) for unit in (1e-4, 1e-3, 1e-2) for digit in (1, 2, 3, 4, 5))
ROUND_RISKS = (
    *_SMALL,
    *(percent / 100 for percent in range(10, 95, 5)),
    *(round(1 - one, 4) for one in reversed(_SMALL)),
)
ENOUGH_DECIDED = 0.2  # of all patients on one side, for a limit to be worth having
FEW_CASES, SURER = 300, 0.95  # below so many cases, limits are looked for with more confidence


@dataclass(frozen=True, slots=True)
class ErrorControl:
    """The limits a box has to keep so that both promises hold, and how left-out cases end then."""

    limits: tuple[float, float]
    tally: Tally


@lru_cache(maxsize=256)
def controlled_errors(check: CrossValidation, policy: StoppingPolicy) -> ErrorControl:
    """The strictnesses that decide most cases among those that keep the policy's promises."""
    pair = policy.rule_out, policy.rule_in
    return _tallies(check, (pair,), policy.min_cases).controlled(pair, policy.confidence)


def limits_from_data(
    check: CrossValidation, policy: StoppingPolicy | None = None
) -> StoppingPolicy:
    """The strictest limits at which each side by itself decides a fifth of all left-out cases.

    A limit is worth having by how far it moves the odds away from those of all cases: by a
    likelihood ratio of 20, 10, 5 or 3 (`limits_by_ratio`). A side on which none of them decides a
    fifth gets none (0, or 1): nobody stops there.
    """
    policy = policy or StoppingPolicy()
    cases, positives = _left_out(check)
    if cases / check.design_effect < FEW_CASES:
        policy = replace(policy, confidence=max(policy.confidence, SURER))
    low, high = limits_by_ratio(positives / cases)
    rule_out = _strictest(check, policy, [(rung, 1.0) for rung in low], side=0)
    rule_in = _strictest(check, policy, [(0.0, rung) for rung in high], side=1)
    return replace(
        policy,
        rule_out=rule_out[0] if rule_out else 0.0,
        rule_in=rule_in[1] if rule_in else 1.0,
        by="error-control",
        chosen_by="data",
    )


def limits_by_ratio(base: float) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Limits that move the odds of a base rate by each of the ratios, strictest first.

    Each is the round number at or beyond the risk: at a base rate of 28 % the odds are a third at
    11.5 % and three times as high at 53.8 %, so that the limits are 10 % and 55 %.

    Examples
    --------
    >>> limits_by_ratio(0.28)
    ((0.01, 0.03, 0.05, 0.1), (0.9, 0.8, 0.7, 0.55))
    """
    if not 0 < base < 1:
        return (), ()
    odds = base / (1 - base)
    low = (odds / ratio / (1 + odds / ratio) for ratio in RATIOS)
    high = (odds * ratio / (1 + odds * ratio) for ratio in RATIOS)
    lower = (max((one for one in ROUND_RISKS if one <= risk), default=0.0) for risk in low)
    upper = (min((one for one in ROUND_RISKS if one >= risk), default=1.0) for risk in high)
    return (
        tuple(dict.fromkeys(one for one in lower if one > 0)),
        tuple(dict.fromkeys(one for one in upper if one < 1)),
    )


def loosest_limits(
    check: CrossValidation, policy: StoppingPolicy
) -> tuple[tuple[float, float], tuple[float, float]]:
    """On either side the loosest limit worth having, and the share of cases that it decides alone.

    What the data could show where neither side reaches a fifth.
    """
    cases, positives = _left_out(check)
    low, high = limits_by_ratio(positives / cases)
    rule_out, rule_in = (low or (0.0,))[-1], (high or (1.0,))[-1]
    out = controlled_errors(check, replace(policy, rule_out=rule_out, rule_in=1.0)).tally
    into = controlled_errors(check, replace(policy, rule_out=0.0, rule_in=rule_in)).tally
    return (rule_out, out.ruled_out[0] / cases), (rule_in, into.ruled_in[0] / cases)


def few_patients(staircase: Staircase) -> bool:
    """Whether somebody stops though few patients speak for the promise.

    Over all lists of this size it is kept as often as it should be, because most of them let nobody
    stop; among those that do it is broken more often (`tests/benchmarks/error_control.py`).
    """
    check, tally = staircase.scoring_list.cross_validation, staircase.cross_validated
    if check is None or tally is None or tally.cases / check.design_effect >= FEW_CASES:
        return False
    return tally.share_decided > 0


def limits_table(
    check: CrossValidation,
    policy: StoppingPolicy,
    low: Sequence[float] = LOW_RUNGS,
    high: Sequence[float] = HIGH_RUNGS,
) -> dict[tuple[float, float], ErrorControl]:
    """How left-out cases end under every pair of limits that leaves something to ask between."""
    pairs = [(one, other) for one in low for other in high if one < other]
    tallies = _tallies(check, tuple(pairs), policy.min_cases)
    return {pair: tallies.controlled(pair, policy.confidence) for pair in pairs}


def _strictest(
    check: CrossValidation,
    policy: StoppingPolicy,
    rungs: Sequence[tuple[float, float]],
    side: int,
) -> tuple[float, float] | None:
    tallies = _tallies(check, tuple(rungs), policy.min_cases)
    for pair in rungs:
        limits = tallies.best_limits(pair, policy.confidence)
        if tallies.cells[limits][2 * side] >= ENOUGH_DECIDED * tallies.cases:
            return pair
    return None


def _tightened(pair: tuple[float, float]) -> tuple[list[float], list[float]]:
    """All limits that a box may have to keep under this pair on either side."""
    low, high = pair
    outs = [g * low for g in STRICTNESS] if low > 0 else []
    ins = [high + (1 - g) * (1 - high) for g in STRICTNESS] if high < 1 else []
    return [CLOSED[0], *outs], [CLOSED[1], *ins]


Cell = list[float]
"""Cases and positives ruled out, then ruled in; questions asked of all, and what they cost."""


@dataclass(frozen=True, slots=True)
class _Tallies:
    """How all left-out cases end under pairs of limits, and what else judges them.

    `unit` is the `usual_cost`; `priced` says whether questions have costs at all.
    """

    cells: dict[tuple[float, float], Cell]
    cases: float
    positives: float
    design_effect: float
    unit: float | None
    priced: bool

    def controlled(self, pair: tuple[float, float], confidence: float) -> ErrorControl:
        limits = self.best_limits(pair, confidence)
        return ErrorControl(limits, self._tally(self.cells[limits]))

    def best_limits(self, pair: tuple[float, float], confidence: float) -> tuple[float, float]:
        """Those that a box has to keep so that most are decided and the promises hold."""
        tightened = product(*_tightened(pair))
        passing = [one for one in tightened if self._passes(self.cells[one], *pair, confidence)]
        # The first of equals: the strictest.
        return max(passing, key=lambda one: self._gain(self.cells[one]))

    def _passes(self, cell: Cell, rule_out: float, rule_in: float, confidence: float) -> bool:
        out, missed, into, found = (value / self.design_effect for value in cell[:4])
        return (out == 0 or at_most(missed, out, rule_out) <= 1 - confidence) and (
            into == 0 or at_least(found, into, rule_in) <= 1 - confidence
        )

    def _gain(self, cell: Cell) -> float:
        efforts = cell[4] if self.unit is None else cell[5] / self.unit
        return cell[0] + cell[2] - PRICE_OF_A_QUESTION * efforts

    def _tally(self, cell: Cell) -> Tally:
        out, missed, into, found, questions, cost = cell
        # Sums of weighted cases may differ by a rounding error.
        rest = max(self.cases - out - into, 0.0)
        rest_positives = min(max(self.positives - missed - found, 0.0), rest)
        return Tally(
            (out, missed),
            (into, found),
            (rest, rest_positives),
            questions / self.cases,
            cost / self.cases if self.priced else None,
        )


def _left_out(check: CrossValidation) -> tuple[float, float]:
    """How many cases judge, and how many of them are positive."""
    patterns = [one for fold in check.folds for one in fold.left_out.patterns]
    return sum(one.cases for one in patterns), sum(one.positives for one in patterns)


@lru_cache(maxsize=16)
def usual_cost(check: CrossValidation) -> float | None:
    """What a question costs on average; `None` where all cost the same: then they are counted."""
    asked = [fold.questions for fold in check.folds]
    found = [price for some in asked for price in prices(some)]
    panels = any(question.panel for some in asked for question in some)
    if len(set(found)) < 2 and not panels:
        return None
    return sum(found) / len(found) or None


@lru_cache(maxsize=64)
def _tallies(
    check: CrossValidation, pairs: tuple[tuple[float, float], ...], min_cases: int
) -> _Tallies:
    """How all left-out cases end under all limits that boxes may have to keep for these pairs."""
    tightened = [_tightened(pair) for pair in ((0.0, 1.0), *pairs)]
    outs, ins = (sorted({*chain(*some)}) for some in zip(*tightened, strict=True))
    strict_first = tuple(outs), tuple(reversed(ins))
    cells: dict[tuple[float, float], Cell] = {pair: [0.0] * 6 for pair in product(*strict_first)}
    for fold in _read(check):
        for some_outs, some_ins, counts in _ends(fold, *strict_first, min_cases):
            for pair in product(some_outs, some_ins):
                cell = cells[pair]
                for place, value in enumerate(counts):
                    cell[place] += value
    unit = usual_cost(check)
    priced = any(have_costs(fold.questions) for fold in check.folds)
    return _Tallies(cells, *_left_out(check), check.design_effect, unit, priced)


@dataclass(frozen=True, slots=True)
class _LeftOut:
    """Left-out cases who answer alike: the lowest and the highest way through their fold's list.

    Both are one where all answers are known. Each way ends with "out", "in", or not yet.
    """

    low: tuple[int, ...]
    high: tuple[int, ...]
    cases: float
    positives: float
    costs: tuple[float, ...]
    low_end: str = ""
    high_end: str = ""


def _end_at(total: int, out: float, into: float) -> str:
    return "out" if total <= out else "in" if total >= into else ""


@dataclass(frozen=True, slots=True)
class _ReadFold:
    """A fold's list with the curves it is read by, and the cases on either side."""

    points: list[int]
    curves: list[dict[int, float]]
    inside: list[Walker]
    left_out: list[_LeftOut]
    design_effect: float


@lru_cache(maxsize=16)
def _read(check: CrossValidation) -> tuple[_ReadFold, ...]:
    return tuple(_read_fold(fold, check) for fold in check.folds)


def _read_fold(fold: Fold, check: CrossValidation) -> _ReadFold:
    points = [question.points for question in fold.questions]
    left_out = []
    for one in fold.left_out.patterns:
        answers = answers_of(one)
        low, high = (totals_so_far(points, answers, way) for way in ("lowest", "highest"))
        costs = costs_so_far(fold.questions, answers)
        left_out.append(_LeftOut(low, high, one.cases, one.positives, costs))
    return _ReadFold(
        points,
        recalibrated_curves(tuple(points), fold.inside, check),
        walkers(points, fold.inside.patterns),
        left_out,
        check.design_effect,
    )


@dataclass(frozen=True, slots=True)
class _State:
    """Who is still there before the question of a stage, under some of the limits."""

    stage: int
    going_on: frozenset[int]
    inside: list[Walker]
    left_out: list[_LeftOut]
    outs: tuple[float, ...]
    ins: tuple[float, ...]
    counts: Cell
    last_stop: int


def _ends(
    fold: _ReadFold, outs: tuple[float, ...], ins: tuple[float, ...], min_cases: int
) -> Iterator[tuple[tuple[float, ...], tuple[float, ...], Cell]]:
    """Limits under which the left-out cases of a fold all end alike, and how; each pair once.

    Both kinds of limits go from strict to loose.
    Limits that stop the same totals at a stage go on together, so that the work grows with the
    number of different staircases and not with that of limits.
    """
    everybody = frozenset({0})
    waiting = [_State(1, everybody, fold.inside, fold.left_out, outs, ins, [0.0] * 6, 0)]
    while waiting:
        state = waiting.pop()
        if state.stage <= len(fold.points) and state.going_on:
            waiting += _after_question(state, fold, min_cases)
            continue
        # Who is left is undecided after the last question that could still decide somebody.
        asked = state.last_stop or len(fold.points)
        for one in state.left_out:
            _spend(state.counts, asked, one)
        yield state.outs, state.ins, state.counts


def _after_question(state: _State, fold: _ReadFold, min_cases: int) -> Iterator[_State]:
    stage, points = state.stage, fold.points[state.stage - 1]
    totals = sorted(state.going_on | {total + points for total in state.going_on})
    counts = counts_at(state.inside, stage, totals)
    risks = list(blended(counts, fold.curves[stage], fold.design_effect).values())
    below = [0.0, *accumulate(cases for cases, _ in counts.values())]

    def stops_out(limit: float) -> int:
        size = bisect_right(risks, limit)
        return size if below[size] >= min_cases else 0

    def stops_in(limit: float) -> int:
        place = bisect_left(risks, limit)
        return len(risks) - place if below[-1] - below[place] >= min_cases else 0

    for size_out, outs in groupby(state.outs, stops_out):
        those_outs = tuple(outs)
        for size_in, ins in groupby(state.ins, stops_in):
            going_on = frozenset(totals[size_out : len(totals) - size_in])
            out = totals[size_out - 1] if size_out else -inf
            into = totals[-size_in] if size_in else inf
            inside, left_out, cell = state.inside, state.left_out, list(state.counts)
            if size_out or size_in:
                inside = still_there(inside, stage, going_on)
                left_out = _stopped(left_out, cell, stage, out, into)
            yield _State(
                stage + 1,
                going_on,
                inside,
                left_out,
                those_outs,
                tuple(ins),
                cell,
                stage if size_out or size_in else state.last_stop,
            )


def _stopped(
    left_out: list[_LeftOut], counts: Cell, stage: int, out: float, into: float
) -> list[_LeftOut]:
    """Count who stops at a stage, out at one total or below and in at another; who goes on."""
    going_on = []
    for one in left_out:
        low_end = one.low_end or _end_at(one.low[stage], out, into)
        high_end = one.high_end or _end_at(one.high[stage], out, into)
        if low_end and high_end:
            if low_end == high_end:
                side = 0 if low_end == "out" else 2
                counts[side] += one.cases
                counts[side + 1] += one.positives
            _spend(counts, stage, one)
        elif low_end == one.low_end and high_end == one.high_end:
            going_on.append(one)
        else:
            going_on.append(replace(one, low_end=low_end, high_end=high_end))
    return going_on


def _spend(counts: Cell, asked: int, one: _LeftOut) -> None:
    counts[4] += asked * one.cases
    counts[5] += one.costs[asked] * one.cases

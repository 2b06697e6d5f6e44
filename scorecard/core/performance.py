"""How good a list is under its limits, worked out from the answer patterns it carries.

Rates have Clopper–Pearson intervals. The area under the curve has DeLong's variance (DeLong,
DeLong, Clarke-Pearson, Biometrics 1988;44:837-845) on the logit scale, so that its interval stays
between 0 and 1. The Brier score has a normal interval from the spread of the squared errors.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import sqrt
from typing import TYPE_CHECKING, Any, Literal

from scorecard.core.binomial import lower_bound, upper_bound
from scorecard.core.calibration import log_odds, probability
from scorecard.core.evidence import (
    Counts,
    CrossValidation,
    Evidence,
    Pattern,
    Tally,
    Validation,
    ValidationKind,
)
from scorecard.core.given_question import given_first
from scorecard.core.model import ScoringList, counts_by_total
from scorecard.core.question import Question
from scorecard.core.recalibration import recalibrated_risks
from scorecard.core.walk import answers_of, costs_so_far, have_costs, totals_so_far
from scorecard.errors import ListError

if TYPE_CHECKING:
    from scorecard.core.staircase import Decision, Staircase

LEVEL = 0.95
NORMAL_QUANTILE = 1.959963984540054  # of the level, two-sided
Kept = Literal["kept", "broken", "not shown", "nobody"]
OPEN: tuple[Decision, ...] = ("undecided", "unknown")


@dataclass(frozen=True, slots=True)
class Rate:
    """So many of so many, as a share with its interval."""

    hits: int | float
    cases: int | float
    value: float
    lower: float
    upper: float

    @property
    def interval(self) -> tuple[float, float]:
        return self.lower, self.upper


@dataclass(frozen=True, slots=True)
class Score:
    """A figure that is no share of cases; the interval is `None` where it cannot be had."""

    value: float
    interval: tuple[float, float] | None


Told = Mapping[float | None, Counts]
"""Cases and positives by the risk they are told; under `None` those told several, or none."""


@dataclass(frozen=True, slots=True)
class Merit:
    """The figures of merit of a list under a policy; `ends` have the rates.

    `left_out` are the cases whose unknown answers leave more than one risk: they are in the rates,
    but not in the Brier score. Those without a total are not in the area under the curve.
    """

    ends: Ends
    brier: Score | None
    auc: Score | None
    left_out: int | float

    @property
    def brier_of_base_rate(self) -> float:
        """The Brier score of who tells everybody the base rate."""
        cases, positives = self.ends.ending()
        return positives / cases * (1 - positives / cases)


@dataclass(frozen=True)
class Ends:
    """Who ends where: cases and positives by number of answers and decision.

    `paid[k]` is what the first k questions cost all of them together, empty where no question has a
    cost. `rounds` is how often each case was judged on average; rates and their intervals count
    every case once.
    """

    counts: Mapping[tuple[int, Decision], Counts]
    rounds: float = 1.0
    paid: tuple[float, ...] = ()

    @property
    def cases(self) -> int | float:
        return self.ending()[0]

    def ending(self, *decisions: Decision) -> Counts:
        """Cases and positives that end with one of these decisions; with none given, all."""
        chosen = [
            count for (_, what), count in self.counts.items() if not decisions or what in decisions
        ]
        return sum(cases for cases, _ in chosen), sum(positives for _, positives in chosen)

    def at(self, stage: int, decision: Decision) -> Counts:
        return self.counts.get((stage, decision), (0, 0))

    def until(self, stage: int, decision: Decision) -> Counts:
        """Those who have ended with this decision after so many questions."""
        found = [self.at(number, decision) for number in range(stage + 1)]
        return sum(cases for cases, _ in found), sum(positives for _, positives in found)

    def share(self, stage: int, decision: Decision) -> float:
        return self.at(stage, decision)[0] / self.cases

    def rate(self, stage: int, decision: Decision) -> Rate | None:
        """Positives among those who end here."""
        cases, positives = self.at(stage, decision)
        return self._rate(positives, cases)

    def shares(self) -> dict[Decision, float]:
        """Share of the cases that ends with each decision; they add up to 1."""
        decisions: tuple[Decision, ...] = ("rule out", "rule in", *OPEN)
        return {one: self.ending(one)[0] / self.cases for one in decisions}

    @property
    def mean_questions(self) -> float:
        return sum(stage * cases for (stage, _), (cases, _) in self.counts.items()) / self.cases

    @property
    def mean_cost(self) -> float | None:
        return self.paid[-1] / self.cases if self.paid else None

    @property
    def cost_per_decision(self) -> float | None:
        """What all answers cost for each case that is ruled out or in."""
        decided, _ = self.ending("rule out", "rule in")
        return self.paid[-1] / decided if self.paid and decided else None

    @property
    def cost_curve(self) -> tuple[tuple[float, float], ...]:
        """After 0, 1, … questions the mean cost so far, and the share that is decided."""
        return tuple(
            (
                spent / self.cases,
                (self.until(stage, "rule out")[0] + self.until(stage, "rule in")[0]) / self.cases,
            )
            for stage, spent in enumerate(self.paid)
        )

    @property
    def missed(self) -> Rate | None:
        """Positives among the ruled out."""
        cases, positives = self.ending("rule out")
        return self._rate(positives, cases)

    @property
    def right_to_treat(self) -> Rate | None:
        """Positives among the ruled in (positive predictive value)."""
        cases, positives = self.ending("rule in")
        return self._rate(positives, cases)

    def sensitivity(self, lenient: bool) -> Rate | None:
        """Positives that are ruled in; leniently also those that are not ruled out."""
        _, positives = self.ending()
        _, hit = self.ending("rule in", *(OPEN if lenient else ()))
        return self._rate(hit, positives)

    def specificity(self, lenient: bool) -> Rate | None:
        """Negatives that are ruled out; leniently also those that are not ruled in."""
        cases, positives = self.ending()
        some, wrong = self.ending("rule out", *(OPEN if lenient else ()))
        return self._rate(some - wrong, cases - positives)

    def _rate(self, hits: float, cases: float) -> Rate | None:
        return rate(hits / self.rounds, cases / self.rounds)


def ends_of(staircase: Staircase, patterns: Iterable[Pattern]) -> Ends:
    """Walk every pattern of answers through the staircase and count who ends where."""
    counts: dict[tuple[int, Decision], Counts] = {}
    questions = staircase.questions
    paid = [0.0] * (len(questions) + 1) if have_costs(questions) else []
    for pattern in patterns:
        outcome = staircase.decide(answers_of(pattern))
        _add(counts, (outcome.stage, outcome.decision), (pattern.cases, pattern.positives))
        if paid:
            so_far = costs_so_far(questions, answers_of(pattern))
            for stage in range(len(paid)):
                paid[stage] += pattern.cases * so_far[min(stage, outcome.stage)]
    return Ends(counts, paid=tuple(paid))


def validated(
    staircase: Staircase,
    evidence: Evidence,
    source: str,
    kind: ValidationKind,
    design_effect: float = 1.0,
) -> Validation:
    """How new cases end under the staircase, with what can be said exactly.

    Parameters
    ----------
    staircase : the finished list under one fixed policy.
    evidence : the answers of cases that had no part in learning the list or choosing its limits.
    source : where they come from, in words.
    kind : "held-out" for a share of the list's own table, "other table" for any other.
    design_effect : how many cases count as one where several rows belong to one patient.
    """
    ends = ends_of(staircase, evidence.patterns)
    if not ends.cases:
        raise ListError(f"source: {source!r} has no cases; a validation needs some.")
    tally = Tally(
        ends.ending("rule out"),
        ends.ending("rule in"),
        ends.ending(*OPEN),
        ends.mean_questions,
        ends.mean_cost,
    )
    return Validation(source, kind, staircase.policy, tally, design_effect)


def pooled(several: Iterable[Ends], rounds: float) -> Ends:
    """The ends of several splits together."""
    counts: dict[tuple[int, Decision], Counts] = {}
    paid: tuple[float, ...] = ()
    for one in several:
        paid = _summed(paid, one.paid)
        for end, count in one.counts.items():
            _add(counts, end, count)
    return Ends(counts, rounds, paid)


def _summed(paid: tuple[float, ...], more: tuple[float, ...]) -> tuple[float, ...]:
    """Both together; a shorter list costs nothing more after its last question."""
    if not paid or not more:
        return paid or more
    last = max(len(paid), len(more))
    return tuple(
        paid[min(stage, len(paid) - 1)] + more[min(stage, len(more) - 1)] for stage in range(last)
    )


def times_asked(scoring_list: ScoringList) -> tuple[tuple[Question, int], ...]:
    """Each question with how many lists of cross-validation ask for its input; empty without any.

    A question that asks for its input again counts where a list asks for it as often. Those that a
    person gave are left out: every list had to ask them.
    """
    if scoring_list.cross_validation is None:
        return ()
    asked = [
        Counter(q.input for q in fold.questions) for fold in scoring_list.cross_validation.folds
    ]
    so_far: Counter[str] = Counter()
    found = []
    for question in scoring_list.questions:
        so_far[question.input] += 1
        times = sum(one[question.input] >= so_far[question.input] for one in asked)
        found.append((question, times))
    return tuple(found[given_first(scoring_list) :])


def figures_of_merit(staircase: Staircase) -> Merit | None:
    """The figures of merit from the list's own evidence; `None` if it has none.

    Those of a cross-validated staircase are of cases judged by lists that did not see them.
    """
    scoring_list, asked = staircase.scoring_list, len(staircase.questions)
    check, tally = scoring_list.cross_validation, staircase.cross_validated
    ranked: Mapping[Any, Counts]
    if tally is not None and check is not None:
        ends, told = ends_of_tally(tally), left_out_risks(check, asked)
        ranked = {risk: counts for risk, counts in told.items() if risk is not None}
    elif staircase.ends.cases:
        ends, told = staircase.ends, risks_told(staircase)
        ranked = counts_by_total(scoring_list, asked)
    else:
        return None
    return Merit(ends, brier_score(told), area_under_curve(ranked), told.get(None, (0, 0))[0])


def ends_of_tally(tally: Tally) -> Ends:
    """The same counts as ends; at which stage is not known, all are put at the first."""
    return Ends(
        {
            (0, "rule out"): tally.ruled_out,
            (0, "rule in"): tally.ruled_in,
            (0, "undecided"): tally.undecided,
        },
        paid=() if tally.mean_cost is None else (float(tally.mean_cost * tally.cases),),
    )


def left_out_risks(check: CrossValidation, stage: int) -> Told:
    """The corrected risk of every left-out case after so many questions of its fold's list.

    It is `None` for a case with an unknown answer among them.
    """
    told: dict[float | None, Counts] = {}
    for fold in check.folds:
        points = [question.points for question in fold.questions][:stage]
        curve = recalibrated_risks([q.points for q in fold.questions], fold.inside, check)
        for pattern in fold.left_out.patterns:
            totals = totals_so_far(points, answers_of(pattern))
            known = len(totals) > len(points)
            risk = curve[len(points)][totals[-1]] if known else None
            _add(told, risk, (pattern.cases, pattern.positives))
    return told


def risks_told(staircase: Staircase) -> Told:
    """Which risk the cases behind the list are told."""
    evidence = staircase.scoring_list.evidence
    told: dict[float | None, Counts] = {}
    for pattern in evidence.patterns if evidence else ():
        outcome = staircase.decide(answers_of(pattern))
        _add(told, outcome.probability, (pattern.cases, pattern.positives))
    return told


def _add(counts: dict[Any, Counts], key: Any, more: Counts) -> None:
    cases, positives = counts.get(key, (0, 0))
    counts[key] = cases + more[0], positives + more[1]


def rate(hits: int | float, cases: int | float) -> Rate | None:
    """The share with its Clopper–Pearson interval; `None` of no cases."""
    if not cases:
        return None
    confidence = 1 - (1 - LEVEL) / 2
    lower, upper = lower_bound(hits, cases, confidence), upper_bound(hits, cases, confidence)
    value = hits / cases
    return Rate(hits, cases, value, min(lower, value), max(upper, value))


def kept(found: Rate | None, limit: float, rules_out: bool) -> Kept:
    """Whether a limit is kept: only the interval of the rate can show it, its value cannot."""
    if found is None:
        return "nobody"
    if rules_out:
        return _side(found.upper <= limit, found.lower > limit)
    return _side(found.lower >= limit, found.upper < limit)


def _side(shown: bool, broken: bool) -> Kept:
    return "kept" if shown else "broken" if broken else "not shown"


def brier_score(told: Told) -> Score | None:
    """The mean squared distance of the risk told from what happened (1 or 0)."""
    errors: list[tuple[float, int | float]] = []
    for risk, (counted, positives) in told.items():
        if risk is not None:
            errors.append(((1 - risk) ** 2, positives))
            errors.append((risk**2, counted - positives))
    cases = sum(count for _, count in errors)
    if not cases:
        return None
    mean = sum(error * count for error, count in errors) / cases
    if cases <= 1:
        return Score(mean, None)
    spread = sum((error - mean) ** 2 * count for error, count in errors) / (cases - 1)
    half = NORMAL_QUANTILE * sqrt(spread / cases)
    return Score(mean, (max(0.0, mean - half), min(1.0, mean + half)))


def area_under_curve(counts: Mapping[Any, Counts]) -> Score | None:
    """How often a positive case has the higher total than a negative one; ties count half."""
    ordered = [counts[total] for total in sorted(counts)]
    positive = [positives for _, positives in ordered]
    negative = [cases - positives for cases, positives in ordered]
    if not sum(positive) or not sum(negative):
        return None
    above = _shares_below(negative)  # per total: the share of negative cases below it
    below = [1 - share for share in _shares_below(positive)]
    area = _mean(above, positive)
    return Score(area, _logit_interval(area, above, positive, below, negative))


def _shares_below(counts: Sequence[int | float]) -> list[float]:
    whole = sum(counts)
    return [
        (so_far - count / 2) / whole
        for so_far, count in zip(accumulate(counts), counts, strict=True)
    ]


def _mean(values: Sequence[float], counts: Sequence[int | float]) -> float:
    return sum(v * n for v, n in zip(values, counts, strict=True)) / sum(counts)


def _logit_interval(
    area: float,
    above: Sequence[float],
    positive: Sequence[int | float],
    below: Sequence[float],
    negative: Sequence[int | float],
) -> tuple[float, float] | None:
    # At 0 or 1 the variance is estimated as 0, which would look like certainty.
    if not 1e-12 < area < 1 - 1e-12 or sum(positive) <= 1 or sum(negative) <= 1:
        return None
    variance = _variance_of_mean(above, positive) + _variance_of_mean(below, negative)
    half = NORMAL_QUANTILE * sqrt(variance) / (area * (1 - area))
    centre = log_odds(area)
    return probability(centre - half), probability(centre + half)


def _variance_of_mean(values: Sequence[float], counts: Sequence[int | float]) -> float:
    mean, whole = _mean(values, counts), sum(counts)
    squares = sum((v - mean) ** 2 * n for v, n in zip(values, counts, strict=True))
    return squares / (whole - 1) / whole

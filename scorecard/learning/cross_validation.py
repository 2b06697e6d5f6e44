"""Evidence by cross-validation: every case is judged by a list that was learned without it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import sqrt
from typing import Any

import numpy as np

from scorecard.core.error_control import controlled_errors, limits_from_data
from scorecard.core.evidence import CrossValidation, Evidence, Fold, Pattern, Tally
from scorecard.core.policy import StoppingPolicy
from scorecard.core.question import Question, inputs_of
from scorecard.core.recalibration import left_out_losses
from scorecard.learning.counts import Counts
from scorecard.learning.learn import Learned, SearchSpace
from scorecard.learning.options import (
    COST_POWERS,
    OFTEN_UNKNOWN,
    PLAIN,
    RARITY_POWERS,
    Options,
    Spending,
    Weighing,
)
from scorecard.learning.risks import evidence
from scorecard.learning.sample import CaseTable, usual_folds
from scorecard.learning.substitutes import Substitutes

CLEARLY_WORSE = 3.0  # standard errors, by which more questions than the best must be worse

# So many standard errors of a share fewer may be decided for less cost. Two lists are compared, and
# the one that does not weigh costs is often lucky: at one such error it was kept too often.
FEWER_FOR_LESS = 2.0

# The curve that is corrected is shrunk so many times as much as the one that is searched by: the
# search needs to see what strong questions are worth, a printed risk must not overstate it.
MORE_CAREFUL = 5.0


@dataclass(frozen=True)
class ListSize:
    """How many questions a list has, and why."""

    questions: int
    reason: str


def _kept_shares(sample: CaseTable, spending: Spending) -> dict[str, float]:
    """By input the share of its known values that could be had at the bedside, where below 1."""
    shares = {}
    for one in sample.inputs:
        share = spending.available.get(one.name, 1.0)
        if share < one.share_known:
            shares[one.name] = share / one.share_known
    return shares


def at_the_bedside(
    found: Evidence, questions: Sequence[Question], kept: Mapping[str, float]
) -> Evidence:
    """The same cases if only these shares of the known values of some inputs could be had.

    A case counts in parts: with its answers, and with the answers about the input unknown, or those
    of its substitute, which stand behind the answers to all questions (`with_others`).
    """
    counts = {one.answers: (float(one.cases), float(one.positives)) for one in found.patterns}
    behind = itertools.count(len(questions))
    others = [next(behind) if question.if_unknown else None for question in questions]
    for name in dict.fromkeys(question.input for question in questions):
        if name in kept:
            asked = {
                place: others[place]
                for place, question in enumerate(questions)
                if question.input == name and not question.condition.is_presence
            }
            parts: dict[str, tuple[float, float]] = {}
            for answers, (cases, positives) in counts.items():
                without = _unanswered(answers, asked)
                for pattern, share in ((answers, kept[name]), (without, 1 - kept[name])):
                    before = parts.get(pattern, (0.0, 0.0))
                    if share > 0:
                        parts[pattern] = before[0] + share * cases, before[1] + share * positives
            counts = parts
    whole = Evidence(tuple(Pattern(answers, *pair) for answers, pair in counts.items()))
    if not any(others):
        return whole
    return whole.with_answers(lambda answers: answers[: len(questions)])


def _unanswered(answers: str, asked: Mapping[int, int | None]) -> str:
    """The answers where some questions have that of another place, or none."""
    return "".join(
        letter if place not in asked else "?" if (at := asked[place]) is None else answers[at]
        for place, letter in enumerate(answers)
    )


def _with_others(questions: Sequence[Question]) -> tuple[Question, ...]:
    """The questions, and behind them all that is asked instead."""
    return (*questions, *(one.instead for one in questions if one.instead))


@dataclass(frozen=True)
class Checked:
    """A list with as many questions as it is to have, the lists that judge it, and why this one."""

    learned: Learned
    check: CrossValidation
    weighing: Weighing
    size_reason: str | None = None
    weighing_reason: str | None = None

    def tally(self, policy: StoppingPolicy) -> Tally:
        return controlled_errors(self.check, policy).tally


@dataclass(frozen=True)
class CrossValidator:
    """Learns and judges lists of the same cases, each with costs weighed in another way.

    `source` counts all cases of the sample.
    """

    sample: CaseTable
    learner: SearchSpace
    source: Counts
    options: Options
    strength: float
    random_state: Any
    progress: Callable[[int, int], None]
    searched: dict[tuple[float, float, int, frozenset[str]], Learned] = field(default_factory=dict)

    def best(self, learned: Learned) -> Checked | None:
        """The list that weighs costs and unknown answers best; `None` if there are too few cases.

        `learned` is the one without it. All are judged under the same limits. Inputs that are often
        unknown are asked later, or have substitutes, where that decides more cases, by more than
        one standard error. Then the power of the cost is the one with the least mean cost among
        those that do not decide fewer by more than two.
        """
        weighing = self.options.weighing if self.learner.costs_differ else PLAIN
        self.searched[weighing.cost, weighing.rarity, 0, frozenset()] = learned
        first = self._judged(weighing)
        if first is None or self.options.lookahead > 1:
            return first
        often_unknown = _asks_what_is_often_unknown(first, self.learner.spending)
        choose_cost = self.options.cost_weight is None and self.learner.costs_differ
        if not often_unknown and not choose_cost:
            return first
        policy = self.options.policy or limits_from_data(first.check)
        best = self._with_unknown_weighed(first, policy) if often_unknown else first
        return self._cheapest(best, policy) if choose_cost else best

    def _with_unknown_weighed(self, first: Checked, policy: StoppingPolicy) -> Checked:
        ways = itertools.product(
            (False, True) if self.options.substitutes else (False,),
            (first.weighing.rarity, *RARITY_POWERS),
            (False, True),
        )
        tried = [first]
        for substitutes, power, last in ways:
            weighing = replace(
                first.weighing, rarity=power, unknown_last=last, substitutes=substitutes
            )
            asked = self._learned(self.source, weighing).questions
            if weighing != first.weighing and _has_substitutes(asked) >= substitutes:
                tried += filter(None, [self._judged(weighing)])
        most = max(tried, key=lambda one: one.tally(policy).share_decided)
        if most.tally(policy).share_decided <= _decided(first, policy, 1):
            return first
        what = "What is often unknown is asked later"
        if _has_substitutes(most.learned.questions):
            what = "What is often unknown has a substitute"
        return replace(most, weighing_reason=_reason(what, first, most, policy))

    def _cheapest(self, first: Checked, policy: StoppingPolicy) -> Checked:
        tried = [self._judged(replace(first.weighing, cost=power)) for power in COST_POWERS]
        least = _decided(first, policy, -FEWER_FOR_LESS)
        cheapest = min(
            (
                one
                for one in (first, *filter(None, tried))
                if one.tally(policy).share_decided >= least
            ),
            key=lambda one: one.tally(policy).mean_cost or 0.0,
        )
        reason = _reason(f"Cost weight {cheapest.weighing.cost:g}", first, cheapest, policy)
        reasons = ". ".join(filter(None, (first.weighing_reason, reason)))
        return replace(cheapest, weighing_reason=reasons)

    def _judged(self, weighing: Weighing) -> Checked | None:
        learned = self._learned(self.source, weighing)
        check = self._checks(weighing)
        if check is None:
            return None
        most, reason = len(learned.questions), None
        if self.options.choose_size and most > 1:
            size = best_size(check, most)
            most, reason = max(size.questions, len(self.options.fixed)), size.reason
        found = Checked(learned.shortened(most), shortened(check, most), weighing, reason)
        return self._unknown_last(found) if weighing.unknown_last else found

    def _learned(
        self, source: Counts, weighing: Weighing, part: Any = None, number: int = 0
    ) -> Learned:
        """A list of these cases, with substitutes that they choose if these are wanted.

        The same search for other ways to treat what is unknown is not made again.
        """
        learned = self._searched(source, weighing, number)
        if not weighing.substitutes:
            return learned
        substitutes = Substitutes(
            self.sample.inputs,
            partial(self.sample.together, part),
            self.learner.spending,
            self.options.round_cutoffs,
        )
        reserved = substitutes.wanted(learned.questions)
        if reserved & {question.input for question in learned.questions}:
            learned = self._searched(source, weighing, number, reserved)
        return replace(learned, questions=substitutes.put_on(learned.questions))

    def _searched(
        self, source: Counts, weighing: Weighing, number: int, without: frozenset[str] = frozenset()
    ) -> Learned:
        key = weighing.cost, weighing.rarity, number, without
        if key not in self.searched:
            self.searched[key] = self.learner.learn(source, weighing=weighing, without=without)
        return self.searched[key]

    def _unknown_last(self, one: Checked) -> Checked:
        """The same questions, those that are often unknown behind the others."""
        order = self._order(one.learned.questions)
        return replace(
            one,
            learned=self.learner.reordered(self.source, one.learned, order),
            check=replace(
                one.check,
                folds=tuple(
                    _reordered(fold, self._order(fold.questions)) for fold in one.check.folds
                ),
            ),
        )

    def _order(self, questions: Sequence[Question]) -> list[int]:
        """What a person has put first stays there."""
        given = len(self.options.fixed)
        behind = [
            place >= given and _is_often_unknown(question, self.learner.spending)
            for place, question in enumerate(questions)
        ]
        return sorted(range(len(questions)), key=behind.__getitem__)

    def _checks(self, weighing: Weighing) -> CrossValidation | None:
        """Lists learned without each part of the cases.

        A list may end early where nobody outside or inside its part answers more questions.
        Left-out cases have answers as often as they can be had at the bedside.
        """
        sample = self.sample
        folds = self.options.folds or usual_folds(len(sample))
        parts = sample.parts(folds, self.random_state)
        if parts is None:
            return None
        checks, kept = [], _kept_shares(sample, self.learner.spending)
        for number, part in enumerate(parts, 1):
            source = self.source.part(part)
            questions = self._learned(source, weighing, part, number).questions
            inside, left_out = map(evidence, sample.divided(questions, part))
            if kept:
                all_asked = map(evidence, sample.divided(_with_others(questions), part))
                left_out = at_the_bedside([*all_asked][1], questions, kept)
            checks.append(Fold(questions, inside, left_out))
            self.progress(number, len(parts))
        return CrossValidation(tuple(checks), sample.design_effect, self.strength)


def _asks_what_is_often_unknown(first: Checked, spending: Spending) -> bool:
    lists = (first.learned.questions, *(fold.questions for fold in first.check.folds))
    return any(
        _is_often_unknown(question, spending) for questions in lists for question in questions
    )


def _is_often_unknown(question: Question, spending: Spending) -> bool:
    """Whether many cannot answer it, by itself or by its substitute."""
    if question.condition.is_presence:
        return False
    shares = [spending.available.get(name, 1.0) for name in inputs_of([question])]
    return 1 - max(shares) > OFTEN_UNKNOWN


def _has_substitutes(questions: Sequence[Question]) -> bool:
    return any(question.if_unknown for question in questions)


def _reordered(fold: Fold, order: Sequence[int]) -> Fold:
    def answers(before: str) -> str:
        return "".join(before[place] for place in order)

    return _answering(fold, tuple(fold.questions[place] for place in order), answers)


def _answering(fold: Fold, asked: tuple[Question, ...], answers: Callable[[str], str]) -> Fold:
    return Fold(asked, fold.inside.with_answers(answers), fold.left_out.with_answers(answers))


def _decided(one: Checked, policy: StoppingPolicy, errors: float) -> float:
    """The share decided, and so many of its standard errors."""
    tally, effect = one.tally(policy), one.check.design_effect
    share = tally.share_decided
    return share + errors * sqrt(share * (1 - share) * effect / tally.cases)


def _reason(what: str, before: Checked, after: Checked, policy: StoppingPolicy) -> str:
    one, other = before.tally(policy), after.tally(policy)
    out, into = (f"{100 * limit:.3g} of 100" for limit in (policy.rule_out, policy.rule_in))
    low = f"at most {out}" if policy.rule_out > 0 else "no limit for low risk"
    high = f"at least {into}" if policy.rule_in < 1 else "no limit for high risk"
    text = f"{what}: {other.share_decided:.1%} decided in cross-validation (limits: {low}; {high})"
    if other.mean_cost is not None:
        text += f" at a mean cost of {other.mean_cost:.3g}"
    if before is after:
        return text
    text += f", instead of {one.share_decided:.1%}"
    return text + ("" if one.mean_cost is None else f" at {one.mean_cost:.3g}")


def best_size(check: CrossValidation, most: int) -> ListSize:
    """As many questions as there are, or the fewer with the lowest cross-validated log loss.

    Fewer only where that is better by more than three standard errors of the difference, case by
    case: between losses that differ by less, other folds choose another number: at
    three, 14 of 15 real tables keep theirs under nine of ten folds, at two 13.
    """
    losses, weights = map(np.array, zip(*left_out_losses(check, most), strict=True))
    cases = weights.sum()
    means = weights @ losses / cases
    best = int(means[1:].argmin()) + 1
    worse = losses[:, most] - losses[:, best]
    mean = float(weights @ worse / cases)
    error = sqrt(float(weights @ (worse - mean) ** 2 / cases) * check.design_effect / cases)
    number = best if mean > CLEARLY_WORSE * error else most
    others = "the best" if number == best else f"{means[best]:.3f} after {best}"
    return ListSize(
        number,
        f"cross-validated log loss {means[number]:.3f} after {number}, {others};"
        f" {means[0]:.3f} without questions",
    )


def shortened(check: CrossValidation, most: int) -> CrossValidation:
    """The same with at most so many questions in each list."""
    return replace(check, folds=tuple(_shortened(fold, most) for fold in check.folds))


def _shortened(fold: Fold, most: int) -> Fold:
    if len(fold.questions) <= most:
        return fold
    return _answering(fold, fold.questions[:most], lambda answers: answers[:most])

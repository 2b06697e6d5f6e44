"""Evidence by cross-checking: every case is judged by a list that was learned without it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import sqrt
from typing import Any

import numpy as np

from scorecard.core.corrected import left_out_losses
from scorecard.core.evidence import CrossCheck, Evidence, Fold, Pattern
from scorecard.learning.counts import CaseCounts, Floats
from scorecard.learning.learn import Learner
from scorecard.learning.risks import Answers, answers_of, evidence, patterns_of
from scorecard.learning.sample import Sample, fold_numbers

USUAL_FOLDS = 10

# The curve that is corrected is shrunk so many times as much as the one that is searched by: the
# search needs to see what strong questions are worth, a printed risk must not overstate it.
MORE_CAREFUL = 5.0

ABOUT_AS_GOOD = 0.25  # standard errors

# From so many cases on the lists of different folds hardly differ, and three are enough.
MANY_CASES, FEW_FOLDS = 50_000, 3


@dataclass(frozen=True)
class Size:
    """How many questions a list has, and why."""

    questions: int
    reason: str


def cross_check(
    sample: Sample,
    weights: Floats,
    learner: Learner,
    source: CaseCounts,
    folds: int | None,
    strength: float,
    random_state: Any,
    progress: Callable[[int, int], None],
) -> CrossCheck | None:
    """Learn a list without each part of the cases; `None` where there are too few cases.

    `source` counts all cases; `weights` are effective numbers. A list may end early where nobody
    outside or inside its part answers more questions.
    """
    usual = USUAL_FOLDS if len(sample) < MANY_CASES else FEW_FOLDS
    numbers = fold_numbers(sample, folds or usual, random_state)
    if numbers is None:
        return None
    checks = []
    for number in range(int(numbers.max()) + 1):
        inside = numbers != number
        questions = learner.learn(source.part(inside)).questions
        answers = answers_of(questions, sample.inputs)
        checks.append(
            Fold(
                questions,
                _counted(answers, sample, weights, inside),
                _counted(answers, sample, weights, ~inside),
            )
        )
        progress(number + 1, int(numbers.max()) + 1)
    return CrossCheck(tuple(checks), sample.design_effect, strength)


def _counted(answers: Answers, sample: Sample, weights: Floats, rows: Any) -> Evidence:
    return evidence(patterns_of(answers[rows], sample.is_positive[rows], weights[rows]))


def best_size(check: CrossCheck, most: int) -> Size:
    """The fewest questions, at least one, whose cross-checked log loss is about the smallest.

    About: within a quarter of a standard error of the difference, case by case; fewer would lose
    more than they spare (`tests/benchmarks/decisions.py`). One, where not even the best is better
    than none by a whole standard error.
    """
    losses, weights = map(np.array, zip(*left_out_losses(check, most), strict=True))
    cases = weights.sum()
    means = weights @ losses / cases
    best = int(means[1:].argmin()) + 1

    def errors_worse(number: int) -> float:
        worse = losses[:, number] - losses[:, best]
        mean = float(weights @ worse / cases)
        spread = float(weights @ (worse - mean) ** 2 / cases)
        error = sqrt(spread * check.design_effect / cases)
        return mean / error if error > 0 else 0.0

    number = 1
    if errors_worse(0) > 1:
        number = next(one for one in range(1, best + 1) if errors_worse(one) <= ABOUT_AS_GOOD)
    return Size(
        number,
        f"cross-checked log loss {means[number]:.3f} after {number},"
        f" {means[best]:.3f} after {best} (the best); {means[0]:.3f} without questions",
    )


def shortened(check: CrossCheck, most: int) -> CrossCheck:
    """The same with at most so many questions in each list."""
    return replace(check, folds=tuple(_shortened(fold, most) for fold in check.folds))


def _shortened(fold: Fold, most: int) -> Fold:
    if len(fold.questions) <= most:
        return fold
    return Fold(
        fold.questions[:most],
        _first_answers(fold.inside, most),
        _first_answers(fold.left_out, most),
    )


def _first_answers(evidence: Evidence, most: int) -> Evidence:
    counts: dict[str, tuple[float, float]] = {}
    for pattern in evidence.patterns:
        cases, positives = counts.get(pattern.answers[:most], (0, 0))
        counts[pattern.answers[:most]] = cases + pattern.cases, positives + pattern.positives
    return Evidence(tuple(Pattern(answers, *pair) for answers, pair in counts.items()))

"""How many questions? The fewest that are as good as the best within one standard error."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scorecard.learning.counts import Floats


@dataclass(frozen=True)
class Size:
    """The chosen number of questions and why.

    `means` is the resampled Brier score after 0, 1, … questions, `errors` the standard error of
    its distance to the best one.
    """

    questions: int
    best: int
    means: tuple[float, ...]
    errors: tuple[float, ...]

    @property
    def none_helps(self) -> bool:
        """Whether the base rate alone is as good as the best list."""
        return self.means[0] - self.means[self.best] <= self.errors[0]

    @property
    def reason(self) -> str:
        """One sentence for the person and for the record."""
        best, chosen = self.means[self.best], self.means[self.questions]
        if self.best == 0:
            return f"no list is better than guessing the base rate, Brier score {best:.4f}."
        if self.none_helps:
            return (
                f"guessing the base rate, Brier score {self.means[0]:.4f}, is within one standard"
                f" error ({self.errors[0]:.4f}) of the best list, {best:.4f} with {self.best}"
                f" {_questions(self.best)}."
            )
        if self.questions == self.best:
            return (
                f"{self.best} {_questions(self.best)}: the best resampled Brier score, {best:.4f};"
                " every shorter list is worse by more than one standard error."
            )
        return (
            f"{self.questions} {_questions(self.questions)}: the Brier score {chosen:.4f} is within"
            f" one standard error ({self.errors[self.questions]:.4f}) of the best, {best:.4f} with"
            f" {self.best} {_questions(self.best)}."
        )


def smallest_good_size(briers: Floats, rounds: float, least: int = 0) -> Size:
    """Choose from Brier scores by split (row) and number of questions (column).

    Both sizes are judged on the same cases, so the error is that of their difference. Splits share
    cases: `rounds`, how often each case was tested, makes repeats count once, and for one k-fold
    run it is the usual standard deviation over folds divided by √k. A list that is to be
    printed has at least one question (`least`).

    Examples
    --------
    >>> smallest_good_size(np.array([[0.25, 0.20, 0.199], [0.24, 0.19, 0.192]]), 1.0).questions
    1
    """
    kept = briers[~np.isnan(briers).any(axis=1)]
    means = kept.mean(axis=0)
    best = int(means.argmin())
    spread = (kept - kept[:, [best]]).std(axis=0, ddof=1) if len(kept) > 1 else means * 0
    errors = spread * np.sqrt(rounds / len(briers))
    good = np.flatnonzero(means - means[best] <= errors)
    return Size(max(int(good[0]), least), best, tuple(means.tolist()), tuple(errors.tolist()))


def _questions(count: int) -> str:
    return "question" if count == 1 else "questions"

"""Which cases choose a list and which ones judge it, and how many questions they support."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scorecard.errors import LearningError
from scorecard.learning.counts import Floats

Rows = NDArray[np.int64]


@dataclass(frozen=True)
class Split:
    """Rows that choose the list, and rows that judge it."""

    train: Rows
    test: Rows


@dataclass(frozen=True)
class Splitting:
    """Random stratified splits (the paper's way), or with `folds` repeated k-fold.

    `count` is the number of splits, or with `folds` that of repeats.
    """

    count: int = 100
    test_share: float = 1 / 3
    folds: int | None = None
    seed: int = 0

    def splits(
        self, outcome: NDArray[np.bool_], belongs: NDArray[Any] | None = None
    ) -> list[Split]:
        """The splits, the same for every method; refused where a part would lack an outcome.

        `belongs` tells which rows belong together, for instance to one patient.
        """
        positives = int(outcome.sum())
        rarer = min(positives, outcome.size - positives)
        needed = self.folds or 2
        if rarer < needed:
            raise LearningError(
                f"{rarer} cases have the rarer outcome; {needed} are needed so that every part of"
                " a split has one: use more cases or fewer folds."
            )
        try:
            if belongs is not None:
                return list(self._whole_groups(outcome, belongs))
            pairs = self._splitter().split(np.zeros((outcome.size, 1)), outcome)
            return [Split(*rows) for rows in pairs]
        except ValueError as error:
            raise LearningError(
                f"{outcome.size} cases cannot be split with a test share of {self.test_share:.3g}:"
                f" {error}"
            ) from error

    def _whole_groups(self, outcome: NDArray[np.bool_], belongs: NDArray[Any]) -> Iterator[Split]:
        """Splits that keep the rows of one patient together, as stratified as they can be."""
        from sklearn.model_selection import StratifiedGroupKFold

        parts = self.folds or max(2, round(1 / self.test_share))
        for number in range(self.count):
            splitter = StratifiedGroupKFold(parts, shuffle=True, random_state=self.seed + number)
            pairs = list(splitter.split(np.zeros((outcome.size, 1)), outcome, belongs))
            yield from (Split(*rows) for rows in (pairs if self.folds else pairs[:1]))

    def rounds(self, cases: int, splits: list[Split]) -> float:
        """How often a case is tested on average."""
        return sum(split.test.size for split in splits) / cases

    def words(self) -> str:
        if self.folds:
            return f"{self.folds}-fold cross-validation, repeated {self.count} times, stratified"
        return (
            f"{self.count} random stratified splits, {1 - self.test_share:.0%} of the cases to"
            f" learn from and {self.test_share:.0%} to judge"
        )

    def _splitter(self) -> Any:
        from sklearn.model_selection import RepeatedStratifiedKFold, StratifiedShuffleSplit

        if self.folds:
            return RepeatedStratifiedKFold(
                n_splits=self.folds, n_repeats=self.count, random_state=self.seed
            )
        return StratifiedShuffleSplit(self.count, test_size=self.test_share, random_state=self.seed)


@dataclass(frozen=True)
class ResampledSize:
    """How many questions to ask: the fewest within one standard error of the best, and why.

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


def smallest_good_size(briers: Floats, rounds: float, least: int = 0) -> ResampledSize:
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
    return ResampledSize(
        max(int(good[0]), least), best, tuple(means.tolist()), tuple(errors.tolist())
    )


def _questions(count: int) -> str:
    return "question" if count == 1 else "questions"

"""Which cases choose a list and which ones judge it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scorecard.errors import LearningError

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

    def splits(self, outcome: NDArray[np.bool_]) -> list[Split]:
        """The splits, the same for every method; refused where a part would lack an outcome."""
        positives = int(outcome.sum())
        rarer = min(positives, outcome.size - positives)
        needed = self.folds or 2
        if rarer < needed:
            raise LearningError(
                f"{rarer} cases have the rarer outcome; {needed} are needed so that every part of"
                " a split has one: use more cases or fewer folds."
            )
        splitter = self._splitter()
        try:
            return [Split(*rows) for rows in splitter.split(np.zeros((outcome.size, 1)), outcome)]
        except ValueError as error:
            raise LearningError(
                f"{outcome.size} cases cannot be split with a test share of {self.test_share:.3g}:"
                f" {error}"
            ) from error

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

"""How cases come in: arrays and data frames, checked the way scikit-learn checks them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import (
    assert_all_finite,
    check_consistent_length,
    column_or_1d,
    validate_data,
)

from scorecard.errors import LearningError
from scorecard.learning.inputs import Input, from_array, from_frame
from scorecard.learning.sample import refuse_missing


class CaseReader(BaseEstimator):  # type: ignore[misc]
    """An estimator that takes numbers as arrays, and anything narwhals knows as data frames."""

    missing: str

    def _read_with_labels(self, X: Any, y: Any) -> tuple[list[Input], NDArray[Any]]:
        if not _is_frame(X):
            X, labels = validate_data(self, X, y, dtype=np.float64, ensure_all_finite=self._finite)
            return from_array(X, self._names()), labels
        validate_data(self, X, y, skip_check_array=True)
        labels = column_or_1d(y, warn=True)
        assert_all_finite(labels, input_name="y")
        table = self._from_frame(X)
        check_consistent_length(table[0].values, labels)
        return table, labels

    def _read(self, X: Any, reset: bool) -> list[Input]:
        if _is_frame(X):
            validate_data(self, X, reset=reset, skip_check_array=True)
            return self._from_frame(X)
        X = validate_data(self, X, dtype=np.float64, ensure_all_finite=self._finite, reset=reset)
        return from_array(X, self._names())

    def _from_frame(self, X: Any) -> list[Input]:
        table = from_frame(X)
        rows = len(table[0].values) if table else 0
        if not rows:
            raise LearningError(
                f"Found array with {rows} sample(s) and {len(table)} feature(s),"
                " while a minimum of 1 is required."
            )
        if self.missing == "refuse":
            refuse_missing(table)
        return table

    @property
    def _finite(self) -> bool | str:
        return True if self.missing == "refuse" else "allow-nan"

    def _names(self) -> list[str]:
        numbered = [f"x{j}" for j in range(self.n_features_in_)]
        return list(getattr(self, "feature_names_in_", numbered))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.missing != "refuse"
        return tags


def _is_frame(X: Any) -> bool:
    return hasattr(X, "columns") and hasattr(X, "shape")

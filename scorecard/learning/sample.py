"""The cases of a fit: outcomes and weights, who is held out, what stands for a missing value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scorecard.errors import LearningError
from scorecard.learning.counts import Floats
from scorecard.learning.inputs import Input, fill_in, mode

Rows = NDArray[np.int64]


@dataclass(frozen=True)
class Outcome:
    """Both class labels, sorted; which one is positive; and the cases that have it."""

    classes: NDArray[Any]
    positive: int
    is_positive: NDArray[np.bool_]


def outcome_of(labels: NDArray[Any], positive_label: Any) -> Outcome:
    """Read a binary outcome; by default the second of the sorted labels is the positive one."""
    classes = np.unique(labels)
    if classes.size > 2:
        raise _not_binary(labels, classes)
    if classes.size < 2:
        raise LearningError(
            f"the outcome has one class only, {classes.tolist()[0]!r};"
            " cases of both classes are needed."
        )
    wanted = classes[1] if positive_label is None else positive_label
    found = np.flatnonzero(classes == wanted)
    if not found.size:
        raise LearningError(
            f"positive_label: {wanted!r} is not an outcome; the outcomes are {classes.tolist()!r}."
        )
    positive = int(found[0])
    return Outcome(classes, positive, np.asarray(labels == classes[positive], bool))


def _not_binary(labels: NDArray[Any], classes: NDArray[Any]) -> LearningError:
    from sklearn.utils.multiclass import check_classification_targets, type_of_target

    check_classification_targets(labels)
    shown = ", ".join(repr(one) for one in classes[:5].tolist())
    more = ", …" if classes.size > 5 else ""
    return LearningError(
        "Only binary classification is supported. The type of the target is"
        f" {type_of_target(labels)}: {classes.size} classes came ({shown}{more}), expected 2."
    )


def checked_weights(sample_weight: Any, cases: int) -> Floats | None:
    """One weight from 0 on for each case, not all of them 0; `None` if all count the same."""
    if sample_weight is None:
        return None
    weights = np.asarray(sample_weight, dtype=np.float64)
    if weights.shape != (cases,):
        raise LearningError(
            f"sample_weight has shape {weights.shape},"
            f" expected one weight for each of {cases} cases."
        )
    wrong = ~np.isfinite(weights) | (weights < 0)
    if wrong.any():
        row = int(np.flatnonzero(wrong)[0])
        raise LearningError(
            f"sample_weight, row {row + 1}: {weights[row].item()!r} is negative or not finite;"
            " weights are numbers from 0 on."
        )
    if not weights.any():
        raise LearningError("sample_weight: all weights are zero; at least one case must count.")
    return weights


FEWEST_CASES = 10  # on either side of a split; fewer say nothing


def held_out_split(
    is_positive: NDArray[np.bool_], share: float, random_state: Any
) -> tuple[Rows, Rows]:
    """Cases for the search and cases for the figures, stratified; without a share all are both."""
    everybody = np.arange(is_positive.size)
    if not share:
        return everybody, everybody
    from sklearn.model_selection import train_test_split

    try:
        searched, figured = train_test_split(
            everybody, test_size=share, stratify=is_positive, random_state=random_state
        )
    except ValueError:
        raise LearningError(
            f"held_out: {share!r} of {is_positive.size} cases cannot be kept out with both outcomes"
            " on either side; use more cases or held_out=0."
        ) from None
    if min(searched.size, figured.size) < FEWEST_CASES:
        raise LearningError(
            f"held_out: {share!r} leaves {searched.size} cases to the search and {figured.size} to"
            f" the figures; both need at least {FEWEST_CASES}. Choose another share or held_out=0."
        )
    return np.sort(searched), np.sort(figured)


def rows_of(table: Sequence[Input], rows: NDArray[Any]) -> list[Input]:
    """The same inputs for some of the cases."""
    return [replace(one, values=one.values[rows]) for one in table]


def stacked(table: Sequence[Input], other: Sequence[Input]) -> list[Input]:
    """The cases of two tables, one below the other."""
    return [_stacked(*pair) for pair in zip(table, other, strict=True)]


def _stacked(one: Input, other: Input) -> Input:
    if "category" in (one.kind, other.kind) and one.kind != other.kind:
        raise LearningError(f"input {one.name!r} has texts on one side and numbers on the other.")
    kind = one.kind if one.kind == other.kind else "number"
    return Input(one.name, kind, np.concatenate((one.values, other.values)))


def modes(table: Sequence[Input], weights: Floats | None) -> dict[str, Any]:
    """The most frequent value of every input."""
    return {one.name: mode(one, weights) for one in table}


def filled(table: Sequence[Input], values: dict[str, Any]) -> list[Input]:
    """Missing values replaced, for the inputs that have a value to replace them."""
    return [
        one if values.get(one.name) is None else fill_in(one, values[one.name]) for one in table
    ]


def refuse_missing(table: Sequence[Input]) -> None:
    for one in table:
        if one.missing.any():
            row = int(np.flatnonzero(one.missing)[0])
            raise LearningError(
                f"input {one.name!r}, row {row + 1}: the value is missing (NaN),"
                " and missing='refuse'."
            )

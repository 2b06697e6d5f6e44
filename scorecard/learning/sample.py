"""The cases of a fit: outcomes and weights, who is held out, what stands for a missing value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from scorecard.core.question import Question
from scorecard.errors import LearningError
from scorecard.learning.counts import CaseCounts, DivisibleSource, Floats
from scorecard.learning.inputs import AskedColumn, Described, Input, fill_in, mode
from scorecard.learning.risks import Patterns, answers_of, effective_weights, patterns_of

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


class CaseTable(Protocol):
    """The cases of a fit, wherever they are: what may be asked of them, and what is counted."""

    def __len__(self) -> int: ...
    @property
    def inputs(self) -> Sequence[Described]: ...
    @property
    def design_effect(self) -> float: ...
    @property
    def weight_scale(self) -> float:
        """What weights are multiplied by to become effective numbers of cases."""
        ...

    def source(self, columns: Sequence[AskedColumn]) -> DivisibleSource:
        """Counts of these columns."""
        ...

    def patterns(self, questions: Sequence[Question]) -> Patterns:
        """How the cases answer, in effective numbers."""
        ...

    def parts(self, folds: int, random_state: Any) -> Sequence[Any] | None:
        """For each fold who is learned from, as `source.part` and `divided` take it.

        `None` if there are too few cases for two folds.
        """
        ...

    def divided(self, questions: Sequence[Question], inside: Any) -> tuple[Patterns, Patterns]:
        """How the cases of a part answer, and how those left out."""
        ...

    def held_out(self, share: float, random_state: Any) -> tuple[CaseTable, CaseTable]:
        """Cases to learn from and cases kept out."""
        ...

    def modes(self) -> dict[str, Any]:
        """The most frequent value of every input."""
        ...

    def filled(self, values: Mapping[str, Any]) -> CaseTable:
        """Missing values replaced, for the inputs that have a value to replace them."""
        ...


@dataclass(frozen=True)
class Sample:
    """Cases held in memory; rows with the same group belong to one patient."""

    inputs: list[Input]
    is_positive: NDArray[np.bool_]
    weights: Floats | None = None
    groups: Rows | None = None

    def __len__(self) -> int:
        return int(self.is_positive.size)

    def rows(self, rows: NDArray[Any]) -> Sample:
        """Some of the cases."""
        return Sample(
            rows_of(self.inputs, rows),
            self.is_positive[rows],
            None if self.weights is None else self.weights[rows],
            None if self.groups is None else self.groups[rows],
        )

    @property
    def design_effect(self) -> float:
        return 1.0 if self.groups is None else design_effect(self.is_positive, self.groups)

    @cached_property
    def _effective(self) -> tuple[Floats, float]:
        return effective_weights(self.weights, len(self))

    @property
    def weight_scale(self) -> float:
        return self._effective[1]

    def source(self, columns: Sequence[AskedColumn]) -> CaseCounts:
        by_name = {one.name: one for one in self.inputs}
        numbers = [column.numbers(by_name[column.input]) for column in columns]
        return CaseCounts(numbers, self.is_positive, self.weights, with_missing=True)

    def patterns(self, questions: Sequence[Question]) -> Patterns:
        answers = answers_of(questions, self.inputs)
        return patterns_of(answers, self.is_positive, self._effective[0])

    def parts(self, folds: int, random_state: Any) -> Sequence[NDArray[np.bool_]] | None:
        numbers = fold_numbers(self, folds, random_state)
        if numbers is None:
            return None
        return [numbers != number for number in range(int(numbers.max()) + 1)]

    def divided(
        self, questions: Sequence[Question], inside: NDArray[np.bool_]
    ) -> tuple[Patterns, Patterns]:
        answers, weights = answers_of(questions, self.inputs), self._effective[0]
        one, other = (
            patterns_of(answers[rows], self.is_positive[rows], weights[rows])
            for rows in (inside, ~inside)
        )
        return one, other

    def held_out(self, share: float, random_state: Any) -> tuple[Sample, Sample]:
        rows, others = held_out_split(self, share, random_state)
        return self.rows(rows), self.rows(others)

    def modes(self) -> dict[str, Any]:
        return modes(self.inputs, self.weights)

    def filled(self, values: Mapping[str, Any]) -> Sample:
        return replace(self, inputs=filled(self.inputs, values))


def design_effect(is_positive: NDArray[np.bool_], groups: Rows) -> float:
    """How many rows count as one, where rows of one group resemble each other.

    1 + (m − 1) · ρ with m = Σ size² / Σ size and ρ the intraclass correlation of the outcome
    (one-way analysis of variance; Kish 1965, Donner and Klar 2000).
    """
    groups = np.unique(groups, return_inverse=True)[1].ravel()
    sizes = np.bincount(groups).astype(np.float64)
    count, cases, y = sizes.size, is_positive.size, is_positive.astype(np.float64)
    if count < 2 or count == cases:
        return 1.0
    means = np.bincount(groups, y) / sizes
    between = float((sizes * (means - y.mean()) ** 2).sum()) / (count - 1)
    within = float(((y - means[groups]) ** 2).sum()) / (cases - count)
    usual = (cases - float((sizes**2).sum()) / cases) / (count - 1)
    scale = between + (usual - 1) * within
    correlation = (between - within) / scale if scale > 0 else 0.0
    size = float((sizes**2).sum()) / cases
    return 1.0 + (size - 1.0) * min(max(correlation, 0.0), 1.0)


def checked_groups(groups: Any, cases: int) -> Rows | None:
    """Whose rows belong together, numbered from 0 on; a missing name is a group of its own."""
    if groups is None:
        return None
    names = np.asarray(groups)
    if names.shape != (cases,):
        raise LearningError(
            f"groups has shape {names.shape}, expected one group for each of {cases} cases."
        )
    texts = np.array(
        [f"\0{row}" if _no_name(name) else str(name) for row, name in enumerate(names.tolist())]
    )
    numbered = np.unique(texts, return_inverse=True)[1].ravel().astype(np.int64)
    if numbered.max() == 0:
        raise LearningError("groups: all cases belong to one group; at least two are needed.")
    return numbered


def _no_name(name: object) -> bool:
    return name is None or name != name


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


def held_out_split(sample: Sample, share: float, random_state: Any) -> tuple[Rows, Rows]:
    """Cases to learn from and cases kept out, stratified, groups kept together."""
    from sklearn.model_selection import train_test_split

    is_positive = sample.is_positive
    if sample.groups is not None:
        parts = fold_numbers(sample, max(2, round(1 / min(share, 1 - share))), random_state)
        if parts is None:
            raise _cannot_be_kept_out(share, len(sample))
        small, large = np.flatnonzero(parts == 0), np.flatnonzero(parts != 0)
        return (large, small) if share <= 0.5 else (small, large)
    try:
        learned, kept_out = train_test_split(
            np.arange(len(sample)), test_size=share, stratify=is_positive, random_state=random_state
        )
    except ValueError:
        raise _cannot_be_kept_out(share, len(sample)) from None
    if min(learned.size, kept_out.size) < FEWEST_CASES:
        raise LearningError(
            f"held_out: {share!r} leaves {learned.size} cases to learn from and {kept_out.size}"
            f" kept out; both need at least {FEWEST_CASES}. Choose another share or held_out=0."
        )
    return np.sort(learned), np.sort(kept_out)


def _cannot_be_kept_out(share: float, cases: int) -> LearningError:
    return LearningError(
        f"held_out: {share!r} of {cases} cases cannot be kept out with both outcomes"
        " on either side; use more cases or held_out=0."
    )


def fold_numbers(sample: Sample, folds: int, random_state: Any) -> Rows | None:
    """For every case the fold it is left out in; `None` if there are too few for two folds.

    Stratified by the outcome, whole groups together.
    """
    from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold

    is_positive = sample.is_positive
    units = np.arange(len(sample)) if sample.groups is None else sample.groups
    fewest = min(np.unique(units[is_positive == one]).size for one in (False, True))
    count = min(folds, int(fewest))
    if count < 2:
        return None
    kind = StratifiedKFold if sample.groups is None else StratifiedGroupKFold
    splitter = kind(count, shuffle=True, random_state=random_state)
    numbers = np.empty(len(sample), np.int64)
    empty = np.zeros((len(sample), 0))
    for number, (_, left_out) in enumerate(splitter.split(empty, is_positive, sample.groups)):
        numbers[left_out] = number
    return numbers


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


def filled(table: Sequence[Input], values: Mapping[str, Any]) -> list[Input]:
    """Missing values replaced, for the inputs that have a value to replace them."""
    return [
        one if values.get(one.name) is None else fill_in(one, values[one.name]) for one in table
    ]


def breast_masses() -> tuple[list[str], list[list[float]], list[str]]:
    """The Wisconsin Diagnostic Breast Cancer data: column names, rows of values, outcomes."""
    from sklearn.datasets import load_breast_cancer

    data = load_breast_cancer()
    columns = [name.replace(" ", "_") for name in data.feature_names]
    return columns, data.data.tolist(), [str(data.target_names[one]) for one in data.target]

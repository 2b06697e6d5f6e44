"""The cases of a fit: outcomes and weights, who is held out, what stands for a missing value."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import fsum
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from scorecard.core.question import Question
from scorecard.errors import LearningError
from scorecard.learning.counts import (
    CaseCounts,
    CodedColumn,
    Counts,
    Floats,
    exact_weights,
)
from scorecard.learning.inputs import AskedColumn, Described, Input, fill_in, mode
from scorecard.learning.risks import (
    Answers,
    Patterns,
    answers_of,
    patterns_of,
)
from scorecard.learning.substitutes import Together

Rows = NDArray[np.int64]


@dataclass(frozen=True)
class Labelled:
    """Both class labels, sorted; which one is positive; and the cases that have it."""

    classes: NDArray[Any]
    positive: int
    is_positive: NDArray[np.bool_]


def outcome_of(labels: NDArray[Any], positive_label: Any) -> Labelled:
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
    return Labelled(classes, positive, np.asarray(labels == classes[positive], bool))


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

    def source(self, columns: Sequence[AskedColumn]) -> Counts:
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

    def together(self, inside: Any, asked: Sequence[Question], other: Any) -> Together:
        """How the cases of a part, or all, answer by the value that they have of another input."""
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
    places: Floats | None = None  # from 0 to 1, where cases are divided by them and not by chance
    _numbered: dict[str, tuple[Rows, Floats]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def __len__(self) -> int:
        return int(self.is_positive.size)

    def rows(self, rows: NDArray[Any]) -> Sample:
        """Some of the cases."""
        return Sample(
            rows_of(self.inputs, rows),
            self.is_positive[rows],
            None if self.weights is None else self.weights[rows],
            None if self.groups is None else self.groups[rows],
            None if self.places is None else self.places[rows],
        )

    @property
    def design_effect(self) -> float:
        return 1.0 if self.groups is None else design_effect(self.is_positive, self.groups)

    @cached_property
    def weight_scale(self) -> float:
        """To Kish's effective number of cases, (Σw)² / Σw²; sums without rounding on the way."""
        if self.weights is None:
            return 1.0
        return fsum(self.weights) / fsum(self.weights**2)

    @property
    def _weigh_the_same(self) -> bool:
        return self.weights is None or bool((self.weights == self.weights[0]).all())

    def _patterns(self, answers: Answers, rows: Any) -> Patterns:
        """How some cases answer; cases of equal weight count once."""
        if self._weigh_the_same:
            return patterns_of(answers[rows], self.is_positive[rows], np.ones(len(self))[rows])
        weights = exact_weights(self.weights)[rows]
        found = patterns_of(answers[rows], self.is_positive[rows], weights)
        return found.scaled(self.weight_scale)

    def source(self, columns: Sequence[AskedColumn]) -> CaseCounts:
        by_name = {one.name: one for one in self.inputs}
        numbers = [column.numbers(by_name[column.input]) for column in columns]
        return CaseCounts(numbers, self.is_positive, self.weights)

    def patterns(self, questions: Sequence[Question]) -> Patterns:
        return self._patterns(answers_of(questions, self.inputs), slice(None))

    def parts(self, folds: int, random_state: Any) -> Sequence[NDArray[np.bool_]] | None:
        if self.places is None:
            numbers = fold_numbers(self, folds, random_state)
            return numbers if numbers is None else _without_each(numbers, np.unique(numbers))
        numbers = np.minimum((self.places * folds).astype(np.int64), folds - 1)
        counts = np.bincount(2 * numbers + self.is_positive, minlength=2 * folds)
        used = usable_folds(counts.reshape(folds, 2))
        return None if used is None else _without_each(numbers, used)

    def divided(
        self, questions: Sequence[Question], inside: NDArray[np.bool_]
    ) -> tuple[Patterns, Patterns]:
        answers = answers_of(questions, self.inputs)
        return self._patterns(answers, inside), self._patterns(answers, ~inside)

    def together(
        self, inside: NDArray[np.bool_] | None, asked: Sequence[Question], other: Described
    ) -> Together:
        rows = slice(None) if inside is None else inside
        answers = answers_of(asked, self.inputs)[rows].T.astype(np.float64)
        if other.name not in self._numbered:
            one = next(one for one in self.inputs if one.name == other.name)
            self._numbered[other.name] = numbered(one)
        codes, numbers = self._numbered[other.name]
        own = [np.where(one < 0, np.nan, one) for one in answers]
        ends = numbers[rows], numbers[rows]
        return Together.of(own, codes[rows], ends, np.ones(len(ends[0])))

    def held_out(self, share: float, random_state: Any) -> tuple[Sample, Sample]:
        if self.places is None:
            rows, others = held_out_split(self, share, random_state)
            return self.rows(rows), self.rows(others)
        edge = 1.0 - share
        learned = self.rows(self.places < edge)
        kept_out = self.rows(self.places >= edge)
        refuse_few_held_out(share, len(learned), len(kept_out))
        return replace(learned, places=self.places[self.places < edge] * (1 / edge)), kept_out

    def modes(self) -> dict[str, Any]:
        return modes(self.inputs, self.weights)

    def filled(self, values: Mapping[str, Any]) -> Sample:
        return replace(self, inputs=filled(self.inputs, values))


def numbered(one: Input) -> tuple[Rows, Floats]:
    """For each case the number of its value, or of the bin that it is in, and the value itself.

    −1 if it has none; categories are numbered in their order.
    """
    if one.kind == "category":
        places = {text: place for place, text in enumerate(one.categories())}
        codes = np.array([places.get(value, -1) for value in one.values], np.int64)
        return codes, codes.astype(np.float64)
    column = CodedColumn.of(one.values)
    codes = column.codes.astype(np.int64)
    return np.where(codes == column.n_values, -1, codes), column.numbers


def _without_each(numbers: Rows, folds: Sequence[int] | Rows) -> list[NDArray[np.bool_]]:
    return [np.asarray(numbers != fold) for fold in folds]


def design_effect(is_positive: NDArray[np.bool_], groups: Rows) -> float:
    """How many rows count as one, where rows of one group resemble each other.

    1 + (m − 1) · ρ with m = Σ size² / Σ size and ρ the intraclass correlation of the outcome
    (one-way analysis of variance; Kish 1965, Donner and Klar 2000).
    """
    groups = np.unique(groups, return_inverse=True)[1].ravel()
    found = np.column_stack((np.bincount(groups), np.bincount(groups, is_positive)))
    different, times = np.unique(found.astype(np.int64), axis=0, return_counts=True)
    return repeated_design_effect(different[:, 0], different[:, 1], times)


def repeated_design_effect(sizes: Rows, positives: Rows, times: Rows) -> float:
    """The same from how many groups there are of each size and number of positives."""
    order = np.lexsort((positives, sizes))
    n, p, k = (one[order].astype(np.float64) for one in (sizes, positives, times))
    count, cases, rate = k.sum(), (k * n).sum(), (k * p).sum() / (k * n).sum()
    if count < 2 or count == cases:
        return 1.0
    between = float((k * n * (p / n - rate) ** 2).sum()) / (count - 1)
    within = float((k * p * (n - p) / n).sum()) / (cases - count)
    squares = float((k * n**2).sum())
    usual = (cases - squares / cases) / (count - 1)
    scale = between + (usual - 1) * within
    correlation = (between - within) / scale if scale > 0 else 0.0
    return float(1.0 + (squares / cases - 1.0) * min(max(correlation, 0.0), 1.0))


USUAL_FOLDS = 10

# From so many cases on the lists of different folds hardly differ, and three are enough.
MANY_CASES, FEW_FOLDS = 50_000, 3


def usual_folds(cases: int) -> int:
    """How many lists are learned for cross-validation where nobody says."""
    return USUAL_FOLDS if cases < MANY_CASES else FEW_FOLDS


def usable_folds(counts: NDArray[Any]) -> list[int] | None:
    """The folds with cases, by rows of each fold and outcome; `None` if they cannot be used.

    Both outcomes are needed outside each, and none may have most of the cases: rows that are all
    alike cannot be told apart by their values.
    """
    shares = counts.sum(axis=1) / counts.sum()
    if counts.sum() >= 100 * len(counts) and shares.max() > 2 / len(counts):
        raise LearningError(
            f"keys: the rows are too much alike to be divided by them; one of {len(counts)} folds"
            f" has {shares.max():.0%} of the cases. Name a column that tells rows apart."
        )
    used = np.flatnonzero(counts.sum(axis=1))
    if used.size < 2 or not (counts.sum(axis=0) - counts[used]).all():
        return None
    return [int(number) for number in used]


GOLDEN, ROOT, HALF = 0.6180339887498949, 0.41421356237309503, 2.0**20


def scattered(
    numbers: Sequence[Any],
    floor: Callable[[Any], Any],
    named: Callable[[list[Any]], list[Any]] = list,
) -> Any:
    """A place from 0 to below 1 that depends on all of these numbers and looks like chance.

    Only what every machine and every database rounds in the same way: a row has the same place
    everywhere. `named` gives names to expressions that would else be written out at each use.
    """

    def fraction(value: Any) -> Any:
        return value - floor(value)

    # multiplied: some engines write a quotient out five times, and polars rounds it otherwise
    highs = named([floor(value * (1 / HALF)) for value in numbers])
    lows = named([value - high * HALF for value, high in zip(numbers, highs, strict=True)])
    total: Any = 0.0
    for number, (low, high) in enumerate(zip(lows, highs, strict=True), 1):
        mixed = fraction(low * (GOLDEN * HALF)) + fraction(low * GOLDEN) + fraction(high * ROOT)
        total = total + mixed * (1009.0 + GOLDEN * number)
    return fraction(*named([total]))


def places_of(
    inputs: Sequence[Input], keys: Any, groups: Rows | None, given_groups: Any
) -> Floats | None:
    """Where each case stands when cases are divided by keys or values; `None` if by chance."""
    if keys is None:
        return None
    if groups is not None:
        names = np.asarray(given_groups)
        numbers = [names if np.issubdtype(names.dtype, np.integer) else groups]
    elif isinstance(keys, str):
        numbers = [_as_numbers(one) for one in inputs]
    else:
        numbers = [np.asarray(keys)]
    found: Floats = scattered([one.astype(np.float64) for one in numbers], np.floor)
    return found


def _as_numbers(one: Input) -> NDArray[Any]:
    if one.kind != "category":
        return np.asarray(np.nan_to_num(one.values, nan=0.5))
    numbers = {text: number for number, text in enumerate(one.categories(), 1)}
    return np.array([numbers.get(value, 0) for value in one.values])


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
    refuse_few_held_out(share, learned.size, kept_out.size)
    return np.sort(learned), np.sort(kept_out)


def refuse_few_held_out(share: float, learned: int, kept_out: int) -> None:
    if min(learned, kept_out) < FEWEST_CASES:
        raise LearningError(
            f"held_out: {share!r} leaves {learned} cases to learn from and {kept_out}"
            f" kept out; both need at least {FEWEST_CASES}. Choose another share or held_out=0."
        )


def _cannot_be_kept_out(share: float, cases: int) -> LearningError:
    return LearningError(
        f"held_out: {share!r} of {cases} cases cannot be kept out with both outcomes"
        " on either side; use more cases or held_out=0."
    )


def fold_numbers(sample: Sample, folds: int, random_state: Any) -> Rows | None:
    """For every case the fold it is left out in; `None` if there are too few for two folds.

    Stratified by the outcome, whole groups together.
    """
    is_positive = sample.is_positive
    units = np.arange(len(sample)) if sample.groups is None else sample.groups
    fewest = min(np.unique(units[is_positive == one]).size for one in (False, True))
    count = min(folds, int(fewest))
    if count < 2:
        return None
    if sample.groups is None:
        return stratified_folds(is_positive, count, random_state)
    from sklearn.model_selection import StratifiedGroupKFold

    splitter = StratifiedGroupKFold(count, shuffle=True, random_state=random_state)
    numbers = np.empty(len(sample), np.int64)
    empty = np.zeros((len(sample), 0))
    for number, (_, left_out) in enumerate(splitter.split(empty, is_positive, sample.groups)):
        numbers[left_out] = number
    return numbers


def stratified_folds(is_positive: NDArray[np.bool_], folds: int, random_state: Any) -> Rows:
    """The fold of every case, the very ones of scikit-learn's `StratifiedKFold` that shuffles.

    Without loading it, which takes longer than to learn from a few hundred cases.
    """
    if random_state is None:
        random_state = np.random.mtrand._rand  # the one that `np.random.seed` is about
    elif not isinstance(random_state, np.random.RandomState):
        random_state = np.random.RandomState(random_state)
    in_first = is_positive == is_positive[0]
    order = np.sort(~in_first)  # the outcome of the first case comes first
    found = np.empty(is_positive.size, np.int64)
    for outcome, rows in ((False, in_first), (True, ~in_first)):
        sizes = [np.count_nonzero(order[fold::folds] == outcome) for fold in range(folds)]
        numbers = np.repeat(np.arange(folds), sizes)
        random_state.shuffle(numbers)
        found[rows] = numbers
    return found


def rows_of(table: Sequence[Input], rows: NDArray[Any]) -> list[Input]:
    """The same inputs for some of the cases."""
    return [replace(one, values=one.values[rows]) for one in table]


def modes(table: Sequence[Input], weights: Floats | None) -> dict[str, Any]:
    """The most frequent value of every input."""
    return {one.name: mode(one, weights) for one in table}


def filled(table: Sequence[Input], values: Mapping[str, Any]) -> list[Input]:
    """Missing values replaced, for the inputs that have a value to replace them."""
    return [
        one if values.get(one.name) is None else fill_in(one, values[one.name]) for one in table
    ]

"""From a table to columns of numbers that can be asked, and back from a cut to a question.

Arrays have numbers only. Data frames may also have categories: each category is a column of its own
("is X"), and at most one of them is asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from scorecard.core.model import Condition
from scorecard.errors import LearningError
from scorecard.learning.counts import Floats, Spans
from scorecard.learning.rounding import Number, beyond, human_cutoff, midpoint

Kind = Literal["number", "yes", "category"]

MOST_CATEGORIES = 100


class Described(Protocol):
    """What has to be known of an input to ask for it, wherever its values are."""

    @property
    def name(self) -> str: ...
    @property
    def kind(self) -> Kind: ...
    @property
    def share_known(self) -> float:
        """Of the cases; 1 only if none is missing."""
        ...

    def categories(self) -> tuple[str, ...]: ...


@dataclass(frozen=True)
class Input:
    """A column of the table: numbers (NaN if missing), or texts (`None` if missing)."""

    name: str
    kind: Kind
    values: NDArray[Any]
    known: tuple[str, ...] = ()  # categories of the whole table, of which these may be some rows

    @property
    def missing(self) -> NDArray[np.bool_]:
        if self.kind == "category":
            return np.array([value is None for value in self.values], bool)
        return np.asarray(np.isnan(self.values))

    @property
    def share_known(self) -> float:
        return 1.0 - float(self.missing.mean())

    def categories(self) -> tuple[str, ...]:
        """All categories of the table, sorted."""
        return self.known or tuple(sorted({value for value in self.values if value is not None}))


@dataclass(frozen=True)
class AskedColumn:
    """A column the search may ask, with the condition that a cut of it stands for.

    `condition` is fixed for all kinds but numbers, whose cut-off is found by the search.
    """

    input: str
    group: int
    condition: Condition | None = None

    def condition_at(self, cut: int, spans: Spans, rounded: bool) -> Condition:
        if self.condition is not None:
            return self.condition
        return Condition(">=", self._cutoff(cut, spans, rounded))

    def _cutoff(self, cut: int, spans: Spans, rounded: bool) -> Number:
        lowest, highest = spans
        if cut == 0:
            return float(lowest[0])
        if cut == lowest.size:
            return beyond(highest)
        below, above = float(highest[cut - 1]), float(lowest[cut])
        return human_cutoff(below, above) if rounded else midpoint(below, above)

    def numbers(self, one: Input) -> Floats:
        """What is counted of the input in memory: its numbers, or 1 for yes and 0 for no."""
        if self.condition is None or self.condition.kind == one.kind == "yes":
            return one.values
        return answers(one, self.condition)


def asked_columns(inputs: Sequence[Described], ask_missing: bool) -> list[AskedColumn]:
    """All columns that can be asked; with `ask_missing` also whether a value is missing."""
    columns: list[AskedColumn] = []
    for group, one in enumerate(inputs):
        if one.kind == "category":
            columns += _category_columns(one, group)
        else:
            condition = Condition("yes") if one.kind == "yes" else None
            columns.append(AskedColumn(one.name, group, condition))
        if ask_missing and one.share_known < 1:
            columns.append(AskedColumn(one.name, len(inputs) + group, Condition("missing")))
    return columns


def _category_columns(one: Described, group: int) -> list[AskedColumn]:
    choices = one.categories()
    if len(choices) > MOST_CATEGORIES:
        raise LearningError(
            f"input {one.name!r} has {len(choices)} different texts, at most {MOST_CATEGORIES}"
            " can be asked for; leave it out or put them into groups."
        )
    conditions = [Condition("in", categories=(choice,), choices=choices) for choice in choices]
    if len(choices) == 2:
        # The other one is the same question turned round; of + and - one asks for +.
        conditions = conditions[:1] if choices[0] == "+" else conditions[1:]
    return [AskedColumn(one.name, group, condition) for condition in conditions]


def answers(one: Input, condition: Condition) -> Floats:
    """1 for yes, 0 for no, NaN for unknown."""
    missing = one.missing
    if condition.is_presence:
        return np.asarray(missing == (condition.kind == "missing"), np.float64)
    if condition.is_categorical:
        yes = _category_answers(one, condition)
    elif condition.is_numeric:
        if one.kind == "category":
            raise LearningError(f"input {one.name!r} has texts, but the question is {condition}.")
        yes = (one.values >= condition.cutoff) == (condition.kind == ">=")
    else:
        other = (
            ~missing & (one.values != 0) & (one.values != 1) if one.kind != "category" else ~missing
        )
        if other.any():
            row = int(np.flatnonzero(other)[0])
            raise LearningError(
                f"input {one.name!r}, row {row + 1}: {_shown(one.values[row])}"
                " is neither 1 (yes) nor 0 (no)."
            )
        yes = (one.values == 1) == (condition.kind == "yes")
    return np.where(missing, np.nan, yes.astype(np.float64))


def _category_answers(one: Input, condition: Condition) -> NDArray[np.bool_]:
    if one.kind != "category":
        raise LearningError(f"input {one.name!r} has numbers, but the question is {condition}.")
    allowed = set(condition.choices or one.categories())
    for row, value in enumerate(one.values):
        if value is not None and value not in allowed:
            raise LearningError(
                f"input {one.name!r}, row {row + 1}: {value!r} is not one of the known values:"
                f" {', '.join(map(repr, condition.choices))}."
            )
    inside = np.array([value in condition.categories for value in one.values], bool)
    return np.asarray(inside == (condition.kind == "in"))


def fill_in(one: Input, value: Any) -> Input:
    """The input with missing values replaced."""
    if not one.missing.any():
        return one
    values = one.values.copy()
    values[one.missing] = value
    return replace(one, values=values)


def mode(one: Input, weights: Floats | None) -> Any:
    """The most frequent value; the smallest of several, `None` if all are missing."""
    known = ~one.missing
    if not known.any():
        return None
    values, places = np.unique(one.values[known], return_inverse=True)
    counted = None if weights is None else weights[known]
    return values[np.bincount(places.ravel(), counted).argmax()]


def from_array(numbers: NDArray[Any], names: Sequence[str]) -> list[Input]:
    return [_number_input(name, numbers[:, j]) for j, name in enumerate(names)]


def from_frame(frame: Any) -> list[Input]:
    """The inputs of a data frame of any make that narwhals knows."""
    import narwhals.stable.v1 as nw

    table = nw.from_native(frame, eager_only=True)
    # Floats at once: one by one they take most of the time of a table with thousands of columns.
    plain = [name for name, kind in table.schema.items() if kind == nw.Float64]
    numbers = dict(zip(plain, table.select(plain).to_numpy().T, strict=True)) if plain else {}
    return [
        _number_input(str(name), np.ascontiguousarray(numbers[name], np.float64))
        if name in numbers
        else _frame_input(str(name), table.get_column(name), nw)
        for name in table.columns
    ]


def _frame_input(name: str, column: Any, nw: Any) -> Input:
    kind = column.dtype
    if kind == nw.Boolean or kind.is_numeric():
        numbers = column.cast(nw.Float64).to_numpy().astype(np.float64)
        return _number_input(name, numbers)
    refuse_dates(name, kind)
    values = [None if _is_missing(value) else value for value in column.to_list()]
    if all(value is None or _is_number(value) for value in values):
        numbers = np.array([np.nan if value is None else float(value) for value in values])
        return _number_input(name, numbers)
    texts = np.array([None if value is None else str(value) for value in values], dtype=object)
    one = Input(name, "category", texts)
    return replace(one, known=one.categories())


def refuse_dates(name: str, kind: Any) -> None:
    if kind.is_temporal():
        raise LearningError(
            f"input {name!r} has dates or times; turn it into a number, for instance an age,"
            " or leave it out."
        )


def _number_input(name: str, numbers: NDArray[Any]) -> Input:
    infinite = np.isinf(numbers)
    if infinite.any():
        row = int(np.flatnonzero(infinite)[0])
        raise LearningError(
            f"input {name!r}, row {row + 1}: {_shown(numbers[row])} is not a finite number;"
            " correct it or leave it empty."
        )
    return Input(name, "yes" if _only_0_and_1(numbers) else "number", numbers)


def _only_0_and_1(numbers: Floats) -> bool:
    # most columns are ruled out by their first few values
    head = numbers[:64]
    if not np.all((head == 0) | (head == 1) | np.isnan(head)):
        return False
    known = numbers[~np.isnan(numbers)]
    return bool(known.size and np.all((known == 0) | (known == 1)))


def _is_missing(value: object) -> bool:
    return value is None or (isinstance(value, float) and value != value)


def _is_number(value: object) -> bool:
    return isinstance(value, (bool, int, float, np.number, np.bool_))


def _shown(value: Any) -> str:
    return repr(value.item() if isinstance(value, np.generic) else value)


def refuse_missing(table: Sequence[Input]) -> None:
    for one in table:
        if one.missing.any():
            row = int(np.flatnonzero(one.missing)[0])
            raise LearningError(
                f"input {one.name!r}, row {row + 1}: the value is missing (NaN),"
                " and missing='refuse'."
            )


def refuse_unknown(inputs: Sequence[Described]) -> None:
    """The same where single values are not at hand."""
    for one in inputs:
        if one.share_known < 1:
            raise LearningError(
                f"input {one.name!r}: {1 - one.share_known:.2%} of the values are missing,"
                " and missing='refuse'."
            )


def lazy_frame(frame: Any) -> Any:
    """The frame as narwhals has it, if it is one whose rows are elsewhere; else `None`."""
    import narwhals.stable.v2 as nw

    found = nw.from_native(frame, pass_through=True)
    return found if isinstance(found, nw.LazyFrame) else None

"""Cases that stay where they are: a lazy frame of any engine that narwhals knows, counted there.

Nothing but count tables comes here. Which fold a row is in depends on its values or its key alone,
by arithmetic that is the same in every engine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from operator import add
from typing import Any
from weakref import ReferenceType, ref

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from scorecard.core.model import Condition, Question
from scorecard.core.question import with_substitutes
from scorecard.errors import LearningError, few
from scorecard.learning.counts import Integers
from scorecard.learning.inputs import AskedColumn, Kind, refuse_dates
from scorecard.learning.lazy_counts import (
    COUNTED,
    Frame,
    LazyCounts,
    SharedCounts,
    Without,
    collected,
    floor_of,
)
from scorecard.learning.risks import Answers, Patterns
from scorecard.learning.sample import (
    Labelled,
    outcome_of,
    refuse_few_held_out,
    repeated_design_effect,
    scattered,
    usable_folds,
    usual_folds,
)
from scorecard.learning.substitutes import Together

MOST_TEXTS = 1_000  # looked at, to tell how many there are too many


@dataclass(frozen=True)
class LazyInput:
    """An input of which only a description is here; see `inputs.Described`."""

    name: str
    kind: Kind
    share_known: float
    known: tuple[str, ...] = ()
    lowest: float = np.nan
    highest: float = np.nan

    def categories(self) -> tuple[str, ...]:
        return self.known


@dataclass(frozen=True)
class LazyTable:
    """The cases of a lazy frame; a `CaseTable`.

    The columns of `frame` are i0, i1, … for the inputs, y for the outcome (1 or 0), u for the place
    from 0 to 1 that decides about folds, f for the fold, g for groups. All cases weigh the same.
    """

    frame: Frame
    inputs: tuple[LazyInput, ...]
    outcome: Labelled
    folds: int
    wanted_folds: int | None = None
    grouped: bool = False
    _told: dict[Any, dict[str, NDArray[Any]]] = field(default_factory=dict, init=False)
    _shared: list[ReferenceType[SharedCounts]] = field(default_factory=list, init=False)

    def __len__(self) -> int:
        return int(self.sizes.sum())

    @property
    def weight_scale(self) -> float:
        return 1.0

    @cached_property
    def sizes(self) -> Integers:
        """Rows by fold and outcome."""
        found = np.zeros((self.folds, 2), np.int64)
        rows = collected(self.frame.group_by("f", "y").agg(COUNTED))
        found[rows["f"], rows["y"]] = rows["n"]
        return found

    @property
    def design_effect(self) -> float:
        if not self.grouped:
            return 1.0
        sizes = self.frame.group_by("g").agg(
            nw.len().cast(nw.Int64).alias("n"), nw.col("y").sum().cast(nw.Int64).alias("y")
        )
        rows = collected(sizes.group_by("n", "y").agg(nw.len().alias("times")))
        return repeated_design_effect(rows["n"], rows["y"], rows["times"])

    def source(self, columns: Sequence[AskedColumn]) -> LazyCounts:
        shared = SharedCounts(self, columns)
        self._shared.append(ref(shared))  # weakly: whatever it keeps goes with the counts
        return LazyCounts(shared, Without())

    def patterns(self, questions: Sequence[Question]) -> Patterns:
        return self._patterns(self._answered(questions))

    @property
    def all_parts(self) -> list[Without]:
        """All cases, and all but those of each fold."""
        return [Without(), *map(Without, range(self.folds if self.folds > 1 else 0))]

    def parts(self, folds: int, random_state: Any) -> Sequence[Without] | None:  # noqa: ARG002
        usable = usable_folds(self.sizes)
        return None if usable is None else [Without(number) for number in usable]

    def divided(self, questions: Sequence[Question], inside: Without) -> tuple[Patterns, Patterns]:
        rows = self._answered(questions)
        others = {name: values[rows["f"] == inside.left_out] for name, values in rows.items()}
        rows = {name: values[rows["f"] != inside.left_out] for name, values in rows.items()}
        return self._patterns(rows), self._patterns(others)

    def together(
        self, inside: Without | None, asked: Sequence[Question], other: LazyInput
    ) -> Together:
        rows = self._paired(asked, other)
        if inside is not None:
            rows = {name: values[rows["f"] != inside.left_out] for name, values in rows.items()}
        own = [rows[f"a{place}"].astype(np.float64) for place in range(len(asked))]
        codes, ends = rows["code"], (rows["low"], rows["high"])
        return Together.of(own, codes, ends, rows["n"].astype(np.float64))

    def _paired(self, asked: Sequence[Question], other: LazyInput) -> dict[str, NDArray[Any]]:
        """How cases answer by their value of another input; of all folds, and counted once."""
        key = other.name, *((one.input, one.condition) for one in asked)
        if key not in self._told:
            self._told[key] = self._counted_together(asked, other)
        return self._told[key]

    def _counted_together(
        self, asked: Sequence[Question], other: LazyInput
    ) -> dict[str, NDArray[Any]]:
        value = nw.col(f"i{[one.name for one in self.inputs].index(other.name)}")
        shared = self._shared[-1]() if other.kind == "number" else None
        label = value if shared is None else shared.label(other.name)
        named = {
            f"a{place}": self.answer(one.input, one.condition) for place, one in enumerate(asked)
        }
        frame = self.frame.select(nw.col("f"), v=value, b=label, **named)
        ends = nw.col("v").min().alias("low"), nw.col("v").max().alias("high")
        counted = frame.group_by("f", "b", *named).agg(nw.len().alias("n"), *ends)
        rows = collected(counted)
        if other.kind == "category":
            numbers = {text: float(place) for place, text in enumerate(other.known)}
            labels = np.array([numbers.get(text, np.nan) for text in rows["b"].tolist()])
            rows["low"] = rows["high"] = labels
        else:
            labels = rows["b"].astype(np.float64)
        codes = np.unique(labels, return_inverse=True)[1].ravel()
        low, high = (rows[name].astype(np.float64) for name in ("low", "high"))
        return rows | {"code": np.where(np.isnan(labels), -1, codes), "low": low, "high": high}

    def _answered(self, questions: Sequence[Question]) -> dict[str, NDArray[Any]]:
        """How often each pattern of answers occurs, by fold; lists of many cases often agree."""
        asked = [
            tuple((one.input, one.condition) for one in with_substitutes([question]))
            for question in questions
        ]
        if tuple(asked) not in self._told:
            answers = [nw.coalesce(*(self.answer(*one) for one in both)) for both in asked]
            named = {f"a{place}": one for place, one in enumerate(answers)}
            grouped = self.frame.select("f", "y", **named).group_by("f", "y", *named)
            self._told[tuple(asked)] = collected(grouped.agg(COUNTED))
        return self._told[tuple(asked)]

    def _patterns(self, rows: Mapping[str, NDArray[Any]]) -> Patterns:
        names = sorted((name for name in rows if name[0] == "a"), key=lambda name: int(name[1:]))
        given = np.zeros((len(rows["y"]), len(names)), np.int8)
        for place, name in enumerate(names):
            given[:, place] = np.nan_to_num(rows[name].astype(np.float64), nan=-1).astype(np.int8)
        answers, places = np.unique(given, axis=0, return_inverse=True)
        sums = np.zeros((len(answers), 2))
        np.add.at(sums, places.ravel(), np.column_stack((rows["n"], rows["n"] * rows["y"])))
        found: Answers = answers.reshape(len(answers), len(names))
        return Patterns(found, *sums.T)

    def held_out(self, share: float, random_state: Any) -> tuple[LazyTable, LazyTable]:  # noqa: ARG002
        edge = 1.0 - share
        learned = self.frame.filter(nw.col("u") < edge).with_columns(u=nw.col("u") * (1 / edge))
        kept_out = self.frame.filter(nw.col("u") >= edge)
        count, others = (
            int(collected(one.select(nw.len().alias("n")))["n"][0]) for one in (learned, kept_out)
        )
        refuse_few_held_out(share, count, others)
        folds = self.wanted_folds or usual_folds(count)
        texts = {place for place, one in enumerate(self.inputs) if one.kind == "category"}
        found = _described(learned, [one.name for one in self.inputs], texts)
        inputs = tuple(
            replace(one, share_known=of.share_known, lowest=of.lowest, highest=of.highest)
            for one, of in zip(self.inputs, found, strict=True)
        )
        return (
            replace(self, frame=in_folds(learned, folds), folds=folds, inputs=inputs),
            replace(self, frame=in_folds(kept_out, 1), folds=1),
        )

    def modes(self) -> dict[str, Any]:
        return {one.name: self._mode(place) for place, one in enumerate(self.inputs)}

    def _mode(self, place: int) -> Any:
        rows = collected(self.frame.group_by(nw.col(f"i{place}").alias("v")).agg(COUNTED))
        kept = [number for number, value in enumerate(rows["v"].tolist()) if is_known(value)]
        if not kept:
            return None
        counts = rows["n"]
        most = max(counts[kept])
        return min(rows["v"].tolist()[number] for number in kept if counts[number] == most)

    def filled(self, values: Mapping[str, Any]) -> LazyTable:
        chosen = {place: values.get(one.name) for place, one in enumerate(self.inputs)}
        changed = [
            nw.col(f"i{place}").fill_null(value)
            for place, value in chosen.items()
            if value is not None
        ]
        inputs = tuple(
            one if chosen[place] is None else replace(one, share_known=1.0)
            for place, one in enumerate(self.inputs)
        )
        return replace(self, frame=self.frame.with_columns(*changed), inputs=inputs)

    def answer(self, name: str, condition: Condition) -> Any:
        """1 for yes, 0 for no, null for unknown."""
        place = [one.name for one in self.inputs].index(name)
        one, value = self.inputs[place], nw.col(f"i{place}")
        if condition.is_presence:
            yes = value.is_null() if condition.kind == "missing" else ~value.is_null()
            return yes.cast(nw.Int64)
        if condition.is_categorical != (one.kind == "category"):
            has = "texts" if one.kind == "category" else "numbers"
            raise LearningError(f"input {name!r} has {has}, but the question is {condition}.")
        if condition.is_categorical:
            yes = value.is_in(list(condition.categories))
            yes = yes if condition.kind == "in" else ~yes
        elif condition.is_numeric:
            yes = value >= condition.cutoff if condition.kind == ">=" else value < condition.cutoff
        else:
            if one.kind != "yes":
                raise LearningError(f"input {name!r} has other values than 1 (yes) and 0 (no).")
            yes = value == (1 if condition.kind == "yes" else 0)
        return nw.when(~value.is_null()).then(yes.cast(nw.Int64))


# Reading a frame ----------------------------------------------------------------------------------


def lazy_table(
    frame: Frame,
    outcome: str,
    *,
    groups: str | None,
    keys: str | None,
    positive_label: Any,
    folds: int,
) -> LazyTable:
    """The cases of a lazy frame; groups and keys are columns of it.

    `folds` is how many lists are learned for cross-validation, 0 for as many as usual.
    """
    schema = frame.collect_schema()
    for name in filter(None, (outcome, groups, keys)):
        if name not in schema:
            known = few(map(repr, schema))
            raise LearningError(f"the frame has no column {name!r}; it has {known}.")
    names = [name for name in schema if name not in (outcome, groups, keys)]
    typed = [_typed(name, schema[name]).alias(f"i{place}") for place, name in enumerate(names)]
    labels = _labels(frame, outcome)
    found = outcome_of(labels, positive_label)
    positive = found.classes[found.positive : found.positive + 1].tolist()[0]
    yes = (nw.col(outcome) == positive).cast(nw.Int64).alias("y")
    own = {"g": groups, "k": keys}
    kept = [nw.col(name).alias(new) for new, name in own.items() if name is not None]
    typed_frame = frame.select(*typed, yes, *kept)
    texts = {place for place, name in enumerate(names) if not _is_number(schema[name])}
    inputs = _described(typed_frame, names, texts)
    typed_frame = _with_places(typed_frame, inputs, groups, keys, schema)
    count = collected(typed_frame.select(nw.len().alias("n")))["n"][0]
    number = folds or usual_folds(int(count))
    return LazyTable(
        in_folds(typed_frame, number), inputs, found, number, folds or None,
        groups is not None,
    )  # fmt: skip


def _is_number(kind: Any) -> bool:
    return bool(kind.is_numeric() or kind == nw.Boolean)


def _number(value: Any, kind: Any) -> Any:
    number = value.cast(nw.Float64)
    if kind.is_float():
        number = nw.when(~number.is_nan()).then(number)
    return number


def _typed(name: str, kind: Any) -> Any:
    refuse_dates(name, kind)
    if _is_number(kind):
        return _number(nw.col(name), kind)
    if kind in (nw.String, nw.Categorical, nw.Enum):
        return nw.col(name).cast(nw.String)
    raise LearningError(f"input {name!r} is of the kind {kind}; turn it into a number or a text.")


def _labels(frame: Frame, outcome: str) -> NDArray[Any]:
    rows = collected(frame.group_by(nw.col(outcome).alias("v")).agg(nw.len().alias("n")))
    if not len(rows["v"]):
        raise LearningError("the frame has no rows.")
    labels = rows["v"].tolist()
    if not all(map(is_known, labels)):
        raise LearningError(f"outcome {outcome!r} is missing in some rows; leave these out.")
    return np.array(labels)


def _described(frame: Frame, names: Sequence[str], texts: set[int]) -> tuple[LazyInput, ...]:
    numbers = [place for place in range(len(names)) if place not in texts]
    asked = [nw.len().alias("n")]
    for place in numbers:
        value = nw.col(f"i{place}")
        asked += [
            value.min().alias(f"least{place}"),
            value.max().alias(f"most{place}"),
            value.count().alias(f"known{place}"),
            ((value != 0) & (value != 1)).cast(nw.Int64).sum().alias(f"other{place}"),
        ]
    rows = collected(frame.select(*asked))
    count = int(rows["n"][0])
    return tuple(
        _text_input(frame, place, name, count)
        if place in texts
        else _number_input(rows, place, name, count)
        for place, name in enumerate(names)
    )


def _number_input(rows: Mapping[str, NDArray[Any]], place: int, name: str, count: int) -> LazyInput:
    known = int(rows[f"known{place}"][0])
    if not known:
        return LazyInput(name, "number", 0.0)
    least, most = float(rows[f"least{place}"][0]), float(rows[f"most{place}"][0])
    if not np.isfinite([least, most]).all():
        raise LearningError(
            f"input {name!r}: {least if np.isinf(least) else most!r} is not a finite number;"
            " correct it or leave it empty."
        )
    kind: Kind = "number" if rows[f"other{place}"][0] else "yes"
    return LazyInput(name, kind, _share(known, count), (), least, most)


def _text_input(frame: Frame, place: int, name: str, count: int) -> LazyInput:
    texts = frame.group_by(nw.col(f"i{place}").alias("v")).agg(nw.len().alias("n"))
    rows = collected(texts.head(MOST_TEXTS))
    counts = dict(zip(rows["v"].tolist(), rows["n"].tolist(), strict=True))
    missing = sum(number for text, number in counts.items() if text is None)
    known = tuple(sorted(text for text in counts if text is not None))
    return LazyInput(name, "category", _share(count - missing, count), known)


def _share(known: int, count: int) -> float:
    return 1.0 - (count - known) / count


def _with_places(
    frame: Frame,
    inputs: Sequence[LazyInput],
    groups: str | None,
    keys: str | None,
    schema: Mapping[str, Any],
) -> Frame:
    """The frame with u, by which rows are divided: of their group, their key or their values."""
    if groups is not None and not schema[groups].is_integer():
        texts = frame.select(nw.col("g").cast(nw.String)).unique().sort("g")
        if None in collected(texts.filter(nw.col("g").is_null()).head(1))["g"].tolist():
            raise LearningError(f"groups: some rows have none in {groups!r}; every row needs one.")
        numbered = texts.with_row_index("number", order_by="g")
        frame = frame.with_columns(nw.col("g").cast(nw.String)).join(numbered, on="g")
        frame = frame.drop("g").rename({"number": "g"})
    key = "g" if groups is not None else "k"
    if groups is not None or keys is not None:
        numbers = [nw.col(key).cast(nw.Float64)]
    else:
        numbers = [_as_number(place, one) for place, one in enumerate(inputs)]
    columns = frame.collect_schema().names()

    def named(values: list[Any]) -> list[Any]:
        nonlocal frame
        names = [f"z{len(frame.collect_schema())}_{place}" for place in range(len(values))]
        frame = frame.with_columns(**dict(zip(names, values, strict=True)))
        return list(map(nw.col, names))

    place = scattered(numbers, floor_of, named)
    return frame.select(*columns, u=place)


def _as_number(place: int, one: LazyInput) -> Any:
    value = nw.col(f"i{place}")
    if one.kind != "category":
        return value.fill_null(0.5)
    parts = [
        (value == text).cast(nw.Float64).fill_null(0.0) * float(number)
        for number, text in enumerate(one.known, 1)
    ]
    return reduce(add, parts) if parts else nw.lit(0.0)


def in_folds(frame: Frame, folds: int) -> Frame:
    """The frame with the number of the fold that each row is left out in."""
    number = (nw.col("u") * float(folds)).floor().cast(nw.Int64)
    return frame.with_columns(f=nw.when(number < folds).then(number).otherwise(folds - 1))


def is_known(value: object) -> bool:
    return value is not None and value == value

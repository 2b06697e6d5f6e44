"""Apply a staircase to a table: decision, stage, total and risk for every row.

All rows walk together. After each question a row is in one of a few states, and where each state
leads is asked of `Staircase.decide` once: the walk has its rules in one place only.
"""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import compress
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from scorecard.core.question import (
    Answer,
    Question,
    float_not_below,
    inputs_asked_again,
    inputs_of,
    with_substitutes,
)
from scorecard.core.staircase import Outcome, Staircase, prefix_beside
from scorecard.core.walk import case_cost, have_costs
from scorecard.errors import AnswerError, ScorecardError, TableError
from scorecard.files import replacing
from scorecard.tables.source import (
    PARQUET_SUFFIXES,
    TEXT_SUFFIXES,
    Source,
    TablePiece,
    Whole,
    polars_errors,
)

FIGURES = {
    "decision": pl.String,
    "stage": pl.Int64,
    "total": pl.Int64,
    **dict.fromkeys(("probability", "lower", "upper", "cases", "positives"), pl.Float64),
}
ADDED = (*FIGURES, "unknown")
COST = "cost"  # added behind them where the list has costs
PROBLEM = "problem"  # the decision about a row with a category that the list does not know

Numbers = npt.NDArray[np.int64]

_ANSWERS: tuple[Answer, ...] = (None, False, True)  # in the order of their numbers


@dataclass(frozen=True)
class Decided:
    """Rows of a table and what is decided about them.

    `results` has every different result once, in the columns of `ADDED` and, where the list has
    costs, what the answers cost; `places` has for each row
    which of them is its own. A row with a category that the list has never seen is a problem if it
    is asked for it: `unknown` names the input, and nothing else is said about the row.
    """

    piece: TablePiece
    results: pl.DataFrame
    places: pl.Series

    @property
    def added(self) -> pl.DataFrame:
        """The result of each row."""
        return self.results.select(pl.all().gather(self.places))

    @property
    def frame(self) -> pl.DataFrame:
        """The rows with their results behind their own columns."""
        return self.piece.frame.hstack(self.added.get_columns())

    @property
    def decisions(self) -> Counter[str]:
        """How many rows end with each decision."""
        decisions = self.results.to_series(0).to_list()
        counts = np.bincount(self.places.to_numpy(), minlength=len(decisions)).tolist()
        found: Counter[str] = Counter()
        for decision, count in zip(decisions, counts, strict=True):
            found[decision] += count
        return +found


def applied(
    staircase: Staircase,
    source: Source,
    *,
    prefix: str = "",
    look: Callable[[pl.DataFrame], None] | None = None,
) -> Iterator[Decided]:
    """The pieces of the table with what is decided about each row.

    Only the columns of questions that are still asked are needed. `look` is shown these columns,
    piece by piece.
    """
    questions = staircase.questions
    for name in inputs_of(questions):
        source.check_column(name)
    prefix = added_prefix(staircase, source, prefix)
    inputs = inputs_of(questions)
    asked = with_substitutes(questions)
    others = {question.input for question in asked if not question.condition.is_numeric}
    # Decimal commas are still texts to whoever reads the file.
    numbers = set(inputs) - others if source.decimal == "." else set()
    again = inputs_asked_again(staircase.scoring_list.questions)
    states = _States(staircase)
    for piece in source.pieces():
        columns = piece.columns(inputs, numbers)
        if look is not None:
            look(columns.with_columns(source.with_points(one, piece) for one in columns))
        read = [
            answers_of_frame(
                question, columns, piece, source, value_only=question.input in again, unseen=True
            )
            for question in questions
        ]
        results, places = states.results(
            [answers for answers, _ in read], [instead for _, instead in read], piece.height
        )
        yield Decided(piece, results.rename(lambda name: prefix + name), places)


def added_prefix(staircase: Staircase, source: Source, prefix: str = "") -> str:
    """What the added columns begin with: the prefix that was given, else none unless it needs one.

    A prefix that was given and leaves a name that is taken is refused.
    """
    added = (*ADDED, COST) if have_costs(staircase.questions) else ADDED
    taken = {prefix + name for name in added} & {*source.names}
    if prefix and taken:
        raise source.error(
            f"there is a column {min(taken)!r} already, and one of that name is added; choose"
            " another prefix, for instance `prefix='list_'`."
        )
    return prefix or prefix_beside(added, source.names)


@dataclass
class _States:
    """The states met so far: each has an outcome, and an example of answers that leads there.

    Where one goes from a state depends on nothing but the state, because `Outcome` has the boxes of
    both ends: so one example answers for all.
    """

    staircase: Staircase
    examples: list[tuple[Answer, ...]] = field(default_factory=lambda: [()])
    outcomes: list[Outcome] = field(default_factory=list)
    numbers: dict[tuple[int, Outcome], int] = field(default_factory=dict)
    steps: dict[tuple[int, int], int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.outcomes.append(self.staircase.decide(()))

    def results(
        self, answers: Sequence[Answers], instead: Sequence[Flags], height: int
    ) -> tuple[pl.DataFrame, pl.Series]:
        """Every different result once, and for each row which of them is its own."""
        states = np.zeros(height, dtype=np.int64)
        for given in answers:
            states = self._next(states, np.maximum(given, UNKNOWN))
        stages = np.array([outcome.stage for outcome in self.outcomes])[states]
        asked = [stages > place for place in range(len(answers))]
        unseen = [(given == UNSEEN) & was for given, was in zip(answers, asked, strict=True)]
        problem = np.any([np.zeros(height, dtype=bool), *unseen], axis=0)
        unknown = [
            np.where(problem, strange, (given == UNKNOWN) & was)
            for given, was, strange in zip(answers, asked, unseen, strict=True)
        ]
        replaced = [by & was & ~problem for by, was in zip(instead, asked, strict=True)]
        # A problem is one whatever else is answered.
        first, places = _distinct(np.where(problem, 0, states), [*unknown, *replaced, problem])
        columns = self._columns().select(pl.all().gather(pl.Series(states[first])))
        shape = len(answers), first.size
        missing, by = (
            np.reshape([column[first] for column in flags], shape).T.astype(bool).tolist()
            for flags in (unknown, replaced)
        )
        costs = self._costs(zip(stages[first].tolist(), missing, by, strict=True))
        columns = _with_problems(columns.with_columns(*costs), pl.Series(problem[first]))
        columns = columns.with_columns(self._unknown(missing))
        return columns.select(*ADDED, *(one.name for one in costs)), pl.Series(places)

    def _next(self, states: Numbers, given: Answers) -> Numbers:
        """The states after one more answer; a row that has stopped stays where it is."""
        codes = states * len(_ANSWERS)
        codes += given
        codes -= UNKNOWN
        seen = np.zeros(len(self.outcomes) * len(_ANSWERS), dtype=bool)
        seen[codes] = True
        leads_to = np.zeros(seen.size, dtype=np.int64)
        for code in np.flatnonzero(seen).tolist():
            leads_to[code] = self._step(*divmod(code, len(_ANSWERS)))
        return leads_to.take(codes)

    def _step(self, state: int, answer: int) -> int:
        if (state, answer) not in self.steps:
            example = (*self.examples[state], _ANSWERS[answer])
            outcome = self.staircase.decide(example)
            key = len(example), outcome
            if key not in self.numbers:
                self.numbers[key] = len(self.examples)
                self.examples.append(example)
                self.outcomes.append(outcome)
            self.steps[state, answer] = self.numbers[key]
        return self.steps[state, answer]

    def _columns(self) -> pl.DataFrame:
        columns = pl.DataFrame(
            [
                pl.Series(name, [getattr(outcome, name) for outcome in self.outcomes], kind)
                for name, kind in FIGURES.items()
            ]
        )
        names = self.staircase.policy.names
        return columns.with_columns(pl.col("decision").replace(names)) if names else columns

    def _costs(self, ends: Iterable[tuple[int, Sequence[bool], Sequence[bool]]]) -> list[pl.Series]:
        """What the answers cost: how many were asked, which were unknown, which a substitute's."""
        questions = self.staircase.questions
        if not have_costs(questions):
            return []
        found = []
        for asked, unknown, instead in ends:
            answers = [None if flag else True for flag in unknown]
            found.append(case_cost(questions, answers, asked, instead))
        return [pl.Series(COST, found, pl.Float64)]

    def _unknown(self, unknown: Iterable[Sequence[bool]]) -> pl.Series:
        """The inputs that were unknown among the questions that were asked."""
        names = [question.input for question in self.staircase.questions]
        joined = ["; ".join(dict.fromkeys(compress(names, row))) for row in unknown]
        return pl.Series("unknown", joined, pl.String)


def _with_problems(columns: pl.DataFrame, problem: pl.Series) -> pl.DataFrame:
    others = [column for column in columns.columns if column != "decision"]
    return columns.with_columns(
        pl.when(problem).then(pl.lit(PROBLEM)).otherwise(pl.col("decision")).alias("decision"),
        *(pl.when(~problem).then(pl.col(name)).name.keep() for name in others),
    )


def _distinct(states: Numbers, unknown: Sequence[Flags]) -> tuple[Numbers, Numbers]:
    """The first row of each kind, and for each row the number of its kind.

    Rows are of a kind if they end in the same state with the same answers unknown.
    """
    kinds = states
    for column in unknown:
        if column.any():
            # Numbered anew each time, so that they stay small however many questions there are.
            _, kinds = np.unique(kinds * 2 + column, return_inverse=True)
    _, first, places = np.unique(kinds, return_index=True, return_inverse=True)
    return first, places


# Written to a file, whole or not at all: its kind follows from its name ---------------------------


def check_target(path: str | os.PathLike[str], source: Source) -> None:
    """Refuse a target before any work is done: an unknown kind, or the table itself."""
    target = Path(path)
    if target.is_file() and any(target.samefile(one) for one in source.files):
        raise TableError(f"{target.name} is the table itself; write to another file.")
    known = (*TEXT_SUFFIXES, *PARQUET_SUFFIXES)
    if target.suffix and target.suffix.lower() not in known:
        raise TableError(
            f"{target.name}: unknown kind of table {target.suffix!r}; expected {', '.join(known)}."
        )


def write_table(
    frames: Iterable[pl.DataFrame], path: str | os.PathLike[str], source: Source
) -> int:
    """Write the pieces of a table and give the number of rows.

    Without a suffix, as in `/dev/stdout`, the kind of file is that of the source. Text is written
    as UTF-8 with the source's separator, and cells of a text table as they were read; numbers that
    are added to a table with decimal commas have them too.
    """
    check_target(path, source)
    target = Path(path)
    separator = _separator(target, source)
    with replacing(path) as stream, polars_errors(target, "written"):
        if separator is None:
            whole = pl.concat(list(frames), how="vertical_relaxed")
            whole.write_parquet(stream)
            return whole.height
        height = 0
        for number, frame in enumerate(frames):
            _as_text(frame, source.decimal).write_csv(
                stream, include_header=number == 0, separator=separator
            )
            height += frame.height
        return height


def _separator(target: Path, source: Source) -> str | None:
    """What separates the fields of the target: that of a source of its kind; `None` for Parquet."""
    origin = source.path.suffix.lower()
    suffix = target.suffix.lower() or default_suffix(source.path).lower()
    if suffix in PARQUET_SUFFIXES:
        return None
    same_kind = TEXT_SUFFIXES[suffix] == TEXT_SUFFIXES.get(origin)
    return (source.separator if same_kind else None) or TEXT_SUFFIXES[suffix]


def _as_text(frame: pl.DataFrame, decimal: str) -> pl.DataFrame:
    """The frame as it goes into a text file."""
    if decimal != ".":
        numbers = pl.col(pl.Float64)
        frame = frame.with_columns(numbers.cast(pl.String).str.replace(".", decimal, literal=True))
    # Polars writes an empty text as "" and nothing as nothing; in the file it was nothing.
    texts = pl.col(pl.String)
    return frame.with_columns(pl.when(texts != "").then(texts).name.keep())


def default_suffix(path: Path) -> str:
    """How the name of what is written ends where nobody says so: a workbook becomes CSV."""
    return path.suffix if path.suffix.lower() in (*TEXT_SUFFIXES, *PARQUET_SUFFIXES) else ".csv"


def with_columns(frame: Any, added: pl.DataFrame) -> Any:
    """The data frame with these columns behind its own, of the same kind."""
    import narwhals.stable.v1 as nw

    if isinstance(frame, pl.DataFrame):
        return frame.hstack(added.get_columns())
    table = nw.from_native(frame, eager_only=True)
    space = nw.get_native_namespace(table)
    columns = [
        nw.new_series(one.name, one.to_list(), native_namespace=space)
        for one in added.get_columns()
    ]
    return table.with_columns(columns).to_native()


# A column's answers to a question, all rows at once -----------------------------------------------
# Plain finite numbers are compared in one go. Every other distinct value is given to
# `Question.answer`, so one rule decides what is yes, no, unknown or refused.

Complain = Callable[[int, str], ScorecardError]
"""Makes the error for a row offset and a message."""

Answers = npt.NDArray[np.int8]
"""1 for yes, 0 for no, -1 for unknown, -2 for a category that the list has never seen."""

Flags = npt.NDArray[np.bool_]

UNKNOWN = -1
UNSEEN = -2

_BEYOND = 2**100  # further than any 64-bit number, and still a 128-bit one


def answers_of_frame(
    question: Question,
    frame: pl.DataFrame,
    piece: TablePiece | Whole,
    source: Source,
    **how: bool,
) -> tuple[Answers, Flags]:
    """The answers of all rows, and which of them the question's substitute gave.

    A complaint names file, column and row; for `how` see `column_answers`.
    """

    def answers_to(asked: Question, column: pl.Series) -> Answers:
        def complain(row: int, message: str) -> ScorecardError:
            reason = message.removeprefix(f"{asked.input!r}: ")
            return source.error(reason, asked.input, piece.place(row))

        return column_answers(asked, source.with_points(column, piece), complain, **how)

    answers = answers_to(question, frame[question.input])
    other, open_ = question.instead, answers == UNKNOWN
    if other is None or not open_.any():
        return answers, np.zeros(answers.size, dtype=bool)
    # Where the question has an answer of its own, nobody looks at the substitute.
    looked_at = pl.when(pl.Series(open_)).then(pl.col(other.input)).name.keep()
    instead = answers_to(other, frame.select(looked_at).to_series())
    found: Answers = np.where(open_, instead, answers)
    return found, open_ & (instead != UNKNOWN)


def column_answers(
    question: Question,
    column: pl.Series,
    complain: Complain,
    *,
    value_only: bool = False,
    unseen: bool = False,
) -> Answers:
    """The answers of all rows; `value_only` as in `Question.answer`.

    With `unseen` a category that is not among the choices is `UNSEEN` rather than refused.
    """
    column = _plain_kind(column)

    def read(value: object) -> Answer:
        return question.answer(value, value_only=value_only)

    if not _takes_numbers(question, column):
        unseen = unseen and bool(question.condition.choices)
        return _value_answers(column, complain, read, unseen)
    answers, known = _compared(question, column)
    if not known.all():
        others = np.flatnonzero(~known)
        answers[others] = _value_answers(
            column.gather(others),
            lambda row, message: complain(int(others[row]), message),
            read,
        )
    return answers


def _plain_kind(column: pl.Series) -> pl.Series:
    if isinstance(column.dtype, (pl.Categorical, pl.Enum)):
        return column.cast(pl.String)
    if isinstance(column.dtype, pl.Decimal):
        return column.cast(pl.Float64)
    return column.cast(pl.Float64) if column.dtype.is_float() else column


def _takes_numbers(question: Question, column: pl.Series) -> bool:
    condition, kind = question.condition, column.dtype
    if not (condition.is_numeric or condition.is_presence):
        return False
    return kind.is_integer() or kind.is_float() or kind == pl.String


def _compared(question: Question, column: pl.Series) -> tuple[Answers, Flags]:
    """The answers by finite numbers, and where there is one; elsewhere they mean nothing."""
    if column.dtype.is_integer():
        known = column.is_not_null().to_numpy()
        whole = column.cast(pl.Int128)
        return _by_cutoff(question, lambda cutoff: _whole_reached(whole, cutoff), known), known
    if column.dtype == pl.String:
        # What polars takes for a finite number is just what `Question.answer` takes for one.
        column = column.str.strip_chars().cast(pl.Float64, strict=False)
    numbers = column.to_numpy()  # not a number where null
    known = np.isfinite(numbers)
    return _by_cutoff(question, lambda cutoff: numbers >= float_not_below(cutoff), known), known


def _by_cutoff(
    question: Question, reached: Callable[[int | float], Flags], known: Flags
) -> Answers:
    cutoff = question.condition.cutoff
    if cutoff is None:  # being there is all that counts, and one number is like another
        return np.full(known.size, question.answer(0), dtype=np.int8)
    answers: Answers = (reached(cutoff) == (question.condition.kind == ">=")).astype(np.int8)
    return answers


def _whole_reached(numbers: pl.Series, cutoff: int | float) -> Flags:
    bound = min(max(math.ceil(cutoff), -_BEYOND), _BEYOND)
    reached: Flags = (numbers >= pl.Series([bound], dtype=pl.Int128)).fill_null(False).to_numpy()
    return reached


def _value_answers(
    column: pl.Series,
    complain: Complain,
    read: Callable[[object], Answer],
    unseen: bool = False,
) -> Answers:
    """Answers through each distinct value."""
    column = column.fill_nan(None) if column.dtype.is_float() else column
    values = column.unique(maintain_order=True)
    answers: list[int] = []
    for value in values.to_list():
        try:
            answer = read(value)
        except AnswerError as error:
            if unseen and isinstance(value, str | int | float):
                answers.append(UNSEEN)
                continue
            same = column.is_null() if value is None else column == value
            raise complain(same.arg_true()[0], str(error)) from error
        answers.append(UNKNOWN if answer is None else int(answer))
    keys = pl.DataFrame({"value": values, "answer": pl.Series(answers, dtype=pl.Int8)})
    # Rows keep their order in a left join; a missing value is a value like any other.
    joined = pl.DataFrame({"value": column}).join(
        keys, on="value", how="left", nulls_equal=True, maintain_order="left"
    )
    return joined["answer"].to_numpy()

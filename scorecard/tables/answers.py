"""A column's answers to a question, all rows at once, exactly as `Question.answer` gives them.

Plain finite numbers are compared in one go. Every other distinct value is given to
`Question.answer`, so one rule decides what is yes, no, unknown or refused.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import polars as pl

from scorecard.core.question import Answer, Question, float_not_below
from scorecard.errors import AnswerError, ScorecardError
from scorecard.tables.source import Source, TablePiece, Whole

Complain = Callable[[int, str], ScorecardError]
"""Makes the error for a row offset and a message."""

Answers = npt.NDArray[np.int8]
"""1 for yes, 0 for no, -1 for unknown, -2 for a category that the list has never seen."""

Flags = npt.NDArray[np.bool_]

UNKNOWN = -1
UNSEEN = -2

_BEYOND = 2**100  # further than any 64-bit number, and still a 128-bit one


def answers_in_piece(
    question: Question,
    column: pl.Series,
    piece: TablePiece | Whole,
    source: Source,
    *,
    value_only: bool = False,
    unseen: bool = False,
) -> Answers:
    """The answers of a piece's rows; a complaint names file, column and row.

    With `unseen` a category that is not among the choices is `UNSEEN` rather than refused.
    """

    def complain(row: int, message: str) -> ScorecardError:
        reason = message.removeprefix(f"{question.input!r}: ")
        return source.error(reason, question.input, piece.place(row))

    column = source.with_points(column, piece)
    return column_answers(question, column, complain, value_only=value_only, unseen=unseen)


def answers_of_frame(
    question: Question,
    frame: pl.DataFrame,
    piece: TablePiece | Whole,
    source: Source,
    **how: bool,
) -> tuple[Answers, Flags]:
    """The answers of all rows, and which of them the question's substitute gave."""
    answers = answers_in_piece(question, frame[question.input], piece, source, **how)
    other, open_ = question.instead, answers == UNKNOWN
    if other is None or not open_.any():
        return answers, np.zeros(answers.size, dtype=bool)
    # Where the question has an answer of its own, nobody looks at the substitute.
    looked_at = pl.when(pl.Series(open_)).then(pl.col(other.input)).name.keep()
    column = frame.select(looked_at).to_series()
    instead = answers_in_piece(other, column, piece, source, **how)
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
    """The answers of all rows; `value_only` as in `Question.answer`."""
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

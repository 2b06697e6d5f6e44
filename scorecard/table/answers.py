"""A column's answers to a question, all rows at once, exactly as `Question.answer` gives them.

Plain finite numbers are compared in one go. Every other distinct value is given to
`Question.answer`, so one rule decides what is yes, no, unknown or refused.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import polars as pl

from scorecard.errors import AnswerError, ScorecardError
from scorecard.question import NUMBER_PATTERN, Answer, Question

Complain = Callable[[int, str], ScorecardError]
"""Makes the error for a row offset and a message."""

_BEYOND = 2**100  # further than any 64-bit number, and still a 128-bit one


def column_answers(
    question: Question, column: pl.Series, complain: Complain, learned: Question | None = None
) -> pl.Series:
    """1 for yes, 0 for no, null for unknown, as Int8.

    `learned` is the same question as it stands in the file, if it has been turned round since: a
    plain "yes" to such a question could mean either way round and is refused.
    """
    column = _plain_kind(column)
    answers = pl.Series(column.name, [None], pl.Int8).new_from_index(0, column.len())
    rest = pl.Series([True]).new_from_index(0, column.len())
    if not (question.condition.is_categorical or question.condition.kind in ("yes", "no")):
        numbers = _finite_numbers(column)
        if numbers is not None:
            answers = _numeric_answers(question, numbers).cast(pl.Int8)
            rest = numbers.is_null()
    if not rest.any():
        return answers
    others = _value_answers(question, column, rest, complain, learned)
    return answers.zip_with(~rest, others)


def _plain_kind(column: pl.Series) -> pl.Series:
    if isinstance(column.dtype, (pl.Categorical, pl.Enum)):
        return column.cast(pl.String)
    if isinstance(column.dtype, pl.Decimal):
        return column.cast(pl.Float64)
    if column.dtype.is_float():
        return column.cast(pl.Float64).fill_nan(None)
    return column


def _finite_numbers(column: pl.Series) -> pl.Series | None:
    """The numbers of a column, null where there is none; `None` for other kinds of column."""
    if column.dtype.is_integer():
        return column.cast(pl.Int128)
    if column.dtype == pl.String:
        stripped = column.str.strip_chars()
        numbers = stripped.set(
            ~stripped.str.contains(rf"^(?:{NUMBER_PATTERN})$").fill_null(False), None
        )
        column = numbers.cast(pl.Float64, strict=False)
    if not column.dtype.is_float():
        return None
    return column.set(~column.is_finite().fill_null(False), None)


def _numeric_answers(question: Question, numbers: pl.Series) -> pl.Series:
    cutoff = question.condition.cutoff
    if cutoff is None:  # being there is all that counts, and one number is like another
        return pl.Series([question.answer(0)]).new_from_index(0, numbers.len())
    if numbers.dtype == pl.Int128:
        bound = min(max(math.ceil(cutoff), -_BEYOND), _BEYOND)
        reached = numbers >= pl.Series([bound], dtype=pl.Int128)
    else:
        reached = numbers >= _float_not_below(cutoff)
    return reached if question.condition.kind == ">=" else ~reached


def _float_not_below(cutoff: int | float) -> float:
    """The smallest float that is at least the cut-off, which may be a whole number beyond 2**53."""
    try:
        bound = float(cutoff)
    except OverflowError:
        return math.inf if cutoff > 0 else -math.inf
    return bound if bound >= cutoff else math.nextafter(bound, math.inf)


def _value_answers(
    question: Question,
    column: pl.Series,
    rest: pl.Series,
    complain: Complain,
    learned: Question | None,
) -> pl.Series:
    """Answers through each distinct value of the rows in `rest`, null elsewhere."""
    values = column.filter(rest).unique(maintain_order=True)
    answers: list[Answer] = []
    for value in values.to_list():
        try:
            answers.append(_answer(question, value, learned))
        except AnswerError as error:
            same = column.is_null() if value is None else column == value
            row = (same & rest).arg_true()[0]
            raise complain(row, str(error)) from error
    keys = pl.DataFrame({"value": values, "answer": pl.Series(answers, dtype=pl.Int8)})
    asked = pl.DataFrame({"value": column})
    # Rows keep their order in a left join; a missing value is a value like any other.
    joined = asked.join(keys, on="value", how="left", nulls_equal=True, maintain_order="left")
    return joined["answer"].rename(column.name)


def _answer(question: Question, value: object, learned: Question | None) -> Answer:
    answer = question.answer(value)
    if learned is None or learned.condition == question.condition or not question.takes_answers:
        return answer
    if answer is not None and learned.answer(value) == answer:
        raise AnswerError(
            f"{question.input!r}: {value!r} can be meant for {learned.condition} or for"
            f" {question.condition}; give the value itself, or keep the file's wording"
            " (--as-learned)."
        )
    return answer

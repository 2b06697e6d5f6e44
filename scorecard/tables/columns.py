"""What kind of input a column is: numbers, yes/no, categories; and what is none of these.

Text columns are understood as `Question.answer` will understand them later, so that a list is
applied to the file it was learned from without surprises: the same words mean yes, no and unknown.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import polars as pl

from scorecard.core.question import NUMBER_PATTERN, UNKNOWN_WORDS, said_yes

MOST_CATEGORIES = 100  # more than these are names or free text, not something one asks for
MOSTLY = 0.5  # a column with this share of numbers is meant to be one of numbers

_NUMBER = rf"^(?:{NUMBER_PATTERN})$"
_COMMA_NUMBER = re.compile(r"[+-]?[0-9]*(?:[.' ]?[0-9]{3})*,[0-9]+")
_PLAIN_COMMA_NUMBER = r"[+-]?(?:[0-9]+,[0-9]*|,[0-9]+)(?:[eE][+-]?[0-9]+)?"
_DATE = (
    r"^(?:[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[T ][0-9:.,+Z-]+)?"
    r"|[0-9]{1,2}[./][0-9]{1,2}[./][0-9]{2,4}(?:[ ][0-9:.,]+)?|[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?)$"
)


class ColumnError(Exception):
    """A column cannot be used; `row` is the offset of the row that shows it, if one does."""

    def __init__(self, message: str, row: int | None = None) -> None:
        super().__init__(message)
        self.row = row


@dataclass(frozen=True)
class Column:
    """A column as an input: Float64, Boolean or String, null where the value is missing.

    `useless` says why nothing can be asked of it; empty if something can.
    """

    values: pl.Series
    useless: str = ""


def with_points(column: pl.Series) -> pl.Series:
    """A column of a table with decimal commas, its numbers written with a point.

    A number with a point is refused: it may be a slip, or thousands.
    """
    if column.dtype != pl.String:
        return column
    words = column.str.strip_chars()
    pointed = (words.str.contains(_NUMBER) & words.str.contains(".", literal=True)).fill_null(False)
    if pointed.any():
        row = pointed.arg_true()[0]
        raise ColumnError(
            f"{words[row]!r} has a decimal point, but --decimal , was given; write it with a"
            " comma, or leave the option out.",
            row,
        )
    number = words.str.contains(rf"^{_PLAIN_COMMA_NUMBER}$").fill_null(False)
    return column.zip_with(~number, words.str.replace(",", ".", literal=True))


def understood(column: pl.Series, *, keep_missing: bool = False) -> Column:
    """The column as an input; `keep_missing` says that being missing can be asked for."""
    values = _typed(column)
    return Column(values, _uselessness(values, keep_missing))


def _typed(column: pl.Series) -> pl.Series:
    kind = column.dtype
    if kind.is_temporal():
        raise ColumnError(_DATES)
    if kind == pl.Boolean:
        return column
    if kind.is_numeric():
        return _finite(column)
    if kind == pl.String or isinstance(kind, (pl.Categorical, pl.Enum)):
        return _text(column.cast(pl.String))
    if kind == pl.Null:
        return column.cast(pl.Float64)
    raise ColumnError(
        f"it is of the kind {kind}, which cannot be asked for; leave it out (--drop)."
    )


_DATES = "it has dates or times; turn them into a number, for instance an age, or use --drop."


def _finite(column: pl.Series) -> pl.Series:
    numbers = column.cast(pl.Float64).fill_nan(None)
    infinite = numbers.is_infinite().fill_null(False)
    if infinite.any():
        row = infinite.arg_true()[0]
        raise ColumnError(f"{numbers[row]!r} is not a finite number; correct or empty it.", row)
    return numbers


def _text(column: pl.Series) -> pl.Series:
    words = column.str.strip_chars()
    lower = words.str.to_lowercase()
    words = words.set(lower.is_in(list(UNKNOWN_WORDS)).fill_null(True), None)
    known = words.drop_nulls()
    numbers = known.str.contains(_NUMBER)
    if known.is_empty() or numbers.all():
        return _finite(words.cast(pl.Float64))
    if numbers.mean() >= MOSTLY:  # type: ignore[operator]
        _refuse_text_among_numbers(words)
    answers = as_yes_no(words)
    if answers is not None:
        return answers
    if known.str.contains(_DATE).all():
        row = words.is_not_null().arg_true()[0]
        raise ColumnError(f"{words[row]!r}: {_DATES}", row)
    _refuse_decimal_commas(words)
    return words


def as_yes_no(words: pl.Series) -> pl.Series | None:
    """The column as true and false where every word says yes or no; `None` otherwise."""
    meanings = {}
    for word in words.drop_nulls().unique().to_list():
        meanings[word] = said_yes(word)
        if meanings[word] is None:
            return None
    return words.replace_strict(meanings, default=None, return_dtype=pl.Boolean)


def _refuse_text_among_numbers(words: pl.Series) -> None:
    row = (~words.str.contains(_NUMBER)).fill_null(False).arg_true()[0]
    comma = (
        _comma_advice(words[row])
        if _COMMA_NUMBER.fullmatch(words[row])
        else " is not a number, but most of the column are; correct or empty it"
    )
    raise ColumnError(f"{words[row]!r}{comma}.", row)


def _comma_advice(word: str) -> str:
    if re.fullmatch(_PLAIN_COMMA_NUMBER, word):
        return " has a decimal comma; add --decimal , or write numbers with a point"
    return " has a mark between thousands; write numbers without it"


def _refuse_decimal_commas(words: pl.Series) -> None:
    first = words.is_not_null().arg_true()[0]
    if words.str.contains(rf"^(?:{_COMMA_NUMBER.pattern}|{NUMBER_PATTERN})$").all():
        raise ColumnError(f"{words[first]!r}{_comma_advice(words[first])}.", first)


def _uselessness(values: pl.Series, keep_missing: bool) -> str:
    known = values.drop_nulls()
    different = known.n_unique()
    if different <= 1 and not (keep_missing and 0 < known.len() < values.len()):
        return "it is empty" if known.is_empty() else f"it is always {known[0]!r}"
    if values.dtype == pl.String and different == known.len():
        return "every row has another text"
    if values.dtype == pl.String and different > MOST_CATEGORIES:
        return f"it has {different} different texts"
    if _counts_rows(values):
        return "it numbers the rows"
    return ""


def _counts_rows(values: pl.Series) -> bool:
    """Whether each number is one more than the one before, as in a column of row numbers."""
    if values.dtype != pl.Float64 or values.len() < 10 or values.null_count():
        return False
    return bool((values.diff(null_behavior="drop") == 1).all())

"""What kind of input a column is: numbers, yes/no, categories; and what is none of these.

Text columns are understood as `Question.answer` will understand them later, so that a list is
applied to the file it was learned from without surprises: the same words mean yes, no and unknown,
and the same unit may stand beside a number.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import compress
from typing import Literal

import numpy as np
import numpy.typing as npt
import polars as pl

from scorecard.core.question import (
    NUMBER_PATTERN,
    UNKNOWN_WORDS,
    number_text,
    said_yes,
    split_unit,
)

Kind = Literal["category", "number", "yes-no"]
"""What a person may say a column is."""

MOST_CATEGORIES = 100  # more than these are names or free text, not something one asks for
MOSTLY = 0.5  # a column with this share of numbers is meant to be one of numbers
# What Python takes for blank; polars alone would leave some control characters where they are.
BLANKS = "".join(filter(str.isspace, map(chr, range(0x3001))))
SIGNS = frozenset({"+", "-", "–"})

_NUMBER = rf"^(?:{NUMBER_PATTERN})$"
_COMMA_NUMBER = r"[+-]?(?:[0-9]+,[0-9]*|,[0-9]+)(?:[eE][+-]?[0-9]+)?"
_THOUSANDS = r"[+-]?[0-9]{1,3}(?:[.,' \x{a0}\x{202f}][0-9]{3})+"
_THOUSANDS_AND_COMMA = r"[+-]?[0-9]{1,3}(?:[.' \x{a0}\x{202f}][0-9]{3})+,[0-9]+"
_UNIT = r"(?:[%‰]|[\p{L}°][\p{L}0-9°%/*^.²³·-]*)"
_MONEY = r"[€$£¥]"
_DATE = (
    r"^(?:[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[T ][0-9:.,+Z-]+)?"
    r"|[0-9]{1,2}[./][0-9]{1,2}[./][0-9]{2,4}(?:[ ][0-9:.,]+)?|[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?)$"
)
# "45 mg", "€5", "121/80", "< 0.01": something was measured, though no number stands there.
_MEASURED = (
    rf"^(?:{_MONEY} ?{NUMBER_PATTERN}"
    rf"|{NUMBER_PATTERN}(?: ?(?:{_MONEY}|[%‰°])| {_UNIT}|\p{{L}}{_UNIT})"
    rf"|{NUMBER_PATTERN} ?/ ?{NUMBER_PATTERN}|[<>≤≥~] ?{NUMBER_PATTERN})$"
)
_BEYOND = rf"^[<>≤≥~] ?(?:{NUMBER_PATTERN})$"


class ColumnError(Exception):
    """A column cannot be used; `row` is the offset of the row that shows it, if one does."""

    def __init__(self, message: str, row: int | None = None) -> None:
        super().__init__(message)
        self.row = row


@dataclass(frozen=True)
class InputColumn:
    """A column as an input: Float64, Boolean or String, null where the value is missing.

    `useless` says why nothing can be asked of it; empty if something can. `unit` is what stands
    beside each number. `measured` is a text that looks like a number with something beside it,
    where the column could not be read as numbers.
    """

    values: pl.Series
    useless: str = ""
    unit: str = ""
    measured: str = ""


def with_points(column: pl.Series) -> pl.Series:
    """A column of a table with decimal commas, its numbers written with a point.

    A number with a point is refused: it may be a slip, or thousands.
    """
    if column.dtype != pl.String:
        return column
    words = column.str.strip_chars(BLANKS)
    pointed = (words.str.contains(_NUMBER) & words.str.contains(".", literal=True)).fill_null(False)
    if pointed.any():
        row = pointed.arg_true()[0]
        raise ColumnError(
            f"{words[row]!r} has a decimal point, but `decimal=','` was given; write it with a"
            " comma, or leave the option out.",
            row,
        )
    beside = rf"^(?:{_MONEY} ?)?{_COMMA_NUMBER}(?: ?(?:{_MONEY}|{_UNIT}))?$"
    number = words.str.contains(beside).fill_null(False)
    return column.zip_with(~number, words.str.replace(",", ".", literal=True))


def understood(
    column: pl.Series,
    kind: Kind | None = None,
    *,
    keep_missing: bool = False,
    unnamed: bool = False,
) -> InputColumn:
    """The column as an input, of the kind that a person has named or else found by its values.

    `keep_missing` says that being missing can be asked for, `unnamed` that the table has no name
    for the column.
    """
    found = _typed(column, kind)
    if found.useless:
        return found
    useless = _uselessness(found.values, keep_missing, unnamed)
    return InputColumn(found.values, useless, found.unit, found.measured)


def plain_numbers(frame: pl.DataFrame) -> pl.DataFrame:
    """The text columns that have nothing but short finite numbers and gaps, all at once.

    Tables may have tens of thousands of them; `understood` gives the same for each.
    """
    texts = frame.select(pl.col(pl.String))
    words = texts.select(pl.all().str.strip_chars(BLANKS))
    gaps = words.select(pl.all().str.to_lowercase().is_in(list(UNKNOWN_WORDS)).fill_null(True))
    numbers = words.select(pl.all().cast(pl.Float64, strict=False))
    fits = numbers.select((pl.all().abs() < 2**53).fill_null(False))
    if not texts.width:
        return texts
    plain = (gaps.to_numpy() != fits.to_numpy()).all(axis=0)
    return numbers.select(pl.col(list(compress(texts.columns, plain))).fill_nan(None))


def _typed(column: pl.Series, kind: Kind | None) -> InputColumn:
    dtype = column.dtype
    if dtype.is_temporal():
        return InputColumn(column.is_null(), DATES)
    if dtype == pl.Boolean:
        return InputColumn(column)
    if dtype.is_numeric():
        return _numeric(column, kind)
    if dtype == pl.String or isinstance(dtype, (pl.Categorical, pl.Enum)):
        return _text(column.cast(pl.String), kind)
    if dtype == pl.Null:
        return InputColumn(column.cast(pl.Float64))
    return InputColumn(column.is_null(), f"it is of the kind {dtype}, which cannot be asked for")


DATES = "it has dates or times; turn them into a number, for instance an age"


def _numeric(column: pl.Series, kind: Kind | None) -> InputColumn:
    if kind == "category":
        return InputColumn(_as_texts(_finite(column)))
    if kind == "yes-no":
        return InputColumn(_yes_no(_as_texts(_finite(column))))
    numbers = _finite(column)
    if column.dtype.is_integer():
        rounded = column.cast(pl.Int128) != numbers.cast(pl.Int128)
        if rounded.any():
            return _too_long(numbers, column[rounded.fill_null(False).arg_true()[0]])
    return InputColumn(numbers)


def _too_long(numbers: pl.Series, example: object) -> InputColumn:
    return InputColumn(
        numbers, f"{example} has more digits than can be compared; it is an id, or to be rounded"
    )


def _as_texts(numbers: pl.Series) -> pl.Series:
    texts = [None if value is None else number_text(value) for value in numbers.to_list()]
    return pl.Series(numbers.name, texts, pl.String)


def _finite(column: pl.Series) -> pl.Series:
    numbers = column if column.dtype == pl.Float64 else column.cast(pl.Float64)
    values = numbers.to_numpy()  # not a number where null
    infinite = np.flatnonzero(np.isinf(values))
    if infinite.size:
        row = int(infinite[0])
        raise ColumnError(f"{numbers[row]!r} is not a finite number; correct or empty it.", row)
    gaps = np.count_nonzero(np.isnan(values))
    return numbers if gaps == numbers.null_count() else numbers.fill_nan(None)


def _text(column: pl.Series, kind: Kind | None) -> InputColumn:
    words = known_words(column)
    if kind == "yes-no":
        return InputColumn(_yes_no(words))
    if kind == "category":
        return InputColumn(_categories(_codes(words)))
    known = words.drop_nulls()
    numbers = known.str.contains(_NUMBER)
    if known.is_empty() or numbers.all():
        return _text_numbers(words)
    unit = _common_unit(known)
    if unit:
        without = words.map_elements(lambda word: split_unit(word, unit), return_dtype=pl.String)
        return InputColumn(_finite(without.cast(pl.Float64)), unit=unit)
    if kind == "number" or numbers.mean() >= MOSTLY:  # type: ignore[operator]
        _refuse_text_among_numbers(words)
    if known.str.contains(_BEYOND).any() and numbers.any():
        _refuse_text_among_numbers(words)
    answers = as_yes_no(words)
    if answers is not None:
        return InputColumn(answers)
    if known.str.contains(_DATE).all():
        return InputColumn(words.is_null(), DATES)
    if known.str.contains(
        rf"{_NUMBER}|^{_THOUSANDS}$|^{_THOUSANDS_AND_COMMA}$|^{_COMMA_NUMBER}$"
    ).all():
        _refuse_text_among_numbers(words)
    return InputColumn(_categories(words), measured=_measured(known))


def known_words(column: pl.Series) -> pl.Series:
    """The texts without blanks around them, null where they say that nothing is known.

    In a column of plus and minus signs, minus is a result.
    """
    words = column.str.strip_chars(BLANKS)
    lower = words.str.to_lowercase()
    unknown = lower.is_in(list(UNKNOWN_WORDS)).fill_null(True)
    if (words == "+").any():
        signs = words.is_in(list(SIGNS)).fill_null(False)
        if (signs | unknown).all():
            unknown = unknown & ~signs
    return words.set(unknown, None)


def _text_numbers(words: pl.Series) -> InputColumn:
    numbers = _finite(words.cast(pl.Float64))
    for word in words.filter(words.str.contains(r"^[+-]?[0-9]{16,}$").fill_null(False)).to_list():
        if int(word) != int(float(word)):
            return _too_long(numbers, word)
    return InputColumn(numbers)


def _common_unit(known: pl.Series) -> str:
    """What stands beside every number, if it is the same; empty otherwise."""
    pattern = rf"^(?:({_MONEY}) ?)?(?:{NUMBER_PATTERN}) ?({_MONEY}|{_UNIT})?$"
    if not known.str.contains(pattern).all():
        return ""
    before = known.str.extract(pattern, 1).fill_null("")
    behind = known.str.extract(pattern, 2).fill_null("")
    units = (before + behind).unique().to_list()
    one_side = not ((before != "") & (behind != "")).any()
    return str(units[0]) if len(units) == 1 and one_side else ""


def _measured(known: pl.Series) -> str:
    """A text that looks measured, if most do; if all are bounds such as <5, they are groups."""
    looks = known.str.contains(_MEASURED)
    if float(looks.mean() or 0) < MOSTLY or known.str.contains(_BEYOND).all():  # type: ignore[arg-type]
        return ""
    return str(known.filter(looks)[0])


def _codes(words: pl.Series) -> pl.Series:
    """Coded categories; where one number is written in two ways, all are written in one."""
    known = words.drop_nulls().unique()
    if not known.str.contains(_NUMBER).all():
        return words
    numbers = known.cast(pl.Float64)
    return words if numbers.is_unique().all() else _as_texts(words.cast(pl.Float64))


def _categories(words: pl.Series) -> pl.Series:
    spoiled = words.str.contains("\0", literal=True).fill_null(False)
    if spoiled.any():
        row = spoiled.arg_true()[0]
        raise ColumnError(f"{words[row]!r} contains a NUL character; remove it.", row)
    return words


def as_yes_no(words: pl.Series) -> pl.Series | None:
    """The column as true and false where every word says yes or no; `None` otherwise."""
    meanings = {}
    for word in words.drop_nulls().unique().to_list():
        meanings[word] = said_yes(word)
        if meanings[word] is None:
            return None
    return words.replace_strict(meanings, default=None, return_dtype=pl.Boolean)


def _yes_no(words: pl.Series) -> pl.Series:
    answers = as_yes_no(words)
    if answers is None:
        strange = [word for word in words.drop_nulls().unique().to_list() if said_yes(word) is None]
        row = (words == strange[0]).fill_null(False).arg_true()[0]
        raise ColumnError(
            f"{strange[0]!r} says neither yes nor no, but `yes_no` was given; write yes or no (or"
            " 1 and 0).",
            row,
        )
    return answers


def _refuse_text_among_numbers(words: pl.Series) -> None:
    others = words.filter(~words.str.contains(_NUMBER).fill_null(True))
    # If one has another number of digits behind its comma, then the comma cannot mark thousands.
    clear = others.filter(
        others.str.contains(rf"^{_COMMA_NUMBER}$") & ~others.str.contains(rf"^{_THOUSANDS}$")
    )
    word = clear[0] if clear.len() else others[0]
    row = (words == word).fill_null(False).arg_true()[0]
    raise ColumnError(f"{word!r}{_advice(word)}.", row)


def _advice(word: str) -> str:
    def is_a(pattern: str) -> bool:
        return bool(pl.Series([word]).str.contains(f"^(?:{pattern})$")[0])

    if is_a(_THOUSANDS):
        plain = re.sub("[^0-9+-]", "", word)
        point = word.replace(",", ".")
        ask = f" and {point} if it is the decimal comma" if word.count(",") == 1 else ""
        return (
            f" has marks before three digits: write {plain} if they mark thousands{ask}; the"
            " table does not tell"
        )
    if is_a(_THOUSANDS_AND_COMMA):
        return " has a mark between thousands; write numbers without it"
    if is_a(_COMMA_NUMBER):
        return " has a decimal comma; add `decimal=','` or write numbers with a point"
    if is_a(_BEYOND):
        return (
            " is no number but a bound; write a number in its place (many take half the limit of"
            " detection), or empty it"
        )
    return " is not a number, but most of the column are; correct or empty it"


def _uselessness(values: pl.Series, keep_missing: bool, unnamed: bool) -> str:
    known = values.drop_nulls() if values.null_count() else values
    gaps_count = keep_missing and 0 < known.len() < values.len()
    if known.is_empty():
        return "it is empty"
    if values.dtype == pl.Float64:
        return _useless_numbers(known.to_numpy(), known.len() == values.len(), gaps_count, unnamed)
    different = known.n_unique()
    if different == 1 and not gaps_count:
        return f"it is always {known[0]!r}"
    if values.dtype == pl.String and different == known.len():
        return f"every row has another text, for instance {known[0]!r}"
    if values.dtype == pl.String and different > MOST_CATEGORIES:
        return f"it has {different} different texts, for instance {known[0]!r}"
    return ""


def _useless_numbers(
    numbers: npt.NDArray[np.float64], complete: bool, gaps_count: bool, unnamed: bool
) -> str:
    if not gaps_count and bool((numbers == numbers[0]).all()):
        return f"it is always {numbers[0].item()!r}"
    # Each row has a whole number of its own, as also after some rows were taken out.
    if unnamed and complete and _all_whole(numbers) and np.unique(numbers).size == numbers.size:
        return "it has no name and numbers the rows"
    if complete and numbers.size >= 10 and bool((numbers[1:] == numbers[:-1] + 1).all()):
        return "it numbers the rows"
    return ""


def _all_whole(numbers: npt.NDArray[np.float64]) -> bool:
    return bool((numbers == np.floor(numbers)).all())

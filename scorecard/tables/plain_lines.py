"""Lines that can only be cut at their separators: no quotes, the same number of fields in each.

Most tables have nothing else, and polars cuts them at once. What a cell means is still decided
where it is used: cells come as text, or as numbers where nothing else is there.
"""

from __future__ import annotations

import codecs
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

import numpy as np
import polars as pl

_NEVER = b"\0"  # separates nothing, so that a line is one field


@dataclass(frozen=True)
class PlainLines:
    """Lines as bytes, all of them ended, and each as a text without its end."""

    block: bytes
    texts: pl.Series


def plain_lines(block: bytes, separator: str, width: int) -> PlainLines | None:
    """The lines if each has so many fields and no quotes, `None` otherwise."""
    # polars takes a byte-order mark at the start of every block for one, and swallows it
    if width < 2 or b'"' in block or _NEVER in block or block.startswith(codecs.BOM_UTF8):
        return None
    if not block.endswith(b"\n"):
        block += b"\n"
    fences = block.translate(None, _all_but(separator))
    row = separator.encode() * (width - 1) + b"\n"
    if fences != row * (len(fences) // width):
        return None
    texts = _read(block, _NEVER.decode(), [pl.String])[0].rename("line")
    return PlainLines(block, texts) if _no_odd_line_ends(block, texts) else None


def _all_but(separator: str) -> bytes:
    return bytes(set(range(256)) - {*separator.encode(), *b"\n"})


def _no_odd_line_ends(block: bytes, texts: pl.Series) -> bool:
    """Whether the line ends hold all carriage returns: a lone one would end a line too."""
    if b"\r" not in block:
        return True
    ends = len(block) - int(texts.str.len_bytes().sum())
    returns = np.count_nonzero(np.frombuffer(block, np.uint8) == ord("\r"))
    return bool(ends == texts.len() + returns)


@dataclass
class Cutter:
    """Cuts columns out of plain lines, and remembers which of them are not all numbers."""

    names: Sequence[str]
    separator: str
    with_words: set[str] = field(default_factory=set)

    def columns(
        self, block: bytes, names: Sequence[str], numbers: Collection[str] = ()
    ) -> pl.DataFrame:
        """See `Columns`."""
        tried = {name for name in names if name in numbers} - self.with_words
        frame = self._cut(block, names, tried)
        others = [name for name in tried if not _all_finite(frame[name])]
        if others:
            self.with_words.update(others)
            frame = frame.with_columns(self._cut(block, others, ()))
        return frame

    def _cut(self, block: bytes, names: Sequence[str], numbers: Collection[str]) -> pl.DataFrame:
        kinds = [pl.Float64 if name in numbers else pl.String for name in self.names]
        wanted = set(names)
        places = [place for place, name in enumerate(self.names) if name in wanted]
        columns = _read(block, self.separator, kinds, places)
        found = {self.names[place]: one for place, one in zip(places, columns, strict=True)}
        return pl.DataFrame([found[name].rename(name) for name in names])


def _read(
    block: bytes, separator: str, kinds: Sequence[type[pl.DataType]], places: Sequence[int] = (0,)
) -> list[pl.Series]:
    """The columns at these places."""
    # Errors can only be cells that are no numbers: the fields have been counted. Such a cell is
    # null then, and its column is cut once more, as text.
    frame = pl.read_csv(
        block,
        has_header=False,
        separator=separator,
        quote_char=None,
        schema={f"column_{place}": kind for place, kind in enumerate(kinds)},
        columns=list(places),
        ignore_errors=True,
    )
    return [_texts(one) if one.dtype == pl.String else one for one in frame.get_columns()]


def _texts(column: pl.Series) -> pl.Series:
    """An empty cell is an empty text."""
    return column.fill_null("") if column.null_count() else column


def _all_finite(numbers: pl.Series) -> bool:
    return not numbers.null_count() and bool(np.isfinite(numbers.to_numpy()).all())

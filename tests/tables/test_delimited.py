"""Text is cut many lines at a time, with the same cells as one at a time by Python's csv reader."""

import csv
import io
import math
import re
from itertools import product
from pathlib import Path

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scorecard.core.question import NUMBER_PATTERN
from scorecard.tables import delimited
from scorecard.tables.delimited import Cutter, plain_lines
from scorecard.tables.read_table import open_table
from tests.exhaustive import many

CELLS = st.sampled_from(
    ["", "1", " 2.5 ", "-3e5", "inf", "nan", "yes", "ü", "😀", "x y", '5" pipe', "'", "#", "\u2028"]
) | st.text(st.characters(exclude_characters='",;|\t\r\n\0', codec="utf-8"), max_size=4)
QUOTED = st.sampled_from(['"a,b"', '"say ""so"""', '"two\nlines"', '"cr\rlf\r\n"', '""'])
LINE_ENDS = st.sampled_from(["\n", "\r\n", "\r"])


@settings(max_examples=many(150), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_cells_and_rows_are_those_of_the_csv_reader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: st.DataObject
) -> None:
    width = data.draw(st.integers(2, 4))
    cells = data.draw(st.sampled_from([CELLS, CELLS | QUOTED]))
    rows = data.draw(st.lists(st.lists(cells, min_size=width, max_size=width), max_size=12))
    ends = data.draw(st.sampled_from([st.just("\n"), st.just("\r\n"), LINE_ENDS]))
    names = [f"n{place}" for place in range(width)]
    records = [(",".join(row), data.draw(ends)) for row in (names, *rows)]
    text = "".join(record + end for record, end in records)
    path = tmp_path / "t.csv"
    path.write_bytes(data.draw(st.sampled_from([b"", b"\xef\xbb\xbf"])) + text.encode())
    monkeypatch.setattr(delimited, "BYTES_AT_A_TIME", data.draw(st.integers(1, 40)))

    expected = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    pieces = list(open_table(path).pieces())
    assert [names, *(list(row) for piece in pieces for row in piece.frame.rows())] == expected
    places = [place for piece in pieces for place in map(piece.place, range(piece.height))]
    assert places == [f"row {row} (line {line})" for row, line in enumerate(lines(records), 1)]


def lines(records: list[tuple[str, str]]) -> list[int]:
    """The line where each row after the header starts, counted as an editor counts."""
    starts, line = [], 1
    for record, end in records:
        starts.append(line)
        line += len(re.findall(r"\r\n|\r|\n", record + end))
    return starts[1:]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "latin-1"])
def test_every_encoding_is_read_in_pieces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, encoding: str
) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes("a,ü\r\n1,ä\r\n2,ö\r\n3,é".encode(encoding))
    monkeypatch.setattr(delimited, "BYTES_AT_A_TIME", 3)
    frames = [piece.frame for piece in open_table(path, encoding).pieces()]
    assert pl.concat(frames).rows() == [("1", "ä"), ("2", "ö"), ("3", "é")]


def test_what_polars_takes_for_a_number_is_what_a_question_takes_for_one() -> None:
    signs = "01+-.eE_ infat\tx\u00a0٣"
    texts = ["".join(some) for length in (1, 2, 3) for some in product(signs, repeat=length)]
    texts += ["1e400", "-1e400", "1e-400", "0x10", "1e+", "1.e5", "1_0", "infinity", "NaN", "1e5f"]
    texts += ["9007199254740993", "1.7976931348623159e308", "2.2250738585072011e-308", "9" * 400]
    block = "".join(f"a,{text}\n" for text in texts).encode()
    frame = pl.read_csv(
        block,
        has_header=False,
        quote_char=None,
        schema={"a": pl.String, "b": pl.Float64},
        ignore_errors=True,
    )
    cast = pl.Series(texts).str.strip_chars().cast(pl.Float64, strict=False)
    for text, cut, number in zip(texts, frame["b"].to_list(), cast.to_list(), strict=True):
        plain = text.strip()
        expected = float(plain) if re.fullmatch(NUMBER_PATTERN, plain) else math.nan
        for found in (number, *((cut,) if plain == text else ())):
            finite = found is not None and math.isfinite(found)
            assert finite == math.isfinite(expected), text
            assert not finite or found == expected, text


def test_a_column_comes_as_numbers_only_if_every_cell_is_one() -> None:
    cutter = Cutter(["a", "b", "c"], ";")
    block = b"1;2;x\n3;;y\n"
    assert plain_lines(block, ";", 3) is not None
    frame = cutter.columns(block, ["b", "a"], ["a", "b", "c"])
    assert frame.to_dict(as_series=False) == {"b": ["2", ""], "a": [1.0, 3.0]}


@pytest.mark.parametrize(
    "block",
    [
        b'1,"2"\n',
        b"1\n2,3,4\n",
        b"1,2\n\n",
        b"1,2\r3,4\n",
        b"1,2\r\r\n",
        b"1,\0\n",
        b"1,2,3\n4\n",
        b"\xef\xbb\xbf1,2\n",
    ],
)
def test_lines_that_are_not_plain_are_left_to_the_csv_reader(block: bytes) -> None:
    assert plain_lines(block, ",", 2) is None


def test_rows_tell_the_separator_where_the_header_has_more_of_another(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("age;drinks (beer, wine, other)\n61;2\n47;0\n")
    assert open_table(path).names == ("age", "drinks (beer, wine, other)")

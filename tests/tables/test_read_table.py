"""Tables come in as they are, or are refused with file and line."""

from pathlib import Path

import polars as pl
import pytest

from scorecard.errors import TableError
from scorecard.tables import delimited
from scorecard.tables.apply import write_table
from scorecard.tables.read_table import open_table
from scorecard.tables.source import TablePiece


def rows_of(path: Path, **options: str) -> list[tuple[str, ...]]:
    source = open_table(path, **options)
    frames = [piece.frame for piece in source.pieces()]
    return [source.names, *pl.concat(frames).rows()]


def places_of(path: Path) -> list[str]:
    return [
        piece.place(offset)
        for piece in open_table(path).pieces()
        for offset in range(piece.frame.height)
    ]


@pytest.mark.parametrize(
    ("name", "content", "rows"),
    [
        ("t.csv", "a,b\n1,x\n", [("a", "b"), ("1", "x")]),
        ("t.csv", "a,b\r\n1,x\r\n\r\n\r\n", [("a", "b"), ("1", "x")]),
        ("t.csv", "a,b\n 01.50 ,\n", [("a", "b"), (" 01.50 ", "")]),
        ("t.csv", "\ufeffa,b\n1,x", [("a", "b"), ("1", "x")]),
        ("t.csv", 'a,b\n1,"x\ny, ""z"""\n', [("a", "b"), ("1", 'x\ny, "z"')]),
        ("t.csv", 'a,b\n1,5" pipe\n', [("a", "b"), ("1", '5" pipe')]),
        ("t.csv", '"a\nb",c\n1,x\n', [("a\nb", "c"), ("1", "x")]),
        ("t.csv", "a;b\n1,5;x\n", [("a", "b"), ("1,5", "x")]),
        ("t.csv", 'a;"b,c,d"\n1;x\n', [("a", "b,c,d"), ("1", "x")]),
        ("t.csv", 'a,"b;c;d;e"\n1,x\n', [("a", "b;c;d;e"), ("1", "x")]),
        ("t.csv", "a|b\n1|x\n", [("a", "b"), ("1", "x")]),
        ("t.tsv", "a\tb\n1,2\tx\n", [("a", "b"), ("1,2", "x")]),
        ("t.txt", "a\tb\n1\tx\n", [("a", "b"), ("1", "x")]),
        ("t.csv", "a\n1\n\n3\n", [("a",), ("1",), ("",), ("3",)]),
        ("t.csv", "a,b\n", [("a", "b")]),
        ("t.csv", ",b\n1,x\n", [("column 1", "b"), ("1", "x")]),
    ],
)
def test_text_is_kept(tmp_path: Path, name: str, content: str, rows: list[tuple[str]]) -> None:
    path = tmp_path / name
    path.write_bytes(content.encode())
    assert rows_of(path) == rows


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        ("t.csv", b"", "t.csv is empty"),
        ("t.csv", b"\n\n", "t.csv is empty"),
        ("t.csv", b"\xef\xbb\xbf", "t.csv is empty"),
        ("t.csv", b"a,b,a\n1,2,3\n", "two columns are called 'a'"),
        ("t.csv", b"a,b\n1,2\n3\n", "line 3: 1 fields, but the header has 2"),
        ("t.csv", b"a,b\n1,2\n3,4,5\n", "line 3: 3 fields, but the header has 2"),
        ("t.csv", b'a,b\n"1\n",2\n3\n', "line 4: 1 fields, but the header has 2"),
        ("t.csv", b"a,b\n1,2\n\n3,4\n", "line 3: the line is blank"),
        ("t.csv", b'a,b\n"1"x,2\n', "line 2: broken quotes"),
        ("t.csv", b'a,b\n1,2\n"3,4\n', "line 3: broken quotes"),
        ("t.csv", "a,b\n1,2\nMüller,4\n".encode("latin-1"), "line 3: the text is not utf-8"),
        ("t.csv", "a,b\n1,2\n".encode("utf-16"), "UTF-16"),
        ("t.csv", b"PK\x03\x04....", "spreadsheet"),
        ("t.xlsx", b"PK\x03\x04....", "cannot be read as an Excel workbook"),
        ("t.csv", b"PAR1....", "name it .parquet"),
        ("t.parquet", b"a,b\n1,2\n", "cannot be read as Parquet"),
        ("t.json", b"{}", "looks like a model file, not a table of cases; give the table"),
        ("t.json", b"[]", "unknown kind of table '.json'"),
    ],
)
def test_what_is_no_table_is_refused(
    tmp_path: Path, name: str, content: bytes, complaint: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(TableError) as refusal:
        rows_of(path)
    assert complaint in str(refusal.value)
    assert "t." in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_a_missing_file_and_an_unknown_encoding(tmp_path: Path) -> None:
    with pytest.raises(TableError, match="cannot be read: No such file"):
        open_table(tmp_path / "no.csv")
    (tmp_path / "t.csv").write_text("a,b\n")
    with pytest.raises(TableError, match="'klingon' is not an encoding"):
        open_table(tmp_path / "t.csv", "klingon")


def test_another_encoding_can_be_named(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes("a,b\n1,Müller\n".encode("latin-1"))
    assert rows_of(path, encoding="latin-1")[1] == ("1", "Müller")


def test_rows_know_their_line(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text('a,b\n1,2\n"x\ny",2\n3,4\n')
    assert places_of(path) == ["row 1 (line 2)", "row 2 (line 3)", "row 3 (line 5)"]


def test_lines_are_counted_across_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delimited, "ROWS_AT_A_TIME", 2)
    monkeypatch.setattr(delimited, "BYTES_AT_A_TIME", 9)
    path = tmp_path / "t.csv"
    path.write_text('a,b\n1,2\n3,4\n5,6\n"7\n",8\n9,0\n1,2\n')
    assert places_of(path) == [
        f"row {row} (line {line})"
        for row, line in zip(range(1, 7), (2, 3, 4, 5, 7, 8), strict=True)
    ]
    assert [row[0] for row in rows_of(path)] == ["a", "1", "3", "5", "7\n", "9", "1"]


def test_parquet_rows_have_no_line() -> None:
    assert TablePiece.of(pl.DataFrame({"a": [1]}), 5).place(0) == "row 5"


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".parquet"])
def test_texts_survive_being_written(tmp_path: Path, suffix: str) -> None:
    path, copy = tmp_path / "t.csv", tmp_path / f"copy{suffix}"
    path.write_bytes(b'a,b\n007,"x,\t""y"""\n  1e5 ,"cr\rlf\n"\n,\n0x1F,=1+1\n')
    source = open_table(path)
    assert write_table((piece.frame for piece in source.pieces()), copy, source) == 4
    assert rows_of(copy) == rows_of(path)


def test_the_separator_stays(tmp_path: Path) -> None:
    path, copy = tmp_path / "t.csv", tmp_path / "copy.csv"
    path.write_text("a;b\n1,5;x\n")
    source = open_table(path)
    write_table((piece.frame for piece in source.pieces()), copy, source)
    assert copy.read_text() == "a;b\n1,5;x\n"


def test_targets_are_checked_first(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("a,b\n1,x\n")
    source = open_table(path)
    with pytest.raises(TableError, match="is the table itself"):
        write_table([], path, source)
    with pytest.raises(TableError, match=r"unknown kind of table '\.doc'"):
        write_table([], tmp_path / "t.doc", source)
    assert path.read_text() == "a,b\n1,x\n"

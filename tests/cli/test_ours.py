"""Files of other people are not taken for ours, however much they look like them."""

import json
import zipfile
from io import BytesIO
from pathlib import Path

import polars as pl
import pytest
from PIL import Image

from scorecard.cli.output import says_scorecard
from scorecard.documents.json_document import dumps
from tests.cli.conftest import Run
from tests.lists import TABLE_1

HASH = "0" * 64
CSV_HEAD = "id,decision,stage,total,probability,lower,upper,cases,positives,unknown\n"


def png() -> bytes:
    stream = BytesIO()
    Image.new("RGB", (2, 2)).save(stream, "PNG")
    return stream.getvalue()


def archive(name: str) -> bytes:
    stream = BytesIO()
    with zipfile.ZipFile(stream, "w") as made:
        made.writestr(name, "Written by scorecard")
    return stream.getvalue()


def by_hand() -> bytes:
    """A list as a person writes it, without the hash of its content."""
    document = json.loads(dumps(TABLE_1))
    del document["sha256"]
    return json.dumps(document).encode()


def changed_by_hand() -> bytes:
    """A list that was written by the program and has another title since."""
    document = json.loads(dumps(TABLE_1))
    document["about"]["title"] = "Mine"
    return json.dumps(document).encode()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("card.pdf", b"%PDF-1.7 broken"),
        ("card.png", png()),
        ("book.xlsx", archive("xl/workbook.xml")),
        ("book.xlsx", archive("docProps/core.xml")),
        ("book.xlsx", b"PK\x03\x04 broken"),
        ("model.json", by_hand()),
        ("model.json", changed_by_hand()),
        ("notes.md", f"We used list sha256:{HASH}, scorecard 1.0".encode()),
        ("model.json", b'{"format": "other/1", "sha256": ""}'),
        ("page.html", b"<!doctype html><p>scorecard"),
        ("page.svg", b"<svg><text>data-generator=&quot;scorecard&quot;</text></svg>"),
        ("notes.py", b"import scorecard\n"),
        ("list.toml", b'title = "Written by scorecard"\n'),
        ("cases.csv", b"age,ill\n5,yes\n"),
        ("cases.csv", CSV_HEAD.replace("unknown", "known").encode()),
        ("cases.csv", b"\xff\xfe\0"),
        ("cases.parquet", b"PAR1 broken"),
        ("nothing-known", b"\0\1\2"),
    ],
)
def test_what_others_wrote(tmp_path: Path, name: str, content: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    assert not says_scorecard(path)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("anything", b""),
        ("decided.csv", CSV_HEAD.encode()),
        ("decided.csv", CSV_HEAD.replace(",", ";").replace(";", ";s_").encode()),
        ("model.json", dumps(TABLE_1)),
    ],
)
def test_what_we_wrote(tmp_path: Path, name: str, content: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    assert says_scorecard(path)


def test_what_may_not_be_read_is_not_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def locked(*_: object) -> None:
        raise PermissionError

    (tmp_path / "model.json").write_bytes(dumps(TABLE_1))
    monkeypatch.setattr(Path, "open", locked)
    assert not says_scorecard(tmp_path / "model.json")


def test_parquet_is_told_by_its_columns(run: Run, table_1: Path, tmp_path: Path) -> None:
    cases, decided = tmp_path / "cases.parquet", tmp_path / "decided.parquet"
    pl.DataFrame({name: ["yes"] for name in ("f1", "f2", "f3", "f4")}).write_parquet(cases)
    assert run("apply", table_1, cases, "-o", decided).code == 0
    assert says_scorecard(decided)
    assert not says_scorecard(cases)

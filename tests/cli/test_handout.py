"""`scorecard handout`: the files it writes and what it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from scorecard.cli import run
from scorecard.documents.json_document import write_list
from tests.printed_handouts import THROAT


@pytest.fixture
def model(tmp_path: Path) -> str:
    path = tmp_path / "model.json"
    write_list(THROAT, path)
    return str(path)


def test_an_html_page_is_written(model: str, tmp_path: Path) -> None:
    target = tmp_path / "handout.html"
    options = ["--rule-in", "85%", "--audience", "children", "--language", "de"]
    assert run(["handout", model, "-o", str(target), *options]) == 0
    html = target.read_text(encoding="utf-8")
    assert html.startswith("<!doctype html>")
    assert '<html lang="de">' in html
    assert "children" in html


def test_a_pdf_is_written(model: str, tmp_path: Path) -> None:
    target = tmp_path / "handout.PDF"
    assert run(["handout", model, "-o", str(target), "--paper", "letter"]) == 0
    assert target.read_bytes().startswith(b"%PDF")


def test_the_name_tells_the_format(
    model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "handout.docx"
    assert run(["handout", model, "-o", str(target)]) == 2
    assert "end the name in .html, .pdf" in capsys.readouterr().err
    assert not target.exists()


def test_a_list_without_questions_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from scorecard.core.model import Risk, ScoringList, Stage

    model = tmp_path / "empty.json"
    write_list(ScoringList((), (Stage((0,), (Risk(0.3),)),)), model)
    assert run(["handout", str(model), "-o", str(tmp_path / "handout.html")]) == 1
    assert capsys.readouterr().err.count("\n") == 1

"""`scorecard export` and `scorecard check`: a list leaves in every form, and all agree."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from scorecard.cli import run
from scorecard.documents.json_document import content_hash, write_list
from tests.forms.compared import EXPORTS, SUFFIXES
from tests.lists import TABLE_1, by_point

LIMITS = ("--rule-out", "0.1", "--rule-in", "0.9")


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "model.json"
    write_list(by_point(TABLE_1), path)
    return path


def exported(model: Path, form: str, *options: str) -> Path:
    path = model.with_name(f"evaluator{SUFFIXES[form]}")
    assert run(["export", str(model), "--to", form, "-o", str(path), *LIMITS, *options]) == 0
    return path


@pytest.mark.parametrize("form", EXPORTS)
def test_what_is_exported_is_checked(
    model: Path, form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = exported(model, form)
    capsys.readouterr()
    assert run(["check", str(model), str(path), *LIMITS]) == 0
    head, *lines = capsys.readouterr().out.splitlines()
    assert head.split() == ["file", "form", "tried", "disagree", "list", "same", "list"]
    for line in lines:
        assert "not run" in line or (line.split()[-3], line.split()[-1]) == ("0", "yes")


def test_negative_points_are_exported_as_filed(model: Path) -> None:
    written = exported(model, "python").read_text(encoding="utf-8")
    assert "('f1', -2, 'yes'" in written
    assert content_hash(by_point(TABLE_1)) in written


def test_other_limits_are_found(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = exported(model, "python")
    capsys.readouterr()
    assert run(["check", str(model), str(path), "--rule-out", "0.2"]) == 1
    assert "evaluator.py, Python: " in capsys.readouterr().out


def test_rows_of_a_table_are_tried(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = model.with_name("cases.csv")
    table.write_text("f3,f1,f2,f4,other\nyes,no,,yes,x\nno,no,no,no,y\n", encoding="utf-8")
    path = exported(model, "python")
    capsys.readouterr()
    assert run(["check", str(model), str(path), *LIMITS]) == 0
    assert "all of it" in capsys.readouterr().out
    # A program that differs is run on the shared cases and on those of the table.
    path.write_text(path.read_text(encoding="utf-8") + "# more\n", encoding="utf-8")
    tried = []
    for rows in ([], ["--table", str(table)]):
        assert run(["check", str(model), str(path), "--json", "--run-changed", *rows, *LIMITS]) == 1
        tried.append(json.loads(capsys.readouterr().out)["files"][0]["tried"])
    assert tried[1] == tried[0] + 2


def test_a_table_without_an_input_is_refused(
    model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = model.with_name("cases.csv")
    table.write_text("f3,f1\nyes,no\n", encoding="utf-8")
    assert run(["check", str(model), str(model), "--table", str(table), *LIMITS]) == 1
    assert "there is no column 'f2'" in capsys.readouterr().err


def test_without_files_the_list_itself_is_checked(
    model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["check", str(model), *LIMITS]) == 0
    assert "model.json  JSON" in capsys.readouterr().out


@pytest.mark.parametrize("form", EXPORTS)
def test_the_same_list_gives_the_same_bytes_at_another_time(
    form: str, model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = exported(model, form).read_bytes()
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 86_400.0)
    if form == "excel":
        time.sleep(1.1)  # the workbook's own clock counts seconds
    assert exported(model, form).read_bytes() == before


def test_another_ending_is_refused(model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for form, name in (("excel", "x.csv"), ("python", "x.json"), ("sql", "x.py")):
        target = model.with_name(name)
        assert run(["export", str(model), "--to", form, "-o", str(target), *LIMITS]) == 2
        said = capsys.readouterr().err
        assert f"does not end in {SUFFIXES[form]}, as a file for {form} does." in said
        assert not target.exists()

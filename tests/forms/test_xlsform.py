"""The form asks until the list stops, takes no blank for a no, and gives a table to judge by."""

from __future__ import annotations

import csv
import io
import random
from pathlib import Path

import pytest

from scorecard import check
from scorecard.cli import run as command
from scorecard.documents.json_document import dumps
from scorecard.forms import FORMS
from scorecard.forms.found import NotRunError, Work, differences
from scorecard.forms.source_text import card_words
from tests.forms.test_run_falsified import LIST, STAIRCASE
from tests.running.xforms import ask, xlsform_form


def answers(*entries: dict[str, str]) -> list[dict[str, object]]:
    try:
        return ask(FORMS["xlsform"].make(STAIRCASE, None), list(entries))
    except NotRunError as reason:
        pytest.skip(str(reason))


def test_an_empty_form_shows_the_first_question_and_no_decision() -> None:
    (empty,) = answers({})
    assert empty["shown"] == ["age", "age_unknown"]
    assert empty["told"]["scorecard_decision"] == "go on"


def test_a_blank_is_not_a_no_and_unknown_is_said() -> None:
    blank, unknown, no = answers(
        {"age": "40"}, {"age": "40", "sex": "unknown"}, {"age": "40", "sex": "m"}
    )
    assert blank["shown"] == ["age", "sex"]
    assert unknown["shown"] == ["age", "sex", "smoker"]
    assert unknown["told"]["scorecard_answer2"] == "u"
    assert no["told"]["scorecard_decision"] == "rule out"
    assert no["shown"] == ["age", "sex", "scorecard_outcome"]


FAULTS = {
    "points": (", 2, 0)", ", 3, 0)"),
    "cut-off": (">= 65", ">= 66"),
    "category": ("${sex} = 'f'", "${sex} = 'm'"),
    "risk": ("0.97", "0.96"),
    "stop": ("'2 0', 'rule out'", "'2 0', 'go on'"),
    "unknown as no": ("'unknown')), 'u'", "'unknown')), '0'"),
    "the guard of a blank": ("if(${age} != '', ", "if(true(), "),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_shows_when_the_form_is_filled_in(tmp_path: Path, fault: str) -> None:
    content, work = FORMS["xlsform"].make(STAIRCASE, None), Work(STAIRCASE)
    falsified = with_cell(content, *FAULTS[fault])
    try:
        assert list(differences(xlsform_form(falsified, work), work))
    except NotRunError as reason:
        pytest.skip(str(reason))
    path = tmp_path / "form.xlsx"
    path.write_bytes(falsified)
    assert check(LIST, [path], policy=STAIRCASE.policy)[0].disagrees


def with_cell(content: bytes, old: str, new: str) -> bytes:
    from openpyxl import load_workbook

    book, found = load_workbook(io.BytesIO(content)), 0
    for row in book["survey"].iter_rows():
        for cell in row:
            if old in str(cell.value or ""):
                cell.value, found = str(cell.value).replace(old, new), found + 1
    assert found
    changed = io.BytesIO()
    book.save(changed)
    return changed.getvalue()


@pytest.mark.parametrize("language", ["de", "en", "es", "fr"])
def test_it_is_made_again(tmp_path: Path, language: str) -> None:
    path = tmp_path / "form.xlsx"
    path.write_bytes(FORMS["xlsform"].make(STAIRCASE, card_words(STAIRCASE, language)))
    (verdict,) = check(LIST, [path], policy=STAIRCASE.policy)
    assert verdict.whole
    assert verdict.form == "XLSForm"


def test_submissions_are_a_table_that_judges_the_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("sklearn")
    chance = random.Random(0)
    entries = []
    for _ in range(60):
        ill = chance.random() < 0.4
        one = {"age": str(chance.randint(70, 90) if ill else chance.randint(30, 80))}
        one["sex"] = chance.choice(["f", "m", "unknown"])
        one["smoker"] = chance.choice(["yes", "no", "unknown"])
        entries.append(one | {"scorecard_outcome": "yes" if ill else "no"})
    entries[0] = {"age_unknown": "unknown", "sex": "f", "scorecard_outcome": "no"}
    told = answers(*entries)
    names = ["KEY", "age", "age_unknown", "sex", "smoker", "scorecard_outcome"]
    rows = [
        [f"uuid:{place}", *(one.get(name, "") for name in names[1:])]
        for place, one in enumerate(
            {name: value for name, value in one.items() if name in shown["shown"]}
            for one, shown in zip(entries, told, strict=True)
        )
    ]
    monkeypatch.chdir(tmp_path)
    with Path("submissions.csv").open("w", newline="", encoding="utf-8") as stream:
        csv.writer(stream).writerows([names, *rows])
    Path("model.json").write_bytes(dumps(LIST))
    judge = ["evaluate", "model.json", "submissions.csv", "--outcome", "scorecard_outcome"]
    assert command([*judge, "--positive", "yes", "-o", "report.json"]) == 0, capsys.readouterr().err
    assert Path("report.json").stat().st_size

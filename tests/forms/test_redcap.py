"""The dictionary keeps to the rules of its columns, and says that nobody has run it in REDCap."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from scorecard import check
from scorecard.cli import run as command
from scorecard.documents.json_document import dumps
from scorecard.forms import FORMS
from scorecard.forms.source_text import card_words
from tests.forms.test_hostile import TEXTS, hostile
from tests.forms.test_run_falsified import LIST, STAIRCASE
from tests.running.dictionaries import rows_of


def test_it_says_that_it_was_not_run() -> None:
    content = FORMS["redcap"].make(STAIRCASE, card_words(STAIRCASE))
    _, note, *_ = rows_of(content)
    assert note["Field Label"].startswith("Not run in REDCap")
    assert "not run there" in FORMS["redcap"].about


def test_whatever_a_list_calls_things_the_rows_are_by_the_rules() -> None:
    for text in TEXTS:
        content = FORMS["redcap"].make(hostile(text), None)
        shown = [row["Field Label"] for row in rows_of(content)]
        assert not [one for one in shown if "<" in one or "[" in one], text
        cells = csv.reader(io.StringIO(content.decode(), newline=""))
        formulas = [one for row in cells for one in row if one.startswith(("=", "+", "-", "@SUM"))]
        assert formulas == [], text


@pytest.mark.parametrize("language", ["de", "en", "es", "fr"])
def test_it_is_made_again_and_kept_if_a_person_has_changed_it(
    tmp_path: Path, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    model, path = tmp_path / "model.json", tmp_path / "data-dictionary.csv"
    model.write_bytes(dumps(LIST))
    export = ["export", str(model), "--to", "redcap", "-o", str(path), "--language", language]
    assert command(export) == command(export) == 0
    (verdict,) = check(LIST, [path])
    assert (verdict.whole, verdict.form) == (True, "REDCap")
    path.write_bytes(path.read_bytes().replace(b">= 65", b">= 66", 1))
    assert command(export) == 1
    assert "add --force" in capsys.readouterr().err
    assert check(LIST, [path])[0].disagrees

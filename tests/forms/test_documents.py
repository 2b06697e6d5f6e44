"""A document for people has the words and figures of the list, and shows nothing else."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path

import pytest

from scorecard import check
from scorecard.cli import run as command
from scorecard.documents.json_document import dumps
from scorecard.errors import ScorecardError
from scorecard.forms import FORMS
from scorecard.forms.found import Work, differences
from scorecard.forms.source_text import card_words
from tests.forms.test_hostile import TEXTS, hostile
from tests.forms.test_run_falsified import LIST, STAIRCASE
from tests.running.documents import docx_read


@pytest.mark.parametrize("form", ["markdown", "docx"])
@pytest.mark.parametrize("language", ["de", "en", "es", "fr"])
def test_it_speaks_the_language_and_is_made_again(tmp_path: Path, form: str, language: str) -> None:
    pytest.importorskip("docx")
    path = tmp_path / FORMS[form].usual
    path.write_bytes(FORMS[form].make(STAIRCASE, card_words(STAIRCASE, language)))
    (verdict,) = check(LIST, [path], policy=STAIRCASE.policy)
    assert verdict.whole
    told = "" if language == "en" else f" --language {language}"
    assert verdict.again == f"scorecard export MODEL --to {form}{told} --force"


def test_a_name_is_no_heading_link_or_element() -> None:
    for text in TEXTS:
        shown = FORMS["markdown"].make(hostile(text), None).decode()
        assert not re.search(r"(?<!\\)[<`\[]", shown.split("\n", 2)[2]), text
        assert len(re.findall("^#", shown, re.MULTILINE)) == 7, text
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e]", shown), text


FAULTS = {
    "points": (">+2<", ">+3<"),
    "cut-off": ("≥ 65", "≥ 66"),
    "risk": ("97 of 100", "96 of 100"),
    "stop": ("▼ rule out", "→ ask on"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_changed_word_or_figure_in_word_is_found(tmp_path: Path, fault: str) -> None:
    pytest.importorskip("docx")
    content = FORMS["docx"].make(STAIRCASE, card_words(STAIRCASE))
    assert list(differences(docx_read(content, Work(STAIRCASE)), Work(STAIRCASE))) == []
    old, new = FAULTS[fault]
    falsified = with_part(content, "word/document.xml", old, new)
    assert list(differences(docx_read(falsified, Work(STAIRCASE)), Work(STAIRCASE)))
    path = tmp_path / "card.docx"
    path.write_bytes(falsified)
    (verdict,) = check(LIST, [path], policy=STAIRCASE.policy)
    assert verdict.disagrees
    path.write_bytes(with_part(content, "docProps/core.xml", "scorecard ", "scorecard 0.0."))
    (verdict,) = check(LIST, [path], policy=STAIRCASE.policy)
    assert verdict.in_part.startswith("scorecard 0.0.")


def with_part(content: bytes, name: str, old: str, new: str) -> bytes:
    changed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as parts, zipfile.ZipFile(changed, "w") as archive:
        for one in parts.namelist():
            text = parts.read(one)
            if one == name:
                assert old.encode() in text
                text = text.replace(old.encode(), new.encode())
            archive.writestr(one, text)
    return changed.getvalue()


def test_without_its_library_one_line_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "docx", None)
    with pytest.raises(ScorecardError, match=r"psl-scorecard\[forms\]"):
        FORMS["docx"].make(STAIRCASE, None)


def test_a_document_that_somebody_has_edited_is_not_replaced(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("docx")
    model, path = tmp_path / "model.json", tmp_path / "card.docx"
    model.write_bytes(dumps(LIST))
    export = ["export", str(model), "--to", "docx", "-o", str(path)]
    assert command(export) == command(export) == 0
    path.write_bytes(with_part(path.read_bytes(), "word/document.xml", "≥ 65", "≥ 66"))
    assert command(export) == 1
    assert "add --force" in capsys.readouterr().err

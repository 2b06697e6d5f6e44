"""The Questionnaire is valid FHIR, asks until the list stops, and takes no blank for a no."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scorecard import check
from scorecard.cli import run as command
from scorecard.documents.json_document import dumps
from scorecard.forms import FORMS
from scorecard.forms.fhir.make import UCUM
from scorecard.forms.found import NotRunError, Work, differences
from scorecard.forms.source_text import card_words
from tests.forms.test_agreement import EXAMPLES
from tests.forms.test_hostile import TEXTS, hostile
from tests.forms.test_run_falsified import LIST, STAIRCASE
from tests.running.questionnaires import ask, fhir_form, strange_units


def filled(**entries: dict[str, Any]) -> dict[str, Any]:
    try:
        (form,) = ask(json.loads(FORMS["fhir"].make(STAIRCASE, None)), [entries])
    except NotRunError as reason:
        pytest.skip(str(reason))
    return form


def test_an_empty_form_shows_the_first_question_and_no_decision() -> None:
    empty = filled()
    assert empty["shown"] == ["age", "age-unknown"]
    assert empty["told"]["scorecard_decision"] == {"valueString": "go on"}


def test_a_blank_is_not_a_no_and_unknown_is_said() -> None:
    age = {"valueDecimal": 40}
    assert filled(age=age)["shown"] == ["age", "sex"]
    unknown = filled(age=age, sex={"valueCoding": {"code": "unknown"}})
    assert unknown["shown"] == ["age", "sex", "smoker"]
    no = filled(age=age, sex={"valueCoding": {"code": "m"}})
    assert no["told"]["scorecard_risk"] == {"valueString": "4 of 100"}
    assert no["shown"] == ["age", "sex", "scorecard_told-rule-out"]


@pytest.mark.parametrize("name", [*EXAMPLES, *range(0, len(TEXTS), 5)])
def test_it_is_a_questionnaire_of_r4(name: str | int) -> None:
    models = pytest.importorskip("fhir.resources.R4B.questionnaire")
    staircase = EXAMPLES[name] if isinstance(name, str) else hostile(TEXTS[name])
    content = FORMS["fhir"].make(staircase, card_words(staircase))
    found = models.Questionnaire.model_validate_json(content)
    links = [one.linkId for one in found.item]
    assert len(links) == len(set(links))


def test_units_are_of_the_unified_code() -> None:
    try:
        assert strange_units(sorted(set(UCUM.values()))) == []
        assert strange_units(["years"]) == ["years"]
    except NotRunError as reason:
        pytest.skip(str(reason))


FAULTS = {
    "points": (", 2, 0)", ", 3, 0)"),
    "cut-off": (">= 65", ">= 66"),
    "category": ("= 'f'", "= 'm'"),
    "risk": ("0.97", "0.96"),
    "stop": ("'2 0', 'rule out'", "'2 0', 'go on'"),
    "unknown as no": ("'u', '')", "'0', '')"),
    "the guard of a blank": (".first().exists()", ".empty().exists()"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_shows_when_the_form_is_filled_in(tmp_path: Path, fault: str) -> None:
    content, work = FORMS["fhir"].make(STAIRCASE, None).decode(), Work(STAIRCASE)
    old, new = FAULTS[fault]
    assert old in content
    falsified = content.replace(old, new).encode()
    try:
        assert list(differences(fhir_form(falsified, work), work))
    except NotRunError as reason:
        pytest.skip(str(reason))
    path = tmp_path / "questionnaire.json"
    path.write_bytes(falsified)
    assert check(LIST, [path], policy=STAIRCASE.policy)[0].disagrees


@pytest.mark.parametrize("language", ["de", "en", "es", "fr"])
def test_it_is_made_again_and_kept_if_a_person_has_changed_it(
    tmp_path: Path, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    model, path = tmp_path / "model.json", tmp_path / "questionnaire.json"
    model.write_bytes(dumps(LIST))
    export = ["export", str(model), "--to", "fhir", "-o", str(path), "--language", language]
    assert command(export) == command(export) == 0
    (verdict,) = check(LIST, [path])
    assert (verdict.whole, verdict.form) == (True, "FHIR")
    path.write_text(path.read_text(encoding="utf-8").replace('"draft"', '"active"'), "utf-8")
    assert command(export) == 1
    assert "add --force" in capsys.readouterr().err
    assert check(LIST, [path])[0].disagrees

"""The decision table: its shape is published, and its documentation applies it."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from scorecard.core.build_staircase import build_staircase
from scorecard.core.model import About, Condition, Question
from scorecard.core.policy import StoppingPolicy
from scorecard.documents.json_document import content_hash
from scorecard.forms.decision_table import (
    DecisionTable,
    Words,
    decision_table,
    float_not_below,
)
from scorecard.forms.json.make import make as json_table
from scorecard.forms.test_cases import patterns
from tests import reader
from tests.golden_files import RENEWING, compared
from tests.lists import MARBURG, TABLE_1, counted

STAIRCASE = build_staircase(TABLE_1, StoppingPolicy(0.1, 0.9, by="point"))


def test_the_published_schema_is_that_of_the_code(root: Path) -> None:
    published = root / "scorecard/forms/decision_table.schema.json"
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **msgspec.json.schema(DecisionTable),
    }
    made = json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
    assert compared(published, made) == made, RENEWING


def test_a_table_has_the_published_shape() -> None:
    table = msgspec.json.decode(json_table(STAIRCASE), type=DecisionTable)
    assert table == msgspec.convert(decision_table(STAIRCASE), DecisionTable)


def test_the_cut_offs_are_those_of_the_paper() -> None:
    steps = decision_table(STAIRCASE)["steps"]
    assert [(step["rule_out_at"], step["rule_in_at"]) for step in steps] == [
        (None, None),
        (None, None),
        (-2, None),
        (None, 2),
        (-1, 3),
    ]


def test_every_figure_stands_under_its_name() -> None:
    counts = {"00": (60, 3), "01": (60, 1), "10": (50, 48), "11": (40, 20)}
    questions = (Question("bmi", 1, Condition(">=", 29.955)), Question("beta", -2))
    about = About(rule_out="home", rule_in="ward")
    listed = replace(counted((1, -2), counts), questions=questions, about=about)
    table = decision_table(build_staircase(listed, StoppingPolicy(0.1, 0.8, confidence=0.85)))
    assert [one["points"] for one in table["questions"]] == [1, -2]
    assert table["questions"][0]["condition"]["cutoff"] == 29.955
    assert (table["names"]["rule out"], table["names"]["rule in"]) == ("home", "ward")
    policy = table["policy"]
    assert (policy["rule_out"], policy["rule_in"], policy["confidence"]) == (0.1, 0.8, 0.85)
    (start,) = table["steps"][0]["boxes"]  # its ends: scipy.stats.beta.ppf(.025, 72, 139) …
    assert (start["cases"], start["positives"], start["probability"]) == (210, 72, 72 / 210)
    assert (start["lower"], start["upper"]) == pytest.approx((0.278912, 0.411311), abs=1e-6)


def test_the_words_for_yes_no_and_unknown_are_those_of_the_page() -> None:
    answers = decision_table(STAIRCASE)["answers"]
    assert (set(answers["yes"]), set(answers["no"])) == (reader.YES, reader.NO)
    assert set(answers["yes_no_inputs_yes"]) == reader.INPUT_YES | {"1.0"}
    assert set(answers["yes_no_inputs_no"]) == reader.INPUT_NO | {"0.0"}
    assert set(answers["unknown"]) == reader.UNKNOWN


def test_a_stage_without_risks_has_none() -> None:
    table = decision_table(build_staircase(MARBURG, StoppingPolicy(0.05, 0.2, by="point")))
    assert {box["probability"] for box in table["steps"][3]["boxes"]} == {None}
    assert table["steps"][3]["boxes"][0]["curtailed"]


def test_questions_nobody_gets_to_are_named() -> None:
    table = decision_table(build_staircase(TABLE_1, StoppingPolicy(0.2, 0.6, by="point")))
    assert [question["input"] for question in table["questions"]] == ["f3", "f1"]
    assert table["not_asked"] == ["f2", "f4"]


def test_words_and_identity_are_carried() -> None:
    words = Words(("A?", "B?", "C?", "D?"), ("Limits.",), ("Note.",), "ab" * 32)
    table = decision_table(STAIRCASE, words)
    assert [question["text"] for question in table["questions"]] == ["A?", "B?", "C?", "D?"]
    assert (table["words"], table["notes"][0]["text"]) == (["Limits."], "Note.")
    assert table["model"] == f"sha256:{'ab' * 32}"
    assert decision_table(STAIRCASE)["model"] == f"sha256:{content_hash(TABLE_1)}"


@pytest.mark.parametrize("number", [2**53 + 1, -(2**53) - 1, 10**25 + 1, 50, 0.1])
def test_a_cut_off_decides_the_same_for_floats(number: int | float) -> None:
    bound = float_not_below(number)
    for near in (float(number), float(number) * (1 + 2**-52), float(number) * (1 - 2**-52)):
        assert (near >= bound) == (near >= number)


def test_the_documentation_applies_a_table(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (root / "examples/decision-table.md").read_text(encoding="utf-8")
    found = re.search(r"```python\n(.*?)```", text, re.DOTALL)
    assert found
    code = found[1].replace(
        'json.load(open("table.json", encoding="utf-8"))',
        'json.loads(__import__("pathlib").Path("table.json").read_text(encoding="utf-8"))',
    )
    (tmp_path / "table.json").write_bytes(json_table(STAIRCASE))
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    exec(compile(code, "decision-table.md", "exec"), names)
    assert capsys.readouterr().out == "rule in\n"
    for answers in patterns(STAIRCASE):
        assert names["decide"](names["table"], answers) == STAIRCASE.decide(answers).decision

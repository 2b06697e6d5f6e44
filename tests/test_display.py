"""Lists and staircases in a notebook."""

import re
from dataclasses import replace
from html import escape

import numpy as np
import pandas as pd
import polars as pl
import pytest

from scorecard import Question, ScoringListClassifier, StoppingPolicy, build_staircase, write_list
from scorecard.__main__ import main
from tests.lists import TABLE_1

STAIRCASE = build_staircase(TABLE_1, StoppingPolicy(0.1, 0.9, by="point", min_cases=0))


def test_the_staircase_is_shown_without_a_script() -> None:
    page = STAIRCASE._repr_html_()
    assert "<script" not in page
    assert page.count("<table") == 1
    assert re.search(r'class="box out".*?▼', page)


def test_a_label_cannot_break_out() -> None:
    nasty = Question("f3", 1, label="<script>x</script>")
    named = replace(TABLE_1, questions=(nasty, *TABLE_1.questions[1:]))
    for shown in (named._repr_html_(), build_staircase(named, STAIRCASE.policy)._repr_html_()):
        assert "<script" not in shown
        assert escape(nasty.label) in shown


def test_a_list_whose_limits_leave_nothing_to_ask_shows_its_questions() -> None:
    shown = replace(TABLE_1, policy=StoppingPolicy(0.4, 0.9, by="point"))._repr_html_()
    assert shown.startswith("<ol><li>")
    assert "base rate" in shown


def test_a_frame_has_a_row_per_box() -> None:
    frame = STAIRCASE.to_frame("polars")
    assert isinstance(frame, pl.DataFrame)
    assert frame.height == sum(len(step.boxes) for step in STAIRCASE.steps)
    assert frame["decision"][0] == "go on"


def test_a_frame_has_a_row_per_stage_and_total() -> None:
    frame = TABLE_1.to_frame("pandas")
    assert isinstance(frame, pd.DataFrame)
    assert len(frame) == sum(len(stage.totals) for stage in TABLE_1.stages if stage)
    assert isinstance(TABLE_1.to_frame(), pd.DataFrame)  # because it is loaded here


def test_printed_a_list_is_the_table_of_show(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "90")
    own = replace(TABLE_1, policy=STAIRCASE.policy)
    write_list(own, tmp_path / "model.json")
    with pytest.raises(SystemExit):
        main(["show", str(tmp_path / "model.json")])
    shown = capsys.readouterr().out
    assert str(own) + "\n" == shown
    assert str(build_staircase(own)) == str(own)


def test_a_list_whose_limits_leave_nothing_to_ask_prints_its_questions() -> None:
    lines = str(replace(TABLE_1, policy=StoppingPolicy(0.4, 0.9, by="point"))).splitlines()
    assert lines[0] == "f3: yes (+1)"
    assert "base rate" in lines[-1]


def test_a_summary_has_a_row_per_question() -> None:
    ages = np.arange(20.0, 140.0)
    cases = pd.DataFrame({"age": ages, "<b>": ages % 3})
    model = ScoringListClassifier().fit(cases, (ages >= 50) & (ages % 7 > 0))
    summary = model.summary()
    frame = summary.to_frame("pandas")
    assert list(frame["points"]) == [question.points for question in model.questions_]
    assert frame["removed"].sum() == model.losses_[0] - model.losses_[-1]
    assert frame["loss"].iloc[-1] == model.losses_[-1]
    text, page = str(summary), summary._repr_html_()
    for row in summary.rows:
        assert row["question"] in text
        assert escape(row["question"]) in page
    assert model.size_reason_ in " ".join(text.split())
    assert "<b>" not in page

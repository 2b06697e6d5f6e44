"""Lists and staircases in a notebook."""

import re
from dataclasses import replace
from html import escape

import pandas as pd
import polars as pl

from scorecard import Question, StoppingPolicy, build_staircase
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

"""The staircase in characters: everything is there, with and without colour, wide and narrow."""

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from scorecard.core.build_staircase import build_staircase
from scorecard.core.model import About, ScoringList, with_positive_points
from scorecard.core.policy import StoppingPolicy
from scorecard.errors import PolicyError
from scorecard.terminal import outcome_text, staircase_text
from scorecard.words.language import languages
from scorecard.words.wording import Wording
from tests.lists import MARBURG, TABLE_1, counted
from tests.strategies import plain_texts, scoring_lists

POINT = StoppingPolicy(0.1, 0.9, by="point")
COUNTED = counted((1, 2), {"00": (60, 0), "01": (20, 5), "10": (20, 9), "11": (40, 36)})


def text_of(scoring_list: ScoringList, policy: StoppingPolicy = POINT, **options: object) -> str:
    staircase = build_staircase(scoring_list, policy)
    return staircase_text(staircase, Wording.of(scoring_list), **options)  # type: ignore[arg-type]


def test_table_1_with_positive_points() -> None:
    lines = text_of(with_positive_points(TABLE_1), identity="1a2b3c4d").splitlines()
    assert lines[:3] == ["Table 1  1a2b3c4d", "Outcome: positive", ""]
    assert lines[3].split() == ["Question", "Points", "0", "1", "2", "3", "4", "5"]
    rows = [line.split() for line in lines if re.match(r"\d ", line)]
    assert rows == [
        ["1", "f3", "+1", "20", "40"],
        ["2", "f1:", "no", "+2", "▼", "10", "20", "50", "60"],
        ["3", "f2", "+1", "20", "60", "70", "▲", "90"],
        ["4", "f4", "+2", "▼", "10", "◆", "20", "◆", "60", "◆", "70", "▲", "90"],
    ]


def test_boxes_stand_below_their_totals() -> None:
    lines = text_of(TABLE_1).splitlines()
    header = next(line for line in lines if "Points" in line)
    second = next(line for line in lines if line.startswith("2 f1"))
    place = header.index("−2")
    assert "▼ 10" in second[place - 3 : place + 4]


def test_counts_are_shown_below_the_risk() -> None:
    text = text_of(COUNTED, StoppingPolicy(0.1, 0.8))
    assert "50/140" in text
    assert "From patients who had no say in the questions" in text


def test_few_cases_have_no_figure_and_curtailed_stops_are_marked() -> None:
    few = counted((1,), {"0": (60, 1), "1": (5, 4)})
    text = text_of(few, StoppingPolicy(0.1, 0.9))
    assert "few seen" in text
    assert "80" not in text
    marburg = text_of(MARBURG, StoppingPolicy(0.06, 0.2))
    assert "▼°" in marburg
    assert "° no later answer can change the decision" in marburg


def test_a_box_without_a_figure_is_not_bold() -> None:
    few = counted((1,), {"0": (60, 1), "1": (5, 5)})
    policy = StoppingPolicy(0.0, 0.7, by="point", min_cases=0)
    text = text_of(few, policy, colour=True)
    (look,) = re.findall(r"\x1b\[([\d;]*)m[^\x1b]*▲", text.partition("few seen")[0])
    assert "1" not in look.split(";")


def test_a_total_nobody_had_has_the_figure_and_counts_of_the_box_it_shares() -> None:
    nobody_has_both = counted((1, 1), {"00": (30, 0), "10": (40, 20), "01": (40, 40)})
    staircase = build_staircase(nobody_has_both, POINT)
    one, both = (
        outcome_text(staircase.decide(answers), staircase, Wording.of(nobody_has_both))
        for answers in ([False, True], [True, True])
    )
    assert "75 of 100, 60 of 80 cases" in both
    assert one.replace("Total: 1", "Total: 2") == both


def test_notes_are_said() -> None:
    text = text_of(MARBURG, StoppingPolicy(0.06, 0.2))
    assert "No counts published" in " ".join(text.split())


@pytest.mark.parametrize("width", [40, 60, 80, 200])
def test_lines_keep_to_the_width(width: int) -> None:
    patterns = {f"{n:06b}": (10 + n, n // 2) for n in range(64)}
    long = counted((3, -2, 3, 1, 2, -1), patterns)
    text = text_of(long, StoppingPolicy(0.05, 0.95), width=width)
    assert max(map(len, text.splitlines())) <= width


def test_colour_adds_nothing_but_colour() -> None:
    plain, coloured = (text_of(TABLE_1, colour=colour) for colour in (False, True))
    assert "\x1b[" in coloured
    assert "\x1b" not in plain
    bare = re.sub(r"\x1b\[[0-9;]*m", "", coloured)
    assert [line.rstrip() for line in bare.splitlines()] == plain.splitlines()


def test_markup_and_escapes_in_user_text_are_only_text() -> None:
    odd = ScoringList(TABLE_1.questions, TABLE_1.stages, About(title="[bold]x\x1b[31m :smile:"))
    assert text_of(odd, colour=True).splitlines()[0].count("\x1b[") == 2
    assert "[bold]x[31m :smile:" in text_of(odd)


@given(scoring_lists(1, 5, text=plain_texts()), st.sampled_from(languages()), st.integers(40, 140))
def test_every_reachable_box_is_there(drawn: ScoringList, language: str, width: int) -> None:
    try:
        staircase = build_staircase(drawn, StoppingPolicy(0.2, 0.8, by="point", min_cases=0))
    except PolicyError:
        assume(False)
    wording = Wording.of(drawn, language)
    text = staircase_text(staircase, wording, width=width)
    for step in staircase.steps:
        for box in step.boxes:
            if box.risk is not None:
                assert wording.risk(box.risk.probability) in text
            assert wording.seen(box.counts, figure=box.risk is not None) in text
            assert wording.box_symbol(box) in text


def test_the_result_of_one_case() -> None:
    staircase = build_staircase(COUNTED, StoppingPolicy(0.1, 0.8))
    wording = Wording.of(COUNTED)
    decided = outcome_text(staircase.decide([False, False]), staircase, wording)
    assert decided.splitlines()[:2] == ["▼ rule out", "Total: 0"]
    assert "<1 of 100, 0 of 60 cases, range up to" in decided
    unknown = outcome_text(staircase.decide([False, None]), staircase, wording)
    assert "? cannot be decided: ◆ undecided\nTotal: 0 to 2" in unknown
    # 5 of 20 and 9 of 20 contradict a rising risk: one estimate, one box.
    assert "Risk (Total 2): 35 of 100, 14 of 40 cases" in unknown

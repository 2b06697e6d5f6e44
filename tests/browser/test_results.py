"""Whatever is answered, the page says what the list says."""

from __future__ import annotations

import random
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scorecard.core.build_staircase import build_staircase
from scorecard.core.model import Condition, Question, ScoringList, with_positive_points
from scorecard.core.policy import StoppingPolicy
from scorecard.core.staircase import FIGURES, Outcome, Staircase
from scorecard.documents.json_document import read_list
from scorecard.words.wording import SYMBOLS, Wording
from tests.conftest import ROOT
from tests.exhaustive import EXHAUSTIVE, many
from tests.lists import SHARPENED, stage
from tests.printed_handouts import (
    LETTERS,
    buttons_for,
    can_say,
    example_lists,
    page_of,
    staircases,
    throat,
)

MOST = 243  # patterns of a list in every run: all of five questions


def expected(outcome: Outcome, wording: Wording) -> dict[str, object]:
    """What the page has to show for an outcome, told by the list itself."""
    low, high = outcome.lowest, outcome.highest
    risk = "no figure at this point"
    if low.risk and high.risk:
        both = sorted((low.risk.probability, high.risk.probability))
        ends = wording.risk(both[0]), wording.risk(both[1])
        number = ends[0] if ends[0] == ends[1] else wording.word("to", low=ends[0], high=ends[1])
        risk = wording.word("of", number=number, per=wording.per)
    totals = wording.total(outcome.totals[0]), wording.total(outcome.totals[1])
    return {
        "decision": outcome.decision,
        "stage": outcome.stage,
        "low": outcome.totals[0],
        "high": outcome.totals[1],
        **{name: getattr(outcome, name) for name in FIGURES},
        "total": totals[0]
        if totals[0] == totals[1]
        else wording.word("to", low=totals[0], high=totals[1]),
        "risk": risk,
    }


def told(found: dict[str, str]) -> dict[str, object]:
    def number(text: str) -> float | None:
        return None if text == "null" else float(text)

    return {
        "decision": found["decision"],
        **{name: int(found[name]) for name in ("stage", "low", "high")},
        **{name: number(found[name]) for name in FIGURES},
        "total": found["total"],
        "risk": found["risk"],
    }


def check(tab: Any, staircase: Staircase, patterns: list[tuple[bool | None, ...]]) -> None:
    wording = Wording.of(staircase)
    patterns = [pattern for pattern in patterns if can_say(staircase, pattern)]
    found = tab.drive([buttons_for(staircase, pattern) for pattern in patterns])
    for pattern, shown in zip(patterns, found, strict=True):
        outcome = staircase.decide(pattern)
        assert told(shown) == expected(outcome, wording), pattern
        assert (outcome.decision == "go on") == shown["heading"].startswith("Question ")
        if outcome.decision in ("rule out", "rule in"):
            name = wording.decision(outcome.decision, staircase.scoring_list.about)
            assert shown["heading"].endswith(f"{SYMBOLS[outcome.decision]} {name}")


def all_patterns(count: int) -> list[tuple[bool | None, ...]]:
    return [tuple(pattern) for pattern in product(LETTERS.values(), repeat=count)]


@pytest.mark.parametrize("file", example_lists(ROOT), ids=lambda path: path.stem)
@pytest.mark.parametrize("turned", [False, True], ids=["as written", "positive points"])
def test_every_pattern_of_every_example_gives_the_result_of_the_list(
    tab: Any, file: Path, turned: bool
) -> None:
    scoring_list = read_list(file)
    staircase = build_staircase(with_positive_points(scoring_list) if turned else scoring_list)
    tab.open(staircase)
    patterns = all_patterns(len(staircase.questions))
    few = random.Random(1).sample(patterns, min(MOST, len(patterns)))
    check(tab, staircase, patterns if EXHAUSTIVE else few)


def test_every_pattern_of_a_list_with_evidence(tab: Any) -> None:
    staircase = throat()
    tab.open(staircase)
    patterns = [pattern for count in range(4) for pattern in all_patterns(count)]
    assert {staircase.decide(pattern).decision for pattern in patterns} == {
        "rule out",
        "rule in",
        "undecided",
        "go on",
        "unknown",
    }
    check(tab, staircase, patterns)


# Under `make exhaustive` a hundred lists, two hundred answers each.
@settings(
    max_examples=many(100, 15),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(staircase=staircases(), seed=st.integers(0, 2**32))
def test_random_lists_and_random_partial_answers(
    shared_tab: Any, staircase: Staircase, seed: int
) -> None:
    shared_tab.open_text(page_of(staircase))
    assert shared_tab.page.is_hidden("#broken")
    chosen = random.Random(seed)
    count = len(staircase.questions)
    patterns = [
        tuple(chosen.choices((True, False, None), k=chosen.randint(0, count)))
        for _ in range(many(200))
    ]
    check(shared_tab, staircase, patterns)
    assert shared_tab.complaints == []


def test_what_earlier_answers_settle_is_not_asked(tab: Any) -> None:
    staircase = ages()
    tab.open(staircase)
    found = tab.drive([["yes"], ["no", "yes"], ["no", "no"], ["unknown", "unknown"]])
    assert [(one["stage"], one["low"], one["high"]) for one in found] == [
        ("2", "3", "3"),
        ("2", "1", "1"),
        ("2", "0", "0"),
        ("2", "0", "3"),
    ]
    tab.page.click('[data-say="restart"]')
    tab.page.fill("#value", "57")
    tab.page.click("#panel form button")
    assert tab.page.get_attribute("#state", "data-low") == "1"
    record = tab.page.inner_text("#record")
    assert "57 (Yes), follows from an earlier answer" in record
    tab.page.click('[data-say="back"]')
    assert "Question 1 of 2" in tab.page.inner_text("#now")


def ages() -> Staircase:
    asked = tuple(Question("age", p, Condition(">=", c)) for p, c in ((2, 65), (1, 50)))
    stages = (stage(p0=0.5), stage(p0=0.3, p2=0.6), stage(p0=0.1, p1=0.4, p2=0.5, p3=0.9))
    return build_staircase(ScoringList(asked, stages), StoppingPolicy(0.1, 0.9, by="point"))


def test_who_is_undecided_may_go_on(tab: Any) -> None:
    tab.open(build_staircase(SHARPENED, StoppingPolicy(0.1, 0.9, by="point")))
    tab.page.fill("#value", "70")
    tab.page.click("#panel form button")
    assert "undecided" in tab.page.inner_text("#now")
    assert "after 1 of 1 questions" in tab.page.inner_text("#now")
    tab.page.click('[data-say="sharpen"]')
    assert "Question 2 of 3" in tab.page.inner_text("#now")
    tab.page.click('[data-say="yes"]')
    state = tab.page.locator("#state")
    assert state.get_attribute("data-decision") == "undecided"
    assert state.get_attribute("data-low") == state.get_attribute("data-high") == "4"
    assert state.get_attribute("data-probability") == "0.8"
    tab.page.click('[data-say="back"]')
    tab.page.click('[data-say="back"]')
    assert "Question 1 of 1" in tab.page.inner_text("#now")
    assert tab.complaints == []

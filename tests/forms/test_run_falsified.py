"""A fault in a form shows when its engine runs it: points, a cut-off, a word, a risk, a guard."""

from __future__ import annotations

import pytest

from scorecard.core.build_staircase import build_staircase
from scorecard.core.model import Condition, Question, ScoringList
from scorecard.core.policy import StoppingPolicy
from scorecard.forms.found import NotRunError, UnusableError, Work, differences
from tests.forms.compared import made
from tests.forms.test_agreement import RUNS
from tests.lists import stage

LIST = ScoringList(
    (
        Question("age", 2, Condition(">=", 65), unit="years"),
        Question("sex", 1, Condition("in", categories=("f",), choices=("f", "m"))),
        Question("smoker", -1),
    ),
    (
        stage(p0=0.3),
        stage(p0=0.2, p2=0.43),
        stage(p0=0.04, p1=0.32, p2=0.51, p3=0.62),
        stage(m1=0.01, p0=0.22, p1=0.33, p2=0.52, p3=0.97),
    ),
)
STAIRCASE = build_staircase(LIST, StoppingPolicy(0.05, 0.95, by="point"))

FAULTS = {
    "r": {
        "points": ("points = 2L", "points = 3L"),
        "cut-off": ("cutoff = 65", "cutoff = 66"),
        "category": ('categories = c("f")', 'categories = c("F")'),
        "word": ('"unknown", ', ""),
        "risk": ("0.97", "0.96"),
        "stop": ('"rule out"', '"go on"'),
        "unknown as no": ("(points[number] > 0L) == upwards", "FALSE"),
        "numbers as texts": ("(number >= question$cutoff)", "(values >= question$cutoff)"),
        "a guard": ("problem[open & read$refused]", "problem[FALSE & read$refused]"),
    },
    "redcap": {
        "points": (", 2, 0)", ", 3, 0)"),
        "cut-off": (">= 65", ">= 66"),
        "category": ('[sex] = ""f""', '[sex] = ""m""'),
        "word": ('""rule in""', '""rule on""'),
        "risk": ("0.97", "0.96"),
        "stop": ("= 25000, 1, 0)", "= 25000, 4, 0)"),
        "unknown as no": ('""1"", 2,', '""1"", 0,'),
        "the guard of a blank": ('if([age] <> """", if', "if(1 = 1, if"),
    },
    "markdown": {
        "points": ("\\+2", "\\+3"),
        "cut-off": ("≥ 65", "≥ 66"),
        "word": ("is f", "is m"),
        "risk": ("97 of 100", "96 of 100"),
        "stop": ("| 2 | 0 | ▼ rule out", "| 2 | 0 | → ask on"),
    },
}
EVERY = [(form, fault) for form, faults in FAULTS.items() for fault in faults]


@pytest.mark.parametrize(("form", "fault"), EVERY, ids=lambda one: one)
def test_a_fault_shows_when_it_is_run(form: str, fault: str) -> None:
    (name, run), (old, new) = RUNS[form], FAULTS[form][fault]
    content, work = made(STAIRCASE, name).decode(), Work(STAIRCASE)
    assert old in content
    try:
        assert list(differences(run(content.encode(), work), work)) == []
        assert list(differences(run(content.replace(old, new).encode(), work), work))
    except NotRunError as reason:
        pytest.skip(str(reason))
    except UnusableError:
        pass  # it stops, which nobody overlooks

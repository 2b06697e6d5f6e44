"""Every form of a list says exactly what the list says."""

from __future__ import annotations

import shutil
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

from scorecard.core.build_staircase import build_staircase
from scorecard.core.evidence import Seen
from scorecard.core.model import Condition, Question, Risk, ScoringList, Stage
from scorecard.core.policy import StoppingPolicy
from scorecard.core.question import Substitute, with_substitutes
from scorecard.core.staircase import Staircase
from scorecard.forms.found import NotRunError
from scorecard.forms.javascript.read import run as javascript
from scorecard.forms.r.read import run as r_file
from scorecard.forms.sql.dialects import DIALECTS
from scorecard.forms.sql.read import run as query
from tests.exhaustive import many, only_exhaustive
from tests.forms.compared import (
    EXPORTS,
    Run,
    differences,
    javascript_served,
    python_here,
    staircase_or_none,
)
from tests.lists import MARBURG, SHARPENED, TABLE_1, counted, stage
from tests.running.decision_tables import applied
from tests.running.dictionaries import dictionary_form
from tests.running.documents import docx_read, markdown_read
from tests.running.python_file import python_in_all_modes
from tests.running.questionnaires import fhir_form
from tests.running.servers import mariadb_form, postgresql_form
from tests.running.workbooks import differences_of_book
from tests.running.xforms import ENGINES, xlsform_form
from tests.strategies import plain_texts, scoring_lists

RUNS: dict[str, tuple[str, Run]] = {
    "python": ("python", python_in_all_modes),
    "json": ("json", applied),
    "javascript": ("javascript", javascript),
    "r": ("r", r_file),
    "markdown": ("markdown", markdown_read),
    "docx": ("docx", docx_read),
    "xlsform": ("xlsform", xlsform_form),
    "redcap": ("redcap", dictionary_form),
    "fhir": ("fhir", fhir_form),
    "sqlite": ("sql:sqlite", query),
    "duckdb": ("sql:duckdb", query),
    "postgresql": ("sql:postgresql", postgresql_form),
    "mariadb": ("sql:mariadb", mariadb_form),
}

# A program to start, or a form to fill in item by item: a second and more for each list.
SLOW = {"r", "xlsform", "fhir"}

QUICK: dict[str, tuple[str, Run]] = {
    **{form: run for form, run in RUNS.items() if form not in SLOW},
    "python": ("python", python_here),
    "javascript": ("javascript", javascript_served),
}

PRESENCE = ScoringList(
    (
        Question("bmi", 2, Condition(">=", 29.95), unit="kg/m²"),
        Question("bmi", -1, Condition("missing")),
        # Words that a language may take for a number.
        Question("colour", 1, Condition("not in", categories=("none", "", "Infinity", "NaN", "2"))),
    ),
    (
        stage(p0=0.4),
        stage(p0=0.2, p2=0.5),
        stage(m1=0.1, p0=0.2, p1=0.3, p2=0.6),
        stage(m1=0.05, p0=0.1, p1=0.3, p2=0.6, p3=0.95),
    ),
)
AGES = ScoringList(
    (
        Question("age", 2, Condition(">=", 65), unit="years"),
        Question("sex", 1, Condition("in", categories=("f",), choices=("f", "m", "x"))),
        Question("age", 1, Condition(">=", 50), unit="years"),
        Question("sex", -1, Condition("not in", categories=("m",), choices=("f", "m", "x"))),
        Question("age", 1, Condition("<", 80), unit="years"),
    ),
    (
        stage(p0=0.4),
        stage(p0=0.3, p2=0.5),
        stage(p0=0.2, p1=0.3, p2=0.5, p3=0.6),
        stage(p0=0.1, p1=0.2, p2=0.3, p3=0.6, p4=0.8),
        stage(m1=0.05, p0=0.1, p1=0.2, p2=0.3, p3=0.6, p4=0.9),
        stage(m1=0.05, p0=0.1, p1=0.2, p2=0.3, p3=0.6, p4=0.9, p5=0.95),
    ),
)
SUBSTITUTED = ScoringList(
    (
        Question("crp", 2, Condition(">=", 50), if_unknown=Substitute("esr", Condition("<", 30))),
        Question("sex", 1, Condition("in", categories=("f",)), if_unknown=Substitute("name")),
        Question("crp", 1, Condition(">=", 80), if_unknown=Substitute("esr", Condition("<", 60.5))),
        Question(
            "cough",
            -1,
            Condition("no"),
            if_unknown=Substitute(
                "voice", Condition("not in", categories=("a",), choices=("a", "b"))
            ),
        ),
    ),
    (
        stage(p0=0.4),
        stage(p0=0.3, p2=0.5),
        stage(p0=0.2, p1=0.3, p2=0.5, p3=0.6),
        stage(p0=0.1, p1=0.2, p2=0.3, p3=0.6, p4=0.8),
        stage(m1=0.02, p0=0.1, p1=0.2, p2=0.3, p3=0.6, p4=0.9),
    ),
)
SEEN = (
    Seen("crp", 2, 120.5, 0.5, 480),
    Seen("esr", 4, 88, 2, 130),
    Seen("age", 19.5, 91, 18, 104),
    Seen("another; age", -2, -1, -3, 1),  # of no question any more
)
# Inputs called as the results are, and as the checks call a column of theirs.
NAMESAKES = ScoringList(
    (
        Question("stage", 2, Condition(">=", 3)),
        Question("total", 1, Condition(">=", 50)),
        Question("decision", 1),
        Question("probability", -1, Condition("<", 0.2), if_unknown=Substitute("number")),
    ),
    (
        stage(p0=0.4),
        stage(p0=0.3, p2=0.5),
        stage(p0=0.2, p1=0.3, p2=0.5, p3=0.6),
        stage(p0=0.1, p1=0.2, p2=0.3, p3=0.6, p4=0.8),
        stage(m1=0.02, p0=0.1, p1=0.2, p2=0.3, p3=0.6, p4=0.9),
    ),
)
assert build_staircase(SHARPENED, StoppingPolicy(0.1, 0.9, by="point")).sharpening
# Unknown to the first, no to the second: the way that ends first has the higher range.
APART = ScoringList(
    (Question("a", 1), Question("b", 1)),
    (
        Stage((0,), (Risk(0.3, 0.2, 0.4),)),
        Stage((0, 1), (Risk(0.05, 0.04, 0.06), Risk(0.5, 0.4, 0.6))),
        Stage((0, 1, 2), (Risk(0.02, 0.01, 0.03), Risk(0.03, 0.02, 0.05), Risk(0.95, 0.9, 0.99))),
    ),
)
EXAMPLES = {
    "ends apart": build_staircase(APART, StoppingPolicy(0.05, 0.9, by="point")),
    "table 1": build_staircase(TABLE_1, StoppingPolicy(0.1, 0.9, by="point")),
    "marburg": build_staircase(MARBURG, StoppingPolicy(0.05, 0.2, by="point")),
    "marburg, all curtailed": build_staircase(
        MARBURG, StoppingPolicy(0.01, 0.7, by="point", curtail="all")
    ),
    "ends early": build_staircase(TABLE_1, StoppingPolicy(0.2, 0.6, by="point")),
    "counted": build_staircase(
        counted((1, -2), {"00": (40, 1), "01": (60, 0), "10": (50, 48), "11": (40, 20)})
    ),
    "presence": build_staircase(PRESENCE, StoppingPolicy(0.1, 0.9, by="point")),
    "sharpened": build_staircase(SHARPENED, StoppingPolicy(0.1, 0.9, by="point")),
    "asked again": build_staircase(AGES, StoppingPolicy(0.05, 0.9, by="point")),
    "seen": build_staircase(
        replace(SUBSTITUTED, seen=SEEN), StoppingPolicy(0.05, 0.85, by="point")
    ),
    "seen, asked again": build_staircase(
        replace(AGES, seen=SEEN), StoppingPolicy(0.05, 0.9, by="point")
    ),
    "seen, sharpened": build_staircase(
        replace(SHARPENED, seen=SEEN), StoppingPolicy(0.1, 0.9, by="point")
    ),
    "namesakes": build_staircase(NAMESAKES, StoppingPolicy(0.05, 0.85, by="point")),
    "substitutes": build_staircase(SUBSTITUTED, StoppingPolicy(0.05, 0.85, by="point")),
}


@st.composite
def ranges_of(draw: st.DrawFn, scoring_list: ScoringList) -> tuple[Seen, ...]:
    """What any learning may have seen of some of the numbers."""
    asked = with_substitutes(scoring_list.questions)
    ends = st.lists(st.floats(-1e6, 1e6), min_size=4, max_size=4, unique=True).map(sorted)
    names = dict.fromkeys(one.input for one in asked if one.condition.is_numeric)
    found = {name: draw(st.none() | ends) for name in names}
    known = ((name, four) for name, four in found.items() if four)
    return tuple(Seen(name, four[1], four[2], four[0], four[3]) for name, four in known)


@st.composite
def staircases(draw: st.DrawFn, seen: bool = False, **kinds: object) -> Staircase:
    scoring_list = draw(scoring_lists(**kinds))  # type: ignore[arg-type]
    if seen:
        scoring_list = replace(scoring_list, seen=draw(ranges_of(scoring_list)))
    policy = StoppingPolicy(
        draw(st.just(0.0) | st.floats(0.001, 0.4)),
        draw(st.just(1.0) | st.floats(0.5, 0.999)),
        by=draw(st.sampled_from(("point", "group"))),
        min_cases=draw(st.sampled_from((0, 10))),
        curtail=draw(st.sampled_from(("decided", "all", "never"))),
    )
    found = staircase_or_none(scoring_list, policy)
    assume(found is not None)
    assert found is not None
    return found


def tell(staircase: Staircase, name: str, form: Run) -> list[str]:
    try:
        return differences(staircase, name, form)
    except NotRunError as reason:
        pytest.skip(str(reason))


@pytest.mark.parametrize("form", RUNS)
@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_agrees(example: str, form: str) -> None:
    assert tell(EXAMPLES[example], *RUNS[form]) == []


# One test for all forms: drawing a list takes longer than running it.
# Failures are not shrunk, which would take minutes; the message names the case.
@settings(
    max_examples=many(300, few=12),
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.generate],
)
@given(staircases(seen=True) | staircases(seen=True, asked_again=True, substitutes=True))
def test_any_list_agrees_in_every_form(staircase: Staircase) -> None:
    wrong = {}
    for form, (name, run) in QUICK.items():
        try:
            wrong[form] = differences(staircase, name, run)
        except NotRunError:
            continue  # no program for it here, which the test above says; or names SQL cannot have
    assert wrong
    assert not any(wrong.values()), wrong


@pytest.mark.parametrize("form", sorted(SLOW))
@settings(
    max_examples=many(300, few=3),
    suppress_health_check=list(HealthCheck),
    phases=[Phase.explicit, Phase.generate],
)
@given(staircase=staircases(seen=True) | staircases(asked_again=True, substitutes=True))
def test_any_list_agrees_in_a_slow_form(form: str, staircase: Staircase) -> None:
    assert tell(staircase, *RUNS[form]) == []


# Recalculating takes five seconds: those with the most kinds of cells in every run.
RECALCULATED = {"presence", "seen, asked again", "substitutes"}


@pytest.mark.parametrize(
    "example",
    [
        pytest.param(example, marks=() if example in RECALCULATED else only_exhaustive)
        for example in sorted(EXAMPLES)
    ],
)
def test_the_workbook_agrees_on_examples(example: str) -> None:
    pytest.importorskip("formulas")
    assert differences_of_book(EXAMPLES[example]) == []


@only_exhaustive
@settings(max_examples=5, suppress_health_check=list(HealthCheck))
@given(staircases(text=plain_texts(), max_questions=3, asked_again=True, substitutes=True))
def test_the_workbook_agrees_on_plain_lists(staircase: Staircase) -> None:
    pytest.importorskip("formulas")
    assert differences_of_book(staircase) == []


INTERPRETERS = [
    path
    for minor in range(8, 15)
    for path in sorted(Path.home().glob(f".pyenv/versions/3.{minor}.*/bin/python"))
    or filter(None, [shutil.which(f"python3.{minor}")])
]


@pytest.mark.parametrize("interpreter", INTERPRETERS, ids=str)
@pytest.mark.parametrize("example", ["table 1", "presence"])
def test_the_python_file_agrees_under_every_python(interpreter: Path, example: str) -> None:
    found = differences(
        EXAMPLES[example], "python", python_in_all_modes, interpreter=str(interpreter)
    )
    assert found == []


def test_every_exporter_is_compared() -> None:
    compared = {name.partition(":")[0] for name, _ in RUNS.values()} | {"excel"}
    assert compared == set(EXPORTS), "RUNS in this file has to run what is exported"
    assert set(DIALECTS) < set(RUNS)


# What a machine may lack; any other form that is not run is not written yet.
NEEDED = {
    "r": shutil.which("Rscript"),
    "docx": find_spec("docx"),
    "fhir": find_spec("fhirpathpy") and (ENGINES / "node_modules").is_dir(),
    "xlsform": find_spec("pyxform") and (ENGINES / "node_modules").is_dir(),
    "javascript": shutil.which("node"),
    "duckdb": find_spec("duckdb"),
    "postgresql": "",  # skipped with the command that installs it
    "mariadb": "",
}


@pytest.mark.parametrize("form", [name for name in RUNS if NEEDED.get(name, True)])
def test_a_form_is_run_where_its_program_is(form: str) -> None:
    assert differences(EXAMPLES["table 1"], *RUNS[form]) == []

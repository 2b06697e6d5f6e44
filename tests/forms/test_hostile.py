"""Whatever a list calls things, the generated files parse, agree, and execute nothing of it."""

from __future__ import annotations

import re
import zipfile
from io import BytesIO

import pytest

from scorecard.core.build_staircase import build_staircase
from scorecard.core.model import About, Condition, Question, ScoringList
from scorecard.core.policy import StoppingPolicy
from scorecard.core.staircase import Staircase
from scorecard.forms import FORMS
from scorecard.forms.found import NotRunError
from scorecard.forms.test_cases import vectors
from tests.exhaustive import EXHAUSTIVE
from tests.forms.compared import WRITTEN_AS_CODE, differences, javascript_served, python_here
from tests.forms.test_agreement import RUNS, SLOW
from tests.lists import stage

PIECES = (
    "'", '"', "`", "\\", "\n", "\r\n", "\t", '"""', "'''", "*/", "/*", "--", "#", "//", ";", "\\'",
    "</script>", "<!--", "]]>", "<img src=x onerror=alert(1)>", "'); DROP TABLE cases; --",
    '=HYPERLINK("http://example.org","x")', "+1+1", "-1+1", "@SUM(A1)", "=1+1", "=cmd|' /C x'!A1",
    "{{7*7}}", "{% raw %}", "{#", "${7*7}", "%s %(x)s %", "$(id)", "\u2028", "\u2029", "\u202e",
    "\ufeff", "\x1b[31m", "\x7f", "\x85", "🫀", "שלום", "é", "e\u0301", "__proto__", "constructor",
    "__import__('os').system('id')", "True", "None", "select", "rowid", "a" * 300, "_x0041_", "~*?",
)  # fmt: skip
TEXTS = tuple(
    dict.fromkeys(
        [*PIECES, *(f"a{one}b" for one in PIECES), *(f" {one}" for one in PIECES)]
        + [f"{one}\\" for one in PIECES]
    )
)


def hostile(text: str) -> Staircase:
    """A list that has the text wherever one can be."""
    name = text if text.strip() else f"x{text}"
    scoring_list = ScoringList(
        (
            Question(name, 2, Condition(">=", 65), label=text, unit=text, note=text),
            Question(
                f"{name}2",
                -1,
                Condition("in", categories=(text, "b"), choices=(text, "b", f"c{text}")),
                label=text,
            ),
            Question(f"{name}3", 1, Condition("not in", categories=(text,)), label=text),
        ),
        (
            stage(p0=0.3),
            stage(p0=0.2, p2=0.4),
            stage(m1=0.05, p0=0.2, p1=0.5, p2=0.6),
            stage(m1=0.05, p0=0.2, p1=0.5, p2=0.6, p3=0.9),
        ),
        About(*[text] * 13),
        provenance=((text, text),),
    )
    return build_staircase(scoring_list, StoppingPolicy(0.05, 0.9, by="point"))


def test_there_are_enough_of_them() -> None:
    assert len(TEXTS) >= 200


@pytest.mark.parametrize("text", TEXTS)
def test_every_form_agrees(text: str) -> None:
    thorough = EXHAUSTIVE or TEXTS.index(text) % 16 == 0
    forms = {
        **{form: run for form, run in RUNS.items() if thorough or form not in SLOW},
        "python": ("python", python_here),
        "javascript": ("javascript", javascript_served),
    }
    staircase, told, not_run = hostile(text), {}, {}
    for form in forms:
        try:
            told[form] = differences(staircase, *forms[form])
        except NotRunError as reason:
            not_run[form] = str(reason)
    assert told == {form: [] for form in told}
    # Programs of others may not be there, and a server may have no column of such a name.
    assert set(not_run) <= {"postgresql", "mariadb", "r", "xlsform", "fhir"}, not_run


def test_no_text_becomes_a_formula() -> None:
    for text in TEXTS:
        with zipfile.ZipFile(BytesIO(FORMS["excel"].make(hostile(text), None))) as book:
            names = [name for name in book.namelist() if name.startswith("xl/worksheets/sheet")]
            sheets = [book.read(name).decode() for name in names]
            assert not [
                name for name in book.namelist() if "external" in name or "_rels/sheet" in name
            ]
        for formula in re.findall(r"<f>(.*?)</f>", "".join(sheets), re.DOTALL):
            quoted = set(re.findall(r'"([^"]*)"', formula.replace("&quot;", '"')))
            assert quoted <= {
                "", "!", "?", "go on", "unknown", "yes", "no", "not understood",
                "look at the answers",
            }  # fmt: skip


@pytest.mark.parametrize("form", WRITTEN_AS_CODE)
def test_generated_text_hides_nothing(form: str) -> None:
    """No character that turns the reading order round or cannot be seen, and no other template."""
    for text in TEXTS:
        written = FORMS[form].make(hostile(text), None).decode()
        if form == "sql" and not text.isprintable():
            continue  # names and categories have to stand there as they are
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e]", written), repr(text)


def test_a_script_element_cannot_be_left() -> None:
    written = FORMS["javascript"].make(hostile("</script>"), None).decode()
    assert "</script" not in written
    assert "<!--" not in FORMS["javascript"].make(hostile("<!--"), None).decode()


def test_lines_stay_short() -> None:
    for text in ("a" * 300, "\u202e" * 120, "'\"" * 150, "word " * 80):
        written = FORMS["python"].make(hostile(text), None).decode()
        assert max(map(len, written.splitlines())) <= 100


def test_the_cases_visit_every_box() -> None:
    staircase = hostile("x")
    reached = {(v.result.stage, v.result.total) for v in vectors(staircase) if v.result}
    stops = {
        (step.number, box.total) for step in staircase.steps for box in step.boxes if box.stops
    }
    assert stops <= reached

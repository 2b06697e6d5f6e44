"""`check` finds what was changed: one cut-off, one points value, one risk, in every form."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from scorecard import __version__
from scorecard.api import make_card
from scorecard.cli import run
from scorecard.core.build_staircase import build_staircase
from scorecard.core.model import Condition, Question, ScoringList
from scorecard.core.policy import StoppingPolicy
from scorecard.documents.json_document import content_hash, dumps, short_hash
from scorecard.errors import ScorecardError
from scorecard.forms import FORMS
from scorecard.forms import check as verdicts
from scorecard.forms.card.contents import CardOptions
from scorecard.forms.card.make import Paper, card_page, card_pdf
from scorecard.forms.check import Verdict, check
from scorecard.forms.found import Work
from scorecard.forms.javascript import read as javascript
from scorecard.forms.printed import found
from tests.forms.compared import SUFFIXES
from tests.lists import SHARPENED, stage

LIST = ScoringList(
    (
        Question("age", 2, Condition(">=", 65), label="Age", unit="years"),
        Question("sex", 1, Condition("in", categories=("female",), choices=("female", "male"))),
        Question("smoker", 3),
    ),
    (
        stage(p0=0.3),
        stage(p0=0.21, p2=0.43),
        stage(p0=0.04, p1=0.32, p2=0.51, p3=0.62),
        stage(p0=0.01, p1=0.22, p2=0.33, p3=0.52, p4=0.73, p5=0.84, p6=0.97),
    ),
)
POLICY = StoppingPolicy(0.05, 0.95, by="point")
STAIRCASE = build_staircase(LIST, POLICY)


def written(folder: Path, form: str) -> Path:
    path = folder / f"evaluator{SUFFIXES[form]}"
    path.write_bytes(FORMS[form].make(STAIRCASE, None))
    return path


def changed(path: Path, pattern: str, new: str) -> None:
    """Change one place of a text file."""
    text = path.read_text(encoding="utf-8")
    result, count = re.subn(pattern, new, text, count=1)
    assert count == 1, pattern
    path.write_text(result, encoding="utf-8")


@pytest.mark.parametrize(
    ("said", "agrees", "disagrees", "fails"),
    [
        ({"tried": 9, "same_list": True}, True, False, False),
        ({"tried": 9, "same_list": True, "disagreements": 1}, False, True, True),
        ({"tried": 9, "same_list": False}, False, True, True),
        ({"tried": 9, "same_list": True, "in_part": "another version"}, False, False, True),
        ({"not_read": "a picture"}, False, False, True),
        ({"not_read": "a picture", "in_folder": True}, False, False, False),
    ],
    ids=lambda said: ", ".join(said) if isinstance(said, dict) else "",
)
def test_what_a_verdict_comes_to(
    said: dict[str, Any], agrees: bool, disagrees: bool, fails: bool
) -> None:
    verdict = Verdict(Path("card.py"), "Python", **said)
    assert (verdict.agrees, verdict.disagrees, verdict.fails) == (agrees, disagrees, fails)


@pytest.mark.parametrize("form", SUFFIXES)
def test_what_was_written_agrees(tmp_path: Path, form: str) -> None:
    for verdict in check(STAIRCASE, [written(tmp_path, form)]):
        assert verdict.agrees, verdict
        assert verdict.whole


FALSIFIED = {
    "python": {
        "cut-off": (r"'>=', 65,", "'>=', 66,"),
        "points": (r"\('age', 2,", "('age', 1,"),
        "risk": (r"'go on', 0\.43", "'go on', 0.44"),
        "risk of a stop": (r"'rule in', 0\.97", "'rule in', 0.96"),
        "count": (r"0\.43, None, None, None, None", "0.43, None, None, 10, 3"),
    },
    "json": {
        "cut-off": (r'"cutoff": 65', '"cutoff": 66'),
        "points": (r'"points": 2', '"points": 1'),
        "risk": (r'"probability": 0\.43', '"probability": 0.44'),
        "risk of a stop": (r'"probability": 0\.97', '"probability": 0.96'),
        "range": (r'"lower": null', '"lower": 0.0'),
    },
    "sql": {
        "cut-off": (r"BETWEEN 65e0", "BETWEEN 66e0"),
        "points": (r"THEN 2 ELSE 0", "THEN 1 ELSE 0"),
        "risk": (r"'rule out', 0.04e0", "'rule out', 0.05e0"),
        "risk of a stop": (r"'rule in', 0.97e0", "'rule in', 0.96e0"),
    },
}
FALSIFIED["r"] = {
    "cut-off": (r"cutoff = 65", "cutoff = 66"),
    "points": (r"points = 2L", "points = 1L"),
    "risk": (r"0\.43", "0.44"),
    "risk of a stop": (r"0\.97", "0.96"),
}
FALSIFIED["javascript"] = FALSIFIED["json"]


@pytest.mark.parametrize(
    ("form", "change"),
    [(form, change) for form, changes in FALSIFIED.items() for change in changes],
)
def test_one_change_is_found(tmp_path: Path, form: str, change: str) -> None:
    path = written(tmp_path, form)
    changed(path, *FALSIFIED[form][change])
    verdicts = check(STAIRCASE, [path])
    for verdict in verdicts:
        assert verdict.disagrees
        assert verdict.first


@pytest.mark.parametrize(
    ("sheet", "pattern", "new"),
    [
        ("sheet1", r'(<c r="F[0-9]+"[^>]*>)<v>65</v>', r"\1<v>66</v>"),
        ("sheet1", r'(<c r="E[0-9]+"[^>]*>)<v>2</v>', r"\1<v>1</v>"),
        ("sheet2", r"<v>0\.97</v>", "<v>0.96</v>"),
    ],
    ids=["cut-off", "points", "risk"],
)
def test_one_change_in_the_workbook_is_found(
    tmp_path: Path, sheet: str, pattern: str, new: str
) -> None:
    pytest.importorskip("formulas")
    path = written(tmp_path, "excel")
    in_workbook(path, f"xl/worksheets/{sheet}.xml", pattern, new)
    (verdict,) = check(STAIRCASE, [path])
    assert verdict.disagrees
    assert verdict.first


def test_a_workbook_of_another_version_is_told_by_name(tmp_path: Path) -> None:
    path = written(tmp_path, "excel")
    in_workbook(path, "docProps/core.xml", re.escape(__version__), "0.1.0")
    (verdict,) = check(STAIRCASE, [path])
    assert verdict.in_part.startswith(f"scorecard 0.1.0 made it, and this is {__version__}")
    assert verdict.again.startswith("scorecard export MODEL --to excel")
    assert verdict.fails
    (verdict,) = check(STAIRCASE, [path], decisions_only=True)
    assert not verdict.fails


def in_workbook(path: Path, name: str, pattern: str, new: str) -> None:
    with zipfile.ZipFile(path) as book:
        parts = {one: book.read(one) for one in book.namelist()}
    text, count = re.subn(pattern, new, parts[name].decode(), count=1)
    assert count == 1
    parts[name] = text.encode()
    with zipfile.ZipFile(path, "w") as book:
        for one, content in parts.items():
            book.writestr(one, content)


OPTIONS = CardOptions(identity=short_hash(LIST))

CARD_CHANGES: dict[str, Callable[[ScoringList], ScoringList]] = {
    "cut-off": lambda one: replace(
        one,
        questions=(
            replace(one.questions[0], condition=Condition(">=", 66)),
            *one.questions[1:],
        ),
    ),
    "risk": lambda one: replace(
        one, stages=(*one.stages[:1], stage(p0=0.21, p2=0.45), *one.stages[2:])
    ),
    "stop": lambda one: replace(
        one, stages=(*one.stages[:2], stage(p0=0.06, p1=0.32, p2=0.51, p3=0.62), one.stages[3])
    ),
}


@pytest.mark.parametrize("language", ["de", "es", "fr"])
def test_a_card_agrees(tmp_path: Path, language: str) -> None:
    files = [tmp_path / f"card.{kind}" for kind in ("pdf", "html")]
    for file in files:
        file.write_bytes(make_card(LIST, file.suffix[1:], policy=POLICY, language=language))
    for verdict in check(STAIRCASE, files):
        assert verdict.agrees, verdict
        assert verdict.whole


def test_a_language_is_also_known_by_the_questions_that_only_sharpen(tmp_path: Path) -> None:
    first, smoker, last = SHARPENED.questions
    finer = replace(last, condition=Condition(">=", 50.5))
    sharpened = replace(SHARPENED, questions=(first, smoker, finer))
    policy = StoppingPolicy(0.1, 0.9, by="point")
    card = tmp_path / "card.pdf"
    card.write_bytes(make_card(sharpened, policy=policy, language="de"))
    work = Work(build_staircase(sharpened, policy))
    assert found(card.read_bytes(), None, work).faults == []


@pytest.mark.parametrize("size", ["a6", "credit-card"])
@pytest.mark.parametrize("change", CARD_CHANGES)
def test_a_changed_card_is_found(tmp_path: Path, change: str, size: str) -> None:
    other, paper = CARD_CHANGES[change](LIST), Paper(size)
    pdf, html = tmp_path / "card.pdf", tmp_path / "card.html"
    pdf.write_bytes(card_pdf(other, POLICY, OPTIONS, paper).content)
    html.write_bytes(card_page(other, POLICY, OPTIONS, paper).content)
    for verdict in check(STAIRCASE, [pdf, html]):
        assert verdict.disagrees, verdict
        assert verdict.first


def test_the_document_agrees_and_another_list_does_not(tmp_path: Path) -> None:
    same, other = tmp_path / "same.json", tmp_path / "other.json"
    same.write_bytes(dumps(LIST))
    other.write_bytes(dumps(CARD_CHANGES["cut-off"](LIST)))
    first, second = check(STAIRCASE, [same, other])
    assert first.agrees
    assert second.disagrees


def test_a_card_of_an_older_list_in_the_same_folder_is_told(tmp_path: Path) -> None:
    older = replace(CARD_CHANGES["cut-off"](LIST), policy=POLICY)
    words = replace(LIST, about=replace(LIST.about, title="Herz"), policy=POLICY)
    for name, one in (("now", LIST), ("now-de", words), ("older", older)):
        (tmp_path / f"{name}.json").write_bytes(dumps(replace(one, policy=POLICY)))
        (tmp_path / f"{name}.pdf").write_bytes(make_card(one, policy=POLICY))
    staircase = build_staircase(replace(LIST, policy=POLICY), POLICY)
    found = {one.path.name: one for one in check(staircase, [tmp_path])}
    assert {name for name, one in found.items() if one.other_list} == {"older.json", "older.pdf"}
    assert not any(one.disagrees for one in found.values() if one.path.suffix == ".json")


def test_another_hash_is_found(tmp_path: Path) -> None:
    path = written(tmp_path, "json")
    changed(path, r"sha256:[0-9a-f]{64}", f"sha256:{'0' * 64}")
    (verdict,) = check(STAIRCASE, [path])
    assert not verdict.same_list
    assert "changed by hand: model is 'sha256:000" in verdict.first


def test_every_row_of_a_table_is_tried(tmp_path: Path) -> None:
    path = written(tmp_path, "python")
    changed(path, "# --- Deciding", "# --- Deciding!")
    rows = [{"age": "70", "sex": "male", "smoker": "yes"}] * 5
    run = partial(check, STAIRCASE, [path], run_changed=True, decisions_only=True)
    (without,), (with_rows,) = run(), run(rows)
    assert with_rows.tried == without.tried + 5
    assert not with_rows.fails


def test_a_missing_tool_is_not_a_pass(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written(tmp_path, "javascript")
    changed(path, "export function", "export  function")
    monkeypatch.setattr(javascript.shutil, "which", lambda _name: None)
    (verdict,) = check(STAIRCASE, [path], run_changed=True)
    assert verdict.disagrees
    assert "it was changed: line" in verdict.first
    assert verdict.first.endswith("; node is not installed")


@pytest.mark.parametrize(
    ("name", "content", "word"),
    [
        ("card.py", "import nothing_of_that_name", "ModuleNotFoundError"),
        ("card.py", "raise SystemExit(3)", "no message"),
        ("card.js", "export const x = ;", "SyntaxError"),
        ("card.sql", "SELECT", "refuses"),
        ("card.json", "{", "not JSON"),
        ("card.json", json.dumps({"format": "scorecard-decisions/2"}), "not a decision table"),
        ("card.xlsx", "nothing", "not a workbook"),
        ("card.pdf", "nothing", "not a PDF"),
        ("card.html", "<p>nothing</p>", "No table"),
    ],
)
def test_a_broken_file_disagrees(tmp_path: Path, name: str, content: str, word: str) -> None:
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    for verdict in check(STAIRCASE, [path], run_changed=True):
        assert verdict.disagrees
        assert word in verdict.first or "node is not" in verdict.first


@pytest.mark.parametrize("name", ["card.py", "card.js", "card.sql"])
def test_nothing_foreign_is_run(tmp_path: Path, name: str) -> None:
    path, trace = tmp_path / name, tmp_path / "trace"
    path.write_text(f"open({str(trace)!r}, 'w')", encoding="utf-8")
    for verdict in check(STAIRCASE, [path]):
        assert verdict.first.startswith("it was not written by scorecard")
        assert 'line 1 is "open(' in verdict.first
        assert verdict.tried == 0
    assert not trace.exists()


@pytest.mark.parametrize(
    ("name", "content"),
    [("cases.csv", "age,ill\n65,yes\n"), ("README.md", "# Our ward\n"), ("plot.R", "plot(1)\n")],
)
def test_a_file_of_somebody_is_not_called_one_of_ours(
    tmp_path: Path, name: str, content: str
) -> None:
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    (inside,) = check(STAIRCASE, [tmp_path])
    assert not inside.fails
    assert (inside.form, inside.not_read) == ("–", verdicts.NOT_OURS)
    (named,) = check(STAIRCASE, [path])
    assert named.fails
    assert "not written by scorecard" in named.first


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ScorecardError, match="is not there"):
        check(STAIRCASE, [tmp_path / "card.py"])


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("card.txt", "", ".txt is no form; what can be checked is .py, .js"),
        ("card", "", "such a file is no form; what can be checked is .py"),
        ("card.PNG", "", "a picture, not comparable; what can be checked is .py"),
        ("report.html", '<main><section class="findings"></section></main>', "no card in it"),
    ],
)
def test_what_cannot_be_read_does_not_keep_others_from_being_checked(
    tmp_path: Path, name: str, content: str, reason: str
) -> None:
    path, other = tmp_path / name, written(tmp_path, "json")
    path.write_text(content)
    unread, checked = check(STAIRCASE, [path, other])
    assert reason in unread.not_read
    assert not unread.agrees
    assert not unread.disagrees
    assert checked.agrees


def test_the_report_is_known_by_what_its_template_writes(root: Path) -> None:
    assert verdicts.REPORT in (root / "templates/report/report.html.j2").read_bytes()


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("size", ["a6", "credit-card"])
def test_other_limits_are_told_and_not_the_language(
    tmp_path: Path, language: str, size: str
) -> None:
    """A decimal comma in a question is no difference, wherever the first real one is."""
    fraction = replace(LIST.questions[0], condition=Condition(">=", 65.5))
    scoring_list = replace(LIST, questions=(fraction, *LIST.questions[1:]))
    look: dict[str, Any] = {"language": language, "size": size}
    look["policy"] = StoppingPolicy(0.02, 0.9, by="point")
    files = [tmp_path / "card.pdf", tmp_path / "card.html"]
    for file in files:
        file.write_bytes(make_card(scoring_list, file.suffix[1:], **look))
    for verdict in check(build_staircase(scoring_list, POLICY), files):
        assert verdict.same_list
        assert verdict.first == (
            "it was made with other limits: rule_out 0.02, here 0.05; rule_in 0.9, here 0.95"
        )


def test_a_complaint_is_one_sentence_with_its_hint(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model, card, other = (tmp_path / name for name in ("m.json", "card.html", "other.html"))
    point = replace(LIST, policy=StoppingPolicy(by="point"))
    model.write_bytes(dumps(point))
    card.write_bytes(make_card(point, "html", policy=StoppingPolicy(0.02, 0.9, by="point")))
    other.write_text("<p>nothing</p>", encoding="utf-8")
    assert run(["check", str(model), str(card), str(other)]) == 1
    first, second = capsys.readouterr().out.splitlines()[-2:]
    assert "rule_in 0.9, here 0.95; it names this list: see --rule-out and --rule-in." in first
    assert second.endswith("is on this card.")
    model.write_bytes(dumps(replace(point, about=replace(LIST.about, title="Another"))))
    assert run(["check", str(model), str(card)]) == 1
    whole = capsys.readouterr().out.splitlines()[-1]
    made = f"it was made from another list, {content_hash(point)[:8]}"
    assert f"web page: {made}; it was made with other limits: rule_out" in whole


@pytest.mark.parametrize("form", ["python", "sql", "javascript"])
def test_other_limits_are_told_from_changes_by_hand(tmp_path: Path, form: str) -> None:
    stricter = build_staircase(LIST, StoppingPolicy(0.02, 0.95, by="point"))
    path = written(tmp_path, form)
    verdict = check(stricter, [path])[0]
    assert verdict.same_list
    assert verdict.first.startswith("it was written for another list or other limits: line ")
    assert verdict.disagreements == 1
    assert "rule out at 0 or less" in verdict.first
    run = check(stricter, [path], run_changed=True)[0]
    assert run.disagreements > 1 or "node is not" in run.first


def test_what_another_version_made_is_called_so(tmp_path: Path) -> None:
    """Files of version 0.1 had no seal: they were not changed by hand."""
    target = tmp_path / "evaluator.py"
    target.write_text('"""Chest pain?\n\nWritten by scorecard 0.1.0 for a list.\n"""\n')
    (verdict,) = check(STAIRCASE, [target])
    assert verdict.disagrees
    assert verdict.first.startswith("scorecard 0.1.0 made it, and this is")
    assert "make it again" in verdict.first


def test_what_another_version_made_is_compared_in_what_it_decides(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model, card = tmp_path / "model.json", tmp_path / "card.html"
    point = replace(LIST, policy=POLICY)
    model.write_bytes(dumps(point))
    page = make_card(point, "html", size="a5").decode()
    card.write_text(page.replace("&#34;version&#34;: &#34;", "&#34;version&#34;: &#34;0.0."))
    command = ["check", str(model), str(card)]
    assert run(command) == 1
    said = capsys.readouterr().out
    assert "scorecard 0.0." in said
    assert "make it again: scorecard card MODEL -o card.html --size a5" in said
    assert run([*command, "--decisions-only"]) == 0
    assert "what it decides was compared" in capsys.readouterr().out


def test_only_decisions_are_compared_where_that_is_asked_for(tmp_path: Path) -> None:
    path = written(tmp_path, "json")
    changed(path, '"label": "Age"', '"label": "Years"')
    (whole,) = check(STAIRCASE, [path])
    (decided,) = check(STAIRCASE, [path], decisions_only=True)
    assert whole.disagrees
    assert (decided.disagrees, decided.fails, decided.agrees) == (False, False, False)
    changed(path, '"points": 2', '"points": 1')
    (decided,) = check(STAIRCASE, [path], decisions_only=True)
    assert decided.disagrees

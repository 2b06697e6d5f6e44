"""The generated Python file as a program: what one types, what comes back."""

from __future__ import annotations

import ast
import csv
import io
import itertools
import json
import re
import runpy
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from scorecard import export
from scorecard.core.build_staircase import build_staircase
from scorecard.core.model import About, Condition, Question, ScoringList
from scorecard.core.policy import StoppingPolicy
from scorecard.core.question import Substitute, inputs_of
from scorecard.core.staircase import Staircase
from scorecard.forms.python.make import make
from tests import processes
from tests.lists import SHARPENED, counted, stage

LIST = ScoringList(
    (
        Question("age", 2, Condition(">=", 65), label="Age", unit="years"),
        Question("sex", -1, Condition("in", categories=("female",), choices=("female", "male"))),
        Question("json", 1, label="Likes JSON"),
    ),
    (
        stage(p0=0.3),
        stage(p0=0.2, p2=0.4),
        stage(m1=0.05, p0=0.2, p1=0.5, p2=0.6),
        stage(m1=0.05, p0=0.2, p1=0.5, p2=0.6, p3=0.9),
    ),
    About(title="A list", rule_in="treat"),
)
STAIRCASE = build_staircase(LIST, StoppingPolicy(0.05, 0.9, by="point"))


@pytest.fixture(scope="module")
def card(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("python") / "card.py"
    path.write_bytes(make(STAIRCASE))
    return path


def run(card: Path, *arguments: str, said: str = "") -> subprocess.CompletedProcess[str]:
    return processes.run(
        [sys.executable, "-I", "-S", str(card), *arguments],
        input=said,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def test_one_case(card: Path) -> None:
    done = run(card, "--age", "70", "--sex", "male", "--input-json", "yes")
    assert done.stdout == "Likes JSON yes: yes. Total 3, risk 90.0% (? to ?): treat\n"
    assert (done.returncode, done.stderr) == (0, "")


def test_one_case_as_json(card: Path) -> None:
    done = run(card, "--age", "70", "--json")
    result = json.loads(done.stdout)
    assert (result["decision"], result["totals"]) == ("unknown", [1, 3])


def test_every_step_is_explained(card: Path) -> None:
    done = run(card, "--age", "64", "--sex", "female", "--explain")
    assert [line.rpartition(": ")[2] for line in done.stdout.splitlines()] == [
        "go on",
        "go on",
        "rule out",
    ]


def test_questions_are_asked_until_it_is_clear(card: Path) -> None:
    done = run(card, said="old\n64\nfemale\n")
    assert "'age': 'old' came, expected a number with decimal point in years or unknown" in (
        done.stdout
    )
    assert "Likes JSON" not in done.stdout
    assert done.stdout.endswith("rule out\n")
    assert done.returncode == 0


def test_a_number_without_a_unit_is_asked_for_without_one(tmp_path: Path) -> None:
    plain = ScoringList((Question("ph", 1, Condition(">=", 7.4)),), (None, stage(p0=0.1, p1=0.9)))
    path = tmp_path / "ph.py"
    path.write_bytes(make(build_staircase(plain, StoppingPolicy(by="point"))))
    done = run(path, "--ph", "low")
    assert "'ph': 'low' came, expected a number with decimal point or unknown" in done.stderr


def test_answers_that_end_too_early_are_refused(card: Path) -> None:
    done = run(card, said="64\n")
    assert (done.returncode, done.stderr) == (1, "stopped before there was a result\n")


@processes.needs_interrupts
def test_an_interrupt_ends_without_a_traceback(card: Path) -> None:
    command = [sys.executable, "-I", "-S", "-u", str(card)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with processes.started(command, **pipes, encoding="utf-8") as asking:
        assert asking.stdout is not None
        assert asking.stdout.read(3)  # the question stands there
        asking.send_signal(signal.SIGINT)
        _, complaint = processes.rest_of(asking)
    assert (asking.returncode, complaint) == (1, "stopped before there was a result\n")


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (("--age", "64,5"), "'age': '64,5' came"),
        (("--age", "64 months"), "expected a number with decimal point in years or unknown"),
        (("--age", "1e999"), "'age': '1e999' came"),
        (("--sex", "Female"), "'sex': 'Female' came, expected one of ('female', 'male')"),
        (("--input-json", "perhaps"), "'json': 'perhaps' came, expected yes, no or unknown"),
        (("nowhere.csv",), "nowhere.csv"),
    ],
)
def test_what_is_no_answer_is_named(card: Path, arguments: Sequence[str], word: str) -> None:
    done = run(card, *arguments)
    assert done.returncode == 1
    assert word in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_the_unit_of_a_question_may_stand_behind_its_number(card: Path) -> None:
    with_unit, plain = (run(card, "--age", value) for value in ("64 years", "64"))
    assert (with_unit.returncode, with_unit.stdout) == (0, plain.stdout)


def test_a_wrong_option_is_wrong_usage(card: Path) -> None:
    assert run(card, "--ag", "64").returncode == 2


def test_a_table(card: Path, tmp_path: Path) -> None:
    table, out = tmp_path / "cases.csv", tmp_path / "out.csv"
    table.write_text(
        "\ufeffid;age;sex;json;total\n1;70;male;yes;x\n2;;female;no;y\n3;64;other;no;z\n\n4;64\n",
        encoding="utf-8",
    )
    done = run(card, str(table), "-o", str(out))
    assert done.stderr == "2 rows have a problem, named in their last column\n"
    assert done.returncode == 1
    rows = list(csv.DictReader(io.StringIO(out.read_text(encoding="utf-8")), delimiter=";"))
    assert [row["scorecard_decision"] for row in rows] == ["rule in", "unknown", "", ""]
    assert [row["total"] for row in rows] == ["x", "y", "z", ""]
    assert [row["scorecard_total"] for row in rows] == ["3", "", "", ""]
    assert rows[2]["scorecard_problem"].startswith("'sex': 'other' came")
    assert rows[3]["scorecard_problem"] == "2 fields came, expected 5"


def test_a_table_through_pipes(card: Path) -> None:
    done = run(card, "-", said="age,sex,json\n70,male,yes\n")
    assert done.stdout.splitlines()[1] == "70,male,yes,rule in,3,3,0.9,,,,,,"
    assert done.returncode == 0


def test_nothing_is_overwritten(card: Path, tmp_path: Path) -> None:
    table = tmp_path / "cases.csv"
    table.write_text("age,sex,json\n", encoding="utf-8")
    done = run(card, str(table), "-o", str(table))
    assert done.returncode == 1
    assert "exists" in done.stderr
    assert table.read_text(encoding="utf-8") == "age,sex,json\n"


def test_a_missing_column_is_named(card: Path) -> None:
    done = run(card, "-", said="age,Sex,json\n")
    assert done.stderr == "expected one column 'sex'; the columns are age, Sex, json\n"


def test_a_long_table_takes_no_more_memory(card: Path, tmp_path: Path) -> None:
    """Peak memory of 20,000 rows, all values different, against that of 5,000."""
    script = (
        "import runpy, sys, tracemalloc; sys.argv[:] = sys.argv[1:]; tracemalloc.start()\n"
        "try: runpy.run_path(sys.argv[0], run_name='__main__')\n"
        "except SystemExit: pass\n"
        "print(tracemalloc.get_traced_memory()[1], file=sys.stderr)"
    )
    peaks = []
    for rows in (5_000, 20_000):
        table = tmp_path / f"{rows}.csv"
        lines = (f"{number / 7!r},male,yes" for number in range(rows))
        table.write_text("\n".join(["age,sex,json", *lines]), encoding="utf-8")
        out = tmp_path / f"{rows}.out.csv"
        command = [sys.executable, "-c", script, str(card), str(table), "-o", str(out)]
        done = processes.run(command, capture_output=True, encoding="utf-8", check=True)
        assert len(out.read_text(encoding="utf-8").splitlines()) == rows + 1
        peaks.append(int(done.stderr.split()[-1]))
    assert peaks[1] < 1.1 * peaks[0]


def test_it_says_what_it_is(card: Path) -> None:
    assert run(card, "--version").stdout.startswith("sha256:")
    assert run(card, "--selftest").stdout == "ok\n"
    assert "--age ANSWER" in run(card, "--help").stdout


@pytest.mark.parametrize(
    ("old", "new"),
    [("'>=', 65", "'>=', 66"), ("'age', 2", "'age', 3"), ("0.4, None", "0.41, None")],
)
def test_the_self_test_finds_a_change(card: Path, tmp_path: Path, old: str, new: str) -> None:
    text = card.read_text(encoding="utf-8")
    assert text.count(old) == 1
    changed = tmp_path / "changed.py"
    changed.write_text(text.replace(old, new), encoding="utf-8")
    assert run(changed, "--selftest").returncode == 1


def test_functions_are_short(card: Path) -> None:
    tree = ast.parse(card.read_text(encoding="utf-8"))
    lengths = {
        node.name: node.end_lineno - node.lineno + 1
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.end_lineno
    }
    assert max(lengths.values()) <= 40, lengths


def test_people_can_read_it(card: Path) -> None:
    lines = card.read_text(encoding="utf-8").splitlines()
    assert max(map(len, lines)) <= 100
    check = [sys.executable, "-m", "ruff", "check", "--isolated", "--no-cache", str(card)]
    done = processes.run(check, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout


def six_questions(points: Sequence[int], boxes: int) -> Staircase:
    """With ranges, and nobody stopping early: so many totals."""
    patterns = {f"{number:06b}": (40, number // 2) for number in range(64)}
    staircase = build_staircase(counted(tuple(points), patterns), StoppingPolicy(0, 1))
    assert sum(len(step.boxes) for step in staircase.steps) == boxes
    return staircase


def test_every_question_and_every_box_has_its_line(card: Path) -> None:
    lines = card.read_text(encoding="utf-8").splitlines()
    assert sum(line.startswith("    Question(") for line in lines) == len(LIST.questions)
    boxes = sum(len(step.boxes) for step in STAIRCASE.steps)
    assert sum(bool(re.match(r"    \(\d+, -?\d+\): Box\(", line)) for line in lines) == boxes


@pytest.mark.parametrize(
    ("points", "boxes"), [((4, 1, 3, 2, 6, 1), 60), ((1, 2, 4, 8, 16, 32), 127)]
)
def test_many_boxes_do_not_make_it_wider(points: Sequence[int], boxes: int) -> None:
    lines = make(six_questions(points, boxes)).decode().splitlines()
    assert max(map(len, lines)) <= 100


def test_nothing_but_the_standard_library_is_imported(card: Path) -> None:
    imports = [
        line.split()[1]
        for line in card.read_text(encoding="utf-8").splitlines()
        if line.startswith(("import ", "from "))
    ]
    assert set(imports) <= sys.stdlib_module_names


@pytest.fixture(scope="module")
def ages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    asked = tuple(Question("age", p, Condition(">=", c)) for p, c in ((2, 65), (1, 50)))
    stages = (stage(p0=0.5), stage(p0=0.3, p2=0.6), stage(p0=0.1, p1=0.4, p2=0.5, p3=0.9))
    path = tmp_path_factory.mktemp("python") / "ages.py"
    staircase = build_staircase(ScoringList(asked, stages), StoppingPolicy(0.1, 0.9, by="point"))
    path.write_bytes(make(staircase))
    return path


@pytest.mark.parametrize(
    ("said", "asked", "total"),
    [("57\n", 1, 1), ("yes\n", 1, 3), ("no\nno\n", 2, 0), ("?\nno\n", 2, "0 to 2")],
)
def test_a_value_is_asked_for_once(ages: Path, said: str, asked: int, total: object) -> None:
    done = run(ages, said=said)
    assert done.stdout.count("? (yes, no, a value") == asked
    assert done.stdout.splitlines()[-1].split("Total ")[1].startswith(f"{total},")


def test_a_yes_for_an_input_with_several_questions_is_refused(ages: Path) -> None:
    assert "total 3" in run(ages, "--age", "70").stdout.lower()
    done = run(ages, "--age", "yes")
    assert done.stderr.strip() == (
        "'age': 'yes' came, expected its value, for several questions ask for it, or unknown"
    )
    assert run(ages, "--selftest").stdout == "ok\n"


@pytest.fixture(scope="module")
def sharpened(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("python") / "sharpened.py"
    path.write_bytes(make(build_staircase(SHARPENED, StoppingPolicy(0.1, 0.9, by="point"))))
    return path


def test_who_is_undecided_may_go_on(sharpened: Path) -> None:
    stopped = run(sharpened, "--age", "70")
    assert "Total 2, risk 50.0%" in stopped.stdout
    further = run(sharpened, "--age", "70", "--smoker", "yes", "--sharpen")
    assert "Total 4, risk 80.0%" in further.stdout
    assert further.stdout.rstrip().endswith("undecided")


def test_going_on_is_offered(sharpened: Path) -> None:
    stopped, further = run(sharpened, said="70\nno\n"), run(sharpened, said="70\nyes\nno\n")
    assert "Go on, only for a sharper risk?" in stopped.stdout
    assert "Total 2, risk 50.0%" in stopped.stdout.splitlines()[-1]
    assert "Total 3, risk 50.0%" in further.stdout.splitlines()[-1]
    assert "Go on" not in run(sharpened, said="40\n").stdout


def test_a_table_needs_what_only_sharpens_if_that_is_wanted(
    sharpened: Path, tmp_path: Path
) -> None:
    table = tmp_path / "cases.csv"
    table.write_text("age\n70\n")
    assert run(sharpened, str(table)).stdout.splitlines()[1].startswith("70,undecided,1,2,0.5")
    assert "expected one column 'smoker'" in run(sharpened, str(table), "--sharpen").stderr


def test_an_input_may_be_called_as_on_the_card(card: Path, tmp_path: Path) -> None:
    by_name = run(card, "-", said="age,sex,json\n70,male,yes\n").stdout.splitlines()
    by_label = run(card, "-", said="age,sex,Likes JSON\n70,male,yes\n").stdout.splitlines()
    assert by_label[1] == by_name[1]
    both = run(card, "-", said="age,sex,json,Likes JSON\n70,male,yes,no\n").stdout.splitlines()
    assert both[1].split(",")[4:] == by_name[1].split(",")[3:]  # a column of its own name counts
    module = runpy.run_path(str(card))
    called = {"age": 70, "sex": "male", "Likes JSON": True}
    assert module["evaluate"](called) == module["evaluate"]({"age": 70, "sex": "male", "json": 1})
    with pytest.raises(ValueError, match="'json' came twice, by its name and by its label"):
        module["evaluate"]({"json": 1, "Likes JSON": 1})
    script = tmp_path / "card.mjs"
    script.write_bytes(export(LIST, "javascript", policy=STAIRCASE.policy))
    said = node(script, called), node(script, {"age": 70, "sex": "male", "json": True})
    assert said[0] == said[1] != ""
    assert "came twice" in node(script, {"json": True, "Likes JSON": True})
    age, smoker, again = SHARPENED.questions
    asked = (age, replace(smoker, label="Smokes"), again)
    limits = StoppingPolicy(0.1, 0.9, by="point")
    script.write_bytes(export(replace(SHARPENED, questions=asked), "javascript", policy=limits))
    only_sharpens = node(script, {"Age": 70, "Smokes": True})
    assert only_sharpens == node(script, {"age": 70, "smoker": True})
    assert '"undecided"' in only_sharpens


SCALARS = [np.float64(70), np.float32(12.5), np.int64(64), np.int64(65), np.bool_(True), True, 64.9]
SCALARS += [pd.NA, pd.NaT, np.nan, np.float32("nan"), None]
YES_NO = [np.bool_(True), np.bool_(False), np.int64(1), np.float64(0), pd.NA, np.nan, None]


def test_scalars_of_numpy_and_pandas_are_what_they_are_in_python(card: Path) -> None:
    found = runpy.run_path(str(card))
    for age, likes in itertools.product(SCALARS, YES_NO):
        plain = {
            name: None if pd.isna(one) else one.item() if isinstance(one, np.generic) else one
            for name, one in {"age": age, "json": likes}.items()
        }
        said = {"age": age, "sex": np.str_("male"), "json": likes}
        assert found["evaluate"](said) == found["evaluate"]({**plain, "sex": "male"})
        assert STAIRCASE.decide(said) == STAIRCASE.decide({**plain, "sex": "male"})
    for answers in itertools.product([np.bool_(True), np.bool_(False), pd.NA, np.nan], repeat=3):
        plain_answers = [None if pd.isna(one) else bool(one) for one in answers]
        assert found["decide"](answers) == found["decide"](plain_answers)
        assert STAIRCASE.decide(answers) == STAIRCASE.decide(plain_answers)


@pytest.mark.parametrize(("kind", "decision"), [("missing", "rule in"), ("present", "rule out")])
def test_nothing_at_all_is_missing(kind: Any, decision: str, tmp_path: Path) -> None:
    listed = ScoringList((Question("x", 1, Condition(kind)),), (None, stage(p0=0.01, p1=0.99)))
    limits = StoppingPolicy(0.1, 0.9, by="point")
    file = tmp_path / "card.py"
    file.write_bytes(export(listed, "python", policy=limits))
    evaluate = runpy.run_path(str(file))["evaluate"]
    assert {evaluate({"x": one})["decision"] for one in (None, float("nan"), "")} == {decision}


def test_only_the_functions_that_read_its_answers_are_in_it() -> None:
    numbers = ScoringList((Question("age", 1, Condition(">=", 65)),), (None, stage(p0=0.01, p1=1)))
    text = export(numbers, "python").decode()
    assert "def read_number" in text
    assert not re.findall("def read_(?:category|yes_no|presence)", text)
    assert not any(name in text for names in ONLY_FOR.values() for name in names)


ONLY_FOR = {
    "substitutes": ("SUBSTITUTES", "\nASKED =", "is_unknown"),
    "repeats": ("ASKED_AGAIN", "SETTLED", "def read_value", "def is_answer", "already_settled("),
    "units": ("def without_unit",),
    "sharpening": ("YES =", "can_go_on"),
    "not asked": ("NOT_ASKED",),
}
QUICK_TEST = Substitute("test", Condition(">=", 5))
WITHOUT_UNITS = tuple(replace(one, unit="") for one in SHARPENED.questions)
SUBSTITUTED = tuple(
    replace(one, if_unknown=QUICK_TEST) if one.input == "age" else one for one in WITHOUT_UNITS
)
AGE_OR_TEST = (replace(LIST.questions[0], if_unknown=QUICK_TEST), *LIST.questions[1:])


@pytest.mark.parametrize(
    ("listed", "limits", "needs"),
    [
        (LIST, (0.05, 0.9), {"units"}),
        (SHARPENED, (0.1, 0.9), {"units", "repeats", "sharpening"}),
        (replace(SHARPENED, questions=WITHOUT_UNITS), (0.02, 0.8), {"repeats"}),
        (replace(SHARPENED, questions=SUBSTITUTED), (0.02, 0.8), {"repeats", "substitutes"}),
        (replace(LIST, questions=AGE_OR_TEST), (0.05, 0.9), {"units", "substitutes"}),
        (replace(SHARPENED, questions=WITHOUT_UNITS), (0.06, 0.45), {"repeats", "not asked"}),
    ],
)  # fmt: skip
def test_what_a_list_does_not_need_is_not_in_its_file(
    listed: ScoringList, limits: tuple[float, float], needs: set[str], tmp_path: Path
) -> None:
    file = tmp_path / "card.py"
    file.write_bytes(export(listed, "python", policy=StoppingPolicy(*limits, by="point")))
    text = file.read_text(encoding="utf-8")
    for feature, names in ONLY_FOR.items():
        for name in names:
            assert (name in text) == (feature in needs), (feature, name)
    assert run(file, "--selftest").stdout == "ok\n"
    test_people_can_read_it(file)  # no name is used that is not there


# Used as a module --------------------------------------------------------------------------------

SUBSTITUTED_LIST = replace(SHARPENED, questions=SUBSTITUTED)
POINT = StoppingPolicy(0.1, 0.9, by="point")
LISTS: dict[str, tuple[ScoringList, StoppingPolicy]] = {
    "plain": (LIST, STAIRCASE.policy),
    "sharpened": (SHARPENED, POINT),
    "substitutes": (SUBSTITUTED_LIST, StoppingPolicy(0.02, 0.8, by="point")),
    "substitutes of one": (replace(LIST, questions=AGE_OR_TEST), STAIRCASE.policy),
}


def cases_of(listed: ScoringList) -> list[dict[str, object]]:
    """Every combination of some values that the inputs of a list may have."""
    values: dict[str, tuple[object, ...]] = {"age": (40, 55, 70, None), "test": (4, 6, None)}
    values |= {"sex": ("female", "male", None)}
    asked = inputs_of(listed.questions)
    ways = itertools.product(*(values.get(name, (True, False, None)) for name in asked))
    return [dict(zip(asked, way, strict=True)) for way in ways]


def one_by_one(case: dict[str, object], ask: Any) -> dict[str, object]:
    """What has been said of a case when nothing more is asked for."""
    said: dict[str, object] = {}
    while (name := ask(said)) is not None:
        assert name not in said
        said[name] = case[name]
    return said


@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("sharpen", [False, True])
def test_who_is_asked_the_next_question_gets_the_same_decision(
    name: str, sharpen: bool, tmp_path: Path
) -> None:
    listed, limits = LISTS[name]
    file = tmp_path / "card.py"
    file.write_bytes(export(listed, "python", policy=limits))
    module, staircase = runpy.run_path(str(file)), build_staircase(listed, limits)
    questions = staircase.scoring_list.questions

    def ask(said: dict[str, object]) -> str | None:
        found = module["next_question"](said, sharpen)
        return None if found is None else found.input  # type: ignore[no-any-return]

    for case in cases_of(listed):
        said = one_by_one(case, ask)
        due = staircase.decide(case, sharpen=sharpen)
        found = module["evaluate"](said, sharpen)
        assert found["decision"] == due.decision
        if due.decision != "unknown":  # then there is nothing to sharpen
            assert (found["stage"], found["totals"]) == (due.stage, due.totals)
        # Nothing was asked that the decision does not need, a substitute only where it is needed.
        for question in questions:
            other = question.if_unknown
            if other and other.input in said:
                assert case[question.input] is None
        asked = {question.input for question in questions[: due.stage]}
        assert {one for one in said if one != "test"} <= asked


@pytest.mark.parametrize("name", LISTS)
def test_the_next_question_of_the_module_is_that_of_the_file(name: str, tmp_path: Path) -> None:
    listed, limits = LISTS[name]
    (tmp_path / "card.py").write_bytes(export(listed, "python", policy=limits))
    (tmp_path / "card.mjs").write_bytes(export(listed, "javascript", policy=limits))
    module = runpy.run_path(str(tmp_path / "card.py"))
    asked: list[tuple[dict[str, object], bool]] = [({}, False)]
    for case, sharpen in itertools.product(cases_of(listed), (False, True)):
        asked += [(dict(list(case.items())[:count]), sharpen) for count in range(1, len(case) + 1)]
    due = [module["next_question"](*one) for one in asked]
    code = (
        f"import {{ nextQuestion }} from {json.dumps((tmp_path / 'card.mjs').as_uri())};"
        f"console.log(JSON.stringify({json.dumps(asked)}.map("
        "([said, sharpen]) => nextQuestion(said, sharpen)?.text ?? null)));"
    )
    assert json.loads(told_by_node(code)) == [one and one.text for one in due]
    assert None in due


def test_names_that_nobody_asks_for_are_allowed_on_demand(card: Path, tmp_path: Path) -> None:
    module = runpy.run_path(str(card))
    case = {"age": 70, "sex": "male", "json": True}
    with pytest.raises(ValueError, match="'name' came, expected an input"):
        module["evaluate"]({**case, "name": "A. B."})
    more = {**case, "name": "A. B.", "born": 1950}
    assert module["evaluate"](more, extra=True) == module["evaluate"](case)
    assert module["next_question"]({"name": "A. B."}, extra=True).input == "age"
    script = tmp_path / "card.mjs"
    script.write_bytes(export(LIST, "javascript", policy=STAIRCASE.policy))
    assert "came, expected one of" in node(script, more)
    assert node(script, more, "false, true") == node(script, case)


def test_the_library_does_without_the_command_line(card: Path) -> None:
    text = card.read_text(encoding="utf-8")
    library, mark, program = text.partition("# --- The command line ---")
    assert mark
    for name in ("print(", "input(", "argparse", "csv"):
        assert name not in library.replace('print("ok")', "").replace("by_input(", ""), name
    alone: dict[str, Any] = {}
    exec(library, alone)
    case = {"age": 70, "sex": "male", "json": True}
    assert alone["evaluate"](case)["decision"] == "rule in"
    assert alone["selftest"]() is None
    assert "def evaluate" not in program


def test_what_the_list_was_made_of_is_data() -> None:
    made = replace(LIST, provenance=(("table", 'a "quoted" file.csv'), ("rows", "7")))
    content = export(made, "python", policy=STAIRCASE.policy)
    found: dict[str, Any] = {}
    exec(content, found)
    assert found["ABOUT"]["provenance"] == {"table": 'a "quoted" file.csv', "rows": "7"}
    assert found["ABOUT"]["list"][0].startswith("1. Age ≥ 65 years")
    assert len(found["__doc__"].splitlines()) <= 8


def node(script: Path, case: dict[str, object], how: str = "false") -> str:
    """What the module says about a case, or why it refuses it."""
    return told_by_node(
        f"import {{ evaluate }} from {json.dumps(script.as_uri())};"
        f"try {{ console.log(JSON.stringify(evaluate({json.dumps(case)}, {how}))); }}"
        "catch (error) { console.log(error.message); }"
    )


def told_by_node(code: str) -> str:
    program = shutil.which("node")
    if program is None:
        pytest.skip("node is not installed")
    command = [program, "--input-type=module", "--eval", code]
    return processes.run(command, capture_output=True, encoding="utf-8").stdout

"""`scorecard fit` from a table to a file and back to the table."""

import json
import random
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from scorecard.alternatives import read_alternatives
from scorecard.core.model import About, Question
from scorecard.core.policy import StoppingPolicy
from scorecard.documents.json_document import read_list
from scorecard.learning.classifier import ScoringListClassifier
from scorecard.learning.options import DEFAULTS, PUBLISHED, PUBLISHED_POLICY
from scorecard.project.learn import seldom_asked
from scorecard.project.recipe import Recipe
from scorecard.tables.cases import read_cases
from scorecard.tables.read_table import open_table
from scorecard.tables.source import Source
from tests import processes
from tests.cli.conftest import Run
from tests.cross_validated import cross_validated_list


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Age and a swelling raise the risk, the ward does not; some cells are empty."""
    chance = random.Random(1)
    rows = ["nr,age,swelling,ward,blank,ill"]
    for number in range(300):
        age, swelling = chance.randint(20, 90), chance.random() < 0.4
        ill = chance.random() < 0.05 + 0.4 * (age >= 60) + 0.4 * swelling
        cells = (number, age, "yes" if swelling else "no", chance.choice("ABC"), "")
        rows.append(",".join(map(str, cells)) + ("," + ("sick" if ill else "well")))
    rows[5] = rows[5].replace("yes", "").replace(",no,", ",,")
    rows[7] = rows[7].rpartition(",")[0] + ","
    path = tmp_path_factory.mktemp("fit") / "patients.csv"
    path.write_text("\n".join(rows) + "\n")
    return path


OUTCOME = ("--outcome", "ill", "--positive", "sick")


def fit(run: Run, table: Path, output: Path, *more: object) -> str:
    done = run("fit", table, *OUTCOME, "-o", output, *more)
    assert done.code == 0, done.err
    return done.out


def test_the_summary_says_what_was_found_and_left_out(
    run: Run, table: Path, tmp_path: Path
) -> None:
    out = fit(run, table, tmp_path / "m.json")
    assert out.endswith(f"see it with: scorecard show {tmp_path / 'm.json'}\n")
    assert re.match(r"299 cases, \d+ positive \('sick'\)\.", out)
    assert "Rows without an outcome, left out: 1." in out
    assert "Column 'nr' is not used: it numbers the rows." in out
    assert "Column 'blank' is not used: it is empty." in out
    assert re.search(r"^  1 +[+−]\d  (age ≥ \d\d|swelling)$", out, re.M)
    assert "learned from all cases, corrected by cross-validation" in out
    assert "no say in the questions" in fit(
        run, table, tmp_path / "h.json", "--evidence", "held-out"
    )


def test_what_was_learned_can_be_shown_and_applied_to_its_own_table(
    run: Run, table: Path, tmp_path: Path
) -> None:
    model, decided = tmp_path / "m.json", tmp_path / "decided.csv"
    fit(run, table, model)
    assert run("validate", model).code == 0
    assert run("show", model, "--rule-out", "20%", "--rule-in", "70%").code == 0
    done = run("apply", model, table, "-o", decided, "--rule-out", "20%", "--rule-in", "70%")
    assert done.code == 0, done.err
    out = pl.read_csv(decided, infer_schema=False)
    assert out.height == 300
    assert out.drop(out.columns[6:]).equals(pl.read_csv(table, infer_schema=False)), (
        "texts were changed"
    )


def test_the_file_says_where_it_comes_from_and_nothing_private(
    run: Run, table: Path, tmp_path: Path
) -> None:
    fit(run, table, tmp_path / "m.json", "--set", "folds=7")
    facts = dict(read_list(tmp_path / "m.json").provenance)
    assert facts["table"] == "patients.csv"
    assert len(facts["table sha256"]) == 64
    assert (facts["rows"], facts["option folds"]) == ("300", "7")
    assert {"psl-scorecard", "numpy", "python"} <= facts.keys()
    assert read_list(tmp_path / "m.json").about.outcome == "ill: sick"
    text = (tmp_path / "m.json").read_text()
    assert str(table.parent) not in text
    assert str(Path.home()) not in text


def test_the_same_command_writes_the_same_file(run: Run, table: Path, tmp_path: Path) -> None:
    fit(run, table, tmp_path / "a.json", "--set", "folds=2", "--max-questions", 3)
    fit(run, table, tmp_path / "b.json", "--max-questions", 3, "--set", "folds=2")
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()


def test_options_reach_the_learner(run: Run, table: Path, tmp_path: Path) -> None:
    model = tmp_path / "m.json"
    fit(run, table, model, "--points", "1,2", "--max-questions", 1, "--ask", "ward")
    learned = read_list(model)
    assert learned.questions[0].input == "ward"
    assert len(learned.questions) <= 2
    assert {question.points for question in learned.questions} <= {1, 2}
    fit(
        run,
        table,
        model,
        "--set",
        "only=age",
        "--evidence",
        "training",
        "--set",
        "no_evidence=true",
    )
    learned = read_list(model)
    assert {question.input for question in learned.questions} == {"age"}
    assert learned.risk_source.origin == "training"
    assert learned.evidence is None
    fit(run, table, model, "--set", "sign=age=-", "--set", "only=age")
    assert all(question.points < 0 for question in read_list(model).questions)


def test_the_paper_s_procedure_has_a_name_and_options_beside_it_win(
    run: Run, table: Path, tmp_path: Path
) -> None:
    fit(run, table, tmp_path / "m.json", "--as-published")
    cases = read_cases(table, "ill", positive="sick")
    truth = cases.outcome.to_numpy()
    paper = ScoringListClassifier(**PUBLISHED).fit(cases.inputs, truth).scoring_list_
    learned = read_list(tmp_path / "m.json")
    assert (learned.questions, learned.stages) == (paper.questions, paper.stages)
    assert learned.risk_source == paper.risk_source
    assert learned.policy == StoppingPolicy(**PUBLISHED_POLICY, chosen_by="person")
    fit(run, table, tmp_path / "m.json", "--as-published", "--max-questions", 2)
    assert read_list(tmp_path / "m.json").questions == paper.questions[:2]


def test_labels_come_from_a_small_file(run: Run, table: Path, tmp_path: Path) -> None:
    labels = tmp_path / "labels.toml"
    labels.write_text('title = "Ward"\n[inputs.age]\nlabel = "Age"\nunit = "years"\n')
    out = fit(run, table, tmp_path / "m.json", "--labels", labels)
    assert re.search(r"Age ≥ \d\d years", out)
    about = read_list(tmp_path / "m.json").about
    assert (about.title, about.outcome, about.source) == ("Ward", "ill: sick", "patients.csv")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--outcome", "il"), "there is no column 'il'; did you mean 'ill'?"),
        (("--outcome", "ill"), "which value is the positive one?"),
        (("--outcome", "ward"), "which value is the positive one? It has 3: 'A', 'B', 'C'"),
        (("--outcome", "ill", "--positive", "sick", "--set", "sign=x=+"), "'x' is not an input"),
        (("--outcome", "ill", "--positive", "sick", "--drop", "x"), "there is no column 'x'"),
    ],
)
def test_refusals_write_nothing(
    run: Run, table: Path, tmp_path: Path, arguments: tuple[str, ...], complaint: str
) -> None:
    done = run("fit", table, "-o", tmp_path / "m.json", *arguments)
    assert done.code == 1
    assert complaint in done.err
    assert done.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_name_for_the_short_form_is_refused_before_learning(
    run: Run, table: Path, tmp_path: Path
) -> None:
    done = run("fit", table, *OUTCOME, "-o", tmp_path / "m.toml")
    assert done.code == 1
    assert "choose a name in .json" in done.err
    assert done.out == ""


def test_too_few_cases_are_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "few.csv").write_text("x,ill\n" + "1,yes\n2,no\n" * 4)
    done = run("fit", tmp_path / "few.csv", "--outcome", "ill", "-o", tmp_path / "m.json")
    assert done.code == 1
    assert "few.csv: 8 cases are too few to learn from" in done.err


@pytest.mark.parametrize(
    "arguments",
    [
        ("--points", "0"),
        ("--points", "1.5"),
        ("--points", "a..b"),
        ("--set", "sign=age"),
        ("--set", "held_out=33"),
        ("--max-questions", "-1"),
    ],
)
def test_wrong_usage(run: Run, table: Path, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    done = run("fit", table, *OUTCOME, "-o", tmp_path / "m.json", *arguments)
    assert done.code == 2
    assert "Error: " in done.err
    assert not (tmp_path / "m.json").exists()


def test_the_bar_stays_away_from_pipes(table: Path, tmp_path: Path) -> None:
    done = processes.run(
        [sys.executable, "-m", "scorecard", "fit", table, "-o", tmp_path / "m.json", *OUTCOME],
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert "Searching" not in done.stdout + done.stderr
    assert json.loads((tmp_path / "m.json").read_text())["format"] == "scorecard/3"


def test_the_table_itself_is_not_written_over(run: Run, table: Path) -> None:
    before = table.read_bytes()
    done = run("fit", table, "--outcome", "ill", "--positive", "sick", "-o", table)
    assert done.code == 1
    assert "write to another file" in done.err
    assert table.read_bytes() == before


HELD_OUT = ("--evidence", "held-out")


def rare(folder: Path, one_in: int) -> Path:
    """A table whose outcome is so rare that the usual limits rule everybody out."""
    chance = random.Random(2)
    rows = [
        f"{chance.randint(20, 90)},{'yes' if number % one_in == 0 else 'no'}"
        for number in range(600)
    ]
    path = folder / "rare.csv"
    path.write_text("\n".join(["age,ill", *rows]) + "\n")
    return path


@pytest.mark.parametrize("one_in", [60, 100])
def test_limits_of_a_rare_outcome(run: Run, tmp_path: Path, one_in: int) -> None:
    model = tmp_path / "rare.json"
    assert run("fit", rare(tmp_path, one_in), "--outcome", "ill", "-o", model).code == 0
    assert run("show", model).code == 0, "the data chose limits that they can show"
    assert run("fit", rare(tmp_path, one_in), "--outcome", "ill", "-o", model, *HELD_OUT).code == 0
    assert "Choose --rule-out below" in run("show", model).err


@pytest.fixture
def leaking(table: Path, tmp_path: Path) -> Path:
    """The table with where a patient went afterwards, and with a weight that is unknown."""
    rows = [row.split(",") for row in table.read_text().splitlines()]
    rows[0] += ["discharge", "weight"]
    for number, row in enumerate(rows[1:]):
        row += [
            "ward" if row[5] == "sick" else "home",
            str(999 if number == 7 else 50 + number % 40),
        ]
    path = tmp_path / "leaking.csv"
    path.write_text("\n".join(map(",".join, rows)) + "\n")
    return path


def test_doubts_are_told_once_and_recorded(run: Run, leaking: Path, tmp_path: Path) -> None:
    model = tmp_path / "m.json"
    done = run("fit", leaking, *OUTCOME, "-o", model)
    leak, code, *few = done.err.splitlines()
    assert all(line.startswith("Warning: Only ") for line in few)
    assert leak.startswith("Warning: Column 'discharge' alone tells the outcome (AUC 1.000)")
    assert code.startswith("Warning: Column 'weight' has 999 in 1 case, far from the others")
    assert "arning" not in done.out  # once is enough
    facts = dict(read_list(model).provenance)
    assert facts["left out"] == "'discharge' may give the outcome away"
    assert facts["warnings"].startswith("999 in 'weight' may stand for unknown")
    assert run("fit", leaking, *OUTCOME, "-o", model, "-q").err == ""


def test_a_column_known_only_afterwards_is_left_out(
    run: Run, leaking: Path, tmp_path: Path
) -> None:
    left_out, dropped = tmp_path / "left_out.json", tmp_path / "dropped.json"
    done = run("fit", leaking, *OUTCOME, "-o", left_out)
    assert "it is left out unless you say --keep discharge." in done.err.splitlines()[0]
    assert "Column 'discharge' is not used: it may give the outcome away." in done.out
    assert "may give" not in fit(run, leaking, dropped, "--drop", "discharge")
    lists = [replace(read_list(one), provenance=()) for one in (left_out, dropped)]
    assert lists[0] == lists[1]
    assert "left out" not in dict(read_list(dropped).provenance)


@pytest.mark.parametrize(
    "naming",
    [
        ("--keep", "discharge"),
        ("--set", "only=age,discharge"),
        ("--set", "category=discharge"),
        ("--ask", "discharge is ward"),
        ("--set", "sign=discharge=+"),
        ("--cost", "discharge=3"),
        ("--set", "available=discharge=1"),
    ],
)
def test_a_column_that_an_option_names_is_used(
    run: Run, leaking: Path, tmp_path: Path, naming: tuple[str, str]
) -> None:
    model = tmp_path / "m.json"
    done = run("fit", leaking, *OUTCOME, "-o", model, "--set", "folds=2", *naming)
    assert done.code == 0, done.err
    assert "as one known only afterwards would; it is used, because you name it." in done.err
    learned = read_list(model)
    assert learned.questions[0].input == "discharge"
    facts = dict(learned.provenance)
    assert "'discharge' may give the outcome away" in facts["warnings"]
    assert "left out" not in facts


def test_keep_is_about_columns_that_may_be_used(run: Run, leaking: Path, tmp_path: Path) -> None:
    command = ("fit", leaking, *OUTCOME, "-o", tmp_path / "m.json", "--keep", "discharge")
    assert (
        "'discharge' cannot be both --keep and --drop."
        in run(*command, "--drop", "age,discharge").err
    )
    assert "there is no column 'dis'" in run(*command, "--keep", "dis").err
    only = ("--drop", "nr,age,swelling,ward,weight")
    assert run(*command, *only).code == 0
    done = run(*command[:-2], *only)
    assert done.code == 1
    assert (
        "no column is left to ask for: 'discharge' may be no inputs; keep one with --keep"
        in done.err
    )


def test_alternatives_do_not_ask_for_what_is_left_out(
    run: Run, leaking: Path, tmp_path: Path
) -> None:
    model = tmp_path / "m.json"
    fit(run, leaking, model, "--alternatives", 2, "--set", "folds=2")
    assert "discharge" not in {
        question.input for one in read_alternatives(model) for question in one.questions
    }


def test_too_few_of_one_outcome_is_told_with_what_it_means(run: Run, tmp_path: Path) -> None:
    told = ("fit", rare(tmp_path, 100), "--outcome", "ill", "-o", tmp_path / "m.json")
    few = "Warning: Only 6 positive cases are behind the figures: questions and risks rest on"
    assert run(*told).err.startswith(few)
    done = run(*told, *HELD_OUT)
    assert done.err.startswith("Warning: Only 2 positive cases are behind the figures")
    assert "45 are needed, so nobody will stop with “rule in”; use more cases" in done.err


def test_a_question_that_is_often_unknown_is_told(run: Run, table: Path, tmp_path: Path) -> None:
    head, *rows = table.read_text().splitlines()
    blank = [
        row if number % 3 else ",".join([*row.split(",")[:1], "", *row.split(",")[2:]])
        for number, row in enumerate(rows)
    ]
    (tmp_path / "gaps.csv").write_text("\n".join([head, *blank]) + "\n")
    model = tmp_path / "m.json"
    done = run("fit", tmp_path / "gaps.csv", *OUTCOME, "-o", model, "--ask", "age")
    assert (
        "Warning: Question 1 (age) has no answer in 99 of 299 cases; --set missing=mode" in done.err
    )


def test_unknown_answers_are_counted(run: Run, table: Path, tmp_path: Path) -> None:
    out = fit(run, table, tmp_path / "m.json")
    assert "Unknown answers among 299 cases: swelling 1." in out


def test_row_names_of_r_and_pandas_change_nothing(run: Run, tmp_path: Path) -> None:
    from sklearn.datasets import load_breast_cancer

    tumours = load_breast_cancer(as_frame=True).frame
    tumours.to_csv(tmp_path / "plain.csv", index=False)
    tumours.to_csv(tmp_path / "pandas.csv")
    tumours.rename(lambda row: row + 1).to_csv(tmp_path / "R.csv", quoting=2, quotechar='"')
    quick = ("--max-questions", 3, "--set", "folds=3")
    lists = []
    for name in ("plain", "pandas", "R"):
        model = tmp_path / f"{name}.json"
        done = run("fit", tmp_path / f"{name}.csv", "--outcome", "target", "-o", model, *quick)
        assert done.code == 0, done.err
        assert ("Column 'column 1' is not used: it has no name" in done.out) == (name != "plain")
        lists.append(read_list(model))
        applied = run("apply", model, tmp_path / f"{name}.csv", "-o", tmp_path / "d.csv", "--force")
        assert applied.code == 0, applied.err
    bare = [replace(one, about=About(), provenance=()) for one in lists]
    assert bare[0] == bare[1] == bare[2]


def test_a_person_says_what_columns_are(run: Run, tmp_path: Path) -> None:
    chance = random.Random(2)
    rows = ["race,dose,test,a,b,end"]
    for _ in range(300):
        race, dose, test = chance.randint(1, 3), chance.randint(1, 40), chance.choice("+-")
        ill = chance.random() < 0.05 + 0.5 * (race == 2) + 0.4 * (test == "+")
        end = "2" if ill else chance.choice("13")
        rows.append(f"{race},{dose} mg,{test},{chance.random()},{chance.random()},{end}")
    table, model = tmp_path / "t.csv", tmp_path / "m.json"
    table.write_text("\n".join(rows) + "\n")
    options = ("--outcome", "end", "--positive", "2", "--drop", "a,b", "-o", model)
    done = run("fit", table, *options)
    assert done.code == 0
    assert "Warning: Column 'race': few whole numbers (1, 2, 3), taken for a sc" in done.err
    assert "Doubts: codes or scales: 'race'" in done.out
    assert "Counted as negative: '1', '3'." in done.out
    done = run("fit", table, *options, "--set", "category=race", "--force")
    assert "few whole numbers" not in done.err
    learned = read_list(model)
    first = reversed(learned.questions)  # an input may be asked again
    conditions = {question.input: str(question.condition) for question in first}
    assert conditions["race"] in ("in {'2'}", "not in {'2'}")
    assert conditions["test"] in ("in {'+'}", "not in {'+'}")
    assert {"a", "b"}.isdisjoint(conditions)
    assert all(question.unit == "mg" for question in learned.questions if question.input == "dose")
    both = run("fit", table, *options, "--set", "category=race", "--set", "number=race")
    assert "'race' cannot be both category and number" in both.err
    assert run("apply", model, table, "-o", tmp_path / "d.csv").code == 0


def test_kinds_in_the_labels(run: Run, table: Path, tmp_path: Path) -> None:
    labels = tmp_path / "labels.toml"
    labels.write_text('[inputs.swelling]\nkind = "codes"\n')
    done = run("fit", table, *OUTCOME, "--labels", labels)
    assert "inputs.swelling.kind is 'codes', expected one of category, number, yes-no" in done.err
    labels.write_text('[inputs.swelling]\nkind = "category"\n')
    fit(run, table, tmp_path / "m.json", "--labels", labels)


def test_a_recipe_and_the_classifier_have_the_same_defaults() -> None:
    told = Recipe().settings
    assert told == {name: DEFAULTS[name] for name in told}


def test_the_table_is_looked_at_once(
    run: Run, table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[object] = []

    def opening(path: object, *more: Any, **told: Any) -> Source:
        seen.append(path)
        return open_table(path, *more, **told)

    monkeypatch.setattr("scorecard.tables.read_table.open_table", opening)
    labels = tmp_path / "labels.toml"
    labels.write_text('title = "Ward"\n')
    told = ("--labels", labels, "--ask", "ward", "--keep", "ward", "--set", "category=ward")
    fit(run, table, tmp_path / "m.json", *told)
    assert seen == [(str(table),)]


def test_questions_that_few_lists_ask_are_told() -> None:
    listed = cross_validated_list(folds=4, questions=3)
    asked = listed.questions[-1].input
    renamed = [
        replace(fold, questions=tuple(_called(one, asked, "another") for one in fold.questions))
        for fold in listed.cross_validation.folds
    ]
    shaky = replace(listed, cross_validation=replace(listed.cross_validation, folds=tuple(renamed)))
    (doubt,) = seldom_asked(shaky)
    assert f"fewer than half ask for {listed.questions[-1].label} (0):" in doubt.message


def _called(question: Question, name: str, other: str) -> Question:
    return replace(question, input=other) if question.input == name else question


def test_costs_are_weighed_and_stand_in_the_file(run: Run, table: Path, tmp_path: Path) -> None:
    labels = tmp_path / "labels.toml"
    labels.write_text('cost_unit = "min"\n[inputs.age]\ncost = 9\n')
    model, costs = tmp_path / "m.json", ("--cost", "age=2, swelling=30")
    costs += ("--rule-out", "10%", "--rule-in", "1")
    out = fit(run, table, model, *costs, "--labels", labels, "--set", "folds=3")
    (told,) = re.findall(
        r"^Cost weight [\d.]+: [\d.]+% decided in cross-validation (.*)", out, re.M
    )
    assert told.startswith("(limits: at most 10 of 100; no limit for high risk) at a mean cost of ")
    assert "Inputs without a cost are taken as free: ward." in out
    learned = read_list(model)
    assert learned.cross_validation is not None
    asked = [*learned.questions, *learned.cross_validation.folds[0].questions]
    costs_of = {"age": 2, "swelling": 30, "ward": None}
    assert [one.cost for one in asked] == [costs_of[one.input] for one in asked]
    assert learned.about.cost_unit == "min"


@pytest.mark.parametrize(
    ("option", "complaint"),
    [
        (("--cost", "age=-1"), "'age=-1': a cost is a number from 0 on, for instance age=12."),
        (("--cost", "age=much"), "'age=much': a cost is a number from 0 on, for instance age=12."),
        (("--cost", "age=1,5"), "'5' is not of the form COLUMN=VALUE."),
        (
            ("--cost", "age=1,crp=3"),
            "--cost: 'crp' is not an input; the inputs are 'age', 'swelling',",
        ),
        (
            ("--set", "available=age=1.5"),
            "the share who can answer is from 0 to 1, for instance age=0",
        ),
        (("--set", "cost_weight=-2"), "-2 is neither auto nor a number from 0 on."),
    ],
)
def test_wrong_costs_are_named(run: Run, table: Path, tmp_path: Path, option, complaint) -> None:
    done = run("fit", table, *OUTCOME, "-o", tmp_path / "m.json", *option)
    assert done.code != 0
    assert complaint in " ".join(done.err.split())
    assert not (tmp_path / "m.json").exists()


def test_the_shell_completes_columns(table: Path) -> None:
    from click.shell_completion import ShellComplete

    from scorecard.cli import cli

    shell = ShellComplete(cli, {}, "scorecard", "_SCORECARD_COMPLETE")

    def offered(arguments: list[str], begun: str) -> list[str]:
        return [one.value for one in shell.get_completions(arguments, begun)]

    assert offered(["fit", str(table), "--drop"], "ag") == ["age"]
    assert offered(["fit", str(table), "--drop"], "age,sw") == ["age,swelling"]
    assert offered(["evaluate", str(table), "--outcome"], "sw") == ["swelling"]
    assert offered(["fit", "--drop"], "ag") == []

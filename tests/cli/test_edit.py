"""`scorecard edit`, and `scorecard fit` with questions that a person gives."""

import re
import shlex
from pathlib import Path

import polars as pl
import pytest

from scorecard.documents.json_document import read_list
from scorecard.documents.toml_list import read_start
from tests.cli.conftest import Run

OUTCOME = ("--outcome", "strep", "--never", "crp")
PLAIN = ("--set", "folds=3")


@pytest.fixture(scope="module")
def cases(root: Path) -> Path:
    return root / "examples" / "tutorial" / "cases.csv"


@pytest.fixture
def model(run: Run, cases: Path, tmp_path: Path) -> Path:
    path = tmp_path / "model.json"
    assert run("fit", cases, *OUTCOME, *PLAIN, "--max-questions", 3, "-o", path).code == 0
    return path


def start(run: Run, cases: Path, file: Path, *more: object) -> tuple[str, Path]:
    made = file.with_name("again.json")
    done = run("fit", cases, *OUTCOME, *PLAIN, "--start", file, "-o", made, *more)
    assert done.code == 0, done.err
    return done.out, made


def test_a_list_that_nobody_changed_is_the_same_list_again(
    run: Run, cases: Path, model: Path, tmp_path: Path
) -> None:
    file = tmp_path / "list.toml"
    assert run("edit", model, "-o", file).code == 0
    said, made = start(run, cases, file, "--max-questions", 0)
    learned, again = read_list(model), read_list(made)
    assert again.questions == learned.questions
    assert (again.about, again.evidence) == (learned.about, learned.evidence)
    price = re.search(
        r"Edited from list .* log loss ([\d.]+), ([\d.]+); decided (\d+), (\d+)", said
    )
    assert price
    assert (price[1], price[3]) == (price[2], price[4]), "nothing was changed, nothing was paid"
    assert run("edit", model, "-o", file).code == 1, "an edited file was replaced without asking"
    straight, typed = (read_start(one, pl.read_csv(cases).columns) for one in (model, file))
    assert list(map(str, straight.questions)) == list(map(str, typed.questions))
    assert straight.before == typed.before


def test_an_edit_keeps_what_stands_there_counts_it_and_tells_its_price(
    run: Run, cases: Path, model: Path, tmp_path: Path
) -> None:
    file = tmp_path / "list.toml"
    assert run("edit", model, "-o", file).code == 0
    first = read_list(model).questions[0]
    cutoff = first.condition.cutoff
    assert first.input == "temperature"
    assert cutoff is not None
    text = file.read_text(encoding="utf-8").replace(f"at_least = {cutoff}", "at_least = 39")
    file.write_text(re.sub(r"\[\[questions\]\]\n(?:.+\n)+input = \"cough\"\n(?:.+\n)+", "", text))
    said, made = start(run, cases, file, "--max-questions", 0)
    edited = read_list(made)
    assert [one.input for one in edited.questions].count("cough") == 0
    assert edited.questions[0].condition.cutoff == 39
    table = pl.read_csv(cases)
    hot = table.filter(pl.col("temperature") >= 39)
    stage = edited.stages[1]
    assert stage is not None
    assert stage.risks[-1].cases == hot.height
    assert stage.risks[-1].positives == hot.filter(pl.col("strep") == "yes").height
    price = re.search(r"log loss ([\d.]+), ([\d.]+); decided (\d+), (\d+) of 100", said)
    assert price
    assert float(price[1]) < float(price[2])
    assert "chosen with these same cases" in said
    assert price[0] in " ".join(run("show", made).out.split())
    assert "Log-Verlust" in run("show", made, "--language", "de").out
    for language, word in (("en", "edited the list with these patients"), ("de", "von Hand geä")):
        card = tmp_path / f"card-{language}.html"
        assert run("card", made, "--language", language, "-o", card).code == 0
        assert word in " ".join(card.read_text(encoding="utf-8").split())
    page = tmp_path / "handout.html"
    assert run("handout", made, "-o", page).code == 0
    assert "chosen with these same cases" in " ".join(page.read_text(encoding="utf-8").split())


def test_what_the_list_was_before_is_not_compared_where_it_was_replaced_too(
    run: Run, cases: Path, model: Path, tmp_path: Path
) -> None:
    """Who replaces a number everywhere changes `[before]` too, and would seem to gain by it."""
    file = tmp_path / "list.toml"
    assert run("edit", model, "-o", file).code == 0
    cutoff = read_list(model).questions[0].condition.cutoff
    file.write_text(file.read_text(encoding="utf-8").replace(f"{cutoff}", "39"), encoding="utf-8")
    said, _ = start(run, cases, file, "--max-questions", 0)
    assert "; its cross-validated figures are not known." in said
    assert "before and now" not in said


def test_parts_that_are_left_out_are_learned_and_words_and_limits_travel(
    run: Run, cases: Path, tmp_path: Path
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(
        'title = "Sore throat"\norder = "learned"\n[limits]\nrule_out = 0.03\n'
        '[[questions]]\nask = "Cough"\nwhen = "no"\n'
        '[[questions]]\ninput = "temperature"\npoints = 2\nask = "Fever"\nunit = "°C"\n'
    )
    _, made = start(run, cases, file, "--max-questions", 1)
    learned = read_list(made)
    by_input = {one.input: one for one in learned.questions[:2]}
    assert by_input.keys() == {"cough", "temperature"}
    assert by_input["cough"].label == "Cough"
    assert (by_input["temperature"].points, by_input["temperature"].unit) == (2, "°C")
    assert len(learned.questions) <= 3
    assert learned.policy is not None
    assert (learned.about.title, learned.policy.rule_out) == ("Sore throat", 0.03)
    assert "cough no; temperature: 2" in dict(learned.provenance)["option given"]


def test_the_command_that_counts_anew_can_be_typed_as_it_stands(
    run: Run, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    cases = (root / "examples" / "tutorial" / "cases.csv").read_text(encoding="utf-8")
    Path("cases.csv").write_text(cases.replace("yes\n", "found\n").replace("no\n", "none\n"))
    few = (
        "--set",
        "only=temperature,age",
        "--set",
        "category=exudate",
        "--max-questions",
        1,
        *PLAIN,
    )
    told = ("--outcome", "strep", "--positive", "found", *few, "--set", "only=exudate")
    assert run("fit", "cases.csv", *told).code == 0
    done = run("edit", "model.json")
    command = done.out.partition("count its risks with: ")[2].strip()
    assert f"#   {command}\n" in Path("list.toml").read_text(encoding="utf-8")
    assert command.endswith(
        "--set only=temperature,age --set only=exudate --set category=exudate --start"
        " list.toml --max-questions 0"
    )
    assert run(*shlex.split(command)[1:], *PLAIN).code == 0
    Path(".build").mkdir()
    done = run("edit", "model.json", "--force")
    assert 'scorecard build, with start = "list.toml" and max_questions = 0 below' in done.out


def test_a_published_score_gets_its_risks_from_a_table(
    run: Run, cases: Path, tmp_path: Path
) -> None:
    file = tmp_path / "score.toml"
    file.write_text(
        '[[questions]]\nask = "Nodes"\npoints = 1\n'
        '[[questions]]\nask = "Temperature"\nat_least = 38\npoints = 1\n'
        "[risks]\n0 = 0.1\n1 = 0.2\n2 = 0.3\n"
    )
    made = tmp_path / "counted.json"
    done = run("fit", cases, *OUTCOME, *PLAIN, "--start", file, "--max-questions", 0, "-o", made)
    assert "are not used; they are counted from the table" in done.err
    assert [one.points for one in read_list(made).questions] == [1, 1]
    assert read_list(made).risk_source.origin == "cross-validated"


def test_questions_on_the_command_line_come_behind_those_of_the_list(
    run: Run, cases: Path, tmp_path: Path
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('[[questions]]\ninput = "nodes"\n')
    ask = ("--ask", "age < 15: 1", "--ask", "exudate in confluent, patchy", "--max-questions", 0)
    _, made = start(run, cases, file, *ask)
    assert [one.input for one in read_list(made).questions] == ["nodes", "age", "exudate"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[[questions]]\ninput = "nods"\n', "line 2: questions[0].input: 'nods' is no column; did"),
        ("[[questions]]\npoints = 1.5\n", "line 2: questions[0].points: expected a whole number"),
        ('x = 1\n\n[[question]]\ninput = "a"\n', "line 1: x: is not known"),
        ('order = "mine"\n', 'line 1: order: \'mine\' came, expected "as written" or "learned"'),
        ("[limits]\nrule_outt = 1\n", "line 2: limits.rule_outt: is not known; did you mean"),
        ("[limits]\nrule_out = 2\n", "line 1: limits: The limits rule_out=2.0"),
        (
            '[[questions]]\ninput = "age"\nat_least = 3\nbelow = 4\n',
            "line 3: questions[0].at_least, below: a question has only one condition",
        ),
        ("[[questions]]\nat_least = 3\n", "line 1: questions[0].input: what is asked has a cond"),
        (
            '[[questions]]\ninput = "age"\nat_least = 3\n\n[[questions]]\ninput = "age"\n',
            "line 6: questions[1].input: 'age' is asked twice",
        ),
        ("a = = 1\n", "this is not TOML"),
    ],
)
def test_a_wrong_list_is_refused_with_its_line(
    run: Run, cases: Path, tmp_path: Path, text: str, said: str
) -> None:
    file = tmp_path / "wrong.toml"
    file.write_text(text)
    done = run("fit", cases, *OUTCOME, "--start", file, "-o", tmp_path / "m.json")
    assert done.code == 1
    assert len(done.err.splitlines()) == 1, done.err
    assert done.err.startswith("Error: wrong.toml")
    assert said in done.err


def test_edits_after_a_validation_are_counted_and_told_where_it_is(
    run: Run, cases: Path, model: Path, tmp_path: Path
) -> None:
    held = ("--set", "held_out=1/3", *PLAIN, "--max-questions", 2)
    assert run("fit", cases, *OUTCOME, *held, "-o", model).code == 0
    assert read_list(model).validations[0].edits == 0
    file = tmp_path / "list.toml"
    for times, told in enumerate(("edited once after", "edited 2 times after"), 1):
        assert run("edit", model, "-o", file, "--force").code == 0
        text = file.read_text(encoding="utf-8")
        file.write_text(re.sub(r"points = \d", f"points = {6 + times}", text, count=1))
        done = run("fit", cases, *OUTCOME, *held[:-1], 0, "--start", file, "-o", model)
        assert done.code == 0, done.err
        assert read_list(model).validations[0].edits == times
        assert told in done.out
        assert told in " ".join(run("show", model).out.split())
    # Without a validation of its own the list does not forget that these patients were seen.
    bare = tmp_path / "bare.json"
    assert run("edit", model, "-o", file, "--force").code == 0
    assert run("fit", cases, *OUTCOME, *PLAIN, "--start", file, "-o", bare).code == 0
    assert dict(read_list(bare).provenance)[
        "edited after looking at the same table (held-out)"
    ] in ("2", "3")

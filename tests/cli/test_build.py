"""`scorecard build`: one file that says what is made, and only what has changed is made again."""

import json
import os
import shutil
import signal
import sys
from pathlib import Path

import pytest

import scorecard
from scorecard.documents.json_document import read_list
from scorecard.forms import FORMS
from scorecard.forms.found import Found
from scorecard.printing.refusals import NoPangoError
from scorecard.project.card import read_project
from tests import processes
from tests.cli.conftest import Run

CARD = """\
table = "cases.csv"
outcome = "strep"

[columns]
drop = ["crp"]

[learning]
max_questions = 2
folds = 3

[limits]
rule_out = "5%"

[words]
title = "Sore throat"
[words.inputs.temperature]
label = "Temperature"
[words.de]
title = "Halsschmerzen"

[make]
folder = "made"
languages = ["en", "de"]
forms = ["card-a6.html", "evaluator.py", "card.json"]
"""
FILES = {"model.json", "model-de.json", "card-a6.html", "card-a6-de.html"} | {
    "evaluator.py",
    "card.json",
}


@pytest.fixture
def folder(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copy(root / "examples" / "tutorial" / "cases.csv", tmp_path)
    (tmp_path / "card.toml").write_text(CARD, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1763337600")
    return tmp_path


def contents(folder: Path) -> dict[str, bytes]:
    return {one.name: one.read_bytes() for one in folder.iterdir() if one.is_file()}


def made(said: str) -> set[str]:
    """The files that were made anew."""
    return {Path(line.split()[1]).name for line in said.splitlines() if line.startswith("made  ")}


def change(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def test_a_build_makes_checks_and_makes_again_only_what_has_changed(run: Run, folder: Path) -> None:
    done = run("build")
    assert done.code == 0, done.err
    files, card = contents(folder / "made"), folder / "card.toml"
    assert files.keys() == FILES
    assert made(done.out) == {"learned.json", *FILES}
    assert "agree with model.json." in done.out
    assert read_list("made/model-de.json").about.title == "Halsschmerzen"
    lent = "files in Deutsch have the words of [words] for 'temperature'; write them in this"
    assert f"Warning: card.toml: {lent} language below [words.CODE].\n" in done.err

    # Nothing has changed, even if a file was touched.
    os.utime("cases.csv")
    again = run("build")
    assert (again.code, made(again.out)) == (0, set())
    assert "Nothing has changed; 6 files" in again.out
    assert contents(folder / "made") == files

    # “fit” alone makes the same list.
    words = ("--drop", "crp", "--max-questions", 2, "--set", "folds=3", "-o", "alone.json")
    limits = ("--labels", "card.toml", "--rule-out", "5%")
    assert run("fit", "cases.csv", "--outcome", "strep", *words, *limits).code == 0
    assert Path("alone.json").read_bytes() == files["model.json"]
    assert run("fit", "card.toml", "-o", "alone.json").code == 0
    assert Path("alone.json").read_bytes() == files["model.json"]

    # A word or a limit needs no learning, one of German not even the English files.
    for old, new, anew in (
        ("Halsschmerzen", "Halsweh", {"model-de.json", "card-a6-de.html"}),
        ('"Temperature"', '"Fever"', FILES),
        ("5%", "4%", FILES),
    ):
        change(card, old, new)
        done = run("build")
        assert done.code == 0, done.err
        assert "not learned again" in done.out
        changed = {
            name for name, content in contents(folder / "made").items() if files[name] != content
        }
        assert changed == made(done.out) == anew
        files = contents(folder / "made")
    policy = read_list("made/model.json").policy
    assert policy is not None
    assert policy.rule_out == 0.04

    # How a card looks concerns cards alone.
    change(card, "[make]", "[look]\ngreyscale = true\n[make]")
    assert made(run("build").out) == {"card-a6.html", "card-a6-de.html"}

    # The table, or how it is learned from: everything.
    rows = (folder / "cases.csv").read_text(encoding="utf-8").splitlines()
    (folder / "cases.csv").write_text("\n".join(rows[:-1]) + "\n", encoding="utf-8")
    assert made(run("build").out) == {"learned.json", *FILES}
    assert read_list("made/model.json").evidence != read_list("alone.json").evidence
    change(card, "max_questions = 2", "max_questions = 1")
    assert "learned.json" in made(run("build").out)
    assert len(read_list("made/model.json").questions) == 1

    # What somebody has changed by hand is not lost, and not taken for what was made.
    change(folder / "made" / "evaluator.py", "def ", "def  ")
    done = run("build")
    assert done.code == 1
    assert "'made/evaluator.py' exists and may have been written by hand" in done.err
    assert made(run("build", "--force").out) == {"evaluator.py"}

    # What is no longer asked for is named and left.
    change(card, ', "card.json"', "")
    change(card, "Sore throat", "Throat")
    assert "left there: made/card.json" in run("build").out
    assert Path("made/card.json").exists()


def test_a_report_is_made_again_only_for_what_it_judges(run: Run, folder: Path) -> None:
    change(folder / "card.toml", '"card-a6.html", "evaluator.py", "card.json"', '"report.json"')
    change(folder / "card.toml", "[make]", "[report]\nsplits = 2\njobs = 1\n[make]")
    assert "report.json" in made(run("build").out)
    assert "Nothing has changed" in run("build").out
    change(folder / "card.toml", "5%", "4%")
    assert made(run("build").out) == {"model.json", "model-de.json", "report.json"}
    change(folder / "card.toml", "splits = 2", "splits = 3")
    assert made(run("build").out) == {"report.json"}
    change(folder / "card.toml", "folds = 3", "folds = 4")
    assert made(run("build").out) == {"learned.json", "model.json", "model-de.json", "report.json"}


def test_a_report_of_another_list_is_not_left_in_the_folder(run: Run, folder: Path) -> None:
    card, report = folder / "card.toml", Path("made/report.json")
    change(card, '"card-a6.html", "evaluator.py", "card.json"', '"card.json", "report.json"')
    change(card, "[make]", "[report]\nsplits = 2\njobs = 1\n[make]")
    run("build")
    change(card, ', "report.json"', "")
    run("build")
    assert report.exists()  # it still judges this list
    change(card, "5%", "4%")
    assert "report.json" not in run("build").out
    assert not report.exists()


def test_a_report_that_somebody_has_changed_is_not_removed(run: Run, folder: Path) -> None:
    card, report = folder / "card.toml", Path("made/report.json")
    change(card, '"card-a6.html", "evaluator.py", "card.json"', '"card.json", "report.json"')
    change(card, "[make]", "[report]\nsplits = 2\njobs = 1\n[make]")
    run("build")
    report.write_text("mine")
    change(card, ', "report.json"', "")
    change(card, "5%", "4%")
    run("build")
    assert report.read_text() == "mine"


@pytest.mark.parametrize(
    "record",
    [
        "",
        "[]",
        '{"format": "scorecard-build/2"}',
        '{"format": "scorecard-build/2", "version": "VERSION", "read": [1], "made": 3}',
        '{"format": "scorecard-build/2", "version": "VERSION", "read": {}, "made": {"a": 3}}',
    ],
)
def test_a_record_that_is_none_is_as_if_it_were_not_there(
    run: Run, folder: Path, record: str
) -> None:
    change(folder / "card.toml", '"card-a6.html", "evaluator.py", "card.json"', '"card.json"')
    hidden = folder / "made" / ".build"
    hidden.mkdir(parents=True)
    (hidden / "record.json").write_text(record.replace("VERSION", scorecard.__version__))
    done = run("build")
    assert done.code == 0, done.err
    assert made(done.out) == {"learned.json", "model.json", "model-de.json", "card.json"}


def test_nothing_heavy_is_loaded_to_see_that_nothing_has_changed(folder: Path) -> None:
    change(folder / "card.toml", '"card-a6.html", "evaluator.py", "card.json"', '"card.json"')
    command = [sys.executable, "-m", "scorecard", "build"]
    processes.run(command, capture_output=True, check=True)
    code = "import sys; from scorecard.cli import run; run(['build']); print(*sys.modules)"
    done = processes.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8")
    assert "Nothing has changed" in done.stdout
    loaded = {"polars", "numpy", "jinja2", "msgspec", "scorecard.core.model", "scorecard.api"}
    assert loaded & {*done.stdout.split()} == set()


def test_a_build_in_another_folder_needs_no_other_names(run: Run, folder: Path) -> None:
    below = folder / "wards" / "icu"
    below.mkdir(parents=True)
    change(folder / "card.toml", '"cases.csv"', '"../../cases.csv"')
    change(folder / "card.toml", '"card-a6.html", "evaluator.py", "card.json"', '"card.json"')
    (folder / "card.toml").rename(below / "card.toml")
    assert run("build", "wards/icu/card.toml").code == 0
    assert (below / "made" / "card.json").exists()


@pytest.mark.parametrize(
    ("languages", "more", "named"),
    [
        ('"de"', "", []),  # all words may be German
        ('"en", "de"', "", ["files in Deutsch: rule_out, 'temperature'"]),
        ('"en", "de"', 'rule_out = "a"\n[words.de.inputs.temperature]\nlabel = "b"', []),
        (
            '"de", "fr", "en"',
            "",
            [
                "files in Français: rule_out, 'temperature'",
                "files in English: title, rule_out, 'temperature'",
            ],
        ),
    ],
)
def test_words_of_another_language_are_named(
    folder: Path, languages: str, more: str, named: list[str]
) -> None:
    change(folder / "card.toml", '"en", "de"', languages)
    change(folder / "card.toml", '"Sore throat"', '"Sore throat"\nrule_out = "low risk"')
    change(folder / "card.toml", '"Halsschmerzen"', f'"Halsschmerzen"\n{more}')
    found = read_project(folder / "card.toml").untranslated(["temperature"])
    assert [f"files in {name}: {', '.join(words)}" for name, words in found] == named


def test_patients_that_test_the_list_test_its_limits(run: Run, folder: Path) -> None:
    change(folder / "card.toml", "folds = 3", "folds = 3\nheld_out = 0.3")
    change(folder / "card.toml", '"card-a6.html", "evaluator.py", "card.json"', '"card.json"')
    assert run("build").code == 0
    change(folder / "card.toml", "5%", "6%")
    assert "learned.json" in made(run("build").out)
    found = read_list("made/model.json")
    assert found.policy == found.validations[0].policy


def test_the_price_of_an_edit_is_told_under_the_limits_of_the_card(run: Run, folder: Path) -> None:
    change(folder / "card.toml", '"card-a6.html", "evaluator.py", "card.json"', '"card.json"')
    change(folder / "card.toml", 'rule_out = "5%"', 'rule_out = "25%"\nrule_in = "80%"')
    assert run("build").code == 0
    assert run("edit", "made/model.json").code == 0
    change(folder / "card.toml", "max_questions = 2", 'max_questions = 0\nstart = "list.toml"')
    change(folder / "list.toml", "points = ", "points = 1")
    under = "both under the same limits (▼ at most 25\u00a0%, ▲ at least 80\u00a0%), the questions"
    done = run("build")
    assert under in done.out
    assert "other limits" not in done.out
    assert " ".join(under.split()) in " ".join(run("show", "made/model.json").out.split())


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('table = "cases.csv"\n', "", "card.toml: the key 'table' is missing."),
        ('outcome = "strep"\n', "", "card.toml: the key 'outcome' is missing."),
        ('"cases.csv"', '"case.csv"', "line 1: table is 'case.csv', but there is no such file"),
        ('"cases.csv"', "7", "line 1: table: expected a text or a list, but"),
        ("outcome =", "outcomes =", "line 2: outcomes: is not known; did you mean 'outcome'?"),
        ("[columns]", "[colums]", "line 4: colums: is not known; did you mean 'columns'?"),
        ("drop =", "dorp =", "line 5: columns.dorp: is not known; did you mean 'drop'?"),
        ('["crp"]', "[1.5, [2]]", "line 5: columns.drop: [1.5, [2]] came, expected"),
        (
            "max_questions = 2",
            'max_questions = "many"',
            "line 8: learning.max_questions: 'many' is",
        ),
        (
            "max_questions = 2",
            "max_questions = [2]",
            "max_questions: [2] is neither auto nor",
        ),
        (
            "folds = 3",
            "folds = 1",
            "line 9: learning.folds: 1 came, expected",
        ),
        ("folds = 3", 'start = "no.toml"', "line 9: learning.start is 'no.toml', but it is not"),
        (
            "folds = 3",
            "no_evidence = 1",
            "line 9: learning.no_evidence: expected true or",
        ),
        ("folds = 3", 'missing = "zero"', "line 9: learning.missing: is not known"),
        ('"5%"', '"5 of 100"', "line 12: limits.rule_out: '5 of 100' is not a share"),
        ('"5%"', "20", "line 12: limits.rule_out: '20' is not between 0 and 1. For 20"),
        ('title = "Sore', 'titel = "Sore', "line 15: words.titel is not known; did you mean"),
        ('"strep"', '"strepp"', "line 2: cases.csv: there is no column 'strepp'; did you mean"),
        ("temperature]", "temprature]", "line 16: words.inputs.temprature is not known; did you"),
        ("label =", "lable =", "line 17: words.inputs.temperature.lable is not known"),
        ('"Halsschmerzen"', "3", "line 19: words.de.title is 3, expected text in quotes"),
        (
            '"card-a6.html"',
            '"card-a66.html"',
            "line 24: make.forms: it has 'card-a66.html'; did you",
        ),
        ('"card-a6.html"', '"card.json"', "line 24: make.forms: it has 'card.json' twice"),
        (
            '["en", "de"]',
            '["en", "klingon"]',
            "line 23: make.languages: it has 'klingon'; expected",
        ),
        ('folder = "made"', "folder = 3", "line 22: make.folder: expected a text, but"),
        ("[make]", "[make]\nshape = 1", "line 22: make.shape: is not known; expected folder, lang"),
        (
            '"strep"\n',
            '"strep"\nlook = 3\n',
            "line 3: look: expected a table of keys and values",
        ),
        ("[make]", "[make", "card.toml: this is not TOML: "),
        ('"Sore throat"', "fifty", "line 15, column 9); text needs quotation marks."),
        ('["crp"]', '["Crp"]', "line 5: cases.csv: there is no column 'Crp'; did you mean"),
        ("drop =", 'keep = ["crp"]\ndrop =', "line 5: 'crp' cannot be both `keep` and `drop`."),
        ("drop =", 'group = "ages"\ndrop =', "line 5: cases.csv: there is no column 'ages'; did"),
        (
            "drop =",
            'category = ["age"]\nnumber = ["cough, age"]\ndrop =',
            "line 5: 'age' cannot be both category and number.",
        ),
        (
            "folds = 3",
            'ask = ["agee >= 5"]',
            "line 9: `ask`: 'agee >= 5' begins with no column; did",
        ),
        ("folds = 3", 'ask = ["age > 5"]', "line 9: `ask`: 'age > 5' is not understood from"),
        ('"5%"', '"5%"\nrule_in = "4%"', "line 11: limits cannot be kept: The limits rule_out"),
        ('"made"', '"cases.csv"', "make.folder is 'cases.csv', which is a file; name a folder."),
        ("[make]", '[look]\northography = "x"\n[make]', "line 22: look.orthography: is not known"),
        (
            "[make]",
            '[look]\norientation = "x"\n[make]',
            "orientation: 'x' is not one of landscape",
        ),
    ],
)
def test_a_wrong_file_is_refused_in_one_line_with_the_line(
    run: Run, folder: Path, old: str, new: str, said: str
) -> None:
    change(folder / "card.toml", old, new)
    done = run("build")
    assert done.code == 1
    assert len(done.err.splitlines()) == 1, done.err
    assert done.err.startswith("Error: card.toml")
    assert said in done.err
    assert not (folder / "made").exists()


def test_a_missing_file_is_told_how_it_is_written(run: Run, folder: Path) -> None:
    (folder / "card.toml").unlink()
    done = run("build")
    assert (done.code, "scorecard new cases.csv" in done.err) == (1, True)
    Path("list.toml").write_text('[[questions]]\ninput = "age"\n')
    done = run("build", "list.toml")
    assert (done.code, 'start = "list.toml" below [learning]' in done.err) == (1, True)
    Path("model.json").write_text('{"format": "scorecard/3"}')
    done = run("build", "model.json")
    assert done.err.startswith("Error: model.json: this is a list, not a card.toml; say start =")
    assert done.err.endswith(" A finished list is printed with: scorecard card model.json\n")
    (folder / "ward").mkdir()
    (folder / "ward" / "card.toml").write_text('table = "x.csv"\n')
    assert run("build", "ward").err.startswith("Error: card.toml: the key 'outcome' is missing")


def test_without_pango_everything_else_is_made_and_the_exit_code_says_so(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    change(
        folder / "card.toml", 'forms = ["card-a6.html"', 'forms = ["card-a6.pdf", "card-a6.html"'
    )
    with monkeypatch.context() as without:

        def missing() -> None:
            raise NoPangoError

        without.setattr("scorecard.printing.html_to_pdf._weasyprint", missing)
        for _ in range(2):
            done = run("build")
            assert done.code == 1
            (line,) = (one for one in done.err.splitlines() if one.startswith("Error: "))
            assert line.startswith("Error: not made: card-a6-de.pdf, card-a6.pdf. PDF needs the")
            assert {one.name for one in (folder / "made").iterdir() if one.is_file()} == FILES
            assert "Nothing has changed" not in done.out
    assert run("build").code == 0
    assert {"card-a6.pdf", "card-a6-de.pdf"} <= {one.name for one in (folder / "made").iterdir()}


def test_an_interrupted_build_says_what_is_new(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as during:
        during.setattr("scorecard.api.printed_card", interrupted)
        stopped = run("build")
    assert stopped.code == 130
    assert "Stopped; made anew: model.json" in stopped.err
    assert stopped.err.endswith(" Build again for the rest.\n")
    assert (folder / "made" / "model.json").is_file()
    assert not (folder / "made" / "card-a6.html").exists()
    assert run("build").code == 0


@processes.needs_interrupts
def test_watching_builds_again_when_a_file_changes(folder: Path) -> None:
    change(folder / "card.toml", '"card-a6.html", "evaluator.py", "card.json"', '"card.json"')
    command, said = [sys.executable, "-m", "scorecard", "build", "--watch"], folder / "said.txt"
    with (
        said.open("w", encoding="utf-8") as stream,
        processes.started(command, stdout=stream, stderr=stream) as watching,
    ):

        def wait_for(times: int) -> str:
            def watches() -> bool:
                return said.read_text(encoding="utf-8").count("Watching;") == times

            processes.wait_until(watches, watching)
            return said.read_text(encoding="utf-8").split("Watching;")[times - 1]

        assert "learned from the table" in wait_for(1)
        change(folder / "card.toml", "Sore throat", "Throat")
        assert "not learned again" in wait_for(2)
        change(folder / "card.toml", "outcome =", "outcom =")
        assert "did you mean 'outcome'?" in wait_for(3)
        watching.send_signal(signal.SIGINT)
        processes.rest_of(watching)
        assert watching.returncode == 0
    assert "Watching has ended." in said.read_text(encoding="utf-8")
    assert json.loads((folder / "made" / "card.json").read_bytes())["about"]["title"] == "Throat"


def test_a_check_that_failed_fails_again_and_nothing_is_called_up_to_date(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    change(folder / "card.toml", 'forms = ["card-a6.html", "evaluator.py", "card.json"]', "")
    change(folder / "card.toml", "[make]", '[make]\nforms = ["evaluator.py", "card.json"]')
    with monkeypatch.context() as patch:
        reader = FORMS["python"].reader
        patch.setattr(reader, "origin", lambda _content: None)
        patch.setattr(reader, "found", lambda *_: Found(faults=["a wrong risk"]))
        for _ in range(2):
            done = run("build")
            assert done.code == 1
            assert "a wrong risk" in done.out
            assert "up to date" not in done.out
            assert "Files do not agree with model.json" in done.err
    done = run("build")
    assert (done.code, "2 files agree" in done.out) == (0, True)
    change(folder / "card.toml", '"card.json"]', '"card.json", "card-a6.html"]')
    done = run("build")
    assert (done.code, "3 files agree" in done.out) == (0, True), "those that agreed and the new"

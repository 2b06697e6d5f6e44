"""`scorecard evaluate` as a user calls it."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from scorecard.cli.output import says_scorecard
from scorecard.documents.json_document import read_list
from tests.cli.conftest import Run

QUICK = ("--splits", 2, "--max-questions", 2, "--set", "jobs=1")


@pytest.fixture
def patients(tmp_path: Path) -> Path:
    generator = np.random.default_rng(0)
    age = generator.integers(20, 90, 200)
    price = generator.random(200).round(2)
    ill = generator.random(200) < np.where(age > 55, 0.8, 0.2)
    rows = [f"{a},{p},{'yes' if i else 'no'}" for a, p, i in zip(age, price, ill, strict=True)]
    path = tmp_path / "patients.csv"
    # names that a template or a plot must not take for code
    path.write_text("\n".join(["<b>age</b>,$x^$,ill", *rows]) + "\n", encoding="utf-8")
    return path


def test_an_html_report_is_one_file_that_escapes_every_name(run: Run, patients: Path) -> None:
    report = patients.with_name("report.html")
    ask = ("--set", "ask=$x^$")
    done = run("evaluate", patients, "--outcome", "ill", "-o", report, *ask, *QUICK)
    assert (done.code, done.err) == (0, "")
    assert "200 cases" in done.out
    assert f"Wrote {report}." in done.out
    assert says_scorecard(report)
    html = report.read_text(encoding="utf-8")
    assert "<b>age" not in html
    assert "&lt;b&gt;age" in html
    assert "$x^$" in html
    assert "<script" not in html
    outside = {"http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"}
    assert set(re.findall(r"https?://[^\"'\s<]+", html)) <= outside
    assert html.count("<svg") == 8
    ids = re.findall(r'\bid="([^"]+)"', html)
    assert len(ids) == len(set(ids))
    # text in the pictures stays text
    assert re.search(r"<text[^>]*>\s*questions asked", html)
    assert "nan" not in re.sub(r"base64,[^)]*", "", html).lower().split()


def test_what_is_known_only_afterwards_is_left_out_and_reported(run: Run, patients: Path) -> None:
    head, *rows = patients.read_text(encoding="utf-8").splitlines()
    told = [f"{row},{1 + row.endswith('yes')}" for row in rows]
    patients.write_text("\n".join([f"{head},left as", *told]) + "\n", encoding="utf-8")
    report = patients.with_name("report.html")
    command = ("evaluate", patients, "--outcome", "ill", "-o", report, "--force", *QUICK)
    assert "it is left out unless you say --keep 'left as'." in run(*command).err
    why = "column left as not used"
    assert why in report.read_text(encoding="utf-8")
    assert run(*command, "--keep", "left as").code == 0
    assert why not in report.read_text(encoding="utf-8")


def test_the_same_command_gives_the_same_report(run: Run, patients: Path) -> None:
    one, other = (patients.with_name(name) for name in ("one.html", "other.html"))
    for report in (one, other):
        assert run("evaluate", patients, "--outcome", "ill", "-o", report, *QUICK).code == 0
    assert one.read_bytes() == other.read_bytes()


def test_json_has_every_figure(run: Run, patients: Path) -> None:
    report = patients.with_name("report.json")
    done = run("evaluate", patients, "--outcome", "ill", "--set", "folds=3", "-o", report, *QUICK)
    assert done.code == 0
    record = json.loads(report.read_text(encoding="utf-8"))
    assert record["splits"].startswith("3-fold cross-validation, repeated 2 times")
    assert set(record["methods"]) == {"list", "logistic", "logistic-free", "tree", "boosting"}
    assert record["methods"]["list"]["stages"]["brier"]["splits"][0] == 6
    assert record["settings"]["max_questions"] == 2
    assert set(record["stopping"]) == {"error-control", "group", "point", "bounds"}


def test_a_pdf(run: Run, patients: Path) -> None:
    report = patients.with_name("report.pdf")
    assert run("evaluate", patients, "--outcome", "ill", "-o", report, *QUICK).code == 0
    assert says_scorecard(report)
    import pypdfium2

    document = pypdfium2.PdfDocument(report)
    text = "".join(page.get_textpage().get_text_range() for page in document)
    assert "How good is a scoring list for ill?" in text
    assert "questions asked" in text


def test_a_finished_list_on_new_cases(run: Run, patients: Path) -> None:
    model, new = patients.with_name("model.json"), patients.with_name("new.json")
    assert run("fit", patients, "--outcome", "ill", "-o", model).code == 0
    report = patients.with_name("report.html")
    done = run("evaluate", model, patients, "-o", report, "--recalibrated", new)
    assert (done.code, done.err) == (0, "")
    assert "observed / expected" in done.out
    assert "This is the table the list was learned from" in done.out
    other = patients.with_name("other.csv")
    other.write_text(patients.read_text(encoding="utf-8") + "70,0.5,yes\n", encoding="utf-8")
    done = run("evaluate", model, other, "-o", report)
    assert "the list was learned from" not in done.out
    assert "on new cases" in report.read_text(encoding="utf-8")
    assert run("validate", new).code == 0
    assert read_list(new).risk_source.origin == "training"  # these cases chose the questions


def test_a_test_on_new_cases_is_kept_in_a_list_of_its_own(run: Run, patients: Path) -> None:
    model, tested = patients.with_name("model.json"), patients.with_name("tested.json")
    other, report = patients.with_name("other.csv"), patients.with_name("r.json")
    other.write_text(patients.read_text(encoding="utf-8") + "70,0.5,yes\n", encoding="utf-8")
    limits = ("--rule-out", "30%", "--rule-in", "70%")
    assert run("fit", patients, "--outcome", "ill", *limits, "-o", model).code == 0
    words = ("evaluate", model, other, "-o", report, "--validated")
    refused = run(*words, model)
    assert refused.code == 1
    assert "is read as well; write to another file" in refused.err
    assert run(*words, tested).code == 0
    kept = read_list(tested).validations
    assert [(one.source, one.kind) for one in kept] == [("other.csv", "other table")]
    assert kept[0].policy == read_list(model).policy
    assert "other cases (other.csv)." in run("show", tested).out
    again = run("evaluate", model, patients, "-o", report, "--validated", tested)
    assert again.code == 1
    assert "the list was learned from this table" in again.err


def test_fit_can_test_the_list_on_another_table(run: Run, patients: Path) -> None:
    model, other = patients.with_name("model.json"), patients.with_name("other.csv")
    other.write_text(patients.read_text(encoding="utf-8") + "70,0.5,yes\n", encoding="utf-8")
    limits = ("--rule-out", "30%", "--rule-in", "70%", "--set", f"validate={other}")
    done = run("fit", patients, "--outcome", "ill", *limits, "-o", model)
    assert done.code == 0, done.err
    assert "other cases (other.csv)." in done.out
    assert len(read_list(model).validations) == 1


def test_another_outcome_than_the_learned_one_is_a_warning(run: Run, patients: Path) -> None:
    model, other = patients.with_name("model.json"), patients.with_name("other.csv")
    assert run("fit", patients, "--outcome", "ill", "-o", model).code == 0
    text = patients.read_text(encoding="utf-8").replace(",ill", ",sick", 1)
    other.write_text(text, encoding="utf-8")
    done = run("evaluate", model, other, "--outcome", "sick", "-o", patients.with_name("r.json"))
    assert done.code == 0
    assert "Warning: the list was learned to predict 'ill' and is judged by 'sick'" in done.err
    assert done.err.count("\n") == 1


def test_the_number_of_questions_is_found_told_and_recorded(run: Run, patients: Path) -> None:
    model = patients.with_name("model.json")
    done = run("fit", patients, "--outcome", "ill", "--max-questions", "auto", "-o", model)
    assert done.code == 0
    assert "How many questions: cross-validated log loss" in done.out
    document = json.loads(model.read_text(encoding="utf-8"))
    said = re.search(r"log loss \S+ after (\d)", done.out)
    assert said
    assert len(document["questions"]) == int(said[1])
    assert "cross-validated log loss" in json.dumps(document["provenance"])


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("patients.csv",), 1, "--outcome is needed"),
        (("patients.csv", "--outcome", "il"), 1, "there is no column 'il'; did you mean 'ill'?"),
        ((), 2, "no file came; expected TABLE, or MODEL and TABLE"),
        (("a.csv", "b.csv", "--outcome", "ill"), 1, "'a.csv' cannot be read: No such file"),
        (("patients.csv", "--outcome", "ill", "-o", "x.doc"), 2, "end the name in .html, .pdf,"),
        (("patients.csv", "--outcome", "ill", "--recalibrated", "n.json"), 2, "needs a MODEL"),
        (("m.json", "patients.csv", "--recalibrated", "report.html"), 2, "cannot be both"),
        (("patients.csv", "--outcome", "ill", "--set", "folds=150"), 1, "fewer folds"),
        (("patients.csv", "--outcome", "ill", "--set", "test_share=0"), 1, "cannot be split"),
        (("patients.csv", "--outcome", "ill", "--max-questions", "-1"), 2, "neither auto nor"),
        (("m.json", "patients.csv", "--as-published"), 2, "--as-published is about"),
        (("m.json", "patients.csv", "--splits", "5"), 2, "--splits is about learning; a MODEL"),
        (("m.json", "patients.csv", "--set", "folds=5"), 2, "--set folds is about learning"),
        (
            ("m.json", "patients.csv", "--set", "test_share=1/3"),
            2,
            "--set test_share is about learning",
        ),
        (("m.json", "patients.csv", "--max-questions", "3"), 2, "--max-questions is about"),
        (("no.csv", "--outcome", "ill"), 1, "'no.csv' cannot be read"),
    ],
)
def test_what_is_refused_and_how(
    run: Run,
    patients: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    code: int,
    message: str,
) -> None:
    monkeypatch.chdir(patients.parent)
    done = run("evaluate", *arguments)
    assert done.code == code
    assert message in done.err
    assert not patients.with_name("report.html").exists()

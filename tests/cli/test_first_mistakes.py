"""What a first user does wrong: each is answered by one line that says what to do next."""

import os
from pathlib import Path

import pytest

from scorecard.documents.json_document import dumps, write_list
from tests.cli.conftest import Done, Run
from tests.lists import TABLE_1

HEAD = "age,smoker,ill"
ROWS = [
    f"{20 + (7 * number) % 60},{'yes' if number % 3 else 'no'},{'sick' if number % 4 else 'well'}"
    for number in range(40)
]
FIT = ("fit", "cases.csv", "--outcome", "ill", "--positive", "sick")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A table and a list in an otherwise empty folder."""
    monkeypatch.chdir(tmp_path)
    Path("cases.csv").write_text("\n".join([HEAD, *ROWS]) + "\n")
    write_list(TABLE_1, "list.json")
    return tmp_path


def refused(done: Done, *said: str) -> None:
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("Error: ")
    assert done.err.count("\n") == 1
    for words in said:
        assert words in done.err


def misused(done: Done, *said: str) -> None:
    assert (done.code, done.out) == (2, "")
    (complaint,) = done.err.splitlines()
    assert complaint.startswith("Error: ")
    for words in said:
        assert words in complaint


def test_a_column_that_is_not_there(run: Run) -> None:
    refused(run("fit", "cases.csv", "--outcome", "il"), "no column 'il'; did you mean 'ill'?")
    refused(
        run("fit", "cases.csv", "--outcome", "xyz"),
        "there is no column 'xyz'; it has 'age', 'smoker', 'ill'.",
    )


def test_an_outcome_in_words(run: Run) -> None:
    refused(
        run("fit", "cases.csv", "--outcome", "ill"),
        "which value is the positive one?",
        "add --positive well or --positive sick",
    )
    refused(
        run("fit", "cases.csv", "--outcome", "ill", "--positive", "Sick"),
        "the positive value 'Sick' is not there; it has 'sick', 'well'",
    )


def test_semicolons_are_no_mistake(run: Run) -> None:
    Path("cases.csv").write_text("\n".join([HEAD, *ROWS]).replace(",", ";") + "\n")
    assert run(*FIT).code == 0


def test_semicolons_and_decimal_commas(run: Run) -> None:
    rows = [row.replace(",", ";").replace(";", ",5;", 1) for row in ROWS]
    Path("cases.csv").write_text("\n".join([HEAD.replace(",", ";"), *rows]) + "\n")
    refused(run(*FIT), "column 'age', row 1 (line 2): '20,5' has a decimal comma; add --decimal ,")
    assert run(*FIT, "--decimal", ",").code == 0
    refused(run("apply", "model.json", "cases.csv"), "--decimal ,")


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("cases.xlsx", "cannot be read as an Excel workbook"),
        ("cases.csv", "is a spreadsheet; name it .xlsx or save it as CSV"),
        ("cases.ods", "is a spreadsheet; save it as .xlsx or CSV (UTF-8)"),
    ],
)
def test_a_spreadsheet(run: Run, name: str, remedy: str) -> None:
    Path(name).write_bytes(b"PK\x03\x04 and more")
    refused(run("fit", name, "--outcome", "ill"), remedy)


def test_a_model_in_place_of_a_table(run: Run) -> None:
    write_list(TABLE_1, "model.json")
    for words in (("fit", "model.json"), ("evaluate", "model.json"), ("apply", "list.json")):
        table = () if words[0] != "apply" else ("model.json",)
        refused(
            run(*words, *table, *(() if table else ("--outcome", "ill"))),
            "model.json: this looks like a model file, not a table of cases; give the table here",
        )


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("cases.csv", "\n".join([HEAD, *ROWS]).encode()),
        ("cases.tsv", "\n".join([HEAD, *ROWS]).replace(",", "\t").encode()),
        ("cases.csv", "\r\n".join([HEAD, *ROWS]).replace(",", ";").encode()),
        ("cases.parquet", b"PAR1 and more"),
    ],
)
def test_a_table_in_place_of_a_model(run: Run, name: str, content: bytes) -> None:
    Path(name).write_bytes(content)
    for words in (("show", name), ("card", name), ("apply", name, "list.json")):
        refused(
            run(*words),
            f"{name}: this is a table, not a scoring list; give a model file here",
            "scorecard fit TABLE --outcome COLUMN",
        )


@pytest.mark.parametrize(
    ("name", "content", "kind"),
    [
        ("card.pdf", b"%PDF-1.7\n%\xe2", "a PDF"),
        ("card.png", b"\x89PNG\r\n\x1a\n\0", "a PNG picture"),
        ("card.svg", b"<svg/>", "a web page or an SVG picture"),
        ("handout.html", b"<!DOCTYPE html>", "a web page or an SVG picture"),
        ("list.xlsx", b"PK\x03\x04 and more", "an Excel workbook or a zip file"),
        ("list.xls", b"\xd0\xcf\x11\xe0 and more", "an Excel workbook"),
    ],
)
def test_something_made_of_a_list_in_its_place(
    run: Run, name: str, content: bytes, kind: str
) -> None:
    Path(name).write_bytes(content)
    for command in ("show", "validate", "card"):
        refused(
            run(command, name),
            f"{name}: this is {kind}, not a scoring list; give the model file, for instance"
            " model.json",
        )


def test_a_file_that_is_no_list(run: Run) -> None:
    Path("other.json").write_text('{"name": "settings"}')
    refused(
        run("show", "other.json"),
        "other.json: format: it is missing",
        "this is no scoring list; give the file that scorecard fit or scorecard new has written.",
    )
    Path("old.json").write_text('{"format": "scorecard/0"}')
    refused(run("show", "old.json"), "older version", "make the list again with scorecard fit")


def test_three_outcomes(run: Run) -> None:
    Path("three.csv").write_text("age,end\n" + "1,home\n2,ward\n3,dead\n" * 10)
    refused(
        run("fit", "three.csv", "--outcome", "end"),
        "It has 3: 'dead', 'home', 'ward'; --positive ward would take that one against all",
    )


def test_a_misspelt_command(run: Run) -> None:
    misused(run("crad", "list.json"), "No such command 'crad'; did you mean 'card'?")
    misused(run("Show", "list.json"), "did you mean 'show'?")
    misused(run("xyz"), "No such command 'xyz'; expected one of ")


def test_a_missing_option(run: Run) -> None:
    needed = "--outcome is needed: the column to predict, one of age, smoker, ill."
    refused(run("fit", "cases.csv"), needed)
    refused(run("evaluate", "cases.csv"), needed)
    done = run("export", "list.json")
    assert done.code == 2
    misused(run("doctor", "x"), "unexpected extra argument (x). See scorecard doctor --help.")
    assert done.err == (
        "Error: Missing option '--to'. Choose from: python, json, javascript, sql, r, excel,"
        " xlsform, fhir, redcap, docx, markdown."
        " See scorecard export --help.\n"
    )
    misused(run("card"), "Missing argument 'MODEL'")


def test_limits_out_of_reach(run: Run) -> None:
    refused(
        run("show", "list.json", "--rule-out", "0.5", "--rule-in", "0.2"),
        "--rule-out 0.5 and --rule-in 0.2 do not fit: expected 0 ≤ --rule-out < --rule-in ≤ 1. Are"
        " they swapped?",
    )
    refused(
        run("card", "list.json", "--rule-out", "40%", "--rule-in", "95%"),
        "The base rate is 0.3. Choose --rule-out below, --rule-in above it.",
    )
    misused(run("show", "list.json", "--rule-out", "5"), "For 5 percent write 5%.")


def test_a_file_that_exists(run: Run) -> None:
    Path("card-a6.pdf").write_text("mine")
    refused(
        run("card", "list.json", "--rule-out", "10%", "--rule-in", "90%"),
        "'card-a6.pdf' exists and may have been written by hand; choose another name or add"
        " --force",
    )


def test_a_place_where_one_may_not_write(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    allowed = os.access

    def answer(path: os.PathLike[str] | str, mode: int) -> bool:
        """Of an account that may not write into the folder; root could write anywhere."""
        return allowed(path, mode) and (mode != os.W_OK or Path(path).resolve() != folder)

    monkeypatch.setattr(os, "access", answer)
    refused(
        run(*FIT),
        "'model.json' cannot be written: Permission denied; choose a folder you may write",
    )
    assert not Path("model.json").exists()


def test_a_file_that_is_write_protected(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    write_list(TABLE_1, "model.json")
    allowed = os.access

    def answer(path: os.PathLike[str] | str, mode: int) -> bool:
        return allowed(path, mode) and (mode != os.W_OK or Path(path).name != "model.json")

    monkeypatch.setattr(os, "access", answer)
    refused(run(*FIT), "'model.json' cannot be written: it is write-protected; choose another name")


@pytest.mark.parametrize(
    ("version", "remedy"),
    [
        ("0", "an older version wrote it; make the list again with scorecard fit."),
        ("4", "a newer version wrote it; update with pip install --upgrade psl-scorecard."),
    ],
)
def test_a_model_of_another_version(run: Run, version: str, remedy: str) -> None:
    document = dumps(TABLE_1).decode().replace("scorecard/3", f"scorecard/{version}", 1)
    Path("other.json").write_text(document, encoding="utf-8")
    refused(run("show", "other.json"), remedy)


def test_a_sign_that_is_none(run: Run) -> None:
    misused(run(*FIT, "--set", "sign=age=up"), "'age=up' is neither age=+ nor age=-.")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--set", "held_out=99%"), "use more cases or --set held_out=0."),
        (("--set", "sign=x=+"), "--set sign: 'x' is not an input"),
        (("--set", "missing=refuse"), "and --set missing=refuse."),
    ],
)
def test_python_names_become_options(run: Run, options: tuple[str, ...], said: str) -> None:
    Path("cases.csv").write_text("\n".join([HEAD, *ROWS, ",yes,sick"]) + "\n")
    refused(run(*FIT, *options), said)

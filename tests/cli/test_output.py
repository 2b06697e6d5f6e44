"""Where commands write: usual names, the standard output, and files that are not ours."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from scorecard.alternatives import write_alternatives
from scorecard.cli import COMMANDS, cli
from scorecard.cli import run as command
from scorecard.cli.output import says_scorecard
from scorecard.documents.json_document import write_list
from tests import processes
from tests.cli.conftest import Done, Run
from tests.forms.card.printed_cards import ward_list
from tests.lists import by_point

LIMITS = ("--rule-out", "10%", "--rule-in", "80%")
REFUSAL = "exists and may have been written by hand; choose another name or add --force."

# What one types, and the name of the file that comes of it.
WRITERS = {
    "fit": (("fit", "cases.csv", "--outcome", "ill"), "model.json"),
    "new": (("new",), "list.toml"),
    "edit": (("edit", "list.json"), "list.toml"),
    "alternatives": (("alternatives", "list.json", "--take", "1"), "chosen.json"),
    "label": (("label", "list.json", *LIMITS), "labelled.json"),
    "evaluate": (
        ("evaluate", "list.json", "cases.csv", "--outcome", "ill"),
        "report.html",
    ),
    "card": (("card", "list.json", *LIMITS), "card-a6.pdf"),
    "handout": (("handout", "list.json", *LIMITS), "handout.html"),
    "apply": (("apply", "list.json", "cases.csv", *LIMITS), "decided.csv"),
    "export to python": (("export", "list.json", "--to", "python"), "evaluator.py"),
    "export to json": (("export", "list.json", "--to", "json"), "card.json"),
    "export to javascript": (("export", "list.json", "--to", "javascript"), "evaluator.mjs"),
    "export to sql": (("export", "list.json", "--to", "sql"), "evaluator.sql"),
    "export to excel": (("export", "list.json", "--to", "excel"), "evaluator.xlsx"),
}
TEXTS = [
    name
    for name, (_, file) in WRITERS.items()
    if not file.endswith((".pdf", ".png", ".xlsx", ".toml"))
]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a list and a table, where commands are typed."""
    monkeypatch.chdir(tmp_path)
    scoring_list = by_point(ward_list(3))
    write_list(scoring_list, "list.json")
    write_alternatives([scoring_list], "list.json")
    names = [question.input for question in scoring_list.questions]
    kinds = [question.condition.is_numeric for question in scoring_list.questions]
    words = [("0", "99") if is_number else ("no", "yes") for is_number in kinds]
    rows = [
        ",".join([*(pair[number >> bit & 1] for bit, pair in enumerate(words)), ill])
        for number in range(60)
        for ill in [("no", "yes", "yes" if number % 7 == 0 else "no")[number % 3]]
    ]
    Path("cases.csv").write_text("\n".join([",".join([*names, "ill"]), *rows]) + "\n")
    return tmp_path


def test_every_command_that_writes_is_here() -> None:
    def names() -> Iterator[str]:
        for name in COMMANDS:
            found = cli.get_command(cli.make_context("scorecard", ["show"]), name)
            assert found is not None
            if any(option.name == "output" for option in found.params):
                assert any(option.name == "force" for option in found.params)
                yield name

    assert set(names()) == {words[0] for words, _ in WRITERS.values()}


@pytest.mark.parametrize("name", WRITERS)
def test_the_usual_name_is_written_and_only_ours_is_replaced(name: str, run: Run) -> None:
    words, file = WRITERS[name]
    done = run(*words)
    assert done.code == 0, done.err
    assert f"Wrote {file}" in done.out
    written = Path(file).read_bytes()
    assert says_scorecard(Path(file)) == (name not in ("new", "edit"))  # a person changes these
    Path(file).write_text("mine")
    done = run(*words)
    assert (done.code, done.out) == (1, "")
    assert done.err == f"Error: {file!r} {REFUSAL}\n"
    assert Path(file).read_text() == "mine"
    assert run(*words, "--force").code == 0
    assert Path(file).read_bytes() == written
    if name in TEXTS:
        standard_output_has_the_file_and_nothing_else(run(*words, "-o", "-"), file)


def standard_output_has_the_file_and_nothing_else(done: Done, file: str) -> None:
    assert done.code == 0, done.err
    assert done.out.encode() == Path(file).read_bytes()
    assert "Wrote" not in done.err
    assert not Path("-").exists()


def test_ours_is_replaced_without_asking(run: Run) -> None:
    for _ in range(2):
        assert run("export", "list.json", "--to", "sql").code == 0


def test_bytes_go_to_standard_output_as_well(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert command(["card", "list.json", *LIMITS, "-o", "-"]) == 0
    assert capsysbinary.readouterr().out.startswith(b"%PDF-")
    assert command(["export", "list.json", "--to", "excel", "-o", "-"]) == 0
    assert capsysbinary.readouterr().out.startswith(b"PK")


def test_a_file_that_is_read_stays_even_with_force(run: Run) -> None:
    before = Path("list.json").read_bytes()
    for words in (
        ("export", "list.json", "--to", "json"),
        ("apply", "list.json", "cases.csv"),
        ("evaluate", "list.json", "cases.csv", "--outcome", "ill"),
    ):
        done = run(*words, "-o", "list.json", "--force")
        assert done.code == 1
        assert "'list.json' is read as well; write to another file." in done.err
    assert Path("list.json").read_bytes() == before


def test_the_recalibrated_list_replaces_nothing_either(run: Run) -> None:
    Path("new.json").write_text("mine")
    words = ("evaluate", "list.json", "cases.csv", "--outcome", "ill", "--recalibrated", "new.json")
    done = run(*words)
    assert done.err == f"Error: 'new.json' {REFUSAL}\n"
    assert not Path("report.html").exists()


def test_the_demo_replaces_nothing_either(run: Run) -> None:
    Path("output").mkdir()
    Path("output", "cases.csv").write_text("mine")
    done = run("demo")
    assert done.code == 1
    assert REFUSAL in done.err
    Path("output", "cases.csv").unlink()
    Path("output", "card-credit.png").write_text("mine")
    done = run("demo")
    assert done.code == 1
    assert REFUSAL in done.err
    assert [file.name for file in Path("output").iterdir()] == ["card-credit.png"]


@pytest.mark.skipif(os.name == "nt", reason="there are no devices with a name")
def test_devices_need_no_force(run: Run) -> None:
    assert run("export", "list.json", "--to", "sql", "-o", "/dev/null").code == 0


def test_a_name_of_two_words_can_be_typed_as_it_is_told(run: Run) -> None:
    done = run("fit", "cases.csv", "--outcome", "ill", "-o", "my list.json")
    quoted = '"my list.json"' if os.name == "nt" else "'my list.json'"
    assert f"scorecard show {quoted}" in done.out


@pytest.mark.parametrize(
    "words",
    [
        ("show", "list.json"),
        ("validate", "list.json"),
        ("apply", "list.json", "big.csv", "-o", "-"),
    ],
)
def test_a_reader_may_leave(words: tuple[str, ...]) -> None:
    head, *rows = Path("cases.csv").read_text().splitlines()
    Path("big.csv").write_text("\n".join([head, *rows * 2000]))
    with processes.started(
        [sys.executable, "-m", "scorecard", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()  # as “| head” does when it has enough
        process.stdout = None  # nothing more is expected from there
        assert processes.rest_of(process)[1] == b""

"""How much a command says: --quiet, --verbose, pipes, and terminals without colour."""

import sys
from io import StringIO
from pathlib import Path

import pytest

from scorecard.cli import messages
from scorecard.documents.json_document import write_list
from tests.cli.conftest import Run
from tests.forms.card.printed_cards import ward_list
from tests.lists import by_point

LIMITS = ("--rule-out", "10%", "--rule-in", "80%")


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_list(by_point(ward_list(3)), "list.json")
    return tmp_path / "list.json"


@pytest.mark.parametrize(
    "words",
    [
        ("-q", "export", "list.json", "--to", "sql"),
        ("export", "list.json", "--to", "sql", "--quiet"),
        ("--quiet", "card", "list.json", "-q"),
        ("validate", "list.json", "-q"),
        ("check", "list.json", "-q"),
    ],
)
@pytest.mark.usefixtures("model")
def test_quiet_says_nothing(run: Run, words: tuple[str, ...]) -> None:
    done = run(*words)
    assert (done.code, done.out, done.err) == (0, "", "")


def test_quiet_still_gives_results_and_refusals(run: Run, model: Path) -> None:
    assert run("show", model, "-q", *LIMITS).out == run("show", model, *LIMITS).out != ""
    Path("evaluator.sql").write_text("mine")
    done = run("export", model, "--to", "sql", "-q")
    assert done.code == 1
    assert done.err.startswith("Error: 'evaluator.sql' exists")


@pytest.mark.parametrize(
    "words",
    [("-v", "show", "list.json", *LIMITS), ("show", "list.json", *LIMITS, "--verbose")],
)
@pytest.mark.usefixtures("model")
def test_verbose_tells_how_long_it_took(run: Run, words: tuple[str, ...]) -> None:
    done = run(*words)
    assert done.out == run("show", "list.json", *LIMITS).out
    (line,) = done.err.splitlines()
    assert line.startswith("show took ")


@pytest.mark.usefixtures("model")
def test_times_are_told_of_a_refusal_too(run: Run) -> None:
    done = run("show", "nothing.json", "-v")
    assert done.code == 1
    assert "show took" in done.err
    assert done.err.splitlines()[-1].startswith("Error: 'nothing.json' cannot be read")


@pytest.mark.usefixtures("model")
def test_bars_stay_away_from_pipes_whatever_is_forced(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setattr(messages, "PATIENCE", -1.0)
    Path("cases.csv").write_text("age,ill\n" + "30,no\n60,yes\n60,no\n" * 20)
    done = run("fit", "cases.csv", "--outcome", "ill", "--max-questions", "1")
    assert done.code == 0
    assert "\x1b" not in done.err + done.out
    assert "Searching" not in done.err


def test_bars_are_shown_to_people(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", seen := Terminal())
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(messages, "PATIENCE", -1.0)
    with messages.progress_bar("Searching") as report:
        report(1, 2)
    assert "Searching" in seen.getvalue()


@pytest.mark.parametrize(
    ("stream", "surroundings", "wanted"),
    [
        (Terminal(), {}, True),
        (Terminal(), {"NO_COLOR": "1"}, False),
        (Terminal(), {"TERM": "dumb"}, False),
        (StringIO(), {}, False),
    ],
)
def test_colour_is_for_terminals_that_want_it(
    monkeypatch: pytest.MonkeyPatch, stream: StringIO, surroundings: dict[str, str], wanted: bool
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    for name, value in surroundings.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "stdout", stream)
    assert messages.wants_colour() is wanted


def test_a_parameter_that_is_no_option_is_set() -> None:
    options = [messages.click.Option(["--set", "settings"]), messages.click.Option(["--drop"])]
    command = messages.click.Command("any", params=options)
    said = "missing='mode', or `missing='mode'` and `drop`; held_out=0"
    told = "--set missing=mode, or --set missing=mode and --drop; --set held_out=0"
    assert messages.as_options(said, command, plain=True) == told


def test_parameters_that_the_library_names_become_options(run: Run, tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text("a b,out\n1,x\n2,y\n", encoding="utf-8")
    done = run("fit", table, "--outcome", "out", "-o", tmp_path / "m.json")
    assert "add --positive y or --positive x." in done.err
    command = messages.click.Command(
        "any", params=[messages.click.Option(["-d", "--drop", "--never"])]
    )
    said = messages.as_options("say `drop='a b'`, `drop` or `only=['x']`", command)
    assert said == "say --drop 'a b', --drop or `only=['x']`"

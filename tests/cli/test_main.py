"""What all commands share: help, exit codes, one line for a refusal, completion."""

import os
import re
import signal
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import click
import pytest

from scorecard import __version__
from scorecard.cli import COMMANDS, cli
from scorecard.cli.options import GroupedCommand
from tests import processes
from tests.cli.conftest import Run


def test_the_version(run: Run) -> None:
    assert run("--version").out == f"scorecard {__version__}\n"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_its_line_and_an_example(name: str, run: Run) -> None:
    command = getattr(import_module(f"scorecard.cli.{name}"), name)
    assert isinstance(command, click.Command)
    assert (command.help or "").splitlines()[0] == COMMANDS[name]
    done = run(name, "--help")
    assert done.code == 0
    assert re.search(rf"Examples?:\n +scorecard {name} ", done.out)


def test_help_lists_every_command_and_every_command_is_listed(run: Run, root: Path) -> None:
    shown = run("--help").out
    modules = {file.stem for file in (root / "scorecard" / "cli").glob("*.py")}
    commands = {
        module
        for module in modules - {"__init__"}
        if hasattr(import_module(f"scorecard.cli.{module}"), module)
    }
    assert set(COMMANDS) == commands
    assert all(f"  {name} " in shown for name in COMMANDS)
    assert cli.list_commands(click.Context(cli)) == list(COMMANDS)


def test_a_refusal_is_one_line_and_exit_code_1(run: Run, tmp_path: Path) -> None:
    done = run("show", tmp_path / "nothing.json")
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("Error: ")
    assert done.err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ("no-such-command",),
        ("show",),
        ("show", "x.json", "--no-such-option"),
        ("label", "x.json", "--by", "magic"),
        ("show", "x.json", "--rule-out", "5"),
        ("show", "x.json", "--rule-out", "5,5%"),
        ("label", "x.json", "--min-cases", "-1"),
        ("label", "x.json", "--rule-in", "0.9", "--miss-cost", "9", "--by", "bounds"),
        ("apply", "x.json"),
        ("show", "x.json", "-q", "-v"),
        ("-q", "show", "x.json", "-v"),
    ],
)
def test_wrong_usage_is_exit_code_2(run: Run, arguments: tuple[str, ...]) -> None:
    done = run(*arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("Error: ")
    assert done.err.count("\n") == 1


def test_limits_may_be_shares_percents_or_fractions(run: Run, table_1: Path) -> None:
    shown = [
        run("show", table_1, "--rule-out", out, "--rule-in", into).out
        for out, into in (("0.1", "0.9"), ("10%", "90 %"), ("1/10", "9/10"))
    ]
    assert "at most 10, rule in at one of at least 90 of 100" in shown[0]
    assert len(set(shown)) == 1


def test_limits_that_do_not_fit_are_refused(run: Run, table_1: Path) -> None:
    done = run("show", table_1, "--rule-out", "0.9", "--rule-in", "0.1")
    assert done.code == 1
    assert "expected 0 ≤ --rule-out < --rule-in ≤ 1" in done.err


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_shells_can_complete(shell: str) -> None:
    def ask(**extra: str) -> str:
        return processes.run(
            [sys.executable, "-m", "scorecard"],
            env={**os.environ, "PYTHONUTF8": "1", **extra},
            capture_output=True,
            encoding="utf-8",
        ).stdout

    assert "_SCORECARD_COMPLETE" in ask(_SCORECARD_COMPLETE=f"{shell}_source")

    def completed(words: str, current: str) -> str:
        place = current if shell == "fish" else str(len(words.split(" ")) - 1)
        return ask(_SCORECARD_COMPLETE=f"{shell}_complete", COMP_WORDS=words, COMP_CWORD=place)

    assert "validate" in completed("scorecard va", "va")
    assert "error-control" in completed("scorecard limits --by ", "")


@processes.needs_interrupts
def test_interrupting_is_one_line_and_leaves_no_file(table_1: Path, tmp_path: Path) -> None:
    big = tmp_path / "big.csv"
    big.write_text("f3,f1,f2,f4\n" + "yes,no,yes,no\n" * 3_000_000)
    with processes.started(
        [sys.executable, "-m", "scorecard", "apply", table_1, big, "-o", tmp_path / "out.csv"],
        stderr=subprocess.PIPE,
        encoding="utf-8",
    ) as process:
        processes.wait_until(lambda: any(tmp_path.glob(".scorecard-*")), process)
        process.send_signal(signal.SIGINT)
        _, complaint = processes.rest_of(process)
    assert (process.returncode, complaint.strip()) == (130, "Stopped; nothing was written.")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["big.csv", "table-1.json"]


def test_signs_arrive_whatever_the_console_speaks(table_1: Path) -> None:
    done = processes.run(
        [sys.executable, "-m", "scorecard", "show", table_1, "--rule-out", "10%"],
        env={**os.environ, "PYTHONIOENCODING": "cp1252", "PYTHONUTF8": "0"},
        capture_output=True,
        check=True,
    )
    assert "▼ 10" in done.stdout.decode("utf-8")


def loaded(name: str) -> click.Command:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    return command


# These say what the command itself writes or does.
OWN_WORDS = {"output", "out_dir", "jobs"}
OWN_WORDS |= {
    "sheet",
    "folds",
}  # of paper or of a workbook; of cross-validation or of an evaluation


def test_the_same_option_has_the_same_words_everywhere() -> None:
    words: dict[str, set[tuple[object, ...]]] = {}
    for name in COMMANDS:
        for option in loaded(name).params:
            if isinstance(option, click.Option) and option.name not in OWN_WORDS:
                assert option.help, f"{name} {option.opts[-1]} has no help"
                words.setdefault(option.opts[-1], set()).add((*option.opts, option.help))
    assert {name: said for name, said in words.items() if len(said) > 1} == {}


@pytest.mark.parametrize("name", COMMANDS)
def test_help_shows_a_dozen_options_and_help_all_the_others(name: str, run: Run) -> None:
    command = loaded(name)
    options = [one for one in command.params if isinstance(one, click.Option)]
    short = options_shown(run(name, "--help").out)
    assert len(short - ASIDE) <= 12
    if isinstance(command, GroupedCommand):
        assert command.often <= {*(one.name for one in options), "help", "help_all"}
    whole = options_shown(run(name, "--help-all").out) if "--help-all" in short else short
    assert whole - ASIDE >= {next(n for n in one.opts if n[:2] == "--") for one in options} - ASIDE


ASIDE = {"--quiet", "--verbose", "--help", "--help-all"}


def options_shown(help_text: str) -> set[str]:
    return set(re.findall(r"^  (?:-\w, )?(--[\w-]+)", help_text, re.M))


@pytest.mark.parametrize("name", COMMANDS)
def test_help_is_written_in_one_way(name: str) -> None:
    command = loaded(name)
    quiet, verbose = (option.opts for option in command.params[-2:])
    assert (quiet, verbose) == (["-q", "--quiet"], ["-v", "--verbose"])
    for option in command.params:
        if not isinstance(option, click.Option):
            assert option.make_metavar(click.Context(command)).isupper() or option.metavar
            continue
        assert option.help is not None
        assert option.help[0].isupper() or option.help[0] in "-“", option.help
        assert "may be repeated" not in option.help
        assert ("(repeatable" in option.help) == option.multiple
        if isinstance(option.type, click.Path):
            assert option.metavar in ("FILE", "FOLDER"), option.opts

"""The command line: one module per command, loaded when it is called.

A command parses, makes one library call and one write. Whatever the library refuses arrives here as
a `ScorecardError` and leaves as one line and exit code 1; nothing else knows about exit codes.
"""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

import click

from scorecard import __version__
from scorecard.cli import messages
from scorecard.errors import ScorecardError, did_you_mean, needed_for_tables

# The names in the order in which one uses them. Help needs no more than this: a command's module
# is loaded when it is called. Each line is the first one of the command's own help.
COMMANDS = {
    "studio": "Make a card in the browser.",
    "build": "Make everything that a card.toml asks for, and check all of it.",
    "fit": "Learn a scoring list from a table of cases.",
    "edit": "Write a learned list so that a person can change its questions.",
    "alternatives": "Compare lists that ask other questions and are nearly as good; take one.",
    "label": "Write words and limits into a list, without learning it again.",
    "new": "Write a card.toml for a table, or a list to fill in, as a file with comments.",
    "evaluate": "Judge a list, or how one is learned, on cases that did not choose it.",
    "limits": "Compare limits: how many each pair decides, with how many questions and misses.",
    "card": "Print a list as a pocket card: PDF, HTML or PNG.",
    "handout": "Explain a list on one page with a calculator inside.",
    "show": "Print a list as a staircase of questions, totals and risks.",
    "ask": "Ask the questions one by one and stop when the answer is clear.",
    "apply": "Apply a list to every row of a table.",
    "export": "Write a list as a program, a query, a form or a document that needs nothing else.",
    "check": "Show that files made from a list say what the list says.",
    "validate": "Check a model file: ok with its hash, or every fault in it.",
    "demo": "Learn a list from real cases and make every form of it.",
    "doctor": "Tell what is installed, what is missing, and how to get it.",
}

FAULT = 3
ASKED_NOTHING = getattr(click.exceptions, "NoArgsIsHelpError", ())  # click 8.1 has none
EPILOG = """\b
Exit codes: 0 done, 1 refused with one line that says why, 2 wrong usage,
3 a fault of scorecard itself.
\b
Completion: eval "$(_SCORECARD_COMPLETE=bash_source scorecard)" in ~/.bashrc;
zsh_source and fish_source for the other shells.
"""


class LazyGroup(click.Group):
    """A group that knows its commands by name and imports one when it is needed."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = getattr(import_module(f"scorecard.cli.{cmd_name}"), cmd_name)
        assert isinstance(command, click.Command)
        return messages.with_messages(command)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in COMMANDS and not ctx.resilient_parsing:
            known = f"expected one of {', '.join(COMMANDS)}."
            ctx.fail(f"No such command {args[0]!r}; {did_you_mean(args[0], COMMANDS, known)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=LazyGroup, epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="%(prog)s %(version)s")
def cli() -> None:
    """Learn probabilistic scoring lists and print them as clinical pocket cards.

    A list is a few yes/no questions in order, each with a small number of points. After every
    answer the total tells the risk, and one stops as soon as it is clear enough.
    """


cli.params += messages.options()


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the exit code."""
    _have_streams()
    _speak_utf8()
    try:
        result = cli.main(
            None if arguments is None else list(arguments),
            prog_name="scorecard",
            standalone_mode=False,
        )
        sys.stdout.flush()  # here, where a reader that has left is not yet a traceback
    except ScorecardError as error:
        _complain(f"Error: {error}")
        return 1
    except click.ClickException as error:
        if isinstance(error, ASKED_NOTHING):
            error.show()  # all there is
        else:
            _complain(f"Error: {_in_one_line(error)}")
        return error.exit_code
    except click.Abort:
        _complain("Stopped; nothing was written.")
        return 130
    except BrokenPipeError:
        return _leave_the_pipe()
    except ModuleNotFoundError as error:
        if not (needed := needed_for_tables(error)):
            return _own_fault(error, sys.argv[1:] if arguments is None else arguments)
        _complain(f"Error: {needed}")
        return 1
    except OSError as error:
        _leave_the_pipe()  # what cannot be flushed now cannot be flushed at the end either
        _complain(f"Error: {error.strerror or error}; the output could not be written.")
        return 1
    except BaseException as error:
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        return _own_fault(error, sys.argv[1:] if arguments is None else arguments)
    return result if isinstance(result, int) else 0


def _own_fault(error: BaseException, arguments: Sequence[str]) -> int:
    """The last line of defence: whatever nobody has foreseen is one line too."""
    if isinstance(error, MemoryError):
        _complain("Error: there is not enough memory for this; use a smaller file.")
        return 1
    if {"-v", "--verbose"} & set(arguments):
        from traceback import print_exception

        print_exception(error)
    what = " ".join(f"{type(error).__name__}: {error}".split())[:300]
    _complain(
        f"Error: a fault of scorecard itself ({what}). Files it names are written whole or not at"
        " all. Run the command again with --verbose and send what it says, with what “scorecard"
        f" doctor” prints, to {_maintainers()}."
    )
    return FAULT


def _in_one_line(error: click.ClickException) -> str:
    """What click refuses, without the lines on usage around it: these are what --help is for."""
    message = " ".join(error.format_message().split())
    message = re.sub(r" is not in the range x>=(\S+)\.$", r" is below \1.", message)
    clicks_own = type(error) is not click.UsageError or message.startswith("Got unexpected extra")
    if not isinstance(error, click.UsageError) or not error.ctx or not clicks_own:
        return message  # it says itself what to do
    end = "" if message.endswith((".", "?", "?)")) else "."
    return f"{message}{end} See {error.ctx.command_path} --help."


def _maintainers() -> str:
    """Where faults are reported, as the installed package says."""
    from importlib.metadata import PackageNotFoundError, metadata

    try:
        addresses = metadata("psl-scorecard").get_all("Project-URL") or []
    except PackageNotFoundError:
        addresses = []
    by_name = dict(address.lower().partition(", ")[::2] for address in addresses)
    found = by_name.get("issues") or by_name.get("homepage")
    return found or "whoever maintains it where you are"


def _complain(line: str) -> None:
    click.echo(line, err=True)


def _leave_the_pipe() -> int:
    """Whoever read the output has enough, as in “| head”; click leaves with the same code."""
    # What is still to be flushed when Python ends has to go somewhere.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 1


def _have_streams() -> None:
    """A stream that was closed before we began is `None`; what is said there is said to nobody."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            nowhere = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115 - to the end
            setattr(sys, name, nowhere)


def _speak_utf8() -> None:
    """≥, − and ▼ have to arrive; a console of another encoding would stop at them."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.encoding.lower() != "utf-8":
            stream.reconfigure(encoding="utf-8")

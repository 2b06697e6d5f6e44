"""What a command says besides its result, and how much of it: --quiet and --verbose.

Results (a staircase, a verdict) are written with `click.echo` wherever they belong. What is said
about the work goes through here: it stays away with --quiet, and goes to the error stream where the
standard output is the file that is written. Every command has both options, before or after its
name; they are given to it when it is loaded.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
import time
from ast import literal_eval
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import Any

import click

from scorecard.errors import LearningError, PolicyError, ScorecardError

LEVEL = "scorecard.messages.level"
AWAY = "scorecard.messages.away"
PATIENCE = 1.0  # seconds before a progress bar is worth its place
QUIET, NORMAL, VERBOSE = "quiet", "normal", "verbose"


def say(text: str) -> None:
    """Say what was done."""
    if not is_quiet():
        click.echo(_here(text), err=bool(_meta().get(AWAY)))


def warn(text: str) -> None:
    """Say what may be wrong, on the error stream."""
    if not is_quiet():
        click.echo(_here(text), err=True)


def detail(text: str) -> None:
    """Say what only a curious person wants to know, on the error stream."""
    if _level() == VERBOSE:
        click.echo(text, err=True)


def leave_standard_output() -> None:
    """Say everything on the error stream from now on: the standard output has the file."""
    _meta()[AWAY] = True


def is_quiet() -> bool:
    """Whether nothing but errors is to be said."""
    return _level() == QUIET


def wants_colour() -> bool:
    """Whether the standard output is a terminal that shows colour, and nobody forbade it."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and not _is_dumb()


def aligned(rows: Sequence[Sequence[str]], right: int = 0) -> list[str]:
    """Rows of a table, its first columns to the right, the others to the left."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            text.rjust(width) if place < right else text.ljust(width)
            for place, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


@contextmanager
def progress_bar(what: str) -> Iterator[Callable[[float, int], None]]:
    """A bar on the error stream, from the first second on, and only where somebody looks."""
    # Asked here and not of rich, which takes FORCE_COLOR for a terminal.
    if not sys.stderr.isatty() or _is_dumb() or is_quiet():
        yield lambda _done, _most: None
        return
    from rich.console import Console
    from rich.progress import Progress

    bar = Progress(console=Console(stderr=True), transient=True)
    started, task = time.monotonic(), bar.add_task(what, total=None)

    def report(done: float, most: int) -> None:
        bar.update(task, completed=done, total=most)
        if time.monotonic() - started > PATIENCE:
            bar.start()

    try:
        yield report
    finally:
        bar.stop()


def _is_dumb() -> bool:
    return os.environ.get("TERM", "") == "dumb"


def _meta() -> dict[str, Any]:
    context = click.get_current_context(silent=True)
    return {} if context is None else context.meta


def _level() -> str:
    return str(_meta().get(LEVEL, NORMAL))


# How every command gets it ------------------------------------------------------------------------


def _choose(context: click.Context, option: click.Parameter, given: bool) -> None:
    """Remember the level; both options, or one of them before and after the command's name."""
    if not given:
        return
    before = context.meta.setdefault(LEVEL, option.name)
    if before != option.name:
        raise click.UsageError("--quiet and --verbose cannot be used together.", context)


def options() -> list[click.Option]:
    """The two options; their values are not arguments of the command."""
    kinds = (
        (QUIET, "Say nothing but errors."),
        (VERBOSE, "Say how long it took; show the trace of a fault."),
    )
    return [
        click.Option(
            [f"-{name[0]}", f"--{name}"],
            is_flag=True,
            expose_value=False,
            callback=_choose,
            help=help_text,
        )
        for name, help_text in kinds
    ]


def with_messages(command: click.Command) -> click.Command:
    """Give a command the two options, and its refusals the names of its own options."""
    inner = command.callback
    if inner is None or any(option.name == QUIET for option in command.params):
        return command

    @wraps(inner)
    def told(*arguments: Any, **named: Any) -> Any:
        context = click.get_current_context()
        started = time.perf_counter()
        try:
            return inner(*arguments, **named)
        except (PolicyError, LearningError) as error:
            raise ScorecardError(as_options(str(error), command, plain=True)) from error
        except ScorecardError as error:
            error.args = (as_options(str(error), command), *error.args[1:])
            raise
        finally:
            detail(f"{context.info_name} took {time.perf_counter() - started:.1f} s.")

    command.callback = told
    command.params = [*command.params, *options()]
    return command


# What the library says, in the words of the command line ------------------------------------------

LEARNER = {"fixed": "ask", "costs": "cost", "positive_label": "positive", "random_state": "seed"}
LEARNER |= {"signs": "sign", "n_jobs": "jobs"}
"""The learner's parameters that are called otherwise here."""

SNIPPET = re.compile(r"`(\w+)(?:=([^`]+))?`")
"""A parameter in a message of the library, as Python writes it: `drop='age'`, `missing`."""
PLAIN = r"(?<![\w'-])(?<!--set )({names})\b(?:=('[^']*'|[\w.+-]*\w))?"
"""The same without the backticks, as messages of the learner and of a policy have it."""


def as_options(message: str, command: click.Command, plain: bool = False) -> str:
    """The message with the command's options in place of the parameters it names as Python does."""
    options = _options(command)

    def option(found: re.Match[str]) -> str:
        name, value = found[1], found[2]
        if name not in options:  # another command's, or a line of a card.toml
            return found[0]
        if value is not None:
            space = "" if options[name].endswith("=") else " "
            return f"{options[name]}{space}{_in_the_shell(value)}"
        # Without a value only what cannot be a common word: its underscore tells, or its place.
        is_name = "`" in found[0] or "_" in name or found.start() == 0
        return options[name].removesuffix("=") if is_name else name

    message = SNIPPET.sub(option, message)
    names = "|".join(sorted(map(re.escape, options), key=len, reverse=True))
    return re.sub(PLAIN.format(names=names), option, message) if plain else message


def _options(command: click.Command) -> dict[str, str]:
    """The command's options by the names of the parameters they give."""
    options = {
        option.name: next(name for name in option.opts if name.startswith("--"))
        for option in command.params
        if isinstance(option, click.Option) and option.name
    }
    if "settings" in options:
        from dataclasses import fields

        from scorecard.project.recipe import Recipe

        options = {**{one.name: f"--set {one.name}=" for one in fields(Recipe)}, **options}
    learner = {name: options[option] for name, option in LEARNER.items() if option in options}
    return options | learner


def _in_the_shell(value: str) -> str:
    """A value of Python as one types it; what is none of Python's stands as it is."""
    try:
        plain = literal_eval(value)
    except (ValueError, SyntaxError):
        plain = value
    return shlex.quote(plain) if isinstance(plain, str) else str(plain)


def _here(text: str) -> str:
    context = click.get_current_context(silent=True)
    return text if context is None else as_options(text, context.command)

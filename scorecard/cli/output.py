"""Where a command writes: `-o`, `--format` and `--force`, and what may be replaced."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Callable, Iterable, Sequence
from os import name as system
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from scorecard.cli import voice
from scorecard.cli.options import Command
from scorecard.errors import ScorecardError

force_option = click.option(
    "--force", is_flag=True, help="Replace files even if they were not written by scorecard."
)


def output_option(what: str, default: str, *, stream: bool = True) -> Callable[[Command], Command]:
    """The option `-o`, with what is written and the name it has otherwise, and `--force`."""
    or_stream = "; - for the standard output" if stream else ""
    option = click.option(
        "-o",
        "--output",
        type=click.Path(),
        metavar="FILE",
        help=f"{what}{or_stream}.  [default: {default}]",
    )

    def decorate(command: Command) -> Command:
        return option(force_option(command))

    return decorate


def format_option(*kinds: str) -> Callable[[Command], Command]:
    """The option `--format`: the kind of file where no name tells it, the first by default."""
    return click.option(
        "--format",
        "kind",
        type=click.Choice(kinds),
        default=kinds[0],
        show_default=True,
        help="Kind of file where no name tells it.",
    )


def named(output: str | None, stem: str, kind: str, kinds: Sequence[str]) -> tuple[str, str]:
    """The file to write and its kind, from `-o` and `--format`."""
    from scorecard.files import is_kept

    if output is None or not is_kept(output):
        return output or f"{stem}.{kind}", kind
    ending = Path(output).suffix.lower().removeprefix(".")
    if ending not in kinds:
        endings = ", ".join(f".{one}" for one in kinds)
        raise click.BadParameter(
            f"{output!r} is no kind of file that is written here; end the name in {endings}.",
            param_hint="-o",
        )
    if _is_given("kind") and ending != kind:
        raise click.UsageError(f"{output!r} is not {kind}; leave out --format, or -o.")
    return output, ending


def _is_given(option: str) -> bool:
    source = click.get_current_context().get_parameter_source(option)
    return source is not ParameterSource.DEFAULT


def claim(
    targets: Iterable[str | Path], *, sources: Iterable[str | None] = (), force: bool = False
) -> None:
    """Refuse, before any work is done, what cannot be written, is read, or a person has made.

    Where the output is itself a stream, everything else is said on the error stream from here on.
    """
    from scorecard.cli.ours import is_ours
    from scorecard.files import is_kept, refuse_overwriting, refuse_unwritable

    read = [source for source in sources if source]
    for target in targets:
        if not is_kept(target):
            voice.leave_standard_output()
            continue
        refuse_unwritable(target)
        refuse_overwriting(target, *read)
        if not force and Path(target).is_file() and not is_ours(Path(target)):
            raise ScorecardError(
                f"{str(target)!r} exists and was not written by scorecard; choose another name"
                " or add --force."
            )


def wrote(target: str | Path, more: str = ".") -> None:
    """Say that a file has been written, and more; what went to a stream has been seen."""
    from scorecard.files import is_kept

    if is_kept(target):
        voice.say(f"Wrote {target}{more}")


def typed(*words: Any) -> str:
    """A command as one types it, quoted where the shell needs it."""
    texts = [str(word) for word in words]
    return subprocess.list2cmdline(texts) if system == "nt" else shlex.join(texts)

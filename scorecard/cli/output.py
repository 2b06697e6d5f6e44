"""Where a command writes: `-o`, `--format` and `--force`, and what may be replaced."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Callable, Iterable, Sequence
from os import name as system
from pathlib import Path
from typing import Any

import click

from scorecard.cli import messages
from scorecard.cli.options import Command
from scorecard.errors import ScorecardError
from scorecard.files import PDF, PNG, ZIP

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


def named(output: str | None, stem: str, kinds: Sequence[str]) -> tuple[str, str]:
    """The file to write and its kind: the first of them where no name tells it."""
    from scorecard.files import is_kept

    if output is None or not is_kept(output):
        return output or f"{stem}.{kinds[0]}", kinds[0]
    ending = Path(output).suffix.lower().removeprefix(".")
    if ending not in kinds:
        endings = ", ".join(f".{one}" for one in kinds)
        raise click.BadParameter(
            f"{output!r} is no kind of file that is written here; end the name in {endings}.",
            param_hint="-o",
        )
    return output, ending


def claim(
    targets: Iterable[str | Path], *, sources: Iterable[str | None] = (), force: bool = False
) -> None:
    """Refuse, before any work is done, what cannot be written, is read, or a person has made.

    Where the output is itself a stream, everything else is said on the error stream from here on.
    """
    from scorecard.files import is_kept, refuse_overwriting, refuse_unwritable

    read = [source for source in sources if source]
    for target in targets:
        if not is_kept(target):
            messages.leave_standard_output()
            continue
        refuse_unwritable(target)
        refuse_overwriting(target, *read)
        if not force and Path(target).is_file() and not says_scorecard(Path(target)):
            raise ScorecardError(
                f"{str(target)!r} exists and may have been written by hand; choose another name"
                " or add --force."
            )


def wrote(target: str | Path, more: str = ".") -> None:
    """Say that a file has been written, and more; what went to a stream has been seen."""
    from scorecard.files import is_kept

    if is_kept(target):
        messages.say(f"Wrote {target}{more}")


def typed(*words: Any) -> str:
    """A command as one types it, quoted where the shell needs it."""
    texts = [str(word) for word in words]
    return subprocess.list2cmdline(texts) if system == "nt" else shlex.join(texts)


# Whether a file was written by this program: only then may it be replaced without asking. Every
# kind of file that is written says so itself, near its beginning or in its properties. A list that
# a person wrote or changed by hand does not, and is never taken for ours.

A_LITTLE = 65_536  # bytes: the longest comment on top of an evaluator is shorter

_LIST = re.compile(rb'\A\{\s*"format":\s*"scorecard/[0-9]+",\s*"sha256":')
_GENERATED = re.compile(
    rb"\A(?:(?:#|//|--|<!--) Written by scorecard \S+, language "
    rb'|\{\s*"format":\s*"scorecard-decisions/|\{\s*"resourceType":|Variable / Field Name,)'
)
_TEXTS = tuple(
    re.compile(pattern)
    for pattern in (
        rb'\A\{\s*"format":\s*"scorecard-(?!decisions/)[a-z]+/[0-9]+",',
        rb'\A<!doctype html>[^\0]*?<meta name="generator" content="scorecard">',
        rb"\A# Written by scorecard [^\n,]*\n",
    )
)


def says_scorecard(path: Path) -> bool:
    """Whether the content of a file says that this program wrote it; an empty file is nobody's."""
    try:
        with path.open("rb") as stream:
            start = stream.read(A_LITTLE)
    except OSError:  # what may not be read is not ours to replace
        return False
    if not start:
        return True
    if start.startswith(PNG):
        return b"tEXtSoftware\0scorecard" in start
    if start.startswith(PDF):
        return _pdf_says_so(path)
    if start.startswith(ZIP):
        return _workbook_says_so(path)
    if _LIST.match(start):
        return _is_unchanged(path)
    if _GENERATED.match(start):
        return _is_generated(path)
    return any(pattern.search(start) for pattern in _TEXTS) or _is_applied(path)


def _is_unchanged(path: Path) -> bool:
    """Whether a list is as it was written: its content has the hash that it says."""
    from scorecard.documents.json_document import read_list
    from scorecard.errors import ScorecardError

    try:
        read_list(path)
    except ScorecardError:
        return False
    return True


def _is_generated(path: Path) -> bool:
    """Whether generated code or a decision table is as it was written."""
    from scorecard.forms.source_text import is_unchanged

    return is_unchanged(path.read_bytes())


def _pdf_says_so(path: Path) -> bool:
    import pypdfium2

    try:
        with pypdfium2.PdfDocument(path) as document:
            return bool(document.get_metadata_value("Creator") == "scorecard")
    except pypdfium2.PdfiumError:  # broken, or locked with a password
        return False


def _workbook_says_so(path: Path) -> bool:
    from hashlib import sha256
    from zipfile import BadZipFile, ZipFile

    try:
        with ZipFile(path) as archive, archive.open("docProps/core.xml") as properties:
            said = properties.read(A_LITTLE)
            text = re.search(rb"<dc:description>Written by [^<]*, text ([0-9a-f]{16})<", said)
            if text:  # a document that people edit
                whole = sha256(archive.read("word/document.xml")).hexdigest()
                return whole.startswith(text[1].decode())
            return b"<dc:description>Written by scorecard" in said
    # Broken; without that member; packed in a way or with a password that Python cannot open.
    except (BadZipFile, KeyError, NotImplementedError, RuntimeError):
        return False


def _is_applied(path: Path) -> bool:
    """Whether a table ends with the columns that “apply” adds."""
    from scorecard.errors import TableError
    from scorecard.tables.apply import ADDED, COST
    from scorecard.tables.read_table import open_table

    try:
        names = open_table(path).names
    except TableError:
        return False
    for added in (ADDED, (*ADDED, COST)):
        last = tuple(names[-len(added) :])
        prefix = last[0].removesuffix(added[0])
        if last == tuple(prefix + name for name in added):
            return True
    return False

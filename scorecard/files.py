"""Reading and writing files so that a crash or a full disk never leaves half a file.

Every command writes through `replacing` or one of the two functions built on it: the new content
goes to a temporary file in the same folder, is forced to the disk, and takes the place of the old
file in one step. Until then the old file stays as it was. The name "-" is the standard output.
"""

from __future__ import annotations

import errno
import os
import re
import secrets
import stat
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO

from scorecard.errors import ScorecardError

TEMPORARY_PREFIX = ".scorecard-"
_PACKAGE = Path(__file__).resolve().parent

# How files of other kinds begin.
PDF, PNG, ZIP, OLD_EXCEL = b"%PDF-", b"\x89PNG", b"PK\x03\x04", b"\xd0\xcf\x11\xe0"
STANDARD_OUTPUT = "-"
MAX_DOTS_IN_LINE = 200


def toml_values(text: str) -> dict[str, Any]:
    """The tables and keys of a TOML text; a `ValueError` says what is wrong with it.

    A parser keeps every beginning of a name with dots: one of thousands would fill the memory.
    """
    for number, line in enumerate(text.splitlines(), 1):
        if line.count(".") > MAX_DOTS_IN_LINE:
            raise ValueError(f"line {number} has more than {MAX_DOTS_IN_LINE} dots.")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply.") from None
    except ValueError as error:  # not only of its own: numbers of thousands of digits, too
        raise ValueError(_why_not_toml(text, error)) from None


def _why_not_toml(text: str, error: Exception) -> str:
    """What is wrong with a text that is no TOML; most often the quotation marks are missing."""
    reason = f"this is not TOML: {error}"
    place = re.fullmatch(r"Invalid value \(at line (\d+), column (\d+)\)", str(error))
    value = text.split("\n")[int(place[1]) - 1][int(place[2]) - 1 :] if place else ""
    return f"{reason}; text needs quotation marks." if value[:1].isalpha() else f"{reason}."


def read_toml(path: str | os.PathLike[str], at_most: int) -> tuple[str, dict[str, Any]]:
    """The text of a file and what stands in it; nothing of one that is JSON."""
    name = Path(path).name
    try:
        text = read_bytes(path, at_most).decode("utf-8-sig")
        return text, {} if text.lstrip().startswith("{") else toml_values(text)
    except UnicodeDecodeError:
        raise ScorecardError(f"{name}: the text is not UTF-8; save it as UTF-8.") from None
    except ValueError as error:
        raise ScorecardError(f"{name}: {error}") from None


def write_bytes(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a file whole or not at all."""
    with replacing(path) as stream:
        stream.write(content)


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a text as UTF-8, line ends as they are, whole or not at all."""
    write_bytes(path, text.encode())


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A stream whose content becomes the file when the block ends without an exception.

    An existing file keeps its permissions, and a link keeps pointing to it. What is no ordinary
    file, such as `/dev/stdout` or a pipe, is written straight: there is nothing to keep. So is
    "-", the standard output; a file of that name is "./-".

    Examples
    --------
    >>> with replacing("list.json") as stream:  # doctest: +SKIP
    ...     stream.write(b"{}")
    """
    if "\0" in os.fspath(path):
        raise ScorecardError(f"{str(path)!r} cannot be written: a NUL is not part of a name.")
    try:
        mode = None if path == STANDARD_OUTPUT else _mode_to_keep(Path(path))
        nowhere = sys.stdout is None or getattr(sys.stdout, "name", None) == os.devnull
        if path == STANDARD_OUTPUT and nowhere:
            raise ScorecardError("the standard output is closed; write to a file with -o.")
        if path == STANDARD_OUTPUT:
            sys.stdout.flush()  # what was said before has to come before
            yield sys.stdout.buffer
            sys.stdout.buffer.flush()
        elif mode is None or stat.S_ISREG(mode):
            # The real path only here: that of a pipe names nothing that could be opened.
            with _taking_its_place(Path(os.path.realpath(path)), mode) as stream:
                yield stream
        else:
            with Path(path).open("wb") as stream:
                yield stream
    except OSError as error:
        # Whoever reads has enough, as in “| head”; polars tells it in words only.
        if error.errno == errno.EPIPE or "Broken pipe" in str(error):
            raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE)) from error
        raise ScorecardError(_refusal(path, "written", error)) from error


def is_kept(path: str | os.PathLike[str]) -> bool:
    """Whether what is written there is a file, and no stream like "-", `/dev/stdout` or a pipe."""
    try:
        mode = Path(path).stat().st_mode
    except (OSError, ValueError):  # nothing there, or no name for a file: writing will tell
        return path != STANDARD_OUTPUT
    return path != STANDARD_OUTPUT and (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def refuse_overwriting(target: str | os.PathLike[str], *sources: str | os.PathLike[str]) -> None:
    """Refuse to write over one of the files that are read."""
    for source in sources:
        if Path(target).is_file() and Path(source).is_file() and Path(target).samefile(source):
            raise ScorecardError(f"{str(target)!r} is read as well; write to another file.")


def refuse_unwritable(path: str | os.PathLike[str]) -> None:
    """Refuse, before any work is done, a place where nothing can be written."""
    target = Path(path)
    try:
        mode = _mode_to_keep(target)
        if mode is not None and stat.S_ISDIR(mode):
            raise IsADirectoryError
        if not target.parent.is_dir():
            raise FileNotFoundError
        if not os.access(target.parent, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except (OSError, ValueError) as error:
        raise ScorecardError(_refusal(path, "written", error)) from error


def create_folder(path: str | os.PathLike[str]) -> None:
    """Create a folder for several files, with those above it; one that is there is fine."""
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ScorecardError(_refusal(path, "created", error)) from error


def read_bytes(path: str | os.PathLike[str], at_most: int) -> bytes:
    """The content of a file, refused if it is longer than so many bytes."""
    try:
        with Path(path).open("rb") as stream:
            content = stream.read(at_most + 1)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise ScorecardError(_refusal(path, "read", error)) from error
    if len(content) > at_most:
        raise ScorecardError(
            f"{str(path)!r} is larger than {at_most / 1e6:.0f} MB, which is the most that is read."
        )
    return content


@contextmanager
def _taking_its_place(target: Path, mode: int | None) -> Iterator[BinaryIO]:
    temporary = target.with_name(TEMPORARY_PREFIX + secrets.token_hex(8))
    # Inside the block from the start: a Ctrl-C right after opening must not leave the file behind.
    try:
        # Opened like any new file, so that the user's umask decides who may read it.
        number = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, 0o666)
        with os.fdopen(number, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        if mode is not None:
            temporary.chmod(stat.S_IMODE(mode))
        temporary.replace(target)
    except BaseException:
        with suppress(FileNotFoundError):
            temporary.unlink()
        raise
    _settle(target.parent)


_BINARY = getattr(os, "O_BINARY", 0)  # Windows would otherwise turn line ends around


def _mode_to_keep(target: Path) -> int | None:
    """The mode of an existing file, `None` if there is none."""
    try:
        mode = target.stat().st_mode
    except FileNotFoundError:
        return None
    # Replacing needs only the folder's permission: a protected file has to be asked itself.
    if not stat.S_ISDIR(mode) and not os.access(target, os.W_OK):
        raise PermissionError(None, "it is write-protected; choose another name")
    return mode


def _settle(folder: Path) -> None:
    """Force the new name to the disk too; only POSIX systems can open a folder for that."""
    if os.name == "posix":
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def _refusal(path: str | os.PathLike[str], verb: str, error: OSError | ValueError) -> str:
    reason = getattr(error, "strerror", None) or str(error)
    folder = Path(path).parent
    if verb == "read":
        return f"{str(path)!r} cannot be read: {reason}."
    if isinstance(error, FileNotFoundError) and verb == "written" and not folder.is_dir():
        reason = f"the folder {str(folder)!r} does not exist; create it first"
    elif isinstance(error, IsADirectoryError):
        reason = "it is a folder; add the name of a file"
    elif isinstance(error, PermissionError) and error.errno is not None:
        reason = f"{reason}; choose a folder you may write to"
    elif isinstance(error, FileExistsError | NotADirectoryError):
        reason = f"{reason}; choose another name"
    elif error.args and error.args[0] == errno.ENOSPC:
        reason = f"{reason}; free some of it"
    return f"{str(path)!r} cannot be {verb}: {reason}."


def templates_folder(package: Path = _PACKAGE) -> Path:
    """The folder of the built-in templates, in a wheel, an editable install or a checkout.

    They live at the top of the repository, where people look for them, and inside the package in a
    wheel. The folder is found from this file and not from the installed distribution: a checkout
    that hides an installed wheel has to use its own templates.
    """
    # The README tells our folder from another project's `templates` beside the package.
    return _found("templates", "README.md", "built-in templates", package)


def examples_folder(package: Path = _PACKAGE) -> Path:
    """The folder with the card.toml of the demonstration, found in the same way."""
    return _found("examples", "demo/card.toml", "files of the demonstration", package)


def _found(name: str, inside: str, what: str, package: Path) -> Path:
    candidates = (package / name, package.parent / name)
    for folder in candidates:
        if (folder / inside).is_file():
            return folder
    raise ScorecardError(
        f"the {what} were looked for in {str(candidates[0])!r} and "
        f"{str(candidates[1])!r} and are in neither: install psl-scorecard again"
    )

"""What a toy says of its making, and its first line that differs."""

from __future__ import annotations

from scorecard import __version__
from scorecard.forms.found import Found, UnusableError, Work
from scorecard.forms.origin import Origin, exported, first_line_that_differs, names_in


def origin(content: bytes) -> Origin | None:
    if not content.startswith(b"toy "):
        return None
    _, language, name = content.decode().split("\n")[0].split(" ")
    return exported("toy", name.removeprefix("sha256:"), language.strip("-"), __version__)


def found(content: bytes, right: bytes | None, _work: Work) -> Found:
    if right is None:
        raise UnusableError("it is no toy")
    return Found(faults=[first_line_that_differs(content, right)], names=names_in(content))

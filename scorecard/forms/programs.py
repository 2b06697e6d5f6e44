"""Compare generated code with what this version writes, and run it.

What differs from what is written now is not run unless that is asked for: it may be anybody's
program.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from scorecard import __version__
from scorecard.errors import ScorecardError
from scorecard.forms import FORMS
from scorecard.forms.found import Found, UnusableError, Work, said
from scorecard.forms.origin import first_line_that_differs, names_in
from scorecard.forms.source_text import card_words, seal_of

SECONDS = 600  # longer than any table takes; a program that hangs is not waited for


def found_in_code(
    form: str,
    content: bytes,
    right: bytes | None,
    work: Work,
    run: Callable[[], Found],
    chosen: Mapping[str, str] | None = None,
) -> Found:
    """Where generated code differs from what is written here; what it says, where it may be run."""
    changes = source_faults(form, content, right, work, chosen)
    names = names_in(content)
    if changes and not work.run_changed:
        return Found(faults=changes, names=names)
    found = run()
    told = [] if work.decisions_only else changes
    return replace(found, faults=[*told, *found.faults], names=names)


def source_faults(
    form: str,
    content: bytes,
    right: bytes | None,
    work: Work,
    chosen: Mapping[str, str] | None = None,
) -> list[str]:
    """The first line that differs; `right` is `None` where it is not known how a file was made."""
    seal = seal_of(content)
    if right is None:
        try:
            words = card_words(work.staircase, seal.language) if seal and seal.language else None
        except ScorecardError as error:
            return [f"line 1: {error}"]
        right = FORMS[form].make(work.staircase, words, **(chosen or {}))
    if seal is None:
        why = "it was not written by scorecard, or changed by hand"
    elif not seal.intact:
        why = "it was changed by hand"
    elif seal.version != __version__:
        why = f"it was written by scorecard {seal.version}, and this is {__version__}"
        content = right[: right.index(b"\n") + 1] + content.partition(b"\n")[2]
    else:
        why = "it was written for another list or other limits"
    return [f"{why}: {first_line_that_differs(content, right)}"] if content != right else []


def answers_of_program(command: list[str], work: Work) -> dict[str, Any]:
    asked = {
        "cases": [dict(one.case) for one in work.cases],
        "walks": list(work.walks),
        "sharpened": list(work.sharpened),
        "values": [dict(case) for case, _ in work.values],
    }
    try:
        done = subprocess.run(
            command,
            input=json.dumps(asked).encode(),
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise UnusableError(f"it did not finish within {SECONDS} seconds") from None
    if done.returncode:
        lines = done.stderr.decode(errors="replace").strip().splitlines() or ["no message"]
        errors = [line for line in lines if "Error" in line]
        raise UnusableError(f"it stops with: {(errors or lines)[-1].strip()}")
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def found_of(answer: dict[str, Any], faults: list[str]) -> Found:
    """What a program answered."""
    return Found(
        dict(enumerate(map(said, answer["cases"]))),
        dict(enumerate(map(said, answer["walks"]))),
        faults,
        sharpened=dict(enumerate(map(said, answer["sharpened"]))),
        values=dict(enumerate(map(said, answer["values"]))),
    )

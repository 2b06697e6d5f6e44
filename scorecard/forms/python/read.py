"""Compare a generated Python file with what is written here, or run it in an interpreter alone."""

from __future__ import annotations

import sys
import tempfile
from functools import partial
from pathlib import Path

from scorecard.forms.found import Found, Work
from scorecard.forms.origin import Origin, origin_of_source
from scorecard.forms.programs import answers_of_program, found_in_code, found_of

PYTHON_DRIVER = """
import json, runpy, sys
card = runpy.run_path(sys.argv[1], run_name="card")
work = json.loads(sys.stdin.buffer.read().decode("utf-8"))
def tried(function, *values):
    try:
        return function(*values)
    except ValueError:
        return None
found = {
    "cases": [tried(card["evaluate"], case) for case in work["cases"]],
    "walks": [tried(card["decide"], answers) for answers in work["walks"]],
    "sharpened": [tried(card["decide"], answers, True) for answers in work["sharpened"]],
    "values": [tried(card["evaluate"], {
        name: float("nan") if value is None and turn else value for name, value in case.items()
    }) for turn in (False, True) for case in work["values"]],
}
sys.stdout, stdout = sys.stderr, sys.stdout
found["sound"] = tried(lambda: not card["selftest"]())
json.dump(found, stdout)
"""


def origin(content: bytes) -> Origin | None:
    return origin_of_source("python", content)


def found(content: bytes, right: bytes | None, work: Work) -> Found:
    return found_in_code("python", content, right, work, partial(run, content, work))


def run(content: bytes, work: Work, interpreter: str = sys.executable) -> Found:
    """What the file says, without site packages and without the environment."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "evaluator.py")
        path.write_bytes(content)
        alone = [interpreter, "-I", "-S", "-c", PYTHON_DRIVER, str(path)]
        answer = answers_of_program(alone, work)
    return found_of(answer, [] if answer["sound"] else ["its own self-test fails"])

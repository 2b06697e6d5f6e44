"""Compare the generated programs with what this version writes, and run them.

Python runs in an interpreter of its own, JavaScript in Node. What differs from what is written now
is not run unless that is asked for: it may be anybody's program.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from typing import Any

from scorecard import __version__
from scorecard.checking.forms import Found, NotRunError, UnusableError, Work, names_in, said
from scorecard.checking.json_files import table_faults
from scorecard.errors import ScorecardError
from scorecard.exporting import exporter
from scorecard.exporting.source_text import card_words, seal_of

SECONDS = 600  # longer than any table takes; a program that hangs is not waited for

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

NODE_DRIVER = """
import { readFileSync } from "node:fs";
import * as card from "./evaluator.mjs";
const work = JSON.parse(readFileSync(0, "utf8"));
const tried = (call, ...values) => {
  try {
    return call(...values);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
};
process.stdout.write(JSON.stringify({
  cases: work.cases.map((one) => tried(card.evaluate, one)),
  walks: work.walks.map((one) => tried(card.decide, one)),
  sharpened: work.sharpened.map((one) => tried(card.decide, one, true)),
  values: [null, NaN].flatMap((nothing) => work.values.map((one) => tried(card.evaluate,
    Object.fromEntries(Object.entries(one).map(([name, value]) => [name, value ?? nothing]))))),
  table: card.table,
}));
"""


def python_form(path: Path, work: Work, interpreter: str = sys.executable) -> Found:
    """A generated Python file, run alone: without site packages and without the environment."""
    content = path.read_bytes()
    changes, names = source_faults(content, "python", work), names_in(content.decode())
    if changes and not work.run_changed:
        return Found(faults=changes, names=names)
    alone = [interpreter, "-I", "-S"]
    answer = _run([*alone, "-c", PYTHON_DRIVER, str(path.resolve())], work)
    faults = [*_told(changes, work), *([] if answer["sound"] else ["its own self-test fails"])]
    return replace(_found(answer, faults), names=names)


def javascript_form(path: Path, work: Work) -> Found:
    """A generated ES module, run in Node."""
    content = path.read_bytes()
    changes, names = source_faults(content, "javascript", work), names_in(content.decode())
    if changes and not work.run_changed:
        return Found(faults=changes, names=names)
    found = module_found(content.decode(), work)
    return replace(found, names=names, faults=[*_told(changes, work), *found.faults])


def _told(changes: list[str], work: Work) -> list[str]:
    return [] if work.decisions_only else changes


def source_faults(content: bytes, form: str, work: Work) -> list[str]:
    """How generated code differs from what this version writes: its first line that does."""
    seal = seal_of(content)
    try:
        words = card_words(work.staircase, seal.language) if seal and seal.language else None
    except ScorecardError as error:
        return [f"line 1: {error}"]
    right = exporter(form)(work.staircase, words)
    if seal is None:
        why = "it was not written by scorecard, or changed by hand"
    elif not seal.intact:
        why = "it was changed by hand"
    elif seal.version != __version__:
        why = f"it was written by scorecard {seal.version}, and this is {__version__}"
        content = right[: right.index(b"\n") + 1] + content.partition(b"\n")[2]
    else:
        why = "it was written for another list or other limits"
    return [f"{why}: {_first_difference(content, right)}"] if content != right else []


def _first_difference(content: bytes, right: bytes) -> str:
    lines = (one.decode(errors="replace").split("\n") for one in (content, right))
    pairs = list(enumerate(zip_longest(*lines), 1))
    # Any change below changes the hash in the second line: what is below is named before it.
    ordered = [*pairs[:1], *pairs[2:], *pairs[1:2]]
    number, (found, expected) = next(one for one in ordered if one[1][0] != one[1][1])
    if found is None:
        return f"line {number} is missing, {_short(expected)}"
    if expected is None:
        return f"line {number} is added, {_short(found)}"
    start = max(0, _common(found, expected) - 30)
    return f"line {number} is {_short(found[start:])} instead of {_short(expected[start:])}"


def _common(one: str, other: str) -> int:
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)


def _short(text: str) -> str:
    return repr(text if len(text) <= 80 else f"{text[:79]}…")


def module_found(source: str, work: Work) -> Found:
    """What a module says that exports `evaluate`, `decide` and `table`."""
    node = shutil.which("node")
    if node is None:
        raise NotRunError("node is not installed")
    with tempfile.TemporaryDirectory() as folder:
        # Under this ending every version of Node takes it for a module.
        Path(folder, "evaluator.mjs").write_bytes(source.encode())
        driver = Path(folder, "driver.mjs")
        driver.write_text(NODE_DRIVER, encoding="utf-8")
        answer = _run([node, str(driver)], work)
    return _found(answer, table_faults(answer["table"], work.staircase))


def _run(command: list[str], work: Work) -> dict[str, Any]:
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


def _found(answer: dict[str, Any], faults: list[str]) -> Found:
    return Found(
        dict(enumerate(map(said, answer["cases"]))),
        dict(enumerate(map(said, answer["walks"]))),
        faults,
        sharpened=dict(enumerate(map(said, answer["sharpened"]))),
        values=dict(enumerate(map(said, answer["values"]))),
    )

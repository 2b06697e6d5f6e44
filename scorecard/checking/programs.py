"""Run the generated programs: Python in an interpreter of its own, JavaScript in Node."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from scorecard.checking.documents import table_faults
from scorecard.checking.forms import Found, NotRunError, UnusableError, Work, names_in, said

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
  table: card.table,
}));
"""


def python_form(path: Path, work: Work, interpreter: str = sys.executable) -> Found:
    """A generated Python file, run alone: without site packages and without the environment."""
    command = [interpreter, "-I", "-S", "-c", PYTHON_DRIVER, str(path.resolve())]
    answer = _run(command, work)
    faults = [] if answer["sound"] else ["its own self-test fails"]
    return replace(_found(answer, faults), names=names_in(path.read_text(encoding="utf-8")))


def javascript_form(path: Path, work: Work) -> Found:
    """A generated ES module, run in Node."""
    source = path.read_bytes().decode()
    return replace(module_found(source, work), names=names_in(source))


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
    )

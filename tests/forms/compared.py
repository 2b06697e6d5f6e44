"""Write a list in a form, run it, and say where it differs from the list."""

from __future__ import annotations

import json
import runpy
import shutil
import tempfile
from collections.abc import Callable, Iterable
from functools import cache, partial
from pathlib import Path
from threading import Timer
from typing import Any

from scorecard.core.build_staircase import build_staircase
from scorecard.core.model import ScoringList
from scorecard.core.policy import StoppingPolicy
from scorecard.core.staircase import Staircase
from scorecard.errors import PolicyError, ScorecardError
from scorecard.forms import FORMS, exports, suffixes_of
from scorecard.forms.found import Found, NotRunError, Said, Work, said
from scorecard.forms.found import differences as found_differences
from scorecard.forms.json.read import table_faults
from tests.processes import LIMIT, Serving, serving

EXPORTS = [form.name for form in exports()]
SUFFIXES = {name: suffixes_of(name)[0] for name in EXPORTS}
# What is written to be read: checked character by character, and line by line.
WRITTEN_AS_CODE = [
    name for name in EXPORTS if name not in ("json", "excel", "docx", "xlsform", "fhir", "redcap")
]

Run = Callable[[bytes, Work], Found]
"""What a file says when it is run."""


def differences(staircase: Staircase, name: str, run: Run, **more: Any) -> list[str]:
    """Where the form, freshly written, says something else than the list."""
    return differences_in(made(staircase, name), staircase, partial(run, **more))


def made(staircase: Staircase, name: str) -> bytes:
    """The form with this name; behind a colon stands the dialect of a query."""
    form, _, dialect = name.partition(":")
    try:
        return FORMS[form].make(staircase, None, **({"dialect": dialect} if dialect else {}))
    except ScorecardError as refused:
        raise NotRunError(str(refused)) from None


def differences_in(content: bytes, staircase: Staircase, run: Run) -> list[str]:
    """Where a file says something else."""
    work = Work(staircase)
    found = run(content, work)
    assert found.tried
    return list(found_differences(found, work))


def staircase_or_none(scoring_list: ScoringList, policy: StoppingPolicy) -> Staircase | None:
    """The list under the policy, `None` where these limits leave nothing to ask."""
    try:
        return build_staircase(scoring_list, policy)
    except PolicyError:
        return None


def python_here(content: bytes, work: Work) -> Found:
    """The generated Python file inside this process: quick, for many lists."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "evaluator.py")
        path.write_bytes(content)
        card = runpy.run_path(str(path), run_name="card")
    cases = (dict(one.case) for one in work.cases)
    return Found(
        _tried(card["evaluate"], cases),
        _tried(card["decide"], work.walks),
        sharpened=_tried(card["decide"], work.sharpened, True),
        values=_tried(card["evaluate"], (dict(case) for case, _ in work.values)),
    )


def _tried(function: Callable[..., Any], values: Iterable[Any], *more: Any) -> dict[int, Said]:
    found: dict[int, Said] = {}
    for place, value in enumerate(values):
        try:
            found[place] = said(function(value, *more))
        except ValueError:
            found[place] = None
    return found


NODE_SERVER = """
import { createInterface } from "node:readline";

const tried = (call, ...values) => {
  try {
    return call(...values);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
};
for await (const line of createInterface({ input: process.stdin })) {
  const work = JSON.parse(line);
  const card = await import(work.module);
  const cases = work.cases.map((one) => tried(card.evaluate, one));
  const walks = work.walks.map((one) => tried(card.decide, one));
  const sharpened = work.sharpened.map((one) => tried(card.decide, one, true));
  process.stdout.write(JSON.stringify({ cases, walks, sharpened, table: card.table }) + "\\n");
}
"""


@cache
def _node() -> Serving:
    node = shutil.which("node")
    if node is None:
        raise NotRunError("node is not installed")
    return serving([node, "--input-type=module", "--eval", NODE_SERVER])


def _line_of(server: Serving) -> str:
    """The next line of a program that stays; one that says nothing is ended.

    Later tests then fail at once instead of waiting one after the other.
    """
    assert server.stdout is not None
    watchdog = Timer(LIMIT, server.kill)
    watchdog.start()
    try:
        line = server.stdout.readline()
    finally:
        watchdog.cancel()
    assert line, f"Node ended, or said nothing for {LIMIT} s"
    return line


def javascript_served(content: bytes, work: Work) -> Found:
    """The generated ES module in one Node that stays: quick, for many lists."""
    with tempfile.TemporaryDirectory() as folder:
        module = Path(folder, "evaluator.mjs")
        module.write_bytes(content)
        asked = {
            "module": module.as_uri(),
            "cases": [dict(one.case) for one in work.cases],
            "walks": list(work.walks),
            "sharpened": list(work.sharpened),
        }
        server = _node()
        assert server.stdin is not None
        print(json.dumps(asked), file=server.stdin, flush=True)
        answer = json.loads(_line_of(server))
    return Found(
        dict(enumerate(map(said, answer["cases"]))),
        dict(enumerate(map(said, answer["walks"]))),
        faults=table_faults(answer["table"], work),
        sharpened=dict(enumerate(map(said, answer["sharpened"]))),
    )

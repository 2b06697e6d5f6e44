"""Write a list in a form, run it, and say where it differs from the list."""

from __future__ import annotations

import atexit
import json
import runpy
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable
from functools import cache, partial
from pathlib import Path
from threading import Timer
from typing import Any

from scorecard.api import made_again
from scorecard.checking import verdicts
from scorecard.checking.forms import Form, Found, NotRunError, Said, Work, said
from scorecard.checking.json_files import table_faults
from scorecard.core.build_staircase import build_staircase
from scorecard.core.model import ScoringList
from scorecard.core.policy import StoppingPolicy
from scorecard.core.staircase import Staircase
from scorecard.errors import PolicyError
from scorecard.exporting import EXPORTERS, exporter
from scorecard.exporting.test_cases import patterns, sharpened, value_cases, vectors
from tests.processes import LIMIT

# What is written to be read: checked character by character, and line by line.
WRITTEN_AS_CODE = [name for name in EXPORTERS if name not in ("json", "excel")]

SUFFIXES = {"python": ".py", "json": ".json", "javascript": ".js", "sql": ".sql", "excel": ".xlsx"}


def differences(staircase: Staircase, name: str, form: Form, **more: object) -> list[str]:
    """Where the form, freshly written, says something else than the list."""
    content = exporter(name)(staircase, None)
    return differences_in(content, "evaluator" + SUFFIXES[name], staircase, partial(form, **more))


def differences_in(
    content: bytes, name: str, staircase: Staircase, form: Form, all_cases: bool = True
) -> list[str]:
    """Where a file says something else; `all_cases`: a workbook too is asked all of them."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(content)
        work = work_of(staircase, all_cases)
        found = form(path, work)
        assert found.cases
        return list(verdicts.differences(found, work))


def work_of(staircase: Staircase, all_cases: bool = True) -> Work:
    """What every form of a list is asked."""
    cases = vectors(staircase)
    return Work(
        staircase,
        cases,
        patterns(staircase),
        len(cases) if all_cases else 0,
        sharpened(staircase),
        value_cases(staircase),
        make=partial(made_again, staircase.scoring_list, staircase.policy),
    )


def staircase_or_none(scoring_list: ScoringList, policy: StoppingPolicy) -> Staircase | None:
    """The list under the policy, `None` where these limits leave nothing to ask."""
    try:
        return build_staircase(scoring_list, policy)
    except PolicyError:
        return None


def python_here(path: Path, work: Work) -> Found:
    """The generated Python file inside this process: quick, for many lists."""
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
def _node() -> subprocess.Popen[str]:
    node = shutil.which("node")
    if node is None:
        raise NotRunError("node is not installed")
    command = [node, "--input-type=module", "--eval", NODE_SERVER]
    pipe = subprocess.PIPE
    server = subprocess.Popen(command, stdin=pipe, stdout=pipe, encoding="utf-8")
    atexit.register(server.kill)
    return server


def _line_of(server: subprocess.Popen[str]) -> str:
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


def javascript_served(path: Path, work: Work) -> Found:
    """The generated ES module in one Node that stays: quick, for many lists."""
    module = path.with_suffix(".mjs")
    path.rename(module)
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
        table_faults(answer["table"], work.staircase),
        sharpened=dict(enumerate(map(said, answer["sharpened"]))),
    )

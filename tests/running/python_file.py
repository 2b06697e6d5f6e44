"""Run a generated Python file as a program: tables, one case, a dialogue."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from scorecard.core.question import inputs_of
from scorecard.core.staircase import RESULT, prefix_beside
from scorecard.forms.found import Found, Said, Work, said
from scorecard.forms.python.read import run
from scorecard.forms.test_cases import UNKNOWN, Vector
from tests import processes

TAKEN = ("output", "version", "help", "sharpen", "explain", "json", "selftest")


def python_in_all_modes(content: bytes, work: Work, interpreter: str = sys.executable) -> Found:
    """What its functions say, and what it gets wrong as a program."""
    found = run(content, work, interpreter)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "evaluator.py")
        path.write_bytes(content)
        program = [interpreter, "-I", "-S", str(path)]
        return replace(found, faults=[*found.faults, *mode_faults(program, work)])


def mode_faults(program: list[str], work: Work) -> Iterator[str]:
    """What a generated Python file gets wrong as a program: tables, one case, a dialogue."""
    if (told := _typed(program, "--selftest")) != "ok\n":
        yield f"--selftest says {told!r}"
    inputs = inputs_of(work.staircase.questions)
    asked = list(dict.fromkeys(question.input for question in work.staircase.questions))
    if not all(re.fullmatch(r"[A-Za-z]\w*", name, re.ASCII) for name in inputs):
        return  # a shell and a table need more quoting than this comparison is worth
    yield from _table_faults(program, inputs, work.shared)
    for one in _one_of_each(work):
        yield from _case_faults(program, inputs, one)
        # Who does not know is asked again, and who is undecided may go on.
        values = [one.case[name] for name in asked]
        if not work.staircase.sharpening and UNKNOWN not in values:
            replies = "".join(f"{value}\n" for value in values)
            told = _typed(program, "--json", said=replies)
            assert one.result is not None
            said_of = {question.input for question in work.staircase.questions[: one.result.stage]}
            outside = tuple(name for name in one.result.outside if name in said_of)
            if _json_result(told) != replace(one.result, outside=outside):
                yield f"asked {one.case}: it says {told!r}"


def _table_faults(program: list[str], inputs: list[str], cases: Sequence[Vector]) -> Iterator[str]:
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    number = f"{max(inputs, key=len, default='')} number"  # a name that no input has
    writer.writerows([[number, *inputs]])
    writer.writerows(
        [place, *(one.case.get(name, "") for name in inputs)] for place, one in enumerate(cases)
    )
    rows = list(csv.DictReader(io.StringIO(_typed(program, "-", said=table.getvalue()))))
    if len(rows) != len(cases):
        yield f"of a table with {len(cases)} rows it gives {len(rows)}"
    for row, one in zip(rows, cases, strict=False):
        prefix = prefix_beside([*RESULT, "outside", "problem"], inputs)
        told = [row[prefix + name] for name in RESULT]
        told += sorted(row[prefix + "outside"].split("; "))
        due = ["" if one.result is None else _cell(getattr(one.result, name)) for name in RESULT]
        due += (one.result and one.result.outside) or [""]
        if told != due:
            yield f"in a table {dict(one.case)}: {', '.join(told)} instead of {', '.join(due)}"


def _case_faults(program: list[str], inputs: list[str], one: Vector) -> Iterator[str]:
    """One case by options, explained, and as JSON."""
    assert one.result is not None
    given = [f"--{'input-' * (name in TAKEN)}{name}={one.case[name]}" for name in inputs]
    short, long = _typed(program, *given), _typed(program, *given, "--explain")
    if long.splitlines()[-1:] != short.splitlines() or long.count("\n") != one.result.stage + 1:
        yield f"{' '.join(given)} --explain says {long!r}"
    told = _typed(program, *given, "--json")
    if _json_result(told) != one.result:
        yield f"{' '.join(given)} --json says {told!r}"


def _json_result(told: str) -> Said:
    try:
        return said(json.loads(told[told.index('{"decision"') :]))
    except ValueError:
        return None


def _one_of_each(work: Work) -> list[Vector]:
    """A case for each decision that numbers and words without doubt can show on a command line."""
    found: dict[str, Vector] = {}
    for one in work.shared:
        plain = one.plain and all(value and value.isprintable() for value in one.case.values())
        if one.result is not None and plain:
            found.setdefault(one.result.decision, one)
    return list(found.values())


def _typed(program: list[str], *arguments: str, said: str = "") -> str:
    """What a program writes when it is started like this."""
    done = processes.run(
        [*program[:1], "-X", "utf8", *program[1:], *arguments],
        input=said.encode(),
        capture_output=True,
    )
    return done.stdout.decode(errors="replace")


def _cell(value: object) -> str:
    return "" if value is None else str(value)

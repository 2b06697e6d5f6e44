"""Compare a generated R file with what is written here, or run it in R."""

from __future__ import annotations

import math
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from scorecard.core.model import Answer
from scorecard.core.question import inputs_of
from scorecard.core.staircase import RESULT
from scorecard.forms.found import Found, NotRunError, Said, UnusableError, Work, inputs_in
from scorecard.forms.origin import Origin, origin_of_source
from scorecard.forms.programs import SECONDS, found_in_code
from scorecard.forms.r.make import text, vector
from scorecard.forms.test_cases import CaseResult

INSTALL = "apt-get install -y r-base-core"

DRIVER = """
source("evaluator.R", encoding = "UTF-8")
tell <- function(group, places, found) {
  bytes <- function(one) if (is.na(one)) "NA" else paste(charToRaw(one), collapse = "")
  found$outside <- vapply(enc2utf8(found$outside), bytes, "")
  found$problem <- NULL
  shown <- lapply(found, function(one) if (is.numeric(one)) sprintf("%a", as.numeric(one)) else one)
  cat(paste(group, places, do.call(paste, c(shown, sep = "\\t")), sep = "\\t"), sep = "\\n")
}
source("asked.R", encoding = "UTF-8")
"""


def origin(content: bytes) -> Origin | None:
    return origin_of_source("r", content)


def found(content: bytes, right: bytes | None, work: Work) -> Found:
    return found_in_code("r", content, right, work, partial(run, content, work))


def run(source: bytes, work: Work) -> Found:
    """What the file says, of all cases as one data frame and of values one by one."""
    program = shutil.which("Rscript")
    if program is None:
        raise NotRunError(f"R is not installed ({INSTALL})")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "evaluator.R").write_bytes(source)
        Path(folder, "asked.R").write_text("\n".join(_asked(work)), encoding="utf-8")
        Path(folder, "driver.R").write_text(DRIVER, encoding="utf-8")
        done = subprocess.run(
            [program, "--vanilla", "driver.R"],
            cwd=folder,
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
    if done.returncode:
        told = done.stderr.decode(errors="replace").strip().splitlines() or ["no message"]
        errors = [line for line in told if line != "Execution halted"] or told
        raise UnusableError(f"it stops with: {errors[-1].strip()}")
    groups: dict[str, dict[int, Said]] = {}
    for line in done.stdout.decode().splitlines():
        group, place, *told = line.split("\t")
        groups.setdefault(group, {})[int(place)] = _said(told, work)
    return Found(
        groups.get("cases", {}),
        groups.get("walks", {}),
        sharpened=groups.get("sharpened", {}),
        values=groups.get("values", {}),
    )


def _asked(work: Work) -> Iterator[str]:
    """Calls for all cases, in R."""
    inputs = inputs_of(work.staircase.questions)
    yield "cases <- list()"
    for name in inputs:
        said = vector(_value(one.case.get(name)) for one in work.cases)
        yield f"cases[[{text(name)}]] <- {said}"
    if inputs and work.cases:
        yield "cases <- structure(cases, row.names = seq_along(cases[[1]]), class = 'data.frame')"
        yield f"tell('cases', seq_len({len(work.cases)}) - 1L, evaluate(cases))"
    for group, walks in (("walks", work.walks), ("sharpened", work.sharpened)):
        sharpen = "TRUE" if group == "sharpened" else "FALSE"
        for place, answers in enumerate(walks):
            yield f"tell('{group}', {place}L, decide({_answers(answers)}, {sharpen}))"
    for place, (case, _) in enumerate(work.values):
        yield f"tell('values', {place}L, evaluate({_list(case)}))"


def _answers(answers: Iterable[Answer]) -> str:
    return f"as.logical({vector(map(_value, answers))})"


def _list(case: Mapping[str, object]) -> str:
    values = ", ".join(map(_value, case.values()))
    return f"structure(list({values}), names = {vector(map(text, case))})"


def _value(value: object) -> str:
    if value is None:
        return "NA"
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, str):
        return text(value)
    assert isinstance(value, (int, float))
    return float(value).hex() if math.isfinite(value) else "NaN"


def _said(told: Sequence[str], work: Work) -> Said:
    *result, outside = told
    if result[0] == "NA":
        return None
    values: list[Any] = [result[0]]
    for name, one in zip(RESULT[1:], result[1:], strict=True):
        number = None if one == "NA" else float.fromhex(one)
        values.append(int(number) if number is not None and name in ("stage", "total") else number)
    named = "" if outside == "NA" else bytes.fromhex(outside).decode()
    names = inputs_in(named, inputs_of(work.staircase.questions))
    return CaseResult(*values, outside=tuple(sorted(names)))

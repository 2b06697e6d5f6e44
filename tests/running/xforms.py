"""Fill in an XLSForm: pyxform makes the XForm of it, and the engine of ODK Web Forms runs that."""

from __future__ import annotations

import io
import json
import shutil
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from scorecard.forms.found import Found, NotRunError, Said, UnusableError, Work
from scorecard.forms.items import UNKNOWN, items_of, own_prefix
from scorecard.forms.test_cases import CaseResult
from scorecard.words.wording import Wording
from tests.processes import Serving, serving
from tests.running.entries import Entries, begun, entered

ENGINES = Path(__file__).parents[1] / "engines"
INSTALL = "npm install --no-package-lock --prefix tests/engines"
TOLD = ("decision", "stage", "total", "probability")


def xlsform_form(content: bytes, work: Work) -> Found:
    """The form for each case that can be entered, and for answers to the first questions alone."""
    items = items_of(work.staircase, Wording.of(work.staircase))
    prefix = own_prefix(items.values())
    cases, walks = dict(entered(work, items)), dict(begun(work, items))
    fields = fields_of(content)

    def filled(entries: Entries) -> dict[str, str]:
        told: dict[str, str] = {}
        for name in fields:
            item = next((one for one in items.values() if _is_for(name, one.name)), None)
            if item is None or item.input not in entries:
                continue
            entry, is_tick = entries[item.input], name.endswith("_unknown")
            if not item.is_number or is_tick == (entry == UNKNOWN):
                told[name] = entry
        return told

    forms = [filled(one) for one in (*cases.values(), *walks.values())]
    different = {str(one): one for one in forms}
    answers = ask(content, list(different.values()))
    by_form = dict(zip(different, (_said(one["told"], prefix) for one in answers), strict=True))
    told = [by_form[str(one)] for one in forms]
    places = dict(zip(cases, told, strict=False))
    found = Found(places, dict(zip(walks, told[len(cases) :], strict=True)))
    return as_far_as_told(found, work)


def _is_for(field: str, name: str) -> bool:
    bare = field.removesuffix("_unknown")
    return bare == name or (bare.startswith(f"{name}_again") and bare[len(name) + 6 :].isdecimal())


def ask(content: bytes, cases: list[dict[str, str]]) -> list[dict[str, Any]]:
    """What the engine says of forms that are filled in like this."""
    server = _engine()
    assert server.stdin is not None
    assert server.stdout is not None
    print(json.dumps({"xml": _xform(content), "cases": cases}), file=server.stdin, flush=True)
    answer = json.loads(server.stdout.readline())
    if isinstance(answer, str):
        raise UnusableError(f"the engine refuses it: {answer}")
    return list(answer)


def fields_of(content: bytes) -> list[str]:
    """The names of what can be entered, in their order."""
    from openpyxl import load_workbook

    rows = load_workbook(io.BytesIO(content))["survey"].iter_rows(min_row=2, values_only=True)
    return [
        str(row[1])
        for row in rows
        if str(row[0]).split()[0] in ("decimal", "select_one", "select_multiple")
    ]


def _xform(content: bytes) -> str:
    try:
        from pyxform.errors import PyXFormError
        from pyxform.xls2xform import convert
    except ImportError:
        raise NotRunError("pyxform is not installed (pip install pyxform==4.5.0)") from None
    try:
        return str(convert(xlsform=io.BytesIO(content), file_type=".xlsx").xform)
    except PyXFormError as error:
        raise UnusableError(f"pyxform refuses it: {error}") from None


@cache
def _engine() -> Serving:
    node = shutil.which("node")
    if node is None:
        raise NotRunError("node is not installed")
    if not (ENGINES / "node_modules" / "@getodk" / "xforms-engine").is_dir():
        raise NotRunError(f"the engine of ODK Web Forms is not installed ({INSTALL})")
    return serving([node, str(ENGINES / "xforms.mjs")])


def _said(told: dict[str, str], prefix: str) -> Said:
    decision, stage, total, probability = (told[f"{prefix}{name}"] for name in TOLD)
    return CaseResult(
        decision,  # type: ignore[arg-type]
        int(float(stage)),
        int(float(total)) if total else None,
        float(probability) if probability else None,
        *[None] * 4,
    )


def as_far_as_told(found: Found, work: Work) -> Found:
    """With ranges and counts, which the form does not tell, taken from the list."""
    from scorecard.forms.test_cases import result_of

    names = ("lower", "upper", "cases", "positives", "outside")

    def whole(said: Said, due: Said) -> Said:
        if said is None or due is None:
            return said
        return replace(said, **{name: getattr(due, name) for name in names})

    cases = {at: whole(one, work.cases[at].result) for at, one in found.cases.items()}
    walks = {
        at: whole(one, result_of(work.staircase, work.walks[at])) for at, one in found.walks.items()
    }
    return replace(found, cases=cases, walks=walks)

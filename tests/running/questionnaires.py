"""Fill in a Questionnaire, by the npm package `fhirpath` and, once filled in, by `fhirpathpy`."""

from __future__ import annotations

import json
import shutil
from decimal import Decimal
from functools import cache
from typing import Any

from scorecard.forms.fhir.make import TICK
from scorecard.forms.found import Found, NotRunError, Said, UnusableError, Work
from scorecard.forms.items import UNKNOWN, FormItem, items_of, own_prefix
from scorecard.forms.test_cases import CaseResult
from scorecard.words.wording import Wording
from tests.processes import Serving, serving
from tests.running.entries import Entries, begun, entered
from tests.running.xforms import ENGINES, INSTALL, as_far_as_told

TOLD = {"decision": "String", "stage": "Integer", "total": "Integer", "probability": "Decimal"}
MOST_AGAIN = 12  # responses that the second engine reads, which is a hundred times slower


def fhir_form(content: bytes, work: Work) -> Found:
    """The form for each case that can be entered, and for answers to the first questions alone."""
    items = items_of(work.staircase, Wording.of(work.staircase))
    prefix = own_prefix(items.values())
    questionnaire = json.loads(content)
    links = [one["linkId"] for one in questionnaire["item"]]
    system = questionnaire["url"][: len("urn:scorecard:") + 8]
    cases, walks = dict(entered(work, items)), dict(begun(work, items))
    forms = [answers(items, links, one, system) for one in (*cases.values(), *walks.values())]
    different = {json.dumps(one): one for one in forms}
    filled = dict(zip(different, ask(questionnaire, list(different.values())), strict=True))
    told = [_said(filled[json.dumps(one)]["told"], prefix) for one in forms]
    found = Found(
        dict(zip(cases, told, strict=False)), dict(zip(walks, told[len(cases) :], strict=True))
    )
    faults = []
    step = max(1, len(filled) // MOST_AGAIN)
    for one in list(filled.values())[::step]:
        again = second_engine(questionnaire, one["resource"])
        first = {
            name: one["told"].get(f"{prefix}{name}", {}).get(f"value{TOLD[name]}") for name in TOLD
        }
        if again != first:
            faults.append(f"fhirpathpy says {again}, and fhirpath {first}")
    return as_far_as_told(Found(found.cases, found.walks, faults), work)


def answers(
    items: dict[str, FormItem], links: list[str], entries: Entries, system: str
) -> dict[str, Any]:
    """What is entered, by the linkId of the item."""
    told: dict[str, Any] = {}
    for item in items.values():
        if item.input in entries:
            entry = entries[item.input]
            for link in links:
                bare = link.removesuffix(TICK)
                if bare.split("-again")[0] != item.name:
                    continue
                if not item.is_number:
                    told[link] = {"valueCoding": {"system": system, "code": entry}}
                elif (entry == UNKNOWN) == link.endswith(TICK):
                    is_tick = entry == UNKNOWN
                    told[link] = (
                        {"valueBoolean": True} if is_tick else {"valueDecimal": float(entry)}
                    )
    return told


def ask(questionnaire: Any, cases: list[dict[str, Any]]) -> list[dict[str, Any]]:
    server = _engine()
    return list(_answered(server, {"questionnaire": questionnaire, "cases": cases}))


def strange_units(units: list[str]) -> list[str]:
    """Those that are none of the Unified Code for Units of Measure."""
    return list(_answered(_engine(), {"units": units}))


def _answered(server: Serving, asked: dict[str, Any]) -> Any:
    assert server.stdin is not None
    assert server.stdout is not None
    print(json.dumps(asked), file=server.stdin, flush=True)
    line = server.stdout.readline()
    if not line:
        _engine.cache_clear()
        raise UnusableError("the engine stops")
    return json.loads(line)


@cache
def _engine() -> Serving:
    node = shutil.which("node")
    if node is None:
        raise NotRunError("node is not installed")
    if not (ENGINES / "node_modules" / "fhirpath").is_dir():
        raise NotRunError(f"fhirpath is not installed ({INSTALL})")
    return serving([node, str(ENGINES / "questionnaires.mjs")])


def second_engine(questionnaire: Any, resource: Any) -> dict[str, Any]:
    """The same variables by fhirpathpy, of a response that is filled in."""
    try:
        import fhirpathpy
        from fhirpathpy.models import models
    except ImportError:
        raise NotRunError("fhirpathpy is not installed (pip install fhirpathpy==2.2.0)") from None
    exact = json.loads(json.dumps(resource), parse_float=Decimal)
    context: dict[str, Any] = {"resource": exact}
    for one in questionnaire["extension"]:
        expression = one["valueExpression"]
        value = fhirpathpy.evaluate(exact, expression["expression"], context, models["r4"])
        context[expression["name"]] = value
    told = {name: next(iter(context[name]), None) for name in TOLD}
    return {name: float(one) if isinstance(one, Decimal) else one for name, one in told.items()}


def _said(told: dict[str, Any], prefix: str) -> Said:
    found = [told.get(f"{prefix}{name}", {}).get(f"value{kind}") for name, kind in TOLD.items()]
    return CaseResult(*found, *[None] * 4)

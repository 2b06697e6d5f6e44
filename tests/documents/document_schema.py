"""The JSON Schema of the document, made from the fields of the values themselves.

What makes them a scoring list (totals that can occur, risks that do not fall, counts that agree) is
more than a schema can say, and the model's own business.
"""

from __future__ import annotations

import json
from typing import Any

import msgspec

from scorecard.core.model import MAX_QUESTIONS, ScoringList
from scorecard.core.question import MAX_POINTS
from scorecard.documents.json_document import FORMAT
from scorecard.documents.values import NEEDED, ORDER

_COUNT = {"minimum": 0}
_SHARE = {"minimum": 0, "maximum": 1}
_DECISION = {"description": "What the card calls this decision."}
_NEXT_STEPS = {"description": "What to do after this decision."}

# What readers of the schema should know beside the types.
MORE: dict[str, dict[str, dict[str, Any]]] = {
    "About": {
        "outcome": {"description": "What the risk is the risk of."},
        **dict.fromkeys(("rule_out", "rule_in", "undecided"), _DECISION),
        "outcome_sentence": {"description": "“Risk that the mass is malignant”."},
        "next_steps_rule_out": _NEXT_STEPS,
        "next_steps_rule_in": _NEXT_STEPS,
        "next_steps_undecided": _NEXT_STEPS,
        "setting": {"description": "Where the cases were seen."},
        "dates": {"description": "When the cases were seen."},
        "cost_unit": {"description": "What costs are counted in."},
    },
    "RiskSource": {"level": _SHARE},
    "Pattern": {
        "answers": {
            "description": "One of 1 (yes), 0 (no) and ? (unknown) for each question.",
            "pattern": "^[01?]*$",
        },
        **dict.fromkeys(("cases", "positives"), _COUNT),
    },
    "Question": {
        "input": {"minLength": 1},
        "label": {"description": "What is asked; the input's name if left out."},
        "points": {"minimum": -MAX_POINTS, "maximum": MAX_POINTS, "not": {"const": 0}},
        "cost": _COUNT,
        "panel": {"description": "Inputs of one panel are bought together, for one cost."},
        "if_unknown": {"description": "What is asked where the input is unknown."},
    },
    "Substitute": {
        "input": {"minLength": 1},
        "label": {"description": "What is asked; the input's name if left out."},
        "cost": _COUNT,
        "panel": {"description": "Inputs of one panel are bought together, for one cost."},
    },
    "Risk": {
        **dict.fromkeys(("probability", "lower", "upper"), _SHARE),
        **dict.fromkeys(("cases", "positives"), _COUNT),
    },
    "ScoringList": {
        "questions": {"maxItems": MAX_QUESTIONS},
        "stages": {
            "description": "After 0, 1, … answers the risk for every total that can occur,"
            " ascending; null where the risks are not known."
        },
        "evidence": {"description": "The answer patterns of the cases behind the figures."},
        "provenance": {
            "description": "Name and value of what is known about how the list was made."
        },
        "policy": {"description": "The limits it was made for, used unless others are given."},
        "validations": {"description": "Tests of the finished list on new cases."},
        "cross_validation": {"description": "Lists learned without a part of the cases each."},
        "seen": {"description": "Which numbers it was learned from: others may have another unit."},
    },
    "Seen": {
        "low": {"description": "The 1st centile."},
        "high": {"description": "The 99th centile."},
    },
    "StoppingPolicy": dict.fromkeys(("rule_out", "rule_in"), _SHARE),
}

FRAME = {
    "format": {"const": FORMAT},
    "sha256": {
        "description": "Of the content; may be left out. It tells a changed document.",
        "type": "string",
    },
    "counted_with": {
        "description": "SHA-256 of the inputs, conditions and points that the risks belong to.",
        "type": "string",
    },
}


def json_schema() -> bytes:
    """The JSON Schema of the document, as published in `document.schema.json`."""
    _, found = msgspec.json.schema_components([ScoringList])
    definitions = {name: _definition(name, one) for name, one in found.items()}
    definitions["Stage"] = _list_of(_with_total(definitions["Risk"]))
    definitions["Evidence"] = _list_of({"$ref": "#/$defs/Pattern"})
    document = definitions.pop("ScoringList")
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Scoring list ({FORMAT})",
        "description": "A probabilistic scoring list.",
        **_with_keys(document, FRAME, needed=("format", "counted_with")),
        "$defs": dict(sorted(definitions.items())),
    }
    return (json.dumps(schema, indent=2, ensure_ascii=False) + "\n").encode()


def _definition(name: str, found: dict[str, Any]) -> dict[str, Any]:
    """An object with these keys and no others."""
    order = {kind.__name__: keys for kind, keys in ORDER.items()}
    keys = order.get(name, tuple(found["properties"]))
    needed = {key for kind, key in NEEDED if kind.__name__ == name} | set(found["required"])
    more = MORE.get(name, {})
    return {
        "type": "object",
        "properties": {key: {**found["properties"][key], **more.get(key, {})} for key in keys},
        "required": [key for key in keys if key in needed],
        "additionalProperties": False,
    }


def _with_total(risk: dict[str, Any]) -> dict[str, Any]:
    return _with_keys(risk, {"total": {"type": "integer"}}, needed=("total",))


def _with_keys(
    definition: dict[str, Any], keys: dict[str, Any], needed: tuple[str, ...]
) -> dict[str, Any]:
    return {
        **definition,
        "properties": keys | definition["properties"],
        "required": [*needed, *definition["required"]],
    }


def _list_of(item: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": item}

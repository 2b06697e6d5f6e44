"""Compare a Questionnaire with the one that is written here, member by member."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from scorecard.core.staircase import Staircase
from scorecard.documents.json_document import strict_json
from scorecard.errors import DocumentError
from scorecard.forms.fhir.make import make
from scorecard.forms.found import NOT_THIS, Found, UnusableError, Work
from scorecard.forms.origin import Origin, exported, names_in
from scorecard.forms.source_text import card_words

SAID = re.compile(r"Written by scorecard (\S+), language (\S+)")


def origin(content: bytes) -> Origin | None:
    if b'"Questionnaire"' not in content:
        return None
    said = SAID.fullmatch(str(_resource(content).get("publisher")))
    names = sorted(names_in(content))
    if said is None or not names:
        return None
    return exported("fhir", names[0], said[2].strip("-"), said[1])


def found(content: bytes, right: bytes | None, work: Work) -> Found:
    told = dict(_leaves(_resource(content)))
    due = dict(_leaves(_resource(right or _again(content, work.staircase))))
    faults = [
        f"{NOT_THIS}: {place} is {told.get(place, 'missing')!r}, not {due.get(place, 'there')!r}"
        for place in {**due, **told}
        if told.get(place) != due.get(place)
    ]
    return Found(faults=faults, names=names_in(content))


def _resource(content: bytes) -> dict[str, Any]:
    try:
        found = strict_json(content)
    except DocumentError as error:
        raise UnusableError(str(error)) from None
    if not isinstance(found, dict) or found.get("resourceType") != "Questionnaire":
        raise UnusableError("it is no Questionnaire")
    return found


def _leaves(value: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, one in value.items():
            yield from _leaves(one, f"{place}.{key}" if place else str(key))
    elif isinstance(value, list):
        for number, one in enumerate(value):
            yield from _leaves(one, f"{place}[{number}]")
    else:
        yield place, value


def _again(content: bytes, staircase: Staircase) -> bytes:
    """In the language that the file says it is in."""
    said = SAID.fullmatch(str(_resource(content).get("publisher")))
    language = said[2] if said else "en"
    return make(staircase, card_words(staircase, language) if language != "-" else None)

"""What all generated code begins with: a seal that tells changes by hand, and the card as text.

The first two lines say which version wrote a file, in which language, and the hash of everything
below. So a file that was changed since is known, and one that was not can be written again from its
list and compared byte for byte.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from scorecard import __version__
from scorecard.core.staircase import Staircase
from scorecard.documents.json_document import content_hash, strict_json
from scorecard.errors import DocumentError
from scorecard.files import templates_folder
from scorecard.forms.decision_table import DecisionTable, StepEntry, Words, table_hash
from scorecard.words.sentences import cross_validation_sentences, validation_sentences
from scorecard.words.wording import Wording

FACTS = ("outcome", "population", "horizon", "source", "validation", "licence", "note")
_REST = re.compile(rb", rest sha256:([0-9a-f]{64})\"")  # at the end of a cell of a table
RESOURCE_SEAL = "urn:scorecard:sha256-of-the-rest"
LONGEST_QUESTION = 60  # a longer one moves its own points to the right, not those of all

_SEAL = re.compile(
    rb"(#|//|--|<!--) Written by scorecard (\S+), language (\S+), sha256 of what follows:(| -->)\n"
    rb"\1 ([0-9a-f]{64})\4\n"
)


@dataclass(frozen=True, slots=True)
class Seal:
    """What the first lines of a generated file say, and whether `body`, the rest, has its hash."""

    version: str
    language: str
    intact: bool
    body: bytes


def sealed(text: str, comment: str, language: str) -> bytes:
    """The text as a file, below the lines that seal it; `comment` begins a comment."""
    body = text.encode()
    says = f"Written by scorecard {__version__}, language {language or '-'}, sha256 of what follows"
    end = " -->" if comment == "<!--" else ""
    lines = f"{comment} {says}:{end}\n{comment} {sha256(body).hexdigest()}{end}\n"
    return lines.encode() + body


def sealed_resource(resource: Mapping[str, Any]) -> bytes:
    """A resource of a standard as JSON; its last identifier is the hash of all the rest."""
    own = {"system": RESOURCE_SEAL, "value": _resource_hash(resource)}
    told = {**resource, "identifier": [*resource["identifier"], own]}
    return (json.dumps(told, ensure_ascii=False, indent=1) + "\n").encode()


def _resource_hash(resource: Mapping[str, Any]) -> str:
    return sha256(json.dumps(resource, sort_keys=True).encode()).hexdigest()


def seal_of(content: bytes) -> Seal | None:
    """The seal of a generated file, `None` if its first lines are none."""
    found = _SEAL.match(content)
    if found is None:
        return None
    _, version, language, _, digest = (part.decode(errors="replace") for part in found.groups())
    body = content[found.end() :]
    intact = sha256(body).hexdigest() == digest
    return Seal(version, "" if language == "-" else language, intact, body)


def is_unchanged(content: bytes) -> bool:
    """Whether generated code or a decision table is as it was written: it has its own hash."""
    seal = seal_of(content)
    if seal is not None:
        return seal.intact
    if rest := _REST.search(content):
        unsealed = content.replace(rest[0], b", rest sha256:" + b"0" * 64 + b'"')
        return rest[1] == sha256(unsealed).hexdigest().encode()
    try:
        table = strict_json(content)
    except DocumentError:
        return False
    if not isinstance(table, dict):
        return False
    match table.get("identifier"):
        case [*others, {"system": str(system), "value": str(value)}] if system == RESOURCE_SEAL:
            return value == _resource_hash({**table, "identifier": others})
    return bool(table.get("sha256") == table_hash(table))


def render(name: str, **values: object) -> str:
    """The text of a built-in template; values reach it as finished literals only."""
    return _environment().get_template(name).render(**values)


@cache
def _environment() -> Environment:
    # Nothing is escaped here: each target quotes its own literals before they come.
    return Environment(
        loader=FileSystemLoader(templates_folder()),
        autoescape=False,
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def card_words(staircase: Staircase, language: str = "en") -> Words:
    """The words of the card, for exports in this language."""
    wording = Wording.of(staircase, language)
    sentences = [
        wording.limits_sentence(staircase),
        wording.estimate_sentence(staircase),
        wording.figures_sentence(staircase.scoring_list),
        wording.undecided_sentence(staircase),
        *cross_validation_sentences(staircase, wording),
        *validation_sentences(staircase, wording),
        wording.validation_sentence(staircase.scoring_list),
    ]
    asked = (*staircase.questions, *staircase.sharpening_questions)
    return Words(
        tuple(map(wording.question, asked)),
        tuple(filter(None, sentences)),
        tuple(wording.notes(staircase)),
        content_hash(staircase.scoring_list),
        language,
        {key: wording.word(name) for key, name in staircase.policy.names.items()},
        tuple(wording.question(one.instead) if one.instead else "" for one in asked),
        wording.remarks(staircase),
    )


def card_lines(table: DecisionTable) -> Iterator[str]:
    """Title, questions with points and stops, what the figures are, where they come from."""
    about = table["about"]
    yield unbroken(about.get("title", "")) or "Scoring list"
    yield ""
    facts = [key for key in FACTS if key in about]
    if facts:
        yield "; ".join(f"{key.capitalize()}: {unbroken(about[key])}" for key in facts)
    yield "Add the points of each yes in order and stop where told; follow an unknown both ways."
    yield from question_lines(table)
    if table["words"]:
        yield " ".join(map(unbroken, table["words"]))
    yield from (f"- {unbroken(note['text'])}" for note in table["notes"] if note["text"])
    if made := made_of(table):
        yield "; ".join(f"{name}: {value}" for name, value in made.items())
    yield f"List {table['model']}, {table['generator']}"


def question_lines(table: DecisionTable) -> Iterator[str]:
    """Each question with its points, and where one stops after it."""
    texts = [unbroken(question["text"]) for question in table["questions"]]
    width = min(max(map(len, texts), default=0), LONGEST_QUESTION)
    for question, text, step in zip(table["questions"], texts, table["steps"][1:], strict=True):
        stops = _stops(step, table["names"])
        yield f"{step['stage']:>3}. {text:<{width}} {question['points']:+d}{stops}"
        if "if_unknown" in question:
            yield f"     if unknown: {unbroken(question['if_unknown']['text'])}"


def made_of(table: DecisionTable) -> dict[str, str]:
    """What the list was made of; how it was learned is told by the list, named by its hash."""
    return {
        unbroken(name): unbroken(value)
        for name, value in table["provenance"]
        if not name.startswith("option ")
    }


def wrapped(line: str, width: int = 94) -> list[str]:
    """A line of a card as several that people can read."""
    if len(line) <= width:
        return [line]
    return textwrap.wrap(line, width, subsequent_indent="  ", break_long_words=False) or [""]


def unbroken(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def _stops(step: StepEntry, names: Mapping[str, str]) -> str:
    parts, shown = [], {key: unbroken(name) or key for key, name in names.items()}
    if step["rule_out_at"] is not None:
        parts.append(f"{shown['rule out']} at {step['rule_out_at']} or less")
    if step["rule_in_at"] is not None:
        parts.append(f"{shown['rule in']} at {step['rule_in_at']} or more")
    if step["undecided_between"] is not None:
        parts.append(f"else {shown['undecided']}")
    return f"   {', '.join(parts)}" if parts else ""

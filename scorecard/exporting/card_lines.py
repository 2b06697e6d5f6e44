"""The card as a few lines of text, for the head of generated code."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scorecard.exporting.decision_table import DecisionTable, StepEntry

FACTS = ("outcome", "population", "horizon", "source", "validation", "licence", "note")
LONGEST_QUESTION = 60  # a longer one moves its own points to the right, not those of all


def card_lines(table: DecisionTable) -> Iterator[str]:
    """Title, questions with points and stops, what the figures are, where they come from."""
    about = table["about"]
    yield one_line(about.get("title", "")) or "Scoring list"
    yield ""
    facts = [key for key in FACTS if key in about]
    if facts:
        yield "; ".join(f"{key.capitalize()}: {one_line(about[key])}" for key in facts)
    yield "Add the points of each yes in order and stop where told; follow an unknown both ways."
    texts = [one_line(question["text"]) for question in table["questions"]]
    width = min(max(map(len, texts), default=0), LONGEST_QUESTION)
    for question, text, step in zip(table["questions"], texts, table["steps"][1:], strict=True):
        yield f"{step['stage']:>3}. {text:<{width}} {question['points']:+d}{_stops(step)}"
    if table["words"]:
        yield " ".join(map(one_line, table["words"]))
    yield from (f"- {one_line(note['text'])}" for note in table["notes"] if note["text"])
    # How it was learned is told by the list itself, which is named by its hash.
    made = [pair for pair in table["provenance"] if not pair[0].startswith("option ")]
    if made:
        yield "; ".join(f"{one_line(name)}: {one_line(value)}" for name, value in made)
    yield f"List {table['model']}, {table['generator']}"


def one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def _stops(step: StepEntry) -> str:
    parts = []
    if step["rule_out_at"] is not None:
        parts.append(f"rule out at {step['rule_out_at']} or less")
    if step["rule_in_at"] is not None:
        parts.append(f"rule in at {step['rule_in_at']} or more")
    if step["undecided_between"] is not None:
        parts.append("else undecided")
    return f"   {', '.join(parts)}" if parts else ""

"""Sentences of a card that have a short form: limits and notes."""

from __future__ import annotations

from collections.abc import Iterator

from scorecard.climbing import DEFAULT_LEVEL
from scorecard.rendering.wording import Wording
from scorecard.staircase import Note, Staircase


def short_limits(staircase: Staircase, wording: Wording) -> str:
    """The limits in one line: "▼ at most 5, ▲ at least 95 of 100; 90 % confidence …"."""
    policy, per = staircase.policy, wording.number(wording.per)
    low, high = policy.limits
    out = wording.limit(low, rules_out=True)
    if staircase.by == "bounds" and policy.miss_cost is not None:
        cost = wording.times(policy.miss_cost)
        limits = wording.word("card short cost", limit=out, per=per, cost=cost)
    else:
        into = wording.limit(high, rules_out=False)
        limits = wording.word("card short limits", out=out, into=into, per=per)
    level = staircase.scoring_list.figures.level or DEFAULT_LEVEL
    by = wording.word(
        f"card short {staircase.by}",
        confidence=wording.percent(policy.confidence),
        level=wording.percent(level),
    )
    return wording.sentence(limits, by)


def summary_sentences(staircase: Staircase, wording: Wording) -> Iterator[str]:
    """The notes for a card with room; where two estimates differ it is counted, not listed."""
    differing = [note for note in staircase.notes if note.kind == "estimates-differ"]
    for note in staircase.notes:
        if note.kind not in ("estimates-differ", "estimate-is-all"):
            yield wording.note(note, staircase)
    if len(differing) == 1:
        yield wording.word("card estimate differs")
    elif differing:
        yield wording.word("card estimates differ", number=len(differing))


def short_notes(staircase: Staircase, wording: Wording) -> Iterator[str]:
    """The notes a small card must not leave out: that nobody can stop, and what it would take."""
    for note in staircase.notes:
        if note.kind == "nobody":
            yield _short_nobody(note, wording)
        elif note.kind == "contradiction":
            yield wording.note(note, staircase)


def _short_nobody(note: Note, wording: Wording) -> str:
    parts = [wording.word(f"card short nobody {note['decision']}")]
    group, cases = note["group"], note["cases"]
    if isinstance(group, int):
        parts.append(wording.word("card short nobody group", group=wording.number(group)))
    if isinstance(cases, int):
        parts.append(wording.word("card short nobody cases", cases=wording.number(cases)))
    return wording.sentence(*parts)

"""Sentences about a whole staircase: limits and notes, also short; ends, ranges and marks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scorecard.core.climbing import DEFAULT_LEVEL
from scorecard.core.policy import By
from scorecard.core.staircase import Box, Decision, Note, Staircase
from scorecard.words.wording import Wording

SHORT_RULES: dict[By, str] = {
    "group": "card short group",
    "point": "card short point",
    "bounds": "card short bounds",
    "promise": "card short promise",
}
SHORT_NOBODY = {"rule out": "card short nobody rule out", "rule in": "card short nobody rule in"}


def short_limits(staircase: Staircase, wording: Wording) -> str:
    """The limits in one line: "▼ at most 5, ▲ at least 95 of 100; 90 % confidence …"."""
    policy, per = staircase.policy, wording.number(wording.per)
    if staircase.by == "bounds" and policy.miss_cost is not None:
        cost, limit = wording.times(policy.miss_cost), wording.limit(policy.limits[0], True)
        limits = wording.word("card short cost", limit=limit, per=per, cost=cost)
    elif not any(policy.has_limit):
        return wording.sentence(wording.word("limits none"))
    else:
        limits = wording.short_limits(policy)
    level = staircase.scoring_list.figures.level or DEFAULT_LEVEL
    by = wording.word(
        SHORT_RULES[staircase.by],
        confidence=wording.percent(policy.confidence),
        level=wording.percent(level),
    )
    return wording.sentence(limits, by)


def summary_sentences(staircase: Staircase, wording: Wording) -> Iterator[str]:
    """The notes for a card with room; where two estimates differ it is counted, not listed."""
    differing = [note for note in staircase.notes if note.kind == "estimates-differ"]
    for note in staircase.notes:
        if note.kind not in ("estimates-differ", "estimate-is-all", "only-sharpen"):
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
        elif note.kind == "plain-risk":
            yield wording.note(note, staircase)


def _short_nobody(note: Note, wording: Wording) -> str:
    what = wording.word(SHORT_NOBODY[str(note["decision"])])
    group, cases = note["group"], note["cases"]
    # How many cases in all says more to a reader than how many of them have to stop together.
    if isinstance(cases, int):
        return wording.word("card short nobody cases", what=what, cases=wording.number(cases))
    if isinstance(group, int):
        return wording.word("card short nobody group", what=what, group=wording.number(group))
    return wording.sentence(what)


def ends_in_words(staircase: Staircase, wording: Wording) -> str:
    """How many end without a decision: "76 end undecided, 4 cannot be decided (…)"."""
    ends: tuple[Decision, ...] = ("undecided", "unknown")
    undecided, unknown = (staircase.stopping(end)[0] for end in ends)
    parts = [wording.word("card ends undecided", cases=wording.count(undecided))]
    if unknown:
        parts.append(wording.word("card ends unknown", cases=wording.count(unknown)))
    return ", ".join(parts)


def ranges_are_joint(staircase: Staircase) -> bool:
    """Whether the ranges of a row hold together; published ones are as the source has them."""
    return staircase.estimate == "reached" or staircase.scoring_list.figures.origin != "published"


def mark_legends(staircase: Staircase, wording: Wording, boxes: Sequence[Box]) -> Iterator[str]:
    """What the marks at these boxes mean."""
    if any(box.curtailed for box in boxes):
        yield wording.curtailed_legend()
    if any(wording.few_mark(box.risk) for box in boxes):
        yield wording.few_legend()
    if any(wording.is_unseen(box.risk) for box in boxes):
        yield wording.unseen_legend(staircase.estimate)

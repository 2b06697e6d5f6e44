"""What unknown answers did to a list: who was decided despite one, where they go with the outcome.

A case with an unknown answer has no single total, so it is in no box; it is decided where every
possible answer leads to the same decision. Its decision is counted with those who stop there.
"""

from __future__ import annotations

from collections.abc import Iterator

from scorecard.core.binomial import chance_of_two_rates
from scorecard.core.evidence import Counts, Pattern
from scorecard.core.staircase import Note, Staircase
from scorecard.core.walk import answers_of

LEVEL = 0.01  # at which being unknown goes with the outcome, whatever the number of questions
FEWEST = 5  # cases with and without an answer; with fewer a difference says nothing


def unknown_notes(staircase: Staircase) -> Iterator[Note]:
    """What a reader of the counts has to know about unknown answers; nothing without evidence."""
    evidence = staircase.scoring_list.evidence
    patterns = evidence.patterns if evidence else ()
    yield from _decided_despite(staircase, [one for one in patterns if "?" in one.answers])
    asked = [question.input for question in staircase.questions]
    for place in sorted(map(asked.index, set(asked))):
        there = [pattern for pattern in patterns if place < len(pattern.answers)]
        missing, known = (
            _sum(one for one in there if (one.answers[place] == "?") is unknown)
            for unknown in (True, False)
        )
        if min(missing[0], known[0]) < FEWEST:
            continue
        if chance_of_two_rates(missing, known) < LEVEL / len(set(asked)):
            facts = ("question", place), ("missing", missing), ("known", known)
            yield Note("unknown-with-outcome", facts)


def _decided_despite(staircase: Staircase, patterns: list[Pattern]) -> Iterator[Note]:
    found: dict[str, Counts] = {"rule out": (0, 0), "rule in": (0, 0)}
    for pattern in patterns:
        outcome = staircase.decide(answers_of(pattern))
        # Unknown answers behind the stop, or to nobody's question, have nothing to do with it.
        if outcome.decision in found and "?" in pattern.answers[: outcome.stage]:
            cases, positives = found[outcome.decision]
            found[outcome.decision] = cases + pattern.cases, positives + pattern.positives
    if any(cases for cases, _ in found.values()):
        facts = ("out", found["rule out"]), ("into", found["rule in"])
        yield Note("decided-despite-unknown", facts)


def _sum(patterns: Iterator[Pattern]) -> Counts:
    counts = [(one.cases, one.positives) for one in patterns]
    return sum(cases for cases, _ in counts), sum(positives for _, positives in counts)

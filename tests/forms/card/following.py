"""Follow a printed card as a person does who has it in hand, with answers that may be unknown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from scorecard.core.staircase import Decision
from scorecard.forms.card.read_back import PrintedBox, PrintedCard, PrintedQuestion
from scorecard.forms.card.read_path import PathEnd, PrintedPath
from scorecard.printing.refusals import CardError

Answers = Sequence[bool | None]
End = tuple[Decision, int]
"""The decision, and after how many answers."""


def decided(card: PrintedCard | PrintedPath, answers: Answers) -> End:
    """An unknown answer is followed both ways; one stops where both have stopped and agree."""
    return _on_path(card, answers) if isinstance(card, PrintedPath) else _on_card(card, answers)


def completions(answers: Answers) -> Iterator[tuple[bool, ...]]:
    """The answers that unknown ones may stand for."""
    return product(*((True, False) if one is None else (one,) for one in answers))


def _on_card(card: PrintedCard, answers: Answers) -> End:
    ends = {_end(card, way) for way in completions(answers)}
    decision = _joint(ends)
    if decision == "unknown":  # for good, as soon as the two extreme ways have ended
        return decision, max(_end(card, way)[1] for way in _extremes(card, answers))
    return decision, max(stage for _, stage in ends)


def _extremes(card: PrintedCard, answers: Answers) -> Iterator[tuple[bool, ...]]:
    """The completions with the lowest and with the highest total."""
    asked = list(zip(card.questions, answers, strict=False))
    for highest in (False, True):
        yield tuple(
            (question.points > 0) == highest if yes is None else yes for question, yes in asked
        )


def _end(card: PrintedCard, answers: Sequence[bool]) -> End:
    total = 0
    for question, yes in zip(card.questions, answers, strict=False):
        total += question.points if yes else 0
        decision = box_at(question, total).decision
        if decision != "go on":
            return decision, question.number
    return "go on", min(len(answers), len(card.questions))


def box_at(question: PrintedQuestion, total: int) -> PrintedBox:
    """The box of a total."""
    (box,) = [one for one in question.boxes if one.lowest <= total <= one.highest][:1]
    return box


def _on_path(path: PrintedPath, answers: Answers) -> End:
    ways = []
    for complete in completions(answers):
        try:
            ways.append(path.way(complete))
        except CardError:
            continue  # the answers contradict each other: no arrow is drawn for them
    decision = _joint((way[-1].decision, len(way) - 1) for way in ways)
    if decision == "unknown":  # for good, as soon as the two outermost ways have ended
        ways = [min(ways, key=_lefts), max(ways, key=_lefts)]
    return decision, max(len(way) for way in ways) - 1


def _lefts(way: Sequence[PathEnd]) -> list[float]:
    return [box.left for box in way]


def _joint(ends: Iterable[End]) -> Decision:
    """What all ways of completing the answers come to."""
    decisions = {decision for decision, _ in ends}
    stopped = decisions - {"go on"}
    if len(stopped) > 1:
        return "unknown"
    return "go on" if "go on" in decisions else stopped.pop()

"""Patterns of answers on their way through a list: which totals they give, and who gets where.

Every total that answers give is found here; `learning.risks` finds those of many cases at once. An
unknown answer leaves the total open, and one of three things is done about it:

- the case is counted up to there and in no later total (`totals_so_far`, `Walker`);
- the total goes as low, or as high, as it can (`totals_so_far` with `unknown`): between both ends
  lies every way to complete the answers;
- the case counts with both totals, in parts (`spread_counts`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from scorecard.core.evidence import Counts, Evidence, Pattern
from scorecard.core.question import ANSWERS, Answer, Question, with_substitutes

Unknown = Literal["ends", "lowest", "highest"]

Shares = Mapping[int | None, float]
"""Per total the share of those who answer "yes" next; under `None` that of all who answer."""


def totals_so_far(
    points: Iterable[int], answers: Iterable[Answer], unknown: Unknown = "ends"
) -> tuple[int, ...]:
    """The totals after 0, 1, … answers; at an unknown one they end, or go as far as they can.

    Examples
    --------
    >>> totals_so_far([2, -1, 1], [True, None, True])
    (0, 2)
    >>> totals_so_far([2, -1, 1], [True, None, True], "lowest")
    (0, 2, 1, 2)
    """
    totals = [0]
    for value, answer in zip(points, answers, strict=False):
        if answer is None:
            if unknown == "ends":
                break
            answer = (value > 0) == (unknown == "highest")
        totals.append(totals[-1] + value * answer)
    return tuple(totals)


class Walker(NamedTuple):
    """Cases who answer alike: their totals after 0, 1, … answers, up to the first unknown one."""

    totals: tuple[int, ...]
    cases: int | float
    positives: int | float


def walkers(points: Sequence[int], patterns: Iterable[Pattern]) -> list[Walker]:
    """All who set out."""
    return [
        Walker(totals_so_far(points, answers_of(one)), one.cases, one.positives) for one in patterns
    ]


def answers_of(pattern: Pattern) -> list[Answer]:
    """The answers that its letters stand for."""
    return [ANSWERS[letter] for letter in pattern.answers]


def still_there(walking: Iterable[Walker], stage: int, totals: Collection[int]) -> list[Walker]:
    """Those who get to one of these totals of a stage."""
    return [one for one in walking if len(one.totals) > stage and one.totals[stage] in totals]


def counts_at(
    walking: Iterable[Walker], stage: int, totals: Iterable[int] = ()
) -> dict[int, Counts]:
    """Cases and positives per total of a stage; `totals` are there even if nobody has them."""
    counts: dict[int, Counts] = dict.fromkeys(totals, (0, 0))
    for reached, cases, positives in walking:
        if len(reached) > stage:
            before = counts.get(reached[stage], (0, 0))
            counts[reached[stage]] = before[0] + cases, before[1] + positives
    return counts


def stage_counts(points: Sequence[int], evidence: Evidence) -> list[dict[int, Counts]]:
    """Per stage and total the cases and positives, each case up to its first unknown answer."""
    walking = walkers(points, evidence.patterns)
    return [counts_at(walking, stage) for stage in range(len(points) + 1)]


@dataclass(frozen=True, slots=True)
class Spread:
    """Counts per stage and total in which every case counts, also with unknown answers.

    A case whose answer is unknown counts with both totals, by the share of those who answered
    "yes" with the same total. `shares` holds these for every question.
    """

    counts: tuple[Mapping[int, Counts], ...]
    shares: tuple[Shares, ...]


Crowd = Mapping[tuple[int, str], Counts]
"""Cases and positives by their total so far and the answers still to come."""


def spread_counts(
    points: Sequence[int], patterns: Iterable[Pattern], shares: Sequence[Shares] | None = None
) -> Spread:
    """Count all cases at every stage; `shares` may come from other cases of the same list."""
    crowd: Crowd = {(0, one.answers): (float(one.cases), float(one.positives)) for one in patterns}
    counts, found = [_per_total(crowd)], []
    for number, value in enumerate(points):
        found.append(_yes_shares(crowd) if shares is None else shares[number])
        crowd = _after_answer(crowd, value, found[-1])
        counts.append(_per_total(crowd))
    return Spread(tuple(counts), tuple(found))


def _after_answer(crowd: Crowd, value: int, yes: Shares) -> Crowd:
    after: dict[tuple[int, str], Counts] = {}
    for (total, answers), (cases, positives) in crowd.items():
        rest = answers[1:]
        for gained, part in _ways(ANSWERS[answers[0]], value, total, yes):
            before = after.get((total + gained, rest), (0.0, 0.0))
            after[total + gained, rest] = before[0] + part * cases, before[1] + part * positives
    return after


def _ways(answer: Answer, value: int, total: int, yes: Shares) -> tuple[tuple[int, float], ...]:
    """What an answer may add to the total, and for which part of the cases it does."""
    if answer is not None:
        return ((value * answer, 1.0),)
    share = yes.get(total, yes[None])
    return tuple(way for way in ((value, share), (0, 1.0 - share)) if way[1] > 0)


def _yes_shares(crowd: Crowd) -> Shares:
    answered: dict[int | None, list[float]] = {None: [0.0, 0.0]}
    for (total, answers), (cases, _) in crowd.items():
        if answers[0] != "?":
            for key in (total, None):
                sums = answered.setdefault(key, [0.0, 0.0])
                sums[0] += cases
                sums[1] += cases * (answers[0] == "1")
    return {key: yes / cases if cases > 0 else 0.5 for key, (cases, yes) in answered.items()}


def _per_total(crowd: Crowd) -> dict[int, Counts]:
    counts: dict[int, Counts] = {}
    for (total, _), (cases, positives) in crowd.items():
        before = counts.get(total, (0.0, 0.0))
        counts[total] = before[0] + cases, before[1] + positives
    return counts


# What asking costs --------------------------------------------------------------------------------
# An input that is asked again costs nothing more, nor does another one of a panel that somebody has
# paid for. An answer that cannot be had is not paid for; where a substitute gives it, that one is.
# Counts of answers do not tell which of the two gave them: they are counted at the dearer. Where
# some questions have a cost, those without one are free; where none has, nothing is said about
# costs.


def have_costs(questions: Sequence[Question]) -> bool:
    """Whether any of them has a cost."""
    return any(question.cost is not None for question in with_substitutes(questions))


def bought(question: Question) -> tuple[str, str]:
    """What is paid for to have the answer: the panel, or the input alone."""
    return ("panel", question.panel) if question.panel else ("input", question.input)


def prices(questions: Sequence[Question]) -> tuple[float, ...]:
    """What each question costs where it is the first to need what has to be bought.

    The members of a panel may leave its cost to one of them; of several the highest holds.
    """
    found = _price_list(questions)
    return tuple(found[bought(question)] for question in questions)


def _price_list(questions: Sequence[Question]) -> dict[tuple[str, str], float]:
    found: dict[tuple[str, str], float] = {}
    for question in with_substitutes(questions):
        key = bought(question)
        found[key] = max(found.get(key, 0.0), float(question.cost or 0))
    return found


def costs_so_far(
    questions: Sequence[Question],
    answers: Sequence[Answer],
    by_substitute: Sequence[bool] | None = None,
) -> tuple[float, ...]:
    """What was paid after 0, 1, … answers; there may be fewer answers than questions.

    `by_substitute` says which of them the substitute gave, where that is known.

    Examples
    --------
    >>> crp, hb = (Question(name, 1, cost=12, panel="blood") for name in ("crp", "hb"))
    >>> costs_so_far([crp, hb], [True, False]), costs_so_far([crp, hb], [None, False])
    ((0.0, 12.0, 12.0), (0.0, 0.0, 12.0))
    """
    price, spent, paid = _price_list(questions), [0.0], set()
    for place, (question, answer) in enumerate(zip(questions, answers, strict=False)):
        ways = [bought(one) for one in with_substitutes([question])]
        used = max(ways, key=price.__getitem__)
        if by_substitute is not None:
            used = ways[-1] if by_substitute[place] else ways[0]
        pays = answer is not None and used not in paid
        if pays:
            paid.add(used)
        spent.append(spent[-1] + price[used] * pays)
    return tuple(spent)


def case_cost(
    questions: Sequence[Question],
    answers: Sequence[Answer],
    asked: int,
    by_substitute: Sequence[bool] | None = None,
) -> float:
    """What a case costs that is asked so many questions."""
    return costs_so_far(questions, answers, by_substitute)[min(asked, len(answers))]

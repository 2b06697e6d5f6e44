"""What asking costs. A value is paid for once, and so is a panel that is bought together.

An input that is asked again costs nothing more, nor does another one of a panel that somebody has
paid for. An answer that cannot be had is not paid for. Where some questions have a cost, those
without one are free; where none has, nothing is said about costs.
"""

from __future__ import annotations

from collections.abc import Sequence

from scorecard.core.question import Answer, Question


def have_costs(questions: Sequence[Question]) -> bool:
    """Whether any of them has a cost."""
    return any(question.cost is not None for question in questions)


def bought(question: Question) -> tuple[str, str]:
    """What is paid for to have the answer: the panel, or the input alone."""
    return ("panel", question.panel) if question.panel else ("input", question.input)


def prices(questions: Sequence[Question]) -> tuple[float, ...]:
    """What each question costs where it is the first to need what has to be bought.

    The members of a panel may leave its cost to one of them; of several the highest holds.
    """
    found: dict[tuple[str, str], float] = {}
    for question in questions:
        key = bought(question)
        found[key] = max(found.get(key, 0.0), float(question.cost or 0))
    return tuple(found[bought(question)] for question in questions)


def costs_so_far(questions: Sequence[Question], answers: Sequence[Answer]) -> tuple[float, ...]:
    """What was paid after 0, 1, … answers; there may be fewer answers than questions.

    Examples
    --------
    >>> crp, hb = (Question(name, 1, cost=12, panel="blood") for name in ("crp", "hb"))
    >>> costs_so_far([crp, hb], [True, False]), costs_so_far([crp, hb], [None, False])
    ((0.0, 12.0, 12.0), (0.0, 0.0, 12.0))
    """
    spent, paid = [0.0], set()
    for question, price, answer in zip(questions, prices(questions), answers, strict=False):
        pays = answer is not None and bought(question) not in paid
        if pays:
            paid.add(bought(question))
        spent.append(spent[-1] + price * pays)
    return tuple(spent)


def case_cost(questions: Sequence[Question], answers: Sequence[Answer], asked: int) -> float:
    """What a case costs that is asked so many questions."""
    return costs_so_far(questions, answers)[min(asked, len(answers))]

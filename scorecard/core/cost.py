"""What asking costs. A value is paid for once, and so is a panel that is bought together.

An input that is asked again costs nothing more, nor does another one of a panel that somebody has
paid for. An answer that cannot be had is not paid for; where a substitute gives it, that one is.
Counts of answers do not tell which of the two gave them: they are counted at the dearer. Where
some questions have a cost, those without one are free; where none has, nothing is said about costs.
"""

from __future__ import annotations

from collections.abc import Sequence

from scorecard.core.question import Answer, Question, with_substitutes


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

"""Which questions, points and cut-offs come back when the cases are drawn again?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from scorecard.core.model import Question
from scorecard.evaluation.resampling import SplitResult


@dataclass(frozen=True)
class Chosen:
    """How often an input became a question: its places, points and cut-offs over the resamples.

    `places` and `points` are shares of all resamples. `cutoffs` are the 10 %, 50 % and 90 %
    quantiles of its cut-offs, `None` for an input without any; `conditions` are its questions.
    """

    input: str
    share: float
    places: Mapping[int, float]
    points: Mapping[int, float]
    cutoffs: tuple[float, float, float] | None
    conditions: Mapping[str, float]


def stability(results: Sequence[SplitResult]) -> list[Chosen]:
    """All inputs that were ever chosen, the most frequent first."""
    asked: dict[str, list[tuple[int, Question]]] = {}
    for result in results:
        for place, question in enumerate(result.questions, 1):
            asked.setdefault(question.input, []).append((place, question))
    found = [_chosen(name, questions, len(results)) for name, questions in asked.items()]
    return sorted(found, key=lambda one: (-one.share, one.input))


def same_first_questions(
    results: Sequence[SplitResult], questions: Sequence[Question]
) -> list[float]:
    """For k = 1, 2, …: the share of resamples whose first k questions ask the same inputs."""
    names = [question.input for question in questions]
    return [
        sum({q.input for q in result.questions[:k]} == set(names[:k]) for result in results)
        / len(results)
        for k in range(1, len(names) + 1)
    ]


def _chosen(name: str, asked: Sequence[tuple[int, Question]], splits: int) -> Chosen:
    cutoffs = [q.condition.cutoff for _, q in asked if q.condition.cutoff is not None]
    middle = np.quantile(cutoffs, (0.1, 0.5, 0.9)).tolist() if cutoffs else None
    return Chosen(
        name,
        len(asked) / splits,
        _shares([place for place, _ in asked], splits),
        _shares([question.points for _, question in asked], splits),
        tuple(middle) if middle else None,
        _shares([str(question.condition) for _, question in asked], splits),
    )


def _shares(values: Sequence[Any], splits: int) -> dict[Any, float]:
    return {value: count / splits for value, count in Counter(values).most_common()}

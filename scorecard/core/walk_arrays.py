"""The walk of `walk` for many cases at once: the only module of this room that needs numpy.

Answers have one row per case and one column per question: 1 yes, 0 no, −1 unknown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from scorecard.core.walk import Shares

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
Answers = NDArray[np.int8]


def standings(answers: Answers, points: Sequence[int]) -> Iterator[tuple[Integers, Integers]]:
    """After each stage from 0 on: every case's total and how many questions it answered so far.

    A case stands still at its first unknown answer. The arrays change from stage to stage.
    """
    totals = np.zeros(answers.shape[0], np.int64)
    reached = np.zeros(answers.shape[0], np.int64)
    yield totals, reached
    for number, value in enumerate(points):
        goes_on = (reached == number) & (answers[:, number] >= 0)
        reached += goes_on
        totals += value * (goes_on & (answers[:, number] > 0))
        yield totals, reached


def possible_range(answers: Answers, points: Sequence[int]) -> tuple[Integers, Integers]:
    """The lowest and the highest total that the answers allow."""
    values = np.array(points, np.int64)
    sure = np.where(answers > 0, values, 0).sum(axis=1)
    lowest = sure + np.where(answers < 0, np.minimum(values, 0), 0).sum(axis=1)
    highest = sure + np.where(answers < 0, np.maximum(values, 0), 0).sum(axis=1)
    return lowest, highest


def spread(
    answers: Answers,
    points: Sequence[int],
    totals: Sequence[Sequence[int]],
    shares: Sequence[Shares],
) -> Iterator[Floats]:
    """After each stage from 0 on: how likely each total is, with unknown answers both ways.

    `totals` are those that each stage can have, ascending; `shares` as in `walk.spread_counts`.
    """
    parts = np.ones((len(answers), 1))
    yield parts
    for number, yes in enumerate(shares):
        here, after = (np.array(totals[stage]) for stage in (number, number + 1))
        given = answers[:, number, None]
        share = np.array([yes.get(total, yes[None]) for total in here.tolist()])
        chance = np.where(given < 0, share, given)
        both = np.zeros((len(answers), after.size))
        both[:, np.searchsorted(after, here + points[number])] += parts * chance
        both[:, np.searchsorted(after, here)] += parts * (1 - chance)
        parts = both
        yield parts

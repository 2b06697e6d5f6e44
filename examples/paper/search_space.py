"""RQ1: is greedy search good enough? All lists there are, beside the one that is found."""

from dataclasses import dataclass

import numpy as np

from examples.paper.best_list import assignment_losses, best_list
from scorecard.learning.classifier import ScoringListClassifier
from scorecard.learning.counts import CaseCounts
from scorecard.learning.cutoffs import Candidates, Criterion
from scorecard.learning.options import PUBLISHED
from scorecard.learning.search import SearchPlan, binarized, in_tie_order


@dataclass(frozen=True)
class SearchSpace:
    """Entropies by stage: of all scoring systems as quantiles, and of two lists.

    `quantiles` has the smallest, 5 %, 50 %, 95 % and largest entropy of all systems with so many
    questions. The smallest ones need not belong to one list.
    """

    systems: int
    quantiles: np.ndarray
    greedy: tuple[float, ...]
    optimal: tuple[float, ...]
    questions: tuple[str, ...]


def explore(dataset, points):
    """Evaluate every assignment of points; columns with numbers are binarised beforehand."""
    source, plan = _searched(dataset, points)
    losses = assignment_losses(source, plan)
    sizes = [one.points.size + 1 for one in plan.inputs]
    asked = np.zeros(losses.size, np.int64)
    codes = np.arange(losses.size)
    for size in sizes:
        asked += codes % size > 0
        codes //= size
    quantiles = [
        np.quantile(losses[asked == stage], (0, 0.05, 0.5, 0.95, 1))
        for stage in range(len(sizes) + 1)
    ]
    options = {
        **PUBLISHED,
        "points": points,
        "cutoffs": "exact",
        "published": {**PUBLISHED["published"], "binarize": "beforehand"},
    }
    greedy = ScoringListClassifier(**options).fit(dataset.X, dataset.y)
    names = tuple(dataset.inputs[int(question.input[1:])] for question in greedy.questions_)
    return SearchSpace(
        losses.size,
        np.array(quantiles),
        greedy.losses_,
        best_list(source, plan).losses,
        names,
    )


def _searched(dataset, points):
    source = CaseCounts(list(dataset.X.T), dataset.y)
    inputs = tuple(
        Candidates(j, range(1, source.n_values(j)), in_tie_order(points), j)
        for j in range(dataset.X.shape[1])
    )
    plan = SearchPlan(Criterion("isotonic", source.total_weight), inputs, min_gain=None)
    return source, binarized(source, plan)

"""Small random tables with everything that makes a search go wrong: ties, copies, constants."""

import numpy as np

from scorecard import ScoringListClassifier
from scorecard.learning.losses import isotonic_entropy, misranked_pairs
from scorecard.learning.options import METHOD, PUBLISHED

POINTS = [(-3, -2, -1, 1, 2, 3), (1, 2), (-1, 1), (-2, 1, 5)]


def random_table(seed):
    """X, y, weights and points; about every third table has two equal columns."""
    rng = np.random.default_rng(seed)
    cases, inputs = rng.integers(8, 36), rng.integers(1, 5)
    kinds = [
        lambda: rng.integers(0, 2, cases),
        lambda: rng.integers(0, 5, cases),
        lambda: np.round(rng.normal(size=cases), 1),
        lambda: np.full(cases, 2),
    ]
    X = np.column_stack([kinds[rng.integers(4)]() for _ in range(inputs)]).astype(float)
    if inputs > 1 and rng.random() < 0.3:
        X[:, 1] = X[:, 0]
    y = rng.random(cases) < 1 / (1 + np.exp(-X @ rng.normal(size=inputs)))
    y[:2] = [True, False]
    weights = [np.ones(cases), rng.integers(1, 4, cases).astype(float), rng.random(cases) + 0.01]
    return X, y.astype(int), weights[rng.integers(3)], POINTS[rng.integers(4)]


def by_counts(**options):
    """A classifier that shows the counts of the cases it was given, by an exact search.

    Parts of the published method may be given by their names.
    """
    own = {name: value for name, value in options.items() if name not in METHOD}
    method = {**PUBLISHED["published"], "min_gain": 0.0, "positive_points": True}
    method |= {name: value for name, value in options.items() if name in METHOD}
    return ScoringListClassifier(**{**PUBLISHED, "cutoffs": "exact", "published": method, **own})


def expected_entropy(cases, positives):
    """Expected entropy (base 2) of the isotonic estimates of these counts, totals ascending."""
    n, p = _counts(cases), _counts(positives)
    return float(isotonic_entropy(n, p)[0] / n.sum())


def soft_rank_loss(cases, positives):
    """Share of positive-negative pairs ranked wrongly by their totals, ties counting half."""
    n, p = _counts(cases), _counts(positives)
    return float(misranked_pairs(n, p)[0] / (p.sum() * (n.sum() - p.sum())))


def _counts(counts):
    return np.array(counts, dtype=np.float64)[:, None]

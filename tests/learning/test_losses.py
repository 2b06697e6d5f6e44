import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from .oracle import entropy
from .tables import expected_entropy, soft_rank_loss


@pytest.mark.parametrize("seed", range(50))
def test_losses_of_counts_are_those_of_cases(seed):
    rng = np.random.default_rng(seed)
    totals, y = rng.integers(0, 6, 40), rng.integers(0, 2, 40)
    y[:2] = [0, 1]
    cases = np.bincount(totals, minlength=6)
    positives = np.bincount(totals, weights=y, minlength=6)
    assert expected_entropy(cases, positives) == pytest.approx(entropy(totals, y, np.ones(40)))
    assert soft_rank_loss(cases, positives) == pytest.approx(1 - roc_auc_score(y, totals))


def test_by_hand():
    assert expected_entropy([10, 10], [0, 5]) == pytest.approx(0.5)
    assert expected_entropy([10, 10], [5, 0]) == pytest.approx(
        0.8112781244591328
    )  # pooled: 5 of 20
    assert soft_rank_loss([1, 1], [0, 1]) == 0
    assert soft_rank_loss([1, 1], [1, 0]) == 1
    assert soft_rank_loss([2], [1]) == 0.5


def test_mirrored_outcomes_have_exactly_the_same_entropy():
    cases, positives = np.array([7, 9, 13]), np.array([1, 4, 11])
    mirrored = expected_entropy(cases[::-1], (cases - positives)[::-1])
    assert expected_entropy(cases, positives) == pytest.approx(mirrored, abs=1e-15)

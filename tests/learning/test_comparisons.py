import numpy as np
import pytest

from scorecard.learning.counts import ComparisonCounts
from scorecard.learning.cutoffs import Candidates, Criterion
from scorecard.learning.kernels import PAIRS
from scorecard.learning.search import Plan, in_tie_order, search
from tests.learning.tables import by_counts


def oracle(preferred, other, points):
    """Every question tried on every comparison, one after the other."""
    totals, others, asked, losses = np.zeros(len(other)), np.zeros(len(other)), [], [0.5]
    while len(asked) < preferred.shape[1]:
        candidates = []
        for j in set(range(preferred.shape[1])) - {one[0] for one in asked}:
            for s in sorted(points, key=lambda s: (-abs(s), s)):
                for value in np.unique(np.concatenate((preferred[:, j], other[:, j])))[1:]:
                    gap = (
                        totals
                        + s * (preferred[:, j] >= value)
                        - others
                        - s * (other[:, j] >= value)
                    )
                    candidates.append((np.mean((gap < 0) + 0.5 * (gap == 0)), j, value, s))
        least = min(one[0] for one in candidates)
        if least > losses[-1] - 1e-11:
            break
        loss, j, value, s = next(one for one in candidates if one[0] < least + 1e-11)
        totals, others = (
            totals + s * (preferred[:, j] >= value),
            others + s * (other[:, j] >= value),
        )
        asked.append((j, value, s))
        losses.append(loss)
    return asked, losses


@pytest.mark.parametrize("seed", range(40))
def test_the_oracle_finds_the_same_list(seed):
    rng = np.random.default_rng(seed)
    preferred, other = rng.integers(0, 5, (2, 25, 3)).astype(float)
    preferred[:, 0] += rng.integers(0, 2, 25)
    source = ComparisonCounts(list(preferred.T), list(other.T))
    inputs = tuple(
        Candidates(j, range(1, source.n_values(j)), in_tie_order((-1, 1, 2)), j) for j in range(3)
    )
    result = search(source, Plan(Criterion(PAIRS, source.total_weight), inputs))
    questions = [(c.input, source.spans(c.input)[0][c.cutoff], c.points) for c in result.choices]
    asked, losses = oracle(preferred, other, (-1, 1, 2))
    assert questions == asked
    assert result.losses == pytest.approx(losses)


def test_a_list_from_comparisons_ranks_and_invents_no_probabilities():
    rng = np.random.default_rng(0)
    cases = rng.normal(size=(400, 4))
    merit = cases[:, 0] + 0.5 * cases[:, 1]
    better = merit[:200] > merit[200:]
    preferred = np.where(better[:, None], cases[:200], cases[200:])
    other = np.where(better[:, None], cases[200:], cases[:200])
    model = by_counts(max_questions=3).fit_comparisons(preferred, other)
    assert not model.scoring_list_.has_risks
    ahead = model.totals(preferred) - model.totals(other)
    assert np.mean(ahead > 0) + 0.5 * np.mean(ahead == 0) == pytest.approx(1 - model.losses_[-1])
    assert model.losses_[-1] < 0.3
    assert np.array_equal(model.decision_function(preferred), model.totals(preferred))
    with pytest.raises(ValueError, match="no probabilities"):
        model.predict_proba(preferred)


def test_weights_are_repeated_comparisons_and_missing_values_move_nothing():
    rng = np.random.default_rng(1)
    preferred, other = rng.integers(0, 6, (2, 50, 3)).astype(float)
    preferred[:, 1] += 1
    preferred[:9, 2] = np.nan
    times = rng.integers(1, 4, 50)
    repeated = by_counts().fit_comparisons(
        np.repeat(preferred, times, axis=0), np.repeat(other, times, axis=0)
    )
    weighted = by_counts().fit_comparisons(preferred, other, sample_weight=times)
    assert repeated.scoring_list_ == weighted.scoring_list_
    assert repeated.losses_ == pytest.approx(weighted.losses_)

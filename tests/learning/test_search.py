import numpy as np
import pytest

from scorecard.core.calibration import CALIBRATIONS
from scorecard.learning import cutoffs
from scorecard.learning.counts import CaseCounts
from scorecard.learning.cutoffs import EQUAL_IF_FITTED, Candidates, Criterion
from scorecard.learning.search import SearchPlan, binarized, in_tie_order, search
from tests.exhaustive import many

from .oracle import entropy_of_estimates, learn
from .tables import random_table, soft_rank_loss


def found(
    X, y, weights=None, points=(-3, -2, -1, 1, 2, 3), loss="isotonic", bisect=False, penalty=0.0,
    **plan,
):  # fmt: skip
    """The list as (input, first value that counts as yes, points), and the losses."""
    source = CaseCounts(list(np.asarray(X, float).T), y, weights)
    cases, positives = source.start().counts[0]
    unit = positives * (cases - positives) if loss == "ranking" else source.total_weight
    inputs = tuple(
        Candidates(j, range(1, source.n_values(j)), in_tie_order(points), j)
        for j in range(X.shape[1])
        if source.n_values(j) > 1
    )
    result = search(source, SearchPlan(Criterion(loss, unit, bisect, penalty), inputs, **plan))
    questions = [(c.input, source.spans(c.input)[0][c.cutoff], c.points) for c in result.choices]
    return questions, np.array(result.losses)


@pytest.mark.parametrize("seed", range(many(200)))
def test_the_oracle_finds_the_same_list(seed):
    X, y, weights, points = random_table(seed)
    questions, losses = found(X, y, weights, points)
    expected = learn(X, y, weights, points)
    assert questions == [one[:3] for one in expected]
    assert losses[1:] == pytest.approx([one[3] for one in expected], abs=1e-10)


@pytest.mark.parametrize(
    ("method", "penalty"),
    [("beta", 0.0), *((method, 1.0) for method in CALIBRATIONS if method != "isotonic")],
)
@pytest.mark.parametrize("seed", range(12))
def test_other_estimates_are_searched_for_by_their_own_entropy(seed, method, penalty):
    X, y, weights, points = random_table(seed)
    questions, losses = found(X, y, weights, points, method, penalty=penalty)
    expected = learn(X, y, weights, points, entropy_of_estimates(method, penalty), EQUAL_IF_FITTED)
    assert questions == [one[:3] for one in expected]
    assert losses[1:] == pytest.approx([one[3] for one in expected], abs=1e-7)


@pytest.mark.parametrize("seed", range(30))
def test_the_order_of_cases_does_not_matter(seed):
    X, y, weights, points = random_table(seed)
    order = np.random.default_rng(seed).permutation(len(y))
    one, one_losses = found(X, y, weights, points)
    other, other_losses = found(X[order], y[order], weights[order], points)
    assert one == other
    assert np.array_equal(one_losses, other_losses)


@pytest.mark.parametrize("seed", range(30))
def test_without_ties_the_order_of_inputs_does_not_matter(seed):
    rng = np.random.default_rng(seed)
    X, order = rng.normal(size=(40, 4)), rng.permutation(4)
    y = rng.random(40) < 1 / (1 + np.exp(-X[:, 0] - 0.7 * X[:, 1]))
    weights = rng.random(40) + 0.5  # no two candidates have the same counts
    one, losses = found(X, y, weights, (-1, 2), max_questions=2)
    other, other_losses = found(X[:, order], y, weights, (-1, 2), max_questions=2)
    assert losses == pytest.approx(other_losses, abs=1e-12)
    assert one == [(order[j], value, s) for j, value, s in other]


@pytest.mark.parametrize("seed", range(30))
def test_a_monotone_transformation_of_a_column_changes_only_its_values(seed):
    X, y, weights, points = random_table(seed)
    one, losses = found(X, y, weights, points)
    other, other_losses = found(np.exp(X), y, weights, points)
    assert np.array_equal(losses, other_losses)
    assert [(j, np.exp(value), s) for j, value, s in one] == other


@pytest.mark.parametrize("seed", range(30))
def test_duplicates_and_weights_are_the_same(seed):
    X, y, _, points = random_table(seed)
    times = np.random.default_rng(seed).integers(1, 5, len(y))
    one, losses = found(np.repeat(X, times, axis=0), np.repeat(y, times), None, points)
    other, other_losses = found(X, y, times.astype(float), points)
    assert one == other
    assert losses == pytest.approx(other_losses, abs=1e-12)


@pytest.mark.parametrize("loss", ["isotonic", "ranking", "beta"])
@pytest.mark.parametrize("seed", range(many(8, 2)))
def test_long_columns_are_searched_in_two_steps_with_the_same_result(seed, loss, monkeypatch):
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(300, 3)), 2)
    signal = -X[:, 0] + X[:, 1] * X[:, 2] if seed % 2 else 0  # in noise all cut-offs are near
    y = rng.random(300) < 1 / (1 + np.exp(signal))
    at_once = found(X, y, loss=loss)
    ahead_at_once = found(X, y, loss=loss, lookahead=2, max_questions=2)
    monkeypatch.setattr(cutoffs, "TABLE_CELLS", 1)
    in_steps = found(X, y, loss=loss)
    assert in_steps[0] == at_once[0]
    assert in_steps[1] == pytest.approx(at_once[1], abs=1e-12)
    assert found(X, y, loss=loss, lookahead=2, max_questions=2)[0] == ahead_at_once[0]


def test_equal_losses_go_to_the_first_input_largest_points_negative_sign_smallest_cutoff():
    y = np.array([0, 0, 1, 1])
    X = np.column_stack([[1, 2, 3, 4], [4, 3, 2, 1]])
    assert found(X, y, points=(-1, 1, 2))[0] == [(0, 3, 2)]
    assert found(X[:, ::-1], y, points=(-1, 1, 2))[0] == [(0, 3, -1)]
    # nothing separates these, so only the order of ties decides which question is forced
    assert found(np.array([[0], [1], [0], [1]]), y, points=(-2, 2, 1), min_gain=None)[0] == [
        (0, 1, -2)
    ]


def test_a_list_ends_where_no_question_gains_enough():
    X, y = np.array([[0], [0], [1], [1]]), np.array([0, 1, 0, 1])
    assert found(X, y)[0] == []
    assert len(found(X, y, min_gain=None)[0]) == 1
    X, y, *_ = random_table(0)
    gains = -np.diff(found(X, y)[1])
    kept = found(X, y, min_gain=gains.max())[0]
    assert len(kept) < gains.size


@pytest.mark.parametrize("seed", range(10))
def test_looking_ahead_is_never_worse_than_greedy_in_the_sum_it_keeps_at_equal_length(seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, size=(60, 4))
    y = rng.random(60) < (X[:, 0] > 1) * 0.5 + (X[:, 1] > 2) * 0.3
    greedy = found(X, y, max_questions=2, min_gain=None)[1]
    ahead = found(X, y, max_questions=2, min_gain=None, lookahead=2)[1]
    assert ahead.sum() <= greedy.sum() + 1e-12


@pytest.mark.parametrize("loss", ["beta", "sigmoid"])
def test_bisect_fits_only_what_it_looks_at(loss, monkeypatch):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(200, 2))
    y = rng.random(200) < 1 / (1 + np.exp(-2 * X[:, 0]))
    at_once = found(X, y, loss=loss, bisect=True, penalty=1.0)
    monkeypatch.setattr(cutoffs, "TABLE_CELLS", 1)
    piecewise = found(X, y, loss=loss, bisect=True, penalty=1.0)
    assert piecewise[0] == at_once[0]
    assert piecewise[1] == pytest.approx(at_once[1], abs=1e-9)
    exact = found(X, y, loss=loss, penalty=1.0)
    assert exact[1][1] <= at_once[1][1] + 1e-9


def test_progress_is_told_for_every_stage():
    X, y, *_ = random_table(3)
    told = []
    found(X, y, min_gain=None, progress=lambda stage, of: told.append((stage, of)))
    assert told[0][0] == 0
    assert told[-1][0] == told[-1][1]


def test_bisect_finds_the_minimum_of_a_valley():
    y = np.repeat([0, 1], 50)
    assert found(np.arange(100)[:, None], y, bisect=True)[0] == [(0, 50, 3)]


def test_bisect_reads_long_columns_piece_by_piece(monkeypatch):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(400, 2))
    y = rng.random(400) < 1 / (1 + np.exp(-2 * X[:, 0]))
    at_once = found(X, y, bisect=True)
    monkeypatch.setattr(cutoffs, "TABLE_CELLS", 1)
    assert found(X, y, bisect=True)[0] == at_once[0]


def test_beforehand_fixes_the_cutoff_that_separates_best_alone():
    X = np.array([[1.0], [2], [3], [4], [5], [6]])
    y = np.array([0, 0, 0, 1, 1, 1])
    source = CaseCounts(list(X.T), y)
    plan = SearchPlan(
        Criterion("isotonic", 6.0), (Candidates(0, range(1, 6), in_tie_order([5]), 0),)
    )
    (only,) = binarized(source, plan).inputs
    assert list(only.cutoffs) == [3]
    assert list(only.points) == [5]


def test_beforehand_is_by_entropy_whatever_the_list_is_learned_by():
    X = np.arange(40.0)[:, None]
    y = np.concatenate((np.zeros(12, int), np.tile([0, 1], 14)))
    source = CaseCounts(list(X.T), y)
    candidates = (Candidates(0, range(1, 40), in_tie_order([1, 2]), 0),)
    criteria = (
        Criterion("isotonic", 40.0),
        Criterion("ranking", 14.0 * 26),
        Criterion("sigmoid", 40.0, penalty=1.0),
    )
    chosen = [binarized(source, SearchPlan(one, candidates)).inputs[0].cutoffs for one in criteria]
    assert chosen == [range(13, 14)] * 3


def test_ranking_minimises_the_share_of_misranked_pairs():
    X, y, *_ = random_table(5)
    questions, losses = found(X, y, loss="ranking")
    totals = sum(s * (X[:, j] >= value) for j, value, s in questions)
    _, places = np.unique(totals, return_inverse=True)
    expected = soft_rank_loss(np.bincount(places), np.bincount(places, weights=y))
    assert losses[0] == 0.5
    assert losses[-1] == pytest.approx(expected)


@pytest.mark.parametrize("left_out", [(), (1,), (0, 3), (2, 4, 6), (1, 4)])
def test_a_part_of_the_cases_is_counted_as_if_they_were_alone(left_out: tuple[int, ...]) -> None:
    """Those without a value stand among the majority of the part, not of all cases."""
    numbers = np.array([3.0, np.nan, 1.0, 2.0, np.nan, 2.0, 1.0, 5.0, 5.0, 5.0])
    outcome, inside = np.arange(10) % 3 == 0, ~np.isin(np.arange(numbers.size), left_out)
    part = CaseCounts([numbers], outcome).part(inside)
    alone = CaseCounts([numbers[inside]], outcome[inside])
    cuts = np.arange(alone.n_values(0) + 1)
    for counts in (lambda one: one.spans(0), lambda one: one.weight_below(0),
                   lambda one: one.between(one.start(), 0, cuts),
                   lambda one: one.ask(one.start(), 0, 2, 3).counts):  # fmt: skip
        np.testing.assert_array_equal(counts(part), counts(alone))


def test_who_has_no_value_is_counted_with_the_median() -> None:
    numbers = np.array([3.0, np.nan, 1.0, 2.0, np.nan, 1.0, 1.0, 5.0, 2.0])
    median = np.quantile(numbers[~np.isnan(numbers)], 0.5, method="lower")
    outcome, cuts = np.arange(9) % 3 == 0, np.arange(5)
    both = [CaseCounts([one], outcome) for one in (numbers, np.nan_to_num(numbers, nan=median))]
    for cut in cuts[1:-1]:
        states = [one.ask(one.start(), 0, cut, 2) for one in both]
        np.testing.assert_array_equal(*(state.counts for state in states))
        gaps = [one.between(state, 0, cuts) for one, state in zip(both, states, strict=True)]
        np.testing.assert_array_equal(*gaps)

"""Cross-validated evidence: who is left out where, what is chosen, and what does not change it."""

import re
from dataclasses import replace

import numpy as np
import pytest
from sklearn.base import clone

from scorecard import ScoringListClassifier, StoppingPolicy, build_staircase
from scorecard.core.performance import times_asked
from scorecard.core.recalibration import left_out_losses
from scorecard.errors import LearningError
from scorecard.learning.counts import CaseCounts
from scorecard.learning.cross_validation import best_size, shortened
from scorecard.words.sentences import cross_validation_sentences
from scorecard.words.wording import Wording


def population(cases=400, seed=0, signal=1.0, missing=0.0):
    """Two inputs that matter, one twice, and three of noise; the risk is known."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(cases, 5)).round(2)
    X[:, 4] = X[:, 4] > 0
    odds = signal * (1.5 * X[:, 0] + 1.2 * (X[:, 1] > 0.3)) - 1
    y = rng.random(cases) < 1 / (1 + np.exp(-odds))
    X[rng.random(X.shape) < missing] = np.nan
    return X, y


X, Y = population()
MODEL = ScoringListClassifier().fit(X, Y)
FULL = ScoringListClassifier(max_questions=6).fit(X, Y)


def test_every_case_is_left_out_once_and_inside_otherwise() -> None:
    check = MODEL.scoring_list_.cross_validation
    assert len(check.folds) == 10
    left = [sum(pattern.cases for pattern in fold.left_out.patterns) for fold in check.folds]
    inside = [sum(pattern.cases for pattern in fold.inside.patterns) for fold in check.folds]
    assert sum(left) == len(Y)
    assert {one + other for one, other in zip(left, inside, strict=True)} == {len(Y)}
    ill = [sum(pattern.positives for pattern in fold.left_out.patterns) for fold in check.folds]
    assert sum(ill) == Y.sum()
    assert max(ill) - min(ill) <= 1  # stratified


def test_a_fold_list_is_the_one_learned_without_its_part() -> None:
    listed = ScoringListClassifier(folds=2, max_questions=3).fit(X, Y).scoring_list_
    options = {"max_questions": 3, "evidence": "training"}
    found = set()
    for first in (True, False):
        from sklearn.model_selection import StratifiedKFold

        parts = list(StratifiedKFold(2, shuffle=True, random_state=0).split(X, Y))
        inside = parts[0][0] if first else parts[1][0]
        found.add(ScoringListClassifier(**options).fit(X[inside], Y[inside]).questions_)
    assert {fold.questions for fold in listed.cross_validation.folds} == found


def test_a_part_of_the_counts_is_the_counts_of_the_part() -> None:
    values, _ = population(missing=0.3, seed=3)
    inside = np.random.default_rng(1).random(len(Y)) < 0.6
    for column in range(5):
        whole = CaseCounts([values[:, column]], Y).part(inside)
        alone = CaseCounts([values[inside, column]], Y[inside])
        assert whole.total_weight == alone.total_weight == inside.sum()
        assert whole.spans(0)[0].tolist() == alone.spans(0)[0].tolist()
        assert whole.quantiles(0, 5, True).tolist() == alone.quantiles(0, 5, True).tolist()
        cuts = np.arange(alone.n_values(0) + 1)
        counted = [one.between(one.start(), 0, cuts).tolist() for one in (whole, alone)]
        assert counted[0] == counted[1]


def test_an_unknown_answer_counts_like_the_majority_in_the_search() -> None:
    numbers = np.array([1.0, 2.0, 2.0, 3.0, 4.0, np.nan, np.nan])
    counts = CaseCounts([numbers], np.array([0, 0, 1, 1, 1, 0, 1]))
    assert counts.spans(0)[0].tolist() == [1, 2, 3, 4]
    assert counts.weight_below(0).tolist() == [0, 1, 5, 6, 7]  # with those at 2, the median


def test_the_same_seed_gives_the_same_list() -> None:
    assert ScoringListClassifier().fit(X, Y).scoring_list_ == MODEL.scoring_list_
    other = clone(MODEL).set_params(random_state=1).fit(X, Y)
    assert other.scoring_list_.cross_validation != MODEL.scoring_list_.cross_validation
    assert other.scoring_list_.questions[0].input == MODEL.scoring_list_.questions[0].input


def test_an_input_may_be_asked_again_with_another_cutoff() -> None:
    names = [question.input for question in MODEL.questions_]
    assert names.count("x0") > 1
    assert len({(q.input, str(q.condition)) for q in MODEL.questions_}) == len(names)
    once = ScoringListClassifier(repeat_inputs=1).fit(X, Y)
    assert len({question.input for question in once.questions_}) == len(once.questions_)


def test_enough_cases_answer_every_question_either_way_and_between_two_cutoffs() -> None:
    model = ScoringListClassifier(max_questions=6, min_answers=60).fit(X, Y)
    answers = model.answers(X)
    for column in answers.T:
        assert 60 <= (column == 1).sum() <= len(Y) - 60
    for number, one in enumerate(model.questions_):
        for place, other in enumerate(model.questions_[:number]):
            if one.input == other.input:
                differ = answers[:, number] != answers[:, place]
                assert 60 <= differ.sum() <= len(Y) - 60


def test_six_questions_are_asked_unless_fewer_are_clearly_better() -> None:
    assert len(MODEL.questions_) == 6
    assert "cross-validated log loss" in MODEL.size_reason_
    assert FULL.size_reason_ is None
    assert FULL.questions_ == MODEL.questions_


def overfitted(seed):
    """Few cases and many inputs of noise: after the third question it gets worse."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(200, 30)).round(2)
    y = rng.random(200) < 1 / (1 + np.exp(-3 * X[:, 0]))
    return X, y


def test_fewer_are_asked_where_that_is_better_by_three_standard_errors() -> None:
    sizes = set()
    for seed in (4, 5):
        X, y = overfitted(seed)
        check = ScoringListClassifier(max_questions=6).fit(X, y).scoring_list_.cross_validation
        losses, weights = map(np.array, zip(*left_out_losses(check, 6), strict=True))
        means = weights @ losses / weights.sum()
        best = 1 + int(np.argmin(means[1:]))
        worse = np.repeat(losses[:, 6] - losses[:, best], weights.astype(int))
        clearly = worse.mean() > 3 * worse.std() / np.sqrt(len(worse))
        model = ScoringListClassifier().fit(X, y)
        assert len(model.questions_) == best_size(check, 6).questions == (best if clearly else 6)
        sizes.add(len(model.questions_))
    assert min(sizes) < 6 in sizes  # else one of both was not tried


def test_a_number_of_questions_is_what_one_gets() -> None:
    X, y = overfitted(0)
    for number in (1, 3, 6, 9):
        assert len(ScoringListClassifier(max_questions=number).fit(X, y).questions_) == number


def test_equal_checks_are_found_again() -> None:
    check = FULL.scoring_list_.cross_validation
    assert hash(check) == hash(replace(check)) != hash(shortened(check, 3))


def test_why_so_many_questions_is_said_once() -> None:
    check = FULL.scoring_list_.cross_validation
    for most in range(1, 7):
        size = best_size(check, most)
        figures = re.findall(r"0\.\d+ after (\d)", size.reason)
        assert len(figures) == len(set(figures))
        assert figures[0] == str(size.questions)


def test_predictions_are_the_risks_of_the_list() -> None:
    listed = MODEL.scoring_list_
    answers = MODEL.answers(X[:50])
    points = [question.points for question in listed.questions]
    expected = [listed.stages[-1].risk(int(row @ points)).probability for row in answers]
    assert MODEL.predict_proba(X[:50])[:, 1] == pytest.approx(expected)
    risks = [listed.stages[-1].risk(int(row @ points)) for row in answers]
    assert MODEL.predict_interval(X[:50]).tolist() == [[one.lower, one.upper] for one in risks]


def test_limits_are_those_the_data_can_show_or_those_given() -> None:
    assert MODEL.scoring_list_.policy.chosen_by == "data"
    policy = StoppingPolicy(0.1, 0.8)
    given = ScoringListClassifier(policy=policy).fit(X, Y).scoring_list_
    assert given.policy == policy
    assert build_staircase(given).policy == policy


def test_held_out_cases_validate_the_finished_list_and_nothing_else() -> None:
    model = ScoringListClassifier(held_out=0.25).fit(X, Y)
    listed = model.scoring_list_
    (validation,) = listed.validations
    assert (validation.kind, validation.tally.cases) == ("held-out", 100)
    assert listed.stages[0].risks[0].cases == 300
    assert validation.policy == listed.policy
    other = model.list_under(StoppingPolicy(0.2, 0.7))
    assert other.validations[0].policy == other.policy == StoppingPolicy(0.2, 0.7)


def test_rows_of_one_group_are_never_torn_apart_and_count_for_less() -> None:
    groups = np.repeat(np.arange(80), 5)
    together = np.repeat(X[::5], 5, axis=0), np.repeat(Y[::5], 5)
    listed = ScoringListClassifier(folds=4).fit(*together, groups=groups).scoring_list_
    assert listed.cross_validation.design_effect == pytest.approx(5)
    for fold in listed.cross_validation.folds:
        assert all(pattern.cases % 5 == 0 for pattern in fold.left_out.patterns)
    held = ScoringListClassifier(held_out=0.25, folds=4).fit(*together, groups=groups)
    assert held.scoring_list_.validations[0].tally.cases % 5 == 0
    alone = ScoringListClassifier(folds=4).fit(X, Y, groups=np.arange(len(Y))).scoring_list_
    assert alone.cross_validation.design_effect == 1


@pytest.mark.parametrize(
    ("groups", "message"),
    [([1, 2], "groups has shape"), ([0] * len(Y), "all cases belong to one group")],
)
def test_groups_that_cannot_be(groups, message) -> None:
    with pytest.raises(LearningError, match=message):
        ScoringListClassifier().fit(X, Y, groups=groups)


def test_too_few_cases_to_cross_check_are_labelled_training() -> None:
    y = np.zeros(len(Y), bool)
    y[0] = True
    assert ScoringListClassifier().fit(X, y).scoring_list_.risk_source.origin == "training"


def test_a_calibration_that_is_not_corrected_is_refused() -> None:
    ways = r"'beta' came.*evidence='held-out' or evidence='training'"
    with pytest.raises(LearningError, match=ways):
        ScoringListClassifier(published={"calibration": "beta"}).fit(X, Y)


def test_how_many_lists_ask_a_question() -> None:
    listed = MODEL.scoring_list_
    questions, asked = zip(*times_asked(listed), strict=True)
    assert questions == listed.questions
    assert asked[0] == 10
    assert all(0 <= count <= 10 for count in asked)


def test_nobody_says_of_given_questions_that_a_list_without_the_case_chose_them() -> None:
    model = ScoringListClassifier(fixed=["x0"], max_questions=1, folds=3).fit(X, Y)
    listed = model.list_under(StoppingPolicy(0.3, 0.6))
    assert [question for question, _ in times_asked(listed)] == [*listed.questions[1:]]
    staircase = build_staircase(listed)
    said = " ".join(cross_validation_sentences(staircase, Wording.of(staircase)))
    assert "the given questions were kept" in said
    assert "had not seen it" not in said

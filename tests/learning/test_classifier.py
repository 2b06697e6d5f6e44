import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.special import entr
from sklearn.base import clone
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from scorecard.core.model import Condition, Question, with_positive_points
from tests.learning.tables import by_counts

RNG = np.random.default_rng(7)
X = np.column_stack(
    [RNG.integers(20, 90, 240), np.round(RNG.normal(5, 2, 240), 1), RNG.integers(0, 2, 240)]
).astype(float)
Y = (RNG.random(240) < 1 / (1 + np.exp(-0.06 * (X[:, 0] - 60) - 0.5 * (X[:, 1] - 5)))).astype(int)
FRAME = pd.DataFrame({"age": X[:, 0].astype(int), "crp": X[:, 1], "smoker": X[:, 2] == 1})


def fitted(**options):
    return by_counts(**options).fit(X, Y)


def short(model):
    return [(q.input, str(q.condition), q.points) for q in model.scoring_list_.questions]


def test_the_list_applies_to_every_case_what_the_model_predicts():
    model = by_counts(max_questions=3).fit(FRAME, Y)
    scoring_list = model.scoring_list_
    for row in range(40):
        case = {name: FRAME[name].iloc[row].item() for name in FRAME}
        case = {q.input: case[q.input] for q in scoring_list.questions}
        for stage in range(len(scoring_list.questions) + 1):
            asked = zip(scoring_list.questions[:stage], scoring_list.answers(case), strict=False)
            total = sum(question.points for question, yes in asked if yes)
            table = scoring_list.stages[stage]
            risk = table.risks[table.totals.index(total)]
            one = FRAME.iloc[[row]]
            assert model.totals(one, stage=stage) == [total]
            assert model.predict_proba(one, stage=stage)[0, 1] == risk.probability
            assert model.predict_interval(one, stage=stage).tolist() == [[risk.lower, risk.upper]]


def test_values_of_the_list_are_plain_python():
    scoring_list = fitted(max_questions=3).scoring_list_
    assert "np." not in repr(scoring_list)
    assert all(type(p.cases) is int for p in scoring_list.evidence.patterns)
    assert sum(p.cases for p in scoring_list.evidence.patterns) == 240


def test_names_come_from_the_data_frame_whatever_its_make():
    pandas, polars = (
        by_counts(max_questions=3).fit(frame, Y) for frame in (FRAME, pl.from_pandas(FRAME))
    )
    assert short(pandas) == short(polars)
    assert {q.input for q in pandas.questions_} <= set(FRAME)
    assert [q.points for q in pandas.questions_] == [
        q.points for q in fitted(max_questions=3).questions_
    ]
    assert np.array_equal(pandas.predict(FRAME), polars.predict(pl.from_pandas(FRAME)))


def test_numbers_yes_no_and_categories_become_their_kinds_of_question():
    group = np.where(Y == 1, "high", np.where(RNG.random(240) < 0.5, "low", "none"))
    frame = pd.DataFrame({"group": group})
    assert short(by_counts().fit(frame, Y)) == [("group", "in {'high'}", 1)]
    yes = pd.DataFrame({"smoker": Y == 1})
    assert short(by_counts().fit(yes, Y)) == [("smoker", "yes", 1)]
    age = pd.DataFrame({"age": np.where(Y == 1, 70, 40)})
    assert short(by_counts().fit(age, Y)) == [("age", ">= 60", 1)]


def test_an_input_with_categories_is_asked_once():
    group = RNG.choice(["a", "b", "c", "d"], 240)
    frame = pd.DataFrame({"group": group, "age": X[:, 0]})
    asked = [q.input for q in by_counts(min_gain=None).fit(frame, Y).questions_]
    assert sorted(asked) == ["age", "group"]


def test_any_labels_and_either_of_them_positive():
    words = np.where(Y == 1, "ill", "healthy")
    model, other = (by_counts(positive_label=label).fit(X, words) for label in (None, "healthy"))
    assert list(model.classes_) == ["healthy", "ill"]
    assert model.scoring_list_.base_rate == pytest.approx(Y.mean())
    assert other.scoring_list_.base_rate == pytest.approx(1 - Y.mean())
    assert other.predict_proba(X).sum(axis=1) == pytest.approx(1)
    for one in (model, other):
        assert np.array_equal(
            one.predict(X), one.classes_[(one.decision_function(X) > 0).astype(int)]
        )
        assert one.score(X, words) > 0.7


def test_every_stage_can_be_asked_for():
    model = fitted(max_questions=3)
    assert model.predict_proba(X, stage=0)[:, 1] == pytest.approx(Y.mean())
    assert set(model.totals(X, stage=0)) == {0}
    accuracy = [model.score(X, Y, stage=stage) for stage in range(4)]
    assert accuracy[-1] == model.score(X, Y)
    assert roc_auc_score(Y, model.decision_function(X)) >= roc_auc_score(
        Y, model.decision_function(X, stage=1)
    )


def test_it_clones_pickles_and_searches_over_its_parameters():
    model = fitted(max_questions=2)
    again = pickle.loads(pickle.dumps(model))
    assert again.scoring_list_ == model.scoring_list_
    assert clone(model).get_params() == model.get_params()
    grid = GridSearchCV(by_counts(), {"max_questions": [1, 3]}, scoring="roc_auc", cv=3)
    grid.fit(X, Y)
    first, second = grid.cv_results_["mean_test_score"]
    assert first != second
    pipeline = make_pipeline(StandardScaler(), by_counts(max_questions=2))
    pipeline.set_output(transform="pandas")
    assert cross_val_score(pipeline, FRAME, Y, cv=3).mean() > 0.6


def test_max_questions_points_and_signs():
    assert len(fitted(max_questions=1).questions_) == 1
    assert {q.points for q in fitted(points=(1,)).questions_} == {1}
    assert all(q.points < 0 for q in fitted(points=(-2, -1), positive_points=False).questions_)
    model = by_counts(signs={"crp": "-"}, min_gain=None, positive_points=False).fit(FRAME, Y)
    assert next(q.points for q in model.questions_ if q.input == "crp") < 0
    model = by_counts(signs={"age": "+", "crp": "+", "smoker": "+"}).fit(FRAME, Y)
    assert all(q.points > 0 for q in model.questions_)


def test_negative_points_are_turned_round_once_and_change_no_prediction():
    learned = fitted(points=(-2, -1, 1), calibration="beta", positive_points=False, min_gain=None)
    turned = fitted(points=(-2, -1, 1), calibration="beta", min_gain=None)
    assert any(question.points < 0 for question in learned.questions_)
    assert turned.questions_ == turned.scoring_list_.questions
    assert turned.scoring_list_ == with_positive_points(learned.scoring_list_)
    shift = -sum(min(0, question.points) for question in learned.questions_)
    assert np.array_equal(turned.totals(X), learned.totals(X) + shift)
    assert np.array_equal(turned.predict_proba(X), learned.predict_proba(X))
    assert np.array_equal(turned.decision_function(X), learned.decision_function(X))


def test_an_experts_questions_come_first_as_given():
    expert = Question("smoker", 3, Condition("no"), label="Does not smoke")
    limit = Question("crp", -1, Condition("<", 3.5))
    model = by_counts(fixed=[expert, limit, ("age", 2)], positive_points=False).fit(FRAME, Y)
    assert model.questions_[:2] == (expert, limit)
    assert (model.questions_[2].input, model.questions_[2].points) == ("age", 2)
    expected = 3 * ~FRAME["smoker"] - (FRAME["crp"] < 3.5)
    assert np.array_equal(model.totals(FRAME, stage=2), expected)
    assert by_counts(fixed=["smoker"]).fit(FRAME, Y).questions_[0].input == "smoker"


@pytest.mark.parametrize("calibration", ["isotonic", "beta", "sigmoid"])
def test_losses_are_the_expected_entropy_of_the_risks_the_list_shows(calibration):
    yes_no = np.column_stack([X[:, 0] > 60, X[:, 1] > 5, X[:, 2], X[:, 0] > 75])
    model = by_counts(points=(-1, 1, 2), calibration=calibration, min_gain=None).fit(yes_no, Y)
    for loss, stage in zip(model.losses_, model.scoring_list_.stages, strict=True):
        bits = sum(risk.cases * _bits(risk.probability) for risk in stage.risks)
        assert loss == pytest.approx(bits / len(Y), abs=1e-6)


def _bits(q):
    return float(entr(q) + entr(1 - q)) / np.log(2)


def test_the_calibration_takes_part_in_the_choice_of_questions():
    rng = np.random.default_rng(0)
    values = rng.normal(size=(200, 5))
    ill = rng.random(200) < 1 / (1 + np.exp(1 - values[:, 0] - values[:, 1] ** 2))
    lists = {
        calibration: by_counts(calibration=calibration).fit(values, ill).questions_
        for calibration in ("isotonic", "beta", "sigmoid")
    }
    assert len({lists["isotonic"], lists["beta"], lists["sigmoid"]}) == 3
    ranked = [
        by_counts(calibration=calibration, loss="ranking").fit(values, ill).questions_
        for calibration in ("isotonic", "beta")
    ]
    assert ranked[0] == ranked[1]


def test_answers_are_yes_no_or_unknown():
    holes = X.copy()
    holes[0, 0] = np.nan
    expert = [Question("x0", 2, Condition(">=", 60)), Question("x2", 1, Condition("yes"))]
    model = by_counts(fixed=expert, max_questions=0).fit(holes, Y)
    expected = np.column_stack([holes[:, 0] >= 60, holes[:, 2] == 1]).astype(int)
    expected[0, 0] = -1
    assert np.array_equal(model.answers(holes), expected)
    assert model.fill_values_ == {}
    filled = by_counts(fixed=expert, max_questions=0, missing="mode").fit(holes, Y)
    assert filled.fill_values_["x2"] in (0, 1)
    assert np.all(filled.answers(holes) >= 0)


@pytest.mark.parametrize("cutoffs", ["exact", "bisect", 4])
@pytest.mark.parametrize("binarize", ["in-search", "beforehand"])
@pytest.mark.parametrize("loss", ["entropy", "ranking"])
def test_all_ways_to_choose_cutoffs_learn_something(cutoffs, binarize, loss):
    model = fitted(cutoffs=cutoffs, binarize=binarize, loss=loss, max_questions=2)
    assert roc_auc_score(Y, model.decision_function(X)) > 0.7


def test_quantiles_are_at_most_so_many():
    tried = {fitted(cutoffs=1, fixed=[("x0", s)]).questions_[0].condition.cutoff for s in (1, 2, 3)}
    assert len(tried) == 1
    (cutoff,) = tried
    shares = [np.mean(X[outcome == Y, 0] >= cutoff) for outcome in (0, 1)]
    assert abs(np.mean(shares) - 0.5) < 0.02  # both outcomes count the same


def test_lookahead_lowers_the_sum_of_losses():
    greedy = fitted(max_questions=3, min_gain=None)
    model = fitted(max_questions=3, min_gain=None, lookahead=2)
    assert sum(model.losses_) <= sum(greedy.losses_) + 0.01


def test_rounding_keeps_the_answers_and_off_uses_the_middle():
    rounded, raw = fitted(), fitted(round_cutoffs=False)
    assert np.array_equal(rounded.totals(X), raw.totals(X))
    assert rounded.losses_ == raw.losses_
    assert any(q.condition.cutoff % 1 for q in raw.questions_ if q.input == "x0")


def test_held_out_figures_come_from_other_cases_than_the_questions():
    model = fitted(evidence="held-out", held_out=0.25, random_state=3, max_questions=2)
    scoring_list = model.scoring_list_
    assert scoring_list.risk_source.origin == "held-out"
    assert scoring_list.stages[0].risks[0].cases == 60
    assert (
        fitted(evidence="held-out", held_out=0.25, random_state=3, max_questions=2).scoring_list_
        == scoring_list
    )
    assert (
        fitted(evidence="held-out", held_out=0.25, random_state=4, max_questions=2).scoring_list_
        != scoring_list
    )


def test_equal_weights_change_nothing_and_others_count_as_effective_cases():
    plain = fitted(max_questions=3)
    equal = by_counts(max_questions=3).fit(X, Y, sample_weight=np.full(240, 0.7))
    assert equal.scoring_list_ == plain.scoring_list_
    weights = RNG.random(240)
    model = by_counts(max_questions=3).fit(X, Y, sample_weight=weights)
    kish = weights.sum() ** 2 / (weights @ weights)
    assert model.scoring_list_.stages[0].risks[0].cases == pytest.approx(kish)
    assert model.scoring_list_.base_rate == pytest.approx(np.average(Y, weights=weights))


def test_an_unknown_answer_ends_the_counts_of_a_case_but_not_its_prediction():
    holes = X.copy()
    holes[:30, 0] = np.nan
    model = by_counts(fixed=["x1", "x0"], max_questions=0).fit(holes, Y)
    stages = model.scoring_list_.stages
    assert [sum(r.cases for r in stage.risks) for stage in stages] == [240, 240, 210]
    assert np.isnan(model.totals(holes)[:30]).all()
    both = []
    for value in (0, 200):
        filled = holes[:30].copy()
        filled[:, 0] = value
        both.append(model.predict_proba(filled)[:, 1])
    later = model.answers(holes)[30:]
    share = [np.mean(later[later[:, 0] == first, 1]) for first in (0, 1)]
    weight = np.array(share)[model.answers(holes)[:30, 0]]
    yes, no = both if model.questions_[1].condition.kind == "<" else both[::-1]
    wanted = weight * yes + (1 - weight) * no
    assert model.predict_proba(holes)[:30, 1] == pytest.approx(wanted)
    leaning = model.decision_function(holes)
    assert np.array_equal(leaning > 0, model.predict(holes) == model.classes_[1])
    order = np.argsort(model.predict_proba(holes)[:, 1], kind="stable")
    assert (np.diff(leaning[order]) >= 0).all()
    interval = model.predict_interval(holes)[:30]
    for value in (20, 90):
        filled = holes[:30].copy()
        filled[:, 0] = value
        inner = model.predict_interval(filled)
        assert np.all((interval[:, 0] <= inner[:, 0]) & (inner[:, 1] <= interval[:, 1]))


def test_missing_as_the_mode_as_a_question_or_refused():
    frame = FRAME.assign(age=FRAME["age"].where(Y == 0))
    asked = by_counts(missing="question", max_questions=1).fit(frame, Y)
    assert short(asked) == [("age", "missing", 1)]
    assert asked.score(frame, Y) == 1
    filled = by_counts(missing="mode", max_questions=2).fit(frame, Y)
    assert not np.isnan(filled.totals(frame)).any()
    most_common = frame["age"].mode().min()
    replaced = frame.assign(age=frame["age"].fillna(most_common))
    assert np.array_equal(filled.totals(frame), filled.totals(replaced))
    with pytest.raises(ValueError, match="'age', row"):
        by_counts(missing="refuse").fit(frame, Y)


def test_missing_categories_are_unknown():
    frame = pd.DataFrame({"group": np.where(Y == 1, "a", "b")}, dtype=object)
    frame.iloc[:5] = None
    model = by_counts().fit(frame, Y)
    assert sum(r.cases for r in model.scoring_list_.stages[1].risks) == 235


def test_too_many_patterns_leave_the_evidence_out(monkeypatch, caplog):
    monkeypatch.setattr("scorecard.learning.risks.MAX_PATTERNS", 3)
    model = fitted(max_questions=3)
    assert model.scoring_list_.evidence is None
    assert model.scoring_list_.stages[0].risks[0].cases == 240
    assert "no evidence" in caplog.text


def test_a_risk_that_does_not_rise_has_no_band_and_says_so():
    yes = np.repeat([0.0, 1, 0, 1], [2, 38, 38, 2])[:, None]
    y = np.repeat([1, 1, 0, 0], [2, 38, 38, 2])
    expert = [Question("x0", -1, Condition("yes"))]
    with pytest.warns(UserWarning, match="stage 1.*no band"):
        model = by_counts(fixed=expert).fit(yes, y)
    assert model.scoring_list_.stages[1].risks[0].lower is None
    with pytest.raises(ValueError, match="no band"):
        model.predict_interval(yes)


def test_progress_can_be_watched():
    told = []
    model = by_counts(max_questions=2)
    model.watch(lambda stage, of: told.append((stage, of))).fit(X, Y)
    inputs = X.shape[1]  # each is a part of a question
    assert told[: inputs + 2] == [
        (0, 2),
        *((done / inputs, 2) for done in range(1, inputs + 1)),
        (1, 2),
    ]
    assert told == sorted(told)
    assert told[-1] == (2, 2)
    count = len(told)
    for other in (clone(model), pickle.loads(pickle.dumps(model))):
        other.fit(X, Y)
    assert len(told) == count


def test_a_category_may_occur_among_the_held_out_cases_only() -> None:
    kinds = ["a", "b"] * 30
    outcome = [kind == "a" for kind in kinds]
    for rare in range(0, 60, 7):
        column = [*kinds[:rare], "rare", *kinds[rare + 1 :]]
        model = by_counts(evidence="held-out", held_out=0.5, random_state=0)
        model.fit(pd.DataFrame({"kind": column}), outcome)
        assert model.scoring_list_.questions[0].condition.choices == ("a", "b", "rare")


@pytest.mark.parametrize("calibration", ["isotonic", "sigmoid", "beta"])
def test_the_same_question_is_not_asked_twice(calibration):
    rng = np.random.default_rng(0)
    y = rng.random(400) < 0.4
    x = np.where(rng.random(400) < 0.85, y, ~y)
    copies = np.column_stack([x, x, ~x, x])
    model = by_counts(calibration=calibration)
    assert len(model.fit(copies, y).questions_) == 1

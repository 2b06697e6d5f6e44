"""The verbs of the library: values in, bytes or values out."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.feature_selection import SelectKBest
from sklearn.impute import SimpleImputer
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import FeatureUnion, make_pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    KBinsDiscretizer,
    OneHotEncoder,
    StandardScaler,
)

import scorecard
from scorecard import ScorecardError, ScoringList, ScoringListClassifier, StoppingPolicy
from scorecard.core.fitted import list_of
from tests.lists import TABLE_1

POLICY = StoppingPolicy(0.1, 0.9, by="point", min_cases=0)
CASES = {"f3": [0, 1, None], "f1": [1, 0, None], "f2": [0, 1, 1], "f4": [0, 1, 1]}


def new_cases(kind: Any) -> Any:
    return kind(CASES | {"ill": [0, 1, 1]})


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame])
def test_apply_gives_back_a_frame_of_the_same_kind(kind: Any) -> None:
    found = scorecard.apply(TABLE_1, new_cases(kind), policy=POLICY, prefix="list_")
    assert isinstance(found, kind)
    assert list(found["list_decision"]) == ["rule out", "rule in", "unknown"]
    assert list(found.columns)[:5] == ["f3", "f1", "f2", "f4", "ill"]


def test_apply_keeps_the_index_of_pandas() -> None:
    frame = new_cases(pd.DataFrame).set_axis([7, 3, 5])
    found = scorecard.apply(TABLE_1, frame, policy=POLICY)
    assert list(found.index) == [7, 3, 5]
    assert found["decision"].to_dict() == {7: "rule out", 3: "rule in", 5: "unknown"}


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame])
def test_what_is_exported_agrees_with_the_list(kind: Any, tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("evaluator.py", "card.json", "card.html")]
    files[0].write_bytes(scorecard.export(TABLE_1, "python", policy=POLICY))
    files[1].write_bytes(scorecard.export(TABLE_1, "json", policy=POLICY, language="de"))
    files[2].write_bytes(scorecard.make_card(TABLE_1, "html", policy=POLICY, size="a5"))
    verdicts = scorecard.check(TABLE_1, files, policy=POLICY, table=new_cases(kind))
    assert [one.path.name for one in verdicts if one.agrees] == [file.name for file in files]


def test_the_usual_limits_are_those_of_the_list() -> None:
    from dataclasses import replace

    own = replace(TABLE_1, policy=POLICY)
    assert scorecard.export(own, "json") == scorecard.export(own, "json", policy=POLICY)
    assert scorecard.make_handout(own) == scorecard.make_handout(own, policy=POLICY)


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame])
def test_a_list_is_validated_on_a_data_frame(kind: Any) -> None:
    found = scorecard.evaluate(TABLE_1, new_cases(kind), "ill", policy=POLICY)
    assert (found.cases, found.positives) == (3, 2)
    assert b"<!doctype html>" in scorecard.make_report(found)


def test_a_way_of_learning_is_judged_by_resampling() -> None:
    ages = [20 + 3 * (row % 20) for row in range(60)]
    frame = pl.DataFrame({"age": ages, "ill": [age % 4 == 0 or age > 50 for age in ages]})
    learner = ScoringListClassifier(max_questions=1)
    found = scorecard.evaluate(learner, frame, "ill", splits=2, jobs=1)
    assert len(found.results) == 2
    assert found.stages == 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: scorecard.export(TABLE_1, "cobol"), "'cobol' is no kind of form; expected one of"),
        (lambda: scorecard.make_handout(TABLE_1, "doc"), "'doc' is no kind of handout; expected"),
        (lambda: scorecard.make_card(TABLE_1, "doc"), "'doc' is no kind of card"),
        (lambda: scorecard.evaluate(None, [], "ill"), "NoneType came, expected a ScoringList"),
        (lambda: scorecard.apply(TABLE_1, [1]), "list is neither the path of a table nor a data"),
    ],
)
def test_refusals_are_one_line(call: Any, message: str) -> None:
    with pytest.raises(ScorecardError, match=message) as found:
        call()
    assert "\n" not in str(found.value)


# Whatever has a list -----------------------------------------------------------------------------

RNG = np.random.default_rng(5)
PATIENTS = pd.DataFrame(
    {
        "age": RNG.integers(20, 90, 300),
        "crp": np.round(RNG.normal(5, 2, 300), 1),
        "sex": RNG.choice(["f", "m"], 300),
    }
)
ILL = pd.Series(RNG.random(300) < 1 / (1 + np.exp(-0.1 * (PATIENTS["age"] - 60))), name="ill")
NUMBERS = PATIENTS[["age", "crp"]]


def learner(**options: Any) -> ScoringListClassifier:
    return ScoringListClassifier(max_questions=2, **options)


def encoded() -> Any:
    """A pipeline as one has it: gaps filled, categories in columns of their own."""
    columns = [
        ("sex", OneHotEncoder(sparse_output=False), ["sex"]),
        ("numbers", SimpleImputer(), ["age", "crp"]),
    ]
    return make_pipeline(ColumnTransformer(columns, verbose_feature_names_out=False), learner())


MODELS: dict[str, Any] = {
    "classifier": learner().fit(NUMBERS, ILL),
    "pipeline": make_pipeline(SimpleImputer(), learner()).fit(NUMBERS, ILL),
    "named": make_pipeline(SimpleImputer(), learner()).set_output(transform="pandas"),
    "search": GridSearchCV(learner(), {"max_questions": [1, 2]}, cv=2).fit(NUMBERS, ILL),
    "nothing before": make_pipeline("passthrough", learner()).fit(NUMBERS, ILL),
}
MODELS["named"].fit(NUMBERS, ILL)


@pytest.mark.parametrize("name", MODELS)
def test_every_verb_takes_whatever_has_a_list(name: str, tmp_path: Path) -> None:
    model = MODELS[name]
    own = list_of(model)
    assert {question.input for question in own.questions} <= {"age", "crp"}
    assert scorecard.build_staircase(model) == scorecard.build_staircase(own)
    assert scorecard.make_card(model, "html") == scorecard.make_card(own, "html")
    assert scorecard.make_handout(model) == scorecard.make_handout(own)
    (tmp_path / "evaluator.py").write_bytes(scorecard.export(model, "python"))
    (verdict,) = scorecard.check(model, [tmp_path / "evaluator.py"], table=NUMBERS)
    assert verdict.agrees
    assert scorecard.apply(model, NUMBERS).equals(scorecard.apply(own, NUMBERS))
    judged, listed = scorecard.evaluate(model, NUMBERS, ILL), scorecard.evaluate(own, NUMBERS, ILL)
    assert judged.stages == listed.stages
    assert judged.new.outcome == "ill"


def test_a_pipeline_is_applied_with_its_steps() -> None:
    model = encoded().fit(PATIENTS, ILL)
    gaps = PATIENTS.assign(age=PATIENTS["age"].where(PATIENTS.index % 5 > 0))
    decided = scorecard.apply(model, gaps)
    assert list(decided.columns[:3]) == ["age", "crp", "sex"]
    risks = model.predict_proba(gaps)[:, 1]
    stops = decided["stage"] == len(list_of(model).questions)
    staircase = scorecard.build_staircase(model)
    last = {box.total: box for box in staircase.steps[-1].boxes}
    if staircase.estimate == "all":
        assert decided["probability"][stops].tolist() == risks[stops].tolist()
    totals = model[-1].totals(model[:-1].transform(gaps), stage=len(staircase.questions))
    assert decided["total"][stops].tolist() == totals[stops].tolist()
    assert set(decided["total"][stops]) <= set(last)
    found = scorecard.evaluate(model, gaps.assign(ill=ILL), "ill", by_group="sex")
    assert [one.name for one in found.subgroups] == ["f", "m"]


def test_scaled_values_are_applied_and_judged_but_not_printed() -> None:
    plain, scaled = MODELS["classifier"], make_pipeline(StandardScaler(), learner())
    scaled.fit(NUMBERS, ILL)
    auc = [scorecard.evaluate(one, NUMBERS, ILL).stages[1]["auc"][0] for one in (plain, scaled)]
    assert auc[0] == pytest.approx(auc[1], abs=0.01)
    assert len(scorecard.apply(scaled, NUMBERS)) == 300
    with pytest.raises(ScorecardError, match="StandardScaler changes values under their old names"):
        scorecard.make_card(scaled)
    assert isinstance(scaled[-1].scoring_list_, ScoringList)


@pytest.mark.parametrize(
    "step",
    [
        FunctionTransformer(np.log1p),
        FunctionTransformer(lambda values: values / 7, feature_names_out="one-to-one"),
        KBinsDiscretizer(4, encode="ordinal", quantile_method="averaged_inverted_cdf"),
        ColumnTransformer([("all", StandardScaler(), ["age", "crp"])]),
        FeatureUnion([("scaled", make_pipeline(SimpleImputer(), StandardScaler()))]),
    ],
    ids=lambda step: type(step).__name__,
)
def test_other_values_under_the_old_names_are_not_printed(step: Any) -> None:
    model = make_pipeline(step, learner()).fit(NUMBERS.clip(lower=1), ILL)
    with pytest.raises(ScorecardError, match="changes values under their old names"):
        scorecard.export(model, "json")


@pytest.mark.parametrize(
    "step",
    [
        FunctionTransformer(),
        SelectKBest(k=1),
        ColumnTransformer([("fill", SimpleImputer(), ["age"])], remainder="drop"),
    ],
    ids=lambda step: type(step).__name__,
)
def test_steps_that_leave_values_as_they_are_may_be_there(step: Any) -> None:
    model = make_pipeline(step, learner()).fit(NUMBERS, ILL)
    assert "age" in scorecard.export(model, "json").decode()


def test_arrays_are_named_as_in_the_fit() -> None:
    array = NUMBERS.to_numpy()
    model = learner().fit(array, ILL.to_numpy())
    found = scorecard.evaluate(model, array, ILL.to_numpy())
    assert (
        found.stages[1]["auc"]
        == scorecard.evaluate(model, pd.DataFrame(array, columns=["x0", "x1"]), ILL).stages[1][
            "auc"
        ]
    )


def test_the_positive_class_is_that_of_the_fit() -> None:
    words = np.where(ILL, "case", "none")
    model = learner(positive_label="case").fit(NUMBERS, words)
    found = scorecard.evaluate(model, NUMBERS, words)
    assert (
        found.positives
        == ILL.sum()
        == scorecard.evaluate(model, NUMBERS.assign(what=words), "what").positives
    )
    resampled = scorecard.evaluate(learner(positive_label="case"), NUMBERS, words, splits=2, jobs=1)
    assert resampled.cases.positives == ILL.sum()


def test_outcomes_that_the_fit_did_not_have_are_refused() -> None:
    model = learner().fit(NUMBERS, ILL.astype(bool))
    assert scorecard.evaluate(model, NUMBERS, ILL.astype(int)).positives == ILL.sum()
    for other in (ILL * 2, ILL.map({True: "ill", False: 3})):
        with pytest.raises(ScorecardError, match="True came as the positive one"):
            scorecard.evaluate(model, NUMBERS, other)


def test_the_cases_of_the_fit_are_recognised() -> None:
    model = MODELS["classifier"]
    assert scorecard.evaluate(model, NUMBERS, ILL).same_table
    assert not scorecard.evaluate(model, NUMBERS[:200], ILL[:200]).same_table


def test_outcomes_have_to_fit_the_rows() -> None:
    with pytest.raises(ScorecardError, match="one for each row"):
        scorecard.evaluate(MODELS["classifier"], NUMBERS, ILL[:7])
    with pytest.raises(ScorecardError, match="a column of it"):
        scorecard.evaluate(MODELS["classifier"], "cases.csv", ILL)
    with pytest.raises(ScorecardError, match="read it, and give the data frame"):
        scorecard.evaluate(MODELS["pipeline"], "cases.csv", "ill")


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (learner(), "is not fitted yet; call its fit"),
        (make_pipeline(SimpleImputer(), learner()), "is not fitted yet"),
        (StandardScaler(), "StandardScaler came, expected a ScoringList"),
    ],
)
def test_what_has_no_list_is_refused(model: Any, message: str) -> None:
    with pytest.raises(ScorecardError, match=message):
        scorecard.export(model, "json")


def test_importances_are_the_losses_that_inputs_remove() -> None:
    model = ScoringListClassifier(max_questions=4).fit(NUMBERS, ILL)
    age, crp = model.feature_importances_
    assert age > crp >= 0
    assert age + crp == pytest.approx(model.losses_[0] - model.losses_[-1])
    assert (model.n_features_in_, list(model.feature_names_in_)) == (2, ["age", "crp"])

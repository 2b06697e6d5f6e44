"""Resampled evaluation: nothing leaks, every method gets the same cases, nothing is left blank."""

import json
import re

import numpy as np
import polars as pl
import pytest
from sklearn.linear_model import LogisticRegression

from scorecard.core.model import About
from scorecard.core.policy import StoppingPolicy
from scorecard.errors import LearningError
from scorecard.evaluation.report import report_of
from scorecard.evaluation.resampling import LIST, METHODS, Splitting, Task, logistic_risks
from scorecard.evaluation.result import curve_of, evaluate_table, stability
from scorecard.evaluation.write import evaluation_json
from scorecard.tables.cases import read_cases
from scorecard.tables.labels import Labels
from tests.evaluation import pages
from tests.evaluation.tables import cases

FEW = Splitting(count=6)
# As in the paper: one list for each split, without cross-validation inside it.
METHOD = {"calibration": "isotonic"}
PLAIN = {"evidence": "training", "published": METHOD, "cutoffs": "exact", "repeat_inputs": 1}
PLAIN |= {"min_answers": 0, "max_questions": 3, "random_state": 0}
SETTINGS = PLAIN | {"evidence": "held-out", "held_out": 1 / 3}


@pytest.fixture(scope="module")
def found():
    task = Task(SETTINGS, StoppingPolicy(0.2, 0.8))
    return evaluate_table(cases(400), "ill", task, FEW, n_jobs=1)


def test_every_method_is_judged_on_every_split(found):
    for method in METHODS:
        curve = found.curve(method, "brier")
        assert curve.defined.tolist() == [6] * (found.stages + 1)
        assert np.all((curve.means > 0) & (curve.means < 0.26))


def test_two_processes_find_the_same_as_one():
    task, splitting = Task(SETTINGS, StoppingPolicy(0.2, 0.8)), Splitting(count=2)
    one, two = (evaluate_table(cases(150), "ill", task, splitting, n_jobs=jobs) for jobs in (1, 2))
    for method in METHODS:
        assert np.array_equal(one.values(method, "brier"), two.values(method, "brier"))


def test_before_the_first_question_everybody_has_the_base_rate(found):
    assert np.allclose(found.values(LIST, "auc")[:, 0], 0.5)
    assert np.allclose(found.values("logistic", "brier")[:, 0], 0.25, atol=0.03)


def test_the_shares_of_every_rule_add_up(found):
    for by in found.task.rules:
        ends = found.error_rates(by).ends
        assert ends is not None
        assert sum(ends.shares().values()) == pytest.approx(1)
        assert ends.cases == pytest.approx(found.rounds * 400)


def test_with_permuted_outcomes_auc_is_one_half():
    generator = np.random.default_rng(1)
    frame = pl.DataFrame({f"x{j}": generator.random(120) for j in range(6)})
    frame = frame.with_columns(ill=generator.permutation(np.arange(120) % 3 == 0))
    task = Task(PLAIN, rules=(), methods=(LIST,))
    splitting = Splitting(count=60)
    result = evaluate_table(read_cases(frame, "ill"), "ill", task, splitting, n_jobs=1)
    areas = result.values(LIST, "auc")[:, -1]
    # One sample is permuted once, so the error is that of a test set of all 120 cases.
    error = np.sqrt((120 + 1) / (12 * 40 * 80))
    assert abs(areas.mean() - 0.5) < 2 * error
    assert all(one.questions for one in result.results)  # the search did find something to fit


def test_bands_of_held_out_figures_cover_on_noise():
    covered = []
    for seed in range(30):
        generator = np.random.default_rng(seed)
        frame = pl.DataFrame({f"x{j}": generator.random(200) for j in range(5)})
        frame = frame.with_columns(ill=generator.random(200) < 0.3)
        task = Task({**SETTINGS, "held_out": 0.5, "random_state": seed}, rules=(), methods=(LIST,))
        one = evaluate_table(read_cases(frame, "ill"), "ill", task, Splitting(count=1), n_jobs=1)
        stage = one.scoring_list.stages[-1]
        covered.append(all(risk.lower <= 0.3 <= risk.upper for risk in stage.risks))
    assert np.mean(covered) >= 0.87  # 95 % nominal, less two standard errors of 30 trials


def test_logistic_regression_gets_the_first_questions():
    generator = np.random.default_rng(0)
    train, test = generator.integers(0, 2, (2, 90, 3)).astype(np.int8)
    truth = (train[:, 0] + generator.random(90)) > 0.9
    risks = logistic_risks(train, truth, test)
    assert np.allclose(risks[0], truth.mean())
    direct = LogisticRegression().fit(train[:, :2], truth).predict_proba(test[:, :2])[:, 1]
    assert risks[2] == pytest.approx(direct, abs=1e-3)


def test_a_category_that_the_training_cases_lack_is_unknown():
    frame = cases(60).inputs.with_columns(kind=pl.Series(["rare"] + ["a", "b"] * 29 + ["a"]))
    table = read_cases(frame.with_columns(ill=cases(60).outcome), "ill")
    task = Task({**PLAIN, "max_questions": 4, "published": {**METHOD, "min_gain": None}}, rules=())
    result = evaluate_table(table, "ill", task, FEW, n_jobs=1)
    assert result.failed == ()


def test_a_split_that_cannot_be_learned_from_is_shown_with_its_reason():
    table = cases(60)
    one_case = np.zeros(60)
    one_case[0] = 1
    only = read_cases(
        pl.DataFrame({"x": one_case, "ill": table.outcome}), "ill"
    )  # constant wherever the one case is held out
    result = evaluate_table(
        only, "ill", Task({**PLAIN, "max_questions": 1}, rules=()), FEW, n_jobs=1
    )
    assert 0 < len(result.failed) < 6
    assert "constant" in result.failed[0]
    assert any("could not be learned from" in line for line in report_of(result).warnings)


def test_one_class_only_is_refused():
    table = cases(40)
    few = read_cases(table.inputs.with_columns(ill=pl.Series([True] + [False] * 39)), "ill")
    with pytest.raises(LearningError, match="1 cases have the rarer outcome; 2 are needed"):
        evaluate_table(few, "ill", Task(PLAIN), FEW, n_jobs=1)


def test_undefined_figures_are_a_dash_with_a_reason_and_null_in_json(found):
    from dataclasses import replace

    task = replace(found.task, policy=StoppingPolicy(0.001, 0.999))
    strict = evaluate_table(cases(150), "ill", task, Splitting(count=2), n_jobs=1)
    tables = pages.tables(strict)
    stopping = tables["Stopping: are the limits kept?"]
    assert all("–" in row for row in stopping.rows[1:])
    assert any("nobody stops there" in note for note in stopping.texts["li"])
    everything = [cell for table in tables.values() for row in table.rows for cell in row]
    assert not any("nan" in text.lower() for text in (*everything, *report_of(strict).findings))
    record = json.loads(evaluation_json(strict))
    assert record["stopping"]["group"]["missed"]["value"] is None


def test_where_nobody_stops_it_says_how_few_cases_a_resample_has(found):
    """Of 150 cases two thirds are learned from, and of these half give the figures."""
    from dataclasses import replace

    settings = {**SETTINGS, "held_out": 0.5}
    task = replace(found.task, settings=settings, policy=StoppingPolicy(0.001, 0.999))
    strict = evaluate_table(cases(150), "ill", task, Splitting(count=2), n_jobs=1)
    assert strict.cases_behind == pytest.approx((75, 50), abs=1)
    (line,) = [one for one in report_of(strict).findings if "Nobody is ruled in" in one]
    assert "With about 50 cases behind their figures the lists of the resamples do not" in line
    assert "The list learned from all cases has 75 behind its figures and may" in line


def test_there_is_no_part_of_a_patient(found):
    from dataclasses import replace

    task = replace(found.task, policy=StoppingPolicy(0.4, 0.6, by="point"))
    result = evaluate_table(cases(150), "ill", task, Splitting(count=2), n_jobs=1)
    (line,) = [one for one in report_of(result).findings if "Of those ruled out" in one]
    assert re.search(r"\((about )?[0-9]+ of [0-9]+; ", line)


def test_limits_that_settle_everything_are_told(found):
    from dataclasses import replace

    task = replace(found.task, policy=StoppingPolicy(0.7, 0.9, by="point"))
    settled = evaluate_table(cases(150), "ill", task, Splitting(count=2), n_jobs=1)
    assert settled.error_rates("point").ends is None
    assert "everybody ends with" in settled.error_rates("point").reason
    assert any("could not be applied" in line for line in report_of(settled).findings)


def test_stability_counts_lists(found):
    chosen = {one.input: one for one in stability(found.results)}
    assert chosen["smoker"].share == 1
    assert sum(chosen["smoker"].places.values()) == pytest.approx(1)
    assert chosen["smoker"].cutoffs is None
    low, middle, high = chosen["age"].cutoffs
    assert 40 < low <= middle <= high < 70
    # An input that a list asks for twice counts once.
    assert all(one.share <= 1 for one in chosen.values())
    assert all(sum(one.places.values()) == pytest.approx(one.share) for one in chosen.values())


def test_a_curve_leaves_out_what_is_not_defined():
    curve = curve_of(np.array([[0.1, np.nan], [0.3, np.nan]]))
    assert curve.means[0] == pytest.approx(0.2)
    assert curve.halves[0] == pytest.approx(1.96 * 0.1)
    assert curve.defined.tolist() == [2, 0]
    assert np.isnan(curve.means[1])


@pytest.mark.parametrize("splitting", [Splitting(5), Splitting(2, folds=5)])
def test_splits_are_stratified_and_apart(splitting):
    outcome = np.arange(100) % 5 == 0
    splits = splitting.splits(outcome)
    for split in splits:
        assert not set(split.train) & set(split.test)
        assert outcome[split.test].mean() == pytest.approx(0.2, abs=0.03)
    assert splitting.rounds(100, splits) == pytest.approx(2 if splitting.folds else 5 / 3, abs=0.1)


def test_the_default_procedure_is_resampled_with_limits_of_every_list():
    """Cross-validated lists under the limits that their own data can show, and groups apart."""
    table = cases(300, signal=4.0)
    groups = ["a" if place % 3 else "b" for place in range(300)]
    found = evaluate_table(
        table, "ill", Task({"max_questions": 2}, methods=(LIST,)), Splitting(count=2), n_jobs=1,
        labels=Labels(About(rule_out="stay"), {"age": {"label": "Age in years"}}),
        by_group="ward", groups=groups,
    )  # fmt: skip
    assert found.policy.chosen_by == "data"
    assert all(result.policy.chosen_by == "data" for result in found.results)
    rates = found.error_rates("error-control")
    assert rates.out[1] <= rates.out[0] <= rates.out[2]
    assert {one.name for one in found.subgroups()} == {"a", "b"}
    slopes = [one.line.slope for one in found.subgroups() if one.line]
    assert slopes
    assert all(low < value < high for value, low, high in slopes)
    assert next(iter(pages.strip(found))) == "▼ stay"
    tables = pages.tables(found)
    text = " ".join(cell for one in tables.values() for row in one.rows for cell in row)
    assert "Age in years" in text
    assert "By ward" in tables
    slope = tables["Calibration in three figures"]
    assert re.match(r"[0-9.]+ \([0-9.−]+ to [0-9.]+\)", slope.rows[2][1])


def test_rows_of_one_patient_stay_together():
    outcome = np.arange(90) % 3 == 0
    patients = np.repeat(np.arange(30), 3)
    for splitting in (Splitting(4), Splitting(2, folds=3)):
        for split in splitting.splits(outcome, patients):
            assert not set(patients[split.train]) & set(patients[split.test])

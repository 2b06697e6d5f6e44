"""`PSLDisplay`: what is drawn is what the staircase and the measures say."""

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from scorecard import PSLDisplay, ScorecardError, ScoringListClassifier, build_staircase, evaluate
from scorecard.evaluation.measures import THRESHOLDS
from tests.lists import TABLE_1

mpl.use("Agg")

RNG = np.random.default_rng(3)
CASES = pd.DataFrame({"age": RNG.integers(20, 90, 400), "crp": RNG.normal(5, 2, 400).round(1)})
ILL = RNG.random(400) < 1 / (1 + np.exp(-0.1 * (CASES["age"] - 60) - 0.4 * (CASES["crp"] - 5)))
MODEL = ScoringListClassifier(max_questions=3).fit(CASES[:250], ILL[:250])
NEW = CASES[250:], ILL[250:]


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def texts(axis):
    return [one.get_text() for one in axis.texts]


@pytest.mark.parametrize("model", [MODEL, TABLE_1], ids=["learned", "published"])
def test_every_box_is_drawn_with_its_risk_and_counts(model):
    staircase = build_staircase(model)
    display = PSLDisplay.from_estimator(model)
    assert list(display.axes_) == ["staircase"]
    boxes = [{box.totals: box for box in step.boxes} for step in staircase.steps]
    assert len(display.ax_.patches) == sum(map(len, boxes))
    for row in boxes:
        for box in row.values():
            if box.counts:
                assert f"{box.counts[1]:.0f}/{box.counts[0]:.0f}" in texts(display.ax_)
    labels = [one.get_text() for one in display.ax_.get_yticklabels()]
    assert len(labels) == len(staircase.steps)


def test_with_cases_all_three_are_drawn_of_the_same_figures_as_in_the_report():
    display, found = MODEL.plot(*NEW), evaluate(MODEL, *NEW)
    assert list(display.axes_) == ["staircase", "calibration", "decision curve"]
    curve = display.axes_["decision curve"].lines[0]
    assert np.allclose(curve.get_xdata(), THRESHOLDS)
    assert np.allclose(curve.get_ydata(), [one[0] for one in found.benefits])
    points = display.axes_["calibration"].lines[1]
    risks, truth = found.risks_and_truth
    values = np.unique(risks)
    assert np.allclose(points.get_xdata(), values)
    assert np.allclose(points.get_ydata(), [truth[risks == one].mean() for one in values])
    assert display.figure_ is display.ax_.figure


def test_one_kind_into_axes_of_ones_own():
    _, axis = plt.subplots()
    display = PSLDisplay.from_estimator(MODEL, *NEW, kind="calibration", ax=axis, name="mine")
    assert display.ax_ is axis
    assert "mine" in [one.get_text() for one in axis.get_legend().get_texts()]
    _, both = plt.subplots(1, 2)
    risks = MODEL.predict_proba(NEW[0])[:, 1]
    drawn = PSLDisplay.from_predictions(NEW[1], risks, ax=both)
    assert list(drawn.axes_.values()) == list(both)
    assert drawn.plot("calibration").ax_ is not both[0]


def test_the_cases_of_the_fit_are_named_as_such():
    display = MODEL.plot(CASES[:250], ILL[:250], kind="calibration")
    assert "on the cases it was learned from" in display.name


def test_scaled_values_have_a_calibration_but_no_staircase():
    scaled = make_pipeline(StandardScaler(), ScoringListClassifier(max_questions=2))
    scaled.fit(CASES[:250], ILL[:250])
    drawn = PSLDisplay.from_estimator(scaled, *NEW, kind="calibration")
    assert list(drawn.axes_) == ["calibration"]
    with pytest.raises(ScorecardError, match="changes values under their old names"):
        PSLDisplay.from_estimator(scaled, *NEW)


def test_many_risks_make_ten_points():
    risks = RNG.random(500)
    display = PSLDisplay.from_predictions(risks < RNG.random(500), risks, kind="calibration")
    assert len(display.ax_.lines[1].get_xdata()) == 10


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("calibration", "'calibration' needs cases"),
        ("roc", "'roc' is none of 'staircase'"),
    ],
)
def test_what_cannot_be_drawn_is_refused(kind, message):
    with pytest.raises(ScorecardError, match=message):
        MODEL.plot(kind=kind)

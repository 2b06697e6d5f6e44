"""RQ2 to RQ5: stage-wise figures of the paper's configurations over its random splits."""

import warnings
from dataclasses import dataclass, field

import numpy as np
from sklearn.model_selection import ShuffleSplit

from scorecard.evaluation import measures as figures
from scorecard.evaluation.resampling import logistic_risks
from scorecard.evaluation.result import curve_of
from scorecard.learning.classifier import ScoringListClassifier
from scorecard.learning.learner import RisingRiskWarning
from scorecard.learning.options import PUBLISHED

POINTS = (-3, -2, -1, 1, 2, 3)
MISS_COST = 10
MEASURES = ("brier", "entropy", "auc", "auc_risk", "loss", "loss_upper")


@dataclass(frozen=True)
class Configuration:
    """How lists are learned; `published` are the words of the authors' results for the same.

    `options` and `parts` of the method differ from those of `PUBLISHED`.
    """

    name: str
    options: dict = field(default_factory=dict)
    parts: dict = field(default_factory=dict)
    calibration: str = "isotonic"
    method: str = "bisect"
    clf: str = "psl"
    stage_loss: str = "expected_entropy"
    points: tuple = POINTS

    @property
    def published(self):
        return self.clf, self.method, self.calibration, self.stage_loss


EXACT, BEFOREHAND = {"cutoffs": "exact"}, {"binarize": "beforehand"}
CONFIGURATIONS = (
    Configuration("isotonic, in search, bisect"),
    Configuration("isotonic, in search, exact", EXACT, method="brute"),
    Configuration("isotonic, beforehand, bisect", parts=BEFOREHAND, clf="psl_prebin"),
    Configuration(
        "isotonic, beforehand, exact", EXACT, BEFOREHAND, method="brute", clf="psl_prebin"
    ),
    Configuration(
        "ranking, in search, bisect", parts={"loss": "ranking"}, stage_loss="soft_ranking_loss"
    ),
    Configuration("beta, in search, bisect", calibration="beta"),
    Configuration(
        "beta, beforehand, bisect", parts=BEFOREHAND, calibration="beta", clf="psl_prebin"
    ),
)

POINT_SETS = tuple(
    Configuration(
        "points " + " ".join(f"±{s}" for s in range(1, most + 1)),
        parts=BEFOREHAND,
        points=tuple(s for s in range(-most, most + 1) if s),
    )
    for most in (1, 2, 3)
)


def paper_split(X, number):
    """Rows to learn from and to judge by: the authors' split with this number."""
    return next(ShuffleSplit(1, test_size=0.33, random_state=number).split(X))


def run(X, y, configurations=CONFIGURATIONS, splits=100, progress=None):
    """RiskSource by configuration: split × stage × measure."""
    found = {one.name: [] for one in configurations}
    for number in range(splits):
        train, test = paper_split(X, number)
        for one in configurations:
            found[one.name].append(_figures(one, X[train], y[train], X[test], y[test]))
        if progress:
            progress(number + 1, splits)
    return {name: np.array(values) for name, values in found.items()}


def logistic(X, y, splits=100, penalised=True):
    """Brier scores and losses by split and stage of logistic regression on the list's columns.

    As in the paper the columns are binarised beforehand by the bisect heuristic.
    """
    found = []
    for number in range(splits):
        train, test = paper_split(X, number)
        model = _learned(CONFIGURATIONS[2], X[train], y[train])
        first, second = (model.answers(X[rows]) for rows in (train, test))
        truth = y[test].astype(bool)
        risks = logistic_risks(first, y[train].astype(bool), second, penalised)
        judged = [figures.risk_measures(one, truth, MISS_COST) for one in risks]
        found.append([(one["brier"], one["loss_point"]) for one in judged])
    return np.array(found)


def summary(values):
    """Means and half-widths over the splits: stage × measure."""
    curve = curve_of(values)
    return curve.means, curve.halves


def _figures(configuration, X, y, X_test, y_test):
    """Measures by stage of one list."""
    model, truth = _learned(configuration, X, y), y_test.astype(bool)
    names = "brier", "entropy", "auc", "auc_risk", "loss_point", "loss_upper"
    predictions = figures.stage_predictions(model.scoring_list_, model.answers(X_test))
    judged = [
        figures.risk_measures(one.risks, truth, MISS_COST, one.uppers, one.totals)
        for one in predictions
    ]
    return [tuple(one[name] for name in names) for one in judged]


def _learned(configuration, X, y):
    options = dict(PUBLISHED) | configuration.options
    parts = {"calibration": configuration.calibration, **configuration.parts}
    options |= {"points": configuration.points, "published": PUBLISHED["published"] | parts}
    # Cut-offs in the middle, as the authors' program has them.
    model = ScoringListClassifier(**options, round_cutoffs=False)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RisingRiskWarning)  # the list is judged all the same
        return model.fit(X, y)

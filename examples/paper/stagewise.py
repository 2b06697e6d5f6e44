"""RQ2 to RQ5: stage-wise figures of the paper's configurations over its random splits."""

from dataclasses import dataclass, field

import numpy as np
from sklearn.model_selection import ShuffleSplit

from examples.paper.beta_search import BetaList
from scorecard.evaluation import figures
from scorecard.evaluation.baselines import logistic_risks
from scorecard.evaluation.evaluation import curve_of
from scorecard.learning.bands import band
from scorecard.learning.calibration import calibrate
from scorecard.learning.classifier import ScoringListClassifier

POINTS = (-3, -2, -1, 1, 2, 3)
MISS_COST = 10
MEASURES = ("brier", "entropy", "auc", "auc_risk", "loss", "loss_upper")


@dataclass(frozen=True)
class Configuration:
    """How lists are learned; `published` are the words of the authors' results for the same."""

    name: str
    options: dict = field(default_factory=dict)
    calibration: str = "isotonic"
    method: str = "bisect"
    clf: str = "psl"
    stage_loss: str = "expected_entropy"
    points: tuple = POINTS

    @property
    def published(self):
        return self.clf, self.method, self.calibration, self.stage_loss


BISECT, BEFOREHAND = {"cutoffs": "bisect"}, {"binarize": "beforehand"}
CONFIGURATIONS = (
    Configuration("isotonic, in search, bisect", BISECT),
    Configuration("isotonic, in search, exact", {}, method="brute"),
    Configuration("isotonic, beforehand, bisect", BISECT | BEFOREHAND, clf="psl_prebin"),
    Configuration("isotonic, beforehand, exact", BEFOREHAND, method="brute", clf="psl_prebin"),
    Configuration(
        "ranking, in search, bisect", BISECT | {"loss": "ranking"}, stage_loss="soft_ranking_loss"
    ),
    Configuration("beta, in search, bisect", BISECT, "beta"),
    Configuration("beta, beforehand, bisect", BISECT | BEFOREHAND, "beta", clf="psl_prebin"),
)

POINT_SETS = tuple(
    Configuration(
        "points " + " ".join(f"±{s}" for s in range(1, most + 1)),
        BISECT | BEFOREHAND,
        points=tuple(s for s in range(-most, most + 1) if s),
    )
    for most in (1, 2, 3)
)


def paper_split(X, number):
    """Rows to learn from and to judge by: the authors' split with this number."""
    return next(ShuffleSplit(1, test_size=0.33, random_state=number).split(X))


def run(X, y, configurations=CONFIGURATIONS, splits=100, progress=None):
    """Figures by configuration: split × stage × measure."""
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
        answers = (model._answers(X[rows]) for rows in (train, test))
        first, second = answers
        truth = y[test].astype(bool)
        risks = logistic_risks(first, y[train].astype(bool), second, penalised)
        found.append(
            [
                (figures.brier(one, truth), figures.expected_loss(one, truth, MISS_COST))
                for one in risks
            ]
        )
    return np.array(found)


def summary(values):
    """Means and half-widths over the splits: stage × measure."""
    curve = curve_of(values)
    return curve.means, curve.halves


def _figures(configuration, X, y, X_test, y_test):
    """Measures by stage of one list."""
    if configuration.calibration == "beta":
        beforehand = "binarize" in configuration.options
        chosen = BetaList(X, y, configuration.points, beforehand)
        points = [s for _, _, s in chosen.questions]
        train, test = chosen.totals(X), chosen.totals(X_test)
    else:
        model = _learned(configuration, X, y)
        points = [question.points for question in model.questions_]
        train, test = (_totals(model, rows, points) for rows in (X, X_test))
    truth = y_test.astype(bool)
    return [
        _stage(configuration.calibration, points[:stage], train[stage], y, test[stage], truth)
        for stage in range(len(points) + 1)
    ]


def _learned(configuration, X, y):
    # Cut-offs in the middle and every input asked, as the authors' program does it.
    model = ScoringListClassifier(
        points=configuration.points, min_gain=None, round_cutoffs=False, **configuration.options
    )
    return model.fit(X, y)


def _totals(model, X, points):
    gained = (model._answers(X) > 0) * np.array(points)
    return np.cumsum(np.column_stack((np.zeros(len(X), np.int64), gained)), axis=1).T


def _stage(calibration, points, train, y, test, truth):
    lowest = sum(s for s in points if s < 0)
    highest = sum(s for s in points if s > 0)
    totals = np.arange(lowest, highest + 1)
    possible = _possible(points) - lowest
    cases = np.bincount(train - lowest, minlength=totals.size).astype(float)[possible]
    positives = np.bincount(train - lowest, y, totals.size).astype(float)[possible]
    totals = totals[possible]
    risks = calibrate(calibration, totals, cases, positives)
    bounds = band("paper", cases, positives, risks, 0.5)
    places = np.searchsorted(totals, test)
    risk = risks[places]
    # Where the data contradict a rising risk there is no bound, and nobody is ruled out.
    upper = np.ones(len(test)) if bounds is None else bounds[1][places]
    return (
        figures.brier(risk, truth),
        figures.expected_entropy(risk),
        figures.auc(test, truth),
        figures.auc(risk, truth),
        figures.expected_loss(risk, truth, MISS_COST),
        figures.expected_loss(upper, truth, MISS_COST),
    )


def _possible(points):
    totals = {0}
    for value in points:
        totals |= {total + value for total in totals}
    return np.array(sorted(totals))

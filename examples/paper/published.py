"""Our figures beside the published ones."""

import csv
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from examples.paper.stagewise import CONFIGURATIONS, MEASURES, summary

# The authors' AUC is that of the estimated risks, whose ties lower it.
COLUMNS = {
    "brier": "test_brier",
    "entropy": "test_ent",
    "auc_risk": "test_roc",
    "loss": "test_wloss",
    "loss_upper": "test_conservative_wloss50",
}
POINTS = "(-3, -2, -1, 1, 2, 3)"
ALLOWED = 0.002  # beyond the published 95 % half-width


@dataclass(frozen=True)
class Line:
    """One figure at one stage: ours, theirs, and the half-width of theirs."""

    configuration: str
    measure: str
    stage: int
    ours: float
    theirs: float
    half: float

    @property
    def agrees(self):
        return abs(self.ours - self.theirs) <= self.half + ALLOWED


def read_published(path, dataset, variant=""):
    """The authors' means and half-widths by configuration, measure and stage.

    `variant` is empty for the list, "logreg" or "logreg_unregularized" for the baselines.
    """
    found = {}
    with Path(path).open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if (row["dataset"], row["score_set"], row["clf_variant"]) == (dataset, POINTS, variant):
                key = row["clf"], row["method"], row["calibration"], row["stage_loss"]
                given = {m: c for m, c in COLUMNS.items() if row[f"{c}_mean"]}
                for measure, column in given.items():
                    figures = float(row[f"{column}_mean"]), float(row[f"{column}_ci95"])
                    found[(*key, measure, int(row["stage"]))] = figures
    return found


def beside(results, published):
    """Every figure that was published, with ours."""
    lines = []
    for one in CONFIGURATIONS:
        if one.name not in results:
            continue
        means, _ = summary(results[one.name])
        for measure in COLUMNS:
            ours = means[:, MEASURES.index(measure)]
            for stage, value in enumerate(np.round(ours, 6).tolist()):
                if (*one.published, measure, stage) in published:
                    theirs, half = published[(*one.published, measure, stage)]
                    lines.append(Line(one.name, measure, stage, value, theirs, half))
    return lines

"""What do stops cost? Default lists on left-out thirds: the end of the walk beside all questions.

`python -m tests.benchmarks.walks [SPLITS] [DATA] [ONLY]`: random 2/3–1/3 splits of scikit-learn's
breast cancer, of `ilpd.csv` in the folder DATA where it is there ("-" for no folder), of the six
populations of `decisions` and of the real tables; ONLY those whose name contains this word. The
risk at the end of the walk is that of the box where a case ends; that of all questions is the same
list without stops. A side is broken beyond chance where so many of those who stop there, or more,
would have the other outcome in fewer than a tenth of samples if the limit were their risk.
"""

from __future__ import annotations

import sys
import warnings
from itertools import chain
from pathlib import Path

import numpy as np
from scipy.stats import binom
from sklearn.metrics import log_loss, roc_auc_score
from sklearn.model_selection import train_test_split

from scorecard import ScoringListClassifier, build_staircase
from scorecard.errors import PolicyError
from tests.benchmarks import decisions, real_tables

HEADS = (
    "questions", "asked", "decided", "AUC", "AUC all", "log loss", "log loss all", "slope",
)  # fmt: skip


def clipped(risks):
    return np.clip(risks, 1e-6, 1 - 1e-6)


def ends_of(model, X):
    """Decision, number of questions and risk at the end of each case's walk, and the limits."""
    staircase = build_staircase(model.scoring_list_)
    answers = model.answers(X)
    patterns, places = np.unique(answers, axis=0, return_inverse=True)
    said = {1: True, 0: False, -1: None}
    found = [staircase.decide([said[v] for v in row]) for row in patterns.tolist()]
    places = places.ravel()
    decided = np.array([one.decision for one in found])[places]
    asked = np.array([one.stage for one in found])[places]
    told = np.array([np.nan if one.probability is None else one.probability for one in found])
    # Both ways of an unknown answer, or too few cases for a figure: the estimator's risk there.
    stages = [model.predict_proba(X, stage=k)[:, 1] for k in range(answers.shape[1] + 1)]
    by_stage = np.array(stages)[asked, np.arange(len(X))]
    risks = np.where(np.isnan(told[places]), by_stage, told[places])
    return decided, asked, risks, staircase.policy.limits


def judged(X, y, split, test):
    A, B, a, b = train_test_split(X, y, test_size=test, stratify=y, random_state=split)
    model = ScoringListClassifier().fit(A, a)
    every = clipped(model.predict_proba(B)[:, 1])
    try:
        decided, asked, risks, (low, high) = ends_of(model, B)
    except PolicyError:  # nothing to stop by: all questions are asked
        decided, asked, risks = np.full(len(b), ""), np.full(len(b), len(model.questions_)), every
        low, high = 0.0, 1.0
    out, into = decided == "rule out", decided == "rule in"
    broken = (
        out.any() and binom.sf(b[out].sum() - 1, out.sum(), low) < 0.1,
        into.any() and binom.cdf(b[into].sum(), into.sum(), high) < 0.1,
    )
    slope = decisions.stage_figures([every], b)[2]
    figures = (
        len(model.questions_), asked.mean(), (out | into).mean(),
        roc_auc_score(b, risks), roc_auc_score(b, every),
        log_loss(b, clipped(risks)), log_loss(b, every), slope,
    )  # fmt: skip
    return figures, broken, (out.any(), into.any())


def main(splits=6, folder="-", only=""):
    warnings.simplefilter("ignore")
    made = decisions.tables(None if folder == "-" else Path(folder))
    everything = chain(made, real_tables.tables())
    print(f"{'table':28}" + "".join(f"{head:>13}" for head in HEADS) + "  broken out, in")
    rows, sides, stopping = [], np.zeros(2), np.zeros(2)
    for name, X, y in everything:
        if only not in name:
            continue
        test = 0.5 if name.startswith("clinical") else 1 / 3
        found = [judged(X, y, split, test) for split in range(splits)]
        means = np.mean([figures for figures, *_ in found], axis=0)
        broken = np.sum([one for _, one, _ in found], axis=0)
        stops = np.sum([one for *_, one in found], axis=0)
        rows.append(means)
        sides, stopping = sides + broken, stopping + stops
        print(
            f"{name[:28]:28}" + "".join(f"{one:13.3f}" for one in means)
            + f"  {broken[0]} of {stops[0]}, {broken[1]} of {stops[1]}",
            flush=True,
        )  # fmt: skip
    print(f"{'mean':28}" + "".join(f"{one:13.4f}" for one in np.mean(rows, axis=0)))
    print(f"{'median':28}" + "".join(f"{one:13.4f}" for one in np.median(rows, axis=0)))
    draws = len(rows) * splits
    print(
        f"broken beyond chance: out {sides[0]:.0f}, in {sides[1]:.0f} of {draws} draws"
        f" ({stopping[0]:.0f} and {stopping[1]:.0f} stop anybody)"
    )


if __name__ == "__main__":
    main(*(int(one) if one.isdigit() else one for one in sys.argv[1:]))

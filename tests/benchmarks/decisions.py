"""Who is decided, how often rightly, and how good are the printed risks? On cases not learned from.

`python -m tests.benchmarks.decisions [SPLITS] [DATA] [ONLY]`: random 2/3–1/3 splits of
scikit-learn's breast cancer, of `ilpd.csv` in the folder DATA where it is there, and of populations
like clinical tables; ONLY those whose name contains this word, if it is given.
Decisions are those of lists learned by default for the limits they are judged under, of the first
`DECIDED` splits. Risks are those of lists of six questions, so that means over stages have the
same stages; beside them L2 logistic regression on the same answers, and what version 0.1 did
(isotonic search on two thirds of the cases, figures from the held-out third).
"""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, log_loss, roc_auc_score
from sklearn.model_selection import train_test_split

from scorecard import ScoringListClassifier, StoppingPolicy, build_staircase
from scorecard.errors import PolicyError
from scorecard.learning.options import PUBLISHED

# Three lists each; to tell the risks of methods apart takes more splits than to count decisions.
DECIDED = 40

BEFORE = {
    **PUBLISHED,
    "max_questions": 6,
    "cutoffs": "exact",
    "published": {**PUBLISHED["published"], "min_gain": 0.0},
    "evidence": "held-out",
    "held_out": 1 / 3,
}


def clinical(cases, inputs, base_rate, strength, missing, seed):
    """Numbers on human scales, yes/no findings, correlated; some of it missing."""
    rng = np.random.default_rng(seed)
    shared = rng.normal(size=(cases, 2))
    Z = rng.normal(size=(cases, inputs)) + 0.6 * shared[:, [j % 2 for j in range(inputs)]]
    weights = strength * rng.normal(size=inputs) * (rng.random(inputs) < 0.5) / np.sqrt(inputs / 4)
    odds = Z @ weights + 0.5 * strength * (Z[:, 0] > 0.8)
    odds += np.quantile(np.log(1 / rng.random(cases) - 1) - odds, base_rate)
    y = rng.random(cases) < 1 / (1 + np.exp(-odds))
    X = np.where(np.arange(inputs) % 2, Z > 0.5, (50 + 12 * Z).round()).astype(float)
    X[rng.random(X.shape) < missing] = np.nan
    return X, y


def tables(folder: Path | None):
    cancer = load_breast_cancer()
    yield "breast cancer", cancer.data, cancer.target == 0
    if folder and (folder / "ilpd.csv").exists():
        rows = [line.split(",") for line in (folder / "ilpd.csv").read_text().split()[1:]]
        sex = {"Female": 0.0, "Male": 1.0}
        table = np.array([[sex[c] if c in sex else float(c or "nan") for c in r] for r in rows])
        yield "ILPD", table[:, :-1], table[:, -1] == table[:, -1].max()
    for number, (cases, inputs, base, strength, missing) in enumerate(
        [
            (300, 8, 0.5, 1.0, 0.0), (500, 12, 0.3, 1.6, 0.05), (800, 20, 0.2, 1.0, 0.0),
            (1000, 10, 0.1, 1.2, 0.05), (1500, 30, 0.4, 1.2, 0.02), (3000, 15, 0.15, 1.0, 0.1),
        ]
    ):  # fmt: skip
        X, y = clinical(2 * cases, inputs, base, strength, missing, number)
        yield f"clinical {number + 1}: n={cases} of {inputs}", X, y


def ends_of(staircase, answers):
    said = {1: True, 0: False, -1: None}
    patterns, places = np.unique(answers, axis=0, return_inverse=True)
    found = [staircase.decide([said[v] for v in row]) for row in patterns.tolist()]
    return (
        np.array([one.decision for one in found])[places.ravel()],
        np.array([one.stage for one in found])[places.ravel()],
    )


class Decided:
    """Pooled over splits: share decided, misses, false alarms, questions; broken limits."""

    def __init__(self):
        self.counts, self.broken, self.shares, self.sizes = np.zeros(6), [0, 0], [], []

    def learn(self, policy, A, a, B, b):
        model = ScoringListClassifier(policy=policy).fit(A, a)
        self.sizes.append(len(model.questions_))
        try:
            self.add(build_staircase(model.scoring_list_), model.answers(B), b)
        except PolicyError:
            self.shares.append(0.0)
            self.counts[0] += len(b)

    def add(self, staircase, answers, y):
        ends, stages = ends_of(staircase, answers)
        out, into = ends == "rule out", ends == "rule in"
        self.counts += (len(y), out.sum(), y[out].sum(), into.sum(), (~y[into]).sum(), stages.sum())
        self.shares.append((out | into).mean())
        low, high = staircase.policy.limits
        self.broken[0] += bool(out.any() and y[out].mean() > low)
        self.broken[1] += bool(into.any() and y[into].mean() < high)

    def line(self):
        n, out, missed, into, false, asked = self.counts
        share = np.array(self.shares)
        return (
            f"decided {(out + into) / n:.2f} (in {np.mean(share >= 0.2):.0%} of splits a fifth or"
            f" more) after {asked / n:.1f} of {np.mean(self.sizes):.1f} questions;"
            f" missed {missed / max(out, 1):.3f} of {out / n:.2f},"
            f" false {false / max(into, 1):.3f} of {into / n:.2f};"
            f" test rate beyond the limit: out {self.broken[0]}, in {self.broken[1]}"
            f" of {len(share)}"
        )


def stage_figures(chances, y):
    """Mean over stages: Brier, log loss; calibration slope of the last stage."""
    clipped = [np.clip(one, 1e-6, 1 - 1e-6) for one in chances]
    last = np.log(clipped[-1] / (1 - clipped[-1]))[:, None]
    slope = LogisticRegression(C=1e6).fit(last, y).coef_[0, 0] if np.ptp(last) > 0 else np.nan
    return (
        np.mean([brier_score_loss(y, one) for one in clipped]),
        np.mean([log_loss(y, one) for one in clipped]),
        slope,
        roc_auc_score(y, clipped[-1]),
        log_loss(y, clipped[-1]),
    )


def regression(model, X, y, X_test):
    """L2 logistic regression on the first k answers, for every stage; unknown as the majority."""
    train, test = (np.where(a < 0, np.nan, a) for a in (model.answers(X), model.answers(X_test)))
    mode = np.nan_to_num(np.round(np.nanmean(train, axis=0)))
    train, test = (np.where(np.isnan(a), mode, a) for a in (train, test))
    yield np.full(len(test), y.mean())
    for k in range(1, train.shape[1] + 1):
        yield LogisticRegression().fit(train[:, :k], y).predict_proba(test[:, :k])[:, 1]


def main(splits=10, folder=None, only=""):
    warnings.simplefilter("ignore")
    for name, X, y in tables(Path(folder) if folder else None):
        if only not in name:
            continue
        test = 0.5 if name.startswith("clinical") else 1 / 3
        own, at_5, by_base = Decided(), Decided(), Decided()
        figures: dict[str, list] = {"list": [], "regression": [], "0.1": []}
        for split in range(splits):
            A, B, a, b = train_test_split(X, y, test_size=test, stratify=y, random_state=split)
            base = a.mean()
            for kept, policy in (
                (own, None),
                (at_5, StoppingPolicy(0.05, 0.95)),
                (by_base, StoppingPolicy(0.35 * base, 1 - 0.35 * (1 - base))),
            ):
                if split < DECIDED:
                    kept.learn(policy, A, a, B, b)
            model = ScoringListClassifier(max_questions=6).fit(A, a)
            stages = range(len(model.questions_) + 1)
            figures["list"].append(
                stage_figures([model.predict_proba(B, stage=k)[:, 1] for k in stages], b)
            )
            figures["regression"].append(stage_figures(list(regression(model, A, a, B)), b))
            old = ScoringListClassifier(**BEFORE, random_state=split).fit(A, a)
            stages = range(len(old.questions_) + 1)
            figures["0.1"].append(
                stage_figures([old.predict_proba(B, stage=k)[:, 1] for k in stages], b)
            )
        print(f"{name}: {splits} splits")
        print(f"  limits from the data: {own.line()}")
        print(f"  5 % and 95 %:         {at_5.line()}")
        print(f"  0.35 × base rate:     {by_base.line()}")
        for method, rows in figures.items():
            brier, loss, slope, auc, last = np.nanmean(rows, axis=0)
            print(
                f"  {method:10} Brier {brier:.4f}  log loss {loss:.4f} (mean over stages)  slope"
                f" {slope:.2f}  AUC {auc:.4f}  log loss {last:.4f} (last stage)",
                flush=True,
            )


if __name__ == "__main__":
    main(*(int(one) if one.isdigit() else one for one in sys.argv[1:]))

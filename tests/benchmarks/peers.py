"""The learner beside other makers of short integer scores, at most six questions each.

`python -m tests.benchmarks.peers [SPLITS] [DATA] [ONLY …]`: the same random splits of the tables of
`decisions` and the real ones (of those whose name contains an ONLY, if any is given) for
`ScoringListClassifier` with six questions and with as many as it chooses, what version 0.1 did,
FasterRisk 0.1.10 and imodels' FastRiskScore. The
peers have environments of their own under .venv-bench, made once; FasterRisk needs Python 3.10
(PEER_PYTHON names its interpreter where `python3.10` does not). All splits of a table go to a peer
at once: imodels compiles itself first, which takes minutes the first time (the result is kept) and
looks as if it would not end, and gets TIME_LIMIT seconds for each model after that.

FasterRisk takes yes/no columns only: like imodels it gets eight quantiles of each column, cut on
the training cases, and missing values filled with the median.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import warnings
from itertools import chain
from pathlib import Path

import numpy as np
from sklearn.metrics import log_loss, roc_auc_score
from sklearn.model_selection import train_test_split

from scorecard import ScoringListClassifier
from tests.benchmarks import real_tables
from tests.benchmarks.decisions import BEFORE, tables

ROOT = Path(__file__).resolve().parents[2]
MOST_QUESTIONS = 6
QUANTILES = 8

TIME_LIMIT = 20

EVERY_SPLIT = """
import json, sys
import numpy as np
data = np.load(sys.argv[1])
k, limit = int(sys.argv[2]), float(sys.argv[3])
splits = [[data[f"{part}{n}"] for part in "AaB"] for n in range(len(data.files) // 3)]
print(json.dumps([np.asarray(risks(*one), float).tolist() for one in splits]))
"""

FASTERRISK = """
from fasterrisk.fasterrisk import RiskScoreOptimizer, RiskScoreClassifier

def risks(A, a, B):
    optimizer = RiskScoreOptimizer(X=A, y=2 * a - 1.0, k=k)
    optimizer.optimize()
    multiplier, intercept, coefficients = optimizer.get_models(model_index=0)
    return RiskScoreClassifier(multiplier, intercept, coefficients).predict_prob(B)
"""

IMODELS = """
from imodels import FastRiskScoreClassifier

def risks(A, a, B):
    model = FastRiskScoreClassifier(k=k, time_limit=limit).fit(A, a.astype(int))
    return model.predict_proba(B)[:, 1]
"""

PEERS = {
    "FasterRisk": (["fasterrisk==0.1.10"], "python3.10", FASTERRISK),
    "imodels": (["imodels==3.0.4", "numba", "six"], sys.executable, IMODELS),
}


def environment(name):
    """The interpreter of a peer, with the peer installed."""
    packages, python, _ = PEERS[name]
    folder = ROOT / ".venv-bench" / name.lower()
    if not (folder / "ready").exists():
        interpreter = os.environ.get("PEER_PYTHON", python) if name == "FasterRisk" else python
        subprocess.run([interpreter, "-m", "venv", folder], check=True)
        subprocess.run([folder / "bin" / "pip", "install", "-q", *packages], check=True)
        (folder / "ready").touch()
    return folder / "bin" / "python"


def peer(name, splits):
    """Risks of the cases B from a model of A, for every split A, a, B."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "data.npz")
        numbered = {
            f"{part}{n}": values
            for n, split in enumerate(splits)
            for part, values in zip("AaB", split, strict=True)
        }
        np.savez(file, **numbered)
        command = [environment(name), "-c", PEERS[name][2] + EVERY_SPLIT, file]
        command += [str(MOST_QUESTIONS), str(TIME_LIMIT)]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
    return [np.array(one) for one in json.loads(done.stdout.splitlines()[-1])]


def binarized(A, B):
    """Columns "at least this quantile"; cut-offs and fillings from A alone."""
    middle = np.nanmedian(A, axis=0)
    A, B = (np.where(np.isnan(X), middle, X) for X in (A, B))
    shares = np.arange(1, QUANTILES + 1) / (QUANTILES + 1)
    pairs = [(j, cut) for j in range(A.shape[1]) for cut in np.unique(np.quantile(A[:, j], shares))]
    pairs = [(j, cut) for j, cut in pairs if 0 < np.mean(A[:, j] >= cut) < 1]
    return tuple(
        np.column_stack([X[:, j] >= cut for j, cut in pairs]).astype(float) for X in (A, B)
    )


def risks(splits):
    """By method the risks of B in every split A, a, B."""
    listed = {
        "six questions": {"max_questions": MOST_QUESTIONS},
        "as it chooses": {},
        "0.1": BEFORE,
    }
    for name, options in listed.items():
        yield (
            name,
            [
                ScoringListClassifier(**options).fit(A, a).predict_proba(B)[:, 1]
                for A, a, B in splits
            ],
        )
    columns = [(*binarized(A, B), a) for A, a, B in splits]
    for name in PEERS:
        yield name, peer(name, [(A, a, B) for A, B, a in columns])


def main(splits=20, folder=None, *only):
    warnings.simplefilter("ignore")
    everything: dict[str, list] = {}
    for name, X, y in chain(tables(Path(folder) if folder else None), real_tables.tables()):
        if only and not any(one in name for one in only):
            continue
        test = 0.5 if name.startswith("clinical") else 1 / 3
        parts = [
            train_test_split(X, y, test_size=test, stratify=y, random_state=split)
            for split in range(splits)
        ]
        for method, found in risks([(A, a, B) for A, B, a, _ in parts]):
            rows = []
            for chances, (*_, b) in zip(found, parts, strict=True):
                clipped = np.clip(chances, 1e-6, 1 - 1e-6)
                rows.append((roc_auc_score(b, clipped), log_loss(b, clipped)))
            everything.setdefault(method, []).append(np.mean(rows, axis=0))
            auc, loss = everything[method][-1]
            print(f"{name:28} {method:14} AUC {auc:.4f}  log loss {loss:.4f}", flush=True)
    for method, means in everything.items():
        auc, loss = np.mean(means, axis=0)
        print(f"{'mean over sets':28} {method:14} AUC {auc:.4f}  log loss {loss:.4f}")


if __name__ == "__main__":
    main(*(int(one) if one.isdigit() else one for one in sys.argv[1:]))

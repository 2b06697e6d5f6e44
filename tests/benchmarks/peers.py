"""The learner beside other makers of short integer scores, at most six questions each.

`python -m tests.benchmarks.peers [SPLITS] [DATA]`: the same random splits for the default of
`ScoringListClassifier`, what version 0.1 did, FasterRisk 0.1.10 and imodels' FastRiskScore. The
peers have environments of their own under .venv-bench, made once; FasterRisk needs Python 3.10
(PEER_PYTHON names its interpreter where `python3.10` does not).

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
from pathlib import Path

import numpy as np
from sklearn.metrics import log_loss, roc_auc_score
from sklearn.model_selection import train_test_split

from scorecard import ScoringListClassifier
from tests.benchmarks.decisions import BEFORE, tables

ROOT = Path(__file__).resolve().parents[2]
MOST_QUESTIONS = 6
QUANTILES = 8

FASTERRISK = """
import json, sys
import numpy as np
from fasterrisk.fasterrisk import RiskScoreOptimizer, RiskScoreClassifier
data = np.load(sys.argv[1])
A, a, B = data["A"], 2 * data["a"] - 1.0, data["B"]
optimizer = RiskScoreOptimizer(X=A, y=a, k=int(sys.argv[2]))
optimizer.optimize()
multiplier, intercept, coefficients = optimizer.get_models(model_index=0)
model = RiskScoreClassifier(multiplier, intercept, coefficients)
print(json.dumps(np.asarray(model.predict_prob(B), float).tolist()))
"""

IMODELS = """
import json, sys
import numpy as np
from imodels import FastRiskScoreClassifier
data = np.load(sys.argv[1])
model = FastRiskScoreClassifier(k=int(sys.argv[2])).fit(data["A"], data["a"].astype(int))
print(json.dumps(np.asarray(model.predict_proba(data["B"]))[:, 1].astype(float).tolist()))
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


def peer(name, A, a, B):
    """Risks of the cases B from a model of A."""
    with tempfile.TemporaryDirectory() as folder:
        np.savez(Path(folder, "data.npz"), A=A, a=a, B=B)
        command = [environment(name), "-c", PEERS[name][2], Path(folder, "data.npz")]
        done = subprocess.run(
            [*command, str(MOST_QUESTIONS)], check=True, capture_output=True, text=True
        )
    return np.array(json.loads(done.stdout.splitlines()[-1]))


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


def risks(A, a, B, split):
    """Risks of B by every method."""
    yield "scorecard", ScoringListClassifier().fit(A, a).predict_proba(B)[:, 1]
    before = ScoringListClassifier(**BEFORE, random_state=split)
    yield "0.1", before.fit(A, a).predict_proba(B)[:, 1]
    columns = binarized(A, B)
    for name in PEERS:
        yield name, peer(name, columns[0], a, columns[1])


def main(splits=20, folder=None):
    warnings.simplefilter("ignore")
    everything: dict[str, list] = {}
    for name, X, y in tables(Path(folder) if folder else None):
        found: dict[str, list] = {}
        for split in range(splits):
            test = 0.5 if name.startswith("clinical") else 1 / 3
            A, B, a, b = train_test_split(X, y, test_size=test, stratify=y, random_state=split)
            for method, chances in risks(A, a, B, split):
                clipped = np.clip(chances, 1e-6, 1 - 1e-6)
                figures = roc_auc_score(b, clipped), log_loss(b, clipped)
                found.setdefault(method, []).append(figures)
        for method, rows in found.items():
            everything.setdefault(method, []).append(np.mean(rows, axis=0))
            auc, loss = everything[method][-1]
            print(f"{name:28} {method:12} AUC {auc:.4f}  log loss {loss:.4f}", flush=True)
    for method, rows in everything.items():
        auc, loss = np.mean(rows, axis=0)
        print(f"{'mean over sets':28} {method:12} AUC {auc:.4f}  log loss {loss:.4f}")


if __name__ == "__main__":
    main(*(int(one) if one.isdigit() else one for one in sys.argv[1:]))

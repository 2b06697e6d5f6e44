"""What waits for what, as ratios in one run: commands beside Python, learning beside its peers.

`python -m tests.benchmarks.speed [TABLE.csv OUTCOME POSITIVE]`: CPU seconds, medians of five, of
every command on the samples in `output/`, beside `python -c pass` and a bare page of WeasyPrint;
then of `fit` on breast cancer, or on the table, in a process of its own beside scikit-learn's
`LogisticRegressionCV`, optbinning's scorecard, FasterRisk, and scikit-psl's search for the plain
exact list of the paper. The peers have environments of their own under .venv-bench, made once;
FasterRisk needs Python 3.10 (`python3.10`, or PEER_PYTHON).
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from tests.benchmarks.peers import PEERS, ROOT, environment

RUNS = 5
SCORECARD = [sys.executable, "-m", "scorecard"]
PAGE = "import weasyprint; weasyprint.HTML(string='<p>x').write_pdf()"

# Each reads X and y, and says for how long it computed.
LEARNING = """
import sys, time
import numpy as np
data = np.load(sys.argv[1])
X, y = data["X"], data["y"]
{imports}
def learn():
    {learn}
learn()
spent = []
for _ in range({runs}):
    start = time.process_time()
    learn()
    spent.append(time.process_time() - start)
print(sorted(spent)[len(spent) // 2])
"""
HERE = {
    "scorecard, default": (
        "from scorecard import ScoringListClassifier",
        "ScoringListClassifier().fit(X, y)",
    ),
    "LogisticRegressionCV": (
        "from sklearn.linear_model import LogisticRegressionCV\n"
        "from sklearn.preprocessing import StandardScaler\nX = StandardScaler().fit_transform(X)",
        "LogisticRegressionCV(max_iter=1000).fit(X, y)",
    ),
    "scorecard, plain exact list": (
        "from scorecard import ScoringListClassifier\n"
        "from scorecard.learning.options import PUBLISHED\n"
        "settings = {**PUBLISHED, 'cutoffs': 'exact'}",
        "ScoringListClassifier(**settings).fit(X, y)",
    ),
}
SLOW = {"scikit-psl"}  # minutes: learned once, without a run before it
ELSEWHERE = {
    "optbinning": (
        ["optbinning==1.0.0"],
        sys.executable,
        "import pandas as pd\nfrom optbinning import BinningProcess, Scorecard\n"
        "from sklearn.linear_model import LogisticRegression\n"
        "names = [f'x{j}' for j in range(X.shape[1])]\nframe = pd.DataFrame(X, columns=names)",
        "Scorecard(BinningProcess(names), LogisticRegression()).fit(frame, y)",
    ),
    "FasterRisk": (
        ["fasterrisk==0.1.10"],
        "python3.10",
        "from fasterrisk.fasterrisk import RiskScoreOptimizer\n"
        "cuts = [(j, c) for j in range(X.shape[1])"
        " for c in np.unique(np.quantile(X[:, j], np.arange(1, 9) / 9))]\n"
        "B = np.column_stack([X[:, j] >= c for j, c in cuts]).astype(float)",
        "RiskScoreOptimizer(X=B, y=2.0 * y - 1, k=6).optimize()",
    ),
    "scikit-psl": (
        ["scikit-psl==0.7.2"],
        sys.executable,
        "from skpsl import ProbabilisticScoringList",
        "ProbabilisticScoringList({-3, -2, -1, 1, 2, 3}).fit(X, y)",
    ),
}


def main() -> None:
    commands()
    learning(sys.argv[1:])


def commands() -> None:
    plain = spent([sys.executable, "-c", "pass"])
    told("python -c pass", plain, plain)
    told("one page of WeasyPrint", spent([sys.executable, "-c", PAGE]), plain)
    sample = str(ROOT / "output" / "model.json")
    with tempfile.TemporaryDirectory() as folder:
        there = Path(folder)
        for name, words in {
            "fit --help": ["fit", "--help"],
            "show": ["show", sample],
            "export --to json": ["export", sample, "--to", "json", "-o", there / "card.json"],
            "card, PDF": ["card", sample, "-o", there / "card.pdf"],
            "card, HTML": ["card", sample, "-o", there / "card.html"],
            "check of the samples": ["check", sample, *samples()],
        }.items():
            told(name, spent([*SCORECARD, *map(str, words)]), plain)


def samples() -> list[str]:
    kinds = (".pdf", ".py", ".mjs", ".sql", ".xlsx")
    found = [one for one in (ROOT / "output").iterdir() if one.suffix in kinds]
    return [str(ROOT / "output" / name) for name in ("card.json", "handout.html")] + [
        *map(str, found)
    ]


def learning(table: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder, "data.npz")
        write_cases(data, table)
        own: dict[str, float] = {}
        for name, (imports, learn) in HERE.items():
            own[name] = learned(sys.executable, data, imports, learn)
            told(name, own[name], own["scorecard, default"])
        for name, (packages, python, imports, learn) in ELSEWHERE.items():
            PEERS[name] = (packages, python, "")
            try:
                there = learned(environment(name), data, imports, learn, name in SLOW)
            except (subprocess.CalledProcessError, OSError) as error:
                print(f"{name:<30} not run: {str(error)[:100]}")
                continue
            beside = "scorecard, plain exact list" if name in SLOW else "scorecard, default"
            told(name, there, own[beside])


def write_cases(file: Path, table: list[str]) -> None:
    import numpy as np
    from sklearn.datasets import load_breast_cancer

    if table:
        import pandas as pd

        frame = pd.read_csv(table[0]).dropna()
        said = [f"{one:g}" if isinstance(one, float) else str(one) for one in frame.pop(table[1])]
        y = (np.array(said) == table[2]).astype(int)
        X = pd.get_dummies(frame, drop_first=True).to_numpy(dtype=float)
    else:
        X, y = load_breast_cancer(return_X_y=True)
    np.savez(file, X=X, y=y)


def learned(python: str | Path, data: Path, imports: str, learn: str, once: bool = False) -> float:
    code = LEARNING.format(imports=imports, learn=learn, runs=1 if once else RUNS)
    if once:
        code = code.replace("\nlearn()\n", "\n", 1)
    done = subprocess.run(
        [python, "-c", code, data],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT) if python == sys.executable else ""},
    )
    return float(done.stdout.splitlines()[-1])


def spent(command: list[str]) -> float:
    """Its CPU seconds; the median of all runs."""
    found = []
    for _ in range(RUNS):
        # In microseconds; `os.times` counts in ticks, of which `python -c pass` has hardly one.
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        found.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return median(found)


def told(name: str, seconds: float, unit: float) -> None:
    print(f"{name:<30} {seconds:9.3f} s  {seconds / max(unit, 1e-9):9.1f} ×", flush=True)


if __name__ == "__main__":
    main()

"""The learner against scikit-psl 0.7.2, and how its cost grows.

scikit-psl needs numpy < 2, so it runs in an environment of its own (under .venv-bench, made once).
Both fit the same cases in the same run; CPU seconds are compared, training entropies stand side by
side.

    python -m tests.benchmarks.learner [--quick]      (--quick: without scikit-psl and the million)
"""

import itertools
import json
import resource
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

import numpy as np
from sklearn.datasets import load_breast_cancer

from scorecard.learning.classifier import ScoringListClassifier
from scorecard.learning.options import PUBLISHED

ROOT = Path(__file__).resolve().parents[2]
BENCH = ROOT / ".venv-bench" / "scikit-psl"
PEER = "scikit-psl==0.7.2"
MODULE = "tests.benchmarks.learner"

# one search over all cut-offs, every case in it, as the paper learns a list
ALL_QUESTIONS = {**PUBLISHED, "cutoffs": "exact"}
ONE_SEARCH = {**ALL_QUESTIONS, "published": {**PUBLISHED["published"], "min_gain": 0.0}}

PEER_SCRIPT = """
import json, sys, time, warnings
warnings.filterwarnings("ignore")
import numpy as np
from skpsl import ProbabilisticScoringList
data = np.load(sys.argv[1])
start = time.process_time()
model = ProbabilisticScoringList({-3, -2, -1, 1, 2, 3}).fit(data["X"], data["y"])
cpu = time.process_time() - start
losses = [float(stage.score(data["X"], data["y"])) for stage in model.stage_clfs]
print(json.dumps({"cpu": cpu, "losses": losses}))
"""


def tables():
    ilpd = ROOT.parent / "shared" / "data" / "ilpd.csv"
    if ilpd.exists():
        data = np.loadtxt(ilpd, delimiter=",", skiprows=1)
        yield "ILPD", data[:, :-1], data[:, -1].astype(int)
    else:
        print(f"ILPD is left out: {ilpd.name} is not at hand")
    X, y = load_breast_cancer(return_X_y=True)
    yield "breast cancer", X, 1 - y


def peer(X, y):
    python = BENCH / "bin" / "python"
    if not python.exists():
        venv.create(BENCH, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "-q", PEER], check=True)
    with tempfile.TemporaryDirectory() as folder:
        np.savez(Path(folder, "data.npz"), X=X, y=y)
        command = [python, "-c", PEER_SCRIPT, Path(folder, "data.npz")]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def cpu(X, y, repeats=1, **options):
    """Least CPU seconds of so many fits, the same with the list as a value, and the last model."""
    seconds = np.empty((repeats, 2))
    for row in seconds:
        start = time.process_time()
        model = ScoringListClassifier(**options).fit(X, y)
        row[0] = time.process_time() - start
        assert model.scoring_list_.questions == model.questions_
        row[1] = time.process_time() - start
    return *seconds.min(axis=0).tolist(), model


def against_peer():
    print(f"{'':16}{'rows':>6}{'inputs':>8}{PEER + ' bisect':>26}", end="")
    print(f"{'exact fit':>12}{'ratio':>7}{'and list':>12}{'ratio':>7}")
    for name, X, y in tables():
        theirs = peer(X, y)
        *ours, model = cpu(X, y, 21, **ALL_QUESTIONS)
        print(f"{name:16}{len(X):6}{X.shape[1]:8}{theirs['cpu']:24.2f} s", end="")
        for seconds in ours:
            print(f"{seconds * 1e3:9.2f} ms{theirs['cpu'] / seconds:7.0f}", end="")
        print()
        print("  entropy by stage, theirs and ours:")
        for stage, pair in enumerate(zip(theirs["losses"], model.losses_, strict=True)):
            if stage <= 10 or stage == len(model.losses_) - 1:
                print("    {:2} {:.6f} {:.6f}".format(stage, *pair))


def synthetic(rows, inputs, informative=0.5):
    """Continuous inputs, of which this share has to do with the outcome."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(rows, inputs))
    weights = np.where(np.arange(inputs) < inputs * informative, np.linspace(1.5, 0.1, inputs), 0)
    return X, (rng.random(rows) < 1 / (1 + np.exp(1 - X @ weights))).astype(int)


def growth():
    def line(what, value, repeats=3, X=None, y=None, **options):
        seconds = cpu(X, y, repeats, **ONE_SEARCH | options)[0]
        print(f"  {what} {value!s:>12}: {seconds:8.3f} s")

    print("growth with rows (10 inputs, 5 questions)")
    for rows in (1_000, 10_000, 100_000):
        line("rows", rows, 2, *synthetic(rows, 10), max_questions=5)
    print("growth with inputs (5,000 rows, 5 questions)")
    for inputs in (5, 20, 80):
        line("inputs", inputs, 2, *synthetic(5_000, inputs), max_questions=5)
    print("growth with points (5,000 rows, 10 inputs, 5 questions)")
    for most in (1, 3, 9):
        points = [s for s in range(-most, most + 1) if s]
        line("points ±", most, 2, *synthetic(5_000, 10), max_questions=5, points=points)
    print("growth with stages (5,000 rows, 20 inputs)")
    for stages in (5, 10, 20):
        line(
            "stages",
            stages,
            2,
            *synthetic(5_000, 20),
            max_questions=stages,
            published=PUBLISHED["published"],
        )


def million(informative, **options):
    X, y = synthetic(1_000_000, 20, informative)
    cpu(*synthetic(1_000, 3), **options)  # imported
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    fit, with_list, model = cpu(X, y, **options)
    above = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    noise = f"{1 - informative:.0%} of the inputs noise, {len(model.questions_)} questions"
    how = "one exact search" if options else "options as they are"
    print(f"1,000,000 × 20, {how}, {noise}: {fit:.1f} s CPU, {with_list:.1f} s with the list,")
    print(f"  peak {above:.0f} MB above the data ({X.nbytes / 2**20:.0f} MB)", flush=True)


def calibrations():
    """What it costs to search by the entropy of other estimates (5,000 rows, 10 inputs)."""
    print("growth with the calibration (5,000 rows, 10 inputs, 5 questions)")
    for calibration in ("isotonic", "sigmoid", "beta"):
        method = {**ONE_SEARCH["published"], "calibration": calibration}
        options = ONE_SEARCH | {"published": method, "max_questions": 5}
        print(f"  {calibration:>20}: {cpu(*synthetic(5_000, 10), 2, **options)[0]:8.3f} s")


def against_one_search(repeats=12):
    """What a user waits for who says nothing, beside one search as the paper learns a list.

    A case is left out each time: what was found for equal lists is remembered, and would be read.
    """
    print("options as they are, as a multiple of one exact isotonic fit (least and median CPU)")
    for name, X, y in tables():
        cpu(X, y), cpu(X, y, **ALL_QUESTIONS)  # imported
        seconds = []
        for left_out in range(repeats):
            A, a = np.delete(X, left_out, axis=0), np.delete(y, left_out)
            seconds.append((cpu(A, a)[0], cpu(A, a, 3, **ALL_QUESTIONS)[0]))
        for what, (usual, plain) in zip(
            ("least", "median"), (np.min(seconds, 0), np.median(seconds, 0)), strict=True
        ):
            print(f"  {name:16} {what:7} {usual * 1e3:7.0f} ms{plain * 1e3:8.1f} ms", end="")
            print(f"{usual / plain:8.1f} ×", flush=True)


def as_usual():
    """What a user waits for who says nothing: a list from all cases, cross-validated."""
    print("growth with rows, options as they are (10 inputs)")
    for rows in (1_000, 10_000, 100_000):
        print(f"  rows {rows:>15}: {cpu(*synthetic(rows, 10))[1]:8.3f} s with the list")


def main():
    if "--million" in sys.argv:
        how, informative = sys.argv[-2:]
        million(float(informative), **(ONE_SEARCH if how == "one" else {}))
        return
    if "--quick" not in sys.argv:
        for how in itertools.product(("one", "usual"), ("0.5", "0.0")):
            # peak memory only rises: each in a process of its own
            subprocess.run([sys.executable, "-m", MODULE, "--million", *how], check=True)
        against_peer()
    against_one_search()
    growth()
    calibrations()
    as_usual()


if __name__ == "__main__":
    main()

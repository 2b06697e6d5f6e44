"""Do the ranges of cross-validated risks cover? Populations whose risks are known.

`python -m tests.benchmarks.ranges [DRAWS] [SEED]`: noise and signal, yes/no and continuous inputs,
200 and 1,000 cases. A stage is covered if the ranges of all its totals contain the true risks of
the new patients who have them: first of everybody who answers, then of those who get there under
the limits that the data chose. Beside it the mean width of a range after the last question, and
that of a list whose figures come from a held-out third. Totals that fewer than 1 of 500 new
patients have are left out: their true risk is not known well enough.
"""

from __future__ import annotations

import sys
import warnings
from dataclasses import dataclass, field

import numpy as np

from scorecard import ScoringListClassifier, build_staircase
from scorecard.errors import PolicyError

NEW_CASES = 100_000
FEWEST = NEW_CASES // 500
EFFECTS = np.array([1.0, 0.8, -0.6, 0.5, 0.3, 0, 0, 0, 0, 0])


def draw(binary, signal, cases, rng):
    """Ten inputs and the true risks, about 30 % on average."""
    X = rng.normal(size=(cases, EFFECTS.size))
    if binary:
        X = (np.linspace(-1, 1, EFFECTS.size) < X).astype(float)
    odds = signal * (X @ EFFECTS - (0.6 if binary else -0.4 * (X[:, 0] > 1))) - 0.85
    return X, 1 / (1 + np.exp(-odds))


def true_risks(totals, risks):
    """Per total that enough new cases have, their mean risk."""
    values, places = np.unique(totals, return_inverse=True)
    counts, sums = np.bincount(places.ravel()), np.bincount(places.ravel(), risks)
    return {
        int(value): total / count
        for value, count, total in zip(values, counts, sums, strict=True)
        if count >= FEWEST
    }


def covered(ranges, truth):
    """Whether every range that is known covers its true risk."""
    return all(
        risk.lower is None or risk.lower <= truth[total] <= risk.upper
        for total, risk in ranges
        if total in truth
    )


@dataclass
class Tried:
    everybody: list = field(default_factory=list)
    reached: list = field(default_factory=list)
    widths: list = field(default_factory=list)
    held_out: list = field(default_factory=list)

    def add(self, model, new, risks):
        listed, answers = model.scoring_list_, model.answers(new)
        points = np.array([question.points for question in listed.questions])
        for k, stage in enumerate(listed.stages[1:], 1):
            totals = (answers[:, :k] > 0) @ points[:k]
            ranges = list(zip(stage.totals, stage.risks, strict=True))
            self.everybody.append(covered(ranges, true_risks(totals, risks)))
        self.widths.append(mean_width(listed))
        try:
            staircase = build_staircase(listed)
        except PolicyError:
            return
        here = np.ones(len(answers), bool)
        for k, step in enumerate(staircase.steps[1:], 1):
            totals = (answers[:, :k] > 0) @ points[:k]
            ranges = [(box.total, box.risk) for box in step.boxes]
            self.reached.append(covered(ranges, true_risks(totals[here], risks[here])))
            here &= np.isin(totals, [box.total for box in step.boxes if not box.stops])


def mean_width(listed):
    ranges = [one.upper - one.lower for one in listed.stages[-1].risks if one.cases and one.upper]
    return np.mean(ranges) if ranges else np.nan


def main(draws=20, seed=0):
    warnings.simplefilter("ignore")
    print(f"{draws} lists each, seed {seed}: stages covered of everybody, of those who get there;")
    print("mean width, that of a held-out third")
    for number, (name, binary, signal) in enumerate(
        [
            ("noise, yes/no", True, 0.0), ("noise, continuous", False, 0.0),
            ("signal, yes/no", True, 1.0), ("signal, continuous", False, 1.0),
        ]
    ):  # fmt: skip
        rng = np.random.default_rng([seed, number])
        new, risks = draw(binary, signal, NEW_CASES, rng)
        for cases in (200, 1000):
            tried = Tried()
            for number_of_list in range(draws):
                X, chances = draw(binary, signal, cases, rng)
                y = rng.random(cases) < chances
                tried.add(ScoringListClassifier().fit(X, y), new, risks)
                third = ScoringListClassifier(evidence="held-out", random_state=number_of_list)
                tried.held_out.append(mean_width(third.fit(X, y).scoring_list_))
            print(
                f"{name:20} n = {cases:4}: {np.mean(tried.everybody):.3f} of"
                f" {len(tried.everybody)}, {np.mean(tried.reached):.3f} of {len(tried.reached)};"
                f" {np.nanmean(tried.widths):.2f}, {np.nanmean(tried.held_out):.2f}",
                flush=True,
            )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))

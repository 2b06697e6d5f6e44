"""How often do stops break their limit on new patients? Populations whose risks are known.

`python -m tests.benchmarks.error_control [DRAWS] [SEED] [report] [CONFIDENCE …]` learns lists from
draws of many populations and puts 50,000 new cases through each, once under limits that a person
might set and once under those the data chose. A side is broken if the true risk of all who stop
there exceeds its limit. The confidence was chosen on the populations of `development`; with
"report" those of `report` are drawn, which share no base rate, effects or number of inputs with
them. With confidences (in percent) each list is judged under every one of them.
"""

from __future__ import annotations

import sys
import time
from collections import defaultdict
from dataclasses import dataclass
from itertools import product

import numpy as np

from scorecard import ScoringListClassifier, StoppingPolicy, build_staircase
from scorecard.core.build_staircase import usual_policy
from scorecard.core.error_control import limits_from_data
from scorecard.errors import PolicyError

NEW_CASES = 50_000
SIGNALS = {"noise": 0.0, "weak": 0.5, "medium": 1.0, "strong": 2.0}


@dataclass(frozen=True)
class Population:
    """Inputs, mixed or all yes/no, some with a risk; optionally missing values or clusters."""

    signal: str
    base_rate: float
    binary: bool
    inputs: int = 10
    missing: bool = False
    rows_per_patient: int = 1
    effects: tuple[float, ...] = (1.0, 0.8, -0.6, 0.5, 0.3)

    def draw(self, cases: int, rng: np.random.Generator):
        """Inputs, true risks, outcomes and patients."""
        patients = -(-cases // self.rows_per_patient)
        X = rng.normal(size=(patients, self.inputs))
        effects = SIGNALS[self.signal] * np.array(self.effects)
        odds = X[:, : len(effects)] @ effects + 0.4 * SIGNALS[self.signal] * (X[:, 0] > 1)
        risks = 1 / (1 + np.exp(-(odds + self._level(odds))))
        ill = rng.random(patients) < risks
        rows = np.repeat(np.arange(patients), self.rows_per_patient)[:cases]
        X = X[rows] + 0.3 * rng.normal(size=(cases, self.inputs)) * (self.rows_per_patient > 1)
        if self.binary:
            X = (np.linspace(-1, 1, self.inputs) < X).astype(float)
        else:
            X[:, 5:] = (X[:, 5:] > 0.5) if self.inputs > 5 else X[:, 5:]
            X = X.round(2)
        if self.missing:  # more often where the risk is high: it tells something
            chance = 0.1 + 0.3 * risks[rows, None] * (np.arange(self.inputs) < 3)
            X[rng.random(X.shape) < chance] = np.nan
        return X, risks[rows], ill[rows], rows

    def _level(self, odds):
        low, high = -30.0, 30.0
        for _ in range(60):
            middle = (low + high) / 2
            if np.mean(1 / (1 + np.exp(-(odds + middle)))) < self.base_rate:
                low = middle
            else:
                high = middle
        return low


def development() -> list[Population]:
    return [
        *(
            Population(s, base, b)
            for s, base, b in product(SIGNALS, (0.05, 0.3, 0.5), (False, True))
        ),
        *(Population(signal, 0.3, False, missing=True) for signal in SIGNALS),
        *(Population(signal, 0.3, False, rows_per_patient=5) for signal in SIGNALS),
    ]


def report() -> list[Population]:
    even = {"inputs": 16, "effects": (0.7, 0.7, -0.5, 0.5, 0.4, 0.4, -0.3, 0.3)}
    return [
        *(
            Population(s, base, b, **even)
            for s, base, b in product(SIGNALS, (0.1, 0.2, 0.4), (False, True))
        ),
        *(Population(signal, 0.2, True, missing=True, **even) for signal in SIGNALS),
        *(Population(signal, 0.4, False, rows_per_patient=3, **even) for signal in SIGNALS),
    ]


@dataclass
class Tried:
    """Draws, those that stop anybody on a side, those that break its promise, and the excess."""

    draws: int = 0
    stopping: int = 0
    broken: int = 0
    excess: float = 0.0
    decided: float = 0.0

    def add(self, decided: float, excess: float) -> None:
        self.draws += 1
        self.stopping += decided > 0
        self.broken += decided > 0 and excess > 0
        self.excess += max(excess, 0.0) if decided > 0 else 0.0
        self.decided += decided


def sides_of(listed, policy, X, risks, model):
    """Share of new cases ruled out and in, and by how much the true risk exceeds the limit."""
    staircase = build_staircase(listed, policy)
    answers = model.answers(X)
    patterns, places = np.unique(answers, axis=0, return_inverse=True)
    said = [{1: True, 0: False, -1: None}[value] for value in patterns.ravel().tolist()]
    width = patterns.shape[1]
    ends = np.array(
        [
            staircase.decide(said[width * row : width * row + width]).decision
            for row in range(len(patterns))
        ]
    )[places.ravel()]
    out, into = risks[ends == "rule out"], risks[ends == "rule in"]
    low, high = policy.limits
    return (
        (len(out) / len(risks), out.mean() - low if len(out) else 0.0),
        (len(into) / len(risks), high - into.mean() if len(into) else 0.0),
    )


def policies(listed, base, confidence):
    """Limits of a person and of the data, each with this confidence inside; as they are if None."""
    changes = {} if confidence is None else {"confidence": confidence / 100}
    yield "person", StoppingPolicy(0.35 * base, 1 - 0.35 * (1 - base), **changes)
    if confidence is None:
        yield "data", usual_policy(listed)
    else:
        yield "data", limits_from_data(listed.cross_validation, StoppingPolicy(**changes))


def main(draws: int, seed: int = 0, which: str = "development", *confidences: int) -> None:
    started, results = time.process_time(), defaultdict(Tried)
    populations = {"development": development, "report": report}[which]()
    for number, population in enumerate(populations):
        rng = np.random.default_rng([seed, number])
        new, risks, _, _ = population.draw(NEW_CASES, rng)
        for cases, _ in product((200, 500, 2000), range(draws)):
            X, _, ill, patients = population.draw(cases, rng)
            if ill.sum() < 5:
                continue
            groups = patients if population.rows_per_patient > 1 else None
            model = ScoringListClassifier().fit(X, ill, groups=groups)
            base, listed = ill.mean(), model.scoring_list_
            judged = [
                (f"{whose} {confidence or ''}".strip(), policy)
                for confidence in confidences or [None]
                for whose, policy in policies(listed, base, confidence)
            ]
            for whose, policy in judged:
                try:
                    sides = sides_of(listed, policy, new, risks, model)
                except PolicyError:
                    sides = ((0.0, 0.0), (0.0, 0.0))
                kind = "missing" if population.missing else population.signal
                kind = "groups" if population.rows_per_patient > 1 else kind
                for side, (decided, excess) in zip(("out", "in"), sides, strict=True):
                    for key in ("all", kind, f"n = {cases}"):
                        results[whose, side, key].add(decided, excess)
    print(f"{time.process_time() - started:.0f} s CPU; seed {seed}; {which}")
    print("limits    side  draws of    draws  stop anybody  broken", end="  ")
    print("of all  of stopping  excess  decided")
    for (whose, side, key), one in sorted(results.items()):
        print(
            f"{whose:9} {side:5} {key:10} {one.draws:6} {one.stopping:13} {one.broken:7}"
            f" {one.broken / one.draws:7.3f} {one.broken / max(one.stopping, 1):12.3f}"
            f" {one.excess / max(one.broken, 1):7.3f} {one.decided / one.draws:8.3f}"
        )


if __name__ == "__main__":
    main(*(int(one) if one.isdigit() else one for one in sys.argv[1:]))

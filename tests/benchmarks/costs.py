"""What weighing costs and unknown answers brings, on populations whose risks are known.

`python -m tests.benchmarks.costs [DRAWS] [KIND]` learns two lists from every draw and puts 20,000
new cases through both:

- a dear input and its cheap noisy copy: with costs against without;
- a strong input that is unknown for 40 % of the cases, and three weaker ones that are always
  known: with what is unknown weighed against not;
- the same with a noisy copy of the strong input, as often unknown: with substitutes against
  without.

How what is unknown is weighed was settled on other draws (`default_rng([seed, 77])`).

Costs that are all the same have to give the very list that is learned without costs.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from unittest.mock import patch

import numpy as np

from scorecard import ScoringListClassifier, StoppingPolicy, build_staircase
from scorecard.core.walk import case_cost
from scorecard.learning import cross_validation

CASES, NEW_CASES = 1000, 20_000
COSTS = {"x0": 10.0, "x1": 1.0, "x2": 1.0, "x3": 1.0}
LIMITS = {
    "costs": StoppingPolicy(0.1, 0.9),
    "unknown": StoppingPolicy(0.2, 0.8),
    "substitutes": StoppingPolicy(0.2, 0.8),
}
SAID = {1: True, 0: False, -1: None}

Draw = Callable[[int, np.random.Generator], tuple]


def dear_and_cheap(cases, rng):
    """x0 measures what the risk depends on well, x1 the same badly; x2 says little, x3 nothing."""
    truth, others = rng.normal(size=cases), rng.normal(size=(cases, 2))
    noise = rng.normal(size=(cases, 2)) * (0.1, 0.25)
    risks = 1 / (1 + np.exp(-4 * truth - 0.5 * others[:, 0]))
    X = np.column_stack((truth[:, None] + noise, others)).round(2)
    return X, risks, rng.random(cases) < risks


def often_unknown(cases, rng):
    """x0 says most, and is unknown for 40 % of the cases."""
    X = rng.normal(size=(cases, 4)).round(2)
    risks = 1 / (1 + np.exp(-X @ (4, 2, 2, 2)))
    ill = rng.random(cases) < risks
    X[rng.random(cases) < 0.4, 0] = np.nan
    return X, risks, ill


def copied(cases, rng):
    """x0 says most and x1 nearly the same; each is unknown for 40 % of the cases."""
    X = rng.normal(size=(cases, 4))
    X[:, 1] = X[:, 0] + 0.4 * X[:, 1]
    risks = 1 / (1 + np.exp(-X[:, [0, 2, 3]] @ (4, 2, 2)))
    ill = rng.random(cases) < risks
    X = X.round(2)
    X[:, :2][rng.random((cases, 2)) < 0.4] = np.nan
    return X, risks, ill


def fitted(X, ill, policy, **options):
    return ScoringListClassifier(policy=policy, **options).fit(X, ill)


def judged(model, policy, X, risks):
    """Share decided, mean cost, and by how much the true risk of those who stop breaks a limit."""
    staircase = build_staircase(model.scoring_list_, policy)
    questions = staircase.questions
    patterns, places = np.unique(model.answers(X), axis=0, return_inverse=True)
    ends, costs = [], []
    for row in patterns.tolist():
        answers = [SAID[value] for value in row]
        outcome = staircase.decide(answers)
        ends.append(outcome.decision)
        costs.append(case_cost(questions, answers, outcome.stage))
    ends, costs = np.array(ends)[places.ravel()], np.array(costs)[places.ravel()]
    out, into = risks[ends == "rule out"], risks[ends == "rule in"]
    excess = (
        out.mean() - policy.rule_out if out.size else -1.0,
        policy.rule_in - into.mean() if into.size else -1.0,
    )
    return (out.size + into.size) / risks.size, costs.mean(), excess


def compared(kind, draw: Draw, draws: int):
    policy, rows = LIMITS[kind], []
    for seed in range(draws):
        rng = np.random.default_rng([seed, len(kind)])
        X, _, ill = draw(CASES, rng)
        new, risks, _ = draw(NEW_CASES, rng)
        if kind == "costs":
            plain = fitted(X, ill, policy, costs=COSTS, cost_weight=0)
            weighed = fitted(X, ill, policy, costs=COSTS)
            rows.append((*judged(plain, policy, new, risks), *judged(weighed, policy, new, risks)))
            if seed < 10:
                same = fitted(X, ill, policy, costs=dict.fromkeys(COSTS, 7.0))
                without = fitted(X, ill, policy)
                told = [[(q.input, q.condition, q.points) for q in m.questions_]
                        for m in (same, without)]  # fmt: skip
                limits = [build_staircase(m.scoring_list_, policy).steps for m in (same, without)]
                boxes = [[step.boxes for step in steps] for steps in limits]
                assert told[0] == told[1], seed
                assert boxes[0] == boxes[1], seed
        elif kind == "substitutes":
            plain = fitted(X, ill, policy, published={"substitutes": False})
            weighed = fitted(X, ill, policy)
            rows.append((*judged(plain, policy, new, risks), *judged(weighed, policy, new, risks)))
        else:
            with patch.object(cross_validation, "OFTEN_UNKNOWN", 1.0):
                plain = fitted(X, ill, policy)
            weighed = fitted(X, ill, policy)
            rows.append((*judged(plain, policy, new, risks), *judged(weighed, policy, new, risks)))
    return rows


def shown(name, rows, start):
    decided, costs = (np.array([row[start + place] for row in rows]) for place in (0, 1))
    excess = np.array([row[start + 2] for row in rows])
    error = decided.std(ddof=1) / np.sqrt(len(rows)) if len(rows) > 1 else float("nan")
    broken = (excess > 0).sum(axis=0)
    print(
        f"{name:22} decided {decided.mean():.3f} ± {error:.3f}  mean cost {costs.mean():5.2f}"
        f"  broken out {broken[0]}, in {broken[1]}, by at most {max(excess.max(), 0):.3f}"
    )
    return decided, costs


KINDS = {"costs": dear_and_cheap, "unknown": often_unknown, "substitutes": copied}


def main(count: str = "100", *kinds: str) -> None:
    draws = int(count)
    for kind in kinds or KINDS:
        draw, started = KINDS[kind], time.process_time()
        rows = compared(kind, draw, draws)
        print(f"{kind}: {draws} draws of {CASES} cases, {NEW_CASES} new cases each")
        plain, plain_costs = shown("  not weighed", rows, 0)
        weighed, costs = shown("  weighed", rows, 3)
        gain, error = (weighed - plain).mean(), (weighed - plain).std(ddof=1) / np.sqrt(draws)
        print(f"  decided {gain:+.3f} ± {error:.3f}", end="")
        if kind == "costs":
            print(f"; cost {costs.mean() / plain_costs.mean() - 1:+.1%}", end="")
        print(f"; {time.process_time() - started:.0f} s CPU")


if __name__ == "__main__":
    main(*sys.argv[1:])

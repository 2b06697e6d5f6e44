"""What the list is compared with, on the same splits.

Logistic regression gets the answers to the list's own questions, stage by stage, as in the paper:
it shows what whole points cost. A tree may make as many splits as the list asks questions, and
boosting has all columns as they are: it shows what could be known at most.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from scorecard.evaluation.measures import Outcomes
from scorecard.learning.counts import Floats
from scorecard.learning.inputs import Input, asked_columns
from scorecard.learning.risks import Answers

# As good as none, and the fit stays finite where an answer separates the outcomes.
NO_PENALTY = 1e10

LARGEST = 1e30
BASELINES = {
    "logistic": "logistic regression (L2)",
    "logistic-free": "logistic regression (no penalty)",
    "tree": "decision tree",
    "boosting": "gradient boosting",
}


def logistic_risks(
    train: Answers, outcome: Outcomes, test: Answers, penalised: bool = True
) -> list[Floats]:
    """Risks of the test cases after each stage; an unknown answer counts as the commonest one."""
    common = np.array([_commonest(column) for column in train.T], np.int8)
    learn, judge = (np.where(part < 0, common, part).astype(np.float64) for part in (train, test))
    risks = [np.full(len(judge), outcome.mean())]
    for stage in range(1, train.shape[1] + 1):
        model = _logistic(1.0 if penalised else NO_PENALTY)
        model.fit(learn[:, :stage], outcome)
        risks.append(model.predict_proba(judge[:, :stage])[:, 1])
    return risks


def tree_risks(train: Floats, outcome: Outcomes, test: Floats, most: int) -> list[Floats]:
    """Risks of the test cases of trees with 0, 1, … `most` splits."""
    from sklearn.tree import DecisionTreeClassifier

    risks = [np.full(len(test), outcome.mean())]
    for splits in range(1, most + 1):
        tree = DecisionTreeClassifier(
            criterion="entropy", max_leaf_nodes=splits + 1, random_state=0
        )
        risks.append(tree.fit(train, outcome).predict_proba(test)[:, 1])
    return risks


def boosting_risks(train: Floats, outcome: Outcomes, test: Floats) -> Floats:
    """Risks of the test cases by gradient boosting on all columns."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    model = HistGradientBoostingClassifier(
        max_iter=60, learning_rate=0.08, max_leaf_nodes=8, early_stopping=False, random_state=0
    )
    risks: Floats = model.fit(train, outcome).predict_proba(test)[:, 1]
    return risks


def numeric_columns(inputs: Sequence[Input]) -> Floats:
    """All columns as numbers, a category as one column per value; NaN where missing."""
    columns = [_in_reach(one.numbers) for one in asked_columns(inputs, ask_missing=False)]
    return np.column_stack(columns)


def _in_reach(numbers: Floats) -> Floats:
    """The column smaller by a factor if trees, which count in single precision, cannot hold it."""
    largest = np.nanmax(np.abs(numbers), initial=0.0)
    return numbers / largest if largest > LARGEST else numbers


def _logistic(strength: float) -> Any:
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(C=strength, solver="newton-cholesky", max_iter=200)


def _commonest(answers: Answers) -> int:
    known = answers[answers >= 0]
    return int(known.mean() > 0.5) if known.size else 0

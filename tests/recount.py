"""Corrected risks counted once more from the table, as examples/document-format.md says.

With pandas, scipy and scikit-learn; it shares no line with the program.
"""

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit, log_expit, logit
from sklearn.isotonic import IsotonicRegression
from sklearn.model_selection import StratifiedKFold

FOLDS, SEED = 10, 0
RECALIBRATION_PENALTY, CURVE_CASES, MOST_LOG_ODDS = 10, 100, 30


def answers(table, question):
    """1 yes, 0 no, not a number where the value is missing; a column of the table is one input."""
    value, condition = table[question["input"]], question["condition"]
    yes = {
        ">=": lambda: value >= condition["cutoff"],
        "<": lambda: value < condition["cutoff"],
        "yes": lambda: value == "yes",
        "no": lambda: value == "no",
        "in": lambda: value.isin(condition["categories"]),
        "not in": lambda: ~value.isin(condition["categories"]),
    }[condition["kind"]]()
    return yes.astype(float).where(value.notna()).to_numpy()


def possible_totals(questions):
    totals = [[0]]
    for question in questions:
        totals.append(sorted({t + plus for t in totals[-1] for plus in (0, question["points"])}))
    return totals


def shares_of_totals(table, questions, learned=None):
    """Per stage a row for each case with its share in each total, and the shares of yes.

    An unknown answer counts as yes by the share of those `learned` from who answered yes with the
    same total.
    """
    stages, shares = [np.ones((len(table), 1))], []
    possible = possible_totals(questions)
    for number, question in enumerate(questions):
        before, yes = stages[-1], answers(table, question)
        if learned is None:
            known = ~np.isnan(yes)
            weights = before[known]
            overall = yes[known].mean()
            seen = weights.sum(axis=0)
            shares.append(
                np.where(seen > 0, yes[known] @ weights / np.maximum(seen, 1e-9), overall)
            )
        else:
            shares.append(learned[number])
        part = np.where(np.isnan(yes)[:, None], shares[-1], yes[:, None])
        after = np.zeros((len(table), len(possible[number + 1])))
        for place, total in enumerate(possible[number]):
            lower = possible[number + 1].index(total)
            higher = possible[number + 1].index(total + question["points"])
            after[:, lower] += before[:, place] * (1 - part[:, place])
            after[:, higher] += before[:, place] * part[:, place]
        stages.append(after)
    return stages, shares


def calibration_line(x, cases, positives, penalty, towards):
    """Slope, not below 0, and constant of log-odds; the slope is penalised."""

    def loss(line):
        odds = line[0] * x + line[1]
        likelihood = positives @ log_expit(odds) + (cases - positives) @ log_expit(-odds)
        excess = cases * expit(odds) - positives
        rise = [penalty * (line[0] - towards) + excess @ x, excess.sum()]
        return penalty / 2 * (line[0] - towards) ** 2 - likelihood, rise

    start = [towards, logit(positives.sum() / cases.sum())]
    return minimize(loss, start, jac=True, bounds=[(0, None), (None, None)], tol=1e-12).x


def sigmoid(totals, cases, positives, strength):
    """Slope and constant of the log-odds by total, the penalty per standard deviation."""
    totals = np.array(totals, float)
    mean = np.average(totals, weights=cases)
    deviation = np.sqrt(np.average((totals - mean) ** 2, weights=cases)) or 1.0
    slope, constant = calibration_line((totals - mean) / deviation, cases, positives, strength, 0)
    return slope / deviation, constant - slope * mean / deviation


def clipped(odds):
    return np.clip(odds, -MOST_LOG_ODDS, MOST_LOG_ODDS)


def bends(table, ill, check):
    """Per stage slope and constant by which left-out cases correct the log-odds."""
    most = max(len(fold["questions"]) for fold in check["folds"])
    rows = [[] for _ in range(most + 1)]
    division = StratifiedKFold(FOLDS, shuffle=True, random_state=SEED).split(table, ill)
    for fold, (inside, left_out) in zip(check["folds"], division, strict=True):
        questions = fold["questions"]
        learned, shares = shares_of_totals(table.iloc[inside], questions)
        judged, _ = shares_of_totals(table.iloc[left_out], questions, shares)
        for number in range(most + 1):
            stage = min(number, len(questions))
            totals = possible_totals(questions)[stage]
            own, left = learned[stage], judged[stage]
            slope, constant = sigmoid(totals, own.sum(0), ill[inside] @ own, check["strength"])
            odds = clipped(slope * np.array(totals) + constant)
            rows[number].append(np.array([odds, left.sum(0), ill[left_out] @ left]))
    return [(1, 0)] + [
        calibration_line(*np.concatenate(row, axis=1), RECALIBRATION_PENALTY, 1) for row in rows[1:]
    ]


def corrected(table, ill, document):
    """Per stage and total the cases and positives that were seen, and the risk."""
    questions, check = document["questions"], document["cross_validation"]
    lines = bends(table, ill, check)
    everybody, _ = shares_of_totals(table, questions)
    known = np.ones(len(table), bool)
    for number, totals in enumerate(possible_totals(questions)):
        if number:
            known &= ~np.isnan(answers(table, questions[number - 1]))
        own, seen = everybody[number], everybody[number][known]
        slope, constant = sigmoid(totals, own.sum(0), ill @ own, check["strength"])
        bend, shift = lines[min(number, len(lines) - 1)]
        curve = expit(shift + bend * clipped(slope * np.array(totals) + constant))
        added = CURVE_CASES * check["design_effect"]
        weights = seen.sum(0) + added
        rates = (ill[known] @ seen + added * curve) / weights
        risks = IsotonicRegression().fit_transform(totals, rates, sample_weight=weights)
        yield list(zip(seen.sum(0), ill[known] @ seen, risks, strict=True))

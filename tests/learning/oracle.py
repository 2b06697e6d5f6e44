"""The method of the paper, as plainly as possible: scikit-learn fits every candidate, on cases."""

import numpy as np
from scipy.special import entr
from sklearn.isotonic import IsotonicRegression

from scorecard.core.calibration import DEFAULT_STRENGTH, calibrated

NEAR = 1e-11


def calibrate(method, totals, cases, positives, strength=None):
    strength = DEFAULT_STRENGTH[method] if strength is None else strength
    counts = list(zip(cases.tolist(), positives.tolist(), strict=True))
    return np.array(calibrated(method, totals.tolist(), counts, strength))


def entropy(totals, y, weights):
    q = IsotonicRegression(y_min=0, y_max=1).fit(totals, y, weights).predict(totals)
    inner = (q > 0) & (q < 1)
    bits = -q[inner] * np.log2(q[inner]) - (1 - q[inner]) * np.log2(1 - q[inner])
    return float(weights[inner] @ bits / weights.sum())


def entropy_of_estimates(method, strength):
    """The loss where candidates are judged by another calibration than the isotonic one."""

    def loss(totals, y, weights, asked):
        possible = {0}
        for s in asked:
            possible |= {total + s for total in possible}
        stage = np.array(sorted(possible))
        places = np.searchsorted(stage, totals)
        cases = np.bincount(places, weights, stage.size)
        positives = np.bincount(places, weights * y, stage.size)
        q = calibrate(method, stage, cases, positives, strength)
        return float(cases @ (entr(q) + entr(1 - q)) / np.log(2) / weights.sum())

    return loss


def isotonic_entropy(totals, y, weights, asked):
    del asked
    return entropy(totals, y, weights)


def learn(X, y, weights, points, loss_of=isotonic_entropy, near=NEAR):
    """[(input, first value that counts as yes, points, loss)], in the documented order of ties."""
    totals, questions = np.zeros(len(y), int), []
    loss = loss_of(totals, y, weights, [])
    points = sorted(points, key=lambda s: (-abs(s), s))
    while True:
        asked = [question[2] for question in questions]
        candidates = [
            (loss_of(totals + s * (X[:, j] >= value), y, weights, [*asked, s]), j, value, s)
            for j in range(X.shape[1])
            if j not in [question[0] for question in questions]
            for s in points
            for value in np.unique(X[:, j])[1:]
        ]
        least = min((candidate[0] for candidate in candidates), default=np.inf)
        if loss - least <= near:
            break
        loss, j, value, s = next(one for one in candidates if one[0] <= least + near)
        totals = totals + s * (X[:, j] >= value)
        questions.append((j, value, s, loss))
    return questions

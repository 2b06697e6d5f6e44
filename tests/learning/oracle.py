"""The method of the paper, as plainly as possible: scikit-learn fits every candidate, on cases."""

import numpy as np
from sklearn.isotonic import IsotonicRegression

NEAR = 1e-11


def entropy(totals, y, weights):
    q = IsotonicRegression(y_min=0, y_max=1).fit(totals, y, weights).predict(totals)
    inner = (q > 0) & (q < 1)
    bits = -q[inner] * np.log2(q[inner]) - (1 - q[inner]) * np.log2(1 - q[inner])
    return float(weights[inner] @ bits / weights.sum())


def learn(X, y, weights, points, min_gain=0.0, max_questions=100):
    """[(input, first value that counts as yes, points, loss)], in the documented order of ties."""
    totals, questions, loss = np.zeros(len(y)), [], entropy(np.zeros(len(y)), y, weights)
    points = sorted(points, key=lambda s: (-abs(s), s))
    while len(questions) < max_questions:
        candidates = [
            (entropy(totals + s * (X[:, j] >= value), y, weights), j, value, s)
            for j in range(X.shape[1])
            if j not in [question[0] for question in questions]
            for s in points
            for value in np.unique(X[:, j])[1:]
        ]
        least = min((candidate[0] for candidate in candidates), default=np.inf)
        if loss - least <= min_gain + NEAR:
            break
        loss, j, value, s = next(one for one in candidates if one[0] <= least + NEAR)
        totals = totals + s * (X[:, j] >= value)
        questions.append((j, value, s, loss))
    return questions

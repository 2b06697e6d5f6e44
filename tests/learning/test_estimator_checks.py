"""scikit-learn's own checks of what an estimator must do, without exceptions."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from scorecard.learning.classifier import ScoringListClassifier


@pytest.mark.filterwarnings("ignore")
@parametrize_with_checks(
    [
        ScoringListClassifier(),
        ScoringListClassifier(missing="refuse", calibration="sigmoid", min_gain=None, beam_width=2),
    ]
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)

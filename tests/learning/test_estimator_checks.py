"""scikit-learn's own checks of what an estimator must do."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from scorecard.learning.classifier import ScoringListClassifier

# As with scikit-learn's own estimators that cross-validate: a row that stands twice may fall into
# two folds, a row with weight 2 cannot.
DIVIDED = "the cases are divided into folds row by row"
WEIGHTS = (
    "check_sample_weight_equivalence_on_dense_data",
    "check_sample_weight_equivalence_on_sparse_data",
)


def expected_to_fail(estimator):
    return dict.fromkeys(WEIGHTS, DIVIDED) if estimator.evidence == "cross-validated" else {}


@pytest.mark.filterwarnings("ignore")
@parametrize_with_checks(
    [
        ScoringListClassifier(),
        ScoringListClassifier(missing="refuse", published={"min_gain": None}),
        ScoringListClassifier(evidence="training"),
        ScoringListClassifier(
            evidence="training",
            missing="refuse",
            published={"calibration": "isotonic", "min_gain": None},
        ),
    ],
    expected_failed_checks=expected_to_fail,
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)

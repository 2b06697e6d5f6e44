"""Real cases to try things with: they come with scikit-learn."""

from __future__ import annotations


def breast_masses() -> tuple[list[str], list[list[float]], list[str]]:
    """The Wisconsin Diagnostic Breast Cancer data: column names, rows of values, outcomes."""
    from sklearn.datasets import load_breast_cancer

    data = load_breast_cancer()
    columns = [name.replace(" ", "_") for name in data.feature_names]
    return columns, data.data.tolist(), [str(data.target_names[one]) for one in data.target]

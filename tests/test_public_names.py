"""`import scorecard` offers its names without loading what they need."""

import pytest

import scorecard


def test_every_public_name_can_be_had() -> None:
    for name in scorecard.__all__:
        assert getattr(scorecard, name) is not None
    assert dir(scorecard) == sorted(scorecard.__all__)


def test_other_names_cannot() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = scorecard.nonsense  # type: ignore[attr-defined]

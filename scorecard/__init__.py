"""scorecard: learn probabilistic scoring lists and print them as clinical pocket cards.

Public names are loaded when they are first used, so `import scorecard` is quick and a saved list
can be read where scikit-learn is not installed.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.1.0"

_HOMES = {
    "About": "model",
    "Condition": "model",
    "Evidence": "model",
    "Figures": "model",
    "Outcome": "staircase",
    "Pattern": "model",
    "Question": "model",
    "Risk": "model",
    "ScorecardError": "errors",
    "ScoringList": "model",
    "ScoringListClassifier": "learning.classifier",
    "Stage": "model",
    "Staircase": "staircase",
    "StoppingPolicy": "policy",
    "build_staircase": "climbing",
    "read_list": "exporting.json_document",
    "with_positive_points": "model",
    "write_list": "exporting.json_document",
}

__all__ = [*_HOMES, "__version__"]

if TYPE_CHECKING:
    from scorecard.climbing import build_staircase as build_staircase
    from scorecard.errors import ScorecardError as ScorecardError
    from scorecard.exporting.json_document import read_list as read_list
    from scorecard.exporting.json_document import write_list as write_list
    from scorecard.learning.classifier import ScoringListClassifier as ScoringListClassifier
    from scorecard.model import About as About
    from scorecard.model import Condition as Condition
    from scorecard.model import Evidence as Evidence
    from scorecard.model import Figures as Figures
    from scorecard.model import Pattern as Pattern
    from scorecard.model import Question as Question
    from scorecard.model import Risk as Risk
    from scorecard.model import ScoringList as ScoringList
    from scorecard.model import Stage as Stage
    from scorecard.model import with_positive_points as with_positive_points
    from scorecard.policy import StoppingPolicy as StoppingPolicy
    from scorecard.staircase import Outcome as Outcome
    from scorecard.staircase import Staircase as Staircase


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(import_module(f"scorecard.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'scorecard' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)

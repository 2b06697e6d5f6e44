"""scorecard: learn probabilistic scoring lists and print them as clinical pocket cards.

Public names are loaded when they are first used, so `import scorecard` is quick, and so is whoever
reads or prints a saved list: scikit-learn is loaded by the learner alone.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.2.0.dev0"

_HOMES = {
    "About": "core.model",
    "Condition": "core.model",
    "Evidence": "core.model",
    "RiskSource": "core.model",
    "Outcome": "core.staircase",
    "PSLDisplay": "evaluation.plots",
    "Pattern": "core.model",
    "Question": "core.model",
    "Risk": "core.model",
    "ScorecardError": "errors",
    "ScoringList": "core.model",
    "ScoringListClassifier": "learning.classifier",
    "Stage": "core.model",
    "Staircase": "core.staircase",
    "StoppingPolicy": "core.policy",
    "Substitute": "core.model",
    "apply": "api",
    "build_staircase": "core.build_staircase",
    "check": "api",
    "evaluate": "api",
    "export": "api",
    "make_card": "api",
    "make_handout": "api",
    "make_report": "api",
    "read_list": "documents.json_document",
    "with_positive_points": "core.model",
    "write_list": "documents.json_document",
}

__all__ = [*_HOMES, "__version__"]

if TYPE_CHECKING:
    from scorecard.api import apply as apply
    from scorecard.api import check as check
    from scorecard.api import evaluate as evaluate
    from scorecard.api import export as export
    from scorecard.api import make_card as make_card
    from scorecard.api import make_handout as make_handout
    from scorecard.api import make_report as make_report
    from scorecard.core.build_staircase import build_staircase as build_staircase
    from scorecard.core.model import About as About
    from scorecard.core.model import Condition as Condition
    from scorecard.core.model import Evidence as Evidence
    from scorecard.core.model import Pattern as Pattern
    from scorecard.core.model import Question as Question
    from scorecard.core.model import Risk as Risk
    from scorecard.core.model import RiskSource as RiskSource
    from scorecard.core.model import ScoringList as ScoringList
    from scorecard.core.model import Stage as Stage
    from scorecard.core.model import Substitute as Substitute
    from scorecard.core.model import with_positive_points as with_positive_points
    from scorecard.core.policy import StoppingPolicy as StoppingPolicy
    from scorecard.core.staircase import Outcome as Outcome
    from scorecard.core.staircase import Staircase as Staircase
    from scorecard.documents.json_document import read_list as read_list
    from scorecard.documents.json_document import write_list as write_list
    from scorecard.errors import ScorecardError as ScorecardError
    from scorecard.evaluation.plots import PSLDisplay as PSLDisplay
    from scorecard.learning.classifier import ScoringListClassifier as ScoringListClassifier


def __getattr__(name: str) -> object:
    if name in _HOMES:
        try:
            return getattr(import_module(f"scorecard.{_HOMES[name]}"), name)
        except ModuleNotFoundError as error:
            from scorecard.errors import needed_for_tables

            if needed := needed_for_tables(error):
                error.add_note(needed)
            raise
    raise AttributeError(f"module 'scorecard' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)

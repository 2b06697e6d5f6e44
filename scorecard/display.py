"""Lists and staircases as notebooks show them: the staircase as HTML, and as a data frame."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from html import escape
from importlib import import_module
from typing import Any

from scorecard.core.build_staircase import build_staircase
from scorecard.core.model import Question, Risk, ScoringList
from scorecard.core.staircase import FIGURES, Staircase
from scorecard.errors import ScorecardError
from scorecard.forms.card.contents import CardOptions
from scorecard.forms.handout.make import staircase_html
from scorecard.forms.handout.view import HandoutOptions, handout_view


def html_of_list(scoring_list: ScoringList) -> str:
    """The staircase of a list under its own policy; the questions alone where it has none."""
    try:
        return html_of_staircase(build_staircase(scoring_list))
    except ScorecardError as error:
        asked = (
            f"{one.label}: {one.condition} ({one.points:+d})" for one in scoring_list.questions
        )
        items = "".join(f"<li>{escape(text)}</li>" for text in asked)
        return f"<ol>{items}</ol><p>{escape(str(error))}</p>"


def html_of_staircase(staircase: Staircase) -> str:
    """The staircase as in the handout, with its style and without a script."""
    return staircase_html(handout_view(staircase, HandoutOptions(CardOptions())))


def frame_of_list(scoring_list: ScoringList, backend: str | None = None) -> Any:
    """A row per stage and total with its risk."""
    rows = [
        _row(scoring_list.questions, number, total) | _risk(risk)
        for number, stage in enumerate(scoring_list.stages)
        for total, risk in (zip(stage.totals, stage.risks, strict=True) if stage else ())
    ]
    return _frame(rows, backend)


def frame_of_staircase(staircase: Staircase, backend: str | None = None) -> Any:
    """A row per box: stage and total, what to do there, and the risk of those who get there."""
    rows = [
        _row(staircase.scoring_list.questions, step.number, box.total)
        | {"decision": box.decision, "curtailed": box.curtailed}
        | _risk(box.risk)
        | dict(zip(("cases", "positives"), box.counts or (None, None), strict=True))
        for step in staircase.steps
        for box in step.boxes
    ]
    return _frame(rows, backend)


def _row(questions: Iterable[Question], stage: int, total: int) -> dict[str, Any]:
    asked = tuple(questions)[stage - 1] if stage else None
    return {
        "stage": stage,
        "input": asked and asked.input,
        "condition": asked and str(asked.condition),
        "points": asked and asked.points,
        "total": total,
    }


def _risk(risk: Risk | None) -> dict[str, Any]:
    return {name: None if risk is None else getattr(risk, name) for name in FIGURES}


def _frame(rows: list[dict[str, Any]], backend: str | None) -> Any:
    """In the library that is asked for; else pandas where it is in use already, else polars."""
    import narwhals.stable.v1 as nw

    name = backend or ("pandas" if "pandas" in sys.modules else "polars")
    try:
        space = import_module(name)
    except ImportError:
        raise ScorecardError(f"{name!r} is not installed; give backend='polars'.") from None
    columns = {key: [row[key] for row in rows] for key in rows[0]} if rows else {"stage": []}
    return nw.from_dict(columns, native_namespace=space).to_native()

"""Lists and staircases as notebooks and terminals show them: as HTML, text and data frames."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib import import_module
from shutil import get_terminal_size
from textwrap import fill
from typing import Any

from scorecard.core.build_staircase import build_staircase
from scorecard.core.model import Question, Risk, ScoringList
from scorecard.core.performance import times_asked
from scorecard.core.staircase import FIGURES, Staircase
from scorecard.documents.json_document import short_hash
from scorecard.errors import ScorecardError
from scorecard.forms.card.contents import CardOptions
from scorecard.forms.handout.make import staircase_html
from scorecard.forms.handout.view import HandoutOptions, handout_view
from scorecard.terminal import staircase_text
from scorecard.words.sentences import cross_validation_sentences
from scorecard.words.wording import Wording


def text_of_list(scoring_list: ScoringList) -> str:
    """The staircase of a list under its own policy; the questions alone where it has none."""
    try:
        return text_of_staircase(build_staircase(scoring_list))
    except ScorecardError as error:
        return "\n".join([*_asked(scoring_list), str(error)])


def text_of_staircase(staircase: Staircase) -> str:
    """As `scorecard show` prints it, without colour, as wide as the terminal."""
    return staircase_text(
        staircase,
        Wording.of(staircase),
        identity=short_hash(staircase.scoring_list),
        width=get_terminal_size().columns,
    )


def html_of_list(scoring_list: ScoringList) -> str:
    """The staircase of a list under its own policy; the questions alone where it has none."""
    try:
        return html_of_staircase(build_staircase(scoring_list))
    except ScorecardError as error:
        items = "".join(f"<li>{escape(text)}</li>" for text in _asked(scoring_list))
        return f"<ol>{items}</ol><p>{escape(str(error))}</p>"


def _asked(scoring_list: ScoringList) -> Iterator[str]:
    for one in scoring_list.questions:
        yield f"{one.label}: {one.condition} ({one.points:+d})"


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
    return frame_of_rows(rows, backend)


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
    return frame_of_rows(rows, backend)


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


def frame_of_rows(rows: Sequence[Mapping[str, Any]], backend: str | None) -> Any:
    """In the library that is asked for; else pandas where it is in use already, else polars."""
    import narwhals.stable.v1 as nw

    name = backend or ("pandas" if "pandas" in sys.modules else "polars")
    try:
        space = import_module(name)
    except ImportError:
        raise ScorecardError(f"{name!r} is not installed; give backend='polars'.") from None
    columns = {key: [row[key] for row in rows] for key in rows[0]} if rows else {"stage": []}
    return nw.from_dict(columns, native_namespace=space).to_native()


# How a learned list came about -------------------------------------------------------------------


@dataclass(frozen=True)
class Summary:
    """What each question of a learned list adds, and how the list was made.

    `rows` has one mapping for each question: its number, text and points; `loss` is what is left
    after it and `removed` what it takes away, in the units of `losses_`; `folds` how many lists of
    cross-validation ask for its input.
    """

    rows: tuple[Mapping[str, Any], ...]
    sentences: tuple[str, ...]

    def to_frame(self, backend: str | None = None) -> Any:
        """A data frame with a row per question; see `ScoringList.to_frame`."""
        return frame_of_rows(self.rows, backend)

    def __str__(self) -> str:
        lines = [[*SUMMARY], *([_cell(row[name]) for name in SUMMARY] for row in self.rows)]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        table = (
            "  ".join(
                text.ljust(width) if name == "question" else text.rjust(width)
                for name, text, width in zip(SUMMARY, line, widths, strict=True)
            )
            for line in lines
        )
        width = get_terminal_size().columns
        return "\n".join([*table, "", *(fill(sentence, width) for sentence in self.sentences)])

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{escape(name)}</th>" for name in SUMMARY)
        body = "".join(
            f"<tr>{''.join(f'<td>{escape(_cell(row[name]))}</td>' for name in SUMMARY)}</tr>"
            for row in self.rows
        )
        told = "".join(f"<p>{escape(sentence)}</p>" for sentence in self.sentences)
        return f"<table><tr>{head}</tr>{body}</table>{told}"


SUMMARY = ("number", "question", "points", "loss", "removed", "folds")


def summary_of(
    scoring_list: ScoringList, losses: Sequence[float], reasons: Iterable[str]
) -> Summary:
    """The questions of a learned list with the losses of the search, and why it is as it is."""
    wording = Wording.of(scoring_list)
    asked = dict(times_asked(scoring_list))
    rows = tuple(
        {
            "number": number,
            "question": wording.whole_question(question),
            "points": question.points,
            "loss": losses[number],
            "removed": losses[number - 1] - losses[number],
            "folds": asked.get(question),
        }
        for number, question in enumerate(scoring_list.questions, 1)
    )
    start = f"Before the first question the loss is {losses[0]:.3f}."
    return Summary(
        rows,
        (start, wording.figures_sentence(scoring_list), *_shown(scoring_list, wording), *reasons),
    )


def _shown(scoring_list: ScoringList, wording: Wording) -> Iterator[str]:
    """The limits of the list, and what cross-validation shows of them."""
    try:
        staircase = build_staircase(scoring_list)
    except ScorecardError as error:
        yield str(error)
    else:
        yield wording.limits_sentence(staircase)
        yield from cross_validation_sentences(staircase, wording)


def _cell(value: Any) -> str:
    if value is None:
        return "–"
    return f"{value:.3f}" if isinstance(value, float) else str(value)

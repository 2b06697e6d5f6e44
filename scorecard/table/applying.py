"""Apply a staircase to a table: decision, stage, total and risk for every row.

All rows walk together. After each question a row is in one of a few states, and where each state
leads is asked of `Staircase.decide` once: the walk has its rules in one place only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from scorecard.errors import ScorecardError
from scorecard.model import Answer, Question, ScoringList
from scorecard.staircase import Outcome, Staircase
from scorecard.table.answers import column_answers
from scorecard.table.source import Piece, Source

ADDED = ("decision", "stage", "total", "probability", "lower", "upper", "unknown")

_ANSWERS: tuple[Answer, ...] = (False, True, None)
_UNKNOWN = 2  # its place in _ANSWERS


def applied(
    staircase: Staircase,
    source: Source,
    *,
    prefix: str = "",
    learned: ScoringList | None = None,
) -> Iterator[pl.DataFrame]:
    """The pieces of the table with the columns of `ADDED` behind their own.

    Only the columns of questions that are still asked are needed. `learned` is the list as it
    stands in the file where that of the staircase has been turned to positive points.
    """
    _check_columns(staircase.questions, source, prefix)
    originals = (learned or staircase.scoring_list).questions
    walk = _Walk(staircase)
    for piece in source.pieces():
        answers = [
            _answers(question, original, piece, source)
            for question, original in zip(staircase.questions, originals, strict=False)
        ]
        added = walk.results(answers, piece.frame.height)
        yield piece.frame.hstack([column.alias(prefix + column.name) for column in added])


def _check_columns(questions: Sequence[Question], source: Source, prefix: str) -> None:
    for question in questions:
        if question.input not in source.names:
            near = get_close_matches(question.input, source.names, n=1, cutoff=0.6)
            hint = f"did you mean {near[0]!r}?" if near else f"it has {_few(source.names)}."
            raise source.error(f"there is no column {question.input!r}; {hint}")
    for name in ADDED:
        if prefix + name in source.names:
            raise source.error(
                f"there is a column {prefix + name!r} already, and one of that name is added;"
                " choose a --prefix, for instance --prefix list_."
            )


def _few(names: Sequence[str]) -> str:
    shown = ", ".join(map(repr, names[:8]))
    return f"{shown}, … ({len(names)} columns)" if len(names) > 8 else shown


def _answers(
    question: Question, original: Question, piece: Piece, source: Source
) -> npt.NDArray[np.int64]:
    def complain(row: int, message: str) -> ScorecardError:
        reason = message.removeprefix(f"{question.input!r}: ")
        return source.error(reason, question.input, piece.place(row))

    column = column_answers(question, piece.frame[question.input], complain, original)
    return column.fill_null(_UNKNOWN).cast(pl.Int64).to_numpy()


@dataclass
class _Walk:
    """The states met so far: each has an outcome, and an example of answers that leads there.

    Where one goes from a state depends on nothing but the state, because `Outcome` has the boxes of
    both ends: so one example answers for all.
    """

    staircase: Staircase
    examples: list[tuple[Answer, ...]] = field(default_factory=lambda: [()])
    outcomes: list[Outcome] = field(default_factory=list)
    numbers: dict[tuple[int, Outcome], int] = field(default_factory=dict)
    steps: dict[tuple[int, int], int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.outcomes.append(self.staircase.decide(()))

    def results(self, answers: Sequence[npt.NDArray[np.int64]], height: int) -> list[pl.Series]:
        states = np.zeros(height, dtype=np.int64)
        for given in answers:
            states = self._next(states, given)
        columns = self._columns().select(pl.all().gather(pl.Series(states)))
        return [*columns.get_columns(), self._unknown(answers, columns["stage"])]

    def _next(
        self, states: npt.NDArray[np.int64], given: npt.NDArray[np.int64]
    ) -> npt.NDArray[np.int64]:
        """The states after one more answer; a row that has stopped stays where it is."""
        codes = states * len(_ANSWERS) + given
        seen = np.flatnonzero(np.bincount(codes))
        leads_to = np.zeros(seen[-1] + 1 if seen.size else 1, dtype=np.int64)
        for code in seen.tolist():
            leads_to[code] = self._step(*divmod(code, len(_ANSWERS)))
        after: npt.NDArray[np.int64] = leads_to[codes]
        return after

    def _step(self, state: int, answer: int) -> int:
        if (state, answer) not in self.steps:
            example = (*self.examples[state], _ANSWERS[answer])
            outcome = self.staircase.decide(example)
            key = len(example), outcome
            if key not in self.numbers:
                self.numbers[key] = len(self.examples)
                self.examples.append(example)
                self.outcomes.append(outcome)
            self.steps[state, answer] = self.numbers[key]
        return self.steps[state, answer]

    def _columns(self) -> pl.DataFrame:
        kinds: dict[str, Any] = {
            "decision": pl.String,
            "stage": pl.Int64,
            "total": pl.Int64,
            "probability": pl.Float64,
            "lower": pl.Float64,
            "upper": pl.Float64,
        }
        return pl.DataFrame(
            [
                pl.Series(name, [getattr(outcome, name) for outcome in self.outcomes], kind)
                for name, kind in kinds.items()
            ]
        )

    def _unknown(self, answers: Sequence[npt.NDArray[np.int64]], stages: pl.Series) -> pl.Series:
        """The inputs that were unknown among the questions that were asked."""
        frame = pl.DataFrame({"stage": stages})
        names = []
        for number, (question, given) in enumerate(
            zip(self.staircase.questions, answers, strict=True), 1
        ):
            asked = pl.col("stage") >= number
            unknown = pl.lit(pl.Series(given == _UNKNOWN))
            names.append(pl.when(asked & unknown).then(pl.lit(question.input)))
        if not names:
            return pl.Series("unknown", [""], pl.String).new_from_index(0, stages.len())
        joined = pl.concat_str(names, separator="; ", ignore_nulls=True)
        return frame.select(joined.alias("unknown"))["unknown"]

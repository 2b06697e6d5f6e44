"""Apply a staircase to a table: decision, stage, total and risk for every row.

All rows walk together. After each question a row is in one of a few states, and where each state
leads is asked of `Staircase.decide` once: the walk has its rules in one place only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import compress
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from scorecard.core.model import Answer, Question
from scorecard.core.question import inputs_asked_again
from scorecard.core.staircase import Outcome, Staircase
from scorecard.tables.answers import UNKNOWN, UNSEEN, Answers, Flags, answers_in_piece
from scorecard.tables.source import Piece, Source

ADDED = ("decision", "stage", "total", "probability", "lower", "upper", "unknown")
PROBLEM = "problem"  # the decision about a row with a category that the list does not know

Numbers = npt.NDArray[np.int64]

_ANSWERS: tuple[Answer, ...] = (None, False, True)  # in the order of their numbers


@dataclass(frozen=True)
class Decided:
    """Rows of a table and what is decided about them.

    `results` has every different result once, in the columns of `ADDED`; `places` has for each row
    which of them is its own. A row with a category that the list has never seen is a problem if it
    is asked for it: `unknown` names the input, and nothing else is said about the row.
    """

    piece: Piece
    results: pl.DataFrame
    places: pl.Series

    @property
    def added(self) -> pl.DataFrame:
        """The result of each row."""
        return self.results.select(pl.all().gather(self.places))

    @property
    def frame(self) -> pl.DataFrame:
        """The rows with their results behind their own columns."""
        return self.piece.frame.hstack(self.added.get_columns())

    @property
    def decisions(self) -> Counter[str]:
        """How many rows end with each decision."""
        decisions = self.results.to_series(0).to_list()
        counts = np.bincount(self.places.to_numpy(), minlength=len(decisions)).tolist()
        found: Counter[str] = Counter()
        for decision, count in zip(decisions, counts, strict=True):
            found[decision] += count
        return +found


def applied(
    staircase: Staircase,
    source: Source,
    *,
    prefix: str = "",
    look: Callable[[pl.DataFrame], None] | None = None,
) -> Iterator[Decided]:
    """The pieces of the table with what is decided about each row.

    Only the columns of questions that are still asked are needed. `look` is shown these columns,
    piece by piece.
    """
    questions = staircase.questions
    _check_columns(questions, source, prefix)
    inputs = list(dict.fromkeys(question.input for question in questions))
    others = {question.input for question in questions if not question.condition.is_numeric}
    # Decimal commas are still texts to whoever reads the file.
    numbers = set(inputs) - others if source.decimal == "." else set()
    again = inputs_asked_again(staircase.scoring_list.questions)
    walk = _Walk(staircase)
    for piece in source.pieces():
        columns = piece.columns(inputs, numbers)
        if look is not None:
            look(columns.with_columns(source.with_points(one, piece) for one in columns))
        answers = [
            answers_in_piece(
                question,
                columns[question.input],
                piece,
                source,
                value_only=question.input in again,
                unseen=True,
            )
            for question in questions
        ]
        results, places = walk.results(answers, piece.height)
        yield Decided(piece, results.rename(lambda name: prefix + name), places)


def _check_columns(questions: Sequence[Question], source: Source, prefix: str) -> None:
    for question in questions:
        source.check_column(question.input)
    for name in ADDED:
        if prefix + name in source.names:
            raise source.error(
                f"there is a column {prefix + name!r} already, and one of that name is added;"
                " choose a --prefix, for instance --prefix list_."
            )


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

    def results(self, answers: Sequence[Answers], height: int) -> tuple[pl.DataFrame, pl.Series]:
        """Every different result once, and for each row which of them is its own."""
        states = np.zeros(height, dtype=np.int64)
        for given in answers:
            states = self._next(states, np.maximum(given, UNKNOWN))
        if all((given > UNKNOWN).all() for given in answers):
            names = pl.Series("unknown", [""]).new_from_index(0, len(self.outcomes))
            return self._columns().with_columns(names), pl.Series(states)
        stages = np.array([outcome.stage for outcome in self.outcomes])[states]
        asked = [stages > place for place in range(len(answers))]
        unseen = [(given == UNSEEN) & was for given, was in zip(answers, asked, strict=True)]
        problem = np.any(unseen, axis=0)
        unknown = [
            np.where(problem, strange, (given == UNKNOWN) & was)
            for given, was, strange in zip(answers, asked, unseen, strict=True)
        ]
        # A problem is one whatever else is answered.
        first, places = _distinct(np.where(problem, 0, states), [*unknown, problem])
        columns = self._columns().select(pl.all().gather(pl.Series(states[first])))
        columns = _with_problems(columns, pl.Series(problem[first]))
        names = self._unknown([column[first] for column in unknown])
        return columns.with_columns(names), pl.Series(places)

    def _next(self, states: Numbers, given: Answers) -> Numbers:
        """The states after one more answer; a row that has stopped stays where it is."""
        codes = states * len(_ANSWERS)
        codes += given
        codes -= UNKNOWN
        seen = np.zeros(len(self.outcomes) * len(_ANSWERS), dtype=bool)
        seen[codes] = True
        leads_to = np.zeros(seen.size, dtype=np.int64)
        for code in np.flatnonzero(seen).tolist():
            leads_to[code] = self._step(*divmod(code, len(_ANSWERS)))
        return leads_to.take(codes)

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

    def _unknown(self, unknown: Sequence[Flags]) -> pl.Series:
        """The inputs that were unknown among the questions that were asked."""
        names = [question.input for question in self.staircase.questions]
        joined = [
            "; ".join(dict.fromkeys(compress(names, row))) for row in zip(*unknown, strict=True)
        ]
        return pl.Series("unknown", joined, pl.String)


def _with_problems(columns: pl.DataFrame, problem: pl.Series) -> pl.DataFrame:
    others = [column for column in columns.columns if column != "decision"]
    return columns.with_columns(
        pl.when(problem).then(pl.lit(PROBLEM)).otherwise(pl.col("decision")).alias("decision"),
        *(pl.when(~problem).then(pl.col(name)).name.keep() for name in others),
    )


def _distinct(states: Numbers, unknown: Sequence[Flags]) -> tuple[Numbers, Numbers]:
    """The first row of each kind, and for each row the number of its kind.

    Rows are of a kind if they end in the same state with the same answers unknown.
    """
    kinds = states
    for column in unknown:
        if column.any():
            # Numbered anew each time, so that they stay small however many questions there are.
            _, kinds = np.unique(kinds * 2 + column, return_inverse=True)
    _, first, places = np.unique(kinds, return_index=True, return_inverse=True)
    return first, places

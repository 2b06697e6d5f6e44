"""The result of an evaluation as a value: every figure of the report comes from here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from scorecard.core.accuracy import Ends, pooled
from scorecard.core.model import Question, ScoringList
from scorecard.core.policy import By
from scorecard.errors import LearningError
from scorecard.evaluation.measures import KEYS, Bin, calibration
from scorecard.evaluation.resampling import (
    LIST,
    Progress,
    SplitResult,
    Task,
    learned,
    resample,
    stacked,
)
from scorecard.evaluation.splits import Size, Splitting, smallest_good_size
from scorecard.learning.counts import Floats
from scorecard.tables.cases import Cases

RISK_BINS = tuple(np.linspace(0, 1, 11).tolist())


@dataclass(frozen=True)
class Curve:
    """A measure by number of questions: mean over the splits and half its 95 % interval.

    `defined` is how many splits have the figure; where none has, mean and half are NaN.
    """

    means: Floats
    halves: Floats
    defined: Floats


@dataclass(frozen=True)
class Promise:
    """Whether a rule keeps its limits on cases it has not seen.

    `ends` has all splits together; `kept_out` and `kept_in` are the shares of splits whose
    ruled-out (ruled-in) cases kept the limit, `None` where no split ruled anybody out (in).
    """

    by: By
    ends: Ends | None
    kept_out: float | None
    kept_in: float | None
    refused: int
    reason: str = ""


@dataclass(frozen=True)
class Evaluation:
    """Resampled figures of a list and its baselines, with the list learned from all cases."""

    cases: Cases
    outcome: str
    splitting: Splitting
    task: Task
    results: tuple[SplitResult, ...]
    failed: tuple[str, ...]
    rounds: float
    scoring_list: ScoringList

    @cached_property
    def stages(self) -> int:
        """The most questions that any split asked."""
        return max(len(result.questions) for result in self.results)

    @property
    def methods(self) -> tuple[str, ...]:
        return self.task.methods

    @cached_property
    def _measures(self) -> dict[str, Floats]:
        return {name: stacked(self.results, name, self.stages) for name in self.methods}

    def values(self, method: str, key: str) -> Floats:
        """A measure by split and number of questions; NaN where it is not defined."""
        return self._measures[method][:, :, KEYS.index(key)]

    def curve(self, method: str, key: str) -> Curve:
        return curve_of(self.values(method, key))

    @cached_property
    def size(self) -> Size:
        """The smallest list within one standard error of the best."""
        return smallest_good_size(self.values(LIST, "brier"), self.rounds)

    def lists_of(self, questions: int) -> int:
        """How many splits asked at least so many questions."""
        return sum(len(result.questions) >= questions for result in self.results)

    @property
    def cases_behind(self) -> tuple[float, float]:
        """Cases that gave the figures of the list of all cases, and of a resample on average."""
        start = self.scoring_list.stages[0]
        assert start is not None
        whole = start.risks[0].cases or 0
        tested = sum(one.outcome.size for one in self.results if one.outcome is not None)
        return whole, whole * (1 - tested / len(self.results) / self.cases.inputs.height)

    def promise(self, by: By) -> Promise:
        low, high = self.task.policy.limits
        applied = [r.ends[by] for r in self.results if r.ends and by in r.ends]
        reasons = [r.refused[by] for r in self.results if r.refused and by in r.refused]
        missed = [one.missed.value for one in applied if one.missed]
        right = [one.right_to_treat.value for one in applied if one.right_to_treat]
        return Promise(
            by,
            pooled(applied, self.rounds * len(applied) / len(self.results)) if applied else None,
            _share([rate <= low for rate in missed]),
            _share([rate >= high for rate in right]),
            len(reasons),
            reasons[0] if reasons else "",
        )

    def benefits(self, method: str) -> Curve:
        return curve_of(np.array([r.methods[method].benefits for r in self.results if r.methods]))

    def losses(self, method: str) -> Curve:
        return curve_of(np.array([r.methods[method].losses for r in self.results if r.methods]))

    def upper_losses(self) -> Curve:
        return curve_of(np.array([r.upper_losses for r in self.results]))

    def calibration(self, method: str) -> list[Bin]:
        """Predicted and observed risk after the last question, all splits together."""
        risks = np.concatenate([r.methods[method].risks for r in self.results if r.methods])
        outcome = np.concatenate([r.outcome for r in self.results if r.outcome is not None])
        return calibration(risks, outcome, RISK_BINS, self.rounds)


def curve_of(values: Floats) -> Curve:
    """Mean and 95 % half-width (1.96 standard errors) over the rows that have the figure."""
    defined = (~np.isnan(values)).sum(axis=0).astype(np.float64)
    some = np.maximum(defined, 1)
    means = np.where(defined > 0, np.nansum(values, axis=0) / some, np.nan)
    squares = np.nansum((values - means) ** 2, axis=0) / np.maximum(defined - 1, 1)
    halves = np.where(defined > 1, 1.96 * np.sqrt(squares / some), np.nan)
    return Curve(means, halves, defined)


def evaluate_table(
    cases: Cases,
    outcome: str,
    task: Task,
    splitting: Splitting | None = None,
    n_jobs: int | None = None,
    progress: Progress | None = None,
) -> Evaluation:
    """Judge how a list learned from these cases does on cases that did not choose it."""
    splitting = splitting or Splitting()
    truth = cases.outcome.to_numpy().astype(bool)
    splits = splitting.splits(truth)
    whole = learned(cases.inputs, truth, task.settings)
    found = resample(cases.inputs, truth, splits, task, n_jobs, progress)
    results = tuple(one for one in found if not one.failed)
    failed = tuple(one.failed for one in found if one.failed)
    if not results:
        raise LearningError(f"no split could be learned from: {failed[0]}")
    rounds = splitting.rounds(truth.size, splits) * len(results) / len(found)
    return Evaluation(cases, outcome, splitting, task, results, failed, rounds, whole.scoring_list_)


def best_size(
    cases: Cases, settings: dict[str, Any], splitting: Splitting, n_jobs: int | None = None,
    progress: Progress | None = None,
) -> Size:  # fmt: skip
    """How many questions to ask, at least one, judged by resampling the list alone."""
    task = Task(settings, rules=(), methods=(LIST,))
    found = evaluate_table(cases, "", task, splitting, n_jobs, progress)
    return smallest_good_size(found.values(LIST, "brier"), found.rounds, least=min(found.stages, 1))


def _share(kept: Sequence[bool]) -> float | None:
    return sum(kept) / len(kept) if kept else None


@dataclass(frozen=True)
class Chosen:
    """How often an input became a question: its places, points and cut-offs over the resamples.

    `places` and `points` are shares of all resamples. `cutoffs` are the 10 %, 50 % and 90 %
    quantiles of its cut-offs, `None` for an input without any; `conditions` are its questions.
    """

    input: str
    share: float
    places: Mapping[int, float]
    points: Mapping[int, float]
    cutoffs: tuple[float, float, float] | None
    conditions: Mapping[str, float]


def stability(results: Sequence[SplitResult]) -> list[Chosen]:
    """All inputs that were ever chosen, the most frequent first."""
    asked: dict[str, list[tuple[int, Question]]] = {}
    for result in results:
        for place, question in enumerate(result.questions, 1):
            asked.setdefault(question.input, []).append((place, question))
    found = [_chosen(name, questions, len(results)) for name, questions in asked.items()]
    return sorted(found, key=lambda one: (-one.share, one.input))


def same_first_questions(
    results: Sequence[SplitResult], questions: Sequence[Question]
) -> list[float]:
    """For k = 1, 2, …: the share of resamples whose first k questions ask the same inputs."""
    names = [question.input for question in questions]
    return [
        sum({q.input for q in result.questions[:k]} == set(names[:k]) for result in results)
        / len(results)
        for k in range(1, len(names) + 1)
    ]


def _chosen(name: str, asked: Sequence[tuple[int, Question]], splits: int) -> Chosen:
    cutoffs = [q.condition.cutoff for _, q in asked if q.condition.cutoff is not None]
    middle = np.quantile(cutoffs, (0.1, 0.5, 0.9)).tolist() if cutoffs else None
    return Chosen(
        name,
        len(asked) / splits,
        _shares([place for place, _ in asked], splits),
        _shares([question.points for _, question in asked], splits),
        tuple(middle) if middle else None,
        _shares([str(question.condition) for _, question in asked], splits),
    )


def _shares(values: Sequence[Any], splits: int) -> dict[Any, float]:
    return {value: count / splits for value, count in Counter(values).most_common()}

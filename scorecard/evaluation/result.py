"""The result of an evaluation as a value: every figure of the report comes from here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from scorecard.core.model import Question, ScoringList
from scorecard.core.performance import Ends, Rate, pooled
from scorecard.core.policy import By, StoppingPolicy
from scorecard.errors import LearningError
from scorecard.evaluation.external import Subgroup
from scorecard.evaluation.measures import (
    KEYS,
    Bin,
    Estimate,
    Outcomes,
    benefit_curve,
    calibration,
    calibration_line,
    loss_curve,
    observed_to_expected,
)
from scorecard.evaluation.resampling import (
    LIST,
    Progress,
    ResampledSize,
    SplitResult,
    Splitting,
    Task,
    learned,
    resample,
    smallest_good_size,
    stacked,
)
from scorecard.evaluation.shown import ShownResult
from scorecard.learning.counts import Floats
from scorecard.tables.cases import Cases
from scorecard.tables.labels import Labels

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
class ErrorRates:
    """Whether a rule keeps its limits on cases it has not seen.

    `ends` has all splits together; `kept_out` and `kept_in` are the shares of splits whose
    ruled-out (ruled-in) cases kept the limit, `None` where no split ruled anybody out (in).
    `out` and `into` are the limits: one, or where every list has its own, the mean over those who
    stop, and the lowest and highest.
    """

    by: By
    ends: Ends | None
    out: Estimate
    into: Estimate
    kept_out: float | None
    kept_in: float | None
    refused: int
    reason: str = ""


@dataclass(frozen=True, repr=False)
class Evaluation(ShownResult):
    """Resampled figures of a list and its baselines, with the list learned from all cases."""

    cases: Cases
    outcome: str
    splitting: Splitting
    task: Task
    results: tuple[SplitResult, ...]
    failed: tuple[str, ...]
    rounds: float
    scoring_list: ScoringList
    labels: Labels = field(default_factory=Labels)
    by_group: str = ""

    @property
    def policy(self) -> StoppingPolicy:
        """What the list of all cases is put under."""
        return self.task.policy_for(self.scoring_list)

    def label(self, name: str) -> str:
        """What an input is called."""
        return str(self.labels.inputs.get(name, {}).get("label") or name)

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
    def size(self) -> ResampledSize:
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
        tested = sum(one.outcome.size for one in self.results)
        return whole, whole * (1 - tested / len(self.results) / self.cases.inputs.height)

    def error_rates(self, by: By) -> ErrorRates:
        used = [r for r in self.results if by in r.ends]
        applied = [r.ends[by] for r in used]
        reasons = [r.refused[by] for r in self.results if by in r.refused]
        out = [(r.ends[by].missed, r.policy.limits[0]) for r in used]
        into = [(r.ends[by].right_to_treat, r.policy.limits[1]) for r in used]
        return ErrorRates(
            by,
            pooled(applied, self.rounds * len(applied) / len(self.results)) if applied else None,
            _limit(out, self.policy.limits[0]),
            _limit(into, self.policy.limits[1]),
            _share([rate.value <= limit for rate, limit in out if rate]),
            _share([rate.value >= limit for rate, limit in into if rate]),
            len(reasons),
            reasons[0] if reasons else "",
        )

    def subgroups(self) -> Iterator[Subgroup]:
        """The groups that were judged apart, all splits together."""
        for name in sorted({name for result in self.results for name in result.groups}):
            found = [result.groups[name] for result in self.results if name in result.groups]
            risks = np.concatenate([one.risks for one in found])
            outcome = np.concatenate([one.outcome for one in found])
            ends = pooled([one.ends for one in found], self.rounds)
            yield Subgroup.of(name, ends, risks, outcome)

    def lines(self) -> Curve:
        """Calibration intercept, slope, and observed to expected of the list, over the splits."""
        rows = [_line(one.methods[LIST].risks, one.outcome) for one in self.results]
        return curve_of(np.array(rows, np.float64))

    def benefits(self, method: str) -> Curve:
        """Net benefit over the threshold of risk."""
        results = self.results
        return curve_of(
            np.array([benefit_curve(r.methods[method].risks, r.outcome) for r in results])
        )

    def losses(self, method: str) -> Curve:
        """Expected loss over what a miss costs."""
        return curve_of(
            np.array([loss_curve(r.methods[method].risks, r.outcome) for r in self.results])
        )

    def upper_losses(self) -> Curve:
        """The same of the list, decided by the upper ends of its ranges."""
        return curve_of(np.array([loss_curve(r.uppers, r.outcome) for r in self.results]))

    def calibration(self, method: str) -> list[Bin]:
        """Predicted and observed risk after the last question, all splits together."""
        risks = np.concatenate([r.methods[method].risks for r in self.results])
        outcome = np.concatenate([r.outcome for r in self.results])
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
    labels: Labels | None = None,
    by_group: str = "",
    groups: Sequence[str] = (),
) -> Evaluation:
    """Judge how a list learned from these cases does on cases that did not choose it.

    Parameters
    ----------
    cases : what is learned from and judged on.
    outcome : the name of its column.
    task : how a list is learned and stopped, and with what it is compared.
    splitting : which cases learn and which judge.
    n_jobs, progress : processes side by side, and who is told about the splits done.
    labels : what the list and its inputs are called.
    by_group, groups : a column whose groups are judged apart, and the group of every case.
    """
    splitting = splitting or Splitting()
    truth = cases.outcome.to_numpy().astype(bool)
    if cases.groups is not None:
        task = replace(task, belongs=cases.groups.to_numpy())
    splits = splitting.splits(truth, task.belongs)
    labels = (labels or Labels()).with_units(cases.units)
    settings = labels.learning_settings(task.settings, cases.inputs.columns)
    task, labels = replace(task, settings=settings), labels.with_costs(settings["costs"])
    whole = learned(cases.inputs, truth, settings, task.belongs)
    found = resample(cases.inputs, truth, splits, task, n_jobs, progress, groups)
    results = tuple(one for one in found if not isinstance(one, str))
    failed = tuple(one for one in found if isinstance(one, str))
    if not results:
        raise LearningError(f"no split could be learned from: {failed[0]}")
    rounds = splitting.rounds(truth.size, splits) * len(results) / len(found)
    shown = labels.put_on(whole.scoring_list_)
    return Evaluation(
        cases, outcome, splitting, task, results, failed, rounds, shown, labels, by_group
    )


def _limit(sides: Sequence[tuple[Rate | None, float]], otherwise: float) -> Estimate:
    """The mean limit of those who stop, with the lowest and the highest one."""
    counted = [(found.cases, limit) for found, limit in sides if found]
    limits = [limit for _, limit in counted] or [otherwise]
    cases = sum(count for count, _ in counted)
    mean = sum(count * limit for count, limit in counted) / cases if cases else limits[0]
    return mean, min(limits), max(limits)


def _line(risks: Floats, outcome: Outcomes) -> tuple[float, float, float]:
    there = ~np.isnan(risks)
    line = calibration_line(risks[there], outcome[there])
    ratio = observed_to_expected(risks[there], outcome[there])
    nothing = float("nan")
    return (
        line.intercept[0] if line else nothing,
        line.slope[0] if line else nothing,
        ratio[0] if ratio else nothing,
    )


def _share(kept: Sequence[bool]) -> float | None:
    return sum(kept) / len(kept) if kept else None


@dataclass(frozen=True)
class Chosen:
    """How often an input became a question: its places, points and cut-offs over the resamples.

    `share`, `places` and `points` are shares of all resamples; the place is that where it is first
    asked. `cutoffs` are the 10 %, 50 % and 90 %
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
    asked: dict[str, list[Question]] = {}
    places: dict[str, list[int]] = {}
    for result in results:
        first: dict[str, int] = {}
        for place, question in enumerate(result.questions, 1):
            asked.setdefault(question.input, []).append(question)
            first.setdefault(question.input, place)
        for name, place in first.items():
            places.setdefault(name, []).append(place)
    found = [_chosen(asked[name], places[name], len(results)) for name in asked]
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


def _chosen(asked: Sequence[Question], places: Sequence[int], splits: int) -> Chosen:
    cutoffs = [one.condition.cutoff for one in asked if one.condition.cutoff is not None]
    middle = np.quantile(cutoffs, (0.1, 0.5, 0.9)).tolist() if cutoffs else None
    return Chosen(
        asked[0].input,
        len(places) / splits,
        _shares(places, splits),
        _shares([question.points for question in asked], splits),
        tuple(middle) if middle else None,
        _shares([str(question.condition) for question in asked], splits),
    )


def _shares(values: Sequence[Any], splits: int) -> dict[Any, float]:
    return {value: count / splits for value, count in Counter(values).most_common()}

"""Learn on a part of the cases, judge on the rest, many times, and for all methods alike.

What a list is compared with: logistic regression gets the answers to the list's own questions,
stage by stage, as in the paper, and shows what whole points cost. A tree may make as many splits as
the list asks questions, and boosting has all columns: it shows what could be known at most.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from scorecard.core.build_staircase import build_staircase, usual_policy
from scorecard.core.model import Question, ScoringList
from scorecard.core.performance import Ends, ends_of
from scorecard.core.policy import By, StoppingPolicy
from scorecard.errors import LearningError, PolicyError, ScorecardError
from scorecard.evaluation.measures import (
    KEYS,
    Outcomes,
    as_row,
    known_answers,
    list_measures,
    patterns,
    risk_measures,
    stage_predictions,
)
from scorecard.learning.classifier import ScoringListClassifier
from scorecard.learning.counts import Floats
from scorecard.learning.inputs import Input, asked_columns, from_frame
from scorecard.learning.risks import Answers
from scorecard.learning.sample import filled, rows_of

# As good as none, and the fit stays finite where an answer separates the outcomes.
NO_PENALTY = 1e10

LARGEST = 1e30
BASELINES = {
    "logistic": "logistic regression (L2)",
    "logistic-free": "logistic regression (no penalty)",
    "tree": "decision tree",
    "boosting": "gradient boosting",
}
LIST = "list"
METHODS = {LIST: "scoring list", **BASELINES}
RULES: tuple[By, ...] = get_args(By)
ENOUGH_CELLS = 1_000_000  # of all splits together: one process has them in some ten seconds
FOLDS_INSIDE = 5  # lists of cross-validation within a split: ten would take twice as long

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Task:
    """What is done on every split: how a list is learned, stopped, and compared with what.

    Without a policy every list is put under its own, the one that its data can show, with these
    changes. `belongs` tells which rows belong together, for instance to one patient.
    """

    settings: Mapping[str, Any]
    policy: StoppingPolicy | None = None
    changes: Mapping[str, Any] = field(default_factory=dict)
    miss_cost: float = 10.0
    rules: tuple[By, ...] = RULES
    methods: tuple[str, ...] = tuple(METHODS)
    belongs: NDArray[Any] | None = None

    def policy_for(self, scoring_list: ScoringList) -> StoppingPolicy:
        return self.policy or usual_policy(scoring_list, **self.changes)


@dataclass(frozen=True)
class MethodResult:
    """One method on one split: measures by stage (rows) and the risks after its last stage."""

    measures: Floats
    risks: Floats


@dataclass(frozen=True)
class GroupResult:
    """A group of the cases that judge a split: how they end, their risks and outcomes."""

    ends: Ends
    risks: Floats
    outcome: Outcomes


@dataclass(frozen=True)
class SplitResult:
    """One split: the list it chose, every method's figures, and where the policy stopped whom.

    `uppers` are the upper ends of the ranges of the list's risks. `refused` says for a rule why its
    staircase could not be built on this split.
    """

    questions: tuple[Question, ...]
    outcome: Outcomes
    methods: Mapping[str, MethodResult]
    uppers: Floats
    ends: Mapping[By, Ends]
    refused: Mapping[By, str]
    policy: StoppingPolicy
    groups: Mapping[str, GroupResult]


def resample(
    frame: Any,
    outcome: Outcomes,
    splits: Sequence[Split],
    task: Task,
    n_jobs: int | None = None,
    progress: Progress | None = None,
    groups: Sequence[str] = (),
) -> list[SplitResult | str]:
    """The result of every split, in their order.

    Splits run side by side on `n_jobs` processes; without a number, on as many as are worth it. A
    text says why nothing could be learned from a split. `groups` has for every case the group that
    is also judged apart.
    """
    jobs = n_jobs or usual_jobs(len(splits), frame)
    results: list[SplitResult | str] = [""] * len(splits)
    inputs, names = from_frame(frame), np.array(groups, dtype=object)
    work = [(i, frame, inputs, outcome, s, task, names) for i, s in enumerate(splits)]
    if jobs == 1 or len(splits) == 1:
        pairs: Any = (_numbered(*one) for one in work)
    else:
        from joblib import Parallel, delayed

        pairs = Parallel(jobs, return_as="generator_unordered")(
            delayed(_numbered)(*one) for one in work
        )
    for done, (place, result) in enumerate(pairs, 1):
        results[place] = result
        if progress:
            progress(done, len(splits))
    return results


def usual_jobs(splits: int, frame: Any) -> int:
    """Processes that are worth their start: each loads libraries for longer than it may learn."""
    few = splits * frame.height * frame.width < ENOUGH_CELLS
    return 1 if few else os.cpu_count() or 1


def _numbered(place: int, *arguments: Any) -> tuple[int, SplitResult | str]:
    from threadpoolctl import threadpool_limits

    # The splits run side by side; threads inside them would only wait for each other.
    with threadpool_limits(limits=1):
        return place, _one(*arguments)


def _one(
    frame: Any,
    inputs: list[Input],
    outcome: Outcomes,
    split: Split,
    task: Task,
    names: NDArray[Any],
) -> SplitResult | str:
    try:
        settings = quicker(task.settings)
        belongs = None if task.belongs is None else task.belongs[split.train]
        model = learned(frame[split.train], outcome[split.train], settings, belongs)
    except ScorecardError as error:
        return str(error)
    scoring_list = model.scoring_list_
    train, test = (
        known_answers(scoring_list.questions, filled(rows_of(inputs, rows), model.fill_values_))
        for rows in (split.train, split.test)
    )
    truth = outcome[split.test]
    predictions = [one for one in stage_predictions(scoring_list, test) if one is not None]
    risks = {LIST: [one.risks for one in predictions]}
    risks |= _baseline_risks(task.methods, train, test, inputs, outcome, split)
    methods = {
        name: _measured(found, [risk_measures(one, truth, task.miss_cost) for one in found])
        for name, found in risks.items()
    }
    own = [list_measures(one, truth, task.miss_cost) for one in predictions]
    methods[LIST] = _measured(risks[LIST], own)
    ends, refused = stops(scoring_list, task, test, truth)
    policy, last = task.policy_for(scoring_list), predictions[-1]
    names = names[split.test] if names.size else names
    groups = {
        name: GroupResult(ended, last.risks[here], truth[here])
        for name, here, ended in ends_of_groups(scoring_list, policy, names, test, truth)
    }
    questions = scoring_list.questions
    return SplitResult(questions, truth, methods, last.uppers, ends, refused, policy, groups)


def _measured(risks: list[Floats], measures: list[dict[str, float]]) -> MethodResult:
    return MethodResult(np.array([as_row(one) for one in measures]), risks[-1])


def quicker(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The same settings with fewer lists of cross-validation inside a split, where nobody chose."""
    return {**settings, "folds": settings.get("folds") or FOLDS_INSIDE}


def learned(
    frame: Any, outcome: Outcomes, settings: Mapping[str, Any], belongs: NDArray[Any] | None = None
) -> ScoringListClassifier:
    """A list from these cases; what the learner warns about concerns this split alone."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ScoringListClassifier(**settings).fit(frame, outcome, groups=belongs)


def _baseline_risks(
    methods: tuple[str, ...],
    train: Answers,
    test: Answers,
    inputs: list[Input],
    outcome: Outcomes,
    split: Split,
) -> dict[str, list[Floats]]:
    truth, questions = outcome[split.train], train.shape[1]
    columns = numeric_columns(inputs)
    learn, judge = columns[split.train], columns[split.test]
    makers: dict[str, Callable[[], list[Floats]]] = {
        "logistic": lambda: logistic_risks(train, truth, test),
        "logistic-free": lambda: logistic_risks(train, truth, test, penalised=False),
        "tree": lambda: tree_risks(learn, truth, judge, questions),
        "boosting": lambda: [boosting_risks(learn, truth, judge)],
    }
    return {name: make() for name, make in makers.items() if name in methods}


def stops(
    scoring_list: ScoringList, task: Task, answers: Answers, truth: Outcomes
) -> tuple[dict[By, Ends], dict[By, str]]:
    """Where each rule stops whom, and why a rule could not be applied."""
    ends: dict[By, Ends] = {}
    refused: dict[By, str] = {}
    policy = task.policy_for(scoring_list)
    for by in task.rules:
        try:
            staircase = build_staircase(scoring_list, replace(policy, by=by))
        except PolicyError as error:
            refused[by] = str(error)
        else:
            asked = answers[:, : len(staircase.questions)]
            ends[by] = ends_of(staircase, patterns(asked, truth))
    return ends, refused


def ends_of_groups(
    scoring_list: ScoringList,
    policy: StoppingPolicy,
    names: NDArray[Any],
    answers: Answers,
    truth: Outcomes,
) -> Iterator[tuple[str, NDArray[np.bool_], Ends]]:
    """Each group by its name: who belongs to it, and how they end under the policy."""
    alone = Task({}, policy, rules=(policy.by,))
    for name in sorted(set(names.tolist())):
        here = names == name
        ends, _ = stops(scoring_list, alone, answers[here], truth[here])
        yield name, here, ends.get(policy.by, Ends({}))


def stacked(results: Sequence[SplitResult], method: str, stages: int) -> NDArray[np.float64]:
    """Measures of a method: split × stage × measure.

    A list that ended earlier keeps the figures of its last stage: it would ask no more.
    """
    found = np.full((len(results), stages + 1, len(KEYS)), np.nan)
    for place, result in enumerate(results):
        measures = result.methods[method].measures
        found[place] = measures[np.minimum(np.arange(stages + 1), len(measures) - 1)]
    return found


def logistic_risks(
    train: Answers, outcome: Outcomes, test: Answers, penalised: bool = True
) -> list[Floats]:
    """Risks of the test cases after each stage; an unknown answer counts as the commonest one."""
    common = np.array([_commonest(column) for column in train.T], np.int8)
    learn, judge = (np.where(part < 0, common, part).astype(np.float64) for part in (train, test))
    risks = [np.full(len(judge), outcome.mean())]
    for stage in range(1, train.shape[1] + 1):
        model = _logistic(1.0 if penalised else NO_PENALTY)
        model.fit(learn[:, :stage], outcome)
        risks.append(model.predict_proba(judge[:, :stage])[:, 1])
    return risks


def tree_risks(train: Floats, outcome: Outcomes, test: Floats, most: int) -> list[Floats]:
    """Risks of the test cases of trees with 0, 1, … `most` splits."""
    from sklearn.tree import DecisionTreeClassifier

    risks = [np.full(len(test), outcome.mean())]
    for splits in range(1, most + 1):
        tree = DecisionTreeClassifier(
            criterion="entropy", max_leaf_nodes=splits + 1, random_state=0
        )
        risks.append(tree.fit(train, outcome).predict_proba(test)[:, 1])
    return risks


def boosting_risks(train: Floats, outcome: Outcomes, test: Floats) -> Floats:
    """Risks of the test cases by gradient boosting on all columns."""
    from sklearn.ensemble import HistGradientBoostingClassifier

    model = HistGradientBoostingClassifier(
        max_iter=60, learning_rate=0.08, max_leaf_nodes=8, early_stopping=False, random_state=0
    )
    risks: Floats = model.fit(train, outcome).predict_proba(test)[:, 1]
    return risks


def numeric_columns(inputs: Sequence[Input]) -> Floats:
    """All columns as numbers, a category as one column per value; NaN where missing."""
    by_name, asked = {one.name: one for one in inputs}, asked_columns(inputs, ask_missing=False)
    return np.column_stack([_in_reach(one.numbers(by_name[one.input])) for one in asked])


def _in_reach(numbers: Floats) -> Floats:
    """The column smaller by a factor if trees, which count in single precision, cannot hold it."""
    largest = np.nanmax(np.abs(numbers), initial=0.0)
    return numbers / largest if largest > LARGEST else numbers


def _logistic(strength: float) -> Any:
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(C=strength, solver="newton-cholesky", max_iter=200)


def _commonest(answers: Answers) -> int:
    known = answers[answers >= 0]
    return int(known.mean() > 0.5) if known.size else 0


# Which cases choose a list and which ones judge it ------------------------------------------------

Rows = NDArray[np.int64]


@dataclass(frozen=True)
class Split:
    """Rows that choose the list, and rows that judge it."""

    train: Rows
    test: Rows


@dataclass(frozen=True)
class Splitting:
    """Random stratified splits (the paper's way), or with `folds` repeated k-fold.

    `count` is the number of splits, or with `folds` that of repeats.
    """

    count: int = 100
    test_share: float = 1 / 3
    folds: int | None = None
    seed: int = 0

    def splits(
        self, outcome: NDArray[np.bool_], belongs: NDArray[Any] | None = None
    ) -> list[Split]:
        """The splits, the same for every method; refused where a part would lack an outcome.

        `belongs` tells which rows belong together, for instance to one patient.
        """
        positives = int(outcome.sum())
        rarer = min(positives, outcome.size - positives)
        needed = self.folds or 2
        if rarer < needed:
            raise LearningError(
                f"{rarer} cases have the rarer outcome; {needed} are needed so that every part of"
                " a split has one: use more cases or fewer folds."
            )
        try:
            if belongs is not None:
                return list(self._whole_groups(outcome, belongs))
            pairs = self._splitter().split(np.zeros((outcome.size, 1)), outcome)
            return [Split(*rows) for rows in pairs]
        except ValueError as error:
            raise LearningError(
                f"{outcome.size} cases cannot be split with a test share of {self.test_share:.3g}:"
                f" {error}"
            ) from error

    def _whole_groups(self, outcome: NDArray[np.bool_], belongs: NDArray[Any]) -> Iterator[Split]:
        """Splits that keep the rows of one patient together, as stratified as they can be."""
        from sklearn.model_selection import StratifiedGroupKFold

        parts = self.folds or max(2, round(1 / self.test_share))
        for number in range(self.count):
            splitter = StratifiedGroupKFold(parts, shuffle=True, random_state=self.seed + number)
            pairs = list(splitter.split(np.zeros((outcome.size, 1)), outcome, belongs))
            yield from (Split(*rows) for rows in (pairs if self.folds else pairs[:1]))

    def rounds(self, cases: int, splits: list[Split]) -> float:
        """How often a case is tested on average."""
        return sum(split.test.size for split in splits) / cases

    def words(self) -> str:
        if self.folds:
            return f"{self.folds}-fold cross-validation, repeated {self.count} times, stratified"
        return (
            f"{self.count} random stratified splits, {1 - self.test_share:.0%} of the cases to"
            f" learn from and {self.test_share:.0%} to judge"
        )

    def _splitter(self) -> Any:
        from sklearn.model_selection import RepeatedStratifiedKFold, StratifiedShuffleSplit

        if self.folds:
            return RepeatedStratifiedKFold(
                n_splits=self.folds, n_repeats=self.count, random_state=self.seed
            )
        return StratifiedShuffleSplit(self.count, test_size=self.test_share, random_state=self.seed)


@dataclass(frozen=True)
class ResampledSize:
    """How many questions to ask: the fewest within one standard error of the best, and why.

    `means` is the resampled Brier score after 0, 1, … questions, `errors` the standard error of
    its distance to the best one.
    """

    questions: int
    best: int
    means: tuple[float, ...]
    errors: tuple[float, ...]

    @property
    def none_helps(self) -> bool:
        """Whether the base rate alone is as good as the best list."""
        return self.means[0] - self.means[self.best] <= self.errors[0]

    @property
    def reason(self) -> str:
        """One sentence for the person and for the record."""
        best, chosen = self.means[self.best], self.means[self.questions]
        if self.best == 0:
            return f"no list is better than guessing the base rate, Brier score {best:.4f}."
        if self.none_helps:
            return (
                f"guessing the base rate, Brier score {self.means[0]:.4f}, is within one standard"
                f" error ({self.errors[0]:.4f}) of the best list, {best:.4f} with {self.best}"
                f" {_questions(self.best)}."
            )
        if self.questions == self.best:
            return (
                f"{self.best} {_questions(self.best)}: the best resampled Brier score, {best:.4f};"
                " every shorter list is worse by more than one standard error."
            )
        return (
            f"{self.questions} {_questions(self.questions)}: the Brier score {chosen:.4f} is within"
            f" one standard error ({self.errors[self.questions]:.4f}) of the best, {best:.4f} with"
            f" {self.best} {_questions(self.best)}."
        )


def smallest_good_size(briers: Floats, rounds: float, least: int = 0) -> ResampledSize:
    """Choose from Brier scores by split (row) and number of questions (column).

    Both sizes are judged on the same cases, so the error is that of their difference. Splits share
    cases: `rounds`, how often each case was tested, makes repeats count once, and for one k-fold
    run it is the usual standard deviation over folds divided by √k. A list that is to be
    printed has at least one question (`least`).

    Examples
    --------
    >>> smallest_good_size(np.array([[0.25, 0.20, 0.199], [0.24, 0.19, 0.192]]), 1.0).questions
    1
    """
    kept = briers[~np.isnan(briers).any(axis=1)]
    means = kept.mean(axis=0)
    best = int(means.argmin())
    spread = (kept - kept[:, [best]]).std(axis=0, ddof=1) if len(kept) > 1 else means * 0
    errors = spread * np.sqrt(rounds / len(briers))
    good = np.flatnonzero(means - means[best] <= errors)
    return ResampledSize(
        max(int(good[0]), least), best, tuple(means.tolist()), tuple(errors.tolist())
    )


def _questions(count: int) -> str:
    return "question" if count == 1 else "questions"

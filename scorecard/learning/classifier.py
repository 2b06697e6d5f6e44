"""`ScoringListClassifier`: the learner as a scikit-learn classifier over pure functions."""

from __future__ import annotations

import logging
import sys
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from joblib import effective_n_jobs  # type: ignore[import-untyped]
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.metrics import accuracy_score
from sklearn.utils.validation import (
    assert_all_finite,
    check_consistent_length,
    check_is_fitted,
    column_or_1d,
    validate_data,
)

from scorecard.errors import LearningError
from scorecard.learning import inputs as reading
from scorecard.learning.cases import (
    checked_weights,
    filled,
    held_out_split,
    modes,
    outcome_of,
    refuse_missing,
    rows_of,
    stacked,
)
from scorecard.learning.comparisons import ComparisonCounts
from scorecard.learning.counts import CaseCounts, Floats, Integers
from scorecard.learning.figures import (
    Answers,
    StageFigures,
    effective_weights,
    evidence,
    possible_range,
    stage_figures,
    standings,
)
from scorecard.learning.inputs import Input
from scorecard.learning.options import Options
from scorecard.model import Figures, Question, ScoringList

logger = logging.getLogger("scorecard.learning")


class RisingRiskWarning(UserWarning):
    """The data contradict a risk that rises with the total; the stage has no band."""


class ScoringListClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Learn a probabilistic scoring list: questions in order, with small whole points.

    Parameters
    ----------
    points : sequence of int
        The points a question may have.
    max_questions : int or None
        The most questions to ask (at most 100).
    min_gain : float or None
        A question must lower the loss by more than this. `None` asks every input, helpful or not.
    cutoffs : "exact", "bisect" or int
        Try all cut-offs of a numeric input, the paper's halving heuristic, or at most so many
        quantiles.
    binarize : "in-search" or "beforehand"
        Choose cut-offs stage by stage, or once per input by the entropy of the input alone.
    calibration : "isotonic", "isotonic-prior", "beta", "beta-l2" or "sigmoid"
        How probabilities are estimated from the counts per total. The search itself always uses
        isotonic estimates.
    calibration_strength : float or None
        The L2 penalty, or for "isotonic-prior" the cases of the base rate added at each total.
    loss : "entropy" or "ranking"
        Expected entropy, or the soft rank loss over all pairs of a positive and a negative.
    search : "greedy" or "optimal"
        Choose question by question, or the list with the smallest sum of stage losses of all lists:
        for few inputs with one cut-off each (yes/no, or binarized beforehand) and no missing value.
    lookahead : int
        Choose each question by the sum of losses over so many stages.
    beam_width : int
        Keep so many lists while searching.
    held_out : float
        Share of the cases kept out of the search and used for probabilities, bands and evidence.
    band : "paper", "sidak" or "pooled"
        How confidence bands are made simultaneous over the totals of a stage.
    level : float
        Confidence level of the bands.
    signs : mapping of input name to "+" or "-", or None
        Inputs that may only have positive or only negative points.
    fixed : sequence or None
        Questions asked first, in this order: a `Question`, an input's name, or (name, points).
    round_cutoffs : bool, "nice" or mapping of input name to step
        Use the roundest cut-off that separates the same cases. "nice" or a step allow only cut-offs
        on a grid; what that costs is in `rounding_price_`.
    positive_label : object
        The class whose risk is learned; by default the second of the sorted classes.
    missing : "unknown", "mode", "question" or "refuse"
        A missing value is an unknown answer; or the input's most frequent value; or also a question
        of its own ("is it missing?"); or refused.
    random_state : int, RandomState or None
        Chooses the cases that are held out.
    n_jobs : int or None
        Threads that search inputs side by side.

    Attributes
    ----------
    scoring_list_ : ScoringList
        The learned list with risks, bands and evidence.
    losses_ : tuple of float
        Loss after each stage on the cases of the search, stage 0 first.
    classes_ : ndarray
        The two class labels, sorted.
    rounding_price_ : dict or None
        With a grid: the loss of the list, and of the list with free cut-offs.

    Notes
    -----
    A case with an unknown answer leaves the counts from that question on. While searching it keeps
    the loss it had until then, so a question is judged by what it gains among those who can answer
    it, in proportion to all cases. Its predicted probability is that of the last stage it reached
    with all answers known.

    Weights are scaled to sum to Kish's effective number of cases in all counts and bands.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[30], [35], [40], [45], [50], [55], [60], [65], [70], [75]])
    >>> y = np.array([0, 0, 0, 0, 1, 0, 1, 1, 1, 1])
    >>> model = ScoringListClassifier().fit(X, y)
    >>> str(model.scoring_list_.questions[0].condition)
    '>= 50'
    """

    classes_: NDArray[Any]
    questions_: tuple[Question, ...]
    losses_: tuple[float, ...]
    rounding_price_: dict[str, float] | None
    _positive: int
    _modes: dict[str, Any]
    _figures: list[StageFigures]
    _cases: tuple[Answers, NDArray[np.bool_], Floats] | None
    _scoring_list: ScoringList | None

    def __init__(
        self,
        *,
        points: Sequence[int] = (-3, -2, -1, 1, 2, 3),
        max_questions: int | None = None,
        min_gain: float | None = 0.0,
        cutoffs: str | int = "exact",
        binarize: str = "in-search",
        calibration: str = "isotonic",
        calibration_strength: float | None = None,
        loss: str = "entropy",
        search: str = "greedy",
        lookahead: int = 1,
        beam_width: int = 1,
        held_out: float = 0.0,
        band: str = "paper",
        level: float = 0.95,
        signs: Mapping[str, str] | None = None,
        fixed: Sequence[Any] | None = None,
        round_cutoffs: bool | str | Mapping[str, float] = True,
        positive_label: Any = None,
        missing: str = "unknown",
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.points = points
        self.max_questions = max_questions
        self.min_gain = min_gain
        self.cutoffs = cutoffs
        self.binarize = binarize
        self.calibration = calibration
        self.calibration_strength = calibration_strength
        self.loss = loss
        self.search = search
        self.lookahead = lookahead
        self.beam_width = beam_width
        self.held_out = held_out
        self.band = band
        self.level = level
        self.signs = signs
        self.fixed = fixed
        self.round_cutoffs = round_cutoffs
        self.positive_label = positive_label
        self.missing = missing
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> ScoringListClassifier:
        """Learn a list from cases `X` with outcomes `y`."""
        options = Options.checked(self.get_params(deep=False))
        table, labels = self._read_with_labels(X, y)
        weights = checked_weights(sample_weight, len(labels))
        if weights is not None and not weights.all():
            count = weights > 0
            table, labels, weights = rows_of(table, count), labels[count], weights[count]
        outcome = outcome_of(labels, self.positive_label)
        self.classes_, self._positive = outcome.classes, outcome.positive
        is_positive = outcome.is_positive
        searched, figured = held_out_split(is_positive, options.held_out, self.random_state)

        def part(rows: NDArray[Any]) -> Floats | None:
            return None if weights is None else weights[rows]

        self._modes = {}
        if options.missing == "mode":
            self._modes = modes(rows_of(table, searched), part(searched))
        table = filled(table, self._modes)
        self._learn(
            rows_of(table, searched) if options.held_out else table,
            options,
            lambda columns: CaseCounts(columns, is_positive[searched], part(searched)),
        )
        self._estimate(
            rows_of(table, figured) if options.held_out else table,
            is_positive[figured],
            part(figured),
            options,
        )
        return self

    def fit_comparisons(
        self, X_preferred: Any, X_other: Any, sample_weight: Any = None
    ) -> ScoringListClassifier:
        """Learn to rank from comparisons alone: each row of `X_preferred` before that of `X_other`.

        The list ranks by total; it has no probabilities. An answer that is missing on either side
        leaves the comparison as it is.
        """
        options = Options.checked(self.get_params(deep=False))
        preferred, other = self._read(X_preferred, reset=True), self._read(X_other, reset=False)
        check_consistent_length(preferred[0].values, other[0].values)
        count = len(preferred[0].values)
        weights = checked_weights(sample_weight, count)
        table = stacked(preferred, other)
        self._modes = modes(table, None) if options.missing == "mode" else {}
        self._learn(
            filled(table, self._modes),
            options,
            lambda columns: ComparisonCounts(
                [column[:count] for column in columns],
                [column[count:] for column in columns],
                weights,
            ),
            pairs=True,
        )
        self._figures, self._cases = [], None
        return self

    def predict(self, X: Any, stage: int | None = None) -> NDArray[Any]:
        """The more probable class."""
        second = self.predict_proba(X, stage)[:, 1] > 0.5
        return np.asarray(self.classes_[second.astype(int)])

    def predict_proba(self, X: Any, stage: int | None = None) -> Floats:
        """Probabilities of both classes after `stage` questions (default: all)."""
        totals, reached = self._walked(X, stage)
        figures = self._needed_figures()
        chances = np.empty(len(reached))
        for number in np.unique(reached):
            here = reached == number
            chances[here] = figures[number].chances(totals[here])
        columns = (chances, 1 - chances) if self._positive == 0 else (1 - chances, chances)
        return np.column_stack(columns)

    def decision_function(self, X: Any, stage: int | None = None) -> Floats:
        """The total, shifted so that it is above 0 where the second class is predicted.

        It also ranks cases that share a probability. A list learned from comparisons has nothing
        to shift by.
        """
        totals, reached = self._walked(X, stage)
        values = totals.astype(np.float64)
        if not self._figures:
            return values
        first = self._positive == 0
        shifts = np.array([one.tipping_total(inclusive=first) for one in self._figures])[reached]
        return np.asarray(shifts - values if first else values - shifts)

    def predict_interval(self, X: Any, stage: int | None = None) -> Floats:
        """Lower and upper bound of the positive class's probability after `stage` questions.

        Unknown answers leave more than one total; the interval then covers all of them.
        """
        answers, number = self._answers(X), self._stage(stage)
        one = self._needed_figures()[number]
        if one.bounds is None:
            raise LearningError(
                f"stage {number} has no band: the data contradict a risk that rises with the total."
            )
        lowest, highest = possible_range(answers[:, :number], self._points[:number])
        lower, upper = one.bounds
        return np.column_stack(
            (
                lower[np.searchsorted(one.totals, lowest)],
                upper[np.searchsorted(one.totals, highest)],
            )
        )

    def totals(self, X: Any, stage: int | None = None) -> NDArray[Any]:
        """The total after `stage` questions; with unknown answers a float array, NaN for those."""
        number = self._stage(stage)
        totals, reached = self._walked(X, number)
        unknown = reached < number
        return np.where(unknown, np.nan, totals) if unknown.any() else totals

    def score(self, X: Any, y: Any, sample_weight: Any = None, stage: int | None = None) -> float:
        """Accuracy after `stage` questions."""
        return float(accuracy_score(y, self.predict(X, stage), sample_weight=sample_weight))

    @property
    def scoring_list_(self) -> ScoringList:
        """The learned list as a value, made when it is first asked for."""
        check_is_fitted(self)
        if self._scoring_list is None:
            self._scoring_list = self._assembled()
            self._cases = None  # from here on the patterns are all that is kept of them
        return self._scoring_list

    def __getstate__(self) -> Any:
        # single cases do not leave in a pickle
        if getattr(self, "_cases", None) is not None:
            self._scoring_list = self.scoring_list_
        return super().__getstate__()

    def _assembled(self) -> ScoringList:
        if not self._figures:
            return ScoringList(self.questions_, (None,) * (len(self.questions_) + 1))
        found = evidence(*self._cases) if self._cases else None
        if found is None:
            logger.warning("more answer patterns than can be kept: the list has no evidence")
        figures = Figures("held-out" if self.held_out else "training", float(self.level), self.band)
        stages = tuple(one.stage() for one in self._figures)
        return ScoringList(self.questions_, stages, figures=figures, evidence=found)

    def _learn(
        self, table: list[Input], options: Options, make_source: Any, pairs: bool = False
    ) -> None:
        if "scorecard.learning.kernels" not in sys.modules:
            from scorecard.learning.compiled import announced

            with announced(getattr(self, "_announce", None)):
                pass
        from scorecard.learning.learn import learn

        learned = learn(
            table, options, make_source, pairs,
            effective_n_jobs(options.n_jobs), getattr(self, "_progress", None),
        )  # fmt: skip
        self.questions_ = learned.questions
        self.losses_ = learned.losses
        self.rounding_price_ = learned.price
        self._scoring_list = None

    def _estimate(
        self,
        table: list[Input],
        is_positive: NDArray[np.bool_],
        weights: Floats | None,
        options: Options,
    ) -> None:
        answers = self._answers_of(table)
        effective, scale = effective_weights(weights, is_positive.size)
        self._figures = stage_figures(
            answers, is_positive, effective, scale, self._points,
            options.calibration, options.calibration_strength, options.band, options.level,
        )  # fmt: skip
        kept = len(self._figures) - 1
        if kept < len(self.questions_):
            logger.warning("nobody answers more than %d questions: the list ends there", kept)
            self.questions_, self.losses_ = self.questions_[:kept], self.losses_[: kept + 1]
        self._cases = answers[:, :kept], is_positive, effective
        for number, one in enumerate(self._figures):
            if one.bounds is None:
                warnings.warn(
                    f"stage {number}: the data contradict a risk that rises with the total;"
                    " it has no band.",
                    RisingRiskWarning,
                    stacklevel=3,
                )

    @property
    def _points(self) -> list[int]:
        return [question.points for question in self.questions_]

    def _read_with_labels(self, X: Any, y: Any) -> tuple[list[Input], NDArray[Any]]:
        if not _is_frame(X):
            X, labels = validate_data(self, X, y, dtype=np.float64, ensure_all_finite=self._finite)
            return reading.from_array(X, self._names()), labels
        validate_data(self, X, y, skip_check_array=True)
        labels = column_or_1d(y, warn=True)
        assert_all_finite(labels, input_name="y")
        table = self._from_frame(X)
        check_consistent_length(table[0].values, labels)
        return table, labels

    def _read(self, X: Any, reset: bool) -> list[Input]:
        if _is_frame(X):
            validate_data(self, X, reset=reset, skip_check_array=True)
            return self._from_frame(X)
        X = validate_data(self, X, dtype=np.float64, ensure_all_finite=self._finite, reset=reset)
        return reading.from_array(X, self._names())

    def _from_frame(self, X: Any) -> list[Input]:
        table = reading.from_frame(X)
        rows = len(table[0].values) if table else 0
        if not rows:
            raise LearningError(
                f"Found array with {rows} sample(s) and {len(table)} feature(s),"
                " while a minimum of 1 is required."
            )
        if self.missing == "refuse":
            refuse_missing(table)
        return table

    @property
    def _finite(self) -> bool | str:
        return True if self.missing == "refuse" else "allow-nan"

    def _names(self) -> list[str]:
        numbered = [f"x{j}" for j in range(self.n_features_in_)]
        return list(getattr(self, "feature_names_in_", numbered))

    def _answers(self, X: Any) -> Answers:
        check_is_fitted(self)
        return self._answers_of(filled(self._read(X, reset=False), self._modes))

    def _answers_of(self, table: list[Input]) -> Answers:
        by_name = {one.name: one for one in table}
        answers = np.empty((len(table[0].values), len(self.questions_)), np.int8)
        for place, question in enumerate(self.questions_):
            yes = reading.answers(by_name[question.input], question.condition)
            answers[:, place] = np.where(np.isnan(yes), -1, yes)
        return answers

    def _walked(self, X: Any, stage: int | None) -> tuple[Integers, Integers]:
        """Totals where the known answers end, at `stage` at the latest, and the stage that is."""
        answers, number = self._answers(X), self._stage(stage)
        *_, last = standings(answers, self._points[:number])
        return last

    def _stage(self, stage: int | None) -> int:
        last = len(self.questions_)
        if stage is None:
            return last
        whole = isinstance(stage, (int, np.integer)) and not isinstance(stage, bool)
        if not whole or not 0 <= stage <= last:
            raise LearningError(f"stage: {stage!r} came, expected a whole number from 0 to {last}.")
        return int(stage)

    def _needed_figures(self) -> list[StageFigures]:
        if not self._figures:
            raise LearningError(
                "this list was learned from comparisons and has no probabilities;"
                " use totals or decision_function."
            )
        return self._figures

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.input_tags.allow_nan = self.missing != "refuse"
        return tags


def _is_frame(X: Any) -> bool:
    return hasattr(X, "columns") and hasattr(X, "shape")

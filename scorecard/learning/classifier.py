"""`ScoringListClassifier`: `ListLearner` as a scikit-learn classifier."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
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

from scorecard.core.model import Question, ScoringList
from scorecard.core.policy import StoppingPolicy
from scorecard.errors import LearningError
from scorecard.learning.counts import Floats
from scorecard.learning.inputs import Input, from_array, from_frame, lazy_frame, refuse_missing
from scorecard.learning.learn import Bins
from scorecard.learning.learner import LearnedList, ListLearner, cases_in_memory, lazy_cases
from scorecard.learning.options import DEFAULTS, Options
from scorecard.learning.risks import Answers, answers_of
from scorecard.learning.sample import CaseTable, Labelled, filled

if TYPE_CHECKING:
    from scorecard.display import Summary
    from scorecard.evaluation.plots import PSLDisplay


class ScoringListClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Learn a probabilistic scoring list: questions in order, with small whole points.

    Parameters
    ----------
    points : sequence of int
        The points a question may have.
    max_questions : "auto", int or None
        The most questions to ask beside those of `fixed` (`None`: 100 in all). "auto" asks six,
        and fewer where fewer have the lowest cross-validated log loss, by more than three standard
        errors.
    repeat_inputs : int
        How often an input may be asked, each time with another cut-off or category.
    min_answers : float or None
        So many cases at least have to answer a question either way, and to lie between two cut-offs
        of one input; by default 10, or a twentieth of fewer than 200 cases.
    cutoffs : "auto", "exact", "bisect" or int
        Try all cut-offs of a numeric input, the paper's halving heuristic, or at most so many
        quantiles, in which both outcomes count the same. "auto" takes 8 quantiles below 1,200
        cases, and 50 from there on.
    evidence : "cross-validated", "held-out" or "training"
        What the risks come from. "cross-validated": all cases choose the questions; lists learned
        without a part of them each say how the risks have to be corrected and which stops keep
        their promise. "held-out": the cases kept out of the search. "training": the cases that
        chose the questions, as in the paper; these figures are too good.
    folds : int or None
        Lists learned for cross-validation; by default 10, and 3 from 50,000 cases on.
    held_out : float
        Share of the cases kept out of everything. With cross-validated evidence they validate the
        finished list; with evidence="held-out" (there 1/3 by default) they give its figures.
    signs : mapping of input name to "+" or "-", or None
        Inputs that may only have positive or only negative points, before these are turned round.
    fixed : sequence, set or None
        Questions asked first, in this order: a `Question`, an input's name, (name, points), or a
        `GivenQuestion`; what one leaves open is learned. A set leaves the order open, too.
    round_cutoffs : bool
        Use the roundest cut-off that separates the same cases; where quantiles are tried, the
        roundest within 2 % of the cases around each.
    positive_label : object
        The class whose risk is learned; by default the second of the sorted classes.
    missing : "unknown", "mode", "question" or "refuse"
        A missing value is an unknown answer; or the input's most frequent value; or also a question
        of its own ("is it missing?"); or refused.
    policy : StoppingPolicy or None
        The limits that the list is made for. By default a cross-validated list gets the strictest
        ones that its data can show.
    costs : mapping of input name to number, or None
        What it takes to have an input, in any one unit; an input without a cost is free.
    panels : mapping of panel name to input names, or None
        Inputs that are bought together: the panel is paid for once.
    cost_weight : "auto" or float
        A question counts by its gain divided by its cost to this power. "auto" takes the power with
        the least mean cost that does not decide fewer cases, by more than two standard errors, than
        power 0 in cross-validation. Costs that are all the same change nothing.
    available : mapping of input name to share, or None
        In how many patients an input can be had, at most as many as in the table; 0: never ask. By
        default as many as in the table. Inputs that are often unknown are asked later where
        cross-validation then decides more.
    published : mapping or None
        Parts of the method as it was published (Hanselle and others 2025), where they are to be
        other than here: "min_gain" (a question must lower the loss by more than this, by default
        0; `None` asks every input, helpful or not), "binarize" ("in-search" or "beforehand": cut-
        offs are chosen stage by stage, or once per input by the entropy of the input alone),
        "calibration" ("sigmoid", "isotonic" or "beta": how probabilities are estimated from the
        counts per total, in the search too), "loss" ("entropy", or "ranking": the soft rank loss
        over all pairs of a positive and a negative), "lookahead" (1: choose each question by the
        sum of losses over so many stages), "positive_points" (whether a question with negative
        points is asked the other way round), "substitutes" (whether a question may say what to ask
        instead). `options.PUBLISHED` has all parameters with which a list is that of the paper.
    random_state : int, RandomState or None
        Divides the cases into folds, and chooses those that are held out.

    Attributes
    ----------
    scoring_list_ : ScoringList
        The learned list with risks, bands and evidence.
    losses_ : tuple of float
        Loss after each stage on the cases of the search, stage 0 first: the expected entropy (bits)
        of the estimates that candidates were judged by, or the share of misranked pairs.
    classes_ : ndarray
        The two class labels, sorted.
    positive_class_ : object
        The one of them whose risk is learned.
    n_features_in_ : int
        How many columns were given.
    feature_names_in_ : ndarray
        Their names, where these are texts; the questions ask for them.
    feature_importances_ : ndarray
        For each column the loss that its questions remove, in the units of `losses_`; 0 for one
        that is not asked for.
    questions_ : tuple of Question
        The questions in order.
    fill_values_ : dict
        With `missing="mode"`: what stands for a missing value, by input name.
    bins_ : dict
        By input into how many bins of round numbers its values were put, from 50,000 cases on, and
        the largest share of the cases in one of them.
    size_reason_ : str or None
        With `max_questions="auto"`: the cross-validated figures that the number of questions is
        from.
    weighing_reason_ : str | None
        Where costs or unknown answers were weighed: how, and what that does in cross-validation.

    Notes
    -----
    While searching, an unknown answer counts like that of the majority. In the counts behind the
    risks it stays unknown. Its predicted probability is the mean of both ways, each as likely as in
    the cases that answered with the same total.

    Of more than 500 columns that could be asked for, those of which one cut-off by itself tells
    most about the outcome are searched; a warning says so.

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

    missing: str
    classes_: NDArray[Any]
    positive_class_: Any
    questions_: tuple[Question, ...]
    losses_: tuple[float, ...]
    size_reason_: str | None
    weighing_reason_: str | None
    fill_values_: dict[str, Any]
    bins_: dict[str, Bins]
    _positive: int
    _learned: LearnedList
    _progress: Callable[[float, int], None] | None = None

    def __init__(
        self,
        *,
        points: Sequence[int] = (-3, -2, -1, 1, 2, 3),
        max_questions: int | str | None = "auto",
        repeat_inputs: int = 3,
        min_answers: float | None = None,
        cutoffs: str | int = "auto",
        evidence: str = "cross-validated",
        folds: int | None = None,
        held_out: float = 0.0,
        signs: Mapping[str, str] | None = None,
        fixed: Sequence[Any] | None = None,
        round_cutoffs: bool = True,
        positive_label: Any = None,
        missing: str = "unknown",
        policy: StoppingPolicy | None = None,
        costs: Mapping[str, float] | None = None,
        panels: Mapping[str, Sequence[str]] | None = None,
        cost_weight: float | str = "auto",
        available: Mapping[str, float] | None = None,
        published: Mapping[str, Any] | None = None,
        random_state: Any = 0,
    ) -> None:
        given = dict(locals())
        for name in DEFAULTS:
            setattr(self, name, given[name])

    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None, keys: Any = None
    ) -> ScoringListClassifier:
        """Learn a list from cases with their outcomes.

        Parameters
        ----------
        X : data frame, array of shape (n_samples, n_features), or lazy frame
            A lazy frame of any engine that narwhals knows (polars, DuckDB, Spark, Ibis …) stays
            where it is: only counts leave it. Then `y` is the name of a column, and so are the
            others; rows are divided by their groups, keys or values.
        y : array of shape (n_samples,)
            Two classes.
        sample_weight : array of shape (n_samples,), optional
        groups : array of shape (n_samples,), optional
            Rows with the same entry belong to one patient: they stay together wherever cases are
            divided, and count for less.
        keys : array of shape (n_samples,) or "values", optional
            One number for each case: it is the key (or the group) that decides where a case goes,
            the same in every table, and not chance. "values" takes the values of the row.

        Returns
        -------
        ScoringListClassifier
            Itself.
        """
        learner = self._learner()
        cases, outcome = self._cases(X, y, sample_weight, groups, keys, learner.options)
        self.classes_, self._positive = outcome.classes, outcome.positive
        self.positive_class_ = outcome.classes[outcome.positive]
        return self._keep(learner.learn(cases))

    def watch(self, progress: Callable[[float, int], None] | None = None) -> ScoringListClassifier:
        """Be told while it learns; clones and pickled copies tell nobody.

        Parameters
        ----------
        progress : callable, optional
            Gets how many questions are done, parts of one as inputs are, and how many there may be.

        Returns
        -------
        ScoringListClassifier
            Itself.
        """
        self._progress = progress
        return self

    def predict(self, X: Any, stage: int | None = None) -> NDArray[Any]:
        """The more probable class.

        Parameters
        ----------
        X : data frame or array of shape (n_samples, n_features)
        stage : int, optional
            After so many questions; by default after all.

        Returns
        -------
        ndarray of shape (n_samples,)
            Of `classes_`.
        """
        second = self.predict_proba(X, stage)[:, 1] > 0.5
        return np.asarray(self.classes_[second.astype(int)])

    def predict_proba(self, X: Any, stage: int | None = None) -> Floats:
        """Probabilities of both classes after `stage` questions (default: all).

        Parameters
        ----------
        X : data frame or array of shape (n_samples, n_features)
        stage : int, optional
            After so many questions; by default after all.

        Returns
        -------
        ndarray of shape (n_samples, 2)
            In the order of `classes_`; of an unknown answer the mean of both ways.
        """
        answers = self.answers(X)
        chances = self._learned.fitted.chances(answers, self._learned.fitted.stage(stage))
        columns = (chances, 1 - chances) if self._positive == 0 else (1 - chances, chances)
        return np.column_stack(columns)

    def decision_function(self, X: Any, stage: int | None = None) -> Floats:
        """The total, shifted so that it is above 0 where the second class is predicted.

        It also ranks cases that share a probability.

        Parameters
        ----------
        X : data frame or array of shape (n_samples, n_features)
        stage : int, optional
            After so many questions; by default after all.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        answers, number = self.answers(X), self._learned.fitted.stage(stage)
        first = self._positive == 0
        values = self._learned.fitted.leanings(answers, number, inclusive=first)
        return -values if first else values

    def predict_interval(self, X: Any, stage: int | None = None) -> Floats:
        """Lower and upper bound of the positive class's probability after `stage` questions.

        Unknown answers leave more than one total; the interval then covers all of them.

        Parameters
        ----------
        X : data frame or array of shape (n_samples, n_features)
        stage : int, optional
            After so many questions; by default after all.

        Returns
        -------
        ndarray of shape (n_samples, 2)
        """
        answers = self.answers(X)
        return self._learned.fitted.intervals(answers, self._learned.fitted.stage(stage))

    def totals(self, X: Any, stage: int | None = None) -> NDArray[Any]:
        """The total after `stage` questions; with unknown answers a float array, NaN for those.

        Parameters
        ----------
        X : data frame or array of shape (n_samples, n_features)
        stage : int, optional
            After so many questions; by default after all.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        answers, number = self.answers(X), self._learned.fitted.stage(stage)
        totals, reached = self._learned.fitted.standings(answers, number)
        unknown = reached < number
        return np.where(unknown, np.nan, totals) if unknown.any() else totals

    def answers(self, X: Any) -> Answers:
        """The cases' answers, one column per question: 1 yes, 0 no, −1 unknown.

        Parameters
        ----------
        X : data frame or array of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples, n_questions)
        """
        check_is_fitted(self)
        return answers_of(self.questions_, filled(self._read(X, reset=False), self.fill_values_))

    def score(self, X: Any, y: Any, sample_weight: Any = None, stage: int | None = None) -> float:
        """Accuracy after `stage` questions.

        Parameters
        ----------
        X : data frame or array of shape (n_samples, n_features)
        y : array of shape (n_samples,)
        sample_weight : array of shape (n_samples,), optional
        stage : int, optional
            After so many questions; by default after all.

        Returns
        -------
        float
        """
        return float(accuracy_score(y, self.predict(X, stage), sample_weight=sample_weight))

    @property
    def scoring_list_(self) -> ScoringList:
        """The learned list as a value, made when it is first asked for."""
        check_is_fitted(self)
        return self._learned.scoring_list

    @property
    def feature_importances_(self) -> Floats:
        """The loss that the questions about each column remove; together what the list removes."""
        check_is_fitted(self)
        removed = dict.fromkeys(self._names(), 0.0)
        for question, before, after in zip(
            self.questions_, self.losses_, self.losses_[1:], strict=False
        ):
            removed[question.input] += before - after
        return np.array(list(removed.values()))

    def list_under(self, policy: StoppingPolicy) -> ScoringList:
        """The learned list made for this policy; held-out cases validate it under the same.

        Parameters
        ----------
        policy : StoppingPolicy

        Returns
        -------
        ScoringList
        """
        check_is_fitted(self)
        return self._learned.list_under(policy)

    def summary(self) -> Summary:
        """A row for each question: what it adds; below, how the list was made and what it shows.

        Returns
        -------
        Summary
            To print, with `to_frame`.

        Examples
        --------
        >>> import numpy as np
        >>> smokes = np.tile([0.0, 1.0], 30)[:, None]
        >>> model = ScoringListClassifier(evidence="training").fit(smokes, smokes[:, 0] == 1)
        >>> [(row["question"], row["points"]) for row in model.summary().rows]
        [('x0', 1)]
        """
        from scorecard.display import summary_of

        reasons = (self.size_reason_, self.weighing_reason_)
        return summary_of(self.scoring_list_, self.losses_, filter(None, reasons))

    def plot(self, X: Any = None, y: Any = None, **how: Any) -> PSLDisplay:
        """Draw the staircase; with cases also calibration and decision curve on them.

        Parameters
        ----------
        X, y : as for `fit`, optional
            Cases that did not choose the list, to judge it by.
        **how
            As for `PSLDisplay.from_estimator`.

        Returns
        -------
        PSLDisplay

        Examples
        --------
        >>> import numpy as np
        >>> smokes = np.tile([0.0, 1.0], 30)[:, None]
        >>> model = ScoringListClassifier(evidence="training").fit(smokes, smokes[:, 0] == 1)
        >>> display = model.plot()
        >>> display.figure_ is display.ax_.figure
        True
        """
        from scorecard.evaluation.plots import PSLDisplay

        return PSLDisplay.from_estimator(self, X, y, **how)

    def __getstate__(self) -> Any:
        # whoever watches does not travel
        state = super().__getstate__()
        return {name: value for name, value in state.items() if name != "_progress"}

    def _learner(self) -> ListLearner:
        return ListLearner(self.get_params(deep=False), self._progress)

    def _keep(self, found: LearnedList) -> ScoringListClassifier:
        self._learned = found
        self.questions_, self.losses_ = found.fitted.questions, found.losses
        self.size_reason_, self.weighing_reason_ = found.size_reason, found.weighing_reason
        self.fill_values_, self.bins_ = found.fill_values, found.bins
        return self

    def _cases(
        self, X: Any, y: Any, weights: Any, groups: Any, keys: Any, options: Options
    ) -> tuple[CaseTable, Labelled]:
        frame = lazy_frame(X) if isinstance(y, str) else None
        if frame is None:
            inputs, labels = self._read_with_labels(X, y)
            return cases_in_memory(inputs, labels, weights, groups, keys, options)
        if weights is not None:
            raise LearningError("sample_weight: the cases of a lazy frame all weigh the same.")
        table, outcome = lazy_cases(frame, y, groups, keys, options)
        self.n_features_in_ = len(table.inputs)
        self.feature_names_in_ = np.array([one.name for one in table.inputs], object)
        return table, outcome

    def _read_with_labels(self, X: Any, y: Any) -> tuple[list[Input], NDArray[Any]]:
        if not _is_frame(X):
            X, labels = validate_data(self, X, y, dtype=np.float64, ensure_all_finite=self._finite)
            return from_array(X, self._names()), labels
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
        return from_array(X, self._names())

    def _from_frame(self, X: Any) -> list[Input]:
        table = from_frame(X)
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

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.missing != "refuse"
        tags.classifier_tags.multi_class = False
        return tags


def _is_frame(X: Any) -> bool:
    return hasattr(X, "columns") and hasattr(X, "shape")

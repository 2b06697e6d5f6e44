"""`ScoringListClassifier`: the learner as a scikit-learn classifier over pure functions."""

from __future__ import annotations

import logging
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
from joblib import effective_n_jobs  # type: ignore[import-untyped]
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.metrics import accuracy_score
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from scorecard.core.accuracy import validated
from scorecard.core.climbing import build_staircase, usual_policy
from scorecard.core.corrected import corrected_stages
from scorecard.core.evidence import Evidence
from scorecard.core.given_question import GIVEN
from scorecard.core.model import Figures, Question, ScoringList, with_smallest_points
from scorecard.core.policy import StoppingPolicy
from scorecard.learning.counts import ComparisonCounts, DivisibleSource, Floats
from scorecard.learning.inputs import CaseReader, Described, lazy_frame, refuse_unknown
from scorecard.learning.options import Options
from scorecard.learning.risks import (
    Answers,
    FittedList,
    StageFigures,
    answers_of,
    evidence,
    stage_figures,
    strength_of,
)
from scorecard.learning.sample import (
    CaseTable,
    Sample,
    checked_groups,
    checked_weights,
    filled,
    modes,
    outcome_of,
    places_of,
    stacked,
)
from scorecard.learning.weighing import PLAIN

if TYPE_CHECKING:
    from scorecard.learning.learn import Bins, Learned, Learner

logger = logging.getLogger("scorecard.learning")


KERNELS = "scorecard.learning.kernels"
WATCHING = ("_progress", "_announce")


Kept = tuple[Evidence, float]
"""The answers of cases that were kept out of everything, and their design effect."""


def _gives_points(fixed: Any) -> bool:
    return not isinstance(fixed, str) and (
        isinstance(fixed, tuple) or getattr(fixed, "points", None) is not None
    )


class RisingRiskWarning(UserWarning):
    """The data contradict a risk that rises with the total; the stage has no band."""


class ScoringListClassifier(ClassifierMixin, CaseReader):  # type: ignore[misc]
    """Learn a probabilistic scoring list: questions in order, with small whole points.

    Parameters
    ----------
    points : sequence of int
        The points a question may have.
    max_questions : "auto", int or None
        The most questions to ask beside those of `fixed` (`None`: 100 in all). "auto" asks six,
        and fewer where fewer have the lowest cross-checked log loss, by more than three standard
        errors.
    repeat_inputs : int
        How often an input may be asked, each time with another cut-off or category.
    min_answers : float or None
        So many cases at least have to answer a question either way, and to lie between two cut-offs
        of one input; by default 10, or a twentieth of fewer than 200 cases.
    min_gain : float or None
        A question must lower the loss by more than this. `None` asks every input, helpful or not.
    cutoffs : "auto", "exact", "bisect" or int
        Try all cut-offs of a numeric input, the paper's halving heuristic, or at most so many
        quantiles, in which both outcomes count the same. "auto" takes 8 quantiles below 1,200
        cases, and 50 from there on.
    binarize : "in-search" or "beforehand"
        Choose cut-offs stage by stage, or once per input by the entropy of the input alone.
    calibration : "isotonic", "isotonic-prior", "beta", "beta-l2" or "sigmoid"
        How probabilities are estimated from the counts per total. With `loss="entropy"` the search
        judges candidates by the same estimates: as in the paper, a list with beta calibration is
        the one whose beta estimates have the smallest entropy. Only pseudo-cases do not take part:
        a list with "isotonic-prior" is searched for by plain isotonic estimates.
    calibration_strength : float or None
        The L2 penalty, for "sigmoid" on the slope per standard deviation of the total; or for
        "isotonic-prior" the cases of the base rate added at each total. It is set against the
        weight of all cases, so it matters whether weights add up to the number of cases.
    loss : "entropy" or "ranking"
        Expected entropy, or the soft rank loss over all pairs of a positive and a negative.
    search : "greedy" or "optimal"
        Choose question by question, or the list with the smallest sum of stage losses of all lists:
        for few inputs with one cut-off each (yes/no, or binarized beforehand) and no missing value.
    lookahead : int
        Choose each question by the sum of losses over so many stages.
    beam_width : int
        Keep so many lists while searching.
    evidence : "cross-checked", "held-out" or "training"
        What the risks come from. "cross-checked": all cases choose the questions; lists learned
        without a part of them each say how the risks have to be corrected and which stops keep
        their promise. "held-out": the cases kept out of the search. "training": the cases that
        chose the questions, as in the paper; these figures are too good.
    folds : int or None
        Lists learned for cross-checking; by default 10, and 3 from 50,000 cases on.
    held_out : float
        Share of the cases kept out of everything. With cross-checked evidence they validate the
        finished list; with evidence="held-out" (there 1/3 by default) they give its figures.
    band : "paper", "sidak" or "pooled"
        How confidence bands are made simultaneous over the totals of a stage.
    level : float
        Confidence level of the bands.
    signs : mapping of input name to "+" or "-", or None
        Inputs that may only have positive or only negative points, before these are turned round.
    fixed : sequence, set or None
        Questions asked first, in this order: a `Question`, an input's name, (name, points), or a
        `GivenQuestion`; what one leaves open is learned. A set leaves the order open, too.
    positive_points : bool
        Ask a question with negative points the other way round, "x < 5: +2" for "x ≥ 5: −2", once
        the list is learned, and divide all points by what they are multiples of, "+1, +2" for
        "+2, +4": adding small numbers is easiest. Risks and decisions stay the same.
    round_cutoffs : bool, "nice" or mapping of input name to step
        Use the roundest cut-off that separates the same cases; where quantiles are tried, the
        roundest within 2 % of the cases around each. "nice" or a step allow only cut-offs on a
        grid; what that costs is in `rounding_price_`.
    positive_label : object
        The class whose risk is learned; by default the second of the sorted classes.
    missing : "unknown", "mode", "question" or "refuse"
        A missing value is an unknown answer; or the input's most frequent value; or also a question
        of its own ("is it missing?"); or refused.
    policy : StoppingPolicy or None
        The limits that the list is made for. By default a cross-checked list gets the strictest
        ones that its data can show.
    costs : mapping of input name to number, or None
        What it takes to have an input, in any one unit; an input without a cost is free.
    panels : mapping of panel name to input names, or None
        Inputs that are bought together: the panel is paid for once.
    cost_weight : "auto" or float
        A question counts by its gain divided by its cost to this power. "auto" takes the power with
        the least mean cost that does not decide fewer cases, by more than two standard errors, than
        power 0 in cross-checking. Costs that are all the same change nothing.
    available : mapping of input name to share, or None
        In how many patients an input can be had, at most as many as in the table; 0: never ask. By
        default as many as in the table. Inputs that are often unknown are asked later where
        cross-checking then decides more.
    substitutes : bool
        Whether a question about an input that is often unknown may say what to ask instead: an
        input that agrees with it in the cases that have both, where cross-checking then decides
        more. A table without missing values has none, nor has a lazy frame.
    random_state : int, RandomState or None
        Divides the cases into folds, and chooses those that are held out.
    n_jobs : int or None
        Threads that search inputs side by side.

    Attributes
    ----------
    scoring_list_ : ScoringList
        The learned list with risks, bands and evidence.
    losses_ : tuple of float
        Loss after each stage on the cases of the search, stage 0 first: the expected entropy (bits)
        of the estimates that candidates were judged by, or the share of misranked pairs.
    classes_ : ndarray
        The two class labels, sorted.
    questions_ : tuple of Question
        The questions in order.
    near_inputs_ : tuple of frozenset of str
        With a `beam_width` above 1: what the other lists ask for that the search has kept.
    fill_values_ : dict
        With `missing="mode"`: what stands for a missing value, by input name.
    bins_ : dict
        By input into how many bins of round numbers its values were put, from 50,000 cases on, and
        the largest share of the cases in one of them.
    untried_gain_ : float
        By how much other cut-offs of these inputs could lower the loss of a question at most.
    rounding_price_ : dict or None
        With a grid: the loss of the list, and of the list with free cut-offs.
    size_reason_ : str or None
        With `max_questions="auto"`: the cross-checked figures that the number of questions is
        from.
    weighing_reason_ : str | None
        Where costs or unknown answers were weighed: how, and what that does in cross-checking.

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

    classes_: NDArray[Any]
    questions_: tuple[Question, ...]
    losses_: tuple[float, ...]
    rounding_price_: dict[str, float] | None
    size_reason_: str | None
    weighing_reason_: str | None
    fill_values_: dict[str, Any]
    bins_: dict[str, Bins]
    untried_gain_: float
    _positive: int
    _fitted: FittedList
    _scoring_list: ScoringList | None
    _kept_out: Kept | None
    _progress: Callable[[float, int], None] | None = None
    _announce: Callable[[str], None] | None = None

    def __init__(
        self,
        *,
        points: Sequence[int] = (-3, -2, -1, 1, 2, 3),
        max_questions: int | str | None = "auto",
        repeat_inputs: int = 3,
        min_answers: float | None = None,
        min_gain: float | None = 0.0,
        cutoffs: str | int = "auto",
        binarize: str = "in-search",
        calibration: str = "sigmoid",
        calibration_strength: float | None = None,
        loss: str = "entropy",
        search: str = "greedy",
        lookahead: int = 1,
        beam_width: int = 1,
        evidence: str = "cross-checked",
        folds: int | None = None,
        held_out: float = 0.0,
        band: str = "paper",
        level: float = 0.95,
        signs: Mapping[str, str] | None = None,
        fixed: Sequence[Any] | None = None,
        positive_points: bool = True,
        round_cutoffs: bool | str | Mapping[str, float] = True,
        positive_label: Any = None,
        missing: str = "unknown",
        policy: StoppingPolicy | None = None,
        costs: Mapping[str, float] | None = None,
        panels: Mapping[str, Sequence[str]] | None = None,
        cost_weight: float | str = "auto",
        available: Mapping[str, float] | None = None,
        substitutes: bool = True,
        random_state: Any = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.points = points
        self.max_questions = max_questions
        self.repeat_inputs = repeat_inputs
        self.min_answers = min_answers
        self.min_gain = min_gain
        self.cutoffs = cutoffs
        self.binarize = binarize
        self.calibration = calibration
        self.calibration_strength = calibration_strength
        self.loss = loss
        self.search = search
        self.lookahead = lookahead
        self.beam_width = beam_width
        self.evidence = evidence
        self.folds = folds
        self.held_out = held_out
        self.band = band
        self.level = level
        self.signs = signs
        self.fixed = fixed
        self.positive_points = positive_points
        self.round_cutoffs = round_cutoffs
        self.positive_label = positive_label
        self.missing = missing
        self.policy = policy
        self.costs = costs
        self.panels = panels
        self.cost_weight = cost_weight
        self.available = available
        self.substitutes = substitutes
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(
        self, X: Any, y: Any, sample_weight: Any = None, groups: Any = None, keys: Any = None
    ) -> ScoringListClassifier:
        """Learn a list from cases `X` with outcomes `y`.

        Rows with the same entry of `groups` belong to one patient: they stay together wherever
        cases are divided, and count for less. With `keys`, one number for each case, it is the key
        (or the group) that decides where a case goes, the same in every table, and not chance;
        "values" takes the values of the row for its key.

        `X` may be a lazy frame of any engine that narwhals knows (polars, DuckDB, Spark, Ibis …):
        only counts leave it. Then `y` is the name of a column, and so are the others; rows are
        divided by their groups, keys or values.
        """
        options = Options.checked(vars(self))
        learned_from = self._cases(X, y, sample_weight, groups, keys, options)
        kept_out: CaseTable | None = None
        if options.held_out:
            learned_from, kept_out = learned_from.held_out(options.held_out, self.random_state)
        self.fill_values_ = {}
        if options.missing == "mode":
            self.fill_values_ = learned_from.modes()
            learned_from = learned_from.filled(self.fill_values_)
            kept_out = None if kept_out is None else kept_out.filled(self.fill_values_)
        learner, source, learned = self._learn_from(learned_from, options)
        if options.evidence == "cross-checked":
            learned = self._cross_check(learned_from, learner, source, learned, options)
            self._kept_out = None if kept_out is None else self._counted(kept_out)
        else:
            self._estimate(kept_out or learned_from, options)
        self._seen = tuple(learner.seen(source, self.questions_))
        self.bins_ = learner.bins(source)
        self.untried_gain_ = learner.untried_gain(source, learned)
        return self

    def fit_comparisons(
        self, X_preferred: Any, X_other: Any, sample_weight: Any = None
    ) -> ScoringListClassifier:
        """Learn to rank from comparisons alone: each row of `X_preferred` before that of `X_other`.

        The list ranks by total; it has no probabilities. An answer that is missing on either side
        leaves the comparison as it is.
        """
        options = Options.checked(vars(self))
        preferred, other = self._read(X_preferred, reset=True), self._read(X_other, reset=False)
        check_consistent_length(preferred[0].values, other[0].values)
        count = len(preferred[0].values)
        weights = checked_weights(sample_weight, count)
        table = stacked(preferred, other)
        self.fill_values_ = modes(table, None) if options.missing == "mode" else {}
        inputs = filled(table, self.fill_values_)
        learner = self._learner(inputs, options)
        by_name = {one.name: one for one in inputs}
        numbers = [column.numbers(by_name[column.input]) for column in learner.columns]
        source = ComparisonCounts(
            [column[:count] for column in numbers], [column[count:] for column in numbers], weights
        )
        self._keep(learner.learn(source, pairs=True, progress=self._progress))
        self._fitted = FittedList(self.questions_)
        return self

    def watch(
        self,
        progress: Callable[[float, int], None] | None = None,
        announce: Callable[[str], None] | None = None,
    ) -> ScoringListClassifier:
        """Be told while it learns; clones and pickled copies tell nobody.

        `progress` gets how many questions are done, parts of one as inputs are, and how many there
        may be, `announce` a line when
        the search is compiled, which happens once on a machine.
        """
        self._progress, self._announce = progress, announce
        return self

    def predict(self, X: Any, stage: int | None = None) -> NDArray[Any]:
        """The more probable class."""
        second = self.predict_proba(X, stage)[:, 1] > 0.5
        return np.asarray(self.classes_[second.astype(int)])

    def predict_proba(self, X: Any, stage: int | None = None) -> Floats:
        """Probabilities of both classes after `stage` questions (default: all)."""
        answers = self.answers(X)
        chances = self._fitted.chances(answers, self._fitted.stage(stage))
        columns = (chances, 1 - chances) if self._positive == 0 else (1 - chances, chances)
        return np.column_stack(columns)

    def decision_function(self, X: Any, stage: int | None = None) -> Floats:
        """The total, shifted so that it is above 0 where the second class is predicted.

        It also ranks cases that share a probability. A list learned from comparisons has nothing
        to shift by.
        """
        answers, number = self.answers(X), self._fitted.stage(stage)
        first = bool(self._fitted.figures) and self._positive == 0
        values = self._fitted.leanings(answers, number, inclusive=first)
        return -values if first else values

    def predict_interval(self, X: Any, stage: int | None = None) -> Floats:
        """Lower and upper bound of the positive class's probability after `stage` questions.

        Unknown answers leave more than one total; the interval then covers all of them.
        """
        answers = self.answers(X)
        return self._fitted.intervals(answers, self._fitted.stage(stage))

    def totals(self, X: Any, stage: int | None = None) -> NDArray[Any]:
        """The total after `stage` questions; with unknown answers a float array, NaN for those."""
        answers, number = self.answers(X), self._fitted.stage(stage)
        totals, reached = self._fitted.standings(answers, number)
        unknown = reached < number
        return np.where(unknown, np.nan, totals) if unknown.any() else totals

    def answers(self, X: Any) -> Answers:
        """The cases' answers, one column per question: 1 yes, 0 no, −1 unknown."""
        check_is_fitted(self)
        return answers_of(self.questions_, filled(self._read(X, reset=False), self.fill_values_))

    def score(self, X: Any, y: Any, sample_weight: Any = None, stage: int | None = None) -> float:
        """Accuracy after `stage` questions."""
        return float(accuracy_score(y, self.predict(X, stage), sample_weight=sample_weight))

    @property
    def scoring_list_(self) -> ScoringList:
        """The learned list as a value, made when it is first asked for."""
        check_is_fitted(self)
        if self._scoring_list is None:
            self._scoring_list = replace(self._as_list(), seen=self._seen)
        return self._scoring_list

    def _as_list(self) -> ScoringList:
        if not self._fitted.figures:
            return self._fitted.scoring_list(Figures())
        if self._fitted.check is None:
            figures = Figures(
                "held-out" if self.evidence == "held-out" else "training",
                float(self.level), self.band, self.calibration, self._fitted.strength,
            )  # fmt: skip
            return replace(self._fitted.scoring_list(figures), policy=self.policy)
        figures = Figures("cross-checked", float(self.level), self.band)
        found = self._fitted.scoring_list(figures)
        if self.fixed:
            found = replace(found, provenance=((GIVEN, str(len(self.fixed))),))
        return self._under(self.policy or usual_policy(found), found)

    def list_under(self, policy: StoppingPolicy) -> ScoringList:
        """The learned list made for this policy; held-out cases validate it under the same."""
        return self._under(policy, self.scoring_list_)

    def _under(self, policy: StoppingPolicy, found: ScoringList) -> ScoringList:
        found = replace(found, policy=policy)
        if self._kept_out is None:
            return found
        new_cases, design_effect = self._kept_out
        validation = validated(
            build_staircase(found), new_cases, "the same table", "held-out", design_effect
        )
        return replace(found, validations=(validation,))

    def __getstate__(self) -> Any:
        # whoever watches does not travel
        state = super().__getstate__()
        return {name: value for name, value in state.items() if name not in WATCHING}

    def _cases(
        self, X: Any, y: Any, weights: Any, groups: Any, keys: Any, options: Options
    ) -> CaseTable:
        frame = lazy_frame(X) if isinstance(y, str) else None
        if frame is None:
            return self._sample(X, y, weights, groups, keys)
        from scorecard.learning.lazy import lazy_table

        table = lazy_table(
            frame, y, weights=weights, groups=groups, keys=keys,
            positive_label=self.positive_label,
            folds=(options.folds or 0) if options.evidence == "cross-checked" else 1,
        )  # fmt: skip
        if options.missing == "refuse":
            refuse_unknown(table.inputs)
        self.n_features_in_ = len(table.inputs)
        self.feature_names_in_ = np.array([one.name for one in table.inputs], object)
        self.classes_, self._positive = table.outcome.classes, table.outcome.positive
        return table

    def _sample(self, X: Any, y: Any, sample_weight: Any, groups: Any, keys: Any) -> Sample:
        table, labels = self._read_with_labels(X, y)
        weights = checked_weights(sample_weight, len(labels))
        together = checked_groups(groups, len(labels))
        outcome = outcome_of(
            labels if weights is None else labels[weights > 0], self.positive_label
        )
        self.classes_, self._positive = outcome.classes, outcome.positive
        is_positive = labels == outcome.classes[outcome.positive]
        places = places_of(table, keys, together, groups)
        sample = Sample(table, np.asarray(is_positive, bool), weights, together, places)
        return sample if weights is None or weights.all() else sample.rows(weights > 0)

    def _learner(self, table: Sequence[Described], options: Options) -> Learner:
        if KERNELS not in sys.modules:
            from scorecard.learning.compiled import announced

            with announced(self._announce):
                import_module(KERNELS)  # compiles them, unless they are in the cache
        from scorecard.learning.learn import Learner

        return Learner(table, options, effective_n_jobs(options.n_jobs))

    def _learn_from(
        self, sample: CaseTable, options: Options
    ) -> tuple[Learner, DivisibleSource, Learned]:
        learner = self._learner(sample.inputs, options)
        if learner.too_many:
            warnings.warn(learner.too_many, UserWarning, stacklevel=4)
        source = sample.source(learner.columns)
        weighing = options.weighing if learner.costs_differ else PLAIN
        learned = learner.learn(source, progress=self._progress, weighing=weighing)
        self._keep(learned)
        return learner, source, learned

    def _keep(self, learned: Learned) -> None:
        self.questions_ = learned.questions
        # Points that somebody has given stay as they are.
        if self.positive_points and not any(map(_gives_points, self.fixed or ())):
            self.questions_ = with_smallest_points(learned.questions)
        self.losses_ = learned.losses
        self.rounding_price_ = learned.price
        self.near_inputs_ = learned.others
        self.size_reason_ = None
        self.weighing_reason_ = None
        self._kept_out = None
        self._scoring_list = None
        self._seen = ()

    def _cross_check(
        self,
        sample: CaseTable,
        learner: Learner,
        source: DivisibleSource,
        learned: Learned,
        options: Options,
    ) -> Learned:
        """Judge the list by others, and take the best found; figures come from all of them."""
        from scorecard.learning.cross_checking import MORE_CAREFUL, CrossChecking

        strength = self._strength(sample, options)
        checking = CrossChecking(
            sample, learner, source, options, MORE_CAREFUL * strength,
            self.random_state, self._progress or (lambda *_: None),
        )  # fmt: skip
        best = checking.best(learned)
        if best is None:
            logger.warning("too few cases to cross-check: the figures are those of training")
            self._estimate(sample, options)
            return learned
        self._keep(best.learned)
        self.size_reason_, self.weighing_reason_ = best.size_reason, best.weighing_reason
        patterns = sample.patterns(self.questions_)
        stages = corrected_stages(
            self.questions_, evidence(patterns), best.check, options.level, options.band
        )
        self._fitted = FittedList(
            self.questions_, tuple(map(StageFigures.of, stages)), patterns, best.check
        )
        return best.learned

    def _counted(self, sample: CaseTable) -> Kept:
        return evidence(sample.patterns(self.questions_)), sample.design_effect

    @staticmethod
    def _strength(sample: CaseTable, options: Options) -> float:
        return sample.weight_scale * strength_of(options.calibration, options.calibration_strength)

    def _end_after(self, count: int) -> None:
        self.questions_, self.losses_ = self.questions_[:count], self.losses_[: count + 1]

    def _estimate(self, sample: CaseTable, options: Options) -> None:
        """Figures from these cases alone."""
        patterns, strength = sample.patterns(self.questions_), self._strength(sample, options)
        figures = stage_figures(
            patterns, [question.points for question in self.questions_],
            options.calibration, strength, options.band, options.level,
        )  # fmt: skip
        kept = len(figures) - 1
        if kept < len(self.questions_):
            logger.warning("nobody answers more than %d questions: the list ends there", kept)
            self._end_after(kept)
            patterns = sample.patterns(self.questions_)
        self._fitted = FittedList(
            self.questions_, tuple(figures), patterns if patterns.few else None, None, strength
        )
        for number, one in enumerate(figures):
            if one.bounds is None:
                warnings.warn(
                    f"stage {number}: the data contradict a risk that rises with the total;"
                    " it has no band.",
                    RisingRiskWarning,
                    stacklevel=3,
                )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

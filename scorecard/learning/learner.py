"""`ListLearner`: from a table of cases to a learned list, without scikit-learn.

`ScoringListClassifier` is an adapter over it; the command line uses it directly.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from numpy.typing import NDArray

from scorecard.core.build_staircase import build_staircase, usual_policy
from scorecard.core.calibration import DEFAULT_STRENGTH
from scorecard.core.evidence import Evidence, Seen
from scorecard.core.given_question import GIVEN
from scorecard.core.model import Question, RiskSource, ScoringList, with_smallest_points
from scorecard.core.performance import validated
from scorecard.core.policy import StoppingPolicy
from scorecard.core.recalibration import recalibrated_stages
from scorecard.learning.counts import Counts, Floats
from scorecard.learning.cross_validation import MORE_CAREFUL, CrossValidator
from scorecard.learning.inputs import (
    Input,
    from_frame,
    lazy_frame,
    refuse_missing,
    refuse_unknown,
)
from scorecard.learning.learn import Bins, Learned, SearchSpace
from scorecard.learning.options import DEFAULTS, LEVEL, PLAIN, Options
from scorecard.learning.risks import (
    FittedList,
    evidence,
    stages_of,
)
from scorecard.learning.sample import (
    CaseTable,
    Labelled,
    Sample,
    checked_groups,
    checked_weights,
    outcome_of,
    places_of,
)

logger = logging.getLogger("scorecard.learning")

BAND = "paper"  # how ranges are made; documents say it

Kept = tuple[Evidence, float]
"""The answers of cases that were kept out of everything, and their design effect."""


class RisingRiskWarning(UserWarning):
    """The data contradict a risk that rises with the total; the stage has no band."""


@dataclass(frozen=True)
class LearnedList:
    """What was learned from some cases, and how; see the attributes of `ScoringListClassifier`."""

    options: Options
    fitted: FittedList
    losses: tuple[float, ...]
    size_reason: str | None = None
    weighing_reason: str | None = None
    fill_values: dict[str, Any] = field(default_factory=dict)
    bins: dict[str, Bins] = field(default_factory=dict)
    kept_out: Kept | None = None
    seen: tuple[Seen, ...] = ()

    @cached_property
    def scoring_list(self) -> ScoringList:
        """The list as a value, made when it is first asked for."""
        return replace(self._without_seen(), seen=self.seen)

    def _without_seen(self) -> ScoringList:
        options, fitted = self.options, self.fitted
        if fitted.check is None:
            figures = RiskSource(
                "held-out" if options.evidence == "held-out" else "training",
                LEVEL, BAND, options.calibration, fitted.strength,
            )  # fmt: skip
            return replace(fitted.scoring_list(figures), policy=options.policy)
        found = fitted.scoring_list(RiskSource("cross-validated", LEVEL, BAND))
        if options.fixed:
            found = replace(found, provenance=((GIVEN, str(len(options.fixed))),))
        return self._under(options.policy or usual_policy(found), found)

    def list_under(self, policy: StoppingPolicy) -> ScoringList:
        """The learned list made for this policy; held-out cases validate it under the same."""
        return self._under(policy, self.scoring_list)

    def _under(self, policy: StoppingPolicy, found: ScoringList) -> ScoringList:
        found = replace(found, policy=policy)
        if self.kept_out is None:
            return found
        new_cases, design_effect = self.kept_out
        validation = validated(
            build_staircase(found), new_cases, "the same table", "held-out", design_effect
        )
        return replace(found, validations=(validation,))


class ListLearner:
    """Learns lists under parameters of `ScoringListClassifier`, with the same defaults.

    `progress` is told as `ScoringListClassifier.watch` says.
    """

    def __init__(
        self,
        settings: Mapping[str, Any] = DEFAULTS,
        progress: Callable[[float, int], None] | None = None,
    ) -> None:
        if unknown := sorted(settings.keys() - DEFAULTS.keys()):
            raise TypeError(
                f"{unknown[0]!r} is no parameter; expected one of {', '.join(DEFAULTS)}."
            )
        self.options = Options.checked(settings)
        self._progress = progress

    def fit(self, X: Any, y: Any, groups: Any = None, keys: Any = None) -> LearnedList:
        """Learn from a data frame and outcomes that are known to be sound, or a lazy frame."""
        frame = lazy_frame(X) if isinstance(y, str) else None
        if frame is not None:
            return self.learn(lazy_cases(frame, y, groups, keys, self.options)[0])
        inputs = from_frame(X)
        if self.options.missing == "refuse":
            refuse_missing(inputs)
        return self.learn(cases_in_memory(inputs, y, None, groups, keys, self.options)[0])

    def learn(self, cases: CaseTable) -> LearnedList:
        """Learn a list from these cases, some of which may be kept out of the search."""
        options, kept_out = self.options, None
        if options.held_out:
            cases, kept_out = cases.held_out(options.held_out, options.random_state)
        fill_values = {}
        if options.missing == "mode":
            fill_values = cases.modes()
            cases = cases.filled(fill_values)
            kept_out = None if kept_out is None else kept_out.filled(fill_values)
        learner = SearchSpace(cases.inputs, options)
        if learner.too_many:
            warnings.warn(learner.too_many, UserWarning, stacklevel=3)
        source = cases.source(learner.columns)
        weighing = options.weighing if learner.costs_differ else PLAIN
        learned = learner.learn(source, progress=self._progress, weighing=weighing)
        if options.evidence == "cross-validated":
            learned, found = self._cross_validated(cases, learner, source, learned)
            if kept_out is not None:
                answered = evidence(kept_out.patterns(found.fitted.questions))
                found = replace(found, kept_out=(answered, kept_out.design_effect))
        else:
            found = self._estimated(learned, kept_out or cases)
        return replace(
            found,
            fill_values=fill_values,
            seen=tuple(learner.seen(source, found.fitted.questions)),
            bins=learner.bins(source),
        )

    def _questions(self, learned: Learned) -> tuple[Question, ...]:
        """Points that somebody has given stay as they are."""
        keep = not self.options.positive_points or any(map(_gives_points, self.options.fixed))
        return learned.questions if keep else with_smallest_points(learned.questions)

    def _found(self, learned: Learned, fitted: FittedList) -> LearnedList:
        losses = learned.losses[: len(fitted.questions) + 1]
        return LearnedList(self.options, fitted, losses)

    def _cross_validated(
        self, cases: CaseTable, learner: SearchSpace, source: Counts, learned: Learned
    ) -> tuple[Learned, LearnedList]:
        """Judge the list by others, and take the best found; figures come from all of them."""
        options = self.options
        checking = CrossValidator(
            cases, learner, source, options, MORE_CAREFUL * self._strength(cases),
            options.random_state, self._progress or (lambda *_: None),
        )  # fmt: skip
        best = checking.best(learned)
        if best is None:
            logger.warning("too few cases to cross-validate: the figures are those of training")
            return learned, self._estimated(learned, cases)
        questions = self._questions(best.learned)
        patterns = cases.patterns(questions)
        stages = recalibrated_stages(questions, evidence(patterns), best.check, LEVEL)
        fitted = FittedList(questions, stages, patterns, best.check)
        return best.learned, replace(
            self._found(best.learned, fitted),
            size_reason=best.size_reason,
            weighing_reason=best.weighing_reason,
        )

    def _strength(self, cases: CaseTable) -> float:
        return cases.weight_scale * DEFAULT_STRENGTH[self.options.calibration]

    def _estimated(self, learned: Learned, cases: CaseTable) -> LearnedList:
        """The list with figures from these cases alone."""
        options, questions = self.options, self._questions(learned)
        patterns, strength = cases.patterns(questions), self._strength(cases)
        stages = stages_of(
            patterns, [question.points for question in questions],
            options.calibration, strength, LEVEL,
        )  # fmt: skip
        kept = len(stages) - 1
        if kept < len(questions):
            logger.warning("nobody answers more than %d questions: the list ends there", kept)
            questions = questions[:kept]
            patterns = cases.patterns(questions)
        for number, one in enumerate(stages):
            if one.risks[0].lower is None:
                warnings.warn(
                    f"stage {number}: the data contradict a risk that rises with the total;"
                    " it has no band.",
                    RisingRiskWarning,
                    stacklevel=4,
                )
        fitted = FittedList(
            questions, tuple(stages), patterns if patterns.few else None, None, strength
        )
        return self._found(learned, fitted)


def _gives_points(fixed: Any) -> bool:
    return not isinstance(fixed, str) and (
        isinstance(fixed, tuple) or getattr(fixed, "points", None) is not None
    )


def cases_in_memory(
    inputs: list[Input], labels: NDArray[Any], weights: Any, groups: Any, keys: Any, how: Options
) -> tuple[CaseTable, Labelled]:
    """The cases of these inputs; those of weight 0 are left out."""
    checked: Floats | None = checked_weights(weights, len(labels))
    together = checked_groups(groups, len(labels))
    outcome = outcome_of(labels if checked is None else labels[checked > 0], how.positive_label)
    is_positive = labels == outcome.classes[outcome.positive]
    places = places_of(inputs, keys, together, groups)
    sample = Sample(inputs, is_positive.astype(bool), checked, together, places)
    return sample if checked is None or checked.all() else sample.rows(checked > 0), outcome


def lazy_cases(
    frame: Any, outcome: str, groups: Any, keys: Any, how: Options
) -> tuple[CaseTable, Labelled]:
    """The cases of a lazy frame, which stay where they are."""
    from scorecard.learning.lazy import lazy_table

    table = lazy_table(
        frame, outcome, groups=groups, keys=keys,
        positive_label=how.positive_label,
        folds=(how.folds or 0) if how.evidence == "cross-validated" else 1,
    )  # fmt: skip
    if how.missing == "refuse":
        refuse_unknown(table.inputs)
    return table, table.outcome

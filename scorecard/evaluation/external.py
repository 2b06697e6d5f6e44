"""A finished list on new cases: external validation without refitting, and recalibration."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from scorecard.core.build_staircase import build_staircase, usual_policy
from scorecard.core.evidence import Evidence, Validation
from scorecard.core.fitted import Model, Parts, named_list
from scorecard.core.model import RiskSource, ScoringList
from scorecard.core.performance import Ends, rate, validated
from scorecard.core.policy import By, StoppingPolicy
from scorecard.core.question import inputs_asked_again, inputs_of
from scorecard.errors import TableError
from scorecard.evaluation.measures import (
    KEYS,
    THRESHOLDS,
    Bin,
    CalibrationLine,
    Estimate,
    Outcomes,
    StagePrediction,
    areas,
    benefit_estimates,
    calibration_line,
    case_measures,
    list_measures,
    loss_curve,
    observed_to_expected,
    patterns,
    stage_predictions,
)
from scorecard.evaluation.resampling import RULES, Task, ends_of_groups, stops
from scorecard.evaluation.shown import ShownResult
from scorecard.learning.counts import Floats
from scorecard.learning.risks import (
    Answers,
    evidence,
    patterns_of,
    stages_of,
)
from scorecard.learning.sample import Sample
from scorecard.tables.apply import answers_of_frame
from scorecard.tables.cases import groups_of, outcome_of, sha256_of
from scorecard.tables.columns import known_words
from scorecard.tables.prepared import is_positive, prepared, with_outcome
from scorecard.tables.read_table import open_table
from scorecard.tables.source import Source, Whole

BOOTSTRAPS, DRAWN_AT_ONCE = 1000, 50

MOST_GROUPS = 12

FEW = 30  # so many cases may answer as others do by chance


@dataclass(frozen=True)
class NewCases:
    """Answers to a list's questions and the outcomes of cases it has not seen."""

    file: str
    outcome: str
    answers: Answers
    truth: Outcomes
    without_outcome: int
    sha256: str = ""
    by_group: str = ""
    groups: tuple[str, ...] = ()
    belongs: NDArray[np.int64] | None = None  # which rows are one patient's

    @cached_property
    def rows_of_one(self) -> float:
        """How many rows count as one case in every interval: the design effect of the patients."""
        return Sample([], self.truth, groups=self.belongs).design_effect

    def chose(self, scoring_list: ScoringList) -> bool:
        """Whether the list was learned from this very table, or from cases that answer alike."""
        if dict(scoring_list.provenance).get("table sha256") == self.sha256 != "":
            return True
        learned = scoring_list.evidence
        if learned is None or self.truth.size < FEW or learned.patterns[0].cases == 0:
            return False
        return learned == Evidence(tuple(patterns(self.answers, self.truth)))


@dataclass(frozen=True)
class Subgroup:
    """A part of the cases: how they end under the policy, and how well their risks fit."""

    name: str
    ends: Ends
    observed_to_expected: Estimate | None
    line: CalibrationLine | None

    @classmethod
    def of(cls, name: str, ends: Ends, risks: Floats, outcome: Outcomes) -> Subgroup:
        """Of cases with these risks, NaN where there is none."""
        there = ~np.isnan(risks)
        known = risks[there], outcome[there], ends.rounds
        return cls(name, ends, observed_to_expected(*known), calibration_line(*known))


@dataclass(frozen=True, repr=False)
class External(ShownResult):
    """How a finished list does on new cases, stage by stage and as a stopping policy.

    Nothing of the list is fitted to them. Every figure is worked out when it is asked for; the
    intervals of measures come from drawing the cases again 1,000 times.
    """

    scoring_list: ScoringList
    new: NewCases
    policy: StoppingPolicy
    miss_cost: float = 10.0
    seed: int = 0

    @property
    def file(self) -> str:
        return self.new.file

    @property
    def cases(self) -> int:
        return self.new.truth.size

    @property
    def positives(self) -> int:
        return int(self.new.truth.sum())

    @property
    def same_table(self) -> bool:
        """Whether these cases chose the list, and so are no test of it."""
        return self.new.chose(self.scoring_list)

    @cached_property
    def predictions(self) -> dict[int, StagePrediction]:
        """By the number of questions, where the list has risks."""
        if not self.scoring_list.has_risks:
            raise TableError("this list has no risks, it only ranks by total: nothing to validate.")
        stages = enumerate(stage_predictions(self.scoring_list, self.new.answers))
        return {number: found for number, found in stages if found is not None}

    @cached_property
    def stages(self) -> Mapping[int, Mapping[str, Estimate]]:
        """The measures by the number of questions."""
        return {
            number: _with_intervals(one, self.new, self.miss_cost, self.seed)
            for number, one in self.predictions.items()
        }

    @property
    def last(self) -> Mapping[str, Estimate]:
        """The measures after the last question."""
        return self.stages[max(self.stages)]

    @property
    def unknown(self) -> tuple[int, ...]:
        """After each stage, how many cases have unknown answers."""
        return tuple(int((~one.known).sum()) for one in self.predictions.values())

    @cached_property
    def by_total(self) -> dict[int, Bin]:
        """Predicted and observed risk at every total of the last stage."""
        stage, last = self.scoring_list.stages[-1], self.predictions[max(self.predictions)]
        assert stage is not None
        found, of_one = {}, self.new.rows_of_one
        for total, risk in zip(stage.totals, stage.risks, strict=True):
            here = last.known & (last.totals == total)
            positives, cases = float(self.new.truth[here].sum()), float(here.sum())
            found[total] = Bin(risk.probability, rate(positives / of_one, cases / of_one))
        return found

    @cached_property
    def _known(self) -> tuple[Floats, Outcomes, float]:
        """Risk after the last question and outcome of who has one, and how many rows are a case."""
        risks = self.predictions[max(self.predictions)].risks
        there = ~np.isnan(risks)
        return risks[there], self.new.truth[there], self.new.rows_of_one

    @property
    def risks_and_truth(self) -> tuple[Floats, Outcomes]:
        """The risk after the last question of who has one, and the outcome."""
        return self._known[:2]

    @property
    def observed_to_expected(self) -> Estimate | None:
        return observed_to_expected(*self._known)

    @cached_property
    def line(self) -> CalibrationLine | None:
        return calibration_line(*self._known)

    @property
    def losses(self) -> Floats:
        """Expected loss over what a miss costs."""
        return loss_curve(*self.risks_and_truth)

    @property
    def benefits(self) -> list[Estimate]:
        """Net benefit at each threshold."""
        risks, truth, of_one = self._known
        return benefit_estimates(risks, truth, THRESHOLDS, of_one)

    @cached_property
    def _stops(self) -> tuple[dict[By, Ends], dict[By, str]]:
        task = Task({}, self.policy, rules=RULES)
        return stops(self.scoring_list, task, self.new.answers, self.new.truth)

    @property
    def ends(self) -> dict[By, Ends]:
        """How the cases end under each rule that can be applied."""
        return {by: replace(one, rounds=self.new.rows_of_one) for by, one in self._stops[0].items()}

    @property
    def refused(self) -> dict[By, str]:
        """Why a rule cannot be applied."""
        return self._stops[1]

    @property
    def about_limits(self) -> Ends | None:
        """How the cases end under the rule of the policy; `None` where it cannot be applied."""
        return self.ends.get(self.policy.by)

    @cached_property
    def subgroups(self) -> tuple[Subgroup, ...]:
        """The groups that are judged apart."""
        names, new = np.array(self.new.groups, dtype=object), self.new
        risks = self.predictions[max(self.predictions)].risks
        groups = ends_of_groups(self.scoring_list, self.policy, names, new.answers, new.truth)
        return tuple(
            Subgroup.of(name, replace(ends, rounds=new.rows_of_one), risks[here], new.truth[here])
            for name, here, ends in groups
        )

    @property
    def validation(self) -> Validation | None:
        """What these cases say of the policy.

        `None` if the list was learned from them, or if the policy cannot be applied.
        """
        if self.same_table or self.policy.by in self.refused:
            return None
        staircase = build_staircase(self.scoring_list, self.policy)
        asked = self.new.answers[:, : len(staircase.questions)]
        found = Evidence(tuple(patterns(asked, self.new.truth)))
        return validated(staircase, found, self.file, "other table", self.new.rows_of_one)

    def validated_list(self) -> ScoringList:
        """The list with this test of it, in place of an earlier one with the same cases."""
        if self.same_table:
            raise TableError(
                f"{self.file}: the list was learned from this table, so it cannot be a test of it;"
                " use other cases."
            )
        new = self.validation
        if new is None:
            raise TableError(f"{self.file}: {self.refused[self.policy.by]}")
        kept = [
            one
            for one in self.scoring_list.validations
            if (one.source, one.kind, one.policy) != (new.source, new.kind, new.policy)
        ]
        return replace(self.scoring_list, validations=(*kept, new))


def read_new_cases(
    table: Any,
    scoring_list: ScoringList,
    outcome: str,
    positive: str | None = None,
    encoding: str = "utf-8",
    decimal: str = ".",
    sheet: str | None = None,
    by_group: str | None = None,
    group: str | None = None,
) -> NewCases:
    """Read what a finished list asks for; every complaint names column and row.

    `by_group` names a column whose values are judged apart, `group` one that tells patients apart;
    by default the one that the list was learned with, where the table has it.
    """
    source = open_table(table, encoding, decimal, sheet)
    learned_with = dict(scoring_list.provenance).get("option group")
    if group is None and learned_with in source.names:
        group = learned_with
    whole = source.whole(_needed(source, scoring_list, outcome, by_group, group))
    truth, _, _ = outcome_of(whole, outcome, positive, source)

    kept = truth.is_not_null().to_numpy()
    columns = [column[kept] for column in _answers(scoring_list, whole, source)]
    known = truth.drop_nulls().to_numpy().astype(bool)
    answers = np.column_stack(columns) if columns else np.zeros((known.size, 0))
    return NewCases(
        source.file,
        outcome,
        answers.astype(np.int8),
        known,
        truth.null_count(),
        sha256_of(*source.files) if source.is_file else "",
        by_group or "",
        groups_in(whole.frame[by_group].filter(truth.is_not_null())) if by_group else (),
        _patients(whole, group, source, kept) if group else None,
    )


def _needed(
    source: Source, scoring_list: ScoringList, outcome: str, *others: str | None
) -> list[str]:
    """The columns to read; an outcome that the list asks for, and what is not there, is refused."""
    asked = inputs_of(scoring_list.questions)
    if outcome in asked:
        raise TableError(
            f"{source.path.name}: the list asks for {outcome!r}, so it cannot be the outcome; name"
            " the column that tells who had what the list predicts (`outcome`)."
        )
    needed = list(dict.fromkeys([*asked, outcome, *filter(None, others)]))
    for name in needed:
        source.check_column(name)
    return needed


def _patients(whole: Whole, group: str, source: Source, kept: Outcomes) -> NDArray[np.int64]:
    """The number of the patient that each of these rows belongs to."""
    names = groups_of(whole, group, source).to_numpy()[kept]
    return np.unique(names, return_inverse=True)[1].ravel()


def _answers(scoring_list: ScoringList, whole: Whole, source: Source) -> Iterator[Answers]:
    again = inputs_asked_again(scoring_list.questions)
    for question in scoring_list.questions:
        value_only = question.input in again
        answers, _ = answers_of_frame(question, whole.frame, whole, source, value_only=value_only)
        yield answers


def group_labels(table: Any, by_group: str, outcome: str, **reading: Any) -> tuple[str, ...]:
    """The group of every row that has an outcome."""
    source = open_table(table, **reading)
    for name in (by_group, outcome):
        source.check_column(name)
    frame = source.whole([by_group, outcome]).frame
    known = known_words(frame[outcome].cast(pl.String)).is_not_null()
    return groups_in(frame[by_group].filter(known))


def groups_in(column: Any) -> tuple[str, ...]:
    """The group of every case as text; a column with more than a few values is refused."""
    found = tuple(map(_group, column.to_list()))
    if len(set(found)) > MOST_GROUPS:
        raise TableError(
            f"column {column.name!r} has {len(set(found))} values; groups to look at apart are at"
            f" most {MOST_GROUPS}: make a column with fewer."
        )
    return found


def _group(value: Any) -> str:
    if value is None:
        return "not known"
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def evaluate_list(
    scoring_list: ScoringList,
    cases: NewCases,
    policy: StoppingPolicy | None = None,
    miss_cost: float = 10.0,
    seed: int = 0,
) -> External:
    """Judge a list as it is; one that only ranks is refused."""
    found = External(scoring_list, cases, policy or usual_policy(scoring_list), miss_cost, seed)
    assert found.predictions
    return found


def evaluate_model(
    model: Model,
    table: Any,
    outcome: Any,
    *,
    positive: str | None = None,
    policy: StoppingPolicy | None = None,
    miss_cost: float = 10.0,
    seed: int = 0,
    **reading: Any,
) -> External:
    """Judge the list of whatever has one; see `api.evaluate`."""
    label = getattr(Parts.of(model).classifier, "positive_class_", None)
    beside = [reading[name] for name in ("by_group", "group") if reading.get(name)]
    if isinstance(outcome, str):
        table = prepared(model, table, [*beside, outcome])
        positive = label if positive is None and isinstance(label, str) else positive
    else:
        told = positive is None and label is not None
        values = is_positive(outcome, label) if told else None
        table, outcome = with_outcome(prepared(model, table, beside), outcome, values)
    scoring_list = named_list(model)
    cases = read_new_cases(table, scoring_list, outcome, positive, **reading)
    return evaluate_list(scoring_list, cases, policy, miss_cost, seed)


def recalibrated(scoring_list: ScoringList, cases: NewCases, level: float = 0.95) -> ScoringList:
    """The same questions and points with risks, ranges and evidence of these cases.

    RiskSource of the table that chose the questions are training figures, those of any other are
    held-out ones. What was cross-validated, validated or chosen by the data was other risks.
    """
    same_table = cases.chose(scoring_list)
    points, policy = [one.points for one in scoring_list.questions], scoring_list.policy
    found = patterns_of(cases.answers, cases.truth, np.ones(cases.truth.size))
    stages = stages_of(found, points, "isotonic", 0.0, level)
    if len(stages) <= len(points):
        raise TableError(
            f"{cases.file}: nobody answers all {len(points)} questions, so the last risks cannot"
            " be estimated; use a table with complete cases."
        )
    return replace(
        scoring_list,
        stages=tuple(stages),
        risk_source=RiskSource("training" if same_table else "held-out", level, "paper"),
        evidence=evidence(found),
        cross_validation=None,
        validations=(),
        policy=None if policy is None or policy.chosen_by == "data" else policy,
        about=replace(
            scoring_list.about,
            # Whatever was validated, it was not these risks.
            validation="",
            source=_joined(
                scoring_list.about.source,
                f"risks recalibrated on {cases.truth.size} cases of {cases.file}",
            ),
        ),
    )


def _joined(source: str, more: str) -> str:
    return f"{source}; {more}" if source else more


def _with_intervals(
    one: StagePrediction, cases: NewCases, miss_cost: float, seed: int
) -> dict[str, Estimate]:
    """Each measure with its interval: cases are drawn again, all rows of a patient together."""
    truth = cases.truth
    belongs = np.arange(truth.size) if cases.belongs is None else cases.belongs
    patients = int(belongs.max()) + 1
    values = list_measures(one, truth, miss_cost)
    there = ~np.isnan(one.risks)
    outcome, risks = truth[there], one.risks[there]
    means = case_measures(risks, outcome, miss_cost, one.uppers[there])
    scores = {"auc": one.ranks()[there], "auc_risk": risks}
    generator = np.random.default_rng(seed)
    drawn: dict[str, list[Floats]] = {key: [] for key in KEYS}
    for _ in range(BOOTSTRAPS // DRAWN_AT_ONCE):
        shares = np.full(patients, 1 / patients)
        drawn_patients = generator.multinomial(patients, shares, DRAWN_AT_ONCE)
        weights = drawn_patients[:, belongs[there]]
        with np.errstate(invalid="ignore", divide="ignore"):  # a draw may have nobody, or one kind
            for key, each in means.items():
                whole = 1 if key == "clipped" else weights.sum(axis=1)
                drawn[key].append(weights @ each / whole)
            for key, score in scores.items():
                drawn[key].append(areas(score, outcome, weights))
    return {key: (values[key], *_interval(np.concatenate(drawn[key]))) for key in KEYS}


def _interval(drawn: Floats) -> tuple[float, float]:
    defined = drawn[~np.isnan(drawn)]
    if not defined.size:
        return float("nan"), float("nan")
    lower, upper = np.quantile(defined, (0.025, 0.975))
    return float(lower), float(upper)

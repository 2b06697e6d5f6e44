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
from scorecard.core.model import RiskSource, ScoringList
from scorecard.core.performance import Ends, rate, validated
from scorecard.core.policy import By, StoppingPolicy
from scorecard.core.question import inputs_asked_again, inputs_of
from scorecard.core.walk_arrays import Answers
from scorecard.errors import TableError
from scorecard.evaluation.measures import (
    KEYS,
    THRESHOLDS,
    Bin,
    CalibrationLine,
    Estimate,
    Outcomes,
    StagePrediction,
    benefit_estimates,
    calibration_line,
    case_measures,
    list_measures,
    loss_curve,
    observed_to_expected,
    patterns,
    stage_predictions,
)
from scorecard.evaluation.resampling import RULES, Task, stops
from scorecard.learning.counts import Floats
from scorecard.learning.risks import (
    evidence,
    patterns_of,
    stage_figures,
)
from scorecard.learning.sample import Sample
from scorecard.tables.answers import answers_of_frame
from scorecard.tables.cases import groups_of, outcome_of, sha256_of
from scorecard.tables.columns import known_words
from scorecard.tables.read_table import source_of
from scorecard.tables.source import Source, Whole

BOOTSTRAPS, DRAWN_AT_ONCE = 1000, 50

MOST_GROUPS = 12


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
        """Whether the list was learned from this very table."""
        return dict(scoring_list.provenance).get("table sha256") == self.sha256 != ""


@dataclass(frozen=True)
class Subgroup:
    """A part of the cases: how they end under the policy, and how well their risks fit."""

    name: str
    ends: Ends
    observed_to_expected: Estimate | None
    line: CalibrationLine | None


@dataclass(frozen=True)
class External:
    """How a finished list does on new cases, stage by stage and as a stopping policy."""

    scoring_list: ScoringList
    file: str
    outcome: str
    cases: int
    positives: int
    without_outcome: int
    policy: StoppingPolicy
    miss_cost: float
    stages: Mapping[int, Mapping[str, Estimate]]
    by_total: Mapping[int, Bin]
    observed_to_expected: Estimate | None
    line: CalibrationLine | None
    losses: Floats
    benefits: tuple[Estimate, ...]
    ends: Mapping[By, Ends]
    refused: Mapping[By, str]
    unknown: tuple[int, ...]
    same_table: bool = False
    validation: Validation | None = None
    """What these cases say of the policy; `None` if they are those the list was learned from, or
    if the policy cannot be applied."""

    def validated_list(self) -> ScoringList:
        """The list with this test of it, in place of an earlier one with the same cases."""
        if self.same_table:
            raise TableError(
                f"{self.file}: the list was learned from this table, so it cannot be a test of it;"
                " use other cases."
            )
        if self.validation is None:
            raise TableError(f"{self.file}: {self.refused[self.policy.by]}")
        new = self.validation
        kept = [
            one
            for one in self.scoring_list.validations
            if (one.source, one.kind, one.policy) != (new.source, new.kind, new.policy)
        ]
        return replace(self.scoring_list, validations=(*kept, new))

    by_group: str = ""
    subgroups: tuple[Subgroup, ...] = ()

    @property
    def last(self) -> Mapping[str, Estimate]:
        """The measures after the last question."""
        return self.stages[max(self.stages)]

    @property
    def about_limits(self) -> Ends | None:
        """How the cases end under the rule of the policy; `None` where it cannot be applied."""
        return self.ends.get(self.policy.by)


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
    source = source_of(table, encoding, decimal, sheet)
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
    source = source_of(table, **reading)
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
    """Judge a list as it is; intervals come from drawing the cases again 1,000 times."""
    policy = policy or usual_policy(scoring_list)
    same_table = cases.chose(scoring_list)
    found = _predictions(scoring_list, cases)
    stages = {k: _with_intervals(one, cases, miss_cost, seed) for k, one in found.items()}
    last = found[max(found)]
    there = ~np.isnan(last.risks)
    task = Task({}, policy, miss_cost=miss_cost, rules=RULES)
    ends, refused = stops(scoring_list, task, cases.answers, cases.truth)
    of_one = cases.rows_of_one
    risks, truth = last.risks[there], cases.truth[there]
    return External(
        scoring_list,
        cases.file,
        cases.outcome,
        cases.truth.size,
        int(cases.truth.sum()),
        cases.without_outcome,
        policy,
        miss_cost,
        stages,
        _by_total(scoring_list, last, cases.truth, of_one),
        observed_to_expected(risks, truth, of_one),
        calibration_line(risks, truth, of_one),
        loss_curve(risks, truth),
        tuple(benefit_estimates(risks, truth, THRESHOLDS, of_one)),
        {by: replace(one, rounds=of_one) for by, one in ends.items()},
        refused,
        tuple(int((~one.known).sum()) for one in found.values()),
        same_table,
        None if same_table or policy.by in refused else _validation(scoring_list, cases, policy),
        cases.by_group,
        tuple(_subgroups(scoring_list, cases, policy, last.risks)),
    )


def _predictions(scoring_list: ScoringList, cases: NewCases) -> dict[int, StagePrediction]:
    if not scoring_list.has_risks:
        raise TableError("this list has no risks, it only ranks by total: nothing to validate.")
    stages = enumerate(stage_predictions(scoring_list, cases.answers))
    return {number: found for number, found in stages if found is not None}


def _validation(scoring_list: ScoringList, cases: NewCases, policy: StoppingPolicy) -> Validation:
    staircase = build_staircase(scoring_list, policy)
    asked = cases.answers[:, : len(staircase.questions)]
    found = Evidence(tuple(patterns(asked, cases.truth)))
    return validated(staircase, found, cases.file, "other table", cases.rows_of_one)


def _subgroups(
    scoring_list: ScoringList, cases: NewCases, policy: StoppingPolicy, risks: Floats
) -> Iterator[Subgroup]:
    names = np.array(cases.groups, dtype=object)
    for name in sorted(set(cases.groups)):
        here = names == name
        task = Task({}, policy, rules=(policy.by,))
        ends, _ = stops(scoring_list, task, cases.answers[here], cases.truth[here])
        known = here & ~np.isnan(risks)
        yield Subgroup(
            name,
            replace(ends.get(policy.by, Ends({})), rounds=cases.rows_of_one),
            observed_to_expected(risks[known], cases.truth[known], cases.rows_of_one),
            calibration_line(risks[known], cases.truth[known], cases.rows_of_one),
        )


def recalibrated(scoring_list: ScoringList, cases: NewCases, level: float = 0.95) -> ScoringList:
    """The same questions and points with risks, ranges and evidence of these cases.

    RiskSource of the table that chose the questions are training figures, those of any other are
    held-out ones. What was cross-validated, validated or chosen by the data was other risks.
    """
    same_table = cases.chose(scoring_list)
    points, policy = [one.points for one in scoring_list.questions], scoring_list.policy
    found = patterns_of(cases.answers, cases.truth, np.ones(cases.truth.size))
    figures = stage_figures(found, points, "isotonic", 0.0, level)
    if len(figures) <= len(points):
        raise TableError(
            f"{cases.file}: nobody answers all {len(points)} questions, so the last risks cannot"
            " be estimated; use a table with complete cases."
        )
    return replace(
        scoring_list,
        stages=tuple(one.stage() for one in figures),
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
    outcome, means = truth[there], case_measures(one, truth, miss_cost)
    scores = {"auc": one.ranks()[there], "auc_risk": one.risks[there]}
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
                drawn[key].append(_areas(score, outcome, weights))
    return {key: (values[key], *_interval(np.concatenate(drawn[key]))) for key in KEYS}


def _areas(scores: Floats, outcome: Outcomes, weights: NDArray[np.int64]) -> Floats:
    """The area under the curve in each draw; ties count half."""
    order = np.argsort(scores, kind="stable")
    starts = np.flatnonzero(np.diff(scores[order], prepend=np.nan) != 0)
    positive = np.add.reduceat(weights[:, order] * outcome[order], starts, axis=1)
    negative = np.add.reduceat(weights[:, order] * ~outcome[order], starts, axis=1)
    below = np.cumsum(negative, axis=1) - negative / 2
    pairs = positive.sum(axis=1) * negative.sum(axis=1)
    found: Floats = (positive * below).sum(axis=1) / pairs
    return found


def _interval(drawn: Floats) -> tuple[float, float]:
    defined = drawn[~np.isnan(drawn)]
    if not defined.size:
        return float("nan"), float("nan")
    lower, upper = np.quantile(defined, (0.025, 0.975))
    return float(lower), float(upper)


def _by_total(
    scoring_list: ScoringList, last: StagePrediction, truth: Outcomes, of_one: float
) -> dict[int, Bin]:
    """Predicted and observed risk at every total of the last stage."""
    stage = scoring_list.stages[-1]
    assert stage is not None
    found = {}
    for total, risk in zip(stage.totals, stage.risks, strict=True):
        here = last.known & (last.totals == total)
        found[total] = Bin(
            risk.probability, rate(float(truth[here].sum()) / of_one, float(here.sum()) / of_one)
        )
    return found

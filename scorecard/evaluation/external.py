"""A finished list on new cases: external validation without refitting, and recalibration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from scorecard.core.accuracy import Ends, rate, validated
from scorecard.core.climbing import build_staircase, usual_policy
from scorecard.core.evidence import Evidence, Validation
from scorecard.core.model import Figures, ScoringList
from scorecard.core.policy import By, StoppingPolicy
from scorecard.core.question import inputs_asked_again
from scorecard.errors import TableError
from scorecard.evaluation.measures import (
    KEYS,
    Bin,
    Outcomes,
    StagePrediction,
    benefit_curve,
    list_measures,
    loss_curve,
    patterns,
    stage_predictions,
)
from scorecard.evaluation.resampling import RULES, Task, stops
from scorecard.learning.counts import Floats
from scorecard.learning.risks import Answers, evidence, patterns_of, stage_figures
from scorecard.tables.answers import answers_in_piece
from scorecard.tables.cases import outcome_of, sha256_of, source_of

BOOTSTRAPS = 1000

Estimate = tuple[float, float, float]
"""A figure and its 95 % interval."""


@dataclass(frozen=True)
class NewCases:
    """Answers to a list's questions and the outcomes of cases it has not seen."""

    file: str
    outcome: str
    answers: Answers
    truth: Outcomes
    without_outcome: int
    sha256: str = ""


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
    observed_to_expected: float | None
    losses: Floats
    benefits: Floats
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


def read_new_cases(
    table: Any,
    scoring_list: ScoringList,
    outcome: str,
    positive: str | None = None,
    encoding: str = "utf-8",
    decimal: str = ".",
    sheet: str | None = None,
) -> NewCases:
    """Read what a finished list asks for; every complaint names column and row."""
    source = source_of(table, encoding, decimal, sheet)
    if any(question.input == outcome for question in scoring_list.questions):
        raise TableError(
            f"{source.path.name}: the list asks for {outcome!r}, so it cannot be the outcome; name"
            " the column that tells who had what the list predicts (--outcome)."
        )
    needed = list(dict.fromkeys([*(q.input for q in scoring_list.questions), outcome]))
    for name in needed:
        source.check_column(name)
    whole = source.whole(needed)
    truth, _, _ = outcome_of(whole, outcome, positive, source)

    again = inputs_asked_again(scoring_list.questions)
    kept = truth.is_not_null().to_numpy()
    columns = [
        answers_in_piece(
            question,
            whole.frame[question.input],
            whole,
            source,
            value_only=question.input in again,
        )[kept]
        for question in scoring_list.questions
    ]
    known = truth.drop_nulls().to_numpy().astype(bool)
    answers = np.column_stack(columns) if columns else np.zeros((known.size, 0))
    return NewCases(
        source.file,
        outcome,
        answers.astype(np.int8),
        known,
        truth.null_count(),
        sha256_of(*source.files) if source.is_file else "",
    )


def evaluate_list(
    scoring_list: ScoringList,
    cases: NewCases,
    policy: StoppingPolicy | None = None,
    miss_cost: float = 10.0,
    seed: int = 0,
) -> External:
    """Judge a list as it is; intervals come from drawing the cases again 1,000 times."""
    if not scoring_list.has_risks:
        raise TableError("this list has no risks, it only ranks by total: nothing to validate.")
    policy = policy or usual_policy(scoring_list)
    same_table = dict(scoring_list.provenance).get("table sha256") == cases.sha256 != ""
    predictions = stage_predictions(scoring_list, cases.answers)
    found = {k: one for k, one in enumerate(predictions) if one is not None}
    stages = {k: _with_intervals(one, cases.truth, miss_cost, seed) for k, one in found.items()}
    last = found[max(found)]
    there = ~np.isnan(last.risks)
    task = Task({}, policy, miss_cost, RULES)
    ends, refused = stops(scoring_list, task, cases.answers, cases.truth)
    expected = float(last.risks[there].sum())
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
        _by_total(scoring_list, last, cases.truth),
        float(cases.truth[there].sum()) / expected if expected else None,
        loss_curve(last.risks[there], cases.truth[there]),
        benefit_curve(last.risks[there], cases.truth[there]),
        ends,
        refused,
        tuple(int((~one.known).sum()) for one in found.values()),
        same_table,
        None if same_table or policy.by in refused else _validation(scoring_list, cases, policy),
    )


def _validation(scoring_list: ScoringList, cases: NewCases, policy: StoppingPolicy) -> Validation:
    staircase = build_staircase(scoring_list, policy)
    asked = cases.answers[:, : len(staircase.questions)]
    found = Evidence(tuple(patterns(asked, cases.truth)))
    return validated(staircase, found, cases.file, "other table")


def recalibrated(scoring_list: ScoringList, cases: NewCases, level: float = 0.95) -> ScoringList:
    """The same questions and points with risks, ranges and evidence of these cases.

    Figures of the table that chose the questions are training figures, those of any other are
    held-out ones. What was cross-checked, validated or chosen by the data was other risks.
    """
    same_table = dict(scoring_list.provenance).get("table sha256") == cases.sha256 != ""
    points, policy = [one.points for one in scoring_list.questions], scoring_list.policy
    found = patterns_of(cases.answers, cases.truth, np.ones(cases.truth.size))
    figures = stage_figures(found, 1.0, points, "isotonic", None, "paper", level)
    if len(figures) <= len(points):
        raise TableError(
            f"{cases.file}: nobody answers all {len(points)} questions, so the last risks cannot"
            " be estimated; use a table with complete cases."
        )
    return replace(
        scoring_list,
        stages=tuple(one.stage() for one in figures),
        figures=Figures("training" if same_table else "held-out", level, "paper"),
        evidence=evidence(found),
        cross_check=None,
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
    one: StagePrediction, truth: Outcomes, miss_cost: float, seed: int
) -> dict[str, Estimate]:
    values = list_measures(one, truth, miss_cost)
    generator = np.random.default_rng(seed)
    drawn: dict[str, list[float]] = {key: [] for key in KEYS}
    for _ in range(BOOTSTRAPS):
        rows = generator.integers(0, truth.size, truth.size)
        part = StagePrediction(one.risks[rows], one.uppers[rows], one.totals[rows], one.known[rows])
        for key, value in list_measures(part, truth[rows], miss_cost).items():
            drawn[key].append(value)
    return {key: (values[key], *_interval(drawn[key])) for key in KEYS}


def _interval(drawn: Sequence[float]) -> tuple[float, float]:
    defined = np.array(drawn)[~np.isnan(drawn)]
    if not defined.size:
        return float("nan"), float("nan")
    lower, upper = np.quantile(defined, (0.025, 0.975))
    return float(lower), float(upper)


def _by_total(scoring_list: ScoringList, last: StagePrediction, truth: Outcomes) -> dict[int, Bin]:
    """Predicted and observed risk at every total of the last stage."""
    stage = scoring_list.stages[-1]
    assert stage is not None
    found = {}
    for total, risk in zip(stage.totals, stage.risks, strict=True):
        here = last.known & (last.totals == total)
        found[total] = Bin(risk.probability, rate(float(truth[here].sum()), float(here.sum())))
    return found

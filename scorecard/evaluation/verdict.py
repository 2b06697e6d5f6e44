"""Can it be used? One of three answers, with the reason and the two figures behind it.

The rules are those of a cautious reader: what cannot be true comes first, then what cannot be told
from so few cases, then what is no good, and only then what has still to be shown. Figures of one
table, however good, ask for a validation; only cases from elsewhere can say "use it".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt

from scorecard.core.performance import NORMAL_QUANTILE
from scorecard.evaluation.external import External
from scorecard.evaluation.measures import Estimate
from scorecard.evaluation.resampling import LIST
from scorecard.evaluation.result import Evaluation
from scorecard.evaluation.view import (
    ENOUGH,
    Advice,
    Judged,
    Use,
    ended,
    estimate,
    number,
    percent,
    rate,
)
from scorecard.tables.suspicions import Doubt, doubts

# A validation with fewer of the rarer outcome says nothing (Vergouwe and others, J Clin Epidemiol
# 2005;58:475-483, ask for 100); an AUC that may lie anywhere in so wide a range neither.
FEWEST = 20
WIDEST = 0.2
POOR = 0.6  # an AUC below is "fail" in the usual words (Hosmer, Lemeshow, Sturdivant 2013)
TOO_GOOD = 0.99  # an AUC from here on is more often a leak than a discovery
MOST_TWICE = 0.05  # of the rows: fewer of them can lift an AUC by hardly more than so much
WELL_CALIBRATED = (0.8, 1.25)  # observed to expected; what is outside, and shown to be, is off
FEW_DECIDED = 20  # of 100
STEADY_SLOPE = (0.7, 1.4)


@dataclass(frozen=True)
class Findings:
    """What is known of a list when it is to be judged.

    `helps` says whether it is better than the base rate, `briers` are the Brier scores of both;
    `doubted` is what is wrong with the table. `ratio` and `slope` of its calibration are given for
    new cases only. `refused` is why its limits could not be applied.
    """

    auc: Estimate
    rarer: float
    helps: bool
    briers: tuple[float, float]
    judged: Judged | None
    refused: str = ""
    doubted: tuple[str, ...] = ()
    ratio: Estimate | None = None
    slope: Estimate | None = None
    is_new: bool = False
    chose_it: bool = False


Found = tuple[Use, str, tuple[str, str]]


def advice_on(found: External | Evaluation, judged: Judged | None) -> Advice:
    """The verdict on an evaluation, whose cases end as in `judged`."""
    shown = (
        _of_resamples(found, judged) if isinstance(found, Evaluation) else _of_new(found, judged)
    )
    return advice(shown)


def advice(shown: Findings) -> Advice:
    """The first of the rules that speaks."""
    rules = (_doubtful, _too_few, _no_order, _off, _no_good, _not_shown_yet)
    use, reason, figure = next(found for rule in rules for found in rule(shown))
    decided = sum(shown.judged.hundred()[:2]) if shown.judged else 100
    if use != "do not use" and decided < FEW_DECIDED:
        reason += " It decides few."
    return Advice(use, reason, (("AUC", estimate(shown.auc)), figure))


def auc_interval(auc: float, positives: float, negatives: float) -> Estimate:
    """With the standard error of Hanley and McNeil (Radiology 1982;143:29-36).

    Examples
    --------
    >>> [round(one, 2) for one in auc_interval(0.8, 20, 80)]
    [0.8, 0.68, 0.92]
    """
    if not positives or not negatives or auc != auc:
        return auc, 0.0, 1.0
    both_above, both_below = auc / (2 - auc), 2 * auc**2 / (1 + auc)
    variance = (
        auc * (1 - auc)
        + (positives - 1) * (both_above - auc**2)
        + (negatives - 1) * (both_below - auc**2)
    ) / (positives * negatives)
    half = NORMAL_QUANTILE * sqrt(max(variance, 0.0))
    return auc, max(auc - half, 0.0), min(auc + half, 1.0)


# The facts ----------------------------------------------------------------------------------------


def _of_resamples(found: Evaluation, judged: Judged | None) -> Findings:
    cases = found.cases
    patients = 1.0 if cases.groups is None else cases.groups.n_unique() / cases.inputs.height
    positives, everybody = cases.positives * patients, cases.inputs.height * patients
    auc = float(found.curve(LIST, "auc").means[-1])
    briers = found.curve(LIST, "brier").means
    return Findings(
        auc_interval(auc, positives, everybody - positives),
        min(positives, everybody - positives),
        found.stages > 0 and not found.size.none_helps,
        (float(briers[-1]), float(briers[0])),
        judged,
        found.error_rates(found.policy.by).reason,
        tuple(_doubted(found)),
    )


def _doubted(found: Evaluation) -> Iterator[str]:
    """What is wrong with the table, as far as the list has to do with it."""
    asked = {question.input for question in found.scoring_list.questions}
    for doubt in doubts(found.cases):
        if doubt.leaves_out and asked & {*doubt.columns}:
            yield f"It asks for a column that says too much: {doubt.short}."
        elif is_mixed(doubt) and (doubt.columns or _share_twice(found) > MOST_TWICE):
            yield (
                "Rows of one patient may have judged lists that learned from the others:"
                f" {doubt.short}."
            )


def is_mixed(doubt: Doubt) -> bool:
    """Whether several rows of a patient are in the table, and nobody has said which."""
    certain = not doubt.columns or "drop" in doubt.remedies
    return "group" in doubt.remedies and certain


def _share_twice(found: Evaluation) -> float:
    """Of the rows that have the same as another one in every column."""
    inputs = found.cases.inputs.with_columns(found.cases.outcome.alias("\0outcome"))
    return 1 - inputs.n_unique() / inputs.height


def _of_new(found: External, judged: Judged | None) -> Findings:
    of_one = found.new.rows_of_one
    share = found.positives / found.cases
    brier, base = found.last["brier"][0], share * (1 - share)
    line = found.line
    return Findings(
        found.last["auc"],
        min(found.positives, found.cases - found.positives) / of_one,
        brier < base,
        (brier, base),
        judged,
        found.refused.get(found.policy.by, ""),
        ratio=found.observed_to_expected,
        slope=line.slope if line else None,
        is_new=True,
        chose_it=found.same_table,
    )


# The rules ----------------------------------------------------------------------------------------


def _doubtful(shown: Findings) -> Iterator[Found]:
    if shown.doubted:
        reason = f"{shown.doubted[0]} Its figures cannot be believed until this is settled."
        yield "do not use", reason, ("Reasons to doubt the table", str(len(shown.doubted)))


def _too_few(shown: Findings) -> Iterator[Found]:
    _, lower, upper = shown.auc
    if shown.rarer >= FEWEST and upper - lower <= WIDEST:
        return
    # Few new cases say nothing against a list that may be good.
    use: Use = "validate first" if shown.is_new else "do not use"
    yield use, "These are too few cases to tell whether it is any good.", _cases(shown)


def _no_order(shown: Findings) -> Iterator[Found]:
    value, lower, _ = shown.auc
    if lower <= 0.5 or value < POOR:
        reason = "On cases that did not choose it, it is hardly better than chance."
        yield "do not use", reason, _briers(shown)


def _no_good(shown: Findings) -> Iterator[Found]:
    if not shown.helps:
        reason = "On cases that did not choose it, it is no better than the base rate."
        yield "do not use", reason, _briers(shown)
    if shown.judged is None:
        yield "do not use", f"Its limits cannot be applied: {shown.refused}", _cases(shown)
        return
    for side, found, limit, verdict in shown.judged.verdicts():
        if verdict == "broken":
            who = ended(shown.judged.policy)[side]
            reason = f"Those {who} do not keep the limit of {percent(limit[0])}."
            yield "do not use", reason, (f"With the outcome among those {who}", rate(found))


def _off(shown: Findings) -> Iterator[Found]:
    """Risks that are shown to be wrong, and by more than a little."""
    reason = "Its risks do not fit these cases; give it new ones (recalibration) and validate them."
    named = (("Observed / expected", shown.ratio, WELL_CALIBRATED),)
    for name, found, (low, high) in (*named, ("Calibration slope", shown.slope, STEADY_SLOPE)):
        is_far = found and not shown.chose_it and not low <= found[0] <= high
        if found and is_far and not found[1] <= 1 <= found[2]:
            yield "do not use", reason, (name, estimate(found))


def _not_shown_yet(shown: Findings) -> Iterator[Found]:
    judged = shown.judged
    assert judged is not None
    decided = _decided(shown)
    if not sum(judged.hundred()[:2]):
        yield "do not use", "It decides hardly anybody at these limits.", decided
    if shown.auc[0] >= TOO_GOOD:
        reason = "It is nearly too good: make sure that all it asks for is known beforehand."
        yield "validate first", reason, decided
    if shown.chose_it:
        yield "validate first", "These cases chose it: their figures are too good.", decided
    if not shown.is_new:
        reason = (
            "Its figures hold on cases of its own table; whether they do elsewhere is not known."
        )
        yield "validate first", reason, decided
    if shown.rarer < ENOUGH:
        reason = (
            f"Its figures hold so far, on too few new cases: about {ENOUGH} of each are needed."
        )
        yield "validate first", reason, _cases(shown)
    for side, found, _, verdict in judged.verdicts():
        if verdict == "not shown":
            who = ended(judged.policy)[side]
            reason = f"Its figures hold; that the limit for those {who} is kept is not shown."
            yield "validate first", reason, (f"With the outcome among those {who}", rate(found))
    reason = (
        "On new cases it keeps its limits, and its risks fit. It supports, and does not replace,"
    )
    yield "use it", f"{reason} clinical judgement.", decided


def _briers(shown: Findings) -> tuple[str, str]:
    brier, base = map(number, shown.briers)
    return "Brier score", f"{brier} (of the base rate alone: {base})"


def _cases(shown: Findings) -> tuple[str, str]:
    return "Cases with the rarer outcome", f"{number(shown.rarer, 0)} (about {ENOUGH} are needed)"


def _decided(shown: Findings) -> tuple[str, str]:
    if shown.judged is None:
        return _cases(shown)
    out, into, rest = shown.judged.hundred()
    return "Decided", f"{out + into} of 100; {rest} need another way"

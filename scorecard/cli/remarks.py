"""What “fit” has to say about a list it has learned: too few cases, unknown answers, what next."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import floor, log10

from scorecard.cli.output import typed
from scorecard.core.climbing import build_staircase, usual_policy
from scorecard.core.model import ScoringList
from scorecard.core.policy import StoppingPolicy
from scorecard.errors import PolicyError
from scorecard.tables.cases import Cases
from scorecard.tables.suspicions import Doubt

OFTEN = 0.2  # of the cases without an answer
FEW = 10  # cases of an outcome, below which risks rest on chance


def few_cases(scoring_list: ScoringList) -> Iterator[Doubt]:
    """Outcomes so rare in the figures that limits cannot stop anybody, or risks say little."""
    start = scoring_list.stages[0]
    risk = start.risks[0] if start else None
    if risk is None or risk.cases is None or risk.positives is None:
        return
    usual = usual_policy(scoring_list)
    negatives, (for_out, for_in) = risk.cases - risk.positives, usual.needed_cases
    remedy = "use more cases, "
    if scoring_list.figures.origin == "held-out":
        remedy += "--evidence cross-checked, which counts them all, "
    if for_out is not None and negatives < for_out:
        yield Doubt(
            "few negative cases",
            f"Only {negatives:g} negative cases are behind the figures: to show a risk of at most"
            f" {usual.rule_out:.0%}, {for_out} are needed, so nobody will stop with “rule out”;"
            f" {remedy}or a higher --rule-out.",
        )
    elif negatives < FEW:
        yield _very_few("negative", negatives)
    if for_in is not None and risk.positives < for_in:
        yield Doubt(
            "few positive cases",
            f"Only {risk.positives:g} positive cases are behind the figures: to show a risk of at"
            f" least {usual.rule_in:.0%}, {for_in} are needed, so nobody will stop with “rule in”;"
            f" {remedy}or a lower --rule-in.",
        )
    elif risk.positives < FEW:
        yield _very_few("positive", risk.positives)


def _very_few(outcome: str, count: float) -> Doubt:
    return Doubt(
        f"few {outcome} cases",
        f"Only {count:g} {outcome} cases are behind the figures: questions and risks rest on chance"
        " with so few; use more cases.",
    )


def often_unknown(scoring_list: ScoringList, cases: Cases) -> Iterator[Doubt]:
    """Questions that many cases cannot answer: those who get further are no longer like all."""
    for number, question in enumerate(scoring_list.questions, 1):
        if question.condition.is_presence:
            continue  # being missing is the answer
        count, height = cases.inputs[question.input].null_count(), cases.inputs.height
        if count > OFTEN * height:
            yield Doubt(
                f"question {number} is often unknown",
                f"Question {number} ({question.input}) has no answer in {count} of {height} cases;"
                " --missing says what becomes of them, --drop leaves the column out.",
            )


def unknown_answers(scoring_list: ScoringList, cases: Cases) -> str:
    """How many cases have no answer to each question of the list; empty if all have."""
    counts = {
        question.input: cases.inputs[question.input].null_count()
        for question in scoring_list.questions
        if not question.condition.is_presence
    }
    missing = ", ".join(f"{name} {count}" for name, count in counts.items() if count)
    return f"Unknown answers among {cases.inputs.height} cases: {missing}." if missing else ""


def next_command(scoring_list: ScoringList, output: str) -> str:
    """The command that shows the list, with limits of its own where the usual ones are refused."""
    show = typed("scorecard", "show", output)
    limits = working_limits(scoring_list)
    if limits is None:
        return f"see it with: {show}"
    return (
        "the usual limits leave nothing to ask, because the outcome is so rare or so common; see it"
        f" with others, and give them to the other commands too: {show} {limits}"
    )


def working_limits(scoring_list: ScoringList) -> str | None:
    """Options with limits on both sides of the base rate; `None` where the usual ones will do."""
    usual = usual_policy(scoring_list)
    if _works(scoring_list, usual):
        return None
    start = scoring_list.stages[0]
    base = start.risks[0].probability if start else 0.5
    out, into = usual.rule_out, usual.rule_in
    if base <= out:
        out = _round_half(base)
    if base >= into:
        into = 1 - _round_half(1 - base)
    if not _works(scoring_list, replace(usual, rule_out=out, rule_in=into)):
        return None  # its refusal says more than any guess
    changed = [("--rule-out", out, usual.rule_out), ("--rule-in", into, usual.rule_in)]
    return " ".join(f"{name} {value * 100:g}%" for name, value, was in changed if value != was)


def _works(scoring_list: ScoringList, policy: StoppingPolicy) -> bool:
    try:
        build_staircase(scoring_list, policy)
    except PolicyError:
        return False
    return True


def _round_half(share: float) -> float:
    """Half of a share, rounded down to 1, 2 or 5 times a power of ten; 0 stays 0."""
    if share <= 0:
        return 0.0
    half = share / 2
    power = floor(log10(half))
    step = max(one for one in (1, 2, 5) if one * 10.0**power <= half * (1 + 1e-9))
    return float(f"{step}e{power}")

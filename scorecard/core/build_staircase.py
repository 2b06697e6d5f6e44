"""Put a list under a stopping policy: estimate, stop who may, go on with the rest, stage by stage.

The risk of those who get to a box depends on who stopped before, so the cut-offs are found in one
pass from the first question to the last. A second pass from the end finds the boxes where no later
answer can change the decision. By default only boxes without counts of their own are cut short like
this: where cases can be counted, a stop has to be shown by those who stop there, and the counts of
later boxes must not include anybody who has stopped before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from scorecard.core.binomial import chance_of_two_rates
from scorecard.core.calibration import FORMER, band, calibrated
from scorecard.core.error_control import (
    HIGH_RUNGS,
    LOW_RUNGS,
    ErrorControl,
    controlled_errors,
    limits_from_data,
    limits_table,
)
from scorecard.core.evidence import Counts, Pattern
from scorecard.core.fitted import Model, list_of
from scorecard.core.model import Risk, ScoringList
from scorecard.core.policy import (
    RULES,
    Curtail,
    Estimate,
    StoppingPolicy,
    cut_offs,
    too_few,
)
from scorecard.core.recalibration import blended, ranged, recalibrated_band, recalibrated_curves
from scorecard.core.staircase import Box, Decision, Note, Staircase, Step, joined
from scorecard.core.walk import answers_of, counts_at, still_there, walkers
from scorecard.errors import PolicyError

DEFAULT_LEVEL = 0.95  # of ranges for a list that came with counts but names no level

MORE = 10  # times the cases, beyond which single ones decide what more of them would show
FEW_UNKNOWN = 0.1  # of the cases, whose unknown answers explain nothing


def build_staircase(model: Model, policy: StoppingPolicy | None = None) -> Staircase:
    """Put a list under a stopping policy (default: `usual_policy` of the list).

    Parameters
    ----------
    model : ScoringList, fitted ScoringListClassifier, or a pipeline that ends in one
    policy : StoppingPolicy, optional

    Raises
    ------
    PolicyError
        Where the limits leave nothing to ask, or the list has not what the policy needs.

    Examples
    --------
    >>> from scorecard import Question, Risk, ScoringList, Stage, StoppingPolicy
    >>> stages = (Stage((0,), (Risk(0.3),)), Stage((0, 1), (Risk(0.02), Risk(0.8))))
    >>> smoking = ScoringList((Question("smoker", 1),), stages)
    >>> [box.decision for box in build_staircase(smoking).steps[1].boxes]
    ['rule out', 'undecided']
    >>> policy = StoppingPolicy(rule_out=0.05, rule_in=0.75)
    >>> [box.decision for box in build_staircase(smoking, policy).steps[1].boxes]
    ['rule out', 'rule in']
    """
    scoring_list = list_of(model)
    policy = policy or usual_policy(scoring_list)
    in_force, notes = _policy_in_force(scoring_list, policy)
    control = _error_control(scoring_list, in_force)
    stages, staircase_notes = _stages_under(
        scoring_list, in_force, control.limits if control else None
    )
    _refuse_if_settled(scoring_list, in_force, stages)
    notes += staircase_notes + _nobody_notes(scoring_list, in_force, stages)
    if any(box.decided for stage in stages for box in stage):
        stages = _curtailed(scoring_list, stages, policy.curtail)
    steps, sharpening = (
        tuple(replace(step, boxes=joined(step.boxes)) for step in some)
        for some in _deciding_steps(_reachable_steps(scoring_list, stages), policy.curtail)
    )
    later = {step.number for step in sharpening}
    notes = [note for note in notes if dict(note.facts).get("stage") not in later]
    dropped = scoring_list.questions[len(steps) - 1 :]
    if dropped:
        kind = "only-sharpen" if sharpening else "ends-early"
        notes.append(Note(kind, (("questions", len(steps) - 1), ("dropped", len(dropped)))))
    notes += _unsupported_notes((*steps[1:], *sharpening), in_force)
    staircase = Staircase(
        scoring_list, policy, in_force.by, in_force.estimate, steps, dropped, tuple(notes),
        sharpening, control.tally if control else None,
    )  # fmt: skip
    return replace(staircase, notes=(*notes, *unknown_notes(staircase)))


def usual_policy(scoring_list: ScoringList, **changes: Any) -> StoppingPolicy:
    """What a list is put under unless told otherwise, and what it is when told so.

    The policy it was made for; else, if it was cross-validated, the limits that its data can show;
    else 5 % and 95 %. `changes` are parameters of `StoppingPolicy`: they change what they name and
    nothing else. Limits that are given are somebody's (`chosen_by="person"`).

    Examples
    --------
    >>> from scorecard.core.model import Question, Risk, Stage
    >>> stages = Stage((0,), (Risk(0.3),)), Stage((0, 1), (Risk(0.2), Risk(0.6)))
    >>> policy = usual_policy(ScoringList((Question("smoker", 1),), stages), rule_out=0.02)
    >>> policy.rule_out, policy.rule_in
    (0.02, 0.95)
    """
    limits = {name: changes[name] for name in ("rule_out", "rule_in") if name in changes}
    others = {name: value for name, value in changes.items() if name not in limits}
    if scoring_list.policy is not None:
        policy = replace(scoring_list.policy, **others)
    elif len(limits) < 2 and scoring_list.cross_validation and scoring_list.evidence:
        found = limits_from_data(scoring_list.cross_validation, StoppingPolicy(**others))
        policy = replace(found, **others)
    else:
        policy = StoppingPolicy(**others)
    return replace(policy, **limits, chosen_by="person") if limits else policy


def limits_of(
    scoring_list: ScoringList, policy: StoppingPolicy | None = None
) -> dict[tuple[float, float], ErrorControl]:
    """How cases end in cross-validation under each pair of usual limits, and the policy's own.

    Only pairs with the base rate between them: any other leaves nothing to ask.

    Raises
    ------
    PolicyError
        Where the list was not cross-validated.
    """
    check, base = scoring_list.cross_validation, scoring_list.base_rate
    if check is None or base is None:
        raise PolicyError(
            "This list was not cross-validated, so nothing is known about other limits: learn it"
            " anew, with cross-validation."
        )
    policy = policy or usual_policy(scoring_list)
    low = sorted({rung for rung in (*LOW_RUNGS, policy.rule_out) if rung < base})
    high = sorted({rung for rung in (*HIGH_RUNGS, policy.rule_in) if rung > base}, reverse=True)
    return limits_table(check, policy, low, high)


def _error_control(scoring_list: ScoringList, policy: StoppingPolicy) -> ErrorControl | None:
    if policy.by != "error-control" or scoring_list.cross_validation is None:
        return None
    return controlled_errors(scoring_list.cross_validation, policy)


def _policy_in_force(
    scoring_list: ScoringList, policy: StoppingPolicy
) -> tuple[StoppingPolicy, list[Note]]:
    """The policy this list can keep; some rules need evidence, counts or ranges."""
    if not scoring_list.has_risks:
        raise PolicyError(
            "This list has no risks, it only ranks by total: there is nothing to stop by."
        )
    notes = []
    has_counts = scoring_list.evidence is not None or any(
        stage is not None and stage.risks[0].cases is not None for stage in scoring_list.stages
    )
    if policy.by == "error-control":
        can_keep = scoring_list.cross_validation is not None and scoring_list.evidence is not None
        policy = replace(policy, estimate="reached") if can_keep else replace(policy, by="group")
    if policy.estimate == "reached" and scoring_list.evidence is None:
        notes.append(Note("estimate-is-all"))
        policy = replace(policy, estimate="all")
    if policy.by == "group" and not has_counts:
        notes.append(Note("rule-is-point", (("asked", policy.by),)))
        policy = replace(policy, by="point")
    has_ranges = policy.estimate == "reached" or any(
        stage is not None and stage.risks[0].lower is not None for stage in scoring_list.stages
    )
    if RULES[policy.by].needs_ranges and not has_ranges:
        raise PolicyError(f"by={policy.by!r} needs ranges, and this list has none: use by='point'.")
    return policy, notes


Stages = list[list[Box]]
"""Per stage the boxes that can be reached."""

Here = Mapping[int, Counts | None]
"""By the totals that can be reached at a stage how many get there, if that is known."""


def _stages_under(
    scoring_list: ScoringList, policy: StoppingPolicy, limits: tuple[float, float] | None
) -> tuple[Stages, list[Note]]:
    """Stage by stage: estimate the risk of those who get there, and stop who may."""
    stages: Stages = []
    notes: list[Note] = []
    points = [question.points for question in scoring_list.questions]
    evidence = scoring_list.evidence
    walking, reachable = walkers(points, evidence.patterns if evidence else ()), [0]
    for number in range(len(scoring_list.questions) + 1):
        here: Here = dict.fromkeys(reachable)
        if evidence is not None:
            here = {**counts_at(walking, number, reachable)}
        boxes = _open_boxes(scoring_list, number, here, policy.estimate)
        boxes = decided(boxes, policy, limits)
        if evidence is not None and scoring_list.cross_validation is None:
            notes += _differing_estimates(scoring_list, number, boxes, policy)
        if policy.estimate == "reached" and boxes[0].risk and boxes[0].risk.lower is None:
            notes.append(Note("no-range", (("stage", number),)))
        if number == len(scoring_list.questions):
            boxes = [box if box.stops else replace(box, decision="undecided") for box in boxes]
        stages.append(boxes)
        going_on = {box.total for box in stages[-1] if not box.stops}
        if not going_on:
            break
        walking = still_there(walking, number, going_on)
        reachable = sorted(going_on | {total + points[number] for total in going_on})
    return stages, notes


def _open_boxes(
    scoring_list: ScoringList, number: int, here: Here, estimate: Estimate
) -> list[Box]:
    """Risk per total; counts are always those of the cases who get there, if they are known."""
    former = (
        scoring_list.cross_validation is None and scoring_list.risk_source.calibration in FORMER
    )
    stage, risks = scoring_list.stages[number], {}
    if estimate == "reached" and not former:
        risks = _reached_risks(scoring_list, number, {t: n or (0, 0) for t, n in here.items()})
    elif stage is not None:
        for total, counts in here.items():
            cases, positives = counts or (None, None)
            shown = stage.risk(total)
            risks[total] = replace(shown, cases=cases, positives=positives) if counts else shown
    return [Box(total, "go on", risks.get(total)) for total in here]


def _reached_risks(
    scoring_list: ScoringList, number: int, here: Mapping[int, Counts]
) -> dict[int, Risk]:
    """The risk of those who get there: corrected by cross-validation, or calibrated as at first."""
    about, check, evidence = (
        scoring_list.risk_source,
        scoring_list.cross_validation,
        scoring_list.evidence,
    )
    # All totals the stage can have, not those still reachable: that number is fixed beforehand.
    possible = scoring_list.possible_totals()[number]
    everywhere = [here.get(total, (0, 0)) for total in possible]
    level, counts = about.level or DEFAULT_LEVEL, list(here.values())
    if check is not None and evidence is not None:
        points = tuple(question.points for question in scoring_list.questions)
        curve = recalibrated_curves(points, evidence, check)[number]
        risks = blended(here, curve, check.design_effect)
        ranges = recalibrated_band(check, number, everywhere, level)
    else:
        found = calibrated(about.calibration, possible, everywhere, about.strength)
        if found is None:
            return {}
        risks = dict(zip(possible, found, strict=True))
        ranges = band(everywhere, level)
    places = [possible.index(total) for total in here]
    shown = ranged(
        [risks[total] for total in here],
        None if ranges is None else [ranges[place] for place in places],
        counts,
    )
    return dict(zip(here, shown, strict=True))


def decided(
    boxes: Sequence[Box], policy: StoppingPolicy, limits: tuple[float, float] | None = None
) -> list[Box]:
    """The boxes, those with a decision that may stop; the others stay as they are."""
    out, into = cut_offs(boxes, policy, limits)

    def decision(box: Box) -> Decision:
        if out is not None and box.total <= out:
            return "rule out"
        return "rule in" if into is not None and box.total >= into else box.decision

    return [replace(box, decision=decision(box)) for box in boxes]


def _differing_estimates(
    scoring_list: ScoringList, number: int, boxes: Sequence[Box], policy: StoppingPolicy
) -> list[Note]:
    """Where the risk of all cases with a total would decide otherwise than that of those there."""
    stage = scoring_list.stages[number]
    if stage is None or (RULES[policy.by].needs_ranges and stage.risks[0].lower is None):
        return []
    estimate: Estimate = "all" if policy.estimate == "reached" else "reached"
    here = {box.total: box.counts or (0, 0) for box in boxes}
    others = decided(_open_boxes(scoring_list, number, here, estimate), policy)
    return [
        Note(
            "estimates-differ",
            (
                ("stage", number),
                ("total", box.total),
                ("decision", box.decision),
                ("probability", box.risk and box.risk.probability),
                ("other_decision", other.decision),
                ("other_probability", other.risk and other.risk.probability),
            ),
        )
        for box, other in zip(boxes, others, strict=True)
        if box.decision != other.decision
    ]


def _unsupported_notes(steps: Iterable[Step], policy: StoppingPolicy) -> list[Note]:
    """Said where a risk keeps a limit and nobody stops: it would look like a mistake."""
    if not RULES[policy.by].tests_groups:
        return []
    low, high = policy.limits
    risks = [box.risk for step in steps for box in step.boxes if not box.decided and box.risk]
    within = any(
        (policy.has_limit[0] and risk.probability <= low)
        or (policy.has_limit[1] and risk.probability >= high)
        for risk in risks
    )
    return [Note("within-limit")] if within else []


def _refuse_if_settled(scoring_list: ScoringList, policy: StoppingPolicy, stages: Stages) -> None:
    first = stages[0][0]
    ends = {box.decision for stage in stages for box in stage if box.stops}
    low, high = policy.limits
    if policy.by == "error-control" and first.risk is not None:
        # The promise may need stricter limits; what is refused does not depend on that.
        risk = first.risk.probability
        settled: Decision = "rule out" if risk <= low else "rule in" if risk >= high else "go on"
        first = replace(first, decision=settled)
    if first.stops and not scoring_list.questions:
        return
    if first.stops or ends in ({"rule out"}, {"rule in"}):
        base = first.risk.probability if first.risk else None
        known = "" if base is None else f" The base rate is {base:.3g}."
        what = first.decision if first.stops else ends.pop()
        if (low, high) == (policy.rule_out, policy.rule_in):
            limits = f"the limits {low:.3g} and {high:.3g}"
            remedy = "`rule_out` below, `rule_in` above it"
        else:
            limits, remedy = f"the limit {low:.3g} of this miss_cost", "another `miss_cost`"
        raise PolicyError(
            f"With {limits} everybody ends with {what!r} whatever is answered.{known}"
            f" {_unanswered(first, stages) or f'Choose {remedy}.'}"
        )


def _unanswered(first: Box, stages: Stages) -> str:
    """Where the unknown answers to the first question are the reason, that; else nothing."""
    if first.stops or first.risk is None or not first.risk.cases or len(stages) < 2:
        return ""
    counted = sum(box.risk.cases or 0 for box in stages[1] if box.risk is not None)
    left = first.risk.cases - counted
    if left < FEW_UNKNOWN * first.risk.cases:
        return ""
    return (
        f"{left:g} of {first.risk.cases:g} cases have no answer to the first question and do not"
        " count from there on; the others are unlike them. Learn with another `missing`, or leave"
        " that column out (`drop`)."
    )


def _nobody_notes(scoring_list: ScoringList, policy: StoppingPolicy, stages: Stages) -> list[Note]:
    """For each end at which nobody can stop: how large a group it takes, and if cases are few."""
    ends = {box.decision for stage in stages for box in stage}
    if policy.chosen_by == "data":
        return [] if ends & {"rule out", "rule in"} else [Note("plain-risk")]
    sides: list[tuple[Decision, int]] = [("rule out", 0), ("rule in", 1)]
    return [
        Note(
            "nobody",
            (
                ("decision", decision),
                ("limit", policy.limits[side]),
                ("group", _smallest_group(scoring_list, policy)[side]),
                ("few", any(too_few(stage, policy, MORE)[side] for stage in stages[1:])),
            ),
        )
        for decision, side in sides
        if decision not in ends and policy.has_limit[side]
    ]


def _smallest_group(
    scoring_list: ScoringList, policy: StoppingPolicy
) -> tuple[int | None, int | None]:
    """How many cases a stop needs behind it at least: by its limit, and by the policy's word."""
    if RULES[policy.by].needs_ranges:
        level = scoring_list.risk_source.level or DEFAULT_LEVEL
        needed = replace(policy, confidence=1 - (1 - level) / 4).needed_cases  # 2 totals × 2 ends
    elif RULES[policy.by].tests_groups:
        needed = policy.needed_cases
    else:
        return None, None
    out, into = (None if one is None else max(one, policy.min_cases) for one in needed)
    return out, into


def _deciding_steps(
    steps: tuple[Step, ...], curtail: Curtail
) -> tuple[tuple[Step, ...], tuple[Step, ...]]:
    """The steps up to the last that decides anybody, where the rest is undecided; and the others.

    Where nobody can be decided all questions are asked for the risk they give.
    """
    last = max((step.number for step in steps if any(b.decided for b in step.boxes)), default=0)
    if curtail == "never" or not last or last == steps[-1].number:
        return steps, ()
    ended = tuple(
        replace(
            step,
            boxes=tuple(
                box if box.stops else replace(box, decision="undecided") for box in step.boxes
            ),
        )
        for step in steps[last:]
    )
    return (*steps[:last], ended[0]), ended[1:]


CURTAILED: dict[Curtail, frozenset[Decision]] = {
    "decided": frozenset({"rule out", "rule in"}),
    "all": frozenset({"rule out", "rule in", "undecided"}),
    "never": frozenset(),
}


def _curtailed(scoring_list: ScoringList, stages: Stages, curtail: Curtail) -> Stages:
    """Stop also where every way to go on ends with the same decision."""
    decisions = CURTAILED[curtail]
    ends: list[dict[int, set[Decision]]] = [{} for _ in stages]
    curtailed: Stages = [[] for _ in stages]
    for number in reversed(range(len(stages))):
        for box in stages[number]:
            if box.stops:
                possible = {box.decision}
            else:
                points = scoring_list.questions[number].points
                possible = ends[number + 1][box.total] | ends[number + 1][box.total + points]
            ends[number][box.total] = possible
            settled = len(possible) == 1 and possible <= decisions
            is_counted = box.risk is not None and box.risk.cases is not None
            if not box.stops and settled and (curtail == "all" or not is_counted):
                box = replace(box, decision=next(iter(possible)), curtailed=True)
            curtailed[number].append(box)
    return curtailed


def _reachable_steps(scoring_list: ScoringList, stages: Stages) -> tuple[Step, ...]:
    """Only what can be reached is kept: a curtailed stop cuts off the boxes behind it."""
    steps: list[Step] = []
    reachable = {0}
    for number, stage in enumerate(stages):
        question = scoring_list.questions[number - 1] if number else None
        boxes = tuple(box for box in stage if box.total in reachable)
        steps.append(Step(number, question, boxes))
        going_on = {box.total for box in boxes if not box.stops}
        if not going_on:
            break
        points = scoring_list.questions[number].points
        reachable = going_on | {total + points for total in going_on}
    return tuple(steps)


# What unknown answers did to a list ---------------------------------------------------------------
# A case with an unknown answer has no single total, so it is in no box; it is decided where every
# possible answer leads to the same decision. Its decision is counted with those who stop there.

LEVEL = 0.01  # at which being unknown goes with the outcome, whatever the number of questions
FEWEST = 5  # cases with and without an answer; with fewer a difference says nothing


def unknown_notes(staircase: Staircase) -> Iterator[Note]:
    """What a reader of the counts has to know about unknown answers; nothing without evidence."""
    evidence = staircase.scoring_list.evidence
    patterns = evidence.patterns if evidence else ()
    yield from _decided_despite(staircase, [one for one in patterns if "?" in one.answers])
    asked = [question.input for question in staircase.questions]
    for place in sorted(map(asked.index, set(asked))):
        there = [pattern for pattern in patterns if place < len(pattern.answers)]
        missing, known = (
            _sum(one for one in there if (one.answers[place] == "?") is unknown)
            for unknown in (True, False)
        )
        if min(missing[0], known[0]) < FEWEST:
            continue
        if chance_of_two_rates(missing, known) < LEVEL / len(set(asked)):
            facts = ("question", place), ("missing", missing), ("known", known)
            yield Note("unknown-with-outcome", facts)


def _decided_despite(staircase: Staircase, patterns: list[Pattern]) -> Iterator[Note]:
    found: dict[str, Counts] = {"rule out": (0, 0), "rule in": (0, 0)}
    for pattern in patterns:
        outcome = staircase.decide(answers_of(pattern))
        # Unknown answers behind the stop, or to nobody's question, have nothing to do with it.
        if outcome.decision in found and "?" in pattern.answers[: outcome.stage]:
            cases, positives = found[outcome.decision]
            found[outcome.decision] = cases + pattern.cases, positives + pattern.positives
    if any(cases for cases, _ in found.values()):
        facts = ("out", found["rule out"]), ("into", found["rule in"])
        yield Note("decided-despite-unknown", facts)


def _sum(patterns: Iterator[Pattern]) -> Counts:
    counts = [(one.cases, one.positives) for one in patterns]
    return sum(cases for cases, _ in counts), sum(positives for _, positives in counts)

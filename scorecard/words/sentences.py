"""Sentences about a whole staircase: limits, tests and notes, also short; ends and marks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR

from scorecard.core.build_staircase import DEFAULT_LEVEL
from scorecard.core.edits import (
    Before,
    Showing,
    chosen_among,
    edited_from,
    keeps_what_these_cases_chose,
    showing_of,
)
from scorecard.core.error_control import few_patients
from scorecard.core.evidence import Validation, ValidationKind
from scorecard.core.given_question import given_first
from scorecard.core.model import About, ScoringList
from scorecard.core.policy import By, StoppingPolicy
from scorecard.core.staircase import Box, Decision, Note, Staircase
from scorecard.words.wording import NEVER, SYMBOLS, Wording, printable

SHORT_RULES: dict[By, str] = {
    "group": "card short group",
    "point": "card short point",
    "bounds": "card short bounds",
    "error-control": "card short error-control",
}
TESTED: dict[ValidationKind, str] = {"held-out": "tested held-out", "other table": "tested other"}
VALIDATED: dict[ValidationKind, str] = {
    "held-out": "validated held-out",
    "other table": "validated other",
}
USE = {
    "when_to_use": "handout when",
    "not_for": "handout not for",
    "pitfalls": "handout pitfalls",
    "setting": "handout setting",
    "dates": "handout dates",
}
NEXT_STEPS: dict[Decision, str] = {
    "rule out": "next_steps_rule_out",
    "rule in": "next_steps_rule_in",
    "undecided": "next_steps_undecided",
}


def short_limits(staircase: Staircase, wording: Wording, with_rule: bool = True) -> str:
    """The limits in one line: "▼ at most 5 %, ▲ at least 95 %; 90 % confidence …".

    Without its rule where a sentence about what it has shown follows.
    """
    policy = staircase.policy
    if staircase.by == "bounds" and policy.miss_cost is not None:
        cost, limit = wording.times(policy.miss_cost), wording.limit_percent(policy.limits[0], True)
        limits = wording.word("card short cost", limit=limit, cost=cost)
    elif not any(policy.has_limit):
        return wording.sentence(wording.word("limits none"))
    else:
        limits = wording.short_limits(policy)
    nobody = _nobody_sides(staircase)
    if nobody and len(nobody) == sum(policy.has_limit):
        few = any(note["few"] for note in nobody)
        return wording.word(
            "card nobody decided few" if few else "card nobody decided", limits=limits
        )
    if not with_rule:
        return wording.sentence(limits)
    level = staircase.scoring_list.risk_source.level or DEFAULT_LEVEL
    by = wording.word(
        SHORT_RULES[staircase.by],
        confidence=wording.percent(policy.confidence),
        level=wording.percent(level),
    )
    return wording.sentence(limits, by)


def summary_sentences(staircase: Staircase, wording: Wording) -> Iterator[str]:
    """The notes for a card with room; where two estimates differ it is counted, not listed."""
    differing = [note for note in staircase.notes if note.kind == "estimates-differ"]
    for note in staircase.notes:
        if note.kind not in ("estimates-differ", "estimate-is-all", "only-sharpen"):
            yield wording.note(note, staircase)
    if len(differing) == 1:
        yield wording.word("card estimate differs")
    elif differing:
        yield wording.word("card estimates differ", number=len(differing))


def next_steps(about: About, wording: Wording) -> Iterator[tuple[str, str]]:
    """For each decision the list has advice for: its name, and what to do next."""
    for decision, name in NEXT_STEPS.items():
        if text := printable(getattr(about, name)):
            term = f"{SYMBOLS[decision]} {wording.decision(decision, about)}"
            yield wording.word("term", term=term), text


def use_sentences(about: About, wording: Wording) -> Iterator[str]:
    """What the list says about its use, where it says it: what comes next, when, not for whom."""
    told = [
        (wording.word("term", term=wording.word(key)), printable(getattr(about, name)))
        for name, key in USE.items()
    ]
    for term, text in (*next_steps(about, wording), *told):
        if text:
            yield wording.sentence(f"{term} {text}")


def short_notes(staircase: Staircase, wording: Wording) -> Iterator[str]:
    """The notes a small card must not leave out: nobody can stop, or risks do not fit everybody."""
    nobody = _nobody_sides(staircase)
    if len(nobody) < sum(staircase.policy.has_limit):
        for note in nobody:
            sign = SYMBOLS["rule out" if note["decision"] == "rule out" else "rule in"]
            yield wording.word(
                "card short nobody few" if note["few"] else "card short nobody", sign=sign
            )
    for note in staircase.notes:
        if note.kind in ("plain-risk", "unknown-with-outcome"):
            yield wording.note(note, staircase)


def _nobody_sides(staircase: Staircase) -> list[Note]:
    """The notes that nobody can stop, one for each side."""
    return [note for note in staircase.notes if note.kind == "nobody"]


def ends_in_words(staircase: Staircase, wording: Wording) -> str:
    """How many end without a decision: "76 end undecided, 4 cannot be decided (…)"."""
    ends: tuple[Decision, ...] = ("undecided", "unknown")
    undecided, unknown = (staircase.stopping(end)[0] for end in ends)
    parts = [wording.word("card ends undecided", cases=wording.count(undecided))]
    if unknown:
        parts.append(wording.word("card ends unknown", cases=wording.count(unknown)))
    return ", ".join(parts)


def ranges_are_joint(staircase: Staircase) -> bool:
    """Whether the ranges of a row hold together; published ones are as the source has them."""
    return (
        staircase.estimate == "reached" or staircase.scoring_list.risk_source.origin != "published"
    )


def mark_legends(wording: Wording, boxes: Sequence[Box]) -> Iterator[str]:
    """What the marks at these boxes mean."""
    if any(box.curtailed for box in boxes):
        yield wording.curtailed_legend()


def cross_validation_sentences(staircase: Staircase, wording: Wording) -> list[str]:
    """How cases ended in cross-validation, and what was learned without them; empty without."""
    tally = staircase.cross_validated
    if tally is None:
        return []
    sides = [
        wording.word(
            key,
            positives=wording.count(counts[1]),
            cases=wording.count(counts[0]),
            limit=wording.limit_of(limit, rules_out=rules_out),
        )
        for key, counts, limit, rules_out in (
            ("cross-validated out", tally.ruled_out, staircase.policy.rule_out, True),
            ("cross-validated in", tally.ruled_in, staircase.policy.rule_in, False),
        )
        if counts[0]
    ]
    given = given_first(staircase.scoring_list)
    decided = wording.word(
        "cross-validated decided given" if given else "cross-validated decided",
        decided=wording.count(tally.ruled_out[0] + tally.ruled_in[0]),
        cases=wording.count(tally.cases),
        asked=wording.mean_questions(tally.mean_questions),
    )
    few = [wording.word("cross-validated few", cases=wording.count(tally.cases))]
    return [*sides, decided, *few * few_patients(staircase)] if sides else []


def validation_sentences(staircase: Staircase, wording: Wording) -> list[str]:
    """What tests of the finished list on new cases have shown, each with its own limits."""
    return [
        _validation(one, staircase.policy, wording) for one in staircase.scoring_list.validations
    ]


def short_validations(staircase: Staircase, wording: Wording) -> str:
    """The tests under these very limits, one after the other in few words, and what is sure."""
    told = []
    for one in staircase.scoring_list.validations:
        if one.policy != staircase.policy:
            continue
        bounds = [
            wording.word(key, bound=wording.bound(bound, rounding))
            for key, bound, rounding in (
                ("tested out", one.missed_at_most, ROUND_CEILING),
                ("tested in", one.found_at_least, ROUND_FLOOR),
            )
            if bound is not None
        ]
        told += [
            wording.word(
                TESTED[one.kind],
                cases=wording.count(one.tally.cases),
                bounds=", ".join(bounds),
                per=wording.number(wording.per),
                confidence=wording.percent(one.policy.confidence),
            )
        ] * bool(bounds)
        if bounds and one.edits:
            told.append(_times(one.edits, "edited since once", "edited since often", wording))
    return " ".join(told)


def edit_sentences(scoring_list: ScoringList, wording: Wording) -> Iterator[str]:
    """What the list was before its last edit, and what the edit has cost."""
    before = edited_from(scoring_list)
    if before is None:
        return
    now = showing_of(scoring_list)
    if before.kept and before.was_under(scoring_list.policy) is False:
        now = Showing(now.log_loss)  # it got other limits since both were counted alike
    figures = list(_compared(before.showing, now, wording))
    name = printable(before.list)
    if figures:
        how = _how_compared(before, scoring_list.policy, now, wording)
        yield wording.word("edit price", list=name, how=how, figures="; ".join(figures))
    else:
        yield wording.word("edit price unknown", list=name)
    among = chosen_among(scoring_list)
    if among:
        yield wording.word("chosen among", count=wording.number(among))
    elif figures and before.table:
        kept = keeps_what_these_cases_chose(scoring_list)
        yield wording.word("edit same cases" if kept else "edit other table")


def _how_compared(
    before: Before, policy: StoppingPolicy | None, now: Showing, wording: Wording
) -> str:
    """Under which limits two lists were compared, and whether both kept their questions."""
    told, alike = "", before.was_under(policy)
    limits = wording.short_limits(policy) if policy else ""
    if now.decided is not None and alike and limits:
        told = wording.word("edit same limits", limits=limits)
    elif now.decided is not None and alike is False:
        told = wording.word("edit own limits")
    return told + (wording.word("edit kept") if before.kept else "")


def _compared(was: Showing, now: Showing, wording: Wording) -> Iterator[str]:
    if was.log_loss is not None and now.log_loss is not None:
        losses = (wording.number(round(loss, 3)) for loss in (was.log_loss, now.log_loss))
        yield wording.word("edit log loss", **dict(zip(("before", "now"), losses, strict=True)))
    if was.decided is not None and now.decided is not None:
        before, after = (
            wording.number(round(wording.per * share)) for share in (was.decided, now.decided)
        )
        per = wording.number(wording.per)
        yield wording.word("edit decided", before=before, now=after, per=per)
    if was.questions is not None and now.questions is not None:
        before, after = wording.mean(was.questions), wording.mean(now.questions)
        yield wording.word("edit questions", before=before, now=after)


def _times(count: int, once: str, often: str, wording: Wording) -> str:
    return wording.word(once) if count == 1 else wording.word(often, times=wording.number(count))


def _validation(validation: Validation, in_force: StoppingPolicy, wording: Wording) -> str:
    tally, policy = validation.tally, validation.policy
    source, confidence = printable(validation.source), wording.percent(policy.confidence)
    told = [
        wording.word(
            VALIDATED[validation.kind], cases=wording.count(tally.cases), source=source or NEVER
        )
    ]
    if policy != in_force:
        told.append(wording.word("validated limits", limits=wording.short_limits(policy)))
    for key, (cases, positives), bound, rules_out in (
        ("validated out", tally.ruled_out, validation.missed_at_most, True),
        ("validated in", tally.ruled_in, validation.found_at_least, False),
    ):
        if bound is not None:
            told.append(
                wording.word(
                    key,
                    positives=wording.count(positives),
                    cases=wording.count(cases),
                    confidence=confidence,
                    bound=wording.limit(bound, rules_out),
                    per=wording.number(wording.per),
                )
            )
    if len(told) == 1 + (policy != in_force):
        told.append(wording.word("validated nobody"))
    if validation.edits:
        told.append(_times(validation.edits, "edited once", "edited often", wording))
    return " ".join(told)

"""A list under its stopping policy as one plain value: everything an evaluator needs to know.

All exports are made from this table, so they cannot differ in what they know. It is made of dicts,
lists, texts and numbers; the JSON export is this value written out, and
`decision_table.schema.json` describes it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from msgspec import Meta

from scorecard import __version__
from scorecard.core.evidence import Seen, range_of
from scorecard.core.model import Question
from scorecard.core.policy import By, Curtail, Estimate
from scorecard.core.question import (
    NO_WORDS,
    NUMBER_PATTERN,
    SHORT_NO,
    SHORT_YES,
    UNKNOWN_WORDS,
    YES_WORDS,
    ConditionKind,
    float_not_below,
    inputs_asked_again,
    inputs_of,
    settled_answers,
)
from scorecard.core.staircase import Box, Decision, Staircase, Step
from scorecard.documents.json_document import content_hash, laid_out

FORMAT: Literal["scorecard-decisions/3"] = "scorecard-decisions/3"

# How deep each member is broken into lines, so that a question or a box is one line each.
LEVELS = {"questions": 1, "steps": 3, "stops": 1, "notes": 1, "words": 1, "about": 1, "answers": 1}

Number = int | float
Share = Annotated[float, Meta(ge=0, le=1)]
BoxDecision = Literal["rule out", "rule in", "undecided", "go on"]


class ConditionEntry(TypedDict):
    """What has to hold for yes: see `answers` for how a value is read."""

    kind: ConditionKind
    cutoff: Annotated[Number | None, Meta(description="For >= and <.")]
    categories: Annotated[list[str], Meta(description="For in and not in.")]
    choices: Annotated[list[str], Meta(description="All known values; others are refused.")]


class SettledEntry(TypedDict):
    """If the question at this place (from 0) has this answer, the later one need not be asked."""

    question: int
    answer: bool
    then: Annotated[bool | None, Meta(description="The later question's answer, null: unknown.")]


class SeenEntry(TypedDict):
    """Which numbers the list has seen: a number that is not within is told, and decides as any."""

    low: Annotated[Number, Meta(description="The 1st centile.")]
    high: Annotated[Number, Meta(description="The 99th centile.")]
    within: Annotated[tuple[Number, Number], Meta(description="The centiles, widened.")]
    remark: Annotated[str, Meta(description="What to say of a number beyond.")]


class SubstituteEntry(TypedDict):
    """Asked where the input of its question is unknown: its answer is the question's."""

    input: str
    label: str
    unit: str
    text: str
    condition: ConditionEntry
    value_only: bool
    seen: NotRequired[SeenEntry]


class QuestionEntry(TypedDict):
    """Add `points` to the total if the condition holds for the value of `input`."""

    input: str
    label: str
    unit: str
    note: str
    text: Annotated[str, Meta(description="The question as the card prints it.")]
    points: int
    condition: ConditionEntry
    value_only: Annotated[
        bool,
        Meta(description="Other questions ask for this input too: in a case, yes is no value."),
    ]
    settled_by: Annotated[list[SettledEntry], Meta(description="For who asks one by one.")]
    if_unknown: NotRequired[SubstituteEntry]
    seen: NotRequired[SeenEntry]


class BoxEntry(TypedDict):
    """A total that can be reached: what to do there, and the risk of those who get there."""

    total: int
    decision: BoxDecision
    probability: Share | None
    lower: Share | None
    upper: Share | None
    cases: Number | None
    positives: Number | None
    totals: Annotated[
        tuple[int, int],
        Meta(description="From this total to that one a figure and its counts are shared."),
    ]
    curtailed: Annotated[bool, Meta(description="It stops because no answer can change it.")]


class StepEntry(TypedDict):
    """Where one stands after `stage` answers; the three cut-offs say the same as the boxes."""

    stage: int
    rule_out_at: Annotated[int | None, Meta(description="Rule out at this total or below.")]
    rule_in_at: Annotated[int | None, Meta(description="Rule in at this total or above.")]
    undecided_between: tuple[int, int] | None
    boxes: list[BoxEntry]


class SharpeningEntry(TypedDict):
    """What who is undecided after `steps` can still answer: the risk sharpens, no more.

    The questions follow those that decide, and so do the steps: their first `stage` is one more
    than the last. All of their boxes are undecided.
    """

    questions: list[QuestionEntry]
    steps: list[StepEntry]


class StopEntry(TypedDict):
    """How many of the cases behind the list end here."""

    stage: int
    decision: Decision
    cases: Number
    positives: Number


class PolicyEntry(TypedDict):
    """The limits and the rule in force."""

    rule_out: Share
    rule_in: Share
    by: By
    estimate: Estimate
    confidence: Share
    min_cases: int
    miss_cost: Number | None
    curtail: Curtail


class RiskSourceEntry(TypedDict):
    """Where the risks come from, and the level and kind of their ranges."""

    origin: str
    level: Share | None
    band: str


class AnswersEntry(TypedDict):
    """How text is read: trimmed, in small letters; `number` is a regular expression.

    A plain yes/no input may also have 1 or 0 with a point and zeros behind it: 1.00 is yes.
    """

    yes: list[str]
    no: list[str]
    yes_no_inputs_yes: list[str]
    yes_no_inputs_no: list[str]
    unknown: list[str]
    number: str


class NoteEntry(TypedDict):
    """Something a reader has to know about this list under these limits."""

    kind: str
    text: str


class DecisionTable(TypedDict):
    """A scoring list under a stopping policy, ready to be applied."""

    format: Literal["scorecard-decisions/3"]
    sha256: Annotated[str, Meta(description="Of all other members; it tells changes by hand.")]
    generator: str
    language: Annotated[str, Meta(description="Of the texts; empty if they are the bare facts.")]
    model: Annotated[str, Meta(pattern="^sha256:[0-9a-f]{64}$")]
    about: dict[str, str]
    names: Annotated[dict[str, str], Meta(description="What the list calls the decisions.")]
    risk_source: RiskSourceEntry
    policy: PolicyEntry
    words: Annotated[list[str], Meta(description="Limits and figures in sentences.")]
    answers: AnswersEntry
    questions: list[QuestionEntry]
    not_asked: Annotated[list[str], Meta(description="Inputs of questions nobody gets to.")]
    steps: list[StepEntry]
    sharpening: SharpeningEntry
    stops: list[StopEntry]
    notes: list[NoteEntry]
    provenance: list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Words:
    """The sentences of a card, made by whoever prints cards; exports only carry them.

    `questions` are those that are asked, and then those that sharpen the risk; `notes` those of the
    staircase, in their order; `names` what decisions are called where they are no actions.
    `substitutes` has a text for each question, empty where it has none. What is left out is
    replaced by the bare facts. `remarks` are on numbers far from those seen, by input.
    """

    questions: tuple[str, ...] = ()
    sentences: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    identity: str = ""
    language: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    substitutes: tuple[str, ...] = ()
    remarks: Mapping[str, str] = field(default_factory=dict)


def decision_table(staircase: Staircase, words: Words | None = None) -> DecisionTable:
    """The decision table of a list under its policy."""
    words = words or Words()
    scoring_list = staircase.scoring_list
    asked = (*staircase.questions, *staircase.sharpening_questions)
    texts = words.questions or tuple(map(_bare_question, asked))
    others = words.substitutes or tuple(_bare_question(one.instead) for one in asked)
    questions = [
        _question(staircase, asked, place, *both, words.remarks)
        for place, both in enumerate(zip(texts, others, strict=True))
    ]
    deciding = len(staircase.questions)
    table: DecisionTable = {
        "format": FORMAT,
        "sha256": "",
        "generator": f"scorecard {__version__}",
        "language": words.language,
        "model": f"sha256:{words.identity or content_hash(scoring_list)}",
        "about": {key: text for key, text in asdict(scoring_list.about).items() if text},
        "names": _names(staircase, words),
        "risk_source": {
            "origin": scoring_list.risk_source.origin,
            "level": scoring_list.risk_source.level,
            "band": scoring_list.risk_source.band,
        },
        "policy": _policy(staircase),
        "words": list(words.sentences),
        "answers": _answers(),
        "questions": questions[:deciding],
        "not_asked": inputs_of(staircase.dropped),
        "steps": [_step(step) for step in staircase.steps],
        "sharpening": {
            "questions": questions[deciding:],
            "steps": [_step(step) for step in staircase.sharpening],
        },
        "stops": _stops(staircase),
        "notes": _notes(staircase, words.notes),
        "provenance": list(scoring_list.provenance),
    }
    table["sha256"] = table_hash(table)
    return table


def all_questions(table: DecisionTable) -> list[QuestionEntry]:
    """Those that decide, and then those that only sharpen the risk."""
    return [*table["questions"], *table["sharpening"]["questions"]]


def all_asked(table: DecisionTable) -> list[QuestionEntry | SubstituteEntry]:
    """All questions, and behind them what is asked where they are unknown."""
    asked = all_questions(table)
    return [*asked, *(one["if_unknown"] for one in asked if "if_unknown" in one)]


def table_hash(table: Mapping[str, Any]) -> str:
    """The hash of all members of a table but the hash itself.

    All numbers count as floats: JavaScript writes 1.0 as 1.
    """
    rest = {key: value for key, value in table.items() if key != "sha256"}
    plain = json.loads(json.dumps(rest), parse_int=float)
    return sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()


def table_text(table: DecisionTable) -> str:
    return laid_out(table, LEVELS)


def _names(staircase: Staircase, words: Words) -> dict[str, str]:
    about = staircase.scoring_list.about
    usual = words.names or staircase.policy.names
    own = {"rule out": about.rule_out, "rule in": about.rule_in, "undecided": about.undecided}
    names = {decision: name or usual.get(decision, "") for decision, name in own.items()}
    # Where both ways of an unknown answer end differently, one does what the card says at ◆.
    return names | {"unknown": names["undecided"]}


def _policy(staircase: Staircase) -> PolicyEntry:
    policy = staircase.policy
    low, high = policy.limits
    return {
        "rule_out": low,
        "rule_in": high,
        "by": staircase.by,
        "estimate": staircase.estimate,
        "confidence": policy.confidence,
        "min_cases": policy.min_cases,
        "miss_cost": policy.miss_cost,
        "curtail": policy.curtail,
    }


def _stops(staircase: Staircase) -> list[StopEntry]:
    return [
        {"stage": stage, "decision": decision, "cases": cases, "positives": positives}
        for (stage, decision), (cases, positives) in sorted(staircase.ends.counts.items())
    ]


def _notes(staircase: Staircase, sentences: Sequence[str]) -> list[NoteEntry]:
    texts = sentences or [_bare_note(dict(note.facts)) for note in staircase.notes]
    return [
        {"kind": note.kind, "text": text} for note, text in zip(staircase.notes, texts, strict=True)
    ]


def _answers() -> AnswersEntry:
    return {
        "yes": sorted(YES_WORDS),
        "no": sorted(NO_WORDS),
        "yes_no_inputs_yes": sorted(SHORT_YES),
        "yes_no_inputs_no": sorted(SHORT_NO),
        "unknown": sorted(UNKNOWN_WORDS),
        "number": NUMBER_PATTERN,
    }


def _question(
    staircase: Staircase,
    asked: Sequence[Question],
    place: int,
    text: str,
    other_text: str,
    remarks: Mapping[str, str],
) -> QuestionEntry:
    question = asked[place]
    entry: QuestionEntry = {
        "input": question.input,
        "label": question.label,
        "unit": question.unit,
        "note": question.note,
        "text": text,
        "points": question.points,
        "condition": _condition(question),
        "value_only": _value_only(staircase, question),
        "settled_by": [
            {"question": earlier, "answer": bool(answer), "then": later[place]}
            for (earlier, answer), later in settled_answers(asked).items()
            if place in later
        ],
    }
    if other := question.instead:
        entry["if_unknown"] = {
            "input": other.input,
            "label": other.label,
            "unit": other.unit,
            "text": other_text,
            "condition": _condition(other),
            "value_only": _value_only(staircase, other),
        }
    seen = staircase.scoring_list.seen
    for one, its_entry in ((question, entry), (other, entry.get("if_unknown"))):
        if one and its_entry and (range_ := range_of(seen, one)):
            its_entry["seen"] = _seen(range_, remarks.get(one.input, ""))
    return entry


def _seen(seen: Seen, remark: str) -> SeenEntry:
    return {
        "low": seen.low,
        "high": seen.high,
        "within": seen.within,
        "remark": remark or f"outside {seen.low!r} to {seen.high!r}",
    }


def _condition(question: Question) -> ConditionEntry:
    condition = question.condition
    return {
        "kind": condition.kind,
        "cutoff": None if condition.cutoff is None else float_not_below(condition.cutoff),
        "categories": list(condition.categories),
        "choices": list(condition.choices),
    }


def _value_only(staircase: Staircase, question: Question) -> bool:
    again = inputs_asked_again(staircase.scoring_list.questions)
    return question.takes_answers and question.input in again


def _step(step: Step) -> StepEntry:
    return {
        "stage": step.number,
        "rule_out_at": step.rule_out_at,
        "rule_in_at": step.rule_in_at,
        "undecided_between": step.undecided_between,
        "boxes": [_box(box) for box in step.boxes],
    }


def _box(box: Box) -> BoxEntry:
    risk = box.risk
    return {
        "total": box.total,
        "decision": _of_a_box(box.decision),
        "probability": None if risk is None else risk.probability,
        "lower": None if risk is None else risk.lower,
        "upper": None if risk is None else risk.upper,
        "cases": None if box.counts is None else box.counts[0],
        "positives": None if box.counts is None else box.counts[1],
        "totals": box.totals,
        "curtailed": box.curtailed,
    }


def _of_a_box(decision: Decision) -> BoxDecision:
    assert decision != "unknown"  # a case can end like that, a box cannot
    return decision


def _bare_question(question: Question | None) -> str:
    return (
        ""
        if question is None
        else f"{question.label} {question.condition} {question.unit}".rstrip()
    )


def _bare_note(facts: dict[str, object]) -> str:
    return ", ".join(f"{name} {value}" for name, value in facts.items())

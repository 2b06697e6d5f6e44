"""The shape of a scoring list document, as records that msgspec checks, and its JSON Schema.

The records say which keys there are and what type each value has; what makes them a scoring list
(totals that can occur, risks that do not fall, counts that agree) is the model's own business. The
limits given here as `extra_json_schema` are those of the model, for readers of the schema only.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from scorecard.core.model import MAX_QUESTIONS, About, Condition, Figures, Pattern, Question, Risk
from scorecard.core.question import MAX_POINTS, ConditionKind

FORMAT = "scorecard/1"

Number = int | float
Count = Annotated[Number, Meta(extra_json_schema={"minimum": 0})]
Probability = Annotated[float, Meta(extra_json_schema={"minimum": 0, "maximum": 1})]


class Record(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A JSON object without keys nobody knows; what has its default value is not written."""


class AboutRecord(Record):
    title: str = ""
    outcome: Annotated[str, Meta(description="What the risk is the risk of.")] = ""
    population: str = ""
    horizon: str = ""
    rule_out: Annotated[str, Meta(description="What the card calls this decision.")] = ""
    rule_in: Annotated[str, Meta(description="What the card calls this decision.")] = ""
    undecided: Annotated[str, Meta(description="What the card calls this decision.")] = ""
    source: str = ""
    validation: str = ""
    licence: str = ""
    version: str = ""
    date: str = ""
    note: str = ""
    outcome_sentence: Annotated[str, Meta(description="“Risk that the mass is malignant”.")] = ""
    when_to_use: str = ""
    not_for: str = ""
    pitfalls: str = ""
    next_steps_rule_out: Annotated[str, Meta(description="What to do after this decision.")] = ""
    next_steps_rule_in: Annotated[str, Meta(description="What to do after this decision.")] = ""
    next_steps_undecided: Annotated[str, Meta(description="What to do after this decision.")] = ""
    setting: Annotated[str, Meta(description="Where the cases were seen.")] = ""
    dates: Annotated[str, Meta(description="When the cases were seen.")] = ""

    def value(self) -> About:
        return About(**msgspec.structs.asdict(self))

    @classmethod
    def of(cls, about: About) -> AboutRecord:
        return cls(**{name: getattr(about, name) for name in cls.__struct_fields__})


class FiguresRecord(Record, omit_defaults=False):
    origin: Literal["training", "held-out", "cross-checked", "published"] = "published"
    level: Probability | None = None
    band: str = ""

    def value(self) -> Figures:
        return Figures(self.origin, self.level, self.band)

    @classmethod
    def of(cls, figures: Figures) -> FiguresRecord:
        return cls(origin=figures.origin, level=figures.level, band=figures.band)


class ConditionRecord(Record):
    kind: ConditionKind
    cutoff: Number | None = None
    categories: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()

    def value(self) -> Condition:
        return Condition(self.kind, self.cutoff, self.categories, self.choices)

    @classmethod
    def of(cls, condition: Condition) -> ConditionRecord:
        return cls(
            kind=condition.kind,
            cutoff=condition.cutoff,
            categories=condition.categories,
            choices=condition.choices,
        )


class QuestionRecord(Record, kw_only=True):
    input: Annotated[str, Meta(extra_json_schema={"minLength": 1})]
    label: Annotated[str, Meta(description="What is asked; the input's name if left out.")] = ""
    condition: ConditionRecord
    unit: str = ""
    points: Annotated[
        int,
        Meta(
            extra_json_schema={"minimum": -MAX_POINTS, "maximum": MAX_POINTS, "not": {"const": 0}}
        ),
    ]
    cost: Count | None = None
    note: str = ""

    def value(self) -> Question:
        return Question(
            self.input,
            self.points,
            self.condition.value(),
            self.label,
            self.unit,
            self.cost,
            self.note,
        )

    @classmethod
    def of(cls, question: Question) -> QuestionRecord:
        return cls(
            input=question.input,
            label="" if question.label == question.input else question.label,
            condition=ConditionRecord.of(question.condition),
            unit=question.unit,
            points=question.points,
            cost=question.cost,
            note=question.note,
        )


class RiskRecord(Record):
    total: int
    probability: Probability
    lower: Probability | None = None
    upper: Probability | None = None
    cases: Count | None = None
    positives: Count | None = None

    def value(self) -> Risk:
        return Risk(self.probability, self.lower, self.upper, self.cases, self.positives)

    @classmethod
    def of(cls, total: int, risk: Risk) -> RiskRecord:
        return cls(
            total=total,
            probability=risk.probability,
            lower=risk.lower,
            upper=risk.upper,
            cases=risk.cases,
            positives=risk.positives,
        )


class PatternRecord(Record):
    answers: Annotated[
        str,
        Meta(
            description="One of 1 (yes), 0 (no) and ? (unknown) for each question.",
            extra_json_schema={"pattern": "^[01?]*$"},
        ),
    ]
    cases: Count
    positives: Count

    def value(self) -> Pattern:
        return Pattern(self.answers, self.cases, self.positives)

    @classmethod
    def of(cls, pattern: Pattern) -> PatternRecord:
        return cls(answers=pattern.answers, cases=pattern.cases, positives=pattern.positives)


class Document(Record, kw_only=True, tag_field="format", tag=FORMAT):
    """A probabilistic scoring list."""

    sha256: Annotated[
        str | None,
        Meta(description="Of the content; may be left out. It tells a changed document."),
    ] = None
    about: AboutRecord = msgspec.field(default_factory=AboutRecord)
    figures: FiguresRecord = msgspec.field(default_factory=FiguresRecord)
    questions: Annotated[list[QuestionRecord], Meta(extra_json_schema={"maxItems": MAX_QUESTIONS})]
    stages: Annotated[
        list[list[RiskRecord] | None],
        Meta(
            description="After 0, 1, … answers the risk for every total that can occur, ascending;"
            " null where the risks are not known."
        ),
    ]
    evidence: Annotated[
        list[PatternRecord] | None,
        Meta(description="The answer patterns of the cases behind the figures."),
    ] = None
    provenance: Annotated[
        tuple[tuple[str, str], ...],
        Meta(description="Name and value of what is known about how the list was made."),
    ] = ()


def json_schema() -> bytes:
    """The JSON Schema of the document, as published in `document.schema.json`."""
    schema: dict[str, Any] = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Scoring list ({FORMAT})",
        **msgspec.json.schema(Document),
    }
    return (json.dumps(schema, indent=2, ensure_ascii=False) + "\n").encode()

"""A worked example: one way through the staircase, step by step, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scorecard.core.evidence import Counts, Pattern
from scorecard.core.model import Answer, Question
from scorecard.core.question import ANSWERS
from scorecard.core.staircase import Box, Staircase
from scorecard.forms.card.rows import KINDS
from scorecard.forms.handout.calculator import PLAIN, TURNED, asked
from scorecard.words.wording import Wording


@dataclass(frozen=True, slots=True)
class ExampleStep:
    """One answer and where it leads; `kind` is out, in, undecided or on."""

    question: str
    answer: str
    score: str
    result: str
    kind: str


@dataclass(frozen=True, slots=True)
class Example:
    """Whose answers these are, and the steps they take."""

    origin: str
    steps: tuple[ExampleStep, ...]


def worked_example(staircase: Staircase, wording: Wording) -> Example:
    """The most frequent answers with a yes that lead to a decision; without evidence, made up."""
    patterns = staircase.scoring_list.evidence.patterns if staircase.scoring_list.evidence else ()
    ways = _ways(staircase, patterns)
    if not ways:
        # Yes and no in turn: both look and lead somewhere.
        answers: list[Answer] = [place % 2 == 0 for place in range(len(staircase.questions))]
        return Example(wording.word("handout example made up"), _steps(staircase, answers, wording))
    # An example without a yes adds nothing; the most frequent way tells least about a single case.
    chosen = max(
        ways,
        key=lambda way: (
            "1" in way.answers, _is_decided(staircase, way), way.cases, way.answers
        ),
    )  # fmt: skip
    is_decided = _is_decided(staircase, chosen)
    key = "handout example data" if is_decided else "handout example data open"
    origin = wording.word(
        key, cases=wording.count(chosen.cases), positives=wording.count(chosen.positives)
    )
    return Example(origin, _steps(staircase, _read(chosen), wording))


def _ways(staircase: Staircase, patterns: Sequence[Pattern]) -> list[Pattern]:
    """The answers given until one stops, all known, with all cases who stop by them."""
    counts: dict[str, Counts] = {}
    for pattern in patterns:
        way = pattern.answers[: staircase.decide(_read(pattern)).stage]
        if pattern.cases and "?" not in way:
            cases, positives = counts.get(way, (0, 0))
            counts[way] = cases + pattern.cases, positives + pattern.positives
    return [Pattern(way, *both) for way, both in counts.items()]


def _read(pattern: Pattern) -> list[Answer]:
    return [ANSWERS[letter] for letter in pattern.answers]


def _is_decided(staircase: Staircase, pattern: Pattern) -> bool:
    return staircase.decide(_read(pattern)).decision in ("rule out", "rule in")


def _steps(
    staircase: Staircase, answers: list[Answer], wording: Wording
) -> tuple[ExampleStep, ...]:
    steps: list[ExampleStep] = []
    for number, question in enumerate(staircase.questions, 1):
        yes = bool(answers[number - 1])
        box = staircase.decide(answers[:number]).lowest
        steps.append(
            ExampleStep(
                wording.word("term", term=_asked(question, wording)),
                wording.word("yes" if yes != (question.condition.kind in TURNED) else "no"),
                wording.word(
                    "handout example step",
                    points=wording.points(question.points) if yes else "0",
                    total=wording.total(box.total),
                ),
                _result(box, staircase, wording),
                KINDS[box.decision],
            )
        )
        if box.stops:
            break
    return tuple(steps)


def _asked(question: Question, wording: Wording) -> str:
    if question.condition.kind in PLAIN:
        return asked(question, wording)
    return wording.question(question)


def _result(box: Box, staircase: Staircase, wording: Wording) -> str:
    if box.stops:
        what = wording.told(box.decision, staircase.scoring_list.about)
    else:
        what = wording.word("handout next")
    if box.risk is None:
        return wording.word(
            "handout example stop" if box.stops else "handout example on", what=what
        )
    risk = wording.risk_of(box.risk.probability)
    return wording.word("handout example risk", risk=risk, what=what)

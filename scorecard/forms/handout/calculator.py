"""What the calculator inside a handout says: every text of every box ready, nothing to round.

The page decides with the evaluator it shares with the JavaScript export; from here it takes the
words for what was decided, and the checks it has to pass before it may be used.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scorecard.core.build_staircase import DEFAULT_LEVEL
from scorecard.core.model import Answer, Question
from scorecard.core.question import LETTERS
from scorecard.core.staircase import FIGURES, Box, Decision, Staircase
from scorecard.errors import AnswerError
from scorecard.forms.card.rows import KINDS, final_risks
from scorecard.forms.handout.pictures import icon_counts
from scorecard.forms.test_cases import asked_in_all
from scorecard.words.wording import Wording, printable

ORDER: tuple[Decision, ...] = ("rule out", "undecided", "rule in")
PLAIN = ("yes", "no", "missing", "present")
TURNED = ("no", "missing")  # where a yes to what is asked means that the condition does not hold


@dataclass(frozen=True, slots=True)
class Ahead:
    """What can still come from a box: decisions, number of questions, risks at the end."""

    decisions: frozenset[Decision]
    fewest: int
    most: int
    risks: tuple[float, ...]

    def after_one_more(self, other: Ahead) -> Ahead:
        """What can come before an answer that leads to the one or the other."""
        return Ahead(
            self.decisions | other.decisions,
            1 + min(self.fewest, other.fewest),
            1 + max(self.most, other.most),
            _ends(self.risks + other.risks),
        )


def _ends(risks: tuple[float, ...]) -> tuple[float, ...]:
    return (min(risks), max(risks)) if risks else ()


def what_can_come(staircase: Staircase) -> dict[tuple[int, int], Ahead]:
    """For every stage and total what can still come."""
    ahead: dict[tuple[int, int], Ahead] = {}
    for step in reversed((*staircase.steps, *staircase.sharpening)):
        for box in step.boxes:
            place = step.number, box.total
            if box.stops:
                # A stop for certain, without a figure, can still end with several.
                last = [box.risk] if box.risk else []
                if box.curtailed and not box.risk:
                    last = [*final_risks(staircase, step, box.total)]
                risks = _ends(tuple(risk.probability for risk in last))
                ahead[place] = Ahead(frozenset({box.decision}), 0, 0, risks)
            else:
                points = staircase.scoring_list.questions[step.number].points
                no, yes = (ahead[step.number + 1, box.total + p] for p in (0, points))
                ahead[place] = no.after_one_more(yes)
    return ahead


def calculator_texts(
    staircase: Staircase, wording: Wording, title: str, identity: str
) -> dict[str, Any]:
    """The texts of the calculator as one plain value for the page."""
    ahead = what_can_come(staircase)
    questions = (*staircase.questions, *staircase.sharpening_questions)
    about = staircase.scoring_list.about
    words = {key: text for key, text in wording.language.words.items() if key[:5] == "calc "}
    level = staircase.scoring_list.risk_source.level or DEFAULT_LEVEL
    words["calc range"] = wording.word("calc range", level=wording.percent(level))
    return {
        "title": title,
        "identity": identity,
        "comma": wording.language.decimal_mark == ",",
        "per": wording.per,
        "of": wording.word("of"),
        "to": wording.word("to"),
        "term": wording.word("term"),
        "judgement": wording.word("judgement"),
        "decisions": {
            KINDS.get(what, "unknown"): wording.told(what, about) for what in (*ORDER, "unknown")
        },
        "order": [KINDS[what] for what in ORDER],
        "outcome": printable(about.outcome),
        "deciding": len(staircase.questions),
        "questions": [_question(one, wording, wording.remarks(staircase)) for one in questions],
        "boxes": [
            {
                str(box.total): _box(box, ahead[step.number, box.total], wording)
                for box in step.boxes
            }
            for step in (*staircase.steps, *staircase.sharpening)
        ],
        "words": words,
    }


def _question(question: Question, wording: Wording, remarks: Mapping[str, str]) -> dict[str, Any]:
    gained, nothing = _points(question.points, wording), _points(0, wording)
    turned = question.condition.kind in TURNED
    condition = "" if question.condition.kind in PLAIN else wording.condition(question)
    unit = printable(question.unit)
    field = wording.word("calc value in", unit=unit) if unit else wording.word("calc value")
    return {
        "text": wording.question(question),
        "ask": asked(question, wording),
        "asked": wording.word("asked", question=f"{asked(question, wording)} {condition}".rstrip()),
        "condition": condition,
        "note": printable(question.note),
        "field": field if question.condition.is_numeric else "",
        "example": ""
        if question.condition.cutoff is None
        else wording.number(question.condition.cutoff),
        "turned": turned,
        "unknown": not question.condition.is_presence,
        "yes_points": nothing if turned else gained,
        "no_points": gained if turned else nothing,
        "gained": wording.points(question.points),
        "remark": remarks.get(question.input, ""),
        "instead": _instead(question, wording, remarks),
    }


def _instead(
    question: Question, wording: Wording, remarks: Mapping[str, str]
) -> dict[str, Any] | None:
    """What is asked where the question is unknown, under a heading that says so."""
    other = question.instead
    if other is None:
        return None
    texts = _question(other, wording, remarks)
    return {**texts, "asked": wording.word("if unknown", question=texts["asked"])}


def asked(question: Question, wording: Wording) -> str:
    """What is asked for, without its condition.

    A plain yes/no question asks for the input itself: "Smoker: no?" would leave open what a yes
    means.
    """
    label = printable(question.label) or printable(question.input) or "?"
    if not question.condition.is_presence:
        return label
    return f"{wording.word('term', term=label)} {wording.word('present')}"


def _points(points: int, wording: Wording) -> str:
    key = "calc one point" if abs(points) == 1 else "calc points"
    return wording.word(key, points=wording.points(points) if points else "0")


def _box(box: Box, ahead: Ahead, wording: Wording) -> dict[str, Any]:
    risk = box.risk
    return {
        "total": wording.total(box.total),
        "kind": KINDS[box.decision],
        "certain": box.curtailed,
        "risk": "" if risk is None else wording.risk(risk.probability),
        "probability": None if risk is None else risk.probability,
        "range": "" if risk is None else wording.range(risk),
        "counts": _counts(box, wording),
        "icons": None if risk is None else icon_counts(risk.probability, wording.per),
        "ends": [KINDS[what] for what in ORDER if what in ahead.decisions],
        "more": [ahead.fewest, ahead.most],
        "span": [[value, wording.risk(value)] for value in ahead.risks],
    }


def _counts(box: Box, wording: Wording) -> str:
    if box.counts is None:
        return ""
    if box.risk is None:
        return wording.seen_in_words(box.counts, figure=False)
    cases, positives = box.counts
    return wording.counts_in_words(positives, cases)


def self_checks(
    staircase: Staircase,
    patterns: Iterable[Sequence[Answer]],
    readings: Iterable[tuple[int, str]],
    sharpened: Iterable[Sequence[Answer]] = (),
) -> dict[str, Any]:
    """What the page has to get right on loading: answers and where they lead, values and answers.

    `readings` are values said to the question at a place, of substitutes behind those of all
    questions; one that is refused has "!" for answer.
    """
    questions = asked_in_all(staircase)
    return {
        "walks": [_walk(staircase, answers) for answers in patterns],
        "sharpened": [_walk(staircase, answers, sharpen=True) for answers in sharpened],
        "readings": [[place, said, _reading(questions[place], said)] for place, said in readings],
    }


def _walk(staircase: Staircase, answers: Sequence[Answer], *, sharpen: bool = False) -> list[Any]:
    outcome = staircase.decide(answers, sharpen=sharpen)
    return [
        "".join(LETTERS[answer] for answer in answers),
        outcome.decision,
        outcome.stage,
        *outcome.totals,
        *(getattr(outcome, name) for name in FIGURES),
    ]


def _reading(question: Question, said: str) -> str:
    try:
        return LETTERS[question.answer(said)]
    except AnswerError:
        return "!"

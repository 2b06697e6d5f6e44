"""A Python file that applies the list, for a machine that has Python and nothing else."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Sequence

from scorecard.core.model import Answer
from scorecard.core.staircase import Staircase
from scorecard.errors import AnswerError
from scorecard.exporting.card_lines import card_lines, one_line
from scorecard.exporting.decision_table import (
    AnswersEntry,
    DecisionTable,
    QuestionEntry,
    Words,
    decision_table,
)
from scorecard.exporting.python_literals import bracketed, docstring, hanging, literal
from scorecard.exporting.templates import render
from scorecard.exporting.test_cases import UNKNOWN, paths, probes

LETTERS: dict[Answer, str] = {True: "1", False: "0", None: "?"}


def python_file(staircase: Staircase, words: Words | None = None) -> bytes:
    """The source of a stand-alone evaluator."""
    table = decision_table(staircase, words)
    questions, boxes = _questions(table), _boxes(table)
    deciding, asked_again, settled = len(table["questions"]), _asked_again(table), _settled(table)
    return render(
        "python/evaluator.py.j2",
        docstring=docstring(card_lines(table)),
        model=repr(table["model"]),
        names=literal({key: name for key, name in table["names"].items() if name}, taken=8),
        not_asked=literal(tuple(table["not_asked"]), taken=12),
        questions=bracketed("()", [_built("Question", one, 4) for one in questions], 0),
        deciding=deciding,
        asked_again=literal(asked_again, taken=14),
        settled=literal(settled, taken=10),
        boxes=bracketed("{}", [_entry(place, box) for place, box in boxes.items()], 0),
        **_answer_words(table["answers"]),
        unknown=hanging("{}", map(repr, table["answers"]["unknown"]), 10),
        number=literal(table["answers"]["number"], taken=22),
        readings=hanging("()", [literal(one, 12, 1) for one in _readings(staircase)], 11),
        walks=hanging("{}", [_named(*walk) for walk in _walks(staircase).items()], 8),
        checksum=zlib.crc32(ascii((questions, deciding, asked_again, settled, boxes)).encode()),
    ).encode()


def _questions(table: DecisionTable) -> tuple[tuple[object, ...], ...]:
    return tuple(
        (
            question["input"],
            question["points"],
            question["condition"]["kind"],
            tuple(question["condition"]["categories"])
            if question["condition"]["cutoff"] is None
            else question["condition"]["cutoff"],
            tuple(question["condition"]["choices"]),
            one_line(question["unit"]),
            one_line(question["text"]),
        )
        for question in _all_questions(table)
    )


def _all_questions(table: DecisionTable) -> list[QuestionEntry]:
    """Those that decide, and then those that only sharpen the risk."""
    return [*table["questions"], *table["sharpening"]["questions"]]


def _asked_again(table: DecisionTable) -> tuple[str, ...]:
    """The inputs that several questions ask for, each once."""
    inputs = [question["input"] for question in _all_questions(table) if question["value_only"]]
    return tuple(dict.fromkeys(inputs))


def _settled(table: DecisionTable) -> dict[tuple[int, bool], dict[int, bool | None]]:
    """By a question and its answer: what later questions are then."""
    found: dict[tuple[int, bool], dict[int, bool | None]] = {}
    for place, question in enumerate(_all_questions(table)):
        for one in question["settled_by"]:
            found.setdefault((one["question"], one["answer"]), {})[place] = one["then"]
    return found


def _boxes(table: DecisionTable) -> dict[tuple[int, int], tuple[object, ...]]:
    return {
        (step["stage"], box["total"]): (
            box["decision"],
            box["probability"],
            box["lower"],
            box["upper"],
            box["cases"],
            box["positives"],
        )
        for step in [*table["steps"], *table["sharpening"]["steps"]]
        for box in step["boxes"]
    }


def _answer_words(words: AnswersEntry) -> dict[str, str]:
    """The words for yes and no; for plain yes/no inputs those, and a few more."""
    answers = {**dict.fromkeys(words["yes"], True), **dict.fromkeys(words["no"], False)}
    short = {
        **dict.fromkeys(words["yes_no_inputs_yes"], True),
        **dict.fromkeys(words["yes_no_inputs_no"], False),
    }
    # "1.0" is read by the same rule as "1.00".
    more = [word for word in short if word not in answers and "." not in word]
    return {
        "answers": hanging("{}", [f"{word!r}: {answers[word]}" for word in answers], 10),
        "short": hanging("{}", ["**ANSWERS", *(f"{word!r}: {short[word]}" for word in more)], 8),
    }


def _readings(staircase: Staircase) -> Iterator[tuple[int, str, str]]:
    asked = (*staircase.questions, *staircase.sharpening_questions)
    for place, question in enumerate(asked):
        said = probes(question)
        if question.condition.is_numeric:
            said = [said[0], *said[-2:]]  # at the cut-off, just below and just above
        for value in [*said, UNKNOWN] if place == 0 else said:
            try:
                yield place, value, LETTERS[question.answer(value)]
            except AnswerError:
                continue  # a value outside the known ones has no answer


def _entry(place: tuple[int, int], box: tuple[object, ...]) -> str:
    start = f"{place}: "
    return start + _built("Box", box, 4, len(start))


def _built(name: str, values: tuple[object, ...], indent: int, taken: int = 0) -> str:
    """A named tuple as it is written down."""
    return name + literal(values, indent, taken + len(name) + 1)


def _named(decision: str, walks: str) -> str:
    start = f"{decision!r}: "
    return start + literal(walks, 9, len(start) + 1)


def _walks(staircase: Staircase) -> dict[str, str]:
    """By decision, answers that pass through every total that can be reached, and unknown ones."""
    count = len(staircase.questions)
    unknown: list[Sequence[Answer]] = [
        (False,) * place + (None,)
        for place in range(count)
        if staircase.decide((False,) * place).decision == "go on"
    ]
    found: dict[str, list[str]] = {}
    for answers in [*_longest(paths(staircase).values()), *unknown, (None,) * count]:
        outcome = staircase.decide(answers)
        letters = "".join(LETTERS[answer] for answer in answers[: outcome.stage])
        totals = dict.fromkeys((outcome.lowest.total, outcome.highest.total))
        found.setdefault(outcome.decision, []).append(":".join([letters, *map(str, totals)]))
    return {decision: " ".join(walks) for decision, walks in found.items()}


def _longest(ways: Iterable[Sequence[Answer]]) -> list[Sequence[Answer]]:
    """The ways that no other way continues."""
    begun = {tuple(way[:-1]) for way in ways}
    return [way for way in ways if tuple(way) not in begun]

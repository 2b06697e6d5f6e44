"""A Python file that applies the list, for a machine that has Python and nothing else.

Every text of the list is written through `repr`: nothing it contains can end a literal, hide in a
comment or turn the reading order round, and no line is longer than a person wants to read.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap

from scorecard.core.question import LETTERS, Answer
from scorecard.core.staircase import FIGURES, Staircase
from scorecard.errors import AnswerError
from scorecard.forms.decision_table import (
    AnswersEntry,
    DecisionTable,
    QuestionEntry,
    SubstituteEntry,
    Words,
    all_asked,
    all_questions,
    decision_table,
)
from scorecard.forms.source_text import (
    FACTS,
    made_of,
    question_lines,
    render,
    sealed,
    unbroken,
)
from scorecard.forms.test_cases import UNKNOWN, asked_in_all, paths, probes

WIDTH = 100

READERS = {
    ">=": "read_number",
    "<": "read_number",
    "in": "read_category",
    "not in": "read_category",
    "yes": "read_yes_no",
    "no": "read_yes_no",
    "missing": "read_presence",
    "present": "read_presence",
}
"""By the kind of a condition the function that reads a value; what nobody asks is left out."""


def make(staircase: Staircase, words: Words | None = None) -> bytes:
    """The source of a stand-alone evaluator."""
    table = decision_table(staircase, words)
    questions, boxes, labels = _questions(table), _boxes(table), _labels(table)
    substitutes, not_asked = _substitutes(table), _not_asked(table)
    deciding, asked_again, settled = len(table["questions"]), _asked_again(table), _settled(table)
    repeats = (asked_again, settled) if asked_again or settled else ()
    others, seen = (substitutes,) if substitutes else (), _seen(table)
    content = questions, *others, deciding, *repeats, labels, *([seen] if seen else []), boxes
    text = render(
        "python/evaluator.py.j2",
        docstring=docstring(_docstring_lines(table)),
        about=literal(_about(table), taken=8),
        model=repr(table["model"]),
        names=literal({key: name for key, name in table["names"].items() if name}, taken=8),
        not_asked=not_asked and literal(not_asked, taken=12),
        questions=bracketed("()", [_built("Question", one, 4) for one in questions], 0),
        substitutes=substitutes and _written_substitutes(substitutes),
        labels=literal(labels, taken=9),
        seen=seen and literal(seen, taken=7),
        deciding=deciding,
        sharpening=len(questions) > deciding,
        repeats=repeats,
        asked_again=literal(asked_again, taken=14),
        settled=literal(settled, taken=10),
        boxes=bracketed("{}", [_entry(place, box) for place, box in boxes.items()], 0),
        **_answer_words(table["answers"]),
        **_readers((*questions, *substitutes.values())),
        unknown=hanging("{}", map(repr, table["answers"]["unknown"]), 10),
        number=literal(table["answers"]["number"], taken=22),
        readings=hanging("()", [literal(one, 12, 1) for one in _readings(staircase)], 11),
        walks=hanging("{}", [_named(*walk) for walk in _walks(staircase).items()], 8),
        checksum=zlib.crc32(ascii(content).encode()),
    )
    return sealed(text, "#", table["language"])


def _docstring_lines(table: DecisionTable) -> Iterator[str]:
    yield unbroken(table["about"].get("title", "")) or "Scoring list"
    yield ""
    yield "evaluate(answers)        the decision and the risk for a dict of input: value"
    yield "next_question(answers)   what to ask after these answers, None where one stops"
    yield "selftest()               whether this file does what it did when it was written"
    yield "As a program it asks, or reads a table (option help). The list and its limits in words,"
    yield "and where they come from, are in ABOUT."


def _about(table: DecisionTable) -> dict[str, object]:
    """What a reader of the card is told, and what the list was made of."""
    about = {key: unbroken(table["about"][key]) for key in FACTS if key in table["about"]}
    notes = [unbroken(note["text"]) for note in table["notes"] if note["text"]]
    return {
        **about,
        "list": tuple(line.strip() for line in question_lines(table)),
        "figures": tuple(map(unbroken, table["words"])),
        "notes": tuple(notes),
        "provenance": made_of(table),
        "made by": table["generator"],
    }


def _questions(table: DecisionTable) -> tuple[tuple[object, ...], ...]:
    return tuple(_asked(question, question["points"]) for question in all_questions(table))


def _substitutes(table: DecisionTable) -> dict[int, tuple[object, ...]]:
    """By the place of a question what is asked where it is unknown."""
    return {
        place: _asked(question["if_unknown"], question["points"])
        for place, question in enumerate(all_questions(table))
        if "if_unknown" in question
    }


def _written_substitutes(substitutes: dict[int, tuple[object, ...]]) -> str:
    items = [f"{at}: {_built('Question', one, 4, 6)}" for at, one in substitutes.items()]
    return bracketed("{}", items, 0)


def _not_asked(table: DecisionTable) -> tuple[str, ...]:
    """Inputs that nobody is asked for, not even for a sharper risk."""
    asked = {one[0] for one in (*_questions(table), *_substitutes(table).values())}
    return tuple(name for name in table["not_asked"] if name not in asked)


def _labels(table: DecisionTable) -> dict[str, str]:
    """By label the input it means, where that is one alone and no other has it for a name."""
    asked = all_asked(table)
    meant: dict[str, set[str]] = {}
    for one in asked:
        meant.setdefault(one["label"], set()).add(one["input"])
    names = {*table["not_asked"], *(one["input"] for one in asked)}
    return {
        label: found.pop()
        for label, found in meant.items()
        if len(found) == 1 and label not in names
    }


def _asked(question: QuestionEntry | SubstituteEntry, points: int) -> tuple[object, ...]:
    condition = question["condition"]
    return (
        question["input"],
        points,
        condition["kind"],
        tuple(condition["categories"]) if condition["cutoff"] is None else condition["cutoff"],
        tuple(condition["choices"]),
        question["unit"],
        unbroken(question["text"]),
    )


def _seen(table: DecisionTable) -> dict[str, tuple[object, ...]]:
    """By input the lowest and the highest number that is like those seen, and the remark."""
    return {
        one["input"]: (*one["seen"]["within"], unbroken(one["seen"]["remark"]))
        for one in all_asked(table)
        if "seen" in one
    }


def _asked_again(table: DecisionTable) -> tuple[str, ...]:
    """The inputs that several questions ask for, each once."""
    inputs = [one["input"] for one in all_asked(table) if one["value_only"]]
    return tuple(dict.fromkeys(inputs))


def _settled(table: DecisionTable) -> dict[tuple[int, bool], dict[int, bool | None]]:
    """By a question and its answer: what later questions are then."""
    found: dict[tuple[int, bool], dict[int, bool | None]] = {}
    for place, question in enumerate(all_questions(table)):
        for one in question["settled_by"]:
            found.setdefault((one["question"], one["answer"]), {})[place] = one["then"]
    return found


def _boxes(table: DecisionTable) -> dict[tuple[int, int], tuple[object, ...]]:
    return {
        (step["stage"], box["total"]): (
            box["decision"],
            *(box[name] for name in FIGURES),
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


def _readers(asked: Sequence[tuple[object, ...]]) -> dict[str, object]:
    """Which functions read what is asked for, and which of them the file has."""
    conditions = {question[2] for question in asked}
    used = {kind: name for kind, name in READERS.items() if kind in conditions}
    return {
        "readers": bracketed("{}", [f'"{kind}": {name}' for kind, name in used.items()], 0),
        "numbers": "read_number" in used.values(),
        "categories": "read_category" in used.values(),
        "yes_no": "read_yes_no" in used.values(),
        "presence": "read_presence" in used.values(),
        "units": any(question[5] for question in asked),
    }


def _readings(staircase: Staircase) -> Iterator[tuple[int, str, str]]:
    for place, question in enumerate(asked_in_all(staircase)):
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


# Literals ----------------------------------------------------------------------------------------


def literal(value: object, indent: int = 0, taken: int = 0) -> str:
    """The value as an expression, broken into lines where it would be too long.

    `taken` is the room that is used on the first line, before the expression and after it.
    """
    short = repr(value)
    if indent + taken + len(short) <= WIDTH:
        return short
    if isinstance(value, str):
        return bracketed("()", _pieces(value, WIDTH - indent - 4), indent, separator="")
    if isinstance(value, tuple):
        return packed("()", [literal(item, indent + 4, 1) for item in value], indent)
    assert isinstance(value, dict), value
    items = []
    for key, item in value.items():
        start = f"{literal(key, indent + 4)}: "
        items.append(start + literal(item, indent + 4, len(start) + 1))
    return bracketed("{}", items, indent)


def bracketed(brackets: str, items: Iterable[str], indent: int, separator: str = ",") -> str:
    """Items in brackets, one per line."""
    lines = "".join(f"{' ' * (indent + 4)}{item}{separator}\n" for item in items)
    return f"{brackets[0]}\n{lines}{' ' * indent}{brackets[1]}"


def packed(brackets: str, items: Iterable[str], indent: int = 0) -> str:
    """Items in brackets, as many in a line as fit."""
    return bracketed(brackets, _lines(items, WIDTH - indent - 4), indent, separator="")


def hanging(brackets: str, items: Iterable[str], indent: int) -> str:
    """Items in brackets that begin behind a name, as many in a line as fit below each other."""
    lines = _lines(items, WIDTH - indent - 1)
    space = "\n" + " " * (indent + 1)
    return f"{brackets[0]}{space.join(lines)}{brackets[1]}"


def _lines(items: Iterable[str], width: int) -> list[str]:
    lines: list[str] = []
    for item in items:
        if lines and len(lines[-1]) + len(item) + 2 <= width and "\n" not in item:
            lines[-1] += f" {item},"
        else:
            lines.append(f"{item},")
    return lines


def docstring(lines: Iterable[str]) -> str:
    """Lines of any text between triple quotes, with the same lines when read back."""
    short = [part for line in lines for part in _at_spaces(line)]
    body = "\n".join(piece for line in short for piece in _wrapped(line))
    return f'"""{body}\n"""'


def _pieces(text: str, width: int) -> list[str]:
    """The text as literals next to each other, which Python joins."""
    pieces, start = [], 0
    while start < len(text):
        end = start + 1
        while end < len(text) and len(repr(text[start : end + 1])) <= width:
            end += 1
        space = text.rfind(" ", start + 1, end) if end < len(text) else -1
        end = space + 1 if space > 0 else end
        pieces.append(repr(text[start:end]))
        start = end
    return pieces


def _at_spaces(line: str) -> list[str]:
    if len(line) <= WIDTH - 3:
        return [line]
    return wrap(line, WIDTH - 3, subsequent_indent="  ", break_long_words=False) or [""]


def _wrapped(line: str) -> list[str]:
    lines = [""]
    for character in line.rstrip():
        escaped = _escaped(character)
        if len(lines[-1]) + len(escaped) > WIDTH - 3:  # the quotes stand before the first line
            lines.append("")
        lines[-1] += escaped
    return lines


def _escaped(character: str) -> str:
    if character == '"':
        return '\\"'
    return repr(character)[1:-1] if character != "'" else character

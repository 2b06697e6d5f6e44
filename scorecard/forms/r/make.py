"""One file in base R that applies the list to a case, or to all rows of a data frame."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from fractions import Fraction

from scorecard.core.question import LETTERS, NUMBER_PATTERN
from scorecard.core.staircase import FIGURES, Staircase
from scorecard.forms.decision_table import (
    DecisionTable,
    QuestionEntry,
    SubstituteEntry,
    Words,
    all_questions,
    decision_table,
)
from scorecard.forms.source_text import card_lines, render, sealed, unbroken, wrapped
from scorecard.forms.test_cases import patterns, result_of

Entry = QuestionEntry | SubstituteEntry


def make(staircase: Staircase, words: Words | None = None) -> bytes:
    """The source; it defines `evaluate`, `decide` and `self_test`."""
    table = decision_table(staircase, words)
    answers = table["answers"]
    source = render(
        "r/evaluator.R.j2",
        card=[_comment(line) for whole in card_lines(table) for line in wrapped(whole)],
        example=_plain(", ".join(map(_said, table["questions"][:2]))),
        model=table["model"],
        questions=[_question(one) for one in all_questions(table)],
        deciding=whole(len(table["questions"])),
        not_asked=vector(map(text, table["not_asked"])),
        words={
            "yes": vector(map(text, answers["yes"])),
            "no": vector(map(text, answers["no"])),
            "short_yes": vector(map(text, answers["yes_no_inputs_yes"])),
            "short_no": vector(map(text, answers["yes_no_inputs_no"])),
            "unknown": vector(map(text, answers["unknown"])),
        },
        number=text(f"^{NUMBER_PATTERN}$"),
        columns=_boxes(table),
        tests=_tests(staircase),
    )
    return sealed(source, "#", table["language"])


def text(value: str) -> str:
    """A literal in ASCII: R may read a file in any encoding."""
    return '"' + "".join(map(_letter, value)) + '"'


def _letter(one: str) -> str:
    if one in '"\\':
        return f"\\{one}"
    return one if " " <= one <= "~" else f"\\U{{{ord(one):x}}}"


def number(value: float | None) -> str:
    """A number that R reads as exactly this one: in digits, or in hexadecimal digits."""
    if value is None:
        return "NA"
    shown = repr(float(value)).removesuffix(".0")
    return shown if _is_read_rightly(shown, float(value)) else float(value).hex()


def whole(value: int) -> str:
    return f"{value}L"


def _is_read_rightly(shown: str, value: float) -> bool:
    """Whether R reads this number: it divides with 64 binary digits, and rounds then to 53."""
    _, digits, exponent = Decimal(shown).as_tuple()
    if len(digits) > 15 or abs(int(exponent)) > 22:
        return False
    exact = abs(Fraction(shown))
    if not exact:
        return shown == "0"
    unit = Fraction(2) ** (exact.numerator.bit_length() - exact.denominator.bit_length() - 64)
    if exact / unit < 2**63:
        unit /= 2
    while exact / unit >= 2**64:
        unit *= 2
    return float(round(exact / unit) * unit) == abs(value)


def vector(values: Iterable[str]) -> str:
    told = list(values)
    return f"c({', '.join(told)})" if told else "character()"


def _question(question: QuestionEntry) -> dict[str, str]:
    """A question as an argument of `list`, with its comment."""
    fields = f"points = {whole(question['points'])}, {_fields(question)}"
    comment = _plain(unbroken(question["text"]))
    if "if_unknown" in question:
        other = question["if_unknown"]
        fields += f",\n    if_unknown = list({_fields(other)})"
        comment += f"; if unknown: {_plain(unbroken(other['text']))}"
    return {"comment": comment, "fields": fields}


def _fields(question: Entry) -> str:
    condition = question["condition"]
    seen = question.get("seen")
    fields = {
        "input": text(question["input"]),
        "kind": text(condition["kind"]),
        "cutoff": number(condition["cutoff"]),
        "categories": vector(map(text, condition["categories"])),
        "choices": vector(map(text, condition["choices"])),
        "unit": text(question["unit"]),
        "value_only": str(question["value_only"]).upper(),
        "seen": vector(map(number, seen["within"])) if seen else "",
    }
    empty = ("NA", "character()", '""', "FALSE", "")
    told = (f"{name} = {value}" for name, value in fields.items() if value not in empty)
    return ", ".join(told)


def _boxes(table: DecisionTable) -> dict[str, str]:
    """A column for each thing a box tells."""
    boxes = [
        (step["stage"], box)
        for step in (*table["steps"], *table["sharpening"]["steps"])
        for box in step["boxes"]
    ]
    columns = {
        "stage": vector(whole(stage) for stage, _ in boxes),
        "total": vector(whole(box["total"]) for _, box in boxes),
        "decision": vector(text(box["decision"]) for _, box in boxes),
    }
    for name in FIGURES:
        known = vector(number(box[name]) for _, box in boxes)
        columns[name] = known if re.search(r"[0-9]", known) else f"rep(NA_real_, {len(boxes)}L)"
    return columns


def _tests(staircase: Staircase) -> Iterator[dict[str, str]]:
    """Answers, and what has to come out."""
    for answers in patterns(staircase):
        result = result_of(staircase, answers)
        letters = "".join(LETTERS[one] for one in answers)
        told = "NA" if result.total is None else str(result.total)
        yield {"answers": text(letters), "result": text(f"{result.decision} {result.stage} {told}")}


def _said(question: QuestionEntry) -> str:
    condition = question["condition"]
    name = question["input"]
    shown = name if re.fullmatch(r"[a-zA-Z][a-zA-Z0-9_]*", name) else text(name)
    if condition["cutoff"] is not None:
        return f"{shown} = {number(condition['cutoff'])}"
    return f"{shown} = {text((condition['categories'] or ['yes'])[0])}"


def _comment(line: str) -> str:
    return f"# {_plain(line)}".rstrip()


def _plain(line: str) -> str:
    """A line that cannot end its comment: whatever is not printable is escaped."""
    return "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in line)

"""One SELECT that applies the list in a database: PostgreSQL, SQLite and DuckDB."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from typing import Any

from scorecard.core.question import inputs_of
from scorecard.core.staircase import FIGURES, RESULT, Staircase, free_prefix
from scorecard.forms.decision_table import (
    DecisionTable,
    QuestionEntry,
    StepEntry,
    SubstituteEntry,
    Words,
    decision_table,
)
from scorecard.forms.source_text import card_lines, render, sealed, unbroken, wrapped

TABLE = "cases"
# So many digits times or divided by an exact power of ten are rounded once, and rightly.
SAFE_DIGITS, SAFE_EXPONENT = 15, 22


def make(staircase: Staircase, words: Words | None = None) -> bytes:
    """The SELECT, as UTF-8 text; it reads the table `cases`."""
    table = decision_table(staircase, words)
    prefix = free_prefix(inputs_of(staircase.questions))
    questions = [_question(table, place, prefix) for place in range(1, len(table["questions"]) + 1)]
    query = render(
        "sql/evaluator.sql.j2",
        card=[_comment(line) for text_line in card_lines(table) for line in wrapped(text_line)],
        table=TABLE,
        p=prefix,
        words=list(_words(table)),
        numbers=bool(_kinds(table) & {">=", "<"}),
        largest=number(sys.float_info.max),
        questions=questions,
        problems=list(_problems(questions)),
        outside=list(_outside(table, prefix)),
        stops={side: list(_stops(table, f"{prefix}{side}")) for side in ("low", "high")},
        boxes=list(_boxes(table)),
    )
    return sealed(query, "--", table["language"])


def own_names(staircase: Staircase) -> dict[str, str]:
    """The columns that the query adds, each with its name without what it begins with."""
    prefix = free_prefix(inputs_of(staircase.questions))
    added = (*RESULT, "problem", "outside")
    return {f"{prefix}{name}": name for name in added}


def inputs_in(outside: str | None, inputs: Iterable[str]) -> Iterator[str]:
    """The inputs that the last column names, with semicolons between them; a name may have some."""
    text, known = outside or "", list(inputs)
    while text:
        fits = (one for one in known if f"{text}; ".startswith(f"{one}; "))
        name = max(fits, key=len, default=text)
        yield name
        text = text[len(name) + 2 :]


def quoted(name: str) -> str:
    """A name as an identifier."""
    return '"' + name.replace('"', '""') + '"'


def text(value: str) -> str:
    """A text as a literal."""
    return "'" + value.replace("'", "''") + "'"


def number(value: int | float) -> str:
    """A number that is read as exactly this 64-bit float: digits and an exponent, if they do.

    A number of more than 15 digits, very large or very small may be read with an error in the last
    place (SQLite does). It is written as a whole number times powers of two, which is exact.
    """
    sign, digits, exponent = Decimal(repr(value)).normalize().as_tuple()
    assert isinstance(exponent, int)
    if len(digits) <= SAFE_DIGITS and abs(exponent) <= SAFE_EXPONENT:
        return f"{'-' * sign}{''.join(map(str, digits))}e{exponent}"
    return f"/* {value!r} */ ({_by_powers_of_two(float(value))})"


def _by_powers_of_two(value: float) -> str:
    fraction, exponent = math.frexp(value)
    whole, exponent = int(fraction * 2**53), exponent - 53
    sign, count = ("*", exponent) if exponent > 0 else ("/", -exponent)
    factors = [f" {sign} {2**60}e0"] * (count // 60) + [f" {sign} {2 ** (count % 60)}e0"]
    return f"CAST({whole}e0 AS DOUBLE PRECISION){''.join(factors)}"


def _question(table: DecisionTable, place: int, prefix: str) -> dict[str, Any]:
    question = table["questions"][place - 1]
    asked = [_asked(question, str(place), prefix)]
    if "if_unknown" in question:
        asked.append(_asked(question["if_unknown"], f"{place}_instead", prefix))
    return {
        "asked": asked,
        "low": _gained(question, f"{prefix}q{place}", highest=False),
        "high": _gained(question, f"{prefix}q{place}", highest=True),
    }


def _asked(question: QuestionEntry | SubstituteEntry, place: str, prefix: str) -> dict[str, Any]:
    column = quoted(question["input"])
    word = f"{prefix}w{place}"
    return {
        "place": place,
        "comment": _plain(unbroken(question["text"])),
        "name": text(question["input"]),
        "word": f"lower(trim(CAST({TABLE}.{column} AS TEXT)))",
        # Under a name of its own from here on: SQLite loses a column called "true" behind a star.
        "value": f"{TABLE}.{column}",
        "answers": _answers(question, f"{prefix}v{place}", word, f"{prefix}words"),
        "problem": _problem(question, f"{prefix}v{place}", word, prefix),
    }


def _problems(questions: Iterable[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    """When a value is no answer, and whose; a substitute's where the question has none."""
    for question in questions:
        own, *others = question["asked"]
        if own["problem"]:
            yield own["problem"], own["name"]
        cases = " ".join(f"WHEN {condition} THEN {value}" for condition, value in own["answers"])
        for other in others:
            if other["problem"]:
                yield f"({other['problem']}) AND (CASE {cases} END) IS NULL", other["name"]


def _outside(table: DecisionTable, prefix: str) -> Iterator[dict[str, str]]:
    """When a number is outside what the list has seen, and whose; each input once."""
    inputs = set()
    for place, question in enumerate(table["questions"], 1):
        asked = {f"{place}": question, f"{place}_instead": question.get("if_unknown")}
        for at, one in asked.items():
            if one and "seen" in one and one["input"] not in inputs:
                inputs.add(one["input"])
                low, high = (
                    f"CAST({number(edge)} AS DOUBLE PRECISION)" for edge in one["seen"]["within"]
                )
                value, known = f"{prefix}v{at}", f"{prefix}w{at} IS NOT NULL"
                yield {
                    "name": text(f"; {one['input']}"),
                    "comment": _plain(unbroken(f"{one['input']}: {one['seen']['remark']}")),
                    "condition": f"{known} AND ({value} < {low} OR {value} > {high})",
                }


def _kinds(table: DecisionTable) -> set[str]:
    """The kinds of conditions that this list has, those of substitutes too."""
    others = [one["if_unknown"] for one in table["questions"] if "if_unknown" in one]
    return {one["condition"]["kind"] for one in (*table["questions"], *others)}


def _words(table: DecisionTable) -> Iterator[tuple[str, str]]:
    """What a word says: unknown, yes or no, or that only where the input itself is yes or no.

    Only what this list looks up: a number is compared, and whether a value is there needs no word.
    """
    answers = table["answers"]
    kinds = {
        "unknown": answers["unknown"],
        "yes": answers["yes"],
        "no": answers["no"],
        "short yes": [word for word in answers["yes_no_inputs_yes"] if word not in answers["yes"]],
        "short no": [word for word in answers["yes_no_inputs_no"] if word not in answers["no"]],
    }
    asked = _kinds(table)
    needed = {"unknown"}
    needed |= {"yes", "no"} if asked & {"in", "not in", "yes", "no"} else set()
    needed |= {"short yes", "short no"} if asked & {"yes", "no"} else set()
    for says in filter(needed.__contains__, kinds):
        yield from ((text(word), text(says)) for word in kinds[says])


def _says(word: str, words: str, *says: str) -> str:
    """Whether a word says one of these, looked up in the table of words."""
    return f"{word} IN (SELECT word FROM {words} WHERE says IN ({_texts(says)}))"


def _answers(
    question: QuestionEntry | SubstituteEntry, column: str, word: str, words: str
) -> list[tuple[str, int | str]]:
    """Conditions and the answers they mean, in order; where none holds the answer is unknown."""
    condition = question["condition"]
    turned = condition["kind"] in ("<", "not in", "no")
    yes, no = (0, 1) if turned else (1, 0)
    if condition["cutoff"] is not None:
        cutoff = f"CAST({number(condition['cutoff'])} AS DOUBLE PRECISION)"
        compared = [(f"{column} >= {cutoff}", yes), (f"{column} < {cutoff}", no)]
        return [(f"{word} IS NULL", "NULL"), *compared]
    if condition["kind"] in ("missing", "present"):
        missing = int(condition["kind"] == "missing")
        return [(f"{word} IS NULL", missing), (f"{word} IS NOT NULL", 1 - missing)]
    if condition["categories"]:
        others = [one for one in condition["choices"] if one not in condition["categories"]]
        said = f"CAST({column} AS TEXT)"
        found: list[tuple[str, int | str]] = [
            (f"{text_said} IN ({_texts(values)})", meaning)
            for text_said in (said, f"trim({said})")  # as it stands comes first
            for values, meaning in ((condition["categories"], yes), (others, no))
            if values
        ]
        if condition["choices"] and not question["value_only"]:
            return [*found, (_says(word, words, "yes"), 1), (_says(word, words, "no"), 0)]
        if condition["choices"]:
            return found
        return [*found, (f"{word} IS NOT NULL", no)]
    return [
        (_is_said(word, words, ["yes", "short yes"], "1."), yes),
        (_is_said(word, words, ["no", "short no"], "0."), no),
    ]


def _problem(question: QuestionEntry | SubstituteEntry, column: str, word: str, prefix: str) -> str:
    """When the value is no answer; empty where every value is one."""
    condition, words = question["condition"], f"{prefix}words"
    if condition["cutoff"] is not None:
        largest = f"(SELECT number FROM {prefix}largest)"
        return f"{word} IS NOT NULL AND NOT ({column} BETWEEN -{largest} AND {largest})"
    if condition["kind"] in ("missing", "present"):
        return ""
    if condition["categories"]:
        known = [*condition["categories"], *condition["choices"]]
        stranger = f"NOT ({_is_one_of(column, dict.fromkeys(known))})"
        if condition["choices"] and question["value_only"]:
            return f"{word} IS NOT NULL AND {stranger}"
        is_answer = _says(word, words, "yes", "no")
        return f"{stranger} AND {'NOT ' if condition['choices'] else ''}{is_answer}"
    return f"NOT ({_is_said(word, words, ['yes', 'short yes', 'no', 'short no'], '1.', '0.')})"


def _is_said(word: str, words: str, says: Sequence[str], *with_zeros: str) -> str:
    """Whether a word says one of these, or is 1 or 0 with a point and any number of zeros."""
    return f"{_says(word, words, *says)} OR rtrim({word}, '0') IN ({_texts(with_zeros)})"


def _is_one_of(column: str, values: Iterable[str]) -> str:
    listed = _texts(values)
    said = f"CAST({column} AS TEXT)"
    return f"{said} IN ({listed}) OR trim({said}) IN ({listed})"


def _gained(question: QuestionEntry, answer: str, *, highest: bool) -> str:
    """The points of a question; an unknown answer counts if that is the way to this end."""
    unknown = int((question["points"] > 0) == highest)
    return f"{question['points']} * COALESCE({answer}, {unknown})"


def _stops(table: DecisionTable, total: str) -> Iterator[tuple[str, int]]:
    for step in table["steps"][1:-1]:
        conditions = list(_stop(step, f"{total}{step['stage']}"))
        if conditions:
            yield " OR ".join(conditions), step["stage"]


def _stop(step: StepEntry, total: str) -> Iterator[str]:
    if step["rule_out_at"] is not None:
        yield f"{total} <= {step['rule_out_at']}"
    if step["rule_in_at"] is not None:
        yield f"{total} >= {step['rule_in_at']}"
    if step["undecided_between"] is not None:
        low, high = step["undecided_between"]
        yield f"{total} BETWEEN {low} AND {high}"


def _boxes(table: DecisionTable) -> Iterator[dict[str, object]]:
    for step in table["steps"]:
        for box in step["boxes"]:
            if box["decision"] != "go on":
                figures = [box[name] for name in FIGURES]
                yield {
                    "place": f"{step['stage']}, {box['total']}, {text(box['decision'])}",
                    "figures": ["NULL" if one is None else number(one) for one in figures],
                }


def _texts(values: Iterable[str]) -> str:
    return ", ".join(map(text, values))


def _comment(line: str) -> str:
    return f"-- {_plain(line)}".rstrip()


def _plain(line: str) -> str:
    """A line that cannot end its comment: whatever is not printable is escaped."""
    return "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in line)

"""One SELECT that applies the list in a database."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from scorecard.core.question import NUMBER_PATTERN, inputs_of
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
from scorecard.forms.sql.dialects import DIALECTS, Dialect, check_names, dialect_named

TABLE = "cases"
NO_ANSWER, NO_ANSWER_INSTEAD = "!", "#"
USUAL = ("1", "true", "yes", "0", "false", "no")  # as databases have them


def make(
    staircase: Staircase, words: Words | None = None, *, dialect: str = next(iter(DIALECTS))
) -> bytes:
    """The SELECT, as UTF-8 text; it reads the table `cases`."""
    engine = dialect_named(dialect)
    check_names(engine, staircase.questions)
    table = decision_table(staircase, words)
    prefix = free_prefix(inputs_of(staircase.questions))
    questions = [_question(one, table, engine) for one in table["questions"]]
    query = render(
        "sql/evaluator.sql.j2",
        card=[_comment(line) for text_line in card_lines(table) for line in wrapped(text_line)],
        table=TABLE,
        p=prefix,
        engine=engine,
        questions=questions,
        joined=engine.joined,
        stages=[_stage(table, place) for place in range(1, len(questions) + 1)],
        problems=list(_problems(table, engine)),
        outside=list(_outside(table, engine)),
        boxes=list(_boxes(table, engine)),
        instead=any("if_unknown" in one for one in table["questions"]),
    )
    return sealed(query, "--", table["language"])


def own_names(staircase: Staircase) -> dict[str, str]:
    """The columns that the query adds, each with its name without what it begins with."""
    prefix = free_prefix(inputs_of(staircase.questions))
    added = (*RESULT, "problem", "outside")
    return {f"{prefix}{name}": name for name in added}


def _question(question: QuestionEntry, table: DecisionTable, engine: Dialect) -> dict[str, Any]:
    asked: list[QuestionEntry | SubstituteEntry] = [question]
    if "if_unknown" in question:
        asked.append(question["if_unknown"])
    letters = (NO_ANSWER, NO_ANSWER_INSTEAD)
    return {
        "comments": [_plain(unbroken(one["text"])) for one in asked],
        "answers": [
            _answers(one, table, engine, letter)
            for one, letter in zip(asked, letters, strict=False)
        ],
    }


def _answers(
    question: QuestionEntry | SubstituteEntry, table: DecisionTable, engine: Dialect, no_answer: str
) -> list[str]:
    """The branches of a CASE that gives a letter; a value that none of them takes is no answer."""
    condition, words = question["condition"], table["answers"]
    column = f"{TABLE}.{engine.column(question['input'])}"
    word = f"lower({engine.said(column)})"
    turned = condition["kind"] in ("<", "not in", "no")
    yes, no = ("0", "1") if turned else ("1", "0")
    is_unknown = f"{column} IS NULL OR {engine.says(word, words['unknown'])}"
    unknown, refused = _when(is_unknown, "?"), f"ELSE '{no_answer}'"
    said = [
        _when(engine.says(word, words["yes"]), "1"),
        _when(engine.says(word, words["no"]), "0"),
    ]
    if condition["cutoff"] is not None:
        number, cutoff = engine.as_number(column, question["unit"]), condition["cutoff"]
        compared = [
            _when(f"{number} BETWEEN {engine.literal(cutoff)} AND {engine.within[1]}", yes),
            _when(f"{number} BETWEEN {engine.within[0]} AND {engine.literal(cutoff)}", no),
        ]
        return [*compared, unknown, *([] if question["value_only"] else said), refused]
    if condition["kind"] in ("missing", "present"):
        missing, there = ("1", "0") if condition["kind"] == "missing" else ("0", "1")
        return [_when(is_unknown, missing), f"ELSE '{there}'"]
    if condition["categories"]:
        found = list(_categories(question, column, yes, no, engine))
        if condition["choices"]:
            return [*found, unknown, *([] if question["value_only"] else said), refused]
        both = _when(engine.says(word, [*words["yes"], *words["no"]]), no_answer)
        return [*found, unknown, both, f"ELSE '{no}'"]
    return [*_yes_no(column, table, yes, no, engine), unknown, refused]


def _yes_no(column: str, table: DecisionTable, yes: str, no: str, engine: Dialect) -> Iterator[str]:
    """Conditions of a plain yes/no question; 1.00 is yes."""
    words, word = table["answers"], f"lower({engine.said(column)})"
    meanings = ((yes, words["yes_no_inputs_yes"], "1."), (no, words["yes_no_inputs_no"], "0."))
    if engine.quick_as_it_stands:
        raw, usual = engine.raw(column), ((at, set(known) & {*USUAL}) for at, known, _ in meanings)
        yield " ".join(_when(_in(raw, sorted(words), engine), at) for at, words in usual)
    for meaning, known, with_zeros in meanings:
        zeros = f"{engine.without_zeros(word)} = '{with_zeros}'"
        yield _when(f"{engine.says(word, known)} OR {zeros}", meaning)


def _categories(
    question: QuestionEntry | SubstituteEntry, column: str, yes: str, no: str, engine: Dialect
) -> Iterator[str]:
    """Conditions for the known categories: as it stands, without white space, as a number."""
    condition = question["condition"]
    others = [one for one in condition["choices"] if one not in condition["categories"]]
    meanings = [
        (yes, condition["categories"]),
        *([(no, others)] if others else []),
    ]
    known = [*condition["categories"], *others]
    is_plain = all(one == one.strip() for one in known)
    for text in ([] if is_plain else [engine.raw(column)]) + [engine.said(column)]:
        yield from (_when(_in(text, values, engine), meaning) for meaning, values in meanings)
    codes = {one: float(one) for one in known if re.fullmatch(NUMBER_PATTERN, one)}
    same = [*codes.values()]
    for meaning, values in meanings:
        for one in values:
            if one in codes and same.count(codes[one]) == 1:
                number = engine.as_number(column, "")
                yield _when(f"{number} = {engine.literal(codes[one])}", meaning)


def _when(condition: str, letter: str) -> str:
    return f"WHEN {condition} THEN '{letter}'"


def _in(text: str, values: Iterable[str], engine: Dialect) -> str:
    return f"{text} IN ({', '.join(map(engine.text, values))})"


def _stage(table: DecisionTable, place: int) -> dict[str, Any]:
    """The total after a question, from those before it at which one goes on."""
    question, before = table["questions"][place - 1], table["steps"][place - 1]
    points = question["points"]
    # An unknown answer counts if that is the way to this end.
    ways = {"low": "= '1'" if points > 0 else "<> '0'", "high": "<> '0'" if points > 0 else "= '1'"}
    totals = {}
    for side, counts in ways.items():
        letter = f"substr(answers, {place}, 1)"
        gained = f"CASE WHEN {letter} {counts} THEN {points} ELSE 0 END"
        stops, total = list(_stops(before, f"{side}{place - 1}")), f"{side}{place - 1} + {gained}"
        totals[side] = f"CASE WHEN NOT ({' OR '.join(stops)}) THEN {total} END" if stops else total
    return totals


def _stops(step: StepEntry, total: str) -> Iterator[str]:
    if step["rule_out_at"] is not None:
        yield f"{total} <= {step['rule_out_at']}"
    if step["rule_in_at"] is not None:
        yield f"{total} >= {step['rule_in_at']}"
    if step["undecided_between"] is not None:
        low, high = step["undecided_between"]
        yield f"{total} BETWEEN {low} AND {high}"


def _problems(table: DecisionTable, engine: Dialect) -> Iterator[str]:
    """When a value is no answer, and whose; a substitute's where the question has none."""
    for place, question in enumerate(table["questions"], 1):
        letter = f"substr(answers, {place}, 1)"
        yield f"WHEN {letter} = '{NO_ANSWER}' THEN {engine.text(question['input'])}"
        if "if_unknown" in question:
            other = engine.text(question["if_unknown"]["input"])
            yield f"WHEN {letter} = '{NO_ANSWER_INSTEAD}' THEN {other}"


def _outside(table: DecisionTable, engine: Dialect) -> Iterator[dict[str, Any]]:
    """When a number is outside what the list has seen, and whose; each input once."""
    inputs = set()
    for question in table["questions"]:
        for one in (question, question.get("if_unknown")):
            if one and "seen" in one and one["input"] not in inputs:
                inputs.add(one["input"])
                column = f"{TABLE}.{engine.column(one['input'])}"
                number = engine.as_number(column, one["unit"])
                low, high = map(engine.literal, one["seen"]["within"])
                least, most = engine.within
                yield {
                    "name": engine.text(f"; {one['input']}"),
                    "comment": _plain(unbroken(f"{one['input']}: {one['seen']['remark']}")),
                    "conditions": [
                        f"{number} BETWEEN {least} AND {most}",
                        f"NOT {number} BETWEEN {low} AND {high}",
                    ],
                }


def _boxes(table: DecisionTable, engine: Dialect) -> Iterator[str]:
    for step in table["steps"]:
        for box in step["boxes"]:
            if box["decision"] != "go on":
                figures = [box[name] for name in FIGURES]
                told = ["NULL" if one is None else engine.literal(one) for one in figures]
                place = f"{step['stage']}, {box['total']}, {engine.text(box['decision'])}"
                yield f"({place}, {', '.join(told)})"


def _comment(line: str) -> str:
    return f"-- {_plain(line)}".rstrip()


def _plain(line: str) -> str:
    """A line that cannot end its comment: whatever is not printable is escaped."""
    return "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in line)

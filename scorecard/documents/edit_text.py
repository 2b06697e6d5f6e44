"""A learned list as a file to edit: its questions in TOML, with comments that explain them."""

from __future__ import annotations

import json
import shlex
from ast import literal_eval
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from scorecard.core.edits import before_edit
from scorecard.core.given_question import GivenQuestion, given_as
from scorecard.core.model import Condition, Question, ScoringList
from scorecard.core.performance import times_asked
from scorecard.core.question import Substitute
from scorecard.documents.json_document import short_hash
from scorecard.documents.toml_list import limits_given, words_of
from scorecard.documents.values import tree_of

HEAD = """\
# A list to edit, made from {file} (list {list}).
#
# Change what you like, then count the risks anew from your table:
#
#   {command}
#
# or say in your card.toml, below [learning], and build it:
#
#   start = {this}
#   max_questions = 0
#
# Questions may be removed, moved and added; they are asked in this order. Any line of a question
# may be left out, and what is left out is learned: the points, the cut-off (at_least, below) or
# the categories (is, is_not, one_of, none_of). A question without input is learned as a whole.
# --max-questions 2 learns up to two more behind those given here.
"""


def start_text(
    scoring_list: ScoringList,
    file: str,
    this: str,
    *,
    given: Sequence[GivenQuestion] | None = None,
    of: ScoringList | None = None,
) -> str:
    """A list in the form in which it is edited, with comments that explain it.

    Where it is an edit `of` another list, that one is what it was before. What was learned behind
    the questions `given`, or for them, is not written: it is learned again.
    """
    former = of or scoring_list
    before = before_edit(former, short_hash(former))
    command = shlex.join(counting_again(scoring_list, this))
    head = HEAD.format(file=file, list=before.list, command=command, this=toml(this))
    lines = [head, *_entries(tree_of(words_of(scoring_list)))]
    lines += ["", '# order = "learned"    # lets the table choose the order as well']
    asked = map(given_as, scoring_list.questions) if given is None else given
    for number, one in enumerate(asked):
        lines += ["", *_question_lines(scoring_list, number, one)]
    limits = limits_given(scoring_list)
    lines += ["", "[limits]" if limits else "# [limits]    # rule_out and rule_in; else the data's"]
    lines += _entries(limits)
    lines += ["", "# What the list was before the edit: with it, the price of the edit is told."]
    lines += ["[before]", *_entries(tree_of(before))]
    return "\n".join(lines) + "\n"


def counting_again(scoring_list: ScoringList, start: str) -> list[str]:
    """The words of the command that counts the risks of a list to begin with, as far as known."""
    known = dict(scoring_list.provenance)
    words = ["scorecard", "fit", known.get("table", "TABLE")]
    words += ["--outcome", known.get("option outcome", "COLUMN")]
    for name in ("positive", "group"):
        words += [f"--{name}", known[f"option {name}"]] if f"option {name}" in known else []
    for name in ("drop", "only", "category", "number", "yes_no"):
        for column in literal_eval(known.get(f"option {name}", "()")):
            words += ["--drop", column] if name == "drop" else ["--set", f"{name}={column}"]
    return [*words, "--start", start, "--max-questions", "0"]


def _question_lines(scoring_list: ScoringList, number: int, given: GivenQuestion) -> Iterator[str]:
    yield "[[questions]]"
    for question in scoring_list.questions[number : number + 1]:  # the list may end before
        for remark in _remarks(scoring_list, number, question):
            yield f"# {remark}"
    yield from _entries(_without_open(given, _as_written(given.as_question())))


def _without_open(given: GivenQuestion, written: dict[str, Any]) -> dict[str, Any]:
    """What is written of a question without what is left open."""
    left_open = {"points"} if given.points is None else set()
    if given.condition is None:
        left_open |= {"at_least", "below", "when", "choices"}
    return {key: one for key, one in written.items() if key not in left_open}


def _as_written(question: Question | Substitute) -> dict[str, Any]:
    """A question or a substitute with the keys of the short form."""
    given = tree_of(question)
    given.pop("condition", None)
    if given.get("label"):
        given["ask"] = given.pop("label")
    if isinstance(question, Question) and question.if_unknown:
        given["if_unknown"] = _as_written(question.if_unknown)
    ordered = {"input": given.pop("input"), **{key: given[key] for key in ("ask",) if key in given}}
    return {**ordered, **dict([_condition(question.condition)]), **given}


def _condition(condition: Condition) -> tuple[str, Any]:
    if condition.is_numeric:
        return "at_least" if condition.kind == ">=" else "below", condition.cutoff
    if not condition.is_categorical:
        return "when", condition.kind
    one, many = ("is", "one_of") if condition.kind == "in" else ("is_not", "none_of")
    values = list(condition.categories)
    return (one, values[0]) if len(values) == 1 else (many, values)


def _remarks(scoring_list: ScoringList, number: int, question: Question) -> Iterator[str]:
    """How cases answer the question, and what cross-validation asked in its place."""
    if scoring_list.evidence:
        rates = []
        for letter, word in (("1", "yes"), ("0", "no")):
            alike = [p for p in scoring_list.evidence.patterns if p.answers[number] == letter]
            cases, positives = sum(p.cases for p in alike), sum(p.positives for p in alike)
            rates.append(f"{word}: {positives:g} of {cases:g} had the outcome")
        yield "; ".join(rates) + "."
    check = scoring_list.cross_validation
    if check is None:
        return
    asked = dict(times_asked(scoring_list))
    if question in asked:
        yield f"{asked[question]} of {len(check.folds)} lists of cross-validation ask for it."
    cutoffs = Counter(
        one.condition.cutoff
        for fold in check.folds
        for one in fold.questions
        if one.input == question.input and one.condition.cutoff is not None
    )
    if len(cutoffs) > 1:
        told = (f"{cutoff!r} ({times} ×)" for cutoff, times in sorted(cutoffs.items()))
        yield f"Their cut-offs: {', '.join(told)}."


def _entries(values: dict[str, Any]) -> list[str]:
    return [f"{key} = {toml(value)}" for key, value in values.items() if value != ""]


def toml(value: Any) -> str:
    """A value as TOML writes it, on one line."""
    if isinstance(value, dict):
        known = (f"{toml_key(key)} = {toml(one)}" for key, one in value.items() if one is not None)
        return "{ " + ", ".join(known) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(toml, value)) + "]"
    if isinstance(value, str):
        # A string of JSON is one of TOML, but for the control character that JSON leaves as it is.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value)


def toml_key(name: str) -> str:
    """A key as TOML writes it: in quotes where it has other signs than letters, digits, _ and -."""
    is_bare = name.isascii() and name.replace("_", "").replace("-", "").isalnum()
    return name if is_bare else toml(name)

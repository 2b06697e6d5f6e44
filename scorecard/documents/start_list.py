"""A list to begin with: questions of which every part may be left out, in TOML.

It is the short form that people write by hand (see `hand_written`) without risks: what a question
leaves out is learned, and the risks are counted from a table. ::

    order = "learned"    # else as written

    [[questions]]
    input = "age"
    at_least = 65
    points = 2

    [[questions]]        # cut-off and points are learned
    input = "crp"

    [limits]             # as `StoppingPolicy` has them
    rule_out = 0.02

`[before]` is what the list was that somebody edits, with its limits (`policy`, which older files do
not have); `start_text` writes it.
"""

from __future__ import annotations

import json
import os
import shlex
from ast import literal_eval
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from scorecard import files
from scorecard.core.edits import Before, before_edit
from scorecard.core.given_question import GivenQuestion, given_as, refuse_repetition
from scorecard.core.model import About, Condition, Question, ScoringList
from scorecard.core.performance import times_asked
from scorecard.core.policy import StoppingPolicy
from scorecard.core.question import Substitute
from scorecard.documents.hand_written import (
    ABOUT_KEYS,
    LIMITS,
    MAX_CHARACTERS,
    START_KEYS,
    WrittenQuestion,
    about_of,
    input_name,
    limits_of,
    parse,
)
from scorecard.documents.json_document import read_list, short_hash
from scorecard.documents.toml_lines import located
from scorecard.documents.values import Faults, UnreadableError, tree_of, value_of
from scorecard.errors import DocumentError, did_you_mean

IGNORED = ("risks", "risks_after", "origin", "level", "band")


@dataclass(frozen=True, slots=True, kw_only=True)
class StartQuestion(WrittenQuestion):
    """A question as people write it, with nothing that has to be there."""

    ask: str = ""
    points: int | None = None  # type: ignore[assignment]

    def given(self) -> GivenQuestion:
        words = (self.ask, self.unit, self.cost, self.note, self.panel, self.substitute())
        name = self.input or self.ask
        return GivenQuestion(name, self.condition(), self.points, *words)


@dataclass(frozen=True)
class StartList:
    """Questions to begin with, what the list is called, its limits, and what it was before."""

    questions: tuple[GivenQuestion, ...]
    about: About = field(default_factory=About)
    any_order: bool = False
    limits: dict[str, Any] = field(default_factory=dict)
    before: Before | None = None
    had_risks: bool = False


def read_start(path: str | os.PathLike[str], columns: Sequence[str]) -> StartList:
    """The list to begin with in a file: in TOML, or a finished list whose questions are kept.

    Raises
    ------
    DocumentError
        Names the file, the line, and what was expected there.
    """
    name = Path(path).name
    if Path(path).suffix.lower() == ".json":
        return _of_list(read_list(path), columns, name)
    try:
        content = files.read_bytes(path, 4 * MAX_CHARACTERS).decode("utf-8-sig")
        return _read(content, name, columns)
    except UnicodeDecodeError:
        raise DocumentError(f"{name}: the text is not UTF-8; save it as UTF-8.") from None
    except UnreadableError as error:
        raise DocumentError(f"{name}: {error}") from None


def _read(text: str, name: str, columns: Sequence[str]) -> StartList:
    found, tree = Faults(), parse(text)
    for key in tree:
        if key not in {*ABOUT_KEYS, *START_KEYS, *IGNORED, "questions"}:
            known = [*ABOUT_KEYS, *START_KEYS, "questions"]
            found.add(key, f"is not known; {did_you_mean(key, known, 'misspelt?')}")
    order = found.convert(tree.get("order", "as written"), str, "order")
    if order not in ("as written", "learned"):
        found.add("order", f'{order!r} came, expected "as written" or "learned".')
    about = value_of(about_of(tree), About, "", found)
    questions = tuple(_questions(tree.get("questions", []), columns, found))
    found.build("", refuse_repetition, questions)
    limits = limits_of(tree.get("limits", {}), found)
    before = value_of(tree.get("before"), Before | None, "before", found)
    if found.found:
        raise DocumentError(located(name, text, found.found[0]))
    had_risks = bool(tree.keys() & set(IGNORED))
    return StartList(questions, about, order == "learned", limits, before, had_risks)


def _questions(trees: Any, columns: Sequence[str], found: Faults) -> Iterator[GivenQuestion]:
    for number, tree in enumerate(found.convert(trees, list, "questions") or []):
        place = f"questions[{number}]"
        record: StartQuestion | None = value_of(tree, StartQuestion, place, found)
        given = None if record is None else found.build(place, record.given)
        if given is not None:
            yield _about_column(given, columns, place, found)


def _about_column(
    given: GivenQuestion, columns: Sequence[str], place: str, found: Faults
) -> GivenQuestion:
    """The question about the column that it means, by its input or by its own words."""
    if not given.input:
        return given
    column = _column(given.input, columns, f"{place}.input", found)
    other = given.if_unknown
    if other is not None:
        name = _column(other.input, columns, f"{place}.if_unknown.input", found)
        other = found.build(f"{place}.if_unknown", replace, other, input=name)
    made: GivenQuestion | None = found.build(place, replace, given, input=column, if_unknown=other)
    return made or given


def _column(name: str, columns: Sequence[str], place: str, found: Faults) -> str:
    """The column that a name means, by its letters or as words."""
    by_words = {input_name(one): one for one in columns}
    column = name if name in columns else by_words.get(input_name(name))
    if column is None:
        found.add(place, f"{name!r} is no column; {did_you_mean(name, columns)}")
    return column or name


def _of_list(scoring_list: ScoringList, columns: Sequence[str], name: str) -> StartList:
    found = Faults()
    questions = tuple(
        _about_column(given_as(question), columns, f"questions[{number}]", found)
        for number, question in enumerate(scoring_list.questions)
    )
    if found.found:
        raise DocumentError(f"{name}: {found.found[0]}")
    return StartList(
        questions,
        _words(scoring_list),
        limits=_limits_of(scoring_list),
        before=before_edit(scoring_list, short_hash(scoring_list)),
    )


def _words(scoring_list: ScoringList) -> About:
    """What the list is called; the date is that of its learning, and a new one gets its own."""
    return About(**{**tree_of(scoring_list.about), "date": ""})


def _limits_of(scoring_list: ScoringList) -> dict[str, Any]:
    """The limits that a person gave; those that the data chose are chosen anew."""
    policy = scoring_list.policy
    if policy is None or policy.chosen_by == "data":
        return {}
    usual, limits = StoppingPolicy(), {one: getattr(policy, one) for one in LIMITS}
    return {
        name: value
        for name, value in limits.items()
        if value != getattr(usual, name) or name in ("rule_out", "rule_in")
    }


# Writing ------------------------------------------------------------------------------------------

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


def start_text(scoring_list: ScoringList, file: str, this: str) -> str:
    """A list in the form in which it is edited, with comments that explain it."""
    before = before_edit(scoring_list, short_hash(scoring_list))
    command = shlex.join(counting_again(scoring_list, this))
    head = HEAD.format(file=file, list=before.list, command=command, this=toml(this))
    lines = [head, *_entries(tree_of(_words(scoring_list)))]
    lines += ["", '# order = "learned"    # lets the table choose the order as well']
    for number, question in enumerate(scoring_list.questions):
        lines += ["", *_question_lines(scoring_list, number, question)]
    limits = _limits_of(scoring_list)
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


def _question_lines(scoring_list: ScoringList, number: int, question: Question) -> Iterator[str]:
    yield "[[questions]]"
    for remark in _remarks(scoring_list, number, question):
        yield f"# {remark}"
    yield from _entries(_as_written(question))


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
        known = (f"{key} = {toml(one)}" for key, one in value.items() if one is not None)
        return "{ " + ", ".join(known) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(toml, value)) + "]"
    if isinstance(value, str):
        # A string of JSON is one of TOML, but for the control character that JSON leaves as it is.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value)

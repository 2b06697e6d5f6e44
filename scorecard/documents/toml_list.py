"""Lists as people write them, in TOML: finished ones, and such to begin with.

A finished list::

    title = "Sore throat"
    outcome = "strep"
    source = "where the figures come from"

    [[questions]]
    ask = "Cough absent"
    points = 1

    [[questions]]
    ask = "Temperature"
    at_least = 38
    unit = "°C"
    points = 1

    [risks]          # by total, after the last question
    0 = 0.05
    1 = 0.2
    2 = 0.5          # or { risk = 0.5, lower = 0.4, upper = 0.6, cases = 100, positives = 50 }

    [risks_after.0]  # before the first question, if it is known; 1, 2, … likewise
    0 = 0.2

    [limits]         # of risk, at which one stops unless told otherwise
    rule_out = 0.05
    rule_in = 0.4

A question may have one substitute, which is asked where its own input is unknown, and has a
condition of its own: ``if_unknown = { ask = "Feels hot", at_least = 1 }``.

A question holds if the answer is yes, or as one of these says: `at_least`, `below`, `is`, `is_not`,
`one_of`, `none_of`, or `when` with "no", "missing" or "present". An answer tells the value of the
input, so with `when = "no"` ask for what is not there ("Cough"), not for its absence.

A list to begin with has no risks, and every part of a question may be left out: what is left out is
learned, and the risks are counted from a table. ::

    order = "learned"    # else as written

    [[questions]]
    input = "age"
    at_least = 65
    points = 2

    [[questions]]        # cut-off and points are learned
    input = "crp"

`[before]` is what the list was that somebody edits, with its limits (`policy`, which older files do
not have); `edit_text` writes it.
"""

from __future__ import annotations

import datetime
import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import astuple, dataclass, field, fields, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, TypeVar

from scorecard import files
from scorecard.core.edits import Before, before_edit
from scorecard.core.given_question import GivenQuestion, given_as, refuse_repetition
from scorecard.core.model import About, Condition, Question, Risk, RiskSource, ScoringList, Stage
from scorecard.core.policy import StoppingPolicy
from scorecard.core.question import Substitute
from scorecard.documents.values import Faults, UnreadableError, tree_of, value_of
from scorecard.errors import DocumentError, ListError, ScorecardError, did_you_mean
from scorecard.files import toml_values

TABLE_CAME = (
    "this is a table, not a scoring list; give a model file here, or make one of the table with"
    " scorecard fit TABLE --outcome COLUMN."
)
T = TypeVar("T")
Q = TypeVar("Q", bound="WrittenQuestion")
MAX_CHARACTERS = 200_000


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenCondition:
    """What has to hold for a yes, as people write it."""

    at_least: int | float | None = None
    below: int | float | None = None
    is_: str | None = None
    is_not: str | None = None
    one_of: list[str] | None = None
    none_of: list[str] | None = None
    when: Literal["yes", "no", "missing", "present"] | None = None
    choices: tuple[str, ...] = ()

    def condition(self) -> Condition | None:
        """What has to hold, if anything is said about it."""
        ways = {
            "at_least": Condition(">=", self.at_least) if self.at_least is not None else None,
            "below": Condition("<", self.below) if self.below is not None else None,
            "is": self._category("in", self.is_),
            "is_not": self._category("not in", self.is_not),
            "one_of": self._category("in", self.one_of),
            "none_of": self._category("not in", self.none_of),
            "when": Condition(self.when) if self.when is not None else None,
        }
        given = {name: condition for name, condition in ways.items() if condition is not None}
        if len(given) > 1:
            raise ListError(f"{', '.join(given)}: a question has only one condition.")
        if self.choices and not any(condition.is_categorical for condition in given.values()):
            raise ListError("choices: belong to is, is_not, one_of or none_of.")
        return next(iter(given.values()), None)

    def _category(
        self, kind: Literal["in", "not in"], wanted: str | list[str] | None
    ) -> Condition | None:
        if wanted is None:
            return None
        categories = (wanted,) if isinstance(wanted, str) else tuple(wanted)
        return Condition(kind, categories=categories, choices=self.choices)


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenSubstitute(WrittenCondition):
    """A substitute as people write it."""

    ask: str = ""
    input: str = ""
    unit: str = ""
    cost: int | float | None = None
    panel: str = ""

    def substitute(self) -> Substitute:
        if not (self.input or self.ask):
            raise ListError("input: say what is asked instead, by its input or in words (ask).")
        condition = self.condition() or Condition()
        if self.unit and not condition.is_numeric:
            raise ListError(f"unit: {self.unit!r} needs a cut-off; give at_least or below.")
        return Substitute(
            self.input or input_name(self.ask),
            condition,
            self.ask,
            self.unit,
            self.cost,
            self.panel,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenQuestion(WrittenSubstitute):
    """A question as people write it, with nothing that has to be there."""

    points: int | None = None
    note: str = ""
    if_unknown: WrittenSubstitute | None = None

    def given(self) -> GivenQuestion:
        """With what is left out left open."""
        name, condition = self.input or self.ask, self.condition()
        return GivenQuestion(name, condition, self.points, *self._words())

    def _words(self) -> tuple[Any, ...]:
        other = self.if_unknown
        instead = in_place("if_unknown", other.substitute) if other else None
        return self.ask, self.unit, self.cost, self.note, self.panel, instead


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeQuestion(WrittenQuestion):
    """A question of a finished list."""

    ask: str
    points: int

    def value(self) -> Question:
        name, condition = self.input or input_name(self.ask), self.condition() or Condition()
        return Question(name, self.points, condition, *self._words())


def in_place(place: str, make: Callable[[], T]) -> T:
    """What is made, or the complaint about it with its place."""
    try:
        return make()
    except ListError as error:
        raise ListError(f"{place}.{error}") from None


@dataclass(frozen=True, slots=True)
class WrittenRisk:
    """A risk as people write it, if they know more than the figure."""

    risk: float
    lower: float | None = None
    upper: float | None = None
    cases: int | float | None = None
    positives: int | float | None = None


ABOUT_KEYS = tuple(one.name for one in fields(About))
FIGURES_KEYS = tuple(one.name for one in fields(RiskSource))
LIMITS = tuple(one.name for one in fields(StoppingPolicy) if one.name != "chosen_by")
START_KEYS = ("order", "limits", "before")  # of a list to begin with
IGNORED = ("risks", "risks_after", "origin", "level", "band")  # there: they are counted anew
NO_RISKS_YET = (
    "this is a list to begin with, and has no risks yet; count them from a table with scorecard fit"
    " TABLE --outcome COLUMN --start FILE --max-questions 0."
)
OTHER_KEYS = ("questions", "risks", "risks_after", "limits")


def read(text: str, found: Faults) -> ScoringList | None:
    """The list written in the short form, or `None` and every fault in it."""
    tree = parse(text)
    has_risks = tree.keys() & {"risks", "risks_after"}
    if tree.keys() & ({*START_KEYS} - ({"limits"} if has_risks else set())):
        raise UnreadableError(NO_RISKS_YET)
    about = _about(tree, (*FIGURES_KEYS, *OTHER_KEYS), found)
    if "questions" not in tree:
        found.add("", "the key 'questions' is missing; write [[questions]] for each of them.")
    figures = value_of(_only(tree, FIGURES_KEYS), RiskSource, "", found)
    questions = [one for _, one in _questions(tree, WholeQuestion, WholeQuestion.value, found)]
    stages = _stages(tree, len(questions), found)
    limits = limits_of(tree.get("limits", {}), found)
    if found.found:
        return None
    refused = Faults()
    policy = StoppingPolicy(**limits) if limits else None
    scoring_list = refused.build("", ScoringList, questions, stages, about, figures, policy=policy)
    for fault in refused.found:
        found.add("", _in_our_places(fault, len(questions)))
    return scoring_list


def _about(tree: dict[str, Any], others: tuple[str, ...], found: Faults) -> About | None:
    """What is said about the list as a whole; keys that are neither this nor others are refused."""
    known = (*ABOUT_KEYS, *others)
    for key in tree:
        if key not in known and key not in IGNORED:
            found.add(key, f"is not known; {did_you_mean(key, known, 'misspelt?')}")
    given = _only(tree, ABOUT_KEYS)
    if isinstance(given.get("date"), datetime.date):  # TOML has dates of its own
        given["date"] = given["date"].isoformat()
    about: About | None = value_of(given, About, "", found)
    return about


def _questions(
    tree: dict[str, Any], kind: type[Q], make: Callable[[Q], T], found: Faults
) -> Iterator[tuple[str, T | None]]:
    """Every question with its place, as somebody wrote it."""
    trees: list[Any] = found.convert(tree.get("questions", []), list, "questions") or []
    for number, one in enumerate(trees):
        place = f"questions[{number}]"
        record: Q | None = value_of(one, kind, place, found)
        yield place, None if record is None else found.build(place, make, record)


def parse(text: str) -> dict[str, Any]:
    """The tables and keys of a text in TOML."""
    if _looks_like_a_table(text):
        raise UnreadableError(TABLE_CAME)
    if len(text) > MAX_CHARACTERS:
        raise UnreadableError(f"a list in the short form has at most {MAX_CHARACTERS} characters.")
    try:
        return toml_values(text)
    except ValueError as error:
        raise UnreadableError(str(error)) from None


def _looks_like_a_table(text: str) -> bool:
    """Whether the first line is cut into fields and says nothing in TOML."""
    first = text.lstrip("\n").partition("\n")[0]
    if "=" in first or first.startswith(("[", "#", "{")):
        return False
    return any(sign in first for sign in ",;\t|")


def limits_of(tree: Any, found: Faults) -> dict[str, Any]:
    """The limits somebody wrote down, by the names of `StoppingPolicy`."""
    limits: dict[str, Any] = found.convert(tree, dict, "limits") or {}
    for key in limits:
        if key not in LIMITS:
            hint = did_you_mean(key, LIMITS, ", ".join(LIMITS))
            found.add(f"limits.{key}", f"is not known; {hint}")
    if not found.found:
        try:
            StoppingPolicy(**limits)
        except ScorecardError as error:
            found.add("limits", str(error))
    return limits


def _only(tree: dict[str, Any], keys: tuple[str, ...]) -> dict[str, Any]:
    return {key: tree[key] for key in keys if key in tree}


def _stages(tree: dict[str, Any], count: int, found: Faults) -> list[Stage | None]:
    stages: list[Stage | None] = [None] * (count + 1)
    tables: dict[str, Any] = found.convert(tree.get("risks_after", {}), dict, "risks_after") or {}
    for key, risks in tables.items():
        place = f"risks_after.{key}"
        if not re.fullmatch("[0-9]{1,3}", key) or int(key) > count:
            found.add(place, f"expected a number of answers from 0 to {count}.")
        else:
            stages[int(key)] = _stage(risks, place, found)
    if "risks" in tree:
        if stages[count] is not None:
            found.add("risks", f"given twice: risks_after.{count} is the same.")
        stages[count] = _stage(tree["risks"], "risks", found)
    return stages


def _stage(tree: Any, place: str, found: Faults) -> Stage | None:
    risks: dict[int, Risk | None] = {}
    before = len(found.found)
    entries: dict[str, Any] = found.convert(tree, dict, place) or {}
    for key, value in entries.items():
        if not re.fullmatch("[+-]?[0-9]{1,6}", key):
            found.add(place, f"{key!r} is not a total; expected a whole number.")
        elif int(key) in risks:
            found.add(place, f"the total {int(key)} occurs twice.")
        else:
            risks[int(key)] = _risk(value, f"{place}.{key}", found)
    if len(found.found) > before:
        return None
    totals = sorted(risks)
    return found.build(place, Stage, totals, [risks[total] for total in totals])


def _risk(tree: Any, place: str, found: Faults) -> Risk | None:
    if not isinstance(tree, dict):
        return found.build(place, Risk, found.convert(tree, float, place))
    record: WrittenRisk | None = value_of(tree, WrittenRisk, place, found)
    return None if record is None else found.build(place, Risk, *astuple(record))


def input_name(ask: str) -> str:
    """A column name made of the question's own words: "Age (years)" becomes age_years."""
    return re.sub(r"\W+", "_", ask.lower()).strip("_")


def _in_our_places(fault: str, count: int) -> str:
    """The model speaks of stages; here they are the tables of risks."""

    def table(stage: re.Match[str]) -> str:
        return "risks" if int(stage[1]) == count else f"risks_after.{stage[1]}"

    return re.sub(r"^stages\[([0-9]+)\]", table, fault)


# A list to begin with -----------------------------------------------------------------------------


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
    from scorecard.documents.json_document import read_list

    name = Path(path).name
    if Path(path).suffix.lower() == ".json":
        return _of_list(read_list(path), columns, name)
    try:
        content = files.read_bytes(path, 4 * MAX_CHARACTERS).decode("utf-8-sig")
        return _read_start(content, name, columns)
    except UnicodeDecodeError:
        raise DocumentError(f"{name}: the text is not UTF-8; save it as UTF-8.") from None
    except UnreadableError as error:
        raise DocumentError(f"{name}: {error}") from None


def _read_start(text: str, name: str, columns: Sequence[str]) -> StartList:
    found, tree = Faults(), parse(text)
    about = _about(tree, (*START_KEYS, "questions"), found)
    order = found.convert(tree.get("order", "as written"), str, "order")
    if order not in ("as written", "learned"):
        found.add("order", f'{order!r} came, expected "as written" or "learned".')
    written = _questions(tree, WrittenQuestion, WrittenQuestion.given, found)
    questions = tuple(
        _about_column(one, columns, place, found) for place, one in written if one is not None
    )
    found.build("", refuse_repetition, questions)
    limits = limits_of(tree.get("limits", {}), found)
    before = value_of(tree.get("before"), Before | None, "before", found)
    if about is None or found.found:
        raise DocumentError(located(name, text, found.found[0]))
    had_risks = bool(tree.keys() & set(IGNORED))
    return StartList(questions, about, order == "learned", limits, before, had_risks)


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
    from scorecard.documents.json_document import short_hash

    found = Faults()
    questions = tuple(
        _about_column(given_as(question), columns, f"questions[{number}]", found)
        for number, question in enumerate(scoring_list.questions)
    )
    if found.found:
        raise DocumentError(f"{name}: {found.found[0]}")
    return StartList(
        questions,
        words_of(scoring_list),
        limits=limits_given(scoring_list),
        before=before_edit(scoring_list, short_hash(scoring_list)),
    )


def words_of(scoring_list: ScoringList) -> About:
    """What the list is called; the date is that of its learning, and a new one gets its own."""
    return About(**{**tree_of(scoring_list.about), "date": ""})


def limits_given(scoring_list: ScoringList) -> dict[str, Any]:
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


# On which line something stands, so that a refusal can say where to look --------------------------

_PART = r"(?:\"[^\"\n]*\"|'[^'\n]*'|[\w-]+)"
_KEY = re.compile(rf"\s*({_PART}(?:\s*\.\s*{_PART})*)\s*=")
_TABLE = re.compile(rf"\s*(\[\[?)\s*({_PART}(?:\s*\.\s*{_PART})*)\s*\]")
_LONG = re.compile(r"\"\"\"|'''")


def lines_of(text: str) -> dict[str, int]:
    """The line of every table and key, by its place: `questions[0].points`, `words.inputs.age`."""
    found: dict[str, int] = {}
    counted: dict[str, int] = {}
    table, inside_text = "", False
    for number, line in enumerate(text.splitlines(), 1):
        is_text, inside_text = inside_text, inside_text ^ (len(_LONG.findall(line)) % 2 == 1)
        if is_text:
            continue
        if header := _TABLE.match(line):
            table = ".".join(_parts(header[2]))
            if header[1] == "[[":
                counted[table] = counted.get(table, -1) + 1
                table = f"{table}[{counted[table]}]"
            found.setdefault(table, number)
        elif key := _KEY.match(line):
            found.setdefault(".".join([*filter(None, [table]), *_parts(key[1])]), number)
    return found


def _parts(key: str) -> Iterator[str]:
    return (part.strip("\"'") for part in re.findall(_PART, key))


def line_of(lines: dict[str, int], place: str) -> int | None:
    """The line of a place, or of what it stands in."""
    while place:
        if place in lines:
            return lines[place]
        place = re.sub(r"(?:^|\.)[^.]*$|\[[0-9]+\]$", "", place)
    return None


def located(name: str, text: str, fault: str) -> str:
    """A fault that begins with its place, or names a value, behind the file and the line."""
    place = re.match(r"[\w.\[\]-]+", fault)
    line = line_of(lines_of(text), place[0]) if place else None
    value = re.search("'(.+?)'", fault.partition(";")[0])
    line = line or (_line_with(text, value[1]) if value else None)
    return f"{name}, line {line}: {fault}" if line else f"{name}: {fault}"


def _line_with(text: str, value: str) -> int | None:
    """The line of the first key with this value; words for readers may have it by chance."""
    lines = text.splitlines()
    keys = sorted((number, place) for place, number in lines_of(text).items())
    for (number, place), (following, _) in pairwise([*keys, (len(lines) + 1, "")]):
        said = "\n".join(lines[number - 1 : following - 1])
        if re.search(rf"(?<!\w){re.escape(value)}(?!\w)", said) and not place.startswith("words"):
            return number
    return None

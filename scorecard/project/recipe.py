"""How a list is learned, as a value: from which table, by which columns, with which settings.

The command line and a card.toml write the same recipe, and `opened` looks at its table once for
everything that learns from it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

from scorecard.core.policy import By
from scorecard.errors import LearningError, ListError, ScorecardError
from scorecard.learning.options import DEFAULTS, PUBLISHED, PUBLISHED_POLICY, Options
from scorecard.project.written import (
    Pairs,
    available,
    costs,
    names,
    number_or_auto,
    points,
    share,
    signs,
)

if TYPE_CHECKING:
    from scorecard.documents.toml_list import StartList
    from scorecard.tables.cases import Cases
    from scorecard.tables.columns import Kind
    from scorecard.tables.labels import Labels
    from scorecard.tables.source import Source
    from scorecard.tables.suspicions import Doubt
    from scorecard.tables.warehouse import Warehouse

Found = TypeVar("Found")

READERS: dict[str, Callable[[Any], Any]] = {
    "drop": names, "only": names, "keep": names,
    "category": names, "number": names, "yes_no": names,
    "max_questions": partial(number_or_auto, whole=True),
    "points": points, "ask": names, "sign": signs, "cost": costs, "cost_weight": number_or_auto,
    "available": available, "held_out": share,
    "languages": names, "forms": names, "warnings": names,
    "rule_out": share, "rule_in": share, "confidence": share, "test_share": share,
}  # fmt: skip
KINDS: Mapping[str, Kind] = {"category": "category", "number": "number", "yes_no": "yes-no"}
PARAMETERS = {"cost": "costs", "sign": "signs"}
"""What is called otherwise than the learner's parameter."""
SAID = ("max_questions", "points", "cost_weight", "evidence", "held_out", "folds")
"""The learner's parameters that are said under their own names."""
SMALLEST_TABLE = 10  # cases: from fewer nothing worth printing can be learned


@dataclass(frozen=True, kw_only=True)
class Written:
    """Values as people wrote them; each is read when the value is made."""

    def __post_init__(self) -> None:
        for one in fields(self):
            value, read = getattr(self, one.name), READERS.get(one.name)
            if read is None or value is None:
                continue
            try:
                object.__setattr__(self, one.name, read(value))
            except ListError as error:
                raise ListError(f"{one.name}: {error}") from None

    @property
    def told(self) -> dict[str, Any]:
        """What somebody said."""
        usual = type(self)()
        said = {one.name: getattr(self, one.name) for one in fields(self)}
        return {name: value for name, value in said.items() if value != getattr(usual, name)}


@dataclass(frozen=True, kw_only=True)
class Reading(Written):
    """How a text table or a workbook is read."""

    encoding: str = "utf-8"
    decimal: Literal[".", ","] = "."
    sheet: str | None = None

    @property
    def reading(self) -> dict[str, Any]:
        """Nothing else of what was written."""
        return {one.name: getattr(self, one.name) for one in fields(Reading)}


@dataclass(frozen=True, kw_only=True)
class ColumnChoice(Written):
    """What the columns of a table are, and which may become questions."""

    drop: Any = ()
    only: Any = ()
    keep: Any = ()
    category: Any = ()
    number: Any = ()
    yes_no: Any = ()
    group: str | None = None
    key: str | None = None
    missing: Literal["unknown", "mode", "question", "refuse"] = "unknown"


@dataclass(frozen=True, kw_only=True)
class Learning(Written):
    """How the questions and their risks are learned; what is `None` is as usual."""

    max_questions: Any = None
    points: Any = None
    start: str | None = None
    ask: Any = ()
    sign: Any = ()
    cost: Any = ()
    cost_weight: Any = None
    available: Any = ()
    evidence: Literal["cross-validated", "held-out", "training"] | None = None
    held_out: Any = None
    validate: str | None = None
    folds: int | None = None
    as_published: bool = False
    no_evidence: bool = False

    def __post_init__(self) -> None:
        Written.__post_init__(self)
        given = ["a question"] if self.start or self.ask else None
        try:
            Options.checked({**self.parameters, "fixed": given})
        except LearningError as error:
            raise ListError(str(error)) from None

    @property
    def usual(self) -> dict[str, Any]:
        """The learner's parameters where nobody says otherwise."""
        return {**DEFAULTS, **(PUBLISHED if self.as_published else {})}

    @property
    def parameters(self) -> dict[str, Any]:
        """Those of the learner's parameters that are said here, or that the paper has."""
        found = dict(PUBLISHED) if self.as_published else {}
        for name in SAID:
            if getattr(self, name) is not None:
                found[name] = getattr(self, name)
        for name in ("sign", "cost", "available"):
            found[PARAMETERS.get(name, name)] = dict(getattr(self, name)) or None
        return found


@dataclass(frozen=True, kw_only=True)
class Limits(Written):
    """The limits that a person gives, of the fields of a `StoppingPolicy`."""

    rule_out: Any = None
    rule_in: Any = None
    by: By | None = None
    confidence: Any = None
    min_cases: int | None = None
    miss_cost: float | None = None


@dataclass(frozen=True, kw_only=True)
class Judging(Written):
    """How learning is judged: on how many random splits, or parts of a cross-validation."""

    splits: int = 100
    test_share: Any = 1 / 3
    folds: int | None = None
    by_group: str = ""
    jobs: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        Written.__post_init__(self)
        for name, least in (("splits", 1), ("folds", 2), ("jobs", 1), ("seed", 0)):
            value = getattr(self, name)
            if value is not None and value < least:
                raise ListError(f"{name}: {value} is below {least}.")


@dataclass(frozen=True, kw_only=True)
class Recipe(Reading, ColumnChoice, Learning):
    """Everything by which a list is learned from a table.

    `labels` is the file with its words; those that are at hand already are given to `opened`.
    """

    tables: tuple[str, ...] = ()
    outcome: str | None = None
    positive: str | None = None
    sql: str | None = None
    labels: str | None = None
    limits: Limits = field(default_factory=Limits)

    @property
    def changes(self) -> dict[str, Any]:
        """The fields of the stopping policy that are not the list's own."""
        return {**(PUBLISHED_POLICY if self.as_published else {}), **self.limits.told}

    @property
    def learning_limits(self) -> Limits:
        """The limits that belong to learning; others are put on the finished list.

        Patients who test the list test its limits, and the price of an edit is told under them.
        """
        tied = self.validate or self.held_out is not None or self.start
        return self.limits if tied else Limits()

    @property
    def settings(self) -> dict[str, Any]:
        """The parameters of `ScoringListClassifier`, but for what `start` and `ask` give."""
        return {
            **{name: DEFAULTS[name] for name in SAID},
            **self.parameters,
            "missing": self.missing,
        }

    @property
    def only_learning(self) -> Recipe:
        """The same without what tests or stores the finished list: so learning is judged."""
        return replace(self, validate=None, folds=None, held_out=None, no_evidence=False)


@dataclass(frozen=True)
class Opened:
    """A recipe with its table looked at: the columns, their words, the questions given."""

    recipe: Recipe
    source: Source
    labels: Labels
    start: StartList
    there: Warehouse | None = None

    @cached_property
    def settings(self) -> dict[str, Any]:
        """The parameters of the learner."""
        asked = self.start.questions
        given = frozenset(asked) if self.start.any_order else list(asked)
        return {**self.recipe.settings, "fixed": given or None}

    @property
    def limits(self) -> dict[str, Any]:
        """What somebody says of the limits: the list to begin with, and above it the recipe."""
        return {**self.start.limits, **self.recipe.changes}

    @property
    def outcome(self) -> str:
        assert self.recipe.outcome is not None
        return self.recipe.outcome

    @property
    def kept(self) -> frozenset[str]:
        """The columns that are named as inputs; no doubt leaves them out."""
        recipe, listed = self.recipe, self.source.listed
        kept = set(listed(recipe.keep))
        if both := kept.intersection(listed(recipe.drop)):
            raise ScorecardError(f"{min(both)!r} cannot be both `keep` and `drop`.")
        kept.update(listed(recipe.only), (question.input for question in self.start.questions))
        pairs: Pairs = (*recipe.sign, *recipe.cost, *recipe.available)
        return frozenset(kept.union(name for name, _ in pairs))

    @property
    def kinds(self) -> dict[str, Kind]:
        """What each column is: as the labels say, and above all as the recipe does."""
        said: dict[str, str] = {}
        for option in KINDS:
            for name in self.source.listed(getattr(self.recipe, option)):
                if said.setdefault(name, option) != option:
                    raise ScorecardError(f"{name!r} cannot be both {said[name]} and {option}.")
        return {**self.labels.kinds, **{name: KINDS[option] for name, option in said.items()}}

    def once(self, _key: Any, find: Callable[[], Found]) -> Found:
        """What is found; who counts on the same cases again and again keeps it (`Prepared`)."""
        return find()

    def cases(self) -> Cases:
        """The cases of the table."""
        from scorecard.tables.cases import read_cases

        recipe = self.recipe
        told: dict[str, Any] = {
            "positive": recipe.positive, "drop": recipe.drop, "only": recipe.only,
            "group": recipe.group, "missing": recipe.missing, "kinds": self.kinds,
        }  # fmt: skip
        if self.there is not None:
            from scorecard.tables.warehouse import warehouse_cases

            told["key"] = recipe.key
            return cast("Cases", warehouse_cases(self.there, self.outcome, **told))
        return read_cases(self.source, self.outcome, **told)

    def sound_cases(self) -> tuple[Cases, tuple[Doubt, ...]]:
        """The cases without columns that no list should ask for, and what looks wrong in them.

        Too few are refused.
        """
        from scorecard.tables.cases import Cases
        from scorecard.tables.suspicions import doubts, without_doubted

        cases = self.cases()
        kept = self.kept
        if cases.inputs.height < SMALLEST_TABLE:
            raise LearningError(
                f"{cases.file}: {cases.inputs.height} cases are too few to learn from; at least"
                f" {SMALLEST_TABLE} are needed."
            )
        if not isinstance(cases, Cases):  # single values are not at hand
            return cases, ()
        found = self.once(("doubts", kept), lambda: tuple(doubts(cases, {*kept, *cases.kinds})))
        return without_doubted(cases, found), found

    def asked_for(self) -> dict[str, Any]:
        """How the list was asked for, as it is kept with the list."""
        recipe = self.recipe
        said, usual = {name: getattr(recipe, name) for name in _KEPT}, recipe.usual
        for name in SAID:
            said[name] = usual[name] if said[name] is None else said[name]
        paper = {**PUBLISHED, **PUBLISHED["published"]} if recipe.as_published else {}
        others = paper.keys() - said.keys() - {"published"}
        said |= {name: value for name, value in paper.items() if name in others}
        if self.start.questions:
            said["given"] = "; ".join(map(str, self.start.questions))
            said["given order"] = "learned" if self.start.any_order else None
        return said


_KEPT = (
    "outcome", "positive", "drop", "only", "keep", "category", "number", "yes_no", "group",
    "key", "missing", "sql", "max_questions", "points", "sign", "cost",
    "cost_weight", "available",
    "evidence", "held_out", "folds", "as_published", "no_evidence",
)  # fmt: skip


def opened(recipe: Recipe, labels: Labels | None = None, source: Source | None = None) -> Opened:
    """Look at the table of a recipe, at its words and at the questions that are given."""
    from scorecard.documents.toml_list import StartList, read_start
    from scorecard.tables.labels import Labels, read_labels
    from scorecard.tables.read_table import open_table
    from scorecard.tables.warehouse import Warehouse, stays_where_it_is

    there = None
    if recipe.sql or stays_where_it_is(recipe.tables):
        there = Warehouse.opened(recipe.tables, recipe.sql)
    elif recipe.key:
        raise ScorecardError("`key` is for cases in a database, or with `sql`.")
    source = source or (there.source if there else open_table(recipe.tables, **recipe.reading))
    if recipe.outcome is None:
        shown = ", ".join(source.names[:12]) + (", …" if len(source.names) > 12 else "")
        raise ScorecardError(f"`outcome` is needed: the column to predict, one of {shown}.")
    words = labels or (read_labels(recipe.labels, source.names) if recipe.labels else Labels())
    columns = [name for name in source.names if name != recipe.outcome]
    start = read_start(recipe.start, columns) if recipe.start else StartList(())
    start = replace(start, questions=(*start.questions, *asked(recipe, columns)))
    return Opened(recipe, source, words.over(start.about), start, there)


def asked(recipe: Learning, columns: list[str]) -> list[Any]:
    """The questions of `ask`."""
    from scorecard.core.given_question import given_question

    try:
        return [given_question(text, columns) for text in recipe.ask]
    except ListError as error:
        raise ScorecardError(f"`ask`: {error}") from None

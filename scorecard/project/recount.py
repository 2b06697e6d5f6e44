"""A list counted again on the same cases, each time that somebody edits it.

The table is read once, and so is everything found that does not depend on what is asked; all else
goes the way of `fit`, so that the same questions have the same figures to the last digit.
"""

from __future__ import annotations

from ast import literal_eval
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from scorecard.core.edits import before_edit
from scorecard.core.model import ScoringList
from scorecard.documents.json_document import read_list, short_hash
from scorecard.documents.toml_list import StartList
from scorecard.errors import ScorecardError
from scorecard.project.learn import Fitted, learn
from scorecard.project.recipe import Found, Limits, Opened, Recipe
from scorecard.tables.cases import Cases

if TYPE_CHECKING:
    from scorecard.core.given_question import GivenQuestion

START = "list.toml"
"""What the file of an edited list is called where a recipe has to name one."""


@dataclass(frozen=True, kw_only=True)
class Prepared(Opened):
    """An opened recipe whose cases are read."""

    read: Cases
    found: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)

    def once(self, key: Any, find: Callable[[], Found]) -> Found:
        if key not in self.found:
            self.found[key] = find()
        one: Found = self.found[key]
        return one

    def cases(self) -> Cases:
        return self.read


def prepared(recipe: Opened) -> Prepared:
    """The recipe with its cases read, for `recount`."""
    return Prepared(
        recipe.recipe, recipe.source, recipe.labels, recipe.start, recipe.there,
        read=recipe.cases(),
    )  # fmt: skip


def recount(
    cases: Prepared,
    questions: tuple[GivenQuestion, ...],
    *,
    learned: ScoringList | None = None,
    more: int | Literal["auto"] | None = None,
    limits: Limits | None = None,
    progress: Callable[[float, int], None] | None = None,
) -> Fitted:
    """These questions with their risks, stops and figures, as `fit` gives them for `start`.

    Parameters
    ----------
    cases : what `prepared` gave.
    questions : in the order in which they are asked; what a question leaves open is learned.
    learned : the list before it was edited, with which the edit is compared.
    more : questions that may be learned behind these: by default none, without any the recipe's.
    limits : in place of the recipe's own.
    progress : told how far the search is; what it raises ends the count.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from scorecard.core.given_question import given_question
    >>> from scorecard.project.recipe import Recipe, opened
    >>> from scorecard.project.recount import prepared, recount
    >>> with TemporaryDirectory() as folder:
    ...     table = Path(folder, "cases.csv")
    ...     rows = (f"{n % 60},{n % 60 > 40:d}" for n in range(99))
    ...     _ = table.write_text("\\n".join(["age,ill", *rows]))
    ...     cases = prepared(opened(Recipe(tables=(str(table),), outcome="ill")))
    >>> found = recount(cases, (given_question("age >= 50: 1", ["age"]),)).scoring_list
    >>> found.stages[1].totals, found.cross_validation is not None
    ((0, 1), True)
    """
    before = None if learned is None else before_edit(learned, short_hash(learned))
    recipe = cases.recipe if limits is None else replace(cases.recipe, limits=limits)
    if questions:
        recipe = replace(recipe, start=START, max_questions=more or 0)
    elif more is not None:
        recipe = replace(recipe, max_questions=more)
    return learn(
        replace(cases, recipe=recipe, start=StartList(questions, before=before)),
        progress=progress,
    )


TEXTS = ("outcome", "positive", "group", "missing")
COLUMNS = ("drop", "only", "keep", "category", "number", "yes_no")


def recipe_of(model: Path) -> Recipe:
    """How a list was learned, as it says: to begin with its questions, from its own table."""
    known = dict(read_list(model).provenance)
    table = model.parent / Path(known.get("table", "")).name
    if not table.is_file() or "option outcome" not in known:
        name = known.get("table", "a table")
        raise ScorecardError(
            f"{model.name}: to count its risks again, {name} has to lie beside it; put it there, or"
            " begin with the table."
        )
    said: dict[str, Any] = {
        name: known[f"option {name}"] for name in TEXTS if f"option {name}" in known
    }
    said |= {name: literal_eval(known.get(f"option {name}", "()")) for name in COLUMNS}
    return Recipe(tables=(str(table),), start=str(model), max_questions=0, **said)

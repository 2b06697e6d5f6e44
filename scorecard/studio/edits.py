"""What a person does to a list on the bench: each edit gives the next state, and none is lost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from scorecard.core.given_question import GivenQuestion, refuse_repetition
from scorecard.core.model import MAX_QUESTIONS, Condition
from scorecard.core.question import OPPOSITE
from scorecard.errors import ListError
from scorecard.project.recipe import Limits

More = int | Literal["auto"]
MOST_STEPS = 500  # that can be undone


@dataclass(frozen=True)
class Edit:
    """The questions that a person gives, in order, and how many are learned behind them.

    Without any the list is as it was learned, or learned anew with `more` questions. `locked` are
    the places of questions that stay when the rest is filled; `words` are those of a card.toml.
    """

    given: tuple[GivenQuestion, ...] = ()
    more: More | None = None
    locked: frozenset[int] = frozenset()
    limits: Limits = field(default_factory=Limits)
    words: dict[str, Any] = field(default_factory=dict)

    def asking(self, rows: Sequence[GivenQuestion], locked: frozenset[int] | None = None) -> Edit:
        """The same with these questions and no others."""
        if not rows:
            raise ListError("A list needs a question; add another one before you remove this.")
        if len(rows) > MAX_QUESTIONS:
            raise ListError(f"A list has at most {MAX_QUESTIONS} questions.")
        refuse_repetition(rows)
        kept = self.locked if locked is None else locked
        return replace(self, given=tuple(rows), more=None, locked=kept)


Rows = tuple[GivenQuestion, ...]
"""The questions that the bench shows, all of them whole."""


def moved(edit: Edit, rows: Rows, place: int, to: int) -> Edit:
    """A question at another place."""
    order = [number for number in range(len(rows)) if number != place]
    order.insert(max(0, min(to, len(order))), _at(rows, place))
    locked = frozenset(new for new, old in enumerate(order) if old in edit.locked)
    return edit.asking([rows[old] for old in order], locked)


def removed(edit: Edit, rows: Rows, place: int) -> Edit:
    """All but this question."""
    _at(rows, place)
    locked = frozenset(one - (one > place) for one in edit.locked if one != place)
    return edit.asking([*rows[:place], *rows[place + 1 :]], locked)


def added(edit: Edit, rows: Rows, question: GivenQuestion) -> Edit:
    """One more question at the end; what it leaves open is learned."""
    return edit.asking([*rows, question])


def with_points(edit: Edit, rows: Rows, place: int, points: int) -> Edit:
    """A question with other points."""
    return _changed(edit, rows, place, points=points)


def with_cutoff(edit: Edit, rows: Rows, place: int, cutoff: float) -> Edit:
    """A question with another cut-off."""
    condition = rows[_at(rows, place)].condition
    if condition is None or not condition.is_numeric:
        raise ListError("This question has no cut-off.")
    return _changed(edit, rows, place, condition=replace(condition, cutoff=cutoff))


def with_categories(edit: Edit, rows: Rows, place: int, categories: Sequence[str]) -> Edit:
    """A question about other categories."""
    condition = rows[_at(rows, place)].condition
    if condition is None or not condition.is_categorical:
        raise ListError("This question has no categories.")
    if not categories:
        raise ListError("Choose at least one category.")
    chosen = replace(condition, categories=tuple(categories))
    return _changed(edit, rows, place, condition=chosen)


def turned(edit: Edit, rows: Rows, place: int) -> Edit:
    """The same points for the opposite answer."""
    condition = rows[_at(rows, place)].condition or Condition()
    opposite = replace(condition, kind=OPPOSITE[condition.kind])
    other = rows[place].if_unknown
    if other is not None:
        other = replace(other, condition=other.condition.opposite())
    return _changed(edit, rows, place, condition=opposite, if_unknown=other)


def with_lock(edit: Edit, rows: Rows, place: int, locked: bool) -> Edit:
    """A question that stays when the rest is filled, or that does not."""
    one = frozenset({_at(rows, place)})
    return replace(edit, locked=edit.locked | one if locked else edit.locked - one)


def filled(edit: Edit, rows: Rows, questions: int | None) -> Edit:
    """The locked questions first, behind them learned ones, up to so many or as many as help."""
    kept = [rows[place] for place in sorted(edit.locked) if place < len(rows)]
    more: More = "auto" if questions is None else max(0, questions - len(kept))
    if not kept:
        return replace(edit, given=(), more=more, locked=frozenset())
    found = edit.asking(kept, frozenset(range(len(kept))))
    return replace(found, more=more)


def with_words(edit: Edit, name: str | None, key: str, text: str) -> Edit:
    """Another word for an input, or for the list where no input is named; empty takes it away."""
    words = {**edit.words}
    place = words if name is None else {**words.get("inputs", {}).get(name, {})}
    place[key] = text.strip()
    if not place[key]:
        del place[key]
    if name is not None:
        words["inputs"] = {**words.get("inputs", {}), name: place}
    return replace(edit, words=words)


def _at(rows: Rows, place: int) -> int:
    if not 0 <= place < len(rows):
        raise ListError("This question is not there any more; look at the list again.")
    return place


def _changed(edit: Edit, rows: Rows, place: int, **parts: Any) -> Edit:
    changed, at = [*rows], _at(rows, place)
    changed[at] = replace(rows[at], **parts)
    return edit.asking(changed)


@dataclass
class History:
    """States one after the other; what is undone can be done again until something else is."""

    states: list[Edit]
    at: int = 0

    @property
    def now(self) -> Edit:
        return self.states[self.at]

    def add(self, edit: Edit) -> None:
        self.states = [*self.states[: self.at + 1], edit][-MOST_STEPS:]
        self.at = len(self.states) - 1

    def step(self, by: int) -> None:
        self.at = max(0, min(self.at + by, len(self.states) - 1))

    def forget(self, edit: Edit) -> None:
        """Take back a state that cannot be counted."""
        if self.now is edit and self.at:
            del self.states[self.at :]
            self.at -= 1

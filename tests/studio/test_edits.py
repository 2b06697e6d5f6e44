"""Each edit gives the next state; locks go with their questions, and undo loses nothing."""

from __future__ import annotations

import pytest

from scorecard.core.given_question import GivenQuestion, given_question
from scorecard.core.model import Condition
from scorecard.core.question import Substitute
from scorecard.errors import ListError
from scorecard.studio import edits
from scorecard.studio.edits import Edit, History

NAMES = ["age", "crp", "site", "fever"]
TEXTS = ("age >= 50: 2", "crp < 20: -1", "site in a, b: 1", "fever yes: 3")
ROWS = tuple(given_question(text, NAMES) for text in TEXTS)


def asked(edit: Edit) -> list[str]:
    return [str(one) for one in edit.given]


def test_a_question_moves_with_its_lock() -> None:
    edit = edits.moved(Edit(locked=frozenset({0, 2})), ROWS, 0, 2)
    assert [one.input for one in edit.given] == ["crp", "site", "age", "fever"]
    assert edit.locked == {1, 2}
    assert edits.moved(Edit(), ROWS, 3, -5).given[0].input == "fever"
    assert edits.moved(Edit(), ROWS, 0, 99).given[-1].input == "age"


def test_a_question_is_removed_with_its_lock() -> None:
    edit = edits.removed(Edit(locked=frozenset({1, 3})), ROWS, 1)
    assert [one.input for one in edit.given] == ["age", "site", "fever"]
    assert edit.locked == {2}


def test_the_last_question_stays() -> None:
    with pytest.raises(ListError, match="needs a question"):
        edits.removed(Edit(), ROWS[:1], 0)


def test_cut_off_points_categories_and_side_change_alone() -> None:
    assert asked(edits.with_cutoff(Edit(), ROWS, 0, 65))[0] == "age >= 65: 2"
    assert asked(edits.with_points(Edit(), ROWS, 1, 4))[1] == "crp < 20: 4"
    assert asked(edits.with_categories(Edit(), ROWS, 2, ["c"]))[2] == "site in c: 1"
    assert asked(edits.turned(Edit(), ROWS, 0))[0] == "age < 50: 2"
    assert asked(edits.turned(Edit(), ROWS, 3))[3] == "fever no: 3"


def test_a_substitute_turns_along() -> None:
    other = Substitute("heat", Condition(">=", 38))
    rows = (GivenQuestion("fever", Condition("yes"), 1, if_unknown=other),)
    turned = edits.turned(Edit(), rows, 0).given[0].if_unknown
    assert turned is not None
    assert str(turned.condition) == "< 38"


@pytest.mark.parametrize(
    "change",
    [
        lambda: edits.with_cutoff(Edit(), ROWS, 2, 5),
        lambda: edits.with_cutoff(Edit(), ROWS, 0, float("nan")),
        lambda: edits.with_cutoff(Edit(), ROWS, 0, float("inf")),
        lambda: edits.with_points(Edit(), ROWS, 0, 0),
        lambda: edits.with_points(Edit(), ROWS, 0, 1000),
        lambda: edits.with_points(Edit(), ROWS, 9, 1),
        lambda: edits.with_points(Edit(), ROWS, -1, 1),
        lambda: edits.with_categories(Edit(), ROWS, 0, ["a"]),
        lambda: edits.with_categories(Edit(), ROWS, 2, []),
        lambda: edits.added(Edit(), ROWS, ROWS[0]),
    ],
)
def test_what_is_no_list_is_refused(change: object) -> None:
    with pytest.raises(ListError):
        change()  # type: ignore[operator]


def test_filling_keeps_what_is_locked() -> None:
    edit = edits.filled(Edit(locked=frozenset({3, 0})), ROWS, 5)
    assert asked(edit) == ["age >= 50: 2", "fever yes: 3"]
    assert (edit.more, edit.locked) == (3, {0, 1})
    assert edits.filled(Edit(locked=frozenset({1})), ROWS, None).more == "auto"
    assert edits.filled(Edit(), ROWS, 4) == Edit(more=4)


def test_an_empty_word_takes_its_own_away() -> None:
    edit = edits.with_words(Edit(words={"title": "A"}), "age", "label", " Age in years ")
    assert edit.words == {"title": "A", "inputs": {"age": {"label": "Age in years"}}}
    assert edits.with_words(edit, None, "title", " ").words == {"inputs": edit.words["inputs"]}
    assert edits.with_words(edit, "age", "label", "").words["inputs"] == {"age": {}}


def test_what_is_undone_can_be_done_again_until_something_else_is() -> None:
    first, second, third = Edit(more=1), Edit(more=2), Edit(more=3)
    history = History([first])
    history.add(second)
    history.step(-1)
    history.step(-1)
    assert history.now == first
    history.step(1)
    assert history.now == second
    history.step(-1)
    history.add(third)
    history.step(1)
    assert history.states == [first, third]
    history.forget(third)
    assert history.now == first

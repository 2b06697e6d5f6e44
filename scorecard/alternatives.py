"""Lists that ask other questions and are nearly as good, so that a person can choose among them.

The lists of cross-validation tell what a list can do without. Each alternative is what is learned
without these columns, with all of cross-validation done anew: were only the inputs of such a list
kept, the cases that chose them would judge them, and every alternative would look better than the
list itself.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from scorecard.core.edits import Showing, before_edit, chosen_by_person, showing_of
from scorecard.core.model import ScoringList
from scorecard.core.performance import times_asked
from scorecard.core.recalibration import left_out_losses
from scorecard.documents.json_document import dumps, loads, short_hash
from scorecard.errors import DocumentError, ScorecardError
from scorecard.files import read_bytes, write_text

FORMAT = "scorecard-alternatives/1"
MAX_BYTES = 100_000_000
NEAR = 0.1  # of what the questions of the list gain in log loss may be lost by one nearly as good
TRIES = 3  # lists learned for each one wanted, at most

Learn = Callable[[frozenset[str]], ScoringList]
"""Learns a list without some columns."""


@dataclass(frozen=True)
class Alternative:
    """A list beside others: what cross-validation shows, and how steady its questions are.

    `steadiness` is the share of the lists of cross-validation that ask for its inputs.
    """

    scoring_list: ScoringList
    showing: Showing
    steadiness: float | None


def alternative(scoring_list: ScoringList) -> Alternative:
    """The figures by which lists are compared."""
    check, asked = scoring_list.cross_validation, times_asked(scoring_list)
    times = [count for _, count in asked]
    steady = sum(times) / len(times) / len(check.folds) if check and times else None
    return Alternative(scoring_list, showing_of(scoring_list), steady)


def near_lists(
    first: ScoringList,
    learn: Learn,
    most: int,
    *,
    given: frozenset[str] = frozenset(),
) -> tuple[ScoringList, ...]:
    """The list and others with other inputs that are nearly as good, at most so many in all.

    First what a list of cross-validation does without may not be asked for, then each input of the
    list, then those of what was found instead; inputs that a person has given stay.
    """
    if first.cross_validation is None:
        raise ScorecardError(
            "alternatives are compared by cross-validation, but this list was not cross-validated."
        )
    bound = _bound(first)
    found, seen = [first], {_inputs(first)}
    waiting = [_inputs(first) - others - given for others in _asked_by_folds(first)]
    waiting += [frozenset({name}) for name in _in_order(first) if name not in given]
    tried: set[frozenset[str]] = set()
    while waiting and len(found) < most and len(tried) < TRIES * most:
        without = waiting.pop(0)
        if without in tried or not without:
            continue
        tried.add(without)
        other = _under(first, learn(without))
        loss = showing_of(other).log_loss
        if loss is None or loss > bound:
            continue
        waiting += [without | {name} for name in _in_order(other) if name not in given]
        if other.questions and _inputs(other) not in seen:
            seen.add(_inputs(other))
            found.append(other)
    rest = sorted(found[1:], key=lambda one: showing_of(one).log_loss or 0.0)
    return (first, *rest)


def _under(first: ScoringList, other: ScoringList) -> ScoringList:
    """The other list with the limits of the first: shares decided can only then be compared."""
    if other.policy == first.policy:
        return other
    return replace(other, policy=first.policy, validations=())


def _bound(first: ScoringList) -> float:
    check = first.cross_validation
    losses = list(left_out_losses(check, len(first.questions))) if check else []
    cases = sum(weight for _, weight in losses)
    without = sum(loss[0] * weight for loss, weight in losses) / cases
    with_all = sum(loss[-1] * weight for loss, weight in losses) / cases
    return with_all + NEAR * (without - with_all)


def _inputs(scoring_list: ScoringList) -> frozenset[str]:
    return frozenset(_in_order(scoring_list))


def _asked_by_folds(scoring_list: ScoringList) -> list[frozenset[str]]:
    """The inputs that lists of cross-validation ask for, those of most lists first."""
    folds = scoring_list.cross_validation.folds if scoring_list.cross_validation else ()
    asked = Counter(frozenset(one.input for one in fold.questions) for fold in folds)
    return [inputs for inputs, _ in asked.most_common()]


def _in_order(scoring_list: ScoringList) -> list[str]:
    return list(dict.fromkeys(question.input for question in scoring_list.questions))


def chosen(lists: Sequence[ScoringList], number: int) -> ScoringList:
    """One of these lists, counted from 1, with who chose it among how many."""
    if not 1 <= number <= len(lists):
        raise ScorecardError(
            f"take: {number} came, expected a whole number from 1 to {len(lists)}."
        )
    before = before_edit(lists[0], short_hash(lists[0]))
    return chosen_by_person(lists[number - 1], before, len(lists))


# The file beside a list ---------------------------------------------------------------------------


def file_beside(model: str | os.PathLike[str]) -> Path:
    """Where the alternatives of a list are: beside it, by its name."""
    path = Path(model)
    return path.with_name(f"{path.stem}-alternatives.json")


def write_alternatives(lists: Sequence[ScoringList], model: str | os.PathLike[str]) -> Path:
    """Write lists beside the model they are alternatives of."""
    content = {"format": FORMAT, "lists": [json.loads(dumps(one)) for one in lists]}
    path = file_beside(model)
    write_text(path, json.dumps(content, ensure_ascii=False, indent=1) + "\n")
    return path


def read_alternatives(model: str | os.PathLike[str]) -> tuple[ScoringList, ...]:
    """The lists that were kept beside a model, itself first."""
    path = file_beside(model)
    if not path.is_file():
        raise DocumentError(
            f"{str(model)!r} has no alternatives beside it ({path.name}); learn it with"
            " scorecard fit TABLE --outcome COLUMN --alternatives 10."
        )
    try:
        content = json.loads(read_bytes(path, MAX_BYTES))
    except ValueError:
        raise DocumentError(f"{path.name}: this is not JSON.") from None
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise DocumentError(f"{path.name}: expected a file with the format {FORMAT!r}.")
    return tuple(_lists(path, content.get("lists") or []))


def _lists(path: Path, trees: Sequence[object]) -> Iterator[ScoringList]:
    for number, tree in enumerate(trees, 1):
        yield loads(json.dumps(tree).encode(), f"{path.name}, list {number}.json")

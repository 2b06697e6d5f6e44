"""Lists that are nearly as good: kept, compared, and one of them taken by a person."""

from dataclasses import replace
from pathlib import Path

import pytest

from scorecard.alternatives import NEAR, alternative, near_lists, read_alternatives
from scorecard.core.edits import chosen_among, showing_of
from scorecard.core.model import ScoringList
from scorecard.documents.json_document import read_list
from tests.cli.conftest import Run, run  # noqa: F401 - a fixture

QUICK = ("--outcome", "strep", "--set", "folds=3", "--max-questions", 3)


@pytest.fixture
def model(run: Run, root: Path, tmp_path: Path) -> Path:  # noqa: F811
    path = tmp_path / "model.json"
    cases = root / "examples" / "tutorial" / "cases.csv"
    done = run("fit", cases, *QUICK, "--rule-out", "5%", "--alternatives", 3, "-o", path)
    assert done.code == 0, done.err
    assert f"scorecard alternatives {path}" in done.out
    return path


def test_folds_propose_what_a_list_can_do_without(model: Path) -> None:
    first = read_list(model)
    asked = frozenset(question.input for question in first.questions)
    check, kept = first.cross_validation, first.questions[0].input
    assert check is not None
    given = min(asked - {kept})
    others = (
        one if one.input == kept else replace(one, input=f"other {one.input}")
        for one in check.folds[0].questions
    )
    folds = (replace(check.folds[0], questions=tuple(others)), *check.folds[1:])
    tried: list[frozenset[str]] = []

    def learn(without: frozenset[str]) -> ScoringList:
        tried.append(without)
        return first

    changed = replace(first, cross_validation=replace(check, folds=folds))
    found = near_lists(changed, learn, 3, given=frozenset({given}))
    assert found == (changed,)
    assert asked - {kept, given} in tried
    assert tried.index(frozenset({kept})) <= len(check.folds), "single columns come next"
    assert not any(given in one for one in tried)


def test_alternatives_ask_for_other_inputs_are_nearly_as_good_and_one_is_taken(
    run: Run,  # noqa: F811
    model: Path,
    tmp_path: Path,
) -> None:
    lists = read_alternatives(model)
    assert 2 <= len(lists) <= 3
    assert lists[0] == read_list(model)
    asked = [frozenset(question.input for question in one.questions) for one in lists]
    assert len(set(asked)) == len(lists), "mere points or cut-offs differ"
    losses = [showing_of(one).log_loss or 0.0 for one in lists]
    assert max(losses) <= losses[0] + NEAR * (0.64 - losses[0]), "0.63 without questions"
    assert losses[1:] == sorted(losses[1:])
    assert len({one.policy for one in lists}) == 1

    said = run("alternatives", model).out.splitlines()
    assert len(said) == 1 + len(lists)
    for line, one in zip(said[1:], lists, strict=True):
        shown = alternative(one)
        assert shown.steadiness is not None
        assert all(question.input in line for question in one.questions)
        assert f"{shown.showing.log_loss:.3f}" in line

    taken = tmp_path / "taken.json"
    assert run("alternatives", model, "--take", 2, "-o", taken).code == 0
    made = read_list(taken)
    assert (made.questions, made.stages) == (lists[1].questions, lists[1].stages)
    assert chosen_among(made) == len(lists)
    told = " ".join(run("show", taken).out.split())
    assert f"A person chose it among {len(lists)} nearly equal lists" in told
    done = run("alternatives", model, "--take", 9, "-o", taken)
    assert (done.code, "expected a whole number from 1 to" in done.err) == (1, True)
    assert run("alternatives", model, "-o", taken).code == 2
    assert run("alternatives", taken).code == 1

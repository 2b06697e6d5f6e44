"""The verbs of the library: values in, bytes or values out."""

from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest

import scorecard
from scorecard import ScorecardError, ScoringListClassifier, StoppingPolicy
from tests.lists import TABLE_1

POLICY = StoppingPolicy(0.1, 0.9, by="point", min_cases=0)
CASES = {"f3": [0, 1, None], "f1": [1, 0, None], "f2": [0, 1, 1], "f4": [0, 1, 1]}


def new_cases(kind: Any) -> Any:
    return kind(CASES | {"ill": [0, 1, 1]})


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame])
def test_apply_gives_back_a_frame_of_the_same_kind(kind: Any) -> None:
    found = scorecard.apply(TABLE_1, new_cases(kind), policy=POLICY, prefix="list_")
    assert isinstance(found, kind)
    assert list(found["list_decision"]) == ["rule out", "rule in", "unknown"]
    assert list(found.columns)[:5] == ["f3", "f1", "f2", "f4", "ill"]


def test_apply_keeps_the_index_of_pandas() -> None:
    frame = new_cases(pd.DataFrame).set_axis([7, 3, 5])
    found = scorecard.apply(TABLE_1, frame, policy=POLICY)
    assert list(found.index) == [7, 3, 5]
    assert found["decision"].to_dict() == {7: "rule out", 3: "rule in", 5: "unknown"}


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame])
def test_what_is_exported_agrees_with_the_list(kind: Any, tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("evaluator.py", "card.json", "card.html")]
    files[0].write_bytes(scorecard.export(TABLE_1, "python", policy=POLICY))
    files[1].write_bytes(scorecard.export(TABLE_1, "json", policy=POLICY, language="de"))
    files[2].write_bytes(scorecard.make_card(TABLE_1, "html", policy=POLICY, size="a5"))
    verdicts = scorecard.check(TABLE_1, files, policy=POLICY, table=new_cases(kind))
    assert [one.path.name for one in verdicts if one.agrees] == [file.name for file in files]


def test_the_usual_limits_are_those_of_the_list() -> None:
    from dataclasses import replace

    own = replace(TABLE_1, policy=POLICY)
    assert scorecard.export(own, "json") == scorecard.export(own, "json", policy=POLICY)
    assert scorecard.make_handout(own) == scorecard.make_handout(own, policy=POLICY)


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame])
def test_a_list_is_validated_on_a_data_frame(kind: Any) -> None:
    found = scorecard.evaluate(TABLE_1, new_cases(kind), "ill", policy=POLICY)
    assert (found.cases, found.positives) == (3, 2)
    assert b"<!doctype html>" in scorecard.make_report(found)


def test_a_way_of_learning_is_judged_by_resampling() -> None:
    ages = [20 + 3 * (row % 20) for row in range(60)]
    frame = pl.DataFrame({"age": ages, "ill": [age % 4 == 0 or age > 50 for age in ages]})
    learner = ScoringListClassifier(max_questions=1)
    found = scorecard.evaluate(learner, frame, "ill", splits=2, jobs=1)
    assert len(found.results) == 2
    assert found.stages == 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: scorecard.export(TABLE_1, "cobol"), "'cobol' is no kind of form; expected one of"),
        (lambda: scorecard.make_handout(TABLE_1, "doc"), "'doc' is no kind of handout; expected"),
        (lambda: scorecard.make_card(TABLE_1, "doc"), "'doc' is no kind of card"),
        (lambda: scorecard.evaluate(None, [], "ill"), "NoneType came, expected a ScoringList"),
        (lambda: scorecard.apply(TABLE_1, [1]), "list is neither the path of a table nor a data"),
    ],
)
def test_refusals_are_one_line(call: Any, message: str) -> None:
    with pytest.raises(ScorecardError, match=message) as found:
        call()
    assert "\n" not in str(found.value)

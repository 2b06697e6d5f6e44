"""Limits travel with the list: what a command is not told is as the list has it."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from scorecard.core.build_staircase import usual_policy
from scorecard.core.error_control import controlled_errors
from scorecard.core.policy import StoppingPolicy
from scorecard.documents.json_document import read_list, write_list
from tests.cli.conftest import Run
from tests.cross_validated import cross_validated_list
from tests.lists import TABLE_1

OWN = StoppingPolicy(0.1, 0.9, by="point", min_cases=3)


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """The example of the paper, made for limits of its own."""
    write_list(replace(TABLE_1, policy=OWN), tmp_path / "own.json")
    return tmp_path / "own.json"


def policy_in(run: Run, *arguments: object) -> dict[str, object]:
    assert run("export", *arguments, "--to", "json", "-o", "table.json", "--force").code == 0
    found: dict[str, object] = json.loads(Path("table.json").read_text(encoding="utf-8"))["policy"]
    return found


def test_every_command_uses_the_limits_of_the_list(run: Run, model: Path) -> None:
    written = policy_in(run, model)
    assert (written["rule_out"], written["rule_in"], written["by"]) == (0.1, 0.9, "point")
    assert "≤ −2" in run("show", model).out
    assert run("check", model, "table.json").code == 0


def test_an_option_changes_only_what_it_names(run: Run, model: Path) -> None:
    written = policy_in(run, model, "--rule-in", "60%")
    assert (written["rule_out"], written["rule_in"], written["by"]) == (0.1, 0.6, "point")
    assert written["min_cases"] == 3


def test_limits_that_are_given_are_a_persons() -> None:
    checked = cross_validated_list(cases=600, signal=3.0)
    found = usual_policy(checked)
    assert found.chosen_by == "data"
    assert usual_policy(checked, min_cases=10) == found
    given = usual_policy(checked, rule_out=0.02)
    assert given == replace(found, rule_out=0.02, chosen_by="person")
    both = usual_policy(checked, rule_out=0.02, rule_in=0.9, confidence=0.8)
    assert both == StoppingPolicy(0.02, 0.9, confidence=0.8)
    stored = replace(checked, policy=found)
    assert usual_policy(stored, by="point") == replace(found, by="point")
    assert usual_policy(TABLE_1) == StoppingPolicy()


def test_fit_keeps_the_limits_it_is_given(run: Run, tmp_path: Path) -> None:
    rows = [
        "age,ill",
        *(f"{n // 2},{'yes' if n > 30 + n % 7 * 4 else 'no'}" for n in range(80)),
    ]
    (tmp_path / "cases.csv").write_text("\n".join(rows) + "\n")
    limits = ("--rule-out", "20%", "--rule-in", "80%", "--miss-cost", "5")
    done = run("fit", tmp_path / "cases.csv", "--outcome", "ill", *limits, "-o", "model.json")
    assert done.code == 0, done.err
    policy = read_list("model.json").policy
    assert policy == StoppingPolicy(0.2, 0.8, miss_cost=5.0)
    assert policy_in(run, "model.json")["rule_out"] == 0.2


# --- scorecard limits -----------------------------------------------------------------------------


@pytest.fixture
def checked(tmp_path: Path) -> Path:
    write_list(
        cross_validated_list(cases=600, questions=4, signal=3.0, seed=3), tmp_path / "c.json"
    )
    return tmp_path / "c.json"


def test_every_pair_of_limits_is_told_as_cross_validation_has_it(run: Run, checked: Path) -> None:
    done = run("limits", checked, "--json")
    assert done.code == 0, done.err
    found = json.loads(done.out)
    check = read_list(checked).cross_validation
    assert check is not None
    assert len(found["pairs"]) == 9 * 10  # 40 % of the cases are ill: high risk is above that
    for pair in found["pairs"][::7]:
        policy = StoppingPolicy(pair["rule_out"], pair["rule_in"])
        tally = controlled_errors(check, policy).tally
        assert (pair["low"]["cases"], pair["low"]["positives"]) == tally.ruled_out
        assert (pair["high"]["cases"], pair["high"]["positives"]) == tally.ruled_in
        assert pair["questions"] == tally.mean_questions
    chosen = [pair for pair in found["pairs"] if pair["chosen"]]
    assert [(one["rule_out"], one["rule_in"]) for one in chosen] == [(0.1, 0.8)]
    assert found["chosen_by"] == "data"


def test_the_table_fits_a_terminal_and_marks_the_limits_in_use(run: Run, checked: Path) -> None:
    lines = run("limits", checked).out.splitlines()
    assert max(map(len, lines)) <= 80
    assert sum("≥" in line for line in lines) == 1  # one table, with every limit
    row = next(line for line in lines if line.lstrip().startswith("≤ 10"))
    assert re.search(r" 35\+22«", row)
    assert sum("«" in line for line in lines) == 2  # there, and in the legend
    own = run("limits", checked, "--rule-out", "3%", "--language", "de").out
    assert re.search(r"^ *≤ (\d+ … )?3 .*«", own, re.M)
    assert "Kreuzvalidierung" in own


def test_limits_that_decide_the_same_share_a_row_or_a_column(run: Run, tmp_path: Path) -> None:
    write_list(cross_validated_list(signal=0.0), tmp_path / "noise.json")
    lines = run("limits", tmp_path / "noise.json").out.splitlines()
    head, row = lines[0], lines[1]
    assert re.fullmatch(r" *▼  ▲ – … ≥ \d+ *", head)  # no limit, and all those that decide nobody
    assert re.fullmatch(r"– … ≤ \d+ +0\+0« *", row)
    assert sum("0+0" in line for line in lines) == 1


def test_limits_need_cross_validation(run: Run, model: Path) -> None:
    done = run("limits", model)
    assert done.code == 1
    assert "This list was not cross-validated" in done.err

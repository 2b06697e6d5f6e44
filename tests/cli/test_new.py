"""What `scorecard new` writes: a card.toml for a table, and a list to fill in."""

import re
import tomllib
from dataclasses import fields
from pathlib import Path
from random import Random

import pytest

from scorecard.documents.json_document import read_list
from scorecard.project.card import CardFile, Look, Make, read_project
from scorecard.project.recipe import ColumnChoice, Judging, Learning, Limits, Reading
from tests.cli.conftest import Done, Run


def refused(done: Done, why: str) -> None:
    assert (done.code, done.out) == (1, "")
    assert why in done.err
    assert done.err.count("\n") == 1


def test_without_a_table_a_list_is_written_that_can_be_shown(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run("new")
    assert (done.code, done.err) == (0, "")
    assert done.out == ("Wrote list.toml; change it, then see it with: scorecard show list.toml\n")
    assert read_list("list.toml").about.title == "Sore throat"
    assert run("show", "list.toml").code == 0
    # Every comment that has a value can be said.
    text = Path("list.toml").read_text(encoding="utf-8")
    Path("all.toml").write_text(re.sub(r"^# (\w+ = |\[)", r"\1", text, flags=re.M))
    assert run("validate", "all.toml").code == 0


def test_a_file_that_exists_is_kept(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "list.toml"
    path.write_text("mine")
    refused(run("new", "-o", path), "add --force")
    assert path.read_text() == "mine"
    assert run("new", "-o", path, "--force").code == 0
    assert read_list(path).about.title == "Sore throat"


def test_what_cannot_be_written_is_refused(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused(run("new", "-o", tmp_path / "list.json"), "end the name in .toml")
    refused(run("new", "-o", tmp_path / "no" / "list.toml"), "does not exist; create it first")
    (tmp_path / "folder.toml").mkdir()
    refused(run("new", "-o", tmp_path / "folder.toml", "--force"), "it is a folder")
    monkeypatch.setattr("os.access", lambda *_: False)
    refused(run("new", "-o", tmp_path / "list.toml"), "choose a folder you may")


# A card.toml for a table --------------------------------------------------------------------------


@pytest.fixture
def strange(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A table with a column of codes, one that names patients, and one that tells the outcome."""
    chance = Random(4)
    rows = ["patient_id,age,ward,found_at_autopsy,result"]
    for number in range(240):
        age, ward = chance.randint(20, 90), chance.choice([1, 2, 3])
        ill = chance.random() < (0.7 if age >= 60 else 0.1)
        cells = (number // 2, age, ward, int(ill), "sick" if ill else "well")
        rows.append(",".join(map(str, cells)))
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "patients.csv"
    path.write_text("\n".join(rows) + "\n")
    return path


NEW = ("new", "patients.csv", "--outcome", "result", "--positive", "sick")


@pytest.mark.usefixtures("strange")
def test_a_card_is_read_as_it_is_and_with_every_comment_removed(run: Run) -> None:
    refused(run("new", "patients.csv"), "--outcome is needed: the column to predict, one of pat")
    refused(run("new", "patients.csv", "--outcome", "result"), "which value is the positive one?")
    assert run(*NEW).code == 0
    text = Path("card.toml").read_text(encoding="utf-8")
    said = tomllib.loads(text)
    assert (said["table"], said["outcome"], said["positive"]) == ("patients.csv", "result", "sick")
    assert said["columns"] == {"drop": ["found_at_autopsy"]}
    assert "# Column 'found_at_autopsy' alone tells the outcome" in text
    assert "# Column 'ward': few whole numbers" in text
    assert read_project(Path("card.toml")).recipe.drop == ("found_at_autopsy",)
    # Whoever removes every # in front of a key that has a value says the usual thing, in TOML.
    whole = re.sub(r"^# (\w+ = (?!\"\"|\[\]).*|\[words\.inputs.*)$", r"\1", text, flags=re.M)
    Path("all.toml").write_text(whole.replace("round = ", "# round = "), encoding="utf-8")
    assert read_project(Path("all.toml")).recipe.max_questions == "auto"
    again = run(*NEW)
    assert (again.code, "may have been written by hand" in again.err) == (1, True)


@pytest.mark.usefixtures("strange")
def test_every_key_of_a_card_stands_there(run: Run) -> None:
    assert run(*NEW).code == 0
    lines = Path("card.toml").read_text(encoding="utf-8").splitlines()
    section, found = "", set()
    for line in lines:
        if header := re.fullmatch(r"\[(\w+)\]", line):
            section = header[1]
        elif key := re.match(r"(?:# )?(\w+) = ", line):
            found.add((section, key[1]))
    wanted = {("", one.name) for kind in (Reading, CardFile) for one in fields(kind)}
    wanted -= {("", name) for name in ("columns", "learning", "limits", "look", "report")}
    wanted -= {("", "words"), ("", "make")}
    kinds = {"columns": ColumnChoice, "learning": Learning, "limits": Limits, "look": Look}
    for name, kind in {**kinds, "report": Judging, "make": Make}.items():
        wanted |= {(name, one.name) for one in fields(kind) if one.name != "key"}
    assert wanted <= found


def test_dates_are_left_out_and_it_is_said(run: Run, strange: Path) -> None:
    head, *rows = strange.read_text().splitlines()
    days = [f"{row},2024-01-{place % 28 + 1:02}" for place, row in enumerate(rows)]
    strange.write_text("\n".join([f"{head},admitted", *days]) + "\n")
    done = run(*NEW)
    assert done.code == 0
    text = Path("card.toml").read_text(encoding="utf-8")
    left_out = "Left out, until you say otherwise: 'found_at_autopsy'."
    assert left_out in done.out.splitlines()
    assert tomllib.loads(text)["columns"] == {"drop": ["found_at_autopsy"]}
    assert "# Column 'admitted' is not used: it has dates or times; turn them into a" in text
    assert "admitted" not in text.partition("[words]")[2]


def test_a_table_is_named_before_its_outcome(run: Run) -> None:
    assert run("new", "--outcome", "ill").code == 2

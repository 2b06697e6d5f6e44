"""From a table to files without a browser: what is shown is what the command line counts."""

from __future__ import annotations

import io
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import openpyxl
import pytest
from click.testing import CliRunner

from scorecard.cli import cli
from scorecard.documents.json_document import read_list, write_list
from scorecard.errors import ScorecardError
from scorecard.project.learn import judged as judged_by_fit
from scorecard.project.recount import recount
from scorecard.studio import session as sessions
from scorecard.studio.view import figures
from tests.studio.conftest import Studio, cases


def test_a_table_is_shown_with_its_columns_and_doubts(studio: Studio, table: Path) -> None:
    shown = studio.upload("cases.csv", table.read_bytes()).json()
    assert shown["table"]["rows"] == 300
    assert shown["table"]["head"][0][0] == "P00000"
    assert {*shown["outcome"]["choices"]} == {"site", "fever", "discharged_dead", "ill"}
    assert shown["outcome"]["choices"]["ill"].keys() == {"no", "yes"}
    found = {one["name"]: one for one in studio.post("outcome", name="ill")["columns"]}
    used = {name for name, one in found.items() if one["used"]}
    assert used == {"age", "crp", "site", "fever"}
    assert not found["admitted"]["can_be_used"]
    assert "dates" in found["admitted"]["why"]
    assert found["discharged_dead"]["left_out"]
    assert [*found][:3] == ["patient_id", "admitted", "discharged_dead"]  # left out: on top
    assert found["fever"]["unknown"] > 0
    assert sum(bar["cases"] for bar in found["age"]["bars"]) == 300


def test_a_column_that_is_left_out_or_kept_is_remembered(studio: Studio, table: Path) -> None:
    studio.upload("cases.csv", table.read_bytes())
    studio.post("outcome", name="ill")
    studio.post("columns", drop=["crp"], keep=["discharged_dead"])
    shown = studio.post("learn")
    assert "crp" not in shown["bench"]["others"]
    assert shown["bench"]["rows"][0]["input"] == "discharged_dead"


def test_every_edit_shows_its_price(studio: Studio, table: Path) -> None:
    first = studio.learned(table)["bench"]
    assert all("change" not in one for one in first["figures"])
    assert (first["can_undo"], first["is_learned"]) == (False, True)
    moved = studio.edit("move", row=0, to=1)
    assert [one["text"] for one in moved["rows"]][:2] == [
        first["rows"][1]["text"], first["rows"][0]["text"],
    ]  # fmt: skip
    assert any("change" in one for one in moved["figures"])
    assert any("Edited from" in one for one in moved["said"])
    back = studio.edit("undo")
    assert (back["rows"], back["figures"]) == (first["rows"], first["figures"])
    assert studio.edit("redo")["rows"] == moved["rows"]


def test_an_edit_that_cannot_be_counted_is_taken_back(studio: Studio, table: Path) -> None:
    before = studio.learned(table)["bench"]
    assert "not a whole number" in studio.refused("edit", do="points", row=0, number=0)
    other = [one for one in before["rows"] if one["input"] == before["rows"][0]["input"]]
    if len(other) > 1:
        assert studio.refused("edit", do="cutoff", row=0, number=other[1]["cutoff"])
    assert studio.refused("edit", do="add", name="no such column")
    assert studio.refused("edit", do="limits", limits={"rule_out": 0.9, "rule_in": 0.1})
    assert studio.refused("edit", do="limits", limits={"min_cases": 1})
    assert studio.refused("edit", do="word", key="__class__", text="x")
    after = studio.client.get("/api/state").json()["bench"]
    assert after["rows"] == before["rows"]
    assert not after["can_undo"]


def test_locked_questions_stay_when_the_rest_is_filled(studio: Studio, table: Path) -> None:
    studio.learned(table)
    studio.edit("cutoff", row=1, number=61)
    kept = studio.edit("lock", row=1, on=True)["rows"][1]
    filled = studio.edit("fill")
    assert filled["rows"][0]["text"] == kept["text"]
    assert filled["rows"][0]["locked"]
    assert len(filled["rows"]) > 1


def test_a_later_edit_ends_a_count(
    studio: Studio, table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    studio.learned(table)
    session = studio.session

    def overtaken(*asked: Any, **how: Any) -> Any:
        session.revision += 1
        return recount(*asked, **how)

    monkeypatch.setattr(sessions, "recount", overtaken)
    answer = studio.client.post("/api/edit", json={"do": "points", "row": 0, "number": 5})
    assert (answer.status_code, answer.json()) == (409, {"later": True})
    monkeypatch.undo()
    assert studio.client.get("/api/state").json()["bench"]["rows"][0]["points"] == 5


CHANGES = ("move", "remove", "points", "cutoff", "turn", "lock", "fill", "limits", "word", "add")


def changed(studio: Studio, bench: Any, chance: random.Random) -> Any:
    """An edit by chance; one that is refused leaves the list as it is."""
    rows = bench["rows"]
    row, do = chance.randrange(len(rows)), chance.choice(CHANGES)
    asked: dict[str, Any] = {"do": do, "row": row}
    if do == "move":
        asked["to"] = chance.randrange(len(rows))
    elif do == "points":
        asked["number"] = chance.choice([-2, 1, 2, 3, 5])
    elif do == "cutoff":
        asked["number"] = chance.choice(rows[row]["distribution"]["cutoffs"] or [1])
    elif do == "lock":
        asked["on"] = True
    elif do == "limits":
        asked["limits"] = {"rule_out": 0.2, "rule_in": chance.choice([0.6, 0.75])}
    elif do == "word":
        asked |= {"name": rows[row]["input"], "key": "label", "text": 'Say "[x]" ≥ ü'}
    elif do == "add":
        asked["name"] = chance.choice(bench["others"])
    answer = studio.client.post("/api/edit", json=asked)
    return answer.json()["bench"] if answer.status_code == 200 else bench


@pytest.mark.parametrize("seed", range(5))
def test_files_say_what_the_page_shows_and_the_command_line_makes(
    seed: int, studio: Studio, table: Path, tmp_path: Path
) -> None:
    chance = random.Random(seed)
    bench = studio.learned(table)["bench"]
    for _ in range(5):
        bench = changed(studio, bench, chance)
    made = studio.post("files", forms=["evaluator.py", "card-a6.html"], languages=["en", "de"])
    names = [one["name"] for one in made]
    assert {"model.json", "card.toml", "evaluator.py", "card-a6-de.html"} <= {*names}
    content = studio.client.get("/api/zip").content
    with ZipFile(io.BytesIO(content)) as archive:
        archive.extractall(tmp_path)
    by_page = read_list(tmp_path / "output" / "model.json")
    files = {one: (tmp_path / "output" / one).read_bytes() for one in ("evaluator.py",)}
    for one in (tmp_path / "output").iterdir():
        one.unlink()
    (tmp_path / "cases.csv").write_bytes(table.read_bytes())
    done = CliRunner().invoke(cli, ["build", str(tmp_path / "card.toml")])
    assert done.exit_code == 0, done.output
    by_command = read_list(tmp_path / "output" / "model.json")
    assert by_command == by_page
    assert {one: (tmp_path / "output" / one).read_bytes() for one in files} == files
    assert list(figures(by_command)) == bench["figures"]
    assert studio.session.shown_list("en").stages == by_command.stages


def test_the_verdict_is_that_of_this_list_alone(
    studio: Studio, table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "SPLITS", 2)
    assert studio.learned(table)["bench"]["verdict"] is None
    studio.edit("points", row=0, number=5)
    asked: list[Any] = []

    def judged(recipe: Any, judging: Any, **how: Any) -> Any:
        asked.append(recipe.start.questions)
        return judged_by_fit(recipe, replace(judging, jobs=1), **how)

    monkeypatch.setattr(sessions, "judged", judged)
    found = studio.edit("judge")["verdict"]
    assert asked[0][0].points == 5
    assert found["headline"] in ("Use it", "Validate it first", "Do not use it")
    assert found["figures"][0][0] == "AUC"
    assert studio.edit("undo")["verdict"] is None
    assert studio.edit("redo")["verdict"] == found


def test_versions_stand_side_by_side_and_are_gone_on_with(studio: Studio, table: Path) -> None:
    studio.learned(table)
    first = studio.edit("keep", text=" As  learned ")
    assert [one["name"] for one in first["versions"]] == ["As learned"]
    assert first["versions"][0]["figures"] == first["figures"]
    edited = studio.edit("points", row=0, number=5)
    both = studio.edit("keep", text="Other points")["versions"]
    assert [one["figures"] for one in both] == [first["figures"], edited["figures"]]
    assert [one["is_now"] for one in both] == [False, True]
    back = studio.edit("take", text="As learned")
    assert back["rows"] == first["rows"]
    assert studio.edit("undo")["rows"] == edited["rows"]
    for number in range(4):
        studio.edit("keep", text=str(number))
    assert "At most 6" in studio.refused("edit", do="keep", text="one more")


def test_looks_at_patients_who_were_kept_out_are_counted(
    studio: Studio, table: Path, tmp_path: Path
) -> None:
    studio.upload(table.name, table.read_bytes())
    studio.post("outcome", name="ill")
    bench = studio.post("learn", keep_out=True)["bench"]
    assert bench["kept_out"] == {"patients": "100", "shown": False, "looks": 0}
    assert not any("kept out" in one for one in bench["said"])
    studio.edit("points", row=0, number=5)
    assert not studio.session.shown_list().validations
    bench = studio.edit("reveal")
    assert bench["kept_out"] == {"patients": "100", "shown": True, "looks": 1}
    assert [one.edits for one in studio.session.shown_list().validations] == [0]
    assert studio.edit("reveal")["kept_out"]["looks"] == 1  # the same list again
    studio.edit("points", row=0, number=4)
    assert not studio.session.shown_list().validations
    studio.edit("reveal")
    assert [one.edits for one in studio.session.shown_list().validations] == [1]
    studio.edit("points", row=0, number=2)
    made = studio.post("files", forms=["card-a6.html"], languages=["en"])  # they tell it, too
    assert studio.session.is_revealed
    number = [one["name"] for one in made].index("model.json")
    file = tmp_path / "model.json"
    file.write_bytes(studio.client.get(f"/api/files/{number}").content)
    assert [one.edits for one in read_list(file).validations] == [2]


def test_each_file_can_be_saved_alone(studio: Studio, table: Path) -> None:
    studio.learned(table)
    made = studio.post("files", forms=["card-a6.html"], languages=["en"])
    for number, one in enumerate(made):
        answer = studio.client.get(f"/api/files/{number}")
        assert len(answer.content) == one["bytes"]
        assert one["name"] in answer.headers["content-disposition"]
    assert studio.client.get("/api/files/99").status_code == 404
    assert studio.refused("files", forms=["../../x"], languages=["en"])
    assert studio.refused("files", forms=["card-a6.html"], languages=["xx"])
    assert not list(studio.session.folder.glob("build-*"))


def test_a_card_toml_is_gone_on_with(
    new_studio: Callable[[], Studio], table: Path, tmp_path: Path
) -> None:
    one = new_studio()
    one.learned(table)
    one.edit("points", row=0, number=5)
    edited = one.edit("word", key="title", text="A title")
    one.post("files", forms=["card-a6.html"], languages=["en"])
    with ZipFile(io.BytesIO(one.client.get("/api/zip").content)) as archive:
        archive.extractall(tmp_path)
    (tmp_path / "cases.csv").write_bytes(table.read_bytes())
    other = new_studio()
    other.session.open(str(tmp_path / "card.toml"))
    bench = other.client.get("/api/state").json()["bench"]
    assert [row["text"] for row in bench["rows"]] == [row["text"] for row in edited["rows"]]
    assert bench["about"]["title"] == "A title"
    assert other.edit("points", row=0, number=4)["can_undo"]


def test_a_list_beside_its_table_is_gone_on_with(
    new_studio: Callable[[], Studio], table: Path, tmp_path: Path
) -> None:
    one = new_studio()
    one.upload(table.name, table.read_bytes())
    one.post("outcome", name="ill")
    one.post("columns", drop=["site"])
    one.post("learn", limits={"rule_out": 0.2, "rule_in": 0.7})
    edited = one.edit("points", row=0, number=5)
    model = tmp_path / "model.json"
    write_list(one.session.shown_list(), model)
    other = new_studio()
    with pytest.raises(ScorecardError, match=r"cases\.csv has to lie beside it"):
        other.session.open(str(model))
    (tmp_path / "cases.csv").write_bytes(table.read_bytes())
    other.session.open(str(model))
    bench = other.client.get("/api/state").json()["bench"]
    assert [row["text"] for row in bench["rows"]] == [row["text"] for row in edited["rows"]]
    assert bench["in_force"] == edited["in_force"]
    assert "site" not in bench["others"]
    values = [[one["value"] for one in found["figures"]] for found in (bench, edited)]
    assert values[0] == values[1]
    made = other.post("files", forms=["card-a6.html"], languages=["en"])
    assert {"start.json", "card.toml"} <= {one["name"] for one in made}
    assert other.edit("points", row=0, number=4)["in_force"] == edited["in_force"]


def test_two_tabs_see_the_same(studio: Studio, table: Path) -> None:
    before = studio.learned(table)["revision"]
    assert studio.client.get("/api/revision").json()["revision"] == before
    shown = studio.edit("points", row=0, number=5)
    assert studio.client.get("/api/revision").json()["revision"] != before
    assert studio.client.get("/api/state").json()["bench"]["rows"] == shown["rows"]


WRONG = {
    "an empty file": ("a.csv", b"", "empty"),
    "a header alone": ("a.csv", b"age,ill\n", "no rows"),
    "a picture": ("a.csv", b"\x89PNG\r\n\x1a\n" + bytes(100), ""),
    "a workbook by another name": ("a.csv", b"PK\x03\x04" + bytes(50), "spreadsheet"),
    "no workbook": ("a.xlsx", b"age,ill\n1,2\n", ""),
    "no Parquet": ("a.parquet", b"age,ill\n1,2\n", "Parquet"),
    "an old workbook": ("a.xlsx", b"\xd0\xcf\x11\xe0" + bytes(50), "save it as"),
    "a column twice": ("a.csv", b"age,age\n1,2\n", "two columns"),
    "no letters": ("a.csv", b"age,ill\n1,\x81\x8d\n", "utf-8"),
    "a word processor's": ("a.docx", b"PK\x03\x04", "expected .csv"),
    "a program": ("a.exe", b"MZ", "expected .csv"),
}


@pytest.mark.parametrize("kind", WRONG)
def test_a_wrong_file_is_refused_in_one_line(studio: Studio, kind: str) -> None:
    name, content, says = WRONG[kind]
    answer = studio.upload(name, content)
    assert answer.status_code == 422
    told = answer.json()["error"]
    assert says in told
    assert "\n" not in told
    assert str(studio.session.folder) not in told
    assert studio.client.get("/api/state").json()["table"] is None


@pytest.mark.parametrize(("encoding", "read_as"), [("utf-16", "utf-16"), ("cp1252", "cp1252")])
def test_other_letters_are_read_and_told(studio: Studio, encoding: str, read_as: str) -> None:
    shown = studio.upload("a.csv", "größe,ill\n1,no\n2,yes\n".encode(encoding)).json()
    assert shown["table"]["columns"][0] == "größe"
    assert shown["table"]["reading"]["encoding"] == read_as


def test_a_decimal_comma_is_read_and_told(studio: Studio) -> None:
    rows = "\n".join(f"{one % 40},5;{'yes' if one % 3 else 'no'}" for one in range(90))
    shown = studio.upload("a.csv", f"crp;ill\n{rows}".encode()).json()
    assert shown["table"]["reading"]["decimal"] == "."
    shown = studio.post("outcome", name="ill")
    assert shown["table"]["reading"]["decimal"] == ","
    assert shown["columns"][0]["kind"] == "number"


def test_of_several_sheets_the_first_is_read_and_any_can_be_chosen(studio: Studio) -> None:
    book, content = openpyxl.Workbook(), io.BytesIO()
    for name in ("One", "Two"):
        sheet = book.create_sheet(name)
        sheet.append([name, "ill"])
        sheet.append([1, "yes"])
    book.save(content)
    shown = studio.upload("a.xlsx", content.getvalue()).json()
    assert (shown["table"]["sheets"], shown["table"]["columns"][0]) == (["One", "Two"], "One")
    shown = studio.post("reading", sheet="Two")
    assert (shown["table"]["sheets"], shown["table"]["columns"][0]) == (["One", "Two"], "Two")


def test_ragged_rows_and_a_single_outcome_are_refused(studio: Studio) -> None:
    answer = studio.upload("a.csv", b"age,ill\n1,yes\n2\n3,no,x\n")
    assert answer.status_code == 422
    same = "age,ill\n" + "\n".join(f"{one},no" for one in range(20))
    studio.upload("a.csv", same.encode())
    assert "always" in studio.refused("outcome", name="ill")
    assert "no column" in studio.refused("outcome", name="nothing")


def test_few_cases_are_refused_where_the_list_is_learned(studio: Studio) -> None:
    studio.upload("a.csv", cases(8).encode())
    studio.post("outcome", name="ill")
    assert "too few" in studio.refused("learn")


def test_steps_come_one_after_the_other(studio: Studio) -> None:
    assert "no table" in studio.refused("outcome", name="ill")
    assert "no table" in studio.refused("learn")
    assert "no list" in studio.refused("edit", do="undo")
    assert "no list" in studio.refused("files", forms=[], languages=["en"])

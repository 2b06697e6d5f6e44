"""Whatever is falsified in a generated file is found, with its place; what is untouched is not.

The falsifications are made by code from fresh files: every line of a program, every text and number
of a decision table, every cell of a workbook is changed, one at a time.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from scorecard.cli import run
from scorecard.core.build_staircase import build_staircase
from scorecard.core.model import About, ScoringList, Seen
from scorecard.core.policy import StoppingPolicy
from scorecard.core.staircase import Staircase
from scorecard.documents.json_document import dumps
from scorecard.forms import FORMS
from scorecard.forms.check import Verdict, check
from scorecard.forms.decision_table import table_hash
from scorecard.forms.excel.read import changed_cells, contents
from scorecard.forms.found import Work
from scorecard.forms.source_text import card_words, is_unchanged, seal_of
from tests.forms.compared import EXPORTS, WRITTEN_AS_CODE
from tests.lists import MARBURG, SHARPENED, TABLE_1, counted

POLICY = StoppingPolicy(0.1, 0.9, by="point")
LIST = ScoringList(
    SHARPENED.questions,
    SHARPENED.stages,
    About(title="Chest pain", rule_out="home", note="a note"),
    seen=(Seen("age", 21, 88, 18, 97),),
)
STAIRCASE = build_staircase(LIST, POLICY)
COUNTED = counted((1, -2), {"00": (40, 1), "01": (60, 0), "10": (50, 48), "11": (40, 20)})
STAIRCASES = {
    "sharpened": STAIRCASE,
    "table 1": build_staircase(TABLE_1, POLICY),
    "marburg": build_staircase(MARBURG, StoppingPolicy(0.05, 0.2, by="point")),
    "counted": build_staircase(COUNTED),
}


def content_of(form: str, language: str = "en", staircase: Staircase = STAIRCASE) -> bytes:
    return FORMS[form].make(staircase, card_words(staircase, language) if language else None)


def verdict_on(path: Path, content: bytes, staircase: Staircase = STAIRCASE) -> Verdict:
    path.write_bytes(content)
    return check(staircase, [path])[0]


# Untouched ----------------------------------------------------------------------------------------


LANGUAGES = ("en", "de", "")
# Every list in one language, one list in all of them: a program does not run otherwise in another.
TURNS = [*zip(cycle(LANGUAGES), STAIRCASES), *((code, "sharpened") for code in LANGUAGES)]
UNTOUCHED = [(form, code, name) for form in EXPORTS for code, name in dict.fromkeys(TURNS)]


@pytest.mark.parametrize(
    ("form", "language", "name"),
    # A workbook takes seconds to recalculate: one of them does, and of the others the cells do.
    [one for one in UNTOUCHED if one[0] != "excel" or one[1:] == ("de", "sharpened")],
)
def test_what_is_untouched_is_not_accused(
    tmp_path: Path, form: str, language: str, name: str
) -> None:
    staircase = STAIRCASES[name]
    verdict = verdict_on(
        tmp_path / FORMS[form].usual, content_of(form, language, staircase), staircase
    )
    assert verdict.agrees, verdict


@pytest.mark.parametrize("name", STAIRCASES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_cells_of_an_untouched_workbook_are_not_accused(language: str, name: str) -> None:
    content = content_of("excel", language, STAIRCASES[name])
    assert changed_cells(content, None, Work(STAIRCASES[name])) == []


# Programs and queries -----------------------------------------------------------------------------


def changed_lines(text: str) -> Iterator[tuple[int, str]]:
    """The text with one line changed; a digit where it has one, else a letter."""
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        found = re.search(r"[0-9]", line) or re.search(r"[A-Za-z]", line)
        if found:
            other = {"0": "1", "9": "8"}.get(found[0], chr(ord(found[0]) + 1))
            new = line[: found.start()] + other + line[found.end() :]
            yield number, "\n".join([*lines[: number - 1], new, *lines[number:]])


@pytest.mark.parametrize("form", WRITTEN_AS_CODE)
def test_every_changed_line_is_named(tmp_path: Path, form: str) -> None:
    path, text = tmp_path / FORMS[form].usual, content_of(form).decode()
    tried = 0
    # The first line may name another version that wrote the same.
    for number, changed in list(changed_lines(text))[
        1 :: {"python": 3, "sql": 1, "markdown": 1, "r": 3}.get(form, 2)
    ]:
        verdict = verdict_on(path, changed.encode())
        assert verdict.disagrees, number
        assert f"line {number} is " in verdict.first or number == 2, (number, verdict.first)
        assert "changed by hand" in verdict.first
        assert verdict.tried == 0
        tried += 1
    assert tried > (30 if form == "markdown" else 40)  # a page has fewer lines


SLIPPED = {
    "names swapped": ("python", '"rule out": "home"', '"rule in": "home"'),
    "unknown as no": ("python", "if yes is None:", "if False:"),
    "yes for a word": ("python", "'unknown'", "'known'"),
    "CSV mode": ("python", "writer.writerow([*row,", "writer.writerow([*row[::-1],"),
    "explain": ("python", 'first = 0 if given["explain"]', 'first = 1 if given["explain"]'),
    "a comment": ("python", "# --- Deciding", "# --- Deciding!"),
    "both ends": ("javascript", "[false, true].map", "[true, true].map"),
    "trim": ("javascript", "\\u3000", "\\u3001"),
    "null as no": ("javascript", "answers[stage] ??", "answers[stage] ||"),
    "NA as no": ("r", "ifelse(is.na(answers[, number]), (points", "ifelse(FALSE, (points"),
    "its own test": ("r", 'c("1", "', 'c("0", "'),
    "a join": ("sql", "COALESCE(high1", "COALESCE(low1"),
    "the way of an unknown": ("sql", "<> '0' THEN 2", "= '1' THEN 2"),
    "a sentence": ("sql", "An unknown answer never counts as no", "An unknown answer counts as no"),
}


@pytest.mark.parametrize("fault", SLIPPED)
def test_what_cases_do_not_show_is_found(tmp_path: Path, fault: str) -> None:
    form, old, new = SLIPPED[fault]
    text = content_of(form).decode()
    if old not in text:
        old, new = old.replace('"', "'"), new.replace('"', "'")
    assert old in text
    verdict = verdict_on(tmp_path / FORMS[form].usual, text.replace(old, new, 1).encode())
    assert re.search(r"changed by hand: line [0-9]+ is ", verdict.first)


@pytest.mark.parametrize("form", WRITTEN_AS_CODE)
@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda text: text + "\n-- more", "is added"),
        (lambda text: "\n".join(text.split("\n")[:-4]), "is missing"),
        (lambda text: "\n".join(text.split("\n")[2:]), "not written by scorecard"),
        (lambda text: text.replace("language en", "language de", 1), "line"),
        (lambda text: text.replace("language en", "language xx", 1), "'xx' is not a language"),
        (lambda text: text.replace("\n", "\r\n"), "changed by hand"),
    ],
    ids=["added", "cut", "no seal", "other language", "no language", "line ends"],
)
def test_other_changes_of_the_file_are_found(
    tmp_path: Path, form: str, change: Any, says: str
) -> None:
    path = tmp_path / FORMS[form].usual
    verdict = verdict_on(path, change(content_of(form).decode()).encode())
    assert verdict.disagrees
    assert says in verdict.first


@pytest.mark.parametrize("form", WRITTEN_AS_CODE)
def test_a_new_seal_does_not_help(tmp_path: Path, form: str) -> None:
    text = content_of(form).decode().replace("65", "66")
    old = text.split("\n")[1].split()[1]
    body = text.split("\n", 2)[2]
    forged = text.replace(old, sha256(body.encode()).hexdigest(), 1)
    seal = seal_of(forged.encode())
    assert seal is not None
    assert seal.intact
    verdict = verdict_on(tmp_path / FORMS[form].usual, forged.encode())
    assert "written for another list or other limits: line" in verdict.first


# The decision table -------------------------------------------------------------------------------


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in items:
        if isinstance(item, (dict, list)) and item:
            yield from leaves(item, (*path, key))
        else:
            yield (*path, key)


def test_every_text_and_number_of_a_table_is_compared(tmp_path: Path) -> None:
    content = content_of("json")
    found = [path for path in leaves(json.loads(content)) if path[0] not in ("format", "sha256")]
    assert len(found) > 150
    for path in found[::3]:
        table = json.loads(content)
        inner: Any = table
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = other(inner[path[-1]])
        if path[0] == "generator":
            continue  # another version may have written the same
        for digest in (table["sha256"], table_hash(table)):  # a new hash does not help
            table["sha256"] = digest
            verdict = verdict_on(tmp_path / "card.json", json.dumps(table).encode())
            assert verdict.disagrees, path
            assert verdict.first, path
            place = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in path)
            is_named = place[1:] in verdict.first or "not a decision table" in verdict.first
            assert is_named or path[0] == "language" or "no box" in verdict.first, verdict


def other(value: Any) -> Any:
    if value is None or isinstance(value, (dict, list)):
        return 0.5
    if isinstance(value, bool):
        return not value
    return f"{value}x" if isinstance(value, str) else value / 2 + 0.125


# Workbooks ----------------------------------------------------------------------------------------


def test_every_cell_of_a_workbook_is_compared(tmp_path: Path) -> None:
    content = content_of("excel")
    cells = contents(content)
    assert len(cells) > 120
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    tried = 0
    for name in ("xl/worksheets/sheet1.xml", "xl/worksheets/sheet2.xml", "xl/sharedStrings.xml"):
        text = parts[name].decode()
        places = [found.start(1) for found in re.finditer(r"<(?:v|f|t)[^>]*>([^<])", text)]
        for at in places[::3]:
            changed = text[:at] + ("7" if text[at] != "7" else "8") + text[at + 1 :]
            verdict = verdict_on(tmp_path / "card.xlsx", packed({**parts, name: changed.encode()}))
            tried += 1
            if "not a workbook" in verdict.first:
                continue  # a text that is not there
            if contents((tmp_path / "card.xlsx").read_bytes()) != cells:  # more than a result
                assert re.search(r"(!\$?[A-Z]+[0-9]+|sheet|protection) ", verdict.first)
    assert tried > 40


def packed(parts: dict[str, bytes]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return content.getvalue()


# Folders, and files that exist --------------------------------------------------------------------


def test_a_folder_is_compared_with_the_lists_in_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = tmp_path / "files"
    files.mkdir()
    model = tmp_path / "model.json"
    point = replace(LIST, policy=StoppingPolicy(0.1, 0.9, by="point"))
    staircase = build_staircase(point)
    model.write_bytes(dumps(point))
    (files / "other.json").write_bytes(dumps(MARBURG))
    (files / "card.py").write_bytes(content_of("python", "en", staircase))
    (files / "marburg.json").write_bytes(content_of("json", "de", build_staircase(MARBURG)))
    (files / "notes.txt").write_text("notes")
    (files / "script.py").write_text("print(1)")
    (files / "photo.png").write_bytes(b"\x89PNG")
    assert run(["check", str(model), str(files), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["agrees"]
    told = {Path(one["file"]).name: one for one in found["files"]}
    assert {name for name, one in told.items() if one["agrees"]} == {
        "card.py",
        "marburg.json",
        "other.json",
    }
    assert told["card.py"]["list"] != told["marburg.json"]["list"] == told["other.json"]["list"]
    assert "not comparable" in told["photo.png"]["not_read"]
    (files / "card.py").write_bytes(content_of("python", "en", staircase).replace(b"65", b"66"))
    assert run(["check", str(model), str(files), "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    (wrong,) = [one for one in found["files"] if one["first"]]
    assert (Path(wrong["file"]).name, wrong["tried"]) == ("card.py", 0)


@pytest.mark.parametrize("form", ["python", "javascript", "sql", "json"])
def test_a_file_changed_by_hand_is_not_replaced(
    tmp_path: Path, form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    model, target = tmp_path / "model.json", tmp_path / FORMS[form].usual
    model.write_bytes(dumps(LIST))
    command = ["export", str(model), "--to", form, "-o", str(target)]
    assert run(command) == run(command) == 0
    assert is_unchanged(target.read_bytes())
    target.write_bytes(target.read_bytes().replace(b"65", b"66"))
    assert run(command) == 1
    assert "add --force" in capsys.readouterr().err
    assert run([*command, "--force"]) == 0

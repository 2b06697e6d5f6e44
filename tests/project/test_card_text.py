"""A project as text reads back as the same project."""

from pathlib import Path

import pytest

from scorecard.project.card import Project, read_project
from scorecard.project.card_text import card_text

EVERYTHING = r"""
table = "cases.csv"
outcome = "ill today"
positive = "yes, certainly"
decimal = ","
encoding = "cp1252"

[columns]
drop = ["a, b", "c"]
keep = ["d \"e\""]
category = "site"
group = "patient"
missing = "mode"

[learning]
max_questions = 4
points = "1..3"
ask = ["age >= 65: 2"]
sign = ["age=+", "a=b=-"]
cost = { crp = 12, "ct, of head" = 90.5 }
available = "crp=0.6"
held_out = "1/3"
start = "list.toml"

[limits]
rule_out = "5%"
by = "point"

[words]
title = "Sore \\ throat ≥ “x”"
[words.inputs."age [years]"]
label = "Age"
[words.de]
title = "Hals"
[words.de.inputs.age]
label = "Alter"

[make]
folder = "out"
languages = ["de", "en"]
forms = ["card-a6.pdf", "report.html"]

[look]
logo = "logo.svg"
warnings = ["One", "Two"]

[report]
splits = 7
"""


def read(folder: Path, text: str) -> Project:
    folder.mkdir(exist_ok=True)
    for name in ("cases.csv", "list.toml", "logo.svg"):
        (folder / name).touch()
    (folder / "card.toml").write_text(text, encoding="utf-8")
    return read_project(folder / "card.toml")


@pytest.mark.parametrize("text", [EVERYTHING, 'table = "cases.csv"\noutcome = "ill"\n'])
def test_what_is_written_reads_back(tmp_path: Path, text: str) -> None:
    before = read(tmp_path, text)
    written = card_text(before, tmp_path)
    assert read(tmp_path, written) == before
    assert card_text(read(tmp_path, written), tmp_path) == written


def test_files_are_named_as_they_are_seen_from_its_folder(tmp_path: Path) -> None:
    before = read(tmp_path / "one", EVERYTHING)
    written = card_text(before, tmp_path / "two")
    assert 'table = "../one/cases.csv"' in written
    assert 'start = "../one/list.toml"' in written

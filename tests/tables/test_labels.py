from pathlib import Path

import pytest

from scorecard.errors import ScorecardError
from scorecard.tables.labels import read_labels
from tests.lists import TABLE_1

INPUTS = ("f1", "f2", "f3", "f4")


def written(text: str, folder: Path) -> Path:
    path = folder / "labels.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_labels_are_put_on_a_list(tmp_path: Path) -> None:
    path = written(
        'title = "Liver"\nrule_out = "healthy"\n'
        '[inputs.f1]\nlabel = "Bilirubin"\nunit = "mg/dl"\ncost = 2.5\n',
        tmp_path,
    )
    labelled = read_labels(path, INPUTS).put_on(TABLE_1)
    assert (labelled.about.title, labelled.about.rule_out) == ("Liver", "healthy")
    first, second, *_ = labelled.questions
    assert first == TABLE_1.questions[0]
    assert (second.label, second.unit, second.cost) == ("Bilirubin", "mg/dl", 2.5)
    assert labelled.stages == TABLE_1.stages


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('titel = "x"', "labels.toml: titel is not known; did you mean 'title'?"),
        ("title = 3", "title is 3, expected text in quotes"),
        ('[inputs.f5]\nlabel = "x"', "inputs.f5 is not known; expected f1, f2"),
        ('[inputs.f1]\nlable = "x"', "inputs.f1.lable is not known; did you mean 'label'?"),
        ("[inputs.f1]\nlabel = 1", "inputs.f1.label is 1, expected text"),
        ("[inputs.f1]\ncost = -1", "inputs.f1.cost is -1, expected a number from 0 on"),
        ("inputs = 3", "inputs must be tables"),
        ("title = ", "this is not TOML"),
    ],
)
def test_mistakes_are_named(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(ScorecardError) as refusal:
        read_labels(written(text, tmp_path), INPUTS)
    assert complaint in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(ScorecardError, match="cannot be read"):
        read_labels(tmp_path / "no.toml", INPUTS)
    path = tmp_path / "latin.toml"
    path.write_bytes('title = "Ärzte"'.encode("latin-1"))
    with pytest.raises(ScorecardError, match="not UTF-8"):
        read_labels(path, INPUTS)

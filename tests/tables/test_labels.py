from pathlib import Path

import pytest

from scorecard.errors import ScorecardError
from scorecard.tables.labels import Labels, read_labels
from tests.cross_validated import cross_validated_list
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
        ("[inputs.f1]\ncost = '5'", "inputs.f1.cost is '5', expected a number from 0 on"),
        (
            "[inputs.f1]\navailable = 1.2",
            "inputs.f1.available is 1.2, expected a share from 0 to 1",
        ),
        ('[inputs.f1]\npanel = "blood"', "panel is 'blood', and no other input has it"),
        (
            '[inputs]\nf1 = {panel = "a", cost = 1}\nf2 = {panel = "a", cost = 2}',
            "panel 'a' has the costs 1, 2; expected one, because it is paid once",
        ),
        ("inputs = 3", "inputs must be tables"),
        ("title = ", "this is not TOML"),
        ("title = fifty", "text needs quotation marks"),
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


def test_what_is_said_about_costs_reaches_the_learner_and_the_lists_that_judge(
    tmp_path: Path,
) -> None:
    text = (
        'cost_unit = "min"\n'
        '[inputs]\nf1 = {cost = 12, panel = "blood"}\nf2 = {panel = "blood", available = 0.6}\n'
        "f3 = {cost = 1}\nf4 = {available = 0}\n"
    )
    labels = read_labels(written(text, tmp_path), INPUTS)
    told = labels.learning_settings({"costs": {"f3": 5}}, INPUTS)
    assert told == {
        "costs": {"f1": 12, "f3": 5},
        "panels": {"blood": ["f1", "f2"]},
        "available": {"f2": 0.6, "f4": 0},
    }
    # What is left out of the table costs nothing, and its panel is none any more.
    assert labels.learning_settings({}, ("f1", "f3")) == {
        "costs": {"f1": 12, "f3": 1},
        "panels": None,
        "available": None,
    }
    learned = cross_validated_list(questions=2)
    asked = learned.questions[0].input
    priced = Labels(inputs={asked: {"cost": 3, "label": "A"}}).put_on(learned)
    assert priced.questions[0].cost == priced.cross_validation.folds[0].questions[0].cost == 3
    assert priced.cross_validation.folds[0].questions[0].label == asked


def test_words_of_a_language_that_are_not_there_are_refused(tmp_path: Path) -> None:
    card = 'table = "cases.csv"\n[words]\ntitle = "Heart"\n[words.de]\ntitle = "Herz"\n'
    path = written(card, tmp_path)
    assert read_labels(path, language="de").about.title == "Herz"
    with pytest.raises(ScorecardError, match=r"no words for 'it'; add \[words.it\]"):
        read_labels(path, language="it")

"""Words and limits at any time: `scorecard label`."""

from dataclasses import replace
from pathlib import Path

import pytest

from scorecard.documents.json_document import read_list, short_hash, write_list
from tests.cli.conftest import Run
from tests.lists import TABLE_1

WORDS = (
    'title = "Liver"\nrule_out = "healthy"\nnext_steps_rule_in = "Call hepatology."\n'
    '[inputs.f1]\nlabel = "Bilirubin"\nunit = "mg/dl"\nnote = "measured fasting"\n'
    '[inputs.f22]\nlabel = "x"\n[inputs.ward]\nkind = "category"\n'
)


@pytest.fixture
def words(tmp_path: Path) -> Path:
    path = tmp_path / "labels.toml"
    path.write_text(WORDS, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("command", "name"),
    [
        (("card",), "card.html"),
        (("handout",), "handout.html"),
        (("export", "--to", "python"), "evaluator.py"),
        (("export", "--to", "json"), "card.json"),
        (("show",), ""),
    ],
)
def test_words_of_a_file_stand_in_every_form(
    run: Run, table_1: Path, words: Path, tmp_path: Path, command: tuple[str, ...], name: str
) -> None:
    labelled, target = tmp_path / "labelled.json", tmp_path / name
    assert run("label", table_1, words, "-o", labelled).code == 0
    done = run(command[0], labelled, *command[1:], *(("-o", target) if name else ()))
    assert done.code == 0, done.err
    assert "Bilirubin" in (target.read_text("utf-8") if name else done.out)
    if command[0] == "export":
        assert run("check", labelled, target).code == 0
        assert run("check", table_1, target).code == 1


def test_ask_speaks_with_the_words_of_a_file(run: Run, table_1: Path, words: Path) -> None:
    assert run("label", table_1, words, "-o", table_1).code == 0
    assert "Bilirubin" in run("ask", table_1, stdin="no\nno\nno\nno\n").out


def test_a_label_for_another_column_is_a_warning_with_the_nearest_name(
    run: Run, table_1: Path, words: Path
) -> None:
    done = run("label", table_1, words, "-o", table_1)
    assert done.code == 0
    assert "no question of this list asks for 'f22'; did you mean 'f2'?" in done.err
    assert "no question of this list asks for 'ward'; it asks for f3, f1, f2, f4." in done.err


def test_a_list_is_labelled_in_its_place_and_keeps_everything_else(
    run: Run, table_1: Path, words: Path
) -> None:
    before = read_list(table_1)
    assert run("label", table_1, words, "-o", table_1).code == 0
    after = read_list(table_1)
    assert [one.label for one in after.questions].count("Bilirubin") == 1
    assert after.stages == before.stages
    words.write_text('[inputs.f1]\nunit = "µmol/l"\n', encoding="utf-8")
    assert (
        "was in 'mg/dl' and is said to be in 'µmol/l'"
        in run("label", table_1, words, "-o", table_1).err
    )
    assert read_list(table_1).about == after.about, "words that were not said again were lost"


def test_limits_are_written_into_the_list_or_refused(
    run: Run, table_1: Path, tmp_path: Path
) -> None:
    made = tmp_path / "ward.json"
    write_list(TABLE_1, table_1)
    assert run("label", table_1, "--rule-out", "10%", "--rule-in", "60%", "-o", made).code == 0
    policy = read_list(made).policy
    assert policy is not None
    assert (policy.rule_out, policy.rule_in, policy.chosen_by) == (0.1, 0.6, "person")
    assert run("show", made).out == run(
        "show", table_1, "--rule-out", 0.1, "--rule-in", 0.6
    ).out.replace("  " + _hash(table_1), "  " + _hash(made))
    assert run("label", table_1, "-o", made).code == 2
    done = run("label", table_1, "--rule-out", "90%", "--rule-in", "99%", "-o", made)
    assert (done.code, len(done.err.splitlines())) == (1, 1)


def _hash(model: Path) -> str:
    return short_hash(read_list(model))


def test_a_unit_of_the_list_is_no_doubt(run: Run, tmp_path: Path, words: Path) -> None:
    same = tuple(
        replace(one, unit="mg/dl") if one.input == "f1" else one for one in TABLE_1.questions
    )
    path = tmp_path / "same.json"
    write_list(replace(TABLE_1, questions=same), path)
    assert "is said to be in" not in run("label", path, words, "-o", path).err

"""A list from nothing: what is typed is what the file says."""

import re
import tomllib
from pathlib import Path
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from scorecard.cli.card_file import read_card_file
from scorecard.cli.new import interview, list_text
from scorecard.core.model import About, Condition, Question, ScoringList
from scorecard.documents.json_document import loads, read_list
from tests.cli.conftest import Done, Run

ABOUT = ["Sore throat", "strep", "adults", "no strep", "strep", "test"]
COUGH = ["Cough absent", "", "1"]
FEVER = ["Temperature", "at least", "38.5", "°C", "2"]
RISKS = ["5", "7%", "20", "57.5"]
SOURCE = ["Somebody 1981"]
TYPED = [*ABOUT, *COUGH, *FEVER, "", *RISKS, *SOURCE]


def lines(*typed: str) -> str:
    return "".join(f"{line}\n" for line in typed)


def typed_list(*typed: str) -> ScoringList:
    remaining = iter(typed)
    made = loads(interview(lambda _: next(remaining), list_text).encode(), "list.toml")
    assert next(remaining, None) is None
    return made


def final_risks(made: ScoringList) -> dict[int, float]:
    last = made.stages[-1]
    assert last is not None
    return {total: last.risk(total).probability for total in last.totals}


def test_the_answers_become_a_file_that_is_read_back(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "list.toml"
    done = run("new", "-o", path, stdin=lines(*TYPED))
    assert (done.code, done.err) == (0, "")
    made = read_list(path)
    assert made.about == About(
        title="Sore throat",
        outcome="strep",
        population="adults",
        rule_out="no strep",
        rule_in="strep",
        undecided="test",
        source="Somebody 1981",
    )
    assert made.questions == (
        Question("cough_absent", 1, label="Cough absent"),
        Question("temperature", 2, Condition(">=", 38.5), "Temperature", "°C"),
    )
    assert final_risks(made) == {0: 0.05, 1: 0.07, 2: 0.2, 3: 0.575}
    assert [file.name for file in tmp_path.iterdir()] == ["list.toml"]


def test_the_last_lines_say_what_was_made_and_what_comes_next(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "list.toml"
    said = run("new", "-o", path, stdin=lines(*TYPED)).out.splitlines()
    assert said[-2:] == [
        f"Wrote {path}: Sore throat, 2 questions.",
        f"Next: scorecard show {path}",
    ]
    shown = run("show", path, "--by", "point", "--rule-in", "50%")
    assert shown.code == 0
    assert "Sore throat" in shown.out


def test_the_file_is_called_list_toml_if_nothing_is_said(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("new", stdin=lines(*TYPED)).code == 0
    assert read_list("list.toml").about.title == "Sore throat"


def test_the_other_kinds_of_question() -> None:
    made = typed_list(
        *ABOUT,
        *("Haemoglobin", "below", "7", "", "−1"),
        *("Sex", "category", "f", "f, m", "3"),
        *("Site", "c", "left, right", "", "1"),
        *("", "0", "0", "1", "1", "50", "100", ""),
    )
    assert [question.condition for question in made.questions] == [
        Condition("<", 7),
        Condition("in", categories=("f",), choices=("f", "m")),
        Condition("in", categories=("left", "right")),
    ]
    assert [question.points for question in made.questions] == [-1, 3, 1]
    assert final_risks(made) == {-1: 0.0, 0: 0.0, 1: 0.01, 2: 0.01, 3: 0.5, 4: 1.0}


@pytest.mark.parametrize(
    ("before", "wrong", "why", "right"),
    [
        ([], "", "Nothing was said; this is needed.", TYPED),
        ([], "x" * 1001, "This has 1001 characters", TYPED),
        ([], "." * 101, "101 full stops; at most 1000 and 100 fit.", TYPED),
        (ABOUT, "", "A list needs at least one question.", TYPED[6:]),
        (ABOUT, "?!", "'?!' has neither a letter nor a digit", TYPED[6:]),
        (TYPED[:7], "maybe", "'maybe' is no kind; say yes/no, at least", TYPED[7:]),
        (TYPED[:8], "0", "'0' are no points; expected a whole number", TYPED[8:]),
        (TYPED[:8], "1.5", "'1.5' are no points", TYPED[8:]),
        (TYPED[:8], "101", "'101' are no points; expected a whole number from -100", TYPED[8:]),
        (TYPED[:9], "COUGH absent", "is asked already by question 1; use other words.", TYPED[9:]),
        (TYPED[:11], "38,5", "'38,5' is not a number; write a decimal point.", TYPED[11:]),
        (TYPED[:11], "high", "'high' is not a number; write one like 38 or 37.5.", TYPED[11:]),
        (TYPED[:11], "1e999", "is not a finite number", TYPED[11:]),
        (TYPED[:15], "101", "'101' is no risk in percent; expected 0 to 100", TYPED[15:]),
        (TYPED[:15], "-1", "'-1' is no risk in percent", TYPED[15:]),
        (TYPED[:15], "7,5", "Write a decimal point.", TYPED[15:]),
        (TYPED[:15], "0.07", "'0.07' may be a share; write 0.07% if", TYPED[15:]),
        (TYPED[:17], "6.9", "'6.9' is below the 7 % at total 1; risks must not", TYPED[17:]),
    ],
)
def test_a_wrong_answer_is_asked_again_with_the_reason(
    before: list[str],
    wrong: str,
    why: str,
    right: list[str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    made = typed_list(*before, wrong, *right)
    said = capsys.readouterr().out
    assert why in said
    assert len([line for line in said.splitlines() if line.startswith("   ")]) == 1
    assert made == typed_list(*TYPED)


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (["Sex", "c", ","], "',' has no value; expected one or more"),
        (["Sex", "c", "f, f"], "'f, f' has a value twice."),
        (["Sex", "c", "f", "m"], "'f' counts as yes but is not among all values; add it."),
    ],
)
def test_wrong_categories_are_asked_again(
    wrong: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    rest = ["f", "f,m", "1", "", "1", "2", ""][len(wrong) - 3 :]
    made = typed_list(*ABOUT, *wrong, *rest)
    assert why in capsys.readouterr().out
    assert made.questions[0].condition == Condition("in", categories=("f",), choices=("f", "m"))


@pytest.mark.parametrize("place", range(1, len(TYPED)))
def test_back_corrects_the_last_answer_wherever_it_was(place: int) -> None:
    slipped = [*TYPED[:place], "back", *TYPED[place - 1 :]]
    assert typed_list(*slipped) == typed_list(*TYPED)


def test_back_goes_all_the_way_and_says_where_it_ends(capsys: pytest.CaptureFixture[str]) -> None:
    made = typed_list(*TYPED[:12], *["BACK"] * 13, *TYPED)
    assert made == typed_list(*TYPED)
    assert capsys.readouterr().out.count("This is the first question.") == 1


def test_back_can_turn_a_number_into_a_yes_no_question() -> None:
    made = typed_list(*ABOUT, "Fever", "at least", "back", "yes/no", "1", "", "5", "50", "")
    assert made.questions == (Question("fever", 1, label="Fever"),)


def test_a_share_in_percent_is_taken_as_it_is() -> None:
    made = typed_list(*ABOUT, *COUGH, "", "0.5%", "0.7 %", "")
    assert final_risks(made) == {0: 0.005, 1: 0.007}


words = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1)
texts = (
    words.map(str.strip)
    .filter(lambda text: text and text.lower() != "back")
    .filter(lambda text: len(text) <= 1000 and text.count(".") <= 100)
)


@given(texts, texts)
@example('"""', "\\")
@example("a\x7fb\x1bc", "'''")
@example("a\r\nb\u2028c\x85d", "# [risks]")
def test_whatever_is_typed_is_what_is_read(title: str, unit: str) -> None:
    made = typed_list(
        title, *ABOUT[1:], f"Q {title}", "at least", "1", unit, "1", "", "5", "50", unit
    )
    assert (made.about.title, made.about.source) == (title, unit)
    assert (made.questions[0].label, made.questions[0].unit) == (f"Q {title}".strip(), unit)


@given(st.integers(0, 1000), st.integers(0, 1000))
def test_percent_become_the_nearest_share(first: int, second: int) -> None:
    low, high = sorted((first, second))
    made = typed_list(*ABOUT, *COUGH, "", f"{low / 10}%", f"{high / 10}%", "")
    assert final_risks(made) == {0: low / 1000, 1: high / 1000}


@pytest.mark.parametrize("count", range(len(TYPED)))
def test_the_end_of_the_input_writes_nothing(count: int, run: Run, tmp_path: Path) -> None:
    done = run("new", "-o", tmp_path / "list.toml", stdin=lines(*TYPED[:count]))
    assert done.code == 1
    said = "Error: The answers ended before everything was asked; nothing was written.\n"
    assert done.err == said
    assert list(tmp_path.iterdir()) == []


def refused(done: Done, why: str) -> None:
    assert (done.code, done.out) == (1, "")
    assert why in done.err
    assert done.err.count("\n") == 1


def test_a_file_that_exists_is_kept(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "list.toml"
    path.write_text("mine")
    refused(run("new", "-o", path, stdin=lines(*TYPED)), "add --force")
    assert path.read_text() == "mine"
    assert run("new", "-o", path, "--force", stdin=lines(*TYPED)).code == 0
    assert read_list(path).about.title == "Sore throat"


def test_what_cannot_be_written_is_refused_before_the_first_question(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused(run("new", "-o", tmp_path / "list.json"), "end the name in .toml")
    refused(run("new", "-o", tmp_path / "no" / "list.toml"), "does not exist; create it first")
    (tmp_path / "folder.toml").mkdir()
    refused(run("new", "-o", tmp_path / "folder.toml", "--force"), "it is a folder")
    monkeypatch.setattr("os.access", lambda *_: False)
    refused(run("new", "-o", tmp_path / "list.toml"), "choose a folder you may")


def test_answers_in_another_encoding_are_refused(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def undecodable(_: str) -> str:
        return b"M\xfcde".decode()

    monkeypatch.setattr("builtins.input", undecodable)
    done = run("new", "-o", tmp_path / "list.toml")
    assert done.code == 1
    assert "not UTF-8" in done.err
    assert list(tmp_path.iterdir()) == []


def test_half_a_character_is_asked_again(capsys: pytest.CaptureFixture[str]) -> None:
    assert typed_list("\udcfc", *TYPED) == typed_list(*TYPED)
    assert "half a character" in capsys.readouterr().out


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


@pytest.mark.usefixtures("strange")
def test_a_card_is_asked_for_and_can_be_built(run: Run) -> None:
    typed = lines(
        "resultt", "result", "sick", "codes", "category", "group", "drop", "90", "4%", "3%", ""
    )
    done = run("new", "patients.csv", stdin=typed)
    assert done.code == 0, done.out + done.err
    said = tomllib.loads(Path("card.toml").read_text(encoding="utf-8"))
    assert (said["table"], said["outcome"], said["positive"]) == ("patients.csv", "result", "sick")
    assert said["columns"] == {
        "category": ["ward"],
        "group": "patient_id",
        "drop": ["found_at_autopsy"],
    }
    assert said["limits"] == {"rule_out": "4%"}
    for told in (
        "'resultt' is no column; did you mean 'result'?",
        "'codes' came, expected category (it has codes), number (it has numbers)",
        "For 90 percent write 90%",
        "'3%' came, expected more than 4%, at which one rules out.",
    ):
        assert told in done.out
    again = run("new", "patients.csv", stdin=typed)
    assert (again.code, "may have been written by hand" in again.err) == (1, True)


@pytest.mark.usefixtures("strange")
def test_a_card_without_questions_is_built_as_it_is_and_with_every_comment_removed(
    run: Run,
) -> None:
    assert run("new", "patients.csv", "--yes").code == 2
    done = run("new", "patients.csv", "--outcome", "result", "--yes")
    assert (done.code, len(done.err.splitlines())) == (1, 1), "a value has to be named"
    assert run("new", "patients.csv", "--outcome", "result", "--positive", "sick", "-y").code == 0
    text = Path("card.toml").read_text(encoding="utf-8")
    assert "# Column 'found_at_autopsy' alone tells the outcome" in text
    read_card_file(Path("card.toml"))
    # Whoever removes every # in front of a key that has a value says the usual thing, in TOML.
    said = re.sub(r"^# (\w+ = (?!\"\"|\[\]).*|\[words\.inputs.*)$", r"\1", text, flags=re.M)
    Path("all.toml").write_text(said.replace("as_published = false\n", ""), encoding="utf-8")
    read_card_file(Path("all.toml"))


def test_dates_are_left_out_and_it_is_said(run: Run, strange: Path) -> None:
    head, *rows = strange.read_text().splitlines()
    days = [f"{row},2024-01-{place % 28 + 1:02}" for place, row in enumerate(rows)]
    strange.write_text("\n".join([f"{head},admitted", *days]) + "\n")
    done = run("new", "patients.csv", "--outcome", "result", "--positive", "sick", "--yes")
    assert (done.code, "To look at: 'admitted' is left out; " in done.out) == (0, True)
    text = Path("card.toml").read_text(encoding="utf-8")
    left_out = "Left out, until you say otherwise: 'admitted', 'found_at_autopsy'."
    assert left_out in done.out.splitlines()
    assert tomllib.loads(text)["columns"] == {"drop": ["admitted", "found_at_autopsy"]}
    assert "# patients.csv, column 'admitted', row 1 (line 2): '2024-01-01': it has dates" in text
    assert "admitted" not in text.partition("[words]")[2]
    typed = lines("result", "sick", "", "", "keep", "", "")
    done = run("new", "patients.csv", "--force", stdin=typed)
    assert (done.code, "It is left out." in done.out) == (0, True), done.err
    text = Path("card.toml").read_text(encoding="utf-8")
    kept = {"drop": ["admitted"], "keep": ["found_at_autopsy"]}
    assert tomllib.loads(text)["columns"] == kept
    assert read_card_file(Path("card.toml")).told["columns"].keys() == kept.keys()


def test_a_table_is_named_before_its_outcome(run: Run) -> None:
    assert run("new", "--outcome", "ill").code == 2

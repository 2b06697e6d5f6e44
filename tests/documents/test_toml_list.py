"""The short form people write by hand: every way to say a thing, and faults with their place."""

import random
import re
from pathlib import Path

import pytest

from scorecard.core.model import About, Condition, Question, Risk, RiskSource, ScoringList, Stage
from scorecard.core.policy import StoppingPolicy
from scorecard.documents.json_document import faults, loads, read_list
from scorecard.errors import DocumentError, ScorecardError

SHORT = """
title = "Sore throat"
date = 2024-02-29

[[questions]]
ask = "Cough absent"
points = 1

[[questions]]
ask = "Temperature (°C)"
at_least = 38.5
unit = "°C"
cost = 2
note = "in the ear"
points = 2

[risks]
0 = 0.05
1 = 0.2
2 = 0.4
3 = 0.5
"""


def read(text: str) -> ScoringList:
    return loads(text.encode(), "my.toml")


def test_a_short_list_is_the_same_value_as_any_other() -> None:
    assert read(SHORT) == ScoringList(
        (
            Question("cough_absent", 1, label="Cough absent"),
            Question(
                "temperature_c",
                2,
                Condition(">=", 38.5),
                label="Temperature (°C)",
                unit="°C",
                cost=2,
                note="in the ear",
            ),
        ),
        (None, None, Stage((0, 1, 2, 3), (Risk(0.05), Risk(0.2), Risk(0.4), Risk(0.5)))),
        About(title="Sore throat", date="2024-02-29"),
    )


@pytest.mark.parametrize("name", ["list.toml", "list.TOML", "list.txt", "list"])
def test_a_file_is_known_by_its_name_or_its_content(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(SHORT, encoding="utf-8")
    assert read_list(tmp_path / name) == read(SHORT)


@pytest.mark.parametrize(
    ("written", "condition"),
    [
        ("", Condition("yes")),
        ("when = 'yes'", Condition("yes")),
        ("when = 'no'", Condition("no")),
        ("when = 'missing'", Condition("missing")),
        ("when = 'present'", Condition("present")),
        ("at_least = 3", Condition(">=", 3)),
        ("below = -0.5", Condition("<", -0.5)),
        ("is = 'm'", Condition("in", categories=("m",))),
        ("is_not = 'm'", Condition("not in", categories=("m",))),
        ("one_of = ['a', 'b']", Condition("in", categories=("a", "b"))),
        (
            "none_of = ['a']\nchoices = ['a', 'b']",
            Condition("not in", categories=("a",), choices=("a", "b")),
        ),
    ],
)
def test_conditions(written: str, condition: Condition) -> None:
    questions = read(f"[[questions]]\nask = 'x'\npoints = 1\n{written}").questions
    assert questions == (Question("x", 1, condition),)


def test_risks_of_earlier_stages_with_ranges_and_counts() -> None:
    scoring_list = read(
        """
        origin = "held-out"
        level = 0.9
        band = "exact"
        questions = [{ ask = "x", points = -1, input = "y" }]
        risks_after.0 = { 0 = { risk = 0.25, cases = 8, positives = 2 } }
        [risks]
        -1 = { risk = 0.1, lower = 0, upper = 0.2 }
        "+0" = { risk = 1, lower = 1, upper = 1 }
        """
    )
    assert scoring_list.stages == (
        Stage((0,), (Risk(0.25, None, None, 8, 2),)),
        Stage((-1, 0), (Risk(0.1, 0.0, 0.2), Risk(1.0, 1.0, 1.0))),
    )
    assert scoring_list.risk_source == RiskSource("held-out", 0.9, "exact")


def test_limits_are_those_the_list_is_made_for() -> None:
    written = read(SHORT + "[limits]\nrule_out = 0.1\nrule_in = 0.4\n")
    assert written.policy == StoppingPolicy(rule_out=0.1, rule_in=0.4)
    for wrong, reason in (
        ("rule_out = 0.5\nrule_in = 0.4", "limits"),
        ("rule_uot = 0.1", "did you mean 'rule_out'?"),
        ("chosen_by = 'data'", "limits.chosen_by"),
    ):
        with pytest.raises(DocumentError, match=re.escape(reason)):
            read(f"{SHORT}[limits]\n{wrong}\n")


def test_a_list_without_risks_only_ranks() -> None:
    assert not read("questions = [{ ask = 'x', points = 1 }]").has_risks


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("title", "titel", "titel: is not known; did you mean 'title'?"),
        ('"Sore throat"', "5", "title: expected a text, but a whole number came"),
        ("[[questions]]", "[[question]]", "question: is not known; did you mean 'questions'?"),
        ("points = 1", "points = 0", "questions[0].points: 0 is not a whole number other than 0"),
        ("points = 1", "points = '1'", "questions[0].points: expected a whole number, but a text"),
        ("points = 1", "point = 1", "questions[0].point: is not known; did you mean 'points'?"),
        ("points = 1", "", "questions[0]: the key 'points' is missing"),
        (
            "points = 1",
            "points = 1\nunits = 'x'",
            "questions[0].units: is not known; did you mean 'unit'?",
        ),
        ("ask = ", "input = ", "questions[0]: the key 'ask' is missing"),
        ("Cough absent", "?!", "questions[0].input: a question needs the name of its input"),
        ("at_least = 38.5", "at_least = '38,5'", "questions[1].at_least: expected a number"),
        ("at_least = 38.5", "at_least = nan", "questions[1].condition: cut-off: nan is not a fin"),
        ("at_least = 38.5", "at_least = 1\nbelow = 3", "questions[1].at_least, below: a question"),
        ("at_least = 38.5", "choices = ['a']", "questions[1].choices: belong to is, is_not"),
        ("at_least = 38.5", "one_of = []", "questions[1].condition: categories belong to"),
        ("at_least = 38.5", "is = 1", "questions[1].is: expected a text"),
        ("at_least = 38.5", "when = 'maybe'", "questions[1].when: 'maybe' is not one of"),
        (
            "at_least = 38.5",
            "input = 'cough_absent'",
            "questions[1].input: 'cough_absent' is asked",
        ),
        ("0 = 0.05", "0 = 5", "risks.0.probability: 5.0 is not between 0 and 1"),
        ("0 = 0.05", "0 = '5 %'", "risks.0: expected"),
        ("0 = 0.05", "0 = { rsk = 1 }", "risks.0.rsk: is not known; did you mean 'risk'?"),
        ("0 = 0.05", "0 = { lower = 0.1 }", "risks.0: the key 'risk' is missing"),
        ("0 = 0.05", "0 = 0.3", "risks: total 1: probability 0.2 is below 0.3 at total 0"),
        ("0 = 0.05", "", "risks: no risk for total 0"),
        ("0 = 0.05", "0 = 0.05\n7 = 0.9", "risks: total 7 cannot occur with these points"),
        ("0 = 0.05", "0 = 0.05\nmany = 0.9", "risks: 'many' is not a total"),
        ("0 = 0.05", "0 = 0.05\n00 = 0.9", "risks: the total 0 occurs twice"),
        ("[risks]", "[risks_after.1]", "risks_after.1: total 2 cannot occur"),
        ("[risks]", "[risks_after.9]", "risks_after.9: expected a number of answers from 0 to 2"),
        ("[risks]", "[risks_after.2]\n0=0.1\n[risks]", "risks: given twice: risks_after.2 is"),
        ("[risks]", "risks = 5\n[x]", "x: is not known; misspelt?"),
    ],
)
def test_a_broken_list_is_refused_with_the_place(old: str, new: str, fault: str) -> None:
    assert old in SHORT
    text = SHORT.replace(old, new, 1)
    found = faults(text.encode(), "my.toml")
    assert [one for one in found if one.startswith(fault)], found
    with pytest.raises(DocumentError, match=r"^my\.toml: ") as refusal:
        read(text)
    assert str(refusal.value).isprintable()


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("points = 1", "points = 1\npoints = 1", "this is not TOML: Cannot overwrite a value"),
        (
            "points = 1",
            "points = x",
            "this is not TOML: Invalid value (at line 7, column 10); text needs quotation marks.",
        ),
        ("points = 1", "points = ", "this is not TOML: Invalid value (at line 7"),
        ("points = 1", "points = " + "[" * 5000, "it is nested too deeply"),
        ("points = 1", "points = " + "1" * 5000, "this is not TOML"),
        ("points = 1", "a." * 90_000 + "a = 1", "line 7 has more than 200 dots"),
        ("Sore throat", "x" * 200_000, "a list in the short form has at most 200000 char"),
    ],
)
def test_what_is_no_toml_is_refused_by_all_readers(old: str, new: str, reason: str) -> None:
    assert old in SHORT
    text = SHORT.replace(old, new, 1)
    for reader in (read, lambda text: faults(text.encode(), "my.toml")):
        with pytest.raises(DocumentError) as refusal:
            reader(text)
        assert str(refusal.value).startswith(f"my.toml: {reason}")
        assert str(refusal.value).isprintable()


def test_every_fault_is_found() -> None:
    text = SHORT.replace("points = 1", "points = 0").replace("0 = 0.05", "0 = 5")
    assert [fault.split(":")[0] for fault in faults(text.encode(), "my.toml")] == [
        "questions[0].points",
        "risks.0.probability",
    ]


def test_mutated_lists_give_a_list_or_a_refusal() -> None:
    chance = random.Random(65)
    pieces = [b"[", b"]", b"{", b"}", b'"', b"=", b"\n", b"nan", b"-", b"9" * 400, b"\xff", b"\0"]
    pieces += [b"0 = 0.1\n", b"at_least = 1\n", b"1979-05-27", b"true", b"'''", b"a.b.c = 1\n"]
    for _ in range(3_000):
        content = bytearray(SHORT.encode())
        for _ in range(chance.choice((1, 1, 2, 5))):
            place = chance.randrange(len(content))
            content[place : place + chance.choice((0, 1, 5))] = chance.choice(pieces)
        assert_list_or_refusal(bytes(content))


def assert_list_or_refusal(content: bytes) -> None:
    try:
        assert isinstance(loads(content, "mutated.toml"), ScoringList)
    except ScorecardError as refusal:
        assert str(refusal).isprintable(), ascii(str(refusal))  # noqa: PT017

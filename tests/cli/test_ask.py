from dataclasses import replace
from pathlib import Path

import pytest

from scorecard.cli.ask import dialogue
from scorecard.core.build_staircase import build_staircase
from scorecard.core.model import Condition, Question, Risk, ScoringList, Seen, Stage
from scorecard.core.policy import StoppingPolicy
from scorecard.documents.json_document import read_list, write_list
from scorecard.words.wording import Wording
from tests.cli.conftest import Run
from tests.lists import SHARPENED

LIMITS = ("--rule-out", "10%", "--rule-in", "90%")


def one_question(condition: Condition, tmp_path: Path, points: int = 1) -> Path:
    totals = sorted((0, points))
    question = Question("x", points, condition, label="Lactate", unit="mmol/l")
    stages = (Stage((0,), (Risk(0.5),)), Stage(tuple(totals), (Risk(0.05), Risk(0.95))))
    path = tmp_path / "one.json"
    write_list(ScoringList((question,), stages), path)
    return path


def test_it_stops_when_the_policy_says_so(run: Run, table_1: Path) -> None:
    done = run("ask", table_1, *LIMITS, stdin="no\nyes\n")
    assert done.code == 0
    assert "3. " not in done.out
    assert done.out.endswith("▼ rule out\nTotal: −2\nRisk: 10 of 100\n")


def test_answers_can_be_taken_back(run: Run, table_1: Path) -> None:
    done = run("ask", table_1, *LIMITS, stdin="back\nyes\nback\nno\nyes\n")
    assert "This is the first question." in done.out
    assert "▼ rule out" in done.out


def test_wrong_answers_are_asked_again(run: Run, table_1: Path) -> None:
    done = run("ask", table_1, *LIMITS, stdin="perhaps\n\nno\nyes\n")
    assert "'perhaps' is not understood; say yes, no or unknown" in done.out
    assert "Nothing was said" in done.out
    assert done.out.count("1. f3?") == 3


def test_unknown_answers_stay_open(run: Run, table_1: Path) -> None:
    done = run("ask", table_1, *LIMITS, stdin="unknown\nno\nyes\nunknown\n")
    assert "? cannot be decided: ◆ undecided\nTotal: 1 to 2" in done.out


def test_one_may_leave(run: Run, table_1: Path) -> None:
    done = run("ask", table_1, *LIMITS, stdin="no\nquit\n")
    assert done.code == 0
    assert "Risk" not in done.out


def test_too_few_answers_are_refused(run: Run, table_1: Path) -> None:
    done = run("ask", table_1, *LIMITS, stdin="yes\n")
    assert done.code == 1
    assert "The answers ended before a decision" in done.err


@pytest.mark.parametrize(
    ("condition", "points", "reply", "total"),
    [
        (Condition(">=", 2), 1, "2.0", 1),
        (Condition(">=", 2), 1, "yes", 1),
        (Condition(">=", 2), -1, "1.9", 0),
        (Condition(">=", 2), -1, "yes", "−1"),
        (Condition("no"), 1, "yes", 0),  # a plain question is never asked in the negative
        (Condition("no"), 1, "no", 1),
        (Condition("missing"), 1, "yes", 0),  # "Lactate measured?"
        (Condition("missing"), 1, "no", 1),
        (Condition("missing"), 1, "n", 1),
        (Condition("missing"), 1, "j", 0),
        (Condition("missing"), 1, "0", 0),  # a value
        (Condition("missing"), 1, "unknown", 1),
        (Condition("missing"), -1, "3.1", 0),
        (Condition("in", None, ("high",), ("high", "low")), 1, "low", 0),
        (Condition("in", None, ("high",), ("high", "low")), 1, "yes", 1),
        (Condition("in", None, ("high",), ("high", "low")), 1, "y", 1),
        (Condition("in", None, ("high",), ("high", "low")), 1, "n", 0),
        (Condition("in", None, ("n",), ("n", "y")), 1, "n", 1),  # a category of that name
        (Condition("in", None, ("n",)), 1, "y", 0),  # no answer, because any text is a category
        (Condition(">=", 2), 1, "J", 1),
        (Condition("<", 2), 1, "y", 1),  # yes to what is asked
        (Condition(">=", 2), 1, "n", 0),
        (Condition(">=", 2), 1, "1", 0),  # a value
    ],
)
def test_what_is_answered_is_what_was_asked(
    run: Run, tmp_path: Path, condition: Condition, points: int, reply: str, total: int | str
) -> None:
    done = run(
        "ask",
        one_question(condition, tmp_path, points),
        *LIMITS,
        stdin=f"{reply}\n",
    )
    assert f"Total: {total}\n" in done.out


@pytest.mark.parametrize(
    ("condition", "points", "prompt"),
    [
        (Condition("<", 2), 1, "1. Lactate < 2 mmol/l? [yes/no/the value/unknown]"),
        (Condition("yes"), -1, "1. Lactate? [yes/no/unknown]"),
        (Condition("missing"), 1, "1. Lactate measured? [yes/no]"),
        (Condition("in", None, ("a",)), 1, "1. Lactate is a? [the value/unknown]"),
    ],
)
def test_the_prompt_says_what_may_be_answered(
    run: Run, tmp_path: Path, condition: Condition, points: int, prompt: str
) -> None:
    done = run("ask", one_question(condition, tmp_path, points), *LIMITS, stdin="quit\n")
    assert done.out.startswith(prompt)


@pytest.mark.parametrize(
    ("language", "reply", "total"),
    [
        ("de", "2,0", 1),
        ("de", "1,999", 0),
        ("de", ",5", 0),
        ("de", "2.5", 1),
        ("de", "-2,5", 0),
        ("en", "2.5", 1),
    ],
)
def test_numbers_are_read_as_the_language_writes_them(
    run: Run, tmp_path: Path, language: str, reply: str, total: int
) -> None:
    path = one_question(Condition(">=", 2), tmp_path)
    done = run("ask", path, *LIMITS, "--language", language, stdin=reply + "\n")
    assert done.code == 0
    assert f": {total}\n" in done.out


@pytest.mark.parametrize(
    ("condition", "language", "reply", "refusal"),
    [
        (Condition(">=", 2), "en", "12,0", "cannot be read as a number; write one like 1234.5."),
        (Condition(">=", 2), "de", "1.234,5", "als Zahl nicht zu lesen; bitte so schreiben: 1234,"),
        (Condition(">=", 2), "de", "150.000", "als Zahl nicht zu lesen"),  # thousands, or 150?
        (Condition(">=", 2), "en", "high", "not understood; say yes, no, the value or unknown."),
        (Condition(">=", 2), "de", "hoch", "möglich ist ja, nein, der Wert oder unbekannt."),
        (Condition("yes"), "de", "hm", "wird nicht verstanden; möglich ist ja, nein oder unbekan"),
        (
            Condition("in", None, ("high",), ("high", "low")),
            "en",
            "medium",
            "not understood; say yes, no, high, low or unknown.",
        ),
        (Condition("in", None, ("Y",), ("Y", "Z")), "en", "y", "not understood; say yes, no, Y, Z"),
        (Condition("in", None, ("Y",)), "en", "yes", "not understood; say the value or unknown."),
        (Condition("yes"), "de", "", "Keine Antwort"),
    ],
)
def test_a_refusal_says_what_is_expected_in_the_language(
    run: Run, tmp_path: Path, condition: Condition, language: str, reply: str, refusal: str
) -> None:
    path = one_question(condition, tmp_path)
    done = run("ask", path, *LIMITS, "--language", language, stdin=f"{reply}\nquit\n")
    assert refusal in done.out
    assert done.out.count("1. ") == 2


@pytest.fixture
def ages(tmp_path: Path) -> Path:
    asked = [Question("age", p, Condition(">=", c), label="Age") for p, c in ((2, 65), (1, 50))]
    totals = ((0,), (0, 2), (0, 1, 2, 3))
    risks = ((0.5,), (0.3, 0.6), (0.05, 0.4, 0.5, 0.95))
    stages = [Stage(t, tuple(map(Risk, r))) for t, r in zip(totals, risks, strict=True)]
    path = tmp_path / "ages.json"
    write_list(ScoringList(tuple(asked), tuple(stages)), path)
    return path


@pytest.mark.parametrize(
    ("said", "asked", "total"),
    [
        ("57\n", 1, 1),
        ("yes\n", 1, 3),
        ("no\nno\n", 2, 0),
        ("70\n", 1, 3),
        ("?\nyes\n", 2, "1 to 3"),
    ],
)
def test_what_earlier_answers_settle_is_not_asked(
    run: Run, ages: Path, said: str, asked: int, total: object
) -> None:
    done = run("ask", ages, *LIMITS, stdin=said)
    assert done.out.count("[yes/no") == asked
    assert f"   Total {total}\n" in done.out or f"Total: {total}" in done.out
    assert ("as answered before" in done.out) == (asked == 1)


def test_what_follows_is_taken_back_with_its_answer(run: Run, tmp_path: Path, ages: Path) -> None:
    from scorecard.documents.json_document import read_list

    two = read_list(ages)
    smokes = Question("smoker", 1)
    last = Stage((0, 1, 2, 3, 4), tuple(map(Risk, (0.05, 0.4, 0.5, 0.6, 0.95))))
    middle = Stage((0, 1, 2, 3), tuple(map(Risk, (0.2, 0.4, 0.5, 0.6))))
    path = tmp_path / "three.json"
    stages = (*two.stages[:2], middle, last)
    write_list(ScoringList((*two.questions, smokes), stages), path)
    done = run("ask", path, *LIMITS, stdin="70\nback\n40\nno\n")
    assert done.out.count("1. Age") == 2
    assert "Total: 0" in done.out


def test_going_on_is_offered_to_who_is_undecided() -> None:
    staircase = build_staircase(SHARPENED, StoppingPolicy(0.1, 0.9, by="point"))
    wording = Wording.of(SHARPENED)
    said = iter(["70", "yes"])
    replies = dialogue(staircase, wording, lambda _prompt: next(said))
    assert replies is not None
    assert [reply.answer for reply in replies] == [True]
    further = dialogue(staircase, wording, lambda _prompt: next(said), replies)
    assert further is not None
    assert [(reply.answer, reply.follows) for reply in further] == [
        (True, False),
        (True, False),
        (True, True),
    ]


@pytest.mark.parametrize(
    ("language", "said", "asked"),
    [
        ("fr", "retour\ninconnu\n", "1. Lactate ≥ 2 mmol/l\u00a0? ["),
        ("es", "sí\n", "1. ¿Lactate ≥ 2 mmol/l? [sí/"),
    ],
)
def test_the_words_of_the_language_are_understood(
    run: Run, tmp_path: Path, language: str, said: str, asked: str
) -> None:
    path = one_question(Condition(">=", 2.0), tmp_path)
    done = run("ask", path, "--language", language, stdin=said)
    assert done.code == 0
    assert asked in done.out
    assert done.out.strip().endswith("95 de 100" if language == "es" else "95 sur 100")


@pytest.mark.parametrize(
    ("language", "remark"),
    [
        ("en", "outside what the list has seen (0.5 to 8 mmol/l); unit?"),
        ("de", "außerhalb dessen, was die Liste gesehen hat (0,5 bis 8 mmol/l); Einheit?"),
        (
            "fr",
            "hors de ce que la liste a vu (0,5 à 8 mmol/l)\xa0; unité\xa0?",
        ),
        ("es", "fuera de lo que la lista ha visto (0,5 a 8 mmol/l); ¿unidad?"),
    ],
)
def test_a_number_outside_what_the_list_has_seen_is_told(
    run: Run, tmp_path: Path, language: str, remark: str
) -> None:
    path = one_question(Condition(">=", 2), tmp_path)
    write_list(replace(read_list(path), seen=(Seen("x", 0.5, 8, 0.3, 20),)), path)
    told = run("ask", path, *LIMITS, "--language", language, stdin="36\n")
    assert remark in told.out
    assert (
        told.out.splitlines()[-2:]
        == run("ask", path, *LIMITS, "--language", language, stdin="5\n").out.splitlines()[-2:]
    )
    assert "mmol/l)" not in run("ask", path, *LIMITS, stdin="11.7\n").out

"""A question's substitute: asked where its own input is unknown, in every form of a list."""

from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from scorecard import (
    Condition,
    Question,
    ScoringList,
    StoppingPolicy,
    Substitute,
    apply,
    check,
    export,
    make_card,
    make_handout,
    read_list,
    with_positive_points,
    write_list,
)
from scorecard.api import printed_card
from scorecard.core.question import settled_answers
from scorecard.core.walk import case_cost, costs_so_far
from scorecard.documents.json_document import dumps, loads
from scorecard.errors import AnswerError, DocumentError, ListError
from scorecard.forms.test_cases import expected, typed, vectors
from scorecard.tables.labels import Labels
from tests.cli.conftest import Run
from tests.forms.compared import staircase_or_none
from tests.lists import stage
from tests.strategies import plain_texts, scoring_lists

CRP = Question(
    "crp",
    2,
    Condition(">=", 50),
    label="CRP",
    cost=15,
    if_unknown=Substitute("breaths", Condition(">=", 25), label="Breathing rate", cost=1),
)
LIST = ScoringList(
    (CRP, Question("cough", 1)),
    (stage(p0=0.3), stage(p0=0.1, p2=0.6), stage(p0=0.01, p1=0.3, p2=0.5, p3=0.97)),
    policy=StoppingPolicy(0.05, 0.9, by="point"),
)


@pytest.mark.parametrize(
    ("own", "instead", "answer"),
    [(60, 10, True), (40, 30, False), (None, 30, True), ("?", "24", False), (None, None, None)],
)
def test_the_own_answer_comes_first(own: object, instead: object, answer: object) -> None:
    assert CRP.answer(own, instead) is answer
    assert LIST.answers({"crp": own, "Breathing rate": instead, "cough": 1})[0] is answer


def test_what_nobody_looks_at_is_not_refused() -> None:
    assert CRP.answer(60, "nonsense") is True
    with pytest.raises(AnswerError, match="'breaths': 'nonsense' is not a number"):
        CRP.answer(None, "nonsense")


def test_turned_round_both_conditions_are() -> None:
    (turned, _) = with_positive_points(replace(LIST, stages=(None,) * 3)).questions
    assert turned == CRP
    assert CRP.turned().answer(None, 30) is False
    assert CRP.turned().answer(40, 30) is True


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"if_unknown": Substitute("crp")}, "'crp' is the question's own input"),
        ({"condition": Condition("missing")}, "is never unknown"),
        ({"if_unknown": "breaths"}, "'breaths' is not a Substitute"),
    ],
)
def test_a_question_refuses_what_is_no_substitute(changes: dict, reason: str) -> None:
    with pytest.raises(ListError, match=reason):
        replace(CRP, **changes)
    with pytest.raises(ListError, match="asks for a value"):
        Substitute("breaths", Condition("present"))


@pytest.mark.parametrize(
    ("others", "reason"),
    [
        ([Question("breaths", 1)], "'breaths' is a question of the list"),
        ([Question("esr", 1, if_unknown=Substitute("breaths"))], "stands for 'crp' already"),
        ([Question("crp", 1, Condition(">=", 90))], "all questions about 'crp' need the same"),
        (
            [replace(CRP, condition=Condition(">=", 90), if_unknown=Substitute("breaths"))],
            "'breaths' is asked already by questions.0..if_unknown as >= 25",
        ),
    ],
)
def test_a_substitute_counts_for_one_input_only(others: list[Question], reason: str) -> None:
    with pytest.raises(ListError, match=reason):
        ScoringList((CRP, *others), (None,) * (len(others) + 2))


def test_an_answer_settles_others_only_if_both_ways_do() -> None:
    higher = replace(CRP, condition=Condition(">=", 90))
    strict = replace(higher, if_unknown=Substitute("breaths", Condition(">=", 30)))
    assert settled_answers([strict, CRP])[0, True] == {1: True}
    loose = replace(higher, if_unknown=Substitute("breaths", Condition(">=", 20)))
    assert (0, True) not in settled_answers([loose, CRP])


def test_the_substitute_is_paid_where_it_is_asked_instead() -> None:
    assert case_cost([CRP], [True], 1, [False]) == 15
    assert case_cost([CRP], [True], 1, [True]) == 1
    assert case_cost([CRP], [None], 1, [False]) == 0
    assert costs_so_far([CRP], [True]) == (0, 15)  # which of the two is not known
    table = pl.DataFrame({"crp": [60, None, None], "breaths": [None, 30, None], "cough": [1, 1, 1]})
    rows = apply(LIST, table)
    assert rows["cost"].to_list() == [15, 1, 0]
    assert rows["decision"].to_list() == ["rule in", "rule in", "unknown"]
    assert rows["unknown"].to_list() == ["", "", "crp"]


def test_a_document_keeps_it_and_counts_belong_to_it() -> None:
    content = dumps(LIST)
    assert loads(content) == LIST
    # All is told by the hash; without it, what the risks were counted with still is.
    bare = b"\n".join(one for one in content.splitlines() if b'"sha256"' not in one)
    assert loads(bare) == LIST
    with pytest.raises(DocumentError, match="counted"):
        loads(bare.replace(b'"cutoff": 25', b'"cutoff": 26'))


@settings(max_examples=20, phases=[Phase.generate])
@given(scoring_lists(substitutes=True, asked_again=True))
def test_any_list_with_substitutes_is_read_as_written(scoring_list: ScoringList) -> None:
    assert loads(dumps(scoring_list)) == scoring_list


@settings(max_examples=15, phases=[Phase.generate])
@given(scoring_lists(1, 4, substitutes=True, asked_again=True, text=plain_texts()), st.data())
def test_whole_columns_are_answered_like_cases(
    scoring_list: ScoringList, data: st.DataObject
) -> None:
    staircase = staircase_or_none(scoring_list, StoppingPolicy(0.2, 0.7, by="point"))
    if staircase is None or not staircase.questions:
        return
    some = [one for one in vectors(staircase) if one.plain and one.result is not None]
    if some:
        one = data.draw(st.sampled_from(some))
        values = typed(staircase.questions, one.case)
        row = apply(scoring_list, pl.DataFrame([values]), policy=staircase.policy).row(
            0, named=True
        )
        due = expected(staircase, values)
        assert due is None or (row["decision"], row["stage"]) == (due.decision, due.stage)


def test_labels_are_put_on_it_too() -> None:
    labels = Labels(inputs={"breaths": {"label": "Breaths", "unit": "/min", "cost": 2}})
    assert not list(labels.doubts_about(LIST))
    other = labels.put_on(LIST).questions[0].if_unknown
    assert other is not None
    assert (other.label, other.unit, other.cost) == ("Breaths", "/min", 2)


# Written by hand ----------------------------------------------------------------------------------

TOML = """
[[questions]]
ask = "CRP"
at_least = 50
points = 2
if_unknown = {{ {substitute} }}

[[questions]]
ask = "Cough"
points = 1

[risks]
0 = 0.01
1 = 0.3
2 = 0.5
3 = 0.97
"""


def test_it_is_written_by_hand(tmp_path: Path) -> None:
    path = tmp_path / "list.toml"
    path.write_text(TOML.format(substitute='ask = "Breathing rate", at_least = 25, unit = "/min"'))
    other = read_list(path).questions[0].if_unknown
    assert other == Substitute("breathing_rate", Condition(">=", 25), "Breathing rate", "/min")
    write_list(read_list(path), tmp_path / "list.json")
    assert read_list(tmp_path / "list.json") == read_list(path)


@pytest.mark.parametrize(
    ("substitute", "reason"),
    [
        ("at_least = 25", "if_unknown.input: say what is asked instead"),
        ('input = "crp", at_least = 25', "if_unknown: 'crp' is the question's own input"),
        ('input = "cough"', "if_unknown: 'cough' is a question of the list"),
        ('input = "esr", at_least = "high"', "if_unknown.at_least: expected a number"),
        ('input = "esr", unit = "mm"', "if_unknown.unit: 'mm' needs a cut-off"),
        ('input = "esr", at_least = 3, below = 5', "has only one condition"),
        ('input = "esr", if_unknown = { input = "x" }', "if_unknown.if_unknown: is not known"),
        ('input = "esr", points = 1', "if_unknown.points: is not known"),
        ('input = "esr", when = "missing"', "asks for a value"),
        ('input = "esr", cost = -1', "if_unknown.cost: -1 is negative"),
    ],
)
def test_a_bad_substitute_is_refused_in_a_line(
    tmp_path: Path, run: Run, substitute: str, reason: str
) -> None:
    path = tmp_path / "list.toml"
    path.write_text(TOML.format(substitute=substitute))
    done = run("show", str(path))
    assert done.code == 1
    assert reason in done.err
    assert len(done.err.splitlines()) == 1


# Printed, asked, checked --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "if unknown"),
        ("de", "falls unbekannt"),
        ("fr", "si inconnu"),
        ("es", "si se desconoce"),
    ],
)
def test_card_and_handout_print_it_under_its_question(language: str, words: str) -> None:
    card = make_card(LIST, "html", language=language).decode()
    assert f'<span class="instead user">{words}' in card
    assert "Breathing rate ≥" in card
    assert f'<span class="instead user">{words}' in make_handout(LIST, language=language).decode()


def test_a_path_has_it_too() -> None:
    printed = printed_card(LIST, "pdf", layout="path")  # read back before it is given
    asked = printed.view.rows[0].question.replace("\N{NO-BREAK SPACE}", " ")
    assert asked.endswith("if unknown: Breathing rate ≥ 25")


def test_ask_asks_it_where_the_question_is_unknown(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "list.json"
    write_list(LIST, path)
    done = run("ask", str(path), stdin="unknown\n30\nyes\n")
    assert "1. if unknown: Breathing rate ≥ 25?" in done.out
    assert "▲ rule in" in done.out
    assert "Cost: 1." in done.out
    assert "▲" not in run("ask", str(path), stdin="?\nback\n?\n?\nyes\n").out


def test_edit_writes_it_and_show_tells_it(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "list.json"
    write_list(LIST, path)
    assert "if unknown: Breathing rate" in " ".join(run("show", str(path)).out.split())
    edited = tmp_path / "edit.toml"
    assert run("edit", path, "-o", edited).code == 0
    line = 'if_unknown = { input = "breaths", ask = "Breathing rate", at_least = 25, cost = 1 }'
    assert line in edited.read_text()


FALSIFIED = {
    "evaluator.py": ("25", "26"),
    "evaluator.mjs": ('"cutoff": 25', '"cutoff": 26'),
    "evaluator.sql": ("25e0", "26e0"),
    "table.json": ('"cutoff": 25', '"cutoff": 26'),
    "card.html": ("rate</span> ≥ 25", "rate ≥ 26"),
    "handout.html": ("≥ 25", "≥ 26"),
}


@pytest.mark.parametrize("name", FALSIFIED)
def test_a_falsified_substitute_is_found(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    kinds = {".py": "python", ".mjs": "javascript", ".sql": "sql", ".json": "json"}
    if path.suffix in kinds:
        content = export(LIST, kinds[path.suffix])
    else:
        content = (make_card if name == "card.html" else make_handout)(LIST, "html")
    path.write_bytes(content)
    assert not any(one.disagrees for one in check(LIST, [path]))
    text = content.decode()
    old, new = FALSIFIED[name]
    old = (
        old
        if old in text
        else "≥\N{NO-BREAK SPACE}25"
        if "≥\N{NO-BREAK SPACE}25" in text
        else "≥ 25"
    )
    assert old in text
    path.write_bytes(text.replace(old, new, 1).encode())
    assert any(one.disagrees for one in check(LIST, [path]))

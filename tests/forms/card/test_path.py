"""A path is followed on the finished paper: every answer ends as in the list, or it is refused."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from scorecard.core.model import Condition, ScoringList
from scorecard.core.policy import StoppingPolicy
from scorecard.documents.json_document import read_list
from scorecard.forms.card.contents import CardOptions
from scorecard.forms.card.make import Paper, PrintedFile, card_page, card_pdf
from scorecard.forms.card.read_path import PrintedPath, path_in_pages
from scorecard.printing.finished import printed_pages
from scorecard.printing.refusals import CardError, NoRoomError
from tests.forms.card.printed_cards import POINT, assert_decides_like, ward_list
from tests.lists import counted

DEMO = Path(__file__).parents[3] / "output" / "model.json"


def drawn(
    scoring_list: ScoringList,
    size: str = "a6",
    language: str = "en",
    policy: StoppingPolicy | None = POINT,
    **paper: object,
) -> tuple[PrintedPath, PrintedFile]:
    given = Paper(size, layout="path", **paper)  # type: ignore[arg-type]
    file = card_pdf(scoring_list, policy, CardOptions(language=language), given)
    path = path_in_pages(printed_pages(file.content))
    assert path is not None
    return path, file


@pytest.mark.parametrize(
    ("size", "language", "questions", "orientation"),
    [
        ("a6", "en", 2, None),
        ("a6", "de", 3, None),  # the third has negative points: its arrows go to the left
        ("a5", "en", 4, None),
        ("a4", "de", 4, "portrait"),
    ],
)
def test_a_path_decides_like_its_list(
    size: str, language: str, questions: int, orientation: str | None
) -> None:
    path, file = drawn(ward_list(questions), size, language, orientation=orientation)
    assert_decides_like(path, file)
    front, back = printed_pages(file.content)
    assert not front.tables
    assert len(back.tables[0]) == 1 + len(file.view.path.behind)


def test_the_demo_has_no_numbers_to_add() -> None:
    path, file = drawn(read_list(DEMO), policy=None, size="a4")
    text = printed_pages(file.content)[0].text
    assert "+3" not in text
    assert path.follow([False, False])[0].text == "▼ benign 3 %"


def test_answers_that_contradict_each_other_have_no_arrow() -> None:
    older = ward_list(2, points=(3, 2))
    asked = [
        replace(question, input="age", condition=Condition(">=", cutoff))
        for question, cutoff in zip(older.questions, (65, 50), strict=True)
    ]
    path, _ = drawn(replace(older, questions=tuple(asked), evidence=None))
    assert path.follow([True, True])[1] == 2
    with pytest.raises(CardError, match="No arrow"):
        path.follow([True, False])


@pytest.mark.parametrize(
    ("found", "planted", "message"),
    [
        ("label.text", '("no" if label.text == "yes" else "yes")', "the printed path ends"),
        ("arrow.line", '"M0 0L10 10"', "no word beside it"),
        ("row.label", '"Age"', "the printed path asks"),
        ("box.heading", '"▲ likely"', "the printed path ends"),
        ("chip.figure", '"7 %"', "The back of the path has"),
    ],
)
def test_a_template_that_draws_something_else_is_refused(
    tmp_path: Path, found: str, planted: str, message: str
) -> None:
    (tmp_path / "card").mkdir()
    for name in ("path.html.j2", "_parts.html.j2"):
        text = (Path(__file__).parents[3] / "templates" / "card" / name).read_text(encoding="utf-8")
        wrong = text.replace(f"{{{{ {found} }}}}", f"{{{{ {planted} }}}}")
        (tmp_path / "card" / name).write_text(wrong, encoding="utf-8")
    with pytest.raises(CardError, match=message):
        drawn(ward_list(2), template_dir=tmp_path)


def test_what_cannot_be_followed_is_refused_with_the_layout_that_fits() -> None:
    with pytest.raises(NoRoomError, match="use the layout staircase"):
        drawn(ward_list(8))
    with pytest.raises(CardError, match="not for 'credit-card'"):
        drawn(ward_list(2), "credit-card")
    with pytest.raises(CardError, match=r"\.pdf or \.png"):
        card_page(ward_list(2), POINT, None, Paper(layout="path"))
    with pytest.raises(CardError, match="'round' is not a layout"):
        card_pdf(ward_list(2), POINT, None, Paper(layout="round"))


@pytest.mark.parametrize("size", ["a5", "a4", "letter"])
def test_six_questions_are_a_path_upright_where_that_has_larger_type(size: str) -> None:
    # Yes to any question ends it, so there are two boxes in each row.
    answers = ["".join(one) for one in product("01", repeat=6)]
    ladder = {one: (20 if "1" in one else 2000, 20 * ("1" in one)) for one in answers}
    six = replace(counted((2, 2, 2, 1, 1, 1), ladder), about=ward_list(1).about)
    path, file = drawn(six, size)
    assert len(path.questions) == len(file.staircase.questions)
    assert_decides_like(path, file)
    (front, *_) = printed_pages(file.content)
    lying = drawn(six, size, orientation="landscape")[1] if size == "a4" else file
    assert float(file.page.body.removesuffix("pt")) >= float(lying.page.body.removesuffix("pt"))
    assert (front.width > front.height) == (file.page.width > file.page.height)


def test_an_arrow_past_a_question_is_refused() -> None:
    path, _ = drawn(ward_list(3, points=(3, 2, 1)), "a5")
    arrows = {place: (number + 1, there) for place, (number, there) in path.arrows.items()}
    with pytest.raises(CardError, match="Question 2 is asked where 1 was expected"):
        replace(path, arrows=arrows).follow([True])


def test_every_answer_has_exactly_one_arrow() -> None:
    path, file = drawn(ward_list(3, points=(3, 2, 1)), "a5")
    for answers in product((True, False), repeat=3):
        end, taken = path.follow(answers)
        assert (end.decision, taken) == (
            file.staircase.decide(answers).decision,
            file.staircase.decide(answers).stage,
        )

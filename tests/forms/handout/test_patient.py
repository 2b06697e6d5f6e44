"""The page for a patient: plain words, squares that are counted, no points."""

from __future__ import annotations

import re
from pathlib import Path

import page as pdf_page
import pytest

from scorecard import make_handout
from scorecard.core.model import ScoringList
from scorecard.core.policy import StoppingPolicy
from scorecard.documents.json_document import read_list
from scorecard.errors import ScorecardError
from scorecard.forms.card.contents import CardOptions, card_staircase
from scorecard.forms.handout.patient import check_arrays, patient_view
from scorecard.printing.finished import printed_pages
from scorecard.printing.jinja import environment, rendered
from scorecard.printing.refusals import CardError
from scorecard.words.language import languages
from tests.cross_validated import cross_validated_list
from tests.forms.card.printed_cards import POINT, ward_list
from tests.lists import MARBURG, counted
from tests.printed_handouts import example_lists

RARE = counted((1,), {"0": (9000, 2), "1": (1000, 82)})


def page_of(scoring_list: ScoringList, **look: object) -> str:
    return make_handout(scoring_list, "html", reader="patient", **look).decode()


def test_a_patient_is_told_the_risk_as_people_and_no_points() -> None:
    # 24 of 64 cases are ruled out, 1 of them with the outcome; nobody adds anything.
    html = page_of(ward_list(3), policy=POINT)
    text = " ".join(re.sub(r"(?s)<(style|title|svg).*?</\1>|<[^>]*>", " ", html).split())
    view = patient_view(card_staircase(ward_list(3), POINT), CardOptions())
    for result in view.results:
        assert result.name in text
        assert all(line in text for line in result.told)
    assert "With this result, " in text
    assert not re.search(r"[▼▲◆]|\+[0-9]|Points|Total", text)
    assert "<script" not in html


def test_the_squares_are_those_of_cross_validation_as_the_handout_has_them() -> None:
    listed = cross_validated_list()
    staircase = card_staircase(listed)
    tally = staircase.cross_validated
    assert tally is not None
    view = patient_view(staircase, CardOptions())
    cases, positives = tally.ruled_out
    (first,) = view.results[0].arrays
    assert first.full.count("M") == int(100 * positives / cases + 0.5)
    assert first.risk in view.results[0].told[1]


def test_a_published_score_tells_from_where_to_where_a_result_goes() -> None:
    view = patient_view(
        card_staircase(MARBURG, StoppingPolicy(0.1, 0.2, by="point")), CardOptions()
    )
    told = {result.name: result.told for result in view.results}
    assert told["Unlikely"] == (
        "Of the people with this result, from 1 of 100 to 5 of 100 have it.",
    )
    assert told["Likely"] == (
        "Of the people with this result, from 25 of 100 to 60 of 100 have it.",
    )


def test_no_sign_stands_for_fewer_than_one() -> None:
    view = patient_view(
        card_staircase(RARE, StoppingPolicy(0.005, 0.05, by="point")), CardOptions()
    )
    assert view.results[0].told[1] == "With this result, fewer than 1 of 1000 people have it."
    assert "<1" not in " ".join(view.texts)
    sure = counted((1,), {"0": (90, 9), "1": (60, 60)})
    (_, high) = patient_view(card_staircase(sure, POINT), CardOptions()).results
    assert high.told[1] == "With this result, more than 99 of 100 people have it."


def test_without_limits_one_risk_is_told_and_nothing_is_called_unclear() -> None:
    view = patient_view(card_staircase(cross_validated_list(signal=0.0)), CardOptions())
    assert [result.name for result in view.results] == ["Your risk after all questions"]


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("path", example_lists(Path(__file__).parents[3]), ids=lambda p: p.stem)
def test_the_print_is_read_back_and_can_be_heard(path: Path, language: str) -> None:
    pdf = make_handout(read_list(path), "pdf", reader="patient", language=language)
    report = pdf_page.validate_pdf_bytes(pdf, profile=pdf_page.ValidationProfile.PDF_UA_1)
    assert [str(failure) for failure in report.failures] == []
    assert len(printed_pages(pdf)) <= 2


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("{{ line }}", "", "is not on the printed handout"),
        ("result.arrays %}{{ parts.icons(array", "result.arrays %}{{ parts.icons(view.before", ""),
        ("{{ card.figures_short }}", "", "is not on the printed handout"),
    ],
)
def test_a_template_that_tells_something_else_is_refused(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    source = Path(__file__).parents[3] / "templates" / "handout" / "patient.html.j2"
    (tmp_path / "handout").mkdir()
    text = source.read_text("utf-8")
    assert old in text
    (tmp_path / "handout" / "patient.html.j2").write_text(text.replace(old, new), "utf-8")
    for file_format in ("html", "pdf"):
        with pytest.raises(CardError, match=message or "has the squares"):
            make_handout(
                ward_list(3), file_format, policy=POINT, reader="patient", template_dir=tmp_path
            )
    environment.cache_clear()


def test_a_square_too_many_is_noticed() -> None:
    view = patient_view(card_staircase(ward_list(3), POINT), CardOptions())
    from scorecard.forms.handout.make import LIGHT

    html = rendered(
        "handout/patient.html.j2", None, view=view, card=view.card, colours=LIGHT, style=""
    )
    check_arrays(html, view)
    with pytest.raises(CardError, match="has the squares"):
        check_arrays(html.replace('class="i-full" d="', 'class="i-full" d="M1 1h8v8h-8z', 1), view)


def test_other_readers_are_refused() -> None:
    with pytest.raises(ScorecardError, match="'nurse' is no reader of a handout; expected one of"):
        make_handout(ward_list(2), policy=POINT, reader="nurse")

"""What a handout says, without a browser: its words, figures, pictures and its one safe file."""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import fields, replace
from hashlib import sha256
from html.parser import HTMLParser
from itertools import pairwise, product
from pathlib import Path

import pytest
from hypothesis import given, settings

from scorecard.core.build_staircase import build_staircase
from scorecard.core.evidence import Tally, Validation
from scorecard.core.model import Answer, Condition, Question, Risk, ScoringList, Stage
from scorecard.core.performance import figures_of_merit, rate
from scorecard.core.policy import StoppingPolicy
from scorecard.core.question import ConditionKind
from scorecard.core.staircase import Staircase
from scorecard.errors import ScorecardError
from scorecard.files import templates_folder
from scorecard.forms.card.contents import CardOptions, card_view, view_of
from scorecard.forms.card.path import every_way
from scorecard.forms.handout.calculator import calculator_texts, what_can_come
from scorecard.forms.handout.example import Example, ExampleStep
from scorecard.forms.handout.make import Paper, check_handout, handout_html, handout_pdf, sources_of
from scorecard.forms.handout.pictures import Chart, IconArray, icon_array, icon_counts
from scorecard.forms.handout.view import HandoutOptions, HandoutView, MeritRow, handout_view
from scorecard.words.language import language_named, languages
from scorecard.words.wording import Wording
from tests.cross_validated import cross_validated_list
from tests.exhaustive import many
from tests.forms.card.printed_cards import POINT, ward_list
from tests.lists import MARBURG, TABLE_1, counted, stage
from tests.printed_handouts import LETTERS, THROAT, page_of, staircases, throat

VOID = {"meta", "img", "br"}


class Reader(HTMLParser):
    """The elements of a page, and whether all of them are closed."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


# What it says -----------------------------------------------------------------------------------


def test_the_stops_of_a_question_are_told_once_as_numbers() -> None:
    assert handout_view(throat()).stops == ((), (), ("▼ ≤ 1", "▲ ≥ 5", "◆ 2 to 4"))


def test_the_stops_of_a_full_last_row_are_those_of_its_card() -> None:
    """A stop for certain cuts a total off that the last row of a published score still shows."""
    risks = {-1: 0.1, 0: 0.18, 1: 0.25, 2: 0.43}
    stages = (None, None, Stage(tuple(risks), tuple(map(Risk, risks.values()))))
    listed = ScoringList((Question("a", -1), Question("b", 2)), stages)
    staircase = build_staircase(listed, StoppingPolicy(0.3, 0.9, by="point", curtail="all"))
    assert staircase.steps[-1].rule_out_at == 0  # −1 has stopped before, and 1 comes of it
    card = card_view(listed, staircase.policy)
    assert [row.rule_out for row in card.rows] == ["≤ −1", "≤ 1"]
    assert handout_view(staircase).stops == (("▼ ≤ −1",), ("▼ ≤ 1", "◆ 2"))


def test_the_example_is_the_most_frequent_decided_way_with_a_yes() -> None:
    example = handout_view(throat()).example
    assert "40 of the cases behind the list answer like this, 40 of them" in example.origin
    # Coughing is no to "Cough: no": the input itself is asked for.
    assert [(s.question, s.answer) for s in example.steps] == [
        ("Temperature ≥ 38.5 °C:", "yes"),
        ("Cough:", "no"),
        ("Swollen nodes:", "yes"),
    ]
    assert example.steps[-1].result.endswith("▲ treat.")


@given(staircases())
def test_the_example_adds_points_wherever_a_case_did(staircase: Staircase) -> None:
    evidence = staircase.scoring_list.evidence
    ways = [
        pattern.answers[: staircase.decide([LETTERS[one] for one in pattern.answers]).stage]
        for pattern in (evidence.patterns if evidence else ())
        if pattern.cases
    ]
    if any("1" in way and "?" not in way for way in ways):
        scores = [step.score for step in handout_view(staircase).example.steps]
        assert any(not score.startswith("0,") for score in scores)


def test_the_example_counts_all_who_stop_by_the_answers_it_shows() -> None:
    patterns = {"10": (35, 0), "11": (15, 1), "1?": (4, 0), "00": (30, 12), "01": (30, 18)}
    example = handout_view(build_staircase(counted((-2, 1), patterns), POINT)).example
    assert len(example.steps) == 1
    assert "54 of the cases behind the list answer like this, 1 of them" in example.origin


def test_the_calculator_shows_the_box_that_a_total_shares() -> None:
    patterns = {"00": (30, 0), "10": (40, 20), "01": (40, 20)}
    staircase = build_staircase(counted((1, 1), patterns), POINT)
    one, both = (handout_view(staircase).calculator["boxes"][2][total] for total in "12")
    assert (both["risk"], both["counts"]) == (one["risk"], one["counts"])
    assert both["counts"] == "40 of 80 cases"


def test_the_calculator_says_where_few_were_seen() -> None:
    staircase = build_staircase(counted((1,), {"0": (50, 1), "1": (9, 9)}), POINT)
    few = handout_view(staircase).calculator["boxes"][1]["1"]
    assert (few["risk"], few["probability"], few["counts"]) == ("", None, "few seen")


def test_joint_ranges_and_single_intervals_are_told_apart() -> None:
    view = handout_view(throat())
    assert "hold together" in view.ranges
    assert "each for its figure alone" in view.merit_notes[-1]
    assert view.ranges in " ".join(Reader(page_of(throat())).text)
    assert handout_view(build_staircase(MARBURG)).ranges == ""


def test_without_evidence_the_reasons_are_told() -> None:
    view = handout_view(build_staircase(MARBURG))
    assert view.merit == ()
    assert view.shares is None
    assert "answer patterns" in view.merit_notes[0]
    assert "answer patterns" in view.shares_note
    assert view.example.origin.startswith("Made up")
    assert len(view.icons) == 4  # one for each total that can be reached at the end


@pytest.mark.parametrize(
    ("origin", "told"), [("held-out", "had no say"), ("training", "that chose the questions")]
)
def test_where_the_figures_of_merit_come_from_is_told(origin: str, told: str) -> None:
    scoring_list = replace(THROAT, risk_source=replace(THROAT.risk_source, origin=origin))
    view = handout_view(build_staircase(scoring_list, throat().policy))
    assert len(view.merit) == 8
    assert told in view.merit_notes[0]
    assert [row.name for row in view.merit][:2] == [
        "Missed with ▼",
        "Right with ▲",
    ]
    assert view.merit[1].value == "95 of 100"
    assert view.merit[1].counts == "62/65"
    assert all(row.interval for row in view.merit)


def test_cross_validation_and_a_test_are_told_in_their_own_words() -> None:
    scoring_list = cross_validated_list(seed=3, cases=600, signal=3.0)
    policy = StoppingPolicy(0.2, 0.7)
    staircase = build_staircase(scoring_list, policy)
    tally = Tally((40, 1), (50, 48), (10, 5), 2.0)
    test = Validation("ward B, 2025", "other table", policy, tally)
    tested = build_staircase(replace(scoring_list, validations=(test,)), policy)
    checked = {fact.term: fact.text for fact in handout_view(tested).checked}
    steady = "How steady the questions are"
    assert list(checked) == ["Cross-validation", "Test on new cases", steady]
    seen = staircase.cross_validated
    assert seen is not None
    out, missed = seen.ruled_out
    assert f"{missed} of {out} with ▼ had the outcome" in checked["Cross-validation"]
    assert "sure" not in checked["Cross-validation"]  # nothing is proven by it
    assert "Of the 3 lists of cross-validation" in checked[steady]
    assert "(ward B, 2025)" in checked["Test on new cases"]
    assert "90 % sure: at most 9.4 of 100" in checked["Test on new cases"].replace("\xa0", " ")


def test_figures_of_a_cross_validated_list_are_those_of_the_lists_that_did_not_see_the_case() -> (
    None
):
    staircase = build_staircase(cross_validated_list(seed=3, cases=600, signal=3.0))
    tally, merit = staircase.cross_validated, figures_of_merit(staircase)
    assert tally is not None
    assert merit is not None
    assert merit.ends.missed == rate(tally.ruled_out[1], tally.ruled_out[0])
    assert merit.auc is not None
    assert 0.5 < merit.auc.value < 1


def test_what_a_list_says_about_its_use_is_told_and_nothing_is_made_up() -> None:
    plain = handout_view(throat())
    assert [fact.term for fact in plain.facts] == [
        "For",
        "Temperature",  # what is meant by it
        "Before the first question",
    ]
    assert plain.next_steps == ()
    given = replace(
        THROAT.about,
        outcome_sentence="Risk that it is bacterial",
        when_to_use="at the first visit",
        not_for="children",
        pitfalls="after antibiotics",
        next_steps_rule_in="penicillin for 7 days",
        setting="two practices",
        dates="2024",
    )
    view = handout_view(build_staircase(replace(THROAT, about=given), throat().policy))
    assert view.outcome == "Risk that it is bacterial"
    told = {fact.term: fact.text for fact in (*view.facts, *view.provenance)}
    assert told["When to use it"] == "at the first visit"
    assert told["Not for"] == "children"
    assert told["Pitfalls"] == "after antibiotics"
    assert (told["Setting"], told["Cases seen"]) == ("two practices", "2024")
    assert [(f.term, f.text) for f in view.next_steps] == [("▲ treat:", "penicillin for 7 days")]
    assert view.calculator["next"]["in"] == "penicillin for 7 days"


@pytest.mark.parametrize("points", [(3, 2), (3, 2, 1), (3, -2)])
def test_arrows_of_the_path_lead_where_the_answers_do(points: tuple[int, ...]) -> None:
    staircase = build_staircase(ward_list(len(points), points), POINT)
    view = handout_view(staircase)
    assert view.path is not None
    assert view.path.heading in page_of(staircase)
    kinds = {"rule out": "out", "rule in": "in", "undecided": "undecided"}
    for way in every_way(staircase):
        assert (
            followed(view.path, way, view.card.words["yes"])
            == kinds[staircase.decide(way).decision]
        )


def followed(chart: Chart, answers: tuple[bool, ...], yes: str) -> str:
    """The look of the box where these answers end, from the places of boxes, lines and words."""
    boxes = [(float(b.x), float(b.y), float(b.width), float(b.height), b.kind) for b in chart.bars]
    here = min(boxes, key=lambda box: box[1])
    for answer in answers:
        ways = []
        for line in chart.lines:
            (x, top), (end, bottom) = (
                tuple(map(float, place.split()))
                for place in (line.course[1:].split("L")[0], line.course.split("L")[-1])
            )
            near = [
                (abs(float(word.x) - x), word.text)
                for word in chart.labels
                if 0 < float(word.y) - top < 15
            ]
            rows = [box[1] for box in boxes if box[1] < top]
            inside = here[0] < x < here[0] + here[2] and here[1] == max(rows)
            if inside and (min(near)[1] == yes) == answer:
                ways += [b for b in boxes if b[0] < end < b[0] + b[2] and 0 < b[1] - bottom < 12]
        (here,) = ways
    return here[4]


def test_a_path_too_wide_for_the_page_is_left_out() -> None:
    assert handout_view(build_staircase(ward_list(6), POINT)).path is None


def test_the_shares_of_each_question_fill_its_bar() -> None:
    chart = handout_view(throat()).shares
    assert chart is not None
    rows: dict[str, float] = {}
    for bar in chart.bars:
        rows[bar.y] = rows.get(bar.y, 0.0) + float(bar.width)
    assert all(abs(width - 312) < 0.1 for width in rows.values())
    assert "After question 3: 41 with ▼, 27 with ▲." in chart.alternative


def test_german_has_a_decimal_comma() -> None:
    view = handout_view(throat(), HandoutOptions(CardOptions(language="de")))
    brier = next(row for row in view.merit if row.name == "Brier-Score")
    assert re.fullmatch(r"0,\d{3}", brier.value)
    assert view.language == "de"
    assert view.calculator["comma"] is True


@pytest.mark.parametrize(
    ("probability", "per", "squares"),
    [
        (0, 100, (0, 1)),
        (0.004, 100, (0, 1)),
        (0.01, 100, (1, 0)),
        (0.245, 100, (25, 0)),
        (0.99, 100, (99, 0)),
        (0.995, 100, (99, 1)),
        (1, 100, (99, 1)),
        (0.0042, 1000, (4, 0)),
    ],
)
def test_an_icon_array_shows_what_is_said(
    probability: float, per: int, squares: tuple[int, int]
) -> None:
    assert icon_counts(probability, per) == squares
    wording = replace(Wording.of(THROAT), per=per)
    array = icon_array(probability, wording, "", "", "on")
    drawn = [array.full, array.part, array.empty]
    assert [path.count("M") for path in drawn] == [*squares, per - sum(squares)]
    said = wording.risk(probability).lstrip("<>")
    assert int(said) == (squares[0] or 1)


@given(staircases())
def test_what_can_come_is_what_some_answers_lead_to(staircase: Staircase) -> None:
    ahead = what_can_come(staircase)
    count = len(staircase.questions)
    ends: dict[tuple[int, int], set[tuple[str, int]]] = {}
    for answers in product((False, True), repeat=count):
        last = staircase.decide(answers)
        for place in places_on_the_way(staircase, answers):
            ends.setdefault(place, set()).add((last.decision, last.stage - place[0]))
    # After the last question that decides, others may sharpen the risk.
    assert {place for place in ahead if place[0] <= count} == set(ends)
    for place, found in ends.items():
        assert {what for what, _ in found} == ahead[place].decisions
        assert min(more for _, more in found) == ahead[place].fewest
        assert max(more for _, more in found) == ahead[place].most


@pytest.mark.parametrize(
    ("kind", "turned"), [("yes", False), ("present", False), ("no", True), ("missing", True)]
)
def test_who_gets_the_points_for_a_no_is_told_so(kind: ConditionKind, turned: bool) -> None:
    """The page asks for the input itself: where the list asks for its absence, a no counts."""
    listed = ScoringList((Question("x", 2, Condition(kind)),), (None, stage(p0=0.01, p2=0.9)))
    staircase = build_staircase(listed, POINT)
    (asked,) = calculator_texts(staircase, Wording.of(staircase), "", "")["questions"]
    assert asked["turned"] is turned
    assert ("2" in asked["no_points"], "2" in asked["yes_points"]) == (turned, not turned)


def test_the_risks_that_can_come_are_those_of_a_stop_for_certain_too() -> None:
    marburg = build_staircase(MARBURG, StoppingPolicy(rule_out=0.1, rule_in=0.2, by="point"))
    assert what_can_come(marburg)[0, 0].risks == (0.01, 0.6)


def test_the_longest_way_counts_where_ways_differ() -> None:
    staircase = build_staircase(TABLE_1, StoppingPolicy(0.2, 0.6, by="point"))
    ahead = what_can_come(staircase)[0, 0]
    stages = {staircase.decide(each).stage for each in product((False, True), repeat=4)}
    assert (ahead.fewest, ahead.most) == (min(stages), max(stages))
    assert ahead.fewest < ahead.most


def places_on_the_way(staircase: Staircase, answers: tuple[Answer, ...]) -> set[tuple[int, int]]:
    outcomes = [staircase.decide(answers[:count]) for count in range(len(answers) + 1)]
    return {(outcome.stage, outcome.lowest.total) for outcome in outcomes}


# The file ---------------------------------------------------------------------------------------


def test_the_file_is_complete_small_and_closed() -> None:
    html = page_of(throat(), embed_fonts=True)
    assert len(html.encode()) < 300_000
    reader = Reader(html)
    assert reader.open == []
    for tag, attributes in reader.elements:
        assert not [name for name in attributes if name.startswith("on") or name == "style"]
        for name in ("src", "href", "action"):
            assert (attributes.get(name) or "#").startswith(("#", "data:")), (tag, attributes)
    assert "http:" not in html.replace("http://www.w3.org/2000/svg", "")
    assert "https:" not in html


def test_script_and_style_are_named_by_their_hashes() -> None:
    html = page_of(throat())
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', html)
    assert policy is not None
    told = policy[1].replace("&#39;", "'")
    assert told.startswith("default-src 'none'; ")
    assert "unsafe" not in told
    for tag in ("script", "style"):
        (content,) = re.findall(rf"<{tag}>(.*?)</{tag}>", html, re.S)
        hashed = b64encode(sha256(content.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{hashed}'" in told


def test_the_same_list_gives_the_same_bytes() -> None:
    assert page_of(throat(), embed_fonts=True) == page_of(throat(), embed_fonts=True)


@settings(max_examples=many(60))
@given(staircases())
def test_any_list_becomes_a_well_formed_page_with_one_script(staircase: Staircase) -> None:
    reader = Reader(page_of(staircase))
    assert reader.open == []
    tags = [tag for tag, _ in reader.elements]
    assert (tags.count("script"), tags.count("style"), tags.count("h1")) == (1, 1, 1)
    assert not [a for _, attributes in reader.elements for a in attributes if a.startswith("on")]


def test_no_heading_is_skipped_and_every_picture_has_words() -> None:
    reader = Reader(page_of(throat()))
    levels = [int(tag[1]) for tag, _ in reader.elements if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    pictures = [attributes for tag, attributes in reader.elements if tag == "svg"]
    assert len(pictures) == 6
    assert all(attributes["role"] == "img" for attributes in pictures)
    assert all(len(attributes["aria-label"] or "") > 20 for attributes in pictures)


def test_what_a_reader_must_know_is_on_the_page() -> None:
    text = " ".join(Reader(page_of(throat())).text)
    for words in (
        "adults with a sore throat",
        "Supports, does not replace, clinical judgement.",
        "Not validated elsewhere.",
        "It never counts as no.",
        "Rule out at a risk of at most 5",
        "CC0",
        "f" * 64,
        "1234abcd",
    ):
        assert words in text


def test_a_template_of_ones_own_comes_first(tmp_path: Path) -> None:
    own = tmp_path / "handout" / "handout.html.j2"
    own.parent.mkdir()
    own.write_text(
        '{% extends "default:handout/handout.html.j2" %}{% block footer %}Our ward{% endblock %}',
        encoding="utf-8",
    )
    staircase = throat()
    html = handout_html(
        handout_view(staircase), sources_of(staircase), template_dir=tmp_path, embed_fonts=False
    )
    assert "Our ward" in html


def test_what_a_template_may_use_is_written_down() -> None:
    told = (templates_folder() / "README.md").read_text(encoding="utf-8")
    for view in (HandoutView, MeritRow, Chart, IconArray, Example, ExampleStep):
        for one in fields(view):
            assert f"`{one.name}`" in told, one.name


def test_the_fixed_words_need_no_other_font() -> None:
    from font_source_sans_pro import font_directory
    from fontTools.ttLib import TTFont

    with TTFont(Path(font_directory) / "SourceSansPro-Regular.ttf") as font:
        known = font.getBestCmap()
    texts = "".join(text for code in languages() for text in language_named(code).words.values())
    assert {letter for letter in texts if ord(letter) not in known} == set()


# On paper ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("paper", "size"), [("a4", (595, 842)), ("letter", (612, 792))])
@pytest.mark.parametrize("language", ["en", "de"])
def test_the_pdf_has_every_question_total_and_count(
    paper: Paper, size: tuple[int, int], language: str
) -> None:
    pdfium = pytest.importorskip("pypdfium2")
    view = handout_view(throat(), HandoutOptions(CardOptions(language=language)))
    document = pdfium.PdfDocument(handout_pdf(view, paper=paper))
    assert {tuple(map(round, page.get_size())) for page in document} == {size}
    pages = [page.get_textpage().get_text_bounded() for page in document]
    text = " ".join(" ".join(pages).split())
    for row in view.card.rows:
        assert row.label in text
        for box in row.boxes:
            assert box.counts in text
    for fact in view.provenance:
        assert fact.term in text
    assert len(pages) == 2


@pytest.mark.parametrize("language", ["es", "fr"])
def test_the_pdf_is_accessible(language: str) -> None:
    page = pytest.importorskip("page")
    options = HandoutOptions(CardOptions(language=language))
    for staircase in (throat(), build_staircase(MARBURG)):
        report = page.validate_pdf_bytes(
            handout_pdf(handout_view(staircase, options)), profile="ua1"
        )
        assert report.is_compliant, [failure.message for failure in report.failures]


def test_a_text_that_is_not_printed_is_refused() -> None:
    view = handout_view(throat())
    pdf = handout_pdf(view)
    card = view_of(throat(), CardOptions(title="Another title"))
    other = replace(view, card=card)
    with pytest.raises(ScorecardError, match="'Another title' is not on the printed handout"):
        check_handout(pdf, other)


def test_the_pdf_is_the_same_twice() -> None:
    view = handout_view(throat())
    assert handout_pdf(view) == handout_pdf(view)


def test_what_is_counted_on_the_cases_that_chose_the_questions_is_told() -> None:
    scoring_list = cross_validated_list(cases=400, signal=3.0)
    staircase = build_staircase(scoring_list, StoppingPolicy(0.2, 0.7, by="point"))
    assert staircase.cross_validated is None
    assert handout_view(staircase).merit_notes[0].startswith("From the cases that chose the")

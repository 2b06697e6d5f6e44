"""The page in a browser: any size, without a mouse, a network or good manners in its texts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from scorecard import make_handout
from scorecard.core.build_staircase import build_staircase
from scorecard.core.model import About
from scorecard.core.staircase import Staircase
from scorecard.documents.json_document import read_list
from scorecard.forms.handout.make import Sources, sources_of
from scorecard.words.language import languages
from scorecard.words.wording import printable
from tests.conftest import ROOT
from tests.printed_handouts import LIMITS, THROAT, example_lists, page_of, throat
from tests.strategies import HOSTILE_TEXTS

PHONE = {"width": 320, "height": 640}
SCREENS = [PHONE, {"width": 390, "height": 844}, {"width": 820, "height": 1180}]
SCREENS += [{"width": 1440, "height": 900}, {"width": 2560, "height": 1440}]
STATES: list[list[str]] = [[], ["yes"], ["no", "yes", "no"], ["yes", "no", "yes"], ["unknown"] * 3]


def hostile() -> Staircase:
    """Every text of the list tries to break out of the page."""
    texts = [text for text in HOSTILE_TEXTS if printable(text)]
    script = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"
    questions = tuple(
        replace(question, label=script + texts[place], unit=texts[place + 3], note=texts[place + 6])
        for place, question in enumerate(THROAT.questions)
    )
    about = About(*[f"{script}{text}" for text in texts[:13]])
    provenance = ((script, script),)
    return build_staircase(
        replace(THROAT, questions=questions, about=about, provenance=provenance), LIMITS
    )


def staircases() -> list[Any]:
    lists = [read_list(path) for path in example_lists(ROOT)]
    names = [path.stem for path in example_lists(ROOT)]
    return [
        *(
            pytest.param(build_staircase(one), id=name)
            for one, name in zip(lists, names, strict=True)
        ),
        pytest.param(throat(), id="throat"),
        pytest.param(hostile(), id="hostile"),
    ]


# Without cells that have no size: where totals are stacked the stops stand in the boxes.
SHOWN_IN_ROWS = """rows => rows.map(row =>
    [...row.cells].filter(cell => cell.offsetWidth > 0).map(cell => cell.innerText).join(" "))"""


def overflow(page: Any) -> int:
    width = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert isinstance(width, int)
    return width


@pytest.mark.parametrize("staircase", staircases())
def test_nothing_scrolls_sideways_on_a_phone_in_any_state(
    tabs: Callable[..., Any], staircase: Staircase
) -> None:
    tab = tabs(viewport=PHONE)
    page = tab.open(staircase)
    assert overflow(page) <= 0
    while page.is_visible('[data-say="yes"]'):
        tab.press("yes")
        assert overflow(page) <= 0


@pytest.mark.parametrize("screen", SCREENS, ids=lambda screen: str(screen["width"]))
def test_nothing_scrolls_sideways_on_any_screen(tabs: Callable[..., Any], screen: Any) -> None:
    assert overflow(tabs(viewport=screen).open(throat())) <= 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("screen", [PHONE, SCREENS[3]], ids=["phone", "desktop"])
@pytest.mark.parametrize("language", ["en", "de"])
def test_axe_finds_no_violation_in_any_state(
    tabs: Callable[..., Any], scheme: str, screen: Any, language: str
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    tab = tabs(viewport=screen, color_scheme=scheme)
    for buttons in STATES:
        page = tab.open(throat(), language=language)
        for say in buttons:
            if page.is_visible(f'[data-say="{say}"]'):
                tab.press(say)
        results = axe.run(page)
        assert results.violations_count == 0, results.generate_report()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("staircase", staircases()[-2:])
def test_the_page_for_a_patient_is_accessible_and_fits_a_phone(
    tabs: Callable[..., Any], staircase: Staircase, scheme: str
) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    for screen in (PHONE, SCREENS[3]):
        listed, policy = staircase.scoring_list, staircase.policy
        html = make_handout(listed, reader="patient", policy=policy).decode()
        page = tabs(viewport=screen, color_scheme=scheme).open_text(html)
        assert overflow(page) <= 0
        results = axe.run(page)
        assert results.violations_count == 0, results.generate_report()


@pytest.mark.parametrize("staircase", staircases())
def test_axe_finds_no_violation_in_any_example(tab: Any, staircase: Staircase) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    results = axe.run(tab.open(staircase))
    assert results.violations_count == 0, results.generate_report()


def test_everything_can_be_done_with_the_keyboard(tab: Any) -> None:
    page = tab.open(throat())
    keys = page.keyboard

    def tab_to(say: str) -> None:
        for _ in range(40):
            keys.press("Tab")
            if page.evaluate("document.activeElement.dataset.say") == say:
                return
        raise AssertionError(f"{say} cannot be reached")

    keys.press("Tab")
    assert page.evaluate("document.activeElement.getAttribute('href')") == "#calculator"
    keys.press("Enter")
    keys.press("Tab")
    assert page.evaluate("document.activeElement.id") == "value"
    keys.type("39")
    keys.press("Enter")  # a value, straight from its field
    assert page.evaluate("document.activeElement.id") == "now"
    assert page.inner_text("#state .total dd") == "2"
    tab_to("yes")
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    keys.press("Space")
    tab_to("no")
    keys.press("Enter")
    assert page.get_attribute("#state", "data-decision") == "undecided"
    tab_to("back")
    keys.press("Enter")
    assert page.get_attribute("#state", "data-decision") == "go on"
    tab_to("restart")
    keys.press("Enter")
    assert page.get_attribute("#state", "data-stage") == "0"


def test_a_screen_reader_hears_total_risk_and_decision(tab: Any) -> None:
    page = tab.open(throat())
    assert page.get_attribute("#live", "aria-live") == "polite"
    tab.press("no")
    assert page.inner_text("#live").startswith("Total 0. Risk ")
    tab.press("yes", "no")
    assert "no antibiotic" in page.text_content("#live")


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("width", [320, 390])
def test_unknown_stands_beside_yes_and_no(
    tabs: Callable[..., Any], width: int, language: str
) -> None:
    page = tabs(viewport={"width": width, "height": 800}).open(throat(), language=language)
    boxes = [page.locator(f'[data-say="{say}"]').bounding_box() for say in ("yes", "no", "unknown")]
    assert len({round(box["y"]) for box in boxes}) == 1
    assert [box["x"] for box in boxes] == sorted(box["x"] for box in boxes)
    assert boxes[-1]["x"] + boxes[-1]["width"] <= width - 16
    assert overflow(page) <= 0


def test_targets_are_large_enough_for_a_thumb(tabs: Callable[..., Any]) -> None:
    tab = tabs(viewport=PHONE)
    page = tab.open(throat())
    for buttons in (["yes"], ["no", "no"]):
        boxes = [one.bounding_box() for one in page.locator("button, input, summary").all()]
        assert len(boxes) > 5
        assert all(box["height"] >= 44 for box in boxes)
        tab.press(*buttons)


def test_the_note_holds_the_whole_result_and_is_copied(tabs: Callable[..., Any]) -> None:
    tab = tabs(permissions=["clipboard-read", "clipboard-write"])
    page = tab.open(throat())
    page.fill("#value", "39.2")
    page.press("#value", "Enter")
    tab.press("no", "yes", "copy")
    note = page.input_value("#note")
    assert note.splitlines() == [
        "Sore throat · v2.1 · 2026-01-15 · 1234abcd",
        "1. Temperature ≥ 38.5 °C: 39.2 (Yes) (+2)",
        "2. Cough: No (+1)",
        "3. Swollen nodes: Yes (+3)",
        "Total: 6",
        "Risk (bacterial infection): >99 of 100",
        "95 % range: from 86".replace(" %", "\N{NO-BREAK SPACE}%"),
        "Observed: 40 of 40 cases",
        "Stop, after 3 of 3 questions ▲ treat",
        "Supports, does not replace, clinical judgement.",
    ]
    page.wait_for_function("document.getElementById('copied').textContent === 'Copied.'")
    assert page.evaluate("navigator.clipboard.readText()") == note


def test_nothing_is_stored(tab: Any) -> None:
    page = tab.open(throat())
    tab.press("yes", "no", "yes")
    assert tab.context.storage_state() == {"cookies": [], "origins": []}
    page.reload()
    assert page.get_attribute("#state", "data-stage") == "0"


def test_what_can_still_change_is_told(tab: Any) -> None:
    page = tab.open(throat())
    lines = page.locator(".change li").all_inner_texts()
    assert lines[0].startswith(
        "It can still end with: ▼ no antibiotic, ◆ undecided: take a swab, ▲"
    )
    tab.press("no", "yes", "yes")
    assert page.locator(".change").count() == 0


@pytest.mark.parametrize(
    ("language", "typed", "answer"),
    [
        ("en", "38.5", "Yes"),
        ("en", " 38.49 ", "No"),
        ("en", "−3", "No"),
        ("en", "4e1", "Yes"),
        ("de", "38,5", "Ja"),
        ("de", "38,4", "Nein"),
        ("de", "38.5", "Ja"),
        ("de", "39", "Ja"),
    ],
)
def test_numbers_are_read_as_the_language_writes_them(
    tab: Any, language: str, typed: str, answer: str
) -> None:
    page = tab.open(throat(), language=language)
    page.fill("#value", typed)
    page.press("#value", "Enter")
    assert f"({answer})" in page.inner_text("#record")


@pytest.mark.parametrize(
    ("language", "typed", "complaint"),
    [
        ("en", "", "Enter a number"),
        ("en", "38,5", "“38,5” has a comma"),
        ("en", "hot", "“hot” is not a number. Enter one such as 38.5"),
        ("en", "38.5 °C", "is not a number"),
        ("en", "yes", "is not a number"),
        ("en", "1e999", "too large"),
        ("en", "0x20", "is not a number"),
        ("en", "<b>1</b>", "“<b>1</b>” is not a number"),
        ("de", "1.500", "auf zwei Arten"),
        ("de", "1.500,5", "auf zwei Arten"),
        ("de", "1,5,5", "mehr als ein Komma"),
        ("de", "heiß", "keine Zahl wie 38,5".replace("keine Zahl wie", "Eine Zahl wie")),
    ],
)
def test_nonsense_gets_a_message_at_the_field(
    tab: Any, language: str, typed: str, complaint: str
) -> None:
    page = tab.open(throat(), language=language)
    page.fill("#value", typed)
    page.press("#value", "Enter")
    assert complaint in page.inner_text("#fault")
    assert page.get_attribute("#value", "aria-invalid") == "true"
    assert page.evaluate("document.activeElement.id") == "value"
    assert page.get_attribute("#state", "data-stage") == "0"


def test_hostile_texts_are_shown_as_they_are(tab: Any) -> None:
    staircase = hostile()
    page = tab.open(staircase)
    assert page.locator("script").count() == 1
    assert page.locator("img").count() == 0
    assert page.inner_text("h1") == " ".join(printable(staircase.scoring_list.about.title).split())
    tab.press("yes", "no", "yes")
    label = printable(staircase.questions[0].label)
    assert label in page.input_value("#note")
    assert page.evaluate("window.length") == 0


def test_a_page_that_disagrees_with_its_list_says_so_in_red(tab: Any) -> None:
    staircase = throat()
    right = sources_of(staircase)
    steps = [*right.table["steps"]]
    first, *others = steps[-1]["boxes"]
    steps[-1] = {**steps[-1], "boxes": [{**first, "decision": "rule in"}, *others]}
    wrong = Sources({**right.table, "steps": steps}, right.checks)
    page = tab.open(staircase, sources=wrong)
    assert page.is_visible("#broken")
    assert page.inner_text("#broken").startswith("Do not use this calculator")
    assert page.is_hidden("#panel")


def test_a_changed_cut_off_is_noticed(tab: Any) -> None:
    staircase = throat()
    right = sources_of(staircase)
    first, *others = right.table["questions"]
    moved = {**first, "condition": {**first["condition"], "cutoff": 38.4}}
    wrong = Sources({**right.table, "questions": [moved, *others]}, right.checks)
    page = tab.open(staircase, sources=wrong)
    assert page.is_visible("#broken")


def test_a_file_that_was_changed_afterwards_does_not_start(browser: Any, tmp_path: Any) -> None:
    from tests.browser.conftest import Tab

    tab = Tab(browser, tmp_path)
    html = page_of(throat())
    page = tab.open_text(html.replace('"cutoff": 38.5', '"cutoff": 37.5'))
    assert html != tab.file.read_text(encoding="utf-8")
    assert page.is_visible("#not-started")
    assert page.is_hidden("#panel")
    tab.close()


def test_the_page_may_ask_for_nothing_and_runs_nothing_else(browser: Any, tmp_path: Any) -> None:
    from tests.browser.conftest import Tab

    tab = Tab(browser, tmp_path)
    page = tab.open(throat())
    assert tab.complaints == []
    page.evaluate(
        """() => {
          document.body.insertAdjacentHTML("beforeend", '<a id="x" onclick="window.ran = 1">x</a>');
          const script = document.createElement("script");
          script.textContent = "window.ran = 2";
          document.body.append(script);
          document.getElementById("x").click();
        }"""
    )
    assert page.evaluate("window.ran") is None
    refused = "fetch('https://example.org').then(() => 'sent', (error) => error.name)"
    assert page.evaluate(refused) == "TypeError"
    assert all("Content Security Policy" in line or "Refused" in line for line in tab.complaints)
    assert len(tab.complaints) >= 3
    tab.close()


@pytest.mark.parametrize("staircase", staircases()[:-1])  # the last one has texts without end
def test_on_a_phone_the_calculator_comes_first_and_the_page_is_short(
    tabs: Callable[..., Any], staircase: Staircase
) -> None:
    page = tabs(viewport={"width": 390, "height": 844}).open(staircase)
    assert page.evaluate("document.querySelector('.answers').getBoundingClientRect().bottom") < 844
    assert page.evaluate("document.documentElement.scrollHeight") <= 5000


def test_the_staircase_marks_the_box_one_is_in(tab: Any) -> None:
    page = tab.open(throat())

    def marked() -> list[str]:
        found = page.eval_on_selector_all(".box.here", "boxes => boxes.map(one => one.dataset.at)")
        return list(found)

    assert marked() == []
    tab.press("yes")
    assert marked() == ["1 2"]
    tab.press("unknown")
    assert marked() == ["2 2", "2 3"]
    tab.press("back", "back")
    assert marked() == []


@pytest.mark.parametrize("staircase", staircases())
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_printing_cuts_no_row_and_loses_nothing(tab: Any, staircase: Staircase, paper: str) -> None:
    pdfium = pytest.importorskip("pypdfium2")
    from scorecard.forms.card.contents import CardOptions
    from scorecard.forms.handout.make import handout_html
    from scorecard.forms.handout.view import HandoutOptions, handout_view

    view = handout_view(staircase, HandoutOptions(CardOptions()))
    page = tab.open_text(handout_html(view, sources_of(staircase), paper=paper, embed_fonts=False))
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 680 if paper == "a4" else 702, "height": 900})
    assert overflow(page) <= 0
    assert page.is_hidden("#calculator")
    rows = page.eval_on_selector_all(".staircase tbody tr, .figures tbody tr", SHOWN_IN_ROWS)
    assert len(rows) >= len(staircase.questions)
    document = pdfium.PdfDocument(page.pdf(prefer_css_page_size=True))
    width, height = document[0].get_size()
    assert (round(width), round(height)) == {"a4": (595, 842), "letter": (612, 792)}[paper]
    pages = ["".join(one.get_textpage().get_text_bounded().split()) for one in document]
    for row in rows:
        assert any(all(word in text for word in row.split()) for text in pages), row

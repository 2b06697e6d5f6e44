"""The studio in a browser: from a table to a checked PDF, with a mouse, and with keys alone."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from scorecard import api
from scorecard.documents.json_document import read_list
from tests.studio.conftest import cases

pytest.importorskip("uvicorn", reason='python -m pip install "psl-scorecard[studio]"')

TABLET = {"width": 1024, "height": 768}


class Seat:
    """A running studio, and tabs in a browser that look at it."""

    def __init__(self, browser: Any, address: str, table: Path) -> None:
        self.browser, self.address, self.table = browser, address, table
        self.contexts: list[Any] = []
        self.complaints: list[str] = []

    def tab(self, **context: Any) -> Any:
        made = self.browser.new_context(**{"viewport": TABLET, **context})
        self.contexts.append(made)
        page = made.new_page()
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", self._requested)
        page.on("dialog", self._asked)
        page.goto(self.address)
        page.wait_for_selector("main h1")
        return page

    def _heard(self, message: Any) -> None:
        # The browser itself tells of each answer that is a refusal.
        if message.type in ("error", "warning") and "Failed to load resource" not in message.text:
            self.complaints.append(message.text)

    def _requested(self, request: Any) -> None:
        own = self.address.partition("#")[0]
        if not request.url.startswith((own, "blob:", "data:")):
            self.complaints.append(f"request {request.url}")

    def _asked(self, dialog: Any) -> None:
        self.complaints.append(f"dialog {dialog.message}")
        dialog.dismiss()

    def learned(self, page: Any) -> Any:
        page.set_input_files("#file", self.table)
        page.select_option('[data-key="outcome"]', "ill")
        page.click('[data-key="value-yes"]')
        page.wait_for_selector("main.columns table")
        page.click('[data-key="onward"]')
        page.click("main.limits [data-key=onward]")
        page.wait_for_selector("main.list .rows")
        return page


@pytest.fixture
def seat(browser: Any, tmp_path: Path) -> Iterator[Seat]:
    from scorecard.studio.serve import listening
    from scorecard.studio.session import Session

    table = tmp_path / "cases.csv"
    table.write_text(cases(), encoding="utf-8")
    with Session() as session, listening(session) as one:
        thread = threading.Thread(target=one.run)
        thread.start()
        made = Seat(browser, one.address, table)
        yield made
        for context in made.contexts:
            context.close()
        one.server.should_exit = True
        thread.join()
    assert made.complaints == []


def texts(page: Any) -> list[str]:
    found = page.locator(".question .text").all_inner_texts()
    assert isinstance(found, list)
    return found


def after(page: Any, do: Callable[[], Any]) -> Any:
    """Do something, and wait for the card that comes of it."""
    before = page.get_attribute("iframe.card", "src")
    do()
    page.wait_for_function(
        "old => { const card = document.querySelector('iframe.card');"
        " return card && card.getAttribute('src') !== old && !document.body.matches('.busy'); }",
        arg=before,
    )
    return page


def test_from_a_table_to_a_checked_pdf(seat: Seat, tmp_path: Path) -> None:
    page = seat.learned(seat.tab())
    page.click('[data-key="onward"]')
    with page.expect_response("**/api/files"):
        page.click('[data-key="make"]')
    page.wait_for_selector(".made")
    for name in ("model.json", "card-a6.pdf"):
        with page.expect_download() as download:
            page.click(f'.downloads button:text-is("{name}")')
        assert download.value.suggested_filename == name
        download.value.save_as(tmp_path / name)
    found = read_list(tmp_path / "model.json")
    (verdict,) = api.check(found, [tmp_path / "card-a6.pdf"])
    assert verdict.agrees
    with page.expect_download() as download:
        page.click('[data-key="zip"]')
    assert download.value.suggested_filename == "card.zip"


def test_questions_are_edited_with_the_mouse(seat: Seat) -> None:
    page = seat.learned(seat.tab())
    first = texts(page)
    grip, third = page.locator(".grip").first, page.locator(".rows > li").nth(2)
    box, target = grip.bounding_box(), third.bounding_box()

    def drag() -> None:
        page.mouse.move(box["x"] + 10, box["y"] + 10)
        page.mouse.down()
        page.mouse.move(box["x"] + 10, target["y"] + target["height"] - 4, steps=5)
        page.mouse.up()

    after(page, drag)
    assert texts(page)[:3] == [first[1], first[2], first[0]]
    after(page, lambda: page.click('[data-key="undo"]'))
    assert texts(page) == first
    points = page.locator(".points output")
    before = int(points.first.inner_text())
    after(page, lambda: page.click('[data-key="more-0"]'))
    assert int(points.first.inner_text()) == before + 1
    after(page, lambda: page.click('[data-key="remove-1"]'))
    assert texts(page) == [first[0], *first[2:]]
    after(page, lambda: page.click('[data-key="lock-0"]'))
    after(page, lambda: page.click('[data-key="fill"]'))
    assert texts(page)[0] == first[0]
    for _ in range(3):
        after(page, lambda: page.click('[data-key="undo"]'))
    after(page, lambda: page.click('[data-key="redo"]'))
    assert int(points.first.inner_text()) == before + 1
    assert page.locator(".change").first.inner_text()


def test_the_same_with_keys_alone(seat: Seat) -> None:
    page = seat.learned(seat.tab())
    first = texts(page)
    page.focus('[data-key="grip-0"]')
    after(page, lambda: page.keyboard.press("ArrowDown"))
    assert texts(page)[:2] == [first[1], first[0]]
    assert page.evaluate("document.activeElement.dataset.key") == "grip-1"
    after(page, lambda: page.keyboard.press("ArrowUp"))
    number = next(place for place, text in enumerate(first) if "≥" in text)
    page.focus(f'[data-key="row-{number}"]')
    page.keyboard.press("Enter")
    page.focus(f'[data-key="slider-{number}"]')
    after(page, lambda: page.keyboard.press("ArrowRight"))
    assert texts(page)[number] != first[number]
    assert page.evaluate("document.activeElement.dataset.key") == f"slider-{number}"
    page.fill(f'[data-key="label-{number}"]', "<b>Word</b>")
    after(page, lambda: page.keyboard.press("Tab"))
    assert texts(page)[number].startswith("<b>Word</b> ≥")
    order = page.evaluate(
        "[...document.querySelectorAll('button, input, select, summary, a')]"
        ".filter(one => one.tabIndex < 0).length"
    )
    assert order == 0


def test_a_wrong_file_is_told_where_it_was_dropped(seat: Seat) -> None:
    page = seat.tab()
    wrong = {"name": "a.csv", "mimeType": "text/csv", "buffer": b"PK\x03\x04 no table"}
    page.set_input_files("#file", wrong)
    page.wait_for_selector("#notice p")
    assert "spreadsheet" in page.inner_text("#notice")
    assert page.locator(".drop").is_visible()
    seat.learned(page)
    assert page.inner_text("#notice") == ""


def test_no_name_or_value_of_a_table_becomes_a_part_of_the_page(seat: Seat) -> None:
    evil = "<img src=x onerror=alert(1)><script>alert(2)</script>"
    text = cases().replace("crp", evil).replace(",a,", f",{evil},").replace("P00001", evil)
    seat.table.write_text(text, encoding="utf-8")
    page = seat.learned(seat.tab())
    place = next(at for at, text in enumerate(texts(page)) if evil in text)
    page.click(f'[data-key="row-{place}"]')
    page.fill(f'[data-key="unit-{place}"]', "</iframe><img src=x>")
    after(page, lambda: page.keyboard.press("Tab"))
    assert page.locator("main img, main script").count() == 0
    for step in ("table", "columns", "files"):
        page.click(f'[data-key="step-{step}"]')
        assert page.locator("main img, main script").count() == 0


def test_two_tabs_show_the_same(seat: Seat) -> None:
    one, other = seat.learned(seat.tab()), seat.tab()
    other.wait_for_selector("main.list .rows")
    after(one, lambda: one.click('[data-key="remove-0"]'))
    other.wait_for_function(
        "count => document.querySelectorAll('.rows > li').length === count", arg=len(texts(one))
    )
    assert texts(other) == texts(one)


def test_without_the_key_nothing_is_shown(seat: Seat) -> None:
    seat.learned(seat.tab())
    page = seat.browser.new_context().new_page()
    page.goto(seat.address.partition("#")[0])
    page.wait_for_selector(".wait")
    page.wait_for_function("() => document.querySelector('.wait').textContent.includes('terminal')")
    assert page.locator(".rows").count() == 0
    page.context.close()


def test_a_server_that_is_gone_is_told(seat: Seat) -> None:
    page = seat.tab()
    page.route("**/api/**", lambda route: route.abort())
    page.wait_for_selector("#notice p")
    assert "has ended" in page.inner_text("#notice")
    page.unroute("**/api/**")
    page.wait_for_function("() => document.querySelector('#notice').textContent === ''")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_step_is_for_everybody(seat: Seat, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page = seat.tab(color_scheme=scheme)

    def clean() -> None:
        page.wait_for_timeout(100)
        found = axe.run(page, options={"iframes": False})
        assert found.violations_count == 0, found.generate_report()
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0

    clean()
    page.set_input_files("#file", seat.table)
    page.select_option('[data-key="outcome"]', "ill")
    clean()
    page.click('[data-key="step-table"]')
    clean()
    page.click('[data-key="step-outcome"]')
    page.click('[data-key="value-yes"]')
    page.wait_for_selector("main.columns table")
    clean()
    page.click('[data-key="onward"]')
    page.click('[data-key="limits-true"]')
    clean()
    page.click("main.limits [data-key=limits-false]")
    page.click('[data-key="keep-out"]')
    page.click("main.limits [data-key=onward]")
    page.wait_for_selector("main.list .rows")
    page.click('[data-key="row-0"]')
    page.evaluate("() => document.querySelectorAll('details').forEach(one => { one.open = true })")
    page.fill('[data-key="version"]', "As learned")
    page.click('[data-key="keep"]')
    page.wait_for_selector("[aria-label=Versions] tbody tr")
    assert page.locator('[data-key="word-title"]').is_visible()  # what was open stays so
    page.click('[data-key="row-0"]')
    clean()
    page.click('[data-key="step-files"]')
    clean()


@pytest.mark.parametrize("language", ["de", "fr", "es"])
def test_the_card_speaks_other_languages(seat: Seat, language: str) -> None:
    page = seat.learned(seat.tab())
    after(page, lambda: page.select_option('[data-key="language"]', language))
    frame = page.frame_locator("iframe.card")
    assert frame.locator("html").get_attribute("lang") == language

"""A real browser, without a network; tests are skipped, visibly, where there is none."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from scorecard.core.staircase import Staircase
from tests.printed_handouts import page_of

# Moving the focus makes the browser lay out the page anew each time, and nobody is looking.
DRIVE = """(ways) => {
  HTMLElement.prototype.focus = () => {};
  return ways.map((buttons) => {
  const press = (say) => document.querySelector(`#panel [data-say="${say}"]`).click();
  if (document.querySelector('[data-say="restart"]')) press("restart");
  for (const say of buttons) {
    if (!document.querySelector('[data-say="yes"]')) break;
    press(say);
  }
  const state = document.getElementById("state");
  const text = (name) => state.querySelector(`.${name} dd`).textContent;
  return {
    ...state.dataset,
    total: text("total"),
    risk: text("risk"),
    heading: document.getElementById("now").textContent,
  };
});
}"""


def program(root: Path) -> str | None:
    spec = importlib.util.spec_from_file_location("bootstrap", root / ".ci" / "bootstrap.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found = module.find_browser()
    return None if found is None else str(found)


@pytest.fixture(scope="session")
def browser(root: Path) -> Iterator[Any]:
    found = program(root)
    if found is None:
        pytest.skip("no chromium here, the handout is not tested in a browser (see make test)")
    playwright = pytest.importorskip("playwright.sync_api")
    # Chromium refuses its sandbox to root, who owns many containers.
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(
            executable_path=found, args=["--no-sandbox"] if is_root else []
        )
        yield browser
        browser.close()


class Tab:
    """A page of the browser that is offline and remembers everything that should not happen."""

    def __init__(self, browser: Any, folder: Path, **context: Any) -> None:
        self.context = browser.new_context(offline=True, **context)
        self.page = self.context.new_page()
        self.file = folder / "handout.html"
        self.complaints: list[str] = []
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("dialog", self._dismiss)
        self.page.on("request", self._look_at)

    def _dismiss(self, dialog: Any) -> None:
        self.complaints.append(f"dialog {dialog.message}")
        dialog.dismiss()

    def _look_at(self, request: Any) -> None:
        if request.url != self.file.as_uri() and not request.url.startswith("data:"):
            self.complaints.append(f"request {request.url}")

    def open(self, staircase: Staircase, **options: Any) -> Any:
        return self.open_text(page_of(staircase, **options))

    def open_text(self, html: str) -> Any:
        self.file.write_text(html, encoding="utf-8")
        self.page.goto(self.file.as_uri())
        return self.page

    def press(self, *buttons: str) -> None:
        for say in buttons:
            self.page.click(f'[data-say="{say}"]')

    def drive(self, ways: list[list[str]]) -> list[dict[str, str]]:
        """Where each way of pressing buttons leads, as the page tells it."""
        found = self.page.evaluate(DRIVE, ways)
        assert isinstance(found, list)
        return found

    def close(self) -> None:
        self.context.close()


@pytest.fixture
def tabs(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Tab]]:
    """Open tabs of any size; whatever any of them complains about fails the test."""
    opened: list[Tab] = []

    def new(**context: Any) -> Tab:
        opened.append(Tab(browser, tmp_path, **context))
        return opened[-1]

    yield new
    complaints = [complaint for tab in opened for complaint in tab.complaints]
    for tab in opened:
        tab.close()
    assert complaints == []


@pytest.fixture
def tab(tabs: Callable[..., Tab]) -> Tab:
    return tabs()


@pytest.fixture(scope="module")
def shared_tab(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tab]:
    """One tab for the many examples of a property."""
    tab = Tab(browser, tmp_path_factory.mktemp("handouts"))
    yield tab
    tab.close()

"""The calculator of a fresh handout says what the list says, in a browser and in Node."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from dataclasses import replace

import pytest

from scorecard.api import make_handout
from scorecard.core.build_staircase import build_staircase
from scorecard.core.policy import StoppingPolicy
from scorecard.core.staircase import Staircase
from scorecard.forms.found import Work, differences
from tests.benchmarks import falsifications as corpus
from tests.lists import MARBURG
from tests.running.browser import find_browser
from tests.running.calculators import driven, script_form

in_a_browser = pytest.mark.skipif(find_browser() is None, reason="no chromium here")
in_node = pytest.mark.skipif(shutil.which("node") is None, reason="no node here")
# There an unknown answer may lead to one total after different numbers of questions.
SCORE = build_staircase(replace(MARBURG, policy=StoppingPolicy(0.05, 0.2, by="point")))
PAGES = {
    "rich": (corpus.STAIRCASE, make_handout(corpus.LIST, "html", **corpus.LOOK)),
    "score": (SCORE, make_handout(SCORE.scoring_list, language="fr")),
}


def shown(page: str, staircase: Staircase) -> Sequence[str]:
    """What the calculator of a page says otherwise than the list."""
    return driven(page.encode(), Work(staircase)).faults


@in_a_browser
@pytest.mark.parametrize("name", PAGES)
def test_the_calculator_agrees_in_a_browser(name: str) -> None:
    staircase, page = PAGES[name]
    assert shown(page.decode(), staircase) == []


@in_node
@pytest.mark.parametrize("name", PAGES)
def test_its_script_agrees_in_node(name: str) -> None:
    staircase, page = PAGES[name]
    work = Work(staircase)
    found = script_form(page, work)
    assert found.cases
    assert list(differences(found, work)) == []


@in_a_browser
def test_buttons_that_send_something_else_are_found() -> None:
    page = without_guard(PAGES["rich"][1].decode())
    turned = page.replace("() => answer(!asked.turned)", "() => answer(asked.turned)", 1)
    assert turned != page
    wrong = shown(turned, corpus.STAIRCASE)
    assert len(wrong) > 10
    assert wrong[0].startswith("in a browser")
    asking = page.replace("<body>", '<body><img src="/x.png">', 1)
    assert "it asks for /x.png" in shown(asking, corpus.STAIRCASE)[0]


def without_guard(page: str) -> str:
    """The page without the policy that keeps a changed script from running."""
    return re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page)

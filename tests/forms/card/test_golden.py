"""Whole cards as HTML, compared with files a person has looked at.

`UPDATE_GOLDEN=1 pytest tests/forms/card/test_golden.py` writes them anew: look at the change.
"""

from pathlib import Path

import pytest

from scorecard.forms.card.contents import CardOptions, card_staircase, view_of
from scorecard.forms.card.layout import CardPlan, page_for
from scorecard.forms.card.make import card_html
from scorecard.forms.card.sizes import size_named
from tests.forms.card.printed_cards import POINT, ward_list
from tests.golden_files import RENEWING, compared

CARDS: dict[str, tuple[str, CardPlan, str]] = {
    "card-a6-en": ("a6", CardPlan("staircase", further=True), "en"),
    "card-a6-two-sided-en": ("a6", CardPlan("two-sided"), "en"),
    "card-credit-card-en": (
        "credit-card",
        CardPlan("staircase", "compact", about_behind=True),
        "en",
    ),
    "card-a6-de": ("a6", CardPlan("staircase", further=True), "de"),
}


@pytest.mark.parametrize("name", CARDS)
def test_the_card_is_as_it_was(root: Path, name: str) -> None:
    size, plan, language = CARDS[name]
    view = view_of(
        card_staircase(ward_list(2), POINT), CardOptions(language=language, identity="3f9a1c")
    ).on(plan.layout)
    html = card_html(view, page_for(view, size_named(size), plan))
    golden = root / "tests" / "golden" / f"{name}.html"
    assert html == compared(golden, html), RENEWING

"""Whole cards as HTML, compared with files a person has looked at.

`UPDATE_GOLDEN=1 pytest tests/rendering/test_card_golden.py` writes them anew: look at the change.
"""

import os
from pathlib import Path

import pytest

from scorecard.cards.contents import CardOptions, view_of
from scorecard.cards.html import card_html
from scorecard.cards.layout import page_for
from scorecard.cards.make import card_staircase
from scorecard.cards.sizes import LayoutKind, size_named
from tests.cards.printed_cards import POINT, ward_list

CARDS: dict[str, tuple[str, LayoutKind, str]] = {
    "card-a6-en": ("a6", "staircase", "en"),
    "card-a6-behind-en": ("a6", "staircase-behind", "en"),
    "card-credit-card-en": ("credit-card", "two-sided", "en"),
    "card-a6-de": ("a6", "staircase", "de"),
}


@pytest.mark.parametrize("name", CARDS)
def test_the_card_is_as_it_was(root: Path, name: str) -> None:
    size, layout, language = CARDS[name]
    view = view_of(
        card_staircase(ward_list(4), POINT), CardOptions(language=language, identity="3f9a1c")
    )
    html = card_html(view, page_for(view, size_named(size), layout, "roomy"))
    golden = root / "tests" / "golden" / f"{name}.html"
    if os.environ.get("UPDATE_GOLDEN"):
        golden.write_text(html, encoding="utf-8")
    assert html == golden.read_text(encoding="utf-8")

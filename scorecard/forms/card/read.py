"""Compare a printed card with the one that is made here."""

from __future__ import annotations

from scorecard.forms.origin import Origin
from scorecard.forms.printed import found, origin_of_page

__all__ = ["found", "origin"]


def origin(content: bytes) -> Origin | None:
    return origin_of_page("card", content)

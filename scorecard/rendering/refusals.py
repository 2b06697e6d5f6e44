"""Why a card cannot be made."""

from __future__ import annotations

from scorecard.errors import ScorecardError


class CardError(ScorecardError, ValueError):
    """A card that cannot be printed as asked: it does not fit, a glyph is missing …"""


class NoRoomError(CardError):
    """The list does not fit on this size at readable type; another size may do."""

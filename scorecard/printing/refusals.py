"""Why a card cannot be made."""

from __future__ import annotations

from math import inf

from scorecard.errors import ScorecardError


class CardError(ScorecardError, ValueError):
    """A card that cannot be printed as asked: it does not fit, a glyph is missing …"""


class NoRoomError(CardError):
    """The list does not fit on this size at readable type; another size may do.

    `missing` is how many millimetres it lacks, as far as they can be told.
    """

    def __init__(self, message: str, missing: float = inf) -> None:
        super().__init__(message)
        self.missing = missing

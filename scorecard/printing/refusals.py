"""Why a card cannot be made, and the commands that install what no Python package brings."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from math import inf

from scorecard.errors import ScorecardError

# The command of each package manager, tried in this order.
PANGO_COMMANDS = {
    "apt-get": "apt-get install -y libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0",
    "dnf": "dnf install -y pango harfbuzz",
    "apk": "apk add so:libpango-1.0.so.0 so:libpangoft2-1.0.so.0 so:libharfbuzz-subset.so.0",
    "brew": "brew install pango",
    "pacman": "pacman -S --noconfirm pango harfbuzz",
}
PANGO_ON_WINDOWS = "pacman -S --noconfirm mingw-w64-ucrt-x86_64-pango (in an MSYS2 shell)"


class CardError(ScorecardError, ValueError):
    """A card that cannot be printed as asked: it does not fit, a glyph is missing …"""


class NoPangoError(CardError):
    """The library that draws PDFs is missing; everything else can still be made."""

    def __init__(self) -> None:
        super().__init__(
            "PDF needs the library Pango, which is not installed here: run"
            f" '{pango_command()}', or write the card as .html."
        )


class NoRoomError(CardError):
    """The list does not fit on this size at readable type; another size may do.

    `missing` is how many millimetres it lacks, as far as they can be told.
    """

    def __init__(self, message: str, missing: float = inf) -> None:
        super().__init__(message)
        self.missing = missing


def pango_command() -> str:
    """What installs the library that draws the PDFs."""
    if os.name == "nt":
        return PANGO_ON_WINDOWS
    for manager, command in PANGO_COMMANDS.items():
        if shutil.which(manager):
            return command if manager == "brew" or _is_root() else f"sudo {command}"
    return "install pango and harfbuzz with your package manager"


def _is_root() -> bool:
    user: Callable[[], int] | None = getattr(os, "geteuid", None)
    return user is not None and user() == 0

"""How loops are compiled: once per machine, cached, and announced when it happens."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar, cast

import numba
from numba.core import event

Function = TypeVar("Function", bound=Callable[..., Any])

logger = logging.getLogger("scorecard.learning")

ANNOUNCEMENT = "compiling the search for this machine (once, about ten seconds) …"


def compiled(signature: str) -> Callable[[Function], Function]:
    """Compile for exactly one signature, so that no call ever compiles a second variant."""

    def decorate(function: Function) -> Function:
        try:
            return _compile(function, signature, cache=True)
        except RuntimeError:  # neither the package nor a user cache folder can be written
            return _compile(function, signature, cache=False)

    return decorate


def _compile(function: Function, signature: str, cache: bool) -> Function:
    # like numpy, a division by zero is not an exception; no loop here divides by a count
    return cast(
        Function,
        numba.njit(signature, cache=cache, nogil=True, error_model="numpy")(function),
    )


class _FirstCompilation(event.Listener):
    """Tells of the first loop that numba compiles; loading one from the cache is no such event."""

    def __init__(self, tell: Callable[[], object]) -> None:
        self._tell: Callable[[], object] | None = tell

    def on_start(self, _event: Any) -> None:
        tell, self._tell = self._tell, None
        if tell is not None:
            tell()

    def on_end(self, _event: Any) -> None:
        pass


@contextmanager
def announced(announce: Callable[[str], None] | None = None) -> Iterator[None]:
    """Say so, once, if the body compiles loops rather than loading them from the cache."""
    tell = announce or logger.info
    with event.install_listener("numba:compile", _FirstCompilation(lambda: tell(ANNOUNCEMENT))):
        yield

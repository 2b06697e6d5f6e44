"""How loops are compiled: once per machine, cached, and announced when it takes time."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar, cast

import numba

Function = TypeVar("Function", bound=Callable[..., Any])

logger = logging.getLogger("scorecard.learning")

# Loading the compiled loops from the cache takes well under this; compiling them takes longer.
PATIENCE = 1.5
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


@contextmanager
def announced(announce: Callable[[str], None] | None = None) -> Iterator[None]:
    """Say that loops are being compiled, if the body takes longer than a cached start would."""
    timer = threading.Timer(PATIENCE, announce or logger.info, args=(ANNOUNCEMENT,))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()

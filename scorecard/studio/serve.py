"""The page on this machine: a port that nobody else has, its first address, the end on Ctrl-C."""

from __future__ import annotations

import secrets
import signal
import socket
import threading
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

import uvicorn

from scorecard.studio.app import studio_app
from scorecard.studio.session import Session

HERE = "127.0.0.1"
QUEUE = 32


@dataclass(frozen=True)
class Listening:
    """A server with its socket, and the address that opens its page."""

    server: uvicorn.Server
    socket: socket.socket
    address: str

    def run(self) -> None:
        """Answer until somebody ends it."""
        self.server.run(sockets=[self.socket])


@contextmanager
def listening(session: Session) -> Iterator[Listening]:
    """A server for this session, at a port that is free.

    The token stands behind a #, which a browser sends to nobody.
    """
    token = secrets.token_urlsafe(32)
    with socket.create_server((HERE, 0), backlog=QUEUE) as opened:
        port = opened.getsockname()[1]
        config = uvicorn.Config(
            studio_app(session, token, port),
            log_level="critical", access_log=False, lifespan="off", server_header=False,
            limit_concurrency=QUEUE, timeout_graceful_shutdown=1,
        )  # fmt: skip
        yield Listening(uvicorn.Server(config), opened, f"http://{HERE}:{port}/#{token}")


def serve(session: Session, tell: Callable[[str], None], *, browser: bool = True) -> None:
    """Show the session until somebody ends it; `tell` is given the address that opens it."""
    with listening(session) as one:
        _end_with_the_terminal(one.server)
        tell(one.address)
        if browser:
            threading.Thread(target=webbrowser.open, args=[one.address], daemon=True).start()
        with suppress(KeyboardInterrupt):
            one.run()


def _end_with_the_terminal(server: uvicorn.Server) -> None:
    """Tidy up when the terminal is closed, too: a copy of the table would be left behind."""

    def end(*_: object) -> None:
        server.should_exit = True

    for name in ("SIGTERM", "SIGHUP"):  # the second one not on Windows
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), end)

"""The page on this machine: a port that nobody else has, its first address, the end on Ctrl-C."""

from __future__ import annotations

import secrets
import socket
import threading
import webbrowser
from collections.abc import Callable

import uvicorn

from scorecard.studio.app import studio_app
from scorecard.studio.session import Session

HERE = "127.0.0.1"
QUEUE = 32


def serve(session: Session, tell: Callable[[str], None], *, browser: bool = True) -> None:
    """Show the session until somebody ends it; `tell` is given the address that opens it.

    The token stands behind a #, which a browser sends to nobody.
    """
    token = secrets.token_urlsafe(32)
    with socket.create_server((HERE, 0), backlog=QUEUE) as listening:
        port = listening.getsockname()[1]
        address = f"http://{HERE}:{port}/#{token}"
        tell(address)
        if browser:
            threading.Thread(target=webbrowser.open, args=[address], daemon=True).start()
        config = uvicorn.Config(
            studio_app(session, token, port),
            log_level="critical", access_log=False, lifespan="off", server_header=False,
            limit_concurrency=QUEUE, timeout_graceful_shutdown=1,
        )  # fmt: skip
        uvicorn.Server(config).run(sockets=[listening])

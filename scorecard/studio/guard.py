"""Who may talk to the server: the page that it gave out itself, from this machine, with its token.

A page of another site can make a browser send requests here, and by a name of its own that it turns
to 127.0.0.1 even read the answers. So a request has to name this very server as its host, may come
from no other origin, and has to bring the token, which only the first address has.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BYTES = 512 * 2**20  # of a table
MOST_BYTES_ASKED = 2**20  # of everything else that the page sends
TABLE, ASKED, FRAME = "/api/table", "/api/", "/frame/"
TOKEN = b"x-studio-token"

PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src"
    " 'self'; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none';"
    " frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)
# A card is one file with its style, pictures and fonts inside; nothing of it may run or load.
FRAME_POLICY = (
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:;"
    " base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
)
HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


class TooLargeError(Exception):
    """More came than is read; the message says what to do."""


@dataclass(frozen=True)
class Guard:
    """Refuses what another page, program or user may have sent; gives every answer its policy."""

    app: ASGIApp
    token: str
    port: int

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return
        refused = self._refused(scope["path"], dict(scope["headers"]))
        if refused:
            await _refuse(send, *refused)
            return

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                policy = FRAME_POLICY if scope["path"].startswith(FRAME) else PAGE_POLICY
                told = {**HEADERS, "content-security-policy": policy}
                message["headers"] = [*message["headers"], *_encoded(told)]
            await send(message)

        await self.app(scope, _limited(receive, _most(scope["path"])), sending)

    def _refused(self, path: str, headers: Mapping[bytes, bytes]) -> tuple[int, str] | None:
        """Why a request is not answered."""
        names = [f"{host}:{self.port}" for host in ("127.0.0.1", "localhost")]
        if headers.get(b"host", b"").decode("latin-1") not in names:
            return 421, "This is not the address of this server."
        origin = headers.get(b"origin", b"").decode("latin-1")
        site = headers.get(b"sec-fetch-site", b"none")
        if origin and origin not in [f"http://{name}" for name in names]:
            return 403, "Another page may not use this server."
        if path.startswith((ASKED, FRAME)) and site not in (b"none", b"same-origin"):
            return 403, "Another page may not use this server."
        if not path.startswith(ASKED):
            return None
        if not secrets.compare_digest(headers.get(TOKEN, b""), self.token.encode()):
            return 401, "Open the address that the terminal shows: it has the key to this page."
        length = headers.get(b"content-length", b"0")
        if not length.isdigit() or int(length) > _most(path):
            return 413, _too_large(_most(path))
        return None


def _most(path: str) -> int:
    return MOST_BYTES if path == TABLE else MOST_BYTES_ASKED


def _too_large(most: int) -> str:
    return f"This is too large: at most {most // 2**20} MB are read here. Use the command line."


def _limited(receive: Receive, most: int) -> Receive:
    """The same, ending where more comes than was said, or than is read."""
    read = 0

    async def receiving() -> Message:
        nonlocal read
        message = await receive()
        read += len(message.get("body", b""))
        if read > most:
            raise TooLargeError(_too_large(most))
        return message

    return receiving


def _encoded(headers: Mapping[str, str]) -> list[tuple[bytes, bytes]]:
    return [(name.encode(), value.encode()) for name, value in headers.items()]


async def _refuse(send: Send, status: int, why: str) -> None:
    body = json.dumps({"error": why}).encode()
    headers = {
        **HEADERS,
        "content-type": "application/json",
        "content-security-policy": PAGE_POLICY,
    }
    await send({"type": "http.response.start", "status": status, "headers": _encoded(headers)})
    await send({"type": "http.response.body", "body": body})

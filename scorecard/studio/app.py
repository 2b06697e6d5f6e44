"""The addresses of the studio: the page, what it asks for, the card in its frame, the files.

What the page sends is checked against what is expected of it; nothing it sends is a path.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote, unquote

from msgspec import DecodeError, json
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from scorecard.core.given_question import GivenQuestion
from scorecard.errors import ScorecardError
from scorecard.files import create_folder, templates_folder
from scorecard.learning.options import HELD_OUT
from scorecard.project.build import printed_card
from scorecard.project.card import file_kinds
from scorecard.project.recipe import Limits
from scorecard.studio import edits
from scorecard.studio.guard import Guard, TooLargeError
from scorecard.studio.outputs import MadeFile, made_files, zipped
from scorecard.studio.session import LaterEditError, Preview, Session
from scorecard.studio.view import bench_state, state
from scorecard.tables.read_table import is_table
from scorecard.words.language import language_named, languages

STATIC = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".html": "text/html",
    ".svg": "image/svg+xml",
}
MOST_FRAMES = 8  # cards that a tab may still be loading
MOST_NAME = 200
KINDS = {".pdf": "application/pdf", ".zip": "application/zip"}


@dataclass
class Tabs:
    """The session with what was made for its pages."""

    session: Session
    frames: dict[str, bytes] = field(default_factory=dict)
    files: list[MadeFile] = field(default_factory=list)

    def state(self) -> dict[str, Any]:
        """All that the page draws; the list and its card once there is one."""
        found = state(self.session)
        bench = self.session.bench
        if bench is not None:
            found["bench"] = {**bench_state(self.session, bench), **self._card()}
        found["choices"] = {
            "languages": {code: language_named(code).name for code in languages()},
            "sizes": [name[5:-5] for name in file_kinds() if _is_card(name)],
            "forms": [name for name in file_kinds() if not name.startswith("report.")],
        }
        return found

    def _card(self) -> dict[str, Any]:
        """Where the card is, or why there is none."""
        look = self.session.preview
        try:
            printed, notes = printed_card(
                self.session.shown_list(look.language), "html", language=look.language,
                size=look.size,
            )  # fmt: skip
        except ScorecardError as error:
            return {"card": None, "card_refused": str(error)}
        ticket = secrets.token_urlsafe(16)
        self.frames[ticket] = printed.content
        while len(self.frames) > MOST_FRAMES:
            self.frames.pop(next(iter(self.frames)), None)
        return {"card": f"/frame/{ticket}", "width": printed.page.width, "card_notes": notes}


def _is_card(name: str) -> bool:
    return name.startswith("card-") and name.endswith(".html")


# What the page may ask ----------------------------------------------------------------------------


@dataclass(frozen=True)
class ToEdit:
    """What an edit is, and of which question; each kind reads what it needs."""

    do: Literal[
        "move", "remove", "add", "points", "cutoff", "categories", "turn", "lock", "fill", "word",
        "limits", "undo", "redo", "reveal", "keep", "take", "judge",
    ]  # fmt: skip
    row: int = 0
    to: int = 0
    number: float | None = None
    texts: tuple[str, ...] = ()
    name: str | None = None
    key: str = ""
    text: str = ""
    on: bool = False
    limits: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class ToRead:
    """How a table is read."""

    encoding: Literal["utf-8", "utf-16", "cp1252"] = "utf-8"
    decimal: Literal[".", ","] = "."
    sheet: str | None = None


@dataclass(frozen=True)
class ToPredict:
    """What is to be predicted."""

    name: str
    positive: str | None = None


@dataclass(frozen=True)
class Columns:
    """Which columns are left out or used after all, what they are."""

    drop: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    category: tuple[str, ...] = ()
    number: tuple[str, ...] = ()
    group: str | None = None


@dataclass(frozen=True)
class ToLearn:
    """The limits, and how many questions there are to be at most."""

    limits: dict[str, float] = field(default_factory=dict)
    max_questions: int | Literal["auto"] = "auto"
    keep_out: bool = False


@dataclass(frozen=True)
class Files:
    """Which files are made, in which languages."""

    forms: tuple[str, ...]
    languages: tuple[str, ...] = ("en",)


WORDS = ("title", "outcome", "population", "rule_out", "rule_in", "undecided", "source", "note")
LIMITS = ("rule_out", "rule_in")


def _edited(shown: Tabs, asked: ToEdit) -> Callable[[edits.Edit, edits.Rows], edits.Edit]:
    """The change that is asked for."""
    row, number = asked.row, asked.number
    whole = int(number or 0)
    changes: Mapping[str, Callable[[edits.Edit, edits.Rows], edits.Edit]] = {
        "move": lambda edit, rows: edits.moved(edit, rows, row, asked.to),
        "remove": lambda edit, rows: edits.removed(edit, rows, row),
        "add": lambda edit, rows: edits.added(edit, rows, GivenQuestion(asked.name or "")),
        "points": lambda edit, rows: edits.with_points(edit, rows, row, whole),
        "cutoff": lambda edit, rows: edits.with_cutoff(edit, rows, row, number or 0),
        "categories": lambda edit, rows: edits.with_categories(edit, rows, row, asked.texts),
        "turn": lambda edit, rows: edits.turned(edit, rows, row),
        "lock": lambda edit, rows: edits.with_lock(edit, rows, row, asked.on),
        "fill": lambda edit, rows: edits.filled(edit, rows, None if number is None else whole),
        "word": lambda edit, _: edits.with_words(edit, asked.name, _word(asked), asked.text),
        "limits": lambda edit, _: replace(edit, limits=_limits(asked.limits)),
        "take": lambda edit, _: shown.session.asked_bench.versions.get(asked.text, edit),
    }
    return changes[asked.do]


def _word(asked: ToEdit) -> str:
    known = WORDS if asked.name is None else ("label", "unit")
    if asked.key not in known:
        raise ScorecardError(f"{asked.key!r} is no word of a list; expected {', '.join(known)}.")
    return asked.key


def _limits(given: Mapping[str, Any]) -> Limits:
    if unknown := given.keys() - {*LIMITS}:
        raise ScorecardError(f"{min(unknown)!r} is no limit; expected {', '.join(LIMITS)}.")
    return Limits(**given)


def edit(shown: Tabs, asked: ToEdit) -> None:
    """Change the list, or go back."""
    if asked.do == "reveal":
        shown.session.reveal()
    elif asked.do == "judge":
        shown.session.judge()
    elif asked.do == "keep":
        shown.session.keep_version(asked.text)
    elif asked.do in ("undo", "redo"):
        shown.session.step(-1 if asked.do == "undo" else 1)
    else:
        shown.session.edit(_edited(shown, asked))


def look(shown: Tabs, asked: Preview) -> None:
    """Show the card in another size or language."""
    shown.session.preview = asked


def read_as(shown: Tabs, asked: ToRead) -> None:
    """Read the table in another way."""
    shown.session.read_as(encoding=asked.encoding, decimal=asked.decimal, sheet=asked.sheet)


def choose_outcome(shown: Tabs, asked: ToPredict) -> None:
    """Say what is to be predicted."""
    shown.session.choose_outcome(asked.name, asked.positive)


def choose_columns(shown: Tabs, asked: Columns) -> None:
    """Say which columns may be asked for."""
    told = {name: getattr(asked, name) for name in ("drop", "keep", "category", "number", "group")}
    shown.session.choose_columns(**told)


def learn(shown: Tabs, asked: ToLearn) -> None:
    """Learn the list."""
    most = None if asked.max_questions == "auto" else asked.max_questions
    held_out = HELD_OUT if asked.keep_out else None
    shown.session.choose_learning(
        limits=_limits(asked.limits), max_questions=most, held_out=held_out
    )
    shown.session.learn()


CHANGES: dict[str, tuple[type[Any], Callable[[Tabs, Any], None]]] = {
    "edit": (ToEdit, edit),
    "look": (Preview, look),
    "reading": (ToRead, read_as),
    "outcome": (ToPredict, choose_outcome),
    "columns": (Columns, choose_columns),
    "learn": (ToLearn, learn),
}


# Answers ------------------------------------------------------------------------------------------


def _answer(content: Any, status: int = 200) -> Response:
    return Response(json.encode(content), status, media_type="application/json")


async def _answered(work: Callable[[], Any]) -> Response:
    """What the work gives; a refusal as its one line."""
    try:
        return _answer(await run_in_threadpool(work))
    except LaterEditError:
        return _answer({"later": True}, 409)
    except DecodeError as error:
        return _answer({"error": f"The page asked for something unknown: {error}."}, 400)
    except ScorecardError as error:
        return _answer({"error": str(error)}, 422)


def studio_app(session: Session, token: str, port: int) -> Guard:
    """The whole server, behind its guard."""
    shown = Tabs(session)
    app = Starlette(routes=_routes(shown), exception_handlers={TooLargeError: _too_large})
    return Guard(app, token, port)


async def _too_large(_: Request, error: Exception) -> Response:
    return _answer({"error": str(error)}, 413)


def _routes(shown: Tabs) -> list[Route]:
    session = shown.session

    async def get_state(_: Request) -> Response:
        return await _answered(shown.state)

    async def get_revision(_: Request) -> Response:
        return _answer({"revision": session.revision, "progress": session.progress})

    async def take_table(request: Request) -> Response:
        name = _file_name(unquote(request.query_params.get("name", "")))
        if name is None:
            return _answer({"error": NO_TABLE}, 422)
        folder = session.folder / f"table-{session.revision}-{secrets.token_hex(4)}"
        create_folder(folder)
        with (folder / name).open("wb") as file:
            async for block in request.stream():
                await run_in_threadpool(file.write, block)
        return await _answered(lambda: _opened(shown, str(folder / name)))

    async def make(request: Request) -> Response:
        body = await request.body()
        return await _answered(lambda: _made(shown, body))

    return [
        *_static(),
        Route("/frame/{ticket}", partial(_frame, shown)),
        Route("/api/state", get_state),
        Route("/api/revision", get_revision),
        Route("/api/table", take_table, methods=["POST"]),
        Route("/api/files", make, methods=["POST"]),
        Route("/api/files/{number:int}", partial(_file, shown)),
        Route("/api/zip", partial(_zip, shown)),
        *(
            Route(f"/api/{name}", partial(_change, shown, *one), methods=["POST"])
            for name, one in CHANGES.items()
        ),
    ]


async def _change(
    shown: Tabs, kind: type[Any], do: Callable[[Tabs, Any], None], request: Request
) -> Response:
    body = await request.body()
    return await _answered(lambda: _changed(shown, kind, do, body))


def _changed(
    shown: Tabs, kind: type[Any], do: Callable[[Tabs, Any], None], body: bytes
) -> dict[str, Any]:
    asked = json.decode(body, type=kind)
    if do is edit:
        do(shown, asked)
    else:
        with shown.session.changing:
            do(shown, asked)
            shown.session.revision += 1
    return shown.state()


NO_TABLE = "This is no table that can be read here; expected .csv, .tsv, .txt, .xlsx or .parquet."


def _file_name(given: str) -> str | None:
    """The name of a table that was dropped; one with a path in it is none."""
    plain = given.strip()
    is_path = any(one in plain for one in "/\\:\0") or plain.startswith(".")
    fits = 0 < len(plain.encode("utf-8", "surrogateescape")) <= MOST_NAME and plain.isprintable()
    return plain if fits and not is_path and is_table(plain) else None


def _opened(shown: Tabs, path: str) -> dict[str, Any]:
    with shown.session.changing:
        shown.session.open(path)
        shown.files = []
    return shown.state()


def _made(shown: Tabs, body: bytes) -> list[dict[str, Any]]:
    asked = json.decode(body, type=Files)
    with shown.session.changing:
        shown.files = made_files(shown.session, asked.forms, asked.languages)
    return [
        {"name": one.name, "about": one.about, "notes": one.notes, "bytes": len(one.content)}
        for one in shown.files
    ]


async def _file(shown: Tabs, request: Request) -> Response:
    number = request.path_params["number"]
    if number >= len(shown.files):
        return _answer({"error": "This file is not there any more; make the files again."}, 404)
    one = shown.files[number]
    return _download(one.content, one.name)


async def _zip(shown: Tabs, _: Request) -> Response:
    return _download(zipped(shown.files), "card.zip")


def _download(content: bytes, name: str) -> Response:
    kind = KINDS.get(Path(name).suffix, "application/octet-stream")
    told = {"content-disposition": f"attachment; filename*=UTF-8''{quote(name)}"}
    return Response(content, media_type=kind, headers=told)


async def _frame(shown: Tabs, request: Request) -> Response:
    content = shown.frames.get(request.path_params["ticket"])
    if content is None:
        return Response("This card is not shown any more.", 404, media_type="text/plain")
    return Response(content, media_type="text/html")


def _static() -> list[Route]:
    """The page and what belongs to it, each file under its own name; read once."""
    found = []
    for file in sorted((templates_folder() / "studio").iterdir()):
        content, kind = file.read_bytes(), STATIC.get(file.suffix)
        if kind is not None:
            path = "/" if file.name == "page.html" else f"/{file.name}"
            found.append(Route(path, _given(content, kind)))
    return found


def _given(content: bytes, kind: str) -> Callable[[Request], Any]:
    async def answer(_: Request) -> Response:
        return Response(content, media_type=kind)

    return answer

"""HTML to PDF. Nothing else imports WeasyPrint, and nothing on the way can read files.

Fonts come from a package, so a machine without fonts prints the same card. A character that no
font has is refused: an empty box in place of "≥" would be dangerous.
"""

from __future__ import annotations

import atexit
import logging
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.request import url2pathname

from scorecard.printing.jinja import FONT_FOLDER, font_faces
from scorecard.printing.jinja import made_with as fonts_with
from scorecard.printing.refusals import CardError, NoPangoError

if TYPE_CHECKING:
    from weasyprint import CSS
    from weasyprint.text.fonts import FontConfiguration


def pdf_from_html(html: str, css: str, folders: tuple[Path, ...] = ()) -> bytes:
    """The PDF of a finished page; the same input gives the same bytes.

    `folders` are the template folders whose files the page may use; nothing else is read.
    """
    weasyprint = _weasyprint()
    fetcher = _fetcher(folders)
    with _messages() as messages:
        document = weasyprint.HTML(string=html, url_fetcher=fetcher, base_url=None)
        pdf = document.write_pdf(
            stylesheets=[_parsed(css, folders)],
            font_config=_fonts(),
            pdf_variant="pdf/ua-1",
            pdf_tags=True,
            custom_metadata=True,  # the record of how the file was made
        )
    _refuse_what_was_not_allowed(fetcher.refused)
    _refuse_missing_glyphs(messages)
    assert isinstance(pdf, bytes)
    return pdf


def _weasyprint() -> Any:
    try:
        with _silent_stdout(), _sonames_only():
            import weasyprint
    except OSError as error:
        raise NoPangoError from error
    return weasyprint


def weasyprint_version() -> str:
    """The version of WeasyPrint; refused where Pango is missing."""
    return str(_weasyprint().__version__)


@cache
def made_with() -> str:
    """The libraries that decide what bytes a PDF, and a drawing made of it, has."""
    import PIL
    import pydyf
    from pypdfium2.version import PDFIUM_INFO

    version = weasyprint_version()
    from weasyprint.text.ffi import pango

    libraries = {
        "WeasyPrint": version,
        "Pango": pango.pango_version(),
        "HarfBuzz": _harfbuzz_version(),
        "pydyf": pydyf.__version__,
        "pdfium": str(PDFIUM_INFO),
        "Pillow": PIL.__version__,
        "zlib": zlib.ZLIB_RUNTIME_VERSION,
    }
    return ", ".join([*(f"{name} {version}" for name, version in libraries.items()), fonts_with()])


def _harfbuzz_version() -> str:
    """Its version, which it tells only by what it is not older than."""
    from weasyprint.text.ffi import harfbuzz

    found: list[int] = []
    for _ in ("major", "minor", "micro"):
        here = [*found, 0, 0, 0]
        found.append(0)
        while harfbuzz.hb_version_atleast(*[*here[: len(found) - 1], found[-1] + 1, 0, 0][:3]):
            found[-1] += 1
    return ".".join(map(str, found))


@contextmanager
def _silent_stdout() -> Iterator[None]:
    """WeasyPrint prints a banner where Pango is missing; one line of ours says it better."""
    from contextlib import redirect_stdout
    from io import StringIO

    with redirect_stdout(StringIO()):
        yield


@contextmanager
def _sonames_only() -> Iterator[None]:
    """No search for libraries by names that Linux does not use.

    WeasyPrint tries the names of all systems one after the other. Those of Linux are opened as they
    are; for each of the others `ldconfig` would be started, for a quarter of a card's time in all.
    """
    if sys.platform != "linux" or "weasyprint" in sys.modules:
        yield
        return
    import ctypes.util

    search = ctypes.util.find_library
    ctypes.util.find_library = lambda name: None  # noqa: ARG005 (called by its name elsewhere)
    try:
        yield
    finally:
        ctypes.util.find_library = search


@lru_cache(maxsize=1)
def _fonts() -> FontConfiguration:
    from weasyprint.text.fonts import FontConfiguration

    configuration = FontConfiguration()
    # It cleans up after itself with functions that are gone once Python shuts down.
    atexit.register(_forget_fonts)
    _weasyprint().CSS(
        string=font_faces(), font_config=configuration, url_fetcher=_fetcher((FONT_FOLDER,))
    )
    return configuration


def _forget_fonts() -> None:
    _parsed.cache_clear()
    _fonts.cache_clear()


@lru_cache(maxsize=64)
def _parsed(css: str, folders: tuple[Path, ...]) -> CSS:
    return _weasyprint().CSS(string=css, font_config=_fonts(), url_fetcher=_fetcher(folders))


def _fetcher(folders: tuple[Path, ...]) -> Any:
    """A fetcher for `data:` addresses and files below these folders, links followed first."""
    from weasyprint.urls import URLFetcher

    allowed = tuple(folder.resolve() for folder in folders)

    class Fetcher(URLFetcher):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__(allowed_protocols=("data", "file"), allow_redirects=False)
            self.refused: list[str] = []

        def fetch(self, url: str, headers: Any = None) -> Any:
            if not url.lower().startswith("data:") and not _is_below(url, allowed):
                self.refused.append(url)
                raise ValueError(f"refused: {url}")
            return super().fetch(url, headers)

    return Fetcher()


def _is_below(url: str, folders: tuple[Path, ...]) -> bool:
    if not url.lower().startswith("file:///"):
        return False
    path = Path(url2pathname(url[len("file://") :].split("?")[0].split("#")[0])).resolve()
    return any(path.is_relative_to(folder) for folder in folders)


@contextmanager
def _messages() -> Iterator[list[str]]:
    """What WeasyPrint has to complain about, instead of on the user's terminal."""
    messages: list[str] = []

    class Collector(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            messages.append(record.getMessage())

    logger, collector = logging.getLogger("weasyprint"), Collector()
    handlers, propagate, level = logger.handlers[:], logger.propagate, logger.level
    logger.handlers, logger.propagate = [collector], False
    logger.setLevel(logging.WARNING)
    try:
        yield messages
    finally:
        logger.handlers, logger.propagate = handlers, propagate
        logger.setLevel(level)


def _refuse_what_was_not_allowed(refused: list[str]) -> None:
    if refused:
        raise CardError(
            f"The template asks for {refused[0][:200]!r}; a card may use 'data:' addresses and"
            " files of its template folder only."
        )


def _refuse_missing_glyphs(messages: list[str]) -> None:
    for message in messages:
        if ".notdef" in message:
            text = message.partition(": ")[2].strip()
            raise CardError(
                f"No font has a glyph for {text!r}: use other characters, or install a font that"
                " has them."
            )

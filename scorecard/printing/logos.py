"""Logos and QR codes as self-contained data, checked before they get near a page."""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit
from xml.etree import ElementTree

from scorecard.printing.refusals import CardError
from scorecard.words.language import Language, language_named
from scorecard.words.wording import printable

MAX_LOGO_BYTES = 1_000_000
MAX_PIXELS = 25_000_000
MAX_DEPTH = 50  # of elements in elements
MAX_DRAWN = 20_000  # elements, each as often as it is drawn
MAX_URL = 300
PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"

# What a drawing needs. A list of what may occur cannot be outwitted like a list of what may not.
SVG = "{http://www.w3.org/2000/svg}"
SVG_ELEMENTS = frozenset(
    {"svg", "g", "defs", "title", "desc", "path", "rect", "circle", "ellipse", "line", "polyline"}
    | {"polygon", "linearGradient", "radialGradient", "stop", "clipPath", "mask", "use", "symbol"}
)
_OWN_REFERENCE = re.compile(r"url\s*\(\s*['\"]?\s*#([^)'\"\s]+)", re.I)
_FOREIGN_REFERENCE = re.compile(r"url\s*\(\s*['\"]?\s*(?!#)|@import|expression|javascript:", re.I)


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture as a `data:` address, with the text that stands for it."""

    address: str
    text: str


def logo_from(path: str | Path, text: str = "Logo") -> Picture:
    """A local PNG or SVG file as a logo."""
    file = Path(path)
    try:
        if file.exists() and not (file.is_file() or file.is_dir()):
            raise CardError(f"The logo {str(path)!r} is no ordinary file.")
        with file.open("rb") as stream:
            content = stream.read(MAX_LOGO_BYTES + 1)
    except CardError:
        raise
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        reason = getattr(error, "strerror", None) or str(error)
        raise CardError(f"The logo {str(path)!r} cannot be read: {reason}.") from error
    if len(content) > MAX_LOGO_BYTES:
        raise CardError(f"The logo {str(path)!r} is larger than 1 MB; make it smaller.")
    if content.startswith(PNG_SIGNATURE):
        _check_png(content, str(path))
        return Picture(_address("image/png", content), printable(text))
    if content.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        return Picture(_address("image/svg+xml", _checked_svg(content, str(path))), printable(text))
    raise CardError(f"The logo {str(path)!r} is neither a PNG nor an SVG picture.")


@contextmanager
def logo_file(address: str | None) -> Iterator[Path | None]:
    """The file of a logo whose `data:` address is known, for as long as it is needed."""
    if address is None:
        yield None
        return
    with TemporaryDirectory() as folder:
        path = Path(folder, "logo")
        path.write_bytes(b64decode(address.partition("base64,")[2]))
        yield path


def qr_code(url: str, language: Language | str = "en") -> Picture:
    """A QR code for an http or https address."""
    import segno

    try:
        parts = urlsplit(url)
    except ValueError:  # a bracket that does not close
        parts = urlsplit("")
    if parts.scheme not in ("http", "https") or not parts.netloc or printable(url) != url:
        raise CardError(f"{url!r} cannot be a QR code; expected an http or https address.")
    if len(url) > MAX_URL:
        raise CardError(f"{url[:40]!r}… has {len(url)} characters; a QR code takes {MAX_URL}.")
    code = segno.make(url, error="m", micro=False)
    found = language_named(language) if isinstance(language, str) else language
    text = found.words["card qr"].format(url=url)
    return Picture(code.svg_data_uri(border=0, omitsize=True, nl=False), text)


def _address(kind: str, content: bytes) -> str:
    return f"data:{kind};base64,{b64encode(content).decode()}"


def _check_png(content: bytes, name: str) -> None:
    from io import BytesIO

    from PIL import Image

    # The header is looked at first: a few bytes may unpack to gigabytes of pixels.
    width, height = int.from_bytes(content[16:20]), int.from_bytes(content[20:24])
    if width * height > MAX_PIXELS:
        raise CardError(f"The logo {name!r} has {width}×{height} pixels; make it smaller.")
    try:
        with Image.open(BytesIO(content), formats=["PNG"]) as image:
            image.verify()
    except Exception as error:  # whatever a damaged picture makes of the library
        raise CardError(f"The logo {name!r} is a damaged PNG picture.") from error


def _checked_svg(content: bytes, name: str) -> bytes:
    """The drawing written anew from its elements; anything but shapes is refused."""
    if b"<!DOCTYPE" in content or b"<!ENTITY" in content:
        raise CardError(f"The logo {name!r} has a document type; save it as a plain SVG.")
    try:
        root = ElementTree.fromstring(content)
    except ElementTree.ParseError as error:
        raise CardError(f"The logo {name!r} is not well-formed SVG: {error}.") from error
    if root.tag != f"{SVG}svg":
        raise CardError(f"The logo {name!r} is XML but not an SVG picture.")
    for element in root.iter():
        _check_element(element, name)
    _check_size(root, name)
    ElementTree.register_namespace("", SVG.strip("{}"))
    return ElementTree.tostring(root)


def _check_size(root: ElementTree.Element, name: str) -> None:
    """Refuse drawings that take for ever: too deep, drawn in circles, or again and again."""
    by_id = {element.get("id"): element for element in root.iter() if element.get("id")}
    drawn: dict[ElementTree.Element, int] = {}
    open_now: set[ElementTree.Element] = set()

    def count(element: ElementTree.Element, depth: int) -> int:
        if element in drawn:
            return drawn[element]
        if element in open_now:
            raise CardError(f"The logo {name!r} draws something inside itself; save it anew.")
        if depth > MAX_DEPTH:
            raise CardError(f"The logo {name!r} is nested too deeply; flatten its groups.")
        open_now.add(element)
        parts = [*element, *(by_id[one] for one in _references(element) if one in by_id)]
        drawn[element] = 1 + sum(count(part, depth + 1) for part in parts)
        open_now.discard(element)
        if drawn[element] > MAX_DRAWN:
            raise CardError(f"The logo {name!r} has too many parts to draw; simplify it.")
        return drawn[element]

    count(root, 0)


def _references(element: ElementTree.Element) -> Iterator[str]:
    for key, value in element.attrib.items():
        if key.rpartition("}")[2].lower() == "href":
            yield value.removeprefix("#")
        yield from _OWN_REFERENCE.findall(value)


def _check_element(element: ElementTree.Element, name: str) -> None:
    tag = str(element.tag)
    if tag.removeprefix(SVG) not in SVG_ELEMENTS or not tag.startswith(SVG):
        raise CardError(
            f"The logo {name!r} has the element {tag.rpartition('}')[2]!r}; only plain shapes are"
            " taken: convert text to paths and remove scripts, styles, links and pictures."
        )
    for key, value in element.attrib.items():
        local = key.rpartition("}")[2].lower()
        outside = local == "href" and not value.startswith("#")
        if outside or local.startswith("on") or _FOREIGN_REFERENCE.search(value):
            raise CardError(
                f"The logo {name!r} has the attribute {local!r} that refers to something outside"
                " or runs something; remove it."
            )

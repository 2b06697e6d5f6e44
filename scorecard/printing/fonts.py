"""The type of the cards: Source Sans, from a package, not from the machine."""

from __future__ import annotations

from base64 import b64encode
from functools import cache, lru_cache
from io import BytesIO
from pathlib import Path
from zlib import crc32

import font_source_sans_pro

FONT_FOLDER = Path(font_source_sans_pro.font_directory)
WEIGHTS = {400: "SourceSansPro-Regular", 600: "SourceSansPro-Semibold", 700: "SourceSansPro-Bold"}


@cache
def made_with() -> str:
    """The library that cuts down the fonts, and which fonts these are: they are in every page."""
    import fontTools

    check = crc32(b"".join(_file(weight).read_bytes() for weight in WEIGHTS))
    return f"fontTools {fontTools.version}, Source Sans Pro {check:08x}"


def font_faces() -> str:
    """The `@font-face` rules for a renderer that may read the font files."""
    return "".join(_face(weight, _file(weight).as_uri()) for weight in WEIGHTS)


def embedded_font_faces(text: str) -> str:
    """The `@font-face` rules with the fonts inside, cut down to the characters of a text."""
    letters = "".join(sorted(set(text)))
    return "".join(_face(weight, _subset(weight, letters)) for weight in WEIGHTS)


def _face(weight: int, address: str) -> str:
    return (
        f'@font-face{{font-family:"Source Sans Pro";font-weight:{weight};src:url("{address}")}}\n'
    )


def _file(weight: int) -> Path:
    return FONT_FOLDER / f"{WEIGHTS[weight]}.ttf"


@lru_cache(maxsize=32)
def _subset(weight: int, letters: str) -> str:
    from fontTools.subset import Options, Subsetter
    from fontTools.ttLib import TTFont

    # The time of saving stays out of the file: the same card gives the same bytes.
    with TTFont(_file(weight), recalcTimestamp=False, lazy=True) as font:
        subsetter = Subsetter(Options(hinting=False, notdef_outline=True))
        subsetter.populate(text=letters)
        subsetter.subset(font)
        stream = BytesIO()
        font.save(stream)
    return f"data:font/ttf;base64,{b64encode(stream.getvalue()).decode()}"

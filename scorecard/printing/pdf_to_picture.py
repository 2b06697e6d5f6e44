"""A finished PDF as a picture: pixels, or a drawing with the same shapes and the text as text.

The drawing is made from the checked PDF, object by object, so it is the same card to the point.
Every letter has its own place, and the fonts are inside, cut down to the letters that occur.
"""

from __future__ import annotations

import ctypes
from base64 import b64encode
from collections.abc import Iterator
from io import BytesIO
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import pypdfium2
import pypdfium2.raw as pdfium

from scorecard.printing.fonts import embedded_font_faces
from scorecard.printing.pdf_to_text import piece_letters, piece_of
from scorecard.printing.record import record_text_of
from scorecard.words.wording import printable

DOTS_PER_INCH = 300
GREY = (0xB4, 0xB4, 0xB4)
GAP = 10.0  # points between sides
EVEN_ODD = 1
_QUOTES = {'"': "&quot;"}  # so that the attribute stands between quotes, whatever is in it


def png_of_pdf(pdf: bytes, dots_per_inch: int = DOTS_PER_INCH) -> bytes:
    """All pages below each other as one PNG."""
    from PIL import Image
    from PIL.PngImagePlugin import PngInfo

    with pypdfium2.PdfDocument(pdf) as document:
        sides = [page.render(scale=dots_per_inch / 72).to_pil().convert("RGB") for page in document]
    gap = dots_per_inch // 12
    height = sum(side.height for side in sides) + gap * (len(sides) - 1)
    picture = Image.new("RGB", (max(side.width for side in sides), height), GREY)
    top = 0
    for side in sides:
        picture.paste(side, (0, top))
        top += side.height + gap
    facts = PngInfo()
    facts.add_text("Software", "scorecard")
    stream = BytesIO()
    picture.save(stream, "PNG", dpi=(dots_per_inch, dots_per_inch), pnginfo=facts)
    return stream.getvalue()


def svg_of_pdf(pdf: bytes, title: str, language: str = "en") -> str:
    """All pages below each other as one SVG that needs nothing else."""
    with pypdfium2.PdfDocument(pdf) as document:
        record = record_text_of(document)
        sizes = [page.get_size() for page in document]
        sides: list[str] = []
        letters: set[str] = set()
        top = 0.0
        for page, (_, height) in zip(document, sizes, strict=True):
            side = _Side(page, height, f"s{len(sides) + 1}")
            sides.append(f'<g transform="translate(0 {_n(top)})">{side.paper()}{side.drawn()}</g>')
            letters |= side.letters
            top += height + GAP
    width, height = max(width for width, _ in sizes), top - GAP
    style = embedded_font_faces("".join(letters))
    made = f" data-record={quoteattr(record, _QUOTES)}" if record else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_n(width)}pt" height="{_n(height)}pt"'
        f' viewBox="0 0 {_n(width)} {_n(height)}" role="img" xml:lang={quoteattr(language)}'
        f' data-generator="scorecard"{made}>'
        f"<title>{escape(printable(title))}</title><style>{style}</style>{''.join(sides)}</svg>\n"
    )


class _Side:
    """One page; y points down in SVG and up in PDF."""

    def __init__(self, page: Any, height: float, name: str) -> None:
        self.page, self.height, self.name = page, height, name
        self.letters: set[str] = set()
        self.clips = 0

    def paper(self) -> str:
        width, height = self.page.get_size()
        return f'<path d="M0 0H{_n(width)}V{_n(height)}H0Z" fill="#ffffff"/>'

    def drawn(self) -> str:
        text_page = self.page.get_textpage()
        self.placed = piece_letters(text_page)
        self.text_page = text_page
        count = pdfium.FPDFPage_CountObjects(self.page.raw)
        things = [pdfium.FPDFPage_GetObject(self.page.raw, number) for number in range(count)]
        drawn = "".join(part for thing in things for part in self._thing(thing, _IDENTITY))
        text_page.close()
        return drawn

    def _thing(self, thing: Any, outer: Matrix) -> Iterator[str]:
        kind = pdfium.FPDFPageObj_GetType(thing)
        if kind == pdfium.FPDF_PAGEOBJ_PATH:
            yield self._clipped(thing, self._path(thing, outer))
        elif kind == pdfium.FPDF_PAGEOBJ_TEXT:
            yield self._text(thing)
        elif kind == pdfium.FPDF_PAGEOBJ_IMAGE:
            yield self._clipped(thing, self._image(thing, outer))
        elif kind == pdfium.FPDF_PAGEOBJ_FORM:
            inner = _times(_matrix(thing), outer)
            for number in range(pdfium.FPDFFormObj_CountObjects(thing)):
                yield from self._thing(pdfium.FPDFFormObj_GetObject(thing, number), inner)

    # Shapes -------------------------------------------------------------------------------------

    def _path(self, thing: Any, outer: Matrix) -> str:
        matrix = _times(_matrix(thing), outer)
        segments = (
            pdfium.FPDFPath_GetPathSegment(thing, number)
            for number in range(pdfium.FPDFPath_CountSegments(thing))
        )
        rule, stroked = ctypes.c_int(), ctypes.c_int()
        pdfium.FPDFPath_GetDrawMode(thing, rule, stroked)
        attributes = [f'd="{self._outline(segments, matrix)}"']
        if rule.value:
            attributes.append(_paint("fill", pdfium.FPDFPageObj_GetFillColor, thing))
            attributes += ['fill-rule="evenodd"'] if rule.value == EVEN_ODD else []
        else:
            attributes.append('fill="none"')
        if stroked.value:
            width = ctypes.c_float()
            pdfium.FPDFPageObj_GetStrokeWidth(thing, width)
            scale = abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]) ** 0.5
            attributes.append(_paint("stroke", pdfium.FPDFPageObj_GetStrokeColor, thing))
            attributes.append(f'stroke-width="{_n(width.value * scale)}"')
        return f"<path {' '.join(attributes)}/>"

    def _outline(self, segments: Iterator[Any], matrix: Matrix) -> str:
        steps: list[str] = []
        curve: list[str] = []
        x, y = ctypes.c_float(), ctypes.c_float()
        for segment in segments:
            pdfium.FPDFPathSegment_GetPoint(segment, x, y)
            point = self._point(x.value, y.value, matrix)
            kind = pdfium.FPDFPathSegment_GetType(segment)
            if kind == pdfium.FPDF_SEGMENT_BEZIERTO:
                curve.append(point)
                if len(curve) == 3:
                    steps.append(f"C{' '.join(curve)}")
                    curve = []
            else:
                steps.append(f"{'M' if kind == pdfium.FPDF_SEGMENT_MOVETO else 'L'}{point}")
            if pdfium.FPDFPathSegment_GetClose(segment):
                steps.append("Z")
        return "".join(steps)

    def _point(self, x: float, y: float, matrix: Matrix) -> str:
        a, b, c, d, e, f = matrix
        return f"{_n(a * x + c * y + e)} {_n(self.height - (b * x + d * y + f))}"

    def _clipped(self, thing: Any, drawn: str) -> str:
        """What is drawn inside all clipping paths of the object; they are in page measures."""
        clip = pdfium.FPDFPageObj_GetClipPath(thing)
        count = pdfium.FPDFClipPath_CountPaths(clip) if clip else 0
        for path in range(max(0, count)):
            segments = (
                pdfium.FPDFClipPath_GetPathSegment(clip, path, number)
                for number in range(pdfium.FPDFClipPath_CountPathSegments(clip, path))
            )
            outline = self._outline(segments, _IDENTITY)
            if outline:
                self.clips += 1
                name = f"{self.name}c{self.clips}"
                drawn = (
                    f'<clipPath id="{name}"><path clip-rule="evenodd" d="{outline}"/></clipPath>'
                    f'<g clip-path="url(#{name})">{drawn}</g>'
                )
        return drawn

    # Pictures and text --------------------------------------------------------------------------

    def _image(self, thing: Any, outer: Matrix) -> str:
        a, b, c, d, e, f = _times(_matrix(thing), outer)
        bitmap = pypdfium2.PdfBitmap.from_raw(
            pdfium.FPDFImageObj_GetRenderedBitmap(None, self.page.raw, thing)
            or pdfium.FPDFImageObj_GetBitmap(thing)
        )
        stream = BytesIO()
        bitmap.to_pil().save(stream, "PNG")
        data = b64encode(stream.getvalue()).decode()
        placed = " ".join(map(_n, (a, -b, -c, d, e + c, self.height - f - d)))
        return (
            f'<image width="1" height="1" preserveAspectRatio="none" transform="matrix({placed})"'
            f' href="data:image/png;base64,{data}"/>'
        )

    def _text(self, thing: Any) -> str:
        letters = self.placed.get(ctypes.addressof(thing.contents), [])
        if not any(letter.strip() for _, _, letter in letters):
            return ""
        self.letters.update(letter for _, _, letter in letters)
        piece = piece_of(thing, self.text_page)
        weight = _weight(thing)
        fill = _paint("fill", pdfium.FPDFPageObj_GetFillColor, thing)
        places = " ".join(_n(x) for x, _, _ in letters)
        text = escape("".join(letter for _, _, letter in letters))
        return (
            f'<text x="{places}" y="{_n(self.height - letters[0][1])}" {fill} xml:space="preserve"'
            f' font-family="Source Sans Pro, sans-serif" font-size="{_n(piece.points)}"'
            f' font-weight="{weight}">{text}</text>'
        )


Matrix = tuple[float, float, float, float, float, float]
_IDENTITY: Matrix = (1, 0, 0, 1, 0, 0)


def _matrix(thing: Any) -> Matrix:
    matrix = pdfium.FS_MATRIX()
    pdfium.FPDFPageObj_GetMatrix(thing, matrix)
    return matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f


def _times(one: Matrix, other: Matrix) -> Matrix:
    a, b, c, d, e, f = one
    k, m, n, o, p, q = other
    return (
        a * k + b * n,
        a * m + b * o,
        c * k + d * n,
        c * m + d * o,
        e * k + f * n + p,
        e * m + f * o + q,
    )


def _paint(name: str, getter: Any, thing: Any) -> str:
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    getter(thing, red, green, blue, alpha)
    opacity = "" if alpha.value == 255 else f' {name}-opacity="{alpha.value / 255:.3f}"'
    return f'{name}="#{red.value:02x}{green.value:02x}{blue.value:02x}"{opacity}'


def _weight(thing: Any) -> int:
    font = pdfium.FPDFTextObj_GetFont(thing)
    buffer = ctypes.create_string_buffer(128)
    pdfium.FPDFFont_GetBaseFontName(font, buffer, len(buffer))
    name = buffer.value.decode("utf-8", "replace").lower()
    return 600 if "semi" in name else 700 if "bold" in name else 400


def _n(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".").replace("-0", "0") if number else "0"

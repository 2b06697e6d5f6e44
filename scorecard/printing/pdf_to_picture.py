"""A finished PDF as a picture."""

from __future__ import annotations

from io import BytesIO

import pypdfium2

DOTS_PER_INCH = 300
GREY = (0xB4, 0xB4, 0xB4)


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

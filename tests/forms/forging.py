# ruff: noqa: E501 (what is put into files stands on one line)
"""Byte surgery on finished files, as an editor of PDFs, workbooks or JSON would do it."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence

Forgeries = Iterator[tuple[str, bytes]]
"""What was forged, and the file with it."""

# PDF: an incremental update, behind the file as it is --------------------------------------------


def objects_in(pdf: bytes) -> dict[int, bytes]:
    """The objects of a PDF that are packed into streams, by their number."""
    found = {}
    for head in re.finditer(rb"<<(?=[^>]*/ObjStm)([^>]*)>>\s*stream\r?\n", pdf):
        content = zlib.decompressobj().decompress(pdf[head.end() :])
        first = int(re.search(rb"/First (\d+)", head[1])[1])  # type: ignore[index]
        numbers = list(map(int, content[:first].split()))
        starts = [*numbers[1::2], len(content) - first]
        for place, number in enumerate(numbers[::2]):
            found[number] = content[first + starts[place] : first + starts[place + 1]].strip()
    return found


def updated(pdf: bytes, changed: dict[int, bytes], root: int) -> bytes:
    """The PDF with these objects written anew behind its end."""
    last = re.findall(rb"startxref\s+(\d+)", pdf)[-1].decode()
    out, places = bytearray(pdf), {}
    for number, content in changed.items():
        places[number] = len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    start, size = len(out), max(changed) + 1
    out += b"xref\n" + b"".join(
        b"%d 1\n%010d 00000 n \n" % (number, place) for number, place in places.items()
    )
    out += f"trailer\n<</Size {size}/Root {root} 0 R/Prev {last}>>\nstartxref\n{start}\n%%EOF\n".encode()
    return bytes(out)


def with_entry(content: bytes, entry: bytes) -> bytes:
    """A dictionary with one more entry; a key that is there already is taken out."""
    key = re.match(rb"/\w+", entry)
    assert key is not None
    bare = re.sub(key[0] + rb"(?![A-Za-z])\s*(\([^)]*\)|\[[^\]]*\]|/?[^/>\[(]+)", b"", content)
    assert bare.rstrip().endswith(b">>")
    return bare.rstrip()[:-2] + entry + b">>"


CATALOG = {
    "an action on opening": b"/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>",
    "a link on opening": b"/OpenAction<</S/URI/URI(https://example.org/)>>",
    "another language": b"/Lang (fr)",
    "bookmarks": b"/Outlines<</Type/Outlines/Count 0>>",
    "page labels": b"/PageLabels<</Nums[0<</P(IV)>>]>>",
    "viewer preferences": b"/ViewerPreferences<</HideToolbar true/NumCopies 5>>",
    "XFA": b"/AcroForm<</XFA(x)/Fields[]>>",
    "associated files": b"/AF[<</Type/Filespec/F(x.txt)>>]",
    "layers that only print": b"/OCProperties<</OCGs[]/D<</AS[<</Event/Print/OCGs[]>>]>>>>",
    "a collection": b"/Collection<</View/T>>",
    "a page mode": b"/PageMode/FullScreen",
    "a page layout": b"/PageLayout/TwoPageRight",
    "a base of links": b"/URI<</Base(https://example.org/)>>",
    "an action on printing": b"/AA<</WP<</S/JavaScript/JS(1)>>>>",
    "permissions": b"/Perms<<>>",
    "names": b"/Names<</JavaScript<</Names[(a)<</S/JavaScript/JS(1)>>]>>>>",
    "its mark": b"/MarkInfo<</Marked false>>",
    "private data": b"/PieceInfo<</X<</Private(x)>>>>",
}
PAGE = {
    "a unit of its own": b"/UserUnit 2.0",
    "turned": b"/Rotate 180",
    "cut off": b"/CropBox[0 0 200 200]",
    "a script of the page": b"/AA<</O<</S/JavaScript/JS(1)>>>>",
    "a link on the page": b"/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 400 400]/A<</S/URI/URI(x:y)>>>>]",
    "a stamp that only prints": b"/Annots[<</Type/Annot/Subtype/Stamp/F 4/Rect[0 0 9 9]>>]",
    "shown for a second": b"/Dur 1",
    "a thumbnail": b"/Thumb null",
    "another order of tabs": b"/Tabs/R",
}
ABOUT = {
    "keywords": b"/Keywords(safe for all)",
    "another title": b"/Title(Safe for all)",
    "another author": b"/Author(Somebody)",
    "another program": b"/Producer(Word)",
    "a date": b"/ModDate(D:20300101000000Z)",
}
STRUCTURE = {
    "another text read aloud": b"/ActualText(rule in)",
    "another text for a picture": b"/Alt(rule in)",
    "another long form": b"/E(rule in)",
}


def forged_pdfs(pdf: bytes) -> Forgeries:
    objects = objects_in(pdf)

    def number(pattern: bytes) -> int:
        return next(key for key, one in objects.items() if re.search(pattern, one))

    root = number(rb"/Type\s*/Catalog")
    places = {
        root: CATALOG,
        number(rb"/Type\s*/Page(?!s)"): PAGE,
        number(rb"/Producer"): ABOUT,
        number(rb"/Type\s*/StructElem"): STRUCTURE,
    }
    for place, entries in places.items():
        for name, entry in entries.items():
            yield name, updated(pdf, {place: with_entry(objects[place], entry)}, root)
    yield from drawn_over(pdf, objects, root)
    yield "a second PDF behind it", pdf + pdf
    yield "something behind its end", pdf + b"% safe for all\n"
    yield "something before its beginning", b"% safe\n" + pdf
    yield "another version in its first line", pdf.replace(b"%PDF-1.7", b"%PDF-1.4", 1)
    yield "its end is missing", pdf[:-6]


def drawn_over(pdf: bytes, objects: dict[int, bytes], root: int) -> Forgeries:
    """Strokes and a white box in a layer that is off on screens and on in print."""
    page = next(key for key, one in objects.items() if re.search(rb"/Type\s*/Page(?!s)", one))
    contents = re.search(rb"/Contents (\d+ 0 R)", objects[page])
    assert contents is not None
    new, layer = max(objects) + 100, max(objects) + 101
    states = b"/D<</OFF[%d 0 R]/AS[<</Event/Print/Category[/Print]/OCGs[%d 0 R]>>]>>" % (
        layer,
        layer,
    )
    for name, drawing in {
        "strokes that only print": b"2 w 20 20 m 200 200 l S",
        "a white box that only prints": b"1 g 20 20 200 200 re f",
    }.items():
        stream = b"/OC /Shy BDC %s EMC" % drawing
        yield (
            name,
            updated(
                pdf,
                {
                    page: with_entry(objects[page], b"/Contents[%s %d 0 R]" % (contents[1], new)),
                    new: b"<</Length %d>>stream\n%s\nendstream" % (len(stream), stream),
                    layer: b"<</Type/OCG/Name(Shy)/Usage<</Print<</PrintState/ON>>>>>>",
                    root: with_entry(
                        objects[root], b"/OCProperties<</OCGs[%d 0 R]%s>>" % (layer, states)
                    ),
                },
                root,
            ),
        )


# Workbooks ----------------------------------------------------------------------------------------

Parts = dict[str, bytes]
CARD, STAIRS, STYLES = "xl/worksheets/sheet1.xml", "xl/worksheets/sheet2.xml", "xl/styles.xml"
BOOK, RELATIONS, TEXTS = "xl/workbook.xml", "xl/_rels/workbook.xml.rels", "xl/sharedStrings.xml"


def parts_of(book: bytes) -> Parts:
    with zipfile.ZipFile(io.BytesIO(book)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(parts: Sequence[tuple[str, bytes]], comment: bytes = b"") -> bytes:
    """A workbook of these parts, packed and dated as XlsxWriter does it."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.comment = comment
        for name, part in parts:
            about = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            archive.writestr(about, part, zipfile.ZIP_DEFLATED)
    return content.getvalue()


IN_PARTS: dict[str, tuple[str, str, str]] = {
    "false values, calculated by hand": (BOOK, "<calcPr ", '<calcPr calcMode="manual" '),
    "a false cached value": (CARD, "</f><v></v>", "</f><v>rule out</v>"),
    "a format that shows other words": (STYLES, "0.0%", "&quot;safe&quot;"),
    "a rule that colours": (
        CARD,
        "</sheetData>",
        '</sheetData><conditionalFormatting sqref="A1"><cfRule type="cellIs" dxfId="0" '
        'priority="1"/></conditionalFormatting>',
    ),
    "a hidden row": (CARD, '<row r="4"', '<row hidden="1" r="4"'),
    "hidden columns": (CARD, "<col ", '<col hidden="1" '),
    "white letters": (STYLES, '<color theme="1"/>', '<color rgb="FFFFFFFF"/>'),
    "a line that only prints": (
        CARD,
        "</worksheet>",
        "<headerFooter><oddHeader>safe</oddHeader></headerFooter></worksheet>",
    ),
    "a text box": (CARD, "</worksheet>", '<drawing r:id="rId1"/></worksheet>'),
    "other dates": (BOOK, "<workbookPr ", '<workbookPr date1904="1" '),
    "another name": (BOOK, "</workbook>", "<definedNames/></workbook>"),
    "a hidden sheet": (BOOK, 'name="Card" ', 'name="Card" state="hidden" '),
    "joined cells": (
        CARD,
        "</sheetData>",
        '</sheetData><mergeCells><mergeCell ref="A1:C9"/></mergeCells>',
    ),
    "another theme": ("xl/theme/theme1.xml", "1F497D", "FFFFFF"),
    "another author": ("docProps/core.xml", "</cp:coreProperties>", "<dc:x/></cp:coreProperties>"),
    "no protection": (CARD, "<sheetProtection ", "<x "),
    "another formula": (CARD, "COUNTIF(", "COUNTIFS("),
    "an array formula": (CARD, "<f>", '<f t="array" ref="A1:A9">'),
    "texts that are not there": (TEXTS, "<si>", "<xx>"),
    "a cell in another format": (STAIRS, ' t="s"', ' s="1" t="s"'),
    "a text in two formats": (TEXTS, "<t>", "<r><t>x</t></r><t>"),
}


def forged_workbooks(book: bytes) -> Forgeries:
    parts = parts_of(book)

    def changed(name: str, change: Callable[[bytes], bytes]) -> bytes:
        content = change(parts[name])
        assert content != parts[name], name
        return packed([*{**parts, name: content}.items()])

    for name, (part, old, new) in IN_PARTS.items():
        yield name, changed(part, lambda one: one.replace(old.encode(), new.encode(), 1))  # noqa: B023
    yield (
        "another sheet by its relation",
        changed(
            RELATIONS,
            lambda one: one.replace(b"sheet1.xml", b"x").replace(b"sheet2", b"sheet1"),
        ),
    )
    yield "a part twice", _twice(parts)
    yield "a part more", packed([*parts.items(), ("xl/vbaProject.bin", b"x")])
    yield "a comment on the archive", packed([*parts.items()], b"safe for all")
    yield "other order", packed([*parts.items()][::-1])
    yield "something behind it", book + b"safe"
    yield "something before it", b"safe" + book


def _twice(parts: Parts) -> bytes:
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a name that is there twice
        return packed([(STAIRS, parts[CARD]), *parts.items()])


# Texts --------------------------------------------------------------------------------------------


def forged_json(text: str, first: str) -> Forgeries:
    """`first` is a member of the document that is forged where readers keep the first."""
    lines = text.split("\n")
    member = next(line for line in lines if f'"{first}":' in line)
    forged = {
        "a key twice, forged first": text.replace(member, f'  "{first}": "x",\n{member}', 1),
        "a key twice, forged last": text.replace(member, f'{member.rstrip(",")},\n  "{first}": 1,', 1),
        "a key twice, written otherwise": text.replace("{", f'{{"\\u{ord(first[0]):04x}{first[1:]}": 1,', 1),
        "a key twice, deep inside": text.replace('"input":', '"input": "x", "input":', 1),
        "a key more": text.replace("{", '{"safe": true,', 1),
        "another layout": text.replace("\n  ", "\n   ", 1),
        "a space at its end": text + " ",
        "a number written otherwise": text.replace('"points": 2', '"points": 2.0', 1),
        "no number": text.replace('"points": 2', '"points": NaN', 1),
        "a second document": text + text,
        "a mark at its beginning": "\ufeff" + text,
        "other line ends": text.replace("\n", "\r\n"),
        "an escaped letter": text.replace('"questions"', '"\\u0071uestions"', 1),
    }  # fmt: skip
    for name, content in forged.items():
        assert content != text, name
        yield name, content.encode()


def forged_markup(markup: str) -> Forgeries:
    forged = {
        "another look in print": markup.replace("</style>", "@media print{td{color:#fff}}</style>", 1),
        "something behind its end": markup + "<!-- safe -->",
        "a NUL": markup.replace("</style>", "\0</style>", 1),
        "a letter as a number": re.sub(r">([A-Z])(?=[a-z]{3})", lambda x: f">&#{ord(x[1])};", markup, count=1),
        "another font": re.sub(r"(base64,[A-Za-z0-9+/]{99})(.)", lambda x: x[1] + ("B" if x[2] == "A" else "A"), markup, count=1),
        "a space": re.sub(r"</style>", " </style>", markup, count=1),
        "other quotes": re.sub(r'class="([a-z]+)"', r"class='\1'", markup, count=1),
    }  # fmt: skip
    for name, content in forged.items():
        if content != markup:
            yield name, content.encode()


def broken(suffix: str, content: bytes) -> Forgeries:
    """What no program writes on purpose; each of them has to be told in a line."""
    yield "empty", b""
    yield "zeros", bytes(4000)
    yield "no text", bytes(range(256)) * 9
    yield "a half", content[: len(content) // 2]
    yield "a beginning", content[:40]
    yield "its end", content[-400:]
    yield "a hole", content[: len(content) // 3] + content[len(content) // 3 + 99 :]
    yield "a million brackets", b"[" * 1_000_000
    yield "a million braces", b'{"a":' * 200_000
    yield "elements in elements", b"<div>" * 50_000
    if suffix == ".xlsx":
        parts = parts_of(content)
        yield "foreign texts", packed([*{**parts, TEXTS: b"<x/>"}.items()])
        yield "no texts", packed([one for one in parts.items() if one[0] != TEXTS])
        yield "no sheets", packed([one for one in parts.items() if "sheets/" not in one[0]])
        yield "a bomb", packed([*{**parts, CARD: b" " * 300_000_000}.items()])
        laughs = b'<!DOCTYPE x [<!ENTITY a "ha">' + b"".join(
            b'<!ENTITY a%d "%s">' % (n, (b"&a%d;" % (n - 1) if n else b"&a;") * 9)
            for n in range(12)
        )
        yield "laughs", packed([*{**parts, TEXTS: laughs + b"]><x>&a11;</x>"}.items()])
        yield "deep", packed([*{**parts, CARD: b"<x>" * 300_000}.items()])
    if suffix == ".pdf":
        yield "a wrong cross reference", re.sub(rb"startxref\s+\d+", b"startxref 99999999", content)
        yield "in itself", re.sub(rb"/Prev \d+|/Size \d+", b"/Size 999999999", content)

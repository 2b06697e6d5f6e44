"""Falsified files, made by code from fresh ones: in every form, every kind of content.

`python -m tests.benchmarks.falsifications` tries them all, the tests some of them. What nobody
falsified is tried by `tests.benchmarks.untouched`.
"""

from __future__ import annotations

import io
import json
import re
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from html import escape
from itertools import islice
from pathlib import Path
from typing import Any

from scorecard.api import export, make_card, make_handout, printed_card
from scorecard.core.build_staircase import build_staircase
from scorecard.core.model import About, Condition, Question, ScoringList
from scorecard.core.policy import StoppingPolicy
from scorecard.core.question import Substitute
from scorecard.files import templates_folder
from scorecard.forms import FORMS
from scorecard.forms.card.make import card_css, card_html
from scorecard.forms.check import Verdict, check
from scorecard.printing.finished import record_in
from scorecard.printing.html_to_pdf import pdf_from_html
from tests.lists import counted

ABOUT = About(
    title="Chest pain",
    outcome="heart attack",
    population="adults with chest pain",
    horizon="30 days",
    rule_out="send home",
    rule_in="admit",
    undecided="ask a colleague",
    source="Made up, 2020",
    licence="CC0",
    version="3",
    date="2026-01-02",
    note="An example.",
    setting="two wards",
    dates="2019 to 2020",
    pitfalls="not after surgery",
    next_steps_rule_out="pain relief",
)
COTININE = Substitute("cotinine", Condition(">=", 15.5), label="Cotinine", unit="ng/ml")
CASES = {"000": (80, 1), "001": (60, 2), "010": (30, 9), "011": (40, 20), "110": (50, 45)}


def rich_list() -> ScoringList:
    """A list with counts, ranges, every text, a cut-off and a negative points value."""
    plain = counted((2, 1, -1), CASES | {"111": (40, 37), "100": (30, 12), "101": (20, 6)})
    questions = (
        Question("age", 2, Condition(">=", 65), label="Age", unit="years", note="at admission"),
        Question("smoker", 1, label="Smoker", if_unknown=COTININE),
        replace(plain.questions[2], input="beta", label="Beta blocker"),
    )
    return replace(plain, questions=questions, about=ABOUT)


LIST = rich_list()
POLICY = StoppingPolicy(0.08, 0.85, by="point", min_cases=0)
STAIRCASE = build_staircase(LIST, POLICY)
LOOK: dict[str, Any] = {"policy": POLICY, "warnings": ("Not for children",)}
NAMES_A_PLACE = re.compile(
    r"\bline [0-9]+|\bpage [0-9]+|[0-9] mm |[A-Za-z]+![$A-Z]+[0-9]+|\b[a-z_]+(\[[0-9]+\]|\.[a-z])"
    r"|`\$\.[a-z]|the (protection|number) of |sheet |rule_out|it has [0-9]+ pages"
    r"|does not say how it was made"
)


@dataclass(frozen=True)
class File:
    """A file to be compared, and what was falsified in it."""

    name: str
    content: bytes
    change: str


def judged(file: File, folder: Path) -> list[Verdict]:
    path = folder / file.name
    path.write_bytes(file.content)
    return check(STAIRCASE, [path])


# Printed files ------------------------------------------------------------------------------------

TEXTS = {
    "title": ("Chest pain", "Chest pane"),
    "outcome": ("heart attack", "heart failure"),
    "population": ("adults with chest pain", "children with chest pain"),
    "word of a stop": ("send home", "admit at once"),
    "word of the other stop": ("admit", "send home"),
    "undecided": ("ask a colleague", "do nothing"),
    "marks": ("▼", "▲"),
    "marks turned": ("▲", "▼"),
    "mark of undecided": ("◆", "▼"),
    "a sign": ("≥", "<"),
    "cut-off": ("65", "56"),
    "unit": ("years", "months"),
    "points": ("+2", "+3"),
    "negative points": ("−1", "+1"),
    "limits": ("8 of 100", "2 of 100"),
    "other limit": ("85", "95"),
    "the rule for unknown": ("unknown", "no"),
    "source": ("Made up, 2020", "The Lancet, 2020"),
    "version": ("v3", "v4"),
    "date": ("2026-01-02", "2016-01-02"),
    "hash": (None, "00000000"),
    "warning": ("Not for children", "For children"),
    "judgement": ("judgement", "fun"),
    "question": ("Smoker", "Non-smoker"),
    "substitute": ("Cotinine", "Nicotine"),
    "cut-off of a substitute": ("15.5", "51.5"),
    "unit of a substitute": ("ng/ml", "mg/ml"),
}
IN_HANDOUT = {
    "licence": ("CC0", "secret"),
    "setting": ("two wards", "all wards"),
    "dates": ("2019 to 2020", "2009 to 2010"),
    "pitfalls": ("not after surgery", "also after surgery"),
    "next steps": ("pain relief", "nothing"),
    "horizon": ("30 days", "3 days"),
    "note": ("An example.", "Proven."),
    "note of a question": ("at admission", "at birth"),
}


Changes = Iterator[tuple[str, str]]
"""What was falsified, and the page with that."""


def with_texts(markup: str, changes: dict[str, tuple[str | None, str]]) -> Changes:
    """The page with one text changed where people read it: outside of its head."""
    start = markup.index("</head>") if "</head>" in markup else markup.index("</style>")
    head, body = markup[:start], markup[start:]
    identity = re.search(r"\b[0-9a-f]{8}\b", body)
    for name, (old, new) in changes.items():
        was = old if old is not None else identity[0] if identity else ""
        if was and was in body:
            yield name, head + body.replace(was, new, 1)


def with_numbers(markup: str, step: int) -> Changes:
    """The page with one figure changed."""
    body = markup.index("</head>") if "</head>" in markup else markup.index("</style>")
    last = markup.index("<script>") if "<script>" in markup else len(markup)
    figures = [one for one in re.finditer(r">[^<>]*?([0-9])[^<>]*?<", markup) if one.start() > body]
    for one in [found for found in figures if found.end() < last][::step]:
        other = "7" if one[1] != "7" else "3"
        yield f"figure at {one.start(1)}", markup[: one.start(1)] + other + markup[one.end(1) :]


def with_elements(markup: str) -> Changes:
    """The page with something added, taken away or turned in its structure."""
    yield "an added sentence", markup.replace("</body>", "<p>Safe for all.</p></body>", 1)
    yield "an added script", markup.replace("</body>", "<script>0</script></body>", 1)
    yield "a handler", markup.replace("<body", '<body onload="x()"', 1)
    yield "a picture from elsewhere", markup.replace("</body>", '<img src="//x.y/z"></body>', 1)
    yield "a form", markup.replace("</body>", '<form action="//x"><input></form></body>', 1)
    yield "a comment", markup.replace("</body>", "<!-- x --></body>", 1)
    yield "another policy", re.sub("default-src 'none'", "default-src *", markup, count=1)
    yield "another style", markup.replace("</style>", ".box{display:none}</style>", 1)
    yield "another language", re.sub('<html lang="en"', '<html lang="de"', markup, count=1)
    yield "a row less", re.sub(r"(?s)<tr\b.*?</tr>", "", markup, count=1)
    yield "a class", re.sub(r'class="([^"]*\bout\b[^"]*)"', 'class="in"', markup, count=1)
    yield "no end", markup[: markup.rindex("</body>")]
    yield "the record's size", markup.replace("a6", "a5", 1)
    yield (
        "the record's title",
        markup.replace(
            "&#34;options&#34;: {", "&#34;options&#34;: {&#34;title&#34;: &#34;T&#34;, ", 1
        ),
    )


def in_script(html: str) -> Changes:
    yes, no = "() => answer(!asked.turned)", "() => answer(asked.turned)"
    yield "yes sends no", html.replace(yes, no, 1)
    yield "unknown sends no", html.replace("() => answer(null)", "() => answer(false)", 1)
    yield "back does nothing", html.replace("while (given.pop().follows);", "given.length;", 1)
    yield "a cut-off of the script", re.sub(r'"cutoff": ?65', '"cutoff": 66', html, count=1)
    yield (
        "a risk of the script",
        re.sub(r'"probability": ?0\.', '"probability": 0.0', html, count=1),
    )
    yield "no self-test", html.replace("fault = firstFault();", "fault = '';", 1)
    yield "at and above", html.replace(">=", ">", 1)
    lines = html.split("\n")
    start = next(at for at, line in enumerate(lines) if "<script>" in line)
    for at in range(start + 5, len(lines) - 5, 40):
        found = re.search(r"[a-z]", lines[at])
        if found:
            line = lines[at][: found.start()] + "q" + lines[at][found.end() :]
            yield f"line {at} of the script", "\n".join([*lines[:at], line, *lines[at + 1 :]])


def pages(step: int = 9, every: int = 1) -> Iterator[File]:
    """Falsified web pages: of all changes one in `every`."""
    yield from islice(all_pages(step), 0, None, every)


def all_pages(step: int) -> Iterator[File]:
    card = make_card(LIST, "html", **LOOK).decode()
    handout = make_handout(LIST, "html", **LOOK).decode()
    for name, markup in {"card.html": card, "handout.html": handout}.items():
        texts = TEXTS | (IN_HANDOUT if name == "handout.html" else {})
        more = in_script(markup) if name == "handout.html" else iter(())
        for change, falsified in (
            *with_texts(markup, texts),
            *with_elements(markup),
            *with_numbers(markup, step),
            *more,
        ):
            if falsified != markup:
                yield File(name, falsified.encode(), change)


def sheets(step: int = 4, every: int = 1) -> Iterator[File]:
    """Falsified PDFs: printed from a changed page, but with the record of the right one."""
    printed = printed_card(LIST, "pdf", **LOOK)
    html, css = card_html(printed.view, printed.page), card_css(printed.page)
    changes = [
        *with_texts(html, TEXTS),
        *with_numbers(html, step),
        ("an added sentence", html.replace("</footer>", "<p>Safe.</p></footer>", 1)),
        ("a row less", re.sub(r"(?s)<tr\b.*?</tr>", "", html, count=1)),
    ]
    looks = {
        "white letters": ".user { color: #fff; }",
        "moved": "table { transform: translate(4mm, 0); }",
        "a cover": "body::after { content: ''; position: absolute; left: 9mm; top: 20mm;"
        " width: 20mm; height: 9mm; background: #fff; }",
        "larger paper": "@page { size: 160mm 110mm; }",
    }
    folders = (templates_folder(),)
    for change, falsified in changes[::every]:
        if falsified != html:
            yield File("card.pdf", pdf_from_html(falsified, css, folders), change)
    for change, rule in list(looks.items())[::every]:
        yield File("card.pdf", pdf_from_html(html, css + rule, folders), change)
    yield from drawn_on(printed.content)


def drawn_on(pdf: bytes) -> Iterator[File]:
    """The finished PDF changed with an editor: things moved, taken away, put on top."""
    import pypdfium2
    import pypdfium2.raw as raw

    def edited(edit: Callable[[Any, list[Any]], None]) -> bytes:
        with pypdfium2.PdfDocument(pdf) as document:
            page = document[0]
            count = raw.FPDFPage_CountObjects(page.raw)
            things = [raw.FPDFPage_GetObject(page.raw, number) for number in range(count)]
            kind = raw.FPDF_PAGEOBJ_TEXT
            edit(page, [one for one in things if raw.FPDFPageObj_GetType(one) == kind])
            raw.FPDFPage_GenerateContent(page.raw)
            content = io.BytesIO()
            document.save(content)
            return content.getvalue()

    def cover(page: Any, _texts: list[Any]) -> None:
        box = raw.FPDFPageObj_CreateNewRect(100, 100, 60, 30)
        raw.FPDFPageObj_SetFillColor(box, 255, 255, 255, 255)
        raw.FPDFPath_SetDrawMode(box, raw.FPDF_FILLMODE_ALTERNATE, False)
        raw.FPDFPage_InsertObject(page.raw, box)

    def swap(_page: Any, texts: list[Any]) -> None:
        one, other = texts[8], texts[12]
        raw.FPDFPageObj_Transform(one, 1, 0, 0, 1, 30, -30)
        raw.FPDFPageObj_Transform(other, 1, 0, 0, 1, -30, 30)

    def pale(_page: Any, texts: list[Any]) -> None:
        raw.FPDFPageObj_SetFillColor(texts[10], 255, 255, 255, 255)

    def less(page: Any, texts: list[Any]) -> None:
        raw.FPDFPage_RemoveObject(page.raw, texts[10])

    def note(page: Any, _texts: list[Any]) -> None:
        raw.FPDFPage_CreateAnnot(page.raw, raw.FPDF_ANNOT_SQUARE)

    for change in (cover, swap, pale, less, note):
        yield File("card.pdf", edited(change), f"edited: {change.__name__}")
    with pypdfium2.PdfDocument(pdf) as document:
        document.new_attachment("more.txt").set_data(b"x")
        content = io.BytesIO()
        document.save(content)
        yield File("card.pdf", content.getvalue(), "edited: a file attached")


def handout_sheets(every: int = 1) -> Iterator[File]:
    from scorecard.forms.handout.make import handout_css

    html = make_handout(LIST, "html", **LOOK).decode()
    record = record_in(make_handout(LIST, "pdf", **LOOK))
    assert record is not None
    plain = re.sub(r"(?s)<(style|script)>.*?</\1>", "", html)
    plain = re.sub(r'(<meta name="scorecard" content=")[^"]*', rf"\1{escape(record.text())}", plain)
    plain = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", plain)
    # Names of pictures are not printed: a change there would falsify nothing.
    plain = re.sub(
        r'(<svg[^>]*?) aria-label="[^"]*"([^>]*>\s*)<title>[^<]*</title>', r"\1\2", plain
    )
    for change, falsified in list(with_texts(plain, TEXTS | IN_HANDOUT))[::every]:
        if falsified != plain:
            made = pdf_from_html(falsified, handout_css(), (templates_folder(),))
            yield File("handout.pdf", made, change)


def claims() -> Iterator[File]:
    """A sentence added, or letters made white, and the claim that it cannot be made again here."""
    page = make_handout(LIST, "html", **LOOK).decode()
    added = page.replace("<main", "<p>Count unknown as no.</p><main", 1)
    assert added != page
    for name, change in {
        "another version": {"version": "0.1.9"},
        "templates of its own": {"options": {"template_dir": "ward"}},
        "nothing": {"form": None},
    }.items():
        yield File("handout.html", claiming(added, change).encode(), f"claims {name}")
    printed = printed_card(LIST, "pdf", **LOOK)
    html = claiming(card_html(printed.view, printed.page), {"made_with": "WeasyPrint 1"})
    css = card_css(printed.page) + ".user { color: #fff; }"
    content = pdf_from_html(html, css, (templates_folder(),))
    yield File("card.pdf", content, "claims other libraries")


def claiming(markup: str, change: dict[str, Any]) -> str:
    """The page with a record that says something else."""
    record = record_in(markup.encode())
    assert record is not None
    other = "" if change == {"form": None} else replace(record, **change).text()
    found = re.search(r'<meta name="scorecard" content="([^"]*)"', markup)
    assert found is not None
    return markup[: found.start(1)] + escape(other) + markup[found.end(1) :]


# Programs, queries, tables, workbooks -------------------------------------------------------------


def programs(step: int = 12) -> Iterator[File]:
    for form in ("python", "javascript", "sql"):
        lines = export(LIST, form, policy=POLICY).decode().split("\n")
        for at in range(2, len(lines), step):
            found = re.search(r"[0-9]", lines[at]) or re.search(r"[A-Za-z]", lines[at])
            if found:
                other = {"0": "1", "9": "8"}.get(found[0], chr(ord(found[0]) + 1))
                line = lines[at][: found.start()] + other + lines[at][found.end() :]
                text = "\n".join([*lines[:at], line, *lines[at + 1 :]])
                yield File(FORMS[form].usual, text.encode(), f"line {at + 1}")


def tables(step: int = 9) -> Iterator[File]:
    content = export(LIST, "json", policy=POLICY)
    places = [path for path in leaves(json.loads(content)) if path[0] not in SAID_OF_ITSELF]
    for path in places[::step]:
        table: Any = json.loads(content)
        inner = table
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = other_value(inner[path[-1]])
        yield File("card.json", json.dumps(table).encode(), ".".join(map(str, path)))


SAID_OF_ITSELF = ("format", "sha256", "generator", "language")


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in items:
        if isinstance(item, (dict, list)) and item:
            yield from leaves(item, (*path, key))
        else:
            yield (*path, key)


def other_value(value: Any) -> Any:
    if value is None or isinstance(value, (dict, list)):
        return 0.5
    if isinstance(value, bool):
        return not value
    return f"{value}x" if isinstance(value, str) else value / 2 + 0.125


def workbooks(step: int = 30) -> Iterator[File]:
    with zipfile.ZipFile(io.BytesIO(export(LIST, "excel", policy=POLICY))) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    for name in ("xl/worksheets/sheet1.xml", "xl/worksheets/sheet2.xml", "xl/sharedStrings.xml"):
        text = parts[name].decode()
        # A text of its own or a formula; the number of a text, or a result, is another matter.
        places = [one.start(1) for one in re.finditer(r"<(?:f|t)[^>]*>([^<])", text)]
        for at in places[::step]:
            changed = text[:at] + ("7" if text[at] != "7" else "8") + text[at + 1 :]
            yield File("card.xlsx", packed({**parts, name: changed.encode()}), f"{name} at {at}")


def packed(parts: dict[str, bytes]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return content.getvalue()


def falsified() -> Iterator[File]:
    for some in (pages(), sheets(), handout_sheets(), claims(), programs(), tables(), workbooks()):
        yield from some


def slipped(file: File, folder: Path) -> str:
    """Why a falsified file was not found out as it should be; empty if it was."""
    verdicts = judged(file, folder)
    wrong = [one for one in verdicts if one.disagrees]
    if not wrong:
        return "" if any(one.in_part for one in verdicts) else "not found"
    return "" if NAMES_A_PLACE.search(wrong[0].first) else f"without a place: {wrong[0].first}"


def main() -> int:
    tried = faults = 0
    with tempfile.TemporaryDirectory() as place:
        for file in falsified():
            tried += 1
            if why := slipped(file, Path(place)):
                faults += 1
                print(f"{file.name}, {file.change}: {why}")
    print(f"{tried} falsified files, {tried - faults} found out with their place")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())

"""Say where a printed card or handout differs, or compare what it decides.

A file of this version is compared with the one made again: its text with the places, then how it
looks. Of one that another version made, or templates of somebody's own drew, the questions, points
and boxes are read. Such a file is not said to agree: anything may have been added.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from scorecard.core.staircase import Staircase
from scorecard.documents.values import tree_of
from scorecard.files import PDF
from scorecard.forms import FORMS
from scorecard.forms.card.contents import CardOptions, CardView, view_of
from scorecard.forms.card.make import made_with
from scorecard.forms.card.read_back import cards_in_tables, has_questions, tables_in_html
from scorecard.forms.card.read_path import PrintedPath, path_in_pages
from scorecard.forms.card.verify import (
    check_behind_path,
    check_content,
    check_path,
    squeezed,
)
from scorecard.forms.found import Found, NotMadeAgainError, UnusableError, Work
from scorecard.forms.origin import Origin, first_line_that_differs, made_elsewhere
from scorecard.printing.finished import (
    POINTS_PER_MM,
    PrintedPage,
    PrintRecord,
    Table,
    printed_pages,
    record_in,
)
from scorecard.printing.logos import logo_file
from scorecard.printing.refusals import CardError
from scorecard.words.language import Language, language_named, languages

SCALE = 2.0  # of a picture: 144 dots per inch
LONGEST = 90
NO_RECORD = (
    "it does not say how it was made: a version before 0.2 wrote it, or that was taken out. Not all"
    " of its text can be compared; make it again with scorecard card or scorecard handout"
)
_NAME = re.compile(r"\b[0-9a-f]{8}\b")


def origin_of_page(form: str, content: bytes) -> Origin | None:
    """What a printed file of this form says of its making."""
    record = record_in(content)
    if record is None or (record.form in FORMS and record.form != form):
        return None
    kind = "pdf" if content.startswith(PDF) else "html"
    libraries = {record.made_with: made_with(kind)}
    elsewhere = made_elsewhere(record.version, libraries)
    return Origin(record.list, _command(record, kind), _again(record, kind), elsewhere)


def _again(record: PrintRecord, kind: str) -> Callable[[Work], bytes]:
    def again(work: Work) -> bytes:
        listed, policy = work.staircase.scoring_list, work.staircase.policy
        options = dict(record.options)
        if "template_dir" in options:
            if work.template_dir is None:
                raise NotMadeAgainError("it was drawn with templates of somebody's own")
            options["template_dir"] = work.template_dir
        with logo_file(options.pop("logo", None)) as logo:
            return FORMS[record.form].make(listed, kind, policy=policy, logo=logo, **options)

    return again


def _command(record: PrintRecord, kind: str) -> str:
    """What makes a printed file again, as one types it."""
    words = ["scorecard", record.form, "MODEL", "-o", f"{record.form}.{kind}"]
    for name, value in record.options.items():
        words += _typed(name, value)
    return shlex.join(words) + " --force"


def _typed(name: str, value: Any) -> list[str]:
    if name == "orientation":
        return [f"--{value}"]
    if name == "layout" and value == "staircase":
        return []
    if name in ("logo", "template_dir"):
        return [f"--{name.replace('_', '-')}", "FILE" if name == "logo" else "FOLDER"]
    if name == "warnings":
        return [word for line in value for word in ("--warning", str(line))]
    option = f"--{name.replace('_', '-')}"
    return [option] if value is True else [option, str(value)]


def found(content: bytes, right: bytes | None, work: Work) -> Found:
    """Where a page differs from the right one; without that, in what it decides."""
    record = record_in(content)
    try:
        page = _page_of(content)
        # The digits on the page are the same for a list with other words.
        names = frozenset([record.list] if record else _NAME.findall(page.text))
        if right is None or work.decisions_only:
            return Found(faults=_decided_otherwise(page, record, work), names=names)
    except CardError as error:
        raise UnusableError(str(error)) from None
    faults = _other_policy(record, work.staircase) if record else []
    if not faults and _is_pdf(content):
        faults = list(pdf_faults(content, right))
    elif not faults:
        faults = [first_line_that_differs(content, right)]
    return Found(faults=faults, names=names)


def _other_policy(record: PrintRecord, staircase: Staircase) -> list[str]:
    due = tree_of(staircase.policy)
    wrong = [
        f"{name} {record.policy.get(name)}, here {due.get(name)}"
        for name in dict.fromkeys([*due, *record.policy])
        if record.policy.get(name) != due.get(name)
    ]
    return [f"it was made with other limits: {'; '.join(wrong)}"] if wrong else []


# What a page decides ------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Page:
    """A page as far as it was read: its text, its tables or its path."""

    text: str
    tables: Sequence[Table]
    path: PrintedPath | None = None


def _is_pdf(content: bytes) -> bool:
    return PDF in content[:1024]  # a reader of PDFs takes it there, too


def _page_of(content: bytes) -> _Page:
    if not _is_pdf(content):
        if not content.lstrip().startswith(b"<"):
            raise CardError("This is not a PDF that can be read, and no web page.")
        html = content.decode()
        text = re.sub(r"<[^>]*>", " ", re.sub(r"(?s)<(style|script)\b.*?</\1>", " ", html))
        return _Page(text, tables_in_html(html))
    pages = printed_pages(content)
    tables = [table for page in pages for table in page.tables]
    # Charts on a handout have lines too, but its questions are in a table.
    path = None if any(map(has_questions, tables)) else path_in_pages(pages)
    return _Page(" ".join(page.text for page in pages), tables, path)


def _decided_otherwise(page: _Page, record: PrintRecord | None, work: Work) -> list[str]:
    """Where questions, points and boxes are not those of the list, in the words of the page."""
    own = language_of(record, work) if record else None
    spoken = [own] if own else [language_named(code) for code in languages()]
    # Words that are not at hand are not compared.
    decisions_only = work.decisions_only or (record is not None and own is None)
    wrong = _complaint(page, work, spoken, decisions_only)
    if record is None and not work.decisions_only:
        return ["; ".join([NO_RECORD, *wrong])]
    return wrong


def _complaint(
    page: _Page, work: Work, spoken: Sequence[Language], decisions_only: bool
) -> list[str]:
    staircase, path = work.staircase, page.path
    cards = () if path else cards_in_tables(page.tables)
    asked = (question.text for card in cards for question in (*card.questions, *card.further))
    texts = path.questions.values() if path else asked
    view = _view_with({squeezed(one) for one in texts}, staircase, spoken)
    try:
        if path:
            check_path(path, view, staircase, decisions_only)
            if not decisions_only:
                check_behind_path(page.tables, view)
        else:
            check_content(cards, view, staircase, len(cards), decisions_only)
    except CardError as error:
        return [str(error).removesuffix(".")]
    return []


def language_of(record: PrintRecord, work: Work) -> Language | None:
    """The language of a printed file; `None` if its words are somebody's own, and not at hand."""
    if "template_dir" in record.options and work.template_dir is None:
        return None
    own = work.template_dir if "template_dir" in record.options else None
    said = str(record.options.get("language", "en"))
    return language_named(said, own) if said in languages(own) else None


def _view_with(printed: set[str], staircase: Staircase, spoken: Sequence[Language]) -> CardView:
    """In the language of the card most questions are the same, whatever else differs."""
    views = [view_of(staircase, CardOptions(language=one)) for one in spoken]

    def alike(view: CardView) -> int:
        return sum(squeezed(row.question) in printed for row in (*view.rows, *view.further))

    return max(views, key=alike)


# Where a PDF differs ------------------------------------------------------------------------------


def pdf_faults(found: bytes, right: bytes) -> Iterator[str]:
    """How a PDF differs from the right one: its text, else how it looks, else what is hidden."""
    pages, due = printed_pages(found), printed_pages(right)
    told = [*_size_faults(pages, due), *_text_faults(pages, due)]
    yield from told or list(_look_faults(found, right)) or _hidden_faults(found, right)


def _size_faults(pages: Sequence[PrintedPage], due: Sequence[PrintedPage]) -> Iterator[str]:
    if len(pages) != len(due):
        yield f"it has {len(pages)} pages instead of {len(due)}"
    for number, both in enumerate(zip(pages, due, strict=False), 1):
        size, wanted = (f"{round(one.width)} × {round(one.height)} mm" for one in both)
        if size != wanted:
            yield f"page {number} is {size} instead of {wanted}"


def _text_faults(pages: Sequence[PrintedPage], due: Sequence[PrintedPage]) -> Iterator[str]:
    """What is changed, missing or added, with its place."""
    (texts, places), (wanted, their_places) = _words(pages), _words(due)
    matcher = SequenceMatcher(None, texts, wanted, autojunk=False)
    for what, a, b, c, d in matcher.get_opcodes():
        if what == "insert":
            yield f"{_quoted(wanted[c:d])} is missing, {their_places[c]}"
        elif what == "delete":
            yield f"{_quoted(texts[a:b])} is added, {places[a]}"
        elif what == "replace":
            yield f"{_quoted(texts[a:b])} instead of {_quoted(wanted[c:d])}, {places[a]}"


def _words(pages: Sequence[PrintedPage]) -> tuple[list[str], list[str]]:
    """All words in their order, and where each of them is."""
    placed = [
        (word, _place(number, piece.bounds[0], page.height * POINTS_PER_MM - piece.bounds[3]))
        for number, page in enumerate(pages, 1)
        for piece in page.pieces
        for word in piece.text.split()
    ]
    return [word for word, _ in placed], [place for _, place in placed]


def _place(page: int, across: float, down: float) -> str:
    across, down = across / POINTS_PER_MM, down / POINTS_PER_MM
    return f"page {page}, {across:.0f} mm from the left and {down:.0f} mm from the top"


def _quoted(texts: Sequence[str]) -> str:
    text = " ".join(texts)
    return repr(text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…")


def _look_faults(found: bytes, right: bytes) -> Iterator[str]:
    """Pages that look otherwise though their text is the same: places, colours, covers, notes."""
    with pypdfium2.PdfDocument(found) as one, pypdfium2.PdfDocument(right) as other:
        for number, both in enumerate(zip(one, other, strict=True), 1):
            shown, due = (page.render(scale=SCALE, may_draw_forms=True) for page in both)
            pairs = enumerate(zip(bytes(shown.buffer), bytes(due.buffer), strict=True))
            at = next((place for place, (a, b) in pairs if a != b), None)
            if at is not None:
                down, across = divmod(at, shown.stride)
                pixel = across / shown.n_channels
                yield f"it looks otherwise, {_place(number, pixel / SCALE, down / SCALE)}"


def _hidden_faults(found: bytes, right: bytes) -> Iterator[str]:
    """What no page shows: scripts, attached files, notes and links, the title, the author."""
    told, due = _hidden(found), _hidden(right)
    for name, value in told.items():
        if value != due[name]:
            yield f"{name} is {value!r} instead of {due[name]!r}"


def _hidden(content: bytes) -> dict[str, object]:
    with pypdfium2.PdfDocument(content) as document:
        about = document.get_metadata_dict()
        notes = [pdfium.FPDFPage_GetAnnotCount(page.raw) for page in document]
        return {
            "the number of its scripts": pdfium.FPDFDoc_GetJavaScriptActionCount(document.raw),
            "the number of its attached files": document.count_attachments(),
            "the number of notes and links on its pages": notes,
            **{f"its {name.lower()}": about[name] for name in ("Title", "Author", "Subject")},
        }

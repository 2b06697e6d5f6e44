"""What stands on the page of a report, read by a parser that knows nothing of the templates."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

from scorecard.evaluation.report import report_of
from scorecard.evaluation.write import report_html


@dataclass
class Section:
    """A section with its texts by the tag (and class) they stand in, in order."""

    kind: str
    texts: dict[str, list[str]] = field(default_factory=dict)
    rows: list[tuple[str, ...]] = field(default_factory=list)

    @property
    def heading(self):
        return self.texts["h2"][0]

    @property
    def head(self):
        return self.rows[0]


class _Reader(HTMLParser):
    def __init__(self):
        super().__init__()
        self.sections, self.open = [], []

    def handle_starttag(self, tag, attributes):
        names = dict(attributes)
        if tag == "section":
            self.sections.append(Section(names["class"]))
        if not self.sections or tag in ("meta", "br"):
            return
        self.open.append(tag)
        if tag == "tr":
            self.sections[-1].rows.append(())
        if tag == "figure":
            self.sections[-1].texts["figure"] = [names.get("class", "")]

    def handle_endtag(self, tag):
        if tag in self.open:
            while self.open.pop() != tag:
                pass

    def handle_data(self, text):
        text = text.replace("\N{NO-BREAK SPACE}%", " %")
        if not self.sections or not self.open or not text.strip():
            return
        if self.open[-1] in ("th", "td"):
            self.sections[-1].rows[-1] += (text,)
        self.sections[-1].texts.setdefault(self.open[-1], []).append(text)


def sections(found):
    """The sections of the page of an evaluation."""
    reader = _Reader()
    reader.feed(report_html(report_of(found)))
    return reader.sections


def tables(found):
    """The tables of the page by their headings."""
    return {one.heading: one for one in sections(found) if one.kind == "table"}


def strip(found):
    """The figures of the strip by their headings."""
    (one,) = [one for one in sections(found) if one.kind == "strip"]
    return dict(zip(one.texts["span"][::2], one.texts["b"], strict=True))

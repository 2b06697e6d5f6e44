"""A list as a document of headings, sentences and tables; a form writes them in its own way.

Every figure is a word already. The questions and the boxes are the two tables one can decide by.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from scorecard import __version__
from scorecard.core.staircase import Box, Staircase, Step
from scorecard.documents.json_document import content_hash
from scorecard.words.sentences import (
    cross_validation_sentences,
    ranges_are_joint,
    use_sentences,
    validation_sentences,
)
from scorecard.words.wording import SYMBOLS, Wording, printable

PURPOSE = {"population": "population", "horizon": "horizon"}
FACTS = {
    "source": "source",
    "handout setting": "setting",
    "handout dates": "dates",
    "version": "version",
    "date": "date",
    "licence": "licence",
}


@dataclass(frozen=True, slots=True)
class Table:
    """Its first row is the heading; `stops` are the rows at which one stops.

    `wide` is the column with the longest texts.
    """

    rows: tuple[tuple[str, ...], ...]
    wide: int
    stops: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Section:
    heading: str
    sentences: tuple[str, ...] = ()
    table: Table | None = None
    facts: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Document:
    """`made` says by what and from which list, so that it can be made again."""

    title: str
    sections: tuple[Section, ...]
    made: str
    language: str


def document_of(staircase: Staircase, language: str) -> Document:
    """The document of a list under its policy; without a language in English."""
    wording = Wording.of(staircase, language or "en")
    word, about = wording.word, staircase.scoring_list.about
    how = "look" if staircase.deciding_questions else "look all"
    unknown = "unknown text" if staircase.deciding_questions else "unknown text risk"
    title = printable(about.title) or word("list")
    sections = (
        Section(
            word("outcome"),
            tuple(_purpose(staircase, wording)),
            facts=_facts(staircase, wording, PURPOSE),
        ),
        Section(
            word("question"),
            (word("handout how start"), word(f"handout how {how}"), word(f"handout {unknown}")),
            Table(tuple(_questions(staircase, wording)), 1),
        ),
        Section(word("card risks"), tuple(_limits(staircase, wording)), _boxes(staircase, wording)),
        Section(word("handout merit"), tuple(_evidence(staircase, wording))),
        Section(word("handout about"), tuple(_limitations(staircase, wording))),
        Section(
            word("handout cite"),
            (_citation(staircase, wording, title),),
            facts=_facts(staircase, wording, FACTS),
        ),
    )
    made = (
        f"Written by scorecard {__version__}, language {language or '-'},"
        f" list sha256:{content_hash(staircase.scoring_list)}"
    )
    return Document(title, sections, made, language or "en")


def _purpose(staircase: Staircase, wording: Wording) -> Iterator[str]:
    about = staircase.scoring_list.about
    outcome = printable(about.outcome_sentence or about.outcome)
    yield wording.sentence(outcome or wording.word("card not stated"))
    yield from use_sentences(about, wording)


def _questions(staircase: Staircase, wording: Wording) -> Iterator[tuple[str, ...]]:
    yield ("", *map(wording.word, ("question", "points")))
    asked = (*staircase.questions, *staircase.sharpening_questions)
    for number, question in enumerate(asked, 1):
        text = wording.whole_question(question)
        if number > len(staircase.questions):
            text += f" ({wording.word('sharpening')})"
        yield str(number), text, wording.points(question.points)


def _boxes(staircase: Staircase, wording: Wording) -> Table:
    boxes = [
        (step, box) for step in (*staircase.steps, *staircase.sharpening) for box in step.boxes
    ]
    level = staircase.scoring_list.risk_source.level
    has_ranges = level is not None and any(box.risk and wording.range(box.risk) for _, box in boxes)
    has_counts = any(box.counts for _, box in boxes)
    heading = [*map(wording.word, ("handout stage", "total", "stop", "risk"))]
    if level is not None and has_ranges:
        key = "card box joint range" if ranges_are_joint(staircase) else "card box range"
        heading.append(wording.word(key, level=wording.percent(level)))
    heading += [wording.word("card box counts")] * has_counts
    rows = [_box(staircase, wording, step, box, has_ranges, has_counts) for step, box in boxes]
    stops = frozenset(number for number, (_, box) in enumerate(boxes, 1) if box.stops)
    return Table((tuple(heading), *rows), 2, stops)


def _box(
    staircase: Staircase, wording: Wording, step: Step, box: Box, has_ranges: bool, has_counts: bool
) -> tuple[str, ...]:
    about = staircase.scoring_list.about
    sign = wording.box_symbol(box)
    cells = [
        str(step.number),
        wording.total(box.total),
        f"{sign} {wording.decision(box.decision, about)}"
        if sign
        else f"{SYMBOLS[box.decision]} {wording.word('card next')}",
        wording.risk_of(box.risk.probability) if box.risk else "–",
    ]
    cells += [wording.range(box.risk) if box.risk else ""] * has_ranges
    counts = box.counts
    told = f"{wording.count(counts[1])}/{wording.count(counts[0])}" if counts else ""
    low, high = map(wording.total, box.totals)
    if low != high and told:  # counted once, though it stands beside each of these totals
        told += f" ({wording.word('total')} {wording.word('to', low=low, high=high)})"
    return (*cells, *[told] * has_counts)


def _limits(staircase: Staircase, wording: Wording) -> Iterator[str]:
    yield wording.limits_sentence(staircase)
    yield wording.estimate_sentence(staircase)
    yield from filter(None, [wording.undecided_sentence(staircase)])
    if any(box.curtailed for step in staircase.steps for box in step.boxes):
        yield wording.sentence(wording.curtailed_legend())


def _evidence(staircase: Staircase, wording: Wording) -> Iterator[str]:
    yield wording.figures_sentence(staircase.scoring_list)
    yield from cross_validation_sentences(staircase, wording)
    yield from validation_sentences(staircase, wording)
    yield from filter(None, [wording.validation_sentence(staircase.scoring_list)])
    yield from wording.notes(staircase)


def _limitations(staircase: Staircase, wording: Wording) -> Iterator[str]:
    yield from filter(None, [printable(staircase.scoring_list.about.note)])
    yield wording.word("handout limit averages")
    yield wording.word("handout limit place")
    yield wording.word("judgement")


def _citation(staircase: Staircase, wording: Wording, title: str) -> str:
    source = printable(staircase.scoring_list.about.source).rstrip(".")
    return wording.word(
        "handout citation",
        title=title.rstrip("."),
        identity=content_hash(staircase.scoring_list)[:8],
        source=f"{source}." if source else "",
    ).strip()


def _facts(
    staircase: Staircase, wording: Wording, named: Mapping[str, str]
) -> tuple[tuple[str, str], ...]:
    about = staircase.scoring_list.about
    told = ((wording.word(key), printable(getattr(about, name))) for key, name in named.items())
    return tuple((key, text) for key, text in told if text)

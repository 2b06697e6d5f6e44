"""The staircase for a terminal: the same boxes as on the card, in characters.

The result is text; with colour it has the usual escape sequences. Stops are told by word, symbol
and place, so nothing is lost without colour. A staircase too wide for the terminal becomes a list
of stages.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from io import StringIO

from rich.columns import Columns
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from scorecard.core.model import Risk
from scorecard.core.staircase import Box, Decision, Outcome, Staircase, Step
from scorecard.words.sentences import (
    cross_validation_sentences,
    edit_sentences,
    mark_legends,
    validation_sentences,
)
from scorecard.words.wording import NEVER, SYMBOLS, Wording, printable

COLOURS: dict[Decision, str] = {  # blue and orange: told apart by nearly everybody
    "rule out": "bold white on rgb(0,90,160)",
    "rule in": "bold black on rgb(255,170,60)",
    "undecided": "bold",
}
STOPS: tuple[Decision, ...] = ("rule out", "rule in", "undecided")
NARROWEST_LABEL = 18
LONGEST_HEADING = 16


def staircase_text(
    staircase: Staircase,
    wording: Wording,
    *,
    identity: str = "",
    width: int = 80,
    colour: bool = False,
) -> str:
    """The whole staircase with its stops, sentences and notes; `identity` is the list's hash."""
    parts: list[RenderableType] = [*_heading(staircase, wording, identity), Text()]
    parts += [*_boxes(staircase, wording, width), Text()]
    if staircase.deciding_questions:
        parts += [_stops(staircase, wording), Text()]
    if staircase.sharpening:
        parts += [Text(wording.word("sharpening"), style="bold")]
        parts += _stage_by_stage(staircase.sharpening, wording)
    parts += [Text(sentence) for sentence in _sentences(staircase, wording)]
    notes = wording.notes(staircase)
    if notes:
        parts += [Text(), Text(wording.word("notes"), style="bold")]
        parts += [_item(note) for note in notes]
    return printed(parts, width, colour)


def outcome_text(outcome: Outcome, staircase: Staircase, wording: Wording) -> str:
    """The result for one case: decision, total, risk with its counts."""
    about = staircase.scoring_list.about
    lines = [f"{SYMBOLS[outcome.decision]} {wording.decision(outcome.decision, about)}"]
    if outcome.decision == "unknown":
        lines = [wording.told("unknown", about)]
    low, high = map(wording.total, outcome.totals)
    totals = low if low == high else wording.word("to", low=low, high=high)
    lines.append(f"{wording.word('term', term=wording.word('total'))} {totals}")
    boxes = sorted({outcome.lowest, outcome.highest}, key=lambda box: box.total)
    for box in boxes:
        said = wording.seen(box.counts, figure=False)
        if box.risk is not None:
            said = _risk_in_words(box.risk, wording)
        if said:
            lines.append(f"{_place(box, boxes, wording)}{said}")
    return "\n".join(lines)


def _place(box: Box, boxes: Sequence[Box], wording: Wording) -> str:
    risk = wording.word("risk")
    if len(boxes) > 1:
        risk = f"{risk} ({wording.word('total')} {wording.total(box.total)})"
    return f"{wording.word('term', term=risk)} "


def _risk_in_words(risk: Risk, wording: Wording) -> str:
    parts = [wording.risk_of(risk.probability)]
    if risk.cases is not None and risk.positives is not None:
        parts.append(wording.counts_in_words(risk.positives, risk.cases))
    if wording.range(risk):
        parts.append(wording.word("range", range=wording.range(risk)))
    return ", ".join(parts)


def _heading(staircase: Staircase, wording: Wording, identity: str) -> Iterator[Text]:
    about = staircase.scoring_list.about
    title = Text(printable(about.title) or wording.word("list"), style="bold")
    for extra in (about.version, about.date, identity):
        if printable(extra):
            title.append(f"  {printable(extra)}", style="not bold")
    yield title
    for name in ("outcome", "population", "horizon", "source"):
        text = printable(getattr(about, name))
        if text:
            yield Text(f"{wording.word('term', term=wording.word(name))} {text}")
    if printable(about.note):
        yield Text(printable(about.note))


def _boxes(staircase: Staircase, wording: Wording, width: int) -> Iterator[RenderableType]:
    totals = sorted({box.total for step in staircase.steps for box in step.boxes})
    column = max(
        len(line) for step in staircase.steps for box in step.boxes for line in _cell(box, wording)
    )
    column = max(column, *(len(wording.total(total)) for total in totals))
    room = width - len(totals) * (column + 2) - 13
    if room >= NARROWEST_LABEL:
        yield _grid(staircase, wording, totals, column)
    else:
        yield from _stage_by_stage(staircase.steps, wording)
    yield Text(wording.legend(staircase), style="dim")
    yield from (Text(line, style="dim") for line in _marks(staircase, wording))


def _grid(
    staircase: Staircase, wording: Wording, totals: Sequence[int], column: int
) -> RenderableType:
    grid = Table(box=None, padding=(0, 1, 0, 0), collapse_padding=True, pad_edge=False)
    grid.add_column("", justify="right", no_wrap=True)
    grid.add_column(wording.word("question"), min_width=NARROWEST_LABEL)
    grid.add_column(wording.word("points"), justify="right", no_wrap=True)
    for total in totals:
        grid.add_column(wording.total(total), justify="center", min_width=column + 1)
    for step in staircase.steps:
        cells = {box.total: _styled(box, wording) for box in step.boxes}
        grid.add_row(*_labels(step, wording), *(cells.get(total, Text()) for total in totals))
        if step is not staircase.steps[-1]:
            grid.add_row()
    return grid


def _labels(step: Step, wording: Wording) -> tuple[Text, Text, Text]:
    if step.question is None:
        return Text(), Text(wording.word("start")), Text()
    question = step.question
    return (
        Text(str(step.number)),
        Text(wording.whole_question(question)),
        Text(wording.points(question.points)),
    )


def _stage_by_stage(steps: Sequence[Step], wording: Wording) -> Iterator[RenderableType]:
    for step in steps:
        number, question, points = (cell.plain for cell in _labels(step, wording))
        yield Text(f"{number}  {question}  {points}".strip(), style="bold")
        entries = [_entry(box, wording) for box in step.boxes]
        yield Padding(Columns(entries, padding=(0, 2)), (0, 0, 1, 3))


def _entry(box: Box, wording: Wording) -> Text:
    risk, *counts = _cell(box, wording)
    entry = Text(f"{wording.total(box.total)}: ", no_wrap=True)
    return entry.append(" ".join([risk, *(f"({count})" for count in counts)]), _style(box))


def _cell(box: Box, wording: Wording) -> list[str]:
    """The lines of a box: symbol and risk, and the counts below."""
    risk = NEVER if box.risk is None else wording.risk(box.risk.probability)
    first = f"{wording.box_symbol(box)} {risk}".strip()
    counts = wording.seen(box.counts, figure=box.risk is not None)
    return [first, counts] if counts else [first]


def _styled(box: Box, wording: Wording) -> Text:
    return Text("\n".join(_cell(box, wording)), style=_style(box))


def _style(box: Box) -> str:
    style = COLOURS.get(box.decision, "")
    return style.replace("bold", "not bold") if box.risk is None else style


def _marks(staircase: Staircase, wording: Wording) -> Iterator[str]:
    boxes = [box for step in staircase.steps for box in step.boxes]
    about = staircase.scoring_list.about
    present = [d for d in SYMBOLS if d != "go on" and any(box.decision == d for box in boxes)]
    marks = [f"{SYMBOLS[d]} {wording.decision(d, about)}" for d in present]
    marks += mark_legends(wording, boxes)
    together = "   ".join(marks)
    yield from [together] if len(together) < 75 else marks


def _stops(staircase: Staircase, wording: Wording) -> RenderableType:
    about = staircase.scoring_list.about
    table = Table(box=None, padding=(0, 3, 0, 0), pad_edge=False)
    table.add_column(wording.word("stops"))
    for decision in STOPS:
        own = wording.decision(decision, about)  # a long one stands in the legend
        name = own if len(own) <= LONGEST_HEADING else wording.decision(decision)
        table.add_column(Text(f"{SYMBOLS[decision]} {name}"))
    for step in staircase.steps[1:]:
        table.add_row(
            Text(wording.after(step.number)),
            wording.out_text(step),
            wording.in_text(step),
            wording.undecided_text(step),
        )
    return table


def _sentences(staircase: Staircase, wording: Wording) -> Iterator[str]:
    scoring_list = staircase.scoring_list
    yield wording.limits_sentence(staircase)
    yield wording.estimate_sentence(staircase)
    yield wording.figures_sentence(scoring_list)
    undecided = wording.undecided_sentence(staircase)
    if undecided:
        yield undecided
    yield wording.unknown_rule(staircase)
    yield from cross_validation_sentences(staircase, wording)
    yield from validation_sentences(staircase, wording)
    yield from edit_sentences(scoring_list, wording)
    validation = wording.validation_sentence(scoring_list)
    yield f"{validation} {wording.word('judgement')}".strip()


def _item(text: str) -> RenderableType:
    row = Table.grid(padding=(0, 1, 0, 0))
    row.add_row("-", Text(text))
    return row


def printed(parts: Iterable[RenderableType], width: int, colour: bool) -> str:
    """What rich makes of the parts, as text."""
    console = Console(
        file=StringIO(),
        width=width,
        force_terminal=colour,
        color_system="truecolor" if colour else None,
        no_color=not colour,
        highlight=False,
        emoji=False,
        markup=False,
        legacy_windows=False,
    )
    for part in parts:
        console.print(part)
    assert isinstance(console.file, StringIO)
    lines = console.file.getvalue().splitlines()
    return "\n".join(line if colour else line.rstrip() for line in lines)

"""What a handout says: the list explained, its risks, its stops and how good it is, as text.

A `HandoutView` has every string ready. It contains the view of the card, so that both say the same
about the same list; figures of merit come from the evidence, and without it the reason is told.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from scorecard.cards.contents import CardOptions, view_of
from scorecard.cards.view import BoxView, CardView
from scorecard.core.accuracy import rate
from scorecard.core.climbing import DEFAULT_LEVEL
from scorecard.core.staircase import Decision, Staircase, Step
from scorecard.handouts.calculator import calculator_texts
from scorecard.handouts.example import Example, worked_example
from scorecard.handouts.pictures import KINDS, Chart, IconArray, icon_array
from scorecard.handouts.tables import (
    MeritRow,
    ShareRow,
    charts,
    merit_notes,
    merit_rows,
    share_rows,
)
from scorecard.words.sentences import ranges_are_joint
from scorecard.words.wording import FEW_CASES, NEVER, Wording, printable

SHEET_WIDTH = 505  # points between the margins of A4 and Letter, whichever is less
MOST_ICON_ARRAYS = 6
ICON_ENDS: tuple[Decision, ...] = ("rule out", "undecided", "unknown", "rule in")
SECTIONS = {
    "staircase": "handout staircase",
    "how": "handout how",
    "stopping": "handout stopping",
    "undecided": "handout undecided",
    "risks": "handout risks",
    "merit": "handout merit",
    "limits": "handout limits",
    "about": "handout about",
}
PROVENANCE = {
    "source": "handout source",
    "validation": "handout validation",
    "licence": "handout licence",
    "version": "handout version",
    "date": "handout date",
}
OPEN_ICONS: dict[Decision, str] = {
    "undecided": "handout icons open",
    "unknown": "handout icons unknown",
}


@dataclass(frozen=True, slots=True)
class HandoutOptions:
    """What a user may add to a handout; `card` is what a card could be given too.

    `not_for` says whom the list is not for. `fingerprint` is the hash of the list's file and
    `generator` the program that wrote the page.
    """

    card: CardOptions = field(default_factory=CardOptions)
    not_for: str = ""
    fingerprint: str = ""
    generator: str = ""


@dataclass(frozen=True, slots=True)
class Fact:
    """A term and what there is to say about it."""

    term: str
    text: str


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the page that the table of contents leads to."""

    anchor: str
    heading: str


@dataclass(frozen=True, slots=True)
class HandoutView:
    """Everything in a handout, as text and plain shapes."""

    language: str
    card: CardView
    contents: tuple[Section, ...]
    intro: str
    facts: tuple[Fact, ...]
    note: str
    how: tuple[str, ...]
    example: Example
    staircase_layout: str
    ranges: str
    icons: tuple[IconArray, ...]
    icons_note: str
    stopping: tuple[Fact, ...]
    estimate: str
    notes: tuple[str, ...]
    shares: tuple[ShareRow, ...]
    shares_note: str
    has_unknown_ends: bool
    merit: tuple[MeritRow, ...]
    merit_notes: tuple[str, ...]
    charts: dict[str, Chart]
    undecided: str
    unknown: str
    limits: tuple[str, ...]
    provenance: tuple[Fact, ...]
    made_from: tuple[Fact, ...]
    calculator: dict[str, Any]
    words: dict[str, str]


def handout_view(staircase: Staircase, options: HandoutOptions | None = None) -> HandoutView:
    """The handout of a list under its stopping policy.

    Examples
    --------
    >>> from scorecard.core.climbing import build_staircase
    >>> from scorecard.core.model import Question, Risk, ScoringList, Stage
    >>> stages = (Stage((0,), (Risk(0.3),)), Stage((0, 1), (Risk(0.02), Risk(0.6))))
    >>> view = handout_view(build_staircase(ScoringList((Question("smoker", 1),), stages)))
    >>> view.stopping[0].text
    'at a total of 0 or less stop: rule out; at 1 it stays undecided.'
    """
    options = options or HandoutOptions()
    wording = Wording.of(staircase, options.card.language)
    return _HandoutMaker(staircase, options, wording, view_of(staircase, options.card)).view()


@dataclass(frozen=True)
class _HandoutMaker:
    staircase: Staircase
    options: HandoutOptions
    wording: Wording
    card: CardView

    def view(self) -> HandoutView:
        staircase, wording, card = self.staircase, self.wording, self.card
        return HandoutView(
            language=card.language,
            card=card,
            contents=tuple(self._contents()),
            intro=self._intro(),
            facts=tuple(self._facts()),
            note=printable(staircase.scoring_list.about.note),
            how=tuple(self._how()),
            example=worked_example(staircase, wording),
            staircase_layout=self._staircase_layout(),
            ranges=self._ranges(),
            icons=tuple(self._icons()),
            icons_note=self._word("handout icons", per=wording.number(wording.per)),
            stopping=tuple(
                Fact(wording.after(step.number), self._stops(step)) for step in staircase.steps[1:]
            ),
            estimate=wording.estimate_sentence(staircase),
            notes=tuple(wording.notes(staircase)),
            shares=tuple(share_rows(staircase, wording)),
            shares_note=self._shares_note(),
            has_unknown_ends=staircase.stopping("unknown")[0] > 0,
            merit=tuple(merit_rows(staircase, wording)),
            merit_notes=tuple(merit_notes(staircase, wording)),
            charts=charts(staircase, wording),
            undecided=self._undecided(),
            unknown=self._word("handout unknown text"),
            limits=tuple(self._limits()),
            provenance=tuple(self._provenance()),
            made_from=tuple(
                Fact(printable(key) or NEVER, printable(value) or NEVER)
                for key, value in staircase.scoring_list.provenance
            ),
            calculator=calculator_texts(staircase, wording, card.title, card.identity),
            words=_headings(wording),
        )

    def _word(self, key: str, **parts: object) -> str:
        return self.wording.word(key, **parts)

    # What it is for -----------------------------------------------------------------------------

    def _contents(self) -> Iterator[Section]:
        has_icons = any(self._icons())
        for anchor, key in SECTIONS.items():
            if anchor != "risks" or has_icons:
                yield Section(anchor, self._word(key))

    def _intro(self) -> str:
        count = len(self.staircase.questions)
        return (
            self._word("handout intro one")
            if count == 1
            else self._word("handout intro", count=count)
        )

    def _facts(self) -> Iterator[Fact]:
        about, options = self.staircase.scoring_list.about, self.options
        stated = self.wording.word("card not stated")
        yield Fact(self._word("handout outcome"), printable(about.outcome) or stated)
        if printable(about.horizon):
            yield Fact(self._word("handout horizon"), printable(about.horizon))
        population = printable(options.card.audience) or printable(about.population)
        yield Fact(
            self._word("handout for"), population or self._word("handout population unknown")
        )
        yield Fact(
            self._word("handout not for"),
            printable(options.not_for) or self._word("handout outside"),
        )
        if self.card.base.risk:
            base = self.wording.word(
                "of", number=self.card.base.risk, per=self.wording.number(self.wording.per)
            )
            counts = f" ({self.card.base.counts})" if self.card.base.counts else ""
            yield Fact(self._word("handout before"), base + counts)

    # By hand ------------------------------------------------------------------------------------

    def _how(self) -> Iterator[str]:
        stops = any(box.decided for step in self.staircase.steps for box in step.boxes)
        yield self._word("handout how start")
        yield self._word("handout how add")
        yield self._word("handout how look" if stops else "handout how look all")
        yield self.wording.word("unknown rule")

    def _staircase_layout(self) -> str:
        """How the totals fit on paper at 10 pt: in a row, in a row without stops, or stacked.

        Without their columns the stops are still there, in the boxes and as sentences.
        """
        boxes = [box for row in self.card.rows for box in row.boxes]
        totals = len(self.card.columns) * max(map(_width_in_points, boxes))
        stops = (3 if self.card.has_undecided_stops else 2) * 58
        if 180 + totals + stops <= SHEET_WIDTH:
            return "in-a-row"
        return "in-a-row without-stops" if 155 + totals <= SHEET_WIDTH else "stacked"

    def _ranges(self) -> str:
        """That the ranges of a row hold together, where the single intervals beside them do not."""
        if not self.card.words.range or not ranges_are_joint(self.staircase):
            return ""
        level = self.staircase.scoring_list.figures.level or DEFAULT_LEVEL
        return self._word("handout ranges", level=self.wording.percent(level))

    # Icon arrays --------------------------------------------------------------------------------

    def _icons(self) -> Iterator[IconArray]:
        base = self.staircase.steps[0].boxes[0].risk
        if base is not None:
            label = self._word("handout before")
            yield icon_array(base.probability, self.wording, label, self._cases(base), "on")
        yield from (
            self._icons_of_ends() if self.staircase.stopping()[0] else self._icons_of_totals()
        )

    def _icons_of_ends(self) -> Iterator[IconArray]:
        about = self.staircase.scoring_list.about
        for decision in ICON_ENDS:
            cases, positives = self.staircase.stopping(decision)
            seen = rate(positives, cases)
            if seen is not None:
                name = self.wording.decision(decision, about)
                key = OPEN_ICONS.get(decision, "handout icons stop")
                note = self._word(
                    "handout icons cases",
                    positives=self.wording.count(positives),
                    cases=self.wording.count(cases),
                )
                yield icon_array(
                    seen.value,
                    self.wording,
                    self._word(key, decision=name),
                    note,
                    KINDS.get(decision, "undecided"),
                )

    def _icons_of_totals(self) -> Iterator[IconArray]:
        """Without evidence nobody knows how many stop where: some totals of the last stage."""
        boxes = [box for box in self.staircase.steps[-1].boxes if box.risk]
        step = -(-len(boxes) // MOST_ICON_ARRAYS) or 1
        for box in boxes[::step]:
            assert box.risk is not None
            label = self._word("handout icons total", total=self.wording.total(box.total))
            note = self.wording.decision(box.decision, self.staircase.scoring_list.about)
            yield icon_array(box.risk.probability, self.wording, label, note, KINDS[box.decision])

    def _cases(self, risk: Any) -> str:
        if risk.cases is None:
            return ""
        return self.wording.counts_in_words(risk.positives, risk.cases)

    # Stops --------------------------------------------------------------------------------------

    def _stops(self, step: Step) -> str:
        about, wording = self.staircase.scoring_list.about, self.wording
        last = step is self.staircase.steps[-1]
        parts = []
        for decision, total, key in (
            ("rule out", step.rule_out_at, "handout stop out"),
            ("rule in", step.rule_in_at, "handout stop in"),
        ):
            if total is not None:
                name = wording.decision(decision, about)  # type: ignore[arg-type]
                parts.append(self._word(key, total=wording.total(total), decision=name))
        if step.undecided_between:
            low, high = map(wording.total, step.undecided_between)
            key = "handout stop single open" if low == high else "handout stop open"
            key = "handout stop last open" if last and low != high else key
            parts.append(self._word(key, low=low, high=high))
        if not last:
            key = "handout stop go on" if parts else "handout stop nobody"
            parts.append(self._word(key, number=step.number + 1))
        return wording.sentence(*parts)

    def _shares_note(self) -> str:
        mean, cost = self.staircase.mean_questions, self.staircase.mean_cost
        if mean is None:
            return self._word("handout no shares")
        count = len(self.staircase.scoring_list.questions)
        text = self._word("handout mean", mean=self.wording.count(float(mean)), count=count)
        parts = [text]
        if cost is not None:
            parts.append(self._word("handout mean cost", cost=self.wording.count(float(cost))))
        return " ".join(parts)

    def _undecided(self) -> str:
        open_boxes = any(step.undecided_between for step in self.staircase.steps)
        return self.card.undecided if open_boxes else self._word("handout undecided none")

    # Limits and provenance ----------------------------------------------------------------------

    def _limits(self) -> Iterator[str]:
        yield self.card.judgement
        yield self.card.figures
        yield self.card.validation
        yield self._word("handout limit averages")
        yield self._word("handout limit place")
        boxes = [box for step in self.staircase.steps for box in step.boxes]
        if any(self.wording.few_mark(box.risk) for box in boxes):
            yield self._word("handout few", number=FEW_CASES)

    def _provenance(self) -> Iterator[Fact]:
        about = self.staircase.scoring_list.about
        stated = self.wording.word("card not stated")
        for name, key in PROVENANCE.items():
            yield Fact(self._word(key), printable(getattr(about, name)) or stated)
        yield Fact(self._word("handout cite"), self._citation())
        if printable(self.options.fingerprint):
            yield Fact(self._word("handout fingerprint"), printable(self.options.fingerprint))
        if printable(self.options.generator):
            yield Fact(self._word("handout made by"), printable(self.options.generator))

    def _citation(self) -> str:
        source = printable(self.staircase.scoring_list.about.source).rstrip(".")
        text = self._word(
            "handout citation",
            title=self.card.title.rstrip("."),
            identity=self.card.identity,
            source=f"{source}." if source else "",
        )
        return text.strip()


def _width_in_points(box: BoxView) -> float:
    """A little more than a box takes with its counts in 10 pt and its risk in 13 pt bold."""
    risk = 6.9 * len(box.risk) + 6 * len(box.symbol) + 5 * bool(box.symbol)
    return max(risk, 5 * len(f"{box.counts}{box.few}"), 5 * len(box.range)) + 5


def _headings(wording: Wording) -> dict[str, str]:
    """The words a template places as they are."""
    ours = ("handout ", "calc ")
    words = wording.language.words.items()
    return {key: text for key, text in words if key.startswith(ours) and "{" not in text}

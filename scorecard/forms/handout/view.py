"""What a handout says: how to use the list, its staircase, how good it is, where it comes from.

A `HandoutView` has every string ready. It contains the view of the card, so that both say the same
about the same list. Figures of merit come from cross-validation or from the list's own cases, and
where there are none the reason is told.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from scorecard.core.build_staircase import DEFAULT_LEVEL
from scorecard.core.model import Risk
from scorecard.core.performance import (
    Ends,
    ends_of_tally,
    figures_of_merit,
    rate,
    times_asked,
)
from scorecard.core.staircase import Decision, Staircase
from scorecard.forms.card.contents import CardOptions, CardView, view_of
from scorecard.forms.card.rows import KINDS, shown_steps
from scorecard.forms.card.view import BoxView
from scorecard.forms.handout.calculator import calculator_texts
from scorecard.forms.handout.example import Example, worked_example
from scorecard.forms.handout.merit import MeritRow, merit_notes, merit_rows
from scorecard.forms.handout.pictures import Chart, IconArray, icon_array, path_chart, share_chart
from scorecard.words.sentences import (
    NEXT_STEPS,
    cross_validation_sentences,
    edit_sentences,
    next_steps,
    ranges_are_joint,
    validation_sentences,
)
from scorecard.words.wording import NEVER, SYMBOLS, Wording, printable

SHEET_WIDTH = 505  # points between the margins of A4 and Letter, whichever is less
WIDE = {"%": 8.3, "m": 8.4, "M": 8.4, "W": 8.4, "w": 7.3}  # points at 10 pt; others take 5 at most
MOST_ICON_ARRAYS = 6
ICON_ENDS: tuple[Decision, ...] = ("rule out", "undecided", "unknown", "rule in")
USE = {
    "when_to_use": "handout when",
    "population": "handout for",
    "not_for": "handout not for",
    "pitfalls": "handout pitfalls",
}
PROVENANCE = {
    "source": "handout source",
    "setting": "handout setting",
    "dates": "handout dates",
    "validation": "handout validation",
    "licence": "handout licence",
}
ALWAYS_TOLD = ("source", "licence")
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
class HandoutView:
    """Everything in a handout, as text and plain shapes."""

    language: str
    card: CardView
    outcome: str
    note: str
    facts: tuple[Fact, ...]
    how: tuple[str, ...]
    stops: tuple[tuple[str, ...], ...]
    staircase_layout: str
    ranges: str
    next_steps: tuple[Fact, ...]
    undecided: str
    path: Chart | None
    example: Example
    promise: tuple[str, ...]
    checked: tuple[Fact, ...]
    notes: tuple[str, ...]
    merit: tuple[MeritRow, ...]
    merit_notes: tuple[str, ...]
    shares: Chart | None
    shares_note: str
    icons: tuple[IconArray, ...]
    icons_note: str
    limits: tuple[str, ...]
    provenance: tuple[Fact, ...]
    made_from: tuple[Fact, ...]
    calculator: dict[str, Any]
    words: dict[str, str]


def handout_view(staircase: Staircase, options: HandoutOptions | None = None) -> HandoutView:
    """The handout of a list under its stopping policy.

    Examples
    --------
    >>> from scorecard.core.build_staircase import build_staircase
    >>> from scorecard.core.model import Question, Risk, ScoringList, Stage
    >>> stages = (Stage((0,), (Risk(0.3),)), Stage((0, 1), (Risk(0.02), Risk(0.6))))
    >>> view = handout_view(build_staircase(ScoringList((Question("smoker", 1),), stages)))
    >>> view.stops
    (('▼ ≤ 0', '◆ 1'),)
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
        about, merit = staircase.scoring_list.about, figures_of_merit(staircase)
        texts = calculator_texts(staircase, wording, card.title, card.identity)
        return HandoutView(
            language=card.language,
            card=card,
            outcome=printable(about.outcome_sentence) or card.outcome,
            note=printable(about.note),
            facts=tuple(self._facts()),
            how=tuple(self._how()),
            stops=tuple(self._stops()),
            staircase_layout=self._staircase_layout(),
            ranges=self._ranges(),
            next_steps=tuple(Fact(*one) for one in next_steps(about, wording)),
            undecided=self._undecided(),
            path=path_chart(card, wording),
            example=worked_example(staircase, wording),
            promise=(card.limits, wording.estimate_sentence(staircase)),
            checked=tuple(self._checked()),
            notes=tuple(wording.notes(staircase)),
            merit=tuple(merit_rows(staircase, merit, wording)) if merit else (),
            merit_notes=tuple(merit_notes(staircase, merit, wording)),
            shares=share_chart(staircase, wording),
            shares_note=self._shares_note(),
            icons=tuple(self._icons()),
            icons_note=self._word("handout icons", per=wording.number(wording.per)),
            limits=tuple(self._limits()),
            provenance=tuple(self._provenance()),
            made_from=tuple(
                Fact(self._word("term", term=printable(key) or NEVER), printable(value) or NEVER)
                for key, value in staircase.scoring_list.provenance
            ),
            calculator=texts | {"next": self._next_of_kinds()},
            words=_headings(wording),
        )

    def _word(self, key: str, **parts: object) -> str:
        return self.wording.word(key, **parts)

    # How to use it ------------------------------------------------------------------------------

    def _facts(self) -> Iterator[Fact]:
        about = self.staircase.scoring_list.about
        given = {
            "population": printable(self.options.card.audience),
            "not_for": printable(self.options.not_for),
        }
        otherwise = {"population": self._word("handout population unknown")}
        for name, key in USE.items():
            text = given.get(name) or printable(getattr(about, name)) or otherwise.get(name)
            if text:
                yield Fact(self._word(key), text)
        yield from (Fact(row.label, row.note) for row in self.card.rows if row.note)
        if printable(about.horizon):
            yield Fact(self._word("handout horizon"), printable(about.horizon))
        risk = self.staircase.steps[0].boxes[0].risk
        if risk is not None:
            base = self.wording.risk_of(risk.probability)
            counts = f" ({self.card.base.counts})" if self.card.base.counts else ""
            yield Fact(self._word("handout before"), base + counts)

    def _how(self) -> Iterator[str]:
        stops = self.staircase.deciding_questions
        yield self._word("handout how start")
        yield self._word("handout how look" if stops else "handout how look all")
        yield self._word("handout unknown text" if stops else "handout unknown text risk")

    def _stops(self) -> Iterator[tuple[str, ...]]:
        """Per question where one stops after it, as numbers; nothing where nobody does."""
        for step in shown_steps(self.staircase):
            parts = (
                (SYMBOLS["rule out"], self.wording.out_text(step)),
                (SYMBOLS["rule in"], self.wording.in_text(step)),
                (SYMBOLS["undecided"], self.wording.undecided_text(step)),
            )
            yield tuple(f"{symbol} {text}" for symbol, text in parts if text != NEVER)

    def _staircase_layout(self) -> str:
        """How the totals fit on paper at 10 pt: in a row, in a row without stops, or stacked.

        Without their column the stops are still there, in the boxes.
        """
        boxes = [box for row in self.card.rows for box in row.boxes]
        totals = len(self.card.columns) * max(map(_width_in_points, boxes))
        if 180 + totals + 66 <= SHEET_WIDTH:
            return "in-a-row"
        return "in-a-row without-stops" if 155 + totals <= SHEET_WIDTH else "stacked"

    def _ranges(self) -> str:
        """That the ranges of a row hold together, where the single intervals beside them do not."""
        if not self.card.words["range"] or not ranges_are_joint(self.staircase):
            return ""
        level = self.staircase.scoring_list.risk_source.level or DEFAULT_LEVEL
        if self.staircase.scoring_list.cross_validation is not None:
            return self._word("handout cross-validated ranges", level=self.wording.percent(level))
        return self._word("handout ranges", level=self.wording.percent(level))

    def _next_of_kinds(self) -> dict[str, str]:
        """The same by the kind of box, for the calculator."""
        about = self.staircase.scoring_list.about
        return {KINDS[one]: printable(getattr(about, name)) for one, name in NEXT_STEPS.items()}

    def _undecided(self) -> str:
        open_boxes = any(step.undecided_between for step in self.staircase.steps)
        return self.card.undecided if open_boxes else self._word("handout undecided none")

    # How good it is -----------------------------------------------------------------------------

    def _checked(self) -> Iterator[Fact]:
        """Cross-validation, tests on new cases, how steady the questions are: each in its words."""
        scoring_list, wording = self.staircase.scoring_list, self.wording
        check = scoring_list.cross_validation
        folds = wording.number(len(check.folds)) if check else ""
        cross_validated = cross_validation_sentences(self.staircase, wording)
        if cross_validated:
            how = self._word("handout cross how", folds=folds)
            edited = edit_sentences(scoring_list, wording)
            yield Fact(self._word("handout cross"), " ".join((*cross_validated, how, *edited)))
        for sentence in validation_sentences(self.staircase, wording):
            yield Fact(self._word("handout tested"), sentence)
        asked = [one for one in times_asked(scoring_list) if one[0] in self.staircase.questions]
        if asked:
            told = ", ".join(f"{wording.question(question)} ({times})" for question, times in asked)
            text = self._word("handout stable text", folds=folds, questions=told)
            yield Fact(self._word("handout stable"), text)

    def _shares_note(self) -> str:
        mean, cost = self.staircase.mean_questions, self.staircase.mean_cost
        if mean is None:
            return self._word("handout no shares")
        count = len(self.staircase.scoring_list.questions)
        shown = self.wording.mean(mean)
        key = "handout mean one" if shown == "1" else "handout mean"
        text = self._word(key, mean=shown, count=count)
        if cost is None:
            return text
        unit = printable(self.staircase.scoring_list.about.cost_unit)
        return f"{text} {self._word('mean cost', cost=self.wording.cost(cost, unit))}"

    # The risk, as people ------------------------------------------------------------------------

    def _icons(self) -> Iterator[IconArray]:
        base = self.staircase.steps[0].boxes[0].risk
        if base is not None:
            label = self._word("handout before")
            yield icon_array(base.probability, self.wording, label, self._cases(base), "on")
        tally = self.staircase.cross_validated
        ends = ends_of_tally(tally) if tally else self.staircase.ends
        yield from self._icons_of_ends(ends) if ends.cases else self._icons_of_totals()

    def _icons_of_ends(self, ends: Ends) -> Iterator[IconArray]:
        about = self.staircase.scoring_list.about
        for decision in ICON_ENDS:
            cases, positives = ends.ending(decision)
            seen = rate(positives, cases)
            if seen is not None:
                name = self.wording.decision(decision, about)
                key = OPEN_ICONS.get(decision, "handout icons stop")
                yield icon_array(
                    seen.value,
                    self.wording,
                    self._word(key, decision=name),
                    self.wording.counts_in_words(positives, cases),
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

    def _cases(self, risk: Risk) -> str:
        if risk.cases is None or risk.positives is None:
            return ""
        return self.wording.counts_in_words(risk.positives, risk.cases)

    # Limits and provenance ----------------------------------------------------------------------

    def _limits(self) -> Iterator[str]:
        yield self.card.figures
        yield self.card.validation
        yield self._word("handout limit averages")
        yield self._word("handout limit place")

    def _provenance(self) -> Iterator[Fact]:
        about = self.staircase.scoring_list.about
        for name, key in PROVENANCE.items():
            stated = self._word("card not stated") if name in ALWAYS_TOLD else ""
            text = printable(getattr(about, name)) or stated
            if text:
                yield Fact(self._word(key), text)
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
    risk = 1.38 * _set_in_10_pt(box.risk) + 6 * len(box.symbol) + 5 * bool(box.symbol)
    return max(risk, _set_in_10_pt(box.counts), _set_in_10_pt(box.range)) + 5


def _set_in_10_pt(text: str) -> float:
    return sum(2.4 if sign.isspace() else WIDE.get(sign, 5) for sign in text)


def _headings(wording: Wording) -> dict[str, str]:
    """The words a template places as they are."""
    ours = ("handout ", "calc ")
    words = wording.language.words.items()
    return {key: text for key, text in words if key.startswith(ours) and "{" not in text}

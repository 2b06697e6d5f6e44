"""From a list to what is printed on its card: every figure in words, every sentence complete."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from unicodedata import bidirectional

from scorecard.cards.view import BoxView, CardView, LegendView, RowView, Words
from scorecard.core.climbing import DEFAULT_LEVEL, build_staircase
from scorecard.core.model import About, Question, ScoringList
from scorecard.core.policy import Estimate, StoppingPolicy
from scorecard.core.staircase import Box, Decision, Staircase, Step
from scorecard.printing.logos import Picture
from scorecard.printing.refusals import CardError
from scorecard.words.folding import folded
from scorecard.words.language import Language
from scorecard.words.sentences import (
    ends_in_words,
    mark_legends,
    ranges_are_joint,
    short_limits,
    short_notes,
    summary_sentences,
)
from scorecard.words.wording import SYMBOLS, UNSEEN, Wording, cases_behind, printable

KINDS: dict[Decision, str] = {
    "rule out": "out",
    "rule in": "in",
    "undecided": "undecided",
    "go on": "on",
}
BOX_NOTES: dict[Estimate, str] = {"reached": "card box reached", "all": "card box all"}
CHIPS: dict[Estimate, str] = {"reached": "card chip reached", "all": "card chip all"}
SHORT_CHIPS: dict[Estimate, str] = {
    "reached": "card short chip reached",
    "all": "card short chip all",
}
ORIGINS = {
    "held-out": "card origin held-out",
    "training": "card origin training",
    "published": "card origin published",
}
LEFT_TO_RIGHT = "\N{LEFT-TO-RIGHT MARK}"
LONGEST_UNBROKEN = 16  # "≥ 115 µm" stays on one line


@dataclass(frozen=True, slots=True)
class CardOptions:
    """What a user may add to a card; text replaces what the list says about itself.

    `identity` is the short hash of the list's file. `ticks` adds boxes to tick and a box for the
    running total.
    """

    title: str = ""
    subtitle: str = ""
    audience: str = ""
    warnings: tuple[str, ...] = ()
    identity: str = ""
    language: Language | str = "en"
    logo: Picture | None = None
    qr: Picture | None = None
    ticks: bool = False


def card_view(
    scoring_list: ScoringList,
    policy: StoppingPolicy | None = None,
    options: CardOptions | None = None,
) -> CardView:
    """The card of a list under a stopping policy.

    Examples
    --------
    >>> from scorecard.core.model import Question, Risk, Stage
    >>> stages = (Stage((0,), (Risk(0.3),)), Stage((0, 1), (Risk(0.02), Risk(0.6))))
    >>> view = card_view(ScoringList((Question("smoker", 1),), stages))
    >>> view.rows[0].question, view.rows[0].points, view.rows[0].rule_out
    ('smoker', '+1', '≤ 0')
    """
    return view_of(card_staircase(scoring_list, policy), options)


def card_staircase(scoring_list: ScoringList, policy: StoppingPolicy | None = None) -> Staircase:
    """The staircase a card prints; a list without questions is refused."""
    if not scoring_list.questions:
        raise CardError("The list has no questions: there is nothing to print on a card.")
    return build_staircase(scoring_list, policy)


def view_of(staircase: Staircase, options: CardOptions | None = None) -> CardView:
    """The card of a staircase."""
    options = options or CardOptions()
    return _CardMaker(staircase, options, Wording.of(staircase, options.language)).view()


@dataclass(frozen=True)
class _CardMaker:
    staircase: Staircase
    options: CardOptions
    wording: Wording
    about: About = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "about", self.staircase.scoring_list.about)

    def view(self) -> CardView:
        staircase, wording, options = self.staircase, self.wording, self.options
        columns = sorted({box.total for step in staircase.steps[1:] for box in step.boxes})
        return CardView(
            language=wording.language.code,
            title=self._title(),
            subtitle=printable(options.subtitle),
            outcome=self._outcome(),
            audience=self._audience(),
            warnings=tuple(filter(None, map(printable, options.warnings))),
            how=wording.word("card how" if self._anybody_stops() else "card how all"),
            how_short=wording.word(
                "card how short" if self._anybody_stops() else "card how all short"
            ),
            base=self._box(staircase.steps[0].boxes[0]),
            columns=tuple(wording.total(total) for total in columns),
            rows=tuple(self._row(step, columns) for step in staircase.steps[1:]),
            legend=tuple(self._legend()),
            marks=tuple(self._marks()),
            box_note=self._box_note(),
            undecided=self._undecided(),
            unknown=wording.word("unknown rule"),
            limits=wording.limits_sentence(staircase),
            limits_short=short_limits(staircase, wording),
            notes=tuple(summary_sentences(staircase, wording)),
            notes_short=tuple(short_notes(staircase, wording)),
            performance=self._performance(),
            figures=wording.figures_sentence(staircase.scoring_list),
            figures_short=self._figures_short(),
            source=printable(self.about.source) or self._not_stated("source"),
            remark=printable(self.about.note),
            validation=wording.validation_sentence(staircase.scoring_list),
            judgement=wording.word("judgement"),
            identity=self._identity(),
            has_undecided_stops=self._has_undecided_stops(),
            rare=wording.per != 100,
            ticks=options.ticks,
            logo=options.logo,
            qr=options.qr,
            words=self._words(),
        )

    # Heading ------------------------------------------------------------------------------------

    def _title(self) -> str:
        for text in (self.options.title, self.about.title, self.about.outcome):
            if printable(text):
                return printable(text)
        return self.wording.word("list")

    def _outcome(self) -> str:
        outcome = printable(self.about.outcome) or self.wording.word("card not stated")
        horizon = printable(self.about.horizon)
        parts = [self.wording.word("card risk of", outcome=outcome)]
        if horizon:
            parts.append(self.wording.word("card within", horizon=horizon))
        return " ".join(parts)

    def _audience(self) -> str:
        population = printable(self.options.audience) or printable(self.about.population)
        return self.wording.word(
            "card for", population=population or self.wording.word("card not stated")
        )

    def _identity(self) -> str:
        version = printable(self.about.version) or self.wording.word("card no version")
        # A bare "1" on a card could be anything.
        version = f"v{version}" if version[:1].isdecimal() else version
        date = printable(self.about.date) or self.wording.word("card undated")
        return " · ".join(filter(None, (version, date, printable(self.options.identity))))

    def _not_stated(self, key: str) -> str:
        return f"{self.wording.word(key)}: {self.wording.word('card not stated')}"

    # The staircase ------------------------------------------------------------------------------

    def _row(self, step: Step, columns: Sequence[int]) -> RowView:
        question = step.question
        assert question is not None
        boxes = {box.total: self._box(box) for box in step.boxes}
        return RowView(
            number=str(step.number),
            label=self._label(question),
            condition=self._condition(question),
            points=self.wording.points(question.points),
            rule_out=self.wording.out_text(step),
            rule_in=self.wording.in_text(step),
            undecided=self.wording.undecided_text(step),
            cells=tuple(boxes.get(total) for total in columns),
            boxes=tuple(boxes.values()),
            groups=self._groups(step, with_ranges=True),
            short_groups=self._groups(step, with_ranges=False),
        )

    def _groups(self, step: Step, with_ranges: bool) -> tuple[BoxView, ...]:
        return tuple(
            replace(
                self._box(group.box),
                total=self.wording.totals(group.box.total, group.highest),
                few=group.few,
            )
            for group in folded(step.boxes, self.wording, with_ranges)
        )

    def _label(self, question: Question) -> str:
        return printable(question.label) or printable(question.input) or "?"

    def _condition(self, question: Question) -> str:
        # A plain "Smoker" needs no "yes" beside it: the column says "Yes, if".
        if question.condition.kind == "yes":
            return ""
        text = self.wording.condition(question)
        short = question.condition.is_numeric and len(text) <= LONGEST_UNBROKEN
        text = text.replace(" ", "\N{NO-BREAK SPACE}") if short else text
        # A unit in Hebrew must not turn "< 3" round: such a condition is marked as left to right.
        turns = any(bidirectional(letter) in ("R", "AL") for letter in text)
        return LEFT_TO_RIGHT + text if turns else text

    def _box(self, box: Box) -> BoxView:
        wording = self.wording
        # A box without a figure shows what to do, and no invented number.
        arrow = SYMBOLS["go on"] if box.risk is None and not box.stops else ""
        return BoxView(
            total=wording.total(box.total),
            kind=KINDS[box.decision],
            symbol=wording.box_symbol(box) or arrow,
            risk="" if box.risk is None else wording.risk(box.risk.probability),
            counts=wording.counts(box.risk),
            range="" if box.risk is None else wording.range(box.risk),
            few=wording.few_mark(box.risk),
            unseen=UNSEEN if wording.is_unseen(box.risk) else "",
        )

    def _boxes(self) -> list[Box]:
        return [box for step in self.staircase.steps[1:] for box in step.boxes]

    def _anybody_stops(self) -> bool:
        return any(box.decided for box in self._boxes())

    def _has_undecided_stops(self) -> bool:
        return any(step.undecided_between for step in self.staircase.steps[:-1])

    # Legend -------------------------------------------------------------------------------------

    def _legend(self) -> list[LegendView]:
        present = {box.decision for box in self._boxes()}
        entries = [
            LegendView(KINDS[what], self._legend_symbol(what), self._legend_text(what))
            for what in SYMBOLS
            if what in present
        ]
        return sorted(entries, key=lambda entry: ("out", "on", "undecided", "in").index(entry.kind))

    def _legend_symbol(self, decision: Decision) -> str:
        # To go on has no sign in a box with a figure.
        shown = decision != "go on" or any(box.risk is None for box in self._boxes())
        return SYMBOLS[decision] if shown else ""

    def _legend_text(self, decision: Decision) -> str:
        if decision == "go on":
            return self.wording.word("card next")
        name = self.wording.decision(decision, self.about)
        if decision == "undecided":
            # The advice for the undecided has a sentence of its own.
            return self.wording.word("undecided")
        return self.wording.word("card stop", decision=name)

    def _marks(self) -> Iterator[str]:
        boxes = [*self.staircase.steps[0].boxes, *self._boxes()]
        return mark_legends(self.staircase, self.wording, boxes, self._folds_few())

    def _folds_few(self) -> bool:
        """Whether totals with few cases are printed as one box with many."""
        return any(
            group.few and not self.wording.few_mark(group.box.risk)
            for step in self.staircase.steps[1:]
            for group in folded(step.boxes, self.wording, with_ranges=False)
        )

    def _box_note(self) -> str:
        per = self.wording.number(self.wording.per)
        figure = self.wording.word(BOX_NOTES[self.staircase.estimate], per=per)
        return self.wording.sentence(figure, self._counts_word(), self._range_word())

    def _counts_word(self) -> str:
        counted = any(self.wording.counts(box.risk) for box in self._boxes())
        return self.wording.word("card box counts") if counted else ""

    def _range_word(self) -> str:
        if not any(box.risk and self.wording.range(box.risk) for box in self._boxes()):
            return ""
        level = self.staircase.scoring_list.figures.level or DEFAULT_LEVEL
        key = "card box joint range" if ranges_are_joint(self.staircase) else "card box range"
        return self.wording.word(key, level=self.wording.percent(level))

    # Sentences ----------------------------------------------------------------------------------

    def _undecided(self) -> str:
        wording, last = self.wording, self.staircase.steps[-1]
        if last.undecided_between is None and not self._has_undecided_stops():
            return wording.word("card all decided", number=last.number)
        own = printable(self.about.undecided).rstrip(".")
        action = own or wording.word("card no advice")
        if self.staircase.ends.cases:
            everybody, undecided = (
                wording.count(self.staircase.stopping(*which)[0]) for which in ((), ("undecided",))
            )
            counts = wording.word("of cases", positives=undecided, cases=everybody)
            text = wording.word(
                "card undecided counted", number=last.number, counts=counts, action=action
            )
        else:
            text = wording.word("card undecided", number=last.number, action=action)
        return f"{text} {wording.undecided_sentence(self.staircase)}".rstrip()

    def _performance(self) -> str:
        staircase, wording = self.staircase, self.wording
        mean = staircase.mean_questions
        if mean is None:
            return ""
        everybody, _ = staircase.stopping()
        out, missed = staircase.stopping("rule out")
        into, found = staircase.stopping("rule in")
        count = wording.count
        return wording.word(
            "card performance",
            cases=count(everybody),
            out=count(out),
            out_word=wording.decision("rule out", self.about),
            missed=count(missed),
            into=count(into),
            in_word=wording.decision("rule in", self.about),
            found=count(found),
            rest=ends_in_words(staircase, wording),
            mean=wording.count(float(mean)),
        )

    def _figures_short(self) -> str:
        scoring_list, wording = self.staircase.scoring_list, self.wording
        origin = wording.word(ORIGINS[scoring_list.figures.origin])
        cases = cases_behind(scoring_list)
        if cases is None:
            return origin
        counts = wording.word(
            "card cases", cases=wording.count(cases[0]), positives=wording.count(cases[1])
        )
        return f"{counts} · {origin}"

    def _words(self) -> Words:
        wording = self.wording
        per = wording.number(wording.per)
        return Words(
            yes_if=wording.word("card yes if"),
            points=wording.word("points"),
            total=wording.word("card running total"),
            stop=wording.word("card stop heading"),
            undecided=wording.word("undecided"),
            undecided_stop=wording.word("card undecided heading"),
            rule_out=wording.decision("rule out", self.about),
            rule_in=wording.decision("rule in", self.about),
            rule_out_short=wording.word("rule out"),
            rule_in_short=wording.word("rule in"),
            before=wording.word("card before"),
            of=wording.word("card of", per=per),
            every=wording.word("card every", per=per),
            risks=wording.word("card risks"),
            chip=wording.word(CHIPS[self.staircase.estimate], per=per),
            chip_short=wording.word(SHORT_CHIPS[self.staircase.estimate], per=per),
            counts=self._counts_word(),
            counts_short=self._counts_word() and wording.word("card short counts"),
            range=self._range_word(),
            ruler=wording.word("card ruler"),
            tally=wording.word("card tally"),
            case=wording.word("card case"),
            decision=wording.word("card decision"),
        )

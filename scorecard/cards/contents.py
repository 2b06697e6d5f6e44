"""From a list to what is printed on its card: every figure in words, every sentence complete."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, takewhile
from unicodedata import bidirectional

from scorecard.cards.view import (
    BoxView,
    CardView,
    Cell,
    Grid,
    GroupView,
    LegendView,
    RowView,
    StopView,
    Words,
)
from scorecard.core.climbing import DEFAULT_LEVEL, build_staircase
from scorecard.core.cut_offs import BoxFigures, cut_offs
from scorecard.core.model import About, Question, Risk, ScoringList
from scorecard.core.policy import Estimate, StoppingPolicy
from scorecard.core.staircase import Box, Decision, Staircase, Step
from scorecard.printing.logos import Picture
from scorecard.printing.refusals import CardError
from scorecard.words.folding import Group, merged
from scorecard.words.language import Language
from scorecard.words.sentences import (
    ends_in_words,
    mark_legends,
    ranges_are_joint,
    short_limits,
    short_notes,
    short_validations,
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
GROUP_NOTES: dict[Estimate, str] = {"reached": "card group reached", "all": "card group all"}
ORIGINS = {
    "held-out": "card origin held-out",
    "cross-checked": "card origin cross-checked",
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
        steps, further = shown_steps(staircase), further_steps(staircase)
        columns = sorted({box.total for step in staircase.steps[1:] for box in step.boxes})
        rows = tuple(self._row(step, columns) for step in steps)
        more = tuple(self._row(step, columns, further=True) for step in further)
        return CardView(
            language=wording.language.code,
            title=self._title(),
            subtitle=printable(options.subtitle),
            outcome=self._outcome(),
            audience=self._audience(),
            warnings=tuple(filter(None, map(printable, options.warnings))),
            how=wording.word("card how" if self._anybody_stops() else "card how all"),
            base=self._box(staircase.steps[0].boxes[0]),
            columns=tuple(wording.total(total) for total in columns),
            rows=rows,
            further=more,
            grid=grid_of(rows, steps, wording),
            narrow_grid=grid_of(rows, steps, wording, narrow=True),
            whole_grid=grid_of(rows + more, steps + further, wording),
            end=self._end(further),
            left_out=self._left_out(further),
            legend=tuple(self._legend()),
            names=tuple(self._names()),
            signs=tuple(self._signs()),
            marks=tuple(self._marks()),
            box_note=self._box_note(),
            group_note=self._group_note(),
            group_note_short=wording.word("card short group note", per=wording.number(wording.per)),
            undecided=self._undecided(),
            unknown=wording.word("unknown rule"),
            limits=wording.limits_sentence(staircase),
            limits_short=short_limits(staircase, wording),
            notes=tuple(summary_sentences(staircase, wording)),
            notes_short=tuple(short_notes(staircase, wording)),
            performance=self._performance(),
            decided=self._decided(),
            figures=wording.figures_sentence(staircase.scoring_list),
            figures_short=self._figures_short(),
            source=printable(self.about.source) or self._not_stated("source"),
            remark=printable(self.about.note),
            validation=" ".join(
                filter(
                    None,
                    [
                        short_validations(staircase, wording),
                        wording.validation_sentence(staircase.scoring_list),
                    ],
                )
            ),
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
        if sentence := printable(self.about.outcome_sentence):
            return sentence
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

    def _row(self, step: Step, columns: Sequence[int], further: bool = False) -> RowView:
        question = step.question
        assert question is not None
        boxes = {box.total: self._box(box) for box in step.boxes}
        return RowView(
            number=str(step.number),
            label=self._label(question),
            condition=self._condition(question),
            points=self._points(question),
            rule_out=self.wording.out_text(step),
            rule_in=self.wording.in_text(step),
            undecided=self.wording.undecided_text(step),
            stops=() if further else tuple(self._stops(step)),
            cells=tuple(boxes.get(total) for total in columns),
            boxes=tuple(boxes.values()),
            groups=tuple(
                self._group(group, step, further) for group in merged(step.boxes, self.wording)
            ),
        )

    def _points(self, question: Question) -> str:
        """Points; of an input that was asked before they come on top: "+1 more"."""
        points = self.wording.points(question.points)
        before = takewhile(lambda one: one is not question, self.staircase.scoring_list.questions)
        again = any(one.input == question.input for one in before)
        return self.wording.word("card more", points=points) if again else points

    def _stops(self, step: Step) -> Iterator[StopView]:
        if step.rule_out_at is not None:
            yield StopView("out", f"▼ {self.wording.out_text(step)}")
        if step.undecided_between and step.number < self.staircase.steps[-1].number:
            yield StopView("undecided", f"◆ {self.wording.undecided_text(step)}")
        if step.rule_in_at is not None:
            yield StopView("in", f"▲ {self.wording.in_text(step)}")

    def _group(self, group: Group, step: Step, further: bool) -> GroupView:
        wording, risk = self.wording, group.risk
        goes_on = group.decision == "go on"
        usual = wording.word("card next word") if goes_on else wording.decision(group.decision)
        shown = "" if risk is None or not group.has_figure else wording.risk(risk.probability)
        if group.curtailed and risk is None:
            shown = self._still_possible(group, step)
        return GroupView(
            totals=wording.totals(group.lowest, group.highest),
            lowest=group.lowest,
            highest=group.highest,
            kind="further" if further else KINDS[group.decision],
            symbol="" if further else SYMBOLS[group.decision],
            risk=shown,
            word="" if further else self._word_in_box(group.decision, usual),
            usual_word="" if further else usual,
            behind=self._behind(group),
            range=wording.range(risk) if risk is not None and shown else "",
            at="" if further else self._limit_at(group, step),
        )

    def _limit_at(self, group: Group, step: Step) -> str:
        if group.decision == "rule out" and group.highest == step.rule_out_at:
            return self.wording.out_text(step)
        is_limit = group.decision == "rule in" and group.lowest == step.rule_in_at
        return self.wording.in_text(step) if is_limit else ""

    def _word_in_box(self, decision: Decision, usual: str) -> str:
        """What the list calls a decision; a word that begins with a number is no figure."""
        own = self.wording.decision(decision, self.about) if decision != "go on" else usual
        return own if own[:1].isalpha() else usual

    def _behind(self, group: Group) -> str:
        if group.is_unseen:
            return self.wording.word("card nobody seen")
        if group.is_few:
            return self.wording.word("card few seen")
        risk = group.risk
        if risk is None or risk.cases is None or risk.positives is None:
            return ""
        positives, cases = map(self.wording.count, (risk.positives, risk.cases))
        counts = self.wording.word("of cases", positives=positives, cases=cases)
        return counts if group.has_figure else f"({counts})"

    def _still_possible(self, group: Group, step: Step) -> str:
        """The risks one could still end with where a stop was made for certain."""
        risks = [risk.probability for risk in final_risks(self.staircase, step, group.lowest)]
        return self.wording.span(min(risks), max(risks), outward=False) if risks else ""

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

    def _names(self) -> Iterator[LegendView]:
        """What the list calls its decisions, for boxes too narrow for it."""
        decisions: tuple[Decision, ...] = ("rule out", "rule in")
        present = {box.decision for box in self._boxes()}
        for decision in decisions:
            if decision in present:
                name = self.wording.decision(decision, self.about)
                yield LegendView(KINDS[decision], SYMBOLS[decision], name)

    def _signs(self) -> Iterator[LegendView]:
        """What the sign of each box means."""
        yield from self._names()
        present = {box.decision for box in self._boxes()}
        if "undecided" in present:
            yield LegendView("undecided", "◆", self.wording.decision("undecided"))
        if "go on" in present:
            yield LegendView("on", "→", self.wording.word("card next"))

    def _marks(self) -> Iterator[str]:
        boxes = [*self.staircase.steps[0].boxes, *self._boxes()]
        return mark_legends(self.staircase, self.wording, boxes)

    def _group_note(self) -> str:
        groups = [group for step in self.staircase.steps[1:] for group in step.boxes]
        counted = any(box.risk and box.risk.cases is not None for box in groups)
        per = self.wording.number(self.wording.per)
        figure = self.wording.word(GROUP_NOTES[self.staircase.estimate], per=per)
        behind = self.wording.word("card group counts") if counted else ""
        span = any(box.curtailed and box.risk is None for box in groups)
        possible = self.wording.word("card group possible") if span else ""
        return self.wording.sentence(figure, behind, possible)

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
        text = wording.word("card undecided", action=self._advice())
        return f"{text} {wording.undecided_sentence(self.staircase)}".rstrip()

    def _advice(self) -> str:
        own = printable(self.about.undecided).rstrip(".")
        return own or self.wording.word("card no advice")

    def _end(self, further: Sequence[Step]) -> str:
        """What the questions below the line are for."""
        if not further:
            return ""
        questions = self.wording.totals(further[0].number, further[-1].number)
        return self.wording.word(
            "card end one" if len(further) == 1 else "card end", questions=questions
        )

    def _left_out(self, further: Sequence[Step]) -> str:
        """The same on a card that has no room for these questions."""
        if not further:
            return ""
        return self.wording.word(
            "card left out one" if len(further) == 1 else "card left out", count=len(further)
        )

    def _decided(self) -> str:
        """How many are decided, after how many questions; from cross-checking where there is."""
        tally, wording = self.staircase.cross_checked, self.wording
        if tally is not None:
            everybody = tally.ruled_out[0] + tally.ruled_in[0] + tally.undecided[0]
            decided, mean = tally.ruled_out[0] + tally.ruled_in[0], tally.mean_questions
        else:
            everybody, decided = (
                self.staircase.stopping(*which)[0] for which in ((), ("rule out", "rule in"))
            )
            mean = self.staircase.mean_questions or 0.0
        if not everybody:
            return ""
        share = wording.word(
            "of",
            number=wording.count(round(decided / everybody * wording.per)),
            per=wording.number(wording.per),
        )
        return wording.word("card decided", share=share, mean=wording.count(float(mean)))

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
        origin, cases = scoring_list.figures.origin, cases_behind(scoring_list)
        if cases is None:
            who = wording.word("card figures" if origin == "published" else "card patients")
        else:
            who = wording.word(
                "card cases", cases=wording.count(cases[0]), positives=wording.count(cases[1])
            )
        return wording.word(ORIGINS[origin], who=who)

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
            before=wording.word("card before"),
            of=wording.word("card of", per=per),
            every=wording.word("card every", per=per),
            risks=wording.word("card risks"),
            chip=wording.word(CHIPS[self.staircase.estimate], per=per),
            counts=self._counts_word(),
            seen=wording.word("card seen") if self._counts_word() else "",
            range=self._range_word(),
            ruler=wording.word("card ruler"),
            tally=wording.word("card tally"),
            case=wording.word("card case"),
            decision=wording.word("card decision"),
        )


# Rows and their grid ------------------------------------------------------------------------------


def shown_steps(staircase: Staircase) -> tuple[Step, ...]:
    """The steps with their questions; a score without counts has all totals in its last row.

    Stops that no later answer can change cut totals off, and with them the highest risks.
    """
    steps, scoring_list = staircase.steps[1:], staircase.scoring_list
    last, stage = steps[-1], scoring_list.stages[steps[-1].number]
    if stage is None or stage.risks[0].cases is not None:
        return steps
    missing = set(stage.totals) - {box.total for box in last.boxes}
    if not missing or last.number < len(scoring_list.questions):
        return steps
    return (*steps[:-1], _full_step(staircase, last.number))


def further_steps(staircase: Staircase) -> tuple[Step, ...]:
    """The steps that only sharpen the risk; of a published score, all that are left."""
    if staircase.sharpening or staircase.scoring_list.evidence is not None:
        return staircase.sharpening
    count = len(staircase.scoring_list.questions)
    return tuple(_full_step(staircase, number) for number in range(len(staircase.steps), count + 1))


def _full_step(staircase: Staircase, number: int) -> Step:
    """A step with all totals one can have there, judged by their risks alone."""
    scoring_list = staircase.scoring_list
    totals, stage = scoring_list.possible_totals()[number], scoring_list.stages[number]
    reached = {
        box.total: box for step in staircase.steps[number : number + 1] for box in step.boxes
    }
    figures = [BoxFigures(total, stage.risk(total) if stage else None) for total in totals]
    out, into = cut_offs(figures, replace(staircase.policy, by=staircase.by))

    def decided(figure: BoxFigures) -> Box:
        if out is not None and figure.total <= out:
            return Box(figure.total, "rule out", figure.risk)
        is_in = into is not None and figure.total >= into
        return Box(figure.total, "rule in" if is_in else "undecided", figure.risk)

    boxes = tuple(reached.get(figure.total) or decided(figure) for figure in figures)
    return Step(number, scoring_list.questions[number - 1], boxes)


def final_risks(staircase: Staircase, step: Step, total: int) -> Iterator[Risk]:
    """The risks after the last question of all totals one can still get to from here."""
    scoring_list = staircase.scoring_list
    stage, totals = scoring_list.stages[-1], {total}
    for question in scoring_list.questions[step.number :]:
        totals |= {one + question.points for one in totals}
    return (stage.risk(one) for one in sorted(totals)) if stage else iter(())


def grid_of(
    rows: Sequence[RowView], steps: Sequence[Step], wording: Wording, narrow: bool = False
) -> Grid:
    """Boxes below their totals. Totals that are always in one box have one column.

    In a `narrow` grid so have all that no row has to keep apart.
    """
    belongs = [
        {box.total: group for group in row.groups for box in step.boxes if _holds(group, box)}
        for row, step in zip(rows, steps, strict=True)
    ]
    columns: list[list[int]] = []
    for total in sorted({total for row in belongs for total in row}):
        if columns and _may_join(columns[-1], total, belongs, narrow):
            columns[-1].append(total)
        else:
            columns.append([total])
    return Grid(
        tuple(wording.totals(column[0], column[-1]) for column in columns),
        tuple(tuple(_cells(row, columns)) for row in belongs),
    )


def _holds(group: GroupView, box: Box) -> bool:
    return group.lowest <= box.total <= group.highest


def _may_join(
    column: Sequence[int], total: int, rows: Sequence[dict[int, GroupView]], narrow: bool
) -> bool:
    """Whether no row has these totals in two boxes, and, unless narrow, some row in one."""
    boxes = [{id(row[one]) for one in (*column, total) if one in row} for row in rows]
    together = any(total in row and column[-1] in row for row in rows)
    return (narrow or together) and all(len(found) < 2 for found in boxes)


def _cells(row: dict[int, GroupView], columns: Sequence[Sequence[int]]) -> Iterator[Cell]:
    found = [next((row[t] for t in column if t in row), None) for column in columns]
    # A total one cannot have between two of the same box belongs to the box.
    for place in range(len(found)):
        before = next((box for box in reversed(found[:place]) if box), None)
        after = next((box for box in found[place:] if box), None)
        if found[place] is None and before is after:
            found[place] = before
    for _, same in groupby(found, id):
        boxes = list(same)
        if boxes[0] is None:
            yield from (Cell(None) for _ in boxes)
        else:
            yield Cell(boxes[0], len(boxes))

"""From a list to what is printed on its card: every figure in words, every sentence complete."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from scorecard.core.build_staircase import build_staircase
from scorecard.core.model import About, ScoringList
from scorecard.core.policy import Estimate, StoppingPolicy
from scorecard.core.staircase import Staircase, Step
from scorecard.forms.card.legend import LegendMaker
from scorecard.forms.card.path import path_view
from scorecard.forms.card.rows import RowMaker, further_steps, grid_of, shown_steps
from scorecard.forms.card.view import CardView, RowView, Words
from scorecard.printing.logos import Picture
from scorecard.printing.refusals import CardError
from scorecard.words.language import Language
from scorecard.words.sentences import (
    ends_in_words,
    short_limits,
    short_notes,
    short_validations,
    summary_sentences,
    use_sentences,
)
from scorecard.words.wording import Wording, cases_behind, printable

CHIPS: dict[Estimate, str] = {"reached": "card chip reached", "all": "card chip all"}
ORIGINS = {
    "held-out": "card origin held-out",
    "cross-validated": "card origin cross-validated",
    "training": "card origin training",
    "published": "card origin published",
}


@dataclass(frozen=True, slots=True)
class CardOptions:
    """What a user may add to a card; text replaces what the list says about itself.

    `identity` is the short hash of the list's file. `ticks` adds boxes to tick and a box for the
    running total. `record` says how the file was made.
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
    record: str = ""


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
    rows: RowMaker = field(init=False)
    legend: LegendMaker = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "about", self.staircase.scoring_list.about)
        object.__setattr__(self, "rows", RowMaker(self.staircase, self.wording))
        object.__setattr__(self, "legend", LegendMaker(self.staircase, self.wording))

    def view(self) -> CardView:
        staircase, wording, options = self.staircase, self.wording, self.options
        steps, further = shown_steps(staircase), further_steps(staircase)
        shown, stops = self.legend.shown(), bool(staircase.deciding_questions)
        columns = sorted({box.total for step in steps for box in step.boxes})
        rows = tuple(self.rows.row(step, columns) for step in steps)
        more = tuple(self.rows.row(step, columns, further=True) for step in further)
        return CardView(
            language=wording.language.code,
            title=self._title(),
            subtitle=printable(options.subtitle),
            outcome=self._outcome(),
            audience=self._audience(),
            warnings=tuple(filter(None, map(printable, options.warnings))),
            how=wording.word("card how" if stops else "card how all"),
            how_behind=wording.word("card how behind" if stops else "card how all"),
            base=self.rows.box(staircase.steps[0].boxes[0]),
            columns=tuple(wording.total(total) for total in columns),
            rows=rows,
            further=more,
            grid=grid_of(rows, steps, wording),
            narrow_grid=grid_of(rows, steps, wording, narrow=True),
            whole_grid=grid_of(rows + more, steps + further, wording),
            path=path_view(staircase, wording, self.legend.path_note()),
            end=self._end(further),
            left_out=self._left_out(further),
            definitions=tuple(self._definitions(rows)),
            legend=tuple(self.legend.legend()),
            names=tuple(self.legend.names()),
            signs=tuple(self.legend.signs()),
            marks=tuple(self.legend.marks()),
            box_note=self.legend.box_note(),
            group_note=self.legend.group_note(),
            group_note_short=self.legend.short_note(),
            undecided=self._undecided(),
            unknown=wording.unknown_rule(staircase),
            limits=wording.limits_sentence(staircase),
            limits_short=short_limits(staircase, wording, with_rule=not shown),
            shown=shown,
            shown_short=self.legend.shown(short=True),
            notes=tuple(summary_sentences(staircase, wording)),
            notes_short=tuple(short_notes(staircase, wording)),
            performance=self._performance(),
            decided=self._decided(),
            figures=wording.figures_sentence(staircase.scoring_list),
            figures_short=self._figures_short(),
            source=printable(self.about.source) or self._not_stated("source"),
            remark=printable(self.about.note),
            use=tuple(use_sentences(self.about, wording)),
            validation=self._validation(),
            judgement=wording.word("judgement"),
            identity=self._identity(),
            has_undecided_stops=self._has_undecided_stops(),
            rare=wording.per != 100,
            ticks=options.ticks,
            logo=options.logo,
            qr=options.qr,
            record=options.record,
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
        term = self.wording.word("term", term=self.wording.word(key))
        return f"{term} {self.wording.word('card not stated')}"

    def _has_undecided_stops(self) -> bool:
        return any(step.undecided_between for step in self.staircase.steps[:-1])

    # Sentences ----------------------------------------------------------------------------------

    def _undecided(self) -> str:
        wording, last = self.wording, self.staircase.steps[-1]
        if last.undecided_between is None and not self._has_undecided_stops():
            return wording.word("card all decided", number=last.number)
        if self.staircase.policy.tells_risks_only and not self.about.undecided:
            return wording.word("card final risk")
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

    def _definitions(self, rows: Sequence[RowView]) -> Iterator[tuple[str, str]]:
        """What is meant by a question, where its list says so."""
        for row, question in zip(rows, self.staircase.scoring_list.questions, strict=False):
            if row.note:
                term = self.wording.word("term", term=printable(question.label))
                yield term, f"{row.note.rstrip('.')}."

    def _decided(self) -> str:
        """How many are decided, from cross-validation where there is, after how many questions.

        The questions are counted with the list itself: those of the lists that judged its cases
        would contradict what is printed above, and outcomes, which flatter, have no part in them.
        """
        tally, wording = self.staircase.cross_validated, self.wording
        decided, mean = self.staircase.decided_share, self.staircase.mean_questions
        if not decided:
            return ""
        if mean is None:
            mean = tally.mean_questions if tally else 0.0
        share = wording.word(
            "of",
            number=wording.count(round(decided * wording.per)),
            per=wording.number(wording.per),
        )
        if tally is not None:
            asked = wording.mean_questions(mean)
            text = wording.word("card decided cross-validated", share=share, asked=asked)
        elif mean == 1:
            text = wording.word("card decided by one", share=share)
        else:
            text = wording.word("card decided", share=share, asked=wording.mean_questions(mean))
        return self._with_cost(text)

    def _with_cost(self, text: str) -> str:
        """The text, and what the questions cost on average if the list says what they do."""
        cost, wording = self.staircase.mean_cost, self.wording
        if cost is None:
            return text
        unit = printable(self.about.cost_unit)
        return f"{text} {wording.word('mean cost', cost=wording.cost(cost, unit))}"

    def _performance(self) -> str:
        staircase, wording = self.staircase, self.wording
        mean = staircase.mean_questions
        if mean is None or not staircase.deciding_questions:
            return ""
        everybody, _ = staircase.stopping()
        out, missed = staircase.stopping("rule out")
        into, found = staircase.stopping("rule in")
        count = wording.count
        text = wording.word(
            "card performance",
            cases=count(everybody),
            out=count(out),
            out_word=wording.decision("rule out", self.about),
            missed=count(missed),
            into=count(into),
            in_word=wording.decision("rule in", self.about),
            found=count(found),
            rest=ends_in_words(staircase, wording),
            asked=wording.mean_questions(mean),
        )
        return self._with_cost(text)

    def _figures_short(self) -> str:
        scoring_list, wording = self.staircase.scoring_list, self.wording
        origin, cases = scoring_list.risk_source.origin, cases_behind(scoring_list)
        if cases is None:
            who = wording.word("card figures" if origin == "published" else "card patients")
        else:
            who = wording.word(
                "card cases", cases=wording.count(cases[0]), positives=wording.count(cases[1])
            )
        return wording.word(ORIGINS[origin], who=who)

    def _validation(self) -> str:
        short = short_validations(self.staircase, self.wording)
        return f"{short} {self.wording.validation_sentence(self.staircase.scoring_list)}".strip()

    def _words(self) -> Words:
        wording = self.wording
        per = wording.number(wording.per)
        return Words(
            yes_if=wording.word("card yes if"),
            yes=wording.word("yes"),
            no=wording.word("no"),
            points=wording.word("points"),
            total=wording.word("card running total"),
            stop=wording.word("card stop heading"),
            stop_column=wording.word("total"),
            undecided=wording.word("undecided"),
            undecided_stop=wording.word("card undecided heading"),
            rule_out=wording.decision("rule out", self.about),
            rule_in=wording.decision("rule in", self.about),
            before=wording.word("card before"),
            of=wording.word("card of", per=per),
            every=wording.word("card every", per=per),
            risks=wording.word("card risks"),
            chip=wording.word(CHIPS[self.staircase.estimate], per=per),
            counts=self.legend.counts_word(),
            seen=wording.word("card seen") if self.legend.counts_word() else "",
            range=self.legend.range_word(),
            ruler=wording.word("card ruler"),
            tally=wording.word("card tally"),
            case=wording.word("card case"),
            decision=wording.word("card decision"),
        )

"""From a list to what is printed on its card: every figure in words, every sentence complete."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from scorecard.core.build_staircase import DEFAULT_LEVEL, build_staircase
from scorecard.core.edits import keeps_what_these_cases_chose
from scorecard.core.error_control import few_patients
from scorecard.core.model import About, ScoringList
from scorecard.core.policy import Estimate, StoppingPolicy
from scorecard.core.staircase import Box, Decision, Staircase, Step
from scorecard.forms.card.path import path_view
from scorecard.forms.card.rows import KINDS, RowMaker, further_steps, grid_of, shown_steps
from scorecard.forms.card.sizes import LayoutKind
from scorecard.forms.card.view import BoxGrid, BoxView, LegendView, PathView, RowView
from scorecard.printing.logos import Picture
from scorecard.printing.refusals import CardError
from scorecard.words.language import Language
from scorecard.words.sentences import (
    ends_in_words,
    mark_legends,
    ranges_are_joint,
    short_limits,
    short_notes,
    short_validations,
    summary_sentences,
    use_sentences,
)
from scorecard.words.wording import SYMBOLS, Wording, cases_behind, printable

FIGURES: dict[Estimate, str] = {"reached": "card figure reached", "all": "card figure all"}
SHORT_FIGURES: dict[Estimate, str] = {
    "reached": "card short figure reached",
    "all": "card short figure all",
}
MOST = 0.5  # of all cases
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
    return CardView(staircase, options, Wording.of(staircase, options.language))


@dataclass(frozen=True)
class CardView:
    """Everything on a card, as text: what its template gets to see, with nothing to compute.

    It does not know its paper. Sentences that come in a long and a short form are both there; which
    one a size has room for is the template's choice.
    """

    _staircase: Staircase
    _options: CardOptions
    _wording: Wording
    _layout: LayoutKind = "staircase"

    def on(self, layout: LayoutKind) -> CardView:
        """The same with the instruction that a layout needs."""
        return self if layout == self._layout else replace(self, _layout=layout)

    @property
    def _about(self) -> About:
        return self._staircase.scoring_list.about

    def _word(self, key: str, **parts: object) -> str:
        return self._wording.word(key, **parts)

    # Questions and boxes -------------------------------------------------------------------------

    @cached_property
    def _maker(self) -> RowMaker:
        return RowMaker(self._staircase, self._wording)

    @cached_property
    def _steps(self) -> tuple[Step, ...]:
        return shown_steps(self._staircase)

    @cached_property
    def _further_steps(self) -> tuple[Step, ...]:
        return further_steps(self._staircase)

    @cached_property
    def _totals(self) -> list[int]:
        return sorted({box.total for step in self._steps for box in step.boxes})

    @property
    def _boxes(self) -> list[Box]:
        return [box for step in self._staircase.steps[1:] for box in step.boxes]

    @cached_property
    def base(self) -> BoxView:
        """The box before any question."""
        return self._maker.box(self._staircase.steps[0].boxes[0])

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(map(self._wording.total, self._totals))

    @cached_property
    def rows(self) -> tuple[RowView, ...]:
        """The questions that decide."""
        return tuple(self._maker.row(step, self._totals) for step in self._steps)

    @cached_property
    def further(self) -> tuple[RowView, ...]:
        """Those that only sharpen the risk."""
        steps = self._further_steps
        return tuple(self._maker.row(step, self._totals, further=True) for step in steps)

    @cached_property
    def grid(self) -> BoxGrid:
        """The boxes of the questions that decide, in columns."""
        return grid_of(self.rows, self._steps, self._wording)

    @cached_property
    def narrow_grid(self) -> BoxGrid:
        """The same in as few columns as possible."""
        return grid_of(self.rows, self._steps, self._wording, narrow=True)

    @cached_property
    def whole_grid(self) -> BoxGrid:
        """The boxes of all questions."""
        steps = self._steps + self._further_steps
        return grid_of(self.rows + self.further, steps, self._wording)

    @cached_property
    def path(self) -> PathView:
        """The boxes with arrows between them."""
        return path_view(self._staircase, self._wording, self._path_note())

    @property
    def definitions(self) -> tuple[tuple[str, str], ...]:
        """What is meant by a question, where its list says so."""
        asked = zip(self.rows, self._staircase.scoring_list.questions, strict=False)
        return tuple(
            (self._word("term", term=printable(question.label)), f"{row.note.rstrip('.')}.")
            for row, question in asked
            if row.note
        )

    # Heading ------------------------------------------------------------------------------------

    @property
    def language(self) -> str:
        return self._wording.language.code

    @cached_property
    def title(self) -> str:
        texts = (self._options.title, self._about.title, self._about.outcome)
        return next(filter(None, map(printable, texts)), self._word("list"))

    @property
    def subtitle(self) -> str:
        return printable(self._options.subtitle)

    @cached_property
    def outcome(self) -> str:
        if sentence := printable(self._about.outcome_sentence):
            return sentence
        outcome = printable(self._about.outcome) or self._word("card not stated")
        horizon = printable(self._about.horizon)
        parts = [self._word("card risk of", outcome=outcome)]
        if horizon:
            parts.append(self._word("card within", horizon=horizon))
        return " ".join(parts)

    @property
    def audience(self) -> str:
        population = printable(self._options.audience) or printable(self._about.population)
        return self._word("card for", population=population or self._word("card not stated"))

    @property
    def warnings(self) -> tuple[str, ...]:
        return tuple(filter(None, map(printable, self._options.warnings)))

    @property
    def identity(self) -> str:
        """Which list this is: its version, its date and its short hash."""
        return " · ".join(filter(None, (self.edition, printable(self._options.identity))))

    @property
    def edition(self) -> str:
        version = printable(self._about.version) or self._word("card no version")
        # A bare "1" on a card could be anything.
        version = f"v{version}" if version[:1].isdecimal() else version
        date = printable(self._about.date) or self._word("card undated")
        return f"{version} · {date}"

    @property
    def ticks(self) -> bool:
        return self._options.ticks

    @property
    def logo(self) -> Picture | None:
        return self._options.logo

    @property
    def qr(self) -> Picture | None:
        return self._options.qr

    @property
    def record(self) -> str:
        """How the file was made."""
        return self._options.record

    # What to do ---------------------------------------------------------------------------------

    @cached_property
    def how(self) -> str:
        """The instruction: boxes may stand beside their questions, on the back, or have arrows."""
        if self._layout == "path":
            return self.path.how
        if not self._staircase.deciding_questions:
            return self._word("card how all")
        return self._word("card how" if self._layout == "staircase" else "card how behind")

    @cached_property
    def undecided(self) -> str:
        wording, last = self._wording, self._staircase.steps[-1]
        stops = any(step.undecided_between for step in self._staircase.steps[:-1])
        if last.undecided_between is None and not stops:
            return self._word("card all decided", number=last.number)
        if self._staircase.policy.tells_risks_only and not self._about.undecided:
            return self._word("card final risk")
        advice = printable(self._about.undecided).rstrip(".") or self._word("card no advice")
        told = (self._word("card undecided", action=advice), self._remaining())
        return " ".join(filter(None, (*told, wording.undecided_sentence(self._staircase))))

    def _remaining(self) -> str:
        """How many stay undecided, where there is a limit and they are most."""
        staircase, wording = self._staircase, self._wording
        known = staircase.cross_validated is not None or staircase.stopping()[0]
        decided = staircase.decided_share
        if not known or not any(staircase.policy.has_limit) or decided >= MOST:
            return ""
        number = wording.number(wording.per - round(decided * wording.per))
        share = self._word("of", number=number, per=wording.number(wording.per))
        return self._word("card remain", share=share)

    @cached_property
    def unknown(self) -> str:
        return self._wording.unknown_rule(self._staircase)

    @property
    def marked(self) -> str:
        """What the star at a risk means."""
        marked = any(group.mark for row in self.rows for group in row.groups)
        return self._word("card marked") if marked else ""

    @property
    def end(self) -> str:
        """What the questions below the line are for."""
        further = self._further_steps
        if not further:
            return ""
        questions = self._wording.totals(further[0].number, further[-1].number)
        key = "card end one" if len(further) == 1 else "card end"
        return self._word(key, questions=questions)

    @property
    def left_out(self) -> str:
        """The same on a card that has no room for these questions."""
        further = self._further_steps
        if not further:
            return ""
        key = "card left out one" if len(further) == 1 else "card left out"
        return self._word(key, count=len(further))

    # What boxes and signs mean ------------------------------------------------------------------

    @property
    def legend(self) -> tuple[LegendView, ...]:
        present = {box.decision for box in self._boxes}
        entries = [
            LegendView(KINDS[what], self._legend_symbol(what), self._legend_text(what))
            for what in SYMBOLS
            if what in present
        ]
        order = ("out", "on", "undecided", "in")
        return tuple(sorted(entries, key=lambda entry: order.index(entry.kind)))

    def _legend_symbol(self, decision: Decision) -> str:
        # To go on has no sign in a box with a figure.
        shown = decision != "go on" or any(box.risk is None for box in self._boxes)
        return SYMBOLS[decision] if shown else ""

    def _legend_text(self, decision: Decision) -> str:
        if decision == "go on":
            return self._word("card next")
        name = self._wording.decision(decision, self._about)
        if decision == "undecided":
            # The advice for the undecided has a sentence of its own.
            return self._wording.decision("undecided")
        return self._word("card stop", decision=name)

    @cached_property
    def signs(self) -> tuple[LegendView, ...]:
        """What the sign of each box means."""
        present = {box.decision for box in self._boxes}
        told: tuple[Decision, ...] = ("rule out", "rule in", "undecided", "go on")
        return tuple(
            LegendView(
                KINDS[what],
                SYMBOLS[what],
                self._word("card next")
                if what == "go on"
                else self._wording.decision(what, self._about),
            )
            for what in told
            if what in present
        )

    @property
    def names(self) -> tuple[LegendView, ...]:
        """What the list calls its decisions, for boxes too narrow for it."""
        return tuple(sign for sign in self.signs if sign.kind in ("out", "in"))

    @property
    def marks(self) -> tuple[str, ...]:
        boxes = [*self._staircase.steps[0].boxes, *self._boxes]
        return tuple(mark_legends(self._wording, boxes))

    @property
    def box_note(self) -> str:
        if not (figure := self._figure_word()):
            return ""
        return self._wording.sentence(figure, self._counts_word(), self._range_word())

    @cached_property
    def group_note(self) -> str:
        """What the percent in a box means, with one box as the example."""
        if self._layout == "path":
            return self.path.note
        figure = self._figure_word()
        return self._wording.sentence(figure) if figure else ""

    @cached_property
    def group_note_short(self) -> str:
        """The same for a small card; a path has no totals and one way to say it."""
        return self._explained(SHORT_FIGURES[self._staircase.estimate])

    def _path_note(self) -> str:
        """What the figures of a path are: there are no totals on it."""
        figure = self._explained(
            "card path figure expected" if self._is_expected() else "card path figure"
        )
        return self._wording.sentence(figure) if figure else ""

    def _figure_word(self) -> str:
        estimate = FIGURES[self._staircase.estimate]
        return self._explained("card figure expected" if self._is_expected() else estimate)

    def _explained(self, key: str) -> str:
        """What the first risk with a plain number means; nothing where no box has a risk."""
        wording = self._wording
        risks = [box.risk.probability for step in self._steps for box in step.boxes if box.risk]
        plain = [risk for risk in risks if wording.risk(risk).isdecimal()]
        return "".join(
            self._word(
                key,
                risk=wording.risk(risk, percent=True),
                number=wording.risk(risk),
                per=wording.number(wording.per),
            )
            for risk in (plain or risks)[:1]
        )

    def _is_expected(self) -> bool:
        """Whether a figure is expected in new patients, and not the share counted below it."""
        return self._staircase.scoring_list.cross_validation is not None

    def _is_counted(self) -> bool:
        return any(box.counts for box in self._boxes)

    def _counts_word(self) -> str:
        return self._word("card box counts") if self._is_counted() else ""

    def _range_word(self) -> str:
        if not any(box.risk and self._wording.range(box.risk) for box in self._boxes):
            return ""
        level = self._staircase.scoring_list.risk_source.level or DEFAULT_LEVEL
        key = "card box joint range" if ranges_are_joint(self._staircase) else "card box range"
        return self._word(key, level=self._wording.percent(level))

    # How good it is -----------------------------------------------------------------------------

    @cached_property
    def limits(self) -> str:
        return self._wording.limits_sentence(self._staircase)

    @cached_property
    def limits_short(self) -> str:
        return short_limits(self._staircase, self._wording, with_rule=not self.shown)

    @cached_property
    def shown(self) -> str:
        """How cross-validated cases fared that stopped; other stops tell it in their boxes."""
        return self._shown("card shown cross-validated")

    @cached_property
    def shown_short(self) -> str:
        return self._shown("card shown short")

    def _shown(self, usual: str) -> str:
        tally, count = self._staircase.cross_validated, self._wording.count
        if tally is None:
            return ""
        sides = [
            self._word(key, cases=count(cases), positives=count(positives))
            for key, (cases, positives) in (
                ("card shown out", tally.ruled_out),
                ("card shown in", tally.ruled_in),
            )
            if cases
        ]
        if not sides:
            return ""
        kept = keeps_what_these_cases_chose(self._staircase.scoring_list)
        told = self._word("card shown kept" if kept else usual, sides=", ".join(sides))
        if few_patients(self._staircase):
            told = f"{told} {self._word('card shown few', cases=count(tally.cases))}"
        return told

    @cached_property
    def notes(self) -> tuple[str, ...]:
        return tuple(summary_sentences(self._staircase, self._wording))

    @cached_property
    def notes_short(self) -> tuple[str, ...]:
        return tuple(short_notes(self._staircase, self._wording))

    @cached_property
    def decided(self) -> str:
        """How many are decided, from cross-validation where there is, after how many questions.

        The questions are counted with the list itself: those of the lists that judged its cases
        would contradict what is printed above, and outcomes, which flatter, have no part in them.
        """
        tally, wording = self._staircase.cross_validated, self._wording
        decided, mean = self._staircase.decided_share, self._staircase.mean_questions
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
        cost, wording = self._staircase.mean_cost, self._wording
        if cost is None:
            return text
        unit = printable(self._about.cost_unit)
        return f"{text} {wording.word('mean cost', cost=wording.cost(cost, unit))}"

    @cached_property
    def performance(self) -> str:
        staircase, wording = self._staircase, self._wording
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
            out_word=wording.decision("rule out", self._about),
            missed=count(missed),
            into=count(into),
            in_word=wording.decision("rule in", self._about),
            found=count(found),
            rest=ends_in_words(staircase, wording),
            asked=wording.mean_questions(mean),
        )
        return self._with_cost(text)

    # Where it comes from ------------------------------------------------------------------------

    @property
    def figures(self) -> str:
        return self._wording.figures_sentence(self._staircase.scoring_list)

    @cached_property
    def figures_short(self) -> str:
        scoring_list, wording = self._staircase.scoring_list, self._wording
        origin, cases = scoring_list.risk_source.origin, cases_behind(scoring_list)
        if cases is None:
            who = wording.word("card figures" if origin == "published" else "card patients")
        else:
            who = wording.word(
                "card cases", cases=wording.count(cases[0]), positives=wording.count(cases[1])
            )
        return wording.word(ORIGINS[origin], who=who)

    @property
    def source(self) -> str:
        if source := printable(self._about.source):
            return source
        term = self._word("term", term=self._word("source"))
        return f"{term} {self._word('card not stated')}"

    @property
    def remark(self) -> str:
        return printable(self._about.note)

    @cached_property
    def use(self) -> tuple[str, ...]:
        """What the list says about its use, a sentence each."""
        return tuple(use_sentences(self._about, self._wording))

    @cached_property
    def validation(self) -> str:
        short = short_validations(self._staircase, self._wording)
        return f"{short} {self._wording.validation_sentence(self._staircase.scoring_list)}".strip()

    @property
    def judgement(self) -> str:
        return self._word("judgement")

    @cached_property
    def words(self) -> dict[str, str]:
        """The fixed words a template places."""
        word = self._word
        return {
            "yes_if": word("card yes if"),
            "yes": word("yes"),
            "no": word("no"),
            "points": word("points"),
            "total": word("total"),
            "stop": word("card stop heading"),
            "before": word("card before"),
            "risks": word("card risks"),
            "chip": word("card chip"),
            "chip_path": word("card chip path"),
            "seen": word("card seen") if self._is_counted() else "",
            "range": self._range_word(),
            "ruler": word("card ruler"),
            "case": word("card case"),
            "decision": word("card decision"),
        }

"""The handout for who is asked the questions: plain words and icon arrays, no points and totals."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from html import unescape

from scorecard.core.performance import Ends, ends_of_tally, rate
from scorecard.core.staircase import Decision, Staircase
from scorecard.forms.card.contents import CardOptions, CardView, view_of
from scorecard.forms.card.rows import KINDS, shown_steps
from scorecard.forms.handout.pictures import IconArray, icon_array, icon_counts
from scorecard.printing.refusals import CardError
from scorecard.words.sentences import NEXT_STEPS
from scorecard.words.wording import Wording, printable

# What a result is called where the list has no name for it, in the order of the page.
RESULTS: dict[Decision, str] = {
    "rule out": "patient out",
    "undecided": "patient undecided",
    "unknown": "patient unknown",
    "rule in": "patient in",
}

HEADINGS = (
    "patient about",
    "patient before",
    "patient questions",
    "patient results",
    "patient next",
    "patient icons",
    "patient cannot",
    "patient group",
    "patient talk",
    "patient numbers",
)


@dataclass(frozen=True, slots=True)
class PatientResult:
    """One way the questions can end: what it is called, how many, their risk, what comes next."""

    kind: str
    name: str
    told: tuple[str, ...]
    arrays: tuple[IconArray, ...]
    next_step: str = ""


@dataclass(frozen=True, slots=True)
class PatientView:
    """Everything on the page of a patient, as text and plain shapes."""

    card: CardView
    outcome: str
    intro: str
    before: IconArray | None
    questions: tuple[str, ...]
    results: tuple[PatientResult, ...]
    words: dict[str, str]

    @property
    def arrays(self) -> tuple[IconArray, ...]:
        """All icon arrays in their order."""
        first = () if self.before is None else (self.before,)
        return (*first, *(array for result in self.results for array in result.arrays))

    @property
    def texts(self) -> Iterator[str]:
        """What has to be on the finished page."""
        card = self.card
        yield from (card.title, card.subtitle, self.outcome, card.audience, self.intro)
        yield from (*card.warnings, card.remark, *self.questions)
        for result in self.results:
            yield from (result.name, *result.told, result.next_step)
        yield from (array.risk for array in self.arrays)
        yield from (card.figures_short, card.source, card.validation, card.identity)
        said = dict(self.words)
        if not any(result.next_step for result in self.results):
            del said["patient next"]
        if self.before is None:
            del said["patient before"]
        yield from said.values()


def patient_view(staircase: Staircase, options: CardOptions) -> PatientView:
    """What a patient is told about a list under its limits."""
    wording = Wording.of(staircase, options.language)
    return _Maker(staircase, wording, view_of(staircase, options)).view()


@dataclass(frozen=True)
class _Maker:
    staircase: Staircase
    wording: Wording
    card: CardView

    def view(self) -> PatientView:
        count = len(self.card.rows)
        base = self.staircase.steps[0].boxes[0].risk
        return PatientView(
            card=self.card,
            outcome=self.card.outcome,
            intro=self._word("patient intro one")
            if count == 1
            else self._word("patient intro", count=self.wording.number(count)),
            before=None if base is None else self._array(base.probability, "on"),
            questions=tuple(row.question for row in self.card.rows),
            results=tuple(self._results()),
            words={key: self._word(key) for key in HEADINGS},
        )

    def _word(self, key: str, **parts: object) -> str:
        return self.wording.word(key, **parts)

    def _array(self, probability: float, kind: str) -> IconArray:
        label = self._word("patient have it")
        array = icon_array(probability, self.wording, label, "", kind)
        return replace(array, risk=self._in_words(probability))

    def _results(self) -> Iterator[PatientResult]:
        tally = self.staircase.cross_validated
        ends = ends_of_tally(tally) if tally else self.staircase.ends
        if ends.cases and self.staircase.deciding_questions:
            yield from self._counted(ends)
        else:
            yield from self._published()

    def _counted(self, ends: Ends) -> Iterator[PatientResult]:
        """How many end with each result, and how many of them have the outcome."""
        for decision in RESULTS:
            cases, positives = ends.ending(decision)
            seen = rate(positives, cases)
            if seen is None:
                continue
            share = self.wording.risk_of(cases / ends.cases)
            told = (self._word("patient share", share=share), self._among(seen.value))
            arrays = (self._array(seen.value, KINDS.get(decision, "undecided")),)
            yield self._result(decision, told, arrays)

    def _published(self) -> Iterator[PatientResult]:
        """Nobody knows how many end where: the risks a result can have, from least to most."""
        boxes = [box for step in shown_steps(self.staircase) for box in step.boxes if box.stops]
        for decision in RESULTS:
            found = [box.risk.probability for box in boxes if box.decision == decision and box.risk]
            risks = sorted({min(found), max(found)}) if found else []
            if risks:
                kind = KINDS.get(decision, "undecided")
                told = tuple(map(self._among, risks)) if len(risks) == 1 else (self._span(*risks),)
                yield self._result(decision, told, tuple(self._array(one, kind) for one in risks))

    def _result(
        self, decision: Decision, told: tuple[str, ...], arrays: tuple[IconArray, ...]
    ) -> PatientResult:
        about = self.staircase.scoring_list.about
        usual = self.wording.decision(decision)
        own = self.wording.decision(decision, about)
        name = own if own != usual else self._word(RESULTS[decision])
        if not self.staircase.deciding_questions:
            name = self._word("patient risk")
        step = printable(getattr(about, NEXT_STEPS[decision])) if decision in NEXT_STEPS else ""
        return PatientResult(KINDS.get(decision, "undecided"), name, told, arrays, step)

    def _among(self, probability: float) -> str:
        return self._word("patient among", risk=self._in_words(probability))

    def _span(self, least: float, most: float) -> str:
        low, high = map(self._in_words, (least, most))
        return self._word("patient between", low=low, high=high)

    def _in_words(self, probability: float) -> str:
        """ "3 of 100", "fewer than 1 of 100": no "<1" for who reads no signs."""
        full, part = icon_counts(probability, self.wording.per)
        if not part:
            return self.wording.risk_of(probability)
        per = self.wording.number(self.wording.per)
        if full:
            return self._word("patient more", number=self.wording.number(full), per=per)
        return self._word("patient less", number=self.wording.number(1), per=per)


# Read back ---------------------------------------------------------------------------------------

_ARRAY = re.compile(r'(?s)<figure class="icons">.*?</figure>')
_FULL = re.compile(r'class="i-(full|part|empty)" d="([^"]*)"')
_RISK = re.compile(r"<b>([^<]*)</b>")


def check_arrays(html: str, view: PatientView) -> None:
    """Refuse a page whose squares are not those of the risk that stands beside them."""
    found = [_read(figure) for figure in _ARRAY.findall(html)]
    due = [(one.risk, *(part.count("M") for part in _parts(one))) for one in view.arrays]
    if found != due:
        raise CardError(f"The page of the patient has the squares {found!r} instead of {due!r}.")


def _read(figure: str) -> tuple[str | int, ...]:
    drawn = dict(_FULL.findall(figure))
    risk = _RISK.search(figure)
    squares = (drawn.get(name, "").count("M") for name in ("full", "part", "empty"))
    return (unescape(risk[1]) if risk else "", *squares)


def _parts(array: IconArray) -> tuple[str, str, str]:
    return array.full, array.part, array.empty

"""What a card says about its boxes: the legend, what signs and marks mean, what the figures are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scorecard.core.build_staircase import DEFAULT_LEVEL
from scorecard.core.edits import keeps_what_these_cases_chose
from scorecard.core.error_control import few_patients
from scorecard.core.model import About
from scorecard.core.policy import Estimate
from scorecard.core.staircase import Box, Decision, Staircase
from scorecard.forms.card.rows import KINDS
from scorecard.forms.card.view import LegendView
from scorecard.words.sentences import mark_legends, ranges_are_joint
from scorecard.words.wording import SYMBOLS, Wording

BOX_NOTES: dict[Estimate, str] = {"reached": "card box reached", "all": "card box all"}
SHORT_NOTES: dict[Estimate, str] = {
    "reached": "card short note reached",
    "all": "card short note all",
}


@dataclass(frozen=True, slots=True)
class LegendMaker:
    """The boxes of a staircase explained."""

    staircase: Staircase
    wording: Wording

    @property
    def about(self) -> About:
        return self.staircase.scoring_list.about

    def boxes(self) -> list[Box]:
        return [box for step in self.staircase.steps[1:] for box in step.boxes]

    def legend(self) -> list[LegendView]:
        present = {box.decision for box in self.boxes()}
        entries = [
            LegendView(KINDS[what], self._legend_symbol(what), self._legend_text(what))
            for what in SYMBOLS
            if what in present
        ]
        return sorted(entries, key=lambda entry: ("out", "on", "undecided", "in").index(entry.kind))

    def _legend_symbol(self, decision: Decision) -> str:
        # To go on has no sign in a box with a figure.
        shown = decision != "go on" or any(box.risk is None for box in self.boxes())
        return SYMBOLS[decision] if shown else ""

    def _legend_text(self, decision: Decision) -> str:
        if decision == "go on":
            return self.wording.word("card next")
        name = self.wording.decision(decision, self.about)
        if decision == "undecided":
            # The advice for the undecided has a sentence of its own.
            return self.wording.decision("undecided")
        return self.wording.word("card stop", decision=name)

    def names(self) -> Iterator[LegendView]:
        """What the list calls its decisions, for boxes too narrow for it."""
        decisions: tuple[Decision, ...] = ("rule out", "rule in")
        present = {box.decision for box in self.boxes()}
        for decision in decisions:
            if decision in present:
                name = self.wording.decision(decision, self.about)
                yield LegendView(KINDS[decision], SYMBOLS[decision], name)

    def signs(self) -> Iterator[LegendView]:
        """What the sign of each box means."""
        yield from self.names()
        present = {box.decision for box in self.boxes()}
        if "undecided" in present:
            yield LegendView("undecided", "◆", self.wording.decision("undecided", self.about))
        if "go on" in present:
            yield LegendView("on", "→", self.wording.word("card next"))

    def marks(self) -> Iterator[str]:
        boxes = [*self.staircase.steps[0].boxes, *self.boxes()]
        return mark_legends(self.wording, boxes)

    def group_note(self) -> str:
        return self.wording.sentence(self._figure_word(), self._behind_word())

    def short_note(self) -> str:
        """The same for a small card."""
        key = SHORT_NOTES[self.staircase.estimate]
        return self.wording.word(key, per=self.wording.number(self.wording.per))

    def path_note(self) -> str:
        """What the figures of a path are: there are no totals on it."""
        key = "card path box expected" if self._is_expected() else "card path box"
        figure = self.wording.word(key, per=self.wording.number(self.wording.per))
        return self.wording.sentence(figure, self._behind_word())

    def shown(self, short: bool = False) -> str:
        """How cross-validated cases fared that stopped; other stops tell it in their boxes."""
        tally = self.staircase.cross_validated
        if tally is None:
            return ""
        counts = (("card shown out", tally.ruled_out), ("card shown in", tally.ruled_in))
        sides = [self._fared(key, *one) for key, one in counts if one[0]]
        kept = keeps_what_these_cases_chose(self.staircase.scoring_list)
        usual = "card shown short" if short else "card shown cross-validated"
        key = "card shown kept" if kept else usual
        if not sides:
            return ""
        told = self.wording.word(key, sides=", ".join(sides))
        if few_patients(self.staircase):
            few = self.wording.word("card shown few", cases=self.wording.count(tally.cases))
            told = f"{told} {few}"
        return told

    def _fared(self, key: str, cases: float, positives: float) -> str:
        count = self.wording.count
        return self.wording.word(key, cases=count(cases), positives=count(positives))

    def _figure_word(self) -> str:
        key = BOX_NOTES[self.staircase.estimate]
        if self._is_expected():
            key = "card box expected"
        return self.wording.word(key, per=self.wording.number(self.wording.per))

    def _is_expected(self) -> bool:
        """Whether a figure is expected in new patients, and not the share counted below it."""
        return self.staircase.scoring_list.cross_validation is not None

    def _behind_word(self) -> str:
        counted = any(box.counts for box in self.boxes())
        return self.wording.word("card group counts") if counted else ""

    def box_note(self) -> str:
        return self.wording.sentence(self._figure_word(), self.counts_word(), self.range_word())

    def counts_word(self) -> str:
        counted = any(box.counts for box in self.boxes())
        return self.wording.word("card box counts") if counted else ""

    def range_word(self) -> str:
        if not any(box.risk and self.wording.range(box.risk) for box in self.boxes()):
            return ""
        level = self.staircase.scoring_list.risk_source.level or DEFAULT_LEVEL
        key = "card box joint range" if ranges_are_joint(self.staircase) else "card box range"
        return self.wording.word(key, level=self.wording.percent(level))

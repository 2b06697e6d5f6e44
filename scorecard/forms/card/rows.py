"""The rows of a card: each question with its points, where to stop after it, and its boxes."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, ROUND_FLOOR
from itertools import groupby, takewhile
from unicodedata import bidirectional

from scorecard.core.binomial import lower_bound, upper_bound
from scorecard.core.build_staircase import decided
from scorecard.core.model import Question, Risk
from scorecard.core.question import totals_without_contradiction
from scorecard.core.staircase import Box, Decision, Staircase, Step
from scorecard.forms.card.view import BoxGrid, BoxView, Cell, GroupView, RowView, StopView
from scorecard.words.hyphens import hyphenated
from scorecard.words.wording import SYMBOLS, Wording, printable

KINDS: dict[Decision, str] = {
    "rule out": "out",
    "rule in": "in",
    "undecided": "undecided",
    "go on": "on",
}
MARK = "*"
LEFT_TO_RIGHT = "\N{LEFT-TO-RIGHT MARK}"
LONGEST_UNBROKEN = 16  # "≥ 115 µm" stays on one line


def merged(boxes: Sequence[Box], wording: Wording) -> list[list[Box]]:
    """The boxes of a row in groups, from the lowest total to the highest."""

    def shared(box: Box) -> Hashable:
        if box.counts is not None:
            return box.totals
        if box.risk is not None:
            return wording.risk(box.risk.probability), wording.range(box.risk)
        # What one can still end with differs from total to total.
        return box.total if box.curtailed else None

    def told(box: Box) -> Hashable:
        return box.decision, box.curtailed, box.counts is None, shared(box)

    return [list(same) for _, same in groupby(boxes, told)]


@dataclass(frozen=True, slots=True)
class RowMaker:
    """Steps and boxes of a staircase in words."""

    staircase: Staircase
    wording: Wording

    def row(self, step: Step, columns: Sequence[int], further: bool = False) -> RowView:
        question = step.question
        assert question is not None
        boxes = {box.total: self.box(box) for box in step.boxes}
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
                self.group(group, step, further) for group in merged(step.boxes, self.wording)
            ),
            instead=_unbroken(self.wording.instead(question)),
            note=printable(question.note),
        )

    def _points(self, question: Question) -> str:
        """Points; of an input that was asked before they come on top: "also +1"."""
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

    def group(self, boxes: Sequence[Box], step: Step, further: bool) -> GroupView:
        """Boxes that say the same as one."""
        wording, group, risk = self.wording, boxes[0], boxes[0].risk
        lowest, highest = group.total, boxes[-1].total
        goes_on = group.decision == "go on"
        usual = wording.word("card next word") if goes_on else wording.decision(group.decision)
        shown = "" if risk is None else wording.risk(risk.probability, percent=True)
        limit = "" if further else self._limit_at(boxes, step)
        return GroupView(
            totals=wording.totals(lowest, highest),
            lowest=lowest,
            highest=highest,
            kind="further" if further else KINDS[group.decision],
            symbol="" if further else SYMBOLS[group.decision],
            risk=shown,
            mark=MARK if risk is not None and not further and self._is_unsure(group) else "",
            word="" if further else self._word_in_box(group.decision, usual),
            usual_word="" if further else usual,
            behind=wording.seen_in_words(group.counts, figure=risk is not None),
            possible=self._still_possible(group, step),
            bound=() if further else tuple(self._bound(boxes, step)),
            range=wording.range(risk, percent=True) if risk is not None and shown else "",
            limit=limit,
            at=wording.word("card at", limit=limit) if limit else "",
        )

    def _is_unsure(self, box: Box) -> bool:
        """Whether a risk keeps a limit and one does not stop all the same."""
        assert box.risk is not None
        low, high = self.staircase.policy.limits
        to_out, to_in = self.staircase.policy.has_limit
        within = (to_out and box.risk.probability <= low) or (
            to_in and box.risk.probability >= high
        )
        return within and not box.decided

    def _limit_at(self, boxes: Sequence[Box], step: Step) -> str:
        lowest, highest = boxes[0], boxes[-1]
        if highest.decision == "rule out" and highest.total == step.rule_out_at:
            return self.wording.out_text(step)
        is_limit = lowest.decision == "rule in" and lowest.total == step.rule_in_at
        return self.wording.in_text(step) if is_limit else ""

    def _word_in_box(self, decision: Decision, usual: str) -> str:
        """What the list calls a decision; a word that begins with a number is no figure."""
        own = (
            self.wording.decision(decision, self.staircase.scoring_list.about)
            if decision != "go on"
            else usual
        )
        return hyphenated(own if own[:1].isalpha() else usual, self.wording.language.code)

    def _bound(self, boxes: Sequence[Box], step: Step) -> Iterator[str]:
        """What the cases of a stop show, where all who stop so at this question are in this box."""
        group = boxes[0]
        together = [box for box in step.boxes if box.decision == group.decision]
        alone = group.total <= together[0].total and together[-1].total <= boxes[-1].total
        risk, confidence = group.risk, self.staircase.policy.confidence
        judged = self.staircase.by == "group" and together[0].decided and not group.curtailed
        if not (alone and judged and risk and risk.cases and risk.positives is not None):
            return
        yield self.wording.word("card bound", confidence=self.wording.percent(confidence))
        if group.decision == "rule out":
            most = upper_bound(risk.positives, risk.cases, confidence)
            yield self.wording.word("card bound out", bound=self.wording.bound(most, ROUND_CEILING))
        else:
            least = lower_bound(risk.positives, risk.cases, confidence)
            yield self.wording.word("card bound in", bound=self.wording.bound(least, ROUND_FLOOR))

    def _still_possible(self, group: Box, step: Step) -> str:
        """The risks one could still end with where a stop was made for certain."""
        if not group.curtailed or group.risk is not None:
            return ""
        risks = [risk.probability for risk in final_risks(self.staircase, step, group.total)]
        if not risks:
            return ""
        span = self.wording.span(min(risks), max(risks), outward=False, percent=True)
        return self.wording.word("card possible", risk=span)

    def _label(self, question: Question) -> str:
        label = printable(question.label) or printable(question.input) or "?"
        return _unbroken(self._without(label) if question.condition.kind == "no" else label)

    def _without(self, label: str) -> str:
        """ "No cough" for "Cough": under "Yes, if", "Cough: no" was given points for coughing."""
        is_word = label[1:2].islower() and self.wording.word("card noun") == "small"
        inside = label[0].lower() + label[1:] if is_word else label
        found = self.wording.word("card without", label=inside)
        return found[0].upper() + found[1:] if label[0].isupper() else found

    def _condition(self, question: Question) -> str:
        # A plain "Smoker" needs no "yes" beside it: the column says "Yes, if".
        if question.condition.kind in ("yes", "no"):
            return ""
        text = self.wording.condition(question)
        short = question.condition.is_numeric and len(text) <= LONGEST_UNBROKEN
        text = text.replace(" ", "\N{NO-BREAK SPACE}") if short else text
        # A unit in Hebrew must not turn "< 3" round: such a condition is marked as left to right.
        turns = any(bidirectional(letter) in ("R", "AL") for letter in text)
        return LEFT_TO_RIGHT + text if turns else text

    def box(self, box: Box) -> BoxView:
        wording = self.wording
        # A box without a figure shows what to do, and no invented number.
        arrow = SYMBOLS["go on"] if box.risk is None and not box.stops else ""
        return BoxView(
            total=wording.total(box.total),
            kind=KINDS[box.decision],
            symbol=wording.box_symbol(box) or arrow,
            risk="" if box.risk is None else wording.risk(box.risk.probability, percent=True),
            counts=wording.seen(box.counts, figure=box.risk is not None),
            range="" if box.risk is None else wording.range(box.risk, percent=True),
        )


def _unbroken(label: str) -> str:
    """A label that keeps a number with its unit or its word; names of columns break between words.

    Else "38 °C" breaks inside, "Finding 1" seems to ask for "1 ≥ 10", and a name as currentSmoker
    is hyphenated by the rules of a language it is not in.
    """
    return _INSIDE_NAME.sub("\N{ZERO WIDTH SPACE}", _BEFORE_UNIT.sub("\N{NO-BREAK SPACE}", label))


_BEFORE_UNIT = re.compile(r"(?<=\d) (?=[°%/µ]|[a-zµ]+[A-Z/])|(?<=\S) (?=\d+$)")
_INSIDE_NAME = re.compile(r"(?<=[a-z]{3})(?=[A-Z][a-z]{2})|(?<=\w_)(?=[^\W_])")


# Which steps are shown ---------------------------------------------------------------------------


def shown_steps(staircase: Staircase) -> tuple[Step, ...]:
    """The steps with their questions; a score without counts has all totals in its last row.

    Stops that no later answer can change cut totals off, and with them the highest risks.
    """
    steps, scoring_list = _possible(staircase, staircase.steps[1:]), staircase.scoring_list
    last, stage = steps[-1], scoring_list.stages[steps[-1].number]
    if stage is None or stage.risks[0].cases is not None:
        return steps
    possible = totals_without_contradiction(scoring_list.questions)[last.number]
    missing = possible - {box.total for box in last.boxes}
    if not missing or last.number < len(scoring_list.questions):
        return steps
    return (*steps[:-1], _full_step(staircase, last.number))


def further_steps(staircase: Staircase) -> tuple[Step, ...]:
    """The steps that only sharpen the risk; of a published score, all that are left."""
    if staircase.sharpening or staircase.scoring_list.evidence is not None:
        return _possible(staircase, staircase.sharpening)
    count = len(staircase.scoring_list.questions)
    return tuple(_full_step(staircase, number) for number in range(len(staircase.steps), count + 1))


def _possible(staircase: Staircase, steps: Sequence[Step]) -> tuple[Step, ...]:
    """The steps without boxes that only answers which contradict each other lead to."""
    totals = totals_without_contradiction(staircase.scoring_list.questions)
    return tuple(
        replace(step, boxes=tuple(box for box in step.boxes if box.total in totals[step.number]))
        for step in steps
    )


def _full_step(staircase: Staircase, number: int) -> Step:
    """A step with all totals one can have there, judged by their risks alone."""
    scoring_list = staircase.scoring_list
    totals = sorted(totals_without_contradiction(scoring_list.questions)[number])
    stage = scoring_list.stages[number]
    reached = {
        box.total: box for step in staircase.steps[number : number + 1] for box in step.boxes
    }
    open_boxes = [Box(total, "undecided", stage.risk(total) if stage else None) for total in totals]
    judged = decided(open_boxes, replace(staircase.policy, by=staircase.by))
    boxes = tuple(reached.get(box.total) or box for box in judged)
    return Step(number, scoring_list.questions[number - 1], boxes)


def final_risks(staircase: Staircase, step: Step, total: int) -> Iterator[Risk]:
    """The risks after the last question of all totals one can still get to from here."""
    scoring_list = staircase.scoring_list
    stage, totals = scoring_list.stages[-1], {total}
    for question in scoring_list.questions[step.number :]:
        totals |= {one + question.points for one in totals}
    return (stage.risk(one) for one in sorted(totals)) if stage else iter(())


# The grid -----------------------------------------------------------------------------------------


def grid_of(
    rows: Sequence[RowView], steps: Sequence[Step], wording: Wording, narrow: bool = False
) -> BoxGrid:
    """Boxes below their totals. Totals that are always in one box have one column.

    In a `narrow` grid so have all that no row has to keep apart.
    """
    belongs = [
        {box.total: group for group in row.groups for box in step.boxes if _holds(group, box)}
        for row, step in zip(rows, steps, strict=True)
    ]
    columns = columns_of(belongs, narrow)
    return BoxGrid(
        tuple(wording.totals(column[0], column[-1]) for column in columns),
        tuple(tuple(_cells(row, columns)) for row in belongs),
    )


def columns_of(rows: Sequence[Mapping[int, object]], narrow: bool) -> list[list[int]]:
    """The totals of each column, given the box of each total row by row."""
    columns: list[list[int]] = []
    for total in sorted({total for row in rows for total in row}):
        if columns and _may_join(columns[-1], total, rows, narrow):
            columns[-1].append(total)
        else:
            columns.append([total])
    return columns


def _holds(group: GroupView, box: Box) -> bool:
    """Whether this box is drawn with these totals; one that has nothing to say is not drawn."""
    return group.lowest <= box.total <= group.highest and bool(
        group.figure or group.behind or group.possible
    )


def _may_join(
    column: Sequence[int], total: int, rows: Sequence[Mapping[int, object]], narrow: bool
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

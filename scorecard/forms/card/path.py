"""A list as a path: no points and no adding, only boxes with arrows for yes and no between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from scorecard.core.model import ScoringList
from scorecard.core.question import contradicts, settled_answers
from scorecard.core.staircase import Box, Staircase, Step
from scorecard.forms.card.rows import RowMaker, columns_of, merged
from scorecard.forms.card.view import GroupView, PathBox, PathView, Way
from scorecard.words.wording import Wording

NO_BREAK_SPACE = "\N{NO-BREAK SPACE}"
Edge = tuple[int, int, bool]
"""Where an arrow begins: how many answers were given, the total, and the answer."""


def path_view(staircase: Staircase, wording: Wording, note: str) -> PathView:
    """The boxes one can get to and the arrows between them; `note` says what a figure is."""
    maker = _PathMaker(staircase, wording)
    rows = maker.rows()
    counted = any(way and way.share for row in rows for box in row for way in (box.yes, box.no))
    return PathView(
        rows=rows,
        columns=1 + max(box.columns[1] for row in rows for box in row),
        how=wording.word("card how path"),
        note=note,
        width_note=wording.word("card path width") if counted else "",
    )


def arrows(staircase: Staircase) -> set[Edge]:
    """All arrows that answers which do not contradict each other can take."""
    questions = staircase.questions
    settled = settled_answers(questions)
    found: set[Edge] = set()
    ways: set[tuple[int, frozenset[tuple[int, bool]]]] = {(0, frozenset())}
    for number, question in enumerate(questions):
        going_on = {box.total for box in staircase.steps[number].boxes if not box.stops}
        after = set()
        for total, known in ways:
            for yes in (True, False):
                if total in going_on and (number, not yes) not in known:
                    found.add((number, total, yes))
                    follows = settled.get((number, yes), {}).items()
                    more = {(place, one) for place, one in follows if one is not None}
                    after.add((total + question.points * yes, known | more))
        ways = after
    return found


def shares(scoring_list: ScoringList, edges: set[Edge]) -> Mapping[Edge, float]:
    """How many of all cases take each arrow; empty where nobody was counted."""
    patterns = scoring_list.evidence.patterns if scoring_list.evidence else ()
    everybody = sum(pattern.cases for pattern in patterns)
    taken = dict.fromkeys(edges, 0.0) if everybody else {}
    for pattern in patterns:
        total = 0
        for number, letter in enumerate(pattern.answers):
            edge = (number, total, letter == "1")
            if letter == "?" or edge not in taken:
                break
            taken[edge] += pattern.cases / everybody
            total += scoring_list.questions[number].points * edge[2]
    return taken


@dataclass(frozen=True)
class _PathMaker:
    staircase: Staircase
    wording: Wording

    def rows(self) -> tuple[tuple[PathBox, ...], ...]:
        edges = arrows(self.staircase)
        drawn = [self._boxes(step, edges) for step in self.staircase.steps]
        belongs = [{total: box for box in row for total in box.totals} for row in drawn]
        column = {
            total: place
            for place, totals in enumerate(columns_of(belongs, narrow=True))
            for total in totals
        }
        taken = shares(self.staircase.scoring_list, edges)
        return tuple(
            tuple(self._with_ways(number, box, edges, drawn, column, taken) for box in row)
            for number, row in enumerate(drawn)
        )

    def _boxes(self, step: Step, edges: set[Edge]) -> list[PathBox]:
        """The boxes arrows lead to; totals at which one stops are merged where few were seen."""
        points = step.question.points if step.question else 0
        reached = {
            total + points * yes for number, total, yes in edges if number == step.number - 1
        }
        there = [box for box in step.boxes if box.total in reached or not step.number]
        groups: list[list[Box]] = []
        for _, same in groupby(there, lambda box: box.total if not box.stops else None):
            groups += merged(list(same), self.wording)
        maker = RowMaker(self.staircase, self.wording)
        return [
            _box(maker.group(group, step, False), tuple(box.total for box in group))
            for group in groups
        ]

    def _with_ways(
        self,
        number: int,
        box: PathBox,
        edges: set[Edge],
        drawn: Sequence[Sequence[PathBox]],
        column: Mapping[int, int],
        taken: Mapping[Edge, float],
    ) -> PathBox:
        def way(yes: bool) -> Way | None:
            edge = (number, box.totals[0], yes)
            if edge not in edges:
                return None
            total = box.totals[0] + self.staircase.questions[number].points * yes
            (to,) = [place for place, one in enumerate(drawn[number + 1]) if total in one.totals]
            return Way(to, column[total], taken.get(edge))

        across = column[box.totals[0]], column[box.totals[-1]]
        return replace(box, columns=across, yes=way(True), no=way(False))


def _box(group: GroupView, totals: tuple[int, ...]) -> PathBox:
    """To go on has its figure on top; a stop has what to do there, and its figure below."""
    figure = group.risk + group.mark
    goes_on = group.kind == "on"
    heading = figure if goes_on else f"{group.symbol}{NO_BREAK_SPACE}{group.word}".strip()
    seen = "" if figure else group.behind
    below = tuple(filter(None, ("" if goes_on else figure, seen, group.possible)))
    if not heading:  # nobody was seen there, or too few for a figure: on to the next question
        heading, below = seen or f"{group.symbol}{NO_BREAK_SPACE}{group.word}", ()
    return PathBox(group.kind, heading, below, group, totals, (0, 0))


def every_way(staircase: Staircase) -> Iterator[tuple[bool, ...]]:
    """All answers from the first question to a stop that do not contradict each other."""
    questions = staircase.questions

    def after(way: tuple[bool, ...]) -> Iterator[tuple[bool, ...]]:
        if way and staircase.decide(way).decision != "go on":
            yield way
            return
        for yes in (True, False):
            if not contradicts(questions, (*way, yes)):
                yield from after((*way, yes))

    return after(()) if questions else iter(())

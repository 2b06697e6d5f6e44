"""The search for a list: greedy by default, with optional lookahead.

Stage by stage, every remaining input is tried with every points value and every cut-off, and the
candidate with the smallest loss is added, or the one with the largest gain per weight where inputs
differ in cost. Among equals the first in this order wins: input, larger |points|, negative before
positive points, smaller cut-off.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

import numpy as np

from scorecard.learning.counts import Counts, Integers, State
from scorecard.learning.cutoffs import (
    Candidate,
    Candidates,
    Criterion,
    best_cutoffs,
    loss_of,
)
from scorecard.learning.options import Weights, chance_gain

Progress = Callable[[float, int], None]
"""Told how many questions are done of how many there may be, and parts of one as inputs are."""


@dataclass(frozen=True)
class Choice:
    """One question: points for the cases from the cut-off on; `loss` is that of its stage.

    `given` is the number of the entry of `SearchPlan.fixed` that it answers, if any.
    """

    input: int
    cutoff: int
    points: int
    loss: float
    given: int | None = None


@dataclass(frozen=True)
class SearchPlan:
    """What to search, and how far.

    `fixed` are asked first, whether they help or not, each the best of its candidates; in this
    order, unless `any_order` says that the best of them comes first. `min_gain` is what a question
    must lower the loss by; `None` asks every input. An input may be asked up to `repeats` times,
    each time with a cut-off that at least `apart` cases separate from those asked before. `cuts`
    has, for columns that stand for one cut-off of another, that column and the cut-off.
    """

    criterion: Criterion
    inputs: tuple[Candidates, ...]
    fixed: tuple[tuple[Candidates, ...], ...] = ()
    max_questions: int = 100
    min_gain: float | None = 0.0
    repeats: int = 1
    apart: float = 0.0
    lookahead: int = 1
    progress: Progress | None = None
    any_order: bool = False
    weights: Weights | None = None
    cuts: Mapping[int, tuple[int, int]] = field(default_factory=dict)


@dataclass(frozen=True)
class FoundList:
    """The questions in order; `losses` has one entry per stage, from stage 0 on."""

    choices: tuple[Choice, ...]
    losses: tuple[float, ...]


def in_tie_order(points: Sequence[int]) -> Integers:
    """Larger |points| first, negative before positive."""
    return np.array(sorted(set(points), key=lambda s: (-abs(s), s)), np.int64)


def search(source: Counts, plan: SearchPlan) -> FoundList:
    """Find a list; only the count tables of `source` are read."""
    return _Search(source, plan).run()


def losses_of(source: Counts, criterion: Criterion, choices: Iterable[Choice]) -> list[float]:
    """The loss of each stage where these questions are asked in this order."""
    state, span = source.start(), (0, 0)
    losses = [loss_of(state, span, criterion) / criterion.unit]
    for one in choices:
        state = source.ask(state, one.input, one.cutoff, one.points)
        span = span[0] + min(one.points, 0), span[1] + max(one.points, 0)
        losses.append(loss_of(state, span, criterion) / criterion.unit)
    return losses


def binarized(source: Counts, plan: SearchPlan) -> SearchPlan:
    """The plan with one cut-off per input: the one with the smallest entropy of the input alone."""
    # whatever the list is to be good at, as in the paper
    criterion = Criterion("isotonic", source.total_weight, plan.criterion.bisect)
    either = np.array([-1, 1], np.int64)
    state, best = source.start(), {}
    for one in plan.inputs:
        alone = [replace(one, points=either)]
        if found := best_cutoffs(source, state, (0, 0), alone, criterion):
            best[one.input] = found[0].cutoff
    return replace(
        plan,
        inputs=tuple(
            replace(one, cutoffs=range(best[one.input], best[one.input] + 1))
            for one in plan.inputs
            if one.input in best
        ),
    )


@dataclass(frozen=True)
class _Node:
    """A list under construction; the state is that of the cases after its last question."""

    state: State
    choices: tuple[Choice, ...]
    losses: tuple[float, ...]

    @property
    def loss(self) -> float:
        return self.losses[-1]

    @property
    def span(self) -> tuple[int, int]:
        """The lowest and the highest total that the questions can give."""
        points = [one.points for one in self.choices]
        return sum(min(s, 0) for s in points), sum(max(s, 0) for s in points)


class _Search:
    def __init__(self, source: Counts, plan: SearchPlan) -> None:
        self.source, self.plan = source, plan
        self._free = {one.input for one in plan.inputs}
        self._groups = {one.input: one.group for one in chain(plan.inputs, *plan.fixed)}
        self._most = min(plan.max_questions, len(plan.fixed) + plan.repeats * len(plan.inputs))

    def run(self) -> FoundList:
        node = self._first()
        for stage in range(self._most):
            self._tell(stage)
            options = self._extensions(node)
            if not options:
                break
            values = [one.loss + self._future(node, one, self.plan.lookahead) for one in options]
            least = min(values) + self.plan.criterion.equal
            node = self._extended(
                node, next(o for o, v in zip(options, values, strict=True) if v <= least)
            )
        self._tell(self._most)
        return FoundList(node.choices, node.losses)

    def _tell(self, done: float) -> None:
        if self.plan.progress:
            self.plan.progress(done, self._most)

    def _first(self) -> _Node:
        state, criterion = self.source.start(), self.plan.criterion
        return _Node(state, (), (loss_of(state, (0, 0), criterion) / criterion.unit,))

    def _extended(self, node: _Node, choice: Choice) -> _Node:
        state = self.source.ask(node.state, choice.input, choice.cutoff, choice.points)
        return _Node(state, (*node.choices, choice), (*node.losses, choice.loss))

    def _future(self, node: _Node, choice: Choice, depth: int) -> float:
        """The sum of the losses of so many stages from a choice on, without its own."""
        if depth == 1:
            return 0.0
        after = self._extended(node, choice)
        options = self._extensions(after, only_best=depth == 2)
        if not options:
            return after.loss * (depth - 1)
        return min(one.loss + self._future(after, one, depth - 1) for one in options)

    def _extensions(self, node: _Node, only_best: bool = False) -> list[Choice]:
        plan, asked = self.plan, len(node.choices)
        if asked >= plan.max_questions:
            return []
        each = not only_best and plan.lookahead > 1
        if asked < len(plan.fixed):
            return [
                replace(one, given=number)
                for number in self._next_given(node)
                for one in self._candidates(
                    node, list(self._open_inputs(node, plan.fixed[number])), each
                )
            ]
        inputs = list(self._open_inputs(node, plan.inputs))
        found = (plan.weights and self._weighed(node, inputs, plan.weights)) or self._candidates(
            node, inputs, each
        )
        if plan.min_gain is None:
            return found
        return [one for one in found if node.loss - one.loss > plan.min_gain + plan.criterion.equal]

    def _next_given(self, node: _Node) -> Sequence[int]:
        """Which of the given questions may come next."""
        if not self.plan.any_order:
            return (len(node.choices),)
        asked = {choice.given for choice in node.choices}
        return [number for number in range(len(self.plan.fixed)) if number not in asked]

    def _open_inputs(self, node: _Node, inputs: Sequence[Candidates]) -> Iterator[Candidates]:
        """What may still be asked: new inputs, and other cut-offs of those asked before."""
        plan = self.plan
        asked: dict[int, list[Choice]] = {}
        for choice in node.choices:
            asked.setdefault(self._groups[choice.input], []).append(choice)
        for one in inputs:
            before = asked.get(one.group, [])
            if not before or one.input not in self._free:
                yield one
            elif len(before) < plan.repeats:
                cuts = [plan.cuts.get(c.input, (c.input, c.cutoff)) for c in before]
                # Other than a number, what was given as a whole leaves nothing to choose.
                if not all(column in self._free for column, _ in cuts):
                    continue
                same = [cut for column, cut in cuts if column == one.input]
                left = one.apart_from(same, self.source, plan.apart)
                if len(left.cutoffs):
                    yield left

    def _candidates(
        self,
        node: _Node,
        inputs: Sequence[Candidates],
        each: bool,
        weights: Mapping[int, float] | None = None,
        least: float = -np.inf,
    ) -> list[Choice]:
        """The best cut-off of every input and points value, or without `each` the best of all."""
        criterion, unit, asked = self.plan.criterion, self.plan.criterion.unit, len(node.choices)
        found = best_cutoffs(
            self.source, node.state, node.span, inputs, criterion,
            before=node.loss * unit, least=least * unit, weights=weights, each=each,
            told=lambda count: self._tell(asked + count / len(inputs)),
        )  # fmt: skip
        return [_choice(one, unit) for one in (found if each else found[:1])]

    def _weighed(self, node: _Node, inputs: Sequence[Candidates], weights: Weights) -> list[Choice]:
        """The candidate with the largest gain per weight of those that help; free ones first."""
        paid, least = weights.paid(choice.input for choice in node.choices), self._helpful_gain
        by_input = {one.input: weights.weight(one.input, paid) for one in inputs}
        free = [one for one in inputs if weights.is_free(one.input, paid)]
        others = [one for one in inputs if not weights.is_free(one.input, paid)]
        for some in (free, others):
            found = self._candidates(node, some, False, by_input, least)
            if found and node.loss - found[0].loss > least + self.plan.criterion.equal:
                return found
        return []

    @property
    def _helpful_gain(self) -> float:
        criterion, cases = self.plan.criterion, self.source.total_weight
        by_chance = chance_gain(cases) if criterion.unit == cases else 0.0
        return max(self.plan.min_gain or 0.0, by_chance)


def _choice(found: Candidate, unit: float) -> Choice:
    return Choice(found.input, found.cutoff, found.points, found.loss / unit)

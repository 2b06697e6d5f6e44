"""From columns and options to questions: what the search may try, and what its cuts mean."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, cast

import numpy as np

from scorecard.core.calibration import DEFAULT_STRENGTH
from scorecard.core.given_question import GivenQuestion
from scorecard.core.model import Question
from scorecard.core.question import with_substitutes
from scorecard.core.seen import Seen
from scorecard.errors import LearningError
from scorecard.learning.counts import Counts
from scorecard.learning.cutoffs import Candidates, Criterion, Cutoffs
from scorecard.learning.fixed import given_questions, unknown_input
from scorecard.learning.inputs import AskedColumn, Described, asked_columns
from scorecard.learning.losses import Loss
from scorecard.learning.options import Options
from scorecard.learning.rounding import grid_cutoffs, nice_step
from scorecard.learning.search import (
    Choice,
    Plan,
    Progress,
    Result,
    binarized,
    in_tie_order,
    losses_of,
    search,
    untried_gain,
)
from scorecard.learning.weighing import PLAIN, Spending, Weighing, Weights

# How many quantiles are tried as cut-offs below so many cases. Few overfit less, and more than the
# last would have the same round numbers nearby.
QUANTILES = ((1_200, 8), (float("inf"), 50))

ROUNDED = 0.005  # by which a share that somebody gives may differ from that of the cases


CENTILES = (0.01, 0.99)  # that tell what was seen: single wrong values lie beyond them

# Beyond these the search would take minutes, and with few cases it would find what chance brings.
MOST_SEARCHED = 500


class Bins(NamedTuple):
    """How many bins numbers were put into, and the largest share of the cases in one of them."""

    number: int
    largest: float


@dataclass(frozen=True)
class Learned:
    """The questions in order, the loss after each stage, and what a grid of cut-offs costs.

    `others` are the inputs that the other lists of a beam ask for.
    """

    questions: tuple[Question, ...]
    losses: tuple[float, ...]
    price: dict[str, float] | None
    others: tuple[frozenset[str], ...] = ()
    choices: tuple[Choice, ...] = ()

    def shortened(self, most: int) -> Learned:
        """The same with at most so many questions."""
        return replace(
            self,
            questions=self.questions[:most],
            losses=self.losses[: most + 1],
            choices=self.choices[:most],
        )


class SearchSpace:
    """What may be asked of some inputs, to be searched with one source of counts or several."""

    def __init__(self, inputs: Sequence[Described], options: Options) -> None:
        self._inputs, self._options = inputs, options
        self._questions = _Questions(inputs, options)

    @property
    def too_many(self) -> str:
        """What to tell if not all columns are searched."""
        count = len(self._questions.columns)
        if count <= MOST_SEARCHED:
            return ""
        return (
            f"{count:,} columns could be asked for; the {MOST_SEARCHED} of which one cut-off by"
            " itself tells most are searched, chosen anew without the cases that judge a list."
        )

    @property
    def columns(self) -> Sequence[AskedColumn]:
        """The columns that a source has to count, in its order."""
        return self._questions.columns

    def bins(self, source: Counts) -> dict[str, Bins]:
        """By input the bins that its numbers were put into, where there are fewer than numbers."""
        return {self.columns[place].input: found for place, found in self._binned(source)}

    def _binned(self, source: Counts) -> Iterator[tuple[int, Bins]]:
        for place, column in enumerate(self.columns):
            lowest, highest = source.spans(place)
            if column.condition is None and (lowest < highest).any():
                cases = source.values(place).known[:, 0]
                yield place, Bins(lowest.size, float(cases.max() / source.total_weight))

    def seen(self, source: Counts, questions: Iterable[Question]) -> Iterator[Seen]:
        """Of each number that these questions ask for, which ones the cases have."""
        numeric = {one.input for one in with_substitutes(questions) if one.condition.is_numeric}
        for place, column in enumerate(self.columns):
            lowest, highest = source.spans(place)
            asked = column.condition is None and column.input in numeric
            if asked and lowest.size and lowest[0] < highest[-1]:
                reached = np.cumsum(source.values(place).known[:, 0])
                low, high = np.searchsorted(reached, reached[-1] * np.array(CENTILES))
                ends = lowest[low], highest[high], lowest[0], highest[-1]
                yield Seen(column.input, *map(float, ends))

    def untried_gain(self, source: Counts, learned: Learned) -> float:
        """By how much finer cut-offs could lower the loss of a question at most."""
        columns = [place for place, _ in self._binned(source)]
        if not columns:
            return 0.0
        instead = frozenset(one.if_unknown.input for one in learned.questions if one.if_unknown)
        questions = self._questions.for_another_source(without=instead)
        criterion = _criterion(source, self._options)
        plan = questions.plan(source, criterion, None)
        return untried_gain(source, plan, Result(learned.choices, learned.losses), columns)

    @property
    def spending(self) -> Spending:
        """What the inputs cost, and how often they can be had."""
        return self._questions.spending

    @property
    def costs_differ(self) -> bool:
        """Whether some inputs are cheaper than others; if all cost the same nothing is weighed."""
        return self.spending.differ(self._questions.asked_inputs)

    def learn(
        self,
        source: Counts,
        progress: Progress | None = None,
        weighing: Weighing = PLAIN,
        without: frozenset[str] = frozenset(),
    ) -> Learned:
        """Search a list; `source` may count some of the cases only.

        The inputs of `without` are not searched.
        """
        questions, options = self._questions.for_another_source(without), self._options
        criterion = _criterion(source, options)
        plan = questions.plan(source, criterion, progress)
        plan = questions.weighed(plan, weighing)
        result = _searched(source, plan, options)
        price = None
        if questions.has_grid:
            free = questions.plan(source, criterion, None, grid=False)
            free = questions.weighed(free, weighing)
            price = {
                "loss": result.losses[-1],
                "loss_free": _searched(source, free, options).losses[-1],
            }
        asked = tuple(questions.of(source, result))
        others = questions.inputs_of(result.others)
        return Learned(asked, result.losses, price, others, result.choices)

    def reordered(self, source: Counts, learned: Learned, order: Sequence[int]) -> Learned:
        """The same questions of the same cases in another order."""
        questions = tuple(learned.questions[place] for place in order)
        choices = tuple(learned.choices[place] for place in order)
        criterion = _criterion(source, self._options)
        losses = tuple(losses_of(source, criterion, choices))
        return replace(learned, questions=questions, losses=losses, choices=choices)


def spending(inputs: Sequence[Described], options: Options) -> Spending:
    """What is said about these inputs; how often one can be had, the cases say where nobody does.

    More than the cases have of an input cannot be walked through a list.
    """
    available = {}
    for one in inputs:
        known = one.share_known
        share = options.available.get(one.name, known)
        if share > known + ROUNDED:
            raise LearningError(
                f"available: {share:g} came for {one.name!r}, but {known:.0%} of the cases have it;"
                " expected at most that share."
            )
        if share < 1:
            available[one.name] = share
    costs, panels = dict(options.costs), options.panel_of
    for name, panel in panels.items():
        of_panel = [costs[other] for other in panels if panels[other] == panel and other in costs]
        if of_panel:
            costs[name] = max(of_panel)
    return Spending(costs, panels, available)


def _searched(source: Counts, plan: Plan, options: Options) -> Result:
    if options.binarize == "beforehand":
        plan = binarized(source, plan)
    return search(source, plan)


def _criterion(source: Counts, options: Options) -> Criterion:
    """What candidates are judged by: the entropy is that of the estimates the list will have."""
    bisect = options.cutoffs == "bisect"
    if options.loss == "entropy":
        kind = cast("Loss", options.calibration)
        return Criterion(kind, source.total_weight, bisect, DEFAULT_STRENGTH[kind])
    cases, positives = source.start().counts[0].tolist()
    return Criterion("ranking", positives * (cases - positives), bisect)


class _Questions:
    """Candidates for the search, and what its cuts mean as questions."""

    def __init__(self, inputs: Sequence[Described], options: Options) -> None:
        self._inputs = {one.name: one for one in inputs}
        self._options = options
        self._check_names("signs", options.signs)
        if not isinstance(options.round_cutoffs, (bool, str)):
            self._check_names("round_cutoffs", options.round_cutoffs)
        self.spending = spending(inputs, options)
        for option in ("costs", "available"):
            self._check_names(option, getattr(options, option))
        self._check_names("panels", options.panel_of)
        self.columns = asked_columns(inputs, options.missing == "question")
        # What can never be had is not asked; in order, and quick to look up among thousands.
        self._free = dict.fromkeys(
            place
            for place, column in enumerate(self.columns)
            if self.spending.available.get(column.input, 1.0) > 0
        )
        self._given = given_questions(options.fixed, self._inputs)
        for one in self._given:
            if self.spending.available.get(one.input, 1.0) == 0:
                raise LearningError(
                    f"fixed: {one.input!r} is to be asked, but available says that it can never be"
                    " had; expected one or the other."
                )
        self._places = [self._places_of(one) for one in self._given]

    def for_another_source(self, without: frozenset[str] = frozenset()) -> _Questions:
        """The same, with room of its own for what a grid of cut-offs means there."""
        other = copy(self)
        other.columns = list(self.columns)
        kept = (one for one in self._free if self.columns[one].input not in without)
        other._free = dict.fromkeys(kept) if without else self._free
        return other

    @property
    def asked_inputs(self) -> list[str]:
        return list(dict.fromkeys(self.columns[place].input for place in self._free))

    def weighed(self, plan: Plan, powers: Weighing) -> Plan:
        """The plan with what the gain of each column is divided by."""
        if powers.is_plain:
            return plan
        prices, bought, shares = {}, {}, {}
        for place, column in enumerate(self.columns):
            name = column.input
            prices[place] = self.spending.price(name)
            bought[place] = self.spending.panels.get(name, f"\0{name}")
            asks_presence = column.condition is not None and column.condition.is_presence
            shares[place] = 1.0 if asks_presence else self.spending.available.get(name, 1.0) or 1.0
        return replace(plan, weights=Weights(powers, prices, bought, shares))

    @property
    def has_grid(self) -> bool:
        return not isinstance(self._options.round_cutoffs, bool)

    def plan(
        self,
        source: Counts,
        criterion: Criterion,
        progress: Progress | None,
        grid: bool = True,
    ) -> Plan:
        options = self._options
        plan = Plan(
            criterion,
            tuple(self._candidates(source, self._searched(source), GivenQuestion(), grid)),
            tuple(
                tuple(self._candidates(source, places, given, grid))
                for places, given in zip(self._places, self._given, strict=True)
            ),
            options.max_questions,
            options.min_gain,
            options.repeat_inputs,
            self._fewest(source),
            options.lookahead,
            options.beam_width,
            progress,
            options.any_order,
            cuts=dict(self._given_cuts(source)),
        )
        if not plan.inputs and not plan.fixed:
            raise LearningError(
                "all inputs are constant or missing, so there is nothing to ask;"
                " give inputs that differ between cases."
            )
        for given, candidates in zip(self._given, plan.fixed, strict=True):
            if not candidates:
                raise LearningError(
                    f"fixed: {str(given)!r} leaves nothing to choose: the input is constant, or too"
                    " few cases differ in it."
                )
        return plan

    def _searched(self, source: Counts) -> Sequence[int]:
        """The columns to try; of very many those that tell most by themselves to these cases."""
        return source.most_telling(tuple(self._free), MOST_SEARCHED, self._fewest(source))

    def of(self, source: Counts, result: Result) -> Iterator[Question]:
        rounded, positive = self._options.round_cutoffs is not False, self._options.positive_points
        for choice in result.choices:
            column = self.columns[choice.input]
            nothing = np.zeros(0), np.zeros(0)
            spans = source.spans(choice.input) if column.condition is None else nothing
            condition = column.condition_at(choice.cutoff, spans, rounded)
            given = GivenQuestion() if choice.given is None else self._given[choice.given]
            question = given.put_on(Question(column.input, choice.points, condition))
            question = self._priced(question)
            # What a person has given as a whole is asked as it was given.
            turn = positive and question.points < 0 and given.whole is None
            yield question.turned() if turn else question

    def inputs_of(self, lists: Iterable[Sequence[Choice]]) -> tuple[frozenset[str], ...]:
        """What each of these lists asks for, once where several ask for the same."""
        asked = (frozenset(self.columns[one.input].input for one in choices) for choices in lists)
        return tuple(dict.fromkeys(asked))

    def _priced(self, question: Question) -> Question:
        name = question.input
        cost = self.spending.costs.get(name, question.cost)
        return replace(question, cost=cost, panel=self.spending.panels.get(name, question.panel))

    def _candidates(
        self, source: Counts, places: Sequence[int], given: GivenQuestion, grid: bool
    ) -> Iterator[Candidates]:
        for place in places:
            column = self.columns[place]
            cutoffs, allowed = self._cutoffs(source, place, grid), self._points(column.input, given)
            if len(cutoffs) and len(allowed):
                yield Candidates(place, cutoffs, in_tie_order(allowed), column.group)

    def _points(self, name: str, given: GivenQuestion) -> list[int]:
        if given.points is not None and given.condition is not None:
            return [given.points]
        sign, points = self._options.signs.get(name), self._options.points
        if given.points is not None:
            # Which side of the cut-off has the points is learned with it.
            either = (given.points, -given.points)
            points = either if self._options.positive_points else either[:1]
        return [s for s in points if sign is None or (s > 0) == (sign == "+")]

    def _cutoffs(self, source: Counts, place: int, grid: bool) -> Cutoffs:
        column, count = self.columns[place], source.n_values(place)
        if place not in self._free:  # an expert's question may have one answer only
            yes = int(np.searchsorted(source.spans(place)[0], 0.5))
            return range(yes, yes + 1)
        if count < 2:
            return range(0)
        wanted = self._wanted(source)
        # the ends mean "this input does not help"; they matter where it must be asked, and to the
        # heuristic
        ends = self._options.min_gain is None or wanted == "bisect"
        cuts: Cutoffs = range(count + 1) if ends else range(1, count)
        step = self._step(column.input, source, place) if grid else None
        if column.condition is not None:
            cuts = range(1, 2)
        elif step is not None:
            cuts, values = grid_cutoffs(source.spans(place), step)
            self.columns[place] = replace(
                column, cutoffs=dict(zip(cuts.tolist(), values, strict=True))
            )
        elif isinstance(wanted, int):
            cuts = source.quantiles(place, wanted, self._options.round_cutoffs is not False)
        return self._with_enough_answers(source, place, cuts)

    def _wanted(self, source: Counts) -> str | int:
        if self._options.cutoffs != "auto":
            return self._options.cutoffs
        cases = source.total_weight
        return next(count for below, count in QUANTILES if cases < below)

    def _fewest(self, source: Counts) -> float:
        """How many cases have to answer a question either way."""
        given = self._options.min_answers
        return min(10.0, source.total_weight / 20) if given is None else given

    def _with_enough_answers(self, source: Counts, place: int, cuts: Cutoffs) -> Cutoffs:
        fewest, below = self._fewest(source), source.weight_below(place)
        if not fewest:
            return cuts
        first = int(np.searchsorted(below, fewest))
        last = int(np.searchsorted(below, below[-1] - fewest, "right")) - 1
        if isinstance(cuts, range):
            return range(max(cuts.start, first), min(cuts.stop, last + 1))
        return cuts[(cuts >= first) & (cuts <= last)]

    def _step(self, name: str, source: Counts, place: int) -> float | None:
        rounding = self._options.round_cutoffs
        if rounding == "nice":
            return nice_step(source.spans(place)[0])
        if isinstance(rounding, (bool, str)):
            return None
        return rounding.get(name)

    def _places_of(self, given: GivenQuestion) -> list[int]:
        """The columns that may become a given question."""
        if given.condition is not None:
            names = list(self._inputs)
            group = names.index(given.input) + len(names) * given.condition.is_presence
            self.columns.append(AskedColumn(given.input, group, given.condition))
            return [len(self.columns) - 1]
        reserved = {one.input for one in self._given}
        return [place for place in self._free if self._may_become(place, given, reserved)]

    def _given_cuts(self, source: Counts) -> Iterator[tuple[int, tuple[int, int]]]:
        """Which cut-off of its input a question stands for whose number is given."""
        for places, given in zip(self._places, self._given, strict=True):
            if given.condition is not None and given.condition.cutoff is not None:
                column = next(p for p, c in enumerate(self.columns) if c.input == given.input)
                cut = np.searchsorted(source.spans(column)[0], given.condition.cutoff)
                yield places[0], (column, int(cut))

    def _may_become(self, place: int, given: GivenQuestion, reserved: set[str]) -> bool:
        column = self.columns[place]
        if not given.input:
            return column.input not in reserved
        asks_presence = column.condition is not None and column.condition.is_presence
        return column.input == given.input and not asks_presence

    def _check_names(self, option: str, names: Any) -> None:
        for name in names:
            if name not in self._inputs:
                raise unknown_input(option, name, self._inputs)

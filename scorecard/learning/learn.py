"""From columns and options to questions: what the search may try, and what its cuts mean."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, cast

import numpy as np

from scorecard.core.calibration import DEFAULT_STRENGTH
from scorecard.core.evidence import Seen
from scorecard.core.given_question import GivenQuestion, given_as, refuse_repetition
from scorecard.core.model import Condition, Question
from scorecard.core.question import with_substitutes
from scorecard.errors import LearningError, ListError, did_you_mean, few
from scorecard.learning.counts import Counts
from scorecard.learning.cutoffs import Candidates, Criterion, Cutoffs
from scorecard.learning.inputs import AskedColumn, Described, asked_columns
from scorecard.learning.losses import Loss
from scorecard.learning.options import PLAIN, Options, Spending, Weighing, Weights
from scorecard.learning.search import (
    Choice,
    FoundList,
    Progress,
    SearchPlan,
    binarized,
    in_tie_order,
    losses_of,
    search,
)

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
    """The questions in order, and the loss after each stage."""

    questions: tuple[Question, ...]
    losses: tuple[float, ...]
    choices: tuple[Choice, ...] = ()

    def shortened(self, most: int) -> Learned:
        """The same with at most so many questions."""
        return replace(
            self,
            questions=self.questions[:most],
            losses=self.losses[: most + 1],
            choices=self.choices[:most],
        )


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


class SearchSpace:
    """What may be asked of some inputs, to be searched with one source of counts or several.

    `columns` are those that a source has to count, in its order; `spending` is what the inputs
    cost, and how often they can be had.
    """

    def __init__(self, inputs: Sequence[Described], options: Options) -> None:
        self._inputs = {one.name: one for one in inputs}
        self._options = options
        self._check_names("signs", options.signs)
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

    @property
    def too_many(self) -> str:
        """What to tell if not all columns are searched."""
        count = len(self.columns)
        if count <= MOST_SEARCHED:
            return ""
        return (
            f"{count:,} columns could be asked for; the {MOST_SEARCHED} of which one cut-off by"
            " itself tells most are searched, chosen anew without the cases that judge a list."
        )

    def bins(self, source: Counts) -> dict[str, Bins]:
        """By input the bins that its numbers were put into, where there are fewer than numbers."""
        found = {}
        for place, column in enumerate(self.columns):
            lowest, highest = source.spans(place)
            if column.condition is None and (lowest < highest).any():
                largest = source.values(place).known[:, 0].max() / source.total_weight
                found[column.input] = Bins(lowest.size, float(largest))
        return found

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

    @property
    def costs_differ(self) -> bool:
        """Whether some inputs are cheaper than others; if all cost the same nothing is weighed."""
        return self.spending.differ({self.columns[place].input for place in self._free})

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
        one = self._only_some(without) if without else self
        plan = one._plan(source, weighing, progress)
        beforehand = self._options.binarize == "beforehand"
        result = search(source, binarized(source, plan) if beforehand else plan)
        return Learned(tuple(one._asked(source, result)), result.losses, result.choices)

    def reordered(self, source: Counts, learned: Learned, order: Sequence[int]) -> Learned:
        """The same questions of the same cases in another order."""
        questions = tuple(learned.questions[place] for place in order)
        choices = tuple(learned.choices[place] for place in order)
        losses = tuple(losses_of(source, self._criterion(source), choices))
        return replace(learned, questions=questions, losses=losses, choices=choices)

    def _only_some(self, without: frozenset[str]) -> SearchSpace:
        other = copy(self)
        kept = (one for one in self._free if self.columns[one].input not in without)
        other._free = dict.fromkeys(kept)
        return other

    def _weighed(self, plan: SearchPlan, powers: Weighing) -> SearchPlan:
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

    def _plan(self, source: Counts, weighing: Weighing, progress: Progress | None) -> SearchPlan:
        options = self._options
        searched = () if self._all_is_given else self._searched(source)
        plan = SearchPlan(
            self._criterion(source),
            tuple(self._candidates(source, searched, GivenQuestion())),
            tuple(
                tuple(self._candidates(source, places, given))
                for places, given in zip(self._places, self._given, strict=True)
            ),
            options.max_questions,
            options.min_gain,
            options.repeat_inputs,
            self._fewest(source),
            options.lookahead,
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
        return self._weighed(plan, weighing)

    @property
    def _all_is_given(self) -> bool:
        """Whether no column is left to choose: then none but those that are asked is counted."""
        is_open = any(one.condition is None for one in self._given)
        return self._options.max_questions <= len(self._given) and not is_open

    def _criterion(self, source: Counts) -> Criterion:
        """What candidates are judged by: the entropy of the estimates that the list will have."""
        bisect = self._options.cutoffs == "bisect"
        if self._options.loss == "entropy":
            kind = cast("Loss", self._options.calibration)
            return Criterion(kind, source.total_weight, bisect, DEFAULT_STRENGTH[kind])
        cases, positives = source.start().counts[0].tolist()
        return Criterion("ranking", positives * (cases - positives), bisect)

    def _searched(self, source: Counts) -> Sequence[int]:
        """The columns to try; of very many those that tell most by themselves to these cases."""
        return source.most_telling(tuple(self._free), MOST_SEARCHED, self._fewest(source))

    def _asked(self, source: Counts, result: FoundList) -> Iterator[Question]:
        rounded, positive = self._options.round_cutoffs, self._options.positive_points
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

    def _priced(self, question: Question) -> Question:
        name = question.input
        cost = self.spending.costs.get(name, question.cost)
        return replace(question, cost=cost, panel=self.spending.panels.get(name, question.panel))

    def _candidates(
        self, source: Counts, places: Sequence[int], given: GivenQuestion
    ) -> Iterator[Candidates]:
        for place in places:
            column = self.columns[place]
            cutoffs, allowed = self._cutoffs(source, place), self._points(column.input, given)
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

    def _cutoffs(self, source: Counts, place: int) -> Cutoffs:
        count = source.n_values(place)
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
        if self.columns[place].condition is not None:
            cuts = range(1, 2)
        elif isinstance(wanted, int):
            cuts = source.quantiles(place, wanted, self._options.round_cutoffs)
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


# Questions that a person gives -------------------------------------------------------------------


def given_questions(
    entries: Sequence[Any], inputs: Mapping[str, Described]
) -> tuple[GivenQuestion, ...]:
    """What `fixed` says, with the choices of categories that the inputs have."""
    given = tuple(_completed(_entry(one), inputs) for one in entries)
    try:
        refuse_repetition(given)
    except ListError as error:
        raise LearningError(f"fixed: {error}") from None
    return given


def _entry(entry: Any) -> GivenQuestion:
    match entry:
        case GivenQuestion():
            return entry
        case Question():
            return given_as(entry)
        case str():
            return GivenQuestion(entry)
        case (str(name), int(points)) if points and not isinstance(points, bool):
            return GivenQuestion(name, points=points)
    raise LearningError(
        f"fixed: {entry!r} came, expected a Question, a GivenQuestion, an input's name or (name,"
        " points)."
    )


def _completed(given: GivenQuestion, inputs: Mapping[str, Described]) -> GivenQuestion:
    if not given.input:
        return given
    if given.input not in inputs:
        raise unknown_input("fixed", given.input, inputs)
    other = given.if_unknown
    if other is not None:
        if other.input not in inputs:
            raise unknown_input("fixed", other.input, inputs)
        if other.condition.kind in ("yes", "no") and inputs[other.input].kind == "number":
            raise LearningError(
                f"fixed: the substitute {other.input!r} has numbers; give its cut-off (at_least or"
                " below)."
            )
        known = _with_choices(other.condition, inputs[other.input])
        given = replace(given, if_unknown=replace(other, condition=known))
    if given.condition is None:
        return given
    return replace(given, condition=_with_choices(given.condition, inputs[given.input]))


def _with_choices(condition: Condition, known: Described) -> Condition:
    """The condition with all categories that the input has."""
    if not condition.is_categorical or known.kind != "category":
        return condition  # what comes of it is refused where its answers are read
    choices = condition.choices or known.categories()
    for value in condition.categories:
        if value not in choices:
            hint = did_you_mean(value, choices, f"it has {few(choices)}.")
            raise LearningError(f"fixed: {known.name!r} is never {value!r}; {hint}")
    return replace(condition, choices=choices)


def unknown_input(option: str, name: str, inputs: Mapping[str, Described]) -> LearningError:
    known = few(map(repr, inputs))
    return LearningError(f"{option}: {name!r} is not an input; the inputs are {known}.")

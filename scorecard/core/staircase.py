"""A list under a stopping policy: the boxes that can be reached, and where one stops.

Everything that is printed, exported, asked or applied reads its decisions from a `Staircase`: per
number of answers the totals that can still occur, the risk of those who get there, and at most
three integers that say where to stop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, reduce
from itertools import groupby
from typing import Any, Literal, get_args

from scorecard.core.binomial import at_least, at_most
from scorecard.core.evidence import Counts, Tally
from scorecard.core.model import Answer, Question, Risk, ScoringList
from scorecard.core.performance import Ends, ends_of
from scorecard.core.policy import By, Estimate, StoppingPolicy
from scorecard.core.question import plain_value
from scorecard.core.walk import Unknown, totals_so_far
from scorecard.errors import AnswerError

Decision = Literal["rule out", "rule in", "undecided", "go on", "unknown"]
"""`unknown`: the questions are over, and the unknown answers would have made the difference."""


@dataclass(frozen=True, slots=True)
class Box:
    """A total that can be reached at a stage: the risk of those who get there, and what to do.

    The counts are those of the cases whose answers lead here; without evidence, those of all cases
    with this total. `curtailed` marks a stop whose reason is that no later answer can change it.
    Totals with few cases share one figure and its counts: `totals` are the lowest and the highest
    of them. Where even together they are too few there is no risk, and `seen` are their counts.
    """

    total: int
    decision: Decision
    risk: Risk | None
    curtailed: bool = False
    totals: tuple[int, int] = ()  # type: ignore[assignment]
    seen: Counts | None = None

    def __post_init__(self) -> None:
        if not self.totals:
            object.__setattr__(self, "totals", (self.total, self.total))

    @property
    def counts(self) -> Counts | None:
        """Cases and positives behind the box; `None` where nobody was counted."""
        if self.risk is None or self.risk.cases is None or self.risk.positives is None:
            return self.seen
        return self.risk.cases, self.risk.positives

    @property
    def stops(self) -> bool:
        return self.decision != "go on"

    @property
    def decided(self) -> bool:
        return self.decision in ("rule out", "rule in")


@dataclass(frozen=True, slots=True)
class Step:
    """One stage of the staircase: `question` leads to it (`None` before the first question)."""

    number: int
    question: Question | None
    boxes: tuple[Box, ...]

    @property
    def rule_out_at(self) -> int | None:
        """Stop with "rule out" at this total or below, among the totals that can be reached."""
        return max(self._totals("rule out"), default=None)

    @property
    def rule_in_at(self) -> int | None:
        """Stop with "rule in" at this total or above, among the totals that can be reached."""
        return min(self._totals("rule in"), default=None)

    @property
    def undecided_between(self) -> tuple[int, int] | None:
        """From this total to that one the decision stays open whatever is answered."""
        totals = self._totals("undecided")
        return (totals[0], totals[-1]) if totals else None

    def box(self, total: int) -> Box:
        for box in self.boxes:
            if box.total == total:
                return box
        raise AnswerError(f"Total {total!r} cannot be reached after {self.number} answers.")

    def _totals(self, decision: Decision) -> list[int]:
        return [box.total for box in self.boxes if box.decision == decision]


Figure = Literal["probability", "lower", "upper", "cases", "positives"]
FIGURES: tuple[Figure, ...] = get_args(Figure)
RESULT = ("decision", "stage", "total", *FIGURES)
"""What every form says of a case, in the order of its columns: attributes of `Outcome`."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """Where a case ends: the decision, after how many answers, and the boxes of both ends.

    Unknown answers leave a lowest and a highest total. One stops where both have stopped with the
    same decision, which is exactly when every way of completing the answers gives it.
    """

    decision: Decision
    stage: int
    lowest: Box
    highest: Box
    outside: tuple[str, ...] = ()

    @property
    def total(self) -> int | None:
        """The total, or `None` where unknown answers leave more than one."""
        return self.lowest.total if self.lowest.total == self.highest.total else None

    @property
    def probability(self) -> float | None:
        """The risk, or `None` where it is not known or unknown answers leave more than one."""
        low, high = self.lowest.risk, self.highest.risk
        if low is None or high is None or low.probability != high.probability:
            return None
        return low.probability

    @property
    def totals(self) -> tuple[int, int]:
        """The least and the greatest total, also where points are negative."""
        low, high = sorted((self.lowest.total, self.highest.total))
        return low, high

    @property
    def lower(self) -> float | None:
        """The lower end of the range; with unknown answers the least of both ways."""
        return self._end("lower", min)

    @property
    def upper(self) -> float | None:
        """The upper end of the range; with unknown answers the greatest of both ways."""
        return self._end("upper", max)

    @property
    def cases(self) -> float | None:
        """How many cases the risk was counted with; `None` where both ways differ."""
        return None if self._counts is None else self._counts[0]

    @property
    def positives(self) -> float | None:
        """How many of these cases are positive."""
        return None if self._counts is None else self._counts[1]

    @property
    def _counts(self) -> Counts | None:
        return self.lowest.counts if self.lowest.counts == self.highest.counts else None

    def _end(self, name: str, outer: Callable[[list[float]], float]) -> float | None:
        found = [getattr(box.risk, name, None) for box in (self.lowest, self.highest)]
        known = [end for end in found if end is not None]
        return outer(known) if len(known) == len(found) else None


@dataclass(frozen=True, slots=True)
class Note:
    """Something every output has to say about a staircase; `facts` are for the wording."""

    kind: str
    facts: tuple[tuple[str, object], ...] = ()

    def __getitem__(self, name: str) -> object:
        return dict(self.facts)[name]


@dataclass(frozen=True)
class Staircase:
    """A scoring list under a stopping policy.

    `by` and `estimate` are the ones in force: a list without counts or evidence cannot have all of
    what the policy asks for, and `notes` say so. `steps` ends where nobody goes on any more, or
    where no later answer leads to a decision; `dropped` are the questions after that. In the second
    case `sharpening` are the steps that who is undecided can still take for a sharper risk.

    `cross_validated` is how cases ended that were judged by lists that did not see them, under the
    rule "error-control".
    """

    scoring_list: ScoringList
    policy: StoppingPolicy
    by: By
    estimate: Estimate
    steps: tuple[Step, ...]
    dropped: tuple[Question, ...]
    notes: tuple[Note, ...]
    sharpening: tuple[Step, ...] = ()
    cross_validated: Tally | None = None

    @property
    def questions(self) -> tuple[Question, ...]:
        """The questions that are still asked."""
        return self.scoring_list.questions[: len(self.steps) - 1]

    @property
    def sharpening_questions(self) -> tuple[Question, ...]:
        """Those that who is undecided can still answer for a sharper risk."""
        return self.dropped[: len(self.sharpening)]

    @property
    def deciding_questions(self) -> int:
        """After so many answers nobody is decided any more; 0 where nobody ever is."""
        return max(
            (step.number for step in self.steps if any(box.decided for box in step.boxes)),
            default=0,
        )

    def decide(
        self, case: Mapping[str, object] | Sequence[Answer], *, sharpen: bool = False
    ) -> Outcome:
        """The decision for a case.

        Parameters
        ----------
        case : values by input name, or answers in the order of the questions
            An input that is not in a mapping is unknown. Answers are True, False or None for
            unknown; fewer than all may be given, and then the decision may be "go on".
        sharpen : bool
            Who is undecided goes on to the steps of `sharpening`: the decision stays, total and
            risk are those after the further answers.

        Examples
        --------
        >>> from scorecard import Condition, Question, Risk, ScoringList, Stage, build_staircase
        >>> age = Question("age", 1, Condition(">=", 65))
        >>> stages = (Stage((0,), (Risk(0.3),)), Stage((0, 1), (Risk(0.02), Risk(0.96))))
        >>> staircase = build_staircase(ScoringList((age,), stages))
        >>> staircase.decide({"age": 70}).decision, staircase.decide([False]).decision
        ('rule in', 'rule out')
        """
        answers = self._answers(case)
        outside: tuple[str, ...] = ()
        if isinstance(case, Mapping):
            asked = len(self.questions) + sharpen * len(self.sharpening_questions)
            outside = self.scoring_list.outside(case, asked)
        low_stage, lowest = self._end(answers, sharpen, "lowest")
        high_stage, highest = self._end(answers, sharpen, "highest")
        return Outcome(
            _joint_decision(lowest.decision, highest.decision),
            max(low_stage, high_stage),
            lowest,
            highest,
            outside,
        )

    def _answers(self, case: Mapping[str, object] | Sequence[Answer]) -> Sequence[Answer]:
        if isinstance(case, Mapping):
            return self.scoring_list.answers(case)
        if isinstance(case, str) or not isinstance(case, Sequence):
            raise AnswerError(
                f"{case!r} came; expected values by input name (a dict), or a sequence of answers:"
                " True, False or None."
            )
        if len(case) > len(self.scoring_list.questions):
            raise AnswerError(
                f"{len(case)} answers came to {len(self.scoring_list.questions)} questions."
            )
        answers = [plain_value(one) for one in case]
        for number, answer in enumerate(answers, 1):
            if answer is not None and answer not in (True, False):
                raise AnswerError(
                    f"answer {number} is {answer!r}; expected True, False or None for unknown. A"
                    " value is given by the name of its input, in a dict."
                )
        return [None if answer is None else bool(answer) for answer in answers]

    def to_frame(self, backend: str | None = None) -> Any:
        """A data frame with a row per box: stage, total, decision and risk.

        `backend` is "pandas" or "polars"; by default pandas where it is loaded, else polars.
        """
        from scorecard.display import frame_of_staircase

        return frame_of_staircase(self, backend)

    def __str__(self) -> str:
        """The staircase in characters, as `scorecard show` prints it."""
        from scorecard.display import text_of_staircase

        return text_of_staircase(self)

    def _repr_html_(self) -> str:
        from scorecard.display import html_of_staircase

        return html_of_staircase(self)

    def _end(self, answers: Sequence[Answer], sharpen: bool, unknown: Unknown) -> tuple[int, Box]:
        """The last stage and box that these answers lead to."""
        points = [question.points for question in self.scoring_list.questions]
        steps = (*self.steps, *self.sharpening) if sharpen else self.steps
        number, box = 0, steps[0].boxes[0]
        totals = totals_so_far(points, answers, unknown)
        for step, total in zip(steps[1:], totals[1:], strict=False):
            is_sharpening = step.number >= len(self.steps) and box.decision == "undecided"
            if box.stops and not is_sharpening:
                break
            number, box = step.number, step.box(total)
        return number, box

    @cached_property
    def ends(self) -> Ends:
        """Where the cases behind the list end, from the evidence; nobody without evidence."""
        evidence = self.scoring_list.evidence
        return ends_of(self, evidence.patterns if evidence else ())

    def stopping(self, *decisions: Decision) -> Counts:
        """Cases and positives that end with one of these decisions; with none given, all."""
        return self.ends.ending(*decisions)

    @property
    def decided_share(self) -> float:
        """The share of cases that end with ▼ or ▲, from cross-validation where there is."""
        if self.cross_validated is not None:
            return self.cross_validated.share_decided
        everybody, _ = self.stopping()
        return self.stopping("rule out", "rule in")[0] / everybody if everybody else 0.0

    @property
    def mean_questions(self) -> float | None:
        """How many questions a case answers on average; `None` without evidence."""
        return self.ends.mean_questions if self.ends.cases else None

    @property
    def mean_cost(self) -> float | None:
        """What a case costs on average; `None` without evidence or without costs."""
        return self.ends.mean_cost if self.ends.cases else None


def _joint_decision(lowest: Decision, highest: Decision) -> Decision:
    if lowest == highest:
        return lowest
    return "go on" if "go on" in (lowest, highest) else "unknown"


# What the columns of a result are called beside those of a table ---------------------------------

PREFIX = "scorecard_"


def prefix_beside(added: Iterable[str], taken: Iterable[str]) -> str:
    """What the added names begin with: nothing, unless one of them is taken already.

    Then all of them begin alike, so that a program finds them by one prefix. Capitals make no
    difference, because to a database they make none.

    Examples
    --------
    >>> prefix_beside(["decision", "stage"], ["age"])
    ''
    >>> prefix_beside(["decision", "stage"], ["age", "Stage"])
    'scorecard_'
    """
    taken = {name.lower() for name in taken}
    return free_prefix(taken) if taken & set(added) else ""


def free_prefix(taken: Iterable[str]) -> str:
    """What no name begins with that is taken."""
    names, prefix = [name.lower() for name in taken], PREFIX
    while any(name.startswith(prefix) for name in names):
        prefix += "_"
    return prefix


# One figure for one patient: neighbouring totals share a box until it has enough cases ------------
# Totals with the same decision are joined until a box has at least ten cases and its risk does not
# contradict the counts beside it. Where no more can be joined the box keeps its counts and has no
# figure. Every form shows these boxes: what a card says of a total, a calculator says too. Risks
# without counts, as in a published score, stay as they are.

FEW_CASES = 10
# A risk that so few samples would contradict like this contradicts its counts. At 97.5 % one box in
# twenty does so by chance, and joining went on until a whole row was one box.
LEVEL = 0.999


def joined(boxes: Iterable[Box]) -> tuple[Box, ...]:
    """The boxes of a stage, each with the risk, range and counts of all it is joined with."""
    return tuple(_all_joined(boxes))


def _all_joined(boxes: Iterable[Box]) -> Iterator[Box]:
    for counted, same in groupby(boxes, _what_is_joined):
        run = list(same)
        for group in _with_enough_cases(run) if counted else ():
            risk, seen = (group.risk, None) if _has_figure(group) else (None, group.counts)
            for box in run:
                if group.totals[0] <= box.total <= group.totals[1]:
                    yield replace(box, risk=risk, totals=group.totals, seen=seen)
        if not counted:
            yield from run


def _what_is_joined(box: Box) -> tuple[str, bool] | None:
    """Boxes are joined where this is the same; `None` for boxes without counts."""
    if box.risk is None or box.risk.cases is None:
        return None
    return box.decision, box.curtailed


def _has_figure(group: Box) -> bool:
    cases, positives = group.counts or (0, 0)
    return cases >= FEW_CASES and not _is_outside(_probability(group), positives, cases)


def _with_enough_cases(groups: list[Box]) -> list[Box]:
    """Boxes joined to groups of totals, each with the risk and counts of all of them."""
    # One estimate stands for all the totals it was pooled from: their counts belong together.
    groups = [reduce(_together, same) for _, same in groupby(groups, _probability)]
    while len(groups) > 1:
        needy = [place for place, group in enumerate(groups) if not _has_figure(group)]
        if not needy:
            break
        weakest = min(needy, key=lambda place: (groups[place].counts or (0, 0))[0])
        left = weakest - 1 if weakest and _is_nearer_below(groups, weakest) else weakest
        groups = [*groups[:left], _together(*groups[left : left + 2]), *groups[left + 2 :]]
    return groups


def _is_nearer_below(groups: Sequence[Box], place: int) -> bool:
    if place + 1 == len(groups):
        return True
    here = _probability(groups[place])
    return here - _probability(groups[place - 1]) <= _probability(groups[place + 1]) - here


def _together(one: Box, other: Box) -> Box:
    first, second = one.risk, other.risk
    (cases, positives), (more, more_positives) = one.counts or (0, 0), other.counts or (0, 0)
    assert first is not None
    assert second is not None
    share = more / (cases + more) if cases + more else 0.0
    has_range = first.lower is not None and second.lower is not None
    risk = Risk(
        first.probability + share * (second.probability - first.probability),
        # Risks rise with the total: the outer ends hold for all of them together.
        first.lower if has_range else None,
        second.upper if has_range else None,
        cases + more,
        positives + more_positives,
    )
    return replace(one, risk=risk, totals=(one.totals[0], other.totals[1]))


@lru_cache(maxsize=4096)  # each box is asked for its figure several times
def _is_outside(rate: float, positives: float, cases: float) -> bool:
    return min(tail(positives, cases, rate) for tail in (at_least, at_most)) < 1 - LEVEL


def _probability(group: Box) -> float:
    assert group.risk is not None
    return group.risk.probability

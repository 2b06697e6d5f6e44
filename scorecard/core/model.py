"""The scoring list as a value: questions, risks per stage and total, evidence.

Everything printed, exported or asked is derived from a `ScoringList`. It is frozen, made of plain
Python values, and cannot be constructed in a state that is not a scoring list.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import pairwise
from math import gcd, isclose
from typing import Any, Literal, get_args

from scorecard.core.calibration import CALIBRATIONS, FORMER
from scorecard.core.evidence import (
    Counts,
    CrossValidation,
    Evidence,
    Fold,
    Pattern,
    Seen,
    Validation,
    all_of,
    check_counts,
    not_below,
    outside,
)
from scorecard.core.policy import StoppingPolicy
from scorecard.core.question import (
    Answer,
    Condition,
    Question,
    Substitute,
    clean_text,
    inputs_asked_again,
    inputs_of,
    plain_number,
    with_substitutes,
)
from scorecard.core.walk import stage_counts
from scorecard.errors import AnswerError, ListError

__all__ = [
    "MAX_QUESTIONS",
    "About",
    "Answer",
    "Condition",
    "CrossValidation",
    "Evidence",
    "Fold",
    "Pattern",
    "Question",
    "Risk",
    "RiskSource",
    "ScoringList",
    "Seen",
    "Stage",
    "Substitute",
    "Validation",
    "possible_totals",
    "with_positive_points",
]

MAX_QUESTIONS = 100

Origin = Literal["training", "held-out", "cross-validated", "published"]


@dataclass(frozen=True, slots=True)
class Risk:
    """The probability of the outcome at one total, its range, and the cases behind it.

    With sample weights the counts are effective numbers and need not be whole.
    """

    probability: float
    lower: float | None = None
    upper: float | None = None
    cases: int | float | None = None
    positives: int | float | None = None

    def __post_init__(self) -> None:
        for name in ("probability", "lower", "upper"):
            value = getattr(self, name)
            if value is not None or name == "probability":
                object.__setattr__(self, name, _probability(value, name))
        if (self.lower is None) != (self.upper is None):
            raise ListError("lower, upper: both or neither must be given.")
        lower, upper = self.probability if self.lower is None else self.lower, self.upper
        if upper is not None and not lower <= self.probability <= upper:
            raise ListError(
                f"probability: {self.probability!r} is outside its own range"
                f" {lower!r} to {upper!r}."
            )
        if (self.cases is None) != (self.positives is None):
            raise ListError("cases, positives: both or neither must be given.")
        if self.cases is not None:
            check_counts(self)


@dataclass(frozen=True, slots=True)
class Stage:
    """The risks after the first k questions, one for every total that can occur, ascending."""

    totals: tuple[int, ...]
    risks: tuple[Risk, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "totals", all_of(int, self.totals, "totals"))
        object.__setattr__(self, "risks", all_of(Risk, self.risks, "risks"))
        for fault in self._faults():
            raise ListError(fault)

    def risk(self, total: int) -> Risk:
        place = bisect_left(self.totals, total)
        if place == len(self.totals) or self.totals[place] != total:
            raise AnswerError(f"{total!r} is not a total of this stage: {list(self.totals)!r}.")
        return self.risks[place]

    def _faults(self) -> Iterator[str]:
        if len(self.totals) != len(self.risks):
            yield f"{len(self.totals)} totals but {len(self.risks)} risks."
        pairs = list(zip(self.totals, self.risks, strict=False))
        for (total, risk), (next_total, next_risk) in pairwise(pairs):
            if next_total <= total:
                yield f"totals must ascend, but {next_total} follows {total}."
            if (risk.lower is None) != (next_risk.lower is None):
                yield f"total {next_total}: either all totals of a stage have a range or none has."
            if (risk.cases is None) != (next_risk.cases is None):
                yield f"total {next_total}: either all totals of a stage have counts or none has."
            for name in ("probability", "lower", "upper"):
                before, after = getattr(risk, name), getattr(next_risk, name)
                if before is not None and after is not None and after < before:
                    yield (
                        f"total {next_total}: {name} {after!r} is below {before!r} at total"
                        f" {total}; risks must not fall with the total."
                    )


@dataclass(frozen=True, slots=True)
class RiskSource:
    """Where the risks come from, how they are estimated, and the kind and level of their ranges.

    `calibration` and its `strength` say how risks come from counts, also those of the cases who get
    to a box; where a list was cross-validated that corrects them, and neither is used.
    """

    origin: Origin = "published"
    level: float | None = None
    band: str = ""
    calibration: str = "isotonic"
    strength: float = 0.0

    def __post_init__(self) -> None:
        if self.origin not in get_args(Origin):
            raise ListError(f"origin: {self.origin!r} is not one of {', '.join(get_args(Origin))}.")
        if self.level is not None:
            object.__setattr__(self, "level", _probability(self.level, "level"))
        object.__setattr__(self, "band", clean_text(self.band, "band"))
        if self.calibration not in {*CALIBRATIONS, *FORMER}:
            known = ", ".join(CALIBRATIONS)
            raise ListError(f"calibration: {self.calibration!r} is not one of {known}.")
        object.__setattr__(self, "strength", not_below(self.strength, "strength", 0))


@dataclass(frozen=True, slots=True)
class About:
    """What a reader must know about the list; all of it is text, and any of it may be empty.

    `outcome` is what the risk is the risk of, `outcome_sentence` the same as a sentence ("Risk that
    the mass is malignant"). `rule_out`, `rule_in` and `undecided` are what the card calls the three
    decisions, for instance "benign", "malignant", "refer"; `next_steps_…` what to do then.
    `setting` and `dates` are where and when the cases were seen. `cost_unit` is what costs are
    counted in, for instance "min" or "€".
    """

    title: str = ""
    outcome: str = ""
    population: str = ""
    horizon: str = ""
    rule_out: str = ""
    rule_in: str = ""
    undecided: str = ""
    source: str = ""
    validation: str = ""
    licence: str = ""
    version: str = ""
    date: str = ""
    note: str = ""
    outcome_sentence: str = ""
    when_to_use: str = ""
    not_for: str = ""
    pitfalls: str = ""
    next_steps_rule_out: str = ""
    next_steps_rule_in: str = ""
    next_steps_undecided: str = ""
    setting: str = ""
    dates: str = ""
    cost_unit: str = ""

    def __post_init__(self) -> None:
        for one in fields(self):
            object.__setattr__(self, one.name, clean_text(getattr(self, one.name), one.name))


@dataclass(frozen=True, slots=True)
class ScoringList:
    """An ordered list of questions with the risk for every stage and total.

    `stages` has one entry for each number of answered questions, 0 … K. An entry is `None` where
    the risks are not known: a published score often has them for the last stage only, and a list
    learned from comparisons alone has none. `policy` is what the list is put under unless told
    otherwise. `validations` are tests of the finished list on new cases. `seen` has the ranges of
    the numbers that the list was learned from.

    Examples
    --------
    >>> smokes = Question("smoker", 1)
    >>> first, last = Stage((0,), (Risk(0.3),)), Stage((0, 1), (Risk(0.2), Risk(0.6)))
    >>> ScoringList((smokes,), (first, last)).base_rate
    0.3
    """

    questions: tuple[Question, ...]
    stages: tuple[Stage | None, ...]
    about: About = field(default_factory=About)
    risk_source: RiskSource = field(default_factory=RiskSource)
    evidence: Evidence | None = None
    provenance: tuple[tuple[str, str], ...] = ()
    cross_validation: CrossValidation | None = None
    policy: StoppingPolicy | None = None
    validations: tuple[Validation, ...] = ()
    seen: tuple[Seen, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "questions", all_of(Question, self.questions, "questions"))
        object.__setattr__(self, "validations", all_of(Validation, self.validations, "validations"))
        object.__setattr__(self, "seen", all_of(Seen, self.seen, "seen"))
        object.__setattr__(self, "stages", all_of((Stage, type(None)), self.stages, "stages"))
        pairs = tuple(
            (clean_text(key, "provenance"), clean_text(value, f"provenance.{key}"))
            for key, value in self.provenance
        )
        object.__setattr__(self, "provenance", pairs)
        faults = list(self._faults())
        if faults:
            raise ListError(faults[0], faults)

    @property
    def has_risks(self) -> bool:
        """Whether any stage has risks: a list learned from comparisons only ranks."""
        return any(stage is not None for stage in self.stages)

    @property
    def base_rate(self) -> float | None:
        first = self.stages[0]
        return None if first is None else first.risks[0].probability

    def possible_totals(self) -> tuple[tuple[int, ...], ...]:
        """For each stage 0 … K all totals that can occur, ascending."""
        return possible_totals(question.points for question in self.questions)

    def answers(self, case: Mapping[str, object]) -> tuple[Answer, ...]:
        """Yes, no or unknown per question for a case given as input name → value or answer.

        An input that is not in the case is unknown; a name that no question asks for is refused,
        because it may be a misspelt one. A label that one input alone has is a name of it. Where
        several questions ask for an input its one value answers them all, and a yes or no is
        refused, because it would not say which it answers.
        """
        values = self._by_input(case)
        again = inputs_asked_again(self.questions)
        return tuple(
            question.answer_in(values, value_only=question.input in again)
            for question in self.questions
        )

    def outside(self, case: Mapping[str, object], asked: int | None = None) -> tuple[str, ...]:
        """The inputs whose number is outside what the list has seen: their unit may be another.

        Of the first questions only, if their number is given as `asked`.
        """
        return outside(self.seen, self.questions[:asked], self._by_input(case))

    def _by_input(self, case: Mapping[str, object]) -> dict[str, object]:
        """The values of a case by the inputs that their names or labels mean."""
        inputs = inputs_of(self.questions)
        values: dict[str, object] = {}
        for name, value in case.items():
            meant = {name} & {*inputs} or {
                one.input for one in with_substitutes(self.questions) if one.label == name
            }
            if len(meant) != 1:
                reason = "is the label of several inputs" if meant else "is not an input"
                raise AnswerError(f"{name!r} {reason} of this list: {', '.join(inputs)}.")
            (one,) = meant
            if one in values:
                raise AnswerError(f"{one!r} is given twice: by its name and by its label.")
            values[one] = value
        return values

    def to_frame(self, backend: str | None = None) -> Any:
        """A data frame with a row per stage and total: the question, its points and the risk.

        `backend` is "pandas" or "polars"; by default pandas where it is loaded, else polars.
        """
        from scorecard.display import frame_of_list

        return frame_of_list(self, backend)

    def __str__(self) -> str:
        """The staircase under the list's own policy, as `scorecard show` prints it."""
        from scorecard.display import text_of_list

        return text_of_list(self)

    def _repr_html_(self) -> str:
        from scorecard.display import html_of_list

        return html_of_list(self)

    def _faults(self) -> Iterator[str]:
        count = len(self.questions)
        if count > MAX_QUESTIONS:
            yield f"questions: {count} are too many; a list has at most {MAX_QUESTIONS}."
            return
        yield from faults_together(enumerate(self.questions))
        for number, one in enumerate(self.seen):
            if one.input in {other.input for other in self.seen[:number]}:
                yield f"seen[{number}].input: {one.input!r} is there twice."
        if len(self.stages) != count + 1:
            yield (
                f"stages: {len(self.stages)} given, expected {count + 1}:"
                f" one for each number of answers from 0 to {count}."
            )
            return
        if self.has_risks and self.stages[-1] is None:
            yield f"stages[{count}]: the risks after the last question are missing."
        for number, totals in enumerate(self.possible_totals()):
            stage = self.stages[number]
            if stage is not None and stage.totals != totals:
                yield f"stages[{number}]: {_difference(stage.totals, totals)}"
                return
        yield from self._evidence_faults()

    def _evidence_faults(self) -> Iterator[str]:
        if self.evidence is None:
            return
        for pattern in self.evidence.patterns:
            if len(pattern.answers) != len(self.questions):
                yield (
                    f"evidence: the pattern {pattern.answers!r} has {len(pattern.answers)} answers"
                    f" for {len(self.questions)} questions."
                )
                return
        by_stage = counts_by_stage(self)
        for number, stage in enumerate(self.stages):
            if stage is None or stage.risks[0].cases is None:
                continue
            counts = by_stage[number]
            for total, risk in zip(stage.totals, stage.risks, strict=True):
                found = counts.get(total, (0, 0))
                if not _same_counts((risk.cases, risk.positives), found):
                    yield (
                        f"stages[{number}], total {total}: {risk.positives} of {risk.cases}"
                        f" contradicts the evidence, which has {found[1]} of {found[0]}."
                    )


def possible_totals(points: Iterable[int]) -> tuple[tuple[int, ...], ...]:
    """For each stage all totals that these points can give, ascending."""
    stages: list[tuple[int, ...]] = [(0,)]
    for value in points:
        stages.append(tuple(sorted({t + gained for t in stages[-1] for gained in (0, value)})))
    return tuple(stages)


def counts_by_total(scoring_list: ScoringList, stage: int) -> dict[int, Counts]:
    """Cases and positives per total among the evidence that answered all of the first questions."""
    return counts_by_stage(scoring_list)[stage]


def counts_by_stage(scoring_list: ScoringList) -> list[dict[int, Counts]]:
    """The same for every stage; empty without evidence."""
    points = [question.points for question in scoring_list.questions]
    return stage_counts(points, scoring_list.evidence or Evidence(()))


def with_positive_points(scoring_list: ScoringList) -> ScoringList:
    """The same list with every negative question asked the other way round.

    `x ≥ t: −2` becomes `x < t: +2`; later totals shift by 2, and every case keeps its decisions and
    risks. Answer patterns turn along.

    Examples
    --------
    >>> fit = Question("fit", -1)
    >>> stages = Stage((0,), (Risk(0.3),)), Stage((-1, 0), (Risk(0.2), Risk(0.6)))
    >>> turned = with_positive_points(ScoringList((fit,), stages))
    >>> str(turned.questions[0].condition), turned.questions[0].points, turned.stages[1].totals
    ('no', 1, (0, 1))
    """
    turn = [question.points < 0 for question in scoring_list.questions]
    questions = turned_positive(scoring_list.questions)
    shift, stages = 0, [scoring_list.stages[0]]
    for question, stage in zip(scoring_list.questions, scoring_list.stages[1:], strict=True):
        shift -= min(0, question.points)
        stages.append(stage and replace(stage, totals=tuple(t + shift for t in stage.totals)))
    evidence = scoring_list.evidence and scoring_list.evidence.with_answers(
        lambda answers: _turn(answers, turn)
    )
    return replace(scoring_list, questions=questions, stages=tuple(stages), evidence=evidence)


def turned_positive(questions: Iterable[Question]) -> tuple[Question, ...]:
    """The questions, those with negative points asked the other way round."""
    return tuple(one.turned() if one.points < 0 else one for one in questions)


def with_smallest_points(questions: Sequence[Question]) -> tuple[Question, ...]:
    """The questions with their points divided by what all of them are multiples of.

    Examples
    --------
    >>> [one.points for one in with_smallest_points([Question("a", 2), Question("b", -4)])]
    [1, -2]
    """
    divisor = gcd(*(question.points for question in questions)) or 1
    return tuple(replace(one, points=one.points // divisor) for one in questions)


def _turn(answers: str, turn: Sequence[bool]) -> str:
    other = {"0": "1", "1": "0", "?": "?"}
    return "".join(other[a] if turned else a for a, turned in zip(answers, turn, strict=True))


def faults_together(numbered: Iterable[tuple[int, Question]]) -> Iterator[str]:
    """Why questions cannot be asked in one list, each named by its number."""
    asked = list(numbered)
    yield from _repeated_inputs(asked)
    yield from _substitute_faults(asked)


def _repeated_inputs(asked: Sequence[tuple[int, Question]]) -> Iterator[str]:
    """An input may be asked again, but not the same, nor as another kind of value."""
    for place, (number, question) in enumerate(asked):
        for earlier, other in asked[:place]:
            if other.input == question.input and (fault := _clash(other, question)):
                yield (
                    f"questions[{number}].input: {question.input!r} is asked already"
                    f" by questions[{earlier}]{fault}."
                )
                break


def _substitute_faults(asked: Sequence[tuple[int, Question]]) -> Iterator[str]:
    """A substitute stands for one input, for all its questions, and counts for nothing else."""
    stands_for: dict[str, str] = {}
    other = {one.input: _instead(one) for _, one in asked if not one.condition.is_presence}
    for number, question in asked:
        place = f"questions[{number}].if_unknown"
        instead = _instead(question)
        if not question.condition.is_presence and instead != other[question.input]:
            yield (
                f"{place}: all questions about {question.input!r} need the same substitute,"
                " or none."
            )
        elif instead in {one.input for _, one in asked}:
            yield f"{place}: {instead!r} is a question of the list, and would count twice."
        elif instead and stands_for.setdefault(instead, question.input) != question.input:
            yield f"{place}: {instead!r} stands for {stands_for[instead]!r} already."
        elif fault := _substitute_clash(number, question, asked):
            yield f"{place}.input: {instead!r} is asked already by {fault}."


def _substitute_clash(
    number: int, question: Question, asked: Sequence[tuple[int, Question]]
) -> str:
    """Which earlier question has the same substitute as another kind of value, and how."""
    one = question.instead
    for earlier, before in asked:
        other = before.instead if earlier < number else None
        if one and other and one.input == other.input and (fault := _other_kind(other, one)):
            return f"questions[{earlier}].if_unknown{fault}"
    return ""


def _instead(question: Question) -> str:
    """The input of a question's substitute; empty if it has none."""
    return question.if_unknown.input if question.if_unknown else ""


def _clash(one: Question, other: Question) -> str:
    """Why two questions cannot ask for the same input; empty if one value can answer both."""
    first, second = one.condition, other.condition
    if first.is_presence and second.is_presence:
        return "; whether it is missing can be asked once"
    if first.is_presence or second.is_presence:
        return ""
    if other_kind := _other_kind(one, other):
        return other_kind
    same = first.cutoff == second.cutoff and set(first.categories) == set(second.categories)
    return f", whose answer to {first} answers this one too; use another cut-off" if same else ""


def _other_kind(one: Question, other: Question) -> str:
    """How two questions take an input for different kinds of values; empty if they do not."""
    first, second = one.condition, other.condition
    if (first.is_numeric, first.is_categorical) != (second.is_numeric, second.is_categorical):
        return f" as {first}, and one value cannot answer {second} as well"
    if first.is_categorical and set(first.choices) != set(second.choices):
        return ", with other choices; all its questions need the same"
    if first.is_numeric and one.unit != other.unit:
        return f", in {one.unit!r} instead of {other.unit!r}; all its questions need the same unit"
    return ""


def _probability(value: object, place: str) -> float:
    number = float(plain_number(value, place))
    if not 0 <= number <= 1:
        raise ListError(f"{place}: {value!r} is not between 0 and 1.")
    return number + 0.0  # never −0.0, which would be written differently


def _same_counts(
    one: tuple[int | float | None, int | float | None],
    other: tuple[int | float, int | float],
) -> bool:
    # Whole counts must agree exactly; effective counts of weighted cases are sums of floats.
    return all(
        a is not None and (a == b or (isinstance(a + b, float) and isclose(a, b, rel_tol=1e-9)))
        for a, b in zip(one, other, strict=True)
    )


def _difference(given: Sequence[int], expected: Sequence[int]) -> str:
    missing, extra = sorted(set(expected) - set(given)), sorted(set(given) - set(expected))
    parts = [f"no risk for total {missing[0]}"] if missing else []
    parts += [f"total {extra[0]} cannot occur with these points"] if extra else []
    return f"{' and '.join(parts)}; expected the totals {_short(expected)}."


def _short(totals: Sequence[int]) -> str:
    shown = ", ".join(map(str, totals[:12]))
    return f"{shown}, … ({len(totals)} in all)" if len(totals) > 12 else shown

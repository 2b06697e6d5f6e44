"""Random scoring lists for hypothesis, as varied and as hostile as the model allows.

`scoring_lists()` draws any list: all kinds of conditions, negative points, stages without risks,
ranges and counts that are there or not, evidence with unknown answers and with weighted cases, and
texts that try to break out of whatever they are printed in. Every argument that is `None` means
"sometimes"; tests that need more say so: `scoring_lists(with_evidence=True, weighted=False)`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hypothesis import strategies as st

from scorecard.core.calibration import isotonic
from scorecard.core.model import (
    About,
    Condition,
    Evidence,
    Pattern,
    Question,
    Risk,
    RiskSource,
    ScoringList,
    Stage,
    counts_by_total,
    possible_totals,
)
from scorecard.core.question import ConditionKind, Substitute
from scorecard.errors import ListError

CONDITION_KINDS: tuple[ConditionKind, ...] = (
    ">=",
    "<",
    "in",
    "not in",
    "yes",
    "no",
    "missing",
    "present",
)

HOSTILE_TEXTS = (
    "",
    " ",
    "</script><script>alert(1)</script>",
    "{{ 7 * 7 }}{% raw %}",
    "'; DROP TABLE cases; --",
    '"""\\"',
    '=HYPERLINK("http://example.org")',
    "line\nbreak\r\nand\ttab",
    "\u202egnirts desrever",
    "\u2028\u2029\x1b[31m\x7f",
    "Ü≥−𝔘🫀",
    "e\u0301",
    "\ufeff",
    "null",
    "True",
    "../../etc/passwd",
    "$(id)`id`%PATH%",
    "#{1+1}\\x00\\N{BULLET}",
    "*/ // <!-- -->]]>",
)

Flag = bool | None
"""Always, never, or (`None`) sometimes."""


def texts(max_size: int = 20) -> st.SearchStrategy[str]:
    """Any text the model takes, hostile ones preferred."""
    letters = st.characters(exclude_categories=("Cs",), exclude_characters="\0")
    return st.sampled_from(HOSTILE_TEXTS) | st.text(letters, max_size=max_size)


HOSTILE = texts()


def plain_texts() -> st.SearchStrategy[str]:
    """Harmless words, for tests in which texts are not the point."""
    return st.text("abcdefgh xyzÄß", min_size=1, max_size=8).filter(str.strip)


def numbers() -> st.SearchStrategy[int | float]:
    """Cut-offs: small and large, whole and not, as exact as a float can be."""
    return (
        st.integers(-100, 300)
        | st.integers(-(10**25), 10**25)
        | st.floats(allow_nan=False, allow_infinity=False)
        | st.decimals(-1000, 1000, places=2).map(float)
    )


def probabilities() -> st.SearchStrategy[float]:
    return st.floats(0, 1) | st.sampled_from((0.0, 0.05, 0.1, 0.5, 0.9, 1.0))


def points(largest: int = 3) -> st.SearchStrategy[int]:
    return st.integers(-largest, largest).filter(bool)


def answers(scoring_list: ScoringList) -> st.SearchStrategy[tuple[bool | None, ...]]:
    """Yes, no or unknown for each question of a list."""
    count = len(scoring_list.questions)
    return st.tuples(*[st.sampled_from((True, False, None))] * count)


@st.composite
def conditions(
    draw: st.DrawFn,
    kinds: Sequence[ConditionKind] = CONDITION_KINDS,
    text: st.SearchStrategy[str] = HOSTILE,
) -> Condition:
    kind = draw(st.sampled_from(kinds))
    if kind in (">=", "<"):
        return Condition(kind, draw(numbers()))
    if kind not in ("in", "not in"):
        return Condition(kind)
    values = draw(st.lists(text, min_size=1, max_size=4, unique=True))
    wanted = values[: draw(st.integers(1, len(values)))]
    known = values if draw(st.booleans()) else ()
    return Condition(kind, categories=tuple(wanted), choices=tuple(known))


@st.composite
def questions(
    draw: st.DrawFn,
    min_questions: int = 0,
    max_questions: int = 6,
    kinds: Sequence[ConditionKind] = CONDITION_KINDS,
    largest_points: int = 3,
    text: st.SearchStrategy[str] = HOSTILE,
    asked_again: bool = False,
    substitutes: bool = False,
) -> tuple[Question, ...]:
    """Questions with inputs of their own, or with some inputs that are asked several times."""
    names = draw(
        st.lists(
            text.filter(lambda name: name.strip() != ""),
            min_size=min_questions,
            max_size=max_questions,
            unique=True,
        )
    )
    costs = st.none() | st.integers(0, 1000) | st.floats(0, 1e9)
    asked = tuple(
        Question(
            name,
            draw(points(largest_points)),
            draw(conditions(kinds, text)),
            draw(text),
            draw(text),
            draw(costs),
            draw(text),
        )
        for name in names
    )
    if asked_again:
        asked = draw(with_inputs_asked_again(asked, max_questions))
    return draw(with_substitutes(asked, text)) if substitutes else asked


@st.composite
def with_substitutes(
    draw: st.DrawFn, asked: tuple[Question, ...], text: st.SearchStrategy[str]
) -> tuple[Question, ...]:
    """The same questions, some with what is asked where they are unknown."""
    found = list(asked)
    for name in dict.fromkeys(one.input for one in asked):
        kinds = [kind for kind in CONDITION_KINDS if kind not in ("missing", "present")]
        first = Substitute(
            draw(text.filter(lambda one: one.strip() != "")),
            draw(conditions(kinds, text)),
            draw(text),
            draw(text),
            draw(st.none() | st.integers(0, 9)),
        )
        if first.input == name or draw(st.booleans()):
            continue
        other = [
            replace(one, if_unknown=draw(st.just(first) | variants(first)))
            if one.input == name and not one.condition.is_presence
            else one
            for one in found
        ]
        found = other if _can_be_asked(other) else found
    return tuple(found)


def variants(first: Substitute) -> st.SearchStrategy[Substitute]:
    """The same substitute with another condition of its kind."""
    conditions = another(first.as_question(1)).filter(lambda one: not one.is_presence)
    if first.condition.kind in ("yes", "no"):
        conditions = st.sampled_from([Condition("yes"), Condition("no")])
    return st.builds(replace, st.just(first), condition=conditions)


@st.composite
def with_inputs_asked_again(
    draw: st.DrawFn, asked: tuple[Question, ...], max_questions: int
) -> tuple[Question, ...]:
    """The same questions and others about their inputs, in any order."""
    found = list(asked)
    for question in asked:
        for _ in range(draw(st.integers(0, 2))):
            other = replace(question, points=draw(points()), condition=draw(another(question)))
            if len(found) < max_questions and _can_be_asked([*found, other]):
                found.append(other)
    return tuple(draw(st.permutations(found)))


def another(question: Question) -> st.SearchStrategy[Condition]:
    """Conditions for the same input: near cut-offs, other categories, or whether it is missing."""
    condition = question.condition
    presence = st.sampled_from([Condition("missing"), Condition("present")])
    if condition.cutoff is not None:
        near = [condition.cutoff + 1, condition.cutoff - 1, condition.cutoff * 2]
        cutoffs = st.sampled_from([n for n in near if abs(n) < 1e308] or [0]) | numbers()
        kinds = st.sampled_from((">=", "<"))
        return st.builds(Condition, kinds, cutoffs) | presence
    if condition.is_categorical:
        values = [*dict.fromkeys((*condition.categories, *condition.choices, *"ab"))]
        values = [one for one in values if not condition.choices or one in condition.choices]
        some = st.lists(st.sampled_from(values), min_size=1, unique=True).map(tuple)
        kinds = st.sampled_from(("in", "not in"))
        choices = st.just(condition.choices)
        return st.builds(Condition, kinds, categories=some, choices=choices) | presence
    return presence if not condition.is_presence else numbers().map(lambda n: Condition(">=", n))


def _can_be_asked(asked: Sequence[Question]) -> bool:
    try:
        ScoringList(tuple(asked), (None,) * (len(asked) + 1))
    except ListError:
        return False
    return True


@st.composite
def evidence(draw: st.DrawFn, count: int, weighted: Flag = None, unknown: bool = True) -> Evidence:
    """Answer patterns to so many questions; `unknown=False` leaves out patterns with a "?"."""
    whole = st.integers(0, 40)
    cases = st.floats(0, 40) if _decide(draw, weighted) else whole
    letters = "01?" if unknown else "01"
    patterns = draw(
        st.lists(st.text(letters, min_size=count, max_size=count), max_size=12, unique=True)
    )
    return Evidence(tuple(_pattern(draw, pattern, cases) for pattern in patterns))


def _pattern(draw: st.DrawFn, pattern: str, cases: st.SearchStrategy[int | float]) -> Pattern:
    first, second = draw(cases), draw(cases)
    return Pattern(pattern, max(first, second), min(first, second))


@st.composite
def scoring_lists(
    draw: st.DrawFn,
    min_questions: int = 0,
    max_questions: int = 6,
    *,
    with_evidence: Flag = None,
    with_counts: Flag = None,
    with_ranges: Flag = None,
    missing_stages: Flag = None,
    estimated: Flag = None,
    weighted: Flag = None,
    unknown: bool = True,
    kinds: Sequence[ConditionKind] = CONDITION_KINDS,
    largest_points: int = 3,
    text: st.SearchStrategy[str] = HOSTILE,
    asked_again: bool = False,
    substitutes: bool = False,
) -> ScoringList:
    """Any scoring list.

    Parameters
    ----------
    with_evidence : whether the answer patterns are there.
    with_counts, with_ranges : whether the risks have counts and ranges; counts always agree with
        the evidence.
    missing_stages : whether risks may be missing: those of earlier stages, or all of them. With
        `False` every stage has risks.
    estimated : whether the risks are the isotonic estimates of the evidence (where there are
        cases) rather than any rising numbers.
    weighted : whether counts are effective numbers of weighted cases.
    unknown : whether answer patterns may have a "?".
    asked_again : whether inputs may be asked several times, with other conditions.
    substitutes : whether questions may have one.
    text : strategy for all texts; `plain_texts()` where hostile ones are not the point.
    """
    asked = draw(
        questions(
            min_questions, max_questions, kinds, largest_points, text, asked_again, substitutes
        )
    )
    count = len(asked)
    known = draw(evidence(count, weighted, unknown)) if _decide(draw, with_evidence) else None
    blank = ScoringList(asked, (None,) * (count + 1), evidence=known)
    choices = {
        "with_counts": _decide(draw, with_counts),
        "with_ranges": _decide(draw, with_ranges),
        "weighted": _decide(draw, weighted),
        "estimated": _decide(draw, estimated),
    }
    stages = [draw(stage_of(blank, number, **choices)) for number in range(count + 1)]
    return replace(
        blank,
        stages=_with_gaps(draw, stages, missing_stages),
        about=draw(abouts(text)),
        risk_source=draw(figures(text)),
        provenance=tuple(draw(st.lists(st.tuples(text, text), max_size=3))),
    )


@st.composite
def stage_of(
    draw: st.DrawFn,
    scoring_list: ScoringList,
    number: int,
    *,
    with_counts: bool,
    with_ranges: bool,
    weighted: bool,
    estimated: bool,
) -> Stage:
    """Rising risks for all totals of one stage, with counts that agree with the evidence."""
    totals = possible_totals(question.points for question in scoring_list.questions)[number]
    found = counts_by_total(scoring_list, number)
    counts = [found.get(total, (0, 0)) for total in totals]
    if scoring_list.evidence is None:
        cases = st.floats(0, 40) if weighted else st.integers(0, 40)
        counts = [tuple(sorted((draw(cases), draw(cases)), reverse=True)) for _ in totals]
    rising = st.lists(probabilities(), min_size=len(totals), max_size=len(totals)).map(sorted)
    risks = (isotonic(totals, counts) if estimated else None) or draw(rising)
    bounds = [sorted(three) for three in zip(risks, draw(rising), draw(rising), strict=True)]
    if estimated:  # the estimate itself must stay what it is
        bounds = [
            [min(risk, three[0]), risk, max(risk, three[2])]
            for risk, three in zip(risks, bounds, strict=True)
        ]
    return Stage(
        totals,
        tuple(
            Risk(
                risk,
                lower if with_ranges else None,
                upper if with_ranges else None,
                *(pair if with_counts else (None, None)),
            )
            for (lower, risk, upper), pair in zip(bounds, counts, strict=True)
        ),
    )


def abouts(text: st.SearchStrategy[str] = HOSTILE) -> st.SearchStrategy[About]:
    return st.builds(About, *[st.just("") | text] * 13)


def figures(text: st.SearchStrategy[str] = HOSTILE) -> st.SearchStrategy[RiskSource]:
    return st.builds(
        RiskSource,
        st.sampled_from(("training", "held-out", "published")),
        st.none() | st.sampled_from((0.8, 0.9, 0.95)),
        text,
    )


def _with_gaps(
    draw: st.DrawFn, stages: list[Stage], missing_stages: Flag
) -> tuple[Stage | None, ...]:
    if not _decide(draw, missing_stages):
        return tuple(stages)
    if draw(st.integers(0, 9)) == 0:  # a list that only ranks
        return (None,) * len(stages)
    return (*[stage if draw(st.booleans()) else None for stage in stages[:-1]], stages[-1])


def _decide(draw: st.DrawFn, flag: Flag) -> bool:
    return draw(st.booleans()) if flag is None else flag

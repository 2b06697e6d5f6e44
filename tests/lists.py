"""Hand-checkable lists used all over the tests."""

from __future__ import annotations

from dataclasses import replace

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
)
from scorecard.core.policy import StoppingPolicy


def by_point(scoring_list: ScoringList) -> ScoringList:
    """The list with a policy that takes its risks at their word."""
    return replace(scoring_list, policy=StoppingPolicy(by="point", min_cases=0))


def stage(**risks: float) -> Stage:
    """`stage(m2=.1, p0=.2)`: risks by total, m for minus and p for plus."""
    totals = tuple(int(key.replace("m", "-").replace("p", "")) for key in risks)
    return Stage(totals, tuple(Risk(probability) for probability in risks.values()))


TABLE_1 = ScoringList(
    (Question("f3", 1), Question("f1", -2), Question("f2", 1), Question("f4", 2)),
    (
        stage(p0=0.3),
        stage(p0=0.2, p1=0.4),
        stage(m2=0.1, m1=0.2, p0=0.5, p1=0.6),
        stage(m2=0.1, m1=0.2, p0=0.6, p1=0.7, p2=0.9),
        stage(m2=0.1, m1=0.1, p0=0.2, p1=0.6, p2=0.7, p3=0.9, p4=0.9),
    ),
    About(title="Table 1", outcome="positive"),
)
"""The example of the paper, Table 1."""

MARBURG = ScoringList(
    tuple(Question(name, 1) for name in ("age_sex", "vascular", "exertion", "palpation", "belief")),
    (None, None, None, None, None, stage(p0=0.01, p1=0.01, p2=0.05, p3=0.25, p4=0.6, p5=0.6)),
    About(title="Marburg Heart Score", outcome="coronary heart disease"),
)
"""Five questions of one point each with risks for the last stage only; the risks are made up."""


def counted(points: tuple[int, ...], patterns: dict[str, tuple[int, int]]) -> ScoringList:
    """A list with evidence: isotonic risks of all cases, with the paper's band where it exists."""
    from scorecard.core.calibration import band, isotonic
    from scorecard.core.model import counts_by_total, possible_totals

    questions = tuple(Question(f"q{number}", value) for number, value in enumerate(points, 1))
    evidence = Evidence(tuple(Pattern(answers, *counts) for answers, counts in patterns.items()))
    blank = ScoringList(questions, (None,) * (len(points) + 1), evidence=evidence)
    stages = []
    for number, totals in enumerate(possible_totals(points)):
        found = counts_by_total(blank, number)
        counts = [found.get(total, (0, 0)) for total in totals]
        risks = isotonic(totals, counts) or [0.5] * len(totals)
        ranges = band(counts, 0.95)
        if ranges is None:
            covering = [(None, None)] * len(totals)
        else:
            covering = [
                (min(low, p), max(high, p)) for p, (low, high) in zip(risks, ranges, strict=True)
            ]
        figures = zip(risks, covering, counts, strict=True)
        stages.append(Stage(totals, tuple(Risk(p, *span, *count) for p, span, count in figures)))
    return ScoringList(
        questions,
        tuple(stages),
        risk_source=RiskSource("held-out", 0.95, "paper"),
        evidence=evidence,
    )


SHARPENED = ScoringList(
    (
        Question("age", 2, Condition(">=", 65), label="Age", unit="years"),
        Question("smoker", 1),
        Question("age", 1, Condition(">=", 50), label="Age", unit="years"),
    ),
    (
        stage(p0=0.4),
        stage(p0=0.05, p2=0.5),
        stage(p0=0.03, p1=0.2, p2=0.4, p3=0.6),
        stage(p0=0.02, p1=0.1, p2=0.3, p3=0.5, p4=0.8),
    ),
)
"""Rule out at .1 after the first question; the others only sharpen the risk of the rest."""

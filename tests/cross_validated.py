"""Random lists with cross-validated evidence, for hypothesis: answers drawn from a known risk."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from scorecard.core.evidence import CrossValidation, Evidence, Fold, Pattern
from scorecard.core.model import Question, RiskSource, ScoringList
from scorecard.core.recalibration import recalibrated_stages


def cross_validated_lists(most_questions: int = 4) -> st.SearchStrategy[ScoringList]:
    """Lists whose cases are divided into folds; hypothesis shrinks the seed and the sizes."""
    return st.builds(
        cross_validated_list,
        seed=st.integers(0, 10_000),
        cases=st.sampled_from((60, 200, 600)),
        questions=st.integers(1, most_questions),
        folds=st.integers(2, 4),
        signal=st.sampled_from((0.0, 1.0, 3.0)),
        missing=st.sampled_from((0.0, 0.0, 0.2)),
        design_effect=st.sampled_from((1.0, 1.0, 2.5)),
    )


def cross_validated_list(
    seed: int = 0,
    cases: int = 300,
    questions: int = 3,
    folds: int = 3,
    signal: float = 2.0,
    missing: float = 0.0,
    design_effect: float = 1.0,
) -> ScoringList:
    """A list as if learned: every fold has points of its own, some have a question less."""
    random = Random(seed)
    points = [random.choice((-2, -1, 1, 2, 3)) for _ in range(questions)]
    rows = [_row(random, points, signal, missing) for _ in range(cases)]
    rows[0], rows[1] = (rows[0][0], True), (rows[1][0], False)
    parts = [rows[number::folds] for number in range(folds)]
    checks = []
    for number, left_out in enumerate(parts):
        kept = questions - (questions > 1 and random.random() < 0.3)
        own = [value if random.random() < 0.8 else -value for value in points[:kept]]
        inside = [row for other, part in enumerate(parts) if other != number for row in part]
        checks.append(Fold(_questions(own), _evidence(inside, kept), _evidence(left_out, kept)))
    check = CrossValidation(tuple(checks), design_effect)
    asked, evidence = _questions(points), _evidence(rows, questions)
    return ScoringList(
        asked,
        recalibrated_stages(asked, evidence, check),
        risk_source=RiskSource("cross-validated", 0.95, "paper"),
        evidence=evidence,
        cross_validation=check,
    )


Row = tuple[str, bool]


def _row(random: Random, points: list[int], signal: float, missing: float) -> Row:
    ill = random.random() < 0.4
    answers = ""
    for value in points:
        likelier = ill == (value > 0)
        yes = random.random() < 0.5 + (0.12 if likelier else -0.12) * signal
        answers += "?" if random.random() < missing else "01"[yes]
    return answers, ill


def _questions(points: list[int]) -> tuple[Question, ...]:
    return tuple(Question(f"q{number}", value) for number, value in enumerate(points))


def _evidence(rows: list[Row], kept: int) -> Evidence:
    counts: dict[str, list[int]] = {}
    for answers, ill in rows:
        pair = counts.setdefault(answers[:kept], [0, 0])
        pair[0] += 1
        pair[1] += ill
    return Evidence(tuple(Pattern(answers, *pair) for answers, pair in counts.items()))

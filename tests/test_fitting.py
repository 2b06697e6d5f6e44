"""The limits that “fit” suggests where the usual ones leave nothing to ask."""

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from scorecard.core.climbing import build_staircase
from scorecard.core.model import Condition, Question, Risk, ScoringList, Stage
from scorecard.core.policy import StoppingPolicy
from scorecard.fitting import often_unknown, unknown_answers, working_limits
from scorecard.tables.cases import read_cases


def of_base_rate(rate: float) -> ScoringList:
    """One question that tells a little, and so many cases that any rate is known."""
    cases = 100_000
    counts = [round(cases * share) for share in (rate, rate / 2, (1 + rate) / 2)]
    risks = [Risk(count / cases, cases=cases, positives=count) for count in counts]
    return ScoringList(
        (Question("age", 1),), (Stage((0,), risks[:1]), Stage((0, 1), tuple(risks[1:])))
    )


@settings(max_examples=30)
@given(st.floats(0.001, 0.999))
def test_the_suggested_limits_work_and_usual_ones_are_left_alone(rate: float) -> None:
    scoring_list = of_base_rate(rate)
    limits = working_limits(scoring_list)
    usual = StoppingPolicy()
    if limits is None:
        build_staircase(scoring_list, usual)
        return
    build_staircase(scoring_list, StoppingPolicy(**limits))
    assert all(
        limit <= rate if name == "rule_out" else limit >= rate for name, limit in limits.items()
    )


def test_a_question_about_being_missing_is_never_unknown(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    rows = "".join(f"{n if n % 2 else ''},{n},{'yes' if n % 3 else 'no'}\n" for n in range(12))
    path.write_text("crp,age,ill\n" + rows, encoding="utf-8")
    cases = read_cases(path, "ill", missing="question")

    def asking(kind: str, cutoff: float | None = None) -> ScoringList:
        questions = (Question("crp", 1, Condition(kind, cutoff)),)
        last = Stage((0, 1), (Risk(0.2), Risk(0.6)))
        return ScoringList(questions, (Stage((0,), (Risk(0.5),)), last))

    assert not [*often_unknown(asking("missing"), cases)]
    assert not unknown_answers(asking("missing"), cases)
    assert [*often_unknown(asking(">=", 5), cases)]
    assert "crp 6" in unknown_answers(asking(">=", 5), cases)

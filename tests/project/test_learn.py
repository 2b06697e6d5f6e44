"""What “fit” says about a list: limits that work, limits that moved, questions to look at."""

from dataclasses import replace
from pathlib import Path

from scorecard.core.build_staircase import usual_policy
from scorecard.core.edits import Before
from scorecard.core.error_control import loosest_limits
from scorecard.core.evidence import Evidence, Pattern
from scorecard.core.model import Condition, Question, Risk, ScoringList, Stage
from scorecard.core.policy import ChosenBy, StoppingPolicy
from scorecard.project.learn import (
    answered_alike,
    limits_told,
    moved_limits,
    often_unknown,
    unknown_answers,
)
from scorecard.tables.cases import read_cases
from tests.cross_validated import cross_validated_list


def of_base_rate(rate: float) -> ScoringList:
    """One question that tells a little, and so many cases that any rate is known."""
    cases = 100_000
    counts = [round(cases * share) for share in (rate, rate / 2, (1 + rate) / 2)]
    risks = [Risk(count / cases, cases=cases, positives=count) for count in counts]
    return ScoringList(
        (Question("age", 1),), (Stage((0,), risks[:1]), Stage((0, 1), tuple(risks[1:])))
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
    assert not [*unknown_answers(asking("missing"), cases)]
    assert [*often_unknown(asking(">=", 5), cases)]
    (told,) = unknown_answers(asking(">=", 5), cases)
    assert (told.kind, str(told)) == ("unknown answers", "Unknown answers among 12 cases: crp 6.")


def test_limits_that_moved_with_an_edit_are_told_with_how_to_keep_them() -> None:
    def told(limits: tuple[float, float], chosen_by: ChosenBy = "data") -> list[str]:
        policy = StoppingPolicy(*limits, chosen_by=chosen_by)
        moved = moved_limits(before, replace(of_base_rate(0.4), policy=policy))
        return [str(one) for one in moved]

    before = Before(list="abc", policy=StoppingPolicy(0.25, 0.6, chosen_by="data"))
    assert told((0.25, 1)) == [
        "The data now show other limits: low risk at most 25 of 100, no high risk (before: low risk"
        " at most 25 of 100, high risk at least 60 of 100). To keep those: `rule_out=0.25`"
        " `rule_in=0.6`; in a card.toml rule_out = 0.25 and rule_in = 0.6 below [limits]."
    ]
    assert not told((0.25, 0.6))
    assert not told((0.25, 0.8), "person")
    before = Before(list="of an older file")
    assert not told((0.25, 1))


def test_a_question_that_all_answer_alike_is_doubted() -> None:
    stages = Stage((0,), (Risk(0.3),)), Stage((0, 1), (Risk(0.2), Risk(0.6)))
    asked = ScoringList((Question("age", 1, Condition(">=", 500)),), stages)

    def doubts(*answers: str) -> list[str]:
        patterns = tuple(Pattern(one, 30, 10) for one in answers)
        found = answered_alike(replace(asked, evidence=Evidence(patterns)))
        return [doubt.message.partition(",")[0] for doubt in found]

    assert doubts("0", "?") == ["Nobody of 30 cases answers yes to question 1 (age >= 500: 1)"]
    assert doubts("1") == ["Nobody of 30 cases answers no to question 1 (age >= 500: 1)"]
    assert not doubts("0", "1")
    assert not doubts("?")


def test_a_list_without_limits_says_what_the_data_could_show() -> None:
    weak = cross_validated_list(cases=600, signal=0.5)
    learned = replace(weak, policy=usual_policy(weak))
    assert learned.policy is not None
    assert not any(learned.policy.has_limit)
    (told,) = [line for line in limits_told(learned) if line.startswith("These data show no group")]
    (low, out), (high, into) = loosest_limits(weak.cross_validation, learned.policy)
    assert f"at most {100 * low:g} of 100" in told
    assert f"at least {100 * high:g} (" in told
    assert told.endswith(f"for {int(100 * into)}.")
    assert max(out, into) < 0.2
    strong = cross_validated_list(cases=600, signal=3.0)
    shown = limits_told(replace(strong, policy=usual_policy(strong)))
    assert not any("no group" in line for line in shown)

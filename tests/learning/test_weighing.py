"""Costs and unknown answers in the search, against trying everything by hand."""

from itertools import product
from math import gcd

import numpy as np
import polars as pl
import pytest

from scorecard import (
    Condition,
    Evidence,
    Question,
    ScoringListClassifier,
    StoppingPolicy,
    Substitute,
)
from scorecard.core.evidence import Pattern
from scorecard.core.question import inputs_of
from scorecard.errors import LearningError
from scorecard.learning.cross_validation import at_the_bedside
from scorecard.learning.options import Spending, chance_gain
from tests.learning.oracle import NEAR, entropy
from tests.learning.tables import by_counts

POLICY = StoppingPolicy(0.2, 0.8)


def numbers(seed, cases=250):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 6, (cases, 4)).astype(float)
    odds = X @ (0.9, 0.7, 0.4, 0.1) - 5
    return X, (rng.random(cases) < 1 / (1 + np.exp(-odds))).astype(int)


def greedy_by_hand(X, y, points, costs, panel, power, most):
    """[(input, points, loss)]: of what helps, free ones first, the largest gain per cost^power."""
    ones, totals, asked = np.ones(len(y)), np.zeros(len(y), int), []
    loss = entropy(totals, y, ones)
    for _ in range(most):
        inputs = [one for one, *_ in asked]
        candidates = []
        for j in sorted({*range(X.shape[1])} - {*inputs}):
            free = costs[j] == 0 or (j in panel and {*inputs} & panel)
            for s, value in product(sorted(points, reverse=True), np.unique(X[:, j])[1:]):
                found = entropy(totals + s * (X[:, j] >= value), y, ones)
                worth = loss - found > chance_gain(len(y))
                per = (loss - found) / (1 if free or not worth else costs[j] ** power)
                candidates.append(((worth, worth and bool(free)), per, j, value, s, found))
        kind = max(one[0] for one in candidates)
        most_per = max(one[1] for one in candidates if one[0] == kind)
        *_, j, value, s, loss = next(
            one for one in candidates if one[0] == kind and one[1] >= most_per - NEAR
        )
        totals = totals + s * (X[:, j] >= value)
        asked.append((j, s, loss))
    return asked


@pytest.mark.parametrize(("seed", "power"), [(0, 0.5), (1, 1.0), (2, 2.0), (3, 0.25)])
@pytest.mark.parametrize("panel", [(), (0, 3)])
def test_the_search_finds_the_largest_gain_per_cost(seed, power, panel) -> None:
    X, y = numbers(seed)
    costs = [20, 3, 1, 20] if panel else [20, 3, 0, 1]
    names = {f"x{j}": cost for j, cost in enumerate(costs)}
    options = {"panels": {"blood": [f"x{j}" for j in panel]}} if panel else {}
    model = by_counts(
        points=(1, 2), max_questions=3, costs=names, cost_weight=power, **options
    ).fit(X, y)
    by_hand = greedy_by_hand(X, y, (1, 2), costs, {*panel}, power, 3)
    assert model.losses_[1:] == pytest.approx([loss for *_, loss in by_hand])
    found = [(int(question.input[1:]), question.points) for question in model.questions_]
    divisor = gcd(*(s for _, s, _ in by_hand))
    assert found == [(j, s // divisor) for j, s, _ in by_hand]
    assert [question.cost for question in model.questions_] == [costs[j] for j, _ in found]


def copies(cases, seed):
    """A dear input, and its cheap copy that is a little worse."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(size=cases)
    noise = rng.normal(size=(cases, 2)) * (0.1, 0.25)
    dear, cheap = (truth[:, None] + noise).T.round(2)
    ill = rng.random(cases) < 1 / (1 + np.exp(-5 * truth))
    return pl.DataFrame({"dear": dear, "cheap": cheap}), ill


def said(model):
    return [(q.input, q.condition, q.points) for q in model.questions_]


def test_the_cheap_copy_is_asked_first_and_equal_costs_change_nothing() -> None:
    X, ill = copies(900, 3)
    plain = ScoringListClassifier(policy=POLICY, folds=4).fit(X, ill)
    same = {"dear": 4, "cheap": 4}
    equal = ScoringListClassifier(policy=POLICY, folds=4, costs=same).fit(X, ill)
    assert said(plain) == said(equal)
    assert equal.weighing_reason_ is None
    assert plain.scoring_list_.stages == equal.scoring_list_.stages
    assert plain.questions_[0].input == "dear"
    costs = {"dear": 40, "cheap": 1}
    weighed = ScoringListClassifier(policy=POLICY, folds=4, costs=costs).fit(X, ill)
    assert weighed.questions_[0].input == "cheap"
    assert weighed.weighing_reason_.startswith("Cost weight ")
    assert said(ScoringListClassifier(costs=costs, cost_weight=0, folds=4).fit(X, ill)) == said(
        ScoringListClassifier(folds=4).fit(X, ill)
    )


def test_what_can_never_be_had_is_not_asked_and_left_out_cases_have_the_unknowns() -> None:
    X, ill = copies(400, 1)
    never = ScoringListClassifier(folds=3, available={"dear": 0}).fit(X, ill)
    assert {question.input for question in never.questions_} == {"cheap"}
    rare = ScoringListClassifier(
        folds=3,
        max_questions=2,
        available={"cheap": 0.5},
        fixed=["cheap"],
        published={"substitutes": False},
    ).fit(X, ill)
    for fold in rare.scoring_list_.cross_validation.folds:
        place = [question.input for question in fold.questions].index("cheap")
        unknown = sum(p.cases for p in fold.left_out.patterns if p.answers[place] == "?")
        assert unknown == pytest.approx(sum(p.cases for p in fold.left_out.patterns) / 2)
        assert not any("?" in pattern.answers for pattern in fold.inside.patterns)


def test_a_case_counts_in_parts_at_the_bedside() -> None:
    age, crp = Question("age", 1), Question("crp", 1)
    found = at_the_bedside(Evidence((Pattern("11", 8, 4), Pattern("1?", 2, 0))), [age, crp],
                           {"crp": 0.75, "hb": 0.1})  # fmt: skip
    assert {p.answers: (p.cases, p.positives) for p in found.patterns} == {
        "11": (6, 3), "1?": (2 + 2, 1),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"costs": {"x0": -1}}, "costs: -1 came for 'x0', expected a number from 0 on."),
        ({"costs": {"x0": "dear"}}, "costs: 'dear' came for 'x0', expected a number from 0 on."),
        ({"costs": {"crp": 1}}, "costs: 'crp' is not an input; the inputs are 'x0', 'x1',"),
        ({"available": {"x0": 1.5}}, "available: 1.5 came for 'x0', expected a share from 0 to 1."),
        ({"panels": {"blood": ["x0"]}}, "panels: 'blood' has 1 input; at least two are bought"),
        (
            {"panels": {"blood": ["x0", "x1"]}, "costs": {"x0": 1, "x1": 2}},
            "costs: the panel 'blood' has 1, 2; expected one, because it is paid once.",
        ),
        ({"cost_weight": -1}, "cost_weight: -1 came, expected 'auto' or a number from 0 on."),
        (
            {"cost_weight": 1, "published": {"lookahead": 2}},
            "costs are weighed question by question; expected 0",
        ),
        ({"available": {"x0": 0}, "fixed": ["x0"]}, "fixed: 'x0' is to be asked, but available"),
    ],
)
def test_mistakes_are_named_in_one_line(options, message) -> None:
    X, y = numbers(0, 60)
    with pytest.raises(LearningError) as refusal:
        ScoringListClassifier(**options).fit(X, y)
    assert message in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_more_than_the_cases_have_cannot_be_available() -> None:
    X, y = numbers(0, 60)
    X[:30, 0] = np.nan
    with pytest.raises(LearningError, match=r"0\.9 came for 'x0', but 50% of the cases have it"):
        ScoringListClassifier(available={"x0": 0.9}).fit(X, y)


# Substitutes --------------------------------------------------------------------------------------


def often_missing(cases=500, seed=5):
    """x0 says most and x1 nearly the same, each unknown for two of five; x2 says a little."""
    rng = np.random.default_rng(seed)
    truth, other = rng.normal(size=(2, cases))
    y = rng.random(cases) < 1 / (1 + np.exp(-4 * truth - other))
    X = np.column_stack((truth, 10 - truth + 0.3 * rng.normal(size=cases), other)).round(2)
    X[:, :2][rng.random((cases, 2)) < 0.4] = np.nan
    return X, y


@pytest.fixture(scope="module")
def substituted():
    X, y = often_missing()
    return ScoringListClassifier(policy=POLICY, max_questions=3).fit(X, y)


def test_what_answers_nearly_the_same_becomes_a_substitute(substituted) -> None:
    stands_for = {one.input: one.if_unknown for one in substituted.questions_ if one.if_unknown}
    assert len(stands_for) == 1
    ((name, other),) = stands_for.items()
    assert {name, other.input} == {"x0", "x1"}
    # x1 falls where x0 rises.
    kinds = {one.condition.kind for one in substituted.questions_ if one.input == name}
    assert {other.condition.kind} | kinds == {">=", "<"}
    assert "has a substitute" in substituted.weighing_reason_
    folds = substituted.scoring_list_.cross_validation.folds
    assert any(one.if_unknown for fold in folds for one in fold.questions)


def test_counts_are_those_of_answers_with_substitutes(substituted) -> None:
    X, y = often_missing()
    frame = pl.DataFrame(X, [f"x{j}" for j in range(3)], nan_to_null=True)
    counts = {}
    for row, ill in zip(frame.iter_rows(named=True), y, strict=True):
        answers = substituted.scoring_list_.answers(
            {q: row[q] for q in row if q in asked(substituted)}
        )
        key = "".join("?" if one is None else str(int(one)) for one in answers)
        cases, positives = counts.get(key, (0, 0))
        counts[key] = cases + 1, positives + int(ill)
    found = substituted.scoring_list_.evidence.patterns
    assert {one.answers: (one.cases, one.positives) for one in found} == counts


def asked(model):
    return inputs_of(model.questions_)


def test_without_missing_values_substitutes_change_nothing() -> None:
    X, y = numbers(4)
    lists = [
        ScoringListClassifier(policy=POLICY, published={"substitutes": one}, folds=3)
        .fit(X, y)
        .scoring_list_
        for one in (True, False)
    ]
    assert lists[0] == lists[1]


def test_what_cannot_be_had_is_answered_by_the_substitute() -> None:
    crp = Question("crp", 1, Condition(">=", 5), if_unknown=Substitute("esr"))
    # Behind the answers to both questions that of the substitute.
    found = Evidence((Pattern("101", 10, 4), Pattern("00?", 6, 1)))
    kept = at_the_bedside(found, (crp, Question("age", 1)), {"crp": 0.5})
    assert {one.answers: (one.cases, one.positives) for one in kept.patterns} == {
        "10": (10, 4),
        "00": (3, 0.5),
        "?0": (3, 0.5),
    }


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        (Substitute("x9"), "'x9' is not an input"),
        (Substitute("x2"), "the substitute 'x2' has numbers; give its cut-off"),
    ],
)
def test_bad_substitutes_of_given_questions_are_refused(other, reason) -> None:
    X, y = often_missing(60)
    given = Question("x0", 1, Condition(">=", 0), if_unknown=other)
    with pytest.raises(LearningError, match=reason):
        ScoringListClassifier(fixed=[given]).fit(X, y)


def test_a_cut_off_gains_so_much_by_chance() -> None:
    assert chance_gain(1024) == 10 / 1024
    assert chance_gain(1) == 0


def test_inputs_of_one_price_differ_where_a_panel_is_paid_once() -> None:
    prices = {"a": 5.0, "b": 5.0}
    assert not Spending(prices).differ(prices)
    assert Spending(prices, {"a": "blood", "b": "blood"}).differ(prices)


def test_a_cheap_list_that_decides_far_fewer_is_not_taken() -> None:
    rng = np.random.default_rng(4)
    y = rng.random(400) < 0.5
    X = np.column_stack([y + 0.15 * rng.normal(size=400), y + 3 * rng.normal(size=400)])
    model = ScoringListClassifier(
        max_questions=1, costs={"x0": 1e6, "x1": 1}, policy=StoppingPolicy(0.1, 0.9)
    ).fit(X.round(2), y)
    assert [question.input for question in model.questions_] == ["x0"]


def test_what_is_cheap_is_not_asked_where_it_decides_far_fewer() -> None:
    """The dear input lets a third stop, the cheap one nobody: costs weigh less than that."""
    rng = np.random.default_rng(0)
    ill = (rng.random(600) < 0.4).astype(int)
    dear = np.where(ill == 1, rng.random(600) < 0.8, rng.random(600) < 0.02)
    cheap = np.where(rng.random(600) < 0.3, 1 - ill, ill)
    X = np.column_stack([dear, cheap]).astype(float)
    limits = StoppingPolicy(0.001, 0.85)
    settings = {"costs": {"x0": 100, "x1": 1}, "max_questions": 1, "folds": 5, "policy": limits}
    model = ScoringListClassifier(**settings).fit(X, ill)
    assert [question.input for question in model.questions_] == ["x0"]
    always = ScoringListClassifier(**settings, cost_weight=1).fit(X, ill)
    assert [question.input for question in always.questions_] == ["x1"]

"""What the pages say is enough to apply a list: a reader made from them agrees with `apply`."""

from __future__ import annotations

import ast
import json
import math
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from scorecard import apply
from scorecard.core.model import Condition, Question, Risk, ScoringList, Stage, possible_totals
from scorecard.core.policy import StoppingPolicy
from scorecard.core.question import Substitute, with_substitutes
from scorecard.documents.json_document import dumps
from scorecard.documents.values import tree_of
from scorecard.errors import PolicyError
from tests import reader
from tests.exhaustive import many
from tests.lists import counted

KINDS = ("yes", "no", ">=", "<", "in", "not in", "missing", "present")
LISTS, CASES = many(100), 25


def question(number: int, points: int, chance: random.Random) -> Question:
    kind: Any = chance.choice(KINDS)
    choices = chance.choice([(), ("red", "green", "blue", "1")])
    if kind in (">=", "<"):
        condition = Condition(kind, chance.choice([5, 0.5, -2, 38.25]))
    elif kind in ("in", "not in"):
        named = ("red", "1")[: chance.randint(1, 2)]
        condition = Condition(kind, categories=named, choices=choices)
    else:
        condition = Condition(kind)
    return Question(f"q{number}", points, condition)


def substituted(one: Question, number: int, chance: random.Random) -> Question:
    """The same question, sometimes with what is asked where it is unknown."""
    other = question(number, 1, chance)
    if one.condition.is_presence or other.condition.is_presence or chance.random() < 0.5:
        return one
    return replace(one, if_unknown=Substitute(f"s{number}", other.condition))


def random_list(chance: random.Random) -> ScoringList:
    points = tuple(chance.choice([-2, -1, 1, 2, 3]) for _ in range(chance.randint(1, 4)))
    asked = tuple(
        substituted(question(number, value, chance), number, chance)
        for number, value in enumerate(points)
    )
    if chance.random() < 0.3:  # published: no counts, some stages without risks
        stages: list[Stage | None] = []
        for totals in possible_totals(points):
            risks = sorted(round(chance.random(), 2) for _ in totals)
            stages.append(Stage(totals, tuple(map(Risk, risks))))
        hidden = [chance.random() < 0.3 for _ in stages[:-1]]
        kept = [None if hide else one for hide, one in zip([*hidden, False], stages, strict=True)]
        return ScoringList(asked, tuple(kept))
    patterns = {}
    for _ in range(chance.randint(3, 12)):
        answers = "".join(chance.choice("00011110?") for _ in points)
        cases = chance.randint(1, 80)
        patterns[answers] = (
            cases,
            min(cases, round(cases * chance.choice([0, 0.02, 0.4, 0.97, 1]))),
        )
    found = replace(counted(points, patterns), questions=asked)
    return found if chance.random() < 0.7 else replace(found, evidence=None)


def priced(scoring_list: ScoringList, chance: random.Random) -> ScoringList:
    """The same list, where some inputs and substitutes have costs, and some are of one panel."""

    def price() -> dict[str, Any]:
        return {"cost": chance.choice([None, 0, 2, 7.5]), "panel": chance.choice(["", "", "blood"])}

    asked = (replace(one, **price()) for one in scoring_list.questions)
    return replace(
        scoring_list,
        questions=tuple(
            replace(one, if_unknown=one.if_unknown and replace(one.if_unknown, **price()))
            for one in asked
        ),
    )


def random_policy(chance: random.Random) -> StoppingPolicy:
    return StoppingPolicy(
        chance.choice([0.05, 0.2, 0.3]),
        chance.choice([0.6, 0.9]),
        by=chance.choice(["point", "group", "bounds", "error-control"]),
        estimate=chance.choice(["reached", "all"]),
        curtail=chance.choice(["decided", "all", "never"]),
        min_cases=chance.choice([0, 10, 40]),
    )


VALUES = ("yes", "no", "NA", "", " red", "blue", "1", "0", "5", "4.9", "38.25", "-2", "unbekannt")


def columns(scoring_list: ScoringList, chance: random.Random) -> dict[str, list[str]]:
    """Values that each question can read, some of them unknown."""
    found = {}
    for one in with_substitutes(scoring_list.questions):
        good = [value for value in VALUES if is_read(one, value)]
        found[one.input] = [chance.choice(good) for _ in range(CASES)]
    return found


def is_read(one: Question, value: str) -> bool:
    try:
        reader.read(tree_of(one) | {"condition": tree_of(one.condition)}, value)
    except ValueError:
        return False
    return True


def told_besides(model: Any, policy: Any, case: dict[str, str], told: dict[str, Any]) -> Any:
    """What the page says about groups, unknown answers and costs, beside what a reader decides."""
    asked = model["questions"][: len(reader.built(model, policy)) - 1]
    given = [
        next((o for o in ways_of(one) if reader.read(o, case.get(o["input"])) is not None), None)
        for one in asked
    ]
    used = list(zip(asked, given, strict=True))[: told["stage"]]
    unknown = dict.fromkeys(one["input"] for one, by in used if by is None)
    groups = policy["chosen_by"] == "data" and (policy["rule_out"] > 0 or policy["rule_in"] < 1)
    plain = {"undecided": "final risk"} if policy["rule_out"] == 1 - policy["rule_in"] == 0 else {}
    named = (GROUPS if groups else plain).get(told["decision"], told["decision"])
    found = {"decision": named, "unknown": "; ".join(unknown)}
    prices: dict[str, list[float | None]] = {}
    for one in (way for question in asked for way in ways_of(question)):
        prices.setdefault(one.get("panel") or one["input"], []).append(one.get("cost"))
    if any(cost is not None for costs in prices.values() for cost in costs):
        bought = {by.get("panel") or by["input"] for _, by in used if by}
        found["cost"] = sum(max(cost or 0 for cost in prices[one]) for one in bought)
    return found


GROUPS = {"rule out": "low risk", "rule in": "high risk", "undecided": "in between"}


def ways_of(question: Any) -> list[Any]:
    """The question, and its substitute if it has one."""
    return [question, *([question["if_unknown"]] if "if_unknown" in question else [])]


def test_a_reader_made_from_the_pages_agrees_with_apply() -> None:
    tried = costs = 0
    for seed in range(2 * LISTS):
        chance = random.Random(seed)
        scoring_list, policy = random_list(chance), random_policy(chance)
        if seed % 2:
            scoring_list, policy = priced(scoring_list, chance), replace(policy, chosen_by="data")
        if seed % 10 == 4:
            policy = replace(policy, rule_out=0.0, rule_in=1.0)
        table = columns(scoring_list, chance)
        try:
            rows = apply(scoring_list, pl.DataFrame(table), policy=policy).rows(named=True)
        except PolicyError:
            continue  # nothing to ask under these limits, or no ranges for them
        model = json.loads(dumps(scoring_list))
        for row in rows:
            case = {name: row[name] for name in table}
            limits = tree_of(policy)
            told = reader.apply(model, limits, case)
            told |= told_besides(model, limits, case, told)
            assert ("cost" in told) == ("cost" in row)
            for name, value in told.items():
                assert same(value, row[name]), (seed, name, value, row)
        tried += 1
        costs += "cost" in rows[0]
    assert tried >= LISTS
    assert costs >= LISTS / 4


def same(one: Any, other: Any) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)
    return bool(one == other)


def test_the_reader_is_short_and_shares_nothing(root: Path) -> None:
    text = (root / "tests/reader.py").read_text(encoding="utf-8")
    tree = ast.parse(text)
    documented = [one for one in ast.walk(tree) if isinstance(one, (ast.Module, ast.FunctionDef))]
    told = sum(len((ast.get_docstring(one) or "").splitlines()) for one in documented)
    assert len([line for line in text.splitlines() if line.strip()]) - told <= 190
    imports = [one for one in ast.walk(tree) if isinstance(one, ast.ImportFrom)]
    assert not [one for one in imports if str(one.module).startswith(("scorecard", "tests"))]

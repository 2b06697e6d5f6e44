"""What looks wrong in a table is told; what is merely strong or large is not."""

import random
from pathlib import Path

import polars as pl
import pytest

from scorecard.tables.cases import Cases, read_cases
from scorecard.tables.suspicions import doubts

CHANCE = random.Random(3)
ILL = [CHANCE.random() < 0.4 for _ in range(200)]


def cases(**columns: list[float | str | None]) -> Cases:
    return read_cases(pl.DataFrame({**columns, "ill": ILL}), "ill")


def told(**columns: list[float | str | None]) -> list[str]:
    return [doubt.message for doubt in doubts(cases(**columns))]


def places(ill: bool) -> list[int]:
    return [place for place, one in enumerate(ILL) if one == ill]


def noise(low: float, high: float) -> list[float | str | None]:
    return [CHANCE.uniform(low, high) for _ in ILL]


@pytest.mark.parametrize(
    "column",
    [
        [1.0 if ill else 0.0 for ill in ILL],
        [CHANCE.uniform(0, 1) - 5 * ill for ill in ILL],
        ["discharged dead" if ill else "discharged alive" for ill in ILL],
        [None if place % 3 else "x" if ill else "y" for place, ill in enumerate(ILL)],
    ],
)
def test_a_column_that_tells_the_outcome(column: list[float | str | None]) -> None:
    (message,) = told(end=column, age=noise(20, 90))
    assert message.startswith("Column 'end' alone tells the outcome (AUC 1.000)")
    assert message.endswith("it is left out unless you say `keep='end'`.")


def test_a_strong_column_is_no_reason_to_doubt() -> None:
    strong = [CHANCE.gauss(2 * ill, 1) for ill in ILL]
    rare = [f"ward {CHANCE.randrange(90)}" for _ in ILL]
    assert told(marker=strong, ward=rare) == []


@pytest.mark.parametrize("rare", [True, False])
def test_few_cases_come_in_order_by_chance(rare: bool) -> None:
    known = [*places(rare)[:3], *places(not rare)[:5]]
    few = [float(ill) if place in known else None for place, ill in enumerate(ILL)]
    (message,) = told(few=few)
    assert message.startswith("Column 'few' has a value in 8 of 200 cases only")


@pytest.mark.parametrize("code", [999.0, -9.0, -99.0, 9999.0, 888.0])
def test_a_number_that_may_stand_for_unknown(code: float) -> None:
    ages = noise(20, 90)
    ages[3] = ages[40] = code
    (message,) = told(age=ages)
    assert message.startswith(f"Column 'age' has {code:g} in 2 cases, far from the others (2")
    assert message.endswith("if it stands for unknown, empty these cells.")


def test_two_codes_are_both_told() -> None:
    ages = noise(20, 90)
    ages[3], ages[40] = -999.0, 999.0
    assert len(told(age=ages)) == 2


@pytest.mark.parametrize("value", [99.0, 77.0, 412.5, -3.0])
def test_a_large_number_is_just_large(value: float) -> None:
    ages = noise(20, 90)
    ages[3] = value
    assert told(age=ages) == []


def most_of(value: str, other: str) -> list[float | str | None]:
    """One word for two of three ill cases and nobody else."""
    return [value if ill and place % 3 else other for place, ill in enumerate(ILL)]


@pytest.mark.parametrize(("value", "other"), [("yes", "no"), ("ICU", "ward"), ("1", "0")])
def test_a_value_that_tells_the_outcome(value: str, other: str) -> None:
    (message,) = told(end=most_of(value, other), age=noise(20, 90))
    shown = value if value == "1" else repr(value)
    count = sum(ill and place % 3 > 0 for place, ill in enumerate(ILL))
    assert message.startswith(
        f"Column 'end' tells the outcome where it is {shown} ({count} of {count} cases have the"
    )


def test_one_exception_does_not_hide_it() -> None:
    column = most_of("ICU", "ward")
    column[ILL.index(False)] = "ICU"
    assert len(told(end=column)) == 1


def test_a_sign_of_few_or_with_exceptions_is_no_reason_to_doubt() -> None:
    few = ["yes" if ill and place % 3 == 0 else "no" for place, ill in enumerate(ILL)]
    strong = most_of("yes", "no")
    for place in range(40):
        strong[place] = "yes"
    harmless = ["no" if not ill and place % 3 else "yes" for place, ill in enumerate(ILL)]
    assert told(few=few, strong=strong, harmless=harmless) == []


def test_real_tables_give_no_false_alarm() -> None:
    from sklearn.datasets import load_breast_cancer

    tumours = load_breast_cancer()
    frame = pl.DataFrame(tumours.data, list(tumours.feature_names))
    frame = frame.with_columns(malignant=pl.Series(tumours.target == 0))
    assert list(doubts(read_cases(frame, "malignant"))) == []


def test_the_liver_table_has_rows_twice_and_nothing_else(shared: Path) -> None:
    table = shared / "data" / "ilpd.csv"
    (found,) = doubts(read_cases(table, "liver_patient"))
    assert found.short == "13 rows stand there twice"

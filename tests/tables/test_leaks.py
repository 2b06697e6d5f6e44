"""What is known only once the outcome is, is named; what is merely a good sign is not."""

from random import Random

import polars as pl
import pytest

from scorecard.errors import TableError
from scorecard.tables.cases import Cases, read_cases
from scorecard.tables.suspicions import doubts, leaks, without_doubted

CHANCE = Random(5)
AGES = [float(CHANCE.randint(30, 90)) for _ in range(400)]
DEATHS = [CHANCE.expovariate(age / 60_000) for age in AGES]
ENDS = [CHANCE.uniform(400, 2000) for _ in AGES]
DAYS = [float(round(min(one))) for one in zip(DEATHS, ENDS, strict=True)]
DEAD = [death <= end for death, end in zip(DEATHS, ENDS, strict=True)]
WITHIN_A_YEAR = [death <= 365 for death in DEATHS]
NOISE = [CHANCE.gauss(0, 1) for _ in AGES]


def cohort(outcome: list[bool], **columns: object) -> Cases:
    """Patients with their age, followed until they died or the study ended."""
    frame = pl.DataFrame({"age": AGES, "noise": NOISE, **columns, "y": outcome})
    return read_cases(frame, "y")


def accused(cases: Cases) -> list[str]:
    return [name for leak in leaks(cases) for name in leak.columns]


@pytest.mark.parametrize("time", ["lenfol", "futime", "survTime", "Survival_in_days", "OS.time"])
@pytest.mark.parametrize("state", ["fstat", "status", "dead", "cens", "Vital Status", "relapse"])
def test_a_state_beside_a_time_of_follow_up(time: str, state: str) -> None:
    values = CHANCE.choices([1, 2], k=400)  # its name is enough
    assert accused(cohort(WITHIN_A_YEAR, **{time: DAYS, state: values})) == [time, state]
    both = [time, state]
    assert accused(cohort(DEAD, **dict.fromkeys(both, DAYS))) == [time]


def test_a_time_to_something_before_the_end() -> None:
    """Where it has not come, it is the time of follow-up: to a relapse, to a transplant."""
    relapse = [min(end, float(CHANCE.randint(1, 2000))) for end in DAYS]
    assert 0.2 < sum(one == end for one, end in zip(relapse, DAYS, strict=True)) / 400 < 0.9
    assert accused(cohort(DEAD, futime=DAYS, rl=relapse)) == ["futime", "rl"]
    beyond = [one + 2000 * (place % 4 == 0) for place, one in enumerate(relapse)]
    seldom = [one if place % 20 == 0 else one / 2 for place, one in enumerate(relapse)]
    assert accused(cohort(DEAD, futime=DAYS, beyond=beyond, seldom=seldom)) == ["futime"]


def test_two_ages_may_be_the_same() -> None:
    diagnosed = [age - place % 3 for place, age in enumerate(AGES)]
    assert accused(cohort(DEAD, futime=DAYS, age_at_diagnosis=diagnosed)) == ["futime"]


def test_a_time_that_is_left_out_still_shows_what_stands_beside_it() -> None:
    frame = pl.DataFrame({"age": AGES, "lenfol": DAYS, "event": [1, 2] * 200, "y": DEAD})
    assert accused(read_cases(frame, "y", drop=["lenfol"])) == ["event"]


@pytest.mark.parametrize(
    "name",
    [
        *("smoking_status", "marital status", "ecog_status", "erStatus", "disease_status", "state"),
        *("family_death", "adverse_events", "previous_relapse", "menostat", "outcome_measure"),
    ],
)
def test_innocent_states(name: str) -> None:
    assert accused(cohort(DEAD, lenfol=DAYS, **{name: CHANCE.choices([1, 2], k=400)})) == ["lenfol"]


@pytest.mark.parametrize(
    "name", ["prothrombin_time", "door to needle time", "protime", "iop_os", "wt.loss", "stop_date"]
)
def test_innocent_times(name: str) -> None:
    values = CHANCE.choices(range(20), k=400)
    assert accused(cohort(DEAD, **{name: values}, event=[1, 2] * 200)) == []


def test_without_a_time_a_state_is_named_if_it_tells_some_cases() -> None:
    assert sum(DEAD) > 1.5 * sum(WITHIN_A_YEAR)
    assert accused(cohort(WITHIN_A_YEAR, status=DEAD)) == ["status"]
    assert accused(cohort(WITHIN_A_YEAR, biopsy=DEAD)) == []
    assert accused(cohort(WITHIN_A_YEAR, status=CHANCE.choices([1, 2], k=400))) == []


def test_the_outcome_is_no_time_of_follow_up() -> None:
    frame = pl.DataFrame({"age": AGES, "event": [1, 2] * 200, "survival": DEAD})
    assert accused(read_cases(frame, "survival")) == []


@pytest.mark.parametrize("missing", ["unknown", "question"])
@pytest.mark.parametrize("with_one", [True, False])
def test_a_column_known_only_with_one_outcome(missing: str, with_one: bool) -> None:
    known = [dead == with_one and CHANCE.random() < 0.5 for dead in DEAD]
    cause = [CHANCE.choice("abc") if one else None for one in known]
    frame = pl.DataFrame({"age": AGES, "cause": cause, "y": DEAD})
    (leak,) = leaks(read_cases(frame, "y", missing=missing))
    positive = sum(known) if with_one else 0
    assert leak.message.startswith(
        f"Column 'cause' has a value in {sum(known)} cases only, of which {positive} are positive; "
    )


def test_few_values_are_known_with_one_outcome_by_chance() -> None:
    rare = [place < 25 for place in range(400)]
    common = [None if place % 10 else float(place) for place in range(400)]
    few = [float(place) if place < 9 else None for place in range(400)]
    frame = pl.DataFrame({"age": AGES, "common": [*[None] * 25, *common[25:]], "few": few})
    assert accused(read_cases(frame.with_columns(y=pl.Series(rare)), "y")) == []


def telling(share: float, measured: bool = False) -> list[float]:
    """Low in this share of those who live on for a year, and in nobody else."""
    low = {place for place, one in enumerate(WITHIN_A_YEAR) if not one}
    low = set(sorted(low)[: round(share * len(low))])
    high = [float(place not in low) for place in range(400)]
    return [one + CHANCE.uniform(0, 0.9) for one in high] if measured else high


def test_a_column_far_beyond_all_others() -> None:
    (leak,) = leaks(cohort(WITHIN_A_YEAR, delta=telling(0.75)))
    assert leak.message.startswith(
        "Column 'delta' tells 75% of the cases of one outcome from nearly all of the other, and"
        " 'noise', the next"
    )
    assert accused(cohort(WITHIN_A_YEAR, delta=telling(0.6))) == []
    assert accused(cohort(WITHIN_A_YEAR, marker=telling(0.8, measured=True))) == []
    assert accused(cohort(WITHIN_A_YEAR, marker=telling(0.9, measured=True))) == ["marker"]
    assert accused(cohort(WITHIN_A_YEAR, delta=telling(0.75), other=telling(0.5))) == []
    words = ["low" if one < 1 else "high" for one in telling(0.75)]
    assert accused(cohort(WITHIN_A_YEAR, delta=words)) == ["delta"]


def test_of_few_cases_one_side_is_pure_by_chance() -> None:
    ill = [place < 19 for place in range(400)]
    column = [1.0 if place < 100 else 2.0 for place in range(400)]
    assert accused(cohort(ill, column=column)) == []
    assert accused(cohort([place < 20 for place in range(400)], column=column)) == ["column"]


def test_the_strongest_real_signs_are_no_leaks_even_beside_weak_ones() -> None:
    from sklearn.datasets import load_breast_cancer

    tumours = load_breast_cancer()
    malignant = pl.Series(tumours.target == 0)
    noise = [CHANCE.gauss(0, 1) for _ in malignant]
    for name, values in zip(tumours.feature_names, tumours.data.T, strict=True):
        frame = pl.DataFrame({str(name): values, "noise": noise}).with_columns(y=malignant)
        assert accused(read_cases(frame, "y")) == [], name


def test_what_a_person_keeps_is_told_and_used() -> None:
    cases = cohort(DEAD, lenfol=DAYS, status=[1, 2] * 200)
    found = list(doubts(cases, kept={"status"}))
    used = without_doubted(cases, found)
    assert used.inputs.columns == ["age", "noise", "status"]
    assert used.dropped == (("lenfol", "it may end where the outcome happens"),)
    state, time = sorted((doubt.message for doubt in found), reverse=True)
    assert state.endswith("a time of follow-up, 'lenfol'; it is used, because you name it.")
    assert time.endswith("; it is left out unless you say `keep='lenfol'`.")


def test_a_table_of_nothing_else_is_refused() -> None:
    frame = pl.DataFrame({"time": DAYS, "status": [1, 2] * 200, "y": DEAD})
    cases = read_cases(frame, "y")
    with pytest.raises(TableError, match=r"'time', 'status' may be no inputs; keep one with `keep"):
        without_doubted(cases, list(doubts(cases)))

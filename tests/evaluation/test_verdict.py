"""The verdict on eight tables is what a statistician would say of them."""

import json
import re
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from sklearn.datasets import load_breast_cancer

from scorecard import ScoringListClassifier, StoppingPolicy, evaluate, make_report
from scorecard.core.performance import Ends
from scorecard.evaluation.report import report_of
from scorecard.evaluation.verdict import Findings, advice, auc_interval
from scorecard.evaluation.view import Judged, estimate

RNG = np.random.default_rng(11)


def patients(count, signal, seed=0):
    """Age, two tests and noise; the outcome depends on the first three as much as `signal` says."""
    generator = np.random.default_rng(seed)
    age, crp = generator.integers(20, 90, count), generator.gamma(2.0, 20.0, count).round()
    sign = generator.integers(0, 2, count)
    told = (age - 55) / 20 + (crp - 40) / 25 + 1.5 * (sign - 0.5)
    ill = generator.random(count) < 1 / (1 + np.exp(-signal * told + 0.5))
    noise = {f"noise_{place}": generator.normal(size=count).round(2) for place in range(4)}
    return pl.DataFrame({"age": age, "crp": crp, "sign": sign, **noise, "ill": ill})


def with_a_treatment():
    """Given to nearly all who turned out to be ill, and to hardly anybody else."""
    table = patients(400, 0.8)
    given = np.where(RNG.random(400) < 0.99, table["ill"].to_numpy(), ~table["ill"].to_numpy())
    return table.with_columns(antibiotics=pl.Series(given))


def with_repeated_rows():
    """Every patient was exported twice."""
    table = patients(200, 0.8)
    return pl.concat([table, table]).sample(fraction=1, shuffle=True, seed=1)


def breast_masses(count=10):
    found = load_breast_cancer(as_frame=True)
    columns = list(found.data.columns[:count])
    return pl.from_pandas(found.data[columns]).with_columns(ill=pl.Series(found.target == 0))


TABLES = {
    "leaky: a treatment": (with_a_treatment, "do not use", "antibiotics"),
    "leaky: rows twice": (with_repeated_rows, "do not use", "stand there twice"),
    "tiny: 30 cases": (lambda: patients(30, 1.0), "do not use", "too few cases"),
    "tiny: 12 positives": (
        lambda: pl.concat(
            [
                patients(400, 2.0).filter(pl.col("ill") == one).head(count)
                for one, count in ((True, 12), (False, 150))
            ]
        ),
        "do not use",
        "too few cases",
    ),
    "weak: noise": (lambda: patients(500, 0.0), "do not use", "chance|base rate"),
    "weak: hardly a signal": (lambda: patients(900, 0.12), "do not use", "chance|base rate"),
    "strong: simulated": (lambda: patients(1500, 2.0), "validate first", "its own table"),
    "strong: breast masses": (breast_masses, "validate first", "its own table"),
}


LEARNER = ScoringListClassifier(max_questions=4)


def judged(model, table, **how):
    return report_of(evaluate(model, table, "ill", **how)).advice


@pytest.mark.parametrize("name", TABLES)
def test_what_a_statistician_would_say(name):
    make, use, reason = TABLES[name]
    found = judged(LEARNER, make(), splits=8, jobs=1)
    assert found.use == use
    assert re.search(reason, found.reason), found.reason
    assert found.figures[0][0] == "AUC"
    assert found.sentence.startswith(
        {"do not use": "Do not use it. "}.get(use, "Validate it first. ")
    )


def test_a_few_rows_that_stand_there_twice_are_noted():
    table = patients(600, 2.0)
    found = report_of(
        evaluate(LEARNER, pl.concat([table, table.head(12)]), "ill", splits=4, jobs=1)
    )
    assert found.advice.use == "validate first"
    assert any("12 of 612 rows are the same" in one for one in found.warnings)


def test_rows_of_one_patient_that_are_named_are_no_doubt():
    table = pl.concat([patients(200, 2.0).with_row_index("who")] * 2)
    found = judged(LEARNER, table, splits=8, jobs=1, group="who")
    assert found.use == "validate first"
    assert not re.search("patient", found.reason)


# A finished list on new cases --------------------------------------------------------------------

STRONG = ScoringListClassifier(max_questions=4, policy=StoppingPolicy(0.1, 0.85, by="bounds")).fit(
    *(lambda table: (table.drop("ill"), table["ill"]))(patients(2000, 2.0))
)


def with_outcome(table, ill):
    return table.with_columns(ill=pl.Series(ill))


NEW = patients(3000, 2.0, seed=1)
RATHER_RARE = with_outcome(
    NEW, NEW["ill"].to_numpy() & (np.random.default_rng(2).random(3000) < 0.6)
)


@pytest.mark.parametrize(
    ("table", "use", "reason"),
    [
        (NEW, "use it", "keeps its limits, and its risks fit"),
        (NEW.head(150), "validate first", "too few new cases"),
        (NEW.head(25), "validate first", "too few cases to tell"),
        (patients(2000, 2.0), "validate first", "chose it"),
        (patients(2000, 0.0, seed=3), "do not use", "chance|base rate"),
        (RATHER_RARE, "do not use", "do not keep the limit|do not fit"),
    ],
    ids=["confirmed", "some", "few", "its own", "noise", "another prevalence"],
)
def test_on_new_cases(table, use, reason):
    found = judged(STRONG, table)
    assert found.use == use, found.sentence
    assert re.search(reason, found.reason), found.reason


# One rule at a time ------------------------------------------------------------------------------

RARER, RATIO, SLOPE = "Cases with the rarer outcome", "Observed / expected", "Calibration slope"
DECIDED = "Decided", "70 of 100; 30 need another way"
BRIERS = "Brier score", "0.140 (of the base rate alone: 0.240)"
LIST = STRONG.scoring_list_
ENDS = Ends({(1, "rule out"): (400, 4), (2, "rule in"): (300, 290), (4, "undecided"): (300, 120)})
SURE = (0.05,) * 3, (0.9,) * 3
GOOD = Findings(
    (0.85, 0.82, 0.88),
    414,
    True,
    (0.14, 0.24),
    Judged(LIST, LIST.policy, ENDS, *SURE, 414, 586, ("yes", "")),
    ratio=(1.02, 0.95, 1.09),
    slope=(0.97, 0.85, 1.1),
    is_new=True,
)


@pytest.mark.parametrize(
    ("changes", "use", "figure"),
    [
        ({}, "use it", DECIDED),
        ({"is_new": False}, "validate first", DECIDED),
        ({"chose_it": True}, "validate first", DECIDED),
        ({"auc": (0.995, 0.99, 1.0)}, "validate first", DECIDED),
        ({"rarer": 70}, "validate first", (RARER, "70 (about 100 are needed)")),
        ({"rarer": 19}, "validate first", (RARER, "19 (about 100 are needed)")),
        ({"rarer": 19, "is_new": False}, "do not use", (RARER, "19 (about 100 are needed)")),
        ({"auc": (0.58, 0.54, 0.62)}, "do not use", BRIERS),
        ({"helps": False}, "do not use", BRIERS),
        ({"ratio": (1.4, 1.3, 1.5)}, "do not use", (RATIO, "1.400 (1.300 to 1.500)")),
        ({"ratio": (1.4, 0.9, 1.9)}, "use it", DECIDED),
        ({"ratio": (1.1, 1.05, 1.15)}, "use it", DECIDED),
        ({"slope": (0.5, 0.4, 0.6)}, "do not use", (SLOPE, "0.500 (0.400 to 0.600)")),
        ({"judged": None, "refused": "no."}, "do not use", (RARER, "414 (about 100 are needed)")),
        ({"doubted": ("One.", "Two.")}, "do not use", ("Reasons to doubt the table", "2")),
    ],
)  # fmt: skip
def test_the_first_rule_that_speaks(changes, use, figure):
    found = advice(replace(GOOD, **changes))
    assert (found.use, found.figures[1]) == (use, figure)
    assert found.figures[0] == ("AUC", estimate(changes.get("auc", GOOD.auc)))


def ending(**counts):
    """The same, with other counts of those who are ruled out and in."""
    ends = {
        (1, "rule out"): counts.get("out", (400, 4)),
        (2, "rule in"): counts.get("into", (300, 290)),
        (4, "undecided"): (300, 120),
    }
    return replace(GOOD, judged=replace(GOOD.judged, ends=Ends(ends)))


@pytest.mark.parametrize(
    ("counts", "use"),
    [
        ({"out": (400, 40)}, "do not use"),
        ({"into": (300, 240)}, "do not use"),
        ({"out": (400, 16)}, "validate first"),
        ({"out": (0, 0), "into": (0, 0)}, "do not use"),
    ],
    ids=["missed", "false alarms", "not shown", "nobody"],
)
def test_limits_that_are_broken_not_shown_or_idle(counts, use):
    assert advice(ending(**counts)).use == use


def test_a_list_that_decides_few_is_told_so():
    few = advice(ending(out=(40, 0), into=(10, 10)))
    assert few.use == "validate first"
    assert few.reason.endswith("It decides few.")
    assert "few" not in advice(GOOD).reason


def test_every_verdict_has_its_words_in_the_report_and_in_json():
    found = evaluate(STRONG, NEW, "ill")
    page, content = make_report(found).decode(), json.loads(make_report(found, "json"))
    assert page.index("Use it") < page.index("Of 100 new patients")
    assert content["verdict"]["use"] == "use it"
    assert [value for _, value in content["verdict"]["figures"]] == [
        value for _, value in report_of(found).advice.figures
    ]


def test_the_paragraph_for_a_paper_has_the_figures_of_the_report():
    found = evaluate(STRONG, NEW, "ill")
    report = report_of(found)
    text = report.facts["paragraph_for_a_paper"]
    assert estimate(found.last["auc"]) in text
    assert estimate(found.observed_to_expected) in text
    for sentence in report.facts["judged"].sentences():
        assert sentence in text
    assert "3000 cases, of which 1296 (43.2 %)" in text
    resampled = evaluate(LEARNER, patients(300, 1.0), "ill", splits=3, jobs=1)
    text = report_of(resampled).facts["paragraph_for_a_paper"]
    assert "was learned from 300 cases" in text
    assert "10 folds" in text
    assert not set("▼▲◆{}") & set(text)


def test_the_checklist_says_what_is_known_and_what_the_author_has_to_write():
    table = patients(300, 1.0).with_columns(
        crp=pl.when(pl.col("age") > 80).then(None).otherwise("crp")
    )
    found = report_of(evaluate(LEARNER, table, "ill", splits=3, jobs=1)).facts["checklist"]
    told = {one.name: one for one in found}
    assert len(told) == len(found) == 32
    assert "crp" in told["Missing data"].text
    assert (
        told["Ethics"].text
        == "The author has to write: approval and consent, or why none was needed"
    )
    assert not told["Ethics"].is_filled
    assert told["Predictors"].is_filled


@pytest.mark.parametrize(("positives", "negatives"), [(20, 80), (7, 5), (300, 100)])
def test_by_chance_the_interval_of_an_auc_is_that_of_the_rank_sum(positives, negatives):
    _, lower, upper = auc_interval(0.5, positives, negatives)
    variance = (positives + negatives + 1) / (12 * positives * negatives)
    assert (upper - lower) / 2 == pytest.approx(1.959964 * np.sqrt(variance), rel=1e-6)


@pytest.mark.parametrize("kind", ["external", "resampled"])
def test_results_show_themselves(kind):
    found = (
        evaluate(STRONG, NEW.head(300), "ill")
        if kind == "external"
        else evaluate(LEARNER, patients(200, 1.0).rename({"crp": "<b>"}), "ill", splits=2, jobs=1)
    )
    report = report_of(found)
    assert str(found).splitlines()[1] == report.advice.sentence
    page = found._repr_html_()
    assert report.advice.headline in page
    assert "<style" not in page
    assert "<b>" not in page.replace('<b class="user">', "")
    assert len(repr(found)) < 100
    frame = found.to_frame("polars")
    own = frame if kind == "external" else frame.filter(pl.col("method") == "scoring list")
    assert own["questions"].to_list() == [*range(own.height)]
    auc = found.last["auc"] if kind == "external" else found.curve("list", "auc").means[-1:]
    assert own["auc"][-1] == auc[0]
    assert own["auc_lower"][-1] <= own["auc"][-1] <= own["auc_upper"][-1]


@pytest.mark.parametrize(("columns", "show_less"), [(10, True), (30, False)])
def test_why_the_card_leaves_another_share_undecided(columns, show_less):
    found = evaluate(ScoringListClassifier(), breast_masses(columns), "ill", splits=6, jobs=1)
    (told,) = [one for one in report_of(found).findings if one.startswith("The card leaves")]
    card, lists = map(
        int, re.findall(r"(\d+) of 100 undecided, the lists judged here (\d+)", told)[0]
    )
    assert (lists > card, "show less" in told, "limits of its own" in told) == (
        show_less,
        show_less,
        not show_less,
    )

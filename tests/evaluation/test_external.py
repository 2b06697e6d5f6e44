"""A finished list on new cases: what is judged, what is refused, and recalibration."""

import json
from dataclasses import replace

import numpy as np
import pytest

from scorecard.core.build_staircase import build_staircase
from scorecard.core.evidence import Tally, Validation
from scorecard.core.model import with_positive_points
from scorecard.core.performance import Ends, kept, rate
from scorecard.core.policy import StoppingPolicy
from scorecard.errors import TableError
from scorecard.evaluation.external import (
    NewCases,
    evaluate_list,
    group_labels,
    read_new_cases,
    recalibrated,
)
from scorecard.evaluation.measures import calibration_line
from scorecard.evaluation.report import report_of
from scorecard.evaluation.view import Judged
from scorecard.evaluation.write import external_json, report_pdf
from tests.cross_validated import cross_validated_list
from tests.evaluation import pages
from tests.lists import MARBURG, TABLE_1

# 4 cases with total −1, risk 0.1; 4 with total 3, risk 0.9; one unknown; one without outcome
ROWS = (
    ["no,yes,yes,no,0"] * 3
    + ["no,yes,yes,no,1"]
    + ["yes,no,no,yes,1"] * 3
    + ["yes,no,no,yes,0"]
    + ["yes,unknown,no,yes,1"]
    + ["yes,no,no,yes,"]
)

POLICY = StoppingPolicy(0.1, 0.9, by="point")


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "new.csv"
    path.write_text("\n".join(["f3,f1,f2,f4,ill", *ROWS]) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def found(table):
    cases = read_new_cases(table, TABLE_1, "ill")
    return evaluate_list(TABLE_1, cases, POLICY)


def test_counts_by_total(found):
    assert (found.cases, found.positives, found.new.without_outcome) == (9, 5, 1)
    assert found.by_total[-1].observed == rate(1, 4)
    assert found.by_total[3].observed == rate(3, 4)
    assert found.by_total[0].observed is None
    assert found.unknown == (0, 0, 1, 1, 1)


def test_brier_by_hand(found):
    value, lower, upper = found.stages[4]["brier"]
    # the one with an unknown answer keeps its risk after one question, 0.4
    by_hand = (3 * 0.1**2 + 0.9**2 + 3 * 0.1**2 + 0.9**2 + 0.6**2) / 9
    assert value == pytest.approx(by_hand)
    assert lower < value < upper


def test_expected_and_observed(found):
    value, lower, upper = found.observed_to_expected
    assert value == pytest.approx(5 / (4 * 0.1 + 4 * 0.9 + 0.4))
    assert lower < 1 < upper


def test_stops_by_every_rule_that_can_be_applied(found):
    assert found.ends["point"].missed == rate(1, 4)
    assert "bounds" in found.refused
    assert "needs ranges" in found.refused["bounds"]


def test_the_report_has_a_dash_and_its_reason(found):
    totals = pages.tables(found)["Predicted and observed risk by total"]
    assert ("0", "20.0 %", "–") in totals.rows
    assert totals.texts["li"] == ["“–”: no case has this total."]
    assert any("rough guide" in line for line in report_of(found).warnings)
    assert "NaN" not in external_json(found)
    assert json.loads(external_json(found))["outcome"]["positives"] == 5


def test_recalibration_keeps_the_questions_and_takes_the_risks_of_the_cases(table):
    new = recalibrated(TABLE_1, read_new_cases(table, TABLE_1, "ill"))
    assert new.questions == TABLE_1.questions
    assert new.base_rate == pytest.approx(5 / 9)
    assert new.stages[4].risk(3).probability == 0.75
    assert new.risk_source.origin == "held-out"
    assert new.about.source == "risks recalibrated on 9 cases of new.csv"
    assert not new.about.validation  # nobody has tried these risks elsewhere
    assert build_staircase(new, StoppingPolicy(0.3, 0.7, by="point"))


def test_recalibrated_on_the_cases_that_chose_the_questions_it_says_so(table):
    cases = read_new_cases(table, TABLE_1, "ill")
    learned = replace(TABLE_1, provenance=(("table sha256", cases.sha256),))
    assert recalibrated(learned, cases).risk_source.origin == "training"


def test_recalibration_drops_what_was_found_with_other_risks(table):
    found = StoppingPolicy(0.3, 0.7, chosen_by="data")
    own = StoppingPolicy(0.3, 0.7)
    test = Validation("x", "other table", own, Tally((1, 0), (0, 0), (0, 0), 1.0))
    cases = read_new_cases(table, TABLE_1, "ill")
    new = recalibrated(replace(TABLE_1, policy=found, validations=(test,)), cases)
    assert (new.policy, new.validations, new.cross_validation) == (None, (), None)
    assert recalibrated(replace(TABLE_1, policy=own), cases).policy == own


# --- validation -----------------------------------------------------------------------------------


def test_new_cases_validate_the_limits_in_force(found):
    validation = found.validation
    assert (validation.source, validation.kind) == ("new.csv", "other table")
    assert validation.policy == found.policy
    ends = found.ends["point"]
    assert validation.tally.ruled_out == ends.ending("rule out") == (4, 1)
    assert validation.tally.ruled_in == ends.ending("rule in")
    assert validation.tally.undecided == (1, 1)
    # scipy.stats.beta.ppf(.9, 2, 3)
    assert validation.missed_at_most == pytest.approx(0.67954, abs=1e-5)
    assert found.validated_list() == replace(TABLE_1, validations=(validation,))


def test_the_same_test_again_replaces_the_one_before(table, found):
    cases = read_new_cases(table, TABLE_1, "ill")
    again = evaluate_list(found.validated_list(), cases, POLICY)
    assert again.validated_list().validations == (found.validation,)
    other = evaluate_list(found.validated_list(), cases, replace(POLICY, rule_in=0.8))
    assert len(other.validated_list().validations) == 2


def test_the_table_a_list_was_learned_from_is_no_test_of_it(table):
    cases = read_new_cases(table, TABLE_1, "ill")
    learned = replace(TABLE_1, provenance=(("table sha256", cases.sha256),))
    external = evaluate_list(learned, cases, POLICY)
    assert external.validation is None
    with pytest.raises(TableError, match=r"new.csv: the list was learned from this table"):
        external.validated_list()


def test_turned_questions_shift_the_totals_and_nothing_else(table, found):
    shown = with_positive_points(TABLE_1)
    shift = -sum(min(0, question.points) for question in TABLE_1.questions)
    assert shift > 0
    cases = read_new_cases(table, shown, "ill")
    turned = evaluate_list(shown, cases, StoppingPolicy(0.1, 0.9, by="point"))
    assert turned.by_total == {total + shift: one for total, one in found.by_total.items()}
    assert turned.stages == found.stages
    assert turned.ends == found.ends


def test_an_input_of_the_list_cannot_be_the_outcome(table):
    with pytest.raises(TableError, match=r"new.csv: the list asks for 'f3', so it cannot be the"):
        read_new_cases(table, TABLE_1, "f3")


def test_whose_risks_these_are_is_said(found):
    totals = pages.tables(found)["Predicted and observed risk by total"]
    assert "those of all cases with that total" in totals.texts["p"][0]
    (methods,) = [one for one in pages.sections(found) if one.kind == "methods"]
    told = "A card prints the risks of those who get there"
    assert any(told in one for one in methods.texts["p"])


def test_the_undecided_and_those_who_cannot_be_decided_are_told_apart(found):
    assert any(
        "0.0 % stay undecided, 11.1 % cannot be decided (answers unknown), after" in one
        for one in report_of(found).findings
    )
    notes = pages.tables(found)["Stopping"].texts["li"]
    assert any("unknown answers leave the decision open" in one for one in notes)


def test_only_plots_side_by_side_are_wide(found):
    drawn = [one.texts["figure"][0] for one in pages.sections(found) if one.kind == "picture"]
    assert drawn == ["wide", "", "wide", "wide"]


def test_a_list_with_final_risks_only_is_judged_at_its_end(tmp_path):
    path = tmp_path / "new.csv"
    names = [question.input for question in MARBURG.questions]
    generator = np.random.default_rng(0)
    rows = [",".join(map(str, row)) for row in generator.integers(0, 2, (60, 6))]
    path.write_text("\n".join([",".join([*names, "ill"]), *rows]), encoding="utf-8")
    external = evaluate_list(MARBURG, read_new_cases(path, MARBURG, "ill"))
    assert list(external.stages) == [5]
    notes = pages.tables(external)["Stage by stage"].texts["li"]
    assert any("5 stages" in note for note in notes)


def test_a_missing_column_is_named(table):
    with pytest.raises(TableError, match=r"no column 'age_sex'; it has 'f3', "):
        read_new_cases(table, MARBURG, "ill")
    with pytest.raises(TableError, match=r"no column 'sick'; it has 'f3', "):
        read_new_cases(table, TABLE_1, "sick")


def test_a_wrong_answer_is_named_with_its_row(tmp_path):
    path = tmp_path / "new.csv"
    path.write_text("f3,f1,f2,f4,ill\nyes,no,no,no,1\nperhaps,no,no,no,0\n", encoding="utf-8")
    with pytest.raises(TableError, match=r"new.csv, column 'f3', row 2 \(line 3\): 'perhaps'"):
        read_new_cases(path, TABLE_1, "ill")


def test_the_draws_give_what_the_measures_give(found):
    """The figures of all cases, drawn once each, are the figures themselves."""
    from scorecard.evaluation.measures import case_measures, list_measures, stage_predictions

    answers = np.array([[0, 1, 1, 0]] * 4 + [[1, 0, 0, 1]] * 4 + [[1, -1, 0, 1]], np.int8)
    truth = np.array([0, 0, 0, 1, 1, 1, 1, 0, 1], bool)
    last = stage_predictions(TABLE_1, answers)[4]
    whole = list_measures(last, truth, 10)
    each = case_measures(last.risks, truth, 10, last.uppers)
    for key, values in each.items():
        assert (values.sum() if key == "clipped" else values.mean()) == pytest.approx(whole[key])
    lower, upper = found.stages[4]["auc"][1:]
    assert lower <= found.stages[4]["auc"][0] <= upper


def test_subgroups_are_judged_apart(table):
    cases = read_new_cases(table, TABLE_1, "ill", by_group="f2")
    external = evaluate_list(TABLE_1, cases, StoppingPolicy(0.1, 0.9, by="point"))
    groups = {one.name: one for one in external.subgroups}
    assert set(groups) == {"no", "yes"}
    assert groups["yes"].ends.missed == rate(1, 4)
    assert sum(one.ends.cases for one in external.subgroups) == external.cases
    assert pages.tables(external)["By f2"].rows[2][:2] == ("yes", "4 (1)")


def test_patients_are_told_apart_by_the_column_that_the_list_was_learned_with(tmp_path):
    path = tmp_path / "new.csv"
    rows = [f"yes,no,no,no,{patient % 2},{patient}" for patient in range(8)] * 5
    path.write_text("\n".join(["f3,f1,f2,f4,ill,patient", *rows]), encoding="utf-8")
    learned = replace(TABLE_1, provenance=(("option group", "patient"),))
    assert read_new_cases(path, TABLE_1, "ill").belongs is None
    assert len(set(read_new_cases(path, learned, "ill").belongs)) == 8


def test_too_many_groups_are_refused(tmp_path):
    path = tmp_path / "new.csv"
    rows = [f"yes,no,no,no,{place % 2},{place}" for place in range(20)]
    path.write_text("\n".join(["f3,f1,f2,f4,ill,age", *rows]), encoding="utf-8")
    with pytest.raises(TableError, match="'age' has 20 values; groups"):
        read_new_cases(path, TABLE_1, "ill", by_group="age")


def test_a_limit_is_kept_only_where_the_interval_says_so(found):
    strip = pages.strip(found)
    assert strip["▼ limit kept?"] == "not shown"  # 1 of 4 at most 10 %
    assert strip["Enough cases?"] == "no"
    assert [kept(rate(*seen), 0.1, rules_out=True) for seen in ((0, 100), (50, 100), (9, 100))] == [
        "kept",
        "broken",
        "not shown",
    ]
    assert kept(rate(99, 100), 0.9, rules_out=False) == "kept"
    assert kept(None, 0.9, rules_out=False) == "nobody"


def test_what_tripod_asks_is_told_or_left_to_the_author(found):
    told = {row[1]: row[2] for row in pages.tables(found)["TRIPOD+AI checklist"].rows}
    assert told["Sample size"] == "9 cases, 5 with the outcome; about 100 of each are needed"
    assert told["Funding"] == "The author has to write: sources, and the role of the funders"


def test_of_a_hundred_patients_all_end_somewhere():
    ends = Ends({(1, "rule out"): (1, 0), (1, "rule in"): (1, 1), (2, "undecided"): (1, 0)})
    low, high = (0.1,) * 3, (0.9,) * 3
    assert sum(Judged(TABLE_1, POLICY, ends, low, high, 2, 1, ("no", "")).hundred()) == 100


def test_calibration_line_of_right_and_of_too_extreme_risks():
    generator = np.random.default_rng(0)
    odds = generator.normal(0, 1.5, 20_000)
    truth = generator.random(20_000) < 1 / (1 + np.exp(-odds))
    right = calibration_line(1 / (1 + np.exp(-odds)), truth)
    assert right.slope[1] < 1 < right.slope[2]
    assert right.intercept[1] < 0 < right.intercept[2]
    extreme = calibration_line(1 / (1 + np.exp(-2 * odds)), truth)
    assert extreme.slope[0] == pytest.approx(0.5, abs=0.05)
    assert calibration_line(np.array([0.2, 0.8]), np.array([False, True])) is None  # separated


def test_the_pdf_is_accessible(found):
    page = pytest.importorskip("page")
    report = page.validate_pdf_bytes(report_pdf(report_of(found)), profile="ua1")
    assert report.is_compliant, [failure.message for failure in report.failures]


def test_a_cross_validated_list_tells_how_steady_its_questions_are():
    scoring_list = cross_validated_list(folds=3, questions=2)
    answers, truth = np.array([[0, 1], [1, 0], [1, 1]] * 4, np.int8), np.arange(12) % 3 > 0
    found = evaluate_list(scoring_list, NewCases("new.csv", "ill", answers, truth, 0))
    steadiness = pages.tables(found)["How steady the questions are"]
    assert all(row[1].endswith("of 3") for row in steadiness.rows[1:])


def test_rows_of_a_patient_stay_together(tmp_path):
    """Five copies of each row: with the patients named, intervals are those of the rows once."""
    generator = np.random.default_rng(8)
    rows = [ROWS[place] for place in generator.integers(0, 8, 120)]
    once, five = tmp_path / "once.csv", tmp_path / "five.csv"
    for path, times in ((once, 1), (five, 5)):
        lines = [f"{row},p{number:03}" for number, row in enumerate(rows) for _ in range(times)]
        path.write_text("\n".join(["f3,f1,f2,f4,ill,patient", *lines]) + "\n", encoding="utf-8")

    def judged(path, **group):
        return evaluate_list(TABLE_1, read_new_cases(path, TABLE_1, "ill", **group), POLICY)

    alone, together, torn = judged(once), judged(five, group="patient"), judged(five)
    for key in ("auc", "brier"):
        assert together.stages[4][key] == pytest.approx(alone.stages[4][key])
        width = [one.stages[4][key][2] - one.stages[4][key][1] for one in (alone, torn)]
        assert width[1] < 0.6 * width[0]
    assert (alone.validation.design_effect, together.validation.design_effect) == (1.0, 5.0)
    assert together.validation.missed_at_most == pytest.approx(alone.validation.missed_at_most)


def test_groups_belong_to_rows_that_have_an_outcome(tmp_path):
    path = tmp_path / "wards.csv"
    path.write_text("x,ward,ill\n1,a,1\n2,b,\n3,c,NA\n4,d,0\n", encoding="utf-8")
    assert group_labels(path, "ward", "ill") == ("a", "d")


def test_limits_of_the_data_make_groups_of_risk_and_a_side_without_a_limit_is_not_judged(table):
    """Nobody decided what to do at such a limit, so a report must not say ruled out."""
    policy = StoppingPolicy(0, 0.9, by="point", chosen_by="data")
    found = evaluate_list(TABLE_1, read_new_cases(table, TABLE_1, "ill"), policy)
    tables, findings = pages.tables(found), report_of(found).findings
    assert list(pages.strip(found))[:3] == ["▲ high risk", "◆ in between", "▲ limit kept?"]
    decisions = tables["Decisions by question"]
    assert decisions.head == ("After question", "▲ high risk", "with the outcome", "open")
    told = [*findings, *(text for one in tables.values() for text in one.head)]
    assert not [text for text in told if "ruled" in text or ("▼" in text and "0.0 %" in text)]
    assert any("Of those at high risk, 75.0 % (3 of 4;" in text for text in findings)


def test_rows_of_a_patient_count_as_one_in_every_interval(table):
    """Every row twice, told apart as one patient: nothing gets surer."""
    once = read_new_cases(table, TABLE_1, "ill")
    twice = replace(
        once,
        answers=np.repeat(once.answers, 2, axis=0),
        truth=np.repeat(once.truth, 2),
        belongs=np.repeat(np.arange(once.truth.size), 2),
    )
    one, two = (evaluate_list(TABLE_1, cases, POLICY) for cases in (once, twice))
    assert two.observed_to_expected == pytest.approx(one.observed_to_expected)
    assert two.line.slope == pytest.approx(one.line.slope, abs=1e-6)
    for by, ends in one.ends.items():
        assert two.ends[by].sensitivity(True) == pytest.approx(ends.sensitivity(True))
    assert two.by_total.keys() == one.by_total.keys()
    for total, found in one.by_total.items():
        assert two.by_total[total].observed == found.observed

"""Numbers to words, without any layout."""

import re
from dataclasses import replace
from decimal import Decimal
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorecard.core.build_staircase import build_staircase, usual_policy
from scorecard.core.edits import before_edit, edited
from scorecard.core.evidence import Tally, Validation
from scorecard.core.model import About, Condition, Question, Risk, ScoringList, Stage
from scorecard.core.performance import figures_of_merit
from scorecard.core.policy import By, StoppingPolicy
from scorecard.core.staircase import Note
from scorecard.evaluation.report import RULE_WORDS
from scorecard.forms.handout.merit import merit_notes
from scorecard.words.language import language_named, languages
from scorecard.words.sentences import (
    SHORT_RULES,
    cross_validation_sentences,
    edit_sentences,
    short_validations,
    validation_sentences,
)
from scorecard.words.wording import RULES, Wording, cases_behind, printable
from tests.cross_validated import cross_validated_list
from tests.lists import MARBURG, TABLE_1, counted

EN, DE = (Wording(language_named(code)) for code in ("en", "de"))
PER_MILLE = Wording(language_named("en"), 1000)

probabilities = st.floats(0, 1)


@given(st.floats(0, 1), st.integers(1, 49), st.integers(51, 99))
def test_no_risk_is_rounded_across_a_limit(probability: float, low: int, high: int) -> None:
    limited = replace(EN, limits=(low / 100, high / 100))
    printed = limited.risk(probability)
    if printed.isdecimal():
        assert (int(printed) <= low) == (probability <= low / 100)
        assert (int(printed) >= high) == (probability >= high / 100)
        assert abs(int(printed) / 100 - probability) < 0.01


def test_a_risk_beside_its_limit() -> None:
    limited = replace(EN, limits=(0.05, 0.85))
    risks = (0.0534, 0.05, 0.0449, 0.8465, 0.85, 0.5)
    assert [limited.risk(one) for one in risks] == ["6", "5", "4", "84", "85", "50"]


def test_every_rule_has_its_words() -> None:
    tables = {
        "RULES (words/wording.py)": RULES,
        "SHORT_RULES (words/sentences.py)": SHORT_RULES,
        "RULE_WORDS (evaluation/report.py)": RULE_WORDS,
    }
    missing = [
        f"{by}: {name}" for by in get_args(By) for name, one in tables.items() if by not in one
    ]
    assert not missing, f"without words: {', '.join(missing)}"
    keys = {*RULES.values(), *SHORT_RULES.values()}
    assert not keys - language_named("en").words.keys(), "templates/words/en.toml lacks them"


@pytest.mark.parametrize(
    ("code", "one", "several"),
    [
        ("en", "1 question on average", "1.1 questions on average"),
        ("de", "im Mittel 1 Frage", "im Mittel 1,1 Fragen"),
        ("fr", "1 question en moyenne", "1,1 questions en moyenne"),
        ("es", "1 pregunta de media", "1,1 preguntas de media"),
    ],
)
def test_one_question_on_average_is_no_plural(code: str, one: str, several: str) -> None:
    wording = Wording(language_named(code))
    assert [wording.mean_questions(mean) for mean in (1, 1.04, 1.06)] == [one, one, several]


def value_of(text: str) -> tuple[Decimal, Decimal]:
    """The lowest and highest share of 100 that a printed number can mean."""
    if text.startswith("<"):
        return Decimal(0), Decimal(text[1:])
    if text.startswith(">"):
        return Decimal(text[1:]), Decimal(100)
    return Decimal(text), Decimal(text)


@pytest.mark.parametrize(
    ("probability", "printed"),
    [
        (0.0, "<1"),
        (0.004, "<1"),
        (0.00999, "<1"),
        (0.01, "1"),
        (0.014, "1"),
        (0.015, "2"),
        (0.29, "29"),
        (0.5, "50"),
        (0.99, "99"),
        (0.9901, ">99"),
        (1.0, ">99"),
    ],
)
def test_risks_are_whole_and_never_0_or_100(probability: float, printed: str) -> None:
    assert EN.risk(probability) == printed


def test_rare_outcomes_are_told_of_1000() -> None:
    assert PER_MILLE.risk(0.0005) == "<1"
    assert PER_MILLE.risk(0.0123) == "12"
    assert PER_MILLE.risk_of(0.9999) == ">999 of 1000"
    rare = ScoringList((), (Stage((0,), (Risk(0.0199),)),))
    common = ScoringList((), (Stage((0,), (Risk(0.02),)),))
    assert (Wording.of(rare).per, Wording.of(common).per) == (1000, 100)
    assert Wording.of(MARBURG).per == 100  # the base rate is not known


@given(probabilities)
def test_a_printed_inequality_is_true(probability: float) -> None:
    share = Decimal(probability) * 100
    low, high = value_of(EN.risk(probability))
    if low == high:
        assert abs(share - low) <= Decimal("0.5000001")
        assert 1 <= low <= 99
    else:
        assert low <= share <= high


@given(probabilities, probabilities, probabilities)
def test_ranges_are_rounded_outward(one: float, two: float, three: float) -> None:
    lower, middle, upper = sorted((one, two, three))
    printed = EN.range(Risk(middle, lower, upper))
    ends = re.fullmatch(r"(?:up to |from )?([<>]?\d+)(?:(?:–| to )([<>]?\d+))?", printed)
    assert ends
    low, high = ends[1], ends[2]
    if printed.startswith("up to "):
        low, high = "<1", low
    elif printed.startswith("from "):
        high = ">99"
    # As people write them: 0.29 is 29 of 100, though the float is a little less.
    assert value_of(low)[0] <= Decimal(repr(lower)) * 100
    assert value_of(high or low)[1] >= Decimal(repr(upper)) * 100


def test_a_range_without_width_is_one_number() -> None:
    assert EN.range(Risk(0.001, 0.0, 0.002)) == "<1"
    assert EN.range(Risk(0.3, 0.021, 0.954)) == "2–96"
    assert EN.range(Risk(0.3, 0.001, 0.954)) == "up to 96"
    assert EN.range(Risk(0.3, 0.021, 0.999)) == "from 2"
    assert EN.range(Risk(0.3, 0.001, 0.999)) == "<1 to >99"
    assert EN.range(Risk(0.3)) == ""


@given(probabilities, probabilities)
def test_percent_is_the_same_number_with_its_unit(one: float, other: float) -> None:
    lower, upper = sorted((one, other))
    for risk in (Risk(lower, lower, upper), Risk(upper, lower, upper)):
        assert EN.risk(risk.probability, percent=True) == f"{EN.risk(risk.probability)}\xa0%"
        assert EN.range(risk, percent=True) == f"{EN.range(risk)}\xa0%"
        of_1000 = PER_MILLE.risk(risk.probability)
        shown = PER_MILLE.risk(risk.probability, percent=True).removesuffix("\xa0%")
        assert (shown[0] in "<>") == (of_1000[0] in "<>")
        assert 10 * Decimal(shown.strip("<>")) == Decimal(of_1000.strip("<>"))


def test_percent_of_a_rare_outcome_has_a_decimal() -> None:
    german = Wording(language_named("de"), 1000)
    assert [PER_MILLE.risk(p, percent=True) for p in (0.0001, 0.008, 0.06, 1.0)] == [
        "<0.1\xa0%",
        "0.8\xa0%",
        "6.0\xa0%",
        ">99.9\xa0%",
    ]
    assert german.range(Risk(0.01, 0.0041, 0.0123), percent=True) == "0,4–1,3\xa0%"
    assert PER_MILLE.limit_percent(0.0005, rules_out=True) == "0.05\xa0%"


@given(probabilities)
def test_limits_are_rounded_outward(limit: float) -> None:
    exact = Decimal(repr(limit)) * 100
    assert Decimal(EN.limit(limit, rules_out=True)) >= exact
    assert Decimal(EN.limit(limit, rules_out=False)) <= exact
    out, into = (EN.limit_percent(limit, rules_out=one) for one in (True, False))
    assert Decimal(out.removesuffix("\xa0%")) >= exact >= Decimal(into.removesuffix("\xa0%"))


@pytest.mark.parametrize(
    ("limit", "out", "into"),
    [(0.05, "5", "5"), (0.052, "5.2", "5.2"), (1 / 21, "4.8", "4.7"), (0.95, "95", "95")],
)
def test_limits_keep_a_decimal_if_they_need_one(limit: float, out: str, into: str) -> None:
    assert (EN.limit(limit, rules_out=True), EN.limit(limit, rules_out=False)) == (out, into)


@pytest.mark.parametrize(
    ("number", "english", "german"),
    [
        (3, "3", "3"),
        (-3, "−3", "−3"),
        (0.1, "0.1", "0,1"),
        (-3.25, "−3.25", "−3,25"),
        (1000, "1000", "1000"),
        (150000, "150\xa0000", "150\xa0000"),
        (-1234567.5, "−1\xa0234\xa0567.5", "−1\xa0234\xa0567,5"),
        (0.00001, "0.00001", "0,00001"),
        (2.5e-9, "2.5e−9", "2,5e−9"),
        (1e22, "1e22", "1e22"),
        (0, "0", "0"),
        (0.30000000000000004, "0.30000000000000004", "0,30000000000000004"),
    ],
)
def test_numbers_as_people_write_them(number: float, english: str, german: str) -> None:
    assert (EN.number(number), DE.number(number)) == (english, german)


@given(st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(10**14), 10**14))
def test_a_printed_number_is_the_number(number: float) -> None:
    printed = EN.number(number).replace("−", "-").replace("\xa0", "")
    assert type(number)(float(printed) if isinstance(number, float) else int(printed)) == number


def test_points_totals_levels_and_counts() -> None:
    assert (EN.points(3), EN.points(-2), EN.total(-1)) == ("+3", "−2", "−1")
    assert (EN.percent(0.95), DE.percent(0.975)) == ("95\xa0%", "97,5\xa0%")
    assert EN.seen((120, 3)) == "3/120"
    assert DE.seen((12.25, 1.5)) == "1,5/12,3"
    assert EN.seen_in_words((120, 3)) == "3 of 120"
    assert EN.seen(None) == EN.seen_in_words(None) == ""
    assert EN.counts_in_words(3, 120) == "3 of 120 cases"


def test_counts_without_a_figure_say_why() -> None:
    for told in (EN.seen, EN.seen_in_words):
        assert told((9, 1), figure=False) == "few seen"
        assert told((0, 0), figure=False) == "nobody seen"
        assert "10" in told((10, 1), figure=False), "ten are enough to be told"
    assert EN.seen((50, 45), figure=False) == "(45/50)"
    assert EN.seen_in_words((50, 45), figure=False) == "(45 of 50)"


@pytest.mark.parametrize(
    ("question", "english", "german"),
    [
        (
            Question("x", 1, Condition(">=", 115), label="Corneal thickness", unit="µm"),
            "Corneal thickness ≥ 115 µm",
            "Corneal thickness ≥ 115 µm",
        ),
        (Question("k", 1, Condition("<", 3.2)), "k < 3.2", "k < 3,2"),
        (Question("Sex", 1, Condition("in", None, ("f",))), "Sex is f", "Sex ist f"),
        (
            Question("Sex", 1, Condition("not in", None, ("a", "b", ""))),
            "Sex other than a, b or “”",
            "Sex anders als a, b oder “”",
        ),
        (Question("Smoker", 1), "Smoker", "Smoker"),
        (Question("Smoker", 1, Condition("no")), "Smoker: no", "Smoker: nein"),
        (Question("L", 1, Condition("missing")), "L not measured", "L nicht gemessen"),
        (Question("L", 1, Condition("present")), "L measured", "L gemessen"),
    ],
)
def test_questions_in_words(question: Question, english: str, german: str) -> None:
    assert (EN.question(question), DE.question(question)) == (english, german)


def test_user_text_loses_what_cannot_be_seen() -> None:
    assert printable("a\u202eb\u200bc\x07d\x1b[31m") == "abcd[31m"
    assert printable(" two\nlines\tand\u2028more ") == "two lines and more"
    assert printable("نص می\u200cخواهم ≥ µ") == "نص می\u200cخواهم ≥ µ"
    assert EN.question(Question("x", 1, label="Age\u202e")) == "Age"


@given(st.text())
def test_printable_text_is_one_line_and_stays_so(text: str) -> None:
    shown = printable(text)
    assert len(shown.splitlines()) <= 1
    assert printable(shown) == shown


def test_decisions_have_the_words_of_the_list() -> None:
    about = About(rule_out="benign", undecided="refer")
    assert EN.decision("rule out", about) == "benign"
    assert DE.decision("rule in", about) == language_named("de").words["rule in"]
    assert EN.decision("undecided", about) == "refer"
    assert EN.decision("go on", about) == "go on"


def test_where_to_stop_in_table_1() -> None:
    staircase = build_staircase(TABLE_1, StoppingPolicy(0.1, 0.9, by="point"))
    texts = [(EN.out_text(s), EN.in_text(s), EN.undecided_text(s)) for s in staircase.steps[1:]]
    assert texts == [
        ("–", "–", "–"),
        ("≤ −2", "–", "–"),
        ("–", "≥ 2", "–"),
        ("≤ −1", "≥ 3", "0 to 2"),
    ]


# Sentences ----------------------------------------------------------------------------------------

EVIDENCE = {"00": (60, 0), "01": (20, 5), "10": (20, 9), "11": (40, 36), "?1": (3, 1)}
COUNTED = counted((1, 2), EVIDENCE)


@pytest.mark.parametrize(
    ("policy", "sentence"),
    [
        (
            StoppingPolicy(),
            "Rule out at a risk of at most 5, rule in at one of at least 95 of 100; shown by the"
            " total's own estimate and, with 90\xa0% confidence, by all who stop there together; at"
            " least 10 cases behind a stop.",
        ),
        (
            StoppingPolicy(0.052, 0.9, by="point", min_cases=0),
            "Rule out at a risk of at most 5.2, rule in at one of at least 90 of 100; judged by the"
            " estimate alone.",
        ),
        (
            StoppingPolicy(by="bounds", miss_cost=2, min_cases=0),
            "Rule out where the risk is at most 33.4 of 100, rule in where it is above: a miss"
            " counts 2 times a false alarm; shown by the end of the total's 95\xa0% range.",
        ),
    ],
)
def test_the_limits_in_one_sentence(policy: StoppingPolicy, sentence: str) -> None:
    assert EN.limits_sentence(build_staircase(COUNTED, policy)) == sentence


def test_what_cannot_be_counted_is_not_claimed() -> None:
    staircase = build_staircase(TABLE_1, StoppingPolicy(0.1, 0.9))
    assert "cases behind" not in EN.limits_sentence(staircase)
    assert EN.legend(staircase) == "Per total: how many of 100 have the outcome."
    assert "positive/all" in EN.legend(build_staircase(COUNTED))


def test_where_the_figures_come_from() -> None:
    assert EN.figures_sentence(TABLE_1).startswith("As published")
    assert EN.figures_sentence(COUNTED).endswith("143 cases, 51 with the outcome.")
    assert cases_behind(TABLE_1) is None
    assert DE.figures_sentence(COUNTED).endswith("143 Fälle, davon 51 mit dem Zielereignis.")


def test_validation_is_told_or_denied() -> None:
    assert EN.validation_sentence(TABLE_1) == "Not validated elsewhere."
    in_hull = replace(TABLE_1, about=About(validation="In Hull."))
    assert EN.validation_sentence(in_hull) == "Validated: In Hull."


# --- limits that the data chose -------------------------------------------------------------------

CHECKED = cross_validated_list(cases=600, questions=4, signal=3.0, seed=3)
FOUND = usual_policy(CHECKED)


def test_limits_that_the_data_chose_make_groups_and_rule_nothing_out() -> None:
    staircase = build_staircase(CHECKED)
    assert (FOUND.rule_out, FOUND.rule_in, FOUND.chosen_by) == (0.1, 0.8, "data")
    for language, words in (
        ("en", ("low risk", "in between", "high risk")),
        ("de", ("niedriges Risiko", "dazwischen", "hohes Risiko")),
    ):
        wording = Wording.of(staircase, language)
        told = [wording.decision(one) for one in ("rule out", "undecided", "rule in")]
        assert tuple(told) == words
        said = wording.limits_sentence(staircase)
        assert not re.search("rule|Ausschluss|Nachweis", said, re.IGNORECASE)
    assert (
        Wording.of(staircase)
        .limits_sentence(staircase)
        .startswith(
            "Low risk: at most 10 of 100; high risk: at least 80 of 100; the strictest groups"
        )
    )


def test_words_of_a_person_win_and_limits_of_a_person_are_acted_on() -> None:
    staircase = build_staircase(CHECKED)
    assert Wording.of(staircase).decision("rule out", About(rule_out="benign")) == "benign"
    acted_on = build_staircase(CHECKED, usual_policy(CHECKED, rule_out=0.15))
    assert Wording.of(acted_on).decision("rule out") == "rule out"
    assert Wording.of(acted_on).limits_sentence(acted_on).startswith("Rule out at a risk of at")


@pytest.mark.parametrize(
    ("limits", "begins"),
    [
        ((0.1, 1.0), "Low risk: at most 10 of 100, the strictest group that these data can show;"),
        ((0.0, 0.8), "High risk: at least 80 of 100, the strictest group that these data can sho"),
        ((0.0, 1.0), "No limits: the list tells a risk, and nobody stops early."),
    ],
)
def test_a_side_without_a_limit_is_not_given_one(limits: tuple[float, float], begins: str) -> None:
    policy = StoppingPolicy(*limits, chosen_by="data")
    staircase = build_staircase(CHECKED, policy)
    assert Wording.of(staircase).limits_sentence(staircase).startswith(begins)
    own = replace(staircase, policy=replace(policy, chosen_by="person"))
    said = Wording.of(own).limits_sentence(own)
    assert said.startswith({0.1: "Rule out at", 0.0: "Rule in at"}[limits[0]]) or limits == (0, 1)
    assert "at most 0 of" not in said
    assert "at least 100 of" not in said


def test_cross_validation_is_told_with_its_counts_and_limits() -> None:
    staircase = build_staircase(CHECKED)
    tally = staircase.cross_validated
    assert tally is not None
    out, into, decided = cross_validation_sentences(staircase, Wording.of(staircase))
    cases, positives = tally.ruled_out
    assert out == (
        f"In cross-validation {positives} of {cases} with ▼ had the outcome (limit: at most 10 of"
        " 100)."
    )
    assert f"{tally.ruled_in[1]} of {tally.ruled_in[0]} with ▲" in into
    assert f"{tally.ruled_out[0] + tally.ruled_in[0]} of 600 cases" in decided
    assert cross_validation_sentences(build_staircase(COUNTED), EN) == []


def test_given_questions_are_not_said_to_be_learned_without_the_case() -> None:
    given = build_staircase(replace(CHECKED, provenance=(("option given", "age >= 65: 2"),)))
    for staircase in (build_staircase(CHECKED), given):
        kept = staircase is given
        for language in languages():
            wording = Wording.of(staircase, language)
            *_, decided = cross_validation_sentences(staircase, wording)
            whole = wording.word("cross-validated decided", decided="", cases="", asked="")
            assert (whole[-30:] in decided) is not kept
            note = next(iter(merit_notes(staircase, figures_of_merit(staircase), wording)))
            assert (note == wording.word("handout merit cross-validated")) is not kept


def test_an_edit_is_compared_under_limits_that_are_named() -> None:
    policy = usual_policy(CHECKED, rule_out=0.1, rule_in=0.85)
    now = replace(CHECKED, policy=policy)
    before = replace(before_edit(now, "abc"), kept=True)

    def price(made: ScoringList) -> str:
        return next(edit_sentences(made, EN))

    assert price(edited(now, before)).startswith(
        "Edited from list abc. Cross-validated, both under the same limits (▼ at most 10\xa0%, ▲"
        " at least 85\xa0%), the questions of both kept, before and now: log loss "
    )
    since = price(replace(edited(now, before), policy=replace(policy, rule_in=0.8)))
    assert "log loss" in since
    assert "decided" not in since, "the list before was never counted under these limits"
    other = replace(before, kept=False, policy=replace(policy, rule_in=0.8))
    assert "each under its own limits, before and now" in price(edited(now, other))
    older = price(edited(now, replace(before, policy=None)))
    assert "limits" not in older
    assert "decided" in older


def test_few_patients_are_told_where_somebody_stops() -> None:
    few = build_staircase(
        cross_validated_list(cases=250, questions=3, signal=3.0), StoppingPolicy(0.2, 0.8)
    )
    *_, told = cross_validation_sentences(few, Wording.of(few))
    assert told.startswith("Few patients (250): ")


def test_a_validation_is_told_with_what_is_sure_and_its_own_limits() -> None:
    tally = Tally((80, 1), (40, 37), (30, 9), 2.5)
    tests = (
        Validation("2024", "held-out", FOUND, tally),
        Validation("Hull", "other table", replace(FOUND, rule_out=0.2), tally),
        Validation("Kiel", "other table", FOUND, Tally((0, 0), (0, 0), (5, 1), 4.0)),
    )
    staircase = build_staircase(replace(CHECKED, validations=tests))
    own, other, nobody = validation_sentences(staircase, Wording.of(staircase))
    # 100 · scipy.stats.beta.ppf(.9, 2, 79) = 4.77…, 100 · beta.ppf(.1, 37, 4) = 84.05…
    assert own == (
        "Tested on 150 cases set aside beforehand (2024). 1 of 80 with ▼ had the outcome;"
        " 90\xa0% sure: at most 4.8 of 100. 37 of 40 with ▲ had the outcome; 90\xa0% sure: at least"
        " 84 of 100."
    )
    assert (
        "(Hull). With the limits of that test (▼ at most 20\xa0%, ▲ at least 80\xa0%): 1" in other
    )
    assert short_validations(staircase, Wording.of(staircase)) == (
        "Tested on 150 cases set aside: ▼ at most 5, ▲ at least 84 of 100 (90\xa0% sure)."
    )
    assert nobody == "Tested on 5 other cases (Kiel). Nobody ended with ▼ or ▲."
    assert EN.validation_sentence(staircase.scoring_list) == ""
    assert all("cross" not in one for one in (own, other, nobody))


def test_the_cost_of_a_miss_says_what_to_do_when_undecided() -> None:
    by_group = build_staircase(COUNTED, StoppingPolicy(miss_cost=9))
    assert "act from a risk of 10 of 100" in EN.undecided_sentence(by_group)
    assert EN.undecided_sentence(build_staircase(COUNTED)) == ""


NOTES = {
    Note("estimate-is-all"): "no answer patterns",
    Note("rule-is-point", (("asked", "group"),)): "limits are judged by the risk alone",
    Note("no-range", (("stage", 2),)): "After question 2: no ranges",
    Note("only-sharpen", (("questions", 2), ("dropped", 1))): "After 2 of",
    Note("plain-risk"): "These data cannot show",
    Note("within-limit"): "too uncertain to stop",
    Note("ends-early", (("questions", 1), ("dropped", 1))): "ends after 1 of 2 questions",
    Note(
        "estimates-differ",
        (
            ("stage", 1),
            ("total", 0),
            ("decision", "go on"),
            ("probability", 0.07),
            ("other_decision", "rule out"),
            ("other_probability", None),
        ),
    ): "total 0: 7 of 100 among those with this total at this question (go on), no figure among"
    " all with this total (rule out); used: those at this question.",
    Note(
        "nobody", (("decision", "rule out"), ("limit", 0.05), ("group", 45), ("few", True))
    ): "“rule out” at a risk of at most 5 of 100; too few patients to show it; it takes a group of"
    " 45 cases or more, none with the outcome.",
    Note(
        "nobody", (("decision", "rule in"), ("limit", 0.95), ("group", None), ("few", False))
    ): "Nobody can stop with “rule in” at a risk of at least 95 of 100.",
}


@pytest.mark.parametrize("note", NOTES, ids=lambda note: note.kind)
@pytest.mark.parametrize("language", languages())
def test_every_note_is_a_sentence(note: Note, language: str) -> None:
    sentence = Wording(language_named(language)).note(note, build_staircase(COUNTED))
    assert sentence.endswith(".")
    assert "{" not in sentence
    if language == "en":
        assert NOTES[note] in sentence


def test_dropped_questions_are_named() -> None:
    staircase = build_staircase(TABLE_1, StoppingPolicy(0.2, 0.6, by="point"))
    assert EN.notes(staircase)[-1] == (
        "The list ends after 2 of 4 questions; no longer asked: f2 and f4."
    )


def test_braces_in_user_text_are_only_text() -> None:
    odd = About(rule_out="{limit} {0}")
    note = Note("nobody", (("decision", "rule out"), ("limit", 0.1), ("group", 3), ("few", True)))
    staircase = build_staircase(ScoringList(COUNTED.questions, COUNTED.stages, odd))
    assert "“{limit} {0}”" in EN.note(note, staircase)

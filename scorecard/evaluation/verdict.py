"""Can I use it? The strip at the top of a report, subgroups, and what TRIPOD+AI asks to tell.

TRIPOD+AI: Collins, Moons, Dhiman and others, BMJ 2024;385:e078378.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.metadata import version

from scorecard.core.accuracy import OPEN, Ends, Kept, Rate, kept, times_asked
from scorecard.core.model import About, ScoringList
from scorecard.evaluation.external import Subgroup
from scorecard.evaluation.measures import Estimate
from scorecard.evaluation.view import (
    UNDEFINED,
    TableView,
    Tile,
    count,
    estimate,
    number,
    percent,
    rate,
)
from scorecard.words.wording import Wording

ENOUGH = 100  # of each outcome; Collins, Ogundimu, Altman, Stat Med 2016;35:214-226
SOME_THRESHOLDS = (0.05, 0.15, 0.25, 0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 0.95)
AUTHOR = "to be written by the author"
SIGNS: dict[Kept, str] = {
    "kept": "kept",
    "broken": "broken",
    "not shown": "not shown",
    "nobody": "nobody stops",
}


@dataclass(frozen=True)
class Judged:
    """What the strip needs: how cases end, under which limits, and whose cases they are."""

    scoring_list: ScoringList
    ends: Ends
    out: Estimate
    into: Estimate
    positives: int
    negatives: int
    elsewhere: str

    @property
    def kept(self) -> tuple[Kept, Kept]:
        return (
            kept(self.ends.missed, self.out[0], rules_out=True),
            kept(self.ends.right_to_treat, self.into[0], rules_out=False),
        )


def strip(judged: Judged) -> Iterator[Tile]:
    """Of 100 patients who ends how; limits kept? enough cases? validated elsewhere?"""
    out, into, rest = hundred(judged.ends)
    wording, about = Wording.of(judged.scoring_list), judged.scoring_list.about
    (_, missed), (ruled_in, found) = (judged.ends.ending(side) for side in ("rule out", "rule in"))
    cases = judged.ends.cases
    yield Tile(
        f"▼ {wording.decision('rule out', about)}",
        f"{out} of 100",
        f"{_of_100(missed / cases)} of the 100 are missed",
        "out",
    )
    yield Tile(
        f"▲ {wording.decision('rule in', about)}",
        f"{into} of 100",
        f"{_of_100((ruled_in - found) / cases)} of the 100 are false alarms",
        "in",
    )
    unknown = judged.ends.ending("unknown")[0] / cases
    more = f", {_of_100(unknown)} of them for unknown answers" if unknown else ""
    yield Tile("◆ undecided", f"{rest} of 100", f"need another way{more}", "open")
    yield from _limits(judged)
    enough = min(judged.positives, judged.negatives) >= ENOUGH
    yield Tile(
        "Enough cases?",
        "yes" if enough else "no",
        f"{judged.positives} with the outcome and {judged.negatives} without; about {ENOUGH} of"
        " each are needed",
        "good" if enough else "bad",
    )
    answer, _, why = judged.elsewhere.partition(": ")
    yield Tile("Validated elsewhere?", answer, why, "open")


def _limits(judged: Judged) -> Iterator[Tile]:
    sides = (
        ("▼", judged.ends.missed, judged.out, "at most"),
        ("▲", judged.ends.right_to_treat, judged.into, "at least"),
    )
    for (sign, found, limit, words), verdict in zip(sides, judged.kept, strict=True):
        seen = f"{rate(found)}, " if found else ""
        looks = {"kept": "good", "broken": "bad"}.get(verdict, "open")
        yield Tile(
            f"{sign} limit kept?", SIGNS[verdict], f"{seen}limit {words} {spans(limit)}", looks
        )


def limit_sentence(what: str, found: Rate | None, limit: Estimate, verdict: Kept) -> str:
    """One sentence about a side: the rate, the limit, and whether it is shown to be kept."""
    if found is None:
        return f"Nobody is {what} at the limit of {spans(limit)}."
    judged = {
        "kept": "is kept",
        "broken": "is broken",
        "not shown": "is not shown to be kept: the interval of the rate contains it",
    }[verdict]
    return f"Of those {what}, {rate(found)} have the outcome; the limit of {spans(limit)} {judged}."


def spans(limit: Estimate) -> str:
    """A limit, or from where to where it goes if every list has its own."""
    mean, low, high = limit
    if low == high:
        return percent(mean)
    return f"{percent(mean)} on average ({percent(low)} to {percent(high)}, each list its own)"


def hundred(ends: Ends) -> tuple[int, int, int]:
    """Ruled out, ruled in and undecided of 100, rounded so that they add up."""
    exact = [
        100 * ends.ending(*what)[0] / ends.cases for what in (("rule out",), ("rule in",), OPEN)
    ]
    whole = [int(value) for value in exact]
    by_rest = sorted(range(3), key=lambda place: whole[place] - exact[place])
    for place in by_rest[: 100 - sum(whole)]:
        whole[place] += 1
    return whole[0], whole[1], whole[2]


def _of_100(share: float) -> str:
    return "0" if not share else "fewer than 1" if share < 0.005 else f"{100 * share:.0f}"


def decisions_table(ends: Ends, questions: list[str], scoring_list: ScoringList) -> TableView:
    """After each question: how many are decided by it, how many of them wrongly, who is left."""
    wording, about = Wording.of(scoring_list), scoring_list.about
    rows, left = [], 1.0
    last = max((stage for stage, _ in ends.counts), default=0)
    for stage in range(1, last + 1):
        shares = {what: ends.share(stage, what) for what in ("rule out", "rule in", *OPEN)}
        left -= sum(shares.values())
        asked = questions[stage - 1] if stage <= len(questions) else ""
        rows.append(
            (
                f"{stage}. {asked}" if asked else str(stage),
                percent(shares["rule out"]),
                rate(ends.rate(stage, "rule out")),
                percent(shares["rule in"]),
                rate(ends.rate(stage, "rule in")),
                percent(max(left, 0.0) + sum(shares[what] for what in OPEN)),
            )
        )
    out, into = (wording.decision(what, about) for what in ("rule out", "rule in"))
    return TableView(
        "Decisions by question",
        "Share of all cases that is decided by each question, how many of them have the outcome"
        " with exact 95 % interval, and who is not decided until then.",
        ("After question", f"▼ {out}", "with the outcome", f"▲ {into}", "with the outcome", "open"),
        tuple(rows),
        ("“–”: nobody stops there.",),
    )


def subgroup_table(
    column: str, subgroups: Iterable[Subgroup], out: float, into: float
) -> TableView:
    """Decided, missed, right and calibration per group, with counts."""
    rows = []
    for one in subgroups:
        cases, positives = one.ends.ending()
        if not cases:
            rows.append((one.name, *[UNDEFINED] * 7))
            continue
        decided = one.ends.ending("rule out", "rule in")[0]
        verdicts = (
            kept(one.ends.missed, out, rules_out=True),
            kept(one.ends.right_to_treat, into, rules_out=False),
        )
        rows.append(
            (
                one.name,
                f"{count(cases / one.ends.rounds)} ({count(positives / one.ends.rounds)})",
                percent(decided / cases),
                rate(one.ends.missed),
                rate(one.ends.right_to_treat),
                ", ".join(f"{s} {SIGNS[v]}" for s, v in zip("▼▲", verdicts, strict=True)),
                estimate(one.observed_to_expected),
                estimate(one.line.slope) if one.line else UNDEFINED,
            )
        )
    return TableView(
        f"By {column}",
        "Each group judged apart, with exact 95 % intervals. Small groups have wide ones: that a"
        " limit is not shown to be kept does not mean that it is broken.",
        (
            "Group", "Cases (with the outcome)", "Decided", "▼ with the outcome",
            "▲ with the outcome", "Limits", "Observed / expected", "Calibration slope",
        ),
        tuple(rows),
        ("“–”: nobody stops there, or too few cases for a slope.",),
    )  # fmt: skip


def steadiness_table(scoring_list: ScoringList) -> TableView | None:
    """How many lists of cross-checking ask for the same; `None` without cross-checking."""
    if scoring_list.cross_check is None:
        return None
    wording, folds = Wording.of(scoring_list), len(scoring_list.cross_check.folds)
    rows = [
        (wording.question(question), f"{times} of {folds}")
        for question, times in zip(scoring_list.questions, times_asked(scoring_list), strict=True)
    ]
    return TableView(
        "How steady the questions are",
        "Lists of cross-checking, each learned without a part of the cases, that ask for the same.",
        ("Question", "Lists that ask for it"),
        tuple(rows),
    )


def calibration_rows(
    intercept: Estimate | None, slope: Estimate | None, ratio: Estimate | None
) -> TableView:
    """Do the risks mean what they say, in three figures."""
    return TableView(
        "Calibration in three figures",
        "Of the risks after the last question, with 95 % intervals.",
        ("Figure", "Value", "Right is"),
        (
            ("Intercept (slope held at 1)", estimate(intercept), "0: above, risks are too low"),
            ("Slope", estimate(slope), "1: below, risks are too extreme"),
            ("Observed / expected", estimate(ratio), "1"),
        ),
    )


def benefit_table(benefits: Iterable[tuple[float, Estimate, float]]) -> TableView:
    """Net benefit at some thresholds beside that of treating all."""
    rows = [
        (percent(threshold), estimate(found), number(everybody))
        for threshold, found, everybody in benefits
    ]
    return TableView(
        "Net benefit",
        "True positives less false alarms, weighed by the odds of the risk one treats from, per"
        " case; with 95 % intervals. Treating nobody is 0.",
        ("Treat from a risk of", "By the list", "Treating all"),
        tuple(rows),
    )


def tripod(about: About, told: dict[str, str]) -> TableView:
    """What TRIPOD+AI asks a report to tell: filled in where it is known, else the author's task."""
    known = {
        "Title": about.title,
        "Context and rationale": about.when_to_use,
        "Target population and intended use": _joined(about.population, about.when_to_use),
        "Source of data": about.source,
        "Dates": about.dates,
        "Setting": about.setting,
        "Who is not meant": about.not_for,
        "Outcome and time frame": _joined(about.outcome_sentence or about.outcome, about.horizon),
        "Other validation": about.validation,
        "Limitations, pitfalls": about.pitfalls,
        "Licence and availability": about.licence,
    } | told
    rows = [(item, name, known.get(name, "") or AUTHOR) for item, name in TRIPOD if name]
    return TableView(
        "TRIPOD+AI",
        "What the guideline asks to tell about a prediction model, as far as it is known here.",
        ("Item", "What", "Here"),
        tuple(rows),
    )


def told_of(scoring_list: ScoringList) -> dict[str, str]:
    wording = Wording.of(scoring_list)
    asked = "; ".join(wording.question(question) for question in scoring_list.questions)
    return {
        "Predictors": asked,
        "Kind of model": "probabilistic scoring list: ordered yes/no questions with whole points",
        "Measures of performance": "Brier score, AUC, calibration, net benefit, and rates of those"
        " who are decided, with intervals",
        "The model in full": "questions, points and risks in the list's document and on its card",
        "Code": f"scorecard {version('psl-scorecard')}",
        "Use in practice": "card, handout and programs made from the same list",
    }


TRIPOD = (
    ("1", "Title"),
    ("3a", "Context and rationale"),
    ("3b", "Target population and intended use"),
    ("3c", "Health inequalities"),
    ("5a", "Source of data"),
    ("5b", "Dates"),
    ("6a", "Setting"),
    ("6b", "Who is not meant"),
    ("7", "Preparation of the data"),
    ("8", "Outcome and time frame"),
    ("9", "Predictors"),
    ("10", "Sample size"),
    ("11", "Missing data"),
    ("12a", "How the data were used"),
    ("12c", "Kind of model"),
    ("12e", "Measures of performance"),
    ("12g", "Limits and actions"),
    ("14", "Fairness"),
    ("17", "Ethics"),
    ("18a", "Funding"),
    ("18b", "Conflicts of interest"),
    ("18c", "Protocol and registration"),
    ("18e", "Licence and availability"),
    ("18f", "Code"),
    ("19", "Patient and public involvement"),
    ("20", "Participants and events"),
    ("22", "The model in full"),
    ("23a", "Performance"),
    ("23b", "Performance in subgroups"),
    ("24", "Other validation"),
    ("26", "Limitations, pitfalls"),
    ("27", "Use in practice"),
)


def _joined(*texts: str) -> str:
    return "; ".join(filter(None, texts))

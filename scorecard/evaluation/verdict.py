"""Can I use it? The strip at the top of a report, subgroups, and what TRIPOD+AI asks to tell.

TRIPOD+AI: Collins, Moons, Dhiman and others, BMJ 2024;385:e078378.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from importlib.metadata import version

from scorecard.core.model import About, ScoringList
from scorecard.core.performance import OPEN, Ends, Kept, Rate, kept, times_asked
from scorecard.core.policy import StoppingPolicy
from scorecard.core.staircase import Decision
from scorecard.evaluation.external import Subgroup
from scorecard.evaluation.measures import Estimate
from scorecard.evaluation.view import (
    UNDEFINED,
    TableView,
    Tile,
    count,
    ended,
    estimate,
    number,
    percent,
    rate,
)
from scorecard.words.wording import SYMBOLS, Wording

ENOUGH = 100  # of each outcome; Collins, Ogundimu, Altman, Stat Med 2016;35:214-226
SOME_THRESHOLDS = (0.05, 0.15, 0.25, 0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 0.95)
AUTHOR = "The author has to write"
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
    policy: StoppingPolicy
    ends: Ends
    out: Estimate
    into: Estimate
    positives: int
    negatives: int
    elsewhere: str

    @property
    def sides(self) -> tuple[Decision, ...]:
        """On which sides anybody is meant to stop, or does."""
        both: tuple[Decision, ...] = ("rule out", "rule in")
        limits = zip(both, self.policy.has_limit, strict=True)
        return tuple(side for side, there in limits if there or self.ends.ending(side)[0])

    def verdicts(self) -> Iterator[tuple[Decision, Rate | None, Estimate, Kept]]:
        """Per side the rate seen, the limit, and whether it is shown to be kept."""
        for side in self.sides:
            is_out = side == "rule out"
            found = self.ends.missed if is_out else self.ends.right_to_treat
            limit = self.out if is_out else self.into
            yield side, found, limit, kept(found, limit[0], rules_out=is_out)

    def sentences(self) -> Iterator[str]:
        """The same in words."""
        for side, found, limit, verdict in self.verdicts():
            yield limit_sentence(ended(self.policy)[side], found, limit, verdict)


def strip(judged: Judged) -> Iterator[Tile]:
    """Of 100 patients who ends how; limits kept? enough cases? validated elsewhere?"""
    out, into, rest = hundred(judged.ends)
    wording, about = _wording(judged), judged.scoring_list.about
    (_, missed), (ruled_in, found) = (judged.ends.ending(side) for side in ("rule out", "rule in"))
    cases = judged.ends.cases
    if "rule out" in judged.sides:
        yield Tile(
            f"▼ {wording.decision('rule out', about)}",
            f"{out} of 100",
            f"{_of_100(missed / cases)} of the 100 are missed",
            "out",
        )
    if "rule in" in judged.sides:
        yield Tile(
            f"▲ {wording.decision('rule in', about)}",
            f"{into} of 100",
            f"{_of_100((ruled_in - found) / cases)} of the 100 are false alarms",
            "in",
        )
    unknown = judged.ends.ending("unknown")[0] / cases
    more = f", {_of_100(unknown)} of them for unknown answers" if unknown else ""
    name = wording.decision("undecided")
    yield Tile(f"◆ {name}", f"{rest} of 100", f"need another way{more}", "open")
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
    for side, found, limit, verdict in judged.verdicts():
        seen = f"{rate(found)}, " if found else ""
        looks = {"kept": "good", "broken": "bad"}.get(verdict, "open")
        words = "at most" if side == "rule out" else "at least"
        text = f"{seen}limit {words} {spans(limit)}"
        yield Tile(f"{SYMBOLS[side]} limit kept?", SIGNS[verdict], text, looks)


def _wording(judged: Judged) -> Wording:
    return Wording.of(replace(judged.scoring_list, policy=judged.policy))


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


def decisions_table(judged: Judged, questions: list[str]) -> TableView:
    """After each question: how many are decided by it, how many of them wrongly, who is left."""
    wording, about, ends = _wording(judged), judged.scoring_list.about, judged.ends
    rows, left = [], 1.0
    for stage in range(1, max((stage for stage, _ in ends.counts), default=0) + 1):
        asked = questions[stage - 1] if stage <= len(questions) else ""
        row = [f"{stage}. {asked}" if asked else str(stage)]
        for side in judged.sides:
            left -= ends.share(stage, side)
            row += [percent(ends.share(stage, side)), rate(ends.rate(stage, side))]
        rows.append((*row, percent(max(left, 0.0))))
    head = [
        text
        for side in judged.sides
        for text in (f"{SYMBOLS[side]} {wording.decision(side, about)}", "with the outcome")
    ]
    return TableView(
        "Decisions by question",
        "Share of all cases that is decided by each question, how many of them have the outcome"
        " with exact 95 % interval, and who is not decided until then.",
        ("After question", *head, "open"),
        tuple(rows),
        ("“–”: nobody stops there.",),
    )


def subgroup_table(column: str, subgroups: Iterable[Subgroup], judged: Judged) -> TableView:
    """Decided, missed, right and calibration per group, with counts."""
    rows = []
    for one in subgroups:
        cases, positives = one.ends.ending()
        if not cases:
            rows.append((one.name, *[UNDEFINED] * 7))
            continue
        decided = one.ends.ending("rule out", "rule in")[0]
        verdicts = replace(judged, ends=one.ends).verdicts()
        rows.append(
            (
                one.name,
                f"{count(cases / one.ends.rounds)} ({count(positives / one.ends.rounds)})",
                percent(decided / cases),
                rate(one.ends.missed),
                rate(one.ends.right_to_treat),
                ", ".join(f"{SYMBOLS[side]} {SIGNS[verdict]}" for side, *_, verdict in verdicts),
                estimate(one.observed_to_expected),
                estimate(one.line.slope) if one.line else UNDEFINED,
            )
        )
    return TableView(
        f"By {column}",
        "Each group judged apart, with exact 95 % intervals. Small groups have wide ones: that a"
        " limit is not shown to be kept does not mean that it is broken.",
        (
            "Group", "Cases (with the outcome)", "Decided", "Missed: ▼ with the outcome",
            "PPV: ▲ with the outcome", "Limits", "Observed / expected", "Calibration slope",
        ),
        tuple(rows),
        ("“–”: nobody stops there, or too few cases for a slope.",),
    )  # fmt: skip


def steadiness_table(scoring_list: ScoringList) -> TableView | None:
    """How many lists of cross-validation ask for the same; `None` where none was free to."""
    asked = times_asked(scoring_list)
    if scoring_list.cross_validation is None or not asked:
        return None
    wording, folds = Wording.of(scoring_list), len(scoring_list.cross_validation.folds)
    rows = [(wording.question(question), f"{times} of {folds}") for question, times in asked]
    return TableView(
        "How steady the questions are",
        "Lists of cross-validation, each learned without some of the cases, that ask for the same.",
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
    rows = [(item, name, known.get(name, "") or f"{AUTHOR}: {task}") for item, name, task in TRIPOD]
    return TableView(
        "TRIPOD+AI",
        "What the guideline asks to tell about a prediction model: filled in as far as it is known"
        " here, else what the author has to write.",
        ("Item", "What", "Here"),
        tuple(rows),
    )


def told_of(scoring_list: ScoringList) -> dict[str, str]:
    wording = Wording.of(scoring_list)
    asked = "; ".join(wording.whole_question(question) for question in scoring_list.questions)
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
    ("1", "Title", "that a prediction model is developed or judged, for whom and what outcome"),
    ("3a", "Context and rationale", "the clinical question, and which models there are already"),
    ("3b", "Target population and intended use", "for whom, by whom and at which point of care"),
    ("3c", "Health inequalities", "which differences between groups are known in this field"),
    ("5a", "Source of data", "cohort, register or trial the cases come from"),
    ("5b", "Dates", "from when to when cases were included and followed"),
    ("6a", "Setting", "kind, number and place of the centres"),
    ("6b", "Who is not meant", "who was eligible and who was not"),
    ("7", "Preparation of the data", "how columns were cleaned, recoded or joined beforehand"),
    ("8", "Outcome and time frame", "how and when it was determined, and whether blinded"),
    ("9", "Predictors", "how and when they were measured"),
    ("10", "Sample size", "how it was arrived at"),
    ("11", "Missing data", "why values are missing"),
    ("12a", "How the data were used", "which cases developed and which judged the model"),
    ("12c", "Kind of model", "kind of model and how it was built"),
    ("12e", "Measures of performance", "which, and why"),
    ("12g", "Limits and actions", "what is done at each limit, and who agreed to it"),
    ("14", "Fairness", "what was done about unequal performance, and why"),
    ("17", "Ethics", "approval and consent, or why none was needed"),
    ("18a", "Funding", "sources, and the role of the funders"),
    ("18b", "Conflicts of interest", "of all authors"),
    ("18c", "Protocol and registration", "where they are, or that there are none"),
    ("18e", "Licence and availability", "where data and model can be had, on which terms"),
    ("18f", "Code", "where the analysis can be had"),
    ("19", "Patient and public involvement", "how they took part, or that they did not"),
    ("20", "Participants and events", "flow of participants, with their characteristics"),
    ("22", "The model in full", "how to use it"),
    ("23a", "Performance", "with intervals"),
    ("23b", "Performance in subgroups", "for the groups that matter here, those of a column"),
    ("24", "Other validation", "results elsewhere, or that there are none"),
    ("26", "Limitations, pitfalls", "bias, missing data, overfitting, who was not represented"),
    ("27", "Use in practice", "what has to be in place, and how poor input is handled"),
)


def _joined(*texts: str) -> str:
    return "; ".join(filter(None, texts))

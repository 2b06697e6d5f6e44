"""The report of a finished list on new cases: from figures to sentences and pictures."""

from __future__ import annotations

from collections.abc import Iterator

from scorecard.core.build_staircase import build_staircase
from scorecard.core.cost import have_costs
from scorecard.core.performance import Ends, net_benefit
from scorecard.evaluation import pictures as plots
from scorecard.evaluation.costs import cost_picture, cost_words
from scorecard.evaluation.external import External
from scorecard.evaluation.measures import MEASURES, THRESHOLDS
from scorecard.evaluation.tables import RULE_WORDS
from scorecard.evaluation.verdict import (
    SOME_THRESHOLDS,
    Judged,
    benefit_table,
    calibration_rows,
    decisions_table,
    steadiness_table,
    strip,
    subgroup_table,
    told_of,
    tripod,
)
from scorecard.evaluation.view import (
    UNDECIDED_NOTE,
    UNDEFINED,
    Picture,
    ReportView,
    TableView,
    Tile,
    ended,
    estimate,
    limits_told,
    number,
    open_words,
    percent,
    plural,
    rate,
    versions,
)
from scorecard.words.wording import Wording


def external_view(external: External) -> ReportView:
    """Everything the report of a finished list says."""
    title = external.scoring_list.about.title or "This scoring list"
    total = external.cases
    return ReportView(
        title=f"{title} on new cases",
        subtitle=(
            f"{external.file}: {total} cases, {external.positives} positive"
            f" ({percent(external.positives / total)}). The list was not changed."
        ),
        findings=tuple(_findings(external)),
        pictures=tuple(_pictures(external)),
        tables=tuple(_tables(external)),
        strip=tuple(_strip(external)),
        methods=tuple(_methods()),
        settings=tuple(_settings(external)),
        warnings=tuple(_warnings(external)),
    )


def _findings(external: External) -> Iterator[str]:
    last = external.stages[max(external.stages)]
    yield f"AUC {estimate(last['auc'])}, Brier score {estimate(last['brier'])}."
    ratio = external.observed_to_expected
    if ratio is None:
        yield "The list expects no positive case at all, so expected and observed do not compare."
    else:
        shown = (
            "more than"
            if ratio[1] > 1
            else "fewer than"
            if ratio[2] < 1
            else "not shown to differ from"
        )
        yield (
            f"The positive cases are {shown} what the risks say: observed / expected ="
            f" {estimate(ratio)}."
        )
    by = external.policy.by
    if by not in external.ends:
        yield f"The stopping rule “{by}” could not be applied: {external.refused[by]}"
        return
    ends = external.ends[by]
    yield from _judged(external, ends).sentences()
    left = open_words(ends.shares(), external.policy)
    yield f"{left}, after {number(ends.mean_questions, 1)} questions on average."
    yield from cost_words(ends, external.scoring_list.about.cost_unit)


def _strip(external: External) -> Iterator[Tile]:
    ends = external.about_limits
    return strip(_judged(external, ends)) if ends else iter(())


def _judged(external: External, ends: Ends) -> Judged:
    low, high = external.policy.limits
    elsewhere = (
        "no: this is the table the list was learned from"
        if external.same_table
        else f"here: {external.cases} cases of {external.file}, which had no part in making it"
    )
    return Judged(
        external.scoring_list,
        external.policy,
        ends,
        (low, low, low),
        (high, high, high),
        external.positives,
        external.cases - external.positives,
        elsewhere,
    )


def _tables(external: External) -> Iterator[TableView]:
    ends, wording = external.about_limits, Wording.of(external.scoring_list)
    if ends is not None:
        asked = [wording.question(question) for question in external.scoring_list.questions]
        judged = _judged(external, ends)
        yield decisions_table(judged, asked)
        if external.subgroups:
            asked_for = {one.input: one.label for one in external.scoring_list.questions}
            name = asked_for.get(external.by_group, external.by_group)
            yield subgroup_table(name, external.subgroups, judged)
    line = external.line
    yield calibration_rows(
        line.intercept if line else None,
        line.slope if line else None,
        external.observed_to_expected,
    )
    share = external.positives / external.cases
    yield benefit_table(
        (threshold, found, net_benefit(share, 1 - share, 1, threshold))
        for threshold, found in zip(THRESHOLDS, external.benefits, strict=True)
        if threshold in SOME_THRESHOLDS
    )
    steady = steadiness_table(external.scoring_list)
    if steady:
        yield steady
    yield _stages(external)
    yield _totals(external)
    yield _stops(external)
    yield tripod(external.scoring_list.about, _told(external))


def _told(external: External) -> dict[str, str]:
    last = external.stages[max(external.stages)]
    seen = f"{external.cases} cases, {external.positives} with the outcome"
    return told_of(external.scoring_list) | {
        "Sample size": seen,
        "Participants and events": f"{seen}; {external.without_outcome} rows without an outcome"
        " left out",
        "Missing data": "an unknown answer stays unknown: one stops only where both answers agree",
        "How the data were used": "the finished list was applied as it is",
        "Limits and actions": limits_told(external.policy),
        "Performance": f"AUC {estimate(last['auc'])}; see above",
        "Performance in subgroups": "see above" if external.subgroups else "",
        "Other validation": external.scoring_list.about.validation or "this report",
    }


def _pictures(external: External) -> Iterator[Picture]:
    ends = external.about_limits
    if ends is not None and ends.cases:
        staircase = build_staircase(external.scoring_list, external.policy)
        yield Picture(
            "The list with its exits",
            plots.exits_plot(staircase, ends),
            "Where these cases leave the list, and how many of them have the outcome.",
            plots.exits_words(staircase, ends),
        )
        yield from cost_picture(ends, external.scoring_list.about.cost_unit, "These cases")
    yield Picture(
        "Do the risks mean what they say?",
        plots.total_plot(external),
        "After the last question: the predicted risk at every total (line) and the observed share"
        " of positives with its exact 95 % interval (points). Where the line lies outside most"
        " intervals the list needs new risks: “scorecard evaluate --recalibrated FILE” writes it"
        " with those of these cases.",
        "The same figures are in the table by total below.",
    )
    yield Picture(
        "Quality by number of questions",
        plots.estimate_curves(external),
        "Bars are 95 % intervals from drawing the cases again 1,000 times.",
        "The same figures are in the first table below.",
    )
    yield Picture(
        "What do errors cost?",
        plots.external_cost_plots(external),
        "Left: false alarms plus M times the misses, per case. Right: net benefit against treating"
        " all and treating nobody.",
        "Expected loss by number of questions is in the first table below.",
    )


def _methods() -> Iterator[str]:
    yield (
        "The list was applied as it is: no question, points, cut-off or risk was fitted to these"
        " cases. A case with an unknown answer has the mean risk of both ways, weighed by how often"
        " each was the answer in the cases behind the list (where these are not known, the risk of"
        " the last stage it reached), and AUC ranks it among the cases with that risk; the others"
        " are ranked by their totals."
    )
    yield (
        "Here every case answers all questions, so the predicted risks are those of all cases with"
        " a total. A card prints the risks of those who get there without having stopped, unless"
        " the list says otherwise: its figures can differ from these."
    )
    yield (
        "Intervals of rates are exact (Clopper–Pearson), those of other figures are quantiles over"
        " 1,000 draws of the cases with replacement."
    )


def _warnings(external: External) -> Iterator[str]:
    if external.same_table:
        yield (
            "This is the table the list was learned from: its cases chose the questions, so these"
            " figures are too good. Judge it on other cases, or how it is learned with"
            " “scorecard evaluate TABLE”."
        )
    rarer = min(external.positives, external.cases - external.positives)
    if rarer < 100:
        yield (
            f"Only {plural(rarer, 'case')} with the rarer outcome: a validation needs about 100 of"
            " each outcome to be more than a rough guide."
        )


def _settings(external: External) -> Iterator[tuple[str, str]]:
    yield "table", external.file
    yield "outcome", external.outcome
    if external.without_outcome:
        yield "rows without an outcome", str(external.without_outcome)
    yield "limits", limits_told(external.policy)
    yield from versions()


def _stages(external: External) -> TableView:
    measures = [one for one in MEASURES if one.key != "clipped"]
    rows = [
        (str(k), *(estimate(stage[one.key]) for one in measures), str(unknown))
        for (k, stage), unknown in zip(external.stages.items(), external.unknown, strict=True)
    ]
    absent = len(external.scoring_list.stages) - len(rows)
    return TableView(
        "Stage by stage",
        f"With 95 % intervals; M = {external.miss_cost:g}.",
        ("Questions", *(one.name for one in measures), "Cases with unknown answers"),
        tuple(rows),
        (
            *(f"{one.name}: {one.meaning}." for one in measures),
            *([f"{plural(absent, 'stage')} of this list have no risks."] if absent else []),
        ),
    )


def _totals(external: External) -> TableView:
    rows = [
        (str(total).replace("-", "−"), percent(one.predicted), rate(one.observed))
        for total, one in external.by_total.items()
    ]
    nobody = any(one.observed is None for one in external.by_total.values())
    notes = ("“–”: no case has this total.",) if nobody else ()
    return TableView(
        "Predicted and observed risk by total",
        "After the last question; the risks are those of all cases with that total.",
        ("Total", "Predicted", "Observed"),
        tuple(rows),
        notes,
    )


def _stops(external: External) -> TableView:
    rows, notes, names = [], [], ended(external.policy)
    priced = have_costs(external.scoring_list.questions)
    head = ("Rule", f"▼ {names['rule out']}", "with the outcome", f"▲ {names['rule in']}",
            "with the outcome", f"◆ {names['undecided']}", "Questions on average",
            *("Cost on average", "Cost per decision")[: 2 * priced])  # fmt: skip
    for by, words in RULE_WORDS.items():
        if by not in external.ends:
            rows.append((words, *[UNDEFINED] * (len(head) - 1)))
            notes.append(f"“{by}”: {external.refused[by]}")
            continue
        ends = external.ends[by]
        shares = ends.shares()
        costs = (number(ends.mean_cost, 2), number(ends.cost_per_decision, 2))
        rows.append(
            (
                words,
                percent(shares["rule out"]),
                rate(ends.missed),
                percent(shares["rule in"]),
                rate(ends.right_to_treat),
                percent(shares["undecided"] + shares["unknown"]),
                number(ends.mean_questions, 2),
                *costs[: 2 * priced],
            )
        )
        if ends.missed is None or ends.right_to_treat is None:
            notes.append(f"“–” at “{by}”: nobody stops there, so there is no rate.")
    if any(ends.shares()["unknown"] for ends in external.ends.values()):
        notes.append(UNDECIDED_NOTE)
    return TableView(
        "Stopping",
        "Share of the cases, and how many of them have the outcome with exact 95 % interval.",
        head,
        tuple(rows),
        tuple(notes),
    )

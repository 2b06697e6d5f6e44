"""The report of a finished list on new cases."""

from __future__ import annotations

from collections.abc import Iterator

from scorecard.evaluation import external_pictures as plots
from scorecard.evaluation.external import Estimate, External
from scorecard.evaluation.measures import MEASURES
from scorecard.evaluation.report import versions
from scorecard.evaluation.report_tables import RULE_WORDS
from scorecard.evaluation.view import (
    UNDECIDED_NOTE,
    UNDEFINED,
    Picture,
    ReportView,
    TableView,
    number,
    open_words,
    percent,
    plural,
    rate,
)


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
        tables=(_stage_table(external), _total_table(external), _stop_table(external)),
        methods=tuple(_methods()),
        settings=tuple(_settings(external)),
        warnings=tuple(_warnings(external)),
    )


def _findings(external: External) -> Iterator[str]:
    last = external.stages[max(external.stages)]
    yield f"AUC {_estimate(last['auc'])}, Brier score {_estimate(last['brier'])}."
    ratio = external.observed_to_expected
    if ratio is None:
        yield "The list expects no positive case at all, so expected and observed do not compare."
    else:
        word = "as many" if 0.9 <= ratio <= 1.1 else ("more" if ratio > 1 else "fewer")
        than = "as" if word == "as many" else "than"
        yield (
            f"There are {word} positive cases {than} the risks say: observed / expected ="
            f" {number(ratio, 2)}."
        )
    by = external.policy.by
    if by not in external.ends:
        yield f"The stopping rule “{by}” could not be applied: {external.refused[by]}"
        return
    ends = external.ends[by]
    low, high = external.policy.limits
    for what, limit, figure in (
        ("ruled out", low, ends.missed),
        ("ruled in", high, ends.right_to_treat),
    ):
        if figure.value is None:
            yield f"Stopping by “{by}”: nobody is {what} at the limit of {percent(limit)}."
        else:
            yield (
                f"Stopping by “{by}”: of those {what} {rate(figure)} are positive; the limit is"
                f" {percent(limit)}."
            )
    yield (
        f"{open_words(ends.shares())}, after {number(ends.mean_questions, 1)} questions on average."
    )


def _pictures(external: External) -> Iterator[Picture]:
    yield Picture(
        "Do the risks mean what they say?",
        plots.total_plot(external),
        "After the last question: the predicted risk at every total (line) and the observed share"
        " of positives with its exact 95 % interval (points). Where the line lies outside most"
        " intervals the list needs new risks: “--recalibrated FILE” writes it with those of these"
        " cases.",
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
        plots.cost_plots(external),
        "Left: false alarms plus M times the misses, per case. Right: net benefit against treating"
        " all and treating nobody.",
        "Expected loss by number of questions is in the first table below.",
    )


def _stage_table(external: External) -> TableView:
    measures = [one for one in MEASURES if one.key != "clipped"]
    rows = [
        (str(k), *(_estimate(stage[one.key]) for one in measures), str(unknown))
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


def _total_table(external: External) -> TableView:
    rows = [
        (str(total).replace("-", "−"), percent(one.predicted), rate(one.observed))
        for total, one in external.by_total.items()
    ]
    nobody = any(not one.observed.cases for one in external.by_total.values())
    notes = ("“–”: no case has this total.",) if nobody else ()
    return TableView(
        "Predicted and observed risk by total",
        "After the last question; the risks are those of all cases with that total.",
        ("Total", "Predicted", "Observed"),
        tuple(rows),
        notes,
    )


def _stop_table(external: External) -> TableView:
    rows, notes = [], []
    for by, words in RULE_WORDS.items():
        if by not in external.ends:
            rows.append((words, *[UNDEFINED] * 7))
            notes.append(f"“{by}”: {external.refused[by]}")
            continue
        ends = external.ends[by]
        shares = ends.shares()
        rows.append(
            (
                words,
                percent(shares["rule out"]),
                rate(ends.missed),
                percent(shares["rule in"]),
                rate(ends.right_to_treat),
                percent(shares["undecided"] + shares["unknown"]),
                number(ends.mean_questions, 2),
                number(ends.mean_cost, 2),
            )
        )
        if ends.missed.value is None or ends.right_to_treat.value is None:
            notes.append(f"“–” at “{by}”: nobody stops there, so there is no rate.")
    if any(ends.shares()["unknown"] for ends in external.ends.values()):
        notes.append(UNDECIDED_NOTE)
    notes.append("Mean cost is “–” where the list names no costs.")
    return TableView(
        "Stopping",
        "Share of the cases, and of them positive with exact 95 % interval.",
        (
            "Rule", "Ruled out", "of them positive", "Ruled in", "of them positive", "Undecided",
            "Questions on average", "Cost on average",
        ),
        tuple(rows),
        tuple(notes),
    )  # fmt: skip


def _methods() -> Iterator[str]:
    yield (
        "The list was applied as it is: no question, points, cut-off or risk was fitted to these"
        " cases. A case with an unknown answer keeps the risk of the last stage it reached with all"
        " answers known, and AUC ranks it among the cases with that risk; the others are ranked by"
        " their totals."
    )
    yield (
        "Here every case answers all questions, so the predicted risks are those of all cases with"
        " a total. A card prints the risks of those who get there without having stopped, unless it"
        " is made with “--estimate all”: its figures can differ from these."
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
    low, high = external.policy.limits
    yield "limits", f"{percent(low)} and {percent(high)}"
    yield from versions()


def _estimate(one: Estimate) -> str:
    value, lower, upper = one
    if value != value:
        return UNDEFINED
    if lower != lower:
        return number(value)
    return f"{number(value)} ({number(lower)} to {number(upper)})"

"""The report of a table: how good the lists learned from it are, in sentences and pictures."""

from __future__ import annotations

from collections.abc import Iterator

from scorecard.core.build_staircase import build_staircase
from scorecard.core.performance import Ends, net_benefit
from scorecard.errors import PolicyError
from scorecard.evaluation import pictures as plots
from scorecard.evaluation.costs import cost_picture, cost_words
from scorecard.evaluation.measures import LOSS_LEVEL, MEASURES, SHOWN, THRESHOLDS, Estimate
from scorecard.evaluation.resampling import LIST
from scorecard.evaluation.result import Chosen, ErrorRates, Evaluation, stability
from scorecard.evaluation.tables import tables
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
    Picture,
    ReportView,
    TableView,
    Tile,
    count,
    ended,
    limits_told,
    number,
    open_words,
    percent,
    plural,
    spread,
    versions,
)


def report_view(evaluation: Evaluation) -> ReportView:
    """Everything the report of a table says."""
    chosen = stability(evaluation.results)
    return ReportView(
        title=_title(evaluation),
        subtitle=_subtitle(evaluation),
        findings=tuple(_findings(evaluation)),
        pictures=tuple(_pictures(evaluation, chosen)),
        tables=tuple(_tables(evaluation, chosen)),
        strip=tuple(_strip(evaluation)),
        methods=tuple(_methods(evaluation)),
        settings=tuple(_settings(evaluation)),
        warnings=tuple(_warnings(evaluation)),
    )


def _title(evaluation: Evaluation) -> str:
    about = evaluation.scoring_list.about
    if about.title:
        return f"How good is such a list? {about.title}"
    return f"How good is a scoring list for {about.outcome or evaluation.outcome}?"


def _subtitle(evaluation: Evaluation) -> str:
    cases = evaluation.cases
    file = f"{cases.file}: " if cases.file else ""
    total = cases.inputs.height
    return (
        f"{file}{total} cases, {cases.positives} positive ({percent(cases.positives / total)}),"
        f" {plural(cases.inputs.width, 'input')}. {evaluation.splitting.words()}."
    )


def _findings(evaluation: Evaluation) -> Iterator[str]:
    last = evaluation.stages
    if not last:
        yield "No question helps with these settings: no split asked any."
    brier, auc = (evaluation.curve(LIST, key) for key in ("brier", "auc"))
    ceiling = evaluation.curve("boosting", "auc") if "boosting" in evaluation.methods else None
    beside = f"; gradient boosting on all columns {number(ceiling.means[-1])}" if ceiling else ""
    yield (
        f"With up to {plural(last, 'question')} the list ranks a positive case above a negative"
        f" one with probability {spread(auc.means[-1], auc.halves[-1])} (AUC{beside})."
    )
    yield (
        f"Its risks are off by a mean square of {spread(brier.means[-1], brier.halves[-1])}"
        f" (Brier score); guessing the base rate for everybody gives {number(brier.means[0])}."
    )
    yield f"How many questions? {evaluation.size.reason}"
    rates = evaluation.error_rates(evaluation.policy.by)
    yield from _error_control_sentences(evaluation, rates)


def _error_control_sentences(evaluation: Evaluation, rates: ErrorRates) -> Iterator[str]:
    if rates.ends is None:
        yield f"The stopping rule “{rates.by}” could not be applied: {rates.reason}"
        return
    shares, names = rates.ends.shares(), ended(evaluation.policy)
    judged = _judged(evaluation, rates, rates.ends)
    decided = [f"{percent(shares[side])} are {names[side]}" for side in judged.sides]
    yield (
        f"Stopping by “{rates.by}”:"
        f" {', '.join([*decided, open_words(shares, evaluation.policy)])}, after"
        f" {number(rates.ends.mean_questions, 1)} questions on average."
    )
    yield from _beside_the_card(evaluation, 1 - sum(shares[side] for side in judged.sides))
    yield from cost_words(rates.ends, evaluation.scoring_list.about.cost_unit)
    for told, (_, figure, *_rest) in zip(judged.sentences(), judged.verdicts(), strict=True):
        yield f"{told} {_fewer_cases(evaluation)}" if figure is None else told


def _beside_the_card(evaluation: Evaluation, undecided: float) -> Iterator[str]:
    """Why the card says another share than this report, where a reader sees both."""
    staircase = build_staircase(evaluation.scoring_list, evaluation.policy)
    on_card = 1 - staircase.decided_share
    if staircase.cross_validated is None or round(100 * on_card) == round(100 * undecided):
        return
    whole, part = evaluation.cases_behind
    yield (
        f"The card leaves {100 * on_card:.0f} of 100 undecided, the lists judged here"
        f" {100 * undecided:.0f}: the card is learned from all {count(whole)} cases, these lists"
        f" from about {part:.0f} each, which show less."
    )


def _fewer_cases(evaluation: Evaluation) -> str:
    """Why a list of a resample may stop nobody where the one of all cases does."""
    whole, part = evaluation.cases_behind
    return (
        f"With about {part:.0f} cases behind their figures the lists of the resamples do not show"
        f" it. The list learned from all cases has {count(whole)} behind its figures and may show"
        " it; whether it then keeps the limit was not judged here."
    )


def _strip(evaluation: Evaluation) -> Iterator[Tile]:
    rates = evaluation.error_rates(evaluation.policy.by)
    return strip(_judged(evaluation, rates, rates.ends)) if rates.ends else iter(())


def _judged(evaluation: Evaluation, rates: ErrorRates, ends: Ends) -> Judged:
    cases = evaluation.cases
    return Judged(
        evaluation.scoring_list,
        evaluation.policy,
        ends,
        rates.out,
        rates.into,
        cases.positives,
        cases.inputs.height - cases.positives,
        "no: every case here is from the same table; a table from elsewhere can show it",
    )


def _tables(evaluation: Evaluation, chosen: list[Chosen]) -> Iterator[TableView]:
    rates = evaluation.error_rates(evaluation.policy.by)
    if rates.ends is not None:
        judged = _judged(evaluation, rates, rates.ends)
        yield decisions_table(judged, [])
        if evaluation.by_group:
            name = evaluation.label(evaluation.by_group)
            yield subgroup_table(name, evaluation.subgroups(), judged)
    lines = evaluation.lines()
    ends = [
        (float(mean), float(mean - half), float(mean + half))
        for mean, half in zip(lines.means, lines.halves, strict=True)
    ]
    yield calibration_rows(*ends)
    yield benefit_table(_benefits(evaluation))
    steady = steadiness_table(evaluation.scoring_list)
    if steady:
        yield steady
    yield from tables(evaluation, chosen)
    yield tripod(evaluation.scoring_list.about, _told(evaluation))


def _benefits(evaluation: Evaluation) -> Iterator[tuple[float, Estimate, float]]:
    curve = evaluation.benefits(LIST)
    share = evaluation.cases.positives / evaluation.cases.inputs.height
    for place, threshold in enumerate(THRESHOLDS):
        if threshold in SOME_THRESHOLDS:
            value, half = float(curve.means[place]), float(curve.halves[place])
            everybody = net_benefit(share, 1 - share, 1, threshold)
            yield threshold, (value, value - half, value + half), everybody


def _told(evaluation: Evaluation) -> dict[str, str]:
    """What TRIPOD+AI asks for and the evaluation knows."""
    cases, last = evaluation.cases, evaluation.curve(LIST, "auc").means[-1]
    return told_of(evaluation.scoring_list) | {
        "Sample size": f"{cases.inputs.height} cases, {cases.positives} with the outcome",
        "Participants and events": f"{cases.inputs.height} cases, {cases.positives} with the"
        f" outcome; {cases.without_outcome} rows without an outcome left out",
        "Missing data": f"missing values: {evaluation.task.settings.get('missing', 'unknown')}",
        "How the data were used": evaluation.splitting.words(),
        "Limits and actions": limits_told(evaluation.policy),
        "Performance": f"AUC {number(last)} on cases that were left out; see above",
        "Performance in subgroups": "see above" if evaluation.by_group else "",
        "Source of data": evaluation.scoring_list.about.source or cases.file,
    }


def _pictures(evaluation: Evaluation, chosen: list[Chosen]) -> Iterator[Picture]:
    """All pictures, the most important first."""
    yield from _exits(evaluation)
    yield _quality(evaluation)
    yield from _stopping(evaluation)
    yield from _worth(evaluation)
    if chosen:
        yield Picture(
            "Would other cases choose the same questions?",
            plots.stability_plot(chosen, evaluation.label),
            "How often an input became a question; the darker, the earlier in the list. Inputs that"
            " come and go are interchangeable, or owe their place to chance.",
            "The same figures are in the table on stability below.",
        )


def _quality(evaluation: Evaluation) -> Picture:
    names = {one.key: one.name for one in MEASURES}
    return Picture(
        "Quality by number of questions",
        plots.stage_curves(evaluation, [(key, names[key]) for key in SHOWN]),
        "Mean over all splits on cases that did not choose the list; the bands are 95 % intervals"
        " of the mean. A good list has a low Brier score, a high AUC and a low entropy. Logistic"
        " regression uses the same questions with weights that are not whole numbers; a tree makes"
        " as many splits; boosting sees all columns at once and does not depend on the number of"
        " questions.",
        _curve_words(evaluation),
    )


def _stopping(evaluation: Evaluation) -> Iterator[Picture]:
    yield Picture(
        "Are the limits kept?",
        plots.error_control_plot(evaluation),
        "For each stopping rule the observed share of positives among those who stopped, on new"
        " cases, with its exact 95 % interval. Left of the limit is right for ▼, right of it for"
        " ▲. Stopping by error control, all who stop on a side in cross-validation"
        " have to keep the limit together; by “group” all who stop at one stage; by “point” the"
        " estimated risk of a total is enough; by “bounds” the end of its range has to keep it. A"
        " rule that stops nobody shows"
        " “–”: the lists of the resamples, learned from a part of the cases, do not show that it"
        " keeps the limit.",
        "The same figures are in the table on stopping below.",
    )
    yield Picture(
        "Who stops when",
        plots.stops_plot(evaluation),
        f"Share of the cases that has stopped after so many questions by the rule"
        f" “{evaluation.policy.by}”. Who is still open at the end is undecided and needs"
        " another way.",
        "The same figures are in the table on stopping below.",
    )


def _worth(evaluation: Evaluation) -> Iterator[Picture]:
    shown = [name for name in (LIST, "logistic") if name in evaluation.methods]
    yield Picture(
        "Do the risks mean what they say?",
        plots.calibration_plot({name: evaluation.calibration(name) for name in shown}),
        "After the last question: cases grouped by their predicted risk, and how many of them were"
        " positive, with exact 95 % intervals. On the line, 20 % means 20 of 100.",
        "The same figures are in the calibration table below.",
    )
    yield Picture(
        "What do errors cost?",
        plots.cost_plots(evaluation),
        "Left: false alarms plus M times the misses, per case, by what a miss costs. Right: the net"
        " benefit of treating from a risk on, against treating all and treating nobody: a useful"
        " list lies above both.",
        "Expected loss by number of questions is in the first table below.",
    )
    yield Picture(
        "How many questions are enough?",
        plots.parsimony_plot(evaluation),
        "The circle marks the fewest questions whose Brier score is within one standard error of"
        f" the best. {evaluation.size.reason}",
        evaluation.size.reason,
    )


def _exits(evaluation: Evaluation) -> Iterator[Picture]:
    try:
        staircase = build_staircase(evaluation.scoring_list, evaluation.policy)
    except PolicyError:
        return
    if len(staircase.steps) > 1 and staircase.ends.cases:
        yield Picture(
            "The list with its exits",
            plots.exits_plot(staircase, staircase.ends),
            "The list learned from all cases under its limits, and where these cases leave it. They"
            " chose the questions, so the counts look better than they will be; what to expect of"
            " new cases is in the strip above.",
            plots.exits_words(staircase, staircase.ends),
        )
    ends = evaluation.error_rates(evaluation.policy.by).ends
    if ends is not None:
        unit = evaluation.scoring_list.about.cost_unit
        yield from cost_picture(ends, unit, "The judged cases of all splits together")


def _curve_words(evaluation: Evaluation) -> str:
    curve = evaluation.curve(LIST, "auc")
    return "AUC of the list by number of questions: " + ", ".join(map(number, curve.means)) + "."


def _warnings(evaluation: Evaluation) -> Iterator[str]:
    if evaluation.failed:
        yield (
            f"{plural(len(evaluation.failed), 'split')} could not be learned from and"
            f" {'is' if len(evaluation.failed) == 1 else 'are'} left out; the first:"
            f" {evaluation.failed[0]}"
        )
    if evaluation.cases.positives < 100:
        yield (
            f"Only {evaluation.cases.positives} cases are positive; figures for validation need"
            " about 100 of each outcome to be more than a rough guide."
        )


def _methods(evaluation: Evaluation) -> Iterator[str]:
    task, policy = evaluation.task, evaluation.policy
    held = float(task.settings.get("held_out", 0))
    yield (
        f"{evaluation.splitting.words()}; all methods got the same splits (seed"
        f" {evaluation.splitting.seed}). In every split a list was learned anew with the settings"
        " below and judged on the cases that were left out: they chose neither questions, points,"
        " cut-offs nor risks. A value that no case to learn from has was an unknown answer."
    )
    if held:
        yield (
            f"Of the cases to learn from, {percent(held)} were kept out of the search and gave the"
            " risks and ranges, as in the list that is printed. The baselines learned from all of"
            " them."
        )
    yield (
        "Intervals of means are 1.96 standard errors over the splits, as in the paper. Splits share"
        " cases, so these intervals tell how exactly the mean is known, not how much another sample"
        " of patients would differ. Rates have exact (Clopper–Pearson) intervals in which every"
        f" case counts once: counts over all splits are divided by {evaluation.rounds:.3g}, the"
        " number of times a case was tested."
    )
    yield from _measures_told(task.miss_cost)
    yield (
        f"Stopping limits: {limits_told(policy)}; estimate of those who are “{policy.estimate}”,"
        f" confidence {percent(policy.confidence)}, at least {policy.min_cases} cases behind a"
        " stop."
    )
    yield (
        "The number of questions: the smallest whose Brier score differs from the best by at most"
        " one standard error of that difference, taken over the same splits and with every case"
        " counted once."
    )
    yield "The method: Hanselle, Heid, Fürnkranz, Hüllermeier: Probabilistic Scoring Lists."


def _measures_told(miss_cost: float) -> Iterator[str]:
    yield (
        "AUC counts ties as one half and ranks by total, because equal risks at different totals"
        " would lower it; a case with an unknown answer has the mean risk of both ways."
        " Log loss is in bits with risks cut at 0.1 % and 99.9 %. Expected loss is"
        f" (false alarms + M × misses) / cases, by default M = {miss_cost:g}, by the risk and"
        f" by the upper end of its {LOSS_LEVEL:.0%} range; where there is no range nobody is"
        " treated as negative. Loss = M × (prevalence − net benefit) at the risk 1/(M + 1)."
    )
    yield (
        "Logistic regression learned from the answers to the list's own questions, with an L2"
        " penalty (C = 1) or practically none (C = 10¹⁰); an unknown answer counted as the"
        " commonest one. The tree may have one leaf more than the list has questions and splits by"
        " entropy. Gradient boosting has 60 trees of at most 8 leaves on all columns."
    )


def _settings(evaluation: Evaluation) -> Iterator[tuple[str, str]]:
    cases = evaluation.cases
    yield "table", cases.file or "a data frame"
    if cases.sha256:
        yield "table sha256", cases.sha256
    yield "outcome", f"{evaluation.outcome} = {cases.positive}"
    for name, reason in cases.dropped:
        yield f"column {name} not used", reason
    if cases.without_outcome:
        yield "rows without an outcome", count(cases.without_outcome)
    for name, value in sorted(evaluation.task.settings.items()):
        if value is not None:
            yield name, f"{value:.6g}" if isinstance(value, float) else str(value)
    yield from versions()

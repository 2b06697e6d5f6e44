"""Both reports, of a table and of a finished list: from figures to sentences and pictures."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from importlib.metadata import version

from scorecard.evaluation import pictures as plots
from scorecard.evaluation.external import External
from scorecard.evaluation.measures import LOSS_LEVEL, MEASURES, SHOWN
from scorecard.evaluation.resampling import LIST
from scorecard.evaluation.result import Chosen, Evaluation, Promise, stability
from scorecard.evaluation.tables import estimate, external_tables, tables
from scorecard.evaluation.view import (
    Picture,
    ReportView,
    average_rate,
    count,
    number,
    open_words,
    percent,
    plural,
    rate,
    spread,
)


def report_view(evaluation: Evaluation) -> ReportView:
    """Everything the report of a table says."""
    chosen = stability(evaluation.results)
    return ReportView(
        title=f"How good is a scoring list for {evaluation.outcome}?",
        subtitle=_subtitle(evaluation),
        findings=tuple(_findings(evaluation)),
        pictures=tuple(_pictures(evaluation, chosen)),
        tables=tuple(tables(evaluation, chosen)),
        methods=tuple(_methods(evaluation)),
        settings=tuple(_settings(evaluation)),
        warnings=tuple(_warnings(evaluation)),
    )


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
    promise = evaluation.promise(evaluation.task.policy.by)
    yield from _promise_sentences(evaluation, promise)


def _promise_sentences(evaluation: Evaluation, promise: Promise) -> Iterator[str]:
    low, high = evaluation.task.policy.limits
    if promise.ends is None:
        yield f"The stopping rule “{promise.by}” could not be applied: {promise.reason}"
        return
    shares = promise.ends.shares()
    yield (
        f"Stopping by “{promise.by}”: {percent(shares['rule out'])} are ruled out,"
        f" {percent(shares['rule in'])} ruled in, {open_words(shares)}, after"
        f" {number(promise.ends.mean_questions, 1)} questions on average."
    )
    for what, limit, figure in (
        ("ruled out", low, promise.ends.missed),
        ("ruled in", high, promise.ends.right_to_treat),
    ):
        if figure is None:
            yield (
                f"Nobody is {what} at the limit of {percent(limit)} by the lists of the resamples:"
                f" {_fewer_cases(evaluation)}"
            )
        else:
            keeps = figure.value <= low if what == "ruled out" else figure.value >= high
            kept = "kept" if keeps else "broken"
            yield (
                f"Of those {what}, {average_rate(figure)} are positive; the limit of"
                f" {percent(limit)} is {kept}."
            )


def _fewer_cases(evaluation: Evaluation) -> str:
    """Why a list of a resample may stop nobody where the one of all cases does."""
    whole, part = evaluation.cases_behind
    return (
        f"with about {part:.0f} cases behind their figures they do not show it. The list learned"
        f" from all cases has {count(whole)} behind its figures and may show it; whether it then"
        " keeps the limit was not judged here."
    )


def _pictures(evaluation: Evaluation, chosen: list[Chosen]) -> Iterator[Picture]:
    """All pictures, the most important first."""
    names = {one.key: one.name for one in MEASURES}
    yield Picture(
        "Quality by number of questions",
        plots.stage_curves(evaluation, [(key, names[key]) for key in SHOWN]),
        "Mean over all splits on cases that did not choose the list; the bands are 95 % intervals"
        " of the mean. A good list has a low Brier score, a high AUC and a low entropy. Logistic"
        " regression uses the same questions with weights that are not whole numbers; a tree makes"
        " as many splits; boosting sees all columns at once and does not depend on the number of"
        " questions.",
        _curve_words(evaluation),
    )
    yield Picture(
        "Is the promise kept?",
        plots.promise_plot(evaluation),
        "For each stopping rule the observed share of positives among those who stopped, on new"
        " cases, with its exact 95 % interval. Left of the limit is right for the ruled out, right"
        " of it for the ruled in. Stopping by “promise”, all who stop on a side in cross-checking"
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
        f" “{evaluation.task.policy.by}”. Who is still open at the end is undecided and needs"
        " another way.",
        "The same figures are in the table on stopping below.",
    )
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
    if chosen:
        yield Picture(
            "Would other cases choose the same questions?",
            plots.stability_plot(chosen),
            "How often an input became a question; the darker, the earlier in the list. Inputs that"
            " come and go are interchangeable, or owe their place to chance.",
            "The same figures are in the table on stability below.",
        )


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
    task, policy = evaluation.task, evaluation.task.policy
    low, high = policy.limits
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
    yield (
        "AUC counts ties as one half and ranks by total, because equal risks at different totals"
        " would lower it; a case with an unknown answer is ranked by the risk it had until then."
        " Log loss is in bits with risks cut at 0.1 % and 99.9 %. Expected loss is"
        f" (false alarms + M × misses) / cases, by default M = {task.miss_cost:g}, by the risk and"
        f" by the upper end of its {LOSS_LEVEL:.0%} range; where there is no range nobody is"
        " treated as negative. Loss = M × (prevalence − net benefit) at the risk 1/(M + 1)."
    )
    yield (
        "Logistic regression learned from the answers to the list's own questions, with an L2"
        " penalty (C = 1) or practically none (C = 10¹⁰); an unknown answer counted as the"
        " commonest one. The tree may have one leaf more than the list has questions and splits by"
        " entropy. Gradient boosting has 60 trees of at most 8 leaves on all columns."
    )
    yield (
        f"Stopping limits: rule out at a risk of at most {percent(low)}, rule in at a risk of at"
        f" least {percent(high)}; estimate of those who are “{policy.estimate}”, confidence"
        f" {percent(policy.confidence)}, at least {policy.min_cases} cases behind a stop."
    )
    yield (
        "The number of questions: the smallest whose Brier score differs from the best by at most"
        " one standard error of that difference, taken over the same splits and with every case"
        " counted once."
    )
    yield "The method: Hanselle, Heid, Fürnkranz, Hüllermeier: Probabilistic Scoring Lists."


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
        findings=tuple(_external_findings(external)),
        pictures=tuple(_external_pictures(external)),
        tables=tuple(external_tables(external)),
        methods=tuple(_external_methods()),
        settings=tuple(_external_settings(external)),
        warnings=tuple(_external_warnings(external)),
    )


def _external_findings(external: External) -> Iterator[str]:
    last = external.stages[max(external.stages)]
    yield f"AUC {estimate(last['auc'])}, Brier score {estimate(last['brier'])}."
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
        if figure is None:
            yield f"Stopping by “{by}”: nobody is {what} at the limit of {percent(limit)}."
        else:
            yield (
                f"Stopping by “{by}”: of those {what} {rate(figure)} are positive; the limit is"
                f" {percent(limit)}."
            )
    yield (
        f"{open_words(ends.shares())}, after {number(ends.mean_questions, 1)} questions on average."
    )


def _external_pictures(external: External) -> Iterator[Picture]:
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
        plots.external_cost_plots(external),
        "Left: false alarms plus M times the misses, per case. Right: net benefit against treating"
        " all and treating nobody.",
        "Expected loss by number of questions is in the first table below.",
    )


def _external_methods() -> Iterator[str]:
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


def _external_warnings(external: External) -> Iterator[str]:
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


def _external_settings(external: External) -> Iterator[tuple[str, str]]:
    yield "table", external.file
    yield "outcome", external.outcome
    if external.without_outcome:
        yield "rows without an outcome", str(external.without_outcome)
    low, high = external.policy.limits
    yield "limits", f"{percent(low)} and {percent(high)}"
    yield from versions()


def versions() -> Iterator[tuple[str, str]]:
    """The versions that a result depends on."""
    for package in ("psl-scorecard", "numpy", "scikit-learn"):
        yield package, version(package)
    yield "python", platform.python_version()

"""The report of a resampled evaluation: from figures to sentences, pictures and tables."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from importlib.metadata import version

from scorecard.evaluation.predictions import LOSS_LEVEL
from scorecard.evaluation.report_pictures import pictures
from scorecard.evaluation.report_tables import tables
from scorecard.evaluation.resampling import LIST
from scorecard.evaluation.result import Evaluation, Promise
from scorecard.evaluation.stability import stability
from scorecard.evaluation.view import (
    ReportView,
    average_rate,
    count,
    number,
    open_words,
    percent,
    plural,
    spread,
)


def report_view(evaluation: Evaluation) -> ReportView:
    """Everything the report of a table says."""
    chosen = stability(evaluation.results)
    return ReportView(
        title=f"How good is a scoring list for {evaluation.outcome}?",
        subtitle=_subtitle(evaluation),
        findings=tuple(_findings(evaluation)),
        pictures=tuple(pictures(evaluation, chosen)),
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
        if figure.value is None:
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


def versions() -> Iterator[tuple[str, str]]:
    """The versions that a result depends on."""
    for package in ("psl-scorecard", "numpy", "scikit-learn"):
        yield package, version(package)
    yield "python", platform.python_version()

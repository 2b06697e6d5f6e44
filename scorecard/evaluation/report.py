"""The two reports: how good the lists learned from a table are, and a finished list on new cases.

Here are the findings in sentences, which stand alone where there is no page, and the facts that the
templates `report/resampled.html.j2` and `report/external.html.j2` place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from scorecard.core.build_staircase import build_staircase
from scorecard.core.model import ScoringList
from scorecard.core.performance import Ends, times_asked
from scorecard.core.performance import rate as rate_of
from scorecard.core.policy import By
from scorecard.core.staircase import Staircase
from scorecard.core.walk import have_costs
from scorecard.errors import PolicyError
from scorecard.evaluation import pictures as plots
from scorecard.evaluation.external import External
from scorecard.evaluation.measures import (
    KEYS,
    LOSS_LEVEL,
    MEASURES,
    SHOWN,
    THRESHOLDS,
    Estimate,
    net_benefit,
)
from scorecard.evaluation.paper import checklist, methods_paragraph
from scorecard.evaluation.resampling import LIST, METHODS
from scorecard.evaluation.result import ErrorRates, Evaluation, same_first_questions, stability
from scorecard.evaluation.verdict import advice_on, is_mixed
from scorecard.evaluation.view import (
    Judged,
    JudgedReport,
    count,
    ended,
    estimate,
    limits_told,
    number,
    open_words,
    percent,
    plural,
    rate,
    spans,
    spread,
    versions,
)
from scorecard.tables.suspicions import doubts
from scorecard.words.wording import SYMBOLS, Wording

SOME_THRESHOLDS = (0.05, 0.15, 0.25, 0.35, 0.45, 0.55, 0.65, 0.75, 0.85, 0.95)

RULE_WORDS: dict[By, str] = {
    "error-control": "the rate of all who stop, cross-validated",
    "group": "group: the rate of all who stop",
    "point": "point: the estimated risk",
    "bounds": "bounds: the end of its range",
}


def report_of(found: External | Evaluation) -> JudgedReport:
    """What was found, in words."""
    return _resampled(found) if isinstance(found, Evaluation) else _external(found)


def text_of(found: External | Evaluation) -> str:
    """In a few lines: whose cases, the verdict, the findings, and what limits them."""
    report = report_of(found)
    notes = (f"Note: {one}" for one in report.warnings)
    return "\n".join([report.subtitle, report.advice.sentence, *report.findings, *notes])


def rows_of(found: External | Evaluation) -> list[dict[str, Any]]:
    """Each measure with its interval after every question, of each method that was judged."""
    if isinstance(found, External):
        return [{"questions": k} | _columns(stage) for k, stage in found.stages.items()]
    rows = []
    for method in found.methods:
        curves = {key: found.curve(method, key) for key in KEYS}
        for k in range(found.stages + 1):
            figures = {
                key: (one.means[k], one.means[k] - one.halves[k], one.means[k] + one.halves[k])
                for key, one in curves.items()
            }
            rows.append({"method": METHODS[method], "questions": k} | _columns(figures))
    return rows


def _columns(stage: Mapping[str, Estimate]) -> dict[str, float]:
    ends = ("", "_lower", "_upper")
    return {
        f"{key}{end}": float(figure)
        for key, found in stage.items()
        for end, figure in zip(ends, found, strict=True)
    }


# Lists learned from a table, each judged on the cases that it was not learned from ---------------


def _resampled(found: Evaluation) -> JudgedReport:
    cases, about = found.cases, found.scoring_list.about
    file, total = f"{cases.file}: " if cases.file else "", cases.inputs.height
    rates = found.error_rates(found.policy.by)
    judged = None if rates.ends is None else _judged_resamples(found, rates, rates.ends)
    title = f"a scoring list for {about.outcome or found.outcome}?"
    staircase, chosen = _staircase(found), stability(found.results)
    return JudgedReport(
        template="report/resampled.html.j2",
        title=f"How good is such a list? {about.title}" if about.title else f"How good is {title}",
        subtitle=f"{file}{total} cases, {cases.positives} positive"
        f" ({percent(cases.positives / total)}), {plural(cases.inputs.width, 'input')}."
        f" {found.splitting.words()}.",
        advice=advice_on(found, judged),
        findings=tuple(_findings_of_resamples(found, rates, judged)),
        warnings=tuple(_warnings_of_resamples(found)),
        settings=tuple(_settings_of_resamples(found)),
        facts=_facts(found, judged, staircase)
        | {
            "cases": cases,
            "chosen": chosen,
            "lines": _estimates(found, "lines"),
            "net_benefits": _some_benefits(
                _estimates(found, "benefits"), cases.positives / cases.inputs.height
            ),
            "rates": rates,
            "rules": [(by, found.error_rates(by)) for by in found.task.rules],
            "same_questions": same_first_questions(found.results, found.scoring_list.questions),
        },
        drawn=lambda: _pictures_of_resamples(found, staircase, bool(chosen)),
    )


def _judged_resamples(found: Evaluation, rates: ErrorRates, ends: Ends) -> Judged:
    cases = found.cases
    return Judged(
        found.scoring_list,
        found.policy,
        ends,
        rates.out,
        rates.into,
        cases.positives,
        cases.inputs.height - cases.positives,
        ("no", "every case here is from the same table; a table from elsewhere can show it"),
    )


def _staircase(found: Evaluation) -> Staircase | None:
    """The list of all cases under its limits, where there is something to ask."""
    try:
        return build_staircase(found.scoring_list, found.policy)
    except PolicyError:
        return None


def _estimates(found: Evaluation, which: str) -> list[Estimate]:
    """The calibration of the list, or its net benefit, over the splits."""
    curve = found.lines() if which == "lines" else found.benefits(LIST)
    return [
        (float(mean), float(mean - half), float(mean + half))
        for mean, half in zip(curve.means, curve.halves, strict=True)
    ]


def _findings_of_resamples(
    found: Evaluation, rates: ErrorRates, judged: Judged | None
) -> Iterator[str]:
    last = found.stages
    if not last:
        yield "No question helps with these settings: no split asked any."
    brier, auc = (found.curve(LIST, key) for key in ("brier", "auc"))
    ceiling = found.curve("boosting", "auc") if "boosting" in found.methods else None
    beside = f"; gradient boosting on all columns {number(ceiling.means[-1])}" if ceiling else ""
    yield (
        f"With up to {plural(last, 'question')} the list ranks a positive case above a negative"
        f" one with probability {spread(auc.means[-1], auc.halves[-1])} (AUC{beside})."
    )
    yield (
        f"Its risks are off by a mean square of {spread(brier.means[-1], brier.halves[-1])}"
        f" (Brier score); guessing the base rate for everybody gives {number(brier.means[0])}."
    )
    yield f"How many questions? {found.size.reason}"
    if judged is None:
        yield f"The stopping rule “{rates.by}” could not be applied: {rates.reason}"
        return
    shares, names = judged.ends.shares(), ended(found.policy)
    decided = [f"{percent(shares[side])} are {names[side]}" for side in judged.sides]
    yield (
        f"Stopping by “{rates.by}”:"
        f" {', '.join([*decided, open_words(shares, found.policy)])}, after"
        f" {number(judged.ends.mean_questions, 1)} questions on average."
    )
    yield from _beside_the_card(found, 1 - sum(shares[side] for side in judged.sides))
    yield from _cost_words(judged)
    for told, (_, figure, *_rest) in zip(judged.sentences(), judged.verdicts(), strict=True):
        yield f"{told} {_fewer_cases(found)}" if figure is None else told


def _beside_the_card(found: Evaluation, undecided: float) -> Iterator[str]:
    """Why the card says another share than this report, where a reader sees both."""
    staircase = build_staircase(found.scoring_list, found.policy)
    on_card = 1 - staircase.decided_share
    if staircase.cross_validated is None or round(100 * on_card) == round(100 * undecided):
        return
    whole, part = found.cases_behind
    why = f"the card is learned from all {count(whole)} cases, these lists from about {part:.0f}"
    if undecided > on_card:
        why = f"{why} each, which show less"
    elif found.policy.chosen_by == "data":
        limits = limits_told(found.policy)
        why = f"each of these lists has limits of its own, those of the card are {limits}"
    yield (
        f"The card leaves {100 * on_card:.0f} of 100 undecided, the lists judged here"
        f" {100 * undecided:.0f}: {why}."
    )


def _fewer_cases(found: Evaluation) -> str:
    """Why a list of a resample may stop nobody where the one of all cases does."""
    whole, part = found.cases_behind
    return (
        f"With about {part:.0f} cases behind their figures the lists of the resamples do not show"
        f" it. The list learned from all cases has {count(whole)} behind its figures and may show"
        " it; whether it then keeps the limit was not judged here."
    )


def _warnings_of_resamples(found: Evaluation) -> Iterator[str]:
    if found.failed:
        yield (
            f"{plural(len(found.failed), 'split')} could not be learned from and"
            f" {'is' if len(found.failed) == 1 else 'are'} left out; the first: {found.failed[0]}"
        )
    if found.cases.positives < 100:
        yield (
            f"Only {found.cases.positives} cases are positive; figures for validation need"
            " about 100 of each outcome to be more than a rough guide."
        )
    yield from (doubt.message for doubt in doubts(found.cases) if is_mixed(doubt))


def _settings_of_resamples(found: Evaluation) -> Iterator[tuple[str, str]]:
    cases = found.cases
    yield "table", cases.file or "a data frame"
    if cases.sha256:
        yield "table sha256", cases.sha256
    yield "outcome", f"{found.outcome} = {cases.positive}"
    for name, reason in cases.dropped:
        yield f"column {name} not used", reason
    if cases.without_outcome:
        yield "rows without an outcome", count(cases.without_outcome)
    for name, value in sorted(found.task.settings.items()):
        if value is not None:
            yield name, f"{value:.6g}" if isinstance(value, float) else str(value)
    yield from versions()


def _pictures_of_resamples(
    found: Evaluation, staircase: Staircase | None, steady: bool
) -> Iterator[tuple[str, str]]:
    """By name, the most important first."""
    if staircase is not None and len(staircase.steps) > 1 and staircase.ends.cases:
        yield "exits", plots.exits_plot(staircase, staircase.ends)
    yield from _cost_picture(found.error_rates(found.policy.by).ends, found.scoring_list)
    names = {one.key: one.name for one in MEASURES}
    yield "quality", plots.stage_curves(found, [(key, names[key]) for key in SHOWN])
    yield "limits", plots.error_control_plot(found)
    yield "stops", plots.stops_plot(found)
    shown = [name for name in (LIST, "logistic") if name in found.methods]
    yield "calibration", plots.calibration_plot({name: found.calibration(name) for name in shown})
    yield "errors", plots.cost_plots(found)
    yield "size", plots.parsimony_plot(found)
    if steady:
        yield "stability", plots.stability_plot(stability(found.results), found.label)


# A finished list on new cases --------------------------------------------------------------------


def _external(found: External) -> JudgedReport:
    share = found.positives / found.cases
    ends = found.about_limits
    judged = None if ends is None else _judged_on_new_cases(found, ends)
    has_exits = ends is not None and bool(ends.cases)
    staircase = build_staircase(found.scoring_list, found.policy) if has_exits else None
    labels = {one.input: one.label for one in found.scoring_list.questions}
    return JudgedReport(
        template="report/external.html.j2",
        title=f"{found.scoring_list.about.title or 'This scoring list'} on new cases",
        subtitle=f"{found.file}: {found.cases} cases, {found.positives} positive"
        f" ({percent(share)}). The list was not changed.",
        advice=advice_on(found, judged),
        findings=tuple(_findings_on_new_cases(found, judged)),
        warnings=tuple(_warnings_on_new_cases(found)),
        settings=tuple(_settings_of_new_cases(found)),
        facts=_facts(found, judged, staircase)
        | {
            "group_label": labels.get(found.new.by_group, found.new.by_group),
            "net_benefits": _some_benefits(found.benefits, share),
        },
        drawn=lambda: _pictures_of_new_cases(found, staircase),
    )


def _judged_on_new_cases(found: External, ends: Ends) -> Judged:
    (low, high), own = found.policy.limits, ("no", "this is the table the list was learned from")
    new = "here", f"{found.cases} cases of {found.file}, which had no part in making it"
    return Judged(
        found.scoring_list,
        found.policy,
        ends,
        (low, low, low),
        (high, high, high),
        found.positives,
        found.cases - found.positives,
        own if found.same_table else new,
    )


def _findings_on_new_cases(found: External, judged: Judged | None) -> Iterator[str]:
    yield f"AUC {estimate(found.last['auc'])}, Brier score {estimate(found.last['brier'])}."
    ratio = found.observed_to_expected
    if ratio is None:
        yield "The list expects no positive case at all, so expected and observed do not compare."
    else:
        _, lower, upper = ratio
        differ = "more than" if lower > 1 else "fewer than" if upper < 1 else ""
        yield (
            f"The positive cases are {differ or 'not shown to differ from'} what the risks say:"
            f" observed / expected = {estimate(ratio)}."
        )
    by = found.policy.by
    if judged is None:
        yield f"The stopping rule “{by}” could not be applied: {found.refused[by]}"
        return
    yield from judged.sentences()
    left = open_words(judged.ends.shares(), found.policy)
    yield f"{left}, after {number(judged.ends.mean_questions, 1)} questions on average."
    yield from _cost_words(judged)


def _warnings_on_new_cases(found: External) -> Iterator[str]:
    if found.same_table:
        yield (
            "This is the table the list was learned from: its cases chose the questions, so these"
            " figures are too good. Judge it on other cases, or how it is learned with"
            " “scorecard evaluate TABLE”."
        )
    rarer = min(found.positives, found.cases - found.positives)
    if rarer < 100:
        yield (
            f"Only {plural(rarer, 'case')} with the rarer outcome: a validation needs about 100 of"
            " each outcome to be more than a rough guide."
        )


def _settings_of_new_cases(found: External) -> Iterator[tuple[str, str]]:
    yield "table", found.file
    yield "outcome", found.new.outcome
    if found.new.without_outcome:
        yield "rows without an outcome", str(found.new.without_outcome)
    yield "limits", limits_told(found.policy)
    yield from versions()


def _pictures_of_new_cases(
    found: External, staircase: Staircase | None
) -> Iterator[tuple[str, str]]:
    ends = found.about_limits
    if staircase is not None and ends is not None:
        yield "exits", plots.exits_plot(staircase, ends)
        yield from _cost_picture(ends, found.scoring_list)
    yield "calibration", plots.total_plot(found)
    yield "quality", plots.estimate_curves(found)
    yield "errors", plots.external_cost_plots(found)


# What both have -----------------------------------------------------------------------------------


def _facts(
    found: External | Evaluation, judged: Judged | None, staircase: Staircase | None
) -> dict[str, object]:
    """What the templates of both reports place, and how figures are written there."""
    scoring_list = found.scoring_list
    check = scoring_list.cross_validation
    written = (count, estimate, limits_told, number, percent, plural, rate, spans, spread)
    return {one.__name__: one for one in written} | {
        "checklist": checklist(found),
        "found": found,
        "judged": judged,
        "paragraph_for_a_paper": methods_paragraph(found, judged),
        "staircase": staircase,
        "wording": Wording.of(scoring_list),
        "asked_by_folds": times_asked(scoring_list),
        "folds": len(check.folds) if check else 0,
        "has_costs": have_costs(scoring_list.questions),
        "ended": ended(found.policy),
        "loss_level": LOSS_LEVEL,
        "measures": MEASURES,
        "meanings": [f"{one.name}: {one.meaning}." for one in MEASURES if one.key != "clipped"],
        "methods": METHODS,
        "of_100": _of_100,
        "points": lambda points: _with_minus(f"{points:+d}"),
        "priced": _priced,
        "rate_of": rate_of,
        "rule_words": RULE_WORDS,
        "symbols": SYMBOLS,
        "total": lambda total: _with_minus(str(total)),
    }


def _some_benefits(
    benefits: Iterable[Estimate], share: float
) -> list[tuple[float, Estimate, float]]:
    """At some thresholds the net benefit of the list and of treating all."""
    return [
        (threshold, found, net_benefit(share, 1 - share, threshold))
        for threshold, found in zip(THRESHOLDS, benefits, strict=True)
        if threshold in SOME_THRESHOLDS
    ]


def _cost_words(judged: Judged) -> Iterator[str]:
    """The mean cost of a case, and of a decision; nothing where the list names no costs."""
    unit, mean = judged.scoring_list.about.cost_unit, judged.ends.mean_cost
    if mean is not None:
        per = judged.ends.cost_per_decision
        more = "" if per is None else f", each decision {_priced(per, unit)}"
        yield f"A case costs {_priced(mean, unit)} on average{more}."


def _cost_picture(ends: Ends | None, scoring_list: ScoringList) -> Iterator[tuple[str, str]]:
    """The share decided against the cost."""
    if ends is not None and ends.mean_cost is not None and len(ends.cost_curve) > 1:
        yield "costs", plots.cost_curve_plot(ends, scoring_list.about.cost_unit)


def _priced(cost: float, unit: str) -> str:
    return f"{number(cost, 2)} {unit}".strip()


def _of_100(share: float) -> str:
    return "0" if not share else "fewer than 1" if share < 0.005 else f"{100 * share:.0f}"


def _with_minus(text: str) -> str:
    return text.replace("-", "−")

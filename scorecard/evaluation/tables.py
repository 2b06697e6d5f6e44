"""The tables of a resampled report: the figures behind the pictures, counts and intervals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from scorecard.core.cost import have_costs
from scorecard.core.performance import Ends
from scorecard.core.performance import rate as rate_of
from scorecard.core.policy import By
from scorecard.evaluation.measures import MEASURES, SHOWN
from scorecard.evaluation.resampling import LIST, METHODS
from scorecard.evaluation.result import Chosen, ErrorRates, Evaluation, same_first_questions
from scorecard.evaluation.view import (
    UNDECIDED_NOTE,
    UNDEFINED,
    TableView,
    ended,
    number,
    percent,
    plural,
    rate,
    spread,
)
from scorecard.words.wording import Wording

RULE_WORDS: dict[By, str] = {
    "error-control": "the rate of all who stop, cross-validated",
    "group": "group: the rate of all who stop",
    "point": "point: the estimated risk",
    "bounds": "bounds: the end of its range",
}


def tables(evaluation: Evaluation, chosen: list[Chosen]) -> Iterator[TableView]:
    """All tables in the order of the pictures."""
    yield _stage_table(evaluation)
    yield _baseline_table(evaluation)
    yield _error_control_table(evaluation)
    yield _end_table(evaluation)
    yield _calibration_table(evaluation)
    yield _list_table(evaluation)
    yield _total_table(evaluation)
    yield _stability_table(chosen, evaluation)


def _stage_table(evaluation: Evaluation) -> TableView:
    measures = [one for one in MEASURES if one.key != "clipped"]
    curves = [evaluation.curve(LIST, one.key) for one in measures]
    clipped = evaluation.curve(LIST, "clipped").means
    cost = evaluation.task.miss_cost
    rows = [
        (
            str(k),
            *(spread(curve.means[k], curve.halves[k]) for curve in curves),
            number(clipped[k], 1),
            str(evaluation.lists_of(k)),
        )
        for k in range(evaluation.stages + 1)
    ]
    return TableView(
        "The list, stage by stage",
        f"Mean ± half of the 95 % interval over {len(evaluation.results)} splits; M = {cost:g}.",
        ("Questions", *(one.name for one in measures), "Risks clipped", "Splits that got here"),
        tuple(rows),
        (
            *(f"{one.name}: {one.meaning}." for one in measures),
            "A list that ended earlier keeps the figures of its last question.",
        ),
    )


def _baseline_table(evaluation: Evaluation) -> TableView:
    keys = [one for one in MEASURES if one.key in (*SHOWN, "log_loss", "loss_point")]
    rows = []
    for method in evaluation.methods:
        curves = [evaluation.curve(method, one.key) for one in keys]
        rows.append(
            (METHODS[method], *(spread(curve.means[-1], curve.halves[-1]) for curve in curves))
        )
    return TableView(
        "Compared on the same splits",
        f"After at most {plural(evaluation.stages, 'question')}; mean ± half of the 95 % interval.",
        ("Method", *(one.name for one in keys)),
        tuple(rows),
    )


def _error_control_table(evaluation: Evaluation) -> TableView:
    rows, notes, unknown = [], [], 0.0
    names = ended(evaluation.policy)
    for by in evaluation.task.rules:
        rates = evaluation.error_rates(by)
        if rates.refused:
            notes.append(
                f"“{by}” could not be applied in {plural(rates.refused, 'split')}: {rates.reason}"
            )
        if rates.ends is None:
            rows.append((RULE_WORDS[by], *[UNDEFINED] * 7))
            continue
        ends, shares = rates.ends, rates.ends.shares()
        rows.append(_error_control_row(rates, ends))
        if ends.missed is None or ends.right_to_treat is None:
            notes.append(f"“–” at “{by}”: nobody stops there, so there is no rate.")
        unknown += shares["unknown"]
    if unknown:
        notes.append(UNDECIDED_NOTE)
    return TableView(
        "Stopping: are the limits kept?",
        "Observed share of positives with counts and exact 95 % interval; each case counts once"
        " however often it was tested.",
        (
            "Rule", f"▼ {names['rule out']}", "with the outcome", "Splits that kept it",
            f"▲ {names['rule in']}", "with the outcome", "Splits that kept it",
            f"◆ {names['undecided']}",
        ),
        tuple(rows),
        tuple(notes),
    )  # fmt: skip


def _error_control_row(rates: ErrorRates, ends: Ends) -> tuple[str, ...]:
    shares = ends.shares()
    return (
        RULE_WORDS[rates.by],
        percent(shares["rule out"]),
        rate(ends.missed),
        percent(rates.kept_out),
        percent(shares["rule in"]),
        rate(ends.right_to_treat),
        percent(rates.kept_in),
        percent(shares["undecided"] + shares["unknown"]),
    )


def _end_table(evaluation: Evaluation) -> TableView:
    rates = evaluation.error_rates(evaluation.policy.by)
    priced = have_costs(evaluation.scoring_list.questions)
    head = ("Rule", "Questions on average", "Sensitivity, strict", "lenient",
            "Specificity, strict", "lenient",
            *("Cost on average", "Cost per decision")[: 2 * priced])  # fmt: skip
    rows = []
    for by in evaluation.task.rules:
        ends = evaluation.error_rates(by).ends
        if ends is None:
            rows.append((RULE_WORDS[by], *[UNDEFINED] * (len(head) - 1)))
            continue
        costs = (number(ends.mean_cost, 2), number(ends.cost_per_decision, 2))
        rows.append(
            (
                RULE_WORDS[by],
                number(ends.mean_questions, 2),
                rate(ends.sensitivity(lenient=False)),
                rate(ends.sensitivity(lenient=True)),
                rate(ends.specificity(lenient=False)),
                rate(ends.specificity(lenient=True)),
                *costs[: 2 * priced],
            )
        )
    notes = [] if rates.ends else [f"“–”: {rates.reason}"]
    return TableView(
        "Stopping: sensitivity and specificity",
        "Strict counts the undecided as errors, lenient as right; they are never left out.",
        head,
        tuple(rows),
        tuple(notes),
    )


def _calibration_table(evaluation: Evaluation) -> TableView:
    rows = [(percent(one.predicted), rate(one.observed)) for one in evaluation.calibration(LIST)]
    return TableView(
        "Predicted and observed risk",
        "After the last question, cases grouped by tenths of predicted risk; mean of the group.",
        ("Predicted", "Observed"),
        tuple(rows),
    )


def _list_table(evaluation: Evaluation) -> TableView:
    learned = evaluation.scoring_list
    same = same_first_questions(evaluation.results, learned.questions)
    wording = Wording.of(learned)
    rows = [
        (
            str(place),
            f"{question.points:+d}".replace("-", "−"),
            wording.whole_question(question),
            percent(share),
        )
        for place, (question, share) in enumerate(zip(learned.questions, same, strict=True), 1)
    ]
    notes = () if rows else ("No question helps: the list has none.",)
    return TableView(
        "The list learned from all cases",
        "This is what “scorecard fit” gives with these settings. The last column is the share of"
        " resamples whose list asks for the same inputs up to here, in any order.",
        ("Place", "Points", "Question", "Same inputs"),
        tuple(rows),
        notes,
    )


def _total_table(evaluation: Evaluation) -> TableView:
    """The list's own figures per total; lists of different resamples have different totals."""
    learned = evaluation.scoring_list
    stage = learned.stages[-1]
    rows = [
        (
            str(total).replace("-", "−"),
            percent(risk.probability),
            UNDEFINED
            if risk.lower is None or risk.upper is None
            else f"{percent(risk.lower)} to {percent(risk.upper)}",
            rate(rate_of(risk.positives or 0, risk.cases or 0)),
        )
        for total, risk in (zip(stage.totals, stage.risks, strict=True) if stage else ())
    ]
    return TableView(
        "Its risks by total",
        f"After its last question; {learned.risk_source.origin} figures. The range holds for all"
        f" totals together at {percent(learned.risk_source.level)}, the interval of the observed"
        " rate for each alone.",
        ("Total", "Risk", "Range", "Observed"),
        tuple(rows),
        ("“–”: nobody has this total, or the data contradict a risk that rises with the total.",),
    )


def _stability_table(chosen: list[Chosen], evaluation: Evaluation) -> TableView:
    rows = [
        (
            evaluation.label(one.input),
            percent(one.share),
            _listed({str(place): share for place, share in one.places.items()}),
            _listed({f"{p:+d}".replace("-", "−"): share for p, share in one.points.items()}),
            _listed(one.conditions)
            if one.cutoffs is None
            else "{1:.4g} ({0:.4g} to {2:.4g})".format(*one.cutoffs),
        )
        for one in chosen
    ]
    return TableView(
        "Stability over the resamples",
        f"Of {len(evaluation.results)} lists, with points and questions as they were learned;"
        " shares in percent. Cut-offs: median, and 10 to 90 % quantile.",
        ("Input", "Chosen", "At place", "With points", "Cut-off or question"),
        tuple(rows),
    )


def _listed(shares: Mapping[str, float]) -> str:
    return ", ".join(f"{name} ({100 * share:.0f})" for name, share in list(shares.items())[:4])

"""The pictures of a report with what they show and how to read them."""

from __future__ import annotations

from collections.abc import Iterator

from scorecard.evaluation import pictures as plots
from scorecard.evaluation.measures import MEASURES, SHOWN
from scorecard.evaluation.resampling import LIST
from scorecard.evaluation.result import Evaluation
from scorecard.evaluation.stability import Chosen
from scorecard.evaluation.view import Picture, number


def pictures(evaluation: Evaluation, chosen: list[Chosen]) -> Iterator[Picture]:
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
        " of it for the ruled in. Stopping by “group”, all who stop there together have to keep the"
        " limit; by “point” the estimated risk of a total is enough; by “bounds” the end of its"
        " range has to keep it; “certified” tests total by total. A rule that stops nobody shows"
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

"""For a paper: a paragraph of methods, and what TRIPOD+AI asks to tell, as far as it is known.

The guideline: Collins, Moons, Dhiman and others, BMJ 2024;385:e078378.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from scorecard.core.model import ScoringList
from scorecard.core.policy import StoppingPolicy
from scorecard.core.question import inputs_of
from scorecard.evaluation.external import External
from scorecard.evaluation.resampling import LIST
from scorecard.evaluation.result import Evaluation
from scorecard.evaluation.view import (
    Judged,
    ended,
    estimate,
    limits_told,
    number,
    percent,
    plural,
    spans,
    spread,
)
from scorecard.words.wording import Wording

MISSING = {
    "unknown": "a missing value was an unknown answer",
    "mode": "a missing value was replaced by the most frequent one",
    "question": "a missing value was an unknown answer, and might itself be asked for",
    "refuse": "no value was missing",
}
LOSSES = {"entropy": "expected entropy of the outcome", "ranking": "share of misranked pairs"}
RISKS = {
    "cross-validated": "learned from all cases and corrected by lists learned without a part of"
    " them",
    "held-out": "estimated from cases that were kept out of the search",
    "training": "estimated from the cases that chose the questions",
    "published": "those of the source",
}


@dataclass(frozen=True)
class ChecklistItem:
    """An item of the checklist: what it asks for, and the answer or the author's task."""

    number: str
    name: str
    text: str
    is_filled: bool


# (number, name, what the author has to write where it is not known)
ITEMS = (
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


def checklist(found: External | Evaluation) -> list[ChecklistItem]:
    """The items of TRIPOD+AI, each with what is known of it here."""
    known = {**_of_the_list(found.scoring_list), **_of_the_cases(found)}
    return [
        ChecklistItem(
            item, name, known.get(name) or f"The author has to write: {task}", bool(known.get(name))
        )
        for item, name, task in ITEMS
    ]


def _of_the_list(scoring_list: ScoringList) -> dict[str, str]:
    about, wording = scoring_list.about, Wording.of(scoring_list)
    outcome = about.outcome_sentence or about.outcome
    return {
        "Title": about.title,
        "Context and rationale": about.when_to_use,
        "Target population and intended use": _together(about.population, about.when_to_use),
        "Source of data": about.source,
        "Dates": about.dates,
        "Setting": about.setting,
        "Who is not meant": about.not_for,
        "Outcome and time frame": _together(outcome, about.horizon),
        "Other validation": about.validation,
        "Limitations, pitfalls": about.pitfalls,
        "Licence and availability": about.licence,
        "Predictors": _together(*map(wording.whole_question, scoring_list.questions)),
        "Kind of model": "probabilistic scoring list: ordered yes/no questions with whole points;"
        f" risks {RISKS[scoring_list.risk_source.origin]}",
        "Measures of performance": "Brier score, AUC, calibration, net benefit, and rates of those"
        " who are decided, with intervals",
        "The model in full": "questions, points and risks in the list's document and on its card",
        "Code": f"scorecard {version('psl-scorecard')}",
        "Use in practice": "card, handout and programs made from the same list",
    }


def _of_the_cases(found: External | Evaluation) -> dict[str, str]:
    return _of_resamples(found) if isinstance(found, Evaluation) else _of_new_cases(found)


def _of_resamples(found: Evaluation) -> dict[str, str]:
    cases, policy = found.cases, found.policy
    size, auc = cases.inputs.height, found.curve(LIST, "auc")
    rarer = min(cases.positives, size - cases.positives)
    left_out = [f"column {name} was not used ({why})" for name, why in cases.dropped]
    about = found.scoring_list.about
    return {
        "Source of data": about.source or cases.file,
        "Preparation of the data": _together(*left_out) or "all columns were used as they are",
        "Sample size": f"{_cases(size, cases.positives)}:"
        f" {rarer / max(cases.inputs.width, 1):.1f} of the rarer outcome for each of"
        f" {plural(cases.inputs.width, 'candidate input')}",
        "Missing data": f"{MISSING[found.task.settings.get('missing', 'unknown')]}; {_gaps(found)}",
        "How the data were used": found.splitting.words(),
        "Limits and actions": _actions(about, policy),
        "Participants and events": f"{_cases(size, cases.positives)};"
        f" {plural(cases.without_outcome, 'row')} without an outcome left out",
        "Performance": f"AUC {spread(auc.means[-1], auc.halves[-1])} on cases that were left out;"
        " see above",
        "Performance in subgroups": "see above" if found.by_group else "",
        "Other validation": about.validation or "none yet: all cases are of one table",
    }


def _of_new_cases(found: External) -> dict[str, str]:
    about = found.scoring_list.about
    return {
        "Sample size": f"{_cases(found.cases, found.positives)}; about 100 of each are needed",
        "Missing data": "an unknown answer stays unknown: one stops only where both answers agree;"
        f" {found.unknown[-1]} of {found.cases} cases have one",
        "How the data were used": "the finished list was applied as it is",
        "Limits and actions": _actions(about, found.policy),
        "Participants and events": f"{_cases(found.cases, found.positives)};"
        f" {plural(found.new.without_outcome, 'row')} without an outcome left out",
        "Performance": f"AUC {estimate(found.last['auc'])}; see above",
        "Performance in subgroups": "see above" if found.subgroups else "",
        "Other validation": about.validation or "this report",
    }


def _gaps(found: Evaluation) -> str:
    """In how many of the cases the inputs that are asked for are missing."""
    inputs, size = found.cases.inputs, found.cases.inputs.height
    shares = {
        found.label(name): inputs[name].null_count() / size
        for name in inputs_of(found.scoring_list.questions)
    }
    gaps = [f"{name} {percent(share)}" for name, share in shares.items() if share]
    return f"missing: {', '.join(gaps)}" if gaps else "no value of the inputs asked is missing"


def _actions(about: Any, policy: StoppingPolicy) -> str:
    steps = (about.next_steps_rule_out, about.next_steps_rule_in, about.next_steps_undecided)
    return _together(limits_told(policy), *steps)


def _cases(size: int, positives: int) -> str:
    return f"{size} cases, {positives} with the outcome"


def _together(*texts: str) -> str:
    return "; ".join(filter(None, texts))


# A paragraph of methods ---------------------------------------------------------------------------


def methods_paragraph(found: External | Evaluation, judged: Judged | None) -> str:
    """How it was done and what came out, in sentences to paste into a paper."""
    told = (
        _resampled(found, judged) if isinstance(found, Evaluation) else _on_new_cases(found, judged)
    )
    return " ".join(told)


def _resampled(found: Evaluation, judged: Judged | None) -> Iterator[str]:
    cases, settings = found.cases, found.task.settings
    size = cases.inputs.height
    outcome = found.scoring_list.about.outcome or found.outcome
    yield (
        f"A probabilistic scoring list (Hanselle and others 2025) for {outcome} was learned from"
        f" {size} cases, of which {cases.positives} ({percent(cases.positives / size)}) had the"
        f" outcome, and {plural(cases.inputs.width, 'candidate input')}, with psl-scorecard"
        f" {version('psl-scorecard')}."
    )
    loss = LOSSES[(settings.get("published") or {}).get("loss", "entropy")]
    given = " Some questions were given beforehand." if settings.get("fixed") else ""
    yield (
        "Yes/no questions, their cut-offs and whole points were chosen one after the other, each"
        f" as the one that lowers the {loss} most.{given}"
    )
    yield _sentence(MISSING[settings.get("missing", "unknown")])
    yield _risks_told(found.scoring_list)
    yield (
        f"The whole procedure was judged by {_lower(found.splitting.words())}: each list was"
        " applied to cases that had no part in choosing its questions, cut-offs, points or risks."
    )
    auc, brier = (found.curve(LIST, key) for key in ("auc", "brier"))
    intercept, slope, ratio = found.lines().means
    yield (
        f"The AUC was {spread(auc.means[-1], auc.halves[-1])} and the Brier score"
        f" {spread(brier.means[-1], brier.halves[-1])} (mean ± half of the 95 % interval over the"
        f" splits); the calibration intercept was {number(intercept)}, the slope {number(slope)},"
        f" and observed to expected {number(ratio)}."
    )
    yield from _limits(judged)


def _on_new_cases(found: External, judged: Judged | None) -> Iterator[str]:
    about, line = found.scoring_list.about, found.line
    yield (
        f"The probabilistic scoring list {about.title or 'named above'}"
        f" ({plural(len(found.scoring_list.questions), 'question')}) was applied, without any"
        f" change, to {found.cases} cases, of which {found.positives}"
        f" ({percent(found.positives / found.cases)}) had the outcome, with psl-scorecard"
        f" {version('psl-scorecard')}."
    )
    yield _risks_told(found.scoring_list)
    yield "A missing value was an unknown answer."
    yield (
        f"The AUC was {estimate(found.last['auc'])}, the Brier score"
        f" {estimate(found.last['brier'])} (95 % intervals from 1,000 draws of the cases);"
        f" observed to expected was {estimate(found.observed_to_expected)}, the calibration"
        f" intercept {estimate(line.intercept if line else None)} and the slope"
        f" {estimate(line.slope if line else None)}."
    )
    yield from _limits(judged)


def _risks_told(scoring_list: ScoringList) -> str:
    folds = scoring_list.cross_validation
    by = f" ({len(folds.folds)} folds)" if folds else ""
    return f"Its risks are {RISKS[scoring_list.risk_source.origin]}{by}."


def _limits(judged: Judged | None) -> Iterator[str]:
    if judged is None:
        return
    out, into, rest = judged.hundred()
    names = ended(judged.policy)
    yield (
        f"Of 100 cases {out} were {names['rule out']} (limit: {_limit(judged, 0)}), {into}"
        f" {names['rule in']} (limit: {_limit(judged, 1)}), and {rest} {names['undecided']}, after"
        f" {number(judged.ends.mean_questions, 1)} questions on average."
    )
    yield from judged.sentences()
    yield "Rates have exact (Clopper–Pearson) 95 % intervals in which every case counts once."


def _limit(judged: Judged, side: int) -> str:
    if not judged.policy.has_limit[side]:
        return "none"
    return f"{('at most', 'at least')[side]} {spans((judged.out, judged.into)[side])}"


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]

"""From an opened recipe to a finished list: learned, under its limits, labelled, with its origin.

What has to be said about it comes with it, as remarks: values with a kind and fields, whose words
are made last.
"""

from __future__ import annotations

import os
import platform
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from importlib.metadata import version
from math import ceil, floor
from typing import TYPE_CHECKING, Any

from scorecard.alternatives import near_lists
from scorecard.core.build_staircase import build_staircase, usual_policy
from scorecard.core.edits import Before, asked_digest, edited, showing_of
from scorecard.core.error_control import loosest_limits
from scorecard.core.given_question import given_as, given_question
from scorecard.core.model import About, ScoringList
from scorecard.core.performance import times_asked
from scorecard.core.policy import StoppingPolicy
from scorecard.core.question import said_yes
from scorecard.errors import ListError, PolicyError
from scorecard.learning.learner import LearnedList, ListLearner
from scorecard.project.recipe import Judging, Opened
from scorecard.tables.cases import Cases
from scorecard.tables.suspicions import Doubt
from scorecard.words.language import language_named
from scorecard.words.sentences import (
    cross_validation_sentences,
    edit_sentences,
    validation_sentences,
)
from scorecard.words.wording import Wording

if TYPE_CHECKING:
    from scorecard.evaluation.result import Evaluation

OFTEN = 0.2  # of the cases without an answer
MISS_COST = 10.0  # of the paper, where nobody has an opinion about costs
FEW = 10  # cases of an outcome, below which risks rest on chance

WORDS = {
    "cases": "{cases} cases, {positives} positive ({positive!r}).",
    "negative values": "Counted as negative: {values}.",
    "rows left out": "Rows without an outcome, left out: {rows}.",
    "column left out": "Column {name!r} is not used: {reason}.",
    "question": "{number:3}  {points:>3}  {question}",
    "no question": "No question helps: the list has none.",
    "steadiness": "Asked by so many of {folds} lists in cross-validation: {times}.",
    "unknown answers": "Unknown answers among {cases} cases: {counts}.",
    "doubts": "Doubts: {doubts}.",
    "size": "How many questions: {reason}.",
    "weighing": "{reason}.",
    "free inputs": "Inputs without a cost are taken as free: {names}.",
    "bins": "Inputs counted in bins of round numbers: {inputs}.",
    "warning": "Note: {message}",
    "moved limits": "The data now show other limits: {now} (before: {was}). To keep those:"
    " `rule_out={out:g}` `rule_in={into:g}`; in a card.toml rule_out = {out:g} and"
    " rule_in = {into:g} below [limits].",
}
SAID = ("figures", "limits", "edit")  # sentences that cards have, too


@dataclass(frozen=True)
class Remark:
    """Something to be said of a list: what kind of thing, and the facts."""

    kind: str
    facts: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return str(
            self.facts["said"] if self.kind in SAID else WORDS[self.kind].format(**self.facts)
        )


@dataclass(frozen=True)
class Fitted:
    """A learned list with its labels and its provenance, and what has to be said about it.

    `later` are those of the doubts that nobody could know before it was learned.
    """

    scoring_list: ScoringList
    cases: Cases
    about_learning: tuple[Remark, ...]
    doubts: tuple[Doubt, ...]
    later: tuple[Doubt, ...]

    @property
    def remarks(self) -> Iterator[Remark]:
        """Cases, questions with their points, where the figures come from, what was left out."""
        cases, found, wording = self.cases, self.scoring_list, Wording(language_named("en"))
        said = {"cases": cases.inputs.height, "positives": cases.positives}
        yield Remark("cases", {**said, "positive": cases.positive})
        if len(cases.others) > 1 and said_yes(cases.positive) is None:
            yield Remark("negative values", {"values": ", ".join(map(repr, cases.others))})
        if cases.without_outcome:
            yield Remark("rows left out", {"rows": cases.without_outcome})
        for name, reason in cases.dropped:
            yield Remark("column left out", {"name": name, "reason": reason})
        for number, question in enumerate(found.questions, 1):
            words = wording.points(question.points), wording.whole_question(question)
            yield Remark(
                "question",
                dict(zip(("number", "points", "question"), (number, *words), strict=True)),
            )
        if not found.questions:
            yield Remark("no question")
        yield from _steadiness(found)
        yield Remark("figures", {"said": wording.figures_sentence(found)})
        yield from (Remark("limits", {"said": line}) for line in limits_told(found))
        yield from (Remark("edit", {"said": line}) for line in edit_sentences(found, wording))
        yield from unknown_answers(found, cases)
        if doubts := [doubt.short for doubt in self.doubts if not doubt.leaves_out]:
            yield Remark("doubts", {"doubts": "; ".join(doubts)})
        yield from self.about_learning


def learn(
    recipe: Opened,
    *,
    progress: Callable[[float, int], None] | None = None,
    doubt: Callable[[Doubt], None] | None = None,
) -> Fitted:
    """Learn a list as a recipe says, and make it ready to be stored.

    `progress` is told how far the search is, `doubt` what looks wrong in the table, before anything
    is learned from it.
    """
    said = recipe.recipe
    cases, found = recipe.sound_cases()
    for one in found if doubt else ():
        doubt(one)  # type: ignore[misc]
    labels = recipe.labels.with_units(cases.units)
    settings = labels.learning_settings(recipe.settings, cases.inputs.columns)
    labels = labels.with_costs(settings["costs"])
    limits = recipe.limits
    if {"rule_out", "rule_in"} <= {*limits}:
        # What costs and unknown answers are weighed under is what the list will be put under.
        settings["policy"] = StoppingPolicy(**limits, chosen_by="person")
    model, remarks = _learn(cases, settings, progress)
    learned = model.scoring_list
    if limits:
        learned = model.list_under(usual_policy(replace(learned, policy=None), **limits))
    later = (
        *answered_alike(learned),
        *often_unknown(learned, cases),
        *few_cases(learned),
        *seldom_asked(learned),
    )
    provenance = _provenance(cases, recipe.asked_for(), model, (*found, *later))
    learned = replace(labels.put_on(learned), provenance=(*provenance, *learned.provenance))
    learned = replace(learned, about=_about(learned.about, cases, recipe.outcome))
    if said.no_evidence:
        learned = replace(learned, evidence=None, cross_validation=None)
    if said.validate:
        learned = _validated(learned, said.validate, recipe)
    before = recipe.start.before
    if before is not None:
        learned = edited(learned, counted_alike(before, cases, learned, recipe))
        remarks = (*remarks, *moved_limits(before, learned))
    return Fitted(learned, cases, remarks, (*found, *later), later)


def _validated(learned: ScoringList, table: str, recipe: Opened) -> ScoringList:
    """The list with what the cases of another table say of it."""
    from scorecard.evaluation.external import evaluate_list, read_new_cases

    told = {**recipe.recipe.reading, "group": recipe.recipe.group}
    cases = read_new_cases(table, learned, recipe.outcome, recipe.recipe.positive, **told)
    return evaluate_list(learned, cases, None, MISS_COST, 0).validated_list()


def judged(
    recipe: Opened,
    judging: Judging,
    *,
    progress: Callable[[int, int], None] | None = None,
    doubt: Callable[[Doubt], None] | None = None,
) -> Evaluation:
    """How good lists are that are learned so from a part of the cases, on the rest of them."""
    from scorecard.evaluation.external import group_labels
    from scorecard.evaluation.resampling import Splitting, Task
    from scorecard.evaluation.result import evaluate_table

    cases, found = recipe.sound_cases()
    for one in found if doubt else ():
        doubt(one)  # type: ignore[misc]
    by_group, said = judging.by_group, recipe.recipe
    groups = group_labels(said.tables, by_group, recipe.outcome, **said.reading) if by_group else ()
    miss_cost = recipe.limits.get("miss_cost") or MISS_COST
    settings = {
        name: one for name, one in recipe.settings.items() if name not in ("held_out", "folds")
    }
    settings["random_state"] = judging.seed
    task = Task(settings, changes=recipe.limits, miss_cost=miss_cost)
    splitting = Splitting(judging.splits, judging.test_share, judging.folds, judging.seed)
    return evaluate_table(
        cases, recipe.outcome, task, splitting, judging.jobs, progress,
        recipe.labels, by_group, groups,
    )  # fmt: skip


def counted_alike(before: Before, cases: Cases, learned: ScoringList, recipe: Opened) -> Before:
    """The list before an edit, cross-validated as the edit is: with its questions kept.

    Lists of cross-validation that may choose questions do worse than those that keep what all cases
    have chosen; else every edit would seem to gain. Without figures where it cannot be counted so.
    """
    if learned.cross_validation is None or before.table != cases.sha256 or not before.asks:
        return before
    unknown = replace(before, log_loss=None, decided=None, questions=None)
    try:
        asks = [given_question(text, cases.inputs.columns) for text in before.asks]
    except ListError:
        return unknown
    if asked_digest([one.as_question() for one in asks]) != before.asked:
        return unknown  # a category with a comma is not read back, or it was replaced by hand
    settings = recipe.labels.learning_settings(recipe.settings, cases.inputs.columns)
    settings = {**settings, "fixed": asks, "max_questions": 0}
    model, _ = recipe.once(repr(settings), lambda: _learn(cases, settings, None))
    shown = showing_of(replace(model.scoring_list, policy=learned.policy))
    figures = {name: getattr(shown, name) for name in ("log_loss", "decided", "questions")}
    return replace(before, **figures, policy=learned.policy, kept=True)


def moved_limits(before: Before, learned: ScoringList) -> Iterator[Remark]:
    """That the data chose other limits than the list had before its edit, and how to keep those."""
    was, now = before.policy, learned.policy
    if was is None or now is None or now.chosen_by != "data" or was.limits == now.limits:
        return
    out, into = was.limits
    facts = {"now": _groups(now), "was": _groups(was), "out": out, "into": into}
    yield Remark("moved limits", facts)


def _groups(policy: StoppingPolicy) -> str:
    (out, into), (has_low, has_high) = policy.limits, policy.has_limit
    low = f"low risk at most {100 * out:g} of 100" if has_low else "no low risk"
    high = f"high risk at least {100 * into:g} of 100" if has_high else "no high risk"
    return f"{low}, {high}"


def other_lists(fitted: Fitted, recipe: Opened, most: int) -> tuple[ScoringList, ...]:
    """The list, and those that ask for other columns and are nearly as good."""

    def learned(without: frozenset[str]) -> ScoringList:
        dropped = (*recipe.recipe.drop, *sorted(without))
        return learn(replace(recipe, recipe=replace(recipe.recipe, drop=dropped))).scoring_list

    given = frozenset(one.input for one in recipe.start.questions)
    return near_lists(fitted.scoring_list, learned, most, given=given)


def _learn(
    cases: Cases,
    settings: Mapping[str, Any],
    progress: Callable[[float, int], None] | None,
) -> tuple[LearnedList, tuple[Remark, ...]]:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found: LearnedList = cases.teach(ListLearner(settings, progress))
    remarks = [
        Remark(kind, {"reason": reason})
        for kind, reason in (("size", found.size_reason), ("weighing", found.weighing_reason))
        if reason
    ]
    free = [name for name in cases.inputs.columns if name not in _priced(settings)]
    if settings.get("costs") and free:
        remarks.append(Remark("free inputs", {"names": ", ".join(free)}))
    if found.bins:
        remarks.append(Remark("bins", {"inputs": len(found.bins)}))
    remarks += [Remark("warning", {"message": warning.message}) for warning in caught]
    return found, tuple(remarks)


def _priced(settings: Mapping[str, Any]) -> set[str]:
    """The inputs that cost something by themselves or as members of a panel."""
    panels = (settings.get("panels") or {}).values()
    return {*(settings.get("costs") or ()), *(name for members in panels for name in members)}


def limits_told(learned: ScoringList) -> list[str]:
    """Which limits the list has, and what cross-validation and validation have shown of them."""
    if learned.policy is None:
        return []
    try:
        staircase = build_staircase(learned)
    except PolicyError:  # what to do about it is said at the end
        return []
    wording = Wording.of(staircase)
    return [
        wording.limits_sentence(staircase),
        *_what_could_be_shown(learned),
        *cross_validation_sentences(staircase, wording),
        *validation_sentences(staircase, wording),
    ]


def _what_could_be_shown(learned: ScoringList) -> Iterator[str]:
    """Where the data show no group: how large those of low and of high risk would be."""
    policy, check = learned.policy, learned.cross_validation
    if policy is None or check is None or policy.chosen_by != "data" or any(policy.has_limit):
        return
    (low, out), (high, into) = loosest_limits(check, policy)
    # Never rounded up to the fifth that is wanted.
    yield (
        "These data show no group worth a stop, which takes a fifth of the cases: in"
        f" cross-validation a risk of at most {100 * low:g} of 100 (a third of the odds of all)"
        f" holds for {floor(100 * out)} of 100 cases, one of at least {100 * high:g} (three times"
        f" the odds) for {floor(100 * into)}."
    )


# Where a list comes from --------------------------------------------------------------------------


def _about(about: About, cases: Cases, outcome: str) -> About:
    """What a card must say, from the table where the labels do not say it."""
    # "confirmed" or "2" says nothing without its column.
    label = outcome if said_yes(cases.positive) else f"{outcome}: {cases.positive}"
    return replace(
        about,
        outcome=about.outcome or label,
        source=about.source or cases.file,
        version=about.version or "1",
        date=about.date or _today(),
    )


def _today() -> str:
    """The date of the list; SOURCE_DATE_EPOCH fixes it where files have to be reproducible."""
    seconds = float(os.environ.get("SOURCE_DATE_EPOCH") or time.time())
    return datetime.fromtimestamp(seconds, UTC).date().isoformat()


def _provenance(
    cases: Cases,
    options: Mapping[str, Any],
    model: LearnedList,
    found: Sequence[Doubt],
) -> Iterator[tuple[str, str]]:
    """Where the list comes from: no path, no user's name, nothing that changes by itself."""
    yield "table", cases.file
    if cases.sha256:
        yield "table sha256", cases.sha256
    yield "rows", str(cases.inputs.height + cases.without_outcome)
    yield "cases", f"{cases.inputs.height}, {cases.positives} positive"
    if model.size_reason is not None:
        yield "number of questions", model.size_reason
    if model.bins:
        each = (
            f"{name} {bins.number} (at most {_up_to(100 * bins.largest, 2)} % of the cases in one)"
            for name, bins in model.bins.items()
        )
        yield "bins of round numbers", ", ".join(each)
    for name, leaves_out in (("left out", True), ("warnings", False)):
        if told := [doubt.short for doubt in found if doubt.leaves_out == leaves_out]:
            yield name, "; ".join(told)
    for name in sorted(options):
        if options[name] not in (None, ()):
            yield f"option {name}", str(options[name])
    for package in ("psl-scorecard", "numpy", "scikit-learn"):
        yield package, version(package)
    yield "python", platform.python_version()


def _up_to(number: float, decimals: int) -> str:
    """The number with so many decimals, not below what it is."""
    return f"{ceil(number * 10**decimals) / 10**decimals:.{decimals}f}"


# What has to be said about it ---------------------------------------------------------------------


def _steadiness(scoring_list: ScoringList) -> Iterator[Remark]:
    """How many lists of cross-validation ask each question."""
    asked = times_asked(scoring_list)
    if scoring_list.cross_validation is not None and asked:
        each = ", ".join(f"{question.label} {times}" for question, times in asked)
        folds = len(scoring_list.cross_validation.folds)
        yield Remark("steadiness", {"folds": folds, "times": each})


def seldom_asked(scoring_list: ScoringList) -> Iterator[Doubt]:
    """Questions that fewer than half of the lists ask which were learned without some cases."""
    folds = len(scoring_list.cross_validation.folds) if scoring_list.cross_validation else 0
    asked = times_asked(scoring_list)
    seldom = [f"{question.label} ({times})" for question, times in asked if 2 * times < folds]
    if seldom:
        yield Doubt(
            "questions that depend on few cases",
            f"Of {folds} lists learned without a part of the cases each, fewer than half ask for"
            f" {', '.join(seldom)}: with other patients the list might ask for something else; see"
            " that each question makes sense to you, or leave columns out with `drop`.",
        )


def few_cases(scoring_list: ScoringList) -> Iterator[Doubt]:
    """Outcomes so rare in the figures that limits cannot stop anybody, or risks say little."""
    start = scoring_list.stages[0]
    risk = start.risks[0] if start else None
    if risk is None or risk.cases is None or risk.positives is None:
        return
    usual = usual_policy(scoring_list)
    negatives, (for_out, for_in) = risk.cases - risk.positives, usual.needed_cases
    remedy = "use more cases, "
    if scoring_list.risk_source.origin == "held-out":
        remedy += "`evidence='cross-validated'`, which counts them all, "
    if for_out is not None and negatives < for_out:
        yield Doubt(
            "few negative cases",
            f"Only {negatives:g} negative cases are behind the figures: to show a risk of at most"
            f" {usual.rule_out:.0%}, {for_out} are needed, so nobody will stop with “rule out”;"
            f" {remedy}or a higher `rule_out`.",
        )
    elif negatives < FEW:
        yield _very_few("negative", negatives)
    if for_in is not None and risk.positives < for_in:
        yield Doubt(
            "few positive cases",
            f"Only {risk.positives:g} positive cases are behind the figures: to show a risk of at"
            f" least {usual.rule_in:.0%}, {for_in} are needed, so nobody will stop with “rule in”;"
            f" {remedy}or a lower `rule_in`.",
        )
    elif risk.positives < FEW:
        yield _very_few("positive", risk.positives)


def _very_few(outcome: str, count: float) -> Doubt:
    return Doubt(
        f"few {outcome} cases",
        f"Only {count:g} {outcome} cases are behind the figures: questions and risks rest on chance"
        " with so few; use more cases.",
    )


def answered_alike(scoring_list: ScoringList) -> Iterator[Doubt]:
    """Questions, then somebody's, to which all cases have the same answer."""
    patterns = scoring_list.evidence.patterns if scoring_list.evidence else ()
    for number, question in enumerate(scoring_list.questions):
        said = {
            letter: sum(one.cases for one in patterns if one.answers[number] == letter)
            for letter in "10"
        }
        cases = sum(said.values())
        for letter, answer in (("1", "yes"), ("0", "no")):
            if cases and not said[letter]:
                yield Doubt(
                    f"question {number + 1} has one answer",
                    f"Nobody of {cases:g} cases answers {answer} to question {number + 1}"
                    f" ({given_as(question)}), so it tells nothing; see whether it is meant so.",
                )


def often_unknown(scoring_list: ScoringList, cases: Cases) -> Iterator[Doubt]:
    """Questions that many cases cannot answer: those who get further are no longer like all."""
    for number, question in enumerate(scoring_list.questions, 1):
        if question.condition.is_presence or cases.missing == "mode":
            continue  # being missing is the answer, or is never counted
        count, height = cases.inputs[question.input].null_count(), cases.inputs.height
        if count > OFTEN * height:
            yield Doubt(
                f"question {number} is often unknown",
                f"Question {number} ({question.input}) has no answer in {count} of {height} cases;"
                " `missing='mode'` gives them the commonest value, `drop` leaves the column out.",
            )


def unknown_answers(scoring_list: ScoringList, cases: Cases) -> Iterator[Remark]:
    """How many cases have no answer to each question of the list, where some have none."""
    counts = {
        question.input: cases.inputs[question.input].null_count()
        for question in scoring_list.questions
        if not question.condition.is_presence
    }
    missing = ", ".join(f"{name} {count}" for name, count in counts.items() if count)
    if missing:
        yield Remark("unknown answers", {"cases": cases.inputs.height, "counts": missing})

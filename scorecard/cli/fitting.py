"""What `scorecard fit` does: read, learn with a progress bar, label, record, summarise."""

from __future__ import annotations

import os
import platform
import time
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

import click

from scorecard.cli import voice
from scorecard.cli.options import RENAMED, GivenPolicy
from scorecard.cli.remarks import few_cases, next_command, often_unknown, unknown_answers
from scorecard.core.climbing import build_staircase
from scorecard.core.model import About, ScoringList
from scorecard.core.question import said_yes
from scorecard.errors import LearningError, PolicyError
from scorecard.learning.classifier import ScoringListClassifier
from scorecard.tables.cases import Cases, read_cases
from scorecard.tables.columns import Kind
from scorecard.tables.labels import Labels, read_labels
from scorecard.tables.read_table import open_table
from scorecard.tables.suspicions import Doubt, doubts
from scorecard.words.language import language_named
from scorecard.words.sentences import cross_check_sentences, validation_sentences
from scorecard.words.wording import Wording

READING = ("outcome", "positive", "drop", "only", "group", "encoding", "decimal", "sheet")
KINDS: Mapping[str, Kind] = {"category": "category", "number": "number", "yes_no": "yes-no"}
WITHOUT_EFFECT = (
    "encoding",
    "decimal",
    "sheet",
    "jobs",
    "labels",
    "validate",
)  # on the list, or told by its content
SMALLEST_TABLE = 10  # from fewer cases nothing worth printing can be learned


@dataclass(frozen=True)
class Fit:
    """A learned list with its labels and its provenance, and what has to be said about it."""

    scoring_list: ScoringList
    cases: Cases
    remarks: tuple[str, ...]
    doubts: tuple[Doubt, ...]
    later: tuple[Doubt, ...]  # those of them that nobody could know before

    @classmethod
    def of(cls, tables: Sequence[str], options: Mapping[str, Any], policy: GivenPolicy) -> Fit:
        """Learn from a table with the options of the command."""
        labels = labels_of(tables, options)
        cases = cases_of(tables, options, labels)
        labels = labels.with_units(cases.units)
        found = warned(cases)
        model, remarks = _learn(cases, options)
        learned = model.scoring_list_
        if policy.changes:
            learned = model.list_under(policy.of(replace(learned, policy=None)))
        later = (*often_unknown(learned, cases), *few_cases(learned))
        found = (*found, *later)
        learned = replace(
            labels.put_on(learned),
            provenance=tuple(_provenance(cases, options, model.size_reason_, found)),
        )
        learned = replace(learned, about=_about(learned.about, cases, options["outcome"]))
        if options["no_evidence"]:
            learned = replace(learned, evidence=None, cross_check=None)
        if options["validate"]:
            learned = _validated(learned, options)
        reason = model.size_reason_
        chosen = (f"How many questions: {reason}.",) if reason else ()
        return cls(learned, cases, (*chosen, *remarks), found, later)

    def summary(self) -> str:
        """Cases, questions with their points, where the figures come from, what was left out."""
        cases, wording = self.cases, Wording(language_named("en"))
        lines = [f"{cases.inputs.height} cases, {cases.positives} positive ({cases.positive!r})."]
        if len(cases.others) > 1 and said_yes(cases.positive) is None:
            others = ", ".join(map(repr, cases.others))
            lines.append(f"Counted as negative: {others}.")
        if cases.without_outcome:
            lines.append(f"Rows without an outcome, left out: {cases.without_outcome}.")
        lines += [f"Column {name!r} is not used: {reason}." for name, reason in cases.dropped]
        lines += [
            f"{number:3}  {wording.points(question.points):>3}  {wording.question(question)}"
            for number, question in enumerate(self.scoring_list.questions, 1)
        ]
        if not self.scoring_list.questions:
            lines.append("No question helps: the list has none.")
        lines += [wording.figures_sentence(self.scoring_list), *_limits_told(self.scoring_list)]
        lines += filter(None, [unknown_answers(self.scoring_list, cases)])
        if self.doubts:
            lines.append(f"Doubts: {'; '.join(doubt.short for doubt in self.doubts)}.")
        return "\n".join([*lines, *self.remarks])

    def next_command(self, output: str) -> str:
        """What to type next."""
        return next_command(self.scoring_list, output)


def _validated(learned: ScoringList, options: Mapping[str, Any]) -> ScoringList:
    """The list with what the cases of another table say of it."""
    from scorecard.evaluation.external import evaluate_list, read_new_cases

    reading = options["encoding"], options["decimal"], options["sheet"]
    outcome, positive = options["outcome"], options["positive"]
    cases = read_new_cases(options["validate"], learned, outcome, positive, *reading)
    return evaluate_list(learned, cases).validated_list()


def _limits_told(learned: ScoringList) -> list[str]:
    """Which limits the list has, and what cross-checking and validation have shown of them."""
    if learned.policy is None:
        return []
    try:
        staircase = build_staircase(learned)
    except PolicyError:  # what to do about it is said at the end
        return []
    wording = Wording.of(staircase)
    return [
        wording.limits_sentence(staircase),
        *cross_check_sentences(staircase, wording),
        *validation_sentences(staircase, wording),
    ]


def labels_of(tables: Sequence[str], options: Mapping[str, Any]) -> Labels:
    """The labels that were given for the columns of these tables."""
    if not options["labels"]:
        return Labels()
    names = open_table(tables, options["encoding"], sheet=options["sheet"]).names
    return read_labels(options["labels"], names)


def cases_of(
    tables: Sequence[str], options: Mapping[str, Any], labels: Labels | None = None
) -> Cases:
    """The cases of a table as the options of the command say; too few are refused."""
    started = time.perf_counter()
    cases = read_cases(
        tables,
        missing=options["missing"],
        kinds=_kinds(tables, options, labels or Labels()),
        **{name: options[name] for name in READING},
    )
    voice.detail(
        f"Read {cases.inputs.height:,} cases and {cases.inputs.width} columns in"
        f" {time.perf_counter() - started:.1f} s."
    )
    if cases.inputs.height < SMALLEST_TABLE:
        raise LearningError(
            f"{cases.file}: {cases.inputs.height} cases are too few to learn from; at least"
            f" {SMALLEST_TABLE} are needed."
        )
    return cases


def warned(cases: Cases) -> tuple[Doubt, ...]:
    """What looks wrong in the table, told before anything is learned from it."""
    found = tuple(doubts(cases))
    for doubt in found:
        voice.warn(f"Warning: {doubt.message}")
    return found


def _kinds(tables: Sequence[str], options: Mapping[str, Any], labels: Labels) -> dict[str, Kind]:
    """What each column is: as the labels say, and above all as the options do."""
    source = open_table(tables, options["encoding"], sheet=options["sheet"])
    kinds: dict[str, Kind] = {}
    for option, kind in KINDS.items():
        for name in source.listed(options[option]):
            if kinds.setdefault(name, kind) != kind:
                raise click.UsageError(f"{name!r} cannot be both --{kinds[name]} and --{kind}.")
    return {**labels.kinds, **kinds}


def _learn(
    cases: Cases, options: Mapping[str, Any]
) -> tuple[ScoringListClassifier, tuple[str, ...]]:
    model = ScoringListClassifier(**settings_of(options))
    with voice.progress_bar("Searching") as report, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.watch(report, voice.warn).fit(
            cases.inputs, cases.outcome.to_numpy(), groups=cases.groups
        )
    remarks = [f"Note: {warning.message}" for warning in caught]
    price = model.rounding_price_
    if price:
        remarks.append(
            f"Loss with these cut-offs {price['loss']:.4f}, with free ones"
            f" {price['loss_free']:.4f}."
        )
    return model, tuple(remarks)


def settings_of(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of the command as parameters of the classifier."""
    own = {*READING, *KINDS, "labels", "no_evidence", "validate", "sign", "ask_first", "round"}
    own.add("as_published")  # by now the options are those of the paper
    settings = {RENAMED.get(name, name): options[name] for name in options.keys() - own}
    return settings | {
        "signs": dict(options["sign"]) or None,
        "fixed": list(options["ask_first"]) or None,
        "round_cutoffs": _rounding(options["round"]),
    }


def _rounding(given: tuple[tuple[str, float] | str, ...]) -> bool | str | dict[str, float]:
    steps = dict(one for one in given if isinstance(one, tuple))
    if "nice" in given and steps:
        raise click.UsageError("--round: either nice, or COLUMN=STEP.")
    return "nice" if "nice" in given else steps or True


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
    cases: Cases, options: Mapping[str, Any], size: str | None, found: Sequence[Doubt]
) -> Iterator[tuple[str, str]]:
    """Where the list comes from: no path, no user's name, nothing that changes by itself."""
    yield "table", cases.file
    yield "table sha256", cases.sha256
    yield "rows", str(cases.inputs.height + cases.without_outcome)
    yield "cases", f"{cases.inputs.height}, {cases.positives} positive"
    if size is not None:
        yield "number of questions", size
    if found:
        yield "warnings", "; ".join(doubt.short for doubt in found)
    for name in sorted(options.keys() - WITHOUT_EFFECT):
        if options[name] not in (None, ()):
            yield f"option {name}", str(options[name])
    for package in ("psl-scorecard", "numpy", "scikit-learn"):
        yield package, version(package)
    yield "python", platform.python_version()

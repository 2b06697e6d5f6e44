"""What a list has shown before somebody edits it, so that the price of an edit can be told.

Whoever changes a list after seeing how new patients fared with it has used these patients: they no
longer test the list as strangers would. How often that happened is kept with the list.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace

from scorecard.core.build_staircase import build_staircase
from scorecard.core.evidence import Validation
from scorecard.core.given_question import given_as
from scorecard.core.model import Question, ScoringList
from scorecard.core.policy import StoppingPolicy
from scorecard.core.recalibration import left_out_losses
from scorecard.errors import PolicyError

FROM, LOOKED_AT = "edited from", "edited after looking at "
FIGURES = {name: f"before the edit: {name}" for name in ("log_loss", "decided", "questions")}
LIMITS = "before the edit: counted under"
AMONG = "chosen by a person, among nearly equal lists"
TABLE = "before the edit: table sha256"
KEPT = "before the edit: cross-validated with its questions kept"


@dataclass(frozen=True, slots=True)
class Showing:
    """What cross-validation shows of a list: log loss after the last question, and how cases end.

    `questions` and `cost` are the mean of all cases. Any of it is `None` where it is not known.
    """

    log_loss: float | None = None
    decided: float | None = None
    questions: float | None = None
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class LookedAt:
    """New patients that were looked at, and how often the list was edited afterwards."""

    source: str
    edits: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Before:
    """A list before it is edited: its hash, what it asks with a digest, its table, its figures.

    `policy` has the limits under which these were counted; lists of older files do not know them.
    `kept` says that they were counted anew with its questions kept, as those of the edit are.
    """

    list: str
    asks: tuple[str, ...] = ()
    asked: str = ""
    table: str = ""
    log_loss: float | None = None
    decided: float | None = None
    questions: float | None = None
    policy: StoppingPolicy | None = None
    looked_at: tuple[LookedAt, ...] = ()
    kept: bool = False

    def was_under(self, policy: StoppingPolicy | None) -> bool | None:
        """Whether its figures were counted under these limits, whoever chose them."""
        if self.policy is None or policy is None:
            return None
        return replace(self.policy, chosen_by=policy.chosen_by) == policy

    @property
    def showing(self) -> Showing:
        return Showing(self.log_loss, self.decided, self.questions)


def showing_of(scoring_list: ScoringList) -> Showing:
    """What cross-validation shows of a list under its own limits."""
    check = scoring_list.cross_validation
    if check is None:
        return Showing()
    last = len(scoring_list.questions)
    losses = [(loss[last], weight) for loss, weight in left_out_losses(check, last)]
    cases = sum(weight for _, weight in losses)
    log_loss = sum(loss * weight for loss, weight in losses) / cases if cases else None
    try:
        tally = build_staircase(scoring_list).cross_validated
    except PolicyError:  # under these limits there is nothing to ask
        tally = None
    if tally is None:
        return Showing(log_loss)
    return Showing(log_loss, tally.share_decided, tally.mean_questions, tally.mean_cost)


def asked_digest(questions: Sequence[Question]) -> str:
    """The same for lists that ask the same for the same points in the same order."""
    asked = "\n".join(str(given_as(question)) for question in questions)
    return hashlib.sha256(asked.encode()).hexdigest()[:16]


def before_edit(scoring_list: ScoringList, identity: str) -> Before:
    """What is to be known of a list that somebody is going to edit; `identity` is its hash."""
    shown = showing_of(scoring_list)
    return Before(
        list=identity,
        asks=tuple(str(given_as(question)) for question in scoring_list.questions),
        asked=asked_digest(scoring_list.questions),
        table=dict(scoring_list.provenance).get("table sha256", ""),
        log_loss=shown.log_loss,
        decided=shown.decided,
        questions=shown.questions,
        policy=scoring_list.policy,
        looked_at=tuple(LookedAt(*pair) for pair in _looked_at(scoring_list).items()),
    )


def _looked_at(scoring_list: ScoringList) -> dict[str, int]:
    """By the patients that were looked at, how often the list was edited afterwards."""
    seen = {
        key.removeprefix(LOOKED_AT): int(value)
        for key, value in scoring_list.provenance
        if key.startswith(LOOKED_AT) and value.isdecimal()
    }
    return {**{_name(one): one.edits for one in scoring_list.validations}, **seen}


def _name(validation: Validation) -> str:
    return f"{validation.source} ({validation.kind})"


def looked_at(scoring_list: ScoringList, lists: int) -> ScoringList:
    """The list where new patients were looked at with so many others that came of editing it.

    Without any nobody has looked at these patients, and they test an edit as strangers would.
    """
    told = tuple((LOOKED_AT + _name(one), str(lists - 1)) for one in scoring_list.validations)
    provenance = (*scoring_list.provenance, *(told if lists else ()))
    return replace(scoring_list, validations=(), provenance=provenance)


def edited(scoring_list: ScoringList, before: Before) -> ScoringList:
    """The list that came of an edit, with what it was before and how often it was edited."""
    changed = asked_digest(scoring_list.questions) != before.asked
    provenance = [*scoring_list.provenance, (FROM, before.list)]
    for name, key in FIGURES.items():
        value = getattr(before, name)
        if value is not None:
            provenance.append((key, f"{value:.6g}"))
    if before.table:
        provenance.append((TABLE, before.table))
    if before.policy is not None:
        provenance.append((LIMITS, json.dumps(asdict(before.policy))))
    if before.kept:
        provenance.append((KEPT, "yes"))
    for one in before.looked_at:
        provenance.append((LOOKED_AT + one.source, str(one.edits + changed)))
    return with_edits(replace(scoring_list, provenance=tuple(provenance)))


def chosen_by_person(scoring_list: ScoringList, before: Before, count: int) -> ScoringList:
    """The list that a person took in place of another, among so many that were nearly equal."""
    taken = edited(scoring_list, before)
    return replace(taken, provenance=(*taken.provenance, (AMONG, str(count))))


def chosen_among(scoring_list: ScoringList) -> int:
    """Among how many lists a person chose this one; 0 if nobody did."""
    said = dict(scoring_list.provenance).get(AMONG, "")
    return int(said) if said.isdecimal() else 0


def with_edits(scoring_list: ScoringList) -> ScoringList:
    """The list whose validations say how often it was edited after their patients were seen."""
    seen = _looked_at(scoring_list)
    validations = tuple(
        replace(one, edits=max(one.edits, seen.get(_name(one), 0)))
        for one in scoring_list.validations
    )
    return replace(scoring_list, validations=validations)


def edited_from(scoring_list: ScoringList) -> Before | None:
    """What the list was before its last edit; `None` if it is nobody's edit."""
    known = dict(scoring_list.provenance)
    if FROM not in known:
        return None
    numbers = dict(_numbers(known))
    return Before(
        list=known[FROM],
        table=known.get(TABLE, ""),
        log_loss=numbers.get("log_loss"),
        decided=numbers.get("decided"),
        questions=numbers.get("questions"),
        policy=_policy(known.get(LIMITS, "")),
        kept=KEPT in known,
    )


def keeps_what_these_cases_chose(scoring_list: ScoringList) -> bool:
    """Whether a person edited a list of the same table: cross-validation is then a little too good.

    The lists of cross-validation keep questions that all cases have chosen.
    """
    before, table = edited_from(scoring_list), dict(scoring_list.provenance).get("table sha256")
    same = before is not None and before.table != "" and before.table == table
    return same and not chosen_among(scoring_list)


def _policy(text: str) -> StoppingPolicy | None:
    try:
        return StoppingPolicy(**json.loads(text))
    except (ValueError, TypeError, PolicyError):
        return None


def _numbers(known: dict[str, str]) -> Iterator[tuple[str, float]]:
    for name, key in FIGURES.items():
        try:
            yield name, float(known[key])
        except (KeyError, ValueError):
            continue

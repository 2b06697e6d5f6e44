"""What the page shows of a session, as plain values for JSON; every text is ready."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

from scorecard.core.build_staircase import build_staircase
from scorecard.core.edits import Showing, edited_from, showing_of
from scorecard.core.model import Question, ScoringList
from scorecard.core.performance import figures_of_merit, times_asked
from scorecard.errors import PolicyError
from scorecard.learning.distribution import Distribution, ValueBar, distribution
from scorecard.learning.inputs import from_frame
from scorecard.project.learn import limits_told
from scorecard.studio.outputs import COMMAND
from scorecard.studio.session import SPLITS, Bench, Looked, Session
from scorecard.tables.suspicions import Doubt
from scorecard.words.wording import Wording

MOST_COLUMNS = 400  # shown; those in doubt come first
KIND_WORDS = {"number": "number", "yes": "yes or no", "category": "categories"}


def state(session: Session) -> dict[str, Any]:
    """Everything the page needs to draw itself."""
    project, source, found = session.project, session.source, session.overview
    shown: dict[str, Any] = {"revision": session.revision, "table": None}
    if project is None or source is None or found is None:
        return shown
    recipe = project.recipe
    shown["table"] = {
        "file": source.file,
        "rows": found.rows,
        "columns": list(source.names),
        "head": found.head,
        "reading": recipe.reading,
        "is_text": source.separator is not None,
        "sheets": session.sheets,
    }
    shown["outcome"] = {
        "name": recipe.outcome,
        "positive": session.looked.cases.positive if session.looked else None,
        "choices": found.outcomes,
    }
    if session.looked:
        shown["columns"] = _columns(session, session.looked)
        shown["cases"] = _cases(session.looked)
        shown["group"] = recipe.group
        keeps_out = bool(recipe.held_out)
        shown["learning"] = {
            **recipe.limits.told,
            "max_questions": recipe.max_questions,
            "keep_out": keeps_out,
        }
    return shown


def _cases(looked: Looked) -> dict[str, Any]:
    cases = looked.cases
    rate = cases.positives / cases.inputs.height
    return {
        "all": cases.inputs.height,
        "positives": cases.positives,
        "without_outcome": cases.without_outcome,
        "of_100": _of_100(rate),
    }


def _columns(session: Session, looked: Looked) -> list[dict[str, Any]]:
    """Every column with what it is, what it looks like, and what is doubted; doubts first."""
    recipe = session.asked_project.recipe
    source = session.source
    assert source is not None
    dropped, kept = set(source.listed(recipe.drop)), set(source.listed(recipe.keep))
    useless = dict(looked.cases.dropped)
    by_column: dict[str, list[Doubt]] = {}
    for doubt in looked.doubts:
        for name in doubt.columns:
            by_column.setdefault(name, []).append(doubt)
    order = sorted(
        source.names, key=lambda name: 0 if name in useless else _concern(by_column.get(name, ()))
    )
    found = []
    for name in [one for one in order if one not in (recipe.outcome, recipe.group)][:MOST_COLUMNS]:
        about = by_column.get(name, [])
        left_out = any(one.leaves_out for one in about)
        found.append(
            {
                "name": name,
                "used": name not in {*dropped, *useless} and (name in kept or not left_out),
                "can_be_used": name not in useless,
                "left_out": left_out,
                "why": useless.get(name, ""),
                "doubts": [_sentence(one, name) for one in about],
                "kind_said": looked.cases.kinds.get(name),
                **(looked.pictures.get(name) or _drawn(looked, name)),
            }
        )
    return found


def _concern(about: Sequence[Doubt]) -> int:
    """Columns that are left out come first, then other doubts."""
    return 0 if any(one.leaves_out for one in about) else 1 if about else 2


def _sentence(doubt: Doubt, name: str) -> str:
    if "category" in doubt.remedies:
        return "A number, or codes of categories? Say which."
    told = doubt.short.replace(f"{name!r} ", "")
    return told[:1].upper() + told[1:]


def _drawn(looked: Looked, name: str) -> dict[str, Any]:
    looked.pictures[name] = _picture(looked, name)
    return looked.pictures[name]


def _picture(looked: Looked, name: str) -> dict[str, Any]:
    cases = looked.cases
    if name not in cases.inputs.columns:
        return {"kind": "", "unknown": None, "bars": [], "may_be_codes": False}
    (one,) = from_frame(cases.inputs.select([name]))
    found = distribution(one, cases.outcome.to_numpy())
    return {
        "kind": KIND_WORDS[found.kind],
        "unknown": found.unknown.cases,
        "bars": _bars(found.bars[:40]),
        "may_be_codes": found.kind == "number" and all(bar.high is None for bar in found.bars),
        "ends": _ends(found),
    }


def _ends(found: Distribution) -> list[str]:
    """What stands below the first and the last bar."""
    first, last = found.bars[0], found.bars[-1]
    if found.kind == "number":
        return [f"{first.low:g}", f"{last.low if last.high is None else last.high:g}"]
    return [first.name, last.name] if len(found.bars) > 1 else [first.name]


def _bars(bars: Iterable[ValueBar]) -> list[dict[str, Any]]:
    return [asdict(bar) for bar in bars]


# The bench ----------------------------------------------------------------------------------------


def bench_state(session: Session, bench: Bench) -> dict[str, Any]:
    """The list as it stands: its questions, what cross-validation shows, what is said of it."""
    shown, fitted = session.shown_list(), session.fitted()
    now, history = bench.history.now, bench.history
    said = [*limits_told(shown), *(str(one) for one in fitted.remarks if one.kind == "edit")]
    return {
        "rows": list(_rows(bench, shown)),
        "figures": list(figures(shown)),
        "said": said,
        "doubts": [one.message for one in fitted.later],
        "can_undo": history.at > 0,
        "can_redo": history.at < len(history.states) - 1,
        "is_learned": not now.given and now.more is None,
        "kept_out": _kept_out(session, bench),
        "verdict": _verdict(session),
        "versions": list(_versions(session, bench)),
        "others": sorted(bench.prepared.cases().inputs.columns),
        "limits": now.limits.told,
        "in_force": _limits_in_force(shown),
        "words": now.words,
        "about": {key: getattr(shown.about, key) for key in ("title", "outcome", "population")},
        "command": COMMAND,
        "preview": asdict(session.preview),
    }


def _verdict(session: Session) -> dict[str, Any] | None:
    found = session.verdict
    if found is None:
        return None
    return {
        "use": found.use,
        "headline": found.headline,
        "reason": found.reason,
        "figures": found.figures,
        "splits": SPLITS,
    }


def _versions(session: Session, bench: Bench) -> Iterator[dict[str, Any]]:
    """The versions that were kept, each with its figures."""
    for name, edit in bench.versions.items():
        found = session.shown_list(edit=edit)
        yield {
            "name": name,
            "questions": len(found.questions),
            "figures": list(figures(found)),
            "is_now": edit == bench.history.now,
        }


def _kept_out(session: Session, bench: Bench) -> dict[str, Any] | None:
    """The patients who were kept out, and how often somebody has looked at them."""
    validations = session.fitted().scoring_list.validations
    if not session.asked_project.recipe.held_out or not validations:
        return None
    patients = f"{validations[0].tally.cases:g}"
    return {"patients": patients, "shown": session.is_revealed, "looks": len(bench.looked)}


def _limits_in_force(shown: ScoringList) -> list[str]:
    if shown.policy is None:
        return []
    wording = Wording.of(shown)
    who = "chosen by the data" if shown.policy.chosen_by == "data" else "chosen by you"
    return [f"{wording.short_limits(shown.policy)} ({who})"] if any(shown.policy.has_limit) else []


def _rows(bench: Bench, shown: ScoringList) -> Iterator[dict[str, Any]]:
    wording, asked = Wording.of(shown), dict(times_asked(shown))
    folds = len(shown.cross_validation.folds) if shown.cross_validation else 0
    now = bench.history.now
    for number, question in enumerate(shown.questions):
        condition = question.condition
        yield {
            "input": question.input,
            "label": question.label,
            "unit": question.unit,
            "text": wording.question(question),
            "instead": wording.instead(question),
            "points": question.points,
            "kind": condition.kind,
            "cutoff": condition.cutoff,
            "categories": condition.categories,
            "choices": condition.choices,
            "locked": number in now.locked,
            "answers": _answers(shown, number),
            "asked": f"asked by {asked[question]} of {folds} lists learned without a part of the"
            " cases"
            if question in asked and not now.given
            else "",
            "distribution": _of_row(bench, question),
        }


def _answers(shown: ScoringList, number: int) -> list[dict[str, Any]]:
    """How many answer yes and no, and how many of them had the outcome."""
    patterns = shown.evidence.patterns if shown.evidence else ()
    found = []
    for letter, answer in (("1", "yes"), ("0", "no"), ("?", "unknown")):
        alike = [one for one in patterns if one.answers[number] == letter]
        cases, positives = sum(one.cases for one in alike), sum(one.positives for one in alike)
        if cases:
            rate = _of_100(positives / cases)
            found.append({"answer": answer, "cases": cases, "rate": rate})
    return found


def _of_row(bench: Bench, question: Question) -> dict[str, Any] | None:
    """The distribution of the column that a question asks for, counted once."""
    cases = bench.prepared.cases()
    if question.input not in cases.inputs.columns:
        return None

    def counted() -> dict[str, Any]:
        (one,) = from_frame(cases.inputs.select([question.input]))
        found = distribution(one, cases.outcome.to_numpy())
        return {
            "kind": found.kind,
            "bars": _bars(found.bars),
            "unknown": found.unknown.cases,
            "cutoffs": found.cutoffs,
        }

    return bench.prepared.once(("distribution", question.input), counted)


def figures(shown: ScoringList) -> Iterator[dict[str, Any]]:
    """What cross-validation shows of a list, with the difference to the learned one."""
    now, before = showing_of(shown), edited_from(shown)
    was = Showing()
    if before is not None and before.kept and before.was_under(shown.policy) is not False:
        was = before.showing
    decided = (100 * one if one is not None else None for one in (now.decided, was.decided))
    yield _figure("Decided", "of 100", *decided, digits=0, more_is_better=True)
    yield _figure("Questions asked", "on average", now.questions, was.questions, digits=1)
    if now.cost is not None:
        unit = shown.about.cost_unit
        yield _figure(f"Cost{unit and f' in {unit}'}", "on average", now.cost, None, digits=1)
    yield {"name": "Missed", **_missed(shown)}
    yield _figure("Log loss", "lower is better", now.log_loss, was.log_loss, digits=3)


def _missed(shown: ScoringList) -> dict[str, Any]:
    """Who is told low risk and has the outcome."""
    try:
        merit = figures_of_merit(build_staircase(shown))
    except PolicyError:
        merit = None
    rate = merit.ends.missed if merit else None
    if rate is None:
        return {"value": "–", "about": "nobody is told low risk"}
    return {"value": f"{rate.hits:g}", "about": f"of {rate.cases:g} told low risk"}


def _figure(
    name: str,
    about: str,
    now: float | None,
    was: float | None,
    *,
    digits: int,
    more_is_better: bool = False,
) -> dict[str, Any]:
    if now is None:
        return {"name": name, "value": "–", "about": about}
    found = {"name": name, "value": f"{now:.{digits}f}", "about": about}
    if was is not None:
        change = round(now, digits) - round(was, digits)
        is_better = change > 0 if more_is_better else change < 0
        found["change"] = f"{change:+.{digits}f}".replace("-", "−") if change else "±0"
        found["tone"] = "" if not change else "better" if is_better else "worse"
    return found


def _of_100(share: float) -> str:
    return f"{100 * share:.0f} of 100" if 0.005 <= share <= 0.995 else f"{100 * share:.1f} of 100"

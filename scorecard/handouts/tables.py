"""The figures of a handout as rows and pictures, with their words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, Decimal

from scorecard.core.accuracy import (
    Merit,
    Rate,
    Score,
    all_ends,
    figures_of_merit,
    net_benefit,
    net_benefit_of,
)
from scorecard.core.climbing import DEFAULT_LEVEL
from scorecard.core.model import Risk
from scorecard.core.staircase import Decision, Staircase
from scorecard.handouts.pictures import (
    Chart,
    calibration_chart,
    decision_curve,
    share_chart,
    stage_chart,
)
from scorecard.words.sentences import ranges_are_joint
from scorecard.words.wording import NEVER, Wording

MERIT_NOTES = {
    "held-out": "handout merit held-out",
    "training": "handout merit training",
    "published": "handout merit published",
}


@dataclass(frozen=True, slots=True)
class MeritRow:
    """A figure of merit: its name and meaning, value, interval, counts and what it comes from."""

    name: str
    meaning: str
    value: str
    interval: str
    counts: str
    origin: str


@dataclass(frozen=True, slots=True)
class ShareRow:
    """After a question: how many have stopped there with what, and how many go on."""

    stage: str
    out: str
    into: str
    undecided: str
    unknown: str
    going_on: str


def merit_rows(staircase: Staircase, wording: Wording) -> Iterator[MeritRow]:
    """The figures of merit as rows; none without evidence."""
    merit = figures_of_merit(staircase)
    if merit is None:
        return
    about, per = staircase.scoring_list.about, wording.number(wording.per)
    origin = wording.word(_counted_on(staircase))
    named: tuple[tuple[str, str, Rate | None, Decision], ...] = (
        ("handout ppv", "handout ppv meaning", merit.ppv, "rule in"),
        ("handout miss", "handout miss meaning", merit.miss_rate, "rule out"),
        (
            "handout sensitivity strict",
            "handout sensitivity strict meaning",
            merit.sensitivity_strict,
            "rule in",
        ),
        (
            "handout sensitivity lenient",
            "handout sensitivity lenient meaning",
            merit.sensitivity_lenient,
            "rule in",
        ),
        (
            "handout specificity strict",
            "handout specificity strict meaning",
            merit.specificity_strict,
            "rule in",
        ),
        (
            "handout specificity lenient",
            "handout specificity lenient meaning",
            merit.specificity_lenient,
            "rule in",
        ),
    )
    for name, meaning_key, found, decision in named:
        meaning = wording.word(meaning_key, per=per, decision=wording.decision(decision, about))
        yield _rate_row(wording.word(name), meaning, found, origin, wording)
    yield from _score_rows(merit, len(staircase.questions), origin, wording)


def _counted_on(staircase: Staircase) -> str:
    """Whose cases are counted: those behind a cross-checked list are the ones that chose it."""
    origin = staircase.scoring_list.figures.origin
    return "training" if origin == "cross-checked" else origin


def _rate_row(
    name: str, meaning: str, found: Rate | None, origin: str, wording: Wording
) -> MeritRow:
    if found is None:
        return MeritRow(name, meaning, wording.word("handout nobody"), NEVER, NEVER, origin)
    counts = f"{wording.count(found.hits)}/{wording.count(found.cases)}"
    return MeritRow(
        name,
        meaning,
        wording.risk_of(found.value),
        wording.range(Risk(found.value, found.lower, found.upper)),
        counts,
        origin,
    )


def _score_rows(merit: Merit, count: int, origin: str, wording: Wording) -> Iterator[MeritRow]:
    base = decimals(merit.brier_of_base_rate, 3, wording)
    rows = (
        ("handout brier", merit.brier, 3, wording.word("handout brier meaning", base=base)),
        ("handout auc", merit.auc, 2, wording.word("handout auc meaning", count=count)),
    )
    for key, score, places, meaning in rows:
        value = NEVER if score is None else decimals(score.value, places, wording)
        interval = _interval(score, places, wording)
        yield MeritRow(wording.word(key), meaning, value, interval, "", origin)


def _interval(score: Score | None, places: int, wording: Wording) -> str:
    if score is None or score.interval is None:
        return NEVER
    low, high = score.interval
    ends = (
        decimals(low, places, wording, ROUND_FLOOR),
        decimals(high, places, wording, ROUND_CEILING),
    )
    return "–".join(ends)


def decimals(value: float, places: int, wording: Wording, rounding: str = ROUND_HALF_UP) -> str:
    """A number with so many decimals, in the language's way."""
    exact = Decimal(repr(value)).quantize(Decimal(1).scaleb(-places), rounding)
    return f"{exact:f}".replace("-", "−").replace(".", wording.language.decimal_mark)


def merit_notes(staircase: Staircase, wording: Wording) -> Iterator[str]:
    """What has to be said about the figures of merit, or why there are none."""
    merit = figures_of_merit(staircase)
    if merit is None:
        yield wording.word("handout no merit")
        return
    yield wording.word(MERIT_NOTES[_counted_on(staircase)])
    if merit.left_out:
        yield wording.word("handout left out", cases=wording.count(merit.left_out))
    if merit.total_unknown:
        yield wording.word("handout without total", cases=wording.count(merit.total_unknown))
    yield wording.word("handout methods")


def share_rows(staircase: Staircase, wording: Wording) -> Iterator[ShareRow]:
    """How many cases stop after each question; none without evidence."""
    left, _ = staircase.stopping()
    if not left:
        return
    for step in staircase.steps[1:]:
        decisions: tuple[Decision, ...] = ("rule out", "rule in", "undecided", "unknown")
        counts = {one: staircase.ends.at(step.number, one)[0] for one in decisions}
        left -= sum(counts.values())
        out, into, undecided, unknown = map(wording.count, counts.values())
        # Sums of weighted cases may miss zero by a rounding error.
        going_on = wording.count(left if isinstance(left, int) else max(0.0, left))
        yield ShareRow(wording.number(step.number), out, into, undecided, unknown, going_on)


def charts(staircase: Staircase, wording: Wording) -> dict[str, Chart]:
    """The pictures that can be drawn, by name: stages, shares, calibration, benefit."""
    ends = all_ends(staircase)
    drawn = (
        stage_chart(staircase, wording),
        share_chart(staircase, wording),
        calibration_chart(staircase, wording),
        decision_curve(staircase, ends, wording),
    )
    return {chart.key: _explained(chart, staircase, wording) for chart in drawn if chart}


def _explained(chart: Chart, staircase: Staircase, wording: Wording) -> Chart:
    heading, explain = {
        "stages": ("handout stages heading", _stages),
        "shares": ("handout shares heading", _shares),
        "calibration": ("handout calibration heading", _calibration),
        "benefit": ("handout benefit heading", _benefit),
    }[chart.key]
    caption, alternative = explain(staircase, wording)
    return replace(chart, heading=wording.word(heading), caption=caption, alternative=alternative)


def _stages(staircase: Staircase, wording: Wording) -> tuple[str, str]:
    boxes = [box for step in staircase.steps for box in step.boxes]
    ranged = any(box.risk and box.risk.lower is not None for box in boxes)
    level = staircase.scoring_list.figures.level or DEFAULT_LEVEL
    joint = ranges_are_joint(staircase)
    ranges = "handout stages caption" if joint else "handout stages caption single"
    caption = wording.word(
        ranges if ranged else "handout stages caption plain",
        level=wording.percent(level),
        **_decisions(staircase, wording),
    )
    stages = " ".join(
        wording.word(
            "handout stages one",
            after=wording.after(step.number),
            risks=", ".join(
                f"{wording.total(box.total)}: {wording.risk(box.risk.probability)}"
                for box in step.boxes
                if box.risk
            ),
        )
        for step in staircase.steps
        if any(box.risk for box in step.boxes)
    )
    per = wording.number(wording.per)
    return caption, wording.word("handout stages alternative", per=per, stages=stages)


def _shares(staircase: Staircase, wording: Wording) -> tuple[str, str]:
    everybody, _ = staircase.stopping()
    rows = []
    for step in staircase.steps[1:]:
        out, into = (staircase.ends.until(step.number, what)[0] for what in ("rule out", "rule in"))
        rows.append(
            wording.word(
                "handout shares one",
                after=wording.after(step.number),
                out=wording.risk(out / everybody) if out else "0",
                into=wording.risk(into / everybody) if into else "0",
            )
        )
    caption = wording.word("handout shares caption", **_decisions(staircase, wording))
    per = wording.number(wording.per)
    return caption, wording.word("handout shares alternative", per=per, rows=" ".join(rows))


def _calibration(staircase: Staircase, wording: Wording) -> tuple[str, str]:
    caption = wording.word("handout calibration caption", per=wording.number(wording.per))
    if staircase.scoring_list.figures.origin != "published":
        caption = f"{caption} {wording.word('handout calibration near')}"
    points = ", ".join(
        wording.word(
            "handout calibration point",
            told=wording.risk(box.risk.probability),
            seen=wording.counts(box.risk),
        )
        for step in staircase.steps
        for box in step.boxes
        if box.stops and box.risk and box.risk.cases
    )
    return caption, wording.word("handout calibration alternative", points=points)


def _benefit(staircase: Staircase, wording: Wording) -> tuple[str, str]:
    ends = all_ends(staircase)
    # A threshold of 1 has no exchange rate; the limits may reach it.
    limit = min(max(staircase.policy.limits[0], 0.0), 0.99)
    told = [end for end in ends if end.probability is not None]
    cases, positives = sum(end.cases for end in told), sum(end.positives for end in told)
    share = positives / cases
    everybody = net_benefit(share, 1 - share, 1, limit)
    per = wording.number(wording.per)
    return wording.word("handout benefit caption", per=per), wording.word(
        "handout benefit alternative",
        limit=wording.limit_of(limit, rules_out=True),
        listed=decimals(net_benefit_of(told, limit) * wording.per, 1, wording),
        everybody=decimals(everybody * wording.per, 1, wording),
        per=per,
    )


def _decisions(staircase: Staircase, wording: Wording) -> dict[str, str]:
    about = staircase.scoring_list.about
    return {
        "out": wording.decision("rule out", about),
        "into": wording.decision("rule in", about),
    }

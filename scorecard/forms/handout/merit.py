"""How good a list is under its limits: the figures of merit of a handout, in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, Decimal

from scorecard.core.given_question import given_first
from scorecard.core.model import Risk
from scorecard.core.performance import Merit, Rate, Score
from scorecard.core.staircase import Staircase
from scorecard.words.wording import NEVER, Wording

MERIT_NOTES = {
    "cross-validated": "handout merit cross-validated",
    "held-out": "handout merit held-out",
    "training": "handout merit training",
    "published": "handout merit published",
}


@dataclass(frozen=True, slots=True)
class MeritRow:
    """A figure of merit: its name and meaning, value, interval and counts."""

    name: str
    meaning: str
    value: str
    interval: str
    counts: str


def merit_rows(staircase: Staircase, merit: Merit, wording: Wording) -> Iterator[MeritRow]:
    """Every figure of merit with its meaning, interval and counts."""
    about, per, ends = staircase.scoring_list.about, wording.number(wording.per), merit.ends
    out, into = (wording.decision(what, about) for what in ("rule out", "rule in"))
    named: tuple[tuple[str, str, Rate | None], ...] = (
        ("handout miss", "handout miss meaning", ends.missed),
        ("handout ppv", "handout ppv meaning", ends.right_to_treat),
        ("handout sensitivity", "handout sensitivity strict", ends.sensitivity(lenient=False)),
        ("handout sensitivity", "handout sensitivity lenient", ends.sensitivity(lenient=True)),
        ("handout specificity", "handout specificity strict", ends.specificity(lenient=False)),
        ("handout specificity", "handout specificity lenient", ends.specificity(lenient=True)),
    )
    for name, meaning_key, found in named:
        meaning = wording.word(meaning_key, per=per, out=out, into=into)
        yield _rate_row(wording.word(name), meaning, found, wording)
    base = decimals(merit.brier_of_base_rate, 3, wording)
    asked = len(staircase.questions)
    yield _score_row("handout brier", merit.brier, 3, wording, base=base)
    yield _score_row("handout auc", merit.auc, 2, wording, count=asked)


def merit_notes(staircase: Staircase, merit: Merit | None, wording: Wording) -> Iterator[str]:
    """What has to be said about the figures of merit, or why there are none."""
    if merit is None:
        yield wording.word("handout no merit")
        return
    key = MERIT_NOTES[_origin(staircase)]
    if key == MERIT_NOTES["cross-validated"] and given_first(staircase.scoring_list):
        key = "handout merit given"
    yield wording.word(key)
    if merit.left_out:
        yield wording.word("handout left out", cases=wording.count(merit.left_out))
    yield wording.word("handout methods")


def _origin(staircase: Staircase) -> str:
    """A cross-validated list under another rule is judged by the cases it was learned from."""
    origin = staircase.scoring_list.risk_source.origin
    if origin == "cross-validated" and staircase.cross_validated is None:
        return "training"
    return origin


def _rate_row(name: str, meaning: str, found: Rate | None, wording: Wording) -> MeritRow:
    if found is None:
        return MeritRow(name, meaning, wording.word("handout nobody"), NEVER, NEVER)
    return MeritRow(
        name,
        meaning,
        wording.risk_of(found.value),
        wording.range(Risk(found.value, found.lower, found.upper)),
        f"{wording.count(found.hits)}/{wording.count(found.cases)}",
    )


def _score_row(
    key: str, score: Score | None, places: int, wording: Wording, **parts: object
) -> MeritRow:
    meanings = {"handout brier": "handout brier meaning", "handout auc": "handout auc meaning"}
    meaning = wording.word(meanings[key], **parts)
    value = NEVER if score is None else decimals(score.value, places, wording)
    if score is None or score.interval is None:
        return MeritRow(wording.word(key), meaning, value, NEVER, "")
    low, high = score.interval
    interval = "–".join(
        (
            decimals(low, places, wording, ROUND_FLOOR),
            decimals(high, places, wording, ROUND_CEILING),
        )
    )
    return MeritRow(wording.word(key), meaning, value, interval, "")


def decimals(value: float, places: int, wording: Wording, rounding: str = ROUND_HALF_UP) -> str:
    """A number with so many decimals, in the language's way."""
    exact = Decimal(repr(value)).quantize(Decimal(1).scaleb(-places), rounding)
    return f"{exact:f}".replace("-", "−").replace(".", wording.language.decimal_mark)

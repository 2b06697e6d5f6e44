"""Handouts for tests: a list to look at by hand, and pages made as the command makes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from scorecard.core.build_staircase import build_staircase
from scorecard.core.model import (
    About,
    Answer,
    Condition,
    Question,
    ScoringList,
    with_positive_points,
)
from scorecard.core.policy import StoppingPolicy
from scorecard.core.question import settled_answers
from scorecard.core.staircase import Staircase
from scorecard.errors import PolicyError
from scorecard.forms.card.contents import CardOptions
from scorecard.forms.handout.make import Sources, handout_html, sources_of
from scorecard.forms.handout.view import HandoutOptions, handout_view
from tests.lists import counted
from tests.strategies import scoring_lists

LETTERS: dict[str, Answer] = {"1": True, "0": False, "?": None}

_COUNTED = counted(
    (2, 1, 3),
    {
        "000": (60, 0),
        "001": (12, 3),
        "010": (40, 1),
        "011": (11, 7),
        "100": (30, 6),
        "101": (25, 22),
        "110": (20, 9),
        "111": (40, 40),
        "0?1": (4, 1),
        "??1": (3, 2),
    },
)
THROAT = replace(
    _COUNTED,
    questions=(
        Question("temperature", 2, Condition(">=", 38.5), "Temperature", "°C", note="Rectal."),
        Question("cough", 1, Condition("no"), "Cough"),
        Question("nodes", 3, label="Swollen nodes"),
    ),
    about=About(
        title="Sore throat",
        outcome="bacterial infection",
        population="adults with a sore throat",
        rule_out="no antibiotic",
        rule_in="treat",
        undecided="take a swab",
        source="Invented.",
        licence="CC0",
        version="2.1",
        date="2026-01-15",
        note="An illustration.",
    ),
)
LIMITS = StoppingPolicy(0.05, 0.85)


def throat() -> Staircase:
    """Rules out at a total of 0 or 1, rules in at 6, the rest is undecided or asked on."""
    return build_staircase(THROAT, LIMITS)


def page_of(
    staircase: Staircase,
    language: str = "en",
    sources: Sources | None = None,
    embed_fonts: bool = False,
    **card: Any,
) -> str:
    """The HTML of a handout."""
    options = HandoutOptions(
        CardOptions(identity="1234abcd", language=language, **card), fingerprint="f" * 64
    )
    view = handout_view(staircase, options)
    return handout_html(view, sources or sources_of(staircase), embed_fonts=embed_fonts)


# Four and five questions, levels of one input, 23 totals; the others would show nothing new.
DIFFERENT = ("centor", "curb-65", "heart", "marburg-heart-score", "revised-geneva", "table-1")


def example_lists(root: Path) -> list[Path]:
    return [root / "examples" / "published" / f"{name}.toml" for name in DIFFERENT]


@st.composite
def staircases(draw: st.DrawFn, **lists: Any) -> Staircase:
    """Random lists under random limits; those with nothing to ask are left out."""
    scoring_list = draw(scoring_lists(min_questions=1, **lists))
    if draw(st.booleans()):
        scoring_list = with_positive_points(scoring_list)
    policies = [
        StoppingPolicy(*limits, by=by, curtail=curtail)
        for limits in ((0.2, 0.8), (0.05, 0.95), (0.4, 0.6))
        for by in ("point", "group")
        for curtail in ("decided", "all")
    ]
    for policy in draw(st.permutations(policies)):
        staircase = _under(scoring_list, policy)
        if staircase is not None and staircase.questions:
            return staircase
    return throat()


def _under(scoring_list: ScoringList, policy: StoppingPolicy) -> Staircase | None:
    try:
        return build_staircase(scoring_list, policy)
    except PolicyError:
        return None


def buttons_for(staircase: Staircase, answers: Sequence[Answer]) -> list[str]:
    """Which buttons to press for these answers; a question asked turned round swaps them.

    What an earlier answer about the same input settles is not asked.
    """
    said, settled = {True: "yes", False: "no"}, settled_by(staircase, answers)
    return [
        "unknown" if yes is None else said[yes != (question.condition.kind in ("no", "missing"))]
        for place, (question, yes) in enumerate(zip(staircase.questions, answers, strict=False))
        if place not in settled
    ]


def can_say(staircase: Staircase, answers: Sequence[Answer]) -> bool:
    """Whether somebody can answer so.

    Whether something was measured is always known, so there is no button for unknown; and a heart
    rate of 95 or more is one of 75 or more.
    """
    settled = settled_by(staircase, answers)
    return not any(
        (yes is None and question.condition.is_presence) or settled.get(place, yes) != yes
        for place, (question, yes) in enumerate(zip(staircase.questions, answers, strict=False))
    )


def settled_by(staircase: Staircase, answers: Sequence[Answer]) -> dict[int, Answer]:
    """By its place what earlier answers say about a later question on the same input."""
    found: dict[int, Answer] = {}
    for (earlier, answer), later in settled_answers(staircase.questions).items():
        if earlier < len(answers) and answers[earlier] is answer:
            found.update(later)
    return found

"""Lists for the tests of cards, and a card read back."""

from __future__ import annotations

import random
import zlib
from dataclasses import replace
from itertools import product

from scorecard.core.model import About, Condition, Question, ScoringList
from scorecard.core.policy import StoppingPolicy
from scorecard.core.question import contradicts
from scorecard.forms.card.contents import CardOptions
from scorecard.forms.card.make import Paper, PrintedFile, card_pdf
from scorecard.forms.card.read_back import PrintedCard
from scorecard.forms.card.read_path import PrintedPath
from tests.exhaustive import many
from tests.forms.card.following import completions, decided
from tests.lists import counted

POINT = StoppingPolicy(rule_out=0.1, rule_in=0.8, by="point", min_cases=0)
ABOUT = About(
    title="Chest pain: heart disease?",
    outcome="coronary heart disease",
    population="adults with chest pain in general practice",
    rule_out="unlikely",
    rule_in="likely",
    undecided="refer",
    source="made up for tests",
    version="v1",
    date="2026-11-15",
)


def ward_list(
    count: int = 5, points: tuple[int, ...] = (3, 2, -2, 1, 2, 1, 3, 1, 2, 1)
) -> ScoringList:
    """A list with evidence: the more answers point to it, the higher the risk."""
    chosen = points[:count]
    patterns = {}
    for letters in product("01", repeat=count):
        for_it = sum(
            abs(value)
            for value, yes in zip(chosen, letters, strict=True)
            if (yes == "1") == (value > 0)
        )
        share = for_it / sum(map(abs, chosen))
        patterns["".join(letters)] = (8, round(8 * share**2))
    bare = counted(chosen, patterns)
    questions = tuple(
        replace(
            question,
            label=f"Finding number {number}",
            condition=Condition(">=", 10 * number),
            unit="mm",
        )
        for number, question in enumerate(bare.questions, 1)
    )
    return replace(bare, questions=questions, about=ABOUT)


def relabelled(scoring_list: ScoringList, **texts: str) -> ScoringList:
    """The same list with these texts in every question."""
    questions: tuple[Question, ...] = tuple(
        replace(question, **texts)
        for question in scoring_list.questions  # type: ignore[arg-type]
    )
    return replace(scoring_list, questions=questions)


def printed(scoring_list: ScoringList, size: str = "a6", **options: object) -> PrintedFile:
    return card_pdf(scoring_list, POINT, CardOptions(**options), Paper(size))  # type: ignore[arg-type]


def assert_decides_like(card: PrintedCard | PrintedPath, file: PrintedFile) -> None:
    """On every answer pattern, with unknown answers, the card and the model agree.

    Of very many patterns some are tried, all of them under `make exhaustive`.
    """
    ways = list(product((True, False, None), repeat=len(file.staircase.questions)))
    for answers in random.Random(0).sample(ways, many(len(ways), 800)):
        if any(contradicts(file.staircase.questions, one) for one in completions(answers)):
            continue  # nobody can answer so: who knows one answer about an input knows the others
        outcome = file.staircase.decide(answers)
        decision, stage = decided(card, answers)
        assert decision == outcome.decision, answers
        if decision not in ("unknown", "go on"):
            assert stage == outcome.stage, answers


def uncompressed(pdf: bytes) -> bytes:
    """The PDF with all its streams opened."""
    parts = [pdf]
    for part in pdf.split(b"stream\n")[1:]:
        try:
            parts.append(zlib.decompressobj().decompress(part))
        except zlib.error:
            continue
    return b"\n".join(parts)

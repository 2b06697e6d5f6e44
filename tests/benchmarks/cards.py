"""How long a card takes, against WeasyPrint's own time on the same finished HTML.

python -m tests.benchmarks.cards
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import median
from time import process_time

from scorecard.documents.json_document import write_list
from scorecard.forms.card.make import Paper, card_css, card_html, card_pdf
from scorecard.printing.html_to_pdf import pdf_from_html
from scorecard.printing.jinja import font_faces
from tests.forms.card.printed_cards import POINT, ward_list

ROUNDS = 9


def in_turn(clock: Callable[[], float], *actions: Callable[[], object]) -> list[float]:
    """The seconds of each, taken in turn, so that a busy moment falls on all."""
    times: list[list[float]] = [[] for _ in actions]
    for _ in range(ROUNDS + 1):
        for action, found in zip(actions, times, strict=True):
            start = clock()
            action()
            found.append(clock() - start)
    return [median(found[1:]) for found in times]


def batch() -> None:
    print("later cards of a batch, CPU seconds (limit 1.3 times)")
    for size, count in (
        ("credit-card", 4),
        ("a7", 5),
        ("a6", 5),
        ("a5", 5),
        ("a4", 5),
        ("tally", 5),
    ):
        scoring_list = ward_list(count, points=(3, 2, 2, 3, 1))
        file = card_pdf(scoring_list, POINT, None, Paper(size))
        html, css = card_html(file.view, file.page), card_css(file.page)
        bare, ours = in_turn(
            process_time,
            partial(pdf_from_html, html, css),
            partial(card_pdf, scoring_list, POINT, None, Paper(size)),
        )
        print(f"  {size:12} {ours:.3f} against {bare:.3f}: {ours / bare:.2f} times")


def end_to_end() -> None:
    print("one card from the shell, CPU seconds (limit 1.5 times)")
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        scoring_list = replace(ward_list(5, points=(3, 2, 2, 3, 1)), policy=POINT)
        write_list(scoring_list, here / "list.json")
        file = card_pdf(scoring_list, POINT)
        style = f"<style>{font_faces()}{card_css(file.page)}</style></head>"
        html = card_html(file.view, file.page).replace("</head>", style)
        (here / "card.html").write_text(html, encoding="utf-8")
        limits = ["--rule-out", "10%", "--rule-in", "80%"]
        card = ["card", here / "list.json", "-o", here / "card.pdf", "--force", *limits]
        bytecode = here / "bytecode"
        bare, ours = in_turn(
            _of_programs,
            partial(_run, bytecode, "weasyprint", here / "card.html", here / "bare.pdf"),
            partial(_run, bytecode, "scorecard", *card),
        )
    print(f"  {'a6':12} {ours:.3f} against {bare:.3f}: {ours / bare:.2f} times")


def _run(bytecode: Path, program: str, *arguments: object) -> None:
    """Run a module; like an installed one it is compiled, but for the first time."""
    compiled = {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(bytecode)}
    command = [sys.executable, "-m", program, *map(str, arguments)]
    subprocess.run(command, check=True, capture_output=True, env={**os.environ, **compiled})


def _of_programs() -> float:
    """CPU seconds of the programs started so far."""
    used = os.times()
    return used.children_user + used.children_system


def hundred() -> None:
    lists = [ward_list(count, points=(3, 2, 2, 1, 1)) for count in (3, 4, 5, 5)] * 25
    start = process_time()
    for scoring_list in lists:
        card_pdf(scoring_list, POINT)
    print(f"100 lists to 100 cards: {process_time() - start:.1f} CPU s")


if __name__ == "__main__":
    batch()
    end_to_end()
    hundred()

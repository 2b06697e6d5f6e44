"""Decide by the two tables of a document, as a reader does: by signs, totals and printed risks."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence

from scorecard.core.model import Answer
from scorecard.core.staircase import Staircase
from scorecard.forms.docx.read import MAIN
from scorecard.forms.found import Found, NotRunError, Work
from scorecard.forms.test_cases import result_of
from scorecard.words.wording import CURTAILED_MARK, SYMBOLS, Wording

Rows = list[list[str]]
DECISIONS = {sign: decision for decision, sign in SYMBOLS.items()}


def markdown_read(content: bytes, work: Work) -> Found:
    """A model card in Markdown, read as a program that shows Markdown reads it."""
    tables: list[Rows] = [[]]
    for line in content.decode().split("\n"):
        if line.startswith("| ---"):
            continue
        if line.startswith("| "):
            cells = re.findall(r"((?:\\.|[^\\|])*)\|", line[1:])
            tables[-1].append([re.sub(r"\\(.)", r"\1", cell).strip() for cell in cells])
        elif tables[-1]:
            tables.append([])
    questions, boxes = tables[0], tables[1]
    return decided(questions, boxes, work)


def docx_read(content: bytes, work: Work) -> Found:
    """A Word document, read by the library that wrote it."""
    try:
        from docx import Document
    except ImportError:
        raise NotRunError("python-docx is not installed (pip install python-docx)") from None
    tables = Document(io.BytesIO(content)).tables
    questions, boxes = ([[cell.text for cell in row.cells] for row in one.rows] for one in tables)
    assert MAIN in tables[0]._tbl.tag
    return decided(questions, boxes, work)


def decided(questions: Rows, boxes: Rows, work: Work) -> Found:
    """What the tables say of all walks; a printed risk is compared as it is printed."""
    points = [_whole(row[2]) for row in questions[1:]]
    where = {(int(row[0]), _whole(row[1])): row for row in boxes[1:]}
    count = len(work.staircase.questions)
    faults = []
    for sharpen, walks in ((False, work.walks), (True, work.sharpened)):
        for answers in walks:
            right = _right(work.staircase, answers, sharpen)
            try:
                told = _followed(points, where, count, answers, sharpen)
            except KeyError as place:
                faults.append(f"answers {list(answers)}: there is no row for {place}")
                continue
            if told != right:
                faults.append(f"answers {list(answers)}: {told} instead of {right}")
    asked = [Wording.of(work.staircase).whole_question(one) for one in work.staircase.questions]
    shown = [row[1] for row in questions[1 : count + 1]]
    if [" ".join(one.split()) for one in asked] != [" ".join(one.split()) for one in shown]:
        faults.append(f"it asks {shown} instead of {asked}")
    return Found(cases={0: work.cases[0].result} if work.cases else {}, faults=faults)


def _followed(
    points: Sequence[int],
    where: dict[tuple[int, int], list[str]],
    count: int,
    answers: Sequence[Answer],
    sharpen: bool,
) -> tuple[str, int, int | None, str]:
    ends = []
    for high in (False, True):
        stage = total = 0
        for value, answer in zip(points, answers, strict=False):
            sign = where[stage, total][2].split(" ")[0].rstrip(CURTAILED_MARK)
            if sign != "→" and not (sharpen and sign == "◆" and stage >= count):
                break
            if stage >= count and not sharpen:
                break
            total += value * ((value > 0) == high if answer is None else answer)
            stage += 1
        row = where[stage, total]
        decision = DECISIONS[row[2].split(" ")[0].rstrip(CURTAILED_MARK)]
        ends.append((decision, stage, total, row[3]))
    low, high_end = ends
    both = {low[0], high_end[0]}
    joint = low[0] if len(both) == 1 else "go on" if "go on" in both else "unknown"
    total_told = low[2] if low[2] == high_end[2] else None
    risks = low[3] if low[3] == high_end[3] else f"{low[3]} | {high_end[3]}"
    return str(joint), max(low[1], high_end[1]), total_told, risks


def _right(
    staircase: Staircase, answers: Sequence[Answer], sharpen: bool
) -> tuple[str, int, int | None, str]:
    result = result_of(staircase, answers, sharpen=sharpen)
    outcome = staircase.decide(answers, sharpen=sharpen)
    wording = Wording.of(staircase)
    risks = [
        wording.risk_of(box.risk.probability) if box.risk else "–"
        for box in (outcome.lowest, outcome.highest)
    ]
    told = risks[0] if risks[0] == risks[1] else " | ".join(risks)
    return result.decision, result.stage, result.total, told


def _whole(text: str) -> int:
    return int(text.replace("−", "-"))

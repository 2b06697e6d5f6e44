"""Recalculate the workbook with each case put into it, with the `formulas` package."""

from __future__ import annotations

import contextlib
import io
import math
import warnings
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from scorecard.checking.forms import Found, NotRunError, UnusableError, Work, names_in
from scorecard.core.model import Question
from scorecard.exporting.excel import (
    CARD,
    FIRST_QUESTION,
    FIRST_RESULT,
    INPUT_COLUMN,
    RESULT_COLUMN,
    RESULTS,
)
from scorecard.exporting.test_cases import Result, answers_of, is_unknown, typed

REFUSED = "look at the answers"
NEAR = 1e-14  # closer numbers are the same one to a spreadsheet


def excel_form(path: Path, work: Work) -> Found:
    """The workbook, recalculated for every case whose numbers a spreadsheet tells apart.

    One recalculation takes long, so of the rows of a table one is tried for each pattern of
    answers; the shared cases are all tried.
    """
    questions = work.staircase.questions
    names = _names(path)
    inputs = {question.input: place for place, question in reversed([*enumerate(questions)])}
    calculate = _calculator(path, list(inputs.values()))
    found = {}
    seen = set()
    for place, vector in enumerate(work.cases):
        pattern = vector.result and tuple(answers_of(work.staircase, vector.case))
        if not vector.plain or _too_close(questions, vector.case):
            continue
        if place < work.shared or pattern not in seen:
            numbers = typed(questions, vector.case)
            found[place] = _result(
                calculate([_cell(numbers[name], vector.case.get(name)) for name in inputs])
            )
        seen.add(pattern)
    return Found(found, {}, (), names, "15 digits")


def _names(path: Path) -> frozenset[str]:
    try:
        with zipfile.ZipFile(path) as book:
            return names_in(book.read("xl/sharedStrings.xml").decode())
    except (zipfile.BadZipFile, KeyError) as error:
        raise UnusableError(f"it is not a workbook: {error}") from None


def _calculator(
    path: Path, places: Sequence[int]
) -> Callable[[Sequence[object]], Sequence[object]]:
    try:
        import formulas
    except ImportError:
        raise NotRunError("the formulas package is not installed (pip install formulas)") from None
    from xlsxwriter.utility import xl_rowcol_to_cell

    def cells(column: int, first: int, rows: Iterable[int]) -> list[str]:
        sheet = f"'[{path.name}]{CARD.upper()}'"
        return [f"{sheet}!{xl_rowcol_to_cell(first + row, column)}" for row in rows]

    with warnings.catch_warnings(), contextlib.redirect_stderr(io.StringIO()):
        warnings.simplefilter("ignore")  # it tells of every function it does not need
        model = formulas.ExcelModel().loads(str(path)).finish(circular=False)
        run = model.compile(
            cells(INPUT_COLUMN, FIRST_QUESTION, places),
            cells(RESULT_COLUMN, FIRST_RESULT, range(len(RESULTS))),
        )

    def calculate(values: Sequence[object]) -> Sequence[object]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return [cell.value[0, 0] for cell in run(*values)]

    return calculate


def _cell(value: float | str | None, said: str | None) -> object:
    """What is typed into a cell: a number where one is compared, else the word itself."""
    if isinstance(value, float):
        return value
    return "unknown" if said is None else said


def _too_close(questions: Sequence[Question], case: Mapping[str, str]) -> bool:
    """Whether a value lies so near its cut-off that 15 digits do not tell them apart."""
    for question in questions:
        cutoff, value = question.condition.cutoff, case.get(question.input, "")
        if cutoff is not None and not is_unknown(question, value):
            number = float(value)
            if number != cutoff and math.isclose(number, cutoff, rel_tol=NEAR):
                return True
    return False


def _result(cells: Sequence[Any]) -> Result | None:
    decision, stage, total, *figures = cells
    if decision == REFUSED:
        return None
    try:
        risks = [None if figure == "" else float(figure) for figure in figures]
        return Result(decision, int(stage), None if total == "" else int(total), *risks)
    except ValueError:  # #N/A and its like
        raise UnusableError(f"its results are {list(map(str, cells))}") from None

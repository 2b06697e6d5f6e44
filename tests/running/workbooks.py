"""Recalculate a workbook with each case put into it, with the `formulas` package."""

from __future__ import annotations

import contextlib
import io
import math
import tempfile
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from scorecard.core.evidence import Seen, range_of
from scorecard.core.model import Question
from scorecard.core.question import with_substitutes
from scorecard.core.staircase import RESULT, Staircase
from scorecard.forms.decision_table import decision_table
from scorecard.forms.excel.make import (
    CARD,
    FIRST_QUESTION,
    FIRST_RESULT,
    INPUT_COLUMN,
    REMARK,
    RESULT_COLUMN,
    make,
    remark_rows,
    substitute_rows,
)
from scorecard.forms.found import Found, NotRunError, UnusableError, Work, differences
from scorecard.forms.test_cases import CaseResult, answers_of, is_unknown, typed

REFUSED = "look at the answers"
FIFTEEN_DIGITS, FIFTEEN_DECIMALS = 5e-15, 1e-15
NEAR = 1e-14  # closer numbers are the same one to a spreadsheet
DECIMALS = 15  # that the package keeps of a number in a cell


def differences_of_book(staircase: Staircase, all_cases: bool = True) -> list[str]:
    """Where a workbook, freshly written, says something else than the list."""
    work = Work(staircase)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "evaluator.xlsx")
        path.write_bytes(make(staircase))
        found = recalculated(path, work, all_cases)
    assert found.cases
    return list(differences(found, work, same))


def same(one: object, other: object) -> bool:
    """Whether two figures are the same to a spreadsheet, which keeps 15 digits."""
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=FIFTEEN_DIGITS, abs_tol=FIFTEEN_DECIMALS)
    return one == other


def recalculated(path: Path, work: Work, all_cases: bool = True) -> Found:
    """The workbook, recalculated for every case whose numbers a spreadsheet tells apart.

    One recalculation takes long, so one case may be tried for each pattern of answers.
    """
    questions = work.staircase.questions
    rows = substitute_rows(decision_table(work.staircase))
    others = [(row, questions[place].instead) for place, row in rows.items()]
    asked = [*enumerate(questions, FIRST_QUESTION), *others]
    inputs = {one.input: row for row, one in reversed(asked) if one}
    remarks = remark_rows(decision_table(work.staircase))
    calculate = _calculator(path, list(inputs.values()), list(remarks.values()))
    found = {}
    seen = set()
    for place, vector in enumerate(work.shared):
        pattern = vector.result and tuple(answers_of(work.staircase, vector.case))
        if not vector.plain or _too_close(questions, work.staircase.scoring_list.seen, vector.case):
            continue
        if "nan" in map(str.lower, map(str.strip, vector.case.values())):
            continue  # to a spreadsheet a text; the package takes it for a number
        if all_cases or pattern not in seen:
            numbers = typed(questions, vector.case)
            found[place] = _result(
                calculate([_cell(numbers[name], vector.case.get(name)) for name in inputs]),
                list(remarks),
            )
        seen.add(pattern)
    return Found(found)


def _calculator(
    path: Path, rows: Sequence[int], remarks: Sequence[int]
) -> Callable[[Sequence[object]], Sequence[object]]:
    try:
        import formulas
    except ImportError:
        raise NotRunError("the formulas package is not installed (pip install formulas)") from None
    from xlsxwriter.utility import xl_rowcol_to_cell

    def cells(column: int, rows: Iterable[int]) -> list[str]:
        sheet = f"'[{path.name}]{CARD.upper()}'"
        return [f"{sheet}!{xl_rowcol_to_cell(row, column)}" for row in rows]

    with warnings.catch_warnings(), contextlib.redirect_stderr(io.StringIO()):
        warnings.simplefilter("ignore")  # it tells of every function it does not need
        model = formulas.ExcelModel().loads(str(path)).finish(circular=False)
        run = model.compile(
            cells(INPUT_COLUMN, rows),
            cells(RESULT_COLUMN, range(FIRST_RESULT, FIRST_RESULT + len(RESULT)))
            + cells(REMARK, remarks),
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


def _too_close(
    questions: Sequence[Question], seen: Sequence[Seen], case: Mapping[str, str]
) -> bool:
    """Whether a value is so near a cut-off, or an end of a range, that 15 digits are too few."""
    for question in with_substitutes(questions):
        cutoff, value = question.condition.cutoff, case.get(question.input, "")
        if cutoff is not None and not is_unknown(question, value):
            number, range_ = float(value), range_of(seen, question)
            for edge in (cutoff, *(range_.within if range_ else ())):
                kept = round(edge, DECIMALS) == edge and number == edge
                if not kept and math.isclose(number, edge, rel_tol=NEAR, abs_tol=NEAR):
                    return True
    return False


def _result(cells: Sequence[Any], names: Sequence[str]) -> CaseResult | None:
    """The result, and which of the inputs with these names have a remark."""
    decision, stage, total, *figures = cells[: len(RESULT)]
    said = zip(names, cells[len(RESULT) :], strict=True)
    outside = tuple(sorted(name for name, remark in said if remark != ""))
    if decision == REFUSED:
        return None
    try:
        told: list[Any] = [decision, int(stage), None if total == "" else int(total)]
        told += [None if figure == "" else float(figure) for figure in figures]
        return CaseResult(*told, outside=outside)
    except ValueError:  # #N/A and its like
        raise UnusableError(f"its results are {list(map(str, cells))}") from None
